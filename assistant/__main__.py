"""``python -m assistant``: the command ``arbitro``, where its script is not on the path."""

from __future__ import annotations

from assistant.cli import main

if __name__ == "__main__":
    main()
