"""Names in English and Italian: articles, gender, number, and sentences with names in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import NO_WORDS, YES_WORDS
from assistant.campaign.records import BASE, Battle, Faction, Node, Rule
from assistant.turn.numbers import Number, Switch, is_allowed
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_, Meaning

# Names and languages.


class Name(NamedTuple):
    """A name. `text`: without an article that was typed with it; `typed`: that article as typed.

    `article`: used in sentences (``la``, ``l'``, ``the``), "" for none; `mark`: follows the name in any form, such as
    the code of a place; `inside`: one is *in* it and not *at* it, as in a sea; `parts`: of a name that joins several
    (``Spagna e collegati``), each with its own article.
    """

    text: str
    article: str = ""
    feminine: bool = True
    plural: bool = False
    mark: str = ""
    inside: bool = False
    typed: str = ""
    parts: tuple[Name, ...] = ()

    @property
    def bare(self) -> str:
        """The name as in a table."""
        return f"{self.typed}{self.text}{self.mark}"


class Language(NamedTuple):
    """The grammar of a language. `forms`: those that a brace may ask for; `named`: makes the name of a row; `word`: the
    name of a word of the catalogue; `formed`: puts a name into a form; `listed`: joins several texts.
    """

    forms: tuple[str, ...]
    named: Callable[..., Name]
    word: Callable[[str], Name]
    formed: Callable[[Name, str], str]
    listed: Callable[[list[str]], str]


def words_of(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


def agreeing_variant(names: tuple[Name, ...], variants: tuple[str, ...]) -> str:
    """The variant that agrees with one name or several.

    Two variants are singular and plural; four are masculine, feminine, and their plurals. Several names are plural, and
    feminine if all of them are.
    """
    plural = len(names) > 1 or any(name.plural for name in names)
    if len(variants) == 2:
        return variants[plural]
    return variants[2 * plural + all(name.feminine for name in names)]


# English names.
#
# ``the Papal State``, ``at Zara``, ``in the Upper Adriatic``; guessed by the nouns of which they are made.


ENGLISH_FORMS = ("the", "at")
"""Forms that a brace may ask for: the name with its article, and with *at* or *in*."""
_ENGLISH_TYPED = re.compile(r"the +(?=\S)", re.IGNORECASE)
_NOUNS = words_of(
    "empire kingdom republic state league duchy county party union alliance confederation crown church house "
    "order company caliphate sultanate khanate principality commonwealth papacy federation faction tribe clan "
    "horde emirate electorate palatinate march host")
_WATERS = words_of(
    "gulf sea channel strait bay river lake ocean adriatic mediterranean aegean atlantic baltic forest lagoon "
    "marsh")
_SINGULAR_S = words_of(
    "wales naples flanders athens cyprus paris tunis brussels texas honduras laos algiers versailles thebes "
    "miles")
_SINGULAR_MEN = words_of("yemen bremen carmen omen specimen regimen")
_OWNED = re.compile(r"['’]s? ")
"""``Earl Robert's host``: the possessive replaces *the*."""
_PEOPLE = re.compile(r"(?i)\w+(ish|ese|nch)|swiss|dutch|welsh")


def english_name(text: str, article: str = "", gender: str = "", plural: str = "", mark: str = "",
          towns: Container[str] = (), *, place: bool = False) -> Name:
    """A name with *the* if it was typed or is guessed. The row's data on the Italian name do not matter here, except
    whether it is plural.
    """
    typed = _ENGLISH_TYPED.match(text)
    core = text[typed.end():] if typed else text
    owned = _OWNED.search(core)
    words = re.sub(r" *\(.*", "", core[owned.end():] if owned else core).split()
    head = words[:words.index("of")] if "of" in words else words
    last, several = head[-1] if head else "", " and " in core
    people = not place and not several and core.casefold() not in towns and _are_people(head)
    noun = {word.casefold().rstrip("s") for word in (head[0] if head else "", last)} & (_WATERS if place else _NOUNS)
    common = not place and last.islower() and not several
    the = bool(typed or (not owned and ((noun and not several) or people or common)))
    many = plural == "yes" if plural else several or people or (
        last.casefold().endswith("s") and (common or last.casefold()[:-1] in _NOUNS))
    return Name(core, "the" if the else "", plural=many, mark=mark, inside=bool(place and noun and not typed),
                typed=typed[0] if typed else "")


def _are_people(head: list[str]) -> bool:
    """``Ottomans``, ``Swiss``, ``Free Companies``, ``men``, ``Pikemen``."""
    last = head[-1] if head else ""
    men = last.casefold().endswith("men") and last.casefold() not in _SINGULAR_MEN
    return men or bool(_PEOPLE.fullmatch(last)) or (last.endswith("s") and not last.endswith("ss")
                                             and last.casefold() not in _SINGULAR_S)


def english_word(text: str) -> Name:
    """A word of the catalogue, unchanged."""
    return Name(text)


def english_form(name: Name, form: str) -> str:
    """A name in one of `FORMS`."""
    where = ("in" if name.inside else "at") if form == "at" else ""
    return " ".join(part for part in (where, name.article, name.text) if part) + name.mark


def english_list(texts: list[str]) -> str:
    """``France, Venice and the Papal State``."""
    return f"{', '.join(texts[:-1])} and {texts[-1]}" if len(texts) > 1 else "".join(texts)


ENGLISH = Language(ENGLISH_FORMS, english_name, english_word, english_form, english_list)


# Italian names.
#
# ``la Turchia``, ``del Papato``, ``ad Alessandria``, ``nell'Alto Adriatico``. What was not typed is guessed: by common
# nouns in names of states, parties and waters, and by endings for the rest.


ITALIAN_FORMS = ("il", "un", "di", "a", "da", "in", "con", "su", "dove")
"""Forms that a brace may ask for: an article, a preposition with it, a location (``a Zara, nel Mar Ligure``)."""
_JOINED = {"di": "de", "a": "a", "da": "da", "in": "ne", "su": "su"}
_ENDINGS = {"il": "l", "lo": "llo", "la": "lla", "l'": "ll'", "i": "i", "gli": "gli", "le": "lle"}
_ONE = {("il", False): "un", ("lo", False): "uno", ("l'", False): "un", ("la", True): "una", ("l'", True): "un'",
        ("i", False): "dei", ("gli", False): "degli", ("le", True): "delle"}
ARTICLES = {"il": (False, False), "lo": (False, False), "la": (True, False), "i": (False, True), "gli": (False, True),
            "le": (True, True)}
"""Article -> whether it is feminine and plural; ``l'`` does not tell the gender."""
_ITALIAN_TYPED = re.compile(r"(?:(il|lo|la|i|gli|le) +|(l)['’] *)(?=\S)", re.IGNORECASE)
_HARD = r"(?i)s[bcdfghjklmnpqrstvwxz]|z|gn|p[sn]|x|y[aeiou]|i[aeou]"
_VOWEL = r"(?i)[aeiouàèéìòùh]"
_OF = re.compile(r"(?i)(di|de|da|del|dello|della|dei|degli|delle|d['’].*|dell['’].*)")

_MALE = words_of(
    "impero regno ducato granducato principato papato patriarcato marchesato partito stato sultanato califfato "
    "emirato khanato comune ordine casato esercito consiglio popolo clan circolo arcivescovado vescovado "
    "elettorato protettorato banco gruppo convoglio parco blocco castello contro-castello priorato monastero "
    "presidio")
_FEMALE = words_of(
    "repubblica lega contea signoria casa corona confederazione alleanza unione compagnia chiesa serenissima "
    "federazione fazione parte tribù città monarchia marca orda schiera legione armata "
    "cavalleria abbazia guardia leva torma banda veglia carovana imperatrice regina duchessa contessa principessa "
    "marchesa dama")
_MEN = words_of(
    "stati regni ducati cantoni luoghi conti duchi signori ribelli neutrali cavalieri principati archi uomini "
    "lanciafuoco lanciadardi troll berserker")
_WOMEN = words_of(
    "fiandre indie asturie marche baleari azzorre molucche antille province provincie leghe contee città libere "
    "compagnie orde schiere legioni rocche guardie sciabole lance picche furie sorelle asce balestre guide bande "
    "squadre torme fanterie truppe leve navi galee")
_ITALIAN_NOUNS = ((_MALE, (False, False)), (_FEMALE, (True, False)), (_MEN, (False, True)), (_WOMEN, (True, True)))
"""Nouns that names are made of, and whether they are feminine and plural."""
_BARE = words_of(
    "venezia milano firenze genova roma napoli siena pisa lucca ferrara mantova bologna modena parma perugia "
    "urbino ravenna padova verona torino ragusa zara cipro malta creta corfù rodi candia cuba maiorca minorca "
    "israele monaco andorra londra parigi vienna costantinopoli bisanzio atene sparta cartagine siracusa tebe "
    "corinto amalfi gaeta")
"""Cities and islands, which take no article as names of states."""
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
    "castello contro-castello monastero passo ponte guado colle forte convento priorato")
_FOREIGN_SITES = words_of("castle priory monastery minster keep fort")
_SITES_F = words_of(
    "abbazia rocca torre fortezza")


def italian_name(text: str, article: str = "", gender: str = "", plural: str = "", mark: str = "",
          towns: Container[str] = (), *, place: bool = False) -> Name:
    """A name with its row's columns `article`, `gender` and `plural`; what is blank is guessed.

    `towns`: the names of places, folded: a faction with such a name is a city.
    """
    typed = _ITALIAN_TYPED.match(text)
    core = text[typed.end():] if typed else text
    wanted = (typed[1] or "l'").lower() if typed else article
    guessed = _guessed_place(core) if place else _guessed_faction(core, towns)
    if wanted:
        guessed = _with_article(guessed, "" if wanted == "none" else wanted)
    if gender:
        guessed = guessed._replace(feminine=gender == "feminine")
    if plural:
        guessed = guessed._replace(plural=plural == "yes")
    if (gender or plural) and guessed.article and not wanted:
        guessed = guessed._replace(article=article_of(core, feminine=guessed.feminine, plural=guessed.plural))
    if typed:
        guessed = guessed._replace(typed=typed[0], inside=False, parts=())
    return guessed._replace(mark=mark)


def _with_article(name: Name, article: str) -> Name:
    feminine, plural = ARTICLES.get(article, (name.feminine, name.plural and not article))
    return name._replace(article=article, feminine=feminine, plural=plural, parts=())


def italian_word(text: str) -> Name:
    """A common noun of the catalogue, which always takes its article."""
    feminine, plural = _guess_by_ending(text.split(maxsplit=1)[0] if text else "")
    return Name(text, article_of(text, feminine=feminine, plural=plural), feminine, plural)


def article_of(text: str, *, feminine: bool, plural: bool) -> str:
    """The article of a name, by its first letters."""
    # h is silent, and i before a vowel is none itself: lo Ionio
    vowel = bool(re.match(_VOWEL, text)) and not (re.match(_HARD, text) and text[:1].lower() == "i")
    if feminine:
        return "le" if plural else "l'" if vowel else "la"
    hard = bool(re.match(_HARD, text))
    if plural:
        return "gli" if vowel or hard else "i"
    return "l'" if vowel else "lo" if hard else "il"


# --- guessing ---------------------------------------------------------------------------------
def _guessed_faction(text: str, towns: Container[str]) -> Name:
    first, joined, rest = text.partition(" e ")
    if joined and rest:
        parts = (italian_name(first, towns=towns), italian_name(rest, towns=towns))
        return Name(text, parts[0].article, all(p.feminine for p in parts), True, parts=parts)
    plain = re.sub(r" *\(.*", "", text).casefold()
    if not plain or plain in towns or plain in _BARE:
        return Name(text)
    words = plain.split()
    head = [word for n, word in enumerate(words) if not any(_OF.fullmatch(before) for before in words[:n + 1])]
    noun = next((kind for word in head for known, kind in _ITALIAN_NOUNS if word in known), None)
    if noun is None:
        left = [word for word in head if word not in _ADJECTIVES] or head or [""]
        noun = _guess_by_ending(left[0])
        person = left[0] in _GIVEN or (not noun[1] and (len(head) < len(words) or _two_names(text)))
        if person or left[0][-1:] not in "aàoi":
            return Name(text, feminine=noun[0] or left[0] == "matilde", plural=noun[1])
    return Name(text, article_of(text, feminine=noun[0], plural=noun[1]), *noun)


def _two_names(text: str) -> bool:
    """``Cesare Borgia``: two words, both with a capital, the first no adjective."""
    words = text.split()
    return len(words) > 1 and all(word[:1].isupper() for word in words[:2]) and words[0].casefold() not in _ADJECTIVES


def _guessed_place(text: str) -> Name:
    words = text.casefold().split()
    noun = next((word for word in words[:2] if word in _WATERS_M | _WATERS_F), "")
    if noun and (noun == words[0] or words[0] in _ADJECTIVES):
        feminine = noun in _WATERS_F
        return Name(text, article_of(text, feminine=feminine, plural=False), feminine, inside=True)
    if len(words) > 1 and words[0] in _SITES_M | _SITES_F and _OF.fullmatch(words[1]):
        feminine = words[0] in _SITES_F
        return Name(text, article_of(text, feminine=feminine, plural=False), feminine)
    return Name(text, feminine=re.split(r"[\s-]", text.casefold())[-1] not in _FOREIGN_SITES)


def _guess_by_ending(noun: str) -> tuple[bool, bool]:
    """Whether a noun is feminine and plural."""
    lowered = noun.casefold()
    if lowered.endswith(("zione", "sione", "gione", "tà", "tù")) or lowered[-1:] in "aà":
        return True, False
    return False, lowered.endswith("i")


# --- forms ------------------------------------------------------------------------------------
def italian_form(name: Name, form: str) -> str:
    """A name in one of `FORMS`."""
    if name.parts:
        return italian_list([italian_form(part, form) for part in name.parts]) + name.mark
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
    """``ad Alessandria``: the form of the preposition before its own vowel."""
    follows = name.text[:1].casefold()
    return f"{preposition}d" if preposition == "a" == follows and not name.article else preposition


def italian_list(texts: list[str]) -> str:
    """``la Francia, Venezia e il Papato``; *ed* before an *e*."""
    if len(texts) < 2:
        return "".join(texts)
    return f"{', '.join(texts[:-1])} {'ed' if texts[-1][:1].casefold() == 'e' else 'e'} {texts[-1]}"


ITALIAN = Language(ITALIAN_FORMS, italian_name, italian_word, italian_form, italian_list)


# All languages by code.


SPOKEN_LANGUAGES: dict[str, Language] = {"en": ENGLISH, "it": ITALIAN}


# Names of factions, places and other rows of a campaign.


NOTHING: Mapping[str, RowName] = MappingProxyType({})


class RowName(NamedTuple):
    """The name of one row, with its columns about the name. `mark`: shown after the name."""

    text: str
    mark: str = ""
    article: str = ""
    gender: str = ""
    plural: str = ""

    @property
    def table_text(self) -> str:
        """The name as in a table."""
        return self.text + self.mark


class Names:
    """The names of the codes of factions, places and whatever else has a name.

    `towns`: gives the names of places, folded, to recognise a faction that is a city; `battles`: the codes of battles
    that are called by their place.
    """

    def __init__(self, lang: str, factions: Mapping[str, RowName] = NOTHING, places: Mapping[str, RowName] = NOTHING,
                 pieces: Mapping[str, RowName] = NOTHING, towns: Callable[[], Iterable[str]] = frozenset,
                 battles: Mapping[str, RowName] = NOTHING) -> None:
        pieces = {**pieces, **battles} if battles else pieces
        self.battles = battles
        self._language = SPOKEN_LANGUAGES.get(lang, SPOKEN_LANGUAGES["en"])
        self._factions, self._places = factions, places
        self._of: Mapping[Meaning, tuple[Mapping[str, RowName], ...]] = {
            "faction": (factions,), "place": (places, pieces), "piece": (pieces,), "any": (factions, places, pieces)}
        self._towns = towns
        self._folded: frozenset[str] | None = None
        self._names: dict[tuple[str, Meaning], Name | None] = {}

    @classmethod
    def plain(cls, lang: str, names: Mapping[str, str]) -> Names:
        """Names of codes whose kind is not known."""
        known = {code: RowName(name) for code, name in names.items()}
        return cls(lang, known, known, known)

    def row_name(self, code: str, meaning: Meaning = "any") -> RowName | None:
        """The row name of a code with this meaning; None if there is none."""
        for known in self._of.get(meaning, ()):
            if code in known:
                return known[code]
        return None

    def text(self, code: str, meaning: Meaning = "any") -> str:
        """The name of a code, or the code."""
        row_name = self.row_name(code, meaning)
        return row_name.table_text if row_name else code

    def name(self, code: str, meaning: Meaning = "any") -> Name | None:
        """The name of a code with its article, gender and number; None where it has none."""
        key = (code, meaning)
        if key not in self._names:
            row_name = self.row_name(code, meaning)
            self._names[key] = row_name and self._language.named(
                row_name.text, row_name.article, row_name.gender, row_name.plural, row_name.mark, self._known_towns(),
                place=meaning == "place" or (meaning == "any" and code in self._places and code not in self._factions))
        return self._names[key]

    def _known_towns(self) -> frozenset[str]:
        if self._folded is None:
            self._folded = frozenset(town.casefold() for town in self._towns())
        return self._folded


def faction_names(campaign: Campaign, lang: str, named: Iterable[str] = ()) -> Names:
    """The names of the factions only: places are shown by their codes, as on the sheets; but where codes are bare
    numbers, which say nothing by themselves, also the names of places and of the rows of other sheets (`named`).
    """
    places = {n.node: RowName(n.name_in(lang), f" ({n.node})", n.article, n.gender, n.plural)
              for key, n in campaign.table(Node).raw_rows() if key.isdecimal() and n.name_in(lang) not in ("", n.node)}
    pieces = {key: RowName(name, f" ({key})") for sheet in named if sheet != Node.sheet
              for key, row in campaign.by_sheet(sheet).raw_rows() if key.isdecimal() and (name := name_in(row, lang))}
    return Names(lang, _factions(campaign, lang), places, pieces, towns=lambda: _towns(campaign, lang))


def names_of(campaign: Campaign, lang: str, named: Iterable[str], coded: Iterable[str] = (), *, codes: bool = True,
             unnamed: Mapping[str, RowName] = NOTHING) -> Names:
    """The names of factions, of places with their codes, and of the rows of other sheets that are shown by name
    (`named`) or by name and code (`coded`); a row without a name, such as a battle, gets that of its place.

    `codes`: whether codes follow the names; `unnamed`: what rows are called that have no name of their own.
    """
    places = {n.node: RowName(n.name_in(lang), f" ({n.node})" if codes else "", n.article, n.gender, n.plural)
              for _, n in campaign.table(Node).raw_rows() if n.name_in(lang) not in ("", n.node)}
    pieces = {**unnamed, **{key: RowName(name) for sheet in named if sheet != Node.sheet
                            for key, row in campaign.by_sheet(sheet).raw_rows() if (name := name_in(row, lang))}}
    battles = {key: _battle_name(row.node, places, lang) for key, row in campaign.table(Battle).raw_rows() if row.node}
    for sheet in coded:
        pieces |= {} if sheet == Battle.sheet else {
            key: called if codes else called._replace(mark="") for key, row in campaign.by_sheet(sheet).raw_rows()
                   if (called := _name_with_code(key, row, places, lang))}
    return Names(lang, _factions(campaign, lang), places, pieces, lambda: _towns(campaign, lang), battles)


def name_in(row: Any, lang: str) -> str:
    """The name of a row in a language, or the only one that it has."""
    return str(row.name_in(lang) if hasattr(row, "name_in") else row.name)


def _name_with_code(key: str, row: Any, places: Mapping[str, RowName], lang: str) -> RowName | None:
    """The name of a row, or of its place, followed by its own code."""
    named = hasattr(row, "name") or hasattr(row, "name_in")
    name, place = name_in(row, lang) if named else "", places.get(getattr(row, "node", ""))
    if name and name != key:
        return RowName(name, f" ({key})")
    return place._replace(mark=f" ({key})") if place is not None and not hasattr(row, "name") else None


def _battle_name(node: str, places: Mapping[str, RowName], lang: str) -> RowName:
    """``battle of Alessandria``, *battaglia di Alessandria*: what a battle is called by its place."""
    language = SPOKEN_LANGUAGES.get(lang, SPOKEN_LANGUAGES["en"])
    place = places.get(node)
    if lang == "it":
        name = language.named(place.text, place.article, place.gender, place.plural, place=True) if place else None
        return RowName(f"la battaglia {language.formed(name, 'di') if name else f'presso {node}'}")
    return RowName(f"the battle of {place.text}" if place else f"the battle at {node}")


def _factions(campaign: Campaign, lang: str) -> dict[str, RowName]:
    return {key: RowName(f.name(lang), "", f.article, f.gender, f.plural)
            for key, f in campaign.table(Faction).raw_rows()}


def _towns(campaign: Campaign, lang: str) -> Iterable[str]:
    return [name for _, n in campaign.table(Node).raw_rows() for name in (n.name_in(lang), n.name) if name]


# Sheets and columns.


def sheet_name(ruleset: Ruleset | None, sheet: str, lang: str) -> str:
    """The name of a sheet in a language, by its English one."""
    for record in (*(ruleset.records if ruleset else ()), *BASE):
        if record.sheet == sheet:
            return record.sheet_it if lang == "it" else record.sheet
    return sheet


def heading_of(ruleset: Ruleset, sheet: str, field: str, lang: str) -> str:
    """The heading of a column in a language, by its field; the field itself if it is unknown."""
    for record in ruleset.records:
        if record.sheet == sheet:
            for column in record.columns():
                if column.name == field:
                    return column.heading(lang)
    return field


# Messages with braces.
#
# ``{faction}`` is the name of the parameter, ``{faction:di}`` the name in a form, and
# ``{faction?preso|presa|presi|prese}`` the one of these words that agrees with it.


_BEFORE = {"il": "", "the": "", "dove": "a"}
WHERE = ("at", "dove")
"""The forms of a name that say where something is."""
ENDS = (".", "!", "?", ":")
"""The endings of a whole sentence; anything else is a part of one."""
_SENTENCE = re.compile(r"(?<=[.!?]) +(?![^{}]*\})")
_BRACE = re.compile(r"\{(\w+)(?::(\w+)|\?([^{}]*\|[^{}]*))?\}")


class Brace(NamedTuple):
    """One brace: the parameter, the form of its name, or the words of which one agrees with it."""

    whole: str
    name: str
    form: str = ""
    variants: tuple[str, ...] = ()


Sentence = tuple[str | Brace, ...]


@lru_cache(maxsize=8192)
def split_sentences(template: str) -> tuple[Sentence, ...]:
    """The sentences of a template."""
    return tuple(_parts(part) for part in _SENTENCE.split(template))


def _parts(text: str) -> Sentence:
    parts: list[str | Brace] = []
    end = 0
    for match in _BRACE.finditer(text):
        parts.append(text[end:match.start()])
        parts.append(Brace(match[0], match[1], match[2] or "", tuple(match[3].split("|")) if match[3] else ()))
        end = match.end()
    parts.append(text[end:])
    return tuple(part for part in parts if part)


def braces(*texts: str) -> list[Brace]:
    """All braces of some templates."""
    return [part for text in texts for sentence in split_sentences(text)
            for part in sentence if isinstance(part, Brace)]


def plain_template(template: str) -> str:
    """A template for a page that fills no braces: a form becomes the word that asks for it, of agreeing words the first
    remains, and the plural of those that agree with a number.
    """
    told = []
    for sentence in split_sentences(template):
        numbers = {part.name for part in sentence if isinstance(part, Brace) and not (part.form or part.variants)}
        parts = (part if isinstance(part, str) else part.variants[part.name in numbers] if part.variants else
                 f"{_BEFORE.get(part.form, part.form)} {{{part.name}}}".strip() for part in sentence)
        told.append("".join(parts))
    return " ".join(told)


def fill_braces(template: str, show: Callable[[Brace], str | None]) -> str:
    """A text with its braces filled. `show` gives the text of a brace, "" for a blank parameter, None for an unknown
    one.

    A sentence after the first is left out if a parameter of it is blank ("Did you mean {near}?"); an unknown
    brace stays as it is; a place that is not known is not said ("{who} stays in care {place:at}."). A sentence that
    begins with a name in a form begins with a capital. A full stop behind a parameter that ends as a sentence does is
    left out ("Not now: {why}.").
    """
    told = []
    for number, sentence in enumerate(split_sentences(template)):
        shown: list[str] = []
        for part in sentence:
            if isinstance(part, str):
                own_end = part == "." and "".join(shown).endswith(ENDS[:3])
                shown.append("" if own_end else part)
                continue
            text = show(part)
            if text == "" and number:
                break
            if text == "" and part.form in WHERE:
                shown.append(shown.pop().rstrip(" ") if shown else "")
                continue
            shown.append(part.whole if text is None else text)
        else:
            joined = "".join(shown)
            headed = bool(sentence) and isinstance(sentence[0], Brace) and bool(sentence[0].form)
            told.append(joined[:1].upper() + joined[1:] if headed and joined.endswith(ENDS) else joined)
    return " ".join(told).strip()


# A rulebook's numbers and switches in words.
#
# If a rulebook has no words for an option, they are guessed from its key.


_FLAGS: Mapping[str, Iterable[str]] = {"yes": YES_WORDS, "no": NO_WORDS, "on": YES_WORDS, "off": NO_WORDS}
_NO_VALUE = "…"
_ARTICLE = re.compile(r"^(?:l'|(?:il|lo|la|i|gli|le|the) )")
"""An article before an option's words, which may be left out."""
_WHOLE = re.compile(r"[+-]?\d+")


class Translator(Protocol):
    """Texts and words in one language (`Wording`)."""

    def text(self, msgid: str, /, **data: Any) -> str:
        """A sentence in the language, its braces filled."""

    def word(self, word: str) -> str:
        """A single word in the language; unchanged if it is unknown."""


def option_words(switch: Switch, option: str, words: Translator) -> str:
    """The words for an option, or the typed text if any is allowed; "" for a blank without words."""
    if option in switch.options[:len(switch.words)]:
        return words.text(switch.words[switch.options.index(option)])
    if option not in switch.options:
        return option
    word = words.word(option)
    return word if word != option else option.replace("_", " ")


def value_words(rule: Number | Switch, value: Any, words: Translator) -> str:
    """A value in a line: ``25 ducats``, or the words for the option."""
    if isinstance(rule, Switch):
        return option_words(rule, str(value), words)
    return with_unit(value, words.text(rule.unit, n=value) if rule.unit else "")


def with_unit(value: Any, unit: str) -> str:
    """A value and its unit, "" for none.

    Units are plurals or describe a die: beside a 1, and beside such a die, they are put in brackets.
    """
    if not unit:
        return str(value)
    apart = unit[:1].isdigit() or (unit[:1].isalpha() and value in (1, -1))
    return f"{value} ({unit})" if apart else f"{value} {unit}"


def rule_sentence(rule: Number | Switch, value: Any, words: Translator) -> str:
    """The rule with a value, as a sentence; without a gap for the value, its subject followed by the value."""
    if isinstance(rule, Switch) and "{option}" in rule.meaning:
        text = words.text(rule.meaning, option=option_words(rule, str(value), words))
    elif isinstance(rule, Number) and isinstance(value, int) and ("{n}" in rule.meaning or "{signed}" in rule.meaning):
        text = words.text(rule.meaning, n=value, signed=f"{value:+d}")
    else:
        text = f"{words.text(rule.meaning).rstrip('.')}: {value_words(rule, value, words)}."
    return text[:1].upper() + text[1:]


def says_another_value(rule: Number | Switch, sentence: str, words: Translator) -> bool:
    """Whether a sentence is the rule with any of its possible values."""
    values: Iterable[Any] = rule.options if isinstance(rule, Switch) else map(int, _WHOLE.findall(sentence))
    return any(is_allowed(rule, value) and rule_sentence(rule, value, words) == sentence for value in values)


def rule_subject(rule: Number | Switch, words: Translator) -> str:
    """What a number or a switch decides, with a gap for its value."""
    text = words.text(rule.meaning, option=_NO_VALUE, n=_NO_VALUE, signed=_NO_VALUE)
    return text.replace(f"{_NO_VALUE}.", _NO_VALUE)


def parse_option(switch: Switch, typed: str, languages: Iterable[Translator]) -> str:
    """The option that was typed, by its key or by its words in one of these languages; "" for none."""
    seen = _fold(typed)
    spoken = tuple(languages)
    for option in switch.options:
        called = {option, option.replace("_", " "), *(option_words(switch, option, words) for words in spoken)}
        if seen in map(_fold, called) or seen in _FLAGS.get(option, ()):
            return option
    return ""


def _fold(text: str) -> str:
    return _ARTICLE.sub("", " ".join(text.casefold().replace("\u2019", "'").split()).rstrip("."))


def option_labels(declared: Iterable[Number | Switch], key: str, words: Translator) -> dict[str, str]:
    """Option -> its words, for the switch of a row of Rules; {} for a number or an unknown key."""
    chosen = next((switch for switch in declared if switch.key == key), None)
    return {option: option_words(chosen, option, words) for option in chosen.options if option} if isinstance(
        chosen, Switch) else {}


def canonical_value(
    declared: Mapping[str, Number | Switch], row: Rule, languages: Callable[[], Iterable[Translator]]
) -> Any:
    """The value of a row of Rules: the key of an option typed in words, anything else unchanged."""
    rule = declared.get(row.key.rpartition(".")[2])
    if not isinstance(rule, Switch) or row.value == "" or str(row.value) in rule.options:
        return row.value
    meant = parse_option(rule, str(row.value), languages())
    return meant if meant and not (rule.free or is_allowed(rule, row.value)) else row.value


def house_rule_data(
    declared: Iterable[Number | Switch], key: str, old: str, new: str, words: Translator
) -> dict[str, str]:
    """The data for a change of a row of Rules: `now`, the rule as a sentence after a colon; `before`, the former value
    (also as `old`); `was`, the former rule; `how`: ``rule``, or ``book`` if the row was emptied. {} for an unknown key.

    `old`, `new`: as in the row, "" for the book's own value.
    """
    rule = next((number for number in declared if number.key == key.rpartition(".")[2]), None)
    if rule is None:
        return {}
    now, was = (_after_colon(rule_sentence(rule, value, words).rstrip(".")) if is_allowed(rule, value) else ""
                for value in (_parse_value(rule, new), _parse_value(rule, old)))
    before = value_words(rule, _parse_value(rule, old), words) if old else words.text(N_("as the book has it"))
    return {"how": "rule" if new else "book", "now": now, "was": was, "before": before, "old": before}


def _parse_value(rule: Number | Switch, value: str) -> Any:
    return int(value) if isinstance(rule, Number) and value.lstrip("+-").isdecimal() else value


def _after_colon(sentence: str) -> str:
    """A sentence for after a colon: names of the book keep their capital, articles do not."""
    head = sentence.partition(" ")[0]
    return sentence if head.isupper() and len(head) > 1 else sentence[:1].lower() + sentence[1:]
