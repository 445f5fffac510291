"""Random Markdown as language models write it: prose, tables, fences, lists, Chinese, links, nuisances."""

from hypothesis import strategies as st

WORDS = st.sampled_from(
    [
        "team",
        "**bold**",
        "*it*",
        "`a < b`",
        "[1]",
        "a & b",
        "<!channel>",
        "<@U123>",
        "请**重启**服务",
        "**提示：**请注意",
        "知识库",
        "😀",
        "[页 (1)](https://e.example/a_(b)?x=1&y=2)",
        "https://e.example/x",
        "👩‍👩‍👧‍👦",
        "[a link of several words](https://zh.example/维基_(消歧义)#段)",
        "![图](https://e.example/p.png)",
        "**",
        "`",
        "&amp;lt;",
        "|",
        "\u200b",
    ]
)
LINE = st.lists(WORDS, min_size=1, max_size=12).map(" ".join)
PARAGRAPH = st.lists(LINE, min_size=1, max_size=6).map("\n".join)
QUOTE = LINE.map(lambda line: f"> {line}")
BULLETS = st.lists(LINE, min_size=1, max_size=8).map(lambda lines: "\n".join(f"- {line}" for line in lines))
CODE = st.lists(st.text(alphabet="abc <>&;`*中", max_size=120), min_size=1, max_size=30).map("\n".join)
FENCE = st.tuples(st.sampled_from(["```", "````", "~~~"]), st.sampled_from(["", "sql", "python"]), CODE).map(
    lambda parts: f"{parts[0]}{parts[1]}\n{parts[2]}\n{parts[0]}"
)
ROW = st.lists(st.sampled_from(["a", "1,000", "华东", "x & y"]), min_size=3, max_size=3)
TABLE = st.lists(ROW, min_size=1, max_size=40).map(
    lambda rows: "| a | b | c |\n|---|---|---|\n" + "\n".join(f"| {' | '.join(row)} |" for row in rows)
)
LONG_LINE = st.integers(1, 30_000).map(lambda n: ("teamlore知识 " * (n // 10 + 1))[:n])
MARKDOWN = st.lists(
    st.one_of(PARAGRAPH, QUOTE, BULLETS, FENCE, TABLE, LONG_LINE), min_size=1, max_size=10
).map(lambda parts: "\n\n".join(parts)[:40_000])
