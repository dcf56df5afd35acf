"""What a form's orders cost, as a spreadsheet counts it: a purse with prices in; a formula, and its result, out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from assistant.campaign.records import Order

BETWEEN = "+,;"
"""What may part letters with counts, beside blanks."""
AGAIN = 4
"""How often the same letter is counted in one cell."""


class Price(NamedTuple):
    """What is paid for orders with one of these `verbs` (words), where it depends on the option with one of these
    `options`: `each`, times what stands in the column `times` where there is one, of rows in whose columns these words
    stand (`where`, a blank cell for ""). `letters`: the column holds letters with counts (``L2 P3``), a price each.
    """

    verbs: tuple[str, ...]
    each: int
    times: str = ""
    options: tuple[str, ...] = ()
    where: tuple[tuple[str, str], ...] = ()
    letters: tuple[tuple[str, int], ...] = ()


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
        if price.letters:
            parts.append(f"{_lettered(price, areas)}*{_number(price.each)}")
            continue
        words = [_listed([one]) for one in price.verbs] if price.options else [_listed(price.verbs)]
        for word in words:  # lists of one column only: programs do not agree on what two of them mean
            tests = [areas["verb"], word, *((areas["option"], _listed(price.options)) if price.options else ()),
                     areas["status"], '"="']
            tests += [part for name, said in price.where for part in (areas[name], _listed([said]) if said else '"="')]
            told = ",".join(tests)
            counted = f"SUMIFS({areas[price.times]},{told})" if price.times else f"COUNTIFS({told})"
            parts.append(f"SUMPRODUCT({counted})*{_number(price.each)}")
    return "-".join(parts) if purse.parts == 1 else f"({'-'.join(parts)})/{purse.parts}"


def _number(n: int) -> str:
    """A number behind a sign of multiplication."""
    return str(n) if n >= 0 else f"({n})"


def _listed(words: Sequence[str]) -> str:
    """Words as a criterion: one, or any of several."""
    quoted = [_quoted(word) for word in words]
    return quoted[0] if len(quoted) == 1 else "{" + ",".join(quoted) + "}"


def _quoted(word: str) -> str:
    return f'"{word.replace(chr(34), 2 * chr(34))}"'


def _lettered(price: Price, areas: Mapping[str, str]) -> str:
    """What the letters of all rows are worth. The rows stand in a column, the letters in a row, each as often as it is
    counted. No IF and no IFERROR: older programs look at one cell only in those, unless it is typed as an array.
    """
    asked = [("verb", price.verbs), ("option", price.options), *((name, (said,)) for name, said in price.where)]
    tests = [f'({areas["status"]}="")']
    for name, words in asked:
        alike = [f"(UPPER({areas[name]})={_quoted(word)})" for word in dict.fromkeys(map(str.upper, words))]
        tests += [f"({'+'.join(alike)})"] if alike else []
    typed = f"UPPER({areas[price.times]})"
    for sign in BETWEEN:
        typed = _swapped(typed, sign, " ")
    text = f'" "&{_swapped(f"TRIM({typed})", " ", "  ")}&" "'  # each word between blanks of its own
    times = [(letter, time, worth) for letter, worth in price.letters for time in range(1, AGAIN + 1)]
    letters, nth, worths = ("{" + ",".join(column) + "}" for column in zip(
        *((_quoted(f" {letter}"), str(time), str(worth)) for letter, time, worth in times), strict=True))
    marked = f'SUBSTITUTE({text},{letters},"#",{nth})&"#0 "'  # the last for a letter that stands there less often
    digits = f'TRIM(MID({marked},FIND("#",{marked})+1,2))'
    left = _unread(text, [letter for letter, _ in price.letters])
    return f"SUMPRODUCT({'*'.join(tests)}*VALUE(\"0\"&REPT({digits},1*(LEN({left})=0)))*{worths})"


def _unread(text: str, letters: Sequence[str]) -> str:
    """What is left of a text without its letters with counts of one or two digits; of a blank one its blanks."""
    first, *others = letters
    for digit in range(1, 10):
        text = _swapped(text, str(digit), "0")
    for letter in others:
        text = _swapped(text, letter, first)
    return _swapped(_swapped(text, f" {first}00 ", ""), f" {first}0 ", "")


def _swapped(text: str, old: str, new: str) -> str:
    return f'SUBSTITUTE({text},"{old}","{new}")'


def _worth(text: str, letters: Sequence[tuple[str, int]]) -> int:
    """What a text of letters with counts is worth: the sum, or 0 where anything else stands in it."""
    words = [word for word in "".join(" " if c in BETWEEN else c for c in text.upper()).split(" ") if word]
    found = [re.fullmatch(r"([A-Z]+)([0-9]{1,2})", word) for word in words]
    counts: dict[str, list[int]] = {letter: [] for letter, _ in letters}
    for one in found:
        if one is None or one[1] not in counts:
            return 0
        counts[one[1]].append(int(one[2]))
    return sum(worth * sum(counts[letter][:AGAIN]) for letter, worth in letters)


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
            amount = _worth(str(amount), price.letters) if price.letters else amount
            total += price.each * amount if fits and isinstance(amount, int) else 0
    return total
