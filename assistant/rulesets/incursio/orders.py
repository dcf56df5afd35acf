"""The orders of a day: how lines are read, judged and taken (rulebook: Orders)."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar, cast

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Order
from assistant.campaign.tables import Record, Table, natural
from assistant.rulesets.incursio import BOTH, ESDEF, VARANNAH, VOCABULARY, both, records
from assistant.rulesets.incursio.realm import Line, Realm, Unit, are_among, by_type, codes_of, read_units, split_units
from assistant.rulesets.incursio.records import ANY_TYPE, TYPES, Army, Node, Player
from assistant.turn.chapters import Message
from assistant.turn.orders.columns import Kind, Option, Piece, Sentence, roads_of
from assistant.turn.orders.phrases import PhraseIndex
from assistant.turn.orders.reader import read_row
from assistant.turn.orders.requests import Refused, Request
from assistant.turn.orders.taking import admit_rows, carry_out, refuse, rows_of_phase
from assistant.turn.orders.verbs import format_order
from assistant.turn.orders.words import canonical_code, fold, resolve_name


def further_names(campaign: Campaign) -> Iterator[tuple[str, type[Record], str]]:
    """Missions by what is done on them, and structures by everyday words."""
    for record, group in ((records.MissionType, "missions"), (records.StructureType, "structures")):
        for code, words in VOCABULARY[group].items():
            for word in words if code in campaign.by_sheet(record.sheet) else ():
                yield word, record, code


def names_of_units(side: str, types: Table[records.UnitType]) -> PhraseIndex:
    """What people call the units of a side."""
    return PhraseIndex((name, row.unit) for row in types if row.faction == side for name in (
        row.name_it, row.name_en, *VOCABULARY["units"].get(row.unit, ())))


# Findings about any line.


FINDINGS = (
    Message("INC-001", "error",
            both("'{verb}' is not an order. Pick one from the list.",
                 "'{verb}' non è un ordine. Sceglilo dall'elenco."),
            ("why",
             {"word": both("'{verb}' is not an order. Use one of: {list}.",
                           "'{verb}' non è un ordine. Usa uno di questi: {list}.")}), means={"verb": "text"}),
    Message("INC-002", "error",
            both("Day {d} is over. Write it for day {now}.",
                 "Il giorno {d} è già passato: scrivi l'ordine per il giorno {now}.")),
    Message("INC-003", "error",
            both("{faction:the} cannot give {verb}. Delete the line.",
                 "{faction:il} non {faction?può|possono} dare l'ordine {verb}. Togli la riga."), certain=True),
    Message("INC-004", "error", both("There is no cell {node} on the map.", "La casella {node} non esiste."),
            certain=True),
    Message("INC-005", "error",
            both("'{units}' cannot be read. Use {codes}, left = first.",
                 "'{units}' non si legge. Usa {codes}, da sinistra il primo."),
            means={"units": "text", "codes": "text"}, certain=True),
    Message("INC-006", "error",
            both("{who} cannot give this order for {faction:the}. Army orders are the general's.",
                 "{who} non può dare quest'ordine per {faction:il}. Le truppe le muove il generale."),
            means={"who": "piece"}, certain=True),
    Message("INC-007", "warning",
            both("The same line as {order}: counted once.", "È la stessa riga di {order}: conta una volta sola."),
            means={"order": "text"}),
    Message("INC-008", "error", both("{column} is empty and {verb} needs it.", "Manca {column}: a {verb} serve."),
            certain=True),
    Message("INC-009", "warning", both("{verb} does not use {column}: ignored.", "{verb} non usa {column}: ignorata.")),
    Message("INC-010", "error",
            both("{column}: '{seen}' cannot be read. Allowed: {allowed}.",
                 "{column}: '{seen}' non si legge. Ammessi: {allowed}."), certain=True),
    Message("INC-011", "error",
            both("{verb} was for {phase}, which is over today.", "{verb} era per «{phase}», che oggi è già passata.")),
    Message("INC-022", "error",
            both("Ordered {want}; {node:at}: {have}.", "Ordinati {want}; {node:dove}: {have}."),
            ("have", {"–": both("{node:at} these are not there: {want}.", "{node:dove} non ci sono: {want}.")}),
            means={"have": "pieces", "want": "pieces"}),
    Message("INC-023", "error",
            both("These units are already used by {order}.", "Queste unità sono già usate da {order}."),
            means={"order": "text"}),
    Message("INC-024", "error",
            both("{units} {node:at} fought today: no {verb} any more.",
                 "{units} {node:dove} oggi hanno combattuto: niente più {verb}."), means={"units": "text"}),
    Message("INC-025", "error",
            both("{node:the} would be left with nobody. Leave one unit.",
                 "{node:dove} non resterebbe nessuno. Lascia un'unità.")),
)


# Columns of orders, and the parser of lines (rulebook: Orders).


MOMENTS = {"initial": "iniziale", "final": "finale", "extra": "aggiuntivo"}
SUBJECTS = {"soldiers": "soldati", "structures": "strutture"}
WHERE = {"garrison": "guarnigione", "open": "fuori"}
FURY = {"yes": "sì"}
ASKED_OF: Mapping[str, tuple[str, ...]] = {"subject": (VARANNAH,)}
"""Column -> the factions that may not leave it out, though others may."""
NO_WORDS = frozenset({"no", "n", "0", "false", "falso"})


def bare_code(text: str) -> str:
    """A number without leading zeros; any other text unchanged."""
    return text.lstrip("0") or "0" if text.isdecimal() else text


@dataclass(eq=False, repr=False, kw_only=True)
class Cell(Kind):
    """A cell by its number or name."""

    handed: ClassVar[bool] = False
    told: ClassVar[str] = both("a place", "un luogo")
    start: bool = False
    """Whether units set out from there."""
    end: bool = False
    """Whether they go there from the cell in column `node`."""
    others: bool = False
    """Whether it is a cell without own units."""
    outside: bool = False
    """Whether those are meant who stand outside the settlement there."""
    record: ClassVar[type[Record]] = Node

    @property
    def acts(self) -> bool:
        """Where units set out: they have no codes."""
        return self.start

    def choices(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> Iterable[Any]:
        """Cells with own units, the next cells along a line, or any, the nearest to own units first."""
        held = dict.fromkeys(band.node for band in campaign.table(Army) if band.faction == faction)
        if self.start:
            return held
        here = [str(fields["node"])] if self.end else list(held)
        near = dict.fromkeys(there for cell in here for there in roads_of(campaign).neighbours(cell))
        if self.end:
            return [*near, *here]
        cells = dict.fromkeys([*held, *near, *campaign.table(Node).keys()])
        return sorted(cells, key=lambda cell: self.others and cell in held)

    def offers(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> Iterable[Any]:
        """As a target no cell with own units, unless enemies have been seen there."""
        cells = self.choices(campaign, faction, fields)
        if not (self.end and self.others):
            return cells
        held = {band.node for band in campaign.table(Army) if band.faction == faction}
        seen = campaign.table(records.Observation)
        held -= {row.node for row in seen if (row.faction, row.state) == (faction, "current")
                 and (row.position or row.kind == "enemies")}
        return [cell for cell in cells if cell not in held]

    def pieces(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """A cell, perhaps as one outside which units stand."""
        yield from self._cells(sentence, start)
        for count, _ in sentence.phrases(start, OUTSIDE) if self._follows_units(sentence, start) else ():
            at = start + count
            at += bool(sentence.word(at)) and sentence.leads_on(at)
            if sentence.word(at) and not self._comes_from_elsewhere(sentence, at):
                yield from ((at + length - start, cell) for length, cell in self._cells(sentence, at))

    def _follows_units(self, sentence: Sentence, start: int) -> bool:
        """Whether own units stand straight before a place: ``attack those outside 10`` names none."""
        if not self.outside or sentence.exact:
            return False
        stop = next(at for at in range(start, -1, -1) if not at or fold(sentence.word(at - 1)) not in _THOSE | _FROM)
        return any(at + count == stop for at in range(stop) for count, _ in units_at(sentence, at, sentence.faction))

    def _comes_from_elsewhere(self, sentence: Sentence, here: int) -> bool:
        """Whether another place is named as that from which somebody comes."""
        behind = (at + 1 for at in itertools.takewhile(sentence.word, itertools.count())
                  if fold(sentence.word(at)) in _FROM)
        return any(True for at in behind if at != here and sentence.word(at) for _ in self._cells(sentence, at))

    def _cells(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """A cell, but for a number of units: ``the 2 foot``."""
        counts = not (start and sentence.leads_on(start - 1)) and any(
            count > 1 for count, _ in units_at(sentence, start, sentence.faction))
        if sentence.exact or not (counts and sentence.word(start).isdecimal()):
            yield from super().pieces(sentence, start)

    def as_typed(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """Any number."""
        if sentence.word(start).isdecimal():
            yield 1, bare_code(sentence.word(start))
        elif start and fold(sentence.word(start - 1)) in _BEFORE_CELLS:  # alla dodici
            yield from ((count, str(number)) for count, number in sentence.number(start))

    def canonical(self, campaign: Campaign, raw: Any) -> Any:
        """The code of the cell if there is one, else the text as typed."""
        code = bare_code(self.read(raw))
        return resolve_name(campaign, (Node,), canonical_code(campaign, (Node,), code))


class GarrisonedCell(Cell):
    """A cell whose garrison is meant: nobody who is sent into it comes out of it."""

    def join(self, pieces: Sequence[Piece], sentence: Sentence, fields: Mapping[str, Any]) -> Any:
        """The cell, unless somebody is sent into the garrison there."""
        places = itertools.takewhile(sentence.word, itertools.count())
        sent_in = any(True for at in places for _ in sentence.phrases(at, INTO_GARRISON))
        return None if sent_in and not sentence.exact else super().join(pieces, sentence, fields)


INTO_GARRISON = PhraseIndex((f"into {word}", "") for word in VOCABULARY.group("garrison"))
OUTSIDE = PhraseIndex((word, "") for word in VOCABULARY.group("outside"))
"""Words between units and the settlement outside which they stand."""
_FROM = frozenset(("from", "off", "leaving", "da", "dal", "dalla", "dallo", "dai", "dalle", "dall", "dagli"))
_THOSE = frozenset(("those", "ones", "quelli", "quelle", "quello", "quella", "quei"))
"""Words for units that were named just before."""
_BEFORE_CELLS = frozenset(("cell", "cella", "casella", "alla", "dalla", "nella", "sulla"))
"""Words before a cell whose number is written in words."""


class UnitsInOrder(Kind):
    """Units of one side, in signs or in words; the one on the left is the first."""

    handed: ClassVar[bool] = False
    told: ClassVar[str] = both("units in order, left = first", "unità in ordine, a sinistra la prima")
    counts: ClassVar[bool] = True
    takes_several: ClassVar[bool] = True

    def choices(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> Iterable[Any]:
        """Of a band in the cell one unit, all but one, or all; where there is none, one of each type."""
        bands = [read_units(band.units, faction) for band in campaign.table(Army)
                 if band.faction == faction and band.node == fields.get("node")]
        parts = [part for units in bands for part in (units[:1], units[:-1], units)]
        parts += [(kind,) for kind in TYPES.get(faction, ())]
        return dict.fromkeys("".join(part) for part in parts if part)

    def canonical(self, campaign: Campaign, raw: Any) -> Any:
        """One sign a unit, as reports write them."""
        text = self.read(raw)
        return next(("".join(units) for side in BOTH if (units := read_units(text, side))), text)

    def recognises(self, value: Any, campaign: Campaign, faction: str) -> bool:
        """Units of the side's own."""
        return bool(read_units(str(value), faction))

    def spoken(self, campaign: Campaign, faction: str) -> Iterable[PhraseIndex]:
        """Names of units."""
        return [campaign.derive(names_of_units, records.UnitType, by=(faction,))]

    def pieces(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """Units in signs (``2F1A``) or in words (``two foot``)."""
        yield from units_at(sentence, start, sentence.faction)
        word, before = fold(sentence.word(start)), fold(sentence.word(start - 1)) if start else ""
        if word in EVERYBODY or (sentence.faction == VARANNAH and word in DEMONS and not _names_units(sentence)):
            yield 1, "*"
            small = sentence.word(start + 1) in ("e", "ed")  # "tutti e tre"
            yield from ((1 + small + count, f"*{number}") for count, number in sentence.number(start + 1 + small))
        for count, number in sentence.number(start):
            of_all = sentence.faction == VARANNAH and fold(sentence.word(start + count)) in DEMONS
            if of_all or before in _THOSE:
                yield count + of_all, f"*{number}"

    def as_typed(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """Units of the other side, too, so that they are refused by name (INC-005)."""
        word = sentence.word(start)
        if re.fullmatch(_ANY, word) and not (word.islower() and word in SMALL_WORDS):
            yield 1, word

    def join(self, pieces: Sequence[Piece], sentence: Sentence, fields: Mapping[str, Any]) -> Any:
        """All of them, one after the other; of all that are there, those whose movement the verb is. How many they are
        may be said besides.
        """
        told = {piece.value for piece in pieces if piece.value[0] == "*"}
        posture = "garrison" if fields["verb"] in FROM_GARRISON else "open"
        bands = [band.units for band in sentence.campaign.table(Army)
                 if (band.faction, band.node, band.posture) == (sentence.faction, fields.get("node"), posture)]
        there = split_units(bands[0]) if len(bands) == 1 else []
        if not sentence.exact:
            pieces = [piece._replace(value=piece.value * max(there.count(piece.value), 1)) if re.fullmatch(
                _SEVERAL, f"{fold(sentence.word(piece.at))} {fold(sentence.word(piece.at + 1))}") else piece
                for piece in pieces]
        units, _ = _add_up(pieces, sentence)
        if not sentence.exact and _are_apart(sentence):
            return None
        if units or not told:
            return units if told <= {f"*{len(split_units(units))}"} else None
        return bands[0] if there and told <= {"*", f"*{len(there)}"} else None

    def is_unclear(self, pieces: Sequence[Piece], sentence: Sentence) -> bool:
        """Where words and signs name different units side by side, or one is to go behind another."""
        return not _add_up(pieces, sentence)[1]


def _add_up(pieces: Sequence[Piece], sentence: Sentence) -> tuple[str, bool]:
    """All units, and whether that is clear. Words that name those of a row of signs again add none (``the archer AFF``
    are three); words that name others are clear if a word adds them. Who goes behind others is said before them; types
    that were named and go in front (``foot and rider hit 18, foot in front``) add none either.
    """
    pieces = [piece for piece in pieces if piece.value[0] != "*"]
    every, words = "".join(piece.value for piece in pieces), partial(_words_between, sentence)
    runs = [(told, list(run)) for told, run in itertools.groupby(pieces, lambda piece: _is_in_signs(sentence, piece.at)
                                                                 or (bool(sentence.number(piece.at)) and _is_in_signs(
                                                                     sentence, piece.at + 1)))]
    between = [words(before[-1].at, behind[0].at) for (_, before), (_, behind) in itertools.pairwise(runs)]
    if sentence.exact or not pieces:
        return every, True
    for at, piece in enumerate(pieces[1:], 1):
        types, others = set(split_units(piece.value)), [*pieces[:at], *pieces[at + 1:]]
        stop = min([piece.at + 4, *(one.at for one in pieces[at + 1:])])
        if not sentence.number(piece.at) and _IN_FRONT & words(piece.at + 1, stop):
            known = types <= set(split_units("".join(one.value for one in pieces[:at])))
            units = split_units(_add_up(others, sentence)[0] if known else every)
            return "".join(unit for front in (True, False) for unit in units if (unit in types) is front), known
    for at, (before, behind) in enumerate(itertools.pairwise(piece.at for piece in pieces), 1):
        told = words(before, behind)
        if _BEHIND & told and not _BETWEEN_UNITS & told and not _IN_FRONT & words(0, before):
            return "".join(piece.value for piece in (*pieces[at:], *pieces[:at])), False
    named, signs = ("".join(piece.value for told, run in runs if told is in_signs for piece in run)
                    for in_signs in (False, True))
    if not all(told & _BETWEEN_UNITS for told in between) and len(runs) == 2 and are_among(
            split_units(named), split_units(signs)):
        return signs, True
    return every, all(told & _BESIDE for told in between)


_SEVERAL = r"(?:foot(?! (?:soldier|man)$)|\S*(?:[^aeiou]i|s|men|cavalry|infantry|eria|truppe)) .*"
"""A name of all units of a type that are there, if no number stands before it: ``the archers``, ``la fanteria``."""


def _names_units(sentence: Sentence) -> bool:
    """Whether units of some type are named anywhere."""
    return any(True for at in itertools.takewhile(sentence.word, itertools.count())
               for _ in units_at(sentence, at, sentence.faction))


def _words_between(sentence: Sentence, start: int, stop: int) -> set[str]:
    return {fold(sentence.word(at)) for at in range(start, stop)}


def _is_in_signs(sentence: Sentence, at: int) -> bool:
    """Whether a word of a sentence is units in signs."""
    word = sentence.word(at)
    return bool(read_units(word, sentence.faction)) and (
        word not in SMALL_WORDS or _among_units(sentence, at, sentence.faction))


def _are_apart(sentence: Sentence) -> bool:
    """Whether some units are said to be outside, and others inside."""
    stand: dict[int, str] = {}
    last = -1
    for at in itertools.takewhile(sentence.word, itertools.count()):
        last = at if any(True for _ in units_at(sentence, at, sentence.faction)) else last
        told = [code for _, code in sentence.phrases(at, PLACE.phrases)]
        told += ["garrison"] if fold(sentence.word(at)) in _INSIDE else []
        if told and last >= 0:
            stand.setdefault(last, told[0])
    return len(set(stand.values())) > 1


_INSIDE = frozenset(("inside", "within", "dentro"))
"""Words behind units in a garrison, beside those of the column `where`."""
MOST_TOLD = 20
"""Units of a kind that somebody names at once, at most: a greater number is a cell's."""


def units_at(sentence: Sentence, start: int, side: str) -> Iterator[tuple[int, str]]:
    """Units of a side at a place of a sentence, in signs or in words: how many words, and one sign a unit."""
    if _is_in_signs(sentence, start):
        yield 1, "".join(read_units(sentence.word(start), side))
    names = sentence.campaign.derive(names_of_units, records.UnitType, by=(side,))
    numbers = [(count, number) for count, number in sentence.number(start) if number <= MOST_TOLD]
    for count, number in ((0, 1), *numbers):
        signs = read_units(sentence.word(start + count), side) if count else None
        if signs and sentence.word(start + count) not in SMALL_WORDS and not _is_cell(sentence, start, signs):
            yield count + 1, "".join(signs) * number
        for length, code in sentence.phrases(start + count, names):
            yield count + length, code * number


def _is_cell(sentence: Sentence, start: int, signs: Sequence[str]) -> bool:
    """Whether a number before signs of units is that of a cell: ``17 FF``, ``17 F`` where fewer of our own stand."""
    number = bare_code(sentence.word(start))
    there = [len(split_units(band.units)) for band in sentence.campaign.table(Army)
             if (band.faction, band.node) == (sentence.faction, number)]
    return not sentence.exact and number in sentence.campaign.table(Node) and (
        len(signs) > 1 or 0 < sum(there) < int(number))


def _among_units(sentence: Sentence, start: int, side: str) -> bool:
    """Whether a word that is the sign of a unit, too, stands among such signs: ``f e a``, ``tr e di``, ``a f f``."""
    before, behind = sentence.word(start - 1) if start else "", sentence.word(start + 1)
    joined = fold(before) in _BETWEEN_UNITS and start > 1
    if behind and not joined and not sentence.exact and any(sentence.rows(start + 1, (Node,))):
        return False  # "Tr di Dirupo"
    before = sentence.word(start - 2) if joined else before
    if before and read_units(before, side) and (before not in SMALL_WORDS or (
            not joined and before != "a" and _among_units(sentence, start - 1, side))):
        return sentence.word(start) != "a" or joined or behind == "" or sentence.leads_on(start + 1)
    return bool(read_units(behind, side)) and behind not in SMALL_WORDS and (start == 0 or joined or not read_units(
        before, side)) and len(behind) == 1


_BETWEEN_UNITS = frozenset(("e", "ed", "and", "n", "poi", "then"))
"""Words between the signs of two units."""
_BESIDE = frozenset(("with", "con", "plus", "piu", *_BETWEEN_UNITS))
"""Words that add units to others, unless they name the same."""
_BEHIND = frozenset(("behind", "after", "dietro", "dopo"))
_IN_FRONT = frozenset(("front", "first", "davanti", "prima"))
TIMES: Mapping[str, int] = {"times": 1, "volte": 1, "volta": 1, "once": 1, "twice": 2, "thrice": 3, "clashes": 1,
                            "fights": 1, "battles": 1, "scontri": 1, "scontro": 1, "battaglie": 1}
"""Words behind a number of times, and for one."""
_MOST = frozenset(("max", "maximum", "most", "massimo"))
"""Words before such a number, which is always the most."""
ASSAULTS = frozenset(("attack", "assault", "attacco", "assalto"))
ORDINALS: Mapping[str, int] = {"first": 1, "second": 2, "third": 3, "primo": 1, "secondo": 2, "terzo": 3}
"""Words for an attack, and before them for its number."""
EVERYBODY = frozenset(("all", "everybody", "everyone", "tutti", "tutte"))
"""Words for all units that are there."""
DEMONS = frozenset(("demons", "demoni"))
"""Words for all units of the raiders."""
FROM_GARRISON = ("leave", "reorder")
"""The verbs of units in a garrison."""
SMALL_WORDS = frozenset(("a", "as", "di"))
"""Codes of units that in small letters are words."""
_ANY = rf"(?i)(?:\d{{0,3}}(?:{ANY_TYPE})[,;.+]*)+"
"""Units of either side."""


@dataclass(eq=False, repr=False)
class RowOf(Kind):
    """A row of a table, by code or by either name."""

    record: type[Record]
    digits: int = 0
    opens: bool = False
    """Whether it alone is the order."""
    handed: ClassVar[bool] = False
    told: ClassVar[str] = both("a code or name (sheet {sheets})", "una sigla o un nome (foglio {sheets})")

    def opens_line(self) -> bool:
        """As declared."""
        return self.opens

    def in_words(self, value: Any, campaign: Campaign, lang: str) -> Any:
        """A mission by its name."""
        row = campaign.table(self.record).get(value)
        return row.name_in(lang).lower() if isinstance(row, records.MissionType) else value

    def pieces(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """A row, by its number without zeros, too."""
        yield from super().pieces(sentence, start)
        word = sentence.word(start)
        code = self.canonical(sentence.campaign, word)
        if self.digits and word.isdecimal() and code != word and self.recognises(code, sentence.campaign, ""):
            yield 1, code

    def as_typed(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """Any number, where rows have numbers."""
        if self.digits and sentence.word(start).isdecimal():
            yield 1, sentence.word(start)

    @property
    def acts(self) -> bool:
        """A player whose action it is."""
        return self.record is Player and not self.blank

    def fits(self, row: Any, faction: str) -> bool:
        """An own player, or a mission of one's side."""
        return getattr(row, "faction", faction) == faction and getattr(row, "who", faction) in (faction, "both")

    def choices(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> Iterable[Any]:
        """Missions without a target first."""
        rows = campaign.by_sheet(self.record.sheet)
        return sorted(super().choices(campaign, faction, fields),
                      key=lambda code: getattr(rows[code], "target", "none") != "none")

    def canonical(self, campaign: Campaign, raw: Any) -> Any:
        """The code if there is one, else the text as typed."""
        text = self.read(raw)
        if self.digits and text.isdecimal():
            text = text.zfill(self.digits)
        return resolve_name(campaign, (self.record,), canonical_code(campaign, (self.record,), text))


class Issuer(RowOf):
    """The player who gives the order, who speaks first or is not named."""

    def pieces(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """Only where a line begins."""
        if not start:
            yield from super().pieces(sentence, start)


class OneWord(Option):
    """One of a few words; any other word is kept as typed."""

    @cached_property
    def phrases(self) -> PhraseIndex:
        """In a sentence no sign that a cell may hold for a yes."""
        return PhraseIndex((word, code) for code, words in self.word_lists().items() for word in (code, *words)
                           if self.options != FURY or len(word) > len("yes"))

    def offers(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> Iterable[Any]:
        """No extra move: whether it may be is only judged when it is carried out."""
        return (word for word in self.choices(campaign, faction, fields) if word != "extra")

    def read(self, raw: Any) -> str:
        """The code; "" for a plain no."""
        word = str("" if raw is None else raw).strip()
        return "" if self.options == FURY and word.casefold() in NO_WORDS else super().read(word)


@dataclass(eq=False, repr=False, kw_only=True)
class Figure(Kind):
    """A whole number, or what was typed instead. `marks`: the letters before it in a sentence (``x2``)."""

    marks: str = ""
    handed: ClassVar[bool] = False
    told: ClassVar[str] = both("a whole number", "un numero intero")

    def read(self, raw: Any) -> Any:
        """As the record holds it."""
        return "" if raw is None else raw

    def recognises(self, value: Any, campaign: Campaign, faction: str) -> bool:
        """A number."""
        return isinstance(value, int)

    def pieces(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """A number behind its letter."""
        match = re.fullmatch(rf"[{self.marks}](\d{{1,3}})", sentence.word(start).casefold()) if self.marks else None
        if match:
            yield 1, int(match[1])
        ordinal = fold(sentence.word(start)) if "n" in self.marks and not sentence.exact else ""
        if ordinal in ORDINALS and fold(sentence.word(start + 1)) in ASSAULTS and (
                ordinal.endswith("o") or (start and fold(sentence.word(start - 1)) in ("the", "our", "my")) or not (
                    start or not sentence.word(2) or sentence.leads_on(2) or any(sentence.rows(2, (Node,))))):
            yield 2, ORDINALS[ordinal]  # who is to attack *first* says something else
        at = start + (fold(sentence.word(start)) in _MOST)
        for count, number in sentence.number(at) if "x" in self.marks else ():
            if sentence.word(at + count).casefold() in TIMES:
                yield at + count + 1 - start, number
        if "x" in self.marks and sentence.word(start).casefold() in ("once", "twice", "thrice"):
            yield 1, TIMES[sentence.word(start).casefold()]


def word_of(name: str, options: Mapping[str, str], title: str = "") -> OneWord:
    """A column of a few words that may be left out."""
    return OneWord(options, blank=True, asked_of=ASKED_OF.get(name, ()), further=VOCABULARY[name], title=title)


THERE = both("Place", "Luogo")
CELL, TROOPS = Cell(after=("from", "at"), title=THERE), UnitsInOrder()
FROM = Cell(start=True, outside=True, after=("from", "at"), title=both("From", "Da"))
TO, TARGET = Cell(end=True, after=("to",)), Cell(end=True, others=True, after=("to",))
INTO = Cell(start=True, outside=True, after=("to", "at"), title=THERE)
HELD = GarrisonedCell(start=True, after=("from", "at"), title=THERE)
CHARACTER = both("Character", "Personaggio")
PLAYER = RowOf(Player, after=("by",), title=CHARACTER)
SOMEBODY = RowOf(Player, blank=True, after=("by",), title=CHARACTER)
ISSUER, FOR_WHOM = Issuer(Player, blank=True), RowOf(Player, blank=True, after=("for",))
MOMENT, FURIOUS = word_of("moment", MOMENTS), word_of("fury", FURY)
SUBJECT, PLACE = word_of("subject", SUBJECTS, both("What is sought", "Che cosa cerca")), word_of("where", WHERE)
STRUCTURE, MISSION = RowOf(records.StructureType, digits=2), RowOf(records.MissionType, opens=True)
NUMBER, ATTACK_NO, REPEAT = Figure(blank=True), Figure(blank=True, marks="n"), Figure(blank=True, marks="x×")
BOOK_COLUMNS = ("issuer", "moment", "to_node", "units", "attack_no", "repeat", "fury", "where", "structure", "player",
                "mission", "target_player", "subject", "priority")
"""Columns of Orders besides the usual ones."""


def blank_first_key(value: Any) -> tuple[Any, ...]:
    """Sort key of a column's value: blanks first, codes in natural order."""
    text = str(value if value is not None else "")
    return (bool(text), natural(text))


# The lines of the day, in canonical order.
#
# What nothing can put right is reported whenever orders are checked; the rest only when the phase of a line is next.


DAY = ("day",)
"""The phase word of all orders."""
MOVES = ("move", "leave", "enter", "reorder")
PERSONAL = ("build", "mission", "spy")
"""Orders that are a player's action of the day, in the order in which they count."""
DEFENDERS_ONLY = ("leave", "enter", "reorder", "build", "deploy")
SORTED_BY = ("node", "to_node", "attack_no", "units", "structure", "mission", "player", "subject", "where", "repeat",
             "target_player", "fury", "issuer")
COMPARED_COLUMNS = ("moment", *SORTED_BY)
"""Columns that duplicate lines share, besides priority, faction and verb."""
BLANK_MEANS = {"moment": "initial", "repeat": "1", "where": "garrison"}
"""What a blank column means."""
PRIORITY = 50


def phase_of(realm: Realm, request: Line) -> str:
    """The phase of a line; for moves and attacks it depends on the initiative: until that is known, the first."""
    verb, moment = request.verb, request.moment or "initial"
    if verb in PERSONAL:
        return "spying" if verb == "spy" else "upkeep"
    if verb == "deploy":
        return "arrivals"
    if verb in MOVES and moment in ("final", "extra"):
        return "final_moves" if moment == "final" else "upkeep"
    # before the initiative is thrown each side is taken for the first
    place = "first" if realm.side(0) in ("", request.faction) else "second"
    return f"{place}_{'assault' if verb == 'attack' else 'move'}"


def value_of(request: Line, name: str) -> Any:
    """The value of a column by its name; "" if it is blank."""
    return request.more[name] if name in request.more else getattr(request, name, "")


def troops(request: Line) -> list[str]:
    """The units of a line, in its order."""
    return list(read_units(request.units, request.faction))


def action_text(realm: Realm, request: Line, lang: str) -> str:
    """A player's action in words, with names of cell, structure, mission and target, without the acting player."""
    game, code = realm.game, request.player
    fields = {name: value_of(request, name) for name in game.orders[request.verb].kinds}
    for name, table in (("node", realm.nodes), ("structure", realm.types), ("mission", realm.mission_types)):
        row = table.get(str(fields.get(name, "")))
        called = row.name_in(lang) if row is not None else ""
        fields[name] = (called.lower() if name == "mission" else called) or fields.get(name, "")
    other = realm.players.get(str(fields.get("target_player", "")))
    fields["target_player"] = other.name or other.player if other is not None else ""
    text = format_order(game.orders, {"verb": request.verb, **fields}, lang).removesuffix(f" ({code})")
    return text.replace(" a A", " ad A") if lang == "it" else text.replace("@", "at ")


def priority(request: Line) -> int:
    """The priority of a line, small first; 50 by default."""
    value = value_of(request, "priority")
    return value if isinstance(value, int) else PRIORITY


def canonical_key(request: Line) -> tuple[Any, ...]:
    """Sort key of a line among those of the day, independent of its row."""
    values = {name: value_of(request, name) for name in SORTED_BY} | {"units": "".join(troops(request))}
    return (priority(request), request.faction, request.verb, *(blank_first_key(values[name]) for name in SORTED_BY),
            blank_first_key(request.row.order))


# --- checks that hold on any day ------------------------------------------------------------------------------
def lines_of_day(realm: Realm) -> list[Line]:
    """The open lines of the day that pass these checks, in canonical order; the others get their finding."""
    refuse_late_rows(realm)
    lines = []
    for request in admit_rows(realm, rows_of_phase(realm)):
        line = _read_further_columns(realm, request)
        try:
            check_static(realm, line)
            lines.append(line)
        except Refused as why:
            refuse(realm, line, why)
    # neither the place of a row on the sheet nor when it came matters
    lines.sort(key=canonical_key)
    return _drop_duplicates(realm, [line for line in lines if not _is_phase_over(realm, line)])


def _read_further_columns(realm: Realm, request: Request) -> Line:
    """Take from the row's columns what a line in words leaves out, such as issuer and priority."""
    line = cast(Line, request)
    for name, kind in realm.game.orders[line.verb].kinds.items():
        typed = getattr(line.row, name, "")
        if not line.row.verb and value_of(line, name) == "" and typed not in ("", None):
            line.more[name] = kind.canonical(realm.campaign, typed)
            if name != "where":
                setattr(line, name, line.more[name])
    return line


def refuse_late_rows(realm: Realm) -> None:
    """Refuse open rows of past days (INC-002)."""
    for row in realm.orders.where(lambda row: not row.status and bool(row.verb or row.text) and row.turn.isdecimal()):
        if int(row.turn) < realm.today:
            row.status = "refused"
            realm.find("INC-002", row, "turn", d=int(row.turn), now=realm.today)


def _is_phase_over(realm: Realm, request: Line) -> bool:
    """Refuse a line whose phase is over today (INC-011); return whether it is."""
    order = ("initiative", "first_move", "first_assault", "second_move", "second_assault", "upkeep", "spying",
             "final_moves", "arrivals")
    phase = phase_of(realm, request)
    if realm.game.ahead or order.index(phase) >= order.index(realm.game.phase):
        return False
    field = "moment" if request.verb in MOVES else ""  # another moment may be still to come
    refuse(realm, request, Refused("INC-011", field, verb=request.verb, phase=phase))
    return True


def _drop_duplicates(realm: Realm, requests: list[Line]) -> list[Line]:
    """Of duplicate lines only the first counts; the others are replaced (INC-007)."""
    by_key: dict[tuple[Any, ...], Line] = {}
    for request in requests:
        kinds = realm.game.orders[request.verb].kinds
        issuer = request.player if request.verb in PERSONAL else realm.general(request.faction)
        means = {name: word for name, word in {**BLANK_MEANS, "issuer": issuer}.items() if name in kinds}
        values = [str(value_of(request, name)) or means.get(name, "") for name in COMPARED_COLUMNS if name != "units"]
        key = (priority(request), request.faction, request.verb, bool(request.row.live), "".join(troops(request)),
               *values)
        first = by_key.setdefault(key, request)
        if first is not request:
            request.row.status = "replaced"
            request.find(realm, "INC-007", "", order=first.row.order)
    return list(by_key.values())


def check_static(realm: Realm, request: Line) -> None:
    """Raise `Refused` for the first fault that nothing will put right (INC-003, 006, 008, 004, 005, 010)."""
    verb, faction = request.verb, request.faction
    if verb in DEFENDERS_ONLY and faction != ESDEF:
        raise Refused("INC-003", "verb", faction=faction, verb=verb)
    _check_issuer(realm, request)
    kinds = realm.game.orders[verb].kinds
    needed = sorted(realm.game.orders[verb].needed_columns(), key=SORTED_BY.index)
    leads = verb == "attack" and realm.rules.attack_cap_scope == "player"
    for name in [name for name in (*needed, *(("player",) if leads else ())) if value_of(request, name) == ""]:
        if (verb, faction, name, request.subject) == ("spy", VARANNAH, "player", ""):
            raise Refused("INC-060", "subject")
        raise Refused("INC-008", name, verb=verb, column=name)
    for name in ("node", "to_node"):
        typed = value_of(request, name) if name in kinds else ""
        if typed and typed not in realm.nodes:
            raise Refused("INC-004", name, node=typed)
    if request.units and "units" in kinds and not troops(request):
        raise Refused("INC-005", "units", units=request.units, codes=" ".join(TYPES[faction]))
    _check_words(realm, request)


def _check_issuer(realm: Realm, request: Line) -> None:
    """INC-006: only the general orders the army; a player's action is ordered by him, or proposed by the general."""
    issuer, general = request.issuer, realm.general(request.faction)
    own = request.player if request.verb in PERSONAL else general
    if issuer and issuer not in (own, general):
        raise Refused("INC-006", "issuer", who=issuer, faction=request.faction)
    if request.verb in PERSONAL and realm.rules.general_acts == "no" and own == general:
        raise Refused("INC-006", "player", who=general, faction=request.faction)


def unreadable_word(realm: Realm, request: Line, name: str, allowed: Iterable[str]) -> Refused:
    """The refusal of a word that a column may not hold (INC-010), in the campaign's language."""
    names = {**MOMENTS, **SUBJECTS, **WHERE, **FURY} if realm.campaign.desk.language == "it" else {}
    shown = str(value_of(request, name))[:40]
    return Refused("INC-010", name, column=name, seen=names.get(shown, shown), sheet=Order.sheet,
                   allowed=", ".join(names.get(word, word) for word in allowed))


def _check_words(realm: Realm, request: Line) -> None:
    """INC-010: a word, number or player that cannot be read."""
    moves = ("initial",) if request.verb == "reorder" else ("initial", "final")
    mine = [row.player for row in realm.players if row.faction == request.faction]
    allowed = {"moment": tuple(MOMENTS) if request.verb == "move" and request.faction == VARANNAH else moves,
               "subject": tuple(SUBJECTS), "where": tuple(WHERE), "fury": ("yes", "no"),
               "priority": None, "attack_no": ("1", "2", "3"), "player": mine, "target_player": mine}
    kinds = realm.game.orders[request.verb].kinds
    for name, words in allowed.items():
        value = value_of(request, name) if name in kinds else ""
        if words is None:
            good = isinstance(value, int) and value >= 0
        else:
            good = str(value) in words and (name != "attack_no" or isinstance(value, int))
        if value != "" and not good:
            raise unreadable_word(realm, request, name, (">= 0",) if words is None else words)


# --- accepted lines -------------------------------------------------------------------------------------------
def actions_of(realm: Realm, turn: str) -> list[Line]:
    """The accepted actions of players on a day."""
    rows = realm.orders.of_turn(turn, lambda row: row.status == "accepted")
    requests = [read_row(realm.game.orders, realm.campaign, row, reads=realm.game.reads) for row in rows]
    return [_read_further_columns(realm, request) for request in requests if request.verb in PERSONAL]


# --- taking ---------------------------------------------------------------------------------------------------
def take_lines(realm: Realm, *verbs: str, order: Any = canonical_key) -> list[Line]:
    """Judge the present phase's lines of some verbs; return those accepted.

    Lines of later phases are checked as well, but stay open unless something is wrong with them.
    """
    if not realm.is_next:
        return []
    due = [request for request in lines_of_day(realm) if phase_of(realm, request) == realm.game.phase
           and request.verb in verbs]
    return [request for request in sorted(due, key=order) if take_line(realm, request)]


def take_line(realm: Realm, request: Line) -> bool:
    """Judge a line whose phase is next; return whether it was accepted."""
    if not carry_out(realm, request):
        return False
    _warn_of_unused(realm, request)
    realm.taken.append(request)
    return True


def _warn_of_unused(realm: Realm, request: Line) -> None:
    """INC-009: columns that the verb does not use."""
    used = {*realm.game.orders[request.verb].kinds, "issuer", "priority", "note", "live"}
    for name in COMPARED_COLUMNS:
        value = getattr(request.row, name, "")
        if request.row.verb and name not in used and value not in ("", None, False):
            request.find(realm, "INC-009", name, verb=request.verb, column=name, sheet=Order.sheet)


# Which units a line means (rulebook: Orders).


def soonest_returning(line: list[Unit]) -> list[Unit]:
    """A line of defence in the order in which units are taken from it: soonest to return first, then from the rear."""
    places = sorted(range(len(line)), key=lambda i: (line[i].returns is None, line[i].returns or 0, -i))
    return [line[i] for i in places]


def pick_units(wanted: Iterable[str], among: list[Unit]) -> list[Unit]:
    """For each code the first unit of that type that is left."""
    rest, units = list(among), []
    for code in wanted:
        unit = next(unit for unit in rest if unit.code == code)
        rest.remove(unit)
        units.append(unit)
    return units


def check_outside(realm: Realm, request: Line, outside: list[Unit], wrong: str) -> None:
    """Refuse a line whose units are not outside: they are in garrison (`wrong`), or not there (INC-022)."""
    wanted, node = troops(request), request.node
    if are_among(wanted, codes_of(outside)):
        return
    if request.faction == ESDEF and wrong and are_among(wanted, codes_of([*outside, *realm.camp.garrison(node)])):
        raise Refused(wrong, "units")
    have = "".join(by_type(codes_of(outside), request.faction)) or "–"
    raise Refused("INC-022", "units", node=node, have=have, want="".join(wanted))


def free_units(request: Line, units: list[Unit], may: Callable[[Unit], bool]) -> list[Unit]:
    """The units of a line among those that may still act (INC-024) and that no other line takes (INC-023)."""
    wanted = troops(request)
    able = [unit for unit in units if may(unit)]
    if not are_among(wanted, codes_of(able)):
        raise Refused("INC-024", "units", units="".join(wanted), node=request.node, verb=request.verb)
    idle = [unit for unit in able if not unit.used]
    if not are_among(wanted, codes_of(idle)):
        other = next(unit.used for unit in able if unit.used and unit.code in wanted)
        raise Refused("INC-023", "units", order=other)
    return pick_units(wanted, idle)


def check_not_emptied(realm: Realm, request: Line, units: list[Unit]) -> None:
    """FON: at least one unit stays behind in a settlement or ruin (INC-025)."""
    node = request.node
    if realm.is_home(node, request.faction):
        leaving = {id(unit) for unit in units}
        if all(unit.gone or id(unit) in leaving for unit in realm.camp.at(node, request.faction)):
            raise Refused("INC-025", "units", node=node)
