"""Packages and the outbox in; which mails are to be made, which went out already, and which they replace, out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from email.utils import format_datetime

from assistant.campaign.campaign import Campaign
from assistant.desk.mailing.packages import RECEIPT, REMINDER, Package
from assistant.ledger import CORRECT, DECIDED, Ledger, Mail, Mark
from assistant.post.inbox.mail_html import lines_of_html
from assistant.post.out.letters import Letter, Stamp, compose, identity
from assistant.post.out.postman import next_ident, renamed
from assistant.post.out.settings import Post
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Verbatim

REPLACES = N_("This report replaces the report {code} of {moment}: {why}. What that one says no longer holds.")
REPLACES_MAIL = N_("This mail replaces that of {moment}: {why}. What that one says no longer holds.")
CAUSES = {
    "corrected": N_("a mistake of the past was put right"),
    "undone": N_("a phase was taken back and resolved again"),
    "ruled": N_("the referee has ruled on it since"),
    "changed": N_("something in it has changed since"),
}


@dataclass(frozen=True)
class Going:
    """A package and its mail. `row`: of the outbox, as it is or is to be; `letter`: the mail's bytes; `new`: whether it
    is still to be recorded; `replaces`: the mail in whose place it comes; `said`: all that it says.
    """

    package: Package
    row: Mail
    letter: bytes
    new: bool
    replaces: Mail | None = None
    said: str = ""

    @property
    def held(self) -> bool:
        """Whether it may not leave: it holds words that its reader may not know, and nobody has let it go."""
        return bool(self.package.hits) and not self.row.let_go and not self.row.went_out


@dataclass(frozen=True)
class Office:
    """What all mails of a command have in common. `line`: the ledger's line; `verbs`: its changes, number -> verb;
    `rows`: the outbox; `again`: the factions, ``all`` for everybody's mails, to which the same is sent once more;
    `let_go`: those whose mails may leave whatever they hold; `why`: the referee's reason.
    """

    ruleset: Ruleset
    campaign: Campaign
    post: Post
    now: datetime
    line: tuple[int, ...]
    verbs: dict[int, str]
    rows: list[Mail]
    again: Collection[str] = ()
    let_go: Collection[str] = ()
    why: str = ""

    @classmethod
    def of(cls, ruleset: Ruleset, campaign: Campaign, post: Post, now: datetime, ledger: Ledger, *,
           again: Collection[str] = (), let_go: Collection[str] = (), why: str = "") -> Office:
        """The office of a campaign with its ledger."""
        verbs = {step.id: step.verb for step in ledger.steps()}
        return cls(ruleset, campaign, post, now, ledger.line, verbs, ledger.outbox.rows(), again, let_go, why)

    def going(self, package: Package) -> Going:
        """The mail of a package, new or as it was recorded."""
        letter, desk = package.letter, self.campaign.desk
        digest = letter.digest
        same_said = (letter.kind, letter.faction, digest)
        alike = [row for row in self.rows if (row.kind, row.faction, row.digest) == same_said]
        if letter.kind == REMINDER:  # once a phase for each whose turn it is, whatever it says
            alike = [row for row in self.rows if (row.kind, row.faction, row.turn, row.phase, row.about) == (
                REMINDER, letter.faction, desk.turn, desk.phase, package.about)]
        again = max((row.again for row in alike), default=0) + (bool(alike) if self._named(self.again, package) else 0)
        same = [row for row in alike if row.again == again]
        reached = {address for row in same for address in row.marks}
        missing = [address for address in package.to if address not in reached]
        if same and not missing:
            first = same[0]
            return self._made(package, replace(first, let_go=self._let_go(package) or first.let_go), new=False)
        ident = identity(desk.campaign_id, digest, again, self.post.domain)
        while any(row.ident == ident for row in self.rows):
            ident = next_ident(ident)
        replaced = same[0].replaces if same else self._replaced(package)
        row = Mail(ident, letter.kind, letter.faction, desk.turn, desk.phase, max(self.line, default=0), digest,
                   same[0].date if same else format_datetime(self.now), dict.fromkeys(missing, Mark()),
                   code=letter.code, again=again, part=len(same), replaces=replaced,
                   cause=same[0].cause if same else self._cause(replaced), why=same[0].why if same else self.why,
                   let_go=self._let_go(package), to=tuple(package.to) if letter.faction else (),
                   about=package.about)
        return self._made(package, row, new=True)

    def _named(self, chosen: Collection[str], package: Package) -> bool:
        return (package.letter.faction or "all") in chosen

    def _let_go(self, package: Package) -> str:
        return self.why if package.hits and self._named(self.let_go, package) else ""

    def _replaced(self, package: Package) -> str:
        """The last mail of the kind to that reader whose report holds no more and was not replaced yet, or ""."""
        if package.letter.kind in (REMINDER, RECEIPT):
            return ""
        gone = {row.replaces for row in self.rows if row.went_out}
        return next((row.ident for row in reversed(self.rows) if (row.kind, row.faction) == (
            package.letter.kind, package.letter.faction) and row.went_out and row.part == 0 and row.ident not in gone
            and (self._same_moment(row) or not self.holds(row))), "")

    def _same_moment(self, row: Mail) -> bool:
        return (row.turn, row.phase) == (self.campaign.desk.turn, self.campaign.desk.phase)

    def holds(self, row: Mail) -> bool:
        """Whether all that a mail tells of is still so, as far as the ledger's line says."""
        return not row.step or row.step in self.line

    def _cause(self, replaced: str) -> str:
        """Why the mail of an identity is replaced, a key of `CAUSES`: what the referee did since; "" for none."""
        step = next((row.step for row in self.rows if row.ident == replaced), None)
        if step is None:
            return ""
        since = {verb for number, verb in self.verbs.items() if number > step}
        return ("corrected" if CORRECT in since else "undone" if "undo" in since else
                "ruled" if since & set(DECIDED) else "changed")

    def _made(self, package: Package, row: Mail, *, new: bool) -> Going:
        """The mail's bytes, from the package and the row: the same as when it was recorded."""
        replaced = next((one for one in self.rows if one.ident == row.replaces), None)
        letter = package.letter if replaced is None else package.write([self._notice(package, row, replaced)])
        base = identity(self.campaign.desk.campaign_id, row.digest, row.again, self.post.domain)
        made = compose(letter, Stamp(base, row.date, self.post.address, self.post.name, row.to))
        said = _said(letter) if new else ""
        return Going(package, row, renamed(made, base, row.ident), new, replaced, said)

    def _notice(self, package: Package, row: Mail, replaced: Mail) -> str:
        """Which mail a new one replaces, and why, in its reader's words."""
        words = package.words
        why = words.text(CAUSES[row.cause or "changed"]) + (f" ({row.why})" if row.why else "")
        moment = Verbatim(self.ruleset.when(replaced.turn, replaced.phase, words.lang))
        return words.text(REPLACES if replaced.code else REPLACES_MAIL, code=Verbatim(replaced.code), moment=moment,
                          why=Verbatim(why))

    def overtaken(self, goings: Sequence[Going]) -> list[Mail]:
        """Mails that were recorded, of which nothing has left, and in whose place one of these comes."""
        by_reader = {(one.row.kind, one.row.faction): one.row for one in goings if one.new and one.row.kind != RECEIPT}
        found = []
        for row in self.rows:
            new = by_reader.get((row.kind, row.faction))
            waiting = row.at_stage("recorded")
            if new is not None and waiting and not row.went_out and new.digest != row.digest and (
                    self._same_moment(row) or not self.holds(row)):
                found.append(row.marked({one: replace(row.marks[one], stage="dropped") for one in waiting}))
        return found


def _said(letter: Letter) -> str:
    """All lines of a letter, its subject first, those of its page last."""
    shown = lines_of_html(letter.html) if letter.html else ()
    return "\n".join((letter.subject, letter.text, *(one.text for one in shown)))
