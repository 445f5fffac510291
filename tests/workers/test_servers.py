"""The embedded servers and the product's processes: started once, kept, found again, ended whole."""

import os
import signal
import socket
import time
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Literal

import grpc
import psutil
import pytest
import redis
import weaviate
from weaviate.auth import AuthApiKey
from weaviate.classes.config import Configure, DataType, Property, Tokenization
from weaviate.classes.init import Auth
from weaviate.exceptions import WeaviateBaseError

from retrieval.errors import Permanent
from workers.servers import Urls, ensure_servers, start_product, status, stop, stop_product
from workers.servers.embedded import servers_of
from workers.servers.processes import lives
from workers.servers.product import PROCFILE, product_of, read_procfile
from workers.servers.state import State, locked, recall, run_folder, settle
from workers.servers.supervisord import render, started_by
from workers.settings import load_settings

NOWHERE = Path("/nowhere")
ELSEWHERE = Urls("redis://elsewhere:6379/0", "http://elsewhere:8080")


@pytest.fixture
def home(tmp_path: Path) -> Generator[Path]:
    """An empty state directory, in which nothing is left running afterwards."""
    yield tmp_path / "home"
    stop(tmp_path / "home")


def start(home: Path, configured: Urls | None = None) -> Urls:
    return ensure_servers(home, load_settings().cache, configured)


def redis_of(urls: Urls) -> "redis.Redis":
    return redis.Redis.from_url(urls.redis_url, decode_responses=True, socket_timeout=5)


def weaviate_of(urls: Urls, auth: AuthApiKey | Literal["own"] | None = "own") -> weaviate.WeaviateClient:
    grpc_host, _, grpc_port = urls.weaviate_grpc.partition(":")
    return weaviate.connect_to_custom(
        http_host="127.0.0.1",
        http_port=int(urls.weaviate_http.rpartition(":")[2]),
        http_secure=False,
        grpc_host=grpc_host,
        grpc_port=int(grpc_port),
        grpc_secure=False,
        auth_credentials=Auth.api_key(urls.weaviate_api_key) if auth == "own" else auth,
    )


def pids(home: Path) -> dict[str, int]:
    return {process.name: process.pid for process in status(home)}


def ours(home: Path) -> list[psutil.Process]:
    state = recall(home)
    assert state
    return [*started_by(servers_of(home, state)), *started_by(product_of(home, state))]


def wait_until(true: Callable[[], bool], seconds: float = 20) -> bool:
    deadline = time.monotonic() + seconds
    while not true() and time.monotonic() < deadline:
        time.sleep(0.05)
    return true()


def test_nothing_is_started_when_both_servers_are_configured(home: Path) -> None:
    urls = ensure_servers(home, NOWHERE, ELSEWHERE)
    assert (urls.redis_url, urls.weaviate_http) == (ELSEWHERE.redis_url, ELSEWHERE.weaviate_http)
    assert urls.weaviate_grpc == "elsewhere:50051"
    assert not home.exists()


def test_the_urls_reach_other_processes_under_the_names_that_the_settings_read() -> None:
    told = load_settings(Urls("redis://r:1/0", "http://w:2", "w:3", "key").environment())
    assert (told.redis_url, told.weaviate_url, told.weaviate_grpc_url) == (
        "redis://r:1/0",
        "http://w:2",
        "w:3",
    )
    assert told.weaviate_api_key.get_secret_value() == "key"


def test_a_state_directory_with_a_long_path_gets_a_short_socket(tmp_path: Path) -> None:
    state = settle(tmp_path / ("a" * 120))
    assert len(state.sockets) + len("/product.sock") < 104
    assert Path(state.sockets).is_dir()
    assert settle(tmp_path / ("a" * 120)) == state
    Path(state.sockets).rmdir()


def test_two_state_directories_get_different_ports_and_keys(tmp_path: Path) -> None:
    one, other = settle(tmp_path / "one"), settle(tmp_path / "other")
    assert abs(one.first_port - other.first_port) >= 7 or one.first_port != other.first_port
    assert one.api_key != other.api_key


def test_ports_are_kept_while_they_are_free_and_left_to_whoever_took_one(tmp_path: Path) -> None:
    first = settle(tmp_path)
    assert settle(tmp_path).ports == first.ports
    with closing(socket.socket()) as stranger:
        stranger.bind(("127.0.0.1", first.ports.raft))
        stranger.listen()
        assert settle(tmp_path).ports != first.ports


def test_the_state_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    settle(tmp_path)
    assert (run_folder(tmp_path) / "state.json").stat().st_mode & 0o077 == 0


def test_a_damaged_state_is_named(tmp_path: Path) -> None:
    settle(tmp_path)
    (run_folder(tmp_path) / "state.json").write_text('{"first_port": 1}')
    with pytest.raises(Permanent, match=r"state\.json is damaged"):
        recall(tmp_path)


def test_a_command_waits_for_the_lock_and_says_who_holds_it(tmp_path: Path) -> None:
    with (
        locked(tmp_path / "lock"),
        pytest.raises(Permanent, match=r"another command has held .*lock"),
        locked(tmp_path / "lock", patience_s=0.3),
    ):
        pass
    with locked(tmp_path / "lock", patience_s=0.3):
        assert True


def test_a_path_that_supervisord_would_misread_is_refused(tmp_path: Path) -> None:
    state = State(20_000, str(tmp_path / "old ;new"), "key")
    with pytest.raises(Permanent, match="cannot read"):
        render(servers_of(tmp_path, state), [])


def test_status_and_stop_of_a_state_directory_that_never_ran_are_empty(tmp_path: Path) -> None:
    stop(tmp_path)
    assert status(tmp_path) == []
    assert not list(tmp_path.iterdir())


def test_the_procfile_names_the_product_s_processes() -> None:
    commands = read_procfile(PROCFILE)
    assert {"web", "answers", "indexing", "beat"} <= set(commands)
    assert all(commands.values())


@pytest.mark.live
def test_servers_start_once_survive_a_restart_and_end_without_a_trace(home: Path) -> None:
    urls = start(home)
    before = pids(home)
    assert start(home) == urls
    assert pids(home) == before

    redis_of(urls).set("question", "kept")
    with weaviate_of(urls) as client:
        client.collections.create("Kept", properties=[Property(name="terms", data_type=DataType.TEXT)])
        client.collections.use("Kept").data.insert({"terms": "年假 vacation"}, vector=[1.0, 0.0])

    processes = ours(home)
    stop(home)
    assert not any(map(lives, processes))
    assert status(home) == []

    again = start(home)
    assert again == urls
    assert redis_of(again).get("question") == "kept"
    with weaviate_of(again) as client:
        assert len(client.collections.use("Kept").query.bm25("vacation").objects) == 1
        assert len(client.collections.use("Kept").query.near_vector([1.0, 0.0]).objects) == 1


@pytest.mark.live
def test_data_survive_when_somebody_took_one_of_the_ports_meanwhile(home: Path) -> None:
    urls = start(home)
    with weaviate_of(urls) as client:
        client.collections.create("Moved")
        client.collections.use("Moved").data.insert({}, vector=[1.0])
    stop(home)
    with closing(socket.socket()) as stranger:
        stranger.bind(("127.0.0.1", int(urls.weaviate_http.rpartition(":")[2])))
        stranger.listen()
        moved = start(home)
        assert moved.weaviate_http != urls.weaviate_http
        with weaviate_of(moved) as client:
            assert len(client.collections.use("Moved").query.near_vector([1.0]).objects) == 1
            client.collections.create("Later")
            client.collections.use("Later").data.insert({}, vector=[1.0])


@pytest.mark.live
def test_commands_that_start_at_once_share_one_set_of_servers(home: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        found = set(pool.map(lambda _: start(home), range(4)))
    assert len(found) == 1
    names = [process.name() for process in ours(home)]
    assert sum(name.startswith("redis") for name in names) == 1
    assert sum(name.startswith("weaviate") for name in names) == 1


@pytest.mark.live
def test_a_killed_server_comes_back_by_itself_with_its_data(home: Path) -> None:
    urls = start(home, Urls(weaviate_http="http://elsewhere:8080"))
    client = redis_of(urls)
    client.set("question", "kept")
    time.sleep(1.5)  # Redis writes its log to disk once a second
    first = pids(home)["redis"]
    os.kill(first, signal.SIGKILL)
    assert wait_until(lambda: pids(home)["redis"] not in (0, first))
    assert start(home, Urls(weaviate_http="http://elsewhere:8080")).redis_url == urls.redis_url
    assert client.get("question") == "kept"


@pytest.mark.live
def test_what_a_killed_supervisor_leaves_behind_is_ended_before_the_next_start(home: Path) -> None:
    elsewhere = Urls(weaviate_http="http://elsewhere:8080")
    urls = start(home, elsewhere)
    orphan = pids(home)["redis"]
    supervisor = psutil.Process(orphan).parent()
    assert supervisor
    supervisor.kill()
    assert wait_until(lambda: status(home) == [])
    assert psutil.pid_exists(orphan)

    assert start(home, elsewhere) == urls
    assert pids(home)["redis"] != orphan
    assert len([process for process in ours(home) if process.name().startswith("redis")]) == 1


@pytest.mark.live
def test_a_state_directory_is_the_same_by_another_name(home: Path, tmp_path: Path) -> None:
    elsewhere = Urls(weaviate_http="http://elsewhere:8080")
    urls = start(home, elsewhere)
    first = pids(home)
    (tmp_path / "link").symlink_to(home)
    assert start(tmp_path / "link", elsewhere) == urls
    assert pids(tmp_path / "link") == first
    supervisor = psutil.Process(first["redis"]).parent()
    assert supervisor
    supervisor.kill()
    stop(tmp_path / "link")
    assert ours(home.resolve()) == []


@pytest.mark.live
def test_a_killed_supervisor_s_orphans_are_ended_by_stop(home: Path) -> None:
    start(home, Urls(weaviate_http="http://elsewhere:8080"))
    orphan = psutil.Process(pids(home)["redis"])
    supervisor = orphan.parent()
    assert supervisor
    supervisor.kill()
    stop(home)
    assert not lives(orphan)


@pytest.mark.live
def test_a_second_server_joins_the_first_when_it_is_asked_for(home: Path) -> None:
    start(home, Urls(weaviate_http="http://elsewhere:8080"))
    first = pids(home)["redis"]
    with weaviate_of(start(home)) as client:
        assert client.is_ready()
    assert pids(home)["redis"] == first


@pytest.mark.live
def test_fresh_writes_are_found_at_once_among_many_and_by_several_words(server_urls: Urls) -> None:
    """Weaviate 1.38.0 dropped the newest rare match once the result list was full of common ones."""
    terms = Property(name="terms", data_type=DataType.TEXT, tokenization=Tokenization.WHITESPACE)
    with weaviate_of(server_urls) as client:
        client.collections.delete("Fresh")
        fresh = client.collections.create(
            "Fresh",
            properties=[terms],
            inverted_index_config=Configure.inverted_index(stopwords_preset=None),
        )
        fresh.data.insert_many([{"terms": f"error screen page{number}"} for number in range(300)])
        for code in ("kb-3102", "kb-3201", "年假"):
            fresh.data.insert({"terms": f"error {code} remedy"})
            found = fresh.query.bm25(f"error screen {code}", query_properties=["terms"], limit=5).objects
            assert found[0].properties["terms"] == f"error {code} remedy"
        client.collections.delete("Fresh")


@pytest.mark.live
@pytest.mark.parametrize("key", [None, "wrong"])
def test_a_stranger_without_the_key_gets_nothing_from_weaviate(server_urls: Urls, key: str | None) -> None:
    """Its gRPC port listens on every interface of the machine, not on the loopback alone."""
    with pytest.raises(WeaviateBaseError, match=r"401|anonymous access not enabled"):
        weaviate_of(server_urls, Auth.api_key(key) if key else None)
    with grpc.insecure_channel(server_urls.weaviate_grpc) as channel:
        search = channel.unary_unary("/weaviate.v1.Weaviate/Search")
        with pytest.raises(grpc.RpcError, match="unauthorized"):
            search(b"", timeout=5, metadata=(("authorization", f"Bearer {key}"),) if key else ())


@pytest.mark.live
def test_redis_never_drops_a_waiting_question(server_urls: Urls) -> None:
    client = redis_of(server_urls)
    assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
    assert client.config_get("appendonly") == {"appendonly": "yes"}


def procfile(folder: Path, **commands: str) -> Path:
    path = folder / "Procfile"
    path.write_text("".join(f"{name}: {command}\n" for name, command in commands.items()))
    return path


@pytest.mark.live
def test_the_product_s_processes_run_restart_and_are_told_where_the_servers_are(
    home: Path, tmp_path: Path
) -> None:
    told = tmp_path / "told"
    started = start_product(
        home,
        Urls("redis://r:1/0", "http://w:2", "w:3", "secret").environment(),
        procfile(tmp_path, web=f'sh -c "env > {told}; exec sleep 600"', beat="sleep ${LONG:-600}"),
    )
    assert {process.name: process.state for process in started} == {"web": "RUNNING", "beat": "RUNNING"}
    variables = told.read_text().splitlines()
    assert {"REDIS_URL=redis://r:1/0", "WEAVIATE_API_KEY=secret", f"TEAMLORE_HOME={home}"} <= set(variables)
    assert "secret" not in "".join(path.read_text() for path in run_folder(home).glob("*.conf"))

    first = pids(home)["beat"]
    os.kill(first, signal.SIGKILL)
    assert wait_until(lambda: pids(home)["beat"] not in (0, first))

    processes = ours(home)
    stop_product(home)
    assert status(home) == []
    assert not any(map(lives, processes))


@pytest.mark.live
def test_only_the_named_processes_run_when_names_are_given(home: Path, tmp_path: Path) -> None:
    two = procfile(tmp_path, web="sleep 600", socket="sleep 600")
    assert [process.name for process in start_product(home, {}, two, only={"socket"})] == ["socket"]


@pytest.mark.live
def test_a_process_that_dies_at_once_is_reported_with_the_end_of_its_log(home: Path, tmp_path: Path) -> None:
    broken = procfile(tmp_path, web="sleep 600", answers="sh -c 'echo no such queue; exit 3'")
    with pytest.raises(Permanent, match=r"answers does not start(.|\n)*no such queue"):
        start_product(home, {}, broken)
    assert status(home) == []


@pytest.mark.live
def test_a_second_start_takes_the_new_environment(home: Path, tmp_path: Path) -> None:
    file = procfile(tmp_path, web=f'sh -c "echo $TOKEN >> {tmp_path}/tokens; exec sleep 600"')
    start_product(home, {"TOKEN": "old"}, file)
    start_product(home, {"TOKEN": "new"}, file)
    assert (tmp_path / "tokens").read_text().split() == ["old", "new"]
    assert len([process for process in ours(home) if process.name() == "sleep"]) == 1
