"""The rules booklet: what a club needs at the table, with the numbers and house rules of one campaign."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Rule
from assistant.pictures.colours import ink_on
from assistant.reporting.duties import phase_names
from assistant.reporting.reader import one_minus
from assistant.speech import rule_sentence, value_words
from assistant.turn.findings import cited_keys
from assistant.turn.numbers import Number, Switch, edition_default, house_rules
from assistant.turn.orders.verbs import OrderCard
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Wording, campaign_title

COLOUR = "#5a4320"
"""The colour of its head: that of no faction."""


@dataclass(frozen=True)
class BookletPhase:
    """A phase. `about`: what happens in it; `takes`: whether it takes orders."""

    name: str
    about: str
    takes: bool


@dataclass(frozen=True)
class PlayedPart:
    """A part of a turn: `name`, "" for the turn itself."""

    name: str
    phases: tuple[BookletPhase, ...]


@dataclass(frozen=True)
class RuleLine:
    """A number or a choice as a sentence; `printed`: what the book has, if this campaign has something else."""

    sentence: str
    printed: str = ""


@dataclass(frozen=True)
class RuleSection:
    """The rules that rest on one chapter or table of the printed book; `cites`: where they stand there."""

    title: str
    cites: str
    lines: tuple[RuleLine, ...]


@dataclass(frozen=True)
class Booklet:
    """A booklet. `lang`, `name`, `campaign`, `about`: its head; `headings`: of its three parts; `takes`: the mark of a
    phase that takes orders; `labels`: of what a card holds, by its field; `house`: how a house rule is marked.
    """

    lang: str
    name: str
    campaign: str
    about: tuple[str, ...]
    colour: str
    ink: str
    headings: tuple[str, str, str]
    takes: str
    parts: tuple[PlayedPart, ...]
    cards: tuple[OrderCard, ...]
    labels: tuple[tuple[str, str], ...]
    sections: tuple[RuleSection, ...]
    house: str


def build_booklet(ruleset: Ruleset, campaign: Campaign, words: Wording, labels: Mapping[str, str]) -> Booklet:
    """The booklet of a campaign, in the language of `words`. Only its Desk and Rules are read, which all may know.

    `labels`: what the parts of an order card are called there, by the fields of `OrderCard` that are to be shown.
    """
    public = ruleset.view(campaign, "")
    edition = public.desk.edition or ruleset.editions[0]
    ours = house_rules(ruleset.numbers, edition, ruleset.typed_rules(public.table(Rule)))
    about = [words.text(N_("Rulebook: {title}"), title=ruleset.title)]
    if len(ruleset.editions) > 1:
        about.append(words.text(N_("Edition: {edition}"), edition=words.word(edition)))
    about.append(words.plural(N_("{n} house rule"), N_("{n} house rules"), len(ours)) if ours
                 else words.text(N_("No house rules") if public.desk.title else N_(
                     "The numbers of the book itself: a campaign may have others, which the booklet of its workbook "
                     "shows")))
    return Booklet(
        words.lang, words.text(N_("The rules at the table")), campaign_title(public.desk, words), tuple(about), COLOUR,
        ink_on(COLOUR),
        (words.text(N_("How a turn is played")), words.text(N_("What you can order")),
         words.text(N_("The numbers"))),
        words.text(N_("orders")), tuple(_played_parts(ruleset, public, words)),
        tuple(card._replace(verb=card.verb.replace("_", " "), also="",
                            when=phase_names(ruleset, card.when, words.lang))
              for card in ruleset.order_cards(public, words.lang, words.text, examples=False)),
        tuple(labels.items()), tuple(_rule_sections(ruleset, public, edition, ours, words)),
        words.text(N_("House rule; the book has")))


def _played_parts(ruleset: Ruleset, public: Campaign, words: Wording) -> Iterable[PlayedPart]:
    """The phases of a common turn, or of the campaign's own while it lasts, part by part."""
    calendar, lang = ruleset.calendar, words.lang
    phases = calendar.turn or tuple(map(ruleset.phase, ruleset.phase_ids(public)))
    by_part: dict[str, list[BookletPhase]] = {}
    for phase in phases:
        part, colon, name = phase.name(lang).partition(": ")
        if not colon:
            part, name = calendar.chapter(public.desk.turn or calendar.first, phase.id, lang), part
        by_part.setdefault(part, []).append(
            BookletPhase(name, words.text(phase.about) if phase.about else "", bool(phase.orders)))
    yield from _without_doubled_headings(_alike_together(by_part))


def _alike_together(by_part: dict[str, list[BookletPhase]]) -> Iterable[PlayedPart]:
    """Neighbouring parts with the very same phases as one: "April I, April II, ..."."""
    names: list[str] = []
    for place, (name, phases) in enumerate(by_part.items()):
        names.append(name)
        following = list(by_part.values())[place + 1:place + 2]
        if following != [phases]:
            yield PlayedPart(f"{names[0]} … {names[-1]}" if len(names) > 2 else ", ".join(names), tuple(phases))
            names = []


def _without_doubled_headings(parts: Iterable[PlayedPart]) -> Iterable[PlayedPart]:
    """The parts; neighbours that are one phase of the same name become one part without a heading."""
    alone: list[BookletPhase] = []
    for part in parts:
        if [phase.name.casefold() for phase in part.phases] == [part.name.casefold()]:
            alone += part.phases
            continue
        if alone:
            yield PlayedPart("", tuple(alone))
            alone = []
        yield part
    if alone:
        yield PlayedPart("", tuple(alone))


def _rule_sections(ruleset: Ruleset, public: Campaign, edition: str, ours: list[str], words: Wording
                   ) -> Iterable[RuleSection]:
    """The numbers and choices in force, by the chapter on which each rests, in the order of the printed book."""
    rules, by_chapter = ruleset.rules(public), dict[str, list[Number | Switch]]()
    for rule in ruleset.numbers:
        cited = next((key for key in cited_keys(rule.source) if key in ruleset.citations), "")
        by_chapter.setdefault(cited, []).append(rule)
    for key in (*ruleset.citations, ""):
        if key in by_chapter:
            printed = words.printed_chapter(key) if key else ""
            yield RuleSection(_chapter_title(ruleset, key, words) or printed or words.text(N_("Of the campaign")),
                              printed, tuple(_rule_line(rule, rules[rule.key], edition, rule.key in ours, words)
                                             for rule in by_chapter[key]))


def _chapter_title(ruleset: Ruleset, key: str, words: Wording) -> str:
    """The heading of a chapter where it stands in the reader's language, else ""."""
    heading = ruleset.citations[key].heading if key else ""
    said = words.text(heading) if heading else ""
    return said if words.lang == "en" or said != heading else ""


def _rule_line(rule: Number | Switch, value: int | str, edition: str, ours: bool, words: Wording) -> RuleLine:
    printed = value_words(rule, edition_default(rule, edition), words) if ours else ""
    return RuleLine(one_minus(rule_sentence(rule, value, words)), one_minus(printed))
