"""The members of the zip: a file's bytes in; parts out, as bytes, texts and trees, and packed again."""
