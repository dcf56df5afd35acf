"""What a map shows, in words: a scene in; the text that stands in the picture's place, in the scene's language, out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from assistant.pictures.scene import Force, Mark, Scene
from assistant.turn.looks import UNCOUNTED
from assistant.wording import N_, Wording

RIM = 0.1
"""So far around the places of a close-up its situation is told, in its widths."""
MOST = 6
"""So many names of a kind are told, and how many more there are."""
WARS = (("battle", N_("Battles: {list}.")), ("captured", N_("Taken: {list}.")), ("lost", N_("Lost: {list}.")),
        ("revolt", N_("Revolts: {list}.")), ("plague", N_("Epidemics: {list}.")), ("built", N_("Built: {list}.")),
        ("razed", N_("Razed or looted: {list}.")), ("changed", N_("Changed since the last report: {list}.")),
        ("ordered", N_("Orders at: {list}.")))


def alt(scene: Scene) -> str:
    """The situation in a few sentences: whose map and when, who holds how much, what happened, where the reader's own
    forces are, what is besieged, where the reader does not see.
    """
    words = Wording(None, scene.lang)
    said = [words.text(N_("Map: {title}, {turn}."), title=scene.title, turn=scene.turn) if scene.turn
            else words.text(N_("Map: {title}."), title=scene.title)]
    names = {place.code: place.name or place.code for place in scene.places}
    shown = _shown(scene)
    said += _held(scene, words)
    said += _own(scene, words, names)
    for kind, text in WARS:
        marks = [mark for mark in scene.marks if mark.kind == kind and mark.place in shown]
        if marks:
            said.append(words.text(text, list=_listed([_told(scene, mark, names) for mark in marks], words)))
    besieged = [names[place.code] for place in scene.places if place.besieged]
    if besieged:
        said.append(words.text(N_("Under siege: {list}."), list=_listed(besieged, words)))
    risen = [names[place.code] for place in scene.places if place.revolt]
    if risen:
        said.append(words.text(N_("{what}: {list}."), what=scene.revolt or words.text(N_("In revolt")),
                               list=_listed(risen, words)))
    ordered = [f"{names[march.path[0]]} → {names[march.path[-1]]}" for march in scene.marches if march.ordered]
    if ordered:
        said.append(words.text(N_("Ordered: {list}."), list=_listed(ordered, words)))
    fog = sum(place.seen != "now" for place in scene.places)
    if fog:
        said.append(words.plural(N_("One place is out of sight."), N_("{n} places are out of sight."), fog))
    return " ".join(said)


def _shown(scene: Scene) -> set[str]:
    """The places that are on the picture: of a close-up those between the ones that it is of, and close by."""
    codes = set(scene.focus) or {place.code for place in scene.places}
    focus = [place for place in scene.places if place.code in codes]
    xs, ys = [place.x for place in focus], [place.y for place in focus]
    rim = max(max(xs, default=0) - min(xs, default=0), max(ys, default=0) - min(ys, default=0)) * RIM
    return {place.code for place in scene.places if min(xs) - rim <= place.x <= max(xs) + rim
            and min(ys) - rim <= place.y <= max(ys) + rim}


def _held(scene: Scene, words: Wording) -> Iterable[str]:
    """Who holds how many places, most first."""
    counted = Counter(place.owner for place in scene.places if place.owner)
    rows = [(counted[owner.code], owner.name) for owner in scene.owners if counted[owner.code]]
    if rows:
        ranked = [f"{name} {n}" for n, name in sorted(rows, key=lambda one: -one[0])]
        yield words.text(N_("Places held: {list}."), list=_listed(ranked, words, most=len(ranked)))


def _own(scene: Scene, words: Wording, names: dict[str, str]) -> Iterable[str]:
    """Where the reader's own forces are."""
    own = [_force(force, names) for force in scene.forces if force.own and force.place in names]
    if own:
        yield words.text(N_("Own forces: {list}."), list=_listed(own, words))


def _force(force: Force, names: dict[str, str]) -> str:
    strength = f" {force.strength}" if force.strength not in ("", UNCOUNTED) else ""
    stance = f", {force.stance}" if force.stance else ""
    return f"{force.code}{strength} ({names[force.place]}{stance})".strip()


def _told(scene: Scene, mark: Mark, names: dict[str, str]) -> str:
    """A mark in few words: where, and of whom it tells."""
    owner = next((one.name for one in scene.owners if one.code == mark.owner), "")
    place = names.get(mark.place, mark.place)
    return f"{place} ({owner})" if owner else place


def _listed(names: list[str], words: Wording, most: int = MOST) -> str:
    """The first few, and how many more."""
    shown = ", ".join(names[:most])
    rest = len(names) - most
    return words.plural(N_("{list} and one more"), N_("{list} and {n} more"), rest, list=shown) if rest > 0 else shown
