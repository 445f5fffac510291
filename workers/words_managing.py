"""What the bot says in commands, settings, the Home tab and the digest, in English and Chinese."""

MANAGING: dict[str, tuple[str, str]] = {
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
    "remember_label": ("What should I know of you?", "您希望我了解什么？"),
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
    "unknown_sources": (
        "There is no source {names}, so nothing was saved. There are: {known}",
        "没有来源 {names}，因此未保存。现有：{known}",
    ),
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
    "home_ask": ("Ask a question", "提问"),
    "home_remember": ("Tell me something about you", "告诉我关于您的事"),
    "home_sources": ("Sources", "资料来源"),
    "home_unanswered": ("Questions without an answer this week", "本周未能回答的问题"),
    "home_feedback": ("Feedback this week", "本周反馈"),
    "home_refresh": ("Refresh", "刷新"),
    "outcome_answered": ("answered", "已回答"),
    "outcome_not_found": ("nothing found", "未找到"),
    "outcome_handed_off": ("passed on", "已转交"),
    "outcome_smalltalk": ("answered", "已回答"),
    "prompt_topic": ("What does “{title}” say?", "《{title}》讲了什么？"),
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
