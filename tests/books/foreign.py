"""Club workbooks as foreign programs make them: XlsxWriter, openpyxl, pandas, and by hand. Valid files, all of them."""

from __future__ import annotations

import datetime as dt
import io
import re
import struct
import zipfile
from collections.abc import Callable
from typing import Any

import openpyxl
import pandas
import xlsxwriter
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation

from tests.playing import workbook_bytes

Members = list[tuple[str, bytes]]
SPACE = "http://schemas.openxmlformats.org"
RELATED = f"{SPACE}/officeDocument/2006/relationships"
TITLES = ("a'b", "Lega & Co", "<x>", "100%", "è à", "日本語", "A1", "R1C1", "  spazi  ", " ", "🎲", "x" * 31, "#REF")


# --- by programs ----------------------------------------------------------------------------------
def xlsxwriter_book(**options: Any) -> bytes:
    """Most that XlsxWriter can put into a workbook, feature by feature on sheets of their own."""
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, {"in_memory": True, **options})
    data = book.add_worksheet("Dati")
    for number in range(12):
        data.write_row(number, 0, [f"U{number}", f"N{number % 4}", number * 7])
    for feature in (_drawn, _judged, _reckoned, _laid_out, _written):
        feature(book)
    for title in TITLES:
        book.add_worksheet(title).write(0, 0, title)
    book.close()
    return out.getvalue()


def _drawn(book: Any) -> None:
    sheet = book.add_worksheet("Disegni")
    for number, kind in enumerate(("area", "bar", "doughnut", "line", "pie", "radar", "scatter")):
        chart = book.add_chart({"type": kind})
        chart.add_series({"values": "=Dati!$C$2:$C$9", "categories": "=Dati!$A$2:$A$9"})
        sheet.insert_chart(20 * number, 5, chart)
    sheet.insert_textbox("B2", "text")
    sheet.insert_button("B9", {"macro": "say", "caption": "Press"})
    sheet.insert_checkbox("A1", True)
    sheet.write_comment("A3", "ciao " * 500, {"visible": True})
    sheet.add_sparkline("D2", {"range": "Dati!A2:C2"})
    alone = book.add_chart({"type": "line"})
    alone.add_series({"values": "=Dati!$C$2:$C$9"})
    book.add_chartsheet("Grafico").set_chart(alone)


def _judged(book: Any) -> None:
    sheet = book.add_worksheet("Regole")
    for rule in ({"type": "cell", "criteria": ">", "value": 3, "format": book.add_format({"bold": 1})},
                 {"type": "3_color_scale"}, {"type": "data_bar", "data_bar_2010": True},
                 {"type": "icon_set", "icon_style": "3_arrows"}, {"type": "duplicate"}):
        sheet.conditional_format("C1:C20", rule)
    sheet.data_validation("A1:A20", {"validate": "list", "source": ["a", "b"]})
    sheet.add_table(0, 5, 9, 7, {"total_row": 1, "columns": [{"header": "Unit", "total_string": "Total"}, {
        "header": "Gold", "total_function": "sum"}, {"header": "When", "formula": "=[@Gold]*2"}]})
    other = book.add_worksheet("Filtri")
    other.autofilter("A1:C11")
    other.filter_column("A", "x == U3")
    other.protect("pw", {"sort": True})


def _reckoned(book: Any) -> None:
    sheet = book.add_worksheet("Conti")
    for number, text in enumerate(("=SUM(Dati!C2:C9)", "=VLOOKUP(A2,Dati!A:C,3,0)", "=_xlfn.XLOOKUP(A2,A:A,C:C)",
                                   '=IFERROR(1/0,"")', '=INDIRECT("A1")', "=TODAY()")):
        sheet.write_formula(number, 6, text)
    sheet.write_array_formula("H1:H3", "{=C2:C4*2}")
    sheet.write_dynamic_array_formula("J1", "=_xlfn.UNIQUE(B2:B9)")
    book.define_name("rate", "=0.5")
    book.define_name("big", "=OFFSET(Dati!$A$1,0,0,COUNTA(Dati!$A:$A),1)")
    book.define_name("ToC", "=_xlfn.LAMBDA(_xlpm.t, (5/9)*(_xlpm.t-32))")


def _laid_out(book: Any) -> None:
    sheet = book.add_worksheet("Stampa")
    sheet.print_area("A1:C4")
    sheet.repeat_rows(0)
    sheet.fit_to_pages(1, 0)
    sheet.set_footer("&P")
    sheet.freeze_panes(1, 1)
    sheet.set_column("B:D", 9, None, {"level": 2, "collapsed": True})
    sheet.set_row(3, None, None, {"level": 1, "hidden": True})
    sheet.right_to_left()
    book.add_worksheet("nascosto").very_hidden()
    book.set_custom_property("Serata", dt.datetime(2020, 1, 1))


def _written(book: Any) -> None:
    sheet = book.add_worksheet("Testi")
    sheet.write_rich_string("A1", "a ", book.add_format({"bold": 1}), "bold", " c")
    sheet.write_url("A2", "https://example.org/?a=1&b=2")
    sheet.write_url("A4", "external:other.xlsx")
    sheet.merge_range("B2:D4", "merged")
    sheet.write_boolean("A6", True)
    sheet.write_datetime("A8", dt.datetime(2024, 1, 2, 3, 4), book.add_format({"num_format": "dd/mm/yy hh:mm"}))
    sheet.write(1048575, 16383, "the last cell")


def openpyxl_book() -> bytes:
    """Most that openpyxl can."""
    book = openpyxl.Workbook()
    sheet: Any = book.active
    for number in range(15):
        sheet.append([f"U{number}", number, number * 2.5, dt.date(2024, 1, 1 + number)])
    chart = BarChart()
    chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=9))
    sheet.add_chart(chart, "F1")
    sheet["A1"].comment = Comment("x", "y")
    sheet.merge_cells("F30:H34")
    rule = DataValidation(type="list", formula1='"a,b"')
    sheet.add_data_validation(rule)
    rule.add("A1:A9")
    sheet.protection.sheet = True
    sheet.print_title_rows = "1:2"
    book.defined_names["x"] = DefinedName("x", attr_text="Sheet!$A$1")
    other = BarChart()
    other.add_data(Reference(sheet, min_col=2, min_row=1, max_row=9))
    book.create_chartsheet().add_chart(other)
    book.create_sheet("c").sheet_state = "veryHidden"
    return workbook_bytes(book)


def openpyxl_again() -> bytes:
    """What openpyxl leaves of a workbook of XlsxWriter."""
    return workbook_bytes(openpyxl.load_workbook(io.BytesIO(xlsxwriter_book())))


def openpyxl_stream() -> bytes:
    """As openpyxl writes long sheets."""
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("w")
    for number in range(3000):
        sheet.append([number, f"t{number}"])
    return workbook_bytes(book)


def pandas_book(engine: str) -> bytes:
    """Tables of pandas, with an index of two levels."""
    frame = pandas.DataFrame({"a": range(30), "b": [f"x{n}" for n in range(30)],
                              "c": pandas.date_range("2024", periods=30)})
    out = io.BytesIO()
    with pandas.ExcelWriter(out, engine=engine) as writer:  # type: ignore[call-overload]
        frame.to_excel(writer, sheet_name="plain", freeze_panes=(1, 1))
        frame.set_index(["a", "b"]).to_excel(writer, sheet_name="levels", startrow=3)
    return out.getvalue()


BY_PROGRAMS: dict[str, Callable[[], bytes]] = {
    "XlsxWriter": xlsxwriter_book, "XlsxWriter from 1904": lambda: xlsxwriter_book(date_1904=True),
    "XlsxWriter in zip64": lambda: xlsxwriter_book(use_zip64=True),
    "XlsxWriter in constant memory": lambda: xlsxwriter_book(constant_memory=True),
    "openpyxl": openpyxl_book, "openpyxl after XlsxWriter": openpyxl_again, "openpyxl in a stream": openpyxl_stream,
    "pandas by openpyxl": lambda: pandas_book("openpyxl"), "pandas by XlsxWriter": lambda: pandas_book("xlsxwriter")}


# --- by hand --------------------------------------------------------------------------------------
def _members(data: bytes) -> Members:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [(member.filename, archive.read(member)) for member in archive.infolist()]


def _packed(members: Members, *, date: tuple[int, ...] = (1980, 1, 1, 0, 0, 0), extra: bytes = b"",
            folders: bool = False) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for folder in sorted({name.rpartition("/")[0] + "/" for name, _ in members if "/" in name}) if folders else ():
            archive.writestr(folder, b"")
        for name, data in members:
            info = zipfile.ZipInfo(name, date)  # type: ignore[arg-type]
            info.compress_type, info.extra = zipfile.ZIP_DEFLATED, extra
            archive.writestr(info, data)
    return out.getvalue()


def _each(data: bytes, of: str, change: Callable[[bytes], bytes]) -> bytes:
    return _packed([(name, change(was) if re.search(of, name) else was) for name, was in _members(data)])


def _without(data: bytes, part: bytes) -> bytes:
    """Without a part that nobody needs, and what names it."""
    named = re.compile(rb'<Override[^>]*%s[^>]*/>|<Relationship [^>]*%s[^>]*/>' % (part, part))
    return _packed([(name, named.sub(b"", was) if name.endswith((".rels", "].xml")) else was)
                    for name, was in _members(data) if part not in name.encode()])


def _renamed(data: bytes, old: str, new: str, written: str = "") -> bytes:
    """Parts under other names. `written`: how relationships write them, where that differs."""
    return _packed([(name.replace(old, new), was.replace(old.encode(), (written or new).encode())
                     if name.endswith((".rels", "].xml")) else was) for name, was in _members(data)])


def _with_parts(data: bytes, *parts: tuple[str, bytes]) -> bytes:
    return _packed([*_members(data), *parts])


def _linked(data: bytes) -> bytes:
    """With a link to another workbook on somebody's disk."""
    named = dict(_members(data))
    named["xl/externalLinks/externalLink1.xml"] = (
        f'<externalLink xmlns="{SPACE}/spreadsheetml/2006/main"><externalBook xmlns:r="{RELATED}" r:id="rId1">'
        '<sheetNames><sheetName val="a"/></sheetNames></externalBook></externalLink>').encode()
    named["xl/externalLinks/_rels/externalLink1.xml.rels"] = (
        f'<Relationships xmlns="{SPACE}/package/2006/relationships"><Relationship Id="rId1" Type="{RELATED}/'
        'externalLinkPath" Target="file:///C:\\club\\other book.xlsx" TargetMode="External"/></Relationships>').encode()
    for name, close, more in (
            ("[Content_Types].xml", "</Types>", '<Override PartName="/xl/externalLinks/externalLink1.xml" ContentType="'
             'application/vnd.openxmlformats-officedocument.spreadsheetml.externalLink+xml"/>'),
            ("xl/_rels/workbook.xml.rels", "</Relationships>", f'<Relationship Id="rIdX9" Type="{RELATED}/externalLink"'
             ' Target="externalLinks/externalLink1.xml"/>')):
        named[name] = named[name].replace(close.encode(), (more + close).encode())
    named["xl/workbook.xml"] = named["xl/workbook.xml"].replace(
        b"</sheets>", b'</sheets><externalReferences><externalReference r:id="rIdX9"/></externalReferences>', 1)
    return _packed(list(named.items()))


_XML, _SHEET = r"\.(xml|rels)$", r"worksheets/[^/]*\.xml$"
BY_HAND: dict[str, Callable[[bytes], bytes]] = {
    "bytes before the archive": lambda data: b"MZ a stub that unpacks it" + data,
    "bytes behind the archive": lambda data: data + bytes(100),
    "folders as members": lambda data: _packed(_members(data), folders=True),
    "an extra field": lambda data: _packed(_members(data), extra=struct.pack("<HHB", 0x5455, 1, 0)),
    "the last day of the format": lambda data: _packed(_members(data), date=(2107, 12, 31, 23, 59, 58)),
    "members backwards": lambda data: _packed(_members(data)[::-1]),
    "another root": lambda data: _renamed(data, "xl/", "book/"),
    "a blank in a name": lambda data: _renamed(data, "sheet1.xml", "my sheet1.xml", "my%20sheet1.xml"),
    "a blank written out": lambda data: _renamed(data, "sheet1.xml", "my%20sheet1.xml"),
    "targets with a dot": lambda data: _each(data, r"workbook\.xml\.rels$", lambda was: re.sub(
        rb'Target="(?!/)', b'Target="./', was)),
    "no declarations": lambda data: _each(data, _XML, lambda was: re.sub(rb"^<\?xml.*?\?>\s*", b"", was)),
    "single quotes": lambda data: _each(data, _XML, lambda was: re.sub(rb'="([^"\'<>&]*)"', rb"='\1'", was)),
    "remarks": lambda data: _each(data, _XML, lambda was: was.replace(
        b"?>", b"?><!-- a remark > with -> signs --><?own x?>", 1)),
    "no properties": lambda data: _without(data, b"docProps"),
    "no theme": lambda data: _without(data, b"theme"),
    "no views": lambda data: _each(data, r"\.xml$", lambda was: re.sub(
        rb"<(bookViews|sheetViews)>.*?</\1>", b"", was, flags=re.S)),
    "no names of styles": lambda data: _each(data, r"styles\.xml$", lambda was: re.sub(
        rb"<cellStyles.*?</cellStyles>|<dxfs[^>]*/>|<tableStyles[^>]*/>", b"", was, flags=re.S)),
    "unknown parts": lambda data: _with_parts(_each(data, r"\]\.xml$", lambda was: was.replace(
        b"</Types>", b'<Default Extension="dat" ContentType="application/x-club"/></Types>')), ("club/x.dat", b"abc")),
    "leavings of a Macintosh": lambda data: _with_parts(data, ("__MACOSX/._x", b"\0\5\26\7")),
    "letters as numbers": lambda data: _each(data, "haredStrings", lambda was: re.sub(
        rb"<t>([A-Za-z])", lambda found: b"<t>&#x%x;" % found[1][0], was)),
    "texts as they are": lambda data: _each(data, "haredStrings", lambda was: re.sub(
        rb"<t>([^<&]*)</t>", rb"<t><![CDATA[\1]]></t>", was)),
    "an extension": lambda data: _each(data, _SHEET, lambda was: was if b"<extLst" in was else was.replace(
        b"</worksheet>", b'<extLst><ext uri="{X}" xmlns:q="urn:q"><q:a/></ext></extLst></worksheet>')),
    "a link": _linked}
