"""`python -m workers.servers stop`: end everything that was started for TEAMLORE_HOME."""

import sys

from workers.servers.product import stop
from workers.settings import load_settings

if __name__ == "__main__":
    if sys.argv[1:] != ["stop"]:
        sys.exit(__doc__)
    stop(load_settings().home)
