"""The findings of the house, of every ruleset alike (ARB-nnn)."""
