"""The orders of a day: how lines are read, judged and taken (rulebook: Orders)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Order
from assistant.campaign.tables import Record, natural
from assistant.rulesets.incursio.realm import TYPES, Realm, Unit, are_among, by_type, read_units, units_text
from assistant.rulesets.incursio.records import ESDEF, VARANNAH, Army, MissionType, Node, Player, Road, StructureType
from assistant.turn.orders.columns import Kind, Option
from assistant.turn.orders.line_parser import Understood, read_row
from assistant.turn.orders.requests import Refused, Request
from assistant.turn.orders.taking import admit_rows, carry_out, refuse, rows_of_phase
from assistant.turn.orders.verbs import OrderBook, example_like, format_order
from assistant.turn.orders.words import canonical_code, fold, resolve_name
from assistant.turn.texts import N_

# Columns of orders, and the parser of lines (rulebook: Orders).


MOMENTS = {"initial": "iniziale", "final": "finale", "extra": "aggiuntivo"}
SUBJECTS = {"soldiers": "soldati", "structures": "strutture"}
WHERE = {"garrison": "guarnigione", "open": "fuori"}
FURY = {"yes": "sì"}
FURTHER_WORDS: Mapping[str, Mapping[str, str]] = {
    "moment": {"iniziali": "initial", "finali": "final", "aggiuntiva": "extra"},
    "subject": {"soldier": "soldiers", "structure": "structures", "soldato": "soldiers", "struttura": "structures"},
    "where": {"outside": "open", "fuori guarnigione": "open"},
    "fury": {"x": "yes", "furia": "yes", "fury": "yes", "true": "yes", "vero": "yes", "1": "yes", "si": "yes",
             "y": "yes", "s": "yes"},
}
NO_WORDS = frozenset({"no", "n", "0", "false", "falso"})


def bare_code(text: str) -> str:
    """A number without leading zeros; any other text unchanged."""
    return text.lstrip("0") or "0" if text.isdecimal() else text


@dataclass(frozen=True, kw_only=True)
class Cell(Kind):
    """A cell by its number or name."""

    handed: ClassVar[bool] = False
    told: ClassVar[str] = N_("a place")
    near: bool = False
    """Whether its example is next to the cell in column `node`."""

    def tables(self) -> tuple[type[Record], ...]:
        """The map."""
        return (Node,)

    def example(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> str | int:
        """A cell where the faction has units, and one beside it along a grey line; any such pair if it has none."""
        own = {band.node for band in campaign.table(Army) if band.faction == faction}
        ways = [way for row in campaign.table(Road) if row.kind == "grey" for way in ((row.a, row.b), (row.b, row.a))]
        near = [b for a, b in ways if a == fields.get("node")]
        here = [a for a, _ in ways if a in own] or [a for a, _ in ways]
        return next(iter(near if self.near else [] if self.blank else here), "")

    def understood(self, campaign: Campaign, raw: Any) -> Any:
        """The code of the cell if there is one, else the text as typed."""
        said = bare_code(self.read(raw))
        return resolve_name(campaign, (Node,), canonical_code(campaign, (Node,), said))


@dataclass(frozen=True, kw_only=True)
class UnitsInOrder(Kind):
    """Units in order."""

    handed: ClassVar[bool] = False
    told: ClassVar[str] = N_("units in order, left = first")

    def example(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> str | int:
        """One of each of two types."""
        return units_text(TYPES.get(faction, TYPES[ESDEF])[:2])


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
        """An own player, or a mission of one's side that needs no place."""
        return (getattr(row, "faction", faction) == faction and getattr(row, "who", faction) in (faction, "both")
                and getattr(row, "target", "none") == "none")

    def understood(self, campaign: Campaign, raw: Any) -> Any:
        """The code if there is one, else the text as typed."""
        said = self.read(raw)
        if self.digits and said.isdecimal():
            said = said.zfill(self.digits)
        return resolve_name(campaign, (self.record,), canonical_code(campaign, (self.record,), said))


class ForWhom(RowOf):
    """The player for whom a mission is, which few missions need."""

    def example(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> str | int:
        """None."""
        return ""


@dataclass(frozen=True)
class OneWord(Option):
    """One of a few words; any other word is kept as typed."""

    def judged_for(self, says: Any) -> bool:
        """Never: the book's own checks have one finding for all columns."""
        return False

    def example(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> str | int:
        """The word that raiders need; otherwise none."""
        return "soldiers" if self.options == SUBJECTS and faction != ESDEF else ""

    def read(self, raw: Any) -> str:
        """The code; "" for a plain no."""
        word = str("" if raw is None else raw).strip()
        return "" if self.options == FURY and word.casefold() in NO_WORDS else super().read(word)


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
    return OneWord(options, FURTHER_WORDS.get(name, {}), blank=True)


CELL, TO, TROOPS = Cell(), Cell(near=True), UnitsInOrder()
PLAYER, SOMEBODY, FOR_WHOM = RowOf(Player), RowOf(Player, blank=True), ForWhom(Player, blank=True)
MOMENT, FURIOUS = word_of("moment", MOMENTS), word_of("fury", FURY)
SUBJECT, PLACE = word_of("subject", SUBJECTS), word_of("where", WHERE)
STRUCTURE, MISSION = RowOf(StructureType, digits=2), RowOf(MissionType)
NUMBER = Figure(blank=True)
BOOK_COLUMNS = ("issuer", "moment", "to_node", "units", "attack_no", "repeat", "fury", "where", "structure", "player",
                "mission", "target_player", "subject", "priority")
"""Columns of Orders besides the usual ones."""

# --- the parser of lines --------------------------------------------------------------------------------------
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
    """Parses one line, word by word."""

    def __init__(self, book: OrderBook, campaign: Campaign, faction: str, text: str) -> None:
        self.book, self.campaign, self.faction = book, campaign, faction
        self.words = _SIGNS.sub(" ", _APART.sub("", _ARROW.sub(" ", text.replace("@", " at ")))).split()
        self.fields: dict[str, Any] = {}
        self.acting = [fold(name) for name in re.findall(r"\(([^)]*)\)", text)]
        """The players in brackets."""
        self.before = ""
        """The word before the one being read."""

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
        """Put the next `count` words into a column; return whether one takes them."""
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
        place = resolve_name(self.campaign, (Node,), phrase)
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
        """Put the speaker into his column: the player who acts, or who gives or proposes the order."""
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
    """Parse a line into an order: ``muovi 14>15 2F1A``, ``E3 build 21 @14``, ``spia 14 strutture (V2)``."""
    line = _Line(book, campaign, faction, text)
    fields = line.read()
    if fields:
        return Understood(fields)
    verb = line.fields.get("verb", "")
    form = example_like(book, campaign, campaign.desk.language, verb, faction)
    why = Refused("INC-010", "text", column="text", seen=text.strip()[:60], allowed=form, sheet=Order.sheet)
    return Understood(problem=text.strip(), why=why if verb else None)


def blank_first_key(value: Any) -> tuple[Any, ...]:
    """Sort key of a column's value: blanks first, codes in natural order."""
    text = str(value if value is not None else "")
    return (bool(text), natural(text))


# The lines of the day, in canonical order.
#
# What nothing can put right is reported whenever orders are checked; the rest only when the phase of a line is next.


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


def phase_of(realm: Realm, request: Request) -> str:
    """The phase of a line; for moves and attacks it depends on the initiative, "" until that is known."""
    verb, moment = request.verb, value_of(request, "moment") or "initial"
    if verb in PERSONAL:
        return "spying" if verb == "spy" else "upkeep"
    if verb == "deploy":
        return "arrivals"
    if verb in MOVES and moment in ("final", "extra"):
        return "final_moves" if moment == "final" else "upkeep"
    place = "first" if realm.side(0) == request.faction else "second" if realm.side(0) else ""
    return f"{place}_{'assault' if verb == 'attack' else 'move'}" if place else ""


def value_of(request: Request, name: str) -> Any:
    """The value of a column; "" if it is blank."""
    value = request.more[name] if name in request.more else getattr(request, name, "")
    return "" if value is None else value


def troops(request: Request) -> list[str]:
    """The units of a line, in its order."""
    return read_units(str(value_of(request, "units")), request.faction) or []


def action_text(realm: Realm, request: Request, lang: str) -> str:
    """A player's action in words, with names of cell, structure, mission and target, without the acting player."""
    game, code = realm.game, str(value_of(request, "player"))
    fields = {name: value_of(request, name) for name in game.orders[request.verb].kinds}
    for name, table in (("node", realm.nodes), ("structure", realm.types), ("mission", realm.mission_types)):
        row = table.get(str(fields.get(name, "")))
        called = row.called(lang) if row is not None else ""
        fields[name] = (called.lower() if name == "mission" else called) or fields.get(name, "")
    other = realm.players.get(str(fields.get("target_player", "")))
    fields["target_player"] = other.name or other.player if other is not None else ""
    text = format_order(game.orders, {"verb": request.verb, **fields}, lang).removesuffix(f" ({code})")
    return text.replace(" a A", " ad A") if lang == "it" else text.replace("@", "at ")


def priority(request: Request) -> int:
    """The priority of a line, small first; 50 by default."""
    value = value_of(request, "priority")
    return value if isinstance(value, int) else PRIORITY


def canonical_key(request: Request) -> tuple[Any, ...]:
    """Sort key of a line among those of the day, independent of its row."""
    values = {name: value_of(request, name) for name in SORTED_BY} | {"units": units_text(troops(request))}
    return (priority(request), request.faction, request.verb, *(blank_first_key(values[name]) for name in SORTED_BY),
            blank_first_key(request.row.order))


# --- checks that hold on any day ------------------------------------------------------------------------------
def lines_of_day(realm: Realm) -> list[Request]:
    """The open lines of the day that pass these checks, in canonical order; the others get their finding."""
    refuse_late_rows(realm)
    found = []
    for request in admit_rows(realm, rows_of_phase(realm)):
        _read_further_columns(realm, request)
        try:
            check_static(realm, request)
            found.append(request)
        except Refused as why:
            refuse(realm, request, why)
    found.sort(key=canonical_key)
    standing = [request for request in found if not _is_phase_over(realm, request)]
    return _drop_duplicates(realm, standing)


def _read_further_columns(realm: Realm, request: Request) -> None:
    """Take from the row's columns what a line in words leaves out, such as issuer and priority."""
    for name, kind in realm.game.orders[request.verb].kinds.items():
        typed = getattr(request.row, name, "")
        if not request.row.verb and value_of(request, name) == "" and typed not in ("", None):
            value = kind.understood(realm.campaign, typed)
            request.more[name] = value
            if name != "where":
                setattr(request, name, value)


def refuse_late_rows(realm: Realm) -> None:
    """Refuse open rows of past days (INC-002)."""
    for row in realm.orders.where(lambda row: not row.status and bool(row.verb or row.text) and row.turn.isdecimal()):
        if int(row.turn) < realm.today:
            row.status = "refused"
            realm.find("INC-002", row, "turn", d=int(row.turn), now=realm.today)


def _is_phase_over(realm: Realm, request: Request) -> bool:
    """Refuse a line whose phase is over today (INC-011); return whether it is."""
    order = ("initiative", "first_move", "first_assault", "second_move", "second_assault", "upkeep", "spying",
             "final_moves", "arrivals")
    phase = phase_of(realm, request)
    if not phase or order.index(phase) >= order.index(realm.game.phase):
        return False
    refuse(realm, request, Refused("INC-011", "", verb=request.verb, phase=phase))
    return True


def _drop_duplicates(realm: Realm, requests: list[Request]) -> list[Request]:
    """Of duplicate lines only the first counts; the others are replaced (INC-007)."""
    found: dict[tuple[Any, ...], Request] = {}
    for request in requests:
        values = [_value_or_default(realm, request, name) for name in COMPARED_COLUMNS if name != "units"]
        key = (priority(request), request.faction, request.verb, bool(getattr(request.row, "live", False)),
               units_text(troops(request)), *values)
        first = found.setdefault(key, request)
        if first is not request:
            request.row.status = "replaced"
            request.find(realm, "INC-007", "", order=first.row.order)
    return list(found.values())


def _value_or_default(realm: Realm, request: Request, name: str) -> str:
    """The value of a column, or what its blank means."""
    if value_of(request, name) != "" or name not in realm.game.orders[request.verb].kinds:
        return str(value_of(request, name))
    if name == "issuer":
        return str(value_of(request, "player") if request.verb in PERSONAL else realm.general(request.faction))
    return BLANK_MEANS.get(name, "")


def check_static(realm: Realm, request: Request) -> None:
    """Raise `Refused` for the first fault that nothing will put right (INC-003, 006, 008, 004, 005, 010)."""
    verb, faction = request.verb, request.faction
    if verb in DEFENDERS_ONLY and faction != ESDEF:
        raise Refused("INC-003", "verb", faction=faction, verb=verb)
    _check_issuer(realm, request)
    needed = sorted(realm.game.orders[verb].needed(), key=SORTED_BY.index)
    for name in (*needed, *(("player",) if verb == "attack" and realm.rules.attack_cap_scope == "player" else ())):
        if value_of(request, name) == "":
            if (verb, faction, name) == ("spy", VARANNAH, "player") and not value_of(request, "subject"):
                raise Refused("INC-060", "subject")
            raise Refused("INC-008", name, verb=verb, column=name)
    for name in ("node", "to_node"):
        if (
            name in realm.game.orders[verb].kinds
            and value_of(request, name)
            and value_of(request, name) not in realm.nodes
        ):
            raise Refused("INC-004", name, node=value_of(request, name))
    if value_of(request, "units") and "units" in realm.game.orders[verb].kinds and not troops(request):
        raise Refused("INC-005", "units", units=value_of(request, "units"), codes=" ".join(TYPES[faction]))
    _check_words(realm, request)


def _check_issuer(realm: Realm, request: Request) -> None:
    """INC-006: only the general orders the army; a player's action is ordered by him, or proposed by the general."""
    issuer, general = value_of(request, "issuer"), realm.general(request.faction)
    own = value_of(request, "player") if request.verb in PERSONAL else general
    if issuer and issuer not in (own, general):
        raise Refused("INC-006", "issuer", who=issuer, faction=request.faction)
    if request.verb in PERSONAL and realm.rules.general_acts == "no" and own == general:
        raise Refused("INC-006", "player", who=general, faction=request.faction)


def _allowed_words(request: Request) -> dict[str, tuple[str, ...]]:
    """The words that columns of a line may hold."""
    moments = tuple(MOMENTS) if request.verb == "move" and request.faction == VARANNAH else ("initial", "final")
    if request.verb == "reorder":
        moments = ("initial",)
    return {"moment": moments, "subject": tuple(SUBJECTS), "where": tuple(WHERE), "fury": ("yes", "no")}


def unreadable_word(realm: Realm, request: Request, name: str, allowed: Iterable[str]) -> Refused:
    """The refusal of a word that a column may not hold (INC-010), in the campaign's language."""
    names = {**MOMENTS, **SUBJECTS, **WHERE, **FURY} if realm.campaign.desk.language == "it" else {}
    shown = str(value_of(request, name))[:40]
    return Refused("INC-010", name, column=name, seen=names.get(shown, shown), sheet=Order.sheet,
                   allowed=", ".join(names.get(one, one) for one in allowed))


def _check_words(realm: Realm, request: Request) -> None:
    """INC-010: a word, number or player that cannot be read."""
    kinds = realm.game.orders[request.verb].kinds
    for name, words in _allowed_words(request).items():
        if name in kinds and value_of(request, name) and value_of(request, name) not in words:
            raise unreadable_word(realm, request, name, words)
    for name in ("priority", "attack_no"):
        value = value_of(request, name)
        good = isinstance(value, int) and (value >= 0 if name == "priority" else value in (1, 2, 3))
        if name in kinds and value != "" and not good:
            raise unreadable_word(realm, request, name, ("1", "2", "3") if name == "attack_no" else (">= 0",))
    mine = [row.player for row in realm.players if row.faction == request.faction]
    for name in ("player", "target_player"):
        if name in kinds and value_of(request, name) and value_of(request, name) not in mine:
            raise unreadable_word(realm, request, name, mine)


# --- accepted lines -------------------------------------------------------------------------------------------
def actions_of(realm: Realm, turn: str) -> list[Request]:
    """The accepted actions of players on a day."""
    rows = realm.orders.of_turn(turn, lambda row: row.status == "accepted")
    found = [read_row(realm.game.orders, realm.campaign, row, reads=realm.game.reads) for row in rows]
    actions = [request for request in found if request.verb in PERSONAL]
    for request in actions:
        _read_further_columns(realm, request)
    return actions


# --- taking ---------------------------------------------------------------------------------------------------
def take_lines(realm: Realm, *verbs: str, order: Any = canonical_key) -> list[Request]:
    """Judge the present phase's lines of some verbs; return those accepted.

    Lines of later phases are checked as well, but stay open unless something is wrong with them.
    """
    if not realm.is_next:
        return []
    due = [request for request in lines_of_day(realm) if phase_of(realm, request) == realm.game.phase
           and request.verb in verbs]
    return [request for request in sorted(due, key=order) if take_line(realm, request)]


def take_line(realm: Realm, request: Request) -> bool:
    """Judge a line whose phase is next; return whether it was accepted."""
    if not carry_out(realm, request):
        return False
    _warn_of_unused(realm, request)
    realm.taken.append(request)
    return True


def _warn_of_unused(realm: Realm, request: Request) -> None:
    """INC-009: columns that the verb does not use."""
    used = {*realm.game.orders[request.verb].kinds, "issuer", "priority", "note", "live"}
    for name in COMPARED_COLUMNS:
        value = getattr(request.row, name, "")
        if request.row.verb and name not in used and value not in ("", None, False):
            request.find(realm, "INC-009", name, verb=request.verb, column=name, sheet=Order.sheet)


# Which units a line means (rulebook: Orders).


def codes_of(units: Iterable[Unit]) -> list[str]:
    """The codes of units."""
    return [unit.code for unit in units]


def soonest_returning(line: list[Unit]) -> list[Unit]:
    """A line of defence in the order in which units are taken from it: soonest to return first, then from the rear."""
    places = sorted(range(len(line)), key=lambda i: (line[i].returns is None, line[i].returns or 0, -i))
    return [line[i] for i in places]


def pick_units(wanted: Iterable[str], among: list[Unit]) -> list[Unit]:
    """For each code the first unit of that type that is left."""
    rest, found = list(among), []
    for code in wanted:
        unit = next(one for one in rest if one.code == code)
        rest.remove(unit)
        found.append(unit)
    return found


def check_outside(realm: Realm, request: Request, outside: list[Unit], wrong: str) -> None:
    """Refuse a line whose units are not outside: they are in garrison (`wrong`), or not there (INC-022)."""
    wanted, node = troops(request), value_of(request, "node")
    if are_among(wanted, codes_of(outside)):
        return
    if request.faction == ESDEF and wrong and are_among(wanted, codes_of([*outside, *realm.camp.garrison(node)])):
        raise Refused(wrong, "units")
    have = units_text(by_type(codes_of(outside), request.faction)) or "–"
    raise Refused("INC-022", "units", node=node, have=have, want=units_text(wanted))


def free_units(realm: Realm, request: Request, units: list[Unit], may: Callable[[Unit], bool]) -> list[Unit]:
    """The units of a line among those that may still act (INC-024) and that no other line takes (INC-023)."""
    wanted = troops(request)
    able = [unit for unit in units if may(unit)]
    if not are_among(wanted, codes_of(able)):
        raise Refused("INC-024", "units", units=units_text(wanted), node=value_of(request, "node"), verb=request.verb)
    idle = [unit for unit in able if not unit.used]
    if not are_among(wanted, codes_of(idle)):
        other = next(unit.used for unit in able if unit.used and unit.code in wanted)
        raise Refused("INC-023", "units", order=other)
    return pick_units(wanted, idle)


def check_not_emptied(realm: Realm, request: Request, units: list[Unit]) -> None:
    """FON: at least one unit stays behind in a settlement or ruin (INC-025)."""
    node = value_of(request, "node")
    if realm.is_home(node, request.faction):
        leaving = {id(unit) for unit in units}
        if all(unit.gone or id(unit) in leaving for unit in realm.camp.at(node, request.faction)):
            raise Refused("INC-025", "units", node=node)


def mark_used(request: Request, units: list[Unit], *, gone: bool) -> None:
    """Mark units as taken by a line. `gone`: it leads them elsewhere."""
    for unit in units:
        unit.used = request.row.order
        unit.gone = unit.gone or gone
