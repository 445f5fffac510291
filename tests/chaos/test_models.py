"""Model servers fail in every way: the answer is plainer, and it is there."""

import pytest

from tests.chaos.house import AWAY, House
from tests.chaos.models import Fault

pytestmark = [pytest.mark.live, pytest.mark.timeout(120)]


@pytest.mark.parametrize("fault", ["429", "half", "garbage"])
def test_without_the_writer_sources_are_quoted(house: House, fault: Fault) -> None:
    house.models.writer.fault = fault
    house.ask().answer("27 days", AWAY)


@pytest.mark.chaos
@pytest.mark.parametrize("fault", ["500", "nothing"])
def test_without_the_writer_sources_are_quoted_in_time(house: House, fault: Fault) -> None:
    house.models.writer.fault = fault
    house.ask().answer("27 days", AWAY)


@pytest.mark.parametrize("fault", ["500"])
def test_without_the_reranker_the_fused_order_answers(house: House, fault: Fault) -> None:
    house.models.reranker.fault = fault
    house.ask().answer("27 days")


@pytest.mark.chaos
@pytest.mark.parametrize("fault", ["429", "garbage", "nothing"])
def test_without_the_reranker_the_fused_order_answers_in_time(house: House, fault: Fault) -> None:
    house.models.reranker.fault = fault
    house.ask().answer("27 days")


@pytest.mark.chaos
@pytest.mark.parametrize("fault", ["500", "nothing"])
def test_without_any_model_sources_are_quoted(house: House, fault: Fault) -> None:
    house.models.writer.fault = house.models.reranker.fault = fault
    house.ask().answer("27 days", AWAY)
