"""A day's orders: read, put in order, refused, and judged before the day begins."""
