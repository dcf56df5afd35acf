"""Il Giglio: five years of war in Italy around 1500."""
