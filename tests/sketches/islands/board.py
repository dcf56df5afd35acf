"""The numbers of the book, and the campaign as its chapters speak of it."""

from __future__ import annotations

from assistant.campaign import records as base
from assistant.campaign.map import Map
from assistant.campaign.tables import Table
from assistant.turn.calendar import Turns
from assistant.turn.dice import Purpose, RangeTable
from assistant.turn.game import Board, Game, One, Sheet, free_name, next_code
from assistant.turn.numbers import Rules, number
from assistant.turn.orders.requests import Request
from assistant.turn.views import Viewer
from tests.sketches.islands.sheets import Account, Battle, Desk, Faction, Hull, Node, Sighting, Squadron, Treaty

SKY = RangeTable("weather", ((None, 3, "storm"), (4, 5, "headwind"), (6, 10, "fair"), (11, None, "trade_wind")))
WIND = {"storm": -9, "headwind": -1, "fair": 0, "trade_wind": 1}
TURNS = Turns(seasons=("Sp", "Su", "Au"))
WEATHER_DIE = Purpose("weather:{turn}", "2d6")
SCOUT_DIE = Purpose("scout:{Armies}:{turn}", "1d6")
BATTLE_DIE = Purpose("guns:{Battles}:{a|b}", "2d6")


class Numbers(Rules):
    lanes: int = number(2, "lanes", "3", "So many lanes a squadron sails in fair weather.")
    scout_on: int = number(3, "1d6", "4", "A scout sees with this or more.")
    gauge: int = number(1, "points", "5", "Who lay there before adds this to the dice.")
    blockaders: int = number(2, "ships", "6", "So many ships a blockade needs.")
    convoys: int = number(2, "convoys", "7", "So many convoys a house sends a season.")
    lane_gold: int = number(2, "gold", "7", "What a convoy brings a lane.")
    peace_gold: int = number(1, "gold", "7", "What a lane brings more to a house at peace.")
    ship_price: int = number(4, "gold", "9", "What a ship costs.")
    yard_ships: int = number(3, "ships", "9", "So many ships a yard lays down a season.")
    years: int = number(5, "years", "11", "So many years the game lasts.", minimum=1)
    gold_point: int = number(5, "gold", "11", "So much gold is a point.", minimum=1)


class Sea(Board):
    rules: Numbers
    desk, houses, ports, squadrons, battles = One(Desk), Sheet(Faction), Sheet(Node), Sheet(Squadron), Sheet(Battle)
    hulls, treaties, sightings, accounts = Sheet(Hull), Sheet(Treaty), Sheet(Sighting), Sheet(Account)

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.ways: dict[str, list[str]] = {}                        # squadron -> the way it shall sail
        self.offers: dict[tuple[str, str], Request] = {}            # house, other house -> its order
        self.convoys: list[tuple[str, str, str, Request]] = []      # house, from, to, its order
        self.laid: dict[str, int] = {}                              # yard -> ships laid down this season

    def later(self, seasons: int) -> str:
        turn = self.game.turn
        for _ in range(seasons):
            turn = TURNS.after(turn)
        return turn

    def at(self, node: str) -> list[Squadron]:
        return [one for one in self.squadrons if one.node == node]

    def peace(self, a: str, b: str) -> Treaty | None:
        return next((one for one in self.treaties if {one.a, one.b} == {a, b}), None)

    def hostile(self, a: str, b: str) -> bool:
        return a != b and self.peace(a, b) is None

    def foes(self, faction: str, node: str) -> list[Squadron]:
        return [one for one in self.at(node) if self.hostile(one.faction, faction)]

    def new_squadron(self, faction: str, node: str, ships: int) -> Squadron:
        code = free_name(self.squadrons, f"{faction}-{node}-{self.game.turn}")  # how many a house has is its own secret
        return self.squadrons.add(Squadron(army=code, faction=faction, node=node, ships=ships, since=self.game.turn))

    def pay(self, faction: str, item: str, amount: int) -> None:
        """Gold comes or goes."""
        house = self.houses[faction]
        house.gold += amount
        self.accounts.add(Account(entry=next_code(self.accounts, faction + "-{}"), faction=faction,
                                        turn=self.game.turn, phase=self.game.phase, item=item, amount=amount,
                                        balance=house.gold))


def watched(code: str, ports: Table[Node], squadrons: Table[Squadron], lanes: Table[base.Road]) -> frozenset[str]:
    """The ports into which a house sees: its own, those where its squadrons lie, and those next to them."""
    chart = Map(ports.keys(), lanes)
    own = {port.node for port in ports if port.owner == code} | {one.node for one in squadrons if one.faction == code}
    return frozenset(own | {near for node in own if node for near in chart.neighbours(node)})


class Eyes(Viewer):
    """Chapter 4: a house watches its ports, its squadrons and what is next to them."""

    def watches(self, row: Squadron) -> bool:
        return bool(self.code) and (row.faction == self.code or row.node in self.campaign.derive(
            watched, Node, Squadron, base.Road, by=(self.code,)))
