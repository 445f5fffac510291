"""The worker: `celery -A workers.app worker -Q answers`. Nothing else imports this."""

from workers.process import open_bench
from workers.queue import make_celery
from workers.settings import load_settings
from workers.tasks import register
from workers.wiring import open_house

settings = load_settings()
app = make_celery(settings.redis_url)
app.conf.beat_schedule_filename = str(settings.home / "beat-schedule")
register(app, lambda: open_bench(settings, open_house(settings)))
