"""A mail that was read, what we sent to its club, and what that club may order in; the lines that count out.

First the filled block counts, else the club's own lines, else its words in a quote or below a signature. What we sent
ourselves and came back unchanged never counts; where two things that differ might count, the referee is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from assistant.post.inbox.arrived import Arrived, Doubt, Said
from assistant.post.inbox.charsets import plain_signs
from assistant.post.inbox.order_block import blocks_of
from assistant.turn.orders.marks import bare, remark

_ATTRIBUTION = re.compile(
    r"(?:On|Il giorno|Il|Le|Am)\b.{0,300}\b(?:wrote|ha scritto|a écrit|schrieb)\s*:?|"
    r".{0,200}\b(?:ha scritto|wrote)\s*:", re.IGNORECASE)
_RULED = re.compile(r"[-_=*\s]{5,}|[-_\s]*(?:original message|messaggio originale|forwarded message|"
                    r"messaggio inoltrato|begin forwarded message|inizio messaggio (?:inoltrato|reindirizzato))"
                    r"[-_:\s]*", re.IGNORECASE)
_HEADER = re.compile(r"(?P<name>from|da|sent|inviato|date|data|to|a|cc|subject|oggetto|reply-to|rispondi a|"
                     r"importance|priorità)\s*:\s.*", re.IGNORECASE)
_DEVICE = re.compile(r"(?:sent from|inviato da|sent with|inviato con|get outlook for|scarica outlook|ottieni outlook)\b"
                     r".{0,80}", re.IGNORECASE)
_SIGNATURE = frozenset(("--", "-- ", "-", "___"))
_FEWEST_HEADERS = 3
Counts = Callable[[str], bool]


@dataclass(frozen=True)
class Sifted:
    """What of a mail counts. `lines`: in their order; `listed`: the club's words that are no order, nothing that we
    sent and no signature; `doubts`: what is asked, and then nothing counts before the referee has decided; `rivals`:
    the lines between which he decides; `turns`: those that blocks name.
    """

    lines: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    rivals: tuple[tuple[str, ...], ...] = field(default=())
    turns: tuple[str, ...] = ()


class Sent:
    """What we sent: texts in; whether a line is a piece of one, however a mail program broke and marked it, out."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        lines = [_plain(line) for text in texts for line in text.splitlines()]
        self._said, self._lines = f" {' '.join(lines)} ", frozenset(lines)

    def holds(self, *lines: str) -> bool:
        """Whether a line is ours, or several that follow one another are."""
        return f" {' '.join(_plain(line) for line in lines)} " in self._said

    def wrote(self, line: str, above: str, below: str) -> bool:
        """Whether a line that reads like an order is ours: as a whole line of ours, or as it stood in ours beside the
        line above or below it. By itself it may be the club's order that says what an example of ours says.
        """
        return _plain(line) in self._lines or bool(above and self.holds(above, line)) or bool(
            below and self.holds(line, below))


def _plain(line: str) -> str:
    """A line as a stream of words: a remark's mark that stands apart is none of them."""
    words = plain_signs(line).casefold().split()
    return " ".join(words[1:] if words[:1] in (["#"], [";"]) else words)


@dataclass(frozen=True)
class _Half:
    """What one form of a mail, its text or its HTML, says."""

    blocks: tuple[tuple[str, ...], ...] = ()
    own: tuple[str, ...] = ()
    other: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    struck: tuple[str, ...] = ()
    turns: tuple[str, ...] = ()

    @property
    def counted(self) -> frozenset[str]:
        """All that might count, to compare the forms."""
        return frozenset(_plain(line) for some in (*self.blocks, self.own, self.other) for line in some)


def sift(mail: Arrived, sent: Sent, counts: Counts) -> Sifted:
    """What of a mail counts. `sent`: what we sent to its club; `counts`: whether a line is an order or an answer."""
    if mail.kind != "person":
        return Sifted()
    texts = [line for one in mail.words for line in (one.html if _blank(one.text) else one.text) or ()]
    pages = [line for one in mail.words for line in (one.text if _blank(one.html) else one.html) or ()]
    text, page = _half(texts, sent, counts), _half(pages, sent, counts)
    if text.counted != page.counted:
        return Sifted((), page.listed, (Doubt("text_and_html"),), (_flat(text), _flat(page)), text.turns)
    if page.struck:
        return Sifted((), page.listed, (Doubt("struck_out", page.struck[0]),), (page.struck,), text.turns)
    return _decided(text)


def _blank(lines: Sequence[Said] | None) -> bool:
    return not any(line.text for line in lines or ())


def _flat(half: _Half) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line for some in (*half.blocks, half.own, half.other) for line in some))


def _decided(half: _Half) -> Sifted:
    """The filled block, else the club's own lines, else its words elsewhere."""
    blocks = list({tuple(map(_plain, one)): one for one in half.blocks}.values())
    if len(blocks) > 1:
        return Sifted((), half.listed, (Doubt("two_blocks"),), tuple(blocks), half.turns)
    chosen = blocks[0] if blocks else half.own or half.other
    said = {_plain(line) for line in chosen}
    if blocks and not {_plain(line) for line in half.own} <= said:
        return Sifted((), half.listed, (Doubt("block_and_lines"),), (blocks[0], half.own), half.turns)
    rest = () if chosen is half.other else tuple(line for line in half.other if _plain(line) not in said)
    return Sifted(chosen, half.listed + rest, (), (), half.turns)


# --- the lines of one form --------------------------------------------------------------------------------
def _half(lines: Sequence[Said], sent: Sent, counts: Counts) -> _Half:
    found = blocks_of(lines)
    blocks = tuple(kept for one in found.filled if (kept := _in_block(one, sent, counts)))
    own, other, listed = list[str](), list[str](), list[str]()
    struck = [line.text for one in found.filled for line in one if line.struck]
    placed = list(_placed(found.outside))
    texts = ["", *(line.text for _, line in placed), ""]
    for number, (place, line) in enumerate(placed):
        if remark(line.text):
            continue
        said = _order_in(line.text, counts)
        if said and (place == "own" or not sent.wrote(line.text, texts[number], texts[number + 2])):
            (own if place == "own" else other).append(said)
            struck += [line.text] if line.struck else []
        elif not said and place != "quiet" and not sent.holds(line.text):
            listed.append(line.text)
    return _Half(blocks, tuple(own), tuple(other), tuple(listed), tuple(struck), found.turns)


def _in_block(lines: Iterable[Said], sent: Sent, counts: Counts) -> tuple[str, ...]:
    """The lines of a filled block; the rest of a remark of ours that a program broke is none."""
    said = ((line.text, _order_in(line.text, counts)) for line in lines)
    return tuple(order or text for text, order in said if order or not sent.holds(text))


def _order_in(line: str, counts: Counts) -> str:
    """The order in a line, also behind the mark of a list; "" for none."""
    said = bare(line)
    return said if counts(said) else ""


def _placed(lines: Sequence[tuple[int, Said]]) -> Iterator[tuple[str, Said]]:
    """Each line with where it stands: ``own``; ``elsewhere``, in a quote, in another mail, behind its header or below a
    signature; ``quiet``, what programs put there themselves. What looks like a header drops nothing behind it.
    """
    plain = [line for _, line in lines]
    below, signed = False, False
    headers = _headers(plain)
    for number, line in enumerate(plain):
        quoted = line.depth > 0 or line.nested
        if not line.text:
            continue
        if number in headers or _RULED.fullmatch(line.text) or _begins_quote(plain, number):
            below, signed = below or number in headers or bool(_RULED.fullmatch(line.text)), False
            yield "quiet", line
        elif quoted:
            signed = False
            yield "elsewhere", line
        elif line.text in _SIGNATURE and not below:
            signed = True
        elif _DEVICE.fullmatch(line.text):
            yield "quiet", line
        elif signed:
            yield "quiet", line  # a signature; an order in it is still one
        else:
            yield ("elsewhere" if below else "own"), line


def _begins_quote(lines: Sequence[Said], number: int) -> bool:
    """Whether a line, alone or with a neighbour where it was broken, says who wrote the quote that follows."""
    line = lines[number].text
    after = lines[number + 1].text if number + 1 < len(lines) else ""
    before = lines[number - 1].text if number else ""
    said = [line, *(f"{one} {other}" for one, other in ((line, after), (before, line))
                    if one.casefold().startswith(("on ", "il ")))]
    return any(_ATTRIBUTION.fullmatch(one) for one in said)


def _headers(lines: Sequence[Said]) -> set[int]:
    """The lines of a whole header that a program put above a quote: at least three in a row, of different names."""
    found, run, names = set[int](), list[int](), set[str]()
    for number, line in enumerate([*lines, Said("")]):
        match = _HEADER.fullmatch(line.text.lstrip("*_ ").replace("*", ""))
        if match:
            run.append(number)
            names.add(match["name"].casefold())
            continue
        if len(names) >= _FEWEST_HEADERS:
            found |= set(run)
        if line.text or len(lines) == number:
            run, names = [], set()
    return found
