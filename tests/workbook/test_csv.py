"""Folders of CSV: read with tolerance, written exactly, and the rows that people hand in."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import whole_digits
from assistant.campaign.records import Die, Faction, Question, Rule
from assistant.turn import codes
from assistant.workbook.file_book import open_book
from assistant.workbook.port import DeskLines
from assistant.workbook.read.csv_folder import (
    guarded_text,
    parse_csv,
    read_csv_rows,
    read_folder,
    unguard,
    write_folder,
)
from assistant.workbook.read.grid import strip_invisible
from assistant.workbook.read.load_campaign import spell_code
from assistant.workbook.screening import BookMissing
from tests.playing import create_workbook
from tests.workbook.feast import FEAST, Army, Battle, Dish, Node, Order, feast, loader, plain, wording

LETTERS = st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"], exclude_characters="\ufffe\uffff")
NASTY = ["=1+1", "+1", "-5", "@x", "'=x", "''+", "'", '"', ",", ";", "a\nb", "sì", "1,5", "_x0041_",
         "\uff1d1", "👩\u200d🍳", "0123"]
TEXTS = st.text(LETTERS, max_size=30).map(strip_invisible).map(str.strip) | st.sampled_from(NASTY)
NUMBERS = st.integers(-(10**15) + 1, 10**15 - 1)
JSON = st.dictionaries(TEXTS, NUMBERS | TEXTS | st.booleans() | st.lists(NUMBERS, max_size=3), max_size=4)


@st.composite
def campaigns(draw: st.DrawFn) -> Campaign:
    """A Feast with texts, numbers and JSON of any kind."""
    made = feast(draw(st.sampled_from(["en", "it"])))
    made.desk.title = draw(TEXTS)
    for faction in made.table(Faction):
        faction.club, faction.name_it = draw(TEXTS), draw(TEXTS)
    made.table(Node)["T1"].name = draw(TEXTS)
    made.table(Node)["T2"].x = draw(NUMBERS)
    army = made.table(Army)["R-1"]
    army.guests, army.mood = draw(st.integers(0, 500)), draw(st.sampled_from(["merry", "sober"]))
    army.hungry, army.seen = draw(st.booleans()), tuple(draw(st.lists(st.sampled_from(["T1", "T2"]), max_size=3)))
    order = made.table(Order)["1-serve-R-1"]
    order.note, order.amount = draw(TEXTS), draw(NUMBERS | TEXTS.filter(lambda t: not whole_digits(t)))
    dish = made.table(Dish)["Soup/R"]
    dish.price, dish.recipe = draw(NUMBERS | st.none()), draw(JSON)
    return made


@pytest.mark.slow
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(campaigns())
def test_a_folder_gives_the_campaign_back_and_the_same_bytes_again(tmp_path: Path, made: Campaign) -> None:
    """Writing and reading lose nothing, whatever clubs type; writing again changes no byte."""
    write_folder(made, tmp_path)
    first = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    _, back, findings = read_folder(tmp_path, FEAST)
    write_folder(back, tmp_path)

    assert findings == []
    assert plain(back) == plain(made)
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == first


@pytest.mark.slow
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(campaigns())
def test_a_workbook_gives_the_campaign_back(tmp_path: Path, made: Campaign) -> None:
    """The same for a workbook that is built, and for one that is changed from another campaign."""
    path, other = tmp_path / "a.xlsx", tmp_path / "b.xlsx"
    lang = made.desk.language
    create_workbook(FEAST, made, path, wording(lang), DeskLines())
    reading = open_book(path, loader).read()
    assert reading.findings == []
    assert plain(reading.campaign) == plain(made)

    create_workbook(FEAST, feast(lang), other, wording(lang), DeskLines())
    book = open_book(other, loader)
    book.write(book.read().campaign, made, wording(lang), DeskLines())
    assert plain(open_book(other, loader).read().campaign) == plain(made)


@pytest.mark.slow
@given(st.text(max_size=12))
def test_a_guarded_text_is_never_a_formula_and_comes_back(text: str) -> None:
    """An apostrophe stands before what a spreadsheet would calculate, and is taken off again."""
    column = Order.column("note")
    shown = guarded_text(column, text)

    assert not shown.lstrip().startswith(("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠"))
    assert unguard(shown) == column.kind.show(text)


def test_numbers_and_codes_are_not_guarded() -> None:
    """-5 in a column of numbers is a number, V-1 is a code; -5 in a note is text."""
    assert guarded_text(Dish.column("price"), -5) == "-5"
    assert guarded_text(Order.column("amount"), -5) == "-5"
    assert guarded_text(Order.column("unit"), "V-1") == "V-1"
    assert guarded_text(Order.column("note"), "-5") == "'-5"


def test_csv_is_written_as_the_standard_says(tmp_path: Path) -> None:
    """UTF-8 without a mark, line feeds, quotes where needed, field names as headings, the Desk as settings."""
    made = feast()
    made.table(Node)["T1"].name = 'High "table", sì'
    write_folder(made, tmp_path)

    assert (tmp_path / "nodes.csv").read_bytes().decode("utf-8").splitlines()[:2] == [
        "node,name,x,y,owner", 'T1,"High ""table"", sì",10,20,R']
    assert b"\r" not in (tmp_path / "nodes.csv").read_bytes()
    assert (tmp_path / "desk.csv").read_text().startswith("key,value\nruleset,feast\n")
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(
        f"{r.file}.csv" for r in FEAST.records if not (r.quiet or r.apart))


# --- tolerance ------------------------------------------------------------------------------------------
def put(folder: Path, **files: str) -> Path:
    """Files of a folder, by their name without ending."""
    for name, text in files.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8", newline="")
    return folder


@pytest.mark.parametrize("data", [
    b"\xef\xbb\xbfarmy,faction,node,guests\r\nR-1,r,T1,5\r\n",
    b"army;faction;node;guests\nR-1;R;t1;5\n",
    b"Armata\tFazione\tAl nodo\tOspiti\nR-1\tR\tT1\t5",
    "\ufeffARMY,Faction,At,Guests\nR-1,R,T1,5\n".encode("utf-16-le"),
    b"\n\nguests,node,faction,army\n\n5,T1,R,R-1\n,,,\n",
    b'"army","faction","node","guests"\n"R-1"," R ","T1","5"\n'])
def test_csv_of_any_make_is_understood(tmp_path: Path, data: bytes) -> None:
    """Marks, separators, line ends, order of columns, case, language and blank lines do not matter."""
    put(tmp_path, factions="faction\nR\n", nodes="node\nT1\n")
    (tmp_path / "Armies.CSV").write_bytes(data)
    _, made, findings = read_folder(tmp_path, FEAST)

    assert findings == []
    assert [(a.army, a.faction, a.node, a.guests, a.mood) for a in made.table(Army)] == [("R-1", "R", "T1", 5, "sober")]


def test_an_old_encoding_keeps_its_accents(tmp_path: Path) -> None:
    """CSVs that Excel saves in the Windows code page are read."""
    (tmp_path / "nodes.csv").write_bytes("node;name\nT1;Città\n".encode("cp1252"))

    assert read_folder(tmp_path, FEAST)[1].table(Node)["T1"].name == "Città"


def test_findings_of_a_folder_stand_at_the_files_cells(tmp_path: Path) -> None:
    """The cell is named as a spreadsheet shows the file; unknown columns and files are warnings only."""
    put(tmp_path, desk="key,value\nlanguage,it\nturns,4\n", factions="faction\nR\n",
        nodes="node,colour of wall\nT1,red\n",
        armies="army,faction,node,guests\nR-1,R,T9,some\n", notes="a,b\n1,2\n", expected_a="x\n", bad="\x00\n",
        roads='a,b\nT1,"T1\n')
    _, _, findings = read_folder(tmp_path, FEAST)

    assert {(f.code, f.cell, f.severity) for f in findings} == {
        (codes.UNKNOWN_SETTING, "desk.csv!A3", "warning"), (codes.UNKNOWN_COLUMN, "nodes.csv!B1", "warning"),
        (codes.NOT_NUMBER, "armies.csv!D2", "error"), (codes.UNKNOWN_REF, "armies.csv!C2", "error"),
        (codes.UNKNOWN_FILE, "", "warning")}
    assert all("{" not in wording(lang).finding(f) for f in findings for lang in ("en", "it"))


def test_a_missing_key_column_is_an_error_other_columns_take_their_defaults(tmp_path: Path) -> None:
    """Only what tells rows apart must be there."""
    put(tmp_path, factions="name_en,colour\nRed,#ff0000\n", nodes="node\nT1\n")
    _, made, findings = read_folder(tmp_path, FEAST)

    assert [(f.code, f.cell) for f in findings] == [(codes.NO_HEADING, "factions.csv!A1")]
    assert made.table(Node)["T1"].x == 0


def test_the_desk_may_be_a_wide_row_or_called_campaign(tmp_path: Path) -> None:
    """Two forms and two names of the same settings."""
    put(tmp_path, campaign="ruleset,title,turn\nfeast,=Lent,3\n")
    ruleset, made, findings = read_folder(tmp_path, None, loader)

    assert (ruleset.id, made.desk.title, made.desk.turn, findings) == ("feast", "=Lent", "3", [])


def test_a_files_name_may_be_written_like_its_sheet(tmp_path: Path) -> None:
    """Case, blanks, dashes and underscores say nothing; of two files of one table the one in our spelling counts."""
    put(tmp_path, factions="faction\nR\n", Nodes="node\nT9\n", nodes="node\nT1\n",
        **{"Battle-Results": "battle,winner\nB1,R\n", "FieldBattles": "battle\nB1\n"})
    _, made, findings = read_folder(tmp_path, FEAST)

    assert [row.node for row in made.table(Node)] == ["T1"]
    assert [(f.code, f.data["file"]) for f in findings] == [
        (codes.UNKNOWN_FILE, "FieldBattles.csv"), (codes.UNKNOWN_FILE, "Nodes.csv")]


def test_orders_of_a_new_campaign_are_numbered_for_its_first_phase(tmp_path: Path) -> None:
    """A folder may leave turn and phase to the rulebook; orders still know what they are for."""
    put(tmp_path, factions="faction\nR\n", orders="faction,verb\nR,eat\nr,eat\n")
    _, made, findings = read_folder(tmp_path, FEAST)

    assert findings == []
    assert [(o.order, o.seq) for o in made.table(Order)] == [("1-serve-R-1", 1), ("1-serve-R-2", 2)]


@pytest.mark.parametrize(("head", "verbs"), [("Faction,Order", ["eat"]), ("Fazione,Ordine", ["eat"]),
                                             ("faction,order", [""]), ("Faction,Order,Verb", [""])])
def test_what_is_ordered_may_be_headed_order(tmp_path: Path, head: str, verbs: list[str]) -> None:
    """Some rulebooks head their verbs so; beside verbs, and as a field's name, it is the key."""
    put(tmp_path, factions="faction\nR\n", orders=f"{head}\nR,eat\n")
    _, made, _ = read_folder(tmp_path, FEAST)

    assert [order.verb for order in made.table(Order)] == verbs


def test_answers_and_battle_results_go_into_their_rows(tmp_path: Path) -> None:
    """answers.csv makes rows of Questions, battle_results.csv completes rows of Battles or makes them."""
    put(tmp_path, factions="faction\nR\n", nodes="node\nT1\n", battles="battle,turn,node\nB1,1,T1\n",
        battle_results="year,phase,battle,winner,losses\n1,serve,B1,a,4\n1,serve,B2,b,=2\n",
        answers="year,phase,kind,to,about,answer\n1,serve,salt,r,T1,yes\n1,serve,hand,arbitro,,R\n")
    _, made, findings = read_folder(tmp_path, FEAST)

    assert findings == []
    assert [(b.battle, b.node, b.winner, b.losses) for b in made.table(Battle)] == [
        ("B1", "T1", "a", 4), ("B2", "", "b", "=2")]
    assert [(q.question, q.answer) for q in made.table(Question)] == [
        ("1.serve.hand.referee", "R"), ("1.serve.salt.R.T1", "yes")]


@pytest.mark.parametrize("name", ["answers", "questions"])
@pytest.mark.parametrize("desk", ["key,value\nturn,3\nphase,serve\n", ""])
def test_an_answer_without_a_year_is_for_the_present_one(tmp_path: Path, name: str, desk: str) -> None:
    """As an order is, whichever of the two files it stands in; its name is made of the other columns."""
    put(tmp_path, factions="faction\nR\n", nodes="node\nT1\n", **({"desk": desk} if desk else {}),
        **{name: "phase,kind,to,about,answer\nserve,salt,r,T1,yes\nserve,hand,arbitro,,R\n"})
    _, made, findings = read_folder(tmp_path, FEAST)

    turn = "3" if desk else "1"
    assert findings == []
    assert [(q.question, q.turn, q.answer) for q in made.table(Question)] == [
        (f"{turn}.serve.hand.referee", turn, "R"), (f"{turn}.serve.salt.R.T1", turn, "yes")]


@pytest.mark.parametrize("desk", ["phase\nserve\n", "Fase\nserve\n", "phase,serve\n", "key,value\nphase,serve\n"])
def test_a_desk_may_say_one_thing_alone(tmp_path: Path, desk: str) -> None:
    """As a wide row of one column, or as a pair."""
    put(tmp_path, factions="faction\nR\n", nodes="node\nT1\n", desk=desk)
    _, made, findings = read_folder(tmp_path, FEAST)

    assert findings == []
    assert made.desk.phase == "serve"


def test_a_folder_that_is_not_there_is_a_fault(tmp_path: Path) -> None:
    """As a file that is not there."""
    with pytest.raises(BookMissing):
        read_folder(tmp_path / "none", FEAST)


# --- rows that are handed in ------------------------------------------------------------------------------
def test_orders_from_a_csv_are_numbered_after_those_of_the_campaign(tmp_path: Path) -> None:
    """Blank ids go on; codes are spelled as the campaign does; an unknown faction is a finding."""
    put(tmp_path, anything="Fazione;Verbo;Unità;Piatti\nr;eat;R-1;3\nQ;eat;;\n")
    rows, findings = read_csv_rows(tmp_path / "anything.csv", FEAST, feast())

    assert [(o.order, o.faction, o.seq, o.amount) for o in rows if isinstance(o, Order)] == [
        ("1-serve-R-2", "R", 2, 3), ("1-serve-Q-1", "Q", 1, "")]
    assert [(f.code, f.cell) for f in findings] == [(codes.ORDER_FACTION, "anything.csv!A3")]


def test_whole_numbers_may_have_the_decimals_that_a_spreadsheet_saves(tmp_path: Path) -> None:
    """Of a turn, a column of numbers, and an amount in an order; what is no whole number stays as it was typed."""
    put(tmp_path, anything="turn,faction,order,verb,amount\n1.0,R,1,eat,3.0\n1,R,2,eat,\"3,00\"\n1,R,3,eat,3.5\n"
        "1,R,4,eat,3.000\n", armies="army,faction,node,guests\nR-9,R,T1,20.0\n", factions="faction\nR\n",
        nodes="node\nT1\n")
    rows, findings = read_csv_rows(tmp_path / "anything.csv", FEAST, feast())
    (tmp_path / "anything.csv").unlink()
    _, made, others = read_folder(tmp_path, FEAST)

    assert findings == others == []
    assert [(o.turn, o.amount) for o in rows if isinstance(o, Order)] == [
        ("1", 3), ("1", 3), ("1", "3.5"), ("1", "3.000")]
    assert made.table(Army)["R-9"].guests == 20


def test_an_answer_from_a_csv_keeps_what_was_asked(tmp_path: Path) -> None:
    """The campaign's question with the answer in it, by id or by its parts."""
    put(tmp_path, answers="question,answer\n1.serve.salt.R.T1,no\n", more="turn,phase,kind,to,about,answer\n"
        "1,serve,salt,r,T1,no\n")
    for name in ("answers", "more"):
        rows, findings = read_csv_rows(tmp_path / f"{name}.csv", FEAST, feast())

        assert findings == []
        assert [(q.question, q.answer, q.asked) for q in rows if isinstance(q, Question)] == [
            ("1.serve.salt.R.T1", "no", {"node": "T1"})]


def test_dice_and_battle_results_from_a_csv(tmp_path: Path) -> None:
    """Dice by name or headings; a battle's row keeps what the file does not say."""
    put(tmp_path, dice="purpose,dice,value,thrown_by\nsalt:2,2d6,4+5,tavolo\n", result="battle,losses\nB1,12\n")
    dice, _ = read_csv_rows(tmp_path / "dice.csv", FEAST, feast())
    battles, _ = read_csv_rows(tmp_path / "result.csv", FEAST, feast())

    assert [(d.key, d.value, d.source) for d in dice if isinstance(d, Die)] == [("salt:2", "4+5", "table")]
    assert [(b.battle, b.node, b.losses) for b in battles if isinstance(b, Battle)] == [("B1", "T2", 12)]


def test_a_csv_of_something_else_is_a_finding(tmp_path: Path) -> None:
    """What holds no orders, answers, results or dice is named."""
    put(tmp_path, shopping="bread,wine\n1,2\n", bits="\x00\x01")
    for name, code in (("shopping", codes.NO_CSV_HEADINGS), ("bits", codes.BAD_CSV)):
        rows, findings = read_csv_rows(tmp_path / f"{name}.csv", FEAST, feast())
        assert (rows, [f.code for f in findings]) == ([], [code])
    with pytest.raises(BookMissing):
        read_csv_rows(tmp_path / "none.csv", FEAST, feast())


def test_a_rule_of_the_campaign_survives_both_forms(tmp_path: Path) -> None:
    """Rules that are set come back; lines of the rulebook without a value make no rule."""
    made = feast()
    made.table(Rule).add(Rule(key="house", value="cats at table"))
    create_workbook(FEAST, made, tmp_path / "a.xlsx", wording(), DeskLines())

    assert plain(open_book(tmp_path / "a.xlsx", loader).read().campaign) == plain(made)


def test_parsing_agrees_with_the_standard_library() -> None:
    """Quoted line ends, separators and quotes."""
    rows = [["a", "b"], ['x "y", z', "line\nbreak"], ["", ";"]]
    out = io.StringIO(newline="")
    csv.writer(out).writerows(rows)

    assert parse_csv(out.getvalue().encode()) == rows


@pytest.mark.parametrize(("typed", "code"), [("09", "9"), ("009", "9"), ("V08", "V8"), ("c3", "C03"), ("E001", ""),
                                             ("11", "")])
def test_the_number_of_a_code_is_compared_as_a_number(typed: str, code: str) -> None:
    """Zeros in front may be left out or written; where that leaves two codes, none is meant."""
    known = {one.casefold(): one for one in ("9", "10", "V8", "C03", "E01", "E1")}
    assert spell_code(typed, known) == code
