"""Movement on water, initiative, phase 2 as a whole and the battles that follow (2 movement, 2 naval)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.map import SquareMap
from assistant.campaign.records import ALL
from assistant.campaign.tables import natural
from assistant.rulesets.warriors import ROLLS, VOCABULARY, WAY, book, both
from assistant.rulesets.warriors.land import (
    RIVER,
    WIND_WEATHER,
    Country,
    Standing,
    codes_of_rows,
    needing,
    weather_of,
    who_see,
)
from assistant.rulesets.warriors.marches import (
    ANY_MOVE,
    MarchNumbers,
    MovementBoard,
    _on_map,
    can_move,
    collapse,
    cross_at_start,
    march,
    meet_enemies,
    reset_crossing_losses,
    tell_cut_short,
    tell_refused,
    tell_too_slow,
    why_not_move,
    write_standing_orders,
)
from assistant.rulesets.warriors.orders import (
    ARMY,
    NOTE,
    Called,
    check_option,
    code_in,
    own_force,
    place_in_file,
    take_rows,
)
from assistant.rulesets.warriors.records import WISHES, Army, Battle, BattleArmy, BattleUnit, Boat, Node, Terrain
from assistant.turn.chapters import Chapter, Citation, Modifier, Rules
from assistant.turn.dice import RangeTable
from assistant.turn.game import free_name
from assistant.turn.orders.columns import Option, Sentence, place_of_order, roads_of
from assistant.turn.orders.phrases import PhraseIndex
from assistant.turn.orders.requests import HasGame, Refused, Request
from assistant.turn.orders.row_columns import Path, find_place
from assistant.turn.orders.taking import refuse
from assistant.turn.orders.verbs import order
from assistant.turn.orders.words import fold
from assistant.turn.rulings import Contest, Score

# Movement on water (2 naval).


class VoyageNumbers(Rules):
    """The die of movement on water."""

    sl_contrary: int = book.to_die(-3, "Contrary wind", "Vento contrario")
    sl_calm: int = book.to_die(-2, "Calm", "Calma piatta")
    sl_fair: int = book.to_die(1, "Fair wind", "Vento favorevole")
    sl_reefs: int = book.to_die(-1, "Reefs or isles on the way", "Scogli o isole sul percorso")
    sl_small: int = book.to_die(-2, "Small boats on sea or lake", "Natanti piccoli in mare o lago")
    sl_barges: int = book.to_die(-1, "Barges for mounts", "Chiatte per le cavalcature")
    sl_rapids: int = book.to_die(-3, "Falls or rapids on the way", "Cascate o rapide sul percorso")
    sl_up: int = book.to_die(-2, "Upstream", "Risalita del fiume")
    sl_down: int = book.to_die(1, "Downstream", "Discesa del fiume")
    sl_bridge: int = book.to_die(-1, "A bridge at the start or soon after", "Un ponte alla partenza o subito dopo")
    bridge_span: int = book.number(3, "squares", "Bridges are looked for as far as square {n} of the path.",
                                   "I ponti si cercano fino al quadrato {n} del percorso.")
    sl_2: int = book.threshold(3, "From {n} on boats go two squares.", "Da {n} i natanti vanno di due quadrati.")
    sl_3: int = book.threshold(6, "From {n} on boats go three squares.", "Da {n} i natanti vanno di tre quadrati.")
    sl_4: int = book.threshold(9, "From {n} on boats go four squares.", "Da {n} i natanti vanno di quattro quadrati.")
    max_sail: int = book.number(4, "squares", "A path on water counts as far as square {n}.",
                                "Un percorso per acqua conta fino al quadrato {n}.", minimum=1)
    embark_step: int = book.number(1, "squares", "Embarking and landing cost {n} {n?square|squares} each.",
                                   "Imbarco e sbarco costano {n} {n?quadrato|quadrati} l'uno.")
    embark_floor: int = book.number(1, "squares", "They never leave less than {n} {n?square|squares}.",
                                    "Ai natanti resta sempre almeno {n} {n?quadrato|quadrati}.", "DERIVED")
    wind_roll: Literal["weather", "each_move", "off"] = book.switch(
        "The die of the wind is thrown {option}.", "Il dado del vento si tira {option}.",
        ("in windy weather", "con il vento"), ("for each move on sea or lake", "per ogni mossa in mare o lago"),
        ("never", "mai"))
    naval_low: Literal["as_text", "same"] = book.switch(
        "A low die {option}.", "Un tiro basso {option}.", ("moves boats one square", "muove i natanti di un quadrato"),
        ("leaves boats where they are, as on land", "lascia fermi i natanti, come a terra"))
    barge_stack: Literal["both", "small"] = book.switch(
        "Barges on sea or lake count {option}.", "In mare o lago le chiatte contano {option}.",
        ("with ships, too", "anche con le navi"), ("with small boats only", "solo con natanti piccoli"))
    sea_and_river: Literal["no", "yes"] = book.switch(
        "One move {option}.", "Una mossa {option}.", ("goes on sea or on a river", "va in mare o su un fiume"),
        ("may go on both, with both lists", "può andare su entrambi, con le due liste"))


VOYAGE_CHAPTER = Chapter(
    both("Movement on water", "Movimento per acqua"), (Citation("naval", "boats", "natanti", "Movement on water"),),
    VoyageNumbers, rests_on="2 naval", events=(
    book.event("sailed", "sea", 3, "{army} {army?goes|go} by water from {node:the} to {path}. {roll}",
               "{army:il} {army?va|vanno} per acqua {node:da} {path:dove}. {roll}", to="army", tries="army"),
    book.event("landed", "sea", 3, "{army} {army?is|are} ashore: {at}.", "{army:il} {army?è|sono} a terra: {at}.",
               means={"at": "place"}, to="army"),
), findings=(
    book.error("WAR-301", "There are no boats '{boat}' of yours.", "Non hai natanti '{boat}'.",
               means={"boat": "piece"}),
    book.error("WAR-302", "{boat} lie in {node:the}, the Force is in {here:the}.",
               "{boat} sono {node:dove}, la Forza {here:dove}.",
               means={"here": "place", "to": "place", "boat": "piece"}),
    book.error("WAR-303", "{n} {n?figure|figures}, {boat} carry {capacity}.",
               "{n} {n?miniatura|miniature}, {boat} ne portano {capacity}.", means={"boat": "piece"}),
    book.error("WAR-304", "{unit} has mounts and {boat} have no barges.",
               "{unit} ha cavalcature e {boat} non hanno chiatte.", means={"boat": "piece"}),
    book.error("WAR-305", "{boat} are used by {army}, or {army} is aboard others.",
               "{boat} servono {army:a}, o {army:il} {army?è|sono} a bordo di altri.", means={"boat": "piece"}),
    book.error("WAR-306", "From {a:the} there is no way by water to {b:the} (or the path goes on after a landing).",
               "{a:da} non si va per acqua {b:dove} (o il percorso prosegue dopo lo sbarco).", means=WAY),
    book.error("WAR-307", "Sea and river in one move. End this move at the river mouth.",
               "Mare e fiume nella stessa mossa. Finisci la mossa alla foce."),
    book.error("WAR-308", "Ships do not go on rivers here. Use small boats.",
               "Qui le navi non vanno sui fiumi. Usa natanti piccoli."),
    book.warning("WAR-309", "Only the first 4 squares of the path count, without landing.",
                 "Contano i primi 4 quadrati del percorso, senza sbarco."),
    book.error("WAR-310", "The path ends on water: nowhere to land.",
               "Il percorso finisce in acqua: non c'è dove sbarcare."),
    book.error("WAR-311", "The river is not navigable between {a:the} and {b:the}.",
               "Il fiume fra {a:il} e {b:il} non è navigabile.", means=WAY),
))

both.words({
    "storm": "tempesta", "calm": "calma piatta", "sea": "mare", "boats": "i natanti non ci sono o non bastano",
    "water held": "acque occupate", "points": "punti", "land": "sbarca", "last": "ultimo",
})

SAIL = ROLLS.purpose(both("Movement on water", "Movimento per acqua"), "sail/{Armies*}", "")
WIND = ROLLS.purpose(both("Wind", "Vento"), "wind/{Armies*}")


# Checks of a way by water (rulebook: 2 Movement).


LAND = "land"
"""The last word of a path on water that ends ashore."""
LANDS = (LAND, "ashore", "sbarca", "sbarcare", "a_terra")
"""What people write for it."""


LAND_IN_WORDS = PhraseIndex((word, LAND) for voyage in (VOCABULARY["voyage"],) for word in voyage["land"])
"""The same in a sentence."""


class WaterPath(Path):
    """Squares by water; ``land`` as the last word goes ashore."""

    def pieces(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """A square, or the word."""
        yield from super().pieces(sentence, start)
        if fold(sentence.word(start)) in LANDS:
            yield 1, LAND
        if not sentence.exact:
            yield from sentence.phrases(start, LAND_IN_WORDS)

    def canonical(self, campaign: Campaign, raw: Any) -> Any:
        """Squares, and ``land`` behind them."""
        words = super().canonical(campaign, raw)
        return [*words[:-1], LAND] if words and fold(words[-1]) in LANDS else words

    def recognises(self, value: Any, campaign: Campaign, faction: str) -> bool:
        """Squares, and the word."""
        return super().recognises(" ".join(word for word in str(value).split() if word != LAND), campaign, faction)

    def offers(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> Iterable[Any]:
        """Squares next door by river or on the water, from the water all, where the Force lies beside the boats."""
        here, boat = place_of_order(campaign, fields), campaign.table(Boat).get(str(fields.get("boat", "")))
        if not here or boat is None or boat.node != here:
            return ()
        nodes, waters = campaign.table(Node), {row.terrain for row in campaign.table(Terrain) if row.water}
        near = campaign.derive(SquareMap.of, Node).neighbours(here)
        by_water = (there for there in near if waters & {*nodes[here].terrains, *nodes[there].terrains})
        return dict.fromkeys([*roads_of(campaign).neighbours(here, RIVER), *by_water])

    def goal(self, value: Any) -> str:
        """The last square; where there is none, the word."""
        *squares, last = str(value).split()
        return squares[-1] if squares and last == LAND else last

    def in_words(self, value: Any, campaign: Campaign, lang: str) -> Any:
        """The word in the reader's language."""
        words = str(value).split()
        return " ".join([*words[:-1], "sbarca"]) if lang == "it" and words[-1:] == [LAND] else value

    def ahead(self, board: HasGame, request: Request, name: str) -> None:
        """Squares neither come nor go; the word is none."""
        for word in getattr(request, name):
            if word != LAND:
                find_place(board, word, name)


class Voyage(NamedTuple):
    """A way by water. `path`: the squares; `landing`: it ends ashore; `sea`, `river`: where it leads."""

    boat: Boat
    path: tuple[str, ...]
    landing: bool = False
    sea: bool = False
    river: bool = False


def check_voyage(land: Country, request: Request, army: Army) -> Voyage:
    """Check a voyage in the book's order, and return it. Raises `Refused`."""
    words = request.path
    asked = words[-1:] == [LAND]
    path = words[:-1] if asked else words
    if not path and not army.aboard:
        raise Refused("missing", "path", verb=request.verb, column="path")
    boat = boats_of(land, request, army)
    voyage = _steps(land, army, boat, path, asked)
    end = path[-1] if path else army.node
    if asked and land.map.water(end):
        raise Refused("WAR-310", "path")
    most = VoyageNumbers.of(land).max_sail
    if len(path) > most:
        request.find(land, "WAR-309", "path")
        return _steps(land, army, boat, path[:most], False)._replace(landing=False)
    return voyage


def boats_of(land: Country, request: Request, army: Army) -> Boat:
    """The boats of a row. Raises `Refused` (WAR-301 to 305)."""
    code = code_in(land, request, Boat, "boat")
    boat = land.boats.get(code)
    if boat is None or boat.faction != request.faction:
        raise Refused("WAR-301", "boat", boat=code)
    if army.aboard and army.aboard != boat.boat:
        raise Refused("WAR-305", "boat", boat=boat.boat, army=army.army)
    if boat.node != army.node:
        raise Refused("WAR-302", "boat", boat=boat.boat, node=boat.node, here=army.node)
    other = next((passenger for passenger in land.active() if passenger.aboard == boat.boat
                  and passenger.army != army.army), None)
    if other is not None:
        raise Refused("WAR-305", "boat", boat=boat.boat, army=other.army)
    if land.too_many(army, boat):
        raise Refused("WAR-303", "boat", n=land.figures(army.army), boat=boat.boat, capacity=boat.capacity)
    mounts = land.without_barges(army, boat)
    if mounts is not None:
        raise Refused("WAR-304", "boat", unit=mounts.unit, boat=boat.boat)
    return boat


def _steps(land: Country, army: Army, boat: Boat, path: list[str], asked: bool) -> Voyage:
    """Check each step of a way by water; the voyage. Raises `Refused`."""
    here, sea, river, mouth, ashore = army.node, False, False, False, False
    both = VoyageNumbers.of(land).sea_and_river == "yes"
    for place, there in enumerate(path):
        _on_map(land, here, there)
        last = place == len(path) - 1
        wet, onto_water = land.map.water(here), land.map.water(there)
        links = land.map.links.links(here, there, RIVER)
        if not both and (mouth or (onto_water and river) or (not onto_water and not wet and links and sea)):
            raise Refused("WAR-307", "path")
        if ashore:
            raise Refused("WAR-306", "path", a=here, b=there)
        if onto_water:
            sea = True
        elif wet:  # from sea or lake to land: up the mouth of a river, or a landing
            sea = True
            mouth = land.map.navigable(here, there) and land.river_boats(boat)
            ashore = not mouth or (asked and last)
        else:
            if not links:
                raise Refused("WAR-306", "path", a=here, b=there)
            if not land.river_boats(boat):
                raise Refused("WAR-308", "boat")
            if not land.map.navigable(here, there):
                raise Refused("WAR-311", "path", a=here, b=there)
            river = True
        here = there
    return Voyage(boat, tuple(path), asked or ashore, sea, river)


@order("sail", "naviga", when=("move",), army=ARMY, boat=Called((Boat,)),
       path=WaterPath(record=Node, with_start=False, quotes=True), note=NOTE, offered=can_move,
       shown=("{army} sail {boat} {path}", "{army} naviga {boat} {path}"),
       help=both("Go aboard and by water; land as the last word goes ashore.",
                 "Naviga; aggiungi sbarca in fondo per scendere a terra."))
def order_voyage(land: Country, request: Request) -> None:
    """WAR-201, 202, 301 to 311."""
    check_voyage(land, request, own_force(land, request))


# A voyage, from square to square (2 naval).


def sail(land: MovementBoard, request: Request, army: Army) -> None:
    """Board, go by water as far as the die reaches, and land where ordered; where it is, without a die."""
    storm = not weather_of(land, army.node).sailing and request.path[0] != LAND
    voyage = None if storm else _voyage(land, request, army)
    if voyage is None:
        tell_refused(land, army, "storm" if storm else "boats", "2 naval")
    elif voyage.path:
        _sail_voyage(land, army, voyage)
    else:
        army.aboard = ""
        land.moved.add(army.army)
        land.tell("landed", army=army.army, at=army.node)


def _voyage(land: MovementBoard, request: Request, army: Army) -> Voyage | None:
    """The voyage as things stand now; None if the boats are gone or no longer fit."""
    # what the check finds was told when the row was taken
    findings = land.game.findings[:]
    with suppress(Refused):
        voyage = check_voyage(land, request, army)
        land.game.findings[:] = findings
        return voyage
    return None


def _sail_voyage(land: MovementBoard, army: Army, voyage: Voyage) -> None:
    rules, start, boards = VoyageNumbers.of(land), army.node, not army.aboard
    sailing = Sailing(land, army.node, army.faction, army, voyage, _wind(land, army, voyage))
    dice = land.score(SAIL(army.army, dice=MarchNumbers.of(land).move_die), land.modifiers(VOYAGE_TABLE, sailing),
                      land.own(army.faction))
    army.guides = 0
    low = "1" if rules.naval_low == "as_text" else "0"
    reach = int(dice.row(RangeTable.rising("boats", (-99, low), (rules.sl_2, "2"), (rules.sl_3, "3"),
                                           (rules.sl_4, "4"))))
    # going aboard and landing cost a square each, but only with a total of 3 or more (2 naval)
    far = dice.at_least(rules.sl_2)
    allowance = max(rules.embark_floor, reach - rules.embark_step) if far and boards else reach
    shown = needing(dice, rules.sl_2) if low == "0" else dice  # a low die that goes a square is no trial
    if not allowance:
        tell_too_slow(land, army, shown, "2 naval")
        return
    ashore = max(rules.embark_floor, allowance - rules.embark_step) if far else allowance
    done, why, landed = _sail_squares(land, army, voyage, allowance, ashore)
    # who could not make the first step has not gone aboard
    if done:
        boat = land.boats[voyage.boat.boat]
        boat.node, army.aboard = army.node, "" if landed else boat.boat
        if landed:
            land.tell("landed", army=army.army, at=army.node)
        land.went("sailed", army, start, "2 naval", roll=shown, boat=boat.boat, path=done, allowance=allowance,
                  total=dice)
    if why:
        tell_cut_short(land, army, shown, done, why, "2 naval")


@dataclass(frozen=True)
class Sailing(Standing):
    """A Force that goes by water. `wind`: contrary, calm or fair where it is thrown for, else ""."""

    voyage: Voyage
    wind: str = ""

    @property
    def squares(self) -> list[str]:
        """Those of the way, the first one included."""
        return [self.node, *self.voyage.path]

    @property
    def upstream(self) -> bool:
        """Whether a step of the way goes up a river."""
        ways = (self.land.map.links.links(a, b, RIVER) for a, b in pairwise(self.squares))
        return any(not link.along for way in ways for link in way[:1])

    @property
    def barges(self) -> bool:
        """Whether its barges count: on rivers always, at sea by the switch barge_stack with ships, too."""
        boat = self.voyage.boat
        at_sea = self.voyage.sea and (VoyageNumbers.of(self.land).barge_stack == "both" or boat.kind != "ships")
        return boat.barges and (self.voyage.river or at_sea)


VOYAGE_TABLE: tuple[Modifier[Sailing], ...] = (
    *ANY_MOVE,
    Modifier(lambda sail: weather_of(sail.land, sail.node).weather,
             lambda sail: weather_of(sail.land, sail.node).sail_mod or 0),
    Modifier(lambda sail: "calm" if sail.wind == "calm" else f"{sail.wind} wind", lambda sail: bool(sail.wind),
             lambda sail: f"sl_{sail.wind}"),
    Modifier(both.word("reefs", "scogli"), lambda sail: sail.voyage.sea and any(
        sail.land.nodes[square].reefs for square in sail.squares), "sl_reefs"),
    Modifier(both.word("small boats", "natanti piccoli"),
             lambda sail: sail.voyage.sea and sail.voyage.boat.kind != "ships", "sl_small"),
    Modifier(both.word("rapids", "rapide"),
             lambda sail: sail.voyage.river and any(sail.land.map.rapids(a, b) for a, b in pairwise(sail.squares)),
             "sl_rapids"),
    Modifier(both.word("upstream", "risalita del fiume"), lambda sail: sail.voyage.river and sail.upstream, "sl_up"),
    Modifier(both.word("downstream", "discesa del fiume"), lambda sail: sail.voyage.river and not sail.upstream,
             "sl_down"),
    Modifier(both.word("bridge", "ponte"), lambda sail: sail.voyage.river and any(
        map(sail.land.bridge, sail.squares[:1 + VoyageNumbers.of(sail.land).bridge_span])), "sl_bridge"),
    Modifier(both.word("barges", "chiatte"), lambda sail: sail.barges, "sl_barges"),
)
"""The modifiers of a voyage: of sea and lake, of rivers, or both."""


def _wind(land: MovementBoard, army: Army, voyage: Voyage) -> str:
    """Throw for the wind at sea, in windy weather or for each move; "" without a throw."""
    when = VoyageNumbers.of(land).wind_roll
    windy = when == "each_move" or (when == "weather" and weather_of(land, army.node).weather == WIND_WEATHER)
    return land.roll(WIND(army.army), land.own(army.faction)).row(
        RangeTable.rising("wind", (1, "contrary"), (3, "calm"), (4, "fair"))) if voyage.sea and windy else ""


def _sail_squares(land: MovementBoard, army: Army, voyage: Voyage, allowance: int,
                  ashore: int) -> tuple[list[str], str, bool]:
    """Sail the path: the squares entered, what stopped the boats, and whether the Force is ashore."""
    lands = voyage.landing and ashore >= len(voyage.path)
    reach = list(voyage.path) if lands else list(voyage.path[:allowance])
    done: list[str] = []
    for place, there in enumerate(reach):
        landing = lands and place == len(voyage.path) - 1
        leaves = not landing and land.map.water(army.node) and not land.map.water(there)
        ends = voyage.landing and place == len(voyage.path) - 1
        mouth = land.river_boats(voyage.boat) and land.map.navigable(army.node, there)
        if leaves and (ends or not mouth):
            return done, "", False  # it would leave the water: it stops before
        why = _why_boats_stop(land, army, there, landing)
        if why:
            return done, why, False
        if landing and land.foes_at(there, army.faction):
            army.aboard = ""
            meet_enemies(land, army, there)
        else:
            land.enter(army, there)
        done.append(there)
    return done, "", lands


def _why_boats_stop(land: MovementBoard, army: Army, there: str, landing: bool) -> str:
    """Why boats stop before a square; on the last step of a landing hostile Forces mean contact."""
    others = [other for other in land.at(there) if not land.friendly(other.faction, army.faction)]
    if not landing:
        return "water held" if others else ""
    if any(land.state(other.faction, army.faction) == "peace" for other in others):
        return "peace"
    if others and army.reaction == "routed":
        return "routed"
    return "third party" if land.third_party(army, there) else ""


# The phase as a whole (2 movement).


class MovementNumbers(Rules):
    """Who moves when; field works; how battles are called."""

    fieldworks_per_figure: int = book.number(1, "points", "On defend each figure makes field works worth {n}.",
                                             "In difesa ogni miniatura fa opere da campo per {n}.", source="Ord")
    move_method: Literal["A", "B"] = book.switch(
        "In the order of initiative {option}.", "Nell'ordine d'iniziativa {option}.",
        ("a faction moves all its Forces, then the next", "una fazione muove tutte le Forze, poi la successiva"),
        ("each faction moves one Force in turn", "ogni fazione muove una Forza a turno"), setup=True)
    fieldworks_keep: Literal["lost", "kept"] = book.switch("Field works of a Force that moves are {option}.",
                                                           "Le opere da campo di una Forza che si muove sono {option}.",
                                                           ("lost", "perdute"), ("kept", "conservate"), source="Ord")
    hidden_battles: Literal["number", "square"] = book.switch(
        "Where Forces are seen near one's own only, a battle is called by {option}.",
        "Se le Forze altrui si vedono solo vicino alle proprie, una battaglia prende il nome {option}.",
        ("its number in the turn", "dal suo numero nel turno"), ("its square", "dal suo quadrato"), begins="square",
        source="Ord", usual=True)


CHAPTER = Chapter("2 Movement", (), MovementNumbers, rests_on="2 movement", events=(
    book.event("initiative", "moves", 3, "Order of movement: {sequence}.", "Ordine di movimento: {sequence}.",
               means={"sequence": "faction"}, to=ALL, opening=True),
    book.event("initiative_roll", "moves", 6, "{faction:the} {faction?throws|throw} for the order of movement: {roll}",
               "{faction:il} {faction?tira|tirano} per l'ordine di movimento: {roll}", to="faction", opening=True),
    book.event("dug", "works", 4, "{army} {army?has|have} field works of {points} {points?point|points}.",
               "{army:il} {army?ha|hanno} opere da campo per {points} {points?punto|punti}.", rule="Ord",
               variants=(both("points", "punti"), {
                   "0": ("{army} {army?has|have} no field works any more: only a Force on defend that does not move "
                         "has any.",
                         "{army:il} non {army?ha|hanno} più opere da campo: ne ha solo una Forza in difesa che non si "
                         "muove.")}), to="army"),
    book.event("standoff", "battles", 3, "{armies} face each other at {node:the} without fighting.",
               "{armies} si fronteggiano {node:dove} senza combattere.", means={"armies": "piece"},
               to=who_see("armies")),
    book.event("battle_set", "battles", 0,
               "Battle {battle} at {node:the}: {attacker:the} {attacker?attacks|attack} {defender:the}.",
               "Battaglia {battle} {node:dove}: {attacker:il} {attacker?attacca|attaccano} {defender:il}.",
               means={"attacker": "faction", "defender": "faction", "battle": "text"},
               to=who_see("attacker", "defender")),
), findings=(
    book.error("WAR-331", "'{wish}' is not first or last.", "'{wish}' non è primo o ultimo.", certain=True),
))

INITIATIVE = ROLLS.purpose(both("Initiative", "Iniziativa"), "initiative/{Factions}/{n}")


@order("initiative", "iniziativa", when=("move",),
       wish=Option(WISHES, quotes=True, further=VOCABULARY["wishes"]), note=NOTE,
       shown=("initiative {wish}", "iniziativa {wish}"),
       help=both("Whether to move as early or as late as your throw allows.",
                 "Scegli se muovere il più presto o il più tardi che il tuo tiro permette."))
def wish_of_place(land: Country, request: Request) -> None:
    """WAR-331."""
    check_option(request, "wish", WISHES, "WAR-331")


def initiative(land: MovementBoard) -> None:
    """1d6 and the chief's V.C. rank the factions; going down, each takes the lowest place free, or the highest."""
    factions = [row.faction for row in land.players() if land.active(row.faction)]
    if not factions:
        return
    wishes = {request.faction: str(request.more["wish"]) for request in land.requests if request.verb == "initiative"}
    order, rolls = _ranking(land, factions)
    places: dict[int, str] = {}
    for faction in order:
        free = [n for n in range(len(order)) if n not in places]
        places[free[-1] if wishes.get(faction) == "last" else free[0]] = faction
    land.sequence = [places[n] for n in sorted(places)]
    bare = [score.roll for scores in rolls.values() for score in scores if score.roll is not None]
    land.tell("initiative", roll=bare, sequence=list(land.sequence))
    for faction, scores in rolls.items():  # what a chief is worth is his faction's secret
        land.tell("initiative_roll", roll=scores, faction=faction)


def _ranking(land: MovementBoard, factions: list[str], again: int = 1) -> tuple[list[str], dict[str, list[Score]]]:
    """Rank factions from the highest score down, equals throw again among themselves; also the scores."""
    if len(factions) < 2:
        return factions, {}
    scores = {faction: land.score(INITIATIVE(faction, again), {"V.C.": _chief(land, faction)}) for faction in factions}
    order, thrown, left = list[str](), {faction: [score] for faction, score in scores.items()}, dict(scores)
    while left:
        equals, more = _ranking(land, list(Contest(left).highest), again + 1)
        order += equals
        for faction, further in more.items():
            thrown[faction] += further
        left = {faction: score for faction, score in left.items() if faction not in equals}
    return order, thrown


def _chief(land: MovementBoard, faction: str) -> int:
    """The V.C. of the commander-in-chief; if no Force has him, the best V.C. there is."""
    own = land.active(faction)
    chiefs = [army for army in own if army.chief] or sorted(own, key=lambda army: (-land.vc(army), natural(army.army)))
    return land.vc(chiefs[0])


def moves_in_turn(land: MovementBoard) -> list[Request]:
    """The rows of moves in the order in which they are carried out: faction by faction, or one each in turn."""
    moves = sorted((row for row in land.requests if row.verb in ("move", "sail")),
                   key=lambda row: (*place_in_file(row), natural(str(row.more["army"]))))
    own = {faction: [row for row in moves if row.faction == faction] for faction in land.sequence}
    if MovementNumbers.of(land).move_method == "A":
        return [request for faction in land.sequence for request in own[faction]]
    rounds = max(map(len, own.values()), default=0)
    return [own[faction][n] for n in range(rounds) for faction in land.sequence if n < len(own[faction])]


# Phase 2 as a whole: rows, moves, field works, and the battles that follow (2 movement).


def read_rows(land: MovementBoard) -> None:
    """Take the rows of the phase; of two for the same boats the lower number gets them (WAR-305)."""
    land.requests = take_rows(land)
    users: dict[str, str] = {}
    for request in land.requests:
        boat = str(request.more["boat"]) if request.verb == "sail" else ""
        first = users.setdefault(boat, str(request.more["army"])) if boat else ""
        if boat and first != request.more["army"]:
            refuse(land, request, Refused("WAR-305", "boat", boat=boat, army=first))
    land.requests = [request for request in land.requests if request.row.status == "accepted"]


def move(land: MovementBoard) -> None:
    """Instructions, crossing at the start, initiative, then each row in turn."""
    write_standing_orders(land)
    reset_crossing_losses(land)
    cross_at_start(land)
    initiative(land)
    for request in moves_in_turn(land):
        army = land.armies[str(request.more["army"])]
        why = why_not_move(land, army)
        if why:
            tell_refused(land, army, why)
        elif request.verb == "sail":
            sail(land, request, army)
        else:
            march(land, request, army)


# --- the end of the phase -------------------------------------------------------------------------
def close_movement(land: MovementBoard) -> None:
    """Field works, then each square with hostile Forces (2 movement; Ord)."""
    field_works(land)
    for node in land.nodes:
        there = land.at(node.node) if land.map.dry(node.node) else []  # there is no battle on water
        if any(land.hostile(a.faction, b.faction) for a in there for b in there):
            _square_of(land, node.node)


def field_works(land: MovementBoard) -> None:
    """A Force on defend that has not moved digs in; by switch others keep or lose their field works."""
    rules, works = MovementNumbers.of(land), dict[str, int]()
    for army in land.active():
        if army.ashore and land.order(army) == "defend" and army.army not in land.moved:
            works[army.army] = land.figures(army.army) * rules.fieldworks_per_figure
        else:
            works[army.army] = army.fieldworks if rules.fieldworks_keep == "kept" else 0
    for code, points in works.items():
        if points != land.armies[code].fieldworks:
            land.armies[code].fieldworks = points
            land.tell("dug", army=code, points=points)


def _square_of(land: MovementBoard, node: str) -> None:
    """A contact becomes a battle; so does an old stand-off, unless all defend. Routed Forces collapse there."""
    attacker = next((faction for faction in land.attackers.get(node, ()) if any(
        land.friendly(army.faction, faction) for army in land.at(node))), "")
    if not attacker:
        for army, foes in [(army, land.foes_at(node, army.faction)) for army in land.at(node)]:
            if army.reaction == "routed" and foes:
                collapse(land, army, foes[0].army)
        there = land.at(node)
        if not any(land.hostile(a.faction, b.faction) for a in there for b in there):
            return
        ready = [faction for faction in land.sequence if land.foes_at(node, faction) and any(
            army.faction == faction and land.order(army) != "defend" for army in there)]
        if not ready:
            land.tell("standoff", node=node, armies=codes_of_rows(there))
            return
        attacker = ready[0]
    _battle(land, node, attacker)


def _battle(land: MovementBoard, node: str, attacker: str) -> None:
    """Add a battle, its Forces and their Units; rows that people typed early are completed."""
    there = land.at(node)
    sides = {army.army: "A" if land.friendly(army.faction, attacker) else "D" for army in there}
    if "D" not in sides.values():
        return
    foes = sorted((army for army in there if sides[army.army] == "D"), key=lambda army: land.arrived.get(army.army, 0))
    code = _code(land, node)
    # its result may have been typed before
    battle = land.battles.get(code) or land.battles.add(Battle(battle=code))
    battle.turn, battle.node, battle.status = land.game.turn, node, "open"
    battle.attacker, battle.defender = attacker, foes[0].faction
    for army in there:
        key = BattleArmy(battle=code, army=army.army)
        row = land.battle_armies.get(key.ident) or land.battle_armies.add(key)
        row.side, row.arrival = sides[army.army], land.arrived.get(army.army, 0)
        row.start_order, row.start_reaction, row.start_vc = army.order, army.reaction, land.vc(army)
        row.fieldworks = army.fieldworks
    for unit in (unit for army in there for unit in land.units_of(army.army) if unit.figures):
        form = BattleUnit(battle=code, unit=unit.unit)
        form = land.battle_units.get(form.ident) or land.battle_units.add(form)
        form.before = unit.figures
    land.tell("battle_set", battle=code, node=node, attacker=attacker, defender=battle.defender)


def _code(land: MovementBoard, node: str) -> str:
    """The code of a new battle; if others may be hidden, a number would tell of them."""
    laid = [row.battle for row in land.battles.of_turn(land.game.turn, lambda row: row.status != "")]
    if land.rules.fog == "open" or MovementNumbers.of(land).hidden_battles == "number":
        return f"B{land.turn}-{len(laid) + 1}"
    return free_name(laid, f"B{land.turn}-{node}")
