"""How battles and people are told in a report: rows of the campaign in; sentences and rows of tables out."""

from __future__ import annotations

from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice, Text, column
from assistant.campaign.record import Record
from assistant.dataclass import dataclass
from assistant.rulesets.incursio.book.sheets import CAME_TO, Battle, Work
from assistant.rulesets.incursio.orders.judging import PERSONAL, in_names, said
from assistant.rulesets.incursio.realm.realm import Realm
from assistant.rulesets.incursio.realm.units import split_units
from assistant.turn.orders.reading import read_row
from assistant.turn.ruleset import Said
from assistant.turn.texts import N_

FALLS = {"attacker": "attaccante", "defender": "difensore", "nobody": "nessuno"}
LEGEND = N_("Die and its faces, behind an arrow who lent it, then the bonus by name; the last column says who falls.")


@dataclass
class Pair(Record, sheet="Battles", sheet_it="Battaglie"):
    """One duel, or one shot of an engine."""

    battle: str = column(Text(), "Battle", "Battaglia", key=True)
    pair: str = column(Text(), "Pair", "Coppia", key=True)
    attacker: str = column(Text(), "Attacker", "Attaccante")
    defender: str = column(Text(), "Defender", "Difensore")
    falls: str = column(Choice(FALLS), "Falls", "Cade", default="nobody")


@dataclass
class Deed(Record, sheet="Players", sheet_it="Giocatori"):
    """What somebody did with the action of the day."""

    player: str = column(Text(), "Character", "Personaggio", key=True)
    species: str = column(Text(), "Species", "Specie")
    action: str = column(Text(), "Action", "Azione")
    result: str = column(Choice(CAME_TO, blank=True), "Result", "Esito")


def fought_last(view: Campaign) -> list[Battle]:
    """The battles of the last day on which there was one."""
    rows = [row for row in view.table(Battle) if row.duels]
    last = max((int(row.turn) for row in rows), default=0)
    return [row for row in rows if int(row.turn) == last]


def _die(duel: dict[str, Any], side: str) -> str:
    """``Tr d4=4←4 +1 (05)``: unit, faces, what it shows, who lent it, bonuses by name."""
    lent = f"←{duel[f'lent_{side}']}" if duel[f"lent_{side}"] else ""
    mods = "".join(f" {value:+d} ({name})" for name, value in duel[f"mod_{side}"].items())
    return f"{duel[side]} d{duel[f'd_{side}']}={duel[f'roll_{side}']}{lent}{mods}"


def pairs(row: Battle) -> list[Pair]:
    """The duels of a battle in their order, its engines among them."""
    found = []
    for n, duel in enumerate(row.duels, 1):
        if duel["stage"] == "engine":
            engine = duel["structure"]
            found.append(Pair(row.battle, f"{n}. {engine}.{duel['copy']}", f"{duel['att']} d6={duel['roll_victim']}",
                              f"{engine} d6={duel['roll_engine']}", "attacker" if duel["killed"] else "nobody"))
        else:
            falls = {"att": "defender", "def": "attacker", "tie": "nobody"}[duel["winner"]]
            found.append(Pair(row.battle, f"{n}. {duel['duel']}", _die(duel, "att"), _die(duel, "def"), falls))
    return found


def losses(row: Battle, faction: str) -> tuple[int, int]:
    """What a battle has cost a side, and how many it has killed."""
    attackers = len(split_units(row.attackers)) - len(split_units(row.att_after))
    defenders = row.defenders_lost or 0
    return (attackers, defenders) if faction == row.attacker else (defenders, attackers)


def summary(row: Battle, faction: str) -> Said:
    """What a battle has cost, in a sentence."""
    lost, killed = losses(row, faction)
    return Said(N_("{battle}: {outcome}; lost {x}, killed {y}."), {
        "battle": row.battle, "outcome": row.outcome, "x": lost, "y": killed})


def deeds(realm: Realm, faction: str) -> list[Deed]:
    """What each player of a faction did on the last day on which somebody acted."""
    game = realm.game
    rows = [row for row in realm.orders if row.faction == faction and row.status == "accepted"]
    read = [read_row(game.orders, game.campaign, row, reads=game.reads) for row in rows]
    acts = [one for one in read if one.verb in PERSONAL]
    last = max((int(one.row.turn) for one in acts), default=0)
    side = realm.factions.get(faction)
    language = side.language if side is not None else "en"
    done = {str(said(one, "player")): (in_names(realm, one, language), str(getattr(one.row, "outcome", "")))
            for one in acts if int(one.row.turn) == last}
    idle = ("libero" if language == "it" else "free", "")
    return [Deed(row.name or row.player, row.species, *done.get(row.player, idle))
            for row in realm.players if row.faction == faction]


def in_hand(realm: Realm, faction: str) -> list[Work]:
    """The works that go on, their structures by number and name."""
    side = realm.factions.get(faction)
    language = side.language if side is not None else "en"
    found = [row.copy() for row in realm.works if row.state == "in_progress"]
    for row in found:
        kind = realm.types.get(row.structure)
        row.structure += f" {kind.called(language)}" if kind is not None else ""
    return found
