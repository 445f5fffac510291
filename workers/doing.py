"""Which function does which errand. Each may run twice."""

from collections.abc import Callable

import structlog

from retrieval.errors import Permanent
from workers.bench import Bench
from workers.errands import Errand, Errands
from workers.handoff import hand_off, resolve, save_knowledge
from workers.home import press_home, publish_home
from workers.knowledge import change_settings, do_command
from workers.lifecycle import question_deleted
from workers.prompts import suggest_prompts
from workers.sharing import answer_privately, ask_directly, reject, share, thank
from workers.uninstall import forget_installation, forget_workspace

DOING: dict[str, Callable[[Bench, Errand], None]] = {
    "question_deleted": question_deleted,
    "thank": thank,
    "reject": reject,
    "answer_privately": answer_privately,
    "share": share,
    "ask_directly": ask_directly,
    "hand_off": hand_off,
    "resolve": resolve,
    "save_knowledge": save_knowledge,
    "publish_home": publish_home,
    "press_home": press_home,
    "suggest_prompts": suggest_prompts,
    "knowledge": do_command,
    "settings": change_settings,
    "forget_installation": forget_installation,
    "forget_workspace": forget_workspace,
}
log = structlog.get_logger()


def run_errand(bench: Bench, id: str) -> None:
    """Do an errand. Raises Transient where trying again is worth it."""
    errand = Errands(bench.redis).load(id)
    if errand is None:
        return
    try:
        DOING[errand.kind](bench, errand)
    except Permanent as error:
        log.error("errand failed", errand=errand.kind, exc_info=error)
