"""Maps in one process, for `run.py`: seconds by the clock and of the processor, as JSON.

    python benchmarks/pictures.py FOLDER [PICTURES]
    python benchmarks/pictures.py WORKBOOK

prints what resvg takes alone for the map of a scenario's CSVs at 1,200 pixels, the whole map from its scene to the
palette (as if each were the first of its land), and the first map of all, with the libraries that it loads. PICTURES:
a folder that gets the map. Of a workbook two maps are drawn for each club, the close-up and the whole, by as many
processes as a report has; nothing is printed.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from assistant.desk.commands.report import Drawer, draw_pictures, process_count
from assistant.desk.workspace.workspace import factions_with_reports, open_workspace
from assistant.pictures.map_scene import scene_of
from assistant.pictures.scene import Scene
from assistant.reporting.render import NEAR, WHOLE
from assistant.testing.cases import opening
from assistant.turn.phases import without_superseded
from assistant.turn.rulebooks import load

WIDE = 1200
ROUNDS = 5


def timed(work: Callable[[], Any]) -> tuple[float, float]:
    """Seconds by the clock and of the processor."""
    clock, busy = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - clock, time.process_time() - busy


def scene(folder: Path) -> Scene:
    """The opening of a scenario of Il Giglio, as everybody may know it."""
    ruleset = load("giglio")
    campaign = opening(ruleset, folder)
    return scene_of(ruleset, ruleset.view(campaign, ""), "", "en")


def clubs(book: Path) -> None:
    """Two maps for each club of a workbook, as a report draws them."""
    sitting = open_workspace(book)
    drawer = Drawer(sitting.ruleset, without_superseded(sitting.campaign), None, (), "", process_count())
    shown = draw_pictures(drawer, factions_with_reports(sitting.campaign), (NEAR, WHOLE))
    if {len(maps) for maps in shown.values()} != {2}:
        raise RuntimeError(str({club: len(maps) for club, maps in shown.items()}))


def main(folder: Path, pictures: Path | None) -> None:
    """Measure, and print: the fastest of several rounds, for another process can only make one slower."""
    shown = scene(folder)
    made: list[bytes] = []

    def whole() -> None:
        from assistant.pictures import territories
        from assistant.pictures.render import map_svg, svg_to_png

        territories._cached_ground.cache_clear()
        territories._skeleton.cache_clear()
        picture = svg_to_png(map_svg(shown).svg, WIDE)
        if not isinstance(picture, bytes):
            raise RuntimeError(f"install {picture.name}")
        made.append(picture)

    first = timed(whole)
    import resvg_py

    from assistant.pictures.layout import font_files
    from assistant.pictures.render import map_svg
    text = map_svg(shown).svg
    pairs = [(timed(lambda: resvg_py.svg_to_bytes(svg_string=text, width=WIDE, skip_system_fonts=True,
                                                  font_files=font_files())), timed(whole)) for _ in range(ROUNDS)]
    print(json.dumps([min(alone for alone, _ in pairs), min(one for _, one in pairs), first]))
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
        (pictures / "map.png").write_bytes(made[-1])


if __name__ == "__main__" and Path(sys.argv[1]).is_file():
    clubs(Path(sys.argv[1]))
elif __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]) if sys.argv[2:] else None)
