"""What a campaign is called is said in its reader's language: in reports, on maps, in mails and clubs' copies."""

from __future__ import annotations

import csv
import io
import zipfile
from pathlib import Path

import pytest

from assistant import desk
from assistant.campaign.records import Desk, Faction
from assistant.desk.commands.publish import copy_of
from assistant.edit_catalogue import shipped_rulesets
from assistant.environment import scenario_names, shipped_scenario
from assistant.reporting.build import build_page
from assistant.turn.rulebooks import load
from assistant.wording import Wording, campaign_title
from assistant.workbook.file_book import open_book
from tests import hand
from tests.fresh import new_campaign
from tests.pictures.boards import scene, start

SHIPPED = {
    "Italy 1500": ("Italy 1500", "Italia 1500"),
    "Esdef, the beginning": ("Esdef, the beginning", "Esdef, l'inizio"),
    "The Borderlands / Le Terre di Confine": ("The Borderlands", "Le Terre di Confine"),
    "Wallingford 1139": ("Wallingford 1139", "Wallingford 1139"),
    "Tanaephis 987": ("Tanaephis 987", "Tanaephis 987")}
"""What the scenarios' desk.csv says -> the English and the Italian title."""


def title(typed: str, lang: str, ruleset: str = "giglio") -> str:
    """The title that a reader of a language sees, of what the Desk says."""
    return campaign_title(Desk(ruleset=ruleset, title=typed), Wording(load(ruleset), lang))


def test_every_scenario_that_ships_says_its_title_in_both_languages() -> None:
    """Also of a workbook that was made before there was an Italian title: it has the same words on its Desk."""
    told = {}
    for ruleset in shipped_rulesets():
        for name in scenario_names(ruleset.id):
            lines = csv.reader((shipped_scenario(ruleset.id, name) / "desk.csv").read_text("utf-8").splitlines())
            typed = dict(line[:2] for line in lines)["title"]
            told[typed] = tuple(title(typed, lang, ruleset.id) for lang in ("en", "it"))
    assert told == SHIPPED


@pytest.mark.parametrize(("typed", "en", "it"), [
    ("Our summer", "Our summer", "Our summer"), ("The lake / Il lago", "The lake", "Il lago"),
    ("Guelfi/Ghibellini", "Guelfi/Ghibellini", "Guelfi/Ghibellini"), ("A / B / C", "A / B / C", "A / B / C"),
    ("/ Lago", "/ Lago", "/ Lago"), ("", "Il Giglio", "Il Giglio"), ("{node} {n}", "{node} {n}", "{node} {n}")])
def test_a_referee_s_own_title(typed: str, en: str, it: str) -> None:
    """As it was typed, or in both languages with " / " between them."""
    assert (title(typed, "en"), title(typed, "it")) == (en, it)


@pytest.mark.parametrize(("lang", "told"), [pytest.param("en", "Italy 1500", marks=pytest.mark.slow),
                                            ("it", "Italia 1500")])
def test_the_desk_is_titled_in_its_own_language(tmp_path: Path, lang: str, told: str) -> None:
    """Also after a phase; the setting keeps what every reader's title is made of."""
    book = new_campaign(tmp_path / "war.xlsx", language=lang)
    for _ in range(2):
        sheet = hand.opened(book)["Desk" if lang == "en" else "Banco"]
        assert sheet["B2"].value == told
        assert open_book(book).read().campaign.desk.title == "Italy 1500"
        assert desk.resolve(book, defaults=True).exit in (0, 3)


@pytest.mark.parametrize(("lang", "told"), [pytest.param("en", "Italy 1500", marks=pytest.mark.slow),
                                            ("it", "Italia 1500")])
def test_reports_and_maps_say_it_in_the_reader_s_language_and_copies_keep_it(lang: str, told: str) -> None:
    """Of one campaign; a copy, which comes back to be compared, has what its referee typed, as the Desk has."""
    ruleset, campaign = start("giglio")
    campaign = campaign.copy()
    campaign.table(Faction)["V"].language = lang
    page = build_page(ruleset, ruleset.view(campaign, "V"), "V", Wording(ruleset, lang))
    assert page.campaign == told
    assert page.subject.startswith(f"[{told}] ")
    assert told in scene(ruleset, campaign, "V", lang).title
    with zipfile.ZipFile(io.BytesIO(copy_of(ruleset, campaign, "V", "ARB-2222-2222-22"))) as archive:
        found = "".join(archive.read(name).decode("utf-8", "replace") for name in archive.namelist())
    assert "Italy 1500" in found
    assert campaign.desk.title == "Italy 1500"
