"""Fresh cases against the rulebook page's letter: what a stern reader of each sentence would try."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from assistant.turn.findings import Finding
from assistant.turn.phases import check_campaign, resolve
from assistant.turn.questions import AnswerContext
from assistant.wording import Wording
from tests.anarchy.cases import SECRET, anarchy, build, case


def test_groups_inside_a_stormed_castle_retreat() -> None:
    """7: in an assault won with `fled` the garrison's survivors are captives, groups inside retreat."""
    after = case("movement", armies="A1 r 0605 K9 noble=N1:5:8 besieging=keep, E1 a 0605 S9 inside=keep noble=E:5:2",
                 places="keep 0605 castle_motte 3 2 holder=a S9, den 0607 castle_motte 3 2 holder=a S9",
                 orders="r ASSAULT A1 keep", battles="B3-1 attacker fled 9", defaults=True)
    assert after.get("E1", "node", "inside", "state") == ("0606", "", "active")
    assert after.get("keep", "holder") == "royal"
    assert [e.data["n"] for e in after.events("prisoners")] == [9]


def test_recruits_are_counted_in_order_number() -> None:
    """4: recruits per place and day, in order number, not in the order of march; the one that overdraws is refused."""
    after = case("movement", armies="A1 r 0605 S9 noble=N1:5:8 money=9, A2 r 0605 S9 noble=N2:7:8 money=9",
                 places="ham 0605 village 5 8", orders="r RECRUIT A1 ham L1; r RECRUIT A2 ham L1",
                 findings="o2 ANA-402")
    assert (after.men("A1"), after.men("A2")) == ("S9 L1", "S9")


def test_who_a_convoy_belongs_to_is_everybodys_to_know() -> None:
    """Who may know what: `convoy_taken` and `train_taken`: the new owner is told to all."""
    after = case("movement", armies="A1 r 0605 S9", convoys="C1 a 0606 3",
                 trains="T1 a 0606 rams=1 engineers=1 oxen=2 peasants=3",
                 orders="r MOVE A1 0606; r TAKE A1 C1; r TAKE A1 T1")
    assert after.audience("convoy_taken") == after.audience("train_taken") == "all"


def test_an_attack_ordered_on_the_march_is_no_second_one() -> None:
    """4: ATTACK is an act of its own only against groups that were there at the start."""
    armies = "A1 r 0605 S9 noble=N1:9:8, E1 a 0606 S9 noble=E:5:2 loyalty=5 on_meeting=pass"
    after = case("movement", armies=armies, orders="r MOVE A1 0606; r ATTACK A1 E1", defaults=True,
                 rules={"neutral_meets": "nothing"}, findings=None)
    assert after.silent("attack", "battle_opened")
    here = case("movement", armies=armies.replace("0606", "0605"), orders="r ATTACK A1 E1", defaults=True)
    assert here.events("attack")


def test_the_choice_of_a_march_is_one_of_three() -> None:
    """ANA-901: attack, pass or ask, in either language."""
    case("movement", armies="A1 r 0605 S9", orders="r MOVE A1 0606 choice=charge", findings="o1 ANA-901")
    assert case("movement", armies="A1 r 0605 S9", orders="r MOVE A1 0606 choice=attacca").get("A1", "node") == "0606"


def test_cavalry_shows_as_soon_as_it_is_cavalry() -> None:
    """8: `cavalry` is on the counter: who has recruited foot shows as foot at the end of the phase."""
    after = case("movement", armies="A1 r 0605 K5 money=9", places="ham 0605 village 5 8", orders="r RECRUIT A1 ham P1")
    assert after.get("A1", "cavalry") == "no"
    assert case("opening", day=0, armies="A1 r 0605 K5, A2 r 0606 K1 S4").get("A1", "cavalry") == "yes"


def test_a_purse_of_the_other_side_is_not_told() -> None:
    """8: an order about somebody else's group says that it is not one's own, and nothing of it."""
    after = case("provisions..movement", armies="A1 r 0605 S9 noble=N1 money=7, M1 r 0605 L4 kind=welsh employer=A1",
                 orders="a TRANSFER A1 M1 £99; a HIRE A1 M1", findings="o1 ANA-003, o2 ANA-003")
    assert "7" not in str([f.data for o in after.outcomes for f in o.findings])


def test_how_the_other_side_pays_is_not_told() -> None:
    """8: contracts: the employer only; ANA-504 says that they are hired."""
    for contract in ("paid", "promised"):
        after = case("movement", armies=f"A1 r 0605 S9 noble=N1 money=99, M1 a 0808 L4 kind=welsh contract={contract}",
                     orders="r HIRE A1 M1", findings="o1 ANA-504")
        assert after.finding("ANA-504")["contract"] == "hired"


@pytest.mark.parametrize("resources", [0, 3, 5])
def test_what_a_place_has_left_is_not_told_from_afar(resources: int) -> None:
    """8: resources of other places are known as after the opening: checking orders tells no more."""
    campaign = build("movement", armies="A1 r 0605 S9 noble=N1:5:8 money=9",
                     places=f"ham 0608 village {resources} 5, foe 0609 village {resources} 2",
                     orders="r RECRUIT A1 ham L1; r SACK A1 foe; r MOVE A1 0606 0607 0608 0609")
    said = [(f.where.row, f.code) for f in anarchy().check_orders(campaign)]
    assert said == [("o2", "ANA-410")]


@pytest.mark.parametrize("answer", ["½", "9" * 40, "9" * 5000, "-1", "٣٣٣٣٣", "promise:²", "promise:" + "9" * 5000])
def test_no_number_is_too_strange_for_an_answer(answer: str) -> None:
    """ANA-901, 904: what is no amount is asked for again, and so is what is too long to be read (ARB-034)."""
    looting: dict[str, Any] = {
        "armies": "A1 r 0605 K9 noble=N1:5:8, M1 r 0605 L4 kind=welsh employer=A1 contract=promised promised=4",
        "places": "ham 0605 village 3 2", "orders": "r SACK A1 ham", "battles": "B3-1 attacker fled 5"}
    for key, more in (("loot/A1/ham", {}), ("share/A1/M1", {"loot/A1/ham": "3"})):
        extra = {"battle/B3-1": "entered", **more, key: answer}
        outcome = resolve(anarchy(), build("movement", **looting), SECRET, extra)
        assert not outcome.done
        assert {f.code for f in outcome.findings if f.stops} <= {"ANA-901", "ANA-904", "ARB-034"}
        assert [q.question for q in outcome.questions] == [key]


@pytest.mark.parametrize(("table", "row", "field"), [
    ("convoys", "C1 r 9999 3", "node"), ("convoys", "C1 r - 3", "node"), ("trains", "T1 r x", "node"),
    ("prisoners", "P1 r a 9999 S2", "node"), ("armies", "A9 r - S4", "node")])
def test_whatever_is_on_the_map_stands_on_a_hex(table: str, row: str, field: str) -> None:
    """ANA-914: a hex that is none, or none at all, for what is in play."""
    tables: dict[str, Any] = {"armies": "A1 r 0605 S4", table: row}
    campaign = build("provisions", **tables)
    assert [(f.code, f.where.field) for f in check_campaign(anarchy(), campaign) if f.stops] == [("ANA-914", field)]


@pytest.mark.parametrize(("tables", "said"), [
    ({"convoys": "C1 r 06O5 3"}, "'06O5' is not a hex of the map. Did you mean 0605?"),
    ({"convoys": "C1 r - 3"}, "Write the hex where this stands, such as 0605."),
    ({"nodes": "30O6 open"}, "'30O6' is not a hex: a hex is its column and its row, two digits each, such as 0605. "
                             "Did you mean 3006?"),
    ({"roads": "0605 0608 road"}, "0605–0608 is not an edge of the map.")])
def test_a_mistyped_hex_is_called_a_hex_and_no_edge(tables: dict[str, str], said: str) -> None:
    """ANA-914: a letter for a digit is named with the hex that was meant."""
    given: dict[str, Any] = {"armies": "A1 r 0605 S4", **tables}
    campaign = build("provisions", **given)
    wording = Wording(anarchy(), "en")
    assert said in [wording.finding(f) for f in check_campaign(anarchy(), campaign) if f.code == "ANA-914"]


def test_what_follows_a_group_begins_where_it_stands() -> None:
    """2: a follower without a hex is with its leader from the start."""
    campaign = build("opening", day=0, armies="A1 r 0605 S9, M1 r - L4 kind=welsh employer=A1",
                     convoys="C1 r - 3 escort=A1")
    anarchy().prepare(campaign)
    assert campaign.by_sheet("Armies")["M1"].node == campaign.by_sheet("Convoys")["C1"].node == "0605"


def test_no_group_is_larger_than_can_be_thrown_for() -> None:
    """2: whole numbers of men; a size that no table holds is told at its cell, and a large one is mustered at once."""
    from assistant.campaign.columns import UnreadableValue

    with pytest.raises(UnreadableValue):
        anarchy().record("Armies").column("bows").kind.read("1000000")
    after = case("opening", day=0, armies="A1 r 0605 size=9999 noble=N1")
    assert sum(int(after.of("A1")[rank]) for rank in ("knights", "foot", "light", "bows")) == 9999


@pytest.mark.parametrize("papers", [
    {"royal": 3}, {"royal": [1, ["a", "b", "c"], ["{x}", {"x": "1"}, "y"]]}, {"royal": {}}])
def test_a_dossier_that_was_tampered_with_breaks_no_report(papers: dict[str, Any]) -> None:
    """7: what is no sentence of a dossier is left out."""
    campaign = build("movement", armies="A1 r 0605 S9", battles="B3-1 - - - status=open")
    battle = campaign.by_sheet("Battles")["B3-1"]
    battle.papers = papers
    view = anarchy().view(campaign, "royal")
    assert len(anarchy().dossier(view, view.by_sheet("Battles")["B3-1"], "royal")) <= 1


def test_events_that_were_tampered_with_break_nothing() -> None:
    """5.1: the season and the stores after the opening are read from events as far as they say them."""
    from assistant.campaign.records import Event

    campaign = build("provisions", armies="A1 r 0605 S9", places="ham 0608 village 3 2", rules={"season": "roll"})
    told: list[tuple[str, dict[str, Any]]] = [
        ("season", {"season": "monsoon"}), ("opened", {"resources": [1]}), ("ransomed", {"to": "A1", "halves": "many"})]
    for no, (event, data) in enumerate(told, 1):
        campaign.by_sheet("Events").add(Event(no=no, turn="3", phase="opening", event=event, data=data))
    assert resolve(anarchy(), campaign, SECRET).done
    assert anarchy().view(campaign, "royal").by_sheet("Places")["ham"].resources == 3


def test_a_garrison_that_sallies_is_named() -> None:
    """5.8 `battle_opened`, 5 `battle`: who fights whom, also where a castle alone attacks."""
    after = case("movement", armies="A1 r 0605 S9 besieging=keep if_attacked=fight noble=N1:5:8",
                 places="keep 0605 castle_motte 3 2 holder=a S9", sieges="keep r 1", orders="a SALLY keep",
                 waits="battle/B3-1", referee="")
    assert after.questions["battle/B3-1"].asked["attackers"] == "keep"
    played = case("movement", armies="A1 r 0605 S9 besieging=keep if_attacked=fight noble=N1:5:8",
                  places="keep 0605 castle_motte 3 2 holder=a S9", sieges="keep r 1", orders="a SALLY keep")
    assert played.event("battle_opened", "keep / A1").data["n"] == 19


OPTIONS = ("attack pass ask fight refuse shut_in yes no entered auto withdraw pay take burn hold free held killed "
           "give_way stay abandon men nobles place convoy none")


@pytest.mark.parametrize("option", OPTIONS.split())
def test_an_answer_is_taken_in_the_word_that_is_shown(option: str) -> None:
    """5: options are shown in the reader's language and may be answered as they are shown."""
    from assistant.rulesets.anarchy.realm import choice_code
    from assistant.wording import Wording

    assert choice_code(Wording(anarchy(), "it").word(option)) == option
    assert choice_code(Wording(anarchy(), "en").word(option)) == option


@pytest.mark.parametrize(("option", "shown", "typed"), [
    ("promise:n", "promette:quanto (per esempio promette:12)", "promette 12"),
    ("promise:n", "promette:quanto (per esempio promette:12)", "promette:12"),
    ("buy:3", "compra:3", "compra:2"), ("loot:2", "saccheggia:2", "saccheggia 2")])
def test_an_answer_with_an_amount_is_shown_and_taken_in_the_language(option: str, shown: str, typed: str) -> None:
    """5: `promise:n`, `buy:n`, `loot:n`; no option is half English, and the word that is shown is understood."""
    wording = Wording(anarchy(), "it")
    assert wording.options(f"pay, {option}, no") == f"paga, {shown}, no"
    english = option.replace("promise:n", "promise:amount (for example promise:12)")
    assert Wording(anarchy(), "en").options(f"pay, {option}") == f"pay, {english}"
    kind = anarchy().questions["hire"]
    answer = replace(kind.answer, offer=AnswerContext([option], kind.answers))
    assert answer.read(typed).startswith(option.split(":", maxsplit=1)[0])


def test_a_promise_is_made_in_italian() -> None:
    """11.3: as in English, by the word that the options show."""
    after = case("movement", armies="A1 r 0605 S9 noble=N1:5:8, M1 n 0606 L4 kind=welsh moves_next=royal",
                 orders="r MOVE A1 0606", answers="hire/A1/0606/M1 = promette 12")
    assert after.get("M1", "employer", "contract", "promised") == ("A1", "promised", "12")


def test_where_all_orders_are_the_days_nobody_need_say_so() -> None:
    """1: one word in the column For, which an Italian club may write in its language and which may stay blank."""
    from assistant.turn.phases import order_words

    words = order_words(anarchy(), build("movement", armies="A1 r 0605 S9"))
    assert {words[one] for one in ("day", "giorno", "movement", "movimenti e incontri")} == {"day"}


def test_a_noble_did_not_fight_in_the_enemys_group() -> None:
    """ANA-806: a row that names a unit of one side and a noble of the other."""
    after = case("movement", armies="A1 r 0605 S9 noble=N1:5:8, E1 a 0606 S9 noble=E:5:2 loyalty=1 if_attacked=fight "
                 "on_meeting=pass", orders="r MOVE A1 0606 choice=attack", battles="B3-1 attacker fled 9",
                 losses="B3-1 E1 - 1 0 0 noble=N1", findings="B3-1/E1//N1 ANA-806", waits="battle/B3-1", referee="")
    found = after.finding("ANA-806")
    assert found["x"] == "N1"
    said = Wording(anarchy(), "en").finding(Finding("ANA-806", "error", data=found))
    assert said == "B3-1: N1 did not fight with E1."


@pytest.mark.parametrize(("orders", "tables", "code"), [
    ("a RANSOM E1 N1; a RANSOM E1 V", {}, "ANA-701"),
    ("a TRANSFER E1 E2 £8; a RANSOM E1 V", {"armies": ", E2 a 0808 S9"}, "ANA-203"),
    ("a PAY E1 M1; a RANSOM E1 V", {"armies": ", M1 a 0909 L4 kind=welsh employer=E1 contract=paid"}, "ANA-504"),
    ("a RECRUIT E1 ham L3; a RANSOM E1 V", {"places": ", ham 0909 village 9 8"}, "ANA-401"),
    ("a HIRE E1 M1; a RANSOM E1 V", {"armies": ", M1 n 0303 L4 kind=welsh moves_next=royal"}, "ANA-501")])
def test_an_order_that_cannot_stand_takes_no_money(orders: str, tables: dict[str, str], code: str) -> None:
    """4: the order that overdraws is refused; one that is refused anyway leaves the purse to those after it."""
    after = case("provisions..movement", armies="A1 r 0605 S9 noble=N1:5:8, E1 a 0909 S4 K1 money=8"
                 + tables.get("armies", ""), nobles="V a 4 2 state=prisoner captor=r held_in=P1",
                 prisoners="P1 a r 0606 S2 state=delivered place=jail destination=jail",
                 places="jail 0606 village 5 8" + tables.get("places", ""), orders=orders,
                 findings=f"o1 {code}", defaults=True)
    assert (after.get("V", "state", "army"), after.get("E1", "money")) == (("free", "V-R"), "0")


def test_an_answer_that_is_not_offered_is_told_while_another_is_awaited() -> None:
    """5, ANA-901: of two questions put at once, the wrong answer to one is named before the other is answered."""
    campaign = build("movement", armies="A1 r 0605 S9 noble=N1:5:8, E1 a 0606 S9 noble=E:5:2 loyalty=1",
                     orders="r MOVE A1 0606")
    outcome = resolve(anarchy(), campaign, SECRET, {"attack/A1/0606/E1": "maybe"})
    assert {f.code for f in outcome.findings if f.stops} == {"ANA-901"}
    assert [q.question for q in outcome.questions] == ["attack/A1/0606/E1", "contest/E1/0606/A1"]


@pytest.mark.parametrize(("die", "state", "taken"), [(2, "destroyed", 0), (6, "captured", 5)])
def test_what_became_of_a_group_in_a_castle_that_fell(die: int, state: str, taken: int) -> None:
    """16: where all are killed the group is destroyed, not captured; its purse is the besieger's either way."""
    after = case("close", armies="A1 r 0605 S9 besieging=keep, E1 a 0605 K2 S3 inside=keep money=5",
                 places="keep 0605 castle_motte 0 2 holder=a", sieges="keep besieger=royal days=1",
                 dice=f"surrender/keep={die}")
    assert after.get("E1", "state") == state
    assert after.get("A1", "money") == "5"
    assert sum(e.data["n"] for e in after.events("prisoners")) == taken


def test_hurt_men_die_with_the_rest_where_all_are_killed() -> None:
    """16, 1 to 2: all but nobles are killed; of a group or garrison no hurt man outlives the others as a patient."""
    after = case("close", armies="A1 r 0605 S9 besieging=keep, E1 a 0605 K2 S3 inside=keep noble=V",
                 places="keep 0605 castle_motte 0 2 holder=a S2", sieges="keep besieger=royal days=1",
                 wounded="W1 a foot E1, W2 a foot - place=keep", dice="surrender/keep=2")
    assert (after.get("W1", "state"), after.get("W2", "state")) == ("dead", "dead")
    assert (*after.get("E1", "state", "foot"), after.get("keep", "g_foot")) == ("destroyed", "0", "0")
    assert after.get("keep", "holder") == "royal"
    assert after.get("V", "state") == "prisoner"
    assert [e.data["n"] for e in after.events("prisoners")] == [1]  # the noble alone


def test_captives_who_have_arrived_need_no_escort() -> None:
    """15.8: an escort for captives who were delivered is refused for that, and not as if they were another's."""
    after = case("reorganise", armies="A1 r 0605 S9", prisoners="P1 a r 0605 S2 state=delivered",
                 orders="r ESCORT A1 P1", findings="o1 ANA-006")
    assert dict(after.finding("ANA-006")) == {"unit": "P1", "state": "delivered"}
