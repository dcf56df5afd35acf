"""The Spice Isles: houses sail, scout, blockade, trade and fight at sea for five years."""

from __future__ import annotations

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.tables import Record
from assistant.turn.calendar import Calendar
from assistant.turn.dice import RollKind
from assistant.turn.event_types import Booking, TableOf
from assistant.turn.game import Game
from assistant.turn.map_symbols import Looks, Marks
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.turn.views import Viewer
from tests.sketches.islands.board import BATTLE_DIE, SCOUT_DIE, TURNS, WEATHER_DIE, Eyes, Numbers
from tests.sketches.islands.orders import VERBS
from tests.sketches.islands.play import FORM, PHASES
from tests.sketches.islands.sheets import Account, Battle, Desk, Faction, Hull, Node, Order, Sighting, Squadron, Treaty
from tests.sketches.islands.texts import EVENTS, FINDINGS, QUESTIONS


class Chart(Looks):
    """Ports and lanes."""

    glyphs = {"yard": ("city", 3), "fort": ("fortress", 2), "port": ("port", 1)}  # noqa: RUF012
    forces = {"Armies": "fleet"}  # noqa: RUF012
    ways = {"": "lane"}  # noqa: RUF012
    marches = {"isl.sailed": ("army", "path")}  # noqa: RUF012
    marks = {"isl.laid": Marks("battle"), "isl.taken": Marks("captured", owner="faction")}  # noqa: RUF012

    def strength(self, row: Record, game: Game) -> str:
        return str(row.ships or "") if isinstance(row, Squadron) else ""


class Islands(Ruleset):
    id, interface, title = "islands", 6, "The Spice Isles"
    author, version = "A stranger", "1.0"
    records = (Desk, Faction, Node, base.Road, Squadron, Order, base.Question, Battle, Hull, Treaty, Sighting, Account,
               base.Event, base.Die, base.FindingRow, base.Rule)
    rules_of = Numbers
    looks = Chart()
    calendar = Calendar(PHASES, TURNS)
    form, findings, events, questions, verbs = FORM, FINDINGS, EVENTS, QUESTIONS, VERBS
    rolls = {  # noqa: RUF012
        "weather": RollKind.of(N_("Weather"), WEATHER_DIE), "scout": RollKind.of(N_("Scouts"), SCOUT_DIE),
        "guns": RollKind.of(N_("Battles at sea"), BATTLE_DIE)}
    words = ("ships", "there before", "ports", "convoys", "prizes", "table", "dice")

    def last_turn(self, campaign: Campaign) -> bool:
        return campaign.desk.turn == f"{int(self.rules(campaign)['years'])}Au"

    def viewer(self, campaign: Campaign, faction: str) -> Viewer:
        return Eyes(campaign, self.rules(campaign), faction)

    def bookings(self, view: Campaign, faction: str) -> list[Booking]:
        return [Booking(row.turn, row.phase, row.item, row.amount, row.balance) for row in view.table(Account)
                if row.faction == faction]

    def glance(self, view: Campaign, faction: str) -> list[tuple[str, int]]:
        mine = [one for one in view.table(Squadron) if one.faction == faction]
        ports = [port for port in view.table(Node) if port.owner == faction]
        return [(N_("Ports"), len(ports)), (N_("Trade"), sum(port.trade for port in ports)),
                (N_("Ships"), sum(one.ships for one in mine)), (N_("Gold"), view.table(Faction)[faction].gold)]

    def sightings(self, view: Campaign, faction: str) -> list[TableOf]:
        rows = [row for row in view.table(Sighting) if row.faction == faction and row.turn == view.desk.turn]
        return [*super().sightings(view, faction), TableOf(N_("What scouts saw"), Sighting, ("node", "seen", "ships"),
                                                           rows)]

    def robot_orders(self, view: Campaign, faction: str) -> list[base.Order]:
        ports, chart = view.table(Node), self.game(view).map
        own = [port.node for port in ports if port.owner == faction]
        found: list[base.Order] = []
        if view.desk.phase == "sail":
            for one in view.table(Squadron).where(lambda one: one.faction == faction):
                goals = [port.node for port in ports if port.owner != faction and port.fort <= one.ships]
                way = chart.way(one.node, goals)
                if way and next(iter(view.table(Desk))).weather != "storm":
                    found.append(Order(verb="sail", unit=one.army, path=way[0]))
        if view.desk.phase == "trade":
            pairs = [(a, b) for a in own for b in own if a < b]
            pairs.sort(key=lambda pair: -len(chart.way(pair[0], [pair[1]])))
            found += [Order(verb="convoy", node=a, target=b) for a, b in pairs[:2]]
            yards = [port for port in own if ports[port].yard]
            if yards and view.table(Faction)[faction].gold >= self.rules(view)["ship_price"]:
                found.append(Order(verb="build", node=yards[0], amount=1))
        return found


ISLANDS = Islands()
