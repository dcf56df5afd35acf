"""The columns of deadlines and of clubs that are away: nothing in; what the Desk and the factions say of them out."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from assistant.campaign.columns import Choice, Text, Whole, column
from assistant.campaign.record import Record
from assistant.campaign.usual import offered

WEEKDAYS = MappingProxyType({"monday": "lunedì", "tuesday": "martedì", "wednesday": "mercoledì", "thursday": "giovedì",
                             "friday": "venerdì", "saturday": "sabato", "sunday": "domenica"})
"""From the first day of the week, as `datetime.date.weekday` counts them."""


@dataclass
class Timed(Record):
    """What the Desk says of time: until when orders and answers are due each week, what becomes of the silent; and
    whose map the workbook shows.
    """

    due_day: str = offered(
        Choice(WEEKDAYS, blank=True), "Due on", "Scade di",
        hint=("weekday on which orders and answers are due; blank: no deadline",
              "giorno in cui scadono ordini e risposte; vuoto: nessuna scadenza"))
    due_hour: int | None = offered(
        Whole(0, 23, blank=True), "Due at", "Scade alle",
        hint=("hour of the deadline, 0 to 23; blank: 20", "ora della scadenza, da 0 a 23; vuoto: 20"))
    due_zone: str = offered(
        Text(), "Time zone", "Fuso orario",
        hint=("such as Europe/Rome; blank: UTC", "per esempio Europe/Rome; vuoto: UTC"))
    not_before: int | None = offered(
        Whole(0, 23, blank=True), "Not before", "Non prima delle",
        hint=("hour of the day before which no phase is called ready",
              "ora del giorno prima della quale nessuna fase si dice pronta"))
    grace: int | None = offered(
        Whole(0, blank=True), "Grace (hours)", "Tolleranza (ore)",
        hint=("how long the silent have after the deadline",
              "quanto tempo ha ancora, dopo la scadenza, chi tace"))
    absent: str = offered(
        Choice({"robot": "robot", "nothing": "niente"}, blank=True), "For the silent", "Per chi tace",
        hint=("robot: the assistant plays; nothing: no orders, default answers; blank: as ever",
              "robot: gioca l'assistente; niente: nessun ordine, risposte predefinite; vuoto: come sempre"))
    map_for: str = offered(
        Choice({"referee": "arbitro"}, blank=True), "Map shows", "La mappa mostra",
        hint=("referee: only the referee has this workbook, so its map shows everything; blank: what all may know",
              "arbitro: questa cartella è solo dell'arbitro, e la sua mappa mostra tutto; vuoto: ciò che sanno tutti"))
    silent_share: int | None = column(
        Whole(0, 100, blank=True), "Stop above (% silent)", "Fermati oltre (% in silenzio)", edit="referee",
        see="referee", last=True, quiet=True,
        hint=("more clubs than this newly silent: resolve stops; blank: never",
              "se d'un tratto tacciono più circoli, la risoluzione si ferma; vuoto: mai"))


def deputy_of() -> Any:
    """Who is asked for a club that is silent; an address, so the referee's, as that of the club."""
    return column(Text(), "Deputy", "Vice", edit="referee", see="referee", last=True, quiet=True, width=26,
                  hint=("who is asked when the club is silent: name and mail address",
                        "a chi si chiede se il circolo tace: nome e indirizzo di posta"))


def holidays_of() -> Any:
    """When a club is away, as it has announced."""
    return column(Text(), "Holidays", "Ferie", edit="club", see="owner", last=True, quiet=True, width=26,
                  hint=("days such as 2026-12-24..2027-01-06, several with commas between",
                        "giorni, per esempio 2026-12-24..2027-01-06; più periodi separati da virgole"))
