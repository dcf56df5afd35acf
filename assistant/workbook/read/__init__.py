"""Reading: cells and CSVs in; records out, with a finding at the cell for what cannot be read."""
