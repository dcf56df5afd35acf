"""Whole sheets: one workbook in another, or a workbook less one sheet, with all that hangs on them."""
