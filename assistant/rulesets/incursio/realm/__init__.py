"""The campaign as the chapters of Incursio speak of it: bands of units, places, what each side has seen."""
