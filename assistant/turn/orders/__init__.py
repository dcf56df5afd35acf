"""Orders for all rulesets: a verb is declared once, on the function that carries it out; the rest is derived."""
