"""What a mail looks like: held against a list, by axe, and in Chromium on a phone and a desk, light and dark."""

from __future__ import annotations

import html
import json
import re
import subprocess
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

from assistant.environment import shipped_folder
from assistant.testing import cases
from assistant.testing.fog import letters_of
from assistant.turn.phases import resolve
from assistant.turn.rulebooks import load
from tests.post.mail_linter import faults
from tests.reporting.browser import FLAGS, browser

SCENARIOS = {"giglio": "italy-1500", "anarchy": "wallingford-1139", "incursio": "esdef-beginning",
             "warriors": "borderlands", "bloodlust": "tanaephis"}
PHASES = 12
"""So many phases of each scenario are played, if none stops for an answer: something has happened by then."""
WITHOUT_STYLE = re.compile(r"<style.*?</style>", re.DOTALL)
LOOK = """
const pages = %s, axe = %s, dark = %s, told = [];
async function framed(page, width) {
  const frame = document.createElement('iframe');
  frame.width = width; frame.height = 900; frame.style.border = '0'; frame.srcdoc = page;
  await new Promise(done => { frame.onload = done; document.body.append(frame); });
  return frame;
}
async function look() {
  for (const [name, page, judged] of pages) for (const width of [375, 900]) {
    const frame = await framed(page, width), root = frame.contentDocument.documentElement;
    const edge = name.endsWith('stripped') && width == 375 ? 500 : width;
    if (root.scrollWidth > edge) told.push(`${name}: ${root.scrollWidth} wide on ${width}`);
    if (judged && width == 375) {
      const script = frame.contentDocument.createElement('script');
      script.textContent = axe; frame.contentDocument.head.append(script);
      const run = frame.contentWindow.axe.run, whole = frame.contentDocument;
      const shut = {include: [whole], exclude: [['details > :not(summary)']]};
      const found = await run(shut, {resultTypes: ['violations'], runOnly: ['color-contrast']});
      const all = {resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'best-practice'],
        rules: {'color-contrast': {enabled: false}}};
      const more = dark ? [] : (await run(whole, all)).violations;
      for (const one of [...found.violations, ...more])
        told.push(`${name}: ${one.id}: ${one.nodes[0].html} ${one.nodes[0].failureSummary}`);
    }
    const paper = frame.contentWindow.getComputedStyle(root.querySelector('body')).backgroundColor;
    told.push(`${name}: seen on ${width}, ${paper}`);
    frame.remove();
  }
}
look().catch(fault => told.push(String(fault))).then(() => {
  document.body.textContent = ''; const out = document.createElement('pre'); out.textContent = JSON.stringify(told);
  document.body.append(out); document.title = 'done';
});
"""


@cache
def mails(ruleset_id: str) -> dict[str, str]:
    """The pages of what a club and everybody get by mail, some phases into a scenario; by what they are."""
    ruleset = load(ruleset_id)
    campaign = cases.opening(ruleset, shipped_folder("workbook_templates") / ruleset_id / SCENARIOS[ruleset_id])
    for _ in range(PHASES):
        outcome = resolve(ruleset, campaign, b"looks")
        if not outcome.done:
            break
        campaign = outcome.campaign
    return {f"{ruleset_id} {one.kind}": one.html for one in letters_of(ruleset, campaign)}


def seen(place: Path, pages: list[tuple[str, str, bool]], *, dark: bool) -> list[str]:
    """What Chromium says of pages (name, HTML, whether axe judges it), each on a phone and on a desk."""
    axe = files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    script = LOOK % (json.dumps(pages), json.dumps(axe), json.dumps(dark))
    page = place / "looks.html"
    safe = script.replace("</", "<\\/")
    page.write_text(f"<!DOCTYPE html><html lang='en'><title>.</title><body><script>{safe}</script></body></html>",
                    encoding="utf-8")
    mode = ["--blink-settings=preferredColorScheme=0"] if dark else []
    done = subprocess.run([browser(), *FLAGS, *mode, f"--user-data-dir={place / 'profile'}", "--dump-dom",
                           "--virtual-time-budget=600000", page.as_uri()], capture_output=True, text=True, check=True,
                          timeout=240)
    told = re.search(r"<pre>(.*?)</pre>", done.stdout, re.DOTALL)
    assert told is not None, done.stdout[:500]
    lines: list[str] = json.loads(html.unescape(told[1]))
    return lines


@pytest.mark.slow
@pytest.mark.parametrize("ruleset_id", ["incursio", *(pytest.param(one, marks=pytest.mark.slow) for one in SCENARIOS
                                                     if one != "incursio")])
def test_a_mails_page_is_valid_and_holds_nothing_but_what_mail_programs_stand(ruleset_id: str) -> None:
    """The report and the gazette, with and without their style element."""
    for name, page in mails(ruleset_id).items():
        assert (name, faults(page)) == (name, [])
        assert (name, faults(WITHOUT_STYLE.sub("", page))) == (name, [])


@pytest.mark.parametrize(("page", "wanted"), [
    ('<html lang="en"><title>x</title><p style="colour: red">x</p>', "colour in a style attribute"),
    ('<html lang="en"><title>x</title><img src="https://x.test/a.png" alt="">', "https://"),
    ('<html lang="en"><title>x</title><style>p { display: grid; grid-area: a }</style>', "grid-area"),
    ('<html lang="en"><title>x</title><table><tr><td>x</table>', "a table of the layout"),
    ('<html lang="en"><title>x</title><style>@media (hover) { p { color: red } }</style>', "@media (hover)"),
    ("<html><title>x</title>", "no language"),
    ('<!DOCTYPE html><html lang="en"><title>x</title><b><i>x</b></i>', "not valid")])
def test_the_list_is_kept_to(page: str, wanted: str) -> None:
    """What stands on no list is found."""
    assert any(wanted in fault for fault in faults(page)), faults(page)


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_mails_of_all_rulebooks_are_read_on_a_phone_and_on_a_desk(tmp_path: Path, dark: bool) -> None:
    """Axe finds nothing, and no page runs over the edge: as it is sent, and with its style element stripped, where a
    phone shows tables of many columns a third smaller; pictures are blocked, as a browser knows none of a mail's.
    """
    pages: list[tuple[str, str, bool]] = []
    for one in SCENARIOS:
        for name, page in mails(one).items():
            pages += [(name, page, name.endswith(" report")), (f"{name}, stripped", WITHOUT_STYLE.sub("", page), False)]
    told = seen(tmp_path, pages, dark=dark)
    looks = [one for one in told if ": seen on " in one]
    paper = {look.split(": seen on ")[1].partition(", ")[2] for look in looks if "stripped" not in look}

    assert [one for one in told if one not in looks] == []
    assert len(looks) == 2 * len(pages)
    assert paper == {"rgb(23, 22, 19)" if dark else "rgb(239, 233, 218)"}
