"""The first schema."""
# pyright: reportUnknownArgumentType=false

import sqlalchemy as sa
from alembic import op

revision = "first_49e4d1d6"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "answer_citations",
        sa.Column("question_id", sa.String(length=32), nullable=False),
        sa.Column("document_id", sa.String(length=500), nullable=False),
        sa.Column("version", sa.String(length=200), nullable=False),
        sa.Column("source", sa.String(length=255), nullable=False),
        sa.Column("team", sa.String(length=32), nullable=False),
        sa.PrimaryKeyConstraint("question_id", "document_id", name=op.f("pk_answer_citations")),
    )
    op.create_table(
        "answers",
        sa.Column("question_id", sa.String(length=32), nullable=False),
        sa.Column("team", sa.String(length=32), nullable=False),
        sa.Column("channel", sa.String(length=32), nullable=False),
        sa.Column("thread", sa.String(length=32), nullable=False),
        sa.Column("question_ts", sa.String(length=32), nullable=False),
        sa.Column("asker", sa.String(length=32), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("ts", sa.String(length=32), nullable=False),
        sa.Column("more", sa.JSON(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("surface", sa.String(length=16), nullable=False),
        sa.Column("readers", sa.JSON(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("outcome", sa.String(length=16), nullable=False),
        sa.Column("language", sa.String(length=8), nullable=False),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.Column("outdated", sa.Boolean(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("question_id", name=op.f("pk_answers")),
    )
    with op.batch_alter_table("answers", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_answers_asked_at"), ["asked_at"], unique=False)
        batch_op.create_index("ix_answers_asker", ["team", "asker", "asked_at"], unique=False)
        batch_op.create_index("ix_answers_message", ["team", "channel", "ts"], unique=False)
        batch_op.create_index("ix_answers_thread", ["team", "channel", "thread"], unique=False)

    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("team", sa.String(length=32), nullable=False),
        sa.Column("user", sa.String(length=32), nullable=False),
        sa.Column("action", sa.String(length=50), nullable=False),
        sa.Column("detail", sa.String(length=500), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    with op.batch_alter_table("audit", schema=None) as batch_op:
        batch_op.create_index("ix_audit_team_at", ["team", "at"], unique=False)

    op.create_table(
        "bad_cases",
        sa.Column("question_id", sa.String(length=200), nullable=False),
        sa.Column("team", sa.String(length=64), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("cause", sa.String(length=32), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("suggested", sa.String(length=32), nullable=False),
        sa.Column("stage", sa.String(length=32), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("owner", sa.String(length=64), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("noted_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("question_id", name=op.f("pk_bad_cases")),
    )
    with op.batch_alter_table("bad_cases", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_bad_cases_status"), ["status"], unique=False)
        batch_op.create_index(batch_op.f("ix_bad_cases_team"), ["team"], unique=False)

    op.create_table(
        "channel_settings",
        sa.Column("team", sa.String(length=32), nullable=False),
        sa.Column("channel", sa.String(length=32), nullable=False),
        sa.Column("choices", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("team", "channel", name=op.f("pk_channel_settings")),
    )
    op.create_table(
        "communities",
        sa.Column("team", sa.String(length=64), nullable=False),
        sa.Column("community_id", sa.String(length=32), nullable=False),
        sa.Column("document_id", sa.String(length=500), nullable=False),
        sa.PrimaryKeyConstraint("team", "community_id", "document_id", name=op.f("pk_communities")),
    )
    with op.batch_alter_table("communities", schema=None) as batch_op:
        batch_op.create_index("ix_communities_document", ["team", "document_id"], unique=False)

    op.create_table(
        "documents",
        sa.Column("team", sa.String(length=64), nullable=False),
        sa.Column("id", sa.String(length=1024), nullable=False),
        sa.Column("source", sa.String(length=255), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("version", sa.String(length=255), nullable=False),
        sa.Column("recipe", sa.String(length=255), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("notes", sa.JSON(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("passage_count", sa.Integer(), nullable=False),
        sa.Column("passages", sa.JSON(), nullable=False),
        sa.Column("indexed_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("team", "id", name=op.f("pk_documents")),
    )
    with op.batch_alter_table("documents", schema=None) as batch_op:
        batch_op.create_index("documents_by_source", ["team", "source"], unique=False)

    op.create_table(
        "facts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("team", sa.String(length=32), nullable=False),
        sa.Column("user", sa.String(length=32), nullable=False),
        sa.Column("key", sa.String(length=32), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("said_in", sa.String(length=64), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_facts")),
    )
    with op.batch_alter_table("facts", schema=None) as batch_op:
        batch_op.create_index("ix_facts_team_user", ["team", "user"], unique=False)

    op.create_table(
        "feedback",
        sa.Column("question_id", sa.String(length=32), nullable=False),
        sa.Column("user", sa.String(length=32), nullable=False),
        sa.Column("team", sa.String(length=32), nullable=False),
        sa.Column("vote", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(length=32), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("question_id", "user", name=op.f("pk_feedback")),
    )
    with op.batch_alter_table("feedback", schema=None) as batch_op:
        batch_op.create_index("ix_feedback_team_at", ["team", "at"], unique=False)

    op.create_table(
        "messages",
        sa.Column("team", sa.String(length=64), nullable=False),
        sa.Column("channel", sa.String(length=32), nullable=False),
        sa.Column("ts", sa.String(length=32), nullable=False),
        sa.Column("thread", sa.String(length=32), nullable=False),
        sa.Column("user", sa.String(length=64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("changed", sa.String(length=32), nullable=False),
        sa.Column("deleted", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("team", "channel", "ts", name=op.f("pk_messages")),
    )
    with op.batch_alter_table("messages", schema=None) as batch_op:
        batch_op.create_index("messages_by_thread", ["team", "channel", "thread"], unique=False)

    op.create_table(
        "names",
        sa.Column("team", sa.String(length=64), nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("passage_id", sa.String(length=200), nullable=False),
        sa.Column("document_id", sa.String(length=500), nullable=False),
        sa.Column("strength", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("team", "key", "passage_id", name=op.f("pk_names")),
    )
    with op.batch_alter_table("names", schema=None) as batch_op:
        batch_op.create_index("ix_names_document", ["team", "document_id"], unique=False)

    op.create_table(
        "notes",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("tenant", sa.String(length=64), nullable=False),
        sa.Column("team", sa.String(length=32), nullable=False),
        sa.Column("title", sa.String(length=300), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("author", sa.String(length=200), nullable=False),
        sa.Column("url", sa.String(length=500), nullable=False),
        sa.Column("readers", sa.JSON(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notes")),
    )
    with op.batch_alter_table("notes", schema=None) as batch_op:
        batch_op.create_index("ix_notes_tenant", ["tenant"], unique=False)

    op.create_table(
        "picture_readers",
        sa.Column("team", sa.String(length=64), nullable=False),
        sa.Column("passage_id", sa.String(length=64), nullable=False),
        sa.Column("reader", sa.String(length=128), nullable=False),
        sa.PrimaryKeyConstraint("team", "passage_id", "reader", name=op.f("pk_picture_readers")),
    )
    op.create_table(
        "pictures",
        sa.Column("team", sa.String(length=64), nullable=False),
        sa.Column("passage_id", sa.String(length=64), nullable=False),
        sa.Column("document_id", sa.String(length=500), nullable=False),
        sa.Column("look", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("team", "passage_id", name=op.f("pk_pictures")),
    )
    with op.batch_alter_table("pictures", schema=None) as batch_op:
        batch_op.create_index("ix_pictures_document", ["team", "document_id"], unique=False)

    op.create_table(
        "retired",
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("idle_since", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_retired")),
    )
    op.create_table(
        "sheet_readers",
        sa.Column("team", sa.String(length=64), nullable=False),
        sa.Column("sheet_id", sa.String(length=32), nullable=False),
        sa.Column("reader", sa.String(length=128), nullable=False),
        sa.PrimaryKeyConstraint("team", "sheet_id", "reader", name=op.f("pk_sheet_readers")),
    )
    op.create_table(
        "sheets",
        sa.Column("team", sa.String(length=64), nullable=False),
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("document_id", sa.String(length=500), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("page", sa.Integer(), nullable=True),
        sa.Column("columns", sa.JSON(), nullable=False),
        sa.Column("cells", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("team", "id", name=op.f("pk_sheets")),
    )
    with op.batch_alter_table("sheets", schema=None) as batch_op:
        batch_op.create_index("ix_sheets_document", ["team", "document_id"], unique=False)

    op.create_table(
        "sources",
        sa.Column("team", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("spec", sa.JSON(), nullable=False),
        sa.Column("added_by", sa.String(length=64), nullable=False),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("team", "name", name=op.f("pk_sources")),
    )
    op.create_table(
        "spans",
        sa.Column("trace", sa.String(length=32), nullable=False),
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("parent", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("started_ns", sa.BigInteger(), nullable=False),
        sa.Column("ms", sa.Double(), nullable=False),
        sa.Column("error", sa.String(length=200), nullable=False),
        sa.Column("attributes", sa.JSON(), nullable=False),
        sa.Column("events", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("trace", "id", name=op.f("pk_spans")),
    )
    op.create_table(
        "syncs",
        sa.Column("team", sa.String(length=64), nullable=False),
        sa.Column("source", sa.String(length=255), nullable=False),
        sa.Column("owner", sa.String(length=255), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("counts", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("team", "source", name=op.f("pk_syncs")),
    )
    op.create_table(
        "traces",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("question_id", sa.String(length=200), nullable=False),
        sa.Column("team", sa.String(length=64), nullable=False),
        sa.Column("channel", sa.String(length=64), nullable=False),
        sa.Column("user", sa.String(length=64), nullable=False),
        sa.Column("readers", sa.JSON(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("route", sa.String(length=32), nullable=False),
        sa.Column("outcome", sa.String(length=32), nullable=False),
        sa.Column("cached", sa.Boolean(), nullable=False),
        sa.Column("error", sa.String(length=200), nullable=False),
        sa.Column("models", sa.JSON(), nullable=False),
        sa.Column("input_tokens", sa.Integer(), nullable=False),
        sa.Column("output_tokens", sa.Integer(), nullable=False),
        sa.Column("cost_usd", sa.Double(), nullable=False),
        sa.Column("ms", sa.Double(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_traces")),
    )
    with op.batch_alter_table("traces", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_traces_question_id"), ["question_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_traces_started_at"), ["started_at"], unique=False)
        batch_op.create_index("ix_traces_team_started_at", ["team", "started_at"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("traces", schema=None) as batch_op:
        batch_op.drop_index("ix_traces_team_started_at")
        batch_op.drop_index(batch_op.f("ix_traces_started_at"))
        batch_op.drop_index(batch_op.f("ix_traces_question_id"))

    op.drop_table("traces")
    op.drop_table("syncs")
    op.drop_table("spans")
    op.drop_table("sources")
    with op.batch_alter_table("sheets", schema=None) as batch_op:
        batch_op.drop_index("ix_sheets_document")

    op.drop_table("sheets")
    op.drop_table("sheet_readers")
    op.drop_table("retired")
    with op.batch_alter_table("pictures", schema=None) as batch_op:
        batch_op.drop_index("ix_pictures_document")

    op.drop_table("pictures")
    op.drop_table("picture_readers")
    with op.batch_alter_table("notes", schema=None) as batch_op:
        batch_op.drop_index("ix_notes_tenant")

    op.drop_table("notes")
    with op.batch_alter_table("names", schema=None) as batch_op:
        batch_op.drop_index("ix_names_document")

    op.drop_table("names")
    with op.batch_alter_table("messages", schema=None) as batch_op:
        batch_op.drop_index("messages_by_thread")

    op.drop_table("messages")
    with op.batch_alter_table("feedback", schema=None) as batch_op:
        batch_op.drop_index("ix_feedback_team_at")

    op.drop_table("feedback")
    with op.batch_alter_table("facts", schema=None) as batch_op:
        batch_op.drop_index("ix_facts_team_user")

    op.drop_table("facts")
    with op.batch_alter_table("documents", schema=None) as batch_op:
        batch_op.drop_index("documents_by_source")

    op.drop_table("documents")
    with op.batch_alter_table("communities", schema=None) as batch_op:
        batch_op.drop_index("ix_communities_document")

    op.drop_table("communities")
    op.drop_table("channel_settings")
    with op.batch_alter_table("bad_cases", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_bad_cases_team"))
        batch_op.drop_index(batch_op.f("ix_bad_cases_status"))

    op.drop_table("bad_cases")
    with op.batch_alter_table("audit", schema=None) as batch_op:
        batch_op.drop_index("ix_audit_team_at")

    op.drop_table("audit")
    with op.batch_alter_table("answers", schema=None) as batch_op:
        batch_op.drop_index("ix_answers_thread")
        batch_op.drop_index("ix_answers_message")
        batch_op.drop_index("ix_answers_asker")
        batch_op.drop_index(batch_op.f("ix_answers_asked_at"))

    op.drop_table("answers")
    op.drop_table("answer_citations")
