"""Writes what a report, the gazette and their chat texts say in the midst of each rulebook's scripted campaign:
`python -m tests.reporting.golden_texts`, where a change of what is told is meant.
"""

from __future__ import annotations

from pathlib import Path

from assistant.desk.commands.report import BuiltPage
from assistant.desk.workspace.workspace import factions_with_reports
from assistant.post.letters import render_chat
from assistant.reporting.render import render_text
from tests.reporting.played import LAST, reports, states

FOLDER = Path(__file__).parent / "golden"
LANGUAGES = ("en", "it")


def midst(book: str, lang: str) -> list[BuiltPage]:
    """A club's page and the gazette in the midst of a campaign."""
    _, made = states(book)
    return reports(book, len(made) // 2, tuple(factions_with_reports(made[0])[:1]), lang, public=True)


def told(book: str, lang: str) -> str:
    """All that they say, one after the other."""
    return "\n".join(f"{built.stem}\n\n{render_text(built.page)}\n{render_chat(built.page, built.chat)}"
                     for built in midst(book, lang))


def main() -> None:
    """Write all of them."""
    FOLDER.mkdir(exist_ok=True)
    for book in LAST:
        for lang in LANGUAGES:
            (FOLDER / f"{book}-{lang}.txt").write_text(told(book, lang), encoding="utf-8")


if __name__ == "__main__":
    main()
