"""What comes of a battle, in the page's sequence (rulebook: 15.6 End of a battle; chapters 9, 15.6 to 15.8)."""

from __future__ import annotations

from collections import Counter

from assistant.campaign.hexmap import direction, opposite, step
from assistant.campaign.order import natural
from assistant.rulesets.anarchy.battle.fights import ATTACKERS, DEFENDERS, SIDES, Fight, audience, other
from assistant.rulesets.anarchy.battle.forms import FORM, HITS, Result
from assistant.rulesets.anarchy.book.records import Battle
from assistant.rulesets.anarchy.book.sheets import LETTER_OF, NEUTRAL, RISING, Army, Convoy, Noble, Prisoners, pounds
from assistant.rulesets.anarchy.realm.field import Field
from assistant.turn.battle_form.taking_results import further_rows
from assistant.turn.board import free_name
from assistant.turn.game import ALL, Ask, Waiting


class Aftermath:
    """A battle with its result while its consequences are drawn."""

    def __init__(self, f: Field, fight: Fight, result: Result, row: Battle) -> None:
        self.f, self.fight, self.result, self.row = f, fight, result, row
        self.known = audience(f, fight)
        self.leaders = {a.army: f.commander(a) for a in fight.everybody()}
        beaten = [a for a in fight.units.get(result.loser, []) if a.node == fight.node]
        self.booty = [r for a in beaten for r in f.led_goods(a)]
        self.guarded = [p for a in beaten for p in f.led_captives(a)]
        self.stormed = fight.kind == "assault" and result.winner == ATTACKERS
        self.record: Prisoners | None = None
        """One record for all captives of the battle."""
        self.gone: list[Army] = []

    def settle(self) -> None:
        """Draw all consequences of a battle but looting."""
        f, fight, result = self.f, self.fight, self.result
        told = self._tell()
        held = self._village()
        captor = fight.side_of(f, result.winner) if result.winner else NEUTRAL
        if result.winner and (captor != NEUTRAL or held):
            self.record = self._new_record(captor)
        self._losses(told)
        self._nobles()
        victor = f.largest(a for a in fight.groups.get(result.winner, []) if a.active)
        self._the_beaten(victor)
        self._close_record(victor)
        self._fame()
        for army in self.gone:  # what they carried goes to the winner's largest group
            n = f.take_purse(army, victor)
            if n and victor is not None:
                f.tell("purse", self.known, "15.6", touch=[victor, army], group=victor.army, n=pounds(n), x=army.army)
        asked: list[Ask] = []
        for deed in (self._prizes, self._fall_apart):  # what fell to the victor, and where the beaten go: asked at once
            try:
                deed(victor)
            except Waiting as stop:
                asked += stop.questions
        if asked:
            raise Waiting(asked)

    def _prizes(self, victor: Army | None) -> None:
        """The victor takes, loots or burns each convoy and train that the beaten led; asked of all at once (14.4)."""
        if victor is None:
            return
        f, booty, side = self.f, self.booty, self.f.side(victor.faction)
        uses = (["take", *([f"loot:{row.cargo}"] if isinstance(row, Convoy) and row.cargo else []), "burn"]
                for row in booty)
        asked = [f.question("prize", victor.faction, f"{victor.army}/{row.ident}", options, "take", unit=victor.army,
                            x=row.ident) for row, options in zip(booty, uses, strict=True)] if side != NEUTRAL else []
        choices = f.game.choose_all(asked) or ["take" for _ in booty]
        for row, (choice, _, n) in zip(booty, (choice.partition(":") for choice in choices), strict=True):
            known = f.both(side, f.side(row.faction))
            if n and isinstance(row, Convoy):
                row.cargo, row.escort = row.cargo - int(n), ""
                victor.money += 2 * f.rules.loot_value * int(n)
            else:
                f.fall_to(victor, row, choice)
            f.tell("prize", known, "14.4", touch=[row, victor], x=row.ident, group=victor.army, choice=choice,
                   **({"n": int(n)} if n else {}))

    def _fall_apart(self, victor: Army | None) -> None:
        """Captives are free, groups too small dissolve, the beaten leave the field."""
        f, fight, result = self.f, self.fight, self.result
        if victor is not None:
            for record in self.guarded:  # whom the beaten led is free
                if record.state in ("waiting", "escorted") and record is not self.record:
                    f.free_captives(record, victor)
        self._freed_on_the_table()
        crews_lost(f, fight.ident, result, self.known)
        f.dissolve_small(fight.everybody())
        if result.winner:
            self._movement()
        else:
            self._draw()
        if self.stormed:
            f.take_castle(f.places[fight.place], fight.side_of(f, ATTACKERS), "stormed")

    def _tell(self) -> str:
        """How it ended; the losses as the form has them, shorter than any words and the same in every language."""
        f, row, result = self.f, self.row, self.result
        row.outcome, row.how, row.status = result.outcome, result.how, "played"
        row.played = "auto" if result.auto else row.played or "table"
        row.turns = result.turns or row.turns
        counted = [] if result.auto else [loss for _, loss in further_rows(f.game, FORM, row.battle)]
        for loss in counted:
            loss.status = "counted"
        f.tell("battle_result", ALL, "15.6", touch=[row, *counted], b=row.battle, outcome=result.outcome,
               how=result.how, turns=str(result.turns or ""), **({"part": "auto"} if result.auto else {}))
        told = [(f"{unit} {LETTER_OF[rank]}", hit) for (unit, rank), hit in result.hits.items()]
        told += [(noble, Counter([fate])) for noble, fate in sorted(result.nobles.items())]
        return "; ".join(f"{who} {'/'.join(str(hit[name]) for name in HITS)}" for who, hit in told)

    def _village(self) -> bool:
        """Whether a neutral village keeps its captives: it frees them; after a battle on the table that is ruled."""
        f, fight, result = self.f, self.fight, self.result
        taken = result.how == "surrendered" or "captured" in result.nobles.values() or any(
            hit["captured"] for hit in result.hits.values())
        if fight.levy is None or result.auto or result.winner != DEFENDERS or not taken or (
                fight.side_of(f, DEFENDERS) != NEUTRAL):
            return False
        choice = f.game.may_choose(f.ruling(f"{fight.ident}/captives", ("free", "held", "killed"), "captives",
                                            default="free", battle=fight.ident, place=fight.place))
        if choice == "killed":
            put_to_the_sword(f, fight, result)
        if choice != "free":
            f.tell("ruled", self.known, "15.8", x=fight.ident, choice=choice)
        return choice == "held"

    # --- losses -------------------------------------------------------------------------------
    def _new_record(self, captor: str) -> Prisoners:
        """The captives are of the largest beaten group's faction, else of the castle's."""
        f, fight, side = self.f, self.fight, self.result.loser
        first, castle = f.largest(fight.groups[side]), fight.castles.get(side)
        faction = first.faction if first is not None else (
            f.wardens(castle)[0] if castle is not None else f.faction_of(fight.side_of(f, side)))
        goal = fight.place if self.stormed or (fight.levy is not None and side == ATTACKERS) else ""
        return f.new_captives(faction, captor, None, fight.node, fight.ident, goal)

    def _losses(self, told: str) -> None:
        """Killed, wounded and captured men, in the sequence of the form."""
        f = self.f
        units = {unit.ident: unit for side in SIDES for unit in self.fight.bodies(side)}
        for (name, rank), hit in self.result.hits.items():
            unit = units[name]
            if hit["killed"]:
                f.take_off(unit, rank, hit["killed"], "dead")
            if hit["captured"] and (self.record is not None or not self.result.winner):
                f.take_off(unit, rank, hit["captured"], "prisoner")
                if self.record is not None:
                    self.record.put(rank, hit["captured"])
                    f.touch(self.record)
            for _ in range(min(hit["wounded"], f.fit(unit, rank))):
                f.hurt_man(unit, rank)
        if told:
            f.tell("battle_result", self.known, "15.6", touch=[self.row], b=self.row.battle, part="losses", list=told)

    def _nobles(self) -> None:
        for ident, fate in self.result.nobles.items():
            if fate != "captured":
                self.f.strike(self.f.nobles[ident], fate, "15.7, 15.8")
            elif self.record is None:  # who is neutral keeps nobody
                self.f.tell("freed", self.known, "15.7", p=ident)
            else:
                self.f.take_noble(self.f.nobles[ident], self.record, "15.7, 15.8")

    def _the_beaten(self, victor: Army | None) -> None:
        """Who surrendered is captive; a group eliminated or without survivors is gone; a stormed garrison is taken."""
        f, fight, how, record = self.f, self.fight, self.result.how, self.record
        if not self.result.loser:
            return
        taken = how == "surrendered" and record is not None
        for army in [a for a in fight.units[self.result.loser] if a.active and (taken or how == "eliminated")]:
            alive = f.heads(army) if taken else 0
            if taken:
                f.take_unit(army, record)
                f.remove_group(army, "captured")
            else:
                f.remove_group(army, "destroyed", victor.faction if victor is not None else "")
            if not alive:
                f.tell("dissolved", ALL, "15.6", x=army.army)
            self.gone.append(army)
        castle = fight.castles.get(self.result.loser)
        if castle is not None and (self.stormed or how == "surrendered"):
            f.take_patients(castle, record)
            f.take_unit(castle, record)
        if fight.levy is not None and self.result.winner == ATTACKERS:  # who is in care in a village that is sacked
            sick = f.take_patients(fight.levy, record)
            if sick and record is not None:
                record.faction = sick[0].faction
                self._tell_captives(record, len(sick), "15.7")

    def _close_record(self, victor: Army | None) -> None:
        """The captor is the winner's largest group; an empty record is no record."""
        if self.record is not None:
            self.record.captor_army = victor.army if victor is not None else ""
            if self.f.drop_if_empty(self.record):
                self.record = None
            else:
                self._tell_captives(self.record, self.f.holds(self.record), "15.8")

    def _tell_captives(self, record: Prisoners, n: int, rule: str) -> None:
        self.f.tell("prisoners", self.f.parties(), rule, touch=[record], n=n, side=record.captor, p=record.prisoners)

    # --- fame ---------------------------------------------------------------------------------
    def _fame(self) -> None:
        """Prestige; groups without a noble count their victories, and the second makes one (9)."""
        f, winner = self.f, self.result.winner
        if not winner:
            return
        for side in SIDES:
            by, why = (f.rules.prestige_win, "battle won") if side == winner else (f.rules.prestige_lost, "battle lost")
            for army in self.fight.groups[side]:
                f.change_prestige(self.leaders[army.army], by, why)
        for army in self.fight.groups[winner]:
            if army.mercenary or not army.active or self.leaders[army.army] is not None or f.with_them(army):
                continue
            army.wins += 1
            if army.wins >= max(2, f.rules.new_noble_wins):
                if army.core_now * 100 >= f.rules.new_noble_core * army.core_start:
                    self._new_noble(army)
                    continue
                army.wins = 1
            if army.wins == 1:
                army.core_start = army.core_now = f.heads(army)
            f.tell("counted", f.own(army.faction), "9", touch=[army], group=army.army, n=army.wins)

    def _new_noble(self, army: Army) -> None:
        f = self.f
        rank = max((r for r in RISING if army.count(r)), key=lambda r: (f.fit(army, r) > 0, RISING.index(r)))
        name = f.game.ask(f.question("name", army.faction, army.army, (), f"A knight of {army.army}", group=army.army))
        ident = free_name(f.nobles, f"N-{army.army}")
        noble = f.nobles.add(Noble(noble=ident, name=name, faction=army.faction, prestige=f.rules.new_noble_prestige,
                                   loyalty=army.loyalty, army=army.army, state="free"))
        army.gain(rank, -1)
        army.commander, army.wins, army.core_start, army.core_now = ident, 0, 0, 0
        f.tell("new_noble", ALL, "9", touch=[noble, army], name=name, n=noble.prestige, group=army.army)

    def _freed_on_the_table(self) -> None:
        """Captives set free during the game join the other side's largest group."""
        f, fight, left = self.f, self.fight, self.result.freed
        held: list[tuple[Prisoners, Army]] = []
        for side in SIDES:
            rescuer = f.largest(a for a in fight.groups[other(side)] if a.active)
            held += [(p, rescuer) for a in fight.units[side] for p in f.led_captives(a)
                     if rescuer is not None and p.state != "freed" and p is not self.record]
        everybody, first = sum(f.holds(p) for p, _ in held), "men"
        if 0 < left < everybody and any(f.captives(p) for p, _ in held):
            first = f.game.choose(f.ruling(f"{fight.ident}/freed", ("men", "nobles"), "freed", battle=fight.ident,
                                           n=left, all=everybody))
        for record, rescuer in held:
            left -= f.free_captives(record, rescuer, left, nobles_first=first == "nobles")

    # --- where everybody goes -----------------------------------------------------------------
    def _leaders(self, side: str) -> list[Army]:
        """Groups of a side that are still there and follow nobody, the largest first."""
        found = [a for a in self.fight.units[side] if a.active and not self.f.attached(a)]
        return sorted(found, key=lambda a: (-self.f.heads(a), natural(a.army)))

    def _movement(self) -> None:
        f, fight, loser = self.f, self.fight, self.result.loser
        lost_place = fight.place if self.stormed else ""
        towards = f.heading.get(fight.mover, "") if loser != fight.moving else ""
        self._fall_back([army for army in self._leaders(loser)
                         if army.node == fight.node and army.inside in ("", lost_place)], towards)
        for army in self._leaders(self.result.winner):
            if army.army in fight.joined and army.node != fight.node:
                f.heading[army.army] = direction(army.node, fight.node)
                f.go(army, fight.node)
                f.tell("advanced", ALL, "15.3", x=army.army, hex=fight.node)

    def _fall_back(self, armies: list[Army], towards: str = "", first: str = "") -> list[str]:
        """Groups of one side retreat, or surrender where there is no way; the hexes reached."""
        f, groups = self.f, self.fight.groups
        goals = f.retreats(armies, towards, first)
        for army in (army for army, goal in zip(armies, goals, strict=True) if not goal):
            captor = f.foe(f.side(army.faction))
            taker = f.largest(a for s in SIDES for a in groups[s] if a.active and f.side(a.faction) == captor)
            taken = captor and (taker is not None or self.fight.levy is None)
            for one in f.stack(army) if taken else ():
                self.record = f.surrender_group(one, captor, taker, self.fight.ident, self.record)
        return [goal for goal in goals if goal]

    def _draw(self) -> None:
        """Who entered or joined goes first; who was there goes the opposite way (15.6)."""
        f, fight = self.f, self.fight
        earlier = f.fought[:f.fought.index(fight.ident)]
        again = any(row.node == fight.node and row.outcome == "draw" for row in f.battles if row.battle in earlier)
        if again and f.game.may_choose(
                f.ruling(f"{fight.ident}/draw", ("give_way", "stay"), "draw", default="give_way", battle=fight.ident,
                         hex=fight.node)) == "stay":
            f.tell("ruled", self.known, "15.6", x=fight.ident, choice="stay")
            return
        entered, there = ([a for a in self._leaders(side) if a.node == fight.node and not a.inside
                           and a.army not in fight.joined] for side in (fight.moving, other(fight.moving)))
        goals = self._fall_back(entered)
        for army in there if entered else ():  # those inside stay there, and those outside before the walls
            away = opposite(direction(fight.node, goals[0])) if goals else ""
            if away and f.legal(army, step(army.node, away)):
                f.go(army, step(army.node, away))
                f.tell("retreated", ALL, "15.6", x=army.army, hex=army.node)
            else:
                self._fall_back([army], first=away)


def put_to_the_sword(f: Field, fight: Fight, result: Result) -> None:
    """All captives of a battle are killed instead, and after a surrender everybody who is left."""
    for hit in result.hits.values():
        hit["killed"] += hit.pop("captured", 0)
    result.nobles = {noble: "killed" if fate == "captured" else fate for noble, fate in result.nobles.items()}
    if result.how != "surrendered":
        return
    result.how = "eliminated"
    for army in fight.units[result.loser]:
        for rank, n in army.ranks.items():
            if n:
                result.hits[army.army, rank]["killed"] = n
        result.nobles |= {n.noble: "killed" for n in f.with_them(army)}
    for hit in result.hits.values():
        hit["wounded"] = 0


def crews_lost(f: Field, battle: str, result: Result, known: list[str] | str) -> None:
    """Engineers and peasants of siege trains who fell; what becomes of engines without an engineer is ruled."""
    fallen = sorted(result.crews.items())
    for (ident, who), hit in fallen:
        train = f.trains[ident]
        n = hit["killed"]
        setattr(train, who, int(getattr(train, who)) - n)
        f.tell("battle_result", known, "15.7", touch=[train], b=battle, part="losses", list=f"{ident} {n}/0/0")
    for train in [f.trains[ident] for (ident, who), _ in fallen if who == "engineers"]:
        if train.engineers or not train.engines or train.state != "active":
            continue
        choice = f.game.choose(f.ruling(f"{battle}/{train.train}", ("stay", "abandon", "burn"), "engines",
                                        battle=battle, x=train.train, unit=train.escort or "-"))
        train.escort = train.escort if choice == "stay" else ""
        train.state = "destroyed" if choice == "burn" else train.state
        f.tell("ruled", known, "10", touch=[train], x=train.train, choice=choice)
