"""Every table, so that migrations see all of them: importing this fills `Base.metadata`."""

import importlib
import pkgutil

import storage
from storage.base import Base

_NOT_TABLES = {"base", "dump", "forget", "migrate", "migrations", "person", "tables"}

for _module in pkgutil.iter_modules(storage.__path__):
    if _module.name not in _NOT_TABLES:
        importlib.import_module(f"storage.{_module.name}")

metadata = Base.metadata
