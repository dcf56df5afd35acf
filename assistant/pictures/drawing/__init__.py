"""From a scene to the parts of its drawing: where everything stands, in pixels. How it looks is the templates'."""
