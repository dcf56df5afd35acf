"""The referee's commands, for the terminal and the workbook's buttons; each is imported when it is first used.

Each command takes a path, or an open workbook, and returns a `Result`; none raises for mistakes of users or failures of
the machine. From the bottom up: `play_phase` resolves a phase in memory; `workspace` loads a campaign, detects edits
made by hand and writes each change; on these build the commands, in `intake` (orders), `past` (accept, revert, undo,
correct, verify), `commands` (new, adopt, check, resolve, report and others) and `clubs` (send, remind, publish,
collect).
"""

from typing import TYPE_CHECKING

from assistant.environment import lazy_attributes, module_by_name

if TYPE_CHECKING:
    from assistant.desk.clubs.collect import collect as collect
    from assistant.desk.clubs.collect_mail import collect_for_button as collect_for_button
    from assistant.desk.clubs.collect_mail import collect_from_post as collect_from_post
    from assistant.desk.clubs.post_setup import set_up_post as set_up_post
    from assistant.desk.clubs.publish import publish as publish
    from assistant.desk.clubs.send import PostOptions as PostOptions
    from assistant.desk.clubs.send import remind as remind
    from assistant.desk.clubs.send import send as send
    from assistant.desk.commands.adopt import AdoptPlan as AdoptPlan
    from assistant.desk.commands.adopt import adopt as adopt
    from assistant.desk.commands.adopt import new_into as new_into
    from assistant.desk.commands.demo import demo as demo
    from assistant.desk.commands.demo import remarks_on_script as remarks_on_script
    from assistant.desk.commands.draw_map import MapOptions as MapOptions
    from assistant.desk.commands.draw_map import draw_map as draw_map
    from assistant.desk.commands.draw_map import lay_out_places as lay_out_places
    from assistant.desk.commands.draw_map import put_map_sheet as put_map_sheet
    from assistant.desk.commands.new_campaign import NewPlan as NewPlan
    from assistant.desk.commands.new_campaign import new_campaign as new_campaign
    from assistant.desk.commands.new_campaign import renew_ledger as renew_ledger
    from assistant.desk.commands.odds_and_luck import luck as luck
    from assistant.desk.commands.odds_and_luck import odds as odds
    from assistant.desk.commands.report import copies_folder as copies_folder
    from assistant.desk.commands.report import report as report
    from assistant.desk.commands.report import reports_folder as reports_folder
    from assistant.desk.commands.report import returned_folder as returned_folder
    from assistant.desk.commands.rescue_ledger import keep_history as keep_history
    from assistant.desk.commands.rescue_ledger import rescue_ledger as rescue_ledger
    from assistant.desk.commands.resolve import Timing as Timing
    from assistant.desk.commands.resolve import resolve as resolve
    from assistant.desk.commands.ruleset_lint import lint_ruleset as lint_ruleset
    from assistant.desk.commands.rulesets import rules as rules
    from assistant.desk.commands.rulesets import rulesets as rulesets
    from assistant.desk.commands.rulesets import verbs as verbs
    from assistant.desk.commands.share_and_export import export as export
    from assistant.desk.commands.share_and_export import share as share
    from assistant.desk.commands.share_and_export import standings as standings
    from assistant.desk.commands.status import answers as answers
    from assistant.desk.commands.status import check as check
    from assistant.desk.commands.status import first_answer_cell as first_answer_cell
    from assistant.desk.commands.status import ledger_state as ledger_state
    from assistant.desk.commands.status import status as status
    from assistant.desk.crash_report import describe_fault as describe_fault
    from assistant.desk.crash_report import details_sentence as details_sentence
    from assistant.desk.intake.incoming import Input as Input
    from assistant.desk.intake.take_orders import take_orders as take_orders
    from assistant.desk.past.accept_revert import accept as accept
    from assistant.desk.past.accept_revert import revert as revert
    from assistant.desk.past.amendments import CorrectionRequest as CorrectionRequest
    from assistant.desk.past.correct import CorrectionOptions as CorrectionOptions
    from assistant.desk.past.correct import correct as correct
    from assistant.desk.past.undo import history as history
    from assistant.desk.past.undo import redo as redo
    from assistant.desk.past.undo import undo as undo
    from assistant.desk.past.verify import verify as verify
    from assistant.desk.results import Exit as Exit
    from assistant.desk.results import Result as Result
    from assistant.desk.results import quiet as quiet

ROOM_OF = module_by_name({
    "clubs.collect": "collect",
    "clubs.collect_mail": "collect_for_button collect_from_post",
    "clubs.post_setup": "set_up_post",
    "clubs.publish": "publish",
    "clubs.send": "PostOptions remind send",
    "commands.adopt": "AdoptPlan adopt new_into",
    "commands.demo": "demo remarks_on_script",
    "commands.draw_map": "MapOptions draw_map lay_out_places put_map_sheet",
    "commands.new_campaign": "NewPlan new_campaign renew_ledger",
    "commands.odds_and_luck": "luck odds",
    "commands.report": "copies_folder report reports_folder returned_folder",
    "commands.rescue_ledger": "keep_history rescue_ledger",
    "commands.resolve": "Timing resolve",
    "commands.ruleset_lint": "lint_ruleset",
    "commands.rulesets": "rules rulesets verbs",
    "commands.share_and_export": "export share standings",
    "commands.status": "answers check first_answer_cell ledger_state status",
    "crash_report": "describe_fault details_sentence",
    "intake.incoming": "Input",
    "intake.take_orders": "take_orders",
    "past.accept_revert": "accept revert",
    "past.amendments": "CorrectionRequest",
    "past.correct": "CorrectionOptions correct",
    "past.undo": "history redo undo",
    "past.verify": "verify",
    "results": "Exit Result quiet",
})

if not TYPE_CHECKING:  # the type checker has the imports above, and is to notice a name that is not among them
    __getattr__ = lazy_attributes(__name__, ROOM_OF)
