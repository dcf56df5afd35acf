"""Pictures at the desk: what is drawn for whom, the map in the workbook, colours that are too near to one another."""
