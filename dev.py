#!/usr/bin/env python3
"""The project's own commands, for a machine that has only Python: no installation is needed first.

    python3 dev.py demo [options of "arbitro demo"]   play the demo year
    python3 dev.py wheel                              make the one file that is installed, in `dist`
    python3 dev.py test [--fast]                      all checks and tests; --fast leaves the slow part out
    python3 dev.py lint                               ruff, mypy, message catalogues
    python3 dev.py docs                               build the documentation as a website, in `site`
    python3 dev.py bench [options]                    measure, see benchmarks/README.md

The first run makes a virtual environment in `.venv` and installs the project into it, for `demo` and `wheel` without
developers' tools; later runs install again only when `pyproject.toml`, `hatch_build.py` or this file has changed.
Only the standard library is used here.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

OLDEST = (3, 11)
DEMO = "giglio"
"""The rulebook whose demo is played where none is named."""
ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
STAMP = VENV / "installed-from"
WHEELS = ROOT / "dist"
INSTALLED_FROM = ("pyproject.toml", "hatch_build.py", "dev.py")

# What the slow tests call, and the Debian packages that bring it.
TOOLS = {"soffice": "libreoffice-calc", "chromium": "chromium", "pdftoppm": "poppler-utils", "Xvfb": "xvfb",
         "xdotool": "xdotool", "import": "imagemagick", "pipx": "pipx", "doveadm": "dovecot-core"}
# Files that they need and that are no commands: LibreOffice's Python, its Italian, Dovecot's mailboxes, and Pango, by
# which WeasyPrint sets letters.
PARTS = {"/usr/lib/libreoffice/program/pythonloader.py": "python3-uno",
         "/usr/lib/libreoffice/program/resource/it": "libreoffice-l10n-it",
         "/usr/lib/dovecot/imap": "dovecot-imapd",
         "/usr/share/doc/libpangoft2-1.0-0/copyright": "libpangoft2-1.0-0",
         "/usr/share/doc/libharfbuzz-subset0/copyright": "libharfbuzz-subset0"}
FONTS = ("fonts-dejavu", "fonts-liberation")


NO_INDEX = ("pip could not do it; its message stands above. "
            "Usually the network or the package index cannot be reached.")


class CannotGoOn(Exception):
    """The machine lacks something; the text says what was seen and what to do."""


def venv_python() -> Path:
    """The interpreter of the virtual environment."""
    return VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def pip(*arguments: str | Path) -> int:
    """Run the virtual environment's pip and return its exit code."""
    return run([venv_python(), "-m", "pip", "--disable-pip-version-check", *arguments])


def run(command: Sequence[str | Path], quiet: bool = False) -> int:
    """Run a command from the project's root and return its exit code; `quiet` hides its standard output.

    Python may keep what it has compiled, whatever the machine says: the tests start a thousand processes.
    """
    sys.stdout.flush()
    target = subprocess.DEVNULL if quiet else None
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.run([str(part) for part in command], cwd=ROOT, stdout=target, env=env, check=False).returncode


def is_debian() -> bool:
    """Whether this machine runs Debian itself, whose package names we know."""
    release = Path("/etc/os-release")
    lines = release.read_text(encoding="utf-8").splitlines() if release.is_file() else []
    return "ID=debian" in lines and shutil.which("apt-get") is not None


def may_install() -> bool:
    """Whether Debian packages can be installed without asking anybody."""
    return is_debian() and os.geteuid() == 0


def install_packages(packages: Sequence[str], missing: Sequence[str]) -> None:
    """Install Debian packages as root; elsewhere say which are needed. Raises `CannotGoOn`."""
    seen = f"Not found on this machine: {', '.join(missing)}."
    command = f"apt-get update && apt-get install -y --no-install-recommends {' '.join(packages)}"
    if not may_install():
        raise CannotGoOn(f"{seen}\nOn Debian, as root:\n    {command}\n"
                         "On another system install the programs of the same names, then run this again.")
    print(f"{seen} Installing {' '.join(packages)} ...")
    if run(["sh", "-c", f"export DEBIAN_FRONTEND=noninteractive; {command}"], quiet=True):
        raise CannotGoOn(f"{seen}\nThis failed:\n    {command}\nRead its message above, then run this again.")


def fingerprint() -> str:
    """What the environment is installed from: the files that decide it, and this Python."""
    digest = hashlib.sha256(sys.version.encode())
    for name in INSTALLED_FROM:
        path = ROOT / name
        digest.update(name.encode() + b"\0" + (path.read_bytes() if path.is_file() else b"") + b"\0")
    return digest.hexdigest()


def make_venv() -> None:
    """Make the virtual environment, unless a working one is there. Raises `CannotGoOn`."""
    if venv_python().is_file() and run([venv_python(), "-c", "import pip"], quiet=True) == 0:
        return
    if run([sys.executable, "-c", "import ensurepip"], quiet=True):  # Debian keeps it in a package of its own
        install_packages(["python3-venv"], ["Python's ensurepip (python3-venv)"])
    print("Making the virtual environment in .venv ...")
    if run([sys.executable, "-m", "venv", "--clear", VENV]):
        raise CannotGoOn("The virtual environment could not be made in .venv; the reason stands above.")


def make_ready(tools: bool) -> None:
    """Make the environment and install the project into it, when that has not been done yet. `tools`: with what
    developers need to test it, too.
    """
    wanted = [f"{fingerprint()} {what}" for what in ("with tools", "alone")]
    if STAMP.is_file() and venv_python().is_file():
        stamp = STAMP.read_text(encoding="utf-8")
        if stamp in (wanted[:1] if tools else wanted):
            return
    make_venv()
    print("Installing Arbitro and what it needs into .venv (a minute or two, once) ...")
    if pip("install", "--quiet", "--editable", ".[dev]" if tools else "."):
        raise CannotGoOn(NO_INDEX)
    STAMP.write_text(wanted[not tools], encoding="utf-8")


def make_wheel() -> int:
    """Make the one file from which Arbitro is installed elsewhere. Raises `CannotGoOn`."""
    make_venv()
    WHEELS.mkdir(exist_ok=True)
    for old in WHEELS.glob("arbitro-*.whl"):
        old.unlink()
    if pip("wheel", "--quiet", "--no-deps", "--wheel-dir", WHEELS, "."):
        raise CannotGoOn(NO_INDEX)
    (made,) = WHEELS.glob("arbitro-*.whl")
    print(f"Made: {made.relative_to(ROOT)}\nHow to install it: docs/referee.md; in Italian: docs/manuale-arbitro.md.")
    return 0


def make_site() -> int:
    """Build the documentation as a website and say how to read it."""
    code = run(python_module(*SITE))
    if code == 0:
        print("Made: site/index.html\nFor its search it wants a server: python3 -m http.server --directory site")
    return code


def compile_modules() -> None:
    """Compile our modules and catalogues, as pip and the build do for a package that is not editable: else each
    command may do it anew.
    """
    run([venv_python(), "-m", "compileall", "-q", ROOT / "assistant"])
    run([venv_python(), "-m", "assistant.edit_catalogue", "compile"])


def make_ready_for_slow_tests() -> None:
    """See that the programs that slow tests call are there, installing them where that is possible."""
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if is_debian():
        missing += [package for part, package in PARTS.items() if not Path(part).exists()]
    if missing:
        install_packages([*TOOLS.values(), *PARTS.values(), *FONTS], missing)


def python_module(*arguments: str) -> list[str | Path]:
    """A command that runs a module in the virtual environment."""
    return [venv_python(), "-m", *arguments]


LINT: dict[str, list[str]] = {
    "ruff": ["ruff", "check", "."],
    "mypy": ["mypy"],
    "message catalogues": ["assistant.edit_catalogue", "check"],
}
SITE = ["mkdocs", "build", "--strict"]
FAST = {"fast tests": ["pytest", "-n", "auto"]}
SLOW = {"slow tests": ["pytest", "-m", "slow", "-n", "auto"]}


def run_jobs(jobs: dict[str, list[str]]) -> int:
    """Run all jobs, also after one that failed; print a line for each at the end. Returns 0 or 1."""
    lines, failed = [], False
    for name, arguments in jobs.items():
        print(f"\n== {name}: python -m {' '.join(arguments)}")
        start = time.monotonic()
        if name in SLOW:
            make_ready_for_slow_tests()
        bad = run(python_module(*arguments)) != 0
        failed |= bad
        lines.append(f"  {'FAILED' if bad else 'passed':7} {name:20} {time.monotonic() - start:6.0f} s")
    print("\nSummary\n" + "\n".join(lines))
    return int(failed)


def demo_words(options: Sequence[str]) -> list[str]:
    """The words after `arbitro`: ``--lang`` goes before the command, and `DEMO` after it if no rulebook is named."""
    rest, language = list(options), list[str]()
    if "--lang" in rest:
        at = rest.index("--lang")
        language, rest[at:at + 2] = rest[at:at + 2], []
    return [*language, "demo", *([] if rest and not rest[0].startswith("-") else [DEMO]), *rest]


def main(arguments: Sequence[str]) -> int:
    """Do what the command line asks and return the exit code: 0 done, 1 failed, 2 wrong usage."""
    chosen = [{**LINT, **FAST, **SLOW}] if list(arguments) == ["test"] else []
    if list(arguments) == ["test", "--fast"]:
        chosen = [{**LINT, **FAST}]
    elif list(arguments) == ["lint"]:
        chosen = [LINT]
    if not chosen and arguments[:1] not in (["demo"], ["bench"]) and list(arguments) not in (["wheel"], ["docs"]):
        print(__doc__)
        return 0 if arguments[:1] in (["-h"], ["--help"], ["help"]) else 2
    if list(arguments) == ["wheel"]:
        return make_wheel()
    make_ready(tools=arguments[0] != "demo")
    compile_modules()
    if chosen:
        return run_jobs(chosen[0])
    if arguments[0] == "docs":
        return make_site()
    if arguments[0] == "demo":
        return run([venv_python().with_name("arbitro"), *demo_words(arguments[1:])])
    return run([venv_python(), "benchmarks/run.py", *arguments[1:]])


if __name__ == "__main__":
    if sys.version_info < OLDEST:
        sys.exit(f"Arbitro needs Python {OLDEST[0]}.{OLDEST[1]} or newer; this is {sys.version.split()[0]}.")
    try:
        sys.exit(main(sys.argv[1:]))
    except CannotGoOn as reason:
        sys.exit(str(reason))
    except KeyboardInterrupt:
        sys.exit(130)
