"""What a club reads of its side and its day, and what is wrong on the map (2, ANA-914).

See rulebook: Provisions, Movement and encounters, Who may know what.
"""

from __future__ import annotations

from typing import Any

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Event
from assistant.reporting.build import build_page
from assistant.turn.event_types import Said
from assistant.wording import Wording, named_wording
from tests.anarchy.cases import anarchy, build, case

EIGHT = "K2 S2 B1 L2 P1"


def table(title: str, faction: str = "royal", **given: Any) -> list[tuple[str, ...]]:
    """The rows of one of a faction's own tables, as the report words them."""
    campaign = build("provisions", **given)
    page = build_page(anarchy(), anarchy().view(campaign, faction), faction, Wording(anarchy(), "en"), 0, {}, {})
    return [tuple(cell.text for cell in row) for one in page.tables if one.title == title for row in one.rows.items]


def test_a_club_sees_all_its_men() -> None:
    """2: six ranks, the levied peasant among them, and how many are hurt."""
    rows = table("Their men", armies=f"A1 r 0605 {EIGHT} noble=N1:5:8", wounded="W1 r foot A1")
    assert rows == [("A1", "9", EIGHT, "1")]


def test_a_club_sees_its_garrisons_villages_engines_and_wounded_nobles() -> None:
    """2, 8: what is the owner side's to see stands in its report."""
    given = {"places": "keep 0605 castle_motte 3 8 holder=r g_knights=2 g_foot=3, ham 0606 village 4 8, "
                       "den 0607 village 4 2",
             "armies": "A1 r 0605 K3 noble=N1:5:8", "trains": "T1 r 0605 rams=1 mangonels=2",
             "wounded": "W1 r - A1 noble=N1"}
    assert table("Your castles", **given) == [("keep", "0605", "3", "", "K2 S3")]
    assert table("Villages and monasteries of your side", **given) == [("ham", "0606", "village", "4", "8")]
    assert table("Their engines", **given) == [("T1", "1", "0", "0", "2")]
    assert table("Your wounded nobles", **given) == [("W1", "N1", "A1", "", "")]


def test_a_group_that_is_fed_again_is_told_of_once() -> None:
    """8.4: who ate from its bags after a hungry day has eaten; nothing is eaten from nowhere."""
    after = case("provisions", armies="A1 r 0605 S9 noble=N1:5:8 provisions=1 hungry_days=1")
    assert [e.data["source"] for e in after.campaign.table(Event) if e.event == "supplied"] == ["carried food"]
    assert after.get("A1", "provisions", "hungry_days") == ("0", "0")
    small = case("provisions", armies="A1 r 0605 S5 noble=N1:5:8 hungry_days=1")
    (told,) = [e for e in small.campaign.table(Event) if e.event == "supplied"]
    assert Wording(anarchy(), "en").event(told) == "A1 needs no food today."


def test_the_order_of_march_is_of_today_or_blank() -> None:
    """6: yesterday's place in it is gone in the morning; a column in which nothing stands is no column."""
    after = case("provisions", armies="A1 r 0605 S5 noble=N1:5:8 march=3 counter=7")
    assert after.get("A1", "march") == ""
    (counters,) = [t for t in anarchy().sightings(anarchy().view(after.campaign, "royal"), "royal")
                   if t.title.startswith("Counters")]
    assert counters.fields == ("army", "counter", "faction", "cavalry")


def test_the_losses_of_a_battle_are_told_once() -> None:
    """15.6, 15.7: one line for both sides with all of them; it touches whom it names."""
    after = case("movement", armies="A1 r 0605 S9 noble=N1:5:8, E1 a 0606 S5 L4 noble=E:5:1",
                 orders="r MOVE A1 0606 choice=attack", answers="accept/E1/0606/A1 = fight; retreat/E1/0606 = 0607",
                 battles="B3-1 attacker fled 9", losses="B3-1 A1 foot 0 1 0, B3-1 E1 foot 1 0 0")
    (told,) = [e for e in after.campaign.table(Event)
               if e.event == "battle_result" and e.data.get("part") == "losses"]
    assert told.data["list"] == "A1 S 0/1/0; E1 S 1/0/0"
    assert {"Armies/E1", "Wounded/W1"} <= set(told.touched.split())


def test_a_village_in_the_losses_is_its_levy() -> None:
    """7: `levy` is its name in the form; a row that calls it as the map does means the same."""
    given: dict[str, Any] = {"armies": "A1 a 0605 S9 noble=N1:5:1", "places": "ham 0605 village 3 8 name=Ham",
             "orders": "a SACK A1 target=ham amount=1", "battles": "B3-1 attacker fled 9",
             "answers": "battle/B3-1 = entered"}
    for unit in ("levy", "ham", "Ham"):
        case("movement", **given, losses=f"B3-1 {unit} peasants 1 0 0")


@pytest.mark.parametrize(("nodes", "code", "field"), [
    ("0605 swamp", "ARB-026", "terrain"),
    ("0605 forest+swamp", "ARB-026", "terrain"),
    ("9901 open", "ANA-914", "node"),
    ("2501 open, 2502 marsh", "", ""),
    ("0605 forest+river", "", ""),
])
def test_what_is_wrong_with_a_hex(nodes: str, code: str, field: str) -> None:
    """2: terrains are those of the book; a hex far off the map would make the whole board grow as far."""
    found = [f for f in anarchy().check_data(build("movement", nodes=nodes)) if f.stops]
    assert [(f.code, f.where.field) for f in found] == ([(code, field)] if code else [])
    if code == "ARB-026":
        assert Wording(anarchy(), "en").finding(found[0]) == (
            "Terrain: 'swamp' is not in the list. Allowed: open, forest, hill, river, marsh, coast.")


@pytest.mark.parametrize(("counted", "lord", "company"), [("stack", "2", "0"), ("separate", "1", "1")])
def test_the_table_of_provisions_says_who_needs_food(counted: str, lord: str, company: str) -> None:
    """8.4: under ten heads a group needs nothing, however hungry it was; a company counts with its employer, or
    by itself. The figure counts whom the table shows with too little.
    """
    given: dict[str, Any] = {
        "armies": "A1 r 0605 S12 noble=N1:5:8 provisions=1, A2 r 0606 S3 hungry_days=2, "
                  "M1 r 0605 L12 kind=welsh employer=A1", "rules": {"merc_count": counted}}
    assert table("Their provisions", **given) == [
        ("A1", lord, "1", "0", "no", "no"), ("A2", "0", "0", "2", "no", "no"),
        ("M1", company, "0", "0", "no", "no")]
    page = build_page(anarchy(), anarchy().view(build("provisions", **given), "royal"), "royal",
                      Wording(anarchy(), "en"), 0, {}, {})
    assert {f.label: f.value_text for f in page.glance}["Groups short of food for their next meal"] == "1"


def test_more_hunger_is_no_good_news() -> None:
    """A rise of what is unwelcome takes the colour of a fall."""
    assert "Groups short of food for their next meal" in anarchy().unwelcome
    before, now = (build("provisions", armies=f"A1 r 0605 S12 noble=N1:5:8 provisions={n}") for n in (9, 0))
    page = build_page(anarchy(), anarchy().view(now, "royal"), "royal", Wording(anarchy(), "en"), 0, {}, {},
                      previous=anarchy().view(before, "royal"))
    assert {f.label: f.trend for f in page.glance}["Groups short of food for their next meal"] == "down"


# --- what is due -------------------------------------------------------------------------------------------
def dues(campaign: Campaign, faction: str = "royal") -> list[str]:
    """What a faction owes, as sentences."""
    return [named_wording(anarchy(), campaign, "en").sentence(said.text, said.data)
            for said in anarchy().dues(anarchy().view(campaign, faction), faction)]


@pytest.mark.parametrize(("stock", "owed"), [
    (3, []),
    (2, ["A2 needs 1 more point of food for day 3; on the spot: nothing more."]),
    (0, ["A1 needs 2 more points of food for day 3; on the spot: nothing.",
         "A2 needs 1 more point of food for day 3; on the spot: nothing."])])
def test_of_this_mornings_food_only_what_is_not_on_the_spot_is_owed(stock: int, owed: list[str]) -> None:
    """8.4: the greater name eats first; whom the village feeds owes nothing, and tomorrow's food is no matter yet."""
    assert dues(build("provisions", armies="A1 r 0605 S20 noble=N1:9:8, A2 r 0605 S12 noble=N2:5:8",
                      places=f"ham 0605 village {stock} 8")) == owed


@pytest.mark.parametrize(("heads", "told"), [(12, True), (3, False)])
def test_who_will_starve_tomorrow_stands_in_the_table(heads: int, told: bool) -> None:
    """8.4: two hungry days are paid for on the third, fed or not; a handful needs nothing."""
    after = case("provisions", armies=f"A1 r 0605 S{heads} noble=N1:5:8 hungry_days={1 if told else 2}")
    page = build_page(anarchy(), anarchy().view(after.campaign, "royal"), "royal", Wording(anarchy(), "en"), 0, {}, {})
    (row,) = next(one for one in page.tables if one.title == "Their provisions").rows.items
    assert [cell.text for cell in row][-2:] == ["no", "yes" if told else "no"]


@pytest.mark.parametrize(("goal", "state"), [("0605", "delivered"), ("0606", "waiting")])
def test_captives_who_were_brought_in_stay_in_the_tables(goal: str, state: str) -> None:
    """15.8: whom the side holds, where, how many, the nobles among them and the guard."""
    after = case("close", armies="A1 r 0605 S8 noble=N1:5:8", places=f"ham {goal} village 3 8",
                 nobles="VER a 4 2 state=prisoner captor=r held_in=P1",
                 prisoners="P1 a r 0605 S2 captor_army=A1 destination=ham taken_on=3")
    page = build_page(anarchy(), anarchy().view(after.campaign, "royal"), "royal", Wording(anarchy(), "en"), 0, {}, {})
    rows = {one.title: [cell.text for cell in one.rows.items[0]] for one in page.tables if one.rows.items}
    assert rows["Captives"][-1] == state
    assert {"S2", "VER"} <= set(rows["Who they are, and who guards them"])
    if state == "delivered":
        assert "are now held at ham." in Wording(anarchy(), "en").event(after.event("delivered"))


def test_after_the_last_day_nobody_eats() -> None:
    """1, 8.4: on the evening of the last day no food is owed for a day that will not come."""
    given = {"armies": "A1 r 0605 S12 noble=N1:9:8"}
    assert "food for day 15" in " ".join(dues(build("movement", day=14, rules={"days": 15}, **given)))
    assert dues(build("movement", day=14, rules={"days": 14}, **given)) == []


@pytest.mark.parametrize(("goal", "owed"), [("0605", 0), ("0606", 1)])
def test_captives_where_they_are_to_be_need_no_escort(goal: str, owed: int) -> None:
    """15.8: the close delivers them; others need somebody to lead them."""
    lines = dues(build("close", armies="A1 r 0605 S5", places=f"ham {goal} village 3 8",
                       prisoners="P1 a r 0605 S2 captor_army=A1 destination=ham taken_on=3"))
    assert [line for line in lines if "escort" in line] == [
        "The captives that the King took on day 3 (P1) need an escort from 0605 to ham."][:owed]


@pytest.mark.parametrize(("food", "days", "told"), [
    (1, 3, "this very day 3"), (1, 4, "day 4"), (2, 4, "day 6"), (0, 4, "this very day 3")])
def test_a_castle_that_starves_is_the_first_that_is_owed(food: int, days: int, told: str) -> None:
    """16: every second day of a siege costs a point; also the five lines say when the castle falls."""
    campaign = build("movement", armies="A1 a 0605 S12 noble=N1:5:2 besieging=keep", nobles="LORD r 6 8 place=keep",
                     places=f"keep 0605 castle_motte {food} 8 holder=r S9", sieges=f"keep a {days}")
    said = (f"Keep is besieged and has {food} {'point' if food == 1 else 'points'} of food left: it surrenders at the "
            f"close of {told}, unless the siege is lifted or food comes in.")
    assert dues(campaign)[0] == said
    page = build_page(anarchy(), anarchy().view(campaign, "royal"), "royal", Wording(anarchy(), "en"), 0, {}, {})
    assert said in [line.text for line in page.brief.lines.items]
    assert not [line for line in dues(campaign, "angevin") if "besieged" in line]


def test_who_has_no_food_reads_where_some_is_and_when_it_starves() -> None:
    """8.4: the second hungry day is paid for on the next; who has enough on the spot is not counted as short."""
    campaign = build("movement", armies="A1 r 0605 S12 noble=N1:5:8 hungry_days=1, A2 r 0607 S12 noble=N2:5:8",
                     places="ham 0607 village 3 8")
    told = dues(campaign)
    assert told[0].endswith("Short of food for 1 day so far. Unless fed, starving on day 5.")
    assert told[-1] == "The nearest food: 3 points at 0607, 2 hexes from A1."
    page = build_page(anarchy(), anarchy().view(campaign, "royal"), "royal", Wording(anarchy(), "en"), 0, {}, {})
    assert {f.label: f.value_text for f in page.glance}["Groups short of food for their next meal"] == "1"


# --- what became of a fight ---------------------------------------------------------------------------------
def test_only_what_the_winner_takes_is_booty() -> None:
    """14.4: a convoy that is burnt is none."""
    after = case("movement", armies="A1 r 0605 K9 noble=N1:6 joins=no, "
                 "A2 a 0606 S9 noble=N2:6 if_attacked=fight on_meeting=pass joins=no",
                 convoys="C1 a 0606 4 escort=A2, C2 a 0606 4 escort=A2", orders="r MOVE A1 0606 choice=attack",
                 battles="B3-1 attacker fled 9", defaults=True, answers="prize/A1/C1 = burn").campaign
    said: list[Said] = anarchy().outcomes(anarchy().view(after, "royal"), "royal", after.table(Event))
    assert [dict(one.data) for one in said if one.text.startswith("The winner's booty")] == [{"list": ["C2"]}]


def five_lines(campaign: Campaign, faction: str) -> list[str]:
    """What happened in five lines."""
    view, words = anarchy().view(campaign, faction), named_wording(anarchy(), campaign, "en")
    return [line.text for line in build_page(anarchy(), view, faction, words).brief.lines.items]


REFUSALS = {
    "light-1=6, refusal/A2/light-2=10": "Losses, nobles included, of A2: 1 killed, 1 captured. 4 got away unhurt.",
    "light-1=8, refusal/A2/light-2=1": "Losses, nobles included, of A2: 1 wounded. 5 got away unhurt.",
    "light-1=1, refusal/A2/light-2=1": "A2 got away unhurt."}


@pytest.mark.parametrize("dice", REFUSALS)
def test_a_refusal_is_a_loss_of_who_refused_and_news_for_all(dice: str) -> None:
    """15.5: who refused reads of it first and once, everybody that it was refused; nothing is counted as 0."""
    others = ", ".join(f"refusal/A2/{one}=1" for one in ("light-3", "light-4", "light-5", "N2"))
    after = case("movement", armies="A1 r 0605 K9 noble=N1:6, A2 a 0606 L5 noble=N2:4 if_attacked=refuse",
                 orders="r MOVE A1 0606 choice=attack", defaults=True, dice=f"refusal/A2/{dice}, {others}").campaign
    told = {faction: five_lines(after, faction) for faction in ("royal", "angevin", "")}
    assert told["angevin"][0].startswith(REFUSALS[dice])
    assert "A2 refuses battle." not in told["angevin"] + told["royal"]
    assert "A2 refuses battle." in told[""]


def test_the_captor_has_lost_nothing_by_a_refusal() -> None:
    """15.5: of two refusals on a day a side's own comes first, though it was the later one."""
    men = [f"refusal/{group}/{one}=6" for group, noble in (("A2", "N2"), ("A6", "N6"))
           for one in ("light-1", "light-2", "light-3", "light-4", "light-5", noble)]
    after = case("movement", armies="""A1 r 0605 K9 noble=N1:9, A2 a 0606 L5 noble=N2:4 if_attacked=refuse
                 E5 a 1205 K9 noble=N5:6, A6 r 1206 L5 noble=N6:4 if_attacked=refuse""", defaults=True,
                 orders="r MOVE A1 0606 choice=attack; a MOVE E5 1206 choice=attack", dice=", ".join(men)).campaign
    first, second = five_lines(after, "royal")[:2]
    assert ("of A6:" in first, "of A2:" in second) == (True, True)


@pytest.mark.parametrize(("data", "text"), [
    ({"n": 4, "w": 1, "p": 2, "k": 0, "by": "angevin"},
     "Of A2, nobles included, 4 got away unhurt and 1 wounded, 2 were taken and 0 killed. Angevin chose"),
    ({"n": 4, "w": 0, "p": 0, "k": 0}, "A2 got away unhurt."), ({"part": "fact"}, "A2 refuses battle.")])
def test_a_refusal_of_an_older_file_still_reads(data: dict[str, Any], text: str) -> None:
    """Its event has neither the list of losses nor the hex."""
    told = Event(turn="3", phase="movement", event="refused", data={"b": "A2", **data})
    assert Wording(anarchy(), "en").event(told).startswith(text)
