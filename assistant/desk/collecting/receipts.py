"""What a club is answered: its view with what was taken in; how each line was understood and what is missing out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Faction, Order, Question
from assistant.dataclass import dataclass
from assistant.desk.collecting.newest import Part
from assistant.desk.collecting.replacing import Row
from assistant.desk.evening.reports import words_of
from assistant.desk.intake.in_words import row_words
from assistant.reporting.duties import asked, next_orders
from assistant.reporting.reader import Reader
from assistant.turn.findings import Finding
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
class Receipt:
    """What a club is answered. `missing`: what it still owes, in its own words; `text`: the whole answer."""

    faction: str
    missing: tuple[str, ...]
    text: str


def receipt_of(ruleset: Ruleset, after: Campaign, parts: Sequence[Part], rows: Sequence[Row]) -> Receipt:
    """The answer to a club, made of its view alone. `parts`: what counts of it; `rows`: what became of their rows.

    `after`: the campaign with these rows in it.
    """
    faction = parts[0].faction
    view = ruleset.view(in_force(after), faction)
    club = after.table(Faction).get(faction)
    words = words_of(ruleset, view, (club.language if club is not None else "") or after.desk.language)
    reader = Reader.of(ruleset, view, faction, words)
    missing = tuple(_missing(reader))
    files = ", ".join(dict.fromkeys(part.name for part in parts))
    lines = [words.text(N_("{whom}: what came counts so ({file}, {when}):"), file=Verbatim(files),
                        whom=Verbatim(reader.faction_name(faction)), when=Verbatim(parts[-1].when))]
    wrong = _judged(ruleset, view, {one.row.ident for one in rows})
    for one in rows:
        lines.append("- " + said(one, ruleset, words, view))
        lines += [f"  {words.finding(finding)}" for finding in wrong.get(one.row.ident, ())]
        lines += [f"  {words.finding(one.finding)}"] if one.finding is not None else []
    lines += [] if rows else ["- " + words.text(N_("nothing"))]
    lines += ["- " + words.text(N_("not understood, so it does not count: {text}"), text=Verbatim(text))
              for text in dict.fromkeys(_not_understood(parts))]
    lines += [words.text(N_("Still missing:")), *(f"- {one}" for one in missing)] if missing else [
        words.text(N_("Nothing is missing."))]
    return Receipt(faction, missing, "\n".join(lines) + "\n")


def _not_understood(parts: Sequence[Part]) -> Iterator[str]:
    """The lines of a club's own text that were not understood, in its own words."""
    for part in parts:
        for one in part.opened:
            for finding in one.incoming.findings if one.incoming is not None and one.club else ():
                if finding.stops and "text" in finding.data and not finding.where.table:
                    yield str(finding.data["text"])


def said(one: Row, ruleset: Ruleset, words: Wording, campaign: Campaign) -> str:
    """A row and what became of it, in a line."""
    shown = one.before if one.how == "withdrawn" and one.before is not None else one.row
    return words.text(SAID[one.how], id=Verbatim(one.row.ident.rstrip("/")),
                      words=Verbatim(row_words(shown, ruleset, words, campaign)))


def _missing(reader: Reader) -> Iterator[str]:
    """What the reader owes: answers to open questions, orders for the next phase that takes some."""
    _ = reader.wording.text
    for question in asked(reader, {}):
        yield _(N_("answer: {question}"), question=Verbatim(question.text))
    word, moment = next_orders(reader)
    turn = reader.view.desk.turn
    if word and not any(row.faction == reader.faction and row.phase == word
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
