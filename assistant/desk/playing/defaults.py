"""A campaign and the version of the rules with which it began in; the same with the defaults of that time out.

A default that changes holds for campaigns that begin from then on. An older one keeps the value it began with: it
stands among its rules as if it were typed as soon as the campaign is read, and is written with the next change.
"""

from __future__ import annotations

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Rule
from assistant.campaign.table import Table
from assistant.turn.numbers import earlier_defaults, put_values
from assistant.turn.ruleset import Ruleset


def with_earlier_defaults(ruleset: Ruleset, campaign: Campaign, began: str | None) -> Campaign:
    """The campaign with earlier defaults where nothing else is typed; itself where there are none, or where it is not
    known when it began (None). It shares all other tables.
    """
    missing = _held(ruleset, campaign, began)
    for row in campaign.table(Rule) if missing else ():
        if row.value != "":
            missing.pop(row.key.rpartition(".")[2], None)  # keys may carry the name of the rulebook
    if not missing:
        return campaign
    rules = campaign.table(Rule).copy()
    put_values(rules, missing)
    return _with_rules(campaign, rules)


def without_earlier_defaults(ruleset: Ruleset, campaign: Campaign, began: str | None, then: Campaign) -> Campaign:
    """The campaign with its rules as they stood at another time (`then`) where they say no more than an earlier
    default; it shares all other tables.
    """
    held = _held(ruleset, campaign, began)
    if not held:
        return campaign
    kept = []
    for key, row in campaign.table(Rule).in_file_order():
        ours = key in held and str(row.value) == str(held[key])
        was = then.table(Rule).get(key) if ours else row
        if was is not None:
            kept.append((key, was))
    return _with_rules(campaign, Table.of(campaign.table(Rule).record, kept))


def _held(ruleset: Ruleset, campaign: Campaign, began: str | None) -> dict[str, int | str]:
    edition = campaign.desk.edition or ruleset.editions[0]
    return {} if began is None else earlier_defaults(ruleset.numbers, edition, began)


def _with_rules(campaign: Campaign, rules: Table[Rule]) -> Campaign:
    new = campaign.copy()
    new.put(rules)
    return new
