"""The clock: `celery -A workers.clock worker --beat --queues clock --pool solo`. Exactly one runs.

It sends what is due and looks after open questions, in a process where neither waits behind questions.
"""

from workers.process import open_counter
from workers.queue import make_celery
from workers.settings import load_settings
from workers.tasks import keep_time, register_clock

settings = load_settings()
app = make_celery(settings.redis_url)
app.conf.beat_schedule_filename = str(settings.home / "beat-schedule")
register_clock(app, lambda stack: open_counter(settings, stack))
keep_time(app)
