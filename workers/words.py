"""Everything the bot says of its own, in English and Chinese, in one file."""

import re
from collections.abc import Mapping
from datetime import datetime

from retrieval.types import Language

_CHINESE = re.compile("[\u3400-\u9fff]")

WORDS: Mapping[str, tuple[str, str]] = {
    "looking": ("is looking that up…", "正在查找…"),
    "searching": ("is searching…", "正在检索…"),
    "reading": ("is reading {n} passages…", "正在阅读 {n} 段资料…"),
    "sorting": ("is comparing what it found…", "正在比较检索结果…"),
    "calculating": ("is calculating from tables…", "正在查询表格…"),
    "thinking": ("is working through the steps…", "正在分步思考…"),
    "looking_at": ("is looking at the picture…", "正在查看图片…"),
    "writing": ("is writing…", "正在撰写…"),
    "checking": ("is checking the answer…", "正在核对答案…"),
    "placeholder": ("Looking that up…", "正在查找，请稍候…"),
    "apology": (
        "Sorry, something on my side failed and I could not answer. Please try again in a moment. (Reference: {id})",
        "抱歉，我这边出了故障，没能回答。请稍后再试。（编号：{id}）",
    ),
    "too_late": (
        "Sorry, I was too busy to answer in time. Please try again. (Reference: {id})",
        "抱歉，我太忙了，没能及时回答。请再试一次。（编号：{id}）",
    ),
    "stopped": ("Stopped.", "已停止。"),
    "not_found": (
        "I found nothing about this in what I may show here.",
        "在这里可以展示的资料中，我没有找到相关内容。",
    ),
    "sources": ("Sources", "来源"),
    "nearest": ("Nearest sources", "最接近的资料"),
    "page": ("p. {n}", "第 {n} 页"),
    "updated": ("updated {ago}", "更新于{ago}"),
    "today": ("today", "今天"),
    "yesterday": ("yesterday", "昨天"),
    "days_ago": ("{n} days ago", "{n} 天前"),
    "months_ago": ("{n} months ago", "{n} 个月前"),
    "years_ago": ("{n} years ago", "{n} 年前"),
    "rows_more": ("{n} more rows are not shown.", "另有 {n} 行未显示。"),
    "cached": ("answered before, {ago}", "{ago}回答过"),
    "helpful": ("Helpful", "有帮助"),
    "not_helpful": ("Not helpful", "没有帮助"),
    "why": ("Why this answer?", "为什么这样回答？"),
    "again": ("Try again", "重新回答"),
    "handoff": ("Ask a person", "请教同事"),
    "private": ("See the full answer privately", "私下查看完整答案"),
    "share": ("Share in channel", "分享到频道"),
    "more_private": (
        "You may see more than everybody here; I answered from what all of you may read.",
        "您能看到的内容比这里的其他人多；我只依据大家都能看到的资料作答。",
    ),
    "outdated": (
        "A source of this answer has changed since. Try again for a fresh answer.",
        "此答案引用的资料已有变动，请点击“重新回答”获取最新答案。",
    ),
    "automated": ("I am an AI and can be wrong.", "我是人工智能，可能出错。"),
    "denied_external": (
        "Sorry, I answer only members of the workspace that I am installed in.",
        "抱歉，我只回答本工作区成员的问题。",
    ),
    "denied_guest": (
        "Sorry, guests cannot ask me. Please ask a full member of this workspace.",
        "抱歉，访客不能向我提问，请联系本工作区的正式成员。",
    ),
    "denied_deactivated": (
        "Sorry, this account is deactivated, so I cannot answer.",
        "抱歉，该账号已停用，我无法回答。",
    ),
    "denied_unknown": (
        "Sorry, I could not find out what you may read, so I cannot answer now. Please try again.",
        "抱歉，我暂时无法确认您的阅读权限，因此不能回答。请稍后再试。",
    ),
    "denied_shared": (
        "Sorry, this channel is shared with another company, so I do not answer here.",
        "抱歉，此频道与其他公司共享，我不在这里作答。",
    ),
    "file_unreadable": (
        "I cannot read {name} here; I can look at PNG, JPEG, GIF and WebP pictures.",
        "我无法在此读取 {name}；我可以查看 PNG、JPEG、GIF 和 WebP 图片。",
    ),
    "file_too_large": ("{name} is too large for me (20 MB at most).", "{name} 太大了（最多 20 MB）。"),
    "file_forbidden": (
        "Slack did not let me open {name}; perhaps I lack the files:read permission.",
        "Slack 不允许我打开 {name}；我可能缺少 files:read 权限。",
    ),
    "about_picture": ("What does this picture show?", "这张图片是什么内容？"),
    "empty": (
        "Ask me a question, and I will answer from your team's documents.",
        "请向我提问，我会根据团队的资料作答。",
    ),
}


def say(key: str, language: Language | str, **values: object) -> str:
    """A text in `en` or `zh`; `values` fill its blanks."""
    english, chinese = WORDS[key]
    return (chinese if language == "zh" else english).format(**values)


def language_of(text: str, locale: str = "") -> Language:
    """Chinese when the text has a Chinese character; without text, by the person's locale."""
    if text.strip():
        return "zh" if _CHINESE.search(text) else "en"
    return "zh" if locale.startswith("zh") else "en"


def ago(then: datetime, now: datetime, language: Language) -> str:
    """How long ago, in days, months or years."""
    days = max((now.date() - then.date()).days, 0)
    match days:
        case 0:
            return say("today", language)
        case 1:
            return say("yesterday", language)
        case _ if days < 60:
            return say("days_ago", language, n=days)
        case _ if days < 730:
            return say("months_ago", language, n=days // 30)
        case _:
            return say("years_ago", language, n=days // 365)
