"""What runs inside LibreOffice: the standard library and UNO only, for the Python that LibreOffice brings (3.8 on).

`component` is what a click calls, `pressing` one press from click to outcome, `talking` the conversation with
Arbitro's own Python, `reading` the open workbook as plain values, `writing` changes with one undo.
In the extension these modules are the package ``arbitro_office``; `component` stands beside it.
"""
