"""What one faction may know, and what reports show of it."""
