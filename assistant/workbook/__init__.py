"""The workbook room: sheets <-> records. It knows no ruleset; it derives sheets from declared records.

`port` is what the desk sees, `layout` says what a sheet shows, `builder` makes new workbooks, `reading`
makes a campaign of one, `file_book` changes an existing file, `csvfolder` does the same with CSV files.
"""
