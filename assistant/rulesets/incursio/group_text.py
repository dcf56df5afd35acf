"""What a side's chat group is told of a day: a view in, a few short sentences out (rulebook: Who may know what)."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.campaign.records import Event, Question
from assistant.rulesets.incursio.book.questions import CONSENT
from assistant.rulesets.incursio.book.sheets import ESDEF, Battle, Portal, Work
from assistant.rulesets.incursio.duels_told import losses
from assistant.rulesets.incursio.realm.realm import BOTH, Realm
from assistant.rulesets.incursio.realm.sight import known_of
from assistant.turn.orders.cards import Say
from assistant.turn.texts import N_

LONGEST, WHOLE = 138, 460
"""Characters of a sentence, and of all of them: with head and foot a message keeps within 700."""
BATTLES, REPORTS = 4, 5
"""So many battles and reports are named at most."""
ENDED = {"settlement_fell": N_("{name} falls"), "ruin_purified": N_("{name} purified")}
BATTLE = {"undecided": N_("{name} undecided"), "driven_off": N_("{name} holds"),
          "destroyed": N_("{name}: attackers destroyed"), "taken": N_("{name} taken"),
          "walkover": N_("{name} taken")}
ON_THE_MAP = {**ENDED, "settlement_founded": N_("{name} founded"), "level_rose": N_("{name} now {level}"),
              "ruin_rose": N_("{name} now {level}")}
FOUND = {"empty": N_("{name} empty"), "enemies": N_("{name} enemies"), "success": N_("{name}: {text}")}


class Told:
    """One day as a reader knows it, "" for everybody; `say` words a text."""

    def __init__(self, realm: Realm, reader: str, say: Say) -> None:
        self.realm, self.reader, self.say = realm, reader, say
        events = [one for one in realm.campaign.table(Event) if (reader and one.for_faction(reader))
                  or one.audience == "all"]
        self.now = next((one.turn for one in reversed(events)), realm.campaign.desk.turn)
        # where the day has only its initiative so far, what is to be told is the day before
        self.day = next((one.turn for one in reversed(events) if one.event != "initiative"), self.now)
        self.events = [one for one in events if one.turn == self.day]

    def of(self, *types: str) -> list[Event]:
        """The day's events of some types."""
        return [one for one in self.events if one.event in types]

    def place(self, node: object) -> str:
        """A cell by its plain name, or by its number."""
        row = self.realm.nodes.get(str(node))
        return self._named(row.called("en"), row.called("it")) or str(node) if row is not None else str(node)

    def _named(self, en: str, it: str) -> str:
        """A name as the reader's language has it."""
        return self.say("{name}", name_en=en, name_it=it)

    # --- battles and the map ----------------------------------------------------------------------------
    def battles(self) -> tuple[list[str], set[str]]:
        """A clause a battle, one's own attacks first; and the places whose fate they tell."""
        rows = [row for row in self.realm.battles if row.turn == self.day and row.outcome in BATTLE]
        rows.sort(key=lambda row: row.attacker != self.reader)
        clauses = [self._battle(row) for row in rows[:BATTLES]]
        if len(rows) > BATTLES:
            more = len(rows) - BATTLES
            clauses[-1] += "; " + self.say(N_("and {n} more") if more > 1 else N_("and another"), n=more)
        return clauses, {row.node for row in rows[:BATTLES] if row.outcome in ("taken", "walkover")}

    def _battle(self, row: Battle) -> str:
        fate = next((ENDED[one.event] for one in self.of(*ENDED) if row.outcome in ("taken", "walkover")
                     and str(one.data["node"]) == row.node), BATTLE[row.outcome])
        lost, killed = losses(row, self.reader) if self.reader in BOTH else (0, 0)
        return self.say(fate, name=self.place(row.node)) + (f" ({lost}/{killed})" if self.reader in BOTH else "")

    def changes(self, told: Iterable[str]) -> list[str]:
        """What fell, was founded, rose or was purified, but for what the battles have told."""
        skipped = {(event, node) for event in ENDED for node in told}
        return [self.say(ON_THE_MAP[one.event], name=self.place(one.data["node"]), level=self._level(one))
                for one in self.of(*ON_THE_MAP) if (one.event, str(one.data["node"])) not in skipped]

    def _level(self, event: Event) -> str:
        """The name of the level that a place has risen to."""
        rows = self.realm.ruins if event.event == "ruin_rose" else self.realm.levels
        row = rows.get(str(event.data.get("level", "")))
        return "" if row is None else self._named(row.name_en, row.name_it).lower()

    # --- the side's own ---------------------------------------------------------------------------------
    def means(self) -> str:
        """Coins and works, or resources and power."""
        if self.reader == ESDEF:
            gain = sum(one.data["coins"] for one in self.of("income"))
            works = [f"{self.place(row.node)} {row.structure}" for row in self.realm.campaign.table(Work)
                     if row.state == "in_progress"]
            text = ", ".join(_within(works, ", ", LONGEST - 50)) or "–"
            return self.say(N_("Coins {coins} (+{gain}); works: {text}."), text=text, gain=gain,
                            coins=self.realm.factions[ESDEF].coins or 0)
        raiders = self.realm.factions[self.reader]
        dragged = sum((self.realm.mission_types["abduct"].value or 0) for one in self.of("mission_ended")
                      if one.data["mission"] == "abduct" and one.data["result"] == "success")
        gain = dragged + sum(one.data["resources"] for one in self.of("ruin_yield", "captives_taken"))
        return self.say(N_("Resources {resources} (+{gain}); power {step}."), resources=raiders.resources or 0,
                        gain=gain, step=raiders.power_step or 0)

    def reports(self) -> list[str]:
        """A clause a report of spies and scouts, the newest first."""
        found = []
        for one in reversed(self.of("spy_report", "mission_ended")):
            if one.event == "spy_report":
                seen = ", ".join(str(what) if position is None else f"{position}={what}"
                                 for _, position, what in one.data.get("found", ()))
                found.append(self.say(FOUND[one.data["result"]], name=self.place(one.data["node"]), text=seen or "–"))
            elif one.data["mission"] == "scout" and (clause := self._scouted(str(one.data["player"]))):
                found.append(clause)
        return found[:REPORTS]

    def _scouted(self, player: str) -> str:
        """What a scout has seen around a cell."""
        missions = [row for row in self.realm.missions if row.player == player and row.mission == "scout"
                    and int(row.day) < int(self.day)]
        enemies = [self.place(row.node) for row in self.realm.seen if row.source == "scout"
                   and row.player == player and row.kind == "enemies" and str(row.seen_on) == self.day]
        if not missions:
            return ""
        around = max(missions, key=lambda row: int(row.day)).target
        if enemies:
            return self.say(N_("around {name} enemies: {text}"), name=self.place(around), text=", ".join(enemies))
        return self.say(N_("around {name} nobody"), name=self.place(around))

    def portals(self) -> str:
        """The portals that are known, or one's own whose demons act after the day that is told of, by cell."""
        nodes = ([row.node for row in known_of(self.realm, ESDEF, "portal")] if self.reader == ESDEF
                 else [row.node for row in self.realm.campaign.table(Portal)
                       if row.state in ("located", "open") and int(row.day) > int(self.day)])
        text = ", ".join(_within([self.place(one) for one in self.realm.sorted_cells(nodes)], ", ",
                                 LONGEST - 20))
        known = N_("Known portals: {text}.") if self.reader == ESDEF else N_("Portals: {text}.")
        return self.say(known, text=text) if text else ""

    def end(self) -> str:
        """Who has won, once that is so."""
        winner = next((one.data["winner"] for one in self.of("campaign_ended")), "")
        if winner in BOTH:
            return self.say(N_("The end: {winner:the} {winner?wins|win}."), winner=winner)
        return self.say(N_("The end: a truce, nobody wins.")) if winner else ""

    def owed(self) -> str:
        """Whose consent is awaited."""
        open_ones = [str(row.asked.get("character", row.about)) for row in self.realm.campaign.table(Question)
                     if row.kind == CONSENT and row.to == self.reader and row.status in ("", "open") and not row.answer]
        text = ", ".join(_within(list(dict.fromkeys(open_ones)), ", ", LONGEST - 20))
        return self.say(N_("To answer: {text}."), text=text) if text else ""


def _within(clauses: list[str], between: str, most: int) -> list[str]:
    """As many of the clauses as have room, from the first."""
    kept = list(clauses)
    while len(kept) > 1 and len(between.join(kept)) > most:
        kept.pop()
    return kept


def group_text(realm: Realm, reader: str, say: Say) -> list[str]:
    """The sentences in the book's order, those without anything left out; where they are too long clauses go from the
    end of the reports, then of the map, then of the battles.
    """
    told = Told(realm, reader, say)
    first = realm.days.get(told.now)
    who = say(N_("Initiative: {first}."), first=first.first) if first is not None and first.first else ""
    head = say(N_("INCURSIO day {d} – {faction}."), d=int(told.now), faction=reader) if reader in BOTH else say(
        N_("INCURSIO day {d}."), d=int(told.now))
    of_day = say(N_("What day {d} brought:"), d=int(told.day)) if told.day != told.now else ""
    battles, fates = told.battles()
    lists = {N_("Battles: {text}."): battles, N_("Map: {text}."): told.changes(fates)}
    own = [told.means(), told.portals(), told.owed()] if reader in BOTH else []
    if own:
        lists[N_("Seen: {text}.")] = told.reports()

    def listed(text: str) -> list[str]:
        rest, rows = list(lists.get(text, ())), list[str]()
        while rest:
            row = _within(rest, "; ", LONGEST - 12)
            rest = rest[len(row):]
            rows.append(f"{'; '.join(row)}." if rows else say(text, text="; ".join(row)))
        return rows

    def lines() -> list[str]:
        rows = [f"{head} {who}".strip(), of_day, told.end(), *listed("Battles: {text}."), *listed("Map: {text}.")]
        return [*filter(None, [*rows, *own[:1], *listed("Seen: {text}."), *own[1:]])]

    for clauses in reversed(lists.values()):
        while clauses and sum(map(len, lines())) > WHOLE:
            clauses.pop()
    return lines()
