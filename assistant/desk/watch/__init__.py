"""The watch: a workbook as it was read and its ledger in; what was changed by hand out, and what is kept of it."""
