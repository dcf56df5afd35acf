"""`collect` from a mailbox: which mails are taken, what they hold, and what is answered."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from email.utils import parsedate_to_datetime
from imaplib import IMAP4
from pathlib import Path
from typing import NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Faction, names_held
from assistant.catalogues import LANGUAGES
from assistant.desk.clubs.collect import Answered, Collected, Receipt, collect, receipt_of, taken_in
from assistant.desk.clubs.diff_copies import Part, Replacing, Row, unreadable
from assistant.desk.clubs.outgoing import (
    RECEIPT,
    Package,
    addresses_of,
    as_written,
    mark_found,
    mark_returned,
    row_of,
    secrets_of_codes,
    short_letter,
)
from assistant.desk.clubs.read_copies import Arrival, codes_in, lying_in, taken_back
from assistant.desk.clubs.send import Counter, PostWish, at_the_counter, held_back, listed, of_troubles, summed_up
from assistant.desk.commands.map_pictures import orders_drawn
from assistant.desk.commands.report import words_of
from assistant.desk.intake.line_parser import BATTLE_WORDS, find_question, kind_and_rest, may_send, of_club, sort_line
from assistant.desk.next_steps import desk_lines, where_of
from assistant.desk.results import Exit, Result
from assistant.desk.workspace.version_check import stop_on_data
from assistant.desk.workspace.workspace import (
    At,
    Codes,
    Sitting,
    Stop,
    club_of,
    codes_of,
    folder_stop,
    of_mail,
    sit,
    stop,
    tokens_of,
)
from assistant.desk.workspace.writer import at_work
from assistant.environment import Clock
from assistant.ledger import Ledger, LedgerTrouble, path_of
from assistant.post.club_form import Sent, Sifted, sift
from assistant.post.deliver import Journal
from assistant.post.letters import leaked, secrets_of
from assistant.post.mail_server import (
    PASSWORD,
    PROBLEMS,
    Fetched,
    Post,
    PostTrouble,
    Server,
    home,
    load,
    mailbox,
    mails_in,
    password,
    trouble_of,
)
from assistant.post.mail_text import Arrived, Doubt, Undelivered, Why, lines_of_html
from assistant.post.parse_mail import read_mail
from assistant.reporting.build import build_page
from assistant.reporting.render import Inset, render_html, render_text
from assistant.turn import codes
from assistant.turn.findings import Finding
from assistant.turn.orders.line_parser import LONGEST_SPOKEN
from assistant.turn.orders.words import remark
from assistant.turn.phases import in_force
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording, campaign_title

# What mails contain: copies, lines and files of clubs, and failure reports.
#
# The code decides whose orders they are, whoever sent them. What nobody can know, and what could not be read, becomes
# an arrival with its trouble, so that it is listed beside the others.


WHY = {
    "too_large": N_("it is too large to be read"),
    "too_deep": N_("its parts are nested too deep"),
    "too_many_parts": N_("it has too many parts"),
    "broken": N_("a part of it is damaged"),
    "encrypted": N_("it is encrypted: ask for it in plain"),
    "locked_zip": N_("its zip needs a password: ask for the file itself"),
    "zip_in_zip": N_("its zip holds another zip: ask for the file itself"),
    "too_much_inflated": N_("its zip unpacks to more than is read"),
    "outlook_item": N_("a mail hangs on it in Outlook's own form: ask for the mail forwarded, or for the file itself"),
    "charset": N_("its text is in no known character set"),
    "two_codes": N_("it bears codes of several clubs, or one that is not of this campaign"),
    "other_code": N_("its code is of no club of this campaign"),
    "struck_out": N_("orders in it are struck out"),
    "text_and_html": N_("its text and its HTML say different things"),
    "two_blocks": N_("two filled blocks in it say different things"),
    "block_and_lines": N_("its filled block and the lines outside it say different things"),
    "two_copies": N_("two copies in it say different things"),
    "no_code": N_("it bears no code"),
    "other_turn": N_("its block is of another turn"),
}
"""Why a mail is asked about, as the referee reads it."""
_SHOWN, _FEW = 60, 8
"""How many characters of a line, and how many lines of a mail, are shown."""


@dataclass(frozen=True)
class Mailed:
    """A mail of a person, as its club is answered. `key`: by which the mailbox knows it; `name`: as it is shown; `at`:
    when it came; `sender`: of its From line; `quiet`: it gets no answer; `club`: whose code it names, "" where at most
    its files do; `listed`: its lines that are neither order nor ours nor a signature; `asked`: why nothing of it is
    taken, keys of `WHY`; `rivals`: the lines between which somebody is to decide.
    """

    key: str
    name: str
    at: int
    sender: str = ""
    quiet: bool = False
    club: str = ""
    listed: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    rivals: tuple[tuple[str, ...], ...] = ()

    @property
    def when(self) -> str:
        """Its time as the clock on this machine's wall shows it."""
        return Arrival(self.name, self.at).when


@dataclass(frozen=True)
class Returned:
    """A failure that a server reports: the mail of its own that says so, and of what it tells."""

    name: str
    told: Undelivered


@dataclass
class Brought:
    """What mails bring: what is to be taken in, who wrote, what came back, and the Message-IDs of ours that lie there.
    """

    arrivals: list[Arrival] = field(default_factory=list)
    mails: list[Mailed] = field(default_factory=list)
    returned: list[Returned] = field(default_factory=list)
    own: set[str] = field(default_factory=set)
    aside: list[Mailed] = field(default_factory=list)
    """Mails without a code of which nothing is an order and nothing seems to be of this campaign."""
    machines: set[str] = field(default_factory=set)
    """The keys of mails that a program wrote by itself."""


_WORD = re.compile(r"[^\s,;:>→]+")


def brought_by(mails: Iterable[Fetched], sitting: Sitting, known: Codes, sent: Callable[[str], Sent]) -> Brought:
    """What the mails bring, the earliest first; the same mail, by its Message-ID and its orders, once. `sent`: faction
    -> what we sent to it.
    """
    batch, seen = Brought(), set[tuple[str, tuple[bytes, ...]]]()
    for mail in sorted(mails, key=lambda one: (one.at, one.key)):
        read = read_mail(mail.raw) if mail.raw else Arrived(doubts=(Doubt("too_large"),))
        if read.kind == "own":
            batch.own.add(read.ident)
        elif read.kind == "failure" and read.undelivered is not None:
            batch.returned.append(Returned(_called(mail, read), read.undelivered))
        elif read.kind == "machine":
            batch.machines.add(mail.key)
        if read.kind != "person":
            continue
        said, pieces = _pieces(mail, read, sitting, known, sent)
        same = (read.ident, tuple(one.data for one in pieces if one.data))
        if not read.ident or not same[1] or same not in seen:
            batch.arrivals += pieces
            batch.mails.append(said)
            batch.aside += [] if pieces or said.club else [said]
        seen.add(same)
    return batch


def understands(ruleset: Ruleset, campaign: Campaign, faction: str) -> Callable[[str], bool]:
    """Whether a line is an order or an answer of a faction, as far as the rulebook can read it.

    A line that names nothing of the campaign and no verb is a greeting, also where a rulebook would read any word.
    """
    said = {word.casefold() for verb in ruleset.verbs.values() for word in (verb.en, verb.it, *verb.also)}
    said |= {code.casefold() for table in campaign.tables().values() for code, _ in table.items()}
    said |= {name.casefold() for table in campaign.tables().values() for row in table for name in names_held(row)}
    kinds = {*ruleset.questions, *BATTLE_WORDS}

    def counts(text: str) -> bool:
        if taken_back(text, campaign, faction) or (faction and of_club(text, ruleset)):
            return True
        words = _WORD.findall(text.casefold())
        if not any(" ".join(words[i:i + n]) in said for i in range(len(words))
                   for n in range(1, LONGEST_SPOKEN + 1)) and not (
                kind_and_rest(text, ruleset)[0] or (words[:1] and words[0] in kinds)):
            return False
        line = sort_line(text, ruleset, campaign, faction)
        if not may_send(line, faction):
            return False
        if line.kind == "order":
            return not ruleset.understand(line.words, campaign, line.faction).problem
        return line.kind != "answer" or find_question(line.words, ruleset, campaign, line.faction) is not None
    return counts


def _pieces(mail: Fetched, read: Arrived, sitting: Sitting, known: Codes, sent: Callable[[str], Sent]
            ) -> tuple[Mailed, list[Arrival]]:
    """A person's mail, and what it brings: its copy and files, then its lines, which are added to the copy's rows."""
    name, books = _called(mail, read), [one for one in read.files if one.kind == "workbook"]
    if not read.tokens and len(books) == 1:  # the code of its copy is that of its lines
        read = replace(read, tokens=tuple(code for code in codes_in(books[0].data) if code in known.factions))
    clubs = {known.factions.get(token, "") for token in read.tokens}
    club = next(iter(clubs), "") if len(clubs) == 1 else ""
    ours = sent(club)
    sifted = sift(read, ours, understands(sitting.ruleset, sitting.campaign, club)) if club or not clubs else Sifted()
    why: list[Why] = []
    if clubs and not club:
        why = ["two_codes" if len(clubs) > 1 else "other_code"]
    elif club and any(turn != sitting.campaign.desk.turn for turn in sifted.turns) and (
            sifted.lines or sifted.doubts):
        why = ["other_turn"]
    elif read.doubts or (club and sifted.doubts):
        why = [one.why for one in (*read.doubts, *(sifted.doubts if club else ()))]
    elif len(books) > 1:
        why = ["two_copies"]
    elif not club and not books and (_is_ours(read, sitting) or sifted.lines or sifted.doubts or any(
            one.kind in ("table", "text") for one in read.files)):
        why = ["no_code"]
    rivals = sifted.rivals if why and why[0] not in ("two_codes", "other_code", "other_turn") else ()
    said = Mailed(mail.key, name, mail.at, read.sender, read.quiet, club, sifted.listed if club else (), tuple(why),
                  rivals)
    if why:
        idle = not _is_about(read, sitting) if why == ["other_code"] else why == ["no_code"] and not (
            sifted.lines or sifted.doubts or read.files)  # one mailbox may serve two campaigns
        words = rivals or tuple(filter(None, [sifted.lines + sifted.listed])) or _own_words(read)
        return said, [] if idle and not words else [_asked(said, one, words, sitting, idle=idle) for one in why]
    return said, list(_taken(mail, read, club, sifted, ours, sitting)) if club or books else []


def _is_ours(read: Arrived, sitting: Sitting) -> bool:
    """Whether a mail without a code is of the campaign all the same: from a club's address, or about it."""
    known = {one.casefold() for row in sitting.campaign.table(Faction) for one in addresses_of(row)}
    return read.sender.casefold() in known or _is_about(read, sitting)


def _is_about(read: Arrived, sitting: Sitting) -> bool:
    """Whether a mail's subject names the campaign as the subjects of ours do, in any language or as it is typed."""
    desk, ruleset = sitting.campaign.desk, sitting.ruleset
    titles = {desk.title or ruleset.title, *(campaign_title(desk, Wording(ruleset, lang)) for lang in LANGUAGES)}
    return any(f"[{title}]".casefold() in read.subject.casefold() for title in titles)


def _own_words(read: Arrived) -> tuple[tuple[str, ...], ...]:
    """The first lines of a mail that stand in no quote, as one group; () for none."""
    lines = [line.text for words in read.words for line in words.text or words.html or ()
             if line.text and not line.depth and not remark(line.text)]
    return (tuple(lines[:_FEW]),) if lines else ()


def _taken(mail: Fetched, read: Arrived, club: str, sifted: Sifted, ours: Sent, sitting: Sitting) -> Iterator[Arrival]:
    name = _called(mail, read)
    unread = [one for one in read.files if one.kind == "other"]
    counts = bool(sifted.lines) or any(one.kind in ("workbook", "table", "text") for one in read.files)
    if not (counts or sifted.listed or any(ours.holds(line.text) for words in read.words
                                           for line in (*(words.text or ()), *(words.html or ())) if line.text)):
        unread += [one for one in read.files if one.kind == "picture"]  # its page is nothing but that
    for one in read.files:
        if one.kind == "workbook" or (club and one.kind in ("table", "text")):
            yield Arrival(f"{name}, {one.name}", mail.at, one.data, mail.key, club=club)
    for one in unread:
        told = codes.finding(codes.UNREAD_FILE, file=f"{name}, {one.name}")
        yield Arrival(f"{name}, {one.name}", mail.at, one.data, mail.key, club=club,
                      trouble=replace(told, severity="info") if counts else None)
    if not club:
        words = [*sifted.lines, *sifted.listed, *(one.name for one in read.files if one.kind in ("table", "text"))]
        if words:
            yield _asked(Mailed(mail.key, name, mail.at), "no_code", [words], sitting, idle=not counts)
        return
    if sifted.lines:
        yield Arrival(f"{name}.txt", mail.at, "\n".join((*read.tokens, *sifted.lines)).encode(), mail.key, club=club)
    if sifted.listed:
        yield Arrival(name, mail.at, together=mail.key, trouble=codes.finding(
            codes.MAIL_LISTED, file=name, faction=club, list=Verbatim("; ".join(map(_short, sifted.listed)))))


def _asked(said: Mailed, why: str, words: Sequence[Sequence[str]], sitting: Sitting, *, idle: bool) -> Arrival:
    """An arrival of which nothing is taken before the referee has decided. `words`: what it says, or the groups of
    lines between which he decides; `idle`: none of that is an order, and he is only told.
    """
    both = " / ".join("; ".join(map(_short, one)) for one in words)
    told = codes.finding(codes.MAIL_ASKED, file=said.name, reason=sitting.wording.text(WHY[why]),
                         list=Verbatim(both or "-"), book=sitting.path.name)
    return Arrival(said.name, said.at, together=said.key, trouble=replace(told, severity="info") if idle else told)


def _called(mail: Fetched, read: Arrived) -> str:
    """The displayed name of a mail: its sender and its number in the mailbox, never a path."""
    plain = "".join(sign for sign in read.sender if sign.isprintable() and sign not in "/\\")
    return f"{plain or '?'} {mail.key.rpartition('/')[2]}"


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


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


def strangers(mails: Iterable[Mailed], done: Collected, campaign: Campaign) -> dict[str, str]:
    """Mails that count and whose sender is no address of the club whose code they bear: key -> sender."""
    counted = {one.arrival.together for part in done.chosen.parts for one in part.opened}
    senders = {}
    for mail in mails:
        row = campaign.table(Faction).get(_club(mail, done))
        if row is not None and mail.key in counted and mail.sender.casefold() not in {
                one.casefold() for one in addresses_of(row)} and addresses_of(row):
            senders[mail.key] = mail.sender or "?"
    return senders


def say_strangers(mails: Iterable[Mailed], done: Collected, sitting: Sitting, result: Result) -> None:
    """Add findings about unknown senders whose mails count."""
    mails = list(mails)
    known = strangers(mails, done, sitting.campaign)
    result.find([codes.finding(codes.UNKNOWN_SENDER, file=one.name, faction=_club(one, done),
                               address=Verbatim(known[one.key])) for one in mails if one.key in known])


def replies(mails: Sequence[Mailed], done: Collected, sitting: Sitting, answered: Collection[str]) -> list[Reply]:
    """The receipts for mails that were not answered yet. `answered`: the keys of those that were."""
    known, found = strangers(mails, done, sitting.campaign), []
    clubs = dict.fromkeys(club for one in mails if (club := _club(one, done)))
    for club in clubs:
        row = sitting.campaign.table(Faction).get(club)
        mine = [(one, _answer(one, done, known.get(one.key, ""))) for one in mails
                if one.key not in answered and _club(one, done) == club]
        mine = [(one, said) for one, said in mine if said is not None]
        if row is None or not any(not one.quiet or one.key in known for one, _ in mine):
            continue
        parts, rows = _rows_of(club, {one.key for one, _ in mine}, done, sitting)
        receipt = receipt_of(sitting.ruleset, done.after, club, parts, rows, [said for _, said in mine if said])
        words = tuple(line for one, _ in mine for line in (*one.listed, *(text for both in one.rivals for text in both),
                                                           one.name, one.sender))
        found.append(Reply(receipt, addresses_of(row), tuple(one.key for one, _ in mine), words))
    return found


def _club(mail: Mailed, done: Collected) -> str:
    return mail.club or next((one.club for one in done.opened if one.arrival.together == mail.key and one.club), "")


def _answer(mail: Mailed, done: Collected, stranger: str) -> Answered | None:
    """What a club is told about its mail besides its rows; None for a mail that has nothing for us."""
    opened = [one for one in done.opened if one.arrival.together == mail.key]
    counts = any(one in part.opened for part in done.chosen.parts for one in opened)
    rivals = [part for pair in done.chosen.rivals for part in pair if any(one in part.opened for one in opened)]
    brought = [one for one in opened if one.incoming is not None and one.arrival.trouble is None]
    unfilled = any(one.untouched for one in brought)
    older = bool(brought) and not (counts or rivals or unfilled)
    findings = tuple(finding for one in opened if one.arrival.trouble is None and one.incoming is None
                     for finding in one.findings if finding.stops)
    if not (counts or rivals or brought or findings or mail.listed or mail.asked):
        return None
    asked = (*(WHY[one] for one in mail.asked), *([SAME_MINUTE] if rivals else []))
    return Answered(mail.when, stranger, mail.listed, asked, mail.rivals, findings, older, unfilled)


def _rows_of(club: str, keys: Collection[str], done: Collected, sitting: Sitting) -> tuple[list[Part], list[Row]]:
    """The parts of a club that these mails brought and that count, and what became of their rows: now, or in a run that
    was cut short before it could answer.
    """
    mine = [part for part in done.chosen.parts if part.faction == club
            and any(one.arrival.together in keys for one in part.opened)]
    now = [(part, rows) for part, rows in done.taken if part.faction == club]
    parts, rows = [part for part, _ in now], [row for _, some in now for row in some]
    again = Replacing(sitting.ruleset, done.after, done.after.copy())
    for part in mine:
        if not any(part is one for one in parts):
            parts.append(part)
            rows += again.take(part, set(), unreadable(part))
    return parts, rows


def answer_mails(counter: Counter, found: Sequence[Reply], result: Result, after: Campaign | None = None) -> set[str]:
    """Send the receipts, and those of before that have not left yet; the keys of mails that stay without an answer.
    `after`: the campaign with what came in it, where each receipt has its club's orders drawn.

    Raises `Stop`, `LedgerTrouble`, OSError.
    """
    sitting, words = counter.sitting, counter.sitting.wording
    result.find([codes.finding(codes.NO_RECEIPT, faction=one.receipt.faction) for one in found if not one.to])
    reached = [one.receipt.faction for one in found if one.to]
    drawn, unmade = orders_drawn(sitting.ruleset, after, reached) if after is not None else ({}, [])
    result.find(unmade)
    packages = [_package(one, sitting, drawn.get(one.receipt.faction, ())) for one in found if one.to]
    with at_the_counter(counter, "collect") as (office, box):
        going = [office.going(one) for one in packages]
        if not going and not any(row.open and row.kind == RECEIPT for row in office.rows):
            return set()
        shown = Result("collect", lines=listed(going, words) if going else [], wording=words)
        result.find(held_back(going, sitting))
        held = {key for one in going if one.held for key in one.package.about}
        if held:
            result.exit = Exit.REFUSED
        if not counter.may(shown, office):
            result.exit = Exit.REFUSED
            result.find([codes.finding(codes.NOBODY_ASKED)])
            return {key for one in going for key in one.package.about}
        before = frozenset(row.ident for row in office.rows if row.at_stage("taken"))
        rows = [row for row in counter.carried(going, office, box) if row.kind == RECEIPT]
        summed_up(result, sitting, rows, counter.troubles, before)
        result.data["answered"] = sorted({row.faction for row in rows if row.at_stage("taken")})
        return held


def _package(reply: Reply, sitting: Sitting, shown: Sequence[tuple[Inset, bytes]]) -> Package:
    """A receipt as a letter to its club, searched for what it may not know."""
    campaign, faction = in_force(sitting.campaign), reply.receipt.faction
    row, view = campaign.table(Faction)[faction], sitting.ruleset.view(campaign, faction)
    words = words_of(sitting.ruleset, view, row.language or campaign.desk.language)
    tokens: Mapping[str, str] = tokens_of(sitting)
    subject = words.text(SUBJECT, campaign=campaign_title(view.desk, words),
                         name=Verbatim(row.name(words.lang)), where=Verbatim(where_of(sitting.ruleset, view, words)))
    letter = short_letter(RECEIPT, words, faction, subject, [reply.receipt.text.rstrip("\n")], tokens.get(faction, ""),
                          shown)
    others = {token for code, token in tokens.items() if code != faction}
    hits = leaked(letter, secrets_of(campaign) | secrets_of_codes(others), sitting.ruleset, [view],
                  [sitting.path.stem, campaign.desk.title, campaign_title(view.desk, words), *reply.own_words])
    return Package(letter, reply.to, words, hits, as_written(letter), reply.keys)


# `collect` from a mailbox; nothing in it is marked or changed.


_SEEN = "mails.read"
"""The ledger's key for mails that were looked at: key of the mail -> the turn in which it came."""
UNSENT = 30
"""How many days back mails are read at most, counted from the first one sent in this turn."""
ASIDE = 12
"""How many senders of unrelated mails are named."""
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def collect_from_post(at: At, places: Sequence[Path], *, clock: Clock, since: date | None = None,
                      dry_run: bool = False, receipts: Path | None = None, answering: PostWish | None = None,
                      lang: str = "", pictures: bool = False) -> Result:
    """Take in what the clubs have sent to the mailbox of `post setup`, and what lies in these folders.

    `since`: the first day whose mails are read, else as `first_day` has it; `answering`: how each mail is answered to
    its club's addresses, None for not at all; `pictures`: with a
    club's orders on its map; the rest and the result's data as of `collect`, and ``mails``: how many
    were looked at, ``answered``: who has got a receipt. A mailbox that cannot be read ends as refused, and then nothing
    is taken.
    """
    try:
        sitting = sit(at, lang)
        stop_on_data(sitting)
        post, server, secret = _mailbox_known(sitting)
        if answering is not None:
            answering = answering.spelled(lambda typed: club_of(sitting.campaign, typed, sitting.wording))
        day = since or first_day(sitting, clock.now())
        try:
            mails = _fetched(sitting, lambda: mailbox(post, secret), "INBOX", day)
        except (PostTrouble, *PROBLEMS) as problem:
            return Result("collect", Exit.REFUSED, wording=sitting.wording,
                          findings=of_troubles([trouble_of(problem, server)]))
        counter = Counter(sitting, post, clock, answering or PostWish(), (RECEIPT,))
        wanted = _Wanted(dry_run=dry_run, receipts=receipts, answer=answering is not None and not dry_run,
                         pictures=pictures)
        return _collected(sitting, mails, places, day, wanted, counter)
    except Stop as stopped:
        return stopped.result("collect")
    except OSError as fault:
        return folder_stop(fault, home(), N_("the mails"), lang).result("collect")


class _Wanted(NamedTuple):
    """Options of the command. `receipts`: a folder for the answers; `answer`: whether mails are answered;
    `pictures`: whether answers have the club's orders drawn.
    """

    dry_run: bool = False
    receipts: Path | None = None
    answer: bool = False
    pictures: bool = False


def _mailbox_known(sitting: Sitting) -> tuple[Post, Server, str]:
    """Our post, the server of its mailbox, and its password. Raises `Stop` where one of them is not known."""
    post = load()
    if post is None or post.imap is None:
        raise stop(Exit.REFUSED, codes.NO_MAILBOX, sitting.lang, sitting.wording)
    secret = password(post)
    if not secret:
        raise stop(Exit.REFUSED, codes.NO_PASSWORD, sitting.lang, sitting.wording, login=post.login or post.address,
                   variable=PASSWORD)
    return post, post.imap, secret


def first_day(sitting: Sitting, now: datetime) -> date:
    """From which day on mails are read: the one before the last mail of the turn before went out, as days begin
    elsewhere at another hour, but no more than thirty days before this turn's first; where nothing went out of thirty
    days. Clubs may have had their copies, and answered, long before a mail of this turn went out. Raises `Stop`.
    """
    try:
        with Ledger.open(path_of(sitting.path), sitting.campaign.desk.campaign_id) as ledger:
            sent = [(row.turn == sitting.campaign.desk.turn, parsedate_to_datetime(row.date))
                    for row in ledger.outbox.rows() if row.has_left]
    except LedgerTrouble as trouble:
        raise sitting.ledger_stop(trouble) from trouble
    first = min((when for ours, when in sent if ours), default=now)
    earliest = first - timedelta(days=UNSENT)
    before = [when for ours, when in sent if not ours and when < first]
    return max([earliest, *(when - timedelta(days=1) for when in before)]).date()


def collect_mail(at: At, box: Callable[[], IMAP4], *, folder: str = "INBOX", since: date | None = None,
                 dry_run: bool = False, receipts: Path | None = None, lang: str = "") -> Result:
    """Take in what the clubs have sent to a mailbox, the newest by the server's time.

    `box`: opens the connection, logged in; `folder`, `since`: which mails, None for all; `dry_run`, `receipts`: as of
    `collect`. A mail that was looked at in an earlier turn is left aside, one of this turn is looked at again, so that
    nothing is lost where `undo` took back what it had brought. Raises what `box` and `imaplib` raise.
    """
    try:
        sitting = sit(at, lang)
        stop_on_data(sitting)
        mails = _fetched(sitting, box, folder, since)
        return _collected(sitting, mails, (), since, _Wanted(dry_run, receipts))
    except Stop as stopped:
        return stopped.result("collect")


def _collected(sitting: Sitting, mails: list[Fetched], places: Sequence[Path], since: date | None, wanted: _Wanted,
               counter: Counter | None = None) -> Result:
    """Mails beside what lies in folders, taken in; what came back of ours written down; the mails answered. `counter`:
    None where no post is at hand. Raises `Stop`, OSError.
    """
    turn, lying, seen = sitting.campaign.desk.turn, lying_in(places, sitting), _seen(sitting)
    brought = brought_by(mails, sitting, codes_of(sitting), lambda faction: what_was_sent(sitting, faction))
    back = _written_down(sitting, brought, None if wanted.dry_run else counter)
    arrivals: list[Arrival] = sorted((*lying, *brought.arrivals), key=lambda one: one.at)
    result, done = taken_in(sitting, arrivals, dry_run=wanted.dry_run, receipts=wanted.receipts,
                            pictures=wanted.pictures)
    if brought.mails or brought.returned:
        result.findings = [one for one in result.findings if one.code != codes.NOTHING_CAME]
    result.find(sitting.placed(back))
    fresh = [one for one in brought.mails if one.key not in seen]
    say_strangers(fresh, done, sitting, result)
    if since is not None:
        result.say(sitting.wording.plural(N_("{n} mail since {day} was looked at; nothing in the mailbox was changed."),
                                          N_("{n} mails since {day} were looked at; nothing in the mailbox was changed."
                                             ), len(mails), day=Verbatim(since.isoformat())))
    aside = [one.sender or one.name for one in brought.aside if one.key not in seen]
    if aside:
        said = [*dict.fromkeys(aside[:ASIDE]), *(["…"] if aside[ASIDE:] else [])]
        result.say(sitting.wording.plural(N_("{n} mail without a code was left aside: no line of it is an order. From"
                                             " {list}."),
                                          N_("{n} mails without a code were left aside: no line of them is an order."
                                             " From {list}."), len(aside), list=Verbatim(", ".join(said))))
    result.data["mails"] = len(mails)
    if wanted.dry_run:
        return result
    left: set[str] = set()
    if counter is not None and wanted.answer:
        left = _answered(counter, fresh, done, result, done.after if wanted.pictures else None)
    never = brought.machines | {one.key for one in brought.aside}
    _note(sitting, {one.key: "" if one.key in never else turn for one in mails if one.key not in left})
    if any(one.code == codes.MAIL_RETURNED for one in back) and not done.moved:
        _show_on_desk(sitting)
    result.find(sitting.second_copies)
    return result


def _written_down(sitting: Sitting, brought: Brought, counter: Counter | None) -> list[Finding]:
    """What is to be said of mails of ours that came back; they are marked, and those that lie in our mailbox settled,
    where a counter is given. Raises `Stop`, OSError.
    """
    if not (brought.returned or brought.own):
        return []
    desk, found = sitting.campaign.desk, list[Finding]()
    try:
        with Ledger.open(path_of(sitting.path), desk.campaign_id) as ledger:
            known = ledger.outbox.rows()
            if counter is not None:
                journal, now = Journal(desk.campaign_id), counter.clock.now().isoformat()
                mark_found(ledger.outbox, journal, brought.own, now)
                told = [one.told for one in brought.returned]
                for row in mark_returned(ledger.outbox, journal, told, now):
                    found += [one for one in of_mail(row, sitting.path.name) if one.code == codes.MAIL_RETURNED]
    except LedgerTrouble as trouble:
        raise sitting.ledger_stop(trouble) from trouble
    return found + [codes.finding(
        codes.MAIL_FAILED, file=one.name, list=Verbatim(", ".join(one.told.addresses) or "?"),
        reason=Verbatim(one.told.cause)) for one in brought.returned if row_of(one.told, known) is None]


def _answered(counter: Counter, mails: Sequence[Mailed], done: Collected, result: Result, drawn: Campaign | None
              ) -> set[str]:
    """Answer the mails, each once; the keys of those that stay without an answer. `drawn`: as of `answer_mails`.

    Raises `Stop`, OSError.
    """
    sitting = counter.sitting
    try:
        with Ledger.open(path_of(sitting.path), sitting.campaign.desk.campaign_id) as ledger:
            known = {key for row in ledger.outbox.rows() if row.kind == RECEIPT for key in row.about}
        return answer_mails(counter, replies(mails, done, sitting, known), result, drawn)
    except LedgerTrouble as trouble:
        raise sitting.ledger_stop(trouble) from trouble


def _show_on_desk(sitting: Sitting) -> None:
    """Rewrite the lines of the Desk sheet after a bounce. Raises `Stop`."""
    with at_work(sitting, "collect") as session:
        words = sitting.sheet_wording
        lines = desk_lines(sitting.ruleset, sitting.campaign, words, sitting.typed_name, [])
        session.commit("mark", sitting.campaign.copy(), lines)


def _fetched(sitting: Sitting, box: Callable[[], IMAP4], folder: str, since: date | None) -> list[Fetched]:
    """The mails of this turn, or that were never looked at. Raises what `box` and `imaplib` raise."""
    seen, turn = _seen(sitting), sitting.campaign.desk.turn
    connection = box()
    try:
        return list(mails_in(connection, lambda key: seen.get(key, turn) != turn, folder, _day(since)))
    finally:
        with contextlib.suppress(*PROBLEMS):
            connection.logout()


def _day(since: date | None) -> str:
    return "" if since is None else f"{since.day}-{_MONTHS[since.month - 1]}-{since.year}"


def what_was_sent(sitting: Sitting, faction: str) -> Sent:
    """What was sent to a faction and to everybody, by which a quote of it is known; where none of it went out from here
    its report as it would be sent now. Raises `Stop`.
    """
    if not faction:
        return Sent()
    try:
        with Ledger.open(path_of(sitting.path), sitting.campaign.desk.campaign_id) as ledger:
            said = [*ledger.outbox.said(faction), *ledger.outbox.said("")]
    except LedgerTrouble as trouble:
        raise sitting.ledger_stop(trouble) from trouble
    if said:
        return Sent(said)
    row = sitting.campaign.table(Faction).get(faction)
    language = (row.language if row is not None else "") or sitting.campaign.desk.language
    view = sitting.ruleset.view(in_force(sitting.campaign), faction)
    page = build_page(sitting.ruleset, view, faction, Wording(sitting.ruleset, language))
    return Sent((render_text(page), "\n".join(one.text for one in lines_of_html(render_html(page)))))


def _seen(sitting: Sitting) -> dict[str, str]:
    try:
        with Ledger.open(path_of(sitting.path), sitting.campaign.desk.campaign_id) as ledger:
            found: dict[str, str] = json.loads(ledger.noted(_SEEN) or "{}")
            return found
    except LedgerTrouble as trouble:
        raise sitting.ledger_stop(trouble) from trouble


def _note(sitting: Sitting, looked_at: Mapping[str, str]) -> None:
    """Keep which mails came in which turn ("": they can never count, and are not fetched again). It is written after
    what they brought: a crash between the two lets them be looked at once more.
    """
    try:
        with Ledger.open(path_of(sitting.path), sitting.campaign.desk.campaign_id) as ledger:
            seen: dict[str, str] = json.loads(ledger.noted(_SEEN) or "{}")
            if looked_at.keys() - seen.keys():
                ledger.note(_SEEN, json.dumps({**looked_at, **seen}, sort_keys=True))
    except LedgerTrouble as trouble:
        raise sitting.ledger_stop(trouble) from trouble


# `collect` for a button.


def collect_at_hand(at: At, folder: Path, *, clock: Clock, answering: PostWish, lang: str = "",
                    pictures: bool = False) -> Result:
    """Take in what lies in a folder, which is made where it is missing, and what clubs have sent to the mailbox, where
    `post setup` knows one; `clock`, `answering`, `pictures`: as of `collect_from_post`. The result's data: as of
    `collect`.
    """
    try:
        folder.mkdir(exist_ok=True)
    except OSError as fault:
        return folder_stop(fault, folder, N_("what the clubs sent"), lang).result("collect")
    post = load()
    result = collect(at, [folder], lang=lang) if post is None or post.imap is None else collect_from_post(
        at, [folder], clock=clock, answering=answering, lang=lang, pictures=pictures)
    if result.wording is not None and result.data.get("sources") == []:
        result.say(result.wording.text(N_("What clubs send back goes into the folder {folder}."),
                                       folder=Verbatim(folder.name)))
    return result
