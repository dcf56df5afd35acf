"""What Arbitro reads in three clubs' own workbooks: merged titles, totals, a chart, headings and words of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.turn import codes
from assistant.turn.rulebooks import load
from assistant.workbook.adoption_match import TablePick
from assistant.workbook.adoption_reading import BookReading, read_club_book
from assistant.workbook.ooxml.book import OoxmlBook

CLUBS = Path(__file__).parents[1] / "cli" / "clubs_workbooks"


def read(club: str, lang: str = "it", **answers: str) -> BookReading:
    """A club's workbook as read."""
    return read_club_book(OoxmlBook((CLUBS / f"{club}-club.xlsx").read_bytes()), load(club), lang, answers)


def pick(reading: BookReading, sheet: str) -> TablePick:
    """The table that is read as a record's."""
    found = reading.pick(sheet)
    assert found is not None
    return found


def fields(reading: BookReading, sheet: str) -> dict[str, str]:
    """Heading -> field."""
    found = pick(reading, sheet)
    return {found.block.headings[i]: name for name, i in found.columns.items()}


@pytest.fixture(scope="module")
def giglio() -> BookReading:
    """Il Giglio's."""
    return read("giglio")


@pytest.fixture(scope="module")
def bloodlust() -> BookReading:
    """Bloodlust's."""
    return read("bloodlust")


def test_tables_are_found_below_merged_titles_and_above_totals(giglio: BookReading) -> None:
    """Each sheet is what its rows are about; the members' dues are nothing."""
    assert {p.block.title: (p.record.sheet, str(p.block.area)) for p in giglio.picks} == {
        "Potenze": ("Factions", "A4:G9"), "Città e castelli": ("Nodes", "A3:H16"), "Compagnie": ("Armies", "A2:F9"),
        "Strade": ("Roads", "A1:C13")}


def test_columns_are_told_by_near_names_and_by_what_stands_there(giglio: BookReading) -> None:
    """A column of yes and no is never a name; one whose values are places of another table says where."""
    assert fields(giglio, "Factions") == {"Sigla": "faction", "Potenza": "name_it", "Giocatore": "club",
                                          "E-mail": "mail", "Tesoro (ducati)": "treasury", "Colore": "colour"}
    assert fields(giglio, "Nodes") == {"Cod.": "node", "Piazza": "name", "Tipo": "site", "Di chi è": "owner",
                                       "Mura": "walls", "Presidio": "garrison", "Porto?": "port"}
    assert fields(giglio, "Armies") == {"Esercito": "army", "Signore": "faction", "Dove": "node", "Forza": "value"}


def test_words_colours_and_codes_are_learnt(giglio: BookReading) -> None:
    """Intere are integre, blu is a colour, VEN1 is a code as the rulebook writes it."""
    factions, nodes, armies = (pick(giglio, sheet) for sheet in ("Factions", "Nodes", "Armies"))
    assert factions.lessons["colour"].learnt["blu"] == "#00319d"
    assert nodes.lessons["walls"].learnt == {"intere": "intact"}
    assert nodes.lessons["owner"].learnt == {"neutrale": "N"}
    assert armies.lessons["army"].texts[3] == "VEN-1"
    assert armies.lessons["army"].doubtful == []


def test_what_is_sure_is_not_asked(giglio: BookReading) -> None:
    """A pass among the roads and a number with a word; each question has the club's own rows beside it."""
    assert [(doubt.place, doubt.proposed) for doubt in giglio.doubts] == [
        ("Strade!C1", "passo = strada"), ("Compagnie!D2", "100 circa = 100")]
    assert giglio.doubts[0].rows == ("1: Da | A | Tipo", "8: Firenze | Bologna | passo", "11: Milano | Lione | passo")


def test_what_arbitro_changes_stands_in_one_place(giglio: BookReading) -> None:
    """A table whose codes or walls are written otherwise is copied; the chests stay in the club's own column."""
    assert {p.record.sheet: p.copied for p in giglio.picks} == {
        "Factions": False, "Nodes": True, "Armies": True, "Roads": False}
    assert pick(giglio, "Factions").stays("treasury")
    assert not pick(giglio, "Factions").stays("colour")


def test_the_anarchy_s_ranks_are_told_by_their_hints_and_leaders_become_nobles() -> None:
    """Knights, armoured foot and archers; a leader's name gives a code without blanks."""
    reading = read("anarchy")

    assert fields(reading, "Armies") == {
        "Banda": "army", "Fazione": "faction", "Capo": "commander", "Esagono": "node", "Cavalieri": "knights",
        "Sergenti": "foot", "Arcieri": "bows", "Viveri": "provisions"}
    assert fields(reading, "Places") == {"Luogo": "place", "Esagono": "node", "Tipo": "kind", "Signore": "holder",
                                         "Fedeltà": "loyalty"}
    assert pick(reading, "Nobles").made == [
        {"noble": "Gloucester", "name": "Miles di Gloucester", "faction": "Imperatrice", "army": "Millers"},
        {"noble": "Robert", "faction": "Imperatrice", "army": "Robert"},
        {"noble": "Stefano", "name": "Re Stefano", "faction": "Re", "army": "Stefano"},
        {"noble": "Guglielmo", "name": "Guglielmo di Ypres", "faction": "Re", "army": "Ypres"}]
    assert [doubt.place for doubt in reading.doubts] == ["Paesi!C1"]


def test_bloodlust_s_armies_are_made_of_the_units_that_name_them(bloodlust: BookReading) -> None:
    """Five nations call an army a2: each is its nation's own, and stands in its capital."""
    made = {row["army"]: row for row in pick(bloodlust, "Armies").made or ()}

    assert len(made) == 15
    assert made["SEK-a2"] == {"army": "SEK-a2", "name": "a2", "faction": "SEK", "node": "S1"}
    assert pick(bloodlust, "Units").lessons["army"].texts[2] == "SEK-a2"
    assert [doubt.place for doubt in bloodlust.doubts] == ["Truppe!E1"]
    assert "Capitale (SEK) = S1" in bloodlust.doubts[0].proposed


def test_a_list_of_neighbours_is_ways_and_its_nonsense_is_named(bloodlust: BookReading) -> None:
    """No place is its own neighbour."""
    assert {"a": "B1", "b": "S2"} in (pick(bloodlust, "Roads").made or ())
    assert bloodlust.odd_roads == ["C4"]


def test_gold_that_does_not_fit_the_first_number_is_another_one(bloodlust: BookReading) -> None:
    """A nation's gold is no war rating from 0 to 6."""
    assert fields(bloodlust, "Factions") == {"Nazione": "name_it", "Sigla": "faction", "Chi gioca": "club",
                                             "Oro": "resources"}


@pytest.mark.slow
def test_an_answer_settles_its_question_and_may_name_a_word_or_a_column() -> None:
    """A word, pairs of words, another column, or none."""
    lane = read("giglio", **{"Strade!C1": "passo = rotta"})
    alone = read("giglio", **{"Strade!C1": "-", "compagnie!d2": "sì"})
    other = read("giglio", **{"Città e castelli!G3": "x"}, **{"'Città e castelli'!F3": "-"})

    assert pick(lane, "Roads").lessons["kind"].texts[8] == "lane"
    seat = read("bloodlust", **{"Truppe!E1": "Capitale (SEK) = S2; Capitale = V1"})
    places = {row["army"]: row["node"] for row in pick(seat, "Armies").made or ()}
    assert (places["SEK-a2"], places["BAT-a2"]) == ("S2", "V1")
    assert [doubt.place for doubt in lane.doubts] == ["Compagnie!D2"]
    assert "kind" not in pick(alone, "Roads").columns
    assert alone.doubts == []
    assert "garrison" not in pick(other, "Nodes").columns


def test_answers_that_cannot_be_are_findings() -> None:
    """With their place, and what would do."""
    reading = read("giglio", **{"Strade!C1": "passo = autostrada", "Nulla!A1": "Sigla", "Nessuno": "-"})

    assert [(f.code, str(f.data["seen"])) for f in reading.findings if f.stops] == [
        (codes.NO_SUCH_COLUMN, "passo = autostrada"), (codes.NO_PLACE, "Sigla"), (codes.NO_PLACE, "-")]


def test_the_same_workbook_is_read_in_english() -> None:
    """The club's words are the same; ours are the reader's."""
    reading = read("giglio", "en")

    assert fields(reading, "Factions")["Potenza"] == "name_en"
    assert reading.doubts[0].proposed == "passo = road"
