"""The workbook's buttons, as a door of their own: what the command line asks of it in; its functions out, on demand.

What a button does is the desk's affair; this room reads, shows and installs. `button_list` names the buttons, `press`
does what all hosts share, `excel` and `pipe` are the hosts (Excel through xlwings, LibreOffice through lines of JSON),
`scripts` the same functions for xlwings' other engines. `install` puts buttons into a workbook and sees to the
machine, `office` is LibreOffice's extension, `plain` takes the buttons out again.
"""

from typing import TYPE_CHECKING

from assistant.environment import on_demand, rooms_of

if TYPE_CHECKING:
    from assistant.buttons.excel_setup import doctor as doctor
    from assistant.buttons.excel_setup import setup_excel as setup_excel
    from assistant.buttons.excel_setup import setup_libreoffice as setup_libreoffice
    from assistant.buttons.libreoffice import look_at_office as look_at_office
    from assistant.buttons.workbook_buttons import add_buttons as add_buttons
    from assistant.buttons.workbook_buttons import dressed as dressed
    from assistant.buttons.workbook_buttons import plain_copy as plain_copy
    from assistant.buttons.workbook_buttons import say_where as say_where

ROOM_OF = rooms_of({
    "excel_setup": "doctor setup_excel setup_libreoffice",
    "libreoffice": "look_at_office",
    "workbook_buttons": "add_buttons dressed plain_copy say_where",
})

if not TYPE_CHECKING:  # the type checker has the imports above, and is to notice a name that is not among them
    __getattr__ = on_demand(__name__, ROOM_OF)
