"""The house's `dataclass` does what the library's does: a class declared with either behaves the same."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

import pytest

from assistant.dataclass import dataclass

T = TypeVar("T")


@dataclass(frozen=True)
class Levy:
    """Men who are raised; `seen` counts, and is no field."""

    place: str
    men: int = 100
    paid: list[int] = field(default_factory=list, compare=False)
    seen: ClassVar[int] = 0

    @cached_property
    def doubled(self) -> int:
        """Kept beside the fields, also where nothing can be set."""
        return 2 * self.men


@dataclass(frozen=True)
class Hired(Levy, Generic[T]):
    """A field more, and another default for one that is inherited."""

    men: int = 50
    price: T | None = None


@dataclass
class Camp:
    """One that may change."""

    levies: list[Levy]
    name: str = field(default="", repr=False)


def of_library() -> Any:
    """The same class as the library declares it."""
    own = {name: value for name, value in vars(Levy).items() if name in ("__annotations__", "__module__", "men")}
    made = type("Levy", (), {**own, "paid": field(default_factory=list, compare=False)})
    return dataclasses.dataclass(frozen=True)(made)


def test_an_object_is_made_by_position_by_name_and_with_defaults() -> None:
    """Each object has a list of its own, and its values in the order of declaration."""
    one, other = Levy("V9"), Levy(men=7, place="V9")
    one.paid.append(1)

    assert vars(other) == {"place": "V9", "men": 7, "paid": []}
    assert list(vars(other)) == ["place", "men", "paid"]
    assert (one.men, one.paid, Hired("V9").men, Hired("V9", 3, [1], 8).price) == (100, [1], 50, 8)


@pytest.mark.parametrize("make", [
    lambda cls: cls(), lambda cls: cls("V9", 1, [], 2), lambda cls: cls("V9", place="V9"), lambda cls: cls("V9", mne=1),
    lambda cls: cls(men=1)])
def test_what_does_not_fit_is_refused_as_by_the_library(make: Callable[[Any], object]) -> None:
    """A value is missing, too many, twice, misspelt."""
    for cls in (Levy, of_library()):
        with pytest.raises(TypeError):
            make(cls)


def test_equal_are_those_of_one_class_with_equal_values() -> None:
    """What is left out of the comparison does not count; what may change has no hash."""
    assert Levy("V9", 1, [1]) == Levy("V9", 1, [2]) != Levy("V9", 2)
    assert Levy("V9", 50) != Hired("V9", 50)
    assert len({Levy("V9", 1, [1]), Levy("V9", 1), Levy("V10", 1)}) == 2
    with pytest.raises(TypeError):
        hash(Camp([]))


def test_it_is_shown_as_by_the_library() -> None:
    """Fields by name, without those that are not to be shown, and one inside itself once."""
    camp = Camp([Levy("V9")], "north")
    camp.levies.append(camp)  # type: ignore[arg-type]

    assert repr(Levy("V9")) == repr(of_library()("V9"))
    assert repr(camp) == "Camp(levies=[Levy(place='V9', men=100, paid=[]), ...])"


def test_what_is_frozen_stays_as_it_is() -> None:
    """Nothing can be set or taken out; what is derived once is kept."""
    levy = Levy("V9")
    with pytest.raises(FrozenInstanceError):
        levy.men = 1  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del levy.men

    assert (levy.doubled, levy.doubled) == (200, 200)


def test_the_library_knows_it() -> None:
    """It can be replaced, copied, pickled, taken apart; a plug-in inherits from it with the library's own."""
    @dataclasses.dataclass(frozen=True)
    class Guard(Levy):
        wall: str = "N"

    levy = Levy("V9", 1, [2])

    assert dataclasses.replace(levy, men=3) == Levy("V9", 3)
    assert dataclasses.asdict(levy) == {"place": "V9", "men": 1, "paid": [2]}
    assert copy.deepcopy(levy) == pickle.loads(pickle.dumps(levy)) == levy
    assert Guard("V9", wall="S") == Guard("V9", 100, [], "S")
    assert [one.name for one in dataclasses.fields(Hired)] == ["place", "men", "paid", "price"]
