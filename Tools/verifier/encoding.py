"""The encoding: deterministic CBOR, read strictly (SPEC.md, "Encoding").

The checks are made here, on the bytes; what passes them is read and written once more by cbor2,
which must give the same bytes. Maps stay lists of pairs, so that no key is lost and 1 is not true.
"""

import cbor2

DEPTH = 16


class Refused(Exception):
    """Bytes that are no item, the rule they break, and where."""

    def __init__(self, code, offset):
        super().__init__(f"{code} at byte {offset}")
        self.code = code
        self.offset = offset


class Map(tuple):
    """A map: its pairs, in the order of their keys' encodings."""

    def get(self, key, default=None):
        for own, value in self:
            if type(own) is type(key) and own == key:
                return value
        return default


def decode(data):
    """The one item that `data` is."""
    value, end = _item(data, 0, 0)
    if end != len(data):
        raise Refused("trailingBytes", end)
    if _again(data) != data:
        raise AssertionError(f"cbor2 writes {data.hex()} as {_again(data).hex()}")
    return value


def sequence(data):
    """The items of a CBOR sequence (RFC 8742), as many as there are."""
    items, at = [], 0
    while at < len(data):
        item, end = _item(data, at, 0)
        if _again(data[at:end]) != data[at:end]:
            raise AssertionError(f"cbor2 writes {data[at:end].hex()} otherwise")
        items.append(item)
        at = end
    return items


def head(data, at):
    """Major type, argument and the offset behind the head at `at`."""
    if at >= len(data):
        raise Refused("truncated", at)
    major, info = data[at] >> 5, data[at] & 0x1F
    if info in (28, 29, 30):
        raise Refused("reservedAdditionalInformation", at)
    if major == 7:
        return major, _simple(info, at), at + 1
    if major == 6:
        raise Refused("tag", at)
    if info == 31:
        number = major in (0, 1)
        raise Refused("reservedAdditionalInformation" if number else "indefiniteLength", at)
    if info < 24:
        return major, info, at + 1
    width = 1 << (info - 24)
    if at + 1 + width > len(data):
        raise Refused("truncated", at)
    argument = int.from_bytes(data[at + 1:at + 1 + width], "big")
    if argument < {1: 24, 2: 1 << 8, 4: 1 << 16, 8: 1 << 32}[width]:
        raise Refused("nonMinimal", at)
    return major, argument, at + 1 + width


def _simple(info, at):
    if info in (20, 21, 22):
        return {20: False, 21: True, 22: None}[info]
    if info in (25, 26, 27):
        raise Refused("floatingPoint", at)
    raise Refused("indefiniteLength" if info == 31 else "unsupportedSimple", at)


def _item(data, at, depth):
    major, argument, end = head(data, at)
    if major == 7:
        return argument, end
    if major == 0:
        return argument, end
    if major == 1:
        return -1 - argument, end
    if major in (2, 3):
        if argument > len(data) - end:
            raise Refused("truncated", at)
        content = data[end:end + argument]
        if major == 2:
            return content, end + argument
        try:
            return content.decode("utf-8", "strict"), end + argument
        except UnicodeDecodeError:
            raise Refused("invalidUTF8", at) from None
    if depth >= DEPTH:
        raise Refused("tooDeep", at)
    least = 1 if major == 4 else 2
    if argument > (len(data) - end) // least:
        raise Refused("truncated", at)
    return (_array if major == 4 else _map)(data, argument, end, depth + 1)


def _array(data, count, at, depth):
    items = []
    for _ in range(count):
        item, at = _item(data, at, depth)
        items.append(item)
    return items, at


def _map(data, count, at, depth):
    pairs = []
    last = None
    for _ in range(count):
        start = at
        key, at = _item(data, at, depth)
        encoded = data[start:at]
        if last is not None and encoded <= last:
            raise Refused("duplicateKey" if encoded == last else "unsorted", start)
        last = encoded
        value, at = _item(data, at, depth)
        pairs.append((key, value))
    return Map(pairs), at


def _again(data):
    """What cbor2 makes of the bytes, written as it writes by itself: shortest heads, own order."""
    return cbor2.dumps(cbor2.loads(data))


def encode(value):
    """The bytes of a value whose maps are given as dictionaries, keys ascending."""
    return cbor2.dumps(value)


def diagnostic(value):
    """Diagnostic notation, RFC 8949 section 8, on one line."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, bytes):
        return f"h'{value.hex()}'"
    if isinstance(value, str):
        return '"' + "".join(map(_character, value)) + '"'
    if isinstance(value, Map):
        return "{" + ", ".join(f"{diagnostic(k)}: {diagnostic(v)}" for k, v in value) + "}"
    return "[" + ", ".join(map(diagnostic, value)) + "]"


def _character(character):
    named = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    if character in named:
        return named[character]
    code = ord(character)
    steering = (code < 0x20 or 0x7F <= code <= 0x9F or code in (0x61C, 0x200E, 0x200F, 0xFEFF)
                or 0x2028 <= code <= 0x202E or 0x2066 <= code <= 0x2069)
    return f"\\u{code:04x}" if steering else character
