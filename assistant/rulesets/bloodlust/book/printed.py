"""The printed tables: what their sheets hold where a campaign brings none of its own (BT, DP, TC, ST, WK)."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.campaign.campaign import Campaign
from assistant.campaign.record import Record
from assistant.rulesets.bloodlust.book.sheets import ArmyType, Attribute, EnvoyRow, TradeRow

STRENGTH = (
    (2, "logistic", "Logistic", "Logistica", "forage +1 success"),
    (3, "courage", "Courage", "Coraggio", "table: +1 morale level when charging or charged"),
    (4, "siege_master", "Siege master", "Maestro d'assedio", "table: his unit REP +1 in a siege"),
    (5, "attack_expert", "Attack expert", "Esperto d'attacco", "table: his unit REP +1 as attacker"),
    (6, "scout", "Scout", "Esploratore", "who attacks +1"),
    (7, "charisma", "Charisma", "Carisma", "zone of command 4 x reputation"),
    (8, "defensive_expert", "Defensive expert", "Esperto di difesa", "table: his unit REP +1 as defender"),
    (9, "movement_advocate", "War movement advocate", "Fautore della manovra", "movement test +1 success"),
    (10, "treasure_hunter", "Treasure hunter", "Cacciatore di tesori", "loot +1 success"),
    (11, "minor_weapon", "Minor weapon", "Arma minore", "new minor weapon, reputation +1"),
    (12, "major_weapon", "Major weapon", "Arma maggiore", "new major weapon"),
    (13, "ambush", "Ambush", "Imboscata", "ambush +1 success"),
    (14, "foes_foe", "Friendly with foe's foe", "Amico dei nemici del nemico",
     "table: 2d6 test at the start; if passed a local noble of the enemy sends one more unit, thrown on "
     "the enemy troop table, which fights on his side in this battle only"),
    (15, "hammer_anvil", "Hammer and anvil adept", "Incudine e martello",
     "table: reinforcements may come on the flank"),
    (16, "favored", "Favored by the king", "Favorito del re", "table: his unit +1 armour"),
    (17, "ever_ready", "Ever ready", "Sempre pronto", "enemy ambush -1 success"),
    (18, "lucky", "Lucky", "Fortunato", "fate +1 success; a captain gets larger_than_life instead"),
)
"""3d6: code, names, effect."""
WEAKNESS = (
    (2, "temerity", "Temerity", "Temerario",
     "retreat -1 success; table: 2d6 test each turn; failed, he attacks the unit in front of him"),
    (3, "fighting_for_reputation", "Fighting for reputation", "In cerca di fama",
     "table: attacks only enemy commanders"),
    (4, "greedy", "Greedy", "Avido", "loot 0: all units of his side -1 morale for a season"),
    (5, "poor_charisma", "Poor charisma", "Poco carisma", "zone of command 2 x reputation"),
    (6, "lazy_attacker", "Lazy attacker", "Attaccante pigro", "table: his unit REP -1 as attacker"),
    (7, "undecided", "Undecided", "Indeciso",
     "table: 2d6 test each turn; failed, 1d6: 1-2 attack, 3 move left, 4 move right, 5-6 backward"),
    (8, "heavy_drinker", "Heavy drinker", "Gran bevitore",
     "table: 2d6 test at the start; failed, his unit -1 morale for the battle"),
    (9, "gut_feeling", "Gut feeling", "Istinto",
     "table, only if he leads the army: 2d6 test at the start; failed, 1d6: 1-4 defender stance, 5-6 "
     "attacker stance"),
    (10, "coward", "Coward", "Codardo",
     "retreat +1 success; table: 2d6 test each turn once half his army is routed or destroyed; one "
     "success, his unit REP -1; none, his unit is routed"),
    (11, "unremarkable", "Unremarkable", "Anonimo", "zone of command -2 inches"),
    (12, "never_ready", "Never ready", "Mai pronto", "enemy ambush +1 success"),
)
"""2d6: code, names, effect."""
EFFECTS_IT: Mapping[str, str] = {
    "logistic": "foraggiamento +1 successo",
    "courage": "al tavolo: morale della sua unità +1 livello quando carica o è caricata",
    "siege_master": "al tavolo: REP della sua unità +1 in un assedio",
    "attack_expert": "al tavolo: REP della sua unità +1 da attaccante",
    "scout": "chi attacca +1",
    "charisma": "zona di comando 4 x reputazione",
    "defensive_expert": "al tavolo: REP della sua unità +1 da difensore",
    "movement_advocate": "prova di movimento +1 successo",
    "treasure_hunter": "saccheggio +1 successo",
    "minor_weapon": "nuova arma minore, reputazione +1",
    "major_weapon": "nuova arma maggiore",
    "ambush": "imboscata +1 successo",
    "foes_foe": "al tavolo: prova di 2d6 all'inizio; se riesce, un nobile locale del nemico manda un'unità in più, "
        "tirata sulla tabella truppe del nemico, che combatte con lui solo in questa battaglia",
    "hammer_anvil": "al tavolo: i rinforzi possono arrivare sul fianco",
    "favored": "al tavolo: armatura della sua unità +1",
    "ever_ready": "imboscata del nemico -1 successo",
    "lucky": "destino +1 successo; un capitano riceve invece Più grande della vita",
    "temerity": "ritirata -1 successo; al tavolo: prova di 2d6 ogni turno; se fallisce, attacca l'unità davanti a lui",
    "fighting_for_reputation": "al tavolo: attacca solo comandanti nemici",
    "greedy": "saccheggio 0: tutte le unità della sua parte -1 morale per una stagione",
    "poor_charisma": "zona di comando 2 x reputazione",
    "lazy_attacker": "al tavolo: REP della sua unità -1 da attaccante",
    "undecided": "al tavolo: prova di 2d6 ogni turno; se fallisce, 1d6: 1-2 attacca, 3 va a sinistra, 4 a destra, 5-6 "
        "indietro",
    "heavy_drinker": "al tavolo: prova di 2d6 all'inizio; se fallisce, la sua unità -1 morale per la battaglia",
    "gut_feeling": "al tavolo, solo se guida l'armata: prova di 2d6 all'inizio; se fallisce, 1d6: 1-4 si tiene in "
        "difesa, 5-6 in attacco",
    "coward": "ritirata +1 successo; al tavolo: prova di 2d6 ogni turno da quando metà dell'armata è in rotta o "
        "distrutta; con un successo REP della sua unità -1, con nessuno la sua unità è in rotta",
    "unremarkable": "zona di comando -2 pollici",
    "never_ready": "imboscata del nemico +1 successo",
}
"""The effects as an Italian workbook tells them."""
ENVOYS = (
    ("target_conquest", -1, 1, 0, 0),
    ("self_conquest", 1, 0, 1, 1),
    ("target_colonizing", -1, 0, 0, 0),
    ("self_colonizing", 1, -1, 1, 0),
    ("target_loot", -1, 2, 0, 0),
    ("self_loot", 1, 0, 1, -1),
    ("target_at_war", 1, 0, 1, 0),
    ("self_at_war", -1, -1, 1, -1),
    ("target_at_peace", 1, -1, 1, -1),
    ("self_at_peace", 1, 1, 0, -2),
    ("target_richer", 1, 0, 0, -1),
    ("self_richer", 1, 0, 1, -1),
    ("target_more_land", 1, 0, -1, -1),
    ("target_less_land", 0, 1, -1, -1),
)
"""What an envoy's successes gain by row: Friendly, Deceiving, Intimidating, Dominating."""
TRADE = (0, 1, 3, 4, 6, 7)
"""Resources for 0, 1, 2 ... successes."""
ARMY_TYPES: Mapping[str, str] = {
    "A": "PC PC PC PC HA EF", "B": "DE DE DE FF EF EF", "C": "PC SD SD HA EF CA", "D": "FF DE DE CA CA EF"}
"""The labels of each letter, die 1 to 6."""


def printed(lang: str) -> dict[type[Record], list[Record]]:
    """The rows of each printed table, with effects in a language."""
    labels = {letter: line.split() for letter, line in ARMY_TYPES.items()}
    return {
        Attribute: [Attribute(table=table, roll=roll, code=code, name_en=en, name_it=it,
                              effect=EFFECTS_IT[code] if lang == "it" else effect)
                    for table, rows in (("strength", STRENGTH), ("weakness", WEAKNESS))
                    for roll, code, en, it, effect in rows],
        EnvoyRow: [EnvoyRow(row=row, friendly=f, deceiving=de, intimidating=i, dominating=do)
                   for row, f, de, i, do in ENVOYS],
        TradeRow: [TradeRow(successes=n, resources=earned) for n, earned in enumerate(TRADE)],
        ArmyType: [ArmyType(roll=roll, **{letter: line[roll - 1] for letter, line in labels.items()})
                   for roll in range(1, 7)],
    }


def fill_in(campaign: Campaign) -> None:
    """Each printed table of which a campaign has no row at all; effects as they are printed in its language."""
    lang = campaign.desk.language
    for kind, rows in printed(lang).items():
        table = campaign.table(kind)
        if not len(table):
            for row in rows:
                table.add(row)
    told = {effect: EFFECTS_IT[code] if lang == "it" else effect for _, code, _, _, effect in (*STRENGTH, *WEAKNESS)}
    for attribute in campaign.table(Attribute):
        attribute.effect = told.get(attribute.effect, attribute.effect)


def in_words(row: Attribute, lang: str) -> str:
    """The name of an attribute and what it does, in a language; words that somebody has written stand as they are."""
    effects = {"en": {code: effect for _, code, _, _, effect in (*STRENGTH, *WEAKNESS)}, "it": EFFECTS_IT}
    as_printed = row.effect in [known.get(row.code) for known in effects.values()]
    effect = effects[lang][row.code] if as_printed else row.effect
    return f"{(row.name_it if lang == 'it' else row.name_en) or row.code}: {effect}"
