"""How modules find one another: at the top of their text, and never in a circle."""

from __future__ import annotations

import ast

from tests.house.source import circles, dotted, graph, imports_in, inner_imports, modules

HEAVY = {
    "PIL": "for pictures only",
    "backports": "zstd, for ledgers of older formats only",
    "babel": "compiles a catalogue that was edited since the last build; an installed Arbitro never needs it",
    "compression": "zstd, for ledgers of older formats only",
    "coverage": "an extra that need not be installed",
    "css_inline": "for reports as pages only",
    "dask": "an extra that need not be installed",
    "difflib": "for a word that was mistyped only",
    "distributed": "an extra that need not be installed",
    "importlib": "its list of what is installed is for rulebooks of others only",
    "jinja2": "for reports as pages, and for pictures",
    "keyring": "an extra that need not be installed",
    "lxml": "for mails in HTML only",
    "olefile": "for workbooks with macros only",
    "openpyxl": "for workbooks that are made new only: others are changed without it",
    "pandas": "for standings and the laboratory only",
    "rapidfuzz": "for a word that was mistyped, or that a club has of its own, only",
    "resvg_py": "for pictures only",
    "shapely": "for maps of places only",
    "text_to_num": "for numbers that are written in words only",
    "tomllib": "for lines in words only",
    "traceback": "for a fault of our own only",
    "weasyprint": "an extra that need not be installed",
    "webbrowser": "for a page that a click opens",
    "ctypes": "for the moment at which a workbook is replaced only",
    "xlwings": "an extra that need not be installed, and it loads pandas",
    "zoneinfo": "for a Desk that names a time zone only",
    "tkinter": "a window of Python's own, for Excel only; where it is missing the button says so",
}
"""What may be imported inside a function, with the reason: it is slow to load, and most commands do without it."""


def test_imports_stand_at_the_top() -> None:
    """Only a heavy library waits until it is used: an import inside a function hides where a module leads."""
    hidden = [f"{dotted(path)}:{line}: {name}" for path in modules() for line, name in inner_imports(path)
              if name.split(".")[0] not in HEAVY]

    assert hidden == []


def test_every_heavy_library_is_still_waited_for() -> None:
    """No library stays on the list that nobody imports inside a function any more."""
    waited = {name.split(".")[0] for path in modules() for _, name in inner_imports(path)}

    assert set(HEAVY) <= waited


def test_no_module_leads_back_to_itself() -> None:
    """There is no circle of imports, also counting those inside functions and under `TYPE_CHECKING`."""
    assert [sorted(circle) for circle in circles(graph())] == []


def test_a_circle_is_noticed() -> None:
    """The check itself can say no: of two, of three with a tail, of several at once."""
    assert circles({"a": ["b"], "b": []}) == []
    assert circles({"a": ["b"], "b": ["a"]}) == [frozenset("ab")]
    assert circles({"a": ["b"], "b": ["c"], "c": ["a"], "d": ["a", "e"], "e": ["d"]}) == [
        frozenset("abc"), frozenset("de")]


def test_imports_are_seen_wherever_they_stand() -> None:
    """At the top, inside a function, under `TYPE_CHECKING`, with dots."""
    text = "import a\nif TYPE_CHECKING:\n    from b import c\ndef f():\n    from . import d\n    from ..e import g\n"

    assert list(imports_in(ast.walk(ast.parse(text)), ["house", "room"])) == [
        (1, "a"), (3, "b.c"), (5, "house.room.d"), (6, "house.e.g")]
