"""What a later phase would refuse is told when it is typed; each line finds its phase by its verb."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest

from assistant import desk
from assistant.campaign.records import FindingRow, Order
from assistant.desk import Exit
from assistant.desk.intake.incoming import Input, read_source
from assistant.desk.intake.take_orders import Merge, findings_on_rows
from assistant.desk.workspace.workspace import Workspace, open_workspace
from assistant.testing.cases import campaign_of
from assistant.turn.findings import Finding, Later, Where
from assistant.turn.orders.taking import one_a_cause
from tests.fresh import new_campaign
from tests.playing import take_lines
from tests.rulesets.wrong_orders import WRONG_ORDERS
from tests.sweeps import fast_among

BETWEEN = {"giglio": "winter", "bloodlust": "battle", "incursio": "second_assault", "warriors": "battle",
           "anarchy": "reorganise"}
"""Phases without orders, or within a turn, at which the same lines are typed."""
LAST = {"bloodlust": "invade", "incursio": "arrivals", "warriors": "muster"}


def table(book: str) -> Iterator[tuple[str, str]]:
    """The lines of a rulebook's table, each with its code."""
    for line in filter(None, WRONG_ORDERS[book].splitlines()):
        words, _, code = line.rpartition(" | ")
        yield words, code


WRONG_LINES = [(book, line, code) for book in WRONG_ORDERS for line, code in table(book)]
AT_ONCE = ("incursio", "warriors")
"""The books whose lines are told in the fast part."""


@cache
def scenario(book: str, phase: str = "") -> Workspace:
    """The scenario of a rulebook, opened where it begins or set to a phase of its first turn."""
    opened = open_workspace(new_campaign(Path(mkdtemp()) / "war.xlsx", book), "en")
    if phase:
        opened.campaign.desk.phase = phase
        opened.campaign.desk.turn = opened.campaign.desk.turn.replace("0", "1") if book == "anarchy" else (
            opened.campaign.desk.turn)
    return opened


def told(opened: Workspace, text: str) -> list[Finding]:
    """What `orders` says of lines, without writing them."""
    after = opened.campaign.copy()
    merge = Merge(opened.ruleset, opened.campaign, after)
    incoming = read_source(Input("typed", None, text), opened, after, "")
    taken = [merge.take(row, key) for key, row in incoming.rows()]
    return [*incoming.findings, *(one.finding for one in taken if one.finding is not None),
            *findings_on_rows(opened, after, [one.row for one in taken if one.how != "refused"])]


@pytest.mark.parametrize(("book", "line", "code"),
                         fast_among(WRONG_LINES, *(one for one in WRONG_LINES if one[0] in AT_ONCE)))
def test_a_wrong_order_is_told_at_the_beginning_of_the_turn(book: str, line: str, code: str) -> None:
    """Where the scenario stands, long before its phase, by the code with which the phase refuses it."""
    assert code in [finding.code for finding in told(scenario(book), line)]


@pytest.mark.parametrize("book", WRONG_ORDERS)
def test_each_table_has_fifty_lines(book: str) -> None:
    """As many plainly wrong orders a rulebook."""
    assert len(list(table(book))) >= 50


@pytest.mark.parametrize(("book", "line"), fast_among(
    [one[:2] for one in WRONG_LINES[::2]], *(one[:2] for one in WRONG_LINES[::2] if one[0] in AT_ONCE)))
def test_a_wrong_order_is_told_between_turns(book: str, line: str) -> None:
    """Also where no phase reads orders now, or one waits for a battle: of the turn's rest, or of the next turn.
    Every second line: how each is told, the test above says.
    """
    assert told(scenario(book, BETWEEN[book]), line)


@pytest.mark.slow
@pytest.mark.parametrize("book", ["incursio", "warriors", "bloodlust"])
def test_what_was_told_is_what_the_phase_says(book: str, tmp_path: Path) -> None:
    """Every second line, all in one mail: whatever is certain its phase says, too."""
    path = new_campaign(tmp_path / "war.xlsx", book)
    taken = take_lines(path, *(line for line, _ in [*table(book)][::2] if "envoy" not in line))
    stopped = {finding.where.row for finding in taken.findings if finding.where.table == Order.sheet and finding.stops}
    certain = {(one.where.row, one.code) for one in taken.findings if one.later is not None and one.later.certain}
    assert len(stopped) + len(certain) > 5

    played = desk.resolve(path, until=LAST[book], defaults=True)
    assert played.exit is Exit.DONE, played.finding_lines()
    said = {(row.row, row.code) for row in campaign_of(path).table(FindingRow)}
    heard = {row for row, _ in certain & said}  # a phase refuses a row for the first of its faults
    assert ({row for row, _ in certain} - heard, stopped - {row for row, _ in said}) == (set(), set())


def test_a_remark_stops_nothing(tmp_path: Path) -> None:
    """`check` shows it with its cell and ends as done; `resolve` neither stops nor asks for it, but its phase does."""
    path = new_campaign(tmp_path / "war.xlsx", "warriors")
    assert take_lines(path, "men: M1 move F07 K02", "men: M9 order march").exit is Exit.DONE

    seen = desk.check(path, lang="en")
    assert (seen.exit, seen.data["counts"]) == (Exit.DONE, {"error": 0, "ambiguous": 0, "warning": 1, "info": 1})
    assert {(one.code, one.severity) for one in seen.findings} == {("WAR-202", "warning"), ("WAR-002", "info")}
    assert all(finding.cell.startswith("Orders!") for finding in seen.findings)

    assert desk.resolve(path, strict=True).exit is Exit.DONE
    assert desk.check(path).exit is Exit.REFUSED  # its phase is next now
    assert desk.resolve(path, until="move").exit is Exit.DONE
    assert {row.code for row in campaign_of(path).table(FindingRow)} >= {"WAR-202", "WAR-002"}


@pytest.mark.parametrize(("line", "sentence"), [
    ("men: M1 order charge", "'charge' is not march, explore or defend. (turn 1, Orders)"),
    ("men: M9 order march", "There is no Force 'M9'. Did you mean M4? (turn 1, Orders, as things stand now)")])
def test_what_may_change_is_said_as_such(line: str, sentence: str) -> None:
    """What nothing changes is certain, anything else as things stand now."""
    opened = scenario("warriors")
    assert [opened.wording.finding(finding) for finding in told(opened, line)] == [sentence]


def test_the_order_that_may_change_it_is_named() -> None:
    """A march of April from where the march of March leads: the army is not there yet."""
    opened = scenario("giglio")
    (found,) = told(opened, "V: r1 V-1 moves V6 V5\nV: r2 V-1 moves V5 V0")
    assert opened.wording.finding(found).endswith("if 1500-r1-V-1 does not change that)")


# --- which phase ----------------------------------------------------------------------------------
@pytest.mark.parametrize(("book", "phase", "line", "number", "verb"), [
    ("bloodlust", "", "VOR: recruit captain 1", "987Sp-recruit-VOR-1", "captain"),
    ("bloodlust", "", "VOR: recruit 3", "987Sp-recruit-VOR-1", "recruit"),
    ("bloodlust", "", "VOR: Reclutamento: capitano 1", "987Sp-recruit-VOR-1", "captain"),
    ("bloodlust", "", "VOR: war peace SEK", "987Sp-war-VOR-1", "peace"),
    ("bloodlust", "", "VOR: war SEK", "987Sp-war-VOR-1", "war"),
    ("bloodlust", "", "VOR: muster delegate", "987Sp-muster-VOR-1", "delegate"),
    ("bloodlust", "", "VOR: delegate", "987Sp-recruit-VOR-1", "delegate"),
    ("bloodlust", "", "VOR: invade a1 S3", "987Sp-invade-VOR-1", "invade"),
    ("bloodlust", "", "VOR: envoy SEK", "987Wi-envoys-VOR-1", "envoy"),
    ("bloodlust", "battle", "VOR: buy 2", "987Su-recruit-VOR-1", "buy"),
    ("bloodlust", "battle", "VOR: recruit captain 1", "987Su-recruit-VOR-1", "captain"),
    ("giglio", "", "V: V8 F7", "1500-r1-V-1", "move"),
    ("giglio", "", "V: r3 V8 F7", "1500-r3-V-1", "move"),
    ("giglio", "", "V: r3: V8 F7", "1500-r3-V-1", "move"),
    ("giglio", "", "V: fortify V5", "1500-budget-V-1", "fortify"),
    ("giglio", "r2.contact", "V: loan 30", "1501-budget-V-1", "loan"),
    ("giglio", "r2.contact", "V: fortify V5", "1500-r3-V-1", "fortify"),
    ("incursio", "", "esdef: spia 26 (E2)", "1-day-esdef-1", "spy"),
    ("warriors", "explore", "men: raise 10 men_spear at F07 in M1", "1-turn-men-1", "raise")])
def test_a_line_finds_its_phase(book: str, phase: str, line: str, number: str, verb: str) -> None:
    """By its verb; where several phases read it, in the next of them, or in the one whose word stands before it."""
    opened = scenario(book, phase)
    after = opened.campaign.copy()
    (order,) = read_source(Input("typed", None, line), opened, after, "").orders
    row = Merge(opened.ruleset, opened.campaign, after).take(order).row
    assert (row.ident, opened.ruleset.understand(order.text, after, order.faction).fields["verb"]) == (number, verb)


@pytest.mark.parametrize(("book", "line", "numbers"), [
    ("bloodlust", "BAT: war on DER; BAT-a1 invades Marcheline", ["987Sp-war-BAT-1", "987Sp-invade-BAT-1"]),
    ("bloodlust", "BAT: buy 2 rolls and declare war on DER", ["987Sp-recruit-BAT-1", "987Sp-war-BAT-1"]),
    ("giglio", "V: recruit 30 in Venice and V-2 marches to Ravenna", ["1500-budget-V-1", "1500-r1-V-1"]),
    ("giglio", "V: V-1 to V5 and V-2 to V9", ["1500-r1-V-1", "1500-r1-V-2"]),
    ("giglio", "V: April II: V-1 to V5 and V-2 to V9", ["1500-r2-V-1", "1500-r2-V-2"]),
    ("giglio", "V: aprile II: V-1 a V5 e V-2 a V9", ["1500-r2-V-1", "1500-r2-V-2"])])
def test_each_order_of_a_line_finds_its_phase(book: str, line: str, numbers: list[str]) -> None:
    """Each by its own verb; the name of a phase before them holds for all."""
    opened = scenario(book)
    after = opened.campaign.copy()
    merge = Merge(opened.ruleset, opened.campaign, after)
    orders = read_source(Input("typed", None, line), opened, after, "").orders
    assert [merge.take(order).row.ident for order in orders] == numbers


def test_a_phase_word_for_an_order_that_it_does_not_take_is_told() -> None:
    """The other order of the line counts."""
    found = told(scenario("giglio"), "V: budget: recruit 30 in Venice and V-2 marches to Ravenna")
    assert [(finding.code, finding.where.row) for finding in found] == [("GIG-002", "1500-budget-V-2")]


def test_a_line_for_a_round_that_is_over_comes_too_late() -> None:
    """A mail that arrives after its round is not taken for the next year's."""
    assert [finding.code for finding in told(scenario("giglio", "r3.move"), "V: r1 V-1 moves V6 V5")] == ["ARB-090"]


def test_orders_says_for_which_phase_a_line_waits(tmp_path: Path) -> None:
    """And how it is given for another that reads the verb, too."""
    path = new_campaign(tmp_path / "war.xlsx", "giglio")
    lines = take_lines(path, "V: V-1 moves V6 V5", "V: recruit 30 V0").lines
    assert lines[:2] == [
        "All 2 lines count.",
        "1. 'V: V-1 moves V6 V5': move, Unit the army of Venice (V-1), Path Verona (V6) → Padua (V5) (1500-r1-V-1)"]
    assert lines[2] == "For 1500, April I: marches. For another begin the line with one of: April II, May I, May II, …"
    assert lines[3].startswith("2. 'V: recruit 30 V0': recruit, Ducats 30")
    assert take_lines(path, "V: V-2 to V9").lines[2] == lines[2]


# --- how lines are listed -------------------------------------------------------------------------
def test_what_does_not_count_stands_first(tmp_path: Path) -> None:
    """Below the one count of lines, each with its number, its words and why; then the others as they came."""
    lines = ("V: bid 15", "V: pay 5 xyzzy to Milan", "V: V-1 moves V9 M0", "V: recruit 60 V6 V-1")
    result = take_lines(new_campaign(tmp_path / "war.xlsx", "giglio"), *lines)
    assert result.lines[:2] == ["2 of 4 lines count.", "This does not count yet:"]
    heads = [f"{number}. '{line}'" for number, line in enumerate(lines, 1)]
    listed = [line for line in result.lines if line.split(" ")[0] in ("1.", "2.", "3.", "4.")]
    assert [line.startswith(heads[place]) for line, place in zip(listed[1:], (2, 0, 3), strict=True)] == [True] * 3
    assert listed[0].startswith("2. 'pay 5 xyzzy to Milan' does not count: 'xyzzy' was not understood.")
    assert listed[0].endswith("(ARB-333)")
    why = result.lines[result.lines.index(listed[1]) + 1]
    (fault,) = [finding for finding in result.findings if finding.where.row == "1500-r1-V-1"
                and why.endswith(f"({finding.code})")]
    assert result.finding_text(fault).startswith(f"{heads[2]}: ")
    assert result.lines[result.lines.index(listed[2]) - 1] == "This counts:"
    assert result.finding_lines() == []
    assert ("Together these orders cost 75 ducats, 15 of them only set aside; at hand: 280. Free after that: 205."
            in result.lines)


def test_where_all_is_set_aside_no_figure_says_so(tmp_path: Path) -> None:
    """A bid alone."""
    result = take_lines(new_campaign(tmp_path / "war.xlsx", "giglio"), "V: bid 30")
    assert ("Together these orders cost 30 ducats, all of it only set aside; at hand: 280. Free after that: 250."
            in result.lines)


def test_two_lines_that_say_the_same_have_a_finding_each(tmp_path: Path) -> None:
    """Each with its own number."""
    result = take_lines(new_campaign(tmp_path / "war.xlsx", "giglio"), "V: bid 15", "V: blah", "V: blah")
    assert [line.split(" does ")[0] for line in result.lines if "blah" in line] == ["2. 'blah'", "3. 'blah'"]
    assert [result.finding_text(finding).split(" does ")[0] for finding in result.findings] == [
        "2. 'blah'", "3. 'blah'"]


@pytest.mark.parametrize(("book", "lines", "code"), [
    ("warriors", ["men: refill M1a 99 F07"], "WAR-406"), ("giglio", ["V: loan 10", "V: loan 20"], "GIG-006"),
    ("anarchy", ["royal: MOVE A-BLK 2104", "royal: HOLD A-BLK"], "ANA-005")])
def test_an_order_that_a_warning_explains_names_it(tmp_path: Path, book: str, lines: list[str], code: str) -> None:
    """It does not count, though no finding refuses it."""
    told = take_lines(new_campaign(tmp_path / "war.xlsx", book), *lines).lines
    first = next(place for place, line in enumerate(told) if line.startswith("1. "))
    assert told[0] in ("Your line does not count yet.", f"{len(lines) - 1} of {len(lines)} lines counts."), told
    assert f"({code})" in "".join(told[first + 1:first + 4]), told


@pytest.mark.parametrize(("book", "line", "words"), [
    ("incursio", "esdef: Isaveth shall spy on Porto Salino tonight",
     "spy, Target Porto Salino (8), Character Isaveth (E3) (1-day-esdef-1)"),
    ("bloodlust", "PIO: March the Wolf Band over to Chagarfell",
     "post, Subject Wolf Band (PIO-a2), To Chagarfell (P4) (987Sp-muster-PIO-1)"),
    ("giglio", "V: ally M passage 1502", "ally, Partner Milan, passage, Until 1502 (1500-budget-V-1)"),
    ("giglio", "V: objective conquer M", "objective, conquer, Whose territory Milan (1500-budget-V-1)"),
    ("bloodlust", "BAT: forage u1..u3",
     "forage, Subject Sabre horse (BAT-u1), Dune archers (BAT-u2), Caravan guards (BAT-u3) (987Sp-muster-BAT-1)"),
    ("bloodlust", "BAT: forage u1..u9", "forage, Subject u1..u9 (987Sp-muster-BAT-1)"),
    ("incursio", "esdef: mission scout 10", "mission, Mission Road scout, Place Tre Mulini (10) (1-day-esdef-1)")])
def test_an_order_is_told_by_names_and_titles(tmp_path: Path, book: str, line: str, words: str) -> None:
    """In the order in which it is written, people and units with their codes behind, the order's number last; a column
    is called as its verb calls it.
    """
    lines = take_lines(new_campaign(tmp_path / "war.xlsx", book), line).lines
    assert lines[1].startswith(f"1. '{line}': {words}"), lines


def test_a_mission_is_told_by_its_name_in_italian(tmp_path: Path) -> None:
    """The code is a word of the English book, which nobody there has to know."""
    line = Input("typed", None, "esdef: mission scout 10")
    told = desk.take_orders(new_campaign(tmp_path / "war.xlsx", "incursio"), [line], lang="it").lines
    assert any("missione, Missione Esplorazione, Luogo Tre Mulini (10) (1-day-esdef-1)" in line for line in told), told


def test_one_meaning_is_proposed_as_one() -> None:
    """Where only one order may be meant nobody is told of several."""
    line = "V: instead of recruiting, fortify Brescia"
    (found,) = told(scenario("giglio"), line)
    words = scenario("giglio").wording.finding(found)
    assert "does not count as it stands. Did you mean: fortify V7?" in words


# --- findings and figures ------------------------------------------------------------------------
@pytest.mark.parametrize(("book", "line"), [
    ("bloodlust", "BAT: peace with PIO until 980"), ("bloodlust", "BAT: besiege D4"),
    ("bloodlust", "BAT: besiege behind invade"), ("giglio", "V: besiege behind invade"),
    ("giglio", "V: lift xyzzyq V-1"), ("giglio", "V: assassination attempt xyzzyq")])
def test_no_finding_has_a_form_for_an_example(book: str, line: str) -> None:
    """Where nothing is legal with the verb, another legal order or the verbs that are left stand there."""
    (found,) = told(scenario(book), line)
    words = scenario(book).wording.finding(found)
    assert "<" not in words
    assert "Write for example '" in words or "What may be ordered this turn: " in words


@pytest.mark.parametrize(("book", "line", "costs"), [
    ("bloodlust", "BAT: buy 100000", ["Together these orders cost 5 resources; at hand: 20."]),
    ("bloodlust", "BAT: recruit 10000", []),
    ("warriors", "men: raise 1000000 men_spear at F07 in M1", [])])
def test_no_order_costs_more_than_there_is(tmp_path: Path, book: str, line: str, costs: list[str]) -> None:
    """What is refused costs nothing, and what is carried out in part at most what the chest holds."""
    lines = take_lines(new_campaign(tmp_path / "war.xlsx", book), line).lines
    assert [one for one in lines if " cost " in one] == costs


def test_what_may_be_ordered_is_told_before_the_first_turn_with_orders(tmp_path: Path) -> None:
    """The Anarchy begins with an opening that takes none: the orders of the first day are listed."""
    shown = desk.verbs(str(new_campaign(tmp_path / "war.xlsx", "anarchy")), faction="royal", lang="en")
    assert shown.data["turn"] == "1"
    assert shown.data["legal"]
    assert shown.data["verbs"]


# --- what clubs are told --------------------------------------------------------------------------
@pytest.mark.parametrize("book", fast_among(WRONG_ORDERS, "giglio"))
def test_a_club_is_told_what_its_view_shows(book: str) -> None:
    """What only the referee knows changes nothing in what is said of a club's later orders."""
    opened = scenario(book)
    ruleset, whole = opened.ruleset, opened.campaign.copy()
    merge = Merge(ruleset, opened.campaign, whole)
    lines = "\n".join(line for line, _ in table(book))
    for key, row in read_source(Input("typed", None, lines), opened, whole, "").rows():
        merge.take(row, key)
    for club in dict.fromkeys(row.faction for row in whole.table(Order)):
        view = ruleset.view(whole, club)
        mine = {row.order for row in view.table(Order)}
        found = ruleset.foresee_orders(view)
        assert {finding.where.row for finding in found} <= mine
        assert found == ruleset.foresee_orders(ruleset.view(view, club))


def test_a_year_of_orders_has_one_remark_for_each_cause() -> None:
    """What hangs on the same army is named in the first remark about it, and told once."""
    causes = enumerate(["V V-1", "V V-1", "V V-2", "", "V V-1", ""])
    remarks = [Finding("GIG-051", "info", Where(Order.sheet, str(number)),
                       later=Later("1500", f"r{number}.move", False, "", cause)) for number, cause in causes]
    kept = one_a_cause(remarks)
    assert [(one.where.row, one.later.more) for one in kept if one.later] == [
        ("0", "1 4"), ("2", ""), ("3", ""), ("5", "")]



def test_what_an_earlier_order_brings_about_is_not_missed(tmp_path: Path) -> None:
    """V-1 will be at Trento for the second order; it is back in Verona when the third wants it at Trento."""
    path = new_campaign(tmp_path / "war.xlsx", "giglio")
    taken = take_lines(path, "V: r1 V-1 moves V6 HRI1", "V: r2 V-1 moves HRI1 V6", "V: r3 V-1 moves HRI1 HRI0",
                       "V: r4 V-1 moves HRI1 HRI0")
    assert [one.where.row for one in taken.findings if one.code == "GIG-051"] == ["1500-r3-V-1", "1500-r4-V-1"]
