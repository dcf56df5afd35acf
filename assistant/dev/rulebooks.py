"""The derived parts of docs/rulebooks: from rulesets, their citations by heading and the tables of their numbers.

The pages themselves are written by hand; what stands in them between two marks is made here.
"""

from __future__ import annotations

import re
from pathlib import Path

from assistant.manual.markdown import table
from assistant.manual.topics import ours
from assistant.speech.rules import option_words, rule_sentence, rule_subject
from assistant.turn.citations import printed
from assistant.turn.numbers import Number, Switch
from assistant.turn.ruleset import Ruleset, load
from assistant.wording import Wording

FOLDER = "rulebooks"
MADE = "<!-- Made by `python -m assistant.dev.manual write`; edit the code, not this page. -->"
START, END = "<!-- made: numbers -->", "<!-- made: end -->"
_BETWEEN = re.compile(f"{re.escape(START)}.*?{re.escape(END)}", re.DOTALL)


def rulebook_pages(docs: Path) -> dict[str, str]:
    """Name below `docs` -> text: the index, and each rulebook's page with its tables made anew."""
    made = {f"{FOLDER}/README.md": index_page()}
    for name in ours():
        path = docs / FOLDER / f"{name}.md"
        made[f"{FOLDER}/{name}.md"] = filled(path.read_text(encoding="utf-8"), load(name))
    return made


def index_page() -> str:
    """docs/rulebooks/README.md: every citation with the printed chapter and the heading to which it leads."""
    lines = ["# Rulebooks", MADE, "",
             "How Arbitro reads each book, in our words: chapters, decisions, defaults, switches.",
             "A report cites the printed book; here is what each citation means and where our reading of it stands.",
             ""]
    for name in ours():
        ruleset = load(name)
        lines += [f"## {ruleset.title}", "", f"[{ruleset.title}, as Arbitro plays it]({name}.md)", "",
                  *table(("Report", "In Italian", "Page of the book", "Our reading", "In the code"), (
                      (one.en, one.printed("it"), one.page or "", f"[{one.heading}]({name}.md#{one.anchor})",
                       f"`{one.key}`") for one in ruleset.citations.values()))]
    return "\n".join(lines)


def filled(page: str, ruleset: Ruleset) -> str:
    """A rulebook's page with the tables of its numbers and switches between the marks."""
    lines = "\n".join([START, *number_lines(ruleset), *switch_lines(ruleset), END])
    return _BETWEEN.sub(lambda _: lines, page)


def number_lines(ruleset: Ruleset) -> list[str]:
    """The table of numbers."""
    words = Wording(ruleset, "en")
    rows = ((f"`{one.key}`", one.default, one.unit, printed(one.source, ruleset.citations, "en"), one.tag,
             rule_sentence(one, one.default, words)) for one in ruleset.numbers if isinstance(one, Number))
    return ["## Numbers", "", "One row a key of the sheet `Rules`; what is typed there counts instead.", "",
            *table(("Key", "Default", "Unit", "Cites", "Tag", "What it is"), rows)]


def switch_lines(ruleset: Ruleset) -> list[str]:
    """The table of switches."""
    words = Wording(ruleset, "en")
    rows = ((f"`{one.key}`", rule_subject(one, words), _options(one, words),
             printed(one.source, ruleset.citations, "en")) for one in ruleset.numbers if isinstance(one, Switch))
    return ["## Switches", "", "Where the text is ambiguous, silent, or differs between versions; the first option is "
            "the default.", "Where it says *new campaigns*, that option is typed into the Rules of a campaign that is "
            "founded (`new`, `adopt`, `demo`) and does not say another; a folder of CSVs that is only resolved has the "
            "default.", "", *table(("Key", "What it decides", "Options", "Cites"), rows)]


def _options(one: Switch, words: Wording) -> str:
    called = ((option, option_words(one, option, words)) for option in one.options)
    shown = "; ".join(f"`{option}` {said}" if option and said != option else f"`{said}`" if option else f"blank: {said}"
                      for option, said in called)
    shown += f"; new campaigns: `{one.begins}`" if one.begins else ""
    return f"{shown}, or any text" if one.free else f"{shown}, or a value" if one.pattern else shown


__all__ = ["END", "FOLDER", "START", "rulebook_pages"]
