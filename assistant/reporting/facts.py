"""Sections of a report: events, possessions, the winner, dice and their proofs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from assistant.campaign.columns import Column, Parts, Ref, Whole
from assistant.campaign.records import ALL, Army, Battle, Die, Event, Faction, Node
from assistant.campaign.tables import Record, grouped, natural
from assistant.reporting.pages import (
    DiceThrow,
    Dossier,
    Figure,
    Group,
    Listing,
    Luck,
    LuckRow,
    Money,
    PlaceCard,
    Proof,
    ReportLine,
    ReportTable,
    Rulings,
    TableCell,
)
from assistant.reporting.reader import PARTS, Moment, Reader, behind_colon, capital, clean_line
from assistant.speech import SPOKEN_LANGUAGES, braces
from assistant.turn.battle_results import format_report, reports_on
from assistant.turn.chances import Tally
from assistant.turn.dice import PUBLIC, REFEREE, parse_roll, secret_circle, sides_of
from assistant.turn.dice_purposes import parts_of_purpose
from assistant.turn.event_types import CATEGORIES, EventType, Said, TableOf
from assistant.turn.phases import is_superseded
from assistant.turn.ruleset import StepsTo
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording

# Events: by category, battles and sieges with their reasons, public news.


CATEGORY_TITLES = {
    "battles": N_("Battles"), "sieges": N_("Sieges"), "moves": N_("Marches and meetings"), "money": N_("Money"),
    "supply": N_("Food and convoys"), "diplomacy": N_("Diplomacy"), "works": N_("Works and garrisons"),
    "sea": N_("At sea"),
    "rulings": N_("Rulings"), "news": N_("Other news"),
}
MOST_NAMED = 8
"""At most so many things are named in a line that tells the same of all of them."""
OPENING = "opening"
"""The group of events that come before all else, such as a throw for the initiative."""
IN_CARDS = ("battles", "sieges")
NEWS_ROWS = 12
LIGHTEST = EventType("", "").weight
"""The default weight of an event. Larger numbers are lighter; such events are left out of stories and chapters."""


def is_fight(reader: Reader, event: Event) -> bool:
    """Whether an event belongs on the card of a place: battles, sieges, and the dice that decided them."""
    category = reader.kind(event).category
    decided = category in IN_CARDS or (category == "rulings" and bool(event.roll))
    return decided and bool(reader.node_of(event))


def groups_by_category(reader: Reader, events: Iterable[Event], rows: int) -> tuple[Group, ...]:
    """Events by category, how it began before all, then the most important category first, each in order of time; no
    empty categories.
    """
    by_category = grouped(events, lambda e: OPENING if reader.kind(e).opening else reader.kind(e).category)
    titles = {OPENING: N_("How it began"), **CATEGORY_TITLES, **reader.ruleset.categories}
    ordered = sorted(by_category.items(),
                     key=lambda pair: (pair[0] != OPENING, min(reader.kind(e).weight for e in pair[1]),
                                       category_rank(reader, pair[0])))
    return tuple(Group(reader.wording.text(titles.get(category, category)),
                       event_lines(reader, events, rows))
                 for category, events in ordered)


def weightiest_sentences(reader: Reader, events: Iterable[Event], count: int) -> list[str]:
    """The sentences of the most important events, one per place, for the line in the inbox."""
    ordered = sorted((e for e in events if e.no not in reader.still), key=lambda e: (
        reader.kind(e).weight, category_rank(reader, reader.kind(e).category), e.no))
    first_of_place: dict[str, Event] = {}
    for event in ordered:
        first_of_place.setdefault(reader.node_of(event) or str(event.no), event)
    return [clean_line(reader.line(event, with_place=False).text).rstrip(".")
            for event in list(first_of_place.values())[:count]]


def event_lines(reader: Reader, events: list[Event], rows: int) -> Listing[ReportLine]:
    """Events as lines in order of time, cut to `rows`; only what is shown is put into words."""
    more = reader.wording.text(N_("and {n} more on the sheet {sheet}"), sheet=reader.sheet(Event))
    return Listing(tuple(_weightiest_lines(reader, events, rows)), max(len(events) - rows, 0), more)


def _weightiest_lines(reader: Reader, events: list[Event], rows: int, *, with_place: bool = True) -> list[ReportLine]:
    """The `rows` most important events in order of time, the gravest marked among lighter ones; what is as it was
    before comes last.
    """
    weights = {reader.kind(e).weight for e in events}
    kept = sorted(events, key=lambda e: (reader.kind(e).weight, e.no))[:rows]
    fresh = sorted((e for e in kept if e.no not in reader.still), key=lambda e: e.no)
    lines = [replace(line, grave=len(weights) > 1 and reader.kind(event).weight == min(weights))
             for event, line in merged_lines(reader, fresh, with_place=with_place)]
    again = (e for e in kept if e.no in reader.still)
    for since, alike in grouped(again, lambda e: reader.still[e.no]).items():
        said = [line.text.rstrip(".") for _, line in merged_lines(reader, alike)]
        lines.append(ReportLine(reader.wording.text(N_("Still so since {moment}: {what}."), moment=Verbatim(since),
                                                    what=Verbatim("; ".join(map(behind_colon, said))))))
    return lines


def merged_lines(reader: Reader, events: Iterable[Event], *, with_place: bool = True
                 ) -> list[tuple[Event, ReportLine]]:
    """Events as lines; what is told alike of several things is one line that names them all, without their dice."""
    alike: dict[tuple[str, str, str], list[tuple[Event, str]]] = {}
    for event in events:
        said, subject = _but_for_subject(reader, event)
        fought = str(event.data.get("battle", ""))
        place = reader.line(event).place if with_place else ""  # stands before the sentence
        alike.setdefault((f"{place} {said}", fought, reader.mark(event)) if subject else (str(event.no), "", ""),
                         []).append((event, subject))
    made = []
    for listed in alike.values():
        event, first = listed[0]
        others = list(dict.fromkeys(subject for _, subject in listed if subject != first))
        if not others:  # what befell one and the same thing again is another line
            made += [(one, reader.line(one, with_place=with_place)) for one, _ in listed]
            continue
        line = reader.line(event, with_place=with_place)
        few = len(others) <= MOST_NAMED + 1  # one more is named as well
        names = ", ".join(map(behind_colon, others if few else others[:MOST_NAMED]))
        text = N_("{said} Likewise: {names}.") if few else N_("{said} Likewise: {names} and {n} more.")
        said = bare_text(line.text, reader.came_to(event)) if line.roll else line.text
        made.append((event, replace(line, roll="", faces="", text=reader.wording.text(
            text, said=Verbatim(said), names=Verbatim(names), n=len(others) - MOST_NAMED))))
    return _without_repeats(reader, made)


def _without_repeats(reader: Reader, made: list[tuple[Event, ReportLine]]) -> list[tuple[Event, ReportLine]]:
    """Lines that say the same word by word are one, with how often it happened."""
    often = Counter(line for _, line in made)
    first: dict[ReportLine, Event] = {}
    for event, line in made:
        first.setdefault(line, event)
    text = N_("{said} ({n} {n?time|times}).")
    return [(event, line if often[line] == 1 else replace(line, text=reader.wording.text(
        text, said=Verbatim(line.text.rstrip(".")), n=often[line]))) for line, event in first.items()]


def bare_text(text: str, verdict: str) -> str:
    """A sentence whose dice are left out, with what they came to."""
    text = text.rstrip(".: ")
    return f"{text}." if not verdict or text.endswith(f" {verdict}") else f"{text}: {verdict}."


def _but_for_subject(reader: Reader, event: Event) -> tuple[str, str]:
    """The sentence of an event without its dice and without the first thing that it names, and the name of that thing;
    "" where it names none.
    """
    kind = reader.kind(event)
    line = reader.line(event, with_place=False)
    verdict = reader.wording.verdict(event.roll, kind.verdicts) if line.roll else ""
    for brace in braces(kind.text):
        code = event.data.get(brace.name)
        shown = _subject(reader, code) if isinstance(code, str) else ""
        if shown and shown in line.text and reader.kind(event).category != "rulings":
            return f"{event.event} {line.text.replace(shown, '', 1)} {verdict}", shown
        if code is not None:
            break
    return "", ""


def _subject(reader: Reader, code: str) -> str:
    """What a code is called, the code itself of a piece whose name the reader does not know; "" of a word."""
    called = reader.wording.names.row_name(code)
    return called.table_text if called is not None else code if "-" in code and code[0].isupper() else ""


def title_of_cards(reader: Reader) -> str:
    """The heading of the cards, by the categories that the book uses."""
    sieges = any(event.category == "sieges" for event in reader.ruleset.events.values())
    return reader.wording.text(N_("Battles and sieges") if sieges else N_("Battles"))


def place_cards(reader: Reader, events: Iterable[Event]) -> Listing[PlaceCard]:
    """Battles and sieges place by place, the most important place first."""
    by_place = grouped(events, reader.node_of)
    ordered = sorted(by_place.items(), key=lambda pair: (min(reader.kind(e).weight for e in pair[1]), pair[1][0].no))
    made = tuple(_card(reader, node, events) for node, events in ordered[:reader.rows])
    more = reader.wording.text(N_("and {n} more {n?place|places} on the sheet {sheet}"), sheet=reader.sheet(Event))
    return Listing(made, max(len(ordered) - reader.rows, 0), more)


def _card(reader: Reader, node: str, events: list[Event]) -> PlaceCard:
    return PlaceCard(reader.place(node), tuple(_weightiest_lines(reader, events, reader.rows, with_place=False)))


def category_rank(reader: Reader, category: str) -> int:
    """The rank of a category: a book's own come before the common ones."""
    known = (*reader.ruleset.categories, *CATEGORIES)
    return known.index(category) if category in known else len(known)


# Possessions: figures, money, tables of the reader's own and of what it sees of others.


def headline_figures(reader: Reader) -> tuple[Figure, ...]:
    """The four to six numbers at the top of the report, compared with the last report."""
    before = reader.period.previous
    was = {} if before is None else dict(reader.ruleset.glance(before, reader.faction))
    made = []
    for label, value in reader.ruleset.glance(reader.view, reader.faction):
        change = value - was[label] if label in was else None
        made.append(Figure(reader.wording.figure(label), value, reader.number(value).text, change,
                           "" if change is None else reader.signed_number(change), label in reader.ruleset.unwelcome))
    return tuple(made)


NOTHING_BUT_ORDERS = N_("Nothing but your orders.")
"""What stands below *What you owe* where nothing else is due; without that heading it says nothing."""


def dues(reader: Reader, *, orders_due: bool = False) -> tuple[str, ...]:
    """Sentences what the reader owes and by when; that it owes nothing, or only orders, while the campaign goes on."""
    made = tuple(reader.wording.text(due.text, **due.data)
                 for due in reader.ruleset.dues(reader.view, reader.faction))
    if made or reader.ruleset.is_over(reader.view):
        return made
    return (reader.wording.text(NOTHING_BUT_ORDERS if orders_due else N_("You owe nothing.")),)


MOST_GRAVE = 2
"""So many of the gravest dues are among the five lines."""
MOST_AIMS = 4
"""At most so many aims stand at the top."""


def clock_lines(reader: Reader, declared: Iterable[TableOf]) -> tuple[str, ...]:
    """How far the reader is from its aims, and how long it has: a line for each of its rows in tables that say so."""
    lines = (_clock_line(reader, table, row) for table in declared if table.clock for row in table.rows
             if getattr(row, "faction", reader.faction) in (reader.faction, ""))
    return tuple(filter(None, lines))[:MOST_AIMS]


def _clock_line(reader: Reader, table: TableOf, row: Record) -> str:
    if callable(table.clock):
        said = table.clock(row)
        return reader.wording.sentence(said.text, said.data) if said is not None else ""
    columns = [table.record.column(name) for name in table.fields if name != "faction"]
    shown = [(c, reader.cell(c, reader.value(row, c), table.record.sheet).text) for c in columns]
    told = [f"{c.heading(reader.lang).lower()} {text}" for c, text in shown
            if text and not c.key and not isinstance(c.kind, Ref)]
    named = ", ".join(text for c, text in shown if text and (c.key or isinstance(c.kind, Ref)))
    return f"{capital(': '.join(filter(None, (named, ', '.join(told)))))}."


def money_section(reader: Reader) -> Money | None:
    """Opening balance, movements by item (what came in first), closing balance; None without any account."""
    _ = reader.wording.text
    everything = reader.ruleset.bookings(reader.view, reader.faction)
    if not everything:
        return None
    new = reader.period.new_bookings(everything, reader.faction)
    opening = new[0].balance - new[0].amount if new else everything[-1].balance
    sums: dict[str, int] = {}
    for booking in new:
        sums[booking.item] = sums.get(booking.item, 0) + booking.amount
    items = [(capital(reader.wording.word(item)), TableCell(reader.signed_number(amount), amount))
             for item, amount in sorted(sums.items(), key=lambda pair: pair[1] < 0)]
    return Money(_("Money"), (_("Item"), _("Amount")), (_("Opening balance"), reader.number(opening)),
                  Listing(tuple(items)), (_("Closing balance"), reader.number(everything[-1].balance)))


def declared_tables(reader: Reader, declared: Iterable[TableOf], empty: str) -> tuple[ReportTable, ...]:
    """Tables as the ruleset declares them, with headings and words in the language of the page."""
    return tuple(_table(reader, table, empty) for table in declared)


def _table(reader: Reader, declared: TableOf, empty: str) -> ReportTable:
    # a place is shown by name and code, so its name needs no column of its own
    columns = [declared.record.column(name) for name in declared.fields
               if not (name == "name" and "node" in declared.fields)]
    sheet = declared.record.sheet
    rows = tuple(tuple(_with_code(reader, c, row, reader.cell(c, reader.value(row, c), sheet)) for c in columns)
                 for row in declared.rows[:reader.rows])
    more = reader.wording.text(N_("and {n} more on the sheet {sheet}"), sheet=reader.sheet(declared.record)) if any(
        record.sheet == sheet for record in reader.ruleset.records) else reader.wording.text(N_("and {n} more"))
    return ReportTable(
        reader.wording.text(declared.title), tuple(c.heading(reader.lang) for c in columns),
        tuple(isinstance(c.kind, (Whole, Parts)) for c in columns),
        Listing(rows, max(len(declared.rows) - reader.rows, 0), more),
        _note(reader, declared.note), empty)


def _note(reader: Reader, note: str | Said) -> str:
    if isinstance(note, Said):
        return reader.wording.text(note.text, **note.data)
    return reader.wording.text(note) if note else ""


def _with_code(reader: Reader, column: Column, row: Record, cell: TableCell) -> TableCell:
    """A cell that names one of the reader's own people with the code behind, where orders are given by it."""
    if not column.key or not row.persons or reader.faction not in row.owners or row.ident in cell.text:
        return cell
    if not any(type(row) in kind.tables() for verb in reader.ruleset.verbs.values() for kind in verb.kinds.values()):
        return cell
    return replace(cell, text=f"{cell.text} ({row.ident})")


def situation(reader: Reader, owned: Iterable[TableOf], seen: Iterable[TableOf]) -> tuple[str, ...]:
    """How far the reader is from its aims, and who stands in its places; () when the campaign is over."""
    if reader.ruleset.is_over(reader.view):
        return ()
    return (*clock_lines(reader, owned), *others_in_places(reader, seen))


def tables_of_others(reader: Reader, seen: Iterable[TableOf], near: Sequence[Enemies]) -> tuple[ReportTable, ...]:
    """What the reader sees of others, enemies first."""
    tables = declared_tables(reader, seen, reader.wording.text(N_("Nothing was seen.")))
    return (*where_enemies_are(reader, near), *tables)


NEAREST = 3
"""So many places in which enemies stand are named with the forces there."""
NEXT_DOOR = 2
"""Who stands within so many steps is a threat, which the five lines tell of; the tables name all of these."""


class Enemies(NamedTuple):
    """Forces of enemies in one place, as far as a reader sees them or has seen them: the place, what they are called,
    and how many steps it is to the nearest spot of the reader's, None where no way is known. `beside`: they stand in
    or next to a place of the reader's own; `met`: an army of the reader's stands there, too.
    """

    node: str
    names: list[str]
    steps: int | None
    spot: str
    beside: bool
    met: bool


def where_enemies_are(reader: Reader, near: Sequence[Enemies]) -> tuple[ReportTable, ...]:
    """With whom the reader is at war, and which of their forces stand nearest; () where no war is known."""
    words, foes = reader.wording, reader.ruleset.foes(reader.view, reader.faction)
    if not foes or reader.ruleset.is_over(reader.view):
        return ()
    text = words.sentence(reader.ruleset.at_war, {"foes": foes})
    if near:
        listed = "; ".join(_stands(reader, one) for one in _threats(near) or near[:NEAREST])
        text += " " + words.text(N_("Nearest to you now, as far as you know: {list}."), list=Verbatim(listed))
    return (ReportTable(words.text(N_("Where the enemy is")), ("",), (False,), Listing(), empty=text),)


def threats(reader: Reader, near: Sequence[Enemies]) -> list[str]:
    """The gravest of what is owed, and which enemies are near, for the five lines."""
    grave = [due for due in reader.ruleset.dues(reader.view, reader.faction) if due.grave][:MOST_GRAVE]
    return [*(reader.wording.text(due.text, **due.data) for due in grave), enemies_next_door(reader, near)]


def enemies_next_door(reader: Reader, near: Sequence[Enemies]) -> str:
    """The sentence which enemies stand within a step or two of what is the reader's; "" for none."""
    threats = _threats(near)
    if not threats or reader.ruleset.is_over(reader.view):
        return ""
    listed = [_stands(reader, one) for one in threats[:NEAREST]]
    if len(threats) > NEAREST:
        listed.append(reader.wording.text(N_("and {n} more {n?place|places}"), n=len(threats) - NEAREST))
    return reader.wording.plural(N_("The enemy is near: {list}."), N_("The enemy is near, in {n} places: {list}."),
                                 len(threats), list=Verbatim("; ".join(listed)))


def _threats(near: Sequence[Enemies]) -> list[Enemies]:
    return [one for one in near if one.steps is not None and one.steps <= NEXT_DOOR]


def nearest_enemies(reader: Reader, seen: Iterable[TableOf]) -> list[Enemies]:
    """The forces of those with whom the reader is at war as far as it sees them, place by place: first those beside a
    place of its own, then the nearest.
    """
    words, foes = reader.wording, reader.ruleset.foes(reader.view, reader.faction)
    named: dict[str, list[str]] = {}
    for army in sorted(_armies_in(seen), key=lambda army: natural(army.ident)):
        if army.faction in foes:
            named.setdefault(army.node, []).append(words.names.text(army.ident, "piece"))
    for node, said in reader.ruleset.foes_seen(reader.view, reader.faction):
        named.setdefault(node, []).append(words.text(said.text, **said.data))
    mine, standing = reader.ruleset.own_places(reader.view, reader.faction), _standing(reader)
    ways = {spot: reader.ruleset.steps_from(reader.view, spot) for spot in (*mine, *standing)} if named else {}
    placed = [_measured(node, names, mine, ways, met=node in standing) for node, names in named.items()]
    return sorted(placed, key=lambda one: (not one.beside, one.steps is None, one.steps or 0, natural(one.node)))


def others_in_places(reader: Reader, seen: Iterable[TableOf]) -> tuple[str, ...]:
    """The sentence which armies of others stand in places of the reader's own; () without any."""
    side = getattr(reader.view.table(Faction).get(reader.faction), "side", "")
    mine, words = reader.ruleset.own_places(reader.view, reader.faction), reader.wording
    listed = [_guest(reader, army) for army in _armies_in(seen) if army.node in mine
              and (row := reader.view.table(Faction).get(army.faction)) is not None
              and not (side and getattr(row, "side", "") == side)]
    return (words.text(N_("Others stand in places of yours: {list}."), list=Verbatim("; ".join(listed))),) if (
        listed) else ()


def _guest(reader: Reader, army: Any) -> str:
    """An army of others in a place of the reader's, whose it is if its name does not say so, and by what right."""
    words, called = reader.wording, reader.wording.names.text(army.ident, "piece")
    known = reader.faction_name(army.faction) in called
    told = words.text(N_("{army}, in {node:the}") if known else N_("{army} of {x:the}, in {node:the}"),
                      army=Verbatim(called), x=army.faction, node=army.node)
    right = reader.ruleset.right_to_stand(reader.view, reader.faction, army.faction)
    return told if right is None else f"{told}, {words.text(right.text, **right.data)}"


def _armies_in(seen: Iterable[TableOf]) -> Iterator[Any]:
    """The armies in tables of what is seen, with a faction and a place."""
    return (row for table in seen if issubclass(table.record, Army) and {"faction", "node"} <= {*table.fields}
            for row in table.rows if getattr(row, "node", ""))


def _standing(reader: Reader) -> list[str]:
    """Where the reader's own armies stand."""
    return [row.node for row in reader.view.table(Army)
            if row.faction == reader.faction and row.node and getattr(row, "active", True)]


def _measured(node: str, names: list[str], mine: Container[str], ways: Mapping[str, StepsTo], *,
              met: bool) -> Enemies:
    """Forces of enemies in a place, and how far that is from the nearest of the reader's spots. `ways`: spot -> how far
    it is from there.
    """
    steps = [(n, spot) for spot, steps_to in ways.items() if (n := steps_to(node)) is not None]
    least, spot = min(steps, key=lambda one: one[0], default=(None, ""))
    return Enemies(node, names, least, spot, any(n <= 1 and spot in mine for n, spot in steps), met)


def _stands(reader: Reader, one: Enemies) -> str:
    """Forces of enemies, where they stand, and how far that is from the reader's own."""
    texts = {None: N_("{army} {place:at}"), 1: N_("{army} {place:at}, next to {node:the}"),
             0: N_("{army} {place:at}, where you are too") if one.met else N_(
                 "{army} {place:at}, which you hold")}
    return reader.wording.text(
        texts.get(one.steps, N_("{army} {place:at}, {n} {n?step|steps} from {node:the}")), n=one.steps or 0,
        node=one.spot, army=Verbatim(SPOKEN_LANGUAGES[reader.lang].listed(one.names)), place=one.node)


FEW_LINES = 5
"""More lines of a dossier with one label than these are folded."""
LONG_LINE = 60
"""A line with more letters, such as a rule, is left out where an earlier dossier of the same side says it."""


def battle_dossiers(reader: Reader, factions: Iterable[str]) -> tuple[Dossier, ...]:
    """The open battles to be fought on the table, one copy for each faction that takes part."""
    made: list[Dossier] = []
    for battle in reader.view.table(Battle):
        if reader.ruleset.battle_is_reported(battle) or getattr(battle, "status", "open") not in ("open", ""):
            continue
        for faction in factions:
            sentences = reader.ruleset.dossier(reader.view, battle, faction)
            if sentences:
                told = [(reader.wording.text(s.label) if s.label else "", reader.wording.text(s.text, **s.data))
                        for s in sentences]
                many = Counter(label for label, _ in told)
                told.sort(key=lambda line: [*many].index(line[0]))  # what has one label stands together
                before = {line for dossier in made for line in (*dossier.lines, *dossier.folded.items)
                          if dossier.side == reader.faction_name(faction) and len(line[1]) > LONG_LINE}
                told = [line for line in told if line not in before]
                made.append(Dossier(
                    reader.battle_title(battle), reader.faction_name(faction),
                    (*(line for line in told if many[line[0]] <= FEW_LINES), *_form_lines(reader, battle, faction)),
                    battle.battle,
                    Listing(tuple(line for line in told if many[line[0]] > FEW_LINES), 0,
                            reader.wording.text(N_("and {n} more on the sheet {sheet}"), sheet=reader.sheet(Battle)))))
    return tuple(made)


def _form_lines(reader: Reader, battle: Battle, faction: str) -> list[tuple[str, str]]:
    """The entries of a battle's form, with what the faction has filled in already."""
    _, form = reader.wording.text, reader.ruleset.form
    if form is None:
        return []
    columns = [battle.column(entry.name)
               for entry in form.entries if entry.name in form.line or entry.is_expected(battle)]
    told = [f"{c.heading(reader.lang)} ({c.hint(reader.lang)})" if c.hint(reader.lang) else c.heading(reader.lang)
            for c in columns]
    told += [sheet.sheet_it if reader.lang == "it" else _in_words(sheet.sheet) for sheet in form.sheets]
    lines = [(_("To be reported"), ", ".join(told))]
    reports = [(";" in q.answer and format_report(form, reader.view, q, reader.lang)) or q.answer.strip()
               for q in reports_on(reader.view, form.question, battle.battle) if q.to == faction]
    return lines + [(_("Reported so far"), _("{text} (it counts when the referee confirms it)", text=Verbatim(report)))
                    for report in reports]


def _in_words(sheet: str) -> str:
    """The name of a sheet as people write it: *Battle units*, not *BattleUnits*."""
    return re.sub(r"(?<=[a-z])[A-Z]", lambda capital_letter: f" {capital_letter[0].lower()}", sheet)


# Dice that the reader may know, and their proofs: hashes before the orders, secrets after the turn.
#
# Hashes and secrets come by audience; a page takes only those of its reader, whatever it is given.


Secrets = Mapping[str, Mapping[str, str]]
EVERYBODY = (PUBLIC, ALL)


def rulings_section(reader: Reader, commitments: Mapping[str, str], secrets: Secrets) -> Rulings | None:
    """The dice that the reader may know, with the hashes and secrets that prove them; None without any, or in a game
    without dice.
    """
    _ = reader.wording.text
    if not reader.view.has(Die.sheet):
        return None
    proofs = tuple(_proofs(reader, commitments, secrets))
    if not (reader.period.dice or proofs):
        return None
    how = _("Do you want to check the dice? A commitment is the SHA-256 of a secret that the report after the turn "
            "shows. With the secret and the purpose of a throw, anybody can work out the same dice again: ask the "
            "referee for the page on checking dice.")
    more = _("and {n} more in the form of this report for programs (JSON)")
    return Rulings(_("Dice and rulings"), _proof_table(reader), Listing(proofs, 0, more), how if proofs else "",
                   _dice_throws(reader, set(secrets)))


# --- hashes and secrets -----------------------------------------------------------------------
def _proofs(reader: Reader, commitments: Mapping[str, str], secrets: Secrets) -> Iterator[Proof]:
    """The hashes of the coming turn, then the secrets of each turn that is over."""
    _ = reader.wording.text
    turn = reader.view.desk.turn
    title = _("Dice of turn {turn}, commitments", turn=Verbatim(turn))
    for audience in _audiences_of(reader, commitments):
        yield Proof("commitment", turn, audience, title, _audience_label(reader, audience), commitments[audience])
    for turn in sorted(secrets, key=natural):
        title = _("Dice of turn {turn}, secrets", turn=Verbatim(turn))
        for audience in _audiences_of(reader, secrets[turn]):
            yield Proof("secret", turn, audience, title, _audience_label(reader, audience), secrets[turn][audience])


def _audiences_of(reader: Reader, audiences: Mapping[str, str]) -> list[str]:
    """The audiences that this reader belongs to, the widest and its own first."""
    mine = [audience for audience in audiences if may_know(reader, audience)]
    return sorted(mine, key=lambda audience: (audience not in EVERYBODY, audience != reader.faction,
                                              audience.count("+"), natural(audience)))


def may_know(reader: Reader, audience: str) -> bool:
    """Whether the hashes and revealed secrets of an audience are for this reader.

    Public ones are for all, others for the members of the audience; the referee's are for others when the campaign is
    over.
    """
    if reader.faction == REFEREE or audience in EVERYBODY:
        return True
    # what was thrown for the referee alone may concern anybody, so it stays secret while there is something to win
    if audience == REFEREE:
        return reader.ruleset.is_over(reader.view)
    return bool(reader.faction) and reader.faction in audience.split("+")


def _audience_label(reader: Reader, audience: str) -> str:
    _ = reader.wording.text
    if audience in EVERYBODY:
        return _("everybody's")
    if audience == REFEREE:
        return _("the referee's")
    if audience == reader.faction:
        return _("your own")
    others = [c for c in audience.split("+") if c != reader.faction]
    if reader.faction == REFEREE:
        return ", ".join(reader.faction_name(c) for c in others)
    return _("with {factions:the}", factions=others)


# --- rolls -----------------------------------------------------------------------------------
def _proof_table(reader: Reader) -> ReportTable:
    _ = reader.wording.text
    record = reader.view.table(Die).record
    columns = [c for c in record.columns() if c.key or c.name in ("dice", "value", "source")]
    thrown = sorted(reader.period.dice, key=lambda d: natural(d.ident))
    rows = tuple(tuple(TableCell(_throw_text(reader, d, c)) for c in columns) for d in thrown[:reader.rows])
    more = _("and {n} more on the sheet {sheet}", sheet=reader.sheet(Die))
    return ReportTable("", tuple(c.heading(reader.lang) for c in columns),
                       tuple(c.name == "value" for c in columns),
                       Listing(rows, max(len(thrown) - reader.rows, 0), more),
                       empty=_("No dice were thrown that you may see."))


def _throw_text(reader: Reader, die: Die, column: Column) -> str:
    """A cell of the table of dice: what a throw was for in words, since its key stands in the JSON of the page."""
    if column.name == "key":
        return ", ".join([reader.roll_title(die.key), *dict.fromkeys(_named_parts(reader, die.key))])
    if column.name == "phase":
        return reader.ruleset.phase_word(die.phase, reader.lang)
    if column.name == "value":
        faces = faces_of(die)
        came_to = reader.ruleset.die_came_to(reader.view, die.key, sum(faces)) if faces else None
        said = (reader.wording.text(came_to.text, **came_to.data),) if came_to is not None else ()
        return ": ".join((str(die.value), *said))
    if column.name == "source" and die.source == "table":  # a table may also be one to look up results
        return reader.wording.text(N_("people"))
    return reader.cell(column, getattr(die, column.name)).text


def _named_parts(reader: Reader, key: str) -> Iterator[str]:
    """What a throw was for, by name; turns and numbers are left out."""
    wording = reader.wording
    for sheet, part in parts_of_purpose(reader.ruleset, key) or [("", part) for part in PARTS.split(key)[1:]]:
        if sheet == Node.sheet:
            yield wording.names.text(part, "place")
        elif sheet not in ("turn", "n") and not part.isdecimal():
            yield wording.part_of_key(part, named=bool(sheet))


def _dice_throws(reader: Reader, proved: set[str]) -> tuple[DiceThrow, ...]:
    """Every roll in the reader's view that is new, of the present turn, or of a turn whose secrets are shown.

    Rolls that a correction has superseded are left out; the sheet still has them.
    """
    new = {d.ident for d in reader.period.dice}
    turns = {*proved, reader.view.desk.turn}
    dice = [d for d in reader.view.table(Die)
            if d.audience and not is_superseded(d.ident) and (d.ident in new or d.turn in turns)]
    return tuple(DiceThrow(d.key, d.dice, str(d.value), faces_of(d), d.turn, d.phase, d.source, d.audience,
                        secret_circle(d.audience)) for d in sorted(dice, key=lambda d: natural(d.ident)))


def faces_of(die: Die) -> tuple[int, ...]:
    """The faces of a roll; () if there is only a total, or a value that its dice cannot show."""
    try:
        return parse_roll(die.key, die.dice, str(die.value), die.audience).faces
    except ValueError:
        return ()


# Luck: expected against rolled, of the dice that the reader may know and that concern it.


OWN, OTHER = "own", "other"


class ThrowKind(NamedTuple):
    """Rolls that are counted together: the first word of the purpose, and whose roll it is."""

    word: str
    side: str


def luck_of_years(reader: Reader) -> tuple[Luck, ...]:
    """The luck of each year that ended in the period; of a finished campaign also that of all its years.

    For a rulebook that plays within one year it is counted at the end only.
    """
    _ = reader.wording.text
    year, over = reader.ruleset.year, reader.ruleset.is_over(reader.view)
    moments = dict.fromkeys((e.turn, e.phase) for _, e in reader.view.table(Event).in_file_order())
    now = "" if over else year(reader.view.desk.turn)
    ended = dict.fromkeys(year(turn) for turn, _ in reader.period.moments if year(turn) not in (now, ""))
    lucks = [luck_section(reader, {m for m in moments if year(m[0]) == ended_year},
                          _("Your luck in {year}", year=ended_year))
             for ended_year in ended]
    if over and (len({year(turn) for turn, _ in moments}) > 1 or not year(reader.view.desk.turn)):
        lucks.append(luck_section(reader, set(moments), _("Your luck in the whole campaign")))
    return tuple(luck for luck in lucks if luck is not None)


def luck_section(reader: Reader, moments: Container[Moment], title: str) -> Luck | None:
    """The luck of a reader in some phases; None if no die concerns it. For the referee: of all dice."""
    tallies: dict[ThrowKind, Tally] = {}
    for kind, roll in _counted_throws(reader, moments):
        tallies.setdefault(kind, Tally()).add(roll)
    if not tallies:
        return None
    kinds = sorted(tallies, key=lambda kind: (natural(_title(reader, kind)), kind))
    total = Tally()
    for kind in kinds:
        total += tallies[kind]
    rows = tuple(_row(kind, tallies[kind]) for kind in kinds)
    return Luck(title, _luck_sentences(reader, total), _luck_table(reader, kinds, tallies), rows)


# --- which throws -----------------------------------------------------------------------------
def _counted_throws(reader: Reader, moments: Container[Moment]) -> Iterator[tuple[ThrowKind, Mapping[str, Any]]]:
    """Every roll that counts, once, with its kind."""
    seen: set[str] = set()
    record = reader.view.table(Die).record
    everything = reader.faction == REFEREE
    for _, event in reader.view.table(Event).in_file_order():
        if (event.turn, event.phase) not in moments or not (everything or reader.concerns(event)):
            continue
        for roll in event.roll.get("rolls", [event.roll]):
            kind = throw_kind(reader, event, roll)
            if kind is None:
                continue
            # one throw may stand in several events: its row among the dice tells it from others
            row = record(key=str(roll["key"]), turn=event.turn, phase=event.phase).ident
            if row not in seen:
                seen.add(row)
                yield kind, roll
    if everything:
        yield from _throws_without_event(reader, moments, seen)


def _throws_without_event(
    reader: Reader, moments: Container[Moment], seen: set[str]
) -> Iterator[tuple[ThrowKind, Mapping[str, Any]]]:
    """Rolls without an event; only the referee's report can know whom they concern."""
    for die in reader.view.table(Die):
        if die.ident in seen or is_superseded(die.ident) or not die.audience or (die.turn, die.phase) not in moments:
            continue
        try:
            roll = parse_roll(die.key, die.dice, str(die.value), die.audience)
        except ValueError:  # a cell of the Dice sheet that was changed by hand
            continue
        data = {**roll.as_data(), "typed": die.source == "table"}
        yield ThrowKind(purpose_word(die.key), ""), data


def throw_kind(reader: Reader, event: Event, roll: Mapping[str, Any]) -> ThrowKind | None:
    """The kind of an event's roll; None if it has no roll, or in public news for somebody else's roll."""
    try:
        key = str(roll["key"])
        sides_of(str(roll["dice"]))
    except (KeyError, ValueError):
        return None
    side = "" if reader.faction == REFEREE else _side_of_throw(reader, event, key)
    return None if side == OTHER and event.audience == ALL else ThrowKind(purpose_word(key), side)


def purpose_word(key: str) -> str:
    """The first word of a purpose: ``siege`` of ``siege:V8:1500:3`` or ``siege/V8``."""
    return PARTS.split(key, 1)[0]


def _side_of_throw(reader: Reader, event: Event, key: str) -> str:
    """Whose roll it is: by the event's parameter that the ruleset declares, else by the purpose; "" for nobody."""
    by = thrower_of(reader, event, key)
    named = {by} if by else set(PARTS.split(key)[1:])
    factions = named & {f.faction for f in reader.view.table(Faction)}
    if not factions:
        return ""
    return OWN if reader.faction in factions else OTHER


def thrower_of(reader: Reader, event: Event, key: str) -> str:
    """Whose throw it is by the event's parameter that the ruleset declares; "" for none."""
    kind = reader.ruleset.rolls.get(purpose_word(key))
    return str(event.data.get(kind.by) or "") if kind is not None and kind.by else ""


# --- in words ---------------------------------------------------------------------------
def _title(reader: Reader, kind: ThrowKind) -> str:
    _ = reader.wording.text
    title = reader.roll_title(kind.word)
    if kind.side == OWN:
        return _("{kind}: yours", kind=title)
    return _("{kind}: the other side", kind=title) if kind.side == OTHER else title


def _luck_sentences(reader: Reader, total: Tally) -> tuple[str, ...]:
    words, n = reader.wording, total.dice
    rolled, expected = words.number(total.rolled), format_fraction(words, total.expected, 1)
    if reader.faction == REFEREE:
        sentences = [words.plural(N_("{n} die was thrown: it came to {rolled}, {expected} was to be expected."),
                                  N_("{n} dice were thrown: they came to {rolled}, {expected} was to be expected."), n,
                                  rolled=rolled, expected=expected)]
    else:
        sentences = [words.plural(N_("{n} die concerns you: it came to {rolled}, {expected} was to be expected."),
                                  N_("{n} dice concern you: they came to {rolled}, {expected} was to be expected."), n,
                                  rolled=rolled, expected=expected)]
    if total.trials:
        sentences.append(words.plural(
            N_("{n} throw had to reach a target: {passed} did, {expected} was to be expected."),
            N_("{n} throws had to reach a target: {passed} did, {expected} was to be expected."), total.trials,
            passed=words.number(total.passed), expected=format_fraction(words, total.chance, 1)))
    if total.typed:
        sentences.append(words.plural(N_("{n} of the dice was thrown at the table."),
                                      N_("{n} of the dice were thrown at the table."), total.typed))
    return tuple(sentences)


def _luck_table(reader: Reader, kinds: list[ThrowKind], tallies: Mapping[ThrowKind, Tally]) -> ReportTable:
    _ = reader.wording.text
    rows = []
    for kind in kinds:
        tally, words = tallies[kind], reader.wording
        due = format_fraction(words, tally.chance, 1)
        passed = f"{words.number(tally.passed)}/{words.number(tally.trials)} ({due})"
        rows.append(
            (
                TableCell(_title(reader, kind)),
                reader.number(tally.dice),
                TableCell(format_fraction(words, tally.expected / tally.dice, 2)),
                TableCell(format_fraction(words, Fraction(tally.rolled, tally.dice), 2)),
                TableCell(passed if tally.trials else "–"),
            )
        )
    headings = (_("Throws"), _("Dice"), _("Expected"), _("Rolled"), _("Target reached"))
    note = _("Expected and rolled are the average of one die. Target reached: how many of how many throws, and in "
             "brackets how many to expect of fair dice with the same modifiers. A few dice say little.")
    return ReportTable("", headings, (False, True, True, True, True), Listing(tuple(rows)), note)


def _row(kind: ThrowKind, tally: Tally) -> LuckRow:
    return LuckRow(kind.word, kind.side, tally.dice, tally.typed, tally.rolled, str(tally.expected), tally.trials,
                   tally.passed, str(tally.chance))


def format_fraction(words: Wording, value: Fraction, places: int) -> str:
    """A fraction, 0 or more, with so many decimal places in the language; halves are rounded up."""
    whole, rest = divmod(int(value * 10**places + Fraction(1, 2)), 10**places)
    return f"{words.number(whole)}{',' if words.lang == 'it' else '.'}{rest:0{places}}"
