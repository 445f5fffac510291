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
        "Sorry, something on my side failed and I could not answer. Please try again in a moment. "
        "(Reference: {id})",
        "抱歉，我这边出了故障，没能回答。请稍后再试。（编号：{id}）",
    ),
    "too_late": (
        "Sorry, I was too busy to answer in time. Please try again. (Reference: {id})",
        "抱歉，我太忙了，没能及时回答。请再试一次。（编号：{id}）",
    ),
    "unreachable": (
        "Sorry, Slack does not let me answer your question in <#{channel}>. Please invite me there again, or "
        "ask me here. (Reference: {id})",
        "抱歉，Slack 不允许我在 <#{channel}> 中回答您的问题。请重新邀请我加入，或在这里提问。（编号：{id}）",
    ),
    "in_line": ("will answer soon: {n} before you…", "马上为您解答，前面还有 {n} 个问题…"),
    "crowded": (
        "Sorry, {n} questions are waiting for me already. Please try again in a minute. (Reference: {id})",
        "抱歉，已有 {n} 个问题在等待。请一分钟后再试。（编号：{id}）",
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
    "cached": ("Answered before, {ago}.", "{ago}回答过。"),
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
    "denied_bot": ("Sorry, bots cannot ask me here.", "抱歉，机器人不能在此向我提问。"),
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
        "I cannot read {name}; I read PDF, Word, Excel, PowerPoint, CSV, HTML, Markdown and text files, and "
        "look at PNG, JPEG, GIF and WebP pictures.",
        "我无法读取 {name}；我可以读取 PDF、Word、Excel、PowerPoint、CSV、HTML、Markdown 和文本文件，"
        "以及查看 PNG、JPEG、GIF 和 WebP 图片。",
    ),
    "file_broken": (
        "I could not read {name}: {reason}.",
        "我无法读取 {name}：文件可能已损坏、加密或没有文字（{reason}）。",
    ),
    "file_too_large": ("{name} is too large for me (20 MB at most).", "{name} 太大了（最多 20 MB）。"),
    "file_forbidden": (
        "Slack did not let me open {name}; perhaps I lack the files:read permission.",
        "Slack 不允许我打开 {name}；我可能缺少 files:read 权限。",
    ),
    "about_file": ("What does this file say?", "这个文件说了什么？"),
    "opening": ("is reading the attached files…", "正在阅读附件…"),
    "about_picture": ("What does this picture show?", "这张图片是什么内容？"),
    "thanks": ("Thank you, that helps me improve.", "谢谢，您的反馈会帮助我改进。"),
    "shared": ("{user} asked: {question}", "{user} 提问：{question}"),
    "ask_usage": (
        "Type a question after the command: `/ask how do I …?`",
        "请在命令后输入问题：`/ask 如何……？`",
    ),
    "ask_title": ("Ask about this", "询问这条消息"),
    "ask_label": ("Your question", "您的问题"),
    "ask_initial": ("What do our documents say about this?", "我们的资料对此怎么说？"),
    "ask": ("Ask", "提问"),
    "send": ("Send", "发送"),
    "save": ("Save", "保存"),
    "close": ("Close", "关闭"),
    "feedback_title": ("What went wrong?", "哪里不好？"),
    "feedback_reason": ("The answer is", "这个答案"),
    "feedback_comment": ("What would have helped?", "怎样才更有帮助？"),
    "reason_wrong": ("wrong", "有错误"),
    "reason_outdated": ("outdated", "已过时"),
    "reason_incomplete": ("incomplete", "不完整"),
    "reason_unclear": ("hard to understand", "难以理解"),
    "reason_other": ("something else", "其他"),
    "why_title": ("Why this answer?", "为什么这样回答？"),
    "why_road": ("*Road:* {road} · *Outcome:* {outcome}", "*路径：*{road} · *结果：*{outcome}"),
    "why_wordings": ("*Searched for:* {wordings}", "*检索词：*{wordings}"),
    "why_spent": (
        "*Time:* {seconds} s · *Cost:* {cost} · *Models:* {models}",
        "*用时：*{seconds} 秒 · *费用：*{cost} · *模型：*{models}",
    ),
    "why_free": ("nothing", "无"),
    "why_cached": ("This was answered before and shown again.", "此问题之前回答过，这里再次展示。"),
    "why_passages": ("Passages, best first", "参考段落（按相关度）"),
    "why_checks": ("Checks", "核对"),
    "why_note": ("Reference: {id}", "编号：{id}"),
    "no_trace": ("There is no record of how this was answered.", "没有这次回答的记录。"),
    "handoff_nobody": (
        "Nobody is named for this channel yet. An administrator can name a person, group or channel "
        "with `/knowledge settings`.",
        "此频道尚未指定求助对象。管理员可通过 `/knowledge settings` 指定人员、用户组或频道。",
    ),
    "handoff_text": ("A question for you: {question}", "有一个问题请您解答：{question}"),
    "handoff_asks": ("{user} asks:\n>{question}", "{user} 提问：\n>{question}"),
    "handoff_tried": ("*What I found:* {tried}", "*我找到的内容：*{tried}"),
    "open_thread": ("Open the thread", "打开讨论串"),
    "handed_off": ("I have asked {whom}.", "我已请教 {whom}。"),
    "resolved": ("Resolved", "已解决"),
    "resolved_by": ("Resolved by {user}", "已由 {user} 解决"),
    "save_knowledge": ("Save as knowledge", "存为知识"),
    "save_title": ("Save as knowledge", "存为知识"),
    "save_intro": (
        "This becomes part of what I know, with your name on it. Everybody who could read the question "
        "can read it.",
        "这将成为我的知识，并注明您的姓名。能看到该问题的人都可以看到它。",
    ),
    "save_title_label": ("Question or title", "问题或标题"),
    "save_text_label": ("Answer", "答案"),
    "saved": ("Saved. I will know it in a moment.", "已保存，稍后即可使用。"),
    "on_it": ("On it…", "正在处理…"),
    "admins_only": (
        "Only administrators of this workspace can do that.",
        "只有本工作区的管理员可以执行此操作。",
    ),
    "refused": ("That does not work: {reason}", "无法执行：{reason}"),
    "nothing_indexed": ("Nothing is indexed yet.", "尚未索引任何资料。"),
    "status": (
        "*{documents:,} documents, {passages:,} passages*",
        "*{documents:,} 份文档，{passages:,} 个段落*",
    ),
    "documents": ("{n} documents", "{n} 份文档"),
    "running": ("being read now ({done} of {total})", "正在读取（{done}/{total}）"),
    "broken": ("failed: {reason}", "失败：{reason}"),
    "synced": ("read {ago}", "{ago}读取"),
    "failed_documents": (", {n} could not be read", "，{n} 份无法读取"),
    "no_source": ("There is no source {name}. There are: {names}", "没有来源 {name}。现有：{names}"),
    "reindexing": (
        "Reading {names} again. Progress is in our direct messages.",
        "正在重新读取 {names}，进度见私信。",
    ),
    "added": ("Added {name}. Progress is in our direct messages.", "已添加 {name}，进度见私信。"),
    "removed": ("Removed {name}.", "已移除 {name}。"),
    "job_waiting": ("*{name}*: waiting to be read…", "*{name}*：等待读取…"),
    "job_running": ("*{name}*: {done} of {total} documents…", "*{name}*：{done}/{total} 份文档…"),
    "job_done": (
        "*{name}*: done. {added} added, {changed} changed, {removed} removed, {failed} could not be read.",
        "*{name}*：完成。新增 {added}，更新 {changed}，移除 {removed}，无法读取 {failed}。",
    ),
    "job_failed": ("*{name}*: failed. {reason}", "*{name}*：失败。{reason}"),
    "remember_what": (
        "Tell me what to remember: `/knowledge remember I work in Berlin`",
        "请告诉我要记住什么：`/knowledge remember 我在北京工作`",
    ),
    "remembered": ("I will remember: {fact}", "我会记住：{fact}"),
    "forgot": ("Forgotten: {fact}", "已忘记：{fact}"),
    "forgot_all": ("Forgotten all {n}.", "已全部忘记（{n} 条）。"),
    "forget_what": (
        "Say which: `/knowledge forget 1` or `/knowledge forget all`",
        "请指明：`/knowledge forget 1` 或 `/knowledge forget 全部`",
    ),
    "facts": ("What I know of you", "我对您的了解"),
    "no_facts": (
        "Nothing. Tell me with `/knowledge remember …`",
        "还没有。可用 `/knowledge remember …` 告诉我",
    ),
    "forget": ("Forget", "忘记"),
    "reindex": ("Read again", "重新读取"),
    "settings_title": ("Settings of this channel", "此频道的设置"),
    "settings_saved": ("The settings are saved.", "设置已保存。"),
    "setting_switches": ("In this channel", "在此频道中"),
    "setting_follow_ups": (
        "Answer follow-ups in my threads without a mention",
        "在我的讨论串中无需提及即可追问",
    ),
    "setting_unmentioned": ("Answer questions without a mention, when sure", "有把握时回答未提及我的问题"),
    "setting_feedback": ("Show feedback buttons", "显示反馈按钮"),
    "setting_bots": ("Answer other bots that mention me", "回答提及我的其他机器人"),
    "setting_language": ("Language of answers", "回答语言"),
    "language_auto": ("as asked", "与提问相同"),
    "language_en": ("English", "英文"),
    "language_zh": ("Chinese", "中文"),
    "setting_tone": ("Length of answers", "回答长短"),
    "tone_normal": ("normal", "适中"),
    "tone_brief": ("brief", "简短"),
    "tone_detailed": ("detailed", "详细"),
    "setting_sources": ("Only these sources (names, comma between)", "仅限这些来源（名称以逗号分隔）"),
    "setting_handoff_person": ("Person to ask", "求助人员"),
    "setting_handoff_channel": ("or channel to ask", "或求助频道"),
    "setting_handoff_group": ("or user group to ask (its id)", "或求助用户组（ID）"),
    "setting_digest": ("Channel of the weekly digest of this workspace", "本工作区每周摘要的频道"),
    "help": (
        "`/ask question` – a private answer\n"
        "`/knowledge status` – what I know, and since when\n"
        "`/knowledge sources` – where it comes from\n"
        "`/knowledge why` – how I came to my last answer to you here\n"
        "`/knowledge remember …` · `facts` · `forget 1` – what I know of you\n"
        "`/knowledge reindex [source]` · `add #channel or address` · `remove name` · `settings` "
        "– for administrators",
        "`/ask 问题` – 私下回答\n"
        "`/knowledge status` – 我知道什么、更新于何时\n"
        "`/knowledge sources` – 资料来源\n"
        "`/knowledge why` – 我上次在此如何得出答案\n"
        "`/knowledge remember …` · `facts` · `forget 1` – 我对您的了解\n"
        "`/knowledge reindex [来源]` · `add #频道或网址` · `remove 名称` · `settings` – 管理员命令",
    ),
    "home_title": ("Your team's knowledge", "团队知识库"),
    "home_health": (
        "I know *{documents:,} documents* in {passages:,} passages, last read {ago}.",
        "我掌握 *{documents:,} 份文档*、{passages:,} 个段落，最近读取于{ago}。",
    ),
    "home_questions": ("Your recent questions", "您最近的提问"),
    "home_none": ("None.", "暂无。"),
    "home_actions": ("What you can do", "您可以这样用"),
    "home_sources": ("Sources", "资料来源"),
    "home_unanswered": ("Questions without an answer this week", "本周未能回答的问题"),
    "home_feedback": ("Feedback this week", "本周反馈"),
    "home_refresh": ("Refresh", "刷新"),
    "outcome_answered": ("answered", "已回答"),
    "outcome_not_found": ("nothing found", "未找到"),
    "outcome_handed_off": ("passed on", "已转交"),
    "outcome_smalltalk": ("answered", "已回答"),
    "prompts_title": ("Ask me about your team's documents", "向我询问团队资料"),
    "prompt_1": ("Which sources do you know?", "你掌握哪些资料？"),
    "prompt_2": ("What changed lately?", "最近有哪些变化？"),
    "prompt_3": ("How do I get started here?", "新人如何入门？"),
    "prompt_4": ("How do I claim travel expenses?", "如何报销差旅费？"),
    "digest_title": ("The week's questions", "一周提问摘要"),
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
