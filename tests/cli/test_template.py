"""The template in a report: as it stands it changes nothing; filled in, sent back and saved as a text it is taken."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assistant.environment import shipped_scenario
from assistant.turn.orders.words import MARKS, lines_between_marks
from tests.playing import answer, arbitro, copy_campaign
from tests.sweeps import fast_among

CLUBS = {"giglio": ("italy-1500", "r1.contact", "V"), "anarchy": ("wallingford-1139", "1.movement", "angevin")}
LANGUAGES = ("en", "it")


@pytest.fixture(scope="module", params=fast_among(CLUBS, "giglio"))
def waiting(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A scenario without its answers, in the phase that first waits for some; a club that is asked."""
    name, until, club = CLUBS[request.param]
    place = tmp_path_factory.mktemp(request.param)
    shutil.copytree(shipped_scenario(request.param, name), place / "csv",
                    ignore=shutil.ignore_patterns("answers.csv", "battle_results.csv", "losses.csv", "expected.csv"))
    book = place / "war.xlsx"
    assert answer("new", request.param, book, "--from", place / "csv")["exit"] == 0
    assert answer("resolve", book, "--until", until)["exit"] == 3
    return book, club


@pytest.fixture
def own(waiting: tuple[Path, str], tmp_path: Path) -> tuple[Path, str]:
    """A copy of one's own, and the club."""
    return copy_campaign(waiting[0], tmp_path), waiting[1]


def reported(book: Path, club: str, lang: str) -> tuple[str, dict[str, Any]]:
    """A club's report as text and as JSON."""
    out = book.parent / f"reports-{lang}"
    done = arbitro("report", book, "--out", out, "--faction", club, lang=lang)
    assert done.exit_code == 0, done.output
    return (out / f"{club}.txt").read_text("utf-8"), json.loads((out / f"{club}.json").read_text("utf-8"))


def handed_in(book: Path, text: str, club: str) -> Any:
    """What comes of a mail that was saved as a text."""
    mail = book.parent / "mail.txt"
    mail.write_text(text, encoding="utf-8", newline="")
    return answer("orders", book, mail, "--faction", club)


def hidden_lines(page: dict[str, Any], kind: str) -> list[str]:
    """The lines of the template from which only the sign in front is to be taken away: the answers stand under a
    question that is asked, or in the last part, and all others are orders.
    """
    lines = []
    *parts, _end = "\n".join(page["template"]).split("\n\n")
    for part in parts:
        told = " ".join(line[2:] for line in part.splitlines() if line.startswith("# "))
        answers = part == parts[-1] or any(one["text"].startswith(told.split("?")[0]) for one in page["asked"])
        if answers == (kind == "answer"):
            lines += [line[1:] for line in part.splitlines()[1:] if line.startswith("#") and not line.startswith("# ")]
    return lines


@pytest.mark.parametrize("lang", fast_among(reversed(LANGUAGES), "it"))
def test_a_report_that_is_handed_in_as_it_is_changes_nothing(own: tuple[Path, str], lang: str) -> None:
    """The whole text, with all that stands around the template."""
    book, club = own
    text, page = reported(book, club, lang)
    before = book.read_bytes()

    done = handed_in(book, text, club)

    assert all(line in text.splitlines() for line in page["template"])
    assert (done["exit"], done["taken"], done["findings"]) == (0, [], [])
    assert book.read_bytes() == before


@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("kind", ["order", "answer"])
def test_each_order_each_option_and_each_early_answer_is_understood_without_its_sign(
        own: tuple[Path, str], lang: str, kind: str) -> None:
    """In both languages, in the mail of a club that answers below a quoted report."""
    book, club = own
    _, page = reported(book, club, lang)
    lines = hidden_lines(page, kind)
    mail = "\r\n".join(["Dear referee, 3 things:", *(f"> {line.replace('#', '', 1) if line[1:] in lines else line}  "
                                                     for line in page["template"]), "> -- ", "A club"])

    done = handed_in(book, mail, club)

    assert lines
    assert done["exit"] == 0, done["findings"]
    assert [one["kind"] for one in done["taken"]] == [kind] * len(lines)
    assert {one["faction"] for one in done["taken"]} == {club}


@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGUAGES)
def test_orders_in_the_form_are_taken_as_the_clubs(own: tuple[Path, str], lang: str) -> None:
    """Every example of what may be ordered now, written into the empty line before the last mark."""
    book, club = own
    assert answer("resolve", book, "--defaults")["exit"] in (0, 3)
    _, page = reported(book, club, lang)
    examples = [one["example"] for one in page["orderable"]["items"] if one["example"]]

    done = handed_in(book, "\n".join([*page["template"][:-1], *examples, page["template"][-1]]), club)

    assert examples
    assert done["exit"] == 0, done["findings"]
    assert [one["kind"] for one in done["taken"]] == ["order"] * len(examples)
    assert {one["faction"] for one in done["taken"]} == {club}


def test_a_club_s_mail_holds_nothing_for_others_and_no_dice(own: tuple[Path, str]) -> None:
    """Each such line is named; what stands outside the marks is not even looked at."""
    book, club = own
    other = {"V": "M", "angevin": "royal"}[club]
    first, last = MARKS["it"]
    before = book.read_bytes()

    done = handed_in(book, f"{other}: what is this\n{first}\n{other}: ally {club}\ndie storm:1 6\n; a remark\n{last}\n"
                           "and this?\n", club)

    assert (done["exit"], [f["code"] for f in done["findings"]]) == (1, ["ARB-330", "ARB-330"])
    assert book.read_bytes() == before


def test_what_stands_in_the_html_can_be_copied(own: tuple[Path, str]) -> None:
    """The same lines under a heading, in a box that scrolls and is not folded."""
    book, club = own
    _, page = reported(book, club, "en")
    html = (book.parent / "reports-en" / f"{club}.html").read_text("utf-8")

    shown = html.split("<pre", 1)[1].split(">", 1)[1].split("</pre>")[0]
    shown = shown.replace("&gt;", ">").replace("&lt;", "<").replace("&quot;", '"').replace("&#39;", "'").replace(
        "&#34;", '"').replace("&amp;", "&")
    assert shown.splitlines() == page["template"]
    assert html[:html.index("<pre")].count("<details") == html[:html.index("<pre")].count("</details>")
    assert max(map(len, page["template"])) <= 72


def test_a_rulebook_without_armies_has_a_template_too(new_wells: Callable[[Path], Path], tmp_path: Path) -> None:
    """The Wells, a plug-in: nobody marches, a place is named."""
    book = new_wells(tmp_path)
    text, page = reported(book, "N", "it")

    assert [one["verb"] for one in page["orderable"]["items"]] == ["scava"]
    assert handed_in(book, text, "N")["taken"] == []
    done = handed_in(book, text.replace(MARKS["it"][1], f"dig W2\n{MARKS['it'][1]}"), "N")
    assert [one["words"] for one in done["taken"]] == ["N: dig, Where W2"]


# --- the marks ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("text", "kept"), [
    ("V1 V2", None),
    ("x\n#===== ARBITRO: BEGIN =====\na\n#===== ARBITRO: END =====\ny", ["a"]),
    (" > > #===== arbitro: inizio =====  \n>>  a \nb\n> #===== ARBITRO: FINE =====\nc", ["a", "b"]),
    ("#===== ARBITRO: BEGIN =====\na", ["a"]),
    ("#===== ARBITRO: BEGIN =====\na\n#===== ARBITRO: FINE =====\n#===== ARBITRO: BEGIN =====\nb", ["a", "b"]),
])
def test_only_what_stands_between_the_marks_is_kept(text: str, kept: list[str] | None) -> None:
    """Quoted once or twice, in either language; a mail without marks is no such text."""
    found = lines_between_marks(text)

    lines = None if found is None else [line for line in found if line and not line.startswith("#=")]
    assert lines == kept
    assert found is None or len(found) == len(text.splitlines())
