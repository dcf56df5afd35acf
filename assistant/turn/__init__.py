"""How any ruleset is resolved: dice, orders, questions, findings, phases. No rulebook here."""
