"""What is asked of somebody who begins a rulebook: questions, and texts in; answers that fit together out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from assistant.turn.texts import N_


class TwoWords(NamedTuple):
    """A word in English and Italian; the Italian is the English where none was given."""

    en: str
    it: str


class DraftQuestion(NamedTuple):
    """One question. `key`: its name in a file of answers; `text`: the question (msgid); `usual`: what is proposed;
    `wanted`: what can be an answer, as it is typed (msgid); `read`: makes the answer of a text, None where it is none.
    """

    key: str
    text: str
    usual: str
    wanted: str
    read: Callable[[str], Any]


_WORD = r"[^\W\d_]+"
_TITLE = re.compile(r"[\w .,:;!?&()'-]{1,60}")
_DICE = re.compile(r"[1-9]d[1-9]\d?")
MOST_FACTIONS, MOST_ROUNDS, MOST_TURNS, MOST_SEASONS = 6, 6, 99, 12
NONE = ("none", "no", "nessuno", "nessuna")


def _text(typed: str) -> str | None:
    return typed if _TITLE.fullmatch(typed) else None


def _one_of(**words: str) -> Callable[[str], str | None]:
    """Reads one of some words, in English or Italian."""
    known = {**{en: en for en in words}, **{it: en for en, it in words.items()}}
    return lambda typed: known.get(typed.casefold())


def _whole(least: int, most: int) -> Callable[[str], int | None]:
    return lambda typed: int(typed) if re.fullmatch(r"[0-9]{1,3}", typed) and least <= int(typed) <= most else None


def _yes(typed: str) -> bool | None:
    return {"yes": True, "y": True, "sì": True, "si": True, "no": False, "n": False}.get(typed.casefold())


def _two_words(typed: str) -> TwoWords | None:
    if not re.fullmatch(rf"{_WORD}(?:/{_WORD})?", typed):
        return None
    en, _, it = typed.partition("/")
    return TwoWords(en, it or en)


def _money(typed: str) -> TwoWords | str | None:
    return "" if typed.casefold() in NONE else _two_words(typed)


def _dice(typed: str) -> str | None:
    return "" if typed.casefold() in NONE else typed if _DICE.fullmatch(typed) else None


def _turns(typed: str) -> tuple[TwoWords, ...] | None:
    words = [_two_words(part) for part in typed.replace(",", " ").split()]
    if not words or len(words) > MOST_SEASONS or None in words:
        return None
    named = tuple(word for word in words if word is not None)
    codes = [word.en.casefold() for word in named]
    # a turn is a number and a season, so no season may end as another does
    alike = any(one != other and one.endswith(other) for one in codes for other in codes)
    return None if alike or len(set(codes)) < len(codes) else named


def _languages(typed: str) -> tuple[str, ...] | None:
    words = tuple(typed.casefold().replace(",", " ").split())
    return words if words in (("en",), ("en", "it")) else None


QUESTIONS: tuple[DraftQuestion, ...] = (
    DraftQuestion("title", N_("What is the game called?"), "", N_("up to 60 letters"), _text),
    DraftQuestion("author", N_("Who writes it?"), N_("our club"), N_("up to 60 letters"), _text),
    DraftQuestion("map", N_("Is the map made of places with roads, of hexes or of squares?"), "nodes",
                  N_("nodes, hexes, squares"), _one_of(nodes="nodi", hexes="esagoni", squares="quadrati")),
    DraftQuestion("factions", N_("How many factions play?"), "2", f"2 - {MOST_FACTIONS}", _whole(2, MOST_FACTIONS)),
    DraftQuestion("turns", N_("What are turns called: one word if they are counted (day/giorno), else the seasons of a"
                              " year (Spring/Primavera Autumn/Autunno)?"), "day/giorno",
                  N_("words, each perhaps with its Italian behind a stroke"), _turns),
    DraftQuestion("length", N_("How many of these turns, or years, does a campaign last?"), "3", f"1 - {MOST_TURNS}",
                  _whole(1, MOST_TURNS)),
    DraftQuestion("rounds", N_("In how many rounds of a turn do armies march, each with its own orders?"), "1",
                  f"1 - {MOST_ROUNDS}", _whole(1, MOST_ROUNDS)),
    DraftQuestion("secret", N_("Whose orders are secret, and where armies are: nobody's, once they are carried out"
                               " (none), or everybody's (all)?"), "none", N_("none, all"),
                  _one_of(none="nessuno", all="tutti")),
    DraftQuestion("battles", N_("Are battles fought on the table, or by dice?"), "dice", N_("table, dice"),
                  _one_of(table="tavolo", dice="dadi")),
    DraftQuestion("dice", N_("Which dice does a side throw in a battle?"), "1d6", N_("1d6, 2d10 or the like, or none"),
                  _dice),
    DraftQuestion("money", N_("What is money called, if there is any?"), "gold/oro",
                  N_("a word, perhaps with its Italian behind a stroke, or none"), _money),
    DraftQuestion("languages", N_("Which languages do its texts have?"), "en it", "en, en it", _languages),
    DraftQuestion("robots", N_("Shall robots play for absent clubs?"), "yes", N_("yes, no"), _yes),
)
"""In the order in which they are asked."""


class WrongAnswer(NamedTuple):
    """An answer that cannot stand. `wanted`: what could (msgid), "" where two answers do not go together."""

    key: str
    seen: str
    wanted: str


def read_answers(typed: Mapping[str, str], usual_title: str) -> tuple[dict[str, Any], list[WrongAnswer]]:
    """The answers by their keys, with what is usual where nothing was typed; and what is wrong with them."""
    answers: dict[str, Any] = {}
    wrong = []
    for question in QUESTIONS:
        text = typed.get(question.key, "").strip() or question.usual or usual_title
        answers[question.key] = question.read(text)
        if answers[question.key] is None:
            wrong.append(WrongAnswer(question.key, text, question.wanted))
    if not wrong and answers["battles"] == "dice" and not answers["dice"]:
        wrong.append(WrongAnswer("dice", "none", "1d6"))
    return answers, wrong


def read_answer_file(text: str) -> tuple[dict[str, str], list[str]]:
    """Key -> answer, of lines ``key: answer``; and the lines that are none. Blank lines and those after # are left
    out, and quotation marks around an answer, so that simple YAML is read as well.
    """
    typed: dict[str, str] = {}
    strange = []
    keys = {question.key for question in QUESTIONS}
    for line in text.splitlines():
        key, colon, answer = line.partition(":")
        if not line.strip() or line.lstrip().startswith(("#", "---")):
            continue
        if colon and key.strip().casefold() in keys:
            typed[key.strip().casefold()] = answer.strip().strip("\"'")
        else:
            strange.append(line.strip())
    return typed, strange
