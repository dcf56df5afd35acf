"""What a workbook holds beside its sheets: pivots, connections, custom XML, macros, names, its epoch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.books.drawn import MSFT, A, anchored, drawing
from tests.books.parts import MAIN, MC, REL, SHEETML, Parts, child
from tests.books.sheetwise import LAST, place, text

SLICER = f"{MSFT}/spreadsheetml/2009/9/main"
X15 = f"{MSFT}/spreadsheetml/2010/11/main"


def pivot(parts: Parts, sheet: str) -> None:
    """A pivot table of the armies, with its cache and the records in it."""
    cache = parts.add("xl/pivotCache/pivotCacheDefinition1.xml", (
        f'<pivotCacheDefinition xmlns="{MAIN}" xmlns:r="{REL}" r:id="rIdP1" refreshedBy="Anna" refreshedDate="43831" '
        'createdVersion="6" refreshedVersion="6" recordCount="2"><cacheSource type="worksheet"><worksheetSource '
        'ref="A4:D6" sheet="Armies"/></cacheSource><cacheFields count="4">'
        '<cacheField name="Army" numFmtId="0"><sharedItems count="2"><s v="R-1"/><s v="Y-1"/></sharedItems>'
        '</cacheField>'
        '<cacheField name="Faction" numFmtId="0"><sharedItems count="2"><s v="R"/><s v="Y"/></sharedItems></cacheField>'
        '<cacheField name="At" numFmtId="0"><sharedItems/></cacheField><cacheField name="Guests" numFmtId="0">'
        '<sharedItems containsSemiMixedTypes="0" containsString="0" containsNumber="1" containsInteger="1" '
        'minValue="7" '
        'maxValue="120"/></cacheField></cacheFields></pivotCacheDefinition>'), f"{SHEETML}pivotCacheDefinition+xml")
    records = parts.add("xl/pivotCache/pivotCacheRecords1.xml", (
        f'<pivotCacheRecords xmlns="{MAIN}" count="2"><r><x v="0"/><x v="0"/><s v="T1"/><n v="120"/></r><r><x v="1"/>'
        '<x v="1"/><s v="T10"/><n v="7"/></r></pivotCacheRecords>'), f"{SHEETML}pivotCacheRecords+xml")
    assert parts.relate(cache, "pivotCacheRecords", records) == "rIdP1"
    rid = parts.relate(parts.book, "pivotCacheDefinition", cache)
    parts.into_book(f'<pivotCaches><pivotCache cacheId="7" r:id="{rid}"/></pivotCaches>')
    field = ('<pivotField axis="axisRow" showAll="0"><items count="3"><item x="0"/><item x="1"/><item t="default"/>'
             '</items></pivotField>')
    table = parts.add("xl/pivotTables/pivotTable1.xml", (
        f'<pivotTableDefinition xmlns="{MAIN}" name="Forze" cacheId="7" dataOnRows="1" applyNumberFormats="0" '
        'applyBorderFormats="0" applyFontFormats="0" applyPatternFormats="0" applyAlignmentFormats="0" '
        'applyWidthHeightFormats="1" dataCaption="Valori" updatedVersion="6" minRefreshableVersion="3" '
        'createdVersion="6"><location ref="S3:T6" firstHeaderRow="1" firstDataRow="1" firstDataCol="1"/>'
        f'<pivotFields count="4"><pivotField showAll="0"/>{field}<pivotField showAll="0"/><pivotField dataField="1" '
        'showAll="0"/></pivotFields><rowFields count="1"><field x="1"/></rowFields><rowItems count="3"><i><x/></i><i>'
        '<x v="1"/></i><i t="grand"><x/></i></rowItems><colItems count="1"><i/></colItems><dataFields count="1">'
        '<dataField name="Somma" fld="3" baseField="0" baseItem="0"/></dataFields></pivotTableDefinition>'),
        f"{SHEETML}pivotTable+xml")
    parts.relate(table, "pivotCacheDefinition", cache)
    parts.relate(sheet, "pivotTable", table)


def slicers(parts: Parts, sheet: str) -> None:
    """A slicer and a timeline on a pivot table, with caches and drawing."""
    pivot(parts, sheet)
    cache = parts.add("xl/slicerCaches/slicerCache1.xml", (
        f'<slicerCacheDefinition xmlns="{SLICER}" name="Filtro" sourceName="Faction"><pivotTables><pivotTable '
        f'tabId="1" '
        'name="Forze"/></pivotTables><data><tabular pivotCacheId="7"><items count="2"><i x="0" s="1"/><i x="1" s="1"/>'
        '</items></tabular></data></slicerCacheDefinition>'), "application/vnd.ms-excel.slicerCache+xml")
    first = parts.relate(parts.book, f"{MSFT}/2007/relationships/slicerCache", cache)
    slicer = parts.add("xl/slicers/slicer1.xml", (
        f'<slicers xmlns="{SLICER}"><slicer name="Fazione" cache="Filtro" caption="Fazione" rowHeight="241300"/>'
        '</slicers>'), "application/vnd.ms-excel.slicer+xml")
    second = parts.relate(sheet, f"{MSFT}/2007/relationships/slicer", slicer)
    times = parts.add("xl/timelines/timeline1.xml", (
        f'<timelines xmlns="{X15}"><timeline name="Anni" cache="Tempo" caption="Anni" level="0" selectionLevel="0"/>'
        '</timelines>'), "application/vnd.ms-excel.timeline+xml")
    third = parts.relate(sheet, f"{MSFT}/2011/relationships/timeline", times)
    parts.into_book('<extLst><ext uri="{BBE1A952-AA13-448e-AADC-164F8A28A991}"><x14:slicerCaches>'
                    f'<x14:slicerCache r:id="{first}"/></x14:slicerCaches></ext></extLst>')
    parts.into_sheet(sheet, (
        '<extLst><ext uri="{A8765BA9-456A-4dab-B4F3-ACF838C121DE}"><x14:slicerList>'
        f'<x14:slicer r:id="{second}"/></x14:slicerList></ext><ext uri="{{7E03D99C-DC04-49d9-9315-930204A7B6E9}}">'
        f'<x15:timelineRefs xmlns:x15="{X15}"><x15:timelineRef r:id="{third}"/></x15:timelineRefs></ext></extLst>'))
    frame = ('<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="2" name="Fazione"/>'
             '<xdr:cNvGraphicFramePr/>'
             '</xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic>'
             f'<a:graphicData uri="{MSFT}/drawing/2010/slicer"><sle:slicer xmlns:sle="{MSFT}/drawing/2010/slicer" '
             'name="Fazione"/></a:graphicData></a:graphic></xdr:graphicFrame>')
    drawing(parts, sheet, anchored(f'<mc:AlternateContent xmlns:mc="{MC}"><mc:Choice '
                                   f'xmlns:a14="{MSFT}/drawing/2010/main" '
                                   f'Requires="a14">{frame}</mc:Choice></mc:AlternateContent>'))


def custom_xml(parts: Parts, sheet: str) -> None:
    """A custom XML part with its properties, custom document properties, a sensitivity label."""
    parts.default("xml", "application/xml")
    parts.members["customXml/item1.xml"] = b'<?xml version="1.0"?><club xmlns="urn:club"><sale grani="7"/></club>'
    props = parts.add("customXml/itemProps1.xml", (
        '<ds:datastoreItem xmlns:ds="http://schemas.openxmlformats.org/officeDocument/2006/customXml" '
        'ds:itemID="{5D000000-0000-0000-0000-000000000001}"><ds:schemaRefs/></ds:datastoreItem>'),
        "application/vnd.openxmlformats-officedocument.customXmlProperties+xml")
    parts.relate("customXml/item1.xml", "customXmlProps", props)
    parts.relate(parts.book, "customXml", "customXml/item1.xml")
    label = parts.add("docMetadata/LabelInfo.xml", (
        f'<clbl:labelList xmlns:clbl="{MSFT}/2020/mipLabelMetadata"><clbl:label id="{{6D000000-0000-0000-0000-00000000'
        '0001}" enabled="1" method="Standard" siteId="{7D000000-0000-0000-0000-000000000001}"/></clbl:labelList>'),
        "application/vnd.ms-office.classificationlabels+xml")
    parts.relate("", f"{MSFT}/2020/02/relationships/classificationlabels", label)


def connections(parts: Parts, sheet: str) -> None:
    """A connection with its query table, and an XML map."""
    links = parts.add("xl/connections.xml", (
        f'<connections xmlns="{MAIN}"><connection id="1" name="Elenco" type="6" refreshedVersion="6"><textPr '
        'sourceFile="elenco.csv"/></connection></connections>'), f"{SHEETML}connections+xml")
    parts.relate(parts.book, "connections", links)
    query = parts.add("xl/queryTables/queryTable1.xml",
                      f'<queryTable xmlns="{MAIN}" name="Elenco" connectionId="1"/>', f"{SHEETML}queryTable+xml")
    parts.relate(sheet, "queryTable", query)
    parts.default("xml", "application/xml")
    parts.members["xl/xmlMaps.xml"] = (
        f'<MapInfo xmlns="{MAIN}" SelectionNamespaces=""><Schema ID="S1"/><Map ID="1" Name="m" RootElement="club" '
        'SchemaID="S1" ShowImportExportValidationErrors="false" AutoFit="true" Append="false" '
        'PreserveSortAFLayout="true" PreserveFormat="true"/></MapInfo>').encode()
    parts.relate(parts.book, "xmlMaps", "xl/xmlMaps.xml")


def macros(parts: Parts, sheet: str) -> None:
    """A macro project and its signature."""
    parts.add("xl/vbaProject.bin", bytes.fromhex("d0cf11e0a1b11ae1") + bytes(range(256)) * 8,
              "application/vnd.ms-office.vbaProject")
    parts.relate(parts.book, f"{MSFT}/2006/relationships/vbaProject", "xl/vbaProject.bin")
    parts.add("xl/vbaProjectSignature.bin", b"sealed" * 9, "application/vnd.ms-office.vbaProjectSignature")
    parts.relate("xl/vbaProject.bin", f"{MSFT}/2006/relationships/vbaProjectSignature", "xl/vbaProjectSignature.bin")

    def change(root: Any) -> None:
        for element in root:
            if element.get("PartName") == "/xl/workbook.xml":
                element.set("ContentType", "application/vnd.ms-excel.sheet.macroEnabled.main+xml")
    parts.edit("[Content_Types].xml", change)
    parts.edit(parts.book, lambda root: child(root, "workbookPr").set("codeName", "ThisWorkbook"))


def names(parts: Parts, sheet: str) -> None:
    """Names: of an area, of a constant, hidden, of one sheet only, broken, with a comment."""
    parts.into_book('<definedNames><definedName name="casse" comment="di Anna">Armies!$D$5:$D$6</definedName>'
                    '<definedName name="IVA">0.22</definedName><definedName name="rotto" hidden="1">#REF!$A$1'
                    '</definedName><definedName name="_xlnm.Print_Area" localSheetId="7">'
                    'Armies!$A$1:$Q$60</definedName>'
                    '<definedName name="_xlnm._FilterDatabase" localSheetId="7" hidden="1">Armies!$A$4:$G$6'
                    '</definedName></definedNames>')


def epoch(parts: Parts, sheet: str) -> None:
    """The epoch of old Macintoshes, and a date in it."""
    parts.edit(parts.book, lambda root: child(root, "workbookPr").set("date1904", "1"))
    place(parts, sheet, LAST, '<c r="K40" t="d"><v>1904-03-01</v></c>', '<c r="L40"><v>60</v></c>')


def external_links(parts: Parts, sheet: str) -> None:
    """A formula that looks into another workbook, and what was last seen there."""
    link = parts.add("xl/externalLinks/externalLink1.xml", (
        f'<externalLink xmlns="{MAIN}"><externalBook xmlns:r="{REL}" r:id="rIdP1"><sheetNames><sheetName val="Cassa"/>'
        '</sheetNames><sheetDataSet><sheetData sheetId="0"><row r="1"><cell r="A1"><v>7</v></cell></row></sheetData>'
        '</sheetDataSet></externalBook></externalLink>'), f"{SHEETML}externalLink+xml")
    parts.relate(link, "externalLinkPath", "cassa.xlsx", external=True)
    parts.into_book(f'<externalReferences><externalReference r:id="{parts.relate(parts.book, "externalLink", link)}"/>'
                    '</externalReferences>')
    place(parts, sheet, LAST, '<c r="K40"><f>[1]Cassa!A1</f><v>7</v></c>')


def hidden_sheets(parts: Parts, sheet: str) -> None:
    """A hidden sheet, a very hidden one, each with a secret."""
    for number, state in ((1, "hidden"), (2, "veryHidden")):
        name = parts.add(f"xl/worksheets/nascosto{number}.xml",
                         f'<worksheet xmlns="{MAIN}"><sheetData><row r="1">{text("A1", "segreto")}</row></sheetData>'
                         '</worksheet>', f"{SHEETML}worksheet+xml")
        rid = parts.relate(parts.book, "worksheet", name)
        parts.into_book(f'<sheets><sheet name="Nascosto {number}" sheetId="{90 + number}" state="{state}" '
                        f'r:id="{rid}"/>'
                        '</sheets>')


def chart_sheet(parts: Parts, sheet: str) -> None:
    """A sheet that is one chart, between the others."""
    name = parts.add("xl/chartsheets/sheet1.xml",
                     f'<chartsheet xmlns="{MAIN}" xmlns:r="{REL}"><sheetViews><sheetView workbookViewId="0"/>'
                     f'</sheetViews>'
                     '<drawing r:id="rIdP1"/></chartsheet>', f"{SHEETML}chartsheet+xml")
    pane = parts.add("xl/drawings/paneDrawing.xml",
                     f'<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" '
                     f'xmlns:a="{A}"/>', "application/vnd.openxmlformats-officedocument.drawing+xml")
    parts.relate(name, "drawing", pane)
    rid = parts.relate(parts.book, "chartsheet", name)
    parts.into_book(f'<sheets><sheet name="Grafico" sheetId="95" r:id="{rid}"/></sheets>')


def odd_theme(parts: Parts, sheet: str) -> None:
    """A theme of a club's own, with a comment and blanks that a writer would tidy away."""
    theme = parts.of_kind(parts.book, "theme")
    parts.members[theme] = parts.members[theme].replace(b"<a:themeElements>", b"<!-- i colori\r\n del club -->\r\n"
                                                                              b"<a:themeElements>", 1)


BOOKWISE: tuple[Callable[[Parts, str], None], ...] = (
    pivot, slicers, custom_xml, connections, macros, names, epoch, external_links, hidden_sheets,
    chart_sheet, odd_theme)
