"""The rest of a turn, played many times with throw-away dice: what happens in how many of the plays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import CLUBLESS, Battle, Event, Faction, Order
from assistant.turn.dice import Dice
from assistant.turn.findings import Finding
from assistant.turn.phases import Outcome, play_with, thrown_before, typed_dice, without_superseded
from assistant.turn.robot_play import ROBOT_MARK, give_robot_orders
from assistant.turn.ruleset import Ruleset
from assistant.turn.throw_chances import answers_without_clubs

PLAYS = 200
"""So many plays, if they are not too long."""
FEWEST = 20
PHASES = 1_600
"""About so many phases are played in all, which takes some ten seconds."""
SEED = b"arbitro rehearsal "
"""Fixed, so that asking again shows the same; it has nothing to do with the campaign's dice."""


class TurnPlay(NamedTuple):
    """One play of the rest of a turn: the campaign at its end, what happened, the orders that were refused, how many
    questions the assistant answered, and the phase that could not be ended ("" if none).
    """

    campaign: Campaign
    events: tuple[Event, ...]
    refused: tuple[Finding, ...]
    answered: int
    stuck_at: str = ""


def plays_for(ruleset: Ruleset, campaign: Campaign) -> int:
    """How many plays take some ten seconds: fewer for a turn of many phases."""
    return min(PLAYS, max(FEWEST, PHASES // max(len(ruleset.phases_left(campaign)), 1)))


def clubs_of(campaign: Campaign) -> list[str]:
    """The factions that order for themselves, or for which robots do."""
    return [row.faction for row in campaign.table(Faction) if row.role not in CLUBLESS]


def played_turns(ruleset: Ruleset, campaign: Campaign, plays: int, tell: Callable[[int], None] = lambda n: None
                 ) -> Iterator[TurnPlay]:
    """Play the phases to come of this turn `plays` times. Robots order for all clubs without orders, and answer all
    questions. The campaign is not changed. `tell`: called with the number of each play before it.
    """
    clubs = clubs_of(campaign)
    for number in range(plays):
        tell(number)
        yield _played_turn(ruleset, campaign, clubs, SEED + str(number).encode())


def _played_turn(ruleset: Ruleset, campaign: Campaign, clubs: Sequence[str], secret: bytes) -> TurnPlay:
    turn, events, refused, answered = campaign.desk.turn, list[Event](), list[Finding](), 0
    while campaign.desk.turn == turn and not ruleset.is_over(campaign):
        campaign, _ = give_robot_orders(ruleset, campaign, clubs)
        outcome, n = _played_phase(ruleset, campaign, secret)
        events += outcome.events
        refused += [finding for finding in outcome.findings if finding.stops and finding.where.table == Order.sheet]
        answered += n
        if not outcome.done:
            return TurnPlay(campaign, tuple(events), tuple(refused), answered, outcome.phase)
        campaign = outcome.campaign
    return TurnPlay(campaign, tuple(events), tuple(refused), answered)


def _played_phase(ruleset: Ruleset, campaign: Campaign, secret: bytes) -> tuple[Outcome, int]:
    """The outcome of a phase, and how many questions were answered; it has not ended where no answer is taken."""
    answers: dict[str, str] = {}
    standing = without_superseded(campaign)
    while True:
        dice = Dice(campaign.desk.turn, secret, typed_dice(standing), thrown_before(standing))
        outcome = play_with(ruleset, campaign, dice, answers)
        fresh = {} if outcome.done else answers_without_clubs(ruleset, outcome)
        if outcome.done or not fresh or fresh.keys() & answers.keys():
            return outcome, len(answers)
        answers |= fresh


def ordered_by_robots(campaign: Campaign, played: Campaign) -> list[str]:
    """The clubs for which robots have ordered in a play. `campaign`: as it was before."""
    known = set(campaign.table(Order).keys())
    rows = (row for row in played.table(Order) if row.order not in known and ROBOT_MARK in row.order)
    return list(dict.fromkeys(row.faction for row in rows))


def new_battles(campaign: Campaign, played: Campaign) -> list[Battle]:
    """The battles of a play that were not there before, or not decided."""
    before = campaign.table(Battle)
    return [row for row in played.table(Battle)
            if (old := before.get(row.battle)) is None or old.won is None]


class Spread(NamedTuple):
    """Numbers of many plays: nine in ten are not below `low`, nine in ten not above `high`."""

    low: int
    middle: int
    high: int


def spread_of_numbers(numbers: Iterable[int]) -> Spread:
    """Raises IndexError for none."""
    listed = sorted(numbers)
    tenth = len(listed) // 10
    return Spread(listed[tenth], listed[len(listed) // 2], listed[len(listed) - 1 - tenth])
