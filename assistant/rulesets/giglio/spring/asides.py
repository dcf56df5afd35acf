"""What a club may answer though no phase waits for it: its objective, what the bank takes first (objectives, 2a).

See rulebook: Objectives, Loans and confiscation.
"""

from __future__ import annotations

from functools import partial

from assistant.rulesets.giglio.book.records import OBJECTIVES, Faction
from assistant.rulesets.giglio.spring import bank
from assistant.rulesets.giglio.spring.budget import choose
from assistant.rulesets.giglio.spring.income import first_spring, takings
from assistant.rulesets.giglio.war.orders import SPRING
from assistant.rulesets.giglio.war.war import War
from assistant.turn.answers.answer_kinds import Option
from assistant.turn.answers.asking import Ask
from assistant.turn.answers.invitations import Invitation
from assistant.turn.game import REFEREE, Game

NO_OBJECTIVE = "no_objective"
INCOME = "income"


def objectives(war: War) -> list[Invitation]:
    """Clubs without an objective may choose in the first spring; afterwards the referee may rule one (objectives)."""
    open_to_clubs = first_spring(war) and war.game.phase in (INCOME, SPRING)
    return [_objective(war, faction, open_to_clubs) for faction in war.players()
            if not faction.objective and faction.role != "robot"]


def _objective(war: War, faction: Faction, open_to_clubs: bool) -> Invitation:
    code = faction.faction
    aims = [aim for aim in OBJECTIVES if aim != "conquer" and (aim, war.rules.objectives_edition) != ("capitals", "EN")]
    aims += [f"conquer:{other.faction}" for other in war.players() if other is not faction]
    ask = Ask("secret_objective", code if open_to_clubs else REFEREE, "" if open_to_clubs else code,
              (*aims, NO_OBJECTIVE), NO_OBJECTIVE, {"faction": code}, answer=Option(reader=partial(_conquest, aims)))
    return Invitation(ask, (war.game.turn, SPRING), partial(_take, code), quiet=not open_to_clubs)


def confiscations(war: War) -> list[Invitation]:
    """Debtors whose chest and takings will not do may say what the bank takes first (2a)."""
    return [Invitation(ask, (war.game.turn, INCOME)) for ask in (bank.asks(war) if war.game.phase == INCOME else ())
            if ask.options and war.factions[ask.to].role != "robot" and _means(war, ask.to) < ask.asked["due"]]


def _means(war: War, code: str) -> int:
    """What the chest will hold when the bank comes, as far as it can be told now."""
    faction = war.factions[code]
    return faction.treasury + sum(takings(war, code, faction.pending_event).values())


def _conquest(aims: list[str], text: str) -> str:
    """``conquer F`` as the option that it means, "" for none."""
    word, _, code = text.partition(" ")
    wanted = f"conquer:{code.strip()}" if word.casefold() in ("conquer", "territory", "territorio") else ""
    return next((aim for aim in aims if aim.casefold() == wanted.casefold()), "")


def _take(code: str, game: Game, answer: str) -> None:
    """The objective that was answered, unless the answer is to have none."""
    if answer != NO_OBJECTIVE:
        war = War(game)
        aim, _, target = answer.partition(":")
        choose(war, war.factions[code], aim, target)
