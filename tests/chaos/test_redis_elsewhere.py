"""A Redis with TLS, and a set of Redis servers whose master dies: questions are answered all the same."""

import shutil
import subprocess
import time

import pytest
from redis import Redis

from tests.letters import mention
from tests.office import Office, answers, end, free_port, until
from workers.redis_url import open_redis

pytestmark = [pytest.mark.live, pytest.mark.chaos, pytest.mark.timeout(150)]
ASKED = "<@UTEAMLORE> how many vacation days?"


class SecretOffice(Office):
    """Its Redis speaks TLS alone, with a certificate that the office made itself."""

    def start_redis(self) -> None:
        key, certificate = self.home / "redis.key", self.home / "redis.crt"
        make = [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=localhost",
        ]
        names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
        files = ["-subj", "/CN=localhost", "-keyout", str(key), "-out", str(certificate)]
        subprocess.run([*make, *names, *files], check=True, capture_output=True)
        ports = ["--port", "0", "--tls-port", str(self.redis_port), "--tls-auth-clients", "no"]
        tls = ["--tls-cert-file", str(certificate), "--tls-key-file", str(key)]
        command = ["redis-server", *ports, *tls, "--save", "", "--dir", str(self.home)]
        self.redis_server = self._run("redis", command)
        self.redis_url = f"rediss://127.0.0.1:{self.redis_port}/0?ssl_ca_certs={certificate}"
        self.redis = open_redis(self.redis_url, 2)
        until(lambda: answers(self.redis))


class WatchedOffice(Office):
    """Its Redis has a replica, and a sentinel that puts it in the master's place."""

    def start_redis(self) -> None:
        self.second_port, sentinel = free_port(), free_port()
        self.redis_server = self._run("redis", self._server(self.redis_port))
        replica = [*self._server(self.second_port), "--replicaof", "127.0.0.1", str(self.redis_port)]
        self.clock = self._run("replica", replica)  # ended with the office
        config = self.home / "sentinel.conf"
        config.write_text(
            f"port {sentinel}\ndir {self.home}\nsentinel monitor house 127.0.0.1 {self.redis_port} 1\n"
            "sentinel down-after-milliseconds house 1000\nsentinel failover-timeout house 3000\n"
        )
        self.sentinel = self._run("sentinel", ["redis-server", str(config), "--sentinel"])
        self.redis_url = f"sentinel://127.0.0.1:{sentinel}/house/0"
        self.redis = open_redis(self.redis_url, 2)
        until(lambda: answers(self.redis))
        until(self._replicated)

    def _server(self, port: int) -> list[str]:
        folder = self.home / str(port)
        folder.mkdir()
        return ["redis-server", "--port", str(port), "--save", "", "--dir", str(folder)]

    def _replicated(self) -> bool:
        watch = Redis(port=int(self.redis_url.split(":")[2].split("/")[0]), decode_responses=True)
        found = watch.sentinel_slaves("house")  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        return bool(found) and found[0]["master-link-status"] == "ok"

    def __exit__(self, *failure: object) -> None:
        end(self.sentinel)
        super().__exit__(*failure)  # pyright: ignore[reportArgumentType]


def kept_running(office: Office) -> bool:
    """As the supervisor does: Celery ends where sentinels lead to another Redis while it waits at one."""
    if office.worker.poll() is not None:
        office.start_worker()
    return True


def answered(office: Office) -> None:
    """A question asked now is taken, however often Slack must ask, and answered once."""
    root = office.world.post("alice", "eng", "Morning!")
    event = mention(ASKED, f"{time.time():.6f}", thread_ts=root)
    until(lambda: office.letters.event(event).status_code == 200, 40)
    until(lambda: kept_running(office) and office.world.replies("eng", root), 40)
    time.sleep(1)
    assert ["25 days" in reply["text"] for reply in office.world.replies("eng", root)] == [True]


@pytest.mark.skipif(not shutil.which("openssl"), reason="Redis with TLS is not tested: no openssl")
def test_a_redis_with_tls_serves_clients_and_the_broker() -> None:
    with SecretOffice() as office:
        answered(office)
        assert office.redis.zcard("questions:open") == 0


def test_after_a_master_s_death_the_next_one_serves() -> None:
    with WatchedOffice() as office:
        answered(office)
        end(office.redis_server)
        answered(office)
        assert Redis(port=office.second_port).info("replication")["role"] == "master"  # pyright: ignore[reportUnknownMemberType]
