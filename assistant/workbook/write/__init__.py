"""Writes records into new workbooks, or changes into the cells of existing ones."""
