"""Beginning: a scenario, a folder of CSVs or a club's own workbook in; a workbook with its ledger out."""
