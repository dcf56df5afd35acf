"""`collect` from a mailbox: which mails are taken, what they hold, and what is answered."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path
from types import MappingProxyType

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Faction, InboxRow, Question, names_held
from assistant.catalogues import LANGUAGES
from assistant.desk.clubs.collect import (
    CollectRun,
    MailAnswer,
    Receipt,
    build_receipt,
    collect,
    collect_all,
    question_of,
)
from assistant.desk.clubs.diff_copies import CopyMerge, Part, RowChange, unreadable_orders
from assistant.desk.clubs.inbox import DOUBT_REASONS, ClubMail, asked_rows
from assistant.desk.clubs.outgoing import (
    RECEIPT,
    Package,
    bounced_mail,
    code_secrets,
    mail_addresses,
    mark_bounces,
    note_head,
    same_letter,
    settle_found,
    short_letter,
)
from assistant.desk.clubs.read_copies import Arrival, codes_in_workbook, files_in
from assistant.desk.clubs.send import (
    MailRun,
    PostOptions,
    claimed_outbox,
    held_back_findings,
    mail_list_lines,
    summarize_mails,
    trouble_findings,
)
from assistant.desk.commands.report import draw_orders
from assistant.desk.intake.line_parser import (
    BATTLE_WORDS,
    classify_line,
    find_question,
    is_agreement,
    is_blank_form,
    is_club_statement,
    kind_and_rest,
    may_club_send,
)
from assistant.desk.next_steps import position_text
from assistant.desk.results import Exit, Result
from assistant.desk.workspace.check_against_ledger import open_playable
from assistant.desk.workspace.workspace import (
    BookPlace,
    ClubCodes,
    Workspace,
    catches_abort,
    club_codes,
    current_tokens,
    faction_code,
    folder_faults,
    mail_findings,
    refuse_of_laboratory,
)
from assistant.desk.workspace.writer import open_for_writing
from assistant.environment import Clock, user_folder
from assistant.ledger.outbox import tokens_in
from assistant.post.club_form import SentTexts, SiftedLines, sift_mail
from assistant.post.letters import find_leaks, secrets_of
from assistant.post.mail_server import (
    PASSWORD,
    PROBLEMS,
    FetchedMail,
    Journal,
    MailAccount,
    Server,
    ServerTrouble,
    fetch_mails,
    load_account,
    logging_out,
    open_mailbox,
    stored_password,
    trouble_of,
)
from assistant.post.mail_text import Attachment, Bounce, DoubtKind, ReceivedMail, decode_text, lines_of_html
from assistant.post.parse_mail import read_mail
from assistant.reporting.build import build_page
from assistant.reporting.render import Inset, render_html, render_text
from assistant.turn import codes
from assistant.turn.findings import Finding, nearest
from assistant.turn.orders.words import LONGEST_NAME, is_remark
from assistant.turn.phases import without_superseded
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording, campaign_title, named_wording

# What mails contain: copies, lines and files of clubs, and failure reports.
#
# The code decides whose orders they are, whoever sent them. What nobody can know, and what could not be read, becomes
# an arrival with its trouble, so that it is listed beside the others.


_LINE_LENGTH, _LINES_SHOWN = 60, 8
"""How many characters of a line, and how many lines of a mail, are shown."""


@dataclass(frozen=True)
class BounceNotice:
    """A failure that a server reports: the mail of its own that says so, and of what it tells."""

    name: str
    told: Bounce


@dataclass
class MailBatch:
    """What mails bring: what is to be taken in, who wrote, what came back, and the Message-IDs of ours that lie there.
    """

    arrivals: list[Arrival] = field(default_factory=list)
    mails: list[ClubMail] = field(default_factory=list)
    returned: list[BounceNotice] = field(default_factory=list)
    own: set[str] = field(default_factory=set)
    aside: list[ClubMail] = field(default_factory=list)
    """Mails without a code of which nothing is an order and nothing seems to be of this campaign."""
    machines: set[str] = field(default_factory=set)
    """The keys of mails that a program wrote by itself, and that are not of this campaign."""
    agreed: dict[str, str] = field(default_factory=dict)
    """The keys of mails that say yes to what a receipt proposed, with that line."""


_WORD = re.compile(r"[^\s,;:>→]+")


def read_mails(
    mails: Iterable[FetchedMail], workspace: Workspace, known: ClubCodes, sent: Callable[[str], SentTexts],
    proposed: Mapping[str, str] = MappingProxyType({}),
) -> MailBatch:
    """What the mails bring, the earliest first; the same mail, by its Message-ID and its orders, once. `sent`: faction
    -> what we sent to it; `proposed`: faction -> the line that its last receipt proposed, and the key of a mail -> the
    line to which it has said yes before.
    """
    batch, seen = MailBatch(), set[tuple[str, tuple[bytes, ...]]]()
    for mail in sorted(mails, key=lambda mail: (mail.at, mail.key)):
        read = read_mail(mail.raw) if mail.raw else ReceivedMail(doubts=("too_large",))
        if read.kind == "own":
            batch.own.add(read.ident)
        elif read.kind == "failure" and read.undelivered is not None:
            batch.returned.append(BounceNotice(_mail_name(mail, read), read.undelivered))
            batch.mails.append(_mail_of_program(mail, read, "returned"))
        elif read.kind == "receipt":
            batch.mails.append(_mail_of_program(mail, read, "confirmed"))
        elif read.kind == "machine" and not (_bears_code(read, known) or _is_of_campaign(read, workspace)):
            batch.machines.add(mail.key)
            batch.mails.append(_mail_of_program(mail, read, "automatic", "no_code"))
            continue
        if read.kind not in ("person", "machine"):
            continue
        club_mail, pieces = _mail_and_arrivals(mail, read, workspace, known, sent, proposed)
        if club_mail.agreed:
            batch.agreed[mail.key] = club_mail.agreed
        same = (read.ident, tuple(arrival.data for arrival in pieces if arrival.data))
        if not read.ident or not same[1] or same not in seen:
            batch.arrivals += pieces
            batch.mails.append(club_mail)
            batch.aside += [] if pieces or club_mail.club else [club_mail]
        seen.add(same)
    return batch


ALIKE = 0.7
"""How alike a word is to a verb of which it is a slip, at least."""


def recognizer(ruleset: Ruleset, campaign: Campaign, faction: str) -> Callable[[str], bool]:
    """Whether a line is an order or an answer of a faction, as far as the rulebook can read it.

    A line that names nothing of the campaign and no verb is a greeting, also where a rulebook would read any word.
    """
    verbs = {word.casefold() for verb in ruleset.verbs.values() for word in (verb.en, verb.it, *verb.also)}
    said = verbs | {code.casefold() for table in campaign.tables().values() for code, _ in table.items()}
    said |= {name.casefold() for table in campaign.tables().values() for row in table for name in names_held(row)}
    kinds = {*ruleset.questions, *BATTLE_WORDS}

    def counts(text: str) -> bool:
        line = classify_line(text, ruleset, campaign, faction)
        if line.kind == "withdrawal" or (faction and is_club_statement(text, ruleset)):
            return True
        if not may_club_send(line, faction):
            return False
        if line.kind == "battle":
            return not is_blank_form(line.words, ruleset, campaign, line.faction)
        order = ruleset.read(line.words, campaign, line.faction) if line.kind == "order" else None
        if order is not None and (order.is_sure or order.proposals or (order.verb and order.missing)):
            return True
        words = _WORD.findall(text.casefold())
        if not any(" ".join(words[i:i + n]) in said for i in range(len(words))
                   for n in range(1, LONGEST_NAME + 1)) and not (
                kind_and_rest(text, ruleset)[0] or (words[:1] and words[0] in kinds)):
            return False
        if order is not None:  # "mvoe FA to 10" is an order with a slip
            return not order.problem or bool(order.unknown and nearest(order.unknown, verbs, ALIKE))
        return line.kind != "answer" or find_question(line.words, ruleset, campaign, line.faction) is not None
    return counts


def _mail_of_program(mail: FetchedMail, read: ReceivedMail, *why: DoubtKind) -> ClubMail:
    """A mail that is nobody's order: what it is about, for the referee to see."""
    told = read.undelivered
    held = [read.subject] if told is None else [read.subject, ", ".join(told.addresses), told.cause]
    return ClubMail(mail.key, _mail_name(mail, read), mail.at, read.sender, quiet=True, asked=why, idle=True,
                    held="\n".join(dict.fromkeys(filter(None, held))))


def _mail_and_arrivals(
    mail: FetchedMail, read: ReceivedMail, workspace: Workspace, known: ClubCodes, sent: Callable[[str], SentTexts],
    proposed: Mapping[str, str],
) -> tuple[ClubMail, list[Arrival]]:
    """A person's mail, and what it brings: its copy and files, then its lines, which are added to the copy's rows."""
    name, books = _mail_name(mail, read), [attachment for attachment in read.files if attachment.kind == "workbook"]
    copies, coded = _clubs_of_copies(books, known), _bears_code(read, known)
    if not read.tokens:  # the code of its only copy, or of a text that hangs on it, is that of its lines
        read = replace(read, tokens=_tokens_of_files(read, copies, known))
    clubs = {known.factions.get(token, "") for token in read.tokens}
    club = next(iter(clubs), "") if len(clubs) == 1 else ""
    ours, guess = sent(club), club or _club_at(read.sender, workspace.campaign)
    line = proposed.get(mail.key) or ("" if _is_asked(workspace.campaign, club) else proposed.get(club, ""))
    person = replace(read, kind="person")
    sifted, agreed = _sift(person, ours, recognizer(workspace.ruleset, workspace.campaign, club), line) if (
        club or not clubs) else (SiftedLines(), False)
    why = _doubts(read, sifted, clubs, club, copies, workspace)
    rivals = sifted.rivals if why and why[0] not in ("two_codes", "other_code", "other_turn") else ()
    counted = sifted.lines or sifted.whole or (rivals[0] if len(rivals) == 1 else ())
    said = ClubMail(
        mail.key, name, mail.at, read.sender, read.quiet, club, sifted.listed if club else (), tuple(why), rivals,
        line if agreed and not why else "", coded, _own_words(read, sifted, whole=bool(club or books or why)), counted)
    if not why:
        return said, list(_unpack(mail, read, club, sifted, ours, workspace, copies)) if club or books else []
    said = replace(said, files=tuple(_files_of(mail, read, club, copies, texts=True)))  # they wait with their mail
    idle = _is_idle(why, read, sifted, workspace)
    if idle and why == ["other_code"]:  # one mailbox may serve two campaigns
        said = replace(said, held=read.subject, files=())
    said = replace(said, club=club or (guess if {*why} & {"no_code", "automatic"} else ""), idle=idle,
                   takes=said.takes or (_own_lines(read) if why == ["no_code"] else ()))
    words = rivals or tuple(filter(None, [sifted.lines + sifted.listed])) or _unquoted_lines(read)
    return said, [] if idle and not words else [_doubtful(said, one, words, workspace, idle=idle) for one in why]


def _doubts(read: ReceivedMail, sifted: SiftedLines, clubs: Collection[str], club: str, copies: Sequence[str],
            workspace: Workspace) -> list[DoubtKind]:
    """Why nothing of a mail is taken; [] where it is. `clubs`: whose codes it names; `copies`: whose its copies are."""
    if clubs and not club:
        return ["two_codes" if len(clubs) > 1 else "other_code"]
    if read.kind == "machine":
        return ["automatic"]
    if club and any(turn != workspace.campaign.desk.turn for turn in sifted.turns) and (sifted.lines or sifted.doubts):
        return ["other_turn"]
    if read.doubts or (club and sifted.doubts):
        return [*read.doubts, *(sifted.doubts if club else ())]
    if len(copies) > 1 and len({*copies}) < len(copies):
        return ["two_copies"]
    if not club and not copies and (_is_of_campaign(read, workspace) or sifted.lines or sifted.doubts or any(
            attachment.kind in ("table", "text") for attachment in read.files)):
        return ["no_code"]
    return []


def _is_idle(why: Sequence[DoubtKind], read: ReceivedMail, sifted: SiftedLines, workspace: Workspace) -> bool:
    """Whether nothing of a doubtful mail is anybody's order, so that the referee is only told."""
    orders = bool(sifted.lines or sifted.doubts)
    if why == ["other_code"]:
        return not _names_campaign(read, workspace)
    if why == ["automatic"]:
        return not orders and not any(one.kind in ("workbook", "table", "text") for one in read.files) and (
            read.replied or not sifted.listed)
    return why == ["no_code"] and not (orders or read.files)


def _clubs_of_copies(books: Sequence[Attachment], known: ClubCodes) -> list[str]:
    """Whose each of these workbooks is, by the codes in it; "" for one that says nobody, or several."""
    clubs = [{known.factions[code] for code in codes_in_workbook(book.data) if code in known.factions}
             for book in books]
    return [next(iter(one)) if len(one) == 1 else "" for one in clubs]


def _tokens_of_files(read: ReceivedMail, copies: Sequence[str], known: ClubCodes) -> tuple[str, ...]:
    """The codes of a mail's only copy, or in the texts that hang on it where no workbook of it is a copy."""
    books = [one for one in read.files if one.kind == "workbook"]
    if len(copies) == 1 and copies[0]:
        return tuple(code for code in codes_in_workbook(books[0].data) if code in known.factions)
    texts = [decode_text(one.data) or "" for one in read.files if one.kind in ("text", "table")]
    return () if any(copies) else tuple(dict.fromkeys(code for text in texts for code in tokens_in(text)))


def _bears_code(read: ReceivedMail, known: ClubCodes) -> bool:
    """Whether a code that is valid now stands in a mail, or in a file that hangs on it."""
    valid = set(known.now.values())
    return not valid.isdisjoint(read.tokens) or any(not valid.isdisjoint(
        codes_in_workbook(one.data) if one.kind == "workbook" else tokens_in(decode_text(one.data) or ""))
        for one in read.files if one.kind in ("workbook", "table", "text"))


def _club_at(address: str, campaign: Campaign) -> str:
    """The club to which an address belongs; "" for none, or several."""
    clubs = [row.faction for row in campaign.table(Faction)
             if address.casefold() in {one.casefold() for one in mail_addresses(row)}]
    return clubs[0] if len(clubs) == 1 else ""


def _own_lines(read: ReceivedMail) -> tuple[str, ...]:
    """The lines of a mail that stand in no quote."""
    texts = [line for words in read.words for line in words.text or words.html or ()]
    return tuple(line.text for line in texts if line.text and not line.depth and not is_remark(line.text))


def _own_words(read: ReceivedMail, sifted: SiftedLines, *, whole: bool) -> str:
    """A mail's own words, for the referee; of one that has nothing to do with the campaign only what it is about."""
    lines = _own_lines(read) or tuple(dict.fromkeys((*sifted.lines, *sifted.listed)))
    if not whole or not (lines or read.files):
        return read.subject
    return "\n".join(lines)


def _files_of(mail: FetchedMail, read: ReceivedMail, club: str, copies: Sequence[str], *, texts: bool
              ) -> Iterator[Arrival]:
    """The files of a mail that may count, each with the club whose code stands in it or in the mail. `texts`: also
    those that are no workbooks.
    """
    whose = iter(copies)
    for one in read.files:
        if one.kind == "workbook" or (texts and one.kind in ("table", "text")):
            owner = (next(whose) or club) if one.kind == "workbook" else club
            yield Arrival(f"{_mail_name(mail, read)}, {one.name}", mail.at, one.data, mail.key, club=owner)


def _sift(read: ReceivedMail, ours: SentTexts, counts: Callable[[str], bool], proposed: str
          ) -> tuple[SiftedLines, bool]:
    """The lines of a mail; a yes that is the only one stands for the line that was proposed. Whether it does."""
    if not proposed:
        return sift_mail(read, ours, counts), False
    sifted = sift_mail(read, ours, lambda text: is_agreement(text) or counts(text))
    if len(sifted.lines) == 1 and is_agreement(sifted.lines[0]):
        return replace(sifted, lines=(proposed,)), True
    rest = tuple(line for line in sifted.lines if not is_agreement(line))
    return replace(sifted, lines=rest, listed=sifted.listed + tuple(filter(is_agreement, sifted.lines))), False


def _is_asked(campaign: Campaign, club: str) -> bool:
    return any(row.to == club and row.status == "open" and not row.answer for row in campaign.table(Question))


def _is_of_campaign(read: ReceivedMail, workspace: Workspace) -> bool:
    """Whether a mail without a code is of the campaign all the same: from a club's address, or about it."""
    known = {address.casefold() for row in workspace.campaign.table(Faction) for address in mail_addresses(row)}
    return read.sender.casefold() in known or _names_campaign(read, workspace)


def _names_campaign(read: ReceivedMail, workspace: Workspace) -> bool:
    """Whether a mail's subject names the campaign as the subjects of ours do, in any language or as it is typed."""
    desk, ruleset = workspace.campaign.desk, workspace.ruleset
    titles = {desk.title or ruleset.title, *(campaign_title(desk, Wording(ruleset, lang)) for lang in LANGUAGES)}
    return any(f"[{title}]".casefold() in read.subject.casefold() for title in titles)


def _unquoted_lines(read: ReceivedMail) -> tuple[tuple[str, ...], ...]:
    """The first lines of a mail that stand in no quote, as one group; () for none."""
    lines = _own_lines(read)
    return (lines[:_LINES_SHOWN],) if lines else ()


def _unpack(
    mail: FetchedMail, read: ReceivedMail, club: str, sifted: SiftedLines, ours: SentTexts, workspace: Workspace,
    copies: Sequence[str],
) -> Iterator[Arrival]:
    name = _mail_name(mail, read)
    unread = [attachment for attachment in read.files if attachment.kind == "other"]
    counts = bool(sifted.lines) or any(attachment.kind in ("workbook", "table", "text") for attachment in read.files)
    if not (counts or sifted.listed or any(ours.holds(line.text) for words in read.words
                                           for line in (*(words.text or ()), *(words.html or ())) if line.text)):
        unread += [one for one in read.files if one.kind == "picture"]  # its page is nothing but that
    own = copies if len(copies) > 1 else [club] * len(copies)  # a single one of another club is asked about
    yield from _files_of(mail, read, club, own, texts=bool(club))
    for attachment in unread:
        told = codes.finding(codes.UNREAD_FILE, file=f"{name}, {attachment.name}")
        yield Arrival(f"{name}, {attachment.name}", mail.at, attachment.data, mail.key, club=club,
                      trouble=told._replace(severity="info") if counts else None)
    if not club:
        words = [*sifted.lines, *sifted.listed, *(one.name for one in read.files if one.kind in ("table", "text"))]
        if words:
            yield _doubtful(ClubMail(mail.key, name, mail.at), "no_code", [words], workspace,
                            idle=not counts or (len(copies) > 1 and not sifted.lines))
        return
    if sifted.lines:
        yield Arrival(f"{name}.txt", mail.at, "\n".join((*read.tokens, *sifted.lines)).encode(), mail.key, club=club,
                      lines=True)
    if sifted.listed:
        yield Arrival(name, mail.at, together=mail.key, trouble=codes.finding(
            codes.MAIL_LISTED, file=name, faction=club, list=Verbatim("; ".join(map(_shorten, sifted.listed)))))


def _doubtful(mail: ClubMail, why: str, words: Sequence[Sequence[str]], workspace: Workspace, *, idle: bool) -> Arrival:
    """An arrival of which nothing is taken before the referee has decided. `words`: what it says, or the groups of
    lines between which he decides; `idle`: none of that is an order, and he is only told.
    """
    both = " / ".join("; ".join(map(_shorten, reading)) for reading in words)
    told = codes.finding(codes.MAIL_ASKED, file=mail.name, reason=workspace.wording.text(DOUBT_REASONS[why]),
                         list=Verbatim(both or "-"), book=workspace.path.name)
    return Arrival(mail.name, mail.at, together=mail.key, trouble=told._replace(severity="info") if idle else told)


def _mail_name(mail: FetchedMail, read: ReceivedMail) -> str:
    """The displayed name of a mail: its sender and its number in the mailbox, never a path."""
    plain = "".join(sign for sign in read.sender if sign.isprintable() and sign not in "/\\")
    return f"{plain or '?'} {mail.key.rpartition('/')[2]}"


def _shorten(text: str) -> str:
    return text if len(text) <= _LINE_LENGTH else text[:_LINE_LENGTH] + "…"


# Receipts: each mail is answered once.
#
# A receipt goes to the addresses that stand on the sheet Factions, whoever wrote and whatever his mail asks for; none
# answers a machine, or a mail that went to many.


SUBJECT = N_("[{campaign}] {name}: what came from you, {where}")
SAME_MINUTE = N_("another of yours came within the same minute and says something else")


@dataclass(frozen=True)
class Reply:
    """A receipt that is to leave. `keys`: of the mails that it answers."""

    receipt: Receipt
    to: list[str]
    keys: tuple[str, ...]
    own_words: tuple[str, ...]


def unknown_senders(mails: Iterable[ClubMail], done: CollectRun, campaign: Campaign) -> dict[str, str]:
    """Mails that count and whose sender is no address of the club whose code they bear: key -> sender."""
    counted = {opened.arrival.together for part in done.chosen.parts for opened in part.opened}
    senders = {}
    for mail in mails:
        row = campaign.table(Faction).get(_club_of_mail(mail, done))
        if row is not None and mail.key in counted and mail.sender.casefold() not in {
                address.casefold() for address in mail_addresses(row)} and mail_addresses(row):
            senders[mail.key] = mail.sender or "?"
    return senders


def find_unknown_senders(mails: Iterable[ClubMail], done: CollectRun, workspace: Workspace, result: Result) -> None:
    """Add findings about unknown senders whose mails count."""
    mails = list(mails)
    known = unknown_senders(mails, done, workspace.campaign)
    result.find([codes.finding(codes.UNKNOWN_SENDER, file=mail.name, faction=_club_of_mail(mail, done),
                               address=Verbatim(known[mail.key])) for mail in mails if mail.key in known])


def _key_of_question(row: InboxRow) -> str:
    return f"ask:{row.source}"


def replies(mails: Sequence[ClubMail], done: CollectRun, workspace: Workspace, answered: Collection[str],
            asked: Sequence[InboxRow] = ()) -> list[Reply]:
    """The receipts for mails that were not answered yet. `answered`: the keys of those that were; `asked`: rows of the
    Inbox of which the question goes back to their clubs.
    """
    known, replies = unknown_senders(mails, done, workspace.campaign), []
    clubs = dict.fromkeys((*(club for mail in mails for club in _clubs_of_mail(mail, done)), *(
        row.club for row in asked)))
    for club in clubs:
        row = workspace.campaign.table(Faction).get(club)
        mine = [(mail, _answer_to_mail(mail, done, known.get(mail.key, ""), club)) for mail in mails
                if mail.key not in answered and club in _clubs_of_mail(mail, done)]
        mine = [(mail, answer) for mail, answer in mine if answer is not None]
        questions = [one for one in asked if one.club == club]
        if row is None or not (questions or any(not mail.quiet or mail.key in known for mail, _ in mine)):
            continue
        if all(mail.quiet and mail.key not in known for mail, _ in mine):
            mine = []
        parts, rows = _rows_of(club, {mail.key for mail, _ in mine}, done, workspace)
        receipt = build_receipt(workspace.ruleset, done.after, club, parts, rows, [
            *(said for _, said in mine if said), *map(question_of, questions)])
        words = tuple(line for one, _ in mine for line in (*one.listed, *(text for both in one.rivals for text in both),
                                                           one.name, one.sender))
        words += tuple(line for one in questions for line in one.held.splitlines())
        keys = (*(mail.key for mail, _ in mine), *map(_key_of_question, questions))
        replies.append(Reply(receipt, mail_addresses(row), keys, words))
    return replies


def _clubs_of_mail(mail: ClubMail, done: CollectRun) -> list[str]:
    """The clubs that a mail is of: the one whose code it names, and those whose copies hang on it."""
    mine = [mail.club] if mail.coded else []
    return list(dict.fromkeys(filter(None, (*mine, *(
        one.club for one in done.opened if one.arrival.together == mail.key)))))


def _club_of_mail(mail: ClubMail, done: CollectRun) -> str:
    return next(iter(_clubs_of_mail(mail, done)), "")


def _answer_to_mail(mail: ClubMail, done: CollectRun, stranger: str, club: str) -> MailAnswer | None:
    """What a club is told about its mail besides its rows; None for a mail that has nothing for us."""
    opened = [one for one in done.opened if one.arrival.together == mail.key and one.club in ("", club)]
    counts = any(one in part.opened for part in done.chosen.parts for one in opened)
    rivals = [part for pair in done.chosen.rivals for part in pair if any(one in part.opened for one in opened)]
    brought = [one for one in opened if one.incoming is not None and one.arrival.trouble is None]
    unfilled = any(one.untouched for one in brought)
    unread = () if counts else tuple(finding for one in brought if one.incoming is not None
                                     for finding in one.incoming.findings if finding.stops)
    empty = all(one.incoming is not None and not one.incoming.rows() for one in brought)
    older = bool(brought) and not (counts or rivals or unfilled or (unread and empty))
    findings = tuple(finding for one in opened if one.arrival.trouble is None and one.incoming is None
                     for finding in one.findings if finding.stops)
    if not (counts or rivals or brought or findings or mail.listed or mail.asked):
        return None
    asked = (*(DOUBT_REASONS[one] for one in mail.asked), *([SAME_MINUTE] if rivals else []))
    return MailAnswer(mail.when, stranger, mail.listed, asked, mail.rivals, findings, older, unfilled,
                      unread if empty else ())


def _rows_of(
    club: str, keys: Collection[str], done: CollectRun, workspace: Workspace
) -> tuple[list[Part], list[RowChange]]:
    """The parts of a club that these mails brought and that count, and what became of their rows: now, or in a run that
    was cut short before it could answer.
    """
    mine = [part for part in done.chosen.parts if part.faction == club
            and any(opened.arrival.together in keys for opened in part.opened)]
    now = [(part, rows) for part, rows in done.taken if part.faction == club]
    parts, rows = [part for part, _ in now], [row for _, some in now for row in some]
    again = CopyMerge(workspace.ruleset, done.after, done.after.copy())
    for part in mine:
        if not any(part is known for known in parts):
            parts.append(part)
            rows += again.take(part, set(), unreadable_orders(part))
    return parts, rows


def send_receipts(counter: MailRun, due: Sequence[Reply], result: Result, after: Campaign | None = None) -> set[str]:
    """Send the receipts, and those of before that have not left yet; the keys of mails that stay without an answer.
    `after`: the campaign with what came in it, where each receipt has its club's orders drawn.

    Raises `Abort`, OSError.
    """
    workspace, words = counter.workspace, counter.workspace.wording
    result.find([codes.finding(codes.NO_RECEIPT, faction=reply.receipt.faction) for reply in due if not reply.to])
    reached = [reply.receipt.faction for reply in due if reply.to]
    drawn = draw_orders(workspace.ruleset, after, reached) if after is not None else {}
    packages = [_receipt_package(reply, workspace, drawn.get(reply.receipt.faction, ())) for reply in due if reply.to]
    with claimed_outbox(counter, "collect") as (office, box):
        going = [office.going(package) for package in packages]
        if not going and not any(row.open and row.kind == RECEIPT for row in office.rows):
            return set()
        shown = Result("collect", lines=mail_list_lines(going, words) if going else [], wording=words)
        result.find(held_back_findings(going, workspace))
        held = {key for mail in going if mail.held for key in mail.package.about}
        if held:
            result.exit = Exit.REFUSED
        if not counter.may(shown, office):
            result.exit = Exit.REFUSED
            result.find([codes.finding(codes.NOBODY_ASKED)])
            return {key for mail in going for key in mail.package.about}
        before = frozenset(row.ident for row in office.rows if row.at_stage("taken"))
        rows = [row for row in counter.carry(going, office, box) if row.kind == RECEIPT]
        summarize_mails(result, workspace, rows, counter.troubles, before)
        result.data["answered"] = sorted({row.faction for row in rows if row.at_stage("taken")})
        return held


def _receipt_package(reply: Reply, workspace: Workspace, shown: Sequence[tuple[Inset, bytes]]) -> Package:
    """A receipt as a letter to its club, searched for what it may not know."""
    campaign, faction = without_superseded(workspace.campaign), reply.receipt.faction
    row, view = campaign.table(Faction)[faction], workspace.ruleset.view(campaign, faction)
    words = named_wording(workspace.ruleset, view, row.language or campaign.desk.language)
    tokens: Mapping[str, str] = current_tokens(workspace)
    subject = words.text(
        SUBJECT,
        campaign=campaign_title(view.desk, words),
        name=Verbatim(row.name(words.lang)),
        where=Verbatim(position_text(workspace.ruleset, view, words)),
    )
    letter = short_letter(RECEIPT, words, faction, subject, [reply.receipt.text.rstrip("\n")], tokens.get(faction, ""),
                          note_head(workspace.ruleset, view, faction, words), shown)
    others = {token for code, token in tokens.items() if code != faction}
    hits = find_leaks(letter, secrets_of(campaign) | code_secrets(others), workspace.ruleset, [view],
                  [workspace.path.stem, campaign.desk.title, campaign_title(view.desk, words), *reply.own_words])
    return Package(letter, reply.to, words, hits, same_letter(letter), reply.keys)


# `collect` from a mailbox; nothing in it is marked or changed.


_SEEN_MAILS_KEY = "mails.read"
"""The ledger's key for mails that were looked at: key of the mail -> the turn in which it came."""
_PROPOSED_KEY = "receipts.proposed"
"""The ledger's key for lines that receipts proposed: faction -> the last one, key of a mail -> the one it agreed to."""
MOST_DAYS_BACK = 30
"""How many days back mails are read at most, counted from the first one sent in this turn."""
SENDERS_NAMED = 12
"""How many senders of unrelated mails are named."""
# IMAP's names of months, whatever language the computer speaks
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@catches_abort("collect")
def collect_from_post(at: BookPlace, places: Sequence[Path], *, clock: Clock, since: date | None = None,
                      dry_run: bool = False, receipts: Path | None = None, answering: PostOptions | None = None,
                      lang: str = "", pictures: bool = False) -> Result:
    """Take in what the clubs have sent to the mailbox of `post setup`, and what lies in these folders.

    `since`: the first day whose mails are read, else as `first_day` has it; `answering`: how each mail is answered to
    its club's addresses, None for not at all; `pictures`: with a
    club's orders on its map; the rest and the result's data as of `collect`, and ``mails``: how many
    were looked at, ``answered``: who has got a receipt. A mailbox that cannot be read ends as refused, and then nothing
    is taken.
    """
    with folder_faults(user_folder(), N_("the mails"), lang):
        workspace = open_playable(at, lang)
        refuse_of_laboratory(workspace)
        post, server, secret = _load_mailbox(workspace)
        if answering is not None:
            answering = answering.with_spelling(
                lambda typed: faction_code(workspace.campaign, typed, workspace.wording))
        day = since or first_day(workspace, clock.now())
        try:
            mails = _fetch(workspace, post, secret, day)
        except (ServerTrouble, *PROBLEMS) as problem:
            return Result("collect", Exit.REFUSED, wording=workspace.wording,
                          findings=trouble_findings([trouble_of(problem, server)]))
        counter = MailRun(workspace, post, clock, answering or PostOptions(), (RECEIPT,))
        return _collect_mails(workspace, mails, places, day, counter, dry_run=dry_run, receipts=receipts,
                              answer=answering is not None, pictures=pictures)


def _load_mailbox(workspace: Workspace) -> tuple[MailAccount, Server, str]:
    """Our post, the server of its mailbox, and its password. Raises `Abort` where one of them is not known."""
    post = load_account()
    if post is None or post.imap is None:
        raise workspace.abort(Exit.REFUSED, codes.NO_MAILBOX)
    secret = stored_password(post)
    if not secret:
        raise workspace.abort(Exit.REFUSED, codes.NO_PASSWORD, login=post.login or post.address, variable=PASSWORD)
    return post, post.imap, secret


def first_day(workspace: Workspace, now: datetime) -> date:
    """From which day on mails are read: the one before the last mail of the turn before went out, as days begin
    elsewhere at another hour, but no more than thirty days before this turn's first; where nothing went out of thirty
    days. Clubs may have had their copies, and answered, long before a mail of this turn went out. Raises `Abort`.
    """
    with workspace.open_ledger() as ledger:
        sent = [(row.turn == workspace.campaign.desk.turn, parsedate_to_datetime(row.date))
                for row in ledger.outbox.rows() if row.has_left]
    first = min((when for ours, when in sent if ours), default=now)
    earliest = first - timedelta(days=MOST_DAYS_BACK)
    before = [when for ours, when in sent if not ours and when < first]
    return max([earliest, *(when - timedelta(days=1) for when in before)]).date()


def _collect_mails(
    workspace: Workspace,
    mails: list[FetchedMail],
    places: Sequence[Path],
    since: date,
    counter: MailRun,
    *,
    dry_run: bool,
    receipts: Path | None,
    answer: bool,
    pictures: bool,
) -> Result:
    """Mails beside what lies in folders, taken in; what came back of ours written down; the mails answered. `receipts`:
    a folder for the answers; `answer`: whether mails are answered; `pictures`: with the club's orders drawn. Raises
    `Abort`, OSError.
    """
    turn, lying, seen = workspace.campaign.desk.turn, files_in(places, workspace), _seen_mails(workspace)
    proposed = _read_note(workspace, _PROPOSED_KEY)
    brought = read_mails(mails, workspace, club_codes(workspace), lambda faction: sent_texts(workspace, faction),
                         proposed)
    back = _record_bounces(workspace, brought, None if dry_run else counter)
    arrivals: list[Arrival] = sorted((*lying, *brought.arrivals), key=lambda arrival: arrival.at)
    result, done = collect_all(workspace, arrivals, dry_run=dry_run, receipts=receipts, pictures=pictures,
                               mails=brought.mails)
    if brought.mails or brought.returned:
        result.findings = [finding for finding in result.findings if finding.code != codes.NOTHING_CAME]
    result.find(workspace.with_cells(back))
    fresh = [mail for mail in brought.mails if mail.key not in seen]
    find_unknown_senders(fresh, done, workspace, result)
    result.say(workspace.wording.plural(
        N_("{n} mail since {day} was looked at; nothing in the mailbox was changed."),
        N_("{n} mails since {day} were looked at; nothing in the mailbox was changed."),
        len(mails), day=Verbatim(since.isoformat())))
    _say_left_aside([mail.sender or mail.name for mail in brought.aside if mail.key not in seen], workspace, result)
    result.data["mails"] = len(mails)
    if dry_run:
        return result
    _note(workspace, _PROPOSED_KEY, {**proposed, **brought.agreed})
    left: set[str] = set()
    if answer:
        left = _answer_all(counter, fresh, done, result, done.after if pictures else None)
    # noted under no turn: they are never looked at again
    never = brought.machines | {mail.key for mail in brought.aside}
    _note_seen_mails(workspace, {mail.key: "" if mail.key in never else turn for mail in mails if mail.key not in left})
    if any(finding.code == codes.MAIL_RETURNED for finding in back) and not done.moved:
        _rewrite_desk_lines(workspace)
    result.find(workspace.second_copies)
    return result


def _say_left_aside(senders: Sequence[str], workspace: Workspace, result: Result) -> None:
    """Say whose mails were left aside, if any."""
    named = [*dict.fromkeys(senders[:SENDERS_NAMED]), *(["…"] if senders[SENDERS_NAMED:] else [])]
    if senders:
        result.say(workspace.wording.plural(
            N_("{n} mail without a code was left aside: no line of it is an order. From {list}."),
            N_("{n} mails without a code were left aside: no line of them is an order. From {list}."),
            len(senders), list=Verbatim(", ".join(named))))


def _record_bounces(workspace: Workspace, brought: MailBatch, counter: MailRun | None) -> list[Finding]:
    """What is to be said of mails of ours that came back; they are marked, and those that lie in our mailbox settled,
    where a counter is given. Raises `Abort`, OSError.
    """
    if not (brought.returned or brought.own):
        return []
    desk, findings = workspace.campaign.desk, list[Finding]()
    with workspace.open_ledger() as ledger:
        known = ledger.outbox.rows()
        if counter is not None:
            journal, now = Journal(desk.campaign_id), counter.clock.now().isoformat()
            settle_found(ledger.outbox, journal, brought.own, now)
            told = [notice.told for notice in brought.returned]
            for row in mark_bounces(ledger.outbox, journal, told, now):
                findings += [finding for finding in mail_findings(row, workspace.path.name)
                             if finding.code == codes.MAIL_RETURNED]
    return findings + [codes.finding(
        codes.MAIL_FAILED, file=notice.name, list=Verbatim(", ".join(notice.told.addresses) or "?"),
        reason=Verbatim(notice.told.cause)) for notice in brought.returned if bounced_mail(notice.told, known) is None]


def _answer_all(counter: MailRun, mails: Sequence[ClubMail], done: CollectRun, result: Result, drawn: Campaign | None
              ) -> set[str]:
    """Answer the mails, each once; the keys of those that stay without an answer. `drawn`: as of `send_receipts`.

    Raises `Abort`, OSError.
    """
    workspace = counter.workspace
    with workspace.open_ledger() as ledger:
        known = {key for row in ledger.outbox.rows() if row.kind == RECEIPT for key in row.about}
    asked = [row for row in asked_rows(done.after) if _key_of_question(row) not in known]
    answers = replies(mails, done, workspace, known, asked)
    _note(workspace, _PROPOSED_KEY, {**_read_note(workspace, _PROPOSED_KEY),
                                     **{reply.receipt.faction: reply.receipt.proposed for reply in answers}})
    return send_receipts(counter, answers, result, drawn)


def _rewrite_desk_lines(workspace: Workspace) -> None:
    """Rewrite the lines of the Desk sheet after a bounce. Raises `Abort`."""
    with open_for_writing(workspace, "collect") as session:
        session.commit("mark", workspace.campaign.copy())


def _fetch(workspace: Workspace, post: MailAccount, secret: str, since: date) -> list[FetchedMail]:
    """The mails of this turn, or that were never looked at: one of an earlier turn is left aside, one of this turn is
    looked at again, so that nothing is lost where `undo` took back what it had brought. Raises `ServerTrouble`, and
    what `imaplib` raises.
    """
    seen, turn = _seen_mails(workspace), workspace.campaign.desk.turn
    day = f"{since.day}-{_MONTHS[since.month - 1]}-{since.year}"
    with logging_out(box := open_mailbox(post, secret)):
        return list(fetch_mails(box, lambda key: seen.get(key, turn) != turn, day))


def sent_texts(workspace: Workspace, faction: str) -> SentTexts:
    """What was sent to a faction and to everybody, by which a quote of it is known; where none of it went out from here
    its report as it would be sent now. Raises `Abort`.
    """
    if not faction:
        return SentTexts()
    with workspace.open_ledger() as ledger:
        texts = [*ledger.outbox.texts_sent(faction), *ledger.outbox.texts_sent("")]
    if texts:
        return SentTexts(texts)
    row = workspace.campaign.table(Faction).get(faction)
    language = (row.language if row is not None else "") or workspace.campaign.desk.language
    view = workspace.ruleset.view(without_superseded(workspace.campaign), faction)
    page = build_page(workspace.ruleset, view, faction, Wording(workspace.ruleset, language))
    return SentTexts((render_text(page), "\n".join(line.text for line in lines_of_html(render_html(page)))))


def _seen_mails(workspace: Workspace) -> dict[str, str]:
    return _read_note(workspace, _SEEN_MAILS_KEY)


def _read_note(workspace: Workspace, key: str) -> dict[str, str]:
    """What the ledger keeps under a key. Raises `Abort`."""
    with workspace.open_ledger() as ledger:
        noted: dict[str, str] = json.loads(ledger.read_note(key) or "{}")
        return noted


def _note(workspace: Workspace, key: str, texts: Mapping[str, str]) -> None:
    """Keep texts in the ledger, if they differ from what it keeps. Raises `Abort`."""
    if texts == _read_note(workspace, key):
        return
    with workspace.open_ledger() as ledger:
        ledger.note(key, json.dumps(texts, sort_keys=True))


def _note_seen_mails(workspace: Workspace, looked_at: Mapping[str, str]) -> None:
    """Keep which mails came in which turn ("": they can never count, and are not fetched again). It is written after
    what they brought: a crash between the two lets them be looked at once more.
    """
    _note(workspace, _SEEN_MAILS_KEY, {**looked_at, **_read_note(workspace, _SEEN_MAILS_KEY)})


# `collect` for a button.


@catches_abort("collect")
def collect_for_button(at: BookPlace, folder: Path, *, clock: Clock, answering: PostOptions, lang: str = "",
                       pictures: bool = False) -> Result:
    """Take in what lies in a folder, which is made where it is missing, and what clubs have sent to the mailbox, where
    `post setup` knows one; `clock`, `answering`, `pictures`: as of `collect_from_post`. The result's data: as of
    `collect`.
    """
    with folder_faults(folder, N_("what the clubs sent"), lang):
        folder.mkdir(exist_ok=True)
    post = load_account()
    result = collect(at, [folder], lang=lang) if post is None or post.imap is None else collect_from_post(
        at, [folder], clock=clock, answering=answering, lang=lang, pictures=pictures)
    if result.wording is not None and result.data.get("sources") == []:
        result.say(result.wording.text(N_("What clubs send back goes into the folder {folder}."),
                                       folder=Verbatim(folder.name)))
    return result
