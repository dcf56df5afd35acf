"""The open workbook: read and changed in the program that shows it, through one small host.

`host` is what a program must be able to do, `source` and `editing` let the readers and writers of the file
work on it, `book` is the adapter of the port, `marks` colours the cells of findings. No program is known here.
"""
