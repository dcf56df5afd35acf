"""Rows of Orders before a rulebook reads them: when each is meant, which nobody can judge, what they would cost."""
