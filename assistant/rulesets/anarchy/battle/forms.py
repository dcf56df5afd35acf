"""The form of a battle's result: columns of Battles, rows of Losses, all faults at once (rulebook: 15 Battle)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from assistant.campaign.records import FormRow
from assistant.rulesets.anarchy.battle.fights import ATTACKERS, DEFENDERS, SIDES, WINNER, Fight, other
from assistant.rulesets.anarchy.book.records import Battle, Loss
from assistant.rulesets.anarchy.book.sheets import LETTER_OF, RANKS
from assistant.rulesets.anarchy.realm.field import Field
from assistant.turn.battle_form.declaration import BattleForm, Clubs, Entry, Fault, Filled, Whole
from assistant.turn.battle_form.taking_results import further_rows, judge
from assistant.turn.game import Game
from assistant.turn.orders.words import fold

HITS = ("killed", "wounded", "captured")
Tally = defaultdict[tuple[str, str], Counter[str]]
"""Losses by unit and rank, of siege trains by train and engineers or peasants: how many were hit, and how."""


@dataclass
class Result:
    """What came of a battle. `nobles`: id -> killed, wounded or captured; `crews`: of siege trains."""

    outcome: str
    how: str
    turns: int = 0
    hits: Tally = field(default_factory=lambda: defaultdict(Counter))
    nobles: dict[str, str] = field(default_factory=dict)
    freed: int = 0
    auto: bool = False
    crews: Tally = field(default_factory=lambda: defaultdict(Counter))

    @property
    def winner(self) -> str:
        """The winning side of the battle, "" for a draw."""
        return WINNER.get(self.outcome, "")

    @property
    def loser(self) -> str:
        """The beaten side, "" for a draw."""
        return other(self.winner) if self.winner else ""


class Fighting:
    """Who fights in a battle, and what its form makes of them. `result` is made by the checks."""

    def __init__(self, f: Field, fight: Fight) -> None:
        self.f, self.fight = f, fight
        self.result = Result("", "")
        self.levy: Tally = defaultdict(Counter)
        """Villagers who fell: checked like all others, and of no further account, for they all go home."""
        self.units = {unit.ident: (side, unit) for side in SIDES for unit in fight.bodies(side)}
        self.trains = {t.train: t for a in fight.everybody() for t in f.led_trains(a)}
        self.nobles = {n.noble: side for side in SIDES for unit in fight.bodies(side) for n in f.nobles_of(unit)}
        known: list[Any] = [*(unit for _, unit in self.units.values()), *self.trains.values()]
        known += [f.nobles[noble] for noble in self.nobles]
        named = {fold(row.name): row.ident for row in known if row.name}
        self.codes = named | {fold(row.ident): row.ident for row in known}

    def _meant(self, loss: Loss) -> Loss:
        """A row with its unit and noble by their codes, which may be typed in any letters or by name."""
        row: Loss = loss.copy()
        row.unit, row.noble = (self.codes.get(fold(word), word) for word in (loss.unit, loss.noble))
        return row

    def side_of(self, loss: FormRow) -> str:
        """The side that tells of a row of losses: its unit's or noble's; "" where nobody knows it."""
        assert isinstance(loss, Loss)
        loss = self._meant(loss)
        train = self.trains.get(loss.unit)
        unit = train.escort if train is not None else loss.unit
        known = DEFENDERS if self.is_levy(unit) else self.units[unit][0] if unit in self.units else ""
        return self.nobles.get(loss.noble, known)

    def clubs(self) -> Clubs:
        """Who may report for each side."""
        return {side: self.f.clubs(self.fight.side_of(self.f, side)) for side in SIDES}

    def is_levy(self, unit: str) -> bool:
        """Whether a row means the village's levy, which goes by no name: people write the village's, too."""
        levy = self.fight.levy
        return levy is not None and (unit == "levy" or fold(unit) in (fold(levy.place), fold(levy.name)))

    # --- rows of losses -----------------------------------------------------------------------
    def loss(self, key: str, loss: Loss) -> Iterator[Fault]:
        """Take a row into the result, and say what is wrong with it."""
        if not any(getattr(loss, name) for name in HITS):
            return  # nobody hit: so a row is taken out again that is kept for ever
        loss = self._meant(loss)
        if loss.noble:
            yield from self._noble(key, loss)
        elif self.is_levy(loss.unit):
            yield from self._men(key, loss, self.levy, self.fight.levy_men(self.f).get(loss.rank, 0))
        elif loss.unit in self.trains:
            yield from self._crew(key, loss)
        elif loss.unit in self.units:
            unit = self.units[loss.unit][1]
            yield from self._men(key, loss, self.result.hits, unit.count(loss.rank) if loss.rank in RANKS else 0)
        else:
            yield self._fault("ANA-806", key, "unit", x=loss.unit)

    def _men(self, key: str, loss: Loss, tally: Tally, have: int) -> Iterator[Fault]:
        if loss.rank not in RANKS:
            yield self._fault("ANA-801", key, "rank", column="rank")
            return
        hit = tally["levy" if tally is self.levy else loss.unit, loss.rank]
        hit.update({fate: getattr(loss, fate) for fate in HITS})
        if hit.total() > have:
            yield self._too_many(key, loss.unit, have, LETTER_OF[loss.rank], hit.total())
        yield from self._taken(key, loss)

    def _crew(self, key: str, loss: Loss) -> Iterator[Fault]:
        """Engineers (no rank) and peasants of a siege train who were killed; nobody else of it can be hit."""
        who = {"": "engineers", "peasants": "peasants"}.get(loss.rank)
        if who is None:
            yield self._fault("ANA-801", key, "rank", column="rank")
            return
        crew, have = self.result.crews[loss.unit, who], int(getattr(self.trains[loss.unit], who))
        crew["killed"] += loss.killed
        if loss.wounded or loss.captured or crew["killed"] > have:
            yield self._too_many(key, loss.unit, have, who, crew["killed"] + loss.wounded + loss.captured)

    def _noble(self, key: str, loss: Loss) -> Iterator[Fault]:
        nobles, side = self.result.nobles, self.nobles.get(loss.noble)
        if side is None:
            yield self._fault("ANA-806", key, "noble", x=loss.noble)
            return
        if loss.unit in self.units and self.units[loss.unit][0] != side:
            yield self._fault("ANA-806", key, "noble", x=loss.noble, unit=loss.unit, how="elsewhere")
            return
        fates = [name for name in HITS if getattr(loss, name)]
        total = loss.killed + loss.wounded + loss.captured
        if total == 1 and loss.noble not in nobles:
            yield from self._taken(key, loss)
        else:
            yield self._too_many(key, loss.noble, 1, "noble", total)
        nobles.setdefault(loss.noble, fates[0])  # named twice he is still accounted for

    def _taken(self, key: str, loss: Loss) -> Iterator[Fault]:
        """Only the beaten leave captives (ANA-805)."""
        if loss.captured and self.result.outcome and self.side_of(loss) != self.result.loser:
            yield self._fault("ANA-805", key, "captured")

    def _too_many(self, key: str, unit: str, have: int, rank: str, n: int) -> Fault:
        return self._fault("ANA-802", key, "killed", unit=unit, have=have, rank=rank, n=n)

    def _fault(self, code: str, key: str, name: str, **data: Any) -> Fault:
        return Fault(code, name, {"b": self.fight.ident, **data}, key)


# --- the checks of the whole ------------------------------------------------------------------------
def _needed(name: str) -> dict[str, Any]:
    return {"told": "ANA-801", "facts": lambda filled: {"b": filled.row.battle, "column": name}}


class _Word(Entry[Fighting]):
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
    held = {p.prisoners: f.holds(p) for a in fight.everybody() for p in f.led_captives(a)}
    have = sum(held.values())
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
    f, fight, result = filled.battle.f, filled.battle.fight, filled.battle.result
    code = {"eliminated": "ANA-804", "surrendered": "ANA-808"}.get(result.how, "")
    for unit in fight.bodies(result.loser) if code and result.loser else ():
        gone = sum(hit["killed"] + hit["captured"] for (name, _), hit in result.hits.items() if name == unit.ident)
        lords = [n for n in f.nobles_of(unit) if result.nobles.get(n.noble) not in ("killed", "captured")]
        left = unit.men - gone + len(lords)
        if left > 0:
            yield Fault(code, "how", {"b": fight.ident, "n": left, "unit": unit.ident})


def _seen(game: Game, row: Battle) -> tuple[Fighting, Clubs]:
    f = Field(game)
    fighting = Fighting(f, _fight(f, row))
    return fighting, fighting.clubs()


FORM: BattleForm[Fighting] = BattleForm(
    "battle",
    (_Word("outcome", **_needed("outcome")), _Word("how", **_needed("how")), Whole("turns", **_needed("turns")),
     Whole("prisoners_freed", **_needed("prisoners_freed"), blank=0), Entry("note")),
    line=("outcome", "how", "turns"),
    dice=("played", "auto"),
    decisive=("outcome", "how"),
    rows=Loss,
    checks=("outcome", "how", "turns", "prisoners_freed", _turns, _captives, _losses, _survivors),
    owner=Fighting.side_of,
    confirmed=("entered",),
    seen=_seen)


# --- before the battle is resolved ----------------------------------------------------------------
CERTAIN = ("ANA-801", "ANA-803", "ANA-805")
"""Findings that nothing which happens before the battle can change; how many men a unit has is seen only then."""
STRANGER = "ANA-806"


def judge_forms(f: Field) -> None:
    """Findings about forms of open battles into which somebody has typed, as far as they are certain before these."""
    if not f.game.dice.shut:
        return
    for row in f.battles:
        if row.status == "open" and row.turn == f.game.turn and row.played != "auto":
            filled = Filled(FORM, Fighting(f, _fight(f, row)), row, further_rows(f.game, FORM, row.battle))
            if filled.rows or any(filled.typed(entry.name) not in ("", 0) for entry in FORM.entries):
                judge(f.game, filled)
    f.game.findings = [one for one in f.game.findings
                       if one.code in CERTAIN or (one.code == STRANGER and one.where.field == "unit")]


def _fight(f: Field, row: Battle) -> Fight:
    """The battle as its row tells it."""
    names = {side: getattr(row, side).split() for side in SIDES}
    units = {side: [f.armies[name] for name in names[side] if name in f.armies] for side in SIDES}
    castles = {side: f.places[name] for side in SIDES for name in names[side] if name in f.places}
    place = f.places.get(row.place)
    if place is not None and place.castle:
        castles[ATTACKERS if row.kind == "sally" else DEFENDERS] = place
    levy = place if place is not None and not place.castle else None
    return Fight(row.battle, row.kind, row.node, "", units, castles, levy, units=units, place=row.place)
