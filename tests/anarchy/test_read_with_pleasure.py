"""A club's report of The Anarchy: who won, where, at what price; then the codes, which go by their names."""

from __future__ import annotations

import re
from typing import Any

import pytest

from assistant.campaign.campaign import Campaign
from assistant.reporting.build import build_page
from assistant.reporting.reader import Reader
from assistant.reporting.render import render_html, render_text
from assistant.rulesets.anarchy.orders import Settings
from assistant.rulesets.anarchy.realm import choice_word
from assistant.rulesets.anarchy.records import Army, Faction, Prisoners
from assistant.turn.event_types import Said
from assistant.wording import Wording, named_wording
from tests.anarchy.cases import anarchy, build
from tests.anarchy.scenario import scripted_days

pytestmark = pytest.mark.slow
"""Its four days of battles take a while."""
MOST = 90_000
"""Bytes that a club's report of one turn may have."""


@pytest.fixture(scope="module")
def fourth() -> tuple[Campaign, Campaign]:
    """The campaign before and after its fourth day, which has three battles and a refusal."""
    closed = {day: campaign for day, campaign, _ in scripted_days()}
    return closed[3], closed[4]


def report(fourth: tuple[Campaign, Campaign], faction: str, lang: str) -> str:
    """The report of a club as text, without the breaks of its lines."""
    book, (before, after) = anarchy(), fourth
    words = named_wording(book, after, lang)
    page = build_page(book, book.view(after, faction), faction, words, previous=book.view(before, faction))
    assert len(render_html(page).encode()) < MOST
    return " ".join(render_text(page).split())


def test_the_own_section_begins_with_who_won_and_at_what_price(fourth: tuple[Campaign, Campaign]) -> None:
    """Each side reads its own losses first; the winner of the one is the loser of the other."""
    royal, angevin = report(fourth, "royal", "en"), report(fourth, "angevin", "en")
    assert ("WHY IT TURNED OUT THIS WAY -------------------------- - Your side drew the battle of Trowbridge against "
            "Earl Robert's host (A-ROB) and Bohun's men (A-BOH). Losses of your side: 2 killed; the enemy's: 1 killed, "
            "1 wounded.") in royal
    assert ("Your side lost the battle of Brightwell against Miles of Gloucester's men (A-MIL) and Brian "
            "FitzCount's men (A-BRI). Losses of your side: 4 killed, 1 wounded, 3 captured;") in royal
    assert "Your side won the battle of Brightwell against the Blockade of Wallingford (A-BLK)." in angevin
    assert ("Your side beat the people of Calne and sacked it. Losses of your side: 1 killed, 1 wounded; the enemy's: "
            "none.") in angevin
    assert "Your side took Calne" not in angevin
    assert "the enemy's: 4 killed, 1 wounded, 3 captured." in angevin
    assert "allies" not in royal + angevin


def test_an_ally_who_did_not_fight_reads_who_of_its_side_did(fourth: tuple[Campaign, Campaign]) -> None:
    """A second club of the Empress's party, which has Bohun's men only, did not fight at Brightwell and Calne."""
    before, after = (campaign.copy() for campaign in fourth)
    for campaign in (before, after):
        campaign.table(Faction).add(Faction(faction="hereford", name_en="Hereford", side="angevin"))
        campaign.table(Army)["A-BOH"].faction = "hereford"
    told = report((before, after), "hereford", "en")
    fought = report((before, after), "angevin", "it")

    assert ("Your allies fought it without you: Miles of Gloucester's men (A-MIL), Brian FitzCount's men "
            "(A-BRI).") in told
    assert "Your side drew the battle of Trowbridge against William of Ypres's company (A-YPR)" in told
    assert "i tuoi alleati" not in fought


@pytest.mark.parametrize(("lang", "sentences"), [
    ("en", ("the Flemings of Ypres (M-FL1), and nobody wins. Time ran out after 12 turns.",
            "beat the Blockade of Wallingford (A-BLK) and hold the field. The defenders fled after 9 turns.",
            "3 prisoners are taken by the Empress's party at Brightwell (2105).",
            "Losses, nobles included, of Talbot's riders (A-TAL): 1 wounded, 2 captured. 4 got away unhurt. "
            "The Empress's party chose to refuse battle. The King's party holds the captives. (15.5)",
            "Talbot's riders (A-TAL) at Wanborough (1307). Who is met: K6. Who comes: K3 S4 B2 L3.",
            "Miles of Gloucester's men (A-MIL) attack the Blockade of Wallingford (A-BLK) at Brightwell (2105).",
            "William of Ypres's company (A-YPR) stands by the King.",
            "Robert FitzHubert is taken prisoner by the King's party.",
            "The Dorchester carriers (C-DOR) fall into the hands of Miles of Gloucester's men (A-MIL).",
            "K knights, D dismounted knights, S foot, B bowmen, L light foot, P peasants.")),
    pytest.param("it", ("la Compagnia fiamminga (M-FL1), e nessuno vince. Tempo scaduto dopo 12 turni.",
            "battono il Blocco di Wallingford (A-BLK) e tengono il campo. I difensori sono fuggiti dopo 9 turni.",
            "hanno battuto la gente di Calne e hanno saccheggiato tutto.",
            "Perdite, nobili compresi: Cavalleria di Talbot (A-TAL): 1 ferito, 2 prigionieri. 4 sono illesi. "
            "Il Partito dell'Imperatrice ha scelto di rifiutare la battaglia. I prigionieri sono in mano al Partito "
            "del re. (15.5)",
            "La Compagnia di Ypres (A-YPR) sta dalla parte del re.",
            "Il Castello di Malmesbury si arrende al Partito del re: i difensori sono tutti prigionieri.",
            "3 prigionieri cadono in mano al Partito dell'Imperatrice a Brightwell (2105).",
            "Il Convoglio di Dorchester (C-DOR) cade in mano alla Schiera di Miles (A-MIL).",
            "Calne è saccheggiata: 8 punti di bottino.",
            "K cavalieri, D cavalieri appiedati, S fanti armati, B arcieri, L fanti leggeri, P contadini."),
     marks=pytest.mark.slow),
])
def test_battles_are_told_in_sentences(fourth: tuple[Campaign, Campaign], lang: str,
                                       sentences: tuple[str, ...]) -> None:
    """Public news of battles, what was taken, and what the letters mean that remain."""
    told = report(fourth, "royal", lang)
    assert [sentence for sentence in sentences if sentence not in told] == []


@pytest.mark.slow
def test_tables_show_names_and_the_codes_that_orders_need(fourth: tuple[Campaign, Campaign]) -> None:
    """A group by name and code, its commander and his castle by name."""
    told = report(fourth, "royal", "it")
    assert "Compagnia di Ypres (A-YPR) Bradford-on-Avon (0311) Guglielmo di Ypres 9 24" in told
    assert "Roberto d'Oilly 5 Castello di Oxford libero" in told


def test_who_did_not_fight_reads_of_no_battle_of_its_own(fourth: tuple[Campaign, Campaign]) -> None:
    """The neutrals had no part in any of the three."""
    book, (before, after) = anarchy(), fourth
    view = book.view(after, "neutral")
    reader = Reader.of(book, view, "neutral", named_wording(book, after, "en"), previous=book.view(before, "neutral"))
    said: list[Said] = book.outcomes(reader.view, "neutral", reader.period.events)
    assert said == []


def test_objectives_garrisons_and_what_was_seen_are_told_in_words(fourth: tuple[Campaign, Campaign]) -> None:
    """What an objective is worth and how long it has; a castle without men; a group that was seen by its name."""
    royal, angevin = report(fourth, "royal", "en"), report(fourth, "angevin", "en")
    assert ("Malmesbury Castle is the King's on the last day: 3 of 3 points as things stand; 10 days left with today."
            in royal)
    assert ("Trowbridge Castle is the King's on the last day: not at present, 0 of 4 points; 10 days left with today."
            in royal)
    assert "Malmesbury Castle has no defenders and needs 5: " in royal
    assert "4 Count of Meulan's men (A-MEU) Wanborough (1307) 13 K3 S4 B2 L3" in angevin


@pytest.mark.parametrize(("lang", "figure"), [
    ("en", "Groups short of food for their next meal: 3"), ("it", "Gruppi senza cibo per il prossimo pasto: 3")])
def test_the_figure_of_hunger_counts_the_groups_that_are_named(fourth: tuple[Campaign, Campaign], lang: str,
                                                               figure: str) -> None:
    """Three groups of the King's find too little where they are, each named among the duties."""
    told = report(fourth, "royal", lang)
    owed = told.split("CHE COSA DEVI" if lang == "it" else "WHAT YOU OWE")[1].split("IN CINQUE" if lang == "it" else
                                                                                    "IN FIVE")[0]
    assert figure in told
    assert all(code in owed for code in ("A-CHE", "A-MEU", "A-STE"))


def test_food_is_owed_for_a_day_and_what_is_there_is_named(fourth: tuple[Campaign, Campaign]) -> None:
    """On the morning of day 5 groups eat before they march: Miles takes the last point on his and Brian's hex."""
    told = report(fourth, "angevin", "en")
    assert ("Brian FitzCount's men (A-BRI) need 1 more point of food for day 5; on the spot: nothing more.") in told
    assert ("The Marshal's men (A-MAR) need 1 more point of food for day 5; on the spot: nothing. Short of food for 1 "
            "day so far.") in told
    assert "Food for day" not in told


@pytest.mark.parametrize(("phase", "day"), [("provisions", "3"), ("movement", "4")])
def test_the_next_meal_is_this_mornings_or_tomorrows(phase: str, day: str) -> None:
    """8.4: groups have eaten when they march on day 3."""
    view = anarchy().view(build(phase, armies="A1 r 0605 S12 noble=N1:5:8"), "royal")
    first, *last = (Wording(anarchy(), "en").sentence(said.text, said.data) for said in anarchy().dues(view, "royal"))
    assert f"for day {day}; on the spot: nothing." in first
    assert [text.partition(",")[0] for text in last] == (
        ["Food for day 4 is had where a group ends day 3"] if day == "4" else [])


def test_booty_and_a_siege_lifted_stand_among_the_reasons(fourth: tuple[Campaign, Campaign]) -> None:
    """A convoy lost or won in a battle stands with it; both sides read whose siege is over."""
    for faction in ("royal", "angevin"):
        why = report(fourth, faction, "en").split("WHY IT TURNED OUT")[1].split("AT A GLANCE")[0]
        assert "The winner's booty: Dorchester carriers (C-DOR)." in why
        assert "The King's party has nobody left before Trowbridge Castle: the siege is lifted." in why
    assert anarchy().events["siege_lifted"].theme == "siege"  # no place changes hands by it


def test_an_enemy_garrison_on_a_groups_hex_is_near(fourth: tuple[Campaign, Campaign]) -> None:
    """The counter-castle of Brightwell is held; castles where no group stands are not told of."""
    assert "the garrison of Brightwell counter-castle at Brightwell (2105)" in report(fourth, "angevin", "en")
    assert "the garrison of" not in report(fourth, "royal", "en").split("Where the enemy is")[1]


@pytest.mark.parametrize(("row", "en", "it"), [
    ({"captor": "royal", "dismounted": 2}, "the captives that the King took on day 4",
     "i prigionieri presi dal re il giorno 4"),
    ({"captor": "angevin", "foot": 6}, "the captives that the Empress took on day 4",
     "i prigionieri presi dall'imperatrice il giorno 4"),
    ({}, "the captives of day 4", "i prigionieri presi il giorno 4"),
])
def test_captives_are_called_by_who_took_them_and_when(row: dict[str, Any], en: str, it: str) -> None:
    """15.8: they are not counted, for a sentence may tell of a day when there were more; what a view hides is not
    said.
    """
    captives = Prisoners(prisoners="P1", taken_on=4, **row)
    assert [captives.name_in(lang) for lang in ("en", "it")] == [en, it]


def test_settings_are_told_in_italian_word_by_word() -> None:
    """14.2: a second setting behind the first loses nothing; a word that nobody knows stays as it is."""
    assert Settings().in_words("on_meeting=attack joins=yes", build("movement"), "it") == (
        "incontro=attacca si_aggiunge=si")
    assert choice_word("no such word") == "no such word"


def test_only_goods_that_a_group_meets_where_it_stands_are_proposed(fourth: tuple[Campaign, Campaign]) -> None:
    """Food comes from convoys; convoys and trains can be taken, but no group, none of the own side and none that is
    elsewhere: the day would refuse that.
    """
    told = report(fourth, "royal", "en")
    assert re.search("(BUY|TAKE) A-", told) is None
    assert "on-meeting=attack" in told
    assert "on_meeting" not in told

    book, here = anarchy(), fourth[1].copy()
    here.by_sheet("Convoys")["C-REA"].node = here.by_sheet("Armies")["A-BLK"].node
    offered = book.legal_orders(book.view(here, "royal"), "royal", verbs=("BUY", "TAKE"), limit=9)
    assert {(order.verb, order.unit, order.fields["target"]) for order in offered} == {
        ("BUY", "A-BLK", "C-REA"), ("TAKE", "A-BLK", "C-REA")}


def test_a_group_that_the_rules_have_made_is_called_what_it_is() -> None:
    """An escort and a garrison that marched out have no name of their own; one that a club gives counts."""
    assert [Army(army="A-MEU-esc2").name_in(lang) for lang in ("en", "it")] == ["escort", "scorta"]
    assert Army(army="malmesbury-castle-out").name_in("it") == "presidio"
    assert Army(army="A-MEU-esc2", name="Meulan's spears").name_in("it") == "Meulan's spears"
    assert Army(army="A-STE").name_in("en") == ""
