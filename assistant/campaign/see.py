"""Who may see a column: in goes what its declaration says, out come the words for it and who that is in a campaign.

Besides the three words there are two ways to say more: a switch of the rules decides (`When`), or the row itself
does (`Circle`). A column that says nothing is the referee's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Word = Literal["public", "owner", "referee"]
WORDS: Mapping[str, str] = {"public": "all", "owner": "its owner", "referee": "the referee"}


@dataclass(frozen=True)
class When:
    """A switch of the rules decides: `then` where it stands on `value`, else `otherwise`."""

    switch: str
    value: str
    then: See
    otherwise: See


@dataclass(frozen=True)
class Circle:
    """The row itself decides. `who`: those who see it, in English; `sees`: takes the row and the reader.

    The reader is an `assistant.turn.views.Viewer` or what the ruleset has made of it. `by_owner`: of the reader it only
    asks whether it `owns` the row, so that what a sheet shows to all who do not is worked out once.
    """

    who: str
    sees: Callable[[Any, Any], bool]
    by_owner: bool = False


See: TypeAlias = Word | When | Circle
Whose: TypeAlias = tuple[str, ...] | Circle
"""Whose a row is: fields that name its owners, or a circle."""


def in_words(see: See | None, translate: Callable[[str], str] = str) -> str:
    """Those who see a column: in English, or as `translate` gives the English words."""
    if isinstance(see, When):
        return translate("{seen} if `{switch}` is {value}, else {others}").format(
            seen=in_words(see.then, translate), switch=see.switch, value=see.value,
            others=in_words(see.otherwise, translate))
    return translate(see.who if isinstance(see, Circle) else WORDS[see or "referee"])


def parts(see: See | None) -> Iterator[See]:
    """A declaration and all that it may come to."""
    if see is not None:
        yield see
    if isinstance(see, When):
        yield from parts(see.then)
        yield from parts(see.otherwise)
