"""A plug-in brings its scenarios, its orders card and its words; the smallest declares little more than its book."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import openpyxl
import pytest

from assistant import edit_catalogue
from assistant.catalogues import italian_of
from assistant.testing.cases import campaign_of
from assistant.turn.phases import resolve
from assistant.turn.rulebooks import load
from assistant.turn.ruleset import Ruleset
from tests import hand
from tests.playing import answer, arbitro
from tests.plugin.installing import SMALL, installed_at
from tests.plugin.wells.arbitro_wells import Wells


@pytest.fixture(scope="module", autouse=True)
def plugins(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Both small rulebooks, installed."""
    with installed_at(tmp_path_factory.mktemp("plugins"), SMALL):
        yield


@pytest.fixture
def toll(tmp_path: Path) -> Path:
    """The first turn of The Toll, with a claim of each lord."""
    book = tmp_path / "toll.xlsx"
    assert arbitro("new", "toll", book).exit_code == 0
    assert arbitro("orders", book, "A: F1").exit_code == 0
    assert arbitro("orders", book, "B: claim F2").exit_code == 0
    return book


# --- what it brings ---------------------------------------------------------------------------
@pytest.mark.parametrize(("name", "scenario", "places"), [("wells", "oasis", 2), ("toll", "fords", 2)])
def test_a_campaign_is_made_of_the_scenario_that_a_plug_in_brings(
        name: str, scenario: str, places: int, tmp_path: Path) -> None:
    """Listed with the rulebook, and taken by `arbitro new` without a word more."""
    listed = {one["id"]: one for one in answer("rulesets")["rulesets"]}
    made = arbitro("new", name, tmp_path / "x.xlsx")

    assert listed[name]["scenarios"] == [scenario]
    assert made.exit_code == 0, made.output
    campaign = campaign_of(tmp_path / "x.xlsx")
    assert len(campaign.by_sheet("Nodes")) == places
    assert (campaign.desk.turn, len(campaign.by_sheet("Orders"))) == ("1", 0)


def test_a_scenario_that_is_not_there_is_refused_with_those_that_are(tmp_path: Path) -> None:
    """As with a rulebook that ships."""
    refused = arbitro("new", "toll", tmp_path / "x.xlsx", "--scenario", "bridges")
    assert refused.exit_code == 2
    assert "There are: fords." in refused.output


@pytest.mark.slow
def test_the_demo_plays_a_plug_ins_script(tmp_path: Path) -> None:
    """The orders of its scenario are what is played."""
    shown = arbitro("demo", "wells", "--out", tmp_path / "demo")
    assert shown.exit_code == 0, shown.output
    events = campaign_of(tmp_path / "demo" / "oasis.xlsx").by_sheet("Events")
    assert {event.data["node"] for event in events} == {"W1", "W2"}
    assert f"Open first: {tmp_path / 'demo' / 'reports' / 'latest' / 'gazette.html'}" in shown.stdout  # no turn is over
    assert "2 factions play 1, Digging by a script" in shown.stderr


@pytest.mark.parametrize(("lang", "sheet", "example"), [("en", "Orders card", "claim F1"),
                                                        ("it", "Scheda ordini", "rivendica F1")])
def test_a_new_workbook_has_the_templates_of_the_plug_ins_orders(
        lang: str, sheet: str, example: str, tmp_path: Path) -> None:
    """The card beside the orders has its verbs with places of its scenario, in the workbook's language."""
    arbitro("new", "toll", tmp_path / "x.xlsx", "--language", lang, lang=lang)
    book = hand.opened(tmp_path / "x.xlsx")
    said = {str(cell.value) for ws in book.worksheets for row in ws.iter_rows() for cell in row if cell.value}
    assert any(example in text for text in said), book.sheetnames


def test_its_words_come_from_the_catalogue_beside_its_code(toll: Path) -> None:
    """An Italian reader is told Italian, and the headings that only the records declare."""
    arbitro("resolve", toll)
    arbitro("report", toll, "--out", toll.parent / "out", lang="it")
    told = (toll.parent / "out" / "A.txt").read_text(encoding="utf-8")
    assert italian_of("Tolls", load("toll")) == "Pedaggi"
    assert "Pedaggi\n- Frassino: suo è il guado Upper ford (F1)" in told
    assert "Denari: 1" in told
    assert arbitro("standings", toll, lang="it").output.split()[:3] == ["Fazione", "Luoghi", "Denari"]


# --- the catalogue tool -----------------------------------------------------------------------
@pytest.mark.parametrize("name", SMALL)
def test_the_catalogue_tool_takes_a_rulesets_id(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The catalogues of both are complete and up to date, and looking says nothing."""
    assert edit_catalogue.main(["check", name]) == 0
    assert capsys.readouterr().out == ""


def test_the_catalogue_tool_makes_a_new_plug_ins_catalogue(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Beside its code, with all that it says; what has no Italian yet is listed."""
    (tmp_path / "dust").mkdir()
    source = Path(str(Wells.homes()[0].folder), "__init__.py").read_text(encoding="utf-8")
    (tmp_path / "dust" / "__init__.py").write_text(source.replace('id = "wells"', 'id = "dust"'), encoding="utf-8")
    with installed_at(tmp_path, {"dust": "dust:WELLS"}):
        assert edit_catalogue.main(["check", "dust"]) == 1
        assert "not up to date" in capsys.readouterr().out
        assert edit_catalogue.main(["update", "dust"]) == 1  # nothing is translated yet
        assert "Dig for water at a place." in capsys.readouterr().out
    po = (tmp_path / "dust" / "locale" / "it" / "LC_MESSAGES" / "dust.po").read_text(encoding="utf-8")
    assert 'msgid "{faction} digs at {node}: {roll}."' in po


def test_the_catalogue_tool_knows_no_other_id(capsys: pytest.CaptureFixture[str]) -> None:
    """What is not installed is said, with what is."""
    assert edit_catalogue.main(["check", "nobody"]) == 2
    assert "toll" in capsys.readouterr().err


# --- house rules of another book ----------------------------------------------------------------
class DryWells(Wells):
    """House rules of The Wells."""

    id = "drywells"


def test_house_rules_of_another_book_have_its_words_and_scenarios() -> None:
    """What is not said anew is the book's own."""
    assert italian_of("sand", DryWells()) == "sabbia"
    assert [home.ruleset for home in DryWells.homes()] == ["drywells", "wells"]


# --- the smallest ---------------------------------------------------------------------------------
@pytest.mark.slow
def test_the_smallest_plug_in_writes_no_method(toll: Path) -> None:
    """All that a ruleset is asked has a default but its end; a campaign is played, reported, undone and verified."""
    own = vars(type(load("toll")))
    assert [name for name, value in own.items() if callable(value) and name in vars(Ruleset)] == ["last_turn"]
    for words in (["check"], ["resolve"], ["status"], ["standings"], ["luck"], ["undo"], ["redo"], ["verify"],
                  ["history"], ["answers"]):
        done = arbitro(words[0], toll)
        assert done.exit_code == 0, f"{words} {done.output}"
    campaign = campaign_of(toll)
    assert [node.owner for node in campaign.by_sheet("Nodes")] == ["A", "B"]
    corrected = arbitro("correct", toll, "B: F1", "--why", "misread", "--commit")
    assert corrected.exit_code == 0, corrected.output
    assert [node.owner for node in campaign_of(toll).by_sheet("Nodes")] == ["", ""]


def test_the_defaults_stand_in_for_absent_clubs(toll: Path) -> None:
    """A robot without a word from its book gives no orders, and takes the default of what it is asked."""
    ruleset, campaign = load("toll"), campaign_of(toll)
    asked = campaign.by_sheet("Questions").record(options="flee, stand", default="")
    assert ruleset.robot_orders(campaign, "A") == []
    assert ruleset.robot_answer(campaign, "A", asked) == "flee"


def test_the_report_opens_with_the_figures_that_its_columns_show(toll: Path) -> None:
    """Places held and the numbers of the faction's own row, under the headings of their columns."""
    arbitro("resolve", toll)
    arbitro("report", toll, "--out", toll.parent / "out")
    text = (toll.parent / "out" / "A.txt").read_text(encoding="utf-8")
    assert "Places: 1" in text
    assert "Pence: 1" in text


# --- nothing of another book -----------------------------------------------------------------------
def test_a_game_without_dice_has_no_sheet_of_dice_and_speaks_of_none(toll: Path) -> None:
    """Nor of armies, roads and battles, which it does without, too; a die that is typed all the same is refused."""
    titles = hand.opened(toll).sheetnames
    assert not {"Dice", "Armies", "Roads", "Battles"} & set(titles)
    typed = arbitro("orders", toll, "die siege:V8 5")
    assert "ARB-320" in typed.output
    assert "played without dice" in typed.output
    arbitro("resolve", toll)
    arbitro("report", toll, "--out", toll.parent / "out")
    for page in ("A.txt", "gazette.txt"):
        said = (toll.parent / "out" / page).read_text(encoding="utf-8").casefold()
        assert not [word for word in ("dice", "army", "armies", "siege", "commitment") if word in said], page


def test_an_event_cites_what_was_declared_with_it_or_else_the_phases_rule(toll: Path) -> None:
    """Whoever tells it need not say so again."""
    ruleset, campaign = load("toll"), campaign_of(toll)
    outcome = resolve(ruleset, campaign, bytes(32))
    assert {event.rule for event in outcome.events} == {"2"}
    game = load("wells").game(outcome.campaign)
    assert game.tell("wells.over", winners="A").rule == "3"
    assert game.tell("wells.over", rule="1", winners="A").rule == "1"


def test_a_books_own_category_heads_its_events(toll: Path) -> None:
    """In the report, under the book's word and before those of the house."""
    arbitro("resolve", toll)
    arbitro("report", toll, "--out", toll.parent / "out")
    assert "Tolls\n- Ashford holds" in (toll.parent / "out" / "A.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("lang", ["en", "it"])
def test_hints_of_a_new_workbook_name_no_place_of_il_giglio(lang: str, tmp_path: Path) -> None:
    """Neither V8 nor F7 stands in any cell, comment or prompt."""
    arbitro("new", "toll", tmp_path / "x.xlsx", "--language", lang, lang=lang)
    said = []
    for ws in openpyxl.load_workbook(tmp_path / "x.xlsx").worksheets:
        cells = [cell for row in ws.iter_rows() for cell in row]
        said += [str(cell.value) for cell in cells] + [cell.comment.text for cell in cells if cell.comment]
        said += [str(rule.prompt) for rule in ws.data_validations.dataValidation]
    assert not [text for text in said if any(word in text for word in ("V8", "F7 ", "ducat", "1500", "siege"))]
