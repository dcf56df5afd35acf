"""The findings about clubs' copies that come back, as part of `messages.COMMON`."""

from __future__ import annotations

from assistant.turn.findings import Message

POST = (
    Message("ARB-340", "error", "{file} is a club's copy without a code of this campaign, so nobody can say whose"
            " orders it brings. Ask its club for the file that you sent, or write a new one with: arbitro share"),
    Message("ARB-341", "error", "{file} bears a code of {faction:the} that counts no more: it was renewed. Send the new"
            " copy and ask for the orders again."),
    Message("ARB-342", "error", "{file} is the copy of {faction:the} of {seen}, and the campaign stands in {turn}."
            " Send the present copy: arbitro share"),
    Message("ARB-360", "info", "{file} is the copy of {faction:the} as it was sent: nothing was filled in, and what was"
            " ordered before stands."),
    Message("ARB-361", "info", "{file} says the same as {other}: it counts once."),
    Message("ARB-362", "info", "{file} of {when} does not count for {faction:the}: {other} is newer. If it shall count"
            " all the same, take it by itself: arbitro orders {book} {file}",
            ("mail", {"yes": "{file} of {when} does not count for {faction:the}: {other} is newer. If it shall count"
                             " all the same, ask for it once more."})),
    Message("ARB-363", "error", "{file} and {other} say different things for {faction:the} and are of one minute"
            " ({when}): neither was taken. Ask which one counts, and take the other out of the folder.",
            ("mail", {"yes": "{file} and {other} say different things for {faction:the} and are of one minute ({when}):"
                             " neither was taken. Ask for what shall count in one mail more."})),
    Message("ARB-364", "warning", "{file}: in {cell} stands '{seen}', where '{was}' was sent. That cell is no input,"
            " and nothing of it counts. Ask {faction:the} to write in the light yellow cells only."),
    Message("ARB-365", "warning", "{file}: more cells came back changed that are no input ({n}). Nothing of them"
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
    Message("ARB-372", "error", "Nothing was taken from the mail {file}: {reason}. It says: {list}. Ask its club, or"
            " take what counts by hand: arbitro orders {book}"),
    Message("ARB-373", "info", "In the mail {file} of {faction:the} these words are no order that is understood:"
            " {list}"),
    Message("ARB-374", "warning", "{file}: a report did not arrive at {list}: {reason}. Look at the address, and send"
            " it again."),
    Message("ARB-375", "error", "{file} bears the code of another club than its mail, or orders of another club than"
            " {faction:the}: nothing was taken from it. Ask who sent it."),
    Message("ARB-376", "error", "No mailbox is known here, so no mail was read, and nothing was taken. Say which it is:"
            " arbitro post setup"),
    Message("ARB-377", "info", "The mail {file} bears the code of {faction:the} and came from {address}, an"
            " address that does not stand on the sheet Factions. It counts, and the addresses that stand there are told"
            " of it."),
    Message("ARB-378", "info", "{faction:the} {faction?has|have} no address on the sheet Factions, so no receipt went"
            " there."),
    Message("ARB-379", "error", "{file} is nothing in which orders can be read (a picture, a PDF, a letter), so nothing"
            " of it counts. Wanted is the filled copy as a workbook, or the orders as lines of text."),
    Message("ARB-384", "error", "Under {order} stands no order of {faction:the}, so nothing was taken back. The receipt"
            " says which number each order has."),
)
