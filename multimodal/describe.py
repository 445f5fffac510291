"""Has a vision model say what a picture shows, for the index."""

import io
from dataclasses import dataclass

from PIL import Image

from multimodal.pictures import open_picture
from retrieval.ports import LLM, Message
from retrieval.prompts import prompt

MOST_PIXELS_A_SIDE = 1568
"""Larger pictures are shrunk by the providers anyway, and cost as much."""

_MOST_TOKENS = 300


@dataclass(frozen=True)
class ModelDescriber:
    """The describer of a house with a model that sees."""

    llm: LLM

    def __call__(self, image: bytes) -> str:
        """A paragraph, without metadata ever leaving. Raises Unreadable, and what the model raises."""
        messages = [
            Message("system", prompt("describe")),
            Message("user", "Describe this picture.", images=(shrink(image),)),
        ]
        return self.llm.write(messages, max_tokens=_MOST_TOKENS).strip()


def shrink(image: bytes, side: int = MOST_PIXELS_A_SIDE) -> bytes:
    """The picture as PNG, at most `side` pixels wide and high, without metadata. Raises Unreadable."""
    picture = open_picture(image)
    picture.thumbnail((side, side), Image.Resampling.LANCZOS)
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()
