"""The buttons of a workbook in Excel and LibreOffice.

The commands themselves are in `assistant.desk`. `press` lists the buttons and carries out a press, in Excel (`excel`,
through xlwings) or in LibreOffice (`macro`, through lines of JSON). `workbook_buttons` and `vba_project` put buttons
into a workbook or take them out; `excel_setup` and `libreoffice` set up the machine. Names are loaded on first use.
"""

from typing import TYPE_CHECKING

from assistant.environment import lazy_attributes

if TYPE_CHECKING:
    from assistant.buttons.excel_setup import doctor as doctor
    from assistant.buttons.excel_setup import setup_excel as setup_excel
    from assistant.buttons.excel_setup import setup_libreoffice as setup_libreoffice
    from assistant.buttons.libreoffice import office_findings as office_findings
    from assistant.buttons.workbook_buttons import add_buttons as add_buttons
    from assistant.buttons.workbook_buttons import add_buttons_to_bytes as add_buttons_to_bytes
    from assistant.buttons.workbook_buttons import plain_copy as plain_copy
    from assistant.buttons.workbook_buttons import say_excel_only as say_excel_only

if not TYPE_CHECKING:  # the type checker has the imports above, and is to notice a name that is not among them
    __getattr__ = lazy_attributes(__name__, __file__)
