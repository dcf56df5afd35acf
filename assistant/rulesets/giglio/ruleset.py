"""Il Giglio as a ruleset: what is shown of it, its orders, the phases of the year, its chapters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeVar

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Ref, Whole, column
from assistant.campaign.records import Order, Question, Rule
from assistant.campaign.tables import Record, Table, natural
from assistant.rulesets.giglio import (
    VOCABULARY,
    alliances,
    both,
    fleets,
    marches,
    objectives,
    records,
    recruiting,
    robot,
    seasons,
    sieges,
)
from assistant.rulesets.giglio import battle as battles
from assistant.rulesets.giglio.records import (
    BATTLES,
    CALENDAR,
    DATA_FINDINGS,
    EDITIONS,
    MONTHS,
    OBJECTIVES,
    RECORDS,
    ROLLS,
    TABLE34,
    Alliance,
    Army,
    Battle,
    Desk,
    Faction,
    Fleet,
    Node,
    Numbers,
    Opening,
    Siege,
    Specialist,
    Work,
)
from assistant.rulesets.giglio.war import (
    FILLERS,
    FINDINGS,
    PURSE,
    SAYS,
    SHAPES,
    SPRING,
    SUMMER,
    War,
    further_names,
    percent_up,
)
from assistant.turn.calendar import Calendar, Turns
from assistant.turn.event_types import DeclaredTable, Ending, Said, TableOf, sparse_table, tables_of
from assistant.turn.findings import Citation, Finding, citations_by_key
from assistant.turn.game import Game, Phase, Step
from assistant.turn.map_symbols import BESIEGES, UNCOUNTED, ForceLook, Looks, Marks, PlaceLook
from assistant.turn.numbers import typed_values
from assistant.turn.orders.columns import Note
from assistant.turn.orders.taking import carry_all, take
from assistant.turn.orders.verbs import order_book
from assistant.turn.questions import Invitation
from assistant.turn.ruleset import Ruleset, Wing
from assistant.turn.texts import keyed
from assistant.turn.views import Chance, draw_unseen

# Maps: sites, fleets, sieges, the marches and battles of a round.


MARCHES = {"army.moved": ("army", "path"), "army.retreated": ("army", "frm", "to"),
           "fleet.sailed": ("fleet", "frm", "to"), "fleet.repelled": ("fleet", "frm", "to")}
LOST = {"army.lost": ("army", "faction"), "fleet.lost": ("fleet", "faction")}
MARKS = {"battle.offered": Marks("battle"), "battle.result": Marks("battle", owner="winner"),
         "siege.begun": Marks("siege", owner="besieger"), "place.taken": Marks("captured", owner="by"),
         "epidemic.struck": Marks("plague")}


class GiglioLooks(Looks):
    """Map symbols: everybody sees every marker, only its owner knows its ducats."""

    kind = "site"
    forces = {Army.sheet: "army", Fleet.sheet: "fleet"}  # noqa: RUF012
    marches = MARCHES
    lost = LOST
    marks = MARKS

    def place(self, node: base.Node, game: Game) -> PlaceLook:
        """The symbol of a place, marked if it is besieged."""
        look = super().place(node, game)
        return look._replace(besieged=any(row.node == node.node for row in game.campaign.table(Siege)))

    def force(self, row: Record, game: Game) -> ForceLook | None:
        """The symbol of an army or fleet; armies aboard are shown with their fleet."""
        return None if isinstance(row, Army) and row.posture == "aboard" else super().force(row, game)

    def strength(self, row: Record, game: Game) -> str:
        """An army's ducats, if the reader may see them."""
        return UNCOUNTED if isinstance(row, Fleet) else str(row.value or "") if isinstance(row, Army) else ""

    def stance(self, row: Record, game: Game) -> str:
        """An envoy, shut in, or at a siege."""
        if not isinstance(row, Army):
            return ""
        if row.kind == "diplomat" or row.posture == "shut_in":
            return row.kind if row.kind == "diplomat" else row.posture
        siege = game.campaign.table(Siege).get(f"{row.node}/{row.faction}")
        return BESIEGES if siege is not None else ""


# Reports: dossiers for the table, dues, own tables, what is seen of others.
#
# See rulebook: Battles on the table, Who may know what.


DUCATS_IN_THE_CHEST = both("Ducats in the chest", "Ducati in cassa")
DUCATS_UNDER_ARMS = both("Ducats under arms", "Ducati in armi")
PLACES = both("Places", "Luoghi")
CITIES = both("Cities", "Città")
FLEETS = both("Fleets", "Flotte")
DUE_DUE_TO_THE_BANK = both("{due} {due?ducat|ducats} to the bank in the spring of {year} ({amount} lent). The bank "
                           "takes what it is owed from the chest after the taxes, before the budget.",
                           "{due} {due?ducato|ducati} alla banca nella primavera del {year} "
                           "{amount?(prestato|(prestati} {amount}). La banca prende quanto le spetta dalla cassa dopo "
                           "le tasse, prima del bilancio.")
A_SIEGE_COSTS = both("The siege of {node:the} costs the army there {loss} {loss?ducat|ducats} a round.",
                     "L'assedio {node:di} costa {loss} {loss?ducato|ducati} a fase all'armata che sta lì.")
A_SIEGE_RESTS = both("The siege of {node:the} does not count while an enemy army faces yours there: no die is thrown, "
                     "and no ducats are lost.",
                     "L'assedio {node:di} non conta finché lì un'armata nemica fronteggia la tua: non si tira il dado "
                     "e non si perdono ducati.")
A_TREATY_ENDS = both("Your treaty with {other:the} ends with this year.",
                     "Il tuo patto con {other:il} finisce con quest'anno.")
FOUGHT_DESPITE_TREATY = both("You fought {other:the} this year, though you have a treaty. Whether it was betrayed is "
                             "judged in winter.",
                             "Quest'anno hai combattuto contro {other:il}, benché abbiate un patto. Se è stato "
                             "tradito si giudica in inverno.")
MONTH_YEAR_ROUND_ROUND = both("{month} {year}, round {round}", "{month} {year}, fase d'estate {round}")
WHEN = both("When", "Quando")


@dataclass(eq=False, repr=False)
class Marker(Army):
    """An army, with what it besieges."""

    besieges: str = column(Ref("Nodes", blank=True), "Besieges", "Assedia")


@dataclass(eq=False, repr=False)
class SiegeToCome(Siege):
    """A siege, with what its next die would be as far as the reader knows, before bribes."""

    adds: int = column(Whole(), "Added to the next die", "Si aggiunge al prossimo dado")
    needed: int = column(Whole(), "Falls on a die of", "Cade con un dado di")


R = TypeVar("R", bound=Record)
HOSTILE = both("Whoever grants you no passage by treaty is hostile. Passage is granted by: {list}.",
               "È nemico chi non ti dà il passo con un patto. Te lo danno: {list}.")
ALL_ARE_HOSTILE = both("No treaty gives you passage: all others are hostile.",
                       "Nessun patto ti dà il passo: tutti gli altri sono nemici.")
NODE_SITE_WALLS_WALLS = both("{node}: {site}, walls {walls}, held by {owner:the}",
                             "{node}: {site}, fortificazioni {walls}, in mano {owner:a}")
WHERE = both("Where", "Dove")
THE_TABLE_HAS_THE_SIZE = both("The table has the size that the tactical rules give, whatever the armies.",
                              "Il tavolo ha la misura del regolamento tattico, qualunque siano le armate.")
TABLE = both("Table", "Tavolo")
CAME_FROM = both("Came from: the last places that it left; it can fall back to the last one, which then is crossed "
                 "out.",
                 "Proviene da: gli ultimi luoghi che ha lasciato; può ripiegare sull'ultimo, che poi si toglie.")
SIEGES_ARE_TESTED = both(
    "Full rounds: rounds of summer that were tested; each adds to the die. Whoever meets an enemy in a round throws no "
    "die in it. The next die is reckoned as far as you know, before bribes. {lifted}",
    "Fasi intere: le fasi d'estate già provate; ognuna si aggiunge al dado. Chi in una fase incontra un nemico non "
    "tira. Il prossimo dado è calcolato per quel che sai, senza corruzione. {lifted}")
LIFTED_IN_WINTER = both("Sieges are lifted after October II.", "Dopo ottobre II gli assedi sono tolti.")
PLACES_ARE_TAXED = both(
    "A place without walls and garrison falls to the first enemy army that ends a round there; any other must be "
    "besieged. The enemy is whoever grants you no passage by treaty. Taxes of a spring from these places, before "
    "winter's event: {taxes}; a loan of at most {loan}.",
    "Un luogo senza mura e senza guarnigione cade in mano alla prima armata nemica che vi termina una fase; ogni altro "
    "va assediato. Nemico è chi non ti dà il passo con un patto. Tasse di primavera da questi luoghi, prima "
    "dell'evento d'inverno: {taxes}; prestito al massimo {loan}.")
OWN_TABLES = (
    DeclaredTable(both("Your armies", "Le tue armate"), "armies", Marker, "army value node posture besieges trail",
                  CAME_FROM),
    sparse_table(both("Diplomats, and armies aboard", "Diplomatici, e armate imbarcate"), "armies", Army,
                 "army kind revealed fleet"),
    DeclaredTable(both("Their last arrival on the march", "Il loro ultimo arrivo in marcia"), "arrivals",
                  marches.Arrival, "army year month no",
                  both("Of two armies that meet, the one that came later bars the road by which it came to the other's "
                       "retreat. No.: the order of arrival in its round.",
                       "Di due armate che si incontrano, quella arrivata dopo sbarra all'altra la ritirata per la "
                       "strada da cui è venuta. N.: l'ordine d'arrivo nella sua fase.")),
    sparse_table(both("Lost commanders, and BP over the core list", "Comandanti perduti, e BP oltre il core"), "armies",
                 Army, "army leaderless bp_over_core"),
    DeclaredTable(both("Your fleets", "Le tue flotte"), "fleets", Fleet, "fleet node came_from cargo",
                  both("Came from: the place that it left last. Cargo: the armies aboard.",
                       "Proviene da: il luogo che ha lasciato per ultimo. Carico: le armate a bordo.")),
    DeclaredTable(both("Your specialists", "I tuoi specialisti"), "specialists", Specialist,
                  "specialist kind post status"),
    DeclaredTable(both("Your treaties", "I tuoi patti"), "treaties", Alliance, "a b until passage status",
                  both("Passage: whether each may march through the other's places.",
                       "Passo: se l'uno può attraversare i luoghi dell'altro.")),
    DeclaredTable(both("Sieges that concern you", "Assedi che ti riguardano"), "sieges", SiegeToCome,
                  "node besieger rounds adds needed", SIEGES_ARE_TESTED),
    DeclaredTable(both("Your places", "I tuoi luoghi"), "places", Node, "node name site walls garrison",
                  PLACES_ARE_TAXED),
    DeclaredTable(both("Your works", "I tuoi lavori"), "works", Work, "node kind cost ready_year"),
    DeclaredTable(both("Your objective", "Il tuo obiettivo"), "aims", objectives.Aim,
                  "objective target now lacks years", clock=objectives.clock),
)
TABLES_OF_OTHERS = (
    DeclaredTable(both("Armies of others", "Armate altrui"), "armies", Marker,
                  "army faction node posture besieges"),
    DeclaredTable(both("Fleets of others", "Flotte altrui"), "fleets", Fleet, "fleet faction node"),
    DeclaredTable(both("Walls and garrisons of others", "Mura e guarnigioni altrui"), "places", Node,
                  "node owner walls garrison"),
    DeclaredTable(both("Chests of others", "Casse altrui"), "chests", Faction, "faction treasury"),
)


WENT_BACK = both("{army} had gone back to {to:the} before an enemy.", "{army} era indietreggiata {to:a} davanti a un "
                                                                      "nemico.")


class GiglioReports(Ruleset):
    """The methods that reports call on the ruleset."""

    def war(self, campaign: Campaign, phase: str = "") -> War:
        """The campaign as a phase would see it now."""
        war: War = self.board(self.game(campaign, phase))
        return war

    def standings(self, campaign: Campaign) -> list[dict[str, Any]]:
        """Places, cities, fortresses, villages, capitals, ports, fleets (public), then ducats and army ducats."""
        war = self.war(campaign)
        return [objectives.faction_figures(war, f.faction) for f in war.players()]

    def ending(self, view: Campaign) -> Ending:
        """The result of the verification; before it, the ruleset's default."""
        return objectives.ending(self.war(view)) or super().ending(view)

    def glance(self, view: Campaign, faction: str) -> list[tuple[str, int]]:
        """Chest, army ducats, places, cities, fleets."""
        war = self.war(view)
        if faction not in war.factions:
            return []
        row = objectives.faction_figures(war, faction)
        return [(DUCATS_IN_THE_CHEST, row["ducats"]),
                (DUCATS_UNDER_ARMS, row["army_ducats"]),
                (PLACES, row["places"]), (CITIES, row["cities"]),
                (FLEETS, row["fleets"])]

    def dues(self, view: Campaign, faction: str) -> list[Said]:
        """Loans that fall due next spring (2a), what sieges cost (3d), treaties that end with this year or that stand
        although their two have fought since they made them.
        """
        war = self.war(view)
        loss = sieges.Numbers.of(war).siege_loss
        allies = [(treaty, treaty.b if treaty.a == faction else treaty.a) for treaty in war.alliances
                  if faction in treaty.owners and treaty.status == "active"]
        fought = {code: row.round for row in war.battles
                  if row.turn == str(war.year) and row.status in ("played", "auto")
                  and faction in (row.side_a, row.side_b) for code in (row.side_a, row.side_b)}
        return [*(Said(DUE_DUE_TO_THE_BANK, {"due": loan.due, "year": str(loan.year + 1), "amount": loan.amount})
                  for loan in war.loans if loan.faction == faction and loan.status == "open"),
                *(Said(A_SIEGE_RESTS if war.enemies_in_field(siege.node, faction) else A_SIEGE_COSTS,
                       {"node": siege.node, "loss": loss})
                  for siege in war.sieges if siege.besieger == faction),
                *(Said(A_TREATY_ENDS, {"other": other}) for treaty, other in allies if treaty.until == war.year),
                *(Said(FOUGHT_DESPITE_TREATY, {"other": other})
                  for treaty, other in allies if fought.get(other, -1) >= alliances.round_made(war, treaty))]

    def dossier(self, view: Campaign, battle: base.Battle, faction: str) -> list[Said]:
        """What one side takes to the table; for the referee (faction "") both sides."""
        if not isinstance(battle, Battle):
            return []
        war = self.war(view)
        sides = {"a": battle.side_a, "b": battle.side_b}
        if faction and faction not in sides.values():
            return []
        place = war.nodes[battle.node]
        lines = [
            Said(MONTH_YEAR_ROUND_ROUND,
                 {"month": CALENDAR[battle.round - 1][0], "year": battle.turn,
                  "round": battle.round}, label=WHEN),
            Said(NODE_SITE_WALLS_WALLS,
                 {"node": place.node, "site": place.site, "walls": place.walls, "owner": place.owner}, label=WHERE),
            _battle_kind_line(war, battle),
            Said(THE_TABLE_HAS_THE_SIZE, label=TABLE),
        ]
        for side, code in sides.items():
            if faction in ("", code):
                lines += _own_side_lines(war, battle, side, code)
            if faction and faction != code:
                lines.append(_enemy_line(war, battle, code))
        return lines

    def tables(self, view: Campaign, faction: str) -> list[TableOf]:
        """Armies, fleets, men in service, places, treaties, sieges that the faction is part of, its objective."""
        war = self.war(view)
        own = [table._replace(fields=" ".join((table.fields, *war.holds[1:]))) if table.rows == "fleets" else table
               for table in OWN_TABLES]
        made = tables_of(
            own, armies=(armies := [_marker(war, a) for a in war.armies if a.faction == faction]),
            arrivals=[marches.Arrival(a.army, a.arrived_year, CALENDAR[a.arrived_round - 1][0], a.arrived_no)
                      for a in armies if a.arrived_round],
            fleets=[f for f in war.fleets if f.faction == faction],
            specialists=[s for s in war.specialists if s.faction == faction and s.year == war.year],
            treaties=[t for t in war.alliances if faction in (t.a, t.b)],
            sieges=[_siege_to_come(war, s) for s in war.sieges if faction in (s.besieger, war.nodes[s.node].owner)],
            places=[n for n in war.nodes if n.owner == faction],
            works=[w for w in war.works if w.faction == faction and w.status == "under_way"],
            aims=[objectives.aim_of(war, f) for f in war.players() if f.faction == faction and not self.is_over(view)])
        lifted = seasons.WinterNumbers.of(war).winter_sieges == "lifted"
        notes: dict[Any, Mapping[str, Any]] = {
            SIEGES_ARE_TESTED: {"lifted": Said(LIFTED_IN_WINTER) if lifted else ""},
            PLACES_ARE_TAXED: {"taxes": sum(seasons.takings(war, faction, 0).values()),
                               "loan": seasons.loan_cap(war, faction)}}
        return [table._replace(note=Said(str(table.note), notes[table.note])) if table.note in notes else table
                for table in made]

    def aims(self, view: Campaign, lang: str) -> list[TableOf]:
        """The secret objectives that were chosen, as far as the view shows them."""
        chosen = [objectives.ChosenAim(row.faction, row.objective, row.objective_target)
                  for row in view.table(Faction) if row.objective]
        return [TableOf("", objectives.ChosenAim, ("faction", "objective", "target"), chosen)]

    def foes(self, view: Campaign, faction: str) -> list[str]:
        """Between whom and a faction there is a siege, or a place was taken this year; in spring also last year, if no
        treaty binds them since.
        """
        war = self.war(view)
        in_spring = war.game.phase in SPRING_PHASES
        pairs = [(siege.besieger, war.nodes[siege.node].owner) for siege in war.sieges]
        for event in (row for row in view.table(base.Event) if row.event == "place.taken"):
            pair = str(event.data["by"]), str(event.data["frm"])
            last_year = in_spring and event.turn == str(war.year - 1)
            if event.turn == str(war.year) or (last_year and war.hostile(*pair)):
                pairs.append(pair)
        against = {code for pair in pairs if faction in pair for code in pair} - {faction}
        return [row.faction for row in war.players() if row.faction in against]

    def is_bound(self, view: Campaign, a: str, b: str) -> bool:
        """Passage that one grants the other binds both."""
        return not self.war(view).hostile(a, b)

    def cause_of(self, view: Campaign, faction: str, event: base.Event) -> Said | None:
        """Why a siege of the faction's, or of a place of its, is over: the besiegers had gone back."""
        if event.event != "siege.lifted" or faction not in (event.data["besieger"],
                                                            view.table(Node)[str(event.data["node"])].owner):
            return None
        months = event.phase.partition(".")[0]
        return next((Said(WENT_BACK, {"army": told.data["army"], "to": told.data["to"]})
                     for told in view.table(base.Event)
                     if told.event == "army.retreated" and told.turn == event.turn and told.no < event.no
                     and told.phase.partition(".")[0] == months and told.data["frm"] == event.data["node"]
                     and told.data["faction"] == event.data["besieger"]), None)

    def right_to_stand(self, view: Campaign, faction: str, guest: str) -> Said | None:
        """What a treaty says of it; who gives no passage is hostile (rulebook: Words of the map)."""
        treaty = self.war(view).treaty(faction, guest)
        if treaty is None:
            return None
        text = WITHOUT_PASSAGE if not treaty.passage else PASSAGE_LOST if treaty.suspect else WITH_PASSAGE
        return Said(text, {"x": guest})

    def sightings(self, view: Campaign, faction: str) -> list[TableOf]:
        """What everybody sees: markers on land, fleets, walls, garrisons, open chests (rulebook: Who may know what)."""
        war = self.war(view)
        friends = [f.faction for f in war.players() if f.faction != faction and not war.hostile(faction, f.faction)]
        note = Said(HOSTILE, {"list": friends}) if friends else Said(ALL_ARE_HOSTILE)
        made = tables_of(
            TABLES_OF_OTHERS,
            armies=[_marker(war, a) for a in war.armies if a.faction != faction and a.posture != "aboard"],
            fleets=[f for f in war.fleets if f.faction != faction],
            places=[n for n in war.nodes if n.land and n.owner != faction and (n.walls != "none" or n.garrison)],
            chests=[f for f in war.players() if f.faction != faction and war.rules.money_public == "yes"])
        return [table._replace(note=note) if table.record is Marker else table for table in made]


def _marker(war: War, army: Army) -> Marker:
    siege = war.sieges.get(f"{army.node}/{army.faction}") if army.is_army and army.posture == "field" else None
    return _shown(Marker, army, besieges="" if siege is None else siege.node)


def _siege_to_come(war: War, siege: Siege) -> SiegeToCome:
    adds = sum(war.modifiers(sieges.TABLE_35, sieges.TestedRound(war, siege, siege.rounds + 1)).values())
    return _shown(SiegeToCome, siege, adds=adds, needed=max(1, sieges.Numbers.of(war).siege_target - adds))


def _shown(record: type[R], row: Record, **more: Any) -> R:
    """A row as a report shows it: what stands on its sheet, and what is reckoned for the reader."""
    return record(**{column.name: getattr(row, column.name) for column in row.columns()} | more)


MEETING_BATTLE_A_AGAINST_B = both(
    "Meeting battle: {a} against {b}; {a} chooses side and terrain and counts as the attacker.",
    "Battaglia d'incontro: {a} contro {b}; {a} sceglie lato e terreno e vale come attaccante.")
KIND = both("Kind", "Tipo")
REARGUARD_ACTION_ALONG_THE_LENGTH = both(
    "Rearguard action along the length of the table: {a} pursues {b}. The pursuer deploys within {udm} udm ({near} cm) "
    "of one short side, the rearguard between {first} and {last} udm ({from} to {to} cm) from the same side, and tries "
    "to leave by the opposite side. The rearguard is at least {share} % of the army's ducats ({least}), the pursuer at "
    "most {times} {times?time|times} the rearguard.",
    "Azione di retroguardia per la lunghezza del tavolo: {a} insegue {b}. L'inseguitore schiera entro {udm} udm "
    "({near} cm) da un lato corto, la retroguardia fra {first} e {last} udm (da {from} a {to} cm) dallo stesso lato, e "
    "cerca di uscire dal lato opposto. La retroguardia è almeno il {share} % dei ducati dell'armata ({least}), "
    "l'inseguitore al massimo {times} {times?volta|volte} la retroguardia.")
FIELD_BATTLE_A_ATTACKS = both("Field battle: {a} attacks {b}.", "Battaglia campale: {a} attacca {b}.")


def _battle_kind_line(war: War, battle: Battle) -> Said:
    names = {"a": battle.side_a, "b": battle.side_b}
    if battle.type == "meeting":
        return Said(MEETING_BATTLE_A_AGAINST_B, names, label=KIND)
    if battle.type == "rearguard":
        rules = battles.Numbers.of(war)
        cm = rules.udm_cm
        return Said(
            REARGUARD_ACTION_ALONG_THE_LENGTH,
            {**names, "udm": rules.rearguard_deploy, "first": rules.rearguard_from, "last": rules.rearguard_to,
             "near": rules.rearguard_deploy * cm, "from": rules.rearguard_from * cm, "to": rules.rearguard_to * cm,
             "share": rules.rearguard_pct,
             "least": percent_up(battle.value_b, rules.rearguard_pct) if battle.value_b else "?",
             "times": rules.rearguard_pursuer_x}, label=KIND)
    return Said(FIELD_BATTLE_A_ATTACKS, names, label=KIND)


ARMY_BRING_A_LIST = both(
    "{army}: bring a list of companies worth {value} {value?ducat|ducats} (smallest company {min}).",
    "{army}: porta un elenco di compagnie per {value} {value?ducato|ducati} (compagnia minima {min}).")
YOUR_ARMY = both("Your army", "La tua armata")
WITH_PASSAGE = both("as your treaty allows", "come permette il vostro patto")
PASSAGE_LOST = both("though the right of passage of your treaty has lapsed: it may be met and fought like an enemy",
                    "benché il diritto di passo del vostro patto sia decaduto: si può affrontare come un nemico")
WITHOUT_PASSAGE = both("though your treaty gives no right of passage: it may be met and fought like an enemy",
                       "benché il vostro patto non dia diritto di passo: si può affrontare come un nemico")
ARMY_FIGHTS_WITHOUT_ITS_COMMANDER = both("{army} fights without its commander.", "{army} combatte senza il comandante.")
ARMY_HAS_A_SAPPER = both("{army} has a sapper with it.", "{army} ha con sé un geniere.")
ARMY_BP_OVER_THE_CORE = both("{army}: BP over the core list: {bp}.", "{army}: BP oltre il core: {bp}.")


def _own_side_lines(war: War, battle: Battle, side: str, code: str) -> list[Said]:
    names = (battle.armies_a if side == "a" else battle.armies_b).split()
    armies = [war.armies[n] for n in names if n in war.armies]
    lines = [Said(ARMY_BRING_A_LIST, {"army": a.army, "value": a.value, "min": recruiting.Numbers.of(war).company_min},
                  label=YOUR_ARMY) for a in armies]
    lines += [Said(ARMY_FIGHTS_WITHOUT_ITS_COMMANDER, {"army": a.army}, label=YOUR_ARMY)
              for a in armies if a.leaderless == battle.round]
    lines += [Said(ARMY_HAS_A_SAPPER, {"army": a.army}, label=YOUR_ARMY)
              for a in armies if war.sappers_with(a.army)]
    if war.rules.armati_core_rule == "on":
        lines += [Said(ARMY_BP_OVER_THE_CORE, {"army": a.army, "bp": a.bp_over_core or 0},
                       label=YOUR_ARMY) for a in armies]
    foe = battle.side_b if side == "a" else battle.side_a
    return [*lines, *(_at_stake_line(war, battle, side, army, foe) for army in armies)]


ARMY_STAYS_WHERE_IT_IS_WHOEVER = both("{army} stays where it is, whoever wins.", "{army} resta dov'è, chiunque vinca.")
ARMY_GOES_BACK_TO_NODE = both("{army} goes back to {node:the}, whoever wins; if the rearguard is beaten, {share} % of "
                              "its ducats are lost besides and it goes back {n} {n?node|nodes} more.",
                              "{army} indietreggia {node:dove}, chiunque vinca; se la retroguardia è battuta, perde "
                              "inoltre il {share} % dei ducati e indietreggia di {n} {n?nodo|nodi} ancora.")
IF_BEATEN_ARMY_GOES = both("If beaten, {army} goes back to {node:the}.", "Se battuta, {army} indietreggia {node:dove}.")
IF_BEATEN_ARMY_LOSES = both("If beaten, {army} loses half of its ducats and stays: it has no way back.",
                            "Se battuta, {army} perde metà dei ducati e resta: non ha ritirata.")
IF_BEATEN_ARMY_IS_DESTROYED = both("If beaten, {army} is destroyed: it has no way back.",
                                   "Se battuta, {army} è distrutta: non ha ritirata.")
AT_STAKE = both("At stake", "La posta")


def _at_stake_line(war: War, battle: Battle, side: str, army: Army, foe: str) -> Said:
    """What an army risks if beaten (rulebook: After the battle)."""
    rules, rearguard = battles.Numbers.of(war), battle.type == "rearguard"
    ways = war.retreat_nodes(army, foe)
    facts = {"army": army.army, "node": " / ".join(ways), "share": rules.rearguard_lost_pct,
             "n": rules.rearguard_extra_node}
    if rearguard and side == "a":
        text = ARMY_STAYS_WHERE_IT_IS_WHOEVER
    elif ways and rearguard:
        text = ARMY_GOES_BACK_TO_NODE
    elif ways:
        text = IF_BEATEN_ARMY_GOES
    elif rules.loser_no_retreat == "half":
        text = IF_BEATEN_ARMY_LOSES
    else:
        text = IF_BEATEN_ARMY_IS_DESTROYED
    return Said(text, facts, label=AT_STAKE)


MARKERS_LIST_YOUR_SPIES = both("Markers: {list}. Your spies say: {spied} ducats.",
                               "Segnalini: {list}. Le tue spie dicono: {spied} ducati.")
THE_ENEMY = both("The enemy", "Il nemico")
MARKERS_LIST_NOBODY_HAS_TOLD = both("Markers: {list}. Nobody has told you their strength.",
                                    "Segnalini: {list}. Nessuno te ne ha detto la forza.")


def _enemy_line(war: War, battle: Battle, code: str) -> Said:
    markers = [a.army for a in war.at(battle.node) if a.faction == code and a.posture == "field"]
    reports = [e for e in war.campaign.table(base.Event).of_turn(battle.turn) if e.event == "spy.report"
               and e.phase == f"r{battle.round}.contact" and e.data.get("army") in markers]
    spied = ", ".join(f"{e.data['army']} {e.data['value']}" for e in reports)
    if spied:
        return Said(MARKERS_LIST_YOUR_SPIES, {"list": " ".join(markers), "spied": spied}, label=THE_ENEMY)
    return Said(MARKERS_LIST_NOBODY_HAS_TOLD, {"list": " ".join(markers)}, label=THE_ENEMY)


# The orders of Il Giglio, in the order of the rulebook page (5).


VERBS = order_book(
    objectives.objective, seasons.loan, recruiting.recruit, recruiting.enlist, fleets.fleet, recruiting.bid,
    recruiting.fortify, recruiting.repair, recruiting.garrison, recruiting.transfer, recruiting.split,
    recruiting.attach, recruiting.pay, alliances.ally, alliances.dissolve, marches.move, marches.stay, sieges.besiege,
    sieges.lift, marches.come_out, fleets.embark, fleets.land, fleets.sail, recruiting.assassinate, says=SAYS,
    bare=marches.move, fillers=FILLERS, shapes=SHAPES, purse=PURSE, like=VOCABULARY["verbs"],
    names=further_names, anywhere={"note": Note()}, gives_back=True)


START_YEAR = 1500


# Defaults of a new campaign.


def fold_codes(campaign: Campaign) -> None:
    """Normalise what a folder's files say.

    The edition among the Rules goes to the Desk, the parties of a treaty into natural order, and lists of codes are
    separated by blanks. A battle of the phase with which the campaign begins is open unless it says otherwise.
    """
    rules = campaign.table(Rule)
    row = rules.get("edition")
    if row is not None:
        if str(row.value) in records.EDITIONS and campaign.desk.edition == records.EDITIONS[0]:
            campaign.desk.edition = str(row.value)
        if row.value in ("", campaign.desk.edition):  # what contradicts the Desk stays, and is named
            rules.remove("edition")
    treaties = [row for _, row in campaign.table(Alliance).in_file_order()]
    for treaty in treaties:
        treaty.a, treaty.b = sorted((treaty.a, treaty.b), key=natural)
    campaign.put(Table(Alliance, treaties))
    for army in campaign.table(Army).where(lambda row: bool(row.trail)):
        army.trail = " ".join(re.findall(r"[^\s,;>→-]+", army.trail))
    for battle in campaign.table(Battle).where(lambda row: bool(row.side_a and row.side_b)):
        battle.armies_a = re.sub(r"[\s,;]+", " ", battle.armies_a)
        battle.armies_b = re.sub(r"[\s,;]+", " ", battle.armies_b)
        now = campaign.desk.phase == f"r{battle.round}.battle" and battle.turn in ("", campaign.desk.turn)
        battle.status = battle.status or ("open" if now else "")


def prepare_desk(desk: Desk) -> None:
    """Fill in the calendar: year 1500 and the first phase."""
    desk.turn = desk.turn or str(desk.start_year or START_YEAR)
    desk.phase = desk.phase or "income"
    if desk.start_year is None:
        year = int(desk.turn) if desk.turn.isdigit() else START_YEAR
        # a folder that begins within the first five years is the printed campaign, joined on the way
        in_first_campaign = START_YEAR <= year < START_YEAR + 5 and desk.first_spring != "yes"
        desk.start_year = START_YEAR if in_first_campaign else year


def prepare_places(campaign: Campaign) -> None:
    """Fill in the neutral faction, fleets allowed, the order of movement, homes and owners of places, table 34."""
    factions = campaign.table(Faction)
    if not any(f.role == "neutral" for f in factions):
        row = factions.get("N") or factions.add(Faction(faction="N", name_en="Neutral places",
                                                        name_it="Luoghi neutrali", colour="#ffffff"))
        row.role = "neutral"
    for row in factions:
        if row.fleet_cap is None and row.role != "neutral":
            row.fleet_cap = fleets.fleets_allowed(row.faction)
    if campaign.desk.phase.startswith("r") and not any(f.move_rank for f in factions):
        players = [row for _, row in factions.in_file_order() if row.role != "neutral"]
        for rank, row in enumerate(players, 1):
            row.move_rank = rank
    for place in campaign.table(Node):
        if place.land:
            # a place's code begins with that of the faction whose home it is
            code = re.sub(r"[^A-Za-z].*", "", place.node).upper()
            place.home = place.home or (code if code in factions else place.owner)
            place.owner = place.owner or place.home
    table = campaign.table(records.Cell34)
    for (hand, other), outcome in TABLE34.items():
        if f"{hand}/{other}" not in table:
            table.add(records.Cell34(hand=hand, other=other, outcome=outcome))


def prepare_forces(war: War) -> None:
    """Fill in opening chests and armies if the Rules set them, the first fleets, and the sheet Opening."""
    opening = war.first_spring() and war.desk.phase == "income"
    typed = typed_values(war.campaign.table(Rule))
    for faction in war.players() if opening else ():
        if "opening_treasury" in typed and not faction.treasury:
            money = war.rules.opening_treasury
            faction.treasury = int(money) if money.isdigit() else sum(seasons.takings(war, faction.faction, 0).values())
        if "opening_army" in typed and not war.armies_of(faction.faction) and faction.capital in war.nodes:
            war.armies.add(Army(army=war.next_army(faction.faction), faction=faction.faction,
                                value=war.rules.opening_army, node=faction.capital))
        if fleets.Numbers.of(war).fleet_limit_mode != "cap":
            ports = [n.node for n in war.nodes if n.owner == faction.faction and n.port]
            have = sum(1 for f in war.fleets if f.faction == faction.faction)
            for _ in range((faction.fleet_cap or 0) - have if ports else 0):
                fleets.launch_fleet(war, faction.faction, ports[0])
    start = war.campaign.table(Opening)
    for faction in war.players():
        if faction.faction not in start:
            start.add(objectives.opening_row(war, faction.faction))


# The phases of the year (rulebook: The year).


ROUNDS = range(1, 11)
STAFF = (alliances.ally, alliances.dissolve, recruiting.pay, recruiting.transfer, recruiting.split, recruiting.attach,
         recruiting.fortify, recruiting.repair, recruiting.garrison)
ACTIONS = (marches.move, marches.stay, sieges.besiege, sieges.lift, marches.come_out, fleets.embark, fleets.land,
           recruiting.assassinate)


def staff_work(war: War) -> None:
    """Step 1: sort the rows by order of movement and carry out those that need no march."""
    place = {f.faction: i for i, f in enumerate(war.by_rank())}
    war.plan.requests = sorted(take(war), key=lambda r: place[r.faction])
    carry_all(war, war.plan.requests, *STAFF)


def fix_actions(war: War) -> None:
    """Step 3: one action an army; split off detachments, begin and lift sieges, plan assassinations."""
    carry_all(war, war.plan.requests, *ACTIONS)
    carry_all(war, war.plan.requests, fleets.sail)


BUDGET = (
    Step(seasons.spring_orders, "together"), Step(recruiting.auction), Step(recruiting.deliver_payments, follows=True),
    Step(alliances.conclude_treaties, "together"),
)
MOVE = (
    Step(recruiting.redraw_move_order), Step(staff_work, "together"), Step(recruiting.deliver_payments, follows=True),
    Step(alliances.conclude_treaties, "together"),
    Step(fix_actions, "together"), Step(recruiting.resolve_early_shots), Step(fleets.board_in_port, "together"),
    Step(fleets.steer_homeward, "together"), Step(fleets.sail_all, follows=True), Step(fleets.sea_meetings),
    Step(fleets.storm), Step(marches.march, "alone", follows=True),
    Step(fleets.landings), Step(sieges.lift_idle_sieges), Step(battles.list_contacts),
)
"""A round's marches (rulebook: The marches, step by step)."""
BATTLE = (Step(battles.check_forms, "forms"), Step(battles.resolve_battles))


def _phase(name: str, en: str, it: str, rule: str, about: str, *steps: Step, asks: tuple[str, ...] = (),
           **how: Any) -> Phase:
    return Phase(name, en, it, rule, waits_for=asks, board=War, steps=steps, about=about, **how)


IN_MOVE = both("In the order of movement armies march and fleets sail; sieges are begun and lifted.",
               "Nell'ordine di mossa le armate marciano e le flotte salpano; si pongono e si tolgono gli assedi.")
IN_CONTACT = both("Where armies meet, each decides whether to fight, to fall back or to shut itself up.",
                  "Dove le armate si incontrano, ognuna decide se combattere, indietreggiare o rinchiudersi.")
IN_BATTLE = both("The battles are played at the table, or decided by dice.",
                 "Le battaglie si giocano al tavolo, oppure le decidono i dadi.")
IN_SIEGE = both("Whoever besieges a place rolls for its fall.", "Chi assedia una piazza tira per farla cadere.")
"""What happens in the phases of a round."""
UNSENT = both("Who sends nothing: armies stand still and sieges go on; a fleet in port stays, one at sea sails home.",
              "Chi non manda nulla: le armate stanno ferme e gli assedi continuano; una flotta in porto resta, una in "
              "mare torna a casa.")


def _round(n: int) -> tuple[Phase, ...]:
    en, it = CALENDAR[n - 1]
    return (
        _phase(f"r{n}.move", f"{en}: marches", f"{it}: spostamenti", "3b, t33, fleets, border, April", IN_MOVE, *MOVE,
               asks=("ally_confirm", "move_order", "hand"), orders=f"r{n}", takes=SUMMER, unsent=UNSENT),
        _phase(f"r{n}.contact", f"{en}: meetings", f"{it}: incontri", "3c t34", IN_CONTACT,
               Step(battles.resolve_contacts), asks=("spy", "choice")),
        _phase(f"r{n}.battle", f"{en}: battles", f"{it}: battaglie", "3c", IN_BATTLE, *BATTLE,
               asks=("battle_result", "allot", "retreat_to")),
        _phase(f"r{n}.siege", f"{en}: sieges", f"{it}: assedi", "3d t35", IN_SIEGE, Step(sieges.resolve_sieges),
               asks=("bribe",)),
    )


YEAR = (
    _phase("income", "Income", "Riscossione", "2, 2a t29, 4 t36, Amendments",
           both("Each faction collects what its places pay.", "Ogni fazione riscuote quel che rendono i suoi luoghi."),
           Step(seasons.income)),
    _phase("budget", "Budget and recruiting", "Bilancio e arruolamento", "2a, 2b t32 t33, alliances",
           both("Each faction spends its money on armies, fleets, walls and specialists, and bids to be the Strategos; "
                "treaties and payments take effect.",
                "Ogni fazione spende il denaro in armate, flotte, mura e specialisti e fa la sua offerta per lo "
                "Stratega; entrano in vigore patti e pagamenti."),
           *BUDGET, asks=("ally_confirm",), orders=SPRING,
           unsent=both("Who sends nothing spends nothing, and recruits nobody.",
                       "Chi non manda nulla non spende nulla e non arruola nessuno.")),
    _phase("open", "Opening of summer", "Apertura dell'estate", "2b t33, 3a",
           both("The Strategos sets the order of movement, and epidemics strike the armies.",
                "Lo Stratega fissa l'ordine di mossa, e le epidemie colpiscono le armate."),
           Step(seasons.open_summer), asks=("move_order", "companies")),
    *(phase for n in ROUNDS for phase in _round(n)),
    _phase("winter", "Winter", "Inverno", "4 t36",
           both("The events of winter strike, and the year ends.",
                "Capitano gli eventi dell'inverno, e l'anno finisce."),
           *map(Step, seasons.WINTER_STEPS), asks=("betrayal",)),
)
FINAL = _phase("final", "Verification", "Verifica", "objectives",
               both("The objectives are verified.", "Si verificano gli obiettivi."), Step(objectives.verify_objectives))
SPRING_PHASES = ("income", "budget", "open")
CHAPTERS = {
    **dict.fromkeys(SPRING_PHASES, ("Spring", "primavera")),
    **{phase.id: MONTHS[n - 1] for n in ROUNDS for phase in _round(n)},
    "winter": ("Winter", "inverno"), "final": ("Verification", "verifica"),
}
ROUND_WORDS = {phase.orders for phase in YEAR if phase.takes == SUMMER}


OURS, OURS_IT = "Arbitro's rule", "regola di Arbitro"
CITATIONS = citations_by_key((
    Citation("Armati", "Armati", heading=both("Armati", "Armati")),
    Citation("note1", "note 1", "nota 1", both("Closing notes", "Note finali")),
    Citation("border", "note on borders", "nota sui confini", both("Border", "Confini")),
    Citation("April", "note on April", "nota su aprile", both("April", "Aprile")),
    Citation("Amendments", "Amendments", "Emendamenti", both("Amendments", "Emendamenti")),
    # rules that the book does not print, with the chapter that needs them
    Citation("auto", f"3c, {OURS}", f"3c, {OURS_IT}",
             both("Battles that are not played", "Battaglie non giocate"), was=("8.5",)),
    Citation("rearguard", f"3c, {OURS}", f"3c, {OURS_IT}", both("Rearguard actions", "Azioni di retroguardia")),
    Citation("parent", "parent rules", "regolamento d'origine", both("Companies", "Compagnie")),
    Citation("start", OURS, OURS_IT, both("The start", "La partenza")),
))
"""What is in no chapter, in the order of the book."""
BOOK = (seasons.SPRING_CHAPTER, seasons.INCOME_CHAPTER, recruiting.CHAPTER, seasons.EPIDEMIC_CHAPTER, marches.CHAPTER,
        battles.CHAPTER, sieges.CHAPTER, seasons.WINTER_CHAPTER, alliances.CHAPTER, fleets.CHAPTER, objectives.CHAPTER)
"""Its chapters as they are printed."""


PUBLIC: Mapping[str, Any] = MappingProxyType({
    "War": War, "Faction": Faction, "Node": Node, "Army": Army, "Fleet": Fleet, "Siege": Siege,
    "Specialist": Specialist, "takings": seasons.takings, "cities_of": seasons.cities_of,
    "draw_event": seasons.draw_event, "draw_lot": seasons.draw_lot, "roll_siege": sieges.roll_siege,
    "take_place": sieges.capture_place, "percent_up": percent_up, "SIEGE": sieges.SIEGE, "EVENT": seasons.EVENT,
    "EVENT_TABLE": seasons.EVENT_TABLE, "SPRING": SPRING, "SUMMER": SUMMER})
"""What house rules with code may use."""


class Giglio(GiglioReports, Wing[Numbers]):
    """Il Giglio, all editions and switches."""

    id = "giglio"
    interface = 6
    demo_rank = 1
    title = "Il Giglio"
    tempers = robot.TEMPERS
    author = "Free Wargamers, Rules & Games"
    version = "2"
    editions = EDITIONS
    calendar = Calendar(YEAR, Turns(r"[1-9]\d{0,3}"), after=(FINAL,), chapters=CHAPTERS)
    closing = FINAL.id
    translations = both
    records = RECORDS
    form = battles.FORM
    rules_of = Numbers
    retired = ("node_prefix", "t34_cells")  # switches by name, which the sheets Factions and Table34 hold as data
    findings = keyed(*FINDINGS, *DATA_FINDINGS)
    verbs = VERBS
    rolls = ROLLS
    treaties = alliances.TREATIES
    battles = BATTLES
    looks = GiglioLooks()
    at_war = both("You are fighting over places with {foes:the}.", "Ti contendi dei luoghi con {foes:il}.")
    citations = CITATIONS
    chapters = BOOK
    public = PUBLIC

    def last_turn(self, campaign: Campaign) -> bool:
        """Whether objectives are verified after this year's winter."""
        desk = next(iter(campaign.table(Desk)))
        start = desk.start_year or int(desk.turn)
        return int(desk.turn) >= start + int(self.rules(campaign)["campaign_years"]) - 1

    def advance(self, campaign: Campaign) -> None:
        """Go on to the next phase; the first spring ends with its year."""
        desk = next(iter(campaign.table(Desk)))
        year = desk.turn
        super().advance(campaign)
        if desk.turn != year:
            desk.first_spring = "no" if desk.first_spring else ""

    def phase_word(self, word: str, lang: str) -> str:
        """Name a round (``r1`` in orders) by its date in the calendar."""
        if word in ROUND_WORDS:
            return CALENDAR[int(word[1:]) - 1][lang == "it"]
        return super().phase_word(word, lang)

    fold = staticmethod(fold_codes)

    def prepare(self, campaign: Campaign) -> None:
        """Fill in what the rulebook page gives a default for."""
        prepare_desk(next(iter(campaign.table(Desk))))
        prepare_places(campaign)
        prepare_forces(self.war(campaign))

    def check_data(self, campaign: Campaign) -> list[Finding]:
        """GIG-120 to 125."""
        return records.check_campaign_data(campaign, self.rules(campaign)["max_armies"], self.war(campaign).holds)

    def invitations(self, game: Game) -> list[Invitation]:
        """Secret objectives that are not chosen yet, and what the bank takes first."""
        war = self.board(game)
        return [*objectives.objective_invitations(war), *seasons.confiscation_invitations(war)]

    def draw(self, view: Campaign, faction: str, chance: Chance) -> Campaign:
        """Markers like those that it sees whole; chests of a half to one and a half of its own; any objective, once it
        has one itself. Specialists, loans and treaties of which it does not know are not there.
        """
        drawn = draw_unseen(self.viewer(view, faction), chance, {"Armies": ("kind", "value", "leaderless")})
        own = drawn.table(Faction)[faction]
        for row in drawn.table(Faction):
            if row.faction != faction and row.role not in base.OWNERLESS:
                row.treasury = own.treasury * chance.randint(50, 150) // 100
                if own.objective:
                    row.objective = chance.choice([aim for aim in OBJECTIVES if aim != "conquer"])
                armies = [army for army in drawn.table(Army) if army.faction == row.faction and army.is_army]
                for army in armies[self.rules(view)["max_armies"]:]:  # whoever has more markers sends envoys
                    army.kind, army.value = "diplomat", 0
        return drawn

    def robot_orders(self, view: Campaign, faction: str) -> list[Order]:
        """See rulebook: The robot."""
        return self.orders_by_temper(view, faction, "")

    def robot_answer(self, view: Campaign, faction: str, question: Question) -> str:
        """See rulebook: The robot."""
        return self.answer_by_temper(view, faction, question, "")

    def orders_by_temper(self, view: Campaign, faction: str, temper: str) -> list[Order]:
        """See rulebook: The robot."""
        return list(robot.orders(self.war(view), faction, temper))

    def answer_by_temper(self, view: Campaign, faction: str, question: Question, temper: str) -> str:
        """See rulebook: The robot."""
        return robot.answer(self.war(view, question.phase), faction, question, temper)


# the titles of scenarios
both("Italy 1500", "Italia 1500")

GIGLIO = Giglio()
