"""Orders, for every ruleset alike: a verb is declared once, beside its deed; all else is derived from that."""
