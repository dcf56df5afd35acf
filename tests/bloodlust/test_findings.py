"""Every finding of Bloodlust nations, each in a small case of its own."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.campaign.records import Question, Road
from assistant.rulesets.bloodlust.records import Order
from assistant.turn.findings import Finding, Where
from assistant.turn.questions import check_answer
from assistant.wording import Wording
from tests.bloodlust.scenario import BLOODLUST, codes, ground, play, row, told

WAR = {"W1": {"aggressor": "VOR", "target": "SEK", "began": "987Sp"}}
PACT = {"VOR/SEK": {"since": "986Fa"}}
ENFORCED = {"E1": {"winner": "SEK", "loser": "VOR", "from_year": "987", "until_year": "990", "war": "W1"}}
SIEGE = {"G1": {"node": "V3", "besieger": "SEK", "armies_out": "SEK-a1", "armies_in": "VOR-a2", "start_node": "S3",
                "began": "986Fa"}}
NEAR = {"VOR-a1": {"node": "V3"}}
CASES: list[tuple[str, str, str, dict[str, Any], str]] = [
    ("BLD-001", "987Sp", "war", {}, "VOR: balla SEK"),
    ("BLD-001", "987Sp", "war", {}, "VOR: buy 2"),
    ("BLD-002", "987Sp", "muster", {}, "VOR: join u99 a1"),
    ("BLD-003", "987Sp", "muster", {}, "VOR: join SEK-u1 a1"),
    ("BLD-004", "987Wi", "war", {}, "VOR: war SEK"),
    ("BLD-004", "987Su", "recruit", {}, "VOR: hero a1"),
    ("BLD-005", "987Sp", "recruit", {}, "VOR: recruit -3"),
    ("BLD-009", "987Sp", "recruit", {"Factions": {"VOR": {"alive": False}}}, "VOR: recruit 3"),
    ("BLD-009", "987Sp", "war", {"Factions": {"SEK": {"alive": False}}}, "VOR: war SEK"),
    ("BLD-009", "987Sp", "war", {"Factions": {"SEK": {"alive": False}}}, "VOR: peace SEK"),
    ("BLD-010", "987Sp", "recruit", {}, "VOR: buy 6"),
    ("BLD-011", "987Sp", "recruit", {"Factions": {"VOR": {"resources": 1}}}, "VOR: buy 2"),
    ("BLD-012", "987Fa", "recruit", {}, "VOR: buy 2"),
    ("BLD-013", "987Sp", "recruit", {}, "VOR: hero a1"),
    ("BLD-014", "987Sp", "recruit", {"Factions": {"VOR": {"rolls": 1}}}, "VOR: recruit 2"),
    ("BLD-016", "987Sp", "recruit", {}, "THU: recruit 2"),
    ("BLD-020", "987Sp", "muster", {}, "VOR: form a1 V6"),
    ("BLD-021", "987Sp", "muster", {}, "VOR: form a3 S1"),
    ("BLD-022", "987Su", "muster", {}, "VOR: join u4 a1"),
    ("BLD-023", "987Su", "muster", {"Sieges": SIEGE}, "VOR: dismiss u4"),
    ("BLD-024", "987Su", "muster", {"Leaders": {"VOR-m1": {"state": "wounded", "until_turn": "988Sp"}}},
     "VOR: lead m1 a2"),
    ("BLD-025", "987Sp", "muster", {"Units": {"VOR-u1": {"army": "VOR-a0"}}}, "VOR: forage u1"),
    ("BLD-026", "987Su", "muster", {}, "VOR: forage u1"),
    ("BLD-027", "987Sp", "muster", {}, "VOR: ransom m1"),
    ("BLD-028", "987Su", "muster", {}, "VOR: post a1 S1"),
    ("BLD-029", "987Sp", "muster", {}, "VOR: post a1 S1"),
    ("BLD-030", "987Sp", "war", {}, "VOR: war THU"),
    ("BLD-030", "987Sp", "war", {}, "VOR: war VOR"),
    ("BLD-031", "987Sp", "war", {"Alliances": PACT}, "VOR: war SEK"),
    ("BLD-032", "987Sp", "war", {"Peaces": ENFORCED, "Wars": {"W1": {"aggressor": "VOR", "target": "SEK",
                                                                     "began": "986Sp", "ended": "986Su"}}},
     "VOR: war SEK"),
    ("BLD-033", "987Sp", "war", {"Relations": {"VOR/SEK": {"no_attack_until": "987"}}}, "VOR: war SEK"),
    ("BLD-034", "987Sp", "war", {"Wars": WAR}, "VOR: war SEK"),
    ("BLD-035", "987Sp", "war", {}, "VOR: peace SEK"),
    ("BLD-036", "987Sp", "war", {}, "VOR: break SEK"),
    ("BLD-040", "987Sp", "invade", {"Wars": WAR, "Leaders": {"VOR-m1": {"army": ""}}}, "VOR: invade a1 S3"),
    ("BLD-041", "987Sp", "invade", {"Wars": WAR, "Leaders": {"VOR-m1": {"army": "VOR-a9"}},
                                    "Armies": {"VOR-a9": {"faction": "VOR", "node": "V3"}}}, "VOR: invade a9 S3"),
    ("BLD-042", "987Sp", "invade", {"Wars": WAR, "Sieges": SIEGE}, "VOR: invade a2 S3"),
    ("BLD-043", "987Sp", "invade", {"Armies": NEAR}, "VOR: invade a1 S3"),
    ("BLD-044", "987Sp", "invade", {"Wars": WAR, "Armies": {"VOR-a1": {"node": "V7", "posted_turn": "987Sp"}}},
     "VOR: invade a1 S3"),
    ("BLD-045", "987Sp", "invade", {"Wars": WAR, "Armies": NEAR}, "VOR: invade a1 S3 via V4"),
    ("BLD-046", "987Wi", "invade", {"Wars": WAR, "Armies": NEAR}, "VOR: invade a1 S3"),
    ("BLD-047", "987Sp", "invade", {"Wars": WAR, "Sieges": {"G1": {
        "node": "S1", "besieger": "PIO", "armies_out": "PIO-a2", "armies_in": "SEK-a1", "start_node": "P2",
        "began": "986Fa"}}, "Armies": {"VOR-a1": {"node": "V2"}, "SEK-a1": {"node": "S1"}, "PIO-a2": {"node": "S1"}}},
     "VOR: invade a1 S1"),
    ("BLD-048", "987Sp", "invade", {}, "VOR: lift S3"),
    ("BLD-070", "987Wi", "envoys", {}, "VOR: envoy VOR"),
    ("BLD-070", "987Wi", "envoys", {"Factions": {"SEK": {"alive": False}}}, "VOR: envoy SEK"),
]


@pytest.mark.parametrize(("code", "turn", "phase", "rows", "line"), CASES, ids=lambda one: one if isinstance(
    one, str) and one.startswith("BLD") else "")
def test_an_order_has_its_finding(code: str, turn: str, phase: str, rows: dict[str, Any], line: str) -> None:
    """One row, one finding, in check and in the phase alike; an error refuses the row, a warning lets it stand."""
    outcome = play(ground(turn, phase, **rows), [line])
    assert codes(outcome, "o1") == [code]
    if outcome.done:
        stops = BLOODLUST.findings[code].severity == "error"
        assert row(outcome, "Orders", "o1").status == ("refused" if stops else "accepted")


def test_rows_alike_count_once() -> None:
    """BLD-006: the second of two rows alike counts no more."""
    outcome = play(ground("987Sp", "recruit"), ["VOR: buy 2", "VOR: compra 2"])
    assert codes(outcome, "o2") == ["BLD-006"]
    assert row(outcome, "Factions", "VOR").bought == 2


def test_who_returns_to_his_first_word_has_it() -> None:
    """BLD-007: of two rows alike with another between them the last counts, not the one between."""
    outcome = play(ground("987Sp", "muster"), ["VOR: comanda m1 a2", "VOR: comanda m1 a0", "VOR: comanda m1 a2"])
    assert [codes(outcome, f"o{n}") for n in (1, 2, 3)] == [["BLD-007"], ["BLD-007"], []]
    assert row(outcome, "Leaders", "VOR-m1").army == "VOR-a2"


def test_the_later_row_counts() -> None:
    """BLD-007: of two marches of one army the later is made."""
    outcome = play(ground("987Su", "muster"), ["VOR: post a2 V2", "VOR: sposta a2 V5"])
    assert codes(outcome, "o1") == ["BLD-007"]
    assert row(outcome, "Orders", "o1").status == "replaced"
    assert row(outcome, "Armies", "VOR-a2").node == "V5"


def test_orders_of_ones_own_go_before_leaving_a_phase_to_the_rules() -> None:
    """BLD-007 at a `delegate` beside another order says that the orders count, wherever they stand."""
    outcome = play(ground("987Sp", "recruit"), ["VOR: delega", "VOR: compra 2"])
    findings = [finding for finding in outcome.findings if finding.code.startswith("BLD")]
    assert [row(outcome, "Orders", key).status for key in ("o1", "o2")] == ["replaced", "accepted"]
    assert [Wording(BLOODLUST, lang).finding(finding) for finding in findings for lang in ("en", "it")] == [
        "No. 1 leaves the phase to the rules, but no. 2 is an order: your orders count, no. 1 does not.",
        "Il n. 1 lascia la fase alle regole, ma il n. 2 è un ordine: valgono i tuoi ordini, il n. 1 no."]


def test_a_row_of_a_turn_that_is_over() -> None:
    """BLD-008: nothing of the past is ordered."""
    campaign = ground("987Su", "recruit")
    campaign.table(Order).add(Order(order="late", turn="987Sp", phase="recruit", faction="VOR", verb="buy", amount=1))
    assert codes(play(campaign), "late") == ["BLD-008"]
    found = BLOODLUST.late_order(Order(order="x", turn="986Wi", faction="VOR"), campaign)
    assert found is not None
    assert found.code == "BLD-008"


@pytest.mark.parametrize(("turn", "word", "verb", "following"), [
    ("987Sp", "envoys", "envoy", "987Wi"), ("987Wi", "recruit", "recruit", "988Sp")])
def test_a_row_of_a_phase_that_its_season_has_not(turn: str, word: str, verb: str, following: str) -> None:
    """BLD-004: no envoys in Spring, no recruiting in Winter; the row is told where to go, and holds up nobody."""
    campaign = ground(turn, "muster")
    campaign.table(Order).add(Order(order="early", turn=turn, phase=word, faction="VOR", verb=verb, target="DER"))
    outcome = play(campaign)
    assert outcome.done
    assert codes(outcome, "early") == ["BLD-004"]
    assert row(outcome, "Orders", "early").status == "refused"
    assert [finding.data["next"] for finding in outcome.findings if finding.code == "BLD-004"] == [following]


@pytest.mark.parametrize(("turn", "phase", "line", "following"), [
    ("987Su", "recruit", "VOR: hero a1", "988Sp"), ("987Fa", "recruit", "VOR: eroe a1", "988Sp"),
    ("987Wi", "war", "VOR: war SEK", "988Sp")])
def test_an_order_that_its_season_has_not(turn: str, phase: str, line: str, following: str) -> None:
    """BLD-004: heroes offer themselves in Spring, and in Winter only peoples of winter war begin one."""
    outcome = play(ground(turn, phase), [line])
    assert [finding.data["next"] for finding in outcome.findings if finding.code == "BLD-004"] == [following]


def test_nobody_is_asked_whether_he_meant_what_he_wrote() -> None:
    """BLD-002: of what was typed and is out of play something else that is in play is offered, or nothing."""
    rows: dict[str, Any] = {"Factions": {"SEK": {"alive": False}}, "Armies": {"VOR-a2": {"state": "gone"}},
                            "Leaders": {"PIO-m1": {"state": "dead"}}}
    outcome = play(ground("987Sp", "muster", **rows), ["VOR: post a2 V3", "VOR: release PIO-m1"])
    near = {finding.where.row: finding.data["near"] for finding in outcome.findings if finding.code == "BLD-002"}
    assert sorted(near) == ["o1", "o2"]
    assert not {"VOR-a2", "PIO-m1"} & set(near.values())


def test_rolls_lapse_in_fall() -> None:
    """BLD-015: what is left over after Fall's recruiting is lost."""
    outcome = play(ground("987Fa", "recruit", Factions={"VOR": {"rolls": 2}}))
    assert codes(outcome, "VOR") == ["BLD-015"]
    assert row(outcome, "Factions", "VOR").rolls == 0


def test_no_envoy_and_one_too_many() -> None:
    """BLD-071, BLD-072: one envoy a Winter; who names none leaves it to the die."""
    outcome = play(ground("987Wi", "envoys"), ["VOR: inviato DER", "VOR: inviato SEK"])
    assert codes(outcome, "o1") == ["BLD-071"]
    assert codes(outcome, "BAT") == ["BLD-072"]


# --- answers ----------------------------------------------------------------------------------------
def invaded(**more: Any) -> Any:
    """SEK enters V3, where VOR's second army stands."""
    return ground("987Su", "invade", Wars=WAR, Armies={"VOR-a1": {"node": "V5"}}, **more)


def test_an_answer_that_is_none() -> None:
    """BLD-050: the question stays open."""
    outcome = play(invaded(), ["SEK: invade a1 V3"], answers={"response/V3": ("VOR", "fight VOR-a9")})
    assert "BLD-050" in codes(outcome)
    assert not outcome.done


@pytest.mark.parametrize(("to", "done"), [("VOR", True), ("vor", True), ("", True), ("referee", True), ("SEK", False)])
def test_an_answer_of_another_nation_is_none(to: str, done: bool) -> None:
    """ARB-308: it is taken off, and the question is put to whom it is for."""
    outcome = play(invaded(), ["SEK: invade a1 V3"], answers={"response/V3": (to, "fight")})
    assert outcome.done is done
    assert [dict(finding.data) for finding in outcome.findings if finding.code == "ARB-308"] == [
        {"answer": "fight", "faction": "SEK"}] * (not done)
    assert [(question.to, question.answer) for question in outcome.questions] == [("VOR", "")] * (not done)


def test_all_units_may_be_kept() -> None:
    """`tutte` names each of those that are offered."""
    nations = ("VOR", "DER", "PIO", "BAT", "SEK")
    kept = play(ground("987Wi", "winter"), dice={f"disband/VOR-u{n}": "1+6" for n in range(1, 4)},
                answers={f"keep/{code}": (code, "tutte" if code == "VOR" else "none") for code in nations})
    asked = row(kept, "Questions", "keep/VOR/987Wi/winter").options.split(", ")
    assert [event["units"].split() for event in told(kept, "kept") if event["faction"] == "VOR"] == [asked[:-1]]


@pytest.mark.parametrize(("kind", "good", "wrong"), [
    ("response", ("fight", "Combatti a1", "fort", "levy", "leva", "contrattacca a2", "fight VOR-a1+VOR-a2", "default"),
     ("boh", "invader SEK-a1", "relief")),
    ("keep", ("VOR-u3", "u4, u3", "none", "nessuna", "VOR-u4+VOR-u3", "tutte", "All"), ("boh", "u99"))])
def test_an_answer_is_taken_when_its_question_stands(kind: str, good: tuple[str, ...], wrong: tuple[str, ...]) -> None:
    """What is handed in after the question is judged by the question's list: what may be good is not refused."""
    asked = play(invaded(Units={"VOR-u4": {"army": "VOR-a2"}}), ["SEK: invade a1 V3"]) if kind == "response" else play(
        ground("987Wi", "winter"), dice={f"disband/VOR-u{n}": "1+6" for n in range(1, 5)})
    question = next(one for one in asked.campaign.by_sheet("Questions") if one.kind == kind and one.to == "VOR")
    taken = []
    for question.answer in (*good, *wrong):
        taken += [question.answer] * (check_answer(BLOODLUST.questions, BLOODLUST.findings, asked.campaign,
                                                 question) is None)
    assert taken == list(good)


def test_an_army_answers_once() -> None:
    """BLD-051: one that is named in two provinces fights in the first."""
    campaign = invaded(Leaders={"SEK-c1": {"army": "SEK-a2"}, "VOR-c1": {"army": "VOR-a2"}},
                       Units={"SEK-u3": {"army": "SEK-a2"}, "VOR-u4": {"army": "VOR-a0"}, "VOR-u3": {"army": "VOR-a1"}})
    campaign.by_sheet("Armies").add(BLOODLUST.record("Armies").from_values(
        {"army": "SEK-a2", "faction": "SEK", "node": "S1"}))
    outcome = play(campaign, ["SEK: invade a1 V3", "SEK: invade a2 V2"],
                   answers={"response/V2": ("VOR", "levy"), "response/V3": ("VOR", "fight VOR-a1")})
    assert outcome.done
    campaign.by_sheet("Armies")["VOR-a1"].node = "V1"
    twice = play(campaign, ["SEK: invade a1 V3", "SEK: invade a2 V2"],
                 answers={"response/V2": ("VOR", "fight VOR-a1"), "response/V3": ("VOR", "fight VOR-a1")})
    assert codes(twice) == ["BLD-051"]


def test_a_default_is_said() -> None:
    """BLD-053: while an answer is missing, and where it is left to the default: which that is."""
    for answers in (None, {"response/V3": ("VOR", "default")}):
        outcome = play(invaded(), ["SEK: invade a1 V3"], answers=answers)
        assert outcome.done is bool(answers)
        assert [(finding.faction, dict(finding.data)) for finding in outcome.findings if finding.code == "BLD-053"] == [
            ("VOR", {"faction": "VOR", "default": "fight"})]


def test_more_kept_than_money() -> None:
    """BLD-052: the first named are kept."""
    campaign = ground("987Wi", "winter", Factions={"VOR": {"resources": 1}}, rules={"winter_nm_checks": "one"})
    dice = {f"disband/VOR-u{n}": "1+6" for n in range(1, 5)}
    normal = [unit.unit for unit in campaign.by_sheet("Units") if unit.faction == "VOR" and unit.morale == "normal"]
    others = {f"keep/{code}": (code, "none") for code in ("DER", "PIO", "BAT", "SEK")}
    outcome = play(campaign, dice=dice, answers={"keep/VOR": ("VOR", " ".join(normal[:2])), **others})
    assert "BLD-052" in codes(outcome)
    assert [row(outcome, "Units", unit).state for unit in normal[:2]] == ["active", "disbanded"]


# --- forms ------------------------------------------------------------------------------------------
def fought(winner: str = "attacker", retreat: str = "none", rules: dict[str, str] | None = None, **units: Any) -> Any:
    """A battle of SEK-a1 against VOR-a2 in V3, with its form."""
    return play(ground("987Su", "battle", rules=rules, Wars=WAR, Battles={"987Su-1": {
        "turn": "987Su", "node": "V3", "kind": "field", "attacker": "SEK", "defender": "VOR", "winner": winner,
        "attacker_armies": "SEK-a1", "defender_armies": "VOR-a2", "start_node": "S3", "starts": "SEK-a1=S3",
        "status": "open", "retreat": retreat}}, **units))


@pytest.mark.parametrize(("code", "winner", "retreat", "rows"), [
    ("BLD-060", "nobody", "none", {}),
    ("BLD-061", "attacker", "attacker", {}),
    ("BLD-061", "draw", "defender", {}),
    ("BLD-062", "attacker", "none", {"BattleUnits": {"987Su-1/VOR-u1": {"hits": 1}}}),
    ("BLD-062", "attacker", "none", {"BattleLeaders": {"987Su-1/PIO-m1": {"down": True}}}),
    ("BLD-063", "attacker", "none", {"BattleUnits": {"987Su-1/SEK-u1": {"hits": "tre"}}}),
    ("BLD-063", "attacker", "none", {"BattleUnits": {"987Su-1/SEK-u1": {"hits": -1}}}),
])
def test_a_form_that_cannot_be(code: str, winner: str, retreat: str, rows: dict[str, Any]) -> None:
    """The phase waits, and says what is wrong."""
    outcome = fought(winner, retreat, **rows)
    assert code in codes(outcome)
    assert not outcome.done


@pytest.mark.parametrize(("answer", "code"), [("boh", "BLD-060"), ("attacker attacker", "BLD-061")])
def test_an_answer_that_is_no_result(answer: str, code: str) -> None:
    """What is answered in a line is judged as the form is: the phase waits."""
    campaign = fought("").campaign
    campaign.by_sheet("Questions").remove("battle/987Su-1/987Su/battle")
    outcome = play(campaign, answers={"battle/987Su-1": ("referee", answer)})
    assert code in codes(outcome)
    assert not outcome.done


def test_a_club_reports_its_units_and_commanders() -> None:
    """Each club types what befell its own, in one answer; of the other side's half nothing counts."""
    campaign = fought("").campaign
    campaign.by_sheet("Questions").remove("battle/987Su-1/987Su/battle")
    outcome = play(campaign, answers={
        "battle/987Su-1": ("referee", "confirmed"),
        "battle/987Su-1/VOR": ("VOR", "attaccante; VOR-u4 3 sì; VOR-c1 sì ritirata; SEK-m1 sì"),
        "battle/987Su-1/SEK": ("SEK", "attacker; SEK-u1 2; SEK-m1 unit_fate=destroyed")})
    assert outcome.done, codes(outcome)
    units, leaders = ({one.ident.partition("/")[2]: one for one in outcome.campaign.by_sheet(sheet)}
                      for sheet in ("BattleUnits", "BattleLeaders"))
    assert (units["VOR-u4"].hits, units["VOR-u4"].routed, units["SEK-u1"].hits) == (3, True, 2)
    assert (leaders["VOR-c1"].down, leaders["VOR-c1"].unit_fate) == (True, "withdrew")
    assert (leaders["SEK-m1"].down, leaders["SEK-m1"].unit_fate) == (False, "destroyed")


@pytest.mark.parametrize("answer", ["attacker; VOR-u99 3", "attacker; PIO-m1 yes", "attacker; VOR-m77 yes"])
def test_an_answer_that_names_somebody_else(answer: str) -> None:
    """BLD-062 also where the referee types rows of units and commanders behind the result."""
    campaign = fought("").campaign
    campaign.by_sheet("Questions").remove("battle/987Su-1/987Su/battle")
    outcome = play(campaign, answers={"battle/987Su-1": ("referee", answer)})
    assert "BLD-062" in codes(outcome)
    assert not outcome.done


def test_a_destroyed_unit_is_not_said_to_be_unhurt() -> None:
    """BLD-064: blank hits of a unit that the form marks as destroyed are no 0 hits."""
    outcome = fought(BattleUnits={"987Su-1/VOR-u4": {"destroyed": True}, "987Su-1/VOR-u3": {"routed": True}})
    (said,) = (str(finding.data["unit"]).split() for finding in outcome.findings if finding.code == "BLD-064" and (
        "VOR" in str(finding.data["unit"])))
    assert ("VOR-u4" in said, "VOR-u3" in said) == (False, True)


def test_a_form_with_remarks() -> None:
    """BLD-064, 065, 066: blank hits are none, all of the beaten are routed where the switch says so, many hits kill."""
    outcome = fought(rules={"loser_routed": "all"}, BattleUnits={"987Su-1/VOR-u4": {"hits": 99}})
    assert {"BLD-064", "BLD-065", "BLD-066"} <= set(codes(outcome))
    assert outcome.done
    assert row(outcome, "Units", "VOR-u4").state == "lost"


# --- data -------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("code", "rows"), [
    ("BLD-080", {"Leaders": {"VOR-m2": {"faction": "VOR", "rank": "marshal"}}}),
    ("BLD-080", {"Leaders": {"ALW-m1": {"faction": "ALW", "rank": "marshal"}}}),
    ("BLD-081", {"Weapons": {"K1": {"bearer": "VOR-c1"}}}),
    ("BLD-084", {"Units": {"VOR-u1": {"army": "SEK-a1"}}}),
    ("BLD-085", {"Nodes": {"V1": {"capital": False}}}),
])
def test_data_that_cannot_be(code: str, rows: dict[str, Any]) -> None:
    """A phase refuses to run while an error stands; a warning only says it."""
    outcome = play(ground(**rows))
    stops = BLOODLUST.findings[code].severity == "error"
    assert code in {finding.code for finding in BLOODLUST.check_data(ground(**rows))}
    assert outcome.done is not stops


def test_frontiers_and_tables_that_cannot_be() -> None:
    """BLD-082, BLD-083: a frontier twice, and a troop table with a gap."""
    campaign = ground()
    campaign.by_sheet("Roads").add(Road(a="V2", b="V1"))
    assert [finding.code for finding in BLOODLUST.check_data(campaign)] == ["BLD-082"]
    campaign = ground()
    campaign.by_sheet("Recruits").remove("VOR/3")
    assert [finding.code for finding in BLOODLUST.check_data(campaign)] == ["BLD-083"]


def test_a_winner_may_be_called_by_name() -> None:
    """The nation's code or name does as well as its side."""
    for winner in ("SEK", "sekeker", "attaccante"):
        outcome = fought(winner)
        assert row(outcome, "Battles", "987Su-1").winner == "attacker"


@pytest.mark.parametrize("answer", ["fight", "combatte", "combatti a2", "leva", "counter a2", "contrattacca VOR-a2",
                                    "fight VOR-a2 invader SEK-a1"])
def test_an_answer_to_an_invasion_may_be_typed_as_the_phase_takes_it(answer: str) -> None:
    """What is typed at an open question is read before its phase as in it, whichever army it names; nonsense is not."""
    asked = play(invaded(), ["SEK: invade a1 V3"])
    question = asked.questions[0]
    for typed, wrong in ((answer, False), ("scappa", True), ("fight badly", True)):
        question.answer = typed
        found = check_answer(BLOODLUST.questions, BLOODLUST.findings, asked.campaign, question)
        assert (found is not None) is wrong


@pytest.mark.parametrize(("kind", "options", "answer"), [
    ("keep", "VOR-u1, VOR-u2, none", "u1..u2"), ("keep", "VOR-u1, none", "nessuna"), ("relief", "fight, lift", ""),
    ("alliance", "yes, no", ""), ("join", "yes, no", ""), ("strength", "courage, logistic", "")])
def test_what_a_question_offers_may_be_typed_as_it_is_offered(kind: str, options: str, answer: str) -> None:
    """In Italian, too; the prefix of the nation need not be typed, before the phase as in it."""
    for typed in [answer] if answer else Wording(BLOODLUST, "it").options(options).split(", "):
        question = Question(question=f"{kind}/VOR", kind=kind, to="VOR", options=options, answer=typed)
        assert check_answer(BLOODLUST.questions, BLOODLUST.findings, ground(), question) is None


def test_what_is_missing_is_said_to_be_missing() -> None:
    """BLD-001, BLD-002, BLD-005: a blank is not quoted as if somebody had typed it."""
    words = Wording(BLOODLUST, "en")
    told = [words.finding(Finding(code, "error", Where("Orders", "o1", field), data)) for code, field, data in (
        ("BLD-001", "verb", {"verb": "", "phase": "recruit", "list": "buy captain"}),
        ("BLD-002", "target", {"id": "", "kind": "army", "near": ""}),
        ("BLD-005", "amount", {"amount": ""}))]
    assert told == ["The row names no order. Use one of buy, captain.",
                    "Nothing is named here. Write a code or a name.",
                    "How many is missing. Type a whole number above 0."]


@pytest.mark.parametrize(("cap", "bought", "words"), [
    ("max_tech", 4, ("6 rolls wanted, you get 4: in a season at most as many as your technology (TECH), 4.",
                     "6 tiri richiesti, ne ricevi 4: in una stagione al massimo quanti la tua tecnologia "
                     "(TECH), 4.")),
    ("one", 1, ("6 rolls wanted, 1 may be bought: in a season at most one, as the referee has set it",
                "6 tiri richiesti, se ne possono comprare 1: in una stagione al massimo uno")),
    ("none", 6, ())])
def test_bld_010_says_what_caps_the_buying(cap: str, bought: int, words: tuple[str, ...]) -> None:
    """Where `buy` is cut down it is told what is allowed, and a switch that the referee has set for it is named."""
    outcome = play(ground("987Sp", "recruit", rules={"buy_rr_cap": cap}), ["VOR: buy 6"])
    assert row(outcome, "Factions", "VOR").bought == bought
    findings = [finding for finding in outcome.findings if finding.code == "BLD-010"]
    said = [Wording(BLOODLUST, lang).finding(finding) for lang in ("en", "it") for finding in findings]
    assert len(said) == len(words)
    for text, start in zip(said, words, strict=True):
        assert text.startswith(start)
        assert ("buy_rr_cap" in text) == (cap == "one")


@pytest.mark.parametrize(("phase", "line", "wrong", "right"), [
    ("muster", "VOR: form a1 V6", "Vorozion-a", "VOR-a<n>"),
    ("muster", "VOR: post a1 T1", "99", "No way"), ("invade", "VOR: invade a1 T1", "99", "No way")])
def test_refusals_say_codes_as_codes_and_no_way_as_no_way(phase: str, line: str, wrong: str, right: str) -> None:
    """The form of an army's code has the nation's code, not its name; what cannot be reached is not 99 steps away."""
    campaign = ground("987Su", phase, Wars={"W1": {"aggressor": "VOR", "target": "THU", "began": "987Sp"}})
    (finding,) = [finding for finding in play(campaign, [line]).findings if finding.where.row == "o1"]
    text = Wording(BLOODLUST, "en", {"VOR": "Vorozion"}).finding(finding)
    assert wrong not in text
    assert right in text


def test_bld_014_says_which_order_took_the_rolls() -> None:
    """Mercenaries come before recruits, whichever line stands first."""
    outcome = play(ground("987Sp", "recruit", Factions={"VOR": {"rolls": 2}}), ["VOR: recruit 2", "VOR: mercenary"])
    said = [Wording(BLOODLUST, "en").finding(finding) for finding in outcome.findings if finding.code == "BLD-014"]
    assert said == ["2 rolls needed, 0 left, as your order mercenary comes first and takes 2: 0 recruited."]


def test_bld_025_says_which_order_takes_the_commander_away() -> None:
    """It is the club's own."""
    outcome = play(ground("987Sp", "muster"), ["VOR: lead m1 a2", "VOR: forage u1"])
    said = [Wording(BLOODLUST, "en").finding(finding) for finding in outcome.findings if finding.code == "BLD-025"]
    assert said == ["By your own order VOR-m1 leaves the army of VOR-u1: without a commander it cannot forage."]
