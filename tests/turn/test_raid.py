"""Every way of throwing in a book of dice only: what a phase makes of typed dice, and how it is told."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Die, Event
from assistant.turn.chances import Tally
from assistant.turn.phases import Outcome, check_dice, resolve
from assistant.wording import Wording
from tests.turn.raid import RAID, Faction, Node, raid

SECRET = bytes(range(32))
EN, IT = Wording(RAID, "en"), Wording(RAID, "it")


def thrown(campaign: Campaign, **dice: str) -> Outcome:
    """The phase with dice of the table: purpose, ``_`` for its slash, and what was typed."""
    for key, value in dice.items():
        campaign.table(Die).add(Die(key=key.replace("_", "/"), value=value))
    return resolve(RAID, campaign, SECRET)


def fates(outcome: Outcome) -> list[str]:
    """What has become of each band."""
    return [band.fate for band in outcome.campaign.table(Faction)]


def lines(outcome: Outcome, wording: Wording = EN) -> list[str]:
    """What the phase told."""
    return [wording.event(event) for event in outcome.events]


# --- counted tests -----------------------------------------------------------------------------
def test_a_counted_test_is_told_as_the_book_prints_it() -> None:
    """Dice, what they are taken against and what that is made of, successes, verdict."""
    campaign = raid("will", morale=4)
    campaign.table(Node)["K"].holder = "A"

    outcome = thrown(campaign, will_A="3+5", will_B="3 5")

    assert fates(outcome) == ["morale shaken", "morale shaken"]
    assert lines(outcome) == ["2d6=3,5 against 4 (morale 4): 1 success: morale shaken",
                              "2d6=3,5 against 3 (morale 4, lost keep -1): 1 success: morale shaken"]
    assert lines(outcome, IT)[0] == "2d6=3,5 contro 4 (morale 4): 1 successo: morale shaken"


@pytest.mark.parametrize(("morale", "dice", "fate", "told"), [
    (0, "1+2", "morale shaken", "2d6=1,2 against 0 (1 always, 6 never): 1 success: morale shaken"),
    (9, "5+6", "morale shaken", "2d6=5,6 against 9 (morale 9, 1 always, 6 never): 1 success: morale shaken"),
    (3, "3+1", "carries on", "2d6=3,1 against 3 (morale 3): 2 successes: carries on"),
    (3, "4+6", "disaster", "2d6=4,6 against 3 (morale 3): 0 successes: disaster"),
])
def test_a_one_always_succeeds_and_a_six_never_does(morale: int, dice: str, fate: str, told: str) -> None:
    """Whatever the rating; the line says so where it decides."""
    outcome = thrown(raid("will", bands="A", morale=morale), will_A=dice)

    assert (fates(outcome), lines(outcome)) == ([fate], [told])


def test_modifiers_of_successes_stand_behind_them() -> None:
    """Only the band with luck has one; the row is read in the sum."""
    outcome = thrown(raid("fate", name_worth=3), fate_A="1+3+4", fate_B="4+5+6")

    assert fates(outcome) == ["escapes", "wounded"]
    assert lines(outcome) == ["3d6=1,3,4 against 3: 2 successes: escapes",
                              "3d6=4,5,6 against 3: 0 successes, +1 luck: 1 success: wounded"]


def test_no_dice_are_no_success_and_no_row() -> None:
    """A captain without a name throws nothing; a typed die of that purpose stays unused; modifiers still count."""
    outcome = thrown(raid("fate", name_worth=0), fate_A="6")

    assert fates(outcome) == ["captive", "wounded"]
    assert lines(outcome) == ["No dice: 0 successes: captive", "No dice: 0 successes, +1 luck: 1 success: wounded"]
    assert lines(outcome, IT)[0] == "Nessun dado: 0 successi: captive"
    assert [(die.key, die.audience) for die in outcome.campaign.table(Die)] == [("fate/A", "")]


def test_the_luck_of_counted_dice_is_counted_die_by_die() -> None:
    """Of three dice with 1 to 3 a success one and a half succeed on average; no dice are no luck."""
    outcome = thrown(raid("fate", bands="A", name_worth=3), fate_A="1+3+4")
    tally = Tally()
    tally.add(outcome.events[0].roll)

    assert (tally.dice, tally.trials, tally.passed, tally.chance) == (3, 3, 2, Fraction(3, 2))


# --- sides compared ------------------------------------------------------------------------------
@pytest.mark.parametrize(("a", "b", "expected"), [
    ("4+4+4", "1+1+6", ["stands", "routed"]), ("1+4+4", "1+1+6", ["stands", "beaten"]),
    ("1+1+4", "1+1+6", ["stands", "stands"]), ("1+1+1", "4+5+6", ["routed", "stands"])])
def test_two_sides_are_compared_by_their_successes(a: str, b: str, expected: list[str]) -> None:
    """More successes win, by two they rout, equal ones decide nothing."""
    outcome = thrown(raid("clash"), clash_A=a, clash_B=b)

    assert fates(outcome) == expected
    successes = [sum(int(face) >= 4 for face in dice.split("+")) for dice in (a, b)]
    told = [f"{code} 3d6={dice.replace('+', ',')} 4 or more: {n} success{'es' * (n != 1)}"
            for code, dice, n in zip("AB", (a, b), successes, strict=True)]
    assert lines(outcome) == ["; ".join(told)]


def test_the_highest_of_several_dice_counts() -> None:
    """Six and one more for the name of both: equal; 5 beats 4, whatever the sums."""
    equal = thrown(raid("champions"), champion_A="1+1+6", champion_B="6+6+6")
    decided = thrown(raid("champions"), champion_A="1+1+5", champion_B="4+4+4")

    assert fates(equal) == ["draws", "draws"]
    assert fates(decided) == ["wins", "loses"]
    assert lines(decided) == ["A 3d6=1,1,5, the highest, +1 name: 6; B 3d6=4,4,4, the highest, +1 name: 5"]
    assert lines(decided, IT) == ["A 3d6=1,1,5, il più alto, +1 name: 6; B 3d6=4,4,4, il più alto, +1 name: 5"]


# --- one of several ------------------------------------------------------------------------------
def test_one_is_drawn_by_a_die_of_as_many_sides() -> None:
    """Of three places the third burns on a 3; a single place burns without a die."""
    drawn = thrown(raid("order", places="K L M"), fire="3")
    alone = thrown(raid("order"))

    assert [place.holder for place in drawn.campaign.table(Node)] == ["", "", "fire"]
    assert [place.holder for place in alone.campaign.table(Node)] == ["fire"]
    assert "fire" in {roll.key for roll in drawn.rolls} - {roll.key for roll in alone.rolls}


def test_ties_are_thrown_again_or_left_as_they_stand() -> None:
    """Who is first throws again after a tie; who marches by one die stays where he stood in the list."""
    outcome = thrown(raid("order"), first_A="4", first_B="4", first_A_2="1", first_B_2="5", march_A="2", march_B="2",
                     omen="5+5")

    assert fates(outcome) == ["second 0 omen", "first 1 omen"]


# --- typed dice ------------------------------------------------------------------------------------
@pytest.mark.parametrize(("purpose", "typed", "english", "italian"), [
    ("will/A", "8", "Of 2d6 each die counts by itself, and '8' is one number. Type each die, such as 4+2.",
     "Di 2d6 conta ogni dado per sé, e '8' è un numero solo. Scrivi ogni dado, per esempio 4+2."),
    ("will/A", "3 4 5", "'3 4 5' is what 3 dice show, and 2d6 is another number of dice. Type each die, such as 4+2.",
     "'3 4 5' è il risultato di 3 dadi, e 2d6 ne vuole un altro numero. Scrivi ogni dado, per esempio 4+2."),
    ("will/A", "3+7", "No die of 2d6 shows 7 ('3+7' was typed). Type each die, such as 4+2.",
     "Nessun dado di 2d6 può dare 7 (è scritto '3+7'). Scrivi ogni dado, per esempio 4+2."),
    ("will/A", "five", "2d6 cannot show 'five'. Type what the dice showed: one number, or each die joined by +.",
     "2d6 non può dare 'five'. Scrivi il risultato: un numero, o i singoli dadi uniti da +."),
])
def test_dice_that_cannot_be_are_found_at_their_cell(purpose: str, typed: str, english: str, italian: str) -> None:
    """Before the phase and by the phase, in both languages: too many, a face that no die has, one number for two."""
    campaign = raid("will")
    campaign.table(Die).add(Die(key=purpose, value=typed))

    found = check_dice(RAID, campaign)
    outcome = resolve(RAID, campaign, SECRET)

    assert [(f.code, f.where.table, f.where.row, f.where.field) for f in found] == [
        ("ARB-060", "Dice", purpose, "value")]
    assert (EN.finding(found[0]), IT.finding(found[0])) == (english, italian)
    assert (outcome.done, outcome.findings) == (False, [one._replace(alone=False) for one in found])


@pytest.mark.parametrize(("typed", "why"), [("8", "each"), ("3 4", "count"), ("3 4 9", "face"), ("3 4 x", "")])
def test_where_only_the_phase_knows_how_many_it_says_so(typed: str, why: str) -> None:
    """A captain of name 3 throws three dice: nothing is wrong before the phase, and the phase stops at the cell."""
    campaign = raid("fate", name_worth=3)
    campaign.table(Die).add(Die(key="fate/A", value=typed))

    assert check_dice(RAID, campaign) == []
    outcome = resolve(RAID, campaign, SECRET)

    assert [(f.code, f.where.row, f.data.get("why", "")) for f in outcome.findings] == [("ARB-060", "fate/A", why)]
    assert not outcome.done
    assert list(outcome.campaign.table(Event)) == []


@pytest.mark.parametrize("typed", ["6+2+1", "6 2 1", " 6, 2 ,1 ", "6;2;1"])
def test_faces_are_typed_as_they_lie(typed: str) -> None:
    """Joined by +, by blanks, by commas; the cell keeps what was typed."""
    outcome = thrown(raid("fate", bands="A", name_worth=3), fate_A=typed)

    assert lines(outcome) == ["3d6=6,2,1 against 3: 2 successes: escapes"]
    assert [die.value for die in outcome.campaign.table(Die)] == [typed]


def test_a_sum_may_be_typed_as_a_sum() -> None:
    """Where the book adds up, one number does."""
    data: dict[str, Any] = thrown(raid("assault"), assault_1="6", loss_A="2", storm="1").events[0].roll

    assert (data["value"], data["passed"], data["typed"]) == (6, True, True)
