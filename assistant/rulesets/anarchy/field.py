"""The board of a day: what happens to men, nobles and groups whatever the cause; how far units march (8.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from assistant.campaign.map import affordable_path, direction, step, turn_direction
from assistant.campaign.records import ALL, names_held
from assistant.campaign.tables import Table, natural
from assistant.rulesets.anarchy import NAMED, both, chapter, records
from assistant.rulesets.anarchy.realm import Men, Realm, Way, show_ranks
from assistant.rulesets.anarchy.records import NEUTRAL, RANKS, Army, Convoy, Noble, Place, Prisoners, Train, Wounded
from assistant.turn.chapters import EventType, Rules, number, switch
from assistant.turn.dice import PUBLIC
from assistant.turn.game import fresh, next_code
from assistant.turn.orders.requests import Request, refuse_if
from assistant.turn.orders.verbs import Verb
from assistant.turn.orders.words import fold
from assistant.turn.rulings import sort_by_throw

# What happens to men, nobles and groups: wounded, killed, captured, freed, merged, dissolved.


HURT_STATES = ("hurt", "in_care")


@dataclass
class Detachment:
    """Who and what leaves a group."""

    men: Men = field(default_factory=Men)
    nobles: list[Noble] = field(default_factory=list)
    halves: int = 0
    hurt: list[Wounded] = field(default_factory=list)

    @property
    def heads(self) -> int:
        """Characters who leave."""
        return self.men.total + len(self.nobles)


class Changes(Realm):
    """The board with the changes to men, nobles and groups that several chapters share."""

    # --- men ------------------------------------------------------------------------------
    def wounded_here(self, unit: Army | Place, rank: str) -> list[Wounded]:
        """Hurt men of a rank with a group or in a garrison, those in care included, by number."""
        if isinstance(unit, Place):
            return self._wounded_left_at(unit, rank)[:unit.count(rank)]
        return [w for w in self.wounded if w.army == unit.army and w.rank == rank and w.state in HURT_STATES]

    def _wounded_left_at(self, place: Place, rank: str) -> list[Wounded]:
        side = self.side_of_place(place)
        return [w for w in self.wounded if w.place == place.place and not w.army and w.rank == rank and not w.noble
                and w.state in HURT_STATES and self.side(w.faction) == side]

    def patients(self, place: Place) -> list[Wounded]:
        """Men left in care in a place of their side; they fight as wounded if it is attacked (15.7)."""
        # a castle's figures include its own hurt men; who is hurt beyond them lies there in care
        return [w for rank in RANKS
                for w in self._wounded_left_at(place, rank)[place.count(rank) if place.castle else 0:]]

    def take_patients(self, place: Place, record: Prisoners | None) -> list[Wounded]:
        """Men in care are captured with the place. Returns them."""
        sick = self.patients(place)
        for row in sick:
            row.state = "prisoner"
            if record is not None:
                record.put(row.rank, 1)
        return sick

    def fit(self, unit: Army | Place, rank: str) -> int:
        """Men of a rank who are not hurt."""
        return unit.count(rank) - len(self.wounded_here(unit, rank))

    def lowest_fit(self, army: Army, n: int) -> dict[str, int]:
        """The n lowest fit men of a group by rank, or all fit men if there are fewer."""
        chosen: dict[str, int] = {}
        for rank in records.RISING:
            chosen[rank] = max(0, min(self.fit(army, rank), n - sum(chosen.values())))
        return {rank: men for rank, men in chosen.items() if men}

    def take_off(self, unit: Army | Place, rank: str, n: int, state: str, wound: Wounded | None = None) -> None:
        """Remove men from a group or garrison, fit ones first, or the man of `wound`; hurt ones get `state`."""
        beyond = max(0, n - self.fit(unit, rank))
        hurt = [wound] if wound is not None else self.wounded_here(unit, rank)[:beyond]
        unit.gain(rank, -n)
        for row in hurt:
            row.state = state
        self.keep_core(unit)

    def take_off_all(self, unit: Army | Place, state: str) -> None:
        """Remove all men from a group or garrison; hurt ones get `state`."""
        for rank in RANKS:
            self.take_off(unit, rank, unit.count(rank), state)

    def take_men(self, unit: Army | Place, into: Prisoners | None) -> None:
        """All men of a group or garrison become captives."""
        for rank in RANKS:
            for row in self.wounded_here(unit, rank):
                row.state = "prisoner"
            if into is not None:
                into.put(rank, unit.count(rank))
            unit.gain(rank, -unit.count(rank))

    def keep_core(self, unit: Army | Place) -> None:
        """Keep the core up to date: men who were not at the first victory leave first (9)."""
        if isinstance(unit, Army):
            unit.core_now = min(unit.core_now, self.heads(unit))

    def hurt_man(self, unit: Army | Place, rank: str) -> None:
        """One more man of a rank is hurt and stays with his unit."""
        at = {"army": unit.army} if isinstance(unit, Army) else {"place": unit.place}
        self._wound(self.speaker(unit), rank=rank, **at)

    def _wound(self, faction: str, **of: Any) -> None:
        code = self._next_code(self.wounded, "W{}", faction)
        self.wounded.add(Wounded(wounded=code, faction=faction, **of))

    def _next_code(self, table: Table[Any], shape: str, *owners: str) -> str:
        """The code of a new row, counted for the same owners, so that it does not reveal how many others have."""
        stem = "".join(f"{owner}-" for owner in owners if owner) if self.rules.codes == "apart" else ""
        return next_code(table, stem + shape)

    def bury(self, row: Wounded) -> None:
        """A hurt man dies of his wounds and is taken off his unit's figures."""
        row.state = "dead"
        place = self.places.get(row.place)
        unit = self.armies.get(row.army) or (place if place is not None and place.castle else None)
        if row.noble:
            self._lose(self.nobles[row.noble], "dead")
        elif unit is not None and unit.count(row.rank):
            self.take_off(unit, row.rank, 1, "dead", row)

    # --- from one group to another: SPLIT, TRANSFER, MERGE ---------------------------------
    def parting_of(self, army: Army, men: Men, halves: int, nobles: list[Noble]) -> Detachment:
        """The men, nobles and money that an order takes out of a group. Raises `Refused` (ANA-202, 301, 913)."""
        for noble in nobles:
            refuse_if(noble.army != army.army, "ANA-913", "choice", unit=army.army, x=noble.noble, field="commander")
        part = Detachment(men, nobles, halves, self.wounded_among(army, men))
        leaving = {noble.noble for noble in nobles}
        part.hurt += [w for w in self.wounded if w.army == army.army and w.noble in leaving]
        refuse_if(halves > army.money, "ANA-301", "amount", need=records.pounds(halves), unit=army.army,
                  have=records.pounds(army.money))
        return part

    def stays_a_group(self, army: Army, staying: int) -> None:
        """Check that at least three stay, or nobody. Raises `Refused` (ANA-201)."""
        least = self.rules.group_min
        refuse_if(0 < staying < least, "ANA-201", "men", unit=army.army, n=staying, min=least)

    def wounded_among(self, unit: Army | Place, men: Men) -> list[Wounded]:
        """The hurt men among those who leave. Raises `Refused` if there are not so many men (ANA-202)."""
        def refuse_unless(enough: bool, have: int, rank: str, n: int) -> None:
            refuse_if(not enough, "ANA-202", "men", unit=unit.ident, have=have, rank=rank, n=n)

        for rank, n in men.ranks.items():
            refuse_unless(n <= unit.count(rank), unit.count(rank), records.LETTER_OF[rank], n)
        casualties = [self.wounded[code] for code in men.hurt]
        for row in casualties:
            with_him = row.army == unit.ident and not row.noble and row.state in (*HURT_STATES, "healed")
            refuse_unless(with_him and row.rank in men.ranks, 0, row.wounded, 1)  # the ranks count him, too
        for rank, n in men.ranks.items():
            hurt, fit = sum(w.rank == rank and w.state != "healed" for w in casualties), self.fit(unit, rank)
            refuse_unless(hurt <= n <= fit + hurt, fit + hurt, records.LETTER_OF[rank], max(n, hurt))
        return casualties

    def hand_over(self, army: Army, other: Army, part: Detachment) -> None:
        """Move men, hurt men, nobles and money."""
        army.hand_men(part.men.ranks, other)
        leaving: list[Wounded | Noble] = [*part.hurt, *part.nobles]
        for row in leaving:
            row.army = other.army
        army.money, other.money = army.money - part.halves, other.money + part.halves
        for group in (army, other):
            self.lead(group)
        self.keep_core(army)

    def unite(self, army: Army, into: Army, leader: str = "") -> None:
        """Merge a group into another (rulebook: 8.1 Groups)."""
        larger = max((into, army), key=lambda a: (self.heads(a), self.prestige(a)))  # if equal, the target
        head = self.commander(larger)
        into.loyalty = head.loyalty if head is not None and head.loyalty is not None else larger.loyalty
        into.came_from = larger.came_from
        core = max((into, army), key=lambda a: a.core_now)
        wins = (core.wins, core.core_start, core.core_now)
        one_led = (self.commander(army) is None) != (self.commander(into) is None)
        companies, led = self.followers(army), [*self.led_goods(army), *self.escorted_captives(army)]
        self.hand_over(army, into, Detachment(Men(army.ranks), self.with_them(army), army.money,
                                              [w for w in self.wounded if w.army == army.army]))
        into.provisions, army.provisions = into.provisions + army.provisions, 0
        into.hungry_days, into.starving = max(into.hungry_days, army.hungry_days), into.starving or army.starving
        for company in companies:
            company.employer = into.army
        for row in led:
            row.escort = into.army
        best = min(self.with_them(into), key=lambda n: (-n.prestige, natural(n.noble)), default=None)
        into.commander = leader or (best.noble if best is not None else "")
        # led by a noble it needs no new one: its victories count no more (9)
        into.wins, into.core_start, into.core_now = (0, 0, 0) if one_led else wins
        for record in self.prisoners:
            if record.captor_army == army.army and record.state == "waiting":
                record.captor_army = into.army
        self.remove_group(army, "merged")
        army.commander = ""

    # --- nobles ---------------------------------------------------------------------------
    def lead(self, army: Army) -> None:
        """Give a group without commander its noble of highest prestige."""
        if self.commander(army) is None:
            heir = max(self.with_them(army), key=lambda n: n.prestige, default=None)
            army.commander = heir.noble if heir is not None else ""

    def _lose(self, noble: Noble, state: str) -> None:
        """A noble leaves his group for good, dead or captive; his wounds are closed with the same state."""
        army = self.armies.get(noble.army)
        noble.army = ""
        if army is not None:
            self.lead(army)
            self.keep_core(army)
        for row in [w for w in self.wounded if w.noble == noble.noble and w.state in HURT_STATES]:
            row.state = state
        noble.state, noble.place, noble.held_in, noble.captor = state, "", "", ""

    def strike(self, noble: Noble, fate: str, rule: str) -> None:
        """A noble is killed or wounded, which is public; a second wound changes nothing."""
        if fate == "killed":
            self._lose(noble, "dead")
        elif noble.state != "wounded":
            noble.state = "wounded"
            self._wound(faction=noble.faction, rank="noble", noble=noble.noble, army=noble.army,
                        place="" if noble.army else noble.place)
        self.tell("noble_lost", rule=rule, noble=noble.noble, fate=fate)

    def take_noble(self, noble: Noble, record: Prisoners, rule: str = "15.8") -> None:
        """A noble is captured, which is public."""
        self._lose(noble, "prisoner")
        noble.captor, noble.held_in = record.captor, record.prisoners
        self.tell("noble_lost", rule=rule, noble=noble.noble, fate="taken", side=record.captor, part="by")

    def change_prestige(self, noble: Noble | None, by: int, why: str, rule: str = "9") -> None:
        """Change a noble's prestige within the limits of the switch; tell it only if it changes."""
        # a captive's prestige still changes, and with it his ransom (15.8)
        if noble is None or noble.state == "dead" or not by:
            return
        low = 1 if self.rules.prestige_clamp == "1-10" else 0
        old, noble.prestige = noble.prestige, min(10, max(low, noble.prestige + by))
        if noble.prestige != old:
            self.tell("prestige", rule=rule, noble=noble.noble, old=old, new=noble.prestige, why=why)

    # --- castles and captives -------------------------------------------------------------
    def take_castle(self, place: Place, side: str, how: str) -> None:
        """A castle changes hands, loses its lord, and its siege ends (15.6, 16). `how`: stormed, surrendered."""
        place.holder, place.lord = side, ""
        if self.is_besieged(place.place):
            self.sieges[place.place].state = how
        for army in [a for a in self.active() if a.besieging == place.place]:
            army.besieging = ""
        way = {"way": how} if how == "surrendered" else {}
        self.tell("castle_taken", place=place.place, side=side, **way)

    def new_captives(self, faction: str, captor: str, army: Army | None, node: str, battle: str = "",
                     destination: str = "") -> Prisoners:
        """Add an empty record of captives, bound for the captor's nearest place (15.8)."""
        goal = destination or (place.place if (place := self.nearest_own(captor, node)) is not None else "")
        code = self._next_code(self.prisoners, "P{}", captor, faction)
        row = Prisoners(prisoners=code, faction=faction, captor=captor,
                        captor_army=army.army if army is not None else "", node=node, battle=battle,
                        taken_on=self.day, destination=goal)
        return self.prisoners.add(row)

    def drop_if_empty(self, record: Prisoners) -> bool:
        """Remove a record of captives if it is empty. Returns whether it was."""
        if self.holds(record):
            return False
        self.prisoners.remove(record.prisoners)
        return True

    def free_captives(self, record: Prisoners, army: Army, most: int | None = None, *,
                      nobles_first: bool = False) -> int:
        """At most `most` captives join the group that frees them: men by rising rank, nobles by id. How many did."""
        nobles, held = self.captives(record), self.holds(record)
        if most is None or 0 < held <= most:
            most, record.state, record.escort = held, "freed", ""
        men = min(record.men, max(0, most - len(nobles)) if nobles_first else most)
        nobles, left = nobles[:most - men], men
        for rank in records.RISING:
            n = min(left, record.count(rank))
            record.hand_men({rank: n}, army)
            left -= n
        for noble in nobles:
            noble.state, noble.captor, noble.held_in, noble.army = "free", "", "", army.army
            army.commander = army.commander or noble.noble
        if men or nobles or record.state == "freed":
            self.tell("freed", p=record.prisoners, group=army.army)
        return men + len(nobles)

    # --- groups ---------------------------------------------------------------------------
    def let_go(self, army: Army) -> None:
        """Release what a group led: mercenaries, convoys and trains stand alone, captives wait."""
        for company in self.followers(army):
            company.employer = ""
        for record in self.escorted_captives(army):
            record.escort, record.state = "", "waiting"
        for row in self.led_goods(army):
            row.escort = ""

    def remove_group(self, army: Army, state: str, by: str = "") -> None:
        """Remove a group: dissolved, destroyed, captured, merged. `by`: the faction credited, else the first foe's."""
        self.let_go(army)
        army.state, army.besieging, army.inside, army.employer = state, "", "", ""
        if state == "merged":
            return
        army.commander = ""
        other = self.foe(self.side(army.faction))
        foe = self.factions.get(by if by and self.side(by) == other else self.faction_of(other or "-"))
        if foe is not None:
            foe.destroyed += 1

    def take_purse(self, army: Army, taker: Army | None) -> int:
        """A lost group's money goes to its captor, or is lost (switch purse_captured). Returns what he gets."""
        n = army.money if taker is not None and self.rules.purse_captured == "yes" else 0
        if taker is not None:
            taker.money += n
        army.money = 0
        return n

    def dissolve_small(self, armies: Iterable[Army] | None = None) -> None:
        """Dissolve groups under three heads: the men disperse, a noble may stay alone (8.1)."""
        for army in list(armies) if armies is not None else self.active():
            if not army.active or self.heads(army) >= self.rules.group_min or self.lone(army):
                continue
            self.take_off_all(army, "dispersed")
            nobles = self.with_them(army)
            self.let_go(army)
            if not nobles or self.rules.noble_alone == "leaves":
                for noble in nobles:
                    noble.army = ""
                army.money = 0
                self.remove_group(army, "dissolved")
            elif not army.commander:
                army.commander = nobles[0].noble
            self.tell("dissolved", x=army.army)

    def _side_with(self, army: Army, faction: str) -> None:
        """A group changes its faction; so do its hurt men, who are cared for by the new side (15.7)."""
        army.faction = faction
        for row in [w for w in self.wounded if w.army == army.army and w.state in (*HURT_STATES, "healed")]:
            row.faction = faction

    def go_over(self, army: Army, faction: str) -> None:
        """A group goes over to a faction for good, with its nobles and all that it leads."""
        for unit in self.stack(army):
            self._side_with(unit, faction)
            for row in [*self.with_them(unit), *self.led_goods(unit)]:
                row.faction = faction
        army.besieging = army.inside = ""

    def desert(self, company: Army) -> str:
        """Mercenaries become neutral and take no more promises from the side that they left. Returns that side."""
        side = self.side(company.faction)
        company.no_promise_to = side if side != NEUTRAL else company.no_promise_to
        self.let_go(company)
        self._serve(company, self.faction_of(NEUTRAL))
        company.moves_next = company.moves_next or self.foe(side)
        return side

    def hire(self, company: Army, army: Army, contract: str, promised: int = 0) -> None:
        """A company takes service with a group and follows it from now on."""
        self._serve(company, army.faction, contract)
        company.employer, company.inside = army.army, army.inside
        company.promised, company.hired_on = promised, self.day

    def _serve(self, company: Army, faction: str, contract: str = "none") -> None:
        """Reset a company's terms for service with a faction."""
        self._side_with(company, faction)
        company.employer = company.inside = company.besieging = ""
        company.contract, company.promised, company.tests = contract, 0, 0
        company.hired_on, company.grumbles = None, False


# How far units march (8.3).


a_day = partial(number, unit=both("movement points a day", "punti movimento al giorno"), minimum=1)
"""A number that says how far somebody marches."""


class PaceNumbers(Rules):
    """How far groups, convoys and trains march."""

    move_foot: int = a_day(5, usual=True, meaning=both(
        "A group with men on foot marches {n} movement {n?point|points} a day.",
        "Un gruppo con uomini a piedi marcia {n} {n?punto|punti} movimento al giorno."))
    move_cavalry: int = a_day(8, usual=True, meaning=both(
        "A group of knights only marches {n} movement {n?point|points} a day.",
        "Un gruppo di soli cavalieri marcia {n} {n?punto|punti} movimento al giorno."))
    move_convoy: int = a_day(5, source="12", meaning=both(
        "A convoy marches {n} movement {n?point|points} a day.",
        "Un convoglio marcia {n} {n?punto|punti} movimento al giorno."))
    engine_move: int = a_day(3, tag=records.ASSUMED, source="10", meaning=both(
        "A siege train marches {n} movement {n?point|points} a day, as oxen go.",
        "Le macchine d'assedio marciano {n} {n?punto|punti} movimento al giorno, al passo dei buoi."))
    move_lone_noble: int = a_day(8, tag=records.ASSUMED, source="9", meaning=both(
        "A noble without men marches {n} movement {n?point|points} a day.",
        "Un nobile senza uomini marcia {n} {n?punto|punti} movimento al giorno."))
    wounded_move: int = number(-3, records.MOVEMENT_POINTS,
                               both("With a hurt man a whole group marches {signed} movement points, once.",
                                    "Con un ferito tutto il gruppo marcia {signed} {signed?punto|punti} movimento, una "
                                    "volta."), minimum=-99, source="15.7")
    hunger_move: int = number(50, both("% of the movement points", "% dei punti movimento"),
                              both("A starving group marches {n}% of its points, rounded down.",
                                   "Un gruppo allo stremo marcia il {n}% dei suoi punti, per difetto."), source="8.4")
    order_tie: Literal["larger", "dice"] = switch(
        both("At equal prestige inside a side {option}.", "A pari prestigio nella stessa parte {option}."),
        both("the larger group goes first", "muove prima il gruppo più grande"),
        both("dice decide at once", "decidono subito i dadi"), source="6")
    wounded_floor: Literal["min1", "none"] = switch(
        both("After penalties a march is {option}.", "Dopo le penalità una marcia è {option}."),
        both("1 point at least", "di almeno 1 punto"), both("what is left, also nothing", "quanto resta, anche nulla"),
        source="15.7")
    season: Literal["summer", "winter", "spring", "autumn", "roll"] = switch(
        both("The season of the campaign is {option}.", "La stagione della campagna è {option}."),
        both("summer", "l'estate"), both("winter", "l'inverno"), both("spring", "la primavera"),
        both("autumn", "l'autunno"), both("drawn by dice", "tirata a sorte"), setup=True, source="18.2")
    season_scope: Literal["all", "foot"] = switch(both("The season is felt {option}.",
                                                       "La stagione la sente {option}."), both("by all", "ogni gruppo"),
                                                  both("on foot only", "solo chi va a piedi"), source="18.2")


EVENTS = (
    EventType("moved", both("{unit}: {path}.", "{unit}: {path}."), "moves", 5, to=ALL),
    EventType("stopped_short", both("{unit:the} {unit?stops|stop} {hex:at}.",
                                    "{unit:il} {unit?si ferma|si fermano} {hex:dove}."), "moves", 5, to=ALL),
    EventType("entered", both("{unit:the} {unit?enters|enter} {place:the}.",
                              "{unit:il} {unit?entra|entrano} {place:dove}."), "moves", 4,
              "5.3", ("way", {"left": both("{unit:the} {unit?leaves|leave} {place:the}.",
                                           "{unit:il} {unit?esce|escono} {place:da}.")}), to=ALL),
    EventType("backed_away", both("{x:the} {x?backs|back} away to {hex:the}.",
                                  "{x:il} {x?indietreggia|indietreggiano} {hex:dove}."), "moves", 3,
              variants=("hex", {"": both("{x:the} cannot back away.", "{x:il} non {x?può|possono} indietreggiare.")}),
              means=NAMED, to=ALL),
)

both.words({
    "surrendered": "arresi", "a lone noble": "un nobile solo", "unarmed": "disarmati", "an escort": "una scorta",
    "retreat": "ritirata", "prize": "preda", "season": "stagione", "autumn": "autunno", "left": "sinistra",
    "spring": "primavera", "summer": "estate", "winter": "inverno",
})

CHAPTER = chapter(both("8.3 Movement", "8.3 Movimenti"), 7, PaceNumbers, EVENTS)


SEASON_MOVE = {"winter": -2, "spring": -1, "summer": 0, "autumn": -1}
MarchingUnit = Army | Convoy | Train


def is_mounted(army: Army) -> bool:
    """Whether a group has only knights and nobles (its cavalry counter is public)."""
    return army.men == army.knights


# turns from straight on, in the sequence in which a group backs away
STRAIGHT_FIRST = (0, 1, -1, 2, -2, 3)
# 15.6 allows the first three only; the others, rather than a surrender, are our reading
BACK, WIDE = (0, 1, -1), (2, -2, 3)


class Field(Changes):
    """One run of one phase of the day."""

    taken: dict[str, Army | Convoy | Place | Train] = fresh(dict)
    """The acting unit of each accepted row of orders, by the order's code."""
    wishes: dict[str, tuple[str, Request]] = fresh(dict)
    """Where each group wants to eat (place, convoy or none), with its row of orders."""
    purses: dict[str, int] = fresh(dict)
    """What is left of the morning's money for ransoms, by group."""
    carried: dict[tuple[str, str], int] = fresh(dict)
    """Points carried today, by convoy and place."""
    made: set[str] = fresh(set)
    """Places at which a convoy was made today."""
    given_up: set[str] = fresh(set)
    """Castles that surrender by order."""
    moves: dict[str, Request] = fresh(dict)
    ways: dict[str, Way] = fresh(dict)
    """Each ordered march, from where the unit was when the orders were read."""
    acts: dict[str, list[Request]] = fresh(dict)
    moments: dict[str, str] = fresh(dict)
    """The hex of each act, by the order's code; "" for the last of the march."""
    lifts: dict[str, Request] = fresh(dict)
    sallies: dict[str, Request] = fresh(dict)
    wanted: dict[str, tuple[int, int]] = fresh(dict)
    """Recruits ordered today at each place: light foot and peasants."""
    recruited: dict[str, tuple[int, int]] = fresh(dict)
    """Recruits who came today, by place."""
    staying: set[str] = fresh(set)
    """Groups that do not march today."""
    march: list[str] = fresh(list)
    heading: dict[str, str] = fresh(dict)
    arrivals: dict[str, int] = fresh(dict)
    visited: set[tuple[str, str]] = fresh(set)
    """Which unit has been on which hex today."""
    met: set[frozenset[str]] = fresh(set)
    """Pairs that have met today: two groups, or a group and a convoy or train."""
    spent: set[str] = fresh(set)
    fought: list[str] = fresh(list)
    numbers_unsure = False
    """Whether a waiting unit may fight first, so that the next battle's number is unknown."""
    leg: dict[str, list[str]] = fresh(dict)
    """The hexes of each unit's march since its last event."""

    # --- orders -----------------------------------------------------------------------------
    def meeting_order(self, army: Army, verb: str, other: MarchingUnit) -> Request | None:
        """A group's order of that verb about the unit that it meets here, if it is not used up."""
        return next((act for act in self.acts.get(army.army, []) if act.verb == verb
                     and act.row.status in ("", "accepted") and act.node in ("", army.node)
                     and fold(act.target) in map(fold, (other.ident, *names_held(other)))), None)

    def meets(self, army: Army, other: Army | Convoy | Train) -> None:
        """Note that two met, so that orders about each other have had their chance."""
        self.met.add(frozenset((army.army, other.ident)))

    def due(self, army: Army, verbs: Iterable[Verb], here: str, last: bool) -> Iterator[Request]:
        """A group's rows of some verbs, in sequence, for a hex of its march or the `last` one, while it can act."""
        for verb in verbs:
            for request in self.acts.get(army.army, []):
                at = self.moments[request.row.order]
                meant = request.verb == verb.en and not request.row.status and (at == here if at else last)
                if meant and self.able(army):
                    yield request

    def limit_of(self, army: Army) -> str:
        """Why a unit may only pass: a lone noble, unarmed, an escort; "" for all others (ANA-011)."""
        if self.lone(army):
            return "a lone noble"
        if army.unarmed:
            return "unarmed"
        return "an escort" if self.escorted_captives(army) else ""

    def able(self, army: Army, node: str = "") -> bool:
        """Whether a unit may go on with its activation (on that hex, if one is named)."""
        return (army.active and army.army not in self.spent and not self.is_attached(army) and node in ("", army.node))

    def spend(self, *armies: Army) -> None:
        """End the day of groups that have fought, refused, shut themselves in or joined."""
        for army in armies:
            self.spent |= {a.army for a in self.stack(army)}

    # --- marching ---------------------------------------------------------------------------
    def step(self, army: Army, there: str) -> None:
        """Take one step of a march with all that the group leads."""
        start, was_inside = army.node, army.inside
        self.go(army, there)
        if was_inside:
            self.tell("entered", unit=army.army, place=was_inside, way="left")
        self.heading[army.army] = direction(start, there)
        self.visited |= {(army.army, start), (army.army, there)}
        self.arrivals[army.army] = len(self.arrivals) + max(self.arrivals.values(), default=0) + 1
        self.leg.setdefault(army.army, [start]).append(there)

    def say_leg(self, unit: Army | Convoy | Train) -> None:
        """Tell a unit's march since the last stop."""
        leg = self.leg.pop(unit.ident, [])
        if leg:
            self.tell("moved", unit=unit.ident, path=" ".join(leg))

    def look_round(self, army: Army) -> None:
        """A group that enters a hex and those of other sides there see each other (rulebook: Who may know what)."""
        for viewer, seen in (pair for other in self.at(army.node) for pair in ((army, other), (other, army))):
            side = self.side(viewer.faction)
            if side in (NEUTRAL, self.side(seen.faction)):
                continue
            row = records.Sighting(viewer=side, turn=self.day, army=seen.army, node=seen.node, heads=self.heads(seen),
                                   men=show_ranks(seen.ranks), nobles=" ".join(n.noble for n in self.with_them(seen)))
            if row.ident in self.sightings:
                self.sightings.remove(row.ident)
            self.sightings.add(row)

    def marching(self, armies: Iterable[Army]) -> list[Army]:
        """Groups in the order of march; those outside it come last."""
        return sorted(armies, key=lambda a: self.march.index(a.army) if a.army in self.march else len(self.march))

    # --- how far, and in which order ------------------------------------------------------
    def count_horsemen(self) -> None:
        """Set the cavalry counters of groups that have only knights."""
        for army in self.armies:
            army.cavalry = army.active and army.men > 0 and is_mounted(army)

    def points_today(self, unit: MarchingUnit) -> int:
        """Movement points of a unit today, in sequence (rulebook: 8.3 Movement)."""
        if not isinstance(unit, Army):
            return self._seasonal(self._pace(unit))
        rules, members = PaceNumbers.of(self), self.stack(unit)
        together = [*members, *self.led_goods(unit), *self.escorted_captives(unit)]
        points = self._seasonal(min(self._pace(row) for row in together))
        if any(self.hurt_men(a) for a in members):
            points = max(1 if rules.wounded_floor == "min1" else 0, points + rules.wounded_move)
        if any(a.starving for a in members):
            points = max(1, points * rules.hunger_move // 100)
        return points

    def _pace(self, row: MarchingUnit | Prisoners) -> int:
        """Daily march of one group, convoy, train or record of captives by itself."""
        rules = PaceNumbers.of(self)
        if isinstance(row, Convoy):
            return rules.move_convoy
        if isinstance(row, Train):
            return rules.engine_move
        if isinstance(row, Army) and self.lone(row):
            return rules.move_lone_noble
        mounted = isinstance(row, Army) and row.men and is_mounted(row)
        return rules.move_cavalry if mounted else rules.move_foot

    def _seasonal(self, base: int) -> int:
        """Movement points after the season, at least 1; a diced season is read from the opening's event."""
        season: str = PaceNumbers.of(self).season
        if PaceNumbers.of(self).season_scope == "foot" and base > PaceNumbers.of(self).move_foot:
            return base
        if season == "roll":
            told = [str(e.data.get("season", "")) for e in self.events if e.event == "season"]
            season = next((word for word in reversed(told) if word in SEASON_MOVE), "summer")
        return max(1, base + SEASON_MOVE[season])

    def cheapest(self, start: str, goals: Iterable[str]) -> list[str]:
        """The cheapest way to any of some hexes: least cost, fewest hexes, smallest codes; [] for none."""
        return list(self.hexes.way(start, goals, self.step_cost))

    def hexes_of(self, way: Way) -> list[str]:
        """The hexes of a path, to far goals by the cheapest way; [] where one of them cannot be reached."""
        return self.way_over(way.start, way.hexes) if way.far else way.hexes

    def way_over(self, start: str, goals: Iterable[str]) -> list[str]:
        """The cheapest way to some hexes, one after the other; [] where one of them cannot be reached."""
        way: list[str] = []
        for goal in goals:
            way += (part := self.cheapest(way[-1] if way else start, [goal]))
            if not part:
                return []
        return way

    def reach(self, start: str, path: Iterable[str], points: int) -> list[str]:
        """The part of a path that the points pay for."""
        return affordable_path(start, path, points, self.step_cost)

    # --- the order of march ---------------------------------------------------------------
    def order_of_march(self, sallying: Iterable[str]) -> list[str]:
        """Ids of all units in the order of activation (M2). `sallying`: castles that are ordered to sally."""
        units = [(a.army, self.prestige(a), self.stack_heads(a), self.side(a.faction)) for a in self.active()
                 if not self.is_attached(a)]
        for place in map(self.places.__getitem__, sallying):
            lords = self.in_garrison(place)
            fame, heads = max((n.prestige for n in lords), default=-1), place.garrison + len(lords)
            units.append((place.place, fame, heads, place.holder))
        ranks: dict[tuple[int, int], dict[str, list[str]]] = {}
        sizes = {unit: heads for unit, _, heads, _ in units}
        for unit, prestige, heads, side in units:  # nobles come first, by prestige; what has no noble (-1) by heads
            # inside a side; between sides the larger is first
            diced = prestige >= 0 and PaceNumbers.of(self).order_tie == "dice"
            ranks.setdefault((-prestige, 0 if diced else -heads), {}).setdefault(side if diced else "", []).append(unit)
        order: list[str] = []
        for _, sides in sorted(ranks.items()):
            queues = [self._dice_for_order(tied) for tied in sides.values()]
            while queues:
                most = max(sizes[queue[0]] for queue in queues)
                order += self._dice_for_order([queue[0] for queue in queues if sizes[queue[0]] == most])[:1]
                queues = [left for queue in queues if (left := [unit for unit in queue if unit != order[-1]])]
        goods: list[Train | Convoy] = [*self.trains, *self.convoys]
        return [*order, *(row.ident for row in goods if row.state == "active" and not row.escort)]

    def _dice_for_order(self, tied: list[str]) -> list[str]:
        """Units in the order of one die each; a single unit throws none, and where none may be thrown they keep theirs,
        which makes no difference to those with whom nobody interferes.
        """
        tied = sorted(tied, key=natural)
        if len(tied) < 2 or self.game.dice.shut:
            return tied
        return sort_by_throw(tied, lambda unit: self.throw(records.MARCHING_FIRST, PUBLIC, unit))

    def march_targets(self, company: Army) -> list[Army]:
        """The nearest Norman groups of either side to unhired mercenaries, by id; several where equally near."""
        groups = [a for a in self.active() if not a.mercenary and self.side(a.faction) != NEUTRAL
                  and not a.inside and not self.lone(a)]
        near = min((self.distance(company.node, a.node) for a in groups), default=99)
        return [a for a in groups if self.distance(company.node, a.node) == near]

    # --- off a hex ------------------------------------------------------------------------
    def back_away(self, army: Army, towards: str) -> None:
        """A group backs into the first empty neighbouring hex, straight on first; without one it stays.

        It throws no dice, loses no prestige and keeps its activation. `towards`: the other's direction, "" if it stood.
        """
        around = (step(army.node, turn_direction(towards or "N", turn)) for turn in STRAIGHT_FIRST)
        free = next((there for there in around if self.empty(there)), "")
        if free:
            self.go(army, free)
        self.tell("backed_away", x=army.army, hex=free)

    def empty(self, node: str) -> bool:
        """Whether a hex of the map has no group outside a castle, and no castle."""
        return node in self.hexes and all(a.inside for a in self.at(node)) and self.castle_at(node) is None

    def go(self, army: Army, node: str) -> None:
        """Move a group to another hex, out of castle and siege; men in care stay behind."""
        if army.node != node:
            self.leave_in_care(army)
        for unit in self.stack(army):
            unit.inside = unit.besieging = ""
        self.bring(army, node)

    def leave_in_care(self, army: Army) -> None:
        """Leave men in care behind in their place; the group no longer counts them (15.7)."""
        for unit in self.stack(army):
            for row in self.hurt_men(unit, "in_care"):
                row.army = ""
                if row.noble:
                    noble = self.nobles[row.noble]
                    noble.army, noble.place = "", row.place
                    self.lead(unit)
                else:
                    unit.gain(row.rank, -1)
                self.keep_core(unit)
                self.tell("left_in_care", who=row.noble or row.wounded, place=row.place)

    # --- retreat (15.6) -------------------------------------------------------------------
    def legal(self, army: Army, node: str) -> bool:
        """Whether a group may retreat to a hex: no hostile castle, and no hostile group outside castles."""
        friends = (self.side(army.faction), NEUTRAL)
        return (node in self.hexes and all(a.inside or self.side(a.faction) in friends for a in self.at(node))
                and all(self.side_of_place(p) in friends for p in self.places_at(node) if p.castle))

    def retreats(self, armies: list[Army], towards: str, first: str = "") -> list[str]:
        """Groups of one side retreat, each the way it came or one direction beside, else in one of the other three.

        Their side chooses for all at once: friends do not block each other. `towards`: the opponent's direction;
        `first`: used instead of the way it came. Returns the hexes, "" for a group that cannot retreat.
        """
        ways = []
        for army in armies:
            # who never marched falls back with the enemy's direction, else to the south
            start = first or direction(army.node, army.came_from) or towards or "S"
            around = (
                [there for turn in turns if self.legal(army, there := step(army.node, turn_direction(start, turn)))]
                for turns in (BACK, WIDE)
            )
            ways.append(next(filter(None, around), [""]))
        asked = {army.army: self.question("retreat", army.faction, f"{army.army}/{army.node}", options, options[0],
                                          unit=army.army, hex=army.node)
                 for army, options in zip(armies, ways, strict=True)
                 if len(options) > 1 and self.side(army.faction) != NEUTRAL}
        chosen = dict(zip(asked, self.game.choose_all(list(asked.values())), strict=True))
        goals = [chosen.get(army.army, options[0]) for army, options in zip(armies, ways, strict=True)]
        for army, goal in zip(armies, goals, strict=True):
            if goal:
                self.go(army, goal)
                self.tell("retreated", x=army.army, hex=goal)
        return goals

    def surrender_group(self, army: Army, captor: str, taker: Army | None, battle: str = "",
                        record: Prisoners | None = None) -> Prisoners:
        """A group that cannot retreat is captured whole, with its nobles (15.6). Returns the record of captives."""
        into = record or self.new_captives(army.faction, captor, taker, army.node, battle)
        self.take_unit(army, into)
        self.take_purse(army, taker)
        self.remove_group(army, "captured", taker.faction if taker is not None else "")
        self.tell("no_retreat", x=army.army)
        return into

    def surrender_goods(self, loser: Army, taker: Army) -> None:
        """Without a battle the other group takes all that a group led, as it is (15.5)."""
        parties = self.both(self.side(taker.faction), self.side(loser.faction)) or ALL
        for row in self.led_goods(loser):
            self.fall_to(taker, row, "take")
            row.node = taker.node
            self.tell("prize", parties, rule="15.5", x=row.ident, group=taker.army, choice="take")

    @staticmethod
    def fall_to(army: Army, row: Convoy | Train, choice: str) -> None:
        """A convoy or train is burnt, or belongs to a group from now on; the caller tells it."""
        if choice == "burn":
            row.state, row.escort = "destroyed", ""
        else:
            row.faction, row.escort = army.faction, army.army

    def take_unit(self, unit: Army | Place, into: Prisoners | None) -> None:
        """All men and nobles of a group or garrison become captives; without a record the men are gone."""
        nobles = self.nobles_of(unit)
        self.take_men(unit, into)
        if into is not None:
            for noble in nobles:
                self.take_noble(noble, into)
