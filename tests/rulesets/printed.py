"""All that a club is told to write, line by line as reports, mails, cards and findings print it, and typing it back."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain, count, islice
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import CLUBLESS, Faction, Order, Question
from assistant.desk.inputs import check_ahead
from assistant.desk.intake.incoming import not_understood, read_typed_lines
from assistant.desk.intake.take_orders import Merge, refuses
from assistant.desk.workspace.workspace import Workspace, open_workspace
from assistant.reporting.duties import orderable_verbs, reply_form
from assistant.reporting.reader import Reader
from assistant.speech import names_of
from assistant.testing import robots
from assistant.turn import codes
from assistant.turn.findings import Finding
from assistant.turn.orders.legal import LegalOrder
from assistant.turn.orders.verbs import as_order_book, order_line
from assistant.turn.phases import Outcome, give_robot_orders, robots_of
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording
from tests.fresh import new_campaign

POSITIONS = int(os.environ.get("ARBITRO_POSITIONS", "8"))
"""How many positions a rulebook are looked at; of 300 CONTRIBUTING.md says how."""
EVERY = 7
"""Of so many positions of a campaign one is looked at: another phase in each turn."""
SPOILED = 4
"""Of every so many lines one is spoiled, for what its finding proposes."""


class Position(NamedTuple):
    """A campaign, and the club that looks at it."""

    campaign: Campaign
    faction: str


class PrintedLine(NamedTuple):
    """A line that a club is told to write, and where it stands."""

    where: str
    text: str

    @property
    def sort(self) -> str:
        """The first word of where it stands."""
        return self.where.split()[0]


# --- positions --------------------------------------------------------------------------------------
def some_positions(ruleset: Ruleset, campaign: Campaign, number: int = POSITIONS) -> Iterator[Position]:
    """So many positions of one whole campaign after the other, each with dice and clubs of its own."""
    several = (islice(positions(ruleset, campaign, seed), seed % EVERY, None, EVERY) for seed in count(1))
    return islice(chain.from_iterable(several), number)


def positions(ruleset: Ruleset, campaign: Campaign, seed: int) -> Iterator[Position]:
    """A campaign of robots before each of its phases, seen by some club, and wherever a phase stops for an answer of
    clubs or for the result of a battle, by one of those whom it asks.
    """
    chance, secret = random.Random(seed), seed.to_bytes(32, "big")
    while not ruleset.is_over(campaign):
        clubs = [row.faction for row in campaign.table(Faction) if row.role not in CLUBLESS]
        yield Position(campaign, chance.choice(clubs))
        campaign, _ = give_robot_orders(ruleset, campaign, robots_of(campaign))
        asking = _Asking(ruleset, clubs, chance)
        campaign = robots.finish_phase(ruleset, campaign, secret, asking.reply).campaign
        yield from asking.stopped


class _Asking:
    """Answers a phase as robots do; `stopped`: the campaign wherever it asked, seen by one of those whom it asked."""

    def __init__(self, ruleset: Ruleset, clubs: Sequence[str], chance: random.Random) -> None:
        self.ruleset, self.clubs, self.chance = ruleset, clubs, chance
        self.stopped = list[Position]()

    def reply(self, waiting: Outcome) -> dict[str, str]:
        """The answers for one stop."""
        asked = [row.to for row in waiting.questions if row.to in self.clubs] or self.clubs
        self.stopped.append(Position(waiting.campaign.copy(), self.chance.choice(asked)))
        return robots.answers_to(self.ruleset, waiting, robots.default_judge(self.ruleset))


# --- what is printed --------------------------------------------------------------------------------
def printed_lines(ruleset: Ruleset, view: Campaign, faction: str, lang: str, chance: random.Random
                  ) -> Iterator[PrintedLine]:
    """What a club's report, mail, card and list of verbs offer in a language, and findings at lines that it spoiled."""
    words = Wording(ruleset, lang, names_of(view, lang, ruleset.named, ruleset.coded))
    reader = Reader.of(ruleset, view, faction, words)
    yield from (PrintedLine("form", line) for line in form_lines(reply_form(reader, {})))
    yield from (PrintedLine("report", one.example) for one in orderable_verbs(reader).items if one.example)
    yield from (PrintedLine("card", card.example) for card in ruleset.order_cards(
        view, lang, words.text, faction) if card.example)
    orders = list(ruleset.legal_orders(view, faction, limit=3, ahead=True))
    book = as_order_book(ruleset.verbs)
    for order in orders:
        yield PrintedLine("verbs", order_line(book, view, order.fields, lang))
    for order in orders[::SPOILED]:
        yield from _told_of(ruleset, view, faction, order, lang, chance)


def form_lines(form: Sequence[str]) -> Iterator[str]:
    """The lines of a form's remarks that may be sent back once their mark is gone."""
    return (line.removeprefix("#") for line in form[1:-1] if line.startswith("#") and not line.startswith("# "))


def _told_of(ruleset: Ruleset, view: Campaign, faction: str, order: LegalOrder, lang: str, chance: random.Random
             ) -> Iterator[PrintedLine]:
    """The hints and proposals of a finding at a line, of which a word is gone or is another."""
    line = order_line(as_order_book(ruleset.verbs), view, order.fields, lang)
    words = line.split()
    place = chance.randrange(len(words))
    wrong = [*words[:place], *chance.choice(([], ["xyzzy"], [words[place][:-1]])), *words[place + 1:]]
    spoiled = " ".join(wrong)
    if not spoiled:
        return
    read = ruleset.read(spoiled, view, faction)
    finding = not_understood(ruleset, view, faction, spoiled, read)
    if finding.code == codes.UNCLEAR:
        yield from (PrintedLine(f"proposal for '{spoiled}'", text) for text in str(
            finding.data[f"list_{lang}"]).split("; ") if text)
    elif text := str(finding.data[f"example_{lang}"]):
        yield PrintedLine(f"hint for '{spoiled}'", text)


# --- typed back -------------------------------------------------------------------------------------
@cache
def workspace(ruleset_id: str) -> Workspace:
    """A workbook of the rulebook, whose campaign is to be replaced."""
    return open_workspace(new_campaign(Path(mkdtemp()) / "war.xlsx", ruleset_id), "en")


def said_of(campaign: Campaign, faction: str, line: str, ruleset: Ruleset) -> list[Finding]:
    """What speaks against a line of a club in a campaign, from its reading on to what *check* says of its row."""
    after = campaign.copy()
    table = after.table(Order)
    for row in table.of_turn(after.desk.turn, lambda row: row.faction == faction and not row.status):
        table.remove(row.ident)
    here = replace(workspace(ruleset.id), campaign=after)
    merge = Merge(ruleset, after.copy(), after)
    incoming = read_typed_lines(line, here, after, faction, club=True)
    taken = [merge.take(row, key) for key, row in incoming.rows()]
    findings = [*incoming.findings, *(one.finding for one in taken if one.finding is not None)]
    rows = {(one.row.sheet, one.row.ident) for one in taken if one.how != "refused"}
    if any(isinstance(one.row, (Order, Question)) for one in taken):
        findings += [one for one in [*ruleset.check_orders(after), *check_ahead(ruleset, after),
                                     *ruleset.foresee_orders(after)] if (one.where.table, one.where.row) in rows]
    if not taken and not findings:
        findings = [codes.finding(codes.NOT_UNDERSTOOD, text=line)]
    return [one for one in findings if refuses(ruleset, one)]
