"""Bloodlust nations: the scripted year, the worked examples, every finding."""
