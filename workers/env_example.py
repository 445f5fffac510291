"""Writes `.env.example` from the settings: `python -m workers.env_example`. A test holds the two equal."""

from pathlib import Path
from textwrap import wrap
from typing import Any

from pydantic import BaseModel, SecretStr

from retrieval.config import Config
from workers.settings import PREFIX, Settings, variable_names

TARGET = Path(__file__).parents[1] / ".env.example"
_HEAD = """\
# Every setting, with its default. Without any of them Teamlore runs by itself: `teamlore demo`.
# Copy to .env and uncomment what you change: compose.yaml reads it, a shell does by `set -a; . ./.env`.
"""


def render() -> str:
    """The file's text: the flat settings first, then the options of the pipeline by section."""
    flat = [_entry(name, Settings, field) for field, name in variable_names().items()]
    sections = [_section(name, getattr(Config(), name)) for name in Config.model_fields if name != "name"]
    return "\n".join([_HEAD, *flat, *sections])


def _section(name: str, section: BaseModel) -> str:
    shape = type(section)
    entries = [_entry(f"{PREFIX}{name}__{key}".upper(), shape, key) for key in shape.model_fields]
    return "\n".join(
        [f"# --- {name}: {(shape.__doc__ or '').strip()} The preset decides where unset.\n", *entries]
    )


def _entry(variable: str, shape: type[BaseModel], key: str) -> str:
    field = shape.model_fields[key]
    told = [f"# {line}" for line in wrap(field.description or "", 100)]
    return "\n".join([*told, f"# {variable}={_shown(field.default)}", ""])


def _shown(value: Any) -> str:
    match value:
        case SecretStr():
            return value.get_secret_value()
        case bool():
            return str(value).lower()
        case Path():
            return ""  # differs from system to system
        case _:
            return str(value)


if __name__ == "__main__":
    TARGET.write_text(render(), encoding="utf-8")
