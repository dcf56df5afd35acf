"""What rulebooks have alike, for a ruleset to build on."""
