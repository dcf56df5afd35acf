"""The close of a day: sieges, surrenders, scores (chapters 1, 8, 16)."""
