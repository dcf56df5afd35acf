"""How a case of Il Giglio is written: a few short rows, what is played, and what must then be true.

Rows are separated by commas or line ends; a row's first words fill the columns named in `POSITIONS`
(``-`` leaves one blank), the rest is ``field=value`` (``+`` stands for a blank: ``trail=V0+V9``).
Orders are lines ``[r4] V move V-1 V8 F7`` (columns by `ORDER_POSITIONS`) or ``V: V8 F7`` (shorthand);
they get the ids o1, o2, ... and their number as seq. Answers are ``choice V V8/M = retreat``, with the
phase in front where the kind could belong to several phases played.

Every case asserts by itself: the findings are exactly those stated, the statuses of the orders follow
from them, *Check orders* would have said the same, the accounts add up to what is in the chests, and every
die that was given was thrown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, TypeVar

from assistant.campaign.campaign import Campaign, FieldSet, RowAdded, RowRemoved, changes
from assistant.campaign.records import Die, Event, Question, Rule
from assistant.campaign.tables import Record
from assistant.rulesets.giglio import records as g
from assistant.turn.phases import Outcome, resolve

R = TypeVar("R", bound=Record)
SECRET = bytes(range(32))
POSITIONS: dict[str, tuple[str, ...]] = {
    "factions": ("faction", "treasury"),
    "nodes": ("node",),
    "roads": ("a", "b", "kind"),
    "armies": ("army", "value", "node"),
    "fleets": ("fleet", "node"),
    "specialists": ("specialist", "kind", "post"),
    "works": ("node", "faction", "kind", "ready_year"),
    "loans": ("faction", "year", "amount", "due"),
    "alliances": ("a", "b", "until"),
    "sieges": ("node", "besieger", "rounds"),
    "bans": ("faction", "a", "b", "first_round", "last_round"),
    "battles": ("battle", "mode", "winner", "losses_a", "losses_b"),
    "opening": ("faction",),
    "contacts": ("contact",),
    "table34": ("hand", "other", "outcome"),
}
RECORD: dict[str, type[Record]] = {
    "factions": g.Faction,
    "nodes": g.Node,
    "roads": g.Road,
    "armies": g.Army,
    "fleets": g.Fleet,
    "specialists": g.Specialist,
    "works": g.Work,
    "loans": g.Loan,
    "alliances": g.Alliance,
    "sieges": g.Siege,
    "bans": g.Ban,
    "battles": g.Battle,
    "opening": g.Opening,
    "contacts": g.Contact,
    "table34": g.Cell34,
}
ORDER_POSITIONS: dict[str, tuple[str, ...]] = {
    "objective": ("option", "partner"),
    "loan": ("amount",),
    "recruit": ("amount", "target", "unit"),
    "enlist": ("option", "target"),
    "fleet": ("target",),
    "bid": ("amount",),
    "fortify": ("target",),
    "repair": ("target",),
    "garrison": ("target", "unit"),
    "transfer": ("amount", "unit", "target"),
    "split": ("amount", "unit"),
    "attach": ("unit", "target"),
    "pay": ("partner", "amount"),
    "ally": ("partner", "option", "amount"),
    "dissolve": ("partner",),
    "move": ("unit", "path"),
    "stay": ("unit",),
    "siege": ("unit", "target"),
    "lift": ("unit",),
    "come_out": ("unit",),
    "embark": ("unit", "target"),
    "land": ("unit", "target"),
    "sail": ("unit", "path"),
    "assassinate": ("unit", "option", "target"),
}
KIND_PHASE = {
    "ally_confirm": r"budget|r\d+\.move",
    "move_order": r"open|r\d+\.move",
    "companies": "open",
    "spy": r"r\d+\.contact",
    "choice": r"r\d+\.contact",
    "hand": r"r\d+\.move",
    "battle_result": r"r\d+\.battle",
    "allot": r"r\d+\.battle",
    "retreat_to": r"r\d+\.battle",
    "bribe": r"r\d+\.siege",
    "betrayal": "winter",
}
ORDER_VERDICTS = {"refused", "replaced"}
BOOKKEEPING = {"Events", "Dice", "Questions", "Findings", "Accounts", "Orders", "Desk", "Contacts", "Battles"}
ARRIVAL = {"arrived_year", "arrived_round", "arrived_no"}
LATE_CODES = {"GIG-041"}

NATIONS = ("V", "M", "F", "P", "S")
MAP_A_NODES = """V0 site=city walls=intact garrison=yes capital=yes port=yes, V8, V9, V11 site=fortress walls=intact,
    M4 site=city, M5 site=city, F0 site=city walls=intact garrison=yes capital=yes, F7,
    F8 site=fortress walls=intact, P8 site=city walls=intact, P9, S11 site=city walls=intact,
    S12 site=city walls=intact garrison=yes"""
MAP_A_ROADS = """V0 V9, V9 V8, V8 M5, V8 F8, V8 F7, V8 P8, V8 S11, F7 F0, F7 F8, F7 P8, F0 S12, P8 P9, V9 V11,
    V11 P9, M5 M4"""
SEA_NODES = "Z5 site=sea, Z6 site=sea, Z7 site=sea, T2 site=city walls=intact port=yes, S4 port=yes, S5"
SEA_ROADS = "Z5 Z6 lane, Z6 Z7 lane, Z7 V0 lane, Z6 T2 lane, Z6 S4 lane, S4 S5"


def quiet_winter(*but: str, year: int = 1500, nations: Iterable[str] = NATIONS) -> dict[str, int]:
    """Winter dice of 1 (nothing happens) for the nations, except those named."""
    return {f"event:{f}:{year}": 1 for f in nations if f not in but}


def rows(table: str, text: str) -> list[dict[str, str]]:
    """The short rows of one table as field -> text."""
    found = []
    for line in re.split(r"[,\n]", text):
        words = line.split()
        if not words:
            continue
        plain = [w for w in words if "=" not in w]
        row = dict(zip(POSITIONS[table], ("" if w == "-" else w for w in plain), strict=False))
        assert len(plain) <= len(POSITIONS[table]), f"too many words: {line!r}"
        row |= {k: v.replace("+", " ") for k, v in (w.split("=", 1) for w in words if "=" in w)}
        found.append(row)
    return found


def played(play: str) -> list[str]:
    """``r3`` stands for its four phases; all else as written."""
    out: list[str] = []
    for word in play.split():
        out += (
            [f"{word}.{p}" for p in ("move", "contact", "battle", "siege")] if re.fullmatch(r"r\d+", word) else [word]
        )
    return out


@cache
def giglio() -> Any:
    """The ruleset under test."""
    from assistant.rulesets.giglio.ruleset import GIGLIO

    return GIGLIO


@cache
def stage(factions: str, nodes: str, roads: str, bare: bool, order: str) -> Campaign:
    """A campaign that holds factions and map alone, to copy from: what is made of them is then made once for all
    cases that are played on them.
    """
    campaign = Campaign(giglio().records)
    given = {row["faction"]: row for row in rows("factions", factions)}
    codes = list(given) if bare else [*NATIONS, *(c for c in given if c not in NATIONS)]
    ranks = order.split() or codes
    for code in codes:
        rank = ranks.index(code) + 1 if code in ranks else len(ranks) + 1
        put(campaign, g.Faction.from_values(
            {"move_rank": str(rank), "fleet_cap": "0", **given.get(code, {}), "faction": code}))
    if "N" not in codes:
        put(campaign, g.Faction(faction="N", role="neutral"))
    found: dict[str, dict[str, str]] = {}
    for row in rows("nodes", "" if bare else MAP_A_NODES) + rows("nodes", nodes):
        found[row["node"]] = {**found.get(row["node"], {}), **row}
    codes = [f.faction for f in campaign.table(g.Faction)]
    for code, row in found.items():
        prefix = re.sub(r"\d+$", "", code)
        if row.get("site") != "sea":
            row.setdefault("home", prefix if prefix in codes else "N")
            row.setdefault("owner", row["home"])
        row.setdefault("walls", "intact" if row.get("site") == "fortress" else "none")
        put(campaign, g.Node.from_values(dict(row)))
    for row in rows("roads", ("" if bare else MAP_A_ROADS + ",") + roads):
        put(campaign, g.Road.from_values(dict(row)))
    return campaign


def put(campaign: Campaign, row: Record) -> None:
    """Add a row to its table."""
    campaign.by_sheet(row.sheet).add(row)


class Given:
    """The tables of a case, with the rulebook page's defaults filled in."""

    def __init__(
        self, tables: Mapping[str, str], clock: Mapping[str, Any], *, bare: bool, order: str, rules: Mapping[str, Any]
    ) -> None:
        self.campaign = stage(tables.get("factions", ""), tables.get("nodes", ""), tables.get("roads", ""), bare,
                              order).copy()
        self.put(g.Desk(**{"ruleset": "giglio", "turn": "1500", "start_year": 1500, "title": "A case", **clock}))
        for name, record in RECORD.items():
            if name not in ("factions", "nodes", "roads"):
                for row in rows(name, tables.get(name, "")):
                    self.put(record.from_values(self._defaults(name, row)))
        for key, value in rules.items():
            self.put(Rule(key=key, value=value))

    def put(self, row: Record) -> None:
        """Add a row to its table."""
        put(self.campaign, row)

    def _defaults(self, name: str, row: dict[str, str]) -> dict[str, Any]:
        ready: dict[str, Any] = dict(row)
        desk = self.campaign.desk
        if name in ("armies", "fleets", "specialists"):
            code = row.get("army") or row.get("fleet") or row["specialist"]
            ready.setdefault("faction", code.split("-")[0])
        if name == "specialists":
            ready.setdefault("year", desk.turn)
        if name in ("sieges",):
            ready.setdefault("since_year", desk.turn)
            ready.setdefault("since_round", "1")
        if name == "alliances":
            ready.setdefault("since", desk.turn)
        if name == "works":
            ready.setdefault("ordered", f"{desk.turn}.r1.move")
            ready.setdefault("cost", "50")
        return ready

    def take_orders(self, text: str, phase: str) -> None:
        """Add the lines of orders, numbered through."""
        lines = [line for line in re.split(r"\n|;", text) if line.strip()]
        for number, line in enumerate(lines, 1):
            when, words = phase, line.split()
            if re.fullmatch(r"budget|r\d+", words[0]):
                when, words = words[0], words[1:]
            fields: dict[str, Any] = {
                "order": f"o{number}",
                "turn": self.campaign.desk.turn,
                "phase": when,
                "seq": str(number),
            }
            if words[0].endswith(":"):
                fields |= {"faction": words[0][:-1], "text": " ".join(words[1:])}
            else:
                fields |= {"faction": words[0], "verb": words[1], **order_fields(words[1], words[2:])}
            self.put(g.Order.from_values(fields))

    def take_answers(self, lines: str, phases: list[str]) -> None:
        """Add the answers as rows of the Questions sheet that are there before they are asked."""
        for line in re.split(r"\n|;", lines):
            if not line.strip():
                continue
            left, answer = (part.strip() for part in line.split("=", 1))
            words = left.split()
            fits = [p for p in phases if words[0] in KIND_PHASE and re.fullmatch(KIND_PHASE[words[0]], p)]
            if words[0] not in KIND_PHASE:
                fits, words = [words[0]], words[1:]
            assert len(fits) == 1, f"say the phase of the answer {line!r}"
            turn = self.campaign.desk.turn
            ident = ".".join([turn, fits[0], *words])
            self.put(
                Question(
                    question=ident,
                    turn=turn,
                    phase=fits[0],
                    kind=words[0],
                    to=words[1],
                    about=" ".join(words[2:]),
                    answer=answer,
                )
            )


def order_fields(verb: str, words: list[str]) -> dict[str, str]:
    """The columns of an order from its short form."""
    plain = [w for w in words if "=" not in w]
    columns = ORDER_POSITIONS.get(verb, ())
    if columns[-1:] == ("path",) and plain:
        plain = [plain[0], " ".join(plain[1:])]
    assert len(plain) <= len(columns), f"too many words for {verb}: {words}"
    fields = dict(zip(columns, ("" if w == "-" else w for w in plain), strict=False))
    return fields | {k: v.replace("+", " ") for k, v in (w.split("=", 1) for w in words if "=" in w)}


class After:
    """What a case came to, with words to ask it."""

    def __init__(self, before: Campaign, outcomes: dict[str, Outcome], before_last: Campaign) -> None:
        self.before = before
        self.before_last = before_last
        self.outcomes = outcomes
        self.last = list(outcomes.values())[-1]
        self.campaign = self.last.campaign

    # --- rows ----------------------------------------------------------------------------------
    def row(self, record: type[R], key: str) -> R:
        """A row by key. Raises KeyError."""
        return self.campaign.table(record)[key]

    def army(self, key: str) -> g.Army:
        """An army."""
        return self.row(g.Army, key)

    def node(self, key: str) -> g.Node:
        """A place."""
        return self.row(g.Node, key)

    def faction(self, key: str) -> g.Faction:
        """A faction."""
        return self.row(g.Faction, key)

    def chest(self, key: str) -> int:
        """A faction's ducats."""
        return self.faction(key).treasury

    def fleet(self, key: str) -> g.Fleet:
        """A fleet."""
        return self.row(g.Fleet, key)

    def specialist(self, key: str) -> g.Specialist:
        """A hired man."""
        return self.row(g.Specialist, key)

    def battle(self, key: str) -> g.Battle:
        """A battle."""
        return self.row(g.Battle, key)

    def rows(self, record: type[R]) -> list[R]:
        """All rows of a table."""
        return list(self.campaign.table(record))

    def treaty(self, a: str, b: str) -> g.Alliance:
        """The only treaty of two factions."""
        found = self.campaign.table(g.Alliance).where(lambda t: (t.a, t.b) == (a, b))
        assert len(found) == 1, found
        return found[0]

    def work(self, node: str) -> g.Work:
        """The only works of a place."""
        found = self.campaign.table(g.Work).where(lambda w: w.node == node)
        assert len(found) == 1, found
        return found[0]

    def siege(self, node: str, besieger: str) -> g.Siege:
        """A siege."""
        return self.row(g.Siege, f"{node}/{besieger}")

    def contact(self, node: str) -> g.Contact:
        """The only contact at a place."""
        found = self.campaign.table(g.Contact).where(lambda c: c.node == node)
        assert len(found) == 1, found
        return found[0]

    def gone(self, *keys: str) -> bool:
        """Whether no army, fleet, siege or specialist of these keys exists (the dead stay on their list)."""
        tables: tuple[type[Record], ...] = (g.Army, g.Fleet, g.Siege)
        return not any(key in self.campaign.table(record) for key in keys for record in tables)

    # --- clock ---------------------------------------------------------------------------------
    @property
    def clock(self) -> g.Desk:
        """The Desk."""
        desk = self.campaign.desk
        assert isinstance(desk, g.Desk)
        return desk

    @property
    def next(self) -> str:
        """The phase then on the Desk."""
        return self.clock.phase

    @property
    def orders(self) -> dict[str, str]:
        """Order -> status."""
        return {o.order: o.status for o in self.campaign.table(g.Order)}

    # --- what was said -------------------------------------------------------------------------
    @property
    def findings(self) -> set[tuple[str, str]]:
        """(row, code) of all findings of the phases played."""
        return {(f.where.row, f.code) for o in self.outcomes.values() for f in o.findings}

    def finding(self, code: str) -> Mapping[str, Any]:
        """The data of the only finding of that code."""
        found = [f for o in self.outcomes.values() for f in o.findings if f.code == code]
        assert len(found) == 1, found
        return found[0].data

    @property
    def questions(self) -> dict[str, Question]:
        """What the last phase stopped on: ``kind to about`` -> row."""
        return {" ".join(p for p in (q.kind, q.to, q.about) if p): q for q in self.last.questions}

    def options(self, question: str) -> list[str]:
        """The options of an open question."""
        return [w for w in re.split(r",\s*", self.questions[question].options) if w]

    def events(self, event: str = "", **fields: Any) -> list[Event]:
        """Events of the phases played, of a type (or all) and with these parameters."""
        return [
            e
            for o in self.outcomes.values()
            for e in o.events
            if (not event or e.event == event)
            and all(
                e.data.get(k) == v or (k == "audience" and set(e.audience.split()) == set(str(v).split()))
                for k, v in fields.items()
            )
        ]

    def event(self, event: str, **fields: Any) -> Event:
        """The only event of that type with these parameters."""
        found = self.events(event, **fields)
        told = [(e.event, e.data) for o in self.outcomes.values() for e in o.events]
        assert len(found) == 1, f"{len(found)} events {event} {fields} among {told}"
        return found[0]

    def no_event(self, event: str, **fields: Any) -> bool:
        """Whether nothing of the kind was told."""
        return not self.events(event, **fields)

    def audience(self, event: str, **fields: Any) -> set[str]:
        """Who may know of that event."""
        return set(self.event(event, **fields).audience.split())

    def modifiers(self, node: str) -> dict[str, int]:
        """The named modifiers of the only siege die of a place."""
        return dict(self.event("siege.roll", node=node).roll["modifiers"])

    # --- dice ----------------------------------------------------------------------------------
    @property
    def thrown(self) -> dict[str, int]:
        """Key -> total of every die thrown."""
        return {r.key: r.total for o in self.outcomes.values() for r in o.rolls}

    @property
    def all_dice_given(self) -> bool:
        """Whether the assistant threw none itself."""
        return all(r.typed for o in self.outcomes.values() for r in o.rolls)

    # --- nothing else --------------------------------------------------------------------------
    @property
    def changed(self) -> set[str]:
        """Keys of the state rows that were set, added or removed (arrivals and bookkeeping aside)."""
        found = set()
        for change in changes(self.before, self.campaign):
            if change.sheet in BOOKKEEPING:
                continue
            if isinstance(change, FieldSet) and change.field in ARRIVAL:
                continue
            assert isinstance(change, (FieldSet, RowAdded, RowRemoved))
            found.add(change.key)
        return found

    def unchanged_except(self, *keys: str) -> bool:
        """Exactly these rows of the state changed: armies, places, factions, fleets, sieges, ...

        Raises AssertionError that names what differs.
        """
        detail = [c for c in changes(self.before, self.campaign) if c.sheet not in BOOKKEEPING]
        assert self.changed == set(keys), f"changed {sorted(self.changed)}, stated {sorted(keys)}: {detail}"
        return True


def build(
    play: str = "r1.move",
    *,
    orders: str = "",
    answers: str = "",
    dice: Mapping[str, Any] | None = None,
    rules: Mapping[str, Any] | None = None,
    edition: str = "",
    year: int = 1500,
    start: int = 1500,
    strategos: str = "",
    first: str = "",
    bare: bool = False,
    order: str = "",
    **tables: str,
) -> Campaign:
    """The campaign of a case, its Desk at the first phase of `play`."""
    phases = played(play)
    clock: dict[str, Any] = {
        "turn": str(year),
        "start_year": start,
        "phase": phases[0],
        "strategos": strategos,
        "first_spring": first,
    }
    if edition:
        clock["edition"] = edition
    unknown = set(tables) - set(RECORD)
    assert not unknown, f"no such tables: {unknown}"
    given = Given(tables, clock, bare=bare, order=order, rules=rules or {})
    takes = [p for p in phases if p == "budget" or p.endswith(".move")] or ["budget"]
    given.take_orders(orders, takes[0].removesuffix(".move"))
    given.take_answers(answers, phases)
    typed = {f"storm:{year}:{p[1:-5]}": 1 for p in phases if p.endswith(".move")} | dict(dice or {})
    for key, value in typed.items():
        sides = "2d6" if key.startswith("auto:") else "1d20" if key.startswith("order:") else "1d6"
        count = re.fullmatch(r"lot(\d+)=(.+)", key)
        if count:
            sides, key = f"1d{count[1]}", count[2]
        given.put(Die(key=key, dice=sides, value=str(value), source="table"))
    return given.campaign


def case(
    play: str,
    *,
    findings: str = "",
    pinned: str = "",
    waits: bool = False,
    defaults: bool = False,
    spare_dice: bool = False,
    **given: Any,
) -> After:
    """Play the phases and assert what every case asserts; see the module's docstring.

    `findings`: ``o1 GIG-020, o2 GIG-006``; `pinned`: orders that get that status; `waits`: the last
    phase must stop on questions; `defaults`: unanswered questions take their default.
    """
    start = build(play, **given)
    campaign, outcomes = start, {}
    phases = played(play)
    before_last = start
    for phase in phases:
        assert campaign.desk.phase == phase, f"the Desk stands at {campaign.desk.phase}, not {phase}"
        before_last = campaign
        outcomes[phase] = _run(campaign, phase, waits=waits and phase == phases[-1], defaults=defaults)
        campaign = outcomes[phase].campaign
    after = After(start, outcomes, before_last)
    expected = {(words[0], words[1]) for words in (part.split() for part in findings.split(",")) if words}
    assert after.findings == expected, f"findings {sorted(after.findings)}, stated {sorted(expected)}"
    _accounts(after)
    if not waits:
        _statuses(after, set(pinned.split()))
        dice = dict(given.get("dice") or {})
        wanted = {re.sub(r"^lot\d+=", "", key) for key in dice}
        assert spare_dice or wanted <= set(after.thrown), f"never thrown: {sorted(wanted - set(after.thrown))}"
    return after


def _run(campaign: Campaign, phase: str, *, waits: bool, defaults: bool) -> Outcome:
    ruleset = giglio()
    checked = {(f.where.row, f.code) for f in ruleset.check_orders(campaign)}
    filled: dict[str, str] = {}
    outcome = resolve(ruleset, campaign, SECRET, filled)
    for _ in range(12):
        fresh = {q.question: q.default for q in outcome.questions if q.question not in filled and q.default}
        if outcome.done or not defaults or not fresh:
            break
        filled |= fresh
        outcome = resolve(ruleset, campaign, SECRET, filled)
    said = {(f.where.row, f.code) for f in outcome.findings}
    told = [(q.question, q.options) for q in outcome.questions]
    assert outcome.done != waits, f"{phase}: done {outcome.done}, questions {told}, findings {sorted(said)}"
    stopped = any(f.where.table not in ("Orders", "Fleets", "Questions", "Battles") for f in outcome.findings)
    assert stopped or checked <= said, f"{phase}: only Check orders says {sorted(checked - said)}"
    extra = {(f.where.row, f.code) for f in outcome.findings if f.where.table in ("Orders", "Fleets")} - checked
    assert {code for _, code in extra} <= LATE_CODES, f"{phase}: Check orders does not say {sorted(extra)}"
    return outcome


def _accounts(after: After) -> None:
    """Every balance is the one before and the row's amount, and the last one is what is in the chest.

    See rulebook: Records.
    """
    chests = {f.faction: f.treasury for f in after.before.table(g.Faction)}
    for _, row in after.campaign.table(g.Account).in_file_order():
        chests[row.faction] += row.amount
        assert row.balance == chests[row.faction], f"{row.faction}: {row.item} {row.amount}, balance {row.balance}"
    left = {f.faction: f.treasury for f in after.campaign.table(g.Faction)}
    assert left == chests, f"chests {left}, by the accounts {chests}"


def _statuses(after: After, pinned: set[str]) -> None:
    """The status of every order of a phase played follows from its findings."""
    severity: dict[str, set[str]] = {}
    codes: dict[str, set[str]] = {}
    for outcome in after.outcomes.values():
        for f in outcome.findings:
            severity.setdefault(f.where.row, set()).add(f.severity)
            codes.setdefault(f.where.row, set()).add(f.code)
    words = {p.removesuffix(".move") for p in after.outcomes if p == "budget" or p.endswith(".move")}
    for row in after.campaign.table(g.Order):
        if row.phase not in words or row.turn != after.before.desk.turn:
            continue
        wanted = "accepted"
        if severity.get(row.order, set()) & {"error", "ambiguous"}:
            wanted = "refused"
        elif "GIG-006" in codes.get(row.order, set()):
            wanted = "replaced"
        elif row.order in pinned:
            wanted = "pinned"
        assert row.status == wanted, f"order {row.order} ({row.verb or row.text}) is {row.status!r}, not {wanted!r}"
