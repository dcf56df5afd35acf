"""Mail in: awkward mails of clubs are read as their club meant them, and what nobody can know is asked."""

from __future__ import annotations

import re
import textwrap
import time

import pytest

from assistant.post.club_form import SentTexts, SiftedLines, sift_mail
from assistant.post.mail_text import lines_of_html
from assistant.post.parse_mail import LARGEST_MAIL, read_mail
from tests.post.mails import (
    BLOCK,
    CODE,
    OTHER,
    REPORT,
    base64_of,
    book,
    by_hand,
    filled,
    multipart,
    quoted,
    raw,
    signed_in_one,
    uuencoded,
    winmail,
    zipped,
)

ORDER = re.compile(r"(?:muovi|assedia) V-\d (?:verso )?[\w' -]+|A: Pisa|accetta patto (?:sì|no)|dono \w+ \d+", re.I)
GO, SIEGE = "muovi V-1 verso Udine Nord", "assedia V-2 Zara"
LONG = "muovi V-1 verso Udine Nord passando per Cividale e per il ponte sul Natisone"
BROKEN = textwrap.fill(LONG, 72)
SENT = SentTexts([REPORT])
IN_BASE64 = "Content-Transfer-Encoding: base64\r\n"


def counts(line: str) -> bool:
    """Whether the little rulebook of these tests knows an order in a line."""
    return ORDER.fullmatch(line) is not None


def sifted(mail: bytes) -> SiftedLines:
    """What counts of a mail."""
    return sift_mail(read_mail(mail), SENT, counts)


def doubts(mail: bytes) -> list[str]:
    """What is asked about a mail, of its parts and of its lines."""
    return [*read_mail(mail).doubts, *sifted(mail).doubts]


TOP = (f"{GO}\n\nIl giorno dom 22 nov 2026 alle ore 10:00 Arbitro <a@club.it>\nha scritto:\n\n"
       + quoted(*REPORT.splitlines()))
OUTLOOK = (f"{GO}\n\n-----Messaggio originale-----\nDa: Arbitro\nInviato: domenica 22 novembre 2026\nA: anna@club.it\n"
           f"Oggetto: Italia\n\n{REPORT}")
WORDS = {
    "only an order": (raw(GO), [GO]),
    "above the quoted report": (raw(TOP), [GO]),
    "above the report as Outlook puts it": (raw(OUTLOOK), [GO]),
    "the filled block": (raw("\n".join(filled(GO, SIEGE))), [GO, SIEGE]),
    "the filled block in a quote": (raw(quoted(*filled(GO))), [GO]),
    "own lines in a quoted block": (raw(quoted(*BLOCK[:-1]) + f"\n{GO}\n" + quoted(BLOCK[-1])), [GO]),
    "the block behind strokes": (raw(quoted(*filled(GO), mark="| ")), [GO]),
    "the untouched form behind strokes": (raw(quoted(*REPORT.splitlines(), mark="| ")), []),
    "the block in a quote of a quote": (raw(quoted(*filled(GO), mark=">> ")), [GO]),
    "an answer without its mark": (raw(quoted(*(one.replace("#acc", "acc") for one in BLOCK))), ["accetta patto sì"]),
    "the block filled in, and as it was sent": (raw("\n".join(filled(GO)) + "\n" + quoted(*BLOCK)), [GO]),
    "block and the same above": (raw(f"{GO}\n" + quoted(*filled(GO, SIEGE))), [GO, SIEGE]),
    "English marks": (raw(f"#===== ARBITRO: BEGIN =====\n{GO}\n#===== ARBITRO: END ====="), [GO]),
    "a block without its end": (raw("\n".join(filled(GO)[:-1])), [GO]),
    "answered below the quote": (raw(quoted(*REPORT.splitlines()) + f"\n\n{SIEGE}"), [SIEGE]),
    "between the lines of the quote": (raw(f"> VENEZIA\n{GO}\n> Rapporto fatto da Arbitro."), [GO]),
    "words in a quote that we never sent": (raw(f"Confermo.\n> {SIEGE}"), [SIEGE]),
    "below a signature": (raw(f"Ciao\n-- \nAnna\n{GO}"), [GO]),
    "a line like a header": (raw(f"A: Pisa\n{GO}"), ["A: Pisa", GO]),
    "what follows a line like a header": (raw(f"Da: Venezia\nData: oggi\n{GO}"), [GO]),
    "an example of ours, quoted": (raw("Grazie!\n" + quoted("Per esempio:", "muovi V-1 verso Udine")), []),
    "an example of ours as the club's order, forwarded": (raw(
        "Ti giro gli ordini.\n\n---------- Forwarded message ---------\nDa: Anna\nData: oggi\nOggetto: ordini\n\n"
        f"{SIEGE}\nmuovi V-1 verso Udine\n\n" + quoted(*REPORT.splitlines())), [SIEGE, "muovi V-1 verso Udine"]),
    "an example of ours, written by the club": (raw("muovi V-1 verso Udine"), ["muovi V-1 verso Udine"]),
    "thanks": (raw("Grazie, a domenica!\n" + quoted(*REPORT.splitlines())), []),
    "an empty mail": (raw(""), []),
    "the untouched form": (raw(quoted(*BLOCK)), []),
    "blanks that do not break": (raw("muovi\u00a0V-1\u00a0verso\u00a0Udine\u202fNord"), [GO]),
    "typographic dashes": (raw("muovi V\u20111 verso Udine Nord\nassedia V\u20132 Zara"), [GO, SIEGE]),
    "typographic quotes": (raw("muovi V-1 verso L\u2019Aquila"), ["muovi V-1 verso L'Aquila"]),
    "signs that nobody sees": (raw("muovi V-1\u200b verso Udine\u00ad Nord"), [GO]),
    "a list": (raw(f"- {GO}\n2) {SIEGE}"), [GO, SIEGE]),
    "flowed": (by_hand("text/plain; format=flowed", "muovi V-1 verso \nUdine Nord\n"), [GO]),
    "only HTML": (raw(html=f"<p>{GO}</p><p>{SIEGE}</p>"), [GO, SIEGE]),
    "HTML with breaks and blanks": (raw(
        html="muovi&nbsp;V-1 <b>verso</b>\n Udine Nord<br>assedia V-2 Zara"), [GO, SIEGE]),
    "the block in HTML": (raw(html="<blockquote><pre>" + "\n".join(filled(GO)) + "</pre></blockquote>"), [GO]),
    "HTML quoted by Gmail": (raw(html=f"<div>{SIEGE}</div><div class='gmail_quote'>" + REPORT.replace("\n", "<br>")
                                 + "</div>"), [SIEGE]),
    "text and HTML alike": (raw(GO, f"<p>{GO}</p>"), [GO]),
    "broken in the text alone": (raw(BROKEN, f"<p>{LONG}</p>"), [LONG]),
    "broken in the HTML alone": (raw(LONG, "<br>".join(BROKEN.splitlines())), [LONG]),
    "broken elsewhere in each": (raw(BROKEN, "<br>".join(textwrap.wrap(LONG, 63))), [LONG]),
    "broken where no half is an order": (raw("accetta\npatto sì", "<p>accetta patto sì</p>"), ["accetta patto sì"]),
    "broken in the block's text": (raw("\n".join(filled(BROKEN, SIEGE)), "<br>".join(filled(LONG, SIEGE))), [
        LONG, SIEGE]),
    "HTML with an empty text": (raw(" \n", f"<p>{GO}</p>"), [GO]),
    "display:none": (raw(html=f"<p>{GO}</p><p style='display: NONE'>{SIEGE}</p>"), [GO]),
    "hidden by a class": (raw(html=f"<style>p.x, .ghost {{display:none}}</style><p>{GO}</p><p class=ghost>{SIEGE}</p>"),
                          [GO]),
    "a remark and a style": (raw(html=f"<!-- {SIEGE} --><style>\n{SIEGE}\n</style>{GO}"), [GO]),
    "signed PGP in the text": (raw(f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n{GO}\n"
                                   f"-----BEGIN PGP SIGNATURE-----\n\n{SIEGE}\n-----END PGP SIGNATURE-----"), [GO]),
    "PGP without its blank line": (raw(f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n{GO}\n{SIEGE}\n"
                                       "-----BEGIN PGP SIGNATURE-----\n\niQEz\n-----END PGP SIGNATURE-----"),
                                   [GO, SIEGE]),
    "a signature within PGP": (raw(f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n- - {GO}\n- -- \n{SIEGE}\n"
                                   "-----BEGIN PGP SIGNATURE-----\n\niQEz\n-----END PGP SIGNATURE-----"), [GO]),
    "no charset, UTF-8": (by_hand("text/plain", "accetta patto sì"), ["accetta patto sì"]),
    "no charset, Windows": (by_hand("text/plain", "accetta patto sì".encode("cp1252")), ["accetta patto sì"]),
    "a wrong charset": (by_hand("text/plain; charset=us-ascii", "accetta patto sì"), ["accetta patto sì"]),
    "latin-1 by name, UTF-8 in truth": (by_hand("text/plain; charset=iso-8859-1", "accetta patto sì"), [
        "accetta patto sì"]),
    "a charset that nobody knows": (by_hand("text/plain; charset=x-klingon", "accetta patto sì"), ["accetta patto sì"]),
    "UTF-16": (multipart("mixed", ("Content-Type: text/plain; charset=utf-16\r\n" + IN_BASE64.strip(), base64_of(
        "accetta patto sì".encode("utf-16")))), ["accetta patto sì"]),
    "an accent in two signs": (raw("accetta patto si\u0300"), ["accetta patto sì"]),
    "S/MIME in one piece": (by_hand("application/pkcs7-mime; name=smime.p7m", base64_of(
        signed_in_one(b"Content-Type: text/plain\r\n\r\n" + GO.encode())), headers=IN_BASE64), [GO]),
    "signed beside": (multipart("signed", ("Content-Type: text/plain", GO.encode()), (
        "Content-Type: application/pkcs7-signature; name=smime.p7s", b"MIIB")), [GO]),
    "a mail attached": (multipart("mixed", ("Content-Type: text/plain", b"Ecco."), (
        "Content-Type: message/rfc822", raw(GO))), [GO]),
    "a mail attached in base64": (multipart("mixed", ("Content-Type: text/plain", b"Ecco."), (
        "Content-Type: message/rfc822\r\nContent-Transfer-Encoding: base64", base64_of(raw(GO)))), [GO]),
    "an .eml": (raw("Ecco.", files=(("ordini.eml", raw(GO)),)), [GO]),
}


@pytest.mark.parametrize("name", WORDS)
def test_the_lines_of_a_mail_that_count(name: str) -> None:
    """Whatever program wrote them, the club's orders and nothing else, in their order, and nobody is asked."""
    mail, wanted = WORDS[name]

    assert (list(sifted(mail).lines), doubts(mail)) == (wanted, [])


ASKED = {
    "text and HTML differ": (raw(GO, f"<p>{SIEGE}</p>"), "text_and_html"),
    "HTML says more": (raw(GO, f"<p>{GO}</p><p>{SIEGE}</p>"), "text_and_html"),
    "two short orders in one line of HTML": (raw(f"{GO}\n{SIEGE}", f"<p>{GO}\n{SIEGE}</p>"), "text_and_html"),
    "an order below a remark, in HTML behind it": (raw(f"# now\n{GO}", f"<p># now {GO}</p>"), "text_and_html"),
    "struck out": (raw(html=f"<p>{GO}</p><p><s>{SIEGE}</s></p>"), "struck_out"),
    "struck out by a style": (raw(html=f"<p style='text-decoration: line-through'>{GO}</p>"), "struck_out"),
    "two blocks that differ": (raw("\n".join(filled(GO)) + "\n" + quoted(*filled(SIEGE))), "two_blocks"),
    "block and other lines": (raw(f"{SIEGE}\n" + quoted(*filled(GO))), "block_and_lines"),
    "no text in any charset": (by_hand("text/plain", b"muovi \x81\x8d\x00"), "charset"),
    "encrypted by PGP": (multipart("encrypted", (
        "Content-Type: application/pgp-encrypted", b"Version: 1")), "encrypted"),
    "encrypted in the text": (raw("-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----"), "encrypted"),
    "encrypted by S/MIME": (by_hand("application/pkcs7-mime; name=smime.p7m", base64_of(
        b"\x30\x80\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x03\xa0\x80"), headers=IN_BASE64),
        "encrypted"),
    "a zip in a zip": (raw("x", files=(("a.zip", zipped({"b.zip": zipped({"c.txt": b"x"})})),)), "zip_in_zip"),
    "an item of Outlook": (raw("x", files=(("a.msg", b"\xd0\xcf\x11\xe0" + bytes(600)),)), "outlook_item"),
}


@pytest.mark.parametrize("name", ASKED)
def test_what_nobody_can_know_is_asked(name: str) -> None:
    """Nothing is guessed: the reason is given, and the lines of both sides where two are there."""
    mail, why = ASKED[name]

    assert doubts(mail) == [why]
    assert sifted(mail).lines == ()


FILES = {
    "attached": raw("x", files=(("a.xlsx", book()),)),
    "as the mail itself": by_hand("application/octet-stream", base64_of(book()), headers=IN_BASE64),
    "named as text": multipart("mixed", ("Content-Type: text/plain\r\nContent-Transfer-Encoding: base64", base64_of(
        book()))),
    "twice": raw("x", files=(("a.xlsx", book()), ("b.xlsx", book()))),
    "inside an alternative": multipart("alternative", ("Content-Type: text/plain", b"x"), (
        'Content-Type: multipart/mixed; boundary="b2"', multipart("mixed", (
            "Content-Type: text/html", b"<p>x</p>"), (
                "Content-Type: application/x; name=a.xlsx\r\nContent-Transfer-Encoding: base64", base64_of(book())),
            boundary="b2").partition(b"\r\n\r\n")[2])),
    "in winmail.dat": raw("x", files=(("winmail.dat", winmail("a.xlsx", book())),)),
    "in uuencode": raw("Ecco.\n\n" + uuencoded("a.xlsx", book()) + "\n"),
    "in a zip": raw("x", files=(("a.zip", zipped({"ordini/a.xlsx": book()})),)),
    "in an .eml": raw("x", files=(("b.eml", raw("y", files=(("a.xlsx", book()),))),)),
    "in a forwarded mail": multipart("mixed", ("Content-Type: message/rfc822", raw("y", files=(("a.xlsx", book()),)))),
    "in certified post": multipart("mixed", ("Content-Type: text/plain", b"Messaggio di posta certificata"), (
        "Content-Type: message/rfc822; name=postacert.eml", raw("y", files=(("a.xlsx", book()),))), headers=(
            "X-Trasporto: posta-certificata\r\n")),
    "under a name that leads elsewhere": raw("x", files=(("../../etc/passwd.xlsx", book()),)),
}


@pytest.mark.parametrize("name", FILES)
def test_the_workbook_is_found_wherever_a_program_put_it(name: str) -> None:
    """Once, with its bytes as they were; its name is no path."""
    found = read_mail(FILES[name]).files

    assert [(one.kind, one.data) for one in found] == [("workbook", book())]
    assert not re.search(r"[/\\:]|\.\.", found[0].name)


@pytest.mark.parametrize(("name", "data", "kind"), [
    ("ordini.csv", b"verb;unit\nmuovi;V-1\n", "table"), ("ordini.txt", GO.encode(), "text"),
    ("ordini", b"verb,unit,target\nmuovi,V-1,Zara\n", "table"),
    ("sealed.xlsx", b"\xd0\xcf\x11\xe0" + bytes(600), "workbook"),
    ("foto.xlsx", b"\x89PNG\r\n\x1a\n", "other"),
    ("a.docx", zipped({"[Content_Types].xml": b"", "word/a.xml": b""}), "other"),
])
def test_a_file_is_known_by_what_is_in_it(name: str, data: bytes, kind: str) -> None:
    """Not by its name: a compound file goes on as the workbook with a password that it is."""
    assert [file.kind for file in read_mail(raw("x", files=((name, data),))).files] == [kind]


DELIVERY = multipart("report; report-type=delivery-status", ("Content-Type: text/plain", b"It failed."), (
    "Content-Type: message/delivery-status",
    b"Reporting-MTA: dns; x\r\n\r\nFinal-Recipient: rfc822; anna@club.it\r\nAction: failed\r\n"
    b"Diagnostic-Code: smtp; 550 5.1.1 no such user"), (
        "Content-Type: message/rfc822", raw(GO, headers={"X-Arbitro-Mail": "abc@club.it"},
                                            files=(("a.xlsx", book()),))), headers="Return-Path: <>\r\n")
MACHINES = {
    "failure": DELIVERY,
    "receipt": multipart("report; report-type=disposition-notification", ("Content-Type: text/plain", GO.encode())),
    "receipt of certified post": by_hand("text/plain", GO, headers="X-Ricevuta: avvenuta-consegna\r\n"),
    "failure of certified post": by_hand("text/plain", GO, headers="X-Ricevuta: mancata-consegna\r\n"),
    "own": raw(GO, headers={"X-Arbitro-Mail": "abc@club.it"}),
    "machine": raw(GO, headers={"Auto-Submitted": "auto-replied"}),
    "machine without a return path": raw(GO, headers={"Return-Path": "<>"}),
    "machine by its subject": raw(GO, subject=f"Risposta automatica: {CODE}"),
}


@pytest.mark.parametrize("name", MACHINES)
def test_a_machines_answer_is_never_orders(name: str) -> None:
    """Even with the right code and a form; it gets no receipt, so that no two programs write to one another."""
    mail = read_mail(MACHINES[name])

    assert (mail.kind, mail.quiet, mail.files) == (name.split(maxsplit=1)[0], True, ())
    assert sifted(MACHINES[name]) == SiftedLines()


def test_a_failure_names_the_report_the_address_and_the_cause() -> None:
    """As the server said it."""
    told = read_mail(DELIVERY).undelivered

    assert told is not None
    assert ("abc@club.it" in told.mails, told.addresses, told.cause) == (
        True, ("anna@club.it",), "550 5.1.1 no such user")


@pytest.mark.parametrize("name", ["Precedence", "List-Id"])
def test_a_list_makes_no_machine_of_a_person(name: str) -> None:
    """Its orders count; only the receipt stays away."""
    mail = read_mail(raw(GO, headers={name: "list"}))

    assert (mail.kind, mail.quiet) == ("person", True)
    assert sift_mail(mail, SENT, counts).lines == (GO,)


@pytest.mark.parametrize(("subject", "body", "wanted"), [
    (f"Re: {CODE}", GO, (CODE,)), (f"re: {CODE.lower()}", GO, (CODE,)), ("x", CODE.replace("-", " "), (CODE,)),
    ("x", "> " + CODE[:9] + "=\n> " + CODE[9:], (CODE,)), ("x", quoted(*BLOCK), (CODE,)), (CODE, OTHER, (CODE, OTHER)),
    ("x", CODE[:-1] + ("2" if CODE[-1] != "2" else "3"), ()), ("perché " + CODE, "", (CODE,)), ("x", "", ()),
])
def test_the_code_is_read_from_the_subject_and_the_words(subject: str, body: str, wanted: tuple[str, ...]) -> None:
    """Decoded, without regard to case, blanks and breaks; a wrong one is never mended, two are both told."""
    assert read_mail(raw(body, subject=subject)).tokens == wanted


def test_what_is_neither_order_nor_ours_nor_a_signature_is_named() -> None:
    """A greeting and a mistyped order, with the club's own words; what we sent and who signs is not."""
    body = f"Ciao Marco\nmuovvi V-1 Zara\n{GO}\n\n-- \nAnna, presidente\n" + quoted(*REPORT.splitlines(), "ma io no")

    assert sifted(raw(body)).listed == ("Ciao Marco", "muovvi V-1 Zara", "ma io no")


def test_a_block_names_its_turn() -> None:
    """So that one of another turn is known."""
    assert sifted(raw("\n".join(filled(GO)))).turns == ("1500",)


HOSTILE = {
    "two thousand parts in one another": ("too_deep", b"".join(
        f'Content-Type: multipart/mixed; boundary="b{n}"\r\n\r\n--b{n}\r\n'.encode() for n in range(2000))),
    "a hundred parts in one another": ("too_deep", b"".join(
        f'Content-Type: multipart/mixed; boundary="b{n}"\r\n\r\n--b{n}\r\n'.encode() for n in range(100))),
    "five thousand parts": ("too_many_parts", multipart("mixed", *[("Content-Type: text/plain", b"x")] * 5000)),
    "too large": ("too_large", bytes(LARGEST_MAIL + 1)),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_mail_that_cannot_be_read_is_listed(name: str) -> None:
    """Within a second, with its reason; nothing of it counts and nothing is raised."""
    why, mail = HOSTILE[name]
    begun = time.process_time()

    assert read_mail(mail).doubts == (why,)
    assert time.process_time() - begun < 1


@pytest.mark.parametrize("mail", [
    b"", b"\0\xff" * 500, b"From: a\r\nFrom: b\r\n\r\nx", b"Subject: =?utf-8?b?////?=\r\n\r\nx",
    b"Content-Type: multipart/mixed\r\n\r\nx", b'Content-Type: text/plain; charset="\xff"\r\n\r\nx',
    b"Content-Disposition: attachment; filename*=utf-8''%ff%\r\n\r\nx",
    b"Content-Type: message/rfc822\r\nContent-Transfer-Encoding: base64\r\n\r\n!!!",
    b"From: =?x?q?=0a?= <a@b@c>\r\nMessage-ID: <\r\n\r\n", by_hand("application/pkcs7-mime", b"\x30\x80")])
def test_damaged_headers_raise_nothing(mail: bytes) -> None:
    """Whatever comes is a mail with something in it or a doubt."""
    assert sifted(mail).lines == ()


@pytest.mark.parametrize("page", ["<div>" * 20_000 + GO, "<p>x</p>" + "<!--" * 100_000, "<p>x</p>" + "<a " * 100_000,
                                  "<style>" + "{" * 100_000, "<p " + "a=1 " * 50_000 + ">x"])
def test_hostile_html_costs_no_more_than_its_length(page: str) -> None:
    """Deep, without ends, with a hundred thousand of anything."""
    begun = time.process_time()
    lines_of_html(page)

    assert time.process_time() - begun < 2


def test_in_doubt_both_sides_are_shown() -> None:
    """So that the referee can decide."""
    mail, _ = ASKED["block and other lines"]

    assert sifted(mail).rivals == ((GO,), (SIEGE,))
