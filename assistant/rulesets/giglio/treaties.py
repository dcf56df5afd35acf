"""Alliances: secret, told only to the referee; made, ended, broken, judged in winter."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.campaign.order import natural
from assistant.rulesets.giglio.answers import ACCEPT, YES_NO
from assistant.rulesets.giglio.records import Alliance
from assistant.rulesets.giglio.requests import Refused, Request, partner_named
from assistant.rulesets.giglio.war import War
from assistant.turn.game import REFEREE, Ask


@dataclass(frozen=True)
class Offer:
    """One ally row: who offers what to whom."""

    request: Request
    by: str
    to: str
    passage: bool
    until: int | None

    def mirrors(self, other: Offer) -> bool:
        """Whether the other row names this faction on the same terms."""
        return (self.by, self.to, self.passage, self.until) == (other.to, other.by, other.passage, other.until)


def offer(war: War, request: Request) -> Offer:
    """Check an ally row (GIG-010, 096, 091; a last year that is no number is GIG-007)."""
    partner = partner_named(war, request)
    forbidden = {frozenset(pair.upper().split("-")) for pair in str(war.rules.ally_forbidden).split()}
    if war.rules.ally_matrix == "listed" and frozenset((request.faction, partner)) in forbidden:
        raise Refused("GIG-096", "partner", a=request.faction, b=partner)
    if war.treaty(request.faction, partner) is not None:
        raise Refused("GIG-091", "partner", partner=partner)
    if request.amount != "" and (not isinstance(request.amount, int) or request.amount < 1):
        raise Refused("GIG-007", "amount", amount=request.amount)
    until = request.amount if isinstance(request.amount, int) else None
    return Offer(request, request.faction, partner, request.option == "passage", until)


def dissolve(war: War, request: Request) -> None:
    """End a treaty at once (GIG-010, 092); its passage ends with it."""
    partner = partner_named(war, request)
    row = war.treaty(request.faction, partner)
    if row is None:
        raise Refused("GIG-092", "partner", partner=partner)
    row.status, row.dissolved_by, row.dissolved_year = "dissolved", request.faction, war.year
    war.game.tell("alliance.dissolved", [request.faction, partner], "alliances", touch=[row],
                  a=row.a, b=row.b, by=request.faction)


def conclude(war: War, offers: list[Offer]) -> None:
    """Twin rows make a treaty; for every other row its partner is asked (6.2 step 6).

    `offers`: in natural order of faction, then by seq.
    """
    offers = sorted(offers, key=lambda o: natural(o.by))
    alone = _make_twins(war, offers)
    for one in alone:
        one.request.warn(war, "GIG-090", "partner", partner=one.to)
    first: list[Offer] = []
    second: list[tuple[Offer, Offer]] = []
    for one in alone:
        earlier = next((o for o in first if (o.by, o.to) == (one.to, one.by)), None)
        if earlier is None:
            first.append(one)
        else:
            second.append((earlier, one))
    taken = {id(o): answer for o, answer in zip(first, _ask(war, first), strict=True)}
    later = [one for earlier, one in second if taken[id(earlier)] == "refuse"]
    taken.update({id(o): answer for o, answer in zip(later, _ask(war, later), strict=True)})
    for one in alone:
        answer = taken.get(id(one))
        if answer == "accept":
            _make(war, one)
        elif answer == "refuse":
            war.game.tell("alliance.refused", [one.by, one.to], "alliances", a=one.by, b=one.to)


def _make_twins(war: War, offers: list[Offer]) -> list[Offer]:
    alone: list[Offer] = []
    made: set[int] = set()
    for one in offers:
        if id(one) in made:
            continue
        twin = next((o for o in offers if o is not one and id(o) not in made and o.mirrors(one)), None)
        if twin is None:
            alone.append(one)
        else:
            made |= {id(one), id(twin)}
            _make(war, one)
    return alone


def _ask(war: War, offers: list[Offer]) -> list[str]:
    asks = [Ask("ally_confirm", o.to, o.by, ("accept", "refuse"), "refuse",
                {"f": o.by, "y": o.until or "-", "passage": "passage" if o.passage else "no_passage",
                 "terms": o.request.note}, terms=("y", "passage", "terms")) for o in offers]
    got = war.game.ask_all(asks)
    found = []
    for ask, text in zip(asks, got, strict=True):
        word = ACCEPT.get(text.lower())
        if word is None:
            war.game.ask_again(ask, "GIG-100", answer=text, options=", ".join(ask.options))
        found.append(str(word))
    return found


def _make(war: War, one: Offer) -> None:
    a, b = sorted((one.by, one.to), key=natural)
    row = war.alliances.add(Alliance(a=a, b=b, since=war.year, until=one.until, passage=one.passage,
                                     terms=one.request.note))
    war.game.tell("alliance.made", [one.by, one.to], "alliances", touch=[row], a=one.by, b=one.to, until=one.until,
                  passage="passage" if one.passage else "no_passage")


def mark(war: War, actor: str, partner: str, what: str) -> None:
    """An act against a partner: the first one makes the actor suspect, and passage ends (6.5 step 7).

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
    war.game.tell("alliance.suspect", REFEREE, "alliances", touch=[row], a=row.a, b=row.b, by=actor, what=what)


def _named_apart(suspected: list[Alliance]) -> list[str]:
    """``M/V/M`` for each treaty; a second one of the same pair and suspect, made since, is ``M/V/M/2``."""
    names = ["/".join([*sorted((row.a, row.b), key=natural), row.suspect]) for row in suspected]
    counts = [names[:i + 1].count(name) for i, name in enumerate(names)]
    return [name if n == 1 else f"{name}/{n}" for name, n in zip(names, counts, strict=True)]


def judge(war: War) -> None:
    """Winter: the referee says of each suspect whether the treaty was betrayed (6.7 steps 1 and 2)."""
    suspected = [row for row in war.alliances if row.suspect and row.status in ("active", "dissolved")]
    asks = [Ask("betrayal", REFEREE, about, ("yes", "no"), "yes",
                {"suspect": r.suspect, "what": r.suspect_act or "attack",
                 "other": r.b if r.suspect == r.a else r.a})
            for r, about in zip(suspected, _named_apart(suspected), strict=True)]
    for ask, row, text in zip(asks, suspected, war.game.ask_all(asks), strict=True):
        word = YES_NO.get(text.lower())
        if word is None:
            war.game.ask_again(ask, "GIG-100", answer=text, options="yes, no")
        elif word == "yes":
            row.status, row.betrayed_by = "betrayed", row.suspect
            war.game.tell("alliance.betrayed", [row.a, row.b], "alliances", touch=[row], a=row.a, b=row.b,
                          by=row.suspect)
        else:
            by = row.suspect
            row.suspect = row.suspect_act = ""
            war.game.tell("alliance.cleared", REFEREE, "alliances", touch=[row], a=row.a, b=row.b, by=by)
    for row in war.alliances:
        if row.status == "active" and row.until is not None and row.until <= war.year:
            row.status = "honoured"
            war.game.tell("alliance.honoured", [row.a, row.b], "alliances", touch=[row], a=row.a, b=row.b)
