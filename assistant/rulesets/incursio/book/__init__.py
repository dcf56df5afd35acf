"""What the book of Incursio declares: sheets, numbers, texts, questions."""
