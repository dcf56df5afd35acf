"""What a page holds, and in which words."""

from __future__ import annotations

import csv
import dataclasses
import typing
from collections.abc import Iterator

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Event, Question
from assistant.pictures.colours import contrast, ink_on, legible_colour
from assistant.reporting import pages
from assistant.reporting.build import build_gazette, build_page, build_referee
from assistant.reporting.duties import quote_order, reply_form
from assistant.reporting.facts import event_lines, place_cards
from assistant.reporting.pages import Listing, ReportPage, as_plain_values
from assistant.reporting.reader import Period, Reader
from assistant.reporting.render import render_html, render_text
from assistant.wording import Wording
from assistant.workbook.write.sheet_style import legible_on
from tests.house.source import ROOT
from tests.reporting.feud import FEUD, Account, Army, Faction, Order, campaign, wording
from tests.reporting.played import at, reports, waiting


def page(faction: str = "R", whole: Campaign | None = None, **more: typing.Any) -> ReportPage:
    """The page of a lord, made from his view."""
    view = FEUD.view(whole or campaign(), faction)
    return build_page(FEUD, view, faction, wording(), **more)


def texts(value: object) -> Iterator[str]:
    """Every text of a page."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for one in value:
            yield from texts(one)
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from texts(getattr(value, field.name))


def test_the_head_says_who_when_and_for_whose_eyes() -> None:
    """Name, campaign, moment and the time that the report covers stand in the head and in the subject."""
    seen = page()

    assert (seen.name, seen.campaign, seen.moment) == ("Rossi", "Hills", "4, March")
    assert seen.for_whom == "for your eyes only"
    assert seen.subject == "[Hills] Rossi: 4, March"
    assert seen.covers == "This report tells of 3, March and War."


def test_a_refused_order_is_quoted_with_row_reason_and_remedy() -> None:
    """The club reads its own words, where they stand, what was seen and what to do."""
    orders = page().orders

    assert orders is not None
    assert orders.summary.startswith("1 of 2 orders were accepted.")
    remark, taken = orders.remarks.items
    assert (taken.severity, taken.verdict, taken.reason) == ("info", "carried out", "")
    assert (remark.severity, remark.verdict, remark.row, remark.quote) == ("error", "refused", "4-R-1", "go K9 30")
    assert remark.reason == "'K9' is not on the map. Choose a place from the list."
    assert quote_order(Order(verb="go", target="K9", text="march to K9!"), FEUD, "en") == "march to K9!"


def test_orders_without_a_flaw_are_named() -> None:
    """A club whose orders all stood is told so, which they were, and that they were carried out."""
    orders = page("B").orders

    assert orders is not None
    assert orders.all_well
    assert orders.summary == "Your order was accepted. What came of it is below."
    assert [(one.verdict, one.quote, one.reason) for one in orders.remarks.items] == [("carried out", "go K2 1", "")]


def test_many_orders_without_a_flaw_share_a_line() -> None:
    """Of thirteen that were carried out each is named."""
    whole = campaign()
    for number in range(2, 14):
        whole.table(Order).add(Order(order=f"4-B-{number}", turn="3", phase="march", faction="B", seq=number, verb="go",
                                     target="K2", amount=1, status="accepted"))
    orders = page("B", whole).orders

    assert orders is not None
    assert orders.summary == "13 of 13 orders were accepted. What came of them is below."
    remark, = orders.remarks.items
    assert remark.quote.split("; ") == ["go K2 1"] * 13
    assert not remark.row


def test_a_club_that_sent_nothing_is_told_so() -> None:
    """When orders were due and none came, the report says it."""
    orders = page("G").orders

    assert orders is not None
    assert orders.summary == "You sent no orders for 3, March."
    assert not orders.all_well


@pytest.mark.parametrize(("asked", "told"), [
    ({}, "Your answer counted: yield K1: yes."),
    ({"standing": "standing.yield.G"}, "Your standing answer counted: yield K1: yes.")])
def test_a_club_that_only_answered_is_told_which_answer_counted(asked: dict[str, str], told: str) -> None:
    """Otherwise what its answer brought about would seem to come from orders that it never sent."""
    whole = campaign()
    phase = next(phase for turn, phase in Reader.of(FEUD, whole, "G", wording()).period.moments if turn == "3")
    whole.table(Question).add(Question(question="q", turn="3", phase=phase, kind="yield", to="G", about="K1",
                                       answer="yes", status="answered", asked=asked))
    orders = page("G", whole).orders

    assert orders is not None
    assert orders.summary == f"You sent no orders for 3, March. {told}"


def test_figures_show_their_change_against_the_last_report() -> None:
    """The chest had 1,000 in it at the last report and has 1,250 now."""
    before = campaign()
    before.table(Faction)["R"].chest = 1000

    chest, places, _, _ = page(previous=FEUD.view(before, "R")).glance

    assert (chest.value_text, chest.change, chest.change_text, chest.trend) == ("1,250", 250, "+250", "up")
    assert (places.change, places.change_text, places.trend) == (0, "±0", "same")


def test_without_a_last_report_no_change_is_claimed() -> None:
    """The first report shows figures only."""
    assert {figure.change_text for figure in page().glance} == {""}


def test_the_form_names_no_unit_without_a_line_and_the_list_says_what_seems_impossible() -> None:
    """At the last moves of a day a band may only march, and those that have marched stand nowhere in the form."""
    (built,) = reports("incursio", at("incursio", "4.final_moves"), ("varannah",), "en")
    form, card = built.page.template, built.page.orderable.items

    assert form[form.index("# Orders for day 4, Final moves:"):-2] == (
        "# Orders for day 4, Final moves:", "", "# Dorsale Nord (2)", "#move 2>1 Di final")
    assert [(one.verb, bool(one.example)) for one in card] == [
        ("move", True), ("attack", False), ("mission", False), ("spy", False)]
    for told in (render_text(built.page), render_html(built.page)):
        assert told.count(built.page.headings.not_now) == 1


def test_a_form_in_which_nothing_can_be_offered_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Instead of headings with nothing under them."""
    whole = campaign()
    reader = Reader(FEUD, whole, "R", wording(), Period(FEUD, whole, 0))
    monkeypatch.setattr(Reader, "legal", ())

    assert " ".join(reply_form(reader, {})).count("No order was found") == 1


def test_what_is_asked_comes_with_choices_and_default() -> None:
    """A club sees its own questions and no others."""
    (question,) = page().asked

    assert (question.text, question.options, question.default) == ("Does K1 yield?", "yes, no", "no")
    assert page("G").asked == ()


def test_own_affairs_and_public_news_are_kept_apart() -> None:
    """What touches me is told as mine; what others did in public is news, once."""
    seen = page()

    own = [line.text for group in seen.happened for line in group.lines.items]
    news = [line.text for group in seen.news for line in group.lines.items]
    assert own == ["R-1 marches to K2.", "Taxes 300."]
    assert news == ["B wins the battle at K3.", "G-7 marches to K3."]


def test_a_siege_shows_its_die_by_name_target_verdict_and_rule() -> None:
    """The card of the place holds the throw with everything that decided it."""
    (card,) = page().battles.items

    assert card.title == "Castel Forte (K1)"
    assert card.lines[0].text == "Siege of K1"
    assert card.lines[0].roll == "1d6=4, +1 full rounds, −2 garrison: 3, needs 7: it holds"
    assert (card.lines[0].faces, card.lines[0].rule) == ("⚃", "2")
    assert card.lines[1].text == "K1 holds out."


def test_a_lord_who_may_not_see_the_die_sees_that_the_place_holds() -> None:
    """The third lord gets the outcome among the public news, and no throw."""
    seen = page("G")

    assert "K1 holds out." in [line.text for group in seen.news for line in group.lines.items] + [
        line.text for card in seen.battles.items for line in card.lines]
    assert not [text for text in texts(seen) if "garrison" in text]


def test_the_dossier_holds_the_own_side_only() -> None:
    """Each side gets its own copy of the open battle."""
    (own,) = page("R").dossiers
    (other,) = page("B").dossiers

    assert (own.title, own.lines) == ("B4.K2, Ponte (K2)", (("Your strength", "300 men"),))
    assert other.lines == (("Your strength", "424 men"),)
    assert page("G").dossiers == ()


def test_money_adds_up() -> None:
    """Opening balance and movements come to the closing balance, what came in first."""
    money = page().ledger

    assert money is not None
    amounts = [cell.number or 0 for _, cell in money.entries.items]
    assert (money.opening[1].number, amounts, money.closing[1].number) == (1000, [300, -50], 1250)


def test_only_movements_since_the_last_report_are_listed() -> None:
    """With the last view at hand, what stood in it is not told again."""
    whole = campaign()
    before = FEUD.view(whole, "R")
    whole.table(Account).add(Account(turn="4", phase="march", faction="R", item="gift", amount=-250, balance=1000))

    money = page(whole=whole, previous=before).ledger

    assert money is not None
    assert [(label, cell.text) for label, cell in money.entries.items] == [("Gift", "−250")]
    assert money.opening[1].number == 1250


def test_nothing_old_is_told_again() -> None:
    """After the last event of the last report nothing has happened, and the page says so."""
    seen = page(previous=FEUD.view(campaign(), "R"))

    assert (seen.happened, seen.news, seen.battles.items) == ((), (), ())
    assert seen.covers == "Nothing has happened since the last report."
    assert seen.orders is None


def test_without_the_last_view_the_phases_of_new_events_count() -> None:
    """The first three events that Red sees are of the march: its refusals were told, the war is new."""
    seen = page(since_no=3)

    assert seen.happened == ()
    assert seen.orders is None
    assert seen.rulings is not None
    assert [row[0].text for row in seen.rulings.table.rows.items] == ["Siege, K1"]


def test_proofs_are_shown_to_their_audience_only() -> None:
    """Commitments and secrets of others stay out, whatever is passed in."""
    seen = page(commitments={"public": "aa", "R": "bb", "B": "cc", "B+R": "dd", "referee": "ee"},
                secrets={"3": {"public": "ff", "G": "00"}})

    assert seen.rulings is not None
    assert [proof.value for proof in seen.rulings.proofs.items] == ["aa", "bb", "dd", "ff"]


def test_long_lists_are_cut_and_say_so() -> None:
    """Of sixty bands, forty are listed, and the sheet with the others is named."""
    whole = campaign()
    for number in range(100, 159):
        whole.table(Army).add(Army(army=f"R-{number}", faction="R", node="K1", men=10))

    armies = page(whole=whole).tables[0]

    assert len(armies.rows.items) == 40
    assert armies.rows.more == "and 20 more on the sheet Armate"  # the workbook is Italian, the reader is not


def told_in_war() -> list[Event]:
    """Three events of one place: a light one, a grave one, a lighter one."""
    made: list[tuple[str, dict[str, typing.Any]]] = [
        ("tax", {"total": 1, "node": "K1"}), ("won", {"winner": "B", "node": "K1"}), ("held", {"node": "K1"})]
    return [Event(no=no, turn="3", phase="war", audience="all", event=event, data=data)
            for no, (event, data) in enumerate(made, 1)]


def test_events_are_told_as_they_happened_the_gravest_in_bold() -> None:
    """Inside a category and a card nothing is told before what led to it, whatever matters most."""
    whole = campaign()
    reader = Reader(FEUD, whole, "referee", wording(), Period(FEUD, whole, 0))
    events = told_in_war()

    (card,) = place_cards(reader, reversed(events)).items
    listing = event_lines(reader, events[::-1], 2)

    assert [(line.text, line.grave) for line in card.lines] == [
        ("Taxes 1.", False), ("B wins the battle at K1.", True), ("K1 holds out.", False)]
    assert [line.text for line in listing.items] == ["B wins the battle at K1.", "K1 holds out."]
    assert listing.left_out == 1
    assert [line.text for line in listing.cut(1).items] == ["B wins the battle at K1."]


def test_lines_of_one_weight_are_not_in_bold() -> None:
    """Where all matters alike, nothing is marked."""
    whole = campaign()
    reader = Reader(FEUD, whole, "referee", wording(), Period(FEUD, whole, 0))

    assert not [line for line in event_lines(reader, told_in_war()[:1] * 2, 9).items if line.grave]


def test_a_battle_that_waits_is_called_by_its_name_and_whom_it_is_against() -> None:
    """In the band, the steps and as the first of the five lines, and not by its code; long lists are folded."""
    (built,) = waiting("warriors", "2.battle", ("orcs",), "en")
    told = built.page

    name = "the battle of Longbridge against the March of Aldermoor"
    assert told.band.title == f"To be played: {name}"
    assert any(name in step for step in told.todo)
    assert told.brief.lines.items[0].text == f"T{name[1:]} waits to be played at the gaming table."
    roster = told.dossiers[0].folded
    assert roster.items
    assert roster.cut(1).more.startswith(f"and {len(roster.items) - 1} more on the sheet ")
    assert told.headings.roster in render_text(told)


def test_who_owes_something_is_told_by_when() -> None:
    """The ruleset's dues stand in the report of the lord who owes them."""
    assert page("G").dues == ("A visit to the king, by turn 5.",)
    assert page("R").dues == ("Nothing but your orders.",)


def test_the_three_things_that_matter_stand_in_the_inbox() -> None:
    """Question, refusal and siege come before anything else."""
    assert page().preheader == "One question for you · One order refused · K1 holds out"


def test_at_most_three_steps_are_asked_for() -> None:
    """What to do now has three steps, the most pressing first."""
    steps = page().todo

    assert len(steps) == 3
    assert steps[0].startswith("Answer the questions")


def test_a_report_at_the_end_of_the_campaign_asks_for_nothing() -> None:
    """When the campaign is over, no orders are due."""
    whole = campaign()
    whole.desk.phase = "over"

    seen = page("G", whole)

    assert seen.band.title == "The campaign is over."
    assert seen.moment == "the end of the campaign"


def test_the_italian_page_has_italian_headings() -> None:
    """A club that reads Italian gets the headings of sheets and columns in Italian."""
    seen = build_page(FEUD, FEUD.view(campaign(), "R"), "R", wording("it"))

    assert seen.lang == "it"
    assert seen.tables[0].headings == ("Armata", "Al nodo", "Uomini")
    assert "Riga" not in seen.tables[0].title


def test_the_gazette_holds_what_everybody_may_know() -> None:
    """Public events and the list of lords; no throw, no chest, no order."""
    seen = build_gazette(FEUD, FEUD.view(campaign(), ""), wording())

    told = list(texts(seen))
    assert "B wins the battle at K3." in told
    assert not [text for text in told if "Siege of" in text or "1,250" in text or "K9" in text or "Plot" in text]
    assert [row[0].text for row in seen.tables[0].rows.items] == ["Blues", "Greens", "Rossi"]


def test_the_referees_report_holds_everything() -> None:
    """Secret events with their audience, all questions, all findings, both dossiers, who has sent orders."""
    whole = campaign()
    whole.table(Order).add(Order(order="n1", turn="4", phase="march", faction="R", verb="go", target="K1"))

    seen = build_referee(FEUD, whole, wording())

    told = [line for group in seen.happened for line in group.lines.items]
    assert [(line.text, line.to) for line in told if "Plot" in line.text] == [("Plot of B against R.", "B")]
    assert [question.to for question in seen.asked] == ["Blues", "Rossi"]
    assert [dossier.side for dossier in seen.dossiers] == ["Blues", "Rossi"]
    assert seen.orders is not None
    assert [remark.row for remark in seen.orders.remarks.items] == ["Rossi, 4-R-1"]
    awaited = {row[0].text: row[1].number for row in seen.tables[0].rows.items}
    assert awaited == {"Blues": 0, "Greens": 0, "Rossi": 1}
    assert seen.rulings is not None
    assert len(seen.rulings.table.rows.items) == 2


def test_the_code_of_a_report_depends_on_what_it_shows_alone() -> None:
    """Made twice it is the same; one more event that the reader sees, and it is another."""
    whole = campaign()
    first = page(whole=whole).code
    assert page(whole=whole).code == first

    whole.table(Event).add(Event(no=8, turn="3", phase="war", audience="R", event="tax", rule="1", data={"total": 1}))

    assert page(whole=whole).code != first


@pytest.mark.parametrize(("colour", "ink"), [("#000000", "#ffffff"), ("#ffffff", "#1d1a14"), ("#d9b310", "#1d1a14"),
                                             ("#b5202e", "#ffffff"), ("#1f6f8b", "#ffffff")])
def test_the_head_is_readable_on_every_colour(colour: str, ink: str) -> None:
    """Light factions are headed in dark letters, dark ones in white."""
    assert ink_on(colour) == ink
    assert contrast(ink, colour) >= 4.5


def test_what_is_written_on_a_colour_is_readable_whichever_it_is() -> None:
    """Heads of reports and badges of workbooks: of all colours, Milan's green included, which took neither ink."""
    steps = [f"{one:02x}" for one in range(0, 256, 15)]
    colours = ["#2e8b57", *(f"#{red}{green}{blue}" for red in steps for green in steps for blue in steps)]
    assert [colour for colour in colours if contrast(ink_on(colour), colour) < 4.5] == []
    assert [colour for colour in colours if contrast(legible_on(colour), colour) < 4.5] == []
    assert legible_on("#2e8b57") == "000000"


@pytest.mark.parametrize("paper", ["#fffdf7", "#efe7d3", "#f7f1e1"])
@pytest.mark.parametrize("ruleset", ["giglio", "anarchy"])
def test_the_sign_of_every_faction_is_readable_on_the_page(ruleset: str, paper: str) -> None:
    """Of all factions of all scenarios, and of any colour that a club chooses; what is readable stays as it is."""
    chosen = [row["colour"] for file in (ROOT / "workbook_templates" / ruleset).glob("*/factions.csv")
              for row in csv.DictReader(file.read_text(encoding="utf-8").splitlines())]
    assert len(chosen) > 2
    for colour in (*chosen, "#ffffff", "#ffff00", "#00ffff", "#808080"):
        assert contrast(legible_colour(colour), paper) >= 4.5, colour
    assert legible_colour("#7a1020") == "#7a1020"
    assert legible_colour("#ffff00")[1:3] == legible_colour("#ffff00")[3:5] != "00"


def test_every_field_of_a_page_is_described() -> None:
    """Each class of a page names its fields in its docstring, so that a template's author knows them."""
    classes = [one for one in vars(pages).values() if dataclasses.is_dataclass(one) and isinstance(one, type)]

    missing = [f"{one.__name__}.{field.name}" for one in classes for field in dataclasses.fields(one)
               if field.name in one.__annotations__ and f"`{field.name}`" not in (one.__doc__ or "")]

    assert classes
    assert missing == []


def test_a_list_that_is_cut_twice_counts_what_it_lost() -> None:
    """Ten items of a hundred, then five of them: ninety-five are left out."""
    listing = Listing(tuple(range(10)), 90, "and {n} more").cut(5)

    assert (listing.items, listing.more) == ((0, 1, 2, 3, 4), "and 95 more")


@pytest.mark.parametrize(("lang", "one", "two"), [
    ("en", "By the book but for 1 public ruling.", "By the book but for 2 public rulings."),
    ("it", "Secondo il regolamento, salvo 1 decisione pubblica.",
     "Secondo il regolamento, salvo 2 decisioni pubbliche.")])
def test_the_gazette_counts_the_rulings_that_all_may_know(lang: str, one: str, two: str) -> None:
    """Of the whole campaign, whatever the period; nothing is said where the book alone was played, nor of secrets."""
    whole = campaign()

    def foot() -> str:
        return build_gazette(FEUD, FEUD.view(whole, ""), Wording(FEUD, lang)).foot

    def rule(number: int, audience: str) -> None:
        whole.table(Event).add(Event(no=number, turn="1", phase="war", audience=audience, event="ruling.accepted",
                                     rule="Arbitro", data={"why": "x"}))

    plain = foot()
    rule(901, "R")
    assert foot().endswith(plain.rpartition(",")[2])
    rule(902, "all")
    assert foot().endswith(one)
    rule(903, "all")
    assert foot().endswith(two)


@pytest.mark.parametrize(("lang", "n", "rows", "places"), [
    ("en", 1, "and 1 more on the sheet Events", "and 1 more place on the sheet Events"),
    ("en", 4, "and 4 more on the sheet Events", "and 4 more places on the sheet Events"),
    ("it", 1, "e 1 altra riga nel foglio Eventi", "e 1 altro luogo nel foglio Eventi"),
    ("it", 4, "e altre 4 righe nel foglio Eventi", "e altri 4 luoghi nel foglio Eventi")])
def test_what_is_left_out_is_told_of_one_as_of_one(lang: str, n: int, rows: str, places: str) -> None:
    """A single row or place is not counted as if it were several, in either language."""
    say, sheet = Wording(None, lang).text, "Eventi" if lang == "it" else "Events"

    texts = ("and {n} more on the sheet {sheet}", "and {n} more {n?place|places} on the sheet {sheet}")

    assert [Listing((), n, say(text, sheet=sheet)).more for text in texts] == [rows, places]


def test_the_json_holds_the_sentence_about_what_is_left_out_with_the_number_alone_in_braces() -> None:
    """Programs fill in ``{n}``; the words around it agree with the number already."""
    texts = {n: as_plain_values(Listing((), n, "and {n} more {n?place|places}"))["more_text"] for n in (0, 1, 2)}

    assert texts == {0: "and {n} more places", 1: "and {n} more place", 2: "and {n} more places"}


def test_answers_are_counted_and_not_their_kinds() -> None:
    """Two answers of one kind are two."""
    whole = campaign()
    phase = next(phase for turn, phase in Reader.of(FEUD, whole, "G", wording()).period.moments if turn == "3")
    for number in "12":
        whole.table(Question).add(Question(question=f"q{number}", turn="3", phase=phase, kind="yield", to="G",
                                           about="K1", answer="yes", status="answered"))
    orders = page("G", whole).orders

    assert orders is not None
    assert orders.summary.endswith("Your answers counted: yield K1: yes, yes.")
