"""Cells and rows: the bytes of a sheet's part in; values by row and column out, and rows written anew."""
