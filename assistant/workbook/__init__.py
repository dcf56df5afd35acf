"""The workbook: reads sheets into records and writes records into sheets.

It knows no ruleset, only declared records. `port` is what the desk sees; `file_book` and `open_book` implement it
for a file and for a workbook open in a program. `read` turns cells and CSVs into records, `write` records into
cells, `layout` says what a sheet shows, `adoption` takes over a club's own tables, `save` guards the file, and
`ooxml` knows zip and XML but no campaign.
"""
