"""Dice: how they are thrown, read, named, and counted."""
