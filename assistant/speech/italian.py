"""Italian names: what somebody has typed in; their article, gender and number out, and the form that is asked for.

``la Turchia``, ``del Papato``, ``ad Alessandria``, ``nell'Alto Adriatico``. What nobody said is guessed: by the nouns
that names of states, parties and waters are made of, and by endings for the rest.
"""

from __future__ import annotations

import re
from collections.abc import Container

from assistant.speech.name import Language, Name, words_of

FORMS = ("il", "un", "di", "a", "da", "in", "con", "su", "dove")
"""What a brace may ask for: an article, a preposition with it, where one is or goes (``a Zara, nel Mar Ligure``)."""
_JOINED = {"di": "de", "a": "a", "da": "da", "in": "ne", "su": "su"}
_ENDINGS = {"il": "l", "lo": "llo", "la": "lla", "l'": "ll'", "i": "i", "gli": "gli", "le": "lle"}
_ONE = {("il", False): "un", ("lo", False): "uno", ("l'", False): "un", ("la", True): "una", ("l'", True): "un'",
        ("i", False): "dei", ("gli", False): "degli", ("le", True): "delle"}
ARTICLES = {"il": (False, False), "lo": (False, False), "la": (True, False), "i": (False, True), "gli": (False, True),
            "le": (True, True)}
"""Article -> whether it is feminine and plural; ``l'`` does not tell the gender."""
_TYPED = re.compile(r"(?:(il|lo|la|i|gli|le) +|(l)['’] *)(?=\S)", re.IGNORECASE)
_HARD = re.compile(r"(?i)s[bcdfghjklmnpqrstvwxz]|z|gn|p[sn]|x|y[aeiou]|i[aeou]")
_VOWEL = re.compile(r"(?i)[aeiouàèéìòùh]")
_OF = re.compile(r"(?i)(di|de|da|del|dello|della|dei|degli|delle|d['’].*|dell['’].*)")

_MALE = words_of(
    "impero regno ducato granducato principato papato patriarcato marchesato partito stato sultanato califfato "
    "emirato khanato comune ordine casato esercito consiglio popolo clan circolo arcivescovado vescovado "
    "elettorato protettorato banco gruppo")
_FEMALE = words_of(
    "repubblica lega contea signoria casa corona confederazione alleanza unione compagnia chiesa serenissima "
    "federazione fazione parte tribù città monarchia marca orda schiera legione armata")
_MEN = words_of(
    "stati regni ducati cantoni luoghi conti duchi signori ribelli neutrali cavalieri principati")
_WOMEN = words_of(
    "fiandre indie asturie marche baleari azzorre molucche antille province provincie leghe contee città libere "
    "compagnie orde schiere legioni rocche")
_NOUNS = ((_MALE, (False, False)), (_FEMALE, (True, False)), (_MEN, (False, True)), (_WOMEN, (True, True)))
"""Nouns that names are made of, and whether they are feminine and plural."""
_BARE = words_of(
    "venezia milano firenze genova roma napoli siena pisa lucca ferrara mantova bologna modena parma perugia "
    "urbino ravenna padova verona torino ragusa zara cipro malta creta corfù rodi candia cuba maiorca minorca "
    "israele monaco andorra londra parigi vienna costantinopoli bisanzio atene sparta cartagine siracusa tebe "
    "corinto amalfi gaeta")
"""Cities and islands, which take no article when they stand for a state."""
_GIVEN = words_of(
    "stefano matilde enrico carlo federico roberto guglielmo goffredo riccardo giovanni filippo luigi francesco "
    "cesare ludovico lodovico alfonso ferdinando massimiliano giacomo pietro paolo marco alessandro lorenzo "
    "cosimo ottone corrado ruggero tancredi edoardo eustachio ranulfo")
_ADJECTIVES = words_of(
    "sacro sacra santo santa gran grande nuovo nuova alto alta basso bassa medio media libero libera vecchio "
    "vecchia antico antica primo prima piccolo piccola")
_WATERS_M = words_of(
    "golfo mar mare canale stretto lago oceano fiume adriatico tirreno ionio mediterraneo egeo atlantico baltico "
    "bosco")
_WATERS_F = words_of(
    "baia laguna foresta palude pianura")
_SITES_M = words_of(
    "castello monastero passo ponte guado colle forte convento priorato")
_FOREIGN_SITES = words_of("castle priory monastery minster keep fort")
_SITES_F = words_of(
    "abbazia rocca torre fortezza")


def named(text: str, article: str = "", gender: str = "", plural: str = "", mark: str = "",
          towns: Container[str] = (), *, place: bool = False) -> Name:
    """A name with what its row says of it (columns `article`, `gender`, `plural`), the rest guessed.

    `towns`: the names of places, folded: a faction that is called as one is a city.
    """
    typed = _TYPED.match(text)
    core = text[typed.end():] if typed else text
    said = (typed[1] or "l'").lower() if typed else article
    found = _place(core) if place else _faction(core, towns)
    if said:
        found = _with_article(found, "" if said == "none" else said)
    if gender:
        found = found._replace(feminine=gender == "feminine")
    if plural:
        found = found._replace(plural=plural == "yes")
    if (gender or plural) and found.article and not said:
        found = found._replace(article=article_of(core, feminine=found.feminine, plural=found.plural))
    if typed:
        found = found._replace(typed=typed[0], inside=False, parts=())
    return found._replace(mark=mark)


def _with_article(found: Name, article: str) -> Name:
    feminine, plural = ARTICLES.get(article, (found.feminine, found.plural and not article))
    return found._replace(article=article, feminine=feminine, plural=plural, parts=())


def word(text: str) -> Name:
    """A common noun of the catalogue, which always takes its article."""
    feminine, plural = _by_ending(text.split(maxsplit=1)[0] if text else "")
    return Name(text, article_of(text, feminine=feminine, plural=plural), feminine, plural)


def article_of(text: str, *, feminine: bool, plural: bool) -> str:
    """The article of a name by its first letters."""
    vowel = bool(_VOWEL.match(text)) and not (_HARD.match(text) and text[:1].lower() == "i")
    if feminine:
        return "le" if plural else "l'" if vowel else "la"
    hard = bool(_HARD.match(text))
    if plural:
        return "gli" if vowel or hard else "i"
    return "l'" if vowel else "lo" if hard else "il"


# --- guessing ---------------------------------------------------------------------------------
def _faction(text: str, towns: Container[str]) -> Name:
    first, joined, rest = text.partition(" e ")
    if joined and rest:
        parts = (named(first, towns=towns), named(rest, towns=towns))
        return Name(text, parts[0].article, all(p.feminine for p in parts), True, parts=parts)
    plain = re.sub(r" *\(.*", "", text).casefold()
    if not plain or plain in towns or plain in _BARE:
        return Name(text)
    words = plain.split()
    head = [one for n, one in enumerate(words) if not any(_OF.fullmatch(before) for before in words[:n + 1])]
    noun = next((kind for one in head for known, kind in _NOUNS if one in known), None)
    if noun is None:
        left = [one for one in head if one not in _ADJECTIVES] or head or [""]
        noun = _by_ending(left[0])
        person = left[0] in _GIVEN or (not noun[1] and (len(head) < len(words) or _two_names(text)))
        if person or left[0][-1:] not in "aàoi":
            return Name(text, feminine=noun[0] or left[0] == "matilde", plural=noun[1])
    return Name(text, article_of(text, feminine=noun[0], plural=noun[1]), *noun)


def _two_names(text: str) -> bool:
    """``Cesare Borgia``: two words, both with a capital, the first no adjective."""
    words = text.split()
    return len(words) > 1 and all(one[:1].isupper() for one in words[:2]) and words[0].casefold() not in _ADJECTIVES


def _place(text: str) -> Name:
    words = text.casefold().split()
    noun = next((one for one in words[:2] if one in _WATERS_M | _WATERS_F), "")
    if noun and (noun == words[0] or words[0] in _ADJECTIVES):
        feminine = noun in _WATERS_F
        return Name(text, article_of(text, feminine=feminine, plural=False), feminine, inside=True)
    if len(words) > 1 and words[0] in _SITES_M | _SITES_F and _OF.fullmatch(words[1]):
        feminine = words[0] in _SITES_F
        return Name(text, article_of(text, feminine=feminine, plural=False), feminine)
    return Name(text, feminine=re.split(r"[\s-]", text.casefold())[-1] not in _FOREIGN_SITES)


def _by_ending(noun: str) -> tuple[bool, bool]:
    """Whether a noun is feminine and plural."""
    lowered = noun.casefold()
    if lowered.endswith(("zione", "sione", "gione", "tà", "tù")) or lowered[-1:] in "aà":
        return True, False
    return False, lowered.endswith("i")


# --- forms ------------------------------------------------------------------------------------
def formed(name: Name, form: str) -> str:
    """A name in one of `FORMS`."""
    if name.parts:
        return listed([formed(part, form) for part in name.parts]) + name.mark
    if form == "dove":
        form = "in" if name.inside or name.text.isdigit() else "a"
    if form == "un":
        before = _ONE[article_of(name.text, feminine=name.feminine, plural=name.plural), name.feminine]
    elif form == "il":
        before = name.article
    elif form == "con" or not name.article:
        before = f"{_euphonic(form, name)} {name.article}".strip()
    else:
        before = _JOINED[form] + _ENDINGS[name.article]
    gap = "" if not before or before.endswith("'") else " "
    return f"{before}{gap}{name.text}{name.mark}"


def _euphonic(preposition: str, name: Name) -> str:
    """``ad Alessandria``: the preposition before the vowel that it is itself."""
    follows = name.text[:1].casefold()
    return f"{preposition}d" if preposition == "a" == follows and not name.article else preposition


def listed(texts: list[str]) -> str:
    """``la Francia, Venezia e il Papato``; *ed* before an *e*."""
    if len(texts) < 2:
        return "".join(texts)
    return f"{', '.join(texts[:-1])} {'ed' if texts[-1][:1].casefold() == 'e' else 'e'} {texts[-1]}"


ITALIAN = Language(FORMS, named, word, formed, listed)
