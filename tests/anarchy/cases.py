"""How a case of The Anarchy is written: a few short rows, what is played, and what must then be true.

Rows are separated by commas or line ends; a row's first words fill the columns named in `POSITIONS` (``-``
leaves one blank), men are ``K2 S3 B1`` and the rest is ``field=value`` (``+`` stands for a blank). A group's
``noble=STE:9:10`` also makes the noble, of prestige 9 and loyalty 10, who leads it; sides may be written ``r``,
``a`` and ``n``. Orders are lines ``r MOVE A1 path=0803+0904`` or ``r: MUOVI A1 0803 0904`` (in words); they get
the ids o1, o2, ... Answers are ``hire/A1/0605/M1 = pay``, dice ``healing/W1=7``. Hexes that are not listed are
open ground without a road.

Every case asserts by itself: the findings are exactly those stated (those for information only when stated), every
answer was asked for, every die that was given was thrown, and *Check orders* says nothing that resolution does
not say. `then` lists every record that changed, with every field that changed, and nothing else may have.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from assistant.campaign.campaign import Campaign, FieldSet, RowAdded, RowRemoved, changes
from assistant.campaign.records import Event
from assistant.campaign.tables import Record
from assistant.rulesets.anarchy.ruleset import ANARCHY
from assistant.turn.phases import Outcome
from tests.playing import PlayedCase, add_row, named_fields, resolve_with, short_row, split_rows

SECRET = bytes(range(32))
RANKS = {"K": "knights", "D": "dismounted", "S": "foot", "B": "bows", "L": "light", "P": "peasants"}
SIDES = {"r": "royal", "a": "angevin", "n": "neutral"}
POSITIONS: dict[str, tuple[str, ...]] = {
    "factions": ("faction",),
    "nodes": ("node", "terrain"),
    "roads": ("a", "b", "kind"),
    "armies": ("army", "faction", "node"),
    "nobles": ("noble", "faction", "prestige", "loyalty"),
    "places": ("place", "node", "kind", "resources", "loyalty"),
    "convoys": ("convoy", "faction", "node", "cargo"),
    "trains": ("train", "faction", "node"),
    "prisoners": ("prisoners", "faction", "captor", "node"),
    "wounded": ("wounded", "faction", "rank", "army"),
    "sieges": ("place", "besieger", "days"),
    "objectives": ("objective", "faction", "kind", "subject", "place", "points"),
    "battles": ("battle", "outcome", "how", "turns"),
    "losses": ("battle", "unit", "rank", "killed", "wounded", "captured"),
}
OF_A_SIDE = ("faction", "captor", "besieger", "holder", "moves_next", "no_promise_to")
DEFAULT_LOYALTY = {"royal": "8", "angevin": "2", "neutral": "5"}
BOOKKEEPING = {"Events", "Dice", "Questions", "Findings", "Orders", "Desk", "Sightings", "Rules", "Battles", "Losses"}
CHECKED: dict[str, set[str]] = {
    "Armies": {*RANKS.values(), "faction", "node", "commander", "loyalty", "money", "provisions", "hungry_days",
               "starving", "employer", "contract", "promised", "tests", "grumbles", "no_promise_to", "moves_next",
               "inside", "besieging", "on_meeting", "if_attacked", "joins", "wins", "core_start", "core_now",
               "unarmed", "state"},
    "Factions": {"looted", "delivered", "destroyed", "score"},
    "Nobles": {"faction", "prestige", "loyalty", "army", "place", "state", "captor", "held_in"},
    "Places": {"exists", "resources", "loyalty", "lord", "holder", "massacre", *(f"g_{r}" for r in RANKS.values())},
    "Convoys": {"faction", "node", "home", "goal", "heading", "escort", "state", "animals", "driver", "cargo"},
    "Trains": {"faction", "node", "escort", "state", "rams", "galleries", "towers", "mangonels", "engineers", "oxen",
               "peasants"},
    "Prisoners": {*RANKS.values(), "faction", "captor", "node", "destination", "escort", "state"},
    "Wounded": {"faction", "rank", "noble", "army", "place", "back_on", "state"},
    "Sieges": {"besieger", "days", "resources_at_start", "state"},
    "Objectives": {"state", "done_on"},
}
DEFAULTS: dict[str, dict[str, Any]] = {
    "nobles": {"state": "free"}, "places": {"exists": True}, "convoys": {"animals": 5, "driver": 1, "state": "active"},
    "trains": {"state": "active"}, "prisoners": {"state": "waiting"}, "wounded": {"state": "hurt"},
    "sieges": {"state": "on"}, "objectives": {"state": "open"}, "battles": {"played": "table"},
}
EVERYBODY = ("all", "angevin royal")
"""Audiences of what all may know; where one side hears the dice, too, the other is told by name."""
UNSAID = {"commander", "tests", "promised", "moves_next", "core_start", "core_now", "grumbles", "back_on", "home",
          "heading", "resources_at_start", "destination", "on_meeting", "if_attacked", "joins"}
"""Fields that `then` may leave out; what it does say of them is asserted."""
INFORMATION = {"ANA-010", "ANA-113", "ANA-410", "ANA-411", "ANA-903", "ANA-808"}
MAP = [f"{column:02}{row:02}" for column in range(1, 25) for row in range(1, 17)]
PHASES = ("opening", "provisions", "reorganise", "ransoms", "convoys", "movement", "close")


def anarchy() -> Any:
    """The ruleset under test."""
    return ANARCHY


@cache
def ground(nodes: str, roads: str) -> Campaign:
    """A campaign that holds the map alone, to copy from: what is made of a map is then made once for all its cases."""
    if not (nodes or roads):
        campaign = Campaign(ANARCHY.records)
        for node in MAP:
            add_row(campaign, "Nodes", {"node": node, "terrain": "open"})
        return campaign
    campaign = ground("", "").copy()
    board = campaign.by_sheet("Nodes")
    for row in rows("nodes", nodes):
        if row["node"] in board:
            board.remove(row["node"])
        add_row(campaign, "Nodes", {"terrain": "open", **row})
    for row in rows("roads", roads):
        add_row(campaign, "Roads", row)
    return campaign


def men_of(word: str) -> tuple[str, str] | None:
    """``K3`` -> (knights, 3); None for another word."""
    match = re.fullmatch(r"([KDSBLP])(\d+)", word)
    return (RANKS[match[1]], match[2]) if match else None


def rows(table: str, text: str) -> list[dict[str, str]]:
    """The short rows of one table as field -> text."""
    found = []
    for words in split_rows(text):
        men = {word: m for word in words[1:] if (m := men_of(word))}
        row = short_row([word for word in words if word not in men], POSITIONS[table])
        row |= {f"g_{rank}" if table == "places" else rank: number for rank, number in men.values()}
        if table == "nodes" and "terrain" in row:
            row["terrain"] = row["terrain"].replace(" ", "+")
        found.append(row if table == "factions" else with_sides(row))
    return found


def with_sides(row: Mapping[str, str]) -> dict[str, str]:
    """The fields of a row, with the sides written out."""
    return {field: SIDES.get(value, value) if field in OF_A_SIDE else value for field, value in row.items()}


class Given:
    """The tables of a case, with the rulebook page's defaults filled in."""

    def __init__(self, tables: Mapping[str, str], day: int, phase: str, rules: Mapping[str, Any]) -> None:
        self.campaign = ground(tables.get("nodes", ""), tables.get("roads", "")).copy()
        self.put("Desk", {"ruleset": "anarchy", "turn": day, "phase": phase, "title": "A case"})
        given = {row["faction"]: row for row in rows("factions", tables.get("factions", ""))}
        for side in SIDES.values():
            role = "neutral" if side == "neutral" else "player"
            self.put("Factions", {"faction": side, "side": side, "role": role, **given.pop(side, {})})
        for row in given.values():
            self.put("Factions", {"role": "player", **row})
        self.sides = {f.faction: f.side for f in self.campaign.by_sheet("Factions")}
        for table in POSITIONS:
            if table not in ("factions", "nodes", "roads"):
                for row in rows(table, tables.get(table, "")):
                    self._row(table, row, day)
        for key, value in {"days": "14", **rules}.items():
            self.put("Rules", {"key": key, "value": value})

    def put(self, sheet: str, values: Mapping[str, Any]) -> None:
        """Add a row to the case's campaign."""
        add_row(self.campaign, sheet, values)

    def _row(self, table: str, row: dict[str, str], day: int) -> None:
        if table == "armies":
            self._army(row)
            return
        defaults = dict(DEFAULTS.get(table, {}))
        if table == "nobles":
            defaults["loyalty"] = DEFAULT_LOYALTY[self.sides[row["faction"]]]
        elif table == "places" and "castle" in row["kind"]:
            defaults["garrison_kind"] = "norman"
        elif table == "prisoners":
            defaults["taken_on"] = day - 1
        elif table == "sieges":
            defaults["started_on"] = day - int(row.get("days", "0"))
        elif table == "battles":
            defaults["turn"] = row["battle"][1:].split("-")[0]
        self.put(table.capitalize(), defaults | row)

    def _army(self, row: dict[str, str]) -> None:
        row.setdefault("kind", "norman")
        row.setdefault("state", "active")
        if row["kind"] == "norman":
            row.setdefault("loyalty", DEFAULT_LOYALTY[self.sides[row["faction"]]])
        elif row["faction"] == "neutral":
            row.setdefault("contract", "none")
            row.setdefault("moves_next", "royal")
        else:
            row.setdefault("contract", "paid")
        for number, noble in enumerate(row.pop("noble", "").split()):
            name, prestige, loyalty = (noble.split(":") + ["5", row.get("loyalty", "5")][noble.count(":"):])[:3]
            self.put("Nobles", {"noble": name, "name": f"Sir {name}", "faction": row["faction"], "prestige": prestige,
                                "loyalty": loyalty, "army": row["army"], "state": "free"})
            if number == 0:
                row.setdefault("commander", name)
        self.put("Armies", row)

    def take_orders(self, text: str) -> None:
        """Add the lines of orders, numbered through."""
        for number, (side, *words) in enumerate(split_rows(text, "\n;"), 1):
            fields = {"text": " ".join(words)} if side.endswith(":") else order_fields(words)
            self.put("Orders", {"order": f"o{number}", "turn": self.campaign.desk.turn,
                                "faction": SIDES.get(side.rstrip(":"), side.rstrip(":")), **fields})


def order_fields(words: list[str]) -> dict[str, str]:
    """``MOVE A1 0803 0904 choice=attack`` as columns: verb, unit, then a path or a target, men, amount, the rest."""
    fields = {"verb": words[0]}
    marches = words[0] in ("MOVE", "MERCS")
    names = [w for n, w in enumerate(words[1:]) if "=" not in w and (n < 2 or marches)]
    if names:
        fields["unit"] = names[0]
    if len(names) > 1:
        fields["path" if marches else "target"] = " ".join(names[1:])
    rest = [w for w in words[1:] if "=" not in w and w not in names]
    men = [w for w in rest if re.fullmatch(r"[KDSBLP]\d+|w:\w+", w)]
    if men:
        fields["men"] = " ".join(men)
    amounts = [w.lstrip("£") for w in rest if w not in men]
    assert len(amounts) < 2, f"too many words: {words}"
    if amounts:
        fields["amount"] = amounts[0]
    return fields | named_fields(words)


class After(PlayedCase):
    """What a case came to, with words to ask it."""

    # --- rows ----------------------------------------------------------------------------------
    def row(self, sheet: str | type[Record], key: str) -> dict[str, str]:
        """A row as texts. Raises KeyError."""
        return dict(super().row(sheet, key).as_text())

    def of(self, key: str) -> dict[str, str]:
        """The row of a key, of whatever sheet of the state; a siege is ``Sieges/<place>``."""
        if "/" in key:
            return self.row(*key.split("/", 1))
        found = [s for s in CHECKED if s != "Sieges" and key in self.campaign.by_sheet(s)]
        assert len(found) == 1, f"{key} is in {found}"
        return self.row(found[0], key)

    def get(self, key: str, *fields: str) -> str | tuple[str, ...]:
        """One field of a row, or several, as texts."""
        row = self.of(key)
        return row[fields[0]] if len(fields) == 1 else tuple(row[f] for f in fields)

    def men(self, key: str) -> str:
        """The men of a group, garrison or prisoners' record as ``K3 S3 L2``."""
        row = self.of(key)
        prefix = "g_" if "g_knights" in row else ""
        return " ".join(f"{letter}{row[prefix + rank]}" for letter, rank in RANKS.items() if row[prefix + rank] != "0")

    def heads(self, key: str) -> int:
        """Men and nobles of a group."""
        men = sum(int(self.of(key)[rank]) for rank in RANKS.values())
        return men + len([n for n in self.campaign.by_sheet("Nobles") if n.army == key])

    @property
    def desk(self) -> tuple[str, str]:
        """Day and phase on the Desk."""
        return self.campaign.desk.turn, self.campaign.desk.phase

    # --- what was said -------------------------------------------------------------------------
    def event(self, event: str, *values: object, **fields: object) -> Event:
        """The only event of that type with these values among its parameters.

        Where the fact is told to all and the details to some, the one with the details.
        """
        found = sorted(self.events(event, *values, **fields), key=lambda e: (bool(e.roll), len(set(e.data) - {"part"})))
        told = [(e.event, dict(e.data)) for o in self.outcomes for e in o.events]
        assert found, f"no event {event} {values} among {told}"
        full = dict(found[-1].data)
        for less in found[:-1]:
            fact = {k: v for k, v in less.data.items() if k != "part"}
            assert fact.items() <= full.items(), f"{len(found)} events {event} {values} among {told}"
            assert less.audience != found[-1].audience, told
        return found[-1]

    def audience(self, event: str, *values: object) -> str:
        """Who may know that it happened: ``all``, ``referee``, or codes in the order of the alphabet.

        An event may be told twice: the fact to all, its dice to those whom they concern.
        """
        known = {word for e in self.events(event, *values) for word in e.audience.split()}
        assert known, f"no event {event} {values}"
        return "all" if "all" in known else " ".join(sorted(known))

    def silent(self, *events: str) -> bool:
        """Whether nothing of these types was told."""
        told = {e.event for o in self.outcomes for e in o.events}
        assert not told & set(events), sorted(told & set(events))
        return True

    # --- nothing else --------------------------------------------------------------------------
    def changed(self) -> dict[str, dict[str, str]]:
        """Row -> the fields of the state that differ now, as texts; a new row has all that are not as by default."""
        found: dict[str, dict[str, str]] = {}
        for change in changes(self.before, self.campaign):
            fields = CHECKED.get(change.sheet)
            if fields is None:
                assert change.sheet in BOOKKEEPING, change
                continue
            key = f"Sieges/{change.key}" if change.sheet == "Sieges" else change.key
            assert not isinstance(change, RowRemoved), f"a row of the state is gone: {change}"
            if isinstance(change, RowAdded):
                blank = type(change.row)().as_text()
                text = change.row.as_text()
                found[key] = {f: text[f] for f in sorted(fields) if text[f] != blank[f]}
            elif isinstance(change, FieldSet) and change.field in fields:
                row = self.campaign.by_sheet(change.sheet)[change.key].as_text()
                found.setdefault(key, {})[change.field] = row[change.field]
        return found


def stated(text: str) -> dict[str, dict[str, str]]:
    """The lines of `then` as row -> field -> text; men may be written ``K2 S0``."""
    found: dict[str, dict[str, str]] = {}
    for key, *words in split_rows(text):
        men = {word: m for word in words if (m := men_of(word))}
        assert all("=" in word for word in words if word not in men), words
        found.setdefault(key, {}).update([*men.values(), *with_sides(named_fields(words)).items()])
    return found


def build(play: str, *, orders: str = "", dice: str = "", rules: Mapping[str, Any] | None = None, day: int = 3,
          **tables: str) -> Campaign:
    """The campaign of a case, its Desk at the first phase of `play`."""
    unknown = set(tables) - set(POSITIONS)
    assert not unknown, f"no such tables: {unknown}"
    phases = played(play)
    given = Given(tables, day, phases[0], rules or {})
    given.take_orders(orders)
    for purpose, value in pairs(dice).items():
        given.put("Dice", {"key": purpose, "turn": day, "phase": home_of(purpose, phases), "value": value,
                           "source": "table", "dice": "1d100" if purpose.startswith("activation") else "1d10"})
    return given.campaign


VERBS = {
    "provisions": "SUPPLY",
    "reorganise": "POSTURE COLLECT SPLIT TRANSFER MERGE GARRISON ATTACH DETACH PAY ESCORT",
    "ransoms": "RANSOM",
    "convoys": "UNLOAD LOAD CONVOY",
    "close": "SURRENDER",
}
HOME = {"weather": "opening", "season": "opening", "healing": "provisions", "promise": "provisions",
        "grumble": "provisions", "surrender": "close", "massacre": "close"}


def home_of(purpose: str, phases: list[str]) -> str:
    """The phase in which dice of a purpose are thrown."""
    home = HOME.get(purpose.split("/", maxsplit=1)[0], "movement")
    assert home in phases, f"{purpose} is thrown in {home}"
    return home


def pairs(text: str, parted: str = ",\n") -> dict[str, str]:
    """``healing/W1=7, surrender/x=3`` as name -> value."""
    lines = (line.rsplit("=", 1) for line in re.split(f"[{parted}]", text) if line.strip())
    return {name.strip(): value.strip() for name, value in lines}


def played(play: str) -> list[str]:
    """``movement close`` as written; ``reorganise..close`` with the phases between."""
    if ".." not in play:
        return play.split()
    first, last = play.split("..")
    return list(PHASES[PHASES.index(first):PHASES.index(last) + 1])


def case(play: str, *, findings: str | None = "", then: str | None = None, waits: str = "", answers: str = "",
         referee: str = "auto", defaults: bool = False, **given: Any) -> After:
    """Play the phases and assert what every case asserts; see the module's docstring.

    `findings`: ``o1 ANA-201, o2 ANA-301`` (``*`` for any row, None for whatever is said); `waits`: keys of the
    questions on which the last phase must stop; `referee`: his answer for every battle that `answers` does not
    name; `defaults`: what nobody answers takes the default.
    """
    start = build(play, **given)
    wanted = pairs(answers, "\n;")
    campaign, outcomes, used, checked = start, [], set[str](), set[tuple[str, str]]()
    phases = played(play)
    for phase in phases:
        assert campaign.desk.phase == phase, f"the Desk stands at {campaign.desk.phase}, not {phase}"
        keys = waits.split() if phase == phases[-1] else []
        checked |= {(f.where.row, f.code) for f in ANARCHY.check_orders(campaign)
                    if phase_of(campaign, f.where.row) in phases}
        outcomes.append(_run(campaign, wanted, used, keys, "default" if defaults else "", referee))
        campaign = outcomes[-1].campaign
    after = After(start, outcomes)
    everything = {(f.where.row, f.code) for f in after.all_findings}
    assert not outcomes[-1].done or checked <= everything, f"only Check orders says {sorted(checked - everything)}"
    if findings is not None:
        after.must_find(findings, INFORMATION)
    spare = {key for key in set(wanted) - used if not key.startswith("battle/")}  # the form itself may answer
    assert not spare, f"never asked: {sorted(spare)}"
    dice = set(pairs(given.get("dice", "")))
    assert waits or dice <= set(after.throws), f"never thrown: {sorted(dice - set(after.throws))}: {after.throws}"
    if then is not None:
        is_now(after, then)
    return after


def is_now(after: After, then: str) -> None:
    """Exactly these rows changed, each in exactly these fields."""
    want, have = stated(then), after.changed()
    want = {k: {f"g_{f}" if f in RANKS.values() and k in after.campaign.by_sheet("Places") else f: v
                for f, v in row.items()} for k, row in want.items()}
    for key, row in want.items():
        for field in set(row) - set(have.get(key, {})):
            if field in UNSAID or (key in have and after.of(key)[field] == row[field] and _new(after, key)):
                have.setdefault(key, {})[field] = after.of(key)[field]
    have = {k: {f: v for f, v in row.items() if f not in UNSAID or f in want.get(k, {})} for k, row in have.items()}
    have = {k: row for k, row in have.items() if row or k in want}
    told = [(e.event, dict(e.data)) for o in after.outcomes for e in o.events]
    assert have == want, f"\nchanged {have}\nstated  {want}\ntold {told}"


def _new(after: After, key: str) -> bool:
    """Whether the row is new."""
    sheet, ident = key.split("/", 1) if "/" in key else ("", key)
    return not any(ident in after.before.by_sheet(s) for s in ([sheet] if sheet else CHECKED))


def phase_of(campaign: Campaign, row: str) -> str:
    """The phase that carries out an order; "" for one in words, and for what is no order."""
    order = campaign.by_sheet("Orders").get(row)
    if order is None or not order.verb:
        return ""
    return next((phase for phase, verbs in VERBS.items() if order.verb in verbs.split()), "movement")


def _run(campaign: Campaign, wanted: Mapping[str, str], used: set[str], waits: list[str], otherwise: str,
         referee: str) -> Outcome:
    def reply(waiting: Outcome) -> dict[str, str]:
        used.update(set(wanted) & {q.question for q in waiting.questions})
        answers = {q.question: wanted.get(q.question, "" if q.question in waits else
                                          referee if q.kind == "battle" and referee else otherwise)
                   for q in waiting.questions}
        return {name: text for name, text in answers.items() if text}

    outcome = resolve_with(ANARCHY, campaign, SECRET, reply)
    said = {(f.where.row, f.code) for f in outcome.findings}
    asked = sorted(q.question for q in outcome.questions)
    assert asked == sorted(waits), f"{outcome.phase} asks {asked}, stated {sorted(waits)}; findings {sorted(said)}"
    assert outcome.done or asked or outcome.findings, "not done, and nothing said why"
    return outcome
