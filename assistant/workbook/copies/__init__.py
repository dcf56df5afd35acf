"""Club copies: what one faction may know in; a plain workbook with the form of its orders out."""
