"""Identifiers, amounts, the clock and civil days (SPEC.md, sections of those names)."""

import datetime
import re

from .encoding import encode
from .merkle import blake

CLOCK_END = (1 << 63) - 1
EPOCH = datetime.date(1970, 1, 1).toordinal()
MOST = 10 ** 12
EXTENSIONS = ["jpg", "png", "webp", "heic"]
MEDIA_TYPES = ["image/jpeg", "image/png", "image/webp", "image/heic"]
MILLISECONDS_A_DAY = 86_400_000


def shared_stream(kind, key):
    return blake(b"larder stream" + encode([kind, key]), 16)


def fresh_stream(milliseconds, random):
    return (milliseconds % (1 << 48)).to_bytes(6, "big") + random[6:]


def derived_item(source, index):
    return blake(b"larder item" + encode([source, index]), 16)[:8]


def blob_path(address, media_type):
    return f"media/{address.hex()[:2]}/{address.hex()}.{EXTENSIONS[media_type]}"


def eaten(basis, serving, per, amount):
    """What an amount (value, unit) has of a nutrient; None where nothing can be said.

    Units are 0 mg, 1 µl, 2 milliservings; bases 0 per 100 g, 1 per 100 ml, 2 per serving.
    """
    value, unit = amount
    if unit == basis:
        numerator, denominator = value, 1000 if basis == 2 else 100_000
    elif basis == 2 and serving and serving[1] == unit:
        numerator, denominator = value, serving[0]
    elif unit == 2 and serving and serving[1] == basis:
        numerator, denominator = value * serving[0], 100_000_000
    else:
        return None
    result = (2 * per * numerator + denominator) // (2 * denominator)
    return result if result <= MOST else None


def next_reading(last, now):
    following = min(last + 1, CLOCK_END)
    if not 1_577_836_800_000 <= now < 4_102_444_800_000:
        return following
    return max(min(now << 16, CLOCK_END), following)


def date_text(number):
    return datetime.date.fromordinal(EPOCH + number).isoformat()


def day_number(text):
    """Days since 1970 of exactly YYYY-MM-DD, None for anything else."""
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        return None
    try:
        return datetime.date(*map(int, text.split("-"))).toordinal() - EPOCH
    except ValueError:
        return None


def weekday(number):
    return datetime.date.fromordinal(EPOCH + number).weekday()


def civil(milliseconds, offset):
    """The day and the minute on a clock `offset` seconds east of UTC, within the calendar."""
    local = milliseconds + offset * 1000
    day = local // MILLISECONDS_A_DAY
    return max(-719_162, min(2_932_896, day)), local % MILLISECONDS_A_DAY // 60_000


def rfc3339(milliseconds, offset):
    sign = -1 if offset < 0 else 1
    minutes = abs(offset) // 60
    local = milliseconds + sign * minutes * 60_000
    day = local // MILLISECONDS_A_DAY
    if not -719_162 <= day <= 2_932_896:
        return rfc3339(milliseconds, 0)
    rest = local % MILLISECONDS_A_DAY
    text = f"{date_text(day)}T{rest // 3_600_000:02}:{rest // 60_000 % 60:02}"
    text += f":{rest // 1000 % 60:02}"
    if rest % 1000:
        text += f".{rest % 1000:03}"
    if minutes == 0:
        return text + "Z"
    return text + ("-" if offset < 0 else "+") + f"{minutes // 60:02}:{minutes % 60:02}"
