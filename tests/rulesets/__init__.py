"""What holds for every rulebook that ships, by what it declares."""
