"""The chances of throws: exactly where they stand whatever falls, else over many plays; from a view, nothing more."""

from __future__ import annotations

from fractions import Fraction
from math import isclose

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import CLUBLESS, Die, Faction, Question
from assistant.desk.commands.odds_rehearse import odds_of_phase
from assistant.desk.commands.rulesets import scenarios_of
from assistant.reporting.build import build_page
from assistant.reporting.render import render_html, render_text
from assistant.testing import fog, kit
from assistant.testing.cases import opening
from assistant.turn.chances import chance
from assistant.turn.phases import give_robot_orders, resolve, robots_of, typed_dice
from assistant.turn.rulebooks import load
from assistant.turn.ruleset import Ruleset
from assistant.turn.rulings import Trial
from assistant.turn.throw_chances import PASSED, PLAYS, WORD, Foretold, ThrowChances, foretell, phase_player
from assistant.wording import named_wording
from tests.every_throw import asked
from tests.incursio.cases import Case
from tests.sketches.realms import REALMS, Realm
from tests.sketches.test_realms import PEACE, play

BOOKS = ("anarchy", "bloodlust", "giglio", "incursio", "warriors")
FEW = 20


def unscripted(ruleset: Ruleset) -> Campaign:
    """A rulebook's scenario among robots, without the dice and answers that are scripted for it."""
    campaign = kit.with_robots(opening(ruleset, next(iter(scenarios_of(ruleset).values()))))
    for sheet in (Die.sheet, Question.sheet, "Battles", "BattleUnits", "BattleLeaders"):
        for key in list(campaign.by_sheet(sheet).keys()) if sheet in campaign.tables() else ():
            campaign.by_sheet(sheet).remove(key)
    return campaign


def throw(foretold: Foretold, key: str) -> ThrowChances:
    """The throw of a purpose."""
    return next(one for one in foretold.throws if key in one.keys)


def test_a_ruling_is_reckoned_from_its_own_dice_and_modifiers() -> None:
    """A rating test of two dice against 4: two successes 4 in 9, one as many, none 1 in 9; it stands in every play."""
    foretold = foretell(phase_player(REALMS, play().campaign), FEW)
    check = throw(foretold, "war:V:1Sp")

    assert check.made == 1
    assert not check.error
    assert sorted(check.chances.values()) == [Fraction(1, 9), Fraction(4, 9), Fraction(4, 9)]


def test_what_hangs_on_another_throw_agrees_with_the_whole_phase() -> None:
    """V looks for an enemy only where its people want war; S is weaker, G is not always: so the exact way has it."""
    game = play(S={"units": 9}).dice(**{key: value for key, value in PEACE.items() if not key.startswith("war_V")})
    foretold = foretell(phase_player(REALMS, game.campaign), 400)
    enemy = asked(REALMS, game.campaign, lambda after: after.table(Realm)["V"].enemy, typed=True)
    search = throw(foretold, "target:V:S:1Sp")

    assert isclose(search.made, 1 - enemy[""], abs_tol=4 * search.made_error + 1e-5)
    assert len(typed_dice(game.campaign)) == 3


def test_a_throw_that_was_typed_is_not_foretold() -> None:
    """It says that it lies there."""
    foretold = foretell(phase_player(REALMS, play().dice(**PEACE).campaign), FEW)

    assert all(one.typed for one in foretold.throws)
    lines = odds_of_phase(REALMS, play().dice(**PEACE).campaign, "", "en", FEW).lines
    assert any("thrown at the table already" in line for line in lines)


@pytest.mark.slow
def test_a_point_more_makes_an_order_test_likelier() -> None:
    """Each outcome of the Force test of an army, with the words of its table."""
    ruleset = load("warriors")
    campaign = unscripted(ruleset)
    while campaign.desk.phase != "orders":
        campaign, _ = give_robot_orders(ruleset, campaign, robots_of(campaign))
        campaign = phase_player(ruleset, campaign)(b"a year", {}).outcome.campaign
    campaign, _ = give_robot_orders(ruleset, campaign, robots_of(campaign))
    tests = [one for one in foretell(phase_player(ruleset, campaign), FEW).throws if one.keys[0].startswith("force")]

    assert tests
    assert {label[0] for one in tests for label in one.chances} <= {WORD, "event"}
    assert any((WORD, "given") in one.chances for one in tests)


def test_a_phase_without_throws() -> None:
    """It says so, and that none of the dice that will fall was thrown."""
    lines = odds_of_phase(load("incursio"), Case("first_move").campaign, "", "en", FEW).lines

    assert lines[0].endswith("no throw decides anything as things stand.")
    assert lines[-1] == "None of the dice that will fall was thrown."


@pytest.fixture(scope="module")
def siege() -> Campaign:
    """A place of Il Giglio that is besieged, at the end of a round."""
    ruleset = load("giglio")
    campaign = unscripted(ruleset)
    while not campaign.desk.phase.endswith("siege") or not len(campaign.by_sheet("Sieges")):
        campaign, _ = give_robot_orders(ruleset, campaign, robots_of(campaign))
        campaign = phase_player(ruleset, campaign)(b"a year", {}).outcome.campaign
    return campaign


@pytest.mark.slow
def test_a_siege_says_what_a_bribe_more_would_buy(siege: Campaign) -> None:
    """Its chance is that of its die and its modifiers, and with a point more that of a point more."""
    (test, *_) = [one for one in foretell(phase_player(load("giglio"), siege), FEW).throws
                  if one.keys[0].startswith("siege")]
    assert test.telling is not None
    trial = test.telling.score
    assert isinstance(trial, Trial)

    for more, chances in {0: test.chances, **test.more}.items():
        assert chances.get((PASSED,), 0) == chance("1d6", trial.bonus + more, trial.target)
    assert any(chances != test.chances for more, chances in test.more.items() if more > 0)
    said = odds_of_phase(load("giglio"), siege, "", "en", FEW).lines
    assert any(line.startswith("- Sieges, ") and ", needs 7" in line for line in said)


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
def test_each_phase_of_each_rulebook(book: str) -> None:
    """Chances add up to 1, also from a faction's view, which no hidden fact changes by a byte; no two outcomes of a
    throw read alike.
    """
    ruleset = load(book)
    campaign = unscripted(ruleset)
    for _ in range(3):
        campaign, _ = give_robot_orders(ruleset, campaign, robots_of(campaign))
        foretold = foretell(phase_player(ruleset, campaign), FEW)
        assert all(isclose(sum(one.chances.values()), 1) for one in foretold.throws)
        code = next(row.faction for row in campaign.table(Faction) if row.role not in CLUBLESS)
        facts = list(fog.hidden_cells(ruleset, campaign, code, lambda row: False))
        other = fog.with_other_values(campaign, fog.still_hidden_cells(ruleset, campaign, code, facts))
        seen, again = (odds_of_phase(ruleset, whole, code, "it", FEW) for whole in (campaign, other))
        assert (seen.lines, seen.data) == (again.lines, again.data)
        assert [one for one in seen.data["throws"] if len(one["outcomes"]) > len({o["text"] for o in one["outcomes"]})
                ] == []
        campaign = phase_player(ruleset, campaign)(b"another year", {}).outcome.campaign


@pytest.mark.slow
def test_the_desk_lets_reports_show_chances(siege: Campaign) -> None:
    """With *yes* each club reads its own chances, as `odds` tells them of its view; else there are none."""
    ruleset, shown = load("giglio"), siege.copy()
    shown.desk.chances = "yes"
    code = next(str(row.besieger) for row in siege.by_sheet("Sieges"))
    told = odds_of_phase(ruleset, siege, code, "en", PLAYS)

    without, page = (build_page(ruleset, view, code, named_wording(ruleset, view, "en"))
                     for view in (ruleset.view(campaign, code) for campaign in (siege, shown)))

    assert not without.chances.items
    assert page.chances.items
    assert [f"- {one.what}" for one in page.chances.items] == [line for line in told.lines if line.startswith("- ")]
    assert "YOUR CHANCES, AS THINGS STAND" in render_text(page)
    assert page.chances.items[0].what in render_html(page)


@pytest.mark.slow
@pytest.mark.parametrize("hidden", [True, False])
def test_the_chance_stands_beside_the_question_about_the_siege(siege: Campaign, hidden: bool) -> None:
    """Who is asked for bribes reads there what they would buy, and not once more among the other chances; but where the
    question reckons with a sapper whom the besieger does not see, his play of the siege is not told.
    """
    ruleset, shown = load("giglio"), siege.copy()
    shown.desk.chances = "yes"
    for row in shown.table(Faction):
        row.role = "player" if row.role == "robot" else row.role
    specialists = shown.by_sheet("Specialists")
    if not hidden:
        for key in list(specialists.keys()):
            specialists.remove(key)
    waiting = resolve(ruleset, shown, bytes(32))
    (asked, *_) = [question for question in waiting.questions if question.kind == "bribe"]
    view = ruleset.view(waiting.campaign, asked.to)
    page = build_page(ruleset, view, asked.to, named_wording(ruleset, view, "en"))
    (told,) = [one for one in page.asked if one.ident == asked.question]
    grounds = " ".join(page.chances_rest_on)

    assert not any("Alessandria" in one.what for one in page.chances.items)
    assert ("defender's sapper" in asked.asked["mods"]) == hidden == (not told.chances)
    assert (f"What hangs on {asked.question} is left out" in grounds) == hidden
    if not hidden:
        trial = chance("1d6", sum(asked.asked["mods"].values()), asked.asked["target"])
        assert f"the place falls {float(trial) * 100:.1f} %" in told.chances[0] or not trial
        assert "with points more or less" in told.chances[0]
        assert told.chances[0] in " ".join(render_text(page).split())
