"""Head records, machines and key files (SPEC.md, "The head record", STORE-3).

The public half of an Ed25519 key is computed as RFC 8032 section 5.1.5 says, with plain integers.
"""

import hashlib

from .merkle import blake

SLOT = 1024
CHECKED = SLOT - 16
PATH_LIMIT = 700
KEYS = 64


class Unusable(Exception):
    """A file that is refused, and as what."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


def newest(data, author):
    """The newest record of the author in a file; None if there never was one."""
    if not data:
        return None
    found = None
    for index in (0, 1):
        slot = data[SLOT * index:SLOT * (index + 1)]
        record = _record(slot, author) if len(slot) == SLOT else None
        if record and (not found or record["counter"] > found["counter"]):
            found = dict(record, slot=index)
    if not found:
        raise Unusable("corrupt")
    return found


def _record(slot, author):
    if slot[CHECKED:] != blake(slot[:CHECKED], 16) or slot[:8] != b"LRDRHEAD":
        return None
    version, counter = _number(slot, 8), _number(slot, 16)
    if version != 1:
        raise Unusable("unsupportedVersion")
    size, length = _number(slot, 40), _number(slot, 128)
    if not 1 <= counter < 1 << 63 or slot[24:40] != author or size > 1 << 62:
        return None
    if length > PATH_LIMIT or any(slot[136 + length:CHECKED]):
        return None
    try:
        path = slot[136:136 + length].decode("utf-8", "strict")
    except UnicodeDecodeError:
        return None
    return {
        "counter": counter, "size": size, "root": slot[48:80], "machine": slot[80:96],
        "inode": _number(slot, 96), "birthNanoseconds": _number(slot, 104),
        "pathHash": slot[112:128], "path": path}


def _number(slot, at):
    return int.from_bytes(slot[at:at + 8], "big")


def kept(path):
    """As much of a path as a record keeps: whole characters."""
    return path.encode()[:PATH_LIMIT].decode("utf-8", "ignore")


def machine(case):
    if "id" in case:
        return blake(b"larder machine id" + case["id"].encode(), 16)
    return blake(b"larder machine name" + case["name"].encode(), 16)


def authors(data):
    """The authors of the keys in a key file, oldest first."""
    checked = data[:-16]
    if len(data) < 24 or data[-16:] != blake(checked, 16) or checked[:7] != b"LRDRKEY":
        raise Unusable("corrupt")
    if checked[7] != 1:
        raise Unusable("unsupportedVersion")
    seeds = [checked[at:at + 32] for at in range(8, len(checked), 32)]
    if not 1 <= len(seeds) <= KEYS or len(seeds[-1]) != 32 or len(set(seeds)) != len(seeds):
        raise Unusable("corrupt")
    return [blake(public_key(seed), 16) for seed in seeds]


PRIME = 2 ** 255 - 19
CURVE = -121665 * pow(121666, -1, PRIME) % PRIME


def _base():
    """The base point: y is 4/5, and x is even."""
    y = 4 * pow(5, -1, PRIME) % PRIME
    square = (y * y - 1) * pow(CURVE * y * y + 1, -1, PRIME) % PRIME
    x = pow(square, (PRIME + 3) // 8, PRIME)
    if x * x % PRIME != square:
        x = x * pow(2, (PRIME - 1) // 4, PRIME) % PRIME
    return (x if x % 2 == 0 else PRIME - x, y)


def _sum(left, right):
    """The sum of two points of the twisted Edwards curve, each (X, Y, Z) for (X/Z, Y/Z)."""
    (a, b, c), (d, e, f) = left, right
    z = c * f % PRIME
    cross = CURVE * a * d % PRIME * b * e % PRIME
    square = z * z % PRIME
    less, more = square - cross, square + cross
    x = z * less % PRIME * (a * e + b * d) % PRIME
    y = z * more % PRIME * (b * e + a * d) % PRIME
    return x, y, less * more % PRIME


def public_key(seed):
    """The 32 bytes of the public half of an Ed25519 key."""
    scalar = int.from_bytes(hashlib.sha512(seed).digest()[:32], "little")
    scalar = scalar & ~7 & (1 << 254) - 1 | 1 << 254
    result, power = (0, 1, 1), (*_base(), 1)
    while scalar:
        if scalar & 1:
            result = _sum(result, power)
        power = _sum(power, power)
        scalar >>= 1
    inverse = pow(result[2], -1, PRIME)
    x, y = result[0] * inverse % PRIME, result[1] * inverse % PRIME
    return (y | (x & 1) << 255).to_bytes(32, "little")
