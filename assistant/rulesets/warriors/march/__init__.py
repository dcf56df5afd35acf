"""Phases 0 to 2: the weather, the Force tests, and all that moves on land and water."""
