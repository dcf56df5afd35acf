"""One faction's report: what a page holds is decided here, from the faction's view and nothing else."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TypeVar

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Event
from assistant.colours import ink_on
from assistant.reporting import duties, facts, holdings, luck, proofs, template
from assistant.reporting.clean import cleaned
from assistant.reporting.pages import Headings, Orders, ReportPage, plain
from assistant.reporting.proofs import Secrets
from assistant.reporting.reader import Reader
from assistant.reporting.spans.span import is_long, over_a_span
from assistant.titles import campaign_title
from assistant.turn.findings import REFUSING, Finding
from assistant.turn.ruleset import Ruleset
from assistant.wording import N_, Wording

PREHEADER = 3
P = TypeVar("P", bound=ReportPage)


def build_page(
    ruleset: Ruleset, view: Campaign, faction: str, wording: Wording, since_no: int = 0,
    commitments: Mapping[str, str] | None = None, secrets: Secrets | None = None, *,
    previous: Campaign | None = None, deadline: str = "", map_src: str | None = None, map_alt: str = "",
    refused: Mapping[str, Finding] = MappingProxyType({}), held: str = "",
) -> ReportPage:
    """The page of a faction.

    `view`: the campaign as `ruleset.view` leaves it for that faction; `previous`: the faction's view at the
    last report, None when there was none or it is not known; `since_no`: without `previous`, how many events
    of the view were told already; `commitments`: audience -> SHA-256 of the secret of the coming turn;
    `secrets`: turn -> audience -> secret that is revealed; `deadline`: a text, with weekday and time zone; `refused`:
    key of a question -> why the answer that stands there cannot be taken; `held`: the language of its own copy, where
    the page goes out with that.
    """
    reader = Reader.of(ruleset, view, faction, wording, since_no, previous, held=held)
    return finished(drafted(reader, commitments or {}, secrets or {}, deadline=deadline, map_src=map_src,
                            map_alt=map_alt, refused=refused))


def drafted(
    reader: Reader, commitments: Mapping[str, str], secrets: Secrets, *, deadline: str = "",
    map_src: str | None = None, map_alt: str = "", refused: Mapping[str, Finding] = MappingProxyType({}),
) -> ReportPage:
    """The page of a faction before its texts are cleaned, without its code; the arguments as for `build_page`."""
    ruleset, faction, wording = reader.ruleset, reader.faction, reader.wording
    own = [e for e in reader.period.events if reader.concerns(e)]
    ids = {id(e) for e in own}
    fights = [e for e in own if facts.is_fight(reader, e)]
    in_cards = {id(e) for e in fights}
    orders = duties.orders(reader)
    asked, invited = duties.asked(reader, refused), duties.invited(reader)
    dossiers = holdings.dossiers(reader, [faction])
    happened = (*holdings.outcomes(reader),
                *facts.groups(reader, [e for e in own if id(e) not in in_cards], reader.rows))
    page = replace(
        _head(reader, deadline),
        for_whom=wording.text(N_("for your eyes only")),
        band=duties.band(reader, len(asked), deadline, dossiers), orders=orders, glance=holdings.figures(reader),
        map_src=map_src, map_alt=map_alt, dues=holdings.dues(reader), asked=(*asked, *invited), happened=happened,
        battles=facts.cards(reader, fights), dossiers=dossiers, ledger=holdings.money(reader),
        tables=(*holdings.tables(reader, ruleset.tables(reader.view, faction), wording.text(N_("None."))),
                *duties.standing_answers(reader)),
        sightings=holdings.tables(reader, ruleset.sightings(reader.view, faction),
                                  wording.text(N_("Nothing was seen."))),
        news=facts.groups(reader, [e for e in reader.period.events if id(e) not in ids], facts.NEWS_ROWS),
        luck=luck.of_years(reader),
        rulings=proofs.rulings(reader, commitments, secrets),
        todo=duties.todo(reader, len(asked), _refused(orders), dossiers),
        orderable=template.orderable(reader), template=template.template(reader, refused))
    if is_long(reader):
        return over_a_span(reader, page, own)
    return replace(page, preheader=_preheader(reader, page, own, len(asked)))


def _head(reader: Reader, deadline: str) -> ReportPage:
    name = reader.faction_name(reader.faction)
    return head(reader, "faction", name, reader.colour(reader.faction), deadline)


def head(reader: Reader, kind: str, name: str, colour: str, deadline: str) -> ReportPage:
    """A page with its head only: who reads it, where the campaign stands, which time it covers, its subject."""
    desk = reader.view.desk
    campaign = campaign_title(desk, reader.wording)
    subject = reader.wording.text(N_("[{campaign}] {name}: {moment}"), campaign=campaign, name=name,
                                  moment=moment(reader))
    if deadline:
        subject += ", " + reader.wording.text(N_("by {deadline}"), deadline=deadline)
    return ReportPage(
        kind=kind, lang=reader.lang, faction=reader.faction, name=name, colour=colour, ink=ink_on(colour),
        campaign=campaign, turn=desk.turn, phase=desk.phase, moment=moment(reader),
        covers=_covers(reader), for_whom="", subject=subject, preheader="", headings=headings(reader),
        band=duties.band(reader, 0, ""), foot=reader.wording.text(N_("Report {code}, made by Arbitro."), code="{code}"),
        shortened=reader.wording.text(N_("This report was shortened to fit a mail; everything is in the workbook.")))


def moment(reader: Reader) -> str:
    """Where the campaign stands, in the game's calendar."""
    desk = reader.view.desk
    if reader.ruleset.is_over(reader.view):
        return reader.wording.text(N_("the end of the campaign"))
    return reader.when(desk.turn, desk.phase)


def _covers(reader: Reader) -> str:
    _ = reader.wording.text
    told = list(dict.fromkeys(reader.when(*one) for one in (*reader.period.moments, *reader.period.last)))
    if not told:
        return _("Nothing has happened since the last report.")
    if len(told) == 1:
        return _("This report tells of {first}.", first=told[0])
    return _("This report tells of {first} to {last}.", first=told[0], last=told[-1])


def headings(reader: Reader) -> Headings:
    """The titles of the sections."""
    _ = reader.wording.text
    return Headings(
        asked=_("Questions for you"), dues=_("What you owe"), glance=_("At a glance"),
        glance_note=_("Change since the last report"), map=_("The map"), happened=_("What happened to you"),
        battles=facts.title_of_cards(reader), dossiers=_("Battles to be played"), sightings=_("What you see of others"),
        news=_("Public news"), todo=_("What to do now"),
        orderable=_("What you may order now"), template=_("To fill in and send back"),
        options=_("Choices"), default=_("Without an answer"), so_far=_("So far"))


def _refused(orders: Orders | None) -> bool:
    return orders is not None and any(r.severity in REFUSING for r in orders.remarks.items)


def _preheader(reader: Reader, page: ReportPage, own: list[Event], asked: int) -> str:
    """The three things that matter most, in one line."""
    plural = reader.wording.plural
    said = []
    if asked:
        said.append(plural(N_("One question for you"), N_("{n} questions for you"), asked))
    refused = 0 if page.orders is None else sum(r.severity in REFUSING for r in page.orders.remarks.items)
    if refused:
        said.append(plural(N_("One order refused"), N_("{n} orders refused"), refused))
    said += facts.foremost(reader, own, max(PREHEADER - len(said), 0))
    return " · ".join(said[:PREHEADER]) or page.covers


def finished(page: P) -> P:
    """The page with every text cleaned and with its code, which depends on nothing but what it shows."""
    page = cleaned(page)
    shown = json.dumps(plain(page), ensure_ascii=False, sort_keys=True)
    digest = hashlib.sha256(shown.encode()).hexdigest()[:12].upper()
    code = "-".join(digest[i:i + 4] for i in (0, 4, 8))
    return replace(page, code=code, foot=page.foot.replace("{code}", code))
