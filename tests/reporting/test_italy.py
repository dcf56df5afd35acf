"""The reports of a whole played year: Il Giglio, Italy 1500."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from itertools import pairwise

import html5lib  # type: ignore[import-untyped]
import pytest

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Event
from assistant.environment import shipped_scenario
from assistant.reporting.build import build_gazette, build_page, build_referee
from assistant.reporting.pages import ReportPage
from assistant.reporting.render import render_html, render_json, render_text
from assistant.rulesets.giglio.records import Account, Alliance, Army, Battle, Faction, Loan, Order, Specialist
from assistant.rulesets.giglio.ruleset import GIGLIO
from assistant.testing import cases
from assistant.turn.findings import cited_keys
from assistant.turn.phases import resolve
from assistant.wording import Wording
from tests.repeating import as_texts
from tests.sweeps import all_slow

LAST = ("1501", "r1.contact")
CLUBS = ("V", "M", "F", "P", "HRI", "SV", "S", "FR", "T", "CH")
Moment = tuple[str, str]


@lru_cache(maxsize=1)
def year() -> dict[Moment, Campaign]:
    """The campaign before each of its phases, from the scripted orders, answers and dice."""
    campaign = cases.opening(GIGLIO, shipped_scenario("giglio", "italy-1500"))
    states = {}
    while (moment := (campaign.desk.turn, campaign.desk.phase)) != LAST:
        states[moment] = campaign
        outcome = resolve(GIGLIO, campaign, b"secret" * 6)
        assert outcome.done, (moment, [q.question for q in outcome.questions], outcome.findings)
        campaign = outcome.campaign
    return {**states, LAST: campaign}


def page(faction: str, now: Campaign, before: Campaign | None = None, lang: str = "en") -> ReportPage:
    """A club's page, the gazette for "", the referee's report for ``referee``."""
    words = Wording(GIGLIO, lang)
    if faction == "referee":
        return build_referee(GIGLIO, now, words, previous=before)
    previous = None if before is None else GIGLIO.view(before, faction)
    view = GIGLIO.view(now, faction)
    if faction == "":
        return build_gazette(GIGLIO, view, words, previous=previous)
    return build_page(GIGLIO, view, faction, words, previous=previous)


def package(faction: str, now: Campaign, before: Campaign | None = None) -> str:
    """All twins of a page in one string."""
    made = page(faction, now, before)
    return render_html(made) + render_text(made) + render_json(made)


@cache
def untouched(reader: str, *, since: bool = False) -> str:
    """What leaves in the fourth round of the year as it was played; `since`: after a report of the third."""
    return package(reader, year()["1500", "r4.move"], year()["1500", "r3.move"] if since else None)


@pytest.mark.slow
@pytest.mark.parametrize("moment", [("1500", "budget"), ("1500", "r1.battle"), ("1500", "r8.move"), ("1500", "winter"),
                                    LAST], ids=".".join)
def test_every_report_of_the_year_is_valid_and_fits_a_mail(moment: Moment) -> None:
    """From the first event on, in both languages, for clubs, public and referee."""
    now = year()[moment]
    for number, reader in enumerate((*CLUBS, "", "referee")):
        html = render_html(page(reader, now, lang=("it", "en")[number % 2]))
        assert len(html.encode()) < 100_000
        if number % 4 == 0:
            html5lib.HTMLParser(strict=True).parse(html)


@pytest.mark.slow
def test_a_round_is_told_from_the_last_orders_on() -> None:
    """Between two marches: own siege with its die, changed ducats, and not a word of the spring."""
    seen = page("T", year()["1500", "r4.move"], year()["1500", "r3.move"])

    (card,) = seen.battles.items
    assert card.title == "Zara (V4)"
    assert [line.roll for line in card.lines if line.roll] == [
        "1d6=6, +2 full rounds besieging, +1 besieger's sapper, −2 garrison, −3 walls: 4, needs 7: the place holds"]
    assert {figure.label: figure.change for figure in seen.glance}["Ducats under arms"] == -10
    assert not [line for group in seen.happened for line in group.lines.items if "Taxes" in line.text]


@pytest.mark.slow
def test_a_phase_without_events_counts_as_told_of() -> None:
    """The time told of ends with the last phase resolved before the Desk's, and never goes beyond it."""
    moments = list(year())
    quiet = 0
    for start, last, now in zip(moments, moments[1:], moments[2:], strict=False):
        seen = page("referee", year()[now], year()[start])
        told = page_events(start, last)
        if told and not page_events(last, now):
            quiet += 1
            assert seen.covers.startswith(f"This report tells of {GIGLIO.when(told[0].turn, told[0].phase, 'en')}")
            assert seen.covers.endswith(f"{GIGLIO.when(*last, 'en').split(': ')[-1]}.")
    assert quiet > 0


def test_no_english_rule_or_audience_stands_in_an_italian_report() -> None:
    """Chapters cited by name and those who may know of an event are worded in Italian."""
    seen = page("referee", year()["1500", "r1.move"], lang="it")

    lines = [line for group in seen.happened for line in group.lines.items]
    assert {line.to for line in lines} >= {"per tutti", "V"}
    assert "all" not in {line.to for line in lines}
    cited = " ".join(line.rule for line in lines)
    assert "Emendamenti" in cited
    assert not [word for word in ("fleets", "alliances", "Amendments", "objectives") if word in cited]


@pytest.mark.parametrize(("lang", "table"), [("en", "Table 36"), ("it", "Tabella 36")])
def test_a_report_cites_the_printed_book(lang: str, table: str) -> None:
    """Behind each sentence stands a chapter or table as the book prints it, or that the rule is Arbitro's own."""
    now, before = year()["1501", "budget"], year()["1500", "r10.move"]
    lines = [line for group in page("referee", now, before, lang).happened for line in group.lines.items]
    known = {citation.chapter_in(lang) for citation in GIGLIO.citations.values()} | {"Arbitro"}

    assert table in {line.rule for line in lines}
    assert {part for line in lines for part in line.rule.split(", ")} <= {p for one in known for p in one.split(", ")}


def test_every_event_of_the_year_cites_what_is_declared() -> None:
    """No key reaches a report that the rulebook page does not know."""
    cited = {key for event in year()[LAST].table(Event) for key in cited_keys(event.rule)}

    assert cited
    assert sorted(cited - set(GIGLIO.citations)) == []


@pytest.mark.slow
def test_the_mistakes_of_the_scenario_are_told_to_who_made_them() -> None:
    """Florence reads in April why F0 S12 was refused; nobody else reads of it."""
    now, before = year()["1500", "r2.move"], year()["1500", "r1.move"]
    orders = page("F", now, before).orders

    assert orders is not None
    remark, *others = orders.remarks.items
    assert {one.severity for one in others} <= {"info"}
    assert remark.verdict == "refused"
    assert "F0 S12" in remark.quote
    assert "shut to you" in remark.reason
    assert not [club for club in CLUBS if club != "F" and "shut to you" in package(club, now, before)]


@pytest.mark.slow
def test_both_sides_get_their_own_dossier_of_an_open_battle() -> None:
    """Before Alessandria is fought France reads its 350 ducats, Milan its 180, and neither the other's."""
    now = year()["1500", "r1.battle"].copy()
    battle = now.table(Battle)["B1500.1.M7"]
    battle.mode = battle.winner = battle.losses_a = battle.losses_b = ""

    france, milan = (page(club, now) for club in ("FR", "M"))

    told = {club.faction: " ".join(text for _, text in club.dossiers[0].lines) for club in (france, milan)}
    assert "350" in told["FR"]
    assert "180" not in told["FR"]
    assert "180" in told["M"]
    assert "350" not in told["M"]
    assert france.band.title.startswith("To be played: ")
    assert len(page("referee", now).dossiers) == 2
    assert page("V", now).dossiers == ()


@pytest.mark.slow
def test_money_of_the_spring_adds_up_in_every_report() -> None:
    """For each club the opening balance and the movements of spring come to the chest."""
    now, before = year()["1500", "open"], year()["1500", "income"]
    for club in CLUBS:
        money = page(club, now, before).ledger
        assert money is not None
        moved = sum(cell.number or 0 for _, cell in money.entries.items)
        assert (money.opening[1].number or 0) + moved == money.closing[1].number == now.table(Faction)[club].treasury


@pytest.mark.slow
def test_the_referee_reads_every_roll_of_the_year() -> None:
    """No throw that an event rests on is left out of the referee's report, round by round."""
    moments = list(year())
    for before, now in pairwise(moments):
        thrown = [e for e in page_events(before, now) if e.roll]
        seen = page("referee", year()[now], year()[before])
        lines = [line for card in seen.battles.items for line in card.lines] + [
            line for group in seen.happened for line in group.lines.items]
        shown = [line for line in lines if line.roll or "1d" in line.text or "2d" in line.text]
        assert len(shown) >= len(thrown), (before, [e.event for e in thrown])


def page_events(before: Moment, now: Moment) -> list[Event]:
    """The events of one phase."""
    known = len(year()[before].table(Event))
    return [event for _, event in year()[now].table(Event).in_file_order()][known:]


def _chest(campaign: Campaign) -> None:
    campaign.table(Faction)["V"].treasury += 500


def _army(campaign: Campaign) -> None:
    campaign.table(Army)["V-2"].value = 31337
    campaign.table(Army)["V-2"].trail = "V0 V9"


def _diplomat(campaign: Campaign) -> None:
    army = campaign.table(Army)["V-2"]
    army.kind, army.value = "diplomat", 0


def _objective(campaign: Campaign) -> None:
    campaign.table(Faction)["V"].objective = "villages"


def _treaty(campaign: Campaign) -> None:
    campaign.table(Alliance).add(Alliance(a="S", b="V", since=1499, until=1502, passage=True, terms="canary"))


def _hireling(campaign: Campaign) -> None:
    campaign.table(Specialist).add(Specialist(specialist="V-S9", faction="V", kind="assassin", year=1500))


def _loan(campaign: Campaign) -> None:
    campaign.table(Loan).add(Loan(faction="V", year=1499, amount=31337, due=31338))


def _bid(campaign: Campaign) -> None:
    campaign.table(Order).add(Order(order="canary", turn="1500", phase="budget", faction="V", verb="bid", amount=31,
                                    status="accepted"))
    campaign.table(Account).add(Account(year=1500, phase="budget", faction="V", item="bid", amount=-31, balance=1))
    campaign.table(Event).add(Event(no=len(campaign.table(Event)) + 1, turn="1500", phase="budget", audience="V",
                                    event="money.moved", rule="2", data={"item": "bid", "amount": -31, "balance": 1}))


def _spied(campaign: Campaign) -> None:
    campaign.table(Event).add(Event(no=len(campaign.table(Event)) + 1, turn="1500", phase="r3.contact", audience="V",
                                    event="spy.report", rule="t33", data={"army": "CH-1", "kind": "army", "value": 7}))


def _typed_die(campaign: Campaign) -> None:
    campaign.table(base.Die).add(base.Die(key="canary:CH0:1500:9", value="6", turn="1500", phase="r9.siege"))


HIDDEN: tuple[Callable[[Campaign], None], ...] = (
    _chest, _army, _diplomat, _objective, _treaty, _hireling, _loan, _bid, _spied, _typed_die)


@pytest.mark.parametrize("change", HIDDEN, ids=lambda change: change.__name__.strip("_"))
@pytest.mark.parametrize("reader", ["CH", "M", ""])
def test_a_secret_of_venice_is_not_in_the_view_of_others(reader: str, change: Callable[[Campaign], None]) -> None:
    """Each by itself; a page is made of the view alone."""
    for whole in (year()["1500", "r4.move"], year()["1500", "r3.move"]):
        with_fact = whole.copy()
        change(with_fact)
        assert as_texts(GIGLIO.view(with_fact, reader)) == as_texts(GIGLIO.view(whole, reader))


@pytest.mark.parametrize("reader", ["CH", *all_slow(["M", ""])])
def test_the_secrets_of_venice_change_no_byte_for_others(reader: str) -> None:
    """Chest, strength, envoy, objective, treaty, hireling, loan, losing bid, spy, a die typed beforehand."""
    now, before = year()["1500", "r4.move"], year()["1500", "r3.move"]
    with_fact, then = now.copy(), before.copy()
    for change in HIDDEN:
        change(with_fact)
        change(then)

    assert package(reader, with_fact) == untouched(reader)
    assert package(reader, with_fact, before) == untouched(reader, since=True)
    assert package(reader, with_fact, then) == untouched(reader, since=True)


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "it"])
def test_a_template_names_one_s_own_armies_and_nobody_else_s(lang: str) -> None:
    """Each has a heading while orders are awaited, with its place; what may be ordered names what the club can see."""
    now = year()["1500", "r4.move"]
    owner = {row.ident: row.faction for table in (now.table(Army), now.by_sheet("Fleets")) for row in table if row.node}
    for club in CLUBS:
        seen = page(club, now, year()["1500", "r3.move"], lang)
        headings = [code for line in seen.template for code in re.findall(r"^# ([A-Z]+-\w+)\b", line)]
        named = {code for line in seen.template for code in re.findall(r"[A-Z]+-\w+", line)} & owner.keys()
        view = GIGLIO.view(now, club)
        known = {row.ident for table in view.tables().values() for row in table.where(lambda row: True)}
        examples = {code for one in seen.orderable.items for code in re.findall(r"[A-Z]+-\w+", one.example)}

        assert sorted(headings) == sorted(code for code, faction in owner.items() if faction == club), club
        assert (named | examples) & owner.keys() <= known, club


@pytest.mark.slow
@pytest.mark.parametrize("round_", range(2, 11))
def test_a_turn_s_report_stays_under_ninety_thousand_bytes(round_: int) -> None:
    """Of every club, from one round's orders to the next, in both languages by turns."""
    now, before = year()["1500", f"r{round_}.move"], year()["1500", f"r{round_ - 1}.move"]
    for number, club in enumerate(CLUBS):
        html = render_html(page(club, now, before, ("it", "en")[number % 2]))
        assert len(html.encode()) < 90_000, club


@pytest.mark.slow
def test_the_secrets_do_show_to_venice() -> None:
    """Nine of the ten facts are in Venice's own package, so the test above would notice a leak."""
    now = year()["1500", "r4.move"]
    shown = []
    for change in HIDDEN:
        with_fact = now.copy()
        change(with_fact)
        if package("V", with_fact) != untouched("V"):
            shown.append(change.__name__)

    assert {"_chest", "_army", "_diplomat", "_treaty", "_hireling", "_loan", "_bid", "_spied"} <= set(shown)
    assert "_typed_die" not in shown


def test_a_lost_battle_is_the_losers_own_affair() -> None:
    """The Pope reads of Ravenna among his battles, as the loser."""
    seen = page("P", year()["1500", "r4.move"], year()["1500", "r3.move"])

    ravenna = next(card for card in seen.battles.items if card.title == "Ravenna (V11)")
    assert [line.text for line in ravenna.lines if " wins " in line.text] == ["V wins B1500.3.V11."]


def test_an_italian_reader_of_an_english_workbook_finds_its_sheets() -> None:
    """The words are the reader's; sheets and headings are called as they stand in the workbook."""
    now = year()[("1500", "r1.move")].copy()
    now.desk.language = "en"
    told = " ".join(render_text(page("V", now, lang="it")).split())
    assert "foglio Orders" in told
    assert "foglio Ordini" not in told
    assert "foglio Cronaca" not in told


def test_the_last_report_opens_with_the_winner() -> None:
    """The line that must not be missed says who has won, and the gazette's too."""
    now = year()[LAST].copy()
    now.desk.phase = "over"
    number = max(event.no for event in now.table(Event)) + 1
    now.table(Event).add(Event(no=number, turn="1501", phase="final", audience="all", event="campaign.end",
                               rule="objectives", data={"reached": "V", "winners": "V", "detail": {"V": {
                                   "objective": "ports", "target": "", "count": 3, "reached": True, "ducats": 9}}}))
    for faction in ("M", ""):
        band = page(faction, now).band
        assert band.title == "The campaign is over."
        assert band.lines[0].startswith("The winner: V"), band
