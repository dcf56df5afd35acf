"""Every number and switch of The Anarchy with its source, its printed tables, its dice (rulebook: Numbers)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from assistant.rulesets.anarchy import both
from assistant.rulesets.anarchy.records import RANKS
from assistant.turn.dice import Purpose, RangeTable, RollKind, by_word
from assistant.turn.numbers import Rules, number, switch
from assistant.turn.rulings import Steps

ASSUMED, DERIVED = "ASSUMED", "DERIVED"
_MP, _DAILY = both("movement points", "punti movimento"), both("movement points a day", "punti movimento al giorno")


PRESTIGE = both("prestige", "prestigio")


class Numbers(Rules):
    """Every number and switch of the book by its key."""

    # --- march
    move_foot: int = number(5, _DAILY, "8.3",
                            both("A group with men on foot marches {n} movement {n?point|points} a day.",
                                 "Un gruppo con uomini a piedi marcia {n} {n?punto|punti} movimento al giorno."),
                            minimum=1)
    move_cavalry: int = number(8, _DAILY, "8.3",
                               both("A group of knights only marches {n} movement {n?point|points} a day.",
                                    "Un gruppo di soli cavalieri marcia {n} {n?punto|punti} movimento al giorno."),
                               minimum=1)
    move_convoy: int = number(5, _DAILY, "12",
                              both("A convoy marches {n} movement {n?point|points} a day.",
                                   "Un convoglio marcia {n} {n?punto|punti} movimento al giorno."), minimum=1)
    engine_move: int = number(3, _DAILY, "10",
                              both("A siege train marches {n} movement {n?point|points} a day, as oxen go.",
                                   "Le macchine d'assedio marciano {n} {n?punto|punti} movimento al giorno, al passo "
                                   "dei buoi."), ASSUMED, 1)
    move_lone_noble: int = number(8, _DAILY, "9",
                                  both("A noble without men marches {n} movement {n?point|points} a day.",
                                       "Un nobile senza uomini marcia {n} {n?punto|punti} movimento al giorno."),
                                  ASSUMED, 1)
    cost_open: int = number(1, _MP, "2.1",
                            both("Entering open ground costs {n} movement {n?point|points}.",
                                 "Entrare in terreno aperto costa {n} {n?punto|punti} movimento."), DERIVED)
    cost_forest: int = number(2, _MP, "2.1",
                              both("Entering a forest costs {n} movement {n?point|points}.",
                                   "Entrare in un bosco costa {n} {n?punto|punti} movimento."), DERIVED)
    cost_hill: int = number(2, _MP, "2.1",
                            both("Entering hills costs {n} movement {n?point|points}.",
                                 "Entrare in collina costa {n} {n?punto|punti} movimento."), DERIVED)
    cost_river: int = number(3, _MP, "2.1",
                             both("Entering a hex with a river costs {n} movement {n?point|points}.",
                                  "Entrare in un esagono con un fiume costa {n} {n?punto|punti} movimento."), DERIVED)
    cost_marsh: int = number(3, _MP, "2.1",
                             both("Entering a marsh costs {n} movement {n?point|points}.",
                                  "Entrare in una palude costa {n} {n?punto|punti} movimento."), ASSUMED)
    cost_coast: int = number(1, _MP, "2.1",
                             both("Entering a hex on the coast costs {n} movement {n?point|points}.",
                                  "Entrare in un esagono di costa costa {n} {n?punto|punti} movimento."), ASSUMED)
    cost_road: int = number(1, _MP, "2.1",
                            both("A step along a road, bridge or ford costs {n} movement {n?point|points}.",
                                 "Un passo lungo una strada, un ponte o un guado costa {n} {n?punto|punti} movimento."),
                            ASSUMED)
    wounded_move: int = number(-3, _MP, "15.7",
                               both("With a hurt man a whole group marches {signed} movement points, once.",
                                    "Con un ferito tutto il gruppo marcia {signed} {signed?punto|punti} movimento, una "
                                    "volta."), minimum=-99)
    hex_km: int = number(5, both("km", "km"), "2", both("A hex is {n} km wide.", "Un esagono è largo {n} km."),
                         minimum=1)

    # --- groups
    group_min: int = number(3, both("heads", "personaggi"), "8.1",
                            both("The smallest group has {n} {n?head|heads}.",
                                 "Il gruppo minimo ha {n} {n?personaggio|personaggi}."), minimum=1)
    supply_from: int = number(10, both("heads of a stack", "personaggi di un gruppo"), "8.4",
                              both("From {n} {n?head|heads} on a stack eats 1 point a day.",
                                   "Da {n} {n?personaggio|personaggi} in su un gruppo consuma 1 punto al giorno."),
                              minimum=1)
    supply_second: int = number(20, both("heads of a stack", "personaggi di un gruppo"), "8.4",
                                both("From {n} {n?head|heads} on a stack eats 2 points a day.",
                                     "Da {n} {n?personaggio|personaggi} in su un gruppo consuma 2 punti al giorno."),
                                minimum=1)
    hunger_days: int = number(2, both("days unfed in a row", "giorni di fila senza cibo"), "8.4",
                              both("After {n} {n?day|days} without food a group starves.",
                                   "Dopo {n} {n?giorno|giorni} senza cibo un gruppo è affamato."), minimum=1)
    hunger_die: int = number(1, both("added to tactical dice", "aggiunto ai dadi tattici"), "8.4",
                             both("A starving group adds {signed} to its dice on the table.",
                                  "Un gruppo affamato aggiunge {signed} ai suoi dadi sul tavolo."))
    hunger_move: int = number(50, both("% of the movement points", "% dei punti movimento"), "8.4",
                              both("A starving group marches {n}% of its points, rounded down.",
                                   "Un gruppo affamato marcia il {n}% dei suoi punti, per difetto."))
    garrison_start: int = number(10, both("fighters", "combattenti"), "5.3",
                                 both("A castle begins with {n} {n?fighter|fighters}.",
                                      "Un castello comincia con {n} {n?combattente|combattenti}."), minimum=3)
    garrison_min: int = number(5, both("fighters", "combattenti"), "5.3",
                               both("A castle keeps {n} {n?fighter|fighters}.",
                                    "In un castello {n?resta|restano} {n} {n?combattente|combattenti}."))
    resources_max: int = number(10, both("points", "punti"), "5.1",
                                both("A place holds {n} {n?point|points} at most.",
                                     "Un luogo tiene al massimo {n} {n?punto|punti}."), minimum=1)
    escort_min: int = number(3, both("heads", "personaggi"), "15.8",
                             both("The smallest escort of captives has {n} {n?head|heads}.",
                                  "La scorta minima dei prigionieri ha {n} {n?personaggio|personaggi}."), minimum=1)

    # --- fame
    prestige_win: int = number(1, PRESTIGE, "9",
                               both("A battle won counts {signed} prestige.",
                                    "Una battaglia vinta vale {signed} di prestigio."), minimum=-9)
    prestige_lost: int = number(-1, PRESTIGE, "9",
                                both("A battle lost counts {signed} prestige.",
                                     "Una battaglia persa vale {signed} di prestigio."), minimum=-9)
    prestige_refusal: int = number(-1, PRESTIGE, "15.5",
                                   both("Refusing battle counts {signed} prestige.",
                                        "Rifiutare battaglia vale {signed} di prestigio."), minimum=-9)
    prestige_loot_village: int = number(-1, PRESTIGE, "9",
                                        both("Looting a village or town counts {signed} prestige.",
                                             "Il saccheggio di un villaggio o di una città vale {signed} di "
                                             "prestigio."), minimum=-9)
    prestige_loot_monastic: int = number(-2, PRESTIGE, "9",
                                         both("Looting a monastery counts {signed} prestige.",
                                              "Il saccheggio di un monastero vale {signed} di prestigio."), minimum=-9)
    prestige_loot_castle: int = number(0, PRESTIGE, "9",
                                       both("Looting a castle counts {signed} prestige.",
                                            "Il saccheggio di un castello vale {signed} di prestigio."), DERIVED, -9)
    new_noble_wins: int = number(2, both("battles", "battaglie"), "9",
                                 both("A group without noble has one after {n} {n?battle|battles} won.",
                                      "Un gruppo senza nobile ne ha uno dopo {n} {n?battaglia vinta|battaglie vinte}."),
                                 minimum=1)
    new_noble_prestige: int = number(
        2, PRESTIGE, "9", both("A new noble has a prestige of {n}.", "Un nuovo nobile ha prestigio {n}."), minimum=1)
    new_noble_core: int = number(50, both("% of the heads", "% dei personaggi"), "9",
                                 both("For a new noble {n}% of the core must have seen those battles.",
                                      "Per un nuovo nobile il {n}% del nucleo deve aver visto quelle battaglie."))

    # --- money
    engineer_price: int = number(4, both("£ for the campaign", "£ per la campagna"), "10",
                                 both("An engineer costs £{n} for the campaign, in a town.",
                                      "Un ingegnere costa {n} £ per la campagna, in una città."))
    oxen_per_engine: int = number(2, both("oxen", "buoi"), "10",
                                  both("Each ram, gallery and mangonel needs {n} oxen.",
                                       "Ogni ariete, galleria e mangano vuole {n} buoi."))
    oxen_per_tower: int = number(4, both("oxen", "buoi"), "10",
                                 both("Each siege tower needs {n} oxen.", "Ogni torre d'assedio vuole {n} buoi."))
    train_peasants: int = number(3, both("peasants", "contadini"), "10",
                                 both("Each siege train needs {n} {n?peasant|peasants}.",
                                      "Ogni gruppo di macchine vuole {n} {n?contadino|contadini}."))
    merc_price: int = number(2, both("£ a mercenary", "£ per mercenario"), "11.3",
                             both("A mercenary costs £{n} for the campaign.",
                                  "Un mercenario costa {n} £ per la campagna."))
    lure_price: int = number(3, both("£ a mercenary", "£ per mercenario"), "11.5",
                             both("A mercenary won over from the other side costs £{n}.",
                                  "Un mercenario distolto dall'altra parte costa {n} £."))
    lure_distance: int = number(2, both("hexes", "esagoni"), "11.5",
                                both("To win one over no other enemy group may be nearer than {n} {n?hex|hexes}.",
                                     "Per distoglierne uno nessun altro gruppo nemico può essere a meno di {n} "
                                     "{n?esagono|esagoni}."))
    promise_desert_at: int = number(3, both("1d10, this or less", "1d10, questo o meno"), "11.4",
                                    both("Mercenaries with a promise desert on {n} or less.",
                                         "I mercenari con una promessa disertano con {n} o meno."))
    promise_step: int = number(-1, both("added for each test made", "aggiunto per ogni test fatto"), "11.4",
                               both("Each test they have made counts {signed} in the next.",
                                    "Ogni test già fatto vale {signed} nel successivo."), minimum=-9)
    recruit_light: int = number(1, both("£", "£"), "13.1",
                                both("A man on light foot costs £{n}.", "Un fante leggero costa {n} £."))
    recruit_peasant: str = switch("13.1", both("A peasant costs £{option}.", "Un contadino costa {option} £."),
                                  options=("0.5",), pattern=r"\d+([.,][05])?")
    loot_value: int = number(1, both("£ a point", "£ per punto"), "13.2",
                             both("A point of loot is worth £{n}.", "Un punto di bottino vale {n} £."))
    convoy_price: int = number(1, both("£ a point", "£ per punto"), "13.2",
                               both("A point bought from a convoy costs £{n}.",
                                    "Un punto comprato da un convoglio costa {n} £."), DERIVED)
    convoy_animals: int = number(5, both("animals", "animali"), "12",
                                 both("A convoy has {n} {n?animal|animals} at most.",
                                      "Un convoglio ha al massimo {n} {n?animale|animali}."), minimum=1)
    convoy_transfer: int = number(5, both("points a day", "punti al giorno"), "12",
                                  both("A convoy moves {n} {n?point|points} a day to or from a place.",
                                       "Tra un convoglio e un luogo {n?passa|passano} {n} {n?punto|punti} al giorno."),
                                  minimum=1)
    ransom_per_prestige: int = number(2, both("£", "£"), "15.8",
                                      both("A ransom is £{n} for each point of prestige.",
                                           "Un riscatto è di {n} £ per ogni punto di prestigio."))
    ransom_knights: int = number(2, both("knights", "cavalieri"), "15.8",
                                 both("With a ransomed noble {n} {n?knight leaves|knights leave}.",
                                      "Con un nobile riscattato {n?parte|partono} {n} {n?cavaliere|cavalieri}."))

    # --- battle
    maps_2_from: int = number(31, both("characters", "personaggi"), "15.1",
                              both("From {n} {n?character|characters} on a battle has two tactical maps.",
                                   "Da {n} {n?personaggio|personaggi} in su una battaglia ha due mappe tattiche."),
                              minimum=2)
    maps_4_from: int = number(61, both("characters", "personaggi"), "15.1",
                              both("From {n} {n?character|characters} on a battle has four tactical maps.",
                                   "Da {n} {n?personaggio|personaggi} in su una battaglia ha quattro mappe tattiche."),
                              minimum=3)
    battle_turns: int = number(12, both("tactical turns", "turni tattici"), "15.6",
                               both("The longest battle has {n} tactical {n?turn|turns}.",
                                    "La battaglia più lunga dura {n} {n?turno tattico|turni tattici}."), minimum=1)
    siege_days_per_point: int = number(2, both("days", "giorni"), "16",
                                       both("A siege eats a point of resources every {n} {n?day|days}.",
                                            "Un assedio consuma un punto di risorse ogni {n} {n?giorno|giorni}."),
                                       minimum=1)

    # --- switches
    terrain_set: Literal["A", "B", "custom"] = switch("2.1",
                                                      both("Open ground, forest, hills, river and marsh cost {option}.",
                                                           "Terreno aperto, bosco, collina, fiume e palude costano "
                                                           "{option}."), both("1 2 2 3 3 (A)", "1 2 2 3 3 (A)"),
                                                      both("1 1 1 3 3 (B)", "1 1 1 3 3 (B)"),
                                                      both("what is typed above", "quanto è scritto sopra"))
    move_unit: Literal["points", "hexes"] = switch(
        "8.3, 4", both("A march is counted {option}.", "Una marcia si conta {option}."),
        both("in movement points", "in punti movimento"), both("in hexes of 1 each", "in esagoni da 1 l'uno"))
    neutral_band: Literal["5-6", "5_only"] = switch("7", both("Neutral {option}.", "Neutrale {option}."),
                                                    both("is loyalty 5 or 6", "è la lealtà 5 o 6"),
                                                    both("is loyalty 5 only", "è solo la lealtà 5"))
    loyalty_test_mode: Literal["level", "die", "level+swing"] = switch(
        "7", both("Loyalty is tested {option}.", "La lealtà si verifica {option}."),
        both("by its level", "con il suo livello"),
        both("with 1d10 instead of the level", "con 1d10 al posto del livello"),
        both("by the level, which 1d10 may shift by 1", "con il livello, che 1d10 può spostare di 1"))
    loyalty_subject: Literal["met", "player"] = switch(
        "7", both("Tested is the loyalty {option}.", "Si prova la lealtà {option}."),
        both("of the group that is met", "del gruppo incontrato"),
        both("of the group that moves", "del gruppo che muove"))
    loyalty_effect: Literal["uncommitted", "encounter", "lasting"] = switch(
        "7", both("After a test of loyalty {option}.", "Dopo una prova di lealtà {option}."),
        both("uncommitted groups take the side shown", "i gruppi non schierati prendono la parte indicata"),
        both("only the attitude changes", "cambia solo l'atteggiamento"),
        both("any group goes over for good", "ogni gruppo cambia parte per sempre"))
    neutral_meets: Literal["backs", "nothing"] = switch(
        "8.3, 7", both("A group that turns out neutral {option}.", "Un gruppo che risulta neutrale {option}."),
        both("backs away", "si fa da parte"), both("does nothing", "non fa nulla"))
    village_access: Literal["mirror", "above4", "faction"] = switch(
        "5.1, 14.5", both("A village is open {option}.", "Un villaggio è aperto {option}."),
        both("to royals from 5 up, to angevins from 6 down", "ai realisti da 5 in su, agli angioini da 6 in giù"),
        both("to royals from 5 up, to no angevins", "ai realisti da 5 in su, mai agli angioini"),
        both("to its lord's side", "alla parte del suo signore"))
    loot_neutral: Literal["yes", "no"] = switch(
        "13.2, 14.5", both("Neutral villages {option}.", "I villaggi neutrali {option}."),
        both("may be looted", "si possono saccheggiare"), both("may not be looted", "non si possono saccheggiare"))
    priory_is: Literal["monastic", "village"] = switch(
        "5.1, 5.2", both("Priories count as {option}.", "I priorati contano come {option}."),
        both("monasteries", "monasteri"), both("villages", "villaggi"))
    stacking: Literal["next_reorg", "end_turn"] = switch(
        "8.1, 8.3", both("Friends on one hex are merged {option}.", "Gli amici in un esagono sono riuniti {option}."),
        both("when they still share it a day later", "se lo dividono ancora il giorno dopo"),
        both("at the end of the same day", "alla fine dello stesso giorno"))
    order_tie: Literal["larger", "dice"] = switch(
        "6", both("At equal prestige inside a side {option}.", "A pari prestigio nella stessa parte {option}."),
        both("the larger group goes first", "muove prima il gruppo più grande"),
        both("dice decide at once", "decidono subito i dadi"))
    orders_mode: Literal["written", "at_activation"] = switch(
        "6", both("Marches are {option}.", "Le marce {option}."),
        both("written before the day", "si scrivono prima del giorno"),
        both("asked when a unit's turn comes, if not written", "si chiedono al turno dell'unità, se non scritte"))
    head_count: Literal["fighters", "all"] = switch(
        "8.4", both("As heads count {option}.", "Come personaggi contano {option}."),
        both("fighters only", "solo i combattenti"), both("drivers and engineers, too", "anche conduttori e ingegneri"))
    merc_count: Literal["stack", "separate"] = switch(
        "8.4",
        both("For food, loyalty and order attached mercenaries count {option}.",
             "Per cibo, lealtà e ordine i mercenari aggregati contano {option}."),
        both("with their employer", "con chi li paga"), both("by themselves", "per conto loro"))
    supply_30: Literal["flat2", "per_ten"] = switch(
        "8.4", both("From 30 heads on a stack eats {option}.", "Da 30 personaggi in su un gruppo consuma {option}."),
        both("2 points a day", "2 punti al giorno"),
        both("a point a day for each ten", "un punto al giorno ogni dieci"))
    starve_growth: Literal["fixed", "growing"] = switch(
        "8.4", both("What hunger adds to dice {option}.", "Quanto la fame aggiunge ai dadi {option}."),
        both("stays the same", "resta uguale"), both("grows by 1 each further day", "cresce di 1 a ogni giorno in più"))
    siege_supply: Literal["siege_only", "both"] = switch(
        "16, 8.4", both("A besieged castle is drawn on {option}.", "Un castello assediato si consuma {option}."),
        both("by the siege only", "solo per l'assedio"),
        both("by the siege and every day", "per l'assedio e ogni giorno"))
    wounded_floor: Literal["min1", "none"] = switch(
        "15.7", both("After penalties a march is {option}.", "Dopo le penalità una marcia è {option}."),
        both("1 point at least", "di almeno 1 punto"), both("what is left, also nothing", "quanto resta, anche nulla"))
    wounded_march: Literal["must", "free"] = switch(
        "15.7", both("Groups with hurt men {option}.", "I gruppi con feriti {option}."),
        both("may not go away from care", "non possono allontanarsi dalla cura"),
        both("may go where they like", "possono andare dove vogliono"))
    refusal_prestige: Literal["once", "twice"] = switch(
        "9, 15.5",
        both("The loss for a refusal, which two chapters name, counts {option}.",
             "La perdita per un rifiuto, che due capitoli nominano, vale {option}."), both("once", "una volta"),
        both("twice", "due volte"))
    refusal_extra: Literal["no", "yes"] = switch("15.5",
                                                 both("In a refusal forest and mounted pursuers {option}.",
                                                      "In un rifiuto il bosco e gli inseguitori a cavallo {option}."),
                                                 both("count for nothing", "non contano"),
                                                 both("are modifiers, too", "sono anch'essi modificatori"))
    shut_in_prestige: Literal["yes", "no"] = switch(
        "9", both("Shutting oneself in {option}.", "Chiudersi in un castello {option}."),
        both("costs prestige like a withdrawal", "costa prestigio come una ritirata"),
        both("costs no prestige", "non costa prestigio"))
    prestige_clamp: Literal["1-10", "0-10"] = switch("9", both("Prestige goes {option}.", "Il prestigio va {option}."),
                                                     both("from 1 to 10", "da 1 a 10"),
                                                     both("from 0 to 10", "da 0 a 10"))
    noble_alone: Literal["stays", "leaves"] = switch(
        "8.1", both("The noble of a dissolved group {option}.", "Il nobile di un gruppo disperso {option}."),
        both("stays as a lone noble", "resta da solo"), both("leaves the campaign", "lascia la campagna"))
    attacker_def: Literal["entered", "aggressor"] = switch(
        "15.4", both("When deploying the attacker is {option}.", "Nello schieramento l'attaccante è {option}."),
        both("who entered the hex", "chi è entrato nell'esagono"),
        both("who struck first", "chi ha attaccato per primo"))
    convoy_owner: Literal["stays", "guard"] = switch("12, 14.4",
                                                     both("A convoy that nobody escorts may be taken {option}.",
                                                          "Un convoglio senza scorta può prenderlo {option}."),
                                                     both("by any group that meets it", "ogni gruppo che lo incontra"),
                                                     both("by a group that ends its march there",
                                                          "il gruppo che finisce lì la marcia"))
    convoy_unescorted: Literal["ask", "takes"] = switch("14.4",
                                                        both("The first group that meets such a convoy {option}.",
                                                             "Il primo gruppo che incontra un tale convoglio "
                                                             "{option}."),
                                                        both("is asked whether it takes it", "decide se prenderlo"),
                                                        both("takes it without a question", "lo prende senza domande"))
    convoy_buy: Literal["need", "order"] = switch(
        "14.4", both("From a convoy a group buys {option}.", "Da un convoglio un gruppo compra {option}."),
        both("what tomorrow's food lacks", "ciò che manca al cibo di domani"),
        both("all or a part by order, also of own convoys", "tutto o una parte con un ordine, anche dai propri"))
    merc_test: Literal["die", "level"] = switch(
        "11.4", both("A promise is tested {option}.", "Le promesse si verificano {option}."),
        both("with a die", "con un dado"),
        both("with a level of 7 instead of the die", "con un livello di 7 al posto del dado"))
    merc_knights: Literal["row", "knights_if_all_paid"] = switch(
        "11.1", both("Mercenaries have knights {option}.", "I mercenari hanno cavalieri {option}."),
        both("as the table of groups says", "come dice la tabella dei gruppi"),
        both("only where all are paid", "solo se tutti sono pagati"))
    loot_share_to: Literal["promised", "all"] = switch(
        "11.6",
        both("Of loot get a share, and test when it is short, {option}.",
             "Del bottino hanno una parte, e fanno il test se è scarsa, {option}."),
        both("companies with a promise", "le compagnie con una promessa"),
        both("paid companies, too", "anche le compagnie pagate"))
    purse_captured: Literal["yes", "no"] = switch(
        "15.6", both("The purse of the beaten {option}.", "La cassa degli sconfitti {option}."),
        both("goes to the victor", "va al vincitore"), both("is lost", "è perduta"))
    ransom_reach: Literal["anywhere", "same_hex"] = switch(
        "15.8", both("Who pays a ransom may be {option}.", "Chi paga un riscatto può essere {option}."),
        both("anywhere", "ovunque"), both("in the captive's hex only", "solo nell'esagono del prigioniero"))
    garrison_refill: Literal["auto", "warn"] = switch(
        "5.3", both("A castle below its least garrison {option}.", "Un castello sotto la guarnigione minima {option}."),
        both("is filled up from a group inside", "si completa da un gruppo che vi si trova"),
        both("brings a warning only", "porta solo un avviso"))
    siege_min: Literal["any", "equal"] = switch(
        "16", both("A castle may be besieged {option}.", "Un castello può assediarlo {option}."),
        both("by any number of heads", "un gruppo di qualunque numero"),
        both("by no fewer than the garrison", "un gruppo non minore della guarnigione"))
    weather: str = switch("18.1",
                          both("The weather (off, thrown by dice, or from -3 to 3): {option}.",
                               "Il tempo (senza effetti, tirato ai dadi, o da -3 a 3): {option}."),
                          both("off", "senza effetti"), both("thrown by dice", "tirato ai dadi"),
                          options=("off", "roll"), pattern=r"off|roll|[+-]?[0-3]", setup=True)
    weather_clamp: Literal["0-10", "1-10"] = switch("18.1",
                                                    both("When the weather changes resources they go {option}.",
                                                         "Quando il tempo le cambia le risorse vanno {option}."),
                                                    both("from 0 to 10", "da 0 a 10"),
                                                    both("from 1 to 10", "da 1 a 10"))
    season: Literal["summer", "winter", "spring", "autumn", "roll"] = switch(
        "18.2", both("The season of the campaign is {option}.", "La stagione della campagna è {option}."),
        both("summer", "l'estate"), both("winter", "l'inverno"), both("spring", "la primavera"),
        both("autumn", "l'autunno"), both("drawn by dice", "tirata a sorte"), setup=True)
    season_scope: Literal["all", "foot"] = switch(
        "18.2", both("The season is felt {option}.", "La stagione la sente {option}."), both("by all", "ogni gruppo"),
        both("on foot only", "solo chi va a piedi"))
    days: int = number(14, both("days", "giorni"), "scenario",
                       both("The scenario lasts {n} {n?day|days}.", "Lo scenario dura {n} {n?giorno|giorni}."), ASSUMED,
                       1, setup=True)
    period: Literal["I", "II", "III"] = switch(
        "card5", both("The campaign is of period {option}.", "La campagna è del periodo {option}."),
        both("I (1139 to 1141)", "I (1139-1141)"), both("II (1142 to 1147)", "II (1142-1147)"),
        both("III (1148 to 1153)", "III (1148-1153)"), setup=True)
    start_date: str = switch("scenario",
                             both("The date of the first day (year-month-day): {option}.",
                                  "La data del primo giorno (anno-mese-giorno): {option}."), both("none", "nessuna"),
                             options=("",), free=True, setup=True)
    codes: Literal["together", "apart"] = switch(
        "15.7, 15.8",
        both("Captives and the wounded are numbered {option}.", "I prigionieri e i feriti sono numerati {option}."),
        both("all together", "tutti insieme"), both("apart for each faction", "separatamente per ogni fazione"),
        begins="apart")


TERRAINS = ("open", "forest", "hill", "river", "marsh", "coast")
TERRAIN_SET_B: Mapping[str, int] = {"open": 1, "forest": 1, "hill": 1, "river": 3, "marsh": 3}

# --- loyalty (7) --------------------------------------------------------------------------------
BANDS = {"5-6": RangeTable("loyalty", ((None, 4, "angevin"), (5, 6, "neutral"), (7, None, "royal"))),
         "5_only": RangeTable("loyalty", ((None, 4, "angevin"), (5, 5, "neutral"), (6, None, "royal")))}
BY_PRESTIGE = Steps(((0, -2), (3, -1), (5, 0), (7, 1), (9, 2)))
BY_NUMBERS = Steps(((-99, -2), (-9, -1), (-4, 0), (5, 1), (10, 2)))
"""Modifiers for a royal mover; for an angevin one their sign is reversed."""

# --- composition (8.2), K/S/L/B by heads ----------------------------------------------------------
_ROWS = {
    "norman": "1110 1111 1211 2211 2221 2321 2322 3322 3422 3432",
    "flemish": "0201 1201 1211 1311 1312 1412 2412 2422 2522 2523",
    "welsh": "0021 0022 0122 0132 0133 1133 1143 1144 1154 1254",
}
COMPOSITION: Mapping[str, Mapping[int, tuple[int, int, int, int]]] = {
    kind: {heads: tuple(map(int, row)) for heads, row in enumerate(rows.split(), 3)}  # type: ignore[misc]
    for kind, rows in _ROWS.items()}


def composition(kind: str, heads: int) -> dict[str, int]:
    """The men of a group by rank (8.2): row 10 for each ten above twelve, then the rest. Raises LookupError below 3."""
    rows = COMPOSITION[kind]
    if heads < min(rows):
        raise LookupError(f"the table starts at {min(rows)}")
    tens = max(0, -(-(heads - max(rows)) // 10))
    total = [tens * ten + rest for ten, rest in zip(rows[10], rows[heads - 10 * tens], strict=True)]
    return dict(zip(("knights", "foot", "light", "bows"), total, strict=True))


# --- tables of one die ----------------------------------------------------------------------------
REFUSAL = RangeTable("refusal", ((None, 4, "free"), (5, 7, "prisoner"), (8, 9, "wounded"), (10, None, "killed")))
REFUSAL_MODIFIERS = {"knights": -2, "dismounted": -1, "foot": -1, "noble": -2}
REFUSAL_HURT = 2
HEALING = RangeTable("healing", ((None, 1, "dead"), (2, 3, "four days"), (4, 6, "three days"), (7, 8, "two days"),
                                 (9, None, "one day")))
HEALING_DAYS = {"four days": 4, "three days": 3, "two days": 2, "one day": 1}
SURRENDER = RangeTable("surrender", ((None, 2, "all killed"), (3, 4, "half massacred"), (5, 7, "prisoners"),
                                     (8, 9, "unarmed"), (10, None, "armed")))
LOOT_LOYALTY = RangeTable("mercenaries' loyalty", ((None, 2, "revolt"), (3, 5, "desert"), (6, 8, "grumble"),
                                                   (9, None, "loyal")))
WEATHER = RangeTable("weather", ((1, 1, "-3"), (2, 2, "-2"), (3, 3, "-1"), (4, 7, "0"), (8, 8, "1"), (9, 9, "2"),
                                 (10, 10, "3")))
SEASONS = RangeTable("season", ((1, 2, "winter"), (3, 4, "spring"), (5, 7, "summer"), (8, 10, "autumn")))
SEASON_MOVE = {"winter": -2, "spring": -1, "summer": 0, "autumn": -1}
GREAT_PRESTIGE = 7
"""Prestige from which a noble's name helps in a siege, in sharing loot and in a battle that is not played."""

# --- villages by resources ------------------------------------------------------------------------
LEVY = ((0, 0, 0), (2, 0, 0), (3, 0, 0), (3, 1, 0), (4, 1, 0), (4, 2, 0), (5, 2, 0), (5, 2, 1), (6, 3, 1), (6, 3, 2),
        (7, 4, 2))
"""Levy of a village or town by resources: P, L, S (14.6)."""
RECRUITS = ((0, 0), (0, 0), (0, 0), (0, 2), (0, 2), (1, 2), (1, 2), (2, 3), (2, 3), (3, 4), (3, 4))
"""Recruits that a place gives in a day by resources: L, P (13.1)."""

# --- the table top --------------------------------------------------------------------------------
VALUES = {"knights": 5, "dismounted": 4, "foot": 3, "bows": 2, "light": 2, "peasants": 1}
NOBLE_VALUE, HURT_VALUE = 6, 1


def men_value(men: Mapping[str, int]) -> int:
    """What fit and armed men are worth, by rank."""
    return sum(VALUES[rank] * n for rank, n in men.items())


WALLS = {"castle_stone": 300, "castle_tower": 250, "castle_motte": 200, "counter_castle": 150}
WALL_ENGINE, WALL_TOWER, WALL_LEAST = 25, 50, 100
SUPERIORITY = Steps(((0, 0), (125, 1), (150, 2), (175, 3), (200, 4), (300, 6), (400, 8)))
OVERWHELMING = 500
AUTO_LOSS, AUTO_LOSS_BEATEN, AUTO_LOSS_ROUT, AUTO_ROUT = 10, 30, 50, 5

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


_EACH_MAN = f"{{{'|'.join(RANKS)}}}-{{n}}"


def _d10(shape: str, dice: str = "1d10") -> Purpose:
    return Purpose(shape, dice, "#{n}")


WEATHER_OF_YEAR = _d10("weather")
SEASON_OF_YEAR = _d10("season")
HEALING_OF = _d10("healing/{Wounded*}")
PROMISE_KEPT = _d10("promise/{Armies*}")
GRUMBLING = _d10("grumble/{Armies*}")
SHARE_OF_LOOT = _d10("share/{Armies*}")
MARCHING_FIRST = _d10("activation/{Armies*}", "1d100")
LOYALTY_TO = _d10("loyalty/{Armies*}/{Armies*}")
REFUSAL_OF_MAN = _d10("refusal/{Armies*}/" + _EACH_MAN)
REFUSAL_OF_NOBLE = _d10("refusal/{Armies*}/{Nobles}")
UMPIRE_OF_SIDE = _d10("auto/{Battles*}/{attacker|defender}")
UMPIRE_OF_NOBLE = _d10("auto/{Battles*}/{Nobles}")
SURRENDER_OF = _d10("surrender/{Places*}")
MASSACRE_OF_MAN = _d10("massacre/{Places*}/" + _EACH_MAN)
MASSACRE_OF_NOBLE = _d10("massacre/{Places*}/{Nobles}")

ROLLS: Mapping[str, RollKind] = by_word(
    RollKind.of(both("Weather of the year", "Tempo dell'annata"), WEATHER_OF_YEAR),
    RollKind.of(both("Season of the year", "Stagione dell'anno"), SEASON_OF_YEAR),
    RollKind.of(both("The wounded in care", "I feriti in cura"), HEALING_OF),
    RollKind.of(both("Mercenaries who wait for their loot", "Mercenari in attesa del bottino"), PROMISE_KEPT),
    RollKind.of(both("Mercenaries who grumble", "Mercenari di malumore"), GRUMBLING),
    RollKind.of(both("Mercenaries content with their share", "Mercenari contenti della loro parte"), SHARE_OF_LOOT),
    RollKind.of(both("Order of march among equals", "Ordine di marcia a parità"), MARCHING_FIRST),
    RollKind.of(both("Loyalty", "Lealtà"), LOYALTY_TO),
    RollKind.of(both("Refusals to fight", "Rifiuti di combattere"), REFUSAL_OF_MAN, REFUSAL_OF_NOBLE),
    RollKind.of(both("Umpire's dice in battles", "Dadi dell'arbitro in battaglia"), UMPIRE_OF_SIDE, UMPIRE_OF_NOBLE),
    RollKind.of(both("Castles that surrender", "Castelli che si arrendono"), SURRENDER_OF),
    RollKind.of(both("Defenders put to the sword", "Difensori passati a fil di spada"), MASSACRE_OF_MAN,
                MASSACRE_OF_NOBLE),
)

BATTLES = ("B{turn}-{n}",)
"""Codes of battles: numbered through the day."""
