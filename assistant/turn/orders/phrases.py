"""Words, phrases and clauses of sentences: split, and found again in any form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from assistant.turn.orders.words import APART, LISTS, PATTERNS, SHARED, fold, imperative_forms

LANGUAGES = ("it", "en")
"""The languages in which people write orders."""

# Times. What else people say in many words, and lists of words, are in `words.toml` (`words.PATTERNS`, `words.LISTS`).


SEASONS = ("spring", "summer", "autumn", "winter", "primavera", "estate", "autunno", "inverno")
"""The seasons in both languages."""
_MONTH = r"([^\W\d_]+)"
_HALF = r"\s+(?:half|phase|part|metà|fase|parte)\b"
HALVES = {half: tuple(rf"(?i)\b{pattern}" for pattern in (
    rf"(?:(?:in|a)\s+)?(?:{about})\s+{_MONTH}", rf"(?:(?:in|ad?|di)\s+)?{_MONTH},?\s+(?:{which}){_HALF}",
    rf"(?:(?:in\s+the|nella)\s+)?(?:{which}){_HALF}(?:\s+(?:of\s+|di\s+|d['’]\s*){_MONTH})?"))
    for half, which, about in (
        ("i", "first|prima", r"early|(?:at\s+the\s+)?(?:beginning|start)\s+of|(?:all['’]\s*)?inizio(?:\s+di)?"),
        ("ii", "second|seconda", r"late|(?:at\s+the\s+)?end\s+of|(?:alla\s+)?fine(?:\s+di)?"))}
"""How a half of a month is called -> what names it, with the month if that is said."""


# What people say for the same thing in any book, for the table of a book's verbs (`OrderBook.like`) and its battles.

GO = SHARED.group("go")
"""What people say for going somewhere."""
COME_IN = SHARED.group("come_in")
"""What people say for entering a place."""
STAY = SHARED.group("stay")
"""What people say for staying where one is."""
RAISE = SHARED.group("raise")
"""What people say for raising men."""
HIRE = SHARED.group("hire")
"""What people say for hiring somebody."""
BUILD = SHARED.group("build")
"""What people say for building something."""
ATTACK = SHARED.group("attack")
"""What people say for attacking."""
BESIEGE = SHARED.group("besiege")
"""What people say for beginning a siege."""
UNBESIEGE = SHARED.group("unbesiege")
"""What people say for giving up a siege."""
SEND = SHARED.group("send")
"""What people say for sending or giving something."""
LEAVE = SHARED.group("leave")
"""What people say for leaving something behind."""
PUT = SHARED.group("put")
"""What people say for putting something somewhere."""
LOSSES = SHARED.group("losses")
"""What people say of losses, in the report of a battle."""
KILLED = SHARED.group("killed")
"""What people say of the dead, in the report of a battle."""
WOUNDED = SHARED.group("wounded")
"""What people say of the wounded, in the report of a battle."""
CAPTURED = SHARED.group("captured")
"""What people say of prisoners, in the report of a battle."""
ROUTED = SHARED.group("routed")
"""What people say of those who have fled, in the report of a battle."""
RETREAT = SHARED.group("retreat")
"""What people say of those who go back, in the report of a battle."""
DESTROYED = SHARED.group("destroyed")
"""What people say of what is no more, in the report of a battle."""
LEFT = SHARED.group("left")
"""What people say of those who are left, in the report of a battle."""
WIN, BEAT, LOSE, DRAW, ATTACKERS, DEFENDERS, US, THEM, NOUNS = map(SHARED.group, (
    "win", "beat", "lose", "draw", "attackers", "defenders", "us", "them", "nouns"))

_APART = r"\"[^\"]*\"|“[^”]*”|«[^»]*»|->|[>→@(]|(?:[^\s,;:+()\[\]>→@\"“”«»]|(?<=\d),(?=\d))+"
_RANGE = r"(?<=\d)\s*(?:\.\.|…)\s*(?=[^\W\d_]?[\w-]*\d)"


@dataclass(frozen=True)
class Token:
    """A word of a sentence, as it stands."""

    text: str
    quoted: bool = False

    @cached_property
    def folded(self) -> str:
        """Without case and accents."""
        return fold(self.text)

    @cached_property
    def forms(self) -> frozenset[str]:
        """The same, without the pronoun at its end (``portala`` is ``porta`` and ``portarla`` ``portare``), and the
        verbs of a noun or a wish: ``spostamento`` and ``sposterei`` are ``spostare``.
        """
        if self.quoted:
            return frozenset((self.folded,))
        match = re.fullmatch(_WITH_PRONOUN, self.folded)
        return frozenset((self.folded, *((match[1], match[1] + "e") if match else ()), *_verbs_of(self.folded)))


_DERIVED = tuple((re.compile(rf"([a-z]{{2,}}){ending}"), verbs.split()) for ending, verbs in (
    ("er(?:ei|ebbe|emmo|est[ei]|ebbero)", "are ere iare"), ("ir(?:ei|ebbe|emmo|est[ei]|ebbero)", "ire"),
    ("ass(?:i|e|ero|imo)", "are"), ("ess(?:i|e|ero|imo)", "ere"), ("iss(?:i|e|ero|imo)", "ire"),
    ("ament[oi]", "are"), ("iment[oi]", "ere ire"), ("azion[ei]", "are"), ("izion[ei]", "ire ere"),
    ("(?:at|iment)ions?", "e ate"), ("ations?", "- e ate y"), ("ments?", "- e"), ("ions?", "- e"),
    ("als?", "- e"), ("ance", "-")))
"""Endings of nouns that are made of verbs, and of wishes -> the endings of those verbs (``-``: none)."""
_WITH_PRONOUN = r"([a-z]{3,})(?:(?:me|te|se|ce|ve|glie)?(?:lo|la|li|le|ne)|mi|ti|ci|vi|si)"


@lru_cache(maxsize=8192)
def _verbs_of(word: str) -> tuple[str, ...]:
    """The verbs of which a folded word may be a noun or a wish; what is none harms nobody."""
    if len(word) < _SHORTEST_DERIVED:
        return ()
    made = [match[1] + verb.strip("-") for ending, verbs in _DERIVED if (match := ending.fullmatch(word))
            for verb in verbs]
    return tuple(dict.fromkeys((*made, *(re.sub("h(?=are$)", "", verb) for verb in made))))


_SHORTEST_DERIVED = 6
"""Letters of the shortest word that is looked at as one made of a verb."""


def split_words(text: str) -> list[Token]:
    """The words of a sentence; articles that lean on a word and the genitive's s stand alone."""
    tokens: list[Token] = []
    for piece in re.findall(_APART, re.sub(_RANGE, "..", text)):
        if piece[0] in "\"“«":
            tokens.append(Token(piece[1:-1], quoted=True))
            continue
        piece = {"->": ">", "→": ">", "@": "at", "(": "by"}.get(piece, piece).rstrip(".!?…") or piece
        if re.fullmatch(r"[^\w>=£$€+*/-]+", piece):  # a picture, or a dash
            continue
        parts = [piece]
        match = re.fullmatch(r"([\w-]+)['’]([^\W\d_]+(?:['’]s)?|)", piece)
        if match and (match[1].casefold() in LISTS.elided or match[2].casefold() in ("s", "d", "ll", "")):
            parts = [match[1], *re.split("['’]", match[2])]
        elif match and match[2].casefold() == "t":
            parts = [match[1] + match[2]]
        for part in parts:
            bare = part.strip(".!?…")
            if bare or part == ">":
                tokens.append(Token(bare or part))
    return tokens


_SHORTEST_NUMBER = 2
"""Letters of the shortest number in words."""


@lru_cache(maxsize=8192)
def number_in_words(words: str) -> int | None:
    """A number that is written in words of either language; None for anything else."""
    from text_to_num import text2num

    if len(words) < _SHORTEST_NUMBER:  # "o" is no zero
        return None
    for lang in LANGUAGES:
        try:
            return int(text2num(words, lang))
        except ValueError:  # not a number in this language
            continue
    return None


# --- what a phrase may be -------------------------------------------------------------------------
class _Phrase(NamedTuple):
    """A phrase that means something, each word by its forms."""

    words: tuple[frozenset[str], ...]
    meaning: Any


_ENDINGS: Mapping[str, str] = {
    "are": "o i a iamo ate ano ino iate ando erò erà eremo eranno",
    "ere": "o i e iamo ete ono a ano iate endo erò erà eremo eranno",
    "ire": "o i e iamo ite ono a ano iate endo irò irà iremo iranno isco isci isce isca iscano iscono",
    "orre": "ongo oni one oniamo onete ongono onga ongano onendo orrà orremo orranno",
    "urre": "uco uci uce uciamo ucete ucono uca ucano ucendo urrà urremo urranno",
    "gliere": "lgo lga lgano lgono gli glie gliamo gliete gliendo glierà glieranno"}
"""Ending of an Italian infinitive -> the endings of its forms."""
_PARTICIPLES: Mapping[str, str] = {
    "are": "ato ata ati ate asse assero", "ere": "uto uta uti ute esse essero",
    "ire": "ito ita iti ite isse issero"}
"""Ending of an Italian infinitive -> those of its participle, and of wishes (``vorrei che spiasse``)."""
_NOUNS = (("o", "i"), ("e", "i"), ("a", "e"), ("io", "i"), ("co", "chi"), ("go", "ghi"), ("ca", "che"), ("ga", "ghe"))
"""Endings of one and several in Italian."""
_SHORTEST_NOUN = 4
"""Letters of a noun whose ending is changed."""


def word_forms(word: str) -> Iterator[str]:
    """The forms of a folded word: of an Italian infinitive, else of an English verb or a noun of either language. What
    is none harms nobody.
    """
    yield word
    yield from imperative_forms(word)
    plain = re.sub(r"(?<=[aei]r)si$", "e", word)
    yield from LISTS.irregular.get(plain, ())
    for ending, endings in _ENDINGS.items():
        stem = plain.removesuffix(ending)
        if stem != plain and len(stem) > (ending in ("are", "ere", "ire")):
            yield from (plain, plain[:-1])
            yield from _conjugate(stem, ending, endings)
    yield from _inflect(word)


def participles(word: str) -> Iterator[str]:
    """The regular participles of a folded word: of an Italian infinitive, else of an English verb."""
    plain = re.sub(r"(?<=[aei]r)si$", "e", word)
    yield from (plain[:-3] + last for last in _PARTICIPLES.get(plain[-3:], "").split())
    if re.fullmatch(r"[a-z]*[a-z]{2}", word):
        yield from (word.removesuffix("e") + "ed", word + word[-1] + "ed", re.sub("y$", "ied", word))


def infinitives(word: str) -> tuple[str, ...]:
    """The infinitives of which a word may be the Italian imperative; what is none harms nobody."""
    if word.endswith("a"):
        return (f"{word}re",)
    return (f"{word[:-1]}ere", f"{word[:-1]}ire") if word.endswith("i") else ()


def _conjugate(stem: str, ending: str, endings: str) -> Iterator[str]:
    # c and g keep their sound before e and i: cerco, cerchi
    hard = ending == "are" and stem[-1:] in "cg"
    for last in map(fold, endings.split()):
        yield stem + ("h" if hard and last[0] in "ie" else "") + last
        # mangiamo has one i, spiino has two
        if stem.endswith("i") and last[0] in "ie":
            yield stem[:-1] + last


def _inflect(word: str) -> Iterator[str]:
    for singular, several in _NOUNS if len(word) >= _SHORTEST_NOUN else ():
        yield from (word.removesuffix(a) + b for a, b in ((singular, several), (several, singular)) if word.endswith(a))
    if re.fullmatch(r"[a-z_]*[a-z]{2}", word):
        short = word.removesuffix("e")
        yield from (word + "s", word + "es", short + "ing", word + word[-1] + "ing", short + "ed",
        word + word[-1] + "ed")
        if word.endswith("y"):
            yield word[:-1] + "ies"
        if word.endswith("s") and len(word) >= _SHORTEST_NOUN:
            yield word[:-1]


class PhraseIndex:
    """Finds phrases by any form of their words; words that say nothing may stand between them. `passive`: also by
    participles (``a garrison placed at Arezzo``), which tell of the past elsewhere.
    """

    def __init__(self, phrases: Iterable[tuple[str, Any]], *, passive: bool = False) -> None:
        self._given, self._passive = phrases, passive

    @cached_property
    def _phrases(self) -> tuple[tuple[str, Any], ...]:
        return tuple(self._given)

    @cached_property
    def vocabulary(self) -> set[str]:
        """Every form of every word."""
        return {form for phrases in self._by_form.values() for phrase in phrases for forms in phrase.words
                for form in forms}

    @cached_property
    def _by_form(self) -> Mapping[str, list[_Phrase]]:
        """The phrases by each form of their first word, as soon as somebody looks."""
        by_form: dict[str, list[_Phrase]] = {}
        for text, meaning in self._phrases:
            if APART in text:
                continue
            words = tuple(_forms_of(token.text, self._passive) for token in split_words(text.replace("_",
            " ")) if token.text)
            for form in sorted(words[0]) if words else ():
                by_form.setdefault(form, []).append(_Phrase(words, meaning))
            if len(words) > 1:  # written with hyphens, it is one word
                for form in sorted(_forms_of(fold(text), self._passive)):
                    by_form.setdefault(form, []).append(_Phrase((_forms_of(fold(text), self._passive),), meaning))
        return by_form

    @cached_property
    def _two_part_phrases(self) -> Mapping[str, list[tuple[int, frozenset[str], Any]]]:
        """The phrases whose two parts stand apart, by each form of the first: the number of each, the forms of its last
        part, what it means.
        """
        by_form: dict[str, list[tuple[int, frozenset[str], Any]]] = {}
        for number, (text, meaning) in enumerate(self._phrases):
            if APART in text:
                first, last = text.split(APART)
                for form in _forms_of(first, self._passive):
                    by_form.setdefault(form, []).append((number, _forms_of(last, self._passive), meaning))
        return by_form

    def has(self, text: str) -> bool:
        """Whether a text is one of the phrases."""
        tokens = split_words(text)
        return bool(tokens) and any(count == len(tokens) for count, _ in self.at(tokens, 0))

    def two_part_places(self, tokens: Sequence[Token]) -> Iterator[tuple[int, Any]]:
        """The places of phrases whose two parts stand apart, each part by itself."""
        begun: dict[int, tuple[int, frozenset[str], Any]] = {}
        for at, token in enumerate(tokens):
            for form in token.forms & self._two_part_phrases.keys():
                for number, last, meaning in self._two_part_phrases[form]:
                    begun.setdefault(number, (at, last, meaning))
        for _, (start, last, meaning) in sorted(begun.items(), key=lambda phrase: phrase[0]):
            end = next((at for at in range(len(tokens) - 1, start, -1) if last & tokens[at].forms), start)
            if end > start:
                yield start, meaning
                yield end, meaning

    def at(self, tokens: Sequence[Token], start: int) -> Iterator[tuple[int, Any]]:
        """The phrases that stand at a place: how many words, and what each means."""
        for form in sorted(tokens[start].forms & self._by_form.keys()):
            for phrase in self._by_form[form]:
                # alone it is a preposition here, and no verb
                if tokens[start].folded in LISTS.prepositions and len(phrase.words) == 1:
                    continue
                count = _count_words(phrase, tokens, start)
                if count:
                    yield count, phrase.meaning


MOST_BETWEEN = 2
"""Words that say nothing between two words of a phrase, at most."""


def _count_words(phrase: _Phrase, tokens: Sequence[Token], start: int) -> int:
    """How many words a phrase takes at a place, 0 where it does not stand there."""
    at = start
    for number, forms in enumerate(phrase.words):
        skipped = 0
        while number and at < len(tokens) and forms.isdisjoint(tokens[at].forms) and skipped < MOST_BETWEEN and any(
                tokens[at].folded in words for words in (LISTS.fillers, LISTS.clitics, LISTS.manner)):
            at, skipped = at + 1, skipped + 1
        if at >= len(tokens) or forms.isdisjoint(tokens[at].forms):
            return 0
        at += 1
    return at - start


@lru_cache(maxsize=8192)
def _forms_of(word: str, passive: bool) -> frozenset[str]:
    return frozenset((*word_forms(fold(word)), *(participles(fold(word)) if passive else ())))


# The clause that orders something, beside those that only say why, or tell a tale before it.


MOST_CLAUSES = 6
"""Clauses of a text that are read by themselves, at most."""
SHORTEST_TALE = 4
"""Words of the shortest clause that may be a tale before an order; a shorter one may be a topic, or a name."""
_HENCE = (r"so(?!\s+(?:that|as|far|much|many|long|be)\b)|therefore|hence|thus|which\s+is\s+why|sicch[eé]|perciò|quindi"
          r"|dunque|pertanto|per\s+cui|così(?!\s+(?:che|come|da)\b)|ragion\s+per\s+cui")
_BEHIND_A_REASON = re.compile(
    rf"(?is)^(?P<tale>.+)[,;:.!?–—-]\s+(?:and\s+|e\s+)?(?P<hence>{_HENCE})[,\s]+(?P<order>.+)$")
_BEHIND_A_TALE = re.compile(r"(?s)^(?P<tale>[^:;!]+)(?:[:;!]|(?<=\w{3})\.)\s+(?P<order>.+)$")
_BETWEEN_CLAUSES = re.compile(rf"(?i)\s*[,;:!()]\s+|(?<=\w{{3}})\.\s+|\s+[-–—]+\s+|[,\s]+(?:{_HENCE})\s+")


class Division(NamedTuple):
    """A text in two: what is told, and the clause behind it that may order something. `hence`: a word says that the
    one follows from the other.
    """

    tale: str
    order: str
    hence: bool


def divisions(text: str) -> list[Division]:
    """How a text may be divided into what is told and the order behind it, the likeliest first."""
    found = []
    for pattern in (_BEHIND_A_REASON, _BEHIND_A_TALE):
        if match := pattern.match(text):
            found.append(Division(match["tale"], match["order"], pattern is _BEHIND_A_REASON))
    return found


def is_idle_tale(told: Division) -> bool:
    """Whether what is told neither denies nor doubts what is behind it, nor says that somebody else wants it, nor holds
    a code: then it says no more than why.
    """
    words, behind = split_words(told.tale), {token.folded for token in split_words(told.order)}
    if behind & (LISTS.there | LISTS.pronouns) - LISTS.articles - LISTS.clitics:
        return False  # what is told says where, or whom
    if behind & (LISTS.doubts - LISTS.telling):
        return False
    # who names codes and numbers means something by it
    if any(token.quoted or any(sign.isdigit() for sign in token.text) or "-" in token.text[1:] for token in words):
        return False
    if any(token.folded in LISTS.doubts - LISTS.telling or token.folded in LISTS.undecided for token in words):
        return False
    return told.hence or (len(words) >= SHORTEST_TALE and not re.search(PATTERNS.spoken, told.tale))


def clauses(text: str) -> list[str]:
    """The ends of a text, the longest first, and its clauses: whatever may be an order by itself."""
    cuts = [match.span() for match in _BETWEEN_CLAUSES.finditer(text)]
    if not cuts or len(cuts) > MOST_CLAUSES:
        return []
    starts, stops = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(text)]
    ends = [text[start:] for start in starts[1:]]
    single = [text[start:stop] for start, stop in zip(starts, stops, strict=True)]
    return list(dict.fromkeys(part.strip() for part in (*ends, *single) if len(split_words(part)) > 1))[:MOST_CLAUSES]
