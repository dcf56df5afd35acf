"""The order that the format wants: a new child of an element in; its place out, where programs look for it."""

from __future__ import annotations

from assistant.workbook.ooxml.parts.xmltree import Node, Splices, parse

WORKBOOK = ("fileVersion", "fileSharing", "workbookPr", "workbookProtection", "bookViews", "sheets", "functionGroups",
            "externalReferences", "definedNames", "calcPr", "oleSize", "customWorkbookViews", "pivotCaches",
            "smartTagPr", "smartTagTypes", "webPublishing", "fileRecoveryPr", "webPublishObjects", "extLst")
STYLES = ("numFmts", "fonts", "fills", "borders", "cellStyleXfs", "cellXfs", "cellStyles", "dxfs", "tableStyles",
          "colors", "extLst")
FONT = ("b", "i", "strike", "condense", "extend", "outline", "shadow", "u", "vertAlign", "sz", "color", "name",
        "family", "charset", "scheme")
WORKSHEET = ("sheetPr", "dimension", "sheetViews", "sheetFormatPr", "cols", "sheetData", "sheetCalcPr",
             "sheetProtection", "protectedRanges", "scenarios", "autoFilter", "sortState", "dataConsolidate",
             "customSheetViews", "mergeCells", "phoneticPr", "conditionalFormatting", "dataValidations", "hyperlinks",
             "printOptions", "pageMargins", "pageSetup", "headerFooter", "rowBreaks", "colBreaks", "customProperties",
             "cellWatches", "ignoredErrors", "smartTags", "drawing", "legacyDrawing", "legacyDrawingHF", "drawingHF",
             "picture", "oleObjects", "controls", "webPublishItems", "tableParts", "extLst")


def sorted_fonts(styles: bytes) -> bytes:
    """The styles' part with what its fonts say in this order: openpyxl has another, which Excel forgives."""
    splices = Splices(styles)
    for node in parse(styles).walk():
        ranks = [FONT.index(child.tag) for child in node.children] if node.tag == "font" else []
        if ranks != sorted(ranks):
            inside = sorted(node.children, key=lambda child: FONT.index(child.tag))
            splices.replace(node.inner, node.close, b"".join(styles[child.start:child.end] for child in inside))
    return splices.done()


def insert(splices: Splices, root: Node, order: tuple[str, ...], tag: str, xml: bytes) -> None:
    """Put a new child into an element, before the first of those that come after it. `xml`: with its prefix."""
    later = order[order.index(tag) + 1:]
    after = next((c for c in root.children if c.tag in later), None)
    if after is None:
        splices.append(root, xml)
    else:
        splices.replace(after.start, after.start, xml)


def extend(splices: Splices, root: Node, order: tuple[str, ...], group: str, members: list[bytes], *,
           counted: bool = True) -> None:
    """Append members to a group of an element, which is made where there is none. `counted`: it says how many."""
    if not members:
        return
    parent = root.child(group)
    if parent is None:
        name = f"{root.prefix}{group}".encode()
        count = b' count="%d"' % len(members) if counted else b""
        insert(splices, root, order, group, b"<" + name + count + b">" + b"".join(members) + b"</" + name + b">")
        return
    if counted:
        splices.attribute(parent, "count", str(len(parent.children) + len(members)))
    splices.append(parent, b"".join(members))
