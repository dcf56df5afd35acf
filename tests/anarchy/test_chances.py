"""What the chances are in The Anarchy: its phases asked by their own questions to the dice."""

from __future__ import annotations

from fractions import Fraction

from assistant.campaign.campaign import Campaign
from assistant.rulesets.anarchy.records import Army, Place, Wounded
from tests.anarchy.cases import anarchy, build
from tests.every_throw import asked, counted

ANARCHY = anarchy()


def test_a_promise_and_a_wound_are_rows_of_their_tables() -> None:
    """11.4 and 15.7: the men stay or desert, the wounded man is back on a day or dead: few answers, each exact."""
    campaign = build("provisions", armies="""A1 a 0605 S4 noble=N1
        M1 a 0605 L4 kind=welsh employer=A1 contract=promised promised=4 hired_on=1 tests=1""",
        places="keep 0605 castle_motte 4 8 holder=a K3", wounded="W1 a foot A1")

    def after(state: Campaign) -> tuple[object, ...]:
        return (state.table(Army)["M1"].contract, *(row.back_on for row in state.table(Wounded)))

    found = asked(ANARCHY, campaign, after)
    dice = {"promise/M1": 10, **{f"healing/{row.wounded}": 10 for row in campaign.table(Wounded)}}

    assert found == counted(ANARCHY, campaign, dice, after)
    assert sum(p for (contract, _), p in found.items() if contract == "promised") == Fraction(6, 10)
    assert len(found) == 2 * 4


def test_the_weather_of_the_year_is_one_of_seven() -> None:
    """18.1: every place gains or loses by the row of the die."""
    campaign = build("opening", rules={"weather": "roll"}, day=0, places="keep 0605 castle_motte 4 8 holder=a K3")

    def stores(state: Campaign) -> int:
        return state.table(Place)["keep"].resources

    found = asked(ANARCHY, campaign, stores)

    assert found == counted(ANARCHY, campaign, {"weather": 10}, stores)
    assert found[4] == Fraction(4, 10)
