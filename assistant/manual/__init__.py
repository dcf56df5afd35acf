"""The pages of `arbitro help`: what the code says of its commands, orders, sheets, findings and plug-ins, as Markdown.

Nothing is loaded before a name is taken from here: only one command asks for pages.
"""

from typing import TYPE_CHECKING

from assistant.environment import on_demand, rooms_of

if TYPE_CHECKING:
    from assistant.manual.topics import TOPICS as TOPICS
    from assistant.manual.topics import all_pages as all_pages
    from assistant.manual.topics import for_terminal as for_terminal
    from assistant.manual.topics import page_of as page_of

ROOM_OF = rooms_of({"topics": "TOPICS all_pages for_terminal page_of"})

if not TYPE_CHECKING:  # the type checker has the imports above
    __getattr__ = on_demand(__name__, ROOM_OF)
