"""The form of a battle in mails and in the referee's report: filled in and sent back it is what the sheet says.

Of every rulebook and in both languages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from email.message import EmailMessage
from functools import cache
from pathlib import Path

import pytest

from assistant import desk
from assistant.desk.clubs.collect_mail import recognizer
from assistant.desk.commands import report
from assistant.desk.workspace.workspace import open_workspace
from assistant.post.club_form import SentTexts, sift_mail
from assistant.post.letters import visible_text
from assistant.post.parse_mail import read_mail
from assistant.turn.battle_form import BLANK
from tests.playing import copy_with_folder
from tests.post.mails import quoted, raw
from tests.post.test_battle_copies import fate
from tests.post.test_from_mail import Box, box, collected
from tests.post.test_sending import Hour, read
from tests.sweeps import all_slow, fast_among
from tests.turn.test_club_form import STARTS
from tests.turn.test_halves import waiting

__all__ = ["box"]

Answers = Mapping[str, Mapping[str, str]]
"""What stands before the colon, as much of it as is needed -> language -> what is written into the blanks, in order."""
FILLED: Mapping[str, Answers] = {
    "giglio": {
        "B1500.3.V8": {"en": "a", "it": "M"},
        "B1500.3.V8 M 200": {"en": "26", "it": "_26_"},
        "B1500.3.V8 V 150": {"en": "55", "it": "55"}},
    "anarchy": {
        "B3-1": {"en": "attacker|fled|9|_|_", "it": "attaccante|in fuga|9|_|_"},
        "B3-1 A1 foot": {"en": "1|1|none", "it": "1|1|nessuno"},
        "B3-1 E1 foot": {"en": "2|1|3", "it": "2|1|3"},
        "B3-1 E1 N2": {"en": "_|_|1", "it": "_|0|1"}},
    "bloodlust": {
        "987Su-1": {"en": "attacker|none", "it": "attaccante|nessuna"},
        "987Su-1 SEK-u1": {"en": "3|yes|_", "it": "3|sì|no"},
        "987Su-1 SEK-u2": {"en": "none|no|no", "it": "nessuno|_|_"},
        "987Su-1 SEK-u3": {"en": "1|_|_", "it": "1_|_|_"},
        "987Su-1 SEK-m1": {"en": "yes|_", "it": "sì|combatte"},
        "987Su-1 VOR-u1": {"en": "2|_|_", "it": "2|_|_"},
        "987Su-1 VOR-u2": {"en": "4|_|yes", "it": "4|_|sì"}},
    "warriors": {
        "B2-1": {"en": "attacker|4|_|_", "it": "attaccante|4|no|_"},
        "B2-1 M1a 10": {"en": "3|none|_", "it": "3|_|nessuna"},
        "B2-1 O1a 10": {"en": "2|1|_", "it": "2|1|_"},
        "B2-1 O1": {"en": "yes", "it": "sì"}},
    "incursio": {
        "3E-1-2-1 esdef FFAC": {"en": "FF", "it": "FF"},
        "3E-1-2-1 varannah": {"en": "none", "it": "nessuno"},
        "3E-1-2-1 varannah TrAs": {"en": "As", "it": "As"}}}
"""The same battle in both languages."""
TYPED: Mapping[str, Sequence[str]] = {
    "giglio": ("battle B1500.3.V8 a 26 55",),
    "anarchy": ("battle B3-1 attacker fled 9", "losses B3-1 A1 foot 1 1 0", "losses B3-1 E1 foot 2 1 3",
                "losses B3-1 E1 N2 captured=1"),
    "bloodlust": ("battle 987Su-1 attacker none", "battleunits 987Su-1 SEK-u1 3 routed=yes",
                  "battleunits 987Su-1 SEK-u2 0", "battleunits 987Su-1 SEK-u3 1", "battleleaders 987Su-1 SEK-m1 yes",
                  "battleunits 987Su-1 VOR-u1 2", "battleunits 987Su-1 VOR-u2 4 destroyed=yes"),
    "warriors": ("battle B2-1 attacker 4", "battle_units B2-1 M1a 3", "battle_units B2-1 O1a 2 1",
                 "battle_armies B2-1 O1 commander_killed=yes"),
    "incursio": ("battle 3E-1-2-1 FF As -",)}
"""As a referee has always typed it."""
CLUBS: Mapping[str, tuple[str, str]] = {
    "giglio": ("M", "V"), "anarchy": ("royal", "angevin"), "bloodlust": ("SEK", "VOR"), "warriors": ("men", "orcs"),
    "incursio": ("esdef", "varannah")}
CONFIRM: Mapping[str, str] = {
    "giglio": "battle B1500.3.V8 confirmed", "anarchy": "battle B3-1 entered", "bloodlust": "battle 987Su-1 confirmed",
    "warriors": "battle B2-1 entered", "incursio": "battle 3E-1-2-1 confirmed"}
ENTERED: Mapping[str, str] = {name: CONFIRM[name] for name in ("anarchy", "warriors")}
"""What these rulebooks also want of the referee who has typed it himself."""
BOOKS = [(book, lang) for book in reversed([*STARTS]) for lang in ("en", "it")]
ONE_LANGUAGE_EACH = [pair for place, pair in enumerate(BOOKS) if place % 4 in (0, 3)]
"""Each book in one language, for what goes by mail and takes long."""
Made = Callable[[str, str], Path]
ByHand = Callable[[str], set[str]]
Letters = Callable[[str, str], Mapping[str, EmailMessage]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """A campaign of a rulebook that waits for the result of a battle, with clubs that read a language."""
    @cache
    def make(book: str, lang: str) -> Path:
        campaign = STARTS[book][1]()
        for row in campaign.by_sheet("Factions"):
            row.mail, row.language = f"{row.faction.lower()}@club.test", lang
        return waiting(tmp_path_factory.mktemp(f"{book}-{lang}"), book, campaign,
                       "r3.battle" if book == "giglio" else "")
    return make


def fill(lines: Sequence[str], answers: Answers, lang: str) -> list[str]:
    """Lines of a form with values in the place of their blanks, as many as are known."""
    done = []
    for line in lines:
        said = next((one for head, one in answers.items() if re.match(rf"{head}(?: \d+)?:", line)), None)
        values = iter(said[lang].split("|") if said is not None else ())
        words = [next(values, BLANK) if word == BLANK else word for word in line.split(" ")]
        done.append(" ".join(words))
    return done


def translated(answers: Answers) -> Answers:
    """The same behind the words of the Italian form, where a rank stands before the colon."""
    return {**answers} | {head.replace("foot", "fanti armati"): said for head, said in answers.items()}


@pytest.fixture(scope="module")
def letters(made: Made, tmp_path_factory: pytest.TempPathFactory) -> Letters:
    """The mails that would go out now to those who fight, by club."""
    @cache
    def write(name: str, lang: str) -> Mapping[str, EmailMessage]:
        out = tmp_path_factory.mktemp("mails")
        wish = desk.PostOptions(dry=True, only=CLUBS[name])
        result = desk.send(made(name, lang), out, clock=Hour().clock, wish=wish, lang="en")
        assert result.exit == desk.Exit.DONE, result.finding_lines()
        return {file.stem: read(file.read_bytes()) for file in sorted(out.glob("*.eml"))}
    return write


def printed(mail: EmailMessage, form: str = "plain") -> list[str]:
    """The lines of a mail's text, or of the text of its HTML."""
    part = mail.get_body((form,))
    assert part is not None
    text = str(part.get_content())
    return [line.strip() for line in (text if form == "plain" else visible_text(text)).splitlines()]


def blanks(lines: Sequence[str]) -> list[str]:
    """The lines that are to be filled in."""
    return [line for line in lines if not line.startswith("#") and re.search(rf": .*{BLANK}$", line)]


def typed(book: Path, lines: Sequence[str], faction: str = "") -> desk.Result:
    """Lines, all in one text."""
    return desk.take_orders(book, [desk.Input("text", text="\n".join(lines))], faction=faction, lang="en")


def outcome(book: Path, lines: Sequence[str], confirm: str) -> set[str]:
    """What the battle comes to with these lines of the referee's."""
    taken = typed(book, [*lines, *([confirm] if confirm else [])])
    assert taken.exit == desk.Exit.DONE, taken.finding_lines()
    done = desk.resolve(book, lang="en", defaults=True)
    assert done.exit == desk.Exit.DONE, done.finding_lines()
    return fate(book)


@pytest.fixture(scope="module")
def by_hand(made: Made, tmp_path_factory: pytest.TempPathFactory) -> ByHand:
    """What the battle of a rulebook comes to as the referee types it into the form."""
    @cache
    def play(name: str) -> set[str]:
        book = copy_with_folder(made(name, "en"), tmp_path_factory.mktemp("hand"))
        return outcome(book, TYPED[name], ENTERED.get(name, ""))
    return play


@pytest.mark.slow
@pytest.mark.parametrize(("name", "lang"), ONE_LANGUAGE_EACH)
def test_what_a_club_fills_in_in_its_mail_is_what_the_sheet_says(made: Made, by_hand: ByHand, letters: Letters,
                                                                 tmp_path: Path, name: str, lang: str) -> None:
    """The form stands in the text and in the HTML; untouched it says nothing; filled in and sent back in a quote it is
    the club's report, and the battle ends as if the referee had typed it.
    """
    book = copy_with_folder(made(name, lang), tmp_path / "mail")
    mails = letters(name, lang)
    for club in CLUBS[name]:
        text, workspace = printed(mails[club]), open_workspace(book, "en")
        assert blanks(text)
        assert [line for line in printed(mails[club], "html") if line in blanks(text)] == blanks(text)
        sent, counts = SentTexts(["\n".join(text)]), recognizer(workspace.ruleset, workspace.campaign, club)
        assert sift_mail(read_mail(raw(quoted(*text))), sent, counts).lines == ()
        back = fill(text, translated(FILLED[name]), lang)
        lines = sift_mail(read_mail(raw(quoted(*back))), sent, counts).lines
        changed = [new for old, new in zip(text, back, strict=True) if old != new]
        assert [line.rstrip(BLANK) for line in lines] == [line.rstrip(BLANK) for line in changed]
        taken = typed(book, lines, club)
        assert taken.exit == desk.Exit.DONE, taken.finding_lines()
    assert outcome(book, (), CONFIRM[name]) == by_hand(name)


@pytest.mark.parametrize(("name", "lang"), fast_among(BOOKS, ("incursio", "en")))
def test_what_the_referee_fills_in_in_his_report_is_what_the_sheet_says(
        made: Made, by_hand: ByHand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, lang: str) -> None:
    """The lines of both sides, copied from the text of the page; the clubs' own pages, which take long, are not made.
    """
    book = copy_with_folder(made(name, lang), tmp_path / "page")
    monkeypatch.setattr(report, "factions_with_reports", lambda campaign: [])
    assert desk.report(book, book.parent / "out", lang=lang).exit == desk.Exit.DONE
    page = next((book.parent / "out").glob("*referee*.html")).read_text("utf-8")
    lines = blanks([line.strip() for line in visible_text(page).splitlines()])
    told = fill(lines, translated(FILLED[name]), lang)
    assert outcome(book, told, ENTERED.get(name, "")) == by_hand(name)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "lang"), ONE_LANGUAGE_EACH)
def test_it_comes_back_through_a_mailbox(made: Made, by_hand: ByHand, letters: Letters, tmp_path: Path, box: Box,
                                         name: str, lang: str) -> None:
    """Both clubs answer the mail that they got."""
    book = copy_with_folder(made(name, lang), tmp_path / "mail")
    for club in CLUBS[name]:
        mail = letters(name, lang)[club]
        back = fill(printed(mail), translated(FILLED[name]), lang)
        box.put(raw(quoted(*back), subject=f"Re: {mail['Subject']}", headers={"Message-ID": f"<{club}@x>"}))
    result = collected(book, box)
    assert result.exit == desk.Exit.DONE, result.finding_lines()
    assert outcome(book, (), CONFIRM[name]) == by_hand(name)


@pytest.mark.parametrize(("name", "club", "line", "code", "words"), [
    ("warriors", "men", "B2-1 M1a 10: killed 12 left in rout _", "WAR-502", ("M1a", "12", "10")),
    ("incursio", "esdef", "3E-1-2-1 esdef FFAC: attackers left FFF", "INC-090", ("FFF", "FFAC")),
    *all_slow([
        ("warriors", "men", "B2-1 M7a 10: killed 2", "ARB-302", ("M7a", "M1a")),
        ("warriors", "men", "B2-1 M1a 10: killed some", "ARB-302", ("some", "Killed (figures)")),
        ("anarchy", "royal", "B3-1 A1 foot 4: killed 9", "ANA-802", ("A1", "4", "9")),
        ("anarchy", "royal", "B3-1 A7 foot 4: killed 1", "ARB-302", ("A7", "A1")),
        ("bloodlust", "SEK", "987Su-1 SEK-u9: hits 1", "ARB-302", ("SEK-u9", "SEK-u1")),
        ("bloodlust", "SEK", "987Su-1: winner Nobody", "BLD-060", ("Nobody",)),
        ("giglio", "M", "B1500.3.V8 M 200: attacker's losses 201", "GIG-103", ("200",)),
        ("giglio", "M", "B1500.3.V8 P 200: attacker's losses 20", "ARB-302", ("P 200", "M, V")),
        ("giglio", "M", "B1500.3.V8: winner P", "GIG-104", ())])])
def test_what_cannot_be_is_said_at_once(made: Made, tmp_path: Path, name: str, club: str, line: str, code: str,
                                        words: tuple[str, ...]) -> None:
    """Which word it is, and what would do; nothing of the line is taken. The referee hears the same of his own line."""
    for faction in (club, ""):
        book = copy_with_folder(made(name, "en"), tmp_path / (faction or "referee"))
        told = typed(book, [line], faction)
        found = {one.code: told.finding_text(one) for one in told.findings}
        assert code in found, told.finding_lines()
        assert [word for word in words if word not in found[code]] == []
        if faction:
            assert told.exit == desk.Exit.REFUSED
            assert not open_workspace(book, "en").campaign.by_sheet("Questions").where(
                lambda one: one.to == club and "battle" in one.kind)
