"""Alliances. Treaties are secret: only the two parties and the referee know them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from assistant.campaign.records import Event
from assistant.campaign.tables import natural
from assistant.rulesets.giglio import PARTIES, VOCABULARY, both
from assistant.rulesets.giglio.records import Alliance, Faction
from assistant.rulesets.giglio.war import IN_BOTH, WRONG, TreatyOffer, War, other_factions
from assistant.turn.chapters import Chapter, Citation, EventType, Message, QuestionType, Rules, switch
from assistant.turn.dice import REFEREE
from assistant.turn.event_types import TreatyStep
from assistant.turn.orders.columns import Amount, Note, Sentence
from assistant.turn.orders.columns import Option as ColumnOption
from assistant.turn.orders.requests import HasGame, Refused, Request
from assistant.turn.orders.row_columns import Partner
from assistant.turn.orders.taking import late_meaning
from assistant.turn.orders.verbs import order, same
from assistant.turn.questions import Ask, Option

# What the chapter declares.


class Numbers(Rules):
    """Which treaties are allowed."""

    ally_matrix: Literal["all", "listed"] = switch(
        both("Allowed are {option}.", "Sono permessi {option}."), both("all treaties", "tutti i patti"),
        both("all treaties but the forbidden pairs", "tutti i patti tranne le coppie vietate"),
        usual=True)
    ally_forbidden: str = switch(both("Pairs that may not be allied (such as V-T M-FR): {option}.",
                                      "Coppie che non possono allearsi (come V-T M-FR): {option}."),
                                 both("none", "nessuna"), options=("",), free=True, usual=True)


ACCEPT: Mapping[str, str] = {
    "accettare": "accept", "yes": "accept", "sì": "accept", "rifiutare": "refuse", "no": "refuse",
}
YES_NO: Mapping[str, str] = {"sì": "yes"}

EVENTS = (
    EventType("alliance.made", both("{a:the} and {b:the} have made a treaty.", "Stretto un patto fra {a:il} e {b:il}."),
              "diplomacy", 1, means=PARTIES, to="a b"),
    EventType("alliance.refused",
              both("The treaty between {a:the} and {b:the} was refused.", "Rifiutato un patto fra {a:il} e {b:il}."),
              "diplomacy", 2, means=PARTIES, to="a b"),
    EventType("alliance.honoured",
              both("{a:the} and {b:the} kept their treaty to its end.",
                   "Rispettato fino alla fine il patto fra {a:il} e {b:il}."), "diplomacy", 2, means=PARTIES, to="a b"),
    EventType("alliance.dissolved",
              both("{by:the} {by?ends|end} the treaty between {a:the} and {b:the}.",
                   "{by:il} {by?scioglie|sciolgono} il patto fra {a:il} e {b:il}."), "diplomacy", 1, means=PARTIES,
              to="by a b"),
    EventType("alliance.betrayed", both("{by:the} betrayed the treaty between {a:the} and {b:the}.",
                                       "{by:il} {by?ha|hanno} tradito il patto fra {a:il} e {b:il}."),
              "diplomacy", 0, means=PARTIES, to="a b"),
    EventType("alliance.suspect",
              both("Treaty between {a:the} and {b:the}: {by:the} acted against {by?its|their} partner ({what}).",
                   "Patto fra {a:il} e {b:il}: {by:il} {by?ha|hanno} agito contro l'alleato ({what})."), "diplomacy", 1,
              means=PARTIES,
              variants=("what",
                        {"attack": both("Treaty between {a:the} and {b:the}: {by:the} attacked {by?its|their} partner.",
                                        "Patto fra {a:il} e {b:il}: {by:il} {by?ha|hanno} attaccato l'alleato.")}),
              to=REFEREE),
    EventType("alliance.cleared",
              both("{by:the} {by?is|are} cleared of betraying the treaty between {a:the} and {b:the}.",
                   "{by:il} {by?è prosciolto|è prosciolta|sono prosciolti|sono prosciolte} dal tradimento del patto "
                   "fra {a:il} e {b:il}."), "diplomacy", 3, means=PARTIES, to=REFEREE),
)
TREATIES: Mapping[str, TreatyStep] = {
    "alliance.made": TreatyStep("made", ("a", "b")), "alliance.honoured": TreatyStep("kept", ("a", "b")),
    "alliance.dissolved": TreatyStep("ended", ("a", "b"), "by"),
    "alliance.betrayed": TreatyStep("broken", ("a", "b"), "by"),
}

FINDINGS = (
    Message("GIG-090", "warning",
            both("Your offer goes out; {partner:the} {partner?is|are} asked whether to accept it, unless you accept "
                 "one of theirs first.",
                 "L'offerta parte; {partner:a} si chiede se l'accetta, a meno che tu non accetti prima una sua.")),
    Message("GIG-091", "error",
            both("You already have a treaty with {partner:the}.", "Hai già un patto {partner:con}.")),
    Message("GIG-092", "error", both("You have no treaty with {partner:the}.", "Non hai patti {partner:con}.")),
    Message("GIG-096", "error",
            both("A treaty between {a:the} and {b:the} is not permitted.",
                 "Un patto fra {a:il} e {b:il} non è consentito."), means=PARTIES),
)

QUESTIONS = (
    QuestionType("ally_confirm",
                 both("{f:the} {f?offers|offer} a treaty until {y}, {passage}: {terms}",
                      "{f:il} {f?offre|offrono} un patto fino al {y}, {passage}: {terms}"),
                 ("y",
                  {"-": both("{f:the} {f?offers|offer} a treaty without end, {passage}: {terms}",
                             "{f:il} {f?offre|offrono} un patto senza scadenza, {passage}: {terms}")}), ACCEPT,
                 stands=Option(("refuse",)), wrong=WRONG, means={"f": "faction", "y": "text"}, subjects=other_factions),
    QuestionType("betrayal",
                 both("{suspect:the} against {other:the} ({what}): was the treaty betrayed?",
                      "{suspect:il} contro {other:il} ({what}): il patto è tradito?"),
                 ("what",
                  {"attack": both("{suspect:the} attacked {other:the}: was the treaty betrayed?",
                                  "{suspect:il} {suspect?ha|hanno} attaccato {other:il}: il patto è tradito?")}),
                 YES_NO, wrong=WRONG, means={"other": "faction"}),
)

both.words({
    "IT": "italiana", "IT_amended": "italiana, con gli Emendamenti", "EN": "inglese",
    "EN_amended": "inglese, con gli Emendamenti",
    "passage": "con diritto di passaggio", "no_passage": "senza diritto di passaggio",
    "ally_confirm": "conferma del patto", "accept": "accetta", "refuse": "rifiuta", "betrayal": "tradimento",
    "capture": "cattura",
})

CHAPTER = Chapter(both("Alliances", "Alleanze"), (Citation("alliances", "alliances", "alleanze"),), Numbers, EVENTS,
                  FINDINGS, QUESTIONS)


# Treaties: offers, their end, acts against a partner, the referee's ruling.


PASSAGE = ColumnOption({"passage": "passo", "no_passage": "senza passo"}, blank=True, further=VOCABULARY["passage"])


MOST_YEARS = 1000
"""For how many years a treaty may be made: a greater number is no year of it."""


class LastYear(Amount):
    """The last year of a treaty; GIG-007 words it as a year, not as ducats."""

    def pieces(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """A number that can be a year."""
        # small numbers are ducats elsewhere: only a year is as large as this, unless the cell holds nothing else
        yield from ((count, number) for count, number in sentence.number(start)
                    if number >= MOST_YEARS or sentence.exact)

    def ahead(self, board: HasGame, request: Request, name: str) -> None:
        """Judge the year at once: nothing that happens until then can change it."""
        self._meaning(board, request, name)

    def _meaning(self, board: HasGame, request: Request, name: str) -> int | None:
        try:
            until = super()._meaning(board, request, name)
        except Refused:
            raise Refused("GIG-007", name, amount=getattr(request, name), what="year") from None
        year = int(board.game.campaign.desk.turn)
        if until is not None and not year <= until < year + MOST_YEARS:
            raise Refused("GIG-007", name, amount=until, what="no year")
        return until


@order("ally", "allea", also=("alleati", "alleanza", "treaty"), when=IN_BOTH, partner=Partner(), option=PASSAGE,
       amount=LastYear(blank=True, late=True, title=both("Until", "Fino al")), note=Note(terms=True),
       replaces=same("ally", "partner"),
       help=both("Offer a treaty: passage or no passage, last year, terms in the note, in a line behind a colon.",
                 "Offri un patto: passo o senza passo, ultimo anno, condizioni nella nota, in una riga dietro i due "
                 "punti."))
def ally(war: War, request: Request, other: Faction) -> None:
    """Offer a treaty: it is made if the partner has sent the same offer or says yes (GIG-096, 091)."""
    partner = other.faction
    forbidden = {frozenset(pair.upper().split("-")) for pair in str(Numbers.of(war).ally_forbidden).split()}
    if Numbers.of(war).ally_matrix == "listed" and frozenset((request.faction, partner)) in forbidden:
        raise Refused("GIG-096", "partner", a=request.faction, b=partner)
    if war.treaty(request.faction, partner) is not None:
        raise Refused("GIG-091", "partner", partner=partner)
    late_meaning(war, request, "option")
    until = late_meaning(war, request, "amount")
    war.plan.offers.append(TreatyOffer(request, request.faction, partner, request.option or "no_passage", until))


@order("dissolve", "sciogli", when=IN_BOTH, partner=Partner(),
       help=both("End a treaty at once.", "Sciogli subito un patto."))
def dissolve(war: War, request: Request, other: Faction) -> None:
    """End a treaty, and its passage with it (GIG-092)."""
    partner = other.faction
    row = war.treaty(request.faction, partner)
    if row is None:
        raise Refused("GIG-092", "partner", partner=partner)
    row.status, row.dissolved_by, row.dissolved_year = "dissolved", request.faction, war.year
    war.tell("alliance.dissolved", a=row.a, b=row.b, by=request.faction)


def conclude_treaties(war: War) -> None:
    """Make a treaty of two equal offers; of every other offer ask the partner (rulebook: Alliances).

    If two offers cross on different terms, the second is asked about only if the first was refused.
    """
    # of a faction's offers to one partner the last counts
    offers = {(o.by, o.to): o for o in sorted(war.plan.offers, key=lambda o: natural(o.by))}
    alone: dict[tuple[str, str], TreatyOffer] = {}
    for (by, to), offer in offers.items():
        twin = offers.get((to, by))
        # two offers on the same terms make one treaty, and nobody is asked
        if twin is None or (twin.passage, twin.until) != (offer.passage, offer.until):
            alone[by, to] = offer
        elif natural(by) < natural(to):
            _make_treaty(war, offer)
    for offer in alone.values():
        offer.request.find(war, "GIG-090", "partner", partner=offer.to)
    first: dict[tuple[str, str], TreatyOffer] = {}
    for pair, offer in alone.items():
        # the other of two crossing offers is not asked about if this one is accepted
        if pair[::-1] not in first:
            first[pair] = offer
    answers = dict(zip(first, _ask_partners(war, first.values()), strict=True))
    later = {pair: offer for pair, offer in alone.items() if answers.get(pair[::-1]) == "refuse"}
    answers.update(zip(later, _ask_partners(war, later.values()), strict=True))
    for pair, offer in alone.items():
        if answers.get(pair) == "accept":
            _make_treaty(war, offer)
        elif pair in answers:
            war.tell("alliance.refused", a=offer.by, b=offer.to)


def _ask_partners(war: War, offers: Iterable[TreatyOffer]) -> list[str]:
    return war.game.choose_all([
        Ask("ally_confirm", o.to, o.by, ("accept", "refuse"), "refuse",
            {"f": o.by, "y": o.until or "-", "passage": o.passage, "terms": o.request.note},
            terms=("y", "passage", "terms")) for o in offers])


def _make_treaty(war: War, offer: TreatyOffer) -> None:
    a, b = sorted((offer.by, offer.to), key=natural)
    war.alliances.add(Alliance(a=a, b=b, since=war.year, until=offer.until, passage=offer.passage == "passage",
                               terms=offer.request.note))
    war.tell("alliance.made", a=offer.by, b=offer.to, until=offer.until, passage=offer.passage)


def round_made(war: War, treaty: Alliance) -> int:
    """The round of summer in whose marches a treaty of this year was made, before its battles; 0 if earlier."""
    made = [event.phase for event in war.campaign.table(Event).of_turn(str(war.year))
            if event.event == "alliance.made" and treaty.joins(str(event.data["a"]), str(event.data["b"]))]
    return int(made[-1].removesuffix(".move")[1:]) if made and made[-1].endswith(".move") else 0


def mark_suspect(war: War, actor: str, partner: str, what: str) -> None:
    """Note an act against a partner: the first one makes the actor suspect and ends passage (rulebook: Alliances).

    One act breaks one treaty: the active one, else the last that the actor dissolved this year.
    """
    theirs = [row for row in war.alliances if row.joins(actor, partner)]
    broken = [row for row in theirs if row.status == "active"] or [
        row for row in theirs
        if row.status == "dissolved" and row.dissolved_by == actor and row.dissolved_year == war.year]
    if not broken or broken[-1].suspect:
        return
    row = broken[-1]
    row.suspect, row.suspect_act = actor, what
    war.tell("alliance.suspect", a=row.a, b=row.b, by=actor, what=what)


def _treaty_labels(suspected: list[Alliance]) -> list[str]:
    """Label each treaty ``M/V/M``; a second one of the same pair and suspect is ``M/V/M/2``."""
    names = ["/".join([*sorted((row.a, row.b), key=natural), row.suspect]) for row in suspected]
    counts = [names[:i + 1].count(name) for i, name in enumerate(names)]
    return [name if n == 1 else f"{name}/{n}" for name, n in zip(names, counts, strict=True)]


def judge_treaties(war: War) -> None:
    """In winter the referee rules for each suspect whether the treaty was betrayed (rulebook: Alliances)."""
    suspected = [row for row in war.alliances if row.suspect and row.status in ("active", "dissolved")]
    asks = [Ask("betrayal", REFEREE, about, ("yes", "no"), "yes",
                {"suspect": r.suspect, "what": r.suspect_act or "attack",
                 "other": r.b if r.suspect == r.a else r.a})
            for r, about in zip(suspected, _treaty_labels(suspected), strict=True)]
    for row, word in zip(suspected, war.game.choose_all(asks), strict=True):
        if word == "yes":
            row.status, row.betrayed_by = "betrayed", row.suspect
            war.tell("alliance.betrayed", a=row.a, b=row.b, by=row.suspect)
        else:
            by = row.suspect
            row.suspect = row.suspect_act = ""
            war.tell("alliance.cleared", a=row.a, b=row.b, by=by)
    for row in war.alliances:
        if row.status == "active" and row.until is not None and row.until <= war.year:
            row.status = "honoured"
            war.tell("alliance.honoured", a=row.a, b=row.b)
