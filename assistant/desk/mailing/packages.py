"""What leaves for each club: a campaign in; one letter a faction and the public ones out, each made of a view alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Faction
from assistant.desk.depicting.pictured import Pictures, map_of
from assistant.desk.evening.reports import Dice, Made, Past, faction_page, public_pages, whose_pictures
from assistant.desk.evening.sharing import copy_name, copy_of, language_of
from assistant.desk.sitting.deadline import By, shown
from assistant.post.inbox.order_block import block
from assistant.post.out.addresses import addresses_in, each_once
from assistant.post.out.leak_search import Hit, leaked, secrets_of
from assistant.post.out.letters import Letter, Picture
from assistant.reporting.render import render_html, render_note, render_text
from assistant.reporting.shelf.insets import Inset
from assistant.titles import campaign_title
from assistant.turn.findings import Finding
from assistant.turn.ruleset import Ruleset
from assistant.wording import N_, Verbatim, Wording

REPORT, GAZETTE, REMINDER, RECEIPT = "report", "gazette", "reminder", "receipt"
YOURS = N_("Your code is {code}: whoever has it orders in your name. When you answer this mail, leave it where it is.")
TO_FILL = N_("Your order form is attached; what it is for stands on its first sheet.")
TO_FILL_HERE = N_("Answer this mail with your orders, one a line.")

Write = Callable[[Sequence[str]], Letter]


class Package(NamedTuple):
    """A letter and how to write it with further words at its top. `to`: the addresses; `words`: of its language;
    `hits`: what in it its reader may not know; `about`: as of a row of the outbox.
    """

    letter: Letter
    to: list[str]
    words: Wording
    hits: list[Hit]
    write: Write
    about: tuple[str, ...] = ()


class Known(NamedTuple):
    """What packages are made of. `campaign`: without rows that were superseded; `stem`: of the workbook's name;
    `tokens`: faction -> its code; `by`: until when orders are due, as it is told; `pictures`: faction, "" for all ->
    its pictures, each with what the page says of it; `map_in_book`: copies show a map, as the workbook does.
    """

    ruleset: Ruleset
    campaign: Campaign
    stem: str
    dice: Dice
    past: Past
    tokens: Mapping[str, str]
    by: By = ""
    refused: Mapping[str, Finding] = MappingProxyType({})
    pictures: Pictures = MappingProxyType({})
    map_in_book: bool = False


def packages_of(known: Known, factions: Sequence[str], *, public: bool = True,
                everybody: Sequence[str] = ()) -> list[Package]:
    """The packages of these factions that have an address, and with `public` the gazette for all addresses there are;
    of a campaign that is over the page of its end, too. `everybody`: instead of those addresses.

    Raises `BookUnsafe` for text that no cell can hold.
    """
    addresses = {row.faction: addresses_of(row) for row in known.campaign.table(Faction)}
    found = [package_of(known, code, addresses[code]) for code in factions if addresses[code]]
    all_of_them = list(everybody) or each_once(one for code in known.tokens for one in addresses[code])
    if public and all_of_them:
        for made in public_pages(known.ruleset, known.campaign, known.dice, known.past, by=known.by):
            found.append(_package(known, "", made, all_of_them, ()))
    return found


def addresses_of(row: Faction) -> list[str]:
    """Where a faction's mails go: to its own addresses and those of its deputy."""
    return each_once([*addresses_in(row.mail)[0], *addresses_in(row.deputy)[0]])


def package_of(known: Known, faction: str, to: Sequence[str] = ()) -> Package:
    """A faction's package: its report as text and page, its club copy, its code."""
    made = faction_page(known.ruleset, known.campaign, faction, known.dice, known.past, by=known.by,
                        refused=known.refused, held=language_of(known.campaign, faction))
    token = known.tokens.get(faction, "")
    shown = map_of(known.pictures.get(faction, ())) if known.map_in_book else None
    copy = copy_of(known.ruleset, known.campaign, faction, token, known.by, shown)
    return _package(known, faction, made, list(to), ((copy_name(known.stem, faction), copy),))


def _package(known: Known, faction: str, made: Made, to: list[str], attached: tuple[tuple[str, bytes], ...]) -> Package:
    token = known.tokens.get(faction, "")
    own = [made.words.text(TO_FILL), made.words.text(YOURS, code=Verbatim(token))] if token and faction else []
    page = made.page
    shown = known.pictures.get(faction or whose_pictures(page), ())
    insets = [replace(inset, src=f"cid:{inset.name}") for inset, _ in shown]
    page = replace(page, template=block(page.template, made.words, token, page.turn) if own else page.template)

    def write(notices: Sequence[str]) -> Letter:
        said = [*notices, *own]
        return Letter(REPORT if faction else page.kind, faction, " ".join(filter(None, (page.subject, token))),
                      page.lang, render_text(page, notices=said, insets=insets),
                      render_html(page, notices=said, insets=insets),
                      tuple(Picture(inset.name, png) for inset, png in shown), attached, page.code)

    letter = write(())
    return Package(letter, to, made.words, [], write)


def searched(known: Known, packages: Sequence[Package]) -> list[Package]:
    """The packages with what each holds that its reader may not know."""
    secrets = secrets_of(known.campaign)
    found = []
    for one in packages:
        faction = one.letter.faction
        views = [known.ruleset.view(campaign, faction) for campaign in (known.campaign, known.past.campaign)
                 if campaign is not None]
        others = {token for code, token in known.tokens.items() if code != faction}
        hits = leaked(one.letter, secrets | secrets_of_codes(others), known.ruleset, views,
                      said_by_referee(known, one.words))
        found.append(one._replace(hits=hits))
    return found


def secrets_of_codes(tokens: set[str]) -> dict[str, str]:
    """Codes of other clubs, as `leaked` looks for them."""
    return secrets_of(Campaign([]), sorted(tokens))


def said_by_referee(known: Known, words: Wording) -> list[str]:
    """What everybody may know that stands in no view: names of files, the deadline."""
    desk = known.campaign.desk
    return [known.stem, shown(known.by, words), desk.title, campaign_title(desk, words), copy_name(known.stem, "")]


def short_letter(kind: str, words: Wording, faction: str, subject: str, lines: Sequence[str], token: str,
                 shown: Sequence[tuple[Inset, bytes]] = ()) -> Letter:
    """A letter to a club that is no report, with its code: of text alone, or as a page, too, where a picture is
    `shown`. `lines`: paragraphs.
    """
    own = [words.text(YOURS, code=Verbatim(token))] if token else []
    headed, text = " ".join(filter(None, (subject, token))), "\n\n".join((*lines, *own)) + "\n"
    pages = [render_note(words.lang, subject, text.splitlines(), replace(inset, src=f"cid:{inset.name}"))
             for inset, _ in shown[:1]]
    return Letter(kind, faction, headed, words.lang, text, "".join(pages),
                  tuple(Picture(inset.name, png) for inset, png in shown[:1]))


def as_written(letter: Letter) -> Write:
    """A letter that replaces nothing has nothing more to say."""
    return lambda notices: letter
