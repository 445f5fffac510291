"""Tokens at rest are unreadable without the key, and come back whole with it."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import Fernet
from slack_sdk.oauth.installation_store import Bot, Installation

from retrieval.errors import Permanent
from storage.base import open_database
from workers.vault import Vault, open_cipher


def installation(**others: Any) -> Installation:
    values: dict[str, Any] = {
        "app_id": "A1",
        "team_id": "T1",
        "user_id": "U1",
        "bot_id": "B1",
        "bot_user_id": "U0BOT",
        "bot_token": "xoxb-secret",
        "bot_refresh_token": "xoxe-secret",
        "bot_token_expires_at": 99,
    }
    return Installation(**{**values, **others})


def find(vault: Vault) -> Bot | None:
    return vault.find_bot(enterprise_id=None, team_id="T1", is_enterprise_install=False)


def test_what_is_saved_is_found_whole(tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{tmp_path}/v.db")
    vault = Vault(database.engine, "1.2", Fernet(Fernet.generate_key()))
    vault.save(installation())
    bot = find(vault)
    assert bot is not None
    assert (bot.bot_token, bot.bot_refresh_token, bot.bot_user_id) == ("xoxb-secret", "xoxe-secret", "U0BOT")
    database.engine.dispose()


def test_the_file_holds_no_token(tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{tmp_path}/v.db")
    Vault(database.engine, "1.2", Fernet(Fernet.generate_key())).save(installation())
    database.engine.dispose()
    connection = sqlite3.connect(tmp_path / "v.db")
    dump = "\n".join(connection.iterdump())
    connection.close()
    assert "U0BOT" in dump
    assert "secret" not in dump


def test_another_key_is_told(tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{tmp_path}/v.db")
    Vault(database.engine, "1.2", Fernet(Fernet.generate_key())).save(installation())
    with pytest.raises(Permanent, match="TEAMLORE_SECRET_KEY"):
        find(Vault(database.engine, "1.2", Fernet(Fernet.generate_key())))
    database.engine.dispose()


def test_a_key_is_made_once_and_for_the_owner_alone(tmp_path: Path) -> None:
    locked = open_cipher("", tmp_path / "home").encrypt(b"x")
    assert open_cipher("", tmp_path / "home").decrypt(locked) == b"x"
    assert (tmp_path / "home" / "secret.key").stat().st_mode & 0o077 == 0


def test_a_malformed_key_is_told() -> None:
    with pytest.raises(Permanent, match="32 bytes"):
        open_cipher("short", Path())
