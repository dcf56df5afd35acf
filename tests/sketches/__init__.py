"""Sketches of the rulebooks to come: the smallest core of each, on the floor as it is."""
