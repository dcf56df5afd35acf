"""What all orders share: phrases, seasons, findings, columns, the chest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from assistant.campaign.campaign import Campaign
from assistant.campaign.tables import Record
from assistant.rulesets.giglio import both
from assistant.rulesets.giglio.records import Army, Faction, Fleet, Node
from assistant.rulesets.giglio.war import War
from assistant.turn.findings import Message
from assistant.turn.orders.columns import ColumnCheck, OwnUnit
from assistant.turn.orders.phrases import (
    BESIEGE,
    BUILD,
    COME_IN,
    GO,
    HIRE,
    LEAVE,
    PUT,
    RAISE,
    SEND,
    STAY,
    UNBESIEGE,
)
from assistant.turn.orders.requests import Refused, Request, role
from assistant.turn.orders.verbs import Purse, Shapes

# What people say in sentences for the verbs and the things.


MONEY = ("ducat", "ducato", "duc", "gold", "oro", "coin", "moneta", "money", "soldi", "denaro", "sum", "somma")
"""What people call ducats."""
PACT = ("ally", "alliance", "treaty", "pact", "sign", "make", "offer", "alleare", "allearsi", "trattato", "patto",
        "stringere", "firmare", "proporre", "offrire", "fare", "alleanza", "deal", "accordo", "included", "granted",
        "incluso", "compreso", "concedere", "right", "diritto", "year", "anno", "last", "durare", "valid",
        "valere", "valido", "peace", "pace", "friends", "amici", "friendship", "amicizia", "join forces", "join",
        "unire",
        "unirsi", "grant", "allow", "permit", "permettere", "passage granted", "league", "lega", "stipulare", "run")
DISSOLVING = ("dissolve", "end", "break", "cancel", "quit", "leave", "rompere", "sciogliere", "annullare", "disdire",
              "terminate", "tear", "drop", "stracciare", "finire", "recedere", "denunciare", "off", "uscire")
PACTS = ("alliance", "alleanza", "pact", "patto", "treaty", "trattato")
"""What people end, and how they call it: a treaty by itself is no word for its end."""
LIKE: Mapping[str, tuple[str, ...]] = {
    "objective": ("secret objective", "secret goal", "secret aim", "goal", "aim", "choose", "obiettivo segreto",
                  "scopo", "most", "maggior numero", "puntare", "target", "play for", "want", "volere", "hidden",
                  "mirare", "prendere", "take", "pick", "go for", "scelta", "choice", "scegliere", "is", "essere",
                  "secret", "segreto", "as", "come", "traguardo", "meta", "obbiettivo", "ambition", "ambizione",
                  "aspiration", "aspirazione", "purpose", "victory condition", "condizione di vittoria", "win by",
                  "own", "possedere", "than anybody", "than anyone", "than everybody", "than others", "degli altri",
                  "di altri", "di chiunque", "più di tutti", "our goal", "opt", "optare", "strive", "accumulare",
                  "note", "segnare", "annotare", "dedicate", "concentrate", "decide", "decidere", "greatest number",
                  "number"),
    "loan": (*MONEY, "lend", "bank", "banker", "bankers", "take", "take out", "get", "ask", "prendere in prestito",
             "prestito", "banca", "borrow", "borrowing", "prestarsi", "mutuo", "credit", "credito", "banchiere",
             "banchieri", "chiedere", "prendere", "farsi prestare", "prestare", "fido", "anticipo", "finanziamento",
             "financing", "indebitarsi", "prestitino", "moneylender", "lender", "usurer", "usuraio", "accendere",
             "contrarre", "richiedere", "richiesta", "fund", "fondi", "cash", "contanti", "apply", "ottenere",
             "obtain", "draw"),
    "recruit": (*MONEY, *RAISE, "men", "soldiers", "uomini", "soldati", "gente", "truppe", "troops", "people",
                "infantry", "worth", "pay", "give", "dare", "spend", "fanteria", "fanti", "fante", "arcieri",
                "archers", "cavalleria", "cavalry", "spendere", "put", "mettere", "get", "prendere", "strength",
                "reinforce", "rinforzare", "rinforzi", "reinforcements", "reclute", "fresh", "investire", "invest",
                "spesa", "companies", "compagnie", "milizia", "militia", "picchieri", "pikemen", "pike", "lance",
                "balestrieri", "crossbowmen", "crossbows", "knights", "cavalieri", "enrolment", "arruolo",
                "potenziare", "ingrossare", "bolster", "swell", "rimpinguare", "incrementare", "increase",
                "aumentare", "buy", "comprare", "acquistare", "purchase", "chest", "cassa", "treasury", "tesoro",
                "beef up", "build up", "aggregare", "destinare", "assegnare", "assign", "bring in", "forces", "bands",
                "bande", "recluta", "usare", "impiegare", "buona gente"),
    "enlist": (*HIRE, "enlist", "arruolare", "reclutare", "take", "service", "servizi", "al servizio", "al soldo",
               "acquire", "send for", "qualcuno", "fare venire", "arruolamento", "ingaggio", "hiring", "could use",
               "comodo", "specialist", "specialista", "assume"),
    "fleet": (*BUILD, "launch", "new fleet", "ships", "galleys", "squadron", "varare", "nuova flotta",
              "squadra navale", "squadra", "navi", "galee", "ship", "nave", "marina", "have", "get", "comprare",
              "buy", "armare", "navy", "warship", "barca da guerra", "barca", "boat", "vessel", "vascello",
              "imbarcazione", "war", "guerra", "fit out", "armamento", "allestimento", "varo", "commission",
              "commissionare", "equip", "equipaggiare", "shipyard", "cantiere", "arsenale", "arsenal", "dockyard",
              "naval", "navale", "lay down", "impostare", "armada"),
    "bid": (*MONEY, "offer", "offrire", "office", "carica", "mettere", "puntare", "put", "put in", "auction", "asta",
            "strategist", "strategos", "stratega", "stratego", "strategy", "command", "comando", "post", "leadership",
            "generalship", "capitano", "bid", "offerta", "go in", "dare", "give", "fare", "be", "strategos office",
            "bidding", "compete", "candidate", "candidarsi", "candidatura", "gareggiare", "concorrere", "stake",
            "put down", "rilanciare", "rilancio", "gara", "incanto", "become", "diventare", "job", "ruolo", "role",
            "title", "titolo", "captain general", "capitano generale", "commander", "comandante", "general",
            "generale", "go for", "position", "posizione", "throw in", "investire", "rank", "grado", "nomina",
            "appointment", "elected", "election", "elezione"),
    "fortify": (*BUILD, "new wall", "nuove mura", "wall", "walls", "mura", "murare", "strengthen", "rafforzare",
                "fortify", "fortress", "fortezza", "bastion", "bastioni", "ramparts", "reinforce", "rinforzare",
                "dare", "give", "fortification", "fortifications", "fortificazione", "cinta", "cingere di mura",
                "cinta muraria", "have", "fortificarsi", "defences", "defenses", "difese", "defend", "difendere",
                "stronghold", "bulwark", "baluardo", "moat", "fosso", "fossato", "ditch", "palisade", "palizzata",
                "tower", "torre", "protect", "proteggere", "protezione", "protection", "munire", "dotare",
                "circondare", "surround", "enclose", "gird", "wall in", "wall off", "build up", "beef up",
                "earthworks", "terrapieno", "rocca", "castle", "castello", "secure", "consolidare", "potenziare",
                "attorno", "intorno", "mettere mura", "put wall", "put ... wall", "put ... walls", "mettere ... muro",
                "mettere ... mura", "muro", "stone", "pietra", "rafforzamento", "rinforzo", "opere di difesa"),
    "repair": ("fix", "mend", "rebuild", "restore", "walls", "mura", "riparare", "ricostruire", "sistemare",
               "aggiustare", "restaurare", "patch up", "patch", "rimettere a posto", "rimettere in sesto",
               "rattoppare", "riparazione", "ricostruzione", "restauro", "breach", "breccia", "damage", "danno",
               "danneggiare", "put back", "put in order", "put right", "make good", "rimettere in piedi",
               "ripristinare", "ripristino", "risanare", "tappare", "sort out", "restoration", "mettere a posto",
               "mettere in ordine", "muro", "rimettere a nuovo", "fortification", "fortificazione"),
    "garrison": (*PUT, *LEAVE, "presidio", "presidiare", "guarnigione", "hold", "tenere", "man", "pay from chest",
                 "pagare dalla cassa", "chest", "cassa", "treasury", "tesoro", "guard", "guardia", "set up", "give",
                 "dare", "garrison", "a carico", "a spese", "spesa", "expense", "occupy", "occupare", "protect",
                 "proteggere", "defend", "difendere", "sorvegliare", "detachment", "distaccamento", "camp",
                 "accamparsi", "secure", "detach", "staccare", "custodire", "custodia"),
    "transfer": (*MONEY, "hand", "hand over", "give", "pass", "move", "shift", "dare", "cedere", "spostare",
                 "passare", "consegnare", "trasferire", "merge", "join", "unire", "unirsi", "confluire", "convergere",
                 "fondersi", "travasare", "girare", "ricongiungersi", "accorpare", "absorb", "assorbire", "combine",
                 "add", "aggiungere", "swap", "versare", "cede", "hand to", "trasferimento", "passaggio",
                 "spostamento", "cessione", "balance", "equilibrare", "reallocate", "redistribute", "ridistribuire",
                 "feed", "pour", "prestare", "conferire", "assegnare", "convogliare", "transferral", "shift over"),
    "split": ("divide", "detach", "split off", "take off", "separate", "dividere", "staccare", "separare", "peel off",
              "break off", "spezzare", "distaccare", "break up", "detachment", "distaccamento", "form new army",
              "new army", "nuova armata", "sdoppiare", "togliere", "own army", "army of own", "formare", "farne",
              "scorporare", "scissione", "divisione", "division", "separazione", "separation", "stacco", "hive off",
              "carve out", "second army", "per conto proprio", "on own", "portion", "distacco", "break away",
              "costituire", "indipendente", "independent", "group", "gruppo", "set apart", "become", "diventare",
              "spaccare", "nuova", "new", "armata", "army"),
    "attach": ("post", "send", "put", "assign", "move", "mandare", "mettere", "aggregare", "sapper", "geniere",
               "go with", "join", "unire", "unirsi", "affiancare", "accompany", "accompagnare", "follow", "seguire",
               "go", "andare", "diplomat", "diplomatico", "assassin", "assassino", "assegnazione", "reassign",
               "riassegnare", "station", "dislocare", "engineer", "ingegnere", "serve", "zappatore", "attachment"),
    "pay": (*SEND, *MONEY, "dono", "present", "tribute", "tributo", "subsidy", "sussidio", "aid", "aiuto", "bonifico",
            "saldare", "rimborsare", "repay", "restituire", "compensation", "indennizzo", "compensate", "friendship",
            "amicizia", "segno", "omaggio", "fare avere", "fare arrivare", "recapitare", "finanziare", "finance",
            "sponsor", "support", "sostenere", "remit", "wire", "spettare", "tenere ... buona", "tenere ... buono",
            "keep ... happy", "keep ... quiet", "keep ... sweet"),
    "ally": (*PACT, "allies", "alleati", "agreement", "truce", "tregua", "non aggression", "non aggressione",
             "concordare", "agree", "renew", "rinnovare", "extend", "prolungare", "conclude", "concludere", "ratify",
             "ratificare", "go until", "come to terms", "intesa", "understanding", "stand together", "side with",
             "partnership", "durata", "term", "enter", "entrare"),
    "dissolve": (*DISSOLVING, "break off", "tear up", "withdraw from",
                 *(f"{end} ... {pact}" for end in DISSOLVING for pact in PACTS),
                 *(f"{pact} ... {end}" for end in DISSOLVING for pact in PACTS), "scioglimento", "rottura",
                 "annullamento", "disdetta", "put an end", "porre fine", "mettere fine", "renounce", "rinunciare",
                 "revoke", "revocare", "void", "scrap", "abandon", "abbandonare"),
    "move": (*GO, *COME_IN, *MONEY, "split off", "fare la costa", "coast", "costa", "road", "strada"),
    "stay": STAY,
    "siege": (*BESIEGE, "starve", "affamare", "blocco"),
    "lift": UNBESIEGE,
    "come_out": ("come out", "sally", "sally out", "sally forth", "go out", "fare sortita", "uscire", "uscire fuori",
                 "break out", "sortire", "sortie", "venire fuori", "uscita", "open gates", "aprire porte",
                 "leave walls", "lasciare mura", "rush out", "fuori"),
    "embark": ("embark", "go aboard", "board", "get aboard", "aboard", "imbarcare", "imbarcarsi", "salire a bordo",
               "salire", "bordo", "ship", "load", "caricare", "salta", "hop on", "get on", "prendere", "take", "put",
               "imbarco", "embarkation", "boat", "barca", "nave", "galley", "galea", "fleet", "flotta"),
    "land": ("land", "disembark", "go ashore", "sbarcare", "put ashore", "ashore", "terra", "scendere a terra",
             "mettere a terra", "scendere", "off boats", "sbarco", "landing", "disembarkation", "debark", "come ashore",
             "go on land", "leave ship", "lasciare nave", "put down", "unload", "scaricare"),
    "sail": ("sail", "cruise", "row", "salpare", "navigare", "veleggiare", "set sail", "put to sea", "by sea",
             "per mare", "via mare", "mollare ormeggi", "alzare vele", "fleet", "flotta", "ships", "navi", *GO,
             "navigazione", "crossing", "traversata", "steer", "weigh anchor", "levare ancora", "prendere il largo",
             "rotta", "galee", "galleys", "squadra", "squadron"),
    "assassinate": ("assassinate", "murder", "kill", "assassinare", "uccidere", "eliminare", "fare fuori",
                    "do away with", "get rid of", "take out", "knife", "poison", "sbarazzarsi", "togliere di mezzo",
                    "accoltellare", "avvelenare", "ammazzare", "assassin", "assassino", "sicario", "killer", "stab",
                    "dispatch", "liquidare", "send", "mandare", "attentato", "omicidio", "assassination", "rub out",
                    "bump off", "silence", "kill off", "fare sparire", "strangle", "strangolare", "murderer",
                    "assassinio", "uccisione", "mission", "missione", "usare", "far fuori", "dagger", "pugnale",
                    "pugnalare", "attempt"),
}
"""Verb -> by what else people say it."""
PLACE_NAMES: Mapping[str, tuple[str, ...]] = {
    "Alessandria": ("Alexandria",), "Augusta": ("Augsburg",), "Avignone": ("Avignon",), "Bellinzona": ("Bellenz",),
    "Berna": ("Bern",), "Bologna": ("Bologne",), "Bolzano": ("Bozen",), "Capodistria": ("Koper", "Capo d'Istria"),
    "Casale Monferrato": ("Casale",), "Corfù": ("Kerkyra",),
    "Costantinopoli": ("Constantinople", "Istanbul", "Byzantium", "Bisanzio"), "Durazzo": ("Durres",),
    "Ferrara": ("Ferrare",), "Firenze": ("Florence",), "Genova": ("Genoa",), "Ginevra": ("Geneva", "Genf"),
    "Gorizia": ("Goerz",), "Lepanto": ("Naupactus",), "Lione": ("Lyons", "Lyon"), "Livorno": ("Leghorn",),
    "Lubiana": ("Ljubljana", "Laibach"), "Lucerna": ("Lucerne", "Luzern"), "Mantova": ("Mantua",),
    "Marsiglia": ("Marseilles", "Marseille"), "Milano": ("Milan",), "Napoli": ("Naples",), "Nizza": ("Nice",),
    "Padova": ("Padua",), "Piacenza": ("Placentia",), "Ragusa": ("Dubrovnik",), "Roma": ("Rome",),
    "Scutari": ("Shkoder",), "Siena": ("Sienna",), "Siracusa": ("Syracuse",), "Taranto": ("Tarentum",),
    "Tolone": ("Toulon",), "Torino": ("Turin",), "Trento": ("Trent", "Trient"), "Valenza sul Rodano": ("Valenza",),
    "Valona": ("Vlore", "Avlona"), "Venezia": ("Venice",), "Villaco": ("Villach",), "Zara": ("Zadar",),
    "Zurigo": ("Zurich",)}
"""Places by the names that people use besides those of the map: Italian -> others, English ones first."""
NATIONS: Mapping[str, tuple[str, ...]] = {
    "P": ("Pope", "Papa", "Papacy", "Papal States", "Stati Pontifici", "His Holiness", "Sua Santità", "Holy Father",
          "Santo Padre", "Pontiff", "Pontefice", "Holy See", "Santa Sede", "Church", "Chiesa", "Stato Pontificio",
          "Papal troops", "papalini"),
    "HRI": ("Empire", "Impero", "Emperor", "Imperatore", "Imperials", "Imperiali", "HRE", "Germans", "Tedeschi",
            "Maximilian", "Massimiliano", "Caesar", "Cesare", "Habsburgs", "Asburgo"),
    "CH": ("Swiss", "Switzerland", "Svizzeri", "Swiss Confederation", "Confederates", "Confederati", "Cantons",
           "Cantoni", "Lega svizzera", "Confederazione", "Elvetici"),
    "T": ("Turk", "Turks", "Turchi", "Ottomans", "Ottomani", "Sultan", "Sultano", "Turkey", "Grand Turk", "Gran Turco",
          "Sublime Porte", "Sublime Porta", "Impero ottomano", "il Turco"),
    "S": ("Spain", "Spagna", "Spaniards", "Spagnoli", "Spanish", "Catholic King", "Re Cattolico", "King of Spain",
          "re di Spagna", "Aragon", "Aragona", "Aragonesi"),
    "V": ("Venetians", "Veneziani", "Doge", "Serenissima", "Venetian Republic", "Republic of Venice",
          "Repubblica di Venezia", "San Marco"),
    "FR": ("French", "Francesi", "King of France", "re di Francia", "Most Christian King", "Re Cristianissimo"),
    "F": ("Florentines", "Fiorentini", "Florentine Republic", "Repubblica fiorentina", "Republic of Florence",
          "Repubblica di Firenze", "Medici"),
    "M": ("Milanese", "Milanesi", "Moro", "Ludovico", "Sforza", "Duke of Milan", "Duca di Milano", "Duchy of Milan",
          "Ducato di Milano"),
    "SV": ("Savoyards", "Savoiardi", "Duke of Savoy", "Duca di Savoia", "Duchy of Savoy", "Ducato di Savoia")}
"""Code of a nation -> what else it is called: by its people, its ruler or its state."""


def further_names(campaign: Campaign) -> Iterator[tuple[str, type[Record], str]]:
    """What else places are called, and a nation by its people, ruler or state."""
    for node in campaign.table(Node):
        for name in PLACE_NAMES.get(node.name, ()):
            yield name, Node, node.node
    for code, names in NATIONS.items():
        for name in names if code in campaign.table(Faction) else ():
            yield name, Faction, code


# What all orders share: seasons, finding codes, columns, the chest (rulebook: Orders).


INCOME, SPRING, SUMMER = "income", "budget", "summer"
IN_SPRING, IN_SUMMER, IN_BOTH = (SPRING,), (SUMMER,), (SPRING, SUMMER)

SAYS = {
    "unknown_verb": role("GIG-001", "verb", verb="word", phase="phase", list="list", why="why"),
    "wrong_time": role("GIG-002", verb="verb", phase="phase", times="times", when="when", why="why"),
    "no_such_unit": role("GIG-003", unit="word", list="list", near="near"),
    "not_yours": role("GIG-004", unit="word"),
    "no_such_place": role("GIG-005", node="word", near="near"),
    "replaced": role("GIG-006", "order", order="order"),
    "not_an_amount": role("GIG-007", amount="word"),
    "several_there": role("GIG-008", n="n", node="node", list="list"),
    "none_there": role("GIG-009", node="node"),
    "no_such_partner": role("GIG-010", partner="word"),
    "not_understood": role("GIG-011", text="text"),
    "twins": role("GIG-013"),
    "overdrawn": role("GIG-020", cost="cost", left="left"),
}
"""Il Giglio's codes of the findings that every ruleset has."""

FINDINGS = (
    Message("GIG-001", "error",
            both("'{verb}' is not an order. Choose one from the list.",
                 "'{verb}' non è un ordine. Scegline uno dall'elenco."),
            ("why",
             {"word": both("'{verb}' is not an order of {phase}. Use one of: {list}.",
                           "'{verb}' non è un ordine della fase «{phase}». Usa uno di questi: {list}.")})),
    Message("GIG-002", "error",
            both("{verb} can be ordered in spring and in the rounds of summer, not in {phase}. Move the row there.",
                 "L'ordine {verb} si può dare in primavera e nelle fasi d'estate, non in {phase}. Sposta lì la riga."),
            ("times why",
             {"budget": both("{verb} can be ordered in spring only, not in {phase}. Move the row to spring, or "
                             "delete it.",
                             "L'ordine {verb} si può dare solo in primavera, non in {phase}. Sposta la riga in "
                             "primavera, oppure cancellala."),
              "summer": both("{verb} can be ordered in the rounds of summer only, not in {phase}. Move the row to a "
                             "round.",
                             "L'ordine {verb} si può dare solo nelle fasi d'estate, non in {phase}. Sposta la riga "
                             "in una di quelle."),
              "time": both("{verb} cannot be ordered in {phase}. It can be ordered next in {when}: give it for that.",
                           "L'ordine {verb} non si può dare in {phase}. La prossima volta si può dare in: {when}. "
                           "Dallo per allora."),
              "no time": both("{verb} cannot be ordered in {phase}, nor in any phase to come. Delete the row.",
                              "L'ordine {verb} non si può dare in {phase}, né in un'altra fase che verrà. "
                              "Cancella la riga.")})),
    Message("GIG-003", "error", both("No unit {unit}. Your units: {list}.", "Nessuna unità {unit}. Le tue: {list}.")),
    Message("GIG-004", "error",
            both("{unit} is not yours. Name one of your units.", "{unit} non è tua. Indica una tua unità.")),
    Message("GIG-005", "error",
            both("'{node}' is not on the map. Did you mean {near}?", "'{node}' non è sulla mappa. Intendevi {near}?")),
    Message("GIG-006", "warning",
            both("Replaced by your later row {order}. Delete one of the two.",
                 "Sostituito dalla tua riga successiva {order}. Cancella una delle due.")),
    Message("GIG-007", "error",
            both("'{amount}' is not a whole number of ducats of 1 or more. Type one, without a point or comma in it.",
                 "'{amount}' non è un numero intero di ducati, da 1 in su. Scrivine uno, senza punti né virgole."),
            ("what",
             {"year": both("'{amount}' is not a year. Type the last year of the treaty as a number, or leave it "
                           "blank.",
                           "'{amount}' non è un anno. Scrivi in cifre l'ultimo anno del patto, oppure lascia "
                           "vuoto."),
              "no year": both("A treaty cannot end in {amount}, which is past or too far off. Type its last year, or "
                              "leave it blank.",
                              "Un patto non può finire nel {amount}: è un anno passato o troppo lontano. Scrivi "
                              "il suo ultimo anno, oppure lascia vuoto.")}), means={"amount": "text"}),
    Message("GIG-008", "ambiguous",
            both("{n} of your armies are {node:at}: {list}. Name the army.",
                 "{node:dove} hai {n} {n?armata|armate}: {list}. Indica l'armata.")),
    Message("GIG-009", "error",
            both("You have no army {node:at}. Check the first coordinate.",
                 "Non hai armate {node:dove}. Controlla la prima coordinata."),
            ("node",
             {"": both("Neither an army nor a place stands in the row. Name the army.",
                       "Nella riga non ci sono né un'armata né un luogo. Indica l'armata.")})),
    Message("GIG-010", "error",
            both("'{partner}' is not a faction that you can deal with. Use a code from Factions.",
                 "'{partner}' non è una fazione valida. Usa una sigla di Fazioni."), certain=True),
    Message("GIG-011", "error",
            both("'{text}' was not understood. Write for example 'V8 F7'.",
                 "'{text}' non è chiaro. Scrivi per esempio 'V8 F7'.")),
    Message("GIG-013", "warning",
            both("Two identical purchases: both will be made. Delete one if not meant.",
                 "Due acquisti identici: si fanno entrambi. Cancellane uno se non voluto.")),
    Message("GIG-020", "error",
            both("This costs {cost} and only {left} {left?ducat is|ducats are} left at this row. Lower it or change "
                 "the order of rows.",
                 "Costa {cost}, ma a questa riga {left?resta|restano} {left} {left?ducato|ducati}. Riduci la spesa "
                 "o cambia l'ordine delle righe.")),
    Message("GIG-100", "error", both("'{answer}' is not one of {options}.", "'{answer}' non è fra {options}.")),
)
"""Their words, and those for an answer that is none of the options."""

SHAPES = Shapes(unit=r"[A-Za-z]{1,3}-[FSfs]?\d+", place=r"[A-Za-z]{1,3}\d+")
FILLERS = ("da", "dal", "dalla", "from", "a", "ad", "to", "verso", "via", "per", "muovi", "move", "muove", "moves",
           "armata", "l'armata", "army", "in", "al", "alla", "at", "il", "la", "the", "di", "of", "del", "con",
           "with", "contro", "against", "until", "fino", "ducati", "ducats", "ducato", "ducat", "e", "and", "nodo",
           "node")
"""Words of a line that are ignored (rulebook: Orders in words)."""

PURSE = Purse(whose=lambda war, request: request.faction,
              left=lambda war, faction: war.factions[faction].treasury - war.plan.set_aside.get(faction, 0),
              unit=both("ducats", "ducati"))
"""The chest, less what was bid in the auction."""


def check_soldiers(war: War, request: Request, army: Army, field: str) -> None:
    """Refuse a diplomat, who has no men (GIG-046)."""
    if not army.is_army:
        raise Refused("GIG-046", field, unit=army.army)


def check_not_aboard(war: War, request: Request, army: Army, field: str) -> None:
    """Refuse an army aboard a fleet (GIG-058)."""
    if army.posture == "aboard":
        raise Refused("GIG-058", field, unit=army.army, fleet=army.fleet)


def _is_ashore(army: Army) -> bool:
    return army.posture != "aboard"


ARMY = OwnUnit(Army, known=_is_ashore)
"""An own marker by its code; a finding never reveals other factions' markers that are aboard."""
ACTING_ARMY = replace(ARMY, at=("path", "target"), standing=_is_ashore,
                      free=lambda war, army: army.army not in war.plan.columns)
"""An own marker, or the only one at the start of the path or at the target; new detachments do not count."""
ACTING_FLEET = OwnUnit(Fleet, at=("path",), like="{faction}-F1")


def soldiers_column(kind: OwnUnit, *then: ColumnCheck) -> OwnUnit:
    """The same kind of column, for armies proper only."""
    return replace(kind, then=(check_soldiers, *then))
