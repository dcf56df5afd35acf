"""What the book prints: sheets, tables and numbers, order words, texts of findings, events and questions."""
