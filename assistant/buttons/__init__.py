"""Door two: the workbook's buttons. What a button does is the desk's affair; this room reads, shows and installs.

`verbs` names the buttons, `press` does what all hosts share, `excel` and `pipe` are the hosts (Excel through
xlwings, LibreOffice through lines of JSON), `scripts` the same functions for xlwings' other engines.
`maker` puts buttons into a workbook, over `modules`, `vba`, `compound` and `form`; `setup` and `doctor` see to
the machine.
"""
