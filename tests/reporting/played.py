"""The scripted campaigns of the five rulebooks in memory, and the pages of their readers at any phase."""

from __future__ import annotations

from functools import cache, lru_cache

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Battle
from assistant.desk.commands.report import (
    BuiltPage,
    Previous,
    Proofs,
    faction_page,
    last_event_before,
    public_pages,
    start_of_last_orders,
)
from assistant.environment import shipped_scenario
from assistant.testing.cases import opening
from assistant.turn.phases import without_superseded
from assistant.turn.rulebooks import load
from assistant.turn.ruleset import Ruleset
from tests.playing import play_script

SCENARIOS = {"giglio": "italy-1500", "anarchy": "wallingford-1139", "incursio": "esdef-beginning",
             "warriors": "borderlands", "bloodlust": "tanaephis"}
LAST = {"giglio": "1500.winter", "anarchy": "9.close", "incursio": "12.arrivals", "warriors": "7.events",
        "bloodlust": "987Wi.close"}
"""How far each is played: a year, or some weeks."""
WAITING = {"warriors": ("2.battle", ("orcs", "undead")), "bloodlust": ("987Sp.battle", ("BAT", "PIO"))}
"""Where battles wait to be played, and two who fight in them."""
SECRET = b"golden"


def moment(campaign: Campaign) -> str:
    """``turn.phase`` of the Desk."""
    return f"{campaign.desk.turn}.{campaign.desk.phase}"


@lru_cache(maxsize=5)
def states(book: str) -> tuple[Ruleset, list[Campaign]]:
    """A rulebook, and its scripted campaign before each phase, up to `LAST`."""
    ruleset = load(book)
    made = [opening(ruleset, shipped_scenario(book, SCENARIOS[book]))]
    for before, outcome in play_script(ruleset, made[0], SECRET):
        made.append(outcome.campaign)
        if moment(before) == LAST[book]:
            break
    return ruleset, made


@cache
def at(book: str, when: str) -> int:
    """The number of the state at ``turn.phase``."""
    return next(n for n, campaign in enumerate(states(book)[1]) if moment(campaign) == when)


def reports(book: str, number: int, readers: tuple[str, ...], lang: str, *, whole: bool = False,
            public: bool = False) -> list[BuiltPage]:
    """The pages of some factions at a state, since the last orders or since the beginning (`whole`)."""
    ruleset, made = states(book)
    now, no_dice = without_superseded(made[number]), Proofs({}, {})
    past = Previous(0, made[0]) if whole else _since_last_orders(ruleset, made, number)
    pages = [faction_page(ruleset, now, code, no_dice, past, lang=lang) for code in readers]
    return [*pages, *(public_pages(ruleset, now, no_dice, past, lang=lang) if public else ())]


def waiting(book: str, when: str, readers: tuple[str, ...], lang: str) -> list[BuiltPage]:
    """The pages of some factions at a state whose open battles are still to be played."""
    ruleset, made = states(book)
    now = without_superseded(made[at(book, when)].copy())
    for battle in now.table(Battle):
        if battle.hold == "asked":
            for name in ("winner", "outcome"):
                if hasattr(battle, name):
                    setattr(battle, name, "")
    return [faction_page(ruleset, now, code, Proofs({}, {}), Previous(0, made[0]), lang=lang) for code in readers]


def _since_last_orders(ruleset: Ruleset, made: list[Campaign], number: int) -> Previous:
    turn, phase = start_of_last_orders(ruleset, made[number]) or ("", "")
    before = next((one for one in made[:number] if one.desk.turn == turn and phase in ("", one.desk.phase)), None)
    return Previous(last_event_before(made[number], turn, phase) if turn else 0, before if turn else None)
