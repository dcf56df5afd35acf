"""`rulesets --new`: writes the package of a new rulebook, of answers to a dozen questions."""

from __future__ import annotations

import keyword
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from assistant.desk.results import Exit, Result
from assistant.desk.workspace.workspace import Abort, abort, folder_abort, require_folder
from assistant.drafts.answers import QUESTIONS, DraftQuestion, WrongAnswer, read_answer_file, read_answers
from assistant.drafts.package import names_of, new_package
from assistant.environment import machine_language
from assistant.turn import codes
from assistant.turn.ruleset import installed
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
    result = Result("rulesets", wording=words)
    result.data.update(ruleset=name, folder=str(folder), files=list(files))
    result.say(words.plural(N_("{n} file was written to {folder}."), N_("{n} files were written to {folder}."),
                            len(files), folder=folder.name))
    result.say(words.text(N_("What is next stands in {file}: install it, check it, play it."),
                          file=f"{folder.name}/README.md"))
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
