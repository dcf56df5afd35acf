"""What a sheet shows: its columns in order, their headings and widths, and the workbook's own words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Codes, Column, Data, Edit, Flag, Moment, Parts, Ref, Text, Typed, Whole
from assistant.campaign.tables import Record

# The workbook's own words.


LABELS: dict[str, tuple[str, str]] = {
    "awaited": ("Who still has to answer", "Chi si aspetta"),
    "nobody": ("Nobody: the phase can be resolved.", "Nessuno: la fase si può risolvere."),
    "next": ("What to do next", "Che cosa fare adesso"),
    "wrong": ("What is wrong", "Che cosa non va"),
    "nothing_wrong": ("Nothing.", "Nulla."),
    "outcome": ("Last outcome", "Ultimo esito"),
    "no_outcome": ("Nothing has been resolved yet.", "Non è ancora stato risolto nulla."),
    "legend": ("Colours of the cells", "I colori delle celle"),
    "legend_club": ("Clubs write here", "Qui scrivono i circoli"),
    "legend_referee": ("The referee may write here", "Qui può scrivere l'arbitro"),
    "legend_assistant": ("Only the assistant writes here", "Qui scrive solo l'assistente"),
    "legend_finding": ("Something to put right: read the cell's note", "Da correggere: leggi la nota della cella"),
    "settings": ("Settings", "Impostazioni"),
    "setting": ("Setting", "Voce"),
    "value": ("Value", "Valore"),
    "and_more": ("and {n} more", "e altri {n}"),
    "button": ('the button "{caption}"', "il pulsante «{caption}»"),
    "details": ("Details", "Dettagli"),
    "details_heading": ("The last click of a button, in full", "L'ultimo clic di un pulsante, per intero"),
    "more_there": ("... and {n} more on the sheet {sheet}", "... e altre {n} righe sul foglio {sheet}"),
    "referee": ("referee", "arbitro"),
    "everybody": ("everybody", "tutti"),
    "invalid": ("Choose from the list, or leave the cell blank.", "Scegli dall'elenco, o lascia vuota la cella."),
    "yes": ("yes", "sì"),
    "no": ("no", "no"),
    "lists": ("Lists", "Elenchi"),
    "next_row": ("Blank row", "Riga vuota"),
    "next_row_about": ("Jump to where the next order is typed.", "Salta dove si scrive il prossimo ordine."),
    "card": ("Order card", "Scheda ordini"),
    "card_about": ("What to write on the sheet Orders, verb by verb; a row may also hold all of it in words.",
                   "Che cosa scrivere sul foglio Ordini, verbo per verbo; una riga può anche dire tutto a parole."),
    "card_verb": ("Verb", "Verbo"),
    "card_also": ("Also understood", "Si capisce anche"),
    "card_when": ("Phase", "Fase"),
    "card_columns": ("Columns", "Colonne"),
    "card_shown": ("In words", "A parole"),
    "card_cost": ("Costs", "Costa"),
    "card_help": ("What it does", "Che cosa fa"),
    "sheets": ("The sheets", "I fogli"),
    "copy_token": ("Code of this copy", "Codice di questa copia"),
    "copy_rows": ("Orders in it as it was sent", "Ordini che c'erano all'invio"),
    "copy_battles": ("Battles for the table. Who fights reports on the sheet Questions of its copy.",
                     "Battaglie per il tavolo. Chi combatte ne riferisce sul foglio Domande della sua copia."),
    "copy_chances": ("How likely", "Quanto è probabile"),
    "copy_left": ("Left to spend", "Da spendere"),
    "copy_left_about": ("of {have}; what stands in words is not counted",
                        "su {have}; ciò che è a parole non è contato"),
    "page": ("Page", "Pagina"),
    "changes": ("Changes", "Modifiche"),
    "changes_about": ("What was changed by hand. To keep a change, give the reason; to put it back, write '{back}'."
                      " Then click Decide.",
                      "Che cosa è stato cambiato a mano. Per tenere una modifica scrivi il motivo; per rimettere"
                      " com'era, “{back}”. Poi fai clic su Decidi."),
    "changes_sheet": ("Sheet", "Foglio"),
    "changes_row": ("Row", "Riga"),
    "changes_column": ("Column", "Colonna"),
    "changes_old": ("What stood there", "Che cosa c'era"),
    "changes_new": ("What stands there now", "Che cosa c'è adesso"),
    "changes_decision": ("Reason, or '{back}'", "Motivo, o “{back}”"),
    "changes_hint": ("A reason keeps the change;\nwhom it concerns reads it.\n'{back}' puts the old value back.\nBlank:"
                     " still open.",
                     "Un motivo tiene la modifica;\nlo legge chi ne è toccato.\n“{back}” rimette il valore di prima."
                     "\nVuoto: ancora aperta."),
    "changes_added": ("the row is new", "la riga è nuova"),
    "changes_gone": ("the row is gone", "la riga non c'è più"),
    "changes_more": ("and {n} more: this row decides on all of them", "e altre {n}: questa riga decide di tutte"),
    "put_back": ("back", "indietro"),
}


def label(key: str, lang: str) -> str:
    """A label in a language. Raises KeyError."""
    return LABELS[key][1 if lang == "it" else 0]


CHANGES_NAME = "changes_list"
"""The defined name of the rows in which changes by hand are listed."""
CHANGES_COLUMNS = ("changes_sheet", "changes_row", "changes_column", "changes_old", "changes_new", "changes_decision")
"""The labels of their columns."""
CHANGES_ROOM = 200
"""How many changes the sheet lists; what is decided in its last row holds for all that find no room."""
PUT_BACK = frozenset(LABELS["put_back"])
"""What the referee writes beside a change that is to be put back, in either language."""


def more_changes(n: int, lang: str) -> tuple[str, ...]:
    """The texts of the row that stands for all changes that find no room."""
    return (label("changes_more", lang).format(n=n), *[""] * (len(CHANGES_COLUMNS) - 2))


def typed_heading(text: str, edit: Edit) -> str:
    """A heading as its cell holds it: with a blank before it where people type below.

    LibreOffice completes what is typed from all texts of the column, so that an F becomes "Fazione"; nobody types a
    blank first.
    """
    return text if edit == "assistant" else f" {text}"


# What a sheet shows.


SHEET_ORDER = ("Desk", "Orders", "Questions", "Inbox", "Battles", "Factions", "Nodes", "Roads", "Armies")
SHEETS_AFTER = ("Events", "Findings", "Dice", "Rules")
CHOICES = 12
"""How many options of a question its drop-down offers; the text beside it names all of them."""
OFFERS = {("Questions", "answer"): tuple(f"*option{n}" for n in range(1, CHOICES + 1)),
          ("Battles", "winner"): tuple(f"*winner{n}" for n in range(1, 4))}
"""Sheet and column -> the hidden columns of the same row from which its drop-down takes its choices."""
HEADING_ROW = 4
"""The row of a table's headings on its sheet."""
SPARE_ROWS = 2_000
"""How many rows below a table drop-downs and colours already cover."""
LEAST_FREE_ROWS = {"Orders": 20}
"""Least number of blank rows in a table of ours, however many are filled."""
FREE_ROWS = {"Orders": 200, "Dice": 40}
"""Blank rows inside the tables of sheets to which people add rows."""
_FROZEN_UP_TO = {"Orders": "faction", "Questions": "*worded"}
"""The last frozen column of sheets whose key is far to the right: who has to do what."""

_FIRST = {
    "Orders": ("turn", "phase", "faction", "seq", "verb"),
    "Questions": ("*to", "*worded", "*options", "answer", "*default", "status", "turn", "phase", "about"),
    "Events": ("no", "turn", "phase", "audience", "*worded", "rule"),
    "Findings": ("turn", "phase", "severity", "faction", "*worded", "table", "row", "field", "code"),
    "Dice": ("key", "dice", "value", "turn", "phase", "source", "*who"),
    "Rules": ("key", "value", "*meaning", "*default", "*unit", "*source"),
}
_LAST = {"Orders": ("note", "status", "order")}
_WIDER = {("Events", "rule"): 21}
_TECHNICAL = {"Events": ("event", "touched"), "Dice": ("audience",),
              "Questions": ("kind", "question", "to", "options", "default")}


class DerivedColumn(NamedTuple):
    """A column that the assistant words from the row and never reads."""

    name: str
    en: str
    it: str
    width: int


DERIVED: dict[str, tuple[DerivedColumn, ...]] = {
    "Events": (DerivedColumn("*worded", "What happened", "Che cosa è successo", 78),),
    "Questions": (DerivedColumn("*to", "Who answers", "Chi risponde", 14),
                  DerivedColumn("*worded", "What is asked", "Che cosa si chiede", 56),
                  DerivedColumn("*options", "What may be answered", "Risposte ammesse", 30),
                  DerivedColumn("*default", "What counts without an answer", "Che cosa vale senza risposta", 20),
                  *(DerivedColumn(f"*option{n}", f"Choice {n}", f"Scelta {n}", 10) for n in range(1, CHOICES + 1))),
    "Findings": (DerivedColumn("*worded", "What was seen", "Che cosa è stato rilevato", 78),),
    "Dice": (DerivedColumn("*who", "Who may know", "Chi può saperlo", 22),),
    "Battles": tuple(DerivedColumn(f"*winner{n}", f"Side {n}", f"Lato {n}", 10) for n in range(1, 4)),
    "Rules": (DerivedColumn("*default", "By the book", "Da regolamento", 30),
              DerivedColumn("*unit", "Unit or words", "Unità o parole", 44),
              DerivedColumn("*source", "Source", "Fonte", 24),
              DerivedColumn("*meaning", "What it means", "Che cosa significa", 74)),
}


class SheetColumn(NamedTuple):
    """One column of a sheet. `column`: None for a derived one; `empty`: without formatting, because it is optional and
    nobody has filled it in, or because it only feeds a drop-down.
    """

    name: str
    heading: str
    hint: str
    width: int
    edit: Edit
    wrap: bool
    technical: bool
    number_format: str
    side: str = "left"
    column: Column | None = None
    empty: bool = False

    @property
    def head(self) -> str:
        """The heading as its cell holds it."""
        return typed_heading(self.heading, self.edit)


def sheet_title(record: type[Record], lang: str) -> str:
    """The sheet's name in a language."""
    return record.sheet_it if lang == "it" else record.sheet


def sheet_about(record: type[Record], lang: str, *, copy: bool = False) -> str:
    """The sentence under a sheet's title. `copy`: for a club's copy, where nobody writes on the sheet of battles."""
    if copy and record.sheet == "Battles":
        return label("copy_battles", lang)
    return record.about_it if lang == "it" else record.about_en


def table_name(record: type[Record]) -> str:
    """The Excel table's name, the same in both languages (``tbl_Armies``)."""
    return f"tbl_{record.sheet}".replace(" ", "_")


def list_name(sheet: str) -> str:
    """The defined name of the codes of a table, which drop-downs use (``list_Nodes``)."""
    return f"list_{sheet}".replace(" ", "_")


def in_sheet_order(records: Iterable[type[Record]]) -> list[type[Record]]:
    """Records in the order of their sheets: what is used most first, the ruleset's own last."""
    by_name = {record.sheet: record for record in records}
    known = [*SHEET_ORDER, *SHEETS_AFTER]
    return [by_name[s] for s in known if s in by_name] + [r for s, r in by_name.items() if s not in known]


def records_with_sheet(records: Iterable[type[Record]], campaign: Campaign) -> list[type[Record]]:
    """The records that have a sheet: all but those that only get one once they hold something, and are empty."""
    return [record for record in records
            if not record.quiet or (campaign.has(record.sheet) and len(campaign.by_sheet(record.sheet)) > 0)]


def sheet_columns(record: type[Record], lang: str, used: Collection[str] = ()) -> tuple[SheetColumn, ...]:
    """The columns of a table's sheet from left to right; technical ones and unused optional ones come last. `used`:
    optional fields that hold something.
    """
    sheet = record.sheet
    columns = {c.name: _sheet_column(sheet, c, lang, c.quiet and c.name not in used) for c in record.columns()}
    for d in DERIVED.get(sheet, ()):
        heading = d.it if lang == "it" else d.en
        helps = any(d.name in names for names in OFFERS.values())
        columns[d.name] = SheetColumn(
            d.name, heading, "", d.width, "assistant", d.width > 24, helps, "General", empty=helps)
    first = [name for name in _FIRST.get(sheet, ()) if name in columns]
    last = [name for name in _LAST.get(sheet, ()) if name in columns]
    rest = [name for name in columns if name not in first and name not in last]
    inorder = [columns[name] for name in first + rest + last]
    return tuple(sorted(inorder, key=lambda s: s.technical))


def used_columns(campaign: Campaign, record: type[Record]) -> frozenset[str]:
    """The optional fields (`Column.quiet`) that hold something in some row."""
    return frozenset(c.name for c in record.columns() if c.quiet and any(
        c.tells(getattr(row, c.name)) for _, row in campaign.by_sheet(record.sheet).raw_rows()))


def _sheet_column(sheet: str, c: Column, lang: str, empty: bool) -> SheetColumn:
    technical = empty or isinstance(c.kind, Data) or c.name in _TECHNICAL.get(sheet, ())
    width = max(width_of(c, lang), _WIDER.get((sheet, c.name), 0))
    return SheetColumn(c.name, c.heading(lang), c.hint(lang), width, c.edit,
                 wraps_text(c), technical, number_format(c), alignment_of(c), c, empty)


def wraps_text(c: Column) -> bool:
    """Whether a text too long for its column wraps onto a second line."""
    return isinstance(c.kind, (Text, Codes, Typed)) and c.width > 20


def width_of(c: Column, lang: str) -> int:
    """Width in characters: as declared, else by kind, but at least half the length of the heading."""
    by_kind = {Flag: 9, Whole: 10, Parts: 10, Typed: 10, Moment: 9, Data: 24, Codes: 18}
    width = c.width or by_kind.get(type(c.kind), 12)
    width = max(width, *(len(c.word(option, lang)) + 3 for option in c.kind.words), 0)
    longest_word = max((len(word) for word in c.heading(lang).split()), default=0)
    return min(80, max(width, longest_word + 5, (len(c.heading(lang)) + 10) // 2))


def number_format(c: Column) -> str:
    """Excel's number format: amounts (whole numbers with a unit) with thousands, years and ranks plain, text as text.
    """
    if isinstance(c.kind, (Moment, Typed)):
        return "0"
    if isinstance(c.kind, Whole):
        return "#,##0" if c.hint_en and "year" not in c.name else "0"
    if isinstance(c.kind, Parts):
        return "General"
    return "@"


def alignment_of(c: Column) -> str:
    """How a column's values are aligned: numbers right, codes of factions and flags in the middle, text left."""
    if isinstance(c.kind, (Whole, Parts)) and not c.key:
        return "right"
    if isinstance(c.kind, (Flag, Moment, Typed)) or (isinstance(c.kind, Ref) and c.kind.table == "Factions"):
        return "center"
    return "left"


def frozen_columns(sheet: str, shown: Sequence[SheetColumn]) -> int:
    """How many columns of a sheet are frozen: the key, or the column that says whose row it is."""
    keys = [i for i, s in enumerate(shown[:2], 1) if s.column is not None and s.column.key]
    told = [i for i, s in enumerate(shown[:3], 1) if s.name == _FROZEN_UP_TO.get(sheet)]
    return max([*keys, *told], default=0)
