"""Pictures of a campaign, drawn from a view alone: maps and charts, as SVG and PNG. It knows no ruleset and no file."""
