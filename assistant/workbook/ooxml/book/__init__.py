"""The workbook: a package in; its sheets, tables, styles and notes out, and the changes that are made to them."""
