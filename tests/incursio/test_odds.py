"""What battles may come to: the worked numbers, beside the phase itself, counted and thrown, ordered and described."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from assistant.campaign.campaign import Campaign, changes
from assistant.rulesets.incursio.battle_chances import DuelStage
from assistant.rulesets.incursio.battles import Ground, engine_kills
from assistant.rulesets.incursio.realm import Realm, split_units
from assistant.rulesets.incursio.ruleset import INCURSIO
from assistant.turn.chances import THROWS, BattleEnd, LeftOut, NotUnderstood, Prospect, odds_of
from tests.every_throw import asked
from tests.incursio.cases import Case, V


def described(text: str, case: Case | None = None) -> Prospect:
    """A battle as it is typed."""
    found = INCURSIO.typed_battle((case or Case("first_assault")).campaign, text)
    assert isinstance(found, Prospect), found
    return found


def duel(text: str) -> str:
    """The chances of a battle of one duel: attacker wins, tie, defender wins, in percent."""
    ends = described(text).exact()
    won = sum(chance for end, chance in ends.items() if end.def_lost)
    lost = sum(chance for end, chance in ends.items() if end.att_lost)
    return "/".join(f"{float(chance * 100):.1f}" for chance in (won, 1 - won - lost, lost))


@pytest.mark.parametrize(("battle", "chances"), [
    ("As > F / - power 2", "58.3/13.9/27.8"), ("As > F", "41.7/16.7/41.7"), ("As > F 05", "27.8/13.9/58.3"),
    ("As > F 05 11", "16.7/11.1/72.2"), ("As > F 05 11 watch", "8.3/8.3/83.3"),
    ("Tr > A / - power 2", "75.0/12.5/12.5"), ("Tr > A", "58.3/16.7/25.0"), ("Tr > A 08", "41.7/16.7/41.7"),
    ("Tr > A 08 11", "25.0/16.7/58.3"), ("Tr > A 08 11 watch", "12.5/12.5/75.0"),
    ("F > Di 09 16 power 3", "41.7/16.7/41.7"), ("Tr > F", "25.0/16.7/58.3"), ("Tr > F 05", "12.5/12.5/75.0"),
    ("Tr > F 05 11", "4.2/8.3/87.5"), ("Tr > F 05 11 watch", "0.0/4.2/95.8"),
    ("2As > F", "57.9/16.7/25.5"), ("3As > F", "66.0/16.7/17.4"), ("4As > F", "70.7/16.7/12.6"),
    ("2Tr > F", "35.4/16.7/47.9"), ("3Tr > F", "40.6/16.7/42.7"), ("4Tr > F", "43.6/16.7/39.7"),
    ("2Tr > A", "79.2/11.1/9.7"), ("3Tr > A", "88.4/7.4/4.2"), ("4Tr > A", "93.2/4.9/1.9"),
])
def test_one_duel(battle: str, chances: str) -> None:
    """The table of one die each, d6 v d6, d6 v d4, d4 v d6, with m from -1 to 3; then helped by one to three behind."""
    assert duel(battle) == chances


@pytest.mark.parametrize(("attackers", "garrison", "first", "second"), [
    ("AsAsAs", "FF", Fraction(85, 162), Fraction(715, 1296)), ("TrTrTr", "FF", Fraction(121, 384), Fraction(131, 384)),
    ("TrTrTr", "AA", Fraction(629, 864), Fraction(659, 864)),
])
def test_two_engaged_and_one_surplus(attackers: str, garrison: str, first: Fraction, second: Fraction) -> None:
    """The later position wins a little more often; with equal dice a tie has a sixth at both."""
    realm = Realm(INCURSIO.game(Case("first_assault", towns={2: 1}).campaign))
    ground = Ground(realm, "1", realm.nodes["2"], V)
    ways = DuelStage(ground, "garrison", tuple(split_units(attackers)), tuple(split_units(garrison)), {}).spread()

    def chance(place: int, winner: str) -> Fraction:
        return sum((part for won, part in ways.items() if dict(won)[place] == winner), Fraction(0))

    assert (chance(0, "att"), chance(1, "att")) == (first, second)
    assert sum(ways.values()) == 1
    if attackers == "AsAsAs":
        assert chance(0, "tie") == chance(1, "tie") == Fraction(1, 6)


def test_an_engine() -> None:
    """It kills its target with 15 in 36; so often the only demon is gone before it meets the garrison."""
    kills = Fraction(sum(engine_kills(*pair) for pair in product(range(1, 7), repeat=2)), 36)
    assert kills == Fraction(15, 36)
    assert described("As > F 15").exact()[BattleEnd("destroyed", 1, 0)] == kills + (1 - kills) * Fraction(15, 36)


# --- beside the phase ---------------------------------------------------------------------------------------------
def ended(campaign: Campaign) -> BattleEnd:
    """What the only battle came to."""
    row = next(iter(campaign.by_sheet("Battles")))
    lost = len(split_units(row.attackers)) - len(split_units(row.att_after))
    return BattleEnd(row.outcome, lost, row.defenders_lost)


def ordered(case: Case) -> Prospect:
    """The only battle of the orders."""
    (found,) = INCURSIO.battles_ahead(case.campaign)
    assert isinstance(found, Prospect), found
    return found


def demons(units: str, town: str, structures: str = "L1", *, power: int = 0, **rules: Any) -> Case:
    """Demons at 1 attack a town at 2."""
    case = Case("first_assault", first=V, demons={1: units}, towns={2: structures}, soldiers={2: town}, **rules)
    return case.set("Factions", V, power_step=power).order(f"attack 1>2 {units}", V)


@pytest.mark.slow
@pytest.mark.parametrize("case", [
    demons("AsAs", "F"), demons("AsTr", "F/"), demons("TrTr", "/A", power=2),
    demons("AsAs", "F", surplus_mode="shared"), demons("AsAs", "F", surplus_mode="every_duel"),
    demons("As", "FF", "L1 04", power=6, surplus_defenders="yes"),
    demons("AsDi", "F", "L1 15", power=8), demons("AsTr", "F/A", "L1 05"), demons("AsAs", "FF", "L2 04"),
], ids=["pool", "idle surplus", "outside", "shared", "every duel", "surplus defenders", "engine and power 8",
        "two stages", "manned walls"])
def test_the_phase_comes_to_the_same(case: Case) -> None:
    """Every face of every die of the phase itself, played: the very same fractions."""
    assert ordered(case).exact() == asked(INCURSIO, case.campaign, ended)


def test_to_the_end_a_battle_is_decided() -> None:
    """With fury two equal duellists fight on until one is dead: half and half, as ties are fought again."""
    odds = odds_of(described("As > F / - fury power 5"))

    # power 2 adds 1 in the open: of 36 pairs 21 kill the soldier, 10 the demon
    assert odds.chances["taken"] == pytest.approx(21 / 31)
    assert odds.chances["destroyed"] == pytest.approx(10 / 31)


# --- thrown ---------------------------------------------------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize(("battle", "dice"), [
    ("11As > F 05", 12), ("12As > F 05", 13), ("AsAsTrTrDiDiAs > AACCFFF", 14), ("AsAsTrTrDiDiAsTr > AACCFFF", 15),
    ("AsAsTrTrDiDiAsTr > AACCFFFF", 16), ("AsAsTrTrDiDiAsTrDi > AACCFFFF", 17), ("AsTrDi > FAC / FAC 12x2 13", 18)])
def test_what_few_ways_lead_to_is_counted(battle: str, dice: int) -> None:
    """Units of which few throw for each other: more than twelve dice, too, are counted, and agree with throws."""
    prospect = described(battle)
    odds = odds_of(prospect)
    thrown = odds_of(prospect._replace(dice=13, within=lambda most: None))

    assert (prospect.dice, odds.throws, odds.error) == (dice, 0, {})
    assert sum(odds.chances.values()) == pytest.approx(1)
    for outcome, chance in odds.chances.items():
        assert abs(chance - thrown.chances[outcome]) <= 4 * (chance * (1 - chance) / THROWS) ** 0.5 + 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("battle", ["9As > FFFFFFFF", "10As > 7F 05"])
def test_beyond_that_it_is_thrown(battle: str) -> None:
    """Seven or eight of one kind with others behind them: the same each time, with the standard error of each."""
    prospect = described(battle)
    odds = odds_of(prospect)

    assert (prospect.dice, odds.throws) == (17, THROWS)
    assert odds == odds_of(described(battle))
    chance = odds.chances["undecided"]
    assert odds.error["undecided"] == pytest.approx((chance * (1 - chance) / 20_000) ** 0.5)


def test_so_many_ways_are_looked_at() -> None:
    """One less than are needed, and the battle is not counted."""
    assert described("AsAs > FF").within(10) is None
    assert described("AsAs > FF").within(1000) == described("AsAs > FF").exact()


@pytest.mark.slow
def test_throwing_comes_near_to_counting() -> None:
    """With surplus, engines, both stages, and to the end, each chance is within four standard errors."""
    battle = described("AsAsTrDi > F / FA 04 12 15 fury power 8")
    assert battle.dice == 12
    counted, thrown = odds_of(battle), odds_of(battle._replace(dice=13, within=lambda most: None))

    assert sum(counted.chances.values()) == pytest.approx(1)
    for outcome, chance in counted.chances.items():
        assert abs(chance - thrown.chances[outcome]) <= 4 * (chance * (1 - chance) / THROWS) ** 0.5 + 1e-9
    assert thrown.def_lost == pytest.approx(counted.def_lost, abs=0.05)


# --- what is asked ----------------------------------------------------------------------------------------------------
def test_the_attacks_of_the_rest_of_the_day() -> None:
    """Both sides' lines in the order of play, before the moves as well; of refused ones why; nothing has changed."""
    case = Case("first_move", "1-2 2-3", first=V, demons={1: "As Di"}, towns={2: 1}, ruins={3: 0},
                soldiers={2: "F/FA"}).order("attack 2>3 FA").order("attack 1>2 Di As", V).order("attack 1>3 Di", V)
    case.order("attack 2>3 AF").order("attack 2>3 FA").order("build 03 @2 (E2)").order("attack 1>2 TrTr", V)
    before = case.campaign.copy()
    every = INCURSIO.battles_ahead(case.campaign)
    found = [one for one in every if isinstance(one, Prospect)]

    assert [(one.order, one.why.code) for one in every if isinstance(one, LeftOut)] == [
        ("o3", "INC-040"), ("o7", "INC-022"), ("o5", "INC-007")]
    assert [(dict(one.data)["order"], one.outcomes) for one in found] == [
        ("o2", ("destroyed", "taken", "driven_off", "undecided")), ("o4", ("walkover",)), ("o1", ("walkover",))]
    assert found[0].title.data["units"] == "DiAs > FA / F"
    assert odds_of(found[1]).chances == {"walkover": 1.0}
    assert not list(changes(before, case.campaign))


@pytest.mark.parametrize(("phase", "orders"), [
    ("initiative", ["o1", "o2"]), ("first_assault", ["o2", "o1"]), ("second_move", ["o1"]), ("upkeep", [])])
def test_only_assaults_that_are_still_to_come(phase: str, orders: list[str]) -> None:
    """Before the initiative both sides', afterwards the second side's, in the evening none."""
    case = Case(phase, first="" if phase == "initiative" else V, demons={1: "As"}, towns={2: 1}, soldiers={2: "F/F"})
    case.order("attack 2>1 F").order("attack 1>2 As", V)

    found = INCURSIO.battles_ahead(case.campaign)
    assert [dict(one.data)["order"] for one in found if isinstance(one, Prospect)] == orders
    assert len(found) == len(orders)


@pytest.mark.parametrize(("text", "seen"), [
    ("FFA", "FFA"), ("FFA > FAC", "FAC"), ("Tr > As", "As"), ("Tr > F 23", "23"), ("Tr > F 99", "99"),
    ("Tr > F wall", "wall"), ("F > Tr 04", "04"), ("Tr > F 09", "09"), ("Tr > F fury", "fury"), ("F > Tr / Tr", "/"),
    ("Tr > - / -", "Tr > - / -"), ("Tr > / F open", "/"), ("", ""), ("Tr > F 04x3", "04x3"), ("Tr > F 12x6", "12x6"),
    ("Tr > F 04 05 04", "04"), ("Tr > F 12x3 12x3", "12x3"), ("F > Tr 09x2 16", "09x2"),
    ("Tr > F watchx2", "watchx2"),
])
def test_a_battle_that_cannot_be(text: str, seen: str) -> None:
    """What keeps it from being read is named, with a line as it may be written, which can be read."""
    found = INCURSIO.typed_battle(Case("first_assault").campaign, text)

    assert isinstance(found, NotUnderstood)
    assert found.seen == seen
    assert found.most == {"Tr > F 04x3": 1, "Tr > F 12x6": 5, "Tr > F 04 05 04": 1, "Tr > F 12x3 12x3": 5,
                          "F > Tr 09x2 16": 1}.get(text)
    assert described(found.example)


@pytest.mark.parametrize(("text", "same"), [
    ("tr as > f a fuori potere 2", "TrAs > FA / - power2"), ("TrAs>FA 5 watch 12*2", "Tr As > F A 12 watch 05 12"),
    ("2As > F/2A veglia", "AsAs > F / AA watch"),
])
def test_a_battle_in_other_words(text: str, same: str) -> None:
    """Blanks, small letters, numbers of units, Italian words."""
    assert described(text).exact() == described(same).exact()


def test_dice_are_thrown_in_the_order_of_the_line() -> None:
    """All engaged throw before those behind them: the rows of Dice stand as they did before there were odds."""
    rolls = demons("AsTrAs", "FF").play().last.rolls
    assert [roll.key.split("/", 4)[-1] for roll in rolls] == ["att/1", "att/2", "att/3", "def/1", "def/2"]
