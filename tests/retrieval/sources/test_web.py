"""Web pages: main content, robots and inner networks respected."""

import threading
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from retrieval.errors import Permanent, Transient, Unreadable
from retrieval.sources.bytes import FileReader
from retrieval.sources.outside import Outside
from retrieval.sources.web import WebSource

PAGES: dict[str, tuple[int, str, str]] = {}


class Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        code, kind, body = PAGES.get(self.path, (404, "text/plain", "none"))
        self.send_response(code)
        if code in (301, 302):
            self.send_header("Location", body)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def site() -> Generator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    PAGES.clear()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def html(body: str, title: str = "T") -> tuple[int, str, str]:
    page = f"<title>{title}</title><nav><a href=/docs/menu>Menu</a></nav><main><h1>{title}</h1>{body}</main>"
    return 200, "text/html; charset=utf-8", page


def crawl(url: str, **options: int) -> WebSource:
    return WebSource(FileReader("web"), url, allow_private=True, pause=0, **options)


def test_links_below_the_start_page_are_followed_and_menus_left_out(site: str) -> None:
    PAGES["/docs/"] = html('<p>Start</p><a href="leave#top">Leave</a> <a href="/other/x">Other</a>', "Docs")
    PAGES["/docs/leave"] = html("<p>Twenty days. 每年二十天。</p>", "Leave")
    PAGES["/docs/menu"] = html("<p>Menu page</p>", "Menu")
    source = crawl(f"{site}/docs/")
    found = {listing.id: source.fetch(listing) for listing in source.listings()}
    assert sorted(found) == [f"web/{site}/docs/", f"web/{site}/docs/leave", f"web/{site}/docs/menu"]
    leave = found[f"web/{site}/docs/leave"]
    assert (leave.title, leave.url) == ("Leave", f"{site}/docs/leave")
    assert [block.text for block in leave.blocks] == ["Leave", "Twenty days. 每年二十天。"]


def test_the_depth_and_the_number_of_pages_are_kept(site: str) -> None:
    for at in range(6):
        PAGES[f"/d/{at}"] = html(f'<p>Page {at}</p><a href="/d/{at + 1}">next</a>')
    assert len(list(crawl(f"{site}/d/0", depth=2).listings())) == 3
    assert len(list(crawl(f"{site}/d/0", depth=9, most=4).listings())) == 4


def test_a_sitemap_with_dates_is_listed_without_reading_its_pages(site: str) -> None:
    entry = f"<url><loc>{site}/a</loc><lastmod>2025-01-01</lastmod></url>"
    PAGES["/sitemap.xml"] = (200, "application/xml", f"<urlset>{entry}</urlset>")
    source = crawl(f"{site}/sitemap.xml")
    (listing,) = source.listings()
    PAGES["/a"] = html("<p>Alpha</p>")
    assert source.fetch(listing).blocks[-1].text == "Alpha"


def test_robots_are_respected(site: str) -> None:
    PAGES["/robots.txt"] = (200, "text/plain", "User-agent: *\nDisallow: /docs/secret")
    PAGES["/docs/"] = html('<p>Start</p><a href="secret">Secret</a>')
    PAGES["/docs/secret"] = html("<p>Secret</p>")
    assert len(list(crawl(f"{site}/docs/").listings())) == 1


def test_an_inner_address_is_refused_by_name_by_number_and_by_redirect(site: str) -> None:
    for url in (site, "http://localhost:1/", "http://169.254.169.254/latest/meta-data", "http://[::1]/"):
        with pytest.raises(Unreadable, match="inner network"):
            Outside(pause=0).get(url)
    with pytest.raises(Permanent, match="inner network"):
        list(WebSource(FileReader("web"), site).listings())


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://example.com/x", "gopher://x"])
def test_a_redirect_away_from_the_web_is_refused(site: str, target: str) -> None:
    PAGES["/go"] = (302, "text/plain", target)
    with pytest.raises(Unreadable, match="no web address"):
        Outside(allow_private=True, pause=0).get(f"{site}/go")


def test_a_page_that_is_too_large_is_cut_off_while_it_comes(site: str) -> None:
    PAGES["/big"] = (200, "text/html", "x" * 3_000_000)
    with pytest.raises(Unreadable, match="more than 1 MB"):
        Outside(allow_private=True, most_bytes=1 << 20, pause=0).get(f"{site}/big")


def test_a_server_that_fails_is_asked_again_later_and_removes_nothing(site: str) -> None:
    PAGES["/"] = (503, "text/plain", "busy")
    with pytest.raises(Transient, match="503"):
        list(crawl(f"{site}/").listings())
