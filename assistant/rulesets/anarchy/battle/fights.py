"""A battle: who fights on which side, who joins, how many characters and maps (rulebook: 15 Battle; 15.1 to 15.3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from assistant.dataclass import dataclass
from assistant.rulesets.anarchy.book.records import Army, Battle
from assistant.rulesets.anarchy.book.sheets import Noble, Place
from assistant.rulesets.anarchy.book.tables import LEVY
from assistant.rulesets.anarchy.realm.change import patients
from assistant.rulesets.anarchy.realm.field import Field
from assistant.rulesets.anarchy.realm.realm import ALL, NEUTRAL, REFEREE
from assistant.turn.game import Ask

ATTACKERS, DEFENDERS = "attackers", "defenders"
SIDES = (ATTACKERS, DEFENDERS)


def other(side: str) -> str:
    """The opposing side of a battle."""
    return DEFENDERS if side == ATTACKERS else ATTACKERS


@dataclass
class Fight:
    """A battle to be fought. Groups are those that follow nobody; their mercenaries come with them."""

    ident: str
    kind: str
    node: str
    mover: str
    groups: dict[str, list[Army]]
    castles: dict[str, Place] = field(default_factory=dict)
    levy: Place | None = None
    joined: dict[str, str] = field(default_factory=dict)
    """Who joined -> the hex that it set out from."""
    inside: set[str] = field(default_factory=set)
    units: dict[str, list[Army]] = field(default_factory=dict)
    """All groups and companies of a side, as they were when the battle began."""
    place: str = ""

    def everybody(self) -> list[Army]:
        """All groups and companies in the battle."""
        return [*self.units[ATTACKERS], *self.units[DEFENDERS]]

    def side_of(self, f: Field, side: str) -> str:
        """Royal, angevin or neutral."""
        for army in self.groups[side]:
            return f.side(army.faction)
        if side in self.castles:
            return self.castles[side].holder or NEUTRAL
        return f.band(self.levy.loyalty) if self.levy is not None else NEUTRAL

    def levy_men(self, f: Field) -> dict[str, int]:
        """The levy of the village by rank; nothing where there is none."""
        return levy_of(f, self.levy) if self.levy is not None else {}

    def nobles(self, f: Field, side: str) -> list[Noble]:
        """Nobles on a side, those of a garrison among them."""
        found = [n for a in self.units[side] for n in f.with_them(a)]
        if side in self.castles:
            found += f.in_garrison(self.castles[side])
        return found

    def characters(self, f: Field) -> int:
        """Men and nobles of both sides."""
        men = sum(a.men for a in self.everybody()) + sum(p.garrison for p in self.castles.values())
        places = [*self.castles.values(), *([self.levy] if self.levy is not None else [])]
        men += sum(len(patients(f, p)) for p in places) + sum(self.levy_men(f).values())
        return men + sum(len(self.nobles(f, s)) for s in SIDES)


def levy_of(f: Field, place: Place) -> dict[str, int]:
    """Who stands up for a village or monastery: by its resources (14.6)."""
    peasants, light, foot = LEVY[max(0, min(10, place.resources))]
    if f.monastic(place):
        peasants, light, foot = peasants // 2, light // 2, 0
        if place.resources >= 1:
            peasants = max(1, peasants)
    return {rank: n for rank, n in (("peasants", peasants), ("light", light), ("foot", foot)) if n}


def maps_needed(f: Field, characters: int) -> int:
    """Tactical maps by the number of characters (15.1)."""
    if characters >= f.rules.maps_4_from:
        return 4
    return 2 if characters >= f.rules.maps_2_from else 1


# --- getting together -----------------------------------------------------------------------------
def gather(f: Field, kind: str, mover: Army | Place, attackers: Iterable[Army], defenders: Iterable[Army], *,
           castle: tuple[str, Place] | None = None, levy: Place | None = None, joins: bool = True) -> Fight:
    """Number a battle and ask who joins it; nothing is changed yet but who is spent."""
    f.battle_number += 1
    ident = f"B{f.day}-{f.battle_number}"
    f.fought.append(ident)
    fight = Fight(ident, kind, mover.node, mover.ident, {ATTACKERS: list(attackers), DEFENDERS: list(defenders)},
                  {castle[0]: castle[1]} if castle is not None else {}, levy)
    fight.place = levy.place if levy is not None else castle[1].place if castle is not None else ""
    fight.inside = {a.army for side in SIDES for a in fight.groups[side] if a.inside}
    if joins:
        _join(f, fight)
    for side in SIDES:
        fight.units[side] = [one for army in fight.groups[side] for one in f.stack(army)]
        f.spend(*fight.groups[side])
    return fight


def _join(f: Field, fight: Fight) -> None:
    """Groups next door and on the hex, and garrisons on it; asked all at once (15.3)."""
    asked: list[tuple[str, Army | Place, Ask]] = []
    sure: list[tuple[str, Army | Place]] = []
    for side in SIDES:
        banner = fight.side_of(f, side)
        if banner == NEUTRAL:
            continue
        for army in _may_join(f, fight, banner):
            if army.joins == "ask":
                question = f.question("join", army.faction, f"{army.army}/{fight.ident}", ("yes", "no"), "no",
                                      unit=army.army, battle=fight.ident, hex=fight.node)
                asked.append((side, army, question))
            elif army.joins == "yes":
                sure.append((side, army))
        castle = f.castle_at(fight.node, banner)
        if castle is not None and castle.place != fight.place and castle not in fight.castles.values() and (
                castle.garrison and not fight.castles.get(side)):
            question = f.question("join", f.wardens(castle)[0], f"{castle.place}/{fight.ident}", ("yes", "no"), "no",
                                  unit=castle.place, battle=fight.ident, hex=fight.node)
            asked.append((side, castle, question))
    answers = f.game.choose_all([question for _, _, question in asked])
    willing = [(side, unit) for (side, unit, _), text in zip(asked, answers, strict=True) if text == "yes"]
    for side, unit in [*sure, *willing]:
        if isinstance(unit, Place):
            fight.castles[side] = unit
        else:
            fight.groups[side].append(unit)
            fight.joined[unit.army] = unit.node
            if unit.inside:
                fight.inside.add(unit.army)
        f.tell("joined", ALL, "15.3", touch=[unit], x=unit.ident, battle=fight.ident, side=fight.side_of(f, side))


def _may_join(f: Field, fight: Fight, banner: str) -> list[Army]:
    """Groups of a side that could join, in the order of march."""
    taking_part = {a.army for side in SIDES for a in fight.groups[side]}
    near = {fight.node, *f.hexes.neighbours(fight.node)}
    place = {unit: n for n, unit in enumerate(f.march)}
    found = [a for a in f.active() if a.node in near and f.side(a.faction) == banner and a.army not in taking_part
             and a.army not in f.spent and not f.attached(a) and not f.limited(a) and not f.safe(a)
             and not (f.shut(a) and a.node != fight.node)]
    return sorted(found, key=lambda a: place.get(a.army, len(place)))


# --- the row of the sheet ---------------------------------------------------------------------------
def open_row(f: Field, fight: Fight) -> Battle:
    """The battle's row, with its form as far as it is filled in."""
    row = f.battles.get(fight.ident) or f.battles.add(Battle(battle=fight.ident))
    row.turn, row.node, row.kind, row.place = f.game.turn, fight.node, fight.kind, fight.place
    for side in SIDES:
        names = [a.army for a in fight.units[side]]
        castle = fight.castles.get(side)
        if castle is not None and castle.place != fight.place:
            names.append(castle.place)
        setattr(row, side, " ".join(names))
    row.status = "open"
    return row


def audience(f: Field, fight: Fight) -> list[str] | str:
    """The factions that fight."""
    return f.both(*(fight.side_of(f, s) for s in SIDES)) or REFEREE


def announce(f: Field, fight: Fight, row: Battle) -> None:
    """All hear of the battle, the two sides of who is in it."""
    n = fight.characters(f)
    f.tell("battle_opened", ALL, "15.1", touch=[row], b=fight.ident, hex=fight.node, part="fact")
    f.tell("battle_opened", audience(f, fight), "15.1", touch=[row], b=fight.ident, hex=fight.node,
           sides=f"{row.attackers or fight.place} / {row.defenders or fight.place}", n=n, m=maps_needed(f, n))
