"""Divides a line, as people write it, into its orders, and leaves out what only says why, when or what for.

`sentences` lays each of them over the columns of a verb. Nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import get_args

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Faction
from assistant.turn.orders import phrases
from assistant.turn.orders.columns import Note, Sort
from assistant.turn.orders.lexicon import Lexicon, SplitSentence
from assistant.turn.orders.sentences import (
    DOERS,
    MOST_PROPOSED,
    Fields,
    IsLegal,
    LineReading,
    SentenceReader,
    VerbReader,
)
from assistant.turn.orders.verbs import OrderBook, is_known
from assistant.turn.orders.words import LISTS, PATTERNS, fold

MOST_WORDS = 40
"""Words of a sentence at most; a longer text is no order."""
MOST_PARTS = 8
"""Parts of a sentence that may be orders of their own, at most."""
_JOINED = r"(?i),?\s+(?:and(?:\s+then)?|e|ed|n|plus|e\s+poi)\s+"
"""What joins two parts so closely that neither is a remark."""

_NEXT = r"(?i)[.!;]\s+(?:then|poi|dopo)\b"
"""How the next order begins, behind a full stop."""
_APART = r"(?i);|\b(?:then|poi|dopo|after\s+that)\b"
"""What stands between two orders rather than between two parts of one."""


class _LineReader:
    """Reads a line as one order or several."""

    def __init__(self, lexicon: Lexicon, is_legal: IsLegal, now: frozenset[str], tells: bool,
                 season: frozenset[str] = frozenset()) -> None:
        self.lexicon, self.is_legal, self.now, self.tells, self.season = lexicon, is_legal, now, tells, season
        self._split: dict[str, SplitSentence] = {}
        self._ordered: dict[tuple[str, str], LineReading] = {}

    def read(self, text: str) -> LineReading:
        """The orders of a line, or what it may mean, and what of it no proposal says."""
        if not self.tells and (noted := re.search(PATTERNS.noted, text)) and (
                reading := self._noted(self.read(text[:noted.start()]), noted)):
            return reading
        reading = self._read_line(text)
        if self.tells or not reading.proposals:
            return reading
        reading = reading._replace(proposals=self._worth_asking(reading.proposals))
        named = dict.fromkeys((*reading.left_out, *self._left_out(text, reading)))
        left_out = tuple(words for words in named if not any(words != more and f" {words} " in f" {more} "
                                                              for more in named))
        refused = [token.text for words in left_out for token in phrases.split_words(words)
                   if token.folded in LISTS.refusing]
        if refused:  # it says the opposite of any of them
            return LineReading(unknown=refused[0])
        return reading._replace(left_out=left_out, further=self._goes_on_to(left_out, reading.proposals))

    def _noted(self, reading: LineReading, found: re.Match[str]) -> LineReading | None:
        """A reading with the note behind it, where its verb has one; of a condition it is only proposed."""
        proposed = reading.orders or reading.proposals
        book = self.lexicon.book
        kinds = [{**book.anywhere, **book[fields["verb"]].kinds}.get("note") for fields in proposed]
        if not kinds or not all(isinstance(kind, Note) and (kind.terms or found["note"]) for kind in kinds) or (
                found["terms"] and len(reading.orders) > 1):
            return None
        note = found["words"].strip(" )") if found["note"] else f'{found["terms"]} {found["words"]}'
        noted = (*proposed[:-1], {**proposed[-1], "note": note}) if reading.orders else tuple(
            {**fields, "note": note} for fields in proposed)
        return reading._replace(orders=noted) if reading.orders and found["note"] else reading._replace(
            orders=(), proposals=noted, verb=noted[0]["verb"])

    def _goes_on_to(self, left_out: Sequence[str], proposals: Sequence[Fields]) -> Fields | None:
        """The march to a place that the only proposal leaves out, of what it makes: ``a new convoy for Malmesbury``."""
        book = self.lexicon.book
        kinds = book[proposals[0]["verb"]].kinds if len(proposals) == 1 and book.bare else {}
        made = next((str(proposals[0].get(name, "")) for name, kind in kinds.items() if kind.is_new), "")
        if not made or len(left_out) != 1:
            return None
        words, march = self._words(re.sub(r"^(?:to|for|at|a|ad|per|verso)\s", "", left_out[0])), book[book.bare]
        for count, place in words.pieces(0, march.kinds["path"]) if words.tokens and "path" in march.kinds else ():
            if count == len(words.tokens):
                return {"verb": march.en, march.actor: made, "path": place}
        return None

    def _worth_asking(self, proposed: tuple[Fields, ...]) -> tuple[Fields, ...]:
        """Of several readings those that may be given; where none may, the only one that names nothing unknown, whose
        refusal says why.
        """
        proposed = tuple(map(self._with_its_doer, proposed))
        if len(proposed) < 2:
            return proposed
        known = [fields for fields in proposed if is_known(self.lexicon.book, self.lexicon.campaign,
                                                           self.lexicon.faction, fields)]
        return tuple(filter(self.is_legal, proposed)) or tuple(known if len(known) == 1 else ())

    def _with_its_doer(self, fields: Fields) -> Fields:
        """An order with the unit that it means, where it says none and only one may do it: the line that is proposed
        is typed back, and the first place of its way may look like somebody's code.
        """
        verb = self.lexicon.book[fields["verb"]]
        kind = verb.kinds.get(verb.actor)
        if kind is None or kind.blank or verb.actor in fields or len(fields) == 1:
            return fields
        doers = kind.choices(self.lexicon.campaign, self.lexicon.faction, fields)
        able = [order for doer in doers if self.is_legal(order := {**fields, verb.actor: doer})]
        return able[0] if len(able) == 1 else fields

    def _left_out(self, text: str, reading: LineReading) -> Iterator[str]:
        """The words of a line that no proposal says, and that are not named as left out already; with the preposition
        before them.
        """
        sentence = self._words(self._spelled_out(text))
        named = {token.folded for words in reading.left_out for token in phrases.split_words(words)}
        said = self._said_by(sentence, reading.proposals)
        said |= {at for at, token in enumerate(sentence.tokens) if token.folded in named}
        run: list[str] = []
        for at, token in enumerate([*sentence.typed, None]):
            if token is not None and at not in said:
                lead = sentence.typed[at - 1] if at and not run else None
                run += [lead.text] if lead is not None and lead.folded in LISTS.prepositions else []
                run.append(token.text)
            elif run:
                yield " ".join(run)
                run = []

    def _said_by(self, sentence: SplitSentence, orders: Iterable[Fields]) -> set[int]:
        """The places of the words that any of some orders says."""
        return {at for order in orders
                for at in VerbReader(sentence, self.lexicon.book[order["verb"]], 0).places_in(order)}

    def _still_left_out(self, sentence: SplitSentence, words: Iterable[str],
                        orders: Iterable[Fields]) -> tuple[str, ...]:
        """Of words that others left out those that these orders do not say either."""
        said = self._said_by(sentence, orders)
        unsaid = {token.text for at, token in enumerate(sentence.typed) if at not in said}
        return tuple(word for word in words if word in unsaid)

    def _read_line(self, text: str) -> LineReading:
        """The orders of a line, or what it may mean: of all of it, or else of the clause that orders something."""
        reading = self._read_whole(text)
        if self.tells or reading.orders or len(phrases.split_words(text)) > MOST_WORDS:
            return reading
        text = _without_questions(text)[0]
        for told in phrases.divisions(text):
            behind = self._read_whole(told.order)
            taken = all(map(self.is_legal, behind.orders)) or told.hence
            if behind.orders and taken and phrases.is_idle_tale(told) and not self._read_whole(
                    told.tale).orders and not self._tells_of_another_time(told.tale):
                return behind
        return reading if reading.proposals else self._read_clauses(text, reading)

    def _read_clauses(self, text: str, whole: LineReading) -> LineReading:
        """What the first clause may mean that means anything, where the whole text means nothing."""
        for clause in phrases.clauses(text):
            denied = any(token.folded in LISTS.negations for token in phrases.split_words(clause))
            reading = LineReading() if denied else self._read_whole(clause)
            if proposed := (*reading.orders, *reading.proposals)[:MOST_PROPOSED]:
                return reading._replace(orders=(), proposals=proposed, verb=proposed[0]["verb"], idle=False)
        return whole

    def _read_whole(self, text: str) -> LineReading:
        """The orders of a line, or what it may mean."""
        text, is_doubtful = _without_questions(text if self.tells else self._without_asking(text))
        if not text:
            return LineReading(idle=True)
        text = self._with_arrival(self._spelled_out(text).strip(" ,;"))
        text = re.sub(PATTERNS.if_done_to, r"\2\5\1\4 \3\6 ", re.sub(PATTERNS.first_of_two, "", text))
        spoken = re.sub(PATTERNS.in_quotes, "", text)
        if not self.tells and spoken == text and (ceased := self._ceased(text)):
            if not ceased["joined"]:
                return LineReading(unknown=ceased[1])
            text = spoken = text[:ceased.start()] + text[ceased.end():]  # and does something else instead
        if spoken == text and re.sub(PATTERNS.now, "", text).strip():
            text = re.sub(PATTERNS.now, "", text)
        if re.search(PATTERNS.instead_of, spoken):
            text, is_doubtful = re.split(PATTERNS.instead_of, text, maxsplit=1)[0], True
        if self.tells:
            return self._read(text)
        text = re.sub(PATTERNS.singled_out, " ", text)
        given_up = self._given_up(text)
        plain = text if re.search(PATTERNS.in_quotes, text) else re.sub(PATTERNS.relatives, "", text)
        text, other_times = self._without_times(plain)
        doubts = _doubts(text)
        if doubts and not _doubts(plain := self._without_asides(text)):
            text, doubts = plain, []
        reading = self._read(re.sub(PATTERNS.another_time, "", text))
        if doubts and not other_times and self._is_named_by(doubts, text, reading):
            doubts = []
        goes_on = re.search(PATTERNS.goes_on, spoken)
        if is_doubtful or doubts or other_times or goes_on or given_up:
            proposed = tuple(filter(self.is_legal, reading.orders)) or reading.proposals or reading.orders
            proposed = tuple(fields for fields in proposed if fields["verb"] not in given_up)
            if goes_on:
                verbs = {code for _, code in self.lexicon.book.phrases.at([phrases.Token("besiege")], 0)}
                proposed = tuple(fields for fields in proposed if fields["verb"] in verbs)
            return LineReading(proposals=proposed, idle=not (reading.orders or proposed),
                               left_out=tuple(dict.fromkeys((*doubts, *other_times, *reading.left_out))))
        return reading

    def _is_named_by(self, doubts: Sequence[str], text: str, reading: LineReading) -> bool:
        """Whether what seems to doubt is only the name of another time, by which the book calls what a text orders
        without it, too: ``the King's host gets its food from Malmesbury tomorrow``.
        """
        known = all(re.fullmatch(PATTERNS.another_time, doubt) and self.lexicon.is_phrase(doubt) for doubt in doubts)
        return known and bool(reading.orders) and self._read(text).orders == reading.orders

    def _tells_of_another_time(self, text: str) -> bool:
        plain, others = self._without_times(text)
        return bool(others) or re.search(PATTERNS.another_time, plain) is not None

    def _spelled_out(self, text: str) -> str:
        """A text without laughs, with what people say in short, and with new names in quotes."""
        text = re.sub(_in_short(), self._put_in_short, re.sub(PATTERNS.laughs, "", text))
        return re.sub(_new_name(), self._in_quotes, text)

    def _with_arrival(self, text: str) -> str:
        """A text whose first clause says where somebody will be, with that place behind what stands there: ``Arrived at
        Malmesbury, A-YPR provisions at the abbey``.
        """
        found = re.match(PATTERNS.arrived, text)
        there = [word for word in re.finditer(r"[^\W\d_]+", found["rest"]) if any(
            fold(word[0]) in kind.called for kind in self.lexicon.kinds)] if found else []
        return text if found is None or len(there) != 1 else (
            f"{found['rest'][:there[0].end()]} {found['place']}{found['rest'][there[0].end():]}")

    def _in_quotes(self, found: re.Match[str]) -> str:
        """A new name behind a word such as *called* in quotes; not a code, nor what something is called."""
        words = (found["name"] or "").rstrip(".!?…").split()
        while words and words[-1].islower() and fold(words[-1]) in LISTS.fillers - LISTS.units:
            words.pop()
        name, sentence = " ".join(words), self._words(" ".join(words))
        known = any(sentence.looks_like(word, "unit") for word in words) or (
            words and any(sentence.rows(0, self.lexicon.records)))
        return found[0] if known or name == name.lower() else found[0].replace(name, f'"{name}"', 1)

    def _put_in_short(self, long: re.Match[str]) -> str:
        """What says the same as a phrase in short; the phrase itself where the book has a meaning for it."""
        phrase = long[0].casefold().replace("’", "'")
        return long[0] if self.lexicon.is_phrase(phrase) else LISTS.in_short.get(phrase, long[0])

    def _ceased(self, text: str) -> re.Match[str] | None:
        """What a text says is done no more, where that is one of the book's options, which nobody orders so; what the
        book has a word for (``stop the siege``) is an order.
        """
        found = re.search(PATTERNS.ceasing, text)
        if found is None or self.lexicon.book.phrases.has(f"{found[1]} {found['ceased']}"):
            return None
        words = self._words(found["ceased"])
        return found if any(count == len(words.tokens) - at for kind in self.lexicon.kinds
                            if kind.words or not any(kind.takes(sort) for sort in get_args(Sort))
                            for at in range(len(words.tokens)) for count, _ in words.pieces(at, kind)) else None

    def _given_up(self, text: str) -> frozenset[str]:
        """The verbs of which a text says that it is done no more, but for those whose phrase says so itself."""
        verbs, sentence = set[str](), self._words(text)
        for found in re.finditer(PATTERNS.giving_up, text):
            first, behind = (len(phrases.split_words(text[:end])) for end in found.span())
            small = LISTS.name_fillers | LISTS.possessives
            at = next((at for at in range(behind, len(sentence.tokens)) if sentence.tokens[at].folded not in small), -1)
            if at > 0 and not any(first + count > at for count, _ in sentence.verb_words[first]):
                verbs |= {code for _, code in sentence.verb_words[at]} - {  # who quits an alliance breaks it
                    code for count, code in sentence.verb_words[first] if first + count == behind}
        return frozenset(verbs)

    def _without_asking(self, text: str) -> str:
        """A text without how it asks an own man politely: ``Could Ulnai hold the rite?``, ``Ulnai, could you ...?``."""
        plain = re.sub(PATTERNS.asked, "", re.sub(PATTERNS.called_upon, r"could \1 ", text))
        if plain == text:
            return text
        words, lexicon = self._words(plain), self.lexicon
        # whether V-2 *could* go somewhere is a question; who calls somebody by name asks him
        own = any(lexicon.faction in lexicon.campaign.by_sheet(record.sheet)[code].owners and not (
            plain.endswith("?") and fold(code) == words.tokens[0].folded) for record in lexicon.records
            if record is not Faction for _, code in (words.rows(0, (record,)) if words.tokens else ()))
        return plain.rstrip(" ?") if own else text

    def _without_times(self, text: str) -> tuple[str, tuple[str, ...]]:
        """A text without the names of months and seasons, and those that are not now."""
        text = self._without_half(self._without_topic(text))
        others, plain = [], text
        known = bool(self.season & frozenset(phrases.SEASONS))
        for match in reversed(list(re.finditer(PATTERNS.names_of_times, re.sub(
                PATTERNS.in_quotes, lambda quoted: " " * len(quoted[0]), text)))):
            word = fold(match[1] or match[2])
            if self._is_name(word):
                continue
            before = re.search(PATTERNS.leads_to_time, text[:match.start()])
            meant = before is not None and before[0].casefold().startswith(("this", "quest"))
            if word not in self.season and not (meant and not (known and word in phrases.SEASONS)):
                others.append(match[0])
            start = before.start() if before is not None else match.start()
            plain = plain[:start] + re.sub(r"^\s*:", "", plain[match.end():])
        return plain, tuple(others)

    def _without_half(self, text: str) -> str:
        """A text without what says that the present half of the present month is meant: ``in early April``."""
        for half in sorted(self.season & phrases.HALVES.keys()):
            for pattern in phrases.HALVES[half]:
                text = re.sub(pattern, lambda found: "" if not found[1] else f"in {found[1]}" if fold(
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
        tokens = phrases.split_words(text)
        if not tokens or len(tokens) > MOST_WORDS:
            return LineReading(idle=True)
        sentence = self._sentence(text, {})
        whole = self._order(text, {})
        divided = re.search(PATTERNS.breaks, text) is not None and (bool(re.search(_APART, text)) or not sentence.named)
        if whole.orders and self.tells:
            return whole
        if whole.orders and not divided and not re.search(PATTERNS.breaks, text):
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
        if not parts.proposals or (not self.tells and proposed.proposals and len(proposed.left_out) == 1):
            return proposed  # of all words but one; who tells of a battle says several things
        return proposed._replace(proposals=parts.proposals, idle=False, left_out=self._still_left_out(
            sentence.sentence, proposed.left_out, parts.proposals))

    def _of_each(self, sentence: SplitSentence) -> tuple[Fields, ...]:
        """The orders of a sentence that begins with several who do the same: ``V-1 and V-2 go to Padova``."""
        tokens = sentence.typed
        kinds = [kind for kind in self.lexicon.kinds if kind.acts and not kind.takes("place")]
        actors: list[list[phrases.Token]] = []
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
        read = [self._order(_as_text([*actor, *rest]), {}).orders for actor in actors]
        orders = tuple(order for orders in read for order in orders)
        same = len({order["verb"] for order in orders}) == 1 and len({repr(sorted(order.items())) for order in orders})
        return orders if same == len(actors) and all(len(one) == 1 for one in read) and all(
            map(self.is_legal, orders)) else ()

    def _words(self, text: str) -> SplitSentence:
        """The words of a part of the line, which is looked at as an order, as an aside and as a remark."""
        if text not in self._split:
            self._split[text] = SplitSentence(phrases.split_words(text), self.lexicon)
        return self._split[text]

    def _order(self, text: str, before: Fields) -> LineReading:
        """How a part reads behind an order; parts of a line are tried again and again."""
        key = text, repr(sorted(before.items()))
        if key not in self._ordered:
            self._ordered[key] = self._sentence(text, before).order()
        return self._ordered[key]

    def _sentence(self, text: str, before: Fields) -> SentenceReader:
        return SentenceReader(self._words(text), self.is_legal, before, self.now, tells=self.tells)

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
        parts = re.split(PATTERNS.aside, text)
        if len(parts) > 2 * MOST_PARTS:
            return text
        last = [{token.folded for token in phrases.split_words(part)[-1:]} for part in parts]
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
        clause = re.match(rf"(?i)(?:{PATTERNS.asides}|{PATTERNS.reasons})(?:\s|$)", text)
        explains = bool(re.match(rf"(?i)(?:{PATTERNS.reasons}|ché|for|as|lest|così|affinch[eé])(?:\s|$)", text))
        allows = bool(re.match(r"(?i)(?:they|we|possono|possiamo)\b", text))
        sentence, kinds = self._words(text), self.lexicon.kinds
        doubts = (PATTERNS.another_time, PATTERNS.conditions, PATTERNS.instead_of)
        if not sentence.typed or (clause is None and (not _tells_of_doing(sentence.typed[0].folded) or any(
                re.search(doubt, text) for doubt in doubts))):
            return False
        purpose = clause is not None and not explains and re.match(rf"(?i){PATTERNS.purposes}\b", text) is not None
        told = [self.lexicon.book[code] for words in sentence.verb_words for _, code in words] if purpose else []
        if any(set(verb.needed_columns()) <= {*DOERS, verb.actor} for verb in told) or (
                purpose and self._sentence(text, {}).refers):
            return False
        named = [kind for verb in told for kind in verb.kinds.values()]
        for at, token in enumerate(sentence.typed):
            folded = token.folded
            if folded in LISTS.doubts - (LISTS.negations | LISTS.wishes if clause else set()) and (at or not clause):
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
                    allows and kind.words) or (purpose and (kind.takes("place") or kind in named))):
                return False
        return True

    def _is_remark(self, text: str, opens: bool) -> bool:
        """Whether a part of a line is a reason or chat: it names nothing of the campaign, and no order. `opens`: it
        begins a sentence, with a capital letter that says nothing.
        """
        if reason := re.match(rf"(?i)(?:{PATTERNS.reasons})(?:\s|$)", text):
            behind = phrases.split_words(text[reason.end():])
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
        return not any(
            token.folded in LISTS.doubts or token.quoted or any(sign.isdigit() for sign in token.text)
            or (sentence.verb_words[at] and token.folded not in LISTS.being) or any(
                sentence.tokens[at].folded not in LISTS.fillers and sentence.pieces(at, kind)
                for kind in self.lexicon.kinds) for at, token in enumerate(sentence.typed))

    def _part(self, text: str, before: Fields) -> LineReading:
        """A part of a line behind an order; one that says "it" is sure only if it names anything of that order."""
        reading = self._order(text, before)
        named = {str(value) for name, value in before.items() if name != "verb"}
        named |= {word for value in named for word in value.split()}
        here = {word for order in reading.orders[:1] for name, value in order.items() if name != "verb"
                for word in (str(value), *str(value).split())}
        return reading if not before or named & here or not self._sentence(text, before).refers else LineReading(
            proposals=reading.orders)

    def _filled_up(self, before: Fields, after: Fields) -> Fields:
        """An order that may not be given with what the one behind it names, where it then may: who is hired ``should be
        at Pisa``, which gives nobody else an order. Else {}.
        """
        filled = [{**before, name: value} for name, kind in self.lexicon.book[before["verb"]].kinds.items()
                  if name not in before for value in after.values() if value != after["verb"] and kind.recognises(
                      value, self.lexicon.campaign, self.lexicon.faction)]
        able = [order for order in filled if self.is_legal(order)] if (
            after["verb"] != before["verb"] and filled and not self.is_legal(before)) else []
        return able[0] if len(able) == 1 else {}

    def _stays_there(self, part: str, before: Fields) -> bool:
        """Whether a part says that whoever carries out the order before it then stays there, and no option of it."""
        kinds = [kind for kind in self.lexicon.book[before["verb"]].kinds.values() if kind.words]
        words = self._words(part)
        named = self.lexicon.book.phrases
        stays = {code for phrase in phrases.STAY for _, code in named.at(phrases.split_words(phrase), 0)}
        does_more = any(code not in stays for found in words.verb_words for _, code in found)
        return re.fullmatch(PATTERNS.stays_there, part.strip(" .!")) is not None and not does_more and not any(
            words.pieces(at, kind) for kind in kinds for at in range(len(words.tokens)))

    def _adds_place(self, part: str, number: int) -> bool:
        """Whether a part behind another one names nothing but a place, by what it is: ``and the town``."""
        words = {token.folded for token in phrases.split_words(part)}
        return number > 0 and any(words & kind.called.keys() for kind in self.lexicon.kinds)

    def _parts(self, text: str) -> LineReading:
        """The orders of the parts, if each part is one, or says nothing; else those of them as proposals."""
        ends = [match.span() for match in re.finditer(PATTERNS.breaks, text)]
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
                if last > at and re.search(_NEXT, part):
                    continue  # what comes next is another order
                before = orders[-1] if orders else {}
                idle = _says_nothing(part) and not self._adds_place(part, at)
                reading = LineReading() if idle else self._part(part, before)
                apart = at == 0 or not re.fullmatch(_JOINED, text[stops[at - 1]:starts[at]])
                if reading.orders and orders and (way := self._went_on(orders[-1], reading.orders[0])):
                    orders[-1] = way
                    break
                if reading.orders and orders and (filled := self._filled_up(orders[-1], reading.orders[0])):
                    orders[-1], complete = filled, False
                    break
                opens = at == 0 or bool(re.search(r"[.!?…\n]", text[stops[at - 1]:starts[at]]))
                if reading.orders and orders and _adds_to(orders[-1], reading.orders[0]):
                    orders[-1:] = reading.orders
                    break
                stays = bool(orders) and not apart and self._stays_there(part, orders[-1])
                if reading.orders or (last == at and (stays or idle or (
                        apart and self._is_remark(part, opens)))):
                    orders += reading.orders
                    break
            else:
                complete, last = False, at
                unclear += self._order(text[starts[at]:stops[at]], orders[-1] if orders else {}).proposals
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
    spoken = re.sub(PATTERNS.now, "", re.sub(PATTERNS.in_quotes, "", text))
    told = [re.search(PATTERNS.past, re.sub(PATTERNS.causes, "", spoken)),
            *(re.search(pattern, spoken) for pattern in (PATTERNS.another_time, PATTERNS.conditions))]
    return [match[0].strip(" ,;") for match in told if match]


def _without_questions(text: str) -> tuple[str, bool]:
    """A line without what it only asks, and whether it asks; how a question begins that is a request is left out."""
    said, asks = [], False
    for part in re.split(r"(?<=\?)\s+", re.sub(r"\s*\(?\?[?!.…)]*(?=\s|$)", "?", text.strip())):
        request = re.match(PATTERNS.polite, part) if part.endswith("?") else None
        if request is not None:
            said.append(part[request.end():].rstrip("?"))
        elif not part.endswith("?"):
            said.append(part)
        elif not _says_nothing(part):
            asks = True
            said += [part.rstrip("?")] * bool(re.match(PATTERNS.could, part))
    return ". ".join(said) if any(map(phrases.split_words, said)) else "", asks


@cache
def _in_short() -> str:
    """What may be said in short, and what stands in quotes, where it may not."""
    short = "|".join(map(re.escape, sorted(LISTS.in_short, key=lambda phrase: (-len(phrase), phrase))))
    return rf"(?i){PATTERNS.in_quotes}|\b(?:{short})\b".replace("'", "['’]")


@cache
def _new_name() -> str:
    """A word such as *called*, and what is called so: all up to a comma, a preposition or a number."""
    called, ends = ("|".join(sorted(words)) for words in (LISTS.called, {
        *LISTS.prepositions, *LISTS.joining, *LISTS.following} - {">", "w/"}))
    end = rf"(?-i:{ends})\b|v\.?c\b|\d|[-–—]"
    return (rf"(?i){PATTERNS.in_quotes}|\b(?P<called>{called})\s(?P<name>(?!{end})[^\s,;:!?()\"“«]+"
            rf"(?:\s(?!{end})[^\s,;:!?()\"“«]+)*)")


def _as_text(tokens: Iterable[phrases.Token]) -> str:
    return " ".join(f'"{token.text}"' if token.quoted else token.text for token in tokens)


def _says_nothing(text: str) -> bool:
    tokens = phrases.split_words(text)
    return re.fullmatch(PATTERNS.rest_stays, text.strip(" .!")) is not None or (not _holds_articles(text) and all(
        token.folded in LISTS.fillers or token.folded in LISTS.prepositions for token in tokens) and not (
            tokens and tokens[-1].folded in LISTS.prepositions))


def _holds_articles(text: str) -> bool:
    """Whether a part is nothing but articles, which no clause is: a code is written like one ("then Di")."""
    tokens = phrases.split_words(text)
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
