"""Puts everything a reader sees into words: events, findings, questions, labels and titles, in English and Italian."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from functools import lru_cache
from pathlib import Path
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice
from assistant.campaign.records import BASE, Desk, Event, Faction, Question, Rule
from assistant.catalogues import LANGUAGES, catalogues_of, first_translation
from assistant.environment import quote_for_shell
from assistant.speech import SPOKEN_LANGUAGES as SPOKEN
from assistant.speech import (
    Brace,
    Name,
    Names,
    RowName,
    agreeing_variant,
    braces,
    fill_braces,
    heading_of,
    house_rule_data,
    names_of,
    option_labels,
    sheet_name,
)
from assistant.turn.battle_form import format_row_data
from assistant.turn.dice import sides_of
from assistant.turn.event_types import Ending, Said, codes_in
from assistant.turn.findings import Finding, Where, printed_chapters
from assistant.turn.messages import COMMON, COMMON_EVENTS
from assistant.turn.ruleset import Ruleset
from assistant.turn.rulings import ThrowData, format_throw, group_throws, natural_bounds
from assistant.turn.texts import N_, Meaning, meaning_of

# Only types and parameters are stored, so that everything can be worded in either language.


WORD = "word"
"""Context of the single words in the catalogues, so that "field" the battle is not "field" the land."""
MODIFIERS = ("mods", "modifiers")
"""Parameters that hold named modifiers, shown with their sign."""
TYPED = ("seen", "near", "allowed", "first", "text", "old", "new")
"""Parameters of findings that quote a cell or say what to type into it."""
AMOUNT = "n"
"""The ending of an option with an amount: ``promise:n``."""
FILES = ("{copy}", "{file}", "{book}", "{ledger}", "{folder}")
_BATTLE = ("battle", "b")
"""Parameters that name a battle."""
_BATTLE_SAID = {
    "en": ((re.compile(r"(?:[Tt]he )?[Bb]attle \{(battle|b)\}"), r"{\1}"),
           (re.compile(r"\{(battle|b)\} (?:at )?\{(?:node|hex)(?::\w+)?\}"), r"{\1}"),
           (re.compile(r"(\{b\} is fought) \{hex:at\}"), r"\1")),
    "it": ((re.compile(r"[Dd]ella battaglia \{(battle|b)\}"), r"{\1:di}"),
           (re.compile(r"(?:[Ll]a )?[Bb]attaglia \{(battle|b)\}"), r"{\1}"),
           (re.compile(r"\{(battle|b)\} \{(?:node|hex)(?::\w+)?\}"), r"{\1}"),
           (re.compile(r"(\{b\} si combatte) \{hex:dove\}"), r"\1")),
}
"""What sentences say about a battle that its name says already, and what stands there instead."""
_IN_COMMAND = re.compile(r"(arbitro (?:[a-z]+|\{verb\}) )\{(book|file|target|plain)\}( \{(?:name|copy)\})?")
"""A command to type that names a file, perhaps with a further name or a copy that lies beside the file."""
_YEAR = re.compile(r"year|until|since|^turn$")
"""In the name of a parameter or a column: its number is a year, whose thousands are not set apart."""
_AGAIN = re.compile(r"t?\d+")
"""What stands behind the purpose of a throw that is thrown once more."""
_NUMBER = re.compile(r"[~+-]?\d[\d.,/½–-]*")
_LOSSES = re.compile(r"(\S+) (?:(\w+) )?(\d+)/(\d+)/(\d+)")
"""Who has lost what: a code, perhaps a rank, and how many were killed, wounded and captured."""
_MAN = re.compile(r"([a-z_]+)-(\d+)")
"""A part of a key that numbers the men of a rank."""


def _stem(parts: tuple[str, ...]) -> tuple[str, ...]:
    """The parts of a key without the number by which throws that follow each other differ."""
    last = parts[-1] if parts else ""
    if _AGAIN.fullmatch(last):
        return parts[:-1] or parts
    man = _MAN.fullmatch(last)
    return (*parts[:-1], man[1]) if man else parts


def _is_counted(stem: tuple[str, ...], throws: Sequence[tuple[tuple[str, ...], list[ThrowData]]]) -> bool:
    """Whether the keys of throws differ in a count from 1 on, not in the numbers by which places are called; the first
    may go without one.
    """
    return ["1" if parts == stem else re.sub(r"\D", "", parts[-1]) for parts, _ in throws] == [
        str(n) for n in range(1, len(throws) + 1)]


def format_number(value: float, lang: str) -> str:
    """A number with its thousands set apart, and as many decimals as it has: ``1.234,5`` in Italian, ``1,234.5`` in
    English.
    """
    shown = f"{int(value) if value == int(value) else value:,}"
    return shown.translate(str.maketrans(",.", ".,")) if lang == "it" else shown


def is_year(name: str) -> bool:
    """Whether a number is a year, by the name of its parameter or column."""
    return _YEAR.search(name) is not None


class Verbatim(str):
    """A parameter that is shown unchanged."""

    __slots__ = ()


class Wording:
    """The words of one ruleset in one language.

    `names`: names of the codes of factions and places, or code -> name if it is not known what they stand for; a
    parameter that is exactly such a code, or a list of them, is shown by name.
    """

    def __init__(self, ruleset: Ruleset | None, lang: str, names: Names | Mapping[str, str] | None = None) -> None:
        self.ruleset = ruleset
        self.lang = lang if lang in LANGUAGES else "en"
        self.names = names if isinstance(names, Names) else Names.plain(self.lang, names or {})
        self._language = SPOKEN[self.lang]
        self._catalogues = catalogues_of(ruleset, self.lang)
        self._choices = _option_words(ruleset)
        self._codes = _declared_codes(ruleset)
        self._words: dict[str, str] = {}
        self._printed: dict[str, str] = {}
        self.typed: Mapping[str, str] = {}
        """A file's name -> its path as it was typed, where that is more than the name."""

    def of_file(self, path: Path) -> Wording:
        """The same wording for somebody who has typed this path: commands repeat it, so that they can be copied."""
        return self._with_typed({path.name: str(path)} if str(path) != path.name else {})

    def of_no_file(self) -> Wording:
        """The same wording with files by name only, for texts in a workbook, which may be read in any folder."""
        return self._with_typed({})

    def _with_typed(self, typed: Mapping[str, str]) -> Wording:
        told = copy(self)
        told.typed = typed
        return told

    # --- single texts -------------------------------------------------------------------------
    def text(self, msgid: str, /, **data: Any) -> str:
        """A sentence in the language, its braces filled from `data`."""
        return self._fill(self._translate(msgid), data)

    def plural(self, one: str, many: str, n: int, /, **data: Any) -> str:
        """The sentence for one (also for -1) or for many; {n} is the number."""
        plain = one if abs(n) == 1 else many
        text = first_translation((c.ngettext(one, many, abs(n)) for c in self._catalogues), plain)
        return self._fill(text, {"n": self.number(n), **data})

    def number(self, n: float) -> Verbatim:
        """A number with its thousands set apart; verbatim, so that it is not taken for the code of a hex."""
        return Verbatim(format_number(n, self.lang))

    def word(self, word: str) -> str:
        """A parameter's value in the language: a word of the catalogue, an option of a column, a verb, a sheet.

        What nobody knows (a code, a club's own text) is returned as it is.
        """
        if word not in self._words:
            self._words[word] = self._word(word)
        return self._words[word]

    def name_of(self, code: str) -> str:
        """What a code stands for: its name, else a word of the catalogue."""
        return self.names.text(code) if self.names.row_name(code) else self.word(code)

    def figure(self, label: str) -> str:
        """The label of a figure: a text or word of the catalogue, or the heading of a column of a faction's row."""
        text = first_translation((self.text(label), self.word(label)), label)
        headed = label[:1].upper() + label[1:]
        if text == label and (heading := self.text(headed)) != headed:
            return heading
        if text != label or self.ruleset is None:
            return text
        columns = self.ruleset.record(Faction.sheet).columns()
        return next((c.heading(self.lang) for c in columns if c.en == label), text)

    def _word(self, word: str) -> str:
        text = first_translation((c.pgettext(WORD, word) for c in self._catalogues), word)
        if text != word:
            return text
        italian = self._choices.get(word)
        if self.lang == "it" and italian:
            return italian.replace("_", " ")
        text = first_translation((c.gettext(word) for c in self._catalogues), word) if word else word
        if text != word:
            return text
        return word.replace("_", " ") if italian is not None or word in self._codes else word

    def printed_chapter(self, rule: str) -> str:
        """The chapter of the printed book for a rule, as the ruleset cites it; initials behind what they stand for."""
        if rule not in self._printed:
            known = self.ruleset.citations if self.ruleset else {}
            named = {key: one._replace(en=f"{self.text(one.heading)}, {one.en}", it="") if one.is_bare else one
                     for key, one in known.items()}
            self._printed[rule] = printed_chapters(rule, named, self.lang)
        return self._printed[rule]

    # --- events, questions, findings ----------------------------------------------------------
    def event(self, event: Event) -> str:
        """An event as a sentence."""
        declared = (self.ruleset.events.get(event.event) if self.ruleset else None) or COMMON_EVENTS.get(event.event)
        if declared is None:
            return self._unknown_text(event.event, event.data)
        data = {**dict.fromkeys(declared.blank.split(), ""), **event.data,
                **self._house_rule(event.data.get("sheet", ""), event.data.get("row", ""), event.data)}
        text = self._variant(declared.text, declared.variants, data)
        if "roll" not in data:  # an event may be told with its throw to some and without it to others
            data["roll"] = self.roll(event.roll, declared.verdicts) if event.roll else ""
        return self.sentence(text, data, declared.means)

    def finding(self, finding: Finding) -> str:
        """A finding as sentences: what was seen, what to do; of a remark on a phase to come, which phase."""
        text = " ".join(filter(None, [str(finding.data.get("line", "")), self._finding(finding)]))
        later = finding.later
        if later is None or self.ruleset is None:
            return text
        when = Verbatim(self.ruleset.when(later.turn, later.phase, self.lang))
        template = N_("{text} ({phase})") if later.certain else N_("{text} ({phase}, as things stand now)")
        if later.order and not later.certain:
            template = N_("{text} ({phase}, if {order} does not change that)")
        told = self.text(template, text=Verbatim(text), phase=when, order=Verbatim(later.order))
        return self.text(N_("{text} The same holds for {list}."), text=Verbatim(told),
                         list=Verbatim(later.more)) if later.more else told

    def _finding(self, finding: Finding) -> str:
        message = COMMON.get(finding.code) or (self.ruleset.findings.get(finding.code) if self.ruleset else None)
        if message is None:
            return self._unknown_text(finding.code, finding.data)
        where = finding.where
        data = {"sheet": where.table, "row": where.row, "column": where.field, "now": "", **finding.data,
                **self._house_rule(where.table, where.row, finding.data)}
        data |= {name: self._as_typed(finding, str(data[name])) for name in TYPED if isinstance(data.get(name), str)}
        return self.sentence(self._variant(message.text, message.variants, data), data, message.means)

    def _house_rule(self, sheet: str, key: str, data: Mapping[str, Any]) -> dict[str, Any]:
        """The data for a change of the sheet Rules in words; {} for anything else."""
        if sheet != Rule.sheet or self.ruleset is None or not {"old", "new"} <= data.keys():
            return {}
        told = house_rule_data(self.ruleset.numbers, key, str(data["old"]), str(data["new"]), self)
        return {name: text if name == "how" else Verbatim(text) for name, text in told.items()}

    def _as_typed(self, finding: Finding, text: str) -> Verbatim:
        """What was typed or is to be typed: codes stay codes, words of drop-downs are those of the sheet."""
        options: Mapping[str, str] = {}
        if self.ruleset is not None and finding.where.table == Rule.sheet:
            options = option_labels(self.ruleset.numbers, finding.where.row, self)
        elif self.ruleset is not None and self.lang == "it":
            with contextlib.suppress(KeyError):  # a finding of the whole workbook has no column
                options = self.ruleset.record(finding.where.table).column(finding.where.field).kind.words
        return Verbatim(", ".join(options.get(part, part) for part in text.split(", ")))

    def options(self, codes: str) -> str:
        """Options of a question as they may be typed in the language; ``promise:n`` asks for an amount."""
        return ", ".join(self._option(part.strip()) for part in codes.split(",")) if codes.strip() else ""

    def _option(self, code: str) -> str:
        head, mark, amount = code.partition(":")
        label = self.word(head + mark)
        label = self.word(head) + mark if label == head + mark else label
        if label == code and " " in code:  # a word and the code of what it is about: ``counter DER-a1``
            return " ".join([self.word(code.partition(" ")[0]), *code.split(" ")[1:]])
        if amount == AMOUNT:
            return self.text(N_("{said}amount (for example {said}12)"), said=label)
        faction = self.names.row_name(amount, "faction")  # ``territory Savoy``, which is read back by its name
        return label + amount if faction is None else f"{self.word(head)} {faction.text}"

    def question(self, question: Question) -> str:
        """A question as a sentence; for a standing answer, what it answers."""
        if question.stands:
            return self.text(N_("Until it is changed: {what}"), what=Verbatim(self.question_in_short(question)))
        declared = self.ruleset.questions.get(question.kind) if self.ruleset else None
        data = {"about": question.about, **question.asked}
        if declared is None:
            return self._unknown_text(question.kind, data)
        if not question.asked and braces(declared.text):
            # answered before it was asked: what it was about is all that is known
            return f"{self.word(question.kind)} {self.names.text(question.about)}".strip()
        # for questions that offer now these options, now those: all of them, and what tells a variant of the text
        data = {"options": question.options, "offered": re.sub(r":[^,\s]*", "", question.options), **data}
        return self.sentence(self._variant(declared.text, declared.variants, data), data, declared.means)

    def _variant(self, text: str, variants: tuple[str, Mapping[str, str]] | None, data: Mapping[str, Any]) -> str:
        if variants is None:
            return text
        parts = [data[name] for name in variants[0].split(" ") if name in data]
        told = [", ".join(map(str, value)) if isinstance(value, (list, tuple)) else "" if value is None else str(value)
                for value in parts]
        keys = (" ".join(told[first:]) for first in range(len(told)))  # the first may be one that makes no difference
        return next((variants[1][key] for key in keys if key in variants[1]), text)

    def _unknown_text(self, what: str, data: Mapping[str, Any]) -> str:
        told = ", ".join(f"{name}: {self._value_text(name, value, data, meaning_of(name))}"
                         for name, value in sorted(data.items()))
        return f"{what} ({told})" if told else what

    def question_in_short(self, question: Question) -> str:
        """What a question is about in a few words: its kind, and what it asks about by name."""
        about = "/".join(self.names.text(part) for part in question.about.split("/"))
        return f"{self.word(question.kind)} {about}".strip()

    # --- rolls --------------------------------------------------------------------------------
    def roll(self, roll: Mapping[str, Any], verdicts: tuple[str, str] | None = None) -> str:
        """A roll with all that decided it: ``1d6=4, +1 full rounds besieging, -2 garrison: 3, needs 7``.

        `verdicts`: words added for a trial that passed and for one that failed. Several rolls are listed with what
        distinguishes them; "" for no roll.
        """
        if "rolls" in roll:
            return self._several(roll["rolls"])
        if "successes" in roll:
            return self._successes(roll)
        if "dice" not in roll and "level" not in roll:
            return ""
        parts = [self.text(N_("level {n}"), n=roll["level"])] if "level" in roll else []
        parts += [format_throw(roll)] if "dice" in roll else []
        parts += [self.text(N_("the highest"))] if roll.get("read") == "highest" else []
        parts += [f"{points:+d} {self.word(name)}" for name, points in roll.get("modifiers", ())]
        line = ", ".join(parts)
        if "verdict" in roll:  # a reading of a table: the sum and the table's word
            return f"{line}: {roll['total']}: {self.word(str(roll['verdict']))}"
        if "target" not in roll:  # a score says what it comes to, where that is not the dice alone
            return f"{line}: {roll['total']}" if roll.get("modifiers") or "read" in roll else line
        line = f"{line}: {roll['total']}, {self._needs(roll)}"
        return f"{line}: {self.text(verdicts[0 if roll.get('passed') else 1])}" if verdicts else line

    def verdict(self, roll: Mapping[str, Any], verdicts: tuple[str, str] | None = None) -> str:
        """The verdict of a roll, in the words at the end of `roll`; "" if there are none."""
        if "verdict" in roll:
            return self.word(str(roll["verdict"]))
        return self.text(verdicts[0 if roll.get("passed") else 1]) if verdicts and "target" in roll else ""

    def _successes(self, roll: Mapping[str, Any]) -> str:
        """``2d6=3,5 against 3 (morale 5, lost battle -1, shaken -1): 1 success: morale shaken``."""
        line = self.text(N_("no dice"))
        if "dice" in roll:
            low = roll["reach"] == "at most"
            line = f"{format_throw(roll)} {self.text(N_('against {n}') if low else N_('{n} or more'), n=roll['limit'])}"
            made = [f"{self.word(name)} {points:{'+' if place else ''}d}"
                    for place, (name, points) in enumerate(roll["made_of"])]
            worst = sides_of(roll["dice"])[1]
            if roll["bounds"] and not 1 <= roll["limit"] < worst:  # only then the rule decides anything
                made.append(self.text(N_("{best} always, {worst} never"), best=1 if low else worst,
                                      worst=worst if low else 1))
            line += f" ({', '.join(made)})" if made else ""
        told, in_all = (self.plural(N_("{n} success"), N_("{n} successes"), roll[of]) for of in ("successes", "total"))
        parts = [told, *(f"{points:+d} {self.word(name)}" for name, points in roll["modifiers"])]
        line = f"{line}: {', '.join(parts)}" + (f": {in_all}" if roll["modifiers"] else "")
        read = N_("{n} by the table") if str(roll.get("verdict")).isdecimal() else "{n}"
        return f"{line}: {self.text(read, n=Verbatim(self.word(roll['verdict'])))}" if "verdict" in roll else line

    def _several(self, rolls: Iterable[Mapping[str, Any]]) -> str:
        apart = group_throws(rolls)
        again = [parts for parts, _ in apart] == [(str(n),) for n in range(1, len(apart) + 1)]  # one after the other
        if again:
            return "; ".join(f"{self.text(N_('throw {n}:'), n=parts[0])} {self._thrown(alike)}"
                             for parts, alike in apart)
        told: dict[tuple[str, ...], list[tuple[tuple[str, ...], list[ThrowData]]]] = {}
        for parts, alike in apart:  # who threw again, after a tie, is named once
            told.setdefault(parts if "target" in alike[0] else _stem(parts), []).append((parts, alike))
        return "; ".join(self._in_turn(stem, throws) if _is_counted(stem, throws) else "; ".join(
            self._in_turn(parts, [(parts, alike)]) for parts, alike in throws) for stem, throws in told.items())

    def _in_turn(self, stem: tuple[str, ...], throws: list[tuple[tuple[str, ...], list[ThrowData]]]) -> str:
        """``Durnhold 1d6=2, then 1d6=5``: throws whose keys differ in a number at most; of one its whole key."""
        label = " ".join(self.part_of_key(part) for part in (stem if throws[1:] else throws[0][0]))
        rolls = [roll for _, alike in throws for roll in alike]
        bare = not any(roll.get("modifiers") or "target" in roll or "verdict" in roll for roll in rolls)
        if throws[1:] and bare and _MAN.fullmatch(throws[0][0][-1]) and len({roll["dice"] for roll in rolls}) == 1:
            thrown = f"{rolls[0]['dice']}={','.join(str(roll['value']) for roll in rolls)}"  # one for each man
        else:
            thrown = f", {self.text(N_('then'))} ".join(self._thrown(alike) for _, alike in throws)
        return f"{label} {thrown}".strip()

    def part_of_key(self, part: str, *, named: bool = True) -> str:
        """``knights-1``, a man of a rank by his number, else what a part of a key stands for, a code's name if `named`.
        """
        man = _MAN.fullmatch(part)
        if man and not self.names.row_name(part):
            return f"{self.word(man[1])} {man[2]}"
        return self.name_of(part) if named else self.word(part)

    def _thrown(self, alike: Sequence[ThrowData]) -> str:
        return self._alike(alike) if alike[1:] else self.roll(alike[0])

    def _alike(self, rolls: Sequence[ThrowData]) -> str:
        """``3 times 1d6=2,6,3, +1 friendly territory, needs 4``: each die alone, against one target."""
        first = next(filter(natural_bounds, rolls), rolls[0])
        parts = [",".join(str(roll["value"]) for roll in rolls),
                 *(f"{points:+d} {self.word(name)}" for name, points in first["modifiers"]), self._needs(first)]
        return self.text(N_("{n} {n?time|times} {roll}"), n=len(rolls), roll=f"{first['dice']}={', '.join(parts)}")

    def _needs(self, roll: Mapping[str, Any]) -> str:
        needs = N_("needs {n}") if roll.get("reach") != "at most" else N_("needs {n} or less")
        alone = [self.text(N_("{best} always, {worst} never"), best=best, worst=worst)
                 for worst, best in natural_bounds(roll)]
        return " ".join([self.text(needs, n=roll["target"]), *(f"({need})" for need in alone)])

    # --- inside -------------------------------------------------------------------------------
    def _translate(self, msgid: str) -> str:
        return first_translation((c.gettext(msgid) for c in self._catalogues), msgid) if msgid else ""

    def sentence(self, msgid: str, data: Mapping[str, Any], means: Mapping[str, Meaning] | None = None) -> str:
        """A sentence that begins with a capital, even if a parameter comes first."""
        template = self._translate(msgid)
        told = self._fill(template, data, means)
        return told if template.startswith(FILES) else told[:1].upper() + told[1:]

    def _fill(self, template: str, data: Mapping[str, Any], means: Mapping[str, Meaning] | None = None) -> str:
        template = _IN_COMMAND.sub(_to_be_typed, template)
        if any(isinstance(code := data.get(name), str) and not isinstance(code, Verbatim)
               and code in self.names.battles for name in _BATTLE):
            template = self._of_battle(template)

        def show(brace: Brace) -> str | None:
            name = brace.name
            if name.startswith("typed_"):
                text = str(data.get(name.removeprefix("typed_"), ""))
                beside = self.typed.get(str(data.get("book", "")), "") if name == "typed_copy" else ""
                text = str(Path(beside).with_name(text)) if beside else self.typed.get(text, text)
                return quote_for_shell(text) if text else ""
            # "from" is no name for a Python argument, so events may say "frm"
            # a club's own text may be there in both languages
            for known in (f"{name}_{self.lang}", name, {"from": "frm", "frm": "from"}.get(name, name)):
                if known in data:
                    meaning = meaning_of(name, means)
                    if brace.form or brace.variants:
                        return self._spoken(brace, known, data, meaning)
                    return self._value_text(known, data[known], data, meaning)
            return None

        return fill_braces(template, show)

    def _of_battle(self, template: str) -> str:
        """A template for a battle that is called by its place: neither *battle* nor the place is said a second time."""
        for pattern, instead in _BATTLE_SAID[self.lang]:
            template = pattern.sub(instead, template)
        return template

    def _spoken(self, brace: Brace, known: str, data: Mapping[str, Any], meaning: Meaning) -> str:
        """Names in the form that a brace asks for, or the word that agrees with them."""
        value = data[known]
        codes = value if isinstance(value, (list, tuple)) else [value]
        if isinstance(value, str) and not isinstance(value, Verbatim) and " " in value:
            several = value.split(" ")
            codes = several if all(self.names.row_name(code, meaning) for code in several) else codes
        names = tuple(self._value_name(known, code, data, meaning) for code in codes)
        if brace.variants:
            return agreeing_variant(names, brace.variants)
        if not any(name.text for name in names) or brace.form not in self._language.forms:
            return self._value_text(known, value, data, meaning)
        return self._language.listed([self._language.formed(name, brace.form) for name in names])

    def _value_name(self, known: str, value: Any, data: Mapping[str, Any], meaning: Meaning) -> Name:
        """The name of a value: that of a code; a noun of the catalogue with its article; else as it is shown."""
        number = isinstance(value, int) and meaning != "place"  # where a map's codes are numbers, 4 is no place
        name = None if number or isinstance(value, Verbatim) else self.names.name(str(value), meaning)
        if name is not None:
            return name
        shown = self._value_text(known, value, data, meaning)
        if meaning == "place":
            return self._language.named(shown, place=True)
        if _NUMBER.fullmatch(shown):  # *1 map, 2 maps*, *+1 roll, 1.5 pounds*
            return Name(shown, feminine=False, plural=shown.lstrip("+-") != "1")
        translated = isinstance(value, str) and not isinstance(value, Verbatim) and shown != value
        return self._language.word(shown) if translated else Name(shown)

    def _value_text(self, name: str, value: Any, data: Mapping[str, Any], meaning: Meaning = "any") -> str:
        if value is None or isinstance(value, Verbatim):
            return value or ""
        if isinstance(value, bool):
            return self.word("yes" if value else "no")
        if isinstance(value, int) and meaning not in ("place", "text"):  # a map's codes may be numbers, a year is text
            return str(value) if is_year(name) else self.number(value)
        if isinstance(value, Said):  # a part of the sentence that has texts of its own
            return self.text(value.text, **value.data)
        if isinstance(value, Mapping):
            if self.ruleset is not None and "said" in value:
                return format_row_data(self.ruleset.record(value["sheet"]), value, self.lang)
            return self._finding_sentence(value) if "code" in value else self._list_text(name, value)
        if isinstance(value, (list, tuple)):
            return ("; " if name == "text" else ", ").join(self._value_text(name, item, data, meaning)
                                                           for item in value)
        return self._code(name, str(value), data, meaning)

    def _finding_sentence(self, value: Mapping[str, Any]) -> str:
        """A finding inside an event (code, row, field and data), as a sentence."""
        where = Where(value.get("table", ""), value.get("row", ""), value.get("field", ""))
        return self.finding(Finding(str(value["code"]), "error", where, value.get("data", {})))

    def _list_text(self, name: str, value: Mapping[str, Any]) -> str:
        """Named modifiers (``+2 walls``), figures (``ports 2``), or rows of figures (``V: ports 2; P: ...``)."""
        shown = {self._value_text("", key, {}): item for key, item in value.items() if item not in ("", None, {})}
        if name in MODIFIERS:
            return ", ".join(f"{points:+d} {key}" for key, points in shown.items())
        if any(isinstance(item, Mapping) for item in shown.values()):
            return "; ".join(f"{key}: {self._value_text('', item, {})}" for key, item in shown.items())
        return ", ".join(f"{key} {self._value_text('', item, {})}" for key, item in shown.items())

    def _code(self, name: str, value: str, data: Mapping[str, Any], meaning: Meaning) -> str:
        if meaning == "text":
            return self.names.text(value) if value in self.names.battles else value
        if meaning in ("pieces", "line"):
            in_line = meaning == "line"
            return value if self.ruleset is None else self.ruleset.pieces_in_words(value, self.lang, in_line=in_line)
        called = self.names.row_name(value, meaning)
        if called is not None:
            return called.table_text
        codes = value.split(" ")
        if len(codes) > 1 and all(self.names.row_name(code, meaning) for code in codes):
            return (" → " if name == "path" else ", ").join(self.names.text(code, meaning) for code in codes)
        return value if meaning in ("place", "piece") else self._by_convention(name, value, codes, data)

    def _losses(self, figures: list[tuple[str, ...]]) -> str:
        """``Trowbridge Castle: 1 killed (knights); Bohun's men: 2 killed, 1 captured (foot), 1 wounded (bows)``."""
        lost: dict[str, list[str]] = {}
        for code, rank, killed, wounded, captured in figures:
            counts = [self.text(text, n=int(n)) for text, n in (
                (N_("{n} killed"), killed), (N_("{n} wounded"), wounded), (N_("{n} captured"), captured)) if int(n)]
            of_rank = f" ({self._rank(rank)})" if rank else ""
            lost.setdefault(code, []).append(", ".join(counts) + of_rank)
        return "; ".join(f"{self.names.text(code)}: {', '.join(parts)}" for code, parts in lost.items())

    def _rank(self, letter: str) -> str:
        """``armoured foot`` for S: the word of a rank that a rulebook's own column understands by this letter."""
        ranks = (column.kind for record in (self.ruleset.records if self.ruleset else ()) for column in record.columns()
                 if column.name == "rank" and isinstance(column.kind, Choice))
        return next((kind.report_text(kind.read(letter), self.lang) for kind in ranks), letter)

    def _by_convention(self, name: str, value: str, codes: list[str], data: Mapping[str, Any]) -> str:
        """A value by the convention of its parameter's name: a path, a moment, a verb, a heading; else a word."""
        if name == "path" and all(code.isalnum() for code in codes):
            return " → ".join(self.names.text(code, "place") for code in codes)
        if name == "sides" and " / " in value:  # who fights whom: ``A-ROB A-BOH / A-YPR``
            return f" {self.text(N_('against'))} ".join(
                self._code(name, side, data, "any") for side in value.split(" / "))
        losses = [_LOSSES.fullmatch(part) for part in value.split("; ")] if name == "list" else []
        if losses and all(losses):  # ``trowbridge-castle K 1/0/0; A-BOH S 2/0/0``
            return self._losses([figure.groups() for figure in losses if figure])
        if self.ruleset is not None and value:
            if name.endswith("phase"):
                return self.ruleset.phase_word(value, self.lang)
            if name == "when" and len(codes) == 2:  # a turn and a phase, as they stand in their columns
                with contextlib.suppress(KeyError):
                    return self.ruleset.when(codes[0], codes[1], self.lang)
            verbs = self.ruleset.verbs
            if name == "verb" and value in verbs:
                return verbs[value].it if self.lang == "it" else value
            if name == "list" and all(code in verbs for code in codes):
                return ", ".join(verbs[code].it if self.lang == "it" else code for code in codes)
            if name in ("column", "columns", "field"):
                sheet, fields = str(data.get("sheet", "")), codes if name == "columns" else [value]
                return ", ".join(heading_of(self.ruleset, sheet, field, self.lang) for field in fields)
        if name == "options":
            return self.options(value)
        if name in ("sheet", "table") and value:
            return sheet_name(self.ruleset, value, self.lang)
        return self.word(value)


def _to_be_typed(command: re.Match[str]) -> str:
    return f"{command[1]}{{typed_{command[2]}}}{command[3].replace('{', '{typed_') if command[3] else ''}"


@lru_cache(maxsize=16)
def _declared_codes(ruleset: Ruleset | None) -> frozenset[str]:
    """The codes that a rulebook declares as words."""
    if ruleset is None:
        return frozenset()
    return frozenset(ruleset.words).union(*(home.translations.codes for home in ruleset.homes()))


def _option_words(ruleset: Ruleset | None) -> Mapping[str, str]:
    """Options of columns and verbs: code -> Italian; the first declaration of a code wins."""
    words: dict[str, str] = {}
    shown = (record for record in (ruleset.records if ruleset else ()) if not (record.quiet or record.apart))
    for record in (*shown, *BASE):
        for column in record.columns():
            if isinstance(column.kind, Choice) and not column.drawn:
                for code, italian in column.kind.options.items():
                    words.setdefault(code, italian)
    for verb in ruleset.verbs.values() if ruleset else ():
        words.setdefault(verb.en, verb.it)
    return words


# Everything by its name.


def named_wording(ruleset: Ruleset, view: Campaign, lang: str, *, codes: bool = True) -> Wording:
    """Words that call everything that a view knows by its name, and what has none by whose it is.

    `codes`: whether codes follow the names.
    """
    lang = lang or "en"
    unnamed = _by_whose(ruleset, view, lang)
    return Wording(ruleset, lang, names_of(view, lang, ruleset.named, ruleset.coded, codes=codes, unnamed=unnamed))


def _by_whose(ruleset: Ruleset, view: Campaign, lang: str) -> dict[str, RowName]:
    """What stands on the map without a name: *the army of Milan (M-2)*, by the heading of its sheet's first column;
    also what is gone by now, whose code is made like that of another.
    """
    spoken, words = SPOKEN[lang], Wording(ruleset, lang, names_of(view, lang, ()))
    made, kinds = dict[str, RowName](), dict[str, Verbatim]()

    def add(code: str, kind: Verbatim, whose: str) -> None:
        called = words.text(N_("the {kind} of {x:the}"), kind=kind, x=whose)
        made.setdefault(code, RowName(called, f" ({code})"))

    for record in ruleset.records:
        names, keys = {column.name for column in record.columns()}, [c for c in record.columns() if c.key]
        if "name" in names or not {"faction", "node"} <= names or record.grows or not record.unique or len(keys) > 1:
            continue
        noun = spoken.word(keys[0].heading(lang).lower())
        kind = Verbatim(spoken.formed(noun, "il") if lang == "it" else noun.text)
        for row in view.table(record):
            whose = str(getattr(row, "faction", ""))
            if whose and not row.ident.isdecimal():  # what bears a number is called by it
                add(row.ident, kind, whose)
                kinds.setdefault(_likeness(row.ident, whose), kind)
    told = {code for event in view.table(Event) for value in event.data.values() for code in codes_in(value)}
    for code in sorted(told - made.keys()):
        whose = code.partition("-")[0]
        if whose in view.table(Faction) and (alike := kinds.get(_likeness(code, whose))) is not None:
            add(code, alike, whose)
    return made


def _likeness(code: str, whose: str) -> str:
    """What codes of one kind have in common: ``-F#`` of ``V-F1``, which is Venice's."""
    return re.sub(r"\d+", "#", code.removeprefix(whose))


# Titles of campaigns.


TITLE_SEPARATOR = " / "
"""The separator of a title typed in English and Italian."""


def campaign_title(desk: Desk, words: Wording) -> Verbatim:
    """The title in the language of the words, or the rulebook's title if the campaign has none.

    A title may be typed in both languages, and that of a scenario is in the rulebook's catalogue; any other title is
    the same in all languages.
    """
    both = desk.title.split(TITLE_SEPARATOR)
    if len(both) == 2 and all(map(str.strip, both)):
        return Verbatim(both[words.lang == "it"].strip())
    return Verbatim(words.text(desk.title) or (words.ruleset.title if words.ruleset else ""))


# The winner.


def victory_sentences(ruleset: Ruleset, public: Campaign, wording: Wording) -> tuple[str, ...]:
    """Sentences who has won, or that nobody has, the same in all outputs. `public`: everybody's view."""
    sentences = sentences_of(ruleset.ending(public).verdict, wording)
    return sentences or (wording.text(N_("Nobody is named as the winner; the table shows how all stand.")),)


def scoring_sentences(ending: Ending, wording: Wording) -> tuple[str, ...]:
    """Sentences how the victory was counted, in the ruleset's words."""
    return sentences_of(ending.counted, wording)


def sentences_of(told: Iterable[Said | Event], wording: Wording) -> tuple[str, ...]:
    """Sentences and events in words, without blank ones."""
    sentences = (wording.event(sentence) if isinstance(sentence, Event)
                 else wording.text(sentence.text, **sentence.data) for sentence in told)
    return tuple(text for text in sentences if text)
