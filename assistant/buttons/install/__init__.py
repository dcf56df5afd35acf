"""Putting buttons into a workbook and on a computer: the VBA project, the form buttons, setup and its doctor."""
