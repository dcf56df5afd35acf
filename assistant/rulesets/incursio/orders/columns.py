"""What the columns of Incursio's orders hold, in either language; how a line is read (rulebook: Orders)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from assistant.campaign.campaign import Campaign
from assistant.campaign.order import natural
from assistant.campaign.record import Record
from assistant.campaign.records import Order
from assistant.rulesets.incursio.book.records import MissionType, StructureType
from assistant.rulesets.incursio.book.sheets import ESDEF, Army, Node, Player, Road
from assistant.rulesets.incursio.realm.units import TYPES, joined, read_units
from assistant.turn.orders.cards import example_like
from assistant.turn.orders.columns import Kind, Option
from assistant.turn.orders.naming import as_named, as_spelled
from assistant.turn.orders.refusal import Refused
from assistant.turn.orders.shorthand import Understood
from assistant.turn.orders.verbs import OrderBook
from assistant.turn.orders.words import fold
from assistant.turn.texts import N_

MOMENTS = {"initial": "iniziale", "final": "finale", "extra": "aggiuntivo"}
SUBJECTS = {"soldiers": "soldati", "structures": "strutture"}
WHERE = {"garrison": "guarnigione", "open": "fuori"}
FURY = {"yes": "sì"}
ALSO: Mapping[str, Mapping[str, str]] = {
    "moment": {"iniziali": "initial", "finali": "final", "aggiuntiva": "extra"},
    "subject": {"soldier": "soldiers", "structure": "structures", "soldato": "soldiers", "struttura": "structures"},
    "where": {"outside": "open", "fuori guarnigione": "open"},
    "fury": {"x": "yes", "furia": "yes", "fury": "yes", "true": "yes", "vero": "yes", "1": "yes", "si": "yes",
             "y": "yes", "s": "yes"},
}
NO = frozenset({"no", "n", "0", "false", "falso"})


def bare_code(text: str) -> str:
    """A number without the zeros in front; any other text as it stands."""
    return text.lstrip("0") or "0" if text.isdecimal() else text


@dataclass(frozen=True, kw_only=True)
class Cell(Kind):
    """A cell by its number or name."""

    handed: ClassVar[bool] = False
    told: ClassVar[str] = N_("a place")
    near: bool = False
    """Whether its example is next to the cell before it."""

    def tables(self) -> tuple[type[Record], ...]:
        """The map."""
        return (Node,)

    def example(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> str | int:
        """A cell where the faction stands, and beside it one along a grey line; any such two if it stands nowhere."""
        own = {band.node for band in campaign.table(Army) if band.faction == faction}
        ways = [way for row in campaign.table(Road) if row.kind == "grey" for way in ((row.a, row.b), (row.b, row.a))]
        near = [b for a, b in ways if a == fields.get("node")]
        here = [a for a, _ in ways if a in own] or [a for a, _ in ways]
        return next(iter(near if self.near else [] if self.blank else here), "")

    def understood(self, campaign: Campaign, raw: Any) -> Any:
        """The code of the cell, where there is one; else as it was typed."""
        said = bare_code(self.read(raw))
        return as_named(campaign, (Node,), as_spelled(campaign, (Node,), said))


@dataclass(frozen=True, kw_only=True)
class Troops(Kind):
    """Units in order."""

    handed: ClassVar[bool] = False
    told: ClassVar[str] = N_("units in order, left = first")

    def example(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> str | int:
        """One of each of two types."""
        return joined(TYPES.get(faction, TYPES[ESDEF])[:2])


@dataclass(frozen=True)
class RowOf(Kind):
    """A row of a table, by code or by either name."""

    record: type[Record]
    digits: int = 0
    handed: ClassVar[bool] = False
    told: ClassVar[str] = N_("a code or name of {sheets}")

    def tables(self) -> tuple[type[Record], ...]:
        """Its table."""
        return (self.record,)

    def worded(self, value: Any, campaign: Campaign, lang: str) -> Any:
        """A mission by its name."""
        row = campaign.table(self.record).get(value)
        return row.called(lang).lower() if isinstance(row, MissionType) else value

    def fits(self, row: Any, faction: str) -> bool:
        """One's own player; a mission of one's side that needs no place."""
        return (getattr(row, "faction", faction) == faction and getattr(row, "who", faction) in (faction, "both")
                and getattr(row, "target", "none") == "none")

    def understood(self, campaign: Campaign, raw: Any) -> Any:
        """The code, where there is one; else as it was typed."""
        said = self.read(raw)
        if self.digits and said.isdecimal():
            said = said.zfill(self.digits)
        return as_named(campaign, (self.record,), as_spelled(campaign, (self.record,), said))


class ForWhom(RowOf):
    """The player for whom a mission is, which few missions need."""

    def example(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> str | int:
        """None."""
        return ""


@dataclass(frozen=True)
class OneWord(Option):
    """One of a few words; a word that is none stands as it was typed."""

    def judged_for(self, says: Any) -> bool:
        """Never before the deed: the book has one finding for all columns."""
        return False

    def example(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> str | int:
        """What raiders have to say; else none is needed."""
        return "soldiers" if self.options == SUBJECTS and faction != ESDEF else ""

    def read(self, raw: Any) -> str:
        """The code; "" for a plain no."""
        word = str("" if raw is None else raw).strip()
        return "" if self.options == FURY and word.casefold() in NO else super().read(word)


@dataclass(frozen=True, kw_only=True)
class Figure(Kind):
    """A whole number, or what was typed instead."""

    handed: ClassVar[bool] = False
    told: ClassVar[str] = N_("a whole number")

    def read(self, raw: Any) -> Any:
        """As the record holds it."""
        return "" if raw is None else raw

    def example(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> str | int:
        """None is needed."""
        return ""


def word_of(name: str, options: Mapping[str, str]) -> OneWord:
    """A column of a few words that may be left out."""
    return OneWord(options, ALSO.get(name, {}), blank=True)


CELL, TO, TROOPS = Cell(), Cell(near=True), Troops()
PLAYER, SOMEBODY, FOR_WHOM = RowOf(Player), RowOf(Player, blank=True), ForWhom(Player, blank=True)
MOMENT, FURIOUS = word_of("moment", MOMENTS), word_of("fury", FURY)
SUBJECT, PLACE = word_of("subject", SUBJECTS), word_of("where", WHERE)
STRUCTURE, MISSION = RowOf(StructureType, digits=2), RowOf(MissionType)
NUMBER = Figure(blank=True)
BOOK_COLUMNS = ("issuer", "moment", "to_node", "units", "attack_no", "repeat", "fury", "where", "structure", "player",
                "mission", "target_player", "subject", "priority")
"""The columns of Orders that the book has beside the usual ones."""

# --- lines ----------------------------------------------------------------------------------------------------
_ARROW = re.compile(r"\s*(?:->|→|–>|>)\s*")
_FILLER = frozenset({"a", "at", "in", "da", "from", "to", "per", "for", "il", "la", "lo", "di", "of", "the", "mission",
                     "missione", "dal", "vivo", "live"})
_FOR, _AT = ("per", "for"), ("a", "at", "in")
"""Words before the player for whom a mission is, and before a place."""
_SIGNS, _APART = re.compile(r"[()]|[:;,](?=\s|$)"), re.compile(r"(?<=\s[nx×])\.?\s+(?=\d)", re.IGNORECASE)
_TIMES, _NUMBER_OF = re.compile(r"[x×](\d+)", re.IGNORECASE), re.compile(r"n\.?(\d+)", re.IGNORECASE)
_ANY = re.compile(rf"(?:\d{{0,3}}(?:{'|'.join(code for codes in TYPES.values() for code in codes)})[,;.+]*)+",
                  re.IGNORECASE)
_LONGEST = 4


class _Line:
    """A line that is taken apart, word by word."""

    def __init__(self, book: OrderBook, campaign: Campaign, faction: str, text: str) -> None:
        self.book, self.campaign, self.faction = book, campaign, faction
        self.words = _SIGNS.sub(" ", _APART.sub("", _ARROW.sub(" ", text.replace("@", " at ")))).split()
        self.fields: dict[str, Any] = {}
        self.acting = [fold(name) for name in re.findall(r"\(([^)]*)\)", text)]
        """Who stands in brackets."""
        self.before = ""
        """The word before the one that is looked at."""

    def read(self) -> dict[str, Any]:
        """The fields; {} for a line that is not understood."""
        if self.words and (speaker := self._row(Player, self.words[0])):  # ``E3 build 21 @14``
            self.fields["speaker"] = speaker
            del self.words[0]
        verb = self.book.code(self.words.pop(0)) if self.words else ""
        if not verb:
            return {}
        self.fields["verb"] = verb
        kinds = self.book[verb].kinds
        while self.words:
            if not any(self._take(kinds, count) for count in range(min(_LONGEST, len(self.words)), 0, -1)):
                return {}
        return self._placed(kinds)

    def _row(self, record: type[Record], word: str) -> str:
        code = RowOf(record, 2 if record is StructureType else 0).understood(self.campaign, word)
        return code if code in self.campaign.by_sheet(record.sheet) else ""

    def _take(self, kinds: Mapping[str, Kind], count: int) -> bool:
        """Give the next words a column; whether they have one."""
        phrase = " ".join(self.words[:count])
        found = self._column(kinds, phrase, count)
        if found is not None:
            name, value = found
            if name:
                self.fields[name] = value
            self.before = fold(self.words[count - 1])
            del self.words[:count]
        return found is not None

    def _column(self, kinds: Mapping[str, Kind], phrase: str, count: int) -> tuple[str, Any] | None:
        for name, kind in kinds.items():
            if name == "fury" and fold(phrase) in ("fury", "furia"):
                return name, "yes"
            if name != "fury" and isinstance(kind, OneWord) and name not in self.fields and kind.code(phrase):
                return name, kind.code(phrase)
        for name, record in (("mission", MissionType), ("structure", StructureType)):
            if name in kinds and name not in self.fields and not phrase.isdecimal() and (
                    code := self._row(record, phrase)):
                return name, code
        if "player" in kinds and (code := self._row(Player, phrase)):
            other = "player" in self.fields or (fold(phrase) not in self.acting and self._is_for(count))
            return "target_player" if other else "player", code
        if count == 1:
            return self._single(kinds, phrase)
        place = as_named(self.campaign, (Node,), phrase)
        return self._place(kinds, place) if place != phrase else None

    def _is_for(self, count: int) -> bool:
        """Whether the next player is the one for whom a mission is: after ``per``, or before the one who acts."""
        words = list(zip(self.words[count - 1:], self.words[count:], strict=False))
        return self.before in _FOR or any(self._row(Player, word) and fold(last) not in _FOR for last, word in words)

    def _single(self, kinds: Mapping[str, Kind], word: str) -> tuple[str, Any] | None:
        if "repeat" in kinds and (times := _TIMES.fullmatch(word)):
            return "repeat", int(times[1])
        if "attack_no" in kinds and (no := _NUMBER_OF.fullmatch(word)):
            return "attack_no", int(no[1])
        if "structure" in kinds and "structure" not in self.fields and self.before not in _AT:
            code = self._row(StructureType, word) or (word if word.isdecimal() else "")
            if code:
                return "structure", code
        if (place := CELL.understood(self.campaign, word)) in self.campaign.table(Node) or word.isdecimal():
            # behind its places a line has no more numbers but those of units, ``2 F 1 A``
            return self._place(kinds, place) or (("units", self.fields.get("units", "") + word) if "units" in kinds
                                                 else None)
        leads_on = any(name in kinds and name not in self.fields for name in ("node", "to_node"))
        if word == "a" and leads_on:
            return "", ""
        own = read_units(word, self.faction) if self.faction in TYPES else None
        # units of the other side are taken as well, so that they are refused by name (INC-005)
        other = _ANY.fullmatch(word) and (fold(word) not in _FILLER or not (leads_on or word.islower()))
        if "units" in kinds and (own or other):
            return "units", self.fields.get("units", "") + word
        return ("", "") if fold(word) in _FILLER else None

    def _place(self, kinds: Mapping[str, Kind], place: str) -> tuple[str, str] | None:
        name = next((one for one in ("node", "to_node") if one in kinds and one not in self.fields), "")
        return (name, place) if name else None

    def _placed(self, kinds: Mapping[str, Kind]) -> dict[str, Any]:
        """Who speaks is the player whose action it is, or who gives or proposes the order."""
        speaker = self.fields.pop("speaker", "")
        mission = self.campaign.table(MissionType).get(self.fields.get("mission", ""))
        needs = mission is not None and mission.target == "player" and "target_player" not in self.fields
        if speaker and needs and not self.acting:
            self.fields["target_player"] = self.fields.pop("player", "")  # ``V2 missione occhio notturno per V3``
        if speaker and "player" in kinds and "player" not in self.fields and "attack_no" not in kinds:
            self.fields["player"] = speaker
        elif speaker:
            self.fields["issuer"] = speaker
        return self.fields


def understand(book: OrderBook, text: str, campaign: Campaign, faction: str) -> Understood:
    """A line as an order: ``muovi 14>15 2F1A``, ``E3 build 21 @14``, ``spia 14 strutture (V2)``."""
    line = _Line(book, campaign, faction, text)
    fields = line.read()
    if fields:
        return Understood(fields)
    verb = line.fields.get("verb", "")
    form = example_like(book, campaign, campaign.desk.language, verb, faction)
    why = Refused("INC-010", "text", column="text", seen=text.strip()[:60], allowed=form, sheet=Order.sheet)
    return Understood(problem=text.strip(), why=why if verb else None)


def natural_blank(value: Any) -> tuple[Any, ...]:
    """What a column holds, to put lines in order: blanks first, codes in natural order."""
    text = str(value if value is not None else "")
    return (bool(text), natural(text))
