"""Raising armies: recruiting rolls, recruits, organising and upkeep."""
