"""What was collected and the mails that brought it in; receipts to the clubs' registered addresses out, each mail once.

A receipt goes to the addresses that stand on the sheet Factions, whoever wrote and whatever his mail asks for; none
answers a machine, or a mail that went to many.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Faction
from assistant.desk import codes
from assistant.desk.collecting.collecting import Collected
from assistant.desk.collecting.from_mail import WHY, Mailed
from assistant.desk.collecting.newest import Part
from assistant.desk.collecting.receipts import Answered, Receipt, receipt_of
from assistant.desk.collecting.replacing import Replacing, Row, unreadable
from assistant.desk.depicting.pictured import orders_drawn
from assistant.desk.evening.reports import words_of
from assistant.desk.mailing.counter import Counter, at_the_counter
from assistant.desk.mailing.packages import (
    RECEIPT,
    Package,
    addresses_of,
    as_written,
    secrets_of_codes,
    short_letter,
)
from assistant.desk.mailing.told_of_mails import held_back, listed, summed_up
from assistant.desk.playing.next_steps import where_of
from assistant.desk.results import Exit, Result
from assistant.desk.sitting.copies import tokens_of
from assistant.desk.sitting.sitting import Sitting
from assistant.post.out.leak_search import leaked, secrets_of
from assistant.reporting.shelf.insets import Inset
from assistant.titles import campaign_title
from assistant.turn.superseded import in_force
from assistant.wording import N_, Verbatim

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
    found = {}
    for mail in mails:
        row = campaign.table(Faction).get(_club(mail, done))
        if row is not None and mail.key in counted and mail.sender.casefold() not in {
                one.casefold() for one in addresses_of(row)} and addresses_of(row):
            found[mail.key] = mail.sender or "?"
    return found


def say_strangers(mails: Iterable[Mailed], done: Collected, sitting: Sitting, result: Result) -> None:
    """Tell the referee who wrote from an address that nobody knows, and counts."""
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
    """Whose mail it is: by the code that it names, else by that of its file."""
    return mail.club or next((one.club for one in done.opened if one.arrival.together == mail.key and one.club), "")


def _answer(mail: Mailed, done: Collected, stranger: str) -> Answered | None:
    """What a club is told of its mail beside how its rows were understood; None for a mail that says nothing to us."""
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
