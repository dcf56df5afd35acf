"""The calculator of melees: the author's dice, the printed example, the odds."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from assistant import desk
from assistant.desk import Exit
from assistant.desk.inputs import carry_own, inputs_since, rows_taken_out
from assistant.desk.workspace.detect_edits import edits_between
from assistant.rulesets.bloodlust.dossier import (
    ITALIAN,
    Melee,
    MeleeUnit,
    attack_dice,
    defence_dice,
    expected_hits,
    hit_chances,
)
from assistant.testing.cases import campaign_of
from tests.bloodlust.scenario import BLOODLUST, ground, play, row, told

LEGIONARIES: dict[str, Any] = {"rep_a": 4, "ac_a": 6, "arm_a": "combined", "skills_a": "defensive", "number_a": 8}
RAIDERS: dict[str, Any] = {"rep_b": 5, "skills_b": "offensive", "number_b": 10}


def meeting(rules: dict[str, str] | None = None, **fields: Any) -> Melee:
    """A row of the sheet after a phase."""
    found: Melee = row(play(ground("987Su", "siege", rules=rules, Melee={"M": fields})), "Melee", "M")
    return found


def dice(pool: str) -> int:
    """How many dice a pool shows."""
    return int(pool.partition(" ")[0])


def test_x36_raiders_charge_legionaries() -> None:
    """X36: six dice against five, two against one; an even chance of no hit both ways."""
    found = meeting(active="b", **LEGIONARIES, **RAIDERS)
    assert [dice(one) for one in (found.attack_b, found.defence_b, found.attack_a, found.defence_a)] == [6, 1, 2, 5]
    assert found.hits_on_a.split("(")[1].startswith("0: 50 %; 1: ")
    assert found.hits_on_b.split("(")[1].startswith("0: 50 %; 1: ")
    assert found.a_does_more == "28 %"


@pytest.mark.parametrize(("attacks", "defends", "none", "expected"), [
    (2, 2, Fraction(11, 16), 0.375), (3, 2, Fraction(1, 2), 0.719), (4, 2, Fraction(11, 32), 1.125),
    (5, 3, Fraction(93, 256), 1.184)])
def test_the_printed_odds(attacks: int, defends: int, none: Fraction, expected: float) -> None:
    """Chance of no hit and mean of hits, exactly."""
    assert hit_chances(attacks, defends)[0] == none
    assert expected_hits(hit_chances(attacks, defends)) == expected
    assert sum(hit_chances(attacks, defends)) == 1


def test_s1_four_against_three_is_one_hit() -> None:
    """S1: what attack has above defence, both ways at once; a row that asks is thrown once."""
    campaign = ground("987Su", "siege", Melee={"M": {"rep_a": 7, "rep_b": 7, "roll": True}})
    faces = {"melee/M/1/a/attack": "1+1+1+1+6", "melee/M/1/b/defence": "1+1+1+6",
             "melee/M/1/b/attack": "1+1+1+1", "melee/M/1/a/defence": "1+6+6"}
    found = row(play(campaign, dice=faces), "Melee", "M")
    assert [dice(one) for one in (found.attack_a, found.defence_a, found.attack_b, found.defence_b)] == [5, 3, 4, 4]
    assert found.thrown == "a 3, b 1"
    again = play(play(campaign, dice=faces).campaign)
    assert told(again, "melee") == []


@pytest.mark.parametrize(("fields", "pool", "expected"), [
    ({"mount_a": "mounted"}, "attack_a", 4), ({"arm_a": "chagar"}, "attack_a", 4),
    ({"arm_a": "spear", "mount_b": "mounted"}, "attack_a", 4), ({"arm_a": "shock"}, "attack_a", 4),
    ({"arm_a": "shock", "first_round": False}, "attack_a", 3), ({"number_a": 30}, "attack_a", 7),
    ({"how_a": "cinc rear"}, "attack_a", 6), ({"how_a": "Cinc, rear"}, "attack_a", 6),
    ({"flanks_a": 2}, "attack_a", 5), ({"how_a": "water"}, "attack_a", 1),
    ({"arm_a": "terror elite"}, "attack_a", 5), ({"arm_a": "frenzy fanatic"}, "attack_a", 7),
    ({"ground": "winter"}, "attack_a", 2), ({"ground": "winter", "skills_a": "winter"}, "attack_a", 3),
    ({"ground": "jungle"}, "attack_a", 1), ({"ground": "swamp"}, "attack_a", 0), ({"arm_a": "missile"}, "attack_a", 2),
    ({"arm_a": "pike"}, "defence_a", 3), ({"ac_a": 2}, "defence_a", 1), ({"ac_a": 8}, "defence_a", 4),
    ({"how_a": "higher wood position"}, "defence_a", 6), ({"arm_a": "frenzy fanatic"}, "defence_a", 0),
    ({"arm_a": "skirmish", "how_a": "disorganised"}, "defence_a", 0), ({}, "defence_b", 3),
    ({"skills_a": "wood"}, "defence_a", 2),
    ({"skills_a": "offensive"}, "defence_a", 1), ({"skills_a": "defensive"}, "defence_a", 3)])
def test_each_modifier(fields: dict[str, Any], pool: str, expected: int) -> None:
    """REP 4 against REP 4, the first active: three attack and two defence dice, changed by one thing."""
    assert dice(getattr(meeting(**fields), pool)) == expected


def test_switches_of_melee() -> None:
    """`def_unit_dice`, `desert_skill` and `desert_dice` change the pools."""
    assert dice(meeting({"def_unit_dice": "-1"}, skills_a="defensive").defence_a) == 1
    assert dice(meeting({"desert_skill": "snow"}, ground="winter", skills_a="desert").attack_a) == 3
    assert dice(meeting({"desert_dice": "1"}, ground="desert").attack_a) == 2


def test_check_says_what_a_new_row_may_expect() -> None:
    """BLD-090: at once, in numbers; the next phase writes it into the row, in the workbook's language."""
    campaign = ground("987Su", "siege", Melee={"M": {"active": "b", **LEGIONARIES, **RAIDERS}})
    (found,) = BLOODLUST.check_data(campaign)
    assert (found.code, found.severity, found.where.row) == ("BLD-090", "info", "M")
    assert [found.data[name] for name in "nmkl"] == [2, 1, 6, 5]
    outcome = play(campaign)
    assert BLOODLUST.check_data(outcome.campaign) == []
    assert row(outcome, "Melee", "M").attack_b == "6 (REP 3, attiva 1, numero 1, offensiva 1)"
    assert row(outcome, "Melee", "M").hits_on_a.startswith(f"{found.data['x']} (0: 50 %; ")
    assert "," in found.data["x"]
    campaign.desk.language = "en"
    assert row(play(campaign), "Melee", "M").attack_b == "6 (REP 3, active 1, numbers 1, offensive 1)"


def test_rows_come_and_go_as_people_like() -> None:
    """A row that is new, changed, renamed or gone is no change by hand that the referee would have to keep."""
    empty, one = ground("987Su", "siege"), ground("987Su", "siege", Melee={"M": {"rep_a": 5}})
    changed, other = (ground("987Su", "siege", Melee={name: {"rep_a": 6}}) for name in ("M", "N"))
    for then, now in ((empty, one), (one, changed), (one, other), (one, empty)):
        assert edits_between(then, now, {"Melee": {"M", "N"}}) == []
    assert edits_between(one, changed, {"Melee": {"M"}}) == []
    one.by_sheet("Units")["VOR-u1"].rep = 6
    assert [edit.sheet for edit in edits_between(empty, one, {"Melee": {"M"}, "Units": {"VOR-u1"}})] == ["Units"]


@pytest.mark.slow
def test_what_anybody_types_is_reckoned_by_the_next_phase(tmp_path: Path) -> None:
    """In the workbook: check says it, the phase writes and throws it, a row changed again is written anew, verify
    finds nothing, and undo takes what was written back.
    """
    book = tmp_path / "tanaephis.xlsx"
    assert desk.new_campaign(desk.NewPlan("bloodlust", language="en", secret="ab" * 32), book).exit == Exit.DONE

    def typed(**cells: Any) -> None:
        opened = openpyxl.load_workbook(book)
        sheet = opened["Melee"]
        for number, cell in enumerate(sheet[4], 1):
            if (head := str(cell.value).strip().replace(" ", "_")) in cells:
                sheet.cell(5, number).value = cells[head]
        opened.save(book)

    typed(Melee="M", Rep_a=7, Rep_b=7, Roll="yes")
    found = [finding.code for finding in desk.check(book, lang="en").findings]
    assert [code for code in found if code in ("ARB-110", "ARB-111", "BLD-090")] == ["BLD-090"]
    assert desk.resolve(book, lang="en").exit == Exit.DONE
    first = campaign_of(book).table(Melee)["M"].copy()
    assert (first.attack_a, first.rolled, first.thrown != "") == ("5 (REP 4, active 1)", True, True)
    typed(Rep_a=5)
    assert desk.resolve(book, lang="en").exit in (Exit.DONE, Exit.WAITING)
    assert campaign_of(book).table(Melee)["M"].attack_a == "4 (REP 3, active 1)"
    verified = desk.verify(book, lang="en")
    assert (verified.exit, [finding.code for finding in verified.findings if finding.stops]) == (Exit.DONE, [])
    assert desk.undo(book, steps=2, lang="en").exit == Exit.DONE
    assert (campaign_of(book).table(Melee)["M"].attack_a, campaign_of(book).table(Melee)["M"].rep_a) == ("", 5)
    typed(Melee="N")
    assert desk.redo(book, lang="en").exit == Exit.DONE
    assert [one.melee for one in campaign_of(book).table(Melee)] == ["N"]
    assert desk.undo(book, lang="en").exit == Exit.DONE
    assert [one.melee for one in campaign_of(book).table(Melee)] == ["N"]


def test_what_was_typed_goes_with_undo_and_redo() -> None:
    """New rows and changed ones, without what a phase has written beside them; what was taken out stays out."""
    then = ground("987Su", "siege", Melee={"M": {"rep_a": 5, "roll": True}, "O": {}})
    now = play(then).campaign
    now.by_sheet("Melee")["M"].rep_a = 7
    now.by_sheet("Melee").remove("O")
    now.by_sheet("Melee").add(Melee(melee="N", rep_b=3))
    assert now.by_sheet("Melee")["M"].rolled
    back = then.copy()
    assert rows_taken_out(then, now) == [("Melee", "O")]
    assert carry_own(now, back) == 2
    assert [(one.melee, one.rep_a, one.rep_b, one.attack_a, one.rolled) for one in back.table(Melee)] == [
        ("M", 7, 4, "", False), ("N", 4, 3, "", False), ("O", 4, 4, "", False)]
    assert inputs_since(now, now, back).by_sheet("Melee").keys() == []


def test_every_part_of_a_pool_has_its_italian() -> None:
    """What stands in brackets behind a number of dice is a word of the workbook's language."""
    f, melee = BLOODLUST.realm(ground("987Su", "siege")), Melee(melee="M")
    a, b = MeleeUnit(melee, "a"), MeleeUnit(melee, "b")
    assert {*attack_dice(f, melee, a, b), *defence_dice(f, melee, a)} == set(ITALIAN)
