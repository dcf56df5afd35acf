"""A page of HTML as a PDF for print, without network. WeasyPrint makes it, which is installed apart."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from typing import Any

from assistant.pictures.boxes import font_files
from assistant.pictures.render import MissingLibrary, template_environment

PRINTER, LETTERS = "weasyprint", "Pango"
"""The library, and the one of the system by which it sets letters."""
OUR_FONTS = ":root{--serif:'Arbitro Serif',serif;--sans:'Arbitro Sans',sans-serif}"


def html_to_pdf(page: str) -> bytes | MissingLibrary:
    """The page as PDF: our own fonts, nothing is loaded but what it holds; equal pages give equal bytes.

    A missing library is not raised.
    """
    try:
        import weasyprint
    except ImportError:
        return MissingLibrary(PRINTER)
    except OSError:  # it is there, and what it needs of the system is not
        return MissingLibrary(LETTERS)
    faces = [(Path(name).stem, b64encode(Path(name).read_bytes()).decode()) for name in font_files()]
    style = template_environment().get_template("map.fonts.css.j2").render(faces=faces)
    printed = page.replace("</head>", f"<style>{style}{OUR_FONTS}</style></head>", 1)
    made: Any = weasyprint.HTML(string=printed, url_fetcher=_only_data(weasyprint)).write_pdf()
    return bytes(made)


def _only_data(weasyprint: Any) -> Any:
    """What fetches pictures and fonts: only those that stand in the page itself."""
    return weasyprint.urls.URLFetcher(allowed_protocols=("data",))
