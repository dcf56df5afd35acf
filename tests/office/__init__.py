"""LibreOffice, really running: the extension and the open workbook."""
