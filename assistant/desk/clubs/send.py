"""`send` and `remind`: mails listed, confirmed, carried out and written down. `post setup`: the mailbox."""

from __future__ import annotations

import contextlib
import os
import smtplib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Literal, NamedTuple

from assistant.campaign.records import Faction
from assistant.desk.clubs.outgoing import (
    ANSWER_BY_MAIL,
    PLAIN,
    REMINDER,
    MailData,
    MailPlanner,
    OutgoingMail,
    Package,
    packages_of,
    same_letter,
    short_letter,
    with_hits,
)
from assistant.desk.commands.by_form import ask_form, faction_names_of
from assistant.desk.commands.publish import share
from assistant.desk.commands.report import PUBLIC_READER, proofs_and_previous, report, report_pictures, unusable_answers
from assistant.desk.next_steps import list_blocking, position_text
from assistant.desk.play_phase import call_roll
from assistant.desk.results import Exit, FillIn, Form, FormField, Result, Tell, option_number, quiet
from assistant.desk.workspace.check_against_ledger import find_second_copies, open_playable
from assistant.desk.workspace.workspace import (
    BookPlace,
    DueText,
    Workspace,
    abort,
    catches_abort,
    current_deadline,
    current_tokens,
    deadline_text,
    due_text,
    ensure_deadline,
    faction_code,
    factions_with_reports,
    file_abort,
    folder_abort,
    folder_faults,
    mail_findings,
    refuse_of_laboratory,
    render_due,
    retry_while_changing,
)
from assistant.environment import Clock, machine_language, user_folder
from assistant.ledger import DeliveryMark, Mail, Outbox
from assistant.ledger.file import RecordStore
from assistant.ledger.outbox import mail_as_data
from assistant.post import mail_server
from assistant.post.letters import message_id
from assistant.turn import codes
from assistant.turn.absence import timetable_of
from assistant.turn.findings import Finding, Where
from assistant.turn.phases import without_superseded
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording, campaign_title, named_wording
from assistant.workbook.file_book import shows_map
from assistant.workbook.save import write_files
from assistant.workbook.screening import BookError

# What the referee reads about mails: the list before they are sent, and what became of each.


QUESTION = N_("Send these mails? [y/N]")
ADDRESS_QUESTION = N_("Are these addresses right? [y/N]")
NEW_ADDRESS = N_("{who}: none of its mails has gone to {list} before.")
PLAIN_MAIL = N_("{who}: none of its mails has gone to {list} before, so the mail there holds no code and no question.")
WAITING = N_("{who}: the server puts {list} off; tried again in a moment.")
LOOKING = N_("{who}: looking in our own mailbox whether the mail has arrived.")
PROGRESS = {"taken": N_("{who}: sent to {list}."), "refused": N_("{who}: refused for {list}."),
           "uncertain": N_("{who}: nobody can tell whether {list} has it.")}
LIST_HEAD = N_("Mails, with their sizes:")
EVERYBODY = N_("everybody ({kind})")
KINDS = {"gazette": N_("gazette"), "end": N_("page of the end"), "reminder": N_("reminder"),
         "receipt": N_("receipt"), "report": N_("report")}
NEW, OPEN, DONE, REPLACING, HELD = (
    N_("to be sent"), N_("begun before, goes on"), N_("sent before: not again"), N_("replaces an earlier one"),
    N_("held back"))


def recipient(words: Wording, row: Mail) -> Verbatim:
    """The recipient of a mail, in words."""
    if not row.faction:
        return Verbatim(words.text(EVERYBODY, kind=Verbatim(words.text(KINDS[row.kind]))))
    return Verbatim(words.names.text(row.faction, "faction"))


def mail_list_lines(goings: Sequence[OutgoingMail], words: Wording) -> list[str]:
    """The list of mails: recipient, addresses, size, and whether each was sent before."""
    lines = [words.text(LIST_HEAD)]
    for going in goings:
        state = HELD if going.held else DONE if not (going.new or going.row.open) else OPEN if not going.new else (
            REPLACING if going.replaces is not None else NEW)
        to = ", ".join(going.row.marks if going.new else going.package.to)
        lines.append(f"  {recipient(words, going.row)}: {to}; {words.number(round(len(going.letter) / 1000) or 1)} KB; "
                     f"{words.text(state)}")
    return lines


def held_back_findings(goings: Sequence[OutgoingMail], workspace: Workspace) -> list[Finding]:
    """Why mails are held back: addresses that are not agreed to; the first word that the reader may not know, with its
    place.
    """
    held = [codes.finding(codes.ADDRESS_CHANGED, faction=mail.row.faction, list=Verbatim(", ".join(mail.unknown)),
                          code=Verbatim(mail.row.faction), book=workspace.path.name) for mail in goings if mail.unknown]
    return held + [
        codes.finding(codes.MAIL_HELD, faction=mail.row.faction, word=Verbatim(hit.word), place=Verbatim(hit.place),
                      text=Verbatim(hit.around), code=Verbatim(mail.row.faction or "all"), book=workspace.path.name,
                      **({} if mail.row.faction else {"all": "yes"}))
        for mail in goings if mail.held for hit in mail.package.hits[:1]]


def trouble_findings(troubles: Iterable[mail_server.ServerTrouble]) -> list[Finding]:
    """Findings about servers that could not be reached or used."""
    return [codes.finding(codes.POST_TROUBLE, fault=trouble.fault, host=Verbatim(trouble.host),
                          detail=Verbatim(trouble.detail)) for trouble in troubles]


def summarize_mails(result: Result, workspace: Workspace, rows: Sequence[Mail],
                    troubles: Sequence[mail_server.ServerTrouble], before: frozenset[str]) -> None:
    """What came of the mails. `before`: those that had gone out already. Ends as refused where one has not."""
    words, book = workspace.wording, workspace.path.name
    sent = [row for row in rows if row.at_stage("taken") and row.ident not in before]
    result.data["sent"] = len(sent)
    result.say(words.plural(N_("{n} mail was sent."), N_("{n} mails were sent."), len(sent)) if sent else
               words.text(N_("No mail was sent now.")))
    in_mailbox = sum(mark.cause == mail_server.FOUND for row in sent for mark in row.marks.values())
    if in_mailbox:
        result.say(words.text(N_("Some had gone out before: they lie in our own mailbox.")))
    result.find(trouble_findings(troubles))
    for row in rows:
        result.find(mail_findings(row, book))
    result.find(_void_reports(rows))
    held = any(finding.code in (codes.MAIL_HELD, codes.ADDRESS_CHANGED) for finding in result.findings)
    if held or troubles or any(row.open or row.at_stage("refused") for row in rows):
        result.exit = Exit.REFUSED


def _void_reports(rows: Iterable[Mail]) -> list[Finding]:
    """Findings about readers whose earlier report no longer holds."""
    who = dict.fromkeys(address for row in rows if row.replaces for address in row.at_stage("taken"))
    return [codes.finding(codes.MAILS_VOID, list=Verbatim(", ".join(who)))] if who else []


# One mailing, from confirmation to delivery.


ALL = "all"
"""How the referee calls the mails that everybody gets."""


def never_agree(lines: Sequence[str], question: str) -> bool:
    """Refuse: there is nobody to ask."""
    return False


@dataclass(frozen=True)
class PostOptions:
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
    agree: Callable[[Sequence[str], str], bool] = never_agree
    tell: Tell = quiet

    def with_spelling(self, known: Callable[[str], str]) -> PostOptions:
        """The same with factions as the campaign spells them. Raises what `known` raises."""
        only, again, arrived, let_go = (tuple(ALL if code.casefold() == ALL else known(code) for code in typed)
                                        for typed in (self.only, self.again, self.arrived, self.let_go))
        return replace(self, only=only, again=again, arrived=arrived, let_go=let_go)


def guessed_post(address: str) -> mail_server.MailAccount:
    """Mail settings guessed from an address, as most providers have them."""
    return mail_server.MailAccount(address, address, *mail_server.guess_servers(address))


PLACEHOLDER_POST = guessed_post("referee@example.org")
"""As whom a dry run writes mails where no post is set up."""


@dataclass
class MailRun:
    """One run of a mail command. `troubles`: what kept the postman from a server."""

    workspace: Workspace
    post: mail_server.MailAccount
    clock: Clock
    wish: PostOptions
    kinds: tuple[str, ...] = ()
    """Of the mails of before that are still open those of these kinds go on their way, too; (): all."""
    troubles: list[mail_server.ServerTrouble] = field(default_factory=list)

    def may(self, result: Result, office: MailPlanner) -> bool:
        """Whether mails may leave: the first of a campaign are asked for. Whoever is not asked sees the list first."""
        if self.wish.yes or self.wish.to_me or any(row.has_left for row in office.rows):
            for line in result.lines:
                self.wish.tell(line)
            return True
        return self.wish.agree(result.lines, self.workspace.wording.text(QUESTION))

    def ask_about_addresses(self, goings: Sequence[OutgoingMail], office: MailPlanner) -> list[OutgoingMail]:
        """The mails, each with those of its addresses that are new and that the referee has not agreed to; a reminder
        goes there all the same, without what is secret.

        It is asked once for all of them, for an address to which a mail has gone is known. `yes` agrees to no address.
        """
        if self.wish.to_me:
            return list(goings)
        unknown = [office.unknown_addresses(mail) for mail in goings]
        words = self.workspace.wording
        lines = [words.text(NEW_ADDRESS, who=recipient(words, mail.row), list=Verbatim(", ".join(addresses)))
                 for mail, addresses in zip(goings, unknown, strict=True) if addresses]
        # a code that went to a stranger's address could not be called back (decision 35)
        if not lines or (not self.wish.dry and not self.wish.yes
                         and self.wish.agree(lines, words.text(ADDRESS_QUESTION))):
            return list(goings)
        return [mail if not addresses else office.without_secrets(mail.package, plain)
                if (plain := mail.package.plain) is not None else replace(mail, unknown=addresses)
                for mail, addresses in zip(goings, unknown, strict=True)]

    def carry(self, goings: Sequence[OutgoingMail], office: MailPlanner, box: Outbox) -> list[Mail]:
        """Record what is new, carry all that is open, and return how each of these mails stands now.

        Raises `Abort`, `LedgerTrouble`, OSError.
        """
        secret = self._secret()
        going = [mail for mail in goings if not mail.held]
        journal = None if self.wish.to_me else mail_server.Journal(self.workspace.campaign.desk.campaign_id)
        if self.wish.to_me:
            # a rehearsal leaves no trace: what the clubs are to get is still to be sent
            box, going = Outbox(RecordStore.create(None, "")), [self._to_me(mail, office) for mail in going]
        else:
            overtaken = office.overtaken(going)
            if overtaken:
                box.mark(*overtaken)
        fresh = [mail for mail in going if mail.new]
        new = box.record([(mail.row, mail.letter) for mail in fresh],
                         [(mail.row.faction, mail.row.kind, mail.said) for mail in fresh])
        if journal is not None and new:
            journal.add(new)
        held = {mail.row.ident for mail in goings if mail.held}
        mine = {mail.row.ident for mail in going}
        postman = mail_server.MailDelivery(box, journal, self.post, secret, self.clock, self._tell_progress)
        rows = box.rows()
        postman.deliver([row for row in rows if row.ident not in held and (row.ident in mine or self._is_chosen(row))])
        self.troubles.extend(postman.troubles)
        known = {row.ident for row in rows if row.ident in mine or row.open}
        return [row for row in box.rows() if row.ident in known or row.ident not in {mail.ident for mail in rows}]

    def _is_chosen(self, row: Mail) -> bool:
        return row.open and (not self.kinds or row.kind in self.kinds) and (
            not self.wish.only or row.faction in self.wish.only)

    def _to_me(self, going: OutgoingMail, office: MailPlanner) -> OutgoingMail:
        """The same mail, to our own address alone, under another Message-ID."""
        # the club's own mail is looked for in our mailbox by its Message-ID (decision 29)
        ident = message_id(office.campaign.desk.campaign_id, f"{going.row.digest} {office.now.isoformat()}", 0,
                         self.post.domain)
        row = going.row._replace(ident=ident, marks={self.post.address: DeliveryMark()})
        letter = mail_server.with_message_id(going.letter, going.row.ident, ident)
        return replace(going, row=row, letter=letter, new=True)

    def _secret(self) -> str:
        secret = mail_server.stored_password(self.post)
        if not secret and self.post.login:
            workspace = self.workspace
            raise workspace.abort(Exit.REFUSED, codes.NO_PASSWORD, login=self.post.login, variable=mail_server.PASSWORD)
        return secret

    def _tell_progress(self, what: str, row: Mail, addresses: Sequence[str]) -> None:
        """A line of progress."""
        words = self.workspace.wording
        texts = {"waits": WAITING, "looking": LOOKING, **PROGRESS}
        self.wish.tell(words.text(texts[what], who=recipient(words, row), list=", ".join(addresses)))


@contextlib.contextmanager
def claimed_outbox(counter: MailRun, doing: str) -> Iterator[tuple[MailPlanner, Outbox]]:
    """Hold the claim on a campaign and its ledger, which knows by now what this user's journal knows, too.

    Raises `Abort`, OSError.
    """
    workspace, wish = counter.workspace, counter.wish
    with workspace.claim(doing), workspace.open_ledger() as ledger:
        find_second_copies(workspace)
        ledger.outbox.take_over(mail_server.Journal(workspace.campaign.desk.campaign_id).rows())
        _settle_uncertain(counter, ledger.outbox)
        office = MailPlanner.of(workspace.ruleset, workspace.campaign, counter.post, counter.clock.now(), ledger,
                                again=wish.again, let_go=wish.let_go, why=" ".join(wish.why.split()))
        yield office, ledger.outbox


def _settle_uncertain(counter: MailRun, box: Outbox) -> None:
    """Take the referee's word for mails that were uncertain: those that arrived, and those that are sent once more."""
    wish, now = counter.wish, counter.clock.now().isoformat()
    uncertain = [row for row in box.rows() if row.at_stage("uncertain")]
    rows = [
        row.with_marks(
            dict.fromkeys(
                row.at_stage("uncertain"),
                DeliveryMark("taken" if (row.faction or ALL) in wish.arrived else "dropped", now, "referee"),
            )
        )
        for row in uncertain
        if (row.faction or ALL) in (*wish.arrived, *wish.again)
    ]
    missing = [code for code in wish.arrived if code not in {row.faction or ALL for row in rows}]
    if missing:
        workspace = counter.workspace
        raise workspace.abort(Exit.REFUSED, codes.NO_SUCH_MAIL, seen=", ".join(missing))
    if rows:
        box.mark(*rows)
        mail_server.Journal(counter.workspace.campaign.desk.campaign_id).add(rows)


# Shared by `send` and `remind`.


def send_packages(counter: MailRun, result: Result, packages: Sequence[Package], folder: Path) -> None:
    """Carry the mails of packages, each once, and tell what became of them in `result`. `folder`: for a dry run.

    Raises `Abort`, OSError.
    """
    workspace, wish, words = counter.workspace, counter.wish, counter.workspace.wording
    with claimed_outbox(counter, result.command) as (office, box):
        result.find(workspace.second_copies)
        goings = counter.ask_about_addresses([office.going(package) for package in packages], office)
        result.lines.extend(listed := mail_list_lines(goings, words))
        for mail in goings:
            if mail.new and mail.row.cause == PLAIN:
                result.say(words.text(PLAIN_MAIL, who=recipient(words, mail.row), list=", ".join(mail.row.marks)))
        result.find(held_back_findings(goings, workspace))
        if wish.dry:
            written = {f"{mail.row.faction or mail.row.kind}.eml": mail.letter for mail in goings}
            write_files(folder, written)
            result.data.update(sent=0, folder=str(folder), files=list(written), mails=_mails_data(goings))
            result.say(words.plural(N_("{n} mail was written to {folder}; nothing was sent."),
                                    N_("{n} mails were written to {folder}; nothing was sent."), len(goings),
                                    folder=str(folder)))
            return
        may = counter.may(result, office)
        if may:
            rows = counter.carry(goings, office, box)
            del result.lines[:len(listed)]  # it was shown before they left, and holds no longer
            result.data["mails"] = [mail_as_data(row) for row in rows]
            before = frozenset(row.ident for row in office.rows if row.at_stage("taken"))
            summarize_mails(result, workspace, rows, counter.troubles, before)
    if not may:
        result.exit = Exit.REFUSED
        result.find([codes.finding(codes.NOBODY_ASKED)])
        result.data.update(sent=0, mails=_mails_data(goings))


def _mails_data(goings: Sequence[OutgoingMail]) -> list[dict[str, object]]:
    return [{"kind": mail.row.kind, "faction": mail.row.faction, "to": list(mail.package.to), "size": len(mail.letter),
             "held": mail.held, "replaces": mail.row.replaces} for mail in goings]


# `send`.


DEFAULTS = PostOptions()


@retry_while_changing
@catches_abort("send")
def send(at: BookPlace, folder: Path, *, clock: Clock, wish: PostOptions = DEFAULTS, by: str = "", lang: str = "",
         pictures: bool = False) -> Result:
    """Send each club its package, and everybody the gazette, once; what went out before does not go out again.

    Where no post is set up the reports are written into the folder, to be sent by hand, and it ends as refused; the
    ledger notes who gets them, and `undo` and `correct` go by that. With a dry run the folder gets the mails as
    ``.eml``, and nothing leaves. `by`, `pictures`: as for `report`. Result data: ``sent``: how many mails the
    server has taken now, ``mails``: of each its kind, faction, addresses with what became of them, size; without
    a post as `report`.
    """
    try:
        post = mail_server.load_account()
        if post is None and not wish.dry:
            return _write_reports(at, folder, by, lang, clock.now(), pictures=pictures)
        workspace = open_playable(at, lang)
        refuse_of_laboratory(workspace)
        counter = MailRun(workspace, post or PLACEHOLDER_POST, clock, wish)
        if not wish.dry:
            ensure_deadline(workspace, clock.now())
        return _send_mails(counter, folder, due_text(workspace, by, clock.now()), pictures=pictures)
    except BookError as fault:
        return file_abort(fault, Path(at) if isinstance(at, (str, Path)) else folder, lang).result("send")
    except OSError as fault:
        return folder_abort(fault, folder, N_("the mails"), lang).result("send")


def _write_reports(at: BookPlace, folder: Path, by: str, lang: str, now: datetime, *, pictures: bool) -> Result:
    """The reports in the folder, for the referee to send."""
    result = report(at, folder, by=by, lang=lang, sent=True, clock=now, pictures=pictures)
    result.command = "send"
    if result.exit == Exit.DONE:
        result.find([codes.finding(codes.NOT_SENT, folder=str(folder))])
        result.data["sent"] = 0
        result.exit = Exit.REFUSED
    return result


def _send_mails(counter: MailRun, folder: Path, by: DueText, *, pictures: bool) -> Result:
    workspace = counter.workspace
    result = Result("send", findings=workspace.reading.findings, wording=workspace.wording)
    counter.wish = wish = counter.wish.with_spelling(
        lambda typed: faction_code(workspace.campaign, typed, workspace.wording))
    if wish.let_go and not wish.why.strip():
        raise workspace.abort(Exit.USAGE, codes.NO_REASON_TO_LET_GO)
    packages, missing = _build_packages(workspace, wish.only, by, pictures=pictures)
    result.find(missing)
    send_packages(counter, result, packages, folder)
    return result


def _build_packages(workspace: Workspace, only: Collection[str], by: DueText, *,
              pictures: bool) -> tuple[list[Package], list[Finding]]:
    """The packages of the factions that are meant, searched, and what keeps others from getting one."""
    known_as = factions_with_reports(workspace.campaign)
    dice, past = proofs_and_previous(workspace, "")
    wanted = [code for code in known_as if code in only] if only else known_as
    public = not only or ALL in only
    readers = [*wanted, *([PUBLIC_READER] if public else [])]
    shown = report_pictures(workspace, past, readers) if pictures else {}
    known = MailData(
        workspace.ruleset,
        without_superseded(workspace.campaign),
        workspace.path.stem,
        dice,
        past,
        current_tokens(workspace),
        by,
        unusable_answers(workspace),
        shown,
        shows_map(workspace.on_disk()),
    )
    packages = with_hits(known, packages_of(known, wanted, public=public))
    return packages, missing_addresses(workspace, wanted)


def missing_addresses(workspace: Workspace, wanted: Sequence[str]) -> list[Finding]:
    """The factions of clubs without an address, and what stands in the column Mail and is none."""
    findings = []
    for code in wanted:
        row = workspace.campaign.table(Faction)[code]
        where = Where(Faction.sheet, code, "mail")
        good, bad = mail_server.parse_addresses(row.mail)
        findings += [codes.finding(codes.BAD_ADDRESS, where, code, seen=address) for address in bad]
        if not good and row.role != "robot":
            findings.append(codes.finding(codes.NO_ADDRESS, where, code, faction=code))
    return workspace.with_cells(findings)


# `remind`.


SUBJECT = N_("[{campaign}] {name}: waiting for you, {where}")
AWAITED = N_("The campaign stands at {where} and waits for you:")
AWAITED_PLAIN = N_("The campaign stands at {where} and waits for {faction:the}. What for, and the code with which an"
                   " answer counts, are in the club's last report.")
ANSWER_BY = N_("Please answer by {deadline}.")
IN_GRACE = N_("It was due by {deadline}. What comes until {until} still counts.")
DEPUTY = N_("{faction:the} {faction?is|are} away; you are the deputy, and it is your turn.")
AND_DEPUTY = N_("This goes to the deputy, too: whoever of you can, please answer.")
GRACE, HOLIDAY = "grace", "deputy"
"""Whose turn it is, as the outbox keeps it, beside the club's own; each gets one reminder a phase."""


class AwaitedClub(NamedTuple):
    """A club that is awaited. `to`: the addresses that are asked; `turn`: "", ``GRACE`` (its time is up but for the
    grace: its deputy is asked, too) or ``HOLIDAY`` (it is away: its deputy is asked instead).
    """

    faction: str
    to: tuple[str, ...]
    turn: str = ""


@retry_while_changing
@catches_abort("remind")
def remind(
    at: BookPlace, folder: Path, *, clock: Clock, wish: PostOptions = DEFAULTS, by: str = "", lang: str = ""
) -> Result:
    """Write once to each club for which the present phase waits, once more at the start of its grace, and to its deputy
    when it is the deputy's turn; who owes nothing, has left standing orders, or is away without a deputy gets nothing.
    To an address that nobody has agreed to it goes without code and questions.

    `folder`: for the ``.eml`` of a dry run; `by`: until when they have time, in words (default: as the Desk sets it).
    Result data: as `send`.
    """
    with folder_faults(folder, N_("the mails"), lang):
        workspace = open_playable(at, lang)
        refuse_of_laboratory(workspace)
        post = mail_server.load_account()
        result = Result("remind", findings=workspace.reading.findings, wording=workspace.wording)
        wish = wish.with_spelling(lambda typed: faction_code(workspace.campaign, typed, workspace.wording))
        now = clock.now()
        awaited = awaited_clubs(workspace, now)
        wanted = [club.faction for club in awaited if club.faction in wish.only or not wish.only]
        if not wanted:
            result.data["sent"] = 0
            result.say(workspace.wording.text(N_("No club still has to answer.")))
            return result
        if post is None and not wish.dry:
            result.exit = Exit.REFUSED
            result.find([codes.finding(codes.NOBODY_REMINDED, list=", ".join(wanted))])
            return result
        result.find(missing_addresses(workspace, wanted))
        if not wish.dry:
            ensure_deadline(workspace, now)
        packages = _build_reminders(workspace, [club for club in awaited if club.faction in wanted], by, now)
        send_packages(MailRun(workspace, post or PLACEHOLDER_POST, clock, wish), result, packages, folder)
    return result


def awaited_clubs(workspace: Workspace, now: datetime) -> list[AwaitedClub]:
    """The clubs that are awaited, in the order in which they are, and who is asked for each."""
    campaign, ruleset = without_superseded(workspace.campaign), workspace.ruleset
    if ruleset.is_over(campaign):
        return []
    due = current_deadline(workspace, now)
    silent = {silence.faction: silence for silence in call_roll(ruleset, campaign, now, due).silent}
    table, factions, awaited = timetable_of(campaign.desk), campaign.table(Faction), list[AwaitedClub]()
    blocking = list_blocking(ruleset, campaign, workspace.wording, unusable_answers(workspace))
    waited = {entry.who: entry.kind for entry in blocking}
    for code, kind in waited.items():
        row, silence = factions.get(code), silent.get(code)
        if row is None or row.role == "robot" or (kind == "orders" and (silence is None or silence.standing)):
            continue
        club, deputy = (tuple(mail_server.parse_addresses(text)[0]) for text in (row.mail, row.deputy))
        in_grace = due is not None and table is not None and due <= now < table.ends(due)
        if silence is not None and silence.holiday:
            if row.deputy:
                awaited.append(AwaitedClub(code, deputy, GRACE if in_grace else HOLIDAY))
        else:
            both = tuple(mail_server.without_duplicates((*club, *deputy)))
            awaited.append(AwaitedClub(code, both, GRACE) if in_grace else AwaitedClub(code, club, ""))
    return awaited


def _build_reminders(workspace: Workspace, awaited: Sequence[AwaitedClub], by: str, now: datetime) -> list[Package]:
    """A letter for each that has an address, in its own language."""
    campaign, ruleset, tokens = without_superseded(workspace.campaign), workspace.ruleset, current_tokens(workspace)
    packages = []
    for club in awaited:
        row = campaign.table(Faction)[club.faction]
        view = ruleset.view(campaign, club.faction)
        words = named_wording(ruleset, view, row.language)
        due = [what.what for what in list_blocking(ruleset, view, words) if what.who == club.faction]
        where = Verbatim(position_text(ruleset, view, words))
        head, deadline = _to_deputy(club, row, words), _deadline_lines(workspace, club, by, now, words)
        lines = [*head, words.text(AWAITED, where=where), "\n".join(f"- {what}" for what in due), *deadline,
                 words.text(ANSWER_BY_MAIL)]
        subject = words.text(SUBJECT, campaign=campaign_title(view.desk, words), where=where,
                             name=Verbatim(row.name(words.lang)))
        letter = short_letter(REMINDER, words, club.faction, subject, lines, tokens.get(club.faction, ""))
        plain = short_letter(REMINDER, words, club.faction, subject, [
            *head, words.text(AWAITED_PLAIN, where=where, faction=club.faction), *deadline], "")
        if club.to:
            turns = (club.turn,) if club.turn else ()
            packages.append(Package(letter, list(club.to), words, [], same_letter(letter), turns, plain))
    return packages


def _to_deputy(club: AwaitedClub, row: Faction, words: Wording) -> list[str]:
    """Why a deputy reads this."""
    away = not set(mail_server.parse_addresses(row.mail)[0]) & set(club.to)
    if away and club.turn:
        return [words.text(DEPUTY, faction=club.faction)]
    return [words.text(AND_DEPUTY)] if club.turn == GRACE and mail_server.parse_addresses(row.deputy)[0] else []


def _deadline_lines(workspace: Workspace, club: AwaitedClub, by: str, now: datetime, words: Wording) -> list[str]:
    """Until when an answer counts."""
    due, desk, table = current_deadline(workspace, now), workspace.campaign.desk, timetable_of(workspace.campaign.desk)
    if club.turn == GRACE and due is not None and table is not None and not by.split():
        return [words.text(IN_GRACE, deadline=Verbatim(deadline_text(due, desk, words)),
                           until=Verbatim(deadline_text(table.ends(due), desk, words)))]
    told = render_due(due_text(workspace, by, now), words) if by.split() or due is None or due > now else ""
    return [words.text(ANSWER_BY, deadline=Verbatim(told))] if told else []


# `post setup`: connects Arbitro with a mailbox.


AskUser = Callable[[str, str, bool], str]
"""Is given a question, what is taken where nothing is typed, and whether it is a secret; returns what was typed."""
ADDRESS = N_("Your mail address, from which reports are to be sent")
NAME = N_("Your name, as the clubs will see it")
SMTP = N_("Server for outgoing mail (host, host:port or host:port:tls)")
IMAP = N_("Server of your mailbox (IMAP), where copies are found again; - for none")
LOGIN = N_("Name with which you log in")
SECRET = N_("Password (it is not shown)")
APP_HINT = N_("Your provider wants a password for this program alone (app password): make one on its page of security.")
NO_HINT = N_("Your provider does not accept passwords from programs: use another mailbox for the campaign.")
KEPT_AT = {"environment": N_("The password is taken from the environment ({variable}) and kept nowhere."),
           "keyring": N_("The password is kept in this computer's keyring."),
           "file": N_("The password is kept in a file that only you can read, in {folder}.")}


@catches_abort("post")
def set_up_post(given: Mapping[str, str], *, ask: AskUser | None = None, lang: str = "") -> Result:
    """Ask for what is not `given`, try both servers, and keep the post outside of any campaign if they let us in.

    `given`: ``address``, ``name``, ``smtp``, ``imap``, ``login``, ``authority``; without `ask` the usual is taken for
    the rest, and the password from the environment or where it is kept. Result data: ``address``, ``smtp``, ``imap``,
    ``kept``: where the password is.
    """
    words = Wording(None, lang or machine_language())
    result = Result("post", wording=words)
    with folder_faults(user_folder(), N_("the settings of the post"), lang):
        post, secret = _ask_settings(given, ask, words, result)
        troubles = login_troubles(post, secret)
        if troubles:
            result.find(trouble_findings(troubles))
            result.say(words.text(N_("Nothing was kept.")))
            result.exit = Exit.REFUSED
            return result
        mail_server.save_account(post)
        kept = mail_server.keep_password(post, secret)
    result.data.update(address=post.address, smtp=post.smtp.host, imap=post.imap.host if post.imap else "", kept=kept)
    result.say(words.text(N_("Both servers let us in. Mails come from {address}.") if post.imap else
                          N_("The server lets us in. Mails come from {address}."), address=Verbatim(post.address)))
    result.say(words.text(KEPT_AT[kept], variable=mail_server.PASSWORD, folder=str(user_folder())))
    if post.imap is None:
        result.say(words.text(N_("Without a mailbox nobody can tell what became of a mail when the connection breaks: "
                                 "then you are asked.")))
    return result


def _ask_settings(
    given: Mapping[str, str], ask: AskUser | None, words: Wording, result: Result
) -> tuple[mail_server.MailAccount, str]:
    """The post and its password. Raises `Abort` for what cannot be used."""
    old = mail_server.load_account()

    def value(name: str, question: str, usual: str) -> str:
        if name in given:
            return given[name].strip()
        return (ask(words.text(question), usual, False).strip() or usual) if ask is not None else usual

    address = value("address", ADDRESS, old.address if old else "")
    if not mail_server.is_address(address):
        raise abort(Exit.USAGE, codes.BAD_ADDRESS, words.lang, words, seen=address)
    for hint in _password_hints(address):
        result.say(words.text(hint))
    usual = _usual_post(address, old)
    post = replace(
        usual, login=value("login", LOGIN, usual.login),
        smtp=_typed_server(value("smtp", SMTP, server_text(usual.smtp)), "smtp", words) or usual.smtp,
        imap=_typed_server(value("imap", IMAP, server_text(usual.imap)), "imap", words),
        name=value("name", NAME, usual.name), authority=given.get("authority", usual.authority))
    secret = os.environ.get(mail_server.PASSWORD, "") or (ask(words.text(SECRET), "", True) if ask is not None else "")
    return post, secret or mail_server.stored_password(post)


def _usual_post(address: str, old: mail_server.MailAccount | None) -> mail_server.MailAccount:
    """The post of an address as it was set up before, else as its provider usually has it."""
    return old if old is not None and old.address == address else guessed_post(address)


def _password_hints(address: str) -> list[str]:
    """What is said of passwords at the provider of an address (msgids)."""
    domain = address.rpartition("@")[2].casefold()
    hints = ((APP_HINT, mail_server.APP_PASSWORD), (NO_HINT, mail_server.NO_PASSWORDS))
    return [hint for hint, domains in hints if domain in domains]


def _typed_server(typed: str, what: Literal["smtp", "imap"], words: Wording) -> mail_server.Server | None:
    """The server that was typed, None for none. Raises `Abort`."""
    if typed in ("", "-"):
        return None
    try:
        return mail_server.parse_server(typed, what)
    except ValueError as no:
        raise abort(Exit.USAGE, codes.NO_SERVER, words.lang, words, seen=typed) from no


def server_text(server: mail_server.Server | None) -> str:
    """A server as it can be typed again."""
    return "-" if server is None else f"{server.host}:{server.port}:{server.security}"


def login_troubles(post: mail_server.MailAccount, secret: str) -> list[mail_server.ServerTrouble]:
    """What keeps us from logging in at either server."""
    troubles = []
    for log_in in (mail_server.connect_smtp, *((mail_server.open_mailbox,) if post.imap is not None else ())):
        try:
            line = log_in(post, secret)
        # both servers are asked, so that the referee hears of both faults at once
        except mail_server.ServerTrouble as trouble:
            troubles.append(trouble)
            continue
        # it has let us in: how it says goodbye does not matter
        with contextlib.suppress(*mail_server.PROBLEMS):
            line.quit() if isinstance(line, smtplib.SMTP) else line.logout()
    return troubles


# The mail account, and one club's mail, by a form.


# The mail account.


FROM_WHERE = N_("The mail account of the campaign: from where reports are sent, and where clubs answer.")
STAYS_HERE = N_("All of it is kept on this computer, in a folder of yours, and never in the workbook.")
FIELDS = {"address": ADDRESS, "name": NAME, "smtp": SMTP, "imap": IMAP, "login": LOGIN}
"""The settings that are asked for, by the names that `set_up_post` takes."""
SECRET_FIELD = "secret"


def set_up_post_by_form(fill_in: FillIn, *, lang: str = "") -> Result:
    """Ask for the mail account in a form, try it, and ask again, with what is wrong, until it works or the referee
    gives up: first the address, then what its provider usually has. Nothing is kept but what `set_up_post` keeps.
    """
    words, old = Wording(None, lang or machine_language()), mail_server.load_account()
    values = fill_in(Form((words.text(FROM_WHERE), words.text(STAYS_HERE)),
                          (FormField("address", words.text(ADDRESS), old.address if old else ""),
                           FormField("name", words.text(NAME), old.name if old else ""))))
    result = Result("post", Exit.REFUSED, wording=words)
    troubles: list[str] = []
    while values is not None:
        if SECRET_FIELD in values:
            typed = {name: values[name] for name in FIELDS if values[name].strip() or name == "name"}
            result = set_up_post(typed, ask=_typed_secret(values[SECRET_FIELD]),
                                 lang=lang)
            if result.exit == Exit.DONE:
                return result
            troubles = [*result.finding_lines(), *result.lines]
        values = fill_in(_account_form(words, values, troubles))
    if not troubles:
        result.say(words.text(N_("Nothing was kept.")))
    return result


def _account_form(words: Wording, values: Mapping[str, str], troubles: Sequence[str]) -> Form:
    """The form with all settings: what was typed before, else what the provider of the address usually has."""
    address = values["address"].strip()
    post = _usual_post(address, mail_server.load_account())
    usual = {"smtp": server_text(post.smtp), "imap": server_text(post.imap), "login": post.login, **values}
    hints = [words.text(hint) for hint in _password_hints(address)] if not troubles else []
    fields = [FormField(name, words.text(label), usual[name]) for name, label in FIELDS.items()]
    return Form((*troubles, *hints, words.text(STAYS_HERE)),
                (*fields, FormField(SECRET_FIELD, words.text(SECRET), values.get(SECRET_FIELD, ""), secret=True)))


def _typed_secret(secret: str) -> AskUser:
    """Answers for `set_up_post`: the password that was typed, and for the rest what is usual."""
    def ask(question: str, usual: str, hidden: bool) -> str:
        return secret if hidden else usual

    return ask


# One club's mail.


WHO, HOW, WHY = "who", "how", "why"
MAIL_WAYS = (N_("only this mail, as usual"), N_("once more, because it did not arrive"),
             N_("it has arrived, where nobody could tell"), N_("let it leave although a word in it was found"),
             N_("to myself, as a rehearsal"), N_("only write it, as a file"),
             N_("a copy of one club with a new code, as the old one went to a wrong address"))


class MailFolders(NamedTuple):
    """Where reports, mails that are only written, and copies go."""

    reports: Path
    mails: Path
    copies: Path


@catches_abort("send")
def send_by_form(at: BookPlace, folders: MailFolders, fill_in: FillIn, *, clock: Clock, wish: PostOptions,
                 lang: str = "", pictures: bool = False) -> Result:
    """Ask what is to become of one club's mail, or of all, or of its copy, and do that. Result data: as of `send`, or
    of `share`.
    """
    workspace = open_playable(at, lang)
    words, known = workspace.wording, factions_with_reports(workspace.campaign)
    shown, ways = (words.text(N_("everybody")), *faction_names_of(words, known)), tuple(map(words.text, MAIL_WAYS))
    values = ask_form(fill_in, Form((words.text(N_("One club's mail, or all of them: what is to become of it?")),), (
        FormField(WHO, words.text(N_("To")), shown[0], shown),
        FormField(HOW, words.text(N_("What")), ways[0], ways),
        FormField(WHY, words.text(N_("Why, where it leaves all the same or replaces a report"))))), words)
    who = option_number(shown, values[WHO])
    whose = (known[who - 1],) if who else ()
    way, every = option_number(ways, values[HOW]), whose or ("all",)
    if MAIL_WAYS[way] == MAIL_WAYS[-1]:
        return share(at, folders.copies, renew="".join(whose), lang=lang, clock=clock.now())
    options = (replace(wish, only=whose), replace(wish, only=whose, again=every),
               replace(wish, only=whose, arrived=every), replace(wish, only=whose, let_go=every),
               replace(wish, only=whose, to_me=True), replace(wish, only=whose, dry=True))[way]
    return send(at, folders.mails if options.dry else folders.reports, clock=clock, lang=lang, pictures=pictures,
                wish=replace(options, why=values[WHY].strip()))
