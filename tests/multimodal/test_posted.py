"""A posted picture's words join the question, and pictures that look like it are found, by those who may."""

import io
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from multimodal.album import Album
from multimodal.alike import SIMILAR, look_of, signature_of
from multimodal.objects import FsspecObjects
from multimodal.posted import PictureSearcher, ReadingRewriter
from retrieval.errors import Transient
from retrieval.ports import ObjectStore
from retrieval.search.same_picture import SAME, difference, is_same
from retrieval.types import (
    Document,
    Hit,
    ImageRef,
    Kind,
    Lead,
    Passage,
    Query,
    Question,
    Route,
    RouteName,
    Scope,
)
from retrieval.understand.rewrite import KeepQuestion
from storage.base import Base, open_database
from storage.pictures import Pictures

SCOPE = Scope("team", "ada")
ROUTE = Route(RouteName.DOCUMENTS, "default")


def encode(picture: Image.Image, form: str = "PNG") -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, form)
    return buffer.getvalue()


def scene(seed: int) -> Image.Image:
    picture = Image.new("RGB", (640, 420), "#f4f4f4")
    pen, dice = ImageDraw.Draw(picture), random.Random(seed)
    for _ in range(14):
        x, y = dice.randrange(560), dice.randrange(340)
        shade = (dice.randrange(255), dice.randrange(255), dice.randrange(255))
        pen.rectangle((x, y, x + dice.randrange(20, 200), y + dice.randrange(20, 160)), fill=shade)
    return picture


@dataclass
class Fixed:
    """Reads the same words in every picture, or fails."""

    text: str = "ERR_5032 upload refused"
    name: str = "fixed"
    fails: bool = False

    def read(self, image: bytes) -> tuple[str, float]:
        if self.fails:
            raise Transient("busy")
        return self.text, 0.9


@dataclass
class Shelf:
    """A searcher and library over a few passages; `fetch` keeps to the readers."""

    passages: list[Passage] = field(default_factory=list[Passage])

    def search(self, query: Query, limit: int) -> list[Hit]:
        return [Hit(p, 0.5) for p in self.passages[:limit]]

    def fetch(self, ids: Sequence[str], scope: Scope) -> list[Passage]:
        return [p for p in self.passages if p.id in ids and p.readers & scope.readers]

    def siblings(self, passages: Sequence[Passage], scope: Scope) -> list[Passage]:
        return []


@pytest.fixture
def objects(tmp_path: Path) -> ObjectStore:
    return FsspecObjects(str(tmp_path / "objects"))


@pytest.fixture
def album(tmp_path: Path, objects: ObjectStore) -> Album:
    database = open_database(f"sqlite:///{tmp_path}/p.db")
    Base.metadata.create_all(database.engine)
    return Album(Pictures(database), objects)


Put = Callable[..., Passage]


@pytest.fixture
def put(album: Album, objects: ObjectStore) -> Put:
    def keep(id: str, picture: Image.Image, readers: frozenset[str] = SCOPE.readers) -> Passage:
        ref = objects.put(encode(picture), "image/png")
        passage = Passage(f"p-{id}", id, "1", "a picture", image=ref, readers=readers)
        album.keep("team", Document(id, "s", id, "1", (), readers=readers), [passage])
        return passage

    return keep


def asked(objects: ObjectStore, picture: bytes | None) -> Question:
    images = (objects.put(picture, "image/png"),) if picture else ()
    return Question("q", "What does this mean?", SCOPE, images=images)


def query(objects: ObjectStore, picture: bytes) -> Query:
    return Query("q", ("What is this?",), SCOPE, images=(objects.put(picture, "image/png"),))


def test_the_words_on_the_picture_join_the_question(objects: ObjectStore) -> None:
    rewriter = ReadingRewriter(KeepQuestion(), Fixed(), objects)
    found = rewriter.rewrite(asked(objects, encode(scene(1))), [], ROUTE)
    assert found.text == "What does this mean?\nERR_5032 upload refused"
    assert found.wordings[1:] == ("What does this mean? ERR_5032", "What does this mean?")


def test_a_question_without_pictures_or_with_an_unreadable_one_stays_as_it_was(objects: ObjectStore) -> None:
    plain = ReadingRewriter(KeepQuestion(), Fixed(), objects).rewrite(asked(objects, None), [], ROUTE)
    assert plain.wordings == ("What does this mean?",)
    failing = ReadingRewriter(KeepQuestion(), Fixed(fails=True), objects)
    assert failing.rewrite(asked(objects, encode(scene(1))), [], ROUTE).wordings == plain.wordings


def test_copies_look_the_same_in_other_sizes_and_encodings_and_others_do_not() -> None:
    look = look_of(encode(scene(1)))
    assert difference(look, look_of(encode(scene(1).resize((320, 210))))) <= SAME
    assert difference(look, look_of(encode(scene(1), "JPEG"))) <= SAME
    assert all(difference(look, look_of(encode(scene(n)))) > SIMILAR for n in range(2, 12))


def test_a_copy_is_the_same_picture_and_one_of_another_colour_is_not() -> None:
    def kept(name: str, picture: Image.Image, form: str = "PNG") -> ImageRef:
        return ImageRef(name, sha256=name, look=signature_of(encode(picture, form)))

    original = scene(1)
    assert is_same(kept("a", original), kept("b", original.resize((320, 210)), "JPEG"))
    red, green, blue = original.split()
    assert not is_same(kept("a", original), kept("c", Image.merge("RGB", (green, blue, red))))


def test_a_posted_copy_brings_the_indexed_picture_to_the_top(
    album: Album, objects: ObjectStore, put: Put
) -> None:
    passages = [put(str(n), scene(n)) for n in range(4)]
    searcher = PictureSearcher(Shelf(passages), album, Shelf(passages), objects)
    found = searcher.search(query(objects, encode(scene(3).resize((500, 328)), "JPEG")), 3)
    assert [hit.passage.id for hit in found] == ["p-3", "p-0", "p-1"]


def test_a_posted_picture_is_answered_by_one_copy_and_each_asker_by_one_that_they_may_read(
    album: Album, objects: ObjectStore, put: Put
) -> None:
    def signed(passage: Passage) -> Passage:
        image = passage.image
        assert image is not None
        return replace(passage, kind=Kind.IMAGE, image=replace(image, look=signature_of(encode(scene(1)))))

    bos = frozenset({"user:bo"})
    library = Shelf([signed(put("public", scene(1))), signed(put("private", scene(1), bos))])
    searcher = PictureSearcher(Shelf([]), album, library, objects)

    def found(readers: frozenset[str]) -> list[str]:
        scope = replace(SCOPE, readers=readers)
        hits = searcher.search(replace(query(objects, encode(scene(1))), scope=scope), 5)
        return [hit.passage.id for hit in hits]

    assert found(SCOPE.readers) == ["p-public"]
    assert found(bos) == ["p-private"]
    assert len(found(SCOPE.readers | bos)) == 1


def test_a_picture_is_found_only_by_who_may_read_its_passage(
    album: Album, objects: ObjectStore, put: Put
) -> None:
    hidden = put("hidden", scene(1), frozenset({"channel:C1"}))
    assert album.find(encode(scene(1)), SCOPE, 5) == []
    insider = replace(SCOPE, readers=frozenset({"channel:C1"}))
    assert album.find(encode(scene(1)), insider, 5) == [(hidden.id, 0)]
    assert album.find(encode(scene(1)), replace(insider, team="other"), 5) == []


def test_a_changed_document_keeps_only_its_present_pictures(album: Album, put: Put) -> None:
    put("page", scene(1))
    put("page", scene(2))
    assert album.find(encode(scene(1)), SCOPE, 5) == []
    album.drop("team", "page")
    assert album.find(encode(scene(2)), SCOPE, 5) == []


def test_a_picture_that_is_gone_from_the_store_is_left_out(album: Album) -> None:
    passage = Passage("p", "d", "1", "x", image=ImageRef("aa/gone.png", sha256="0" * 64))
    album.keep("team", Document("d", "s", "d", "1", ()), [passage])
    assert album.pictures.visible("team", SCOPE.readers) == []


def test_a_likeness_in_meaning_stands_behind_a_copy_and_before_words(
    album: Album, put: Put, objects: ObjectStore
) -> None:
    copy, meant = put("d1", scene(1)), put("d2", scene(2))
    posted = objects.put(encode(scene(1)), "image/png")
    words = Passage("w", "d3", "1", "Words.")
    asked: list[int] = []

    def vectors(picture: bytes, query: Query, limit: int) -> list[Lead]:
        asked.append(limit)
        return [Lead(meant.id, 0.99), Lead("nobody may read it", 0.9)]

    searcher = PictureSearcher(Shelf([words]), album, Shelf([copy, meant]), objects, vectors)
    hits = searcher.search(Query("q", ("this",), SCOPE, images=(posted,)), 5)
    assert [hit.passage.id for hit in hits] == [copy.id, meant.id, "w"]
    assert len(asked) == 1
