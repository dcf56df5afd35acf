"""The past: what the ledger keeps in; phases replayed, corrected, undone or verified out."""
