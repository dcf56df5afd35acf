"""The open workbook: a host in; a campaign out, and its changes given to the program that shows it.

`host` is what a program must be able to do, `source` and `editing` let the readers and writers of the file
work on it, `live_book` is the adapter of the port, `marks` colours the cells of findings. No program is known here.
"""
