"""What the referee can do, for both doors: a command's name in; its function out, loaded when it is first called.

Each command takes a path, or an open workbook, and returns a `Result`; none raises for what is the users' or the
machine's fault. From the ground up: `playing` decides a phase, `watch` sees what was changed by hand, `sitting` reads a
campaign and writes each change; over them stand the commands, in `ruling` (accept, revert), `intake` (orders), `past`
(undo, correct, verify), `founding` (new, adopt), `evening` (check, resolve, report and all that only looks) and
`mailing` (send, remind, publish), `collecting` (collect).
"""

from typing import TYPE_CHECKING

from assistant.on_demand import on_demand, rooms_of

if TYPE_CHECKING:
    from assistant.desk.collecting.at_hand import collect_at_hand as collect_at_hand
    from assistant.desk.collecting.collecting import collect as collect
    from assistant.desk.collecting.mail_door import collect_from_post as collect_from_post
    from assistant.desk.depicting.map_sheets import put_map_sheet as put_map_sheet
    from assistant.desk.evening.absent import Timing as Timing
    from assistant.desk.evening.answering import answers as answers
    from assistant.desk.evening.answering import cell_of as cell_of
    from assistant.desk.evening.demo import demo as demo
    from assistant.desk.evening.fairness import luck as luck
    from assistant.desk.evening.foretelling import odds as odds
    from assistant.desk.evening.handing_out import export as export
    from assistant.desk.evening.handing_out import standings as standings
    from assistant.desk.evening.looking import check as check
    from assistant.desk.evening.looking import ledger_state as ledger_state
    from assistant.desk.evening.looking import status as status
    from assistant.desk.evening.mapping import MapWish as MapWish
    from assistant.desk.evening.mapping import draw_map as draw_map
    from assistant.desk.evening.orderable import verbs as verbs
    from assistant.desk.evening.reports import report as report
    from assistant.desk.evening.resolving import resolve as resolve
    from assistant.desk.evening.sharing import share as share
    from assistant.desk.evening.shelf import copies_folder as copies_folder
    from assistant.desk.evening.shelf import reports_folder as reports_folder
    from assistant.desk.evening.shelf import returned_folder as returned_folder
    from assistant.desk.evening.showing import mistakes as mistakes
    from assistant.desk.founding.adopting import AdoptPlan as AdoptPlan
    from assistant.desk.founding.adopting import adopt as adopt
    from assistant.desk.founding.joining import new_into as new_into
    from assistant.desk.founding.left_out import fitness as fitness
    from assistant.desk.founding.rescuing import keep_history as keep_history
    from assistant.desk.founding.rescuing import rescue_ledger as rescue_ledger
    from assistant.desk.founding.rulebooks import rules as rules
    from assistant.desk.founding.rulebooks import rulesets as rulesets
    from assistant.desk.founding.starting import Plan as Plan
    from assistant.desk.founding.starting import new as new
    from assistant.desk.founding.starting import renew_ledger as renew_ledger
    from assistant.desk.intake.handing_in import take_orders as take_orders
    from assistant.desk.intake.incoming import Source as Source
    from assistant.desk.mailing.counter import PostWish as PostWish
    from assistant.desk.mailing.publishing import publish as publish
    from assistant.desk.mailing.reminding import remind as remind
    from assistant.desk.mailing.sending import send as send
    from assistant.desk.mailing.setting_up import set_up_post as set_up_post
    from assistant.desk.past.amending import Wish as Wish
    from assistant.desk.past.correcting import How as How
    from assistant.desk.past.correcting import correct as correct
    from assistant.desk.past.undoing import history as history
    from assistant.desk.past.undoing import redo as redo
    from assistant.desk.past.undoing import undo as undo
    from assistant.desk.past.verifying import verify as verify
    from assistant.desk.results import Exit as Exit
    from assistant.desk.results import Result as Result
    from assistant.desk.results import quiet as quiet
    from assistant.desk.ruling.handedits import accept as accept
    from assistant.desk.ruling.handedits import revert as revert
    from assistant.desk.ruling.laying_out import lay_out as lay_out
    from assistant.desk.whose_fault import details_of as details_of
    from assistant.desk.whose_fault import told_of as told_of

ROOM_OF = rooms_of({
    "collecting.at_hand": "collect_at_hand", "collecting.collecting": "collect",
    "collecting.mail_door": "collect_from_post",
    "evening.absent": "Timing", "evening.answering": "answers cell_of", "evening.orderable": "verbs",
    "depicting.map_sheets": "put_map_sheet", "evening.mapping": "MapWish draw_map",
    "evening.demo": "demo",
    "evening.fairness": "luck", "evening.foretelling": "odds", "evening.showing": "mistakes",
    "evening.handing_out": "export standings", "evening.looking": "check ledger_state status",
    "evening.reports": "report", "evening.resolving": "resolve",
    "evening.shelf": "copies_folder reports_folder returned_folder",
    "evening.sharing": "share",
    "founding.adopting": "AdoptPlan adopt", "founding.joining": "new_into", "founding.left_out": "fitness",
    "founding.rescuing": "keep_history rescue_ledger",
    "founding.rulebooks": "rules rulesets",
    "founding.starting": "Plan new renew_ledger",
    "intake.handing_in": "take_orders", "intake.incoming": "Source",
    "mailing.counter": "PostWish", "mailing.publishing": "publish",
    "mailing.reminding": "remind", "mailing.sending": "send", "mailing.setting_up": "set_up_post",
    "past.amending": "Wish", "past.correcting": "How correct",
    "past.undoing": "history redo undo", "past.verifying": "verify", "results": "Exit Result quiet",
    "ruling.handedits": "accept revert", "ruling.laying_out": "lay_out", "whose_fault": "details_of told_of",
})

if not TYPE_CHECKING:  # the type checker has the imports above, and is to notice a name that is not among them
    __getattr__ = on_demand(__name__, ROOM_OF)
