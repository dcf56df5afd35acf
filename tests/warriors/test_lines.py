"""Orders in words, as the rulebook writes them, in both languages (rulebook: Orders to Forces)."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from assistant.rulesets.warriors import records
from assistant.rulesets.warriors.movement import WaterPath
from assistant.rulesets.warriors.ruleset import WARRIORS
from tests.warriors import scenario
from tests.warriors.cases import Case

LINES = [
    ("orcs", ("O1 order march", "O1 ordine marcia", "orcs: o1 Order forced march"),
     {"verb": "order", "army": "O1", "new_order": "march"}),
    ("orcs", ("O1 move D3-E4-F4", "O1 muovi D03 E04 F04", "move O1 d3, e4, f4"),
     {"verb": "move", "army": "O1", "path": "D03 E04 F04"}),
    ("men", ("M3 sail SH1 C9 C10 land", "M3 naviga SH1 C9 C10 sbarca"),
     {"verb": "sail", "army": "M3", "boat": "SH1", "path": "C09 C10 land"}),
    ("men", ("M2 contact counter-march to F9", "M2 contatto contromarcia in F9"),
     {"verb": "contact", "army": "M2", "stance": "counter_march", "to": "F09"}),
    ("men", ("initiative last", "iniziativa ultimo"), {"verb": "initiative", "wish": "last"}),
    ("men", ("raise 12 men_spear at F7 in M1", "arruola 12 men_spear a F7 in M1"),
     {"verb": "raise", "figures": 12, "type": "men_spear", "place": "F07", "army": "M1"}),
    ("men", ("refill M2a 4 at H6", "rimpiazza M2a 4 a H6"),
     {"verb": "refill", "unit": "M2a", "figures": 4, "place": "H06"}),
    ("men", ('found "Aldermoor Levy" at F7 vc 1 explore', 'fonda "Aldermoor Levy" a F7 vc 1 esplora'),
     {"verb": "found", "name": "Aldermoor Levy", "place": "F07", "vc": 1, "new_order": "explore"}),
    ("men", ("M1 move",), {"verb": "move", "army": "M1"}),
]


@cache
def given() -> Case:
    """Forces, boats and a price list, so that their codes are known."""
    return Case(armies={"M1": {"node": "C03"}, "M2": {"node": "A01"}, "M3": {"node": "A02"}, "O1": {"node": "C03"}},
                nodes={"F07": {}, "H06": {}, "F09": {}, "C09": {}, "C10": {}},
                boats={"SH1": {"faction": "men", "node": "A02"}}, unit_types={"men_spear": {"people": "men"}})


@pytest.mark.parametrize(("faction", "lines", "fields"), LINES, ids=[lines[0] for _, lines, _ in LINES])
def test_a_line_is_read(faction: str, lines: tuple[str, ...], fields: dict[str, object]) -> None:
    """In either language, whatever the case, commas and zeros in front."""
    for line in lines:
        read = WARRIORS.understand(line, given().campaign, faction)
        assert (read.problem, dict(read.fields)) == ("", fields), line


NAMED = [
    ("orcs", ("arruola 10 guerrieri orchi a Boscozanna in O2", "raise 10 Orc Warriors at Fangwood in Fangwood Raiders",
              "raise in O2 at fangwood 10 orc warriors", "arruola 10 orc_war a E4 in Predoni di Boscozanna",
              'arruola 10 guerrieri orchi ad Boscozanna in "Predoni di Boscozanna"'),
     {"verb": "raise", "figures": 10, "type": "orc_war", "place": "E04", "army": "O2"}),
    ("orcs", ("arruola 10 lancieri lunghi a Boscozanna in O2",),
     {"verb": "raise", "figures": 10, "type": "lancieri lunghi", "place": "E04", "army": "O2"}),
    ("orcs", ("arruola 10 Torma goblin a Selva Oscura in O2",),
     {"verb": "raise", "figures": 10, "type": "gob_mob", "place": "Selva Oscura", "army": "O2"}),
    ("men", ("raise 5 Light Horse at Aldermoor in New Levy", "arruola 5 Cavalleggeri ad Aldermoor in New Levy"),
     {"verb": "raise", "figures": 5, "type": "men_horse", "place": "F07", "army": "New Levy"}),
    ("men", ("M3 sail Gull ships Gull Bay C9 land", "Leva di Porto dei Gabbiani naviga Navi dei Gabbiani a "
             "Baia dei Gabbiani C9 sbarca", "sail Gullhaven Levy gull ships Gull Bay - C09 land"),
     {"verb": "sail", "army": "M3", "boat": "SH1", "path": "B08 C09 land"}),
    ("men", ("Household of Aldermoor move Reedwater meadows", "Casa di Aldermoor muovi in Prati delle Canne"),
     {"verb": "move", "army": "M1", "path": "G09"}),
    ("orcs", ("The Red Maw order march", "ordine La Fauce Rossa marcia"),
     {"verb": "order", "army": "O1", "new_order": "march"}),
    ("men", ("refill Vale Spearmen 4 at Longbridge", "rimpiazza 4 Lancieri della Valle a Pontelungo"),
     {"verb": "refill", "unit": "M1b", "figures": 4, "place": "H06"}),
    ("men", ("fonda Leva di Pontelungo a Porto dei Gabbiani vc 1", 'found "Leva di Pontelungo" at Gullhaven vc 1'),
     {"verb": "found", "name": "Leva di Pontelungo", "place": "C08", "vc": 1}),
]


@pytest.mark.parametrize(("faction", "lines", "fields"), NAMED, ids=[lines[0] for _, lines, _ in NAMED])
def test_names_of_several_words_are_read(faction: str, lines: tuple[str, ...], fields: dict[str, object]) -> None:
    """In either language; what nobody is called by stands in the column that is missing, for the finding to quote."""
    for line in lines:
        read = WARRIORS.understand(line, scenario.borderlands(), faction)
        assert (read.problem, dict(read.fields)) == ("", fields), line


@pytest.mark.parametrize("figures", ["tutti", "parecchi", "-3", "2.5", "0"])
@pytest.mark.parametrize("line", ["raise {} men_spear at C3 in M1", "rimpiazza M1a {} a C3"])
def test_figures_in_a_line_are_taken_as_typed(line: str, figures: str) -> None:
    """So that WAR-012 can quote them (Orders to Forces)."""
    case = Case(armies={"M1": {"node": "C03"}}, unit_types={"men_spear": {"people": "men"}},
                nodes={"C03": {"place": "capital", "founder": "men", "holder": "men", "store": 100}})
    case.line("men", line.format(figures)).play("muster")
    assert [(finding.code, str(finding.data["value"])) for finding in case.all_findings] == [("WAR-012", figures)]


def test_a_name_of_two_units_is_not_guessed() -> None:
    """The finding names their codes, and says to write one of them."""
    case = Case(armies={"M1": {"node": "C03"}}, units={"M1a": {"name": "Vale Bows"}, "M1b": {"name": "Vale Bows"}})
    case.line("men", "refill Vale Bows 4 at C3").play("orders")
    assert [(finding.code, finding.data["list"]) for finding in case.all_findings] == [("ARB-331", "M1a M1b")]


@pytest.mark.parametrize(("line", "army"), [
    ("March of the West move D3", "M1"), ("March M1 move D3", "M1"), ("March: M2 move D3", "M2"),
    ("men: March of the West muovi D3", "M1")])
def test_the_faction_before_a_line_and_a_force_of_like_name(line: str, army: str) -> None:
    """A faction's own prefix does not matter, and a Force whose name begins with it keeps its name (Shorthand)."""
    case = Case(factions={"men": {"name_en": "March"}}, armies={
        "M1": {"name": "March of the West", "node": "C03"}, "M2": {"node": "C04"}})
    assert dict(WARRIORS.understand(line, case.campaign, "men").fields) == {
        "verb": "move", "army": army, "path": "D03"}


@pytest.mark.parametrize("line", ["M1 ordine marcia", "M01: order march", "Old Guard order march"])
def test_who_asks_for_an_order_in_a_line_may_march(line: str) -> None:
    """WAR-206 is not raised in a turn in which the faction has written an order for that Force (What is refused)."""
    case = Case(armies={"M1": {"name": "Old Guard", "node": "C03", "order": "defend"}})
    assert case.line("men", line).line("men", "M1 move D3").check().codes == []


def test_a_name_of_a_lost_force_is_that_of_the_living_one() -> None:
    """A Force may be founded under the name of one that is gone."""
    given = Case(armies={"M1": {"name": "New Levy", "status": "lost"}, "M2": {"name": "New Levy", "node": "C03"}})
    read = WARRIORS.understand("New Levy move D3", given.campaign, "men")
    assert dict(read.fields) == {"verb": "move", "army": "M2", "path": "D03"}


@pytest.mark.parametrize("line", ["", "O1", "let us march", "O1 order march quickly now"])
def test_a_line_that_says_something_else_is_not_understood(line: str) -> None:
    """It becomes no order."""
    assert not WARRIORS.understand(line, given().campaign, "orcs").fields


def test_a_line_of_orders_is_carried_out() -> None:
    """As its row would be."""
    case = Case(armies={"M1": {"node": "C03"}}).line("men", "M1 ordine marcia").throw(force_test__M1=4).play("orders")
    assert (case.codes, case.army("M1").order) == ([], "march")


@pytest.mark.parametrize(("army", "codes"), [("O1", ["WAR-003"]), ("M2", ["WAR-004"]), ('"New Levy"', []),
                                             ('"Old Levy"', ["WAR-002"])])
def test_a_line_of_purchase_is_for_an_own_force(army: str, codes: list[str]) -> None:
    """Or for one that another line founds this turn; that a line names it does not make it one (7)."""
    case = Case(turn=4, desk={"week": 6}, armies={"M2": {"status": "lost"}, "O1": {"node": "H07"}}, nodes={"C03": {
        "place": "capital", "founder": "men", "holder": "men", "store": 100}},
        unit_types={"men_spear": {"people": "men"}})
    case.line("men", 'found "New Levy" at C3 vc 1 explore').line("men", f"raise 5 men_spear at C3 in {army}")
    assert case.play("muster").codes == codes
    assert len(case.event_data("raised")) == (not codes)


@pytest.mark.parametrize("phase", ["orders", "move"])
def test_a_line_of_an_earlier_turn_is_told_by_its_own_phase(phase: str) -> None:
    """WAR-011, as of a row in columns: a march by the phase that reads marches."""
    case = Case(turn=2, armies={"M1": {"node": "C03"}}).order("men", "", text="M1 move D3", turn="1").play(phase)
    assert case.codes == (["WAR-011"] if phase == "move" else [])


NAMES: list[tuple[str, dict[str, Any]]] = [
    ("order", {"army": "old guard", "new_order": "march"}), ("move", {"army": "Old Guard", "path": "D03"}),
    ("sail", {"army": "Guardia vecchia", "boat": "Gull ships", "path": "C04"}),
    ("raise", {"place": "Seahold", "type": "Spearmen", "figures": 5, "army": "Old Guard"}),
    ("refill", {"place": "C03", "unit": "Pikes", "figures": 2})]


@pytest.mark.parametrize(("verb", "columns"), NAMES, ids=[verb for verb, _ in NAMES])
def test_a_column_may_call_a_thing_by_its_name(verb: str, columns: dict[str, Any]) -> None:
    """As a line does: Forces, Units and boats of one's own, what one's people may buy (Orders to Forces)."""
    case = Case(turn=4, desk={"week": 5}, armies={
        "M1": {"name": "Old Guard", "name_it": "Guardia vecchia", "node": "C03"}, "O1": {"node": "H07"}},
        units={"M1a": {"name": "Pikes", "figures_start": 12}, "O1a": {}}, unit_types={
            "men_spear": {"name": "Spearmen", "people": "men"}},
        nodes={"C03": {"name": "Seahold", "place": "capital", "founder": "men", "holder": "men", "store": 100},
               "C04": {"terrain": "sea"}}, boats={"B1": {"name": "Gull ships", "faction": "men", "node": "C03"}})
    phase = {"order": "orders", "move": "move", "sail": "move"}.get(verb, "muster")
    case.order("men", verb, **columns).play(phase, whole=False)
    assert (case.codes, [row.status for row in case.campaign.by_sheet("Orders")]) == ([], ["accepted"])
    assert {"order_given", "order_defend", "moved", "move_none", "sailed", "raised", "refilled"} & {
        event.event for event in case.events()}


@pytest.mark.parametrize(("name", "code"), [("Maw", "WAR-002"), ("Twins", "ARB-331"), ("O1", "WAR-003")])
def test_a_name_in_a_column_is_one_of_ones_own(name: str, code: str) -> None:
    """That of another's Force is no name, and one of two is not guessed."""
    case = Case(armies={"M1": {"name": "Twins", "node": "C03"}, "M2": {"name": "Twins", "node": "C04"},
                        "O1": {"name": "Maw", "node": "H07"}})
    assert case.order("men", "order", army=name, new_order="march").check().codes == [code]


@pytest.mark.parametrize("word", ["land", "sbarca", "LAND"])
def test_the_word_that_ends_a_voyage_is_no_square_for_whoever_foresees_it(word: str) -> None:
    """2 naval: Gullhaven's levy will land at D10 when it sails; in the first phase of the turn nothing is wrong yet."""
    campaign = scenario.borderlands()
    orders = campaign.table(records.Order)
    for row in list(orders):
        orders.remove(row.ident)
    orders.add(records.Order(order="men#1", turn="1", phase="turn", faction="men", seq=1, verb="sail", army="M3",
                             boat="SH1", path=f"C09 D10 {word}"))

    assert [finding.code for finding in WARRIORS.check_ahead(campaign)] == []


def test_boats_that_lie_nowhere_are_offered_no_way() -> None:
    """Nor is a Force that is on no square beside them."""
    campaign = scenario.borderlands()
    campaign.table(records.Boat).add(records.Boat(boat="X1", faction="men", node=""))
    assert [*WaterPath().offers(campaign, "men", {"boat": "X1"})] == []
