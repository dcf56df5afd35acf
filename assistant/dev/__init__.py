"""The maintainers' own tools: message catalogues, pages of the manual. Nothing of it runs at a referee's."""
