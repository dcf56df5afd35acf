"""What one side may know, and what reports show of it."""
