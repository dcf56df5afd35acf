"""The Anarchy in safe hands: losses, changes by hand, corrections, verifying, fair dice, a club's workbook."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from assistant import desk
from assistant.campaign.records import Battle, Die
from assistant.campaign.tables import Table
from assistant.desk import CorrectionOptions, CorrectionRequest, Exit, Input, NewPlan
from assistant.desk.commands.adopt import AdoptPlan, adopt
from assistant.ledger import secret_audiences
from assistant.rulesets.anarchy.records import Die as AnarchyDie
from assistant.rulesets.anarchy.records import Loss
from assistant.testing.cases import campaign_of
from assistant.turn.dice import secret_circle
from assistant.turn.phases import current_key, is_superseded, next_version, without_superseded
from assistant.turn.ruleset import Ruleset
from assistant.workbook.read.csv_folder import write_folder
from tests import hand
from tests.anarchy.cases import Given
from tests.anarchy.scenario import LAST_DAY, PLACE
from tests.fresh import new_campaign
from tests.house.source import ROOT
from tests.once import once
from tests.playing import copy_campaign, copy_with_folder, take_lines
from tests.workbook.test_office import converted

SCRIPT = ROOT / "docs" / "verify_dice.py"
BOOK = "wallingford-1139.xlsx"


def by_hand(book: Path) -> list[tuple[str, str, str, str]]:
    """Row, field, old and new of what was changed by hand."""
    found = desk.status(book, lang="en").data["by_hand"]
    return [(one["row"], one["field"], one["old"], one["new"]) for one in found]


def put(book: Path, sheet: str, key: str, heading: str, value: Any) -> str:
    """Type into the cell of a row, as somebody in Excel would; its address."""
    file = hand.opened(book)
    rows = list(file[sheet].iter_rows())
    head = next(row for row in rows if heading in [str(c.value).strip() for c in row])
    place = [str(c.value).strip() for c in head].index(heading)
    cell = next(row for row in rows[head[0].row:] if row[0].value == key)[place]
    cell.value = value
    file.save(book)
    return f"{sheet}!{cell.coordinate}"


# --- keys of several columns ----------------------------------------------------------------------
def test_a_superseded_die_is_known_by_its_purpose() -> None:
    """The number stands in the purpose; day and phase stay, and the row that counts is known by it."""
    die = AnarchyDie(key="promise/M1", turn="2", phase="provisions", dice="1d10", value="7")
    table = Table(AnarchyDie, [die])

    old = next_version(table, die)
    table.add(old)

    assert (old.key, old.ident) == ("promise/M1~1", "promise/M1~1/2/provisions")
    assert is_superseded(old.ident)
    assert not is_superseded(die.ident)
    assert current_key(old.ident) == die.ident
    assert next_version(table, die).key == "promise/M1~2"


def test_superseded_losses_are_seen_by_no_rule() -> None:
    """What the form of a battle said before a correction is left out of what a phase is handed."""
    whole = Given({"losses": "B1-1 A1 foot 1 0 0, B1-1~1 A1 foot 2 0 0"}, 1, "movement", {}).campaign

    assert [row.battle for row in without_superseded(whole).by_sheet("Losses")] == ["B1-1"]
    assert len(whole.by_sheet("Losses")) == 2


def test_the_same_purpose_on_two_days_is_two_throws() -> None:
    """A row that is typed for one day leaves the same purpose of another day alone."""
    whole = Given({}, 3, "provisions", {}).campaign
    for turn, value in (("2", "7"), ("3", "8")):
        whole.table(Die).add(AnarchyDie(key="promise/M1", turn=turn, phase="provisions", dice="1d10", value=value))

    assert [d.ident for d in whole.table(Die)] == ["promise/M1/2/provisions", "promise/M1/3/provisions"]


# --- losses are handed in -------------------------------------------------------------------------
@pytest.fixture(scope="module")
def two_groups(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workbook with two groups, a battle that waits for its form, and one that is over; to copy from."""
    place = tmp_path_factory.mktemp("small")
    given = Given({"nodes": "0605, 0606", "armies": "A1 r 0605 S8 noble=N1:5:8, A2 a 0606 S8",
                   "battles": "B1-1 status=open turn=1 attackers=A1 defenders=A2, "
                              "B0-9 attacker fled 5 status=played turn=0"},
                  1, "movement", {})
    write_folder(given.campaign, place / "in")
    book = place / "small.xlsx"
    made = desk.new_campaign(NewPlan("anarchy", folder=place / "in", language="en", secret="ab" * 32), book, lang="en")
    assert made.exit == Exit.DONE, made.finding_lines()
    return book


@pytest.fixture
def small(two_groups: Path, tmp_path: Path) -> Path:
    """That workbook with its ledger, to play on."""
    return copy_with_folder(two_groups, tmp_path)


def losses(book: Path) -> list[tuple[str, ...]]:
    """The rows of Losses: battle, unit, rank, noble, killed, wounded, captured."""
    return [tuple(str(getattr(row, name)) for name in ("battle", "unit", "rank", "noble", "killed", "wounded",
                                                       "captured"))
            for row in campaign_of(book).by_sheet("Losses")]


@pytest.mark.slow
def test_losses_come_as_a_file_as_lines_and_in_a_workbook(small: Path) -> None:
    """Two rows of one unit stay two; what is there already is not taken twice; nothing of it is a change by hand."""
    file = small.parent / "losses.csv"
    file.write_text("battle,unit,rank,killed\nB1-1,A1,S,1\nB1-1,A1,S,2\n", encoding="utf-8")
    for taken in (2, 0):
        result = desk.take_orders(small, [Input(file.name, path=file)], lang="en")
        assert result.exit == Exit.DONE, result.finding_lines()
        assert sum(one["how"] == "new" for one in result.data["taken"]) == taken
    result = take_lines(
        small, "losses B1-1 A2 S 1 2", "Perdite B1-1 A1 noble N1 wounded=1", "losses B1-1 A2 S captured=3"
    )
    assert result.exit == Exit.DONE, result.finding_lines()
    returned = small.parent / "returned.xlsx"
    shutil.copy(small, returned)
    put(returned, "Losses", "B1-1", "Wounded", 4)
    assert desk.take_orders(small, [Input(returned.name, path=returned)], lang="en").exit == Exit.DONE

    assert sorted(losses(small)) == [
        ("B1-1", "A1", "foot", "", "1", "4", "0"), ("B1-1", "A1", "foot", "", "2", "0", "0"),
        ("B1-1", "A1", "noble", "N1", "0", "1", "0"), ("B1-1", "A2", "foot", "", "1", "2", "3")]
    assert by_hand(small) == []


@pytest.mark.parametrize("line", ["losses B1-1", "losses B1-1 A1 S many", "losses B1-1 A1 shoes=2"])
def test_a_line_of_losses_that_does_not_fit_is_told_what_the_sheet_takes(small: Path, line: str) -> None:
    """The finding names the sheet's own headings."""
    result = take_lines(small, line)

    assert result.exit == Exit.REFUSED
    assert "Unit (a group, a castle, levy" in " ".join(result.lines)


def test_losses_of_a_battle_that_is_over_come_too_late(small: Path) -> None:
    """The way then is a correction, and nothing is written."""
    before = small.read_bytes()

    result = take_lines(small, "losses B0-9 A1 S 1")

    assert result.exit == Exit.REFUSED
    assert result.findings[0].where.table == "Losses"
    assert small.read_bytes() == before


def test_a_word_goes_to_the_column_of_the_form_that_knows_it(small: Path) -> None:
    """``battle B1-1 auto`` asks for the umpire's dice; no number of turns is called auto."""
    assert take_lines(small, "battle B1-1 auto").exit == Exit.DONE

    row: Any = campaign_of(small).table(Battle)["B1-1"]
    assert (row.played, row.turns, row.outcome) == ("auto", "", "")


def test_the_form_of_an_open_battle_is_judged_when_it_is_handed_in_and_checked(small: Path) -> None:
    """A unit that does not fight, captives of the winner, turns beyond the battle: named at their cells beforehand."""
    assert desk.check(small, lang="en").findings == []

    result = take_lines(small, "battle B1-1 attacker fled 15", "losses B1-1 A9 S 1", "losses B1-1 A1 S captured=1")

    named = {("Battles", "B1-1", "turns", "ANA-803"), ("Losses", "B1-1/A9/foot/", "unit", "ANA-806"),
             ("Losses", "B1-1/A1/foot/", "captured", "ANA-805")}
    for found in (result.findings, desk.check(small, lang="en").findings):
        assert {(f.where.table, f.where.row, f.where.field, f.code) for f in found} == named


@pytest.mark.slow
def test_a_form_that_cannot_be_taken_is_what_is_to_be_done_next(small: Path) -> None:
    """Its cell and what is wrong with it, instead of that all is there; put right, it is no more."""
    take_lines(small, "battle B1-1 attacker fled 15")
    steps = desk.status(small, lang="en").data["next"]
    assert steps[0].startswith("Put right the answer at Battles!")
    assert "attacker after 15 turns is not possible" in steps[0]

    take_lines(small, "battle B1-1 attacker fled 9")
    assert not any(step.startswith("Put right") for step in desk.status(small, lang="en").data["next"])


def test_losses_are_people_s_own_until_they_are_counted() -> None:
    """Then they are settled: who changes them is named."""
    holds = {status: Loss(battle="B1-1", unit="A1", rank="foot", killed=1, status=status).hold
             for status in ("", "counted", "superseded")}

    assert holds == {"": "typed", "counted": "settled", "superseded": "settled"}


# --- the scripted days ----------------------------------------------------------------------------
def handed_in(book: Path, *names: str) -> None:
    """Files of the scenario's script, all of which are taken."""
    taken = desk.take_orders(book, [Input(f"{name}.csv", path=PLACE / f"{name}.csv") for name in names], lang="en")
    assert taken.exit == Exit.DONE, taken.finding_lines()


@pytest.fixture(scope="module")
def scripted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Wallingford, its eight days played through the commands; a phase waited for its answers on the way."""
    def play(home: Path) -> None:
        book = new_campaign(home / BOOK, "anarchy", secret="ab" * 32)
        handed_in(book, "orders", "dice", "battle_results", "losses")
        assert desk.resolve(book, until=f"{LAST_DAY}.close", lang="en").exit == Exit.WAITING
        handed_in(book, "answers")
        played = desk.resolve(book, until=f"{LAST_DAY}.close", lang="en")
        assert played.exit == Exit.DONE, played.finding_lines()

    return once(tmp_path_factory, "wallingford", play)


@pytest.fixture
def book(scripted: Path, tmp_path: Path) -> Path:
    """A copy of it with its ledger."""
    return copy_campaign(scripted / BOOK, tmp_path)


def verified(book: Path) -> bool:
    """Whether the workbook is what its beginning makes of it."""
    result = desk.verify(book, lang="en")
    assert result.findings == [], result.finding_lines()
    return bool(result.data["verified"])


@pytest.mark.slow
def test_eight_days_are_verified_and_nothing_is_told_by_hand(book: Path) -> None:
    """An opening and six phases a day are the same again; a phase that waited in between is no difference."""
    assert by_hand(book) == []
    assert verified(book)
    assert desk.verify(book, lang="en").data["phases"] == 1 + 6 * LAST_DAY


@pytest.mark.slow
def test_libreoffice_saves_days_and_halves_without_a_change(book: Path) -> None:
    """Half pounds are numbers in the cells; saved by another program they are the same, and nothing is accused."""
    money = {row.army: row.money for row in campaign_of(book).by_sheet("Armies")}
    assert any(half % 2 for half in money.values())
    shutil.copy(converted(book, "xlsx"), book)

    assert by_hand(book) == []
    assert {row.army: row.money for row in campaign_of(book).by_sheet("Armies")} == money
    put(book, "Armies", "A-STE", "Purse £", 12.5)
    assert by_hand(book) == [("A-STE", "money", "53", "12.5")]
    accepted = desk.accept(book, ["Armies!A-STE.money"], why="counted again", lang="en")
    assert accepted.exit == Exit.DONE, accepted.finding_lines()
    assert campaign_of(book).by_sheet("Armies")["A-STE"].money == 25
    assert verified(book)


@pytest.mark.slow
def test_changes_by_hand_are_told_from_what_clubs_may_type(book: Path) -> None:
    """Clubs set commanders and postures; prestige, loyalty and counted losses are named, kept or put back."""
    for heading, value in (("On meeting", "attack"), ("If attacked", "refuse"), ("Joins battles", "no")):
        put(book, "Armies", "A-STE", heading, value)
    assert by_hand(book) == []
    put(book, "Nobles", "ROB", "Prestige", 3)
    put(book, "Armies", "A-ROB", "Loyalty", 5)
    put(book, "Losses", "B4-1", "Killed", 4)
    assert [(row, field) for row, field, _, _ in by_hand(book)] == [
        ("A-ROB", "loyalty"), ("ROB", "prestige"), ("B4-1/A-ROB/light/", "killed")]
    assert desk.resolve(book, lang="en").exit == Exit.REFUSED

    assert desk.revert(book, ["Losses!B4-1/A-ROB/light/.killed"], lang="en").exit == Exit.DONE
    accepted = desk.accept(book, [], why="agreed by letter", everything=True, lang="en")
    assert {(one["row"], one["audience"]) for one in accepted.data["accepted"]} == {
        ("A-ROB", "angevin"), ("ROB", "all")}
    assert by_hand(book) == []
    assert verified(book)
    assert desk.report(book, book.parent / "told", lang="en").exit == Exit.DONE
    for who, told in (("angevin", True), ("royal", False), ("gazette", False)):
        text = (book.parent / "told" / f"{who}.txt").read_text(encoding="utf-8")
        assert "agreed by letter" in text
        assert ("Loyalty: 5" in text) == told, who


LOSSES = "battle,unit,rank,noble,killed,wounded,captured\nB4-1,A-ROB,light,,2,0,0\nB4-1,A-BOH,knights,,0,0,0\n"
CORRECTIONS: dict[str, tuple[CorrectionRequest, set[tuple[str, str, str]]]] = {
    "a die, of the day on which it was thrown": (
        CorrectionRequest((Input("die", text="die promise/M-WE1 8 1d10"),)),
        {("Dice", "promise/M-WE1/2/provisions", "value")}),
    "an answer, by its name": (
        CorrectionRequest((Input("answer", text="answer convoy/A-MEU/1601/C-OXF pass"),)),
        {("Armies", "A-MEU", "money"), ("Places", "witney", "resources"), ("Convoys", "C-OXF", "cargo")}),
    "an order that was never given": (
        CorrectionRequest(withdraw=("D8-01",)),
        {("Armies", "A-MEU", "money"), ("Armies", "A-MIL", "money"), ("Nobles", "VER", "state")}),
    "losses": (
        CorrectionRequest((Input("losses.csv", path=Path("losses.csv")),)),
        {("Armies", "A-ROB", "light")}),
    "a battle's form": (
        CorrectionRequest((Input("battle", text="battle B7-1 how=fled turns=10"),)),
        {("Battles", "B7-1", "how")}),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", CORRECTIONS)
def test_the_past_of_the_days_is_corrected(book: Path, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shown first, written in one step, verified, and undone to the very bytes. Nobody orders in the past: what might
    be ordered next, which takes long, is not sought for its pages.
    """
    wish, expected = CORRECTIONS[what]
    monkeypatch.setattr(Ruleset, "legal_orders", None)
    monkeypatch.chdir(book.parent)
    Path("losses.csv").write_text(LOSSES, encoding="utf-8")
    before = book.read_bytes()
    shown = desk.correct(book, wish, CorrectionOptions(defaults=True), lang="en")
    assert shown.exit == Exit.DONE, shown.finding_lines()
    assert book.read_bytes() == before
    differ = {(one["sheet"], one["row"], one["field"]) for one in shown.data["differences"]}
    changed = {(one["sheet"], one["row"], name) for one in shown.data["corrections"] for name in one["fields"]}
    assert expected <= differ | changed

    done = desk.correct(book, wish, CorrectionOptions("misread", defaults=True), confirm=lambda _: True, lang="en")
    assert done.data["committed"], done.finding_lines()
    for one in shown.data["corrections"]:
        table = campaign_of(book).by_sheet(one["sheet"])
        assert [key for key, _ in table.in_file_order() if current_key(key) == one["row"] and is_superseded(key)]
    assert by_hand(book) == []
    assert verified(book)
    assert desk.undo(book, lang="en").exit == Exit.DONE
    assert book.read_bytes() == before
    assert desk.redo(book, lang="en").exit == Exit.DONE
    assert verified(book)


@pytest.mark.slow
def test_undo_carries_losses_that_were_typed_since(tmp_path: Path) -> None:
    """The form of a battle to come stays when days are taken back, and the counted rows count again."""
    book = new_campaign(tmp_path / BOOK, "anarchy", secret="ab" * 32)
    handed_in(book, "orders", "answers", "dice", "battle_results", "losses")
    assert desk.resolve(book, until="4.close", lang="en").exit == Exit.DONE
    settled = {row.battle for row in campaign_of(book).by_sheet("Losses") if row.status}
    assert settled == {"B2-1", "B4-1", "B4-2", "B4-3"}
    assert take_lines(book, "losses B7-1 A-BOH B 1").exit == Exit.DONE

    assert desk.undo(book, to="4.movement", lang="en").exit == Exit.DONE

    rows = {(row.battle, row.unit, row.rank): row for row in campaign_of(book).by_sheet("Losses")}
    assert {row.battle for row in rows.values() if row.status} == {"B2-1"}
    assert rows["B7-1", "A-BOH", "bows"].killed == 1
    assert desk.resolve(book, until="4.close", lang="en").exit == Exit.DONE
    assert verified(book)


# --- fair dice ------------------------------------------------------------------------------------
def said(*reports: Path) -> Iterator[tuple[str, str]]:
    """What the public script says, line by line: of what, and the verdict."""
    done = subprocess.run([sys.executable, "-I", str(SCRIPT), *map(str, reports)], capture_output=True, text=True,
                          check=True)
    for line in done.stdout.splitlines():
        what, verdict = re.fullmatch(r"(secret \S+ \S+|\S+ \S+ \S+) (.+)", line).groups()  # type: ignore[union-attr]
        yield what, verdict


@pytest.fixture(scope="module")
def thrown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Wallingford by robots and by the assistant's dice, a report before the first day and after each."""
    home = tmp_path_factory.mktemp("thrown")
    book = new_campaign(home / BOOK, "anarchy", secret="ab" * 32)
    for name in ("orders", "battle_results", "losses"):
        assert desk.take_orders(book, [Input(name, path=PLACE / f"{name}.csv")], lang="en").exit in (0, 1)
    for day in range(LAST_DAY + 1):
        assert desk.report(book, home / f"{day}", lang="en").exit == Exit.DONE
        goal = f"{day}.close" if day else "opening"
        while (done := desk.resolve(book, until=goal, robots=("royal", "angevin"), defaults=True)).exit == Exit.WAITING:
            assert take_lines(book, *(f"{q.kind} {q.about} auto" for q in done.questions)).exit == Exit.DONE
        assert done.exit == Exit.DONE, done.finding_lines()
    assert desk.report(book, home / f"{LAST_DAY + 1}", lang="en").exit == Exit.DONE
    return home


@pytest.mark.slow
def test_every_die_of_the_days_can_be_made_again(thrown: Path) -> None:
    """Each reader's reports hold its own throws, each once, all proved by the secrets of their day."""
    dice = [d for d in campaign_of(thrown / BOOK).table(Die) if d.audience]
    assert len({(d.turn, d.key) for d in dice}) == len(dice)  # one secret a day: a purpose belongs to one phase
    promised = set(secret_audiences(["royal", "angevin"]))
    assert {secret_circle(d.audience) for d in dice} <= promised
    assert any("+" in d.audience for d in dice)
    for who in ("royal", "angevin", "gazette", "referee"):
        reports = [thrown / str(day) / f"{who}.json" for day in range(LAST_DAY + 2)]
        told = list(said(*reports))
        mine = [d for d in dice if who == "referee" or d.audience == "public" or who in d.audience.split("+")]
        throws = [what for what, _ in told if not what.startswith("secret")]
        assert sorted(throws) == sorted(f"{d.turn} {d.key} {d.value}" for d in mine), who
        assert {verdict for _, verdict in told} == {"agrees", "as promised"}, who
        whose = {what.split()[2] for what, _ in told if what.startswith("secret")}
        assert whose == {"gazette": {"public"}, "referee": promised}.get(who, {"public", who, "angevin+royal"})
    assert verified(thrown / BOOK)


@pytest.mark.slow
def test_luck_of_the_days_counts_every_throw(thrown: Path) -> None:
    """The same purpose on two days counts twice; kinds have names, and a day's report tells of no luck yet."""
    dice = [d for d in campaign_of(thrown / BOOK).table(Die) if d.audience]
    result = desk.luck(thrown / BOOK, lang="en")

    assert sum(row["dice"] for row in result.data["throws"]) == len(dice)
    assert not [row for row in result.data["throws"] if "/" in row["kind"]]
    assert "Umpire's dice in battles" in "\n".join(result.lines)
    page = json.loads((thrown / str(LAST_DAY) / "royal.json").read_text(encoding="utf-8"))
    assert page["luck"] == []


# --- a club's own workbook ------------------------------------------------------------------------
CLUB: dict[str, list[list[Any]]] = {
    "Partiti": [["Sigla", "Nome", "Colore"], ["royal", "Realisti", "#C62828"], ["angevin", "Angioini", "#2E7D32"]],
    "Mappa": [["Esagono", "Nome", "Terreno"], [605, "Salisbury", "open"], ["0606", None, "hill"],
              ["0705", "Wilton", "forest"], ["1209", "Marlborough", "open"]],
    "Gruppi": [["Gruppo", "Nome", "Fazione", "Esagono", "Comandante", "Cassa £", "K", "S"],
               ["A-STE", "Re Stefano", "royal", 605, "STE", 24.5, 4, 6],
               ["A-ROB", "Roberto", "angevin", "1209", "ROB", 12, 3, 5]],
    "Nobili": [["Nobile", "Nome", "Fazione", "Prestigio", "Lealtà", "Con"],
               ["STE", "Re Stefano", "royal", 9, 10, "A-STE"], ["ROB", "Roberto", "angevin", 9, 1, "A-ROB"]],
    "Appunti": [["ricordarsi la birra"]],
}


@pytest.mark.slow
def test_a_club_s_hex_campaign_is_adopted_and_played(tmp_path: Path) -> None:
    """Sheets and columns are told by their Italian headings, hexes that Excel made numbers of are codes again;
    a day is played, and the notes stay.
    """
    book = tmp_path / "club.xlsx"
    file = openpyxl.Workbook()
    file.remove(file.worksheets[0])
    for title, rows in CLUB.items():
        sheet = file.create_sheet(title)
        for row in rows:
            sheet.append(row)
    file.save(book)

    done = adopt(AdoptPlan("anarchy", commit=True), book, lang="en")
    assert done.exit == Exit.DONE, done.finding_lines()
    assert desk.resolve(book, until="1.close", defaults=True, lang="en").exit == Exit.DONE
    assert by_hand(book) == []
    assert verified(book)
    assert campaign_of(book).by_sheet("Armies")["A-STE"].money == 49
    assert campaign_of(book).by_sheet("Armies")["A-STE"].node == "0605"
    assert hand.opened(book)["Mappa"]["A2"].value == 605
    assert hand.opened(book)["Appunti"]["A1"].value == "ricordarsi la birra"
