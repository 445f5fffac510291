"""A bucket behind a real S3 server, and readers of LlamaIndex's own."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from multimodal.objects import FsspecObjects
from retrieval.errors import Permanent, Unreadable
from retrieval.sources.bytes import FileReader
from retrieval.sources.llamahub import ReaderSource
from retrieval.sources.url import UrlSource
from tests.retrieval.index.parse.test_figures import Eye, png

pytestmark = pytest.mark.live


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of an S3 server on a free port."""
    from moto.server import ThreadedMotoServer  # a second of imports, which a run without this test saves

    running = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    yield "http://{}:{}".format(*running.get_host_and_port())
    running.stop()


@dataclass(frozen=True)
class Bucket:
    """`options` are what fsspec needs to reach it."""

    name: str
    client: Any
    options: dict[str, Any]

    def put(self, key: str, data: bytes) -> None:
        self.client.put_object(Bucket=self.name, Key=key, Body=data)

    def source(self, folder: str, see: Eye | None = None) -> UrlSource:
        return UrlSource(FileReader("s3", see=see), f"s3://{self.name}/{folder}", options=self.options)


@pytest.fixture
def bucket(server: str) -> Bucket:
    """A new bucket."""
    import boto3

    address = {"endpoint_url": server, "region_name": "us-east-1"}
    client = boto3.client("s3", aws_access_key_id="k", aws_secret_access_key="s", **address)
    name = f"docs-{uuid4().hex}"
    client.create_bucket(Bucket=name)
    return Bucket(name, client, {"key": "k", "secret": "s", "client_kwargs": address})


def test_a_bucket_is_followed_through_changes_and_removals(bucket: Bucket) -> None:
    picture = png("valve")
    bucket.put("wiki/leave.md", b"# Leave\n\nTwenty days.\n\n![Plan](img/p.png)")
    bucket.put("wiki/img/p.png", picture)
    bucket.put("other/secret.md", b"# Secret")
    eye = Eye()
    source = bucket.source("wiki", eye)
    first = {listing.id: listing for listing in source.listings()}
    assert sorted(first) == ["s3/img/p.png", "s3/leave.md"]
    document = source.fetch(first["s3/leave.md"])
    assert document.title == "Leave"
    assert eye.seen == [picture]

    bucket.put("wiki/leave.md", b"# Leave\n\nThirty days.")
    second = {listing.id: listing for listing in source.listings()}
    assert second["s3/leave.md"].version != first["s3/leave.md"].version
    assert second["s3/img/p.png"] == first["s3/img/p.png"]

    bucket.client.delete_object(Bucket=bucket.name, Key="wiki/leave.md")
    assert "s3/leave.md" not in {listing.id for listing in source.listings()}
    with pytest.raises(Unreadable, match="gone"):
        source.fetch(second["s3/leave.md"])


def test_a_bucket_that_is_not_there_is_said_so(bucket: Bucket) -> None:
    with pytest.raises(Permanent, match="there is no"):
        list(UrlSource(FileReader("s3"), "s3://nowhere/docs", options=bucket.options).listings())


def test_originals_of_pictures_may_be_kept_in_a_bucket(
    bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", bucket.client.meta.endpoint_url)
    for name, value in (("ACCESS_KEY_ID", "k"), ("SECRET_ACCESS_KEY", "s"), ("DEFAULT_REGION", "us-east-1")):
        monkeypatch.setenv(f"AWS_{name}", value)
    objects = FsspecObjects(f"s3://{bucket.name}/pictures")
    kept = objects.put(png("valve"), "image/png")
    assert objects.put(png("valve"), "image/png") == kept
    assert objects.get(kept) == png("valve")
    objects.drop(kept.uri)
    with pytest.raises(Permanent, match="gone"):
        objects.get(kept)


@pytest.mark.filterwarnings("ignore")
def test_a_reader_of_llamaindex_is_named_in_the_configuration_and_read(tmp_path: Path) -> None:
    file = tmp_path / "leave.json"
    file.write_text(json.dumps({"leave": {"days": 20, "who": "everybody"}}))
    source = ReaderSource(
        "hub",
        "llama_index.core.readers.json:JSONReader",
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


@pytest.mark.filterwarnings("ignore")
def test_what_a_reader_tells_of_its_documents_is_kept(tmp_path: Path) -> None:
    Path(tmp_path, "leave.md").write_text("# Leave\n\nTwenty days.")
    Path(tmp_path, "pump.txt").write_text("A pump.")
    source = ReaderSource(
        "hub", "llama_index.core.readers:SimpleDirectoryReader", options={"input_dir": str(tmp_path)}
    )
    found = {listing.title: listing for listing in source.listings()}
    assert sorted(found) == ["leave.md", "pump.txt"]
    document = source.fetch(found["pump.txt"])
    assert (document.title, document.blocks[0].text) == ("pump.txt", "A pump.")
    assert document.id == f"hub/{tmp_path}/pump.txt"
    assert document.updated_at is not None

    Path(tmp_path, "pump.txt").unlink()
    assert [listing.title for listing in source.listings()] == ["leave.md"]
