"""Words, phrases and clauses of sentences: split, and found again in any form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from assistant.turn.orders.words import APART, LISTS, SHARED, fold, imperative_forms

LANGUAGES = ("it", "en")
"""The languages in which people write orders."""

# How people say what is said in many words. Lists of words are in `words.toml` beside this module (`words.LISTS`).


POLITE = (r"(?i)(?:(?:please|sorry|hi|hello|hey|ciao|salve|buongiorno|buonasera|and|e)\b[\s,!]*"
          r"(?:(?:all|everyone|referee|arbitro|a\s+tutti)\b[\s,!]*)?)*(?:(?:could|can|may|might)\s+(?:we|i)\s+(?:please\s+)?(?:have|get)\b|"
          r"(?:could|can|would|will)\s+(?:you\b|(?=[^?]*\b(?:please|kindly)\b))|(?:possiamo|potremmo|posso|potrei)\s+avere\b|"
          r"(?:potete|potreste|puoi|potresti|può|potrebbe)\b|(?=(?:(?:mi|ci)\s+)?\w+[ei]rest[ei]\b))")
"""How a question begins that is a request."""
_TIMES = (r"week|turn|time|month|year|game|season|spring|summer|autumn|winter|phase|day|settimana|volta|turno|mese|anno"
          r"|partita|stagione|primavera|estate|autunno|inverno|fase|giorno")
NOW = (rf"(?i)\b(?:this|quest[oa]|quest['’])\s*(?:{_TIMES}|morning|afternoon|evening|night|mattina|sera|notte)\b"
       r"(?:['’]s\b)?")
"""What says that this turn is meant."""
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
HAVING = (r"(?:(?:i|we)\s+(?:have|got|ve\s+got)\s+(?!to\b|got\b|need\b|no\s+choice|decided)"
          r"|(?:(?:io|noi)\s+)?(?:ho|abbiamo)\s+(?!da\b|bisogno|intenzione|voglia|deciso|scelto))")
"""How somebody says what he has."""
SINGLED_OUT = (r"(?i)\s+(?:is|are)\s+(?:(?:the\s+)?ones?|who|whom|what)\s+(?:(?:that|who|whom)\s+)?(?=(?:we|i)\s)"
               r"|\s+(?:è|sono)\s+(?:quell[oaie]|colui|colei|chi)\s+(?:che\s+)?"
               r"(?=(?:(?:noi|io)\s+)?\w+(?:iamo|emmo|rei|glio)\b)")
"""What stands between a name and what we do, where just this one is meant: ``Derigion is the one we would fight``."""
FIRST_OF_TWO = r"(?i)\bprima\s+(?!di\b|che\b|del)(?=[^;.]*\be\s+(?:poi|dopo|quindi)\b)"
"""A word before the first of two things, with one for the other behind it."""
LAUGHS = r"(?i)\b(?:m?[ua]*(?:(?:h+[aei]+){2,}h*|(?:[aei]h+){2,}[aei]?)|lo+l+|xd+|rofl|lmf?ao+)(?!\w)"
"""How people laugh."""
_STAY_FORMS = (r"(?:(?:(?:rest|ferm|aspett)(?:[oai]|iamo|ate|ano|ino|are?|ando|er(?:ò|à|emo|ete|anno))"
               r"|riman(?:[ei]|iamo|ete|ere?|endo|g(?:[oa]|ono|ano))|rimarr(?:ò|à|emo|ete|anno)"
               r"|attend(?:[oeia]|iamo|ete|ono|ano|ere?|endo|er(?:ò|à|emo|ete|anno)))(?:[mtscv]i)?)")
STAYS_THERE = (r"(?i)(?:it\s+|they\s+|he\s+|she\s+)?(?:then\s+)?(?:stays?|remains?|waits?|rests?|stops?|halts?)"
               r"(?:\s+(?:right\s+)?(?:t?here|put))?|(?:poi\s+)?(?:ci\s+|vi\s+|si\s+)?"
               rf"{_STAY_FORMS}(?:\s+(?:lì|là|qui|qua|sul\s+posto))?")
"""What says, behind an order, that whoever carries it out then stays where he is."""
REST_STAYS = (r"(?i)(?:and\s+)?(?:the\s+)?(?:rest|others|remainder)\s+(?:remains?|stays?|holds?)"
              r"(?:\s+(?:where\s+(?:it\s+is|they\s+are)|(?:t?here|put|behind|still)))?"
              r"|(?:e\s+)?(?:il\s+resto|gli\s+altri|le\s+altre)\s+(?:rest|riman)\w+"
              r"(?:\s+(?:dov['’]è|dove\s+(?:è|sono|si\s+trova(?:no)?)|com['’]è|ferm[oie]|lì|là|qui))?")
"""What says that nothing is ordered to others."""
NAMES_OF_TIMES = (r"(?i)\b(spring|summer|autumn|winter|primavera|estate|autunno|inverno|january|february|april"
                  r"|june|july"
                  r"|august|september|october|november|december|gennaio|febbraio|marzo|aprile|maggio|giugno|luglio"
                  r"|agosto"
                  r"|settembre|ottobre|novembre|dicembre)\b|\b(?:in|by|during|for|from|until|till"
                  r"|since)\s+((?-i:May|March))\b")
"""Names of months and seasons."""
LEADS_TO_TIME = r"(?i)\b(?:in|for|during|this|per|di|a|quest[oa]|quest['’]|dell[ao])\s*$"
"""The word before them."""
ANOTHER_TIME = (rf"(?i)\b(?:last|previous|next|scors[oa]|precedente|prossim[oa])\s+(?:{_TIMES})\b(?!\s+\d)"
                rf"|\b(?:{_TIMES})\s+(?:scors[oa]|prossim[oa])\b"
                r"|\b(?:first|second|third|prima|seconda|terza)\s+(?:phase|fase)\b"
                r"|\b(?:an?|per|each|every)\s+(?:week|turn|round|month|year|season)\b"
                r"|\b(?:al|ogni|per)\s+(?:mese|anno|turno|giro|settimana|stagione)\b|\ball['’]\s*anno\b"
                r"|\b(?:in|fra|tra)\s+\w+\s+(?:turns|rounds|weeks|months|years|seasons|days|turni|settimane|mesi|anni"
                r"|stagioni|giorni)\b|(?<!\bdi\s)\b(?:tomorrow(?!['’]s)|domani|dopodomani|domattina)\b")
"""What says that something else than this turn is meant."""
GOES_ON = (r"(?i)\b(?:continu\w*|prosegu\w*|mant[ei]\w*|tien\w*|keeps?|carr(?:y|ies)|goes|go|going|maintains?)\s+"
           r"(?:\w+\s+){0,3}?(?:l['’])?(?:siege|besieging|assedi\w+)"
           r"|\b(?:siege|assedio)\b[^,;.]*\b(?:va\s+avanti|prosegue|continua|goes\s+on|continues)\b")
"""How somebody says that a siege goes on: no new order where one stands, and elsewhere nobody knows what is meant."""
IF_DONE_TO = (r"(?i)\b(?:(if)\s+(?!(?:it|they|any\w*|some\w*|you|we)\b)((?:[^\s,]+\s+){1,5}?)(?:is|are)\s+(attacked),?"
              r"\s+(?:it|they)\s+|(se)\s+((?:[^\s,]+\s+){1,5}?)(?:viene|vengono|è|sono)\s+(attaccat[oaie]),?\s+)")
"""A condition of an order that has its place in it, with the unit inside: ``if the Blockade is attacked it fights``."""
INSTEAD_OF = r"(?i)(?:^|[\s,]+)(?:instead\s+of|rather\s+than|(?:invece|piuttosto)\s+(?:che|di)|anziché)\s"
"""What stands before that which is not to be done."""
NOTED = (r"(?is)(?<=\w)[\s,;.(]+(?:(?P<note>note|nota)\s*:|(?P<terms>a\s+(?:patto|condizione)\s+che|purché"
         r"|on\s+(?:the\s+)?condition\s+that|provided(?:\s+that)?|providing(?:\s+that)?)\b)\s*(?P<words>\S.*)$")
"""What stands behind an order for its note, or as a condition of it that may be one."""
CONDITIONS = (r"(?i)\b(?:una\s+volta\s+che|(?:sempre|ammesso|posto)\s+che|a\s+(?:patto|condizione)\s+che"
              r"|nell['’]\s*eventualità|in\s+(?:the\s+)?event"
              r"|once\s+(?:they|he|she|it|we|you|the|this|that|there))\b"
              r"|[,;]\s*should\s+(?:they|he|she|it|we|you|the)\b|\bcould\b(?!\s+(?:you|we|i)\b)"
              r"|(?<=\S\s)potrebber?o?\b")
"""Words of a condition or a doubt that no rulebook knows."""
PAST = (r"(?i)(?<!\bwhat\s)\b(?:have|has|had)\s+(?:(?:already|just|now|been)\s+)*(?!\w*eed\b)(?:\w{2,}ed|gone"
        r"|come|taken|sent|built|bought|paid|given|led|left|made|laid|broken|held)\b"
        r"|\b(?:we|i|they|he|she)\s+(?:(?:already|just)\s+)?(?!\w*eed\b)\w{2,}ed\b"
        r"|\b(?:ho|hai|ha|abbiamo|avete|hanno)\s+(?:già\s+|appena\s+)?(?:\w+[aiu]t[oaie]"
        r"|messo|messa|mosso|mossa|preso|presa)\b"
        r"|\b(?:è|sono|siamo)\s+(?:già\s+|appena\s+)?(?:andat|partit|arrivat|entrat|uscit|tornat|marciat)[oaie]\b"
        r"|\b(?:is|are)\s+over\b|(?-i:\b(?!(?:può|ciò|perciò|dò|ridò|sò|stò|vò)\b)[a-z]\w*[^r\W]ò\b)")
"""How people tell what has happened, or is over."""
CEASING = (r"(?i)\b(gives?\s+up|giving\s+up|stops?|ceases?|quits?|leaves?\s+off"
           r"|(?:smett|cess)\w+(?:\s+di)?|la\s+smett\w+\s+di)\s+"
           r"(?P<ceased>[\w’']+(?:\s+[\w’']+){0,3}?)(?:(?P<joined>\s*,?\s+(?:and(?:\s+then)?|e(?:\s+poi)?|ed)\s+)"
           r"|(?=\s*[,.;:!?]|\s*$))")
"""How somebody says what is done no more, and what joins to it what is done instead."""
GIVING_UP = (r"(?i)\b(?:gives?\s+up|giving\s+up|stops?|ceases?|quits?|leaves?\s+off|leaving\s+off"
             r"|(?:smett|cess)\w+|rinunci\w+)(?:\s+(?:on|with|d[ie]l?|a(?:l|gli|i|lla|lle|ll)?))?(?=[\s'’])['’]?")
"""Words before that which is done no more."""
CAUSES = r"(?i)\b(?:because|since|perch[eéè]|poich[eé]|siccome|(?:dato|visto)\s+che|come|as)\b[^,;.:]*"
"""A clause that says why, which may tell what has happened."""
COULD = r"(?i)(?:could|would|will)\s"
"""How a question begins that may be a request."""
ASKED = r"(?i)^\W*(?:please,?\s+)?could\s+(?=[^;]*\b(?:please|kindly|thanks?)\b)"
"""How a sentence begins that asks somebody politely, without being a question."""

REASONS = (
    r"because|cause|cos|coz|since|seeing|in\s+order\s+that|so\s+as|in\s+modo|enough|hopefully|hope"
    r"|as\s+(?:we|usual|always|planned|i|it|they|he|she|there(?:['’]s)?)|so\s+(?:that|we|they|i)|i\s+(?:think|guess|hope)"
    r"|theyre|they(?:['’](?:ve|re)|\s+(?:have|are|were|keep|will|can|could|did|do|\w{3,}ed))|we\s+(?:are|can|cant|cannot|can't)"
    r"|perch[eéè]|c['’]?è|per\s+cui|poich[eé]|x[ck]h?[eé]|perke|giacch[eé]|siccome|(?:dato|visto)\s+che|tanto|mica"
    r"|cos[iì]"
    r"|speriamo|spero|ho\s+paura|come\s+(?:al|sempre|previsto|d)"
    r"|che\s+(?:\w+\s+)?(?:siamo|sono|ho|abbiamo|mi|ci|hanno|fa|non|è)")
"""How a clause begins that says why, or what somebody thinks of it."""
RELATIVES = (r"(?i)\b(?:that|which|who)\s+(?:is|are|was|were)\s+(?:now\s+)?(?:\w+(?:ed|ing)\b(?:\s+(?:t?here|now)\b)?"
             r"|(?=at\b|in\b|outside\b|inside\b))|\b(?:that|which|who)\s+(?:stands?|waits?|camps?|sits?)\s+"
             r"(?=at\b|in\b|outside\b|inside\b)|\bche\s+(?:è|sono|sta|stanno|si\s+trova(?:no)?)"
             r"(?:\s+\w+(?:[aiu]t[oaie]|[ae]ndo)\b)?(?=\s)")
"""What stands between somebody and where he is: ``the bowman who is standing outside Altaguardia``."""
PURPOSES = (r"(?:per\s+(?:non\s+)?\w+r(?:e|[glmstvcn]\w{1,2})\b"
            r"|to\s+(?:not\s+)?(?!(?:its?|his|hers?|their|our|my|your|the|an?|th[aio]\w+|him|them|us|me|you)\b)[a-z]\w+)")
"""How a clause begins that says what for."""
ASIDES = (rf"{PURPOSES}|dopo\s+aver\w*|after\s+(?:having|much|long|careful|some)|"
          r"\w{2,}(?:ing|[ae]ndo)(?!\s+(?:of|di)\b)|who|whose|whom|which|where|lest|ché|così|affinch[eé]|giusto|dove"
          r"|il\s+quale|la\s+quale"
          r"|for\s+(?:the\s+)?(?:\w+\s+){1,5}?(?:is|are|has|have|will|needs?|was|were)"
          r"|as\s+the\s+(?:\w+\s+){1,5}?(?:is|are|has|have|will|needs?)|che"
          r"|and\s+(?:mind|may|much|about|let)|e\s+(?:che|di\s+buon)|per\s+(?:non\s+)?\w+r(?:e|[glmstvcn]\w{1,2})")
"""How a clause begins that says more of what was named, or what for, beside reasons."""

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
_SPOKEN = re.compile(
    r"(?i)\b(?:sa(?:y|ys|id|ying)|wr(?:ote|ites?|iting)|told|tells?|asks?|asked|thinks?|believes?|plan\w*|ideas?|drafts?"
    r"|example|options?|dream\w*|rumou?rs?|letters?|messages?|quotes?|instead|propos\w+|suggest\w+|wonder\w*|wish\w*"
    r"|threat\w*|fears?|hopes?|dic\w+|dett[oi]|scri\w+|chied\w+|pens\w+|cred\w+|pian[oi]|idea|idee|bozz\w+|esempio"
    r"|ipotesi|opzion\w+|sogn\w+|voc[ei]|letter\w+|messaggi\w*|minacci\w+|tem\w+|sper\w+|vorrebb\w+|racconta\w*"
    r"|ignor\w+|cancel\w+|forget|annull\w+|scherz\w+|test\w*|prova|prove)\b")
"""Words of somebody's speech, a plan or a thing that is not meant."""


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
    return told.hence or (len(words) >= SHORTEST_TALE and not _SPOKEN.search(told.tale))


def clauses(text: str) -> list[str]:
    """The ends of a text, the longest first, and its clauses: whatever may be an order by itself."""
    cuts = [match.span() for match in _BETWEEN_CLAUSES.finditer(text)]
    if not cuts or len(cuts) > MOST_CLAUSES:
        return []
    starts, stops = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(text)]
    ends = [text[start:] for start in starts[1:]]
    single = [text[start:stop] for start, stop in zip(starts, stops, strict=True)]
    return list(dict.fromkeys(part.strip() for part in (*ends, *single) if len(split_words(part)) > 1))[:MOST_CLAUSES]
