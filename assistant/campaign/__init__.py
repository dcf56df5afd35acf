"""The lowest layer: records, tables and the map of one campaign. No input, no output, no rules.

`columns` has the kinds of column, `records` the sheets that all rulesets share, `tables` the rows and their natural
order, `campaign` all tables together, and `map` the board of nodes and links, hexes or squares.
"""
