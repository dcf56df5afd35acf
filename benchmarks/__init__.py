"""How fast Arbitro is: whole processes against a plain load and save of the same workbook."""
