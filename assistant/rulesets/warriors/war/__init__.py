"""Phases 3 and 4: exploration, battles on the table, and what comes after them."""
