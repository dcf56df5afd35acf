"""A workbook file as zip and XML: its bytes in; sheets, tables and names to read and change out, and bytes again.

It is read sparsely and changed surgically, and knows no campaign. Each room uses those before it:
`parts` has the members of the zip and their markup, `cells` the cells and rows of a sheet's part, `book` the
workbook with all that is changed in it, `whole_sheets` puts sheets into a workbook and takes them out.
"""
