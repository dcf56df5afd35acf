"""Deciding on changes by hand: what the watch has seen in; findings out, and rulings or the values of before."""
