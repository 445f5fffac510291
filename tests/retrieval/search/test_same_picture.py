"""The same picture in several documents is shown once, to each person from those that they may read."""

import pytest

from retrieval.index.parse import parse
from retrieval.search.collapse import collapse
from retrieval.search.same_picture import is_same, once
from retrieval.types import Block, Hit, ImageRef, Kind, Passage

RED, GREEN = "c02020" * 16, "20c020" * 16


def picture(uri: str, bits: int = 0, text: str = "", colours: str = RED) -> ImageRef:
    """One whose hash has so many bits that another's has not."""
    return ImageRef(uri, sha256=uri, text=text, look=f"{(1 << bits) - 1:064x}{colours}")


def hit(id: str, image: ImageRef, kind: Kind = Kind.IMAGE, text: str = "") -> Hit:
    return Hit(Passage(id, id, "1", text or f"Words of {id}", kind=kind, image=image), 1.0)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (picture("a"), picture("b", 16), True),
        (picture("a"), picture("b", 17), False),
        (picture("a", text="Save it"), picture("b", text="Save  It."), True),
        (picture("a", text="Error KB-3102"), picture("b", text="Error KB-3103"), False),
        (picture("a", text="You may not open it"), picture("b", text="You may open it"), False),
        (picture("a"), picture("b", colours=GREEN), False),
        (ImageRef("https://a/x.png"), ImageRef("https://a/x.png"), True),
        (ImageRef("https://a/x.png"), ImageRef("https://a/y.png"), False),
    ],
)
def test_copies_are_known_by_look_colour_and_what_is_read(one: ImageRef, other: ImageRef, same: bool) -> None:
    assert is_same(one, other) is same


def test_a_picture_in_several_documents_is_one_hit_and_words_beside_it_stay() -> None:
    hits = [
        hit("public", picture("a")),
        hit("private", picture("b", 3)),
        hit("manual", picture("a"), Kind.PARAGRAPH),
        hit("other", picture("c", 90)),
    ]
    assert [one.passage.id for one in collapse(hits, 0.97, 9)] == ["public", "manual", "other"]
    assert [one.passage.id for one in collapse(hits[1:], 0.97, 9)] == ["private", "manual", "other"]


def test_pictures_below_an_answer_are_shown_once() -> None:
    pictures = [picture("a"), picture("b", 40), picture("c", 2), picture("a")]
    assert [one.uri for one in once(pictures)] == ["a", "b"]


def test_a_photo_shown_again_in_another_size_is_there_once_and_one_of_another_colour_twice() -> None:
    looks = {"a": "0" * 64 + "80" * 48, "b": "0" * 63 + "7" + "84" * 48, "c": "0" * 64 + "f0" * 48}

    def see(image: bytes, caption: str) -> Block:
        name = image.decode()
        return Block(Kind.IMAGE, "", image=ImageRef(name, sha256=name, look=looks[name]))

    text = "".join(f"<p>Part {name}</p><img src='{name}.png'>" for name in "abc")
    found = parse(
        f"<body>{text}</body>".encode(), "a.html", see=see, beside=lambda address: address[:1].encode()
    )
    assert [block.image.uri for block in found.blocks if block.image] == ["a", "c"]
