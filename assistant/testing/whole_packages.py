"""A campaign and a faction in; every byte that leaves for it out, and whatever in it tells of what it may not see.

A whole package is what `arbitro send` mails: the source of both mails, with headers, file names and sizes, and each
part of the workbook, unpacked; with all that its pictures are drawn of, the JSON and the message for the chat, which
lie beside them.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Event
from assistant.desk.depicting.pictured import Drawer, Moment, wanted_for
from assistant.desk.evening.reports import Dice, Past, faction_page, public_pages
from assistant.desk.evening.sharing import language_of
from assistant.desk.mailing.packages import Known, package_of, packages_of
from assistant.desk.sitting.sitting import reported_to
from assistant.pictures.words import alt
from assistant.post.chat import render_chat
from assistant.post.out.leak_search import parts_of
from assistant.post.out.letters import Letter, Stamp, compose, identity
from assistant.post.tokens import token_of
from assistant.reporting.render import render_json
from assistant.reporting.shelf.insets import ORDERED
from assistant.testing.fog import Keep, changed, hidden, leaks, still_hidden
from assistant.turn.ruleset import Ruleset
from assistant.turn.superseded import in_force

CANARY = "FOG"
"""What `fog.other` puts behind every hidden text."""
CLUB, DATE, REFEREE = "club@example.org", "Sun, 22 Nov 2026 21:00:00 +0100", "referee@example.org"


def whole_package(ruleset: Ruleset, whole: Campaign, faction: str, before: Campaign | None = None) -> bytes:
    """Everything that leaves for a club, in one piece. `before`: the campaign at its last report."""
    return b"\0".join(name.encode("utf-8", "surrogatepass") + b"\0" + data
                      for name, data in pieces(ruleset, whole, faction, before))


def pieces(ruleset: Ruleset, whole: Campaign, faction: str, before: Campaign | None = None) -> Iterator[
        tuple[str, bytes]]:
    """`whole_package` piece by piece, each with its name."""
    known = _known(ruleset, whole, before)
    letters = _letters(known, faction)
    for letter in letters:
        ident = identity("campaign", letter.digest, 0, "example.org")
        to = (CLUB,) if letter.faction else ()
        yield f"{letter.kind}.eml", compose(letter, Stamp(ident, DATE, REFEREE, "", to))
        for name, data in letter.attached:
            with zipfile.ZipFile(io.BytesIO(data)) as book:
                yield from ((f"{name}/{part}", book.read(part)) for part in book.namelist())
    yield from _pictures(known, faction)
    for made in (faction_page(ruleset, known.campaign, faction, known.dice, known.past, by=known.by,
                              held=language_of(known.campaign, faction)),
                 *public_pages(ruleset, known.campaign, known.dice, known.past, by=known.by)):
        yield f"{made.stem}.json", render_json(made.page).encode()
        yield f"{made.stem}.chat.txt", render_chat(made.page, made.chat).encode()


def _pictures(known: Known, faction: str) -> Iterator[tuple[str, bytes]]:
    """All that the pictures of a faction, and of everybody, are drawn of: scenes, and charts as SVG; with their words.

    What is drawn follows from it, byte by byte.
    """
    now, before = known.campaign, known.past.campaign
    states = [one for one in (before, now) if one is not None]
    moments = [Moment(one.desk.turn, one.desk.phase, one) for one in states]
    drawer = Drawer(known.ruleset, now, before, moments)
    for reader in (faction, ""):
        for inset, wanted in (*wanted_for(drawer, reader), *wanted_for(drawer, reader, (ORDERED,))):
            words = alt(wanted.scene) if wanted.scene is not None else wanted.words
            yield f"{reader}-{inset.name}", f"{wanted!r} {inset.title} {words}".encode("utf-8", "surrogatepass")


def letters_of(ruleset: Ruleset, whole: Campaign) -> list[Letter]:
    """The letters of the first faction that gets reports, and those for everybody."""
    return _letters(_known(ruleset, whole, None), reported_to(whole)[0])


def _known(ruleset: Ruleset, whole: Campaign, before: Campaign | None) -> Known:
    """As `send` makes it; a club's code follows from a secret that no cell holds."""
    told = 0 if before is None else max((event.no for _, event in before.table(Event).in_file_order()), default=0)
    tokens = {code: token_of(bytes(32), "campaign", code) for code in reported_to(whole)}
    return Known(ruleset, in_force(whole), "war", Dice({}, {}), Past(told, before), tokens, "Sunday, 20:00")


def _letters(known: Known, faction: str) -> list[Letter]:
    """The faction's letter and those for everybody, who are reached whatever addresses there are."""
    everybody = [one.letter for one in packages_of(known, (), everybody=[CLUB])]
    return [package_of(known, faction, [CLUB]).letter, *everybody]


def package_faults(ruleset: Ruleset, whole: Campaign, faction: str, before: Campaign | None = None, *,
                   keep: Keep = lambda row: False) -> list[str]:
    """What of a faction's whole package tells of what it may not see, in sentences; [] for a good ruleset.

    Every hidden fact is changed, and every byte must stay the same; canary words in all hidden texts must not leave.
    """
    found = [f"What is mailed to {faction} is not the same when {where} says something else, which {faction} may not"
             " see. Say with see of that column who may see it, or show less of it."
             for where in leaks(ruleset, whole, faction, before, keep=keep, package=whole_package)]
    facts = still_hidden(ruleset, whole, faction, list(hidden(ruleset, whole, faction, keep)))
    known = _known(ruleset, changed(whole, facts), before)
    found += [f"A word of a hidden text leaves for {faction or 'everybody'}, in the picture {name}."
              for name, data in _pictures(known, faction) if CANARY in data.decode("utf-8", "surrogatepass")]
    for letter in _letters(known, faction):
        found += [f"A word of a hidden text leaves for {faction or 'everybody'}, in {place} of the {letter.kind}."
                  for place, text in parts_of(letter) if CANARY in text]
    return found
