"""The findings of the workbook's buttons and of the programs that have it open, as part of `messages.COMMON`."""

from __future__ import annotations

from assistant.turn.findings import Message

BUTTON_MESSAGES: tuple[Message, ...] = (
    # --- buttons and the open workbook
    Message("ARB-209", "error",
            "{file}: the program that has the workbook open did not take the change ({reason}). Nothing was changed. "
            "If a cell is being edited there, press Enter or Esc first; if a window asks something, answer it; then "
            "click again."),
    Message("ARB-223", "error",
            "{cell} is protected, so the program that has the workbook open lets nobody write there. Take the "
            "protection away (Excel: Review, Unprotect Sheet; LibreOffice: Tools, Protect Sheet) and click again. "
            "Nothing was changed."),
    Message("ARB-244", "warning",
            "The sheet {sheet} is protected, so what was found there is told here, but not coloured and noted on its "
            "cells. To have it there, too, take the protection away (Excel: Review, Unprotect Sheet; LibreOffice: "
            "Tools, Protect Sheet) and click again."),
    Message("ARB-191", "error",
            "{file} lies in no folder of this computer, so there is no ledger beside it. Save it into a folder first; "
            "if it lies in OneDrive or SharePoint, open it from the folder that is copied to this computer."),
    Message("ARB-192", "warning",
            "{file} holds the outcome but could not be saved ({reason}). Save it yourself before you close it."),
    Message("ARB-193", "warning",
            "The post is not set up, so no mail was sent. The reports lie ready in {folder}: send each club its own "
            "page. To have them sent: arbitro post setup"),
    Message("ARB-194", "error",
            "{file} is no workbook that can get buttons: it must end in .xlsx (or .xlsm, to renew its buttons)."),
    Message("ARB-195", "error",
            "{file} has macros of its own, or macros that are not Arbitro's. They stay as they are and no buttons were "
            "put in. Save it in Excel as .xlsx without macros, move {file} to another folder, and run the command on "
            "the .xlsx."),
    Message("ARB-247", "error",
            "In {file} the module {module}, which Arbitro writes anew, holds macros of somebody else ({macros}). They "
            "stay as they are, and nothing was changed. Keep them elsewhere first: in Excel, Alt+F11, copy them into a "
            "module of another workbook, for example your Personal Macro Workbook, and delete them from {module}; save "
            "and run the command again."),
    Message("ARB-248", "error",
            "Beside {file} lies {target} already, and that is the later one: it stands at {then}, {file} at {now}. "
            "Nothing was changed, and --force does not replace it either. Play on with {target} and put "
            "{file} away. Fresh "
            "buttons: arbitro buttons {target}. To go back, phase by phase: arbitro undo {target}"),
    Message("ARB-249", "error",
            "Beside {file} lies {target} already: it stands at {then}, {file} at {now}, so {target} is not the later "
            "one. Nothing was changed. To play on with {target}, with fresh buttons: arbitro buttons "
            "{target}. To make it anew of"
            " {file}, without what was typed into {target} alone: arbitro buttons {file} --force"),
    Message("ARB-250", "error",
            "The buttons of {file} call macros that are not in it any more ({macros}), so they do nothing in Excel. "
            "Save it in Excel as .xlsx without macros, move {file} to another folder, and make a workbook with buttons "
            "of the other: arbitro buttons {plain}"),
    Message("ARB-251", "error",
            "The folder {folder} cannot take {file}: {reason}. Make the folder, or name another one, and run the "
            "command again. Nothing was written."),
    Message("ARB-252", "error",
            "macOS has put {file} into quarantine because it came from the web or by mail, so Excel blocks its "
            "buttons. Close it, open the program Terminal and type: xattr -d com.apple.quarantine \"{path}\". Better: "
            "copy the .xlsx here and run arbitro buttons on it."),
    Message("ARB-196", "error",
            "{file} has a sheet '{sheet}' already, which is not Arbitro's. Give it another name and run the command "
            "again."),
    Message("ARB-197", "error",
            "xlwings is not installed beside Arbitro, so the buttons of Excel cannot reach it. "
            "Install it with: {python} -m pip install \"xlwings>=0.37.5,<1\""),
    Message("ARB-198", "warning",
            "Excel was not found on this computer. Its buttons need Excel for Windows or macOS; with LibreOffice use: "
            "arbitro setup libreoffice"),
    Message("ARB-199", "error",
            "The buttons of {file} call the Python {seen}, which is not there. Put the present one into them with: "
            "arbitro buttons {file}"),
    Message("ARB-200", "warning",
            "The buttons of {file} call another Python ({seen}) than the one that runs now ({python}). "
            "If that is not meant, renew them with: arbitro buttons {file}"),
    Message("ARB-201", "error",
            "Excel for macOS may start Arbitro only with a small script that is not installed yet. "
            "Install it with: arbitro setup excel"),
    Message("ARB-202", "warning",
            "The script through which Excel starts Arbitro was installed for xlwings {seen}; now it is {wanted}. "
            "Renew it with: arbitro setup excel"),
    Message("ARB-203", "error",
            "macOS has not allowed this program to control Excel. Allow it in System Settings, Privacy & Security, "
            "Automation, then click again."),
    Message("ARB-204", "error",
            "{file} carries the mark of the web, so Excel blocks its buttons. Close it, click it with the right mouse "
            "button, choose Properties, tick Unblock. Better: copy the .xlsx here and run arbitro buttons on it."),
    Message("ARB-205", "warning",
            "{file} has no buttons, or lacks some of them. Make a copy with all of them with: arbitro buttons {file}"),
    Message("ARB-206", "error",
            "Excel is set to run no macros at all, or only signed ones, without asking. In Excel: File, Options, Trust "
            "Center, Trust Center Settings, Macro Settings: choose 'Disable VBA macros with notification'; on a Mac: "
            "Excel, Preferences, Security: choose 'Disable all macros with notification'. Where that is grey, whoever "
            "looks after the computer has set it."),
    Message("ARB-207", "warning",
            "The buttons of {file} were made by another version of Arbitro or xlwings ({seen}; now {wanted}). "
            "Renew them with: arbitro buttons {file}"),
    # --- the buttons in LibreOffice
    Message("ARB-210", "warning",
            "LibreOffice was not found on this machine. If you play with it, install it from libreoffice.org; where it "
            "lies in an unusual folder, name that folder in the environment variable {variable}."),
    Message("ARB-211", "warning",
            "The buttons are not installed in LibreOffice. If you play with it, run: arbitro setup libreoffice"),
    Message("ARB-212", "error",
            "The buttons in LibreOffice start another Python than the one that answers you here: {seen}, not {python}. "
            "{gone} is not there any more. Renew them with: arbitro setup libreoffice"),
    Message("ARB-213", "warning",
            "The buttons in LibreOffice are those of Arbitro {seen}; this is {version}. "
            "Renew them with: arbitro setup libreoffice"),
    Message("ARB-214", "error",
            "LibreOffice is open, and takes no new buttons meanwhile. Close all its windows and run the command again. "
            "If none is open, because it crashed, delete the file {lock}."),
    Message("ARB-215", "error",
            "LibreOffice in {folder} cannot run Python. Install the part that is missing: on Debian and Ubuntu the "
            "package python3-uno, on Fedora libreoffice-pyuno, on openSUSE libreoffice-pyuno."),
    Message("ARB-216", "error",
            "This LibreOffice was installed as {how}, which lets it start no other program, so not Arbitro either. "
            "Install the LibreOffice of your distribution, or the one from libreoffice.org."),
    Message("ARB-217", "error",
            "LibreOffice did not do what was asked of its extension manager: {reason}. Close all its windows and run "
            "the command again; if it stays so, open LibreOffice, Tools, Extension Manager, and remove Arbitro there."),
    Message("ARB-218", "error",
            "LibreOffice installs no buttons for the administrator of the machine. Run the command as the user who "
            "plays."),
    Message("ARB-219", "error",
            "The buttons are switched off in LibreOffice. Switch them on in Tools, Extension Manager, Arbitro, "
            "or run: arbitro setup libreoffice"),
    Message("ARB-208", "error",
            "Excel for macOS cannot start a Python whose path has blanks or quotation marks: {python}. Install Arbitro "
            "in a folder without them, for example ~/arbitro, and renew the buttons from there."),
    Message("ARB-220", "error",
            "A copy of {file} without buttons would still bring {what}, and a copy that brings them is not taken back "
            "from a club. Nothing was written. Take them out of {file} and run the command again."),
    Message("ARB-221", "error",
            "{copy} would have the same ledger as {file}. Give the copy for the clubs another name or another "
            "folder."),
    Message("ARB-222", "error",
            "A copy for the clubs is a plain workbook: {copy} must end in .xlsx."),
)
