"""Clubs that are silent: standing orders, holidays, deputies, a grace, then the robot; deadlines and ``--auto``."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from assistant import desk
from assistant.buttons.excel import press_on
from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Army, Event, Faction, Order, Question
from assistant.desk.intake.take_orders import Merge
from assistant.desk.play_phase import assess_readiness, call_roll
from assistant.desk.workspace.workspace import open_workspace
from assistant.testing.cases import campaign_of
from assistant.turn import codes
from assistant.turn.absence import current_standing_orders
from assistant.turn.game import Phase
from assistant.turn.messages import ABSENT
from assistant.workbook.read.csv_folder import read_folder
from tests.buttons.benches import ExcelBench
from tests.desk.conftest import SECRET, written
from tests.desk.tiny import TINY, Tiny
from tests.playing import arbitro, take_lines

SUNDAY = datetime(2026, 11, 29, 20, tzinfo=UTC)
HOUR, WEEK = timedelta(hours=1), timedelta(days=7)
WEEKLY = {"due_day": "sunday", "grace": "24"}


def resolved(book: Path, now: datetime | None = None, **more: Any) -> desk.Result:
    """The present phase resolved at a time. `more`: of the timing, and of the command."""
    timing = desk.Timing(now, more.pop("yes", False), more.pop("auto", False))
    return desk.resolve(book, timing=timing, **more)


def told(book: Path) -> list[tuple[str, str]]:
    """Whom it was told, and what was done."""
    return [(event.audience, event.data["step"]) for event in campaign_of(book).table(Event) if event.event == ABSENT]


def node(book: Path, army: str) -> str:
    """Where an army stands."""
    return campaign_of(book).table(Army)[army].node


@pytest.fixture
def set_up(tmp_path: Path) -> Any:
    """Makes a workbook whose Desk and factions say something of time."""
    def make(settings: dict[str, str] | None = None, **of_b: str) -> Path:
        place = written(tmp_path)
        text = (place / "csv" / "factions.csv").read_text().splitlines()
        heads = [*text[0].split(","), *of_b]
        rows = [[*line.split(","), *(of_b.values() if line.startswith("B") else [""] * len(of_b))] for line in text[1:]]
        (place / "csv" / "factions.csv").write_text("\n".join(",".join(row) for row in [heads, *rows]) + "\n")
        said = "".join(f"{key},{value}\n" for key, value in (settings or {}).items())
        (place / "csv" / "desk.csv").write_text(f"key,value\nruleset,tiny\nlanguage,en\n{said}")
        made = desk.new_campaign(desk.NewPlan("tiny", folder=place / "csv", secret=SECRET), place / "war.xlsx")
        assert made.exit == desk.Exit.DONE, made.finding_lines()
        return place / "war.xlsx"
    return make


# --- standing orders ----------------------------------------------------------------------------------------
def test_standing_orders_count_where_a_club_sends_none(book: Path) -> None:
    """They become orders of the phase, the club is told, and a replay comes to the same."""
    assert take_lines(book, "B: M1 until changed", "A: M1").exit == desk.Exit.DONE
    assert resolved(book).exit == desk.Exit.DONE
    assert node(book, "B-1") == "M1"
    assert "1-march-B-standing-1" in campaign_of(book).table(Order)
    assert told(book) == [("B", "standing")]
    assert desk.verify(book).exit == desk.Exit.DONE


@pytest.mark.slow
def test_own_orders_go_before_standing_ones_and_undo_takes_these_back(book: Path) -> None:
    """After undo the club may still send its own; then nothing is said of standing orders."""
    take_lines(book, "A: M1", "B: M1 fino a nuovo ordine")
    resolved(book)
    assert desk.undo(book).exit == desk.Exit.DONE
    assert "1-march-B-standing-1" not in campaign_of(book).table(Order)
    assert told(book) == []
    take_lines(book, "B: M1")
    resolved(book)
    assert told(book) == []


def test_several_standing_orders_stand_beside_each_other_until_taken_back(book: Path) -> None:
    """The same once more changes nothing; a dash takes all of them back."""
    take_lines(book, "B: M1 until changed")
    take_lines(book, "B: orders A1 until changed", "B: M1 until changed")
    row = campaign_of(book).table(Question)["standing.orders.B"]
    assert row.answer == "M1; A1"
    take_lines(book, "B: orders - until changed", "A: M1")
    assert resolved(book).exit == desk.Exit.DONE
    assert (node(book, "B-1"), told(book)) == ("B1", [])


@pytest.mark.slow
def test_what_stands_is_listed_for_its_club_alone(book: Path, tmp_path: Path) -> None:
    """Its report has them among its standing answers, the other's says nothing."""
    take_lines(book, "B: M1 until changed", "A: M1")
    resolved(book)
    desk.report(book, tmp_path / "out", lang="en")
    own, other = ((tmp_path / "out" / f"{code}.txt").read_text() for code in "BA")
    assert "No orders came from Brook, so the standing orders count: Middle (M1)." in own
    assert "standing" not in other.casefold()


# --- the deadline, the grace, the robot -------------------------------------------------------------------
@pytest.mark.slow
def test_before_its_time_is_up_nobody_is_passed_over(set_up: Any) -> None:
    """An evening before the deadline leaves the next week's; until the end of its grace resolve stops and names --yes.
    """
    book = set_up({**WEEKLY, "absent": "robot"})
    take_lines(book, "A: M1", "B: B1")
    assert resolved(book, SUNDAY - 5 * 24 * HOUR).exit == desk.Exit.DONE
    assert resolved(book, SUNDAY - 5 * 24 * HOUR, until="2.march").exit == desk.Exit.REFUSED
    assert (campaign_of(book).desk.turn, campaign_of(book).desk.phase) == ("2", "march")
    take_lines(book, "A: A1")
    held = resolved(book, SUNDAY + WEEK + HOUR)
    assert [finding.code for finding in held.findings] == [codes.STILL_IN_TIME]
    assert "--yes" in held.finding_lines()[0]
    assert "7 December 2026, 20:00 (UTC)" in held.finding_lines()[0]
    assert resolved(book, SUNDAY + WEEK + 24 * HOUR).exit == desk.Exit.DONE
    assert told(book) == [("B", "robot")]
    assert node(book, "B-1") == "M1"  # where a robot marches
    assert desk.verify(book).exit == desk.Exit.DONE


@pytest.mark.slow
def test_the_referee_may_go_on_before_the_time_is_up(set_up: Any) -> None:
    """With --yes, or by a yes where somebody is asked: then the robot plays at once."""
    book = set_up({**WEEKLY, "absent": "robot"})
    take_lines(book, "A: M1")
    asked: list[Sequence[str]] = []

    def no(lines: Sequence[str], question: str) -> bool:
        asked.append(lines)
        return False

    assert resolved(book, SUNDAY - HOUR, confirm=no).exit == desk.Exit.REFUSED
    assert len(asked) == 1
    assert resolved(book, SUNDAY - HOUR, yes=True).exit == desk.Exit.DONE
    assert told(book) == [("B", "robot")]


@pytest.mark.slow
@pytest.mark.parametrize(("policy", "stance"), [("robot", "flee"), ("nothing", "stand")])
def test_questions_of_the_silent_are_answered_by_the_referees_policy(set_up: Any, policy: str, stance: str) -> None:
    """The robot answers from its view; else counts what counts without an answer. Who has time is waited for."""
    book = set_up({**WEEKLY, "absent": policy})
    take_lines(book, "A: M1", "B: M1")
    resolved(book, SUNDAY - HOUR)
    assert resolved(book, SUNDAY - HOUR).exit == desk.Exit.WAITING
    take_lines(book, "A: stance stand")
    assert resolved(book, SUNDAY).exit == desk.Exit.WAITING
    assert resolved(book, SUNDAY + WEEK + 25 * HOUR).exit in (desk.Exit.DONE, desk.Exit.WAITING)
    answers = {row.to: row.answer for row in campaign_of(book).table(Question) if row.kind == "stance"}
    assert answers == {"A": "stand", "B": stance}
    assert told(book) == [("B", policy)]
    assert desk.verify(book).exit == desk.Exit.DONE


def test_without_a_policy_all_is_as_ever(book: Path) -> None:
    """A Desk that says nothing of time: who is silent does nothing, nothing is told, whatever the time."""
    take_lines(book, "A: M1")
    assert resolved(book, SUNDAY).exit == desk.Exit.DONE
    assert (told(book), node(book, "B-1")) == ([], "B1")


def test_holidays_and_deputies(set_up: Any) -> None:
    """Who is away without a deputy is not waited for, and not silent all of a sudden; a deputy has the club's time."""
    away = set_up({**WEEKLY, "absent": "robot", "silent_share": "0"}, holidays="2026-11-28..2026-12-02")
    take_lines(away, "A: M1")
    workspace = open_workspace(away)
    call = call_roll(TINY, workspace.campaign, SUNDAY - HOUR, SUNDAY)
    assert ([one.holiday for one in call.silent], call.newly, call.in_time(SUNDAY - HOUR)) == ([True], (), ())
    workspace.campaign.table(Faction)["B"].deputy = "Anna <anna@example.org>"
    assert [one.faction for one in call_roll(TINY, workspace.campaign, SUNDAY - HOUR, SUNDAY).in_time(SUNDAY)] == ["B"]
    result = resolved(away, SUNDAY - HOUR)
    assert result.exit == desk.Exit.DONE
    assert "Brook is on holiday, so the assistant plays in this phase." in result.lines


@pytest.mark.slow
def test_too_many_silent_clubs_stop_a_phase_once(set_up: Any) -> None:
    """More than the Desk's share that were heard before: exit 1; silent once more they are no news."""
    book = set_up({"silent_share": "49"})
    take_lines(book, "A: M1")
    held = resolved(book)
    assert (held.exit, [finding.code for finding in held.findings]) == (desk.Exit.REFUSED, [codes.TOO_MANY_SILENT])
    assert campaign_of(book).desk.phase == "march"
    assert resolved(book, yes=True, until="fight", defaults=True).exit == desk.Exit.DONE
    assert resolved(book, until="2.march").exit == desk.Exit.REFUSED  # now A is silent, who was heard
    take_lines(book, "A: A1")
    assert resolved(book).exit == desk.Exit.DONE  # B was silent before


def begun(folder: Path) -> Campaign:
    """A campaign that is about to march."""
    campaign = read_folder(folder, TINY)[1]
    TINY.prepare(campaign)
    return campaign


def test_a_faction_without_anything_owes_nothing(folder: Path) -> None:
    """It is neither awaited nor counted as silent."""
    campaign = begun(folder)
    campaign.table(Army).remove("B-1")
    assert call_roll(TINY, campaign).owing == ("A",)


# --- ready? ------------------------------------------------------------------------------------------------
def ready(campaign: Campaign, hours: float, last: float | None = None, due: datetime | None = None) -> str:
    """``yes``, ``no``, or from which hour on: of a Sunday, counted from midnight."""
    midnight = SUNDAY - 20 * HOUR
    now = midnight + hours * HOUR
    found = assess_readiness(campaign.desk, call_roll(TINY, campaign, now, due),
                      None if last is None else midnight + last * HOUR, now)
    return "yes" if found.now(now) else "no" if found.since is None else str((found.since - midnight) / HOUR)


def test_ready_is_half_an_hour_after_the_last_word(folder: Path) -> None:
    """When all that owe something have answered, none asks to wait, and the hour of the day is not too early."""
    campaign = begun(folder)
    order, question = campaign.table(Order), campaign.table(Question)
    order.add(order.record(order="1-march-A-1", turn="1", phase="march", faction="A", text="M1"))
    assert ready(campaign, 10, 9) == "no"
    said = question.add(question.record(question="1.march.ready.B", turn="1", phase="march", kind="ready", to="B",
                                        answer="ready"))
    assert [ready(campaign, 10, last) for last in (9.4, 9.5, 9.75)] == ["yes", "yes", "10.25"]
    campaign.desk.not_before = 18
    assert [ready(campaign, hours, 9) for hours in (10, 18, 23)] == ["18.0", "yes", "yes"]
    said.answer = "aspetta"
    assert ready(campaign, 19, 9) == "no"
    order.add(order.record(order="1-march-B-1", turn="1", phase="march", faction="B", text="M1"))
    assert ready(campaign, 19, 9) == "no"  # its orders are there, and it asks to wait


def test_at_the_end_of_the_grace_a_phase_is_ready_whoever_is_silent(folder: Path) -> None:
    """Where the referee has said what becomes of them; else one waits for the referee."""
    campaign = begun(folder)
    campaign.desk.due_day, campaign.desk.grace = "sunday", 2
    assert ready(campaign, 23, due=SUNDAY) == "no"
    campaign.desk.absent = "nothing"
    assert [ready(campaign, hours, due=SUNDAY) for hours in (21, 22)] == ["no", "yes"]


def test_auto_resolves_only_what_is_ready(book: Path) -> None:
    """Else it says who is awaited and ends as waiting; the words wait and ready are understood in both languages."""
    take_lines(book, "A: M1", "B: M1", "A: aspetta")
    later = datetime.fromtimestamp(os.stat(book).st_mtime, UTC) + HOUR
    waiting = resolved(book, later, auto=True)
    assert (waiting.exit, waiting.data["wait"]) == (desk.Exit.WAITING, ["A"])
    assert "Wait for more, they have asked: Ashford." in desk.status(book, clock=later, lang="en").lines
    take_lines(book, "A: pronto")
    later = datetime.fromtimestamp(os.stat(book).st_mtime, UTC) + timedelta(minutes=29)
    assert resolved(book, later, auto=True).exit == desk.Exit.WAITING
    assert resolved(book, later + timedelta(minutes=1), auto=True).exit == desk.Exit.DONE


# --- what is shown and kept -----------------------------------------------------------------------------
def test_reports_and_copies_say_the_deadline_of_the_desk(set_up: Any, tmp_path: Path) -> None:
    """In each club's language, unless another is typed."""
    book = set_up({**WEEKLY, "due_zone": "Europe/Rome"})
    desk.report(book, tmp_path / "out", clock=SUNDAY - 24 * HOUR)
    assert "domenica 29 novembre 2026, ore 20:00 (Europe/Rome)" in (tmp_path / "out" / "B.txt").read_text()
    assert "Sunday 29 November 2026, 20:00 (Europe/Rome)" in (tmp_path / "out" / "A.txt").read_text()
    desk.report(book, tmp_path / "out", by="tomorrow", clock=SUNDAY)
    assert "by tomorrow" in (tmp_path / "out" / "A.txt").read_text()


@pytest.mark.slow
def test_a_clubs_copy_has_the_deadline_and_no_setting_that_is_not_set(set_up: Any, tmp_path: Path) -> None:
    """It says until when to send it back, with the grace; of what the Desk leaves blank it has no line."""
    book = set_up(WEEKLY)
    desk.share(book, tmp_path / "copies", only=["A"], clock=SUNDAY)
    copy = openpyxl.load_workbook(tmp_path / "copies" / "war-A.xlsx")
    said = [str(cell.value) for row in copy["Desk"].iter_rows() for cell in row if cell.value]
    assert any("by Sunday 6 December 2026, 20:00 (UTC) (what comes until Monday 7 December" in one for one in said)
    assert "Due on" in said
    assert not {"Stop above (% silent)", "For the silent", "Time zone"} & {*said}


def test_what_cannot_be_read_is_told_at_its_cell(set_up: Any) -> None:
    """A time zone that nobody knows, holidays in words: remarks that stop nothing."""
    book = set_up({**WEEKLY, "due_zone": "Europe/Roma"}, holidays="Christmas")
    checked = desk.check(book)
    assert sorted(finding.code for finding in checked.findings) == [codes.NO_SUCH_ZONE, codes.NO_HOLIDAYS]
    assert checked.exit == desk.Exit.DONE
    assert all(finding.cell for finding in checked.findings)


@pytest.mark.slow
def test_a_correction_of_what_a_club_had_sent_goes_before_its_standing_orders(book: Path) -> None:
    """It was forgotten, not silent: replayed, its standing orders do not count, and nothing is said of them."""
    take_lines(book, "A: M1", "B: A1 until changed")
    resolved(book)
    wish = desk.CorrectionRequest((desk.Input("B: M1", text="B: M1"),), at="1.march")
    result = desk.correct(book, wish, desk.CorrectionOptions("forgotten"), confirm=lambda _: True, lang="en")
    assert result.exit == desk.Exit.DONE, result.finding_lines()
    assert "1-march-B-standing-1" not in campaign_of(book).table(Order)
    assert told(book) == []
    assert desk.verify(book).exit == desk.Exit.DONE


def test_standing_orders_come_in_rows_too(folder: Path) -> None:
    """In the column In words of a copy or a CSV, as in a line."""
    campaign = begun(folder)
    after = campaign.copy()
    row = campaign.table(Order).record(turn="1", phase="march", faction="B", text="M1 until changed")
    taken = [Merge(TINY, campaign, after).take(row) for _ in range(2)]
    assert [one.how for one in taken] == ["new", "same"]
    assert current_standing_orders(TINY, after, "B") == ("M1",)
    assert not len(after.table(Order))


def test_who_is_played_for_anyway_is_not_silent(folder: Path) -> None:
    """A club for which the referee lets a robot play this once holds up nobody."""
    call = call_roll(TINY, begun(folder), SUNDAY - HOUR, SUNDAY)
    assert [one.faction for one in call.without({"B"}).silent] == ["A"]


@pytest.mark.slow
def test_a_deadline_that_nobody_was_told_of_yet_is_kept_from_the_first_look_on(set_up: Any) -> None:
    """Asked again and again whether the phase is ready, it does not run away."""
    book = set_up({**WEEKLY, "absent": "nothing"})
    assert resolved(book, SUNDAY - HOUR, auto=True).exit == desk.Exit.WAITING
    assert resolved(book, SUNDAY + HOUR, auto=True).data["deadline"] == SUNDAY.isoformat()
    assert resolved(book, SUNDAY + 24 * HOUR, auto=True).exit == desk.Exit.DONE
    assert told(book) == [("A", "nothing"), ("B", "nothing")]


@pytest.mark.slow
def test_at_the_command_line_it_is_an_exit_code_and_an_option(set_up: Any) -> None:
    """Without a terminal: 3 for a phase that is not ready, 1 where clubs are silent all at once, 0 with --yes."""
    book = set_up({"silent_share": "0"})

    def code(*words: str) -> int:
        return arbitro("resolve", book, *words).exit_code

    assert [code("--auto"), code(), code("--yes")] == [3, 1, 0]


@pytest.mark.slow
def test_a_button_asks_and_a_click_on_yes_goes_on(set_up: Any) -> None:
    """The clubs that are silent are named in the question; a no changes nothing."""
    book = set_up({"silent_share": "0"})
    bench = ExcelBench(book, None)
    app = bench.open.app.impl
    app.alerts, app.answers, app.shown = [], ["no"], []
    assert press_on(bench.open, "resolve").exit == 1
    assert "Ashford, Brook" in app.alerts[0]
    app.answers = ["yes"]
    assert press_on(bench.open, "resolve").exit == 0
    bench.close()
    assert campaign_of(book).desk.phase == "clash"


def test_what_is_no_order_does_not_stand(folder: Path) -> None:
    """It is refused when it comes, not each time when it would count."""
    campaign = begun(folder)
    row = campaign.table(Order).record(turn="1", phase="march", faction="B", text="to the hills until changed")
    taken = Merge(TINY, campaign, campaign.copy()).take(row)
    assert (taken.how, taken.finding.code if taken.finding else "") == ("refused", codes.NO_STANDING_ORDER)


class Daily(Tiny):
    """Two Villages as it would be if two phases read the orders of the march."""

    def phase(self, phase_id: str) -> Phase:
        """The clash reads them, too."""
        found = super().phase(phase_id)
        return found._replace(orders="march", takes="") if phase_id == "clash" else found


def test_orders_for_several_phases_are_due_once(folder: Path) -> None:
    """Where a whole day is ordered at once, before the first of its phases; later ones wait for nobody."""
    campaign = begun(folder)
    assert call_roll(Daily(), campaign).owing == ("A", "B")
    campaign.desk.phase = "clash"
    assert (call_roll(Daily(), campaign).owing, call_roll(TINY, campaign).owing) == ((), ())


def test_a_phase_that_waits_for_the_referee_is_not_ready(folder: Path) -> None:
    """A battle's result is missing: no club owes anything, and still nothing can go on by itself."""
    campaign = begun(folder)
    campaign.desk.phase = "fight"
    table = campaign.table(Question)
    asked = table.add(table.record(question="1.fight.battle_result.referee.B1.M1", turn="1", phase="fight",
                                   kind="battle_result", to="referee", about="B1.M1", status="open"))
    assert ready(campaign, 20) == "no"
    asked.answer = "A"
    assert ready(campaign, 20) == "yes"
