"""A report that is read without the rulebook: causes, duties and what may be done are told where they stand."""

from __future__ import annotations

import re

import pytest

from assistant.reporting.pages import ReportPage
from assistant.reporting.render import render_text
from assistant.turn.rulebooks import load
from tests.reporting.played import SCENARIOS, at, reports

pytestmark = pytest.mark.slow  # a whole demo of each rulebook is played for it


def page(book: str, when: str, reader: str, lang: str = "en", *, whole: bool = False) -> ReportPage:
    """The page of a faction since its last orders, or since the beginning (`whole`)."""
    return reports(book, at(book, when), (reader,), lang, whole=whole)[0].page


def text(book: str, when: str, reader: str, lang: str = "en", *, whole: bool = False) -> str:
    """The same as text, each run of blanks and line ends as one blank."""
    return re.sub(r"\s+", " ", render_text(page(book, when, reader, lang, whole=whole)))


# --- without orders ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("book", SCENARIOS)
def test_each_phase_with_orders_says_what_holds_for_who_sends_none(book: str) -> None:
    """In both languages, at the phase."""
    ruleset = load(book)
    phases = [phase for phase in ruleset.calendar.phases().values() if phase.orders]

    assert phases
    assert all(phase.unsent in ruleset.translations.texts for phase in phases)


@pytest.mark.parametrize(("book", "when", "reader", "lang", "told"), [
    ("warriors", "5.weather", "dwarfs", "en", "A Force without any stays where it is with the order that it has"),
    ("incursio", "4.initiative", "esdef", "it", "Gli ordini valgono per tutto il giorno, chiunque sia il primo."),
    ("anarchy", "6.provisions", "angevin", "en", "One sheet of orders is for the whole day."),
    ("bloodlust", "987Fa.recruit", "BAT", "it", "i tiri che restano scadono in autunno")])
def test_the_head_says_so_for_the_phase_that_orders_are_for(book: str, when: str, reader: str, lang: str,
                                                            told: str) -> None:
    """Also where a phase without orders comes first."""
    assert told in " ".join(page(book, when, reader, lang).band.lines)


# --- causes -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("lang", "told"), [
    ("en", "Crow Crag (H03) falls to the Holds of Durnhold. There was no battle: no Force of who held it stood there."),
    ("it", "Non c'è stata battaglia: sul posto non c'era nessuna Forza di chi teneva il luogo.")])
def test_a_place_that_fell_without_a_battle_says_that_nobody_was_there(lang: str, told: str) -> None:
    """The Dwarfs took Crow Crag by marching in."""
    assert any(told in one.text for one in page("warriors", "5.weather", "dwarfs", lang).reasons.items)


def test_an_enemy_of_neither_side_reads_no_cause_of_it() -> None:
    """Naharet has no part in Crow Crag."""
    assert "no Force of who held it" not in text("warriors", "5.weather", "undead")


def test_a_siege_that_was_given_up_says_that_its_army_went_back() -> None:
    """Florence before Siena, when Spain came; Venice reads nothing of it among its reasons."""
    told = [one.text for one in page("giglio", "1501.income", "F", whole=True).reasons.items]

    assert "Florence (F-2) had gone back to Florence (F0) before an enemy." in " ".join(told)
    assert "Siena" not in " ".join(one.text for one in page("giglio", "1501.income", "V", whole=True).reasons.items)


def test_a_nation_that_the_rules_play_collapses_by_a_throw_that_is_told() -> None:
    """Gadhar's will is public: its dice and what they needed."""
    reasons = [one.text for one in page("bloodlust", "987Fa.recruit", "BAT", "it").reasons.items]
    told = next(one for one in reasons if "crolla" in one)

    assert "Per ogni dado serviva 1 o meno (battaglia persa −1, province perse −1, scosso −1), dadi 4 e 3" in told


def test_who_has_gone_again_is_no_line_of_the_five() -> None:
    """Gadhar went towards Kassanga, was met on the frontier and is now elsewhere."""
    told = page("bloodlust", "987Fa.recruit", "BAT", "it")

    assert not any("Tamburi" in line.text for line in told.brief.lines.items)
    assert "vanno da Tuwele (G4) verso Kassanga (G5)" in text("bloodlust", "987Fa.recruit", "BAT", "it")


def test_demons_of_a_portal_are_not_near_when_they_have_gone_home() -> None:
    """Those of day 2 at the Three Mills went home that evening; those who took Collegrano stay."""
    told = page("incursio", "4.initiative", "esdef", "it").brief.lines.items[-1].text

    assert "Collegrano (9), accanto a Tre Mulini (10)" in told
    assert "giorno 2" not in told


def test_demons_of_a_portal_are_near_on_the_day_on_which_they_fight() -> None:
    """They come out on the evening before."""
    assert "Tre Mulini (10)" in text("incursio", "2.initiative", "esdef", "it").partition("PERCHÉ")[0]


# --- orders and answers -----------------------------------------------------------------------------------
@pytest.mark.parametrize(("lang", "told"), [("en", "Accepted, but not carried out: 1."),
                                            ("it", "Accettati, ma non eseguiti: 1.")])
def test_an_order_that_was_declined_is_not_counted_as_carried_out(lang: str, told: str) -> None:
    """Vaelis said no; the answer stands there as well, by the order's number."""
    summary = page("incursio", "4.initiative", "esdef", lang).orders
    assert summary is not None
    assert summary.summary.endswith(told)
    assert re.search(r"D3-10: no\b", summary.answers)


def test_answers_of_one_kind_stand_together() -> None:
    """What Florence paid for bribes before Pisa, round by round."""
    summary = page("giglio", "1501.income", "F", "it", whole=True).orders
    assert summary is not None
    assert "corruzione Pisa (N1): 0, 0, 25, 50" in summary.answers


@pytest.mark.parametrize(("lang", "line"), [("en", "#D1 move L04"), ("it", "#D1 muovi L04")])
def test_the_form_offers_each_force_a_march_that_nothing_is_said_against(lang: str, line: str) -> None:
    """Without the square where it stands; a Force on defend has none."""
    form = page("warriors", "5.weather", "dwarfs", lang).template

    assert line in form
    assert not any(re.match(r"#D3 (move|muovi)", each) for each in form)


# --- duties, figures, legends -----------------------------------------------------------------------------
@pytest.mark.parametrize(("lang", "told"), [
    ("en", ("Brightwell counter-castle has no defenders and needs 5: put men in from a group on its hex (GARRISON), or "
            "it takes those of the lowest ranks by itself.", "It eats of the places and convoys where it ends the day",
            "After 2 days a group starves", "Under 10 heads it needs nothing", "13 hexes away",
            "9 days left with today")),
    ("it", ("mettici uomini di un gruppo nel suo esagono (GUARNIGIONE)", "Dopo 2 giorni il gruppo è allo stremo",
            "a 13 esagoni", "restano 9 giorni con oggi"))])
def test_a_duty_says_how_it_is_met_and_what_comes_otherwise(lang: str, told: tuple[str, ...]) -> None:
    """Garrisons, hunger, the way that is left."""
    shown = text("anarchy", "6.provisions", "angevin", lang)

    assert [one for one in told if one not in shown] == []


def test_what_a_siege_costs_stands_at_its_own_place() -> None:
    """The armies before Pisa and Siena are not told together."""
    shown = text("giglio", "1501.income", "F", "it", whole=True)

    assert "Siena (S12): l'assedio costa all'armata di Firenze (F-2) 10 ducati." in shown
    assert "Lo stesso vale per: l'armata di Firenze (F-2)" not in shown


@pytest.mark.parametrize(("lang", "told"), [
    ("en", ("The walls of Pisa (N1) are repaired.", "until the end of this year", "by a ban (sheet Bans)", "May I")),
    ("it", ("Le mura di Pisa (N1) sono riparate.", "fino alla fine dell'anno", "per un divieto (foglio Divieti)",
            "maggio I"))])
def test_italy_in_a_year_says_repaired_and_when(lang: str, told: tuple[str, ...]) -> None:
    """Months by name; what is repaired is not called fortified."""
    shown = text("giglio", "1501.income", "F", lang, whole=True)

    assert [one for one in told if one not in shown] == []


def test_a_nation_reads_whom_it_borders_on_what_points_are_and_what_a_weapon_does() -> None:
    """War may not be made on Gadhar, for the peace that was imposed."""
    shown = text("bloodlust", "987Fa.recruit", "BAT", "it")

    assert ("Confini con: Derigion, Gadhar e Hysnaton. Per ora puoi muovere guerra a: Derigion e Hysnaton. La prossima "
            "volta: 987, autunno, Chi va in guerra." in shown)
    assert "Punti: 3 per provincia, 5 per capitale straniera" in shown
    assert "CHE COSA FANNO LE LORO ARMI" in shown


@pytest.mark.parametrize(("lang", "told"), [
    ("en", ("Confused, it begins a battle disorganised", "it is watched, an enemy Force stands in it or beside it",
            "Score: battles won less those lost", "Counter march: it steps back without a battle")),
    ("it", ("Confusa, inizia una battaglia disorganizzata", "una Forza nemica è lì o accanto",
            "Punteggio: battaglie vinte meno quelle perse"))])
def test_words_of_the_borderlands_have_half_a_sentence(lang: str, told: tuple[str, ...]) -> None:
    """Reactions, watched places, the score, the counter-march."""
    shown = text("warriors", "5.weather", "dwarfs", lang)

    assert [one for one in told if one not in shown] == []


@pytest.mark.parametrize(("lang", "told"), [("en", "The Peaks −2 −2 none yes"), ("it", "Le Cime −2 −2 nessuno sì")])
def test_what_the_weather_does_stands_there_until_a_new_one_is_thrown(lang: str, told: str) -> None:
    """Where the reader's Forces stand, and no longer in the phase that throws it anew."""
    assert told in text("warriors", "5.orders", "dwarfs", lang)
    assert "The weather where they are".upper() not in text("warriors", "5.weather", "dwarfs")


def test_a_code_in_the_form_that_is_made_of_two_is_put_into_words() -> None:
    """Where Florence may meet whom."""
    form = " ".join(line.removeprefix("# ") for line in page("giglio", "1500.r2.siege", "F", "it", whole=True).template)

    assert "N1/CH: Pisa (N1)/Svizzera" in form
    assert "S12: Siena" not in form


@pytest.mark.parametrize(("reader", "told"), [("dwarfs", ", allied with the March of Aldermoor. Your score is"),
                                              ("orcs", "the March of Aldermoor. Your score is")])
def test_who_has_allies_reads_so_at_the_top(reader: str, told: str) -> None:
    """The Dwarfs and Aldermoor; the Red Maw and Naharet are only at peace."""
    shown = text("warriors", "5.weather", reader)

    assert told in shown
    assert ("allied with" in shown.partition("Your score")[0]) == (reader == "dwarfs")
