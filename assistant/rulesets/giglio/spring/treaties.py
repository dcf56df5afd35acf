"""Alliances: secret, told only to the referee; made, ended, broken, judged in winter."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from assistant.campaign.order import natural
from assistant.rulesets.giglio.book.records import Alliance, Faction
from assistant.rulesets.giglio.war.orders import IN_BOTH
from assistant.rulesets.giglio.war.plan import Offer
from assistant.rulesets.giglio.war.war import War
from assistant.turn.game import REFEREE, Ask
from assistant.turn.orders.columns import Amount, Note, Option, Partner
from assistant.turn.orders.refusal import Refused
from assistant.turn.orders.request import HasGame, Request
from assistant.turn.orders.taking import judged
from assistant.turn.orders.verbs import order, same

PASSAGE = Option({"passage": "passo", "no_passage": "senza_passo"}, {
    "passaggio": "passage", "con_passo": "passage", "with_passage": "passage", "no_passo": "no_passage",
    "senza_passaggio": "no_passage", "without_passage": "no_passage"}, blank=True)


@dataclass(frozen=True, kw_only=True)
class LastYear(Amount):
    """The last year of a treaty, of which GIG-007 does not speak as of ducats."""

    def ahead(self, board: HasGame, request: Request, name: str) -> None:
        """A year is one whatever happens."""
        self._meant(board, request, name)

    def _meant(self, board: HasGame, request: Request, name: str) -> int | None:
        try:
            return super()._meant(board, request, name)
        except Refused:
            raise Refused("GIG-007", name, amount=getattr(request, name), what="year") from None


@order("ally", "allea", also=("alleati", "alleanza", "treaty"), when=IN_BOTH, partner=Partner(), option=PASSAGE,
       amount=LastYear(blank=True, late=True), note=Note(), replaces=same("ally", "partner"),
       help="Offer a treaty: passage or no_passage, last year, terms in the note.")
def ally(war: War, request: Request, other: Faction) -> None:
    """An offer, which holds when the partner has sent its twin or says yes (GIG-096, 091)."""
    partner = other.faction
    forbidden = {frozenset(pair.upper().split("-")) for pair in str(war.rules.ally_forbidden).split()}
    if war.rules.ally_matrix == "listed" and frozenset((request.faction, partner)) in forbidden:
        raise Refused("GIG-096", "partner", a=request.faction, b=partner)
    if war.treaty(request.faction, partner) is not None:
        raise Refused("GIG-091", "partner", partner=partner)
    judged(war, request, "option")
    until = judged(war, request, "amount")
    war.plan.offers.append(Offer(request, request.faction, partner, request.option or "no_passage", until))


@order("dissolve", "sciogli", when=IN_BOTH, partner=Partner(), help="End a treaty at once.")
def dissolve(war: War, request: Request, other: Faction) -> None:
    """Its passage ends with it (GIG-092)."""
    partner = other.faction
    row = war.treaty(request.faction, partner)
    if row is None:
        raise Refused("GIG-092", "partner", partner=partner)
    row.status, row.dissolved_by, row.dissolved_year = "dissolved", request.faction, war.year
    war.tell("alliance.dissolved", [request.faction, partner], touch=[row], a=row.a, b=row.b, by=request.faction)


def conclude(war: War) -> None:
    """Twin rows make a treaty; for every other row its partner is asked (rulebook: Alliances).

    Of two that cross on other terms the second is asked about only where the first was refused.
    """
    offers = {(o.by, o.to): o for o in sorted(war.plan.offers, key=lambda o: natural(o.by))}
    alone: dict[tuple[str, str], Offer] = {}
    for (by, to), one in offers.items():
        twin = offers.get((to, by))
        if twin is None or (twin.passage, twin.until) != (one.passage, one.until):
            alone[by, to] = one
        elif natural(by) < natural(to):
            _make(war, one)
    for one in alone.values():
        one.request.find(war, "GIG-090", "partner", partner=one.to)
    first: dict[tuple[str, str], Offer] = {}
    for pair, one in alone.items():
        if pair[::-1] not in first:
            first[pair] = one
    answers = dict(zip(first, _ask(war, first.values()), strict=True))
    later = {pair: one for pair, one in alone.items() if answers.get(pair[::-1]) == "refuse"}
    answers.update(zip(later, _ask(war, later.values()), strict=True))
    for pair, one in alone.items():
        if answers.get(pair) == "accept":
            _make(war, one)
        elif pair in answers:
            war.tell("alliance.refused", [one.by, one.to], a=one.by, b=one.to)


def _ask(war: War, offers: Iterable[Offer]) -> list[str]:
    return war.game.choose_all([
        Ask("ally_confirm", o.to, o.by, ("accept", "refuse"), "refuse",
            {"f": o.by, "y": o.until or "-", "passage": o.passage, "terms": o.request.note},
            terms=("y", "passage", "terms")) for o in offers])


def _make(war: War, one: Offer) -> None:
    a, b = sorted((one.by, one.to), key=natural)
    row = war.alliances.add(Alliance(a=a, b=b, since=war.year, until=one.until, passage=one.passage == "passage",
                                     terms=one.request.note))
    war.tell("alliance.made", [one.by, one.to], touch=[row], a=one.by, b=one.to, until=one.until, passage=one.passage)


def mark(war: War, actor: str, partner: str, what: str) -> None:
    """An act against a partner: the first one makes the actor suspect, and passage ends (rulebook: Alliances).

    One act breaks one treaty: the one that is active, else the last that the actor dissolved this year.
    """
    theirs = [row for row in war.alliances if row.joins(actor, partner)]
    broken = [row for row in theirs if row.status == "active"] or [
        row for row in theirs
        if row.status == "dissolved" and row.dissolved_by == actor and row.dissolved_year == war.year]
    if not broken or broken[-1].suspect:
        return
    row = broken[-1]
    row.suspect, row.suspect_act = actor, what
    war.tell("alliance.suspect", REFEREE, touch=[row], a=row.a, b=row.b, by=actor, what=what)


def _named_apart(suspected: list[Alliance]) -> list[str]:
    """``M/V/M`` for each treaty; a second one of the same pair and suspect, made since, is ``M/V/M/2``."""
    names = ["/".join([*sorted((row.a, row.b), key=natural), row.suspect]) for row in suspected]
    counts = [names[:i + 1].count(name) for i, name in enumerate(names)]
    return [name if n == 1 else f"{name}/{n}" for name, n in zip(names, counts, strict=True)]


def judge(war: War) -> None:
    """Winter: the referee says of each suspect whether the treaty was betrayed (rulebook: Alliances)."""
    suspected = [row for row in war.alliances if row.suspect and row.status in ("active", "dissolved")]
    asks = [Ask("betrayal", REFEREE, about, ("yes", "no"), "yes",
                {"suspect": r.suspect, "what": r.suspect_act or "attack",
                 "other": r.b if r.suspect == r.a else r.a})
            for r, about in zip(suspected, _named_apart(suspected), strict=True)]
    for row, word in zip(suspected, war.game.choose_all(asks), strict=True):
        if word == "yes":
            row.status, row.betrayed_by = "betrayed", row.suspect
            war.tell("alliance.betrayed", [row.a, row.b], touch=[row], a=row.a, b=row.b, by=row.suspect)
        else:
            by = row.suspect
            row.suspect = row.suspect_act = ""
            war.tell("alliance.cleared", REFEREE, touch=[row], a=row.a, b=row.b, by=by)
    for row in war.alliances:
        if row.status == "active" and row.until is not None and row.until <= war.year:
            row.status = "honoured"
            war.tell("alliance.honoured", [row.a, row.b], touch=[row], a=row.a, b=row.b)
