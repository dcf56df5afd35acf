"""Every number and switch of Bloodlust nations, its dice and printed tables (rulebook: Numbers)."""

from __future__ import annotations

from typing import Literal

from assistant.rulesets.bloodlust import both
from assistant.turn.numbers import Rules, number, switch

# Numbers and switches with their sources, and the purposes of dice (rulebook: Numbers).


A, D = "ASSUMED", "DERIVED"


def signed_number(default: int, unit: str, source: str, meaning: str, tag: str = "FOUND") -> int:
    """A number that may be below 0: what something adds to successes, a rating, a die or morale."""
    return number(default, unit, source, meaning, tag, -9)


ROLLS_ = both("rolls", "tiri")
RESOURCES = both("resources", "risorse")
DIE_1D6 = both("1d6", "1d6")
QUARTERS = both("quarters", "quarti")
PROVINCES = both("provinces", "province")
WR = both("WR", "WR")
DIE_2D6 = both("2d6", "2d6")
SUCCESSES = both("successes", "i successi")
X_REPUTATION = both("x reputation", "x reputazione")
RATING = both("rating", "valore")
MORALE = both("morale", "morale")
DIE = both("die", "dado")
BATTLES_ = both("battles", "battaglie")
POINTS = both("points", "punti")


class RecruitingNumbers(Rules):
    """Recruiting, upkeep, marches."""

    defence_invaded: int = number(1, ROLLS_, "TS-Sp1",
                                  both("A nation invaded last year counts {signed} {signed?roll|rolls}.",
                                       "Una nazione invasa l'anno scorso ha {signed} {signed?tiro|tiri}."), A)
    defence_fort: int = number(1, ROLLS_, "TS-Sp1",
                               both("A nation that owns a fort counts {signed} {signed?roll|rolls}.",
                                    "Una nazione che possiede un forte ha {signed} {signed?tiro|tiri}."), A)
    buy_price: int = number(1, RESOURCES, "TS-Sp2",
                            both("A roll that is bought costs {n} {n?resource|resources}.",
                                 "Un tiro comprato costa {n} {n?risorsa|risorse}."))
    payout_rolls: int = number(1, ROLLS_, "TS-Sp3",
                               both("A beaten nation pays {n} {n?roll|rolls} each Spring.",
                                    "Una nazione vinta cede {n} {n?tiro|tiri} ogni primavera."))
    hero_on: int = number(6, DIE_1D6, "p50",
                          both("A hero offers himself on {n} or more.", "Un eroe si offre con {n} o più."), D, 1)
    hero_level_2: int = number(4, DIE_1D6, "p50",
                               both("From {n} on a hero is of level 2.", "Da {n} in su un eroe è di livello 2."), D, 1)
    hero_level_3: int = number(6, DIE_1D6, "p50",
                               both("From {n} on a hero is of level 3.", "Da {n} in su un eroe è di livello 3."), D, 1)
    hero_cost: int = number(1, ROLLS_, "p50",
                            both("A hero costs {n} {n?roll|rolls}.", "Un eroe costa {n} {n?tiro|tiri}."), D)
    recruit_cost: int = number(1, ROLLS_, "TS-Sp5",
                               both("A unit costs {n} {n?roll|rolls}.", "Un reparto costa {n} {n?tiro|tiri}."))
    mercenary_cost: int = number(2, ROLLS_, "TS-Sp5",
                                 both("A mercenary unit costs {n} {n?roll|rolls}.",
                                      "Un reparto mercenario costa {n} {n?tiro|tiri}."))
    captain_price: int = number(1, RESOURCES, "CC",
                                both("A captain costs {n} {n?resource|resources}.",
                                     "Un capitano costa {n} {n?risorsa|risorse}."))
    captain_limit: int = number(0, both("captains", "capitani"), "CC",
                                both("At most {n} {n?captain|captains} a season are hired; 0 is no limit.",
                                     "Si assumono al massimo {n} {n?capitano|capitani} a stagione; 0 è senza limite."))
    upkeep_mounted: int = number(4, QUARTERS, "TS-Sp5",
                                 both("A mounted unit costs {n} {n?quarter|quarters} of a resource.",
                                      "Un reparto montato costa {n} {n?quarto|quarti} di risorsa."))
    upkeep_foot: int = number(2, QUARTERS, "TS-Sp5",
                              both("A foot unit costs {n} {n?quarter|quarters} of a resource.",
                                   "Un reparto appiedato costa {n} {n?quarto|quarti} di risorsa."))
    upkeep_flat: int = number(4, QUARTERS, "TS-Su3",
                              both("The flat price of a unit is {n} {n?quarter|quarters} of a resource.",
                                   "Il prezzo fisso di un reparto è {n} {n?quarto|quarti} di risorsa."))
    light_divisor: int = number(2, both("divisor", "divisore"), "SK",
                                both("The price of a Light unit is divided by {n}.",
                                     "Il prezzo di un reparto Leggero si divide per {n}."), minimum=1)
    forage_gain_resources: int = number(
        1, RESOURCES, "FO", both("A unit that forages well brings {n}.", "Un reparto che foraggia bene porta {n}."))
    march_steps: int = number(3, PROVINCES, "MV",
                              both("An army moves {n} {n?province|provinces} a season.",
                                   "Un'armata muove di {n} {n?provincia|province} a stagione."), A, 1)
    respond_reach: int = number(1, PROVINCES, "p58",
                                both("Armies {n} {n?province|provinces} away may answer.",
                                     "Possono rispondere le armate a {n} {n?provincia|province} di distanza."), A)


class CommandNumbers(RecruitingNumbers):
    """Commanders, weapons, ad-hoc armies."""

    levy_rolls: int = number(8, ROLLS_, "DA",
                             both("An ad-hoc army has {n} {n?roll|rolls}.", "Un'armata di leva ha {n} {n?tiro|tiri}."))
    levy_season_Wi: int = number(  # noqa: N815
        -2, ROLLS_, "DA", both("An ad-hoc army in Winter has {signed} {signed?roll|rolls}.",
                               "Un'armata di leva in inverno ha {signed} {signed?tiro|tiri}."), minimum=-99)
    levy_season_Fa: int = number(  # noqa: N815
        -1, ROLLS_, "DA", both("An ad-hoc army in Fall has {signed} {signed?roll|rolls}.",
                               "Un'armata di leva in autunno ha {signed} {signed?tiro|tiri}."), minimum=-99)
    levy_season_Su: int = number(  # noqa: N815
        1, ROLLS_, "DA", both("An ad-hoc army in Summer has {signed} {signed?roll|rolls}.",
                              "Un'armata di leva in estate ha {signed} {signed?tiro|tiri}."), minimum=-99)
    levy_wr: int = signed_number(
        -1, WR, "DA", both("The captain of an ad-hoc army has {signed} WR.", "Il capitano di una leva ha {signed} WR."))
    levy_wr_min: int = number(1, WR, "DA",
                              both("The captain of an ad-hoc army has at least WR {n}.",
                                   "Il capitano di una leva ha almeno WR {n}."), A)
    wr_from_2: int = number(
        4, DIE_2D6, "CC", both("A new commander has WR 2 from {n} on.", "Un nuovo comandante ha WR 2 da {n} in su."), A)
    wr_from_3: int = number(
        6, DIE_2D6, "CC", both("A new commander has WR 3 from {n} on.", "Un nuovo comandante ha WR 3 da {n} in su."), A)
    wr_from_4: int = number(
        9, DIE_2D6, "CC", both("A new commander has WR 4 from {n} on.", "Un nuovo comandante ha WR 4 da {n} in su."), A)
    wr_from_5: int = number(11, DIE_2D6, "CC",
                            both("A new commander has WR 5 from {n} on.", "Un nuovo comandante ha WR 5 da {n} in su."),
                            A)
    attributes_marshal: int = number(2, both("throws", "tiri"), "CC",
                                     both("A marshal has {n} {n?attribute|attributes}.",
                                          "Un maresciallo ha {n} {n?attributo|attributi}."))
    attributes_captain: int = number(1, both("throws", "tiri"), "CC",
                                     both("A captain has {n} {n?attribute|attributes}.",
                                          "Un capitano ha {n} {n?attributo|attributi}."))
    ma_strength_from: int = number(5, DIE_2D6, "MA",
                                   both("From {n} on the attribute is a strength.",
                                        "Da {n} in su l'attributo è un punto di forza."))
    fate_mods_lost: int = signed_number(-1, SUCCESSES, "MF",
                                        both("A lost battle counts {signed} in a commander's fate.",
                                             "Una battaglia persa vale {signed} nella sorte di un comandante."))
    fate_mods_destroyed: int = signed_number(-1, SUCCESSES, "MF",
                                             both("His unit destroyed counts {signed} in a commander's fate.",
                                                  "La sua unità distrutta vale {signed} nella sorte di un comandante."))
    fate_mods_withdrew: int = signed_number(0, SUCCESSES, "MF",
                                            both("His unit withdrawn counts {signed} in a commander's fate.",
                                                 "La sua unità ritirata vale {signed} nella sorte di un comandante."))
    fate_mods_won: int = signed_number(1, SUCCESSES, "MF",
                                       both("A battle won counts {signed} in a commander's fate.",
                                            "Una battaglia vinta vale {signed} nella sorte di un comandante."))
    fate_mods_lucky: int = signed_number(1, SUCCESSES, "ST",
                                         both("Lucky counts {signed} in a commander's fate.",
                                              "Fortunato vale {signed} nella sorte di un comandante."))
    wound_seasons: str = switch("MF", both("A wound lasts {option} seasons.", "Una ferita dura {option} stagioni."),
                                options=("1d6",), pattern=r"\d+d\d+")
    weapon_on: int = number(6, DIE_1D6, "p61",
                            both("A weapon that is away appears on {n} or more.",
                                 "Un'arma assente appare con {n} o più."), A, 1)
    weapon_away: str = switch(
        "p61", both("A lost weapon is away for {option} seasons.", "Un'arma perduta manca per {option} stagioni."),
        options=("2d4",), pattern=r"\d+d\d+")
    weapon_minor_rep: int = number(1, both("reputation", "reputazione"), "ST",
                                   both("A minor weapon brings {signed} reputation.",
                                        "Un'arma minore porta {signed} reputazione."))
    weapon_major_wr: int = number(1, WR, "WP",
                                  both("A major weapon brings {signed} WR.", "Un'arma maggiore porta {signed} WR."), A)
    death_from: int = number(11, DIE_2D6, "p60",
                             both("A national leader dies in Winter from {n} on.",
                                  "Un capo nazionale muore in inverno da {n} in su."), D)
    zoc_factor: int = number(3, X_REPUTATION, "CC",
                             both("The zone of command is {n} {n?time|times} the reputation.",
                                  "La zona di comando è {n} {n?volta|volte} la reputazione."))
    zoc_charisma: int = number(4, X_REPUTATION, "ST",
                               both("With Charisma the zone is {n} {n?time|times} the reputation.",
                                    "Con Carisma la zona è {n} {n?volta|volte} la reputazione."))
    zoc_poor: int = number(2, X_REPUTATION, "WK",
                           both("With Poor charisma the zone is {n} {n?time|times} the reputation.",
                                "Con Poco carisma la zona è {n} {n?volta|volte} la reputazione."))
    zoc_unremarkable: int = number(-2, both("inches", "pollici"), "WK",
                                   both("Unremarkable changes the zone by {signed} {signed?inch|inches}.",
                                        "Anonimo cambia la zona di {signed} {signed?pollice|pollici}."), minimum=-99)


class Fighting(CommandNumbers):
    """War, battle, siege."""

    war_conquest: int = signed_number(1, RATING, "p57",
                                      both("An interest in conquest counts {signed} in the war check.",
                                           "L'interesse per la conquista vale {signed} nella prova di guerra."), D)
    war_hated: int = signed_number(1, RATING, "p57",
                                   both("A hated neighbour counts {signed} in the war check.",
                                        "Un vicino odiato vale {signed} nella prova di guerra."), D)
    war_low_morale: int = signed_number(-1, RATING, "p57",
                                        both("Low morale counts {signed} in the war check.",
                                             "Il morale basso conta {signed} nella prova di guerra."), D)
    war_low_morale_to: int = number(1, MORALE, "p57",
                                    both("Morale is low at {n} or less.", "Il morale è basso da {n} in giù."), D)
    target_mods_hated: int = signed_number(1, DIE, "p58",
                                           both("Being hated counts {signed} on a target's die.",
                                                "Essere odiati vale {signed} sul dado del bersaglio."), D)
    target_mods_weaker: int = signed_number(1, DIE, "p58",
                                            both("Being weaker counts {signed} on a target's die.",
                                                 "Essere più deboli vale {signed} sul dado del bersaglio."), D)
    target_mods_most_land: int = signed_number(1, DIE, "p58",
                                               both("Most land counts {signed} for conquerors.",
                                                    "Più terra vale {signed} per i conquistatori."), D)
    target_mods_richest: int = signed_number(1, DIE, "p58",
                                             both("Being richest counts {signed} for looters.",
                                                  "Essere i più ricchi vale {signed} per i predoni."), D)
    target_mods_undefended: int = signed_number(1, DIE, "p58",
                                                both("Land without defence counts {signed} for colonists.",
                                                     "Terra indifesa vale {signed} per i coloni."), D)
    target_mods_tributary: int = signed_number(
        -1, DIE, "p58", both("A tributary's die counts {signed}.", "Il dado di un tributario vale {signed}."), D)
    province_mods_undefended: int = signed_number(
        1, DIE, "p58", both("A province without defence counts {signed}.", "Una provincia indifesa vale {signed}."), A)
    province_mods_touches: int = signed_number(1, DIE, "p58",
                                               both("A province touching enough of one's own counts {signed}.",
                                                    "Una provincia che confina con abbastanza delle proprie conta "
                                                    "{signed}."), A)
    province_touches: int = number(2, PROVINCES, "p58",
                                   both("Touching {n} of one's own provinces is enough.",
                                        "Basta confinare con {n} delle proprie province."), A, 1)
    province_mods_capital: int = signed_number(-1, DIE, "p58",
                                               both("A capital counts {signed}, but not for conquerors.",
                                                    "Una capitale vale {signed}, ma non per i conquistatori."), A)
    retreat_mods_offensive: int = signed_number(-1, SUCCESSES, "RT",
                                                both("An Offensive unit counts {signed} in a retreat.",
                                                     "Un reparto Offensivo vale {signed} nella ritirata."))
    retreat_mods_defensive: int = signed_number(1, SUCCESSES, "RT",
                                                both("A Defensive unit counts {signed} in a retreat.",
                                                     "Un reparto Difensivo vale {signed} nella ritirata."))
    retreat_mods_temerity: int = signed_number(-1, SUCCESSES, "RT",
                                               both("Temerity counts {signed} in a retreat.",
                                                    "La temerarietà vale {signed} nella ritirata."))
    retreat_mods_coward: int = signed_number(
        1, SUCCESSES, "RT", both("A Coward counts {signed} in a retreat.", "Un Codardo vale {signed} nella ritirata."))
    recovery_mods_rep: int = signed_number(1, SUCCESSES, "RC",
                                           both("Hits up to the REP count {signed} in recovery.",
                                                "Colpi fino al REP valgono {signed} nella ripresa."))
    recovery_mods_2rep: int = signed_number(0, SUCCESSES, "RC",
                                            both("Hits up to twice the REP count {signed}.",
                                                 "Colpi fino a due volte il REP valgono {signed}."))
    recovery_mods_3rep: int = signed_number(-1, SUCCESSES, "RC",
                                            both("Hits up to three times the REP count {signed}.",
                                                 "Colpi fino a tre volte il REP valgono {signed}."))
    recovery_mods_not_routed: int = signed_number(
        1, SUCCESSES, "RC", both("A unit not routed counts {signed}.", "Un reparto non in rotta vale {signed}."))
    loot_mods_mercenary: int = signed_number(-1, SUCCESSES, "LO",
                                             both("Mercenaries count {signed} in looting.",
                                                  "I mercenari valgono {signed} nel saccheggio."))
    loot_mods_treasure_hunter: int = signed_number(1, SUCCESSES, "ST",
                                                   both("A Treasure hunter counts {signed} in looting.",
                                                        "Un Cacciatore di tesori vale {signed} nel saccheggio."))
    loot_each: int = number(1, RESOURCES, "LO",
                            both("Each success in looting brings {n} {n?resource|resources}.",
                                 "Ogni successo nel saccheggio porta {n} {n?risorsa|risorse}."))
    xp_needed_poor: int = number(2, BATTLES_, "MR",
                                 both("A poor unit rises after {n} {n?battle|battles} won.",
                                      "Un reparto scarso sale dopo {n} {n?vittoria|vittorie}."), minimum=1)
    xp_needed_normal: int = number(3, BATTLES_, "MR",
                                   both("A normal unit rises after {n} {n?battle|battles} won.",
                                        "Un reparto normale sale dopo {n} {n?vittoria|vittorie}."), minimum=1)
    xp_needed_veteran: int = number(4, BATTLES_, "MR",
                                    both("A veteran unit rises after {n} {n?battle|battles} won.",
                                         "Un reparto veterano sale dopo {n} {n?vittoria|vittorie}."), minimum=1)
    siege_mods_siege: int = signed_number(1, SUCCESSES, "LS",
                                          both("The Siege skill counts {signed} in a siege.",
                                               "L'abilità Assedio vale {signed} in un assedio."))
    siege_mods_Wi: int = signed_number(-1, SUCCESSES, "LS",  # noqa: N815
                                       both("Winter counts {signed} in a siege.",
                                            "L'inverno vale {signed} in un assedio."))
    siege_mods_Su: int = signed_number(1, SUCCESSES, "LS",  # noqa: N815
                                       both("Summer counts {signed} in a siege.",
                                            "L'estate vale {signed} in un assedio."))
    npc_retreat_pct: int = number(50, both("% of the units", "% dei reparti"), "RT",
                                  both("Self-run nations may retreat with {n}% lost.",
                                       "Le nazioni autonome possono ritirarsi con il {n}% perduto."))
    npc_min_units: int = number(3, both("units", "reparti"), "p58",
                                both("Self-run nations invade with {n} or more units.",
                                     "Le nazioni autonome invadono con {n} o più reparti."), A)
    npc_fight_pct: int = number(75, both("% of the invader", "% dell'invasore"), "p58",
                                both("Self-run nations fight from {n}% of the invader on.",
                                     "Le nazioni autonome combattono da {n}% dell'invasore in su."), A)
    auto_die_rep: int = number(4, both("REP", "REP"), "ME",
                               both("Off the table {n} REP of a side's units are a die.",
                                    "Fuori dal tavolo {n} REP dei reparti di una parte valgono un dado."), A, 1)
    auto_rout_rep: int = number(
        1, both("x REP", "x REP"), "ME",
        both("Off the table a beaten unit is routed by more hits than {n} {n?time|times} its REP.",
             "Fuori dal tavolo un reparto sconfitto va in rotta con più colpi di {n} {n?volta|volte} la sua REP."), A)
    auto_hit_cap: int = number(3, both("hits", "colpi"), "ME",
                               both("Off the table the margin changes hits by {n} at most.",
                                    "Fuori dal tavolo lo scarto cambia i colpi al massimo di {n}."), A)
    auto_down_loser: int = number(5, DIE_1D6, "ME",
                                  both("A beaten commander is down from {n} on.",
                                       "Un comandante battuto è a terra da {n} in su."), A)
    auto_down_winner: int = number(6, DIE_1D6, "ME",
                                   both("Another commander is down from {n} on.",
                                        "Un altro comandante è a terra da {n} in su."), A)
    desert_dice: int = number(0, both("dice", "i dadi"), "ME",
                              both("In desert a unit loses {n} attack {n?die|dice}.",
                                   "Nel deserto un reparto perde {n} {n?dado|dadi} d'attacco."), A)


class Ruling(Fighting):
    """Morale, peace, winter, trade, envoys, points."""

    nm_min: int = number(0, MORALE, "p59",
                         both("National morale is at least {n}.", "Il morale nazionale è almeno {n}."), A)
    nm_max: int = number(5, MORALE, "p59",
                         both("National morale is at most {n}.", "Il morale nazionale è al massimo {n}."), A)
    nm_shaken_cap: int = number(0, both("times", "volte"), "WF",
                                both("A nation is shaken {n} {n?time|times} at most; 0 is no limit.",
                                     "Una nazione è scossa al massimo {n} {n?volta|volte}; 0 è senza limite."))
    nm_won: int = signed_number(1, MORALE, "p59",
                                both("A battle won changes morale by {signed}.",
                                     "Una battaglia vinta cambia il morale di {signed}."), A)
    nm_lost: int = signed_number(-1, MORALE, "p59",
                                 both("A battle lost changes morale by {signed}.",
                                      "Una battaglia persa cambia il morale di {signed}."), A)
    nm_province: int = signed_number(-1, MORALE, "p59",
                                     both("A province lost changes morale by {signed}.",
                                          "Una provincia persa cambia il morale di {signed}."), A)
    nm_capital: int = signed_number(-2, MORALE, "p59",
                                    both("The own capital lost changes morale by {signed} instead.",
                                         "La propria capitale persa cambia invece il morale di {signed}."), A)
    nm_collapse: int = signed_number(-2, MORALE, "p59",
                                     both("An army destroyed changes morale by {signed}.",
                                          "Un'armata distrutta cambia il morale di {signed}."), A)
    nm_rest_step: int = number(1, MORALE, "p59",
                               both("At peace morale moves by {n} a year toward rest.",
                                    "In pace il morale torna di {n} l'anno verso la base."), A)
    will_mods_won: int = signed_number(1, RATING, "WF",
                                       both("A battle won counts {signed} in the morale check.",
                                            "Una battaglia vinta vale {signed} nella prova di morale."))
    will_mods_lost: int = signed_number(-1, RATING, "WF",
                                        both("A battle lost counts {signed} in the morale check.",
                                             "Una battaglia persa vale {signed} nella prova di morale."))
    will_mods_refused: int = signed_number(-1, RATING, "WF",
                                           both("From the third battle refused on {signed}.",
                                                "Dalla terza battaglia rifiutata {signed}."))
    will_mods_province: int = signed_number(-1, RATING, "WF",
                                            both("A province lost counts {signed} in the morale check.",
                                                 "Una provincia persa vale {signed} nella prova di morale."))
    will_mods_shaken: int = signed_number(-1, RATING, "WF",
                                          both("Each time shaken counts {signed} in the morale check.",
                                               "Ogni volta che si è scossi vale {signed} nella prova di morale."))
    unrest_seasons: int = number(4, both("seasons", "stagioni"), "WF",
                                 both("Unrest lasts {n} {n?season|seasons}.",
                                      "I disordini durano {n} {n?stagione|stagioni}."), A)
    peace_min: int = number(1, both("years", "anni"), "p59",
                            both("An enforced peace lasts {n} {n?year|years} at least.",
                                 "Una pace imposta dura almeno {n} {n?anno|anni}."), D, 1)
    peace_cap: int = number(8, both("years", "anni"), "p59",
                            both("An enforced peace lasts {n} {n?year|years} at most.",
                                 "Una pace imposta dura al massimo {n} {n?anno|anni}."), A, 1)
    disband_rep_high: int = signed_number(1, SUCCESSES, "DN",
                                          both("A great commander counts {signed} in Disband or Not.",
                                               "Un grande comandante vale {signed} nella prova di congedo."))
    disband_rep_low: int = signed_number(-1, SUCCESSES, "DN",
                                         both("A poor commander counts {signed} in Disband or Not.",
                                              "Un comandante mediocre vale {signed} nella prova di congedo."))
    keep_price: int = number(1, RESOURCES, "DN",
                             both("Keeping a unit that would leave costs {n}.",
                                  "Tenere un reparto che se ne andrebbe costa {n}."))
    trade_mods_Sp: int = signed_number(1, SUCCESSES, "TS-Sp14",  # noqa: N815
                                       both("Spring counts {signed} in trade.",
                                            "La primavera vale {signed} nel commercio."))
    trade_mods_Su: int = signed_number(1, SUCCESSES, "TS-Su10",  # noqa: N815
                                       both("Summer counts {signed} in trade.",
                                            "L'estate vale {signed} nel commercio."))
    trade_mods_Wi: int = signed_number(-2, SUCCESSES, "TS-Wi12",  # noqa: N815
                                       both("Winter counts {signed} in trade.",
                                            "L'inverno vale {signed} nel commercio."))
    trade_mods_war: int = signed_number(-1, SUCCESSES, "TC",
                                        both("War next door counts {signed} in trade.",
                                             "La guerra alla frontiera vale {signed} nel commercio."))
    trade_mods_peace: int = signed_number(
        1, SUCCESSES, "TC", both("Peace counts {signed} in trade.", "La pace vale {signed} nel commercio."))
    trade_mods_pole: int = signed_number(2, SUCCESSES, "TC",
                                         both("Pole counts {signed} in trade.", "Pole vale {signed} nel commercio."))
    trade_mods_capital: int = signed_number(1, SUCCESSES, "TC",
                                            both("Another capital counts {signed} in trade.",
                                                 "Un'altra capitale vale {signed} nel commercio."))
    trade_mods_unrest: int = signed_number(
        -1, SUCCESSES, "TC", both("Unrest counts {signed} in trade.", "I disordini valgono {signed} nel commercio."))
    trade_mods_offended: int = signed_number(-1, SUCCESSES, "DP",
                                             both("An offended neighbour counts {signed} in trade.",
                                                  "Un vicino offeso vale {signed} nel commercio."))
    tribute: int = number(1, RESOURCES, "DP",
                          both("A tributary pays {n} a season.", "Un tributario paga {n} a stagione."))
    insult_rolls: str = switch(
        "DP", both("An insulted nation gets {option} free rolls.", "Una nazione offesa ha {option} tiri gratuiti."),
        options=("1d6",), pattern=r"\d+d\d+")
    diplo_cap: int = number(0, SUCCESSES, "DP",
                            both("The rows of an envoy come to {n} at most; 0 is no limit.",
                                 "Le righe di un inviato valgono al massimo {n}; 0 è senza limite."))
    score_province: int = number(
        3, POINTS, "A", both("A province counts {n} {n?point|points}.", "Una provincia vale {n} {n?punto|punti}."), A)
    score_capital: int = number(5, POINTS, "A",
                                both("A foreign capital counts {n} {n?point|points}.",
                                     "Una capitale straniera vale {n} {n?punto|punti}."), A)
    score_resources: int = number(10, RESOURCES, "A",
                                  both("Every {n} {n?resource counts|resources count} a point.",
                                       "Ogni {n} {n?risorsa vale|risorse valgono} un punto."), A, 1)
    score_weapon: int = number(2, POINTS, "A",
                               both("A weapon borne counts {n} {n?point|points}.",
                                    "Un'arma portata vale {n} {n?punto|punti}."), A)
    score_war: int = number(3, POINTS, "A",
                            both("A war won counts {n} {n?point|points}, one lost as many less.",
                                 "Una guerra vinta vale {n} {n?punto|punti}, una persa altrettanti in meno."), A)
    score_conquest: int = number(1, POINTS, "A",
                                 both("For conquerors a foreign province counts {n} more.",
                                      "Per i conquistatori una provincia straniera vale {n} in più."), A)
    score_colonizing: int = number(1, POINTS, "A",
                                   both("For colonists a foreign province next to home counts {n} more.",
                                        "Per i coloni una provincia straniera vicina alla patria vale {n} in più."), A)
    score_loot: int = number(5, RESOURCES, "A",
                             both("For looters every {n} looted count a point.",
                                  "Per i predoni ogni {n} saccheggiate valgono un punto."), A, 1)
    score_no_interest: int = number(15, RESOURCES, "A",
                                    both("Without interest every {n} {n?resource counts|resources count} a point more.",
                                         "Senza interessi ogni {n} {n?risorsa vale|risorse valgono} un punto in più."),
                                    A, 1)
    npc_reserve: int = number(5, RESOURCES, "TS-Sp2",
                              both("Self-run nations keep {n} {n?resource|resources} back.",
                                   "Le nazioni autonome tengono da parte {n} {n?risorsa|risorse}."), A)
    npc_keep_floor: int = number(5, RESOURCES, "DN",
                                 both("Self-run nations keep units while they have more than {n}.",
                                      "Le nazioni autonome tengono reparti finché hanno più di {n}."), A)


class Playing(Ruling):
    """How the rules play a nation of their own: of all this the seed says nothing but that some do it."""

    npc_captains: int = number(1, both("captains", "capitani"), "CC",
                               both("Self-run nations hire a captain while fewer than {n} can lead, one a season.",
                                    "Le nazioni autonome assumono un capitano a stagione finché quelli che possono "
                                    "comandare sono meno di {n}."), A)
    npc_captain_from: int = number(3, RESOURCES, "CC",
                                   both("Self-run nations hire captains from {n} {n?resource|resources} on.",
                                        "Le nazioni autonome assumono capitani da {n} {n?risorsa|risorse} in su."), A)
    npc_buy: Literal["war", "always", "never"] = switch(
        "TS-Sp2", both("Self-run nations buy rolls {option}.", "Le nazioni autonome comprano tiri {option}."),
        both("in war", "in guerra"), both("in war and peace", "in guerra e in pace"), both("never", "mai"))
    npc_hero: Literal["hires", "leaves"] = switch("p50",
                                                  both("Self-run nations {option} a hero who offers himself.",
                                                       "Le nazioni autonome {option} un eroe che si offre."),
                                                  both("hire", "assumono"), both("send away", "mandano via"))
    npc_strength: Literal["courage", "logistic"] = switch(
        "ST",
        both("Where a commander may choose his strength the rules take {option}.",
             "Dove un comandante può scegliere il suo punto di forza le regole prendono {option}."),
        both("Courage", "Coraggio"), both("Logistic", "Logistica"))
    npc_army: Literal["one", "standing"] = switch(
        "TS-Sp5", both("In Spring a self-run nation {option}.", "In primavera una nazione autonoma {option}."),
        both("gathers all it has in one army", "riunisce tutto in una sola armata"),
        both("leaves its armies as they are and sends its Reserve to its leader's",
             "lascia le armate come sono e manda la Riserva a quella del suo capo"))
    npc_stand: Literal["frontier", "seat"] = switch(
        "TS-Sp5",
        both("In Spring the main army of a self-run nation at war stands {option}.",
             "In primavera l'armata principale di una nazione autonoma in guerra sta {option}."),
        both("on the enemy's frontier nearest to the capital", "sul confine nemico più vicino alla capitale"),
        both("at the capital", "nella capitale"))
    npc_ransom: Literal["takes", "refuses"] = switch("A",
                                                     both("Self-run nations {option} ransoms for their captives.",
                                                          "Le nazioni autonome {option} riscatti per i loro "
                                                          "prigionieri."), both("take", "accettano"),
                                                     both("refuse", "rifiutano"))
    ransom_each: int = number(1, RESOURCES, "A",
                              both("A ransom is {n} {n?resource|resources} for each point of WR.",
                                   "Un riscatto è di {n} {n?risorsa|risorse} per ogni punto di WR."), A)
    ransom_least: int = number(1, RESOURCES, "A",
                               both("A ransom is at least {n} {n?resource|resources}.",
                                    "Un riscatto è di almeno {n} {n?risorsa|risorse}."), A)
    npc_offer: Literal["never", "weary"] = switch(
        "A", both("Self-run nations {option}.", "Le nazioni autonome {option}."),
        both("never offer peace", "non offrono mai la pace"),
        both("offer peace where they would take it", "offrono la pace quando la accetterebbero"))
    npc_peace_morale: int = number(2, MORALE, "A",
                                   both("Self-run nations take a peace that is offered at morale {n} or less.",
                                        "Le nazioni autonome accettano una pace offerta con morale {n} o meno."), A)
    npc_peace_seasons: int = number(
        4, both("seasons", "stagioni"), "A",
        both("Self-run nations take a peace that is offered from {n} {n?season|seasons} of war on.",
             "Le nazioni autonome accettano una pace offerta da {n} {n?stagione|stagioni} di guerra in poi."), A)
    npc_maybe: Literal["tempted", "weaker", "richer", "always", "never"] = switch(
        "p57",
        both("Where its people leave it open a self-run nation goes to war {option}.",
             "Dove il suo popolo lascia la scelta una nazione autonoma va in guerra {option}."),
        both("for conquest or loot, if a neighbour is weaker or richer",
             "per conquista o bottino, se un vicino è più debole o più ricco"),
        both("for conquest or loot, if a neighbour is weaker", "per conquista o bottino, se un vicino è più debole"),
        both("for conquest or loot, if a neighbour is richer", "per conquista o bottino, se un vicino è più ricco"),
        both("always", "sempre"), both("never", "mai"))
    npc_ally: Literal["joins", "refuses"] = switch("DP",
                                                   both("Self-run nations {option} an ally who is attacked.",
                                                        "Le nazioni autonome {option} un alleato attaccato."),
                                                   both("join", "aiutano"), both("abandon", "abbandonano"))
    npc_alliance_to: int = number(3, DIE_1D6, "DP",
                                  both("Self-run nations take an alliance that is offered on 1 to {n}.",
                                       "Le nazioni autonome accettano un'alleanza offerta con un dado da 1 a {n}."), A)
    npc_bold: Literal["yes", "no"] = switch(
        "p58",
        both("A self-run nation that began one of its wars invades {option}.",
             "Una nazione autonoma che ha iniziato una delle sue guerre invade {option}."),
        both("however strong its enemies are", "per quanto forti siano i nemici"),
        both("only where it is strong enough, too", "anch'essa solo se è abbastanza forte"))
    npc_attack_pct: int = number(100, both("% of the units", "% dei reparti"), "p58",
                                 both("Another self-run nation invades from {n}% of its enemies' largest army on.",
                                      "Un'altra nazione autonoma invade se ha almeno il {n}% della più grande armata "
                                      "nemica."), A)
    npc_armies: int = number(1, both("armies", "armate"), "p58",
                             both("At most {n} {n?army|armies} of a self-run nation {n?enters|enter} the province that "
                                  "it has chosen.",
                                  "Al massimo {n} {n?armata|armate} di una nazione autonoma {n?entra|entrano} nella "
                                  "provincia che ha scelto."), A, 1)
    npc_siege: Literal["besiege", "back"] = switch("LS",
                                                   both("Before a fort the armies of self-run nations {option}.",
                                                        "Davanti a un forte le armate delle nazioni autonome "
                                                        "{option}."), both("lay a siege", "lo assediano"),
                                                   both("turn back", "tornano indietro"))
    npc_weak: Literal["fort", "levy"] = switch("p58",
                                               both("Too weak to fight a self-run nation {option}.",
                                                    "Una nazione autonoma troppo debole per combattere {option}."),
                                               both("goes into the fort, else leaves it to a lord",
                                                    "si chiude nel forte, altrimenti lascia fare a un signore"),
                                               both("leaves it to a lord, else goes into the fort",
                                                    "lascia fare a un signore, altrimenti si chiude nel forte"))
    npc_relief: Literal["fight", "lift"] = switch("LS",
                                                  both("When a relief comes self-run besiegers {option}.",
                                                       "Quando arriva un soccorso gli assedianti autonomi {option}."),
                                                  both("fight", "combattono"),
                                                  both("lift the siege", "tolgono l'assedio"))
    npc_retreat_hope: int = number(2, SUCCESSES, "RT",
                                   both("Off the table self-run nations retreat only where half their leader's WR and "
                                        "what counts in a retreat come to {n} or more.",
                                        "Fuori dal tavolo le nazioni autonome si ritirano solo se metà della WR di chi "
                                        "le guida e ciò che conta in una ritirata fanno {n} o più."), A, -99)
    npc_keep: Literal["normal", "poor", "veteran", "elite"] = switch(
        "DN",
        both("In Winter self-run nations pay to keep units that are {option}.",
             "In inverno le nazioni autonome pagano per tenere i reparti {option}."),
        both("normal or better", "normali o migliori"), both("of any morale", "di qualsiasi morale"),
        both("veteran or better", "veterani o migliori"), both("elite", "elite"))


class Switches(Playing):
    """What may be read in several ways: the first option is the book's letter."""

    winter_nm_checks: Literal["two", "leader_died", "one"] = switch(
        "TS-Wi10", both("In Winter {option}.", "In inverno {option}."),
        both("all nations at war check twice", "tutte le nazioni in guerra provano due volte"),
        both("only those whose leader died check twice", "provano due volte solo quelle il cui capo è morto"),
        both("there is one check", "c'è una sola prova"))
    upkeep_mode: Literal["as_written", "by_type", "flat"] = switch(
        "TS-Sp5", both("Upkeep is due {option}.", "Il mantenimento si paga {option}."),
        both("by type in Spring, flat for Summer's recruits", "per tipo in primavera, fisso per le reclute d'estate"),
        both("by type in all seasons", "per tipo in tutte le stagioni"),
        both("flat in all seasons", "fisso in tutte le stagioni"))
    buy_rr_cap: Literal["max_tech", "one", "none"] = switch(
        "TS-Sp2", both("In a season {option} may be bought.", "In una stagione si possono comprare {option}."),
        both("as many rolls as TECH", "tanti tiri quanto TECH"), both("one roll", "un tiro"),
        both("any number of rolls", "tiri a volontà"))
    rr_carry: Literal["fall", "carry"] = switch("TS-Fa1", both("Unspent rolls {option}.", "I tiri non spesi {option}."),
                                                both("lapse in Fall", "si perdono in autunno"),
                                                both("stay for the next Spring", "restano per la primavera dopo"))
    trade_exclude: Literal["as_text", "all"] = switch(
        "TS-Wi12", both("In Winter {option} earn nothing.", "In inverno non rendono nulla {option}."),
        both("looted and besieged provinces", "le province saccheggiate e assediate"),
        both("looted, besieged and conquered provinces", "le province saccheggiate, assediate e conquistate"))
    trade_war: Literal["once", "each"] = switch(
        "TC", both("War next door counts {option}.", "La guerra alla frontiera conta {option}."),
        both("once", "una volta"), both("for each province", "per ogni provincia"))
    def_unit_dice: Literal["1", "-1"] = switch(
        "ME", both("A Defensive unit defends with {option}.", "Un reparto Difensivo difende con {option}."),
        both("one die more", "un dado in più"), both("one die less", "un dado in meno"))
    desert_skill: Literal["desert", "snow"] = switch(
        "SK", both("The Desert skill ignores {option}.", "L'abilità Deserto ignora {option}."),
        both("desert", "il deserto"), both("snow and winter", "neve e inverno"))
    dice_prefix: Literal["dice", "target"] = switch(
        "TS-Sp1", both("The figure before a test is {option}.", "La cifra davanti a una prova è {option}."),
        both("the number of dice", "il numero di dadi"), both("the rating of two dice", "il valore per due dadi"))
    rating_bounds: Literal["nm_only", "all"] = switch(
        "WF", both("That 1 always and 6 never succeeds holds {option}.", "Che 1 riesca sempre e 6 mai vale {option}."),
        both("for national morale alone", "solo per il morale nazionale"),
        both("for all ratings", "per tutti i valori"))
    attr_fail_at: Literal["0", "1"] = switch(
        "WK", both("A test of attributes fails with {option}.", "Una prova degli attributi fallisce con {option}."),
        both("no success", "nessun successo"), both("one success or none", "un successo o nessuno"))
    wtf_mod_kind: Literal["rating", "successes"] = switch("WF",
                                                          both("Modifiers of the morale check change {option}.",
                                                               "I modificatori della prova di morale cambiano "
                                                               "{option}."), both("the rating", "il valore"),
                                                          both("the successes", "i successi"))
    nm_test_rating: Literal["nm", "nm_plus_wr"] = switch(
        "WF", both("The morale check is taken against {option}.", "La prova di morale si fa contro {option}."),
        both("the national morale", "il morale nazionale"),
        both("morale and the leader's WR", "il morale più la WR del capo"))
    nm_adjust_mode: Literal["permanent", "off"] = switch(
        "TS-Sp12", both("The adjustment of morale {option}.", "L'aggiustamento del morale {option}."),
        both("is permanent", "è permanente"), both("is left out", "non si fa"))
    disaster_scope: Literal["all_wars", "one_war"] = switch(
        "WF", both("A disaster loses {option}.", "Con un disastro si {option}."),
        both("all wars", "perdono tutte le guerre"),
        both("the war with the strongest enemy", "perde la guerra con il nemico più forte"))
    peace_unit: Literal["years", "seasons"] = switch(
        "p59", both("Enforced peaces are counted in {option}.", "Le paci imposte si contano in {option}."),
        both("years", "anni"), both("seasons", "stagioni"))
    enforced_scope: Literal["pair", "loser_any"] = switch(
        "p59", both("In an enforced peace {option}.", "In una pace imposta {option}."),
        both("the two may not attack each other", "i due non si possono attaccare"),
        both("the beaten may attack nobody", "il vinto non può attaccare nessuno"))
    opposition_cost: Literal["spent", "kept"] = switch(
        "WF", both("The roll of a unit that is opposed is {option}.", "Il tiro di un reparto osteggiato è {option}."),
        both("spent", "speso"), both("kept", "conservato"))
    opposition_when: Literal["next_recruiting", "next_season"] = switch(
        "WF", both("Opposition counts in {option}.", "L'opposizione conta {option}."),
        both("the next recruiting", "al prossimo reclutamento"),
        both("the next season only", "solo nella stagione dopo"))
    refuse_window: Literal["year", "season"] = switch(
        "WF", both("Refused battles are counted in a {option}.", "Le battaglie rifiutate si contano {option}."),
        both("year", "nell'anno"), both("season", "stagione"))
    forage_scope: Literal["unit", "army"] = switch("FO",
                                                   both("Foraging is tested by {option}.", "Si foraggia per {option}."),
                                                   both("unit", "reparto"), both("army", "armata"))
    siege_scope: Literal["unit", "army"] = switch(
        "LS", both("A siege is tested by {option}.", "La prova d'assedio si fa per {option}."), both("unit", "reparto"),
        both("army", "armata"))
    disband_scope: Literal["unit", "army"] = switch(
        "DN", both("Disband or Not is tested by {option}.", "La prova di congedo si fa per {option}."),
        both("unit", "reparto"), both("army", "armata"))
    staying_scope: Literal["unit", "army"] = switch(
        "SW", both("Staying at War is tested by {option}.", "La prova di chi resta in guerra si fa per {option}."),
        both("unit", "reparto"), both("army", "armata"))
    forage_gain: Literal["plus_one", "covers"] = switch(
        "FO", both("A success in foraging {option}.", "Un successo nel foraggiare {option}."),
        both("brings a resource", "porta una risorsa"),
        both("feeds that unit and no more", "nutre quel reparto e basta"))
    disband_pay: Literal["save_unit", "survivors_pay", "none"] = switch(
        "DN", both("In Winter a resource {option}.", "In inverno una risorsa {option}."),
        both("keeps a unit that would leave", "tiene un reparto che se ne andrebbe"),
        both("is due for each unit that stays", "è dovuta per ogni reparto che resta"),
        both("keeps nobody", "non tiene nessuno"))
    staying_who: Literal["adhoc", "all_defenders"] = switch(
        "SW", both("Staying at War is for {option}.", "Resta in guerra chi è fra {option}."),
        both("ad-hoc armies", "le armate di leva"), both("all defenders who won", "tutti i difensori vincitori"))
    recovery_boundary: Literal["lower", "higher"] = switch(
        "RC",
        both("Hits of exactly two or three times the REP fall into the {option} band.",
             "I colpi pari a due o tre volte il REP cadono nella fascia {option}."), both("lower", "inferiore"),
        both("higher", "superiore"))
    merge_with: Literal["army", "side"] = switch(
        "RC", both("Units merge within their {option}.", "I reparti si fondono nella stessa {option}."),
        both("army", "armata"), both("side", "parte"))
    xp_seasons: Literal["all", "spring_only"] = switch(
        "MR", both("Battles won count for experience {option}.", "Le vittorie contano per l'esperienza {option}."),
        both("in all seasons", "in tutte le stagioni"), both("in Spring only", "solo in primavera"))
    loser_routed: Literal["form", "all"] = switch("RC",
                                                  both("Of a side beaten without a retreat {option} routed.",
                                                       "Di una parte battuta senza ritirata {option} in rotta."),
                                                  both("those are, whom the form names,",
                                                       "lo sono quelle che dice il modulo,"),
                                                  both("all units are", "tutte le unità sono"))
    piorad_loot: Literal["-1", "1"] = switch("LO",
                                             both("A people of winter war loots with {option}.",
                                                  "Un popolo che combatte d'inverno saccheggia con {option}."),
                                             both("one success less", "un successo in meno"),
                                             both("one success more", "un successo in più"))
    rep_threshold: Literal["as_text", "5_2"] = switch(
        "DN", both("A reputation counts {option}.", "Una reputazione conta {option}."),
        both("above 6 and below 2", "sopra 6 e sotto 2"), both("from 5 on and up to 2", "da 5 in su e fino a 2"))
    captain_fate: Literal["table", "die46"] = switch(
        "MF", both("The fate of captains {option}.", "La sorte dei capitani {option}."),
        both("is the marshals' table", "è la tabella dei marescialli"),
        both("is one die: 4 to 6 recovers", "è un dado: da 4 a 6 l'unità si riprende"))
    captured_weapon: Literal["keep", "taken"] = switch(
        "WP", both("The weapon of a captive {option}.", "L'arma di un prigioniero {option}."),
        both("stays with him", "resta con lui"), both("is taken", "è presa"))
    weapon_levy: Literal["reroll", "as_rolled"] = switch(
        "ST", both("Weapons of an ad-hoc army's captain are {option}.", "Le armi del capitano di una leva {option}."),
        both("thrown again", "si ritirano"), both("as rolled", "valgono come tirate"))
    stance_clamp: Literal["clamp", "none"] = switch(
        "DS", both("The die of stance {option}.", "Il dado dell'atteggiamento {option}."),
        both("is held within 1 and 6", "resta fra 1 e 6"), both("may leave 1 to 6", "può uscire da 1 a 6"))
    diplo_mod_kind: Literal["successes", "dice"] = switch(
        "DP", both("The envoy's rows change the {option}.", "Le righe dell'inviato cambiano {option}."),
        both("successes", "i successi"), both("dice", "i dadi"))
    deceive_war: Literal["anyone", "by_row"] = switch(
        "DP", both("Rumours work {option}.", "Le voci valgono {option}."), both("against anyone", "contro chiunque"),
        both("on rows 1 and 2 not against the deceiver", "alle righe 1 e 2 non contro chi inganna"))
    intimidate_use: Literal["target_die", "war_die"] = switch(
        "DP", both("An intimidated nation has less on its {option}.", "Una nazione intimidita ha di meno {option}."),
        both("target die", "sul dado del bersaglio"), both("war rating", "valore di guerra"))
    intimidate_backfire: Literal["sender", "target", "both"] = switch(
        "DP", both("A threat that fails costs trade of {option}.", "Una minaccia fallita costa commercio {option}."),
        both("the sender", "a chi l'ha mandato"), both("the offended", "all'offeso"), both("both", "entrambi"))
    alliance_effect: Literal["both", "no_attack", "join"] = switch(
        "DP", both("Allies {option}.", "Gli alleati {option}."),
        both("are no targets and are called", "non sono bersagli e sono chiamati"),
        both("are no targets", "non sono bersagli"), both("are called", "sono chiamati"))
    move_tie: Literal["row0", "reroll"] = switch(
        "MV", both("Equal successes in movement {option}.", "Successi pari nel movimento {option}."),
        both("are a meeting", "sono un incontro"), both("are thrown again", "si ritirano"))
    player_war: Literal["roll", "choose"] = switch(
        "p57", both("Nations of clubs {option}.", "Le nazioni dei circoli {option}."),
        both("throw for war as well", "tirano anch'esse per la guerra"), both("decide freely", "decidono liberamente"))
    siege_first_test: Literal["next_season", "same"] = switch("LS",
                                                              both("A siege is first tested in the {option} season.",
                                                                   "Un assedio si prova la prima volta nella stagione "
                                                                   "{option}."), both("next", "successiva"),
                                                              both("same", "stessa"))
    siege_cinc: Literal["captured", "escapes"] = switch(
        "LS", both("Commanders in a fort that falls {option}.", "I comandanti in un forte che cade {option}."),
        both("are captured", "sono catturati"), both("escape", "fuggono"))
    table_roles: Literal["rolled", "campaign"] = switch(
        "p52", both("Attacker and defender on the table {option}.", "Attaccante e difensore al tavolo {option}."),
        both("are rolled", "si tirano"), both("are as on the map", "sono quelli della mappa"))
    guerilla_stack: Literal["once", "each"] = switch(
        "AM", both("Guerilla counts {option}.", "La guerriglia conta {option}."),
        both("once a side", "una volta per parte"), both("for each unit", "per ogni reparto"))
    fog: Literal["roster", "open"] = switch("A", both("Others see {option}.", "Gli altri vedono {option}."),
                                            both("what stands on the map", "quello che sta sulla mappa"),
                                            both("units and resources, too", "anche reparti e risorse"))


class Numbers(Switches):
    """Every number and switch of the book by its key."""


# The printed tables, for campaigns that bring none of their own (BT, DP, TC, ST, WK).
