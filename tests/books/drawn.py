"""What clubs draw, stick and pin onto a sheet: shapes, pictures, charts, notes, buttons, embedded things."""

from __future__ import annotations

import struct

from tests.books.parts import MAIN, MC, REL, Parts, child

DRAWING = "application/vnd.openxmlformats-officedocument.drawing+xml"
VML = "application/vnd.openxmlformats-officedocument.vmlDrawing"
XDR = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
C = "http://schemas.openxmlformats.org/drawingml/2006/chart"
DGM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
MSFT = "http://schemas.microsoft.com/office"
SPACES = f'xmlns:xdr="{XDR}" xmlns:a="{A}" xmlns:r="{REL}"'
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cfc000000301"
    "0100c9fe92ef0000000049454e44ae426082")
EMF = struct.pack("<2I8i4s60x", 1, 108, 0, 0, 95, 95, 0, 0, 2540, 2540, b" EMF")
OLE = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(504)
SP_PR = ('<xdr:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="900000" cy="400000"/></a:xfrm>'
         '<a:prstGeom prst="{form}"><a:avLst/></a:prstGeom></xdr:spPr>')


def anchored(content: str) -> str:
    """Something that hangs between two cells."""
    return ('<xdr:twoCellAnchor><xdr:from><xdr:col>9</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>1</xdr:row>'
            '<xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:to><xdr:col>12</xdr:col><xdr:colOff>0</xdr:colOff>'
            f'<xdr:row>8</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:to>{content}<xdr:clientData/></xdr:twoCellAnchor>')


def shape(number: int, form: str, text: str = "", box: bool = False) -> str:
    """A drawn shape, with a text in it or as a text box."""
    body = (f'<xdr:txBody><a:bodyPr/><a:lstStyle/><a:p><a:r><a:rPr lang="it-IT" b="1"/><a:t>{text}</a:t></a:r></a:p>'
            '</xdr:txBody>') if text else ""
    return (f'<xdr:sp macro="" textlink=""><xdr:nvSpPr><xdr:cNvPr id="{number}" name="Forma {number}"/>'
            f'<xdr:cNvSpPr{" txBox=" + chr(34) + "1" + chr(34) if box else ""}/></xdr:nvSpPr>'
            f'{SP_PR.format(form=form)}{body}</xdr:sp>')


def drawing(parts: Parts, sheet: str, anchors: str) -> str:
    """A drawing part on a sheet; gives its name."""
    name = f"xl/drawings/clubDrawing{sum('clubDrawing' in m for m in parts.members) + 1}.xml"
    parts.add(name, f"<xdr:wsDr {SPACES}>{anchors}</xdr:wsDr>", DRAWING)
    parts.into_sheet(sheet, f'<drawing r:id="{parts.relate(sheet, "drawing", name)}"/>')
    return name


def shapes(parts: Parts, sheet: str) -> None:
    """Rectangles and arrows, as a hand-drawn map has them."""
    drawing(parts, sheet, anchored(shape(2, "rect", "Milano")) + anchored(shape(3, "rightArrow")))


def text_boxes(parts: Parts, sheet: str) -> None:
    """A text box."""
    drawing(parts, sheet, anchored(shape(2, "rect", "Ricordate gli ordini!", box=True)))


def connectors(parts: Parts, sheet: str) -> None:
    """A line that joins two shapes."""
    line = ('<xdr:cxnSp macro=""><xdr:nvCxnSpPr><xdr:cNvPr id="4" name="Linea"/><xdr:cNvCxnSpPr><a:stCxn id="2" '
            'idx="3"/>'
            f'<a:endCxn id="3" idx="1"/></xdr:cNvCxnSpPr></xdr:nvCxnSpPr>{SP_PR.format(form="line")}</xdr:cxnSp>')
    drawing(parts, sheet, anchored(shape(2, "ellipse")) + anchored(shape(3, "ellipse")) + anchored(line))


def groups(parts: Parts, sheet: str) -> None:
    """Shapes in a group."""
    drawing(parts, sheet, anchored(
        '<xdr:grpSp><xdr:nvGrpSpPr><xdr:cNvPr id="9" name="Gruppo"/><xdr:cNvGrpSpPr/></xdr:nvGrpSpPr><xdr:grpSpPr/>'
        f'{shape(2, "star5")}{shape(3, "heart", "R-1")}</xdr:grpSp>'))


def picture_of(rid: str) -> str:
    """A picture in a drawing."""
    return ('<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="2" name="Stemma" descr="Arms"/><xdr:cNvPicPr/></xdr:nvPicPr>'
            f'<xdr:blipFill><a:blip r:embed="{rid}"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill>'
            f'{SP_PR.format(form="rect")}</xdr:pic>')


def pictures(parts: Parts, sheet: str) -> None:
    """A PNG, and an EMF as drawing programs paste it."""
    parts.default("png", "image/png")
    parts.default("emf", "image/x-emf")
    parts.members["xl/media/stemma.png"], parts.members["xl/media/mappa.emf"] = PNG, EMF
    name = drawing(parts, sheet, anchored(picture_of("rIdP1")) + anchored(picture_of("rIdP2")))
    assert [parts.relate(name, "image", f"xl/media/{m}") for m in ("stemma.png", "mappa.emf")] == ["rIdP1", "rIdP2"]


def smart_art(parts: Parts, sheet: str) -> None:
    """SmartArt with its four parts, and ink behind alternate content."""
    kinds = {"diagramData": ("dataModel", "<dgm:ptLst/><dgm:cxnLst/>", "dm", "diagramData"),
             "diagramLayout": ("layoutDef", "<dgm:catLst/><dgm:layoutNode/>", "lo", "diagramLayout"),
             "diagramQuickStyle": ("styleDef", '<dgm:styleLbl name="node1"><dgm:scene3d/></dgm:styleLbl>', "qs",
                                   "diagramStyle"),
             "diagramColors": ("colorsDef", "<dgm:catLst/>", "cs", "diagramColors")}
    ids = " ".join(f'r:{short}="rIdP{n}"' for n, (_, _, short, _) in enumerate(kinds.values(), 1))
    frame = ('<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="2" name="Schema"/>'
             '<xdr:cNvGraphicFramePr/>'
             '</xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="1" cy="1"/></xdr:xfrm><a:graphic>'
             f'<a:graphicData uri="{DGM}"><dgm:relIds xmlns:dgm="{DGM}" {ids}/></a:graphicData></a:graphic>'
             '</xdr:graphicFrame>')
    ink = (f'<mc:AlternateContent xmlns:mc="{MC}"><mc:Choice xmlns:a14="{MSFT}/drawing/2010/main" Requires="a14">'
           f'{anchored(shape(5, "cloud", "inchiostro"))}</mc:Choice><mc:Fallback/></mc:AlternateContent>')
    name = drawing(parts, sheet, anchored(frame) + ink)
    for kind, (root, inside, _, words) in kinds.items():
        part = parts.add(f"xl/diagrams/{kind}1.xml", f'<dgm:{root} xmlns:dgm="{DGM}" xmlns:a="{A}">'
                                                     f'{inside}</dgm:{root}>',
                         f"application/vnd.openxmlformats-officedocument.drawingml.{words}+xml")
        parts.relate(name, kind, part)


def charts(parts: Parts, sheet: str) -> None:
    """A chart of our own cells, with the style and colour parts that Excel adds."""
    frame = ('<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="2" name="Grafico"/>'
             '<xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="1" cy="1"/>'
             f'</xdr:xfrm><a:graphic><a:graphicData uri="{C}"><c:chart xmlns:c="{C}" r:id="rIdP1"/></a:graphicData>'
             '</a:graphic></xdr:graphicFrame>')
    name = drawing(parts, sheet, anchored(frame))
    chart = parts.add(
        "xl/charts/clubChart1.xml",
        f'<c:chartSpace xmlns:c="{C}" xmlns:a="{A}" xmlns:r="{REL}"><c:roundedCorners val="1"/><c:chart>'
        '<c:autoTitleDeleted val="1"/><c:plotArea><c:layout/><c:barChart><c:barDir val="col"/><c:grouping '
        'val="clustered"/><c:varyColors val="0"/><c:ser><c:idx val="0"/><c:order val="0"/><c:spPr><a:effectLst>'
        '<a:outerShdw blurRad="50800"/></a:effectLst></c:spPr><c:invertIfNegative val="0"/><c:val><c:numRef>'
        "<c:f>Armies!$D$5:$D$6</c:f><c:numCache><c:formatCode>General</c:formatCode><c:ptCount val=\"2\"/>"
        '<c:pt idx="0"><c:v>120</c:v></c:pt><c:pt idx="1"><c:v>7</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser>'
        '<c:axId val="1"/><c:axId val="2"/></c:barChart><c:catAx><c:axId val="1"/><c:scaling/><c:delete val="0"/>'
        '<c:axPos val="b"/><c:crossAx val="2"/></c:catAx><c:valAx><c:axId val="2"/><c:scaling/><c:delete val="0"/>'
        '<c:axPos val="l"/><c:crossAx val="1"/></c:valAx></c:plotArea><c:plotVisOnly val="1"/></c:chart>'
        '</c:chartSpace>', "application/vnd.openxmlformats-officedocument.drawingml.chart+xml")
    assert parts.relate(name, "chart", chart) == "rIdP1"
    for word, kind, element in (("style", "chartStyle", "chartStyle"), ("colors", "chartColorStyle", "colorStyle")):
        part = parts.add(f"xl/charts/{word}1.xml",
                         f'<cs:{element} xmlns:cs="{MSFT}/drawing/2012/chartStyle" xmlns:a="{A}" id="201"'
                         f'{" meth=" + chr(34) + "cycle" + chr(34) if word == "colors" else ""}>'
                         f'{"<a:schemeClr val=" + chr(34) + "accent1" + chr(34) + "/>" if word == "colors" else ""}'
                         f'</cs:{element}>', f"application/vnd.ms-office.chart{element.removeprefix('chart')}+xml")
        parts.relate(chart, f"{MSFT}/2011/relationships/{kind}", part)


def vml_shape(number: int, kind: str, row: int, column: int, extra: str = "") -> str:
    """An old-fashioned shape: a note's box or a button."""
    return (f'<v:shape id="_x0000_s{number}" type="#_x0000_t202" style="position:absolute;margin-left:59.25pt;'
            'margin-top:1.5pt;width:311pt;height:177pt;z-index:1;visibility:hidden" fillcolor="#ffffe1">'
            f'<x:ClientData ObjectType="{kind}"><x:MoveWithCells/><x:SizeWithCells/><x:Anchor>1, 15, {row}, 2, 7, 31, '
            f'{row + 9}, 1</x:Anchor><x:AutoFill>False</x:AutoFill><x:Row>{row}</x:Row><x:Column>{column}</x:Column>'
            f'{extra}</x:ClientData></v:shape>')


def vml(parts: Parts, sheet: str, content: str) -> None:
    """Old-fashioned shapes on a sheet, beside those that it may have."""
    try:
        known = parts.of_kind(sheet, "vmlDrawing")
    except StopIteration:
        parts.default("vml", VML)
        name = f"xl/drawings/clubVml{len(parts.members)}.vml"
        parts.members[name] = (f'<xml xmlns:v="urn:schemas-microsoft-com:vml" '
                               f'xmlns:o="urn:schemas-microsoft-com:office:'
                               f'office" xmlns:x="urn:schemas-microsoft-com:office:excel">{content}</xml>').encode()
        rid = parts.relate(sheet, "vmlDrawing", name)
        parts.into_sheet(sheet, f'<legacyDrawing r:id="{rid}"/>')
        return
    was = parts.members[known].decode()
    spaces = 'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:x="urn:schemas-microsoft-com:office:excel"'
    end = was.rindex("</")
    parts.members[known] = (was[:end] + content.replace("<v:shape ", f"<v:shape {spaces} ") + was[end:]).encode()


NOTES = ('<comment ref="B2" authorId="0"><text><r><rPr><b/><sz val="9"/><color rgb="FFFF0000"/></rPr><t>Anna: </t></r>'
         '<r><rPr><sz val="9"/></rPr><t xml:space="preserve"> ricordati\nil sale</t></r></text></comment>')


def notes(parts: Parts, sheet: str) -> None:
    """A note of a size of its own, with bold and red words."""
    name = parts.add(f"xl/clubComments{len(parts.members)}.xml",
                     f'<comments xmlns="{MAIN}"><authors><author>Anna</author></authors><commentList>{NOTES}'
                     '</commentList></comments>',
                     "application/vnd.openxmlformats-officedocument.spreadsheetml.comments+xml")
    parts.relate(sheet, "comments", name)
    vml(parts, sheet, vml_shape(3001, "Note", 1, 1))


def threads(parts: Parts, sheet: str) -> None:
    """A conversation, its people, and the note that stands for it in old programs."""
    notes(parts, sheet)
    space = f"{MSFT}/spreadsheetml/2018/threadedcomments"
    who, first = "{1D000000-0000-0000-0000-000000000001}", "{2D000000-0000-0000-0000-000000000001}"
    persons = parts.add("xl/persons/person.xml",
                        f'<personList xmlns="{space}"><person displayName="Anna" id="{who}" userId="anna" '
                        'providerId="None"/></personList>', "application/vnd.ms-excel.person+xml")
    parts.relate(parts.book, f"{MSFT}/2017/10/relationships/person", persons)
    thread = parts.add("xl/threadedComments/threadedComment1.xml",
                       f'<ThreadedComments xmlns="{space}"><threadedComment ref="B2" dT="2020-01-01T10:00:00.00" '
                       f'personId="{who}" id="{first}"><text>E il sale?</text></threadedComment></ThreadedComments>',
                       "application/vnd.ms-excel.threadedcomments+xml")
    parts.relate(sheet, f"{MSFT}/2017/10/relationships/threadedComment", thread)


def controls(parts: Parts, sheet: str) -> None:
    """A button of the form kind: its properties, its old-fashioned shape, the alternate content around it."""
    vml(parts, sheet, vml_shape(3025, "Button", 1, 8, "<x:FmlaMacro>[0]!Resolve</x:FmlaMacro>"))
    prop = parts.add("xl/ctrlProps/ctrlProp1.xml",
                     f'<formControlPr xmlns="{MSFT}/spreadsheetml/2009/9/main" objectType="Button" lockText="1"/>',
                     "application/vnd.ms-excel.controlproperties+xml")
    rid = parts.relate(sheet, "ctrlProp", prop)
    parts.into_sheet(sheet, (
        '<mc:AlternateContent><mc:Choice Requires="x14"><controls><mc:AlternateContent><mc:Choice Requires="x14">'
        f'<control shapeId="3025" r:id="{rid}" name="Risolvi"><controlPr defaultSize="0" print="0" autoFill="0" '
        'autoPict="0" macro="[0]!Resolve"><anchor moveWithCells="1" sizeWithCells="1"><from><xdr:col xmlns:xdr="'
        f'{XDR}">8</xdr:col><xdr:colOff xmlns:xdr="{XDR}">0</xdr:colOff><xdr:row xmlns:xdr="{XDR}">1</xdr:row>'
        f'<xdr:rowOff xmlns:xdr="{XDR}">0</xdr:rowOff></from><to><xdr:col xmlns:xdr="{XDR}">10</xdr:col>'
        f'<xdr:colOff xmlns:xdr="{XDR}">0</xdr:colOff><xdr:row xmlns:xdr="{XDR}">3</xdr:row>'
        f'<xdr:rowOff xmlns:xdr="{XDR}">0</xdr:rowOff></to></anchor></controlPr></control></mc:Choice>'
        '</mc:AlternateContent></controls></mc:Choice></mc:AlternateContent>'))


def embedded(parts: Parts, sheet: str) -> None:
    """An embedded document and an ActiveX box, with the binary parts behind them."""
    parts.add("xl/embeddings/oleObject1.bin", OLE, "application/vnd.openxmlformats-officedocument.oleObject")
    ole = parts.relate(sheet, "oleObject", "xl/embeddings/oleObject1.bin")
    vml(parts, sheet, vml_shape(3030, "Pict", 3, 3))
    parts.into_sheet(sheet, f'<oleObjects><oleObject progId="Packager Shell Object" shapeId="3030" r:id="{ole}"/>'
                            '</oleObjects>')
    active = parts.add("xl/activeX/activeX1.xml",
                       f'<ax:ocx xmlns:ax="{MSFT}/2006/activeX" xmlns:r="{REL}" ax:classid='
                       '"{8BD21D40-EC42-11CE-9E0D-00AA006002F3}" ax:persistence="persistStreamInit" r:id="rIdP1"/>',
                       "application/vnd.ms-office.activeX+xml")
    parts.add("xl/activeX/activeX1.bin", OLE[::-1], "application/vnd.ms-office.activeX")
    parts.relate(active, f"{MSFT}/2006/relationships/activeXControlBinary", "xl/activeX/activeX1.bin")
    rid = parts.relate(sheet, "control", active)
    parts.into_sheet(sheet, f'<controls><control shapeId="3031" r:id="{rid}" name="CheckBox1"/></controls>')


def background(parts: Parts, sheet: str) -> None:
    """A picture behind the sheet."""
    parts.default("png", "image/png")
    parts.members["xl/media/sfondo.png"] = PNG
    parts.into_sheet(sheet, f'<picture r:id="{parts.relate(sheet, "image", "xl/media/sfondo.png")}"/>')


def header_picture(parts: Parts, sheet: str) -> None:
    """A picture in the printed heading."""
    parts.default("png", "image/png")
    parts.default("vml", VML)
    parts.members["xl/media/intestazione.png"] = PNG
    name = "xl/drawings/vmlIntestazione.vml"
    parts.members[name] = (b'<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:'
                           b'office"><v:shape id="LH" type="#_x0000_t75">'
                           b'<v:imagedata o:relid="rIdP1"/></v:shape></xml>')
    parts.relate(name, "image", "xl/media/intestazione.png")
    rid = parts.relate(sheet, "vmlDrawing", name)

    def change(root: object) -> None:
        old = child(root, "headerFooter")
        if old is not None:
            old.getparent().remove(old)

    parts.edit(sheet, change)
    parts.into_sheet(sheet, "<headerFooter><oddHeader>&amp;L&amp;G</oddHeader></headerFooter>")
    parts.into_sheet(sheet, f'<legacyDrawingHF r:id="{rid}"/>')


DRAWN = (shapes, text_boxes, connectors, groups, pictures, smart_art, charts, controls, embedded, background,
         header_picture)
ON_FREE_SHEETS = (notes, threads)
"""Those that need a sheet without notes."""
