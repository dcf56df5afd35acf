"""What a form's orders cost, as a spreadsheet counts it: a purse with prices in; a formula, and its result, out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from assistant.campaign.records import Order


class Price(NamedTuple):
    """What is paid for orders with one of these `verbs` (words), where it depends on the option with one of these
    `options`: `each`, times what stands in the column `times` where there is one, of rows in whose columns these words
    stand (`where`, a blank cell for "").
    """

    verbs: tuple[str, ...]
    each: int
    times: str = ""
    options: tuple[str, ...] = ()
    where: tuple[tuple[str, str], ...] = ()


class Purse(NamedTuple):
    """What a faction has to spend, in a unit, and what takes from it. `of`: whose purse it is, "" for the faction's;
    `parts`: into how many a unit is divided, in which all is counted.
    """

    have: int
    unit: str
    prices: Sequence[Price]
    of: str = ""
    parts: int = 1

    def whole(self, amount: int) -> int | float:
        """An amount in whole units, as a cell shows it."""
        return amount if self.parts == 1 else amount / self.parts


def formula(purse: Purse, areas: Mapping[str, str]) -> str:
    """What is left, as a formula without ``=``. `areas`: column of Orders -> its cells; judged rows do not count."""
    parts = [str(purse.have)]
    for price in purse.prices:
        words = [_listed([one]) for one in price.verbs] if price.options else [_listed(price.verbs)]
        for word in words:  # lists of one column only: programs do not agree on what two of them mean
            tests = [areas["verb"], word, *((areas["option"], _listed(price.options)) if price.options else ()),
                     areas["status"], '"="']
            tests += [part for name, said in price.where for part in (areas[name], _listed([said]) if said else '"="')]
            told = ",".join(tests)
            counted = f"SUMIFS({areas[price.times]},{told})" if price.times else f"COUNTIFS({told})"
            parts.append(f"SUMPRODUCT({counted})*{price.each}" if price.each >= 0 else
                         f"SUMPRODUCT({counted})*({price.each})")
    return "-".join(parts) if purse.parts == 1 else f"({'-'.join(parts)})/{purse.parts}"


def _listed(words: Sequence[str]) -> str:
    """Words as a criterion: one, or any of several."""
    quoted = [f'"{word.replace(chr(34), 2 * chr(34))}"' for word in words]
    return quoted[0] if len(quoted) == 1 else "{" + ",".join(quoted) + "}"


def paid(purse: Purse, rows: Iterable[Order]) -> int:
    """What the formula takes off for these rows."""
    total = 0
    for row in rows:
        said, option = row.verb.casefold(), str(getattr(row, "option", "")).casefold()
        for price in purse.prices:
            fits = said in map(str.casefold, price.verbs) and (
                not price.options or option in map(str.casefold, price.options)) and all(
                str(getattr(row, name)).casefold() == word.casefold() for name, word in price.where)
            amount = getattr(row, price.times, 0) if price.times else 1
            total += price.each * amount if fits and isinstance(amount, int) else 0
    return total
