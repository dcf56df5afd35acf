"""The map and who stands on it, as the chapters of the book speak of them."""
