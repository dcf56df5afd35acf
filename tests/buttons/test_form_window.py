"""The window of Python's own in which Excel's buttons ask: a real one on a virtual screen, with real keys."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from assistant.catalogues import translator
from assistant.desk.results import Form, FormField
from tests.office.window import FILM, screen

pytestmark = pytest.mark.slow
PROGRAM = """
import json, sys
from assistant.buttons.excel import fill_in_window
from assistant.desk.results import Form, FormField
lines, fields = json.loads(sys.argv[1])
form = Form(tuple(lines), tuple(FormField(**{**field, "options": tuple(field["options"])}) for field in fields))
print(json.dumps(fill_in_window(form, "Arbitro")))
"""
FORM = Form(("The mail account of the campaign.", "All of it stays on this computer."), (
    FormField("address", "Your mail address, from which reports are to be sent"),
    FormField("way", "What", "one", ("one", "two", "three")), FormField("secret", "Password", secret=True),
    FormField("file", "The club's file", "/tmp/club.xlsx", file=True)))
MANY = Form(tuple(f"{n}. " + "a table of the club's and what was read as what " * 2 for n in range(60)), ())


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """A screen of 1,280 by 720."""
    with screen((1280, 720)) as display:
        yield display


def shown(display: str, form: Form, keys: Sequence[Sequence[str]], lang: str = "en", name: str = "") -> Any:
    """Show a form, do with xdotool what `keys` says once its window is there, and return what it gives."""
    environment = {**os.environ, "DISPLAY": display, "LC_ALL": {"it": "it_IT.UTF-8"}.get(lang, "C.UTF-8")}
    values = form.as_json()
    running = subprocess.Popen([sys.executable, "-c", PROGRAM, json.dumps([values["lines"], values["fields"]])],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    try:
        for words in (("search", "--sync", "--onlyvisible", "--name", "^Arbitro$", "windowfocus", "--sync"), *keys):
            time.sleep(0.3)
            subprocess.run(["xdotool", *words], env=environment, check=True, capture_output=True, timeout=60)
        if name and FILM in os.environ:
            Path(os.environ[FILM]).mkdir(parents=True, exist_ok=True)
            subprocess.run(["import", "-display", display, "-window", "root",
                            str(Path(os.environ[FILM]) / f"window-{name}-{lang}.png")], check=True)
        subprocess.run(["xdotool", "key", "Return" if name != "escape" else "Escape"], env=environment, check=True)
        out, err = running.communicate(timeout=60)
    finally:
        running.kill()
    assert running.returncode == 0, err
    return json.loads(out)


def test_what_is_typed_counts_and_the_first_field_is_ready(display: str) -> None:
    """Letters go into the first field, Tab to the next, Down opens a list and goes down in it, Return is OK."""
    assert shutil.which("xdotool")
    typed = shown(display, FORM, [("type", "a@b.test"), ("key", "Tab", "Down", "Down", "Down"), ("key", "Tab"),
                                  ("type", "sesame")], name="filled")

    assert typed == {"address": "a@b.test", "way": "three", "secret": "sesame", "file": "/tmp/club.xlsx"}


def test_escape_gives_up(display: str) -> None:
    """Nothing of what was typed counts; the button that does the same is called so in the reader's language."""
    assert translator("it")("Cancel") == "Annulla"
    assert shown(display, FORM, [("type", "a")], "it", name="escape") is None


@pytest.mark.parametrize("lang", ["en", "it"])
def test_many_lines_scroll_and_ok_is_in_sight(display: str, lang: str) -> None:
    """A window without fields says yes by OK, however much there is to read."""
    assert shown(display, MANY, [], lang, name="many") == {}
