"""Taking a sheet out: a workbook and a title in; the workbook without it out, everything else byte for byte."""

from __future__ import annotations

import re

from assistant.workbook.ooxml.book.book import OoxmlBook
from assistant.workbook.ooxml.parts.xmltree import Splices
from assistant.workbook.ooxml.whole_sheets.transplant import sheet_nodes


def take_out_sheet(book: OoxmlBook, title: str) -> None:
    """Take out a sheet that is not the one in front, with the names that belong to it or mean it.

    The others keep their numbers in the lists that count sheets. Raises KeyError, `Damaged`, `Hostile`.
    """
    part = book.sheets[title].part
    nodes = sheet_nodes(book)
    number = next(i for i, node in enumerate(nodes) if node.get("name") == title)
    splices = Splices(book.package.text(book.part))
    splices.replace(nodes[number].start, nodes[number].end, b"")
    means_it = re.compile(rf"(?<![\w.'])(?:'{re.escape(title.replace(chr(39), chr(39) * 2))}'|{re.escape(title)})!")
    group = book.root.child("definedNames")
    names = group.all("definedName") if group is not None else []
    gone = [n for n in names if n.get("localSheetId") == str(number) or means_it.search(n.text)]
    for node in names if len(gone) < len(names) else ():
        if node in gone:
            splices.replace(node.start, node.end, b"")
        elif node.whole("localSheetId") > number:
            splices.attribute(node, "localSheetId", str(node.whole("localSheetId") - 1))
    if group is not None and len(gone) == len(names):  # a list without members is not allowed
        splices.replace(group.start, group.end, b"")
    views = book.root.child("bookViews")
    for view in views.all("workbookView") if views is not None else ():
        for which in ("activeTab", "firstSheet"):
            if view.whole(which) > number:
                splices.attribute(view, which, str(view.whole(which) - 1))
    book.rewritten(splices.done())
    drop_with_links(book, book.part, part)
    book.forget(title)


def drop_with_links(book: OoxmlBook, owner: str, part: str) -> None:
    """Take out a part of which only `owner` knows, with the parts to which only it leads. Raises `Damaged`."""
    package = book.package
    below = [k.target for k in package.links(part) if not k.external and k.target in package]
    package.unlink(owner, part)
    package.drop(part)
    for target in below:
        if target in package and not any(k.target.lower() == target.lower() for name in package.names()
                                         if not name.endswith(".rels") for k in package.links(name)):
            drop_with_links(book, part, target)
