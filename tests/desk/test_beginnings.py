"""What a campaign begins with where nobody has set anything: no code in it counts what others may not see."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from assistant import desk
from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Rule
from assistant.desk.commands.new_campaign import SCRIPT
from assistant.desk.commands.rulesets import scenarios_of
from assistant.rulesets.anarchy.ruleset import ANARCHY
from assistant.rulesets.warriors.ruleset import WARRIORS
from assistant.testing import fog, kit
from assistant.testing.robots import answers_to, default_judge, finish_phase
from assistant.turn.numbers import Switch
from assistant.turn.rulebooks import load
from assistant.turn.ruleset import Ruleset
from assistant.workbook.file_book import open_book
from assistant.workbook.read.csv_folder import write_folder
from tests.anarchy.cases import build
from tests.sweeps import fast_among
from tests.warriors.cases import Case
from tests.warriors.test_fine_points import CAPITAL

BOOKS = ("giglio", "anarchy", "incursio", "warriors", "bloodlust")
SECRET = b"beginnings"
TYPED = {"anarchy": {"codes": "apart"}, "warriors": {"hidden_battles": "square", "hidden_forces": "square"}}


def silent(name: str, place: Path) -> Path:
    """The folder of a rulebook's first scenario without its rules.csv, and without its script and where that begins."""
    shutil.copytree(next(iter(scenarios_of(load(name)).values())), place)
    for file in ("rules.csv", *SCRIPT):
        (place / file).unlink(missing_ok=True)
    settings = (place / "desk.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (place / "desk.csv").write_text("".join(one for one in settings if not one.startswith("phase,")), encoding="utf-8")
    return place


def founded(name: str, folder: Path, book: Path) -> Campaign:
    """The campaign that `new --from` begins, as it stands in its workbook."""
    made = desk.new_campaign(desk.NewPlan(name, folder=folder), book)
    assert made.exit is desk.Exit.DONE, made.finding_lines()
    return open_book(book).read().campaign


def typed(campaign: Campaign) -> dict[str, str]:
    """What its Rules say of switches with which new campaigns begin."""
    keys = {one.key for one in load(campaign.desk.ruleset).numbers if isinstance(one, Switch) and one.begins}
    return {row.key: str(row.value) for row in campaign.table(Rule) if row.key in keys and row.value != ""}


# --- the rows of Rules ------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", fast_among(BOOKS, "warriors", "incursio"))
def test_a_campaign_of_a_silent_folder_begins_with_what_its_book_says(name: str, tmp_path: Path) -> None:
    """It stands on the sheet Rules; the folder itself, when it is only resolved, has the defaults."""
    folder = silent(name, tmp_path / "in")
    assert typed(founded(name, folder, tmp_path / "war.xlsx")) == TYPED.get(name, {})
    rules = load(name).rules(kit.opening(load(name), folder))
    assert all(rules[one.key] == one.default for one in load(name).numbers if isinstance(one, Switch) and one.begins)


@pytest.mark.parametrize("key", ["hidden_battles", f"{WARRIORS.prefix}hidden_battles"])
def test_what_a_folder_says_counts(key: str, tmp_path: Path) -> None:
    """With the book's name before it, too; a blank says nothing."""
    folder = silent("warriors", tmp_path / "in")
    (folder / "rules.csv").write_text(f"key,value\n{key},number\nhidden_forces,\n", encoding="utf-8")
    assert typed(founded("warriors", folder, tmp_path / "war.xlsx")) == {
        "hidden_battles": "number", "hidden_forces": "square"}


@pytest.mark.slow
def test_a_campaign_in_a_clubs_own_workbook_begins_so_too(tmp_path: Path) -> None:
    """`new --into`, and `adopt` without a scenario."""
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.title = "Factions"
    for row in (["Code", "Name", "Club"], ["men", "Men", "Lucca"], ["orcs", "Orcs", "Pisa"],
                ["undead", "Dead", "Siena"], ["dwarfs", "Dwarfs", "Prato"]):
        sheet.append(row)
    into, taken = tmp_path / "into.xlsx", tmp_path / "taken.xlsx"
    book.save(into)
    book.save(taken)
    done = [desk.new_into(desk.NewPlan("warriors"), into),
            desk.adopt(desk.AdoptPlan("warriors", scenario="nothing", commit=True), taken)]
    for result, path in zip(done, (into, taken), strict=True):
        assert result.exit is desk.Exit.DONE, result.finding_lines()
        assert typed(open_book(path).read().campaign) == TYPED["warriors"]


def test_rules_says_what_new_campaigns_begin_with() -> None:
    """Beside the default, which stays the book's; in the data by name."""
    told = desk.rules("anarchy", lang="en")
    assert "    together: all together (by the book)" in told.lines
    assert "    apart: apart for each faction (new campaigns begin with it)" in told.lines
    assert {one["key"]: one["begins"] for one in told.data["rules"] if one.get("begins")} == {"codes": "apart"}


# --- two campaigns that differ in what is hidden ------------------------------------------------------------
def begun(ruleset: Ruleset, campaign: Campaign, place: Path) -> Campaign:
    """A case as a campaign that is begun from its folder, with its orders."""
    place.mkdir()
    campaign.desk.ruleset = ruleset.id
    write_folder(campaign, place / "in")
    return founded(ruleset.id, place / "in", place / "war.xlsx")


def played(ruleset: Ruleset, campaign: Campaign) -> Campaign:
    """After its phase, with default answers."""
    return finish_phase(
        ruleset, campaign, SECRET, lambda one: answers_to(ruleset, one, default_judge(ruleset))
    ).campaign


@pytest.mark.slow
def test_captives_and_wounded_of_a_new_campaign_do_not_count_others(tmp_path: Path) -> None:
    """EX-34 of The Anarchy, while the king's party has a wounded man or none, and the neutrals a captive or none."""
    codes: list[tuple[list[str], list[str]]] = []
    hidden: tuple[dict[str, Any], ...] = (
        {}, {"wounded": "W1 r foot A1", "prisoners": "P1 n r 0607 L1 state=delivered"})
    for others in hidden:
        case = build("movement", armies="A1 r 0605 K3 S3 L2 B1 noble=N1, A2 a 0606 S2 L1 noble=N2:4 money=7 "
                                        "if_attacked=refuse on_meeting=pass", orders="r MOVE A1 0606 choice=attack",
                     dice="refusal/A2/light-1=5, refusal/A2/foot-1=9, refusal/A2/foot-2=2, refusal/A2/N2=2", **others)
        before = begun(ANARCHY, case, tmp_path / str(len(codes)))
        after = finish_phase(ANARCHY, before, SECRET, lambda one: answers_to(ANARCHY, one, default_judge(ANARCHY)))
        assert list(fog.counting_codes(ANARCHY, before, after, SECRET)) == []
        view = ANARCHY.view(after.campaign, "angevin")
        codes.append((list(view.by_sheet("Wounded").keys()), list(view.by_sheet("Prisoners").keys())))
    assert codes == [(["angevin-W1"], ["royal-angevin-P1"])] * 2


def test_battles_of_a_new_campaign_in_the_fog_do_not_count_others(tmp_path: Path) -> None:
    """Men and orcs fight, the undead and the dwarfs somewhere else do or do not."""
    codes = []
    for order in ("march", "defend"):
        case = Case(rules={"fog": "near"}, armies={
            "M1": {"node": "G06", "order": "march"}, "O1": {"node": "H06"}, "U1": {"node": "B02", "order": order},
            "D1": {"node": "C02"}})
        case.order("undead", "move", army="U1", path="C02") if order == "march" else None
        case.order("men", "move", army="M1", path="H06").campaign.desk.phase = "move"
        after = played(WARRIORS, begun(WARRIORS, case.campaign, tmp_path / order))
        assert len(after.by_sheet("Battles")) == 1 + (order == "march")
        codes.append(list(WARRIORS.view(after, "men").by_sheet("Battles").keys()))
    assert codes == [["B1-H06"]] * 2


@pytest.mark.slow
@pytest.mark.parametrize(("reader", "hidden"), [
    ("men", {"faction": "undead", "node": "H07"}), ("orcs", {"node": "A01"})])
def test_forces_of_a_new_campaign_in_the_fog_do_not_count_others(
    reader: str, hidden: dict[str, str], tmp_path: Path
) -> None:
    """The founder does not count the Forces of another faction under its letter; who sees the new one, not those of
    the founder that are far away.
    """
    codes: list[list[str]] = []
    both: tuple[dict[str, dict[str, str]], ...] = ({}, {"M2": hidden})
    for others in both:
        case = Case(turn=4, desk={"week": 5}, rules={"fog": "near", "sight": 4}, armies={
            "M1": {"node": "C03"}, "O1": {"node": "G03"}, **others}, nodes={"C03": {**CAPITAL, "store": 100}})
        case.order("men", "found", place="C03", name="Levy", vc=1, new_order="explore")
        case.campaign.desk.phase = "muster"
        after = played(WARRIORS, begun(WARRIORS, case.campaign, tmp_path / str(len(codes))))
        codes.append(list(WARRIORS.view(after, reader).by_sheet("Armies").keys()))
    assert codes == [["M1", "M4-C03", "O1"]] * 2


def test_a_force_that_is_called_by_its_square_takes_orders() -> None:
    """Its code stands in plain lines as any other does; a second of the turn and place is the next."""
    case = Case(turn=4, desk={"week": 5}, rules={"fog": "near", "hidden_forces": "square"},
                nodes={"C03": {**CAPITAL, "store": 200}})
    for name in ("Levy", "Guard"):
        case.order("men", "found", place="C03", name=name, vc=1, new_order="march")
    case.play("muster")
    assert [(one, case.army(one).name) for one in ("M4-C03", "M4-C03-2")] == [("M4-C03", "Levy"), ("M4-C03-2", "Guard")]
    for line in ("move M4-C03-2 to D03", "M4-C03-2 move C3-D3", "m4-c03-2 muovi D3"):
        read = WARRIORS.understand(line, case.campaign, "men")
        assert (read.problem, read.fields["army"], read.fields["path"].split()[-1]) == ("", "M4-C03-2", "D03"), line
