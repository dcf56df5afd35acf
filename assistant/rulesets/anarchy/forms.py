"""The form of a battle's result: read, checked as a whole, all faults at once (digest, section 7; ANA-801 to 808)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from assistant.rulesets.anarchy.change import count
from assistant.rulesets.anarchy.field import Field
from assistant.rulesets.anarchy.fights import ATTACKERS, DEFENDERS, SIDES, Fight, other
from assistant.rulesets.anarchy.records import LETTERS, RANKS, Army, Battle, Loss
from assistant.rulesets.anarchy.sheets import Noble, Place, Train
from assistant.turn.findings import Where

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


def is_reported(row: Battle) -> bool:
    """Whether the form holds an outcome, or says that the dice decide."""
    return bool(row.outcome) or row.played == "auto"


def losses_of(f: Field, battle: str) -> list[Loss]:
    """The rows of Losses of a battle, in the order of the sheet."""
    return [row for _, row in f.campaign.table(Loss).in_file_order() if row.battle == battle]


class Form:
    """Reads one form and notes what is wrong with it."""

    def __init__(self, f: Field, fight: Fight, row: Battle) -> None:
        self.f, self.fight, self.row = f, fight, row
        self.wrong = False
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

    def read(self) -> Result | None:
        """The result, or None with findings."""
        row = self.row
        for name in ("outcome", "how"):
            if not getattr(row, name) and not (name == "how" and row.outcome == "draw"):
                self._bad("ANA-801", name, column=name)
        turns, freed = self._whole("turns"), self._whole("prisoners_freed")
        if row.turns == "" or turns is None:
            self._bad("ANA-801", "turns", column="turns")
        result = Result(row.outcome, row.how or "time", turns or 0, freed=freed or 0)
        self._check_turns(result, turns)
        self._captives(result.freed)
        for loss in losses_of(self.f, self.fight.ident):
            self._loss(result, loss)
        self._survivors(result)
        return None if self.wrong else result

    def _bad(self, code: str, name: str, **data: Any) -> None:
        self.wrong = True
        self.f.game.find(code, Where(Battle.sheet, self.fight.ident, name), b=self.fight.ident, **data)

    def _whole(self, name: str) -> int | None:
        value = getattr(self.row, name)
        if value in ("", None):
            return 0
        if not isinstance(value, int) or value < 0:
            self._bad("ANA-801", name, column=name)
            return None
        return value

    def _check_turns(self, result: Result, turns: int | None) -> None:
        most, drawn = int(self.f.rules.battle_turns), result.outcome == "draw"
        if turns is None or self.row.turns == "":
            return
        timed = result.how == "time"
        # what is not said yet is no contradiction
        whole = bool(result.outcome and (self.row.how or drawn))
        if not 1 <= turns <= most or (whole and (drawn != timed or (timed and turns != most))):
            self._bad("ANA-803", "turns", outcome=result.outcome or "-", turns=turns)

    def _loss(self, result: Result, loss: Loss) -> None:
        ident = loss.ident
        if not any(getattr(loss, name) for name in HITS):
            return  # nobody hit: so a row is taken out again that is kept for ever
        if loss.noble:
            self._noble(result, loss)
            return
        if loss.unit == LEVY and self.fight.levy is not None:
            self._of_levy(result, loss)
            return
        if loss.unit in self.trains:
            self._crew(result, loss, self.trains[loss.unit])
            return
        if loss.unit not in self.units:
            self._bad_row("ANA-806", ident, "unit", x=loss.unit)
            return
        if loss.rank not in RANKS:
            self._bad_row("ANA-801", ident, "rank", column="rank")
            return
        side, unit = self.units[loss.unit]
        hit = next((h for h in result.hits if (h.unit, h.rank) == (loss.unit, loss.rank)), None)
        if hit is None:
            hit = Hit(loss.unit, loss.rank)
            result.hits.append(hit)
        for name in HITS:
            setattr(hit, name, getattr(hit, name) + getattr(loss, name))
        if hit.total > count(unit, loss.rank):
            self._too_many(loss, count(unit, loss.rank), hit.total)
        self._taken(result, loss, side)

    def _crew(self, result: Result, loss: Loss, train: Train) -> None:
        """Engineers (no rank) and peasants of a siege train who were killed; nobody else of it can be hit."""
        who = {"": "engineers", "peasants": "peasants"}.get(loss.rank)
        if who is None:
            self._bad_row("ANA-801", loss.ident, "rank", column="rank")
            return
        key = (train.train, who)
        result.crews[key] = result.crews.get(key, 0) + loss.killed
        have = int(getattr(train, who))
        if loss.wounded or loss.captured or result.crews[key] > have:
            self._bad_row("ANA-802", loss.ident, "killed", unit=train.train, have=have, rank=who,
                          n=result.crews[key] + loss.wounded + loss.captured)

    def _captives(self, freed: int) -> None:
        """No more can be set free on the table than were led into the battle."""
        held = {p.prisoners: p for a in self.fight.everybody() for p in self.f.led_captives(a)}
        have = sum(p.men + len(self.f.captives(p)) for p in held.values())
        if freed > have:
            self._bad("ANA-802", "prisoners_freed", unit=" ".join(held) or "-", have=have, rank="prisoners", n=freed)

    def _taken(self, result: Result, loss: Loss, side: str) -> None:
        """Only the beaten leave captives (ANA-805)."""
        if loss.captured and result.outcome and side != result.loser:
            self._bad_row("ANA-805", loss.ident, "captured")

    def _of_levy(self, result: Result, loss: Loss) -> None:
        """Villagers who fell: checked like all others, and of no further account, for they all go home."""
        if loss.rank not in RANKS:
            self._bad_row("ANA-801", loss.ident, "rank", column="rank")
            return
        have = self.fight.levy_men(self.f).get(loss.rank, 0)
        self.levy[loss.rank] = self.levy.get(loss.rank, 0) + loss.killed + loss.wounded + loss.captured
        if self.levy[loss.rank] > have:
            self._too_many(loss, have, self.levy[loss.rank])
        self._taken(result, loss, DEFENDERS)

    def _too_many(self, loss: Loss, have: int, total: int) -> None:
        self._bad_row("ANA-802", loss.ident, "killed", unit=loss.unit, have=have,
                      rank=_LETTER.get(loss.rank, loss.rank), n=total)

    def _bad_row(self, code: str, ident: str, name: str, **data: Any) -> None:
        self.wrong = True
        self.f.game.find(code, Where(Loss.sheet, ident, name), b=self.fight.ident, **data)

    def _noble(self, result: Result, loss: Loss) -> None:
        if loss.noble not in self.nobles:
            self._bad_row("ANA-806", loss.ident, "noble", x=loss.noble)
            return
        side, _ = self.nobles[loss.noble]
        unit = self.units.get(loss.unit)
        if unit is not None and unit[0] != side:
            self._bad_row("ANA-806", loss.ident, "noble", x=loss.noble)
            return
        fates = [name for name in HITS if getattr(loss, name)]
        if len(fates) != 1 or getattr(loss, fates[0]) != 1 or loss.noble in result.nobles:
            self._bad_row("ANA-802", loss.ident, "killed", unit=loss.noble, have=1, rank="noble",
                          n=loss.killed + loss.wounded + loss.captured)
            result.nobles.setdefault(loss.noble, fates[0])  # named twice he is still accounted for
            return
        self._taken(result, loss, side)
        result.nobles[loss.noble] = fates[0]

    def _survivors(self, result: Result) -> None:
        """Eliminated: nobody is left (ANA-804); surrendered: who is not listed is taken (ANA-808)."""
        if result.how not in ("eliminated", "surrendered") or not result.loser:
            return
        for ident, (side, unit) in self.units.items():
            if side != result.loser:
                continue
            men = unit.men if isinstance(unit, Army) else unit.garrison
            gone = sum(h.killed + h.captured for h in result.hits if h.unit == ident)
            lords = self.f.with_them(unit) if isinstance(unit, Army) else self.f.in_garrison(unit)
            left = men - gone + sum(result.nobles.get(n.noble) not in ("killed", "captured") for n in lords)
            if left > 0 and result.how == "eliminated":
                self._bad("ANA-804", "how", n=left, unit=ident)
            elif left > 0:
                self.f.game.find("ANA-808", Where(Battle.sheet, self.fight.ident, "how"), b=self.fight.ident, n=left,
                                 unit=ident)


__all__ = ["HITS", "Form", "Hit", "Result", "is_reported", "losses_of"]
