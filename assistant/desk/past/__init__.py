"""What the ledger keeps: edits accepted or reverted, phases replayed, corrected, undone or verified."""
