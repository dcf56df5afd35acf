"""The three twins of a page: HTML for mail, plain text, JSON."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import html5lib  # type: ignore[import-untyped]
import pytest

from assistant.campaign.records import Event
from assistant.reporting.build import build_gazette, build_page, build_referee
from assistant.reporting.pages import Listing, ReportPage, ReportTable, TableCell
from assistant.reporting.render import Inset, render_html, render_json, render_text, with_insets
from tests.reporting.feud import FEUD, Faction, Node, campaign, wording

HOSTILE = "<script>alert(1)</script> {{ 7 * 7 }} {% raw %} =cmd|' /C calc'!A0 \u202egnp.exe\u202c\n\nHEADING\n-------"


def all_pages(lang: str = "en") -> list[ReportPage]:
    """One page of each kind."""
    whole = campaign()
    return [build_page(FEUD, FEUD.view(whole, "R"), "R", wording(lang), 0, {"public": "ab" * 32}),
            build_gazette(FEUD, FEUD.view(whole, ""), wording(lang)), build_referee(FEUD, whole, wording(lang))]


def hostile_page() -> ReportPage:
    """A report with names that want to be something else."""
    whole = campaign(red=HOSTILE, place=HOSTILE)
    whole.desk.title = HOSTILE
    whole.table(Faction)["R"].colour = "red;} body{display:none"
    return build_page(FEUD, FEUD.view(whole, "R"), "R", wording())


@pytest.mark.parametrize("number", range(3))
def test_the_html_is_valid(number: int) -> None:
    """A strict parser finds nothing to complain about."""
    html5lib.HTMLParser(strict=True).parse(render_html(all_pages()[number]))


@pytest.mark.parametrize("number", range(3))
def test_the_html_fetches_nothing(number: int) -> None:
    """No outside picture, style, font or script, and no link to anywhere."""
    html = render_html(all_pages()[number])

    assert not re.findall(r"https?://|<script|<link|@import|url\(|\bsrc=|\bhref=", html)


def test_styles_that_mail_clients_drop_are_in_place() -> None:
    """Head, band and cards keep their colours when the style element is thrown away."""
    html = re.sub(r"<style.*?</style>", "", render_html(all_pages()[0]), flags=re.DOTALL)

    assert 'background-color: #b5202e' in html
    assert re.search(r'class="band"[^>]*style="[^"]*background-color', html)


def test_dark_mode_and_phone_rules_survive() -> None:
    """The rules that cannot stand in an element are kept in the head, under Gmail's limit of 16 KB."""
    html = render_html(all_pages()[0])

    styles = "".join(re.findall(r"<style.*?</style>", html, flags=re.DOTALL))
    assert "prefers-color-scheme: dark" in styles
    assert "max-width: 600px" in styles
    assert len(styles) < 16_000


def test_the_same_page_gives_the_same_bytes() -> None:
    """Rendering twice changes nothing."""
    for one, other in zip(all_pages(), all_pages(), strict=True):
        for render in (render_html, render_text, render_json):
            assert render(one) == render(other)


def test_a_report_that_grows_too_large_is_cut_and_says_so() -> None:
    """Two thousand long events still make a mail that is not clipped."""
    whole = campaign()
    for number in range(8, 2008):
        data = {"by": "R", "on": f"{number} {'very long name ' * 40}"}
        whole.table(Event).add(Event(no=number, turn="3", phase="war", audience="R", event="plot", rule="3", data=data))
    page = build_page(FEUD, FEUD.view(whole, "R"), "R", wording())

    html = render_html(page, largest=23_000)

    assert len(html.encode()) <= 23_000
    assert page.shortened in html
    assert re.search(r"and (?:19|20)\d\d more on the sheet Cronaca", html)
    assert page.shortened not in render_html(all_pages()[0])


def test_the_digits_that_prove_the_dice_go_first_from_a_page_that_is_too_large() -> None:
    """Fifty factions' promises give way before anything that is told; text and JSON have them all."""
    promised = {"public": "ab" * 32, **{f"F{n}+R": f"{n:064x}" for n in range(60)}}
    page = build_page(FEUD, FEUD.view(campaign(), "R"), "R", wording(), 0, promised)
    whole = render_html(page)

    html = render_html(page, largest=len(whole.encode()) - 100)

    assert page.shortened not in html
    assert "and 37 more in the form of this report for programs (JSON)" in html
    assert "ab" * 32 in html
    for digits in promised.values():
        assert digits in whole
        assert digits in render_text(page)
        assert digits in render_json(page)


def test_hostile_names_are_shown_and_nothing_more() -> None:
    """Markup, template code and formulas of a club's own stand there as letters."""
    html = render_html(hostile_page())

    tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(html)
    assert tree.findall(".//script") == []
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    assert "{{ 7 * 7 }}" in html
    assert "display:none" not in html.replace("display: none", "")


@pytest.mark.parametrize("name", [HOSTILE, '"><img src=x onerror=alert(1)>', "' onfocus='alert(1)", "a & b < c > d"])
def test_a_hostile_name_stays_inside_its_attribute(name: str) -> None:
    """Also for mail programs that look for < and > and know no quotes; a browser reads the name as it is."""
    whole = campaign(red=name, place=name)
    html = render_html(build_page(FEUD, FEUD.view(whole, "R"), "R", wording()))
    tags: list[str] = []
    labels: list[str] = []

    class Tags(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            tags.append(self.get_starttag_text() or "")
            labels.extend(value or "" for key, value in attrs if key == "aria-label")
            assert not any(key.startswith("on") for key, _ in attrs)

    Tags().feed(html)
    assert tags
    assert not [tag for tag in tags if re.search(r"[<>]", tag[1:-1])]
    seen = " ".join("".join(c for c in name if c.isprintable() or c.isspace()).split())
    assert any(seen in " ".join(label.split()) for label in labels)


def test_each_cell_of_a_table_carries_its_heading_for_a_phone() -> None:
    """There a row is running text: what it is, then each heading with its value; a faction keeps its colour."""
    cells = (TableCell("Reds", colour="#b5202e"), *(TableCell(str(n), n) for n in range(6)))
    table = ReportTable("Standings", tuple("ABCDEFG"), (False,) + (True,) * 6, Listing((cells,)))
    html = render_html(replace(all_pages()[0], tables=(table,)))

    tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(html)
    (stacked,) = [one for one in tree.findall(".//table") if "cards" in one.get("class", "").split()]
    found = stacked.findall(".//td")
    assert [cell.get("data-label") for cell in found] == list("ABCDEFG")
    assert "".join(found[0].itertext()).split() == ["■", "Reds"]


def test_no_name_turns_the_writing_around_or_forges_a_heading() -> None:
    """Signs that change direction are gone from all twins, line breaks of a name from the text."""
    page = hostile_page()

    for twin in (render_html(page), render_text(page), render_json(page)):
        assert not re.search("[\u202a-\u202e\u2066-\u2069\u200e\u200f]", twin)
    assert not re.search(r"^HEADING$", render_text(page), flags=re.MULTILINE)
    assert "\n" not in page.subject


def test_the_text_twin_says_what_the_html_says() -> None:
    """Every sentence of the page stands in both, none of the markup in the text."""
    page = all_pages()[0]
    html, text = render_html(page), " ".join(render_text(page).split())

    for group in (*page.happened, *page.news):
        for line in group.lines.items:
            assert line.text in html
            assert line.text in text
    assert page.battles.items[0].lines[0].roll in text
    assert "'K9' is not on the map." in text
    assert "<" not in text
    assert "&#" not in text


def test_the_digits_that_prove_the_dice_stand_last_of_all() -> None:
    """What is to be done comes before commitments and secrets, in both twins; only the foot stands below them."""
    page = build_page(FEUD, FEUD.view(campaign(), "R"), "R", wording(), 0, {"public": "ab" * 32},
                      {"3": {"public": "cd" * 32}})

    assert page.rulings is not None
    for twin in (render_html(page), render_text(page)):
        told = [twin.rindex(text) for text in (page.todo[-1].split()[-1], "ab" * 32, "cd" * 32, page.foot)]
        assert told == sorted(told)


def test_the_text_fits_an_old_terminal() -> None:
    """No line of sentences is longer than 78 characters."""
    assert max(len(line) for line in render_text(all_pages()[0]).splitlines()) <= 78


def test_the_json_twin_has_sorted_stable_keys() -> None:
    """A program reads the page's fields by name, numbers as numbers."""
    page = all_pages()[0]
    text = render_json(page)
    data = json.loads(text)
    assert text == json.dumps(data, ensure_ascii=False, sort_keys=True, indent=1) + "\n"

    assert data["format"] == 1
    assert list(data) == sorted(data)
    assert data["glance"][0]["value"] == 1250
    assert data["orders"]["remarks"]["items"][0]["quote"] == "go K9 30"
    assert data["code"] == page.code


def test_a_place_without_name_is_shown_by_its_code() -> None:
    """Nothing is made up where a name is missing."""
    whole = campaign()
    whole.table(Node)["K1"].name = ""

    text = render_text(build_page(FEUD, FEUD.view(whole, "R"), "R", wording()))

    assert re.search(r"^K1$", text, flags=re.MULTILINE)


def test_the_picture_has_its_place() -> None:
    """With a picture the map stands in the page with its words for those who cannot see it; without, no trace."""
    view = FEUD.view(campaign(), "R")
    without = build_page(FEUD, view, "R", wording())
    with_map, _ = with_insets(without, [Inset("map", "cid:map", "Red holds Castel Forte")])

    assert "<img" not in render_html(without)
    assert re.search(r'<img src="cid:map"[^>]*alt="Red holds Castel Forte"', render_html(with_map))
