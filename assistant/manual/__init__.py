"""The pages of `arbitro help` as Markdown, derived from the code.

Nothing is loaded before a name is taken from here, as only one command needs the pages.
"""

from typing import TYPE_CHECKING

from assistant.environment import lazy_attributes, module_by_name

if TYPE_CHECKING:
    from assistant.manual.topics import TOPICS as TOPICS
    from assistant.manual.topics import all_pages as all_pages
    from assistant.manual.topics import for_terminal as for_terminal
    from assistant.manual.topics import page_of as page_of

ROOM_OF = module_by_name({"topics": "TOPICS all_pages for_terminal page_of"})

if not TYPE_CHECKING:  # the type checker has the imports above
    __getattr__ = lazy_attributes(__name__, ROOM_OF)
