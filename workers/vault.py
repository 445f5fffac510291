"""Slack's installations in SQL, by the SDK's own store, with every token encrypted at rest."""

# pyright: reportIncompatibleMethodOverride=false
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cryptography.fernet import Fernet, InvalidToken
from slack_sdk.oauth.installation_store import Bot, Installation, InstallationStore
from slack_sdk.oauth.installation_store.sqlalchemy import SQLAlchemyInstallationStore
from sqlalchemy import Engine

from retrieval.errors import Permanent

_SECRETS = ("bot_token", "bot_refresh_token", "user_token", "user_refresh_token", "incoming_webhook_url")


class Vault(InstallationStore):
    """An installation store that hands secrets to the database only in a cipher.

    Raises Permanent when the key is not the one that they were encrypted with.
    """

    def __init__(self, engine: Engine, client_id: str, cipher: Fernet) -> None:
        self._store = SQLAlchemyInstallationStore(client_id=client_id, engine=engine)
        self._store.metadata.create_all(engine, checkfirst=True)
        self._cipher = cipher

    def save(self, installation: Installation) -> None:
        self._store.save(_with_secrets(installation, self._lock))

    def save_bot(self, bot: Bot) -> None:
        self._store.save_bot(_with_secrets(bot, self._lock))

    def find_bot(self, **where: Any) -> Bot | None:
        found = self._store.find_bot(**where)
        return _with_secrets(found, self._unlock) if found else None

    def find_installation(self, **where: Any) -> Installation | None:
        found = self._store.find_installation(**where)
        return _with_secrets(found, self._unlock) if found else None

    def delete_bot(self, **where: Any) -> None:
        self._store.delete_bot(**where)

    def delete_installation(self, **where: Any) -> None:
        self._store.delete_installation(**where)

    def _lock(self, secret: str) -> str:
        return self._cipher.encrypt(secret.encode()).decode()

    def _unlock(self, locked: str) -> str:
        try:
            return self._cipher.decrypt(locked.encode()).decode()
        except InvalidToken as error:
            raise Permanent("a Slack token cannot be decrypted: TEAMLORE_SECRET_KEY has changed") from error


def open_cipher(key: str, home: Path) -> Fernet:
    """The cipher of the configured key, else of one that is made once in `home`. Raises Permanent."""
    try:
        return Fernet(key or _own_key(home / "secret.key"))
    except ValueError as error:
        raise Permanent("TEAMLORE_SECRET_KEY must be 32 bytes in url-safe base 64") from error


def _own_key(path: Path) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("x") as file:
            path.chmod(0o600)
            file.write(Fernet.generate_key().decode())
    except FileExistsError:
        pass  # Made by an earlier start, or this instant by another process.
    return path.read_text()


def _with_secrets(found: Any, change: Callable[[str], str]) -> Any:
    """A copy of a Bot or Installation with its secrets changed."""
    values = found.to_dict_for_copying()
    changed = {name: change(values[name]) for name in _SECRETS if values.get(name)}
    return type(found)(**{**values, **changed})
