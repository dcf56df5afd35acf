"""What a club is answered: its view with what was taken in; how each line was understood and what is missing out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from assistant.campaign.campaign import Campaign
from assistant.campaign.order import natural
from assistant.campaign.records import Faction, Order, Question
from assistant.desk.collecting.newest import Part, names_of
from assistant.desk.collecting.replacing import Row
from assistant.desk.evening.reports import words_of
from assistant.desk.intake.in_words import row_words
from assistant.reporting.duties import asked, next_orders
from assistant.reporting.reader import Reader
from assistant.turn.absence.club_words import READY, said_in_phase
from assistant.turn.battle_form.club_form import open_forms
from assistant.turn.battle_form.halves import NOT_READ, WITH_IT
from assistant.turn.findings import Finding
from assistant.turn.rows.misfits import is_emptied
from assistant.turn.ruleset import Ruleset
from assistant.turn.superseded import in_force
from assistant.wording import N_, Verbatim, Wording

SAID = {
    "new": N_("{id}: {words}"),
    "changed": N_("{id}: now {words}"),
    "same": N_("{id}: as before: {words}"),
    "withdrawn": N_("{id}: withdrawn: {words}"),
    "refused": N_("{id}: not taken: {words}"),
}


@dataclass(frozen=True)
class Answered:
    """A mail that is answered. `when`: it came; `stranger`: its sender where its club has no such address; `listed`:
    its lines that are neither order nor ours nor a signature; `asked`: why nothing of it is taken, as texts for
    `Wording.text`; `rivals`: the lines between which its club is asked; `findings`: what is said of files in it that
    do not count; `older`, `unfilled`: what it brought came before a newer copy, or is the form as it was sent.
    """

    when: str
    stranger: str = ""
    listed: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    rivals: tuple[tuple[str, ...], ...] = ()
    findings: tuple[Finding, ...] = ()
    older: bool = False
    unfilled: bool = False


@dataclass(frozen=True)
class Receipt:
    """What a club is answered. `missing`: what it still owes, in its own words; `text`: the whole answer."""

    faction: str
    missing: tuple[str, ...]
    text: str


WHY_NOT = N_("Your mail of {when} does not count as it is: {why}.")
EITHER, OR = N_("Either: {text}"), N_("or: {text}")
ONCE_MORE = N_("Write in one mail what is to count.")
NO_ORDER = N_("neither an order nor an answer, so it does not count: {text}")
OLDER = N_("Your mail of {when} was followed by a newer copy, and counts no more.")
UNFILLED = N_("The form in your mail of {when} came back as it was sent: nothing was filled in, and what you"
              " ordered before stands.")
STRANGER = N_("The mail of {when} came from {address}, which is no address that we know of you. It bears your code, and"
              " so it counts. If it was none of yours, tell the referee at once: he makes you a new code.")
HOW_BACK = N_("Lines are added to what you sent before and take nothing of it back; whether one order replaces another"
              " is for the rulebook. To take an order back, answer with a line like: withdraw {id}. With this one you"
              " take back all that you sent: withdraw all")


def receipt_of(ruleset: Ruleset, after: Campaign, faction: str, parts: Sequence[Part], rows: Sequence[Row],
               mails: Sequence[Answered] = ()) -> Receipt:
    """The answer to a club, made of its view alone. `parts`: what was taken of it; `rows`: what became of their rows;
    `mails`: those that are answered, none where files are.

    `after`: the campaign with these rows in it.
    """
    view = ruleset.view(in_force(after), faction)
    club = after.table(Faction).get(faction)
    words = words_of(ruleset, view, (club.language if club is not None else "") or after.desk.language)
    reader = Reader.of(ruleset, view, faction, words)
    missing = tuple(_missing(reader))
    lines = [line for one in mails if one.stranger for line in (words.text(
        STRANGER, when=Verbatim(one.when), address=Verbatim(one.stranger)), "")]
    lines += _counted(ruleset, view, parts, rows, reader)
    lines += ["- " + words.text(N_("not understood, so it does not count: {text}"), text=Verbatim(text))
              for text in dict.fromkeys(_not_understood(parts))]
    lines += [f"- {one}" for one in dict.fromkeys(_unread_of_battles(parts, ruleset, words))]
    for one in mails:
        lines += _of_mail(one, words)
    lines += _from_before(ruleset, view, faction, [one.row for one in rows if isinstance(one.row, Order)], words)
    lines += [words.text(N_("Still missing:")), *(f"- {one}" for one in missing)] if missing else [
        words.text(N_("Nothing is missing."))]
    numbers = [one.row.ident for one in rows if isinstance(one.row, Order) and one.how not in ("withdrawn", "refused")]
    if mails and numbers:
        lines += ["", words.text(HOW_BACK, id=Verbatim(numbers[0]))]
    return Receipt(faction, missing, "\n".join(lines) + "\n")


def _counted(ruleset: Ruleset, view: Campaign, parts: Sequence[Part], rows: Sequence[Row], reader: Reader
             ) -> Iterator[str]:
    """How each row was understood."""
    words = reader.wording
    if not parts:
        return
    files = names_of(parts)
    yield words.text(N_("{whom}: what came counts so ({file}, {when}):"), file=Verbatim(files),
                     whom=Verbatim(reader.faction_name(reader.faction)), when=Verbatim(parts[-1].when))
    wrong = _judged(ruleset, view, {one.row.ident for one in rows})
    for one in rows:
        yield "- " + said(one, ruleset, words, view)
        yield from (f"  {words.finding(finding)}" for finding in wrong.get(one.row.ident, ()))
        yield from [f"  {words.finding(one.finding)}"] if one.finding is not None else []
    if not rows:
        yield "- " + words.text(N_("nothing"))


def _of_mail(one: Answered, words: Wording) -> Iterator[str]:
    """What of a mail does not count, and why."""
    when = Verbatim(one.when)
    for why in one.asked:
        yield words.text(WHY_NOT, when=when, why=Verbatim(words.text(why)))
    for number, rival in enumerate(one.rivals):
        yield "- " + words.text(OR if number else EITHER, text=Verbatim("; ".join(rival)))
    yield from (f"- {words.finding(finding)}" for finding in one.findings)
    if one.older:
        yield words.text(OLDER, when=when)
    if one.unfilled:
        yield words.text(UNFILLED, when=when)
    yield from ("- " + words.text(NO_ORDER, text=Verbatim(line)) for line in dict.fromkeys(one.listed))
    if one.asked or one.rivals:
        yield words.text(ONCE_MORE)


def _from_before(ruleset: Ruleset, view: Campaign, faction: str, rows: Sequence[Order], words: Wording) -> list[str]:
    """The club's orders of the same turns that stand beside those rows."""
    told = {row.order for row in rows}
    standing = [row for turn in dict.fromkeys([view.desk.turn, *(row.turn for row in rows)])
                for row in view.table(Order).of_turn(turn) if row.faction == faction and not row.status
                and row.order not in told and not is_emptied(row)]
    return [words.text(N_("From before there counts besides:")), *(
        "- " + words.text(SAID["new"], id=Verbatim(row.order), words=Verbatim(row_words(row, ruleset, words, view)))
        for row in sorted(standing, key=lambda row: natural(row.order)))] if standing else []


def _not_understood(parts: Sequence[Part]) -> Iterator[str]:
    """The lines of a club's own text that were not understood, in its own words."""
    for part in parts:
        for one in part.opened:
            for finding in one.incoming.findings if one.incoming is not None and one.club else ():
                if finding.stops and "text" in finding.data and not finding.where.table:
                    yield str(finding.data["text"])


def _unread_of_battles(parts: Sequence[Part], ruleset: Ruleset, words: Wording) -> Iterator[str]:
    """The cells of a copy that should tell of a battle and cannot be read, each with why."""
    sheets = {sheet.sheet for sheet in ruleset.forms}
    for one in (one for part in parts for one in part.opened if one.reading is not None):
        for finding in one.incoming.findings if one.incoming is not None else ():
            if finding.stops and (finding.where.table in sheets or finding.code in (NOT_READ, WITH_IT)):
                yield words.text(SAID["refused"], id=Verbatim(finding.cell), words=Verbatim(words.finding(finding)))


def said(one: Row, ruleset: Ruleset, words: Wording, campaign: Campaign) -> str:
    """A row and what became of it, in a line."""
    shown = one.before if one.how == "withdrawn" and one.before is not None else one.row
    text = words.text(SAID[one.how], id=Verbatim(one.row.ident.rstrip("/")),
                      words=Verbatim(row_words(shown, ruleset, words, campaign)))
    return text.removeprefix(": ")  # what was not taken may have no number


def _missing(reader: Reader) -> Iterator[str]:
    """What the reader owes: answers to open questions, reports on battles that it has not begun, orders for
    the next phase that takes some.
    """
    _ = reader.wording.text
    for question in asked(reader, {}):
        yield _(N_("answer: {question}"), question=Verbatim(question.text))
    for one in open_forms(reader.ruleset, reader.view, reader.faction):
        if not one.begun:
            yield _(N_("Your report on {battle}"), battle=Verbatim(one.battle.battle))
    word, moment = next_orders(reader)
    turn = reader.view.desk.turn
    ready = said_in_phase(reader.view).get(reader.faction) == READY
    if word and not ready and not any(row.faction == reader.faction and row.phase == word
                                      for row in reader.view.table(Order).of_turn(turn)):
        yield _(N_("orders for {phase}"), phase=Verbatim(moment))


def _judged(ruleset: Ruleset, view: Campaign, rows: set[str]) -> dict[str, list[Finding]]:
    """What the present phase would say of a club's orders, as far as the club can know it. Key of a row -> findings."""
    found: dict[str, list[Finding]] = {}
    if ruleset.is_over(view) or not ruleset.phase(view.desk.phase).orders:
        return found
    for finding in ruleset.check_orders(view):
        if finding.where.table == Order.sheet and finding.where.row in rows:
            found.setdefault(finding.where.row, []).append(replace(finding, cell=""))
    return found


def is_half(parts: Sequence[Part], receipt: Receipt) -> bool:
    """Whether something came that leaves a gap: part of a form was filled in."""
    return bool(receipt.missing) and any(isinstance(row, (Order, Question)) for part in parts for row in part.rows)
