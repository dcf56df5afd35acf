"""What a faction's orders are paid from, as its order form counts it: no rule, but what rulebooks declare; data alone.

A phase says for a faction what its chests hold and what rows take out of them; a spreadsheet can add that up while
somebody types. What depends on more than cells (how the men are named, what an enemy does) is left out, and the phase
itself judges it.
"""

from __future__ import annotations

from typing import NamedTuple


class Spent(NamedTuple):
    """What the rows of a `verb` take out: `each`, times what stands in the column `times` where there is one, of rows
    in whose columns these words stand (`where`: column and word, a blank cell for ""). `each` below 0 brings in.
    `letters`: the column `times` holds no number but letters with counts (``L2 P3``), and this is the price of one of
    each letter; a text with anything else in it takes nothing out.
    """

    verb: str
    each: int
    times: str = ""
    where: tuple[tuple[str, str], ...] = ()
    letters: tuple[tuple[str, int], ...] = ()


class Chest(NamedTuple):
    """What may be spent: `have`, in parts of the `unit` (msgid, which may agree with ``n``, that number), of which
    `parts` make one; `of`: whose chest it is where it is not the faction's own.
    """

    have: int
    unit: str
    spent: tuple[Spent, ...]
    of: str = ""
    parts: int = 1
