"""Fair dice that anyone can check: the script of the manual, run by itself over the reports that clubs get."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from assistant import desk
from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.tables import Table
from assistant.desk.commands.new_campaign import demo
from assistant.ledger import Ledger, path_of_ledger, secret_audiences
from assistant.reporting.build import build_page
from assistant.reporting.pages import ReportPage
from assistant.reporting.render import render_html, render_json, render_text
from assistant.turn.dice import Dice, audience_secret, commitment
from tests.house.source import ROOT
from tests.once import once
from tests.reporting.feud import FEUD, campaign, wording

SCRIPT = ROOT / "docs" / "verify_dice.py"
MANUAL = ROOT / "docs" / "verify-dice.md"
CLUBS = ("V", "M", "F", "P", "HRI", "SV", "S", "FR", "T", "CH")
TURN_SECRET = bytes(range(32))
CIRCLES = secret_audiences(["R", "B", "G"])
THROWS = (("siege:K1:3", "1d6", "B+R"), ("storm:3", "2d10", "public"), ("plot:R:3", "3d6", "R"),
          ("plot:B:3", "1d6", "B"), ("council:3", "1d20", "B+G+R"), ("oracle:3", "1d6", "referee"))


def run(*reports: Path) -> dict[str, str]:
    """What the script says of each throw and secret, run by a Python that finds nothing of this house."""
    done = subprocess.run([sys.executable, "-I", str(SCRIPT), *map(str, reports)], capture_output=True, text=True,
                          check=True, cwd=reports[0].parent)
    told = {}
    for line in done.stdout.splitlines():
        what, said = re.fullmatch(r"(secret \S+ \S+|\S+ \S+ \S+) (.+)", line).groups()  # type: ignore[union-attr]
        assert what not in told
        told[what] = said
    return told


@pytest.mark.parametrize("text", [None, "hello", "[]", "{}"])
def test_a_file_that_is_no_report_is_named(text: str | None, tmp_path: Path) -> None:
    """In one sentence, for whoever mistypes a name."""
    if text is not None:
        (tmp_path / "before.json").write_text(text)
    done = subprocess.run([sys.executable, "-I", str(SCRIPT), "before.json"], capture_output=True, text=True,
                          check=False, cwd=tmp_path)

    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("Not all of these are reports in JSON here: before.json (")


# --- a hand-made turn ---------------------------------------------------------------------------
def _clear_dice(whole: Campaign) -> Table[base.Die]:
    table = whole.table(base.Die)
    for old in list(table):
        table.remove(old.ident)
    return table


def played() -> Campaign:
    """The hills after turn 3, with a throw for each circle and one that was typed in."""
    whole = campaign()
    dice = Dice("3", TURN_SECRET)
    table = _clear_dice(whole)
    for key, notation, audience in THROWS:
        roll = dice.roll(key, notation, audience)
        table.add(base.Die(key=key, dice=notation, value=roll.value, turn="3", phase="war", source="assistant",
                           audience=audience))
    table.add(base.Die(key="typed:3", dice="2d6", value="9", turn="3", phase="war", source="table", audience="public"))
    return whole


def secrets_of(turn: str) -> dict[str, str]:
    """All secrets of a turn, as a ledger has them."""
    return {circle: audience_secret(TURN_SECRET, turn, circle).hex() for circle in CIRCLES}


def report(whole: Campaign, faction: str) -> ReportPage:
    """The report after turn 3, handed everything."""
    promised = {circle: commitment(bytes.fromhex(s)) for circle, s in secrets_of("4").items()}
    return build_page(FEUD, FEUD.view(whole, faction), faction, wording(), 0, promised, {"3": secrets_of("3")})


def saved(folder: Path, whole: Campaign, faction: str = "R") -> Path:
    """The report after turn 3 for programs, in a file."""
    place = folder / f"{faction}.json"
    place.write_text(render_json(report(whole, faction)), encoding="utf-8")
    return place


def promises(folder: Path, turn_secret: bytes = TURN_SECRET) -> Path:
    """A report from before turn 3, with what was promised of it to Red."""
    before = campaign()
    before.desk.turn = "3"
    _clear_dice(before)
    promised = {circle: commitment(audience_secret(turn_secret, "3", circle)) for circle in CIRCLES}
    page = build_page(FEUD, FEUD.view(before, "R"), "R", wording(), 0, promised)
    place = folder / "before.json"
    place.write_text(render_json(page), encoding="utf-8")
    return place


def test_the_script_has_sixteen_lines_of_plain_python() -> None:
    """At most sixteen lines with something on them, and nothing imported but Python's own."""
    lines = [line for line in SCRIPT.read_text(encoding="utf-8").splitlines() if line.strip()]

    assert len(lines) <= 16
    assert [line for line in lines if "import" in line] == [lines[0]]
    assert set(re.findall(r"\w+", lines[0].split("#")[0])) == {"import", "hashlib", "hmac", "json", "sys"}


def test_the_manual_shows_the_very_script() -> None:
    """What a reader copies from the page is the script that these tests run."""
    assert f"```python\n{SCRIPT.read_text(encoding='utf-8')}```" in MANUAL.read_text(encoding="utf-8")


def test_every_die_that_red_may_know_is_made_again(tmp_path: Path) -> None:
    """Public, own and shared throws agree, a typed one is called so, three factions' die waits for the end."""
    told = run(promises(tmp_path), saved(tmp_path, played()))

    thrown = {key: said for key, said in told.items() if not key.startswith("secret")}
    assert {key.split()[1]: said for key, said in thrown.items()} == {
        "siege:K1:3": "agrees", "storm:3": "agrees", "plot:R:3": "agrees", "typed:3": "thrown at the table",
        "council:3": "secret not known yet"}
    assert [said for key, said in told.items() if key.startswith("secret")] == ["as promised"] * 4


def test_a_forged_die_is_found(tmp_path: Path) -> None:
    """One changed digit on the Dice sheet, and the script says what the secret makes of it."""
    whole = played()
    die = whole.table(base.Die)["siege:K1:3"]
    right = die.value
    die.value = str(int(right) % 6 + 1)

    told = run(saved(tmp_path, whole))

    assert told[f"3 siege:K1:3 {die.value}"] == f"FALSE: it makes {right}"
    assert [key for key, said in told.items() if said.startswith("FALSE")] == [f"3 siege:K1:3 {die.value}"]


def test_a_die_that_a_correction_superseded_is_no_forged_one(tmp_path: Path) -> None:
    """The row that was in force before stands on the sheet, not among the throws to check."""
    whole = played()
    old = whole.table(base.Die)["siege:K1:3"].copy()
    old.key = "siege:K1:3~1"
    whole.table(base.Die).add(old)

    assert not [said for said in run(saved(tmp_path, whole)).values() if said.startswith("FALSE")]


def test_a_die_that_was_changed_between_two_reports_is_found(tmp_path: Path) -> None:
    """What an earlier report showed is held against the secret, too."""
    first = saved(tmp_path, played())
    earlier = tmp_path / "earlier.json"
    forged = json.loads(first.read_text(encoding="utf-8"))
    for die in forged["rulings"]["thrown"]:
        die["value"] = "1+1+1" if die["key"] == "plot:R:3" else die["value"]
    earlier.write_text(json.dumps(forged), encoding="utf-8")

    assert run(earlier, first)["3 plot:R:3 1+1+1"].startswith("FALSE")


def test_a_secret_that_is_not_the_one_promised_is_found(tmp_path: Path) -> None:
    """A referee who looks for a kinder secret afterwards cannot keep the promise."""
    told = run(promises(tmp_path, bytes(32)), saved(tmp_path, played()))

    assert {said for key, said in told.items() if key.startswith("secret")} == {"FALSE: another one was promised"}


def test_the_first_promise_counts(tmp_path: Path) -> None:
    """A later report that promises something else does not wipe out the earlier one."""
    first, later = promises(tmp_path, bytes(32)).rename(tmp_path / "first.json"), promises(tmp_path)

    told = run(first, later, saved(tmp_path, played()))

    assert {said for key, said in told.items() if key.startswith("secret")} == {"FALSE: another one was promised"}


def package(page: ReportPage) -> str:
    """All twins of a page."""
    return render_html(page) + render_text(page) + render_json(page)


@pytest.mark.parametrize("faction", ["R", "B", "G"])
def test_a_report_holds_the_secrets_of_its_reader_and_no_others(faction: str) -> None:
    """Though the page is handed everything: public, own, shared; each in all twins; of others not a digit."""
    page = report(played(), faction)
    mine = {circle for circle in CIRCLES if circle == "public" or faction in circle.split("+")}

    for circle, secret in secrets_of("3").items():
        for twin in (render_html(page), render_text(page), render_json(page)):
            assert (secret in twin) == (circle in mine), circle
            assert (commitment(audience_secret(TURN_SECRET, "4", circle)) in twin) == (circle in mine), circle
    assert TURN_SECRET.hex() not in package(page)


def test_the_referees_secret_is_shown_when_the_campaign_is_over(tmp_path: Path) -> None:
    """Then the die of three factions can be made again by each of them."""
    whole = played()
    whole.desk.phase = "over"

    told = run(saved(tmp_path, whole))

    (council,) = [said for key, said in told.items() if " council" in key]
    assert council == "agrees"
    assert secrets_of("3")["B"] not in package(report(whole, "R"))


def test_a_secret_of_others_changes_no_byte() -> None:
    """Whatever Blue's secrets and dice are, Red's package is the same."""
    whole, other = played(), played()
    other.table(base.Die)["plot:B:3"].value = "6" if other.table(base.Die)["plot:B:3"].value != "6" else "1"
    changed = {**secrets_of("3"), "B": "00" * 32, "B+G": "11" * 32, "referee": "22" * 32}
    page = build_page(FEUD, FEUD.view(other, "R"), "R", wording(), 0, {}, {"3": changed})
    same = build_page(FEUD, FEUD.view(whole, "R"), "R", wording(), 0, {}, {"3": secrets_of("3")})

    assert package(page) == package(same)


# --- a whole year, and a summer of robots ---------------------------------------------------------
def robots_on(book: Path, until: str) -> None:
    """Play on with robots; the umpire's dice fight the battles."""
    while (done := desk.resolve(book, until=until, robots=CLUBS, defaults=True)).exit == desk.Exit.WAITING:
        lines = "\n".join(f"{q.kind} {q.about} auto" for q in done.questions)
        assert desk.take_orders(book, [desk.Input("answers", text=lines)]).exit == desk.Exit.DONE
    assert done.exit == desk.Exit.DONE, done.finding_lines()


def play_two_years(home: Path) -> None:
    """The demo, then the year 1501 by robots: reports of its spring, of its end, and of the winter alone."""
    assert demo(home, ruleset="giglio", lang="en").exit == desk.Exit.DONE
    book = home / "italy-1500.xlsx"
    assert desk.report(book, home / "reports" / "before", lang="en").exit == desk.Exit.DONE
    robots_on(book, "1501.r10.siege")
    assert desk.report(book, home / "reports" / "autumn", lang="en").exit == desk.Exit.DONE
    robots_on(book, "1501.winter")
    assert desk.report(book, home / "reports" / "after", lang="en").exit == desk.Exit.DONE


@pytest.fixture(scope="session")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of all these reports."""
    return once(tmp_path_factory, "two-years", play_two_years) / "reports"


def rulings(place: Path) -> dict[str, Any]:
    """The dice of a report for programs."""
    found: dict[str, Any] = json.loads(place.read_text(encoding="utf-8"))["rulings"]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("club", [*CLUBS, "gazette"])
def test_every_die_of_the_demo_year_and_of_the_robots_summer_agrees(reports: Path, club: str) -> None:
    """No report's die is false; those of the scripted year are typed, all that the robots needed agree."""
    name = f"{club}.json"
    scripted = run(reports / "start" / name, reports / "1500" / name)
    summer = run(reports / "before" / name, reports / "after" / name)

    assert {said for key, said in scripted.items() if not key.startswith("secret")} == {"thrown at the table"}
    thrown = {d["key"]: d for d in rulings(reports / "after" / name)["thrown"] if d["turn"] == "1501"}
    assert thrown
    for key, die in thrown.items():
        expected = "thrown at the table" if die["source"] == "table" else "agrees"
        assert summer[f"1501 {key} {die['value']}"] == expected
    assert sum(said == "agrees" for said in summer.values()) >= 20
    promised = {key: said for one in (scripted, summer) for key, said in one.items() if key.startswith("secret")}
    assert set(promised.values()) == {"as promised"}
    assert len(promised) == (2 if club == "gazette" else 2 * 11)


@pytest.mark.slow
def test_the_referee_checks_all_dice(reports: Path) -> None:
    """Every circle's promises and secrets are in the referee's report, and every die agrees."""
    told = run(reports / "before" / "referee.json", reports / "after" / "referee.json")

    assert set(told.values()) == {"agrees", "as promised", "thrown at the table"}
    assert len((reports / "after" / "referee.html").read_bytes()) < 100_000


@pytest.mark.slow
def test_no_report_shows_a_secret_that_is_not_its_readers(reports: Path) -> None:
    """All files of all readers are searched for all secrets of all turns; those of an unfinished turn are nowhere."""
    book = reports.parent / "italy-1500.xlsx"
    with Ledger.open(path_of_ledger(book), "") as ledger:
        secrets = {turn: ledger.secrets(turn) for turn in ledger.commitments()}
    assert set(secrets) == {"1500", "1501", "1502"}
    over = {"start": (), "1500": ("1500",), "before": ("1500",), "autumn": ("1500",), "after": ("1501",)}

    for folder, ended in over.items():
        for file in (path for path in (reports / folder).iterdir() if path.is_file()):
            text = file.read_text(encoding="utf-8")
            for turn, circles in secrets.items():
                for circle, secret in circles.items():
                    reader = file.name.partition(".")[0].removesuffix("-whole")
                    mine = reader == "referee" or circle == "public" or reader in circle.split("+")
                    shown = ".chat." not in file.name and (  # a page that is cut has its uncut one beside it
                        file.suffix != ".html" or not (file.with_name(f"{reader}-whole.html").exists()
                                                       and file.stem == reader))
                    if not (turn in ended and mine):
                        assert secret not in text, (folder, file.name, turn, circle)
                    elif shown and not file.stem.startswith("index"):
                        assert secret in text, (folder, file.name, turn, circle)


@pytest.mark.slow
def test_the_example_of_the_manual_is_true(reports: Path, tmp_path: Path) -> None:
    """The digits, the throw and the lines that the page quotes are those of Venice's reports."""
    text = MANUAL.read_text(encoding="utf-8")
    quoted = re.findall(r"\b[0-9a-f]{64}\b", text)
    for name in ("before.json", "after.json"):
        shutil.copyfile(reports / name.split(".")[0] / "V.json", tmp_path / name)
    told = {f"{key} {said}" for key, said in run(tmp_path / "before.json", tmp_path / "after.json").items()}

    proofs = {p["value"] for one in ("before", "after") for p in rulings(reports / one / "V.json")["proofs"]["items"]}
    assert quoted
    assert set(quoted) <= proofs
    shown = [line for block in re.findall(r"```text\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
    assert shown
    assert [line for line in shown if line != "..." and line not in told and not line.startswith("python")] == []
