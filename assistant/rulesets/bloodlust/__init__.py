"""Bloodlust nations: nine nations of Tanaephis, four seasons a year."""
