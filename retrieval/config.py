"""Every choice of the pipeline, validated, in presets. `Config.preset("standard")` is the default.

A single value is overridden by its dotted name, `retrieval.evidence=3`, from a command line or an
environment variable; a misspelt name is refused with its nearest neighbour.
"""

import difflib
from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from retrieval.errors import Permanent

PresetName = Literal["basic", "standard", "advanced"]


class Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RetrievalConfig(Section):
    """Finding passages."""

    candidates: int = Field(default=100, ge=1, le=1000, description="passages taken from each leg")
    fused: int = Field(
        default=20, ge=1, le=200, description="passages kept after fusion, given to the reranker"
    )
    evidence: int = Field(
        default=5, ge=1, le=20, description="passages kept after reranking, given to the writer"
    )
    fusion: Literal["relative", "rrf"] = Field(
        default="relative", description="how the legs' results are merged"
    )
    vector_weight: float = Field(
        default=0.5, ge=0, le=1, description="weight of the vector leg; the rest is keywords'"
    )
    rerank: bool = Field(default=True, description="reorder the fused passages by a reranker")
    rerank_floor: float = Field(
        default=0.0, ge=0, le=1, description="reranked passages below this relevance are cut"
    )
    fitted_rerank: bool = Field(
        default=True, description="weigh passages as `teamlore finetune rerank` learned, where it was adopted"
    )
    filters: bool = Field(default=True, description="read filters from the question")
    collapse: float = Field(
        default=0.97, ge=0, le=1, description="passages more alike than this are shown once"
    )
    diversity: float = Field(
        default=0.0, ge=0, le=1, description="prefer passages that add something (MMR); 0: by relevance alone"
    )
    parents: bool = Field(default=True, description="read a passage's siblings with it")
    replicas: int = Field(
        default=1,
        ge=1,
        le=9,
        description="copies of a new index on a Weaviate of several nodes",
    )


class UnderstandConfig(Section):
    """Before searching."""

    route: bool = Field(
        default=False, description="decide the road by classifier and model, not by rules alone"
    )
    rewrite: bool = Field(default=False, description="make follow-ups stand alone")
    multi_query: bool = Field(default=False, description="search several wordings")
    glossary: bool = Field(default=False, description="spell out short forms as the knowledge does")
    imagine: bool = Field(
        default=False, description="search by a page that the model imagines (HyDE); never for figures"
    )
    turns: int = Field(default=6, ge=0, le=50, description="earlier turns of the thread that are remembered")
    thread_tokens: int = Field(
        default=1500, ge=100, description="past so many tokens a thread's beginning is summed up"
    )
    long_memory: bool = Field(default=False, description="use facts that the asker told the bot")


class AnswerConfig(Section):
    """Writing and checking."""

    compress: bool = Field(default=False, description="keep only the sentences that bear on the question")
    evidence_tokens: int = Field(
        default=3000, ge=200, description="budget of evidence in the prompt, in tokens"
    )
    answer_tokens: int = Field(default=1024, ge=64, description="longest answer, in tokens")
    doubt: bool = Field(
        default=False,
        description="where the evidence is doubtful, have the model say whether it holds the answer before"
        " one is written; a short call for about half of the questions",
    )
    self_check: bool = Field(
        default=False, description="check faithfulness and completeness, revise at most twice"
    )
    revisions: int = Field(default=2, ge=0, le=5, description="most revisions after failed checks")


class CacheConfig(Section):
    """Showing earlier answers again."""

    exact: bool = Field(default=True, description="the same question, same scope")
    semantic: bool = Field(default=False, description="a question that means the same")
    threshold: float = Field(default=0.95, ge=0, le=1, description="how sure the semantic cache must be")
    second_opinion: bool = Field(
        default=False,
        description="have the model say whether a near question asks for the same where its judge doubts;"
        " a short call",
    )
    ttl: int = Field(default=86_400, ge=1, description="seconds that an entry lives at most")


class AgentConfig(Section):
    """Questions that need several steps."""

    enabled: bool = Field(default=False, description="plan and call tools for multi-hop questions")
    rounds: int = Field(default=3, ge=1, le=10, description="most rounds of tool calls")
    seconds: float = Field(default=40, gt=0, description="budget of time")


class KnowledgeConfig(Section):
    """What the knowledge contains, each its own switch."""

    tables: bool = Field(default=True, description="answer from tables by SQL")
    images: bool = Field(default=True, description="read images")
    overviews: bool = Field(
        default=False, description="summarise each night what belongs together, for questions on a whole"
    )
    describe: bool = Field(
        default=False, description="have the model describe images; it must be one that sees"
    )
    situate: bool = Field(
        default=False,
        description="have the model write what situates each passage in its document; costs a call for six"
        " passages once",
    )


_PRESETS: dict[str, dict[str, dict[str, Any]]] = {
    "basic": {},
    "standard": {
        "understand": {"route": True, "rewrite": True, "glossary": True},
        "answer": {"compress": True},
        "cache": {"semantic": True},
    },
    "advanced": {
        "understand": {
            "route": True,
            "rewrite": True,
            "multi_query": True,
            "glossary": True,
            "long_memory": True,
        },
        "answer": {"compress": True, "self_check": True},
        "cache": {"semantic": True},
        "agent": {"enabled": True},
    },
}


class Config(Section):
    name: PresetName = "standard"
    retrieval: RetrievalConfig = RetrievalConfig()
    understand: UnderstandConfig = UnderstandConfig()
    answer: AnswerConfig = AnswerConfig()
    cache: CacheConfig = CacheConfig()
    agent: AgentConfig = AgentConfig()
    knowledge: KnowledgeConfig = KnowledgeConfig()

    @classmethod
    def preset(cls, name: PresetName, overrides: Mapping[str, str] | None = None) -> Self:
        """The preset with single values replaced by dotted name. Raises Permanent on a wrong one."""
        if name not in _PRESETS:
            raise Permanent(f"no preset {name!r}; there are {', '.join(_PRESETS)}")
        values: dict[str, Any] = {section: dict(keys) for section, keys in _PRESETS[name].items()}
        for dotted, value in (overrides or {}).items():
            section, key = _known(dotted)
            values.setdefault(section, {})[key] = value
        try:
            return cls.model_validate({"name": name, **values})
        except ValidationError as error:
            first = error.errors()[0]
            raise Permanent(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from error


def option_names() -> list[str]:
    """Every dotted name that can be overridden, in order."""
    return [
        f"{section}.{key}"
        for section, choices in Config()
        if isinstance(choices, Section)
        for key in type(choices).model_fields
    ]


def _known(dotted: str) -> tuple[str, str]:
    names = option_names()
    if dotted not in names:
        near = difflib.get_close_matches(dotted, names, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise Permanent(f"no setting {dotted!r}{hint}")
    section, _, key = dotted.partition(".")
    return section, key
