"""What a side learns about a day and its battles: for reports, the table and its chat group."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from assistant.campaign.columns import Choice, Text, column
from assistant.campaign.records import Die, Event, Question
from assistant.campaign.tables import Record
from assistant.rulesets.incursio.battles import ATT, DEF, duel_total, engine_kills
from assistant.rulesets.incursio.messages import CONSENT
from assistant.rulesets.incursio.orders import PERSONAL, action_text, value_of
from assistant.rulesets.incursio.realm import BOTH, OTHER, Realm, sightings_of, split_units, units_text
from assistant.rulesets.incursio.records import CAME_TO, ESDEF, VARANNAH, Battle, Portal, Work
from assistant.rulesets.incursio.tables import DUEL
from assistant.turn.event_types import Said
from assistant.turn.orders.line_parser import read_row
from assistant.turn.orders.verbs import Translate
from assistant.turn.texts import N_

# Battles and people in a report.


WHO_FALLS = {"att": ("defender", "difensore"), "def": ("attacker", "attaccante"), "tie": ("nobody", "nessuno")}
"""Who falls, by who wins."""
WHO_FALLS_BY_TIE = {**WHO_FALLS, "att": ("defender, power 6 wins ties", "difensore, il potere 6 vince i pareggi"),
          "def": ("attacker, manned walls win ties", "attaccante, le mura presidiate vincono i pareggi")}
SPARED = ("nobody, power 8 saves the first", "nessuno, il potere 8 salva il primo")
BONUS = {"power": "potere", "watch": "veglia"}
STAGES = {"open": ("outside", "fuori"), "garrison": ("garrison", "guarnigione")}
LEGEND = N_("The unit, its die and what it shows, behind an arrow the die that a unit to spare has lent it, with that"
            " unit's position; then each bonus by name, both totals, and who falls.")


@dataclass
class Pair(Record, sheet="Battles", sheet_it="Battaglie"):
    """One duel, or one shot of an engine."""

    battle: str = column(Text(), "Battle", "Battaglia", key=True)
    pair: str = column(Text(), "Pair", "Coppia", key=True)
    attacker: str = column(Text(), "Attacker", "Attaccante")
    defender: str = column(Text(), "Defender", "Difensore")
    falls: str = column(Text(), "Totals, who falls", "Totali, chi cade")


@dataclass
class Deed(Record, sheet="Players", sheet_it="Giocatori"):
    """What somebody did with the action of the day."""

    player: str = column(Text(), "Character", "Personaggio", key=True)
    species: str = column(Text(), "Species", "Specie")
    action: str = column(Text(), "Action", "Azione")
    result: str = column(Choice(CAME_TO, blank=True), "Result", "Esito")


def _die(realm: Realm, battle: str, duel: dict[str, Any], side: str, language: str) -> str:
    """``Tr d4=1→4 (4) +1 (05)``: unit, faces, what it threw, what the unit of which position lent, bonuses by name."""
    shown, lender = str(duel[f"roll_{side}"]), duel[f"lent_{side}"]
    if lender:
        about = (battle, duel.get("pass", 1), duel["stage"], side, duel["duel"])
        own = realm.campaign.table(Die).get(DUEL(*about).key)
        shown = f"{own.value if own is not None else ''}→{shown} ({lender})"
    mods = "".join(f" {value:+d} ({name})" for name, value in duel[f"mod_{side}"].items())
    for english, italian in BONUS.items() if language == "it" else ():
        mods = mods.replace(english, italian)
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
        return Pair(battle, f"{n}. {_structure_name(realm, duel['structure'], language)}", f"{duel['att']} d6={victim}",
                    f"{duel['structure']} d6={shot}", f"{victim} : {shot}, {falls[it]}")
    att, defs = (duel_total(realm, duel[f"roll_{side}"], duel[f"d_{side}"], duel[f"mod_{side}"]) for side in (ATT, DEF))
    dice = {side: _die(realm, battle, duel, side, language) for side in (ATT, DEF)}
    return Pair(battle, f"{n}. {STAGES[duel['stage']][it]} {duel['duel']}", dice[ATT], dice[DEF],
                f"{att} : {defs}, {(WHO_FALLS_BY_TIE if att == defs else WHO_FALLS)[duel['winner']][it]}")


def _structure_name(realm: Realm, structure: str, language: str) -> str:
    """The name of a structure, or its number if it has none."""
    row = realm.types.get(structure)
    return row.called(language) if row is not None else structure


def language_of(realm: Realm, faction: str) -> str:
    """The language in which a faction reads."""
    row = realm.factions.get(faction)
    return row.language if row is not None else "en"


def losses(row: Battle, faction: str) -> tuple[int, int]:
    """Units that a side lost in a battle, and killed."""
    attackers = len(split_units(row.attackers)) - len(split_units(row.att_after))
    defenders = row.defenders_lost or 0
    return (attackers, defenders) if faction == row.attacker else (defenders, attackers)


def summary(row: Battle, faction: str) -> Said:
    """A sentence about a battle: who met whom, and the losses."""
    lost, killed = losses(row, faction)
    seen = units_text(duel["def"] for duel in row.duels if duel["stage"] != "engine" and duel.get("pass", 1) == 1)
    text = N_("{battle}: {units} against {text}, {outcome}; lost {x}, killed {y}.") if seen else N_(
        "{battle}: {units}, {outcome}; lost {x}, killed {y}.")
    return Said(text, {"battle": row.battle, "units": row.attackers, "text": seen, "outcome": row.outcome, "x": lost,
                       "y": killed})


def powers(realm: Realm, first: int, last: int) -> Said:
    """A sentence about what the steps of power `first` to `last` give."""
    rows = [row for row in realm.powers if first <= row.step <= last]
    return Said(N_("Power {step}: {name}."), {"step": last, "name_en": ", ".join(row.power_en for row in rows),
                                              "name_it": ", ".join(row.power_it for row in rows)})


def deeds(realm: Realm, faction: str) -> list[Deed]:
    """What each player of a faction did on the last day that had actions."""
    game = realm.game
    rows = [row for row in realm.orders if row.faction == faction and row.status == "accepted"]
    read = [read_row(game.orders, game.campaign, row, reads=game.reads) for row in rows]
    acts = [one for one in read if one.verb in PERSONAL]
    last = max((int(one.row.turn) for one in acts), default=0)
    language = language_of(realm, faction)
    done = {str(value_of(one, "player")): (action_text(realm, one, language), str(getattr(one.row, "outcome", "")))
            for one in acts if int(one.row.turn) == last}
    idle = ("libero" if language == "it" else "free", "")
    return [Deed(row.name or row.player, row.species, *done.get(row.player, idle))
            for row in realm.players if row.faction == faction]


def works_in_progress(realm: Realm, faction: str) -> list[Work]:
    """Works in progress, as copies whose structures have number and name."""
    found = [row.copy() for row in realm.works if row.state == "in_progress"]
    for row in found:
        row.structure += f" {_structure_name(realm, row.structure, language_of(realm, faction))}"
    return found


# The hand-over of a battle that is played live (rulebook: Played live).


RULES = N_("First whoever stands outside, then engines, then the garrison, pair by pair from the left. Each throws d6,"
           " who is at a disadvantage d4; outside nobody has an advantage or a bonus. The higher kills. Attackers to"
           " spare lend their dice to their kind. Fewer attackers than defenders go back.")
ENEMY = {ESDEF: N_("Soldiers from {origin_node:the}."), VARANNAH: N_("Demons from {origin_node:the}.")}


def hand_over(realm: Realm, row: Battle, faction: str) -> list[Said]:
    """What a side takes to the table; for the Master (faction "") the parts of both."""
    if faction and faction not in BOTH:
        return []
    sides = [side for side in (row.attacker, OTHER[row.attacker]) if faction in ("", side)]
    own = [said for side in sides for said in (
        _attackers(realm, row) if side == row.attacker else _defenders(realm, row, enemy=bool(faction)))]
    return [_place(realm, row), *own, *(said for side in sides for said in _powers(realm, side)),
            Said(RULES, {}, N_("How it is fought"))]


def _place(realm: Realm, row: Battle) -> Said:
    """Where and when, and the level of the place."""
    node = realm.nodes[row.node]
    if node.kind == "empty":
        return Said(N_("{node:the}, day {d}."), {"node": row.node, "d": int(row.turn)}, N_("Place"))
    level = realm.level(node) if node.kind == "settlement" else realm.ruin(node)
    return Said(N_("{node:the}, {name}, day {d}."), {"node": row.node, "name_en": level.name_en.lower(),
                                                    "name_it": level.name_it.lower(), "d": int(row.turn)}, N_("Place"))


def _attackers(realm: Realm, row: Battle) -> list[Said]:
    """Their line, and what they have seen of the place, with the day."""
    seen = [f"{one.position or ''} {one.what} ({one.seen_on})".strip() for one in realm.seen
            if one.faction == row.attacker and one.node == row.node and one.state == "current"]
    return [Said(N_("You attack {node:the} from {origin_node:the}: {units}."),
                 {"node": row.node, "origin_node": row.origin, "units": row.attackers}, N_("Your line")),
            Said(N_("Seen {node:at}: {text}."), {"node": row.node, "text": ", ".join(seen) or "–"},
                 N_("What you know"))]


def _defenders(realm: Realm, row: Battle, *, enemy: bool) -> list[Said]:
    """Their lines and structures; with `enemy` also where the enemy comes from."""
    said = [Said(N_("{node:the} is attacked from {origin_node:the}. Garrison {garrison}, outside {text}."),
                 {"node": row.node, "origin_node": row.origin, "garrison": row.garrison_before or "–",
                  "text": row.open_before or "–"}, N_("Your line"))]
    there = realm.standing(row.node)
    if there:
        text = ", ".join(f"{code} ×{there[code]}" if there[code] > 1 else code for code in sorted(there))
        said.append(Said(N_("Structures: {text}."), {"text": text}, N_("What helps you")))
    return [*said, *([Said(ENEMY[row.attacker], {"origin_node": row.origin}, N_("What you know"))] if enemy else ())]


def _powers(realm: Realm, side: str) -> list[Said]:
    """The powers of demons that they have reached."""
    if side == ESDEF or not realm.power:
        return []
    return [replace(powers(realm, 1, realm.power), label=N_("What helps you"))]


# The text for a side's chat group (rulebook: Who may know what).


LONGEST_SENTENCE, LONGEST_MESSAGE = 138, 460
"""Characters of a sentence, and of all of them: with head and foot a message keeps within 700."""
BATTLES, REPORTS = 4, 5
"""The most battles and reports that are named."""
PLACE_FATES = {"settlement_fell": N_("{name} falls"), "ruin_purified": N_("{name} purified")}
BATTLE_OUTCOMES = {"undecided": N_("{name} undecided"), "driven_off": N_("{name} holds"),
          "destroyed": N_("{name}: attackers destroyed"), "taken": N_("{name} taken"),
          "walkover": N_("{name} taken")}
ON_THE_MAP = {**PLACE_FATES, "settlement_founded": N_("{name} founded"), "level_rose": N_("{name} now {level}"),
              "ruin_rose": N_("{name} now {level}")}
SPY_RESULTS = {"empty": N_("{name} empty"), "enemies": N_("{name} enemies"), "success": N_("{name}: {text}")}


class DaySummary:
    """One day as a reader knows it ("" for what everybody knows); `say` words a text."""

    def __init__(self, realm: Realm, reader: str, say: Translate) -> None:
        self.realm, self.reader, self.say = realm, reader, say
        events = [one for one in realm.campaign.table(Event) if (reader and one.for_faction(reader))
                  or one.audience == "all"]
        self.now = next((one.turn for one in reversed(events)), realm.campaign.desk.turn)
        # where the day has only its initiative so far, what is to be told is the day before
        self.day = next((one.turn for one in reversed(events) if one.event != "initiative"), self.now)
        self.events = [one for one in events if one.turn == self.day]

    def of(self, *types: str) -> list[Event]:
        """The day's events of some types."""
        return [one for one in self.events if one.event in types]

    def place(self, node: object) -> str:
        """A cell by its plain name, or by its number."""
        row = self.realm.nodes.get(str(node))
        return self._named(row.called("en"), row.called("it")) or str(node) if row is not None else str(node)

    def _named(self, en: str, it: str) -> str:
        return self.say("{name}", name_en=en, name_it=it)

    # --- battles and the map ----------------------------------------------------------------------------
    def battles(self) -> tuple[list[str], set[str]]:
        """A clause for each battle, own attacks first; and the places whose fate they tell."""
        rows = [row for row in self.realm.battles if row.turn == self.day and row.outcome in BATTLE_OUTCOMES]
        rows.sort(key=lambda row: row.attacker != self.reader)
        clauses = [self._battle(row) for row in rows[:BATTLES]]
        if len(rows) > BATTLES:
            more = len(rows) - BATTLES
            clauses[-1] += "; " + self.say(N_("and {n} more") if more > 1 else N_("and another"), n=more)
        return clauses, {row.node for row in rows[:BATTLES] if row.outcome in ("taken", "walkover")}

    def _battle(self, row: Battle) -> str:
        fate = next((PLACE_FATES[one.event] for one in self.of(*PLACE_FATES) if row.outcome in ("taken", "walkover")
                     and str(one.data["node"]) == row.node), BATTLE_OUTCOMES[row.outcome])
        lost, killed = losses(row, self.reader) if self.reader in BOTH else (0, 0)
        return self.say(fate, name=self.place(row.node)) + (f" ({lost}/{killed})" if self.reader in BOTH else "")

    def changes(self, told: Iterable[str]) -> list[str]:
        """Places that fell, were founded, rose or were purified, unless the battles tell it (`told`)."""
        skipped = {(event, node) for event in PLACE_FATES for node in told}
        return [self.say(ON_THE_MAP[one.event], name=self.place(one.data["node"]), level=self._level(one))
                for one in self.of(*ON_THE_MAP) if (one.event, str(one.data["node"])) not in skipped]

    def _level(self, event: Event) -> str:
        """The name of the level that a place has risen to."""
        rows = self.realm.ruins if event.event == "ruin_rose" else self.realm.levels
        row = rows.get(str(event.data.get("level", "")))
        return "" if row is None else self._named(row.name_en, row.name_it).lower()

    # --- the side's own ---------------------------------------------------------------------------------
    def means(self) -> str:
        """Coins and works, or resources and power."""
        if self.reader == ESDEF:
            gain = sum(one.data["coins"] for one in self.of("income"))
            works = [f"{self.place(row.node)} {row.structure}" for row in self.realm.campaign.table(Work)
                     if row.state == "in_progress"]
            text = ", ".join(_as_many_as_fit(works, ", ", LONGEST_SENTENCE - 50)) or "–"
            return self.say(N_("Coins {coins} (+{gain}); works: {text}."), text=text, gain=gain,
                            coins=self.realm.factions[ESDEF].coins or 0)
        raiders = self.realm.factions[self.reader]
        dragged = sum((self.realm.mission_types["abduct"].value or 0) for one in self.of("mission_ended")
                      if one.data["mission"] == "abduct" and one.data["result"] == "success")
        gain = dragged + sum(one.data["resources"] for one in self.of("ruin_yield", "captives_taken"))
        return self.say(N_("Resources {resources} (+{gain}); power {step}."), resources=raiders.resources or 0,
                        gain=gain, step=raiders.power_step or 0)

    def reports(self) -> list[str]:
        """A clause for each report of spies and scouts, the newest first."""
        found = []
        for one in reversed(self.of("spy_report", "mission_ended")):
            if one.event == "spy_report":
                seen = ", ".join(str(what) if position is None else f"{position}={what}"
                                 for _, position, what in one.data.get("found", ()))
                found.append(
                    self.say(SPY_RESULTS[one.data["result"]], name=self.place(one.data["node"]), text=seen or "–")
                )
            elif one.data["mission"] == "scout" and (clause := self._scouted(str(one.data["player"]))):
                found.append(clause)
        return found[:REPORTS]

    def _scouted(self, player: str) -> str:
        """What a scout has seen around a cell."""
        missions = [row for row in self.realm.missions if row.player == player and row.mission == "scout"
                    and int(row.day) < int(self.day)]
        enemies = [self.place(row.node) for row in self.realm.seen if row.source == "scout"
                   and row.player == player and row.kind == "enemies" and str(row.seen_on) == self.day]
        if not missions:
            return ""
        around = max(missions, key=lambda row: int(row.day)).target
        if enemies:
            return self.say(N_("around {name} enemies: {text}"), name=self.place(around), text=", ".join(enemies))
        return self.say(N_("around {name} nobody"), name=self.place(around))

    def portals(self) -> str:
        """Known portals, or the raiders' own whose demons act after the day, by cell."""
        nodes = ([row.node for row in sightings_of(self.realm, ESDEF, "portal")] if self.reader == ESDEF
                 else [row.node for row in self.realm.campaign.table(Portal)
                       if row.state in ("located", "open") and int(row.day) > int(self.day)])
        text = ", ".join(_as_many_as_fit([self.place(one) for one in self.realm.sorted_cells(nodes)], ", ",
                                 LONGEST_SENTENCE - 20))
        known = N_("Known portals: {text}.") if self.reader == ESDEF else N_("Portals: {text}.")
        return self.say(known, text=text) if text else ""

    def end(self) -> str:
        """Who has won, once somebody has."""
        winner = next((one.data["winner"] for one in self.of("campaign_ended")), "")
        if winner in BOTH:
            return self.say(N_("The end: {winner:the} {winner?wins|win}."), winner=winner)
        return self.say(N_("The end: a truce, nobody wins.")) if winner else ""

    def owed(self) -> str:
        """The players whose consent is still missing."""
        open_ones = [str(row.asked.get("character", row.about)) for row in self.realm.campaign.table(Question)
                     if row.kind == CONSENT and row.to == self.reader and row.status in ("", "open") and not row.answer]
        text = ", ".join(_as_many_as_fit(list(dict.fromkeys(open_ones)), ", ", LONGEST_SENTENCE - 20))
        return self.say(N_("To answer: {text}."), text=text) if text else ""


def _as_many_as_fit(clauses: list[str], between: str, most: int) -> list[str]:
    """As many clauses as fit, from the first."""
    kept = list(clauses)
    while len(kept) > 1 and len(between.join(kept)) > most:
        kept.pop()
    return kept


def group_text(realm: Realm, reader: str, say: Translate) -> list[str]:
    """The sentences in the book's order, without empty ones.

    If they are too long, clauses are dropped from the end of the reports, then of the map, then of the battles.
    """
    told = DaySummary(realm, reader, say)
    first = realm.days.get(told.now)
    who = say(N_("Initiative: {first}."), first=first.first) if first is not None and first.first else ""
    head = say(N_("INCURSIO day {d} – {faction}."), d=int(told.now), faction=reader) if reader in BOTH else say(
        N_("INCURSIO day {d}."), d=int(told.now))
    of_day = say(N_("What day {d} brought:"), d=int(told.day)) if told.day != told.now else ""
    battles, fates = told.battles()
    lists = {N_("Battles: {text}."): battles, N_("Map: {text}."): told.changes(fates)}
    own = [told.means(), told.portals(), told.owed()] if reader in BOTH else []
    if own:
        lists[N_("Seen: {text}.")] = told.reports()

    def listed(text: str) -> list[str]:
        rest, rows = list(lists.get(text, ())), list[str]()
        while rest:
            row = _as_many_as_fit(rest, "; ", LONGEST_SENTENCE - 12)
            rest = rest[len(row):]
            rows.append(f"{'; '.join(row)}." if rows else say(text, text="; ".join(row)))
        return rows

    def lines() -> list[str]:
        rows = [f"{head} {who}".strip(), of_day, told.end(), *listed("Battles: {text}."), *listed("Map: {text}.")]
        return [*filter(None, [*rows, *own[:1], *listed("Seen: {text}."), *own[1:]])]

    for clauses in reversed(lists.values()):
        while clauses and sum(map(len, lines())) > LONGEST_MESSAGE:
            clauses.pop()
    return lines()
