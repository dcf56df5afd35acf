"""The library's `dataclass`, light to declare: a class with annotated fields in; the class with its methods out.

The library writes the text of up to six methods for every class and compiles it, half a millisecond each time, and of
such classes a command loads two hundred before it does anything. Here they are closures over the fields. What
such a class can do, and what a type checker says of it, is the same; `order`, `slots` and fields that are not given
to the class when it is called (`init=False`) are left out.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

Fields = tuple["dataclasses.Field[Any]", ...]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    def dataclass(cls=None, /, *, frozen=False, kw_only=False, eq=True):
        """Declare a class as a dataclass; with words in parentheses or without, as in the library."""
        def declared(cls):
            _find_fields(cls, frozen, kw_only)
            return _with_methods(cls, frozen, eq)

        return declared if cls is None else declared(cls)


def _find_fields(cls: Any, frozen: bool, kw_only: bool) -> None:
    """Let the library find the fields, and nothing else.

    It would compile two methods for a frozen class, and takes no other where a frozen one is inherited: so the class
    and those below it become frozen once it has looked.
    """
    below = [vars(base)["__dataclass_params__"] for base in cls.__mro__[1:] if "__dataclass_params__" in vars(base)]
    was = [params.frozen for params in below]
    cls.__doc__ = cls.__doc__ or cls.__qualname__  # else it would look for a signature to stand there
    for params in below:
        params.frozen = False
    dataclasses.dataclass(init=False, repr=False, eq=False, kw_only=kw_only)(cls)
    for params, held in zip(below, was, strict=True):
        params.frozen = held
    cls.__dataclass_params__.frozen = frozen


def _with_methods(cls: Any, frozen: bool, eq: bool) -> type:
    """The class with its methods; one that stands in its own text stays, as in the library."""
    fields = dataclasses.fields(cls)
    methods: dict[str, Any] = {"__init__": _init(cls, fields), "__repr__": _repr}
    if eq:
        methods |= _equality(fields, frozen)
    if frozen:
        methods |= {"__setattr__": _no_setattr, "__delattr__": _no_delattr}
    own = vars(cls)
    for name, method in methods.items():
        if name not in own or (name == "__hash__" and own[name] is None):
            setattr(cls, name, method)
    return cls  # type: ignore[no-any-return]


def _init(cls: Any, fields: Fields) -> Callable[..., None]:
    """What fills an object of a class: it takes values by position or by name, and puts in the defaults."""
    blank = {one.name: one.default for one in fields}
    placed = tuple(one.name for one in fields if not one.kw_only)
    made = {one.name: one.default_factory for one in fields if one.default_factory is not dataclasses.MISSING}
    needed = frozenset(name for name, value in blank.items() if value is dataclasses.MISSING and name not in made)
    factories = tuple(made.items())
    finished = hasattr(cls, "__post_init__")
    put = object.__setattr__  # a frozen class has none of its own

    def __init__(self: Any, /, *values: Any, **named: Any) -> None:  # noqa: N807
        if values:
            if len(values) > len(placed) or (named and not named.keys().isdisjoint(placed[:len(values)])):
                raise TypeError(_misfit(cls, fields, values, named))
            named.update(zip(placed, values))  # noqa: B905 - told by keyword it takes longer, and no name is needed
        state = blank | named
        if len(state) > len(blank) or not needed <= named.keys():
            raise TypeError(_misfit(cls, fields, values, named))
        for name, factory in factories:
            if name not in named:
                state[name] = factory()
        put(self, "__dict__", state)
        if finished:
            self.__post_init__()

    return __init__


def _misfit(cls: type, fields: Fields, values: Iterable[Any], named: Iterable[str]) -> str:
    taken = ", ".join(one.name for one in fields)
    return f"{cls.__qualname__}({taken}) cannot be made of {tuple(values)!r} and {', '.join(named) or 'no names'}"


def _equality(fields: Fields, frozen: bool) -> dict[str, Any]:
    """Equal are objects of one class with equal values; only those that cannot change have a hash."""
    names = [one.name for one in fields if one.compare]
    values: Callable[[Any], Any] = attrgetter(*names) if names else lambda one: ()

    def __eq__(self: Any, other: object) -> bool:  # noqa: N807
        return bool(values(self) == values(other)) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self: Any) -> int:  # noqa: N807
        return hash(values(self))

    return {"__eq__": __eq__, "__hash__": __hash__ if frozen else None}


@recursive_repr("...")
def _repr(self: Any) -> str:
    shown = ", ".join([f"{one.name}={getattr(self, one.name)!r}" for one in dataclasses.fields(self) if one.repr])
    return f"{type(self).__qualname__}({shown})"


def _no_setattr(self: object, name: str, _: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _no_delattr(self: object, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
