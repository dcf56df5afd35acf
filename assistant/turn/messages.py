"""The findings of the house, of every ruleset alike (ARB-nnn), in English; the Italian is in `arbitro.po`.

001 the file, 010 sheets and headings, 020 cells, 040 what every order says, 050 folders of CSV, 060 dice,
070 the ledger, 075 files, 081 what was asked for. A later sentence whose parameter is blank is left out.
"""

from __future__ import annotations

from collections.abc import Mapping

from assistant.turn.findings import Message, catalogue
from assistant.turn.ruleset import EventType
from assistant.turn.texts import N_

COMMON: Mapping[str, Message] = catalogue((
    # --- the file
    Message("ARB-001", "error",
            "This is no Excel workbook. Open it in Excel or LibreOffice and save it as .xlsx."),
    Message("ARB-002", "error",
            "The workbook is locked with a password. Take the password off in Excel and save it again."),
    Message("ARB-003", "error", "The workbook has the old format .xls. Save it as .xlsx."),
    Message("ARB-004", "error", "No sheet of a campaign is in this workbook. Start one with: arbitro new"),
    Message("ARB-005", "error",
            "The file would unpack to {size} MB, or holds a part twice, and was not opened. "
            "Copy the sheets into a new workbook."),
    Message("ARB-006", "error",
            "The sheet Desk does not name a rulebook that is installed: '{seen}'. Type one of: {list}."),
    # --- sheets and headings
    Message("ARB-010", "error", "The sheet {sheet} is missing. Give it its name back, or undo its removal."),
    Message("ARB-011", "error", "Several sheets could be {sheet}: {seen}. Rename the one that is not."),
    Message("ARB-012", "error",
            "The column {heading} is missing. Write its heading again, anywhere in the row of headings."),
    Message("ARB-013", "error", "The heading {heading} is missing; '{seen}' looks like it. Write {heading} there."),
    Message("ARB-014", "error", "The heading '{seen}' stands here a second time, after {first}. Rename one of them."),
    Message("ARB-015", "error", "The headings of the sheet {sheet} were not found. Put them back into one row."),
    # --- cells
    Message("ARB-020", "error", "{column}: a formula stands where a value belongs ({seen}). Type the value itself."),
    Message("ARB-021", "error", "{column}: the cell shows the error {seen}. Type the value."),
    Message("ARB-022", "error",
            "{column}: Excel has made a date of it ({seen}). Format the cell as text or number and type it again."),
    Message("ARB-023", "error", "{column}: '{seen}' is not a number. Type one. Allowed: {allowed}."),
    Message("ARB-024", "error", "{column}: {seen} is not a whole number. Type one. Allowed: {allowed}."),
    Message("ARB-025", "error", "{column}: {seen} is out of bounds. Allowed: {allowed}."),
    Message("ARB-026", "error", "{column}: '{seen}' is not in the list. Did you mean {near}? Allowed: {allowed}."),
    Message("ARB-027", "error", "{column}: '{seen}' is neither yes nor no. Type one of: {allowed}."),
    Message("ARB-028", "error", "{column}: '{seen}' is not written like a code here. Write it like {allowed}."),
    Message("ARB-029", "error",
            "{column}: what the assistant wrote here was changed and cannot be read ({seen}). "
            "Undo the change, or take it back with: arbitro undo"),
    Message("ARB-030", "error", "{column}: '{seen}' is not on the sheet {table}. Did you mean {near}?"),
    Message("ARB-031", "error", "'{seen}' is there already, in {first}. Change or delete one of the two rows."),
    Message("ARB-032", "error", "{column} is blank. Fill it in, or delete the row."),
    Message("ARB-033", "error", "{column}: the cell holds signs that cannot be seen ('{seen}'). Type it again."),
    Message("ARB-034", "error", "{column}: {length} characters are too many, {allowed} are allowed. Shorten it."),
    # --- what every order says
    Message("ARB-040", "error", "'{seen}' is no faction of this campaign. Write the code of yours: {near}."),
    Message("ARB-041", "error", "'{seen}' is no turn of this campaign. Write for example {near}."),
    Message("ARB-042", "error", "'{seen}' is no phase that takes orders. Write for example {near}."),
    Message("ARB-043", "error", "The Desk says '{seen}', which is no phase of the rulebook. Write for example {near}."),
    # --- folders of CSV
    Message("ARB-044", "error", "The Desk's turn '{seen}' is no turn of the rulebook. Write back the one it was."),
    Message("ARB-045", "warning",
            "The order is for {when}, which is over: it will not be carried out. Delete the row."),
    Message("ARB-050", "warning", "The column '{seen}' of {file} is not known and was left out."),
    Message("ARB-051", "warning", "The file {file} is not known and was left out. Known: {list}."),
    Message("ARB-052", "error", "{file} cannot be read as CSV. Save it again as CSV, UTF-8."),
    # --- dice
    Message("ARB-060", "error",
            "{dice} cannot show '{value}'. Type what the dice showed: one number, or each die joined by +."),
    Message("ARB-061", "error", "'{seen}' is no value for {key}. Allowed: {allowed}."),
    Message("ARB-062", "warning", "The rulebook has no number or switch '{seen}'. Did you mean {near}?"),
    # --- the ledger
    Message("ARB-070", "error",
            "The ledger {ledger} is missing beside {book}. Put it back: it holds the dice secret and every snapshot. "
            "If it is lost, start a new one with: arbitro ledger {book} --renew"),
    Message("ARB-071", "error",
            "The ledger {ledger} is damaged. Put back its last copy, or start a new one with: "
            "arbitro ledger {book} --renew"),
    Message("ARB-072", "error",
            "The ledger {ledger} belongs to another campaign than {book}. Put the right one beside the workbook."),
    Message("ARB-073", "error", "The ledger {ledger} was written by a newer Arbitro. Update Arbitro."),
    Message("ARB-074", "error",
            "The ledger {ledger} cannot be written. Close what else may be using it and try again; "
            "else see that its folder is not read-only and the disk not full."),
    Message("ARB-075", "error", "There is no file {file}. Check the name and the folder."),
    Message("ARB-076", "error", "{file} is open in another program ({user}). Close it there and try again."),
    Message("ARB-077", "error", "{file} was saved by somebody while Arbitro worked. Nothing was changed. Try again."),
    Message("ARB-078", "error", "{file} cannot be written safely: {reason}. Nothing was changed."),
    Message("ARB-079", "error", "{file} cannot be read or written: {reason}."),
    Message("ARB-080", "error", "{file} is there already. Choose another name, or delete it first."),
    # --- what was asked for
    Message("ARB-081", "error", "No rulebook '{ruleset}' is installed. Installed: {list}."),
    Message("ARB-082", "error", "There is no scenario '{scenario}'. There are: {list}."),
    Message("ARB-083", "error", "'{phase}' is no phase of this rulebook. Did you mean {near}?"),
    Message("ARB-084", "error", "'{faction}' is no faction of this campaign. There are: {list}."),
    Message("ARB-085", "error", "There is nothing to undo."),
    Message("ARB-086", "error", "There is nothing to redo."),
    Message("ARB-087", "error", "The campaign is over: nothing is left to resolve."),
    Message("ARB-088", "error", "Whose order is '{text}'? Name the faction with --faction, or begin the line with it."),
    Message("ARB-089", "error", "'{text}' was not understood. Write for example '{example}'."),
    Message("ARB-090", "error", "The order is for {when}, which is over. It was not taken."),
    Message("ARB-091", "error", "The number {order} is an order of {faction} already. Leave the number blank."),
    Message("ARB-092", "error", "There is no question '{question}'. Did you mean {near}?"),
    Message("ARB-093", "error", "The question {question} was answered and its phase is over. It was not changed."),
    Message("ARB-094", "error", "The dice secret must be hexadecimal digits, 32 or more."),
    Message("ARB-095", "error",
            "{file} holds no orders, answers, battle results or dice. Give a CSV, a workbook or a text."),
    Message("ARB-096", "error", "The die {key} was thrown already, in {when}. It was not changed."),
    Message("ARB-097", "error", "The battle {battle} is over. Its result was not changed."),
    Message("ARB-098", "error", "{book} cannot be read, so what was typed cannot be kept. "
            "Put the findings right, or give up what was typed with: arbitro undo {book} --hard"),
    Message("ARB-099", "error", "{file} is of another campaign than {book}. Take orders from its own workbook."),
    Message("ARB-100", "error", "{title} has no phase that ends a campaign early. Play it to its end."),
    Message("ARB-101", "error", "{folder} holds no campaign. Put at least factions.csv into it."),
    Message("ARB-102", "error", "{file} is no name for a workbook. Let it end in .xlsx."),
    Message("ARB-103", "error", "{phase} of {turn} is over. For the next one write --until {next}"),
    Message("ARB-104", "error", "'{asked}' is no step that can be undone; {n} can. See them with: arbitro undo --list"),
))
"""The messages by code."""

RENEWED = "ledger.renewed"

COMMON_EVENTS: Mapping[str, EventType] = {
    RENEWED: EventType(RENEWED, N_("A new ledger was started; the dice secrets are new."), "rulings", 2, "Arbitro"),
}
"""Events that the desk itself tells, of every ruleset alike, by type."""
