"""Threads are documents that follow late replies, edits and deletions, in whatever order events come."""

from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import create_engine
from sqlalchemy.pool import StaticPool

from retrieval.sources.build import Traits
from retrieval.sources.talk import TalkSource, spoken
from storage.base import Base, Database
from storage.messages import Messages, Said

ROOT = "1735725600.000100"  # 2025-01-01 10:00 UTC


def at(seconds: int) -> str:
    return f"{float(ROOT) + seconds:.6f}"


def said(seconds: int, text: str, thread: str = ROOT, changed: str = "", user: str = "U1") -> Said:
    return Said(at(seconds), thread, user, text, changed)


def store() -> Messages:
    engine = create_engine("sqlite://", poolclass=StaticPool, connect_args={"check_same_thread": False})
    Base.metadata.create_all(engine)
    return Messages(Database(engine))


def talk(messages: list[Said] | Messages) -> TalkSource:
    read = (lambda: messages.of_channel("T", "C")) if isinstance(messages, Messages) else lambda: messages
    names = {"U1": "Mei", "U2": "Bob"}.get
    return TalkSource(
        "#eng",
        "#eng",
        read,
        Traits(frozenset({"channel:C"})),
        lambda ts: f"https://x/p{ts}",
        lambda id: names(id, id),
    )


def texts(source: TalkSource) -> dict[str, list[str]]:
    return {one.title: [block.text for block in source.fetch(one).blocks] for one in source.listings()}


def test_a_thread_is_one_document_for_the_channels_members() -> None:
    source = talk([said(0, "How do I deploy?"), said(60, "Run `deployctl`, <@U1>.", user="U2")])
    (listing,) = source.listings()
    document = source.fetch(listing)
    assert document.title == "#eng: How do I deploy?"
    assert [block.text for block in document.blocks] == [
        "Mei, 2025-01-01 10:00: How do I deploy?",
        "Bob, 2025-01-01 10:01: Run `deployctl`, @Mei.",
    ]
    assert (document.readers, document.url) == ({"channel:C"}, f"https://x/p{ROOT}")
    assert document.updated_at is not None
    assert document.updated_at.minute == 1


def test_what_nobody_replied_to_is_one_document_a_day() -> None:
    days = [said(0, "Good morning", at(0)), said(60, "Lunch?", at(60)), said(90_000, "Bye", at(90_000))]
    assert list(texts(talk(days))) == ["#eng on 2025-01-01", "#eng on 2025-01-02"]


def test_a_late_reply_an_edit_and_a_deletion_change_the_version() -> None:
    messages = store()
    messages.put("T", "C", [said(0, "Monday"), said(60, "Sure")])
    versions = [next(iter(talk(messages).listings())).version]
    for change in ("reply", "edit", "delete"):
        if change == "reply":
            messages.put("T", "C", [said(90_000, "Late reply")])
        elif change == "edit":
            messages.put("T", "C", [said(0, "Friday", changed=at(100))])
        else:
            messages.delete("T", "C", at(60))
        versions.append(next(iter(talk(messages).listings())).version)
    assert len(set(versions)) == 4
    (lines,) = texts(talk(messages)).values()
    assert [line.partition(": ")[2] for line in lines] == ["Friday", "Late reply"]


def test_a_message_that_comes_after_its_deletion_stays_deleted() -> None:
    messages = store()
    messages.delete("T", "C", at(0))
    messages.put("T", "C", [said(0, "Oops")])
    assert messages.of_channel("T", "C") == []


EVENTS = [
    ("put", said(0, "one")),
    ("put", said(0, "one, edited", changed=at(10))),
    ("put", said(0, "one, edited twice", changed=at(20))),
    ("put", said(5, "two")),
    ("put", said(9, "three")),
    ("delete", said(9, "three")),
]


@settings(deadline=None, max_examples=30)
@given(st.permutations(EVENTS), st.lists(st.sampled_from(EVENTS), max_size=4))
def test_events_may_come_in_any_order_and_twice(
    order: list[tuple[str, Said]], again: list[tuple[str, Said]]
) -> None:
    messages = store()
    for kind, message in order + again:
        if kind == "put":
            messages.put("T", "C", [message])
        else:
            messages.delete("T", "C", message.ts)
    assert [one.text for one in messages.of_channel("T", "C")] == ["one, edited twice", "two"]


def test_slacks_markup_is_read_as_people_see_it() -> None:
    text = "<@U1> see <https://x.y/z?a=1|the page> in <#C9|ops>, <!here> &amp;lt; &lt;b&gt;"
    assert spoken(text, lambda _: "Mei") == "@Mei see the page (https://x.y/z?a=1) in #ops, @here &lt; <b>"
