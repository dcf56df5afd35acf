"""What a house may order."""

from __future__ import annotations

from assistant.turn.game import next_code
from assistant.turn.orders.columns import Amount
from assistant.turn.orders.requests import Refused, Request, role
from assistant.turn.orders.row_columns import OwnUnit, Partner, Path, Place
from assistant.turn.orders.taking import afford
from assistant.turn.orders.verbs import Cost, Purse, order, order_book, same
from tests.sketches.islands.board import WIND, Sea
from tests.sketches.islands.sheets import Faction, Hull, Node, Squadron

ONE = OwnUnit(Squadron)
HERS = same("deed", "unit")


def lane(sea: Sea, a: str, b: str) -> None:
    near = sea.game.map.neighbours(a)
    if b not in near:
        raise Refused("ISL-004", "path", a=a, b=b, list=" ".join(near))


@order("sail", "naviga", when=("sail",), unit=ONE, path=Path(from_unit=True, over="", step=lane), replaces=HERS,
       help="Sail along lanes.")
def sail(sea: Sea, request: Request, squadron: Squadron, way: list[str]) -> None:
    most = max(0, sea.rules.lanes + WIND[sea.desk.weather or "fair"])
    if len(way) > most:
        raise Refused("ISL-005", "path", army=squadron.army, n=len(way), most=most)
    sea.ways[squadron.army] = list(way)


@order("scout", "esplora", when=("sail",), unit=ONE, target=Place(), replaces=HERS,
       help="Look into a port next to where the squadron lies after sailing.")
def scout(sea: Sea, request: Request, squadron: Squadron, port: Node) -> None:
    squadron.scouts = port.node


@order("blockade", "blocca", when=("sail",), unit=ONE, target=Place(), replaces=HERS,
       help="Blockade a port next to where the squadron lies after sailing.")
def blockade(sea: Sea, request: Request, squadron: Squadron, port: Node) -> None:
    if sea.desk.weather == "storm":
        raise Refused("ISL-010", "verb")
    if squadron.ships < sea.rules.blockaders:
        raise Refused("ISL-009", "unit", army=squadron.army, have=squadron.ships, least=sea.rules.blockaders)
    squadron.blocks = port.node


@order("detach", "distacca", when=("sail",), unit=ONE, amount=Amount(usual=(1, 2), like="2"),
       help="Leave ships behind as a new squadron.")
def detach(sea: Sea, request: Request, squadron: Squadron, ships: int) -> None:
    if ships >= squadron.ships:
        raise Refused("ISL-008", "amount", army=squadron.army, have=squadron.ships)
    squadron.ships -= ships
    new = sea.new_squadron(squadron.faction, squadron.node, ships)
    sea.tell("isl.detached", army=squadron.army, n=ships, node=squadron.node,
             other=new.army)


@order("join", "unisci", when=("sail",), unit=ONE, other=ONE, replaces=HERS,
       help="Join another squadron in the same port.")
def join(sea: Sea, request: Request, squadron: Squadron, other: Squadron) -> None:
    if squadron.node != other.node or squadron.army == other.army:
        raise Refused("ISL-021", "other", army=squadron.army, other=other.army)
    other.ships += squadron.ships
    sea.squadrons.remove(squadron.army)
    sea.tell("isl.joined", army=squadron.army, other=other.army, n=other.ships)


@order("peace", "pace", when=("sail",), partner=Partner(), replaces=same("deed", "partner"),
       help="Offer peace to a house.")
def peace(sea: Sea, request: Request, partner: Faction) -> None:
    if sea.peace(request.faction, partner.faction):
        raise Refused("ISL-019", "partner", partner=partner.faction)
    sea.offers[request.faction, partner.faction] = request


@order("denounce", "denuncia", when=("sail",), partner=Partner(), replaces=same("deed", "partner"),
       help="End the peace with a house at the end of the season.")
def denounce(sea: Sea, request: Request, partner: Faction) -> None:
    treaty = sea.peace(request.faction, partner.faction)
    if treaty is None:
        raise Refused("ISL-018", "partner", partner=partner.faction)
    treaty.ends = True
    sea.tell("isl.war", faction=request.faction, partner=partner.faction)


def mine(sea: Sea, request: Request, port: Node, column: str) -> None:
    if port.owner != request.faction:
        raise Refused("ISL-011", column, node=port.node)


@order("convoy", "convoglio", when=("trade",), node=Place(then=(mine,)), target=Place(),
       replaces=same("deed", "node", "target"), help="Send a convoy from one port to another.")
def convoy(sea: Sea, request: Request, start: Node, end: Node) -> None:
    if start.node == end.node:
        raise Refused("ISL-017", "target")
    if end.owner != request.faction and not (end.owner and sea.peace(end.owner, request.faction)):
        raise Refused("ISL-015", "target", node=end.node)
    if sum(faction == request.faction for faction, *_ in sea.convoys) >= sea.rules.convoys:
        raise Refused("ISL-016", "verb", most=sea.rules.convoys)
    sea.convoys.append((request.faction, start.node, end.node, request))


@order("build", "costruisci", when=("trade",), node=Place(then=(mine,)), amount=Amount(usual=(1, 2), like="2"),
       cost=Cost("ship_price", "amount"), help="Lay down ships in a yard.")
def build(sea: Sea, request: Request, port: Node, ships: int) -> None:
    if not port.yard:
        raise Refused("ISL-012", "node", node=port.node)
    had = sea.laid.get(port.node, 0)
    if had + ships > sea.rules.yard_ships:
        raise Refused("ISL-014", "amount", node=port.node, most=sea.rules.yard_ships, had=had)
    cost = afford(sea, request)
    sea.laid[port.node] = had + ships
    ready = sea.later(2)
    sea.hulls.add(Hull(hull=next_code(sea.hulls, request.faction + "-H{}"), faction=request.faction,
                              node=port.node, ships=ships,
                              ready=ready))
    sea.pay(request.faction, "ships", -cost)
    sea.tell("isl.ordered", [request.faction], node=port.node,
             n=ships, when=ready)


VERBS = order_book(
    sail, scout, blockade, detach, join, peace, denounce, convoy, build,
    fillers=("to", "from", "with", "a", "da", "con"), cells=("other",),
    purse=Purse(lambda sea, request: request.faction, lambda sea, who: sea.houses[who].gold, unit="gold"),
    says={
        "unknown_verb": role("ISL-001", word="word", near="near"),
        "no_such_unit": role("ISL-002", word="word", list="list"),
        "not_yours": role("ISL-026", word="word"), "no_such_place": role("ISL-003", word="word", near="near"),
        "not_an_amount": role("ISL-006", word="word"), "no_such_partner": role("ISL-007", word="word"),
        "overdrawn": role("ISL-013", cost="cost", left="left"),
        "replaced": role("ISL-020", order="order"), "missing": role("ISL-025", verb="verb", column="column")})
