"""A new campaign's background: its scenario's folder in; its outlines into the campaign, or a finding why not, out."""

from __future__ import annotations

from pathlib import Path

from assistant.campaign.campaign import Campaign
from assistant.campaign.outlines import Outline
from assistant.desk import codes
from assistant.pictures.background import DAMAGED, LARGEST, TOO_LARGE, Background, background
from assistant.turn.findings import Finding
from assistant.wording import Verbatim, Wording

NAMES = ("background.geojson", "background.json", "background.svg")
"""What a scenario's background may be called."""


def take_background(folder: Path, campaign: Campaign, words: Wording) -> list[Finding]:
    """Put what a scenario's background holds beside its outlines. One that is broken is left out, which is told."""
    path = next((folder / name for name in NAMES if (folder / name).is_file()), None)
    if path is None:
        return []
    found = _read(path)
    if found.why:
        why = Verbatim(words.text(found.why, what=Verbatim(found.what)))
        return [codes.finding(codes.BAD_BACKGROUND, file=path.name, why=why)]
    table = campaign.table(Outline)
    known = {row.outline for row in table}
    for row in found.rows:
        if row.outline not in known:  # what the scenario says itself counts
            table.add(row)
    return []


def _read(path: Path) -> Background:
    try:
        if path.stat().st_size > LARGEST:
            return Background(why=TOO_LARGE)
        return background(path.read_bytes())
    except OSError:
        return Background(why=DAMAGED)
