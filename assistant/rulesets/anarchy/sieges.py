"""Sieges, the close of a day, objectives, the end of the campaign (chapters 1, 8, 15.8, 16)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from assistant.campaign.columns import Ref, Text, Whole, column
from assistant.campaign.records import ALL, Event
from assistant.campaign.tables import Record, natural
from assistant.rulesets.anarchy import both, chapter, orders, records
from assistant.rulesets.anarchy.field import HURT_STATES, Field
from assistant.rulesets.anarchy.orders import act, day_order
from assistant.rulesets.anarchy.records import ANGEVIN, NEUTRAL, ROYAL, Army, Noble, Objective, Place, Siege
from assistant.turn.chapters import Citation, EventType, Message, Modifier, Rules, number, switch
from assistant.turn.dice import PUBLIC, Purpose, RangeTable
from assistant.turn.event_types import Ending, Said
from assistant.turn.game import free_name
from assistant.turn.orders.requests import Refused, Request, refuse_if
from assistant.turn.rulings import read_scale


class SiegeNumbers(Rules):
    """How a siege wears a castle down, and when friends are merged."""

    siege_days_per_point: int = number(2, both("days", "giorni"), both(
        "A siege eats a point of resources every {n} {n?day|days}.",
        "Un assedio consuma un punto di risorse ogni {n} {n?giorno|giorni}."), minimum=1)
    stacking: Literal["next_reorg", "end_turn"] = switch(
        both("Friends on one hex are merged {option}.", "Gli amici in un esagono sono riuniti {option}."),
        both("when they still share it a day later", "se lo dividono ancora il giorno dopo"),
        both("at the end of the same day", "alla fine dello stesso giorno"), source="8.1, 8.3", usual=True)
    siege_min: Literal["any", "equal"] = switch(
        both("A castle may be besieged {option}.", "Un castello può assediarlo {option}."),
        both("by any number of heads", "un gruppo di qualunque numero"),
        both("by no fewer than the garrison", "un gruppo non minore della guarnigione"), usual=True)


FATES = {
    "all killed": both("{place:the} surrenders to {side:the}, and everybody in it is killed. {cause}. {roll}",
                       "{place:il} si arrende {side:a}: dentro sono tutti uccisi. {cause}. {roll}"),
    "half massacred": both("{place:the} surrenders to {side:the}: half of its men are massacred, the others prisoners. "
                           "{cause}. {roll}",
                           "{place:il} si arrende {side:a}: metà dei difensori è massacrata, gli altri sono "
                           "prigionieri. {cause}. {roll}"),
    "prisoners": both("{place:the} surrenders to {side:the}, and everybody in it is a prisoner. {cause}. {roll}",
                      "{place:il} si arrende {side:a}: i difensori sono tutti prigionieri. {cause}. {roll}"),
    "unarmed": both("{place:the} surrenders to {side:the}: its men march out without their arms. {cause}. {roll}",
                    "{place:il} si arrende {side:a}: i difensori escono senz'armi. {cause}. {roll}"),
    "armed": both("{place:the} surrenders to {side:the}: its men march out with their arms. {cause}. {roll}",
                  "{place:il} si arrende {side:a}: i difensori escono in armi. {cause}. {roll}"),
}
"""What becomes of the men in a castle that surrenders."""
NO_FOOD = both.word("It had no food left", "Non aveva più viveri")
BY_ORDER = both.word("It gave up by order, with food left", "La resa è stata ordinata, e c'erano ancora viveri")
"""Why a castle surrenders (16)."""
EVENTS = (
    EventType("siege_begun",
              both("{side:the} {side?besieges|besiege} {place:the}.", "{side:il} {side?assedia|assediano} {place:il}."),
              "sieges", 1, to=ALL),
    EventType("siege_left",
              both("{group:the} {group?gives|give} up the siege of {place:the}.",
                   "{group:il} {group?lascia|lasciano} l'assedio {place:di}."), "sieges", 2, to=ALL),
    EventType("siege_day", both("Day {d} of the siege of {place:the}.", "Giorno {d} dell'assedio {place:di}."),
              "sieges", 3,
              variants=("n part",
                        {"0 supplies": both("{place:the} has no food left.", "{place:dove} non ci sono più viveri."),
                         "supplies": both("{place:the} has {n} {n?point|points} of food left.",
                                          "{place:dove} {n?resta|restano} {n} {n?punto|punti} di viveri.")}), to=ALL),
    EventType("siege_lifted", both("{besieger:the} {besieger?has|have} nobody left before {place:the}: the siege is "
                                   "lifted.",
                                   "{besieger:il} non {besieger?ha|hanno} più nessuno davanti {place:a}: l'assedio è "
                                   "tolto."), "sieges", 1, to=ALL, theme="siege"),
    EventType("surrendered",
              both("{place:the} surrenders to {side:the}: {roll}.", "{place:il} si arrende {side:a}: {roll}."),
              "sieges", 0, variants=("fate", FATES), to=ALL, theme="place", tries="place", blank="cause"),
    EventType("castle_taken", both("{side:the} {side?takes|take} {place:the} by storm.",
                                   "{side:il} {side?espugna|espugnano} {place:il}."), "sieges", 0,
              variants=("way",
                        {"surrendered": both("{place:the} is handed over to {side:the}.",
                                             "{place:il} è consegnat{place?o|a|i|e} {side:a}.")}), to=ALL,
              theme="place", unless=("surrendered",)),
    EventType("massacre",
              both("{n} of {m} {m?defender|defenders} of {place:the} {n?is|are} put to the sword: who throws 5 or "
                   "less, until half are dead. {roll}",
                   "{n} {n?difensore|difensori} {place:di} su {m} {n?finisce|finiscono} a fil di spada: chi tira 5 o "
                   "meno, finché metà è morta. {roll}"),
              "sieges", 1, to=ALL),
    EventType("marched_out", both("{group:the} {group?marches|march} out of {place:the}.",
                                  "{group:il} {group?esce|escono} {place:da}."),
              "sieges", 2, to=ALL),
    EventType("day_over", both("The day is over.", "Il giorno è finito."), "news", 9, "6", to=ALL),
)

both.words({
    "surrender": "resa", "score": "punti", "all killed": "tutti uccisi", "armed": "in armi",
    "half massacred": "metà massacrati",
})

FINDINGS = (
    Message("ANA-408", "error", both("{place:the} is not an enemy castle.", "{place:il} non è un castello nemico.")),
    Message("ANA-412", "error", both("{place:the} is not besieged.", "{place:il} non è assediat{place?o|a|i|e}.")),
)

CHAPTER = chapter(both("16 Sieges", "16 Gli assedi"), 13, SiegeNumbers, EVENTS, FINDINGS)


# Besieging and giving up, by order (16).


def check_enemy_castle(f: Field, request: Request, place: Place, field: str) -> None:
    """Refuse all but a castle that another side holds (ANA-408)."""
    refuse_if(not place.castle or place.holder in ("", f.side(request.faction)), "ANA-408", field, place=place.place)


@act("BESIEGE", "ASSEDIA", orders.a_castle(check_enemy_castle), also=("siege",),
     help=both("Lay siege to an enemy castle.", "Poni l'assedio a un castello nemico."))
def besiege(f: Field, request: Request, army: Army, place: Place) -> None:
    """Lie down before an enemy castle (16)."""
    orders.check_same_hex(army, place)
    strength = sum(f.stack_heads(a) for a in [*f.besiegers(place), army])
    inside = place.garrison + sum(f.stack_heads(a) for a in f.at(place.node) if a.inside == place.place)
    if SiegeNumbers.of(f).siege_min == "equal" and strength < inside:
        raise Refused("ANA-011", "unit", unit=army.army, verb=request.verb, reason="fewer than the besieged")
    army.besieging, side = place.place, f.side(army.faction)
    if not f.is_besieged(place.place):
        row = f.sieges.get(place.place) or f.sieges.add(Siege(place=place.place))
        row.besieger, row.started_on, row.days, row.state = side, f.day, 0, "on"
        row.resources_at_start = place.resources
    f.tell("siege_begun", place=place.place, side=side, group=army.army)


@day_order("LIFT", "LEVA", "movement", unit=orders.ActingUnit((Army,), then=(orders.check_at_large,)),
           help=both("Give up a siege and stay.", "Togli un assedio e resta."))
def lift(f: Field, request: Request, army: Army) -> None:
    """Give up a siege (ANA-011, 104, 412)."""
    if not army.besieging:
        place = f.castle_at(army.node)
        if place is not None and f.is_besieged(place.place):  # by others, who stay
            raise Refused("ANA-011", "unit", unit=army.army, verb=request.verb, reason="it besieges nothing")
        raise Refused("ANA-412", "unit", place=place.place if place is not None else army.node)
    f.lifts[request.unit] = request


# Siege day and close: surrenders, deliveries, stacking (chapters 8, 15.8, 16; rulebook: The close).


# the book has the fates 3 to 7 only (16); the others and the modifiers below are ours
SURRENDER = RangeTable("surrender", ((None, 2, "all killed"), (3, 4, "half massacred"), (5, 7, "prisoners"),
                                     (8, 9, "unarmed"), (10, None, "armed")))


DIES_AT = 5
"""A defender of a half massacred place dies on this or less."""


class CastleFall:
    """A castle that surrenders, everybody in it, and the largest besieging group."""

    def __init__(self, realm: Field, siege: Siege, place: Place, largest: Army, by_order: bool) -> None:
        self.realm, self.place, self.largest = realm, place, largest
        self.cause = BY_ORDER if by_order else NO_FOOD
        self.well_supplied = by_order and place.resources * 2 > siege.resources_at_start
        self.inside = [a for a in realm.at(place.node) if a.inside == place.place]
        self.units: list[Army | Place] = [place, *self.inside]
        self.owner, self.winner = realm.wardens(place)[0], siege.besieger

    def nobles(self) -> list[Noble]:
        """Nobles in the castle, by id."""
        nobles = (noble for unit in self.units for noble in self.realm.nobles_of(unit))
        return sorted(nobles, key=lambda noble: natural(noble.noble))

    # --- fates ------------------------------------------------------------------------------
    def half(self) -> None:
        """Test the defenders by rising rank until half of all are dead (16)."""
        realm, ident = self.realm, self.place.place
        nobles = self.nobles()
        defenders = sum(unit.men for unit in self.units) + len(nobles)
        tested: list[tuple[Purpose, tuple[object, ...], Callable[[], None]]] = [
            (records.MASSACRE_OF_MAN, (rank, number), partial(realm.take_off, unit, rank, 1, "dead", wound))
            for rank in records.RISING for number, (unit, wound) in enumerate(self._men_by_wounds(rank), 1)]
        tested += [(records.MASSACRE_OF_NOBLE, (n.noble,), partial(realm.strike, n, "killed", "16")) for n in nobles]
        dead, rolls = 0, []
        for purpose, who, dies in tested:
            if dead * 2 >= defenders:
                break
            rolls.append(realm.throw(purpose, PUBLIC, ident, *who))
            if rolls[-1].at_most(DIES_AT):
                dead += 1
                dies()
        realm.tell("massacre", roll=rolls, n=dead, m=defenders, place=ident)

    def _men_by_wounds(self, rank: str) -> list[tuple[Army | Place, records.Wounded | None]]:
        """Each man of a rank in the castle with his unit: the hurt with their wound, then the fit with None."""
        hurt = [(unit, wound) for unit in self.units for wound in self.realm.wounded_here(unit, rank)]
        return [*hurt, *((unit, None) for unit in self.units for _ in range(self.realm.fit(unit, rank)))]

    def capture(self) -> None:
        """All survivors become captives, held in the castle itself, which is the winner's now."""
        realm = self.realm
        record = realm.new_captives(self.owner, self.winner, self.largest, self.place.node,
                                    destination=self.place.place)
        realm.take_patients(self.place, record)
        for unit in self.units:
            realm.take_men(unit, record)
        for noble in self.nobles():
            realm.take_noble(noble, record)
        if not realm.drop_if_empty(record):
            realm.tell("prisoners", side=self.winner, n=record.men + len(realm.captives(record)),
                       p=record.prisoners, hex=record.node, part="where")

    def march_out(self, armed: bool) -> None:
        """Everybody leaves as one group with safe conduct for tomorrow, with or without arms and horses."""
        realm = self.realm
        ident = free_name(realm.armies, f"{self.place.place}-out")
        nobles = self.nobles()
        leader = max(nobles, key=lambda n: n.prestige, default=None)
        first = next((a for a in self.inside if not a.mercenary), None)
        level = leader.loyalty if leader is not None else first.loyalty if first is not None else self.place.loyalty
        group = realm.armies.add(Army(army=ident, faction=self.owner, node=self.place.node,
                                      commander=leader.noble if leader is not None else "", loyalty=level,
                                      safe_on=realm.day + 1, unarmed=not armed))
        for unit in self.units:
            self._join(unit, group, armed)
        for noble in nobles:
            noble.army, noble.place = group.army, ""
        for row in realm.wounded:
            if row.noble in {noble.noble for noble in nobles} and row.state in HURT_STATES:
                row.army, row.state = group.army, "hurt"
        realm.tell("marched_out", group=group.army, place=self.place.place)

    def _join(self, unit: Army | Place, group: Army, armed: bool) -> None:
        """A unit's men and money become the group's; a knight without a horse is hurt as a dismounted one."""
        for rank, n in unit.ranks.items():
            new_rank = "dismounted" if rank == "knights" and not armed else rank
            for row in self.realm.wounded_here(unit, rank):
                row.army, row.rank, row.state = group.army, new_rank, "hurt"
            group.gain(new_rank, n)
            unit.gain(rank, -n)
        if isinstance(unit, Army):
            group.money, unit.money = group.money + unit.money, 0

    def hand_over(self, end: str) -> None:
        """Give the castle, now empty, to the besieger.

        `end`: the fate of the groups inside: merged (they marched out with their purses), captured, destroyed.
        """
        held = {p.prisoners: p for a in self.inside for p in self.realm.led_captives(a)}
        for record in held.values():  # captives of the besieger's side are freed (7)
            if self.realm.side(record.faction) == self.winner:
                self.realm.free_captives(record, self.largest)
        for army in self.inside:
            if end != "merged":
                self.realm.take_purse(army, self.largest)
            self.realm.remove_group(army, end, self.largest.faction)
        self.realm.take_castle(self.place, self.winner, "surrendered")


SURRENDER_TABLE: tuple[Modifier[CastleFall], ...] = (
    Modifier(both.word("supplies left", "risorse rimaste"), lambda fall: 2 * fall.well_supplied),
    Modifier("prestige", lambda fall: fall.realm.prestige(fall.largest) >= records.GREAT_PRESTIGE),
    Modifier(both.word("massacre", "massacro"), lambda fall: -2 * fall.place.massacre),
)
"""The modifiers of a surrender: given up with half its supplies, to whom, after a massacre."""


def surrender(realm: Field, siege: Siege, place: Place, largest: Army, by_order: bool) -> None:
    """Roll on the surrender table and carry it out."""
    fall = CastleFall(realm, siege, place, largest, by_order)
    roll = realm.throw(records.SURRENDER_OF, PUBLIC, place.place)
    reading = read_scale(SURRENDER, realm.modifiers(SURRENDER_TABLE, fall), roll=roll, low=1, high=10)
    realm.tell("surrendered", roll=reading, place=place.place, side=fall.winner, cause=fall.cause,
               fate=reading.verdict)
    end = {"unarmed": "merged", "armed": "merged", "all killed": "destroyed"}.get(reading.verdict, "captured")
    if end == "merged":
        fall.march_out(armed=reading.verdict == "armed")
    else:
        if reading.verdict == "all killed":
            for unit in fall.units:
                realm.take_off_all(unit, "dead")
        elif reading.verdict == "half massacred":
            fall.half()
        fall.capture()
    fall.hand_over(end)


@day_order("SURRENDER", "ARRENDITI", "close", unit=orders.CASTLE,
           help=both("Give a castle up.", "Consegna un castello."))
def give_up(f: Field, request: Request, castle: Place) -> None:
    """Hand a besieged castle over at this close."""
    refuse_if(not f.is_besieged(castle.place), "ANA-412", "unit", place=castle.place)
    f.given_up.add(castle.place)


def siege_day(realm: Field) -> None:
    """Count a day of each siege; every second day costs a point; without points, or by order, it surrenders (16)."""
    for siege in (siege for siege in realm.sieges if siege.state == "on"):
        place = realm.places[siege.place]
        largest = realm.largest(realm.besiegers(place))
        if largest is None:
            siege.state = "lifted"
            realm.tell("siege_lifted", place=place.place, besieger=siege.besieger)
            continue
        siege.days += 1
        realm.tell("siege_day", place=place.place, d=siege.days, besieger=siege.besieger)
        if siege.days % SiegeNumbers.of(realm).siege_days_per_point == 0 and place.resources > 0:
            place.resources -= 1
            realm.tell("siege_day", realm.both(place.holder), place=place.place, d=siege.days,
                       n=place.resources, part="supplies")
        # a place that has no food from the start falls on its first day
        if place.resources <= 0 or place.place in realm.given_up:
            surrender(realm, siege, place, largest, by_order=place.place in realm.given_up and place.resources > 0)


def deliver_captives(realm: Field) -> None:
    """Deliver captives who are on the hex of their destination; their escort is free (15.8)."""
    for record in realm.prisoners:
        if record.on_their_way and realm.at_goal(record):
            record.state, record.escort, record.place = "delivered", "", record.destination
            realm.tell("delivered", p=record.prisoners, place=record.place)


# --- stacking (8.1, 8.3) ----------------------------------------------------------------------------
def stacking(realm: Field) -> None:
    """Merge friends who share a hex at two closes in a row into the largest group."""
    for side in (ROYAL, ANGEVIN):
        for node in sorted({a.node for a in realm.active()}):
            _merge_on_hex(realm, side, node)


def _merge_on_hex(realm: Field, side: str, node: str) -> None:
    groups = [a for a in realm.at(node) if not a.mercenary and realm.side(a.faction) == side and not a.inside
              and not realm.escorted_captives(a) and not realm.lone(a) and not realm.safe(a)]
    due = [a for a in groups if SiegeNumbers.of(realm).stacking == "end_turn"
           or (a.shares_since is not None and a.shares_since < realm.day)]
    if len(due) >= 2:
        best, *others = realm.by_size(due)
        for army in sorted(others, key=lambda a: natural(a.army)):
            realm.unite(army, best)
            realm.tell("forced_merge", a=army.army, b=best.army, hex=node)
        for company in realm.at(node):
            hired = company.mercenary and realm.side(company.faction) == side
            if hired and not company.inside and not realm.is_attached(company):
                company.employer = best.army
                realm.tell("attached", rule="8.1", x=company.army, group=best.army)
    left = [a for a in groups if a.active]
    for army in left:
        army.shares_since = (army.shares_since or realm.day) if len(left) > 1 else None


class ScenarioNumbers(Rules):
    """How long the scenario lasts."""

    days: int = number(14, both("days", "giorni"),
                       both("The scenario lasts {n} {n?day|days}.", "Lo scenario dura {n} {n?giorno|giorni}."),
                       records.ASSUMED, 1, setup=True, source="scenario")


# the book does not grade victories: these leads are ours
VICTORIES = {"decisive": (8, both("A decisive victory: {winners}.", "Vittoria decisiva: {winners}.")),
             "clear": (4, both("A clear victory: {winners}.", "Vittoria netta: {winners}.")),
             "narrow": (1, both("A narrow victory: {winners}.", "Vittoria di misura: {winners}."))}
"""Kind of victory -> the least lead in points, and its sentence; a smaller lead is a draw."""
GAME_EVENTS = (
    EventType("objective", both("{text}: {points}.", "{text}: {points}."), "news", 1, to=ALL),
    EventType("score", both("{text}: {points}.", "{text}: {points}."), "news", 0,
              variants=("result",
                        {"draw": both("{text}: {points}. It is a draw.", "{text}: {points}. È parità."),
                         "royal narrow": both("{text}: {points}. A narrow victory of the King's side.",
                                              "{text}: {points}. Vittoria di misura della parte del re."),
                         "royal clear": both("{text}: {points}. A clear victory of the King's side.",
                                             "{text}: {points}. Vittoria netta della parte del re."),
                         "royal decisive": both("{text}: {points}. A decisive victory of the King's side.",
                                                "{text}: {points}. Vittoria decisiva della parte del re."),
                         "angevin narrow": both("{text}: {points}. A narrow victory of the Empress's side.",
                                                "{text}: {points}. Vittoria di misura della parte dell'Imperatrice."),
                         "angevin clear": both("{text}: {points}. A clear victory of the Empress's side.",
                                               "{text}: {points}. Vittoria netta della parte dell'Imperatrice."),
                         "angevin decisive": both("{text}: {points}. A decisive victory of the Empress's side.",
                                                  "{text}: {points}. Vittoria decisiva della parte "
                                                  "dell'Imperatrice.")}),
              means={"text": "faction"}, to=ALL),
)

GAME_CHAPTER = chapter(both("1 The game", "1 Lo scopo del gioco"), 4, ScenarioNumbers, GAME_EVENTS,
                       cites=(Citation("scenario", "scenario", heading=both("The scenario", "Lo scenario")),
                              Citation("card5", "card 5", "scheda 5",
                                       both("Resources and loyalty by period", "Risorse e lealtà per periodo"))))


def next_day(realm: Field) -> None:
    """End the day: clear what holds for one day; arm unarmed groups in places of their side."""
    realm.count_horsemen()
    for army in realm.armies:
        army.starving, side = False, realm.side(army.faction)
        if army.unarmed and army.active and side != NEUTRAL:
            army.unarmed = not any(realm.of_side(p, side) for p in realm.places_at(army.node))
    realm.tell("day_over")


# Objectives, and the end of the campaign (1).


@dataclass(eq=False, repr=False)
class Aim(Record, sheet="Missions", sheet_it="Missioni"):
    """An objective as a report shows it.

    `points`: what it is worth now; `lacks`: how many more it can bring, blank if without limit; `days`: how many are
    left for it, today included; `away`: how many hexes the reader's man is from where he is to go.
    """

    faction: str = column(Ref("Factions"), "Faction", "Fazione", key=True)
    objective: str = column(Text(), "Objective", "Obiettivo", key=True)
    points: int = column(Whole(), "Points now", "Punti adesso")
    lacks: int | None = column(Whole(0, blank=True), "Still to be had", "Ancora da avere")
    days: int = column(Whole(0), "Days left", "Giorni rimasti")
    away: int | None = column(Whole(0, blank=True), "Hexes away", "Esagoni")


def aims_of(realm: Field, reader: str, lang: str = "") -> list[Aim]:
    """All objectives, those of the reader's side first; one that can no longer be reached lacks 0.

    `lang`: of their words, for a reader that is no faction.
    """
    row, side = realm.factions.get(reader), realm.side(reader)
    italian, aims = (lang or (row.language if row is not None else "")) == "it", list[Aim]()
    days = ScenarioNumbers.of(realm).days
    for objective in sorted(realm.objectives, key=lambda objective: realm.side(objective.faction) != side):
        last = min(days, objective.by_day or days) if objective.kind == "reach" else days
        once = objective.kind in ("hold", "reach") or (objective.kind == "capture"
                                                       and objective.subject in realm.nobles)
        now, most = _objective_points(realm, objective), objective.points if once else objective.cap
        left = max(0, last - max(realm.day, 1) + 1) if objective.state == "open" else 0
        aims.append(Aim(objective.faction, (italian and objective.text_it) or objective.text_en
                        or objective.objective, now, None if most is None else max(0, most - now) if left else 0, left,
                        _hexes_away(realm, objective) if left and realm.side(objective.faction) == side else None))
    return aims


def _hexes_away(realm: Field, row: records.Objective) -> int | None:
    """How far somebody who is to reach a place is from it; None for other objectives, and where nobody knows."""
    noble, place = realm.nobles.get(row.subject), realm.places.get(row.place)
    here = realm.whereabouts(noble) if row.kind == "reach" and noble is not None and place is not None else ""
    return realm.distance(here, place.node) if here and place is not None else None


LEFT = both("{days} {days?day|days} left with today.",
            "{days?resta|restano} {days} {days?giorno|giorni} con oggi.")
NOT_NOW = both.joined(both("{aim}: not at present, 0 of {most} {most?point|points};",
                           "{aim}: per ora no, 0 punti su {most};"), LEFT)
STILL_AWAY = both.joined(both("{aim}: not at present, {away} {away?hex|hexes} away, 0 of {most} {most?point|points};",
                              "{aim}: per ora no, a {away} {away?esagono|esagoni}, 0 punti su {most};"), LEFT)
HOW_FAR = both.joined(both("{aim}: {now} of {most} {most?point|points} as things stand;",
                           "{aim}: per ora {now} {now?punto|punti} su {most};"), LEFT)
WITHOUT_LIMIT = both.joined(both("{aim}: {now} {now?point|points} as things stand,",
                                 "{aim}: per ora {now} {now?punto|punti};"), LEFT)
MISSED = both("{aim}: no, 0 points, which is settled.", "{aim}: no, 0 punti, ormai è deciso.")
SETTLED = both("{aim}: {now} {now?point|points}, which is settled.", "{aim}: {now} {now?punto|punti}, ormai è deciso.")


def clock(aim: Aim) -> Said:
    """What an objective is worth as things stand, how much more it can bring, and how long it has."""
    if not aim.days:
        text = SETTLED if aim.points else MISSED
    else:
        text = (HOW_FAR if aim.points and aim.lacks is not None else STILL_AWAY if aim.lacks and aim.away else
                NOT_NOW if aim.lacks else WITHOUT_LIMIT)
    return Said(text, {"aim_en": aim.objective, "aim_it": aim.objective, "now": aim.points, "away": aim.away,
                       "most": aim.points + (aim.lacks or 0), "days": aim.days})


def score_objectives(realm: Field, the_end: bool = False) -> None:
    """Tell objectives reached today, and on the last day the score; `the_end`: the referee ends the campaign now."""
    the_end = the_end or is_last_day(realm)
    for row in realm.objectives:
        if row.kind == "reach" and row.state == "open" and _is_reached(realm, row):
            row.state, row.done_on = "done", realm.day
            if not the_end:  # the score names them all
                _tell_objective(realm, row, row.points)
    if not the_end:
        return
    totals = dict.fromkeys((ROYAL, ANGEVIN), 0)
    for row in realm.objectives:
        points, side = _objective_points(realm, row), realm.side(row.faction)
        if side in totals:
            totals[side] += points
        if row.state == "open":
            row.state = "done" if points else "failed"
            row.done_on = realm.day if points else row.done_on
        _tell_objective(realm, row, points)
    for faction in realm.factions:
        if realm.side(faction.faction) in totals:
            faction.score = totals[realm.side(faction.faction)]
            realm.tell("score", text=faction.faction, points=faction.score, result=_result(realm, totals))


def _tell_objective(realm: Field, row: Objective, points: int) -> None:
    """Tell an objective in the scenario's words, in both languages if it has both."""
    italian = {"text_it": row.text_it} if row.text_it else {}
    realm.tell("objective", points=points, objective=row.objective, text=row.text_en or row.objective,
               **italian)


def is_last_day(realm: Field) -> bool:
    """Whether this is the last day, or a side has no noble left."""
    return realm.day >= ScenarioNumbers.of(realm).days or bool(sides_without_nobles(realm))


def sides_without_nobles(realm: Field) -> list[str]:
    """The sides whose nobles are all dead or captive; such a side has lost."""
    lords = {side: {n.state for n in realm.nobles if realm.side(n.faction) == side} for side in (ROYAL, ANGEVIN)}
    return [side for side, states in lords.items() if states and states <= {"dead", "prisoner"}]


def _is_reached(realm: Field, row: Objective) -> bool:
    noble, in_time = realm.nobles.get(row.subject), row.by_day is None or realm.day <= row.by_day
    return noble is not None and noble.at_large and in_time and _hexes_away(realm, row) == 0


def _objective_points(realm: Field, row: Objective) -> int:
    """The points that an objective is worth now."""
    side = realm.side(row.faction)
    if row.kind == "hold":
        place = realm.places.get(row.place)
        return row.points if place is not None and realm.of_side(place, side) else 0
    if row.kind == "reach":
        return row.points if row.state == "done" else 0
    if row.kind == "capture":
        done = sum(n.state == "prisoner" and n.captor == side and row.subject in (n.noble, "any", "")
                   for n in realm.nobles)
    else:
        field = {"loot": "looted", "deliver": "delivered", "destroy": "destroyed"}[row.kind]
        done = sum(int(getattr(realm.factions[code], field)) for code in realm.clubs(side) if code in realm.factions)
    points = done // (row.per or 1) * row.points
    return points if row.cap is None else min(row.cap, points)


def _result(realm: Field, totals: dict[str, int]) -> str:
    """The winner and how clearly: ``royal narrow``, ``draw``."""
    lost = sides_without_nobles(realm)
    if len(lost) == 1:  # where neither has a noble left the points decide
        return f"{realm.foe(lost[0])} decisive"
    lead = totals[ROYAL] - totals[ANGEVIN]
    word = next((word for word, (least, _) in VICTORIES.items() if abs(lead) >= least), "")
    return f"{ROYAL if lead > 0 else ANGEVIN} {word}" if word else "draw"


# --- how it has ended -----------------------------------------------------------------------------
A_DRAW = both("It is a draw.", "La campagna finisce in parità.")


def ending(realm: Field, figures: list[dict[str, Any]]) -> Ending:
    """Who has won, how it was counted, and the figures, the winner's first; all of it is public."""
    told = [e for _, e in realm.campaign.table(Event).in_file_order() if e.event in ("score", "objective")]
    last = [e for e in told if (e.turn, e.phase) == (told[-1].turn, told[-1].phase)]
    scores = {str(e.data["text"]): int(e.data["points"]) for e in last if e.event == "score"}
    result = next((str(e.data["result"]) for e in last if e.event == "score"), "") or (
        _result(realm, dict.fromkeys((ROYAL, ANGEVIN), 0)) if len(sides_without_nobles(realm)) == 1 else "")
    side, _, how = result.partition(" ")
    winners = tuple(row.faction for row in realm.factions if how and realm.side(row.faction) == side)
    verdict = Said(VICTORIES[how][1], {"winners": " ".join(winners)}) if how else Said(A_DRAW)
    counted: list[Said | Event] = [*_grounds(realm, scores), *(e for e in last if e.event == "objective")]
    rows = sorted(figures, key=lambda row: (row["faction"] not in winners, -row["score"]))
    return Ending((verdict,) if result else (), tuple(counted), winners, rows)


NO_NOBLES_LEFT = both("All nobles are dead or captive: {losers}. Such a side has lost at once and decisively, whatever "
                      "the points.",
                      "Tutti i nobili sono morti o prigionieri: {losers}. Chi è così ridotto perde subito e in modo "
                      "decisivo, quali che siano i punti.")
POINTS_OF_OBJECTIVES = both("Points of the objectives: {points}.", "Punti degli obiettivi: {points}.")
WHAT_A_LEAD_IS = both("A lead of 1 to 3 points is a narrow victory, of 4 to 7 a clear one, of 8 or more a decisive "
                      "one; equal points are a draw.",
                      "Con 1-3 punti di vantaggio si vince di misura, con 4-7 nettamente, con 8 o più in modo "
                      "decisivo; a pari punti è parità.")


def _grounds(realm: Field, scores: dict[str, int]) -> list[Said]:
    """What decided: a side lost all its nobles, or the points."""
    lost = sides_without_nobles(realm)
    sentences = []
    if len(lost) == 1:
        codes = " ".join(row.faction for row in realm.factions if realm.side(row.faction) == lost[0])
        sentences = [Said(NO_NOBLES_LEFT, {"losers": codes})]
    if scores:
        sentences.append(Said(POINTS_OF_OBJECTIVES, {"points": scores}))
        if len(lost) != 1:
            sentences.append(Said(WHAT_A_LEAD_IS))
    return sentences
