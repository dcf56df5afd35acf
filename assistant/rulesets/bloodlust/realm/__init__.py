"""The world as the rules speak of it: nations, armies, commanders, ways, wars and peaces."""
