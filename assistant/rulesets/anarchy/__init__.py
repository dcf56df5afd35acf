"""The Anarchy: groups of knights on a hex map, loyalty, and marches that encounters interrupt."""
