"""What the columns of orders hold, and how rows are taken."""
