"""The migrations of a version to come, which adds a table, an index and a column."""

import shutil
from pathlib import Path

from storage import migrate

_REVISION = '''
"""A version to come."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "later", "{before}"
branch_labels = depends_on = None


def upgrade() -> None:
    op.create_table("news", sa.Column("id", sa.Integer(), primary_key=True))
    op.add_column("answers", sa.Column("mood", sa.String(9), nullable=True))
    op.create_index("by_mood", "answers", ["mood"])
'''


def grown(folder: Path) -> Path:
    """Its folder of migrations."""
    home = folder / "migrations"
    shutil.copytree(Path(migrate.__file__).parent / "migrations", home)
    (home / "versions" / "later.py").write_text(_REVISION.format(before=migrate.schema_name()))
    return home
