"""Event sequences, packed blocks and batches (SPEC.md, sections 5.4 to 5.7)."""

import lz4.block
import nacl.exceptions
import nacl.signing

from . import merkle
from .encoding import Refused, decode, encode
from .encoding import sequence as items_of
from .schema import Invalid, check_format

BLOCK_EVENTS = 512
SEQUENCE_BYTES = BLOCK_EVENTS * (256 + 16384 + 8)
BATCH_BYTES = SEQUENCE_BYTES + 16384


def sequence(data, count, schema):
    """The events: header, payload or None, commitment or None."""
    if not 1 <= count <= BLOCK_EVENTS:
        raise Invalid("outOfRange")
    try:
        items = items_of(data)
    except Refused as refused:
        raise Invalid("malformed") from refused
    schema.check_log("event-sequence", items)
    if len(items) != 2 * count:
        raise Invalid("malformed")
    return [
        (header, body, None) if isinstance(body, bytes) else (header, None, body[0])
        for header, body in zip(items[0::2], items[1::2])]


def unpack(data, byte_count):
    if not 0 <= byte_count <= BATCH_BYTES:
        raise Invalid("corrupt")
    try:
        plain = lz4.block.decompress(data, uncompressed_size=byte_count)
    except lz4.block.LZ4BlockError as fault:
        raise Invalid("corrupt") from fault
    if len(plain) != byte_count:
        raise Invalid("corrupt")
    return plain


def batch(data, schema):
    """What a batch says, if it holds."""
    if len(data) > BATCH_BYTES:
        raise Invalid("limitExceeded")
    check_format(data)
    try:
        value = decode(data)
    except Refused as refused:
        raise Invalid("malformed") from refused
    schema.check_log("batch", value)
    _, key, signed, salts, events = value
    author, first, count, _, _, leaves_root, signature = signed
    if first // BLOCK_EVENTS != (first + count - 1) // BLOCK_EVENTS:
        raise Invalid("outOfRange")
    if isinstance(salts, list) and len(salts) != count:
        raise Invalid("malformed")
    statement = ["larder edge v1", *signed[:6]]
    schema.check_log("edge-statement", statement)
    message = encode(statement)
    if merkle.blake(key, 16) != author or not is_signed(key, message, signature):
        raise Invalid("outOfRange")
    found = sequence(events, count, schema)
    for header, _, _ in found:
        schema.header(header)
    leaves = leaves_of(found, salts, first)
    if merkle.root(leaves) != leaves_root:
        raise Invalid("outOfRange")
    return {"author": author.hex(), "first": str(first), "signed": message.hex(),
            "leaves": [leaf.hex() for leaf in leaves]}


def is_signed(key, message, signature):
    """Whether the key's owner signed the message."""
    try:
        nacl.signing.VerifyKey(key).verify(message, signature)
    except (nacl.exceptions.BadSignatureError, ValueError):
        return False
    return True


def leaves_of(events, salts, first):
    """The leaves: an erased event has no salt, and every other one has one."""
    leaves = []
    for index, (header, payload, commitment) in enumerate(events):
        salt = merkle.salt(salts, first % BLOCK_EVENTS + index) if isinstance(salts, bytes) \
            else salts[index]
        if (salt is None) != (payload is None) or salt == bytes(16):
            raise Invalid("outOfRange")
        if payload is not None:
            commitment = merkle.commitment(salt, payload)
        leaves.append(merkle.leaf(header, commitment))
    return leaves
