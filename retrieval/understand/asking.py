"""The shapes in which a language model is asked for decisions."""

from pydantic import BaseModel, Field

from retrieval.types import RouteName


class Choice(BaseModel):
    """Which road a question takes."""

    route: RouteName
    confidence: float = Field(ge=0, le=1)


class Wordings(BaseModel):
    """A follow-up made to stand alone: the question itself first, then up to two other wordings."""

    questions: list[str] = Field(min_length=1)
