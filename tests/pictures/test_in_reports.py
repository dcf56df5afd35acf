"""Pictures in reports, mails and published pages: the close-up first, words for who sees none."""

from __future__ import annotations

import email
import email.policy
import re
from pathlib import Path

import pytest
from lxml import html

from assistant import desk
from assistant.campaign.records import Node
from assistant.desk.clubs.outgoing import RECEIPT, MailData, note_head, package_of, short_letter
from assistant.desk.commands.report import CampaignState, Drawer, Previous, Proofs, draw_pictures, undrawn_for
from assistant.post.letters import Stamp, compose
from assistant.reporting.pages import ReportPage
from assistant.reporting.render import CHART, NEAR, ORDERED, WHOLE, Inset, render_html, render_text, with_insets
from assistant.wording import Wording
from tests.post.mail_linter import faults
from tests.reporting.feud import FEUD, campaign
from tests.reporting.test_render import all_pages

PNG = b"\x89PNG\r\n\x1a\n"
SHOWN = [Inset(NEAR, "V-near.png", "Map: Reds hold Ponte."), Inset(WHOLE, "V-map.png", "Map: the hills."),
         Inset(CHART, "V-chart.png", "Places: R 2.", "So far")]


def page() -> ReportPage:
    """A club's report."""
    return all_pages()[0]


def test_the_close_up_comes_first_and_the_chart_under_its_own_heading() -> None:
    """Own area, then the whole map, then how the figures went; each with what it shows as alternative text."""
    made = render_html(page(), insets=SHOWN)
    found = re.findall(r'<img[^>]*src="([^"]*)"[^>]*alt="([^"]*)"|<h3[^>]*>(So far)</h3>', made)

    assert [(src or title, alt) for src, alt, title in found] == [
        ("V-near.png", "Map: Reds hold Ponte."), ("V-map.png", "Map: the hills."), ("So far", ""),
        ("V-chart.png", "Places: R 2.")]
    assert all('width="624"' in tag for tag in re.findall(r"<img[^>]*>", made))


@pytest.mark.slow
def test_a_page_says_the_same_with_pictures_and_without() -> None:
    """A report's code stays, and its text form has the words of each picture in their place."""
    bare, shown = page(), with_insets(page(), SHOWN)[0]
    text = render_text(page(), insets=SHOWN)

    assert shown.code == bare.code
    assert all(one.alt in text for one in SHOWN)
    added = [line for line in text.splitlines()
             if line not in render_text(page()).splitlines() and line.strip("-")]
    assert added == ["THE MAP: A CLOSE-UP", "Map: Reds hold Ponte.", "Map: the hills.", "SO FAR", "Places: R 2."]


def a_drawer() -> Drawer:
    """The feud at two moments, Reds having taken Ponte."""
    now = campaign()
    vars(now.table(Node)["K2"])["owner"] = "R"
    return Drawer(FEUD, now, None, [CampaignState("3", "war", campaign()), CampaignState("4", "march", now)])


def test_every_reader_gets_pictures_of_its_own_view() -> None:
    """A club its map and its chart, everybody the public ones, the referee a map with everything."""
    drawer = a_drawer()
    named = {reader: [inset.name for inset, _ in undrawn_for(drawer, reader)] for reader in ("R", "", "referee")}

    assert named["R"][-2:] == [WHOLE, CHART]
    assert named[""] == [WHOLE, CHART]
    assert named["referee"] == [WHOLE]


@pytest.mark.slow
def test_a_mail_carries_its_pictures_inside() -> None:
    """Multipart: the page and its pictures belong together, each picture is named by the page, nothing is fetched."""
    pictures = draw_pictures(a_drawer(), ["R"])
    known = MailData(FEUD, campaign(), "war", Proofs({}, {}), Previous(0), {"R": "AAAA-AAAA-AA"}, pictures=pictures)
    letter = package_of(known, "R", ["r@example.org"]).letter
    mail = email.message_from_bytes(compose(letter, Stamp("1@example.org", "Sun, 22 Nov 2026 21:00:00 +0100",
                                                          "a@example.org")), policy=email.policy.default)
    related = next(part for part in mail.walk() if part.get_content_type() == "multipart/related")
    images = {part["Content-ID"].strip("<>"): part.get_content() for part in related.walk()
              if part.get_content_type() == "image/png"}

    assert set(re.findall(r'src="cid:([a-z]+)"', letter.html)) == set(images)
    assert set(images) >= {WHOLE, CHART}
    assert all(data.startswith(PNG) for data in images.values())
    assert len(letter.html.encode()) < 90_000
    assert "src=\"http" not in letter.html


@pytest.mark.slow
def test_pictures_are_no_part_of_what_a_mail_is_known_by() -> None:
    """Another version of a library that draws otherwise makes no new mail of one that was sent."""
    drawn = draw_pictures(a_drawer(), ["R"])
    others = {"R": tuple((inset, PNG) for inset, _ in drawn["R"])}
    letters = [package_of(MailData(FEUD, campaign(), "war", Proofs({}, {}), Previous(0), {}, pictures=one), "R").letter
               for one in (drawn, others)]

    assert letters[0].digest == letters[1].digest


RECEIVED = ("1 line of 2 does not count yet.\n\nThis counts, for march:\n- 1: R <i>marcia</i>\n  too late\n- 2\n"
            "Nothing else.")
"""What a receipt says."""


def test_a_receipt_shows_its_clubs_orders_and_leads_nowhere_else() -> None:
    """The text as it is, and a page with the picture, which holds nothing but what mail programs stand."""
    words, shown = Wording(FEUD, "it"), (Inset(ORDERED, alt="Ordinati: Ponte <b> → Sasso."), PNG)
    head = note_head(FEUD, FEUD.view(campaign(), "R"), "R", words)
    bare, drawn = (short_letter(RECEIPT, words, "R", "Ricevuta", [RECEIVED], "AAAA", head, some)
                   for some in ((), [shown]))

    assert (bare.text, bare.pictures) == (drawn.text, ())
    assert faults(drawn.html) == faults(bare.html) == []
    assert 'src="cid:orders" width="624" alt="Ordinati: Ponte &lt;b&gt; → Sasso."' in drawn.html
    assert "<li>1: R &lt;i&gt;marcia&lt;/i&gt;<br>too late</li>" in drawn.html
    assert [(picture.cid, picture.png) for picture in drawn.pictures] == [("orders", PNG)]


def test_a_receipt_looks_like_a_report() -> None:
    """The same head in the club's colour, the banner with what matters first, headings, lists, dark rooms."""
    words = Wording(FEUD, "en")
    head = note_head(FEUD, FEUD.view(campaign(), "R"), "R", words)
    note = short_letter(RECEIPT, words, "R", "Receipt", [RECEIVED], "AAAA", head).html
    report = render_html(page())

    for part in (r'<td class="head"[^>]*>', r'<td class="band"[^>]*>', r'<table class="card"[^>]*>',
                 r"@media \(prefers-color-scheme: dark\) \{.*?\n\}"):
        assert re.findall(part, note, re.DOTALL)[:1] == re.findall(part, report, re.DOTALL)[:1]
    shown = html.document_fromstring(note).iter("h1", "h2", "b", "li")
    assert ["".join(map(str, one.itertext())) for one in shown] == [
        "Rossi", "4, March", "1 line of 2 does not count yet.", "This counts, for march",
        "1: R <i>marcia</i>too late", "2"]


def test_hostile_names_are_letters_in_a_receipt() -> None:
    """Markup and signs that turn the text around."""
    whole = campaign(red="<script>alert(1)</script> \u202enpod")
    head = note_head(FEUD, FEUD.view(whole, "R"), "R", Wording(FEUD, "en"))
    note = short_letter(RECEIPT, Wording(FEUD, "en"), "R", "Receipt", ["<img src=x>\u202e"], "", head).html

    assert not list(html.document_fromstring(note).iter("script", "img"))
    assert "\u202e" not in note


@pytest.mark.slow
def test_reports_have_their_pictures_beside_them_and_older_ones_keep_theirs(book: Path, tmp_path: Path) -> None:
    """Each page finds its pictures; what is put aside takes them along; a report without them leaves none behind."""
    out = tmp_path / "out"
    assert desk.report(book, out, pictures=True).exit == desk.Exit.DONE
    html = (out / "A.html").read_text("utf-8")
    assert all((out / src).read_bytes().startswith(PNG) for src in re.findall(r'src="([^"]+png)"', html))
    assert {path.name for path in out.glob("*.png")} >= {"A-map.png", "gazette-map.png", "referee-map.png"}
    desk.take_orders(book, [desk.Input(line, text=line) for line in ("A: M1", "B: M1")])
    assert desk.resolve(book).exit == desk.Exit.DONE
    assert desk.report(book, out, pictures=True).exit == desk.Exit.DONE
    assert (out / "1.march" / "A-map.png").is_file()
    assert (out / "A-map.png").is_file()
    assert desk.report(book, out).exit == desk.Exit.DONE
    assert not (out / "A-map.png").exists()
    assert "<img" not in (out / "A.html").read_text("utf-8")


@pytest.mark.slow
def test_published_pages_have_the_public_maps(book: Path, tmp_path: Path) -> None:
    """Each turn's page shows the public map as the turn was left, and no page shows a club's."""
    desk.take_orders(book, [desk.Input(line, text=line) for line in ("A: M1", "B: M1")])
    assert desk.resolve(book).exit == desk.Exit.DONE
    assert desk.publish(book, tmp_path / "site", pictures=True).exit == desk.Exit.DONE

    assert sorted(path.name for path in (tmp_path / "site").glob("*.png")) == ["turn-1-map.png"]
    assert 'src="turn-1-map.png"' in (tmp_path / "site" / "turn-1.html").read_text("utf-8")
    assert desk.publish(book, tmp_path / "site").exit == desk.Exit.DONE
    assert list((tmp_path / "site").glob("*.png")) == []
