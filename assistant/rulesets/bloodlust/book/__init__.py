"""What the book prints: sheets, numbers, tables, what it says and asks."""
