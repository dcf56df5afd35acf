"""Battles, surrenders and what is told of them, where an examiner found the letter of the digest broken."""

from __future__ import annotations

import pytest

from tests.anarchy.cases import case

BESIEGED = {
    "armies": "A1 r 0605 S9 noble=N1 besieging=keep, E1 a 0605 K2 L1 noble=N2 inside=keep",
    "places": "keep 0605 castle_motte 0 3 holder=a S1, ham 0605 village 5 2", "sieges": "keep r 3",
}


# --- a castle that surrenders (16) -----------------------------------------------------------------------
@pytest.mark.parametrize(("first", "second", "state", "captives"), [
    (5, 6, "dead", "D1 S1 L1"), (6, 5, "prisoner", "D1 S1 L1"), (6, 6, "prisoner", "D2 S1 L1")])
def test_the_hurt_are_tested_first_in_a_massacre(first: int, second: int, state: str, captives: str) -> None:
    """5.7: each defender by rising rank, hurt first: the die of ``knights-1`` is the hurt man's own."""
    after = case("close", **BESIEGED, wounded="W1 a knights E1", dice=f"""surrender/keep=3, massacre/keep/light-1=6,
        massacre/keep/foot-1=6, massacre/keep/knights-1={first}, massacre/keep/knights-2={second},
        massacre/keep/N2=6""")
    assert (after.get("W1", "state"), after.men("P1")) == (state, captives)


def test_the_hurt_man_of_the_garrison_dies_before_a_fit_one_inside() -> None:
    """5.7: hurt first, whoever they are with: garrison and groups inside are one pool."""
    after = case("close", **BESIEGED | {"places": "keep 0605 castle_motte 0 3 holder=a K1"},
                 wounded="W1 a knights - place=keep",
                 dice="""surrender/keep=3, massacre/keep/light-1=1, massacre/keep/knights-1=5, massacre/keep/N2=6,
                     massacre/keep/knights-2=6, massacre/keep/knights-3=6""")
    assert (after.get("W1", "state"), after.men("P1")) == ("dead", "D2")


@pytest.mark.parametrize(("die", "rank", "men"), [(8, "dismounted", "D2 S1 L1"), (10, "knights", "K2 S1 L1")])
def test_a_hurt_knight_marches_out_like_the_others(die: int, rank: str, men: str) -> None:
    """5.7.2 and 5.2.1: who leaves unarmed is K to D, the hurt too; if he dies, he leaves the column that he is in."""
    after = case("close", **BESIEGED, wounded="W1 a knights E1", dice=f"surrender/keep={die}")
    assert after.get("W1", "rank", "army", "state") == (rank, "keep-out", "hurt")
    assert after.men("keep-out") == men


@pytest.mark.parametrize("wound", ["W1 a noble E1 noble=N2", "W1 a noble E1 noble=N2 state=in_care back_on=9"])
def test_a_hurt_noble_marches_out_with_his_wound(wound: str) -> None:
    """15.7: he is hurt wherever his group goes."""
    given = BESIEGED | {"armies": "A1 r 0605 S9 noble=N1 besieging=keep, E1 a 0605 S4 inside=keep commander=LORD"}
    after = case("close", **given, nobles="LORD a 5 3 army=E1 state=wounded",
                 wounded=wound.replace("N2", "LORD"), dice="surrender/keep=10")
    assert after.get("W1", "army", "state") == ("keep-out", "hurt")


# --- companies that are divided (8.1, 11.3, 11.6) ------------------------------------------------------------
PROMISED = "contract=promised promised=8 tests=1 hired_on=1 grumbles=yes no_promise_to=a"


def test_a_part_of_a_company_serves_on_the_same_terms() -> None:
    """11.3, 11.6: hired for the campaign, each company apart: a part keeps contract, promise, tests and grudges."""
    after = case("reorganise", armies=f"A1 r 0605 S9 noble=N1, M1 r 0605 S4 L4 kind=flemish {PROMISED}",
                 orders="r SPLIT M1 M2 S2 L2")
    fields = ("contract", "promised", "tests", "hired_on", "grumbles", "no_promise_to")
    assert after.get("M2", *fields) == after.get("M1", *fields) == ("promised", "8", "1", "1", "yes", "angevin")


def test_a_part_of_a_promised_company_may_be_paid() -> None:
    """11.4: what was promised may be paid later, for each part by itself, on the day of the split, too."""
    after = case("reorganise", armies=f"""A1 r 0605 S6 noble=N1 money=20
        M1 r 0605 S4 L4 kind=flemish {PROMISED}""", orders="r SPLIT M1 M2 S2 L2; r PAY A1 M2")
    assert after.get("M2", "contract", "promised", "tests") == ("paid", "0", "0")
    assert after.get("M1", "contract", "promised", "tests") == ("promised", "8", "1")
    assert after.get("A1", "money") == "12"


def test_an_escort_of_mercenaries_is_still_hired() -> None:
    """15.8, 11.3: three men whom a company detaches as escort are in the same pay."""
    after = case("reorganise", armies="A1 r 0705 S9 noble=N1, M1 r 0605 S4 L4 kind=flemish hired_on=1",
                 places="ham 0608 village 5 8", prisoners="P7 a r 0605 S2 captor_army=M1 destination=ham", defaults=True)
    assert after.get("M1-esc7", "contract", "hired_on", "faction") == ("paid", "1", "royal")
    assert after.men("M1-esc7") == "L3"
