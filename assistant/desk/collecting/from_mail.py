"""Mails in; what arrived with them out: of each club's mail its copy, its lines and its files, in one piece.

The code decides whose orders they are, whoever sent them. What nobody can know, and what could not be read, becomes
an arrival with its trouble, so that it is listed beside the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import names_held
from assistant.desk import codes
from assistant.desk.collecting.arriving import Arrival
from assistant.desk.intake.plainlines import BATTLE_WORDS, find_question, kind_and_rest, may_send, sort_line
from assistant.desk.sitting.copies import Codes
from assistant.desk.sitting.sitting import Sitting
from assistant.post.inbox.arrivals import read_mail
from assistant.post.inbox.arrived import Arrived, Doubt
from assistant.post.inbox.imap_folder import Fetched
from assistant.post.inbox.what_counts import Sent, Sifted, sift
from assistant.turn.orders.spoken import LONGEST
from assistant.turn.ruleset import Ruleset
from assistant.wording import N_, Verbatim

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
    "struck_out": N_("orders in it are struck out"),
    "text_and_html": N_("its text and its HTML say different things"),
    "two_blocks": N_("two filled blocks in it say different things"),
    "block_and_lines": N_("its filled block and the lines outside it say different things"),
    "two_copies": N_("two copies in it say different things"),
    "no_code": N_("it bears no code"),
    "other_turn": N_("its block is of another turn"),
}
"""Why a mail is asked about, as the referee reads it."""
_SHOWN = 60
_WORD = re.compile(r"[^\s,;:>→]+")


def mail_arrivals(mails: Iterable[Fetched], sitting: Sitting, known: Codes, sent: Callable[[str], Sent],
                  ) -> list[Arrival]:
    """What the mails bring, the earliest first; the same mail, by its Message-ID and its orders, once. `sent`: faction
    -> what we sent to it.
    """
    found, seen = list[Arrival](), set[tuple[str, tuple[bytes, ...]]]()
    for mail in sorted(mails, key=lambda one: (one.at, one.key)):
        read = read_mail(mail.raw) if mail.raw else Arrived(doubts=(Doubt("too_large"),))
        pieces = list(_pieces(mail, read, sitting, known, sent))
        same = (read.ident, tuple(one.data for one in pieces))
        if not read.ident or not any(one.data for one in pieces) or same not in seen:
            found += pieces
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
            ) -> Iterator[Arrival]:
    """What one mail brings: its copy and files, then its lines, which are added to the copy's rows."""
    name = _called(mail, read)
    if read.kind == "failure" and read.undelivered is not None:
        told = read.undelivered
        yield Arrival(name, mail.at, trouble=codes.finding(
            codes.MAIL_FAILED, file=name, list=Verbatim(", ".join(told.addresses) or "?"), reason=Verbatim(told.cause)))
    if read.kind != "person":
        return
    clubs = {known.factions.get(token, "") for token in read.tokens}
    books = [one for one in read.files if one.kind == "workbook"]
    if len(clubs) > 1 or "" in clubs:
        yield _asked(mail, name, Doubt("two_codes"), sitting)
        return
    club = next(iter(clubs), "")
    sifted = sift(read, sent(club), understands(sitting.ruleset, sitting.campaign, club)) if club else Sifted()
    doubts = [*read.doubts, *sifted.doubts]
    stale = any(turn != sitting.campaign.desk.turn for turn in sifted.turns) and (sifted.lines or sifted.doubts)
    if stale:
        yield _asked(mail, name, "other_turn", sitting)
    elif doubts:
        yield from (_asked(mail, name, one, sitting, sifted) for one in doubts)
    elif len(books) > 1:
        yield _asked(mail, name, Doubt("two_copies"), sitting)
    elif club or books:
        yield from _taken(mail, read, name, club, sifted)
    elif any(one.kind != "other" for one in read.files) or sift(
            read, sent(""), understands(sitting.ruleset, sitting.campaign, "")).lines:
        yield _asked(mail, name, Doubt("no_code"), sitting)


def _taken(mail: Fetched, read: Arrived, name: str, club: str, sifted: Sifted) -> Iterator[Arrival]:
    for one in read.files:
        if one.kind != "other":
            yield Arrival(f"{name}, {one.name}", mail.at, one.data, mail.key, club=club)
    if sifted.lines:
        yield Arrival(f"{name}.txt", mail.at, "\n".join((*read.tokens, *sifted.lines)).encode(), mail.key, club=club)
    if sifted.listed:
        yield Arrival(name, mail.at, together=mail.key, trouble=codes.finding(
            codes.MAIL_LISTED, file=name, faction=club, list=Verbatim("; ".join(map(_short, sifted.listed)))))


def _asked(mail: Fetched, name: str, doubt: Doubt | str, sitting: Sitting, sifted: Sifted | None = None) -> Arrival:
    """An arrival of which nothing is taken before the referee has decided."""
    why = doubt if isinstance(doubt, str) else doubt.why
    both = " / ".join("; ".join(map(_short, one)) for one in (sifted.rivals if sifted else ()))
    return Arrival(name, mail.at, together=mail.key, trouble=codes.finding(
        codes.MAIL_ASKED, file=name, reason=sitting.wording.text(WHY[why]), list=Verbatim(both or "-"),
        book=sitting.path.name))


def _called(mail: Fetched, read: Arrived) -> str:
    """What a mail is called: who sent it and where it lies, never as a path."""
    plain = "".join(sign for sign in read.sender if sign.isprintable() and sign not in "/\\")
    return f"{plain or '?'} {mail.key.rpartition('/')[2]}"


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
