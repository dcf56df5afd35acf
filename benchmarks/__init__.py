"""Benchmarks: whole processes, compared with loading and saving the same workbook in openpyxl."""
