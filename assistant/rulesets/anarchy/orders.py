"""A day's orders: what people say for them, columns, codes, which rows count, purses, who may act (Orders)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, pairwise, starmap
from types import MappingProxyType
from typing import Any, ClassVar

from assistant.campaign.campaign import Campaign
from assistant.campaign.map import adjacent_codes, direction, is_hex
from assistant.campaign.records import Node, names_held
from assistant.campaign.tables import Record, natural
from assistant.rulesets.anarchy import VOCABULARY, both, realm
from assistant.rulesets.anarchy.field import Field
from assistant.rulesets.anarchy.realm import COMPASS, MapTables, Men, choice_code, half_pounds, hex_of, men_of
from assistant.rulesets.anarchy.records import LETTER_OF, NEUTRAL, Army, Convoy, Noble, Place, Train, pounds
from assistant.turn.chapters import Chapter, Citation, EventType, Message
from assistant.turn.findings import Finding
from assistant.turn.orders.columns import (
    Amount,
    ColumnCheck,
    FreeWords,
    Kind,
    OneOf,
    Piece,
    Sentence,
    Sort,
    nearest_first,
    place_of_order,
    place_of_unit,
)
from assistant.turn.orders.phrases import PhraseIndex
from assistant.turn.orders.requests import Refused, Request, book_refusal, refuse_if, role
from assistant.turn.orders.row_columns import Named, in_order, require_row
from assistant.turn.orders.taking import admit_rows, column_values, drop_replaced, price, refuse, rows_of_phase
from assistant.turn.orders.verbs import Cost, Deed, Purse, Shapes, Verb, order, same
from assistant.turn.orders.words import fold

EVENTS = (
    EventType("act_not_done", both("{order}: {finding}", "{order}: {finding}"), "rulings", 3, to="order"),
    EventType("order_refused", both("{order}: {finding}", "{order}: {finding}"), "rulings", 3, to="order"),
)

FINDINGS = (
    Message("ANA-001", "error",
            both("'{verb}' is not an order here. Did you mean {near}?",
                 "'{verb}' non è un ordine di questo gioco. Intendevi {near}?")),
    Message("ANA-002", "error", both("There is no '{x}'. Did you mean {near}?", "'{x}' non esiste. Intendevi {near}?")),
    Message("ANA-003", "error", both("{unit:the} is not yours ({owner}).",
                                     "{unit:il} non {unit?è|sono} dei tuoi ({owner}).")),
    Message("ANA-004", "error",
            both("This order is for day {t}; today is day {d}.",
                 "L'ordine è per il giorno {t}; oggi è il giorno {d}.")),
    Message("ANA-005", "warning",
            both("{unit:the} {unit?has|have} two orders {verb}; the last one ({order}) counts.",
                 "{unit:il} {unit?ha|hanno} due ordini {verb}; vale l'ultimo ({order}).")),
    Message("ANA-006", "error", both("{unit:the} {unit?is|are} {state} and cannot act.",
                                     "{unit:il} non {unit?può|possono} agire: {state}.")),
    Message("ANA-007", "error", both("{verb} needs {column}.", "{verb} richiede {column}.")),
    Message("ANA-008", "error",
            both("'{x}' is not an amount: use whole points, or pounds in halves. Men are written like K2 S3 B1.",
                 "'{x}' non è una quantità: punti interi, o sterline a mezzi. Gli uomini si scrivono come K2 S3 B1.")),
    Message("ANA-009", "error",
            both("'{x}' could be {a} or {b}. Write the code.", "'{x}' può essere {a} o {b}. Scrivi la sigla.")),
    Message("ANA-010", "info", both("No orders for {unit:the} that day: {unit?it holds|they hold}.",
                                    "Quel giorno nessun ordine per {unit:il}: {unit?resta dov'è|restano dove sono}.")),
    Message("ANA-011", "error", both("{unit:the} cannot {verb}: {reason}.",
                                     "{unit:il} non {unit?può|possono} eseguire {verb}: {reason}.")),
    Message("ANA-301", "error",
            both("This needs £{need}; {unit:the} {unit?has|have} £{have} left.",
                 "Servono £{need}; {unit:a} restano £{have}.")),
)

CHAPTER = Chapter(both("Orders", "Ordini"), (Citation("orders", "6", heading="Orders", page=6),), events=EVENTS,
                  findings=FINDINGS)


# What people say in sentences for the verbs and the things.


RANK_NAMES = PhraseIndex((name, letter) for rank, letter in LETTER_OF.items() for name in VOCABULARY.group(rank))
"""What people call the ranks."""


def _called(*tables: str) -> Iterator[tuple[str, str]]:
    """What people call the entries of some tables of the words, each with its entry."""
    for table in tables:
        yield from ((name, entry) for entry, names in VOCABULARY[table].items() for name in names)


DIRECTION_NAMES = PhraseIndex(chain(COMPASS.items(), _called("directions")))
"""What people call the directions."""
HEXES = PhraseIndex((name, "") for name in VOCABULARY.group("hexes"))
SETTING_NAMES = PhraseIndex(chain(((name, f"{setting}=") for name, setting in _called("settings")), _called("values")))
"""What people call a group's settings and their values."""


def further_names(campaign: Campaign) -> Iterator[tuple[str, type[Record], str]]:
    """Groups by their leaders, trains as such, castles and abbeys by their kind (``il castello di Malmesbury``)."""
    nobles, armies = campaign.table(Noble), campaign.table(Army)
    for army in armies:
        leader = nobles.get(army.commander)
        if leader is not None:
            yield from ((name, Army, army.army) for name in names_held(leader))
    for army in armies:
        yield from ((name, Army, army.army) for name in VOCABULARY["peoples"].get(army.kind, ()))
    for train in campaign.table(Train):
        yield from ((f"{words} {train.train}", Train, train.train) for words in VOCABULARY.group("siege_train"))
    for place in campaign.table(Place):
        yield from ((f"{name} {place.name.removesuffix(f' {kind}')}", Place, place.place)
                    for kind, names in VOCABULARY["place_kinds"].items() if place.name.endswith(f" {kind}")
                    for name in names)
        yield from ((f"{name} {place.name}" if name.endswith((" of", " di")) else f"{place.name} {name}", Place,
                     place.place) for name in VOCABULARY["kinds_said"].get(place.kind, ()))


NO_MORE: Mapping[str, Sequence[str]] = MappingProxyType({})


# Kinds of column.


@dataclass(eq=False, repr=False)
class ActingUnit(Named):
    """The unit that acts: one that the faction commands; `free`: unhired mercenaries instead.

    It is judged once, when its row is taken; the function of the verb sees what has happened to it since.
    """

    free: bool = False
    told: ClassVar[str] = both("one of yours, by code or name (sheet {sheets})",
                               "sigla o nome di ciò che è tuo (foglio {sheets})")
    faults: ClassVar[tuple[str, ...]] = ("no_such_unit", "ambiguous", "not_yours")
    acts: ClassVar[bool] = True

    def fits(self, row: Any, faction: str) -> bool:
        """One of its own; where free mercenaries are meant, one of those."""
        return self.which(row) and (row.mercenary and NEUTRAL in row.owners if self.free else faction in row.owners)

    def prepositions(self) -> tuple[str, ...]:
        """With whom something is done."""
        return super().prepositions() or ("with", "by")

    def choices(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> Iterable[Any]:
        """Those that fit; all where there is none."""
        rows = [row for record in self.records for row in campaign.by_sheet(record.sheet) if self.which(row)]
        return [row.ident for row in rows if self.fits(row, faction)] or [row.ident for row in rows]

    def own(self, f: Field, request: Request) -> Any:
        """The unit, if the faction commands it and it is on the map. Raises `Refused` (ANA-002, 003, 006, 009)."""
        row = self.row(f, request.unit, "unit", lambda row: self.fits(row, request.faction))
        request.unit = row.ident
        if not f.commands(request.faction, row) and not (self.free and f.is_unhired(row)):
            owner = f.speaker(row)
            allied = f.side(owner) == f.side(request.faction)
            raise Refused("not_yours", "unit", word=row.ident, owner=owner if allied else f.side(owner))
        state = getattr(row, "state", "active")
        # groups that enter the map today take orders for today
        entering = isinstance(row, Army) and state == "awaited" and row.enters_on == f.day
        refuse_if(state != "active" and not entering, "ANA-006", "unit", unit=row.ident, state=state)
        f.taken[request.row.ident] = row
        return row

    def _meaning(self, board: Any, request: Request, name: str) -> Any:
        row = board.taken.get(request.row.ident) or self.own(board, request)
        request.unit = row.ident
        return row


_WHOSE = frozenset(("s", "my", "our", "your", "his", "her", "its", "their", "miei", "nostri", "suoi", "loro"))
"""Words between whose men these are, and their rank."""
_FARTHEST = 6
"""Words between a number and the rank of these men, at most."""


@dataclass(eq=False, repr=False, kw_only=True)
class MenOf(Kind):
    """Men of each rank, and hurt men by number: ``K2 S3 w:W5``. `usual`: what is often written there, where it is not
    men of the group that acts.
    """

    usual: tuple[str, ...] = ()

    counts: ClassVar[bool] = True
    told: ClassVar[str] = both("men by rank, such as K2 S3 B1, and hurt men, such as w:W5",
                               "uomini per rango, come K2 S3 B1, e feriti, come w:W5")
    takes_several: ClassVar[bool] = True
    faults: ClassVar[tuple[str, ...]] = ("not_an_amount",)

    def piece(self, word: str) -> str:
        """A number of men of a rank, or a hurt man."""
        hurt = word.lower().startswith("w:")
        return word if hurt else word.upper() if re.fullmatch(r"[KDSBLP]\d+", word, re.IGNORECASE) else ""

    def choices(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> Iterable[Any]:
        """Three of a rank that the group has, or one."""
        if self.usual:
            return self.usual
        army = campaign.table(Army).get(str(fields.get("unit", "")))
        have = {letter: getattr(army, rank) or 0 for rank, letter in LETTER_OF.items()} if army is not None else {}
        return [f"{letter}{number}" for number in (3, 1) for letter, men in have.items() if men >= number] or ["S3"]

    def recognises(self, value: Any, campaign: Campaign, faction: str) -> bool:
        """Ranks with their numbers."""
        return all(map(self.piece, str(value).split()))

    def spoken(self, campaign: Campaign, faction: str) -> Iterable[PhraseIndex]:
        """Ranks."""
        return (RANK_NAMES,)

    def pieces(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """Men in signs (``L2``, ``w:W5``), or in words (``two light foot``)."""
        if signs := self.piece(sentence.word(start)):
            yield 1, signs
        if sentence.word(start).lower() == "w" and sentence.word(start + 1):
            yield 2, f"w:{sentence.word(start + 1)}"
        if start and fold(sentence.word(start - 1)) in _WHOSE and any(
                self._is_part(sentence, at) for at in range(max(start - _FARTHEST, 0), start - 1)):
            yield from sentence.phrases(start, RANK_NAMES)
        if fold(sentence.word(start)) in ("a", "an"):
            yield from ((1 + length, f"{rank}1") for length, rank in sentence.phrases(start + 1, RANK_NAMES))
        for count, number in sentence.number(start):
            if re.fullmatch(r"[KDSBLP]", sentence.word(start + count)):
                yield count + 1, f"{sentence.word(start + count)}{number}"
            for length, rank in sentence.phrases(start + count, RANK_NAMES):
                yield count + length, f"{rank}{number}"
            if self._is_part(sentence, start + count - 1):
                yield count, str(number)

    def _is_part(self, sentence: Sentence, at: int) -> bool:
        """Whether a number stands there, and behind it what says of whom they are: ``three of Bohun's foot``."""
        return fold(sentence.word(at + 1)) in ("of", "dei") and any(sentence.number(at))

    def join(self, pieces: Sequence[Piece], sentence: Sentence, fields: Mapping[str, Any]) -> Any:
        """All of them; a number whose rank stands behind somebody's name with it: ``three of Bohun's foot``."""
        said_again = [sentence.word(piece.at).upper() == piece.value != sentence.word(before.at).upper()
                      and piece.value == before.value and not any(
                          fold(sentence.word(at)) in ("and", "e", "ed") for at in range(before.at, piece.at))
                      for before, piece in pairwise(pieces)]  # "three light foot L3"
        values = [str(piece.value) for piece, again in zip(pieces, (False, *said_again), strict=True) if not again]
        for at in [at for at, value in enumerate(values) if value.isdecimal()][::-1]:
            if at + 1 == len(values) or not values[at + 1].isalpha():
                return None
            values[at:at + 2] = [values[at + 1] + values[at]]
        return None if any(map(str.isalpha, values)) else " ".join(values)

    def _meaning(self, board: Any, request: Request, name: str) -> Men:
        return men_of(board, getattr(request, name), name)


@dataclass(eq=False, repr=False, kw_only=True)
class Nobles(Kind):
    """Nobles by id or name, separated by commas, ids also by blanks."""

    blank: bool = True
    sorts: ClassVar[tuple[Sort, ...]] = ("unit",)
    title: str = both("Nobles", "Nobili")
    told: ClassVar[str] = both("nobles by code or name", "nobili per sigla o nome")

    def spelling_records(self) -> tuple[type[Record], ...]:
        """Nobles."""
        return (Noble,)

    def pieces(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """A noble by code, or by name if he is not the one by whom people call his group, which acts."""
        leading = {army.commander for army in sentence.campaign.table(Army)}
        yield from ((count, code) for count, code in sentence.rows(start, (Noble,))
                    if sentence.exact or code not in leading or fold(sentence.word(start)) == fold(code))

    def _meaning(self, board: Any, request: Request, name: str) -> list[Noble]:
        words = [w.strip() for w in re.split(r"[,;]", str(getattr(request, name))) if w.strip()]
        names = {name for noble in board.nobles for name in names_held(noble)}
        parts = [w for word in words for w in ([word] if word in names else word.split())]
        return [require_row(board.nobles, part, name) for part in dict.fromkeys(parts)]


@dataclass(eq=False, repr=False, kw_only=True)
class Hex(FreeWords):
    """The hex of an act, if it is not the last of the march."""

    blank: bool = True
    sorts: ClassVar[tuple[Sort, ...]] = ("place",)
    told: ClassVar[str] = both("the hex, where it is not the last of the march",
                               "l'esagono, se non è l'ultimo della marcia")

    def as_typed(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """The code of a hex."""
        if re.fullmatch(r"\d{4}", sentence.word(start)):
            yield 1, sentence.word(start)


@dataclass(eq=False, repr=False, kw_only=True)
class MarchRoute(FreeWords):
    """The way of a march as it was typed: hexes, directions, one far hex or place, or codes of several places."""

    like: str = "N NE"
    quotes: bool = True
    told: ClassVar[str] = both("hexes, directions, one far hex or place, or codes of places in turn",
                               "esagoni, direzioni, un solo esagono o luogo lontano, oppure sigle di più luoghi")
    takes_several: ClassVar[bool] = True

    def piece(self, word: str) -> str:
        """The code of a hex, or a direction."""
        return word.upper() if re.fullmatch(r"\d{4}", word) or word.upper() in COMPASS else ""

    def pieces(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """A hex, a place, or a direction with how many hexes (``north-east by two hexes``)."""
        if self.piece(sentence.word(start)):
            yield 1, self.piece(sentence.word(start))
        for count, towards in sentence.phrases(start, DIRECTION_NAMES):
            yield count, towards
            small = sentence.word(start + count).casefold() in ("di", "by", "for", "per")
            for length, steps in sentence.number(start + count + small):
                for last, _ in sentence.phrases(start + count + small + length, HEXES):
                    yield count + small + length + last, " ".join([towards] * steps)
        for count, steps in sentence.number(start):
            for last, _ in sentence.phrases(start + count, HEXES):
                small = sentence.word(start + count + last).casefold() in ("to", "a", "verso")
                for length, towards in sentence.phrases(start + count + last + small, DIRECTION_NAMES):
                    yield count + last + small + length, " ".join([towards] * steps)
        places = list(sentence.rows(start, (Place,)))
        if sentence.exact:
            longest = max([*(count for count, _ in places), *(count for count, _ in sentence.rows(start, (Node,))), 0])
            yield from [(longest, " ".join(map(sentence.word, range(start, start + longest))))] if longest else ()
            return
        yield from places
        for count, code in sentence.rows(start, (Node,)) if not places else ():
            name = sentence.campaign.table(Node)[code].name
            yield count, fold(name).replace("_", "-") if name else code

    def join(self, pieces: Sequence[Piece], sentence: Sentence, fields: Mapping[str, Any]) -> Any:
        """Step after step, or far places; the place from which the unit comes is no step."""
        steps = [str(piece.value) for piece in self._without_start(pieces, sentence, fields)]
        if len(set(steps)) > 1 and not sentence.exact:
            places, here = sentence.campaign.table(Place), place_of_unit(sentence.campaign, fields)
            nodes = [str(places[step].node) if step in places else step for step in steps]
            way = [node for node in (here, *nodes) if node]
            far = all(map(is_hex, nodes)) and not all(starmap(direction, pairwise(way)))
            steps = steps if far else nodes
        if not sentence.exact:  # nobody goes where he is, but north again
            steps = [step for step, before in zip(steps, ["", *steps], strict=False)
                     if step != before or step.split()[0] in COMPASS]
        if not steps or (len(steps) > 1 and not sentence.exact and not self._are_steps(sentence.campaign, steps)):
            return None
        return " ".join(steps)

    def _are_steps(self, campaign: Campaign, steps: Iterable[str]) -> bool:
        """Whether each is a hex, a direction or the code of a place."""
        return all(self.piece(word) or word in campaign.table(Place) for step in steps for word in step.split())

    def _without_start(self, pieces: Sequence[Piece], sentence: Sentence, fields: Mapping[str, Any]) -> list[Piece]:
        """The way as it is gone, without the place from which the unit comes (``passa da 1509`` names none)."""
        places, here = sentence.campaign.table(Place), place_of_unit(sentence.campaign, fields)
        passed = [piece for piece in pieces if "from" in piece.roles and here
                  and here != (places[piece.value].node if piece.value in places else piece.value)]
        steps = [piece._replace(roles=frozenset({"by"})) if piece in passed else piece for piece in pieces]
        if any(not self._passes(piece, sentence) for piece in passed) or (passed and len(passed) == len(pieces)):
            return []  # it leaves a place where it is not
        return [piece for piece in in_order(steps) if "from" not in piece.roles]

    def _passes(self, piece: Piece, sentence: Sentence) -> bool:
        """Whether a place behind "da" is one that somebody passes."""
        return any(fold(sentence.word(at)).startswith("pass") for at in range(max(piece.at - 3, 0), piece.at))

    def recognises(self, value: Any, campaign: Campaign, faction: str) -> bool:
        """Hexes, directions, codes of places, or one far place."""
        return self.is_rest(campaign, str(value)) or self._are_steps(campaign, str(value).split())

    def choices(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> Iterable[Any]:
        """The next hexes, then the places that are near."""
        land, here = MapTables(campaign), place_of_order(campaign, fields)
        places = nearest_first(campaign, faction, fields, campaign.table(Place))
        beside = land.hexes.neighbours(here) if here in land.hexes else []
        return dict.fromkeys([*beside, *(place.node for place in places if place.node not in ("", here))])

    def offers(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> Iterable[Any]:
        """First the next hexes where an enemy's groups are."""
        here = place_of_order(campaign, fields)
        beside = adjacent_codes(here) if is_hex(here) else []
        enemies = {army.node for army in campaign.table(Army) if army.active and army.faction != NEUTRAL
                   and army.node in beside and not realm.play_one_side(campaign, army.faction, faction)}
        return sorted(self.choices(campaign, faction, fields), key=lambda node: node not in enemies)

    def comes_to(self, value: Any, campaign: Campaign) -> Any:
        """The hex of one far place: town, abbey and castle may share it."""
        return hex_of(MapTables(campaign), str(value), "path") if self.is_rest(campaign, str(value)) else value

    def is_rest(self, campaign: Campaign, words: str) -> bool:
        """Whether it is one far place and no hex."""
        with suppress(Refused):
            return not re.match(r"\d|[NS][EWO]?(\s|$)", words, re.IGNORECASE) and bool(
                hex_of(MapTables(campaign), words, "path"))
        return False

    def read(self, raw: Any) -> list[str]:
        """The whole text as one piece: only the map tells what its words mean."""
        text = str(raw or "").strip()
        return [text] if text else []


class Settings(FreeWords):
    """Names and their values: ``on_meeting=attack``."""

    takes_several: ClassVar[bool] = True

    def spoken(self, campaign: Campaign, faction: str) -> Iterable[PhraseIndex]:
        """Settings."""
        return (SETTING_NAMES,)

    def piece(self, word: str) -> str:
        """Both sides of the equals sign as codes."""
        return "=".join(map(choice_code, word.partition("=")[::2])) if "=" in word else ""

    def pieces(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """A setting in signs, its name in words, or a value."""
        if signs := self.piece(sentence.word(start)):
            yield 1, signs
        yield from sentence.phrases(start, SETTING_NAMES)

    def join(self, pieces: Sequence[Piece], sentence: Sentence, fields: Mapping[str, Any]) -> Any:
        """Each name with the value that stands before or behind it."""
        whole = [piece.value for piece in pieces if "=" in piece.value[1:-1]]
        names = [piece.value for piece in pieces if piece.value.endswith("=")]
        values = [piece.value for piece in pieces if "=" not in piece.value]
        if len(names) != len(values):
            return None
        return " ".join([*whole, *(name + value for name, value in zip(names, values, strict=True))])

    def in_words(self, value: Any, campaign: Campaign, lang: str) -> Any:
        """Both sides of each equals sign as words."""
        if lang != "it":
            return str(value).replace("_", "-")
        return " ".join("=".join(map(realm.choice_word, one.split("="))) for one in str(value).split(" "))


@dataclass(eq=False, repr=False, kw_only=True)
class Points(Amount):
    """Points of food or loot, or pounds."""

    least: int = 0
    usual: tuple[int, ...] = (3, 10, 1)
    counted: Sequence[str] | None = VOCABULARY.group("points")
    told: ClassVar[str] = both("a number", "un numero")

    def pieces(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """A number, also with the noun behind it: ``6 pounds`` are no men."""
        for count, number in super().pieces(sentence, start):
            yield count, number
            yield from ((count + length, number) for length, _ in sentence.phrases(start + count, self._nouns))


def both_names(note: str) -> tuple[str, str]:
    """The names that a club gives in a note, perhaps in both languages, as a campaign's title is."""
    name, _, name_it = note.partition(" / ")
    return name, name_it


def check_built(f: Field, request: Request, place: Place, field: str) -> None:
    """Refuse a place that is not built yet (ANA-407)."""
    refuse_if(not place.exists, "ANA-407", field, place=place.place)


GROUP = ActingUnit((Army,))
GIVER, TAKER = ActingUnit((Army,), lead_in="from"), ActingUnit((Army,), lead_in="to")
CASTLE = ActingUnit((Place,), which=lambda place: place.castle)
OTHER_GROUP = Named((Army,))
ANY_POINTS = Points(blank=True)
POUNDS = Points(blank=True, amount_of=half_pounds, counted=VOCABULARY.group("pounds"))
FOLLOWER = Named((Army, Convoy, Train))
ANYWHERE = {"node": Hex(), "men": MenOf(), "amount": Points(), "choice": Settings()}
"""Columns that any line may contain, even if its verb has no use for them."""
FILLERS = ("il", "la", "lo", "the", "di", "of", "in", "e", "and", "via", "punti", "points", "pts", "pt", "pti")
SHAPES = Shapes(unit=r"[A-Za-z]+-[\w-]+|(?![KDSBLkdsbl]\d)[A-Za-z]{1,3}\d+")
"""Codes that may be new: ``A-NEW``, ``C9``; but the letter of a rank with a number is men."""


def one_of(*options: str, otherwise: str = "", blank: bool = False, like: Mapping[str, Sequence[str]] = NO_MORE,
           kind: type[OneOf] = OneOf) -> OneOf:
    """One of a few words in either language. `like`: what else people say for it in a sentence."""
    also = {word: code for word, code in realm.CHOICES.items() if code in options}
    return kind({code: realm.choice_word(code) for code in options}, also, otherwise=otherwise, blank=blank,
                 further=like)


@dataclass(eq=False, repr=False)
class Met(Named):
    """What a group meets on its way. Offered is what stands on its own hex: of anything else nobody knows whether it
    will be met.
    """

    def offers(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> Iterable[Any]:
        """Those on the unit's hex."""
        here = place_of_order(campaign, fields)
        there = {row.ident for record in self.records for row in campaign.by_sheet(record.sheet) if row.node == here}
        return [code for code in self.choices(campaign, faction, fields) if code in there]


@dataclass(eq=False, repr=False)
class Goods(Met):
    """Goods that are met. `kinds`: what is proposed; the day tells what is wrong with anything else."""

    kinds: tuple[type[Convoy] | type[Train], ...] = ()

    def pieces(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """In a sentence no group: a group that it names is the one that acts."""
        yield from ((count, code) for count, code in super().pieces(sentence, start)
                    if sentence.exact or code not in sentence.campaign.table(Army))

    def fits(self, row: Any, faction: str) -> bool:
        """Convoys or trains of others that are still on their way, without an escort."""
        return (isinstance(row, self.kinds) and row.state == "active" and not row.escort
                and row.faction != faction)

    def offers(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> Iterable[Any]:
        """None of the own side."""
        own = {row.ident for record in self.kinds for row in campaign.by_sheet(record.sheet)
               if realm.play_one_side(campaign, row.faction, faction)}
        return [code for code in super().offers(campaign, faction, fields) if code not in own]


class CastleOf(Named):
    """A place that should be a castle; the checks say what is wrong with another."""

    def fits(self, row: Any, faction: str) -> bool:
        """Castles."""
        return bool(row.castle)


CALLED_PLACES: Mapping[str, Callable[[Place], bool]] = {
    **dict.fromkeys(("castle", "castello"), lambda place: bool(place.castle)),
    **dict.fromkeys(("abbey", "priory", "abbazia", "priorato"), lambda place: place.kind in ("abbey", "priory")),
    **dict.fromkeys(("town", "village", "citta", "villaggio"), lambda place: not place.castle)}
"""What is called a castle, and what is none and so fits no column for castles: ``into the town`` is asked about."""


def a_castle(*then: ColumnCheck, after: tuple[str, ...] = ()) -> Named:
    """A column for a built castle that passes the checks. `after`: as in `Kind`."""
    return CastleOf((Place,), then=(check_built, *then), after=after, called=CALLED_PLACES)


PLACE = both("Place", "Luogo")


def a_place(*then: ColumnCheck, after: tuple[str, ...] = ()) -> Named:
    """A column for a built place that passes the checks. `after`: as in `Kind`."""
    return Named((Place,), then=(check_built, *then), after=after, title=PLACE, called=CALLED_PLACES)


def target_of(f: Field, request: Request) -> Any:
    """The row of the act's target, in whatever state it is now."""
    kind = f.game.orders[request.verb].kinds["target"]
    assert isinstance(kind, Named)
    return kind.row(f, request.target, "target")


def check_same_hex(a: Any, b: Any, field: str = "target") -> None:
    """Refuse two rows that are not on one hex (ANA-203)."""
    refuse_if(a.node != b.node, "ANA-203", field, a=a.ident, x=a.node, b=b.ident, y=b.node)


def price_of_heads(f: Field, number: str, company: Army) -> int:
    """What a company costs, in half-pounds, at a number of pounds for each head."""
    return 2 * int(f.rules[number]) * f.heads(company)


def cost_a_head(number: str) -> Cost:
    """A cost in pounds for each head of the target company."""
    return Cost(number, reckoned=lambda f, request: price_of_heads(
        f, number, OTHER_GROUP.judge(f, request, "target")))


def day_order(en: str, it: str, phase: str, *, also: Iterable[str] = (), help: str, cost: Cost | None = None,
              group: str = "", apart: tuple[str, ...] = (), offered: Callable[[Field, Request], bool] | None = None,
              **columns: Any) -> Callable[[Deed], Verb]:
    """Declare a verb of a phase of the day.

    Of two rows of one unit about one target the later counts: among all verbs of a `group`, else of this verb.
    `apart`: further columns by which rows are told apart; `offered`: as in `Verb`.
    """
    about = ("unit", *(("target",) if "target" in columns else ()), *apart)
    return order(en, it, when=(phase,), also=also, help=help, cost=cost, replaces=same(group or en, *about),
                 offered=offered, **columns)


# Finding codes, and which rows count.


DIGITS = 9
SAYS = {
    "unknown_verb": role("ANA-001", verb="word", near="near"),
    "unreadable": role("ANA-002", x="word", near="near"),
    "no_such_unit": role("ANA-002", x="word", near="near"),
    "no_such_place": role("ANA-002", x="word", near="near"),
    "not_yours": role("ANA-003", unit="word", owner="owner"),
    "replaced": role("ANA-005", "verb", unit="unit", verb="verb", order="order"),
    "missing": role("ANA-007", verb="verb", column="column"),
    "not_an_amount": role("ANA-008", x="word"),
    "ambiguous": role("ANA-009", x="word", a="a", b="b"),
    "overdrawn": role("ANA-301", "amount", need="cost", unit="unit", have="left"),
    "no_such_option": role("ANA-901", x="word", options="options"),
}
"""The Anarchy's codes of the findings that every ruleset has."""


def rows_of_day(f: Field) -> list[Request]:
    """The open rows of the day: first those to which a club gave a code (``D3-07``), by code, then the others."""
    # a code that the desk has made begins with the row's turn, phase and faction; no natural key begins with a 2
    return sorted(rows_of_phase(f), key=lambda request: ((2, 0, ""),) if request.row.order.startswith(
        f"{request.row.turn}-{request.row.phase}-{request.faction}-") else natural(request.row.order))


def take_rows(f: Field) -> list[Request]:
    """The phase's valid rows: the last of equal ones, with known verbs, units and columns.

    Rows of a day that is over are refused (ANA-004).
    """
    for row in [row for row in f.orders.open_rows(f.game.turn) if not row.status]:
        if row.turn.isdecimal() and len(row.turn) <= DIGITS and int(row.turn) < f.day:
            refuse(f, Request(row, row.verb), Refused("ANA-004", "turn", t=row.turn, d=f.game.turn))
    rows, requests = rows_of_day(f), []
    drop_replaced(f, [request for request in rows if request.verb])
    for request in rows:
        try:
            if not request.row.status and admit_rows(f, [request]):
                # only reorganisation makes groups that another row may name
                check_known(f, request, [fold(row.target) for row in rows if row.verb == "SPLIT" and not row.row.status
                                         and f.friends(row, request)] if f.game.takes == "reorganise" else ())
                requests.append(request)
        except Refused as why:
            refuse(f, request, why)
    return requests


def check_known(f: Field, request: Request, to_come: Collection[str] = ()) -> None:
    """Refuse a unit that cannot be ordered, or a row without a column that its verb needs.

    `to_come`: codes of groups that an earlier row makes; whether they are there is asked when it is their turn.
    """
    verb = f.game.orders[request.verb]
    unit = verb.kinds["unit"]
    if request.unit and isinstance(unit, ActingUnit):
        try:
            unit.own(f, request)
        except Refused as why:
            if why.code != "no_such_unit" or fold(request.unit) not in to_come:
                raise
    for name in verb.needed_columns():
        refuse_if(getattr(request, name) in ("", None, []), "missing", name, verb=request.verb, column=name)


# Money, counted over the day's rows.


def _spendable(f: Field, unit: str) -> int:
    """A group's purse without today's ransoms, which orders may spend from tomorrow on."""
    told = [e.data.get("halves") for e in f.events.of_turn(f.game.turn)
            if e.event == "ransomed" and e.data.get("to") == unit]
    return f.armies[unit].money - sum(n for n in told if isinstance(n, int))


PURSE = Purse(whose=lambda f, request: request.unit, left=_spendable, shown=pounds, unit=both("pounds", "sterline"))
"""The purse of the group that acts."""


def afford(f: Field, request: Request, field: str) -> int:
    """The cost of a row. Raises `Refused` if its group has not so much now (ANA-301)."""
    cost, army = price(f, request), f.armies[request.unit]
    refuse_if(cost > army.money, "ANA-301", field, need=pounds(cost), unit=army.army, have=pounds(army.money))
    return cost


def spend(f: Field, request: Request, field: str) -> int:
    """The group pays what the row costs, which is returned. Raises `Refused` (ANA-301)."""
    cost = afford(f, request, field)
    f.armies[request.unit].money -= cost
    return cost


# Reports on rows, and carrying acts out on the march.


def tell_not_done(f: Field, request: Request, why: Refused) -> None:
    """Report an act that could not be done on the march, by a finding and an event."""
    own = book_refusal(why, SAYS)
    tell_refused(f, request, request.find(f, own.code, own.field or "verb", **own.data), "act_not_done")


def tell_refused(f: Field, request: Request, refused: Finding, event: str = "order_refused") -> None:
    """Tell the faction in its report what was refused, and why."""
    finding = {"code": refused.code, "table": refused.where.table, "row": refused.where.row,
               "field": refused.where.field,
               "data": {k: v if isinstance(v, (int, str)) else str(v) for k, v in refused.data.items()}}
    f.tell(event, order=request.row.order, finding=finding)


def check_by_itself(f: Field, request: Request, army: Army, field: str) -> None:
    """Refuse a group that follows another (ANA-106)."""
    refuse_if(f.is_attached(army), "ANA-106", field, unit=army.army, employer=army.employer)


def check_at_large(f: Field, request: Request, army: Army, field: str) -> None:
    """Refuse a group in a besieged castle (ANA-104)."""
    refuse_if(f.is_shut_in(army), "ANA-104", field, unit=army.army, place=army.inside)


def check_may_fight(f: Field, request: Request, army: Army, field: str) -> None:
    """Refuse lone nobles, unarmed groups and escorts, who neither fight nor hire (ANA-011)."""
    reason = f.limit_of(army)
    refuse_if(reason, "ANA-011", field, unit=army.army, verb=request.verb, reason=reason)


WALKER = ActingUnit((Army,), then=(check_by_itself, check_at_large))
FIGHTER = ActingUnit((Army,), then=(check_by_itself, check_at_large, check_may_fight))


def act(en: str, it: str, target: Named, *, unit: ActingUnit = FIGHTER, **more: Any) -> Callable[[Deed], Verb]:
    """Declare a verb for an act on a hex of the march; see `day_order`."""
    return day_order(en, it, "movement", unit=unit, target=target, node=Hex(), **more)


def carry_out_act(f: Field, request: Request) -> None:
    """Carry out an act on the hex where the group is now; if that is impossible, report it."""
    try:
        verb = f.game.orders[request.verb]
        assert verb.deed is not None
        values, request.row.status = column_values(f, request), "accepted"
        verb.deed(f, request, *values)
    except Refused as why:
        request.row.status = "refused"
        tell_not_done(f, request, why)
