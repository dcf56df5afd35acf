"""The bank: loans due in; what the chest pays and what is confiscated out (2a, rulebook: Loans and confiscation)."""

from __future__ import annotations

from assistant.campaign.order import natural
from assistant.rulesets.giglio.book.records import Army, Faction, Fleet, Loan, Node
from assistant.rulesets.giglio.war.war import War
from assistant.turn.answers.asking import Ask
from assistant.turn.game import ALL

BOOK_ORDER = "book_order"


def due(war: War) -> list[Loan]:
    """The loans of earlier years that are still open, in natural order of faction."""
    return [loan for loan in sorted(war.loans, key=lambda row: (natural(row.faction), row.year))
            if loan.status == "open" and loan.year < war.year]


# --- what is taken first --------------------------------------------------------------------------
def goods(war: War, faction: str) -> list[Fleet | Army | Node]:
    """What the bank may take of a faction: its fleets, its armies, its places with intact walls."""
    return [*(f for f in war.fleets if f.faction == faction), *(a for a in war.armies_of(faction) if a.value),
            *(p for p in war.nodes if p.owner == faction and p.fortified)]


def asks(war: War) -> list[Ask]:
    """What each debtor would have taken first, where the chest cannot pay; no phase waits for it."""
    owed: dict[str, int] = {}
    for loan in due(war):
        owed[loan.faction] = owed.get(loan.faction, 0) + loan.due
    return [Ask("confiscation", code, "", tuple(one.ident for one in goods(war, code)), BOOK_ORDER,
                {"faction": code, "due": amount}) for code, amount in owed.items()]


def wishes(war: War) -> dict[str, tuple[str, ...]]:
    """The goods that debtors have named, in their order; () where one has named none."""
    return {ask.to: war.game.given_to(ask) or () for ask in asks(war)}


# --- collecting -----------------------------------------------------------------------------------
def collect(war: War, loan: Loan, first: tuple[str, ...] = ()) -> None:
    """A loan falls due: the chest pays, and what it cannot pay is confiscated (2a)."""
    faction = war.factions[loan.faction]
    paid = max(0, min(loan.due, faction.treasury))
    rest = loan.due - paid
    if rest == 0:
        war.money(loan.faction, "repayment", -paid, str(loan.year), told=False)
        loan.status = "repaid"
        war.tell("loan.repaid", [loan.faction], touch=[loan], faction=loan.faction, amount=paid)
        return
    if paid:
        war.money(loan.faction, "repayment", -paid, str(loan.year))
    loan.status, loan.confiscated_year = "confiscated", war.year
    left, taken = confiscate(war, faction, rest, first)
    war.tell("loan.confiscated", [loan.faction], touch=[loan, *taken], faction=loan.faction, taken=rest - left,
             written_off=left)
    if taken:
        war.tell("loan.goods", [loan.faction], faction=loan.faction, goods=[one.ident for one in taken])


def confiscate(war: War, faction: Faction, owed: int, first: tuple[str, ...]) -> tuple[int, list[Fleet | Army | Node]]:
    """Goods in equal value: those that the faction has named, then in the rulebook page's order (a) to (e).

    Returns the ducats that have to be written off and what was taken.
    """
    code, price = faction.faction, war.rules.cost_fleet
    taken: list[Fleet | Army | Node] = []

    def take(one: Fleet | Army | Node) -> None:
        nonlocal owed
        if owed > 0 and one.ident in war.campaign.by_sheet(one.sheet):  # an army aboard goes with its fleet
            owed = max(0, owed - _take(war, one, owed))
            taken.append(one)

    named = {one.ident: one for one in goods(war, code)}
    for ident in first:
        if ident in named:
            take(named[ident])
    for fleet in [f for f in war.fleets if f.faction == code and not f.cargo]:
        if owed >= price:
            take(fleet)
    for one in sorted(goods(war, code), key=_in_turn):
        take(one)
    return owed, taken


def _in_turn(one: Fleet | Army | Node) -> tuple[object, ...]:
    """Armies, the largest first, fleets, walls, those of fortresses last."""
    if isinstance(one, Army):
        return 0, -one.value, natural(one.army)
    return (1, 0, natural(one.fleet)) if isinstance(one, Fleet) else (2, one.site == "fortress", natural(one.node))


def _take(war: War, one: Fleet | Army | Node, owed: int) -> int:
    """Take a fleet, what is owed of an army, or a place's walls; ducats that it counts for. All see what is gone."""
    if isinstance(one, Fleet):
        war.lose_fleet(one, "confiscated", "2a", cargo_why="fleet confiscated")
        return war.rules.cost_fleet
    if isinstance(one, Army):
        worth = min(owed, one.value)
        war.wear(one, worth, "confiscated", "2a")
        return worth
    one.walls = "none"
    war.tell("walls.confiscated", ALL, touch=[one], node=one.node)
    return war.rules.cost_fortify
