"""What ends a season: sieges, morale, winter, trade, envoys, the close."""
