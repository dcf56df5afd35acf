"""Copies that LibreOffice itself has saved again come back like any other (slow: it starts LibreOffice)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from assistant import desk
from tests.libreoffice import convert
from tests.post.filling import SUNDAY, filled

pytestmark = pytest.mark.slow


def saved_by_libreoffice(files: list[Path], folder: Path) -> None:
    """The same workbooks, opened and saved again by LibreOffice, in a folder."""
    for file in convert("xlsx", folder / "in", *files).iterdir():
        os.utime(file, (SUNDAY, SUNDAY))


def test_what_libreoffice_saves_is_read_like_any_other(tmp_path: Path) -> None:
    """Of Italy 1500: orders in columns and in words; no cell seems changed, and what was blank is."""
    book = tmp_path / "war.xlsx"
    assert desk.new_campaign(desk.NewPlan("giglio", secret="ab" * 32, language="it"), book).exit == desk.Exit.DONE
    assert desk.resolve(book, until="income").exit == desk.Exit.DONE
    desk.take_orders(book, [desk.Input("M: flotta M0", text="M: flotta M0")])
    assert desk.share(book, tmp_path / "out", only=["V", "M"]).exit == desk.Exit.DONE
    (tmp_path / "typed").mkdir()
    typed = filled(tmp_path / "out" / "war-V.xlsx", tmp_path / "typed" / "war-V.xlsx",
                   [{"Verbo": "arruola", "Bersaglio": "V0", "Ducati": 30}, {"A parole": "flotta V0"}])
    saved_by_libreoffice([typed, tmp_path / "out" / "war-M.xlsx"], tmp_path)

    result = desk.collect(book, [tmp_path / "in"], lang="en")

    assert (result.exit, [finding.code for finding in result.findings]) == (desk.Exit.DONE, ["ARB-360"])
    assert [(row["how"], row["id"]) for row in result.data["taken"]] == [
        ("new", "1500-budget-V-1"), ("new", "1500-budget-V-2")]
    assert {source["program"] for source in result.data["sources"]} == {"LibreOffice"}
    assert "Venice: war-V.xlsx of" in result.lines[0]
    assert result.lines[0].endswith(", saved by LibreOffice")
