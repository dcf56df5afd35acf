"""What happens to men, nobles and groups, whatever the cause: wounded, killed, captured, freed, merged, dissolved."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from assistant.campaign.tables import Table, natural
from assistant.rulesets.anarchy import records
from assistant.rulesets.anarchy.realm import Men, Realm
from assistant.rulesets.anarchy.records import NEUTRAL, RANKS, Army, Noble, Place, Prisoners, Wounded, pounds
from assistant.turn.game import next_code
from assistant.turn.orders.requests import refuse_if

HURT_STATES = ("hurt", "in_care")


@dataclass
class Detachment:
    """Who and what leaves a group."""

    men: Men = field(default_factory=Men)
    nobles: list[Noble] = field(default_factory=list)
    halves: int = 0
    hurt: list[Wounded] = field(default_factory=list)

    @property
    def heads(self) -> int:
        """Characters who leave."""
        return self.men.total + len(self.nobles)


class Changes(Realm):
    """The board with the changes to men, nobles and groups that several chapters share."""

    # --- men ------------------------------------------------------------------------------
    def hurt_here(self, unit: Army | Place, rank: str) -> list[Wounded]:
        """Hurt men of a rank with a group or in a garrison, those in care included, by number."""
        if isinstance(unit, Place):
            return self._left_at(unit, rank)[:unit.count(rank)]
        return [w for w in self.wounded if w.army == unit.army and w.rank == rank and w.state in HURT_STATES]

    def _left_at(self, place: Place, rank: str) -> list[Wounded]:
        side = self.side_of_place(place)
        return [w for w in self.wounded if w.place == place.place and not w.army and w.rank == rank and not w.noble
                and w.state in HURT_STATES and self.side(w.faction) == side]

    def patients(self, place: Place) -> list[Wounded]:
        """Men left in care in a place of their side; they fight as wounded if it is attacked (15.7)."""
        return [w for rank in RANKS for w in self._left_at(place, rank)[place.count(rank) if place.castle else 0:]]

    def take_patients(self, place: Place, record: Prisoners | None) -> list[Wounded]:
        """Men in care are captured with the place. Returns them."""
        sick = self.patients(place)
        for row in sick:
            row.state = "prisoner"
            if record is not None:
                record.put(row.rank, 1)
        return sick

    def fit(self, unit: Army | Place, rank: str) -> int:
        """Men of a rank who are not hurt."""
        return unit.count(rank) - len(self.hurt_here(unit, rank))

    def take_off(self, unit: Army | Place, rank: str, n: int, state: str, wound: Wounded | None = None) -> None:
        """Remove men from a group or garrison, fit ones first, or the man of `wound`; hurt ones get `state`."""
        beyond = max(0, n - self.fit(unit, rank))
        hurt = [wound] if wound is not None else self.hurt_here(unit, rank)[:beyond]
        unit.gain(rank, -n)
        for row in hurt:
            row.state = state
        self.keep_core(unit)

    def take_men(self, unit: Army | Place, into: Prisoners | None) -> None:
        """All men of a group or garrison become captives."""
        for rank in RANKS:
            wounds = self.hurt_here(unit, rank)
            for row in wounds:
                row.state = "prisoner"
            if into is not None:
                into.put(rank, unit.count(rank))
            unit.gain(rank, -unit.count(rank))

    def keep_core(self, unit: Army | Place) -> None:
        """Keep the core up to date: men who were not at the first victory leave first (9)."""
        if isinstance(unit, Army):
            unit.core_now = min(unit.core_now, self.heads(unit))

    def hurt_man(self, unit: Army | Place, rank: str) -> None:
        """One more man of a rank is hurt and stays with his unit."""
        if isinstance(unit, Army):
            self._wound(faction=unit.faction, rank=rank, army=unit.army)
        else:
            self._wound(faction=self.wardens(unit)[0], rank=rank, place=unit.place)

    def _wound(self, faction: str, **of: Any) -> None:
        code = self._numbered(self.wounded, "W{}", faction)
        self.wounded.add(Wounded(wounded=code, faction=faction, **of))

    def _numbered(self, table: Table[Any], shape: str, *owners: str) -> str:
        """The code of a new row, counted for the same owners, so that it does not reveal how many others have."""
        stem = "".join(f"{owner}-" for owner in owners if owner) if self.rules.codes == "apart" else ""
        return next_code(table, stem + shape)

    def bury(self, row: Wounded) -> None:
        """A hurt man dies of his wounds and is taken off his unit's figures."""
        row.state = "dead"
        place = self.places.get(row.place)
        unit = self.armies.get(row.army) or (place if place is not None and place.castle else None)
        if row.noble:
            self._lost(self.nobles[row.noble], "dead")
        elif unit is not None and unit.count(row.rank):
            self.take_off(unit, row.rank, 1, "dead", row)

    # --- from one group to another: SPLIT, TRANSFER, MERGE ---------------------------------
    def parting_of(self, army: Army, men: Men, halves: int, nobles: list[Noble]) -> Detachment:
        """The men, nobles and money that an order takes out of a group. Raises `Refused` (ANA-202, 301, 913)."""
        for noble in nobles:
            refuse_if(noble.army != army.army, "ANA-913", "choice", unit=army.army, x=noble.noble, field="commander")
        part = Detachment(men, nobles, halves, self.hurt_among(army, men))
        leaving = {noble.noble for noble in nobles}
        part.hurt += [w for w in self.wounded if w.army == army.army and w.noble in leaving]
        refuse_if(halves > army.money, "ANA-301", "amount", need=pounds(halves), unit=army.army,
                  have=pounds(army.money))
        return part

    def stays_a_group(self, army: Army, staying: int) -> None:
        """Check that at least three stay, or nobody. Raises `Refused` (ANA-201)."""
        least = self.rules.group_min
        refuse_if(0 < staying < least, "ANA-201", "men", unit=army.army, n=staying, min=least)

    def hurt_among(self, unit: Army | Place, men: Men) -> list[Wounded]:
        """The hurt men among those who leave. Raises `Refused` if there are not so many men (ANA-202)."""
        def refuse_unless(enough: bool, have: int, rank: str, n: int) -> None:
            refuse_if(not enough, "ANA-202", "men", unit=unit.ident, have=have, rank=rank, n=n)

        for rank, n in men.ranks.items():
            refuse_unless(n <= unit.count(rank), unit.count(rank), records.LETTER_OF[rank], n)
        casualties = [self.wounded[code] for code in men.hurt]
        for row in casualties:
            with_him = row.army == unit.ident and not row.noble and row.state in (*HURT_STATES, "healed")
            refuse_unless(with_him and row.rank in men.ranks, 0, row.wounded, 1)  # the ranks count him, too
        for rank, n in men.ranks.items():
            hurt, fit = sum(w.rank == rank and w.state != "healed" for w in casualties), self.fit(unit, rank)
            refuse_unless(hurt <= n <= fit + hurt, fit + hurt, records.LETTER_OF[rank], max(n, hurt))
        return casualties

    def hand_over(self, army: Army, other: Army, part: Detachment) -> None:
        """Move men, hurt men, nobles and money."""
        for rank, n in part.men.ranks.items():
            army.gain(rank, -n)
            other.gain(rank, n)
        leaving: list[Wounded | Noble] = [*part.hurt, *part.nobles]
        for row in leaving:
            row.army = other.army
        army.money, other.money = army.money - part.halves, other.money + part.halves
        for group in (army, other):
            self.lead(group)
        self.keep_core(army)

    def unite(self, army: Army, into: Army, leader: str = "") -> None:
        """Merge a group into another (rulebook: 8.1 Groups)."""
        larger = max((into, army), key=lambda a: (self.heads(a), self.prestige(a)))  # if equal, the target
        head = self.commander(larger)
        into.loyalty = head.loyalty if head is not None and head.loyalty is not None else larger.loyalty
        into.came_from = larger.came_from
        core = max((into, army), key=lambda a: a.core_now)
        wins = (core.wins, core.core_start, core.core_now)
        one_led = (self.commander(army) is None) != (self.commander(into) is None)
        companies, led = self.followers(army), [*self.led_goods(army), *self.escorted(army)]
        self.hand_over(army, into, Detachment(Men(army.ranks), self.with_them(army), army.money,
                                           [w for w in self.wounded if w.army == army.army]))
        into.provisions, army.provisions = into.provisions + army.provisions, 0
        into.hungry_days, into.starving = max(into.hungry_days, army.hungry_days), into.starving or army.starving
        for company in companies:
            company.employer = into.army
        for row in led:
            row.escort = into.army
        best = min(self.with_them(into), key=lambda n: (-n.prestige, natural(n.noble)), default=None)
        into.commander = leader or (best.noble if best is not None else "")
        into.wins, into.core_start, into.core_now = (0, 0, 0) if one_led else wins
        for record in self.prisoners:
            if record.captor_army == army.army and record.state == "waiting":
                record.captor_army = into.army
        self.remove_group(army, "merged")
        army.commander = ""

    # --- nobles ---------------------------------------------------------------------------
    def lead(self, army: Army) -> None:
        """Give a group without commander its noble of highest prestige."""
        if self.commander(army) is None:
            heir = max(self.with_them(army), key=lambda n: n.prestige, default=None)
            army.commander = heir.noble if heir is not None else ""

    def _lost(self, noble: Noble, state: str) -> None:
        """A noble leaves his group for good, dead or captive; his wounds are closed with the same state."""
        army = self.armies.get(noble.army)
        noble.army = ""
        if army is not None:
            self.lead(army)
            self.keep_core(army)
        wounds = [w for w in self.wounded if w.noble == noble.noble and w.state in HURT_STATES]
        for row in wounds:
            row.state = state
        noble.state, noble.place, noble.held_in, noble.captor = state, "", "", ""

    def strike(self, noble: Noble, fate: str, rule: str) -> None:
        """A noble is killed or wounded, which is public; a second wound changes nothing."""
        if fate == "killed":
            self._lost(noble, "dead")
        elif noble.state != "wounded":
            noble.state = "wounded"
            self._wound(faction=noble.faction, rank="noble", noble=noble.noble, army=noble.army,
                        place="" if noble.army else noble.place)
        self.tell("noble_lost", rule=rule, noble=noble.noble, fate=fate)

    def take_noble(self, noble: Noble, record: Prisoners, rule: str = "15.8") -> None:
        """A noble is captured, which is public."""
        self._lost(noble, "prisoner")
        noble.captor, noble.held_in = record.captor, record.prisoners
        self.tell("noble_lost", rule=rule, noble=noble.noble, fate="taken")

    def change_prestige(self, noble: Noble | None, by: int, why: str, rule: str = "9") -> None:
        """Change a noble's prestige within the limits of the switch; tell it only if it changes."""
        if noble is None or noble.state == "dead" or not by:
            return
        low = 1 if self.rules.prestige_clamp == "1-10" else 0
        old, noble.prestige = noble.prestige, min(10, max(low, noble.prestige + by))
        if noble.prestige != old:
            self.tell("prestige", rule=rule, noble=noble.noble, old=old, new=noble.prestige, why=why)

    # --- castles and captives -------------------------------------------------------------
    def take_castle(self, place: Place, side: str, how: str) -> None:
        """A castle changes hands, loses its lord, and its siege ends (15.6, 16). `how`: stormed, surrendered."""
        place.holder, place.lord = side, ""
        siege, before = self.sieges.get(place.place), [a for a in self.active() if a.besieging == place.place]
        if siege is not None and siege.state == "on":
            siege.state = how
        for army in before:
            army.besieging = ""
        way = {"way": how} if how == "surrendered" else {}
        self.tell("castle_taken", place=place.place, side=side, **way)

    def new_captives(self, faction: str, captor: str, army: Army | None, node: str, battle: str = "",
                     destination: str = "") -> Prisoners:
        """Add an empty record of captives, bound for the captor's nearest place (15.8)."""
        goal = destination or (place.place if (place := self.nearest_own(captor, node)) is not None else "")
        code = self._numbered(self.prisoners, "P{}", captor, faction)
        row = Prisoners(prisoners=code, faction=faction, captor=captor,
                        captor_army=army.army if army is not None else "", node=node, battle=battle,
                        taken_on=self.day, destination=goal)
        return self.prisoners.add(row)

    def drop_if_empty(self, record: Prisoners) -> bool:
        """Remove a record of captives if it is empty. Returns whether it was."""
        if self.holds(record):
            return False
        self.prisoners.remove(record.prisoners)
        return True

    def free_captives(self, record: Prisoners, army: Army, most: int | None = None, *,
                      nobles_first: bool = False) -> int:
        """At most `most` captives join the group that frees them: men by rising rank, nobles by id. How many did."""
        nobles, held = self.captives(record), self.holds(record)
        if most is None or 0 < held <= most:
            most, record.state, record.escort = held, "freed", ""
        men = min(record.men, max(0, most - len(nobles)) if nobles_first else most)
        nobles, left = nobles[:most - men], men
        for rank in records.RISING:
            n = min(left, record.count(rank))
            record.gain(rank, -n)
            army.gain(rank, n)
            left -= n
        for noble in nobles:
            noble.state, noble.captor, noble.held_in, noble.army = "free", "", "", army.army
            army.commander = army.commander or noble.noble
        if men or nobles or record.state == "freed":
            self.tell("freed", p=record.prisoners, group=army.army)
        return men + len(nobles)

    # --- groups ---------------------------------------------------------------------------
    def let_go(self, army: Army) -> None:
        """Release what a group led: mercenaries, convoys and trains stand alone, captives wait."""
        companies, goods, captives = self.followers(army), self.led_goods(army), self.escorted(army)
        for other in companies:
            other.employer = ""
        for record in captives:
            record.escort, record.state = "", "waiting"
        for row in goods:
            row.escort = ""

    def remove_group(self, army: Army, state: str, by: str = "") -> None:
        """Remove a group: dissolved, destroyed, captured, merged. `by`: the faction credited, else the first foe's."""
        self.let_go(army)
        army.state, army.besieging, army.inside, army.employer = state, "", "", ""
        if state == "merged":
            return
        army.commander = ""
        other = self.foe(self.side(army.faction))
        foe = self.factions.get(by if by and self.side(by) == other else self.faction_of(other or "-"))
        if foe is not None:
            foe.destroyed += 1

    def take_purse(self, army: Army, taker: Army | None) -> int:
        """A lost group's money goes to its captor, or is lost (switch purse_captured). Returns what he gets."""
        n = army.money if taker is not None and self.rules.purse_captured == "yes" else 0
        if taker is not None:
            taker.money += n
        army.money = 0
        return n

    def dissolve_small(self, armies: Iterable[Army] | None = None) -> None:
        """Dissolve groups under three heads: the men disperse, a noble may stay alone (8.1)."""
        for army in list(armies) if armies is not None else self.active():
            if not army.active or self.heads(army) >= self.rules.group_min or self.lone(army):
                continue
            for rank in RANKS:
                self.take_off(army, rank, army.count(rank), "dispersed")
            nobles = self.with_them(army)
            self.let_go(army)
            if not nobles or self.rules.noble_alone == "leaves":
                for noble in nobles:
                    noble.army = ""
                army.money = 0
                self.remove_group(army, "dissolved")
            elif not army.commander:
                army.commander = nobles[0].noble
            self.tell("dissolved", x=army.army)

    def _side_with(self, army: Army, faction: str) -> None:
        """A group changes its faction; so do its hurt men, who are cared for by the new side (15.7)."""
        army.faction = faction
        men = [w for w in self.wounded if w.army == army.army and w.state in (*HURT_STATES, "healed")]
        for row in men:
            row.faction = faction

    def go_over(self, army: Army, faction: str) -> None:
        """A group goes over to a faction for good, with its nobles and all that it leads."""
        for unit in self.stack(army):
            self._side_with(unit, faction)
            for row in [*self.with_them(unit), *self.led_goods(unit)]:
                row.faction = faction
        army.besieging = army.inside = ""

    def desert(self, company: Army) -> str:
        """Mercenaries become neutral and take no more promises from the side that they left. Returns that side."""
        side = self.side(company.faction)
        company.no_promise_to = side if side != NEUTRAL else company.no_promise_to
        self.let_go(company)
        self._serve(company, self.faction_of(NEUTRAL))
        company.moves_next = company.moves_next or self.foe(side)
        return side

    def hire(self, company: Army, army: Army, contract: str, promised: int = 0) -> None:
        """A company takes service with a group and follows it from now on."""
        self._serve(company, army.faction, contract)
        company.employer, company.inside = army.army, army.inside
        company.promised, company.hired_on = promised, self.day

    def _serve(self, company: Army, faction: str, contract: str = "none") -> None:
        """Reset a company's terms for service with a faction."""
        self._side_with(company, faction)
        company.employer = company.inside = company.besieging = ""
        company.contract, company.promised, company.tests = contract, 0, 0
        company.hired_on, company.grumbles = None, False
