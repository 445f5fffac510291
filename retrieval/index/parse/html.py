"""HTML: the main content only, by selectolax, which reads malformed nesting as browsers do."""

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from retrieval.index.parse.parsed import Outline, Parsed, Reading, Rows, one_line
from retrieval.index.parse.text import decode_within

_CHARSET = re.compile(rb"<meta[^>]+?charset\s*=\s*[\"']?\s*([\w\-:]+)", re.IGNORECASE)
_NEVER = (
    "head, script, style, noscript, template, svg, canvas, iframe, object, "
    "select, button, input, textarea, dialog"
)
_CHROME = (
    "nav, footer, aside, [role=navigation], [role=banner], [role=contentinfo], [role=search], [role=dialog],"
    " [role=complementary], [aria-hidden=true], [hidden], .visually-hidden, .sr-only"
)
_WIDGET = re.compile(
    r"(^|[\s_-])(cookie|consent|gdpr|breadcrumbs?|navbar|nav|menu|sidebar|toc|share|social|newsletter|subscribe|advert"
    r"|ads?|promo|copy-?page|edit-?page|skip-?link|pagination|related-?posts|site-?header|site-?footer|footer)($|[\s_-])",
    re.IGNORECASE,
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_PROSE = frozenset({"p", "blockquote", "dt", "dd", "figcaption", "summary", "address", "caption", "legend"})
_INLINE = frozenset(
    re.findall(
        r"\S+",
        "a abbr b bdi bdo br cite code data dfn em font i img ins del kbd label mark q ruby rt rp s samp"
        " small span strong strike sub sup time tt u var wbr -text",
    )
)
_BLOCKS = "p, div, ul, ol, table, pre, h1, h2, h3, h4, h5, h6, section, article, dl"


def parse(data: bytes, reading: Reading) -> Parsed:
    found = _CHARSET.search(data[:4096])
    decoded = decode_within(data, reading, found[1].decode("ascii") if found else "")
    tree = LexborHTMLParser(decoded.text)
    outline = Outline(reading=reading)
    title = _title(tree)
    author = _meta(tree, "author")
    read_html(tree, outline)
    return Parsed(tuple(outline.blocks), title=title, author=author, notes=(*decoded.notes, *outline.notes))


def read_html(tree: LexborHTMLParser, outline: Outline) -> None:
    """Add the blocks of a page's main content to `outline`."""
    for node in tree.css(_NEVER):
        node.decompose()
    root = _main(tree)
    if root is not None:
        _walk(root, outline)


def _main(tree: LexborHTMLParser) -> LexborNode | None:
    """The part that holds most of the page's own text: `main` or `article` if present, menus taken out."""
    body = tree.body
    if body is None:
        return None
    whole = _size(body)
    for node in _boilerplate(tree):
        if _size(node) < 0.7 * whole:
            node.decompose()
    for selector in ("main", "[role=main]", "article"):
        nodes = tree.css(selector)
        if len(nodes) == 1 and _size(nodes[0]) > 0.4 * _size(body):
            return nodes[0]
    return body


def _boilerplate(tree: LexborHTMLParser) -> Iterator[LexborNode]:
    yield from tree.css(_CHROME)
    for node in tree.css("header, div, ul, ol, section, form"):
        names = f"{node.attributes.get('class') or ''} {node.attributes.get('id') or ''}"
        if _WIDGET.search(names) or _is_menu(node):
            yield node


def _is_menu(node: LexborNode) -> bool:
    """Many links and hardly anything else: each link short, the text between them shorter still."""
    if node.tag not in ("ul", "ol", "div", "header") or node.css_first("p, pre, table, h1") is not None:
        return False
    links = node.css("a")
    linked = sum(_size(link) for link in links)
    return len(links) >= 4 and linked > 0.85 * _size(node) and linked / len(links) < 30


def _size(node: LexborNode) -> int:
    return len(one_line(node.text(deep=True)))


def _walk(node: LexborNode, outline: Outline) -> None:
    """Add what lies in `node`; runs of inline children make a paragraph."""
    run: list[LexborNode] = []
    for child in node.iter(include_text=True):
        tag = child.tag or ""
        if tag in _INLINE and not _holds_blocks(child):
            run.append(child)
            continue
        _inline(run, outline)
        run.clear()
        _block(child, tag, outline)
    _inline(run, outline)


def _inline(run: list[LexborNode], outline: Outline) -> None:
    """A paragraph of inline nodes, then the pictures among them."""
    outline.paragraph(_tidy("".join(map(_words, run))))
    for node in run:
        if node.tag == "img":
            _image(node, outline)
        elif node.tag != "-text":
            _images(node, outline)


def _block(node: LexborNode, tag: str, outline: Outline) -> None:
    if tag in _HEADINGS:
        outline.heading(_tidy(_words(node)), _HEADINGS[tag], node.attributes.get("id") or "")
        _images(node, outline)
    elif tag in _PROSE and not _holds_blocks(node):
        outline.paragraph(_tidy(_words(node)))
        _images(node, outline)
    elif tag == "pre":
        outline.code(node.text(deep=True), _code_language(node))
    elif tag in ("ul", "ol") and node.css_first("table, pre, h1, h2, h3, h4") is None:
        outline.paragraph("\n".join(_items(node, "")))
        _images(node, outline)
    elif tag == "table" and _is_data(node):
        _table(node, outline)
    elif tag not in ("-comment", "_comment"):
        _walk(node, outline)


def _holds_blocks(node: LexborNode) -> bool:
    return node.css_first("p, div, ul, ol, table, pre, h1, h2, h3, h4, h5, h6, section, article, dl") not in (
        None,
        node,
    )


def _items(node: LexborNode, indent: str) -> Iterator[str]:
    number = 0
    for item in node.iter():
        if item.tag in ("ul", "ol"):
            yield from _items(item, indent + "  ")
            continue
        number += 1
        mark = f"{number}." if node.tag == "ol" else "-"
        inner = [child for child in item.iter(include_text=True) if child.tag not in ("ul", "ol")]
        yield f"{indent}{mark} {_tidy(' '.join(_words(child) for child in inner))}"
        for nested in item.iter():
            if nested.tag in ("ul", "ol"):
                yield from _items(nested, indent + "  ")


def _words(node: LexborNode) -> str:
    """A node's text as it reads on the page: line breaks kept, inline code marked."""
    if node.tag == "-text":
        return re.sub(r"\s+", " ", node.text_content or "")
    if node.tag == "br":
        return "\n"
    inner = "".join(_words(child) for child in node.iter(include_text=True))
    if node.tag == "code" and inner.strip():
        return f"`{inner.strip()}`"
    return inner if node.tag in _INLINE else f" {inner} "


def _tidy(text: str) -> str:
    return "\n".join(line for part in text.split("\n") if (line := one_line(part)))


def _images(node: LexborNode, outline: Outline) -> None:
    for picture in node.css("img"):
        _image(picture, outline)


def _image(node: LexborNode, outline: Outline) -> None:
    caption = node.attributes.get("alt") or node.attributes.get("title") or ""
    source = node.attributes.get("src") or node.attributes.get("data-src") or ""
    outline.linked(source, one_line(caption))


def _is_data(table: LexborNode) -> bool:
    """Layout tables (one column, or tables in tables) are walked, not read as rows."""
    if table.attributes.get("role") == "presentation":
        return False
    widest = max((len(row.css("td, th")) for row in table.css("tr")), default=0)
    return widest > 1 and len(table.css("table")) <= 1


def _table(node: LexborNode, outline: Outline) -> None:
    caption = node.css_first("caption")
    rows = expand([[_cell(cell) for cell in row.css("td, th")] for row in node.css("tr")])
    outline.table(rows, _tidy(caption.text(deep=True)) if caption is not None else "")
    _images(node, outline)


def _cell(node: LexborNode) -> tuple[str, int, int]:
    return _tidy(_words(node)), _span(node, "colspan"), _span(node, "rowspan")


def _span(node: LexborNode, name: str) -> int:
    value = (node.attributes.get(name) or "1").strip()
    return min(int(value), 200) if value.isdigit() and int(value) > 0 else 1


def expand(rows: list[list[tuple[str, int, int]]]) -> Rows:
    """Cells with their spans to a full grid: a merged cell's value is in each cell that it covers."""
    grid: list[dict[int, str]] = [{} for _ in rows]
    for at, row in enumerate(rows):
        column = 0
        for text, wide, high in row:
            while column in grid[at]:
                column += 1
            for below in range(at, min(at + high, len(rows))):
                grid[below].update(dict.fromkeys(range(column, column + wide), text))
            column += wide
    return tuple(tuple(line.get(column, "") for column in range(max(line, default=-1) + 1)) for line in grid)


def _code_language(node: LexborNode) -> str:
    inner = node.css_first("code")
    names = f"{node.attributes.get('class') or ''} {(inner.attributes.get('class') or '') if inner else ''}"
    found = re.search(r"(?:language|lang|highlight)-(\w+)", names)
    return found[1] if found else ""


def _title(tree: LexborHTMLParser) -> str:
    node = tree.css_first("title")
    return _meta(tree, "og:title") or (one_line(node.text(deep=True)) if node is not None else "")


def _meta(tree: LexborHTMLParser, name: str) -> str:
    node = tree.css_first(f'meta[name="{name}"], meta[property="{name}"]')
    return one_line(node.attributes.get("content") or "") if node is not None else ""
