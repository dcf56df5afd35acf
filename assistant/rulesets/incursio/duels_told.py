"""How battles and people are told in a report: rows of the campaign in; sentences and rows of tables out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assistant.campaign.columns import Choice, Text, column
from assistant.campaign.record import Record
from assistant.campaign.records import Die
from assistant.rulesets.incursio.book.sheets import CAME_TO, Battle, Work
from assistant.rulesets.incursio.book.tables import DUEL
from assistant.rulesets.incursio.day.duels import ATT, DEF, total
from assistant.rulesets.incursio.day.fights import engine_kills
from assistant.rulesets.incursio.orders.judging import PERSONAL, in_names, said
from assistant.rulesets.incursio.realm.realm import Realm
from assistant.rulesets.incursio.realm.units import joined, split_units
from assistant.turn.orders.reading import read_row
from assistant.turn.ruleset import Said
from assistant.turn.texts import N_

FALLS = {"att": ("defender", "difensore"), "def": ("attacker", "attaccante"), "tie": ("nobody", "nessuno")}
"""Who falls, by who wins."""
BY_TIE = {**FALLS, "att": ("defender, power 6 wins ties", "difensore, il potere 6 vince i pareggi"),
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
    """The battles of the last day on which there was one, duel by duel and shot by shot, each with its stage."""
    rows = [row for row in realm.battles if row.duels]
    last, language = max((int(row.turn) for row in rows), default=0), language_of(realm, faction)
    return [_pair(realm, row.battle, n, duel, language) for row in rows if int(row.turn) == last
            for n, duel in enumerate(row.duels, 1)]


def _pair(realm: Realm, battle: str, n: int, duel: dict[str, Any], language: str) -> Pair:
    it = language == "it"
    if duel["stage"] == "engine":
        victim, shot = duel["roll_victim"], duel["roll_engine"]
        falls = FALLS["def"] if duel["killed"] else SPARED if engine_kills(shot, victim) else FALLS["tie"]
        return Pair(battle, f"{n}. {_called(realm, duel['structure'], language)}", f"{duel['att']} d6={victim}",
                    f"{duel['structure']} d6={shot}", f"{victim} : {shot}, {falls[it]}")
    att, defs = (total(realm, duel[f"roll_{side}"], duel[f"d_{side}"], duel[f"mod_{side}"]) for side in (ATT, DEF))
    dice = {side: _die(realm, battle, duel, side, language) for side in (ATT, DEF)}
    return Pair(battle, f"{n}. {STAGES[duel['stage']][it]} {duel['duel']}", dice[ATT], dice[DEF],
                f"{att} : {defs}, {(BY_TIE if att == defs else FALLS)[duel['winner']][it]}")


def _called(realm: Realm, structure: str, language: str) -> str:
    """A structure by its name, or its number where it has none."""
    row = realm.types.get(structure)
    return row.called(language) if row is not None else structure


def language_of(realm: Realm, faction: str) -> str:
    """In which language a faction reads."""
    row = realm.factions.get(faction)
    return row.language if row is not None else "en"


def losses(row: Battle, faction: str) -> tuple[int, int]:
    """What a battle has cost a side, and how many it has killed."""
    attackers = len(split_units(row.attackers)) - len(split_units(row.att_after))
    defenders = row.defenders_lost or 0
    return (attackers, defenders) if faction == row.attacker else (defenders, attackers)


def summary(row: Battle, faction: str) -> Said:
    """Who met whom in a battle, and what it has cost, in a sentence."""
    lost, killed = losses(row, faction)
    seen = joined(duel["def"] for duel in row.duels if duel["stage"] != "engine" and duel.get("pass", 1) == 1)
    text = N_("{battle}: {units} against {text}, {outcome}; lost {x}, killed {y}.") if seen else N_(
        "{battle}: {units}, {outcome}; lost {x}, killed {y}.")
    return Said(text, {"battle": row.battle, "units": row.attackers, "text": seen, "outcome": row.outcome, "x": lost,
                       "y": killed})


def powers(realm: Realm, first: int, last: int) -> Said:
    """What the steps of power from one to another give."""
    rows = [row for row in realm.powers if first <= row.step <= last]
    return Said(N_("Power {step}: {name}."), {"step": last, "name_en": ", ".join(row.power_en for row in rows),
                                              "name_it": ", ".join(row.power_it for row in rows)})


def deeds(realm: Realm, faction: str) -> list[Deed]:
    """What each player of a faction did on the last day on which somebody acted."""
    game = realm.game
    rows = [row for row in realm.orders if row.faction == faction and row.status == "accepted"]
    read = [read_row(game.orders, game.campaign, row, reads=game.reads) for row in rows]
    acts = [one for one in read if one.verb in PERSONAL]
    last = max((int(one.row.turn) for one in acts), default=0)
    language = language_of(realm, faction)
    done = {str(said(one, "player")): (in_names(realm, one, language), str(getattr(one.row, "outcome", "")))
            for one in acts if int(one.row.turn) == last}
    idle = ("libero" if language == "it" else "free", "")
    return [Deed(row.name or row.player, row.species, *done.get(row.player, idle))
            for row in realm.players if row.faction == faction]


def in_hand(realm: Realm, faction: str) -> list[Work]:
    """The works that go on, their structures by number and name."""
    found = [row.copy() for row in realm.works if row.state == "in_progress"]
    for row in found:
        row.structure += f" {_called(realm, row.structure, language_of(realm, faction))}"
    return found
