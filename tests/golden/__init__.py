"""What the code makes of eight campaigns, kept as fingerprints, so that a change of it can be seen."""
