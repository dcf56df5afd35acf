"""`remind`: a campaign and the hour in; a short mail to each who is awaited out: a club, in its grace, its deputy."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from assistant.campaign.records import Faction
from assistant.desk import codes
from assistant.desk.evening.reports import answers_refused, words_of
from assistant.desk.mailing.counter import NOBODY, Counter, PostWish
from assistant.desk.mailing.handing_over import hand_over
from assistant.desk.mailing.packages import REMINDER, TO_FILL_HERE, Package, as_written, short_letter
from assistant.desk.mailing.sending import UNSAID, addresses_missing
from assistant.desk.playing.next_steps import waited_for, where_of
from assistant.desk.playing.roll_call import call_roll
from assistant.desk.results import Exit, Result
from assistant.desk.sitting.copies import tokens_of
from assistant.desk.sitting.deadline import due_now, keep_due, said_by, shown, told_due
from assistant.desk.sitting.moments import stop_on_data
from assistant.desk.sitting.sitting import At, Sitting, sit
from assistant.desk.sitting.stops import Stop, club_of, folder_stop, of_one_moment
from assistant.post.out.addresses import addresses_in, each_once
from assistant.post.out.clock import Clock
from assistant.post.out.settings import load
from assistant.titles import campaign_title
from assistant.turn.absence.deadlines import timetable_of
from assistant.turn.superseded import in_force
from assistant.wording import N_, Verbatim, Wording

SUBJECT = N_("[{campaign}] {name}: you are awaited, {where}")
AWAITED = N_("The campaign stands at {where} and waits for you:")
BY = N_("Please answer by {deadline}.")
IN_GRACE = N_("It was due by {deadline}. What comes until {until} still counts.")
DEPUTY = N_("{faction:the} {faction?is|are} away; you are the deputy, and it is your turn.")
AND_DEPUTY = N_("This goes to the deputy, too: whoever of you can, please answer.")
GRACE, HOLIDAY = "grace", "deputy"
"""Whose turn it is, as the outbox keeps it, beside the club's own; each gets one reminder a phase."""


class Called(NamedTuple):
    """A club that is awaited. `to`: the addresses that are asked; `turn`: "", ``GRACE`` (its time is up but for the
    grace: its deputy is asked, too) or ``HOLIDAY`` (it is away: its deputy is asked instead).
    """

    faction: str
    to: tuple[str, ...]
    turn: str = ""


@of_one_moment
def remind(at: At, folder: Path, *, clock: Clock, wish: PostWish = UNSAID, by: str = "", lang: str = "") -> Result:
    """Write once to each club for which the present phase waits, once more at the start of its grace, and to its deputy
    when it is the deputy's turn; who owes nothing, has left standing orders, or is away without a deputy gets nothing.

    `folder`: for the ``.eml`` of a dry run; `by`: until when they have time, in words (default: as the Desk sets it).
    Result data: as `send`.
    """
    try:
        sitting = sit(at, lang)
        stop_on_data(sitting)
        post = load()
        result = Result("remind", findings=sitting.reading.findings, wording=sitting.wording)
        wish = wish.spelled(lambda typed: club_of(sitting.campaign, typed, sitting.wording))
        now = clock.now()
        awaited = called(sitting, now)
        wanted = [one.faction for one in awaited if one.faction in wish.only or not wish.only]
        if not wanted:
            result.data["sent"] = 0
            result.say(sitting.wording.text(N_("No club is awaited.")))
            return result
        if post is None and not wish.dry:
            result.exit = Exit.REFUSED
            result.find([codes.finding(codes.NOBODY_REMINDED, list=", ".join(wanted))])
            return result
        result.find(addresses_missing(sitting, wanted))
        if not wish.dry:
            keep_due(sitting, now)
        packages = _packages(sitting, [one for one in awaited if one.faction in wanted], by, now)
        hand_over(Counter(sitting, post or NOBODY, clock, wish), result, packages, folder)
    except Stop as stopped:
        return stopped.result("remind")
    except OSError as fault:
        return folder_stop(fault, folder, N_("the mails"), lang).result("remind")
    return result


def called(sitting: Sitting, now: datetime) -> list[Called]:
    """The clubs that are awaited, in the order in which they are, and who is asked for each."""
    campaign, ruleset = in_force(sitting.campaign), sitting.ruleset
    if ruleset.is_over(campaign):
        return []
    due = due_now(sitting, now)
    silent = {one.faction: one for one in call_roll(ruleset, campaign, now, due).silent}
    table, factions, found = timetable_of(campaign.desk), campaign.table(Faction), list[Called]()
    waited = {one.who: one.kind for one in waited_for(ruleset, campaign, sitting.wording, answers_refused(sitting))}
    for code, kind in waited.items():
        row, one = factions.get(code), silent.get(code)
        if row is None or row.role == "robot" or (kind == "orders" and (one is None or one.standing)):
            continue
        club, deputy = (tuple(addresses_in(text)[0]) for text in (row.mail, row.deputy))
        in_grace = due is not None and table is not None and due <= now < table.ends(due)
        if one is not None and one.holiday:
            if row.deputy:
                found.append(Called(code, deputy, GRACE if in_grace else HOLIDAY))
        else:
            found.append(Called(code, tuple(each_once((*club, *deputy))) if in_grace else club,
                                GRACE if in_grace else ""))
    return found


def _packages(sitting: Sitting, awaited: Sequence[Called], by: str, now: datetime) -> list[Package]:
    """A letter for each that has an address, in its own language."""
    campaign, ruleset, tokens = in_force(sitting.campaign), sitting.ruleset, tokens_of(sitting)
    found = []
    for one in awaited:
        row = campaign.table(Faction)[one.faction]
        view = ruleset.view(campaign, one.faction)
        words = words_of(ruleset, view, row.language)
        due = [what.what for what in waited_for(ruleset, view, words) if what.who == one.faction]
        where = Verbatim(where_of(ruleset, view, words))
        lines = [*_to_deputy(one, row, words), words.text(AWAITED, where=where), "\n".join(f"- {what}" for what in due),
                 *_until(sitting, one, by, now, words), words.text(TO_FILL_HERE)]
        subject = words.text(SUBJECT, campaign=campaign_title(view.desk, words), where=where,
                             name=Verbatim(row.name(words.lang)))
        letter = short_letter(REMINDER, words, one.faction, subject, lines, tokens.get(one.faction, ""))
        if one.to:
            found.append(Package(letter, list(one.to), words, [], as_written(letter), (one.turn,) if one.turn else ()))
    return found


def _to_deputy(one: Called, row: Faction, words: Wording) -> list[str]:
    """Why a deputy reads this."""
    away = not set(addresses_in(row.mail)[0]) & set(one.to)
    if away and one.turn:
        return [words.text(DEPUTY, faction=one.faction)]
    return [words.text(AND_DEPUTY)] if one.turn == GRACE and addresses_in(row.deputy)[0] else []


def _until(sitting: Sitting, one: Called, by: str, now: datetime, words: Wording) -> list[str]:
    """Until when an answer counts."""
    due, desk, table = due_now(sitting, now), sitting.campaign.desk, timetable_of(sitting.campaign.desk)
    if one.turn == GRACE and due is not None and table is not None and not by.split():
        return [words.text(IN_GRACE, deadline=Verbatim(told_due(due, desk, words)),
                           until=Verbatim(told_due(table.ends(due), desk, words)))]
    told = shown(said_by(sitting, by, now), words) if by.split() or due is None or due > now else ""
    return [words.text(BY, deadline=Verbatim(told))] if told else []
