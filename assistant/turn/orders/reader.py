"""Reads orders as people write them: words in any order, names, forms of verbs, numbers in words, small slips.

A sentence is laid over the columns of a verb: each word is a piece of a column, a form of the verb, a preposition, or
says nothing. A reading counts only if every word has its place; of several the one counts that the prepositions and the
order of the columns favour. Nothing is guessed: what misses a piece that several things could be, has a word too
many or can be read in two ways becomes a proposal. A row of columns, and a line in the book's own notation, are read
here, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice, pairwise, product
from types import MappingProxyType
from typing import Any, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import ordinal_number as read_number
from assistant.campaign.records import CLUBLESS, Event, Faction, FindingRow, Node, Order
from assistant.campaign.tables import natural
from assistant.turn.orders.columns import Code, Kind, Option, Path, Piece, place_of_unit
from assistant.turn.orders.lexicon import ExactLexicon, ExactSentence, Lexicon, SplitSentence
from assistant.turn.orders.phrases import (
    ANOTHER_TIME,
    ASIDES,
    CAUSES,
    CONDITIONS,
    COULD,
    FIRST_OF_TWO,
    GOES_ON,
    HALVES,
    HAVING,
    INSTEAD_OF,
    LAUGHS,
    LEADS_TO_TIME,
    NAMES_OF_TIMES,
    NOW,
    PAST,
    POLITE,
    PURPOSES,
    REASONS,
    RELATIVES,
    REST_STAYS,
    SEASONS,
    Token,
    split_words,
)
from assistant.turn.orders.requests import CELLS, Refused, Request, filled_columns
from assistant.turn.orders.verbs import OrderBook, Verb, order_line
from assistant.turn.orders.words import LISTS, codes_by_name, fold, strip_marks

MOST_WORDS = 40
"""Words of a sentence at most; a longer text is no order."""
LONGEST_VERB = 3
"""Words of the longest verb."""
MOST_PARTS = 8
"""Parts of a sentence that may be orders of their own, at most."""
MOST_TRIED = 1500
"""Ways to lay a sentence over a verb that are tried at most."""
MOST_SKIPPED = 4
"""Words without a place in what is proposed, at most."""
MOST_PROPOSED = 3
MOST_COMPLETIONS = 12
"""Ways to fill in what a sentence leaves out that are judged at most."""
MOST_JUDGED = 6
"""Readings between which the judge chooses, at most: he takes his time."""
SURE = 2
"""Columns that a sentence without a verb must fill more than, to be an order of the only verb that has them all."""
NEAR, FAR = 1, 6
"""How much worse a reading may be than the best and still be asked whether it is the legal one, and how much where the
best is not.
"""

DOERS, PLACES = ("unit", "army", "subject", "player"), ("target", "node", "place")
"""The columns that say who does something, and where."""
_BREAKS = (r"(?i)\s*;\s*|\s*\n\s*|,?\s+(?:and\s+then|after\s+that|e\s+poi|e\s+dopo|poi|then|and|while|mentre"
           r"|e|ed|n|plus)\s+|,\s+|\s*:\s+|\s+[-–—]+\s+|(?:(?<=[^\W\d_]{3})|(?<=[\d)\"]))(?:[.!?]+|…)\s+"
           rf"|\s+STOP\b[.\s]*|\s+(?=(?:{REASONS})\s)")
"""Where a sentence may fall into parts."""
_ASIDE = (rf"(?i)(\s*[,;:()]\s*|\s+[-–—]+\s+|[.!]\s+|\s+(?=(?:who|whose|which|where|dove|lest|ché|giusto|affinch[eé]"
          rf"|per\s+(?:non\s+)?\w+r(?:e|[glmstvcn]\w{{1,2}})|to\s+(?:not\s+)?(?-i:[a-z])|{REASONS})\s?))")
"""Where a clause may begin that orders nothing."""
_IN_QUOTES = r"\"[^\"]*\"|“[^”]*”|«[^»]*»"
_JOINED = r"(?i),?\s+(?:and(?:\s+then)?|e|ed|n|plus|e\s+poi)\s+"
"""What joins two parts so closely that neither is a remark."""

_APART = r"(?i);|\b(?:then|poi|dopo|after\s+that)\b"
"""What stands between two orders rather than between two parts of one."""

Fields = Mapping[str, Any]
IsLegal = Callable[[Fields], bool]
"""Whether the faction may give an order now, as far as it can know."""


class LineReading(NamedTuple):
    """How a line was read.

    `orders`: what it says, in turn; `proposals`: whole orders that it may mean, where it was not taken; `unknown`: the
    first word that has no place; `verb`: what it seems to order, and `missing`: the columns of which it says nothing;
    `idle`: it is no order (a question, a greeting); `left_out`: what the first proposal says nothing of: words without
    a place, a condition, another time.
    """

    orders: tuple[Fields, ...] = ()
    proposals: tuple[Fields, ...] = ()
    unknown: str = ""
    verb: str = ""
    missing: tuple[str, ...] = ()
    idle: bool = False
    left_out: tuple[str, ...] = ()


_SOUNDS_LIKE = {"2": frozenset({"to"}), "4": frozenset({"for", "by"})}
"""Numbers that people write for a word that sounds like them, and what that says."""


# --- laying a sentence over a verb ----------------------------------------------------------------
@dataclass(eq=False, repr=False)
class _Layout:
    """One way to lay a sentence over a verb, as far as it goes."""

    columns: dict[str, list[Piece]] = field(default_factory=dict)
    skipped: tuple[str, ...] = ()
    stands: frozenset[str] = frozenset()
    """Places that are named and have no column: where the unit stands, or the sentence is not understood."""
    score: int = 0
    verb_words: tuple[str, ...] = ()


class _VerbReader:
    """Tries all ways to lay a sentence over one verb."""

    def __init__(self, sentence: SplitSentence, verb: Verb, most_skipped: int) -> None:
        self.sentence, self.verb, self.most_skipped = sentence, verb, most_skipped
        self.layouts: list[_Layout] = []
        self.tried = 0
        self.kinds = verb.kinds
        self.names = list(verb.kinds)
        self.own_words = {fold(word) for word in (verb.en, verb.it, *verb.also)}

    def read(self) -> list[_Layout]:
        """The ways in which every word has a place, but for a few that were skipped."""
        self._step(0, frozenset(), _Layout())
        return self.layouts

    def _step(self, at: int, roles: frozenset[str], layout: _Layout) -> None:
        self.tried += 1
        if self.tried > MOST_TRIED:
            return
        tokens = self.sentence.tokens
        if at == len(tokens):
            self.layouts.append(layout)
            return
        placed = self._place(at, roles, layout)
        if not self.sentence.exact and self._stands_for_a_preposition(at):
            self._step(at + 1, _SOUNDS_LIKE[tokens[at].text], replace(layout, score=layout.score + 1))
        if tokens[at].folded in LISTS.prepositions:
            more = LISTS.prepositions[tokens[at].folded]
            self._step(at + 1, (roles | more) if roles else more, layout)
        elif self._says_nothing(at, placed, bool(layout.columns)) and not self._counts_again(at, layout) and not (
                layout.columns and self.sentence.is_another(at)) and (
                (1, self.verb.en) not in self.sentence.verb_words[at]):
            self._step(at + 1, roles, layout)
        elif not placed:
            self._skip(at, roles, layout)
        self._stand(at, roles, layout, placed)

    def _stands_for_a_preposition(self, at: int) -> bool:
        """Whether a number is written for the word that sounds like it: ``S1 2 Gaeta``, ``5 axemen 4 D2``."""
        tokens = self.sentence.tokens
        start = next((place for place in range(at + 1, len(tokens)) if tokens[place].folded not in LISTS.name_fillers),
                     len(tokens))
        if not at or tokens[at].text not in _SOUNDS_LIKE or start >= len(tokens) or len(tokens[start].text) == 1:
            return False  # "2 F" are two of a letter
        return any(self.sentence.pieces(start, kind) for kind in self.kinds.values()
                   if not kind.takes("number") or kind.takes("unit"))

    def _skip(self, at: int, roles: frozenset[str], layout: _Layout) -> None:
        """Go on behind a word without a place."""
        word = self.sentence.tokens[at]
        if len(layout.skipped) < self.most_skipped and word.folded not in LISTS.negations | LISTS.undoing:
            skipped = (*layout.skipped, self.sentence.typed[at].text)
            self._step(at + 1, roles, replace(layout, skipped=skipped, score=layout.score - 20))

    def _stand(self, at: int, roles: frozenset[str], layout: _Layout, placed: bool) -> None:
        """Go on from a place where the unit may stand, and from the name of whoever orders."""
        if self.sentence.tokens[at].forms & LISTS.departing and not any(
                count > 1 and code != self.verb.en for count, code in self.sentence.verb_words[at]):  # "quit siege"
            self._step(at + 1, frozenset({"from"}), layout)
        opens = not layout.columns and bool(self.sentence.verb_words[at + 1:] and self.sentence.verb_words[at + 1])
        if (not placed or opens) and not roles & {"to", "from", "at", "with"}:
            for count, code in self.sentence.rows(at, (Faction,)):
                if code == self.sentence.faction:
                    self._step(at + count, roles, layout)
        if not layout.stands and ("from" in roles or (not placed and (not roles or "at" in roles))):
            for count, code in self.sentence.rows(at, (Node,)):
                self._step(at + count, frozenset(), replace(layout, stands=frozenset({code}),
                                                            score=layout.score + 2 * count))

    def _says_nothing(self, at: int, placed: bool, begun: bool = False) -> bool:
        word, book = self.sentence.tokens[at].folded, self.sentence.lexicon.book
        following = self.sentence.tokens[at + 1].folded if at + 1 < len(self.sentence.tokens) else ""
        if word in LISTS.instead | LISTS.ones and not placed:
            return following not in LISTS.name_fillers
        if begun and self._only_places(at):
            return True
        if word in LISTS.going and "to" in LISTS.prepositions.get(following, ()):
            # "va a Milano e la assedia" is a march, too
            return not placed and self._only_sends(at)
        theirs = at > 0 and word in LISTS.men and self.sentence.tokens[at - 1].folded in LISTS.possessives
        small = LISTS.name_fillers | LISTS.ones | LISTS.clitics
        return theirs or (word in LISTS.fillers and (not placed or word in small)) or (
            word in book.fillers and book.code(word) in ("", self.verb.en)) or (
            not placed and not self.sentence.verb_words[at] and (
                LISTS.is_manner(word) or self._only_describes(at))) or (
            not placed and (self._only_sends(at) or self._says_what_it_is(at)))

    def _counts_again(self, at: int, layout: _Layout) -> bool:
        """Whether a "one" is another number than the one that has been placed: ``three units and one company``."""
        before = self.sentence.tokens[at - 1].folded if at else ""
        return self.sentence.tokens[at].folded == "one" and before not in LISTS.fillers - {"and", "of"} and any(
            isinstance(piece.value, int) and piece.value != 1 for pieces in layout.columns.values() for piece in pieces)

    def _only_describes(self, at: int) -> bool:
        """Whether a word only says what the unit behind it is like: ``il prode Torvald``."""
        tokens, word = self.sentence.tokens, self.sentence.tokens[at]
        if not at or not word.text.isalpha() or not word.text.islower() or (
                word.folded in LISTS.doubts | LISTS.negations | LISTS.of_another_unit
                or tokens[at - 1].folded not in LISTS.name_fillers | LISTS.possessives):
            return False
        return at + 1 < len(tokens) and any(self.sentence.pieces(at + 1, kind) for kind in self.kinds.values()
                                            if kind.acts and not kind.takes("place"))

    def _says_what_it_is(self, at: int) -> bool:
        """Whether a noun stands behind an article and before a code, of which it only says what it is: ``il convoglio
        C-KNG``.
        """
        tokens, word = self.sentence.tokens, self.sentence.tokens[at]
        if not at or at + 1 >= len(tokens) or not word.text.islower() or not word.text.isalpha() or (
                word.folded in LISTS.doubts | LISTS.negations | LISTS.of_another_unit | LISTS.prepositions.keys()
                or tokens[at - 1].folded not in LISTS.name_fillers | LISTS.possessives):
            return False
        code = tokens[at + 1].text
        return "-" in code and any(fold(str(value)) == fold(code) and count == 1 for kind in self.kinds.values()
                                   if kind.tables() for count, value in self.sentence.pieces(at + 1, kind))

    def _only_places(self, at: int) -> bool:
        """Whether a verb with a pronoun only says where that is to be which was named: ``and place him with S-1``."""
        tokens = self.sentence.tokens
        behind = tokens[at + 1].folded if at + 1 < len(tokens) else ""
        leans = tokens[at].forms - {tokens[at].folded}
        return bool(at) and ((tokens[at].folded in LISTS.placing and behind in LISTS.pronouns - LISTS.articles)
                             or bool(leans & LISTS.placing and re.search("l[oaie]$", tokens[at].folded)))

    def _only_sends(self, at: int) -> bool:
        """Whether a word only says that somebody is sent to do what another word says."""
        tokens, verb_words = self.sentence.tokens, self.sentence.verb_words
        farthest = len(tokens) - 2 if tokens[at].folded not in LISTS.going else at + 1
        straight = at + 1 < len(tokens) and any(code == self.verb.en for _, code in verb_words[at + 1])
        if tokens[at].folded in LISTS.going and straight:  # go spy
            return True
        return tokens[at].folded in LISTS.sending and any(
            tokens[link].folded in LISTS.links and any(code == self.verb.en for _, code in verb_words[link + 1])
            for link in range(at + 1, min(farthest, len(tokens) - 2) + 1))

    def _place(self, at: int, roles: frozenset[str], layout: _Layout) -> bool:
        """Go on from each piece that may stand here; whether there is one."""
        placed = False
        awaited = bool(layout.verb_words) and layout.verb_words[-1] in LISTS.waiting and "with" not in roles
        exact = self.sentence.exact
        for name, kind in self.kinds.items():
            if (awaited and kind.acts) or (not exact and self.sentence.is_another(at)):
                continue  # "wait for the king" is no order to him, "the one at Trent" no number
            before = layout.columns.get(name, [])
            for count, value in self.sentence.pieces(at, kind):
                if not exact and (self._is_oneself(value, kind) or self._divides(at, name, layout)
                                  or self._only_limits(at, kind)
                                  or (kind.takes("number") and self._counts_other(at + count))):
                    continue
                again = bool(before) and (not kind.takes_several or (bool(kind.tables()) and any(
                    piece.value == value for piece in before)))
                if again and (all(value != piece.value for piece in before)
                              or self.sentence.tokens[at].text.isdecimal()):
                    continue
                placed = True
                columns = {**layout.columns, name: before if again else [*before, Piece(value, roles, at)]}
                score = layout.score + 2 * count + self._fit(name, kind, roles, layout)
                if not exact and kind.takes("number") and self._stands_for_a_preposition(at):
                    score -= 4
                score -= 3 * self._is_foreign(value, kind) + (again and exact)  # F1 is rather the place than F-1 again
                self._step(at + count, frozenset(), replace(layout, columns=columns, score=score))
        for count, code in self.sentence.verb_words[at]:
            if code == self.verb.en:
                own = self.sentence.tokens[at].folded in self.own_words
                words = (*layout.verb_words, *(token.folded for token in self.sentence.tokens[at:at + count]))
                self._step(at + count, roles, replace(layout, score=layout.score + count + own, verb_words=words))
                if self.sentence.tokens[at].folded not in LISTS.fillers:
                    placed = True
        return placed

    def _counts_other(self, noun: int) -> bool:
        """Whether a number in a row of things counts what only other verbs name: ``a captain and three units``."""
        words = self.sentence.verb_words[noun] if noun < len(self.sentence.tokens) else []
        return bool(words) and all(code != self.verb.en for _, code in words) and any(
            token.folded in LISTS.joining for token in self.sentence.tokens)

    def _only_limits(self, at: int, kind: Kind) -> bool:
        """Whether a number is only the most that is wanted: ``up to 40``."""
        before = [token.folded for token in self.sentence.tokens[max(at - 3, 0):at]]
        return kind.takes("number") and not kind.takes("place") and any(
            fold(" ".join(before[-count:])) in LISTS.limits for count in (2, 3))

    def _divides(self, at: int, name: str, layout: _Layout) -> bool:
        """Whether what stands here has its like straight before an "and", so that both are meant in the same way:
        ``Zerith and Sivra do the rite`` is no rite of the one upon the other.
        """
        if at < 2 or self.sentence.tokens[at - 1].folded not in LISTS.joining:
            return False
        pieces = self.sentence.pieces
        before, start = next(((other, piece.at) for other, placed in layout.columns.items() for piece in placed if any(
            piece.at + count == at - 1 for count, value in pieces(piece.at, self.kinds[other])
            if value == piece.value)), (name, at))
        return before != name and (bool(pieces(at, self.kinds[before])) or any(
            start + count == at - 1 for count, _ in pieces(start, self.kinds[name])))

    def _is_oneself(self, value: Any, kind: Kind) -> bool:
        """Whether it is the faction itself where only another may stand."""
        table = self.sentence.campaign.table(Faction)
        return value == self.sentence.faction and Faction in kind.tables() and value in table and not kind.fits(
            table[value], value)

    def _is_foreign(self, value: Any, kind: Kind) -> bool:
        """Whether it is a row that the faction would not name there, or a unit to act that is none."""
        tables = (self.sentence.campaign.by_sheet(record.sheet) for record in kind.tables())
        row = next((table[value] for table in tables if value in table), None)
        return kind.acts if row is None else not kind.fits(row, self.sentence.faction)

    def _fit(self, name: str, kind: Kind, roles: frozenset[str], layout: _Layout) -> int:
        """How well a piece fits its column: by the preposition before it, and by the columns' order."""
        behind = 0 if kind.words else sum(self.names.index(other) > self.names.index(name) for other in layout.columns
                                          if not self.kinds[other].words)
        hinted = 0
        if roles and (expected := kind.prepositions()):
            hinted = 3 if roles & set(expected) else -3
        return hinted - behind


def _layout_fields(sentence: SplitSentence, verb: Verb, layout: _Layout, given: Fields,
                   kinds: Mapping[str, Kind] | None = None) -> dict[str, Any] | None:
    """The fields that a layout comes to; None where its pieces do not go together. `given`: what fills
    columns that are needed, or say who acts; `kinds`: the columns, where they are more than those of the verb.
    """
    fields: dict[str, Any] = {"verb": verb.en}
    needed = (*verb.needed_columns(), *DOERS)
    for name, kind in (kinds or verb.kinds).items():
        pieces = layout.columns.get(name)
        value = given.get(name, "") if name in needed and not pieces else ""
        value = kind.join(pieces, sentence, fields) if pieces else value if kind.recognises(
            value, sentence.campaign, sentence.faction) or (
                kind.takes("unit") and sentence.looks_like(str(value), "unit")) else ""
        if value is None:
            return None
        if value != "":
            fields[name] = value
    if layout.stands and place_of_unit(sentence.campaign, fields) not in layout.stands:
        return None
    return fields


class _Candidate(NamedTuple):
    """What a sentence may mean. `missing`: columns that it leaves out and that are needed."""

    fields: Fields
    verb: Verb
    layout: _Layout
    missing: tuple[str, ...] = ()

    @property
    def score(self) -> int:
        """How well it fits."""
        return self.layout.score - 10 * len(self.missing)

    @property
    def has_own_word(self) -> bool:
        """Whether the verb is called as the book calls it, so that no other one is meant."""
        return any(word in self.layout.verb_words for word in map(fold, (self.verb.en, self.verb.it, *self.verb.also)))

    @property
    def whole(self) -> bool:
        """Whether nothing is missing, and each word has its place."""
        return not self.missing and not self.layout.skipped and self.layout.columns.keys() <= self.fields.keys()


class _SentenceReader:
    """Finds what one sentence may mean. `before`: the order before it in the same line."""

    def __init__(self, sentence: SplitSentence, is_legal: IsLegal, before: Fields, now: frozenset[str],
                 *, tells: bool = False) -> None:
        self.tells = tells
        self.sentence, self.book, self.is_legal, self.before = sentence, sentence.lexicon.book, is_legal, before
        self.now = now
        codes = [code for words in sentence.verb_words for _, code in words]
        opened = [verb.en for verb in self.book.values() if any(
            kind.opens_line() and any(sentence.pieces(at, kind) for at in range(len(sentence.tokens)))
            for kind in verb.kinds.values())]
        self.named = [self.book[code] for code in dict.fromkeys([*codes, *opened])]
        unnamed = dict.fromkeys((str(before.get("verb", "")), self.book.bare, self.book.silent))
        self.likely = [self.book[code] for code in unnamed if code and self.book[code] not in self.named]

    def order(self) -> LineReading:
        """The order that it is, or the readings between which only somebody else can choose; what only tells how
        things are, or what others do, is none.
        """
        reading = self._order()
        if self.tells:
            return reading
        if (reading.orders or reading.proposals) and self._tells_of_others():
            return LineReading(idle=True)
        if reading.orders and self._tells_how_things_are():
            return LineReading(proposals=tuple(filter(self.is_legal, reading.orders)))
        return reading

    def _tells_of_others(self) -> bool:
        """Whether it begins with somebody else who does something: ``Florence pays us``."""
        tokens, lexicon = self.sentence.tokens, self.sentence.lexicon
        at = next((at for at, token in enumerate(tokens) if token.folded not in LISTS.fillers), len(tokens))
        if at == len(tokens) or self.sentence.verb_words[at] or any(self.sentence.number(at)):
            return False
        named: dict[int, set[bool]] = {}
        for record in lexicon.records:
            table = self.sentence.campaign.by_sheet(record.sheet)
            for count, code in self.sentence.rows(at, (record,)):
                owners = [code] if record is Faction else list(table[code].owners) if code in table else []
                named.setdefault(count, set()).add(bool(any(owners)) and self.sentence.faction not in owners)
        if not named or not all(named[max(named)]):
            return False
        for token in tokens[at + max(named):]:
            if token.folded in LISTS.doing:
                return True
            if token.folded not in LISTS.fillers:
                return lexicon.is_done_by(token)
        return False

    def _tells_how_things_are(self) -> bool:
        """Whether all that it says is that something is somewhere, or somehow: ``we are at war``."""
        tokens, verb_words = self.sentence.tokens, self.sentence.verb_words
        spoken = " ".join(token.folded for token in tokens[:4])
        if re.match(HAVING, spoken):
            return True
        at = next((at for at, token in enumerate(tokens) if token.folded in LISTS.states), len(tokens))
        behind = [token.folded for token in tokens[at + 1:at + 3]]
        if len(behind) < 1 or behind[0] not in LISTS.prepositions or behind[0] in LISTS.behind_states:
            return False
        doing = [place for place, words in enumerate(verb_words) if words and place not in (at, at + 1, at + 2)]
        return not doing

    def _order(self) -> LineReading:
        for verbs in (self.named, self.likely):
            whole = [candidate for candidate in self._candidates(verbs, 0) if candidate.whole]
            if whole and not self.named:
                return self._read_without_verb(whole)
            if whole:
                return self._choose(whole)
        return self._continuation() or self._only_legal() or self._infer()

    def _read_without_verb(self, whole: list[_Candidate]) -> LineReading:
        """The order of a sentence without a verb: that of the usual verb, unless another fits better, or may be given
        where that may not.
        """
        usual = self._choose(whole)
        if any({"in", "at"} <= LISTS.prepositions.get(token.folded, frozenset()) for token in self.sentence.tokens):
            # to go inside is more than a march
            inferred = self._infer()
            return LineReading(proposals=(*inferred.orders, *inferred.proposals, *usual.orders)[:MOST_PROPOSED])
        again = [candidate for candidate in whole if candidate.verb.en == self.before.get("verb")]
        if again and (again[0] is whole[0] or self.is_legal(again[0].fields)):  # "recruit 40 at Pisa, 30 at Siena"
            return self._choose(again)
        better = [candidate for candidate in self._candidates(self.book.values(), 0)
                  if candidate.whole and candidate.score > whole[0].score + NEAR and self.is_legal(candidate.fields)]
        if len({candidate.verb.en for candidate in better}) == 1:
            return LineReading((better[0].fields,))
        inferred = LineReading() if any(map(self.is_legal, usual.orders)) else self._infer()
        return inferred if inferred.orders else usual

    def _choose(self, whole: list[_Candidate]) -> LineReading:
        """The reading that counts: the best, or of several as good the only legal one."""
        near = [candidate for candidate in whole if candidate.score >= whole[0].score - NEAR * (
            1 + (candidate.verb is not whole[0].verb))]
        near = [candidate for candidate in self._timely(near) if not self._is_doubtful(candidate)]
        near = [candidate for candidate in near if candidate.has_own_word] or near
        asked = near if 1 < len(near) <= MOST_JUDGED else []
        best = [candidate for candidate in asked if self.is_legal(candidate.fields)] or self._legal_instead(whole, near)
        best = self._distinct([candidate for candidate in best if candidate.score == best[0].score])
        fields = tuple(candidate.fields for candidate in best[:MOST_PROPOSED])
        if len(best) == 1 and self._may_mean_another_verb(best[0], whole[0]):
            return LineReading(proposals=(whole[0].fields, best[0].fields))
        if len(best) == 1 and (self._lacks_who_acts(best[0]) or self._is_scattered(best[0])):
            return LineReading(proposals=fields)
        if len(best) == 1 and (swapped := self._swapped(best[0], whole)):
            return LineReading(proposals=(*fields, *swapped))
        return LineReading(fields) if len(best) == 1 else LineReading(proposals=tuple(filter(self.is_legal, fields)))

    def _may_mean_another_verb(self, chosen: _Candidate, best: _Candidate) -> bool:
        """Whether another verb fits better that says the same of the same things, but may not be given: the club is
        told so, as nobody knows which it means.
        """
        return chosen.verb is not best.verb and chosen.layout.columns.keys() == best.layout.columns.keys() and (
            not self.is_legal(best.fields))

    def _is_scattered(self, candidate: _Candidate) -> bool:
        """Whether pieces of one column stand apart, what they come to may not be given, and nothing joins them:
        ``archers first at 17: AAAFF``.
        """
        placed = {piece.at for pieces in candidate.layout.columns.values() for piece in pieces}
        tokens = self.sentence.tokens
        return any(
            placed & set(range(before.at + 1, after.at)) and tokens[after.at - 1].folded not in LISTS.joining
            for name, pieces in candidate.layout.columns.items() if "path" not in name
            for before, after in pairwise(sorted(pieces, key=lambda piece: piece.at))
        ) and not self.is_legal(candidate.fields)

    def _swapped(self, chosen: _Candidate, whole: list[_Candidate]) -> tuple[Fields, ...]:
        """Another reading in which who acts and upon whom change places, where the chosen one may not be given."""
        actor = chosen.verb.actor
        others = [other for other in whole if other.verb is chosen.verb and other.fields != chosen.fields and any(
            other.fields.get(name) == chosen.fields.get(actor) and chosen.fields.get(name) == other.fields.get(actor)
            for name in chosen.fields if name not in ("verb", actor))] if actor in chosen.fields else []
        return (others[0].fields,) if others and not self.is_legal(chosen.fields) else ()

    def _lacks_who_acts(self, candidate: _Candidate) -> bool:
        """Whether a way is said and not whose it is, and none may be meant."""
        return bool(candidate.verb.actor in candidate.verb.kinds and candidate.verb.actor not in candidate.fields
                    and "path" in candidate.fields and not self.is_legal(candidate.fields))

    def _distinct(self, candidates: list[_Candidate]) -> list[_Candidate]:
        """The first of those that come to the same."""
        different: dict[str, _Candidate] = {}
        for candidate in candidates:
            meant = what_it_comes_to(candidate.verb, self.sentence.campaign, candidate.fields)
            different.setdefault(repr(sorted(meant.items())), candidate)
        return list(different.values())

    def _legal_instead(self, whole: list[_Candidate], near: list[_Candidate]) -> list[_Candidate]:
        """The only legal reading among those that are somewhat worse, where the best ones are not; else these."""
        further = [candidate for candidate in self._timely(whole)
                   if candidate not in near and candidate.score >= whole[0].score - FAR
                   and not self._is_doubtful(candidate)]
        if not further or any(self.is_legal(candidate.fields) for candidate in near[:MOST_JUDGED]):
            return near
        legal = [candidate for candidate in further[:MOST_JUDGED] if self.is_legal(candidate.fields)]
        says_less = bool(legal) and bool(near) and legal[0].verb is not near[0].verb and len(
            legal[0].layout.verb_words) < len(near[0].layout.verb_words)
        return legal if len(legal) == 1 and not says_less else near

    def _is_doubtful(self, candidate: _Candidate) -> bool:
        """Whether it only says who acts, so that another verb may be meant of which more is missing, and may not be
        given.
        """
        own = {self.book.code(token.folded) for token in self.sentence.tokens}
        return (not self.before and len(self.named) > 1 and candidate.verb in self.named
                and candidate.verb.en not in own and candidate.layout.columns.keys() == {candidate.verb.actor}
                and not self.is_legal(candidate.fields))

    def _timely(self, candidates: list[_Candidate]) -> list[_Candidate]:
        return [candidate for candidate in candidates if self.now & set(candidate.verb.when)] or candidates

    def _continuation(self) -> LineReading | None:
        """An order of the unit before: ``A-MIL goes to Cricklade and provisions there``."""
        if not self.before or any(map(self.sentence.is_another, range(len(self.sentence.tokens)))):
            return None
        words = {token.folded for token in self.sentence.tokens}
        typed = {token.text.casefold() for token in self.sentence.typed}
        there = bool(words & (LISTS.there - LISTS.articles) or typed & {"là", "lì"})
        it = bool(words & LISTS.pronouns - LISTS.articles) or self._leans()
        for given in _carry_over(self.before, there, it):
            whole = [candidate for candidate in self._candidates(self.named or self.likely, 0, given)
                     if candidate.whole and (candidate.layout.columns or (
                         there and set(PLACES) & candidate.fields.keys()))]
            if whole:
                return self._choose(whole)
        return None

    @property
    def refers(self) -> bool:
        """Whether a pronoun stands for something that was named before."""
        plain = LISTS.pronouns - LISTS.articles - LISTS.there - LISTS.another
        verbs, small = self.book.phrases.vocabulary, LISTS.fillers | LISTS.prepositions.keys()
        return self._leans() or any(
            token.folded in plain or (re.search("l[oaie]$", token.folded) and bool(token.forms & verbs)
                                      and token.folded not in verbs | small) for token in self.sentence.tokens)

    def _leans(self) -> bool:
        """Whether a small word that is an article, too, stands for what was named: before the verb (``la assedia``),
        not behind it (``ripara la cinta``).
        """
        for token, verb_words in zip(self.sentence.tokens, self.sentence.verb_words, strict=True):
            if token.folded in LISTS.pronouns & LISTS.articles:
                return True
            if verb_words:
                return False
        return False

    def _only_legal(self) -> LineReading | None:
        """An order that leaves something out, where only one thing may stand there, and nothing before it is meant."""
        if self.before:
            return None
        candidates = [candidate for candidate in self._candidates(self.named, 0) if _is_likely(candidate)]
        asked = iter(range(MOST_COMPLETIONS))
        legal = {repr(sorted(fields.items())): fields for candidate in candidates
                 for fields in self._legal_orders(candidate, asked)}
        return LineReading(tuple(legal.values())) if len(legal) == 1 and next(asked, None) is not None else None

    def _infer(self) -> LineReading:
        """An order whose verb nothing names, where only one verb makes a legal one of the words."""
        whole = [candidate for candidate in self._candidates(self.book.values(), 0)
                 if candidate.whole and len(candidate.layout.columns) > 1]
        if len(whole) == 1 and len(whole[0].layout.columns) > SURE:
            return LineReading((whole[0].fields,))
        best = [candidate for candidate in whole[:MOST_COMPLETIONS] if candidate.score >= whole[0].score - NEAR]
        legal = self._timely([candidate for candidate in best if self.is_legal(candidate.fields)])
        fields = tuple(candidate.fields for candidate in legal[:MOST_PROPOSED])
        sure = len(legal) == 1 and all(candidate.layout.columns.keys() != legal[0].layout.columns.keys()
                                       for candidate in best if candidate is not legal[0])
        return LineReading(fields) if sure else LineReading(proposals=fields)

    def proposals(self) -> LineReading:
        """What it may mean, with a few words left out, and what it leaves out filled in where few things fit."""
        if not self.tells and self._tells_of_others():
            return LineReading(idle=True)
        verbs = self.named or list(self.book.values())
        candidates = [candidate for candidate in self._candidates(verbs, MOST_SKIPPED) if _is_likely(candidate)]
        if self.named and not any(not candidate.missing for candidate in candidates):
            others = [verb for verb in self.book.values() if verb not in self.named]
            candidates += [candidate for candidate in self._candidates(others, MOST_SKIPPED) if _is_likely(candidate)]
        candidates.sort(key=lambda candidate: -candidate.score)
        legal: dict[str, Fields] = {}
        asked = iter(range(MOST_COMPLETIONS))
        left_out: tuple[str, ...] = ()
        for candidate in candidates:
            completed = list(self._legal_orders(candidate, asked))
            if len(completed) <= MOST_PROPOSED:
                left_out = left_out if legal or not completed else candidate.layout.skipped
                legal |= {repr(sorted(fields.items())): fields for fields in completed}
            if len(legal) >= MOST_PROPOSED:
                break
        unknown = next((word for candidate in candidates for word in candidate.layout.skipped), "")
        chosen = list(legal.values())
        if not (chosen or unknown or any(candidate.missing for candidate in candidates[:1])):
            return self._not_read()
        return LineReading(proposals=tuple(chosen[:MOST_PROPOSED]), unknown=unknown, verb=candidates[0].verb.en,
                           missing=() if chosen else candidates[0].missing, left_out=left_out)

    def _not_read(self) -> LineReading:
        """What is wrong with a sentence that is like no order. It seems to be one if it begins with a verb."""
        first = next((code for _, code in self.sentence.verb_words[0]), "")
        unknown = self._word_without_place([self.book[first]] if first else self.named or list(self.book.values()))
        missing: tuple[str, ...] = ()
        if first and not unknown and len(self.sentence.tokens) > 1:
            candidates = self._candidates([self.book[first]], 0)
            missing = candidates[0].missing if candidates else self.book[first].needed_columns()
        return LineReading(unknown=unknown, verb=first, missing=missing, idle=True)

    def _word_without_place(self, verbs: Iterable[Verb]) -> str:
        """The first word that means nothing to any of some verbs; "" if each means something."""
        kinds, at = [kind for verb in verbs for kind in verb.kinds.values()], 0
        while at < len(self.sentence.tokens):
            folded = self.sentence.tokens[at].folded
            silent = folded in LISTS.prepositions or folded in LISTS.fillers or folded in self.book.fillers
            known = [1] if silent else []
            known += [count for count, _ in self.sentence.verb_words[at]]
            known += [count for kind in kinds for count, _ in self.sentence.pieces(at, kind)]
            if not known:
                return self.sentence.typed[at].text
            at += max(known)
        return ""

    def _legal_orders(self, candidate: _Candidate, asked: Iterator[int]) -> Iterator[Fields]:
        """The legal orders that a candidate can be. `asked`: how often the judge may still be asked."""
        choices = [self._choices(candidate, name) for name in candidate.missing]
        if not all(choices) or len(choices) > 2:
            return
        for values in islice(product(*choices), MOST_COMPLETIONS):
            given = dict(zip(candidate.missing, values, strict=True))
            fields = _layout_fields(self.sentence, candidate.verb, candidate.layout, given)
            if fields is None or any(name not in fields for name in candidate.verb.needed_columns()):
                continue
            if next(asked, None) is None:
                return
            if self.is_legal(fields):
                yield fields

    def _choices(self, candidate: _Candidate, name: str) -> list[Any]:
        """What may stand in a column that a sentence leaves out: own rows, the place of the unit, an option."""
        kind, campaign, faction = candidate.verb.kinds[name], self.sentence.campaign, self.sentence.faction
        if name in candidate.layout.columns:
            return []
        if kind.words:
            return list(kind.words)
        if kind.is_new:
            return list(islice(kind.choices(campaign, faction, candidate.fields), 1))
        if any(issubclass(record, Node) for record in kind.tables()):
            here = place_of_unit(campaign, candidate.fields)
            return [here] if here else sorted(candidate.layout.stands)
        rows = [row for record in kind.tables() for row in campaign.by_sheet(record.sheet)
                if faction in row.owners and kind.fits(row, faction)]
        return [row.ident for row in rows] if len(rows) <= MOST_COMPLETIONS else []

    def _candidates(self, verbs: Iterable[Verb], most_skipped: int, given: Fields | None = None) -> list[_Candidate]:
        """All that it may mean as an order of some verbs, the best first."""
        candidates: dict[str, _Candidate] = {}
        for verb in verbs:
            for layout in _VerbReader(self.sentence, verb, most_skipped).read():
                if not layout.columns and not layout.stands and not given and (
                        len(set(layout.verb_words)) < 2 or any(not kind.blank for kind in verb.kinds.values())):
                    continue
                fields = _layout_fields(self.sentence, verb, layout, given or {})
                if fields is None:
                    if not most_skipped:
                        continue
                    fields = {"verb": verb.en}
                asked = [name for name, kind in verb.kinds.items() if self.sentence.faction in kind.asked_of]
                wanted = (*verb.needed_columns(),
                          *asked) if layout.columns.keys() <= fields.keys() else (*verb.needed_columns(),
                *asked, *DOERS)
                missing = tuple(name for name in verb.kinds if name in wanted and name not in fields
                                and name not in layout.columns)
                candidate = _Candidate(fields, verb, layout, missing)
                key = repr((sorted(fields.items()), len(fields) == 1 and layout.columns))
                if key not in candidates or candidates[key].score < candidate.score:
                    candidates[key] = candidate
        return sorted(candidates.values(), key=lambda candidate: -candidate.score)


def what_it_comes_to(verb: Verb, campaign: Campaign, fields: Fields) -> dict[str, Any]:
    """The columns of an order by what they mean, whatever they are called and whether they are filled at all."""
    meant = {name: kind.comes_to(fields.get(name, ""), campaign) for name, kind in verb.kinds.items()}
    return {**fields, **{name: value for name, value in meant.items() if value != ""}}


def _is_likely(candidate: _Candidate) -> bool:
    """Whether a reading with words too many, or too few, is worth a question."""
    layout, kinds = candidate.layout, candidate.verb.kinds
    rows = [name for name in layout.columns if not kinds[name].takes("number")]
    placed = sum(map(len, layout.columns.values())) + len(layout.verb_words)
    return bool(rows or layout.stands) and placed > len(layout.skipped) and (
        bool(layout.verb_words) or len(layout.columns) > 1)


def _carry_over(before: Fields, there: bool, it: bool) -> Iterator[dict[str, Any]]:
    """What an order may hand on to the one behind it: who acts, and where, if that says "there"; or of what it was, if
    that says "it".
    """
    given = {name: before[name] for name in DOERS if name in before}
    path = str(before.get("path") or before.get("target") or before.get("to_node") or "").split()
    yield {**given, **dict.fromkeys(PLACES, path[-1])} if (there or it) and path else given
    for what in given.values() if it or there else ():
        yield dict.fromkeys(PLACES, what)


# --- a line -----------------------------------------------------------------------------------------
class _LineReader:
    """Reads a line as one order or several."""

    def __init__(self, lexicon: Lexicon, is_legal: IsLegal, now: frozenset[str], tells: bool,
                 season: frozenset[str] = frozenset()) -> None:
        self.lexicon, self.is_legal, self.now, self.tells, self.season = lexicon, is_legal, now, tells, season
        self._split: dict[str, SplitSentence] = {}

    def read(self, text: str) -> LineReading:
        """The orders of a line, or what it may mean."""
        text, is_doubtful = _without_questions(text)
        if not text:
            return LineReading(idle=True)
        text = re.sub(_in_short(), self._put_in_short, re.sub(LAUGHS, "", text)).strip(" ,;")
        text = re.sub(FIRST_OF_TWO, "", text)
        spoken = re.sub(_IN_QUOTES, "", text)
        if spoken == text and re.sub(NOW, "", text).strip():
            text = re.sub(NOW, "", text)
        if re.search(INSTEAD_OF, spoken):
            text, is_doubtful = re.split(INSTEAD_OF, text, maxsplit=1)[0], True
        if self.tells:
            return self._read(text)
        text, other_times = self._without_times(text if re.search(_IN_QUOTES, text) else re.sub(RELATIVES, "", text))
        doubts = _doubts(text)
        if doubts and not _doubts(plain := self._without_asides(text)):
            text, doubts = plain, []
        reading = self._read(re.sub(ANOTHER_TIME, "", text))
        goes_on = re.search(GOES_ON, spoken)
        if is_doubtful or doubts or other_times or goes_on:
            proposed = tuple(filter(self.is_legal, reading.orders)) or reading.proposals
            if goes_on:
                verbs = {code for _, code in self.lexicon.book.phrases.at([Token("besiege")], 0)}
                proposed = tuple(fields for fields in proposed if fields["verb"] in verbs)
            return LineReading(proposals=proposed, idle=not (reading.orders or proposed),
                               left_out=tuple(dict.fromkeys((*doubts, *other_times, *reading.left_out))))
        return reading

    def _put_in_short(self, long: re.Match[str]) -> str:
        """What says the same as a phrase in short; the phrase itself where the book has a meaning for it."""
        phrase = long[0].casefold().replace("’", "'")
        return long[0] if self.lexicon.is_phrase(phrase) else LISTS.in_short.get(phrase, long[0])

    def _without_times(self, text: str) -> tuple[str, tuple[str, ...]]:
        """A text without the names of months and seasons, and those that are not now."""
        text = self._without_half(self._without_topic(text))
        others, plain = [], text
        known = bool(self.season & frozenset(SEASONS))
        for match in reversed(list(re.finditer(NAMES_OF_TIMES, re.sub(
                _IN_QUOTES, lambda quoted: " " * len(quoted[0]), text)))):
            word = fold(match[1] or match[2])
            if self._is_name(word):
                continue
            before = re.search(LEADS_TO_TIME, text[:match.start()])
            meant = before is not None and before[0].casefold().startswith(("this", "quest"))
            if word not in self.season and not (meant and not (known and word in SEASONS)):
                others.append(match[0])
            start = before.start() if before is not None else match.start()
            plain = plain[:start] + re.sub(r"^\s*:", "", plain[match.end():])
        return plain, tuple(others)

    def _without_half(self, text: str) -> str:
        """A text without what says that the present half of the present month is meant: ``in early April``."""
        for half in sorted(self.season & HALVES.keys()):
            text = re.sub(HALVES[half] + r"([^\W\d_]+)", lambda found: f"in {found[1]}" if fold(
                found[1]) in self.season else found[0], text)
        return text

    def _without_topic(self, text: str) -> str:
        """A text without the name of the present phase before it: ``Per il reclutamento: ...``."""
        topic = re.match(r"(?i)(?:for|in|during|per|x|a|al)\s+(?:the\s+|il\s+|la\s+|l['’])?([^\W\d_]{5,})\b[,:]?\s+",
                         text)
        return text[topic.end():] if topic is not None and fold(topic[1]) in self.season else text

    def _is_name(self, word: str) -> bool:
        """Whether a word names something of the campaign, or is one of the book's."""
        return word in self.lexicon.words_of_names or word in self.lexicon.book.phrases.vocabulary

    def _read(self, text: str) -> LineReading:
        tokens = split_words(text)
        if not tokens or len(tokens) > MOST_WORDS:
            return LineReading(idle=True)
        sentence = self._sentence(text, {})
        whole = sentence.order()
        divided = re.search(_BREAKS, text) is not None and (bool(re.search(_APART, text)) or not sentence.named)
        if whole.orders and self.tells:
            return whole
        if whole.orders and not divided and not re.search(_BREAKS, text):
            return whole
        if not whole.orders and (each := self._of_each(sentence.sentence)):
            return LineReading(each)
        parts = self._parts(text)
        if whole.orders and not divided and self.is_legal(whole.orders[0]):
            return parts if self._say_more(parts.orders, whole.orders[0]) else whole
        goes_on = len({fields["verb"] for fields in parts.orders}) == 1 and "path" in parts.orders[0]
        if parts.orders and not (whole.orders and sentence.named and goes_on) and (
                not whole.orders or all(map(self.is_legal, parts.orders))):
            return parts
        if whole.orders:
            return whole
        plain = text if self.tells else self._without_asides(text)
        brief = self._read(plain) if plain != text else LineReading()
        if brief.orders or (brief.proposals and not whole.proposals):
            return brief
        if whole.proposals:
            return whole
        proposed = sentence.proposals()
        return proposed._replace(proposals=parts.proposals, idle=False) if parts.proposals else proposed

    def _of_each(self, sentence: SplitSentence) -> tuple[Fields, ...]:
        """The orders of a sentence that begins with several who do the same: ``V-1 and V-2 go to Padova``."""
        tokens = sentence.typed
        kinds = [kind for verb in self.lexicon.book.values() for kind in verb.kinds.values()
                 if kind.acts and not kind.takes("place")]
        actors: list[list[Token]] = []
        at, joined = 0, False
        while at < len(tokens):
            count = max((count for kind in kinds for count, _ in sentence.pieces(at, kind)), default=0)
            if count and not (actors and joined and tokens[at - 1].folded not in LISTS.joining):
                actors.append(list(tokens[at:at + count]))
            elif tokens[at].folded in LISTS.joining and actors:
                joined, count = True, 1
            elif tokens[at].folded in LISTS.fillers and (not actors or tokens[at - 1].folded in LISTS.joining):
                count = 1
            else:
                break
            at += count
        rest = [token for token in tokens[at:] if token.folded not in LISTS.both]
        if not joined or not 1 < len(actors) < MOST_PARTS or not rest:
            return ()
        read = [self._sentence(_as_text([*actor, *rest]), {}).order().orders for actor in actors]
        orders = tuple(order for orders in read for order in orders)
        same = len({order["verb"] for order in orders}) == 1 and len({repr(sorted(order.items())) for order in orders})
        return orders if same == len(actors) and all(len(one) == 1 for one in read) and all(
            map(self.is_legal, orders)) else ()

    def _words(self, text: str) -> SplitSentence:
        """The words of a part of the line, which is looked at as an order, as an aside and as a remark."""
        if text not in self._split:
            self._split[text] = SplitSentence(split_words(text), self.lexicon)
        return self._split[text]

    def _sentence(self, text: str, before: Fields) -> _SentenceReader:
        return _SentenceReader(self._words(text), self.is_legal, before, self.now, tells=self.tells)

    def _say_more(self, parts: Sequence[Fields], whole: Fields) -> bool:
        """Whether the parts of a text are orders of several sorts, one of them that of the whole, read as one:
        ``a captain and three rolls`` are no three captains.
        """
        verbs = {fields["verb"] for fields in parts}
        return len(verbs) > 1 and whole["verb"] in verbs and all(map(self.is_legal, parts))

    def _went_on(self, before: Fields, after: Fields) -> Fields:
        """One march for two of the same unit, if they are; else {}."""
        same = {name: value for name, value in before.items() if name != "path"} == {
            name: value for name, value in after.items() if name != "path"} and "path" in before and "path" in after
        path, more = str(before.get("path", "")).split(), str(after.get("path", "")).split()
        kind = self.lexicon.book[before["verb"]].kinds.get("path")
        return {**before, "path": " ".join(path + more[getattr(kind, "with_start", False):])} if same else {}

    def _without_asides(self, text: str) -> str:
        """A text without the clauses that order nothing: ``Nerea, who trusts nobody, goes to Fornace``."""
        parts = re.split(_ASIDE, text)
        if len(parts) > 2 * MOST_PARTS:
            return text
        last = [{token.folded for token in split_words(part)[-1:]} for part in parts]
        kept = [at % 2 == 1 or (at > 1 and (bool(last[at - 2] & LISTS.doubts) or ":" in parts[at - 1]))
                or not self._is_aside(part, at == 0) for at, part in enumerate(parts)]
        if all(kept) or not any(kept[::2]):
            return text
        joined = ""
        for at in range(0, len(parts), 2):
            if kept[at]:
                apart = parts[at - 1] if at and kept[at - 2] else " "
                joined += (apart if joined else "") + parts[at]
        return joined

    def _is_aside(self, text: str, opens: bool) -> bool:
        """Whether a clause says no more than why, or what somebody is like. A reason may say what others do."""
        clause = re.match(rf"(?i)(?:{ASIDES}|{REASONS})(?:\s|$)", text)
        explains = bool(re.match(rf"(?i)(?!(?:we|they|i)\b)(?:{REASONS}|ché|for|as|lest|così|affinch[eé])(?:\s|$)", text))
        sentence, kinds = self._words(text), [
            kind for verb in self.lexicon.book.values() for kind in verb.kinds.values()]
        if not sentence.typed or (clause is None and not _tells_of_doing(sentence.typed[0].folded)) or (
                clause is None and any(re.search(doubt, text) for doubt in (ANOTHER_TIME, CONDITIONS, INSTEAD_OF))):
            return False
        purpose = clause is not None and not explains and re.match(rf"(?i){PURPOSES}\b", text) is not None
        told = [self.lexicon.book[code] for words in sentence.verb_words for _, code in words] if purpose else []
        if any(set(verb.needed_columns()) <= {*DOERS, verb.actor} for verb in told) or (
                purpose and self._sentence(text, {}).refers):
            return False
        named = [kind for verb in told for kind in verb.kinds.values()]
        for at, token in enumerate(sentence.typed):
            folded = token.folded
            if folded in LISTS.doubts and not (clause and folded in LISTS.negations) and not (clause and not at):
                return False
            if token.quoted or any(sign.isdigit() for sign in token.text):
                return False
            if folded in LISTS.fillers or folded in LISTS.prepositions or folded in LISTS.being:
                continue
            if not clause and token.text[:1].isupper() and not (opens and at == 0):
                return False
            if sentence.verb_words[at] and not explains and not purpose:
                return False
            if any(sentence.pieces(at, kind) for kind in kinds if kind.acts or not clause or (
                    purpose and (kind.takes("place") or kind in named))):
                return False
        return True

    def _is_remark(self, text: str, opens: bool) -> bool:
        """Whether a part of a line is a reason or chat: it names nothing of the campaign, and no order. `opens`: it
        begins a sentence, with a capital letter that says nothing.
        """
        if reason := re.match(rf"(?i)(?:{REASONS})(?:\s|$)", text):
            behind = split_words(text[reason.end():])
            if any(token.folded in LISTS.doubts - LISTS.negations for token in behind):
                return False
            if not re.match(r"(?i)(?:we|they)\b", text):
                return True
            text, opens = text[reason.end():], True  # what we can do with V-1 may be an order
        if _holds_articles(text):
            return False
        sentence = self._words(text)
        idle = LISTS.fillers | LISTS.being | LISTS.prepositions.keys()
        unknown = [at for at, token in enumerate(sentence.typed) if token.folded not in idle
                   and not LISTS.is_manner(token.folded)]
        greets = bool(sentence.typed) and sentence.typed[0].folded in LISTS.greetings
        named = any(sentence.typed[at].text[:1].isupper() for at in unknown if (at or not opens) and not greets)
        if named or (unknown and len(sentence.typed) == 1):
            return False
        book = self.lexicon.book
        kinds = [kind for verb in book.values() for kind in verb.kinds.values()]
        return not any(
            token.folded in LISTS.doubts or token.quoted or any(sign.isdigit() for sign in token.text)
            or (sentence.verb_words[at] and token.folded not in LISTS.being) or any(
                sentence.tokens[at].folded not in LISTS.fillers and sentence.pieces(at, kind) for kind in kinds)
            for at, token in enumerate(sentence.typed))

    def _part(self, text: str, before: Fields) -> LineReading:
        """A part of a line behind an order; one that says "it" is sure only if it names anything of that order."""
        sentence = self._sentence(text, before)
        reading = sentence.order()
        named = {str(value) for name, value in before.items() if name != "verb"}
        named |= {word for value in named for word in value.split()}
        here = [str(value) for order in reading.orders[:1] for name, value in order.items() if name != "verb"]
        if not before or not sentence.refers or any(named & {value, *value.split()} for value in here):
            return reading
        return LineReading(proposals=reading.orders)

    def _parts(self, text: str) -> LineReading:
        """The orders of the parts, if each part is one, or says nothing; else those of them as proposals."""
        ends = [match.span() for match in re.finditer(_BREAKS, text)]
        if not ends or len(ends) >= MOST_PARTS:
            return LineReading()
        starts, stops = [0, *(end for _, end in ends)], [*(start for start, _ in ends), len(text)]
        orders: list[Fields] = []
        unclear: list[Fields] = []
        at, complete = 0, True
        while at < len(starts):
            for last in range(len(stops) - 1 - (at == 0), at - 1, -1):
                if last > at and ":" in text[stops[last]:[*starts, len(text)][last + 1]]:
                    continue  # what stands before a colon belongs to what stands behind it
                part = text[starts[at]:stops[last]]
                before = orders[-1] if orders else {}
                reading = LineReading() if _says_nothing(part) else self._part(part, before)
                apart = at == 0 or not re.fullmatch(_JOINED, text[stops[at - 1]:starts[at]])
                if reading.orders and orders and (way := self._went_on(orders[-1], reading.orders[0])):
                    orders[-1] = way
                    break
                opens = at == 0 or bool(re.search(r"[.!?…\n]", text[stops[at - 1]:starts[at]]))
                if reading.orders and orders and _adds_to(orders[-1], reading.orders[0]):
                    orders[-1:] = reading.orders
                    break
                if reading.orders or (last == at and (_says_nothing(part) or (apart and self._is_remark(part, opens)))):
                    orders += reading.orders
                    break
            else:
                complete, last = False, at
                unclear += self._sentence(text[starts[at]:stops[at]], orders[-1] if orders else {}).order().proposals
            at = last + 1
        return LineReading(tuple(orders)) if complete else LineReading(
            proposals=(*orders, *unclear)[:MOST_PROPOSED])


def _adds_to(before: Fields, after: Fields) -> bool:
    """Whether an order is the one before it, with more said: ``u1 forages; if it finds nothing, pay it``."""
    return before != after and before.items() <= after.items()


def _tells_of_doing(word: str) -> bool:
    """Whether a folded word tells what somebody does besides: ``grumbling``, ``brontolando``."""
    return word.endswith(("ing", "ando", "endo")) and word not in LISTS.undecided


def _doubts(text: str) -> list[str]:
    """What in a text tells of another time, of what has happened, or of a condition."""
    spoken = re.sub(NOW, "", re.sub(_IN_QUOTES, "", text))
    told = [re.search(PAST, re.sub(CAUSES, "", spoken)),
            *(re.search(pattern, spoken) for pattern in (ANOTHER_TIME, CONDITIONS))]
    return [match[0].strip(" ,;") for match in told if match]


def _without_questions(text: str) -> tuple[str, bool]:
    """A line without what it only asks, and whether it asks; how a question begins that is a request is left out."""
    said, asks = [], False
    for part in re.split(r"(?<=\?)\s+", re.sub(r"\s*\(?\?[?!.…)]*(?=\s|$)", "?", text.strip())):
        request = re.match(POLITE, part) if part.endswith("?") else None
        if request is not None:
            said.append(part[request.end():].rstrip("?"))
        elif not part.endswith("?"):
            said.append(part)
        elif not _says_nothing(part):
            asks = True
            said += [part.rstrip("?")] * bool(re.match(COULD, part))
    return ". ".join(said) if any(map(split_words, said)) else "", asks


@cache
def _in_short() -> str:
    """What may be said in short, and what stands in quotes, where it may not."""
    phrases = "|".join(map(re.escape, sorted(LISTS.in_short, key=lambda phrase: (-len(phrase), phrase))))
    return rf"(?i){_IN_QUOTES}|\b(?:{phrases})\b".replace("'", "['’]")


def _as_text(tokens: Iterable[Token]) -> str:
    return " ".join(f'"{token.text}"' if token.quoted else token.text for token in tokens)


def _says_nothing(text: str) -> bool:
    tokens = split_words(text)
    return re.fullmatch(REST_STAYS, text.strip(" .!")) is not None or (not _holds_articles(text) and all(
        token.folded in LISTS.fillers or token.folded in LISTS.prepositions for token in tokens) and not (
            tokens and tokens[-1].folded in LISTS.prepositions))


def _holds_articles(text: str) -> bool:
    """Whether a part is nothing but articles, which no clause is: a code is written like one ("then Di")."""
    tokens = split_words(text)
    return bool(tokens) and all(token.folded in LISTS.name_fillers for token in tokens)


def read_orders(book: OrderBook, campaign: Campaign, faction: str, text: str, is_legal: IsLegal,
                lexicon: Lexicon | None = None, now: Iterable[str] = (), *, tells: bool = False,
                season: Iterable[str] = ()) -> LineReading:
    """Read a text as one order or several. `campaign`: the faction's view; `is_legal`: decides between two readings;
    `lexicon`: that of an earlier line of the same view; `now`: the times (`Verb.when`) of the present phase, whose
    verbs are meant rather than others; `tells`: the text tells what has happened, as the report of a battle does;
    `season`: how the present month and season are called.
    """
    words = frozenset(fold(word.strip(":,")) for name in season for word in name.split())
    return _LineReader(lexicon or Lexicon(book, campaign, faction), is_legal, frozenset(now), tells, words).read(text)


# --- a line in the book's own notation --------------------------------------------------------------
_LABEL = r"(?:[^\W\d_]{2,}\s+)?A?(\d+)\s*:"
"""The number of an own unit before a colon."""


class NotationReading(NamedTuple):
    """How a line reads in the book's notation: the order, {} where it is none; the verb with which it begins, "" for
    none; and the first word that has no place.
    """

    fields: dict[str, Any]
    verb: str = ""
    unknown: str = ""


def read_notation(book: OrderBook, campaign: Campaign, faction: str, text: str) -> NotationReading:
    """Read a line in the notation that its verb declares. Codes that nobody has stay as they stand, for the order's
    own check. Raises `Refused` (ambiguous).
    """
    lexicon, reading = ExactLexicon(book, campaign, faction), NotationReading({})
    label = re.match(_LABEL, text)
    if label and any(lexicon.codes(record, fold(f"{faction}-{label[1]}")) for record in lexicon.records):
        text = f"{faction}-{label[1]} {text[label.end():]}"
    tokens = split_words(text)
    denied = any(token.folded in LISTS.negations for token in tokens[:1])  # "don't move V-1": no order of the notation
    for at, count, code in _verbs_of_line(book, tokens) if len(tokens) <= MOST_WORDS and not denied else ():
        reader = _NotationReader(ExactSentence(tokens, lexicon, (at, count, code)), book[code])
        if fields := reader.order():
            return NotationReading(fields, code)
        if count and not reading.verb and not 0 <= reader.stuck < at:
            reading = NotationReading({}, code, tokens[reader.stuck].text if reader.stuck > at else "")
    head, colon, note = text.partition(":")
    if colon and note.strip():
        ordered = read_notation(book, campaign, faction, head)
        if ordered.fields and "note" in {**book[ordered.verb].kinds, **book.anywhere}:
            return NotationReading({**ordered.fields, "note": note.strip()}, ordered.verb)
    return reading


def _verbs_of_line(book: OrderBook, tokens: Sequence[Token]) -> Iterator[tuple[int, int, str]]:
    """The verbs that a line may have: where each stands, of how many words, and its code."""
    phrases = [(at, count, "_".join(token.text for token in tokens[at:at + count])) for at in range(len(tokens))
               for count in range(min(LONGEST_VERB, len(tokens) - at), 0, -1)]
    yield from ((at, count, code) for at, count, phrase in phrases if (code := book.code(phrase)))
    yield from ((at, 0, code) for at, _, phrase in phrases if (code := book.verb_of_option(phrase)[0]))
    if book.bare:
        yield 0, 0, book.bare


class _NotationReader(_VerbReader):
    """Tries all ways to lay a line in the book's notation over its verb, and what any line may say besides."""

    sentence: ExactSentence

    def __init__(self, sentence: ExactSentence, verb: Verb) -> None:
        super().__init__(sentence, verb, 0)
        self.book = sentence.lexicon.book
        self.kinds = {**verb.kinds, **{name: kind for name, kind in self.book.anywhere.items()
                                       if name not in verb.kinds}}
        self.names = list(self.kinds)
        self.stuck = -1
        """The place of the last word for which no place was found."""

    def _stand(self, at: int, roles: frozenset[str], layout: _Layout, placed: bool) -> None:
        """A line begins with the faction itself, if anything; where a unit stands it does not say."""
        for count, code in self.sentence.rows(0, (Faction,)) if not at else ():
            if code == self.sentence.faction:
                self._step(count, roles, replace(layout, score=layout.score + 2 * count))

    def _says_nothing(self, at: int, placed: bool, begun: bool = False) -> bool:
        word = self.sentence.tokens[at].folded
        return word in self.book.fillers or (word in LISTS.name_fillers and not placed) or word.strip("_–—") == ""

    def _is_foreign(self, value: Any, kind: Kind) -> bool:
        """Whether it is a code that nothing has there."""
        campaign = self.sentence.campaign
        return bool(kind.tables()) and not any(value in campaign.by_sheet(record.sheet) for record in kind.tables())

    def _is_known(self, at: int) -> bool:
        return bool(self.sentence.verb_words[at]) or any(
            SplitSentence.pieces(self.sentence, at, kind) for kind in self.kinds.values())

    def _skip(self, at: int, roles: frozenset[str], layout: _Layout) -> None:
        """Go on with words that nobody knows in a column whose finding quotes them."""
        tokens, end = self.sentence.tokens, at
        self.stuck = max(self.stuck, at)
        while end < len(tokens) and not (tokens[end].folded in LISTS.prepositions or self._says_nothing(end, False)
                                         or self._is_known(end)):
            end += 1
        text = " ".join(token.text for token in tokens[at:end])
        verb_at, count, _ = self.sentence.verb
        quotes = bool(text and count) and (at > verb_at or (at, end) == (0, 1) == (0, verb_at))
        for name, kind in self.kinds.items() if quotes else ():
            if kind.quotes and (name not in layout.columns or kind.takes_several):
                columns = {**layout.columns, name: [*layout.columns.get(name, ()), Piece(text, roles, at)]}
                score = layout.score + self._fit(name, kind, roles, layout)
                self._step(end, frozenset(), replace(layout, columns=columns, score=score))

    def order(self) -> dict[str, Any]:
        """The order that the line is, {} where a word has no place in it."""
        _, count, _ = self.sentence.verb
        best: tuple[int, dict[str, Any]] | None = None
        for layout in self.read():
            fields = _layout_fields(self.sentence, self.verb, layout, {}, self.kinds)
            if fields is None or not self._counts(layout):
                continue
            fields |= {name: value for name, kind in self.verb.kinds.items()
                       if name not in fields and (value := kind.value_if_unsaid(self.sentence, fields)) != ""}
            missing = sum(name not in fields for name in self.verb.needed_columns())
            score = layout.score - 10 * missing
            if (not missing or (count and self.book.incomplete)) and (best is None or score > best[0]):
                best = score, fields
        return best[1] if best is not None else {}

    def _counts(self, layout: _Layout) -> bool:
        """Whether the line says enough; without a verb it has no number behind a place."""
        numbers, others = ([piece.at for name, pieces in layout.columns.items() for piece in pieces
                            if self.kinds[name].takes("number") is number and not self.kinds[name].takes("unit")]
                           for number in (True, False))
        if not self.sentence.verb[1] and numbers and others and max(numbers) > min(others):
            return False
        return bool(layout.columns) or self.book.incomplete or all(kind.blank for kind in self.verb.kinds.values())


class Understood(NamedTuple):
    """How a line was read: order fields by name, or what could not be understood, and why.

    `more`: further orders of a sentence; `proposals`: what it may mean, where it was not understood; `unknown`: the
    word in it that has no place; `verb`: what it seems to order, and `missing`: the columns of which it says nothing;
    `is_sentence`: it was read as people write, not as the book has it; `is_sure`: everything in it is known;
    `left_out`: what the first proposal says nothing of.
    """

    fields: Mapping[str, Any] = MappingProxyType({})
    problem: str = ""
    why: Refused | None = None
    more: tuple[Mapping[str, Any], ...] = ()
    proposals: tuple[Mapping[str, Any], ...] = ()
    unknown: str = ""
    verb: str = ""
    missing: tuple[str, ...] = ()
    is_sentence: bool = False
    is_sure: bool = False
    left_out: tuple[str, ...] = ()


def understand(book: OrderBook, campaign: Campaign, faction: str, text: str) -> Understood:
    """Read a line as an order of a faction, in the notation that the verbs declare."""
    try:
        reading = read_notation(book, campaign, faction, text.strip())
    except Refused as why:
        return Understood(problem=text.strip(), why=why)
    return Understood(reading.fields, "" if reading.fields else text.strip(), verb=reading.verb,
                      unknown=reading.unknown)


def combine(book: OrderBook, campaign: Campaign, faction: str, text: str, notation: Understood,
            read_sentence: Callable[[], LineReading]) -> Understood:
    """How a line counts: as the book's notation has it, if it names nothing unknown; else as the sentence that it is;
    else as the notation has it after all, for the finding that says what is wrong. Whoever writes a verb of the book in
    the book's form means no other verb.
    """
    bare = _has_words_for_a_verb(book, notation, text)
    if not bare and notation.fields and is_known(book, campaign, faction, notation.fields):
        return notation._replace(is_sure=True)
    if not bare and names_several(book, campaign, notation):
        return notation
    reading = read_sentence()
    if reading.orders and (bare or reading.orders[0]["verb"] == notation.fields.get("verb", reading.orders[0]["verb"])
                           or _has_unknown_option(book, campaign, faction, notation.fields)
                           or _has_no_code(book, campaign, faction, notation.fields)):
        return Understood(reading.orders[0], more=reading.orders[1:], is_sentence=True, is_sure=True)
    fault = Understood(problem=text.strip(), proposals=reading.proposals, unknown=reading.unknown, verb=reading.verb,
                       missing=reading.missing, left_out=reading.left_out)
    if notation.fields:
        return notation._replace(is_sure=is_known(book, campaign, faction, notation.fields))
    return fault if notation.why is None else fault._replace(why=notation.why, proposals=())


def _has_words_for_a_verb(book: OrderBook, notation: Understood, text: str) -> bool:
    """Whether no verb stands in a line of the notation, but a preposition that may say which is meant: ``Bohun into
    Trowbridge Castle`` is no march.
    """
    words = split_words(text) if notation.fields.get("verb") == book.bare else []
    return any("in" in LISTS.prepositions.get(word.folded, ()) for word in words) and not any(
        book.code(word.folded) for word in words)


def _has_no_code(book: OrderBook, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> bool:
    """Whether a word that looks like no code stands for whoever acts and is nobody, or several in the place of one
    code: ``I want to move first`` moves no unit.
    """
    return any((kind.acts or (kind.tables() and not kind.takes_several and " " in str(fields.get(name, ""))))
               and name in fields and not kind.recognises(fields[name], campaign, faction)
               and not re.fullmatch(book.shapes.unit, str(fields[name]))
               for name, kind in book[fields["verb"]].kinds.items()) if fields else False


def _has_unknown_option(book: OrderBook, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> bool:
    """Whether a closed list of words lacks what stands in its place: ``order D1 to Stonegate`` gives no new order, so
    that the book's verb is an everyday word there.
    """
    return any(isinstance(kind, Option) and name in fields and not kind.recognises(fields[name], campaign, faction)
               for name, kind in book[fields["verb"]].kinds.items())


def names_several(book: OrderBook, campaign: Campaign, line: Understood) -> bool:
    """Whether a line holds a name that several rows have, which nobody chooses for the club."""
    if line.why is not None:
        return line.why.code == "ambiguous"
    kinds = book[line.fields["verb"]].kinds if line.fields else {}
    return any(len(campaign.derive(codes_by_name, record).get(fold(str(line.fields[name])), ())) > 1
               for name, kind in kinds.items() if name in line.fields for record in kind.spelling_records())


def is_known(book: OrderBook, campaign: Campaign, faction: str, fields: Mapping[str, Any]) -> bool:
    """Whether an order holds all that its verb needs, and names nothing that its columns do not know."""
    verb = book[fields["verb"]]
    return all(name in fields for name in verb.needed_columns()) and all(
        kind.recognises(fields[name], campaign, faction) for name, kind in verb.kinds.items() if name in fields)


# The rows of Orders that a phase reads, as requests, in the order in which they count.
#
# It is the same for all rulebooks: faction by faction in the book's order, those without a club last; within a faction
# by the column No., rows without a number last; then by the order's code, or by content if there is none. The position
# of a row on its sheet never matters.


LineReader = Callable[[str, Campaign, str], Understood]
"""How a ruleset reads a line, where it has a way of its own (`Ruleset.understand`)."""
PLAIN, _CODE = Kind(), Code(())
_UNDECLARED = {"path": Path(), "unit": _CODE, "target": _CODE, "partner": _CODE}
"""How columns are read that the verb has no use for; another column may still look there for where a unit stands."""


def read_text(reads: LineReader, text: str, campaign: Campaign, faction: str) -> Understood:
    """Read a line as somebody sent or typed it, by a ruleset's own way, without a list's mark and what surrounds it."""
    return reads(strip_marks(text), campaign, faction)


def rows_of(book: OrderBook, campaign: Campaign, word: str, reads: LineReader | None = None) -> list[Request]:
    """The open rows of this turn that stand under a word of the column Phase, in the order in which they count.

    Rows in which nothing stands, and rows of nobody, are left out.
    """
    factions = {row.faction: (row.role in CLUBLESS, place) for place, row in enumerate(campaign.table(Faction))}
    rows = campaign.table(Order).of_turn(
        campaign.desk.turn,
        lambda row: (
            row.phase.lower() == word
            and not row.status
            and row.faction in factions
            and any(filled_columns(row, book.cells))
        ),
    )
    rows.sort(key=lambda row: (factions[row.faction], *row_sort_key(row, book.cells)))
    known = _lines_read(book, campaign, reads) if any(row.text and not row.verb for row in rows) else {}
    return [read_row(book, campaign, row, reads, known) for row in rows]


LinesRead = dict[tuple[str, str], Understood]
"""How lines were read: faction and text -> what it says."""


def _lines_read(book: OrderBook, campaign: Campaign, reads: LineReader | None) -> LinesRead:
    """How lines were read before, while nothing has changed that they could name: several phases, and several judges,
    read the same rows.
    """
    tables = [campaign.common(record.sheet) for record in campaign.records().values()
              if not issubclass(record, (Event, FindingRow))]
    if book.last_read is None or book.last_read[0] != reads or list(map(id, book.last_read[1])) != list(
            map(id, tables)):
        book.last_read = reads, tables, {}
    lines: LinesRead = book.last_read[2]
    return lines


def row_sort_key(row: Order, cells: Iterable[str] = CELLS) -> tuple[Any, ...]:
    """Where a row comes among those of its faction. `cells`: the columns that say something in its book."""
    values = tuple(str(getattr(row, name)) for name in filled_columns(row, cells))
    return (read_number(row.seq) is None, read_number(row.seq) or 0, natural(row.order), values)


def read_row(book: OrderBook, campaign: Campaign, row: Order, reads: LineReader | None = None,
             known: LinesRead | None = None) -> Request:
    """Understand one row, from its columns or, where the verb is blank, from its words.

    `reads`: how the ruleset reads a line (`Ruleset.read`); default: only as the verbs declare; `known`: lines that were
    read before, to which this one is added.
    """
    if not row.verb and row.text:
        got = known.get((row.faction, row.text)) if known is not None else None
        if got is None:
            got = read_text(reads, row.text, campaign, row.faction) if reads is not None else understand(
                book, campaign, row.faction, strip_marks(row.text))
        if known is not None:
            known[row.faction, row.text] = got
        lang = campaign.desk.language
        if got.more:  # a row of the sheet is one order
            lines = "; ".join(order_line(book, campaign, fields, lang) for fields in (got.fields, *got.more))
            return Request(row, "", problem=row.text, why=Refused("two_orders", "text", text=row.text, list=lines))
        if got.problem:
            near = order_line(book, campaign, got.proposals[0], lang) if got.proposals else ""
            return Request(row, "", problem=row.text, why=got.why, near=near)
        cells = dict(got.fields)
    else:
        cells = {name: getattr(row, name) for name in ("verb", *book.cells) if hasattr(row, name)}
    verb = book.code(str(cells.pop("verb", "")))
    kinds = book[verb].kinds if verb else {}
    cells.setdefault("note", getattr(row, "note", ""))
    read = {name: kind.canonical(campaign, value) if value not in ("", None) else kind.read("")
            for name, value in cells.items() for kind in [kinds.get(name) or _UNDECLARED.get(name, PLAIN)]}
    more = {name: read.pop(name, kinds.get(name, PLAIN).read("")) for name in book.cells if name not in CELLS}
    return Request(row, verb, raw=cells, more=more, **read)
