"""Builds pages from views: a faction's report, the gazette, the referee's report, the last page of a campaign."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, TypeVar

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import ALL, CLUBLESS, OWNERLESS, REFEREE, RULES, Event, Faction, Order, Rule
from assistant.campaign.tables import grouped
from assistant.pictures.colours import ink_on
from assistant.reporting import duties, facts
from assistant.reporting.chances import club_chances
from assistant.reporting.facts import CATEGORY_TITLES, LIGHTEST, Secrets, category_rank
from assistant.reporting.pages import (
    AskedOf,
    Band,
    EndPage,
    Group,
    Headings,
    Listing,
    OrdersSection,
    ReportLine,
    ReportPage,
    ReportTable,
    SpanChapter,
    SpanPage,
    TableCell,
    ThrowLine,
    as_plain_values,
    left_out_sentence,
)
from assistant.reporting.reader import GREY, Reader, behind_colon, capital, clean_page
from assistant.reporting.reasons import reasons_of
from assistant.reporting.shorten import bare_line, brief_of, heading_of_chapter, is_throw, month_of, outcome_groups
from assistant.turn.event_types import CATEGORIES, TableOf, closing_events
from assistant.turn.findings import REFUSING, Finding
from assistant.turn.messages import RULING
from assistant.turn.numbers import house_rules
from assistant.turn.rulebooks import package_text
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording, campaign_title, scoring_sentences, victory_sentences

# Chapters of a long span: events by month and theme, with the dice apart.


MOST = 16
"""At most so many chapters: with more months, each turn is a chapter."""
LINES_OF_THEME = 15
"""Lines of a theme in a chapter ..."""
NEWS = 6
"""... and the news of others."""


def chapters_of(reader: Reader, events: list[Event], own: Container[int] | None) -> tuple[SpanChapter, ...]:
    """What happened, chapter by chapter. `own`: numbers of the events that are not just news; None: all of them."""
    by_turn = len({(e.turn, month_of(reader, e)) for e in events}) > MOST
    chapters = grouped(events, lambda e: (e.turn, "" if by_turn else month_of(reader, e)))
    several = len({turn for turn, _ in chapters}) > 1
    return tuple(_chapter(reader, heading_of_chapter(reader, turn, month, several), told, own)
                 for (turn, month), told in chapters.items())


def _chapter(reader: Reader, title: str, events: list[Event], own: Container[int] | None) -> SpanChapter:
    story = [e for e in events if reader.kind(e).weight <= LIGHTEST and not is_throw(reader, e)]
    mine = [e for e in story if own is None or e.no in own]
    themes = _themes(reader, mine)
    news = _weightiest(reader, [e for e in story if own is not None and e.no not in own], NEWS)
    groups = [
        *([] if own is None else outcome_groups(reader, events)),
        *(_group(reader, *theme) for theme in themes.items()),
    ]
    if news:
        groups.append(Group(reader.wording.text(N_("Public news")), _lines(reader, news)))
    told = len(news) + sum(map(len, themes.values()))
    throws = [reader.line(e) for e in events if e.roll and (own is None or e.no in own)]
    return SpanChapter(title[:1].upper() + title[1:], tuple(groups), _more(reader, events, told),
                   Listing(tuple(replace(line, when="") for line in throws if line.roll), 0, _sheet(reader)))


# --- what a chapter tells ---------------------------------------------------------------------------------
def _themes(reader: Reader, events: list[Event]) -> dict[str, list[Event]]:
    """The most important events of each theme, the themes always in the same order."""
    by_theme = grouped(events, lambda e: reader.kind(e).category)
    return {name: _weightiest(reader, by_theme[name], LINES_OF_THEME)
            for name in sorted(by_theme, key=lambda name: category_rank(reader, name))}


def _group(reader: Reader, theme: str, events: list[Event]) -> Group:
    titles = {**CATEGORY_TITLES, **reader.ruleset.categories}
    return Group(reader.wording.text(titles.get(theme, theme)), _lines(reader, events))


def _weightiest(reader: Reader, events: list[Event], rows: int) -> list[Event]:
    """The `rows` most important events, in order of time."""
    kept = sorted(events, key=lambda e: (reader.kind(e).weight, e.no))[:rows]
    return sorted(kept, key=lambda e: e.no)


def _lines(reader: Reader, events: list[Event]) -> Listing[ReportLine]:
    """What is told alike of several things as one line; each sentence once, with a count if it is repeated."""
    counted = Counter(bare_line(reader, event) if line.roll else replace(line, faces="", rule="", when="")
                      for event, line in facts.merged_lines(reader, events))
    return Listing(tuple(replace(line, text=f"{line.text} (×{n})") if n > 1 else line for line, n in counted.items()),
                   0,
                   _sheet(reader))


def _more(reader: Reader, events: list[Event], told: int) -> str:
    """The sentence how many events of a chapter are not on the page; throws do not count."""
    left = sum(not is_throw(reader, e) for e in events) - told
    return left_out_sentence(_sheet(reader), left)


def _sheet(reader: Reader) -> str:
    return reader.wording.text(N_("and {n} more on the sheet {sheet}"), sheet=reader.sheet(Event))


# Pages of a long span: five lines of summary, then chapters.


ROUNDS = 3
"""From so many rounds of orders on, a report is divided by month."""


def is_long(reader: Reader) -> bool:
    """Whether a report covers so many rounds that it is divided by month."""
    return reader.rounds >= ROUNDS


def span_page(reader: Reader, page: ReportPage, own: Iterable[Event] | None = None) -> SpanPage:
    """The same page with its events in chapters and a summary before them.

    `own`: the reader's own events, all others being news; None: no such distinction.
    """
    _ = reader.wording.text
    events = list(reader.period.events)
    mine = None if own is None else {event.no for event in own}
    lines = page.brief.lines.items
    page = replace(page, happened=(), battles=Listing(), news=(), orders=_without_repeats(page.orders),
                   preheader=" · ".join(line.text.rstrip(".") for line in lines[:3]) or page.covers)
    return SpanPage(**vars(page), chapters=chapters_of(reader, events, mine), throws=_("Dice and what they decided"))


def _without_repeats(orders: OrdersSection | None) -> OrdersSection | None:
    """The orders with each remark only once, because in a long span the same remark comes again and again."""
    if orders is None:
        return None
    counted = Counter(orders.remarks.items)
    told = tuple(replace(remark, row=f"{remark.row} (×{n})") if n > 1 else remark for remark, n in counted.items())
    return replace(orders, remarks=replace(orders.remarks, items=told))


# One faction's report, made from its view only.


PREHEADER = 3
P = TypeVar("P", bound=ReportPage)


def build_page(
    ruleset: Ruleset, view: Campaign, faction: str, wording: Wording, since_no: int = 0,
    commitments: Mapping[str, str] | None = None, secrets: Secrets | None = None, *,
    previous: Campaign | None = None, deadline: str = "",
    refused: Mapping[str, Finding] = MappingProxyType({}), held: str = "",
) -> ReportPage:
    """The page of a faction.

    `view`: the campaign as `ruleset.view` leaves it for that faction; `previous`: the faction's view at the
    last report, None when there was none or it is not known; `since_no`: without `previous`, how many events
    of the view have been reported; `commitments`: audience -> SHA-256 of the secret of the coming turn;
    `secrets`: turn -> audience -> secret that is revealed; `deadline`: a text, with weekday and time zone; `refused`:
    key of a question -> why the answer given cannot be accepted; `held`: the language of the faction's own copy, if
    the page is sent with it.
    """
    reader = Reader.of(ruleset, view, faction, wording, since_no, previous, held=held)
    return finish_page(draft_page(reader, commitments or {}, secrets or {}, deadline=deadline, refused=refused))


def draft_page(
    reader: Reader, commitments: Mapping[str, str], secrets: Secrets, *, deadline: str = "",
    refused: Mapping[str, Finding] = MappingProxyType({}), offers: bool = True,
) -> ReportPage:
    """The page of a faction before its texts are cleaned and its code is added; arguments as for `build_page`.

    `offers`: whether what may be ordered next stands there, which takes longer than all else.
    """
    ruleset, faction, wording = reader.ruleset, reader.faction, reader.wording
    own = [e for e in reader.period.events if reader.concerns(e)]
    ids = {id(e) for e in own}
    fights = [e for e in own if facts.is_fight(reader, e)]
    in_cards = {id(e) for e in fights}
    orders = duties.orders_section(reader)
    asked, invited = duties.open_questions(reader, refused), duties.invitation_entries(reader)
    dossiers = facts.battle_dossiers(reader, [faction])
    owned, seen = ruleset.tables(reader.view, faction), ruleset.sightings(reader.view, faction)
    near = facts.nearest_enemies(reader, seen)
    happened = (*outcome_groups(reader, reader.period.events),
                *facts.groups_by_category(reader, [e for e in own if id(e) not in in_cards], reader.rows))
    page = replace(
        page_head(reader, "faction", reader.faction_name(reader.faction), reader.colour(reader.faction), deadline),
        for_whom=wording.text(N_("for your eyes only")),
        band=duties.due_band(reader, len(asked), deadline, dossiers, offers=offers),
        orders=orders,
        clock=facts.situation(reader, owned, seen),
        glance=facts.headline_figures(reader),
        dues=facts.dues(reader, orders_due=bool(duties.next_orders(reader)[0])),
        asked=(*asked, *invited),
        happened=happened,
        battles=facts.place_cards(reader, fights),
        dossiers=dossiers,
        ledger=facts.money_section(reader),
        tables=(*facts.declared_tables(reader, owned, wording.text(N_("None."))), *duties.standing_answers(reader)),
        sightings=facts.tables_of_others(reader, seen, near),
        news=facts.groups_by_category(reader, [e for e in reader.period.events if id(e) not in ids], facts.NEWS_ROWS),
        luck=facts.luck_of_years(reader),
        rulings=facts.rulings_section(reader, commitments, secrets),
        todo=duties.todo_steps(reader, len(asked), _any_refused(orders), dossiers),
        brief=brief_of(reader, {e.no for e in own}, dossiers, facts.threats(reader, near)),
        reasons=reasons_of(reader),
        legend=_legend(reader, owned),
        may_do=duties.unit_orders(reader) if offers else Listing(),
        orderable=duties.orderable_verbs(reader) if offers else Listing(),
        template=duties.reply_form(reader, refused) if offers else (),
    )
    page = _with_title_of_news(reader, _with_chances(reader, page) if offers else page, ids)
    if is_long(reader):
        return span_page(reader, page, own)
    return replace(page, preheader=_preheader(reader, page, own, len(asked)))


def _with_title_of_news(reader: Reader, page: P, own: Container[int]) -> P:
    """A page whose news of others have that title where not all of them are public. `own`: ids of the own events."""
    if all(e.audience == ALL for e in reader.period.events if id(e) not in own):
        return page
    return replace(page, headings=replace(page.headings, news=reader.wording.text(N_("News of others"))))


def _with_chances(reader: Reader, page: P) -> P:
    """A page on which stands how likely the outcomes of the coming phase are, where the Desk allows that and anything
    is thrown in it: beside a question about the same, under the order that it is for, or alone.
    """
    told = club_chances(reader)
    if not told.grounds:
        return page
    lines = (*(ThrowLine(told.orders[order], lines) for order, lines in told.ordered.items()), *told.others)
    return replace(page, chances=Listing(lines, 0, reader.wording.text(N_("and {n} more"))),
                   chances_rest_on=told.grounds,
                   asked=tuple(replace(one, chances=told.asked.get(one.ident, ())) for one in page.asked))


def page_head(reader: Reader, kind: str, name: str, colour: str, deadline: str) -> ReportPage:
    """A page with its head only: reader, current moment of the campaign, time covered, subject; the band is blank."""
    desk = reader.view.desk
    campaign = campaign_title(desk, reader.wording)
    subject = reader.wording.text(N_("[{campaign}] {name}: {moment}"), campaign=campaign, name=name,
                                  moment=moment_text(reader))
    if deadline:
        subject += ", " + reader.wording.text(N_("by {deadline}"), deadline=deadline)
    return ReportPage(
        kind=kind,
        lang=reader.lang,
        faction=reader.faction,
        name=name,
        colour=colour,
        ink=ink_on(colour),
        campaign=campaign,
        turn=desk.turn,
        phase=desk.phase,
        moment=moment_text(reader),
        covers=_time_covered(reader),
        for_whom="",
        subject=subject,
        preheader="",
        headings=section_headings(reader),
        band=Band("", ()),
        foot=" ".join(filter(None, (reader.wording.text(N_("Report {code}, made by Arbitro."), code="{code}"),
                                    _package_note(reader)))),
        shortened=reader.wording.text(N_("Long lists are cut short here; everything is in the workbook.")),
    )


def moment_text(reader: Reader) -> str:
    """The current moment of the campaign, in the game's calendar."""
    return reader.wording.text(N_("the end of the campaign")) if reader.ruleset.is_over(
        reader.view) else duties.moment_of(reader)


FEW_MOMENTS = 4
"""So many phases of a report are named one by one."""


def _time_covered(reader: Reader) -> str:
    """The phases that a page tells of; what all of them have in common (``1500, May II:``) stands once."""
    _ = reader.wording.text
    told = list(dict.fromkeys(reader.when(*moment) for moment in (*reader.period.moments, *reader.period.last)))
    if not told:
        return _("Nothing has happened since the last report.")
    alike = next((n for n, letters in enumerate(zip(*told, strict=False)) if len(set(letters)) > 1), 0)
    head = re.sub(r"[^,:]*$", "", told[0][:alike].rstrip()) + " " if re.search(r"[,:] ", told[0][:alike]) else ""
    first, *more = (text.removeprefix(head) for text in told)
    if not more:
        return _("This report tells of {first}.", first=first)
    if len(told) > FEW_MOMENTS:
        return _("This report tells of {first} to {last}.", first=Verbatim(head + first), last=Verbatim(more[-1]))
    # names that hold a comma or an "and" themselves would run into each other in a list with commas
    if any(re.search(r", | (?:and|e) ", text) for text in (first, *more)):
        return _("This report tells of {first}.", first=Verbatim(head + "; ".join((first, *more))))
    listed = ", ".join((head + first, *more[:-1]))
    return _("This report tells of {first} and {last}.", first=Verbatim(listed), last=Verbatim(more[-1]))


def section_headings(reader: Reader) -> Headings:
    """The titles of the sections."""
    _ = reader.wording.text
    return Headings(
        asked=_("Questions for you"), dues=_("What you owe"), glance=_("At a glance"),
        glance_note=_("Change since the last report"), map=_("The map"), close_up=_("The map: a close-up"),
        happened=_("What happened to you"),
        battles=facts.title_of_cards(reader), dossiers=_("Battles to be played"), sightings=_("What you see of others"),
        news=_("Public news"), todo=_("What to do now"),
        chances=_("Your chances, as things stand"), orderable=duties.orderable_heading(reader),
        reasons=_("Why it turned out this way"),
        remarks=_("Your orders, one by one"), owned=_("All that is yours"),
        printed=_("Folded parts are printed if they were opened before. The text form of this report shows them all,"
                  " and the workbook also what long lists leave out."),
        may_do_note=_("Examples only: each order stands by itself, and a route may lead on from place to place."),
        rules=_("In brackets: where it stands in the rulebook."),
        card=_("All kinds of order"),
        not_now=_("No example found as things stand; another order or phase may change that:"),
        template=_("To fill in and send back"),
        options=_("Choices"), default=_("Without an answer"), so_far=_("So far"),
        roster=_("Units and rules of this battle"), battle=_("battle"))


def _legend(reader: Reader, owned: Iterable[TableOf]) -> str:
    """The book's legend of letters (``K knights, D dismounted knights``), if such letters stand on the page: in what
    happened, or in the first table, which is not folded.
    """
    text = reader.wording.text(reader.ruleset.legend)
    letters = "|".join(re.findall(r"(?:^|[,;] )([A-Z][a-z]?) ", text))
    if not letters:
        return ""
    first = next(iter(owned), None)
    shown = [str(getattr(row, name)) for row in first.rows for name in first.fields] if first else []
    shown += [reader.wording.event(event) for event in reader.period.events if reader.concerns(event)]
    shown += [reader.wording.sentence(said.text, said.data)
              for said in reader.ruleset.outcomes(reader.view, reader.faction, reader.period.events)]
    return text if any(re.search(rf"(?<![-\w])(?:{letters})+\d*\b(?![-.'’])", one) for one in shown) else ""


def _any_refused(orders: OrdersSection | None) -> bool:
    return orders is not None and any(r.severity in REFUSING for r in orders.remarks.items)


def _preheader(reader: Reader, page: ReportPage, own: list[Event], asked: int) -> str:
    """The three most important things, in one line."""
    plural = reader.wording.plural
    parts = []
    if asked:
        parts.append(plural(N_("One question for you"), N_("{n} questions for you"), asked))
    refused = 0 if page.orders is None else sum(r.severity in REFUSING for r in page.orders.remarks.items)
    if refused:
        parts.append(plural(N_("One order refused"), N_("{n} orders refused"), refused))
    parts += facts.weightiest_sentences(reader, own, max(PREHEADER - len(parts), 0))
    return " · ".join(parts[:PREHEADER]) or page.covers


def finish_page(page: P) -> P:
    """The page with every text cleaned and with its code, which depends only on what it shows."""
    page = clean_page(page)
    shown = json.dumps(as_plain_values(page), ensure_ascii=False, sort_keys=True)
    digest = hashlib.sha256(shown.encode()).hexdigest()[:12].upper()
    code = "-".join(digest[i:i + 4] for i in (0, 4, 8))
    return replace(page, code=code, foot=page.foot.replace("{code}", code))


# The last page of a campaign.


GOLD = "#8a6414"
LINES_OF_STORY = 10
"""Lines of the story."""


def build_end(ruleset: Ruleset, view: Campaign, wording: Wording) -> EndPage:
    """The page of a finished campaign. `view`: of the faction "", so that nothing secret can be told."""
    reader = Reader.of(ruleset, view, "", wording)
    _ = wording.text
    ending = ruleset.ending(reader.view)
    first, *more = victory_sentences(ruleset, reader.view, wording)
    colours = [reader.colour(code) for code in ending.winners]
    colour = colours[0] if len(colours) == 1 and colours[0] != GREY else GOLD
    page = page_head(reader, "end", _("How the campaign ended"), GOLD, "")
    covers = page.covers if reader.period.events else _("It was over before its first phase.")
    told = {event.no for event in (*ending.verdict, *ending.counted, *closing_events(reader.view, ruleset.events))
            if isinstance(event, Event)}
    page = replace(
        page, colour=colour, ink=ink_on(colour), for_whom=_("for everybody"), covers=covers, preheader=first,
        headings=replace(page.headings, dues=_("How it was counted"), news=_("The story")),
        band=Band(first, tuple(more)), dues=scoring_sentences(ending, wording),
        tables=figures_table(reader, _("How all stood at the end"), ending.rows),
        news=story_groups(reader, [e for e in reader.period.events if e.no not in told]))
    return finish_page(EndPage(**vars(page), winners=tuple(ending.winners)))


# --- the table ---------------------------------------------------------------------------------------
def figures_table(reader: Reader, title: str, rows: Iterable[Mapping[str, Any]]) -> tuple[ReportTable, ...]:
    """The figures that the book compares, one row per faction; () without figures."""
    listed = list(rows)
    if not listed:
        return ()
    names = list(listed[0])
    numeric = tuple(all(_is_number(row.get(name)) for row in listed) for name in names)
    headings = tuple(reader.wording.text(N_("Faction")) if name == "faction" else _capital(reader.wording.figure(name))
                     for name in names)
    made = tuple(tuple(_value(reader, row.get(name)) for name in names) for row in listed)
    return (ReportTable(title, headings, numeric, Listing(made)),)


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _capital(word: str) -> str:
    return capital(word).replace("_", " ")


def _value(reader: Reader, value: Any) -> TableCell:
    """A figure of the standings as a cell: numbers grouped, factions by name in their colour, words translated."""
    if isinstance(value, bool):
        return TableCell(reader.wording.word("yes" if value else "no"))
    if isinstance(value, int):
        return reader.number(value)
    text = str(value) if value is not None else ""
    if reader.view.table(Faction).get(text) is None:
        return TableCell(reader.wording.word(text) if text else "–")
    colour = reader.colour(text)
    return TableCell(reader.faction_name(text), colour="" if colour == GREY else colour)


# --- the story ---------------------------------------------------------------------------------------
def story_groups(reader: Reader, events: Iterable[Event]) -> tuple[Group, ...]:
    """The most important public events, one or two a turn and `LINES_OF_STORY` in all, turn by turn.

    If there are more turns than lines, the most important event of each run of turns is used.
    """
    turns = grouped((e for e in events if e.audience == ALL and e.event in reader.ruleset.events
                     and reader.kind(e).weight <= LIGHTEST), lambda e: e.turn)
    runs = _runs_of_turns(list(turns.values()))
    chosen = [_weightiest_public(reader, run) for run in runs]
    seconds = [_weightiest_public(reader, [e for e in run if _is_other(reader, e, first)])
               for run, first in zip(runs, chosen, strict=True)] if len(turns) == len(runs) else []
    rest = sorted((e for e in seconds if e is not None), key=lambda e: _weight(reader, e))
    kept = [e for e in chosen if e is not None] + rest[:LINES_OF_STORY - len(chosen)]
    told = grouped(sorted(kept, key=lambda e: e.no), lambda e: e.turn)
    return tuple(Group(_capital(reader.ruleset.turn_name(turn, reader.lang)),
                       Listing(tuple(_line(reader, e) for e in of_turn)))
                 for turn, of_turn in told.items())


def _line(reader: Reader, event: Event) -> ReportLine:
    """An event with its place by name and its phase; its turn is in the heading above."""
    line = reader.line(event, with_place=False)
    when = reader.ruleset.phase_word(event.phase, reader.lang).split(":")[0]
    place = reader.place_by_name(event, line.text)
    return replace(line, place=place, text=behind_colon(line.text) if place else line.text, when=when)


def _runs_of_turns(turns: list[list[Event]]) -> list[list[Event]]:
    """The events of at most `LINES_OF_STORY` runs of turns of equal length."""
    count = min(len(turns), LINES_OF_STORY)
    return [[event for turn in turns[len(turns) * n // count:len(turns) * (n + 1) // count] for event in turn]
            for n in range(count)]


def _weight(reader: Reader, event: Event) -> tuple[int, int, int]:
    kind = reader.kind(event)
    rank = CATEGORIES.index(kind.category) if kind.category in CATEGORIES else len(CATEGORIES)
    return kind.weight, rank, event.no


def _weightiest_public(reader: Reader, events: list[Event]) -> Event | None:
    return min(events, key=lambda e: _weight(reader, e), default=None)


def _is_other(reader: Reader, event: Event, first: Event | None) -> bool:
    """Whether an event differs from the first of its turn: another kind, and elsewhere."""
    if first is None or event.event == first.event:
        return False
    node = reader.whereabouts(event)
    return not node or node != reader.whereabouts(first)


# The gazette, the same for everybody, and the referee's report, with everything.


PARCHMENT = "#5a4630"
SLATE = "#37424d"


def build_gazette(ruleset: Ruleset, view: Campaign, wording: Wording, since_no: int = 0,
                  commitments: Mapping[str, str] | None = None, secrets: Secrets | None = None, *,
                  previous: Campaign | None = None, deadline: str = "") -> ReportPage:
    """The public page. `view`: of the faction ""; the other arguments as for `build_page`."""
    reader = Reader.of(ruleset, view, "", wording, since_no, previous)
    _ = wording.text
    name = _("Public gazette")
    page = page_head(reader, "gazette", name, PARCHMENT, deadline)
    fights, rest = split_battles(reader)
    page = replace(
        page, for_whom=_("for everybody"), band=duties.due_band(reader, 0, deadline),
        battles=facts.place_cards(reader, fights), news=facts.groups_by_category(reader, rest, reader.rows),
        brief=brief_of(reader, None), reasons=reasons_of(reader),
        tables=(_factions(reader),), rulings=facts.rulings_section(reader, commitments or {}, secrets or {}),
        foot=" ".join(filter(None, (page.foot, _deviations_note(reader)))))
    return _finish_for_all(reader, page)


def _package_note(reader: Reader) -> str:
    """The sentence which package of house rules is played; "" for a rulebook that stands by itself."""
    package = package_text(reader.ruleset)
    return reader.wording.text(N_("House rules with code: {package}."), package=Verbatim(package)) if package else ""


def _deviations_note(reader: Reader) -> str:
    """The sentence how many public rulings and house rules deviate from the book; "" without any. Changes before the
    first phase set the campaign up and do not count; a house rule counts while it is in force, wherever it comes from.
    """
    words, view = reader.wording, reader.view
    made = sum(event.event == RULING and event.data.get("sheet") != Rule.sheet and not event.data.get("set_up")
               for event in view.table(Event))
    kept = len(house_rules(reader.ruleset.numbers, reader.ruleset.rules(view).edition,
                           reader.ruleset.typed_rules(view.table(Rule)))) if view.has(Rule.sheet) else 0
    told = [words.plural(N_("{n} public ruling"), N_("{n} public rulings"), made)] if made else []
    told += [words.plural(N_("{n} house rule"), N_("{n} house rules"), kept)] if kept else []
    text = words.text(N_("{rulings} and {rules}"), rulings=told[0], rules=told[-1]) if len(told) > 1 else "".join(told)
    return words.text(N_("By the book but for {what}."), what=text) if text else ""


def build_referee(ruleset: Ruleset, campaign: Campaign, wording: Wording, since_no: int = 0,
                  commitments: Mapping[str, str] | None = None, secrets: Secrets | None = None, *,
                  previous: Campaign | None = None, deadline: str = "",
                  refused: Mapping[str, Finding] = MappingProxyType({})) -> ReportPage:
    """Everything that the referee needs: who has to answer, every finding, every event and its reasons, all dice.

    `campaign` and `previous` are unfiltered, and so are `commitments` and `secrets` of the dice; `refused` as for
    `build_page`.
    """
    reader = Reader.of(ruleset, campaign, REFEREE, wording, since_no, previous)
    _ = wording.text
    name = _("Referee's report")
    page = page_head(reader, "referee", name, SLATE, deadline)
    asked = duties.open_questions(reader, refused, everybody=True)
    fights, rest = split_battles(reader)
    page = replace(
        page, headings=replace(page.headings, asked=_("Open questions"), happened=_("What happened"),
                               template=_("Results of battles, to be filled in")),
        brief=brief_of(reader, None), reasons=reasons_of(reader),
        for_whom=_("for the referee only: it holds every secret"), band=_referee_band(reader, asked, deadline),
        orders=_findings(reader), asked=(*asked, *duties.invitation_entries(reader, everybody=True)),
        battles=facts.place_cards(reader, fights), happened=facts.groups_by_category(reader, rest, reader.rows),
        dossiers=facts.battle_dossiers(reader, [f.faction for f in campaign.table(Faction)]),
        tables=(_awaited_table(reader, refused), *figures_table(reader, _("Standings"), ruleset.standings(reader.view)),
                *duties.standing_answers(reader, everybody=True)),
        template=tuple(line for part in duties.battle_forms(reader) for line in ("", *part))[1:],
        rulings=facts.rulings_section(reader, commitments or {}, secrets or {}))
    return _finish_for_all(reader, page)


def split_battles(reader: Reader) -> tuple[list[Any], list[Any]]:
    """The events of the period: battles and sieges, and all others."""
    fights = [e for e in reader.period.events if facts.is_fight(reader, e)]
    return fights, [e for e in reader.period.events if not facts.is_fight(reader, e)]


def _finish_for_all(reader: Reader, page: ReportPage) -> ReportPage:
    """A page of everybody's or of the referee: of a long span in chapters, else with the weightiest in its inbox line.
    """
    if is_long(reader):
        return finish_page(span_page(reader, page))
    foremost = facts.weightiest_sentences(reader, reader.period.events, PREHEADER)
    return finish_page(replace(page, preheader=" · ".join(foremost) or page.covers))


def _factions(reader: Reader) -> ReportTable:
    _ = reader.wording.text
    rows = []
    for row in reader.view.table(Faction):
        if row.role not in OWNERLESS:
            places = reader.ruleset.places_held(reader.view, row.faction)
            rows.append((TableCell(row.name(reader.lang), colour=reader.colour(row.faction)), TableCell(row.faction),
                         TableCell(_("played by the rules") if row.role == RULES else row.club),
                         reader.number(places)))
    columns = [Faction.column(name) for name in ("faction", "club")]
    headings = (_("Faction"), *(c.heading(reader.lang) for c in columns), _("Places"))
    kept = [place for place in range(len(headings)) if any(row[place].text for row in rows)]
    return ReportTable(_("The factions"), tuple(headings[n] for n in kept), tuple(n == 3 for n in kept),
                       Listing(tuple(tuple(row[n] for n in kept) for row in rows)))


def _referee_band(reader: Reader, asked: tuple[AskedOf, ...], deadline: str) -> Band:
    _ = reader.wording.text
    if not asked:
        return duties.due_band(reader, 0, deadline)
    title = reader.wording.plural(N_("One question is open"), N_("{n} questions are open"), len(asked))
    whom = ", ".join(dict.fromkeys(q.to for q in asked))
    return Band(title, (_("Waiting for: {whom}.", whom=whom),
                        _("When all answers are there, resolve the phase again.")))


def _findings(reader: Reader) -> OrdersSection | None:
    _ = reader.wording.text
    period = reader.period
    told = []
    for faction in [*(f.faction for f in reader.view.table(Faction)), ""]:
        mine = [o for o in period.orders if o.faction == faction]
        findings = [f for f in period.findings if f.faction == faction]
        whose = f"{reader.faction_name(faction)}, " if faction else ""
        told += [replace(r, row=f"{whose}{r.row}") for r in duties.order_remarks(reader, mine, findings)]
    if not (period.orders or told):
        return None
    good = sum(o.status not in duties.BAD for o in period.orders)
    summary = _("{done} of {n} {n?order was|orders were} accepted.", done=good, n=len(period.orders))
    more = _("and {n} more on the sheet {sheet}", sheet=reader.sheet(Order))
    return OrdersSection(
        _("Orders and findings"), summary, Listing(tuple(told), 0, more).cut(2 * reader.rows), not told
    )


def _awaited_table(reader: Reader, refused: Mapping[str, Finding]) -> ReportTable:
    """Who has sent orders for the next phase, and who owes how many answers."""
    _ = reader.wording.text
    word, when = duties.next_orders(reader)
    desk, asked = reader.view.desk, duties.unanswered_questions(reader, refused)
    rows = []
    for row in reader.view.table(Faction):
        if row.role in CLUBLESS:
            continue
        sent = sum(o.faction == row.faction and o.turn == desk.turn and o.phase == word
                   for o in reader.view.table(Order)) if word else 0
        name = row.name(reader.lang)
        rows.append((TableCell(name, colour=reader.colour(row.faction)), reader.number(sent),
                     reader.number(sum(q.to == row.faction for q in asked))))
    title = _("Who has sent orders for {moment}", moment=when) if word else _("Who still has to answer")
    return ReportTable(title, (_("Faction"), _("Orders"), _("Open questions")), (False, True, True),
                       Listing(tuple(rows)))
