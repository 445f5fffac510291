"""A bucket behind a real S3 server, and a reader of LlamaHub's own; skipped where their packages are not."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from retrieval.errors import Permanent, Unreadable
from retrieval.sources.bytes import FileReader
from retrieval.sources.llamahub import ReaderSource
from retrieval.sources.url import UrlSource
from tests.retrieval.index.parse.test_figures import Eye, png

pytestmark = pytest.mark.live


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Any, dict[str, Any]]]:
    """A client of the bucket `docs`, and what fsspec needs to reach it."""
    pytest.importorskip("s3fs")
    moto = pytest.importorskip("moto.server")
    boto3 = pytest.importorskip("boto3")
    server = moto.ThreadedMotoServer(port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    address = {"endpoint_url": f"http://{host}:{port}", "region_name": "us-east-1"}
    client = boto3.client("s3", aws_access_key_id="k", aws_secret_access_key="s", **address)
    client.create_bucket(Bucket="docs")
    yield client, {"key": "k", "secret": "s", "client_kwargs": address}
    server.stop()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_bucket_is_followed_through_changes_and_removals(bucket: tuple[Any, dict[str, Any]]) -> None:
    client, options = bucket
    picture = png("valve")
    client.put_object(
        Bucket="docs", Key="wiki/leave.md", Body=b"# Leave\n\nTwenty days.\n\n![Plan](img/p.png)"
    )
    client.put_object(Bucket="docs", Key="wiki/img/p.png", Body=picture)
    client.put_object(Bucket="docs", Key="other/secret.md", Body=b"# Secret")
    eye = Eye()
    source = UrlSource(FileReader("s3", see=eye), "s3://docs/wiki", options=options)
    first = {listing.id: listing for listing in source.listings()}
    assert sorted(first) == ["s3/img/p.png", "s3/leave.md"]
    document = source.fetch(first["s3/leave.md"])
    assert document.title == "Leave"
    assert eye.seen == [picture]

    client.put_object(Bucket="docs", Key="wiki/leave.md", Body=b"# Leave\n\nThirty days.")
    second = {listing.id: listing for listing in source.listings()}
    assert second["s3/leave.md"].version != first["s3/leave.md"].version
    assert second["s3/img/p.png"] == first["s3/img/p.png"]

    client.delete_object(Bucket="docs", Key="wiki/leave.md")
    assert "s3/leave.md" not in {listing.id for listing in source.listings()}
    with pytest.raises(Unreadable, match="gone"):
        source.fetch(second["s3/leave.md"])


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_bucket_that_is_not_there_is_said_so(bucket: tuple[Any, dict[str, Any]]) -> None:
    _, options = bucket
    with pytest.raises(Permanent, match="there is no"):
        list(UrlSource(FileReader("s3"), "s3://nowhere/docs", options=options).listings())


@pytest.mark.filterwarnings("ignore")
def test_a_reader_of_llamahub_is_named_in_the_configuration_and_read(tmp_path: Path) -> None:
    pytest.importorskip("llama_index.readers.json")
    file = tmp_path / "leave.json"
    file.write_text(json.dumps({"leave": {"days": 20, "who": "everybody"}}))
    source = ReaderSource(
        "hub",
        "llama_index.readers.json:JSONReader",
        options={"levels_back": 0},
        load={"input_file": str(file)},
    )
    (listing,) = source.listings()
    text = "\n".join(block.text for block in source.fetch(listing).blocks)
    assert "days 20" in text
    file.write_text(json.dumps({"leave": {"days": 30, "who": "everybody"}}))
    (changed,) = source.listings()
    assert changed.id == listing.id
    assert changed.version != listing.version
