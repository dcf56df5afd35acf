"""Which units a line means: units named by type in, those of a band out, or why there are none (rulebook: Orders)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from assistant.rulesets.incursio.book.sheets import ESDEF
from assistant.rulesets.incursio.orders.judging import said, troops
from assistant.rulesets.incursio.realm.camp import Unit
from assistant.rulesets.incursio.realm.realm import Realm
from assistant.rulesets.incursio.realm.units import by_type, fits, joined
from assistant.turn.orders.refusal import Refused
from assistant.turn.orders.request import Request


def codes(units: Iterable[Unit]) -> list[str]:
    """The codes of units."""
    return [unit.code for unit in units]


def soonest(line: list[Unit]) -> list[Unit]:
    """A line of defence as units are taken out of it: who returns soonest first, and from the rear."""
    places = sorted(range(len(line)), key=lambda i: (line[i].returns is None, line[i].returns or 0, -i))
    return [line[i] for i in places]


def chosen(wanted: Iterable[str], among: list[Unit]) -> list[Unit]:
    """For each code the first unit of that type that is left."""
    rest, found = list(among), []
    for code in wanted:
        unit = next(one for one in rest if one.code == code)
        rest.remove(unit)
        found.append(unit)
    return found


def there(realm: Realm, request: Request, outside: list[Unit], wrong: str) -> None:
    """Refuse a line whose units are not outside: they are in garrison (`wrong`), or not there (INC-022)."""
    wanted, node = troops(request), said(request, "node")
    if fits(wanted, codes(outside)):
        return
    if request.faction == ESDEF and wrong and fits(wanted, codes([*outside, *realm.camp.garrison(node)])):
        raise Refused(wrong, "units")
    have = joined(by_type(codes(outside), request.faction)) or "–"
    raise Refused("INC-022", "units", node=node, have=have, want=joined(wanted))


def free(realm: Realm, request: Request, units: list[Unit], may: Callable[[Unit], bool]) -> list[Unit]:
    """The units of a line among those that may still act (INC-024) and that no other line takes (INC-023)."""
    wanted = troops(request)
    able = [unit for unit in units if may(unit)]
    if not fits(wanted, codes(able)):
        raise Refused("INC-024", "units", units=joined(wanted), node=said(request, "node"), verb=request.verb)
    idle = [unit for unit in able if not unit.used]
    if not fits(wanted, codes(idle)):
        other = next(unit.used for unit in able if unit.used and unit.code in wanted)
        raise Refused("INC-023", "units", order=other)
    return chosen(wanted, idle)


def never_empty(realm: Realm, request: Request, units: list[Unit]) -> None:
    """FON: of a settlement or ruin at least one unit stays behind (INC-025)."""
    node = said(request, "node")
    if realm.is_home(node, request.faction):
        leaving = {id(unit) for unit in units}
        if all(unit.gone or id(unit) in leaving for unit in realm.camp.at(node, request.faction)):
            raise Refused("INC-025", "units", node=node)


def use(request: Request, units: list[Unit], *, gone: bool) -> None:
    """The line takes its units; `gone`: it leads them elsewhere."""
    for unit in units:
        unit.used = request.row.order
        unit.gone = unit.gone or gone
