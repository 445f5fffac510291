"""Who waits how long: an answer or an apology within 60 seconds of the question, always.

Each line ends what the one before it should have ended. All are in seconds after the question came.
"""

TRY_AGAIN_UNTIL = 20.0
"""A failed attempt is made again."""
THINK_UNTIL = 42.0
"""The deadline that travels in the question, to which every call outside is cut (retrieval/deadline.py)."""
SAY_UNTIL = 48.0
"""Whatever the worker does then is ended, and it apologises."""
WORKER_UNTIL = 51.0
"""The clock apologises for questions that no worker holds."""
HELD_UNTIL = 54.0
"""It apologises for those that a worker holds, too."""
GIVE_UP_AFTER = 600.0
"""Slack has not taken even an apology for so long that nobody waits for it any more."""
