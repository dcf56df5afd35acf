"""Il Giglio in reports and on maps."""

from __future__ import annotations

from typing import Any

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.tables import Record
from assistant.rulesets.giglio.records import Alliance, Army, Battle, Faction, Fleet, Node, Siege, Specialist, Work
from assistant.rulesets.giglio.tables import CALENDAR
from assistant.rulesets.giglio.war import War, percent_up, retreat_nodes
from assistant.rulesets.giglio.winter import Aim, aim_of, faction_figures
from assistant.rulesets.giglio.winter import ending as verified
from assistant.turn.event_types import Ending, Said, TableOf, besides, nonempty_tables
from assistant.turn.game import Game
from assistant.turn.map_symbols import BESIEGES, UNCOUNTED, ForceLook, Looks, Marks, PlaceLook
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_

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


class GiglioReports(Ruleset):
    """The methods that reports call on the ruleset."""

    def war(self, campaign: Campaign, phase: str = "") -> War:
        """The campaign as a phase would see it now."""
        return War(self.game(campaign, phase))

    def standings(self, campaign: Campaign) -> list[dict[str, Any]]:
        """Places, cities, fortresses, villages, capitals, ports, fleets (public), then ducats and army ducats."""
        war = self.war(campaign)
        return [faction_figures(war, f.faction) for f in war.players()]

    def ending(self, view: Campaign) -> Ending:
        """The result of the verification; before it, the ruleset's default."""
        return verified(self.war(view)) or super().ending(view)

    def glance(self, view: Campaign, faction: str) -> list[tuple[str, int]]:
        """Chest, army ducats, places, cities, fleets."""
        war = self.war(view)
        if faction not in war.factions:
            return []
        row = faction_figures(war, faction)
        return [(N_("Ducats in the chest"), row["ducats"]), (N_("Ducats under arms"), row["army_ducats"]),
                (N_("Places"), row["places"]), (N_("Cities"), row["cities"]), (N_("Fleets"), row["fleets"])]

    def dues(self, view: Campaign, faction: str) -> list[Said]:
        """Loans that fall due next spring (2a)."""
        return [Said("{due} {due?ducat|ducats} to the bank in the spring of {year} ({amount} lent).",
                     {"due": loan.due, "year": str(loan.year + 1), "amount": loan.amount})
                for loan in self.war(view).loans if loan.faction == faction and loan.status == "open"]

    def dossier(self, view: Campaign, battle: base.Battle, faction: str) -> list[Said]:
        """What one side takes to the table; for the referee (faction "") both sides."""
        if not isinstance(battle, Battle):
            return []
        war = self.war(view)
        sides = {"a": battle.side_a, "b": battle.side_b}
        if faction and faction not in sides.values():
            return []
        place = war.nodes[battle.node]
        said = [
            Said("{month} {year}, round {round}", {"month": CALENDAR[battle.round - 1][0], "year": battle.turn,
                                                   "round": battle.round}, label="When"),
            Said("{node}: {site}, walls {walls}, held by {owner:the}",
                 {"node": place.node, "site": place.site, "walls": place.walls, "owner": place.owner}, label="Where"),
            _battle_kind_line(war, battle),
            Said("The table has the size that the tactical rules give, whatever the armies.", label="Table"),
        ]
        for side, code in sides.items():
            if faction in ("", code):
                said += _own_side_lines(war, battle, side, code)
            if faction and faction != code:
                said.append(_enemy_line(war, battle, code))
        return said

    def tables(self, view: Campaign, faction: str) -> list[TableOf]:
        """Armies, fleets, men in service, places, treaties, sieges that the faction is part of, its objective."""
        war = self.war(view)
        mine = [a for a in war.armies if a.faction == faction]
        return nonempty_tables(
            TableOf("Your armies", Army, ("army", "value", "node", "posture", "trail"), mine),
            besides("Diplomats, and armies aboard", Army, ("army", "kind", "revealed", "fleet"), mine),
            besides("When they came where they are", Army, ("army", "arrived_year", "arrived_round", "arrived_no"),
                    mine),
            besides("Lost commanders, and BP over the core list", Army, ("army", "leaderless", "bp_over_core"),
                    mine),
            TableOf("Your fleets", Fleet, ("fleet", "node", "came_from", "cargo"),
                    [f for f in war.fleets if f.faction == faction]),
            TableOf("Your specialists", Specialist, ("specialist", "kind", "post", "status"),
                    [s for s in war.specialists if s.faction == faction and s.year == war.year]),
            TableOf("Your treaties", Alliance, ("a", "b", "until", "passage", "status"),
                    [t for t in war.alliances if faction in (t.a, t.b)]),
            TableOf("Sieges that concern you", Siege, ("node", "besieger", "rounds"),
                    [s for s in war.sieges if faction in (s.besieger, war.nodes[s.node].owner)]),
            TableOf("Your places", Node, ("node", "name", "site", "walls", "garrison"),
                    [n for n in war.nodes if n.owner == faction]),
            TableOf("Your works", Work, ("node", "kind", "cost", "ready_year"),
                    [w for w in war.works if w.faction == faction and w.status == "under_way"]),
            TableOf("Your objective", Aim, ("objective", "target", "now", "lacks", "years"),
                    [aim_of(war, f) for f in war.players() if f.faction == faction and not self.is_over(view)]))

    def sightings(self, view: Campaign, faction: str) -> list[TableOf]:
        """What everybody sees: markers on land, fleets, walls, garrisons, open chests (rulebook: Who may know what)."""
        war = self.war(view)
        chests = [f for f in war.players() if f.faction != faction and war.rules.money_public == "yes"]
        return nonempty_tables(
            TableOf("Armies of others", Army, ("army", "faction", "node", "posture"),
                    [a for a in war.armies if a.faction != faction and a.posture != "aboard"]),
            TableOf("Fleets of others", Fleet, ("fleet", "faction", "node"),
                    [f for f in war.fleets if f.faction != faction]),
            TableOf("Walls and garrisons of others", Node, ("node", "owner", "walls", "garrison"),
                    [n for n in war.nodes if n.land and n.owner != faction and (n.walls != "none" or n.garrison)]),
            TableOf("Chests of others", Faction, ("faction", "treasury"), chests))


def _battle_kind_line(war: War, battle: Battle) -> Said:
    names = {"a": battle.side_a, "b": battle.side_b}
    if battle.type == "meeting":
        return Said("Meeting battle: {a} against {b}; {a} chooses side and terrain and counts as the attacker.", names,
                    label="Kind")
    if battle.type == "rearguard":
        rules = war.rules
        cm = rules.udm_cm
        return Said(
            "Rearguard action along the length of the table: {a} pursues {b}. The pursuer deploys within {udm} udm "
            "({near} cm) of one short side, the rearguard between {first} and {last} udm ({from} to {to} cm) from the "
            "same side, and tries to leave by the opposite side. The rearguard is at least {share} % of the army's "
            "ducats ({least}), the pursuer at most {times} {times?time|times} the rearguard.",
            {**names, "udm": rules.rearguard_deploy, "first": rules.rearguard_from, "last": rules.rearguard_to,
             "near": rules.rearguard_deploy * cm, "from": rules.rearguard_from * cm, "to": rules.rearguard_to * cm,
             "share": rules.rearguard_pct,
             "least": percent_up(battle.value_b, rules.rearguard_pct) if battle.value_b else "?",
             "times": rules.rearguard_pursuer_x}, label="Kind")
    return Said("Field battle: {a} attacks {b}.", names, label="Kind")


def _own_side_lines(war: War, battle: Battle, side: str, code: str) -> list[Said]:
    names = (battle.armies_a if side == "a" else battle.armies_b).split()
    armies = [war.armies[n] for n in names if n in war.armies]
    said = [Said("{army}: bring a list of companies worth {value} {value?ducat|ducats} (smallest company {min}).",
                 {"army": a.army, "value": a.value, "min": war.rules.company_min}, label="Your army") for a in armies]
    said += [Said("{army} fights without its commander.", {"army": a.army}, label="Your army")
             for a in armies if a.leaderless == battle.round]
    said += [Said("{army} has a sapper with it.", {"army": a.army}, label="Your army")
             for a in armies if war.sappers_with(a.army)]
    if war.rules.armati_core_rule == "on":
        said += [Said("{army}: BP over the core list: {bp}.", {"army": a.army, "bp": a.bp_over_core or 0},
                      label="Your army") for a in armies]
    foe = battle.side_b if side == "a" else battle.side_a
    return [*said, *(_at_stake_line(war, battle, side, army, foe) for army in armies)]


def _at_stake_line(war: War, battle: Battle, side: str, army: Army, foe: str) -> Said:
    """What an army risks if beaten (rulebook: After the battle)."""
    rules, rearguard = war.rules, battle.type == "rearguard"
    ways = retreat_nodes(war, army, foe)
    facts = {"army": army.army, "node": " / ".join(ways), "share": rules.rearguard_lost_pct,
             "n": rules.rearguard_extra_node}
    if rearguard and side == "a":
        text = N_("{army} stays where it is, whoever wins.")
    elif ways and rearguard:
        text = N_("{army} goes back to {node:the}, whoever wins; if the rearguard is beaten, {share} % of its ducats "
                  "are lost besides and it goes back {n} {n?node|nodes} more.")
    elif ways:
        text = N_("If beaten, {army} goes back to {node:the}.")
    elif rules.loser_no_retreat == "half":
        text = N_("If beaten, {army} loses half of its ducats and stays: it has no way back.")
    else:
        text = N_("If beaten, {army} is destroyed: it has no way back.")
    return Said(text, facts, label="At stake")


def _enemy_line(war: War, battle: Battle, code: str) -> Said:
    markers = [a.army for a in war.at(battle.node) if a.faction == code and a.posture == "field"]
    reports = [e for e in war.campaign.table(base.Event).of_turn(battle.turn) if e.event == "spy.report"
               and e.phase == f"r{battle.round}.contact" and e.data.get("army") in markers]
    spied = ", ".join(f"{e.data['army']} {e.data['value']}" for e in reports)
    if spied:
        return Said("Markers: {list}. Your spies say: {spied} ducats.", {"list": " ".join(markers), "spied": spied},
                    label="The enemy")
    return Said("Markers: {list}. Nobody has told you their strength.", {"list": " ".join(markers)},
                label="The enemy")
