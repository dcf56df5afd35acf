"""Rows of Orders beside any rulebook: when each is meant, which nobody can judge, what a phase would say of them."""
