"""A model that sees is given the originals, posted ones first, and each picture once."""

import base64
import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from multimodal.objects import FsspecObjects
from multimodal.shown import Originals
from retrieval.answer.write import ModelWriter
from retrieval.config import Config
from retrieval.ports import ObjectStore
from retrieval.providers.openai import OpenAILLM
from retrieval.types import Hit, ImageRef, Passage, Query, Scope
from tests.standins.openai import Chat, OpenAIStandin


@pytest.fixture
def objects(tmp_path: Path) -> ObjectStore:
    return FsspecObjects(str(tmp_path / "objects"))


def test_a_model_that_sees_gets_what_was_posted_before_what_was_found(objects: ObjectStore) -> None:
    posted, found = put_picture(objects, "red"), put_picture(objects, "blue")
    passage = Passage("p", "d", "1", "A valve.", image=found)
    query = Query("q", ("What is this?",), Scope("T", "U"), images=(posted,))
    asked: list[Any] = []

    def script(chat: Chat) -> str:
        asked.append(chat.messages[-1].content)
        return "A valve. [1]"

    with OpenAIStandin(script) as server:
        llm = OpenAILLM("test-key", server.url, "qwen-vl", timeout=5)
        writer = ModelWriter(llm, Config.preset("standard").answer, Originals(objects))
        assert writer.write(query, [Hit(passage, 1.0)], [], lambda _: None) == "A valve. [1]"
        assert server.wrong == []
    pictures = [part.image_url.url for part in asked[0] if part.type == "image_url"]
    assert [_colour(url) for url in pictures] == [(255, 0, 0), (0, 0, 255)]


def test_an_original_that_is_gone_costs_nobody_the_answer(objects: ObjectStore) -> None:
    gone = ImageRef("aa/none.png", sha256="ab")
    query = Query("q", ("What is this?",), Scope("T", "U"), images=(gone, put_picture(objects, "red")))
    assert len(Originals(objects)(query, [])) == 1


def put_picture(objects: ObjectStore, colour: str) -> ImageRef:
    held = io.BytesIO()
    Image.new("RGB", (64, 64), colour).save(held, "PNG")
    return objects.put(held.getvalue(), "image/png")


def _colour(url: str) -> Any:
    data = base64.b64decode(url.partition(",")[2])
    return Image.open(io.BytesIO(data)).convert("RGB").getpixel((32, 32))


def test_copies_of_one_picture_are_given_once(objects: ObjectStore) -> None:
    red, again, blue = (put_picture(objects, colour) for colour in ("red", "#fe0000", "blue"))
    looks = zip((red, again, blue), ("ff0000", "fe0000", "0000ff"), strict=True)
    pictures = [replace(one, look="0" * 64 + colour * 16) for one, colour in looks]
    hits = [Hit(Passage(str(at), "d", "1", "A lamp.", image=one), 1.0) for at, one in enumerate(pictures)]
    given = Originals(objects)(Query("q", ("Which lamp?",), Scope("T", "U")), hits)
    assert len(given) == 2
