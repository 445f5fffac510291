"""Posted files through the real pipeline: local embedder, Weaviate, gate, quotations."""

from pathlib import Path
from typing import Any

import pytest

from retrieval.pipeline import answer
from retrieval.types import ImageRef, Outcome, Question, Scope
from tests.retrieval.index.parse.make import pdf
from workers.files import Reader
from workers.inbox import FileNote
from workers.servers import Urls
from workers.settings import load_settings
from workers.wiring import open_house

pytestmark = pytest.mark.live
PLACE = frozenset({"public"})
PAGES = (
    [("Offsite plan", 18.0, True), ("We meet in Lisbon, at the river, for three days.", 11.0, False)],
    [("Getting there", 18.0, True), ("The bus leaves at 7:40 from the main gate.", 11.0, False)],
)


class NoObjects:
    def put(self, data: bytes, mime: str) -> ImageRef:
        raise AssertionError("there is no picture")

    def get(self, ref: ImageRef) -> bytes:
        raise AssertionError("there is no picture")


def slack(method: str, **_: Any) -> dict[str, Any]:
    return {"file": {"url_private": "https://files.slack.com/F1", "permalink": "https://acme.slack.com/F1"}}


@pytest.mark.timeout(240)
def test_a_posted_file_answers_across_languages_and_is_not_known_afterwards(
    server_urls: Urls, tmp_path: Path
) -> None:
    settings = load_settings(
        {
            "TEAMLORE_HOME": str(tmp_path),
            "REDIS_URL": server_urls.redis_url,
            "WEAVIATE_URL": server_urls.weaviate_http,
            "WEAVIATE_GRPC_URL": server_urls.weaviate_grpc,
            "WEAVIATE_API_KEY": server_urls.weaviate_api_key,
        }
    )
    reader = Reader(slack, lambda url: pdf(*PAGES), NoObjects(), PLACE)
    looked = reader.look_at([FileNote("F1", "offsite.pdf")])
    with open_house(settings) as house:
        reading = house.reading(looked.passages)
        for text in ("when does the bus leave?", "班车几点出发？", "What does this file say?"):
            found = answer(asked(text), reading)
            assert found.outcome is Outcome.ANSWERED, text
            assert found.citations[0].passage.title == "offsite.pdf"
        assert "7:40" in answer(asked("班车几点出发？"), reading).text
        assert answer(asked("when does the bus leave?"), house.parts).outcome is Outcome.NOT_FOUND


def asked(text: str) -> Question:
    return Question("q", text, Scope("posted", "U1", "C1", PLACE))
