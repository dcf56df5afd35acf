"""Reports: a faction's view becomes a page of dataclasses, and the page HTML, plain text and JSON.

`reader` holds the view and what is new in it, `facts` and `duties` make the sections, `brief` the five lines, `build`
puts pages together, `pages` declares them, and `render` writes them. The templates are in `reports/`.
"""
