"""What click itself says, in Italian: usage, the names of what is to be typed, complaints."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assistant.cli.app import make_app, run
from assistant.cli.terminal import translate_click

ENGLISH = re.compile(r"\b(?:Usage|Error|Options?|OPTIONS|COMMAND|ARGS|Invalid|Missing|is not|is a|does not|"
                     r"Did you mean|takes?|requires?|INTEGER|TEXT|Choose|Try)\b")


@pytest.fixture(autouse=True)
def english_afterwards() -> object:
    """Leave click as it was."""
    yield
    translate_click("en")


@pytest.mark.parametrize(("words", "said"), [
    (["buttons", "FOLDER"], "File 'FOLDER' è una cartella."),
    (["report", "x.xlsx", "--out", "THERE"], "Directory 'THERE' è un file."),
    (["undo", "x.xlsx", "--steps", "0"], "0 non sta nell'intervallo x>=1."),
    (["undo", "x.xlsx", "--steps", "many"], "'many' non è un numero intero valido."),
    (["undo", "x.xlsx", "--hard=1"], "L'opzione '--hard' non prende valori."),
    (["undo", "x.xlsx", "--t"], "Intendevi"),
    (["setup"], "Scegli fra:"),
    (["setup", "word"], "'word' non è fra"),
    (["nothing"], "Il comando 'nothing' non esiste."),
    (["undo"], "Manca un argomento 'FILE'."),
])
def test_complaints_are_italian_throughout(words: list[str], said: str, tmp_path: Path,
                                           capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever is mistyped."""
    there = tmp_path / "there"
    there.touch()
    places = {"THERE": str(there), "FOLDER": str(tmp_path)}

    assert run(["--lang", "it", *(places.get(word, word) for word in words)], make_app) == 2

    told = capsys.readouterr().err
    for name, place in places.items():
        told = told.replace(place, name)
    assert said in told
    assert not ENGLISH.search(told)


def test_help_is_italian_throughout(capsys: pytest.CaptureFixture[str]) -> None:
    """Also the names of what an option takes."""
    for words in ([], ["new"], ["undo"], ["send"], ["adopt"]):
        assert run(["--lang", "it", *words, "--help"], make_app) == 0
        assert not ENGLISH.search(capsys.readouterr().out), words
