"""Three clubs' own workbooks become campaigns: at most five questions, one pass, no cell of the clubs' changed."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import openpyxl
import pytest

from assistant import desk
from assistant.testing.cases import campaign_of
from tests.cli.test_adopt import cells_of
from tests.fresh import equal_sheets_once
from tests.playing import answer, arbitro, workbook_bytes

pytestmark = pytest.mark.slow  # each adopts whole workbooks; the fast part has tests/workbook/test_adoption_clubs.py
sheets_once = pytest.fixture(scope="module", autouse=True)(equal_sheets_once)
CLUBS = Path(__file__).parent / "clubs_workbooks"
QUESTIONS = {"giglio": 3, "anarchy": 2, "bloodlust": 2}
"""How many questions each club's workbook leaves: answers to give; no cell is to be filled in."""


def club_book(folder: Path, club: str) -> Path:
    """A copy of a club's workbook."""
    book = folder / f"{club}.xlsx"
    shutil.copy(CLUBS / f"{club}-club.xlsx", book)
    return book


class Referee:
    """Somebody at a terminal who takes what is proposed, or says something else."""

    def __init__(self, **says: str) -> None:
        self.says = says
        self.asked: list[tuple[str, tuple[str, ...], str]] = []

    def __call__(self, question: str, rows: Sequence[str], proposed: str) -> str:
        """Answer one question."""
        self.asked.append((question, tuple(rows), proposed))
        return next((said for word, said in self.says.items() if word in question), proposed)


@pytest.mark.parametrize("lang", ["en", "it"])
@pytest.mark.parametrize("club", QUESTIONS)
def test_a_conversation_makes_a_campaign_on_which_a_phase_is_played(tmp_path: Path, club: str, lang: str) -> None:
    """One call; the club's own cells, totals and chart are as they were; nothing is wrong; a phase is resolved."""
    book = club_book(tmp_path, club)
    before = cells_of(book.read_bytes())
    referee = Referee()
    done = desk.adopt(desk.AdoptPlan(club, secret="ab" * 32), book, ask=referee, lang=lang)

    assert done.exit == 0, done.finding_lines()
    assert len(referee.asked) == len(done.data["asked"]) == QUESTIONS[club]
    assert all(rows for _, rows, _ in referee.asked)
    now = cells_of(book.read_bytes())
    assert {ref: now.get(ref) for ref in before} == before
    if club == "giglio":
        assert len(openpyxl.load_workbook(book)["Potenze"]._charts) == 1  # type: ignore[attr-defined]
    assert [f for f in answer("check", book)["findings"] if f["severity"] == "error"] == []
    assert arbitro("resolve", book).exit_code == 0


@pytest.mark.parametrize("club", QUESTIONS)
def test_without_a_terminal_two_calls_do_it(tmp_path: Path, club: str) -> None:
    """The first lists the questions and changes nothing; what it proposes, written into a file, ends the second."""
    book = club_book(tmp_path, club)
    before = book.read_bytes()
    told = answer("--lang", "it", "adopt", club, book)
    answers = tmp_path / "risposte.txt"
    answers.write_text("\n".join(f"{q['place']}: {q['proposed']}" for q in told["asked"]), encoding="utf-8")

    assert (told["exit"], len(told["asked"])) == (3, QUESTIONS[club])
    assert book.read_bytes() == before
    assert answer("--lang", "it", "adopt", club, book, "--answers", answers)["exit"] == 0


def test_what_stands_in_the_giglio_club_s_campaign(tmp_path: Path) -> None:
    """Row by row for a sample: words, codes, colours and places as the rulebook writes them."""
    book = club_book(tmp_path, "giglio")
    assert answer("--lang", "it", "adopt", book, "--yes")["exit"] == 0
    campaign = campaign_of(book)
    factions, nodes, armies = (campaign.by_sheet(sheet) for sheet in ("Factions", "Nodes", "Armies"))

    venice = factions["VEN"]
    assert (venice.name_it, venice.club, venice.mail, venice.treasury, venice.colour, venice.capital) == (
        "Serenissima", "Marco", "marco@x.it", 300, "#00319d", "V0")
    verona, mantua, lucca = nodes["V6"], nodes["N3"], nodes["N2"]
    assert (verona.name, verona.site, verona.walls, verona.owner, verona.garrison, verona.port, verona.home) == (
        "Verona", "city", "damaged", "VEN", True, False, "VEN")
    assert (mantua.owner, mantua.walls, lucca.owner) == ("N", "intact", "N")
    assert (nodes["F2"].site, nodes["F2"].port, nodes["F4"].site) == ("village", True, "fortress")
    assert [(a.army, a.faction, a.node, a.value) for _, a in armies.in_file_order()][:5] == [
        ("VEN-1", "VEN", "V6", 200), ("VEN-2", "VEN", "V0", 100), ("FIR-1", "FIR", "F0", 240),
        ("MIL-1", "MIL", "M0", 200), ("MIL-2", "MIL", "M1", 100)]
    roads = {(road.a, road.b): road.kind for road in campaign.by_sheet("Roads")}
    assert len(roads) == 12
    assert roads["F0", "P8"] == "road"


def test_what_stands_in_the_anarchy_club_s_campaign(tmp_path: Path) -> None:
    """The map is the scenario's; the parties are matched with its sides by their names."""
    book = club_book(tmp_path, "anarchy")
    told = answer("--lang", "it", "adopt", "anarchy", book, "--yes")
    assert told["exit"] == 0
    campaign = campaign_of(book)
    factions, armies, places = (campaign.by_sheet(sheet) for sheet in ("Factions", "Armies", "Places"))

    assert {code: factions[code].side for code in ("Re", "Imperatrice")} == {"Re": "royal", "Imperatrice": "angevin"}
    robert = armies["Robert"]
    assert (robert.faction, robert.node, robert.commander, robert.knights, robert.foot, robert.bows,
            robert.provisions) == ("Imperatrice", "1408", "Robert", 5, 20, 10, 30)
    assert {p.place: (p.node, p.kind, p.loyalty) for p in places} == {
        "Wallingford": ("1607", "castle_stone", 5), "Malmesbury": ("0605", "castle_stone", 4),
        "Oxford": ("1603", "town", 3), "Corsham": ("0507", "village", 2), "Chippenham": ("0606", "village", 2)}
    assert {p.place: p.holder for p in places} == {
        "Wallingford": "angevin", "Malmesbury": "royal", "Oxford": "royal", "Corsham": "royal",
        "Chippenham": "angevin"}
    assert "   Signore: Tenuto da (Imperatrice = angioino, Re = realista)" in told["lines"]
    assert len(campaign.by_sheet("Nodes")) > 100


def test_what_stands_in_the_bloodlust_club_s_campaign(tmp_path: Path) -> None:
    """Each nation's armies are its own; the ways are the scenario's, and the places that none reaches are named."""
    book = club_book(tmp_path, "bloodlust")
    told = answer("--lang", "en", "adopt", "bloodlust", book, "--yes")
    campaign = campaign_of(book)

    assert [f["text"] for f in told["findings"] if f["code"] == "ARB-684"] == [
        "No way leads to 3 places: D1, P1, V1. Join them on the sheet Roads."]
    units, armies = campaign.by_sheet("Units"), campaign.by_sheet("Armies")
    assert (units["u1"].army, units["u1"].type, armies["SEK-a2"].node) == ("SEK-a2", "cavalieri", "S1")
    assert campaign.by_sheet("Factions")["BAT"].resources == 12
    assert campaign.by_sheet("Factions")["BAT"].war == 3


def test_the_workbook_tells_its_rulebook(tmp_path: Path) -> None:
    """By what its tables hold, and the words in it."""
    for club in QUESTIONS:
        told = answer("adopt", club_book(tmp_path, club))
        assert (told["exit"], told["ruleset"]) == (3, club)


def test_what_is_lacking_is_named_where_no_scenario_is_wanted(tmp_path: Path) -> None:
    """Printed tables and capitals that Bloodlust needs: the workbook stays as it was."""
    book = club_book(tmp_path, "bloodlust")
    before = book.read_bytes()
    told = answer("adopt", "bloodlust", book, "--yes", "--scenario", "nothing")

    assert told["exit"] == 1
    assert {"BLD-083", "BLD-085", "ARB-683"} <= {f["code"] for f in told["findings"]}
    assert book.read_bytes() == before


def test_an_answer_that_cannot_be_is_asked_again(tmp_path: Path) -> None:
    """What is wrong with it stands before the question; after three such the proposal counts."""
    book = club_book(tmp_path, "giglio")
    referee = Referee(passo="autostrada")
    done = desk.adopt(desk.AdoptPlan("giglio", secret="ab" * 32), book, ask=referee, lang="en")
    again = [question for question, _, _ in referee.asked if "passo" in question]

    assert done.exit == 0
    assert len(again) == 3
    assert "autostrada" in again[1]
    assert "lane" in again[1]


@pytest.mark.parametrize("heading", ["*", "_", "_x0007_", "=1+1", "Forza" * 40])
def test_hostile_headings_are_the_club_s_own(tmp_path: Path, heading: str) -> None:
    """Beside the club's own ones they mean nothing, and stop nothing."""
    book = club_book(tmp_path, "giglio")
    opened = openpyxl.load_workbook(book)
    opened["Compagnie"]["G2"] = heading
    opened["Compagnie"]["G2"].data_type = "s"
    for row in range(3, 10):
        opened["Compagnie"].cell(row, 7, "x_x0003_y")
    book.write_bytes(workbook_bytes(opened))

    told = answer("adopt", "giglio", book, "--yes")
    assert told["exit"] == 0, told["findings"]
    assert told["tables"]["Armies"] == "Compagnie"


def test_a_workbook_of_nothing_is_refused(tmp_path: Path) -> None:
    """With or without its rulebook, and as it was."""
    book = tmp_path / "vuota.xlsx"
    book.write_bytes(workbook_bytes(openpyxl.Workbook()))
    before = book.read_bytes()

    for words in (("giglio",), ()):
        told = answer("adopt", *words, book)
        assert ([f["code"] for f in told["findings"]], told["exit"]) == (["ARB-177"], 1)
    assert book.read_bytes() == before
