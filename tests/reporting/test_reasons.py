"""Why it turned out this way: what decided, by how much, how likely it was; nothing hidden from the reader."""

from __future__ import annotations

import re

import pytest

from assistant.campaign.records import Event
from assistant.desk.workspace.workspace import factions_with_reports
from assistant.post.letters import MOST_CHARACTERS, render_chat
from assistant.reporting.build import build_page, build_referee
from assistant.reporting.pages import ReportPage
from assistant.reporting.render import render_text
from assistant.turn.orders.reader import read_notation
from assistant.turn.orders.verbs import as_order_book, order_line
from assistant.turn.phases import without_superseded
from assistant.wording import Wording, named_wording
from tests.reporting.played import LAST, at, moment, reports, states

CODE = re.compile(r"\bB\d+\.\w+\.\w+\b|(?<!-)\bB\d+-\d+\b(?!-)|\b\d{3}(?:Sp|Su|Fa|Wi)-\d+\b|\b\d+[EV]-\d+-\d+-\d+\b")
"""A bare code of a battle in any rulebook; not a part of the code of a report, ``EF9B-B348-6831``."""


def page(book: str, when: str, reader: str, lang: str = "en") -> ReportPage:
    """The page of a faction since its last orders."""
    return reports(book, at(book, when), (reader,), lang)[0].page


def reasons(book: str, when: str, reader: str, lang: str = "en") -> str:
    """All reasons of a page, one a line."""
    return "\n".join(one.text for one in page(book, when, reader, lang).reasons.items)


def test_a_siege_says_what_it_needed_by_how_much_it_missed_and_how_likely_it_was() -> None:
    """Needed 7, came to 2: each modifier by its name, five short, and no throw would have done."""
    assert reasons("giglio", "1500.r3.move", "FR") == (
        "France besieges Alessandria (M7): the place holds. Needed 7, threw 4; with full rounds besieging +1, "
        "besieger's sapper +1, garrison −2, defender's sapper −1, walls −1 it comes to 2, 5 short; no throw could "
        "have done it.")


@pytest.mark.parametrize(("reader", "lang", "told"), [
    ("HRI", "en", "Venice takes Treviso (V1) from the Holy Roman Empire, whose army gave way there: the place has "
     "neither walls nor garrison."),
    ("V", "it", "Venezia toglie Treviso (V1) al Sacro Romano Impero, la cui armata ha ceduto il campo: il luogo non ha "
     "né mura né guarnigione.")])
def test_a_place_that_falls_without_a_siege_has_its_reason_too(reader: str, lang: str, told: str) -> None:
    """Treviso was open, and the army before it had retreated: both who lost it and who took it read so."""
    assert told in reasons("giglio", "1500.r6.move", reader, lang).split("\n")


def test_a_place_that_fell_to_a_siege_has_one_reason() -> None:
    """Alessandria's is the throw; that the place was taken is not told beside it."""
    told = [line for line in reasons("giglio", "1500.r6.move", "M").split("\n") if "Alessandria" in line]
    assert len(told) == 1
    assert "the place falls" in told[0]


def test_a_battle_of_il_giglio_names_both_sides_their_strength_as_known_and_the_chance() -> None:
    """Venice knows its own ducats and both throws of the umpire."""
    told = reasons("giglio", "1500.r4.siege", "V")

    assert told.startswith("The battle of Verona: Venice beats the Holy Roman Empire and holds the field. "
                           "Strength: Venice 310; Holy Roman Empire not known. Umpire's dice: Venice 10, Holy Roman "
                           "Empire 2.")
    assert "Venice had a chance of 44%, the Holy Roman Empire of 44%; a tie 11%." in told
    assert told.count("loses 31 ducats") == 1


def test_a_throw_without_modifiers_says_no_more_than_both_numbers_and_the_chance() -> None:
    """By how much it missed is plain."""
    assert ("Your assassin failed against the army of Florence (F-1). Needed 5, threw 1; chance of the throw: 33%."
            in reasons("giglio", "1500.r4.siege", "P").split("\n"))


def test_in_italian_no_english_is_left() -> None:
    """The same reason to an Italian reader."""
    assert reasons("giglio", "1500.r4.siege", "V", "it").startswith(
        "La battaglia di Verona: Venezia batte il Sacro Romano Impero e tiene il campo. Forze: Venezia 310; "
        "Sacro Romano Impero non si sa.")


def test_an_enemy_next_door_is_the_last_of_the_five_lines() -> None:
    """Who stands within two steps of what is the reader's is a threat; before the first war there is none."""
    threatened, quiet = page("giglio", "1500.r5.move", "V"), page("giglio", "1500.r1.move", "V")

    assert threatened.brief.lines.items[-1].text.startswith("The enemy is near, in 3 places: ")
    assert not any(line.text.startswith("The enemy is near") for line in quiet.brief.lines.items)


def test_the_enemies_of_one_place_are_named_together_and_all_that_are_counted_stand_in_the_tables() -> None:
    """Those beside a place of one's own first; who stands before a garrison alone is not where the reader is too."""
    france, venice = page("giglio", "1500.winter", "FR"), page("giglio", "1500.winter", "V")
    threat, all_near = venice.brief.lines.items[-1].text, venice.sightings[0].empty

    assert france.brief.lines.items[-1].text == (
        "The enemy is near, in 2 places: the army of Milan (M-2) at Pavia (M1), next to Alessandria (M7); the army of "
        "Milan (M-1) and the army of Milan (M-3) at Milan (M0), 2 steps from Alessandria (M7).")
    assert threat.startswith("The enemy is near, in 5 places: the army of the Papal State (P-1) at Rovigo (V8), where "
                             "you are too; the army of the Holy Roman Empire (HRI-1) at Trent (HRI1), next to ")
    assert threat.endswith("; and 2 more places.")
    assert all_near.partition("Nearest to you now, as far as you know: ")[2].count("; ") == 4
    assert "at Zara (V4), which you hold" in page("giglio", "1500.r4.move", "V").sightings[0].empty


def test_a_place_lost_comes_first_and_the_fights_at_one_place_are_one_line() -> None:
    """With how the last of them ended and what all of them cost: a place that was won does not read as undecided."""
    defenders, raiders = ([line.text for line in page("incursio", "4.final_moves", side).brief.lines.items]
                          for side in ("esdef", "varannah"))

    assert [text.partition(":")[0] for text in defenders[:3]] == [
        "The battle of Tre Mulini", "The battle of Fornace", "The battle of Mirtaia"]
    assert raiders[1] == (
        "The battle of Tre Mulini: you attack from Collegrano (9) with 1 trooper and 1 assailant and meet 1 archer: "
        "the place is yours. Your losses: none; enemies killed: 1. It was the latest of 2 fights there. Your losses in "
        "all: 1. Enemies killed in all: 1.")
    assert raiders[2].endswith(" And one more fight elsewhere.")


def test_a_march_on_a_place_of_ones_own_that_turned_back_is_told_before_what_happened_elsewhere() -> None:
    """Venice reads that the army before its capital went back; of Verona its battle is told already."""
    told = [line.text for line in page("giglio", "1500.r5.move", "V").brief.lines.items]

    assert "The army of the Holy Roman Empire (HRI-2) goes back from Venice (V0) to Treviso (V1)." in told


@pytest.mark.slow
@pytest.mark.parametrize(("book", "when", "reader", "told"), [
    ("anarchy", "5.provisions", "royal", "Your side lost the battle of Brightwell against Miles of "
     "Gloucester's men (A-MIL) and Brian FitzCount's men (A-BRI)."),
    ("anarchy", "5.provisions", "royal",
     "12 men of yours against at least 18. The winner's booty: Dorchester carriers (C-DOR). The defenders fled after 9 "
     "turns."),
    ("anarchy", "1.close", "royal", "William de Chesney's men (A-CHE) stand by the King. It came to 7: level of "
     "loyalty 6, prestige +1; with 1 point less: neutral."),
    ("incursio", "3.first_move", "esdef", "The battle of Mirtaia: you attack from Borgo Vaikra (25) with 2 foot "
     "soldiers, 1 archer and 1 rider and meet 1 trooper, 1 assailant and 1 destroyer: nothing is decided, and the "
     "attackers are back where they came from. Your losses: none; enemies killed: 2. Duels in which your total "
     "was the higher: 2 of 3. Foot soldier 4 against trooper 4; archer 5 against "
     "assailant 2; foot soldier 6 against destroyer 4."),
    ("warriors", "3.orders", "orcs", "The battle of Longbridge: the March of Aldermoor beats the Horde of the Red Maw "
     "and holds the field. The Horde of the Red Maw attacked. It was fought out at the gaming table. Your figures: "
     "26; killed or fled in rout: 14. The enemy's killed or fled: 10. Yours that left by order: 12. Crow Clan (O3) has "
     "lost 14 figures for good: 4 dead, 10 deserted. Wounded: 4, back in turn 4. Of 18 that fled in rout or left by "
     "order 10 deserted: each needed 4 or more to come back, by its die with what its quality adds and rout takes off. "
     "Exploration 1; the enemy explored better: an advantage of 3 (3 is the most)."),
    ("warriors", "3.orders", "orcs", "Krug Crow-eater, commander of Crow Clan (O3), fell and is dead: the throw to "
     "survive failed. Needed 4, threw 4; with enemy territory −1 it comes to 3, 1 short, 5 would "
     "have been enough; Krug Crow-eater had a chance of 33%."),
    ("bloodlust", "987Su.siege", "BAT", "You won the battle of Tuwele against Gadhar. You attacked. You lost "
     "none of your 15 units. The enemy has 5 of its 9 units left. It was fought out at the gaming table (ground: "
     "swamp). Hits on your units: 24. "
     "Attacker 15 units (6 mounted), defender 9 (1 mounted)."),
])
def test_each_rulebook_says_why(book: str, when: str, reader: str, told: str) -> None:
    """A battle or a test of each, in whole sentences."""
    assert told in reasons(book, when, reader)


@pytest.mark.slow
def test_hidden_modifiers_leave_neither_margin_nor_chance() -> None:
    """The sides see the dice of an unplayed battle bare, for modifiers say what the other's commander is worth: the
    reason gives no totals, and no byte of it depends on what the referee knows.
    """
    ruleset, made = states("warriors")
    now = made[at("warriors", "6.will")].copy()
    before = made[at("warriors", "6.weather")]

    def why(reader: str) -> str:
        words = Wording(ruleset, "en")
        view = ruleset.view(now, reader) if reader != "referee" else now
        old = ruleset.view(before, reader) if reader != "referee" else before
        built = build_referee(ruleset, view, words, previous=old) if reader == "referee" else build_page(
            ruleset, view, reader, words, previous=old)
        return "\n".join(one.text for one in built.reasons.items)

    shown, known = {side: why(side) for side in ("dwarfs", "undead")}, why("referee")
    assert "Dwarfs had a chance of" in known
    assert all("against 10" not in told and "%" not in told for told in shown.values())
    for event in now.table(Event):
        if event.event == "auto_result" and event.data.get("A") is not None:
            event.data = {**event.data, "A": 99, "D": 3}
            event.roll = {"rolls": [{**one, "modifiers": [["superiority", 9]], "total": 99}
                                    for one in event.roll["rolls"]]}
    assert {side: why(side) for side in shown} == shown
    assert why("referee") != known


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["it", "en"])
@pytest.mark.parametrize("book", LAST)
def test_battles_have_names_in_reports_gazettes_and_chats(book: str, lang: str) -> None:
    """A code of a battle stands in small print only: behind its reason, in a form, or as the key of a question."""
    _, made = states(book)
    clubs = tuple(factions_with_reports(made[0])[:1])
    for number in range(4, len(made), max(len(made) // 4, 1)):
        for built in reports(book, number, clubs, lang, public=True):
            shown = built.page
            texts = [line.text for group in (*shown.happened, *shown.news) for line in group.lines.items]
            texts += [line.text for card in shown.battles.items for line in card.lines]
            texts += [*(one.text for one in shown.reasons.items), *(one.text for one in shown.brief.lines.items),
                      *(one.text for one in shown.asked)]
            chat = render_chat(shown, built.chat)
            assert len(chat) <= MOST_CHARACTERS
            assert [text for text in (*texts, chat) if CODE.search(text)] == [], (moment(made[number]), built.stem)


def year_of_milan() -> ReportPage:
    """All of the year 1500 on one page."""
    ruleset, made = states("giglio")
    view = ruleset.view(without_superseded(made[-1]), "M")
    return build_page(ruleset, view, "M", named_wording(ruleset, view, "en"))


def test_what_was_lost_is_explained_before_what_others_tried_in_vain() -> None:
    """Both places that fell stand first, each with what it withstood later on, in order of time."""
    sieges = [one.text for one in year_of_milan().reasons.items if " besiege" in one.text]

    assert [text.split(".")[0] for text in sieges[:3]] == [
        "France besieges Alessandria (M7): the place falls (June)",
        "Milan besieges Alessandria (M7): the place holds (August)",
        "Savoy besieges Novara (M3): the place falls (September)"]
    assert sieges[0].endswith("; France had a chance of 50%.")
    assert all("the place holds" in text for text in sieges[3:])


def test_five_lines_tell_what_was_lost_and_not_what_befell_others() -> None:
    """A battle at a place, and the place itself, are two lines of it."""
    told = [line.text for line in year_of_milan().brief.lines.items]

    assert len(told) == 5
    assert all("Milan" in text for text in told), told
    assert {"The battle of Como: Milan beats the Swiss League and holds the field.",
            "The Swiss League marches into Como (M2), which has neither walls nor garrison, and takes it from Milan.",
            "Savoy takes Novara (M3) from Milan by siege."} <= {*told}


@pytest.mark.slow
def test_who_joined_one_battle_is_not_told_with_who_joined_another() -> None:
    """Bohun joined at Trowbridge, FitzCount at Brightwell; and a place that defends itself leaves no gap."""
    ruleset, made = states("anarchy")
    view = ruleset.view(without_superseded(made[at("anarchy", "5.provisions")]), "royal")
    page = render_text(build_page(ruleset, view, "royal", named_wording(ruleset, view, "en")))

    assert not re.search(r"Bohun's men[^.]*joins?[^.]*\. Likewise: Brian FitzCount", " ".join(page.split()))
    assert "against )" not in page


@pytest.mark.parametrize(("lang", "covers", "band"), [
    ("en", "This report tells of 1500, May II: marches, meetings and battles.", [
        "No date is set: the game goes on when the referee has everybody's orders.",
        "Write them on the sheet Ordini, or in the form below.",
        "First comes 1500, May II: sieges, which takes no orders. Whoever besieges a place rolls for its fall.",
        "Who sends nothing: armies stand still and sieges go on; a fleet in port stays, one at sea sails home."]),
    ("it", "Periodo: 1500, maggio II: spostamenti, incontri e battaglie.", [
        "Non c'è una data: si va avanti quando l'arbitro ha gli ordini di tutti.",
        "Scrivili nel foglio Ordini, o nel modulo qui sotto.",
        "Prima c'è la fase «1500, maggio II: assedi», che non chiede ordini. Chi assedia una piazza tira per farla "
        "cadere.",
        "Chi non manda nulla: le armate stanno ferme e gli assedi continuano; una flotta in porto resta, una in mare "
        "torna a casa."])])
def test_the_head_says_what_it_tells_of_what_it_waits_for_and_what_comes_first(lang: str, covers: str,
                                                                               band: list[str]) -> None:
    """What phases have in common stands once; where the referee sets no date, what is waited for stands instead."""
    built = page("giglio", "1500.r4.siege", "V", lang)

    assert built.covers == covers
    assert list(built.band.lines) == band


def test_armies_name_the_places_they_came_from() -> None:
    """A name with its code, no bare codes; a place that fell is not explained by its earlier sieges."""
    (armies, *_) = page("giglio", "1500.r4.siege", "V").tables

    assert armies.rows.items[-1][-1].text.endswith("Ravenna (V11), Chioggia (V9)")


@pytest.mark.slow
def test_a_gazette_has_no_empty_column_and_names_who_took_a_place() -> None:
    """The Anarchy's demo has no clubs; nobody but Calne defended Calne."""
    _, gazette = reports("anarchy", at("anarchy", "5.provisions"), ("royal",), "en", public=True)

    assert list(gazette.page.tables[0].headings) == ["Faction", "Code", "Places"]
    assert ("The battle of Calne: the Marshal's men (A-MAR) and the Flemish free company (M-FL2) beat Calne (0809) and "
            "hold the field. The defenders fled after 7 turns.") in [one.text for one in gazette.page.brief.lines.items]


@pytest.mark.slow
@pytest.mark.parametrize(("book", "lang", "fields", "line"), [
    ("giglio", "en", {"verb": "come_out", "unit": "V-1"}, "come out V-1"),
    ("bloodlust", "it", {"verb": "pay_first", "subject": "BAT-u1"}, "paga prima BAT-u1")])
def test_verbs_of_two_words_are_shown_with_a_blank_and_read_back(book: str, lang: str, fields: dict[str, str],
                                                                 line: str) -> None:
    """The sheet writes them with an underscore."""
    ruleset, made = states(book)
    orders = as_order_book(ruleset.verbs)

    assert order_line(orders, made[0], fields, lang) == line
    assert read_notation(orders, made[0], "V" if book == "giglio" else "BAT", line).fields == fields


@pytest.mark.slow
def test_a_legend_of_letters_stands_only_where_such_letters_stand() -> None:
    """After day 4 of The Anarchy losses by rank stand there; after the opening the Empress has read of none."""
    assert page("anarchy", "5.provisions", "angevin").legend.startswith("K knights")
    assert page("anarchy", "1.provisions", "angevin").legend == ""


@pytest.mark.slow
def test_nations_that_the_rules_play_are_named_and_what_they_did_is_told_with_its_reason() -> None:
    """Thunk makes war on Piorad: why, and that dice decide; its attack says so, too, and the gazette names all four."""
    assert ("Thunk makes war on Piorad, as its war check says. The rules play Thunk: the dice decide."
            in reasons("bloodlust", "987Su.invade", "PIO"))
    assert "Thunk attacked, played by the rules." in reasons("bloodlust", "987Su.siege", "PIO")
    _, gazette = reports("bloodlust", at("bloodlust", "987Su.siege"), ("PIO",), "en", public=True)
    assert [row[1].text for row in gazette.page.tables[0].rows.items if row[2].text == "played by the rules"] == [
        "ALW", "GAD", "HYS", "THU"]


def test_what_is_alike_is_one_line_that_says_once_what_it_came_to() -> None:
    """Own units by name, those of others by the code that is known of them; not *recover: recovered*."""
    text = " ".join(render_text(page("bloodlust", "987Su.close", "SEK")).split())
    assert "Furies (SEK-u1) recover. Likewise: Blade sisters (SEK-u4), " in text
    assert "Light lancers (SEK-u2) lose heart in the siege. Likewise: " in text
    assert "VOR-u2 stays steady in the siege. Likewise: VOR-u5, VOR-u8, " in text


def test_what_befell_one_nation_twice_is_two_lines_and_levies_that_went_home_get_no_orders() -> None:
    """The second check of a winter is called so, not *likewise: Piorad*; the levy of summer is no unit any more."""
    text = " ".join(render_text(page("bloodlust", "987Wi.envoys", "PIO")).split())
    assert "Will to fight of Piorad, second check of the winter" in text
    assert "Likewise: Piorad" not in text
    assert "PIO-a1" in text
    assert "PIO-l1" not in text


def test_the_top_says_what_comes_first_and_what_of_a_sheet_is_over() -> None:
    """A phase without orders says what happens in it; of a turn's sheet what may still be ordered."""
    built = page("warriors", "6.will", "men")

    assert "needs nothing of you. Factions that have suffered" in " ".join(built.band.lines)
    assert any(line.startswith("Of this sheet Orders … Movement are over; ") for line in built.band.lines)


def test_an_order_says_what_came_of_it_and_a_kind_of_order_why_it_has_no_example() -> None:
    """The event about the order's unit; the refusal that holds for all that was tried."""
    built = reports("warriors", len(states("warriors")[1]) // 2, ("dwarfs",), "en")[0].page

    assert built.orders is not None
    assert [one.reason for one in built.orders.remarks.items] == [
        "Stonegate Watch (D2) goes from I04 to Crow Crag (H03)."]
    assert "The same holds for all others." in "".join(one.why for one in built.orderable.items)
