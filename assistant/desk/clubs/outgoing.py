"""Which mails are due, one for each faction, made of its view alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from email.utils import format_datetime
from types import MappingProxyType
from typing import NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Faction
from assistant.desk.commands.publish import copy_language, copy_name, copy_of
from assistant.desk.commands.report import (
    BuiltPage,
    Pictures,
    Previous,
    Proofs,
    faction_page,
    picture_reader,
    public_pages,
    whole_map,
)
from assistant.desk.next_steps import position_text
from assistant.desk.workspace.workspace import DueText, render_due
from assistant.ledger import CORRECT, DECISION_VERBS, DeliveryMark, Ledger, Mail, Outbox
from assistant.ledger.outbox import SENT_STAGES
from assistant.pictures.colours import ink_on
from assistant.post.club_form import order_block
from assistant.post.letters import InlinePicture, LeakedWord, Letter, Stamp, compose, find_leaks, message_id, secrets_of
from assistant.post.mail_server import (
    FOUND,
    Journal,
    MailAccount,
    next_ident,
    parse_addresses,
    with_message_id,
    without_duplicates,
)
from assistant.post.mail_text import Bounce, lines_of_html
from assistant.reporting.pages import NoteHead
from assistant.reporting.reader import Reader, clean_line
from assistant.reporting.render import Inset, render_html, render_note, render_text
from assistant.turn.findings import Finding
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording, campaign_title

# Bounces, and mails found in our own mailbox.


def bounced_mail(told: Bounce, rows: Sequence[Mail]) -> tuple[Mail, list[str]] | None:
    """The mail that a failure report is about, and the addresses that did not get it; None if it is not ours.

    It is known by its Message-ID or by the header that is ours. An address that we do not know (one to which somebody
    forwards his mails) stands for the only one that the mail went to, where it went to one.
    """
    named = [mail for mail in rows if mail.ident in told.mails]
    missing = {address.casefold() for address in told.addresses}
    for row in named:
        mine = [address for address in row.marks if address.casefold() in missing]
        if mine:
            return row, mine
    alone = [row for row in named if len(row.marks) == 1]
    return (alone[0], list(alone[0].marks)) if len(named) == 1 and alone else None


def mark_bounces(box: Outbox, journal: Journal, failures: Iterable[Bounce], now: str) -> list[Mail]:
    """Record which mails bounced, from which address and why; returns the rows that changed.

    Raises `LedgerTrouble`, OSError.
    """
    changed: dict[str, Mail] = {}
    for told in failures:
        rows = [changed.get(row.ident, row) for row in box.rows()]
        known = bounced_mail(told, rows)
        if known is None:
            continue
        row, addresses = known
        new = [address for address in addresses if row.marks[address].stage != "returned"]
        if new:
            changed[row.ident] = row.with_marks(dict.fromkeys(new, DeliveryMark("returned", now, told.cause)))
    _write_rows(box, journal, changed.values())
    return list(changed.values())


def settle_found(box: Outbox, journal: Journal, own: Collection[str], now: str) -> list[Mail]:
    """Settle mails whose fate was unknown and that are in our own mailbox: the server has accepted them.

    Raises `LedgerTrouble`, OSError.
    """
    mails = [row.with_marks({address: row.marks[address]._replace(stage="taken", at=now, cause=FOUND)
                             for address in row.at_stage("begun", "uncertain")})
             for row in box.rows() if row.ident in own and row.at_stage("begun", "uncertain")]
    _write_rows(box, journal, mails)
    return mails


def _write_rows(box: Outbox, journal: Journal, rows: Iterable[Mail]) -> None:
    rows = list(rows)
    if rows:
        box.mark(*rows)
        journal.add(rows)


# The mail of each club.


REPORT, REMINDER, RECEIPT = "report", "reminder", "receipt"
YOURS = N_("Your code is {code}: whoever has it orders in your name. When you answer this mail, leave it where it is.")
FORM_NOTE = N_("Your order form is attached; its first sheet says what it is for.")
ANSWER_BY_MAIL = N_("Answer this mail with your orders, one a line.")

LetterWriter = Callable[[Sequence[str]], Letter]


class Package(NamedTuple):
    """A letter and how to write it with further words at its top. `to`: the addresses; `words`: of its language;
    `hits`: what in it its reader may not know; `about`: as of a row of the outbox; `plain`: what goes in its place,
    with nothing secret, to addresses that nobody has agreed to.
    """

    letter: Letter
    to: list[str]
    words: Wording
    hits: list[LeakedWord]
    write: LetterWriter
    about: tuple[str, ...] = ()
    plain: Letter | None = None


class MailData(NamedTuple):
    """What packages are made from. `campaign`: without rows that were superseded; `stem`: of the workbook's name;
    `tokens`: faction -> its code; `by`: until when orders are due, as it is told; `pictures`: faction, "" for all ->
    its pictures, each with what the page says of it; `map_in_book`: copies show a map, as the workbook does.
    """

    ruleset: Ruleset
    campaign: Campaign
    stem: str
    dice: Proofs
    past: Previous
    tokens: Mapping[str, str]
    by: DueText = ""
    refused: Mapping[str, Finding] = MappingProxyType({})
    pictures: Pictures = MappingProxyType({})
    map_in_book: bool = False


def packages_of(known: MailData, factions: Sequence[str], *, public: bool = True,
                everybody: Sequence[str] = ()) -> list[Package]:
    """The packages of these factions that have an address, and with `public` the gazette for all addresses there are;
    of a campaign that is over the page of its end, too. `everybody`: instead of those addresses.

    Raises `BookUnsafe` for text that no cell can hold.
    """
    addresses = {row.faction: mail_addresses(row) for row in known.campaign.table(Faction)}
    packages = [package_of(known, code, addresses[code]) for code in factions if addresses[code]]
    all_of_them = list(everybody) or without_duplicates(address for code in known.tokens for address in addresses[code])
    if public and all_of_them:
        for made in public_pages(known.ruleset, known.campaign, known.dice, known.past, by=known.by):
            packages.append(_package(known, "", made, all_of_them, ()))
    return packages


def mail_addresses(row: Faction) -> list[str]:
    """Where a faction's mails go: to its own addresses and those of its deputy."""
    return without_duplicates([*parse_addresses(row.mail)[0], *parse_addresses(row.deputy)[0]])


def package_of(known: MailData, faction: str, to: Sequence[str] = ()) -> Package:
    """A faction's package: its report as text and page, its club copy, its code."""
    made = faction_page(known.ruleset, known.campaign, faction, known.dice, known.past, by=known.by,
                        refused=known.refused, held=copy_language(known.campaign, faction))
    token = known.tokens.get(faction, "")
    shown = whole_map(known.pictures.get(faction, ())) if known.map_in_book else None
    copy = copy_of(known.ruleset, known.campaign, faction, token, known.by, shown)
    return _package(known, faction, made, list(to), ((copy_name(known.stem, faction), copy),))


def _package(known: MailData, faction: str, made: BuiltPage, to: list[str],
             attached: tuple[tuple[str, bytes], ...]) -> Package:
    token = known.tokens.get(faction, "")
    own = [made.words.text(FORM_NOTE), made.words.text(YOURS, code=Verbatim(token))] if token and faction else []
    page = made.page
    shown = known.pictures.get(faction or picture_reader(page), ())
    insets = [replace(inset, src=f"cid:{inset.name}") for inset, _ in shown]
    page = replace(page, template=order_block(page.template, made.words, token, page.turn) if own else page.template)

    def write(notices: Sequence[str]) -> Letter:
        parts = [*notices, *own]
        return Letter(REPORT if faction else page.kind, faction, " ".join(filter(None, (page.subject, token))),
                      page.lang, render_text(page, notices=parts, insets=insets),
                      render_html(page, notices=parts, insets=insets),
                      tuple(InlinePicture(inset.name, png) for inset, png in shown), attached, page.code)

    letter = write(())
    return Package(letter, to, made.words, [], write)


def with_hits(known: MailData, packages: Sequence[Package]) -> list[Package]:
    """The packages with what each holds that its reader may not know."""
    secrets = secrets_of(known.campaign)
    checked = []
    for package in packages:
        faction = package.letter.faction
        views = [known.ruleset.view(campaign, faction) for campaign in (known.campaign, known.past.campaign)
                 if campaign is not None]
        others = {token for code, token in known.tokens.items() if code != faction}
        hits = find_leaks(package.letter, secrets | code_secrets(others), known.ruleset, views,
                      public_texts(known, package.words))
        checked.append(package._replace(hits=hits))
    return checked


def code_secrets(tokens: set[str]) -> dict[str, str]:
    """Codes of other clubs, as `leaked` looks for them."""
    return secrets_of(Campaign([]), sorted(tokens))


def public_texts(known: MailData, words: Wording) -> list[str]:
    """Public texts that no view contains: file names, the deadline."""
    desk = known.campaign.desk
    return [known.stem, render_due(known.by, words), desk.title, campaign_title(desk, words), copy_name(known.stem, "")]


def short_letter(kind: str, words: Wording, faction: str, subject: str, lines: Sequence[str], token: str,
                 head: NoteHead | None = None, shown: Sequence[tuple[Inset, bytes]] = ()) -> Letter:
    """A letter to a club that is no report, with its code: of text alone, or with a `head` as a page, too, in which
    pictures are `shown`. `lines`: paragraphs.
    """
    own = [words.text(YOURS, code=Verbatim(token))] if token else []
    headed, text = " ".join(filter(None, (subject, token))), "\n\n".join((*lines, *own)) + "\n"
    page = render_note(words.lang, subject, head, text, [
        replace(inset, src=f"cid:{inset.name}") for inset, _ in shown]) if head is not None else ""
    return Letter(kind, faction, headed, words.lang, text, page,
                  tuple(InlinePicture(inset.name, png) for inset, png in shown))


def note_head(ruleset: Ruleset, view: Campaign, faction: str, words: Wording) -> NoteHead:
    """The head of a short mail to a faction: that of its reports."""
    reader = Reader.of(ruleset, view, faction, words)
    colour = reader.colour(faction)
    name, position, title, private = map(clean_line, (
        reader.faction_name(faction), position_text(ruleset, view, words), campaign_title(view.desk, words),
        words.text(N_("for your eyes only"))))
    return NoteHead(name, position, title, private, colour, ink_on(colour))


def same_letter(letter: Letter) -> LetterWriter:
    """A writer that ignores notices, for a letter that replaces none."""
    return lambda notices: letter


# New mails, mails that were sent before, and mails that are replaced.


REPLACES = N_("This report replaces the report {code} of {moment}: {why}. What that one says no longer holds.")
REPLACES_MAIL = N_("This mail replaces that of {moment}: {why}. What that one says no longer holds.")
PLAIN = "plain"
"""The cause of a reminder that held nothing secret, as nobody had agreed to its addresses."""
CAUSES = {
    "corrected": N_("a mistake of the past was put right"),
    "undone": N_("a phase was taken back and resolved again"),
    "ruled": N_("the referee has ruled on it since"),
    "changed": N_("something in it has changed since"),
}


@dataclass(frozen=True)
class OutgoingMail:
    """A package and its mail. `row`: of the outbox, as it is or is to be; `letter`: the mail's bytes; `new`: whether it
    is still to be recorded; `replaces`: the mail in whose place it comes; `said`: all that it says; `unknown`: its
    addresses that the referee has not agreed to.
    """

    package: Package
    row: Mail
    letter: bytes
    new: bool
    replaces: Mail | None = None
    said: str = ""
    unknown: tuple[str, ...] = ()

    @property
    def held(self) -> bool:
        """Whether it may not leave: it goes to an address that nobody has agreed to, or holds words that its reader may
        not know, and nobody has let it go.
        """
        return bool(self.unknown) or (bool(self.package.hits) and not self.row.let_go and not self.row.went_out)


@dataclass(frozen=True)
class MailPlanner:
    """What all mails of a command have in common. `line`: the ledger's line; `verbs`: its changes, number -> verb;
    `rows`: the outbox; `again`: the factions, ``all`` for everybody's mails, to which the same is sent once more;
    `let_go`: those whose mails may leave whatever they hold; `why`: the referee's reason.
    """

    ruleset: Ruleset
    campaign: Campaign
    post: MailAccount
    now: datetime
    line: tuple[int, ...]
    verbs: dict[int, str]
    rows: list[Mail]
    again: Collection[str] = ()
    let_go: Collection[str] = ()
    why: str = ""

    @classmethod
    def of(cls, ruleset: Ruleset, campaign: Campaign, post: MailAccount, now: datetime, ledger: Ledger, *,
           again: Collection[str] = (), let_go: Collection[str] = (), why: str = "") -> MailPlanner:
        """The office of a campaign with its ledger."""
        verbs = {step.id: step.verb for step in ledger.steps()}
        return cls(ruleset, campaign, post, now, ledger.line, verbs, ledger.outbox.rows(), again, let_go, why)

    def going(self, package: Package) -> OutgoingMail:
        """The mail of a package, new or as it was recorded."""
        letter, desk = package.letter, self.campaign.desk
        digest = letter.digest
        same_said = (letter.kind, letter.faction, digest)
        alike = [row for row in self.rows if (row.kind, row.faction, row.digest) == same_said]
        if letter.kind == REMINDER:  # once a phase for each whose turn it is, whatever it says
            alike = [row for row in self.rows if (row.kind, row.faction, row.turn, row.phase, row.about) == (
                REMINDER, letter.faction, desk.turn, desk.phase, package.about)]
        again = max((row.again for row in alike),
                    default=0) + (bool(alike) if self._is_chosen(self.again, package) else 0)
        same = [row for row in alike if row.again == again]
        reached = {address for row in same for address in row.marks}
        missing = [address for address in package.to if address not in reached]
        if same and not missing:
            first = same[0]
            return self._make(package, first._replace(let_go=self._reason_to_release(package) or first.let_go),
                              new=False)
        ident = message_id(desk.campaign_id, digest, again, self.post.domain)
        while any(row.ident == ident for row in self.rows):
            ident = next_ident(ident)
        replaced = same[0].replaces if same else self._mail_to_replace(package)
        row = Mail(ident, letter.kind, letter.faction, desk.turn, desk.phase, max(self.line, default=0), digest,
                   same[0].date if same else format_datetime(self.now), dict.fromkeys(missing, DeliveryMark()),
                   code=letter.code, again=again, part=len(same), replaces=replaced,
                   cause=same[0].cause if same else self._cause(replaced), why=same[0].why if same else self.why,
                   let_go=self._reason_to_release(package), to=tuple(package.to) if letter.faction else (),
                   about=package.about)
        return self._make(package, row, new=True)

    def without_secrets(self, package: Package, letter: Letter) -> OutgoingMail:
        """The mail of the plain letter in a package's place, after which its addresses are as unknown as before."""
        mail = self.going(package._replace(letter=letter, write=same_letter(letter)))
        return replace(mail, row=mail.row._replace(cause=PLAIN)) if mail.new else mail

    def unknown_addresses(self, mail: OutgoingMail) -> tuple[str, ...]:
        """The addresses of a faction's mail to which none of its mails has gone yet; () before the first mails, which
        are asked for with all their addresses, and for a mail that the referee lets go.
        """
        faction = mail.row.faction
        if not faction or self._is_chosen(self.let_go, mail.package) or not any(row.has_left for row in self.rows):
            return ()
        reached = {address.casefold() for row in self.rows if row.faction == faction and row.cause != PLAIN
                   for address in row.at_stage(*SENT_STAGES, "returned")}
        return tuple(address for address in mail.row.at_stage("recorded") if address.casefold() not in reached)

    def _is_chosen(self, chosen: Collection[str], package: Package) -> bool:
        return (package.letter.faction or "all") in chosen

    def _reason_to_release(self, package: Package) -> str:
        return self.why if package.hits and self._is_chosen(self.let_go, package) else ""

    def _mail_to_replace(self, package: Package) -> str:
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
                "ruled" if since & set(DECISION_VERBS) else "changed")

    def _make(self, package: Package, row: Mail, *, new: bool) -> OutgoingMail:
        """The mail's bytes, from the package and the row: the same as when it was recorded."""
        replaced = next((mail for mail in self.rows if mail.ident == row.replaces), None)
        letter = package.letter if replaced is None else package.write([self._notice(package, row, replaced)])
        base = message_id(self.campaign.desk.campaign_id, row.digest, row.again, self.post.domain)
        made = compose(letter, Stamp(base, row.date, self.post.address, self.post.name, row.to))
        text = _letter_text(letter) if new else ""
        return OutgoingMail(package, row, with_message_id(made, base, row.ident), new, replaced, text)

    def _notice(self, package: Package, row: Mail, replaced: Mail) -> str:
        """Which mail a new one replaces, and why, in its reader's words."""
        words = package.words
        why = words.text(CAUSES[row.cause or "changed"]) + (f" ({row.why})" if row.why else "")
        moment = Verbatim(self.ruleset.when(replaced.turn, replaced.phase, words.lang))
        return words.text(REPLACES if replaced.code else REPLACES_MAIL, code=Verbatim(replaced.code), moment=moment,
                          why=Verbatim(why))

    def overtaken(self, goings: Sequence[OutgoingMail]) -> list[Mail]:
        """Mails that were recorded, of which nothing has left, and in whose place one of these comes."""
        by_reader = {(going.row.kind, going.row.faction): going.row for going in goings
                     if going.new and going.row.kind != RECEIPT}
        dropped = []
        for row in self.rows:
            new = by_reader.get((row.kind, row.faction))
            waiting = row.at_stage("recorded")
            if new is not None and waiting and not row.went_out and new.digest != row.digest and (
                    self._same_moment(row) or not self.holds(row)):
                dropped.append(row.with_marks({
                    address: row.marks[address]._replace(stage="dropped") for address in waiting}))
        return dropped


def _letter_text(letter: Letter) -> str:
    """The text of a letter: its subject, its lines, those of its page."""
    shown = lines_of_html(letter.html) if letter.html else ()
    return "\n".join((letter.subject, letter.text, *(line.text for line in shown)))
