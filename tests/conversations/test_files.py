"""Files that people post with a question: read for it, for those in the place, and for nobody after."""

import pytest

from tests.conversations.talk import Thread, ask, dm, shown
from tests.office import Office, until
from tests.photos import photo
from tests.retrieval.index.parse.make import docx, p, pdf

pytestmark = pytest.mark.live
SIGN_IN = b"<!DOCTYPE html><html><head><title>Sign in | Slack</title></head><body>Sign in</body></html>"
LOCKED = pdf([("Secret", 11.0, False)], password="x")
MENU = ("menu.csv", b"dish,price\nSoup of the day,4.50\nPumpkin risotto,11.20\n")


def test_a_pdf_is_read_and_cited_by_its_page(office: Office) -> None:
    pages = (
        [("Offsite plan", 18.0, True), ("We meet in Lisbon.", 11.0, False)],
        [("The bus leaves at 7:40.", 11.0, False)],
    )
    thread = ask(office, "alice", "eng", "when does the bus leave?", files=(("offsite.pdf", pdf(*pages)),))
    thread.bot_says("The bus leaves at 7:40. [1]", "Sources", "#page=2|offsite.pdf")


def test_a_word_file_in_chinese(office: Office) -> None:
    file = docx(p("搬迁通知") + p("新办公室在静安区，九月一日起使用。"))
    ask(office, "chenwei", "人事", "新办公室在哪里？", files=(("notice.docx", file),)).bot_says(
        "静安区", "来源", "notice.docx"
    )


def test_a_table_of_values(office: Office) -> None:
    dm(office, "bob", "what does the pumpkin risotto cost?", files=(MENU,)).bot_says("11.20", "menu.csv")


def test_a_text_without_a_question(office: Office) -> None:
    text = b"Minutes of Tuesday.\n\nThe launch moves to October."
    dm(office, "alice", "", files=(("minutes.txt", text),)).bot_says("Minutes of Tuesday", "minutes.txt")


def test_the_knowledge_is_read_beside_the_file(office: Office) -> None:
    text = b"Our contractors asked for ten paid days of vacation."
    thread = ask(office, "alice", "eng", "do contractors get paid vacation?", files=(("wish.txt", text),))
    thread.bot_says(
        "ten paid days", "they invoice days worked", "wish.txt", "handbook.example.com/contractors"
    )


def test_what_a_file_says_is_not_known_afterwards(office: Office) -> None:
    dm(office, "bob", "what does the pumpkin risotto cost?", files=(MENU,)).bot_says("11.20")
    dm(office, "bob", "what does the pumpkin risotto cost?").bot_says("found nothing")


def test_pictures_and_documents_together(office: Office) -> None:
    taken = ("IMG_0042.HEIC", photo("HEIF", 400, 200))
    thread = dm(office, "alice", "what does the soup cost?", files=(taken, MENU))
    assert "IMG_0042" not in shown(thread.bot_says("4.50"))


@pytest.mark.parametrize(
    ("name", "data", "fragments"),
    [
        ("macro.bin", b"\0\1\2", ("cannot read macro.bin", "PDF")),
        ("plan.pdf", b"%PDF-1.7 and then nothing", ("could not read plan.pdf",)),
        ("locked.pdf", LOCKED, ("could not read locked.pdf", "password")),
        ("empty.csv", b"\n", ("could not read empty.csv", "empty")),
    ],
)
def test_what_cannot_be_read_is_said_with_its_reason(
    office: Office, name: str, data: bytes, fragments: tuple[str, ...]
) -> None:
    dm(office, "alice", "", files=((name, data),)).bot_says(*fragments)


@pytest.mark.complaint("B15")
@pytest.mark.parametrize("name", ["error.png", "plan.pdf", "notes.txt", "page.html"])
def test_slacks_sign_in_page_is_not_taken_for_the_file(office: Office, name: str) -> None:
    office.world.inject("download")
    dm(office, "bob", "", files=((name, b"What was really in it."),)).bot_says(f"did not let me open {name}")


@pytest.mark.complaint("B15")
def test_a_file_that_lies_elsewhere_in_slack_is_followed_with_the_token(office: Office) -> None:
    office.world.inject("download", 302)
    dm(office, "bob", "what does the soup cost?", files=(MENU,)).bot_says("4.50")


def test_a_web_page_that_somebody_posted_is_read(office: Office) -> None:
    page = b"<!doctype html><html><body><p>The canteen opens at noon.</p></body></html>"
    dm(office, "alice", "when does the canteen open?", files=(("canteen.html", page),)).bot_says("noon")


def test_a_question_with_one_bad_file_is_answered_from_the_others(office: Office) -> None:
    files = (MENU, ("macro.bin", b"\0\1\2"))
    ask(office, "bob", "eng", "what does the soup cost?", files=files).bot_says(
        "4.50", "cannot read macro.bin"
    )


def test_a_file_in_a_follow_up_without_a_mention(office: Office) -> None:
    thread: Thread = ask(office, "alice", "eng", "how many vacation days?")
    thread.bot_says("25 days")
    thread.says("alice", "and what does the soup cost?", files=(MENU,))
    thread.bot_says("4.50")


def test_reading_files_is_shown_as_a_status(office: Office) -> None:
    thread = dm(office, "alice", "what does the soup cost?", files=(MENU,))
    thread.bot_says("4.50")
    until(lambda: [s for s in office.world.statuses if s.thread_ts == thread.ts and "attached" in s.text])
