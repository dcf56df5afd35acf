"""Maps and charts for reports and the workbook, each from its reader's view."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from assistant import pictures
from assistant.campaign.campaign import Campaign
from assistant.campaign.records import REFEREE, Faction
from assistant.desk.past.phase_chain import reported_state
from assistant.desk.workspace.fingerprints import LedgerCampaigns
from assistant.desk.workspace.workspace import Workspace
from assistant.ledger import UNDOABLE_VERBS, Ledger, LedgerTrouble
from assistant.reporting.render import CHART, NEAR, ORDERED, PICTURES, WHOLE, Inset
from assistant.speech import names_of
from assistant.turn import codes
from assistant.turn.findings import Finding
from assistant.turn.phases import without_superseded
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording

# Maps and charts as PNG, for each reader.
#
# Each picture is made from its reader's view alone. Without the drawing libraries there are none, and a finding says
# so.


WIDTH = 832
"""Pixels: a third wider than a report shows it, and sharp on a phone."""
EVERYBODY = ""


class CampaignState(NamedTuple):
    """The campaign as it stood when a phase began."""

    turn: str
    phase: str
    campaign: Campaign


@dataclass(frozen=True)
class Drawer:
    """What pictures are made from. `lang`: for all of them; "" for each reader's own."""

    ruleset: Ruleset
    campaign: Campaign
    previous: Campaign | None
    moments: Sequence[CampaignState]
    lang: str = ""
    processes: int = 1

    @cached_property
    def public(self) -> Sequence[Campaign]:
        """What everybody knew at each moment."""
        return [self.ruleset.view(moment.campaign, EVERYBODY) for moment in self.moments]

    @cached_property
    def counted(self) -> pictures.PublicFigures:
        """What all charts show alike: it is counted in what everybody knew."""
        return pictures.public_figures(self.ruleset, self.public)


Pictures = Mapping[str, tuple[tuple[Inset, bytes], ...]]


def process_count() -> int:
    """How many processes of a command may draw at once."""
    return os.cpu_count() or 1


def campaign_states(workspace: Workspace) -> list[CampaignState]:
    """The campaign before each phase that was resolved, at most as many as a chart has points, and as it stands.

    Where the ledger cannot be used there is only what stands.
    """
    try:
        with workspace.beside() as ledger:
            moments = states_before(workspace, ledger,
                                    lambda whens: [whens[n] for n in pictures.pick_moments(range(len(whens)))])
    except LedgerTrouble:  # `status` says what is wrong with it
        moments = []
    return [*moments, present_state(workspace)]


def present_state(workspace: Workspace) -> CampaignState:
    """The campaign as it stands."""
    now = without_superseded(workspace.campaign)
    return CampaignState(now.desk.turn, now.desk.phase, now)


def states_before(workspace: Workspace, ledger: Ledger,
                  pick: Callable[[Sequence[tuple[str, str]]], Sequence[tuple[str, str]]]) -> list[CampaignState]:
    """The campaign before some of the phases that were resolved. `pick`: those wanted of all, as turn and phase.

    Raises `LedgerTrouble`, KeyError, `BookError`.
    """
    first: dict[tuple[str, str], int] = {}
    for step in ledger.steps_in_force(*UNDOABLE_VERBS):
        first.setdefault((step.turn, step.phase), step.id)
    kept = LedgerCampaigns(ledger, {record.sheet: record for record in workspace.ruleset.records})
    return [CampaignState(*when, reported_state(workspace, ledger, first[when], kept)) for when in pick(list(first))]


def whole_map(shown: Sequence[tuple[Inset, bytes]]) -> tuple[bytes, str] | None:
    """The whole map among a reader's pictures, with its words; None where there is none."""
    return next(((png, inset.alt) for inset, png in shown if inset.name == WHOLE), None)


def draw_orders(ruleset: Ruleset, campaign: Campaign, factions: Sequence[str]) -> tuple[Pictures, list[Finding]]:
    """The open orders of these factions, each drawn on its own map where they are about places, and
    findings about what could not be drawn.
    """
    return draw_pictures(
        Drawer(ruleset, without_superseded(campaign), None, (), "", process_count()), factions, (ORDERED,)
    )


def draw_pictures(drawer: Drawer, readers: Sequence[str], names: Sequence[str] = PICTURES) -> tuple[
        Pictures, list[Finding]]:
    """The pictures of these readers (codes, "" for everybody's, ``referee``), and findings about missing libraries.

    A faction gets the close-up of its own area first, then the whole map, then its chart; of these those that `names`
    says.
    """
    wanted: list[tuple[str, Inset]] = []

    def coming() -> Iterator[pictures.PictureRequest]:
        for reader in readers:
            for inset, request in undrawn_for(drawer, reader, names):
                wanted.append((reader, inset))
                yield request

    made = pictures.draw_all(coming(), drawer.processes)
    drawn: dict[str, list[tuple[Inset, bytes]]] = {reader: [] for reader in readers}
    remarks: dict[tuple[str, str], Finding] = {}
    for (reader, inset), picture in zip(wanted, made, strict=True):
        if isinstance(picture, pictures.MissingLibrary):
            remarks[codes.NOT_DRAWN, picture.name] = codes.finding(codes.NOT_DRAWN, library=picture.name)
            continue
        if picture.missing:
            remarks[codes.DRAWN_WITHOUT, picture.missing] = codes.finding(codes.DRAWN_WITHOUT, library=picture.missing)
        drawn[reader].append((replace(inset, alt=picture.words), picture.png))
    return {reader: tuple(shown) for reader, shown in drawn.items()}, list(remarks.values())


def undrawn_for(
    drawer: Drawer, reader: str, names: Sequence[str] = PICTURES
) -> list[tuple[Inset, pictures.PictureRequest]]:
    """The pictures of one reader, not drawn yet; of its orders alone where they are among them."""
    ruleset, campaign = drawer.ruleset, drawer.campaign
    view = campaign if reader == REFEREE else ruleset.view(campaign, reader)
    row = campaign.table(Faction).get(reader)
    lang = drawer.lang or (row.language if row is not None else "") or campaign.desk.language or "en"
    previous = None if drawer.previous is None else (
        drawer.previous if reader == REFEREE else ruleset.view(drawer.previous, reader))
    if ORDERED in names:
        asked = pictures.scene_of(ruleset, view, reader, lang, close_up=True, only_orders=True)
        return [(Inset(ORDERED), pictures.PictureRequest(asked, WIDTH))] if asked.marches or asked.marks else []
    scene = pictures.scene_of(ruleset, view, reader, lang, previous=previous, orders=False)
    insets = []
    if reader and reader != REFEREE and NEAR in names:
        near = pictures.close_up_of(view, reader, scene)
        if near.focus and len(near.focus) < len(near.places):
            insets.append((Inset(NEAR), pictures.PictureRequest(near, WIDTH)))
    if WHOLE in names:
        insets.append((Inset(WHOLE), pictures.PictureRequest(scene, WIDTH)))
    if not scene.places:  # a campaign without a map
        insets = []
    return insets + (_chart(drawer, view, reader, lang) if CHART in names and reader != REFEREE else [])


def _chart(drawer: Drawer, view: Campaign, reader: str, lang: str) -> list[tuple[Inset, pictures.PictureRequest]]:
    ruleset = drawer.ruleset
    past = [pictures.PastView(moment.turn, moment.phase, public, ruleset.view(moment.campaign, reader) if reader
                              else public)
            for moment, public in zip(drawer.moments, drawer.public, strict=True)]
    wording = Wording(ruleset, lang, names_of(view, lang, ruleset.named, ruleset.coded))
    chart = pictures.history_chart(ruleset, past, reader, wording, drawer.counted) if len(past) > 1 else None
    if chart is None:
        return []
    return [(Inset(CHART, title=chart.title), pictures.PictureRequest(
        None, WIDTH, pictures.chart_svg(chart), pictures.chart_in_words(chart, wording)))]
