"""Mails in; what arrived with them out: of each club's mail its copy, its lines and its files, in one piece; failures.

The code decides whose orders they are, whoever sent them. What nobody can know, and what could not be read, becomes
an arrival with its trouble, so that it is listed beside the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Faction, names_held
from assistant.catalogues import LANGUAGES
from assistant.desk import codes
from assistant.desk.collecting.arriving import Arrival
from assistant.desk.collecting.opening_copies import codes_in
from assistant.desk.collecting.taken_back import taken_back
from assistant.desk.intake.plainlines import BATTLE_WORDS, find_question, kind_and_rest, may_send, of_club, sort_line
from assistant.desk.mailing.packages import addresses_of
from assistant.desk.sitting.copies import Codes
from assistant.desk.sitting.sitting import Sitting
from assistant.post.inbox.arrivals import read_mail
from assistant.post.inbox.arrived import Arrived, Doubt, Undelivered, Why
from assistant.post.inbox.imap_folder import Fetched
from assistant.post.inbox.what_counts import Sent, Sifted, sift
from assistant.titles import campaign_title
from assistant.turn.orders.marks import remark
from assistant.turn.orders.spoken import LONGEST
from assistant.turn.ruleset import Ruleset
from assistant.wording import N_, Verbatim, Wording

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
"""So many signs of a line are shown, so many lines of a mail."""


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
    found, seen = Brought(), set[tuple[str, tuple[bytes, ...]]]()
    for mail in sorted(mails, key=lambda one: (one.at, one.key)):
        read = read_mail(mail.raw) if mail.raw else Arrived(doubts=(Doubt("too_large"),))
        if read.kind == "own":
            found.own.add(read.ident)
        elif read.kind == "failure" and read.undelivered is not None:
            found.returned.append(Returned(_called(mail, read), read.undelivered))
        elif read.kind == "machine":
            found.machines.add(mail.key)
        if read.kind != "person":
            continue
        said, pieces = _pieces(mail, read, sitting, known, sent)
        same = (read.ident, tuple(one.data for one in pieces if one.data))
        if not read.ident or not same[1] or same not in seen:
            found.arrivals += pieces
            found.mails.append(said)
            found.aside += [] if pieces or said.club else [said]
        seen.add(same)
    return found


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
        if not any(" ".join(words[i:i + n]) in said for i in range(len(words)) for n in range(1, LONGEST + 1)) and not (
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
    """What a mail is called: who sent it and where it lies, never as a path."""
    plain = "".join(sign for sign in read.sender if sign.isprintable() and sign not in "/\\")
    return f"{plain or '?'} {mail.key.rpartition('/')[2]}"


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
