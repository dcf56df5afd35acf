"""The Fantasy Warriors campaign: Forces on a map of squares, and their will to fight."""
