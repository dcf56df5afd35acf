"""The rules booklet: order of play, orders and numbers, as one campaign plays them."""

from pathlib import Path

import pytest
from lxml import html

from assistant import desk
from assistant.reporting.reader import one_minus
from assistant.speech import rule_sentence
from assistant.turn.rulebooks import load
from assistant.wording import Wording

BOOKS = ("anarchy", "bloodlust", "giglio", "incursio", "warriors")


def text_of(file: Path) -> str:
    """The page as its reader sees it, blanks made one."""
    page = html.document_fromstring(file.read_text(encoding="utf-8"))
    return " ".join("".join("".join(map(str, part.itertext())) for part in page.iter("body")).split())


@pytest.mark.parametrize("lang", ["en", "it"])
@pytest.mark.parametrize("book", BOOKS)
def test_every_phase_verb_and_number_stands_in_it(book: str, lang: str, tmp_path: Path) -> None:
    """With the sentence of each number by the book."""
    done = desk.booklet(book, tmp_path, lang=lang)
    ruleset = load(book)
    words = Wording(ruleset, lang)
    shown = text_of(Path(done.data["file"]))

    assert done.exit == 0
    assert all(verb.word(lang).replace("_", " ") in shown for verb in ruleset.verbs.values() if verb.deed is not None)
    assert all(phase.name(lang).split(": ")[-1] in shown for phase in ruleset.calendar.turn)
    defaults = {rule.key: rule.default for rule in ruleset.numbers} | ruleset.rules_of(
        ruleset.numbers, ruleset.editions[0]).values()
    for rule in ruleset.numbers:
        assert one_minus(" ".join(rule_sentence(rule, defaults[rule.key], words).split())) in shown


def test_rounds_of_a_summer_are_listed_once(tmp_path: Path) -> None:
    """They have the same phases: marches, meetings, battles, sieges."""
    shown = text_of(Path(desk.booklet("giglio", tmp_path, lang="en").data["file"]))

    assert shown.count("meetings") == 1
    assert "April I … " in shown


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    """Il Giglio with a house rule and a title that a browser must not run."""
    book = tmp_path / "war.xlsx"
    folder = tmp_path / "csv"
    assert desk.new_campaign(desk.NewPlan("giglio"), book).exit == 0
    assert desk.export(book, folder).exit == 0
    settings = (folder / "desk.csv").read_text(encoding="utf-8").splitlines()
    titled = ["title,<script>alert(1)</script>" if line.startswith("title,") else line for line in settings]
    (folder / "desk.csv").write_text("\n".join(titled) + "\n", encoding="utf-8")
    with (folder / "rules.csv").open("a", encoding="utf-8") as rules:
        rules.write("siege_target,6\n")
    house = tmp_path / "house.xlsx"
    made = desk.new_campaign(desk.NewPlan("giglio", folder=folder), house)
    assert made.exit == 0, made.finding_lines()
    return house


def test_a_house_rule_stands_out_beside_what_the_book_has(campaign: Path) -> None:
    """And the booklet lies among the reports; names are text."""
    done = desk.booklet(str(campaign), lang="en")
    file = Path(done.data["file"])
    page = html.fromstring(file.read_text(encoding="utf-8"))

    assert file.parent == desk.reports_folder(campaign)
    assert ["".join(map(str, bold.itertext())) for bold in page.iter("b")] == [
        "A besieged place falls on a total of 6 or more."]
    assert "House rule; the book has: 7" in text_of(file)
    assert not list(page.iter("script"))
    assert "<script>alert(1)</script>" in text_of(file)


def test_the_same_campaign_gives_the_same_bytes(campaign: Path, tmp_path: Path) -> None:
    """And without the booklet the values in force are listed."""
    first = Path(desk.booklet(str(campaign), tmp_path / "a").data["file"]).read_bytes()

    assert Path(desk.booklet(str(campaign), tmp_path / "b").data["file"]).read_bytes() == first
    listed = {rule["key"]: rule for rule in desk.rules(str(campaign), lang="en").data["rules"]}
    assert (listed["siege_target"]["value"], listed["siege_target"]["default"]) == (6, 7)


def test_what_cannot_be_opened_or_written_is_told(tmp_path: Path) -> None:
    """An unknown rulebook, a workbook that is not there, a folder that is a file; nothing is written."""
    (tmp_path / "file").write_text("", encoding="utf-8")

    assert desk.booklet("gigglio", tmp_path, lang="en").exit == 2
    assert desk.booklet(str(tmp_path / "none.xlsx"), tmp_path, lang="en").exit != 0
    assert desk.booklet("giglio", tmp_path / "file", lang="en").exit == 5
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]


@pytest.mark.parametrize("book", BOOKS)
def test_each_phase_says_what_happens_in_it(book: str, tmp_path: Path) -> None:
    """In a sentence of the reader's language; no heading stands twice, and no word of the other language beside it."""
    ruleset = load(book)
    shown = text_of(Path(desk.booklet(book, tmp_path, lang="it").data["file"]))

    assert [phase.id for phase in ruleset.calendar.turn if Wording(ruleset, "it").text(phase.about) not in shown] == []
    assert all(phase.about for phase in ruleset.calendar.turn)
    assert "Si capisce anche" not in shown
