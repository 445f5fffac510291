"""Fast JSON says what the standard library's says, also where orjson alone would refuse."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.quick_json import dump, load

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(VALUES)
def test_what_is_written_is_read_back_by_either(value: Any) -> None:
    assert load(dump(value)) == value == json.loads(dump(value))
    assert load(json.dumps(value)) == value


@pytest.mark.parametrize("value", ["half a pair \ud83d", 2**80, {"deep": ["\udc00"]}])
def test_what_orjson_refuses_is_kept_too(value: Any) -> None:
    assert load(dump(value)) == value


def test_what_json_does_not_know_is_made_plain_only_on_request() -> None:
    assert dump([{1}], default=sorted) == "[[1]]"
    with pytest.raises(TypeError):
        dump([{1}])


def test_what_is_no_json_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="Expecting"):
        load("[1,")
