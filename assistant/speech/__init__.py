"""How names are spoken of: articles, prepositions, gender and number in both languages, and braces."""
