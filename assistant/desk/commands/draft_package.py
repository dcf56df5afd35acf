"""`rulesets --new`, `house`: write the package of a new rulebook, or of house rules that build on one."""

from __future__ import annotations

import inspect
import keyword
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from assistant.desk.commands.rulesets import find_ruleset, scenarios_of
from assistant.desk.results import Exit, Result
from assistant.desk.workspace.workspace import Abort, abort, folder_abort, open_workspace, require_folder
from assistant.drafts.answers import QUESTIONS, DraftQuestion, WrongAnswer, read_answer_file, read_answers
from assistant.drafts.package import house_package, names_of, new_package
from assistant.environment import machine_language
from assistant.ledger import LedgerTrouble
from assistant.ledger.store import PACKAGE_KEY
from assistant.turn import codes
from assistant.turn.dice import Purpose
from assistant.turn.house import named_steps, package_text
from assistant.turn.ruleset import Ruleset, installed
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording

Ask = Callable[[str, str, bool], str]
"""Asks a question: its text, what is usual, whether the answer is to be hidden."""
LONGEST_NAME = 30


def new_ruleset(name: str, answers: Path | None = None, *, ask: Ask | None = None, lang: str = "") -> Result:
    """Write a rulebook that can be installed and played at once, as a folder of its name, here.

    `answers`: a file with answers; without it `ask` asks, and without `ask` the questions are listed and nothing is
    written. Nothing is written, either, if the folder is there, the name is taken or none of Python's, or an answer
    cannot stand. Result data: ``ruleset``, ``folder``, ``files``; ``asked``: the questions that were listed.
    """
    try:
        folder = _free_folder(name, lang)
        usual_title = name.replace("_", " ").capitalize()
        words = Wording(None, lang or machine_language())
        if answers is None and ask is None:
            return _list_questions(usual_title, words)
        typed = _answers_of_file(answers, lang) if answers is not None else {}
        if answers is None and ask is not None:
            typed = {question.key: _ask_until_read(question, usual_title, words, ask) for question in QUESTIONS}
        told, wrong = read_answers(typed, usual_title)
        if wrong:
            raise _wrong_answers(wrong, lang, words)
        files = new_package(name, told)
        write_package(folder, files, lang)
    except Abort as stopped:
        return stopped.result("rulesets")
    return _result_of_package("rulesets", words, folder, files)


def _result_of_package(command: str, words: Wording, folder: Path, files: Collection[str]) -> Result:
    """What was written into a folder, and what is next. Result data: ``ruleset``, ``folder``, ``files``."""
    result, name = Result(command, wording=words), folder.name
    result.data.update(ruleset=name, folder=str(folder), files=list(files))
    result.say(words.plural(N_("{n} file was written to {folder}."), N_("{n} files were written to {folder}."),
                            len(files), folder=name))
    result.say(words.text(N_("What is next stands in {file}: install it, check it, play it."),
                          file=f"{name}/README.md"))
    for line in (f"pip install -e {name}", f"arbitro rulesets --check {name}", f"arbitro new {name} {name}.xlsx"):
        result.say(f"   {line}")
    return result


def _free_folder(name: str, lang: str) -> Path:
    """The folder of a new package. Raises `Abort` where the name cannot be used or something is there."""
    plain = name.isidentifier() and name.isascii() and name == name.casefold() and not keyword.iskeyword(name)
    if not plain or not any(letter.isalpha() for letter in name) or len(name) > LONGEST_NAME:
        raise abort(Exit.USAGE, codes.NO_PACKAGE_NAME, lang, name=Verbatim(name))
    folder = Path(name)
    require_folder(folder, lang)
    if os.path.lexists(folder):
        raise abort(Exit.FILE, codes.FOLDER_EXISTS, lang, folder=folder.name)
    if name in installed() or any(find_spec(one) is not None for one in (name, names_of(name)["package"])):
        raise abort(Exit.USAGE, codes.NAME_TAKEN, lang, name=Verbatim(name), list=", ".join(installed()))
    return folder


def _answers_of_file(path: Path, lang: str) -> dict[str, str]:
    try:
        typed, strange = read_answer_file(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError as no:
        raise abort(Exit.FILE, codes.FILE_MISSING, lang, file=path.name) from no
    except UnicodeDecodeError as no:
        raise abort(Exit.REFUSED, codes.BAD_ANSWERS, lang, file=path.name, seen="") from no
    if strange:
        raise abort(Exit.REFUSED, codes.BAD_ANSWERS, lang, file=path.name, seen=Verbatim(strange[0][:80]))
    return typed


def _wrong_answers(wrong: Sequence[WrongAnswer], lang: str, words: Wording) -> Abort:
    return Abort(Exit.REFUSED, [codes.finding(
        codes.WRONG_ANSWER, key=one.key, seen=one.seen,
        wanted=Verbatim(words.text(one.wanted) if one.wanted else "")) for one in wrong], lang, words)


def _question_text(question: DraftQuestion, words: Wording) -> str:
    return f"{words.text(question.text)} [{words.text(question.wanted)}]"


def _ask_until_read(question: DraftQuestion, usual_title: str, words: Wording, ask: Ask) -> str:
    """Ask until the answer can stand."""
    usual = words.text(question.usual) if question.usual else usual_title
    while True:
        typed = ask(_question_text(question, words), usual, False).strip() or usual
        if question.read(typed) is not None:
            return typed


def _list_questions(usual_title: str, words: Wording) -> Result:
    """Say what is to be answered, as a file of answers that can be used as it is."""
    result = Result("rulesets", Exit.WAITING, wording=words)
    result.say(words.text(N_("Write the answers into a text file, a line each. If nothing is said, this counts:")))
    asked = [{"key": one.key, "text": _question_text(one, words),
              "usual": words.text(one.usual) if one.usual else usual_title} for one in QUESTIONS]
    for question in asked:
        result.lines += [f"# {question['text']}", f"{question['key']}: {question['usual']}"]
    result.say(words.text(N_("Then run the command again with --answers and that file. Nothing was changed.")))
    result.data["asked"] = asked
    return result


def write_package(folder: Path, files: Mapping[str, str], lang: str) -> None:
    """Write a folder that is not there yet, whole or not at all. `files`: path within it -> text. Raises `Abort`."""
    made = None
    try:
        made = Path(tempfile.mkdtemp(prefix=".arbitro-", dir=folder.parent))
        for path, text in files.items():
            place = made / "new" / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8", newline="\n")
        os.rename(made / "new", folder)
    except OSError as fault:
        raise folder_abort(fault, folder, N_("the package"), lang) from fault
    finally:
        if made is not None:
            shutil.rmtree(made, ignore_errors=True)


# House rules with code.


def house(of: str, name: str | None = None, *, accept: bool = False, lang: str = "") -> Result:
    """What a package of house rules may change of a rulebook (its id in `of`); or, with a `name`, write such a package
    as a folder of that name, here; or, with `accept`, let the campaign in the workbook `of` go on with the house rules
    that are installed now.

    Result data: ``ruleset``, ``steps``, ``public``; ``folder``, ``files``; ``package``.
    """
    try:
        if accept:
            return _accept_package(Path(of), lang)
        book = find_ruleset(of, lang)
        words = Wording(book, lang or machine_language())
        if name is None:
            return _list_public(book, words)
        folder = _free_folder(name, lang)
        files = house_package(name, of, book.title, next(iter(scenarios_of(book)), ""))
        write_package(folder, files, lang)
    except Abort as stopped:
        return stopped.result("house")
    return _result_of_package("house", words, folder, files)


def _list_public(book: Ruleset, words: Wording) -> Result:
    """The steps by their names, those of alike phases once, and what may be used."""
    result = Result("house", wording=words)
    steps, public = _steps_once(book), {name: _first_line(one) for name, one in book.public.items()}
    result.data.update(ruleset=book.id, steps=steps, public=public)
    result.say(words.text(N_("Steps that a package may replace, or put something before or after:")))
    result.lines += [f"   {name}" for name in steps]
    if public:
        result.say(words.text(N_("What it may use of {title}:"), title=Verbatim(book.title)))
        result.lines += [f"   {name}: {told}" if told else f"   {name}" for name, told in public.items()]
    result.say(words.text(N_("How to begin, with a name of your own: arbitro house {ruleset} mine"), ruleset=book.id))
    return result


def _steps_once(book: Ruleset) -> list[str]:
    """Names of steps; of phases that are numbered and alike the number is a star."""
    names = list(named_steps(book.calendar))
    starred = [re.sub(r"\d+", "*", name) for name in names]
    return list(dict.fromkeys(star if starred.count(star) > 1 else name
                              for name, star in zip(names, starred, strict=True)))


def _first_line(thing: object) -> str:
    if isinstance(thing, Purpose):
        return f"{thing.shape} {thing.dice}".rstrip()
    told = inspect.getdoc(thing) if callable(thing) else None
    return (told or "").split("\n", maxsplit=1)[0]


def _accept_package(path: Path, lang: str) -> Result:
    """Note in the ledger that the campaign is played with the installed package from now on. Raises `Abort`."""
    sitting = open_workspace(path, lang, of_any_package=True)
    here = package_text(sitting.ruleset)
    if not here:
        raise abort(Exit.REFUSED, codes.NO_PACKAGE, sitting.lang, sitting.wording, file=path.name)
    with sitting.claim("house --accept"), sitting.ledger() as ledger:
        try:
            ledger.note(PACKAGE_KEY, here)
        except LedgerTrouble as trouble:
            raise sitting.ledger_stop(trouble) from trouble
    result = Result("house", wording=sitting.wording)
    result.data["package"] = here
    result.say(sitting.wording.text(N_("From now on the campaign is played with {package}."), package=Verbatim(here)))
    return result
