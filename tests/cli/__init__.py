"""The command line, as a referee types it."""
