"""A campaign that is open at the desk: read, compared with its ledger, written as a whole."""
