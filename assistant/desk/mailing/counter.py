"""The post's counter: mails and what the referee wishes in; carried by the postman, written down, and told of, out."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from assistant.desk import codes
from assistant.desk.mailing.outgoing import Going, Office
from assistant.desk.mailing.told_of_mails import LOOKING, QUESTION, TOLD_OF, WAITING, readers_named
from assistant.desk.results import Exit, Result
from assistant.desk.sitting.second_copies import look_beside
from assistant.desk.sitting.sitting import Sitting
from assistant.desk.sitting.stops import stop
from assistant.ledger import Ledger, LedgerTrouble, Mail, Mark, Outbox, path_of
from assistant.ledger.vault import Vault
from assistant.post.out.clock import Clock
from assistant.post.out.connecting import PostTrouble
from assistant.post.out.journal import Journal
from assistant.post.out.letters import identity
from assistant.post.out.postman import Postman, renamed
from assistant.post.out.settings import PASSWORD, Post, guessed, password

ALL = "all"
"""How the referee calls the mails that everybody gets."""


def unasked(lines: Sequence[str], question: str) -> bool:
    """Where nobody can be asked, nothing is agreed to."""
    return False


def untold(line: str) -> None:
    """Tell nobody of progress."""


@dataclass(frozen=True)
class PostWish:
    """What the referee wants of the post. `only`: these factions' mails alone; `dry`: only write them; `to_me`: all of
    them to our own address; `yes`: do not ask; `again`: send the same once more to these; `arrived`: these have what
    was uncertain; `let_go`: these mails may leave whatever they hold, because of `why`, which also says why a report is
    replaced. ``all`` names everybody's mails. `agree`: asks, with the list, before the first mails; `tell`: of
    progress.
    """

    only: tuple[str, ...] = ()
    dry: bool = False
    to_me: bool = False
    yes: bool = False
    again: tuple[str, ...] = ()
    arrived: tuple[str, ...] = ()
    let_go: tuple[str, ...] = ()
    why: str = ""
    agree: Callable[[Sequence[str], str], bool] = unasked
    tell: Callable[[str], None] = untold

    def spelled(self, known: Callable[[str], str]) -> PostWish:
        """The same with factions as the campaign spells them. Raises what `known` raises."""
        only, again, arrived, let_go = (tuple(ALL if one.casefold() == ALL else known(one) for one in typed)
                                        for typed in (self.only, self.again, self.arrived, self.let_go))
        return replace(self, only=only, again=again, arrived=arrived, let_go=let_go)


def post_of(address: str) -> Post:
    """The post of an address as most providers have it."""
    return Post(address, address, *guessed(address))


NOBODY = post_of("referee@example.org")
"""As whom a dry run writes mails where no post is set up."""


@dataclass
class Counter:
    """What a command of the post works with. `troubles`: what kept the postman from a server."""

    sitting: Sitting
    post: Post
    clock: Clock
    wish: PostWish
    kinds: tuple[str, ...] = ()
    """Of the mails of before that are still open those of these kinds go on their way, too; (): all."""
    troubles: list[PostTrouble] = field(default_factory=list)

    def may(self, result: Result, office: Office) -> bool:
        """Whether mails may leave: the first of a campaign are asked for. Whoever is not asked sees the list first."""
        if self.wish.yes or self.wish.to_me or any(row.has_left for row in office.rows):
            for line in result.lines:
                self.wish.tell(line)
            return True
        return self.wish.agree(result.lines, self.sitting.wording.text(QUESTION))

    def carried(self, goings: Sequence[Going], office: Office, box: Outbox) -> list[Mail]:
        """Record what is new, carry all that is open, and return how each of these mails stands now.

        Raises `Stop`, `LedgerTrouble`, OSError.
        """
        secret = self._secret()
        going = [one for one in goings if not one.held]
        journal = None if self.wish.to_me else Journal(self.sitting.campaign.desk.campaign_id)
        if self.wish.to_me:
            box, going = Outbox(Vault.create(None, "")), [self._to_me(one, office) for one in going]
        else:
            overtaken = office.overtaken(going)
            if overtaken:
                box.mark(*overtaken)
        fresh = [one for one in going if one.new]
        new = box.record([(one.row, one.letter) for one in fresh],
                         [(one.row.faction, one.row.kind, one.said) for one in fresh])
        if journal is not None and new:
            journal.add(new)
        held = {one.row.ident for one in goings if one.held}
        mine = {one.row.ident for one in going}
        postman = Postman(box, journal, self.post, secret, self.clock, self._told)
        rows = box.rows()
        postman.deliver([row for row in rows if row.ident not in held and (row.ident in mine or self._meant(row))])
        self.troubles.extend(postman.troubles)
        known = {row.ident for row in rows if row.ident in mine or row.open}
        return [row for row in box.rows() if row.ident in known or row.ident not in {one.ident for one in rows}]

    def _meant(self, row: Mail) -> bool:
        """Whether a mail of before that is still open goes on its way now, too."""
        return row.open and (not self.kinds or row.kind in self.kinds) and (
            not self.wish.only or row.faction in self.wish.only)

    def _to_me(self, one: Going, office: Office) -> Going:
        """The same mail, to our own address alone, under another Message-ID."""
        ident = identity(office.campaign.desk.campaign_id, f"{one.row.digest} {office.now.isoformat()}", 0,
                         self.post.domain)
        row = replace(one.row, ident=ident, marks={self.post.address: Mark()})
        return replace(one, row=row, letter=renamed(one.letter, one.row.ident, ident), new=True)

    def _secret(self) -> str:
        secret = password(self.post)
        if not secret and self.post.login:
            sitting = self.sitting
            raise stop(Exit.REFUSED, codes.NO_PASSWORD, sitting.lang, sitting.wording, login=self.post.login,
                       variable=PASSWORD)
        return secret

    def _told(self, what: str, row: Mail, addresses: Sequence[str]) -> None:
        """A line of progress."""
        words = self.sitting.wording
        texts = {"waits": WAITING, "looking": LOOKING, **TOLD_OF}
        self.wish.tell(words.text(texts[what], who=readers_named(words, row), list=", ".join(addresses)))


@contextlib.contextmanager
def at_the_counter(counter: Counter, doing: str) -> Iterator[tuple[Office, Outbox]]:
    """Hold the claim on a campaign and its ledger, which knows by now what this user's journal knows, too.

    Raises `Stop`, OSError.
    """
    sitting, wish = counter.sitting, counter.wish
    ours = sitting.campaign.desk.campaign_id
    try:
        with sitting.claim(doing), Ledger.open(path_of(sitting.path), ours) as ledger:
            look_beside(sitting)
            ledger.outbox.take_over(Journal(ours).rows())
            _arrived(counter, ledger.outbox)
            office = Office.of(sitting.ruleset, sitting.campaign, counter.post, counter.clock.now(), ledger,
                               again=wish.again, let_go=wish.let_go, why=" ".join(wish.why.split()))
            yield office, ledger.outbox
    except LedgerTrouble as trouble:
        raise sitting.ledger_stop(trouble) from trouble


def _arrived(counter: Counter, box: Outbox) -> None:
    """Take the referee's word for mails that were uncertain: those that arrived, and those that are sent once more."""
    wish, now = counter.wish, counter.clock.now().isoformat()
    uncertain = [row for row in box.rows() if row.at_stage("uncertain")]
    rows = [row.marked(dict.fromkeys(row.at_stage("uncertain"), Mark("taken" if (row.faction or ALL) in wish.arrived
                                                                     else "dropped", now, "referee")))
            for row in uncertain if (row.faction or ALL) in (*wish.arrived, *wish.again)]
    missing = [one for one in wish.arrived if one not in {row.faction or ALL for row in rows}]
    if missing:
        sitting = counter.sitting
        raise stop(Exit.REFUSED, codes.NO_SUCH_MAIL, sitting.lang, sitting.wording, seen=", ".join(missing))
    if rows:
        box.mark(*rows)
        Journal(counter.sitting.campaign.desk.campaign_id).add(rows)
