"""What was written for the code traps in one language, and which facts each kind of code takes."""

from itertools import cycle
from pathlib import Path

from pydantic import BaseModel, ConfigDict

Fact = tuple[str, str]


class Words(BaseModel):
    """The file of one language. `wording` maps a kind to its title, its passage and its questions."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    wording: dict[str, tuple[str, str, list[str]]]
    confused: str
    bases: dict[str, list[str]]
    error: list[Fact]
    product: list[Fact]
    host: list[Fact]
    advisory: list[Fact]
    changes: list[str]
    people: list[tuple[str, str]]
    person_notes: list[str]
    places: list[str]
    place_notes: list[str]
    settings: list[tuple[str, str, str]]

    def facts(self) -> dict[str, list[Fact]]:
        """For each kind as many facts as it has codes, no two alike."""
        duties = [what for _, what in self.people]
        return {
            "error": self.error,
            "product": self.product,
            "host": self.host,
            "advisory": self.advisory,
            "version": list(zip(self.changes, self.changes[7:] + self.changes[:7], strict=True)),
            "place": list(zip(self.places, cycle(self.place_notes), strict=False)),
            "person": list(zip(duties, cycle(self.person_notes), strict=False)),
            "setting": [(what, value) for _, what, value in self.settings],
        }


def read_words(lang: str) -> Words:
    """What was written for `en` or `zh`."""
    return Words.model_validate_json((Path(__file__).parent / f"{lang}.json").read_text("utf-8"))
