"""What a call costs, from the one table of prices (prices.json)."""

import functools
import json
import re
from importlib.resources import files

from pydantic import BaseModel, ConfigDict


class _Prices(BaseModel):
    model_config = ConfigDict(frozen=True)

    tokens: dict[str, tuple[float, float]]
    searches: dict[str, float]


def token_cost(model: str, input_tokens: int, output_tokens: int = 0) -> float | None:
    """US dollars, or None for a model that the table does not know (a local one, for example)."""
    price = _prices().tokens.get(_family(model))
    return price and (input_tokens * price[0] + output_tokens * price[1]) / 1_000_000


def search_cost(model: str, units: float) -> float | None:
    """US dollars for `units` search units (one query with up to 100 texts), or None."""
    price = _prices().searches.get(_family(model))
    return price and units * price / 1000


def _family(model: str) -> str:
    # Dated snapshots cost what their family costs.
    return re.sub(r"-\d{4}-\d{2}-\d{2}$", "", model)


@functools.cache
def _prices() -> _Prices:
    text = files("retrieval.providers").joinpath("prices.json").read_text(encoding="utf-8")
    return _Prices.model_validate(json.loads(text))
