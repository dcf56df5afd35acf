"""What the reports of Il Giglio hold besides events: own tables, sightings, dues, battle dossiers (digest 8.2, 9).

Everything is made from a faction's view, so that no page can tell more than the view does.
"""

from __future__ import annotations

from dataclasses import replace

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.rulesets.giglio.records import Alliance, Army, Battle, Fleet, Loan, Node, Specialist, Work
from assistant.rulesets.giglio.tables import CALENDAR
from assistant.rulesets.giglio.war import War
from assistant.rulesets.giglio.ways import own_neighbours, previous
from assistant.turn.dice import Dice
from assistant.turn.game import Game
from assistant.turn.numbers import Rules
from assistant.turn.ruleset import Said, TableOf

KINDS = {
    "field": Said("Field battle: {a} attacks {b}.", label="What"),
    "meeting": Said("Meeting battle of {a} and {b}.", label="What"),
    "rearguard": Said("Rearguard action: {a} pursues {b}.", label="What"),
}


def tables(view: Campaign, faction: str) -> list[TableOf]:
    """Armies, places, and where there are any: fleets, hired men, treaties, works."""
    armies = view.table(Army).where(lambda a: a.faction == faction)
    kinds = ("kind",) if any(a.kind != "army" for a in armies) else ()
    made = [
        TableOf("Your armies", Army, ("army", "node", *kinds, "value", "posture"), armies),
        TableOf("Your places", Node, ("node", "site", "walls", "garrison"),
                view.table(Node).where(lambda n: n.owner == faction)),
    ]
    further = [
        TableOf("Your fleets", Fleet, ("fleet", "node", "cargo"),
                view.table(Fleet).where(lambda f: f.faction == faction)),
        TableOf("Your hired men", Specialist, ("specialist", "kind", "post"),
                view.table(Specialist).where(lambda s: s.faction == faction and s.status == "active")),
        TableOf("Your treaties", Alliance, ("a", "b", "until", "passage", "terms"),
                view.table(Alliance).where(lambda t: t.status == "active" and faction in (t.a, t.b))),
        TableOf("Your works", Work, ("node", "kind", "ready_year"),
                view.table(Work).where(lambda w: w.status == "under_way" and w.faction == faction)),
    ]
    return made + [one for one in further if one.rows]


def sightings(view: Campaign, faction: str) -> list[TableOf]:
    """Markers and fleets of others, as everybody sees them."""
    armies = view.table(Army).where(lambda a: a.faction != faction and bool(a.node))
    fleets = view.table(Fleet).where(lambda f: f.faction != faction)
    made = [TableOf("Armies of others", Army, ("army", "faction", "node", "posture"), armies)]
    return made + ([TableOf("Fleets of others", Fleet, ("fleet", "faction", "node"), fleets)] if fleets else [])


def dues(view: Campaign, faction: str) -> list[Said]:
    """Loans with their day, and treaties that end with this year."""
    year = int(view.desk.turn)
    owed = [Said("{due} ducats to the bank, in the spring of {year}.", {"due": loan.due, "year": loan.year + 1})
            for loan in view.table(Loan) if loan.faction == faction and loan.status == "open"]
    ending = [Said("Your treaty with {other} ends with this year.", {"other": t.b if t.a == faction else t.a})
              for t in view.table(Alliance)
              if t.status == "active" and t.until == year and faction in (t.a, t.b)]
    return owed + ending


def dossier(view: Campaign, battle: Battle, faction: str, rules: Rules) -> list[Said]:
    """One side's copy of a battle for the table; [] for who takes no part."""
    if faction not in (battle.side_a, battle.side_b) or not faction:
        return []
    mine, theirs = ("a", "b") if faction == battle.side_a else ("b", "a")
    own = [view.table(Army)[code] for code in getattr(battle, f"armies_{mine}").split() if code in view.table(Army)]
    foe = getattr(battle, f"side_{theirs}")
    return [*_common(view, battle), *_table(battle, rules), *_own(view, battle, own, rules),
            *_enemy(view, battle, foe), *_risk(view, own, foe, rules)]


def _common(view: Campaign, battle: Battle) -> list[Said]:
    place = view.table(Node)[battle.node]
    said = [Said("{year}, {month}", {"year": battle.turn, "month": CALENDAR[battle.round - 1][0]}, "When"),
            Said("{node}: {site}, walls {walls}, held by {owner}",
                 {"node": battle.node, "site": place.site, "walls": place.walls, "owner": place.owner}, "Where"),
            replace(KINDS[battle.type], data={"a": battle.side_a, "b": battle.side_b})]
    if battle.side_pick:
        said.append(Said("{side} chooses side and terrain.", {"side": battle.side_pick}, "Ground"))
    return said


def _table(battle: Battle, rules: Rules) -> list[Said]:
    if battle.type != "rearguard":
        return [Said("The standard table of your tactical rules, whatever the armies.", {}, "Table")]
    cm = rules.udm_cm
    data = {"near": rules.rearguard_deploy * cm, "from": rules.rearguard_from * cm, "to": rules.rearguard_to * cm,
            "pct": rules.rearguard_pct, "times": rules.rearguard_pursuer_x}
    return [
        Said("Along its length. The pursuer deploys within {near} cm of one short side, the rearguard between {from} "
             "and {to} cm of the same side; it aims to leave by the opposite side.", data, "Table"),
        Said("The rearguard is at least {pct}% of the army's ducats, the pursuer at most {times} times the rearguard. "
             "The rearguard wins if more of its companies leave than are lost.", data, "Size"),
    ]


def _own(view: Campaign, battle: Battle, own: list[Army], rules: Rules) -> list[Said]:
    total = sum(a.value for a in own)
    listed = ", ".join(f"{a.army} {a.value}" for a in own)
    said = [Said("{list}: {total} ducats in all", {"list": listed, "total": total}, "Your armies")]
    said += [Said("The commander of {army} is dead.", {"army": a.army}, "Mind")
             for a in own if a.leaderless == battle.round]
    codes = {a.army for a in own}
    said += [Said("A sapper is with {army}.", {"army": s.post}, "Mind")
             for s in view.table(Specialist) if s.kind == "sapper" and s.status == "active" and s.post in codes]
    said += [Said("{army}: {bp} BP over the core list.", {"army": a.army, "bp": a.bp_over_core}, "Mind")
             for a in own if rules.armati_core_rule == "on" and a.bp_over_core is not None]
    bring = Said("A list of companies worth {total} ducats, none under {min}.",
                 {"total": total, "min": rules.company_min}, "Bring")
    return [*said, bring]


def _enemy(view: Campaign, battle: Battle, foe: str) -> list[Said]:
    """Codes and number of markers; ducats only where a spy told them in this round."""
    seen = view.table(Army).where(lambda a: a.faction == foe and a.node == battle.node and a.posture == "field")
    told = {e.data.get("army"): e.data.get("value") for e in view.table(base.Event)
            if e.event == "spy.report" and e.turn == battle.turn and e.phase.startswith(f"r{battle.round}.")}
    listed = ", ".join(a.army for a in seen)
    said = [Said("{n} at the place: {list}", {"n": len(seen), "list": listed}, "Enemy")]
    return said + [Said("{army}: {value} ducats.", {"army": a.army, "value": told[a.army]}, "Your spy says")
                   for a in seen if a.army in told]


def _risk(view: Campaign, own: list[Army], foe: str, rules: Rules) -> list[Said]:
    """Where each army goes if it is beaten, as far as the view can tell."""
    war = War(Game(view, rules, Dice(view.desk.turn, b""), view.desk.phase, {}))
    said = []
    for army in own:
        back = previous(war, army, foe)
        ways = [back] if back else own_neighbours(war, army, {foe})
        said.append(Said("{army} goes back to {list}.", {"army": army.army, "list": ways}, "If you lose") if ways
                    else Said("{army} has no way back: it is destroyed.", {"army": army.army}, "If you lose"))
    return said
