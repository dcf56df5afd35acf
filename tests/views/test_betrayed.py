"""What is seen gives nothing hidden away: no 0 in place of a blank, nothing that moves with it, no code that counts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assistant.campaign.campaign import Campaign
from assistant.rulesets.anarchy.ruleset import ANARCHY
from assistant.rulesets.bloodlust.ruleset import BLOODLUST
from assistant.rulesets.giglio.ruleset import GIGLIO
from assistant.rulesets.incursio.ruleset import INCURSIO
from assistant.rulesets.warriors.ruleset import WARRIORS, Warriors
from assistant.rulesets.warriors.ruleset import WarriorsViewer as OwnEyes
from assistant.testing import fog, kit
from assistant.testing.robots import answers_to, default_judge, finish_phase
from assistant.turn.phases import Outcome, resolve
from assistant.turn.ruleset import Ruleset
from assistant.turn.views import playable
from tests.anarchy import test_robots as england_of_robots
from tests.anarchy.cases import build
from tests.anarchy.scenario import wallingford
from tests.bloodlust.scenario import tanaephis
from tests.giglio import test_robots as italy_of_robots
from tests.incursio.test_promises import opening as esdef
from tests.reporting import feud
from tests.reporting.test_italy import LAST, year
from tests.warriors.cases import Case
from tests.warriors.test_promises import opening as borderlands

SECRET = b"betrayed"


def italy() -> Campaign:
    """Italy after the scripted year, with garrisons that are seen by their owners alone."""
    campaign = year()[LAST].copy()
    campaign.by_sheet("Rules").add(GIGLIO.record("Rules").from_values({"key": "garrison_public", "value": "no"}))
    return campaign


BOOKS = {"giglio": (GIGLIO, italy), "anarchy": (ANARCHY, wallingford), "incursio": (INCURSIO, esdef),
         "warriors": (WARRIORS, lambda: borderlands(fog="near")), "bloodlust": (BLOODLUST, tanaephis)}


# --- numbers ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("book", BOOKS)
def test_what_a_club_may_not_see_is_blank(book: str) -> None:
    """No view of the five rulebooks shows a number, a 0 above all, where its reader may not see one."""
    ruleset, start = BOOKS[book]
    assert fog.unblanked_columns(ruleset, start()) == []


class Zeroes(feud.Feud):
    """A feud whose views show new rows' values in place of blanks."""

    def view(self, campaign: Campaign, faction: str) -> Campaign:
        """A view in which a hidden number is 0."""
        return playable(super().view(campaign, faction))


def test_a_zero_in_place_of_a_blank_is_named() -> None:
    """The fog of the kit tells 0 from blank."""
    assert fog.unblanked_columns(feud.FEUD, feud.campaign()) == []
    assert {"Armies.men", "Factions.ducats"} & set(fog.unblanked_columns(Zeroes(), feud.campaign()))
    with pytest.raises(AssertionError, match=r"Armies\.men is not blank for who may not see it"):
        kit.fog(Zeroes(), feud.campaign())


def test_a_phase_can_be_tried_on_a_view() -> None:
    """What no row of a campaign can lack stands there as in a new row; what may be blank, and what is seen, stays."""
    view = GIGLIO.view(year()[LAST], "V")
    tried = playable(view)
    def chests(campaign: Campaign) -> list[object]:
        return [row.treasury for row in campaign.by_sheet("Factions") if row.faction in ("V", "M")]

    own = next(value for value in chests(view) if value is not None)
    assert sorted(map(str, chests(view))) == sorted([str(own), "None"])
    assert sorted(map(str, chests(tried))) == sorted([str(own), "0"])


# --- what moves with something hidden -------------------------------------------------------------------
class SeenBoats(Warriors):
    """The Fantasy Warriors campaign as it was when all saw where boats are that carry a Force."""

    class Eyes(OwnEyes):
        """A reader who sees all boats."""

        def sees_boat(self, boat: object) -> bool:
            """All."""
            return True

    def viewer(self, campaign: Campaign, faction: str) -> OwnEyes:
        """With these eyes."""
        return SeenBoats.Eyes(self.country(campaign), faction)


def voyage() -> tuple[Campaign, Campaign]:
    """M3 sails from E05 to F05 in the fog, and M1 looks on from B02; before and after."""
    sea = {code: {"terrain": "sea"} for code in ("E05", "F05")}
    case = Case(rules={"fog": "near"}, armies={"M3": {"node": "E05", "aboard": "SH1"}, "O1": {"node": "A01"}},
                boats={"SH1": {"faction": "men", "node": "E05"}}, nodes=sea)
    before = case.order("men", "sail", army="M3", boat="SH1", path="F05").campaign
    before.desk.phase = "move"
    return before, resolve(WARRIORS, before, SECRET).campaign


def test_boats_that_carry_a_hidden_force_tell_nobody_where_it_went() -> None:
    """Where all see boats, others learn where M3 is; as Arbitro shows them they do not."""
    before, after = voyage()
    assert after.by_sheet("Boats")["SH1"].node == "F05"
    assert fog.hidden_companions(WARRIORS, before, after) == []
    assert set(fog.hidden_companions(SeenBoats(), before, after)) == {
        (reader, ("Boats", "SH1"), ("Armies", "M3")) for reader in ("", "orcs", "undead", "dwarfs")}


# --- codes that count -----------------------------------------------------------------------------------
def replayed(ruleset: Ruleset, before: Campaign) -> Outcome:
    """The phase with default answers."""
    return finish_phase(ruleset, before, SECRET, lambda one: answers_to(ruleset, one, default_judge(ruleset)))


def counted(ruleset: Ruleset, before: Campaign) -> list[tuple[str, str, str, str]]:
    """The codes of the phase by which a reader could count what others have."""
    return sorted(fog.counting_codes(ruleset, before, replayed(ruleset, before), SECRET))


def refusal(codes: str) -> Campaign:
    """EX-34 of The Anarchy, while the king's party has a wounded man and the neutrals a captive of its own."""
    return build("movement", armies="A1 r 0605 K3 S3 L2 B1 noble=N1, A2 a 0606 S2 L1 noble=N2:4 money=7 "
                                    "if_attacked=refuse on_meeting=pass", orders="r MOVE A1 0606 choice=attack",
                 dice="refusal/A2/light-1=5, refusal/A2/foot-1=9, refusal/A2/foot-2=2, refusal/A2/N2=2",
                 wounded="W1 r foot A1", prisoners="P1 n r 0607 L1 state=delivered", rules={"codes": codes})


def test_captives_and_wounded_are_numbered_for_each_faction() -> None:
    """What the angevins' wounded man and the captive are called says nothing of those of others, as it once did."""
    after = replayed(ANARCHY, refusal("apart")).campaign
    assert {"angevin-W1", "W1"} == set(after.by_sheet("Wounded").keys())
    assert {"royal-angevin-P1", "P1"} == set(after.by_sheet("Prisoners").keys())
    assert counted(ANARCHY, refusal("apart")) == []
    assert ("angevin", "Wounded", "W2", "W1002") in counted(ANARCHY, refusal("together"))


def fights(name: str) -> Campaign:
    """Two battles in one turn in the fog, of which neither pair knows the other's."""
    case = Case(rules={"fog": "near", "hidden_battles": name}, armies={
        "M1": {"node": "B02", "order": "march"}, "O1": {"node": "C02"}, "U1": {"node": "G06", "order": "march"},
        "D1": {"node": "H06"}})
    case.order("men", "move", army="M1", path="C02").order("undead", "move", army="U1", path="H06")
    case.campaign.desk.phase = "move"
    return case.campaign


def test_battles_in_the_fog_are_not_numbered() -> None:
    """Each is called by its square; with fog open, where nothing is hidden, by its number as ever."""
    battles = replayed(WARRIORS, fights("square")).campaign.by_sheet("Battles")
    assert {row.battle for row in battles} == {"B1-C02", "B1-H06"}
    assert counted(WARRIORS, fights("square")) == []
    assert {one[:2] for one in counted(WARRIORS, fights("number"))} >= {("men", "Battles"), ("undead", "Battles")}


@pytest.mark.parametrize(("ruleset", "robots", "phases"), [
    (GIGLIO, italy_of_robots, 10), (ANARCHY, england_of_robots, 10), (WARRIORS, None, 12)],
    ids=["giglio", "anarchy", "warriors"])
def test_phases_of_robots_give_nothing_away(ruleset: Ruleset, robots: Any, phases: int, tmp_path: Path) -> None:
    """Nothing moves, and nothing is numbered, together with what somebody may not see. Incursio and Bloodlust are asked
    by the kit.
    """
    start = borderlands(fog="near") if robots is None else robots.opening(tmp_path)
    kit.fog_of_play(ruleset, start, phases=phases)
