"""Lays one sentence over the columns of a verb, and chooses between the orders that it may be.

Each word is a piece of a column, a form of the verb, a preposition, or says nothing. A reading counts only if every
word has its place; of several the one counts that the prepositions and the order of the columns favour. What misses a
piece that several things could be, has a word too many or can be read in two ways becomes a proposal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice, pairwise, product
from typing import Any, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Faction, Node
from assistant.turn.orders.columns import Kind, Note, Piece, place_of_order, place_of_unit
from assistant.turn.orders.lexicon import SplitSentence
from assistant.turn.orders.verbs import Verb
from assistant.turn.orders.words import LISTS, PATTERNS, fold

MOST_TRIED = 1500
"""Ways to lay a sentence over a verb that are tried at most."""
MOST_SKIPPED = 8
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

OF_ANOTHER_TIME = 20
"""How much worse a proposal is that leaves something out and is for another phase: as much as a word without a place.
"""

DOERS, PLACES = ("unit", "army", "subject", "player"), ("target", "node", "place")
"""The columns that say who does something, and where."""

Fields = Mapping[str, Any]
IsLegal = Callable[[Fields], bool]
"""Whether the faction may give an order now, as far as it can know."""


class LineReading(NamedTuple):
    """How a line was read.

    `orders`: what it says, in turn; `proposals`: whole orders that it may mean, where it was not taken; `unknown`: the
    first word that has no place; `verb`: what it seems to order, and `missing`: the columns of which it says nothing;
    `idle`: it is no order (a question, a greeting); `left_out`: what the first proposal says nothing of: words without
    a place, a condition, another time; `further`: the order that says it behind the only proposal.
    """

    orders: tuple[Fields, ...] = ()
    proposals: tuple[Fields, ...] = ()
    unknown: str = ""
    verb: str = ""
    missing: tuple[str, ...] = ()
    idle: bool = False
    left_out: tuple[str, ...] = ()
    further: Fields | None = None


_SOUNDS_LIKE = {"2": frozenset({"to"}), "4": frozenset({"for", "by"})}
"""Numbers that people write for a word that sounds like them, and what that says."""


# --- laying a sentence over a verb ----------------------------------------------------------------
@dataclass(eq=False, repr=False)
class Layout:
    """One way to lay a sentence over a verb, as far as it goes."""

    columns: dict[str, list[Piece]] = field(default_factory=dict)
    skipped: tuple[str, ...] = ()
    stands: frozenset[str] = frozenset()
    """Places that are named and have no column: where the unit stands, or the sentence is not understood."""
    score: int = 0
    verb_words: tuple[str, ...] = ()


class VerbReader:
    """Tries all ways to lay a sentence over one verb."""

    def __init__(self, sentence: SplitSentence, verb: Verb, most_skipped: int) -> None:
        self.sentence, self.verb, self.most_skipped = sentence, verb, most_skipped
        self.layouts: list[Layout] = []
        self.tried = 0
        self.kinds = verb.kinds
        self.names = list(verb.kinds)
        self.actor = verb.actor
        self.own_words = {fold(word) for word in (verb.en, verb.it, *verb.also)}

    def read(self) -> list[Layout]:
        """The ways in which every word has a place, but for a few that were skipped."""
        self._step(0, frozenset(), Layout())
        return self.layouts

    def places_in(self, order: Fields) -> set[int]:
        """The places of all words that an order with the verb says, or that say nothing beside it."""
        sentence, here = self.sentence, {place_of_order(self.sentence.campaign, order), self.sentence.faction}
        places, layout = set[int](), Layout()
        named = False
        for at, token in enumerate(sentence.tokens):
            said = [count for count, code in sentence.verb_words[at] if code == self.verb.en]
            if named and any(order.get(name, "") != value for name, kind in self.kinds.items() if kind.words
                             for _, value in sentence.pieces(at, kind)):
                said = []  # it goes, "and passes" whom it meets
            named = named or bool(said)
            said += [count for count, code in sentence.rows(at, (Faction, Node)) if code in here]
            pieces = [(name, *piece) for name, kind in self.kinds.items() for piece in sentence.pieces(at, kind)]
            for name, count, value in pieces:
                if _is_in(str(value), str(order.get(name, "")), self.kinds[name]):
                    said.append(count)
                    layout.columns.setdefault(name, []).append(Piece(value, frozenset(), at))
            if not said and (token.folded in LISTS.prepositions or self._says_nothing(at, bool(pieces), layout)):
                said = [1]
            places.update(range(at, at + max(said, default=0)))
        return places

    def _step(self, at: int, roles: frozenset[str], layout: Layout) -> None:
        self.tried += 1
        if self.tried > MOST_TRIED:
            return
        tokens = self.sentence.tokens
        if at == len(tokens):
            if self.most_skipped or self.sentence.exact or not (
                    self._only_tells_of_men(layout) or self._only_departs(layout)):
                self.layouts.append(layout)
            return
        placed = self._place(at, roles, layout)
        if not self.sentence.exact and self._stands_for_a_preposition(at):
            self._step(at + 1, _SOUNDS_LIKE[tokens[at].text], replace(layout, score=layout.score + 1))
        if tokens[at].folded in LISTS.prepositions and not self._means_men(at):  # "all" is Italian, too
            more = LISTS.prepositions[tokens[at].folded]
            self._step(at + 1, (roles | more) if roles else more, layout)
        elif self._says_nothing(at, placed, layout) and not self._counts_again(at, layout) and not (
                layout.columns and self.sentence.is_another(at)) and (
                (1, self.verb.en) not in self.sentence.verb_words[at]):
            self._step(at + 1, frozenset() if self.sentence.means_there(at) else roles, layout)
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

    def _skip(self, at: int, roles: frozenset[str], layout: Layout) -> None:
        """Go on behind a word without a place."""
        if len(layout.skipped) < self.most_skipped and not self._denies(at):
            skipped = (*layout.skipped, self.sentence.typed[at].text)
            self._step(at + 1, roles, replace(layout, skipped=skipped, score=layout.score - 20))

    def _denies(self, at: int) -> bool:
        """Whether a word is never left out, as that would turn the order into its opposite: ``no alliance with Spain``.
        """
        words = [token.folded for token in self.sentence.tokens[at:at + 2]]
        return words[0] in LISTS.negations or not LISTS.undoing.isdisjoint((words[0], "_".join(words))) or (
            words[0] == "no" and at == 0)

    def _stand(self, at: int, roles: frozenset[str], layout: Layout, placed: bool) -> None:
        """Go on from a place where the unit may stand, and from the name of whoever orders."""
        if self._is_only_named(at):
            return
        if self.sentence.tokens[at].forms & LISTS.departing and not self._counts_next(at) and not (
                self._leaves_behind(at)) and not any(
                count > 1 and code != self.verb.en for count, code in self.sentence.verb_words[at]):  # "quit siege"
            self._step(at + 1, frozenset({"from"}), layout)
        opens = not layout.columns and bool(self.sentence.verb_words[at + 1:] and self.sentence.verb_words[at + 1])
        if (not placed or opens) and not roles & {"to", "from", "at", "with"}:
            for count, code in self.sentence.rows(at, (Faction,)):
                if code == self.sentence.faction:
                    self._step(at + count, roles, layout)
        whose = layout.columns.get(self.actor, ()) if not roles and at and (
            self.sentence.tokens[at - 1].folded in LISTS.name_fillers) else ()
        home = {place_of_unit(self.sentence.campaign, {self.actor: piece.value}) for piece in whose}
        if not layout.stands and (home or "from" in roles or (not placed and (not roles or "at" in roles))):
            for count, code in self.sentence.rows(at, (Node,)):
                if code in home or not placed or "from" in roles:  # "the Flemings of Hungerford" go nowhere by that
                    self._step(at + count, frozenset(), replace(layout, stands=frozenset({code}), score=(
                        layout.score + 2 * count - 1 + 2 * (code in home))))

    def _leaves_behind(self, at: int) -> bool:
        """Whether things are left, and no place: ``leaves the victuals at Chippenham``."""
        tokens = self.sentence.tokens
        behind = next((place for place in range(at + 1, len(tokens)) if tokens[place].folded not in LISTS.fillers), at)
        return behind > at and any(code == self.verb.en for _, code in self.sentence.verb_words[behind]) and not any(
            self.sentence.rows(behind, (*self.sentence.lexicon.records, Node)))

    def _counts_next(self, at: int) -> bool:
        """Whether a number is the next that says something: ``leave some 20 men in Brescia``, where nobody departs."""
        tokens = self.sentence.tokens
        behind = next((place for place in range(at + 1, len(tokens)) if tokens[place].folded not in LISTS.fillers), at)
        return behind > at and any(self.sentence.number(behind))

    def _is_only_named(self, at: int) -> bool:
        """Whether it says how something is called, of a verb that gives no names: ``Brescia, named Leone``."""
        return not self.sentence.exact and at > 0 and self.sentence.tokens[at - 1].folded in LISTS.called and not any(
            isinstance(kind, Note) and (kind.unquoted or self.sentence.tokens[at].quoted)
            for kind in self.kinds.values())

    def _is_given(self, at: int, name: str, roles: frozenset[str]) -> bool:
        """Whether it is somebody who gets something, in the column of who gives it: ``pay A-YPR 5 pounds``."""
        tokens, kinds = self.sentence.tokens, self.kinds
        if name != self.actor or not any(kind.counts for kind in kinds.values()):
            return False
        giving = {place for place, words in enumerate(self.sentence.verb_words)
                  if tokens[place].folded in LISTS.giving and any(code == self.verb.en for _, code in words)}
        to_whom = any("to" in LISTS.prepositions.get(token.folded, ()) for token in tokens[at + 1:])
        return ((at - 1 in giving and not to_whom) or (bool(giving) and "to" in roles)) and any(
            other != name and set(kind.tables()) & set(kinds[name].tables()) for other, kind in kinds.items())

    def _comes_from(self, at: int, roles: frozenset[str], kind: Kind) -> bool:
        """Whether a faction stands where something comes from that is counted, in the column of who gets it."""
        straight = "from" in LISTS.prepositions.get(self.sentence.tokens[at - 1].folded, ()) if at else False
        return any(issubclass(record, Faction) for record in kind.tables()) and "from" in roles and (
            straight or "to" not in roles) and "from" not in kind.prepositions() and any(
            other.counts for other in self.kinds.values())

    def _only_departs(self, layout: Layout) -> bool:
        """Whether the only word that names the verb says that somebody leaves a place: ``leaves Calne for Oxford``."""
        book = self.sentence.lexicon.book
        return bool(layout.stands) and not layout.verb_words and self.verb.en not in (book.bare, book.silent) and any(
            token.forms & LISTS.departing and any(code == self.verb.en for _, code in words)
            for token, words in zip(self.sentence.tokens, self.sentence.verb_words, strict=True))

    def _means_men(self, at: int) -> bool:
        """Whether all men of somebody are meant, of whom nothing says what they do: ``all 20 men to Padova``."""
        return self.sentence.tokens[at].folded in LISTS.all and self._counts_next(at) and self._names_only_men

    def _only_tells_of_men(self, layout: Layout) -> bool:
        """Whether it says nothing of what is done, but whose men these are: ``20 men of V-1 to Padova``."""
        tokens = self.sentence.tokens
        for piece in (piece for name, pieces in layout.columns.items() if self._names_only_men and self.kinds[
                name].takes("unit") for piece in pieces):
            before = next((place for place in range(piece.at - 1, -1, -1)
                           if tokens[place].folded not in LISTS.name_fillers), piece.at)
            whose = before < piece.at - 1 and tokens[before].folded in LISTS.men
            if whose or "from" in piece.roles or tokens[piece.at].folded in LISTS.men:
                return True
        return False

    @cached_property
    def _names_only_men(self) -> bool:
        """Whether the verb is named by words for men alone, which do not say what becomes of them."""
        named = [token.folded for token, words in zip(self.sentence.tokens, self.sentence.verb_words, strict=True)
                 if any(code == self.verb.en for _, code in words)]
        return bool(named) and LISTS.men.issuperset(named)

    def _says_nothing(self, at: int, placed: bool, layout: Layout) -> bool:
        word, book = self.sentence.tokens[at].folded, self.sentence.lexicon.book
        if any(kind.may_mean(word) for kind in self.kinds.values()) and not self._is_of_men(at):
            return False
        if not placed and self._is_added(at):
            return False
        if not placed and self._stands_for_only_one(at, layout):
            return True
        following = self.sentence.tokens[at + 1].folded if at + 1 < len(self.sentence.tokens) else ""
        if f"{word}_{following}" in LISTS.undoing or word in LISTS.giving - LISTS.sending:
            return False
        if self._means_men(at):
            return False
        if word in LISTS.the_others and not placed and following and any(self.sentence.number(at + 1)):
            return True
        if word in LISTS.instead | LISTS.ones and not placed:
            return following not in LISTS.name_fillers - (LISTS.articles if word in LISTS.instead else frozenset())
        if layout.columns and self._only_places(at):
            return True
        if word in LISTS.going and "to" in LISTS.prepositions.get(following, ()):
            # "va a Milano e la assedia" is a march, too
            return not placed and self._only_sends(at)
        theirs = at > 0 and word in LISTS.men and self.sentence.tokens[at - 1].folded in LISTS.possessives and not any(
            kind.tables() and name not in layout.columns and self.sentence.pieces(at, kind)  # "our army at Trento"
            for name, kind in self.kinds.items())
        small = LISTS.name_fillers | LISTS.ones | LISTS.clitics
        return theirs or (word in LISTS.fillers and (not placed or word in small)) or (
            word in book.fillers and book.code(word) in ("", self.verb.en) and (not placed or word in small)) or (
            not placed and not self.sentence.verb_words[at] and (
                LISTS.is_manner(word) or self._only_describes(at))) or (
            not placed and (self._only_sends(at) or self._says_what_it_is(at) or self._says_all(at, layout)
                            or self._says_first(at) or self._goes_on_naming(at, layout)))

    def _is_added(self, at: int) -> bool:
        """Whether an "and" joins a word that says nothing here to another one, though it names what other verbs order,
        or a place: ``a roll and a captain``, ``into the castle and the town``.
        """
        tokens, word, book = self.sentence.tokens, self.sentence.tokens[at].folded, self.sentence.lexicon.book
        before = next((token.folded for token in tokens[at - 1::-1] if token.folded not in LISTS.name_fillers),
                      "") if at else ""
        behind = tokens[at + 1].folded if at + 1 < len(tokens) else ""
        orders = word in book.fillers - LISTS.fillers and (self.sentence.exact or bool(self.sentence.verb_words[at]))
        return (behind in LISTS.joining and orders) or (before in LISTS.joining and any(
            word in kind.called for kind in self.sentence.lexicon.kinds))

    def _stands_for_only_one(self, at: int, layout: Layout) -> bool:
        """Whether a word stands for the only thing of a column that may be meant, which nothing else names."""
        word, others = self.sentence.tokens[at].folded, range(len(self.sentence.tokens))
        return not self.sentence.exact and any(
            word in kind.called and name not in layout.columns and not any(
                self.sentence.pieces(other, kind) for other in others) for name, kind in self.kinds.items())

    def _goes_on_naming(self, at: int, layout: Layout) -> bool:
        """Whether a word belongs to the name of what stands straight before it: ``dieci goblin di torma``."""
        tokens, placed = self.sentence.tokens, [
            (piece.at, name, piece.value) for name, pieces in layout.columns.items() for piece in pieces]
        start, name, code = max(placed, key=lambda piece: piece[0], default=(at, "", ""))
        words = {token.folded for token in tokens[start + 1:at + 1]} - LISTS.name_fillers
        names = [self.sentence.lexicon.table_names(record).by_word
                 for record in (self.kinds[name].tables() if name else ())]
        return any(all(code in by_word.get(word, ()) for word in words) for by_word in names)

    def _says_first(self, at: int) -> bool:
        """Whether a number in a row says nothing: the next thing is done first (``prima chiedete``), or is new."""
        number, behind = LISTS.ordinals.get(self.sentence.tokens[at].folded), at + 1
        if not number or behind == len(self.sentence.tokens) or any(
                token.folded in LISTS.following for token in self.sentence.tokens[behind:]):
            return False
        is_new = self.sentence.tokens[behind].folded in LISTS.units and any(
            kind.is_new for kind in self.kinds.values())
        does = any(code == self.verb.en for _, code in self.sentence.verb_words[behind]) or any(
            self.sentence.pieces(behind, kind) for kind in self.kinds.values() if kind.words)
        return is_new or (number == 1 and does)

    def _says_all(self, at: int, layout: Layout) -> bool:
        """Whether a word for all changes nothing: before how many these are (``tutti e 5 i punti``), behind how many
        (``50 fanti, tutti nella V-2``), or before the men of a unit of which all are meant anyhow.
        """
        tokens = self.sentence.tokens
        if tokens[at].folded not in LISTS.all:
            return False
        counting = {name: kind for name, kind in self.kinds.items() if kind.counts}
        behind = next((place for place in range(at + 1, len(tokens)) if tokens[place].folded not in (
            LISTS.name_fillers | LISTS.joining | LISTS.possessives)), at)
        if behind > at and any(self.sentence.number(behind)):
            return True
        if at and tokens[at - 1].folded in LISTS.joining:
            return False  # all of something else
        if counting.keys() & layout.columns.keys() or behind == at:
            return bool(counting) and all(name in layout.columns and not kind.takes_several
                                          for name, kind in counting.items())
        return all(kind.all_if_blank for kind in counting.values()) and any(
            kind.acts and (tokens[behind].folded in LISTS.men or bool(self.sentence.pieces(behind, kind)))
            for kind in self.kinds.values())

    def _is_of_men(self, at: int) -> bool:
        """Whether a word stands beside one for men, or for what is done: ``90 new men``, ``gente nuova``."""
        tokens, verb_words = self.sentence.tokens, self.sentence.verb_words
        return any(tokens[beside].folded in LISTS.men - LISTS.units or (
            tokens[beside].folded not in LISTS.men and any(code == self.verb.en for _, code in verb_words[beside]))
            for beside in (at - 1, at + 1) if 0 <= beside < len(tokens))

    def _counts_again(self, at: int, layout: Layout) -> bool:
        """Whether a "one" is another number than the one that has been placed: ``three units and one company``."""
        before = self.sentence.tokens[at - 1].folded if at else ""
        return self.sentence.tokens[at].folded == "one" and before not in LISTS.fillers - {"and", "of"} and any(
            isinstance(piece.value, int) and piece.value != 1 for pieces in layout.columns.values() for piece in pieces)

    def _leads_to_noun(self, at: int, *more: Collection[str]) -> bool:
        """Whether a plain word stands between an article, or what else may stand there, and another word."""
        tokens, word = self.sentence.tokens, self.sentence.tokens[at]
        apart = LISTS.doubts, LISTS.negations, LISTS.of_another_unit
        return 0 < at < len(tokens) - 1 and word.text.isalpha() and word.text.islower() and not any(
            word.folded in words for words in apart) and any(
            tokens[at - 1].folded in words for words in (LISTS.name_fillers, LISTS.possessives, *more))

    def _only_describes(self, at: int) -> bool:
        """Whether a word only says what the unit behind it is like: ``il prode Torvald``."""
        return self._leads_to_noun(at) and any(self.sentence.pieces(at + 1, kind) for kind in self.kinds.values()
                                               if kind.acts and not kind.takes("place"))

    def _says_what_it_is(self, at: int) -> bool:
        """Whether a noun stands behind an article and before a code, of which it only says what it is: ``il convoglio
        C-KNG``, ``all'unità U1b``.
        """
        tokens = self.sentence.tokens
        if not self._leads_to_noun(at, *([LISTS.prepositions] if tokens[at].folded in LISTS.men else [])):
            return False
        code = tokens[at + 1].text
        coded = "-" in code or any(sign.isdigit() for sign in code)
        return coded and any(fold(str(value)) == fold(code) and count == 1 for kind in self.kinds.values()
                             if kind.tables() for count, value in self.sentence.pieces(at + 1, kind))

    def _only_places(self, at: int) -> bool:
        """Whether a verb with a pronoun only says where that is to be which was named: ``and place him with S-1``, ``he
        should be posted at Pisa``.
        """
        tokens = self.sentence.tokens
        if at and tokens[at].folded in LISTS.placing and tokens[at - 1].folded in LISTS.being | LISTS.going:
            return True
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

    def _place(self, at: int, roles: frozenset[str], layout: Layout) -> bool:
        """Go on from each piece that may stand here; whether there is one."""
        placed = False
        awaited = bool(layout.verb_words) and layout.verb_words[-1] in LISTS.waiting and "with" not in roles
        exact = self.sentence.exact
        for name, kind in self.kinds.items() if exact or not self.sentence.is_another(at) else ():
            if (awaited and kind.acts) or not (pieces := self.sentence.pieces(at, kind)) or (
                    not exact and self._is_given(at, name, roles)) or (
                    not (kind.takes("number") or kind.is_new) and self._is_only_named(at)):
                continue  # "wait for the king" is no order to him, "the one at Trent" no number
            before = layout.columns.get(name, [])
            for count, value in pieces:
                if not exact and (self._is_oneself(value, kind) or self._comes_from(at, roles, kind)
                                  or self._divides(at, name, layout)
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
        men = self.sentence.tokens[at].folded in LISTS.men and any(
            self.sentence.pieces(at, kind) for kind in self.kinds.values() if kind.counts and not kind.tables())
        number = max((count for kind in self.kinds.values() if not (kind.tables() or kind.words or kind.takes_several)
                      for count, _ in self.sentence.pieces(at, kind)), default=0)
        for count, code in self.sentence.verb_words[at] if not men else ():
            if code == self.verb.en and count >= number and not self._comes_to_us(at, roles):
                own = self.sentence.tokens[at].folded in self.own_words
                words = (*layout.verb_words, *(token.folded for token in self.sentence.tokens[at:at + count]))
                infinitive = at > 0 and self.sentence.tokens[at - 1].folded == "to"
                self._step(at + count, roles - {"to"} if infinitive else roles,
                           replace(layout, score=layout.score + count + own, verb_words=words))
                if self.sentence.tokens[at].folded not in LISTS.fillers:
                    placed = True
        return placed

    def _comes_to_us(self, at: int, roles: frozenset[str]) -> bool:
        """Whether a word of a verb by which we pay others says that something comes to us: ``into our treasury``."""
        kinds = self.kinds.values()
        return not self.sentence.exact and "to" in roles and "from" not in roles and (
            self.sentence.tokens[at - 1].folded in LISTS.possessives) and any(kind.counts for kind in kinds) and any(
            Faction in kind.tables() for kind in kinds)

    def _counts_other(self, noun: int) -> bool:
        """Whether a number in a row of things counts what only other verbs name: ``a captain and three units``."""
        words = self.sentence.verb_words[noun] if noun < len(self.sentence.tokens) else []
        return bool(words) and all(code != self.verb.en for _, code in words) and any(
            token.folded in LISTS.joining for token in self.sentence.tokens)

    def _only_limits(self, at: int, kind: Kind) -> bool:
        """Whether a number is only the most that is wanted (``up to 40``), or says how many others there are, where
        another one behind it says how many are meant.
        """
        before = [token.folded for token in self.sentence.tokens[max(at - 3, 0):at]]
        others = before[-1:] and before[-1] in LISTS.the_others and any(
            map(self.sentence.number, range(at + 1, len(self.sentence.tokens))))
        return kind.takes("number") and not kind.takes("place") and (bool(others) or any(
            fold(" ".join(before[-count:])) in LISTS.limits for count in (2, 3)))

    def _divides(self, at: int, name: str, layout: Layout) -> bool:
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

    def _fit(self, name: str, kind: Kind, roles: frozenset[str], layout: Layout) -> int:
        """How well a piece fits its column: by the preposition before it, and by the columns' order."""
        behind = 0 if kind.words else sum(self.names.index(other) > self.names.index(name) for other in layout.columns
                                          if not self.kinds[other].words)
        hinted = 0
        if roles and (expected := kind.prepositions()):
            hinted = 3 if roles & set(expected) else -3
        return hinted - behind


def layout_fields(sentence: SplitSentence, verb: Verb, layout: Layout, given: Fields,
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
    if layout.stands and place_of_unit(sentence.campaign, fields) not in layout.stands and place_of_order(
            sentence.campaign, {"target": fields.get("target", "")}) not in layout.stands:
        return None  # neither who acts nor upon whom is there
    return fields


class Candidate(NamedTuple):
    """What a sentence may mean. `missing`: columns that it leaves out and that are needed."""

    fields: Fields
    verb: Verb
    layout: Layout
    missing: tuple[str, ...] = ()

    @property
    def score(self) -> int:
        """How well it fits."""
        return self.layout.score - 10 * len(self.missing)

    @property
    def has_own_word(self) -> bool:
        """Whether the verb is called as the book calls it, so that no other one is meant."""
        own = map(fold, (self.verb.en, self.verb.it, *self.verb.also))
        return any(form in self.layout.verb_words for word in own for form in (word, f"{word}s"))

    @property
    def whole(self) -> bool:
        """Whether nothing is missing, and each word has its place."""
        return not self.missing and not self.layout.skipped and self.layout.columns.keys() <= self.fields.keys()


class SentenceReader:
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
                named.setdefault(count, set()).add(bool(any(owners)) and self.sentence.faction not in owners
                                                   and not self._may_act(table[code]))
        if not named or not all(named[max(named)]):
            return False
        behind = tokens[at + max(named):]
        if behind and behind[0].folded in LISTS.ourselves:
            return False
        for token in behind:
            if token.folded in LISTS.doing:
                return True
            if token.folded not in LISTS.fillers:
                return lexicon.is_done_by(token)
        return False

    def _may_act(self, row: Any) -> bool:
        """Whether a row of somebody else is one that a verb of the sentence orders about: mercenaries of nobody."""
        kinds = [verb.kinds[verb.actor] for verb in self.named if verb.actor in verb.kinds]
        return any(isinstance(row, kind.tables()) and kind.fits(row, self.sentence.faction) for kind in kinds)

    def _tells_how_things_are(self) -> bool:
        """Whether all that it says is that something is somewhere, or somehow: ``we are at war``."""
        tokens, verb_words = self.sentence.tokens, self.sentence.verb_words
        spoken = " ".join(token.folded for token in tokens[:4])
        if re.match(PATTERNS.having, spoken):
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
            if whole and verbs is self.likely and self._goes_inside():
                return self._either(self._infer(), self._choose(whole))
            if whole and not self.named:
                return self._read_without_verb(whole)
            if whole:
                return self._or_with_more(self._choose(whole))
        return self._continuation() or self._only_legal() or self._infer()

    def _or_with_more(self, chosen: LineReading) -> LineReading:
        """A reading; where it may not be given, and another verb makes the only legal order of the words with something
        that they leave out, either of them.
        """
        instead = self._only_legal() if len(chosen.orders) == 1 and len(self.named) > 1 and not self.is_legal(
            chosen.orders[0]) else None
        return chosen if instead is None or instead.orders[0]["verb"] == chosen.orders[0]["verb"] else self._either(
            instead, chosen)

    def _goes_inside(self) -> bool:
        """Whether somebody is to be inside of something, which is more than a march."""
        return any({"in", "at"} <= LISTS.prepositions.get(token.folded, frozenset()) for token in self.sentence.tokens)

    def _either(self, *readings: LineReading) -> LineReading:
        """What several readings have, as proposals."""
        fields = {repr(sorted(one.items())): one for reading in readings for one in (
            *reading.orders, *reading.proposals)}
        return LineReading(proposals=tuple(fields.values())[:MOST_PROPOSED])

    def _read_without_verb(self, whole: list[Candidate]) -> LineReading:
        """The order of a sentence without a verb: that of the usual verb, unless another fits better, or may be given
        where that may not.
        """
        usual = self._choose(whole)
        if self._seems_to_tell():
            return LineReading(proposals=usual.orders or usual.proposals)
        again = [candidate for candidate in whole if candidate.verb.en == self.before.get("verb")]
        if again and (again[0] is whole[0] or self.is_legal(again[0].fields)):  # "recruit 40 at Pisa, 30 at Siena"
            return self._choose(again)
        better = [candidate for candidate in self._candidates(self.book.values(), 0)
                  if candidate.whole and candidate.score > whole[0].score + NEAR and self.is_legal(candidate.fields)]
        if len({candidate.verb.en for candidate in better}) == 1:
            return LineReading((better[0].fields,))
        inferred = LineReading() if any(map(self.is_legal, usual.orders)) else self._infer()
        return inferred if inferred.orders else usual

    def _seems_to_tell(self) -> bool:
        """Whether a word of a name has the form of a verb that nobody knows: ``A-YPR castles Oxford``."""
        names = self.sentence.lexicon.words_of_names
        return any(token.text.islower() and token.folded.endswith("s") and token.folded[:-1] in names
                   and token.folded not in names for token in self.sentence.typed)

    def _choose(self, whole: list[Candidate]) -> LineReading:
        """The reading that counts: the best, or of several as good the only legal one."""
        near = [candidate for candidate in whole if candidate.score >= whole[0].score - NEAR * (
            1 + (candidate.verb is not whole[0].verb))]
        near = [candidate for candidate in self._timely(near) if not self._is_doubtful(candidate)]
        near = [candidate for candidate in near if candidate.has_own_word] or near
        asked = near if 1 < len(near) <= MOST_JUDGED else []
        best = [candidate for candidate in asked if self.is_legal(candidate.fields)] or self._legal_instead(whole, near)
        best = self._distinct([candidate for candidate in best if candidate.score == best[0].score])
        best = [candidate for candidate in best if self._marches_when_made(candidate)] or best
        fields = tuple(candidate.fields for candidate in best[:MOST_PROPOSED])
        if len(best) == 1 and self._may_mean_another_verb(best[0], whole[0]):
            return LineReading(proposals=(whole[0].fields, *self._swapped(whole[0], whole), best[0].fields))
        if len(best) == 1 and (self._lacks_who_acts(best[0]) or self._is_scattered(best[0]) or any(
                best[0].verb.kinds[name].is_unclear(pieces, self.sentence)
                for name, pieces in best[0].layout.columns.items())):
            return LineReading(proposals=fields)
        if len(best) == 1 and (instead := (*self._swapped(best[0], whole), *self._rival(best[0], whole),
                                         *self._left_by_a_unit(best[0]))):
            return LineReading(proposals=(*fields, *instead)[:MOST_PROPOSED])
        if len(best) == 1:
            return LineReading(fields)
        return LineReading(proposals=tuple(filter(self.is_legal, fields)) or fields)

    def _marches_when_made(self, candidate: Candidate) -> bool:
        """Whether it is the usual verb, for what only another order makes."""
        verb, sentence = candidate.verb, self.sentence
        return verb.en == self.book.bare and verb.actor in candidate.fields and not verb.kinds[verb.actor].recognises(
            candidate.fields[verb.actor], sentence.campaign, sentence.faction)

    def _may_mean_another_verb(self, chosen: Candidate, best: Candidate) -> bool:
        """Whether another verb fits better that says the same of the same things, but may not be given: the club is
        told so, as nobody knows which it means.
        """
        return chosen.verb is not best.verb and chosen.score < best.score and (
            chosen.layout.columns.keys() == best.layout.columns.keys() and not self.is_legal(best.fields))

    def _rival(self, chosen: Candidate, whole: list[Candidate]) -> tuple[Fields, ...]:
        """The order of another verb that may be given and fits nearly as well, where the chosen one may not be."""
        others = [candidate for candidate in self._timely(whole) if candidate.verb is not chosen.verb
                  and candidate.verb in self.named and candidate.score >= chosen.score - FAR]
        if not others or self.is_legal(chosen.fields):
            return ()
        return tuple(candidate.fields for candidate in others[:MOST_JUDGED] if self.is_legal(candidate.fields))[:1]

    def _is_scattered(self, candidate: Candidate) -> bool:
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

    def _swapped(self, chosen: Candidate, whole: list[Candidate]) -> tuple[Fields, ...]:
        """Another reading in which who acts and upon whom change places, where the chosen one may not be given."""
        actor = chosen.verb.actor
        others = [other for other in whole if other.verb is chosen.verb and other.fields != chosen.fields and any(
            other.fields.get(name) == chosen.fields.get(actor) and chosen.fields.get(name) == other.fields.get(actor)
            for name in chosen.fields if name not in ("verb", actor))] if (
                actor in chosen.fields and not _is_place(chosen.verb.kinds[actor])) else []
        return (others[0].fields,) if others and not self.is_legal(chosen.fields) else ()

    def _left_by_a_unit(self, chosen: Candidate) -> tuple[Fields, ...]:
        """The same order of the only own unit there, where men are to be left behind and nobody says whose."""
        verb, fields, words = chosen.verb, chosen.fields, set(chosen.layout.verb_words)
        kind = verb.kinds.get(verb.actor)
        if kind is None or verb.actor in fields or not (words & LISTS.departing and words & LISTS.men):
            return ()
        here = place_of_order(self.sentence.campaign, fields)
        units = [row.ident for record in kind.tables() for row in self.sentence.campaign.by_sheet(record.sheet)
                 if getattr(row, "node", "") == here and kind.fits(row, self.sentence.faction)]
        drawn = [order for unit in units if self.is_legal(order := {**fields, verb.actor: unit})]
        return tuple(drawn) if len(drawn) == 1 else ()

    def _lacks_who_acts(self, candidate: Candidate) -> bool:
        """Whether a way is said and not whose it is, and none may be meant."""
        return bool(candidate.verb.actor in candidate.verb.kinds and candidate.verb.actor not in candidate.fields
                    and "path" in candidate.fields and not self.is_legal(candidate.fields))

    def _distinct(self, candidates: list[Candidate]) -> list[Candidate]:
        """The first of those that come to the same."""
        different: dict[str, Candidate] = {}
        for candidate in candidates:
            meant = what_it_comes_to(candidate.verb, self.sentence.campaign, candidate.fields)
            different.setdefault(repr(sorted(meant.items())), candidate)
        return list(different.values())

    def _legal_instead(self, whole: list[Candidate], near: list[Candidate]) -> list[Candidate]:
        """The only legal reading among those that are somewhat worse, where the best ones are not; else these."""
        further = [candidate for candidate in self._timely(whole)
                   if candidate not in near and candidate.score >= whole[0].score - FAR
                   and not self._is_doubtful(candidate)]
        if near and near[0].has_own_word:  # who writes the book's own word means no other verb
            further = [candidate for candidate in further if candidate.has_own_word]
        if not further or any(self.is_legal(candidate.fields) for candidate in near[:MOST_JUDGED]):
            return near
        legal = [candidate for candidate in further[:MOST_JUDGED] if self.is_legal(candidate.fields)]
        if len(legal) == 1 and near and legal[0].verb is not near[0].verb and len(
                legal[0].layout.verb_words) < len(near[0].layout.verb_words):
            return near  # which says more of what is to be done
        return legal if len(legal) == 1 else near

    def _is_doubtful(self, candidate: Candidate) -> bool:
        """Whether it only says who acts, so that another verb may be meant of which more is missing, and may not be
        given.
        """
        own = {self.book.code(token.folded) for token in self.sentence.tokens}
        return (not self.before and len(self.named) > 1 and candidate.verb in self.named
                and candidate.verb.en not in own and candidate.layout.columns.keys() == {candidate.verb.actor}
                and not self.is_legal(candidate.fields))

    def _timely(self, candidates: list[Candidate]) -> list[Candidate]:
        return [candidate for candidate in candidates if self.now & set(candidate.verb.when)] or candidates

    def _is_for_later(self, candidate: Candidate) -> bool:
        """Whether it leaves something out, and its verb is none of the present phase's."""
        return bool(candidate.missing and self.now) and not self.now & set(candidate.verb.when)

    def _continuation(self) -> LineReading | None:
        """An order of the unit before: ``A-MIL goes to Cricklade and provisions there``."""
        places = range(len(self.sentence.tokens))
        if not self.before or any(map(self.sentence.is_another, places)):
            return None
        there = any(map(self.sentence.means_there, places))
        it = any(token.folded in LISTS.pronouns - LISTS.articles for token in self.sentence.tokens) or self._leans()
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
        gives = any(token.folded in LISTS.giving for token in self.sentence.tokens)
        candidates = [candidate for candidate in self._candidates(self.named, 0) if _is_likely(candidate) and not (
            gives and _is_one_of_two(candidate))]
        asked = iter(range(MOST_COMPLETIONS))
        legal = {repr(sorted(what_it_comes_to(candidate.verb, self.sentence.campaign, fields).items())): fields
                 for candidate in candidates for fields in self._legal_orders(candidate, asked)}
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
        candidates.sort(key=lambda candidate: OF_ANOTHER_TIME * self._is_for_later(candidate) - candidate.score)
        if surely := self._without_word(candidates):
            return surely
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

    def _without_word(self, candidates: list[Candidate]) -> LineReading | None:
        """The one order that it is without the only word that has no place; None where there is no such order."""
        best = candidates[0] if candidates else None
        if best is None or best.missing or len(best.layout.skipped) != 1:
            return None
        alike = [candidate for candidate in candidates if candidate.layout.skipped == best.layout.skipped
                 and not candidate.missing and candidate.layout.columns.keys() <= candidate.fields.keys()]
        rivals = any(candidate.layout.skipped != best.layout.skipped and candidate.score >= best.score
                     and not candidate.missing for candidate in candidates)
        orders = self._choose(alike).orders if alike and not rivals else ()
        return LineReading(proposals=orders, unknown=best.layout.skipped[0], verb=orders[0]["verb"],
                           left_out=best.layout.skipped) if orders and all(map(self.is_legal, orders)) else None

    def _not_read(self) -> LineReading:
        """What is wrong with a sentence that is like no order. It seems to be one if it begins with a verb."""
        named = [code for words in self.sentence.verb_words for _, code in words]
        first = max((code for _, code in self.sentence.verb_words[0]), key=named.count, default="")
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

    def _legal_orders(self, candidate: Candidate, asked: Iterator[int]) -> Iterator[Fields]:
        """The legal orders that a candidate can be. `asked`: how often the judge may still be asked."""
        choices = [self._choices(candidate, name) for name in candidate.missing]
        if not all(choices) or len(choices) > 2:
            return
        for values in islice(product(*choices), MOST_COMPLETIONS):
            given = dict(zip(candidate.missing, values, strict=True))
            fields = layout_fields(self.sentence, candidate.verb, candidate.layout, given)
            if fields is None or _acts_upon_itself(candidate.verb, fields) or any(
                    name not in fields for name in candidate.verb.needed_columns()):
                continue
            if next(asked, None) is None:
                return
            if self.is_legal(fields):
                yield fields

    def _choices(self, candidate: Candidate, name: str) -> list[Any]:
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
            own = list(kind.choices(campaign, faction, candidate.fields)) if kind.acts else []
            return [here] if here else sorted(candidate.layout.stands) or own * (len(own) <= MOST_COMPLETIONS)
        here = place_of_unit(campaign, candidate.fields) if kind.called else ""
        called = [kind.called[token.folded] for token in self.sentence.tokens if token.folded in kind.called]
        rows = [row for record in kind.tables() for row in campaign.by_sheet(record.sheet)
                if (row.node == here if here else faction in row.owners) and kind.fits(row, faction)
                and all(is_so(row) for is_so in called)]
        return [row.ident for row in rows] if len(rows) <= MOST_COMPLETIONS else []

    def _layouts(self, verb: Verb, most_skipped: int) -> list[Layout]:
        """The ways to lay the sentence over a verb, which are the same whatever was before."""
        key = verb.en, most_skipped
        if key not in self.sentence.layouts:
            self.sentence.layouts[key] = VerbReader(self.sentence, verb, most_skipped).read()
        return self.sentence.layouts[key]

    def _candidates(self, verbs: Iterable[Verb], most_skipped: int, given: Fields | None = None) -> list[Candidate]:
        """All that it may mean as an order of some verbs, the best first."""
        candidates: dict[str, Candidate] = {}
        for verb in verbs:
            for layout in self._layouts(verb, most_skipped):
                if not layout.columns and not layout.stands and not given and (
                        len(set(layout.verb_words)) < 2 or any(not kind.blank for kind in verb.kinds.values())):
                    continue
                fields = layout_fields(self.sentence, verb, layout, {
                    name: value for name, value in (given or {}).items() if name in verb.kinds
                    and not verb.kinds[name].is_new})
                if fields is None:
                    if not most_skipped:
                        continue
                    fields = {"verb": verb.en}
                if _acts_upon_itself(verb, fields):
                    continue
                asked = [name for name, kind in verb.kinds.items() if self.sentence.faction in kind.asked_of]
                wanted = (*verb.needed_columns(),
                          *asked) if layout.columns.keys() <= fields.keys() else (*verb.needed_columns(),
                *asked, *DOERS)
                missing = tuple(name for name in verb.kinds if name in wanted and name not in fields
                                and name not in layout.columns)
                candidate = Candidate(fields, verb, layout, missing)
                key = repr((sorted(fields.items()), len(fields) == 1 and layout.columns))
                if key not in candidates or candidates[key].score < candidate.score:
                    candidates[key] = candidate
        return sorted(candidates.values(), key=lambda candidate: -candidate.score)


def what_it_comes_to(verb: Verb, campaign: Campaign, fields: Fields) -> dict[str, Any]:
    """The columns of an order by what they mean, whatever they are called and whether they are filled at all."""
    meant = {name: kind.comes_to(fields.get(name, ""), campaign) for name, kind in verb.kinds.items()}
    return {**fields, **{name: value for name, value in meant.items() if value != ""}}


def _acts_upon_itself(verb: Verb, fields: Fields) -> bool:
    """Whether a unit is to do something to itself."""
    actor = fields.get(verb.actor, "")
    return actor != "" and not _is_place(verb.kinds[verb.actor]) and any(
        fields.get(name) == actor and bool(verb.kinds[name].tables())
        for name in ("target", "partner") if name in verb.kinds and name != verb.actor)


def _is_in(value: str, whole: str, kind: Kind) -> bool:
    """Whether a piece is one of those that were joined in a column."""
    return {*value.split()} <= {*whole.split()} or (kind.takes_several and value in whole)


def _is_one_of_two(candidate: Candidate) -> bool:
    """Whether it names one unit where one gives and another one gets, so that it may be either."""
    tables = {name: set(kind.tables()) for name, kind in candidate.verb.kinds.items()}
    actor = candidate.verb.actor
    if actor and _is_place(candidate.verb.kinds[actor]):
        return False
    return any(name != actor and tables[name] & tables.get(actor, set()) and (name in candidate.missing) != (
        actor in candidate.missing) for name in tables)


def _is_place(kind: Kind) -> bool:
    """Whether places of the map stand in a column."""
    return any(issubclass(record, Node) for record in kind.tables())


def _is_likely(candidate: Candidate) -> bool:
    """Whether a reading with words too many, or too few, is worth a question."""
    layout, kinds = candidate.layout, candidate.verb.kinds
    rows = [name for name in layout.columns if not kinds[name].takes("number")]
    nameless = candidate.has_own_word and all(kind.takes("number") for kind in kinds.values())
    placed = sum(map(len, layout.columns.values())) + len(layout.verb_words)
    says_enough = bool(layout.verb_words) and (len(layout.columns) > 1 or not candidate.missing)
    return bool(rows or layout.stands or nameless) and (placed > len(layout.skipped) or says_enough) and (
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
    if it and "partner" in before:
        yield {"partner": before["partner"]}
