"""Tests of The Anarchy: the rulebook's worked examples first."""
