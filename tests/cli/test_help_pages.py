"""`arbitro help`: pages made from the code, in either language."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner, Result

from assistant.cli import main
from assistant.cli.app import app_in_language
from assistant.desk.commands.help_pages import TOPICS, all_pages, page_for_terminal, table
from assistant.turn.messages import COMMON
from assistant.turn.rulebooks import load


def arbitro(*words: str) -> Result:
    """A command as it is typed."""
    return CliRunner().invoke(main, list(words))


@pytest.mark.parametrize(("lang", "topic", "title", "line"), [
    pytest.param("en", "sheets", "# Sheets and columns", "### Orders / Ordini", marks=pytest.mark.slow),
    ("it", "sheets", "# Fogli e colonne", "### Orders / Ordini"),
    pytest.param("en", "findings", "# Findings", "    Message: There is nothing to undo.", marks=pytest.mark.slow),
    ("it", "findings", "# Rilievi", "    Messaggio: Non c'è nulla da annullare."),
    pytest.param("en", "orders", "# Orders", "## Il Giglio", marks=pytest.mark.slow),
    pytest.param("it", "orders", "# Ordini", "## Il Giglio", marks=pytest.mark.slow),
    ("en", "commands", "# Commands", "## resolve"),
    pytest.param("it", "commands", "# Comandi", "    Elenca soltanto ciò che si può annullare.",
                 marks=pytest.mark.slow),
    ("en", "plugins", "# What a ruleset may use", "## The kit"),
    ("it", "changes", "# Che cosa si può ancora cambiare", "    Prima della fase: permesso"),
    pytest.param("it", "citations", "# Che cosa citano i bollettini", "## Il Giglio", marks=pytest.mark.slow),
    pytest.param("it", "numbers", "# Numeri e scelte", "    Unità: punti movimento", marks=pytest.mark.slow),
    pytest.param("en", "names", "# Every name that a rulebook may use", "## assistant.campaign.map",
                 marks=pytest.mark.slow),
    pytest.param("it", "plugins", "# What a ruleset may use", "## The kit", marks=pytest.mark.slow),
])
def test_a_page_is_shown_in_the_language_of_the_call(lang: str, topic: str, title: str, line: str) -> None:
    """Its title, and a line that is only there."""
    done = arbitro("--lang", lang, "help", topic)
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[0] == title
    assert line in lines


@pytest.mark.parametrize(("lang", "said"), [("en", "There is no page 'sheetz', only commands, orders,"),
                                            ("it", "La pagina 'sheetz' non c'è; ci sono commands, orders,")])
def test_a_topic_that_is_not_there_is_refused_with_a_list(lang: str, said: str) -> None:
    """Wrong usage, on the standard error; nothing is shown."""
    done = arbitro("--lang", lang, "help", "sheetz")
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr
    assert all(topic in done.stderr for topic in TOPICS)


@pytest.mark.slow
def test_every_command_finding_and_sheet_has_its_place() -> None:
    """In both languages; each command as --help lists it."""
    pages = all_pages(app_in_language)
    for lang in ("en", "it"):
        listed = main.list_commands(click.Context(main))
        assert [name for name in listed if f"\n## {name}\n" not in pages[f"{lang}/commands.md"]] == []
        codes = [*COMMON, *load("giglio").findings, *load("warriors").findings]
        assert [code for code in codes if f"\n| {code} | " not in pages[f"{lang}/findings.md"]] == []
        sheets = [record.sheet for name in ("anarchy", "bloodlust") for record in load(name).records]
        assert [name for name in sheets if f"\n### {name} / " not in pages[f"{lang}/sheets.md"]] == []
    app_in_language("en")


def test_a_table_is_shown_row_by_row() -> None:
    """The first cell leads, the others have their headings; a cell keeps its strokes and angles."""
    page = "\n".join(["Before", "", *table(("Code", "Says", "Note"), [("A|1", "x < y", ""), ("B", "z", "w")])])
    assert list(page_for_terminal(page)) == ["Before", "", "A|1", "    Says: x < y", "B", "    Says: z", "    Note: w"]
