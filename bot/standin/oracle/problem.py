"""The one word in which every check answers."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """Something that Slack would refuse. `rule` is Slack's error code, `where` a JSON pointer."""

    rule: str
    where: str
    detail: str

    def __str__(self) -> str:
        return f"[ERROR] {self.detail} [json-pointer:{self.where}]"
