"""How figures went over time: lines of them as a picture, and in words."""
