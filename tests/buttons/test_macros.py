"""Workbooks with buttons: the macro project, the bindings, the settings, and everything else as it was."""

from __future__ import annotations

import io
import re
import warnings
from pathlib import Path

import olefile
import openpyxl
import pytest
import xlwings as xw

from assistant import desk
from assistant.buttons import workbook_buttons as conf
from assistant.buttons.press import BUTTONS, Button
from assistant.buttons.vba_project import (
    UnreadableProject,
    VbaModule,
    compress,
    expand,
    has_no_code,
    project_bytes,
    read_sources,
    strip_export_head,
)
from assistant.buttons.workbook_buttons import (
    MACRO_TYPE,
    OUR_MODULE,
    MacrosAdded,
    OtherMacros,
    SheetTaken,
    add_buttons,
    add_buttons_to_bytes,
    fingerprint,
    foreign_macros,
    has_buttons,
    module_source,
    with_buttons,
)
from assistant.desk.workspace.workspace import open_workspace
from assistant.environment import dated_backups
from assistant.workbook.file_book import open_book
from assistant.workbook.ooxml.book import OoxmlBook
from tests.buttons import engine
from tests.buttons.vba_runner import NotUnderstood, Runner
from tests.playing import arbitro, members
from tests.workbook.feast import loader, plain, workbook

pytestmark = pytest.mark.slow  # each makes a workbook with buttons


@pytest.fixture
def feast(tmp_path: Path) -> Path:
    """The Feast's workbook, without macros."""
    return workbook(tmp_path / "feast.xlsx")


@pytest.fixture
def made(feast: Path) -> Path:
    """The same with buttons."""
    path = feast.with_suffix(".xlsm")
    path.write_bytes(with_buttons(feast.read_bytes(), "it"))
    return path


def by_olevba(path: Path) -> dict[str, str]:
    """The modules as oletools reads them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it is built on old names of pyparsing
        from oletools.olevba import VBA_Parser
    return {name.rsplit(".", 1)[0]: code.replace("\r\n", "\n")
            for _, _, name, code in VBA_Parser(str(path)).extract_macros()}


# --- the project -----------------------------------------------------------------------------------
def test_oletools_reads_the_sources_as_they_were_written(made: Path) -> None:
    """Our Subs, xlwings' own modules from the installed package, and a module a document."""
    found = by_olevba(made)
    package = Path(xw.__file__).parent

    assert found[OUR_MODULE].split("\n", 1)[1].strip() == module_source().strip()
    assert (
        found["xlwings"].split("\n", 1)[1].strip() == strip_export_head((package / "xlwings.bas").read_text()).strip()
    )
    assert {"ThisWorkbook", "Dictionary", OUR_MODULE, "xlwings"} < set(found)


def test_the_project_holds_source_only_and_is_a_sound_compound_file(made: Path) -> None:
    """No compiled code that could say something else than the source, no leftover, no defect."""
    binary = members(made.read_bytes())["xl/vbaProject.bin"]
    ole = olefile.OleFileIO(io.BytesIO(binary), raise_defects=olefile.DEFECT_INCORRECT)

    assert ole.openstream("VBA/_VBA_PROJECT").read() == bytes.fromhex("cc61ffff000000")
    assert not [s for s in ole.listdir() if s[-1].startswith("__SRP_")]
    assert not ole.parsing_issues
    assert b'DPB="' in ole.openstream("PROJECT").read()


def test_each_document_has_the_module_of_its_code_name(made: Path) -> None:
    """Workbook and sheets bear code names, each once, and each is a module."""
    parts = members(made.read_bytes())
    named = [name.decode() for part, data in parts.items() if part.startswith("xl/w") and part.endswith(".xml")
             for name in re.findall(rb'<(?:workbookPr|sheetPr)[^>]* codeName="(\w+)"', data)]

    assert len(named) == len(set(named)) == len(openpyxl.load_workbook(made).sheetnames) + 1
    assert set(named) == set(by_olevba(made)) - {OUR_MODULE, "xlwings", "Dictionary"}


def test_every_button_is_bound_to_its_own_public_sub(made: Path) -> None:
    """Nine buttons on one sheet, each with a Sub of its own, in the workbook's language."""
    drawings = {part: data.decode() for part, data in members(made.read_bytes()).items() if part.endswith(".vml")
                and b"FmlaMacro" in data}
    assert len(drawings) == 1
    drawing = next(iter(drawings.values()))

    bound = re.findall(r"<x:FmlaMacro>\[0\]!(\w+)</x:FmlaMacro>", drawing)
    assert (
        bound == [one.sub for one in BUTTONS] == re.findall(r"(?m)^Public Sub (\w+)\(\)", by_olevba(made)[OUR_MODULE])
    )
    assert all(button.it in drawing for button in BUTTONS)


def test_the_main_part_says_that_there_are_macros(made: Path) -> None:
    """Excel refuses an .xlsm whose main part calls itself a plain workbook."""
    types = members(made.read_bytes())["[Content_Types].xml"].decode()

    assert types.count(MACRO_TYPE) == 1
    assert "spreadsheetml.sheet.main+xml" not in types
    assert "application/vnd.ms-office.vbaProject" in types


# --- each Sub is run -------------------------------------------------------------------------------
@pytest.mark.parametrize("button", BUTTONS, ids=lambda one: one.verb)
def test_each_sub_runs_and_reaches_python(button: Button, made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interpreter runs the Sub as oletools reads it; what it hands to RunPython runs and presses its button."""
    pressed: list[str] = []
    commands: list[str] = []
    monkeypatch.setattr("assistant.buttons.excel.press_on", lambda book, verb: pressed.append(verb))
    engine.activate()
    book = xw.Book(str(made))
    book.set_mock_caller()
    try:
        Runner(by_olevba(made)[OUR_MODULE], {"RunPython": commands.append}).run(button.sub)
        exec(commands[0], {})
    finally:
        del xw.Book._mock_caller  # type: ignore[attr-defined]
        book.close()

    assert pressed == [button.verb]


def test_the_interpreter_refuses_what_it_does_not_know() -> None:
    """A Sub with anything else in it cannot pass."""
    with pytest.raises(NotUnderstood):
        Runner("Public Sub A()\n    If x Then\nEnd Sub\n", {}).run("A")
    with pytest.raises(NotUnderstood):
        Runner("Dim x\n", {})


# --- which Python ------------------------------------------------------------------------------------
def test_the_interpreter_is_named_in_full_and_nothing_beside_the_workbook_is_imported(made: Path) -> None:
    """Each setting by which xlwings decides what runs stands on the hidden sheet, where it wins over any file."""
    said = conf.read_conf(OoxmlBook(made.read_bytes()))
    asked = set(re.findall(r'GetConfig\("([^"]+)"', (Path(xw.__file__).parent / "xlwings.bas").read_text()))
    finds_folders = {key for key in asked if key.startswith(("ONEDRIVE", "SHAREPOINT"))}

    assert asked - finds_folders <= set(said)
    assert said["INTERPRETER_WIN"] == said["INTERPRETER_MAC"] == conf.interpreter()
    assert Path(said["INTERPRETER_WIN"]).is_file()
    assert (said["ADD_WORKBOOK_TO_PYTHONPATH"], said["PYTHONPATH"]) == ("False", "")
    assert openpyxl.load_workbook(made)[conf.SHEET].sheet_state == "veryHidden"


# --- nothing else --------------------------------------------------------------------------------------
def test_nothing_else_of_the_workbook_is_changed(feast: Path, made: Path) -> None:
    """Every part is as it was, but for code names, the buttons' drawing on the Desk, and the lists of parts."""
    before, after = members(feast.read_bytes()), members(made.read_bytes())
    lists = {"[Content_Types].xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/styles.xml"}

    def bare(data: bytes) -> bytes:
        data = re.sub(rb'<sheetPr codeName="\w+"/>', b"", data)
        data = re.sub(rb' codeName="\w+"', b"", data)
        data = re.sub(rb'<Relationship Id="rIdArbitro\d+" Type="[^"]*/vmlDrawing"[^>]*/>', b"", data)
        return re.sub(rb"<legacyDrawing [^>]*/>", b"", data)

    changed = [part for part in before if part not in lists and bare(after[part]) != bare(before[part])]
    assert changed == []
    fresh = set(after) - set(before)
    assert {"xl/vbaProject.bin"} < fresh
    assert len(fresh) <= 5
    assert plain(open_book(made, loader).read().campaign) == plain(open_book(feast, loader).read().campaign)


def test_buttons_that_are_there_are_renewed_and_not_doubled(made: Path) -> None:
    """A second time changes nothing but the interpreter that is called."""
    again = with_buttons(made.read_bytes(), "en", python="/elsewhere/python")

    drawing = next(data for part, data in members(again).items() if part.endswith(".vml") and b"FmlaMacro" in data)
    assert drawing.count(b"<x:FmlaMacro>") == len(BUTTONS)
    assert conf.read_conf(OoxmlBook(again))["INTERPRETER_MAC"] == "/elsewhere/python"
    assert with_buttons(again, "en", python="/elsewhere/python") == again
    assert has_buttons(OoxmlBook(again))


def test_marks_come_and_go_beside_the_buttons(made: Path) -> None:
    """Notes share the drawing with the buttons of a sheet; when the last one goes the buttons stay."""
    from assistant.turn.findings import Finding, Where
    from tests.workbook.feast import wording

    book = open_book(made, loader)
    cell = next(iter(book.read().cells.desk.values()))
    found = Finding("ARB-044", "error", Where("Desk"), {"seen": "x"}, "", f"Desk!{cell[0]}{cell[1]}")
    for findings in ([found], []):
        book = open_book(made, loader)
        book.read()
        book.mark(findings, wording())

    assert has_buttons(OoxmlBook(made.read_bytes()))


def test_macros_of_somebody_else_are_not_touched(feast: Path, made: Path) -> None:
    """A project with any other code in it, or one that cannot be read, is refused."""
    book = OoxmlBook(made.read_bytes())
    documents = [VbaModule(name) for name in ("ThisWorkbook", "Sheet1")]
    theirs = project_bytes(
        [*documents, VbaModule(OUR_MODULE, module_source()), VbaModule("Module1", "Sub Mine()\nEnd Sub")]
    )
    for binary in (theirs, b"nonsense", theirs[:900]):
        book.package.put("xl/vbaProject.bin", binary)
        with pytest.raises(OtherMacros):
            with_buttons(book.package.pack(), "en")


def test_a_macro_that_the_referee_wrote_into_our_module_is_not_lost(made: Path) -> None:
    """Nor one in a module of xlwings, nor a line that was changed: the module and the macro are named."""
    with_own = module_source() + "\nPublic Sub MyOwnMacro()\n    MsgBox 1\nEnd Sub\n"
    xlwings = strip_export_head((Path(xw.__file__).parent / "xlwings.bas").read_text())
    changed = module_source().replace('PressButton "check"', 'MsgBox "hello"')
    for module, text, macros in ((OUR_MODULE, with_own, ["MyOwnMacro"]), (OUR_MODULE, changed, []),
                                 ("xlwings", f"{xlwings}\nFunction Mine()\nEnd Function\n", ["Mine"])):
        book = OoxmlBook(made.read_bytes())
        written = {OUR_MODULE: module_source(), "xlwings": xlwings} | {module: text}
        book.package.put("xl/vbaProject.bin", project_bytes([VbaModule(name, code) for name, code in written.items()]))
        with pytest.raises(MacrosAdded) as told:
            with_buttons(book.package.pack(), "en")
        assert (told.value.module, told.value.macros) == (module, macros)


def test_what_excel_and_other_versions_write_is_still_ours(made: Path) -> None:
    """Excel adds lines of its own and its own capitals; another Arbitro had more buttons or fewer, other modules."""
    another = 'Public Sub Arbitro_Later()\n    PressButton "later"\nEnd Sub\n\n'
    later = module_source().replace("Private Sub", f"{another}Private Sub")
    saved = module_source().replace("verb", "Verb").replace(
        "    PressButton \"check\"", 'Attribute Arbitro_CheckOrders.VB_ProcData.VB_Invoke_Func = " \\n14"\n'
        '  PressButton   "check"')
    known = conf.read_conf(OoxmlBook(made.read_bytes()))[conf.MODULES].split()
    other = "Sub OfAnotherVersion()\nEnd Sub\n"

    assert foreign_macros({OUR_MODULE: later}) is foreign_macros({OUR_MODULE: saved}) is None
    assert len(known) == 3
    assert foreign_macros({"xlwings": other}, fingerprint(other)) is None
    assert foreign_macros({"xlwings": other}) == ("xlwings", ["OfAnotherVersion"])


def test_a_clubs_own_sheet_of_that_name_is_not_touched(feast: Path) -> None:
    """Whoever uses xlwings already keeps its settings."""
    club = openpyxl.load_workbook(feast)
    club.create_sheet(conf.SHEET)["A1"] = "PYTHONPATH"
    club.save(feast)

    with pytest.raises(SheetTaken):
        with_buttons(feast.read_bytes(), "en")


# --- the project's own forms -----------------------------------------------------------------------
@pytest.mark.parametrize("text", ["", "a", "abc" * 3000, "x" * 4096,
                                  "".join(chr(32 + n * n * 7 % 90) for n in range(9000))])
def test_compression_comes_back(text: str) -> None:
    """What is compressed expands to the same bytes, whatever it repeats and however long it is."""
    assert expand(compress(text.encode())) == text.encode()


def test_our_own_reader_sees_what_oletools_sees(made: Path) -> None:
    """Module by module the same text; and it raises for what is no project."""
    ours = read_sources(members(made.read_bytes())["xl/vbaProject.bin"])

    assert {name: text.replace("\r\n", "\n") for name, text in ours.items()} == by_olevba(made)
    assert has_no_code(ours["ThisWorkbook"])
    assert not has_no_code(ours[OUR_MODULE])
    odd = bytearray(project_bytes([VbaModule("Module1", "Sub Mine()\nEnd Sub")]))
    odd[33] = 0xFF  # sectors of a size that no file has
    for bad in (b"", b"PK\x03\x04", bytes.fromhex("D0CF11E0A1B11AE1") + bytes(600), bytes(odd)):
        with pytest.raises(UnreadableProject):
            read_sources(bad)


# --- the commands ------------------------------------------------------------------------------------
def test_arbitro_buttons_makes_a_workbook_beside_the_other(book: Path) -> None:
    """The .xlsx stays as it is; what it makes is played on with the same ledger."""
    before = book.read_bytes()

    result = add_buttons(book, lang="en")

    assert result.exit == desk.Exit.DONE
    assert book.read_bytes() == before
    assert desk.status(book.with_suffix(".xlsm")).data["ledger"] == "ok"
    assert desk.resolve(book.with_suffix(".xlsm")).exit == desk.Exit.DONE
    assert has_buttons(OoxmlBook(book.with_suffix(".xlsm").read_bytes()))
    assert add_buttons(book, lang="en").findings[0].code == "ARB-248"
    assert add_buttons(book.with_suffix(".xlsm"), lang="en").exit == desk.Exit.DONE


def test_of_two_workbooks_the_later_one_is_never_replaced(book: Path) -> None:
    """Not even with --force: where the campaign has gone on is told by the ledger, and how to play on."""
    made = book.with_suffix(".xlsm")
    add_buttons(book, lang="en")
    desk.resolve(made)
    later = made.read_bytes()

    for force in (False, True):
        result = add_buttons(book, force=force, lang="en")
        assert (result.exit, [f.code for f in result.findings]) == (desk.Exit.FILE, ["ARB-248"])
        assert "delete" not in result.finding_lines()[0]
    assert made.read_bytes() == later

    assert desk.undo(made).exit == desk.Exit.DONE
    assert add_buttons(book, lang="en").findings[0].code == "ARB-249"


def test_the_older_of_two_workbooks_is_replaced_when_it_is_meant(book: Path) -> None:
    """The campaign went on in the plain one; the other is kept, and it is said where."""
    made = book.with_suffix(".xlsm")
    add_buttons(book, lang="en")
    older = made.read_bytes()
    desk.resolve(book)

    assert [f.code for f in add_buttons(book, lang="en").findings] == ["ARB-249"]
    assert made.read_bytes() == older
    done = add_buttons(book, force=True, lang="en")

    assert done.exit == desk.Exit.DONE
    assert "What stood in war.xlsm before is kept in the folder war-backups." in done.lines
    assert older in [backup.read_bytes() for backup in dated_backups(made)]
    assert desk.status(made).data["phase"] == desk.status(book).data["phase"]


def test_without_a_ledger_the_later_of_two_is_told_by_what_has_happened(book: Path) -> None:
    """More events, later; and that there is no ledger is said, not that both have the same."""
    made = book.with_suffix(".xlsm")
    add_buttons(book, lang="en")
    desk.resolve(made)
    book.with_suffix(".arbitro").unlink()

    assert [f.code for f in add_buttons(book, force=True, lang="en").findings] == ["ARB-248"]
    made.unlink()
    done = add_buttons(book, lang="en")
    assert (done.exit, any("same ledger" in line for line in done.lines)) == (desk.Exit.DONE, False)
    assert done.lines[-1].startswith("The ledger war.arbitro is missing")


@pytest.mark.parametrize(("asked", "spoken"), [("", "ha i suoi pulsanti"), ("en", "has its buttons")])
def test_of_an_italian_campaign_it_speaks_italian(book: Path, asked: str, spoken: str) -> None:
    """The language of the campaign, unless another is asked for; so does doctor."""
    from assistant.buttons.excel_setup import doctor

    opened = openpyxl.load_workbook(book)
    opened["Desk"]["{}{}".format(*open_workspace(book).reading.cells.desk["language"])].value = "it"
    opened.save(book)

    assert spoken in add_buttons(book, lang=asked).lines[0]
    wording = doctor(book, lang=asked).wording
    assert wording is not None
    assert wording.lang == (asked or "it")


def test_macros_in_a_workbook_that_is_to_be_replaced_are_not_lost(book: Path) -> None:
    """--force is about the workbook with buttons, not about what the referee wrote into it."""
    made = book.with_suffix(".xlsm")
    add_buttons(book, lang="en")
    theirs = OoxmlBook(made.read_bytes())
    theirs.package.put("xl/vbaProject.bin", project_bytes([VbaModule("Module1", "Sub Mine()\nEnd Sub")]))
    made.write_bytes(theirs.package.pack())

    assert [f.code for f in add_buttons(book, force=True, lang="en").findings] == ["ARB-195"]


def test_what_is_no_campaign_gets_no_buttons(tmp_path: Path) -> None:
    """They would find nothing in it; how to make a campaign of it is said."""
    shop = tmp_path / "shop.xlsx"
    openpyxl.Workbook().save(shop)

    result = add_buttons(shop, lang="en")

    assert (result.exit, [f.code for f in result.findings]) == (desk.Exit.FILE, ["ARB-004"])
    assert "arbitro adopt" in result.finding_lines()[0]
    assert not shop.with_suffix(".xlsm").exists()


@pytest.mark.parametrize(("system", "said"), [("linux", True), ("win32", False), ("darwin", False)])
def test_where_there_is_no_excel_it_is_said_whose_buttons_these_are(system: str, said: bool, book: Path,
                                                                    folder: Path, tmp_path: Path,
                                                                    monkeypatch: pytest.MonkeyPatch) -> None:
    """LibreOffice shows them and does nothing at a click: both commands that make them say where its own are."""
    monkeypatch.setattr("sys.platform", system)
    made = add_buttons(book, lang="en")
    new = arbitro("new", "tiny", tmp_path / "other.xlsm", "--from", folder)

    assert new.exit_code == 0, new.output
    assert any("arbitro setup libreoffice" in line for line in made.lines) is said
    assert ("arbitro setup libreoffice" in new.output) is said


@pytest.mark.parametrize(("name", "content", "code"), [
    ("x.ods", b"", "ARB-194"), ("x.xlsx", None, "ARB-075"), ("x.xlsx", b"nothing", "ARB-001")])
def test_what_cannot_get_buttons_is_named(name: str, content: bytes | None, code: str, tmp_path: Path) -> None:
    """A wrong ending, no file, no workbook."""
    if content is not None:
        (tmp_path / name).write_bytes(content)

    assert [f.code for f in add_buttons(tmp_path / name, lang="en").findings] == [code]


def test_a_new_campaign_may_have_its_buttons_at_once(folder: Path, tmp_path: Path) -> None:
    """``arbitro new ... campaign.xlsm``: Desk with buttons, and what to click instead of what to type."""
    path = tmp_path / "war.xlsm"
    plan = desk.NewPlan(
        "tiny", folder=folder, secret="5e" * 32, dress=lambda data, lang: add_buttons_to_bytes(data, lang, path.name)
    )

    assert desk.new_campaign(plan, path).exit == desk.Exit.DONE
    assert has_buttons(OoxmlBook(path.read_bytes()))
    said = [c.value for row in openpyxl.load_workbook(path)["Desk"].iter_rows() for c in row if c.value]
    assert "2.  Click Check orders." in said
    assert not any("arbitro " in str(text) for text in said)
