"""A recipe holds the chats as the trainer takes them, a whole configuration, and pinned requirements."""

import json
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from evals.finetune import app
from evals.lora import FILES, write_recipe
from retrieval.errors import Permanent
from tests.standins.openai import Chat, OpenAIStandin

SOURCES = "Answer from these sources, citing them as [1], [2]:\n\n[1] 员工每年有 $25 补贴。"


@pytest.fixture
def chats(tmp_path: Path) -> Path:
    roles = (("system", SOURCES), ("user", "补贴多少？"), ("assistant", "$25 [1]."))
    line = json.dumps({"messages": [{"role": role, "content": text} for role, text in roles]})
    for name, count in (("train", 3), ("test", 1)):
        (tmp_path / f"{name}.jsonl").write_text(f"{line}\n" * count, encoding="utf-8")
    return tmp_path


def test_only_the_answer_is_to_be_learned(chats: Path, tmp_path: Path) -> None:
    told = write_recipe(chats, tmp_path / "lora", "house/base")
    assert (told["train"], told["test"]) == (3, 1)
    lines = (tmp_path / "lora" / "data" / "train.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == 3
    assert json.loads(lines[0]) == {
        "prompt": [{"role": "system", "content": SOURCES}, {"role": "user", "content": "补贴多少？"}],
        "completion": [{"role": "assistant", "content": "$25 [1]."}],
    }


def test_the_configuration_names_model_and_data_and_every_requirement_is_pinned(
    chats: Path, tmp_path: Path
) -> None:
    out = tmp_path / "lora"
    write_recipe(chats, out, "house/base")
    made = yaml.safe_load((out / "lora.yaml").read_text("utf-8"))
    assert made["model_name_or_path"] == "house/base"
    assert (out / made["dataset_name"] / "test.jsonl").exists()
    assert made["use_peft"]
    assert made["completion_only_loss"]
    needed = (out / "requirements.txt").read_text("utf-8").split()
    assert {"trl", "peft", "torch"} <= {one.partition("==")[0] for one in needed if "==" in one}
    assert all("==" in one for one in needed)
    assert not any("$" in (out / name).read_text("utf-8") for name in FILES)


def test_the_command_warns_of_few_chats_and_tells_what_is_missing(chats: Path, tmp_path: Path) -> None:
    command = ["generator", str(chats), "--recipe", "lora", "--out", str(tmp_path / "lora"), "--json"]
    told = json.loads(CliRunner().invoke(app, command, catch_exceptions=False).output)
    assert told["warning"].startswith("fewer than 300 chats")
    assert "house" in (tmp_path / "lora" / "README.md").read_text("utf-8")
    (chats / "test.jsonl").write_text("")
    with pytest.raises(Permanent, match="dataset generator"):
        write_recipe(chats, tmp_path / "lora", "house/base")


def test_a_served_adapter_is_compared_with_its_base_on_the_chats_kept_for_testing(
    chats: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def says(chat: Chat) -> str:
        return "员工每年有 $25 补贴 [1]。" if chat.model == "house" else "我不知道。"

    (chats / "test.jsonl").write_text((chats / "train.jsonl").read_text("utf-8") * 3, encoding="utf-8")
    command = ["generator", str(chats), "--recipe", "lora", "--base", "base", "--trained", "house", "--json"]
    with OpenAIStandin(says) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "test-key")
        told = json.loads(CliRunner().invoke(app, command, catch_exceptions=False).output)
    assert {request.body["model"] for request in server.requests} == {"base", "house"}
    assert (told["chats"], told["before"], told["wins"]) == (9, 0.0, True)
    assert told["setting"] == "TEAMLORE_WRITER=openai:house"
