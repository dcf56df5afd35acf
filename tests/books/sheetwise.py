"""What clubs set on a sheet itself: sparklines, rules, protections, formulas, groups, links."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lxml import etree

from tests.books.parts import MAIN, MC, SHEETML, X14, Parts, child, local, parsed

LAST = 40
"""A row that lies below all that is written: clubs' own cells stand there, right of our columns."""


def row_of(root: Any, number: int) -> Any:
    """The row of a number, made if need be."""
    data = child(root, "sheetData")
    for row in data:
        if int(row.get("r")) == number:
            return row
        if int(row.get("r")) > number:
            new = etree.Element(f"{{{MAIN}}}row", r=str(number))
            row.addprevious(new)
            return new
    return etree.SubElement(data, f"{{{MAIN}}}row", r=str(number))


def place(parts: Parts, sheet: str, number: int, *cells: str) -> None:
    """Put cells (as XML, rightmost last) at the end of a row."""
    def change(root: Any) -> None:
        row = row_of(root, number)
        for cell in cells:
            row.append(parsed(cell))
    parts.edit(sheet, change)


def text(ref: str, words: str) -> str:
    """A text cell."""
    return f'<c r="{ref}" t="inlineStr"><is><t xml:space="preserve">{words}</t></is></c>'


def sparklines(parts: Parts, sheet: str) -> None:
    """Small lines in cells."""
    parts.into_sheet(sheet, (
        '<extLst><ext uri="{05C60535-1F16-4fd2-B633-F4F36F0B64E0}"><x14:sparklineGroups><x14:sparklineGroup '
        'displayEmptyCellsAs="gap"><x14:colorSeries rgb="FF376092"/><x14:sparklines><x14:sparkline><xm:f>Armies!D5:D6'
        '</xm:f><xm:sqref>J1</xm:sqref></x14:sparkline></x14:sparklines></x14:sparklineGroup></x14:sparklineGroups>'
        '</ext></extLst>'))


def new_formats(parts: Parts, sheet: str) -> None:
    """A conditional format and a validation of the newer kind, which look at another sheet."""
    parts.into_sheet(sheet, (
        '<extLst><ext uri="{78C0D931-6437-407d-A8EE-F0AAD7539E65}"><x14:conditionalFormattings>'
        '<x14:conditionalFormatting><x14:cfRule type="dataBar" id="{00000000-000E-0000-0000-000001000000}">'
        '<x14:dataBar minLength="0" maxLength="100"><x14:cfvo type="autoMin"/><x14:cfvo type="autoMax"/>'
        '<x14:negativeFillColor rgb="FFFF0000"/><x14:axisColor rgb="FF000000"/></x14:dataBar></x14:cfRule>'
        '<xm:sqref>K5:K6</xm:sqref></x14:conditionalFormatting></x14:conditionalFormattings></ext>'
        '<ext uri="{CCE6A557-97BC-4b89-ADB6-D9C93CAAB3DF}"><x14:dataValidations count="1"><x14:dataValidation '
        'type="list" allowBlank="1"><x14:formula1><xm:f>Nodes!$A$5:$A$7</xm:f></x14:formula1><xm:sqref>L5:L6</xm:sqref>'
        '</x14:dataValidation></x14:dataValidations></ext></extLst>'))


def old_formats(parts: Parts, sheet: str) -> None:
    """Conditional formats and validations of the ordinary kind."""
    parts.into_sheet(sheet, '<conditionalFormatting sqref="K5:K6"><cfRule type="colorScale" priority="90"><colorScale>'
                            '<cfvo type="min"/><cfvo type="max"/><color rgb="FFFFFFFF"/><color rgb="FFFF0000"/>'
                            '</colorScale></cfRule></conditionalFormatting>')
    parts.into_sheet(sheet, '<dataValidations count="1"><dataValidation type="whole" allowBlank="1" sqref="L5:L6">'
                            '<formula1>1</formula1><formula2>9</formula2></dataValidation></dataValidations>')


def formulas(parts: Parts, sheet: str) -> None:
    """Formulas with results: plain, shared, an error, a text, a truth; one looks at our cells."""
    place(parts, sheet, LAST, '<c r="K40"><f>SUM(Armies!D5:D6)</f><v>127</v></c>',
          '<c r="L40"><f t="shared" ref="L40:L41" si="0">K40*2</f><v>254</v></c>',
          '<c r="M40" t="e"><f>1/0</f><v>#DIV/0!</v></c>', '<c r="N40" t="str"><f>"a"&amp;"b"</f><v>ab</v></c>',
          '<c r="O40" t="b"><f>TRUE()</f><v>1</v></c>')
    place(parts, sheet, LAST + 1, '<c r="L41"><f t="shared" si="0"/><v>0</v></c>')


def calc_chain(parts: Parts, sheet: str) -> None:
    """Formulas, and the chain in which they are calculated."""
    formulas(parts, sheet)
    number = list(parts.sheets().values()).index(sheet) + 1
    cells = "".join(f'<c r="{ref}" i="{number}"/>' for ref in ("K40", "L40", "M40", "N40", "O40", "L41"))
    chain = parts.add("xl/calcChain.xml", f'<calcChain xmlns="{MAIN}">{cells}</calcChain>', f"{SHEETML}calcChain+xml")
    parts.relate(parts.book, "calcChain", chain)


def arrays(parts: Parts, sheet: str) -> None:
    """An array formula of the old kind, over two cells."""
    place(parts, sheet, LAST, '<c r="K40"><f t="array" ref="K40:L40">Armies!D5:E5*2</f><v>240</v></c>',
          '<c r="L40"><v>0</v></c>')


def dynamic_arrays(parts: Parts, sheet: str) -> None:
    """An array that spills, a rich value in a cell, and the metadata behind both."""
    place(parts, sheet, LAST, '<c r="K40" cm="1"><f t="array" ref="K40:K41">_xlfn.UNIQUE(Armies!B5:B6)</f><v>0</v></c>',
          '<c r="N40" t="e" vm="1"><v>#VALUE!</v></c>')
    place(parts, sheet, LAST + 1, '<c r="K41"><v>0</v></c>')
    space = "http://schemas.microsoft.com/office/spreadsheetml/2017"
    meta = parts.add("xl/metadata.xml", (
        f'<metadata xmlns="{MAIN}" xmlns:xda="{space}/dynamicarray" xmlns:xlrd="{space}/richdata"><metadataTypes '
        'count="2"><metadataType name="XLDAPR" minSupportedVersion="120000" copy="1" pasteAll="1" cellMeta="1"/>'
        '<metadataType name="XLRICHVALUE" minSupportedVersion="120000" copy="1" pasteAll="1"/></metadataTypes>'
        '<futureMetadata name="XLDAPR" count="1"><bk><extLst><ext uri="{bdbb8cdc-fa1e-496e-a857-3c3f30c029c3}">'
        '<xda:dynamicArrayProperties fDynamic="1" fCollapsed="0"/></ext></extLst></bk></futureMetadata>'
        '<futureMetadata name="XLRICHVALUE" count="1"><bk><extLst><ext uri="{3e2802c4-a4d2-4d8b-9148-e3be6c30e623}">'
        '<xlrd:rvb i="0"/></ext></extLst></bk></futureMetadata><cellMetadata count="1"><bk><rc t="1" v="0"/></bk>'
        '</cellMetadata><valueMetadata count="1"><bk><rc t="2" v="0"/></bk></valueMetadata></metadata>'),
        f"{SHEETML}sheetMetadata+xml")
    parts.relate(parts.book, "sheetMetadata", meta)


def data_tables(parts: Parts, sheet: str) -> None:
    """A what-if table."""
    place(parts, sheet, LAST, '<c r="K40"><f t="dataTable" ref="K40:K41" dt2D="0" dtr="0" r1="J40"/><v>1</v></c>')
    place(parts, sheet, LAST + 1, '<c r="K41"><v>2</v></c>')


def filled_down(parts: Parts, sheet: str) -> None:
    """Formulas that were filled down, so that all but the first only point to it: three columns of them."""
    for column, master in (("K", "Club!$A$1&amp;Club!B1"), ("L", "SUM(Armies!D$5:D5)"), ("M", "Armies!D5*2")):
        place(parts, sheet, LAST, f'<c r="{column}40"><f t="shared" ref="{column}40:{column}43" si="{ord(column)}">'
                                  f'{master}</f><v>1</v></c>')
        for row in range(LAST + 1, LAST + 4):
            place(parts, sheet, row, f'<c r="{column}{row}"><f t="shared" si="{ord(column)}"/><v>{row}</v></c>')


def macro_functions(parts: Parts, sheet: str) -> None:
    """Functions of which nobody can tell what they read: a macro's, INDIRECT, OFFSET."""
    place(parts, parts.sheets()["Club"], 9, text("A9", "Armies!D5"))
    for column, formula in (("K", "CLUBSCORE(Club!A1,3)"), ("L", "CLUBSCORE(Armies!A1)"),
                            ("M", 'INDIRECT("Armies!D"&amp;5)'), ("N", 'INDIRECT("Club!B2")'),
                            ("O", "OFFSET(Club!A1,1,0)"), ("P", "INDIRECT(Club!A9)")):
        place(parts, sheet, LAST, f'<c r="{column}40"><f>{formula}</f><v>7</v></c>')


def protected_ranges(parts: Parts, sheet: str) -> None:
    """Ranges that certain people may edit."""
    parts.into_sheet(sheet, '<protectedRanges><protectedRange sqref="K5:K9" name="Club" password="CC1A"/>'
                            '</protectedRanges>')


def custom_views(parts: Parts, sheet: str) -> None:
    """Somebody's own view of the sheet."""
    guid = "{3D000000-0000-0000-0000-000000000001}"
    parts.into_sheet(sheet, f'<customSheetViews><customSheetView guid="{guid}" scale="80"/></customSheetViews>')
    parts.into_book(f'<customWorkbookViews><customWorkbookView name="Anna" guid="{guid}" windowWidth="800" '
                    'windowHeight="600" activeSheetId="1"/></customWorkbookViews>')


def merges(parts: Parts, sheet: str) -> None:
    """Cells that were joined, beside our tables."""
    place(parts, sheet, LAST, text("K40", "in comune"))
    parts.into_sheet(sheet, '<mergeCells count="2"><mergeCell ref="K40:M41"/><mergeCell ref="K1:L2"/></mergeCells>')


def rich_text(parts: Parts, sheet: str) -> None:
    """Words of several fonts in one cell, with a reading aid."""
    place(parts, sheet, LAST, '<c r="K40" t="inlineStr"><is><r><rPr><b/></rPr><t xml:space="preserve">grande </t></r>'
                              '<r><t>banchetto</t></r><rPh sb="0" eb="1"><t>x</t></rPh></is></c>')


def values(parts: Parts, sheet: str) -> None:
    """Errors, truths, dates as texts, long numbers, blanks, escaped characters, all in a club's own cells."""
    place(parts, sheet, LAST, '<c r="K40" t="e"><v>#N/A</v></c>', '<c r="L40" t="b"><v>0</v></c>',
          '<c r="M40" t="d"><v>2020-02-29T10:00:00</v></c>', '<c r="N40"><v>1.7976931348623157E+308</v></c>',
          '<c r="O40" t="str"><v>_x0041_ = A</v></c>', '<c r="P40"/>')


def outlines(parts: Parts, sheet: str) -> None:
    """Rows folded and hidden, a row of a height of its own, breaks between pages."""
    def change(root: Any) -> None:
        for number, attributes in ((41, {"outlineLevel": "1", "hidden": "1"}),
                                   (42, {"ht": "77.5", "customHeight": "1"}),
                                   (43, {"collapsed": "1", "s": "3", "customFormat": "1"})):
            row_of(root, number).attrib.update(attributes)
    parts.edit(sheet, change)
    parts.into_sheet(sheet, '<rowBreaks count="1" manualBreakCount="1"><brk id="42" max="16383" man="1"/></rowBreaks>')


def hyperlinks(parts: Parts, sheet: str) -> None:
    """Links outside and inside."""
    rid = parts.relate(sheet, "hyperlink", "https://example.org/?a=1&b=2", external=True)
    place(parts, sheet, LAST, text("K40", "regolamento"), text("L40", "armate"))
    parts.into_sheet(sheet, f'<hyperlinks><hyperlink ref="K40" r:id="{rid}"/><hyperlink ref="L40" '
                            'location="Armies!A5" display="armate"/></hyperlinks>')


def scenarios(parts: Parts, sheet: str) -> None:
    """Scenarios, ignored warnings, watched cells."""
    parts.into_sheet(sheet, '<scenarios current="0"><scenario name="peggio" user="Anna" count="1"><inputCells r="K40" '
                            'val="1"/></scenario></scenarios>')
    parts.into_sheet(sheet, '<cellWatches><cellWatch r="K40"/></cellWatches>')
    parts.into_sheet(sheet, '<ignoredErrors><ignoredError sqref="K40" numberStoredAsText="1"/></ignoredErrors>')


def printer(parts: Parts, sheet: str) -> None:
    """A printer's own settings."""
    parts.add("xl/printerSettings/printerSettings1.bin", b"EPSON\0" * 40, f"{SHEETML}printerSettings")
    rid = parts.relate(sheet, "printerSettings", "xl/printerSettings/printerSettings1.bin")

    def change(root: Any) -> None:
        setup = child(root, "pageSetup")
        if setup is None:
            setup = etree.Element(f"{{{MAIN}}}pageSetup")
            last = [e for e in root if local(e) in ("sheetData", "pageMargins", "mergeCells", "hyperlinks")][-1]
            last.addnext(setup)
        setup.set("{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id", rid)
    parts.edit(sheet, change)


def comments_inside(parts: Parts, sheet: str) -> None:
    """XML comments, processing instructions and character data sections in a sheet."""
    name = parts.find(sheet)
    was = parts.members[name]
    was = was.replace(b"<sheetData>", b"<!-- <c r=\"A1\"/> --><?club <row?><sheetData><!-- <row r=\"1\"> -->", 1)
    parts.members[name] = was.replace(b"<t>Army</t>", b"<t><![CDATA[Army]]></t>", 1)


def extra_attributes(parts: Parts, sheet: str) -> None:
    """What newer programs add to sheets, rows and cells, under prefixes that others may ignore."""
    was = parts.members[sheet]
    spaces = (f'<worksheet xmlns:mc="{MC}" mc:Ignorable="x14ac xr" xmlns:x14ac="{X14.replace("/main", "/ac")}" '
              'xmlns:xr="http://schemas.microsoft.com/office/spreadsheetml/2014/revision" '
              'xr:uid="{4D000000-0000-0000-0000-000000000001}" ')
    was = was.replace(b"<worksheet ", spaces.encode(), 1)
    was = was.replace(b"<row ", b'<row x14ac:dyDescent="0.25" thickBot="1" ')
    parts.members[sheet] = was if b" spans=" in was else was.replace(b"<row ", b'<row spans="1:17" ')


SHEETWISE: tuple[Callable[[Parts, str], None], ...] = (
    sparklines, new_formats, old_formats, formulas, calc_chain, arrays, dynamic_arrays, data_tables, filled_down,
    macro_functions, protected_ranges,
    custom_views, merges, rich_text, values, outlines, hyperlinks, scenarios, printer, comments_inside,
    extra_attributes)
