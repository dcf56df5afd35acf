"""Words and phrases of sentences: split, and found again in any form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from assistant.turn.orders.words import fold, imperative_forms

LANGUAGES = ("it", "en")
"""The languages in which people write orders."""

# Words that every book knows.

ROLES: Mapping[str, frozenset[str]] = {word: frozenset(roles.split()) for words, roles in (
    ("frm from da dal dalla dallo dai dalle dall dagli off starting leaving partendo lasciando", "from"),
    ("to onto verso towards toward fino", "to"),
    ("into", "to in"),
    ("inside within dentro", "to at in"),
    ("a ad al alla allo ai alle all agli at in nel nella nello nell nelle nei negli su sul sulla sull sullo sulle sui"
     " on > presso", "to at"),
    ("among between tra fra", "at"),
    ("until till til entro", "until to"),
    ("with cn con col colla coi cogli w w/", "with"),
    ("by via through attraverso tramite", "by with"),
    ("thru", "by with until to"),
    ("per for x", "for by"),
    ("against contro", "to"),
) for word in words.split()}
"""Preposition -> what the words behind it may be."""


def _folded(*lines: str) -> frozenset[str]:
    return frozenset(fold(word) for line in lines for word in line.split())


OF = _folded("the a an il lo la i gli le l un uno una of di del della dello dei delle dell degli d s de")
"""Words that make no difference in a name, folded: articles, and what stands between its parts."""
FILLERS = OF | _folded(
    "and e ed then poi quindi dopodiche than please per favore prego cortesia piacere grazie thanks thank cheers ok",
    "okay hi hello hey ciao salve buongiorno buonasera everyone everybody ragazzi arbitro referee dear caro cari yes",
    "vorrei vorremmo voglio vogliamo vuole chiedo chiediamo desidero desideriamo intendo intendiamo piacerebbe i we io",
    "noi lui lei they he she it them him himself herself itself themselves where dove dov_e you your tu voi essi si",
    "se_stesso would like want wants wish need needs d'd ll going gonna planning plan intend intends our my us mine",
    "mio mia miei mie nostro nostra nostri nostre me mi ci ti vi ve ce ne will shall let lets can could should must",
    "may ought has have had having be been being is are am do does doing did deve devono dovrebbe",
    "dovrebbero debba può possa possono potrebbe potrebbero potete potreste puoi dobbiamo possiamo potremmo ho abbia",
    "abbiamo hanno ha sia siano è sono ora now adesso subito immediately this that these those questo questa questi",
    "queste quello quella quell quei quegli quelle stesso stessa round turn time turno giro day week month season",
    "today tonight once rather trova trovano oggi stasera",
    "stamattina stanotte giorno giornata settimana mese stagione volta",
    "its their his her hers suo sua suoi",
    "sue loro army armata esercito also too anche pure still ancora again nuovamente just only solo soltanto",
    "semplicemente simply so così allora well bene as well quickly slowly fast straight directly direttamente dritto",
    "quietly carefully quick veloce velocemente piano there here lì là qui qua new nuovo nuova nuovi nuove nuov more",
    "altri altre altro altra another ulteriore ulteriori extra some few alcuni alcune qualche po pochi poche up down",
    "out over along away ahead forward back around giù avanti indietro oltre intanto meanwhile first finally infine",
    "orders order ordine ordini che right proprio whole tutto intero intera own proprio propria propri proprie make",
    "pls plz please lol ty thx tnx grz mate cmq pf way più asap - & tonite old young don signor signora",
    "signore messer mastro lord lady grace majesty",
    "maestà eccellenza excellency santità ser mister vecchio vecchia giovane buon buono buona bravo brava bravi",
    "gallant morning evening night afternoon dawn dusk sunrise sunset mattina sera notte alba tramonto",
    "worthy trusty loyal faithful fedele fedeli valoroso valorosa valorosi gracious sire",
    "sure really davvero together insieme about circa kindly gentilmente appena next quite pretty very molto beh",
    "ecco dunque pero però taken drawn preso presa presi prese tile square hex casella cella esagono bank banco",
    "oh ooh ehi ehm uh yo raga ragà amici folks guys bro dude boss capo sto sta sti ste alora haha hahaha ahah ahahah",
    "hehe eheh ihih xd lmao lool omg ps n nobile noble egregio egregi gentile bella bello bel bei belle nice good",
    "great",
    "lovely pretty beautiful benedetto benedetta maledetto maledetta damn bloody poor povero povera brave caro",
    "peccato pazienza purtroppo alas sadly unfortunately finalmente ovviamente naturalmente certamente obviously",
    "naturally certainly saluti regards",
    "hereby herewith forthwith presently duly respectfully humbly presente cortesemente umilmente rispettosamente",
    "gradirei gradiremmo desidererei desidereremmo preferirei preferiremmo preferirebbe preferisco prefer gradisco",
    "requested asked invited pregato pregati pregata pregate prego supplico pleasure onore di_grazia",
    "gradirebbe bisogna occorre tocca conviene suvvia forza_su orsù venga vengano viene vengono venisse",
    "venissero verrà verranno fosse fossero siamo siete same idea mille tanto tutta tutte entire entirely interamente",
    "completely propose proposing propongo proponiamo i'm we're",
    "im they're he's she's it's youre theyre whole lot bunch worth please_do va vai glieli gliela glielo gliele gimme",
    "gotta wanna lemme grazia stavolta quest avere chiamatelo chiamatela chiamalo chiamala",
    "phase fase porto harbour harbor city città town cittadina villaggio village call calling named name chiamiamo",
    "chiama chiamare chiameremo chiamata chiamato nome names")
"""Words that say nothing, folded."""
_LIGHT = _folded(
    "make makes making made take takes taking get gets getting got put puts putting give gives giving set",
    "sets fare fa fai fanno faccia facciano facciamo fate faccio farà faranno faremo farò faccio fargli",
    "mettere mette metti metta mettono mettano mettiamo mettete metto metterà metteremo dare da' dà dai dia diano",
    "diamo date danno darà daremo prendere prende prendi prenda prendono prendano prendiamo prendete prendo prenderà",
    "pigliare piglia pigliano pigliamo pigli piglio")
"""Forms of verbs that say little by themselves, where they are none of the book's: ``makes a sortie``."""
FILLERS |= _LIGHT
"""Words that say nothing, folded."""
GREETINGS = _folded("ciao salve buongiorno buonasera hello hi hey dear caro cara cari thanks thank grazie arbitro",
                    "referee saluti regards")
"""Words before the name of whoever is spoken to, folded."""
NEGATIONS = _folded("non nn not dont doesnt wont cannot cant isnt arent never mai niente nulla nothing nor né")
CONDITIONALS = _folded("if se when quando unless tranne")
"""Words before a condition, folded."""
IN_SHORT: Mapping[str, str] = {
    "out of": "from", "by way of": "via", "on behalf of": "by", "as far as": "to", "in order to": "to",
    "all the way to": "to", "per conto di": "by", "da parte di": "by", "per mezzo di": "via", "passing through": "via",
    "passando per": "via", "passando da": "via", "going through": "via", "by means of": "via"}
"""Prepositions of several words -> one that says the same."""
POLITE = (r"(?i)(?:please\s+|sorry\s*,?\s*)?(?:(?:could|can|may|might)\s+(?:we|i)\s+(?:please\s+)?(?:have|get)\b|"
          r"(?:could|can|would|will)\s+you\b|(?:possiamo|potremmo|posso|potrei)\s+avere\b|"
          r"(?:potete|potreste|puoi|potresti|può|potrebbe)\b)")
"""How a question begins that is a request."""
_TIMES = (r"week|turn|time|month|year|game|season|spring|summer|autumn|winter|phase|day|settimana|volta|turno|mese|anno"
          r"|partita|stagione|primavera|estate|autunno|inverno|fase|giorno")
NOW = rf"(?i)\b(?:this|quest[oa]|quest['’])\s*(?:{_TIMES}|morning|afternoon|evening|night|mattina|sera|notte)\b"
"""What says that this turn is meant."""
SEASONS = ("spring", "summer", "autumn", "winter", "primavera", "estate", "autunno", "inverno")
"""The seasons in both languages."""
NAMES_OF_TIMES = (r"(?i)\b(spring|summer|autumn|winter|primavera|estate|autunno|inverno|january|february|april"
                  r"|june|july"
                  r"|august|september|october|november|december|gennaio|febbraio|marzo|aprile|maggio|giugno|luglio"
                  r"|agosto"
                  r"|settembre|ottobre|novembre|dicembre)\b|\b(?:in|by|during|for|from|until|till"
                  r"|since)\s+((?-i:May|March))\b")
"""Names of months and seasons."""
LEADS_TO_TIME = r"(?i)\b(?:in|for|during|this|per|di|a|quest[oa]|quest['’]|dell[ao])\s*$"
"""The word before them."""
ANOTHER_TIME = (rf"(?i)\b(?:last|previous|next|scors[oa]|precedente|prossim[oa])\s+(?:{_TIMES})\b(?!\s+\d)"
                rf"|\b(?:{_TIMES})\s+(?:scors[oa]|prossim[oa])\b"
                r"|\b(?:in|fra|tra)\s+\w+\s+(?:turns|rounds|weeks|months|years|seasons|days|turni|settimane|mesi|anni"
                r"|stagioni|giorni)\b|(?<!\bdi\s)\b(?:tomorrow(?!['’]s)|domani|dopodomani|domattina)\b")
"""What says that something else than this turn is meant."""
GOES_ON = (r"(?i)\b(?:continu\w*|prosegu\w*|mant[ei]\w*|tien\w*|keeps?|carr(?:y|ies)|goes|go|going|maintains?)\s+"
           r"(?:\w+\s+){0,3}?(?:l['’])?(?:siege|besieging|assedi\w+)")
"""How somebody says that a siege goes on: no new order where one stands, and elsewhere nobody knows what is meant."""
INSTEAD_OF = r"(?i)(?:^|[\s,]+)(?:instead\s+of|rather\s+than|(?:invece|piuttosto)\s+(?:che|di)|anziché)\s"
"""What stands before that which is not to be done."""
CONDITIONS = (r"(?i)\b(?:una\s+volta\s+che|(?:sempre|ammesso|posto)\s+che|nell['’]\s*eventualità"
              r"|in\s+(?:the\s+)?event"
              r"|once\s+(?:they|he|she|it|we|you|the|this|that|there))\b"
              r"|[,;]\s*should\s+(?:they|he|she|it|we|you|the)\b|\bcould\b(?!\s+(?:you|we|i)\b)"
              r"|(?<=\S\s)potrebber?o?\b")
"""Words of a condition or a doubt that no rulebook knows."""
PAST = (r"(?i)\b(?:have|has|had)\s+(?:(?:already|just|now|been)\s+)*(?!\w*eed\b)(?:\w{2,}ed|gone"
        r"|come|taken|sent|built|bought|paid|given|led|left|made|laid|broken|held)\b"
        r"|\b(?:we|i|they|he|she)\s+(?:(?:already|just)\s+)?(?!\w*eed\b)\w{2,}ed\b"
        r"|\b(?:ho|hai|ha|abbiamo|avete|hanno)\s+(?:già\s+|appena\s+)?(?:\w+[aiu]t[oaie]"
        r"|messo|messa|mosso|mossa|preso|presa)\b"
        r"|\b(?:è|sono|siamo)\s+(?:già\s+|appena\s+)?(?:andat|partit|arrivat|entrat|uscit|tornat|marciat)[oaie]\b"
        r"|\b(?:is|are)\s+over\b|(?-i:\b(?!(?:può|ciò|perciò)\b)[a-z]\w*[^r\W]ò\b)")
"""How people tell what has happened, or is over."""
CAUSES = r"(?i)\b(?:because|since|perch[eéè]|poich[eé]|siccome|(?:dato|visto)\s+che|come|as)\b[^,;.:]*"
"""A clause that says why, which may tell what has happened."""
COULD = r"(?i)(?:could|would|will)\s"
"""How a question begins that may be a request."""

REASONS = (
    r"because|cause|cos|coz|since|seeing|in\s+order|enough|hopefully|hope"
    r"|as\s+(?:we|usual|always|planned|i|it|they|he|she)|so\s+(?:that|we|they|i)|i\s+(?:think|guess|hope)"
    r"|they(?:['’](?:ve|re)|\s+(?:have|are|were|keep|will))|we\s+(?:are|can|cant|cannot|can't)"
    r"|perch[eéè]|c['’]?è|per\s+cui|poich[eé]|x[ck]h?[eé]|perke|giacch[eé]|siccome|(?:dato|visto)\s+che|tanto|mica"
    r"|cos[iì]"
    r"|speriamo|spero|ho\s+paura|come\s+(?:al|sempre|previsto|d)"
    r"|che\s+(?:\w+\s+)?(?:siamo|sono|ho|abbiamo|mi|ci|hanno|fa|non|è)")
"""How a clause begins that says why, or what somebody thinks of it."""
DOUBTS = _folded(
    "if unless except but instead se tranne ma invece anzi wait aspetta only before until after when while not no non",
    "dont never or o oppure altrimenti otherwise else forse maybe perhaps might magari prima dopo quando finche finché",
    "mentre appena later più_tardi tardi year anno next prossimo prossima cancel annulla forget scratch scherzo joking",
    "kidding sorry scusa scusate niente nulla without senza avoiding evitando rather than piuttosto maximum minimum",
    "meno patto condizione condition case caso qualora providing supposing assuming",
    "almeno massimo minimo least most provided purché purche salvo eccetto solo soltanto both neither entrambi basta",
    "once should soon event ammesso eventualità fintanto")
UNDOING = _folded(
    "abort avoid avoids refrain refrains prevent prevents forbid",
    "forbids demolish demolishes dismantle dismantles undo undoes revoke revokes refuse_to evitare evita",
    "evitano evitino",
    "impedire impedisce impedisci vietare vieta demolire demolisce demolisci smantellare smantella distruggere",
    "distrugge distruggi revocare revoca sospendere sospende sospendi tear tears")
"""Verbs of the opposite, which no proposal leaves out, folded."""
DOUBTS |= UNDOING
"""Words that may take back or narrow what stands beside them, folded."""
RELATIVES = (r"(?i)\b(?:that|which|who)\s+(?:is|are|was|were)\s+(?:now\s+)?(?:\w+(?:ed|ing)\b(?:\s+(?:t?here|now)\b)?"
             r"|(?=at\b|in\b|outside\b|inside\b))|\bche\s+(?:è|sono|sta|stanno|si\s+trova(?:no)?)"
             r"(?:\s+\w+(?:[aiu]t[oaie]|[ae]ndo)\b)?(?=\s)")
"""What stands between somebody and where he is: ``the bowman who is standing outside Altaguardia``."""
STATES = _folded("is are am è sono siamo era erano was were")
"""Forms of verbs that tell how things are, folded."""
OF_ANOTHER_UNIT = _folded("rest resto remainder other altra altro others former ex hostile enemy nemica nemico half",
                          "metà part parte disbanded sciolta lost perduta old vecchia")
"""Words before a unit that make another of it, or a part of it, folded."""
BEHIND_STATES = _folded("to off da")
"""Words behind them that make an order of them: ``V-2 is to go``, ``is off to Padova``, folded."""
DONE = _folded("sent put led brought taken told held kept left set given paid built made laid moved")
"""Participles without the ending of one, folded."""
DOING = _folded("is are am was were è sono era makes makes takes gives puts offers wants want wishes would will",
                "declares fa fanno",
                "dà danno mette mettono prende prendono vuole vogliono offre offrono dichiara dichiarano ci")
"""Forms of verbs that tell what somebody does, folded."""
WAITING = _folded("wait waits waiting await awaits aspetta aspettano aspetti aspettare attende attendono",
                  "attendi attendere")
"""Verbs behind which stands whom somebody waits for, folded."""
ASIDES = (r"\w{2,}(?:ing|[ae]ndo)(?!\s+(?:of|di)\b)|who|whose|whom|which|where|lest|ché|così|affinch[eé]|giusto|dove"
          r"|il\s+quale|la\s+quale"
          r"|for\s+(?:the\s+)?(?:\w+\s+){1,5}?(?:is|are|has|have|will|needs?|was|were)"
          r"|as\s+the\s+(?:\w+\s+){1,5}?(?:is|are|has|have|will|needs?)|che"
          r"|and\s+(?:mind|may|much|about|let)|e\s+(?:che|di\s+buon)|per\s+(?:non\s+)?\w+r(?:e|[glmstvcn]\w{1,2})")
"""How a clause begins that says more of what was named, or what for, beside reasons."""
BEING = _folded(
    "essere è sono siamo siete era sia be is are was were am been have has had ho ha hanno abbiamo avere fa fare come")
"""Forms of verbs that order nothing in a remark, folded."""
COMPASS = _folded("north south east west northern southern eastern western nord sud est ovest settentrione meridione",
                  "oriente occidente northeast northwest southeast southwest nordest nordovest sudest sudovest")
"""Directions, which stand for no name of which they are a part, folded."""
CALLED = frozenset(("called", "named", "chiamata", "chiamato", "nome"))
"""Words before a new name."""
DEPARTING = _folded("leave leaves leaving left lascia lasciano lasci lasciare lasciando abbandona",
                    "abbandonare quit quits depart departs")
"""Verbs before the place where a unit stands, folded."""
PRONOUNS = _folded("it them him her la lo li le l ci quella quello")
"""Words for what was named before, folded."""
ARTICLES = frozenset(("la", "lo", "li", "le", "l"))
"""Those of them that are articles, too."""
THERE = _folded("there here lì là qui qua ci vi")
"""Words for the place that was named before, folded."""

# Words for whoever stands somewhere or is led by somebody, and for whose sake.

MEN = _folded("army armata esercito esercito host force forza forces forze troops truppe truppa men uomini gente group",
              "gruppo band banda company compagnia people lot guys boys soldiers soldati fellows stack guard guardia",
              "riders column colonna defenders difensori quelli quelle lads ones soldato ragazzi boys gentlemen",
              "marmaglia",
              "predoni schiera torma bande bands compagnie companies folk fanti")
"""Words for a unit, folded."""
STANDING = _folded("che who that which sta stanno stava è sono is are stand stands standing staying camped",
                   "encamped waiting",
                   "accampati accampata accampato rimasti rimasta rimasto bivacca bivaccano si trova trovano there")
"""Words between a unit and the place where it stands, folded: ``the men who are standing at Trento``."""
GARRISONS = _folded("garrison guarnigione presidio men uomini defenders difensori those quelli people gente")
"""Words for those who hold a place, folded."""
POSSESSIVES = _folded("my our your his her its their mio mia miei mie nostro nostra nostri nostre suo sua suoi sue",
                      "loro")
"""Words before one for a unit that say no more of it: ``with his company``, folded."""
TITLES = _folded("king queen earl count lord sir prince duke emir captain thane foreman marshal empress general re",
                 "regina conte principe duca emiro capitano maresciallo imperatrice generale signore")
"""Titles before a name, folded."""
ORDINALS: Mapping[str, int] = {word: number for number, words in enumerate((
    "first prima primo 1st", "second seconda secondo 2nd", "third terza terzo 3rd", "fourth quarta quarto 4th",
    "fifth quinta quinto 5th", "sixth sesta sesto 6th", "seventh settima settimo 7th", "eighth ottava ottavo 8th",
    "ninth nona nono 9th", "tenth decima decimo 10th", "eleventh undicesima undicesimo 11th",
    "twelfth dodicesima dodicesimo 12th"), 1) for word in words.split()}
"""Word -> number in a row."""
OTHER_TONGUE: Mapping[str, str] = {
    "king": "re", "queen": "regina", "emir": "emiro", "captain": "capitano", "duke": "duca", "earl": "conte",
    "count": "conte", "empress": "imperatrice", "marshal": "maresciallo", "stephen": "stefano", "matilda": "matilde",
    "william": "guglielmo", "robert": "roberto", "henry": "enrico", "john": "giovanni", "geoffrey": "goffredo",
    "walter": "gualtiero", "reginald": "reginaldo", "miles": "milo", "brian": "briano", "humphrey": "unfredo",
    "richard": "riccardo", "hugh": "ugo", "ralph": "rodolfo", "philip": "filippo", "charles": "carlo",
    "louis": "luigi", "francis": "francesco", "peter": "pietro", "paul": "paolo", "james": "giacomo",
    "edward": "edoardo", "baldwin": "baldovino", "ferdinand": "ferdinando", "frederick": "federico",
    "gloucester": "gloucester", "castle": "castello", "abbey": "abbazia", "priory": "priorato", "company": "compagnia"}
"""Words of names, English -> Italian, folded."""

# Words by which people say the same in any book, for the table of a book's verbs (`OrderBook.like`).

GO = ("go", "march", "move", "travel", "head", "head down", "head up", "advance", "proceed", "ride", "walk", "set out",
      "get to", "come", "make for", "make way", "push on", "press on", "return", "go back", "withdraw", "bring",
      "take", "lead", "send", "shift", "roll", "drag", "haul", "head for", "sneak", "slip", "step", "arrive", "reach",
      "end", "finish", "pass", "continue", "descend", "climb", "set off", "march off", "end up", "get", "approach",
      "carry on", "keep going", "hurry", "rush", "journey", "relocate", "redeploy", "fall back", "retreat",
      "avviarsi", "correre", "affrettarsi", "accorrere", "arretrare", "indietreggiare", "avvicinarsi", "dirigere",
      "viaggiare", "ritornare", "riportare",
      "andare", "marciare", "muovere", "muoversi", "spostare", "spostarsi", "avanzare", "dirigersi", "proseguire",
      "raggiungere", "partire", "portare", "portarsi", "recarsi", "scendere", "salire", "arrivare", "camminare",
      "cavalcare", "passare", "finire", "tornare", "rientrare", "risalire", "procedere", "puntare",
      "mandare", "inviare", "condurre", "guidare", "trasferire", "trasferirsi", "ripiegare", "incamminarsi",
      "mettersi in marcia", "mettersi in cammino", "venire", "giungere", "continuare", "trascinare",
      "fare rotta", "prendere strada", "scappare", "filare", "schizzare", "volare", "sbrigarsi", "muovere verso",
      "dirigere", "imboccare", "hike", "trek", "tramp", "dash", "double", "swing", "cut across", "make a move",
      "on way",
      "move out", "move off", "move up", "move on", "get going", "get moving", "be off", "split for", "bring up",
      "muovere", "fare un passo", "fare una marcia", "prendere per", "tagliare", "farsi avanti", "ritirarsi",
      "andarsene", "stop at", "halt at", "stop in", "halt in",
      "transfer", "movimento", "marcia", "viaggio",
      "fermarsi a", "fermarsi in", "fermarsi ad", "se ne va", "se ne vanno", "ride out", "uscire")
"""What people say for going somewhere."""
COME_IN = ("enter", "cross", "cross into", "pass into", "entrare", "attraversare", "varcare")
"""What people say for entering a place."""
STAY = ("stay", "hold", "remain", "wait", "stand", "halt", "stand still", "stay put", "do nothing", "keep still",
        "rest", "hold position", "hold ground", "not move", "not budge", "not go anywhere", "not stir", "sit tight",
        "stop", "keep position", "stay where", "dont move", "doesnt move", "doesnt budge", "wont move", "dont budge",
        "stand fast", "hold fast", "stay still", "stay home", "stay behind", "does not move", "do not move",
        "will not move", "pause", "keep ... still", "keep ... where", "leave ... where", "hold ... back",
        "leave ... put", "tenere ... fermo", "lasciare ... fermo", "lasciare ... dove", "tenere ... dove", "restare",
        "rimanere", "fermare", "fermarsi", "stare fermo", "restare fermo", "stare", "non fare nulla",
        "non fare niente", "aspettare", "fermo", "ferma", "attendere", "riposare", "riposarsi", "non muoversi",
        "non muovere", "non spostarsi", "non spostare", "restare dove", "rimanere fermo", "tenere posizione",
        "mantenere posizione", "non andare da nessuna parte", "sostare", "stare buono", "camp", "encamp", "accamparsi",
        "immobile", "remain put", "keep put", "hang back", "hang on", "stay in place", "hold the line", "hold place",
        "stick", "stay put", "idle", "loiter", "keep quiet", "not do anything", "piantato", "piantata", "fermi",
        "ferme",
        "starsene", "se ne sta", "se ne stanno", "fare guardia", "montare guardia", "stand guard", "keep guard",
        "stationary", "sosta", "tranquillo", "tranquilli", "tranquilla", "camped",
        "non fare un passo", "resta li", "tenersi fermo", "rimanere dove", "riposo", "pausa", "fare pausa",
        "tenere duro",
        "non schiodarsi")
"""What people say for staying where one is."""

RAISE = ("recruit", "need", "servire", "raise", "levy", "muster", "enlist", "sign up", "put up", "draft", "call up",
         "train", "arruolare", "reclutare", "assoldare", "levare", "chiamare armi", "radunare", "mettere in campo",
         "coscrivere", "leva", "hire", "take on", "assumere", "equip", "equipaggiare", "enrol", "enroll", "conscript",
         "mobilise", "mobilize", "recruits", "recruitment", "mobilitare", "ingaggiare", "arruolamento", "reclutamento",
         "mettere insieme", "add", "aggiungere", "form", "formare", "levies", "want", "volere", "call to arms")
"""What people say for raising men."""
HIRE = ("hire", "contract", "retain", "procure", "engage", "take on", "need", "get", "employ", "bring in", "pay for",
        "recruit", "ingaggiare", "find", "trovare", "look for", "cercare", "sign", "sign on", "want", "volere",
        "pagare", "pigliare",
        "assumere", "assoldare", "prendere", "servire", "procurare", "procurarsi")
"""What people say for hiring somebody."""
BUILD = ("build", "construct", "erect", "put up", "set up", "raise", "start", "found", "costruire", "edificare",
         "erigere", "mettere in cantiere", "tirare su", "alzare", "innalzare", "fabbricare", "fare", "realizzare",
         "avviare", "prepare", "preparare", "make up", "assemble", "organise", "organize", "organizzare", "allestire",
         "mettere su", "mettere in piedi", "costruzione", "construction", "works", "lavori", "put together", "want",
         "volere", "get started", "dare inizio", "dare il via", "piazzare", "establish", "create", "begin", "creare",
         "istituire", "cominciare", "iniziare", "fit out", "lay down", "order built")
"""What people say for building something."""
ATTACK = ("attack", "assault", "strike", "charge", "hit", "fall on", "set upon", "fight", "go for", "pounce on",
          "engage", "battle", "attaccare", "assalire", "assaltare", "colpire", "caricare", "piombare", "dare addosso",
          "addosso", "dare battaglia", "combattere", "gettarsi", "affrontare", "scagliarsi", "aggredire",
          "marciare contro",
          "muovere contro", "march against", "move against", "confront", "challenge", "go at", "hammer", "crush",
          "smash",
          "storm", "lay into", "take on", "march on", "move on", "attacco", "assalto", "lanciare attacco", "sferrare",
          "dare attacco", "picchiare", "menare", "andare addosso", "saltare addosso", "investire", "schiacciare",
          "dare assalto", "prendere con forza", "take by force", "fight with", "pick fight", "fare botte",
          "venire alle mani")
"""What people say for attacking."""
BESIEGE = ("besiege", "lay siege", "siege", "invest", "surround", "encircle", "start siege", "begin siege", "blockade",
           "sit down before", "assediare", "cingere", "mettere assedio", "assedio", "circondare", "cingere assedio",
           "stringere assedio", "porre assedio", "iniziare assedio", "continue siege", "keep siege", "keep besieging",
           "continue besieging", "carry on siege", "maintain siege", "continuare assedio", "proseguire assedio",
           "mantenere assedio", "sotto assedio", "under siege", "sit down", "ring", "stringere", "accerchiare",
           "bloccare", "cingere d'assedio", "put under siege", "set siege", "camp before", "start besieging",
           "mettersi all assedio", "continuare ad assediare", "tenere assedio", "restare assedio")
"""What people say for beginning a siege."""
UNBESIEGE = ("lift", "lift siege", "raise siege", "give up siege", "break off siege", "end siege", "abandon siege",
             "give up", "siege", "blockade", "levare", "togliere", "levare assedio", "togliere assedio", "assedio",
             "blocco", "abbandonare assedio", "sospendere assedio", "mollare assedio", "mollare", "lasciare assedio",
             "rinunciare assedio", "call off siege", "quit siege", "leave siege", "stop siege", "drop siege",
             "stop besieging",
             "smettere assedio", "finire assedio", "lasciare perdere assedio", "smettere di assediare", "interrompere")
"""What people say for giving up a siege."""
SEND = ("send", "give", "transfer", "hand", "hand over", "pay", "lend", "grant", "gift", "donate", "pass", "deliver",
        "mandare", "inviare", "dare", "versare", "consegnare", "regalare", "passare", "donare", "girare", "pagare",
        "trasferire", "give over", "contribute", "offer", "offrire", "slip", "regalo", "gift", "allungare", "spedire",
        "pagamento", "payment", "versamento")
"""What people say for sending or giving something."""
LEAVE = ("leave", "leave behind", "lasciare", "drop off", "lasciare indietro")
"""What people say for leaving something behind."""
PUT = ("put", "place", "station", "post", "set", "drop", "lay", "mettere", "piazzare", "posare",
       "stanziare", "piazzare", "schierare", "install", "installare", "establish", "appostare", "disporre",
       "collocare", "sistemare")
"""What people say for putting something somewhere."""

# Words by which people tell how a battle ended.

WIN = ("win", "wins", "won", "victory", "victorious", "win battle", "won battle", "beat them", "beat enemy", "vincere",
       "vinto", "vinta", "vittoria", "vittorioso", "vincitore", "battaglia vinta", "prevail", "prevailed", "prevalere",
       "prevalso", "carried day", "took field", "held", "held off", "held them off", "held ground", "held field",
       "repelled", "resistere", "resistito", "respinto", "respinti", "tenuto campo")
BEAT = ("beat", "beats", "defeats", "battere", "sconfiggere", "sbaragliare", "rout")
"""Verbs of which the one who does it has won."""
LOSE = ("lose", "lost", "beaten", "defeated", "defeat", "lost battle", "perdere", "perso", "persa", "sconfitta",
        "sconfitto", "battuto", "battuta", "battuti", "sconfitti", "battaglia persa", "got beaten")
DRAW = ("draw", "drawn", "tie", "stalemate", "undecided", "no winner", "nobody wins", "nobody won", "no one won",
        "inconclusive", "pareggio", "pareggiato", "patta", "stallo", "pari", "finita pari", "nessuno vince",
        "nessuno vinto", "nessun vincitore", "senza vincitori")
LOSSES = ("losses", "lose", "lost", "loses", "casualties", "perdite", "perdere", "perso", "persi", "persa", "perduto",
          "lasciato sul campo")
"""What people say of losses, in the report of a battle."""
KILLED = ("killed", "dead", "died", "die", "slain", "fell", "fallen", "morti", "morto", "morte", "uccisi", "ucciso",
          "uccise", "caduti", "caduto", "cadute", "ammazzati", "morire", "cadere")
"""What people say of the dead."""
WOUNDED = ("wounded", "hurt", "injured", "feriti", "ferito", "ferite")
"""What people say of the wounded."""
CAPTURED = ("captured", "taken prisoner", "prisoner", "prisoners", "catturati", "catturato", "presi prigionieri",
            "preso prigioniero", "prigionieri", "prigioniero")
"""What people say of prisoners."""
ROUTED = ("routed", "rout", "in rout", "in rotta", "rotta", "andare in rotta", "andato in rotta", "andata in rotta",
          "in fuga", "fuggito", "fuggita", "fuggiti", "fuggite", "fuggire", "fled", "flee", "ran away", "run away",
          "broke", "ran", "broke and ran", "run", "scappare", "scappato", "scappata", "scappati", "scappate",
          "darsi alla fuga")
"""What people say of those who have fled."""
RETREAT = ("retreat", "retreated", "withdraw", "withdrew", "withdrawn", "fall back", "fell back", "pull back",
           "pulled back", "ritirarsi", "ritirato", "ritirata", "ritirati", "ritirate", "in ritirata", "ritirare",
           "ripiegare", "ripiegato", "ripiegata", "indietreggiare")
"""What people say of those who go back."""
DESTROYED = ("destroyed", "destroy", "wiped out", "annihilated", "eliminated", "gone", "distrutta", "distrutto",
             "distrutti", "distrutte", "annientata", "annientato", "spazzata via", "eliminata", "eliminato")
"""What people say of what is no more."""
LEFT = ("left", "remain", "remaining", "survive", "survived", "survivors", "rimasti", "rimasto", "rimane", "rimangono",
        "survives", "sopravvive", "sopravvivono", "restano", "resta", "restare", "rimanere", "sopravvissuti",
        "superstiti")
"""What people say of those who are left."""
ATTACKERS = ("attacker", "attackers", "attacking side", "attaccante", "attaccanti")
DEFENDERS = ("defender", "defenders", "defending side", "difensore", "difensori")
US = ("we", "us", "our side", "our", "ours", "our men", "noi", "abbiamo", "nostri", "nostre", "nostra", "nostro",
      "i", "io", "ho", "me", "my", "mine", "mia", "miei", "mie", "mio", "ci")
THEM = ("they", "them", "their", "theirs", "enemy", "enemies", "opponent", "opponents", "loro", "nemico", "nemici",
        "avversario", "avversari", "avversaria", "altri")
"""Words for one's own side of a battle, and for the other one."""
ALL = frozenset(("all", "everybody", "everyone", "everything", "tutti", "tutte", "tutto", "tutta"))
"""Words for as many as there were."""
NOBODY = frozenset(("nobody", "none", "no", "nessuno", "nessuna", "nessun"))
"""Words for none."""
NOUNS = ("figure", "figures", "model", "models", "base", "bases", "stand", "stands", "miniatura", "miniature", "basi",
         "basetta", "basette", "ducat", "ducats", "ducato", "ducati", "men", "man", "uomini", "uomo", "soldiers",
         "soldati")
"""What is counted in a battle."""
RESULT_FILLERS = _folded(
    "siamo sono essi",
    "was were got took take suffered had after stato stata stati state subito subisce",
    "prende preso presa fatto fa unit units unità reparto battle battaglia fight game",
    "partita scontro result risultato but ma viene vengono restata invece purtroppo",
    "only just solo soltanto appena sadly sul campo field table tavolo alla che who while mentre")
"""Words that say nothing of a battle, folded."""

_ELIDED = frozenset(["l", "un", "dell", "all", "dall", "nell", "sull", "quest", "d", "c"])
_APART = r"\"[^\"]*\"|“[^”]*”|«[^»]*»|->|[>→@(]|(?:[^\s,;:+()\[\]>→@\"“”«»]|(?<=\d),(?=\d))+"
_RANGE = r"(?<=\d)\s*(?:\.\.|…)\s*(?=[^\W\d_]?[\w-]*\d)"


@dataclass(frozen=True)
class Token:
    """A word of a sentence, as it stands."""

    text: str
    quoted: bool = False

    @cached_property
    def folded(self) -> str:
        """Without case and accents."""
        return fold(self.text)

    @cached_property
    def forms(self) -> frozenset[str]:
        """The same, without the pronoun at its end (``portala`` is ``porta`` and ``portarla`` ``portare``), and the
        verbs of a noun or a wish: ``spostamento`` and ``sposterei`` are ``spostare``.
        """
        if self.quoted:
            return frozenset((self.folded,))
        match = re.fullmatch(_WITH_PRONOUN, self.folded)
        return frozenset((self.folded, *((match[1], match[1] + "e") if match else ()), *_verbs_of(self.folded)))


_DERIVED = tuple((re.compile(rf"([a-z]{{2,}}){ending}"), verbs.split()) for ending, verbs in (
    ("er(?:ei|ebbe|emmo|este|ebbero)", "are ere iare"), ("ir(?:ei|ebbe|emmo|este|ebbero)", "ire"),
    ("ass(?:i|e|ero|imo)", "are"), ("ess(?:i|e|ero|imo)", "ere"), ("iss(?:i|e|ero|imo)", "ire"),
    ("ament[oi]", "are"), ("iment[oi]", "ere ire"), ("azion[ei]", "are"), ("izion[ei]", "ire ere"),
    ("(?:at|iment)ions?", "e ate"), ("ations?", "- e ate y"), ("ments?", "- e"), ("ions?", "- e"),
    ("als?", "- e"), ("ance", "-")))
"""Endings of nouns that are made of verbs, and of wishes -> the endings of those verbs (``-``: none)."""
_WITH_PRONOUN = r"([a-z]{3,})(?:(?:me|te|se|ce|ve|glie)?(?:lo|la|li|le|ne)|mi|ti|ci|vi|si)"


@lru_cache(maxsize=8192)
def _verbs_of(word: str) -> tuple[str, ...]:
    """The verbs of which a folded word may be a noun or a wish; what is none harms nobody."""
    if len(word) < _SHORTEST_DERIVED:
        return ()
    made = [match[1] + verb.strip("-") for ending, verbs in _DERIVED if (match := ending.fullmatch(word))
            for verb in verbs]
    return tuple(dict.fromkeys((*made, *(re.sub("h(?=are$)", "", verb) for verb in made))))


_SHORTEST_DERIVED = 6
"""Letters of the shortest word that is looked at as one made of a verb."""


UNDECIDED = _folded("thinking pending awaiting waiting considering planning hoping wondering assuming guessing",
                    "being having pensando aspettando attendendo sperando valutando considerando essendo avendo")
"""Forms of verbs that tell that nothing is decided, folded."""
MANNER = _folded(
    "graciously swiftly boldly bravely courageously quickly slowly quietly silently secretly stealthily openly kindly",
    "gladly happily merrily proudly firmly carefully cautiously calmly peacefully steadily hurriedly hastily promptly",
    "speedily immediately directly personally simultaneously solemnly humbly politely joyfully gently fiercely sternly",
    "velocemente rapidamente lentamente celermente silenziosamente segretamente apertamente coraggiosamente",
    "audacemente gentilmente cautamente prudentemente tranquillamente pacificamente prontamente immediatamente",
    "direttamente personalmente",
    "contemporaneamente simultaneamente decisamente solennemente umilmente fieramente allegramente")
"""Adverbs that only say how something is done, folded."""


def split_words(text: str) -> list[Token]:
    """The words of a sentence; articles that lean on a word and the genitive's s stand alone."""
    tokens: list[Token] = []
    for piece in re.findall(_APART, re.sub(_RANGE, "..", text)):
        if piece[0] in "\"“«":
            tokens.append(Token(piece[1:-1], quoted=True))
            continue
        piece = {"->": ">", "→": ">", "@": "at", "(": "by"}.get(piece, piece).rstrip(".!?…") or piece
        if re.fullmatch(r"[^\w>=£$€+*/-]+", piece):  # a picture, or a dash
            continue
        parts = [piece]
        match = re.fullmatch(r"([\w-]+)['’]([^\W\d_]+(?:['’]s)?|)", piece)
        if match and (match[1].casefold() in _ELIDED or match[2].casefold() in ("s", "d", "ll", "")):
            parts = [match[1], *re.split("['’]", match[2])]
        elif match and match[2].casefold() == "t":
            parts = [match[1] + match[2]]
        for part in parts:
            bare = part.strip(".!?…")
            if bare or part == ">":
                tokens.append(Token(bare or part))
    return tokens


@lru_cache(maxsize=512)
def number_in_words(words: str) -> int | None:
    """A number that is written in words of either language; None for anything else."""
    from text_to_num import text2num

    for lang in LANGUAGES:
        try:
            return int(text2num(words, lang))
        except ValueError:  # not a number in this language
            continue
    return None


CLITICS = _folded("si ci vi lo la li le ne mi")
"""Small words between an auxiliary and its verb, folded."""
INSTEAD = _folded("instead invece")
"""Words that only set one thing against another, unless "of" stands behind them, folded."""
HOW_MANY: Mapping[str, int] = {"couple": 2, "pair": 2, "paio": 2, "coppia": 2, "decina": 10, "dozen": 12,
                               "dozzina": 12, "ventina": 20, "trentina": 30, "cinquantina": 50, "centinaio": 100}
"""Nouns for numbers."""
GOING = _folded("go goes come comes andare va vai vado vada vanno vadano andiamo")
SENDING = GOING | _folded("send sends let lets have get mandare manda mando mandiamo mandate mandi inviare invia")
"""Words before another verb that add nothing: ``send u2 to forage``, ``va ad assediare``."""
LINKS = _folded("a ad to and e")
"""Words between the two."""
ANOTHER = _folded("quello quella quelli quelle")
"""Words for another thing of a sort, folded, where a place stands behind them."""
JOINING = _folded("and e ed n plus")
"""Words between two things that are meant in the same way, folded."""
ONES = frozenset(("one", "un", "uno", "una"))
"""Words for one that are also articles, but for those that are prepositions, too."""


# --- what a phrase may be -------------------------------------------------------------------------
class _Phrase(NamedTuple):
    """A phrase that means something, each word by its forms."""

    words: tuple[frozenset[str], ...]
    meaning: Any


_ENDINGS: Mapping[str, str] = {
    "are": "o i a iamo ate ano ino iate ando erò erà eremo eranno",
    "ere": "o i e iamo ete ono a ano iate endo erò erà eremo eranno",
    "ire": "o i e iamo ite ono a ano iate endo irò irà iremo iranno isco isci isce isca iscano iscono",
    "orre": "ongo oni one oniamo onete ongono onga ongano onendo orrà orremo orranno",
    "urre": "uco uci uce uciamo ucete ucono uca ucano ucendo urrà urremo urranno",
    "gliere": "lgo lga lgano lgono gli glie gliamo gliete gliendo glierà glieranno"}
"""Ending of an Italian infinitive -> the endings of its forms."""
_PARTICIPLES: Mapping[str, str] = {
    "are": "ato ata ati ate asse assero", "ere": "uto uta uti ute esse essero",
    "ire": "ito ita iti ite isse issero"}
"""Ending of an Italian infinitive -> those of its participle, and of wishes (``vorrei che spiasse``)."""
_IRREGULAR: Mapping[str, str] = {
    "andare": "andrò andrà andremo andranno vadano", "stare": "stiamo state stando starà staremo staranno",
    "fare": "far facciamo fate fanno facendo farà faremo faranno", "dare": "dar date danno dando darà daremo daranno",
    "uscire": "escono esca escano", "salire": "salgono salga salgano",
    "scendere": "scende scendono scenda scendano", "risalire": "risale risalga risalgano risalgono",
    "venire": "vengo vieni viene vengono venga vengano verrà verranno verremo",
    "tenere": "tengo tieni tiene tengono tenga tengano terrà terranno terremo",
    "mantenere": "mantengo mantieni mantiene mantenga mantengano mantengono manterrà",
    "rimanere": "rimango rimani rimane rimangono rimanga rimangano rimarrà rimarranno rimarremo",
    "dire": "dico dici dice dicono dica dicano dirà", "vedere": "vedrà vedranno", "go": "goes gone", "do": "does",
    "prendere": "preso presa presi prese", "mettere": "messo messa messi messe", "muovere": "mosso mossa mossi mosse",
    "chiudere": "chiuso chiusa chiusi chiuse", "build": "built", "send": "sent", "take": "taken", "give": "given",
    "pay": "paid", "hold": "held", "lay": "laid", "buy": "bought", "bring": "brought", "lead": "led", "lend": "lent",
    "leave": "left", "find": "found", "make": "made", "ride": "ridden", "withdraw": "withdrawn", "break": "broken",
    "have": "has", "man": "men", "footman": "footmen", "horseman": "horsemen"}
"""Word -> its forms that follow no rule."""
_NOUNS = (("o", "i"), ("e", "i"), ("a", "e"), ("io", "i"), ("co", "chi"), ("go", "ghi"), ("ca", "che"), ("ga", "ghe"))
"""Endings of one and several in Italian."""
_SHORTEST_NOUN = 4
"""Letters of a noun whose ending is changed."""


def word_forms(word: str) -> Iterator[str]:
    """The forms of a folded word: of an Italian infinitive, else of an English verb or a noun of either language. What
    is none harms nobody.
    """
    yield word
    yield from imperative_forms(word)
    plain = re.sub(r"(?<=[aei]r)si$", "e", word)
    yield from map(fold, _IRREGULAR.get(plain, "").split())
    for ending, endings in _ENDINGS.items():
        stem = plain.removesuffix(ending)
        if stem != plain and len(stem) > (ending in ("are", "ere", "ire")):
            yield from (plain, plain[:-1])
            yield from _conjugated(stem, ending, endings)
    yield from _inflected(word)


def participles(word: str) -> Iterator[str]:
    """The regular participles of a folded word: of an Italian infinitive, else of an English verb."""
    plain = re.sub(r"(?<=[aei]r)si$", "e", word)
    yield from (plain[:-3] + last for last in _PARTICIPLES.get(plain[-3:], "").split())
    if re.fullmatch(r"[a-z]*[a-z]{2}", word):
        yield from (word.removesuffix("e") + "ed", word + word[-1] + "ed")


def infinitives(word: str) -> tuple[str, ...]:
    """The infinitives of which a word may be the Italian imperative; what is none harms nobody."""
    if word.endswith("a"):
        return (f"{word}re",)
    return (f"{word[:-1]}ere", f"{word[:-1]}ire") if word.endswith("i") else ()


def _conjugated(stem: str, ending: str, endings: str) -> Iterator[str]:
    hard = ending == "are" and stem[-1:] in "cg"
    for last in map(fold, endings.split()):
        yield stem + ("h" if hard and last[0] in "ie" else "") + last
        if stem.endswith("i") and last[0] in "ie":
            yield stem[:-1] + last


def _inflected(word: str) -> Iterator[str]:
    for singular, several in _NOUNS if len(word) >= _SHORTEST_NOUN else ():
        yield from (word.removesuffix(a) + b for a, b in ((singular, several), (several, singular)) if word.endswith(a))
    if re.fullmatch(r"[a-z_]*[a-z]{2}", word):
        short = word.removesuffix("e")
        yield from (word + "s", word + "es", short + "ing", word + word[-1] + "ing", short + "ed",
        word + word[-1] + "ed")
        if word.endswith("y"):
            yield word[:-1] + "ies"
        if word.endswith("s") and len(word) >= _SHORTEST_NOUN:
            yield word[:-1]


APART = " ... "
"""What stands in a phrase for other words between its two parts: ``send ... home``."""


class PhraseIndex:
    """Finds phrases by any form of their words; words that say nothing may stand between them. `passive`: also by
    participles (``a garrison placed at Arezzo``), which tell of the past elsewhere.
    """

    def __init__(self, phrases: Iterable[tuple[str, Any]], *, passive: bool = False) -> None:
        self._phrases, self._passive = tuple(phrases), passive

    @cached_property
    def vocabulary(self) -> set[str]:
        """Every form of every word."""
        return {form for phrases in self._by_form.values() for phrase in phrases for forms in phrase.words
                for form in forms}

    @cached_property
    def _by_form(self) -> Mapping[str, list[_Phrase]]:
        """The phrases by each form of their first word, as soon as somebody looks."""
        by_form: dict[str, list[_Phrase]] = {}
        for text, meaning in self._phrases:
            if APART in text:
                continue
            words = tuple(_forms_of(token.text, self._passive) for token in split_words(text.replace("_",
            " ")) if token.text)
            for form in sorted(words[0]) if words else ():
                by_form.setdefault(form, []).append(_Phrase(words, meaning))
            if len(words) > 1:  # written with hyphens, it is one word
                for form in sorted(_forms_of(fold(text), self._passive)):
                    by_form.setdefault(form, []).append(_Phrase((_forms_of(fold(text), self._passive),), meaning))
        return by_form

    @cached_property
    def _apart(self) -> list[tuple[frozenset[str], frozenset[str], Any]]:
        return [(_forms_of(first, self._passive), _forms_of(last, self._passive), meaning)
                for text, meaning in self._phrases if APART in text for first, last in [text.split(APART)]]

    def apart(self, tokens: Sequence[Token]) -> Iterator[tuple[int, Any]]:
        """The places of phrases whose two parts stand apart, each part by itself."""
        for first, last, meaning in self._apart:
            starts = [at for at, token in enumerate(tokens) if first & token.forms]
            ends = [at for at, token in enumerate(tokens) if last & token.forms]
            if starts and ends and starts[0] < ends[-1]:
                yield starts[0], meaning
                yield ends[-1], meaning

    def at(self, tokens: Sequence[Token], start: int) -> Iterator[tuple[int, Any]]:
        """The phrases that stand at a place: how many words, and what each means."""
        for form in sorted(tokens[start].forms):
            for phrase in self._by_form.get(form, ()):
                if tokens[start].folded in ROLES and len(phrase.words) == 1:
                    continue
                count = _count_words(phrase, tokens, start)
                if count:
                    yield count, phrase.meaning


MOST_BETWEEN = 2
"""Words that say nothing between two words of a phrase, at most."""


def _count_words(phrase: _Phrase, tokens: Sequence[Token], start: int) -> int:
    """How many words a phrase takes at a place, 0 where it does not stand there."""
    at = start
    for number, forms in enumerate(phrase.words):
        skipped = 0
        while number and at < len(tokens) and not forms & tokens[at].forms and skipped < MOST_BETWEEN and (
                tokens[at].folded in FILLERS or tokens[at].folded in CLITICS or tokens[at].folded in MANNER):
            at, skipped = at + 1, skipped + 1
        if at >= len(tokens) or not forms & tokens[at].forms:
            return 0
        at += 1
    return at - start


@lru_cache(maxsize=8192)
def _forms_of(word: str, passive: bool) -> frozenset[str]:
    return frozenset((*word_forms(fold(word)), *(participles(fold(word)) if passive else ())))
