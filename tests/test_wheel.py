"""What a stranger installs: the built wheel, in a fresh environment, far from the checkout."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from assistant.cli.app import app_in_language
from assistant.desk.commands.help_pages import all_pages

ROOT = Path(__file__).resolve().parents[1]
PLUGIN = ROOT / "tests" / "plugin" / "wells"
ITALIANS = 10  # factions of the scenario that comes along

pytestmark = pytest.mark.slow


def run(command: Sequence[object], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, with nothing of this test's environment that could lead to the checkout."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL_ENV"))}
    return subprocess.run([str(word) for word in command], cwd=folder, env=clean, capture_output=True, text=True,
                          check=False)


def must(command: Sequence[object], folder: Path) -> str:
    """Run a command that has to succeed and return its standard output."""
    done = run(command, folder)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def build(source: Path, out: Path) -> Path:
    """Build the wheel of a project and return it."""
    must([sys.executable, "-m", "build", "--wheel", "--outdir", out, source], out.parent)
    (wheel,) = out.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of a fresh environment in which the wheel and the plug-in are installed."""
    home = tmp_path_factory.mktemp("installed")
    must([sys.executable, "-m", "venv", home / "venv"], home)
    folder = home / "venv" / ("Scripts" if os.name == "nt" else "bin")
    plugin = home / "plugin"
    shutil.copytree(PLUGIN, plugin, ignore=shutil.ignore_patterns("__pycache__"))
    must([folder / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel,
          build(plugin, home / "dist")], home)
    return folder


@pytest.fixture
def arbitro(programs: Path) -> Path:
    """The installed command."""
    return programs / "arbitro"


def test_the_wheel_holds_templates_scenarios_and_compiled_catalogues(wheel: Path) -> None:
    """Everything of reports/ and workbook_templates/ ships, and for each catalogue its compiled form."""
    shipped = set(zipfile.ZipFile(wheel).namelist())

    wanted = {f"assistant/{path.relative_to(ROOT).as_posix()}"
              for name in ("reports", "workbook_templates") for path in (ROOT / name).rglob("*")
              if path.is_file() and path.suffix in (".j2", ".css", ".csv", ".po", ".json", ".otf", ".ttf", ".txt")}
    wanted |= {path.relative_to(ROOT).as_posix() for path in (ROOT / "assistant").rglob("words.toml")}
    compiled = {name[:-2] + "mo" for name in wanted if name.endswith(".po")}
    assert any(name.endswith(".j2") for name in wanted)
    assert any(name.endswith("nodes.csv") for name in wanted)
    assert any(name.endswith("turn/orders/words.toml") for name in wanted)
    assert compiled
    assert sorted((wanted | compiled) - shipped) == []


def test_the_wheel_carries_the_pages_of_help(wheel: Path, arbitro: Path, tmp_path: Path) -> None:
    """Made when it was built, and the same as the checkout's; the installed command shows them."""
    with zipfile.ZipFile(wheel) as made:
        carried = {name.removeprefix("assistant/pages/"): made.read(name).decode("utf-8")
                   for name in made.namelist() if name.startswith("assistant/pages/")}
    assert carried == all_pages(app_in_language)
    app_in_language("en")
    assert "### Orders / Ordini" in must([arbitro, "--lang", "it", "help", "sheets"], tmp_path).splitlines()


def test_the_wheel_carries_its_licence(wheel: Path) -> None:
    """The licence travels with the program."""
    assert any(name.endswith("licenses/LICENSE") for name in zipfile.ZipFile(wheel).namelist())


def test_the_installed_command_knows_both_rulesets(arbitro: Path, tmp_path: Path) -> None:
    """From an empty folder the command answers, and finds its own ruleset and the stranger's."""
    assert "resolve" in must([arbitro, "--help"], tmp_path)
    listed = json.dumps(json.loads(must([arbitro, "rulesets", "--json"], tmp_path)))
    assert '"giglio"' in listed
    assert '"wells"' in listed


def test_the_installed_program_packs_the_extension_for_libreoffice(programs: Path, tmp_path: Path) -> None:
    """All that the buttons in LibreOffice need came with the wheel, and they start the Python that it lies in."""
    out = tmp_path / "made.oxt"
    must([programs / "python", "-c", "import sys; from pathlib import Path; from assistant.buttons import libreoffice; "
          "Path(sys.argv[1]).write_bytes(libreoffice.build_extension())", out], tmp_path)

    with zipfile.ZipFile(out) as made:
        macro = ROOT / "assistant" / "buttons" / "macro"
        for source in macro.glob("*.py"):
            name = "arbitro_buttons.py" if source.stem == "component" else f"pythonpath/arbitro_office/{source.name}"
            assert made.read(name) == source.read_bytes()
        settings = json.loads(made.read("pythonpath/arbitro_office/settings.json"))
    assert Path(settings["python"]).parent == programs
    assert settings["texts"]["it"]["check"] == "Controlla gli ordini"


def test_the_installed_command_makes_a_campaign_and_its_reports(arbitro: Path, tmp_path: Path) -> None:
    """A new campaign, one phase and all reports, with nothing but what the wheel brought."""
    must([arbitro, "new", "giglio", "x.xlsx"], tmp_path)
    must([arbitro, "resolve", "x.xlsx"], tmp_path)
    must([arbitro, "report", "x.xlsx", "--out", "reports"], tmp_path)

    pages = sorted((tmp_path / "reports").rglob("*.html"))
    assert len(pages) >= ITALIANS
    assert all(page.stat().st_size < 100_000 for page in pages)


def test_italian_speaks_from_the_installed_catalogue(arbitro: Path, tmp_path: Path) -> None:
    """The compiled catalogues are found: the same command says other words in Italian."""
    english = must([arbitro, "--lang", "en", "rules", "giglio"], tmp_path)
    italian = must([arbitro, "--lang", "it", "rules", "giglio"], tmp_path)

    assert english != italian
    assert "villaggio" in italian


def camp(folder: Path) -> Path:
    """A folder of CSVs of a campaign of The Wells."""
    tables = {
        "desk": "key,value\nruleset,wells\nturn,1\nphase,dig\n",
        "factions": "faction,name_en,name_it\nA,Oasis,Oasi\nB,Dunes,Dune\n",
        "nodes": "node,name,x,y,damp\nW1,Old well,0,0,yes\nW2,New well,40,0,no\n",
        "roads": "a,b\nW1,W2\n",
        "orders": "order,turn,phase,faction,verb,target\no1,1,day,A,dig,W1\no2,1,day,B,dig,W9\n",
        "dice": "key,dice,value,turn,phase,source\ndig:W1:A:1,1d6,3,1,dig,table\n",
    }
    folder.mkdir()
    for name, text in tables.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    return folder


def test_a_ruleset_of_a_stranger_plays_a_phase(arbitro: Path, tmp_path: Path) -> None:
    """A plug-in of its own package is checked, resolved, reported and exported by the same commands."""
    must([arbitro, "new", "wells", "w.xlsx", "--from", camp(tmp_path / "csv")], tmp_path)
    checked = run([arbitro, "check", "w.xlsx", "--json"], tmp_path)
    must([arbitro, "resolve", "w.xlsx", "--until", "dig"], tmp_path)
    must([arbitro, "report", "w.xlsx", "--out", "reports"], tmp_path)
    must([arbitro, "export", "w.xlsx", "--to", "out"], tmp_path)

    assert "WEL-001" in checked.stdout
    events = (tmp_path / "out" / "events.csv").read_text(encoding="utf-8")
    assert "well.found" in events
    assert '""passed"": true' in events
    assert "A,Oasis,Oasi" in (tmp_path / "out" / "factions.csv").read_text(encoding="utf-8-sig")
    assert "refused" in (tmp_path / "out" / "orders.csv").read_text(encoding="utf-8")
    assert any("damp ground" in page.read_text(encoding="utf-8") for page in (tmp_path / "reports").rglob("*.html"))
