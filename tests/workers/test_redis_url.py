"""What an address of Redis means, for clients and for the broker."""

import pytest

from retrieval.errors import Permanent
from workers.redis_url import broker_of, open_redis
from workers.settings import load_settings


def test_a_plain_address_is_passed_on() -> None:
    assert broker_of("redis://:secret@host:6379/3") == ("redis://:secret@host:6379/3", {})


def test_the_certificate_is_checked_unless_the_address_says_otherwise() -> None:
    assert broker_of("rediss://host/0")[0].endswith("?ssl_cert_reqs=required")
    assert broker_of("rediss://host/0?ssl_ca_certs=/ca")[0].endswith("/ca&ssl_cert_reqs=required")
    assert broker_of("rediss://host/0?ssl_cert_reqs=none")[0].endswith("?ssl_cert_reqs=none")


def test_sentinels_are_told_one_by_one_with_the_name_of_the_set() -> None:
    broker, options = broker_of("sentinel://me:p%40ss@one,two:5000/house/2")
    assert broker == "sentinel://me:p%40ss@one:26379/2;sentinel://me:p%40ss@two:5000/2"
    assert options == {"master_name": "house"}


def test_tls_reaches_the_sentinels_too() -> None:
    broker, options = broker_of("sentinel://one/house?ssl_ca_certs=/ca")
    assert broker == "sentinel://one:26379/0?ssl_cert_reqs=required&ssl_ca_certs=%2Fca"
    assert options["sentinel_kwargs"] == {"ssl": True, "ssl_cert_reqs": "required", "ssl_ca_certs": "/ca"}


def test_a_client_keeps_database_and_login() -> None:
    client = open_redis("sentinel://me:secret@one/house/2", 1)
    kept = client.connection_pool.connection_kwargs
    assert (kept["db"], kept["username"], kept["password"]) == (2, "me", "secret")


@pytest.mark.parametrize("url", ["http://host", "host:6379", "sentinel://one:26379", "sentinel:///house"])
def test_an_address_that_is_none_stops_the_start_with_the_setting_s_name(url: str) -> None:
    with pytest.raises(Permanent, match="REDIS_URL"):
        load_settings({"REDIS_URL": url})
