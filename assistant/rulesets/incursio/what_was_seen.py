"""What a side has seen, as its report says it: sightings and spies' events in; rows with their age, sentences out."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.campaign.columns import Choice, Ref, Text, Whole, column
from assistant.campaign.order import natural
from assistant.campaign.record import Record
from assistant.campaign.records import Event
from assistant.rulesets.incursio.book.sheets import ESDEF, SEEN_KINDS, VARANNAH, Observation
from assistant.rulesets.incursio.duels_told import language_of
from assistant.rulesets.incursio.realm.realm import Realm
from assistant.turn.ruleset import Said
from assistant.turn.texts import N_

CHANGED = ",_the_order_may_have_changed"
AGES = {"fresh": "fresca", "dated": "datata", "old": "vecchia",
        f"dated{CHANGED}": "datata, l'ordine può essere cambiato",
        f"old{CHANGED}": "vecchia, l'ordine può essere cambiato"}


@dataclass
class Sighting(Record, sheet="Observations", sheet_it="Osservazioni"):
    """Something that was seen, and how far it may be trusted."""

    node: str = column(Ref("Nodes"), "Cell", "Casella", key=True)
    kind: str = column(Choice(SEEN_KINDS), "Kind", "Tipo", key=True, default="enemies")
    what: str = column(Text(), "What", "Che cosa", key=True)
    seen_on: int = column(Whole(0), "Seen on", "Visto il", key=True)
    age: str = column(Choice(AGES), "Age", "Età", default="fresh")


def age(realm: Realm, row: Observation) -> str:
    """How a sighting ages; of a garrison the raiders know that it may have been reordered on a day when Esdef was
    first, which everybody knows.
    """
    days = realm.today - row.seen_on
    if days <= 0:
        return "fresh"
    told = "old" if days >= realm.rules.spy_stale_after else "dated"
    reordered = row.faction == VARANNAH and row.kind == "garrison" and any(
        day.first == ESDEF and int(day.turn) > row.seen_on for day in realm.days)
    return f"{told}{CHANGED}" if reordered else told


def sightings(realm: Realm, faction: str) -> list[Sighting]:
    """What stands of what a side has seen, the newest first."""
    rows = [row for row in realm.seen if row.state == "current" and row.faction == faction]
    rows.sort(key=lambda row: (-row.seen_on, natural(row.node), row.kind, row.position or 0, row.what))
    language = language_of(realm, faction)
    return [Sighting(row.node, row.kind, _what(realm, row, language), row.seen_on, age(realm, row)) for row in rows]


def _what(realm: Realm, row: Observation, language: str) -> str:
    """A unit with its position, a structure with its name, a portal's day."""
    kind = realm.types.get(row.what) if row.kind == "structure" else None
    name = f" {kind.called(language)}" if kind is not None else ""
    return f"{row.what}{name}" if row.position is None else f"{row.position} = {row.what}"


# --- spies ----------------------------------------------------------------------------------------------------
ALL_SOLDIERS = N_("{player} {node:at}: the whole garrison: {garrison}; outside: {outside}.")
SOME_SOLDIERS = {
    (True, False): N_("{player} {node:at}: {n} {n?position|positions} of an unknown number: garrison {garrison}."),
    (False, True): N_("{player} {node:at}: {n} {n?position|positions} of an unknown number: outside {outside}."),
    (True, True): N_("{player} {node:at}: {n} {n?position|positions} of an unknown number: garrison {garrison}; outside"
                     " {outside}.")}
STRUCTURES = {True: N_("{player} {node:at}: structures seen: {text} (all of them)."),
              False: N_("{player} {node:at}: structures seen: {text} (not all).")}
DEMONS = {(True, True): N_("{player} {node:at}: demons: {outside} (all of them); a portal."),
          (True, False): N_("{player} {node:at}: demons: {outside} (all of them); no portal."),
          (False, True): N_("{player} {node:at}: positions {outside} (not all); a portal."),
          (False, False): N_("{player} {node:at}: positions {outside} (not all); no portal.")}
NOTHING = N_("{player} {node:at}: nothing of what was looked for.")
NOBODY = "nobody"


def _positions(event: Event, kind: str) -> str:
    """``1 = Di, 3 = Tr``."""
    return ", ".join(f"{position} = {what}" for one, position, what in event.data.get("found", ()) if one == kind)


def _line(event: Event, kind: str) -> str:
    """``A F A``."""
    return " ".join(str(what) for one, _, what in event.data.get("found", ()) if one == kind) or NOBODY


def report_of(event: Event) -> Said:
    """What a spy who was lucky has found, and whether that was all."""
    data = event.data
    complete, found = bool(data.get("complete")), data.get("found", ())
    about = {"player": data["player"], "node": data["node"]}
    garrison, outside = _positions(event, "garrison"), _positions(event, "camp")
    if data.get("portal") is not None:
        return Said(DEMONS[complete, bool(data["portal"])], {**about, "outside": outside or NOBODY})
    if not found:
        return Said(NOTHING, about)
    if any(one[0] == "structure" for one in found):
        return Said(STRUCTURES[complete], {**about, "text": ", ".join(str(one[2]) for one in found)})
    if complete:
        return Said(ALL_SOLDIERS, {**about, "garrison": _line(event, "garrison"), "outside": _line(event, "camp")})
    return Said(SOME_SOLDIERS[bool(garrison), bool(outside)],
                {**about, "n": len(found), "garrison": garrison, "outside": outside})
