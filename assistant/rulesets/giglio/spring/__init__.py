"""Spring: income, loans, recruiting, specialists, treaties (2, 2a, 2b)."""
