"""How battles end: their consequences, and the umpire's dice for those that are not played (chapters 9, 15)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from assistant.campaign.map import direction, opposite, step
from assistant.campaign.records import ALL, REFEREE
from assistant.rulesets.anarchy import NAMED, both, chapter, citation, records
from assistant.rulesets.anarchy import battle as battles
from assistant.rulesets.anarchy.battle import ATTACKERS, DEFENDERS, SIDES, BattleResult, Fight, other_side
from assistant.rulesets.anarchy.field import Field
from assistant.rulesets.anarchy.mercenaries import MercenaryNumbers
from assistant.rulesets.anarchy.realm import asked
from assistant.rulesets.anarchy.records import NEUTRAL, RISING, Army, Battle, Convoy, Noble, Place, Prisoners
from assistant.turn.battle_results import further_rows, take_form
from assistant.turn.chapters import Citation, EventType, Rules, number
from assistant.turn.dice import RangeTable
from assistant.turn.event_types import EACH_TIME
from assistant.turn.game import free_name
from assistant.turn.questions import Ask, Option, Waiting
from assistant.turn.rulings import Contest, Score, Steps, nonzero_modifiers

RESULTS = {
    "auto draw time": both("Drawn {b:at}.", "Pareggio {b:dove}."),
    "draw time": both("Drawn {b:at}: time ran out after {turns} {turns?turn|turns}.",
                      "Pareggio {b:dove}: tempo scaduto dopo {turns} {turns?turno|turni}."),
    "attacker eliminated": both(
        "The attackers win {b:at}: the defenders were wiped out after {turns} {turns?turn|turns}.",
        "Vince l'attaccante {b:dove}: i difensori sono annientati dopo {turns} {turns?turno|turni}."),
    "attacker fled": both("The attackers win {b:at}: the defenders fled after {turns} {turns?turn|turns}.",
                          "Vince l'attaccante {b:dove}: i difensori sono fuggiti dopo {turns} {turns?turno|turni}."),
    "attacker surrendered": both(
        "The attackers win {b:at}: the defenders surrendered after {turns} {turns?turn|turns}.",
        "Vince l'attaccante {b:dove}: i difensori si sono arresi dopo {turns} {turns?turno|turni}."),
    "defender eliminated": both(
        "The defenders win {b:at}: the attackers were wiped out after {turns} {turns?turn|turns}.",
        "Vince il difensore {b:dove}: gli attaccanti sono annientati dopo {turns} {turns?turno|turni}."),
    "defender fled": both("The defenders win {b:at}: the attackers fled after {turns} {turns?turn|turns}.",
                          "Vince il difensore {b:dove}: gli attaccanti sono fuggiti dopo {turns} {turns?turno|turni}."),
    "defender surrendered": both(
        "The defenders win {b:at}: the attackers surrendered after {turns} {turns?turn|turns}.",
        "Vince il difensore {b:dove}: gli attaccanti si sono arresi dopo {turns} {turns?turno|turni}."),
    "auto attacker eliminated": both("The attackers win {b:at}: the defenders were wiped out.",
                                     "Vince l'attaccante {b:dove}: i difensori sono annientati."),
    "auto attacker fled": both("The attackers win {b:at}: the defenders fled.",
                               "Vince l'attaccante {b:dove}: i difensori sono fuggiti."),
    "auto attacker surrendered": both("The attackers win {b:at}: the defenders surrendered.",
                                      "Vince l'attaccante {b:dove}: i difensori si sono arresi."),
    "auto defender eliminated": both("The defenders win {b:at}: the attackers were wiped out.",
                                     "Vince il difensore {b:dove}: gli attaccanti sono annientati."),
    "auto defender fled": both("The defenders win {b:at}: the attackers fled.",
                               "Vince il difensore {b:dove}: gli attaccanti sono fuggiti."),
    "auto defender surrendered": both("The defenders win {b:at}: the attackers surrendered.",
                                      "Vince il difensore {b:dove}: gli attaccanti si sono arresi."),
    "losses": both("{b}, losses: {list}.", "{b}, perdite: {list}."),
    "dice": both("{b}: {roll}: {first} to {second}.", "{b}: {roll}: {first} a {second}."),
}
"""How a battle ended: by dice or played, who won, how, and after how many turns."""
EVENTS = (
    EventType("battle_result",
              both("{b}: {outcome}, {how}, {turns} {turns?turn|turns}.",
                   "{b}: {outcome}, {how}, {turns} {turns?turno|turni}."), "battles", 0,
              variants=("part outcome how", RESULTS), means={"b": "place"}, to=ALL),
    EventType("retreated", both("{x:the} {x?falls|fall} back to {hex:the}.",
                                "{x:il} {x?ripiega|ripiegano} {hex:dove}."), "moves", 2, means=NAMED, to=ALL),
    EventType("advanced", both("{x:the} {x?moves|move} up to {hex:the}.", "{x:il} {x?avanza|avanzano} {hex:dove}."),
              "moves", 4, "15.3", means=NAMED, to=ALL),
    EventType("no_retreat",
              both("{x:the} {x?has|have} no way out and {x?surrenders|surrender}.",
                   "{x:il} non {x?ha scampo e si arrende|hanno scampo e si arrendono}."),
              "battles", 1, means=NAMED, to=ALL),
    EventType("purse",
              both("{group:the} {group?takes|take} a purse of £{n}.",
                   "{group:il} {group?s'impadronisce|s'impadroniscono} di una cassa di £{n}."),
              "money", 4,
              variants=("way",
                        {"loot": both("{group:the} {group?turns its|turn their} loot from {x:the} into £{n}.",
                                      "{group:il} {group?ricava|ricavano} £{n} dal bottino {x:di}.")}),
              means=NAMED, to="group"),
    EventType("prize", both("{x:the} {x?falls|fall} into the hands of {group:the}.",
                            "{x:il} {x?cade|cadono} in mano {group:a}."), "battles", 3, "14.4",
              ("choice",
               {"burn": both("{group:the} {group?burns|burn} {x:the}.", "{group:il} {group?brucia|bruciano} {x:il}."),
                "loot": both("{group:the} {group?takes|take} {n} {n?point|points} of loot from {x:the}.",
                             "{group:il} {group?prende|prendono} {n} {n?punto|punti} di bottino {x:da}.")}),
              means=NAMED, to=EACH_TIME),
)

QUESTIONS = (
    asked("retreat", both("Where does {unit:the} fall back to from {hex:the}?", "Dove ripiega {unit} {hex:da}?")),
    asked("prize",
          both("{x:the} fell to {unit:the}: take, loot, or burn?",
               "{x} cade in mano {unit:a}: prendere, saccheggiare o bruciare?"),
          ("offered",
           {"take, burn": both("{x:the} fell to {unit:the}: take, or burn?",
                               "{x} cade in mano {unit:a}: prendere o bruciare?")}),
          stands=Option(("take", "burn"))),
)

both.words({
    "superiority": "superiorità", "hunger": "fame", "battle won": "battaglia vinta", "battle lost": "battaglia persa",
    "loot:": "saccheggia:", "name": "nome",
})

CHAPTER = chapter(both("15.6 End of a battle", "15.6 Fine della battaglia"), 13, battles.DeploymentNumbers, EVENTS,
                  questions=QUESTIONS,
                  cites=(citation(both("15.4 Deployment", "15.4 Schieramento"), 12),
                         Citation("auto", "15.6, Arbitro's rule", "15.6, regola di Arbitro",
                                  both("Battles that are not played", "Battaglie non giocate"), 13)))


class NobleNumbers(Rules):
    """What moves prestige, and who makes a name for himself."""

    prestige_win: int = records.prestige_change(1, both("A battle won counts {signed} prestige.",
                                                        "Una battaglia vinta vale {signed} di prestigio."))
    prestige_lost: int = records.prestige_change(-1, both("A battle lost counts {signed} prestige.",
                                                          "Una battaglia persa vale {signed} di prestigio."))
    prestige_loot_village: int = records.prestige_change(-1, both(
        "Looting a village or town counts {signed} prestige.",
        "Il saccheggio di un villaggio o di una città vale {signed} di prestigio."))
    prestige_loot_monastic: int = records.prestige_change(-2, both(
        "Looting a monastery counts {signed} prestige.", "Il saccheggio di un monastero vale {signed} di prestigio."))
    prestige_loot_castle: int = records.prestige_change(0, tag=records.DERIVED, meaning=both(
        "Looting a castle counts {signed} prestige.", "Il saccheggio di un castello vale {signed} di prestigio."))
    new_noble_wins: int = number(2, both("battles", "battaglie"), both(
        "A group without noble has one after {n} {n?battle|battles} won.",
        "Un gruppo senza nobile ne ha uno dopo {n} {n?battaglia vinta|battaglie vinte}."), minimum=1)
    new_noble_prestige: int = number(
        2, records.PRESTIGE, both("A new noble has a prestige of {n}.", "Un nuovo nobile ha prestigio {n}."), minimum=1)
    new_noble_core: int = number(50, both("% of the heads", "% dei personaggi"),
                                 both("For a new noble {n}% of the core must have seen those battles.",
                                      "Per un nuovo nobile il {n}% del nucleo deve aver visto quelle battaglie."))


NOBLES_EVENTS = (
    EventType("prestige",
              both("{noble}: prestige from {old} to {new} ({why}).", "{noble}: prestigio da {old} a {new} ({why})."),
              "news", 3, to=ALL),
    EventType("counted",
              both("{group:the} {group?has|have} won {n} {n?battle|battles} so far.",
                   "{group:il} {group?ha|hanno} vinto finora {n} {n?battaglia|battaglie}."), "news", 7, to="group"),
    EventType("new_noble",
              both("{name} makes a name for himself: prestige {n}.", "{name} si fa un nome: prestigio {n}."), "news", 1,
              to=ALL),
    EventType("noble_lost", both("{noble} is taken prisoner.",
                                 "{noble} è {noble?prigioniero|prigioniera|prigionieri|prigioniere}."), "battles", 0,
              "15.7, 15.8",
              ("fate part",
               {"taken by": both("{noble} is taken prisoner by {side:the}.",
                                 "{noble} cade {noble?prigioniero|prigioniera|prigionieri|prigioniere} {side:di}."),
                "killed": both("{noble} is killed.", "{noble} cade in battaglia."),
                "wounded": both("{noble} is wounded.", "{noble} riporta una ferita.")}), to=ALL, theme="leader"),
)

NOBLES_QUESTIONS = (
    asked("name",
          both("{group:the} has won twice: what is its new noble called?",
               "{group}: due battaglie vinte. Come si chiama il suo nuovo nobile?")),
)

NOBLES_CHAPTER = chapter(both("9 Nobles", "9 I nobili"), 8, NobleNumbers, NOBLES_EVENTS, questions=NOBLES_QUESTIONS)


# The consequences of a battle, in the page's sequence (9, 15.6 to 15.8; rulebook: 15.6 End of a battle).


class Aftermath:
    """The consequences of one battle."""

    def __init__(self, f: Field, fight: Fight, result: BattleResult, row: Battle) -> None:
        self.f, self.fight, self.result, self.row = f, fight, result, row
        # noted before anybody falls or flees: a noble who is taken has lost the battle, too, and what they led is booty
        self.known = battles.fighting_factions(f, fight)
        self.leaders = {a.army: f.commander(a) for a in fight.everybody()}
        # who joined from a neighbouring hex still stands there with all that it leads
        beaten = [a for a in fight.units.get(result.loser, []) if a.node == fight.node]
        self.booty = [r for a in beaten for r in f.led_goods(a)]
        self.guarded = [p for a in beaten for p in f.led_captives(a)]
        self.stormed = fight.kind == "assault" and result.winner == ATTACKERS
        self.record: Prisoners | None = None
        """One record for all captives of the battle."""
        self.gone: list[Army] = []

    def settle(self) -> None:
        """Carry out all consequences of the battle but looting."""
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
                f.tell("purse", self.known, group=victor.army, n=records.pounds(n), x=army.army)
        asked: list[Ask] = []
        for deed in (self._prizes, self._fall_apart):  # the questions of both are asked at one stop
            try:
                deed(victor)
            except Waiting as stop:
                asked += stop.questions
        if asked:
            raise Waiting(asked)

    def _prizes(self, victor: Army | None) -> None:
        """The victor takes, loots or burns each convoy and train that the beaten led; asked at once (14.4)."""
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
                victor.money += 2 * MercenaryNumbers.of(f).loot_value * int(n)
            else:
                f.fall_to(victor, row, choice)
            f.tell("prize", known, x=row.ident, group=victor.army, choice=choice,
                   **({"n": int(n)} if n else {}))

    def _fall_apart(self, victor: Army | None) -> None:
        """Free captives, dissolve groups that are too small, move the beaten off the field."""
        f, fight, result = self.f, self.fight, self.result
        if victor is not None:
            for record in self.guarded:  # captives of the beaten are free
                if record.on_their_way and record is not self.record:
                    f.free_captives(record, victor)
        self._free_captives()
        lose_crews(f, fight.ident, result, self.known)
        f.dissolve_small(fight.everybody())
        if result.winner:
            self._movement()
        else:
            self._draw()
        if self.stormed:
            f.take_castle(f.places[fight.place], fight.side_of(f, ATTACKERS), "stormed")

    def _tell(self) -> str:
        """Close the row and tell how it ended. Returns the losses in the form's shorthand, which needs no language."""
        f, row, result = self.f, self.row, self.result
        row.outcome, row.how, row.status = result.outcome, result.how, "played"
        row.played = "auto" if result.auto else row.played or "table"
        row.turns = result.turns or row.turns
        counted = [] if result.auto else [loss for _, loss in further_rows(f.game, battles.FORM, row.battle)]
        for loss in counted:
            loss.status = "counted"
        f.tell("battle_result", b=row.battle, outcome=result.outcome, how=result.how, factions=self.known,
               turns=str(result.turns or ""), **({} if result.turns and not result.auto else {"part": "auto"}))
        told = [(f"{unit} {records.LETTER_OF[rank]}", hit) for (unit, rank), hit in result.hits.items()]
        told += [(noble, Counter([fate])) for noble, fate in sorted(result.nobles.items())]
        return "; ".join(f"{who} {'/'.join(str(hit[name]) for name in battles.HITS)}" for who, hit in told)

    def _village(self) -> bool:
        """Whether a neutral village keeps its captives: it frees them, unless the referee rules otherwise."""
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
            f.tell("ruled", self.known, rule="15.8", x=fight.ident, choice=choice)
        return choice == "held"

    # --- losses -------------------------------------------------------------------------------
    def _new_record(self, captor: str) -> Prisoners:
        """A record of captives, of the largest beaten group's faction, else the castle's."""
        f, fight, side = self.f, self.fight, self.result.loser
        first = f.largest(fight.groups[side]) or fight.castles.get(side)
        faction = f.speaker(first) if first is not None else f.faction_of(fight.side_of(f, side))
        goal = fight.place if self.stormed or (fight.levy is not None and side == ATTACKERS) else ""
        return f.new_captives(faction, captor, None, fight.node, fight.ident, goal)

    def _losses(self, told: str) -> None:
        """Carry out killed, wounded and captured men, in the sequence of the form."""
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
            for _ in range(min(hit["wounded"], f.fit(unit, rank))):
                f.hurt_man(unit, rank)
        if told:
            f.tell("battle_result", self.known, b=self.row.battle, part="losses", list=told)

    def _nobles(self) -> None:
        for ident, fate in self.result.nobles.items():
            if fate != "captured":
                self.f.strike(self.f.nobles[ident], fate, "15.7, 15.8")
            elif self.record is None:  # neutrals keep no captives
                self.f.tell("freed", self.known, rule="15.7", p=ident)
            else:
                self.f.take_noble(self.f.nobles[ident], self.record, "15.7, 15.8")

    def _the_beaten(self, victor: Army | None) -> None:
        """Those who surrendered are captives, eliminated groups are gone, a stormed garrison is captured."""
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
                f.tell("dissolved", rule="15.6", x=army.army)
            self.gone.append(army)
        castle = fight.castles.get(self.result.loser)
        if castle is not None and (self.stormed or how == "surrendered"):
            f.take_patients(castle, record)
            f.take_unit(castle, record)
        if fight.levy is not None and self.result.winner == ATTACKERS:  # men in care in the sacked village
            sick = f.take_patients(fight.levy, record)
            if sick and record is not None:
                record.faction = sick[0].faction
                self._tell_captives(record, len(sick), "15.7")

    def _close_record(self, victor: Army | None) -> None:
        """The captor is the winner's largest group; an empty record is removed."""
        if self.record is not None:
            self.record.captor_army = victor.army if victor is not None else ""
            if self.f.drop_if_empty(self.record):
                self.record = None
            else:
                self._tell_captives(self.record, self.f.holds(self.record), "15.8")

    def _tell_captives(self, record: Prisoners, n: int, rule: str) -> None:
        self.f.tell("prisoners", rule=rule, n=n, side=record.captor, p=record.prisoners, hex=record.node, part="where")

    # --- fame ---------------------------------------------------------------------------------
    def _fame(self) -> None:
        """Change prestige; a group without a noble counts its victories, and the second gives it one (9)."""
        f, winner, rules = self.f, self.result.winner, NobleNumbers.of(self.f)
        if not winner:
            return
        for side in SIDES:
            by, why = (rules.prestige_win, "battle won") if side == winner else (rules.prestige_lost, "battle lost")
            for army in self.fight.groups[side]:
                f.change_prestige(self.leaders[army.army], by, why)
        for army in self.fight.groups[winner]:
            if army.mercenary or not army.active or self.leaders[army.army] is not None or f.with_them(army):
                continue
            army.wins += 1
            # never before the second: the core whose share is asked for is counted at the first
            if army.wins >= max(2, rules.new_noble_wins):
                if army.core_now * 100 >= rules.new_noble_core * army.core_start:
                    self._new_noble(army)
                    continue
                # too few of the first victory's men are left: this one counts as the first (9)
                army.wins = 1
            if army.wins == 1:
                army.core_start = army.core_now = f.heads(army)
            f.tell("counted", group=army.army, n=army.wins)

    def _new_noble(self, army: Army) -> None:
        f = self.f
        # a hurt man is chosen only where nobody is fit
        rank = max((r for r in RISING if army.count(r)), key=lambda r: (f.fit(army, r) > 0, RISING.index(r)))
        name = f.game.ask(f.question("name", army.faction, army.army, (), f"A knight of {army.army}", group=army.army))
        ident = free_name(f.nobles, f"N-{army.army}")
        noble = f.nobles.add(Noble(noble=ident, name=name, faction=army.faction, loyalty=army.loyalty,
                                   prestige=NobleNumbers.of(f).new_noble_prestige, army=army.army, state="free"))
        army.gain(rank, -1)
        army.commander, army.wins, army.core_start, army.core_now = ident, 0, 0, 0
        f.tell("new_noble", name=name, n=noble.prestige, group=army.army)

    def _free_captives(self) -> None:
        """Captives freed on the table join the other side's largest group."""
        f, fight, left = self.f, self.fight, self.result.freed
        held: list[tuple[Prisoners, Army]] = []
        for side in SIDES:
            rescuer = f.largest(a for a in fight.groups[other_side(side)] if a.active)
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
        """A side's remaining groups that follow no other, the largest first."""
        return self.f.by_size(a for a in self.fight.units[side] if a.active and not self.f.is_attached(a))

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
                f.tell("advanced", x=army.army, hex=fight.node)

    def _fall_back(self, armies: list[Army], towards: str = "", first: str = "") -> list[str]:
        """Groups of one side retreat, or surrender if they cannot. Returns the hexes reached."""
        f, groups = self.f, self.fight.groups
        goals = f.retreats(armies, towards, first)
        for army in (army for army, goal in zip(armies, goals, strict=True) if not goal):
            captor = f.foe(f.side(army.faction))
            taker = f.largest(a for s in SIDES for a in groups[s] if a.active and f.side(a.faction) == captor)
            taken = captor and (taker is not None or self.fight.levy is None)
            for unit in f.stack(army) if taken else ():
                self.record = f.surrender_group(unit, captor, taker, self.fight.ident, self.record)
        return [goal for goal in goals if goal]

    def _draw(self) -> None:
        """After a draw those who entered retreat first; those who were there go the opposite way (15.6)."""
        f, fight = self.f, self.fight
        earlier = f.fought[:f.fought.index(fight.ident)]
        again = any(row.node == fight.node and row.outcome == "draw" for row in f.battles if row.battle in earlier)
        # the book does not foresee a second draw on one hex (15.6), so the referee rules
        if again and f.game.may_choose(
                f.ruling(f"{fight.ident}/draw", ("give_way", "stay"), "draw", default="give_way", battle=fight.ident,
                         hex=fight.node)) == "stay":
            f.tell("ruled", self.known, rule="15.6", x=fight.ident, choice="stay")
            return
        entered, there = ([a for a in self._leaders(side) if a.node == fight.node and not a.inside
                           and a.army not in fight.joined] for side in (fight.moving, other_side(fight.moving)))
        goals = self._fall_back(entered)
        for army in there if entered else ():  # after a sally nobody has entered: all stay
            away = opposite(direction(fight.node, goals[0])) if goals else ""
            if away and f.legal(army, step(army.node, away)):
                f.go(army, step(army.node, away))
                f.tell("retreated", x=army.army, hex=army.node)
            else:
                self._fall_back([army], first=away)


def put_to_the_sword(f: Field, fight: Fight, result: BattleResult) -> None:
    """Kill all captives of a battle, and after a surrender all survivors of the beaten side."""
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


def lose_crews(f: Field, battle: str, result: BattleResult, known: list[str] | str) -> None:
    """Remove dead engineers and peasants of siege trains; the referee rules on engines without an engineer."""
    fallen = sorted(result.crews.items())
    for (ident, rank), hit in fallen:
        train, who, n = f.trains[ident], rank or "engineers", hit["killed"]
        setattr(train, who, int(getattr(train, who)) - n)
        f.tell("battle_result", known, rule="15.7", b=battle, part="losses", list=f"{ident} {n}/0/0")
    for train in [f.trains[ident] for (ident, rank), _ in fallen if not rank]:
        if train.engineers or not train.engines or train.state != "active":
            continue
        choice = f.game.choose(f.ruling(f"{battle}/{train.train}", ("stay", "abandon", "burn"), "engines",
                                        battle=battle, x=train.train, unit=train.escort or "-"))
        train.escort = train.escort if choice == "stay" else ""
        train.state = "destroyed" if choice == "burn" else train.state
        f.tell("ruled", known, rule="10", x=train.train, choice=choice)


# Battles as chapters start them: fight and settle, then loot (rulebook: 15 Battle).


def field_battle(f: Field, attacker: Army, target: Army, mover: Army) -> None:
    """Two groups fight; `mover`: the one that moved."""
    _fight_battle(f, battles.gather_fight(f, "field", mover, [attacker], [target]))


def sally(f: Field, unit: Army | Place, target: Army) -> None:
    """A group inside, or the garrison itself, attacks the largest besieging group."""
    groups = [unit] if isinstance(unit, Army) else []
    _fight_battle(f, battles.gather_fight(f, "sally", unit, groups, [target],
                                          unit if isinstance(unit, Place) else None))


def fight_and_loot(f: Field, army: Army, place: Place, ordered: int | None = None) -> None:
    """Fight for a place and loot it; a company that revolts over its share fights its employer at once (11.6)."""
    # mercenaries fight with their employer, who brings them into the battle
    inside = [a for a in f.at(place.node) if a.inside == place.place and not f.is_attached(a)]
    kind = "assault" if place.castle else "sack"
    fight = battles.gather_fight(f, kind, army, [army], inside, place)
    if _fight_battle(f, fight).winner != ATTACKERS or not army.active:
        return
    # they fight only after every company has had its share
    for company in (unit for unit in battles.loot(f, army, place, ordered) if unit.active):
        f.tell("revolt", mercs=company.army, group=army.army)
        f.tell("deserted", rule="11.6", mercs=company.army, side=f.desert(company))
        if army.active:
            _fight_battle(f, battles.gather_fight(f, "revolt", company, [company], [army]))


def _fight_battle(f: Field, fight: Fight) -> BattleResult:
    """Ask for the result, check it, carry out its consequences."""
    row = battles.open_battle_row(f, fight)
    row.papers = battles.make_papers(f, fight)
    f.game.hand_out(row)
    asked = f.question("battle", REFEREE, fight.ident, ("entered", "auto"), "", battle=fight.ident, hex=fight.node,
                       attackers=row.attackers or row.place or "-", defenders=row.defenders or row.place or "-")
    answer, fighting = f.game.answer_to(asked), battles.ResultForm(f, fight)
    if answer:
        row.played = "auto" if answer == "auto" else "table"
    taken = take_form(f.game, battles.FORM, asked, fighting, row, fighting.clubs())
    if taken.state in ("missing", "wrong"):
        raise Waiting([asked])
    result = throw_umpires_dice(f, fight) if taken.state == "dice" else fighting.result
    Aftermath(f, fight, result, row).settle()
    return result


# The umpire's dice (rulebook: Battles that are not played).


VALUES = {"knights": 5, "dismounted": 4, "foot": 3, "bows": 2, "light": 2, "peasants": 1}
NOBLE_VALUE, HURT_VALUE = 6, 1
"""What a noble is worth, and any man who is hurt or unarmed."""
WALLS = {"castle_stone": 300, "castle_tower": 250, "castle_motte": 200, "counter_castle": 150}
"""What a garrison is worth behind these walls, in per cent of its value in the open."""
WALL_ENGINE, WALL_TOWER, WALL_LEAST = 25, 50, 100
"""How many per cent an engine takes off the walls, how many a siege tower, and what is left in any case."""
SUPERIORITY = Steps(((0, 0), (125, 1), (150, 2), (175, 3), (200, 4), (300, 6), (400, 8)))
"""The bonus of the stronger side, by its value in per cent of the weaker one's."""
OVERWHELMING = 500
"""From this many per cent no dice are thrown: the stronger side wins and loses nobody."""
AUTO_LOSS, AUTO_LOSS_BEATEN, AUTO_LOSS_ROUT, AUTO_ROUT = 10, 30, 50, 5
"""Losses in per cent: of the winner or after a draw, of the beaten, and of those beaten by that many points."""
FATES = {True: RangeTable("beaten noble", ((1, 1, "killed"), (2, 2, "captured"), (3, 3, "wounded"), (4, None, ""))),
         False: RangeTable("noble", ((1, 1, "wounded"), (2, None, "")))}
"""What becomes of a noble, by whether his side was beaten."""


def men_value(men: Mapping[str, int]) -> int:
    """What fit and armed men are worth, by rank."""
    return sum(VALUES[rank] * n for rank, n in men.items())


def value_of(realm: Field, unit: Army | Place) -> int:
    """The value of a group or garrison with its nobles, without mercenaries; hurt and unarmed men count 1 each."""
    total = sum(NOBLE_VALUE if n.state == "free" else HURT_VALUE for n in realm.nobles_of(unit))
    for rank in records.RANKS:
        hurt = len(realm.wounded_here(unit, rank))
        plain = HURT_VALUE if isinstance(unit, Army) and unit.unarmed else VALUES[rank]
        total += (unit.count(rank) - hurt) * plain + hurt * HURT_VALUE
    return total


def stack_value(realm: Field, army: Army) -> int:
    """The value of a group with its nobles and mercenaries."""
    return sum(value_of(realm, unit) for unit in realm.stack(army))


def garrison_value(realm: Field, place: Place, walls: int = 100) -> int:
    """The value of a garrison with its nobles, times the walls in per cent, rounded down."""
    return (value_of(realm, place) + HURT_VALUE * len(realm.patients(place))) * walls // 100


def side_value(f: Field, fight: Fight, side: str) -> int:
    """The value of a side."""
    total = sum(value_of(f, a) for a in fight.units[side])
    if side in fight.castles:
        castle, walls = fight.castles[side], 100
        if fight.kind == "assault" and castle.place == fight.place:  # walls multiply it, less what engines take off
            trains = [t for a in fight.units[ATTACKERS] for t in f.led_trains(a)]
            engines = sum(WALL_ENGINE * (t.engines - t.towers) + WALL_TOWER * t.towers for t in trains)
            walls = max(WALL_LEAST, WALLS.get(castle.kind, WALL_LEAST) - engines)
        total += garrison_value(f, castle, walls)
    if fight.levy is not None and side != ATTACKERS:
        total += men_value(fight.levy_men(f))
        total += HURT_VALUE * len(f.patients(fight.levy))
    return total


def throw_umpires_dice(f: Field, fight: Fight) -> BattleResult:
    """Decide a battle by dice, or without dice if one side has five times the other's value."""
    value = {s: side_value(f, fight, s) for s in SIDES}
    strong = max(SIDES, key=lambda s: value[s])
    weak = DEFENDERS if strong == ATTACKERS else ATTACKERS
    ratio = value[strong] * 100 // value[weak] if value[weak] else OVERWHELMING
    if ratio >= OVERWHELMING and value[strong] > value[weak]:
        result = _umpires_result(fight, strong)
        _count_losses(fight, result, weak, AUTO_LOSS_ROUT)
        return result
    known = battles.fighting_factions(f, fight)
    dice = Contest({side: Score(f.throw(records.UMPIRE_OF_SIDE, known, fight.ident, word), nonzero_modifiers({
        "superiority": SUPERIORITY.at(ratio) if side == strong else 0,
        "fame": any(f.prestige(a) >= records.GREAT_PRESTIGE for a in fight.units[side]),
        "hunger": -any(a.starving for a in fight.units[side])}))
                    for side, word in zip(SIDES, ("attacker", "defender"), strict=True)})
    result = _umpires_result(fight, dice.winner)
    f.tell("battle_result", known, rule="auto", roll=dice.rolls, part="dice", b=fight.ident,
           first=dice.scores[SIDES[0]], second=dice.scores[SIDES[1]])
    beaten = AUTO_LOSS_ROUT if dice.by(AUTO_ROUT) else AUTO_LOSS_BEATEN
    for side in SIDES:
        _count_losses(fight, result, side, beaten if side == result.loser else AUTO_LOSS)
    for side in SIDES:
        for noble in (noble for unit in fight.bodies(side) for noble in f.nobles_of(unit)):
            roll = f.throw(records.UMPIRE_OF_NOBLE, known, fight.ident, noble.noble)
            fate = roll.row(FATES[side == result.loser])
            if fate:
                result.nobles[noble.noble] = fate
    return result


def _umpires_result(fight: Fight, winner: str) -> BattleResult:
    if not winner:
        return BattleResult("draw", "time", auto=True)
    outcome = "attacker" if winner == SIDES[0] else "defender"
    stormed = outcome == "attacker" and fight.kind == "assault"
    return BattleResult(outcome, "surrendered" if stormed else "fled", auto=True)


def _count_losses(fight: Fight, result: BattleResult, side: str, percent: int) -> None:
    """Count losses of each unit, rounded half up: a man of each rank in rising order, then again from the lowest."""
    lost = side == result.loser
    for unit in fight.bodies(side):
        wanted, rounds = (unit.men * percent + 50) // 100, range(max(unit.ranks.values()))
        fallen = [rank for n in rounds for rank in RISING if unit.count(rank) > n][:wanted]
        killed = (wanted + 1) // 2 if lost else wanted // 2
        if lost and side == ATTACKERS and fight.levy is not None:  # villagers take nobody
            killed = wanted
        for place, rank in enumerate(fallen):
            fate = "killed" if place < killed else "captured" if lost else "wounded"
            if fate != "wounded" or isinstance(unit, Army):  # wounded men of a garrison recover there
                result.hits[unit.ident, rank][fate] += 1
