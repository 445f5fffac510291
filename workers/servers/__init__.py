"""The embedded Redis and Weaviate of a state directory, and the product's own processes, under supervisord.

`ensure_servers` starts what is neither configured nor running, `start_product` runs the Procfile, `status`
tells, `stop` ends everything that was started here. Several commands may call them at once.
"""

from workers.servers.embedded import Urls, ensure_servers, running_urls
from workers.servers.product import start_product, status, stop, stop_product
from workers.servers.supervisord import ProcessStatus

__all__ = [
    "ProcessStatus",
    "Urls",
    "ensure_servers",
    "running_urls",
    "start_product",
    "status",
    "stop",
    "stop_product",
]
