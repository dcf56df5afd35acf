"""Typed and standing answers in the two rulebooks: as lines are typed, and what their phases are given."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Question
from assistant.desk.intake.line_parser import classify_line, find_question
from assistant.desk.intake.take_orders import Merge
from assistant.desk.play_phase import ResolveOptions, with_robot_orders
from assistant.rulesets.giglio.records import Contact, Node
from assistant.testing import robots
from assistant.turn.phases import Outcome, resolve
from assistant.turn.ruleset import Ruleset
from tests.anarchy import cases as anarchy
from tests.anarchy import test_robots as anarchy_robots
from tests.giglio import cases as giglio
from tests.giglio import test_robots as giglio_robots

GIGLIO, ANARCHY = giglio.giglio(), anarchy.anarchy()
MEETING: dict[str, Any] = {
    "armies": "M-1 90 M5, V-1 70 V8 trail=V9, P-1 50 P8, F-1 60 F8 trail=F7",
    "orders": "M move M-1 M5 V8\nP stay P-1\nF stay F-1"}
COMPANY: dict[str, Any] = {"armies": "A1 r 0605 S9 noble=N1 money=50, E1 a 0606 S9 noble=E1:5:2",
                           "orders": "r MOVE A1 0606"}


def typed(ruleset: Ruleset, campaign: Campaign, *lines: str) -> Campaign:
    """The campaign with lines taken in, as `arbitro orders` takes them."""
    after = campaign.copy()
    merge = Merge(ruleset, campaign, after)
    for text in lines:
        line = classify_line(text, ruleset, after)
        assert line.kind == "answer", text
        question = find_question(line.words, ruleset, after, line.faction)
        assert question is not None, text
        taken = merge.take(question)
        assert taken.how in ("new", "changed"), taken.finding
    return after


def put(outcome: Outcome) -> list[str]:
    """To whom questions are put."""
    return [q.to for q in outcome.questions]


def meeting(*lines: str) -> Outcome:
    """Milan has come to V8 where Venice stands: the meeting, after lines."""
    start = giglio.build("r3.move r3.contact", **MEETING)
    return resolve(GIGLIO, typed(GIGLIO, resolve(GIGLIO, start, giglio.SECRET).campaign, *lines), giglio.SECRET)


@pytest.mark.parametrize("line", [
    "V: choice stop until changed", "V: scelta fermarsi fino a nuovo avviso", "V: choice M stop until changed",
    "V: Scelta M ferma fino a nuovo avviso", "V: choice V8 stop until changed", "V: choice V8/M to stop until changed"])
def test_the_choice_at_meetings_may_stand(line: str) -> None:
    """For every meeting, for those with one faction, or at one place (12.2)."""
    outcome = meeting(line)

    assert put(outcome) == ["M"]
    ended = resolve(GIGLIO, typed(GIGLIO, outcome.campaign, "M: choice retreat until changed"), giglio.SECRET)
    assert ended.done
    (contact,) = ended.campaign.table(Contact)
    assert (contact.choice_hand, contact.choice_other) == ("retreat", "stop")


@pytest.mark.parametrize("line", ["V: choice P stop until changed", "V: choice shut_in until changed",
                                  "V: choice - until changed", "V: bribe 0 until changed"])
def test_what_does_not_fit_the_meeting_leaves_it_asked(line: str) -> None:
    """Another opponent, a choice that is not offered here, none, another kind of question."""
    assert put(meeting(line)) == ["M", "V"]


def test_bribes_may_stand_too() -> None:
    """None for any siege, until there is reason for one."""
    start = giglio.build("r4.siege", armies="M-1 90 V8", nodes="V8 walls=intact", sieges="V8 M 1")
    assert put(resolve(GIGLIO, start, giglio.SECRET)) == ["M"]
    assert resolve(GIGLIO, typed(GIGLIO, start, "M: bribe 0 until changed"), giglio.SECRET).done
    assert resolve(GIGLIO, typed(GIGLIO, start, "M: corruzione 0 fino a nuovo avviso"), giglio.SECRET).done


def test_a_treaty_is_accepted_each_time_anew() -> None:
    """Only refusing may stand: nobody agrees to terms that he has not read."""
    kind = GIGLIO.questions["ally_confirm"].stands
    assert kind is not None
    assert list(kind.possible_answers(())) == ["refuse"]


@pytest.mark.parametrize("text", ["accettare", "Accetta", "accetto", "sì", "ACCEPT", "to accept", "yes"])
def test_a_treaty_is_accepted_in_any_of_the_words(text: str) -> None:
    """12.2: the imperative, the infinitive, and what one says."""
    after = giglio.case("budget", orders="V ally P passage 1502", answers=f"ally_confirm P V = {text}",
                        findings="o1 GIG-090")
    assert after.treaty("P", "V").status == "active"


@pytest.mark.parametrize(("answer", "node"), [("V9", "V9"), ("udine", "V9"), ("Ancona", "V11")])
def test_a_way_back_may_be_called_by_its_name(answer: str, node: str) -> None:
    """12.2: a beaten army goes where its club says, by code or by name."""
    start = giglio.build(
        "r3.battle", armies="M-1 100 V8, V-1 100 V8", nodes="V9 name=Udine, V11 name=Ancona", roads="V8 V11",
        battles="B1500.3.V8 played a 5 10 type=field node=V8 round=3 turn=1500 side_a=M side_b=V armies_a=M-1 "
                "armies_b=V-1 value_a=100 value_b=100 status=open",
        answers=f"retreat_to V B1500.3.V8/V-1 = {answer}")
    ended = resolve(GIGLIO, start, giglio.SECRET)
    assert ended.done, ended.findings
    assert ended.campaign.by_sheet("Armies")["V-1"].node == node
    assert ended.campaign.table(Node)["V9"].name == "Udine"


@pytest.mark.parametrize("lines", [("r: attack pass until changed", "a: contest pass until changed"),
                                   ("r: attack E1 pass fino a nuovo avviso", "a: contest A1 passa until changed")])
def test_standing_answers_in_the_anarchy(lines: tuple[str, ...]) -> None:
    """5: what two groups do that meet, on any day or whenever it is that one."""
    start = anarchy.build("movement", **COMPANY)
    assert sorted(q.kind for q in resolve(ANARCHY, start, anarchy.SECRET).questions) == ["attack", "contest"]

    everywhere = [line.replace("r:", "royal:").replace("a:", "angevin:") for line in lines]
    ended = resolve(ANARCHY, typed(ANARCHY, start, *everywhere, "royal: standoff si ritira until changed"),
                    anarchy.SECRET, {"retreat/A1/0606": "default"})

    assert ended.done, ended.questions
    rows = [q for q in ended.campaign.by_sheet("Questions") if isinstance(q, Question) and not q.stands
            and q.kind != "retreat"]
    assert {(q.kind, q.answer, q.status, bool(q.asked.get("standing"))) for q in rows} == {
        ("attack", "pass", "answered", True), ("contest", "pass", "answered", True),
        ("standoff", "withdraw", "answered", True)}
    assert not [f for f in ended.findings if f.code == "ANA-902"]


def test_of_several_wrong_answers_each_is_named() -> None:
    """One fault hides no other, whether of the same question or of another."""
    start = giglio.build("r3.move r3.contact", **MEETING)
    start = resolve(GIGLIO, start, giglio.SECRET).campaign
    stopped = resolve(GIGLIO, start, giglio.SECRET).campaign
    for question in stopped.table(Question):
        question.answer = "Gascony"

    again = resolve(GIGLIO, stopped, giglio.SECRET)

    assert [(f.code, f.where.row) for f in again.findings] == [
        ("GIG-100", "1500.r3.contact.choice.M.V8/V"), ("GIG-100", "1500.r3.contact.choice.V.V8/M")]
    assert put(again) == ["M", "V"]


# --- whatever is typed ------------------------------------------------------------------------------
PHASES = {"giglio": 25, "anarchy": 19}
"""How far robots play: Il Giglio into summer, The Anarchy three days."""
FREE = ("name",)
"""Kinds that take any words."""


def openings(tmp_path: Any) -> list[tuple[Ruleset, Campaign, int]]:
    """Both rulebooks' scenarios with robots."""
    found: list[tuple[Ruleset, Campaign, int]] = []
    for name, ruleset, module in (("giglio", GIGLIO, giglio_robots), ("anarchy", ANARCHY, anarchy_robots)):
        (tmp_path / name).mkdir()
        found.append((ruleset, module.opening(tmp_path / name), PHASES[name]))
    return found


def told_at(outcome: Outcome) -> dict[str, str]:
    """Key of a row of Questions -> the code of what is wrong with its answer."""
    return {f.where.row: f.code for f in outcome.findings if f.where.table == "Questions" and f.stops}


@pytest.mark.slow
def test_no_question_of_either_book_takes_just_anything_and_each_takes_its_default(tmp_path: Any) -> None:
    """Robots play on; at each question somebody first types what is none of its answers, then its default."""
    for ruleset, campaign, phases in openings(tmp_path):
        kinds = set[str]()
        for _ in range(phases):
            campaign, _ = with_robot_orders(ruleset, campaign, ResolveOptions())
            answers: dict[str, str] = {}
            outcome = resolve(ruleset, campaign, giglio.SECRET, answers)
            while not outcome.done:
                asked = [q for q in outcome.questions if q.kind not in (*FREE, "battle_result")]
                kinds |= {q.kind for q in asked}
                wrong = resolve(ruleset, campaign, giglio.SECRET,
                                answers | {q.question: "Gascony" for q in asked})
                assert told_at(wrong).keys() == {q.ident for q in asked}, (outcome.phase, told_at(wrong))
                assert {q.ident for q in asked} <= {q.ident for q in wrong.questions}
                meant = resolve(ruleset, campaign, giglio.SECRET,
                                answers | {q.question: q.default for q in asked if q.default})
                assert not told_at(meant).keys() & {q.ident for q in asked if q.default}, told_at(meant)
                answers |= robots.answers_to(ruleset, outcome, robots.default_judge(ruleset))
                outcome = resolve(ruleset, campaign, giglio.SECRET, answers)
            campaign = outcome.campaign
        assert len(kinds) > 2, kinds
