"""What a club reads: who throws for the order of movement, and what a random event's dice came to."""

from __future__ import annotations

import pytest

from assistant.campaign.records import Event
from assistant.reporting.build import build_page
from assistant.reporting.chances import club_chances
from assistant.reporting.pages import ReportPage
from assistant.reporting.reader import Reader
from assistant.reporting.render import render_html
from assistant.rulesets.warriors.ruleset import WARRIORS
from assistant.turn.event_types import Said
from assistant.wording import Wording, named_wording
from tests.warriors.cases import Case, battle, forces, losses


def page(case: Case, faction: str, lang: str) -> ReportPage:
    """The report of a faction on all that a case has played."""
    view = WARRIORS.view(case.campaign, faction)
    return build_page(WARRIORS, view, faction, named_wording(WARRIORS, view, lang))


def dice_of(case: Case, faction: str, lang: str) -> dict[str, str]:
    """Purpose -> value of the dice that stand at the end of a report."""
    rulings = page(case, faction, lang).rulings
    assert rulings is not None
    return {row[0].text: row[2].text for row in rulings.table.rows.items}


@pytest.mark.parametrize(("lang", "told"), [("en", "The men throw for the order of movement"),
                                            ("it", "Men tira per l'ordine di movimento")])
def test_who_throws_for_the_order_of_movement_is_named(lang: str, told: str) -> None:
    """The throw with the V.C. of the chief is told to its faction alone, and by name."""
    case = Case(armies={"M1": {"node": "C03"}, "O1": {"node": "G06"}})
    case.play("move", whole=False)
    (opening,) = [group for group in page(case, "men", lang).happened if group.title in ("How it began",
                                                                                       "Come è cominciata")]
    assert told in [line.text for line in opening.lines.items]


@pytest.mark.parametrize(("lang", "none", "comes", "which"), [
    ("en", "4: no event comes", "6: an event comes", "1+2: Bad omen"),
    ("it", "4: non arriva nessun evento", "6: arriva un evento", "1+2: Cattivo presagio")])
def test_the_dice_of_random_events_say_what_they_came_to(lang: str, none: str, comes: str, which: str) -> None:
    """Below a 6 nothing happens, and no event tells so; on it a second throw says which event it is (8)."""
    case = Case(armies={"M1": {"node": "C03"}, "O1": {"node": "G06"}})
    case.throw(event__men=6, event_table__men="1+2", event__orcs=4, event__dwarfs=1, event__undead=1).play("events")

    assert {comes, which} <= {*dice_of(case, "men", lang).values()}
    assert none in dice_of(case, "orcs", lang).values()


@pytest.mark.parametrize(("faction", "told"), [
    ("orcs", "O1 has lost 15 figures for good: 4 dead, 11 deserted. Wounded: 1, back in turn 4. Of 3 that fled in rout "
     "or left by order 2 deserted: "),
    ("men", "M1 has lost 3 figures for good: 2 dead, 1 deserted. Wounded: 2, back in turn 4. Of 2 that fled in rout or "
     "left by order 1 deserted: ")])
def test_what_a_force_has_lost_in_the_end_is_one_sentence(faction: str, told: str) -> None:
    """Mercenaries who were beaten leave without a die, and are no part of those who threw one (4)."""
    case = Case(
        turn=2, armies={"M1": {"node": "C03"}, "O1": {"node": "C03"}}, nodes={"C03": {"territory": "men"}},
        units={"M1a": {"figures": 20}, "O1a": {"figures": 12, "mercenary": True},
               "O1b": {"figures": 8, "quality": "veteran"}},
        battles=battle(outcome="defender", status="fought"), battle_armies=forces("M1 D", "O1 A"),
        battle_units=losses(["M1a 20 4 2", "O1a 12 3", "O1b 8 2 1 2"]))
    case.throw({"wounded/B2-1/M1a": [1, 2, 3, 6], "deserter/B2-1/M1a": [3, 4], "wounded/B2-1/O1b": [4, 5],
                "deserter/B2-1/O1b": [2, 2, 1]}).answer("after", "retreat/B2-1/O1", "D03", to="orcs").play("after")

    (_, said) = WARRIORS.outcomes(WARRIORS.view(case.campaign, faction), faction, [
        Event(event="battle_result", data={"battle": "B2-1"})])

    assert Wording(WARRIORS, "en").sentence(said.text, said.data) == (
        told + "each needed 4 or more to come back, by its die with what its quality adds and rout takes off.")


@pytest.mark.parametrize(("lang", "told"), [
    ("en", "M1 has lost no figures for good. Wounded: 1, back in turn 4. Of 1 that fled in rout or left by order none "
     "deserted: each needed 4 or more to come back, by its die with what its quality adds and rout takes off."),
    ("it", "M1: nessuna miniatura persa per sempre. Feriti: 1, torna nel turno 4. Di 1 fuggita in rotta o uscita per "
     "ordine nessuna ha disertato: per tornare a ognuna serviva 4 o più, con il dado più la qualità e meno la rotta.")])
def test_a_force_with_wounded_only_is_told_of_no_zeros(lang: str, told: str) -> None:
    """Nobody is dead and nobody deserted: neither is counted (4)."""
    case = Case(
        turn=2, armies={"M1": {"node": "C03"}, "O1": {"node": "C03"}}, nodes={"C03": {"territory": "men"}},
        units={"M1a": {"figures": 20}, "O1a": {"figures": 12, "mercenary": True}},
        battles=battle(outcome="defender", status="fought"), battle_armies=forces("M1 D", "O1 A"),
        battle_units=losses(["M1a 20 1 1", "O1a 12 3"]))
    case.throw({"wounded/B2-1/M1a": [6], "deserter/B2-1/M1a": [6]}).answer(
        "after", "retreat/B2-1/O1", "D03", to="orcs").play("after")

    (_, said) = WARRIORS.outcomes(WARRIORS.view(case.campaign, "men"), "men", [
        Event(event="battle_result", data={"battle": "B2-1"})])

    assert Wording(WARRIORS, lang).sentence(said.text, said.data) == told


@pytest.mark.parametrize(("given", "dice", "undefended"), [
    ({"reaction": "routed", "order": "none"}, {}, False),
    ({"on_contact": "counter_march", "retreat_to": "E03"}, {"counter_march__M1": 4}, False),
    (None, {}, True)])
def test_a_place_that_a_force_gave_up_was_not_undefended(given: dict[str, str] | None, dice: dict[str, int],
                                                         undefended: bool) -> None:
    """Whoever collapses or counter-marches stood there: both sides read the cause only where nobody did."""
    men = {"node": "F06"} if given is None else {"node": "D03", **given}
    case = Case(rules={"counter_march": "on"}, armies={"O1": {"node": "C03"}, "M1": men},
                nodes={"D03": {"place": "stronghold", "founder": "men", "holder": "men"}})
    case.order("orcs", "move", army="O1", path="D03")
    case.throw(initiative__men__1=1, initiative__orcs__1=6, move__O1=3, **dice).play("move", whole=False)
    case.play("after", whole=False)
    for side in ("men", "orcs"):
        view = WARRIORS.view(case.campaign, side)
        (taken,) = [row for row in view.table(Event) if row.event == "place_taken"]
        assert (WARRIORS.cause_of(view, side, taken) is not None) == undefended


def test_a_throw_stands_beside_the_one_order_that_makes_it() -> None:
    """The Force test beside the new order, though the march names the Force as well; the report has no empty list."""
    case = Case(turn=2, desk={"chances": "yes", "phase": "orders"}, armies={"M1": {"node": "C03"}})
    case.order("men", "move", army="M1", path="D03").order("men", "order", army="M1", new_order="march")
    view = WARRIORS.view(case.campaign, "men")
    told = club_chances(Reader.of(WARRIORS, view, "men", Wording(WARRIORS, "en")))
    assert list(told.ordered) == ["men#2"]
    assert told.others == ()
    assert "<ul></ul>" not in render_html(page(case, "men", "en"))


def _owed(case: Case, lang: str) -> list[str]:
    return [Wording(WARRIORS, lang).sentence(said.text, said.data)
            for said in WARRIORS.dues(WARRIORS.view(case.campaign, "men"), "men")]


@pytest.mark.parametrize(("lost", "lang", "told"), [
    (0, "en", "You have lost D03: the referee tests your will to fight. 1d6 is thrown, as things stand with -1; below "
     "0 you are out. It cannot fail. You need do nothing."),
    (3, "en", "You have lost D03: the referee tests your will to fight. 1d6 is thrown, as things stand with -4; below "
     "0 you are out. It fails on 3 or less. You need do nothing."),
    (9, "it", "Hai perduto D03: l'arbitro prova la tua volontà di combattere. Si tira 1d6, per ora con -10; sotto 0 "
     "sei fuori. Nessun tiro può superarla. Non devi fare nulla.")])
def test_a_test_of_the_will_is_told_with_its_reason_and_its_odds(lost: int, lang: str, told: str) -> None:
    """The number added is the score; what falls below the row of the table fails (5)."""
    case = Case(desk={"phase": "will"}, armies={"M1": {"node": "C03"}, "O1": {"node": "D03"}},
                nodes={"D03": {"place": "stronghold", "founder": "men", "holder": "orcs"}},
                factions={"men": {"will_due": "place_lost:D03", "lost": lost}})
    assert _owed(case, lang) == [told]


@pytest.mark.parametrize(("men", "orcs", "told"), [(6, 1, "It stepped back before M1, and its own turn to march was "
                                                    "still to come."), (1, 6, None)])
def test_who_came_reads_that_the_other_stepped_back(men: int, orcs: int, told: str | None) -> None:
    """A Force that goes before its faction's turn has counter-marched; later it may have marched by itself."""
    case = Case(rules={"counter_march": "on"}, armies={
        "M1": {"node": "C03"}, "O1": {"node": "D03", "on_contact": "counter_march", "retreat_to": "E03"}})
    case.order("men", "move", army="M1", path="D03")
    case.throw(initiative__men__1=men, initiative__orcs__1=orcs, move__M1=3, counter_march__O1=6).play(
        "move", whole=False)
    view = WARRIORS.view(case.campaign, "men")
    (seen,) = [row for row in view.table(Event) if row.event == "seen"]
    said = WARRIORS.cause_of(view, "men", seen)
    assert told == (Wording(WARRIORS, "en").sentence(said.text, said.data) if isinstance(said, Said) else None)
