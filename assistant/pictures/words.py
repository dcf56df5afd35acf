"""tmp"""
from assistant.pictures.scene import Scene


def alt(scene: Scene) -> str:
    """tmp."""
    return scene.title
