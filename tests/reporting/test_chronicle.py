"""The book of the war: what it says to everybody, what it says when all is open, and that nothing in it acts."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import html5lib  # type: ignore[import-untyped]
import pytest

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Text, Whole, column
from assistant.campaign.records import Node
from assistant.pictures.charts import chart_svg
from assistant.pictures.render import split_codes
from assistant.reporting.chronicle import (
    SCRIPT,
    Chronicle,
    Plate,
    book_wording,
    build_chronicle,
    chronicle_chart,
    disclose,
    fitting_page,
    render_chronicle,
)
from assistant.reporting.pages import as_plain_values
from assistant.reporting.reader import clean_line
from assistant.turn.event_types import EventType, TreatyStep
from assistant.turn.messages import RULING
from assistant.turn.rulebooks import load
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import keyed
from tests.reporting.feud import EVENTS, FEUD, ROLL, Battle, Faction, Feud, campaign
from tests.reporting.test_secrets import HIDDEN


def public(whole: Campaign, ruleset: Ruleset = FEUD, lang: str = "en") -> Chronicle:
    """The book for everybody."""
    view = ruleset.view(whole, "")
    return build_chronicle(ruleset, view, lang, public=view)


def opened(whole: Campaign, ruleset: Ruleset = FEUD, lang: str = "en") -> Chronicle:
    """The book with every secret."""
    return build_chronicle(ruleset, disclose(whole), lang, public=ruleset.view(whole, ""), revealed=True)


def text_of(book: Chronicle) -> str:
    """All that a book says."""
    return str(as_plain_values(book))


def fought() -> Campaign:
    """The feud with a battle that is over, and of which its event tells."""
    whole = campaign()
    whole.table(Battle).add(Battle(battle="B3.K1", turn="3", node="K1", a="R", b="B", status="fought"))
    whole.table(base.Event).add(base.Event(no=8, turn="3", phase="war", audience="all", event="won", rule="2",
                                           data={"winner": "R", "node": "K1", "battle": "B3.K1"}))
    return whole


# --- what is told ----------------------------------------------------------------------------------------------
def test_a_chapter_tells_what_happened_by_names_and_without_codes() -> None:
    """The war of turn 3 in running text: a place is called by its name, and its code stands nowhere in it."""
    (chapter,) = public(campaign()).chapters
    told = " ".join(saying.text for passage in chapter.passages for saying in passage.sayings)

    assert chapter.title == "3"
    assert "Blues wins the battle at Selva." in told
    assert "K3" not in told


def test_what_not_everybody_knew_is_marked_in_the_open_book_and_missing_in_the_public_one() -> None:
    """Blue's plot is told when all is over, in italics and behind the name of the one who was told of it."""
    whole = campaign()
    told = {saying.text: saying.secret for passage in opened(whole).chapters[0].passages for saying in passage.sayings}

    assert told["Blues: Plot of Blues against Rossi."]
    assert not told["Castel Forte holds out."]
    assert "Plot" not in text_of(public(whole))
    assert "<i>Blues: Plot of Blues against Rossi.</i>" in render_chronicle(opened(whole), (), ())


@pytest.mark.parametrize(("lang", "mine", "gone"), [
    ("en", "the army of the Blues (B-1)", "the army of the Greens (G-99)"),
    ("it", "l'armata di Blu (B-1)", "l'armata dei Verdi (G-99)")])
def test_who_has_no_name_is_called_by_whose_it_is_with_its_code_in_small(lang: str, mine: str, gone: str) -> None:
    """An army, also one that is gone by now; on the page the code behind it is small, and that of a place is not."""
    whole = campaign()
    whole.table(base.Event).add(base.Event(no=99, turn="3", phase="war", event="moved", audience="all",
                                           data={"army": "G-99", "node": "K3"}))
    names = book_wording(FEUD, whole, lang).names

    assert names.text("B-1") == mine
    assert names.text("G-99") == gone
    assert split_codes("The army of Milan (M-2) holds at Como (M2).") == [
        ("The army of Milan", "(M-2)"), (" holds at Como (M2).", "")]


def test_the_open_book_holds_no_addresses_codes_notes_or_mails() -> None:
    """Every secret of the play, and nothing else that the referee has."""
    whole = campaign()
    whole.desk.campaign_id = "canary-id"
    whole.table(Faction)["R"].deputy = "canary deputy"
    whole.table(base.InboxRow).add(base.InboxRow(
        1, "R", "canary", "-", turn="3", when="2026-11-22 21:00", sender="canary@a.test"))
    whole.table(base.Event).add(base.Event(no=8, turn="3", phase="war", audience="referee", event=RULING, rule="",
                                           data={"why": "canary"}))
    left = disclose(whole)

    assert "canary" not in text_of(opened(whole))
    assert "@" not in text_of(opened(whole))
    assert "canary" not in str([vars(row) for table in left.tables().values() for _, row in table.raw_rows()])
    assert whole.table(Faction)["R"].mail  # the campaign itself is untouched


def test_a_battle_has_its_sides_its_sentences_and_its_code_in_small() -> None:
    """The battle of a place: who fought whom, what its event says; one that is open is no battle yet."""
    (battle,) = public(fought()).battles

    assert (battle.title, battle.small) == ("The battle of Castel Forte", "B3.K1")
    assert battle.sides == "Rossi against the Blues"
    assert "Rossi wins the battle at Castel Forte." in [saying.text for saying in battle.sayings]


def test_the_index_leads_to_the_chapters_and_battles_that_name_a_place() -> None:
    """Castel Forte is in chapter 3 and in its battle; a place that nobody names is not listed."""
    (title, entries), = public(fought()).index
    links = {entry.name: entry.links for entry in entries}

    assert title == "Places"
    assert links["Castel Forte"] == (("3", "chapter-1"), ("a battle, 3", "battle-1"))
    assert "Ponte" not in links


def test_the_luck_of_those_who_threw_is_told_by_what_the_reader_may_know() -> None:
    """Two who threw ten times against a target are compared with fair dice; fewer throws say nothing."""
    whole = campaign()
    for no, (time, who, value) in enumerate(((n, *pair) for n in range(10) for pair in (("R", 6), ("B", 1))), 8):
        assert public(whole).luck is None
        roll = {**ROLL, "key": f"raid:{who}:{time}", "value": value, "faces": [value], "target": 4, "modifiers": [],
                "total": value, "passed": value >= 4}
        whole.table(base.Event).add(base.Event(no=no, turn="3", phase="war", audience="all", event="siege", rule="2",
                                               data={"node": "K1"}, roll=roll))
    luck = public(whole).luck

    assert luck is not None
    assert luck.sayings == ("Luckiest: Rossi. Of 10 throws against a target 10 reached it; to be expected: 5.0.",
                            "Unluckiest: Blues. Of 10 throws against a target 0 reached it; to be expected: 5.0.")


@dataclass
class Scored(Battle):
    """A battle with a form: who won, and where each band came from."""

    winner: str = column(Text(), "Winner", "Vincitore", see="public")
    came: str = column(Text(), "Came", "Da dove", see="public")
    men: int = column(Whole(0), "Men", "Uomini", see="public")


class ScoredFeud(Feud):
    """The Feud with that form."""

    records = tuple(Scored if one is Battle else one for one in Feud.records)  # type: ignore[assignment]


def test_a_form_says_names_and_not_the_words_for_sides_and_codes() -> None:
    """*b* for the winner is the defender by name, and of ``B-1=K2`` the place is called by its name."""
    whole = Campaign(ScoredFeud.records)
    for sheet, table in fought().tables().items():
        if sheet != Battle.sheet:
            whole.put(table)
    whole.table(Scored).add(Scored(battle="B3.K1", turn="3", node="K1", a="R", b="B", status="fought", winner="b",
                                   came="B-1=K2", men=300))
    (battle,) = public(whole, ScoredFeud()).battles

    assert [(name.text, value.text) for name, value in battle.tables[0].rows.items] == [
        ("Winner", "Blues"), ("Came", "The army of the Blues (B-1): Ponte"), ("Men", "300")]


# --- treaties --------------------------------------------------------------------------------------------------
class Allied(Feud):
    """The Feud with treaties."""

    events = {**EVENTS, **keyed(  # noqa: RUF012
        EventType("pact", "{a} and {b} are allied.", "diplomacy", 1, to=base.ALL),
        EventType("kept", "{a} and {b} kept it.", "diplomacy", 1, to=base.ALL),
        EventType("betrayed", "{by} betrayed {b}.", "diplomacy", 1, to=base.ALL))}
    treaties = {  # noqa: RUF012
        "pact": TreatyStep("made", ("a", "b")), "kept": TreatyStep("kept", ("a", "b")),
        "betrayed": TreatyStep("broken", ("a", "b"), "by")}


@pytest.mark.parametrize(("told", "became"), [
    ([("pact", {"a": "R", "b": "B"})], "in force"),
    ([("pact", {"a": "R", "b": "B"}), ("kept", {"a": "B", "b": "R"})], "kept to its end"),
    ([("pact", {"a": "R", "b": "B"}), ("betrayed", {"a": "R", "b": "B", "by": "B"})], "broken by the Blues"),
    ([("betrayed", {"a": "R", "b": "B", "by": "B"}), ("kept", {"a": "R", "b": "B"})], "broken by the Blues")])
def test_a_treaty_is_in_force_kept_or_broken_by_the_last_that_was_told(told: list[tuple[str, dict[str, Any]]],
                                                                       became: str) -> None:
    """Each treaty once, whoever is named first; what was broken stays broken."""
    whole = campaign()
    for no, (event, data) in enumerate(told, 8):
        whole.table(base.Event).add(base.Event(no=no, turn="3", phase="war", audience="all", event=event, data=data))
    part = public(whole, Allied()).treaties

    assert part is not None
    (row,) = part.tables[0].rows.items
    assert (row[0].text, row[2].text) == ("Blues and Rossi", became)


def test_a_rulebook_without_treaties_has_no_page_for_them_and_one_with_says_that_none_is_known() -> None:
    """Silence would be read as peace."""
    part = public(campaign(), Allied()).treaties

    assert public(campaign()).treaties is None
    assert part is not None
    assert part.sayings == ("Nobody was told of a treaty.",)


@pytest.mark.parametrize("name", ["giglio", "bloodlust"])
def test_the_events_of_treaties_are_declared_with_parameters_that_their_sentences_have(name: str) -> None:
    """Our two rulebooks with treaties: each event is one of theirs."""
    ruleset = load(name)

    assert ruleset.treaties.keys() <= ruleset.events.keys()
    assert {step.step for step in ruleset.treaties.values()} >= {"made", "broken"}


# --- secrets ---------------------------------------------------------------------------------------------------
def everything(whole: Campaign) -> str:
    """The public page with its charts, in one string."""
    views = [FEUD.view(campaign(), ""), FEUD.view(whole, "")]
    chart = chronicle_chart(FEUD, views, ["3", "4"], book_wording(FEUD, views[-1], "en"))
    return render_chronicle(public(whole), (), ()) + (chart_svg(chart) if chart else "")


@pytest.mark.parametrize("change", HIDDEN, ids=lambda change: change.__name__.strip("_"))
def test_a_hidden_fact_changes_no_byte_of_the_public_book(change: Callable[[Campaign], None]) -> None:
    """Chests, men, orders, secret events, questions, dice, money and mail leave no trace."""
    with_fact = campaign()
    change(with_fact)

    assert everything(with_fact) == everything(campaign())


def test_the_open_charts_show_every_chest_and_the_public_ones_none() -> None:
    """Figures of a faction's own report are drawn only when all is open."""
    before, after = campaign(), campaign()
    after.table(Faction)["R"].chest = 5
    after.table(Faction)["B"].chest = 999
    vars(after.table(Node)["K2"])["owner"] = "R"
    shut = [FEUD.view(before, ""), FEUD.view(after, "")]
    words = book_wording(FEUD, after, "en")
    shown = chronicle_chart(FEUD, [disclose(before), disclose(after)], ["3", "4"], words, revealed=True)
    hidden = chronicle_chart(FEUD, shut, ["3", "4"], words)

    assert shown is not None
    assert hidden is not None
    assert "Chest" in [panel.title for panel in shown.panels]
    assert [panel.title for panel in hidden.panels] == ["Places"]


# --- the page --------------------------------------------------------------------------------------------------
HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>\u202e\u2066&amp;\x00"


@pytest.mark.parametrize("lang", ["en", "it"])
def test_hostile_names_are_text_and_nothing_else(lang: str) -> None:
    """Markup is escaped, signs that turn the text around are gone, and the only script is ours."""
    whole = fought()
    for row, name in ((whole.table(Faction)["R"], HOSTILE), (whole.table(Faction)["B"], "W" * 500)):
        row.name_en = row.name_it = row.club = name
    whole.by_sheet("Nodes")["K1"].name = HOSTILE
    whole.desk.title = HOSTILE
    shown = clean_line(HOSTILE)
    page = render_chronicle(public(whole, lang=lang), [Plate("data:,", shown, shown)], ())
    tree = html5lib.parse(page, namespaceHTMLElements=False)

    assert [script.text for script in tree.iter("script")] == [SCRIPT]
    assert not any(name.startswith("on") for node in tree.iter() for name in node.attrib)
    assert {image.attrib["src"] for image in tree.iter("img")} == {"data:,"}
    assert not re.search("[\u202e\u2066\x00]", page)
    assert "W" * 500 in page


def test_the_page_loads_nothing_and_says_so_to_the_browser() -> None:
    """No address in it but those of its own parts, and a policy that allows only its own script."""
    page = render_chronicle(opened(fought()), [Plate("data:image/png;base64,AA==", "a map", "3")], ())
    tree = html5lib.parse(page, namespaceHTMLElements=False)
    leads = [value for node in tree.iter() for name, value in node.attrib.items() if name in ("src", "href")]
    ids = {node.attrib["id"] for node in tree.iter() if "id" in node.attrib}

    assert all(value.startswith(("data:", "#")) for value in leads)
    assert {value[1:] for value in leads if value.startswith("#")} <= ids
    assert "default-src 'none'" in page
    assert "url(" not in page
    assert "@import" not in page


def test_a_page_that_would_be_too_large_leaves_maps_out() -> None:
    """At most 10 MB: the maps in between go first, the last one stays."""
    plates = [Plate(f"data:image/png;base64,{'A' * 3_000_000}", "a map", str(n)) for n in range(6)]
    page = fitting_page(public(campaign()), plates, (), lambda some: some[len(some) // 2:])

    assert len(page.encode()) <= 10_000_000
    assert "<figcaption>5</figcaption>" in page
    assert "<figcaption>0</figcaption>" not in page


def test_a_book_says_how_all_stand_until_the_campaign_is_over() -> None:
    """Before the end there is no winner; afterwards it is named, with how it was counted."""
    whole = campaign()
    assert (public(whole).winner.title, public(whole).finis) == (
        "How all stand", "To be continued: the campaign is not over.")
    whole.desk.phase = "over"

    assert public(whole).winner.title == "Nobody is named as the winner; the table shows how all stand."
    assert public(whole).finis == "Here the book ends."
