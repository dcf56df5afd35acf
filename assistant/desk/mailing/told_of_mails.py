"""Mails in; what is said of them out: the list before they leave, and what became of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assistant.desk import codes
from assistant.desk.mailing.outgoing import Going
from assistant.desk.results import Exit, Result
from assistant.desk.sitting.mail_troubles import of_mail
from assistant.desk.sitting.sitting import Sitting
from assistant.ledger import Mail
from assistant.post.out.connecting import PostTrouble
from assistant.post.out.postman import FOUND
from assistant.turn.findings import Finding
from assistant.wording import N_, Verbatim, Wording

QUESTION = N_("Send these mails? [y/N]")
WAITING = N_("{who}: the server puts {list} off; tried again in a moment.")
LOOKING = N_("{who}: looking in our own mailbox whether the mail has arrived.")
TOLD_OF = {"taken": N_("{who}: sent to {list}."), "refused": N_("{who}: refused for {list}."),
           "uncertain": N_("{who}: nobody can tell whether {list} has it.")}
LIST_HEAD = N_("Mails, with their sizes:")
EVERYBODY = N_("everybody ({kind})")
KINDS = {"gazette": N_("gazette"), "end": N_("page of the end"), "reminder": N_("reminder"),
         "receipt": N_("receipt"), "report": N_("report")}
NEW, OPEN, DONE, REPLACING, HELD = (
    N_("to be sent"), N_("begun before, goes on"), N_("sent before: not again"), N_("replaces an earlier one"),
    N_("held back"))


def readers_named(words: Wording, row: Mail) -> Verbatim:
    """Whom a mail is for."""
    if not row.faction:
        return Verbatim(words.text(EVERYBODY, kind=Verbatim(words.text(KINDS[row.kind]))))
    return Verbatim(words.names.text(row.faction, "faction"))


def listed(goings: Sequence[Going], words: Wording) -> list[str]:
    """Who gets what, with its size and whether it went out before."""
    lines = [words.text(LIST_HEAD)]
    for one in goings:
        said = HELD if one.held else DONE if not (one.new or one.row.open) else OPEN if not one.new else (
            REPLACING if one.replaces is not None else NEW)
        to = ", ".join(one.row.marks if one.new else one.package.to)
        lines.append(f"  {readers_named(words, one.row)}: {to}; {words.number(round(len(one.letter) / 1000) or 1)} KB; "
                     f"{words.text(said)}")
    return lines


def held_back(goings: Iterable[Going], sitting: Sitting) -> list[Finding]:
    """Why mails are held back: the first word in each that its reader may not know, with its place."""
    return [codes.finding(codes.MAIL_HELD, faction=one.row.faction, word=Verbatim(hit.word), place=Verbatim(hit.place),
                          text=Verbatim(hit.around), code=Verbatim(one.row.faction or "all"), book=sitting.path.name,
                          **({} if one.row.faction else {"all": "yes"}))
            for one in goings if one.held for hit in one.package.hits[:1]]


def of_troubles(troubles: Iterable[PostTrouble]) -> list[Finding]:
    """What kept us from a server."""
    return [codes.finding(codes.POST_TROUBLE, fault=one.fault, host=Verbatim(one.host), detail=Verbatim(one.detail))
            for one in troubles]


def summed_up(result: Result, sitting: Sitting, rows: Sequence[Mail], troubles: Sequence[PostTrouble],
              before: frozenset[str]) -> None:
    """What came of the mails. `before`: those that had gone out already. Ends as refused where one has not."""
    words, book = sitting.wording, sitting.path.name
    sent = [row for row in rows if row.at_stage("taken") and row.ident not in before]
    result.data["sent"] = len(sent)
    result.say(words.plural(N_("{n} mail was sent."), N_("{n} mails were sent."), len(sent)) if sent else
               words.text(N_("No mail was sent now.")))
    found = sum(mark.cause == FOUND for row in sent for mark in row.marks.values())
    if found:
        result.say(words.text(N_("Some had gone out before: they lie in our own mailbox.")))
    result.find(of_troubles(troubles))
    for row in rows:
        result.find(of_mail(row, book))
    result.find(_void(rows))
    held = any(one.code == codes.MAIL_HELD for one in result.findings)
    if held or troubles or any(row.open or row.at_stage("refused") for row in rows):
        result.exit = Exit.REFUSED


def _void(rows: Iterable[Mail]) -> list[Finding]:
    """Who had a report that holds no more."""
    who = dict.fromkeys(one for row in rows if row.replaces for one in row.at_stage("taken"))
    return [codes.finding(codes.MAILS_VOID, list=Verbatim(", ".join(who)))] if who else []
