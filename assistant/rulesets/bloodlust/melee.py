"""The melee calculator on the sheet Melee: dice pools, chances and, if asked, a throw (ME).

See rulebook: Melee.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil, comb
from typing import Any, Literal

from assistant.campaign.columns import Choice, Flag, Text, Whole, column, given, public
from assistant.campaign.records import ALL
from assistant.campaign.tables import Hold, Record
from assistant.rulesets.bloodlust import both, counted
from assistant.rulesets.bloodlust.realm import Realm
from assistant.rulesets.bloodlust.records import MOUNTS, assumed
from assistant.turn.chances import percent
from assistant.turn.chapters import Chapter, Citation, EventType, Message, Rules, switch
from assistant.turn.findings import Finding, Where
from assistant.turn.rulings import Count

# What the chapter declares.


class Numbers(Rules):
    """Dice that skills and ground give or cost."""

    # SK has a skill against deserts, but ME says nowhere what a desert costs: nothing, unless a table sets it.
    desert_dice: int = assumed(0, both("dice", "dadi"),
                               both("In desert a unit loses {n} attack {n?die|dice}.",
                                    "Nel deserto un reparto perde {n} {n?dado|dadi} d'attacco."))
    # ME prints "-+1" here, which may be one more or one less.
    def_unit_dice: Literal["1", "-1"] = switch(
        both("A Defensive unit defends with {option}.", "Un reparto Difensivo difende con {option}."),
        both("one die more", "un dado in più"), both("one die less", "un dado in meno"))
    # SK repeats the text of Winter under Desert, so what the skill ignores is anybody's guess.
    desert_skill: Literal["desert", "snow"] = switch(
        both("The Desert skill ignores {option}.", "L'abilità Deserto ignora {option}."), both("desert", "il deserto"),
        both("snow and winter", "neve e inverno"), source="SK")


EVENTS = (
    EventType("melee", both("Melee {text}: {n} and {m} {m?hit|hits}. {roll}.",
                            "Mischia {text}: {n} e {m} {m?colpo|colpi}. {roll}."), "rulings", 5, to=ALL),
)

FINDINGS = (
    Message("BLD-090", "info",
            both("{melee}: a attacks with {n} {n?die|dice} against {m}, b with {k} against {l}. Expected hits: {x} "
                 "on a, {y} on b; the chance that a does more: {more}. The result comes with the next phase.",
                 "{melee}: a attacca con {n} {n?dado|dadi} contro {m}, b con {k} contro {l}. Colpi attesi: {x} su "
                 "a, {y} su b; probabilità che a ne faccia di più: {more}. Il risultato arriva con la prossima fase.")),
)

both.words({
    "melee": "mischia", "spear": "lancia", "pike": "picca", "missile": "tiro", "skirmish": "schermaglia",
    "shock": "urto", "combined": "misto", "terror": "terrore", "frenzy": "furia", "fanatic": "fanatico",
})

CHAPTER = Chapter(both("Melee", "Mischia"),
                  (Citation("ME", "ME"), Citation("SK", "SK", heading=both("Skills", "Abilità"))), Numbers, EVENTS,
                  FINDINGS)


SIDES = ("a", "b")
FOE = {"a": "b", "b": "a"}
MOST_BY_NUMBERS, MOST_FLANKS = 4, 2
ARMOUR = {2: -1, 6: 1, 8: 2}
ITALIAN = {
    "REP": "REP", "active": "attiva", "mounted": "a cavallo", "chagar": "chagar", "spear": "lancia", "shock": "urto",
    "numbers": "numero", "commander": "comandante", "flanks": "fianchi", "rear": "retro", "defensive": "difensiva",
    "offensive": "offensiva", "water": "acqua", "terror": "terrore", "frenzy": "frenesia", "elite": "élite",
    "fanatic": "fanatici", "winter": "inverno", "jungle": "giungla", "swamp": "palude", "desert": "deserto",
    "combined": "armi combinate", "missile": "da tiro", "pike": "picche", "armour": "armatura", "higher": "più in alto",
    "not active": "non attiva", "wood": "bosco", "position": "posizione", "skirmish": "schermaglia",
    "disorganised": "disordinata"}
"""Parts of the pools, as an Italian workbook shows them."""


typed_column: Callable[..., Any] = partial(column, edit="club", see="public")
"""A column that anybody may fill in."""


WORDS = ("words, parted by blanks", "parole separate da spazi")
GROUND = ("winter jungle swamp desert",) * 2
HOW = ("cinc rear water wood higher position disorganised",) * 2
"""What a cell may hold; the words are the same in both languages."""


@dataclass(eq=False, repr=False)
class Melee(Record, sheet="Melee", sheet_it="Mischia"):
    """A melee of two units, a and b: who they are, how they meet, and the expected hits."""

    about_en = "The calculator: type two units and how they meet; check says what is to be expected."
    about_it = "La calcolatrice: scrivi due unità e come si scontrano; la verifica dice che cosa aspettarsi."

    melee: str = typed_column(Text(), "Melee", "Mischia", key=True, required=True)
    active: str = typed_column(Choice({"a": "a", "b": "b"}), "Active", "Attiva", default="a")
    first_round: bool = typed_column(Flag(), "First round", "Primo turno", default=True)
    ground: str = typed_column(Text(), "Ground", "Terreno", hint=GROUND)
    rep_a: int = typed_column(Whole(1, 7), "Rep a", "REP a", default=4)
    mount_a: str = typed_column(Choice(MOUNTS), "Mount a", "Monta a", default="foot")
    ac_a: int = typed_column(Whole(2, 8), "Ac a", "CA a", default=4)
    arm_a: str = typed_column(Text(), "Arm a", "Armamento a", default="melee", hint=WORDS)
    skills_a: str = typed_column(Text(), "Skills a", "Abilità a", hint=WORDS)
    number_a: int = typed_column(Whole(1), "Number a", "Numero a", default=1)
    flanks_a: int = typed_column(Whole(0, 2), "Flanks a", "Fianchi a")
    how_a: str = typed_column(Text(), "How a", "Come a", width=24, hint=HOW)
    rep_b: int = typed_column(Whole(1, 7), "Rep b", "REP b", default=4)
    mount_b: str = typed_column(Choice(MOUNTS), "Mount b", "Monta b", default="foot")
    ac_b: int = typed_column(Whole(2, 8), "Ac b", "CA b", default=4)
    arm_b: str = typed_column(Text(), "Arm b", "Armamento b", default="melee", hint=WORDS)
    skills_b: str = typed_column(Text(), "Skills b", "Abilità b", hint=WORDS)
    number_b: int = typed_column(Whole(1), "Number b", "Numero b", default=1)
    flanks_b: int = typed_column(Whole(0, 2), "Flanks b", "Fianchi b")
    how_b: str = typed_column(Text(), "How b", "Come b", width=24, hint=HOW)
    roll: bool = typed_column(Flag(), "Roll", "Tira")
    attack_a: str = public(Text(), "Attack a", "Attacco a", width=24)
    defence_a: str = public(Text(), "Defence a", "Difesa a", width=24)
    attack_b: str = public(Text(), "Attack b", "Attacco b", width=24)
    defence_b: str = public(Text(), "Defence b", "Difesa b", width=24)
    hits_on_a: str = public(Text(), "Hits on a", "Colpi su a", width=24)
    hits_on_b: str = public(Text(), "Hits on b", "Colpi su b", width=24)
    a_does_more: str = public(Text(), "A does more", "A ne fa di più")
    thrown: str = public(Text(), "Thrown", "Tirato", width=20)
    rolled: bool = given(Flag(), "Rolled", "Fatto", last=True)

    @property
    def hold(self) -> Hold:
        """Anybody may add and change rows; each phase recalculates them."""
        return "typed"


def words_in(*cells: str) -> set[str]:
    """The words that somebody typed into cells, parted by blanks or commas."""
    return {word for cell in cells for word in cell.casefold().replace(",", " ").split()}


class MeleeUnit:
    """One side of a row."""

    def __init__(self, row: Melee, side: str) -> None:
        self.side = side
        self.rep, self.mount, self.ac, self.number, self.flanks = (
            getattr(row, f"{name}_{side}") for name in ("rep", "mount", "ac", "number", "flanks"))
        self.how = words_in(getattr(row, f"how_{side}"))
        self.has = words_in(getattr(row, f"arm_{side}"), getattr(row, f"skills_{side}"))


def attack_dice(f: Realm, row: Melee, me: MeleeUnit, foe: MeleeUnit) -> dict[str, int]:
    """The attack dice of a unit, by name."""
    first, has, ground = row.first_round, me.has, words_in(row.ground)
    weathered = "winter" in has or ("desert" in has and Numbers.of(f).desert_skill == "snow")
    # Of an odd REP the odd die attacks: ME rounds half the REP up here, and down for the defence.
    return {"REP": ceil(me.rep / 2), "active": int(row.active == me.side),
            "mounted": int(me.mount == "mounted" and foe.mount == "foot"), "chagar": int("chagar" in has),
            "spear": int("spear" in has and foe.mount == "mounted"), "shock": int(first and "shock" in has),
            "numbers": min(MOST_BY_NUMBERS, max(0, ceil(me.number / foe.number) - 1)),
            "commander": int("cinc" in me.how), "flanks": min(MOST_FLANKS, me.flanks), "rear": 2 * ("rear" in me.how),
            "defensive": -int("defensive" in has), "offensive": int("offensive" in has),
            "water": -2 * ("water" in me.how), "terror": int("terror" in has),
            "frenzy": 2 * (first and "frenzy" in has), "elite": int("elite" in has), "fanatic": 2 * ("fanatic" in has),
            "winter": -int("winter" in ground and not weathered),
            "jungle": -2 * ("jungle" in ground and "jungle" not in has),
            "swamp": -3 * ("swamp" in ground and "swamp" not in has),
            "desert": -Numbers.of(f).desert_dice * ("desert" in ground and not (
                "desert" in has and Numbers.of(f).desert_skill == "desert")),
            "combined": int(first and "combined" in has), "missile": -int("missile" in has)}


def defence_dice(f: Realm, row: Melee, me: MeleeUnit) -> dict[str, int]:
    """The defence dice of a unit, by name."""
    has = me.has
    return {"REP": me.rep // 2, "pike": int("pike" in has), "armour": ARMOUR.get(me.ac, 0),
            "higher": int("higher" in me.how), "not active": int(row.active != me.side), "wood": int("wood" in me.how),
            "defensive": int(Numbers.of(f).def_unit_dice) * ("defensive" in has), "offensive": -int("offensive" in has),
            "position": 2 * ("position" in me.how), "frenzy": -int(row.first_round and "frenzy" in has),
            "fanatic": -2 * ("fanatic" in has), "skirmish": -int("skirmish" in has),
            "disorganised": -int("disorganised" in me.how)}


def hit_chances(attacks: int, defends: int) -> list[Fraction]:
    """The chance of 0, 1, 2 ... hits of so many attack dice against so many defence dice."""
    # Every die succeeds in half of all throws. A defence die that fails is worth as much as an attack die that
    # succeeds, so hits are what such dice, of both pools together, come to beyond the number of the defence.
    n = attacks + defends
    rest = [Fraction(comb(n, defends + hit), 2 ** n) for hit in range(1, attacks + 1)]
    return [1 - sum(rest, Fraction()), *rest]


def expected_hits(chances: list[Fraction]) -> float:
    """The expected number of hits."""
    return round(float(sum(hit * chance for hit, chance in enumerate(chances))), 3)


class MeleeOdds:
    """The odds of a row.

    `n`: the dice of each pool; `expected_hits`: the expected hits on each side; `texts`: the texts of its columns.
    """

    def __init__(self, f: Realm, row: Melee) -> None:
        units = {side: MeleeUnit(row, side) for side in SIDES}
        pools = {(side, "attack"): attack_dice(f, row, units[side], units[FOE[side]]) for side in SIDES}
        pools |= {(side, "defence"): defence_dice(f, row, units[side]) for side in SIDES}
        self.n = {key: max(0, sum(pool.values())) for key, pool in pools.items()}
        self.on = {side: hit_chances(self.n[FOE[side], "attack"], self.n[side, "defence"]) for side in SIDES}
        on_a, on_b = self.on["a"], self.on["b"]
        more = sum((chance * sum(on_a[:n], Fraction()) for n, chance in enumerate(on_b)), Fraction())
        lang = f.desk.language
        self.texts = {f"{what}_{side}": _pool_text(pool, lang) for (side, what), pool in pools.items()}
        point = "," if lang == "it" else "."
        self.mean = {side: str(expected_hits(self.on[side])).replace(".", point) for side in SIDES}
        self.texts |= {f"hits_on_{side}": f"{self.mean[side]} (" + "; ".join(
            f"{n}: {percent(chance)}" for n, chance in enumerate(self.on[side])) + ")" for side in SIDES}
        self.texts["a_does_more"] = percent(more)

    def is_written(self, row: Melee) -> bool:
        """Whether the row already holds these texts."""
        return all(getattr(row, name) == text for name, text in self.texts.items())


def _pool_text(pool: dict[str, int], lang: str) -> str:
    """A pool with its parts by name: ``6 (REP 3, active 1, ...)``."""
    parts = ", ".join(f"{ITALIAN[name] if lang == 'it' else name} {n}" for name, n in pool.items() if n)
    return f"{max(0, sum(pool.values()))} ({parts})"


def odds_to_tell(f: Realm) -> Iterator[Finding]:
    """The odds of rows that are not calculated yet, as findings for *Check* (BLD-090)."""
    for row in f.campaign.table(Melee):
        odds = MeleeOdds(f, row)
        if not odds.is_written(row):
            yield Finding("BLD-090", "info", Where(row.sheet, row.melee, "melee"), {
                "melee": row.melee, "n": odds.n["a", "attack"], "m": odds.n["b", "defence"], "k": odds.n["b", "attack"],
                "l": odds.n["a", "defence"], "x": odds.mean["a"], "y": odds.mean["b"],
                "more": odds.texts["a_does_more"]})


def calculate_melees(f: Realm) -> None:
    """Fill in the odds of all rows; throw once for those that ask for it."""
    for row in f.campaign.table(Melee):
        odds = MeleeOdds(f, row)
        if not odds.is_written(row):
            for name, text in odds.texts.items():
                setattr(row, name, text)
        if row.roll and not row.rolled:
            _throw(f, row, odds.n)


MELEE = counted(both("Melees of the calculator", "Mischie della calcolatrice"),
                "melee/{Melee*}/{n}/{a|b}/{attack|defence}", dice="d6")


def _throw(f: Realm, row: Melee, n: dict[tuple[str, str], int]) -> None:
    counts: dict[tuple[str, str], Count] = {
        (side, what): f.success_test(MELEE, (row.melee, "1", side, what), n[side, what]) for side, what in n}
    done = {side: max(0, counts[FOE[side], "attack"].total - counts[side, "defence"].total) for side in SIDES}
    row.thrown, row.rolled = f"a {done['a']}, b {done['b']}", True
    f.tell("melee", roll=list(counts.values()), text=row.melee, n=done["a"], m=done["b"])
