"""The lines of the day: rows of Orders in, requests in canonical order out, refused where no phase could take them.

What is wrong with a line whatever happens is told whenever orders are looked at; the rest when its phase is next.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from assistant.campaign.records import Order
from assistant.rulesets.incursio.book.sheets import ESDEF, VARANNAH
from assistant.rulesets.incursio.orders.columns import FURY, MOMENTS, SUBJECTS, WHERE, natural_blank
from assistant.rulesets.incursio.realm.realm import Realm
from assistant.rulesets.incursio.realm.units import TYPES, joined, read_units
from assistant.turn.orders.reading import read_row
from assistant.turn.orders.refusal import Refused
from assistant.turn.orders.request import Request
from assistant.turn.orders.shorthand import show
from assistant.turn.orders.taking import admitted, carry_out, refuse, rows_of_phase

MOVES = ("move", "leave", "enter", "reorder")
PERSONAL = ("build", "mission", "spy")
"""Orders that are a player's action of the day, in the order in which they count."""
DEFENDERS_ONLY = ("leave", "enter", "reorder", "build", "deploy")
SORTED_BY = ("node", "to_node", "attack_no", "units", "structure", "mission", "player", "subject", "where", "repeat",
             "target_player", "fury", "issuer")
SAME = ("moment", *SORTED_BY)
"""Columns in which lines that are one are the same, beside priority, faction and verb."""
BLANK = {"moment": "initial", "repeat": "1", "where": "garrison"}
"""What a blank column stands for."""
PRIORITY = 50


def phase_of(realm: Realm, request: Request) -> str:
    """The phase to which a line belongs; of moves and attacks as the initiative has it, "" as long as that is open."""
    verb, moment = request.verb, said(request, "moment") or "initial"
    if verb in PERSONAL:
        return "spying" if verb == "spy" else "upkeep"
    if verb == "deploy":
        return "arrivals"
    if verb in MOVES and moment in ("final", "extra"):
        return "final_moves" if moment == "final" else "upkeep"
    place = "first" if realm.side(0) == request.faction else "second" if realm.side(0) else ""
    return f"{place}_{'assault' if verb == 'attack' else 'move'}" if place else ""


def said(request: Request, name: str) -> Any:
    """What a column holds, "" for nothing."""
    value = request.more[name] if name in request.more else getattr(request, name, "")
    return "" if value is None else value


def troops(request: Request) -> list[str]:
    """The units of a line, in its order."""
    return read_units(str(said(request, "units")), request.faction) or []


def in_names(realm: Realm, request: Request, lang: str) -> str:
    """A player's action as people speak of it: cell, structure, mission and for whom by name, without who acts."""
    game, code = realm.game, str(said(request, "player"))
    fields = {name: said(request, name) for name in game.orders[request.verb].kinds}
    for name, table in (("node", realm.nodes), ("structure", realm.types), ("mission", realm.mission_types)):
        row = table.get(str(fields.get(name, "")))
        called = row.called(lang) if row is not None else ""
        fields[name] = (called.lower() if name == "mission" else called) or fields.get(name, "")
    other = realm.players.get(str(fields.get("target_player", "")))
    fields["target_player"] = other.name or other.player if other is not None else ""
    text = show(game.orders, {"verb": request.verb, **fields}, lang).removesuffix(f" ({code})")
    return text.replace(" a A", " ad A") if lang == "it" else text.replace("@", "at ")


def priority(request: Request) -> int:
    """Small comes first; 50 where nothing is said."""
    value = said(request, "priority")
    return value if isinstance(value, int) else PRIORITY


def canonical(request: Request) -> tuple[Any, ...]:
    """Where a line comes among those of the day, whatever its row."""
    values = {name: said(request, name) for name in SORTED_BY} | {"units": joined(troops(request))}
    return (priority(request), request.faction, request.verb, *(natural_blank(values[name]) for name in SORTED_BY),
            natural_blank(request.row.order))


# --- what is wrong whatever happens ---------------------------------------------------------------------------
def lines(realm: Realm) -> list[Request]:
    """The open lines of the day that can be judged, in canonical order; the others get their finding."""
    too_late(realm)
    found = []
    for request in admitted(realm, rows_of_phase(realm)):
        _beside_the_words(realm, request)
        try:
            static(realm, request)
            found.append(request)
        except Refused as why:
            refuse(realm, request, why)
    found.sort(key=canonical)
    standing = [request for request in found if not _is_over(realm, request)]
    return _each_once(realm, standing)


def _beside_the_words(realm: Realm, request: Request) -> None:
    """What a line in words does not say its row may say in a column: who gives it, when it counts."""
    for name, kind in realm.game.orders[request.verb].kinds.items():
        typed = getattr(request.row, name, "")
        if not request.row.verb and said(request, name) == "" and typed not in ("", None):
            value = kind.understood(realm.campaign, typed)
            request.more[name] = value
            if name != "where":
                setattr(request, name, value)


def too_late(realm: Realm) -> None:
    """Open rows of days that are over (INC-002)."""
    for row in realm.orders.where(lambda row: not row.status and bool(row.verb or row.text) and row.turn.isdecimal()):
        if int(row.turn) < realm.today:
            row.status = "refused"
            realm.find("INC-002", row, "turn", d=int(row.turn), now=realm.today)


def _is_over(realm: Realm, request: Request) -> bool:
    """Whether the phase of a line is over today, which is told (INC-011)."""
    order = ("initiative", "first_move", "first_assault", "second_move", "second_assault", "upkeep", "spying",
             "final_moves", "arrivals")
    phase = phase_of(realm, request)
    if not phase or order.index(phase) >= order.index(realm.game.phase):
        return False
    refuse(realm, request, Refused("INC-011", "", verb=request.verb, phase=phase))
    return True


def _each_once(realm: Realm, requests: list[Request]) -> list[Request]:
    """Of lines that say the same the one with the smallest number counts."""
    found: dict[tuple[Any, ...], Request] = {}
    for request in requests:
        values = [_meant(realm, request, name) for name in SAME if name != "units"]
        key = (priority(request), request.faction, request.verb, bool(getattr(request.row, "live", False)),
               joined(troops(request)), *values)
        first = found.setdefault(key, request)
        if first is not request:
            request.row.status = "replaced"
            request.find(realm, "INC-007", "", order=first.row.order)
    return list(found.values())


def _meant(realm: Realm, request: Request, name: str) -> str:
    """What a column says, where it is blank what that stands for."""
    if said(request, name) != "" or name not in realm.game.orders[request.verb].kinds:
        return str(said(request, name))
    if name == "issuer":
        return str(said(request, "player") if request.verb in PERSONAL else realm.general(request.faction))
    return BLANK.get(name, "")


def static(realm: Realm, request: Request) -> None:
    """Raise `Refused` for the first thing that nothing will put right: 003, 006, 008, 004, 005, 010."""
    verb, faction = request.verb, request.faction
    if verb in DEFENDERS_ONLY and faction != ESDEF:
        raise Refused("INC-003", "verb", faction=faction, verb=verb)
    _issuer(realm, request)
    needed = sorted(realm.game.orders[verb].needed(), key=SORTED_BY.index)
    for name in (*needed, *(("player",) if verb == "attack" and realm.rules.attack_cap_scope == "player" else ())):
        if said(request, name) == "":
            if (verb, faction, name) == ("spy", VARANNAH, "player") and not said(request, "subject"):
                raise Refused("INC-060", "subject")
            raise Refused("INC-008", name, verb=verb, column=name)
    for name in ("node", "to_node"):
        if name in realm.game.orders[verb].kinds and said(request, name) and said(request, name) not in realm.nodes:
            raise Refused("INC-004", name, node=said(request, name))
    if said(request, "units") and "units" in realm.game.orders[verb].kinds and not troops(request):
        raise Refused("INC-005", "units", units=said(request, "units"), codes=" ".join(TYPES[faction]))
    _words(realm, request)


def _issuer(realm: Realm, request: Request) -> None:
    """INC-006: army orders are the general's; a player's action is his own, or the general proposes it."""
    issuer, general = said(request, "issuer"), realm.general(request.faction)
    own = said(request, "player") if request.verb in PERSONAL else general
    if issuer and issuer not in (own, general):
        raise Refused("INC-006", "issuer", who=issuer, faction=request.faction)
    if request.verb in PERSONAL and realm.rules.general_acts == "no" and own == general:
        raise Refused("INC-006", "player", who=general, faction=request.faction)


def _allowed(request: Request) -> dict[str, tuple[str, ...]]:
    """The words that columns of a line may hold."""
    moments = tuple(MOMENTS) if request.verb == "move" and request.faction == VARANNAH else ("initial", "final")
    if request.verb == "reorder":
        moments = ("initial",)
    return {"moment": moments, "subject": tuple(SUBJECTS), "where": tuple(WHERE), "fury": ("yes", "no")}


def unreadable(realm: Realm, request: Request, name: str, allowed: Iterable[str]) -> Refused:
    """What refuses a word that a column may not hold (INC-010), in the words of the campaign's language."""
    names = {**MOMENTS, **SUBJECTS, **WHERE, **FURY} if realm.campaign.desk.language == "it" else {}
    shown = str(said(request, name))[:40]
    return Refused("INC-010", name, column=name, seen=names.get(shown, shown), sheet=Order.sheet,
                   allowed=", ".join(names.get(one, one) for one in allowed))


def _words(realm: Realm, request: Request) -> None:
    """INC-010: a word, number or player that cannot be read."""
    kinds = realm.game.orders[request.verb].kinds
    for name, words in _allowed(request).items():
        if name in kinds and said(request, name) and said(request, name) not in words:
            raise unreadable(realm, request, name, words)
    for name in ("priority", "attack_no"):
        value = said(request, name)
        good = isinstance(value, int) and (value >= 0 if name == "priority" else value in (1, 2, 3))
        if name in kinds and value != "" and not good:
            raise unreadable(realm, request, name, ("1", "2", "3") if name == "attack_no" else (">= 0",))
    mine = [row.player for row in realm.players if row.faction == request.faction]
    for name in ("player", "target_player"):
        if name in kinds and said(request, name) and said(request, name) not in mine:
            raise unreadable(realm, request, name, mine)


# --- what was accepted ----------------------------------------------------------------------------------------
def actions_of(realm: Realm, turn: str) -> list[Request]:
    """The accepted actions of players on a day."""
    rows = realm.orders.of_turn(turn, lambda row: row.status == "accepted")
    found = [read_row(realm.game.orders, realm.campaign, row, reads=realm.game.reads) for row in rows]
    actions = [request for request in found if request.verb in PERSONAL]
    for request in actions:
        _beside_the_words(realm, request)
    return actions


# --- taking ---------------------------------------------------------------------------------------------------
def take_lines(realm: Realm, *verbs: str, order: Any = canonical) -> list[Request]:
    """Judge the lines of the present phase of some verbs; those that were accepted.

    Lines of later phases are looked at as well, and left as they are where nothing is wrong with them; what belongs to
    a phase that is not the next one waits.
    """
    if not realm.is_next:
        return []
    due = [request for request in lines(realm) if phase_of(realm, request) == realm.game.phase
           and request.verb in verbs]
    return [request for request in sorted(due, key=order) if take_one(realm, request)]


def take_one(realm: Realm, request: Request) -> bool:
    """Judge a line whose phase is next; whether it was accepted."""
    if not carry_out(realm, request):
        return False
    _unused(realm, request)
    realm.taken.append(request)
    return True


def _unused(realm: Realm, request: Request) -> None:
    """INC-009: columns that the verb does not use."""
    used = {*realm.game.orders[request.verb].kinds, "issuer", "priority", "note", "live"}
    for name in SAME:
        value = getattr(request.row, name, "")
        if request.row.verb and name not in used and value not in ("", None, False):
            request.find(realm, "INC-009", name, verb=request.verb, column=name, sheet=Order.sheet)
