"""The book of a war: what it says, from one view of the campaign, and that as one HTML page."""

from __future__ import annotations

import hashlib
import unicodedata
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Column, Data, Ref, Text
from assistant.campaign.records import (
    ALL,
    OWNERLESS,
    REFEREE,
    Battle,
    Desk,
    Event,
    Faction,
    FindingRow,
    InboxRow,
    Node,
    names_held,
)
from assistant.campaign.tables import Record, Table
from assistant.pictures.charts import Chart, ChartLine, Panel, public_figures
from assistant.pictures.colours import faction_colours
from assistant.pictures.layout import clean_text
from assistant.pictures.render import template_environment
from assistant.reporting import facts
from assistant.reporting.build import build_end, figures_table
from assistant.reporting.pages import Listing, ReportTable, TableCell
from assistant.reporting.reader import PARTS, Reader, behind_colon, capital, clean_page
from assistant.reporting.shorten import bare_line, is_throw
from assistant.speech import name_in
from assistant.turn.chances import Tally
from assistant.turn.event_types import codes_in
from assistant.turn.messages import COMMON_EVENTS
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording, campaign_title, named_wording

# What everybody may know once the campaign is over: every secret of the play, and nothing else of the referee's.


PRIVATE: Mapping[str, tuple[str, ...]] = {
    Faction.sheet: ("mail", "deputy", "holidays"), Desk.sheet: ("campaign_id", "marks")}
"""Sheet -> columns about people and files, not about the play."""
NOTES = ("note",)
"""Columns in which people write to each other."""
NO_PART_OF_PLAY: tuple[type[Record], ...] = (InboxRow, FindingRow)


def disclose(campaign: Campaign) -> Campaign:
    """The whole campaign without addresses, club codes, the referee's notes and mails: what is left is the play's."""
    shown = campaign.copy()
    for sheet, record in campaign.records().items():
        if issubclass(record, NO_PART_OF_PLAY):
            shown.put(Table(record, []))
            continue
        hidden = {c.name: c.hidden for c in record.columns() if c.name in (*PRIVATE.get(sheet, ()), *NOTES)}
        rows = [(key, row.with_values(hidden) if hidden else row)
                for key, row in campaign.by_sheet(sheet).raw_rows() if not _is_note(row)]
        if hidden or len(rows) < len(campaign.by_sheet(sheet)):
            shown.put(Table.of(record, rows))
    return shown


def _is_note(row: Record) -> bool:
    return isinstance(row, Event) and row.event in COMMON_EVENTS and row.audience != ALL


# The parts of the book.


@dataclass(frozen=True)
class Saying:
    """A sentence of the running text. `secret`: not everybody knew it then."""

    text: str
    secret: bool = False


@dataclass(frozen=True)
class Passage:
    """A paragraph. `title`: the month or season it tells of, "" for the turn itself."""

    title: str
    sayings: tuple[Saying, ...]


@dataclass(frozen=True)
class BookChapter:
    """A turn. `anchor`: its id in the page."""

    anchor: str
    title: str
    passages: tuple[Passage, ...]


@dataclass(frozen=True)
class BattleCard:
    """A battle. `small`: its code; `tables`: what its form says, losses, dice."""

    anchor: str
    title: str
    when: str
    small: str
    sides: str
    sayings: tuple[Saying, ...]
    tables: tuple[ReportTable, ...]


@dataclass(frozen=True)
class IndexEntry:
    """A place or a person. `links`: label and anchor of the chapters and battles that tell of it."""

    name: str
    links: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Plate:
    """A picture of the book. `src`: as in HTML; `alt`: what it shows; `caption`: the moment."""

    src: str
    alt: str
    caption: str


@dataclass(frozen=True)
class BookPart:
    """A part that consists of sentences and tables; `empty` where it has neither."""

    title: str
    sayings: tuple[str, ...] = ()
    tables: tuple[ReportTable, ...] = ()


@dataclass(frozen=True)
class BookHeadings:
    """Headings of parts that carry no title of their own, and the hint beside the slider."""

    maps: str
    charts: str
    battles: str
    index: str
    contents: str
    hint: str


@dataclass(frozen=True)
class Chronicle:
    """The whole book, every text in its final words; a part that has nothing to tell is None or ().

    `span`: its first and last turn; `about`: whose knowledge it is; `finis`: the sentence at its end.
    """

    lang: str
    title: str
    rulebook: str
    span: str
    about: str
    over: bool
    factions: tuple[TableCell, ...]
    headings: BookHeadings
    chapters: tuple[BookChapter, ...]
    battles: tuple[BattleCard, ...]
    treaties: BookPart | None
    aims: BookPart | None
    luck: BookPart | None
    index: tuple[tuple[str, tuple[IndexEntry, ...]], ...]
    winner: BookPart
    finis: str




class BookReader(Reader):
    """The reader of the book, who knows places by their names and not by their codes."""

    def place(self, code: str) -> str:
        """The name of a place, or its code."""
        node = self.view.table(Node).get(code)
        return code if node is None else node.name_in(self.lang) or code


def book_wording(ruleset: Ruleset, view: Campaign, lang: str) -> Wording:
    """Words that call everything by its name, without codes; what has none by whose it is, with its code behind."""
    return named_wording(ruleset, view, lang, codes=False)


def build_chronicle(ruleset: Ruleset, view: Campaign, lang: str, *, public: Campaign, revealed: bool = False
                    ) -> Chronicle:
    """What the book says, in a language.

    `view`: what is told: everybody's view, or with `revealed` what `disclose` leaves of the campaign; `public`:
    everybody's view, by which the victory is told.
    """
    wording = book_wording(ruleset, view, lang)
    reader = BookReader.of(ruleset, view, REFEREE if revealed else "", wording)
    _ = wording.text
    over = ruleset.is_over(view)
    told = _without_days_of_sieges(reader, [e for e in reader.period.events if _belongs_to_story(reader, e)])
    mentions = Mentions({**_places(reader), **_people(reader)})
    chapters = _chapters(reader, told, mentions)
    battles = _battle_cards(reader, mentions)
    about = _("With every secret: what not everybody knew at the time is in italics.") if revealed else _(
        "Told of what everybody may know.")
    turns = [chapter.title for chapter in chapters]
    made = Chronicle(
        wording.lang, campaign_title(view.desk, wording), _(ruleset.title),
        (f"{turns[0]} – {turns[-1]}" if len(turns) > 1 else "".join(turns)), about, over,
        tuple(TableCell(row.name(wording.lang), colour=reader.colour(row.faction)) for row in _players(view)),
        BookHeadings(_("The maps"), _("Places and money"), _("The battles"),
                     _("Places and people") if _people(reader) else _("Places"),
                     _("What is in this book"), _("Move the slider to go through the maps.")),
        chapters, battles, _treaties(reader, told), _aims(reader), _luck(reader), _index(reader, mentions),
        _winner(ruleset, public, reader, over),
        _("Here the book ends.") if over else _("To be continued: the campaign is not over."))
    return clean_page(made)  # type: ignore[no-any-return]


def _players(view: Campaign) -> list[Faction]:
    return [row for row in view.table(Faction) if row.role not in OWNERLESS]


# --- chapters ------------------------------------------------------------------------------------------------
MOST_SAYINGS = 14
"""At most so many sentences in a paragraph, the weightiest."""
TOLD_ANYWAY = 3
"""The weight up to which an event is told ..."""
SECRET_TOLD = 2
"""The same where not everybody heard of it."""
FEWEST = 3
"""... and so many lighter ones where there is less than that."""
ACCOUNTS = ("money", "supply")
"""Categories of events of which only those for all are told."""


class Mentions:
    """Which part of the book tells of which places and people. `names`: code -> name; `links`: code -> label of a part
    -> its anchor.
    """

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names
        self.links: dict[str, dict[str, str]] = {}

    def note(self, events: Iterable[Event], sayings: Iterable[Saying], label: str, anchor: str) -> None:
        """Note the places and people that events name, if the text names them, too."""
        text = " ".join(saying.text for saying in sayings)
        codes = dict.fromkeys(code for event in events for value in event.data.values()
                              if isinstance(value, str | list | tuple) for code in codes_in(value))
        for code in codes:
            if code in self.names and self.names[code] in text:
                self.links.setdefault(code, {}).setdefault(label, anchor)


def _belongs_to_story(reader: Reader, event: Event) -> bool:
    kind = reader.kind(event)
    if event.audience != ALL and (kind.category in ACCOUNTS or kind.weight > SECRET_TOLD):
        return False
    return kind.weight <= facts.LIGHTEST and not is_throw(reader, event)


def turn_title(ruleset: Ruleset, turn: str, lang: str) -> str:
    """The heading of a turn's chapter."""
    return capital(ruleset.turn_name(turn, lang))


def part_title(ruleset: Ruleset, turn: str, phase: str, lang: str) -> str:
    """The month or season of a phase within its turn; "" for none, or for a phase that the calendar does not know."""
    return capital(ruleset.calendar.chapter(turn, phase, lang))


def _chapters(reader: Reader, events: list[Event], mentions: Mentions) -> tuple[BookChapter, ...]:
    """A chapter for each turn of which there is something to tell."""
    turns: dict[str, dict[str, list[Event]]] = {}
    for event in events:
        part = part_title(reader.ruleset, event.turn, event.phase, reader.lang)
        turns.setdefault(event.turn, {}).setdefault(part, []).append(event)
    made = []
    for number, (turn, parts) in enumerate(turns.items(), 1):
        anchor, title = f"chapter-{number}", turn_title(reader.ruleset, turn, reader.lang)
        chosen = {part: _pick(reader, _without_openings(reader, told)) for part, told in parts.items()}
        passages = tuple(Passage(part, _sayings(reader, told)) for part, told in chosen.items() if told)
        made.append(BookChapter(anchor, title, passages))
        for passage, told in zip(passages, filter(None, chosen.values()), strict=True):
            mentions.note(told, passage.sayings, title, anchor)
    return tuple(made)


def _without_days_of_sieges(reader: Reader, events: list[Event]) -> list[Event]:
    """The events; of a siege in which the same happened several times running the last time, and its end once."""
    following: dict[tuple[str, str], Event] = {}
    kept = []
    for event in reversed(events):
        place = reader.node_of(event) if reader.kind(event).category == "sieges" else ""
        after = following.get((event.turn, place)) if place else None
        if place:
            following[event.turn, place] = event
        again = after is not None and event.event == after.event and event.data.get("besieger") == after.data.get(
            "besieger")
        ended = after is not None and event.phase == after.phase and not (
            reader.kind(event).weight or reader.kind(after).weight)
        if not again and not ended:
            kept.append(event)
    return kept[::-1]


def _without_openings(reader: Reader, events: list[Event]) -> list[Event]:
    """The events without what led to a battle whose result is told among them: that stands with the battle."""
    def battle_code(event: Event) -> str:
        battle = reader.battle_of(event) if reader.kind(event).category == "battles" else None
        return battle.battle if battle is not None else ""

    results = {code: event.no for event in events if "winner" in event.data or "outcome" in event.data
               if (code := battle_code(event))}
    return [event for event in events if event.no >= results.get(battle_code(event), event.no)]


def _pick(reader: Reader, events: list[Event]) -> list[Event]:
    """The events that a paragraph tells, in order of time."""
    by_weight = sorted(events, key=lambda e: (reader.kind(e).weight, e.no))
    heavy = [event for event in by_weight if reader.kind(event).weight <= TOLD_ANYWAY]
    chosen = heavy[:MOST_SAYINGS] if len(heavy) >= FEWEST else by_weight[:FEWEST]
    return sorted(chosen, key=lambda e: e.no)


def _sayings(reader: Reader, events: Iterable[Event]) -> tuple[Saying, ...]:
    """Sentences, each once; one that everybody knew from any of its events is no secret."""
    told: dict[str, bool] = {}
    for event in events:
        line = bare_line(reader, event)
        before = list(filter(None, (_hearer(reader, event), line.place)))
        text = ": ".join((*before, behind_colon(line.text) if before else line.text))
        text = text if text.rstrip(" )»”\"").endswith((".", "!", "?", "…")) else f"{text}."
        told[text] = told.get(text, True) and event.audience != ALL
    return tuple(Saying(text, secret) for text, secret in told.items())


def _hearer(reader: Reader, event: Event) -> str:
    """The one faction that was told of an event, whose sentence may say *you*; "" where others heard of it, too."""
    row = reader.view.table(Faction).get(event.audience)
    return "" if row is None else row.name(reader.lang)


# --- battles -------------------------------------------------------------------------------------------------
FEWEST_ROWS = 3
"""What a form says in fewer rows stands in sentences."""
NOT_FOUGHT = ("open", "void", "superseded")
"""The statuses of battles of which there is nothing to tell."""
LEFT_OUT = ("turn", "node", "status", "played", "mode", "papers", *NOTES)
"""Columns of a battle that its heading or its sentences say, or that are about how it was handed in."""


def _battle_cards(reader: Reader, mentions: Mentions) -> tuple[BattleCard, ...]:
    """The battles that were fought, in order of time, with all that the reader may know of them."""
    view, made = reader.view, []
    if not view.has(Battle.sheet):
        return ()
    rows = [row for _, row in view.table(Battle).in_file_order()
            if str(getattr(row, "status", "")) not in NOT_FOUGHT and row.hold != "typed"]
    first = {event.turn: event.no for event in reversed(reader.period.events)}
    rows.sort(key=lambda row: first.get(row.turn, len(first)))
    for number, row in enumerate(rows, 1):
        anchor = f"battle-{number}"
        title = reader.wording.sentence(N_("{battle:the}"), {"battle": row.battle}) if row.node else (
            reader.wording.text(N_("A battle")))
        when = turn_title(reader.ruleset, row.turn, reader.lang)
        events = [event for event in reader.period.events if _is_of_battle(reader, event, row)]
        sayings = _sayings(reader, (event for event in events if not is_throw(reader, event)))
        form = _form_of(reader, row)
        if len(form) < FEWEST_ROWS:
            sayings = (*sayings, *(Saying(f"{name.text}: {value.text}.") for name, value in form))
            form = ()
        table = ReportTable("", (reader.wording.text(N_("What")), reader.wording.text(N_("How it was"))),
                            (False, False), Listing(form))
        made.append(BattleCard(
            anchor, title, when, row.battle, _sides(reader, row), sayings, tuple(
                one for one in (table, *_losses(reader, row), _throws(reader, events)) if one and one.rows.items)))
        label = reader.wording.text(N_("a battle, {when}"), when=Verbatim(when))
        mentions.note(events, sayings, label, anchor)
        if row.node in mentions.names:
            mentions.links.setdefault(row.node, {}).setdefault(label, anchor)
    return tuple(made)


RESULT = ("outcome", "winner")
"""Columns that say who won, which the sentence above the form has said."""


def _is_of_battle(reader: Reader, event: Event, row: Battle) -> bool:
    """Whether an event tells of a battle: it names it, or is about fighting at its place in its turn."""
    if event.turn != row.turn:
        return False
    if any(row.battle in codes_in(value) for value in event.data.values() if isinstance(value, str | list | tuple)):
        return True
    other = str(event.data.get("battle", ""))
    return not other and bool(row.node) and reader.kind(event).category == "battles" and (
        reader.node_of(event) == row.node)


def _sides(reader: Reader, row: Battle) -> str:
    """Who fought whom, where the form has a column for each side."""
    named = [getattr(row, c.name) for c in row.columns() if isinstance(c.kind, Ref) and c.kind.table == Faction.sheet]
    first = [code for code in dict.fromkeys(named) if code][:2]
    if len(first) < 2:
        return ""
    return capital(reader.wording.text(N_("{a:the} against {b:the}"), a=first[0], b=first[1]))


def _form_of(reader: Reader, row: Battle) -> tuple[tuple[TableCell, TableCell], ...]:
    """What the form of a battle says, a row for each column that says something: heading and value. What nobody filled
    in says nothing.
    """
    form = reader.ruleset.form
    blank = {entry.name: entry.blank for entry in form.entries} if form is not None else {}
    columns = [c for c in row.columns() if not c.key and c.name not in LEFT_OUT and not isinstance(c.kind, Data)
               and c.tells(getattr(row, c.name)) and getattr(row, c.name) != blank.get(c.name)
               and not (c.name in RESULT and reader.outcome(row))
               and not (isinstance(c.kind, Ref) and c.kind.table == Faction.sheet)]
    return tuple((TableCell(c.heading(reader.lang)), _cell(reader, row, c)) for c in columns)


def _losses(reader: Reader, row: Battle) -> Iterator[ReportTable]:
    """The further parts of the form: losses of units and the like."""
    for record in reader.ruleset.forms:
        rows: list[Any] = [part for part in reader.view.table(record)
                           if part.battle == row.battle and part.status != "superseded"]
        columns = [c for c in record.columns() if c.name not in ("battle", *LEFT_OUT)
                   and any(c.tells(getattr(part, c.name)) for part in rows)]
        if rows and columns:
            yield ReportTable(
                record.sheet_it if reader.lang == "it" else record.sheet,
                tuple(c.heading(reader.lang) for c in columns), tuple(False for _ in columns),
                Listing(tuple(tuple(_of_side(reader, row, part, c) or _cell(reader, part, c) for c in columns)
                              for part in rows)))


def _of_side(reader: Reader, row: Battle, part: Record, column: Column) -> TableCell | None:
    """The side of a part of a form by the names of who fought on it, where the form has a letter for it (``A``)."""
    letters = dict(zip("AD", row.sides, strict=True))
    codes = letters.get(str(getattr(part, column.name)), ()) if column.name == "side" else ()
    return TableCell(", ".join(map(reader.wording.names.text, codes))) if codes else None


def _cell(reader: Reader, row: Record, column: Column) -> TableCell:
    """A field of a battle as a cell: codes by their names (``A-1=V2``: the name of each), and the word for a side by
    the name of the faction that stands in its column.
    """
    value = getattr(row, column.name)
    sides = {c.name.removeprefix("side_"): getattr(row, c.name) for c in row.columns()
             if isinstance(c.kind, Ref) and c.kind.table == Faction.sheet}
    if isinstance(value, str) and sides.get(value):
        return TableCell(reader.faction_name(sides[value]), colour=reader.colour(sides[value]))
    if isinstance(value, str) and isinstance(column.kind, Text):
        called = reader.wording.names.text
        return TableCell(capital(", ".join(": ".join(map(called, part.split("="))) for part in value.split())))
    return reader.cell(column, value, row.sheet)


def _throws(reader: Reader, events: Iterable[Event]) -> ReportTable | None:
    """The dice of a battle that its events tell."""
    _ = reader.wording.text
    lines = [reader.line(event, with_place=False) for event in events if event.roll]
    rows = tuple((TableCell(line.text), TableCell(line.roll or "–")) for line in lines if line.roll)
    return ReportTable(_("Dice"), (_("What"), _("Throw")), (False, False), Listing(rows)) if rows else None


# --- treaties ------------------------------------------------------------------------------------------------
STEPS = {"made": N_("in force"), "kept": N_("kept to its end"), "broken": N_("broken by {by:the}"),
         "ended": N_("dissolved")}
"""What became of a treaty, by the last that was told of it."""


@dataclass
class _Treaty:
    parties: tuple[str, ...]
    made: str = ""
    step: str = "made"
    when: str = ""
    by: str = ""


def _treaties(reader: Reader, events: Iterable[Event]) -> BookPart | None:
    """Each treaty with its parties, and whether it was kept; None in a rulebook without treaties."""
    declared = reader.ruleset.treaties
    if not declared:
        return None
    _ = reader.wording.text
    known: list[_Treaty] = []
    for event in events:
        meaning = declared.get(event.event)
        if meaning is None:
            continue
        pair = tuple(sorted(str(event.data.get(name, "")) for name in meaning.parties))
        when = reader.when(event.turn, event.phase)
        before = next((treaty for treaty in reversed(known) if treaty.parties == pair), None)
        if meaning.step == "made":
            known.append(_Treaty(pair, when))
        else:
            treaty = before or _Treaty(pair)
            if before is None:
                known.append(treaty)
            if treaty.step == "broken":
                continue  # that it then ended follows from that
            treaty.step, treaty.when, treaty.by = meaning.step, when, str(event.data.get(meaning.by, ""))
    title = _("Treaties, kept and broken")
    if not known:
        return BookPart(title, (_("Nobody was told of a treaty."),))
    rows = tuple((TableCell(_("{a} and {b}", a=t.parties[0], b=t.parties[-1])), TableCell(t.made or "–"),
                  TableCell(_(STEPS[t.step], by=t.by)), TableCell(t.when or "–")) for t in known)
    return BookPart(title, (), (ReportTable("", (_("Between"), _("Made"), _("What became of it"), _("When")),
                                            (False,) * 4, Listing(rows)),))


# --- objectives, luck ----------------------------------------------------------------------------------------
def _aims(reader: Reader) -> BookPart | None:
    """What each faction strove for, as far as the reader may know; None for nothing."""
    declared = [table for table in reader.ruleset.aims(reader.view, reader.lang) if table.rows]
    tables = facts.declared_tables(replace(reader, rows=len(reader.view.table(Faction)) * 50), declared, "")
    return BookPart(reader.wording.text(N_("What they strove for")), (), tables) if tables else None


HIGH_AND_LOW = (
    N_("The highest dice: {who}. {n} {n?die|dice} came to {got}; {expected} was to be expected."),
    N_("The lowest dice: {who}. {n} {n?die|dice} came to {got}; {expected} was to be expected."))
LUCKY_AND_NOT = (
    N_("Luckiest: {who}. Of {n} {n?throw|throws} against a target {got} reached it; to be expected: {expected}."),
    N_("Unluckiest: {who}. Of {n} {n?throw|throws} against a target {got} reached it; to be expected: {expected}."))


FEWEST_DICE = 10
"""Fewer dice say nothing of anybody's luck."""


def _luck(reader: Reader) -> BookPart | None:
    """How often each faction's throws reached their target, against what fair dice would have done, the luckiest
    first; in a game that has hardly any targets how high the dice fell. None where fewer than two factions threw
    `FEWEST_DICE` of which the reader may know.
    """
    tallies = {code: tally for code, tally in _tallies(reader).items() if tally.dice >= FEWEST_DICE}
    texts, first = LUCKY_AND_NOT, N_("Throws")
    counted = {code: (tally.trials, tally.passed, tally.chance) for code, tally in tallies.items()
               if tally.trials >= FEWEST_DICE}
    # in a rulebook whose throws seldom have a target, what the dice show is all that there is to compare
    if len(counted) < max(2, len(tallies) / 2):
        texts, first = HIGH_AND_LOW, N_("Dice")
        counted = {code: (tally.dice, tally.rolled, tally.expected) for code, tally in tallies.items()}
    ranked = sorted(counted, key=lambda code: (counted[code][2] - counted[code][1], code))
    if len(ranked) < 2:
        return None
    _, words = reader.wording.text, reader.wording
    said, rows = [], []
    for text, code in zip(texts, (ranked[0], ranked[-1]), strict=True):
        n, got, expected = counted[code]
        said.append(_(text, who=code, n=n, got=words.number(got),
                      expected=Verbatim(facts.format_fraction(words, expected, 1))))
    for code in ranked:
        n, got, expected = counted[code]
        rows.append((TableCell(reader.faction_name(code), colour=reader.colour(code)), reader.number(n),
                     reader.number(got), TableCell(facts.format_fraction(words, expected, 1)),
                     TableCell(_signed_tenths(words, got - expected))))
    reached = N_("Target reached") if texts is LUCKY_AND_NOT else N_("Rolled")
    return BookPart(_("The luckiest and the unluckiest"), tuple(said), (ReportTable(
        "", (_("Faction"), _(first), _(reached), _("Expected"), _("Luck")), (False, True, True, True, True),
        Listing(tuple(rows))),))


def _signed_tenths(words: Wording, value: Fraction) -> str:
    shown = facts.format_fraction(words, abs(value), 1)
    return shown if value == 0 else ("+" if value > 0 else "−") + shown


def _tallies(reader: Reader) -> dict[str, Tally]:
    """The throws that the reader may know of, each once, by the faction that threw."""
    owners, tallies, seen = _owners(reader.view), dict[str, Tally](), set[tuple[str, str, str]]()
    of_anybody = replace(reader, faction=REFEREE)  # on the same view: others' throws count, too
    for event in reader.period.events:
        for roll in event.roll.get("rolls", [event.roll]) if event.roll else ():
            # one throw may stand in several events, and a die typed anew in several rows
            key = (event.turn, event.phase, str(roll.get("key")))
            whose = _thrower(reader, event, key[2], owners)
            if whose and key not in seen and facts.throw_kind(of_anybody, event, roll) is not None:
                seen.add(key)
                tallies.setdefault(whose, Tally()).add(roll)
    return tallies


def _owners(view: Campaign) -> dict[str, str]:
    """Faction -> itself, and code of a row that is one faction's -> that faction."""
    players = {row.faction for row in _players(view)}
    owners = {row.ident: row.owners[0] for record in view.records().values()
              if record.unique and not record.grows and isinstance(record.whose, tuple)
              for row in view.table(record) if len(row.owners) == 1 and row.owners[0] in players}
    return {**owners, **{code: code for code in players}}


def _thrower(reader: Reader, event: Event, key: str, owners: Mapping[str, str]) -> str:
    """The faction whose throw it is: by the event's parameter that the ruleset declares, else by what the purpose
    names; "" for nobody's alone.
    """
    by = facts.thrower_of(reader, event, key)
    named = [by] if by else PARTS.split(key)[1:]
    whose = {owners[code] for code in named if code in owners}
    return whose.pop() if len(whose) == 1 else ""


# --- index, end ----------------------------------------------------------------------------------------------
def _index(reader: Reader, mentions: Mentions) -> tuple[tuple[str, tuple[IndexEntry, ...]], ...]:
    """Places and people that are told of, each with where."""
    parts = ((reader.wording.text(title), _entries(codes, mentions))
             for title, codes in ((N_("Places"), _places(reader)), (N_("People"), _people(reader))))
    return tuple(part for part in parts if part[1])


def _places(reader: Reader) -> dict[str, str]:
    return {node.node: name for node in reader.view.table(Node) if (name := node.name_in(reader.lang))}


def _people(reader: Reader) -> dict[str, str]:
    return {row.ident: name_in(row, reader.lang) or names_held(row)[0] for record in reader.ruleset.records
            if record.persons for row in reader.view.table(record) if names_held(row)}


def _entries(codes: Mapping[str, str], mentions: Mentions) -> tuple[IndexEntry, ...]:
    listed = sorted(codes.items(), key=lambda pair: (_alphabetic(pair[1]), pair[0]))
    return tuple(IndexEntry(name, tuple(mentions.links[code].items())) for code, name in listed
                 if code in mentions.links)


def _alphabetic(name: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", name.casefold()) if not unicodedata.combining(c))


def _winner(ruleset: Ruleset, public: Campaign, reader: Reader, over: bool) -> BookPart:
    """Who has won and how that was counted; of a campaign that goes on how all stand."""
    if not over:
        standings = figures_table(reader, "", ruleset.standings(reader.view))
        return BookPart(reader.wording.text(N_("How all stand")), (), standings)
    page = build_end(ruleset, public, reader.wording)
    return BookPart(page.band.title, (*page.band.lines, *page.dues), page.tables)


# Charts of the book.


MOST_PANELS = 6
"""Of figures other than places."""
LONGEST_LABEL = 18
"""Letters of a faction's name in a chart."""
GREY = "#6b6b6b"
Series = Mapping[str, tuple[float | None, ...]]


def chronicle_chart(ruleset: Ruleset, views: Sequence[Campaign], moments: Sequence[str], wording: Wording, *,
                    revealed: bool = False) -> Chart | None:
    """Places and money of all over the campaign; None with fewer than two moments, or nothing to show.

    `views`: as for `build_chronicle`, one a moment; `moments`: the turn before each; `revealed`: also with
    the figures of each faction's own report.
    """
    if len(views) < 2:
        return None
    known = public_figures(ruleset, views)
    series: dict[str, Series] = {wording.text(N_("Places")): known.held} if known.held else {}
    more = _own_figures(ruleset, views) if revealed else {**known.others, N_("Money"): _money(ruleset, views)}
    for label, lines in list(more.items()):
        if any(len(set(values) - {None}) > 1 for values in lines.values()) and lines != known.held:
            series.setdefault(wording.figure(label), lines)
    panels = tuple(Panel(title, _lines(views[-1], wording.lang, lines), wording.number)
                   for title, lines in list(series.items())[:1 + MOST_PANELS])
    feet = tuple(text[:LONGEST_LABEL] if text not in moments[:n] else "" for n, text in enumerate(moments))
    return Chart(wording.lang, "", feet, panels) if panels else None


def _own_figures(ruleset: Ruleset, views: Sequence[Campaign]) -> dict[str, Series]:
    """The figures at the top of all factions' reports: label -> faction -> values."""
    codes = [row.faction for row in _players(views[-1])]
    glances = {code: [dict(ruleset.glance(view, code)) if code in view.table(Faction) else {} for view in views]
               for code in codes}
    labels = dict.fromkeys(label for rows in glances.values() for row in rows for label in row)
    return {label: {code: tuple(row.get(label) for row in rows) for code, rows in glances.items()
                    if any(label in row for row in rows)} for label in labels}


def _money(ruleset: Ruleset, views: Sequence[Campaign]) -> Series:
    """The money of each faction whose accounts the views show, at each moment."""
    def last(view: Campaign, code: str) -> int | None:
        booked = ruleset.bookings(view, code)
        return booked[-1].balance if booked else None

    money = {row.faction: tuple(last(view, row.faction) for view in views) for row in _players(views[-1])}
    return {code: values for code, values in money.items() if any(value is not None for value in values)}


def _lines(view: Campaign, lang: str, series: Series) -> tuple[ChartLine, ...]:
    colours = faction_colours(view.table(Faction))
    made = []
    for code, values in series.items():
        row = view.table(Faction).get(code)
        name = clean_text(row.name(lang) if row is not None else code)
        label = name if len(name) <= LONGEST_LABEL else f"{name[:LONGEST_LABEL - 1]}…"
        if any(value is not None for value in values):
            made.append(ChartLine(label, colours.get(code, GREY), values))
    return tuple(made)


# The book as one page.


LARGEST = 10_000_000
"""Bytes of the page with all its pictures."""
SCRIPT = """(function(){var s=document.getElementById('slide'),b=document.getElementById('plates'),\
f=b?b.getElementsByTagName('figure'):[];if(!s||f.length<2)return;function show(){for(var i=0;i<f.length;i++)\
f[i].hidden=i!=s.value;s.setAttribute('aria-valuetext',f[s.value].getElementsByTagName('figcaption')[0].textContent)}\
b.className='one';s.max=f.length-1;s.value=f.length-1;s.parentNode.hidden=false;s.oninput=show;show()})();"""
"""Shows one map at a time, by the slider; without it all stand in a row."""


def png_source(data: bytes) -> str:
    """A PNG as a source of a picture in a page."""
    return f"data:image/png;base64,{b64encode(data).decode()}"


def render_chronicle(book: Chronicle, maps: Sequence[Plate], charts: Sequence[Plate]) -> str:
    """The book as one HTML page, which loads nothing; equal books and pictures give equal texts."""
    allowed = f"'sha256-{b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()}'"
    return template_environment().get_template("chronicle.html.j2").render(
        book=book, maps=maps, charts=charts, script=SCRIPT, allowed=allowed)


def fitting_page(book: Chronicle, maps: Sequence[Plate], charts: Sequence[Plate],
                 smaller: Callable[[Sequence[Plate]], Sequence[Plate]]) -> str:
    """The page, of at most `LARGEST` bytes. `smaller`: half of the maps, those that matter least left out."""
    page = render_chronicle(book, maps, charts)
    while len(page.encode()) > LARGEST and maps:
        maps = smaller(maps)
        page = render_chronicle(book, maps, charts)
    return page
