"""`rules`, `rulesets`, `verbs`: what a rulebook declares."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.desk.results import Exit, Result
from assistant.desk.workspace.workspace import Abort, abort, faction_code, open_workspace
from assistant.environment import machine_language, scenario_names, shipped_scenario
from assistant.reporting.pages import as_plain_values
from assistant.speech import option_words, rule_sentence, with_unit
from assistant.turn import codes
from assistant.turn.numbers import Number, Switch
from assistant.turn.orders.verbs import OrderCard
from assistant.turn.ruleset import Ruleset, UnfitRuleset, installed, load
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording
from assistant.workbook.layout import label
from assistant.workbook.read.csv_folder import read_folder

# `rules`, `rulesets`.


def find_ruleset(name: str, lang: str = "") -> Ruleset:
    """The installed ruleset of an id. Raises `Stop` when there is none such, or when it cannot be used."""
    try:
        return load(name)
    except KeyError as no:
        raise abort(Exit.USAGE, codes.NO_SUCH_RULESET, lang, ruleset=name, list=", ".join(installed())) from no
    except UnfitRuleset as unfit:
        raise Abort(Exit.REFUSED, [unfit.finding], lang) from unfit


def scenarios_of(ruleset: Ruleset) -> dict[str, Path]:
    """The scenarios that come with a ruleset, its own before those of a book that it builds on: name -> folder."""
    found: dict[str, Path] = {}
    for home in ruleset.homes():
        for name in scenario_names(home.ruleset, home.folder):
            found.setdefault(name, shipped_scenario(home.ruleset, name, home.folder))
    return found


def rules(ruleset_id: str, *, lang: str = "") -> Result:
    """Every number and switch of a rulebook. Result data: ``rules``: key, default, options, unit, source,
    tag, meaning: the rule by the book as a sentence; of a switch also words: the name of each option, and begins:
    the option that is typed into the Rules of a new campaign, "" for none.
    """
    try:
        ruleset = find_ruleset(ruleset_id, lang)
    except Abort as stopped:
        return stopped.result("rules")
    words = Wording(ruleset, lang or machine_language())
    result = Result("rules", wording=words)
    result.data.update(ruleset=ruleset.id, title=ruleset.title, editions=list(ruleset.editions),
                       rules=[_rule_data(rule, words) for rule in ruleset.numbers])
    for rule in result.data["rules"]:
        amount = with_unit(rule["default"], rule["unit"])
        result.say(f"{rule['key']} = {amount}  [{rule['source']}]  {rule['meaning']}")
        for option in rule["options"]:
            result.say(f"    {_option_label(option, rule, words)}")
    return result


def _option_label(option: str, rule: dict[str, Any], words: Wording) -> str:
    """An option of a switch, by its key and in words, with a mark on what counts if nothing is chosen, in every edition
    or in one.
    """
    called = rule["words"][option]
    text = option if called in (option, "") else f"{option}: {called}" if option else called
    by_edition = {edition: o for edition, o in rule["by_edition"].items() if o != rule["default"]}
    editions = [edition for edition, o in by_edition.items() if o == option]
    if editions:
        text = words.text(N_("{option} (by the book, edition {list})"), option=Verbatim(text),
                          list=Verbatim(", ".join(editions)))
    elif option == rule["default"]:
        text = words.text(N_("{option} (by the book)"), option=Verbatim(text))
    if option and option == rule["begins"]:
        text = words.text(N_("{option} (new campaigns begin with it)"), option=Verbatim(text))
    return text


def _rule_data(rule: Number | Switch, words: Wording) -> dict[str, Any]:
    shared = {"key": rule.key, "default": rule.default, "source": words.printed(rule.source),
              "meaning": rule_sentence(rule, rule.default, words)}
    if isinstance(rule, Number):
        return {**shared, "options": [], "unit": words.text(rule.unit) if rule.unit else "", "tag": rule.tag}
    return {**shared, "options": list(rule.options), "unit": "", "tag": "",
            "words": {option: option_words(rule, option, words) for option in rule.options},
            "by_edition": dict(rule.by_edition or {}), "begins": rule.begins}


def rulesets(*, lang: str = "") -> Result:
    """The rulebooks that are installed, and findings about those that cannot be used.

    Result data: ``rulesets``: id, title, version, author, scenarios, place.
    """
    result = Result("rulesets", wording=Wording(None, lang or machine_language()))
    usable = []
    for name, place in installed().items():
        try:
            ruleset = load(name)
        except UnfitRuleset as unfit:
            result.find([unfit.finding])
            continue
        brought = list(scenarios_of(ruleset))
        usable.append({"id": name, "title": ruleset.title, "version": ruleset.version, "author": ruleset.author,
                      "editions": list(ruleset.editions), "scenarios": brought, "place": place})
        result.say(f"{name}: {ruleset.title}" + (f" ({', '.join(brought)})" if brought else ""))
    result.data["rulesets"] = usable
    return result


# `verbs`.


WORKBOOK_SUFFIXES = (".xlsx", ".xlsm")
"""How the name of a workbook ends; a ruleset's id never does."""


def verbs(of: str, *, faction: str = "", everything: bool = False, lang: str = "") -> Result:
    """What can be ordered. Changes nothing.

    `of`: the id of a rulebook, or the path of a workbook: then only what the phases to come of its turn take, with its
    codes; `faction`: whose codes the examples use; `everything`: also what cannot be ordered now. Result data:
    ``ruleset``, ``turn``, ``verbs``: the parts of `assistant.turn.orders.verbs.OrderCard`.
    """
    try:
        if Path(of).suffix.casefold() in WORKBOOK_SUFFIXES:
            sitting = open_workspace(Path(of), lang)
            campaign, ruleset, words, now = sitting.campaign, sitting.ruleset, sitting.wording, not everything
            whose = faction_code(campaign, faction, words)
            told = ruleset.view(campaign, whose) if whose else campaign
        else:
            ruleset, now = find_ruleset(of, lang), False
            words = Wording(ruleset, lang or machine_language())
            told = _example_campaign(ruleset)
            whose = faction_code(told, faction, words)
    except Abort as stopped:
        return stopped.result("verbs")
    cards = ruleset.order_cards(told, words.lang, words.text, whose, now=now)
    result = Result("verbs", wording=words)
    result.data.update(ruleset=ruleset.id, turn=told.desk.turn if now else "", verbs=as_plain_values(tuple(cards)))
    for card in cards:
        result.lines += [*_card_lines(card, words), ""]
    result.say(words.plural(N_("{n} kind of order."), N_("{n} kinds of order."), len(cards)))
    if now:
        result.say(words.text(N_("They may still be given in {turn}; --all lists all that the rulebook knows."),
                              turn=told.desk.turn))
    return result


def _example_campaign(ruleset: Ruleset) -> Campaign:
    """The first scenario of a ruleset, whose codes the examples use; an empty campaign where it has none."""
    for folder in scenarios_of(ruleset).values():
        return read_folder(folder, ruleset)[1]
    return Campaign(ruleset.records)


def _card_lines(card: OrderCard, words: Wording) -> list[str]:
    """One verb: what it is called, when it may be given, what it does, what to write where, an example, its price."""
    parts = {name: getattr(card, name) for name in ("columns", "example", "cost", "also")}
    return [f"{card.verb} ({card.when})", f"  {card.help}",
            *(f"  {label(f'card_{name}', words.lang)}: {text}" for name, text in parts.items() if text)]
