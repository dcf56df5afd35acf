"""The usual columns: what `column` takes goes in, who writes it and who sees it is said by the name."""

from __future__ import annotations

from functools import partial

from assistant.campaign.columns import column

public = partial(column, see="public")
"""The assistant writes it, all see it."""
given = partial(column, edit="referee", see="public")
"""The referee writes it, all see it."""
own = partial(column, see="owner")
"""The assistant writes it, the row's owner sees it."""
noted = partial(column, edit="referee", see="owner")
"""The referee writes it, the row's owner sees it."""
wanted = partial(column, edit="club", see="owner")
"""The club writes it, the row's owner sees it."""
offered = partial(column, edit="referee", see="public", last=True, quiet=True)
"""The referee may write it, all see it; where nobody did, a sheet folds it away and an export leaves it out."""
