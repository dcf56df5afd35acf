"""What the project promises about itself: arrows, sizes, documentation."""
