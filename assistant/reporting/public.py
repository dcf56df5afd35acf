"""The gazette, the same for everybody, and the referee's report, which holds everything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import CLUBLESS, OWNERLESS, REFEREE, Event, Faction, Order, Rule
from assistant.reporting import duties, facts, holdings, proofs
from assistant.reporting.build import PREHEADER, finished, head
from assistant.reporting.ending import figures_table
from assistant.reporting.pages import AskedOf, Band, Cell, Listing, Orders, ReportPage, ReportTable
from assistant.reporting.proofs import Secrets
from assistant.reporting.reader import Reader
from assistant.reporting.spans.span import is_long, over_a_span
from assistant.turn.findings import Finding
from assistant.turn.messages.house import RULING
from assistant.turn.numbers import house_rules
from assistant.turn.ruleset import Ruleset
from assistant.wording import N_, Wording

PARCHMENT = "#5a4630"
SLATE = "#37424d"


def build_gazette(ruleset: Ruleset, view: Campaign, wording: Wording, since_no: int = 0,
                  commitments: Mapping[str, str] | None = None, secrets: Secrets | None = None, *,
                  previous: Campaign | None = None, deadline: str = "") -> ReportPage:
    """What everybody may know. `view`: of the faction ""; the other arguments as for `build_page`."""
    reader = Reader.of(ruleset, view, "", wording, since_no, previous)
    _ = wording.text
    name = _("Public gazette")
    page = head(reader, "gazette", name, PARCHMENT, deadline)
    fights, rest = split(reader)
    page = replace(
        page, for_whom=_("for everybody"), band=duties.band(reader, 0, deadline),
        battles=facts.cards(reader, fights), news=facts.groups(reader, rest, reader.rows),
        tables=(_factions(reader),), rulings=proofs.rulings(reader, commitments or {}, secrets or {}),
        foot=" ".join(filter(None, (page.foot, _by_the_book(reader)))))
    if is_long(reader):
        return finished(over_a_span(reader, page))
    return finished(replace(page, preheader=_foremost(reader, page)))


def _by_the_book(reader: Reader) -> str:
    """How many rulings and house rules make the campaign another than the book's, as far as all may know them; "" where
    there are none. What set the campaign up before its first phase is no ruling; a house rule counts while it is in
    force, wherever it comes from.
    """
    words, view = reader.wording, reader.view
    made = sum(one.event == RULING and one.data.get("sheet") != Rule.sheet and not one.data.get("set_up")
               for one in view.table(Event))
    kept = len(house_rules(reader.ruleset.numbers, reader.ruleset.rules(view).edition,
                           reader.ruleset.typed_rules(view.table(Rule)))) if view.has(Rule.sheet) else 0
    told = [words.plural(N_("{n} public ruling"), N_("{n} public rulings"), made)] if made else []
    told += [words.plural(N_("{n} house rule"), N_("{n} house rules"), kept)] if kept else []
    said = words.text(N_("{rulings} and {rules}"), rulings=told[0], rules=told[-1]) if len(told) > 1 else "".join(told)
    return words.text(N_("By the book but for {what}."), what=said) if said else ""


def build_referee(ruleset: Ruleset, campaign: Campaign, wording: Wording, since_no: int = 0,
                  commitments: Mapping[str, str] | None = None, secrets: Secrets | None = None, *,
                  previous: Campaign | None = None, deadline: str = "",
                  refused: Mapping[str, Finding] = MappingProxyType({})) -> ReportPage:
    """Everything that the referee needs: who is awaited, every finding, every event and its reasons, all dice.

    `campaign` and `previous` are unfiltered, and so are `commitments` and `secrets` of the dice; `refused` as for
    `build_page`.
    """
    reader = Reader.of(ruleset, campaign, REFEREE, wording, since_no, previous)
    _ = wording.text
    name = _("Referee's report")
    page = head(reader, "referee", name, SLATE, deadline)
    asked = duties.asked(reader, refused, everybody=True)
    fights, rest = split(reader)
    page = replace(
        page, headings=replace(page.headings, asked=_("Open questions"), happened=_("What happened")),
        for_whom=_("for the referee only: it holds every secret"), band=_referee_band(reader, asked, deadline),
        orders=_findings(reader), asked=(*asked, *duties.invited(reader, everybody=True)),
        battles=facts.cards(reader, fights), happened=facts.groups(reader, rest, reader.rows),
        dossiers=holdings.dossiers(reader, [f.faction for f in campaign.table(Faction)]),
        tables=(_awaited(reader, refused), *figures_table(reader, _("Standings"), ruleset.standings(reader.view)),
                *duties.standing_answers(reader, everybody=True)),
        rulings=proofs.rulings(reader, commitments or {}, secrets or {}))
    if is_long(reader):
        return finished(over_a_span(reader, page))
    return finished(replace(page, preheader=_foremost(reader, page)))


def split(reader: Reader) -> tuple[list[Any], list[Any]]:
    """The events of the period: battles and sieges, and all others."""
    fights = [e for e in reader.period.events if facts.is_fight(reader, e)]
    return fights, [e for e in reader.period.events if not facts.is_fight(reader, e)]


def _foremost(reader: Reader, page: ReportPage) -> str:
    return " · ".join(facts.foremost(reader, reader.period.events, PREHEADER)) or page.covers


def _factions(reader: Reader) -> ReportTable:
    _ = reader.wording.text
    rows = []
    for row in reader.view.table(Faction):
        if row.role not in OWNERLESS:
            places = reader.ruleset.places_held(reader.view, row.faction)
            rows.append((Cell(row.name(reader.lang), colour=reader.colour(row.faction)), Cell(row.faction),
                         Cell(row.club), reader.number(places)))
    columns = [Faction.column(name) for name in ("faction", "club")]
    headings = (_("Faction"), *(c.heading(reader.lang) for c in columns), _("Places"))
    return ReportTable(_("The factions"), headings, (False, False, False, True), Listing(tuple(rows)))


def _referee_band(reader: Reader, asked: tuple[AskedOf, ...], deadline: str) -> Band:
    _ = reader.wording.text
    if not asked:
        return duties.band(reader, 0, deadline)
    title = reader.wording.plural(N_("One question is open"), N_("{n} questions are open"), len(asked))
    whom = ", ".join(dict.fromkeys(q.to for q in asked))
    return Band(title, (_("Awaited: {whom}.", whom=whom),
                        _("When all answers are there, resolve the phase again.")))


def _findings(reader: Reader) -> Orders | None:
    _ = reader.wording.text
    period = reader.period
    told = []
    for faction in [*(f.faction for f in reader.view.table(Faction)), ""]:
        mine = [o for o in period.orders if o.faction == faction]
        findings = [f for f in period.findings if f.faction == faction]
        whose = f"{reader.faction_name(faction)}, " if faction else ""
        told += [replace(r, row=f"{whose}{r.row}") for r in duties.remarks(reader, mine, findings)]
    if not (period.orders or told):
        return None
    good = sum(o.status not in duties.BAD for o in period.orders)
    summary = _("{done} of {n} {n?order was|orders were} carried out.", done=good, n=len(period.orders))
    more = _("and {n} more on the sheet {sheet}", sheet=reader.sheet(Order))
    return Orders(_("Orders and findings"), summary, Listing(tuple(told), 0, more).cut(2 * reader.rows), not told)


def _awaited(reader: Reader, refused: Mapping[str, Finding]) -> ReportTable:
    """Who has sent orders for the phase that comes next, and who owes how many answers."""
    _ = reader.wording.text
    word, when = duties.next_orders(reader)
    desk, asked = reader.view.desk, duties.still_open(reader, refused)
    rows = []
    for row in reader.view.table(Faction):
        if row.role in CLUBLESS:
            continue
        sent = sum(o.faction == row.faction and o.turn == desk.turn and o.phase == word
                   for o in reader.view.table(Order)) if word else 0
        name = row.name(reader.lang)
        rows.append((Cell(name, colour=reader.colour(row.faction)), reader.number(sent),
                     reader.number(sum(q.to == row.faction for q in asked))))
    title = _("Who has sent orders for {moment}", moment=when) if word else _("Who is awaited")
    return ReportTable(title, (_("Faction"), _("Orders"), _("Open questions")), (False, True, True),
                       Listing(tuple(rows)))
