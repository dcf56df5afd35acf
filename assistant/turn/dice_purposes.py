"""Shapes of the purposes of dice and of the codes of battles, ``siege:{Nodes}:{turn}:{n}``, and matching typed ones.

Braces hold `turn`, `n` for a number, `b` for a small letter, or the name of a sheet for one of its codes. With a star
(``{Armies*}``) any code is accepted, because rows of that sheet come and go in play.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Text
from assistant.campaign.records import Battle
from assistant.turn.dice import RollKind
from assistant.turn.findings import nearest

if TYPE_CHECKING:
    from assistant.turn.ruleset import Ruleset

_SLOT = re.compile(r"\{(\w+)(\*?)\}")
_BETWEEN = re.compile(r"[:/]")
_CODE = r"[^\s:/#]+"
_LIKE_A_WORD = 0.6


def spell_purpose(ruleset: Ruleset, campaign: Campaign, typed: str) -> str | None:
    """A die's purpose as the rulebook spells it; "" for one that is never thrown, None if that is unknown."""
    word = _BETWEEN.split(typed.strip())[0].casefold()
    kinds = {kind.word.casefold(): kind for kind in ruleset.rolls.values()}
    if word in kinds:
        shapes = kinds[word].shapes
        return _spell(ruleset, campaign, typed, shapes) or _spell_repeated(ruleset, campaign, typed, shapes) \
            if shapes else None
    return "" if kinds and all(kind.shapes for kind in kinds.values()) else None


def _spell_repeated(ruleset: Ruleset, campaign: Campaign, typed: str, shapes: Sequence[str]) -> str:
    """The purpose of a repeated throw, ``scout:P1#2`` (`Dice.roll`); "" if it is none."""
    first, _, number = typed.strip().rpartition("#")
    known = _spell(ruleset, campaign, first, shapes) if number.isdecimal() else ""
    return f"{known}#{number}" if known else ""


def spell_battle(ruleset: Ruleset, campaign: Campaign, typed: str, since: str = "") -> str | None:
    """A battle's code as the rulebook spells it; "" for one that no battle can get, None if that is unknown.

    `since`: a turn; codes of battles of earlier turns are not accepted.
    """
    return _spell(ruleset, campaign, typed, ruleset.battles, since) if ruleset.battles else None


def typed_battle_code(ruleset: Ruleset, campaign: Campaign, typed: str) -> str:
    """A battle's code as its row or else the rulebook spells it; as it was typed if neither knows it."""
    known = campaign.table(Battle).spelling_of(typed)
    return known if known in campaign.table(Battle) else spell_battle(ruleset, campaign, typed) or typed


def turn_of_battle(ruleset: Ruleset, code: str) -> str:
    """The turn in a battle's code; "" if there is none."""
    return _turn_in_code(ruleset, ruleset.battles, code)


def turn_of_throw(ruleset: Ruleset, typed: str) -> str:
    """The turn in which a die with this purpose is thrown, as the purpose tells it; "" if it does not."""
    kind = roll_kind_of(ruleset, typed)
    for shape in kind.shapes if kind is not None else ():
        if turn := _turn_in_code(ruleset, (shape,), typed):
            later = kind is not None and shape in kind.next_turn
            return ruleset.calendar.turns.after(turn) if later else turn
    return ""


def _turn_in_code(ruleset: Ruleset, shapes: Sequence[str], code: str) -> str:
    for shape in shapes:
        pattern, slots = _pattern(shape, ruleset.turn_pattern)
        match = pattern.fullmatch(code.strip())
        if match is not None and "turn" in slots:
            return match.groups()[slots.index("turn")]
    return ""


def nearest_purpose(ruleset: Ruleset, campaign: Campaign, typed: str) -> str:
    """The complete purpose that was probably meant, with its valid parts kept; "" if no kind of throw is similar."""
    parts = _BETWEEN.split(typed.strip())
    word = nearest(parts[0], ruleset.rolls, _LIKE_A_WORD)
    shapes = ruleset.rolls[word].shapes if word else ()
    if not shapes:
        return word
    return max((_fill_shape(ruleset, campaign, shape, parts) for shape in shapes),
               key=lambda shape: (_similarity(shape, typed), -len(shape)))


def purpose_words(ruleset: Ruleset) -> str:
    """The first words of a rulebook's purposes, for a message."""
    return ", ".join(ruleset.rolls)


def example_of_battle(ruleset: Ruleset, campaign: Campaign) -> str:
    """An example of a battle's code; "" if their shape is unknown."""
    return _fill_shape(ruleset, campaign, ruleset.battles[0], []) if ruleset.battles else ""


def parts_of_purpose(ruleset: Ruleset, key: str) -> list[tuple[str, str]]:
    """What a purpose is made of behind its first word: (sheet of a code, code), ("turn", text), ("n", number), or ("",
    a word of the rulebook); [] for one that the rulebook does not declare.
    """
    kind = roll_kind_of(ruleset, key)
    plain = key.partition("#")[0]
    for shape in kind.shapes if kind else ():
        pattern, slots = _pattern(shape, ruleset.turn_pattern)
        match = pattern.fullmatch(plain)
        if match is None:
            continue
        named = {match.start(place): (slot.rstrip("*"), match[place]) for place, slot in enumerate(slots, 1)}
        starts = [0, *(found.end() for found in _BETWEEN.finditer(plain))]
        return [named.get(start, ("", part))
                for start, part in zip(starts, _BETWEEN.split(plain), strict=True)][1:]
    return []


def dice_of(ruleset: Ruleset, typed: str) -> str | None:
    """The dice of a purpose, "" if only the phase knows them; None for an unknown kind of throw."""
    kind = roll_kind_of(ruleset, typed)
    return kind.dice if kind else None


def roll_kind_of(ruleset: Ruleset, typed: str) -> RollKind | None:
    """The kind of throw to which a purpose belongs; None if unknown."""
    return ruleset.rolls.get(_BETWEEN.split(typed.strip())[0].casefold())


def _similarity(shape: str, typed: str) -> float:
    import difflib

    return difflib.SequenceMatcher(None, shape.casefold(), typed.casefold()).ratio()


@lru_cache(maxsize=256)
def _pattern(shape: str, turn: str) -> tuple[re.Pattern[str], tuple[str, ...]]:
    """The regular expression of a shape, and the names of its groups."""
    own = {"turn": turn, "n": r"\d{1,4}", "b": "[a-z]"}
    slots = [match[1] + match[2] for match in _SLOT.finditer(shape)]
    plain = [re.escape(part) for part in _SLOT.split(shape)[::3]]
    inner = "".join(f"({own.get(slot, _CODE)}){after}" for slot, after in zip(slots, plain[1:], strict=True))
    return re.compile(plain[0] + inner, re.IGNORECASE), tuple(slots)


def _spell(ruleset: Ruleset, campaign: Campaign, typed: str, shapes: Sequence[str], since: str = "") -> str:
    return next(_spellings(ruleset, campaign, typed.strip(), shapes, since), "")


def _spellings(ruleset: Ruleset, campaign: Campaign, typed: str, shapes: Sequence[str], since: str) -> Iterator[str]:
    before = ruleset.calendar.turns.key
    for shape in shapes:
        pattern, slots = _pattern(shape, ruleset.turn_pattern)
        match = pattern.fullmatch(typed)
        if match is None:
            continue
        parts = [_spell_part(campaign, slot, text) for slot, text in zip(slots, match.groups(), strict=True)]
        turns = [text for slot, text in zip(slots, parts, strict=True) if slot == "turn"]
        if all(parts) and not (since and any(before(turn) < before(since) for turn in turns)):
            yield _SLOT.sub("{}", shape).format(*parts)


def _spell_part(campaign: Campaign, slot: str, text: str) -> str:
    """A part of a purpose in its proper spelling; "" if it cannot be in that slot."""
    sheet = slot.rstrip("*")
    if sheet not in campaign.tables():
        return text.casefold() if slot == "b" else text
    table = campaign.by_sheet(sheet)
    code = table.spelling_of(text)
    kinds = [c.kind for c in table.record.columns() if c.key]
    if code not in table and len(kinds) == 1 and isinstance(kinds[0], Text) and kinds[0].digits:
        code = table.spelling_of(str(kinds[0].read(text)))  # with the zeros that a code has, without those it has not
    return code if slot.endswith("*") or code in table else ""


def _fill_shape(ruleset: Ruleset, campaign: Campaign, shape: str, parts: Sequence[str]) -> str:
    """A shape filled with the typed parts where they fit, and with values from the campaign elsewhere."""
    words = parts[1:]
    whole = len(_BETWEEN.split(shape)) == len(parts)

    def fill(match: re.Match[str]) -> str:
        place = len(_BETWEEN.findall(shape[:match.start()])) - 1
        alone = shape[match.start() - 1:match.start()] in (":", "/") and shape[match.end():match.end() + 1] in "/:"
        typed = words[place] if whole and alone and 0 <= place < len(words) else ""
        own = {"turn": ruleset.turn_pattern, "n": r"\d{1,4}"}.get(match[1], _CODE)
        fitting = _spell_part(campaign, match[1] + match[2], typed) if re.fullmatch(own, typed) else ""
        return fitting or _sample(ruleset, campaign, match[1])

    return _SLOT.sub(fill, shape)


def _sample(ruleset: Ruleset, campaign: Campaign, name: str) -> str:
    if name in ("turn", "n", "b"):
        return {"turn": campaign.desk.turn, "n": "1", "b": "b"}[name]
    keys = campaign.by_sheet(name).keys_in_file_order() if name in campaign.tables() else []
    return keys[0] if keys else example_of_battle(ruleset, campaign) if name == "Battles" else name.upper()
