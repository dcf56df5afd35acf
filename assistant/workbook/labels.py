"""The workbook's own words: a key and a language in; a label of the Desk, the legend or the adoption sheet out."""

from __future__ import annotations

LABELS: dict[str, tuple[str, str]] = {
    "awaited": ("Who is awaited", "Chi si aspetta"),
    "nobody": ("Nobody: the phase can be resolved.", "Nessuno: la fase si può risolvere."),
    "next": ("What to do next", "Che cosa fare adesso"),
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
    "card_verb": ("Order to", "Verbo"),
    "card_also": ("Also understood", "Si capisce anche"),
    "card_when": ("For", "Per"),
    "card_columns": ("Columns", "Colonne"),
    "card_example": ("In words", "A parole"),
    "card_cost": ("Costs", "Costa"),
    "card_help": ("What it does", "Che cosa fa"),
    "sheets": ("The sheets", "I fogli"),
    "copy_token": ("Code of this copy", "Codice di questa copia"),
    "copy_rows": ("Orders in it as it was sent", "Ordini che c'erano all'invio"),
    "copy_battles": ("Battles for the table. Who fights reports on the sheet Questions of its copy.",
                     "Battaglie per il tavolo. Chi combatte ne riferisce sul foglio Domande della sua copia."),
    "copy_left": ("Left to spend", "Da spendere"),
    "copy_left_about": ("of {have}; what stands in words is not counted",
                        "su {have}; ciò che è a parole non è contato"),
    "page": ("Page", "Pagina"),
    "adoption": ("Adoption", "Adozione"),
    "adoption_about": (
        "What Arbitro takes your tables for. Correct the yellow cells (blank: leave it alone), save and close, and run"
        " the command again.",
        "Per che cosa Arbitro prende le vostre tabelle. Correggi le celle gialle (vuota: lascia stare), salva e chiudi,"
        " e ridai il comando."),
    "adoption_sheet": ("Sheet", "Foglio"),
    "adoption_where": ("Where", "Dove"),
    "adoption_heading": ("Heading", "Intestazione"),
    "adoption_examples": ("Stands there", "Che cosa contiene"),
    "adoption_table": ("Is the table", "È la tabella"),
    "adoption_column": ("Is the column", "È la colonna"),
    "adoption_why": ("Why", "Perché"),
    "adoption_table_hint": ("Which table of the rulebook this is. Blank: Arbitro leaves it alone.",
                            "Quale tabella del regolamento è questa. Vuota: Arbitro la lascia stare."),
    "adoption_column_hint": ("Which column of that table this is. Blank: it stays the club's own.",
                             "Quale colonna di quella tabella è questa. Vuota: resta del circolo."),
    "adoption_area_hint": ("Headings and rows of the table, without totals. Correct it if it is not right.",
                           "Intestazioni e righe della tabella, senza totali. Correggi se non è giusto."),
}


def label(key: str, lang: str) -> str:
    """A label in a language. Raises KeyError."""
    return LABELS[key][1 if lang == "it" else 0]
