"""A referee's evening: a campaign on the desk in; what is open, a resolved phase, or reports out."""
