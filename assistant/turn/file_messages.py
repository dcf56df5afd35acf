"""The findings about workbooks, buttons, mails, pictures and plug-ins; `messages` collects them."""

from __future__ import annotations

from assistant.turn.findings import Message

# Findings for the author of a ruleset (`arbitro rulesets --check ID`), in English only.


AUTHOR_MESSAGES = (
    Message("ARB-321", "error", "{what} is wrong in this ruleset.", ("kind", {
        "id": "The ruleset calls itself '{what}', its entry point '{name}'. Give both the same name.",
        "sheet": "The sheet {what} is missing among `records`. Add it: every campaign needs it.",
        "code": "The code {what} begins as those of the house. Give findings a prefix of the ruleset's own.",
        "see": "{what}. Say it with `see` at the column, or with `whose` of the record.",
        "calendar": "No phase is declared. List the phases in `calendar`.",
        "verb": "'{what}' may be given for '{name}', which no phase takes. Write the word of a phase's `orders` or "
                "`takes`.",
        "column": "'{what}' takes the column {name}, which the record of Orders has not. Add the column there.",
        "question": "The phase {what} waits for '{name}', which is not a kind of question. Declare it in `questions`.",
        "judged": "The phase {what} takes orders, and no step of it says that *check* runs it, so that nobody learns "
                  "beforehand what is wrong. Mark the step that takes them: \"together\", or \"alone\".",
        "end": "Nothing says when a campaign ends. Give the ruleset `last_turn`.",
        "noise": "{what}: {name} is no throw of dice: a phase that is played again may differ, or what it decides can "
                 "be neither typed nor verified. Throw dice with `roll`, and name turns by the campaign's own.",
        "import": "{what}: {name} is not for rulesets. What they may use is listed by: arbitro help plugins",
        "chapter": "{what}: the chapter '{name}' does not say where it is printed. Give it a citation.",
        "event": "{what}: the event '{name}' is told and not declared. Declare it in `events`.",
        "unheard": "{what}: the event '{name}' does not say who hears it. Say it with `to`: ALL, REFEREE, or parameters"
                   " of its own.",
        "hearers": "{what}: the event '{name}' is told, and nobody says who hears it. Name them behind the event.",
        "parameter": "{what}: the event '{name}' goes to whom its '{brace}' names, and is told without it.",
        "finding": "{what}: the finding '{name}' is given and not declared. Declare it in `findings`.",
        "literal": "{what}: `both` is not given a plain text in English and one in Italian. Write them there.",
        "translations": "{what}: '{text}' has another Italian there than in {name}. Make them the same.",
        "fields": "{what}: in English and in Italian '{text}' has different fields ({name}). Make them the same.",
        "form": "{what}: '{text}' asks for a form that there is not: {name}.",
        "late": "{what}: '{text}' is declared only when the function runs. Declare it outside of the function.",
        "unfilled": "{what}: nothing fills the field {name} of '{text}'. Hand it over, or leave it out.",
        "role": "The verbs refuse what is `{what}` ({where}) with the finding {name}, which is not declared. Declare it"
                " in `findings`, or name another code in `says`.",
        "brace": "The finding {name}, with which the verbs refuse what is `{what}` ({where}), has the brace '{brace}',"
                 " which nothing fills. Hand it on in `says`: role(\"{name}\", {brace}=...), one of: {words}.",
        "scenario": "No campaign can be begun with the scenario {what}: {name}",
        "cost": "{what}: '{verb}' costs `{name}`, which is not a number of the rulebook. Declare it among the numbers.",
        "times": "{what}: '{verb}' costs something for each {name}, which is not a column of it. Give it that column.",
        "purse": "{what}: '{verb}' costs something, and nothing pays for it. Give the verbs a `purse`.",
        "like": "{what}: '{name}', the example of the column {brace}, is not a number. Write one there, or leave "
                "`like` out.",
        "time": "The phases {what} share the word '{name}' and take different verbs, so that `wrong_time` refuses the "
                "orders for the later ones. Leave that role out of `says`.",
        "accounts": "{what}: the sheet Accounts has no {name}, so that no booking is shown. Add what is missing.",
        "words": "{what}. Correct it there: what people say in sentences cannot be read.",
        "way": "{what}: '{verb}' goes over roads of the kind '{name}', of which the scenario has none. Say with `over` "
               "which it means; over=\"\" is any.",
    })),
    Message("ARB-322", "warning", "{what} is missing in this ruleset.", ("kind", {
        "attribute": "`{what}` is not declared, so nobody knows it who lists the rulebooks.",
        "orders": "The phase {what} takes orders for '{name}', and no verb may be given then.",
        "rule": "{what} cites no rule. Say with it on which chapter it rests.",
        "citation": "{what} cites '{name}', which `citations` do not declare, so that reports show the key.",
        "category": "The event {what} is of the category '{name}', which has no heading. Declare it in `categories`.",
        "scenario": "The ruleset comes without a scenario: put one into the folder scenarios beside its code.",
        "words": "{what}: the form takes {name} in English only. Add the Italian word to its `words`.",
        "verb": "{what}: there are words for '{name}', which is not a verb of this ruleset, so nobody reads them. "
                "Name one of its verbs there: {list}.",
        "sightings": "{what}: `sightings` leaves out the armies of others, which are shown by themselves. Begin with "
                     "what super().sightings(view, faction) gives.",
        "italian": "{what} texts have no Italian, '{text}' the first of them. Declare each with its own: "
                   "both(English, Italian).",
    })),
)
"""ARB-321: faults that break play; ARB-322: gaps that a reader would notice."""


# Findings about a club's own workbook that `arbitro adopt` turns into a campaign.


ADOPT_MESSAGES: tuple[Message, ...] = (
    Message("ARB-149", "error",
            "The workbook has an early form of the format, which programs no longer write, so no sheet can be added. "
            "Save it in Excel as 'Excel workbook (.xlsx)'."),
    Message("ARB-169", "error", "The workbook has something called {seen} already, which Arbitro needs. Rename yours"
            " (sheets: double-click the tab; names: Formulas, Name Manager), save, and run the command again."
            " Nothing was changed."),
    Message("ARB-170", "error", "{file} is a campaign already: {title}. Go on with: arbitro status {file}"),
    Message("ARB-171", "error", "{where}: '{seen}' is not a table of this rulebook. Did you mean {near}? Choose from:"
            " {list}; or - if the club's table is none of them."),
    Message("ARB-172", "error", "{where}: '{seen}' is not a column of {sheet}, and nothing that may stand in this one."
            " Did you mean {near}? Choose from: {list}; or - to leave the column alone."),
    Message("ARB-174", "error", "{where} cannot be read as {sheet}: it needs columns for {list}. Say which they are"
            " (the cell of a heading, a colon, what it is), or - to leave the table alone."),
    Message("ARB-175", "error", "There is no table and no heading at {where}, of which the answers say '{seen}'. Copy"
            " the places from the questions."),
    Message("ARB-176", "error", "{column}: a formula of the club's stands here ({seen}), and Arbitro would have to"
            " write its own values. Replace it by its value (copy, paste as values); or answer - for the column's"
            " heading, and Arbitro adds a column of its own."),
    Message("ARB-177", "error", "{file} has no table that could be part of a campaign: headings in one row, rows"
            " beneath. Start a new workbook with: arbitro new"),
    Message("ARB-178", "error", "{where}: '{seen}' was said of a column, but its table is left alone. Say first what"
            " the table is."),
    Message("ARB-179", "warning", "The workbook does not hold: {list}. Take it from the scenario {near}? (yes; no; the"
            " name of another scenario)"),
    Message("ARB-180", "warning", "Something stands here, right below a table that may grow in play. Leave at least ten"
            " blank rows between them, or Arbitro will have to stop there."),
    Message("ARB-181", "warning", "Arbitro's columns for '{seen}' begin here, apart from the table, because the cells"
            " beside it are not free. Sort the table only together with them."),
    Message("ARB-182", "error", "{file} is not a list of answers ({seen}). Let each line be a place, a colon and the"
            " answer, as the questions show it."),
    Message("ARB-183", "warning", "The workbook has a sheet '{seen}' of its own already, so Arbitro's is called"
            " '{called}'."),
    Message("ARB-264", "error", "{file} is signed, and no sheet can be added to a signed workbook. Take the "
                                "signature away in Excel (File, Info, View Signatures), save, run the command "
                                "again, and sign the workbook anew if you wish. Nothing was changed."),
    Message("ARB-187", "warning", "The scenario's rows of {sheet} that name what the workbook does not have were left"
            " out: {n} ({seen}). Type there what the campaign needs. To begin without a scenario: bring the file back"
            " as it was, adopt it again and answer no."),
    Message("ARB-188", "warning", "On {sheet}, the scenario's {column} names what the workbook does not have, so it was"
            " left blank: {n} ({seen}). Type there what the campaign needs. To begin without a scenario: bring the"
            " file back as it was, adopt it again and answer no."),
    Message("ARB-189", "error", "What the scenario '{text}' adds does not fit the club's workbook. Put right what is"
            " the club's own, or leave the scenario out: --scenario nothing. Nothing was changed."),
    Message("ARB-680", "warning", "{text}, read as {heading} of {sheet}: what is meant by {seen}, in {n} {n?row|rows}?"
            " Choose from: {list}. A dash (-) is blank."),
    Message("ARB-681", "warning", "Is the column {seen} the {heading} of {sheet}? (yes; another of: {list}; - to leave"
            " it alone)"),
    Message("ARB-682", "warning", "For which rulebook is the workbook? Choose from: {list}."),
    Message("ARB-683", "warning", "A place is said to be its own neighbour here. That way was left out; say on the"
            " sheet {sheet} where it leads."),
    Message("ARB-684", "warning", "No way leads to {n} {n?place|places}: {list}. Join {n?it|them} on the sheet"
            " {sheet}."),
    Message("ARB-690", "error", "'{name}' cannot be the name of a package. Choose a word of small letters, digits and"
            " underscores that begins with a letter and means nothing in Python. Nothing was written."),
    Message("ARB-691", "error", "The name '{name}' is taken: a rulebook or a package of Python is called so. Choose"
            " another. Nothing was written. Installed rulebooks: {list}."),
    Message("ARB-692", "error", "There is a folder or file {folder} already. Choose another name, or move it away."
            " Nothing was written."),
    Message("ARB-693", "error", "'{seen}' cannot be the answer to {key}. What can be: {wanted}. Nothing was written."),
    Message("ARB-694", "error", "The campaign is played with house rules of a package that is not installed: {package}."
            " Install it. Nothing was begun."),
    Message("ARB-695", "error", "The campaign is played with the house rules {package}, and installed is {here}."
            " Install those again; or, to go on with these from now on: arbitro house {book} --accept. Nothing was"
            " begun."),
    Message("ARB-696", "error", "{file} is played by a rulebook that stands by itself, not by house rules with code."),
    Message("ARB-190", "warning", "On {sheet}, the scenario's {column} names factions that the workbook does not have,"
            " so the neutrals stand there ({new}): {n} ({seen}). Type there whose they are. To begin without a"
            " scenario: bring the file back as it was, adopt it again and answer no."),
)


# Findings about a scenario's map background (ARB-470).


BACKGROUNDS = (
    Message("ARB-470", "warning", "The background {file} is left out of the map: {why}. Everything else was done."),
)


# Findings about the workbook's buttons and the programs that have it open.


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
            "{file} is not in a folder of this computer, so there is no ledger beside it. Save it into a folder first; "
            "if it lies in OneDrive or SharePoint, open it from the folder that is copied to this computer."),
    Message("ARB-192", "warning",
            "{file} holds the outcome but could not be saved ({reason}). Save it yourself before you close it."),
    Message("ARB-193", "warning",
            "The post is not set up, so no mail was sent. The reports lie ready in {folder}: send each club its own "
            "page. To have them sent: arbitro post setup"),
    Message("ARB-194", "error",
            "{file} is not a workbook that can get buttons: it must end in .xlsx (or .xlsm, to renew its buttons)."),
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


# Findings about clubs' copies that come back.


COPY_MESSAGES = (
    Message("ARB-340", "error", "{file} is a club's copy without a code of this campaign, so nobody can say whose"
            " orders it brings. Ask its club for the file that you sent, or write a new one with: arbitro share"),
    Message("ARB-341", "error", "{file} bears a code of {faction:the} that counts no more: it was renewed. Send the new"
            " copy and ask for the orders again."),
    Message("ARB-342", "error", "{file} is the copy of {faction:the} of {seen}, and the campaign stands in {turn}."
            " Send the present copy: arbitro share"),
    Message("ARB-360", "info", "{file} is the copy of {faction:the} as it was sent: nothing was filled in, and what was"
            " ordered before stands."),
    Message("ARB-361", "info", "{file} says the same as {other}: it counts once."),
    Message("ARB-362", "info", "{file} of {when} does not count for {faction:the}: {other} is newer. If it should count"
            " all the same, take it by itself: arbitro orders {book} {file}",
            ("mail", {"yes": "{file} of {when} does not count for {faction:the}: {other} is newer. If it should count"
                             " all the same, ask for it once more."})),
    Message("ARB-363", "error", "{file} and {other} say different things for {faction:the} and are of one minute"
            " ({when}): neither was taken. Choose on the sheet Inbox which one counts."),
    Message("ARB-364", "warning", "{file}: in {cell} stands '{seen}', where '{was}' was sent. That cell is not for"
            " input, and nothing of it counts. Ask {faction:the} to write in the light yellow cells only."),
    Message("ARB-365", "warning", "{file}: more cells came back changed that are not for input ({n}). Nothing of them"
            " counts."),
    Message("ARB-366", "warning", "{file} counts as far as it is filled in. Ask {faction:the} for the rest: {list}"),
    Message("ARB-367", "info", "{file} is the copy of {faction:the} under another name: its code says so, and it was"
            " read like any other."),
    Message("ARB-368", "info", "{file} is the copy for everybody, in which nothing can be filled in. Ask its club for"
            " the copy of its own."),
    Message("ARB-369", "error", "{file} is a whole workbook of this campaign and no club's copy, so nothing was taken"
            " from it. For the orders of one club: arbitro orders {book} {file} --faction CLUB"),
    Message("ARB-370", "error", "{file} bears several codes ({list}), so nobody can say whose orders it brings. Ask"
            " who sent it, and leave one code in it."),
    Message("ARB-371", "info", "Nothing has come in that could be taken. Put the files that the clubs sent into the"
            " folder, as they came."),
    Message("ARB-372", "error", "Nothing was taken from the mail {file}: {reason}. It says: {list}. Decide about"
            " it on the sheet Inbox."),
    Message("ARB-373", "info", "In the mail {file} of {faction:the} these words are not understood as an order:"
            " {list}"),
    Message("ARB-374", "warning", "{file}: a report did not arrive at {list}: {reason}. Look at the address, and send"
            " it again."),
    Message("ARB-375", "error", "{file} bears the code of another club than its mail, or orders of another club than"
            " {faction:the}: nothing was taken from it. Ask who sent it."),
    Message("ARB-376", "error", "No mailbox is known here, so no mail was read, and nothing was taken. Say which it is:"
            " arbitro post setup"),
    Message("ARB-377", "info", "The mail {file} bears the code of {faction:the} and came from {address}, an"
            " address that is not on the sheet Factions. It counts, and the addresses on that sheet are told of it."),
    Message("ARB-378", "info", "{faction:the} {faction?has|have} no address on the sheet Factions, so no receipt went"
            " there."),
    Message("ARB-379", "error", "{file} is nothing in which orders can be read (a picture, a PDF, a letter), so nothing"
            " of it counts. Wanted is the filled copy as a workbook, or the orders as lines of text."),
    Message("ARB-350", "warning", "Row {row} of the sheet Inbox ({faction}) waits for your decision: '{text}'. Choose"
            " in its column Decide."),
    Message("ARB-351", "warning", "'{seen}' is not a decision, so row {row} of the sheet Inbox stays open. Choose"
            " counts, does not or ask."),
    Message("ARB-352", "error", "Nobody knows whose row {row} of the sheet Inbox is, so it stays open. Fill in its"
            " column Club with one of: {list}"),
    Message("ARB-353", "error", "Nothing in row {row} of the sheet Inbox can be taken as an order or an answer, so it"
            " stays open. Choose ask or does not, or type the order yourself."),
    Message("ARB-354", "warning", "What row {row} of the sheet Inbox brought counts already. To take it back change it"
            " where it stands, on the sheets Orders and Questions."),
    Message("ARB-355", "warning", "{book} has no sheet Inbox yet and could not be given one, so what came is not"
            " listed there. Close the workbook and collect once more: arbitro collect {book} FOLDER"),
    Message("ARB-384", "error", "Under {order} stands no order of {faction:the}, so nothing was taken back. The receipt"
            " says which number each order has."),
)


# Findings about outgoing mail and the mail server.


MAIL_MESSAGES = (
    Message("ARB-600", "warning", "{faction:the} {faction?has|have} no address in the column Mail of the sheet"
            " Factions, so no mail was made there. Type one in, several with commas between them."),
    Message("ARB-601", "warning", "'{seen}' is not an address, so no mail goes there. Write it like anna@club.it;"
            " several with commas between them."),
    Message("ARB-602", "error", "Nothing was sent: these would be the first mails of this campaign, and nobody was"
            " there to say yes. If the list above is right: the same command with --yes."),
    Message("ARB-603", "error", "The server {host} cannot be used: {detail}. Look at it with: arbitro post setup",
            ("fault", {
                "no_host": "There is no server {host}. Look whether this computer is on the internet, and whether the"
                           " name is right: arbitro post setup",
                "refused": "{host} does not answer at this port. Look whether host and port are those that your"
                           " provider names: arbitro post setup",
                "silent": "{host} does not answer. Look whether this computer is on the internet, and whether a"
                          " firewall or an antivirus keeps mails in; then host and port: arbitro post setup",
                "certificate": "{host} cannot prove who it is ({detail}), so no password was sent there. Look whether"
                               " the name is right; where an antivirus reads mails, switch that off.",
                "no_tls": "{host} offers no encryption at this port, so no password was sent there. Take the port that"
                          " your provider names for TLS or STARTTLS: arbitro post setup",
                "login": "{host} refuses the name or the password ({detail}). Many providers want a password for this"
                         " program alone (app password), to be made on their page of security. Then: arbitro post"
                         " setup",
                "needs_program": "{host} does not accept a password from a program ({detail}). Take a mailbox of a"
                                 " provider that has app passwords: arbitro post setup",
                "closed": "{host} broke the connection off ({detail}). Try again in a few minutes; if it stays so, look"
                          " at the port and at the way of encryption: arbitro post setup"})),
    Message("ARB-604", "warning", "The server takes no mail for {address} of {faction:the}: {cause}. Put the address"
            " right on the sheet Factions, then: arbitro send {book}",
            ("all", {"yes": "The server takes no mail for {address}: {cause}. Put the address right on the sheet"
                            " Factions, then: arbitro send {book}"})),
    Message("ARB-605", "warning", "The server puts the mail to {list} off: {cause}. It is kept. In a quarter of an"
            " hour: arbitro send {book}"),
    Message("ARB-606", "error", "Nobody can tell whether the mail to {list} has arrived: the connection broke when it"
            " was handed over, and our own mailbox cannot be asked. Look whether it lies there, or ask the club. If it"
            " has it: arbitro send {book} --arrived {code} - If not: arbitro send {book} --again {code}"),
    Message("ARB-607", "error", "The mail to {faction:the} was held back: it contains '{word}', which {faction:the}"
            " may not know ({place}: {text}). That is a fault of Arbitro or of the rulebook: tell its authors. To let"
            " it go all the same: arbitro send {book} --let-go {code} --why REASON",
            ("all", {"yes": "The mail to everybody was held back: it contains '{word}', which not everybody may know"
                            " ({place}: {text}). That is a fault of Arbitro or of the rulebook: tell its authors. To"
                            " let it go all the same: arbitro send {book} --let-go all --why REASON"})),
    Message("ARB-608", "info", "Reports that hold no more are with: {list}. The new ones say which they replace."),
    Message("ARB-609", "error", "The password of {login} is not known here. Set it with: arbitro post setup - or put it"
            " into the environment as {variable}."),
    Message("ARB-610", "error", "There is no mail to {seen} to which that could apply."),
    Message("ARB-611", "warning", "No page was made of {list}: the ledger does not know the campaign as it was then."),
    Message("ARB-613", "error", "'{seen}' is not a server. Write its name, as smtp.club.it, with its port where it is"
            " not the usual one: smtp.club.it:465:tls"),
    Message("ARB-614", "warning", "The post is not set up, so nobody was reminded. Still missing: {list}. To have mails"
            " sent: arbitro post setup"),
    Message("ARB-615", "warning", "A mail to {faction:the} came back from {address}: {cause}. Put the address right on"
            " the sheet Factions, then: arbitro send {book} --again {code}",
            ("all", {"yes": "The mail to everybody came back from {address}: {cause}. Put the address right on the"
                            " sheet Factions, then: arbitro send {book} --again all"})),
    Message("ARB-616", "error", "The mail to {faction:the} was held back: none of its mails has gone to {list} before,"
            " and nobody has said that this is right. Send again and say so, or: arbitro send {book} --let-go {code}"
            " --why REASON"),
    Message("ARB-612", "error", "To let a mail go that was held back, give the reason, which is kept: --why REASON"),
)


# Findings about pictures (ARB-460 to 469): faction colours, the map sheet, what could not be drawn.


PICTURE_MESSAGES = (
    Message("ARB-460", "warning", "On the map many people cannot tell the colour of {faction:the} ({seen}) from that of"
            " {other:the} ({theirs}). The nearest that all can tell: {good}."),
    Message("ARB-463", "info", "There was no room on the map for these names, so their codes are there instead:"
            " {list}."),
    Message("ARB-464", "info", "The workbook is open, so its map is the one of before; it follows once the workbook is"
            " closed, with the next command that changes it, for example: arbitro map {book} {option}"),
    Message("ARB-465", "warning", "The sheet {sheet} holds something of your own beside the map, so it stays, and each"
            " phase renews the map. To have it no more, delete the map, or the whole sheet, in the workbook."),
    Message("ARB-466", "warning", "The shapes keep the colours that they had last; no phase changes them any more. Give"
            " them others in the workbook where you want that."),
    Message("ARB-467", "warning", "The workbook is open, so its map stays as it is. To have none any more delete its"
            " sheet; to have one close the workbook and type: arbitro map {book} --sheet"),
    Message("ARB-468", "warning", "On the map many people cannot tell the colour of {faction:the} ({seen}) from that of"
            " land that nobody holds. The nearest that all can tell: {good}."),
    Message("ARB-469", "warning", "The outline {outline} cannot be drawn: its points are written as 10,20 30,40.",
            means={"outline": "text"}),
)


# Findings about the book of the war (ARB-475 to 478).


CHRONICLE_MESSAGES = (
    Message("ARB-475", "error", "Nothing has been played yet in {file}, so there is nothing to tell. The first phase is"
            " resolved by: arbitro resolve {file}"),
    Message("ARB-476", "error", "The campaign is not over: its secrets are told when it is. The book of what everybody"
            " may know is written at any time by: arbitro chronicle {file}"),
    Message("ARB-477", "error", "The PDF was not made, because the library {library} is not installed. The page was"
            " written, and a browser prints it. To have the PDF: pip install \"arbitro[print]\"",
            ("library", {"Pango": "The PDF was not made, because this computer lacks Pango, by which WeasyPrint sets"
                                  " letters. The page was written, and a browser prints it. How Pango is installed:"
                                  " docs/chronicle.md"})),
    Message("ARB-478", "error", "The moving picture was not made, because this campaign has no map. Everything else was"
            " done."),
)


# Findings about the laboratory (ARB-700 to 708).


LABORATORY_MESSAGES = (
    Message("ARB-700", "error", "'{seen}' gives no value for a number: write NAME=VALUE, or NAME=VALUE,VALUE. Nothing"
            " was begun.",
            ("why", {"unknown": "'{seen}' is not a number or switch of {title}. Did you mean {near}? All of them are"
                                " listed by: arbitro rules {ruleset}. Nothing was begun.",
                     "value": "'{seen}' is not a value for {key}; allowed: {allowed}. Nothing was begun.",
                     "twice": "'{seen}' names the same twice. Write each number once, and each of its values once."
                              " Nothing was begun.",
                     "many": "These are {cells} combinations of values, and at most {most} are played at once. Vary"
                             " fewer numbers. Nothing was begun."})),
    Message("ARB-701", "error", "{title} comes without robots that give orders, so nobody can play its campaigns here."
            " Its author can write robot_orders: arbitro help plugins"),
    Message("ARB-702", "error", "{folder} holds something else than this experiment ({file}). Name another folder with"
            " --out, or delete that one. Nothing was begun."),
    Message("ARB-703", "error", "{file} is a campaign of the laboratory: it has no clubs, so nothing is sent, published"
            " or collected for it."),
    Message("ARB-704", "error", "{title} does not say how to draw what a faction does not know, so a campaign cannot be"
            " played from the view of one. Leave out --as: then it is played as the referee knows it."),
    Message("ARB-705", "warning", "{faulty} of {all} campaigns had a fault, more than one in a hundred: trust nothing"
            " of this until that is put right. They are listed in {file}."),
    Message("ARB-706", "error", "--replay writes one campaign, so each number that --vary names must have one value."),
    Message("ARB-707", "warning", "The phase {phase} of {turn} breaks down: {fault}. {file} stands before it."),
    Message("ARB-708", "error", "The cluster {address} is not there: {detail}. Nothing was begun.",
            ("why", {"library": "For a cluster the library distributed is needed: pip install \"arbitro[lab]\". Several"
                                " processes of this machine need none: --workers. Nothing was begun.",
                     "open": "The cluster {address} is on another machine and without TLS, and a scheduler runs"
                             " anybody's code. Write tls:// in front of it, and give Dask the certificates. Nothing was"
                             " begun.",
                     "certificates": "For the cluster {address} Dask knows no certificates. Name their files in"
                                     " DASK_DISTRIBUTED__COMM__TLS__CA_FILE, DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT"
                                     " and DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY. Nothing was begun.",
                     "version": "The cluster {address} runs another Arbitro or another rulebook than this machine"
                                " ({detail}). Install the same everywhere. Nothing was begun."})),
    Message("ARB-710", "error", "The scenario {scenario} of {title} has no script that a demo could play. Begin it"
            " yourself: arbitro new {ruleset} war.xlsx; or let robots play it: arbitro simulate {ruleset}",
            ("robots", {"no": "The scenario {scenario} of {title} has no script that a demo could play. Begin it"
                              " yourself: arbitro new {ruleset} war.xlsx"})),
    Message("ARB-709", "error", "'{seen}' is not a temper of the robots of {title}. Choose one of: {list}. Nothing was"
            " begun.",
            ("why", {"none": "The robots of {title} have one temper only. Leave out --temper. Nothing was begun.",
                     "twice": "'{seen}' is a second temper for the same robots. Name one. Nothing was begun."})),
)
