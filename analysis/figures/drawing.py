"""A position as a picture to show or keep."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from solvers import Position
from solvers.errors import SushiGoError
from solvers.game.drawing import position_svg


@dataclass(frozen=True, slots=True)
class Drawing:
    """An SVG picture. In a notebook it shows as an image, which code hosts render too."""

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: Path) -> Path:
        """Write the SVG file; raises :class:`SushiGoError` when it cannot be written."""
        try:
            path.write_text(self.svg, encoding="utf-8")
        except OSError as error:
            raise SushiGoError(f"cannot write {path}: {error.strerror}") from None
        return path


def draw(position: Position, theme: str = "light", language: str = "en") -> Drawing:
    """The position drawn with our own cards; see :func:`solvers.game.drawing.position_svg`."""
    return Drawing(position_svg(position, theme, language))
