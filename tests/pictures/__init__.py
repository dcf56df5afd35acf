"""Maps and what they are made of."""
