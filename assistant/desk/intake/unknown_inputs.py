"""Unknown inputs: a campaign in; findings out for dice that no rule throws, battles and phases that are not there."""

from __future__ import annotations

from dataclasses import replace

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Battle, Die, FormRow, Question
from assistant.desk import codes
from assistant.turn.findings import Finding, Where, nearest
from assistant.turn.ruleset import Ruleset
from assistant.turn.throws import purposes
from assistant.wording import Verbatim


def never_thrown(ruleset: Ruleset, campaign: Campaign, die: Die) -> Finding | None:
    """ARB-254 for a purpose that is never thrown: a warning, for a die that nobody throws harms nothing."""
    found = purposes.purpose(ruleset, campaign, die.key)
    word = purposes.dice_of(ruleset, die.key)
    if found or (found is None and (word is not None or not ruleset.rolls)):
        return None
    near = purposes.near_purpose(ruleset, campaign, die.key)
    return codes.finding(codes.NO_SUCH_DIE, Where(Die.sheet, die.ident, "key"), seen=Verbatim(die.key),
                         near=Verbatim(near if near != die.key else ""), list=Verbatim(purposes.words(ruleset)))


def thrown_no_more(ruleset: Ruleset, campaign: Campaign, die: Die) -> Finding | None:
    """ARB-290 for a die that nobody has thrown and that says a turn, or a phase, which is over: only a correction can
    bring its throw about.
    """
    desk, place, again = campaign.desk, ruleset.calendar.turns.key, die.column("turn").key
    turn = die.turn if again else purposes.turn_of_throw(ruleset, die.key)
    ids = list(ruleset.phase_ids(campaign))
    past = ids[:ids.index(desk.phase)] if desk.phase in ids else ids
    if not turn or not (place(turn) < place(desk.turn) or (again and turn == desk.turn and die.phase in past)):
        return None
    return codes.finding(codes.THROWN_NO_MORE, Where(Die.sheet, die.ident, "key"), seen=Verbatim(die.key),
                         when=Verbatim(f"{turn} {die.phase if again else ''}".strip()))


def no_phase(ruleset: Ruleset, row: Die | Question) -> Finding | None:
    """ARB-288 for a phase that the rulebook has not, where it is part of a row's key."""
    known = list(ruleset.calendar.phases())
    if not row.phase or row.phase in known or not row.column("phase").key:
        return None
    return codes.finding(codes.STRANGE_PHASE, Where(row.sheet, row.ident, "phase"), seen=Verbatim(row.phase),
                         near=Verbatim(nearest(row.phase, known)), list=Verbatim(", ".join(known)))


def no_battle(ruleset: Ruleset, campaign: Campaign, row: Battle | FormRow, since: str = "") -> Finding | None:
    """ARB-253 for the code of a battle that cannot come, ARB-255 for one that may; None where it is there already.

    `since`: a turn; a battle of an earlier one comes no more, which is a warning.
    """
    table = campaign.table(Battle)
    there = table.get(row.battle)
    if there is not None and there.hold != "typed":
        return None
    where = Where(row.sheet, row.ident, "battle")
    fought = [one.ident for one in table.open_rows(campaign.desk.turn) if one.hold == "asked"]
    shown = Verbatim(", ".join(fought))
    if purposes.battle(ruleset, campaign, row.battle, since) == "":
        never = codes.finding(codes.NO_SUCH_BATTLE, where, seen=Verbatim(row.battle),
                              near=Verbatim(nearest(row.battle, fought)), list=shown,
                              example=Verbatim(purposes.example_of_battle(ruleset, campaign)))
        past = purposes.battle(ruleset, campaign, row.battle) != ""
        return replace(never, severity="warning") if past else never
    return codes.finding(codes.BATTLE_TO_COME, where, seen=Verbatim(row.battle), list=shown)


def strangers(ruleset: Ruleset, campaign: Campaign) -> list[Finding]:
    """What stands on the sheets and never will count, as warnings: the phases do not read it.

    A result for another battle of this turn is told while battles wait: it may be one of these that is meant.
    """
    turn = campaign.desk.turn
    dice = [die for die in campaign.table(Die).open_rows(turn) if die.hold == "typed"]
    tables = [campaign.by_sheet(sheet) for sheet in (Battle.sheet, *(form.sheet for form in ruleset.forms))]
    rows = [row for table in tables for row in table.open_rows(turn) if row.hold == "typed"]
    answers = [row for row in campaign.table(Question).open_rows(turn) if row.hold == "typed"]
    told: list[Die | Question] = [*dice, *answers]
    found = [*(never_thrown(ruleset, campaign, die) or thrown_no_more(ruleset, campaign, die) for die in dice),
             *(no_battle(ruleset, campaign, row) for row in rows),
             *(no_phase(ruleset, row) for row in told)]
    waited = any(one.hold == "asked" for one in campaign.table(Battle).open_rows(turn))
    return [Finding(one.code, "warning", one.where, one.data) for one in found
            if one is not None and (one.code != codes.BATTLE_TO_COME or (
                waited and purposes.turn_of_battle(ruleset, str(one.data["seen"])) == turn))]
