"""Leaving a hex without a fight or after one (rulebook: Backing away, Retreats; chapters 8.3, 15.6)."""

from __future__ import annotations

from assistant.campaign.hexmap import direction, step, turned
from assistant.rulesets.anarchy.book.records import Army
from assistant.rulesets.anarchy.book.sheets import Place, Prisoners
from assistant.rulesets.anarchy.realm.change import Changes
from assistant.rulesets.anarchy.realm.realm import ALL, NEUTRAL

STRAIGHT_FIRST = (0, 1, -1, 2, -2, 3)
BACK, WIDE = (0, 1, -1), (2, -2, 3)


class Backing(Changes):
    """Ways off a hex."""

    def back_away(self, army: Army, towards: str) -> None:
        """Into the first neighbour without a group outside a castle and without a castle, straight on first.

        No dice, no loss of prestige, the activation is kept; where no hex is free it stays, also before a castle.
        `towards`: the direction in which the other was going, "" where it stood still.
        """
        around = (step(army.node, turned(towards or "N", turn)) for turn in STRAIGHT_FIRST)
        free = next((there for there in around if self.empty(there)), "")
        if free:
            self.go(army, free)
        self.tell("backed_away", ALL, "8.3", touch=[army], x=army.army, hex=free)

    def empty(self, node: str) -> bool:
        """Whether a hex of the map has no group outside a castle, and no castle."""
        return node in self.hexes and all(a.inside for a in self.at(node)) and self.castle_at(node) is None

    def go(self, army: Army, node: str) -> None:
        """Move a group off its hex, out of castle and siege; men in care stay behind."""
        if army.node != node:
            self.leave_in_care(army)
        for one in self.stack(army):
            one.inside = one.besieging = ""
        self.bring(army, node)

    def leave_in_care(self, army: Army) -> None:
        """Men in care do not march: they stay in their place and are counted there no more (15.7)."""
        for one in self.stack(army):
            for row in self.hurt(one, "in_care"):
                row.army = ""
                if row.noble:
                    noble = self.nobles[row.noble]
                    noble.army, noble.place = "", row.place
                    self.lead(one)
                    self.touch(noble)
                else:
                    one.gain(row.rank, -1)
                self.keep_core(one)
                self.tell("left_in_care", self.own(row.faction), "15.7", touch=[row, one],
                          who=row.noble or row.wounded, place=row.place)

    # --- retreat (15.6) -------------------------------------------------------------------
    def legal(self, army: Army, node: str) -> bool:
        """Whether a group may fall back to a hex: no hostile castle there, and outside one no hostile group."""
        friends = (self.side(army.faction), NEUTRAL)
        return (node in self.hexes and all(a.inside or self.side(a.faction) in friends for a in self.at(node))
                and all(self.side_of_place(p) in friends for p in self.places_at(node) if p.castle))

    def retreat(self, army: Army, towards: str, first: str = "") -> str:
        """A group falls back: to the side it came from or one beside it, else to the other three; its side chooses.

        `towards`: the direction in which the opponent was going; `first`: instead of the side it came from. The hex, ""
        where there is none.
        """
        start = first or direction(army.node, army.came_from) or towards or "S"
        around = ([there for turn in turns if self.legal(army, there := step(army.node, turned(start, turn)))]
                  for turns in (BACK, WIDE))
        options = next(filter(None, around), [""])
        goal = options[0]
        if len(options) > 1 and self.side(army.faction) != NEUTRAL:
            goal = self.game.choose(self.question("retreat", army.faction, f"{army.army}/{army.node}", options, goal,
                                                  unit=army.army, hex=army.node))
        if goal:
            self.go(army, goal)
            self.tell("retreated", ALL, "15.6", x=army.army, hex=goal)
        return goal

    def surrender_group(self, army: Army, captor: str, taker: Army | None, battle: str = "",
                        record: Prisoners | None = None) -> Prisoners:
        """A group that has no way out is taken whole, its nobles with it (15.6)."""
        into = record or self.new_captives(army.faction, captor, taker, army.node, battle)
        self.take_unit(army, into)
        self.remove_group(army, "captured", taker.faction if taker is not None else "")
        self.tell("no_retreat", ALL, "15.6", x=army.army)
        return into

    def take_unit(self, unit: Army | Place, into: Prisoners | None) -> None:
        """All men and nobles of a group or garrison become captives; of whom nobody keeps a record is lost."""
        nobles = self.nobles_of(unit)
        self.take_men(unit, into)
        if into is not None:
            for noble in nobles:
                self.take_noble(noble, into)
