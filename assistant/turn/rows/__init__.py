"""Rows of Orders beside any rulebook: when each is meant, which nobody can judge, what phases say and they cost."""
