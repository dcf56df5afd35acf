"""Resolving a phase: a pure function from a campaign to a campaign, or to the questions it waits for."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field, replace

from assistant.campaign.campaign import Campaign
from assistant.campaign.record import Record
from assistant.campaign.records import Die, Event, FindingRow, Question, Rule
from assistant.campaign.table import Table
from assistant.turn.answers.asking import Ask, Waiting
from assistant.turn.answers.invitations import take_answers
from assistant.turn.answers.until_changed import BY, answer_of
from assistant.turn.findings import Finding, Where
from assistant.turn.game import Game, answers_of
from assistant.turn.numbers import check_typed
from assistant.turn.rows.misfits import keeps_phase, refuse_misfits
from assistant.turn.ruleset import Ruleset
from assistant.turn.superseded import in_force, put_back_superseded
from assistant.turn.throws.dice import BadThrow, Dice, Roll, plain_dice, typed_roll
from assistant.turn.throws.purposes import kind_of

BAD_DIE = "ARB-060"
UNREAD_DIE = "ARB-049"
OTHER_DICE = "ARB-280"
ONE_KEY = "ARB-289"


@dataclass
class Outcome:
    """What a resolution came to.

    `campaign`: the new state (with open questions if it waits; the old one if findings forbade it);
    `questions`: what it waits for; `findings`: all of this run; `events`, `rolls`: what is new.
    """

    campaign: Campaign
    turn: str
    phase: str
    done: bool
    questions: list[Question] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    rolls: list[Roll] = field(default_factory=list)


def typed_dice(campaign: Campaign, bad: Container[str] = ()) -> dict[str, str]:
    """The dice that were typed in for the present phase: purpose -> value; not those that an earlier turn has used.

    `bad`: keys of rows that cannot be; their value is "", which no dice can show.
    """
    turn = campaign.desk.turn
    keys = dict.fromkeys(d.key for d in campaign.table(Die).open_rows(
        turn, lambda d: d.source == "table" and (d.turn == turn or d.hold != "settled")))
    rows = {key: die_row(campaign, key) for key in keys}
    return {key: "" if row.ident in bad else row.value
            for key, row in rows.items() if row is not None and row.source == "table"}


def spent(campaign: Campaign) -> Callable[[str], bool]:
    """Whether an earlier phase has thrown for a purpose; where turn and phase are part of a die's key none has."""
    if not campaign.has(Die.sheet):
        return lambda key: False
    dice, now = campaign.table(Die), (campaign.desk.turn, campaign.desk.phase)

    def was_thrown(key: str) -> bool:
        row = dice.get(dice.record(key=key, turn=now[0], phase=now[1]).ident)
        return row is not None and row.hold == "settled" and bool(row.turn) and (row.turn, row.phase) != now

    return was_thrown


def die_row(campaign: Campaign, purpose: str) -> Die | None:
    """The row of a purpose: the present phase's, where the ruleset's purposes do not name turn and phase
    (its record then makes them part of the key), or one without turn and phase that waits for its throw.
    """
    table, desk = campaign.table(Die), campaign.desk
    now = table.record(key=purpose, turn=desk.turn, phase=desk.phase)
    return table.get(now.ident) or table.get(table.record(key=purpose).ident)


def bad_die(ruleset: Ruleset, die: Die) -> Finding | None:
    """What is wrong with a typed die that cannot show what was typed, or is another than its purpose is thrown with,
    as a finding at its cell.
    """
    kind, where = kind_of(ruleset, die.key), Where(Die.sheet, die.ident, "value")
    typed, thrown = plain_dice(die.dice), kind.dice if kind is not None else ""
    dice = typed or thrown
    if typed and thrown and typed != thrown and die.hold == "typed":
        return Finding(OTHER_DICE, "error", Where(Die.sheet, die.ident, "dice"),
                       {"seen": die.dice, "key": die.key, "dice": thrown})
    try:
        if dice:  # else only the phase knows them
            typed_roll(die.key, dice, die.value, "", faces=kind is not None and kind.faces)
    except BadThrow as bad:
        return Finding(BAD_DIE, "error", where, bad.as_data())
    except ValueError:
        return Finding(BAD_DIE, "error", where, {"value": die.value, "dice": dice})
    return None


def bad_dice(ruleset: Ruleset, campaign: Campaign) -> list[Finding]:
    """All typed dice that cannot be; those that a phase has used were looked at then.

    Each is the affair of its row (decision 27), as long as no phase throws it. A value that nobody could read was told
    by the reader, who left it blank.
    """
    if not campaign.has(Die.sheet):
        return []
    return campaign.made_of(_bad_dice, Die, by=(ruleset, campaign.desk.turn))


def _bad_dice(ruleset: Ruleset, turn: str, dice: Table[Die]) -> list[Finding]:
    typed = dice.open_rows(turn, lambda die: die.source == "table" and bool(die.value))
    found = (bad_die(ruleset, die) for die in typed)
    return [replace(finding, alone=True) for finding in found if finding is not None]


def bad_data(ruleset: Ruleset, campaign: Campaign) -> list[Finding]:
    """What forbids to start any phase: numbers and switches that cannot be, and the ruleset's own findings; and dice
    that cannot be, which forbid the phase that throws them.
    """
    return (bad_dice(ruleset, campaign) + campaign.made_of(_bad_numbers, Rule, by=(ruleset,))
            + ruleset.check_data(campaign))


def _bad_numbers(ruleset: Ruleset, rules: Table[Rule]) -> list[Finding]:
    return check_typed(ruleset.numbers, rules)


def resolve(ruleset: Ruleset, campaign: Campaign, turn_secret: bytes,
            extra_answers: Mapping[str, str] | None = None) -> Outcome:
    """Run the present phase to its end or to its next question.

    The campaign that is passed in is never changed. `extra_answers`: id -> text, beside those on the
    Questions sheet (robots, defaults). Rows that a correction has superseded stay, and the phase does not
    see them.
    """
    desk = campaign.desk
    before = Outcome(campaign, desk.turn, desk.phase, done=False)
    standing = in_force(campaign)
    before.findings = bad_data(ruleset, standing)
    if any(keeps_phase(f) for f in before.findings):
        return before
    bad = {f.where.row: f for f in before.findings if f.where.table == Die.sheet and f.alone}
    phase = ruleset.phase(desk.phase)
    work = standing.copy()
    misfits = refuse_misfits(ruleset, work)
    game = ruleset.game(work, dice=Dice(desk.turn, turn_secret, typed_dice(work, bad), spent(standing)),
                        answers={**answers_of(work), **(extra_answers or {})})
    game.findings += misfits
    try:
        take_answers(game, ruleset.invitations(game))
        phase.play(game)
    except BadThrow as thrown:
        before.findings = [_stopping_die(campaign, thrown, bad)]
        return before
    except Waiting as waiting:
        outcome = _stopped(ruleset, campaign, game, waiting, extra_answers or {})
        outcome.findings += bad.values()
        return outcome
    _close(work, game, extra_answers or {})
    ruleset.advance(work)
    after = work.copy()  # none of its rows is known to anybody who took part
    if standing is not campaign:
        put_back_superseded(campaign, after)
    return Outcome(after, desk.turn, desk.phase, True, [], [*game.findings, *bad.values()], game.events,
                   list(game.dice.thrown.values()))


def _stopping_die(campaign: Campaign, thrown: BadThrow, bad: Mapping[str, Finding]) -> Finding:
    """Why a phase that throws a typed die stops: its row cannot be, or cannot be read. `bad`: what was seen of rows."""
    row = die_row(campaign, thrown.key)
    where = Where(Die.sheet, row.ident if row else thrown.key, "value")
    if where.row in bad:
        return replace(bad[where.row], alone=False)
    if not thrown.value:
        return Finding(UNREAD_DIE, "error", where, {"key": thrown.key})
    return Finding(BAD_DIE, "error", where, thrown.as_data())


def _stopped(ruleset: Ruleset, campaign: Campaign, game: Game, waiting: Waiting,
             extra: Mapping[str, str]) -> Outcome:
    after = campaign.copy()
    table = after.table(Question)
    asked = [_write(table, ask, game, "open") for ask in waiting.questions]
    for form in game.forms:
        _hand_out(after, form)
    _keep_answers(after, extra)
    return Outcome(after, game.turn, game.phase, False, asked, game.findings, [], [])


def _hand_out(campaign: Campaign, form: Record) -> None:
    """Write a form's row, without what people typed into it."""
    table = campaign.by_sheet(form.sheet)
    old = table.get(form.ident)
    if old is None:
        table.add(form.copy())
        return
    for c in form.columns():
        if c.edit == "assistant":
            setattr(old, c.name, getattr(form, c.name))


def _keep_answers(campaign: Campaign, extra: Mapping[str, str]) -> None:
    table = campaign.table(Question)
    for name, text in sorted(extra.items()):
        row = table.get(table.record(question=name, turn=campaign.desk.turn, phase=campaign.desk.phase).ident)
        if row is not None and not row.answer:
            row.answer = text


def _keep_standing(table: Table[Question], game: Game) -> None:
    """Note which standing answers were taken, and keep those that were typed in this phase."""
    for name, stood in game.stood.items():
        row = table[table.record(question=name, turn=game.turn, phase=game.phase).ident]
        row.answer, row.asked = answer_of(stood), {**row.asked, BY: stood.question}
    for made in game.made_standing:
        (table.get(made.ident) or table.add(made)).answer = made.answer


def _write(table: Table[Question], ask: Ask, game: Game, status: str) -> Question:
    """The question's row as it is asked now, with the answer that stands there."""
    row = game.row_of(ask)
    row.status = status
    old = table.get(row.ident)
    if old is None:
        return table.add(row)
    row.answer = "" if game.name_of(ask) in game.outdated else old.answer
    for name, value in vars(row).items():
        setattr(old, name, value)
    return old


def _close(campaign: Campaign, game: Game, extra: Mapping[str, str]) -> None:
    questions = campaign.table(Question)
    for ask in game.asked:
        _write(questions, ask, game, "answered")
    _keep_standing(questions, game)
    for key in game.heard:
        questions[key].status = "answered"
    _keep_answers(campaign, extra)
    for question in questions.of_turn(game.turn, lambda row: row.status == "open", parts=(game.phase,)):
        question.status = "void"  # the phase did not need it in the end
    dice = campaign.table(Die)
    for roll in sorted(game.dice.thrown.values(), key=lambda r: r.key):
        row = die_row(campaign, roll.key)
        if row is None:
            dice.add(dice.record(key=roll.key, dice=roll.dice, value=roll.value, turn=game.turn, phase=game.phase,
                         source="assistant", audience=roll.audience))
        else:
            was = row.ident
            row.turn, row.phase, row.audience = game.turn, game.phase, roll.audience
            if row.ident != was:  # it was typed without its turn and phase, which are part of the key here
                dice.add(dice.remove(was))
            row.dice = roll.dice
            if not roll.typed:  # a row that was not typed in says what was thrown
                row.value = roll.value
    for key, own in game.dice.twice:
        row = die_row(campaign, own)
        assert row is not None
        game.findings.append(Finding(ONE_KEY, "warning", Where(Die.sheet, row.ident, "key"), {"key": key, "own": own}))
    kept = campaign.table(FindingRow)
    for found in game.findings:
        kept.add(FindingRow(turn=game.turn, phase=game.phase, table=found.where.table, row=found.where.row,
                            code=found.code, severity=found.severity, field=found.where.field,
                            faction=found.faction, data=dict(found.data)))
