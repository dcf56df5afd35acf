"""The findings about a workbook that a club already uses, which `arbitro adopt` takes on; part of `messages.COMMON`."""

from __future__ import annotations

from assistant.turn.findings import Message

ADOPTING: tuple[Message, ...] = (
    Message("ARB-149", "error",
            "The workbook has an early form of the format, which programs no longer write, so no sheet can be added. "
            "Save it in Excel as 'Excel workbook (.xlsx)'."),
    Message("ARB-169", "error", "The workbook has something called {seen} already, which Arbitro needs. Rename yours"
            " (sheets: double-click the tab; names: Formulas, Name Manager), save, and run the command again."
            " Nothing was changed."),
    Message("ARB-170", "error", "{file} is a campaign already: {title}. Go on with: arbitro status {file}"),
    Message("ARB-171", "error", "'{seen}' is no table of this rulebook. Did you mean {near}? Choose from: {list}. Leave"
            " the cell blank if the club's table is none of them."),
    Message("ARB-172", "error", "'{seen}' is no column of {sheet}. Did you mean {near}? Choose from the list of the"
            " cell, or leave it blank."),
    Message("ARB-173", "error", "{seen} was chosen already, in {first}. Clear one of the two cells."),
    Message("ARB-174", "error", "No column of '{seen}' was chosen to be the {heading}, which the table needs. Choose"
            " one, or clear this cell to leave the whole table alone. If the club has no such column, add one to its"
            " table, delete this sheet, and run the command again."),
    Message("ARB-175", "error", "There are no headings of '{seen}' at {where} any more. Write where they stand now"
            " (such as A4:H16), or delete this sheet and run the command again for a new proposal."),
    Message("ARB-176", "error", "{column}: a formula of the club's stands here ({seen}), and Arbitro would have to"
            " write its own values. Replace it by its value (copy, paste as values); or clear the column's cell on the"
            " sheet {adoption}, and Arbitro adds a column of its own."),
    Message("ARB-177", "error", "{file} has no table that could be part of a campaign: headings in one row, rows"
            " beneath. Start a new workbook with: arbitro new"),
    Message("ARB-178", "error", "'{seen}' was chosen for a column, but not which table it belongs to. Choose the"
            " table in the line above, or clear this cell."),
    Message("ARB-179", "error", "The workbook has no table of places ({sheet}). Take what is missing from a scenario:"
            " --scenario with one of: {list}; or begin without them: --scenario nothing"),
    Message("ARB-180", "warning", "Something stands here, right below a table that may grow in play. Leave at least ten"
            " blank rows between them, or Arbitro will have to stop there."),
    Message("ARB-181", "warning", "Arbitro's columns for '{seen}' begin here, apart from the table, because the cells"
            " beside it are not free. Sort the table only together with them."),
    Message("ARB-182", "error", "{file} is no list of tables and columns. Let it be a CSV with the headings sheet,"
            " heading, table, column."),
    Message("ARB-183", "warning", "The workbook has a sheet '{seen}' of its own already, so Arbitro's is called"
            " '{called}'."),
    Message("ARB-264", "error", "{file} carries a digital signature, which no sheet can be added under. Take the"
            " signature away in Excel (File, Info, View Signatures), save, run the command again, and sign the workbook"
            " anew if you wish. Nothing was changed."),
    Message("ARB-187", "warning", "The scenario's rows of {sheet} that name what the workbook does not have were left"
            " out: {n} ({seen}). Type there what the campaign needs. To begin without a scenario: undo, then adopt with"
            " --scenario nothing."),
    Message("ARB-188", "warning", "On {sheet}, the scenario's {column} names what the workbook does not have, so it was"
            " left blank: {n} ({seen}). Type there what the campaign needs. To begin without a scenario: undo, then"
            " adopt with --scenario nothing."),
    Message("ARB-189", "error", "What the scenario '{text}' adds does not fit the club's workbook. Put right what is"
            " the club's own, or leave the scenario out: --scenario nothing. Nothing was changed."),
    Message("ARB-190", "warning", "On {sheet}, the scenario's {column} names factions that the workbook does not have,"
            " so the neutrals stand there ({new}): {n} ({seen}). Type there whose they are. To begin without a"
            " scenario: undo, then adopt with --scenario nothing."),
)
