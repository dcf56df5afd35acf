"""The form of a battle's result: columns of Battles, rows of Losses, all faults at once (ANA-801 to 808).

See rulebook: 15 Battle.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any

from assistant.campaign.records import FormRow
from assistant.dataclass import dataclass
from assistant.rulesets.anarchy.battle.fights import ATTACKERS, DEFENDERS, SIDES, Fight, other
from assistant.rulesets.anarchy.book.records import LETTERS, RANKS, Army, Battle, Loss
from assistant.rulesets.anarchy.book.sheets import Noble, Place, Train
from assistant.rulesets.anarchy.realm.change import count
from assistant.rulesets.anarchy.realm.field import Field
from assistant.turn.battle_form.declaration import BattleForm, Entry, Fault, Filled, Whole
from assistant.turn.battle_form.taking_results import judge
from assistant.turn.orders.words import fold

LEVY = "levy"
HITS = ("killed", "wounded", "captured")
_LETTER = {rank: letter for letter, rank in LETTERS.items()}


@dataclass
class Hit:
    """Losses of one unit and rank."""

    unit: str
    rank: str
    killed: int = 0
    wounded: int = 0
    captured: int = 0

    @property
    def total(self) -> int:
        """Men hit in any way."""
        return self.killed + self.wounded + self.captured


@dataclass
class Result:
    """What came of a battle. `nobles`: id -> killed, wounded or captured."""

    outcome: str
    how: str
    turns: int = 0
    hits: list[Hit] = field(default_factory=list)
    nobles: dict[str, str] = field(default_factory=dict)
    freed: int = 0
    auto: bool = False
    crews: dict[tuple[str, str], int] = field(default_factory=dict)
    """(siege train, engineers or peasants) -> how many of them were killed."""

    @property
    def winner(self) -> str:
        """The winning side of the battle, "" for a draw."""
        return {"attacker": ATTACKERS, "defender": DEFENDERS}.get(self.outcome, "")

    @property
    def loser(self) -> str:
        """The beaten side, "" for a draw."""
        return other(self.winner) if self.winner else ""


def losses_of(f: Field, battle: str) -> list[Loss]:
    """The rows of Losses of a battle, in the order of the sheet."""
    return [row for _, row in f.losses.in_file_order() if row.battle == battle]


class Fighting:
    """Who fights in a battle, and what its form makes of them. `result` is made by the checks."""

    def __init__(self, f: Field, fight: Fight) -> None:
        self.f, self.fight = f, fight
        self.result = Result("", "")
        self.levy: dict[str, int] = {}
        self.units: dict[str, tuple[str, Army | Place]] = {}
        for side in SIDES:
            for army in fight.units[side]:
                self.units[army.army] = (side, army)
            if side in fight.castles:
                self.units[fight.castles[side].place] = (side, fight.castles[side])
        self.trains = {t.train: t for a in fight.everybody() for t in f.led_trains(a)}
        self.nobles: dict[str, tuple[str, Noble]] = {
            n.noble: (side, n) for side in SIDES for n in fight.nobles(f, side)}

    def clubs(self) -> dict[str, list[str]]:
        """The clubs that may report for each side."""
        return {side: self.f.clubs(self.fight.side_of(self.f, side)) for side in SIDES}

    def side_of(self, loss: FormRow) -> str:
        """The side that tells of a row of losses: its unit's or noble's; "" where nobody knows it."""
        assert isinstance(loss, Loss)
        if loss.noble in self.nobles:
            return self.nobles[loss.noble][0]
        train = self.trains.get(loss.unit)
        unit = train.escort if train is not None else loss.unit
        return DEFENDERS if self.is_levy(unit) else self.units[unit][0] if unit in self.units else ""

    def is_levy(self, unit: str) -> bool:
        """Whether a row means the village's levy, which goes by no name: people write the village's, too."""
        levy = self.fight.levy
        return levy is not None and (unit == LEVY or fold(unit) in (fold(levy.place), fold(levy.name)))

    # --- rows of losses -----------------------------------------------------------------------
    def loss(self, key: str, loss: Loss) -> Iterator[Fault]:
        """Take a row into the result, and say what is wrong with it."""
        if not any(getattr(loss, name) for name in HITS):
            return  # nobody hit: so a row is taken out again that is kept for ever
        if loss.noble:
            yield from self._noble(key, loss)
        elif self.is_levy(loss.unit):
            yield from self._of_levy(key, loss)
        elif loss.unit in self.trains:
            yield from self._crew(key, loss, self.trains[loss.unit])
        elif loss.unit not in self.units:
            yield self._fault("ANA-806", key, "unit", x=loss.unit)
        elif loss.rank not in RANKS:
            yield self._fault("ANA-801", key, "rank", column="rank")
        else:
            yield from self._of_unit(key, loss)

    def _of_unit(self, key: str, loss: Loss) -> Iterator[Fault]:
        side, unit = self.units[loss.unit]
        hit = next((h for h in self.result.hits if (h.unit, h.rank) == (loss.unit, loss.rank)), None)
        if hit is None:
            hit = Hit(loss.unit, loss.rank)
            self.result.hits.append(hit)
        for name in HITS:
            setattr(hit, name, getattr(hit, name) + getattr(loss, name))
        if hit.total > count(unit, loss.rank):
            yield self._too_many(key, loss, count(unit, loss.rank), hit.total)
        yield from self._taken(key, loss, side)

    def _crew(self, key: str, loss: Loss, train: Train) -> Iterator[Fault]:
        """Engineers (no rank) and peasants of a siege train who were killed; nobody else of it can be hit."""
        who = {"": "engineers", "peasants": "peasants"}.get(loss.rank)
        if who is None:
            yield self._fault("ANA-801", key, "rank", column="rank")
            return
        crew = (train.train, who)
        self.result.crews[crew] = self.result.crews.get(crew, 0) + loss.killed
        have = int(getattr(train, who))
        if loss.wounded or loss.captured or self.result.crews[crew] > have:
            yield self._fault("ANA-802", key, "killed", unit=train.train, have=have, rank=who,
                              n=self.result.crews[crew] + loss.wounded + loss.captured)

    def _taken(self, key: str, loss: Loss, side: str) -> Iterator[Fault]:
        """Only the beaten leave captives (ANA-805)."""
        if loss.captured and self.result.outcome and side != self.result.loser:
            yield self._fault("ANA-805", key, "captured")

    def _of_levy(self, key: str, loss: Loss) -> Iterator[Fault]:
        """Villagers who fell: checked like all others, and of no further account, for they all go home."""
        if loss.rank not in RANKS:
            yield self._fault("ANA-801", key, "rank", column="rank")
            return
        have = self.fight.levy_men(self.f).get(loss.rank, 0)
        self.levy[loss.rank] = self.levy.get(loss.rank, 0) + loss.killed + loss.wounded + loss.captured
        if self.levy[loss.rank] > have:
            yield self._too_many(key, loss, have, self.levy[loss.rank])
        yield from self._taken(key, loss, DEFENDERS)

    def _too_many(self, key: str, loss: Loss, have: int, total: int) -> Fault:
        return self._fault("ANA-802", key, "killed", unit=loss.unit, have=have,
                           rank=_LETTER.get(loss.rank, loss.rank), n=total)

    def _fault(self, code: str, key: str, name: str, **data: Any) -> Fault:
        return Fault(code, name, {"b": self.fight.ident, **data}, key)

    def _noble(self, key: str, loss: Loss) -> Iterator[Fault]:
        result, unit = self.result, self.units.get(loss.unit)
        if loss.noble not in self.nobles or (unit is not None and unit[0] != self.nobles[loss.noble][0]):
            yield self._fault("ANA-806", key, "noble", x=loss.noble)
            return
        fates = [name for name in HITS if getattr(loss, name)]
        if len(fates) != 1 or getattr(loss, fates[0]) != 1 or loss.noble in result.nobles:
            yield self._fault("ANA-802", key, "killed", unit=loss.noble, have=1, rank="noble",
                              n=loss.killed + loss.wounded + loss.captured)
            result.nobles.setdefault(loss.noble, fates[0])  # named twice he is still accounted for
            return
        yield from self._taken(key, loss, self.nobles[loss.noble][0])
        result.nobles[loss.noble] = fates[0]


# --- the checks of the whole ------------------------------------------------------------------------
def _lacks(name: str) -> Any:
    def facts(filled: Filled[Fighting]) -> Mapping[str, Any]:
        return {"b": filled.battle.fight.ident, "column": name}

    return facts


@dataclass(frozen=True)
class _Needed(Entry[Fighting]):
    """A word that has to stand there; how a battle ended goes without saying where it was drawn."""

    def value(self, filled: Filled[Fighting]) -> str | None:
        """The word."""
        drawn = self.name == "how" and filled.typed("outcome") == "draw"
        return filled.typed(self.name) or ("time" if drawn else None)


def _turns(filled: Filled[Fighting]) -> Iterator[Fault]:
    """ANA-803: as many turns as the outcome can have taken."""
    row, turns = filled.row, filled["turns"]
    if turns is None:
        return
    most, drawn = filled.battle.f.rules.battle_turns, filled.typed("outcome") == "draw"
    timed = (filled.typed("how") or "time") == "time"
    # what is not said yet is no contradiction
    whole = bool(filled.typed("outcome") and (filled.typed("how") or drawn))
    if not 1 <= turns <= most or (whole and (drawn != timed or (timed and turns != most))):
        yield Fault("ANA-803", "turns", {"b": row.battle, "outcome": filled.typed("outcome") or "-", "turns": turns})


def _captives(filled: Filled[Fighting]) -> Iterator[Fault]:
    """ANA-802: no more can be set free on the table than were led into the battle."""
    f, fight, freed = filled.battle.f, filled.battle.fight, filled["prisoners_freed"] or 0
    held = {p.prisoners: p for a in fight.everybody() for p in f.led_captives(a)}
    have = sum(p.men + len(f.captives(p)) for p in held.values())
    if freed > have:
        yield Fault("ANA-802", "prisoners_freed", {"b": fight.ident, "unit": " ".join(held) or "-", "have": have,
                                                   "rank": "prisoners", "n": freed})


def _losses(filled: Filled[Fighting]) -> Iterator[Fault]:
    """The rows of Losses, one after the other, as the result counts them."""
    filled.battle.result = Result(filled.typed("outcome"), filled.typed("how") or "time", filled["turns"] or 0,
                                  freed=filled["prisoners_freed"] or 0)
    for key, row in filled.rows:
        assert isinstance(row, Loss)
        yield from filled.battle.loss(key, row)


def _survivors(filled: Filled[Fighting]) -> Iterator[Fault]:
    """Eliminated: nobody is left (ANA-804); surrendered: who is not listed is taken (ANA-808)."""
    f, result = filled.battle.f, filled.battle.result
    if result.how not in ("eliminated", "surrendered") or not result.loser:
        return
    for ident, (side, unit) in filled.battle.units.items():
        if side != result.loser:
            continue
        men = unit.men if isinstance(unit, Army) else unit.garrison
        gone = sum(h.killed + h.captured for h in result.hits if h.unit == ident)
        lords = f.with_them(unit) if isinstance(unit, Army) else f.in_garrison(unit)
        left = men - gone + sum(result.nobles.get(n.noble) not in ("killed", "captured") for n in lords)
        if left > 0:
            yield Fault("ANA-804" if result.how == "eliminated" else "ANA-808", "how",
                        {"b": filled.battle.fight.ident, "n": left, "unit": ident})


FORM: BattleForm[Fighting] = BattleForm(
    "battle",
    (_Needed("outcome", told="ANA-801", facts=_lacks("outcome")), _Needed("how", told="ANA-801", facts=_lacks("how")),
     Whole("turns", told="ANA-801", facts=_lacks("turns")),
     Whole("prisoners_freed", told="ANA-801", facts=_lacks("prisoners_freed"), blank=0), Entry("note")),
    line=("outcome", "how", "turns"),
    dice=("played", "auto"),
    decisive=("outcome",),
    rows=Loss,
    checks=("outcome", "how", "turns", "prisoners_freed", _turns, _captives, _losses, _survivors),
    owner=Fighting.side_of,
    confirmed=("entered",))


def filled_in(f: Field, fight: Fight, row: Battle) -> Filled[Fighting]:
    """A battle's form as it stands."""
    rows = [(key, loss) for key, loss in f.losses.in_file_order() if loss.battle == row.battle]
    return Filled(FORM, Fighting(f, fight), row, rows)


# --- before the battle is resolved ----------------------------------------------------------------
CERTAIN = ("ANA-801", "ANA-803", "ANA-805")
"""Findings that nothing which happens before the battle can change; how many men a unit has is seen only then."""
STRANGER = "ANA-806"


def judge_forms(f: Field) -> None:
    """Findings about forms of open battles into which somebody has typed, as far as they are certain.

    When the phase is resolved each form is read where its battle is fought.
    """
    if not f.game.dice.shut:
        return
    for row in f.battles:
        if row.status == "open" and row.turn == f.game.turn and row.played != "auto" and _begun(f, row):
            judge(f.game, filled_in(f, _fight(f, row), row))
    f.game.findings = [one for one in f.game.findings
                       if one.code in CERTAIN or (one.code == STRANGER and one.where.field == "unit")]


def _begun(f: Field, row: Battle) -> bool:
    typed = (row.outcome, row.how, row.turns, row.prisoners_freed, row.note)
    return any(value not in ("", 0) for value in typed) or bool(losses_of(f, row.battle))


def _fight(f: Field, row: Battle) -> Fight:
    """The battle as its row tells it."""
    units: dict[str, list[Army]] = {side: [] for side in SIDES}
    castles: dict[str, Place] = {}
    for side, names in ((ATTACKERS, row.attackers), (DEFENDERS, row.defenders)):
        for name in names.split():
            army, castle = f.armies.get(name), f.places.get(name)
            if army is not None:
                units[side].append(army)
            elif castle is not None:
                castles[side] = castle
    place = f.places.get(row.place) if row.place else None
    if place is not None and place.castle:
        castles[ATTACKERS if row.kind == "sally" else DEFENDERS] = place
    levy = place if place is not None and not place.castle else None
    return Fight(row.battle, row.kind, row.node, "", units, castles, levy, units=units, place=row.place)
