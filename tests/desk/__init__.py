"""The desk: what the referee can do, through a tiny rulebook of its own."""
