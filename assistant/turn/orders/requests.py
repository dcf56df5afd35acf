"""Orders as they were understood, and refusals."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, wraps
from typing import Any, NamedTuple, Protocol

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice
from assistant.campaign.records import Order
from assistant.turn.findings import Finding, Where

# Refusals, by a rule's own finding code or by a role for which each book has a code.


ROLES: Mapping[str, tuple[str, ...]] = {
    "unknown_verb": ("word", "near", "phase", "list", "why"),
    "no_club": ("faction",),
    "no_faction": ("faction",),
    "wrong_time": ("verb", "phase", "list", "times", "when", "why"),
    "not_understood": ("text", "phase", "list"),
    "unreadable": ("column", "text", "example", "sheet", "word", "near"),
    "missing": ("verb", "column"),
    "no_such_unit": ("word", "near", "list"),
    "not_yours": ("word", "owner"),
    "no_such_place": ("word", "near"),
    "ambiguous": ("word", "a", "b", "list"),
    "not_an_amount": ("word",),
    "too_much": ("word", "most"),
    "no_such_option": ("word", "options"),
    "no_such_partner": ("word",),
    "several_there": ("n", "node", "list"),
    "none_there": ("node",),
    "overdrawn": ("cost", "left", "unit"),
    "replaced": ("order", "verb", "unit"),
    "twins": (),
    "repeated": ("n",),
    "futile": ("unit", "n"),
    "no_such_person": ("word", "near", "list"),
    "busy": ("person", "order", "verb"),
    "two_orders": ("text", "list"),
}
"""What can be wrong with an order in any book, and the values that a finding about it may use."""
REASONS: Mapping[str, tuple[str, ...]] = {"unknown_verb": ("word",), "wrong_time": ("time", "no time")}
"""Role -> what its `why` may be; the variant of a finding for another reason is not this role's."""
CERTAIN = ("unknown_verb", "no_club", "no_faction", "wrong_time", "not_understood", "missing", "not_yours",
           "no_such_place", "ambiguous", "not_an_amount", "too_much", "no_such_option", "no_such_partner", "replaced",
           "twins")
"""Those that nothing can put right that happens before the order's phase."""


class Refused(Exception):
    """A row cannot be carried out: caught where rows are taken, which makes a finding of it.

    `code`: that of a finding, or one of `ROLES`; `field`: the column at fault, "" for the verb's; `data`: what
    fills the finding's braces.
    """

    def __init__(self, code: str, field: str = "", /, **data: Any) -> None:
        super().__init__(code)
        self.code, self.field, self.data = code, field, data


def refuse_if(fault: object, code: str, field: str = "", /, **data: Any) -> None:
    """Raise `Refused` where something is at fault; `data` is reckoned also where nothing is."""
    if fault:
        raise Refused(code, field, **data)


class Role(NamedTuple):
    """A book's finding code for a role, and the names under which its text uses the values of `ROLES`."""

    code: str
    field: str = ""
    names: Mapping[str, str] | None = None


def role(code: str, field: str = "", **names: str) -> Role:
    """A role of a book. `names`: the text's brace -> the floor's word (`ROLES`); `field`: where it always stands."""
    return Role(code, field, names)


HOUSE: Mapping[str, Role] = {"ambiguous": Role("ARB-331", "", {"word": "word", "list": "list"}),
                            "no_such_option": Role("ARB-332", "", {"word": "word", "options": "options"}),
                            "too_much": Role("ARB-335", "", {"seen": "word", "most": "most"}),
                            "two_orders": Role("ARB-334", "", {"text": "text", "list": "list"})}
"""What the house says of a role for which a book has no finding of its own."""

Roles = Mapping[str, Role]
"""Role -> what the book has for it. A role that a book does not have is left out, and nothing is said of it."""


def check_roles(says: Roles, used: Mapping[str, Iterable[str]]) -> None:
    """Raise ValueError for a role that the floor does not know, or that columns use and the book says nothing of.

    `used`: role -> where it is used, as the sentence shall name it (``claim: target``).
    """
    for name, role in says.items():
        unknown = set((role.names or {}).values()) - set(ROLES.get(name, ()))
        if name not in ROLES or unknown:
            raise ValueError(f"orders have no role {name} {' '.join(sorted(unknown))}".strip())
    silent = {name: places for name, places in sorted(used.items()) if name not in says}
    if silent:
        where = "; ".join(f"{name} ({', '.join(places)})" for name, places in silent.items())
        remedy = ", ".join(_entry(name) for name in silent)
        raise ValueError(f"the book has no finding for {where}. Add to says of declared(...): {remedy}; and declare "
                         "those codes in findings")


def _entry(name: str) -> str:
    """What a book writes in `says` for a role."""
    words = "".join(f', {word}="{word}"' for word in ROLES[name])
    return f'"{name}": role("CODE"{words})'


def book_refusal(why: Refused, says: Roles) -> Refused:
    """A refusal under the book's own code, or that of the house. Raises KeyError for a role that neither has."""
    if why.code not in ROLES:
        return why
    own = says[why.code] if why.code in says else HOUSE[why.code]
    data = {brace: why.data[word] for brace, word in (own.names or {}).items()}
    return Refused(own.code, own.field or why.field, **data)


# --- a refusal leaves nothing behind --------------------------------------------------------------
def all_or_nothing(deed: Callable[..., None]) -> Callable[..., None]:
    """Make a deed atomic: if it raises `Refused`, the run of the phase (`Game.mark`) and its board are restored."""
    @wraps(deed)
    def carry_out(board: Any, *args: Any) -> None:
        put_back, noted = board.game.mark(), list(_mutable_state(board, set()))
        try:
            deed(board, *args)
        except Refused:
            put_back()
            for holder, was in noted:
                _restore(holder, was)
            raise

    return carry_out


_HOLDERS = (dict, list, set, deque)
_FLOOR = ("assistant.campaign.", "assistant.turn.")


def _mutable_state(thing: Any, seen: set[int]) -> Iterator[tuple[Any, Any]]:
    """The mutable state of a board outside the tables: each of its dicts, lists and sets, and those of the rulebook's
    own objects on it, with a copy of its contents.
    """
    holder = thing if isinstance(thing, _HOLDERS) else vars(thing)
    if id(holder) in seen:
        return
    seen.add(id(holder))
    yield holder, holder.copy()
    parts = holder.values() if isinstance(holder, dict) else holder
    kinds = {kind for kind in set(map(type, parts)) if _holds_state(kind)}  # seldom any among a thousand parts
    for part in parts if kinds else ():
        if type(part) in kinds:
            yield from _mutable_state(part, seen)


@cache
def _holds_state(kind: type) -> bool:
    """Whether things of a kind are noted in: a holder, or an object of the rulebook's own; of what comes from the
    floor, such as rows, maps and numbers, only a board.
    """
    if issubclass(kind, _HOLDERS):
        return True
    floor = [base.__module__ for base in kind.__mro__ if base.__module__.startswith(_FLOOR)]
    own = kind.__module__ != "builtins" and (not floor or "assistant.turn.game" in floor)
    return own and "__dict__" in dir(kind) and not issubclass(kind, type)


def _restore(holder: Any, was: Any) -> None:
    if _identities(holder) != _identities(was):  # else somebody may be walking over it
        holder.clear()
        (holder.update if isinstance(holder, dict | set) else holder.extend)(was)


def _identities(holder: Any) -> Any:
    """The contents of a container by identity, not by equality."""
    if isinstance(holder, dict):
        return [(key, id(value)) for key, value in holder.items()]
    return holder if isinstance(holder, set) else [id(part) for part in holder]


# A row of Orders as it was understood, in canonical spelling.


CELLS = ("unit", "path", "target", "node", "amount", "men", "partner", "option", "choice", "note")
"""What an order may say beside its verb; each record of Orders has those of them that its book needs, and more where
its book names them (`OrderBook.cells`)."""


class Telling(Protocol):
    """What orders need of a game."""

    campaign: Campaign
    turn: str

    def find(self, code: str, where: Where, faction: str = "", /, **data: Any) -> Finding:
        """Record a finding that the ruleset declares."""


class HasGame(Protocol):
    """What a column needs of the board (`assistant.turn.game`) that a phase is played on."""

    @property
    def game(self) -> Telling:
        """The run of a phase."""


@dataclass(eq=False, repr=False)
class Request:
    """One row as understood. `verb`: its code, "" for none; `raw`: the columns as typed; `problem`: words that were not
    understood, `why`, and the line that they may have meant (`near`). The other fields are the row's columns, as the
    kinds of column of its verb read them; those of the book's own stand in `more`, and are found as attributes, too,
    but for one that is called as a method of the request (`where`). `gave_way`: the earlier rows about the same thing
    that it replaced, each with the finding that says so.
    """

    row: Order
    verb: str
    unit: str = ""
    path: list[str] = field(default_factory=list)
    target: str = ""
    node: str = ""
    amount: int | str = ""
    men: str = ""
    partner: str = ""
    option: str = ""
    choice: str = ""
    note: str = ""
    raw: dict[str, Any] = field(default_factory=dict)
    problem: str = ""
    why: Refused | None = None
    near: str = ""
    more: dict[str, Any] = field(default_factory=dict)
    gave_way: list[tuple[Request, Finding | None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        vars(self).update((name, value) for name, value in self.more.items() if not hasattr(Request, name))

    @property
    def faction(self) -> str:
        """Whose row it is."""
        return self.row.faction

    def came_to(self, outcome: str) -> None:
        """Say on the row what the order came to; "" for nothing.

        Raises ValueError for a word that its record does not declare, and for any where it declares none.
        """
        kinds = [c.kind for c in self.row.columns() if c.name == "outcome"]
        words = kinds[0].options if kinds and isinstance(kinds[0], Choice) else {}
        if outcome and outcome not in words:
            raise ValueError(f"orders have no outcome {outcome}")
        if kinds:
            vars(self.row)["outcome"] = outcome

    def typed_text(self, name: str) -> str:
        """What stands in a cell of the row, as it was typed."""
        return str(getattr(self.row, name, "") or "")

    def says(self) -> tuple[Any, ...]:
        """Everything that the row says, to tell whether two are alike."""
        own = (tuple(self.path) if name == "path" else getattr(self, name) for name in CELLS)
        return (self.verb, *own, *(str(value) for value in self.more.values()))

    def where(self, field_name: str) -> Where:
        """The cell of one of its columns; "" is that of the verb, or of the words in which it was given."""
        return Where(Order.sheet, self.row.ident, field_name or ("verb" if self.row.verb else "text"))

    def find(self, board: HasGame, code: str, field_name: str = "", /, **data: Any) -> Finding:
        """A finding at the row; the row itself stands."""
        return board.game.find(code, self.where(field_name), self.faction, **data)


def filled_columns(row: Order, cells: Iterable[str] = CELLS) -> Iterable[str]:
    """The columns of a row that are not blank, including its words."""
    return (name for name in ("verb", "text", *cells) if getattr(row, name, "") not in ("", None))


__all__ = ["CELLS", "HasGame", "Refused", "Request", "Telling", "filled_columns", "refuse_if"]
