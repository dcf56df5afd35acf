"""The buttons: a verb in; its captions out, and what the desk's command of that verb comes to."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from assistant import desk
from assistant.post.out.clock import Clock
from assistant.resources import pictures_wanted, what_time
from assistant.turn.texts import N_
from assistant.workbook.live.live_book import LiveBook

Confirm = Callable[[list[str], str], bool]
"""Shows lines and a question; whether the referee says yes."""


@dataclass(frozen=True)
class Button:
    """A button. `verb`: its word for programs; `en`, `it`: its caption; `doing`: what is shown meanwhile;
    `sub`: its macro's name; `writes`: it needs a ledger, so a workbook in a folder.
    """

    verb: str
    en: str
    it: str
    doing: str
    sub: str
    writes: bool = True

    def caption(self, lang: str) -> str:
        """What stands on it."""
        return self.it if lang == "it" else self.en


BUTTONS: tuple[Button, ...] = (
    Button("check", "Check orders", "Controlla gli ordini", N_("Checking the orders ..."),
           "Arbitro_CheckOrders", False),
    Button("resolve", "Resolve phase", "Risolvi la fase", N_("Resolving the phase ..."), "Arbitro_ResolvePhase"),
    Button("answers", "Enter answers", "Inserisci le risposte", N_("Looking at the answers ..."),
           "Arbitro_EnterAnswers", False),
    Button("undo", "Undo", "Annulla", N_("Going back one phase ..."), "Arbitro_Undo"),
    Button("preview", "Preview reports", "Anteprima dei bollettini", N_("Writing the reports ..."),
           "Arbitro_PreviewReports"),
    Button("send", "Send reports", "Invia i bollettini", N_("Preparing the reports ..."), "Arbitro_SendReports"),
    Button("status", "Status", "Situazione", N_("Looking where the campaign stands ..."), "Arbitro_Status", False),
    Button("share", "Share copies", "Prepara le copie", N_("Writing the copies ..."), "Arbitro_ShareCopies"),
    Button("collect", "Collect orders", "Raccogli gli ordini", N_("Looking at what has come in ..."),
           "Arbitro_CollectOrders"),
)
"""In this order from the first on, those that came later last: a workbook that has some of them keeps these in their
places.
"""
BY_VERB = {one.verb: one for one in BUTTONS}


def do(verb: str, book: LiveBook, confirm: Confirm, lang: str = "") -> desk.Result:
    """What a button does: the desk's own verb on the open workbook. Raises KeyError for an unknown one."""
    def may(lines: Sequence[str], question: str) -> bool:
        return confirm(list(lines), question.partition(" [")[0])  # without the keys that a terminal takes

    done: dict[str, Callable[[], desk.Result]] = {
        "check": lambda: desk.check(book, mark=True, lang=lang),
        "resolve": lambda: desk.resolve(book, lang=lang, confirm=may, timing=desk.Timing(what_time())),
        "answers": lambda: desk.answers(book, lang=lang),
        "undo": lambda: desk.undo(book, lang=lang),
        "preview": lambda: desk.report(book, desk.reports_folder(book.path), lang=lang, clock=what_time(),
                                       pictures=pictures_wanted()),
        "send": lambda: desk.send(book, desk.reports_folder(book.path), clock=Clock(what_time, time.sleep),
                                  wish=desk.PostWish(agree=may), lang=lang, pictures=pictures_wanted()),
        "share": lambda: desk.share(book, desk.copies_folder(book.path), lang=lang, clock=what_time()),
        "collect": lambda: desk.collect_at_hand(
            book, desk.returned_folder(book.path), clock=Clock(what_time, time.sleep),
            answering=desk.PostWish(agree=may), lang=lang, pictures=pictures_wanted()),
        "status": lambda: desk.status(book, lang=lang, clock=what_time()),
    }
    return done[verb]()
