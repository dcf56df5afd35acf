"""Reads cells and CSVs into records, with a finding at the cell for what cannot be read."""
