"""What the book of the Fantasy Warriors campaign declares: sheets, numbers, tables, what it says and asks."""
