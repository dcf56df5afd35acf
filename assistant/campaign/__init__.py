"""The ground floor: records, tables and the map of one campaign. No input, no output, no rules.

`columns` says what a table's columns are, `records` declares the sheets every ruleset shares, `table`
holds rows, `campaign` holds tables, `map` is the board as a graph, `order` is natural order of codes.
"""
