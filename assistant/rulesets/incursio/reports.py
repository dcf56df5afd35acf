"""What reports say of Incursio: sightings, spies, battles, people, the hand-over of a battle, the text for a chat."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import groupby, product
from typing import Any

from assistant.campaign.columns import Choice, Ref, Text, Whole, column
from assistant.campaign.records import Die, Event, Question
from assistant.campaign.tables import Record, natural
from assistant.rulesets.incursio import BOTH, ESDEF, VARANNAH, actions, both
from assistant.rulesets.incursio.actions import CONSENT
from assistant.rulesets.incursio.battles import ATT, DEF, DUEL, SIDES, duel_total, engine_kills, total_of
from assistant.rulesets.incursio.orders import action_text, actions_of
from assistant.rulesets.incursio.realm import ENDS_WITH_PLACE, OTHER, Line, Realm, split_units
from assistant.rulesets.incursio.records import CAME_TO, SEEN_KINDS, Battle, Node, Observation, StructureType, Work
from assistant.rulesets.incursio.upkeep import WHILE_IT_LASTS
from assistant.turn.event_types import Said
from assistant.turn.orders.verbs import Translate

# Sightings and spies in a report.


LANGUAGES = ("en", "it")


def in_both(name: str, told: Callable[[str], str]) -> dict[str, str]:
    """A value of a sentence as it is said in each language."""
    return {f"{name}_{lang}": told(lang) for lang in LANGUAGES}


def language_of(realm: Realm, faction: str) -> str:
    """The language in which a faction reads."""
    row = realm.factions.get(faction)
    return row.language if row is not None else "en"


def structure_name(realm: Realm, structure: str, language: str) -> str:
    """The name of a structure, or its number if it has none."""
    row = realm.types.get(structure)
    return row.name_in(language) if row is not None else structure


GONE = "gone"
MAY_HAVE_CHANGED = ",_the_order_may_have_changed"
AGES = {"fresh": "fresca", "dated": "datata", "old": "vecchia",
        f"dated{MAY_HAVE_CHANGED}": "datata, l'ordine può essere cambiato",
        f"old{MAY_HAVE_CHANGED}": "vecchia, l'ordine può essere cambiato", GONE: "non c'è più"}


@dataclass(eq=False, repr=False)
class Sighting(Record, sheet="Observations", sheet_it="Osservazioni"):
    """Something that was seen, and how far it may be trusted."""

    node: str = column(Ref("Nodes"), "Cell", "Casella", key=True)
    kind: str = column(Choice(SEEN_KINDS), "Kind", "Tipo", key=True, default="enemies")
    what: str = column(Text(), "What", "Che cosa", key=True)
    seen_on: int = column(Whole(0), "Seen on", "Visto il", key=True)
    age: str = column(Choice(AGES), "Age", "Età", default="fresh")


def sighting_age(realm: Realm, row: Observation) -> str:
    """How old a sighting is.

    A garrison may also have been reordered since, on a day when Esdef was first; everybody knows those days.
    """
    days = realm.today - row.seen_on
    if days <= 0:
        return "fresh"
    told = "old" if days >= actions.SpyingNumbers.of(realm).spy_stale_after else "dated"
    reordered = row.faction == VARANNAH and row.kind == "garrison" and any(
        day.first == ESDEF and int(day.turn) > row.seen_on for day in realm.days)
    return f"{told}{MAY_HAVE_CHANGED}" if reordered else told


def sightings(realm: Realm, faction: str) -> list[Sighting]:
    """The current sightings of a side, the newest first."""
    rows = sorted(realm.current(faction), key=lambda row: (
        -row.seen_on, natural(row.node), row.kind, row.position or 0, row.what))
    language = language_of(realm, faction)
    lines: dict[tuple[str, str, int, str], list[Sighting]] = {}
    for row in rows:  # the units of one line stand in one row, each with its position
        age = GONE if is_gone(realm, row) else sighting_age(realm, row)
        seen = Sighting(row.node, row.kind, _sighting_text(realm, row, language), row.seen_on, age)
        line = row.kind if row.position is not None else str(row.no)
        lines.setdefault((row.node, line, row.seen_on, row.source), []).append(seen)
    for first, *others in lines.values():
        first.what = ", ".join(seen.what for seen in (first, *others))
    return [first for first, *_ in lines.values()]


def _sighting_text(realm: Realm, row: Observation, language: str) -> str:
    """A unit with its position, a structure with its name, a portal's day."""
    if row.position is not None:
        return f"{row.position} = {row.what}"
    known = row.kind == "structure" and row.what in realm.types
    return f"{row.what} {structure_name(realm, row.what, language)}" if known else row.what


ENEMIES_SEEN = ("garrison", "camp", "enemies")
"""The kinds of sighting that are of enemies."""
SEEN_ENEMIES = both("at least {text} (last seen on day {d})", "almeno {text} (ultimo avvistamento: giorno {d})")
SOMEBODY_SEEN = both("enemies, nobody knows how many (seen on day {d})",
                     "nemici, non si sa quanti (avvistamento del giorno {d})")


def enemies_by_place(realm: Realm, faction: str) -> dict[str, list[Observation]]:
    """The sightings that a faction has of enemies who may still be there, by place."""
    places = defaultdict[str, list[Observation]](list)
    for row in realm.current(faction):
        if row.kind in ENEMIES_SEEN and not is_gone(realm, row):
            places[row.node].append(row)
    return places


def newest_seen(rows: list[Observation]) -> tuple[int, str]:
    """The newest day of sightings of one place, and the units seen by that of its sources which saw the most: two
    sources may have seen the same ones, and those of earlier days may be gone.
    """
    day = max(row.seen_on for row in rows)
    seen = defaultdict[str, str](str)
    for row in rows:
        seen[row.source] += row.what if row.seen_on == day else ""
    return day, max(seen.values(), key=len)


def enemies_seen(rows: list[Observation]) -> Said:
    """The enemies of one place that have been seen there and not gone since, as far as is known."""
    day, units = newest_seen(rows)
    if not units:
        return Said(SOMEBODY_SEEN, {"d": day})
    return Said(SEEN_ENEMIES, {**in_both("text", lambda lang: units_in_words(units, lang)), "d": day})


def is_gone(realm: Realm, row: Observation) -> bool:
    """Whether enemies who were seen have gone by now, by what the faction knows: its own units have marched in or out
    unhindered since, or they were demons of a portal, who fight on the day after it opens and then go home.
    """
    last = row.seen_on + (row.kind == "enemies")
    if row.kind not in ENEMIES_SEEN or last >= realm.today:
        return False
    portal = row.faction == ESDEF and realm.nodes[row.node].kind != "ruin" and (
        realm.is_home(row.node, ESDEF) or not may_live_outside(realm, row.seen_on))
    return portal or any(
        event.event == "units_moved" and event.for_faction(row.faction) and int(event.turn) > last
        and row.node in (str(event.data["node"]), str(event.data["to_node"])) for event in realm.campaign.table(Event))


def may_live_outside(realm: Realm, day: int) -> bool:
    """Whether demons outside their ruins may have lived in one before a day, and so stay where they are."""
    fell, purified = ({(int(event.turn), event.data["node"]) for event in realm.campaign.table(Event)
                       if event.event == name} for name in ("settlement_fell", "ruin_purified"))
    stood = [made for made, _ in fell ^ purified]  # a ruin made and purified on one day housed nobody
    return any(made < day for made in (*stood, *(place.ruined_on or 0 for place in realm.homes(VARANNAH))))


# --- spies ----------------------------------------------------------------------------------------------------
ALL_SOLDIERS = both("{player} spied {node:at}: the whole garrison: {garrison}; outside: {outside}.",
                    "{player} ha spiato {node:il}: guarnigione intera: {garrison}; fuori: {outside}.")
SOME_SOLDIERS = both("{player} spied {node:at}. In the garrison: {garrison}. Outside: {outside}. There are more, "
                     "nobody knows how many.",
                     "{player} ha spiato {node:il}. In guarnigione: {garrison}. Fuori: {outside}. Ce ne sono altri, "
                     "non si sa quanti.")
"""The line of which nothing was seen is left out."""
STRUCTURES = {True: both("{player} spied {node:at}: structures seen: {text} (all of them).",
                         "{player} ha spiato {node:il}: strutture viste: {text} (tutte)."),
              False: both("{player} spied {node:at}: structures seen: {text} (not all).",
                          "{player} ha spiato {node:il}: strutture viste: {text} (non tutte).")}
DEMONS = {True: both("{player} saw every demon {node:at}: {outside}. {portal}",
                     "{player} ha visto tutti i demoni {node:dove}: {outside}. {portal}"),
          False: both("{player} spied {node:at}: {outside}. There are more demons, nobody knows how many. {portal}",
                      "{player} ha spiato {node:il}: {outside}. Ci sono altri demoni, non si sa quanti. {portal}")}
PORTAL = {True: both("There is a portal.", "C'è un portale."), False: both("There is no portal.", "Nessun portale.")}
NOTHING = both("{player} spied {node:at}: nothing of what was looked for.",
               "{player} ha spiato {node:il}: niente di quello che cercava.")
NOBODY = "nobody"


def _found(event: Event, lang: str, kind: str, *, in_line: bool) -> str:
    """Who was found in one of the lines, one after the other, or each by its position."""
    found = [(str(what), position) for thing, position, what in event.data.get("found", ()) if thing == kind]
    if in_line:
        return units_in_words("".join(what for what, _ in found), lang, in_line=True)
    at = "in posizione" if lang == "it" else "in position"
    return ", ".join(f"{UNITS_IN_WORDS[what][lang == 'it'][0]} {at} {position}" for what, position in found)


def _where_found(event: Event, nobody: str, *, in_line: bool = False) -> dict[str, str]:
    """Who was found in the garrison and outside, in both languages; one word for nobody."""
    lines = {"garrison": "garrison", "outside": "camp"}
    return dict.fromkeys(lines, nobody) | {f"{name}_{lang}": found for name, kind in lines.items() for lang in LANGUAGES
                                           if (found := _found(event, lang, kind, in_line=in_line))}


def spy_sentence(realm: Realm, event: Event) -> Said:
    """A sentence about what a successful spy has found, and whether that was all."""
    data = event.data
    complete, things = bool(data.get("complete")), data.get("found", ())
    about = {"player": data["player"], "node": data["node"]}
    if data.get("portal") is not None:
        return Said(DEMONS[complete], {**about, **_where_found(event, NOBODY),
                                       "portal": Said(PORTAL[bool(data["portal"])])})
    if not things:
        return Said(NOTHING, about)
    if any(thing[0] == "structure" for thing in things):
        return Said(STRUCTURES[complete], {**about, **in_both("text", lambda lang: ", ".join(
            structure_name(realm, str(what), lang) for _, _, what in things))})
    if complete:
        return Said(ALL_SOLDIERS, {**about, **_where_found(event, NOBODY, in_line=True)})
    return Said(SOME_SOLDIERS, {**about, **_where_found(event, "")})


# Battles and people in a report.


WHO_FALLS = {"att": ("defender", "difensore"), "def": ("attacker", "attaccante"), "tie": ("nobody", "nessuno")}
"""Who falls, by who wins."""
WHO_FALLS_BY_TIE = {**WHO_FALLS, "att": ("defender, power 6 wins ties", "difensore, il potere 6 vince i pareggi"),
          "def": ("attacker, manned walls win ties", "attaccante, le mura presidiate vincono i pareggi")}
SPARED = ("nobody, power 8 saves the first", "nessuno, il potere 8 salva il primo")
BONUS = {"power": "potere", "watch": "veglia"}
BEGUN = {"begun": "cominciato"}
"""What came of an action that goes on: a work or a mission."""
PLACE_FELL = "failed: the place fell"
HOW_IT_CAME_OUT = {"due": "succeeded", "ended": "succeeded", "failed": "failed", "done": "finished", "lost": "lost"}
"""The state of a mission or a work -> in the table of people."""
SPIED = {"success": "succeeded", "enemies": "failed", "empty": "found nobody"}
"""What a spy's report says came of it -> in the table of people."""
STAGES = {"open": ("outside", "fuori"), "garrison": ("garrison", "guarnigione")}
LETTERS = both("F foot soldiers, A archers, C riders; Tr troopers, As assailants, Di destroyers, the raiders' demons.",
               "F fanti, A arcieri, C cavalieri; Tr soldati demoniaci, As assalitori, Di distruttori, i demoni degli "
               "incursori.")
"""What the letters of units mean."""
LEGEND = both.joined(
    both("The unit, its die (d4: at a disadvantage) and what it shows, behind an arrow the die that a unit to spare "
         "has lent it, with that unit's position; then each bonus by name, both totals, and who falls.",
         "L'unità, il suo dado (d4: in svantaggio) e quanto fa; dietro una freccia il dado che le presta un'unità in "
         "sovrappiù, con la posizione di questa; poi ogni bonus per nome, i due totali e chi cade."), LETTERS)


@dataclass(eq=False, repr=False)
class Pair(Record, sheet="Battles", sheet_it="Battaglie"):
    """One duel, or one shot of an engine."""

    battle: str = column(Text(), "Battle", "Battaglia", key=True)
    pair: str = column(Text(), "Pair", "Coppia", key=True)
    attacker: str = column(Text(), "Attacker", "Attaccante")
    defender: str = column(Text(), "Defender", "Difensore")
    falls: str = column(Text(), "Totals, who falls", "Totali, chi cade")


@dataclass(eq=False, repr=False)
class Deed(Record, sheet="Players", sheet_it="Giocatori"):
    """What somebody did with the action of the day."""

    player: str = column(Text(), "Character", "Personaggio", key=True)
    species: str = column(Text(), "Species", "Specie")
    action: str = column(Text(), "Action", "Azione")
    result: str = column(Choice({**CAME_TO, **BEGUN, "succeeded": "riuscito", "failed": "fallito", "over": "concluso",
                                 PLACE_FELL: "fallito: il luogo è caduto", "finished": "finito", "lost": "perduto",
                                 "found nobody": "non c'è nessuno"}, blank=True), "Result", "Esito")


@dataclass(eq=False, repr=False)
class UnderWay(Record, sheet=Work.sheet, sheet_it=Work.sheet_it):
    """A work that goes on, with the upkeep in which it is ready."""

    node: str = column(Ref("Nodes"), "Cell", "Casella", key=True)
    structure: str = column(Text(), "Structure", "Struttura", key=True)
    builder: str = column(Ref("Players", blank=True), "Builder", "Costruttore", key=True)
    ready_on: int | None = column(Whole(0, blank=True), "Ready in the upkeep of day",
                                  "Pronto nel mantenimento del giorno")


@dataclass(eq=False, repr=False)
class Ruin(Record, sheet=Node.sheet, sheet_it=Node.sheet_it):
    """A ruin of the raiders', with its room."""

    node: str = column(Ref("Nodes"), "Cell", "Casella", key=True)
    level: int = column(Whole(0), "Level", "Livello")
    room: int = column(Whole(0), "Room for demons", "Posto per demoni")


@dataclass(eq=False, repr=False)
class Price(Record, sheet=StructureType.sheet, sheet_it=StructureType.sheet_it):
    """A structure that a side could pay for, and what it asks."""

    structure: str = column(Text(), "Structure", "Struttura", key=True)
    cost: int = column(Whole(0), "Coins", "Monete")
    level: int = column(Whole(0), "From level", "Dal livello")
    requires: str = column(Text(), "Needs there", "Richiede sul posto")


def _die(realm: Realm, battle: str, duel: dict[str, Any], side: str, language: str) -> str:
    """``Tr d4=1→4 (4) +1 (05)``: unit, faces, what it threw, what the unit of which position lent, bonuses by name."""
    shown, lender = str(duel[f"roll_{side}"]), duel[f"lent_{side}"]
    if lender:
        about = (battle, duel.get("pass", 1), duel["stage"], side, duel["duel"])
        own = realm.campaign.table(Die).get(DUEL(*about).key)
        shown = f"{own.value if own is not None else ''}→{shown} ({lender})"
    mods = "".join(f" {value:+d} ({bonus_name(realm, name, language)})" for name, value in duel[f"mod_{side}"].items())
    return f"{duel[side]} d{duel[f'd_{side}']}={shown}{mods}"


def pairs(realm: Realm, faction: str) -> list[Pair]:
    """The battles of the last day that had any, duel by duel and shot by shot."""
    rows = [row for row in realm.battles if row.duels]
    last, language = max((int(row.turn) for row in rows), default=0), language_of(realm, faction)
    return [_pair(realm, row.battle, n, duel, language) for row in rows if int(row.turn) == last
            for n, duel in enumerate(row.duels, 1)]


def _pair(realm: Realm, battle: str, n: int, duel: dict[str, Any], language: str) -> Pair:
    it = language == "it"
    if duel["stage"] == "engine":
        victim, shot = duel["roll_victim"], duel["roll_engine"]
        falls = WHO_FALLS["def"] if duel["killed"] else SPARED if engine_kills(shot, victim) else WHO_FALLS["tie"]
        return Pair(battle, f"{n}. {structure_name(realm, duel['structure'], language)}", f"{duel['att']} d6={victim}",
                    f"{duel['structure']} d6={shot}", f"{victim}:{shot}, {falls[it]}")
    att, defs = (total_of(realm, duel, side) for side in SIDES)
    falls = (WHO_FALLS_BY_TIE if att == defs else WHO_FALLS)[duel["winner"]]
    thrown, against = (_die(realm, battle, duel, side, language) for side in SIDES)
    return Pair(battle, f"{n}. {STAGES[duel['stage']][it]} {duel['duel']}", thrown, against,
                f"{att}:{defs}, {falls[it]}")


def losses(row: Battle, faction: str) -> tuple[int, int]:
    """Units that a side lost in a battle, and killed."""
    attackers = len(split_units(row.attackers)) - len(split_units(row.att_after))
    defenders = row.defenders_lost or 0
    return (attackers, defenders) if faction == row.attacker else (defenders, attackers)


UNITS_IN_WORDS = {"F": (("foot soldier", "foot soldiers"), ("fante", "fanti")),
                  "A": (("archer", "archers"), ("arciere", "arcieri")),
                  "C": (("rider", "riders"), ("cavaliere", "cavalieri")),
                  "Tr": (("trooper", "troopers"), ("soldato demoniaco", "soldati demoniaci")),
                  "As": (("assailant", "assailants"), ("assalitore", "assalitori")),
                  "Di": (("destroyer", "destroyers"), ("distruttore", "distruttori"))}
"""What units are called: singular and plural, in English and Italian."""
AND = {"en": " and ", "it": " e "}


def units_in_words(letters: str, language: str, *, in_line: bool = False) -> str:
    """``2 foot soldiers, 1 archer and 1 rider``, those of a kind together, or one after the other as they stand."""
    units = split_units(letters)
    counted = [(unit, len([*alike])) for unit, alike in groupby(units)] if in_line else Counter(units).items()
    *most, last = [f"{n} {UNITS_IN_WORDS[unit][language == 'it'][n > 1]}" for unit, n in counted] or [""]
    return AND[language].join(filter(None, (", ".join(most), last)))


SUMMARIES = {
    (True, True): both("{battle}: you attack {origin} with {units} and meet {text}: {result}. {tally}",
                       "{battle}: attacchi {origin} con {units} e trovi {text}: {result}. {tally}"),
    (True, False): both("{battle}: you attack {origin} with {units}: {result}. {tally}",
                        "{battle}: attacchi {origin} con {units}: {result}. {tally}"),
    (False, True): both("{battle}: {units} attack {origin}; you defend with {text}: {result}. {tally}",
                        "{battle}: attacco di {units} {origin}; difendi con {text}: {result}. {tally}"),
    (False, False): both("{battle}: {units} attack {origin}: {result}. {tally}",
                         "{battle}: attacco di {units} {origin}: {result}. {tally}")}
"""By whether the reader attacked, and whether anybody met the attackers."""
ORIGINS = {False: both("from {node:the}", "{node:da}"),
           True: both("on the spot (a portal opened there)", "sul posto (vi si è aperto un portale)")}
"""By whether the attackers stood where they attacked: only a portal brings both sides into one cell."""
HOW_IT_ENDED = {
    "undecided": both("nothing is decided, and the attackers are back where they came from",
                      "niente è deciso, e gli attaccanti sono tornati da dove venivano"),
    "driven_off": both("the attackers are driven off", "gli attaccanti sono respinti"),
    "destroyed": both("no attacker is left", "nessun attaccante si salva"),
    "nobody": both("nobody is left", "non resta nessuno"), "walkover": both("nobody resists", "nessuno resiste"),
}
"""How a battle ended that was not won by the attackers, by its outcome."""
TAKEN = {True: both("the place is yours", "il luogo è tuo"), False: both("the place is lost", "il luogo è perduto")}
TALLY = {"en": "Your losses: {x}; enemies killed: {y}.", "it": "Perdite: {x}; nemici uccisi: {y}."}
NONE_OF = {"en": ("none", "none"), "it": ("nessuna", "nessuno")}
HOW_THE_DUELS_WENT = both("{text}", "{text}")
PLAYED_LIVE = both("It was fought out at the gaming table; its duels were not reported.",
                   "È stata combattuta al tavolo da gioco; i duelli non sono stati riferiti.")
MOST_DUELS = 4
"""With more duels than these only the table has them."""


def summary(realm: Realm, row: Battle, faction: str) -> list[Said]:
    """Sentences about a battle: who met whom and the losses; how the duels went, if there were any."""
    lost, killed = losses(row, faction)
    duels = [duel for duel in row.duels if duel["stage"] != "engine"]
    seen = "".join(duel["def"] for duel in duels if duel.get("pass", 1) == 1)
    attacked = faction == row.attacker
    result = TAKEN[attacked] if row.outcome == "taken" else HOW_IT_ENDED.get(row.outcome, row.outcome)
    made = Said(SUMMARIES[attacked, bool(seen)], {
        "battle": row.battle, "result": Said(result),
        "origin": Said(ORIGINS[row.origin == row.node], {"node": row.origin}),
        **in_both("units", lambda lang: units_in_words(row.attackers, lang)),
        **in_both("text", lambda lang: units_in_words(seen, lang)),
        **in_both("tally", lambda lang: TALLY[lang].format(x=lost or NONE_OF[lang][0], y=killed or NONE_OF[lang][1])),
    }, grave=lost, killed=killed)
    if duels:
        how = in_both("text", lambda lang: _duels_text(realm, row, duels, lang, ATT if attacked else DEF))
        return [made, Said(HOW_THE_DUELS_WENT, how, why=True)]
    return [made, Said(PLAYED_LIVE, why=True)] if row.status == "played" else [made]


def _duels_text(realm: Realm, row: Battle, duels: list[dict[str, Any]], language: str, own: str) -> str:
    """How often the reader's total was the higher and how often fair dice would have made it so; where the duels are
    few also each of them, with its bonuses by name.
    """
    other, it = DEF if own == ATT else ATT, language == "it"
    won = sum(total_of(realm, duel, own) > total_of(realm, duel, other) for duel in duels)
    fair = _expected_wins(realm, row, duels, own)
    said = (f"Duelli in cui hai fatto di più: {won or 'nessuno'} su {len(duels)}" if it else
            f"Duels in which your total was the higher: {won or 'none'} of {len(duels)}")
    if fair is not None:
        tenths = f"{int(fair * 10 + Fraction(1, 2)) / 10:.1f}"
        said += f" (se ne potevano aspettare {tenths.replace('.', ',')})" if it else f" ({tenths} to be expected)"
    each = "; ".join(_duel_text(realm, duel, language) for duel in duels) if len(duels) <= MOST_DUELS else ""
    return f"{said}. {each[:1].upper()}{each[1:]}." if each else f"{said}."


def _duel_text(realm: Realm, duel: Mapping[str, Any], language: str) -> str:
    """``rider 7 (arcane study +1) against trooper 1``: the attacker's total and the defender's, bonuses by name."""
    told = []
    for side in SIDES:
        mods = ", ".join(f"{bonus_name(realm, name, language)} {value:+d}"
                         for name, value in duel[f"mod_{side}"].items())
        name = UNITS_IN_WORDS[duel[side]][language == "it"][0]
        told.append(f"{name} {total_of(realm, duel, side)}" + (f" ({mods})" if mods else ""))
    return (" contro " if language == "it" else " against ").join(told)


def bonus_name(realm: Realm, name: str, language: str) -> str:
    """A bonus by the name of the structure that gives it, or ``power 2``."""
    if name in realm.types:
        return structure_name(realm, name, language)
    word, _, step = name.partition(" ")
    return f"{BONUS.get(word, word) if language == 'it' else word} {step}".strip()


def _expected_wins(realm: Realm, row: Battle, duels: list[dict[str, Any]], own: str) -> Fraction | None:
    """In how many duels fair dice would have made a side's total the higher; None where units to spare lent theirs."""
    if any(duel[f"lent_{side}"] for duel in duels for side in SIDES) or (
            len(split_units(row.attackers)) > len([duel for duel in duels if duel.get("pass", 1) == 1])):
        return None
    expected = Fraction(0)
    for duel in duels:
        att, defs = ([duel_total(realm, die, duel[f"d_{side}"], duel[f"mod_{side}"])
                      for die in range(1, duel[f"d_{side}"] + 1)] for side in SIDES)
        won = sum(a > d if own == ATT else d > a for a, d in product(att, defs))
        expected += Fraction(won, len(att) * len(defs))
    return expected


POWER_LINE = both("Power {step}: {name}.", "Potere {step}: {name}.")


def powers(realm: Realm, first: int, last: int) -> Said:
    """A sentence about what the steps of power `first` to `last` give."""
    rows = [row for row in realm.powers if first <= row.step <= last]
    return Said(POWER_LINE, {"step": last, **in_both("name", lambda lang: ", ".join(
        row.power_it if lang == "it" else row.power_en for row in rows))})


def last_actions(realm: Realm, faction: str) -> list[Line]:
    """The actions of a faction's players on the last day that had any."""
    days = {row.turn for row in realm.orders if row.faction == faction and row.status == "accepted"}
    return next(filter(None, ([act for act in actions_of(realm, day) if act.faction == faction]
                              for day in sorted(days, key=int, reverse=True))), [])


DAY_OF_DEEDS = both(
    "What they did on day {d}. Each has one action a day and is free again on the next; today is day {now}.",
    "Che cosa hanno fatto il giorno {d}. Ognuno ha un'azione al giorno e il giorno dopo è di nuovo libero; oggi è il "
    "giorno {now}.")


def day_of_deeds(realm: Realm, acts: Sequence[Line]) -> Said | str:
    """Of which day the actions are, and when people are free again; "" where there are none."""
    return Said(DAY_OF_DEEDS, {"d": int(acts[0].row.turn), "now": realm.today}) if acts else ""


def deeds(realm: Realm, faction: str, acts: Sequence[Line]) -> list[Deed]:
    """What each player of a faction did on the last day that had actions, which are `acts`."""
    language = language_of(realm, faction)
    done = {act.player: (action_text(realm, act, language), _came_to(realm, act)) for act in acts}
    idle = ("libero" if language == "it" else "free", "")
    return [Deed(f"{row.name} ({row.player})" if row.name else row.player, row.species, *done.get(row.player, idle))
            for row in realm.players if row.faction == faction]


def _came_to(realm: Realm, act: Line) -> str:
    """What came of an action: of spying its report tells, of a mission or a work how it stands now."""
    outcome = str(getattr(act.row, "outcome", ""))
    if outcome != "done":
        return outcome
    reports = [event for event in realm.campaign.table(Event) if event.event == "spy_report"
               and (event.turn, event.data["player"]) == (act.row.turn, act.player)]
    if act.verb == "spy":
        return SPIED[reports[-1].data["result"]] if reports else outcome
    day, player, node = str(act.row.turn), act.player, act.node
    row = (realm.works.get("/".join((node, act.structure, player, day))) if act.verb == "build" else
           realm.missions.get("/".join((day, player, act.mission, node, act.target_player))))
    state = row.state if row is not None else ""
    if state == "failed" and act.mission in ENDS_WITH_PLACE and not realm.is_home(node, ESDEF):
        return PLACE_FELL
    return "over" if state == "ended" and act.mission in WHILE_IT_LASTS else HOW_IT_CAME_OUT.get(state, "begun")


def works_in_progress(realm: Realm, faction: str) -> list[UnderWay]:
    """Works in progress, their structures with number and name."""
    language = language_of(realm, faction)
    return [UnderWay(row.node, f"{row.structure} {structure_name(realm, row.structure, language)}", row.builder,
                     row.ready_on) for row in realm.works if row.state == "in_progress"]


def ruins(realm: Realm) -> list[Ruin]:
    """The ruins of the raiders', with their room."""
    return [Ruin(row.node, row.level, realm.ruin(row).demons) for row in realm.homes(VARANNAH)]


@dataclass(eq=False, repr=False)
class Town(Record, sheet=Node.sheet, sheet_it=Node.sheet_it):
    """A settlement of the defenders'."""

    node: str = column(Ref("Nodes"), "Cell", "Casella", key=True)
    level: int = column(Whole(0), "Level", "Livello")
    structures: str = column(Text(), "Structures", "Strutture")
    garrison: str = column(Text(), "Garrison / room", "Guarnigione / posti")


def towns(realm: Realm, faction: str) -> list[Town]:
    """The settlements: what stands there, and how full the garrison is."""
    language = language_of(realm, faction)
    return [Town(place.node, place.level, ", ".join(
        structure_name(realm, code, language) + (f" ×{copies}" if copies > 1 else "")
        for code, copies in sorted(realm.standing(place.node).items())),
        f"{len(realm.camp.garrison(place.node))}/{realm.room(place.node)}") for place in realm.homes(ESDEF)]


COINS_FOR_WORKS = both.joined(
    both("Coins for works in the next upkeep: {n}, of which {coins} in hand, {gain} of income, {x} of missions.",
         "Monete per i lavori nel prossimo mantenimento: {n}, di cui {coins} in cassa, {gain} di entrate, {x} dalle "
         "missioni."),
    both("From level: of the settlement. Needs there: what must stand in the same cell before.",
         "Dal livello: dell'insediamento. Richiede sul posto: che cosa deve già esserci nella casella."))


def coins_for_works(realm: Realm) -> Said:
    """What works are paid from in the next upkeep, and what a price's columns mean."""
    had, all_in_all = realm.factions[ESDEF].coins or 0, realm.coins_for_works
    return Said(COINS_FOR_WORKS, {"n": all_in_all, "coins": had, "gain": realm.coins_tonight - had,
                                  "x": all_in_all - realm.coins_tonight})


def prices(realm: Realm, faction: str) -> list[Price]:
    """The structures that can be paid for in the next upkeep and whose level there is, the cheapest first."""
    language, coins = language_of(realm, faction), realm.coins_for_works
    highest = max((town.level for town in realm.homes(faction)), default=0)
    kinds = [kind for kind in realm.types if kind.cost <= coins and kind.level <= highest]
    return [Price(f"{kind.structure} {kind.name_in(language)}", kind.cost, kind.level,
                  ", ".join(structure_name(realm, needed, language) for needed in kind.requires.split()))
            for kind in sorted(kinds, key=lambda kind: (kind.cost, natural(kind.structure)))]


# The hand-over of a battle that is played live (rulebook: Played live).


RULES = both("First whoever stands outside, then engines, then the garrison, pair by pair from the left. Each throws "
             "d6, who is at a disadvantage d4; outside nobody has an advantage or a bonus. The higher kills. Attackers "
             "to spare lend their dice to their kind. Fewer attackers than defenders go back.",
             "Prima chi sta fuori, poi le macchine, poi la guarnigione, coppia per coppia da sinistra. Ognuno tira "
             "1d6, chi è in svantaggio 1d4; fuori nessuno ha vantaggi né bonus. Il più alto uccide. Gli attaccanti in "
             "sovrappiù prestano il dado ai propri simili. Se gli attaccanti sono meno dei difensori si ritirano.")
ENEMY = {ESDEF: both("Soldiers from {origin_node:the}.", "Soldati {origin_node:da}."),
         VARANNAH: both("Demons from {origin_node:the}.", "Demoni {origin_node:da}.")}


HOW_IT_IS_FOUGHT = both("How it is fought", "Come si combatte")


def hand_over(realm: Realm, row: Battle, faction: str) -> list[Said]:
    """What a side takes to the table; for the Master (faction "") the parts of both."""
    if faction and faction not in BOTH:
        return []
    sides = [side for side in (row.attacker, OTHER[row.attacker]) if faction in ("", side)]
    own = [line for side in sides for line in (
        _attackers(realm, row) if side == row.attacker else _defenders(realm, row, enemy=bool(faction)))]
    gained = [powers(realm, 1, realm.power)._replace(label=WHAT_HELPS_YOU)] if VARANNAH in sides and realm.power else []
    return [_place(realm, row), *own, *gained, Said(RULES, {}, HOW_IT_IS_FOUGHT)]


PLACE_AND_DAY = both("{node:the}, day {d}.", "{node}, giorno {d}.")
PLACE = both("Place", "Luogo")
NAMED_PLACE_AND_DAY = both("{node:the}, {name}, day {d}.", "{node}, {name}, giorno {d}.")


def _place(realm: Realm, row: Battle) -> Said:
    """Where and when, and the level of the place."""
    node, told = realm.nodes[row.node], {"node": row.node, "d": int(row.turn)}
    if node.kind == "empty":
        return Said(PLACE_AND_DAY, told, PLACE)
    level = realm.level(node) if node.kind == "settlement" else realm.ruin(node)
    return Said(NAMED_PLACE_AND_DAY, {**told, **in_both("name", lambda lang: level.name_in(lang).lower())}, PLACE)


YOUR_ATTACK = both("You attack {node:the} from {origin_node:the}: {units}.",
                   "Attacchi {node:il} {origin_node:da}: {units}.")
YOUR_LINE = both("Your line", "La tua schiera")
SEEN_THERE = both("Seen {node:at}: {text}.", "Visto {node:dove}: {text}.")
WHAT_YOU_KNOW = both("What you know", "Che cosa sai")


def _attackers(realm: Realm, row: Battle) -> list[Said]:
    """Their line, and what they have seen of the place, with the day."""
    seen = [f"{seen.position or ''} {seen.what} ({seen.seen_on})".strip()
            for seen in realm.sightings_at(row.attacker, row.node)]
    return [Said(YOUR_ATTACK, {"node": row.node, "origin_node": row.origin, "units": row.attackers},
                 YOUR_LINE),
            Said(SEEN_THERE, {"node": row.node, "text": ", ".join(seen) or "–"}, WHAT_YOU_KNOW)]


YOUR_DEFENCE = both("{node:the} is attacked from {origin_node:the}. Garrison {garrison}, outside {text}.",
                    "{node}: attacco {origin_node:da}. Guarnigione {garrison}, fuori {text}.")
STRUCTURES_THERE = both("Structures: {text}.", "Strutture: {text}.")
WHAT_HELPS_YOU = both("What helps you", "Che cosa ti aiuta")


def _defenders(realm: Realm, row: Battle, *, enemy: bool) -> list[Said]:
    """Their lines and structures; with `enemy` also where the enemy comes from."""
    lines = [Said(YOUR_DEFENCE,
                  {"node": row.node, "origin_node": row.origin, "garrison": row.garrison_before or "–",
                   "text": row.open_before or "–"}, YOUR_LINE)]
    there = realm.standing(row.node)
    if there:
        text = ", ".join(f"{code} ×{there[code]}" if there[code] > 1 else code for code in sorted(there))
        lines.append(Said(STRUCTURES_THERE, {"text": text}, WHAT_HELPS_YOU))
    return [*lines, *([Said(ENEMY[row.attacker], {"origin_node": row.origin}, WHAT_YOU_KNOW)] if enemy else ())]




# The text for a side's chat group (rulebook: Who may know what).


LONGEST_SENTENCE, LONGEST_MESSAGE = 138, 460
"""Characters of a sentence, and of all of them: with head and foot a message keeps within 700."""
BATTLES, REPORTS = 4, 5
"""The most battles and reports that are named."""
PLACE_FATES = {"settlement_fell": both("{name} falls", "{name} cade"),
               "ruin_purified": both("{name} purified", "{name} purificata")}
BATTLE_OUTCOMES = {"undecided": both("{name}: the fight goes on", "{name}: si combatte ancora"),
                   "driven_off": both("{name} holds", "{name} resiste"),
                   "destroyed": both("{name}: attackers destroyed", "{name}: attaccanti annientati"),
                   "taken": both("{name} taken", "{name} presa"), "walkover": both("{name} taken", "{name} presa")}
LOST_AND_KILLED = both("lost {x}, killed {y}", "persi {x}, uccisi {y}")
ON_THE_MAP = {**PLACE_FATES, "settlement_founded": both("{name} founded", "{name} fondata"),
              "level_rose": both("{name} now {level}", "{name} ora {level}"),
              "ruin_rose": both("{name} now {level}", "{name} ora {level}")}
SPY_RESULTS = {"empty": both("{name} empty", "{name} vuota"), "enemies": both("{name} enemies", "{name} nemici"),
               "success": both("{name}: {text}", "{name}: {text}")}


AND_N_MORE = both("and {n} more", "e altre {n}")
AND_ANOTHER = both("and another", "e un'altra")
MONEY_OF_DEFENDERS = both("Coins {coins} (+{gain}); works: {text}.", "Casse {coins} (+{gain}); cantieri: {text}.")
RESOURCES_OF_RAIDERS = both("Resources {resources} (+{gain}); power {step}.",
                            "Risorse {resources} (+{gain}); potere {step}.")
ENEMIES_AROUND = both("around {name} enemies: {text}", "intorno a {name} nemici: {text}")
NOBODY_AROUND = both("around {name} nobody", "intorno a {name} nessuno")
KNOWN_PORTALS = both("Known portals: {text}.", "Portali noti: {text}.")
PORTALS_LINE = both("Portals: {text}.", "Portali: {text}.")
END_WON = both("The end: {winner:the} {winner?wins|win}.", "Fine: {winner?vince|vincono} {winner:il}.")
END_TRUCE = both("The end: a truce, nobody wins.", "Fine: tregua, non vince nessuno.")
TO_ANSWER = both("To answer: {text}.", "Rispondano: {text}.")


class DaySummary:
    """One day as a reader knows it ("" for what everybody knows); `say` words a text."""

    def __init__(self, realm: Realm, reader: str, say: Translate) -> None:
        self.realm, self.reader, self.say = realm, reader, say
        events = [event for event in realm.campaign.table(Event) if (reader and event.for_faction(reader))
                  or event.audience == "all"]
        self.now = next((event.turn for event in reversed(events)), realm.campaign.desk.turn)
        # where the day has only its initiative so far, what is to be told is the day before
        self.day = next((event.turn for event in reversed(events) if event.event != "initiative"), self.now)
        self.events = [event for event in events if event.turn == self.day]

    def of(self, *types: str) -> list[Event]:
        """The day's events of some types."""
        return [event for event in self.events if event.event in types]

    def place(self, node: object) -> str:
        """A cell by its plain name, or by its number."""
        row = self.realm.nodes.get(str(node))
        return (self.name(row.name_in) if row is not None else "") or str(node)

    def listed(self, names: list[str], others: int) -> str:
        """As many names as a sentence has room for. `others`: its other characters."""
        return ", ".join(_as_many_as_fit(names, ", ", LONGEST_SENTENCE - others))

    def name(self, name_in: Callable[[str], str]) -> str:
        """A name in the reader's language."""
        return self.say("{name}", **in_both("name", name_in))

    # --- battles and the map ----------------------------------------------------------------------------
    def battles(self) -> tuple[list[str], set[str]]:
        """A clause for each battle, own attacks first; and the places whose fate they tell."""
        rows = [row for row in self.realm.battles if row.turn == self.day and row.outcome in BATTLE_OUTCOMES]
        alike = defaultdict[tuple[str, str], list[Battle]](list)
        for row in sorted(rows, key=lambda row: row.attacker != self.reader):
            alike[row.node, row.outcome].append(row)
        told = list(alike.values())[:BATTLES]
        clauses = [self._battles(some) for some in told]
        if len(alike) > BATTLES:
            more = len(alike) - BATTLES
            clauses[-1] += "; " + self.say(AND_N_MORE if more > 1 else AND_ANOTHER, n=more)
        return clauses, {some[0].node for some in told if some[0].outcome in ("taken", "walkover")}

    def _battles(self, rows: list[Battle]) -> str:
        """Battles at one place that ended alike, with the losses of all."""
        row = rows[0]
        fate = next((PLACE_FATES[event.event] for event in self.of(*PLACE_FATES) if row.outcome in ("taken", "walkover")
                     and str(event.data["node"]) == row.node), BATTLE_OUTCOMES[row.outcome])
        lost, killed = (sum(some) for some in zip(*(losses(one, self.reader) for one in rows), strict=True))
        told = self.say(fate, name=self.place(row.node))
        if self.reader not in BOTH or not (lost or killed):
            return told
        return f"{told} ({self.say(LOST_AND_KILLED, x=lost, y=killed)})"

    def changes(self, told: Iterable[str]) -> list[str]:
        """Places that fell, were founded, rose or were purified, unless the battles tell it (`told`)."""
        skipped = {(event, node) for event in PLACE_FATES for node in told}
        return [self.say(ON_THE_MAP[event.event], name=self.place(event.data["node"]), level=self._level(event))
                for event in self.of(*ON_THE_MAP) if (event.event, str(event.data["node"])) not in skipped]

    def _level(self, event: Event) -> str:
        """The name of the level that a place has risen to."""
        rows = self.realm.ruins if event.event == "ruin_rose" else self.realm.levels
        row = rows.get(str(event.data.get("level", "")))
        return "" if row is None else self.name(row.name_in).lower()

    # --- the side's own ---------------------------------------------------------------------------------
    def means(self) -> str:
        """Coins and works, or resources and power."""
        if self.reader == ESDEF:
            gain = sum(event.data["coins"] for event in self.of("income"))
            works = [f"{self.place(row.node)} ({self.name(partial(structure_name, self.realm, row.structure))})"
                     for row in self.realm.works if row.state == "in_progress"]
            return self.say(MONEY_OF_DEFENDERS, text=self.listed(works, 50) or "–", gain=gain,
                            coins=self.realm.factions[ESDEF].coins or 0)
        raiders = self.realm.factions[self.reader]
        abducted = [event for event in self.of("mission_ended") if (event.data["mission"], event.data["result"]) == (
            "abduct", "success")]
        gain = len(abducted) * self.realm.mission_value("abduct") + sum(
            event.data["resources"] for event in self.of("ruin_yield", "captives_taken"))
        return self.say(RESOURCES_OF_RAIDERS, resources=raiders.resources or 0, gain=gain,
                        step=raiders.power_step or 0)

    def reports(self) -> list[str]:
        """A clause for each report of spies and scouts, the newest first."""
        clauses = []
        for event in reversed(self.of("spy_report", "mission_ended")):
            if event.event == "spy_report":
                seen = ", ".join(str(what) if position is None else f"{position}={what}"
                                 for _, position, what in event.data.get("found", ()))
                spied = SPY_RESULTS[event.data["result"]]
                clauses.append(self.say(spied, name=self.place(event.data["node"]), text=seen or "–"))
            elif event.data["mission"] == "scout" and (clause := self._scouting_report(str(event.data["player"]))):
                clauses.append(clause)
        return clauses[:REPORTS]

    def _scouting_report(self, player: str) -> str:
        """What a scout has seen around a cell."""
        missions = [row for row in self.realm.missions if row.player == player and row.mission == "scout"
                    and int(row.day) < int(self.day)]
        enemies = [self.place(row.node) for row in self.realm.seen if row.source == "scout"
                   and row.player == player and row.kind == "enemies" and str(row.seen_on) == self.day]
        if not missions:
            return ""
        around = max(missions, key=lambda row: int(row.day)).target
        if enemies:
            return self.say(ENEMIES_AROUND, name=self.place(around), text=", ".join(enemies))
        return self.say(NOBODY_AROUND, name=self.place(around))

    def portals(self) -> str:
        """Known portals, or the raiders' own whose demons act after the day, by cell."""
        nodes = ([row.node for row in self.realm.sighted_portals()] if self.reader == ESDEF
                 else [row.node for row in self.realm.portals
                       if row.state in ("located", "open") and int(row.day) > int(self.day)])
        text = self.listed([self.place(cell) for cell in self.realm.sorted_cells(nodes)], 20)
        known = KNOWN_PORTALS if self.reader == ESDEF else PORTALS_LINE
        return self.say(known, text=text) if text else ""

    def end(self) -> str:
        """Who has won, once somebody has."""
        winner = next((event.data["winner"] for event in self.of("campaign_ended")), "")
        if winner in BOTH:
            return self.say(END_WON, winner=winner)
        return self.say(END_TRUCE) if winner else ""

    def missing_consents(self) -> str:
        """The players whose consent is still missing."""
        open_ones = [str(row.asked.get("character", row.about)) for row in self.realm.campaign.table(Question)
                     if row.kind == CONSENT and row.to == self.reader and row.status in ("", "open") and not row.answer]
        text = self.listed(list(dict.fromkeys(open_ones)), 20)
        return self.say(TO_ANSWER, text=text) if text else ""


def _as_many_as_fit(clauses: list[str], between: str, most: int) -> list[str]:
    """As many clauses as fit, from the first."""
    kept = list(clauses)
    while len(kept) > 1 and len(between.join(kept)) > most:
        kept.pop()
    return kept


INITIATIVE_LINE = both("Initiative: {first}.", "Iniziativa: {first}.")
HEADING_FOR_FACTION = both("INCURSIO day {d} – {faction}.", "INCURSIO giorno {d} – {faction}.")
HEADING = both("INCURSIO day {d}.", "INCURSIO giorno {d}.")
WHAT_DAY_BROUGHT = both("What day {d} brought:", "Il giorno {d} ha portato:")
BATTLES_LINE = both("Battles: {text}.", "Battaglie: {text}.")
MAP_LINE = both("Map: {text}.", "Mappa: {text}.")
SEEN_LINE = both("Seen: {text}.", "Visto: {text}.")


def group_text(realm: Realm, reader: str, say: Translate) -> list[str]:
    """The sentences in the book's order, without empty ones.

    If they are too long, clauses are dropped from the end of the reports, then of the map, then of the battles.
    """
    told = DaySummary(realm, reader, say)
    first = realm.days.get(told.now)
    who = say(INITIATIVE_LINE, first=first.first) if first is not None and first.first else ""
    head = say(HEADING_FOR_FACTION, d=int(told.now), faction=reader) if reader in BOTH else say(HEADING,
                                                                                                   d=int(told.now))
    of_day = say(WHAT_DAY_BROUGHT, d=int(told.day)) if told.day != told.now else ""
    battles, fates = told.battles()
    lists = {BATTLES_LINE: battles, MAP_LINE: told.changes(fates)}
    own = [told.means(), told.portals(), told.missing_consents()] if reader in BOTH else []
    if own:
        lists[SEEN_LINE] = told.reports()

    def split_list(text: str) -> list[str]:
        rest, rows = list(lists.get(text, ())), list[str]()
        while rest:
            row = _as_many_as_fit(rest, "; ", LONGEST_SENTENCE - 12)
            rest = rest[len(row):]
            rows.append(f"{'; '.join(row)}." if rows else say(text, text="; ".join(row)))
        return rows

    def lines() -> list[str]:
        rows = [f"{head} {who}".strip(), of_day, told.end(), *split_list(BATTLES_LINE), *split_list(MAP_LINE)]
        return [*filter(None, [*rows, *own[:1], *split_list(SEEN_LINE), *own[1:]])]

    for clauses in reversed(lists.values()):
        while clauses and sum(map(len, lines())) > LONGEST_MESSAGE:
            clauses.pop()
    return lines()
