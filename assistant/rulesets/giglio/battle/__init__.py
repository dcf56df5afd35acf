"""Battles that come back from the table (3c)."""
