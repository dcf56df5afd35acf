"""The nine phases of a day of Incursio."""
