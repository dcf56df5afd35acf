"""Reorganisation: escorts of captives, ransoms, groups and garrisons (5.3, 8.1, 11, 15.8)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Literal

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice
from assistant.campaign.records import ALL, names_held
from assistant.rulesets.anarchy import NAMED, VOCABULARY, both, chapter, orders, records
from assistant.rulesets.anarchy.field import Detachment, Field
from assistant.rulesets.anarchy.mercenaries import pay
from assistant.rulesets.anarchy.orders import day_order
from assistant.rulesets.anarchy.realm import Men, asked, choice_code, half_pounds, hex_of, men_of, show_ranks
from assistant.rulesets.anarchy.records import RISING, Army, Convoy, Noble, Place, Prisoners, Train, Wounded, pounds
from assistant.turn.chapters import EventType, Message, Rules, number, switch
from assistant.turn.game import free_name
from assistant.turn.orders.columns import Note
from assistant.turn.orders.requests import Refused, Request, refuse_if
from assistant.turn.orders.row_columns import Named, NewCode, require_row
from assistant.turn.orders.taking import carry_all, column_values, late_meaning, price, refuse
from assistant.turn.orders.verbs import Cost
from assistant.turn.orders.words import fold
from assistant.turn.questions import Option, Text, Waiting


class CaptiveNumbers(Rules):
    """Escorts and ransoms."""

    escort_min: int = number(3, both("heads", "personaggi"),
                             both("The smallest escort of captives has {n} {n?head|heads}.",
                                  "La scorta minima dei prigionieri ha {n} {n?personaggio|personaggi}."), minimum=1)
    ransom_per_prestige: int = number(2, both("£", "£"),
                                      both("A ransom is £{n} for each point of prestige.",
                                           "Un riscatto è di {n} £ per ogni punto di prestigio."))
    ransom_knights: int = number(2, both("knights", "cavalieri"),
                                 both("With a ransomed noble {n} {n?knight leaves|knights leave}.",
                                      "Con un nobile riscattato {n?parte|partono} {n} {n?cavaliere|cavalieri}."))
    ransom_reach: Literal["anywhere", "same_hex"] = switch(
        both("Who pays a ransom may be {option}.", "Chi paga un riscatto può essere {option}."),
        both("anywhere", "ovunque"), both("in the captive's hex only", "solo nell'esagono del prigioniero"), usual=True)


CAPTIVES_EVENTS = (
    EventType("escort_set",
              both("{p:the} go to {place:the} with {group:the}.",
                   "{p:il} vanno {place:dove} {group:con}."), "works", 4, to=lambda f, _: f.parties()),
    EventType("delivered", both("{p:the} are now held {place:at}.", "{p:il} sono ora tenuti {place:dove}."),
              "news", 3, to=lambda f, _: f.parties()),
    EventType("massacred",
              both("{p:the}, whom nobody escorts, are massacred.",
                   "{p:il}, senza scorta, sono massacrati."), "battles", 0, to=ALL),
    EventType("ransomed",
              both("{noble} is freed for £{n} with two knights.",
                   "{noble} è {noble?libero|libera|liberi|libere} per £{n} con due cavalieri."),
              "money", 1, to=ALL),
    EventType("prisoners",
              both("{n} {n?prisoner is|prisoners are} taken by {side:the}.",
                   "{n} {n?prigioniero cade|prigionieri cadono} in mano {side:a}."), "battles", 2,
              variants=("part",
                        {"where": both("{n} {n?prisoner is|prisoners are} taken by {side:the} {hex:at}.",
                                       "{n} {n?prigioniero cade|prigionieri cadono} in mano {side:a} {hex:dove}.")}),
              to=lambda f, _: f.parties()),
    EventType("freed", both("Set free: {p}.", "In libertà: {p}."), "battles", 2, to=lambda f, _: f.parties()),
)

CAPTIVES_FINDINGS = (
    Message("ANA-701", "error",
            both("{noble} is not your prisoner abroad.", "{noble} non è un tuo nobile prigioniero.")),
    Message("ANA-702", "error",
            both("{unit:the} cannot escort: {n} fit heads, {min} needed.",
                 "{unit:il} non {unit?può|possono} scortare: {n} {n?valido|validi}, {min?ne serve|ne servono} {min}.")),
    Message("ANA-703", "warning",
            both("Nobody can escort {p:the}: they will be massacred.",
                 "Nessuno può scortare {p:il}: saranno massacrati.")),
)

CAPTIVES_QUESTIONS = (
    asked("escort",
          both("{p:the}, {n} in all, {hex:at}, need an escort to {place:the}: which group?",
               "{p:il}, {n} in tutto, {hex:dove}, hanno bisogno di una scorta per {place:il}: quale gruppo?"),
          answer=Text()),
)

CAPTIVES_CHAPTER = chapter(both("15.8 Captives", "15.8 I prigionieri"), 13, CaptiveNumbers, CAPTIVES_EVENTS,
                           CAPTIVES_FINDINGS, CAPTIVES_QUESTIONS)


# Escorts of captives, and ransoms (15.8; rulebook: Ransom).


_INHERITED_FIELDS = (
    "node", "kind", "loyalty", "hungry_days", "came_from", "if_attacked", "contract", "promised", "tests", "hired_on",
    "grumbles", "no_promise_to")
"""The fields that a part of a group has from the whole; mercenaries' terms hold for each part (11.3, 11.6)."""


def fit_heads(realm: Field, army: Army) -> int:
    """Heads who are not hurt."""
    return realm.heads(army) - len(realm.hurt_men(army)) - len(realm.hurt_men(army, "in_care"))


def check_in_our_hands(f: Field, request: Request, record: Prisoners, field: str) -> None:
    """Refuse captives of another captor, of another hex, or no longer on their way (ANA-003, 006, 203)."""
    army = f.armies[request.unit]
    refuse_if(record.captor != f.side(army.faction), "ANA-003", field, unit=record.prisoners, owner=record.captor)
    refuse_if(not record.on_their_way, "ANA-006", field, unit=record.prisoners, state=record.state)
    orders.check_same_hex(army, record)


def new_part_of(army: Army, ident: str, **other: Any) -> Army:
    """A new group out of another, still without men."""
    return Army(army=ident, **{name: getattr(army, name) for name in _INHERITED_FIELDS}, **other)


@day_order("ESCORT", "SCORTA", "reorganise", unit=orders.GROUP,
           target=Named((Prisoners,), then=(check_in_our_hands,), like="P1"), men=orders.MenOf(blank=True),
           help=both("Escort captives, whole or with detached men.",
                     "Scorta i prigionieri, al completo o con uomini distaccati."))
def escort(f: Field, request: Request, army: Army, record: Prisoners, men: Men) -> None:
    """A group escorts captives, or detaches men to do so."""
    _assign_escort(f, record, army, men)


def _assign_escort(realm: Field, record: Prisoners, army: Army, men: Men) -> None:
    """Give captives a group, or men detached from it, as escort. Raises `Refused` (ANA-201, 202, 702)."""
    least = CaptiveNumbers.of(realm).escort_min
    guard = army
    if men.total:
        hurt, fit_men = realm.wounded_among(army, men), men.total - len(men.hurt)
        refuse_if(fit_men < least, "ANA-702", "men", unit=army.army, n=fit_men, min=least)
        realm.stays_a_group(army, realm.heads(army) - men.total)
        inside = army.inside if realm.is_shut_in(army) else ""  # through the besiegers nobody gets out
        ident = free_name(realm.armies, f"{army.army}-esc{record.prisoners.rpartition('P')[2]}")
        guard = realm.armies.add(
            new_part_of(army, ident, faction=army.faction, inside=inside, on_meeting="pass", joins="no"))
        realm.hand_over(army, guard, Detachment(men, hurt=hurt))
        realm.tell("split", rule="15.8", a=army.army, b=guard.army)
    elif fit_heads(realm, army) < least:
        raise Refused("ANA-702", "unit", unit=army.army, n=fit_heads(realm, army), min=least)
    record.escort, record.state = guard.army, "escorted"
    realm.tell("escort_set", p=record.prisoners, place=record.destination, group=guard.army)


# --- captives of an earlier day without an escort ---------------------------------------------------
def assign_escorts(realm: Field) -> None:
    """Give captives an escort by answer or default, or massacre them.

    Questions of different hexes are asked at once, those of one hex in turn.
    """
    stops: dict[str, Waiting] = {}
    for record in list(realm.prisoners):
        guard = realm.armies.get(record.escort)
        guarded = guard is not None and guard.active and guard.node == record.node
        waiting = record.state == "waiting" or (record.state == "escorted" and not guarded)
        # captives taken today need an escort only from the next day on (15.8)
        due = waiting and realm.holds(record) and (record.taken_on is None or record.taken_on < realm.day)
        if due and record.node not in stops:
            try:
                _find_escort(realm, record)
            except Waiting as stop:
                stops[record.node] = stop
    if stops:
        raise Waiting([question for stop in stops.values() for question in stop.questions])


def _find_escort(realm: Field, record: Prisoners) -> None:
    least = CaptiveNumbers.of(realm).escort_min
    able = [a for a in realm.at(record.node) if realm.side(a.faction) == record.captor and not a.unarmed
            and fit_heads(realm, a) >= least]
    first = realm.armies.get(record.captor_army)
    best = first if first in able else realm.largest(able)
    if best is None:
        _massacre(realm, record)
        return
    default = _default(realm, best)
    able = [a for a in able if a.faction == best.faction]  # a club answers for its own groups
    options = [default, *(a.army for a in able if a.army != default)]
    text = realm.choose("escort", best.faction, record.prisoners, options, default, p=record.prisoners,
                        n=realm.holds(record), hex=record.node, place=record.destination,
                        answer=Option(reader=lambda answer: _read(realm, able, answer)))
    _, name, men = text.split(":", 2) if ":" in text else ("", text, "")
    _assign_escort(realm, record, realm.armies[name], men_of(realm, men))


def _default(realm: Field, army: Army) -> str:
    """The default escort: a group of six or more detaches its three lowest fit men, a smaller one goes itself."""
    least = CaptiveNumbers.of(realm).escort_min
    if realm.heads(army) < least + realm.rules.group_min:
        return army.army
    chosen = realm.lowest_fit(army, least)
    return f"detach:{army.army}:{show_ranks(chosen)}" if sum(chosen.values()) == least else army.army


def _read(realm: Field, able: list[Army], answer: str) -> str:
    """Read an answer, a group's name or ``detach:A-STE:L3``, into codes; "" if it is not possible."""
    match = re.fullmatch(r"\s*(?:detach|stacca)\s*:\s*([^:]+?)\s*:\s*(.+)", answer, re.IGNORECASE)
    name = match[1] if match is not None else answer
    army = next((a for a in able if fold(name) in map(fold, (a.army, *names_held(a)))), None)
    if army is None or match is None:
        return army.army if army is not None else ""
    try:
        men = men_of(realm, match[2])
        realm.wounded_among(army, men)
    except Refused:
        return ""
    staying = realm.heads(army) - men.total
    small = 0 < staying < realm.rules.group_min or men.total - len(men.hurt) < CaptiveNumbers.of(realm).escort_min
    return "" if small else f"detach:{army.army}:{match[2].strip()}"


def _massacre(realm: Field, record: Prisoners) -> None:
    """Without an escort the men are killed and the nobles escape (15.8)."""
    army = realm.armies.get(record.captor_army)
    own = army is not None and realm.side(army.faction) == record.captor
    captor = army.faction if own and army is not None else realm.faction_of(record.captor)
    realm.find("ANA-703", record, "escort", captor, p=record.prisoners)
    for rank in RISING:
        setattr(record, rank, 0)
    record.state, record.escort = "massacred", ""
    for noble in realm.captives(record):
        make_freed_group(realm, noble, record.node)
    realm.tell("massacred", p=record.prisoners)


def make_freed_group(realm: Field, noble: Noble, node: str) -> Army:
    """Make a freed noble's own group ``<noble>-R`` on a hex; the caller adds its men."""
    names = (f"{noble.noble}-R{again if again > 1 else ''}" for again in count(1))
    ident = next(name for name in names if name not in realm.armies or not realm.armies[name].active)
    if ident in realm.armies:
        realm.armies.remove(ident)
    group = realm.armies.add(Army(army=ident, name=noble.name, name_it=noble.name_it, faction=noble.faction, node=node,
                                  commander=noble.noble, loyalty=noble.loyalty))
    noble.army, noble.place, noble.state, noble.captor, noble.held_in = ident, "", "free", "", ""
    return group


# --- ransoms --------------------------------------------------------------------------------------
def ransom_of(f: Field, noble: Noble) -> int:
    """What a noble costs, in half-pounds."""
    return 2 * CaptiveNumbers.of(f).ransom_per_prestige * noble.prestige


def check_captive(f: Field, request: Request, noble: Noble, field: str) -> None:
    """Refuse all but a captive noble of the payer's side (ANA-701)."""
    if noble.state != "prisoner" or not f.friends(noble, f.armies[request.unit]):
        raise Refused("ANA-701", field, noble=noble.noble)


class Captive(Named):
    """A noble to be bought free; the check says what is wrong with another."""

    def choices(self, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> Iterable[Any]:
        """Nobles in captivity before all others."""
        nobles = campaign.table(Noble)
        return sorted(super().choices(campaign, faction, fields), key=lambda code: nobles[code].state != "prisoner")


@day_order("RANSOM", "RISCATTO", "ransoms", also=("ransoms",), unit=orders.GROUP,
           target=Captive((Noble,), then=(check_captive,)),
           cost=Cost("ransom_per_prestige", told=both("for each point of prestige", "per ogni punto di prestigio"),
                     reckoned=lambda f, request: ransom_of(f, require_row(f.nobles, request.target, "target"))),
           help=both("Buy a noble free.", "Riscatta un nobile."))
def ransom(f: Field, request: Request, payer: Army, noble: Noble) -> None:
    """Buy a noble free; he leaves with two knights."""
    record = f.prisoners.get(noble.held_in)
    node = record.node if record is not None and record.node else _hex_of_captive(f, noble, payer)
    if CaptiveNumbers.of(f).ransom_reach == "same_hex" and payer.node != node:
        raise Refused("ANA-203", "unit", a=payer.army, x=payer.node, b=noble.noble, y=node)
    cost, have = price(f, request), f.purses.get(payer.army, 0)
    refuse_if(cost > have, "ANA-301", "unit", need=pounds(cost), unit=payer.army, have=pounds(have))
    payer.money -= cost
    f.purses[payer.army] = have - cost
    first = f.armies.get(record.captor_army) if record is not None else None  # the captor, else his side's largest
    captors = first is not None and first.active and f.side(first.faction) == noble.captor
    taker = first if captors else f.largest(
        a for a in f.active() if not a.mercenary and f.side(a.faction) == noble.captor)
    if taker is not None:
        taker.money += cost
    group = make_freed_group(f, noble, node)
    _mount(f, group, record, node, CaptiveNumbers.of(f).ransom_knights)
    for guarded in f.prisoners:  # close records that are empty now
        if guarded.on_their_way and not f.holds(guarded):
            guarded.state, guarded.escort = "freed", ""
    group.safe_on = f.day
    f.tell("ransomed", noble=noble.noble, n=pounds(cost), group=group.army, to=taker.army if taker is not None else "",
           halves=cost)


def pay_ransoms(f: Field) -> None:
    """Pay ransoms by order number; money that a purse gains today does not pay another one today."""
    f.purses = {a.army: a.money for a in f.armies}
    carry_out_rows(f)


def _hex_of_captive(realm: Field, noble: Noble, payer: Army) -> str:
    """The hex of a captive noble without a record: his place's, else the captor's nearest place's, else by ruling."""
    def read(text: str) -> str:
        with suppress(Refused):
            return hex_of(realm, text, "answer")
        return ""

    row = realm.places.get(noble.place) or realm.nearest_own(noble.captor, payer.node)
    return row.node if row is not None else realm.game.ask(
        realm.ruling(noble.noble, (), "held", x=noble.noble, answer=Text(reader=read)))


def _mount(realm: Field, group: Army, first: Prisoners | None, node: str, wanted: int) -> None:
    """Give a freed noble his knights: from his own record, then others of his side on the hex, the rest new."""
    others = [p for p in realm.prisoners if p.node == node and realm.friends(p, group) and p is not first
              and p.state in ("waiting", "escorted", "delivered")]
    for record in [*([first] if first is not None else []), *others]:
        # captured knights are counted as dismounted; with their lord they ride again (15.8)
        for rank in ("knights", "dismounted"):
            n = min(wanted - group.knights, record.count(rank))
            if n > 0:
                record.gain(rank, -n)
                group.knights += n
    group.knights = wanted


EVENTS = (
    EventType("posture",
              both("{group:the}: on meeting, {on_meeting}; if attacked, {if_attacked}; joining battles: {joins}.",
                   "{group}: all'incontro {on_meeting}, se attaccato {if_attacked}, si aggiunge: {joins}."), "works", 8,
              "14.2", to="group"),
    EventType("split", both("{a:the} {a?forms|form} {b:the}.", "{a:il} {a?forma|formano} {b:il}."),
              "works", 5, means=NAMED, to=ALL),
    EventType("transferred", both("From {a:the} to {b:the}. Men: {men}. Money: £{n}. Nobles: {nobles}.",
                                  "{a:da} {b:a}. Uomini: {men}. Denaro: £{n}. Nobili: {nobles}."),
              "works", 6, means=NAMED, to="a", blank="nobles"),
    EventType("collected",
              both("{group:the} {group?takes|take} back the healed {place:at}: {list}.",
                   "{group:il} {group?riprende|riprendono} i guariti {place:dove}: {list}."), "works", 6, "15.7",
              ("list",
               {"": both("{group:the} {group?finds|find} nobody {place:at} who is healed and waits.",
                         "{group:il} non {group?trova|trovano} {place:dove} nessun guarito che aspetti.")}),
              to="group"),
    EventType("merged", both("{a:the} {a?joins|join} {b:the}.", "{a:il} {a?si unisce|si uniscono} {b:a}."),
              "works", 5, means=NAMED, to=ALL),
    EventType("forced_merge",
              both("{a:the} and {b:the} spent two nights together {hex:at} and are one now.",
                   "{a:il} e {b:il}, insieme per due notti {hex:dove}, sono riuniti."),
              "works", 3, means=NAMED, to=ALL),
    EventType("attached", both("{x:the} {x?follows|follow} {group:the}.", "{x:il} {x?segue|seguono} {group:il}."),
              "works", 6, "11.2, 12",
              ("way", {"detached": both("{x:the} no longer {x?follows|follow} {group:the}.",
                                        "{x:il} non {x?segue|seguono} più {group:il}.")}), means=NAMED, to="group"),
    EventType("dissolved", both("{x:the} {x?is|are} no more.", "{x:il} non {x?c'è|ci sono} più."),
              "news", 2, means=NAMED, to=ALL),
)

FINDINGS = (
    Message("ANA-201", "error",
            both("{unit:the} would leave {n} {n?head|heads}: a group needs {min}.",
                 "{unit:il} {unit?resterebbe|resterebbero} con {n} {n?personaggio|personaggi}: {min?ne serve|ne "
                 "servono} {min}.")),
    Message("ANA-202", "error",
            both("{unit:the} {unit?has|have} {have} {rank}; {n} {n?is|are} asked for.",
                 "{unit:il} {unit?ha|hanno} {have} {rank}, {n?richiesto|richiesti} {n}.")),
    Message("ANA-203", "error", both("{a:the} is at {x}, {b:the} at {y}.", "{a:il} {a?è|sono} in {x}, {b:il} in {y}."),
            means=NAMED),
    Message("ANA-204", "error",
            both("Mercenaries do not merge: ATTACH them.", "I mercenari non si uniscono: AGGREGA.")),
    Message("ANA-207", "error", both("The code {x} is taken.", "La sigla {x} è già usata.")),
    Message("ANA-209", "error", both("{x:the} cannot follow {unit:the}: {reason}.",
                                     "{x:il} non {x?può|possono} seguire {unit:il}: {reason}.")),
)

both.words({
    "detach:": "stacca:", "another side": "un'altra parte", "another hex": "un altro esagono",
    "not mercenaries, a convoy or a train": "né mercenari, né convoglio, né macchine", "escort": "scorta",
    "prisoners": "prigionieri",
})

CHAPTER = chapter(both("8.1 Groups", "8.1 Gestione dei gruppi di combattimento"), 7, events=EVENTS, findings=FINDINGS)


class CastleNumbers(Rules):
    """Who must stay in a castle."""

    garrison_min: int = number(5, both("fighters", "combattenti"),
                               both("A castle keeps {n} {n?fighter|fighters}.",
                                    "In un castello {n?resta|restano} {n} {n?combattente|combattenti}."))
    garrison_refill: Literal["auto", "warn"] = switch(
        both("A castle below its least garrison {option}.", "Un castello sotto la guarnigione minima {option}."),
        both("is filled up from a group inside", "si completa da un gruppo che vi si trova"),
        both("brings a warning only", "porta solo un avviso"), usual=True)


CASTLES_EVENTS = (
    EventType("garrison",
              both("{men} go into {place:the}, which has {n} {n?defender|defenders} now.",
                   "{men} entrano {place:dove}, che ora ha {n} {n?difensore|difensori}."), "works", 5,
              variants=("way",
                        {"out": both("{men} come out of {place:the}, which has {n} {n?defender|defenders} now.",
                                     "{men} escono {place:da}, che ora ha {n} {n?difensore|difensori}.")}), to="place"),
)

CASTLES_FINDINGS = (
    Message("ANA-205", "error",
            both("{place:the} must keep {min}: {n} may leave.",
                 "{place:dove} devono restare {min}: possono uscirne {n}.")),
    Message("ANA-206", "error",
            both("{place:the} is not a castle of yours in this hex.",
                 "{place:il} non è un tuo castello in questo esagono.")),
    Message("ANA-208", "warning",
            both("{place:the} has {n} of {min} {min?defender|defenders}: reinforce it first.",
                 "{place:il} ha {n} {n?difensore|difensori} su {min}: va prima rinforzat{place?o|a|i|e}.")),
    Message("ANA-210", "error",
            both("{place:the} is besieged: nobody goes in or out.",
                 "{place:il} è assediat{place?o|a|i|e}: nessuno entra né esce.")),
)

CASTLES_CHAPTER = chapter(both("5.3 Castles", "5.3 I castelli"), 5, CastleNumbers, CASTLES_EVENTS, CASTLES_FINDINGS)


# Reorganisation of groups on one hex, and of garrisons (5.3, 8.1, 11, 15.8).
#
# Men are counted over the day's rows in order of their numbers, and a row that overdraws is refused. Without this a
# later row whose verb comes first in `SEQUENCE` would take an earlier row's men (rulebook: Reorganisation, Orders).


_POSTURES = {c.name: tuple(c.kind.options) for c in Army.columns() if c.edit == "club" and isinstance(c.kind, Choice)}
"""A group's standing choices, each with its options."""


@day_order("POSTURE", "ATTEGGIAMENTO", "reorganise", unit=orders.GROUP,
           choice=orders.Settings(like="on_meeting=attack"),
           help=both("Standing choices: on-meeting=attack, pass, ask; if-attacked=fight, refuse, shut-in, ask; "
                     "joins=yes, no, ask.",
                     "Scelte fisse: incontro=attacca, passa, chiedi; attaccato=combatti, rifiuta, chiuditi, chiedi; "
                     "aggiunge=sì, no, chiedi."))
def posture(f: Field, request: Request, army: Army) -> None:
    """Set standing choices of a group."""
    wanted = {}
    for word in request.choice.replace(",", " ").replace(";", " ").split():
        name, _, value = word.partition("=")
        field, code = choice_code(name), choice_code(value)
        if code not in _POSTURES.get(field, ()):
            options = ", ".join(f"{f}={v}" for f, values in _POSTURES.items() for v in values)
            raise Refused("no_such_option", "choice", word=word, options=options)
        wanted[field] = code
    for field, code in wanted.items():
        setattr(army, field, code)
    f.tell("posture", group=army.army, on_meeting=army.on_meeting, if_attacked=army.if_attacked, joins=army.joins)


def _left_here(f: Field, army: Army) -> list[Wounded]:
    """The hurt men of the side who were left behind in places on a group's hex."""
    here = {p.place for p in f.places_at(army.node)}
    return [w for w in f.wounded if not w.army and w.place in here and f.friends(w, army)]


def finds_healed_men(f: Field, request: Request) -> bool:
    """Whether anybody on the group's hex is healed by this day and waits."""
    return any(w.state == "healed" or (w.state == "in_care" and w.back_on is not None and w.back_on <= f.day)
               for w in _left_here(f, f.armies[request.unit]))


@day_order("COLLECT", "RACCOGLI", "reorganise", unit=orders.GROUP, offered=finds_healed_men,
           help=both("Take back the healed men of this place.", "Riprendi i guariti di questo luogo."))
def collect(f: Field, request: Request, army: Army) -> None:
    """Healed men in places on the hex come back to a group (15.7)."""
    here = {p.place for p in f.places_at(army.node)}
    back = [w for w in _left_here(f, army) if w.state == "healed"]
    for row in back:
        row.army = army.army
        if row.noble:
            noble = f.nobles[row.noble]
            noble.army, noble.place = army.army, ""
            army.commander = army.commander or noble.noble
        else:
            army.gain(row.rank, 1)
    f.tell("collected", group=army.army, place=" ".join(sorted(here)) or army.node,
           list=" ".join(w.wounded for w in back))


# --- men, nobles, money -----------------------------------------------------------------------------
HANDED_OVER = Cost(times="amount", reckoned=lambda f, request: half_pounds(request.amount))


@day_order("SPLIT", "DIVIDI", "reorganise", unit=orders.ActingUnit((Army,), after=("from", "with", "by")),
           target=NewCode((Army, Convoy, Train, Place, Noble), taken="ANA-207", like="A-NEW"), men=orders.MenOf(),
           amount=orders.POUNDS, choice=orders.Nobles(), note=Note(), cost=HANDED_OVER,
           help=both("Make a new group (target: its code) of men, pounds and nobles; note: its name.",
                     "Forma un nuovo gruppo (bersaglio: la sua sigla) con uomini, sterline e nobili; nota: il suo "
                     "nome."))
def split(f: Field, request: Request, army: Army, ident: str, men: Men, money: int, nobles: list[Noble]) -> None:
    """Make a new group of men, nobles and money; both parts have three heads at least (8.1)."""
    part = f.parting_of(army, men, money, nobles)
    _check_both_parts(f, army, part)
    leader = max(nobles, key=lambda n: n.prestige, default=None)
    # a noble of another club of the side leads a group of that club
    faction = leader.faction if leader is not None else army.faction
    name, name_it = orders.both_names(request.note)
    fresh = f.armies.add(new_part_of(
        army, ident, name=name, name_it=name_it, faction=faction, starving=army.starving, inside=army.inside,
        besieging=army.besieging, on_meeting=army.on_meeting, joins=army.joins, shares_since=army.shares_since))
    f.hand_over(army, fresh, part)
    f.tell("split", a=army.army, b=fresh.army)


def _check_both_parts(f: Field, army: Army, part: Detachment) -> None:
    """Refuse to split a group of which either part would be too small (ANA-201)."""
    for n in (part.heads, f.heads(army) - part.heads):
        refuse_if(n < f.rules.group_min, "ANA-201", "men", unit=army.army, n=n, min=f.rules.group_min)


def check_friend(f: Field, request: Request, other: Army, field: str) -> None:
    """Refuse all but a group of the own side within reach (ANA-003, 006, 203, 209, 210)."""
    army = f.armies[request.unit]
    refuse_if(other is army, "ANA-209", field, x=army.army, unit=army.army, reason="it is the same group")
    refuse_if(not other.active, "ANA-006", field, unit=other.army, state=other.state)
    if not f.friends(other, army):
        raise Refused("ANA-003", field, unit=other.army, owner=f.side(other.faction))
    orders.check_same_hex(army, other, field)
    if army.inside != other.inside and (f.is_shut_in(army) or f.is_shut_in(other)):
        raise Refused("ANA-210", field, place=army.inside or other.inside)


@day_order("TRANSFER", "TRASFERISCI", "reorganise", unit=orders.GROUP, target=Named((Army,), then=(check_friend,)),
           men=orders.MenOf(blank=True), amount=orders.POUNDS, choice=orders.Nobles(), cost=HANDED_OVER,
           help=both("Hand men, pounds and nobles to another group in the hex.",
                     "Passa uomini, sterline e nobili a un altro gruppo nell'esagono."))
def transfer(f: Field, request: Request, army: Army, other: Army, men: Men, money: int, nobles: list[Noble]) -> None:
    """Hand men, nobles and money to another group on the hex."""
    part = f.parting_of(army, men, money, nobles)
    _check_kinds(army, other, men)
    if part.heads:
        f.stays_a_group(army, f.heads(army) - part.heads)
    f.hand_over(army, other, part)
    f.tell("transferred", a=army.army, b=other.army, men=show_ranks(men.ranks), n=pounds(money) if money else "",
           nobles=[noble.noble for noble in nobles])


def _check_kinds(army: Army, other: Army, men: Men) -> None:
    """Refuse men of another kind than the group that they are to join (ANA-204)."""
    refuse_if(men.total and army.kind != other.kind, "ANA-204", "target")


def check_no_mercenary(f: Field, request: Request, other: Army, field: str) -> None:
    """Refuse to merge mercenaries (ANA-204)."""
    refuse_if(f.armies[request.unit].mercenary or other.mercenary, "ANA-204", field)


@day_order("MERGE", "UNISCI", "reorganise", unit=orders.GROUP,
           target=Named((Army,), then=(check_no_mercenary, check_friend)), choice=Named((Noble,), blank=True),
           help=both("Join another group in the hex; choice: who commands.",
                     "Unisciti a un altro gruppo nell'esagono; scelta: chi comanda."))
def merge(f: Field, request: Request, army: Army, other: Army, leader: Noble | None) -> None:
    """Merge two Norman groups of a side on one hex (8.1)."""
    if leader is not None and leader.army not in (army.army, other.army):
        raise Refused("ANA-913", "choice", unit=other.army, x=leader.noble, field="commander")
    f.unite(army, other, leader.noble if leader is not None else "")
    f.tell("merged", a=army.army, b=other.army)


# --- who follows whom -------------------------------------------------------------------------------
def is_no_follower_yet(f: Field, request: Request) -> bool:
    """Whether what an order names does not follow the group already."""
    row = require_row([*f.armies, *f.convoys, *f.trains], request.target, "target")
    return request.unit != (row.employer if isinstance(row, Army) else row.escort)


@day_order("ATTACH", "AGGREGA", "reorganise", unit=orders.TAKER, target=orders.FOLLOWER, offered=is_no_follower_yet,
           help=both("Take mercenaries, a convoy or a train under a group.",
                     "Metti mercenari, un convoglio o delle macchine sotto un gruppo."))
def attach(f: Field, request: Request, army: Army, row: Army | Convoy | Train) -> None:
    """Let mercenaries, a convoy or a train follow a group (11.2, 12)."""
    for fault, reason in (
            (row.state != "active" or not f.friends(row, army), "another side"),
            (row.node != army.node, "another hex"),
            (isinstance(row, Army) and (not row.mercenary or row is army), "not mercenaries, a convoy or a train")):
        refuse_if(fault, "ANA-209", "target", x=row.ident, unit=army.army, reason=reason)
    refuse_if(f.is_attached(army), "ANA-913", "unit", unit=row.ident, x=army.army, field="employer")
    # following a group must not lead into or out of a besieged castle; goods are where their leader is
    leader = row if isinstance(row, Army) else f.armies.get(row.escort)
    shut_in = leader.inside if leader is not None and f.is_shut_in(leader) else ""
    refuse_if(shut_in != (army.inside if f.is_shut_in(army) else ""), "ANA-210", "target", place=army.inside or shut_in)
    if isinstance(row, Army):
        f.let_go(row)
        row.employer, row.inside, row.besieging = army.army, army.inside, ""
    else:
        row.escort = army.army
    f.tell("attached", x=row.ident, group=army.army)


@day_order("DETACH", "STACCA", "reorganise", unit=orders.GIVER, target=orders.FOLLOWER,
           help=both("Let mercenaries, a convoy or a train go alone.",
                     "Lascia andare da soli mercenari, un convoglio o delle macchine."))
def detach(f: Field, request: Request, army: Army, row: Army | Convoy | Train) -> None:
    """Let mercenaries, a convoy or a train stand alone."""
    leader = "employer" if isinstance(row, Army) else "escort"
    refuse_if(getattr(row, leader) != army.army, "ANA-209", "target", x=row.ident, unit=army.army,
              reason="another hex" if row.node != army.node else "another side")
    setattr(row, leader, "")
    f.tell("attached", x=row.ident, group=army.army, way="detached")


def check_free_castle(f: Field, army: Army, place: Place) -> None:
    """Check that it is an own castle on the hex, not besieged. Raises `Refused` (ANA-206, 210)."""
    if not place.castle or place.holder != f.side(army.faction) or place.node != army.node:
        raise Refused("ANA-206", "target", place=place.place)
    refuse_if(f.is_besieged(place.place), "ANA-210", "target", place=place.place)


@day_order("GARRISON", "GUARNIGIONE", "reorganise", unit=orders.GROUP, target=orders.a_castle(),
           men=orders.MenOf(late=True),
           choice=orders.one_of("in", "out", otherwise="in", blank=True, like=VOCABULARY["in_or_out"]),
           help=both("Put men into a castle of your own, or take them out: in, out.",
                     "Metti uomini in un tuo castello, o toglili: entra, esce."))
def garrison(f: Field, request: Request, army: Army, place: Place, way: str) -> None:
    """Put men into an own castle on the hex, or take men out as long as five stay."""
    check_free_castle(f, army, place)
    men: Men = late_meaning(f, request, "men")
    if way == "in":
        hurt = f.wounded_among(army, men)
        f.stays_a_group(army, f.heads(army) - men.total)
        for row in hurt:
            row.army, row.place = "", place.place
        army.hand_men(men.ranks, place)
    else:
        least = CastleNumbers.of(f).garrison_min
        free = max(0, place.garrison - least)
        refuse_if(men.total > free, "ANA-205", "men", place=place.place, min=least, n=free)
        f.wounded_among(place, men)
        place.hand_men(men.ranks, army)
    _tell_garrison(f, army, place, men.ranks, way)


def _tell_garrison(f: Field, army: Army, place: Place, men: dict[str, int], way: str) -> None:
    f.keep_core(army)
    f.tell("garrison", men=show_ranks(men), place=place.place, n=place.garrison, way=way)


def refill_garrisons(f: Field) -> None:
    """Refill castles under five men from own groups on their hex; report those still too weak (ANA-208)."""
    for place in _weak_castles(f) if CastleNumbers.of(f).garrison_refill == "auto" else []:
        for army in f.at(place.node):
            if not army.mercenary and f.side(army.faction) == place.holder and not army.unarmed:
                _give(f, army, place)
    for place in _weak_castles(f) if not f.game.dice.shut else []:  # not reported by a check before the phase
        f.find("ANA-208", place, "g_knights", f.wardens(place)[0], place=place.place, n=place.garrison,
               min=CastleNumbers.of(f).garrison_min)


def _weak_castles(f: Field) -> list[Place]:
    return [p for p in f.places if p.castle and p.exists and p.holder and p.garrison < CastleNumbers.of(f).garrison_min
            and not f.is_besieged(p.place)]


def _give(f: Field, army: Army, place: Place) -> None:
    """Give a castle fit men by rising rank, as long as the group keeps three heads."""
    spare = min(CastleNumbers.of(f).garrison_min - place.garrison, f.heads(army) - f.rules.group_min)
    if spare > 0 and (given := f.lowest_fit(army, spare)):
        army.hand_men(given, place)
        _tell_garrison(f, army, place, given, "in")


# --- counting men and money over the day's rows ---------------------------------------------------
SEQUENCE = (posture, collect, split, transfer, merge, garrison, attach, detach, pay, escort)
"""The sequence of the verbs, whoever gives the orders."""
TAKES_MEN = (split.en, transfer.en, garrison.en, escort.en)


@dataclass
class MenLeft:
    """The men that a group has left while the day's rows are counted; men who come to it today are included."""

    fit: dict[str, int]
    heads: int
    gone: set[str] = field(default_factory=set)
    """Nobles and numbered hurt men who have been counted."""
    counted: bool = False
    """Whether a row has taken any."""

    def take(self, army: Army, part: Detachment, least: int, whole: bool) -> None:
        """Subtract a row's men. `whole`: all may leave. Raises `Refused` (ANA-201, 202, 913)."""
        named = {rank: sum(w.rank == rank for w in part.hurt) for rank in records.RANKS}
        for rank, n in part.men.ranks.items():
            have = self.fit[rank] + named[rank]
            refuse_if(n > have, "ANA-202", "men", unit=army.army, have=have, rank=records.LETTER_OF[rank], n=n)
        for code in part.men.hurt:
            refuse_if(code in self.gone, "ANA-202", "men", unit=army.army, have=0, rank=code, n=1)
        for noble in part.nobles:
            refuse_if(noble.noble in self.gone, "ANA-913", "choice", unit=army.army, x=noble.noble, field="commander")
        staying = self.heads - part.heads
        too_few = part.heads and staying < least and not (whole and staying == 0)
        refuse_if(too_few, "ANA-201", "men", unit=army.army, n=staying, min=least)
        for rank, n in part.men.ranks.items():
            self.fit[rank] -= n - named[rank]
        self.heads = staying
        self.gone |= {*part.men.hurt, *(n.noble for n in part.nobles)}
        self.counted = True


class DayCount:
    """Counts men and money down over the day's rows, in order of number: a row that will be refused uses neither.

    `refuses`: whether rows are refused for men whom an earlier one takes; before their phase they only use no money.
    """

    def __init__(self, f: Field, requests: list[Request], *, refuses: bool) -> None:
        self.f, self.refuses = f, refuses
        self.rows = [request for request in requests if self._is_known(request)]
        self.open = [request for request in requests if request.verb and not request.row.status]
        """Rows that bring men, too: also those to and from groups that others make."""
        self.left = _men_left_by_group(f, self.open)
        self.splits = [request for request in self.open if request.verb == split.en]
        """The rows that would make groups; one that is refused makes none, so nobody can hand anything to it."""
        self.before: tuple[str, MenLeft] | None = None
        """The men that the last row's group had before it."""

    def _is_known(self, request: Request) -> bool:
        with suppress(Refused):
            if not request.row.status and request.verb:
                orders.check_known(self.f, request)
                return True
        return False

    def count(self) -> None:
        """Refuse the rows that overdraw (ANA-201, 202, 301, 913)."""
        for request, why in orders.PURSE.overdrawn(self.f, self.rows, self._cost_of):
            refuse(self.f, request, why)
            if self.before is not None:
                self.left.update([self.before])
            self.splits = [row for row in self.splits if row is not request]

    def _cost_of(self, f: Field, request: Request) -> int | None:
        self.before = None
        try:
            takes_money = f.game.orders[request.verb].cost is not None
            if request.verb in TAKES_MEN:
                self._take_men(request)
            elif takes_money:
                column_values(f, request)
            return price(f, request) if takes_money and not request.row.status else None
        except Refused:
            self.splits = [row for row in self.splits if row is not request]
            return None

    def _take_men(self, request: Request) -> None:
        """Count the men of a row. Raises `Refused` if it will be refused."""
        f, army = self.f, self.f.armies[request.unit]
        alike = [row for row in self.splits if fold(row.target) == fold(request.target)]
        if request.verb == split.en:
            refuse_if(next(row for row in alike if row in self.rows) is not request, "ANA-207", "target",
                      x=request.target)
        fresh = request.verb == transfer.en and alike
        values = ([None, *(late_meaning(f, request, name) for name in ("men", "amount", "choice"))] if fresh
                  else column_values(f, request)[1:])
        try:
            part = _detachment_of(f, army, request, *values)
        except Refused:
            if self._gains_first(request):
                return
            raise
        left = self.left.get(fold(army.army))
        if left is None:
            return
        self.before = fold(army.army), replace(left, fit=dict(left.fit), gone=set(left.gone))
        try:
            left.take(army, part, f.rules.group_min, request.verb != split.en)
        except Refused as why:
            if self.refuses and left.counted:  # else it is refused for the same when it is carried out
                refuse(f, request, why)
            raise

    def _gains_first(self, request: Request) -> bool:
        """Whether somebody may come to a row's group before its turn: then nobody knows yet who can leave."""
        unit = fold(request.unit)
        return any(fold(row.unit) == unit if row.verb == collect.en
                   else request.verb == transfer.en == row.verb and _other_group(self.f, row) == unit
                   for row in self.open)


def _other_group(f: Field, request: Request) -> str:
    return fold(orders.OTHER_GROUP.same(f, request, "target"))


def _detachment_of(f: Field, army: Army, request: Request, target: Any, *values: Any) -> Detachment:
    """Who leaves a group by a row whose columns are right. Raises `Refused` for a row that will be refused anyway."""
    if request.verb == garrison.en:
        check_free_castle(f, army, target)
        men = late_meaning(f, request, "men") if values == ("in",) else Men()
        return Detachment(men, hurt=f.wounded_among(army, men))
    men = values[0]
    if request.verb == escort.en:
        refuse_if(men.total and men.total - len(men.hurt) < CaptiveNumbers.of(f).escort_min, "ANA-702", "men")
        return Detachment(men, hurt=f.wounded_among(army, men))
    _, _, nobles = values
    part = f.parting_of(army, men, 0, nobles)
    if request.verb == split.en:
        _check_both_parts(f, army, part)
    elif target is not None:
        _check_kinds(army, target, men)
    return part


def _men_left_by_group(f: Field, rows: list[Request]) -> dict[str, MenLeft]:
    """The men left by group, its code folded, for groups from which rows take men.

    Groups that are merged or collect healed men are left out: their numbers are known only afterwards.
    """
    wanted = {r.unit for r in rows if r.verb in TAKES_MEN}
    unknown = {fold(r.unit) for r in rows if r.verb in (merge.en, collect.en)}
    unknown |= {_other_group(f, r) for r in rows if r.verb == merge.en}
    left = {fold(army.army): MenLeft({rank: f.fit(army, rank) for rank in records.RANKS}, f.heads(army))
            for army in f.armies.where(lambda a: a.army in wanted and fold(a.army) not in unknown)}
    for request in rows:
        out = request.verb == garrison.en and choice_code(request.choice) == "out"
        to = _other_group(f, request) if request.verb == transfer.en else fold(request.unit) if out else ""
        with suppress(Refused):  # an unreadable row brings nobody
            for rank, n in men_of(f, request.men).ranks.items() if to in left else ():
                left[to].fit[rank] += n
                left[to].heads += n
    return left


def carry_out_rows(f: Field) -> None:
    """Carry out the rows of a phase by order number."""
    carry_all(f, orders.take_rows(f))


def reorganise(f: Field) -> None:
    """Carry out the rows that purses and groups can afford, in `SEQUENCE`; refill castles after GARRISON."""
    requests = orders.take_rows(f)
    DayCount(f, requests, refuses=True).count()
    for verb in SEQUENCE:
        carry_all(f, requests, verb)
        if verb is garrison:
            refill_garrisons(f)
