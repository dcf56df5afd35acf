"""The workbook room: sheets in, records out, and the other way round; it knows no ruleset, only declared records.

`port` is what the desk sees; `file_book` and `live` are its two adapters, over what `bookwork` has for both. `read`
makes records of cells and CSVs, `write` makes cells of records, `layout` says what a sheet shows, `adopt` takes a
club's own tables on, `safe` guards the file, and `ooxml` knows zip and XML and no campaign.
"""
