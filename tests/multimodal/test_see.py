"""A figure becomes a block that says what stands in it and where its original is kept."""

import io
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PIL import Image

from multimodal.alike import signature_of
from multimodal.objects import FsspecObjects
from multimodal.see import Eyes
from retrieval.errors import Permanent, Transient, Unreadable
from retrieval.index.contexts import Contexts
from retrieval.sources.folder import FolderSource
from retrieval.types import ImageRef, Kind
from tests.photos import CAMERA, photo


@dataclass
class CountingOcr:
    """Reads one fixed text and counts its readings."""

    name: str = "fake:ocr"
    text: str = "ERR_5032"
    readings: list[bytes] = field(default_factory=list[bytes])

    def read(self, image: bytes) -> tuple[str, float]:
        self.readings.append(image)
        return self.text, 0.9


def picture(size: tuple[int, int] = (90, 60)) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", size, "white").save(buffer, "PNG")
    return buffer.getvalue()


def test_a_figure_becomes_an_image_block_with_its_text_and_original(tmp_path: Path) -> None:
    objects = FsspecObjects(str(tmp_path))
    block = Eyes(CountingOcr(), objects, {})(picture(), "Figure 3")
    assert block is not None
    assert block.image is not None
    assert (block.kind, block.text) == (Kind.IMAGE, "Figure 3\nERR_5032")
    assert block.image.look == signature_of(picture())
    assert Image.open(io.BytesIO(objects.get(block.image))).size == (90, 60)


def test_a_photo_in_a_folder_is_read_upright_and_kept_without_its_camera(tmp_path: Path) -> None:
    Path(tmp_path, "photos").mkdir()
    Path(tmp_path, "photos", "IMG_0042.HEIC").write_bytes(photo("HEIF", 400, 200))
    objects, ocr = FsspecObjects(str(tmp_path)), CountingOcr()
    source = FolderSource("photos", tmp_path / "photos", see=Eyes(ocr, objects, {}))
    (block,) = source.fetch(next(source.listings())).blocks
    assert block.text == "IMG_0042\nERR_5032"
    assert block.image is not None
    kept = objects.get(block.image)
    assert CAMERA.encode() not in kept
    assert Image.open(io.BytesIO(kept)).size == (200, 400)


def test_the_same_figure_is_read_once(tmp_path: Path) -> None:
    ocr = CountingOcr()
    eyes = Eyes(ocr, FsspecObjects(str(tmp_path)), {})
    eyes(picture(), "on page 1")
    eyes(picture(), "on page 2")
    assert len(ocr.readings) == 1


def test_icons_are_passed_over_without_reading(tmp_path: Path) -> None:
    ocr = CountingOcr()
    assert Eyes(ocr, FsspecObjects(str(tmp_path)), {})(picture((16, 16)), "") is None
    assert ocr.readings == []


def test_a_describer_that_is_down_costs_the_description_alone(tmp_path: Path) -> None:
    def down(_: bytes) -> str:
        raise Transient("no answer")

    block = Eyes(CountingOcr(), FsspecObjects(str(tmp_path)), {}, down)(picture(), "")
    assert block is not None
    assert block.text == "ERR_5032"


def test_a_broken_figure_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unreadable):
        Eyes(CountingOcr(), FsspecObjects(str(tmp_path)), {})(b"broken", "")


def test_a_picture_changed_in_the_store_is_not_shown(tmp_path: Path) -> None:
    objects = FsspecObjects(str(tmp_path))
    ref = objects.put(picture(), "image/png")
    (tmp_path / ref.uri).write_bytes(picture((91, 60)))
    with pytest.raises(Permanent, match="changed"):
        objects.get(ref)
    with pytest.raises(Permanent, match="gone"):
        objects.get(ImageRef("no/such.png", sha256="0"))


def test_what_was_read_is_not_read_again_by_another_process(tmp_path: Path) -> None:
    ocr, objects = CountingOcr(), FsspecObjects(str(tmp_path / "objects"))
    for _ in range(2):
        Eyes(ocr, objects, Contexts(tmp_path / "readings.db"))(picture(), "")
    assert len(ocr.readings) == 1
    other = CountingOcr(name="fake:better")
    Eyes(other, objects, Contexts(tmp_path / "readings.db"))(picture(), "")
    assert len(other.readings) == 1


def test_a_description_that_failed_is_asked_for_again(tmp_path: Path) -> None:
    said = iter(["", "a pump"])

    def describe(_: bytes) -> str:
        if not (words := next(said)):
            raise Transient("no answer")
        return words

    eyes = Eyes(CountingOcr(), FsspecObjects(str(tmp_path / "o")), Contexts(tmp_path / "r.db"), describe, "m")
    assert [block and block.text for block in (eyes(picture(), ""), eyes(picture(), ""))] == [
        "ERR_5032",
        "ERR_5032\na pump",
    ]


def test_a_photo_without_words_is_a_block_and_an_ornament_is_none(tmp_path: Path) -> None:
    eyes = Eyes(CountingOcr(text=""), FsspecObjects(str(tmp_path)), {})
    photo = eyes(picture((300, 200)), "")
    assert photo is not None
    assert (photo.text, photo.image is not None) == ("", True)
    assert eyes(picture((90, 60)), "") is None
