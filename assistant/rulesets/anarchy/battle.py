"""Battles: loot, who fights, the dossier for the table, the form of the result (chapters 13.2, 15)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from assistant.campaign.map import direction, is_hex, opposite
from assistant.campaign.records import ALL, REFEREE, FormRow, names_held
from assistant.rulesets.anarchy import BY_CODE, NAMED, VOCABULARY, both, chapter, citation
from assistant.rulesets.anarchy.field import Field
from assistant.rulesets.anarchy.mercenaries import MercenaryNumbers, point_options, share_loot
from assistant.rulesets.anarchy.provisions import hunger_dice
from assistant.rulesets.anarchy.realm import asked, show_ranks
from assistant.rulesets.anarchy.records import LETTER_OF, NEUTRAL, RANKS, Army, Battle, Loss, Place, pounds
from assistant.turn.battle_form import BattleForm, Clubs, Entry, Fault, Filled
from assistant.turn.battle_results import check_form, further_rows
from assistant.turn.chapters import Chapter, EventType, Message, Rules, number, switch
from assistant.turn.event_types import REFEREE_COPY, DossierLine, Said, dossier_line, read_dossier
from assistant.turn.game import Game
from assistant.turn.orders.words import fold
from assistant.turn.questions import Amount, Ask, Option, Waiting

# Loot (13.2).


LOOTING_EVENTS = (
    EventType("looted",
              both("{place:the} is sacked: loot of {n} {n?point|points}.",
                   "{place:il} è saccheggiat{place?o|a|i|e}: {n} {n?punto|punti} di bottino."), "battles", 2, to=ALL,
              theme="place"),
)

LOOTING_QUESTIONS = (
    asked("loot",
          both("How many of the {n} {n?point|points} of {place:the} does {unit:the} loot?",
               "Quanti dei {n} {n?punto|punti} {place:di} saccheggia {unit}?"), answer=Amount(entire="all")),
)

LOOTING_CHAPTER = chapter(both("13.2 Looting", "13.2 Saccheggio"), 10, events=LOOTING_EVENTS,
                          questions=LOOTING_QUESTIONS)
LOOTING_REASON = {"castle": "castle looted", "monastic": "monastery looted", "village": "village looted"}
"""Kind of place -> why looting it changes prestige."""


def loot(f: Field, army: Army, place: Place, wanted: int | None = None) -> list[Army]:
    """Take resources, share them, sell the rest. Returns the companies that revolt."""
    # read now: shares are judged by the prestige before this looting costs some
    leader, prestige, most = f.commander(army), f.prestige(army), place.resources
    if wanted is None:
        asked = f.question("loot", army.faction, f"{army.army}/{place.place}", point_options(most), str(most),
                           Amount(0, most, "all"), unit=army.army, place=place.place, n=most)
        wanted = f.game.amount(asked) if most and f.side(army.faction) != NEUTRAL else 0
    taken = max(0, min(wanted, most))
    if not taken:
        return []
    place.resources -= taken
    faction = f.factions[army.faction]
    faction.looted += taken
    f.tell("looted", place=place.place, n=taken, group=army.army)
    rebels, left = share_loot(f, army, taken, prestige)
    value = 2 * MercenaryNumbers.of(f).loot_value * left
    army.money += value
    if value:
        f.tell("purse", rule="13.2", group=army.army, n=pounds(value), x=place.place, way="loot")
    kind = "castle" if place.castle else "monastic" if f.monastic(place) else "village"
    f.change_prestige(leader, f.rules[f"prestige_loot_{kind}"], LOOTING_REASON[kind])
    return rebels


class BattleNumbers(Rules):
    """How large the table is, and how long a battle lasts."""

    maps_2_from: int = number(31, both("characters", "personaggi"), both(
        "From {n} {n?character|characters} on a battle has two tactical maps.",
        "Da {n} {n?personaggio|personaggi} in su una battaglia ha due mappe tattiche."), minimum=2)
    maps_4_from: int = number(61, both("characters", "personaggi"), both(
        "From {n} {n?character|characters} on a battle has four tactical maps.",
        "Da {n} {n?personaggio|personaggi} in su una battaglia ha quattro mappe tattiche."), minimum=3)
    battle_turns: int = number(12, both("tactical turns", "turni tattici"), both(
        "The longest battle has {n} tactical {n?turn|turns}.",
        "La battaglia più lunga dura {n} {n?turno tattico|turni tattici}."), minimum=1, source="15.6", usual=True)


EVENTS = (
    EventType("joined", both("{x:the} {x?joins|join} the battle.",
                             "{x:il} {x?si aggiunge|si aggiungono} alla battaglia."),
              "battles", 2, "15.3", means=NAMED, to=ALL),
    EventType("battle_opened",
              both("{b}: {sides}; {n} {n?character|characters}, {m} {m?map|maps}.",
                   "{b}: {sides}; {n} {n?personaggio|personaggi}, {m} {m?mappa|mappe}."), "battles", 1,
              variants=("part",
                        {"fact": both("Battle {b} is fought {hex:at}.", "La battaglia {b} si combatte {hex:dove}."),
                         "people": both("{b}: {armies:the} against the people of {place:the}; {n} "
                                        "{n?character|characters}, {m} {m?map|maps}.",
                                        "{b}: {armies:il} contro la gente {place:di}; {n} {n?personaggio|personaggi}, "
                                        "{m} {m?mappa|mappe}.")}), means=BY_CODE, unless=("battle_result",), to=ALL),
)

FINDINGS = (
    Message("ANA-801", "error", both("Battle {b} lacks {column}.", "Alla battaglia {b} manca {column}.")),
    Message("ANA-802", "error",
            both("{b}: {unit:the} had {have} {rank}, lost {n}.", "{b}: {unit} aveva {have} {rank}, perdite {n}.")),
    Message("ANA-803", "error",
            both("{b}: {outcome} after {turns} {turns?turn|turns} is not possible.",
                 "{b}: {outcome} dopo {turns} {turns?turno|turni} non è possibile.")),
    Message("ANA-804", "error",
            both("{b}: {n} of {unit:the} {n?is|are} not accounted for.",
                 "{b}: {unit:di} {n?manca|mancano} {n} all'appello.")),
    Message("ANA-805", "error",
            both("{b}: only the beaten side leaves prisoners.", "{b}: solo gli sconfitti lasciano prigionieri.")),
    Message("ANA-806", "error", both("{b}: {x:the} did not fight there.", "{b}: {x} non vi ha combattuto."),
            ("how",
             {"elsewhere": both("{b}: {x:the} did not fight with {unit:the}.",
                                "{b}: {x} non ha combattuto con {unit}.")})),
    Message("ANA-807", "warning",
            both("{b} is not fought any more; its result is kept aside.",
                 "{b:il} non si combatte più; il risultato resta da parte.")),
    Message("ANA-808", "info",
            both("{b}: {n} {n?survivor|survivors} of {unit:the} {n?becomes a prisoner|become prisoners}.",
                 "{b}: {n} {n?superstite|superstiti} {unit:di} {n?è fatto prigioniero|sono fatti prigionieri}.")),
    Message("ANA-915", "error",
            both("{n} {n?fighter|fighters}: the table starts at 3.",
                 "{n} {n?combattente|combattenti}: la tabella parte da 3.")),
)

QUESTIONS = (
    asked("join",
          both("{unit:the} may join {battle} {hex:at}: yes or no?",
               "{unit:il} {unit?può aggiungersi|possono aggiungersi} a {battle} {hex:dove}: sì o no?"),
          stands=Option(("yes", "no")), means=BY_CODE),
    asked("battle",
          both("{battle} {hex:at}: {attackers} against {defenders}. Type the result and answer entered, or auto for "
               "the umpire's dice.",
               "{battle} {hex:dove}: {attackers} contro {defenders}. Scrivi il risultato e rispondi inserito, oppure "
               "rispondi dadi per i dadi dell'arbitro."), means=BY_CODE),
)

both.words({
    "village looted": "villaggio saccheggiato", "monastery looted": "monastero saccheggiato",
    "castle looted": "castello saccheggiato", "engineers": "ingegneri", "join": "aggiunta", "battle": "battaglia",
    "looted": "bottino",
})

CHAPTER = Chapter(both("15 Battle", "15 Combattimento"),
                  (citation(both("15.1 Size and sides of the table",
                                 "15.1 Corrispondenza tra la mappa di campagna e le mappe tattiche"), 11),
                   citation("15 Battle", 11),
                   citation(both("15.3 Who takes part", "15.3 Numero di gruppi che prendono parte alla battaglia"),
                            12)), BattleNumbers, EVENTS, FINDINGS, QUESTIONS)


# 14.6 says only that the levy depends on resources; the figures are ours
LEVY = ((0, 0, 0), (2, 0, 0), (3, 0, 0), (3, 1, 0), (4, 1, 0), (4, 2, 0), (5, 2, 0), (5, 2, 1), (6, 3, 1), (6, 3, 2),
        (7, 4, 2))
"""Levy of a village or town by resources: P, L, S (14.6)."""


# Who fights on which side, who joins, how many maps (15.1 to 15.3; rulebook: 15 Battle).


ATTACKERS, DEFENDERS = "attackers", "defenders"
SIDES = (ATTACKERS, DEFENDERS)
WINNER = {"attacker": ATTACKERS, "defender": DEFENDERS}
"""Outcome -> winning side; a draw has none."""


def other_side(side: str) -> str:
    """The opposing side of a battle."""
    return DEFENDERS if side == ATTACKERS else ATTACKERS


@dataclass(eq=False, repr=False)
class Fight:
    """A battle to be fought. `groups`: those that follow no other; their mercenaries come with them; `where`: the
    place that is fought for, or whose garrison sallies.
    """

    ident: str
    kind: str
    node: str
    mover: str
    groups: dict[str, list[Army]]
    where: Place | None = None
    joined: set[str] = field(default_factory=set)
    """Groups that joined; those from neighbouring hexes are still there."""
    units: dict[str, list[Army]] = field(default_factory=dict)
    """All groups and companies of a side, as they were when the battle began."""
    castles: dict[str, Place] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.where is not None and self.where.castle:
            self.castles[ATTACKERS if self.kind == "sally" else DEFENDERS] = self.where

    @property
    def place(self) -> str:
        """The code of the place, "" for none."""
        return self.where.place if self.where is not None else ""

    @property
    def levy(self) -> Place | None:
        """The village or monastery whose levy fights."""
        return None if self.where is None or self.where.castle else self.where

    @property
    def moving(self) -> str:
        """The side of the mover; the attackers if it is in neither."""
        return DEFENDERS if any(a.army == self.mover for a in self.units[DEFENDERS]) else ATTACKERS

    def everybody(self) -> list[Army]:
        """All groups and companies in the battle."""
        return [*self.units[ATTACKERS], *self.units[DEFENDERS]]

    def bodies(self, side: str) -> list[Army | Place]:
        """All groups and companies of a side, and its castle."""
        return [*self.units[side], *([self.castles[side]] if side in self.castles else [])]

    def side_of(self, f: Field, side: str) -> str:
        """Royal, angevin or neutral."""
        for army in self.groups[side]:
            return f.side(army.faction)
        if side in self.castles:
            return self.castles[side].holder or NEUTRAL
        return f.band(self.levy.loyalty) if self.levy is not None else NEUTRAL

    def levy_men(self, f: Field) -> dict[str, int]:
        """The levy of the village by rank; nothing where there is none."""
        return levy_of(f, self.levy) if self.levy is not None else {}

    def characters(self, f: Field) -> int:
        """Men and nobles of both sides."""
        places = [*self.castles.values(), *([self.levy] if self.levy is not None else [])]
        people = sum(unit.men + len(f.nobles_of(unit)) for side in SIDES for unit in self.bodies(side))
        return people + sum(len(f.patients(p)) for p in places) + sum(self.levy_men(f).values())


def levy_of(realm: Field, place: Place) -> dict[str, int]:
    """The levy of a village or monastery, by its resources (14.6)."""
    peasants, light, foot = LEVY[max(0, min(10, place.resources))]
    if realm.monastic(place):
        peasants, light, foot = max(peasants // 2, int(place.resources >= 1)), light // 2, 0
    return {rank: n for rank, n in (("peasants", peasants), ("light", light), ("foot", foot)) if n}


def maps_needed(f: Field, characters: int) -> int:
    """Tactical maps by the number of characters (15.1)."""
    rules = BattleNumbers.of(f)
    return 4 if characters >= rules.maps_4_from else 2 if characters >= rules.maps_2_from else 1


# --- who joins ------------------------------------------------------------------------------------
def gather_fight(f: Field, kind: str, mover: Army | Place, attackers: list[Army], defenders: list[Army],
                 where: Place | None = None) -> Fight:
    """Number a battle and, unless it is a revolt, ask who joins it. Everybody in it is spent.

    Raises `Waiting` if its number depends on answers that other units wait for.
    """
    if f.numbers_unsure:
        raise Waiting([])
    fight = Fight(f"B{f.day}-{len(f.fought) + 1}", kind, mover.node, mover.ident,
                  {ATTACKERS: attackers, DEFENDERS: defenders}, where)
    f.fought.append(fight.ident)
    if kind != "revolt":
        _ask_joiners(f, fight)
    for side in SIDES:
        fight.units[side] = [unit for army in fight.groups[side] for unit in f.stack(army)]
        f.spend(*fight.groups[side])
    f.spent |= {castle.place for castle in fight.castles.values()}  # a garrison fights once a day, as groups do
    return fight


def _ask_joiners(f: Field, fight: Fight) -> None:
    """Ask groups on the hex and next to it, and garrisons on it, at once whether they join (15.3)."""
    asked: list[tuple[str, Army | Place, Ask]] = []
    joining: list[tuple[str, Army | Place]] = []
    for side in SIDES:
        for unit in _possible_joiners(f, fight, side):
            # a garrison has no standing choice
            if isinstance(unit, Place) or unit.joins == "ask":
                asked.append((side, unit, f.question(
                    "join", f.speaker(unit), f"{unit.ident}/{fight.ident}", ("yes", "no"), "no", unit=unit.ident,
                    battle=fight.ident, hex=fight.node)))
            elif unit.joins == "yes":
                joining.append((side, unit))
    answers = f.game.choose_all([question for _, _, question in asked])
    joining += [(side, unit) for (side, unit, _), text in zip(asked, answers, strict=True) if text == "yes"]
    for side, unit in joining:
        if isinstance(unit, Place):
            fight.castles[side] = unit
        else:
            fight.groups[side].append(unit)
            fight.joined.add(unit.army)
        f.tell("joined", x=unit.ident, battle=fight.ident, side=fight.side_of(f, side))


def _possible_joiners(f: Field, fight: Fight, side: str) -> list[Army | Place]:
    """Groups of a side that could join, in the order of march, and its castle."""
    banner = fight.side_of(f, side)
    if banner == NEUTRAL:
        return []
    taking_part = {a.army for groups in fight.groups.values() for a in groups}
    near = {fight.node, *f.hexes.neighbours(fight.node)}
    groups = f.marching(
        a for a in f.active() if a.node in near and f.side(a.faction) == banner and a.army not in taking_part
        and a.army not in f.spent and not f.is_attached(a) and not f.limit_of(a) and not f.safe(a)
        and not (f.is_shut_in(a) and a.node != fight.node))
    castle = f.castle_at(fight.node, banner)
    if castle is None or not castle.garrison or castle.place == fight.place or side in fight.castles:
        return [*groups]
    return [*groups, castle]


# --- the row of the sheet ---------------------------------------------------------------------------
def open_battle_row(f: Field, fight: Fight) -> Battle:
    """Open the battle's row, keeping what is filled in; the battle is public, only its sides learn who is in it."""
    row = f.battles.get(fight.ident) or f.battles.add(Battle(battle=fight.ident))
    row.turn, row.node, row.kind, row.place, row.status = f.game.turn, fight.node, fight.kind, fight.place, "open"
    for side in SIDES:
        setattr(row, side, " ".join(unit.ident for unit in fight.bodies(side) if unit.ident != fight.place))
    n = fight.characters(f)
    fighting = fighting_factions(f, fight)
    people = {"part": "people", "place": fight.place, "armies": row.attackers} if not row.defenders else {}
    f.tell("battle_opened", b=fight.ident, hex=fight.node, part="fact", factions=fighting)
    f.tell("battle_opened", fighting, b=fight.ident, hex=fight.node,
           sides=f"{row.attackers or fight.place} / {row.defenders or fight.place}", n=n, m=maps_needed(f, n),
           factions=fighting, **people)
    return row


def fighting_factions(f: Field, fight: Fight) -> list[str] | str:
    """The factions that fight."""
    return f.both(*(fight.side_of(f, s) for s in SIDES)) or REFEREE


# Dossiers for the table.


class DeploymentNumbers(Rules):
    """Who deploys as the attacker."""

    attacker_def: Literal["entered", "aggressor"] = switch(
        both("When deploying the attacker is {option}.", "Nello schieramento l'attaccante è {option}."),
        both("who entered the hex", "chi è entrato nell'esagono"),
        both("who struck first", "chi ha attaccato per primo"), source="15.4")


# 15.1 prints the rows N and NW; the others follow by symmetry
ENTRY: Mapping[str, tuple[str, str, str]] = {
    "N": ("top", "top of the upper map", "top of the upper left map"),
    "NE": ("top", "right of the upper map", "top of the upper right map"),
    "SE": ("right", "right of the lower map", "right of the upper right and lower right maps"),
    "S": ("bottom", "bottom of the lower map", "bottom of the lower right map"),
    "SW": ("bottom", "left of the lower map", "bottom of the lower left map"),
    "NW": ("left", "left of the upper map", "left of the upper left and lower left maps"),
}
"""Where a group enters by the direction it came from, on one, two and four maps (15.1)."""
MAPS: Mapping[str, tuple[str, ...]] = {
    "open": ("La Prairie", "Le Chemin des Croisés", "La Croisée des Chemins", "La Plaine"),
    "forest": ("Le Bois", "La Forêt"),
    "hill": ("Le Fossé", "Le Tertre", "La Colline"),
    "marsh": ("Le Lagon", "Le Fossé"),
    "river": ("La Rivière", "Le Pont de Bois", "Le Lagon", "Le Ruisseau", "Le Moulin", "Le Gué"),
    "coast": ("La Plage", "La Crique", "La Tour de Gué", "L'Abbaye"),
    "village": ("Le Hameau", "Le Prieuré", "Le Village"),
    "castle_motte": ("La Motte Castrale",),
    "castle_stone": ("Le Château Normand",),
    "castle_tower": ("Le Nid d'Aigle",),
    "counter_castle": ("La Motte Castrale", "Le Nid d'Aigle"),
}
"""Tactical maps by what stands in the hex (15.2, 5.3)."""
both.words({
    "bottom": "basso",
    "bottom of the lower left map": "basso della mappa in basso a sinistra",
    "bottom of the lower map": "basso della mappa inferiore",
    "bottom of the lower right map": "basso della mappa in basso a destra",
    "left of the lower map": "sinistra della mappa inferiore",
    "left of the upper left and lower left maps": "sinistra delle mappe in alto e in basso a sinistra",
    "left of the upper map": "sinistra della mappa superiore", "right": "destra",
    "right of the lower map": "destra della mappa inferiore", "right of the upper map": "destra della mappa superiore",
    "right of the upper right and lower right maps": "destra delle mappe in alto e in basso a destra", "top": "alto",
    "top of the upper left map": "alto della mappa in alto a sinistra",
    "top of the upper map": "alto della mappa superiore",
    "top of the upper right map": "alto della mappa in alto a destra",
})


MAPS_BY_SIZE = "{n} characters: {m} map(s), at least one of: {maps}"
HOW_IT_ENDS = "At most {n} turns. It ends when a side is eliminated, flees, surrenders, or when time is up."
KEPT_SENTENCES = {
    MAPS_BY_SIZE: both("{n} {n?character|characters}: {m} {m?map|maps}, at least one of: {maps}",
                       "{n} {n?personaggio|personaggi}: {m} {m?mappa|mappe}, almeno una tra: {maps}"),
    HOW_IT_ENDS: both("At most {n} {n?turn|turns}. It ends when a side is eliminated, flees, surrenders, or when time "
                      "is up.",
                      "Al massimo {n} {n?turno|turni}. Finisce quando una parte è eliminata, fugge, si arrende, o allo "
                      "scadere del tempo."),
}
"""Sentences as workbooks keep them, unchanged so that old campaigns replay to the same row -> as they are shown."""


def kept_dossier(row: Battle, side: str) -> list[Said]:
    """A side's dossier of a battle as it was when the phase stopped; "" for the referee's, with both sides."""
    return read_dossier((row.papers or {}).get(side or REFEREE_COPY), KEPT_SENTENCES)


def make_papers(f: Field, fight: Fight) -> dict[str, list[DossierLine]]:
    """The dossiers by side (`royal`, `angevin`) and for the referee."""
    maps = maps_needed(f, fight.characters(f))
    common, enters = _common_lines(f, fight, maps), _entry_sides(fight, maps)
    own = {side: _own_lines(f, fight, side, enters) for side in SIDES}
    papers = {REFEREE_COPY: [*common, *own[SIDES[0]], *own[SIDES[1]]]}
    for side in SIDES:
        banner = fight.side_of(f, side)
        if banner != NEUTRAL:
            papers[banner] = [*common, *own[side], *_enemy_lines(fight, other_side(side), enters)]
    return papers


HEX_AND_DAY = both("{hex}: {terrain}, day {day}", "{hex}: {terrain}, giorno {day}")
WHERE = both("Where", "Dove")
TACTICAL_MAPS = both("Maps", "Mappe")
WHO_CHOOSES_MAPS = both("{side} is not moving and chooses the first map, then in turn; north is agreed or drawn.",
                        "{side:il} non si {side?muove e sceglie|muovono e scelgono} la prima mappa, poi a turno; il "
                        "nord si concorda o si sorteggia.")
WHO_DEPLOYS_FIRST = both("{side} counts as the attacker, deploys first or second as it chooses, and starts or lets "
                         "start.",
                         "{side:il} {side?conta come attaccante, schiera|contano come attaccanti, schierano} {side?per "
                         "primo o per secondo|per prima o per seconda|per primi o per secondi|per prime o per seconde} "
                         "a scelta, e {side?comincia o lascia|cominciano o lasciano} cominciare.")
DEPLOYMENT = both("Deployment", "Schieramento")
END = both("End", "Fine")
LEVY_AND_MEN = both("Levy of {place}: {men}", "Leva {place:di}: {men}")
THE_LEVY = both("Levy", "Leva")


def _common_lines(f: Field, fight: Fight, maps: int) -> list[DossierLine]:
    # else who struck first deploys as attacker
    entered = DeploymentNumbers.of(f).attacker_def != "aggressor" and fight.kind == "field"
    deploying = fight.moving if entered else ATTACKERS
    lines = [
        dossier_line(HEX_AND_DAY, WHERE, hex=fight.node, terrain=" ".join(f.hexes.terrains(fight.node)), day=f.day),
        dossier_line(MAPS_BY_SIZE, TACTICAL_MAPS, n=fight.characters(f), m=maps,
                     maps=", ".join(_allowed_maps(f, fight))),
        dossier_line(WHO_CHOOSES_MAPS, TACTICAL_MAPS, side=fight.side_of(f, other_side(fight.moving))),
        dossier_line(WHO_DEPLOYS_FIRST, DEPLOYMENT, side=fight.side_of(f, deploying)),
        dossier_line(HOW_IT_ENDS, END, n=BattleNumbers.of(f).battle_turns),
    ]
    if fight.levy is not None:
        lines.append(dossier_line(LEVY_AND_MEN, THE_LEVY, place=fight.place, men=show_ranks(fight.levy_men(f)) or "-"))
    return lines


def _allowed_maps(f: Field, fight: Fight) -> list[str]:
    """The tactical maps that the hex allows (15.2)."""
    place = f.places.get(fight.place)
    if place is not None:
        return list(MAPS[place.kind if place.castle else "village"])
    kinds = [*f.hexes.terrains(fight.node), *("village" for p in f.places_at(fight.node) if not p.castle)]
    return list(dict.fromkeys(name for kind in kinds for name in MAPS.get(kind, ())))


def _entry_sides(fight: Fight, maps: int) -> dict[str, str]:
    """Where each group enters: from where it came, or opposite to where the enemy came from (15.1)."""
    column = {1: 0, 2: 1, 4: 2}[maps]
    came = {}
    for army in (army for side in SIDES for army in fight.groups[side]):  # "" for one that never marched
        start = army.node if army.node != fight.node else army.came_from  # who joins comes from where it stands
        came[army.army] = direction(fight.node, start) if is_hex(start) and is_hex(fight.node) else ""
    sides = {}
    for side in SIDES:
        foe = next((came[a.army] for a in fight.groups[other_side(side)] if came[a.army]), "")
        for army in fight.units[side]:
            towards = came[army.army if army.army in came else army.employer]
            sides[army.army] = ENTRY[towards or (opposite(foe) if foe else "S")][column]
    return sides


GARRISON_AND_NOBLES = both("{place}: {men}, nobles {nobles}", "{place}: {men}, nobili {nobles}")
GARRISON = both("Garrison", "Guarnigione")


def _own_lines(f: Field, fight: Fight, side: str, enters: Mapping[str, str]) -> list[DossierLine]:
    lines = [line for army in fight.units[side] for line in _group_lines(f, army, enters[army.army])]
    castle = fight.castles.get(side)
    if castle is not None:
        lines.append(dossier_line(GARRISON_AND_NOBLES, GARRISON, place=castle.place,
                                  men=show_ranks(castle.ranks) or "-", nobles=_nobles_text(f.in_garrison(castle))))
    return lines


def _nobles_text(nobles: Any) -> str:
    return ", ".join(f"{n.noble} {n.prestige}" for n in nobles) or "-"


GROUPS = both("Groups", "Gruppi")
OWN_GROUP = both("{unit}: {men}, hurt {hurt}, nobles with their prestige {nobles}; enters at: {entry}",
                 "{unit}: {men}, feriti {hurt}, nobili con il loro prestigio {nobles}; entra da: {entry}")
STARVING_GROUP = both("{unit} starves: +{n} on die rolls, half movement.",
                      "{unit:il} {unit?è|sono} allo stremo per la fame: +{n} ai tiri di dado, metà movimento.")
UNARMED_GROUP = both("{unit} has no arms.", "{unit:il} non {unit?ha|hanno} armi.")
CAPTIVES_LED = both("{unit} leads captives {men}: defence 1 and unarmed; a friend beside one for a full turn frees "
                    "him, a full turn beside a dead or stunned man arms him.",
                    "{unit:il} conduce i prigionieri {men}: difesa 1 e disarmati; un amico accanto per un turno intero "
                    "ne libera uno, un turno intero accanto a un morto o stordito lo arma.")
ENGINES_LED = both(
    "{unit} has {rams} rams, {galleries} galleries, {towers} towers, {mangonels} mangonels, {engineers} engineers.",
    "{unit:il} ha {rams} arieti, {galleries} gallerie, {towers} torri, {mangonels} mangani, {engineers} ingegneri.")


def _group_lines(f: Field, army: Army, entry: str) -> list[DossierLine]:
    label, unit = GROUPS, army.army
    hurt = show_ranks({rank: len(f.wounded_here(army, rank)) for rank in RANKS})
    lines = [dossier_line(OWN_GROUP, label, unit=unit, men=show_ranks(army.ranks) or "-", hurt=hurt or "-",
                          nobles=_nobles_text(f.with_them(army)), entry=entry)]
    if army.starving:  # what it adds to its dice on the table (8.4)
        lines.append(dossier_line(STARVING_GROUP, label, unit=unit, n=hunger_dice(f, army)))
    if army.unarmed:
        lines.append(dossier_line(UNARMED_GROUP, label, unit=unit))
    for record in f.led_captives(army):
        lines.append(dossier_line(CAPTIVES_LED, label, unit=unit, men=show_ranks(record.ranks) or "-"))
    for train in f.led_trains(army):
        lines.append(dossier_line(ENGINES_LED, label, unit=unit, rams=train.rams, galleries=train.galleries,
                                  towers=train.towers, mangonels=train.mangonels, engineers=train.engineers))
    return lines


ENEMY_GROUP_SEEN = both("{unit}: {men}; enters at: {entry}", "{unit}: {men}; entra da: {entry}")
ENEMY_GROUP = both("{unit} enters at: {entry}", "{unit:il} {unit?entra|entrano} da: {entry}")
THE_ENEMY = both("The enemy", "Il nemico")
ENEMY_GARRISON = both("{place}: {men}", "{place}: {men}")


def _enemy_lines(fight: Fight, side: str, enters: Mapping[str, str]) -> list[DossierLine]:
    """What a side knows of the other: groups on the hex in full, of joiners only names and entry sides."""
    lines: list[DossierLine] = []
    leaders = {a.army: a for a in fight.groups[side]}
    for army in fight.units[side]:
        here = (leaders.get(army.army) or leaders[army.employer]).node == fight.node
        lines.append(dossier_line(ENEMY_GROUP_SEEN if here else
                                  ENEMY_GROUP, THE_ENEMY, unit=army.army,
                                  men=show_ranks(army.ranks) or "-" if here else "", entry=enters[army.army]))
    castle = fight.castles.get(side)
    if castle is not None:
        lines.append(dossier_line(ENEMY_GARRISON, THE_ENEMY, place=castle.place, men=show_ranks(castle.ranks) or "-"))
    return lines


# The form of a battle's result: columns of Battles and rows of Losses (rulebook: 15 Battle).


HITS = ("killed", "wounded", "captured")
HitCounts = defaultdict[tuple[str, str], Counter[str]]
"""Losses by unit and rank (for siege trains engineers or peasants): how many were killed, wounded, captured."""


@dataclass(eq=False, repr=False)
class BattleResult:
    """The result of a battle. `nobles`: id -> killed, wounded or captured; `crews`: losses of siege trains."""

    outcome: str
    how: str
    turns: int = 0
    hits: HitCounts = field(default_factory=lambda: defaultdict(Counter))
    nobles: dict[str, str] = field(default_factory=dict)
    freed: int = 0
    auto: bool = False
    crews: HitCounts = field(default_factory=lambda: defaultdict(Counter))

    @property
    def winner(self) -> str:
        """The winning side of the battle, "" for a draw."""
        return WINNER.get(self.outcome, "")

    @property
    def loser(self) -> str:
        """The beaten side, "" for a draw."""
        return other_side(self.winner) if self.winner else ""


class ResultForm:
    """A battle while its form is read; the checks fill `result`."""

    def __init__(self, f: Field, fight: Fight) -> None:
        self.f, self.fight = f, fight
        self.result = BattleResult("", "")
        self.levy: HitCounts = defaultdict(Counter)
        """Losses of the levy: checked like all others, without consequences, for the survivors go home."""
        bodies = [(side, unit) for side in SIDES for unit in fight.bodies(side)]
        self.units = {unit.ident: (side, unit) for side, unit in bodies}
        self.trains = {t.train: t for a in fight.everybody() for t in f.led_trains(a)}
        self.nobles = {n.noble: side for side, unit in bodies for n in f.nobles_of(unit)}
        self.strength = {(loss.unit, loss.rank): n for loss, n in self.fighters() if not loss.noble}
        known: list[Any] = [*(unit for _, unit in bodies), *self.trains.values(), *map(f.nobles.get, self.nobles)]
        named = {fold(name): row.ident for row in known for name in names_held(row)}
        self.codes = named | {fold(row.ident): row.ident for row in known}

    def _with_codes(self, loss: Loss) -> Loss:
        """A copy of a row with the codes of its unit and noble, which may be typed in any case or by name."""
        row: Loss = loss.copy()
        row.unit, row.noble = (self.codes.get(fold(word), word) for word in (loss.unit, loss.noble))
        return row

    def side_of(self, loss: FormRow) -> str:
        """The side that reports a row of losses: its unit's or noble's; "" if neither is known."""
        assert isinstance(loss, Loss)
        loss = self._with_codes(loss)
        train = self.trains.get(loss.unit)
        unit = train.escort if train is not None else loss.unit
        known = DEFENDERS if self.is_levy(unit) else self.units[unit][0] if unit in self.units else ""
        return self.nobles.get(loss.noble, known)

    def clubs(self) -> Clubs:
        """Who may report for each side."""
        return {side: self.f.clubs(self.fight.side_of(self.f, side)) for side in SIDES}

    def fighters(self) -> Iterator[tuple[Loss, Any]]:
        """A row for each rank of a unit, each noble with it and each siege train's people, with how many there are."""
        battle, f = self.fight.ident, self.f
        for _, unit in self.units.values():
            yield from ((Loss(battle=battle, unit=unit.ident, rank=rank), n) for rank in RANKS
                        if (n := unit.count(rank)))
            yield from ((Loss(battle=battle, unit=unit.ident, noble=noble.noble), "") for noble in f.nobles_of(unit))
        for train in self.trains.values():
            people = (("", train.engineers), ("peasants", train.peasants))
            yield from ((Loss(battle=battle, unit=train.train, rank=rank), n) for rank, n in people if n)
        if self.fight.levy is not None:
            yield from ((Loss(battle=battle, unit=self.fight.levy.place, rank=rank), n)
                        for rank, n in self.fight.levy_men(f).items() if n)

    def is_levy(self, unit: str) -> bool:
        """Whether a row means the village's levy: ``levy``, or the village's own code or name."""
        levy = self.fight.levy
        return levy is not None and (unit == "levy" or fold(unit) in map(fold, (levy.place, *names_held(levy))))

    # --- rows of losses -----------------------------------------------------------------------
    def loss(self, key: str, loss: Loss) -> Iterator[Fault]:
        """Count a row in the result. Yields what is wrong with it."""
        if not any(getattr(loss, name) for name in HITS):
            return  # nobody hit: rows are never deleted, so this is how one is withdrawn
        loss = self._with_codes(loss)
        if loss.noble:
            yield from self._noble(key, loss)
        elif self.is_levy(loss.unit) or loss.unit in self.trains or loss.unit in self.units:
            yield from self._men(key, loss)
        else:
            yield self._fault("ANA-806", key, "unit", x=loss.unit)

    def _men(self, key: str, loss: Loss) -> Iterator[Fault]:
        """Count men of a rank; of a siege train only its engineers (no rank) and peasants can be hit, and killed."""
        levy, crew = self.fight.levy if self.is_levy(loss.unit) else None, loss.unit in self.trains
        if loss.rank not in (("", "peasants") if crew else RANKS):
            yield self._fault("ANA-801", key, "rank", column="rank")
            return
        unit = loss.unit if levy is None else levy.place
        hits = self.levy if levy is not None else self.result.crews if crew else self.result.hits
        hit, have = hits[unit, loss.rank], self.strength.get((unit, loss.rank), 0)
        hit.update({fate: getattr(loss, fate) for fate in HITS})
        if hit.total() > have or (crew and (loss.wounded or loss.captured)):
            rank = (loss.rank or "engineers") if crew else LETTER_OF[loss.rank]
            yield self._too_many(key, loss.unit, have, rank, hit.total())
        if not crew:
            yield from self._captive_faults(key, loss)

    def _noble(self, key: str, loss: Loss) -> Iterator[Fault]:
        nobles, side = self.result.nobles, self.nobles.get(loss.noble)
        if side is None:
            yield self._fault("ANA-806", key, "noble", x=loss.noble)
            return
        if loss.unit in self.units and self.units[loss.unit][0] != side:
            yield self._fault("ANA-806", key, "noble", x=loss.noble, unit=loss.unit, how="elsewhere")
            return
        fates = [name for name in HITS if getattr(loss, name)]
        total = loss.killed + loss.wounded + loss.captured
        if total == 1 and loss.noble not in nobles:
            yield from self._captive_faults(key, loss)
        else:
            yield self._too_many(key, loss.noble, 1, "noble", total)
        nobles.setdefault(loss.noble, fates[0])  # a noble listed twice keeps his first fate

    def _captive_faults(self, key: str, loss: Loss) -> Iterator[Fault]:
        """Only the beaten leave captives (ANA-805)."""
        if loss.captured and self.result.outcome and self.side_of(loss) != self.result.loser:
            yield self._fault("ANA-805", key, "captured")

    def _too_many(self, key: str, unit: str, have: int, rank: str, n: int) -> Fault:
        return self._fault("ANA-802", key, "killed", unit=unit, have=have, rank=rank, n=n)

    def _fault(self, code: str, key: str, name: str, **data: Any) -> Fault:
        return Fault(code, name, {"b": self.fight.ident, **data}, key)


# --- the checks of the whole form -------------------------------------------------------------------
def _when_missing(name: str) -> dict[str, Any]:
    return {"told": "ANA-801", "facts": lambda filled: {"b": filled.row.battle, "column": name}}


def _outcome_word(filled: Filled[ResultForm], typed: str) -> str:
    return typed or ("time" if filled.raw_value("outcome") == "draw" else "")


def _check_turns(filled: Filled[ResultForm]) -> Iterator[Fault]:
    """ANA-803: the number of turns fits the outcome."""
    row, turns = filled.row, filled["turns"]
    if turns is None:
        return
    most, drawn = BattleNumbers.of(filled.battle.f).battle_turns, filled.raw_value("outcome") == "draw"
    timed = (filled.raw_value("how") or "time") == "time"
    # a form that is still incomplete does not contradict itself
    whole = bool(filled.raw_value("outcome") and (filled.raw_value("how") or drawn))
    if not 1 <= turns <= most or (whole and (drawn != timed or (timed and turns != most))):
        yield Fault("ANA-803", "turns",
                    {"b": row.battle, "outcome": filled.raw_value("outcome") or "-", "turns": turns})


def _check_freed(filled: Filled[ResultForm]) -> Iterator[Fault]:
    """ANA-802: no more captives are freed on the table than were led into the battle."""
    f, fight, freed = filled.battle.f, filled.battle.fight, filled["prisoners_freed"] or 0
    held = {p.prisoners: f.holds(p) for a in fight.everybody() for p in f.led_captives(a)}
    have = sum(held.values())
    if freed > have:
        yield Fault("ANA-802", "prisoners_freed", {"b": fight.ident, "unit": " ".join(held) or "-", "have": have,
                                                   "rank": "prisoners", "n": freed})


def _check_losses(filled: Filled[ResultForm]) -> Iterator[Fault]:
    """Count the rows of Losses, one after the other, into a new result."""
    filled.battle.result = BattleResult(filled.raw_value("outcome"), filled.raw_value("how") or "time",
                                        filled["turns"] or 0, freed=filled["prisoners_freed"] or 0)
    for key, row in filled.rows:
        assert isinstance(row, Loss)
        yield from filled.battle.loss(key, row)


def _check_survivors(filled: Filled[ResultForm]) -> Iterator[Fault]:
    """If eliminated, nobody may be left (ANA-804); if surrendered, everybody not listed is captured (ANA-808)."""
    f, fight, result = filled.battle.f, filled.battle.fight, filled.battle.result
    code = {"eliminated": "ANA-804", "surrendered": "ANA-808"}.get(result.how, "")
    for unit in fight.bodies(result.loser) if code and result.loser else ():
        gone = sum(hit["killed"] + hit["captured"] for (name, _), hit in result.hits.items() if name == unit.ident)
        lords = [n for n in f.nobles_of(unit) if result.nobles.get(n.noble) not in ("killed", "captured")]
        left = unit.men - gone + len(lords)
        if left > 0:
            yield Fault(code, "how", {"b": fight.ident, "n": left, "unit": unit.ident})


def _form_and_clubs(game: Game, row: Battle) -> tuple[ResultForm, Clubs]:
    f = Field(game)
    fighting = ResultForm(f, _fight_of_row(f, row))
    return fighting, fighting.clubs()


FORM: BattleForm[ResultForm] = BattleForm(
    "battle",
    (Entry("outcome", **_when_missing("outcome"), reads=lambda filled, typed: typed),
     Entry("how", **_when_missing("how"), reads=_outcome_word), Entry("turns", **_when_missing("turns")),
     Entry("prisoners_freed", **_when_missing("prisoners_freed"), blank=0), Entry("note")),
    line=("outcome", "how", "turns"),
    dice=("played", "auto"),
    decisive=("outcome", "how"),
    rows=Loss,
    checks=("outcome", "how", "turns", "prisoners_freed", _check_turns, _check_freed, _check_losses, _check_survivors),
    owner=ResultForm.side_of,
    fighters=ResultForm.fighters,
    confirmed=("entered",),
    seen=_form_and_clubs,
    won="outcome",
    like=VOCABULARY["battle"])


# --- before the phase is resolved -----------------------------------------------------------------
CERTAIN = ("ANA-801", "ANA-803", "ANA-805")
"""Findings that hold whatever happens before the battle; how many men a unit has is known only then."""
STRANGER = "ANA-806"


def judge_forms(f: Field) -> None:
    """Report faults in the forms of open battles that somebody has begun to fill in, as far as they are certain."""
    # within the phase a form is checked when its battle is reached
    if not f.game.dice.shut:
        return
    for row in f.battles:
        if row.status == "open" and row.turn == f.game.turn and row.played != "auto":
            filled = Filled(FORM, ResultForm(f, _fight_of_row(f, row)), row, further_rows(f.game, FORM, row.battle))
            if filled.rows or any(filled.raw_value(entry.name) not in ("", 0) for entry in FORM.entries):
                check_form(f.game, filled)
    f.game.findings = [finding for finding in f.game.findings
                       if finding.code in CERTAIN or (finding.code == STRANGER and finding.where.field == "unit")]


def _fight_of_row(f: Field, row: Battle) -> Fight:
    """The battle that a row of Battles describes."""
    names = {side: getattr(row, side).split() for side in SIDES}
    units = {side: [f.armies[name] for name in names[side] if name in f.armies] for side in SIDES}
    joined = {side: f.places[name] for side in SIDES for name in names[side] if name in f.places}
    return Fight(row.battle, row.kind, row.node, "", units, f.places.get(row.place), units=units, castles=joined)
