"""Names: what a parameter stands for, what places are called in two languages, and how a sentence speaks of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.utils import get_column_letter

from assistant import desk
from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Event, Faction, Node, Question
from assistant.desk import Exit
from assistant.reporting.reader import Reader
from assistant.rulesets.giglio.ruleset import GIGLIO
from assistant.speech import ENGLISH, ITALIAN, Names, RowName, faction_names, fill_braces, names_of, plain_template
from assistant.testing.cases import campaign_of
from assistant.turn.event_types import EventType, Said
from assistant.turn.findings import Finding
from assistant.wording import Wording, named_wording
from assistant.workbook.file_book import open_book
from assistant.workbook.read.csv_folder import table_csv
from tests.floor.conftest import Made
from tests.floor.fens import FENS, FOLDER

SAMPLE = Path(__file__).resolve().parents[1] / "samples" / "giglio-year" / "giglio.xlsx"
OFFERED = {"article", "gender", "plural"}


def realm() -> Campaign:
    """England and Italian places, one with England's code, one in the sea."""
    campaign = Campaign([Faction, Node])
    for code, en, it in (("ENG", "England", "Inghilterra"), ("P", "Papal State", "Papato"), ("V", "Venice", "Venezia"),
                         ("S", "Spain and its leagues", "Spagna e collegati"), ("T", "Ottomans", "Turchia")):
        campaign.table(Faction).add(Faction(faction=code, name_en=en, name_it=it))
    for code, name, en in (("ENG", "Ancona", ""), ("V0", "Venezia", "Venice"),
                           ("Z7", "Alto Adriatico", "Upper Adriatic"), ("Q", "", "")):
        campaign.table(Node).add(Node(node=code, name=name, name_en=en))
    return campaign


def spoken(lang: str) -> Wording:
    """The words of that campaign in Il Giglio."""
    return Wording(GIGLIO, lang, names_of(realm(), lang, ("Nodes",)))


def event(kind: str, **data: object) -> Event:
    return Event(no=1, turn="1500", phase="r1.move", audience="all", event=kind, rule="3b", data=data)


# --- what a parameter stands for ----------------------------------------------------------------
def test_a_place_is_not_the_faction_of_the_same_code() -> None:
    """The parameter says which is meant."""
    told = spoken("en").event(event("siege.begun", besieger="ENG", node="ENG"))

    assert told == "England lays siege to Ancona (ENG)."


def test_a_place_without_a_name_does_not_borrow_one() -> None:
    """Its code is shown, also where a faction or a word of the catalogue is called so."""
    words = Wording(GIGLIO, "it", faction_names(realm(), "it"))

    assert words.text("{node}, {faction}", node="ENG", faction="ENG") == "ENG, Inghilterra"
    assert words.text("{node}", node="siege") == "siege"
    assert words.text("{kind}", kind="siege") == "assedio"


def test_an_event_may_say_what_its_parameters_stand_for() -> None:
    """In Il Giglio `frm` is a place where an army goes back, and a faction where a place is taken."""
    words = spoken("en")

    assert words.event(event("army.retreated", army="T-1", frm="ENG", to="V0")) == (
        "T-1 goes back from Ancona (ENG) to Venice (V0).")
    assert words.event(event("place.taken", by="V", node="V0", frm="ENG", how="siege")) == (
        "Venice takes Venice (V0) from England by siege.")


def test_a_clubs_own_words_are_not_translated() -> None:
    """A title and the terms of a treaty stay as typed, though the catalogue has the same word."""
    words = Wording(GIGLIO, "it", faction_names(realm(), "it"))
    taken = Finding("ARB-170", "error", data={"file": "x.xlsx", "title": "famine"})
    offer = Question(question="q", kind="ally_confirm", status="open", turn="1500", phase="budget",
                     asked={"f": "P", "y": "1503", "passage": "passage", "terms": "siege"})

    assert words.finding(taken).startswith("x.xlsx è già una campagna: famine.")
    assert words.question(offer).endswith(", con diritto di passaggio: siege")


def test_a_plug_in_needs_nothing_for_it() -> None:
    """The names of its parameters say it, and it may say otherwise."""
    told = EventType("met", "{faction} and {army} at {node}, {who}")
    words = Wording(FENS, "en", Names("en", {"A": RowName("Ants")}, {"A": RowName("Arc")}, {"A": RowName("First")}))
    data = {"faction": "A", "army": "A", "node": "A", "who": "A"}

    assert words.sentence(told.text, data, told.means) == "Ants and First at Arc, Ants"
    assert words.sentence(told.text, data, {"who": "place"}).endswith("Arc, Arc")


# --- guesses and forms ---------------------------------------------------------------------------
@pytest.mark.parametrize(("name", "the", "of", "takes"), [
    ("Papato", "il Papato", "del Papato", "prende"),
    ("Turchia", "la Turchia", "della Turchia", "prende"),
    ("Sacro Romano Impero", "il Sacro Romano Impero", "del Sacro Romano Impero", "prende"),
    ("Impero ottomano", "l'Impero ottomano", "dell'Impero ottomano", "prende"),
    ("Inghilterra", "l'Inghilterra", "dell'Inghilterra", "prende"),
    ("Ottomani", "gli Ottomani", "degli Ottomani", "prendono"),
    ("Svizzeri", "gli Svizzeri", "degli Svizzeri", "prendono"),
    ("Fiandre", "le Fiandre", "delle Fiandre", "prendono"),
    ("Stati della Chiesa", "gli Stati della Chiesa", "degli Stati della Chiesa", "prendono"),
    ("Spagna e collegati", "la Spagna e i collegati", "della Spagna e dei collegati", "prendono"),
    ("Scozia", "la Scozia", "della Scozia", "prende"),
    ("Zemgale", "Zemgale", "di Zemgale", "prende"),
    ("Venezia", "Venezia", "di Venezia", "prende"),
    ("Pellestrina", "Pellestrina", "di Pellestrina", "prende"),
    ("Cipro", "Cipro", "di Cipro", "prende"),
    ("Cesare Borgia", "Cesare Borgia", "di Cesare Borgia", "prende"),
    ("Stefano di Blois", "Stefano di Blois", "di Stefano di Blois", "prende"),
    ("La Serenissima", "la Serenissima", "della Serenissima", "prende"),
    ("I Medici", "i Medici", "dei Medici", "prendono"),
    ("L'Unione", "l'Unione", "dell'Unione", "prende"),
    ("Partito dell'Imperatrice", "il Partito dell'Imperatrice", "del Partito dell'Imperatrice", "prende"),
    ("Neutrali (arbitro)", "i Neutrali (arbitro)", "dei Neutrali (arbitro)", "prendono"),
])
def test_the_article_of_an_italian_faction_is_guessed(name: str, the: str, of: str, takes: str) -> None:
    """By the nouns that names are made of, by endings and first letters; a faction called as a place takes none."""
    words = Wording(None, "it", Names("it", {"X": RowName(name)}, towns=lambda: ["Pellestrina"]))

    assert words.text("{faction:il} {faction?prende|prendono}", faction="X") == f"{the} {takes}"
    assert words.text("{faction:di}", faction="X") == of


@pytest.mark.parametrize(("name", "where", "from_", "taken"), [
    ("Zara", "a Zara", "da Zara", "presa"),
    ("Alessandria", "ad Alessandria", "da Alessandria", "presa"),
    ("Alto Adriatico", "nell'Alto Adriatico", "dall'Alto Adriatico", "preso"),
    ("Golfo di Napoli", "nel Golfo di Napoli", "dal Golfo di Napoli", "preso"),
    ("Mar Tirreno", "nel Mar Tirreno", "dal Mar Tirreno", "preso"),
    ("L'Aquila", "all'Aquila", "dall'Aquila", "presa"),
    ("Castello di Trowbridge", "al Castello di Trowbridge", "dal Castello di Trowbridge", "preso"),
    ("Trowbridge Castle", "a Trowbridge Castle", "da Trowbridge Castle", "preso"),
    ("Abingdon Abbey", "ad Abingdon Abbey", "da Abingdon Abbey", "presa"),
])
def test_a_place_is_in_or_at(name: str, where: str, from_: str, taken: str) -> None:
    """Seas take *nel*, towns *a* or *ad*; what was typed with an article keeps it."""
    words = Wording(None, "it", Names("it", places={"X": RowName(name, " (X)")}))

    assert words.text("{node:dove}", node="X") == f"{where} (X)"
    assert words.text("{node:da}", node="X") == f"{from_} (X)"
    assert words.text("{node?preso|presa|presi|prese}", node="X") == taken


def test_what_the_row_says_counts_more_than_any_guess() -> None:
    """Article, gender and number from their columns; `none` is no article."""
    named = {
        "A": RowName("Zemgale", article="la"),
        "B": RowName("Turchia", article="none"),
        "C": RowName("Amazon", gender="feminine", plural="yes", article="le"),
        "D": RowName("Galles", article="il"),
    }
    words = Wording(None, "it", Names("it", named))
    said = "{faction:di} {faction?preso|presa|presi|prese}"

    assert [words.text(said, faction=code) for code in "ABCD"] == [
        "della Zemgale presa", "di Turchia presa", "delle Amazon prese", "del Galles preso"]


@pytest.mark.parametrize(("name", "told"), [
    ("Papal State", "the Papal State takes"), ("Venice", "Venice takes"), ("Ottomans", "the Ottomans take"),
    ("Spain and its leagues", "Spain and its leagues take"), ("The King's party", "the King's party takes"),
    ("Wales", "Wales takes"), ("Kingdom of Naples", "the Kingdom of Naples takes"), ("Swiss", "the Swiss take"),
    ("Pikemen", "the Pikemen take"), ("Bremen", "Bremen takes"),
    ("March of Kent", "the March of Kent takes"),
    ("Neutral places", "the Neutral places take"), ("France", "France takes")])
def test_english_names_have_their_article(name: str, told: str) -> None:
    """*The* goes with states and peoples, and with whom it was typed."""
    words = Wording(None, "en", Names("en", {"X": RowName(name)}))

    assert words.text("{faction:the} {faction?takes|take}", faction="X") == told


def test_a_sentence_begins_with_a_capital_and_lists_end_in_and() -> None:
    """Also the second sentence, and also where an article opens it."""
    words = spoken("it")
    said = words.text("{by:il} {by?prende|prendono}. {partner:il} {partner?paga|pagano} {by:a}.", by=["T", "P", "ENG"],
                      partner="S")

    assert said == ("La Turchia, il Papato e l'Inghilterra prendono. "
                    "La Spagna e i collegati pagano alla Turchia, al Papato e all'Inghilterra.")
    assert words.text("{by:con}, {by?presi|prese}", by="T V") == "con la Turchia e con Venezia, prese"


def test_a_code_without_a_name_and_a_word_of_the_catalogue_have_forms_too() -> None:
    """A code stands bare behind its preposition, a noun takes its article."""
    words = Wording(GIGLIO, "it")

    assert words.text("{faction:di}, {node:dove}, {faction:il}", faction="V", node="A1") == "di V, ad A1, V"
    assert words.text("{hex:dove}: {place?preso|presa|presi|prese}", hex="0605", place="avebury-priory") == (
        "in 0605: preso")
    assert words.text("{kind:il} e {item:il}", kind="spy", item="loan") == "la spia e il prestito"
    assert [words.text("{kind:un}", kind=kind) for kind in ("spy", "sapper", "army")] == [
        "una spia", "un geniere", "un'armata"]


def test_a_page_that_fills_no_braces_shows_them_plainly() -> None:
    """As the manual lists the findings."""
    assert plain_template("{node:il} è presa. {by:di} {n} {by?è|sono}.") == "{node} è presa. di {by} {n} è."


def test_a_brace_that_nobody_fills_stays_as_it_is() -> None:
    """A misspelt parameter can be seen."""
    assert fill_braces("{a:di} {b?x|y}", lambda brace: None) == "{a:di} {b?x|y}"
    assert set(ITALIAN.forms).isdisjoint(ENGLISH.forms)


# --- names in two languages ------------------------------------------------------------------------
NODES = ("node,name,water,name_en,name_it,article,gender,plural\nA1,Rosso,no,Red,,il,,\nB1,Verde,no,Green,,,,\n"
         "C1,,no,,,,,\nD1,,no,,,,,\n") + "A2" + FOLDER["nodes.csv"].partition("\nA2")[2]


def folded(sheet: Any) -> set[str]:
    """The headings of the columns that are folded away."""
    return {cell.value.strip() for cell in sheet[4] if sheet.column_dimensions[get_column_letter(cell.column)].hidden}


def test_reports_call_places_as_their_reader_does(make: Made) -> None:
    """In the language of each; what has one name is called so in both."""
    made = make(nodes=NODES.replace("A2,,no", "A2,Terzo,no"))
    campaign = campaign_of(made)
    for lang, seen in (("en", "Red (A01)"), ("it", "Rosso (A01)")):
        words = named_wording(FENS, campaign, lang)
        reader = Reader.of(FENS, campaign, "N", words)
        assert reader.place("A01") == seen
        assert words.text("{node}", node="A01") == seen
        assert reader.place("A02") == "Terzo (A02)"


@pytest.mark.slow
def test_filled_columns_live_through_workbook_and_export(make: Made) -> None:
    """They are shown, exported, and read again."""
    made = make(nodes=NODES)
    out, again = made.parent / "out", made.parent / "again.xlsx"
    desk.export(made, out)
    assert desk.new_campaign(desk.NewPlan("fens", folder=out, secret="5e" * 32), again).exit == Exit.DONE

    head, first = (out / "nodes.csv").read_text().splitlines()[:2]
    assert (head.endswith("name_en,article"), first.endswith(",Red,il")) == (True, True)
    assert campaign_of(again).table(base.Node)["A01"].name_en == "Red"
    sheet = openpyxl.load_workbook(again)["Nodes"]
    assert "Name (English)" not in folded(sheet)
    assert "Plural name" in folded(sheet)


def test_a_new_sheet_offers_them_folded_away_and_an_export_leaves_them_out(make: Made) -> None:
    """At its right end; a campaign in which nobody needs them has the files that it always had."""
    made = make()
    out = made.parent / "out"
    desk.export(made, out)
    sheet = openpyxl.load_workbook(made)["Factions"]
    headings = [str(cell.value).strip() for cell in sheet[4]]

    assert headings[-5:] == ["Article (Italian)", "Gender (Italian)", "Plural name", "Deputy", "Holidays"]
    assert set(headings[-5:]) <= folded(sheet)
    for name in ("nodes.csv", "factions.csv"):
        assert OFFERED.isdisjoint((out / name).read_text().splitlines()[0].split(","))
    assert {"name_en", "name_it"}.isdisjoint((out / "nodes.csv").read_text().splitlines()[0].split(","))


@pytest.mark.slow
def test_a_workbook_of_before_is_read_as_ever(tmp_path: Path) -> None:
    """Also with a column of its own where the new ones would stand; its export has the same headings."""
    book = tmp_path / "old.xlsx"
    workbook = openpyxl.load_workbook(SAMPLE)
    sheet = next(workbook[name] for name in ("Factions", "Fazioni") if name in workbook.sheetnames)
    row = next(cell.row for line in sheet.iter_rows(max_row=8) for cell in line
               if cell.value is not None and str(cell.value).strip() in ("Code", "Sigla"))
    sheet.cell(row, sheet.max_column + 1, "Our notes")
    workbook.save(book)
    seen = open_book(book).read()

    assert [f.code for f in seen.findings if f.severity == "error"] == []
    factions = seen.campaign.table(Faction)
    assert OFFERED.isdisjoint(table_csv(seen.campaign, factions.record).split("\n")[0].split(","))
    words = Wording(seen.ruleset, "it", faction_names(seen.campaign, "it"))
    assert words.text("{faction:di}", faction="P") == "del Papato"


def test_a_rulebook_drops_what_it_has_no_use_for() -> None:
    """The columns go, what asks the row finds nothing said."""
    @dataclass
    class Hill(base.Node, without=("article", "gender", "plural", "name_en", "name_it")):
        """A hill."""

    assert [c.name for c in Hill.columns()] == ["node", "name", "x", "y", "side"]
    assert Hill(node="A", name="Alto").name_in("it") == "Alto"


def test_orders_name_places_in_either_language(make: Made) -> None:
    """A referee types what the club wrote."""
    made = make(nodes=NODES)
    table = campaign_of(made).table(base.Node)

    assert base.code_lookup(table)["green"] == base.code_lookup(table)["verde"] == "B01"


def test_a_sentence_of_a_report_knows_it_too() -> None:
    """`Said` takes the same braces."""
    said = Said("Lost to {faction:the}: {node}", {"faction": "P", "node": "V0"})

    assert spoken("en").text(said.text, **said.data) == "Lost to the Papal State: Venice (V0)"
