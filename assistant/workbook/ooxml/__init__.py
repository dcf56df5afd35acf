"""A workbook file as zip and XML.

It reads only what is asked for, changes only what must change, and knows no campaign. Each module uses those before
it: `xml_tree` and `package` for the parts of the zip, `cells`, `rows` and `formulas` for the content of a sheet,
`book` and `sheet` for the workbook and its changes, `transplant` for whole sheets.
"""
