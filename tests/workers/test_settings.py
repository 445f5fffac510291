"""Settings come from the environment; a wrong one stops the start with its name."""

from pathlib import Path

import pytest

from retrieval.errors import Permanent
from workers.env_example import TARGET, render
from workers.settings import load_settings, unknown_variables


def test_the_example_names_every_setting_as_it_is() -> None:
    assert TARGET.read_text(encoding="utf-8") == render(), "run `python -m workers.env_example`"


def test_every_variable_of_the_example_is_understood() -> None:
    lines = [line.removeprefix("# ") for line in render().splitlines() if "=" in line and " " not in line[2:]]
    variables = dict(line.split("=", 1) for line in lines)
    assert len(variables) > 40
    assert unknown_variables(variables) == []
    load_settings(variables)


def test_an_unknown_variable_is_refused_with_its_nearest_neighbour() -> None:
    with pytest.raises(Permanent, match=r"TEAMLORE_PRESETT; did you mean TEAMLORE_PRESET\?"):
        load_settings({"TEAMLORE_PRESETT": "basic"})


def test_all_unknown_variables_are_named_at_once() -> None:
    named = unknown_variables({"TEAMLORE_HOMEE": "x", "TEAMLORE_ZZZZ": "y", "OTHER": "z"})
    assert [name for name, _ in named] == ["TEAMLORE_HOMEE", "TEAMLORE_ZZZZ"]


def test_a_wrong_value_is_refused_by_the_name_of_its_variable() -> None:
    with pytest.raises(Permanent, match=r"^PORT: "):
        load_settings({"PORT": "many"})


def test_a_single_option_of_the_pipeline_is_overridden() -> None:
    settings = load_settings({"TEAMLORE_RETRIEVAL__EVIDENCE": "3", "TEAMLORE_PRESET": "basic"})
    assert (settings.config.name, settings.config.retrieval.evidence) == ("basic", 3)


def test_the_home_may_be_written_with_a_tilde() -> None:
    assert load_settings({"TEAMLORE_HOME": "~/x"}).home == Path.home() / "x"
