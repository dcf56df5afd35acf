"""The lines of a report's template and a club's code in; the block for its mail out, and a block found again in lines.

The block stands between the two marked lines of `assistant.turn.orders.marks`, in either language; all that we write
into it is a remark, so that it orders nothing until somebody takes a ``#`` away or writes a line of his own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assistant.post.inbox.arrived import Said
from assistant.turn.orders.marks import MARKS, remark
from assistant.wording import N_, Verbatim, Wording

_NO_LETTERS = re.compile(r"[\W_]+")
_TURN = re.compile(r"^[#;]\s*(?:Code|Codice) ARB\S+, (?:turn|turno) (\S+?)\.?$", re.IGNORECASE)


def _squeezed(text: str) -> str:
    return _NO_LETTERS.sub("", text).upper()


_BEGINS = frozenset(_squeezed(first) for first, _ in MARKS.values())
_ENDS = frozenset(_squeezed(last) for _, last in MARKS.values())


def block(template: Sequence[str], words: Wording, code: str, turn: str) -> tuple[str, ...]:
    """The lines of a mail's block: those of `reporting.template.template`, with the club's code and the turn behind
    the first mark. () for a club that has nothing to order or answer.
    """
    if not template:
        return ()
    told = "# " + words.text(N_("Code {code}, turn {turn}"), code=Verbatim(code), turn=Verbatim(turn))
    return (template[0], told, *template[1:])


@dataclass(frozen=True)
class Blocks:
    """What is between marked lines, and what is not. `filled`: of each block the lines that are no remarks, blocks as
    they were sent left out; `outside`: all other lines, each with its place; `turns`: those that blocks name.
    """

    filled: tuple[tuple[Said, ...], ...]
    outside: tuple[tuple[int, Said], ...]
    turns: tuple[str, ...] = ()
    first: int = -1
    """The place of the first mark, -1 without one."""


def blocks_of(lines: Iterable[Said]) -> Blocks:
    """The blocks in the lines of a mail, wherever they stand, quoted or not. One without its last mark goes on to the
    end of its quote.
    """
    filled, outside, turns = list[tuple[Said, ...]](), list[tuple[int, Said]](), list[str]()
    now: list[Said] | None = None
    depth, first = 0, -1
    for place, line in enumerate(lines):
        mark = _squeezed(line.text) if "ARBITRO" in line.text.upper() and len(line.text) < 80 else ""
        if now is not None and line.depth < depth - 1:  # somebody's own line stands at most one quote further out
            filled, now = [*filled, tuple(now)], None
        if mark in _BEGINS:
            filled += [tuple(now)] if now else []
            now, depth = [], line.depth
            first = place if first < 0 else first
        elif mark in _ENDS:
            filled += [tuple(now)] if now else []
            now = None
        elif now is None:
            outside.append((place, line))
        elif remark(line.text):
            turns += [found[1]] if (found := _TURN.match(line.text)) else []
        else:
            now.append(line)
    filled += [tuple(now)] if now else []
    return Blocks(tuple(one for one in filled if one), tuple(outside), tuple(dict.fromkeys(turns)), first)
