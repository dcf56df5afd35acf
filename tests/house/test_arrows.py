"""The arrows of the house run downwards only; see ARCHITECTURE.md."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

from tests.house.source import PACKAGE, dotted, graph, imports, modules, nodes

# The floors from the ground up. A room may import rooms of lower floors, and itself.
FLOORS: tuple[tuple[str, ...], ...] = (
    ("environment",),
    ("campaign",),
    ("turn",),
    ("catalogues", "draft_ruleset"),
    ("speech",),
    ("wording", "rulebook_source"),
    ("pictures",),
    ("reporting", "workbook", "ledger", "rulesets"),
    ("post",),
    ("laboratory",),
    ("desk",),
    ("buttons",),  # a door of its own; the command line sets it up
    ("cli",),
    ("__main__", "edit_catalogue"),
    ("testing",),  # what tests of rulebooks use: it may use all, and nothing uses it
)
INNER = {
    "desk": ("workspace", "intake", "past", "commands", "clubs"),
    "turn": ("orders",),
    "workbook": ("ooxml", "read", "write"),
    "buttons": ("macro",),
}
"""The same inside a room that has rooms of its own, the lowest first. The modules of the room itself lie around them:
some say what all need, some put it all together.
"""
FLOOR = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}

# Which rooms may use which heavy library at all.
LIBRARIES = {
    "babel": {"catalogues", "edit_catalogue"},
    "coverage": {"testing"},
    "olefile": {"buttons"},
    "openpyxl": {"workbook"},
    "xlwings": {"buttons"},
    "jinja2": {"pictures", "reporting", "draft_ruleset", "edit_catalogue"},
    "css_inline": {"reporting"},
    "lxml": {"post"},
    "pandas": {"desk", "laboratory"},
    "pyarrow": {"laboratory"},
    "distributed": {"laboratory"},
    "dask": {"laboratory"},
    "PIL": {"pictures"},
    "rapidfuzz": {"turn", "workbook"},
    "text_to_num": {"turn"},
    "resvg_py": {"pictures"},
    "shapely": {"pictures"},
}


def room_of(name: str) -> str:
    """``assistant.turn.dice`` -> ``turn``; the package itself has none."""
    return [*name.split("."), ""][1]


def wing_of(name: str) -> str:
    """``assistant.rulesets.giglio.records`` -> ``giglio``; "" for what belongs to no ruleset."""
    parts = name.split(".")
    return parts[2] if parts[:2] == ["assistant", "rulesets"] and len(parts) > 2 else ""


def forbidden(source: str, target: str) -> str:
    """Why a module may not import another, or "" if it may."""
    here, there = room_of(source), room_of(target)
    if not target.startswith("assistant.") or there not in FLOOR:
        return ""
    if wing_of(source) != wing_of(target) and wing_of(target) and here != "edit_catalogue":
        return f"only the wing itself may import {target}"
    if here == "rulesets" and there not in ("rulesets", "turn", "campaign"):
        return f"a ruleset imports nothing above turn, but {target}"
    if here and here != there and FLOOR[there] >= FLOOR[here]:
        return f"{here} stands on no higher floor than {there}"
    return ""


def test_every_room_has_its_floor() -> None:
    """A new room of the house is given a floor here before anything may be built in it."""
    rooms = {path.stem if path.is_file() else path.name for path in PACKAGE.iterdir()
             if path.suffix == ".py" or (path.is_dir() and list(path.glob("*.py")))}

    assert rooms - {"__init__"} <= set(FLOOR)


def test_arrows_run_downwards_only() -> None:
    """No module imports from its own height or from above, inside functions or outside."""
    broken = [f"{dotted(path)}:{line}: {reason}"
              for path in modules() for line, name in imports(path)
              if (reason := forbidden(dotted(path), name))]

    assert broken == []


def inner_room(room: str, name: str) -> str:
    """``desk``, ``assistant.desk.past.phase_chain`` -> ``past``; "" for what is in no room of that one."""
    start = f"assistant.{room}."
    inner = name[len(start):].partition(".")[0] if name.startswith(start) else ""
    return inner if inner in INNER[room] else ""


def test_inside_a_room_arrows_run_downwards_too() -> None:
    """What a room's own rooms use of one another lies lower."""
    broken = [f"{source} -> {target}" for room, floors in INNER.items()
              for source, targets in graph().items() for target in sorted(targets)
              if (here := inner_room(room, source)) and (there := inner_room(room, target))
              and floors.index(there) > floors.index(here)]

    assert broken == []


def test_every_inner_room_has_its_floor() -> None:
    """A new folder in one of these rooms is given a floor here."""
    for room, floors in INNER.items():
        folder = PACKAGE.joinpath(*room.split("."))
        assert {path.parent.name for path in folder.glob("*/__init__.py")} == set(floors)


def test_an_arrow_that_runs_upwards_is_noticed() -> None:
    """The rule itself can say no: upwards, sideways, from wing to wing, and into a wing."""
    assert forbidden("assistant.campaign.map", "assistant.turn.dice")
    assert forbidden("assistant.workbook.reader", "assistant.reporting.pages")
    assert forbidden("assistant.rulesets.giglio.phases", "assistant.rulesets.incursio.records")
    assert forbidden("assistant.rulesets.giglio.phases", "assistant.wording.Wording")
    assert forbidden("assistant.desk", "assistant.rulesets.giglio.records")
    assert forbidden("assistant.cli.app", "assistant.testing.kit")
    assert not forbidden("assistant.testing.cases", "assistant.cli")
    assert not forbidden("assistant.desk", "assistant.workbook.port")


def test_each_heavy_library_stays_in_its_room() -> None:
    """The workbook's, the reports' and the accounts' libraries are known to one room each."""
    strays = [f"{dotted(path)}:{line}: {name}"
              for path in modules() for line, name in imports(path)
              if room_of(dotted(path)) not in LIBRARIES.get(name.split(".")[0], {room_of(dotted(path))})]

    assert strays == []


def test_the_command_line_starts_without_any_heavy_library() -> None:
    """`arbitro --help` loads none of them: they are imported where they are used."""
    program = ("import sys, assistant.cli\n"
               f"print(*sorted(set(sys.modules) & {set(LIBRARIES)!r}))")

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout.split() == []


def test_resolving_loads_nothing_that_shows_or_mails() -> None:
    """A phase is resolved by a process of its own: pictures, pages, copies and mails would take a quarter of it."""
    program = "import sys, assistant.desk.commands.resolve\nprint(*sorted(sys.modules))"

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    loaded = {name for name in done.stdout.split() if name.startswith(("assistant.pictures.", "assistant.reporting.",
                                                                       "assistant.post.", "assistant.workbook.club"))}
    assert loaded == {"assistant.pictures.colours"}


def compared_words(path: Path) -> set[str]:
    """The texts that a module compares something with: ``==``, ``in``, ``case``."""
    words: set[str] = set()
    for node in nodes(path):
        if isinstance(node, (ast.Compare, ast.MatchValue)):
            words |= {c.value for c in ast.walk(node) if isinstance(c, ast.Constant) and isinstance(c.value, str)}
    return words


def test_nothing_outside_its_wing_asks_which_ruleset_is_played() -> None:
    """There is no `if ruleset == ...`: what differs is declared by the ruleset."""
    wings = {path.parent.name for path in (PACKAGE / "rulesets").glob("*/__init__.py")}

    asking = [dotted(path) for path in modules()
              if not wing_of(dotted(path)) and wings & compared_words(path)]

    assert wings
    assert asking == []
