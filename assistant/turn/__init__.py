"""How any ruleset is resolved: dice, checks, orders, questions, findings, phases. No rulebook here."""
