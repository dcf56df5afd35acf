"""The message catalogues are complete, and the script that keeps them so does what it says."""

from __future__ import annotations

import ast
import re
import string
from pathlib import Path

import pytest

from assistant import edit_catalogue
from assistant.edit_catalogue import (
    CatalogueState,
    Texts,
    add_python_texts,
    add_template_texts,
    merge_texts,
    po_bytes,
    problems,
    read_catalogue,
)
from assistant.rulebook_source import brace_names
from assistant.turn.event_types import CATEGORIES
from assistant.turn.numbers import Switch
from assistant.wording import WORD


@pytest.fixture(scope="module")
def collected() -> dict[str, Texts]:
    """All texts of the house, by domain."""
    return edit_catalogue.collect(edit_catalogue.shipped_rulesets())


@pytest.fixture(scope="module")
def works(collected: dict[str, Texts]) -> dict[str, CatalogueState]:
    """All catalogues by the names of their files."""
    return {work.path.name: work
            for work in edit_catalogue.catalogue_states(edit_catalogue.shipped_rulesets(), collected)}


@pytest.fixture
def work(works: dict[str, CatalogueState]) -> CatalogueState:
    """That of the house."""
    return works["arbitro.po"]


def test_everything_is_translated(work: CatalogueState) -> None:
    """Nothing is untranslated or fuzzy, and both languages have the same braces."""
    assert work.wrong == ()


def test_catalogues_are_up_to_date(work: CatalogueState) -> None:
    """The .po is what `update` would write: sorted, complete, nothing unused."""
    assert work.unused == ()
    assert work.now == work.wanted


def test_rulebooks_have_their_italian_where_a_text_is_declared(works: dict[str, CatalogueState]) -> None:
    """No catalogue but the house's is there, nor is any needed."""
    assert set(works) == {"arbitro.po"}


def test_every_ruleset_of_ours_words_its_messages_soundly() -> None:
    """Findings are sentences, events have a known category and cite a rule, verbs and switches explain themselves."""
    for ruleset in edit_catalogue.shipped_rulesets():
        for message in ruleset.findings.values():
            assert message.text.endswith((".", "?")), message.code
        for event in ruleset.events.values():
            assert event.category in CATEGORIES, event.type
            assert event.rule, event.type
        for verb in ruleset.verbs.values():
            assert verb.help.endswith("."), verb.en
        for number in ruleset.numbers:
            assert number.meaning, number.key
            assert not isinstance(number, Switch) or number.options, number.key


def test_braces_are_plain_names(collected: dict[str, Texts]) -> None:
    """A text's braces hold names, and words that agree with them: no attributes, indexes or positions that data
    could abuse.
    """
    for domain in collected.values():
        for text in (*domain.texts, *domain.plurals, *domain.plurals.values()):
            for _, name, _, _ in string.Formatter().parse(text):
                assert name is None or re.fullmatch(r"\w+(\?[^{}:]+)?", name), text


def test_marks_are_found_in_python() -> None:
    """Marked texts, texts of a wording, and both forms of a plural are collected; other strings are not."""
    texts = Texts()
    add_python_texts('a = N_("one")\n_("two" " and more")\nw.text("three", n=1)\nw.text(N_("four"))\n'
                'w.plural(N_("{n} cow"), "{n} cows", 2)\nSaid("five", label="six")\nprint("no")\ntext("no")\n', texts)
    assert texts.texts == {"one", "two and more", "three", "four", "five", "six"}
    assert texts.plurals == {"{n} cow": "{n} cows"}


def test_marks_are_found_in_templates() -> None:
    """A template's marked texts are collected."""
    texts = Texts()
    add_template_texts(b'<p>{{ _("Good day") }}</p>{{ other("no") }}', texts)
    assert texts.texts == {"Good day"}


def test_merging_keeps_translations_and_reports_gaps(tmp_path: Path) -> None:
    """What is known stays, what is new is blank, what differs in braces or is fuzzy is named."""
    path = tmp_path / "toy.po"
    path.write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\nmsgid "{a} well"\nmsgstr "pozzo {b}"\n\n'
        '#, fuzzy\nmsgid "bucket"\nmsgstr "secchia"\n\nmsgid "gone"\nmsgstr "perduto"\n\nmsgctxt "word"\n'
        'msgid "water"\nmsgstr "acqua"\n', encoding="utf-8")
    texts = Texts({"{a} well", "bucket", "new"}, {"{n} cow": "{n} cows"}, {"water"})
    new = merge_texts(texts, read_catalogue(path, "it", "toy"), "it", "toy")
    assert sorted(problems(new)) == ["fuzzy: 'bucket'", "not translated: 'new'", "not translated: '{n} cow'",
                                     "other braces: '{a} well'"]
    water = new.get("water", context=WORD)
    assert water is not None
    assert water.string == "acqua"
    assert b"perduto" not in po_bytes(new)
    assert po_bytes(new) == po_bytes(merge_texts(texts, new, "it", "toy"))


def test_braces_with_a_conversion_count_by_name() -> None:
    """The command line's own texts say ``{name!r}``; the name is what has to agree."""
    assert brace_names("No {name!r}, {n}") == {"name", "n"}


def test_wrong_arguments_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """Neither update nor check: the usage, and exit code 2."""
    assert edit_catalogue.main(["upgrade"]) == 2
    assert "update|check" in capsys.readouterr().err


@pytest.mark.slow
def test_the_check_passes_on_this_checkout(capsys: pytest.CaptureFixture[str]) -> None:
    """`check` is silent and returns 0 when nothing is to be done."""
    assert edit_catalogue.main(["check"]) == 0
    assert capsys.readouterr().out == ""


def test_no_module_below_the_wording_imports_it() -> None:
    """Arrows run downwards: the campaign and turn layers know nothing of wording."""
    for layer in ("campaign", "turn"):
        for path in sorted((edit_catalogue.PACKAGE / layer).glob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                names = [a.name for a in node.names] if isinstance(node, ast.Import) else (
                    [node.module or ""] if isinstance(node, ast.ImportFrom) else [])
                assert not any("wording" in name for name in names), path.name
