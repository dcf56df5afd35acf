"""Il Giglio: the worked examples of its book, its chapters, its secrets."""
