"""Letters and addresses: the same bytes whenever they are made, pictures inside, nothing forged by what people type."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from openpyxl import load_workbook

from assistant.post.letters import InlinePicture, Letter, Stamp, compose, find_leaks, message_id, secrets_of
from assistant.post.mail_server import Server, guess_servers, next_ident, parse_addresses, parse_server, with_message_id
from assistant.rulesets.bloodlust.ruleset import BLOODLUST
from assistant.rulesets.warriors.ruleset import WARRIORS
from assistant.testing.fog import letters_of
from tests.bloodlust.scenario import ground, tanaephis
from tests.plugin.wells.arbitro_wells import WELLS
from tests.post.test_sending import read
from tests.rulesets.openings import OPENINGS
from tests.warriors.scenario import borderlands

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
LETTER = Letter(
    "report",
    "V",
    "[Italia] Venezia: è aprile",
    "it",
    "Ciao.\n.\n.. due punti\n",
    '<p>città <img src="cid:map" alt="m"></p>\n',
    (InlinePicture("map", PNG),),
    (("guerra è.xlsx", b"PK\3\4"),),
)
STAMP = Stamp(message_id("c0ffee", LETTER.digest, 0, "club.test"), "Sun, 22 Nov 2026 21:00:00 +0100",
              "referee@club.test", "L'arbitro, però", ("anna@a.test",))


@pytest.mark.parametrize(("typed", "good", "bad"), [
    ("anna@a.it", ["anna@a.it"], []),
    ("Anna <anna@a.it>; vice: bruno@b.it,\nCARLA@c.it carla@C.IT", ["anna@a.it", "bruno@b.it", "carla@C.IT"], []),
    ("by pigeon", [], ["by pigeon"]),
    ("a@b\r\nBcc: all@x.it", ["a@b", "all@x.it"], []),
    ("..@x.it, <script>@x.it", [], ["..@x.it", "<script>@x.it"]),
    ("", [], [])])
def test_the_column_mail_holds_several_addresses(typed: str, good: list[str], bad: list[str]) -> None:
    """With commas, semicolons, lines between them, with names or without; what is none is named."""
    found, wrong = parse_addresses(typed)

    assert [one.casefold() for one in found] == [one.casefold() for one in good]
    assert bool(wrong) == bool(bad)


def test_a_letter_is_the_same_mail_whenever_it_is_made() -> None:
    """With the picture inside, the workbook behind, every line short enough for any server."""
    mail = compose(LETTER, STAMP)

    assert compose(LETTER, STAMP) == mail
    assert max(map(len, mail.split(b"\r\n"))) < 998
    parts = list(read(mail).walk())
    assert [part.get_content_type().partition("/")[2].partition(".")[0] for part in parts] == [
        "mixed", "alternative", "plain", "related", "html", "png", "vnd"]
    assert (parts[5]["Content-ID"], parts[5].get_content()) == ("<map>", PNG)
    assert parts[6].get_filename() == "guerra è.xlsx"
    assert str(read(mail)["Content-Language"]) == "it"
    assert parts[2].get_content().splitlines() == LETTER.text.splitlines()


def test_another_content_is_another_message() -> None:
    """Its Message-ID says what it holds; a further mail for addresses that were put off has one of its own."""
    other = replace(LETTER, text=LETTER.text + " ")
    mail, ident = compose(LETTER, STAMP), next_ident(next_ident(STAMP.ident))

    assert other.digest != LETTER.digest
    assert ident == STAMP.ident.replace("@", ".2@")
    assert str(read(with_message_id(mail, STAMP.ident, ident))["Message-ID"]) == f"<{ident}>"
    with pytest.raises(ValueError, match=r"newline|linefeed"):
        compose(Letter("report", "V", "a\r\nBcc: x@y.z", "it", ""), STAMP)


def test_a_name_that_nobody_told_is_found_wherever_it_stands(tmp_path: Path) -> None:
    """As a whole word of three letters, in subject, text and page; words of the program and of one's own are none."""
    ruleset, campaign = OPENINGS["wells"](tmp_path)
    view = ruleset.view(campaign, "N")
    secrets = secrets_of(campaign, ["Rocca Segreta", "ab"])

    def hits(text: str, html: str = "") -> list[str]:
        return [hit.word for hit in find_leaks(Letter("report", "N", "x", "en", text, html), secrets, WELLS, [view])]

    assert hits("A rider comes to rocca  segreta at night.") == ["Rocca Segreta"]
    assert hits("", '<p>at <b>Rocca</b> Segreta</p>') == ["Rocca Segreta"]
    assert hits("", '<img alt="Rocca Segreta">') == ["Rocca Segreta"]
    assert hits("Roccasegreta and a rocca of segretaries") == []
    assert hits(" ".join(one for table in view.tables().values() for key, row in table.in_file_order()
                         for one in row.as_text().values())) == []


@pytest.mark.parametrize(("ordered", "told"), [
    ("", []), ("iniziativa primo", []), ("arruola 10", []), ("arruola 10 a Mordor", ["arruola 10 a Mordor"])])
def test_an_order_of_another_club_that_names_nothing_is_no_secret(ordered: str, told: list[str]) -> None:
    """The card of orders names its examples to everybody, and a word of the book with a number may stand anywhere."""
    view = WARRIORS.view(borderlands(), "dwarfs")
    said = ordered or next(iter(WARRIORS.order_cards(view, "it", _plain, "dwarfs"))).example
    letter = Letter("report", "dwarfs", "x", "it", f"- {said}", "")
    assert [hit.word for hit in find_leaks(letter, secrets_of(view, [said]), WARRIORS, [view])] == told


def _plain(text: str, **data: object) -> str:
    return text


def test_the_options_of_an_order_are_words_of_the_book() -> None:
    """The copy's lists offer `or_disband` to everybody: that another club ordered it keeps no mail back."""
    view = BLOODLUST.view(tanaephis(), "PIO")
    letter = Letter("report", "PIO", "x", "en", "invade peace join or_disband war hero", "")
    assert "or_disband" in secrets_of(tanaephis()).values()
    assert find_leaks(letter, secrets_of(tanaephis()), BLOODLUST, [view]) == []


def test_a_letter_names_the_sheets_of_the_copy_that_comes_with_it() -> None:
    """An Italian club of an English workbook gets an Italian copy: it is told to write on Ordini, not on Orders."""
    campaign = ground("987Sp", "recruit")
    campaign.desk.language = "en"
    letter = letters_of(BLOODLUST, campaign)[0]
    ((_, copy),) = letter.attached
    assert letter.lang == "it"
    assert "Ordini" in load_workbook(BytesIO(copy), read_only=True).sheetnames
    told = " ".join(letter.text.split())
    assert "nel foglio Ordini, o nel modulo qui sotto." in told
    assert "recruit" not in told
    assert "Orders" not in told


def test_servers_are_guessed_or_read_as_typed() -> None:
    """Of known providers, else as most call theirs; host, port, way of encryption."""
    assert guess_servers("a@gmail.com")[0] == Server("smtp.gmail.com", 587, "starttls")
    assert guess_servers("a@club.it") == (Server("smtp.club.it", 587, "starttls"), Server("imap.club.it", 993, "tls"))
    assert parse_server("mail.club.it:465", "smtp") == Server("mail.club.it", 465, "tls")
    assert parse_server("mail.club.it", "imap") == Server("mail.club.it", 993, "tls")
    for wrong in ("", "host:port", "host:99999", "host:1:ssl"):
        with pytest.raises(ValueError, match=f"^{wrong}$"):
            parse_server(wrong, "smtp")
