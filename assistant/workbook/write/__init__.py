"""Writing: records in; new workbooks out, or changes of cells in those that exist."""
