"""Incursio: the demo, the worked examples, every finding."""
