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
from typing import Any

from assistant.campaign.campaign import Campaign, FieldSet, RowAdded, RowRemoved, changes
from assistant.campaign.records import Question
from assistant.rulesets.giglio import records as g
from assistant.rulesets.giglio.ruleset import GIGLIO
from assistant.turn.phases import Outcome
from tests.playing import PlayedCase, R, add_row, by_key, only_row, resolve_with, short_row, split_rows

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

BESIEGED: Mapping[str, Any] = {"armies": "M-1 90 V8", "nodes": "V8 walls=intact", "sieges": "V8 M 1"}
"""Milano has besieged V8 with its walls for a round."""
EPIDEMIC: Mapping[str, Any] = {
    "bare": True, "factions": "F pending_event=1 pending_node=F3", "nodes": "F3 site=city", "armies": "F-1 100 F3",
    "answers": "companies F F-1 = blocks"}
"""Firenze's army lies in a city to which an epidemic comes; its companies are taken to be blocks."""


def quiet_winter(*but: str, year: int = 1500, nations: Iterable[str] = NATIONS) -> dict[str, int]:
    """Winter dice of 1 (nothing happens) for the nations, except those named."""
    return {f"event:{f}:{year}": 1 for f in nations if f not in but}


def rows(table: str, text: str) -> list[dict[str, str]]:
    """The short rows of one table as field -> text."""
    return [short_row(words, POSITIONS[table]) for words in split_rows(text)]


def played(play: str) -> list[str]:
    """``r3`` stands for its four phases; all else as written."""
    out: list[str] = []
    for word in play.split():
        out += (
            [f"{word}.{p}" for p in ("move", "contact", "battle", "siege")] if re.fullmatch(r"r\d+", word) else [word]
        )
    return out


def giglio() -> Any:
    """The ruleset under test."""
    return GIGLIO


@cache
def stage(factions: str, nodes: str, roads: str, bare: bool, order: str) -> Campaign:
    """A campaign that holds factions and map alone, to copy from: what is made of them is then made once for all
    cases that are played on them.
    """
    campaign = Campaign(GIGLIO.records)
    given = {row["faction"]: row for row in rows("factions", factions)}
    codes = list(given) if bare else [*NATIONS, *(c for c in given if c not in NATIONS)]
    ranks = order.split() or codes
    for code in codes:
        rank = ranks.index(code) + 1 if code in ranks else len(ranks) + 1
        add_row(campaign, "Factions", {"move_rank": rank, "fleet_cap": 0, **given.get(code, {}), "faction": code})
    if "N" not in codes:
        add_row(campaign, "Factions", {"faction": "N", "role": "neutral"})
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
        add_row(campaign, "Nodes", row)
    for row in rows("roads", ("" if bare else MAP_A_ROADS + ",") + roads):
        add_row(campaign, "Roads", row)
    return campaign


class Given:
    """The tables of a case, with the rulebook page's defaults filled in."""

    def __init__(
        self, tables: Mapping[str, str], clock: Mapping[str, Any], *, bare: bool, order: str, rules: Mapping[str, Any]
    ) -> None:
        self.campaign = stage(tables.get("factions", ""), tables.get("nodes", ""), tables.get("roads", ""), bare,
                              order).copy()
        self.put("Desk", {"ruleset": "giglio", "turn": 1500, "start_year": 1500, "title": "A case", **clock})
        for name in POSITIONS:
            if name not in ("factions", "nodes", "roads"):
                for row in rows(name, tables.get(name, "")):
                    self.put(name.capitalize(), self._defaults(name, row) | row)
        for key, value in rules.items():
            self.put("Rules", {"key": key, "value": value})

    def put(self, sheet: str, values: Mapping[str, Any]) -> None:
        """Add a row to a sheet."""
        add_row(self.campaign, sheet, values)

    def _defaults(self, name: str, row: dict[str, str]) -> dict[str, Any]:
        turn = self.campaign.desk.turn
        if name in ("armies", "fleets", "specialists"):
            code = row.get("army") or row.get("fleet") or row["specialist"]
            return {"faction": code.split("-")[0], **({"year": turn} if name == "specialists" else {})}
        defaults: dict[str, dict[str, Any]] = {
            "sieges": {"since_year": turn, "since_round": 1}, "alliances": {"since": turn},
            "works": {"ordered": f"{turn}.r1.move", "cost": 50}}
        return defaults.get(name, {})

    def take_orders(self, text: str, phase: str) -> None:
        """Add the lines of orders, numbered through."""
        for number, words in enumerate(split_rows(text, "\n;"), 1):
            when = words.pop(0) if re.fullmatch(r"budget|r\d+", words[0]) else phase
            faction, *rest = words
            fields = ({"text": " ".join(rest)} if faction.endswith(":") else
                      {"verb": rest[0], **short_row(rest[1:], ORDER_POSITIONS.get(rest[0], ()))})
            self.put("Orders", {"order": f"o{number}", "turn": self.campaign.desk.turn, "phase": when, "seq": number,
                                "faction": faction.removesuffix(":"), **fields})

    def take_answers(self, lines: str, phases: list[str]) -> None:
        """Add the answers as rows of the Questions sheet that are there before they are asked."""
        for row in split_rows(lines, "\n;"):
            left, answer = (part.strip() for part in " ".join(row).split("=", 1))
            words = left.split()
            fits = [p for p in phases if words[0] in KIND_PHASE and re.fullmatch(KIND_PHASE[words[0]], p)]
            if words[0] not in KIND_PHASE:
                fits, words = [words[0]], words[1:]
            assert len(fits) == 1, f"say the phase of the answer {row}"
            turn = self.campaign.desk.turn
            self.put("Questions", {"question": ".".join([turn, fits[0], *words]), "turn": turn, "phase": fits[0],
                                   "kind": words[0], "to": words[1], "about": " ".join(words[2:]), "answer": answer})


class After(PlayedCase):
    """What a case came to, with words to ask it."""

    # --- rows ----------------------------------------------------------------------------------
    army = by_key(g.Army)
    node = by_key(g.Node)
    faction = by_key(g.Faction)
    fleet = by_key(g.Fleet)
    specialist = by_key(g.Specialist)
    battle = by_key(g.Battle)
    siege = by_key(g.Siege)
    treaty = only_row(g.Alliance, "a", "b")
    work = only_row(g.Work, "node")
    contact = only_row(g.Contact, "node")

    def rows(self, record: type[R]) -> list[R]:
        """All rows of a table."""
        return list(self.campaign.table(record))

    def chest(self, key: str) -> int:
        """A faction's ducats."""
        return self.faction(key).treasury

    def gone(self, *keys: str) -> bool:
        """Whether no army, fleet, siege or specialist of these keys exists (the dead stay on their list)."""
        return not any(key in self.campaign.by_sheet(sheet) for key in keys for sheet in ("Armies", "Fleets", "Sieges"))

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

    # --- what was said -------------------------------------------------------------------------
    @property
    def questions(self) -> dict[str, Question]:
        """What the last phase stopped on: ``kind to about`` -> row."""
        return {" ".join(p for p in (q.kind, q.to, q.about) if p): q for q in self.last.questions}

    def options(self, question: str) -> list[str]:
        """The options of an open question."""
        return [w for w in re.split(r",\s*", self.questions[question].options) if w]

    def no_event(self, event: str, **fields: Any) -> bool:
        """Whether nothing of the kind was told."""
        return not self.events(event, **fields)

    def audience(self, event: str, **fields: Any) -> set[str]:
        """Who may know of that event."""
        return set(self.event(event, **fields).audience.split())

    def modifiers(self, node: str) -> dict[str, int]:
        """The named modifiers of the only siege die of a place."""
        return dict(self.event("siege.roll", node=node).roll["modifiers"])

    @property
    def all_dice_given(self) -> bool:
        """Whether the assistant threw none itself."""
        return all(r.typed for o in self.outcomes for r in o.rolls)

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
    unknown = set(tables) - set(POSITIONS)
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
        given.put("Dice", {"key": key, "dice": sides, "value": value, "source": "table"})
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
    campaign, outcomes = start, list[Outcome]()
    phases = played(play)
    for phase in phases:
        assert campaign.desk.phase == phase, f"the Desk stands at {campaign.desk.phase}, not {phase}"
        outcomes.append(_run(campaign, phase, waits=waits and phase == phases[-1], defaults=defaults))
        campaign = outcomes[-1].campaign
    after = After(start, outcomes)
    after.must_find(findings)
    _accounts(after)
    if not waits:
        _statuses(after, set(pinned.split()))
        dice = dict(given.get("dice") or {})
        wanted = {re.sub(r"^lot\d+=", "", key) for key in dice}
        assert spare_dice or wanted <= set(after.throws), f"never thrown: {sorted(wanted - set(after.throws))}"
    return after


def _run(campaign: Campaign, phase: str, *, waits: bool, defaults: bool) -> Outcome:
    checked = {(f.where.row, f.code) for f in GIGLIO.check_orders(campaign)}
    outcome = resolve_with(GIGLIO, campaign, SECRET, lambda waiting: {
        q.question: q.default for q in waiting.questions if defaults and q.default})
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
    for f in after.all_findings:
        severity.setdefault(f.where.row, set()).add(f.severity)
        codes.setdefault(f.where.row, set()).add(f.code)
    words = {o.phase.removesuffix(".move") for o in after.outcomes}
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
