"""The day until the first march: opening, food, groups, captives, ransoms, convoys (chapters 5, 8, 11, 12, 15)."""
