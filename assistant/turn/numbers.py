"""The numbers and switches of a rulebook, declared once, and the values in force."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from inspect import get_annotations
from typing import Any, ClassVar, NamedTuple, Protocol, Self, cast, get_args

from assistant.campaign.records import Rule
from assistant.campaign.tables import Table, in_natural_order, natural
from assistant.turn.findings import Finding, Severity, Where, nearest

BAD_RULE, UNKNOWN_RULE, NEEDS_CODE = "ARB-061", "ARB-062", "ARB-064"
ERROR: Severity = "error"
WARNING: Severity = "warning"
_DIE = re.compile(r"[1-9]?[0-9]?[dD][1-9][0-9]*")
"""A die where a number is to stand."""
DICE = r"[1-9]\d?d[1-9]\d{0,2}"
"""The pattern of a switch that names dice, ``2d6``: at least one die with at least one face can be thrown."""


class Number(NamedTuple):
    """A number of the book. `source`: keys of `Ruleset.citations`; `tag`: FOUND, DERIVED or ASSUMED; `meaning`: the
    rule as an English sentence (msgid) with the value in it, ``Each village pays {n} ducats.`` (`{signed}` for +1).

    `setup`: each campaign chooses its own value, and one that differs from the default is no house rule; `was`: earlier
    defaults by the last version of the rules that had them (``{"1": 30}``): a campaign that began with that version or
    an earlier one keeps them; `usual`: a club usually looks at it, so that it stands on the first page of the sheet
    Rules, as what has a `setup` does; all others are folded.
    """

    key: str
    default: int
    unit: str
    source: str
    meaning: str
    tag: str = "FOUND"
    minimum: int = 0
    was: Mapping[str, int] | None = None
    setup: bool = False
    usual: bool = False


class Switch(NamedTuple):
    """A named choice where the text is ambiguous or has versions; the first option is the default.

    `source`: keys of `Ruleset.citations`; `meaning`: the rule as a sentence (msgid) with the words of an option in it,
    ``In a famine {option}.``; `free`: any text may be typed; `pattern`: any text that matches it; `setup`, `was`
    and `usual`: as in `Number`; if editions differ, the default of each (``{"1": {"EN": "no"}}``); `words`: the
    name of each option (msgids, in the order of the options), which may be typed in any language instead of the option;
    `begins`: the option written into the Rules of a new campaign that does not name one, while older campaigns keep the
    default.
    """

    key: str
    options: tuple[str, ...]
    source: str
    meaning: str
    by_edition: Mapping[str, str] | None = None
    free: bool = False
    pattern: str = ""
    was: Mapping[str, str | Mapping[str, str]] | None = None
    words: tuple[str, ...] = ()
    setup: bool = False
    begins: str = ""
    usual: bool = False

    @property
    def default(self) -> str:
        """The first option."""
        return self.options[0] if self.options else ""


def number(default: int, unit: str, source: str, meaning: str, tag: str = "FOUND", minimum: int = 0, *,
           was: Mapping[str, int] | None = None, setup: bool = False, usual: bool = False) -> int:
    """Declare a number of the book as an attribute of its `Rules`; the key is the attribute's name."""
    return cast(int, Number("", default, unit, source, meaning, tag, minimum, was, setup, usual))


def switch(source: str, meaning: str, *words: str, options: tuple[str, ...] = (),
           by_edition: Mapping[str, str] | None = None, free: bool = False, pattern: str = "",
           was: Mapping[str, str | Mapping[str, str]] | None = None, setup: bool = False, begins: str = "",
           usual: bool = False) -> Any:
    """Declare a choice of the book as an attribute of its `Rules`. Its options are those of the attribute's `Literal`;
    `words` are their names in the same order.
    """
    return Switch("", options, source, meaning, by_edition, free, pattern, was, words, setup, begins, usual)


def on_first_page(declared: Iterable[Number | Switch]) -> list[str]:
    """The keys of what a club usually sets, in the order of declaration: the first page of the sheet Rules."""
    return [rule.key for rule in declared if rule.usual or rule.setup]


def is_allowed(rule: Number | Switch, value: Any) -> bool:
    """Whether a typed value is allowed for this number or switch."""
    if isinstance(rule, Switch):
        if rule.pattern:
            return re.fullmatch(rule.pattern, str(value)) is not None
        return rule.free or str(value) in rule.options
    return isinstance(value, int) and value >= _least(rule)


def _least(rule: Number) -> int:
    return min(rule.minimum, rule.default, *(rule.was or {}).values())


def range_text(rule: Number | Switch) -> str:
    """The allowed values, in symbols; where they are not all listed an ellipsis ends them."""
    if isinstance(rule, Switch):
        return ", ".join([*rule.options, *(["…"] if rule.pattern else [])])
    return f">= {_least(rule)}"


def check_rule_rows(declared: Iterable[Number | Switch], rules: Table[Rule], ruleset: str = "", *,
                    retired: Container[str] = (), prefix: str = "", ruled: Container[str] = ()) -> list[Finding]:
    """Findings for rows of Rules with an invalid value (ARB-061) or a key that the rulebook does not know: with a
    value, which would do nothing, it is refused (ARB-064), else only warned of (ARB-062).

    `ruleset`: the id of the rulebook, for the command that helps; `retired`: keys of earlier versions, and `ruled`:
    keys that were accepted as rulings before they were refused: both are only warned of; `prefix`: what may stand
    before a key.
    """
    by_key = {rule.key: rule for rule in declared}
    findings = []
    for row in rules:
        key = row.key.removeprefix(prefix)
        if key not in by_key:
            # blank, retired or ruled on it asks for nothing; any other is a rule that somebody believes to be in force
            known = row.value == "" or key in retired or row.key in ruled
            code, severity = (UNKNOWN_RULE, WARNING) if known else (NEEDS_CODE, ERROR)
            findings.append(Finding(code, severity, Where(Rule.sheet, row.key, "key"),
                                    {"seen": row.key, "near": nearest(key, by_key), "ruleset": ruleset}))
        elif row.value != "" and not is_allowed(by_key[key], row.value):
            findings.append(Finding(BAD_RULE, ERROR, Where(Rule.sheet, row.key, "value"), {
                "key": row.key, "seen": str(row.value), "allowed": range_text(by_key[key]),
                "code": _what_needs_code(by_key[key], row.value), "ruleset": ruleset}))
    return findings


def _what_needs_code(rule: Number | Switch, value: Any) -> str:
    """What a value would be that only code can bring: another option, a die; "" for a number that is out of range."""
    if isinstance(rule, Switch):
        return "" if rule.free or rule.pattern else "option"
    return "die" if _DIE.fullmatch(str(value).strip()) else ""


def edition_default(rule: Number | Switch, edition: str) -> int | str:
    """The value if nothing is typed: the edition's preset, else the default."""
    preset = _preset(rule, edition)
    return rule.default if preset is None else preset


def _preset(rule: Number | Switch, edition: str) -> str | None:
    return rule.by_edition.get(edition) if isinstance(rule, Switch) and rule.by_edition else None


def earlier_defaults(declared: Iterable[Number | Switch], edition: str, began: str) -> dict[str, int | str]:
    """Key -> default when a campaign began, for defaults that have changed since.

    `began`: the version of the rules at that time, "" if the campaign is older than the recording of versions.
    """
    defaults: dict[str, int | str] = {}
    for rule in declared:
        then = next((rule.was[version] for version in in_natural_order(rule.was or ())
                     if rule.was and natural(began) <= natural(version)), None)
        if isinstance(then, Mapping):
            then = then.get(edition)
        # where the edition has a value of its own the change has not touched it
        elif _preset(rule, edition) is not None:
            then = None
        if then is not None and then != edition_default(rule, edition):
            defaults[rule.key] = then
    return defaults


def starting_values(declared: Iterable[Number | Switch], typed: Mapping[str, Any]) -> dict[str, str]:
    """Key -> option with which a new campaign begins, for switches that have one and are not `typed` already."""
    return {rule.key: rule.begins for rule in declared
            if isinstance(rule, Switch) and rule.begins and rule.key not in typed}


def write_values(rules: Table[Rule], values: Mapping[str, int | str]) -> None:
    """Write values into the Rules sheet, as the referee would."""
    for key, value in values.items():
        row = rules.get(key) or rules.add(rules.record(key=key))
        row.value = value


def type_values(rules: Table[Rule], values: Mapping[str, int | str]) -> None:
    """Type values into the Rules sheet over those that stand there, whose keys may have the name of the book in front.
    """
    for key, value in values.items():
        rows = [row for row in rules if row.key.rpartition(".")[2] == key] or [rules.add(rules.record(key=key))]
        for row in rows:
            row.value = value


def house_rules(declared: Iterable[Number | Switch], edition: str, typed: Mapping[str, Any]) -> list[str]:
    """The keys whose values differ from the book's, today's as well as earlier defaults.

    `typed`: what the Rules sheet sets by hand, by key.
    """
    return [rule.key for rule in declared if rule.key in typed and not rule.setup and is_allowed(rule, typed[rule.key])
            and str(typed[rule.key]) not in _by_the_book(rule, edition)]


def _by_the_book(rule: Number | Switch, edition: str) -> list[str]:
    """All values that have been the default in an edition, and the one with which new campaigns begin."""
    earlier = (rule.was or {}).values()
    begun = [rule.begins] if isinstance(rule, Switch) and rule.begins else []
    return [
        str(edition_default(rule, edition)),
        *begun,
        *(str(then.get(edition)) if isinstance(then, Mapping) else str(then) for then in earlier),
    ]


class HasRules(Protocol):
    """A board, or a game."""

    @property
    def rules(self) -> Rules:
        """The numbers in force."""


class Rules:
    """The numbers in force as attributes: the Rules sheet's value, else the edition's preset, else the default.

    A rulebook declares its numbers and switches as annotated attributes of a subclass, made by `number` and
    `switch`; `declared` holds all of them in that order.
    """

    declared: ClassVar[tuple[Number | Switch, ...]] = ()

    def __init_subclass__(cls) -> None:
        kinds = get_annotations(cls, eval_str=True)
        own = [_with_key(rule, key, kinds[key])
               for key, rule in vars(cls).items() if isinstance(rule, (Number, Switch))]
        cls.declared = (*cls.declared, *own)

    def __init__(self, declared: Iterable[Number | Switch], edition: str,
                 typed: Mapping[str, Any] | None = None) -> None:
        self.edition = edition
        self._values: dict[str, Any] = {}
        for rule in declared:
            value = (typed or {}).get(rule.key)
            self._values[rule.key] = edition_default(rule, edition)
            if value is not None and is_allowed(rule, value):
                self._values[rule.key] = str(value) if isinstance(rule, Switch) else int(value)
        self.__dict__.update(self._values)

    @classmethod
    def of(cls, board: HasRules) -> Self:
        """The numbers in force on a board, with the names of the chapter that declares them."""
        return cast(Self, board.rules)

    def __getitem__(self, key: str) -> Any:
        return self._values[key]

    def values(self) -> dict[str, Any]:
        """All values by key, in the order of declaration."""
        return dict(self._values)


def _with_key(rule: Number | Switch, key: str, kind: Any) -> Number | Switch:
    """A declaration with its key filled in, and for a switch also the options from its annotation."""
    if isinstance(rule, Number):
        return rule._replace(key=key)
    completed = rule._replace(key=key, options=rule.options or get_args(kind))
    if completed.begins and not is_allowed(completed, completed.begins):
        raise ValueError(f"{key} begins with {completed.begins!r}, which is none of its options")
    return completed


def typed_values(rules: Table[Rule]) -> dict[str, Any]:
    """What the Rules sheet sets by hand: key -> value, blanks left out."""
    return {row.key: row.value for row in rules if row.value != ""}


def strip_prefix(rules: Table[Rule], prefix: str, keys: Iterable[str]) -> None:
    """Remove a `prefix`, such as the book's name, from all keys that begin with it; the row that has the key without a
    prefix wins.
    """
    for key in [key for key in keys if key.startswith(prefix)]:
        row = rules.remove(key)
        row.key = key.removeprefix(prefix)
        if row.key not in rules:
            rules.add(row)


def rules_in_force(ruleset: Any, edition: str, rules: Table[Rule]) -> Rules:
    """The numbers in force, according to a Rules sheet and the book's edition."""
    return cast(Rules, ruleset.rules_of(ruleset.numbers, edition, ruleset.typed_rules(rules)))
