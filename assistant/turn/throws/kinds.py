"""What dice are thrown for, declared once: a purpose in; a throw's key, its dice and the shapes of typed ones out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product

_SLOT = re.compile(r"\{([^{}]+)\}")


@dataclass(frozen=True)
class Throw:
    """One throw that is due: the key that a person types for it, and its dice."""

    key: str
    dice: str


@dataclass(frozen=True)
class Purpose:
    """What dice are thrown for: called with what fills the braces of its shape it gives the throw.

    `shape`: how its key is built, ``siege:{Nodes}:{turn}:{n}`` (see `assistant.turn.throws.purposes`); words parted by
    ``|`` in braces mean one of them; `dice`: "" where each throw brings its own, ``d6`` where each says how many;
    `again`: what follows the key of a throw that comes again, ``:t{n}`` ("": it never does); `faces`: the book looks at
    each die, so that a bare total of several cannot be typed.
    """

    shape: str
    dice: str = "1d6"
    again: str = ""
    faces: bool = False

    @property
    def word(self) -> str:
        """What stands before the first colon or slash: the word by which throws are counted together."""
        return re.split("[:/]", self.shape, maxsplit=1)[0]

    def __call__(self, *about: object, again: int = 1, dice: str = "", n: int | None = None) -> Throw:
        """The throw about these, in the order of the braces; `again`: the second time it is 2; `n`: how many dice, of
        which less than one is none.

        Raises TypeError where they are not as many as the braces, or where it cannot come again.
        """
        pieces = _SLOT.split(self.shape)
        if len(about) != len(pieces) // 2 or (again > 1 and not self.again):
            raise TypeError(f"{self.shape} about {about}, thrown {again} times")
        pieces[1::2] = map(str, about)
        if n is not None:
            dice = f"{max(n, 0)}d{self.dice.partition('d')[2]}"
        return Throw("".join(pieces) + (self.again.format(n=again) if again > 1 else ""), dice or self.dice)

    def shapes(self) -> tuple[str, ...]:
        """The shapes of its keys, each word of a choice by itself."""
        pieces = [piece.split("|") if n % 2 and "|" in piece else [f"{{{piece}}}" if n % 2 else piece]
                  for n, piece in enumerate(_SLOT.split(self.shape))]
        return tuple("".join(one) for one in product(*pieces))


@dataclass(frozen=True)
class RollKind:
    """How throws are counted together that have one word before the first colon of their purpose.

    `title`: what they are, in the plural (msgid); `by`: the parameter of their event that names the faction
    whose throw it is ("": it is the faction whose code stands in the purpose, if there is one); `dice`: what is
    thrown ("": only the phase knows); `shapes`: how the purposes are built (`assistant.turn.throws.purposes`), all of
    them, so that one that is never thrown can be told; () where that is not known; `faces`: see `Purpose`.
    """

    word: str
    title: str
    by: str = ""
    dice: str = ""
    shapes: tuple[str, ...] = ()
    faces: bool = False

    @classmethod
    def of(cls, title: str, *purposes: Purpose, by: str = "") -> RollKind:
        """The kind of purposes that begin with one word and are thrown with the same dice."""
        plain = [shape for one in purposes for shape in one.shapes()]
        repeated = [shape + one.again for one in purposes if one.again for shape in one.shapes()]
        dice = purposes[0].dice
        return cls(purposes[0].word, title, by, "" if dice.startswith("d") else dice, (*plain, *repeated),
                   any(one.faces for one in purposes))


def by_word(*kinds: RollKind) -> dict[str, RollKind]:
    """Kinds of throw by their word, in this order. Raises ValueError when two have the same."""
    found = {kind.word: kind for kind in kinds}
    if len(found) < len(kinds):
        raise ValueError(f"a kind of throw is declared twice: {[kind.word for kind in kinds]}")
    return found
