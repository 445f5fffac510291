"""The one reader of the environment. Everything else is handed what it needs.

Flat settings are fields below; choices of the pipeline (retrieval/config.py) are overridden by
`TEAMLORE_<SECTION>__<KEY>`, for example `TEAMLORE_RETRIEVAL__EVIDENCE=3`. An unknown `TEAMLORE_*` variable
stops the start with its name.
"""

import difflib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from platformdirs import user_cache_path, user_data_path
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, ValidationError
from pydantic.fields import FieldInfo

from retrieval.config import Config, PresetName, option_names
from retrieval.errors import Permanent
from workers.redis_url import check_address

PREFIX = "TEAMLORE_"


# Absolute, because the processes that are started work elsewhere.
Place = Annotated[Path, AfterValidator(lambda path: path.expanduser().absolute())]


class Settings(BaseModel):
    """A field's variable is its name under `TEAMLORE_`, or the `variable` noted on it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    home: Place = Field(
        user_data_path("teamlore"),
        description="state directory: databases, logs, objects; empty: the system's place for data",
    )
    cache: Place = Field(
        user_cache_path("teamlore"),
        description="binaries and models, shared by all homes; empty: the system's place for caches",
    )
    preset: PresetName = Field("standard", description="basic, standard or advanced")

    redis_url: Annotated[str, AfterValidator(check_address)] = Field(
        "",
        json_schema_extra={"variable": "REDIS_URL"},
        description="redis://, rediss:// (TLS) or sentinel://host,host/NAME/0; empty: an embedded Redis",
    )
    weaviate_url: str = Field(
        "", json_schema_extra={"variable": "WEAVIATE_URL"}, description="empty: an embedded Weaviate"
    )
    weaviate_grpc_url: str = Field(
        "",
        json_schema_extra={"variable": "WEAVIATE_GRPC_URL"},
        description="host:port; empty: port 50051 of the same host",
    )
    weaviate_api_key: SecretStr = Field(SecretStr(""), json_schema_extra={"variable": "WEAVIATE_API_KEY"})
    database_url: str = Field(
        "", json_schema_extra={"variable": "DATABASE_URL"}, description="empty: SQLite in the state directory"
    )

    openai_api_key: SecretStr = Field(SecretStr(""), json_schema_extra={"variable": "OPENAI_API_KEY"})
    openai_base_url: str = Field(
        "", json_schema_extra={"variable": "OPENAI_BASE_URL"}, description="any compatible server"
    )
    cohere_api_key: SecretStr = Field(SecretStr(""), json_schema_extra={"variable": "COHERE_API_KEY"})
    cohere_base_url: str = Field(
        "", json_schema_extra={"variable": "COHERE_BASE_URL"}, description="any compatible server"
    )
    writer: str = Field(
        "auto", description="provider:model that writes; auto: OpenAI with a key, else quoting"
    )
    embedder: str = Field("auto", description="provider:model; auto: local:e5-small+bge-small-en")
    reranker: str = Field("auto", description="provider:model; auto: Cohere with a key, else local")

    slack_bot_token: SecretStr = Field(SecretStr(""), json_schema_extra={"variable": "SLACK_BOT_TOKEN"})
    slack_signing_secret: SecretStr = Field(
        SecretStr(""), json_schema_extra={"variable": "SLACK_SIGNING_SECRET"}
    )
    slack_app_token: SecretStr = Field(
        SecretStr(""),
        json_schema_extra={"variable": "SLACK_APP_TOKEN"},
        description="set: Socket Mode instead of HTTP",
    )
    slack_client_id: str = Field(
        "", json_schema_extra={"variable": "SLACK_CLIENT_ID"}, description="set: OAuth installs"
    )
    slack_client_secret: SecretStr = Field(
        SecretStr(""), json_schema_extra={"variable": "SLACK_CLIENT_SECRET"}
    )
    slack_redirect_url: str = Field(
        "",
        json_schema_extra={"variable": "SLACK_REDIRECT_URL"},
        description="where Slack sends people back after an install: https://HOST/slack/oauth_redirect",
    )
    slack_api_url: str = Field("https://slack.com/api/", json_schema_extra={"variable": "SLACK_API_URL"})
    port: int = Field(3000, json_schema_extra={"variable": "PORT"}, description="port of the web process")
    secret_key: SecretStr = Field(
        SecretStr(""), description="encrypts tokens at rest; empty: made once in home"
    )

    otlp_endpoint: str = Field(
        "",
        json_schema_extra={"variable": "OTEL_EXPORTER_OTLP_ENDPOINT"},
        description="also send traces there",
    )
    most_waiting: int = Field(
        200, ge=1, description="questions in line at once; who comes after that is asked to try again"
    )
    person_questions_hour: int = Field(0, ge=0, description="questions of a person an hour; 0: no limit")
    workspace_questions_hour: int = Field(
        0, ge=0, description="questions of a workspace an hour; 0: no limit"
    )
    person_tokens_day: int = Field(0, ge=0, description="tokens of a person a day, UTC; 0: no limit")
    workspace_tokens_day: int = Field(0, ge=0, description="tokens of a workspace a day, UTC; 0: no limit")
    trace_days: int = Field(90, ge=1, description="days that traces of questions are kept")
    eval_data: Path = Field(
        Path("../shared/data"), description="public sets that `teamlore eval` measures on"
    )
    log_level: str = Field("INFO", description="DEBUG, INFO, WARNING, ERROR")
    config: Config = Config.preset("standard")

    @property
    def sql_url(self) -> str:
        """The database: the configured one, or a file in the state directory."""
        return self.database_url or f"sqlite:///{self.home / 'teamlore.db'}"

    @property
    def metrics_folder(self) -> Path:
        """Where the processes put their figures for Prometheus together."""
        return self.home / "metrics"


def load_settings(
    environment: Mapping[str, str] | None = None, extra: Mapping[str, str] | None = None
) -> Settings:
    """Read the settings from the environment; `extra` are variables to see besides.

    Raises Permanent naming the variable that is wrong.
    """
    variables = {**(os.environ if environment is None else environment), **(extra or {})}
    _refuse_unknown(variables)
    names = variable_names()
    values = {field: variables[name] for field, name in names.items() if variables.get(name)}
    try:
        settings = Settings.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        raise Permanent(f"{names.get(str(first['loc'][0]), first['loc'])}: {first['msg']}") from error
    return settings.model_copy(update={"config": Config.preset(settings.preset, _overrides(variables))})


def read_secret(name: str) -> str | None:
    """A secret that a configuration file refers to by the name of its variable."""
    return os.environ.get(name)


def variable_names() -> dict[str, str]:
    """Field name to environment variable, for the flat settings."""
    return {name: _variable(name, field) for name, field in Settings.model_fields.items() if name != "config"}


def _variable(name: str, field: FieldInfo) -> str:
    extra: Any = field.json_schema_extra
    return str(extra["variable"]) if extra else PREFIX + name.upper()


def _overrides(variables: Mapping[str, str]) -> dict[str, str]:
    return {
        name.removeprefix(PREFIX).lower().replace("__", ".", 1): value
        for name, value in variables.items()
        if name.startswith(PREFIX) and "__" in name
    }


def unknown_variables(environment: Mapping[str, str] | None = None) -> list[tuple[str, str]]:
    """Each `TEAMLORE_*` variable that means nothing, and `; did you mean …?` where a name is near."""
    variables = os.environ if environment is None else environment
    known = {*variable_names().values(), *_option_variables()}
    return [(name, _hint(name, known)) for name in variables if name.startswith(PREFIX) and name not in known]


def _refuse_unknown(variables: Mapping[str, str]) -> None:
    for name, hint in unknown_variables(variables):
        raise Permanent(f"unknown setting {name}{hint}")


def _hint(name: str, known: set[str]) -> str:
    near = difflib.get_close_matches(name, sorted(known), n=1)
    return f"; did you mean {near[0]}?" if near else ""


def _option_variables() -> list[str]:
    return [PREFIX + name.upper().replace(".", "__") for name in option_names()]
