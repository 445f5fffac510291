"""What stands written in the sample's pictures: drawn by `drawing`, looked up by whoever checks cases."""

TERMINAL = [
    ("green", "kb3102-00417 ~ $ kbctl status"),
    ("white", "device       KB-3102-EU868    serial 3102-2447-0093"),
    ("white", "firmware     v2.31.1          bootloader 1.6"),
    ("white", "uplink       LTE -87 dBm      region eu"),
    ("white", "last upload  2026-04-11 03:12:44Z   FAILED"),
    ("green", "kb3102-00417 ~ $ kbctl upload --now"),
    ("white", "pushing 288 readings to eu.skylark.kelbrook.example"),
    ("red", "ERR_5032 clock skew 1847 s exceeds limit 300 s"),
    ("yellow", "hint: kbctl time sync (UDP 123, time.kelbrook.example)"),
]
DIALOG_TITLE = "Skylark   Alarms / Edit rule"
DIALOG_ERROR = "ERR_4032  You need the right device.write to save"
DIALOG = [
    "Rule        Night door, chill room 4",
    "If          door open longer than 4 minutes",
    "and         temperature above 8.0 °C",
    "Delay       10 minutes",
    "Notify      Night desk, then Site manager",
]
DISPLAY = [
    "云雀 设备详情",
    "设备：KB-3120-CN470",
    "序列号：3120-2551-0386",
    "故障码：E-71",
    "电池电量 8%，请更换电池组",
    "固件：v2.32.0",
]
PLAN_TITLE = "Chill room 4, 640 square metres, plan CR-4 rev C"
PLAN_GATEWAY = "KB-3102\n1.8 m high"
PLAN_DOOR = "Door, KB-3210"

PICTURE_WORDS: dict[str, list[str]] = {
    "upload-refused.png": [line for _, line in TERMINAL],
    "rule-not-saved.png": [DIALOG_TITLE, DIALOG_ERROR, *DIALOG],
    "logger-battery-zh.png": DISPLAY,
    "chill-room-plan.jpg": [PLAN_TITLE, "Fan", PLAN_DOOR, PLAN_GATEWAY, "P1", "P2", "P3", "P4", "P5"],
}
