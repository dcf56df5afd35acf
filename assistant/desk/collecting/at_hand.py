"""`collect` for a button: a folder beside the workbook and our mailbox, if any, in; what was taken of both out."""

from __future__ import annotations

from pathlib import Path

from assistant.desk.collecting.collecting import collect
from assistant.desk.collecting.mail_door import collect_from_post
from assistant.desk.mailing.counter import PostWish
from assistant.desk.results import Result
from assistant.desk.sitting.sitting import At
from assistant.desk.sitting.stops import folder_stop
from assistant.post.out.clock import Clock
from assistant.post.out.settings import load
from assistant.wording import N_, Verbatim


def collect_at_hand(at: At, folder: Path, *, clock: Clock, answering: PostWish, lang: str = "",
                    pictures: bool = False) -> Result:
    """Take in what lies in a folder, which is made where it is missing, and what clubs have sent to the mailbox, where
    `post setup` knows one; `clock`, `answering`, `pictures`: as of `collect_from_post`. The result's data: as of
    `collect`.
    """
    try:
        folder.mkdir(exist_ok=True)
    except OSError as fault:
        return folder_stop(fault, folder, N_("what the clubs sent"), lang).result("collect")
    post = load()
    result = collect(at, [folder], lang=lang) if post is None or post.imap is None else collect_from_post(
        at, [folder], clock=clock, answering=answering, lang=lang, pictures=pictures)
    if result.wording is not None and result.data.get("sources") == []:
        result.say(result.wording.text(N_("What clubs send back goes into the folder {folder}."),
                                       folder=Verbatim(folder.name)))
    return result
