"""What people type is understood in both languages, and judged before the phase is resolved."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import UnreadableValue
from assistant.campaign.records import Question
from assistant.desk.inputs import check_ahead
from assistant.desk.intake.line_parser import classify_line, find_question, kind_and_rest, put_battle_line, split_die
from assistant.rulesets.giglio.records import Battle, Order
from assistant.rulesets.giglio.ruleset import GIGLIO
from assistant.wording import Wording
from tests.reporting.test_italy import year

BATTLE = ("1500", "r1.battle")
NAME = "B1500.1.M7"


def asked(campaign: Campaign, kind: str, to: str, about: str, options: str) -> Campaign:
    """A copy in which the present phase has asked that."""
    whole = campaign.copy()
    desk = whole.desk
    ident = ".".join(part for part in (desk.turn, desk.phase, kind, to, about) if part)
    whole.table(Question).add(Question(question=ident, turn=desk.turn, phase=desk.phase, kind=kind, to=to, about=about,
                                       options=options, status="open"))
    return whole


def contact() -> Campaign:
    """Before the meetings of May, with a choice of Venice's and a spy's question open."""
    whole = asked(year()["1500", "r3.contact"], "choice", "V", "V8/P", "stop, retreat, attack")
    return asked(whole, "spy", "V", "", "P-1, P-2")


# --- lines in Italian ---------------------------------------------------------------------------
@pytest.mark.parametrize(("line", "kind", "answer"), [
    ("V: choice V8/P attack", "choice", "attack"), ("V: scelta V8/P attaccare", "choice", "attaccare"),
    ("V: Scelta V8/P indietro", "choice", "indietro"), ("V: spia P-2", "spy", "P-2"), ("V: spy P-1", "spy", "P-1")])
def test_an_answer_may_begin_with_the_italian_word(line: str, kind: str, answer: str) -> None:
    """A question is called as the Italian sheet calls it, or by its code."""
    whole = contact()
    sorted_line = classify_line(line, GIGLIO, whole)
    question = find_question(sorted_line.words, GIGLIO, whole, sorted_line.faction)

    assert sorted_line.kind == "answer"
    assert question is not None
    assert (question.kind, question.answer) == (kind, answer)


@pytest.mark.parametrize("line", ["V: spia V8", "V: spia in V8", "V: spy V8"])
@pytest.mark.parametrize("open_question", [True, False])
def test_an_order_that_begins_like_an_answer_stays_an_order(line: str, open_question: bool) -> None:
    """A spy is hired by the same word: where no open question takes what follows, it is an order."""
    whole = contact() if open_question else year()["1500", "r3.move"]

    assert classify_line(line, GIGLIO, whole).kind == "order"


@pytest.mark.parametrize("kind", sorted(GIGLIO.questions))
@pytest.mark.parametrize("lang", ["it", "en"])
def test_every_kind_of_question_is_understood_in_both_languages(kind: str, lang: str) -> None:
    """Also where its word is several."""
    word = Wording(GIGLIO, lang).word(kind)

    assert kind_and_rest(f"{word} V8 qualcosa", GIGLIO) == (kind, "V8 qualcosa")
    assert kind_and_rest(f"{kind} V8", GIGLIO) == (kind, "V8")


@pytest.mark.parametrize(("line", "kind"), [
    ("dado siege:V8:1500:3 5", "die"), ("dadi auto:B:V 4+5 2d6", "die"), (f"battaglia {NAME} a 45 70", "battle"),
    ("V: V8 F7", "order"), ("guarnigione V9 da V-1", "order"), ("scelte V8", "order")])
def test_dice_battles_and_orders_keep_their_words(line: str, kind: str) -> None:
    """Italian words for dice and battles; what only resembles a question's word is none."""
    assert classify_line(line, GIGLIO, year()["1500", "r3.move"]).kind == kind


def test_an_italian_die_has_its_parts() -> None:
    """Purpose, value, dice."""
    assert split_die("dado siege:V8:1500:3 5") == ("siege:V8:1500:3", "5", "")


def test_a_battle_form_is_filled_by_italian_headings() -> None:
    """Headings as the Italian sheet has them, with a line for blanks; a heading that is none is refused."""
    whole = year()[BATTLE]
    italian = {name: Battle.column(name).it.casefold().replace(" ", "_") for name in ("winner", "losses_a", "losses_b")}

    told = f"{italian['winner']}=a {italian['losses_a']}=12 {italian['losses_b']}=34"
    rows = put_battle_line(f"battaglia {NAME} {told}", GIGLIO, whole, [])

    assert isinstance(rows, list)
    (row,) = rows
    assert [getattr(row, name) for name in italian] == ["a", 12, 34]
    with pytest.raises(UnreadableValue):
        put_battle_line(f"battaglia {NAME} bottino=3", GIGLIO, whole, [])


# --- judged beforehand ----------------------------------------------------------------------------
def codes_of(campaign: Campaign) -> list[tuple[str, str, str]]:
    """What is found beforehand: code, row, field."""
    return [(f.code, f.where.row, f.where.field) for f in check_ahead(GIGLIO, campaign)]


@pytest.mark.parametrize(("kind", "about", "options", "answer", "good"), [
    ("choice", "V8/P", "stop, retreat, attack", "attaccare", True),
    ("choice", "V8/P", "stop, retreat, attack", "Indietro", True),
    ("choice", "V8/P", "stop, retreat, attack", "shut_in", False),
    ("choice", "V8/P", "stop, retreat, attack", "perhaps", False),
    ("ally_confirm", "M", "accept, refuse", "sì", True),
    ("ally_confirm", "M", "accept, refuse", "vedremo", False),
    ("spy", "", "P-1, P-2, P-3", "p-1, P-3", True),
    ("spy", "", "P-1, P-2, P-3", "P-1 F-1", False),
    ("retreat_to", "B/V-1", "V9, V10", "v10", True),
    ("retreat_to", "B/V-1", "V9, V10", "V8", False),
    ("bribe", "V8", "", "a heap", False), ("bribe", "V8", "", "900", True)])
def test_an_answer_is_held_against_its_options(kind: str, about: str, options: str, answer: str, good: bool) -> None:
    """Both languages and every word that the phase takes; how much a chest holds is left to the phase."""
    whole = asked(year()["1500", "r3.contact"], kind, "V", about, options)
    row = whole.table(Question).where(lambda q: q.status == "open")[0]
    row.answer = answer

    code = "GIG-109" if kind == "retreat_to" else "GIG-100"
    assert codes_of(whole) == ([] if good else [(code, row.question, "answer")])


@pytest.mark.parametrize(("form", "found"), [
    ({"mode": "played", "winner": "a", "losses_a": 10, "losses_b": 20}, []),
    ({"mode": "played", "winner": "a", "losses_a": 10, "losses_b": 2000}, [("GIG-103", NAME, "losses_b")]),
    ({"mode": "played", "winner": "nobody", "losses_a": 10, "losses_b": 20}, [("GIG-104", NAME, "winner")]),
    ({"mode": "auto"}, []), ({}, [])])
def test_a_result_is_judged_before_the_battles(form: dict[str, object], found: list[tuple[str, str, str]]) -> None:
    """Losses above the strength and a winner that is none, as the phase would find them, and nothing is changed."""
    whole = year()[BATTLE].copy()
    battle = whole.table(Battle)[NAME]
    for name in ("mode", "winner", "losses_a", "losses_b"):
        setattr(battle, name, form.get(name, ""))
    before = battle.as_text()

    assert [code for code in codes_of(whole) if code[1] == NAME] == found
    assert battle.as_text() == before


@pytest.mark.parametrize(("row", "found"), [
    ({"phase": "r5", "verb": "conquer", "unit": "V-1"}, ["GIG-001"]),
    ({"phase": "r5", "verb": "loan", "amount": 20}, ["GIG-002"]),
    ({"phase": "r5", "text": "what is this"}, ["GIG-011"]),
    ({"phase": "r5", "verb": "move", "unit": "V-9", "path": "V8 V9"}, []),
    ({"phase": "r5", "verb": "move", "unit": "V-1", "path": "V8 V88"}, ["GIG-005"]),
    ({"phase": "r5", "verb": "move", "unit": "M-1", "path": "V8 V9"}, ["GIG-004"]),
    ({"phase": "r5", "verb": "move", "unit": "V-1", "path": "V8 V9", "amount": "#VALUE!"}, ["GIG-007"]),
    ({"phase": "r5", "verb": "split", "unit": "V-1", "amount": "fifty"}, ["GIG-007"]),
    ({"phase": "r5", "verb": "pay", "partner": "XX", "amount": 5}, ["GIG-010"]),
    ({"phase": "r5", "verb": "fortify", "target": "V88"}, ["GIG-005"]),
    ({"phase": "r5", "text": "V-1 V8 V88"}, ["GIG-005"]),
    ({"phase": "r2", "verb": "conquer"}, []),
    ({"phase": "r5", "verb": "conquer", "turn": "1501"}, [])])
def test_orders_for_later_rounds_are_judged_by_what_no_round_changes(row: dict[str, Any], found: list[str]) -> None:
    """A verb that does not belong there, a place that is none, a unit of others, an amount that is no number; what only
    the round can know is left to it.
    """
    whole = year()["1500", "r3.move"].copy()
    for old in [o for o in whole.table(Order) if not o.status]:
        whole.table(Order).remove(old.ident)
    whole.table(Order).add(Order(**{"order": "early", "turn": "1500", "faction": "V", **row}))

    assert [code for code, ident, _ in codes_of(whole) if ident == "early"] == found
    assert whole.table(Order)["early"].status == ""


def test_a_name_in_full_answers_no_other_question() -> None:
    """One meeting is open and asked of Venice; a line that names another one is not taken for this one's answer."""
    whole = contact()
    own = find_question("choice/V8/P attack", GIGLIO, whole, "V")

    assert own is not None
    assert (own.about, own.answer) == ("V8/P", "attack")
    assert find_question("choice/V9/M attack", GIGLIO, whole, "V") is None
