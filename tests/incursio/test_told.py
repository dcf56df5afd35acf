"""What each side's report and chat group are told of a day, word for word."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Event, Rule
from assistant.pictures.map_scene import scene_of
from assistant.pictures.scene import alt_text
from assistant.reporting.build import build_page
from assistant.reporting.duties import quote_order
from assistant.rulesets.incursio import records
from assistant.rulesets.incursio.realm import Realm
from assistant.rulesets.incursio.reports import sightings
from assistant.rulesets.incursio.ruleset import INCURSIO
from assistant.turn.event_types import Said, TableOf
from assistant.turn.phases import resolve
from assistant.wording import Wording, named_wording
from tests.incursio.cases import Case, E, V
from tests.incursio.scenario import SECRET, days, esdef


def chat(campaign: Campaign, faction: str, lang: str = "it") -> list[str]:
    """The sentences for a chat group."""
    return INCURSIO.chat(INCURSIO.view(campaign, faction), faction, named_wording(INCURSIO, campaign, lang).text)


def outcomes(case: Case, faction: str, lang: str = "it") -> list[str]:
    """What a report says of the phase that was played."""
    view, words = INCURSIO.view(case.campaign, faction), named_wording(INCURSIO, case.campaign, lang)
    return [words.text(said.text, **said.data) for said in INCURSIO.outcomes(view, faction, case.last.events)]


@pytest.fixture(scope="module")
def third_day() -> Campaign:
    """The demo after its third day."""
    return next(campaign for day, campaign, _ in days(esdef()) if day == 3)


def test_the_sample_of_the_book(third_day: Campaign) -> None:
    """8.7: day 3 of the demo, as the defenders' group reads it."""
    assert chat(third_day, E) == [
        "INCURSIO giorno 3 – Difensori di Esdef. Iniziativa: Incursori del Varannah.",
        "Battaglie: Mirtaia: si combatte ancora (persi 1, uccisi 0); Collegrano cade (persi 2, uccisi 0).",
        "Mappa: Mirtaia ora baluardo demoniaco.",
        "Casse 400 (+1.100); cantieri: Altaguardia (Miniera), Fornace (Abitazioni extra), Fornace (Mura).",
        "Visto: Bosco Vecchio vuota; intorno a Landa Brulla nessuno."]


def aims(campaign: Campaign, side: str) -> list[tuple[object, ...]]:
    """The objectives in a side's report."""
    (table,) = [table for table in INCURSIO.tables(INCURSIO.view(campaign, side), side) if table.title == "Objectives"]
    return [tuple(getattr(row, name) for name in table.fields) for row in table.rows]


def test_objectives_and_what_they_lack_stand_in_each_report(third_day: Campaign) -> None:
    """Now, what is missing, the days that are left with the one to come; of the raiders' resources only they know."""
    assert aims(third_day, E) == [
        (E, "Fortezze: almeno 1", 0, 1, 17), (E, "oppure insediamenti: almeno 5", 7, 0, 17),
        (V, "risorse: almeno 2.500", None, None, 17), (V, "insediamenti di Esdef: meno di 3", 7, 5, 17)]
    rich = third_day.copy()
    rich.by_sheet("Factions")[V].resources = 2400
    rich.by_sheet("Factions")[V].language = "en"
    assert aims(rich, E) == aims(third_day, E)
    assert aims(rich, V) == [
        (V, "resources: 2,500 or more", 2400, 100, 17), (V, "settlements of Esdef: fewer than 3", 7, 5, 17),
        (E, "Fortresses: 1 or more", 0, 1, 17), (E, "or settlements: 5 or more", 7, 0, 17)]


@pytest.mark.parametrize(("side", "lang", "near"), [
    (E, "en", "You are at war with the Raiders of the Varannah. Nearest to you now, as far as you know: "),
    (V, "it", "Sei in guerra con i Difensori di Esdef. Più vicini a te adesso, per quanto ne sai: ")])
def test_where_the_enemy_is_tells_whom_one_has_seen_nearest_and_when(third_day: Campaign, side: str, lang: str,
                                                                     near: str) -> None:
    """By the side's own sightings, in words, with the day; letters stand only in tables that say what they mean."""
    page = build_page(INCURSIO, INCURSIO.view(third_day, side), side, named_wording(INCURSIO, third_day, lang))
    where, seen = page.sightings
    assert where.empty.startswith(near)
    assert {"en": "(last seen on day ", "it": "(ultimo avvistamento: giorno "}[lang] in where.empty
    assert {"en": "F foot soldiers", "it": "F fanti"}[lang] in seen.note


@pytest.mark.parametrize("side", [E, V])
def test_the_fights_of_a_place_have_one_line(third_day: Campaign, side: str) -> None:
    """Two lines for three fights, and none is left to be counted; a place that the side fought for is not elsewhere."""
    before = next(campaign for day, campaign, _ in days(esdef()) if day == 2)
    page = build_page(INCURSIO, INCURSIO.view(third_day, side), side, named_wording(INCURSIO, third_day, "en"),
                      previous=INCURSIO.view(before, side))
    lines = page.brief.lines.items
    assert sorted("It was the latest of 2 fights there." in line.text for line in lines[:2]) == [False, True]
    assert not any(" more fight" in line.text for line in lines)
    assert not any(line.place.startswith("Elsewhere") for line in lines)


def test_days_without_end_and_a_campaign_that_is_over(third_day: Campaign) -> None:
    """With `play_on` what has no day of its own has no days left; when it is over nothing is lacking."""
    rules = third_day.copy()
    rules.table(Rule).add(Rule(key="play_on", value="yes"))
    assert [row[-1] for row in aims(rules, V)] == [None, None, 17, 17]
    over = third_day.copy()
    over.desk.phase = "over"
    assert not [table for table in INCURSIO.tables(INCURSIO.view(over, E), E) if table.title == "Objectives"]


def test_a_day_that_has_only_begun_tells_of_the_day_before(third_day: Campaign) -> None:
    """8.7: once it is known who is first tomorrow, today's battles are still told."""
    campaign = resolve(INCURSIO, third_day, SECRET).campaign
    lines = chat(campaign, "")
    assert lines[0].startswith("INCURSIO giorno 4. Iniziativa: ")
    assert lines[1:] == ["Il giorno 3 ha portato:", "Battaglie: Mirtaia: si combatte ancora; Collegrano cade.",
                         "Mappa: Mirtaia ora baluardo demoniaco."]


def test_the_raiders_and_everybody_read_their_own(third_day: Campaign) -> None:
    """8.7: own attacks first, resources and power; everybody reads outcomes and the map only."""
    assert chat(third_day, V, "en") == [
        "INCURSIO day 3 – Raiders of the Varannah. Initiative: Raiders of the Varannah.",
        "Battles: Collegrano falls (lost 0, killed 2); Mirtaia: the fight goes on (lost 0, killed 1).",
        "Map: Mirtaia now demon rampart.", "Resources 41 (+28); power 1.",
        "Seen: Borgo Vaikra enemies; Borgo Vaikra: 2=A, 4=A.", "Portals: Dorsale Nord, Landa Brulla."]
    assert chat(third_day, "", "en") == [
        "INCURSIO day 3. Initiative: Raiders of the Varannah.",
        "Battles: Mirtaia: the fight goes on; Collegrano falls.", "Map: Mirtaia now demon rampart."]


def test_portals_and_open_consents_stand_in_the_message() -> None:
    """8.7, lines 7 and 8."""
    case = Case("upkeep", "1-2", towns={1: 1}, soldiers={1: "F"}).set("Factions", E, coins=900)
    case.set("Players", "E2", name="Isaveth").set("Nodes", "1", name="Altaguardia")
    case.add(records.Observation(no=1, faction=E, node="2", kind="portal", what="6", seen_on=5))
    case.order("build 02 @1 (E2)", issuer="E1").play()
    (consent,) = case.last.questions
    assert [named_wording(INCURSIO, case.campaign, lang).question(consent) for lang in ("it", "en")] == [
        "Isaveth, il generale ti chiede: costruisci Abitazioni extra ad Altaguardia. Accetti?",
        "Isaveth, the general asks you: build Extra dwellings at Altaguardia. Do you accept?"]
    assert chat(case.campaign, E)[-2:] == ["Portali noti: 2.", "Rispondano: Isaveth."]
    assert not any("Isaveth" in line for line in chat(case.campaign, V))
    case.play(_5_upkeep_consent_esdef_o1="yes")
    assert chat(case.campaign, E)[-1] == "Portali noti: 2."
    assert chat(case.campaign, V)[-1] == "Portali: Altaguardia, 2."


@pytest.mark.parametrize(("towns", "said"), [(1, "Fine: vincono gli Incursori del Varannah."),
                                             (4, "Fine: tregua, non vince nessuno."),
                                             (5, "Fine: vincono i Difensori di Esdef.")])
def test_the_end_is_told_to_the_groups(towns: int, said: str) -> None:
    """Day 20 with one, four and five settlements."""
    cells = range(1, towns + 1)
    case = Case("arrivals", day=20, cells=5, towns=dict.fromkeys(cells, 1), soldiers=dict.fromkeys(cells, "F")).play()
    assert all(chat(case.campaign, reader)[1] == said for reader in (E, V, ""))


def test_the_score_is_told_to_all_when_it_is_over() -> None:
    """9: people and refugees against captives; before the end nobody reads the other side's."""
    case = Case("arrivals", day=20, cells=3, towns={1: 2, 2: 1, 3: 1}, soldiers=dict.fromkeys((1, 2, 3), "F"))
    case.set("Nodes", "1", refugees=25).set("Factions", V, resources=113)
    case.add(records.Objective(objective="a", faction=V, kind="resources_at_least", value=100))
    case.add(records.Objective(objective="b", faction=E, kind="settlements_at_least", value=3, joined_to="c"))
    case.add(records.Objective(objective="c", faction=E, kind="level_6_at_least", value=0, joined_to="b"))
    reach = {reader: [row["objectives in reach"] for row in INCURSIO.standings(INCURSIO.view(case.campaign, reader))]
             for reader in (E, V, "")}
    assert reach == {E: [1, 0], V: [1, 1], "": [1, 0]}
    case.play()
    for reader in (E, V, ""):
        rows = INCURSIO.ending(INCURSIO.view(case.campaign, reader)).rows
        assert {row["faction"]: row["score"] for row in rows} == {E: 100 + 25 + 25 + 25, V: 113}


def test_a_long_day_keeps_its_foremost_lines() -> None:
    """8.7: all five reports, in lines that are no longer than a chat shows."""
    case = Case("spying", "1-2", cells=9, towns={1: 1}, soldiers={1: "F"})
    for n in range(1, 10):
        case.set("Nodes", str(n), name=f"Valle dei sussurri eterni numero {n}")
    for n in range(2, 7):
        case.order(f"spy {n} (E{n})")
    lines = chat(case.play().campaign, E)
    assert [line.split(" ")[0] for line in lines] == ["INCURSIO", "Casse", "Visto:", "Valle"]
    assert [line.count("vuota") for line in lines[2:]] == [3, 2]
    assert max(map(len, lines)) <= 140


# --- how sightings age -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(("day", "first", "stale", "age"), [
    (1, V, 3, "fresh"), (2, V, 3, "dated"), (3, V, 3, "dated"), (4, V, 3, "old"), (3, V, 2, "old"),
    (3, E, 3, "dated,_the_order_may_have_changed"), (4, E, 3, "old,_the_order_may_have_changed")])
def test_x34_how_a_sighting_ages(day: int, first: str, stale: int, age: str) -> None:
    """8.3: position 3 = A of day 1; on day 2 Esdef was first or not, and a garrison may have been reordered."""
    case = Case("initiative", towns={1: 2}, day=day, first="", soldiers={1: "AFA"}, spy_stale_after=stale)
    if day > 1:
        case.add(records.Day(turn="2", first=first)) if day != 2 else case.set("Days", "2", first=first)
    case.add(records.Observation(no=1, faction=V, node="1", kind="garrison", position=3, what="A", seen_on=1))
    (row,) = sightings(Realm(INCURSIO.game(INCURSIO.view(case.campaign, V))), V)
    assert (row.what, row.seen_on, row.age) == ("3 = A", 1, age)


def test_only_garrisons_are_reordered() -> None:
    """8.3: a camp, and what Esdef has seen, only grows old."""
    case = Case("initiative", day=5, first="", demons={2: "Tr"}, ruins={3: 1}, cells=3).set("Nodes", "3", ruined_on=1)
    case.add(records.Day(turn="4", first=E))
    case.add(records.Observation(no=1, faction=V, node="1", kind="camp", position=1, what="A", seen_on=3))
    case.add(records.Observation(no=2, faction=E, node="2", kind="camp", position=1, what="Tr", seen_on=2))
    assert [sightings(Realm(INCURSIO.game(case.campaign)), side)[0].age for side in (V, E)] == ["dated", "old"]


def ages(campaign: Campaign, side: str = E) -> list[str]:
    """How old a side's sightings are."""
    return [row.age for row in sightings(Realm(INCURSIO.game(INCURSIO.view(campaign, side))), side)]


def foes_at(campaign: Campaign, side: str = E) -> list[str]:
    """Where a side's report puts the enemy."""
    return [node for node, _ in INCURSIO.foes_seen(INCURSIO.view(campaign, side), side)]


def test_who_was_seen_where_own_men_marched_unhindered_is_gone() -> None:
    """A place that own units have entered since holds no enemy; before that nobody knows."""
    case = Case("first_move", day=5, ruins={3: 1}, cells=3, soldiers={1: "/FF"}).set("Nodes", "3", ruined_on=1)
    case.add(records.Observation(no=1, faction=E, node="2", kind="camp", position=1, what="Tr", seen_on=3))
    assert (ages(case.campaign), foes_at(case.campaign)) == (["dated"], ["2"])
    case.order("move 1>2 F").play()
    assert (ages(case.campaign), foes_at(case.campaign)) == (["gone"], [])


@pytest.mark.parametrize(("kind", "seen_on", "ruined_on", "age"), [
    ("camp", 4, None, "gone"), ("camp", 5, None, "fresh"), ("enemies", 4, None, "dated"), ("enemies", 3, None, "gone"),
    ("camp", 4, 3, "dated"), ("camp", 3, 3, "gone")])
def test_demons_of_a_portal_are_gone_the_day_after_they_fought(kind: str, seen_on: int, ruined_on: int | None,
                                                               age: str) -> None:
    """Only demons of a ruin that stood the night before stay outside."""
    case = Case("upkeep", day=5, cells=3, ruins={} if ruined_on is None else {3: 1})
    if ruined_on is not None:
        case.set("Nodes", "3", ruined_on=ruined_on)
    case.add(records.Observation(no=1, faction=E, node="2", kind=kind, position=1 if kind == "camp" else None,
                                 what="Tr" if kind == "camp" else "", seen_on=seen_on))
    assert ages(case.campaign) == [age]
    assert bool(foes_at(case.campaign)) is (age != "gone")


@pytest.mark.parametrize(("purified", "age"), [(2, "gone"), (3, "dated")])
def test_demons_of_a_ruin_that_was_purified_may_still_be_outside(purified: int, age: str) -> None:
    """If it stood at least one night; a ruin made and purified on one day housed nobody."""
    case = Case("upkeep", day=5, cells=3)
    case.add(records.Observation(no=1, faction=E, node="2", kind="camp", position=1, what="Tr", seen_on=4))
    for no, (event, day) in enumerate((("settlement_fell", 2), ("ruin_purified", purified)), 1):
        case.add(Event(no=no, turn=str(day), audience="all", event=event, data={"node": 3}))
    assert ages(case.campaign) == [age]


# --- what a spy says ------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("line", "side", "dice", "said"), [
    ("spy 1 soldiers (V2)", V, {"amount": 1, "pick/1": 3},
     "V2 ha spiato 1. In guarnigione: arciere in posizione 3. Ce ne sono altri, non si sa quanti."),
    ("spy 1 soldiers (V2)", V, {"amount": 2, "pick/1": 1, "pick/2": 3},
     "V2 ha spiato 1. In guarnigione: arciere in posizione 1. Fuori: cavaliere in posizione 1. Ce ne sono altri, non "
     "si sa quanti."),
    ("spy 1 soldiers (V2)", V, {"amount": 4},
     "V2 ha spiato 1: guarnigione intera: 1 arciere, 1 fante e 1 arciere; fuori: 1 cavaliere."),
    ("spy 1 structures (V2)", V, {"amount": 2, "pick/1": 1, "pick/2": 2},
     "V2 ha spiato 1: strutture viste: Torre di guardia, Mura (non tutte)."),
    ("spy 1 structures (V2)", V, {"amount": 3}, "V2 ha spiato 1: strutture viste: "
     "Torre di guardia, Abitazioni extra, Mura (tutte)."),
    ("spy 2 (E2)", E, {"amount": 1, "pick/1": 2},
     "E2 ha spiato 2: distruttore in posizione 2. Ci sono altri demoni, non si sa quanti. Nessun portale."),
    ("spy 2 (E2)", E, {"amount": 6},
     "E2 ha visto tutti i demoni in 2: soldato demoniaco in posizione 1, distruttore in posizione 2. Nessun portale."),
])
def test_what_a_spy_reports(line: str, side: str, dice: dict[str, int], said: str) -> None:
    """8.2: garrison and camp by name, and whether that was all."""
    case = Case("spying", towns={1: 2}, ruins={2: 0}, soldiers={1: "AFA/C"}, demons={2: "TrDi"})
    for player in ("V2", "E2"):
        case.set("Players", player, name="")
    case.order(line, side).throw({f"spy/5/{line[-3:-1]}/{key}": die for key, die in {"success": 1, **dice}.items()})
    assert outcomes(case.play(), side) == [said]


def test_people_are_told_by_what_they_did_or_that_they_are_free() -> None:
    """1.2: one line a player, its mission by name."""
    case = Case("upkeep", towns={1: 1}, soldiers={1: "F"}).order("mission smuggling (E3)").play()
    (people,) = (table for table in INCURSIO.tables(INCURSIO.view(case.campaign, E), E) if table.title == "People")
    said = {row.player: (row.action, row.result) for row in people.rows}  # type: ignore[attr-defined]
    assert (said["Isaveth (E3)"], said["Ruderic (E2)"]) == (("missione contrabbando", "begun"), ("libero", ""))


def table(campaign: Campaign, title: str) -> TableOf:
    """A table of the defenders' report."""
    return next(table for table in INCURSIO.tables(INCURSIO.view(campaign, E), E) if table.title == title)


def shown(campaign: Campaign, title: str) -> tuple[list[tuple[object, ...]], str]:
    """Its rows, and the note below it in English."""
    found = table(campaign, title)
    assert isinstance(found.note, Said)
    return ([tuple(getattr(row, name) for name in found.fields) for row in found.rows],
            named_wording(INCURSIO, campaign, "en").text(found.note.text, **found.note.data))


def test_the_table_of_people_says_of_which_day_it_is_and_how_each_action_stands_now() -> None:
    """A mission or a work is begun as long as it goes on; then it says how it came out."""
    case = Case("upkeep", towns={1: 1}, soldiers={1: "F"}).set("Factions", E, coins=5000, language="en")
    case.order("mission watch @1 (E2)").order("build 03 @1 (E3)").order("mission smuggling (E4)").play()
    (rows, note), results = shown(case.campaign, "People"), {}
    free = "Each has one action a day and is free again on the next;"
    assert note == f"What they did on day 5. {free} today is day 5."
    assert [row[3] for row in rows] == ["", "begun", "begun", "begun", "", ""]
    later = case.campaign.copy()
    later.desk.turn = "6"
    for state, work in (("ended", "done"), ("failed", "lost")):
        for mission in later.table(records.Mission):
            mission.state = state
        for row in later.table(records.Work):
            row.state = work
        if state == "failed":
            later.table(records.Node)["1"].kind = "ruin"
        rows, note = shown(later, "People")
        results[state] = [row[3] for row in rows[1:4]]
    assert note == f"What they did on day 5. {free} today is day 6."
    assert results == {"ended": ["over", "finished", "succeeded"],
                       "failed": ["failed: the place fell", "lost", "failed"]}


def test_own_settlements_are_listed_and_what_can_be_paid_counts_the_missions_that_run() -> None:
    """Level, structures, garrison and its room; nothing is offered that tonight's coins do not pay."""
    case = Case("upkeep", towns={1: 1, 2: 2}, soldiers={1: "F", 2: "FA"}).set("Factions", E, coins=150, language="en")
    realm = Realm(INCURSIO.game(INCURSIO.view(case.campaign, E)))
    income = sum(realm.income().values())
    (first, second) = [tuple(getattr(row, name) for name in found.fields)
                       for found in [table(case.campaign, "Your settlements")] for row in found.rows]
    assert first == ("1", 1, "Watchtower, Extra dwellings", "1/1")
    assert second == ("2", 2, "Watchtower, Extra dwellings ×2, Walls", "2/3")
    case.add(records.Mission(day="4", player="E4", mission="smuggling", state="running"))
    rows, note = shown(case.campaign, "Structures that you can pay for")
    have = 150 + income + 200
    assert note.startswith(f"Coins for works in the next upkeep: {have}, of which 150 in hand, {income} of income, 200 "
                           "of missions. ")
    assert all(int(str(row[1])) <= have for row in rows)
    offered = [order.fields["structure"] for order in INCURSIO.legal_orders(
        INCURSIO.view(case.campaign, E), E) if order.verb == "build"]
    assert {realm.types[code].cost <= have for code in offered} == {True}


@pytest.mark.parametrize(("die", "came_to"), [(1, "succeeded"), (100, "failed")])
def test_the_table_of_people_says_whether_a_spy_succeeded(die: int, came_to: str) -> None:
    """8.2: a spy who only met enemies has failed."""
    case = Case("spying", towns={1: 1}, soldiers={1: "F"}).order("spy 1 soldiers (V2)", V)
    case.throw({"spy/5/V2/success": die}).play()
    (people,) = (table for table in INCURSIO.tables(INCURSIO.view(case.campaign, V), V) if table.title == "People")
    assert came_to in [row.result for row in people.rows]  # type: ignore[attr-defined]


def test_an_attack_that_finds_nobody_is_known_to_who_made_it() -> None:
    """8.4: it is no battle, and its code would tell where the demons came from."""
    case = Case("first_assault", day=3, first=V, demons={1: "Tr r3"}).order("attack 1>2 Tr", V).play()
    assert {reader: "3V-1-2-1" in INCURSIO.view(case.campaign, reader).table(records.Battle)
            for reader in (E, V, "")} == {E: False, V: True, "": False}


def test_numbers_of_sightings_do_not_tell_how_many_the_others_have() -> None:
    """5.6: the spied side learns nothing, not even by a gap."""
    case = Case("spying")
    for no, side in enumerate((V, E, V, V, E), 1):
        case.add(records.Observation(no=no, faction=side, node="1", kind="camp", position=no, what="F", seen_on=4))
    rows = INCURSIO.view(case.campaign, E).table(records.Observation)
    assert [(row.no, row.position) for row in rows] == [(1, 2), (2, 5)]


@pytest.mark.parametrize(("columns", "said"), [
    ({"verb": "MOVE", "node": "1", "to_node": "2", "units": "FA", "moment": "final"}, "muovi 1>2 FA finale"),
    ({"verb": "attacca", "node": "1", "to_node": "2", "units": "FA", "repeat": 2}, "attacca 1>2 FA x2"),
    ({"verb": "build", "node": "1", "structure": "21", "player": "E2", "issuer": "E1", "priority": 3},
     "costruisci 21 a 1 (E2)"), ({"verb": "fly", "node": "1", "to_node": "2"}, "fly 1 2")])
def test_a_report_quotes_an_order_as_a_line(columns: dict[str, Any], said: str) -> None:
    """Cells one after the other, E2 1 21 E1 3, would say nothing to who reads them."""
    assert quote_order(records.Order(order="a", faction=E, **columns), INCURSIO, "it") == said


def test_the_orders_card_of_the_raiders_is_theirs() -> None:
    """4.1: they neither build nor have garrisons, and must say what they spy."""
    words = named_wording(INCURSIO, Case("upkeep").campaign, "it")
    cards = INCURSIO.order_cards(Case("upkeep").campaign, "it", words.text, V)
    assert {card.verb: card.example for card in cards} == {
        "muovi": "", "attacca": "", "missione": "missione rapimento (V1)", "spia": "spia 1 soldati (V1)"}


@pytest.mark.parametrize(("lang", "example"), [("en", "mission smuggling (E1)"), ("it", "missione contrabbando (E1)")])
def test_an_example_names_its_mission_in_the_readers_language(lang: str, example: str) -> None:
    """Whatever language the workbook has; the line is read as the same mission."""
    campaign = Case("upkeep", towns={1: 1}).campaign
    for written in ("en", "it"):
        campaign.desk.language = written
        cards = INCURSIO.order_cards(campaign, lang, named_wording(INCURSIO, campaign, lang).text, E)
        assert example in [card.example for card in cards]
    assert INCURSIO.understand(example, campaign, E).fields["mission"] == "smuggling"


DUELS = ("Duelli in cui hai fatto di più: {n} su 4. Soldato demoniaco 4 (potere 2 +1) contro fante 4; soldato "
         "demoniaco 3 contro fante 5 (Torri presidiate +1, Mura rinforzate +1); assalitore 4 contro arciere 4 "
         "(Ponteggi +1, Mura rinforzate +1); distruttore 3 contro cavaliere 3 (Mura rinforzate +1).")


# --- battles, pair by pair -------------------------------------------------------------------------------------
@pytest.mark.parametrize(("side", "said", "why", "rows"), [
    (E, "la battaglia presso 2: attacco di 2 soldati demoniaci, 1 assalitore e 1 distruttore da 1; difendi con 2 "
     "fanti, 1 arciere e 1 cavaliere: gli attaccanti sono respinti. Perdite: nessuna; nemici uccisi: 3.",
     DUELS.format(n=1), [
        ("1. fuori 1", "Tr d6=3 +1 (potere 2)", "F d6=4", "4:4, nessuno"),
        ("2. Catapulte", "Tr d6=5", "12 d6=3", "5:3, nessuno"),
        ("3. guarnigione 1", "Tr d4=2→3 (4)", "F d6=3 +1 (Torri presidiate) +1 (Mura rinforzate)", "3:5, attaccante"),
        ("4. guarnigione 2", "As d4=4", "A d6=2 +1 (Ponteggi) +1 (Mura rinforzate)",
         "4:4, attaccante, le mura presidiate vincono i pareggi"),
        ("5. guarnigione 3", "Di d4=3", "C d6=2 +1 (Mura rinforzate)",
         "3:3, attaccante, le mura presidiate vincono i pareggi")]),
    (V, "la battaglia presso 2: attacchi da 1 con 2 soldati demoniaci, 1 assalitore e 1 distruttore e trovi 2 fanti, 1 "
     "arciere e 1 cavaliere: gli attaccanti sono respinti. Perdite: 3; nemici uccisi: nessuno.",
     DUELS.format(n="nessuno"),
     None)])
def test_x07_is_told_pair_by_pair(side: str, said: str, why: str, rows: list[tuple[str, ...]] | None) -> None:
    """5.10: who met whom; the die, whose die was lent, bonuses by name, totals, who falls and why: alike for both."""
    case = Case("first_assault", "1-2", day=3, first=V, towns={2: "L4 02*4 01 04 05 06 08 11 12"},
                soldiers={2: "FAC/F"}, demons={1: "Tr As Di Tr"}).set("Factions", V, power_step=2)
    stem = "battle/3V-1-2-1/1/engine/12.1"
    case.throw({f"{stem}/target": 2, f"{stem}/engine": 3, f"{stem}/victim": 5})
    case.duel("3V-1-2-1", "open", "3--2", "4").duel("3V-1-2-1", "garrison", "2433", "322")
    case.order("attack 1>2 TrAsDiTr", V).play()
    assert outcomes(case, side) == [said, why]
    told = {}
    for one in (E, V):
        tables = INCURSIO.tables(INCURSIO.view(case.campaign, one), one)
        table = next(table for table in tables if table.title == "Duels, pair by pair")
        told[one] = [tuple(column.word(getattr(row, column.name), "it") for column in row.columns()
                           if column.name != "battle") for row in table.rows]
    assert told[E] == told[V]
    assert rows is None or told[side] == rows


# --- battles at the table ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(("side", "said"), [
    (E, "la battaglia presso 2: attacchi da 1 con 2 fanti, 1 arciere e 1 cavaliere: il luogo è tuo. Perdite: 2; "
     "nemici uccisi: 2."),
    (V, "la battaglia presso 2: attacco di 2 fanti, 1 arciere e 1 cavaliere da 1: il luogo è perduto. Perdite: 2; "
     "nemici uccisi: 2.")])
def test_both_sides_are_told_whom_they_killed_at_the_table(side: str, said: str) -> None:
    """7.2: FFAC on Tr As, played live; FC are left."""
    case = Case("first_assault", day=3, towns={1: 1}, ruins={2: 0}, soldiers={1: "F/FFAC"}, demons={2: "Tr As"})
    case.order("attack 1>2 FFAC", live=True).play().set("Battles", "3E-1-2-1", att_after="FC").play()
    assert outcomes(case, side) == [said, "È stata combattuta al tavolo da gioco; i duelli non sono stati riferiti."]
    assert any("(persi 2, uccisi 2)" in line for line in chat(case.campaign, side))


def test_the_hand_over_of_a_battle() -> None:
    """7.2: each side its own, of the enemy what it has seen or where he comes from; the Master both."""
    case = Case("first_assault", "1=2", day=5, first=V, towns={2: "L2 02*2 01 03 12*2"}, soldiers={2: "AFC/F"},
                demons={1: "Tr As"}).set("Factions", V, power_step=2)
    case.add(records.Observation(no=1, faction=V, node="2", kind="garrison", position=2, what="F", seen_on=3))
    row = case.order("attack 1>2 TrAs", V, live=True).play().battle("5V-1-2-1")
    words = named_wording(INCURSIO, case.campaign, "it")

    def told(faction: str) -> list[str]:
        view = INCURSIO.view(case.campaign, faction) if faction else case.campaign
        return [words.text(said.text, **said.data) for said in INCURSIO.dossier(view, row, faction)]

    place = "2, villaggio, giorno 5."
    line, seen = "Attacchi 2 da 1: TrAs.", "Visto in 2: 2 F (3)."
    powers = "Potere 2: spionaggio +10%, +1 contro chi non è in guarnigione."
    attacked, built = "2: attacco da 1. Guarnigione AFC, fuori F.", "Strutture: 01, 02 ×2, 03, 12 ×2."
    assert told(V)[:-1] == [place, line, seen, powers]
    assert told(E)[:-1] == [place, attacked, built, "Demoni da 1."]
    assert told("")[:-1] == [place, line, seen, attacked, built, powers]


def test_a_message_that_is_too_long_drops_reports_then_changes_of_the_map() -> None:
    """8.7: from the end; battles, coins and the number of further battles stay."""
    case = Case("arrivals", cells=6)
    for n in range(1, 7):
        case.set("Nodes", str(n), name=f"Valle dei lunghi sussurri {n}")
        case.add(records.Battle(battle=f"5V-9-{n}-1", turn="5", node=str(n), attacker=V, outcome="undecided",
                              status="auto"))
        case.add(Event(no=n, turn="5", phase="upkeep", audience="all", event="ruin_rose",
                              data={"node": n, "level": 1}))
        case.add(Event(no=10 + n, turn="5", phase="spying", audience=E, event="spy_report",
                              data={"node": n, "player": "E2", "result": "enemies"}))
    lines = chat(case.campaign, E)
    text = "\n".join(lines)
    assert sum(map(len, lines)) <= 460
    counted = ("si combatte ancora", "e altre 2", "Casse", "rovine infestate", "nemici")
    assert [text.count(word) for word in counted] == [
        4, 1, 1, 2, 0]
    assert not any(line.startswith("e altre") for line in lines)


def test_the_map_shows_the_portals_whose_demons_are_still_to_act() -> None:
    """8.6: those of today and tomorrow; of days before, sealed and faded ones not."""
    case = Case("upkeep", cells=5)
    for n, (day, state) in enumerate([(4, "open"), (5, "open"), (6, "located"), (6, "sealed"), (5, "faded")], 1):
        case.add(records.Portal(day=str(day), node=str(n), number=3, state=state))
    view = INCURSIO.view(case.campaign, V)
    game = INCURSIO.game(view)
    assert [node.node for node in view.table(records.Node) if INCURSIO.looks.place(node, game).kind == "portal"] == [
        "2", "3"]


def test_the_map_names_units_one_by_one() -> None:
    """8.6: the garrison's string, outsiders behind a plus, demons cell by cell; of the enemy what was seen."""
    case = Case("upkeep", cells=3)
    for n, (owner, node, posture, units) in enumerate(
            [(E, "1", "open", "C"), (E, "1", "garrison", "FAF"), (E, "2", "open", "FA"), (V, "3", "open", "TrAs")], 1):
        case.add(records.Army(army=f"x{n}", faction=owner, node=node, posture=posture, units=units))
    case.add(records.Observation(faction=V, node="1", kind="camp", what="C", seen_on=4, state="current"))
    told = {faction: {(look.owner, look.place): (look.strength, look.stance) for look in INCURSIO.looks.standing(
        INCURSIO.game(INCURSIO.view(case.campaign, faction)), faction)} for faction in (E, V)}
    assert told == {E: {(E, "1"): ("4", "FAF +C"), (E, "2"): ("2", "FA")},
                    V: {(V, "3"): ("2", "TrAs"), (E, "1"): ("~1", "C")}}
    said = alt_text(scene_of(INCURSIO, INCURSIO.view(case.campaign, E), E, "it"))
    assert "Forze proprie: 4 (1, FAF +C), 2 (2, FA)." in said  # the codes under which the map keeps them are not told


def test_the_map_has_figures_below_the_names() -> None:
    """8.6: level; of one's own coins a day, the garrison and its room, works with their day; when demons go home."""
    case = Case("upkeep", cells=3)
    for node, kind, level in (("1", "settlement", 4), ("3", "ruin", 2)):
        case.campaign.table(records.Node)[node].kind, case.campaign.table(records.Node)[node].level = kind, level
    case.add(records.Army(army="E-1", faction=E, node="1", posture="garrison", units="FAF"))
    case.add(records.Army(army="V-1", faction=V, node="2", units="Tr", returns_on=8))
    case.add(records.Work(node="1", structure="06", started_on=4, ready_on=7, state="in_progress"))
    told = []
    for faction in (E, V, ""):
        game = INCURSIO.game(INCURSIO.view(case.campaign, faction))
        looks = [INCURSIO.looks.place(node, game) for node in game.campaign.table(records.Node)]
        told.append([look.note for look in looks])
        assert [look.kind for look in looks] == ["stronghold", "empty", "demon rampart"]
    coins = Realm(INCURSIO.game(case.campaign)).income()["1"]
    assert told == [[f"IV · +{coins} · 3/7 · 06→7", "", "II"], ["IV", "→8", "II"], ["IV", "", "II"]]


def test_enemies_whose_number_is_unknown_have_none_on_the_map() -> None:
    """8.6: who was only seen to be there is no single unit; where all were counted it is about so many."""
    case = Case("upkeep", cells=2)
    for no, what in enumerate(("", "CC"), 1):
        case.add(records.Observation(no=no, faction=V, node=str(no), kind="enemies", what=what, seen_on=4,
                                    state="current"))
    looks = INCURSIO.looks.standing(INCURSIO.game(INCURSIO.view(case.campaign, V)), V)
    assert {look.place: look.strength for look in looks} == {"1": "", "2": "~2"}


@pytest.mark.parametrize(("lang", "heading"), [("en", "Coins, captives and resources"),
                                               ("it", "Monete, prigionieri e risorse")])
def test_captives_do_not_stand_under_money(lang: str, heading: str) -> None:
    """The raiders' captives and resources are no coins: the heading names all three."""
    assert Wording(INCURSIO, lang).text(INCURSIO.categories[INCURSIO.events["captives_taken"].category]) == heading


@pytest.mark.parametrize(("band", "lang", "says"), [
    ("Tr", "en", "1 trooper at 2 can act on day 8 and goes home that evening, unless in a ruin that has room or in a "
                 "settlement it has taken."),
    ("TrTr", "en", "2 troopers at 2 can act on day 8 and go home that evening, unless in a ruin that has room or in a "
                   "settlement they have taken."),
    ("As", "it", ": agisce il giorno 8 e la sera rientra, se non in una rovina che ha posto o in un insediamento"
                 " conquistato."),
    ("TrAs", "it", ": agiscono il giorno 8 e la sera rientrano, se non in una rovina che ha posto o in un insediamento"
                   " conquistato.")])
def test_one_demon_goes_home_and_two_go(band: str, lang: str, says: str) -> None:
    """The number of demons decides the verb."""
    case = Case("upkeep", "1-2")
    case.add(records.Army(army="V-1", faction=V, node="2", units=band, returns_on=8))
    words = named_wording(INCURSIO, case.campaign, lang)
    (due,) = [words.sentence(said.text, said.data) for said in INCURSIO.dues(INCURSIO.view(case.campaign, V), V)]
    assert due.endswith(says)


# --- events as sentences ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(("told", "data", "said"), [
    ("battle_ended", {"battle": "", "outcome": "driven_off"}, ": gli attaccanti sono respinti."),
    ("attack_found_nobody", {"node": 10, "to_node": 9}, "L'attacco da Tre Mulini (10) a Collegrano (9) non trova "
     "nessuno."),
    ("attack_not_made", {"node": 10, "to_node": 9, "reason": "nobody_left"},
     "L'attacco da Tre Mulini (10) a Collegrano (9) non si fa: non resta nessuno per farlo."),
    ("mission_ended", {"player": "E3", "mission": "smuggling", "result": "success"},
     "La missione di Isaveth (Contrabbando) è riuscita e porta monete."),
    ("mission_ended", {"player": "E3", "mission": "watch", "result": "over"},
     "La missione di Isaveth (Veglia dell'eroe) è finita, e con lei il suo effetto."),
    ("mission_started", {"player": "E3", "mission": "smuggling"},
     "Isaveth comincia una missione: Contrabbando. Dura fino al mantenimento di domani."),
    ("mission_started", {"player": "E3", "mission": "seal"},
     "Isaveth comincia una missione: Sigillo. Ha effetto stasera."),
    ("initiative", {"first": E, "rolls": [5, 3]}, "I Difensori di Esdef vincono l'iniziativa e muovono per primi."),
    ("units_moved", {"node": 10, "to_node": 9, "units": "FCF"},
     "Marcia da Tre Mulini (10) a Collegrano (9): 2 fanti e 1 cavaliere."),
    ("garrison_left", {"node": 10, "units": "A"}, "Fuori dalla guarnigione di Tre Mulini (10): 1 arciere."),
    ("garrison_reordered", {"node": 10, "garrison": "AFFA"},
     "La guarnigione di Tre Mulini (10) è riordinata: 1 arciere, 2 fanti e 1 arciere."),
    ("portal_foreseen", {"node": 10}, "I maghi prevedono un portale a Tre Mulini (10)."),
    ("income", {"coins": 1100}, "Entrate: 1.100 monete.")])
def test_an_event_is_told_as_a_sentence(told: str, data: dict[str, Any], said: str) -> None:
    """Who did what to whom, and how it ended, with no word of the program's own."""
    assert named_wording(INCURSIO, esdef(), "it").event(Event(event=told, data=data)) == said


# --- what is seen, and what is to come ---------------------------------------------------------------------------
def sighted(no: int, **fields: Any) -> records.Observation:
    """A sighting by the raiders of somebody in cell 2."""
    return records.Observation(no=no, faction=V, node="2", **{"what": "A", "seen_on": 5, **fields})


def test_at_least_so_many_enemies_are_not_added_up_over_sources_and_days() -> None:
    """A spy of today may have seen those of the battle; who was seen on an earlier day may be gone."""
    case = Case("spying", "1-2", day=5, first=E, towns={2: 2}, soldiers={2: "A/AAA"}, demons={1: "Tr"})
    for row in (sighted(1, kind="garrison", position=1, source="spy", seen_on=1),
                sighted(2, kind="camp", position=1, source="battle"),
                sighted(3, kind="camp", position=3, source="battle")):
        case.add(row)
    case.order("spy 2 soldiers (V5)", V).throw(
        {"spy/5/V5/success": 1, "spy/5/V5/amount": 1, "spy/5/V5/pick/1": 3}).play()
    view = INCURSIO.view(case.campaign, V)
    ((node, said),) = INCURSIO.foes_seen(view, V)
    assert case.seen(V, 2)[0][:2] == ("camp", 1)
    assert (node, said.data["text_it"], said.data["d"]) == ("2", "2 arcieri", 5)
    (force,) = [look for look in INCURSIO.looks.standing(INCURSIO.game(view), V) if look.code == "seen-2"]
    assert force.strength == "~2"


def test_the_room_of_ruins_and_when_portals_are_drawn() -> None:
    """A ruin of level 0 has room for two; before the upkeep no portals are counted, for none are drawn."""
    case = Case("upkeep", "1-2", ruins={2: 0}, demons={2: "Tr"}).set("Factions", V, power_step=1)
    view = INCURSIO.view(case.campaign, V)
    tables = {table.title: table for table in INCURSIO.tables(view, V)}
    assert [row.as_text() for row in tables["Ruins"].rows] == [{"node": "2", "level": "0", "room": "2"}]
    assert "upkeep" in tables["Portals of tomorrow"].note
    assert "Portals of tomorrow" not in dict(INCURSIO.glance(view, V))
    drawn = INCURSIO.view(case.play().campaign, V)
    assert "Portals of tomorrow" in dict(INCURSIO.glance(drawn, V))


def test_a_target_is_no_place_where_own_troops_stand_unless_enemies_are_there() -> None:
    """What is offered is cut at some orders, and says so."""
    case = Case("first_assault", "1-2 1-3 1-4", day=5, first=E, soldiers={1: "/FACFAC", 2: "/F"}, demons={3: "Tr"})
    view = INCURSIO.view(case.campaign, E)
    offered = [order for order in INCURSIO.legal_orders(view, E, verbs=["attack"], limit=6) if order.unit == "1"]
    assert {order.fields["to_node"] for order in offered} == {"3", "4"}
    page = build_page(INCURSIO, view, E, named_wording(INCURSIO, case.campaign, "en"))
    assert any(deed.startswith("attack ") and deed.endswith(" …") for may in page.may_do.items for deed in may.can)


def test_an_undecided_attack_is_told_with_whence_it_came_and_a_sabotage_with_its_place() -> None:
    """The attackers are back; the work that is late is at the place that the club chose."""
    case = Case("first_assault", "1-2", day=5, first=E, towns={1: 1}, ruins={2: 0}, soldiers={1: "F/FF"},
                demons={2: "TrTr"}).duel("5E-1-2-1", "open", "33", "33")
    case.order("attack 1>2 FF").play()
    assert outcomes(case, V)[0].startswith(
        "la battaglia presso 2: attacco di 2 fanti da 1; difendi con 2 soldati demoniaci: niente è deciso, e gli "
        "attaccanti sono tornati da dove venivano.")
    late = Case("upkeep", day=5, towns={1: 1}, soldiers={1: "F"})
    late.add(records.Mission(day="4", player="V6", mission="sabotage", target="1"))
    late.throw(mission__4__V6__sabotage=6).play()
    words = named_wording(INCURSIO, late.campaign, "it")
    (told,) = [words.event(event) for event in late.last.events if event.event == "mission_ended"]
    assert told.endswith("se là finiva un lavoro, ritarda. Luogo: 1.")
    # one that was told before its place was known
    old = Event(event="mission_ended", data={"player": "V6", "mission": "sabotage", "result": "success"})
    assert words.event(old).endswith("se là finiva un lavoro, ritarda.")
