"""Rows of Orders before any rulebook reads them: when each is meant, and which of them nobody can judge."""
