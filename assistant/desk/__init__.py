"""The referee's commands, for the terminal and the workbook's buttons; each is imported when it is first used.

Each command takes a path, or an open workbook, and returns a `Result`; none raises for mistakes of users or failures of
the machine. From the bottom up: `play_phase` resolves a phase in memory; `workspace` loads a campaign, detects edits
made by hand and writes each change; on these build the commands, in `intake` (orders), `past` (undo, correct, verify),
`commands` (new, adopt, check, resolve, accept, report, simulate and others) and `clubs` (send, remind, collect).
"""

from typing import TYPE_CHECKING

from assistant.environment import lazy_attributes

if TYPE_CHECKING:
    from assistant.desk.clubs.collect import collect as collect
    from assistant.desk.clubs.collect_mail import collect_for_button as collect_for_button
    from assistant.desk.clubs.collect_mail import collect_from_post as collect_from_post
    from assistant.desk.clubs.send import MailFolders as MailFolders
    from assistant.desk.clubs.send import PostOptions as PostOptions
    from assistant.desk.clubs.send import remind as remind
    from assistant.desk.clubs.send import send as send
    from assistant.desk.clubs.send import send_by_form as send_by_form
    from assistant.desk.clubs.send import set_up_post as set_up_post
    from assistant.desk.clubs.send import set_up_post_by_form as set_up_post_by_form
    from assistant.desk.commands.accept_revert import accept as accept
    from assistant.desk.commands.accept_revert import decide as decide
    from assistant.desk.commands.accept_revert import revert as revert
    from assistant.desk.commands.adopt import AdoptPlan as AdoptPlan
    from assistant.desk.commands.adopt import adopt as adopt
    from assistant.desk.commands.adopt import new_into as new_into
    from assistant.desk.commands.by_form import adopt_by_form as adopt_by_form
    from assistant.desk.commands.by_form import correct_by_form as correct_by_form
    from assistant.desk.commands.by_form import new_by_form as new_by_form
    from assistant.desk.commands.by_form import report_by_form as report_by_form
    from assistant.desk.commands.by_form import resolve_by_form as resolve_by_form
    from assistant.desk.commands.draw_map import MapOptions as MapOptions
    from assistant.desk.commands.draw_map import draw_map as draw_map
    from assistant.desk.commands.draw_map import draw_map_by_form as draw_map_by_form
    from assistant.desk.commands.draw_map import lay_out_places as lay_out_places
    from assistant.desk.commands.draw_map import put_map_sheet as put_map_sheet
    from assistant.desk.commands.help_pages import help_page as help_page
    from assistant.desk.commands.help_pages import help_topics as help_topics
    from assistant.desk.commands.help_pages import page_for_terminal as page_for_terminal
    from assistant.desk.commands.lint_ruleset import lint_ruleset as lint_ruleset
    from assistant.desk.commands.new_campaign import NewPlan as NewPlan
    from assistant.desk.commands.new_campaign import demo as demo
    from assistant.desk.commands.new_campaign import new_campaign as new_campaign
    from assistant.desk.commands.new_campaign import remarks_on_script as remarks_on_script
    from assistant.desk.commands.new_campaign import renew_ledger as renew_ledger
    from assistant.desk.commands.odds_rehearse import odds as odds
    from assistant.desk.commands.odds_rehearse import rehearse as rehearse
    from assistant.desk.commands.publish import BookOptions as BookOptions
    from assistant.desk.commands.publish import chronicle as chronicle
    from assistant.desk.commands.publish import export as export
    from assistant.desk.commands.publish import publish as publish
    from assistant.desk.commands.publish import share as share
    from assistant.desk.commands.publish import standings as standings
    from assistant.desk.commands.report import copies_folder as copies_folder
    from assistant.desk.commands.report import luck as luck
    from assistant.desk.commands.report import report as report
    from assistant.desk.commands.report import reports_folder as reports_folder
    from assistant.desk.commands.report import returned_folder as returned_folder
    from assistant.desk.commands.rescue_ledger import keep_history as keep_history
    from assistant.desk.commands.rescue_ledger import rescue_ledger as rescue_ledger
    from assistant.desk.commands.resolve import Timing as Timing
    from assistant.desk.commands.resolve import check as check
    from assistant.desk.commands.resolve import resolve as resolve
    from assistant.desk.commands.rulesets import booklet as booklet
    from assistant.desk.commands.rulesets import house as house
    from assistant.desk.commands.rulesets import new_ruleset as new_ruleset
    from assistant.desk.commands.rulesets import rules as rules
    from assistant.desk.commands.rulesets import rulesets as rulesets
    from assistant.desk.commands.rulesets import verbs as verbs
    from assistant.desk.commands.simulate import SimulatePlan as SimulatePlan
    from assistant.desk.commands.simulate import replay_campaign as replay_campaign
    from assistant.desk.commands.simulate import simulate as simulate
    from assistant.desk.commands.status import answers as answers
    from assistant.desk.commands.status import first_answer_cell as first_answer_cell
    from assistant.desk.commands.status import ledger_state as ledger_state
    from assistant.desk.commands.status import status as status
    from assistant.desk.crash_report import report_crash as report_crash
    from assistant.desk.intake.incoming import Input as Input
    from assistant.desk.intake.take_orders import take_orders as take_orders
    from assistant.desk.past.amendments import CorrectionRequest as CorrectionRequest
    from assistant.desk.past.correct import CorrectionOptions as CorrectionOptions
    from assistant.desk.past.correct import correct as correct
    from assistant.desk.past.replay import verify as verify
    from assistant.desk.past.undo import history as history
    from assistant.desk.past.undo import redo as redo
    from assistant.desk.past.undo import undo as undo
    from assistant.desk.results import Exit as Exit
    from assistant.desk.results import Form as Form
    from assistant.desk.results import FormField as FormField
    from assistant.desk.results import Result as Result
    from assistant.desk.results import quiet as quiet

if not TYPE_CHECKING:  # the type checker has the imports above, and is to notice a name that is not among them
    __getattr__ = lazy_attributes(__name__, __file__)
