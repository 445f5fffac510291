"""Near questions are judged by a model with the guards before it; what it ships is what it reads."""

import numpy as np
import pytest
from platformdirs import user_cache_path

from evals.cases.pairs import read_pairs
from retrieval.cache.guards import difference
from retrieval.cache.likeness import NAMES, Reading, figures, kind_of
from retrieval.cache.trees import Tree, Trees, read_trees
from retrieval.cache.verify import Verifier, shipped, tied
from retrieval.ports import Vectors
from retrieval.providers.local import LocalEmbedder
from retrieval.providers.local_reader import LocalReader
from tests.retrieval.cache.test_guards import ALIKE, APART, JUDGED

SURE = 0.95


class NoReader:
    """A machine without the local model's graph."""

    def read(self, texts: object) -> list[object]:
        return []


@pytest.fixture(scope="module")
def verifier() -> Verifier:
    return Verifier(LocalReader(LocalEmbedder(user_cache_path("teamlore"))))


@pytest.mark.live
@pytest.mark.parametrize(("a", "b"), [*JUDGED, *APART])
def test_what_asks_for_something_else_is_never_sure(verifier: Verifier, a: str, b: str) -> None:
    assert all(verdict.sure < SURE for verdict in (*verifier.judge(b, [a]), *verifier.judge(a, [b])))


@pytest.mark.live
@pytest.mark.parametrize(("a", "b"), ALIKE)
def test_rewordings_are_sure_also_among_others(verifier: Verifier, a: str, b: str) -> None:
    verdicts = verifier.judge(b, ["Where is the lift?", a, "How is tax paid?"])
    assert verdicts[1].sure > 0.9
    assert max(verdicts[0].sure, verdicts[2].sure) <= 0.5


@pytest.mark.live
def test_no_trap_is_sprung(verifier: Verifier) -> None:
    traps = [pair for pair in read_pairs() if not pair.share]
    judged = [(pair, *verifier.judge(pair.b, [pair.a])) for pair in traps]
    assert [(pair.a, pair.b) for pair, verdict in judged if verdict.sure >= SURE] == []


def test_without_the_local_model_only_the_same_words_are_one() -> None:
    judged = Verifier(NoReader()).judge("How much leave?", ["how much leave", "How many days off?"])  # pyright: ignore[reportArgumentType]
    assert [verdict.sure for verdict in judged] == [1.0, 0.0]


def reading(text: str, vector: Vectors) -> Reading:
    tokens = np.eye(4, dtype=np.float32)[: len(text.split())]
    ids = tuple(hash(word) for word in text.split())
    return Reading(text, vector, vector, ids, tokens, np.ones(len(ids), np.float32), vector)


def test_figures_have_names_and_a_lone_question_leads_nobody() -> None:
    one, other = np.array([1, 0], np.float32), np.array([0.8, 0.6], np.float32)
    asked, earlier, third = reading("red fox runs", one), reading("red fox ran", one), reading("a cat", other)
    alone = dict(zip(NAMES, figures(asked, earlier, []), strict=True))
    among = dict(zip(NAMES, figures(asked, earlier, [third, third]), strict=True))
    assert (alone["lead"], round(among["lead"], 3)) == (0.1, 0.2)
    assert alone["in_order"] == 1.0
    assert dict(zip(NAMES, figures(earlier, earlier, []), strict=True))["apart"] == 0


def test_a_second_model_tells_its_own_nearness_and_that_of_twins() -> None:
    one, other = np.array([1, 0], np.float32), np.array([0.8, 0.6], np.float32)
    asked, earlier, third = (
        reading("red fox runs", one),
        reading("red fox ran", other),
        reading("a cat", other),
    )
    found = dict(zip(NAMES, figures(asked, earlier, [third]), strict=True))
    assert round(found["second"], 3) == 0.8
    assert (found["second_lead"], round(found["twin"], 3)) == (0.0, 1.0)
    assert round(found["second_twin"], 3) == -0.2


def test_a_tie_is_of_statements_that_repeat_each_other_and_never_of_english_questions() -> None:
    def case(lead: float, twin: float) -> list[float]:
        return [{"lead": lead, "twin": twin}.get(name, 0.0) for name in NAMES]

    assert [tied(kind, case(0.0, 0.2)) for kind in ("en", "zh", "statement")] == [False, True, True]
    assert [tied(kind, case(0.05, 0.9)) for kind in ("en", "zh", "statement")] == [False, False, True]
    assert not tied("statement", case(0.05, 0.5))


def test_a_text_without_tokens_is_judged_too() -> None:
    empty = Reading(
        "",
        np.ones(2, np.float32),
        np.ones(2, np.float32),
        (),
        np.zeros((0, 4), np.float32),
        np.zeros(0, np.float32),
        np.ones(2, np.float32),
    )
    assert len(figures(empty, empty, [])) == len(NAMES)


def test_languages_and_statements_have_models_of_their_own() -> None:
    kinds = [kind_of("年假几天", "年假有几天"), kind_of("How long?", "x"), kind_of("It is so.", "So it is.")]
    assert kinds == ["zh", "en", "statement"]
    assert set(shipped().models) == set(kinds)


def test_trees_are_walked_and_their_sum_is_worth_what_was_measured() -> None:
    tree = Tree((0, -1, 1, -1, -1), (0.5, -1.0, 2.0, 1.0, 3.0), (1, 0, 3, 0, 0), (2, 0, 4, 0, 0))
    trees = Trees((tree, tree), (0.0, 1.0), (8.0, 4.0), (0.99, 0.9))
    found = [trees.total(case) for case in ([0.5, 1], [0.6, 2], [0.6, 3])]
    assert found == [-1.0, 4.0, 9.0]
    assert [trees.worth(total) for total in found] == [0.0, 0.9, 0.99]


def test_the_file_is_read_as_it_was_written() -> None:
    model = '{"sums": [1], "shares": [0.5], "weights": [], "trees": [[[-1], [2], [0], [0]]]}'
    text = f'{{"vector": [1], "models": {{"en": {model}}}}}'
    models, rest = read_trees(text)
    assert (models["en"].share([]), rest) == (0.5, {"vector": [1]})


def test_guards_come_first() -> None:
    assert all(difference(a, b) == "" for a, b in JUDGED)
