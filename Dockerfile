# The product without its servers; which process runs is the argument: web, socket, answers, indexing or beat.
FROM python:3.13-slim

RUN apt-get update \
    && apt-get install --yes --no-install-recommends tesseract-ocr tesseract-ocr-eng tesseract-ocr-chi-sim \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home teamlore \
    && install --directory --owner teamlore /app /data /models

USER teamlore
WORKDIR /app
ENV PATH=/app/.venv/bin:/home/teamlore/.local/bin:$PATH \
    TEAMLORE_HOME=/data \
    TEAMLORE_CACHE=/models \
    UV_NO_CACHE=1 \
    UV_PYTHON_DOWNLOADS=never \
    PYTHONUNBUFFERED=1

# Dependencies first, so that a change of the code does not install them again.
COPY --chown=teamlore pyproject.toml uv.lock README.md LICENSE ./
RUN pip install --user --no-cache-dir "uv>=0.9" \
    && uv sync --frozen --no-default-groups --extra postgres --no-install-project --compile-bytecode

COPY --chown=teamlore . .
RUN uv sync --frozen --no-default-groups --extra postgres \
    && python -m retrieval.providers.local_build /models

VOLUME /data
EXPOSE 3000
ENTRYPOINT ["scripts/run-process"]
CMD ["web"]
