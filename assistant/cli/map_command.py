"""`arbitro map`: its words in; the desk's command asked and its result shown out."""

from __future__ import annotations

from pathlib import Path

import click

from assistant import desk
from assistant.cli.options import FOLDER, Words, file_argument, json_option
from assistant.cli.show import show


def map_command(_: Words) -> click.Command:
    """``arbitro map``: the campaign as a picture."""
    @click.command("map", help=_(
        "Draw the map of the campaign as everybody may know it. With --for as one club knows it, with its open orders;"
        " with --referee all of it. With --from and --to the campaign before and after these turns, side by side."))
    @file_argument(_)
    @click.option("--for", "faction", default="", metavar=_("FACTION"), help=_("As this faction knows it."))
    @click.option("--referee", is_flag=True, help=_("Everything; not to be shown to clubs."))
    @click.option("--close-up", is_flag=True, help=_("Only the faction's own area, for a telephone."))
    @click.option("--orders", is_flag=True, help=_("Only the faction's open orders, as they are understood."))
    @click.option("--from", "since", default="", metavar=_("TURN"), help=_("As it was before this turn."))
    @click.option("--to", "until", default="", metavar=_("TURN"), help=_("Beside it, as it was after this turn."))
    @click.option("--changes", is_flag=True, help=_("Mark only what has changed since the last report."))
    @click.option("--print", "paper", is_flag=True, help=_("For print: an SVG at A3 instead of a PNG."))
    @click.option("--layout", is_flag=True, help=_("Draw nothing: lay the places out by their roads and write that into"
                                                   " x and y of the workbook. undo takes it back."))
    @click.option("--sheet", is_flag=True, help=_("Put the map onto a sheet of the workbook; from then on each phase"
                                                  " renews it there. undo takes it out again."))
    @click.option("--shapes", is_flag=True, help=_("Colour the shapes of a map of your own in the workbook instead:"
                                                   " those whose name or alternative text is the code of a place."
                                                   " Each phase does it again."))
    @click.option("--out", type=FOLDER, default=None,
                  help=_("Folder for the pictures (default: NAME-reports beside the workbook)."))
    @json_option(_)
    @click.pass_context
    def draw(ctx: click.Context, file: Path, faction: str, referee: bool, close_up: bool, orders: bool, since: str,
             until: str, changes: bool, paper: bool, layout: bool, sheet: bool, shapes: bool, out: Path | None,
             as_json: bool) -> int:
        alone = {"--sheet": sheet, "--shapes": shapes, "--layout": layout}
        beside = {**alone, "--for": faction, "--referee": referee, "--close-up": close_up, "--orders": orders,
                  "--from": since, "--to": until, "--changes": changes, "--print": paper, "--out": out}
        given = [option for option, value in beside.items() if value]
        if len(given) > 1 and alone.get(given[0]):
            raise click.UsageError(_("{option} goes with no other option: leave out {list}.").format(
                option=given[0], list=", ".join(given[1:])), ctx)
        if faction and referee:
            raise click.UsageError(_("Give --for or --referee, not both."), ctx)
        if close_up and not faction:
            raise click.UsageError(_("--close-up needs --for: whose area is it?"), ctx)
        if orders and (changes or since or until or not faction):
            raise click.UsageError(_("--orders needs --for, and goes with neither --changes nor --from and --to."), ctx)
        if sheet or shapes:
            return show(desk.put_map_sheet(file, shapes=shapes, lang=ctx.obj), as_json)
        if layout:
            return show(desk.lay_out(file, lang=ctx.obj), as_json)
        wish = desk.MapWish(faction, referee, close_up, since, until, changes, paper, orders)
        return show(desk.draw_map(file, out or desk.reports_folder(file), wish, lang=ctx.obj), as_json)

    return draw
