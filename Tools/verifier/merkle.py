"""Salts, leaves, and trees of RFC 6962's shape over BLAKE2b-256 (SPEC.md, "The log's tree").

The proofs are checked by walking down from the root with recursion on sizes, as RFC 6962 defines
the tree, not by the bitwise walk upwards that RFC 9162 prints.
"""

import hashlib

LARGEST = 1 << 62


def blake(data, size, key=b""):
    return hashlib.blake2b(data, digest_size=size, key=key).digest()


def salt(seed, index):
    group = blake((index // 4).to_bytes(8, "big"), 64, seed)
    return group[16 * (index % 4):16 * (index % 4) + 16]


def commitment(salt_bytes, payload):
    return blake(salt_bytes + payload, 32)


def leaf(header, commitment_bytes):
    return blake(b"\x00" + header + commitment_bytes, 32)


def node(left, right):
    return blake(b"\x01" + left + right, 32)


def split(size):
    """How many leaves are left of the root: the largest power of two below `size`."""
    return 1 << (size - 1).bit_length() - 1


def root(leaves):
    if not leaves:
        return blake(b"", 32)
    if len(leaves) == 1:
        return leaves[0]
    middle = split(len(leaves))
    return node(root(leaves[:middle]), root(leaves[middle:]))


def includes(leaf_hash, index, size, root_hash, path):
    """Whether the leaf stands at the index of the tree of that size and root."""
    if not 0 <= index < size <= LARGEST:
        return False
    rest = list(path)

    def up(index, size):
        if size == 1:
            return leaf_hash
        if not rest:
            return None
        middle = split(size)
        sibling = rest.pop()
        if index < middle:
            below = up(index, middle)
            return below and node(below, sibling)
        below = up(index - middle, size - middle)
        return below and node(sibling, below)

    return up(index, size) == root_hash and not rest


def extends(earlier, earlier_root, later, later_root, path):
    """Whether the tree of `later` leaves begins with that of `earlier` leaves."""
    if not 0 <= earlier <= later <= LARGEST:
        return False
    if earlier == 0:
        empty = root([])
        return not path and earlier_root == empty and (later > 0 or later_root == empty)
    if earlier == later:
        return not path and earlier_root == later_root
    rest = list(path)

    def both(earlier, later, is_whole):
        """The roots of the first `earlier` and of all `later` leaves of a subtree."""
        if earlier == later:
            if is_whole:
                return earlier_root, earlier_root
            known = rest.pop() if rest else None
            return (known, known) if known else None
        if not rest:
            return None
        middle = split(later)
        sibling = rest.pop()
        if earlier <= middle:
            inner = both(earlier, middle, is_whole)
            return inner and (inner[0], node(inner[1], sibling))
        inner = both(earlier - middle, later - middle, False)
        return inner and (node(sibling, inner[0]), node(sibling, inner[1]))

    return both(earlier, later, True) == (earlier_root, later_root) and not rest
