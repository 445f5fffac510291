"""What the embedded Redis and Weaviate are started with: commands, folders, environment."""

import shutil
from pathlib import Path

from workers.servers.state import Ports, State
from workers.servers.supervisord import Program
from workers.servers.weaviate_binary import binary_path


def find_redis() -> str | None:
    """Redis, or its free twin Valkey, on this machine."""
    return shutil.which("redis-server") or shutil.which("valkey-server")


def server_programs(home: Path, cache: Path, ports: Ports) -> list[Program]:
    """supervisord always knows both; the one that is configured elsewhere is just not started."""
    redis_command = [
        *(find_redis() or "redis-server", "--bind", "127.0.0.1", "--port", str(ports.redis)),
        # Questions wait in Redis: nothing is ever evicted, and a crash of the machine loses a second at most.
        *("--appendonly", "yes", "--save", "", "--maxmemory-policy", "noeviction"),
    ]
    weaviate_command = [
        *(str(binary_path(cache)), "--scheme", "http"),
        *("--host", "127.0.0.1", "--port", str(ports.weaviate_http)),
    ]
    return [
        Program("redis", redis_command, data_folder(home, "redis"), autostart=False),
        Program("weaviate", weaviate_command, data_folder(home, "weaviate"), autostart=False, stop_s=45),
    ]


def data_folder(home: Path, name: str) -> Path:
    """Where a server keeps its data and runs."""
    return home / name


def server_environment(home: Path, state: State) -> dict[str, str]:
    """A Weaviate of one node that talks to this machine only. Nothing of the caller's environment goes in."""
    ports = state.ports
    return {
        "HOME": str(home),
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "PERSISTENCE_DATA_PATH": str(data_folder(home, "weaviate")),
        "DISABLE_TELEMETRY": "true",
        "GO_PROFILING_DISABLE": "true",
        "API_BASED_MODULES_DISABLED": "true",
        "DEFAULT_VECTORIZER_MODULE": "none",
        "AUTOSCHEMA_ENABLED": "false",
        "LOG_FORMAT": "text",
        # A laptop's disk is often nine tenths full, at which Weaviate would refuse every write.
        "DISK_USE_WARNING_PERCENTAGE": "95",
        "DISK_USE_READONLY_PERCENTAGE": "98",
        **_access(state.api_key),
        **_cluster_of_one(ports),
    }


def _access(key: str) -> dict[str, str]:
    """Weaviate's gRPC and data ports listen on every interface; so nobody gets in without the key."""
    return {
        "AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED": "false",
        "AUTHENTICATION_APIKEY_ENABLED": "true",
        "AUTHENTICATION_APIKEY_ALLOWED_KEYS": key,
        "AUTHENTICATION_APIKEY_USERS": "teamlore",
        "CLUSTER_BASIC_AUTH_USERNAME": "teamlore",
        "CLUSTER_BASIC_AUTH_PASSWORD": key,
    }


def _cluster_of_one(ports: Ports) -> dict[str, str]:
    return {
        "GRPC_PORT": str(ports.weaviate_grpc),
        "CLUSTER_HOSTNAME": "teamlore",
        "CLUSTER_IN_LOCALHOST": "true",
        "CLUSTER_BIND_ADDR": "127.0.0.1",
        "CLUSTER_ADVERTISE_ADDR": "127.0.0.1",
        "CLUSTER_GOSSIP_BIND_PORT": str(ports.gossip),
        "CLUSTER_DATA_BIND_PORT": str(ports.data),
        "RAFT_PORT": str(ports.raft),
        "RAFT_INTERNAL_RPC_PORT": str(ports.raft_rpc),
        "RAFT_JOIN": f"teamlore:{ports.raft}",
        "RAFT_BOOTSTRAP_EXPECT": "1",
        # Raft's configuration holds the node's address; after a change of port the new one replaces it.
        "RAFT_ENABLE_ONE_NODE_RECOVERY": "true",
        # The default waits five times longer, for slow networks, before a node elects itself.
        "RAFT_TIMEOUTS_MULTIPLIER": "1",
    }
