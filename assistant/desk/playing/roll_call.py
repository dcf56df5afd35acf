"""The roll call: a campaign, the time and the deadline in; who owes something, who is silent, who newly so out."""

from __future__ import annotations

from collections.abc import Container
from datetime import datetime
from typing import NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Ref
from assistant.campaign.record import Record
from assistant.campaign.records import (
    BASE,
    CLUBLESS,
    REFEREE,
    Army,
    Desk,
    Event,
    Faction,
    Node,
    Order,
    Question,
)
from assistant.desk.playing.play import GIVEN_MARKS, has_asked, open_questions
from assistant.turn.absence.club_words import READY, WAIT, said_in_phase, says, standing_now
from assistant.turn.absence.deadlines import AFTER_THE_LAST_WORD, not_too_early, timetable_of, zone_of
from assistant.turn.absence.fates import Silent
from assistant.turn.absence.holidays import on_holiday
from assistant.turn.messages.house import COMMON_EVENTS
from assistant.turn.ruleset import Ruleset

SHARED = tuple(record for record in BASE if record not in (Node, Army))
"""Sheets on which nothing stands that a faction could do something with: the desk's own, and orders and questions."""


class RollCall(NamedTuple):
    """Who is there. `owing`: the clubs of which something is due in the present phase, answered or not; `silent`: those
    of them from which nothing has come; `newly`: the silent that were heard when orders were due before, and have
    neither announced that they are away nor left standing orders; `waits`: who has written ``wait``; `due`: the
    deadline, None where none is known; `referees`: the phase waits for an answer of the referee's.
    """

    owing: tuple[str, ...] = ()
    silent: tuple[Silent, ...] = ()
    newly: tuple[str, ...] = ()
    waits: tuple[str, ...] = ()
    due: datetime | None = None
    referees: bool = False

    def in_time(self, now: datetime | None) -> tuple[Silent, ...]:
        """The silent that may still send something."""
        return tuple(one for one in self.silent if one.in_time(now))

    def without(self, played: Container[str]) -> RollCall:
        """The same without those that somebody plays."""
        return self._replace(owing=tuple(code for code in self.owing if code not in played),
                             silent=tuple(one for one in self.silent if one.faction not in played),
                             newly=tuple(code for code in self.newly if code not in played))

    def too_many(self, share: int | None) -> bool:
        """Whether more than a share (per cent; None: any number will do) of those who owe something is newly silent."""
        return share is not None and len(self.newly) * 100 > share * len(self.owing)


class Ready(NamedTuple):
    """Whether a phase may be resolved without asking anybody. `since`: from when, None where that is not known yet;
    `awaited`, `waits`: who keeps it from being so (the referee among them); `nobody`: nothing is due of anybody.
    """

    since: datetime | None
    awaited: tuple[str, ...] = ()
    waits: tuple[str, ...] = ()
    nobody: bool = False

    def now(self, moment: datetime) -> bool:
        """Whether it is ready at a moment."""
        return self.nobody or (self.since is not None and self.since <= moment)


def call_roll(ruleset: Ruleset, campaign: Campaign, now: datetime | None = None, due: datetime | None = None
              ) -> RollCall:
    """Who is there in the present phase. `now`: what time it is (None: it does not matter); `due`: the deadline."""
    if ruleset.is_over(campaign):
        return RollCall(due=due)
    orders, answers = owing_orders(ruleset, campaign), _unanswered(ruleset, campaign)
    owing = tuple(orders or answers)
    heard = _heard(ruleset, campaign, campaign.desk.turn, campaign.desk.phase) if orders else set()
    silent = tuple(_silent(ruleset, campaign, code, bool(orders), now, due) for code in owing if code not in heard)
    before = _silent_before(ruleset, campaign) if silent else set()
    newly = tuple(one.faction for one in silent if orders and one.faction not in before and not one.provided)
    waits = tuple(code for code, word in said_in_phase(campaign).items() if word == WAIT)
    referees = any(question.to == REFEREE for question in open_questions(ruleset, campaign))
    return RollCall(owing, silent, newly, waits, due, referees)


def owing_orders(ruleset: Ruleset, campaign: Campaign) -> list[str]:
    """Clubs of which orders are due now: the phase is the first of its turn to read them and has not begun, and the
    club has something on the map or the sheets of its own; in natural order.
    """
    here = campaign.desk.phase
    word = ruleset.phase(here).orders
    if not word or has_asked(campaign) or _readers(ruleset, campaign, word)[:1] != [here]:
        return []
    clubs = [row.faction for row in campaign.table(Faction) if row.role not in (*CLUBLESS, "robot")]
    there = holders(campaign, set(clubs))
    return [code for code in clubs if code in there]


def holders(campaign: Campaign, codes: set[str]) -> set[str]:
    """Those of some factions for which anything stands on a sheet of the game: a place, an army, a noble."""
    found: set[str] = set()
    for table in campaign.tables().values():
        names = [] if issubclass(table.record, SHARED) else _naming(table.record)
        for _, row in table.raw_rows() if names else ():
            found.update(getattr(row, name) for name in names)
            if codes <= found:
                return codes
    return found & codes


def _naming(record: type[Record]) -> list[str]:
    return [c.name for c in record.columns() if isinstance(c.kind, Ref) and c.kind.table == Faction.sheet]


def _unanswered(ruleset: Ruleset, campaign: Campaign) -> list[str]:
    """Clubs that a question of the present phase waits for, in natural order."""
    asked = {question.to for question in open_questions(ruleset, campaign)} - {REFEREE}
    return [row.faction for row in campaign.table(Faction)
            if row.faction in asked and row.role not in (*CLUBLESS, "robot")]


def own_orders(campaign: Campaign, turn: str, word: str) -> set[str]:
    """Factions with rows of Orders that they have sent themselves for a phase."""
    rows = campaign.table(Order).of_turn(turn, parts=(word,)) if word else []
    return {row.faction for row in rows if not any(mark in row.order for mark in GIVEN_MARKS)}


def _readers(ruleset: Ruleset, campaign: Campaign, word: str) -> list[str]:
    """The phases of the present turn that read the same orders, in the order of play: a whole day's, for example."""
    return [phase for phase in ruleset.phase_ids(campaign) if ruleset.phase(phase).orders == word]


def _heard(ruleset: Ruleset, campaign: Campaign, turn: str, phase: str) -> set[str]:
    """Who sent orders of its own for a phase, or has said that it is ready with them."""
    word = ruleset.phase(phase).orders
    rows = campaign.table(Question).of_turn(turn, lambda row: row.kind == READY and says(row.answer) == READY)
    return own_orders(campaign, turn, word) | {row.to for row in rows if ruleset.phase(row.phase).orders == word}


def _silent_before(ruleset: Ruleset, campaign: Campaign) -> set[str]:
    """Factions that sent nothing when orders were due the last time; nobody where that was never so."""
    table = campaign.table(Event)
    for event in (table[key] for key in table.from_the_last()):
        here = (event.turn, event.phase) == (campaign.desk.turn, campaign.desk.phase)
        if here or event.event in COMMON_EVENTS:
            continue
        try:
            takes = bool(ruleset.phase(event.phase).orders)
        except KeyError:
            continue
        if takes:
            heard = _heard(ruleset, campaign, event.turn, event.phase)
            return {row.faction for row in campaign.table(Faction)} - heard
    return set()


def _silent(ruleset: Ruleset, campaign: Campaign, code: str, orders: bool, now: datetime | None,
            due: datetime | None) -> Silent:
    row, desk = campaign.table(Faction)[code], campaign.desk
    table, zone, moment = timetable_of(desk), zone_of(desk), due or now
    away = moment is not None and zone is not None and on_holiday(row.holidays, moment.astimezone(zone).date())
    gone = away and not row.deputy
    until = None if due is None or table is None or gone else table.ends(due)
    return Silent(code, "orders" if orders else "answers", standing_now(ruleset, campaign, code) if orders else (),
                  away, row.deputy, until)


def readiness(desk: Desk, call: RollCall, last_word: datetime | None, now: datetime) -> Ready:
    """Whether the present phase is ready: half an hour after the last word of a club once all that owe something have
    answered and none has written ``wait``; where a deadline is known and the referee has said what becomes of the
    silent, once their time is up. `last_word`: when something came last, None where that is not known.

    Who is away and has no deputy cannot answer, and is not waited for.
    """
    table = timetable_of(desk)
    if call.referees:
        return Ready(None, (REFEREE,), call.waits)
    if not call.owing and not call.waits:
        return Ready(None, nobody=True)
    awaited = tuple(one.faction for one in call.silent if not (one.holiday and not one.deputy))
    if call.due is not None and table is not None and table.ends(call.due) <= now and (desk.absent or not awaited):
        return Ready(_allowed(desk, table.ends(call.due), now))
    if awaited or call.waits:
        return Ready(None, awaited, call.waits)
    quiet = now if last_word is None else last_word + AFTER_THE_LAST_WORD
    return Ready(_allowed(desk, quiet, now))


def _allowed(desk: Desk, quiet: datetime, now: datetime) -> datetime:
    """From when a phase may be called ready. `quiet`: from when nobody is waited for."""
    return not_too_early(desk, max(quiet, now))
