"""A battle: who fights on which side, who joins, how many characters and maps (rulebook: 15 Battle; 15.1 to 15.3)."""

from __future__ import annotations

from dataclasses import dataclass, field

from assistant.rulesets.anarchy.book.records import Battle
from assistant.rulesets.anarchy.book.sheets import NEUTRAL, Army, Place
from assistant.rulesets.anarchy.book.tables import LEVY
from assistant.rulesets.anarchy.realm.field import Field
from assistant.turn.game import ALL, REFEREE, Ask, Waiting

ATTACKERS, DEFENDERS = "attackers", "defenders"
SIDES = (ATTACKERS, DEFENDERS)
WINNER = {"attacker": ATTACKERS, "defender": DEFENDERS}
"""The winning side by the outcome; a draw has none."""


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
    joined: set[str] = field(default_factory=set)
    """Groups that joined; those from next door are still there."""
    units: dict[str, list[Army]] = field(default_factory=dict)
    """All groups and companies of a side, as they were when the battle began."""
    place: str = ""

    @property
    def moving(self) -> str:
        """The side that came; the attackers where nobody in the battle did."""
        return DEFENDERS if any(a.army == self.mover for a in self.units[DEFENDERS]) else ATTACKERS

    def everybody(self) -> list[Army]:
        """All groups and companies in the battle."""
        return [*self.units[ATTACKERS], *self.units[DEFENDERS]]

    def bodies(self, side: str) -> list[Army | Place]:
        """All groups and companies of a side, and its castle."""
        return [*self.units[side], *([self.castles[side]] if side in self.castles else [])]

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

    def characters(self, f: Field) -> int:
        """Men and nobles of both sides."""
        places = [*self.castles.values(), *([self.levy] if self.levy is not None else [])]
        people = sum(unit.men + len(f.nobles_of(unit)) for side in SIDES for unit in self.bodies(side))
        return people + sum(len(f.patients(p)) for p in places) + sum(self.levy_men(f).values())


def levy_of(realm: Field, place: Place) -> dict[str, int]:
    """Who stands up for a village or monastery: by its resources (14.6)."""
    peasants, light, foot = LEVY[max(0, min(10, place.resources))]
    if realm.monastic(place):
        peasants, light, foot = max(peasants // 2, int(place.resources >= 1)), light // 2, 0
    return {rank: n for rank, n in (("peasants", peasants), ("light", light), ("foot", foot)) if n}


def maps_needed(f: Field, characters: int) -> int:
    """Tactical maps by the number of characters (15.1)."""
    return 4 if characters >= f.rules.maps_4_from else 2 if characters >= f.rules.maps_2_from else 1


# --- getting together -----------------------------------------------------------------------------
def gather(f: Field, kind: str, mover: Army | Place, attackers: list[Army], defenders: list[Army], *,
           castle: tuple[str, Place] | None = None, levy: Place | None = None) -> Fight:
    """Number a battle and ask who joins it, but no revolt; nothing is changed yet but who is spent.

    Stops where its number cannot be known before the answers for which others wait.
    """
    if f.numbers_unsure:
        raise Waiting([])
    place = castle[1] if castle is not None else levy
    fight = Fight(f"B{f.day}-{len(f.fought) + 1}", kind, mover.node, mover.ident,
                  {ATTACKERS: attackers, DEFENDERS: defenders}, dict([castle] if castle is not None else []), levy,
                  place=place.place if place is not None else "")
    f.fought.append(fight.ident)
    if kind != "revolt":
        _join(f, fight)
    for side in SIDES:
        fight.units[side] = [one for army in fight.groups[side] for one in f.stack(army)]
        f.spend(*fight.groups[side])
    f.spent |= {castle.place for castle in fight.castles.values()}
    return fight


def _join(f: Field, fight: Fight) -> None:
    """Groups next door and on the hex, and garrisons on it; asked all at once (15.3)."""
    asked: list[tuple[str, Army | Place, Ask]] = []
    joining: list[tuple[str, Army | Place]] = []
    for side in SIDES:
        for unit in _may_join(f, fight, side):
            if isinstance(unit, Place) or unit.joins == "ask":
                speaker = f.wardens(unit)[0] if isinstance(unit, Place) else unit.faction
                asked.append((side, unit, f.question("join", speaker, f"{unit.ident}/{fight.ident}", ("yes", "no"),
                                                     "no", unit=unit.ident, battle=fight.ident, hex=fight.node)))
            elif unit.joins == "yes":
                joining.append((side, unit))
    answers = f.game.choose_all([question for _, _, question in asked])
    joining += [(side, unit) for (side, unit, _), text in zip(asked, answers, strict=True) if text == "yes"]
    for side, unit in joining:
        if isinstance(unit, Place):
            fight.castles[side] = unit
        else:
            fight.groups[side].append(unit)
            fight.joined.add(unit.army)
        f.tell("joined", ALL, "15.3", touch=[unit], x=unit.ident, battle=fight.ident, side=fight.side_of(f, side))


def _may_join(f: Field, fight: Fight, side: str) -> list[Army | Place]:
    """Groups of a side that could join, in the order of march, and its castle."""
    banner = fight.side_of(f, side)
    if banner == NEUTRAL:
        return []
    taking_part = {a.army for groups in fight.groups.values() for a in groups}
    near = {fight.node, *f.hexes.neighbours(fight.node)}
    groups = f.marching(
        a for a in f.active() if a.node in near and f.side(a.faction) == banner and a.army not in taking_part
        and a.army not in f.spent and not f.attached(a) and not f.limited(a) and not f.safe(a)
        and not (f.shut(a) and a.node != fight.node))
    castle = f.castle_at(fight.node, banner)
    if castle is None or not castle.garrison or castle.place == fight.place or side in fight.castles:
        return [*groups]
    return [*groups, castle]


# --- the row of the sheet ---------------------------------------------------------------------------
def open_row(f: Field, fight: Fight) -> Battle:
    """The battle's row, with its form as far as it is filled in; all hear of it, the two sides of who is in it."""
    row = f.battles.get(fight.ident) or f.battles.add(Battle(battle=fight.ident))
    row.turn, row.node, row.kind, row.place, row.status = f.game.turn, fight.node, fight.kind, fight.place, "open"
    for side in SIDES:
        setattr(row, side, " ".join(unit.ident for unit in fight.bodies(side) if unit.ident != fight.place))
    n = fight.characters(f)
    f.tell("battle_opened", ALL, "15.1", touch=[row], b=fight.ident, hex=fight.node, part="fact")
    f.tell("battle_opened", audience(f, fight), "15.1", touch=[row], b=fight.ident, hex=fight.node,
           sides=f"{row.attackers or fight.place} / {row.defenders or fight.place}", n=n, m=maps_needed(f, n))
    return row


def audience(f: Field, fight: Fight) -> list[str] | str:
    """The factions that fight."""
    return f.both(*(fight.side_of(f, s) for s in SIDES)) or REFEREE
