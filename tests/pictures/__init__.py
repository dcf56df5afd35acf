"""Maps and charts, what they show and how they look."""
