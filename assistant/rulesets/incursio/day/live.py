"""A battle that is played live: its form, what may be wrong with it, and what it comes to (rulebook: Played live)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from assistant.rulesets.incursio.book.questions import RESULT
from assistant.rulesets.incursio.book.sheets import Battle
from assistant.rulesets.incursio.day.fights import LINE, Fight, outcome_of
from assistant.rulesets.incursio.orders.choosing import chosen
from assistant.rulesets.incursio.realm.camp import Unit
from assistant.rulesets.incursio.realm.realm import OTHER, Realm
from assistant.rulesets.incursio.realm.sight import forget, known, observe
from assistant.rulesets.incursio.realm.units import all_units, fits, in_order, split_units
from assistant.turn.answers.asking import Ask, Waiting
from assistant.turn.battle_form.declaration import BattleForm, Clubs, Entry, Fault, Filled
from assistant.turn.battle_form.taking_results import judge, take_form
from assistant.turn.game import REFEREE, Game

Lines = dict[str, list[str]]
"""What went in, by the column of what is left."""
AFTER = ("att_after", "open_after", "garrison_after")


@dataclass(frozen=True)
class Left(Entry[Lines]):
    """What is left of a line: units among those that went in (INC-090)."""

    def value(self, filled: Filled[Lines]) -> list[str] | None:
        """The units."""
        units = all_units(str(filled.typed(self.name)))
        return units if units is not None and fits(units, filled.battle[self.name]) else None

    def faults(self, filled: Filled[Lines]) -> Iterable[Fault]:
        """More, or others, than went in."""
        if filled[self.name] is None:
            before = "".join(filled.battle[self.name]) or "-"
            yield Fault("INC-090", self.name, {"units": str(filled.typed(self.name))[:60], "before": before})


def _somebody(filled: Filled[Lines]) -> Iterable[Fault]:
    """A place is never empty (INC-091)."""
    if all(filled[name] == [] for name in AFTER):
        yield Fault("INC-091", "att_after")


def _same_order(filled: Filled[Lines]) -> Iterable[Fault]:
    """A garrison keeps its order (INC-092)."""
    left = filled["garrison_after"]
    before = filled.battle["garrison_after"]
    if left is not None and not in_order(left, before):
        yield Fault("INC-092", "garrison_after", {"after": "".join(left), "before": "".join(before) or "-"})


def _of_row(game: Game, row: Battle) -> tuple[Lines, Clubs]:
    return lines_of(row), _clubs(row.attacker)


def _clubs(attacker: str) -> Clubs:
    return {"att": [attacker], "def": [OTHER[attacker]]} if attacker in OTHER else {}


FORM: BattleForm[Lines] = BattleForm(
    RESULT, tuple(Left(name, side, "INC-090") for name, side in zip(AFTER, ("att", "def", "def"), strict=True)),
    line=AFTER, decisive=AFTER, checks=(*AFTER, _somebody, _same_order), seen=_of_row)
"""What is left of each line."""


def lines_of(row: Battle) -> Lines:
    """What went into a battle, as its row says."""
    went_in = (row.attackers, row.open_before, row.garrison_before)
    return {name: split_units(units) for name, units in zip(AFTER, went_in, strict=True)}


def check_forms(realm: Realm) -> None:
    """The forms of battles that are to be played, as they are filled in so far."""
    for row in realm.battles.where(lambda row: row.status == "open" and bool(row.attackers)):
        if FORM.reported(row):
            judge(realm.game, Filled(FORM, lines_of(row), row))


def played(fight: Fight, row: Battle) -> str:
    """Wait for the form, and take it; the outcome."""
    realm = fight.realm
    row.status = "open"
    realm.game.hand_out(row)
    place = row.node
    ask = Ask(RESULT, REFEREE, row.battle, asked={"place": place, "units": row.attackers})
    taken = take_form(realm.game, FORM, ask, lines_of(row), row, _clubs(fight.ground.attacker))
    if taken.state != "filled":
        raise Waiting([ask])
    filled = taken.filled
    force, outside, garrison = fight.att, fight.outside, fight.garrison
    fight.att = chosen(filled["att_after"], force)
    left = {"open": kept(filled["open_after"], outside), "garrison": kept(filled["garrison_after"], garrison)}
    alive = {id(unit) for unit in (*fight.att, *left["open"], *left["garrison"])}
    realm.camp.remove([unit for unit in (*force, *outside, *garrison) if id(unit) not in alive])
    _seen(fight, left)
    return outcome_of(realm.rules.retreat_subject, fight.att, [*left["open"], *left["garrison"]], fury=False)


def kept(codes: list[str], line: list[Unit]) -> list[Unit]:
    """Who is left of a line that keeps its order: of FAF the second F where AF are left, else the first ones."""
    rest, in_line = list(line), list[Unit]()
    for code in codes:
        while rest and rest[0].code != code:
            rest.pop(0)
        in_line += [rest.pop(0)] if rest else []
    return in_line if len(in_line) == len(codes) else chosen(codes, line)


def _seen(fight: Fight, left: dict[str, list[Unit]]) -> None:
    """Everything on the table counts as seen."""
    side, node = fight.ground.attacker, fight.ground.place.node
    for name, kind in LINE.items():
        forget(fight.realm, known(fight.realm, side, node, kind))
        for position, unit in enumerate(left[name], 1):
            observe(fight.realm, side, node, kind, "battle", position=position, what=unit.code)
