"""Orders to Forces: which rows count, what people say in them; Force tests for new orders (Ord, Rea, 1)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import ordinal_number
from assistant.campaign.tables import Record
from assistant.rulesets.warriors import NO_MORE, ROLLS, WHY, book, both
from assistant.rulesets.warriors.land import (
    Country,
    Standing,
    by_terrain,
    by_territory,
    needing,
    take_reaction,
    who_see,
)
from assistant.rulesets.warriors.records import (
    NEW_ORDERS,
    NEW_ORDERS_ALSO,
    Army,
    Boat,
    Faction,
    Node,
    Order,
    Unit,
    UnitType,
)
from assistant.rulesets.warriors.will import WillNumbers
from assistant.turn.chapters import Chapter, Citation, Modifier, Rules
from assistant.turn.dice import RangeTable
from assistant.turn.findings import nearest
from assistant.turn.orders.columns import Note, Option, Piece, Sentence
from assistant.turn.orders.reader import read_row
from assistant.turn.orders.requests import Refused, Request
from assistant.turn.orders.row_columns import Code
from assistant.turn.orders.taking import refuse, rows_of_phase
from assistant.turn.orders.verbs import order
from assistant.turn.orders.words import codes_by_name, fold
from assistant.turn.rulings import Score


class OrderNumbers(Rules):
    """The Force test: its die, its modifiers, what a total brings."""

    force_die: str = book.dice_choice("The Force test is {option} and the V.C.",
                                      "Il test della Forza è {option} e il V.C.")
    force_ok: int = book.threshold(6, "From {n} on a Force takes the new order.",
                                   "Da {n} una Forza riceve il nuovo ordine.")
    force_defend: int = book.threshold(4, "From {n} on it can only defend.", "Da {n} può solo difendere.")
    force_confused: int = book.threshold(3, "From {n} on it is confused.", "Da {n} è confusa.")
    force_unsteady: int = book.threshold(2, "From {n} on it is unsteady; below it is lost.",
                                         "Da {n} è instabile; sotto è perduta.")
    ft_routed: int = book.to_force_test(-3, "Routed", "In rotta")
    ft_unsteady: int = book.to_force_test(-2, "Unsteady", "Instabile")
    ft_confused: int = book.to_force_test(-1, "Confused", "Confusa")
    ft_enemy: int = book.to_force_test(-1, "In enemy territory", "In territorio nemico")
    ft_friendly: int = book.to_force_test(2, "In friendly territory", "In territorio amico")
    ft_marker: int = book.to_next_test(-1, "A Will marker", "Con un segnalino volontà", "ASSUMED")
    ft_supply: int = book.to_next_test(-1, "Spoiled supply", "Viveri guasti", "ASSUMED", source="1 Force test 8")
    order_timing: Literal["once", "two_steps"] = book.switch(
        "Orders are due {option}.", "Gli ordini si danno {option}.", ("once a turn", "una volta per turno"),
        ("first those of phase 1, then all others", "prima quelli della fase 1, poi tutti gli altri"), setup=True,
        source="Ord")
    rout_result: Literal["removed", "until_contact"] = book.switch(
        "A Force that fails its test altogether {option}.", "Una Forza che fallisce del tutto il test {option}.",
        ("is removed at once", "è tolta subito"),
        ("is routed, and removed when it is attacked", "è in rotta, e tolta quando è attaccata"), usual=True)
    will_marker: Literal["next_test", "none"] = book.switch(
        "A Will marker {option}.", "Un segnalino volontà {option}.",
        ("counts in the next Force test", "conta nel prossimo test della Forza"),
        ("only reminds of the Will test", "ricorda soltanto il test della volontà"))


CHAPTER = Chapter(both("1 Orders", "1 Ordini"), (
    Citation("1", "phase 1", "fase 1", "1 Orders"),
    Citation("Force", "Force test", "test della Forza", both("Force test", "Test della Forza")),
    Citation("test", "Force test", "test della Forza", "Force test"),
    Citation("Ord", "Orders", "Ordini", both("Orders to Forces", "Ordini alle Forze")),
    Citation("Rea", "Reactions", "Reazioni", both("Reactions of Forces", "Reazioni delle Forze"))
), OrderNumbers, rests_on="1 Force test", events=(
    book.event("order_given", "moves", 2, "{army} {army?takes|take} the order {order}: {roll}",
               "{army:il} {army?riceve|ricevono} l'ordine {order}: {roll}",
               variants=("order", {
                   "march": ("{army} {army?takes|take} the order to make a forced march: {roll}",
                             "{army:il} {army?riceve|ricevono} l'ordine di marciare a tappe forzate: {roll}"),
                   "explore": ("{army} {army?takes|take} the order to explore: {roll}",
                               "{army:il} {army?riceve|ricevono} l'ordine di esplorare: {roll}"),
                   "defend": ("{army} {army?takes|take} the order to defend: {roll}",
                              "{army:il} {army?riceve|ricevono} l'ordine di difendere: {roll}")}), to="army",
               tries="army"),
    book.event("order_defend", "moves", 2, "{army} can only defend: {roll}",
               "{army:il} {army?può|possono} solo difendere: {roll}", to="army", tries="army"),
    book.event("force_confused", "moves", 1, "{army} {army?is|are} confused and {army?takes|take} no order: {roll}",
               "{army}: la Forza è confusa e non riceve l'ordine: {roll}", to="army", tries="army"),
    book.event("force_unsteady", "moves", 1, "{army} {army?is|are} unsteady and {army?takes|take} no order: {roll}",
               "{army}: la Forza è instabile e non riceve l'ordine: {roll}", to="army", tries="army"),
    book.event("force_lost", "battles", 0, *NO_MORE, means=WHY, to=who_see("faction"), theme="losses"),
    book.event("rolled", "moves", 3, "Force test of {army}: {roll}", "Test della Forza {army:di}: {roll}", to="army",
               tries="army"),
    book.event("will_marker", "moves", 3, "{army} {army?gets|get} a Will marker.",
               "{army:il} {army?riceve|ricevono} un segnalino volontà.", to="army"),
    book.event("new_chief", "news", 2, "{army} {army?has|have} the commander-in-chief now.",
               "{army:il} {army?ha|hanno} ora il comandante supremo.", to="army"),
), findings=(
    book.error("WAR-001",
               "'{verb}' is not an order. Use order, move, sail, contact, initiative, raise, refill or found.",
               "'{verb}' non è un ordine. Usa ordine, muovi, naviga, contatto, iniziativa, arruola, rimpiazza o "
               "fonda."),
    book.error("WAR-002", "There is no Force '{army}'. Did you mean {near}?",
               "La Forza '{army}' non esiste. Intendevi {near}?"),
    book.error("WAR-003", "{army} belongs to another faction. Order only your own Forces.",
               "{army:il} {army?è|sono} di un'altra fazione. Ordina solo alle tue Forze."),
    book.error("WAR-004", "{army} is no longer on the map ({status}). Delete the row.",
               "{army} non è più sulla mappa ({status}). Cancella la riga."),
    book.error("WAR-005", "{faction:the} {faction?is|are} out of the campaign, or unknown. Delete the row.",
               "{faction:il} {faction?è|sono} fuori dalla campagna, o non esiste. Cancella la riga."),
    book.error("WAR-006", "'{verb}' needs {columns}. Fill it in.", "'{verb}' richiede {columns}. Completa la riga.",
               variants=("columns", {
                   "path": ("'{verb}' needs {columns}: the squares after the Force's own. Fill it in.",
                            "'{verb}' richiede {columns}: i quadrati dopo quello della Forza. Completa la riga.")})),
    book.warning("WAR-007", "'{verb}' does not use {column}; it is ignored. Clear the cell.",
                 "'{verb}' non usa {column}: è ignorata. Svuota la cella."),
    book.warning("WAR-008", "Replaced by No. {seq} for the same Force. Delete one of them.",
                 "Sostituito dal N. {seq} per la stessa Forza. Cancellane uno."),
    book.error("WAR-009", "Two rows No. {seq} contradict each other; neither counts. Keep one.",
               "Due righe N. {seq} si contraddicono: non ne vale nessuna. Tienine una."),
    book.warning("WAR-010", "Same as No. {seq}; counted once.", "Uguale al N. {seq}: conta una volta sola."),
    book.error("WAR-011", "Written for turn {turn}, this is turn {now}. Correct the turn or delete it.",
               "Scritto per il turno {turn}, siamo al {now}. Correggi o cancella."),
    book.error("WAR-012", "'{value}' is not a whole number above 0.",
               "'{value}' non è un numero intero maggiore di 0."),
    book.error("WAR-101", "'{new_order}' is not march, explore or defend.",
               "'{new_order}' non è marcia, esplora o difendi.", certain=True),
    book.warning("WAR-102", "{army} {army?has|have} this order already: no test is made, so it risks nothing.",
                 "{army:il} {army?ha|hanno} già questo ordine: nessun test, nessun rischio."),
))

both.words({
    "none": "nessuna", "open": "aperto", "out of control": "fuori controllo", "aboard": "è a bordo",
})

FORCE_TEST = ROLLS.purpose(both("Force tests", "Test della Forza"), "force-test/{Armies*}", "")


# Which rows of a phase count (rulebook: What is refused).
#
# Each is judged by itself, then against others about the same thing; rows that do not count get a finding.


PURPOSES = {"order": "order", "move": "move", "sail": "move", "contact": "contact", "initiative": "initiative"}
"""Verbs -> what they are about; purchases add up."""
FREE = ("note",)
"""Columns that any row may fill."""


def take_rows(land: Country) -> list[Request]:
    """The rows of the phase that count, in the order of their numbers."""
    standing = rows_that_count(land, [request for request in _of_this_phase(land) if can_stand(land, request)])
    for request in standing:
        request.row.status = "accepted"
    return standing


def _of_this_phase(land: Country) -> list[Request]:
    """Open rows that the phase reads; rows of past turns (WAR-011) and unknown verbs are reported."""
    book, takes = land.game.orders, land.game.takes
    requests = []
    late = [row for row in land.campaign.table(Order).open_rows(land.game.turn) if not row.status
            and row.turn.isdecimal() and int(row.turn) < land.turn]
    for row in late:
        request = read_row(book, land.campaign, row, reads=land.game.reads)
        if not request.verb or takes in book[request.verb].when:
            refuse(land, request, Refused("WAR-011", "turn", turn=row.turn, now=land.game.turn))
    for request in rows_of_phase(land):
        if not request.verb:
            unknown = request.why or Refused("unknown_verb", word=request.row.verb or request.row.text, near="")
            refuse(land, request, unknown if land.plays(request.faction) else
                   Refused("WAR-005", "faction", faction=request.faction))
        elif takes in book[request.verb].when:
            requests.append(request)
    return requests


def can_stand(land: Country, request: Request) -> bool:
    """Whether a row can count by itself; else it is refused for its first fault."""
    verb = land.game.orders[request.verb]
    assert verb.deed is not None
    try:
        if not land.plays(request.faction):
            raise Refused("WAR-005", "faction", faction=request.faction)
        missing = [name for name in verb.needed_columns() if getattr(request, name) in ("", None, [])]
        if missing:
            raise Refused("missing", missing[0], verb=request.verb, column=" ".join(missing))
        for name in land.game.orders.cells:
            if name not in verb.columns and name not in FREE and request.raw.get(name) not in ("", None, []):
                request.find(land, "WAR-007", name, verb=request.verb, column=name)
                # rows that differ only in it are alike
                request.more |= {name: ""} if name in request.more else {}
                setattr(request, name, type(getattr(request, name))())
        verb.deed(land, request)
    except Refused as why:
        refuse(land, request, why)
        return False
    return True


def code_in(land: Country, request: Request, record: type[Record], name: str) -> str:
    """The code in a column, which may also hold a name. Raises `Refused` (ambiguous)."""
    code, words = str(getattr(request, name)), request.typed_text(name).split()
    if words and code not in land.campaign.table(record):
        code = code_of_name(land.campaign, request.faction, (record,), words) or code
        setattr(request, name, code)
        request.more |= {name: code} if name in request.more else {}
    return code


def own_force(land: Country, request: Request) -> Army:
    """The Force that a row is for. Raises `Refused` (WAR-002 to 004)."""
    code = code_in(land, request, Army, "army")
    army = land.armies.get(code)
    if army is None or (army.faction != request.faction and not may_know(land, request.faction, army)):
        mine = [army.army for army in land.armies if army.faction == request.faction]
        raise Refused("no_such_unit", "army", word=code, near=nearest(code, mine), list=" ".join(mine))
    if army.faction != request.faction:
        raise Refused("not_yours", "army", word=code, owner=army.faction)
    if not army.active:
        raise Refused("WAR-004", "army", army=code, status=army.status)
    return army


def may_know(land: Country, faction: str, army: Army) -> bool:
    """Whether a faction may know of a Force where it stands."""
    return land.rules.fog == "open" or land.friendly(army.faction, faction) or (
        army.active and land.sees(faction, army.node))


def place_in_file(request: Request) -> tuple[bool, int]:
    """Sort key: by the number of a row, those without one last."""
    seq = ordinal_number(request.row.seq)
    return seq is None, seq or 0


# --- rows about one thing -------------------------------------------------------------------------
def rows_that_count(land: Country, standing: list[Request]) -> list[Request]:
    """Of rows about the same thing the last counts (WAR-008 to 010), of identical purchases one."""
    groups: dict[tuple[str, ...], list[Request]] = {}
    for place, request in enumerate(standing):
        request.note = ""  # what somebody remarks makes no other order
        about, (unnumbered, seq) = PURPOSES.get(request.verb), place_in_file(request)
        own = (about, str(getattr(request, "army", ""))) if about else (str(place),) if unnumbered else (
            "", str(seq), str(request.says()))
        groups.setdefault((request.faction, *own), []).append(request)
    kept = {id(request) for rows in groups.values() for request in _last(land, rows)}
    return [request for request in standing if id(request) in kept]


def _last(land: Country, rows: list[Request]) -> list[Request]:
    """The row that counts, in a list; empty if two with the highest number contradict each other."""
    def rank(request: Request) -> tuple[bool, int]:
        last, seq = place_in_file(request)
        return last, rows.index(request) if last else seq

    top = max(map(rank, rows))
    highest = [request for request in rows if rank(request) == top]
    seq = highest[0].row.seq if highest[0].row.seq is not None else highest[0].row.order
    for request in rows:
        if request not in highest:
            _gives_way(land, request, "WAR-010" if request.says() == highest[0].says() else "WAR-008", seq)
    if any(request.says() != highest[0].says() for request in highest):
        for request in highest:
            refuse(land, request, Refused("WAR-009", "seq", seq=seq))
        return []
    for request in highest[1:]:
        _gives_way(land, request, "WAR-010", seq)
    return highest[:1]


def _gives_way(land: Country, request: Request, code: str, seq: Any) -> None:
    request.row.status = "replaced"
    request.find(land, code, "seq", seq=seq)


def further_names(campaign: Campaign) -> Iterator[tuple[str, type[Record], str]]:
    """Forces by their commanders."""
    for army in campaign.table(Army):
        for name in filter(None, (army.commander, army.commander_it)):
            yield name, Army, army.army


COLUMNS: Mapping[type[Record], str] = {Army: "army", Node: "place", Boat: "boat", UnitType: "type", Unit: "unit"}
"""Records with names -> the column for their code."""


def code_of_name(campaign: Campaign, faction: str, records: tuple[type[Record], ...], words: list[str]) -> str:
    """The code of the thing with that name, "" for none; of several the one still on the map.

    Raises `Refused` (ambiguous) if there is more than one.
    """
    name = " ".join(words)
    meant = [(row, record) for record in records for code in campaign.derive(codes_by_name, record).get(fold(name), ())
             if can_mean(campaign, faction, row := campaign.table(record)[code])]
    rows = [(row, record) for row, record in meant if _is_on_map(campaign, row)] or meant
    if len(rows) > 1:
        told = [row.ident for row, _ in rows]
        raise Refused("ambiguous", COLUMNS[rows[0][1]], word=name, a=told[0], b=told[1], list=" ".join(told))
    return rows[0][0].ident if rows else ""


def can_mean(campaign: Campaign, faction: str, row: Any) -> bool:
    """Whether a faction's line can mean a row; any faction can mean any place."""
    if isinstance(row, UnitType):
        club = campaign.table(Faction).get(faction)
        return row.is_for(club.people if club is not None else "any")
    if isinstance(row, Unit):
        army = campaign.table(Army).get(row.army)
        return army is not None and army.faction == faction
    return isinstance(row, Node) or row.faction == faction


def _is_on_map(campaign: Campaign, row: Any) -> bool:
    """Whether a Force, or that of a Unit, is on the map; True for other rows."""
    army = campaign.table(Army).get(row.army) if isinstance(row, Unit) else row
    return not isinstance(army, Army) or army.active


# The verbs, each declared on the function that judges its rows (rulebook: Orders to Forces).
#
# These functions only raise `Refused` or warn; the phases carry the rows out.


_CODE = r"(?i)[^\W\d_]{1,3}\d+[a-z]?"


@dataclass(eq=False, repr=False, kw_only=True)
class Called(Code):
    """A code, or the name of a row that the faction can mean."""

    quotes: bool = True

    def pieces(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """A code, or a name of what it can mean."""
        for count, code in super().pieces(sentence, start):
            rows = [table[code] for table in (sentence.campaign.by_sheet(record.sheet) for record in self.records)
                    if code in table]
            if not rows or fold(sentence.word(start)) == fold(code) or can_mean(
                    sentence.campaign, sentence.faction, rows[0]):
                yield count, code

    def as_typed(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """A word that looks like a code."""
        if self.quotes and re.fullmatch(_CODE, sentence.word(start)):
            yield 1, sentence.word(start)

    def join(self, pieces: Sequence[Piece], sentence: Sentence, fields: Mapping[str, Any]) -> Any:
        """The code; a name that nothing has as it stands. Raises `Refused` (ambiguous)."""
        value = str(super().join(pieces, sentence, fields))
        known = any(value in sentence.campaign.by_sheet(record.sheet) for record in self.records)
        return value if known else code_of_name(sentence.campaign, sentence.faction, self.records, [value]) or value


@dataclass(eq=False, repr=False)
class Force(Called):
    """A Force."""

    def pieces(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """Also a name in quotes, which it may be given before."""
        yield from super().pieces(sentence, start)
        if sentence.is_quoted(start):
            yield 1, sentence.word(start)

    def as_typed(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """Its code with zeros, or of an own one the number alone."""
        word, armies = sentence.word(start), sentence.campaign.table(Army)
        if (plain := armies.spelling_of(re.sub(r"(?<=\D)0+(?=\d)", "", word))) in armies:
            yield 1, plain
        else:
            yield from super().as_typed(sentence, start)
        own = armies.where(lambda army: army.faction == sentence.faction and re.fullmatch(
            rf"\D+0*{int(word)}", army.army) is not None) if word.isdecimal() else []
        if len(own) == 1:
            yield 1, own[0].army


ARMY, PLACE = Force((Army,)), Called((Node,))
NEW_ORDER = Option(NEW_ORDERS, NEW_ORDERS_ALSO, opens=True, quotes=True)
NOTE = Note()


def check_option(request: Request, name: str, options: Any, code: str, *, blank: bool = False) -> None:
    """Refuse a word that is not among the options, with a code of the book."""
    word = str(request.more[name])
    if word not in options and (word or not blank):
        raise Refused(code, name, **{name: word})


def whole_amount(request: Request, name: str) -> int:
    """A whole number above 0. Raises `Refused` (WAR-012)."""
    value = request.more[name]
    if not isinstance(value, int) or value < 1:
        raise Refused("not_an_amount", name, word=value)
    return value


@order("order", "ordine", when=("orders",), army=ARMY, new_order=NEW_ORDER, note=NOTE,
       shown=("{army} order {new_order}", "{army} ordine {new_order}"),
       help=both("Ask for another order, or shake off a reaction: the Force is tested.",
                 "Chiedi un altro ordine, o di scuotere una reazione: la Forza fa il test."))
def change_order(land: Country, request: Request) -> None:
    """WAR-101, 102."""
    army = own_force(land, request)
    check_option(request, "new_order", NEW_ORDERS, "WAR-101")
    if army.reaction == "none" and army.order == request.more["new_order"]:
        request.find(land, "WAR-102", "new_order", army=army.army)


# Phase 1: Force tests for new orders (Ord, Rea, 1).


class CommandBoard(Country):
    """The board of phase 1, with the rows that count."""

    requests: list[Request]


def read_rows(land: CommandBoard) -> None:
    """Take the rows of the phase."""
    land.requests = take_rows(land)


FORCE_TEST_TABLE: tuple[Modifier[Standing], ...] = (
    Modifier("V.C.", lambda force: force.land.vc(force.army)),
    Modifier(lambda force: force.army.reaction, lambda force: force.army.reaction != "none",
             lambda force: f"ft_{force.army.reaction}"),
    *by_terrain("force_mod"),
    *by_territory("ft_friendly", "ft_enemy"),
    Modifier(both.word("Will marker", "segnalino volontà"),
             lambda force: force.army.will_marker and OrderNumbers.of(force.land).will_marker == "next_test",
             "ft_marker"),
    Modifier(both.word("spoiled supply", "viveri guasti"), lambda force: bool(force.army.supply_mod), "ft_supply"),
)
"""The modifiers of a Force test; the robot reads them, too."""


def force_test_modifiers(land: Country, army: Army) -> dict[str, int]:
    """What the table adds for a Force, by name."""
    return land.modifiers(FORCE_TEST_TABLE, Standing(land, army.node, army.faction, army))


GIVEN = both.word("given", "accordato")
"""The order is given: the best row of the table."""


def force_test_table(land: Country) -> RangeTable:
    """The table of results of a Force test."""
    rules = OrderNumbers.of(land)
    return RangeTable.rising("Force test", (-99, "lost"), (rules.force_unsteady, "unsteady"),
                             (rules.force_confused, "confused"), (rules.force_defend, "defend"),
                             (rules.force_ok, GIVEN))


def force_tests(land: CommandBoard) -> None:
    """Throw all tests first, then apply them all."""
    tested: list[tuple[Army, str, Score]] = []
    for request in sorted(land.requests, key=lambda request: land.armies.keys().index(str(request.more["army"]))):
        army, wish = land.armies[str(request.more["army"])], str(request.more["new_order"])
        if army.reaction == "none" and army.order == wish:
            continue
        dice = land.score(FORCE_TEST(army.army, dice=OrderNumbers.of(land).force_die), force_test_modifiers(land, army),
                          land.own(army.faction))
        tested.append((army, wish, dice))
    lost = [army for army, wish, dice in tested if _apply_test(land, army, wish, dice)]
    for army in lost:
        for other in land.active(army.faction):
            if other not in lost and not other.will_marker:
                other.will_marker = True
                land.tell("will_marker", army=other.army)
    for army in lost:
        land.choose_new_chief(army.faction)


def _apply_test(land: Country, army: Army, wish: str, dice: Score) -> bool:
    """Apply a test; return whether the Force is out of control."""
    army.will_marker, army.supply_mod = False, 0
    verdict, shown = dice.row(force_test_table(land)), needing(dice, OrderNumbers.of(land).force_ok)
    if verdict == GIVEN:
        army.reaction, army.order = "none", wish
        land.tell("order_given", army=army.army, roll=shown, order=wish, total=dice)
        return False
    if verdict == "defend":
        army.reaction, army.order = "none", "defend"
        land.tell("order_defend", army=army.army, roll=shown, total=dice)
        return False
    if verdict != "lost":
        take_reaction(land, army, verdict)
        land.tell(f"force_{verdict}", army=army.army, roll=shown, reaction=verdict, total=dice)
        return False
    if WillNumbers.of(land).will_trigger != "all_forces":
        land.owe_will_test(army.faction, f"force_lost:{army.army}")
    if OrderNumbers.of(land).rout_result == "removed":
        # else the command would pass on at once, perhaps to a Force that is lost in the same phase
        chief = army.chief
        army.chief = False
        land.remove_force(army, "lost", "force_lost", "1 Force test", why="out of control", roll=shown, total=dice)
        army.chief = chief
    else:
        take_reaction(land, army, "routed")
        land.tell("force_lost", land.own(army.faction), roll=shown, army=army.army, faction=army.faction,
                  why="routed", total=dice)
    return True
