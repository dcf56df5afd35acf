"""Every number and switch of the book, its dice and printed tables."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Literal

from assistant.campaign.tables import Record
from assistant.rulesets.warriors import both
from assistant.rulesets.warriors.records import Climate, RandomEvent, Terrain, Weather
from assistant.turn.dice import Purpose, RollKind, by_word
from assistant.turn.numbers import Rules as BaseRules
from assistant.turn.numbers import number, switch

# Numbers with their sources (rulebook: Numbers).


ASSUMED, DERIVED = "ASSUMED", "DERIVED"
_FORCE, _MOVE, _SAIL, _CROSS = "1 Force test", "2 movement", "2 naval", "2 crossing"
_EXPLORE, _BACK, _WOUND, _DESERT, _AFTER = ("3 exploration", "3 withdrawal", "4 wounded", "4 deserters",
                                            "4 movement after")
_added = partial(number, minimum=-9)
"""A modifier, which may be negative."""


def _die(source: str, meaning: str, default: str = "1d6") -> str:
    dice: str = switch(source, meaning, options=(default,), pattern=r"[1-9]\d?d[1-9]\d{0,2}")
    return dice


TOTAL = both("total", "totale")
TO_TOTAL = both("to total", "al totale")
TO_DIE = both("to die", "al dado")
SQUARES = both("squares", "quadrati")
DIFFERENCE = both("difference", "differenza")
POINTS = both("points", "punti")
TURNS = both("turns", "turni")


class Numbers(BaseRules):
    """The numbers, in the order of the turn."""

    # --- Force tests
    force_die: str = _die(_FORCE,
                          both("The Force test is {option} and the V.C.", "Il test della Forza è {option} e il V.C."))
    force_ok: int = _added(6, TOTAL, _FORCE,
                           both("From {n} on a Force takes the new order.", "Da {n} una Forza riceve il nuovo ordine."))
    force_defend: int = _added(4, TOTAL, _FORCE, both("From {n} on it can only defend.", "Da {n} può solo difendere."))
    force_confused: int = _added(3, TOTAL, _FORCE, both("From {n} on it is confused.", "Da {n} è confusa."))
    force_unsteady: int = _added(
        2, TOTAL, _FORCE, both("From {n} on it is unsteady; below it is lost.", "Da {n} è instabile; sotto è perduta."))
    ft_routed: int = _added(-3, TO_TOTAL, _FORCE,
                            both("Routed: {signed} to the Force test.", "In rotta: {signed} al test della Forza."))
    ft_unsteady: int = _added(-2, TO_TOTAL, _FORCE,
                              both("Unsteady: {signed} to the Force test.", "Instabile: {signed} al test della Forza."))
    ft_confused: int = _added(-1, TO_TOTAL, _FORCE,
                              both("Confused: {signed} to the Force test.", "Confusa: {signed} al test della Forza."))
    ft_enemy: int = _added(-1, TO_TOTAL, _FORCE,
                           both("In enemy territory: {signed} to the Force test.",
                                "In territorio nemico: {signed} al test della Forza."))
    ft_friendly: int = _added(2, TO_TOTAL, _FORCE,
                              both("In friendly territory: {signed} to the Force test.",
                                   "In territorio amico: {signed} al test della Forza."))
    ft_marker: int = _added(-1, TO_TOTAL, _FORCE,
                            both("A Will marker: {signed} to the next Force test.",
                                 "Con un segnalino volontà: {signed} al prossimo test della Forza."), ASSUMED)
    ft_supply: int = _added(-1, TO_TOTAL, "1 Force test 8",
                            both("Spoiled supply: {signed} to the next Force test.",
                                 "Viveri guasti: {signed} al prossimo test della Forza."), ASSUMED)

    # --- movement
    move_die: str = _die(_MOVE, both("The die of movement is {option}.", "Il dado del movimento è {option}."))
    mv_river: int = _added(-1, TO_DIE, _MOVE,
                           both("Starting where a river flows: {signed} to the die.",
                                "Partendo dove scorre un fiume: {signed} al dado."))
    mv_marsh: int = _added(-1, TO_DIE, _MOVE,
                           both("Starting in a marsh: {signed} to the die.",
                                "Partendo da una palude: {signed} al dado."))
    mv_enemy: int = _added(-1, TO_DIE, "2 movement 2 naval",
                           both("Starting in enemy territory: {signed} to the die.",
                                "Partendo in territorio nemico: {signed} al dado."))
    mv_friendly: int = _added(1, TO_DIE, "2 movement 2 naval",
                              both("Starting in friendly territory: {signed} to the die.",
                                   "Partendo in territorio amico: {signed} al dado."))
    mv_reaction: int = _added(-2, TO_DIE, "Rea 2 movement",
                              both("Unsteady or routed: {signed} to the die.",
                                   "Instabile o in rotta: {signed} al dado."))
    mv_march: int = _added(2, TO_DIE, "Ord 2 movement",
                           both("On forced march: {signed} to the die.", "In marce forzate: {signed} al dado."))
    mv_road: int = _added(1, TO_DIE, _MOVE,
                          both("By road or caravan track: {signed} to the die.",
                               "Su strada o pista carovaniera: {signed} al dado."))
    mv_1: int = _added(3, TOTAL, _MOVE,
                       both("From {n} on a Force moves one square.", "Da {n} una Forza muove di un quadrato."))
    mv_2: int = _added(6, TOTAL, _MOVE,
                       both("From {n} on a Force moves two squares.", "Da {n} una Forza muove di due quadrati."))
    mv_3: int = _added(9, TOTAL, _MOVE,
                       both("From {n} on a Force moves three squares.", "Da {n} una Forza muove di tre quadrati."))
    max_land: int = number(3, SQUARES, _MOVE,
                           both("A path on land counts as far as square {n}.",
                                "Un percorso a terra conta fino al quadrato {n}."), minimum=1)
    sl_contrary: int = _added(-3, TO_DIE, _SAIL,
                              both("Contrary wind: {signed} to the die.", "Vento contrario: {signed} al dado."))
    sl_calm: int = _added(-2, TO_DIE, _SAIL, both("Calm: {signed} to the die.", "Calma piatta: {signed} al dado."))
    sl_fair: int = _added(1, TO_DIE, _SAIL,
                          both("Fair wind: {signed} to the die.", "Vento favorevole: {signed} al dado."))
    sl_reefs: int = _added(-1, TO_DIE, _SAIL,
                           both("Reefs or isles on the way: {signed} to the die.",
                                "Scogli o isole sul percorso: {signed} al dado."))
    sl_small: int = _added(-2, TO_DIE, _SAIL,
                           both("Small boats on sea or lake: {signed} to the die.",
                                "Natanti piccoli in mare o lago: {signed} al dado."))
    sl_barges: int = _added(-1, TO_DIE, _SAIL,
                            both("Barges for mounts: {signed} to the die.",
                                 "Chiatte per le cavalcature: {signed} al dado."))
    sl_rapids: int = _added(-3, TO_DIE, _SAIL,
                            both("Falls or rapids on the way: {signed} to the die.",
                                 "Cascate o rapide sul percorso: {signed} al dado."))
    sl_up: int = _added(-2, TO_DIE, _SAIL,
                        both("Upstream: {signed} to the die.", "Risalita del fiume: {signed} al dado."))
    sl_down: int = _added(1, TO_DIE, _SAIL,
                          both("Downstream: {signed} to the die.", "Discesa del fiume: {signed} al dado."))
    sl_bridge: int = _added(-1, TO_DIE, _SAIL,
                            both("A bridge at the start or soon after: {signed} to the die.",
                                 "Un ponte alla partenza o subito dopo: {signed} al dado."))
    bridge_span: int = number(3, SQUARES, _SAIL,
                              both("Bridges are looked for as far as square {n} of the path.",
                                   "I ponti si cercano fino al quadrato {n} del percorso."))
    sl_2: int = _added(3, TOTAL, _SAIL,
                       both("From {n} on boats go two squares.", "Da {n} i natanti vanno di due quadrati."))
    sl_3: int = _added(6, TOTAL, _SAIL,
                       both("From {n} on boats go three squares.", "Da {n} i natanti vanno di tre quadrati."))
    sl_4: int = _added(9, TOTAL, _SAIL,
                       both("From {n} on boats go four squares.", "Da {n} i natanti vanno di quattro quadrati."))
    max_sail: int = number(4, SQUARES, _SAIL,
                           both("A path on water counts as far as square {n}.",
                                "Un percorso per acqua conta fino al quadrato {n}."), minimum=1)
    embark_step: int = number(1, SQUARES, _SAIL,
                              both("Embarking and landing cost {n} {n?square|squares} each.",
                                   "Imbarco e sbarco costano {n} {n?quadrato|quadrati} l'uno."))
    embark_floor: int = number(1, SQUARES, _SAIL,
                               both("They never leave less than {n} {n?square|squares}.",
                                    "Ne resta sempre almeno {n}."), DERIVED)
    crossing_die: str = _die(_CROSS,
                             both("Losses of a crossing are {option}, less what follows, for each Unit.",
                                  "Le perdite di una traversata sono {option}, meno quanto segue, per ogni Unità."))
    crossing_minus: int = number(2, both("die", "dado"), _CROSS,
                                 both("From the die of a crossing {n} is taken.",
                                      "Dal dado di una traversata si toglie {n}."))
    crossing_pct: int = number(25, both("%", "%"), _CROSS,
                               both("A Unit that has lost more than {n}% in a crossing is tested for deserters.",
                                    "Un'Unità che ha perso più del {n}% in una traversata fa il test dei disertori."))
    counter_march_tn: int = number(6, TOTAL, _MOVE,
                                   both("A counter-march needs {n}.", "La contromarcia riesce con {n}."), ASSUMED)
    counter_march_unsteady: int = _added(-2, TO_TOTAL, _MOVE,
                                         both("Unsteady: {signed} to the counter-march.",
                                              "Instabile: {signed} alla contromarcia."), ASSUMED)

    # --- exploration and battle
    explore_die: str = _die(_EXPLORE,
                            both("The die of exploration is {option}.", "Il dado dell'esplorazione è {option}."))
    ex_friendly: int = _added(2, TO_TOTAL, _EXPLORE,
                              both("In friendly territory: {signed} to exploration.",
                                   "In territorio amico: {signed} all'esplorazione."))
    ex_enemy: int = _added(-1, TO_TOTAL, _EXPLORE,
                           both("In enemy territory: {signed} to exploration.",
                                "In territorio nemico: {signed} all'esplorazione."))
    ex_defend: int = number(2, both("factor", "fattore"), "Ord 3 exploration",
                            both("On defend exploration counts {n} {n?time|times}.",
                                 "In difesa l'esplorazione vale {n} {n?volta|volte}."), minimum=1)
    scout_points: int = number(1, TO_TOTAL, _EXPLORE,
                               both("Each Unit of scouts: {signed} to exploration.",
                                    "Ogni Unità di esploratori: {signed} all'esplorazione."), ASSUMED)
    scouts_max: int = number(3, TO_TOTAL, _EXPLORE,
                             both("All scouts together: {signed} at most.",
                                  "Tutti gli esploratori insieme: al massimo {signed}."), ASSUMED)
    wizard_points: int = number(2, TO_TOTAL, _EXPLORE,
                                both("A wizard: {signed} to exploration.", "Un mago: {signed} all'esplorazione."),
                                ASSUMED)
    band_1: int = number(2, DIFFERENCE, _EXPLORE,
                         both("From a difference of {n} on the better side picks its table side.",
                              "Da una differenza di {n} la parte migliore sceglie il lato del tavolo."), ASSUMED, 1)
    band_2: int = number(4, DIFFERENCE, _EXPLORE,
                         both("From {n} on the other side deploys half its Units first.",
                              "Da {n} l'altra parte schiera prima metà delle Unità."), ASSUMED, 1)
    band_3: int = number(6, DIFFERENCE, _EXPLORE,
                         both("From {n} on it picks the time of day, and lays an ambush.",
                              "Da {n} sceglie l'ora del giorno e tende un'imboscata."), ASSUMED, 1)
    night_exploration: int = _added(
        -2, TO_TOTAL, "6", both("At night: {signed} to exploration.", "Di notte: {signed} all'esplorazione."), ASSUMED)
    fieldworks_per_figure: int = number(1, POINTS, "Ord",
                                        both("On defend each figure makes field works worth {n}.",
                                             "In difesa ogni miniatura fa opere da campo per {n}."))
    withdraw_hours: str = switch(_BACK,
                                 both("Command tests for a withdrawal, by hour of battle: {option}.",
                                      "Test di Comando per una ritirata, secondo l'ora di battaglia: {option}."),
                                 options=("-3, -2, -1, 0",), pattern=r"[+-]?\d(, ?[+-]?\d){3}")
    command_tn: int = number(4, TOTAL, _BACK, both("A Command test needs {n}.", "Il test di Comando riesce con {n}."),
                             ASSUMED)
    general_minus: int = _added(-3, TOTAL, _BACK,
                                both("The General's test has {signed}.", "Il test del Generale ha {signed}."), ASSUMED)
    general_withdraw: int = _added(-1, TOTAL, _BACK,
                                   both("For a withdrawal the General's test has {signed} besides.",
                                        "Per una ritirata il test del Generale ha anche {signed}."), ASSUMED)

    # --- after the battle
    wound_die: str = _die(
        _WOUND, both("For each figure that fell {option} is thrown.", "Per ogni miniatura uccisa si tira {option}."))
    wound_ok: int = number(4, TOTAL, _WOUND, both("From {n} on it is only wounded.", "Da {n} è soltanto ferita."))
    wound_friendly: int = _added(1, TO_DIE, _WOUND,
                                 both("In friendly territory: {signed} to the die.",
                                      "In territorio amico: {signed} al dado."))
    wound_enemy: int = _added(
        -1, TO_DIE, _WOUND, both("In enemy territory: {signed} to the die.", "In territorio nemico: {signed} al dado."))
    wounded_turns: int = number(2, TURNS, "7",
                                both("The wounded are back after {n} {n?turn|turns}.",
                                     "I feriti tornano dopo {n} {n?turno|turni}."), ASSUMED)
    desert_die: str = _die(
        _DESERT, both("For each figure that ran {option} is thrown.", "Per ogni miniatura fuggita si tira {option}."))
    desert_ok: int = number(4, TOTAL, _DESERT, both("From {n} on it comes back.", "Da {n} ritorna."))
    q_average: int = _added(1, TO_DIE, _DESERT,
                            both("Average quality: {signed} to the die.", "Qualità media: {signed} al dado."))
    q_veteran: int = _added(2, TO_DIE, _DESERT, both("Veterans: {signed} to the die.", "Veterani: {signed} al dado."))
    q_elite: int = _added(3, TO_DIE, _DESERT, both("Elite: {signed} to the die.", "Elite: {signed} al dado."))
    poor_mod: int = _added(0, TO_DIE, _DESERT,
                           both("Poor quality: {signed} to the die.", "Qualità scarsa: {signed} al dado."), ASSUMED)
    q_unpredictable: str = switch(_DESERT,
                                  both("Unpredictable quality: {option}, once for the Unit.",
                                       "Qualità imprevedibile: {option}, una volta per l'Unità."), options=("1d6 - 3",),
                                  pattern=r"[1-9]\d?d[1-9]\d{0,2}( ?[+-] ?\d+)?")
    desert_routed: int = _added(-1, TO_DIE, _DESERT,
                                both("Who left in rout: {signed} to the die.",
                                     "Chi è fuggito in rotta: {signed} al dado."))
    retreat_squares: int = number(1, SQUARES, _AFTER,
                                  both("A beaten Force falls back by {n} {n?square|squares}.",
                                       "Una Forza battuta arretra di {n} {n?quadrato|quadrati}."), minimum=1)
    gap_squares: int = number(1, SQUARES, _AFTER,
                              both("After a stalemate {n} {n?square lies|squares lie} between the two.",
                                   "Dopo uno stallo fra i due {n?resta|restano} {n} {n?quadrato|quadrati}."))

    # --- the will to fight
    will_won: int = _added(
        1, TO_DIE, "5", both("Each battle won: {signed} to the will.", "Ogni battaglia vinta: {signed} alla volontà."))
    will_lost: int = _added(-1, TO_DIE, "5",
                            both("Each battle lost: {signed} to the will.",
                                 "Ogni battaglia perduta: {signed} alla volontà."))
    will_taken: int = _added(1, TO_DIE, "5",
                             both("Each stronghold taken and held: {signed} to the will.",
                                  "Ogni caposaldo preso e tenuto: {signed} alla volontà."))
    will_gone: int = _added(-1, TO_DIE, "5",
                            both("Each own stronghold in other hands: {signed} to the will.",
                                 "Ogni proprio caposaldo in mano altrui: {signed} alla volontà."))
    will_capital_taken: int = _added(3, TO_DIE, "5",
                                     both("Each enemy capital held: {signed} to the will.",
                                          "Ogni capitale nemica tenuta: {signed} alla volontà."))
    will_capital_lost: int = _added(-3, TO_DIE, "5",
                                    both("The own capital in other hands: {signed} to the will.",
                                         "La propria capitale in mano altrui: {signed} alla volontà."))
    will_fail_at: int = _added(0, TOTAL, "5",
                               both("Below {n} the campaign is over for a faction.",
                                    "Sotto {n} la campagna è finita per una fazione."))
    deputy_vc: int = number(1, both("V.C.", "V.C."), "4 wounded",
                            both("In the place of a commander who fell stands V.C. {n} at most.",
                                 "Al posto di un condottiero caduto c'è al massimo V.C. {n}."), ASSUMED)

    # --- the year
    turn_weeks: int = number(1, both("weeks", "settimane"), "6",
                             both("A turn takes {n} {n?week|weeks}.", "Un turno dura {n} {n?settimana|settimane}."),
                             ASSUMED)
    month_turns: int = number(
        4, TURNS, "6", both("A month has {n} {n?week|weeks}.", "Un mese ha {n} {n?settimana|settimane}."), ASSUMED, 1)
    season_turns: int = number(13, TURNS, "6",
                               both("A season has {n} {n?week|weeks}.", "Una stagione ha {n} {n?settimana|settimane}."),
                               ASSUMED, 1)
    muster_capital: int = number(100, POINTS, "7",
                                 both("A capital gives {n} {n?point|points} a month.",
                                      "Una capitale dà {n} {n?punto|punti} al mese."), ASSUMED)
    muster_stronghold: int = number(50, POINTS, "7",
                                    both("A stronghold gives {n} {n?point|points} a month.",
                                         "Un caposaldo dà {n} {n?punto|punti} al mese."), ASSUMED)
    muster_captured: int = number(0, both("%", "%"), "7",
                                  both("A place of others gives {n}% of that.", "Un luogo altrui ne dà il {n}%."),
                                  ASSUMED)
    commander_cost: int = number(20, POINTS, "7",
                                 both("A commander costs {n} {n?point|points} for each point of V.C.",
                                      "Un condottiero costa {n} {n?punto|punti} per ogni punto di V.C."), ASSUMED)
    muster_vc_max: int = number(2, both("V.C.", "V.C."), "7",
                                both("At most V.C. {n} can be bought.", "Si compra al massimo V.C. {n}."), ASSUMED, 1)
    unit_min: int = number(5, both("figures", "miniature"), "7",
                           both("A new Unit has {n} {n?figure|figures} at least.",
                                "Una nuova Unità ha almeno {n} {n?miniatura|miniature}."), ASSUMED, 1)
    event_on: int = number(6, both("die", "dado"), "8",
                           both("A random event comes on a {n}.", "L'evento casuale arriva con un {n}."), ASSUMED, 1)
    event_turns: int = number(2, TURNS, "8",
                              both("A road or bridge stays cut for {n} more {n?turn|turns}.",
                                   "Una strada o un ponte restano interrotti per altri {n} {n?turno|turni}."), ASSUMED)
    hero_turns: int = number(4, TURNS, "8",
                             both("A wandering hero stays {n} {n?turn|turns}.",
                                  "Un eroe errante resta {n} {n?turno|turni}."), ASSUMED)
    hero_points: int = number(20, POINTS, "8",
                              both("A wandering hero counts {n} {n?point|points}.",
                                   "Un eroe errante vale {n} {n?punto|punti}."), ASSUMED)
    mercenary_points: int = number(50, POINTS, "8",
                                   both("Mercenaries for hire cost {n} {n?point|points}.",
                                        "I mercenari in vendita costano {n} {n?punto|punti}."), ASSUMED)
    army_points: int = number(0, POINTS, "7",
                              both("An Army begins with at most {n} {n?point|points} of figures and commanders; with 0 "
                                   "as many as it likes.",
                                   "Un'Armata comincia con al più {n} {n?punto|punti} di miniature e condottieri; con "
                                   "0 con quanti ne vuole."), ASSUMED, setup=True)
    max_turns: int = number(52, TURNS, "end",
                            both("The campaign ends after {n} {n?turn|turns}.",
                                 "La campagna finisce dopo {n} {n?turno|turni}."), ASSUMED, 1, setup=True)


# Switches: every choice that the book leaves open (rulebook: Switches).


class Rules(Numbers):
    """Numbers and switches; of a switch the first option is the default."""

    phase0: Literal["off", "on", "ask"] = switch(
        "0", both("The weather {option}.", "Il tempo {option}."), both("is always fair", "è sempre sereno"),
        both("is thrown for", "si tira"), both("is said by the referee", "lo dice l'arbitro"), setup=True)
    phase8: Literal["on", "off", "ask"] = switch(
        "8", both("Random events {option}.", "Gli eventi casuali {option}."), both("are thrown for", "si tirano"),
        both("are left out", "non si giocano"), both("are said by the referee", "li dice l'arbitro"), setup=True)
    phase6: Literal["week", "ask"] = switch(
        "6", both("How many weeks a turn takes {option}.", "La durata di un turno in settimane {option}."),
        both("is fixed", "è fissa"), both("is said by the referee", "lo dice l'arbitro"), setup=True)
    phase7: Literal["table", "ask"] = switch(
        "7", both("The points of a place {option}.", "I punti di un luogo {option}."), both("are fixed", "sono fissi"),
        both("are said by the referee", "li dice l'arbitro"), setup=True)
    move_method: Literal["A", "B"] = switch(
        "2 movement", both("In the order of initiative {option}.", "Nell'ordine d'iniziativa {option}."),
        both("a faction moves all its Forces, then the next", "una fazione muove tutte le Forze, poi la successiva"),
        both("each faction moves one Force in turn", "ogni fazione muove una Forza a turno"), setup=True)
    adjacency: Literal["8", "4"] = switch(
        "2 movement", both("A square touches {option} others.", "Un quadrato confina con altri {option}."),
        both("eight", "otto"), both("four", "quattro"))
    zoc: Literal["off", "stop", "through"] = switch(
        "2 movement", both("Zones of control {option}.", "Le zone di controllo {option}."),
        both("are not played", "non si giocano"), both("end a move", "fermano una mossa"),
        both("end a move that does not go on into their Force",
             "fermano una mossa che non prosegue contro la loro Forza"))
    counter_march: Literal["off", "on"] = switch(
        "2 movement", both("A Force that is attacked {option}.", "Una Forza attaccata {option}."),
        both("fights", "combatte"), both("may step back before the battle", "può arretrare prima della battaglia"))
    third_party: Literal["stops_before"] = switch(
        "2 movement",
        both("Before a square in which two others are in contact a Force {option}.",
             "Davanti a un quadrato in cui altri due sono a contatto una Forza {option}."), both("stops", "si ferma"))
    order_timing: Literal["once", "two_steps"] = switch(
        "Ord", both("Orders are due {option}.", "Gli ordini si danno {option}."),
        both("once a turn", "una volta per turno"),
        both("first those of phase 1, then all others", "prima quelli della fase 1, poi tutti gli altri"), setup=True)
    order_under_reaction: Literal["dropped", "kept"] = switch(
        "Rea", both("Under a reaction the order {option}.", "Con una reazione l'ordine {option}."),
        both("is dropped", "decade"), both("is kept", "resta"))
    rout_result: Literal["removed", "until_contact"] = switch(
        "1 Force test",
        both("A Force that fails its test altogether {option}.", "Una Forza che fallisce del tutto il test {option}."),
        both("is removed at once", "è tolta subito"),
        both("is routed, and removed when it is attacked", "è in rotta, e tolta quando è attaccata"))
    will_marker: Literal["next_test", "none"] = switch(
        "1 Force test", both("A Will marker {option}.", "Un segnalino volontà {option}."),
        both("counts in the next Force test", "conta nel prossimo test della Forza"),
        both("only reminds of the Will test", "ricorda soltanto il test della volontà"))
    terrain_stack: Literal["add", "worst"] = switch(
        "2 movement", both("Of two terrains in a square {option}.", "Di due terreni in un quadrato {option}."),
        both("both count", "contano entrambi"), both("the worse counts", "conta il peggiore"))
    road_bonus: Literal["start", "first_step"] = switch(
        "2 movement", both("A road counts {option}.", "Una strada conta {option}."),
        both("where it touches the start", "se tocca la partenza"),
        both("where the first step follows it", "se il primo passo la segue"))
    weather_closes_fords: Literal["on", "off"] = switch(
        "0", both("Rain and storm {option}.", "Pioggia e tempesta {option}."),
        both("close the fords", "chiudono i guadi"), both("leave the fords open", "lasciano aperti i guadi"))
    wind_roll: Literal["weather", "each_move", "off"] = switch(
        "2 naval", both("The die of the wind is thrown {option}.", "Il dado del vento si tira {option}."),
        both("in windy weather", "con il vento"), both("for each move on sea or lake", "per ogni mossa in mare o lago"),
        both("never", "mai"))
    naval_low: Literal["as_text", "same"] = switch("2 naval", both("A low die {option}.", "Un tiro basso {option}."),
                                                   both("moves boats one square", "muove i natanti di un quadrato"),
                                                   both("leaves boats where they are, as on land",
                                                        "lascia fermi i natanti, come a terra"))
    barge_stack: Literal["both", "small"] = switch(
        "2 naval", both("Barges on sea or lake count {option}.", "In mare o lago le chiatte contano {option}."),
        both("with ships, too", "anche con le navi"), both("with small boats only", "solo con natanti piccoli"))
    boat_capacity: Literal["on", "off"] = switch(
        "2 naval", both("How many figures boats carry {option}.", "Quante miniature portino i natanti {option}."),
        both("is limited", "è limitato"), both("does not matter", "non importa"))
    ships_on_rivers: Literal["yes", "no"] = switch(
        "2 naval", both("On rivers go {option}.", "Sui fiumi vanno {option}."),
        both("ships and small boats", "navi e natanti piccoli"), both("small boats only", "solo natanti piccoli"))
    sea_and_river: Literal["no", "yes"] = switch("2 naval", both("One move {option}.", "Una mossa {option}."),
                                                 both("goes on sea or on a river", "va in mare o su un fiume"),
                                                 both("may go on both, with both lists",
                                                      "può andare su entrambi, con le due liste"))
    crossing_per: Literal["square", "move", "turn"] = switch(
        "2 crossing", both("Losses of a crossing come {option}.", "Le perdite di una traversata arrivano {option}."),
        both("with each wild square", "per ogni quadrato selvaggio"), both("once a move", "una volta per mossa"),
        both("once for who begins the turn there", "una volta per chi vi comincia il turno"))
    crossing_base: Literal["start", "current"] = switch("2 crossing",
                                                        both("The share that a crossing has cost is that of {option}.",
                                                             "La quota costata da una traversata è quella {option}."),
                                                        both("the figures at the start", "delle miniature all'inizio"),
                                                        both("the figures before the loss",
                                                             "delle miniature prima della perdita"))
    crossing_count: Literal["crossing", "turn", "all"] = switch(
        "2 crossing", both("Of losses count {option}.", "Delle perdite contano {option}."),
        both("those of this crossing", "quelle di questa traversata"),
        both("those of this turn", "quelle di questo turno"),
        both("all missing figures", "tutte le miniature mancanti"))
    crossing_shelter: Literal["on", "off"] = switch(
        "2 crossing", both("In a wild square places {option}.", "In un quadrato selvaggio i luoghi {option}."),
        both("give shelter", "danno riparo"), both("give no shelter", "non danno riparo"))
    natives_exempt: Literal["off", "on"] = switch(
        "2 crossing", both("In their own wilds natives {option}.", "Nelle proprie terre selvagge i nativi {option}."),
        both("lose figures, too", "perdono anch'essi miniature"), both("are spared", "sono risparmiati"))
    crossing_territory: Literal["on", "off"] = switch("2 crossing",
                                                      both("For who falls in a crossing territory {option}.",
                                                           "Per chi cade in una traversata il territorio {option}."),
                                                      both("counts", "conta"), both("does not count", "non conta"))
    confused_scout: Literal["or", "and"] = switch(
        "3 exploration",
        both("On forced march or confused {option} explore.", "In marce forzate o confusi esplorano {option}."),
        both("wizard or scouts", "mago o esploratori"), both("wizard and scouts", "mago ed esploratori"))
    natural_first: Literal["before", "after"] = switch(
        "4 wounded 4 deserters", both("A natural 1 or 6 {option}.", "Un 1 o un 6 naturale {option}."),
        both("decides by itself", "decide da solo"), both("is a die as any other", "è un tiro come gli altri"))
    unsteady_loser: Literal["routed", "destroyed"] = switch(
        "4 reactions", both("An unsteady Force that is beaten is {option}.", "Una Forza instabile battuta è {option}."),
        both("routed", "in rotta"), both("destroyed", "distrutta"))
    lost_on_stronghold: Literal["yes", "no"] = switch("4 movement after",
                                                      both("A beaten Force {option} its stronghold.",
                                                           "Una Forza battuta {option} il proprio caposaldo."),
                                                      both("leaves", "lascia"), both("keeps", "tiene"))
    no_retreat: Literal["destroyed", "stays"] = switch("4 movement after",
                                                       both("A beaten Force that cannot step back {option}.",
                                                            "Una Forza battuta che non può arretrare {option}."),
                                                       both("is destroyed", "è distrutta"), both("stays", "resta"))
    stalemate_order: Literal["dice", "vc"] = switch(
        "4 movement after",
        both("After a stalemate {option} steps back first.", "Dopo uno stallo arretra per primo {option}."),
        both("who throws lower", "chi tira più basso"),
        both("the side of the lower V.C.", "la parte con il V.C. più basso"))
    fieldworks_keep: Literal["lost", "kept"] = switch("Ord",
                                                      both("Field works of a Force that moves are {option}.",
                                                           "Le opere da campo di una Forza che si muove sono "
                                                           "{option}."), both("lost", "perdute"),
                                                      both("kept", "conservate"))
    withdraw_halt: Literal["yes", "referee"] = switch("3 withdrawal",
                                                      both("A Unit that withdraws may halt before the enemy {option}.",
                                                           "Un'Unità in ritirata può fermarsi davanti al nemico "
                                                           "{option}."), both("as it likes", "come vuole"),
                                                      both("if the referee agrees", "se l'arbitro è d'accordo"))
    will_trigger: Literal["force_test", "any_force", "all_forces"] = switch(
        "5", both("The will is tested for {option}.", "La volontà si prova per {option}."),
        both("a Force lost in its test", "una Forza perduta nel test"),
        both("any Force that is lost", "ogni Forza perduta"),
        both("nothing less than all Forces", "niente meno di tutte le Forze"))
    auto_rounding: Literal["down", "half_up"] = switch("3",
                                                       both("What dice take of a Unit is rounded {option}.",
                                                            "Ciò che i dadi tolgono a un'Unità si arrotonda {option}."),
                                                       both("down", "per difetto"),
                                                       both("up from one half", "per eccesso da una metà in su"))
    confirm_results: Literal["no", "yes"] = switch(
        "3", both("The referee {option} each result.", "L'arbitro {option} ogni risultato."),
        both("need not confirm", "non deve confermare"), both("confirms", "conferma"), setup=True)
    will_tests: Literal["once", "per_trigger"] = switch(
        "5", both("The will is tested {option}.", "La volontà si prova {option}."),
        both("once a turn", "una volta per turno"), both("for each reason", "per ogni motivo"))
    will_battles: Literal["campaign", "turn"] = switch(
        "5", both("For the will count the battles of {option}.", "Per la volontà contano le battaglie {option}."),
        both("the campaign", "della campagna"), both("the turn", "del turno"))
    capital_is_stronghold: Literal["no", "yes"] = switch(
        "5", both("A capital {option} as a stronghold besides.", "Una capitale {option} anche come caposaldo."),
        both("does not count", "non conta"), both("counts", "conta"))
    territory_mode: Literal["home", "holder"] = switch(
        "2 movement", both("Territory {option}.", "Il territorio {option}."),
        both("stays as it was drawn", "resta com'è disegnato"),
        both("follows who holds its place", "segue chi tiene il suo luogo"))
    hold_needs_force: Literal["no", "yes"] = switch(
        "4 movement after", both("A place that was taken {option}.", "Un luogo conquistato {option}."),
        both("is held without a Force", "si tiene anche senza una Forza"),
        both("goes back where no Force is left in it", "torna indietro dove non resta una Forza"))
    fog: Literal["open", "near"] = switch(
        "Ord", both("Forces of others are seen {option}.", "Le Forze altrui si vedono {option}."),
        both("everywhere", "ovunque"), both("near one's own only", "solo vicino alle proprie"), setup=True)
    allies_share: Literal["positions", "full"] = switch(
        "Ord", both("Of allies one sees {option}.", "Degli alleati si vede {option}."),
        both("where they stand", "dove stanno"), both("all they have", "tutto quello che hanno"), setup=True)
    sight: int = number(2, SQUARES, "Ord",
                        both("With fog near a Force is seen from {n} {n?square|squares} away.",
                             "Con fog near una Forza si vede da {n} {n?quadrato|quadrati} di distanza."), "ASSUMED",
                        setup=True)
    hidden_battles: Literal["number", "square"] = switch("Ord",
                                                         both("With fog near a battle is called by {option}.",
                                                              "Con fog near una battaglia prende il nome {option}."),
                                                         both("its number in the turn", "dal suo numero nel turno"),
                                                         both("its square", "dal suo quadrato"), begins="square")
    hidden_forces: Literal["number", "square"] = switch(
        "7",
        both("With fog near a new Force is called by {option}.",
             "Con fog near una Forza nuova prende il nome {option}."), both("the next number", "dal numero seguente"),
        both("its turn and square", "dal suo turno e dal suo quadrato"), begins="square")


# Purposes of dice, and the tables of campaigns that bring none (rulebook: Tables).


WEATHER = Purpose("weather/{Zones}", "2d6")
FORCE_TEST = Purpose("force-test/{Armies*}", "")
INITIATIVE = Purpose("initiative/{Factions}/{n}")
MOVE = Purpose("move/{Armies*}", "")
SAIL = Purpose("sail/{Armies*}", "")
WIND = Purpose("wind/{Armies*}")
COUNTER_MARCH = Purpose("counter-march/{Armies*}")
CROSSING = Purpose("crossing/{Units*}/{n}", "")
WOUNDED_CROSSING = Purpose("wounded/crossing/{Units*}/{n}/{n}", "")
QUALITY_CROSSING = Purpose("quality/crossing/{Units*}/{n}", "")
DESERTER_CROSSING = Purpose("deserter/crossing/{Units*}/{n}/{n}", "")
EXPLORE = Purpose("explore/{Battles*}/{Armies*}", "")
AUTO = Purpose("auto/{Battles*}/{A|D}", "2d6")
AUTO_COMMANDER = Purpose("auto/{Battles*}/commander/{Armies*}", "")
WOUNDED = Purpose("wounded/{Battles*}/{Units*}/{n}", "")
WOUNDED_COMMANDER = Purpose("wounded/{Battles*}/{Armies*}/commander", "")
QUALITY = Purpose("quality/{Battles*}/{Units*}", "")
DESERTER = Purpose("deserter/{Battles*}/{Units*}/{n}", "")
STALEMATE = Purpose("stalemate/{Battles*}/{A|D}/{n}")
WILL = Purpose("will/{Factions}", again="/{n}")
EVENT = Purpose("event/{Factions}")
EVENT_TABLE = Purpose("event-table/{Factions}", "2d6")
EVENT_PICK = Purpose("event-pick/{Factions}", "")
FEVER = Purpose("fever/{Units*}")
QUALITY_EVENT = Purpose("quality/event/{Units*}", "")
DESERTER_EVENT = Purpose("deserter/event/{Units*}/{n}", "")
LEVIES = Purpose("levies/{Factions}")
GATES = Purpose("gates/{Factions}")
AID = Purpose("aid/{general|command}/{Battles*}/{Armies*}/{n}")

ROLLS: Mapping[str, RollKind] = by_word(
    RollKind.of(both("Weather", "Tempo"), WEATHER),
    RollKind.of(both("Force tests", "Test della Forza"), FORCE_TEST),
    RollKind.of(both("Initiative", "Iniziativa"), INITIATIVE),
    RollKind.of(both("Movement on land", "Movimento a terra"), MOVE),
    RollKind.of(both("Movement on water", "Movimento per acqua"), SAIL),
    RollKind.of(both("Wind", "Vento"), WIND),
    RollKind.of(both("Counter-marches", "Contromarce"), COUNTER_MARCH),
    RollKind.of(both("Losses in the wilds", "Perdite nelle terre selvagge"), CROSSING),
    RollKind.of(both("The fallen: dead or wounded", "I caduti: morti o feriti"), WOUNDED_CROSSING, WOUNDED_COMMANDER,
                WOUNDED),
    RollKind.of(both("Unpredictable Units", "Unità imprevedibili"), QUALITY_CROSSING, QUALITY_EVENT, QUALITY),
    RollKind.of(both("Deserters", "Disertori"), DESERTER_CROSSING, DESERTER_EVENT, DESERTER),
    RollKind.of(both("Exploration", "Esplorazione"), EXPLORE),
    RollKind("auto", both("Battles that were not played", "Battaglie non giocate"),
             shapes=(*AUTO.shapes(), *AUTO_COMMANDER.shapes())),
    RollKind.of(both("Who steps back first", "Chi arretra per primo"), STALEMATE),
    RollKind.of(both("The will to fight", "La volontà di combattere"), WILL),
    RollKind.of(both("Random events", "Eventi casuali"), EVENT),
    RollKind.of(both("Which random event", "Quale evento casuale"), EVENT_TABLE),
    RollKind.of(both("Whom a random event befalls", "A chi tocca un evento casuale"), EVENT_PICK),
    RollKind.of(both("Camp fever", "Febbre da campo"), FEVER),
    RollKind.of(both("Levies", "Leve"), LEVIES),
    RollKind.of(both("Open gates", "Porte aperte"), GATES),
    RollKind.of(both("Generals and commanders at the table", "Generali e condottieri al tavolo"), AID),
)
ONE_LINE = ("desert", "waste")
"""Terrains that share a line of the list of modifiers, and the row of heat: together they count once."""
BATTLES = ("B{turn}-{n}", "B{turn}-{Nodes}", "B{turn}-{Nodes}-{n}")
"""Codes of battles: numbered through the turn."""


def _rows(record: type[Record], text: str) -> list[dict[str, Any]]:
    """The rows of a printed table: a line of headings, then a line for each row; ``-`` is a blank."""
    head, *lines = [line.split() for line in text.strip().splitlines()]
    return [{name: word.replace("_", " ") if name.startswith("name") else word
             for name, word in zip(head, line, strict=True) if word != "-"} for line in lines]


DEFAULTS: tuple[tuple[type[Record], list[dict[str, Any]]], ...] = (
    (Terrain, _rows(Terrain, """
terrain    name_it   water land_mod force_mod crossing
open       aperto    no    0        0         no
cultivated coltivato no    -1       0         no
hill       collina   no    -2       0         no
forest     foresta   no    -2       0         no
jungle     giungla   no    -2       0         yes
mountain   montagna  no    -3       -3        no
desert     deserto   no    -1       0         yes
waste      desolato  no    -1       0         yes
sea        mare      yes   0        0         no
lake       lago      yes   0        0         no""")),
    (Weather, _rows(Weather, """
weather  name_it   low high land_mod sail_mod explore_mod sailing fords_closed missiles
storm    tempesta  -   3    -2       -        -2          no      yes          none
rain     pioggia   4   5    -1       -2       -1          yes     yes          normal
fair     sereno    6   8    0        0        0           yes     no           normal
wind     vento     9   9    0        0        0           yes     no           normal
fog      nebbia    10  10   0        -1       -2          yes     no           half
heat     caldo     11  11   -1       0        0           yes     no           normal
splendid splendido 12  -    1        1        1           yes     no           normal""")),
    (Climate, _rows(Climate, """
climate       name_it       winter spring summer autumn
cold          freddo        -3     -1     0      -1
temperate     temperato     -2     0      1      -1
mediterranean mediterraneo  -1     1      2      0
arid          arido         1      1      3      1
tropical      tropicale     1      -3     -3     1""")),
    (RandomEvent, _rows(RandomEvent, """
roll event          name                name_it
2    camp_fever     Camp_fever          Febbre_da_campo
3    bad_omen       Bad_omen            Cattivo_presagio
4    road_cut       Road_or_bridge_cut  Strada_o_ponte_interrotto
5    desertion      Desertion_in_camp   Diserzioni_al_campo
6    spoiled_supply Spoiled_supply      Viveri_guasti
7    order_revealed Order_revealed      Ordine_svelato
8    guides         Guides              Guide
9    levies         Levies              Leve
10   hero           Wandering_hero      Eroe_errante
11   mercenaries    Mercenaries_for_hire Mercenari_in_vendita
12   open_gates     Open_gates          Porte_aperte""")),
)
"""What fills the tables that a campaign leaves out."""
FAIR, HEAT, SPLENDID, WIND_WEATHER = "fair", "heat", "splendid", "wind"
