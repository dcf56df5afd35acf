"""What people do: BUILD, MISSION and SPY, and the night's spies (rulebook: Actions, Spying)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Literal, cast

from assistant.campaign.records import ALL
from assistant.campaign.tables import natural
from assistant.rulesets.incursio import BOTH, ESDEF, VARANNAH, both, orders
from assistant.rulesets.incursio.orders import DAY, PERSONAL, priority
from assistant.rulesets.incursio.realm import LINES, OTHER, UNITS, Line, Realm
from assistant.rulesets.incursio.records import AS_PIECES, ASSUMED, DERIVED, ROLLS, Player, SpyChance
from assistant.turn.chapters import Chapter, Citation, EventType, Message, QuestionType, Rules, number, switch
from assistant.turn.orders.requests import Refused
from assistant.turn.orders.verbs import order
from assistant.turn.questions import Ask

# The players' actions of a day: BUILD, MISSION, SPY (rulebook: Actions).


CONSENT = "consent"
"""The question to a player whom the general sends."""
YES_NO = {"sì": "yes", "si": "yes", "s": "yes", "y": "yes", "ok": "yes", "accetto": "yes", "accept": "yes", "n": "no",
          "rifiuto": "no", "decline": "no"}


both.words({
    "success": "riuscita", "structures": "strutture", "initial": "iniziale", "final": "finale", "extra": "aggiuntivo",
    "settlement": "un insediamento", "cell": "una casella", "player": "un giocatore", "free": "libera",
    "done": "eseguito",
})

ACTION_CHAPTER = Chapter(both("The people", "Le persone"), (Citation("CON", "Conclusions", "Conclusioni"),), events=(
    EventType("consent_refused",
              both("{player} did not agree to the order {order}, which needs that.",
                   "{player} non ha dato l'assenso all'ordine {order}, che senza non vale."), "works", 2, "COS CON",
              means={**AS_PIECES, "order": "text"}, to="order"),
), findings=(
    Message("INC-058", "error", both("{player} already acts today: {other}.", "{player} oggi ha già da fare: {other}."),
            means={"player": "piece", "other": "text"}),
    Message("INC-070", "error",
            both("'{mission}' is not a mission of {faction:the}.", "'{mission}' non è una missione {faction:di}."),
            means={"mission": "piece"}, certain=True),
    Message("INC-071", "error", both("The mission needs {target}.", "La missione chiede {target}."),
            ("target",
             {"settlement": both("The mission needs a settlement.", "La missione chiede un insediamento."),
              "cell": both("The mission needs a cell.", "La missione chiede una casella."),
              "player": both("The mission needs a player.", "La missione chiede un giocatore.")}), certain=True),
    Message("INC-072", "error", both("No extra mission is left today.", "Oggi non restano missioni aggiuntive.")),
    Message("INC-073", "error",
            both("{other} is already on this mission ({target}).", "In questa missione ({target}) c'è già {other}."),
            means={"other": "piece", "target": "any"}),
), questions=(
    QuestionType(CONSENT,
                 both("{character}, the general asks you: {action}. Do you accept?",
                      "{character}, il generale ti chiede: {action}. Accetti?"), answers=YES_NO,
                 means={"character": "text", "action": "text"}),
))


FOUNDING = ("02", "01")
"""The structures that found a settlement, in the order in which they are begun."""
LEVEL_IGNORED = ("11", "18", "19")
"""Structures that need no level if level 3 asks for a signal tower (`lvl3_req`)."""


# --- one action a day ---------------------------------------------------------------------------------------
def is_proposal(request: Line) -> bool:
    """Whether the general proposes the action to another player."""
    return request.issuer not in ("", request.player)


def action_key(request: Line) -> tuple[Any, ...]:
    """Sort key: a player's own lines before proposals, then by priority, then BUILD, MISSION, SPY."""
    return (is_proposal(request), priority(request), PERSONAL.index(request.verb), orders.canonical_key(request))


def check_single_action(realm: Realm, request: Line, *, extra: bool = False) -> None:
    """Refuse a second action (INC-058).

    Each command centre allows one more mission (INC-072), but not to a player who spies.
    """
    player = request.player
    others = {act.row.order: act for act in (*orders.actions_of(realm, realm.game.turn), *realm.acting)
              if act.player == player and act.row.order != request.row.order}
    if not others:
        return
    centres = sum(count for node in realm.homes(ESDEF) if request.faction == ESDEF
                  for structure, count in realm.standing(node.node).items()
                  if structure in realm.effects(node.node, "extra_missions"))
    if not (extra and centres) or any(other.verb == "spy" for other in others.values()):
        raise Refused("INC-058", "player", player=player, other=" ".join(others))
    if len(realm.extra) >= centres or len(others) > 1:
        raise Refused("INC-072", "player")
    realm.extra.append(request.row.order)


def take_actions(realm: Realm) -> None:
    """Judge the actions of the evening; spies are judged at night, but keep their players busy already."""
    if not realm.is_next:
        return
    every = [request for request in orders.lines_of_day(realm) if request.verb in PERSONAL]
    realm.building = [request for request in every if request.verb == "build"]
    for request in sorted(every, key=action_key):
        if request.verb == "spy":
            with suppress(Refused):  # told at night
                _take_spy(realm, request)
        elif orders.phase_of(realm, request) == realm.game.phase and orders.take_line(realm, request):
            realm.acting.append(request)
    # INC-054: works that coins and tonight's income will not pay
    left = realm.coins_tonight
    for request in sorted((request for request in realm.taken if request.verb == "build"), key=payment_key):
        cost = realm.types[request.structure].cost
        if cost > left:
            request.find(realm, "INC-054", "structure", cost=cost, left=left)
        else:
            left -= cost


def take_spies(realm: Realm) -> None:
    """Judge the SPY lines."""
    orders.take_lines(realm, "spy", order=action_key)


# Building.


class BuildingNumbers(Rules):
    """Requirements of buildings, and how many may be built."""

    founding_parallel: Literal["parallel", "serial"] = switch(
        both("Structures 01 and 02 of a new settlement are built {option}.",
             "Le strutture 01 e 02 di un nuovo insediamento si costruiscono {option}."), both("together", "insieme"),
        both("one after the other", "una dopo l'altra"), source="FON")
    builder_rule: Literal["per_building", "per_site"] = switch(
        both("Each player starts {option}.", "Ogni giocatore comincia {option}."),
        both("one building", "una costruzione"),
        both("one building, or both of a founding", "una costruzione, o le due di una fondazione"), usual=True)
    build_limit_scope: Literal["settlement", "map"] = switch(
        both("The limit of a structure holds for {option}.", "Il limite di una struttura vale per {option}."),
        both("each settlement", "ogni insediamento"), both("the whole map", "tutta la mappa"))


BUILDING_CHAPTER = Chapter(both("Building", "Costruzioni"), (
    Citation("COS", "Buildings", "Costruzioni"), Citation("FON", "Founding", "Fondare"),
), BuildingNumbers, events=(
    EventType("ruin_purified", both("Soldiers purify the ruin of {node:the}.",
                                    "I soldati purificano la rovina {node:di}."), "sieges", 0, "FON", to=ALL,
              theme="place"),
    EventType("settlement_founded", both("A settlement is founded {node:at}.", "{node:dove} nasce un insediamento."),
              "works", 0, "FON", to=ALL),
    EventType("site_razed", both("Demons raze the building site {node:at}.",
                                 "I demoni distruggono il cantiere {node:dove}."), "works", 1, to=BOTH),
), findings=(
    Message("INC-050", "error", both("Structure '{id}' does not exist.", "La struttura '{id}' non esiste."),
            means={"id": "text"}, certain=True),
    Message("INC-051", "error",
            both("{structure} needs level {need}; {node:the} has {level}.",
                 "{structure} chiede livello {need}; {node} ha {level}."), means={"structure": "piece"}),
    Message("INC-052", "error",
            both("{structure} needs {missing} {node:at} first.", "Per {structure} {node:dove} manca {missing}."),
            means={"structure": "piece", "missing": "piece"}),
    Message("INC-053", "error",
            both("{structure} stands or is being built {k} {k?time|times} {node:at}: the limit is {limit}.",
                 "{structure} {node:dove} c'è o è in cantiere {k} {k?volta|volte}: il limite è {limit}."),
            means={"structure": "piece"}, variants=("limit", {
                "1": both("{node:the} already has {structure}, or it is being built there: only 1 is allowed.",
                          "{node:dove} c'è già {structure}, o è in cantiere: se ne può avere solo 1.")})),
    Message("INC-054", "warning",
            both("{cost} {cost?coin|coins}, {left} left: not started.",
                 "{cost} {cost?moneta|monete}, {left?ne resta|ne restano} {left}: non comincia.")),
    Message("INC-055", "error",
            both("You cannot build {node:at}: a settlement of yours, or an empty cell with your soldiers and no "
                 "enemies, is needed.",
                 "{node:dove} non si costruisce: serve un tuo insediamento o una casella vuota con tuoi soldati e "
                 "senza nemici.")),
    Message("INC-056", "warning",
            both("A new settlement needs both 01 and 02; only {one} is ordered.",
                 "Un nuovo insediamento chiede 01 e 02; c'è solo {one}."), means={"one": "text"}),
))


@order("build", "costruisci", when=DAY, structure=orders.STRUCTURE, node=orders.CELL, player=orders.PLAYER,
       issuer=orders.ISSUER, priority=orders.NUMBER,
       shown=("build {structure} @{node} ({player})", "costruisci {structure} a {node} ({player})"),
       offered=lambda realm, request: realm.types[cast(Line, request).structure].cost <= realm.coins_for_works,
       help=both("Begin a structure; it is ready tomorrow, and is the character's action of the day.",
                 "Comincia una struttura; è pronta domani, ed è l'azione del giorno del personaggio."))
def build(realm: Realm, request: Line) -> None:
    """Check in the order of the book; works that are due tonight count as finished."""
    mine = [(act.verb, act.node, act.structure) for act in realm.acting if act.player == request.player]
    others = [("build", request.node, code) for code in FOUNDING if code != request.structure]
    # by switch one player may begin both halves of a founding
    second = BuildingNumbers.of(realm).builder_rule == "per_site" and len(others) == 1 and mine == others
    if not second:
        check_single_action(realm, request)
    if request.structure not in realm.types:
        raise Refused("INC-050", "structure", id=request.structure[:40])
    check_buildable(realm, request, forecast=True)
    ordered = {act.structure for act in realm.building if act.node == request.node}
    there = {*realm.standing(request.node), *(work.structure for work in realm.in_work(request.node)), *ordered}
    founding = there & {*FOUNDING}
    if realm.nodes[request.node].kind == "empty" and len(founding) == 1:
        request.find(realm, "INC-056", "structure", one=founding.pop())


def check_buildable(realm: Realm, request: Line, *, forecast: bool) -> None:
    """Refuse a structure that may not be begun in a cell (INC-055, 051, 052, 053).

    `forecast`: works due tonight count as finished.
    """
    node, code = request.node, request.structure
    kind, place = realm.types[code], realm.nodes[node]
    soldiers = bool(realm.camp.at(node, ESDEF)) and not realm.camp.at(node, VARANNAH)
    if not (place.kind == "settlement" or (place.kind == "empty" and soldiers)):
        raise Refused("INC-055", "node", node=node)
    there, working = realm.standing(node), Counter[str]()
    for work in realm.in_work(node):
        # works that are due tonight finish before others begin (M3, M5)
        due = forecast and (work.ready_on or 0) <= realm.today
        (there if due else working)[work.structure] += 1
    level = max(place.level if place.kind == "settlement" else 0, realm.level_of(there))
    if kind.level > level and not (realm.rules.lvl3_req == "19_ignore_levels" and code in LEVEL_IGNORED):
        raise Refused("INC-051", "structure", structure=code, need=kind.level, node=node, level=level)
    present = set(there)
    # 01 asks for 02: begun together they found a settlement in one day (FON)
    if level == 0 and BuildingNumbers.of(realm).founding_parallel == "parallel":
        ordered = {act.structure for act in realm.building if forecast and act.node == node}
        present |= {*working, *ordered} & {FOUNDING[0]}
    missing = [needed for needed in kind.requires.split() if needed not in present]
    if missing:
        raise Refused("INC-052", "structure", structure=code, missing=" ".join(missing), node=node)
    # a proposal may still be declined: whether it takes the last place, or loses it, shows when works begin
    begun = [act for act in realm.acting if forecast and act.verb == "build"
             and act.structure == code and not is_proposal(act) and payment_key(act) < payment_key(request)]
    count = there[code] + working[code] + sum(act.node == node for act in begun)
    if BuildingNumbers.of(realm).build_limit_scope == "map":
        count = len(begun) + sum(row.copies for row in realm.structures if row.structure == code) + sum(
            work.structure == code for work in realm.works if work.state == "in_progress")
    if count >= kind.limit:
        raise Refused("INC-053", "structure", structure=code, k=count, node=node, limit=kind.limit)


def payment_key(request: Line) -> tuple[Any, ...]:
    """Sort key for paying works: priority, cell, 02 first, then structure, player."""
    code = request.structure
    # 02 is paid before 01 of the same founding, which needs it
    return (priority(request), orders.blank_first_key(request.node), code != FOUNDING[0], code,
            orders.blank_first_key(request.player))


# --- missions and spies ---------------------------------------------------------------------------------------
@order("mission", "missione", when=DAY, mission=orders.MISSION, player=orders.PLAYER,
       node=orders.Cell(blank=True, title=both("Place", "Luogo")), issuer=orders.ISSUER,
       target_player=orders.FOR_WHOM, priority=orders.NUMBER,
       shown=("mission {mission}[ at {node}][ for {target_player}] ({player})",
              "missione {mission}[ a {node}][ per {target_player}] ({player})"),
       help=both("Send a character on a mission; it is the character's action of the day.",
                 "Manda un personaggio in missione; è la sua azione del giorno."))
def mission(realm: Realm, request: Line) -> None:
    """In the order of the book's checks."""
    kind = realm.mission_types.get(request.mission)
    if kind is None or kind.who == OTHER[request.faction]:
        raise Refused("INC-070", "mission", mission=request.mission[:40], faction=request.faction)
    node, other = request.node, request.target_player
    settled = bool(node) and realm.nodes[node].kind == "settlement"
    needs = {"settlement": settled, "cell": bool(node), "player": bool(other)}
    if not needs.get(kind.target, True):
        raise Refused("INC-071", "target_player" if kind.target == "player" else "node", target=kind.target)
    for name, value in (("node", node), ("target_player", other)):
        if value and (name == "node") is (kind.target in ("none", "player")):
            request.find(realm, "INC-009", name, verb=request.verb, column=name, sheet="Orders")
    same = [act for act in realm.acting if act.verb == "mission" and act.faction == request.faction
            and act.mission == kind.mission and act.node == node]
    mine = [act for act in same if (act.player, act.target_player) == (request.player, other)]
    alike = mine or (same if node and kind.mission != "free" else [])
    if alike:
        raise Refused("INC-073", "mission", other=alike[0].player, target=node or other or "–")
    check_single_action(realm, request, extra=True)


@order("spy", "spia", when=DAY, node=orders.Cell(others=True, after=("from", "at"), title=both("Target", "Bersaglio")),
       player=orders.PLAYER, subject=orders.SUBJECT, issuer=orders.ISSUER, priority=orders.NUMBER,
       shown=("spy {node}[ {subject}] ({player})", "spia {node}[ {subject}] ({player})"),
       help=both("Spy a cell by night; raiders say whether soldiers or structures. It is the character's action of "
                 "the day.",
                 "Spia una casella di notte; gli incursori dicono se soldati o strutture. È l'azione del giorno del "
                 "personaggio."))
def spy(realm: Realm, request: Line) -> None:
    """In the order of the book's checks."""
    _take_spy(realm, request)
    if request.faction == ESDEF and request.subject:
        request.find(realm, "INC-061", "subject")


def _take_spy(realm: Realm, request: Line) -> None:
    """Somebody will spy, unless that cannot be (INC-062, 060)."""
    if realm.is_home(request.node, request.faction):
        raise Refused("INC-062", "node", node=request.node)
    if request.faction == VARANNAH and not request.subject:
        raise Refused("INC-060", "subject")
    check_single_action(realm, request)
    realm.acting.append(request)


# --- consents -------------------------------------------------------------------------------------------------
def consent_question(realm: Realm, request: Line) -> Ask:
    """The question whether a player agrees to what the general proposes."""
    player = realm.players[request.player]
    lang = realm.factions[request.faction].language
    other = "it" if lang == "en" else "en"  # whose workbook is in the other language reads it there
    told, otherwise = (orders.action_text(realm, request, each) for each in (lang, other))
    what = filter(None, (request.structure, request.mission, request.target_player, request.subject))
    return Ask(CONSENT, request.faction, request.row.order, ("yes", "no"), "no",
               {"order": request.row.order, "player": player.player, "character": player.name or player.player,
                "action": told, f"action_{other}": otherwise, "place": request.node, "object": " ".join(what)},
               terms=("player", "action", "place", "object"))


def ask_consents(realm: Realm, requests: Iterable[Line], more: list[Ask]) -> tuple[list[Line], list[str]]:
    """Ask all consents and further questions at once; return the lines agreed to, and the further answers."""
    listed = list(requests)
    proposals = [request for request in listed if is_proposal(request)]
    answers = realm.game.choose_all([*(consent_question(realm, request) for request in proposals), *more])
    refused = {id(request) for request, answer in zip(proposals, answers, strict=False) if answer == "no"}
    for request in listed:
        if id(request) in refused:
            request.came_to("declined")
            realm.tell("consent_refused", order=request.row.order, player=request.player)
    return [request for request in listed if id(request) not in refused], answers[len(proposals):]


def note_action(realm: Realm, request: Line) -> None:
    """Note that a player has acted today."""
    realm.players[request.player].acted_on = realm.today


# The night's spies (rulebook: Spying).


class SpyingNumbers(Rules):
    """What helps a spy, and how long what he saw counts."""

    spy_bonus_scope: Literal["global_best", "per_tower"] = switch(
        both("Signal towers and Vaikranta posts count {option}.",
             "Torri di segnalazione e presidi Vaikranta contano {option}."), both("once a kind", "una volta per tipo"),
        both("each", "ognuno"), source="TS")
    spy_cap: int = number(90, both("%", "%"),
                          both("No demon spies with more than {n}%.", "Nessun demone spia con più del {n}%."), DERIVED,
                          source="SPI TD", usual=True)
    spy_stale_after: int = number(3, both("days", "giorni"),
                                  both("A sighting is old after {n} {n?day|days}.",
                                       "Un avvistamento è vecchio dopo {n} {n?giorno|giorni}."), ASSUMED, 1)


SPIED = {"empty": both("{player} looked {node:at}: nobody is there.",
                       "{player} ha guardato {node:dove}: non c'è nessuno."),
          "enemies": both("{player} spied {node:at}: there are enemies, and no more could be seen.",
                         "{player} ha spiato {node:il}: ci sono nemici, di più non si è visto."),
          "success": both("{player} spied {node:at} and succeeded.", "{player} ha spiato {node:il} con successo.")}


SPYING_CHAPTER = Chapter(both("Spying", "Spionaggio"), (
    Citation("SPI", "Spying", "Spionaggio"), Citation("TD", "table of spies", "tabella delle spie"),
), SpyingNumbers, events=(
    EventType("spy_report", both("{player} {node:at}: {result}.", "{player} {node:dove}: {result}."), "news", 1,
              "SPI T7", variants=("result", SPIED), means={**AS_PIECES, "result": "word"}, to="player"),
), findings=(
    Message("INC-060", "error",
            both("Say what to spy: soldiers or structures.", "Di' che cosa spiare: soldati o strutture."),
            certain=True),
    Message("INC-061", "warning",
            both("Defenders need not say what they spy: ignored.",
                 "I difensori non dicono che cosa spiano: ignorato.")),
    Message("INC-062", "error", both("{node:the} is your own place.", "{node:il} {node?è|sono} un luogo tuo."),
            certain=True),
))

SPY = ROLLS.purpose(both("Spying", "Spionaggio"), "spy/{turn}/{Players}/success", "1d100")
AMOUNT = ROLLS.purpose("", "spy/{turn}/{Players}/amount", "")
PICK = ROLLS.purpose("", "spy/{turn}/{Players}/pick/{n}", "")


SpiedThing = tuple[str, int | None, str]
"""Kind of sighting, position, and what stands there."""
POWER_BONUS = ((9, 30), (4, 20), (1, 10))
"""Steps of power -> bonus in per cent of the raiders' spies."""
CERTAIN = 100


def resolve_spying(realm: Realm) -> None:
    """T7: all spies see the same state, by faction and player."""
    chosen, _ = ask_consents(realm, realm.taken, [])
    for request in sorted(chosen, key=lambda request: (request.faction, natural(request.player))):
        request.came_to("done")
        carry_out_spy(realm, request)


def is_empty(realm: Realm, side: str, node: str) -> bool:
    """Whether there is nothing of the enemy in a cell: no units, no place, no site, no portal."""
    if realm.camp.at(node, OTHER[side]) or realm.is_home(node, OTHER[side]):
        return False
    return not (realm.is_site(node) if side == VARANNAH else portals_at(realm, node))


def portals_at(realm: Realm, node: str) -> list[str]:
    """The days of the portals that are located in a cell, true and false ones alike."""
    return [row.day for row in realm.portals if row.node == node and row.state == "located"]


def species_of(realm: Realm, player: Player) -> SpyChance:
    """The row of a player's species, or of any other."""
    rows = {row.species.casefold(): row for row in realm.spies if row.faction == player.faction}
    return rows.get(player.species.strip().casefold()) or rows["*"]


def spy_percent(realm: Realm, player: Player, row: SpyChance) -> int:
    """The chance in per cent, with powers, towers and the night eye."""
    percent = row.percent
    if player.faction == VARANNAH:
        percent += next((bonus for step, bonus in POWER_BONUS if realm.power >= step), 0)
        eyes = realm.on_mission("night_eye", day=realm.game.turn, target_player=player.player)
        percent += len(eyes) * realm.mission_value("night_eye")
    else:
        towers = [(structure, value, realm.standing(town.node)[structure]) for town in realm.homes(ESDEF)
                  for structure, value in realm.effects(town.node, "spying_percent").items()]
        each = SpyingNumbers.of(realm).spy_bonus_scope == "per_tower"
        # a 19 counts once and a 20 once, however many stand
        percent += (sum(value * copies for _, value, copies in towers) if each
                    else sum({structure: value for structure, value, _ in towers}.values()))
    return min(percent, SpyingNumbers.of(realm).spy_cap)


def things_to_report(realm: Realm, side: str, node: str, subject: str) -> list[SpiedThing]:
    """All that a spy may report of a cell, in order."""
    if subject == "structures":
        return [("structure", None, code) for code in sorted(realm.standing(node))]
    things: list[SpiedThing] = []
    if side == VARANNAH:
        things += [("garrison", n, unit.code) for n, unit in enumerate(realm.camp.garrison(node), 1)]
    return things + [("camp", n, unit.code) for n, unit in enumerate(realm.camp.outside(node, OTHER[side]), 1)]


def carry_out_spy(realm: Realm, request: Line) -> None:
    """Carry out one spy: the cell is empty, or there are enemies, or some things are seen."""
    player, node, side = realm.players[request.player], request.node, request.faction
    about: dict[str, Any] = {"player": player.player, "node": node}
    note_action(realm, request)
    # that nobody is there is seen without a die (SPI)
    if is_empty(realm, side, node):
        realm.observe(side, node, "empty", "spy", player=player.player)
        realm.tell("spy_report", result="empty", **about)
        return
    row = species_of(realm, player)
    # a Molor is certain and throws nothing (SPI)
    if row.percent < CERTAIN:
        trial = realm.trial(SPY(realm.game.turn, player.player), spy_percent(realm, player, row), {}, [side],
                            at_most=True)
        if not trial.passed:
            # who has seen them closer today learns nothing from `enemies`
            if not any(observation.seen_on == realm.today for observation in realm.sightings_at(side, node, *LINES)):
                realm.observe(side, node, "enemies", "spy", player=player.player)
            told = realm.tell("spy_report", roll=trial, result="enemies", chance=trial.target, **about)
            told.data["roll"] = trial.roll.total
            return
    subject = "" if side == ESDEF else request.subject
    everything = things_to_report(realm, side, node, subject)
    amount = realm.die(AMOUNT(realm.game.turn, player.player, dice=f"1d{row.amount_faces}"), side)
    drawn = draw_things(realm, player, everything, amount)
    complete = amount >= len(everything)
    # after a whole report nothing older about its units can be true
    if complete and subject != "structures":
        realm.supersede(realm.sightings_at(side, node, *UNITS))
    for kind, position, what in drawn:
        realm.observe(side, node, kind, "spy", position=position, what=what, player=player.player)
    # a portal is told whatever the die of amount shows
    days = portals_at(realm, node) if side == ESDEF else []
    for day in days:
        realm.observe(side, node, "portal", "spy", what=day, player=player.player)
    realm.tell("spy_report", result="success", amount=amount, complete=complete,
               found=[list(thing) for thing in drawn], portal=bool(days) if side == ESDEF else None, **about)


def draw_things(realm: Realm, player: Player, everything: list[SpiedThing], amount: int) -> list[SpiedThing]:
    """Draw an amount of things without putting back, in the order of the list."""
    if amount >= len(everything):
        return everything
    rest, drawn = list(everything), list[SpiedThing]()
    for k in range(1, amount + 1):
        drawn.append(realm.draw(rest, player.faction, PICK, realm.game.turn, player.player, k))
        rest.remove(drawn[-1])
    return [thing for thing in everything if thing in drawn]
