"""The findings that every ruleset shares (ARB-nnn), in English; the Italian stands in `arbitro.po`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import ALL, Desk, Event, next_number
from assistant.turn.event_types import EACH_TIME, EventType
from assistant.turn.file_messages import (
    ADOPT_MESSAGES,
    AUTHOR_MESSAGES,
    BACKGROUNDS,
    BUTTON_MESSAGES,
    CHRONICLE_MESSAGES,
    COPY_MESSAGES,
    LABORATORY_MESSAGES,
    MAIL_MESSAGES,
    PICTURE_MESSAGES,
)
from assistant.turn.findings import Message
from assistant.turn.texts import N_, keyed

# Findings about a row of Orders that do not need its rulebook.


ORDER_ROW_MESSAGES = (
    Message("ARB-040", "error", "'{seen}' is not a faction of this campaign. Write the code of yours: {near}."),
    Message("ARB-041", "error", "'{seen}' is not a turn of this campaign. Write for example {near}."),
    Message("ARB-042", "error", "'{seen}' is not a phase that takes orders. Write for example {near}."),
    Message("ARB-046", "error", "'{seen}' is the number of another order. Give this order in a row whose number is "
            "blank: the assistant fills it in."),
    Message("ARB-047", "info", "{n} {n?order has nothing left but its number and counts as|orders have nothing left"
                               " but their numbers and count as} withdrawn: {list}", ("n", {
        "1": "One order has nothing left but its number and counts as withdrawn: {list}"})),
    Message("ARB-048", "warning", "Nobody has judged this order yet: '{seen}' counts for nothing here, and its phase "
            "writes what comes of it. To withdraw an order, clear its row."),
)


# Findings about answers and the forms of battles (ARB-135, 300 to 310).


ANSWER_MESSAGES = (
    Message("ARB-135", "error",
            "'{answer}' is not among the answers that this question takes. Type one of: {options}."),
    Message("ARB-300", "error",
            "Questions of the kind '{kind}' are put each time: no answer to them stands until it is changed. Answer "
            "each of them as it comes."),
    Message("ARB-308", "error", "'{answer}' is given as an answer of {faction:the}, of whom this is not asked: it does"
            " not count. Whoever is asked answers in the question's own row."),
    Message("ARB-309", "error", "As the result of {battle} cannot be read, {n} further {n?row|rows} of the report"
            " {n?does|do} not count either. Put the result right, and send the copy again.",
            ("why", {"key": "'{text}' does not count: columns that Arbitro has filled in were written over in its row."
                            " Ask the referee for a new copy, and type it there."})),
    Message("ARB-310", "warning", "{text}: {n} {n?row|rows} of the form of {battle} say the same, and all of them"
                                  " count. Take"
            " out what is too much."),
    # --- what clubs report of a battle
    Message("ARB-301", "error",
            "{faction:the} {faction?has|have} no part in {battle}: only who fought there reports on it. Take the"
            " answer out."),
    Message("ARB-302", "error", "'{text}' is not a report on {battle}. Write the result as in its form, and then its"
            " further rows, each behind a semicolon.", ("why", {
                "word": "'{word}' in '{text}' says nothing that the form asks for. It takes: {list}.",
                "fighter": "'{word}' in '{text}' is nobody who fought there. There are: {list}.",
                "missing": "In '{text}' this is missing: {list}. Write _ where you say nothing.",
                "value": "'{word}' in '{text}' is not a value there. It takes: {list}.",
                "nothing": "'{text}' does not say how the battle ended. Write for example '{example}'.",
                "twice": "'{word}' in '{text}' is a second value for the same. It takes one: {list}."})),
    Message("ARB-303", "info",
            "{faction:the} {faction?reports|report} on {battle}: {text}. The other side has not reported yet."),
    Message("ARB-304", "info", "Both sides have reported on {battle}, and nothing differs: {text}. Confirm it: answer"
            " its question with {answer}."),
    Message("ARB-305", "warning", "The reports on {battle} differ in {column}: {list}. Where it is one side's own, that"
            " side's report counts once it is confirmed; else type into the form what counts."),
    Message("ARB-306", "error", "The reports on {battle} differ in {column}: {list}. Type what counts into the form,"
            " then they count as confirmed."),
)


# Findings about cells that were changed by hand (ARB-110 to 119, 234, 237, 242).
#
# Commands cannot change an open workbook, so the `open` variants first say what to do in the workbook itself.


EDIT_MESSAGES = (
    Message("ARB-110", "error",
            "{column} was changed by hand, from '{old}' to '{new}'. The house rule would be: {now}. Keep it with: "
            "arbitro accept {book} {name} --why REASON - or put it back with: arbitro revert {book} {name}",
            ("open", {"unfit": "{column} was changed by hand, from '{old}' to '{new}', which the rulebook cannot play."
                               " Put it back with: arbitro revert {book} {name}",
                      "unfit yes": "{column} was changed by hand, from '{old}' to '{new}', which the rulebook cannot"
                                   " play. Type the old value back.",
                      "yes": "{column} was changed by hand, from '{old}' to '{new}'. The house rule would be: {now}. "
                             "Type the old value back. To keep the new one instead, save and close the workbook and "
                             "write: "
                             "arbitro accept {book} {name} --why REASON",
                      "listed": "{column} was changed by hand, from '{old}' to '{new}'. The house rule would be: {now}."
                                " To keep it, give the reason on the sheet {listed}; to put it back, write '{back}'"
                                " there. Then click Decide."})),
    Message("ARB-242", "error",
            "{column} was emptied by hand; '{old}' stood there. Keep it so with: "
            "arbitro accept {book} {name} --why REASON - or put it back with: arbitro revert {book} {name}",
            ("open", {"yes": "{column} was emptied by hand; '{old}' stood there. Type it in again. To keep it so "
                             "instead, save and close the workbook and write: "
                             "arbitro accept {book} {name} --why REASON",
                      "listed": "{column} was emptied by hand; '{old}' stood there. To keep it so, give the reason on"
                                " the sheet {listed}; to put it back, write '{back}' there. Then click Decide."})),
    Message("ARB-111", "error",
            "The row {row} was added by hand. Keep it with: arbitro accept {book} {name} --why REASON - or take it "
            "out with: arbitro revert {book} {name}",
            ("open", {"yes": "The row {row} was added by hand. Delete it. To keep it instead, save and close the "
                             "workbook and write: arbitro accept {book} {name} --why REASON",
                      "listed": "The row {row} was added by hand. To keep it, give the reason on the sheet {listed}; to"
                                " take it out, write '{back}' there. Then click Decide."})),
    Message("ARB-112", "error",
            "The row {row} was deleted by hand. Let it be gone with: arbitro accept {book} {name} --why REASON - or "
            "bring it back with: arbitro revert {book} {name}",
            ("open", {"yes": "The row {row} was deleted by hand. Save and close the workbook, and bring it back with: "
                             "arbitro revert {book} {name} - or let it be gone with: "
                             "arbitro accept {book} {name} --why REASON",
                      "listed": "The row {row} was deleted by hand. To let it be gone, give the reason on the sheet"
                                " {listed}; to bring it back, write '{back}' there. Then click Decide."})),
    Message("ARB-113", "error",
            "{column} names the row and was changed by hand, from '{old}' to '{new}'. Keep it with: "
            "arbitro accept {book} {name} --why REASON - or put it back with: arbitro revert {book} {name}",
            ("open", {"yes": "{column} names the row and was changed by hand, from '{old}' to '{new}'. Type the old "
                             "name back. To keep the new one instead, save and close the workbook and write: "
                             "arbitro accept {book} {name} --why REASON",
                      "listed": "{column} names the row and was changed by hand, from '{old}' to '{new}'. To keep it,"
                                " give the reason on the sheet {listed}; to put it back, write '{back}' there. Then"
                                " click Decide."})),
    Message("ARB-114", "warning",
            "The ledger does not know what stood in the cells before, so nobody can tell what was changed by hand. "
            "It will know from the next change on that Arbitro makes."),
    Message("ARB-115", "error",
            "'{cell}' is not among what was changed by hand. Changed are: {list}."),
    Message("ARB-116", "error",
            "A change by hand is kept for a reason that all whom it concerns will read. "
            "Write it in quotation marks behind --why."),
    Message("ARB-117", "error",
            "{column}: what is there cannot be read ('{new}'), so it cannot be kept. Type a value first, or put "
            "'{old}' back with: arbitro revert {book} {name}",
            ("open", {"yes": "{column}: what is there cannot be read ('{new}'), so it cannot be kept. Type a value"
                             " first.",
                      "listed": "{column}: what is there cannot be read ('{new}'), so it cannot be kept. Type a"
                                " value first, or write '{back}' on the sheet {listed}. Then click Decide."})),
    Message("ARB-234", "error",
            "Nothing was kept: with these changes no phase could be resolved, for the reason that is named. Put it"
            " right in the workbook and accept again, accept together what belongs together, or put it back with:"
            " arbitro revert {book} CELL"),
    Message("ARB-237", "info",
            "No phase has been resolved yet. If this is the set-up of the campaign, keep all of it at once with:"
            " arbitro accept {book} --all --why \"set-up\"",
            ("open", {"yes": "No phase has been resolved yet. If this is the set-up of the campaign, save and close"
                             " the workbook and keep all of it at once with:"
                             " arbitro accept {book} --all --why \"set-up\"",
                      "listed": "No phase has been resolved yet. If this is the set-up of the campaign, write set-up"
                                " beside all of it on the sheet {listed}, and click Decide."})),
    Message("ARB-118", "error", "Name the cells, as arbitro check {book} shows them, or write --all."),
    Message("ARB-119", "warning", "Nothing in {book} was changed by hand since Arbitro last wrote it."),
)
"""The messages, in the order in which the page of findings sorts them."""


# Findings about silent clubs (ARB-430 to 434), and the event that tells a club what was done for it.


ABSENCE_MESSAGES = (
    Message("ARB-430", "error", "Of these clubs nothing has come, and they have time until {until}: {list}. The phase"
            " was not resolved. Wait for them, or go on without: the same command with --yes."),
    Message("ARB-431", "error", "{n} of {of} {of?club|clubs} {n?is|are} silent that {n?was|were} heard before, more"
                                " than the Desk allows ({share} %): {list}. The phase was not resolved. Look whether"
                                " their mails have arrived; to go on without: the same command with --yes."),
    Message("ARB-432", "warning", "'{seen}' is not a time zone that this computer knows, so no deadline counts. "
                                  "Write one such as Europe/Rome."),
    Message("ARB-433", "warning", "'{seen}' cannot be read as holidays, so they do not count. Write days such as"
            " 2026-12-24..2027-01-06, several with commas between."),
    Message("ARB-434", "error", "'{text}' was not understood as a standing order. Write the order as usual, with 'until"
            " changed' at its end."),
)


def absence_event_type(code: str) -> EventType:
    """The type of the event that tells a club what was done because it sent nothing. `code`: the event's type."""
    return EventType(
        code, N_("Nothing came from {faction:the}. It was due by {due}."), "rulings", 1, "Arbitro", ("step why", {
            "standing silent": N_("No orders came from {faction:the}, so the standing orders count: {list}. They were"
                                  " due by {due}."),
            "standing holiday": N_("{faction:the} {faction?is|are} on holiday, so the standing orders count: {list}."),
            "robot silent": N_("Nothing came from {faction:the}, so the assistant plays in this phase. It was due by"
                               " {due}."),
            "robot holiday": N_("{faction:the} {faction?is|are} on holiday, so the assistant plays in this phase."),
            "nothing silent": N_("Nothing came from {faction:the}: there are no orders, and questions take the answer"
                                 " that counts without one. It was due by {due}."),
            "nothing holiday": N_("{faction:the} {faction?is|are} on holiday: there are no orders, and questions take"
                                  " the answer that counts without one."),
        }), to="faction")


# Findings about a ledger that cannot be used or does not match its workbook.


_UNKNOWN = "'{text}' does not count: '{word}' was not understood. Did you mean: {list}?"
_KNOWN = "'{text}' does not count: '{word}' is known, but {verb} has no use for it here. Did you mean: {list}?"
_NUMBER = "'{text}' does not count: {verb} has no use for the number '{word}' here. Did you mean: {list}?"
_DIRECTION = ("'{text}' does not count: directions and distances are not understood; name the places. Did you mean:"
              " {list}?")
_ONE = (" Of your line this would be left out: {left}. If you mean that, it is enough to answer: {yes}. If you mean"
        " that, send the line again as '{again}'. What is left out is a line of its own: {more}")
_SEVERAL = (" Of your line this would be left out: {left}. Send the one that you mean, or several, each on a line of"
            " its own.")
"""What is said of a line that may mean one thing or several, but for one of its words."""


LEDGER_MESSAGES = (
    Message("ARB-070", "error",
            "The ledger {ledger} is missing beside {book}. {near} beside it is of this campaign: call it {ledger}"
            " again. Put it back: it holds the dice secret and every snapshot. If it is lost, take the newest whole one"
            " that lies among the backups: arbitro ledger {book} --rescue. Only if that fails start a new one:"
            " arbitro ledger {book} --renew"),
    Message("ARB-071", "error",
            "The ledger {ledger} is damaged. Take the newest whole one that lies among the backups:"
            " arbitro ledger {book} --rescue. Only if that fails start a new one, which ends the dice that were"
            " promised: arbitro ledger {book} --renew"),
    Message("ARB-072", "error",
            "The ledger {ledger} is of the campaign {theirs}, and {book} says that it is of {ours}. If somebody typed"
            " over the campaign's id, type {theirs} into {cell} again; else put the right ledger beside the"
            " workbook."),
    Message("ARB-380", "error",
            "The ledger {ledger} is held by another program or is just being synchronised, and was waited for in vain."
            " It is not damaged, and nothing was changed. Close what else uses it, or wait a while, and run the command"
            " again."),
    Message("ARB-381", "error",
            "The ledger {ledger} may not be read or written here: it or its folder is read-only, or belongs to somebody"
            " else. It is not damaged, and nothing was changed. Give yourself the right to write both, and run the"
            " command again."),
    Message("ARB-382", "error",
            "The snapshot of change {number} is not in the ledger {ledger}: it was damaged and could not be rescued."
            " What came after it can still be brought back: arbitro history {book}"),
    Message("ARB-383", "warning", "Nobody can tell what was changed by hand: {why}"),
    Message("ARB-073", "error", "The ledger {ledger} was written by a newer Arbitro. Update Arbitro."),
    Message("ARB-389", "error",
            "The ledger {ledger} has format {number}, which no Arbitro reads any more. Start a new one:"
            " arbitro ledger {book} --renew"),
    Message("ARB-074", "error",
            "The ledger {ledger} cannot be written. Close what else may be using it and try again; "
            "else see that its folder is not read-only and the disk not full."),
    Message("ARB-386", "error",
            "{when} cannot be corrected: what was done after it is not in the ledger, which was put back or belonged to"
            " another history. Correct only what came after that."),
    Message("ARB-387", "error", "Unproved: {text} That accuses nobody; it only says that no ledger holds it."),
    Message("ARB-396", "warning",
            "What was done since {when} is in no ledger. {n} {n?value|values} changed since then, and nobody can prove"
            " whether by Arbitro or by hand: {list}. Look {n?it|them} through. Type over what is wrong, and keep it:"
            " arbitro accept {book} --all --why REASON"),
    Message("ARB-397", "warning",
            "What was done until {when} is in no ledger: nobody can prove of any value of that time whether Arbitro or"
            " a hand changed it. Look the values through. Type over what is wrong, and keep it:"
            " arbitro accept {book} --all --why REASON"),
    Message("ARB-388", "error",
            "The workbook {book} and the ledger {ledger} tell two histories that part at {point}: from there the"
            " workbook has {ours}; the ledger has {theirs}, last changed by {who}. Nothing was changed. Somebody has"
            " played on at another computer, or a cloud folder has put another file here. If you have the file that"
            " belongs here, put it back. Else choose; the other history is kept as a file. To go on with the workbook:"
            " arbitro ledger {book} --keep workbook. To go on with the ledger: arbitro ledger {book} --keep ledger"),
    Message("ARB-230", "error",
            "The ledger {ledger} is older than {book}: it knows the campaign as far as {then}, and the workbook stands"
            " at {now}. Nothing was changed. Was one of them put back from a backup, or by a cloud folder? Then put the"
            " newer ledger back in its place: what Arbitro did in between does not count as typed by hand. If that"
            " ledger is lost, let the older one take the workbook as it is: arbitro ledger {book} --rescue. If"
            " nothing was put back, somebody has typed over the Desk: go on from a backup of the workbook instead."),
    Message("ARB-243", "error",
            "The ledger {ledger} is older than {book}: both stand at {now}, but what was ruled, corrected or begun"
            " there since is not in the ledger. Nothing was changed. Was one of them put back from a backup, or by a"
            " cloud folder? Then put the newer ledger back in its place. If it is lost, let the older one take the"
            " workbook as it is: arbitro ledger {book} --rescue. If nothing was put back, somebody has typed what"
            " only Arbitro writes: go on from a backup of the workbook instead."),
    Message("ARB-231", "info",
            "The ledger that fits {book} lies beside it: {copy}. Move {ledger} to another folder and give this one its"
            " name."),
    Message("ARB-232", "info",
            "A backup holds the workbook as the older ledger knows it: {copy}. Only to go back there, and to play again"
            " what came after it: keep {book} in another folder and put a copy of that backup in its place, under its"
            " name."),
    Message("ARB-233", "error",
            "The workbook {book} is older than its ledger {ledger}: the workbook stands at {now}, the ledger knows the"
            " campaign as far as {then}. Nothing was changed. Was one of them put back from a backup, or by a cloud"
            " folder? Then put the newer workbook back in its place. To go on from {now} instead, as after an undo:"
            " arbitro undo {book} {way}",
            ("keep", {"yes": "The workbook {book} is older than its ledger {ledger}: the workbook stands at {now}, the"
                             " ledger knows the campaign as far as {then}. Nothing was changed. Was one of them put"
                             " back from a backup, or by a cloud folder? Then put the newer workbook back in its place."
                             " To go on from {now} instead: arbitro ledger {book} --keep workbook"})),
)


# All shared findings by code.
#
# From 001: the file; 010: sheets and headings; 020: cells; 040: the columns of every order; 050: folders of CSV; 060:
# dice; 070: the ledger; 075: files; 081: arguments of commands; 110: changes by hand; 145: saving, contents of files.
# A sentence after the first is left out if one of its parameters is blank.


COMMON: Mapping[str, Message] = keyed(
    # --- the file
    Message("ARB-001", "error",
            "This is not an Excel workbook. Open it in Excel or LibreOffice and save it as .xlsx."),
    Message("ARB-284", "error",
            "The file is damaged: its end is missing, as after a copy or a download that was broken off. Copy it "
            "again, or take the last one from the folder with backups beside it."),
    Message("ARB-002", "error",
            "The workbook is locked with a password. Take the password off in Excel and save it again."),
    Message("ARB-003", "error", "The workbook has the old format .xls. Save it as .xlsx."),
    Message("ARB-004", "error", "No sheet of a campaign is in this workbook. Start one with: arbitro new"
            " - or make a campaign of this workbook with: arbitro adopt"),
    Message("ARB-005", "error",
            "The file holds more than a campaign needs, or is built to be more than it seems, and was not opened. "
            "It would unpack to {size} MB in {parts} {parts?part|parts}. "
            "Copy the sheets into a new workbook."),
    Message("ARB-006", "error",
            "The sheet Desk does not name a rulebook that is installed: '{seen}'. Type one of: {list}."),
    # --- sheets and headings
    Message("ARB-010", "error", "The sheet {sheet} is missing. If it was renamed, give it its name back. If it was"
            " deleted, close the workbook without saving, or go on from the last copy in the folder with backups."),
    Message("ARB-011", "error", "Several sheets could be {sheet}: {seen}. Rename the one that is not."),
    Message("ARB-012", "error",
            "The column {heading} is missing. Write its heading again, anywhere in the row of headings."),
    Message("ARB-013", "error", "The heading {heading} is missing; '{seen}' looks like it. Write {heading} there."),
    Message("ARB-235", "error", "The heading {heading} is missing; '{seen}' stands where it belongs. If that is its"
            " column, write {heading} there again; if not, write {heading} anywhere in the row of headings."),
    Message("ARB-236", "error", "The setting {heading} is missing on the Desk; '{text}' stands where it belongs. Write"
            " {heading} there again, to the left of its value."),
    Message("ARB-014", "error", "The heading '{seen}' is here a second time, after {first}. Rename one of them."),
    Message("ARB-015", "error", "The headings of the sheet {sheet} were not found. Put them back into one row."),
    # --- cells
    Message("ARB-020", "error", "{column}: a formula stands where a value belongs ({seen}). Type the value itself."),
    Message("ARB-021", "error", "{column}: the cell shows the error {seen}. Type the value."),
    Message("ARB-022", "error",
            "{column}: Excel has made a date of it ({seen}). Format the cell as text or number and type it again."),
    Message("ARB-023", "error", "{column}: '{seen}' is not a number. Type one. Allowed: {allowed}."),
    Message("ARB-024", "error", "{column}: {seen} is not a whole number. Type one. Allowed: {allowed}."),
    Message("ARB-283", "error", "{column}: {seen} cannot stand here: it goes in steps of {step}."),
    Message("ARB-262", "error", "{column}: '{seen}' has a mark between the thousands. Type {plain}."),
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
    Message("ARB-034", "error", "{column}: {length} {length?character is too many|characters are too many}, {allowed}"
                                " {allowed?is allowed|are allowed}. Shorten it."),
    *ORDER_ROW_MESSAGES,
    Message("ARB-043", "error", "The Desk says '{seen}', which is not a phase of the rulebook. Write for "
                                "example {near}."),
    Message("ARB-277", "warning", "This row has the edition {seen}, but the Desk says {edition}, and that counts. Write"
            " the edition on the Desk, and delete this row."),
    Message("ARB-276", "error", "{faction:the} {faction?stands|stand} for the places of nobody and "
            "{faction?gives|give} no orders. Write the code of the"
            " club whose order this is, or delete the row."),
    Message("ARB-307", "error", "{faction:the} {faction?is|are} played by the rules and {faction?gives|give} no "
            "orders. Delete the row; if a club plays"
            " it now, write so in the column Role of the sheet Factions."),
    Message("ARB-275", "warning", "'{answer}' was answered when this question said something else, so it does not"
            " count. Read what is asked now, and answer again."),
    # --- folders of CSV
    Message("ARB-044", "error", "The Desk's turn '{seen}' is not a turn of the rulebook. Write back the one it was."),
    Message("ARB-045", "warning",
            "The order is for {when}, which is over: it will not be carried out. Delete the row."),
    Message("ARB-050", "warning", "The column '{seen}' of {file} is not known and was left out."),
    Message("ARB-051", "warning", "The file {file} is not known and was left out. Known: {list}."),
    Message("ARB-052", "error", "{file} cannot be read as CSV. Save it again as CSV, UTF-8."),
    Message("ARB-053", "info", "{n} {n?row is marked off with ; and does not count|rows are marked off with ; and do"
                               " not count}: {list}", ("n", {
        "1": "1 row is marked off with ; and does not count: {list}"})),
    Message("ARB-054", "warning", "{list} are merged cells among the rows of this sheet. Unmerge them (Home, Merge &"
            " Center): a phase that has to write into one of them cannot be saved."),
    Message("ARB-055", "error", "The sheet {sheet} is damaged ({part}), and no phase that changes it can be saved. Open"
            " the workbook in Excel or LibreOffice, save it there, or go back to the last good one with: arbitro undo"),
    Message("ARB-257", "error", "{file} is empty. Save it again with its headings in the first row."),
    Message("ARB-263", "error", "Nothing of {file} was taken: its first row holds none of the headings that are known."
            " Write there: {list}.", ("kind", {
        "orders": "Nothing of {file} was taken: its first row holds none of the headings that are known. For orders"
                  " write faction,text in it, and in each row below a club and one order; or use: {list}."})),
    Message("ARB-265", "error", "{file} is empty. Write one order in each line, and save it again.", ("kind", {
        "remarks": "No line of {file} is an order: each is blank, or a remark that begins with #. Write one order in"
                   " each line, without that mark."})),
    Message("ARB-258", "warning", "The setting '{seen}' of {file} is not known and was left out. Did you mean {near}?"),
    Message("ARB-259", "error", "{file} is not a CSV, whatever its name says: {what}. Open it in the program that it is"
            " for, and save it as CSV, UTF-8."),
    Message("ARB-260", "error", "{file} is missing in the folder, and the other files name what stands there"
            " ('{seen}', for example). Put it beside them."),
    Message("ARB-261", "error", "'{seen}' is under no heading: this row has more cells than there are headings."
            " A text with a comma in it belongs in quotation marks; else write a heading, or empty the cell."),
    # --- dice
    Message("ARB-060", "error",
            "{dice} cannot show '{value}'. Type what the dice showed: one number, or each die joined by +.", ("why", {
                "count": "'{value}' is what {seen} {seen?die shows|dice show}, and {dice} is another number of dice."
                         " Type each die,"
                         " such as {example}.",
                "face": "No die of {dice} shows {face} ('{value}' was typed). Type each die, such as {example}.",
                "each": "Of {dice} each die counts by itself, and '{value}' is one number. Type each die, such as"
                        " {example}."})),
    Message("ARB-280", "error", "{key} is thrown with {dice}, not with {seen}. Write {dice}, or leave the cell blank."),
    Message("ARB-287", "info", "The die {key} was typed for this phase, which has not thrown it. The row stays."),
    Message("ARB-289", "warning", "The rulebook throws {key} for two things. So that they do not share a"
            " die, the later throw is {own}: what the table threw for it is typed under that purpose. The campaign goes"
            " on; tell the author of the rulebook."),
    Message("ARB-049", "error", "This phase throws {key}, and the row that was typed for it cannot be read. Put it"
            " right, or delete the row: then Arbitro throws."),
    Message("ARB-061", "error", "'{seen}' is not a value for {key}. Allowed: {allowed}.", ("code", {
        "option": "'{seen}' is not a value for {key}. Allowed: {allowed}. Anything else needs code:"
                  " arbitro house {ruleset}",
        "die": "'{seen}' is a die, and {key} is a number. Allowed: {allowed}. Another die needs code:"
               " arbitro house {ruleset}"})),
    Message("ARB-062", "warning", "The rulebook has no number or switch '{seen}'. Did you mean {near}?"),
    Message("ARB-064", "error", "The rulebook has no number or switch '{seen}', so this value would do nothing."
            " Did you mean {near}? A rule of your own needs code: arbitro house {ruleset}", ("near", {
                "": "The rulebook has no number or switch '{seen}', so this value would do nothing. A rule of your own"
                    " needs code: arbitro house {ruleset}"})),
    # --- the ledger
    *LEDGER_MESSAGES,
    Message("ARB-075", "error", "There is no file {file}. Check the name and the folder."),
    Message("ARB-076", "error", "{file} is open in another program ({user}). Close it there and try again. "
            "If nobody has it open any more, delete {lock} beside it."),
    Message("ARB-077", "error", "{file} was saved by somebody while Arbitro worked. Nothing was changed. Try again."),
    Message("ARB-078", "error", "{file} cannot be written safely: {reason}. Nothing was changed."),
    Message("ARB-185", "warning", "This cell says “{seen}”, but Arbitro says “{wanted}”. Somebody typed over it, or"
            " names have changed since. It counts for nothing, and is put right with the next change."),
    Message("ARB-186", "warning", "{n} {n?more text on|more texts on} {sheet} {n?is|are} not what Arbitro says there."
                                  " {n?It is|They are} put right with the next change."),
    Message("ARB-160", "error", "{cell} lies inside merged cells, and Arbitro has to write there. Unmerge them"
            " (Home, Merge & Center), save, and run the command again. Nothing was changed."),
    Message("ARB-161", "error", "{cell} lies inside an array formula or a data table, and Arbitro has to write there."
            " Move the formula elsewhere, save, and run the command again. Nothing was changed."),
    Message("ARB-162", "error", "{cell} holds a formula on which other cells depend, and Arbitro has to write "
                                "there. Replace the formulas of that column by values, save, and run the "
                                "command again. Nothing was changed."),
    Message("ARB-163", "error", "{cell} shows dates, and Arbitro has to write a number there. Give the cell the number"
            " format General, save, and run the command again. Nothing was changed."),
    Message("ARB-164", "error", "{cell} is in the way: the table above it has to grow. Move what stands below the"
            " table aside, save, and run the command again. Nothing was changed."),
    Message("ARB-165", "error", "A part of {file} is damaged ({part}), so it is left as it is. Open it in Excel or"
            " LibreOffice, save it under the same name, and try again; or bring the last one back: arbitro undo"
            " {file}, or the folder with backups beside it."),
    Message("ARB-166", "error", "The structure of {file} is protected, so no sheet can be added. Take the protection"
            " away (Review, Protect Workbook), save, and run the command again. Nothing was changed."),
    Message("ARB-167", "error", "The sheet {sheet} is missing, and Arbitro has to write there: put it back first."
            " Nothing was changed."),
    Message("ARB-168", "error", "{sheet}, {row}: {column} has {length} signs, more than a cell can hold."
            " Nothing was changed."),
    Message("ARB-079", "error", "{file} cannot be read or written ({reason}). Look whether its disk, stick or network"
            " folder is there and sound, and try again; else copy the workbook and its ledger to another disk. The"
            " campaign is as it was."),
    Message("ARB-238", "error", "The disk has no room for {file} ({reason}). Nothing was changed: workbook and ledger"
            " are as they were. Free some room there and run the command again."),
    Message("ARB-239", "error", "{file} may not be read or written here ({reason}). Nothing was changed. See that the"
            " file and its folder are not read-only and are yours to write, and run the command again."),
    Message("ARB-080", "error", "{file} is there already, and nothing was changed. Choose another name, or move what is"
            " there to another folder first. To replace it: the same command with --force."),
    # --- what was asked for
    Message("ARB-081", "error", "No rulebook '{ruleset}' is installed. Installed: {list}."),
    Message("ARB-395", "error", "{file} has {n} {n?row|rows}; at most {limit} are taken at once. Look whether it is"
                                " the right "
            "file, and divide it if it is. Nothing was taken."),
    Message("ARB-285", "error",
            "The rulebook {ruleset} (package {package}, {entry}) was written for interface {theirs} of Arbitro; this"
            " one has interface {ours}, so nothing was done with it. What its author has to change is in"
            " 'arbitro help plugins'; until then install an Arbitro that it was written for.",
            ("side", {"later": "The rulebook {ruleset} (package {package}, {entry}) was written for interface {theirs}"
                               " of Arbitro; this one has interface {ours}, so nothing was done with it. Update"
                               " Arbitro."})),
    Message("ARB-286", "error",
            "The rulebook {ruleset} (package {package}, {entry}) cannot be used with this Arbitro: {reason}. If it was"
            " written for an earlier one, what its author has to change is in 'arbitro help plugins'."),
    Message("ARB-082", "error", "There is no scenario '{scenario}'. There are: {list}.",
            ("none", {"yes": "{title} comes without a scenario. Put the campaign into a folder of CSV files, and name"
                             " it with --from FOLDER."})),
    Message("ARB-083", "error", "'{phase}' is not a phase of this rulebook. Did you mean {near}?"),
    Message("ARB-084", "error", "'{faction}' is not a faction of this campaign. There are: {list}."),
    Message("ARB-085", "error", "There is nothing to undo."),
    Message("ARB-086", "error", "There is nothing to redo."),
    Message("ARB-087", "error", "The campaign is over: nothing is left to resolve."),
    Message("ARB-088", "error", "Whose order is '{text}'? Name the faction with --faction, or begin the line with it."),
    Message("ARB-256", "error", "'{seen}' is not a faction of this campaign, and nothing that one has: '{text}' was not"
            " taken. Begin the line with the code of a faction: {list}."),
    Message("ARB-330", "error", "'{text}' was not taken: in a text of {faction:the} only its own orders and answers"
            " count, and no dice. What is the referee's goes into a line by itself."),
    Message("ARB-089", "error", "'{text}' was not understood. Write for example '{example}'.",
            variants=("over fault", {
                "nothing": "'{text}' was not understood. What may be ordered this turn: {list}.",
                "agreed": "'{text}' agrees to what a receipt by mail proposes, as the reply to it. Here send the line"
                          " that was proposed.",
                "yes": "'{text}' is more than there can be in one place: {n} at most. Write for example '{example}'.",
                "word": "'{text}' does not count: '{word}' was not understood. Write for example '{example}'. What may"
                        " be ordered this turn: {list}.",
                "known": "'{text}' does not count: '{word}' is known, but {verb} has no use for it here. Write for"
                         " example '{example}'. What may be ordered this turn: {list}.",
                "direction": "'{text}' does not count: directions and distances are not understood; name the places."
                             " Write for example '{example}'. What may be ordered this turn: {list}.",
                "number": "'{text}' does not count: {verb} has no use for the number '{word}' here. Write for example"
                          " '{example}'. What may be ordered this turn: {list}.",
                "missing": "'{text}' does not count yet. Missing: {column}."
                           " Write for example '{example}'. What may be ordered this turn: {list}."})),
    Message("ARB-331", "error", "'{word}' is the name of several: {list}. Write the code of the one that is meant."),
    Message("ARB-332", "error", "'{word}' is not one of the words that may be used here: {options}. Write one of"
            " them."),
    Message("ARB-333", "error", "'{text}' does not count: it can be read in more than one way. Did you mean: {list}?"
            + _SEVERAL, variants=("n fault", {
                **dict.fromkeys(("1 nothing", "1 missing"),
                                "'{text}' does not count as it stands. Did you mean: {list}?" + _ONE),
                "1 word": _UNKNOWN + _ONE, "word": _UNKNOWN + _SEVERAL, "1 known": _KNOWN + _ONE,
                "known": _KNOWN + _SEVERAL, "1 number": _NUMBER + _ONE, "number": _NUMBER + _SEVERAL,
                "1 direction": _DIRECTION + _ONE, "direction": _DIRECTION + _SEVERAL})),
    Message("ARB-335", "error", "{seen} is more than can stand here: {most} at most. Type the number that is meant."),
    Message("ARB-334", "error", "'{text}' holds several orders. Write one order a row: {list}."),
    Message("ARB-090", "error", "The order is for {when}, which is over. It was not taken."),
    Message("ARB-091", "error", "The number {order} is already that of an order of {faction:the}. Leave the number "
            "blank."),
    Message("ARB-092", "error", "There is no question '{question}'. Did you mean {near}?", ("now", {
        "none": "There is no question '{question}', and none is open now. Answer once a phase has asked.",
        "subject": "'{question}' answers a question that nobody will put. It could be about: {example}.",
        "battle": "There is no question '{question}' now. What becomes of a battle may be said before, in a line"
                  " without the question's name: {example}"})),
    Message("ARB-093", "error", "The question {question} was answered and its phase is over. It was not changed."),
    Message("ARB-094", "error", "The dice secret must be hexadecimal digits, 32 or more."),
    Message("ARB-095", "error",
            "{file} holds no orders, answers, battle results or dice. Give a CSV, a workbook or a text."),
    Message("ARB-096", "error", "The die {key} was thrown already, in {when}. It was not changed."
            " To put right what was thrown use: arbitro correct"),
    Message("ARB-320", "error", "{title} is played without dice: '{text}' was not taken."),
    Message("ARB-097", "error", "The battle {battle} is over. Its result was not changed."),
    Message("ARB-253", "error", "There is no battle '{seen}', and none can get that code. Did you mean {near}?"
            " Codes are written like {example}. To be fought now: {list}."),
    Message("ARB-254", "warning", "The rulebook throws no die '{seen}'. Did you mean {near}? Purposes begin with one "
            "of: {list}."),
    Message("ARB-288", "warning", "The rulebook has no phase '{seen}', so that this row is never read. Did you mean"
            " {near}? Its phases: {list}."),
    Message("ARB-290", "warning", "{when} is over, and '{seen}' was not thrown. The die counts if a correction brings"
            " its throw about (arbitro correct), else never."),
    Message("ARB-255", "warning", "There is no battle '{seen}' yet: its result waits for it."
            " If one of those to be fought now is meant, type its code: {list}."),
    Message("ARB-098", "error", "{book} cannot be read, so what was typed cannot be kept. "
            "Put the findings right, or give up what was typed with: arbitro {verb} {book} --hard"),
    Message("ARB-099", "error", "{file} is of another campaign than {book}. Take orders from its own workbook."),
    Message("ARB-100", "error", "{title} has no phase that ends a campaign early. Play it to its end."),
    Message("ARB-101", "error", "{folder} holds no campaign. Put at least factions.csv into it."),
    Message("ARB-102", "error", "{file} is not a name for a workbook. Let it end in .xlsx."),
    Message("ARB-103", "error", "{phase} of {turn} is over. For the next one write --until {next}"),
    Message("ARB-104", "error", "'{asked}' cannot be undone; {n} {n?step|steps} can. See them with: arbitro "
                                "undo --list"),
    Message("ARB-105", "error", "What a battle may come to is not reckoned in {title}. What the orders lead to, as far"
            " as it can be known before, is shown by: arbitro check {file}"),
    Message("ARB-345", "error",
            "Reports that tell what happened since {when} were sent to: {who}. They would be void, and cannot be called"
            " back. Nothing was changed. To do it all the same: the same command with --yes.",
            ("way open", {
                "mail yes": "Reports that tell what happened since {when} were sent to: {who}. They would be void, and"
                            " cannot be called back. Nothing was changed. To do it all the same, save and close the"
                            " workbook and write: arbitro {verb} {book} --yes",
                "hand": "Reports that tell what happened since {when} were written, to be sent by hand, for: {who}."
                        " Those"
                        " that were sent would be void. Nothing was changed. To do it all the same: the same command"
                        " with --yes.",
                "hand yes": "Reports that tell what happened since {when} were written, to be sent by hand, for: {who}."
                            " Those that were sent would be void. Nothing was changed. To do it all the same, save and"
                            " close the workbook and write: arbitro {verb} {book} --yes"})),
    # --- what was changed by hand
    *EDIT_MESSAGES,
    # --- correcting the past, and verifying it
    Message("ARB-241", "warning",
            "If reports were written since, they tell the secrets of the dice of {turns}, and the same phases will"
            " throw the same dice again: a club that has such a report can foretell them. If one has left the house,"
            " take no other orders for what is played again. To put a mistake right, take this back (arbitro redo"
            " {book}) and use arbitro correct, which keeps all other orders; for dice that nobody knows, throw them at"
            " the table, or start new secrets: arbitro ledger {book} --renew"),
    Message("ARB-120", "error", "'{at}' is not a phase that was resolved. Did you mean {near}?"),
    Message("ARB-121", "error", "There is no order '{order}'. Did you mean {near}?"),
    Message("ARB-122", "error",
            "{row} is of a phase that is not over, or that the ledger does not know. "
            "For a phase that is to come use: arbitro orders"),
    Message("ARB-123", "error", "No phase was resolved yet in {book}. Type what is to be different into the workbook."),
    Message("ARB-124", "error", "'{key}' is not a die that was typed. Did you mean {near}?"),
    Message("ARB-282", "warning", "In words this order says '{text}', its columns say something else, and the columns"
            " count. Empty what is not meant."),
    Message("ARB-281", "error", "No phase has thrown '{seen}', so there is nothing to correct. Did you mean {near}?"),
    Message("ARB-125", "error",
            "The workbook says all of this already: nothing would be different. Name the row that is to change, "
            "for example with --order."),
    Message("ARB-126", "error",
            "{column}: '{found}' stands here, but {when} made it '{expected}', and no ruling changed it since. To go "
            "back before that phase and resolve it again: arbitro undo {book} --to {phase_id}"),
    Message("ARB-127", "error",
            "The row {row} was here after {when} and is missing. To go back before that phase and resolve it again: "
            "arbitro undo {book} --to {phase_id}"),
    Message("ARB-128", "error",
            "The row {row} stands here after {when}, and no order, answer, die or ruling explains it. Delete it, or "
            "go back before that phase with: arbitro undo {book} --to {phase_id}"),
    Message("ARB-129", "error",
            "{when} cannot be resolved again from what the ledger keeps of it. To go back before it: "
            "arbitro undo {book} --to {phase_id}"),
    Message("ARB-130", "error",
            "The secret of turn {turn} is not the one that was promised to the clubs. "
            "Put back the ledger's last good copy."),
    Message("ARB-131", "warning",
            "The ledger was started anew: only what was resolved since can be verified."),
    Message("ARB-132", "info",
            "{when} was resolved by {by}. Today's Arbitro cites something else for what happened then, or tells more"
            " of it; nothing else differs.",
            ("many", {"yes": "{n} phases, {when} the first of them, were resolved by {by}. Today's Arbitro cites"
                             " something else for what happened then, or tells more of it; nothing else differs."}),
            means={"by": "text"}),
    Message("ARB-133", "warning",
            "{when} was resolved by {by}, and today's Arbitro resolves it otherwise: {what}. Nobody changed it by hand:"
            " it stands as it was written then. Only that version can verify it.",
            ("many", {"yes": "{n} phases, {when} the first of them, were resolved by {by}, and today's Arbitro resolves"
                             " them otherwise: {what}. Nobody changed that by hand: it stands as it was written then."
                             " Only that version can verify them."}),
            means={"by": "text"}),
    Message("ARB-134", "warning",
            "{when} was resolved by {by}, and today's Arbitro resolves it otherwise: {what}. The ledger does not know"
            " what was written then, so that it cannot be told from a change by hand. Only that version can verify it.",
            ("many", {"yes": "{n} phases, {when} the first of them, were resolved by {by}, and today's Arbitro resolves"
                             " them otherwise: {what}. The ledger does not know what was written then, so that it"
                             " cannot be told from a change by hand. Only that version can verify them."}),
            means={"by": "text"}),
    # --- saving, and who else has the file
    # --- judged before a phase is resolved
    *ANSWER_MESSAGES,
    Message("ARB-145", "error",
            "{file} could not be replaced: another program holds it. Nothing was changed, the step does not count. "
            "What it would hold lies beside it as {copy}. Close {file} in Excel, or wait for the cloud folder, "
            "and run the command again; then delete the copy."),
    Message("ARB-146", "error",
            "{file} is being changed with Arbitro at this moment, by {user} on the computer {machine}. "
            "Nothing was changed here. "
            "There it runs: arbitro {doing}. Wait until it has ended and try again. "
            "If that computer has stopped, delete {claim} beside the workbook."),
    Message("ARB-147", "warning",
            "{book} has a second copy beside it, '{copy}', as cloud folders make them when two computers save at "
            "once. It stands at: {when}. Its orders that {book} lacks: {n}. See what it holds that {book} lacks and "
            "type that in, or take its orders with: arbitro orders {book} {copy} - then move the copy to another "
            "folder."),
    Message("ARB-394", "warning",
            "Another program saved {book} at the very moment when Arbitro wrote it. What it saved lies beside it as "
            "'{copy}', and {book} is what Arbitro wrote. '{copy}' stands at: {when}. Its orders that {book} lacks: {n}."
            " See what it holds that {book} lacks and type that in, or take its orders with: arbitro orders {book} "
            "{copy} - then move it to another folder."),
    Message("ARB-385", "warning",
            "{ledger} has a second copy beside it, '{copy}', as cloud folders make them when two computers save at "
            "once. Its last change: {when}. Its changes that {ledger} lacks: {n}. Arbitro uses {ledger} alone. Where "
            "both computers have resolved, agree on one history; then move the copy to another folder."),
    # --- what a file is and what it brings
    Message("ARB-148", "error",
            "{file} was written by a newer Arbitro (format {seen}; this one knows {known}). "
            "Update it: get the newer one and install it in the way in which this one was installed."),
    Message("ARB-150", "error",
            "Whatever its name says, this file is of the kind {kind}. Open it in Excel or LibreOffice and save it "
            "as .xlsx."),
    Message("ARB-151", "error",
            "The part {part} of the file declares entities, which no spreadsheet program does. It was not opened. "
            "Ask who made it; copy its cells into a new workbook only if you trust it."),
    Message("ARB-152", "error",
            "The part '{part}' has a name that leads out of the file. It was not opened. Do not unpack it; ask who "
            "made it."),
    Message("ARB-153", "error",
            "The file holds the part {part} twice, so that two programs may see different things in it. It was not "
            "opened. Open it in Excel, look through it, and save it under another name."),
    Message("ARB-154", "warning",
            "{column}: the cell holds signs that cannot be seen or that turn the text around. It was read as "
            "'{seen}'. Type it again."),
    Message("ARB-155", "error",
            "{file} brings macros. They were not run, and nothing was taken from it. Do not allow macros when you open "
            "it; ask for the orders in a workbook without macros (.xlsx)."),
    Message("ARB-156", "error",
            "{file} fetches something from other files or from the network when it is opened in Excel. Nothing was "
            "fetched, and nothing was taken from it. Ask for the orders in a workbook without such links."),
    Message("ARB-157", "error",
            "{file} holds objects of other programs. They were left alone, and nothing was taken from it. Ask for the "
            "orders in a workbook without them."),
    Message("ARB-158", "error",
            "{file} would start a program on the computer on which it is opened (a DDE link). Nothing was taken "
            "from it. Do not open it in Excel; ask for the orders in another form."),
    Message("ARB-224", "warning",
            "{file} carries a digital signature, which no change by Arbitro can keep valid: Excel will say so. Take the"
            " signature away in Excel (File, Info, View Signatures), or sign the workbook again after the last phase."),
    *BUTTON_MESSAGES,
    Message("ARB-159", "warning",
            "Line {n} holds signs that cannot be seen or that turn the text around. It was read as '{seen}'."),
    *ADOPT_MESSAGES,
    *AUTHOR_MESSAGES, *COPY_MESSAGES, *MAIL_MESSAGES, *ABSENCE_MESSAGES, *BACKGROUNDS, *PICTURE_MESSAGES,
    *CHRONICLE_MESSAGES, *LABORATORY_MESSAGES,
)
"""The messages by code."""

RENEWED = "ledger.renewed"
UNPROVED = "ledger.unproved"
RULING = "ruling.accepted"
CORRECTED = "ruling.corrected"
ABSENT = "absence.told"
CHRONICLE = "chronicle.told"
VOID = "reports.void"

COMMON_EVENTS: Mapping[str, EventType] = {
    ABSENT: absence_event_type(ABSENT),
    CHRONICLE: EventType(CHRONICLE, N_("{text}"), "news", 5, "Arbitro", to=ALL),
    RENEWED: EventType(RENEWED, N_("A new ledger was started; the dice secrets are new."), "rulings", 2, "Arbitro",
                       to=ALL),
    UNPROVED: EventType(
        UNPROVED, N_("The ledger was damaged or belonged to another history. What was done from {turn}, {phase}, to"
                     " {last_turn}, {last_phase}, cannot be proved any more."), "rulings", 1, "Arbitro", ("span", {
                         "one": N_("The ledger was damaged or belonged to another history. What was done in {turn},"
                                   " {phase}, cannot be proved any more."),
                     }), to=ALL),
    RULING: EventType(
        RULING, N_("The referee has ruled: {sheet}, {row}, {field}: {new} instead of {old}. Reason: {why}"),
        "rulings", 1, "Arbitro", ("how", {
            "rule": N_("House rule from now on: {now}. Until now: {before}. Reason: {why}"),
            "book": N_("The house rule is given up, and the book holds again. The house rule was: {was}."
                       " Reason: {why}"),
            "filled": N_("The referee has ruled: {sheet}, {row}, {field}: {new}, where nothing stood. Reason: {why}"),
            "emptied": N_("The referee has ruled: {sheet}, {row}, {field}: nothing instead of {old}. Reason: {why}"),
            "added": N_("The referee has ruled: {sheet}: {row} is added. Reason: {why}"),
            "gone": N_("The referee has ruled: {sheet}: {row} is taken out. Reason: {why}"),
            "renamed": N_("The referee has ruled: {sheet}: {old} is called {new} from now on. Reason: {why}"),
        }), to=EACH_TIME),
    CORRECTED: EventType(
        CORRECTED, N_("Corrected in {turn}, {phase}: {sheet} {row}: {new} instead of {old}. Reason: {why}"),
        "rulings", 1, "Arbitro", ("how", {
            "added": N_("Added in {turn}, {phase}: {sheet} {row}: {new}. Reason: {why}"),
            "withdrawn": N_("Taken out in {turn}, {phase}: {sheet} {row}: {old}. Reason: {why}"),
            "untyped": N_("Thrown again in {turn}, {phase}, by the assistant: {row}, instead of {old} from the table."
                          " Reason: {why}"),
        }), to=EACH_TIME),
    VOID: EventType(
        VOID, N_("The reports from {turn}, {phase}, to {last_turn}, {last_phase}, are void: a correction changed what"
                 " they tell. This one holds what counts now."), "rulings", 0, "Arbitro", ("span", {
                     "one": N_("The report of {turn}, {phase}, is void: a correction changed what it tells."
                               " This one holds what counts now."),
                     "gazette": N_("The public gazette of {turn}, {phase}, is void: a correction changed what it"
                                   " tells."),
                     "gazettes": N_("The public gazettes from {turn}, {phase}, to {last_turn}, {last_phase}, are void:"
                                    " a correction changed what they tell."),
                 }), to=ALL),
}
"""The events that the desk itself records, whatever the ruleset, by type."""


def add_common_event(campaign: Campaign, kind: str, data: Mapping[str, Any], to: str = "", *, touched: str = "",
                     at: Desk | None = None) -> Event:
    """Record an event that the desk itself tells. `to`: who hears it, if its type leaves that open or others do; `at`:
    the turn and phase, by default the present ones.
    """
    events, desk, declared = campaign.table(Event), at or campaign.desk, COMMON_EVENTS[kind]
    return events.add(events.record(no=next_number(events), turn=desk.turn, phase=desk.phase,
                                    audience=to or str(declared.to), event=kind, rule=declared.rule, data=dict(data),
                                    touched=touched))
