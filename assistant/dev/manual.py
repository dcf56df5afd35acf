"""The parts of the manual's pages that are derived from the code, so that they cannot disagree with it.

    python -m assistant.dev.manual write    write docs/rulebooks/README.md, and the tables between marks in the other
                                            pages there and in both referee's manuals
    python -m assistant.dev.manual check    say which of them is out of date; exit code 1 if any is

Pages that are derived as a whole are not kept: `assistant.manual` makes them for `arbitro help` and for the site.
"""

from __future__ import annotations

import sys
from pathlib import Path

from assistant.desk.may_change import ACTS, MOMENTS, REPLIES
from assistant.dev.rulebooks import rulebook_pages
from assistant.manual.markdown import table
from assistant.manual.topics import tidy
from assistant.turn.texts import N_
from assistant.wording import Wording

DOCS = Path(__file__).resolve().parents[2] / "docs"
MANUALS = {"en": "referee.md", "it": "manuale-arbitro.md"}
START, END = "<!-- made: changes -->", "<!-- made: end -->"

# --- what may still be changed -------------------------------------------------------------------
def change_lines(lang: str) -> list[str]:
    """The table of what may still be changed, in a language."""
    say = Wording(None, lang).text
    heads = (say(N_("What")), say(N_("With")), *(say(name) for name in MOMENTS.values()))
    return table(heads, ([say(act.name), f"`{act.how}`", *(say(REPLIES[act.at(moment)]) for moment in MOMENTS)]
                         for act in ACTS))


def manual_pages() -> dict[str, str]:
    """The referee's manuals by name, with the table made anew between its marks."""
    made = {}
    for lang, name in MANUALS.items():
        before, rest = (DOCS / name).read_text(encoding="utf-8").split(START)
        made[name] = "\n".join([before + START, "", *change_lines(lang), END + rest.split(END)[1]])
    return made


def pages() -> dict[str, str]:
    """Name in docs/ -> text, of every page with derived parts."""
    made = {**rulebook_pages(DOCS), **manual_pages()}
    return {name: tidy([text]) for name, text in made.items()}


def stale() -> list[str]:
    """Names of the pages whose derived parts do not say what the code says now."""
    return [name for name, text in pages().items()
            if not (DOCS / name).is_file() or (DOCS / name).read_text(encoding="utf-8") != text]


def run(arguments: list[str]) -> int:
    """``write`` or ``check``; returns the exit code."""
    if arguments == ["write"]:
        for name, text in pages().items():
            (DOCS / name).write_text(text, encoding="utf-8")
        return 0
    if arguments == ["check"]:
        old = stale()
        for name in old:
            print(f"docs/{name} is out of date: run python -m assistant.dev.manual write", file=sys.stderr)
        return 1 if old else 0
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
