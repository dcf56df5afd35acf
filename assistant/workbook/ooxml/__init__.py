"""The package layer: a workbook file as zip members and XML, read sparsely and changed surgically.

`xmltree` knows where each element stands in a part's bytes, `package` holds the members, `book` says which
sheets, tables and names there are, `cells` reads a sheet, `rows` and `sheet` change one, `styles`, `tables`,
`notes` and `stale` do the same for what hangs on it. Nothing here knows a campaign.
"""
