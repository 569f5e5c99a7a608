"""Event sequences, packed blocks and batches (SPEC.md, sections 5.4 to 5.7)."""

import cbor2
import lz4.block
import nacl.exceptions
import nacl.signing

from . import merkle
from .encoding import Refused, decode


class Faulty(Exception):
    """Bytes that are refused, and as what."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


def _item(data, at):
    """The deterministic item at an offset, and where it ends."""
    for end in range(at + 1, len(data) + 1):
        # An item is as long as its head says; only the shortest that decodes is one.
        try:
            return decode(data[at:end]), end
        except Refused:
            continue
    raise Faulty("malformed")


def _string(data, at):
    """A byte string by its head, so that a long one costs no search."""
    if at >= len(data):
        raise Faulty("malformed")
    head = data[at]
    if head >> 5 != 2:
        return _item(data, at)
    low = head & 31
    if low < 24:
        start, size = at + 1, low
    elif low in (24, 25, 26):
        width = 1 << low - 24
        start, size = at + 1 + width, int.from_bytes(data[at + 1:at + 1 + width], "big")
        if size < (24, 1 << 8, 1 << 16)[low - 24]:
            raise Faulty("malformed")
    else:
        raise Faulty("malformed")
    if start + size > len(data):
        raise Faulty("malformed")
    return data[start:start + size], start + size


def sequence(data, count):
    """The events: header, payload or None, commitment or None."""
    if not 1 <= count <= 512:
        raise Faulty("outOfRange")
    events, at = [], 0
    for _ in range(count):
        header, at = _string(data, at)
        if not isinstance(header, bytes):
            raise Faulty("malformed")
        if len(header) > 256:
            raise Faulty("limitExceeded")
        body, at = _string(data, at)
        if isinstance(body, bytes):
            if len(body) > 16384:
                raise Faulty("limitExceeded")
            events.append((header, body, None))
        elif isinstance(body, list) and len(body) == 1 and isinstance(body[0], bytes) \
                and len(body[0]) == 32:
            events.append((header, None, body[0]))
        else:
            raise Faulty("malformed")
    if at != len(data):
        raise Faulty("malformed")
    return events


def unpack(data, byte_count):
    try:
        plain = lz4.block.decompress(data, uncompressed_size=byte_count)
    except lz4.block.LZ4BlockError as fault:
        raise Faulty("corrupt") from fault
    if len(plain) != byte_count:
        raise Faulty("corrupt")
    return plain


def batch(data, header):
    """What a batch says if it holds; `header` reads a header or refuses it."""
    try:
        value = decode(data)
    except Refused as fault:
        raise Faulty("malformed") from fault
    if not isinstance(value, list) or not value or not isinstance(value[0], int):
        raise Faulty("malformed")
    if value[0] != 1:
        raise Faulty("unsupportedVersion")
    if len(value) != 5 or not isinstance(value[2], list) or len(value[2]) != 7:
        raise Faulty("malformed")
    _, key, signed, salts, events = value
    author, first, count, before, after, leaves_root, signature = signed
    if not 1 <= count <= 512 or first // 512 != (first + count - 1) // 512 or first >= 1 << 62 \
            or len(signature) != 64:
        raise Faulty("outOfRange")
    message = cbor2.dumps(["larder edge v1", *signed[:6]])
    if merkle.blake(key, 16) != author:
        raise Faulty("outOfRange")
    try:
        nacl.signing.VerifyKey(key).verify(message, signature)
    except nacl.exceptions.BadSignatureError as fault:
        raise Faulty("outOfRange") from fault
    leaves = []
    for index, (head, payload, commitment) in enumerate(sequence(events, count)):
        header(head)
        if commitment is None:
            salt = merkle.salt(salts, first % 512 + index) if isinstance(salts, bytes) \
                else salts[index]
            if salt is None:
                raise Faulty("outOfRange")
            commitment = merkle.commitment(salt, payload)
        leaves.append(merkle.leaf(head, commitment))
    if merkle.root(leaves) != leaves_root:
        raise Faulty("outOfRange")
    return {"author": author.hex(), "first": str(first), "signed": message.hex(),
            "leaves": [leaf.hex() for leaf in leaves]}
