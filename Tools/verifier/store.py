"""Checks the log of a store: every leaf, block, tree, edge and index entry (SPEC.md, "Verifying").

Reads larder.sqlite through SQLite alone, changes nothing, and knows of the tables only what SPEC.md
says. Rows of the diary are not folded here.
"""

import os
import sqlite3
import urllib.parse

from . import log, merkle
from .encoding import encode
from .schema import Invalid

BLOCK = log.BLOCK_EVENTS
EMPTY = merkle.root([])


class Range:
    """The full subtrees of the leaves from `begin` on, leftmost first (a compact range)."""

    def __init__(self, begin=0):
        self.begin = self.end = begin
        self.nodes = []  # (level, hash)

    def copy(self):
        other = Range(self.begin)
        other.end, other.nodes = self.end, list(self.nodes)
        return other

    def append(self, value, level=0):
        index = self.end >> level
        self.end += 1 << level
        while index & 1 and (index - 1) << level >= self.begin and self.nodes:
            value = merkle.node(self.nodes.pop()[1], value)
            index >>= 1
            level += 1
        self.nodes.append((level, value))

    def root(self):
        if not self.nodes:
            return EMPTY
        value = self.nodes[-1][1]
        for _, left in reversed(self.nodes[:-1]):
            value = merkle.node(left, value)
        return value

    def frontier(self):
        return b"".join(value for _, value in self.nodes)


def node_count(begin, end):
    count = 0
    while begin < end:
        level = (end - begin).bit_length() - 1
        if begin:
            level = min(level, (begin & -begin).bit_length() - 1)
        begin += 1 << level
        count += 1
    return count


def is_seq(number):
    return isinstance(number, int) and 0 <= number <= merkle.LARGEST


def is_event_seq(number):
    return is_seq(number) and number < merkle.LARGEST


def is_possible(edge):
    """Whether an edge has 1 to 512 events, all in one block."""
    first, count = edge[:2]
    return is_seq(first) and first < merkle.LARGEST and 1 <= count <= BLOCK \
        and first // BLOCK == (first + count - 1) // BLOCK


class Check:
    """One pass over a store; `findings` are pairs of a code and a place."""

    def __init__(self, connection, schema, views):
        self.connection, self.schema, self.views = connection, schema, views
        self.findings = []
        self.events = self.blocks = self.edges = 0
        self.index = set()
        self.keys = {
            author: key for author, key in
            connection.execute("SELECT author, publicKey FROM _authors")
            if len(key) == 32 and merkle.blake(key, 16) == author}
        self.own = {row[0] for row in connection.execute("SELECT author FROM _incarnations")}

    def note(self, code, place):
        self.findings.append((code, place))

    def run(self):
        chains = []
        rows = self.connection.execute(
            "SELECT id, author, parent, start, startRoot, size, root, frontier, isAttached "
            "FROM _chains ORDER BY author, start, id")
        for row in rows:
            begin = 0 if row[8] else row[3]
            is_start = row[3] == 0 if row[2] is None else True
            if row[8] not in (0, 1) or bool(row[8]) != is_start \
                    or not is_seq(row[3]) or not is_seq(row[5]) or row[3] > row[5] \
                    or len(row[7]) != 32 * node_count(begin, row[5]):
                self.note("chainUnreadable", f"{row[1].hex()}:{row[5]}")
                continue
            chains.append(row)
        prefixes = {}
        for row in chains:
            branches = {}
            for other in chains:
                if other[2] == row[0]:
                    branches.setdefault(other[3], []).append(other[0])
            Chain(self, row, prefixes, branches).run()
        self.note_strays()
        found = set(self.connection.execute("SELECT stream, chain, block FROM _streams"))
        if found != self.index:
            self.note("streamIndexMismatch",
                      f"{len(found)} entries, {len(self.index)} belong to blocks")

    def note_strays(self):
        """What belongs to a chain or to an author that has no row."""
        tables = ("_blocks", "_edges", "_seeds", "_tail")
        union = " UNION ".join(f"SELECT chain FROM {table}" for table in tables)
        for (chain,) in self.connection.execute(
                f"SELECT chain FROM ({union}) WHERE chain NOT IN (SELECT id FROM _chains) "
                "ORDER BY chain"):
            self.note("chainMissing", f"chain {chain}")
        for author, block in self.connection.execute(
                "SELECT c.author, s.block FROM _seeds s JOIN _chains c ON c.id = s.chain "
                "WHERE s.block < c.start / 512 OR s.block > (c.size - 1) / 512 "
                "OR c.size = c.start OR (s.seed IS NULL) = (s.salts IS NULL) ORDER BY 1, 2"):
            self.note("seedStray", f"{author.hex()}, block {block}")
        for (author,) in self.connection.execute(
                "SELECT author FROM _incarnations UNION SELECT author FROM _authors "
                "UNION SELECT author FROM _device ORDER BY 1"):
            if author not in self.keys:
                self.note("missingKey", author.hex())
        for (author,) in self.connection.execute("SELECT author FROM _device"):
            if author not in self.own:
                self.note("incarnationMissing", author.hex())
        for kind, name, sql in self.connection.execute(
                "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('trigger', 'view')"):
            if kind != "view" or self.views.get(name) != sql:
                self.note("schemaChanged", f"{kind} {name}")
        names = {name for (name,) in self.connection.execute("SELECT name FROM sqlite_schema")}
        if {"MealEntries", "NutritionLogs", "DayStarts"} <= names:
            for name in sorted(set(self.views) - names):
                self.note("viewMissing", name)


class Chain:
    """One chain while its events go by."""

    def __init__(self, check, row, prefixes, branches):
        self.check, self.prefixes, self.branches = check, prefixes, branches
        (self.id, author, self.parent, self.start, self.start_root, self.size, self.stated_root,
         self.stated_frontier, self.attached) = row
        self.raw_author, self.author = author, author.hex()
        self.range = prefixes.get(self.id, Range()) if self.attached else Range(self.start)
        self.range = self.range.copy()
        self.broken = False
        self.leaves, self.leaves_start = [], self.start
        self.edges = self.check.connection.execute(
            "SELECT first, count, rootBefore, rootAfter, leavesRoot, signature FROM _edges "
            "WHERE chain = ? ORDER BY first, count", (self.id,)).fetchall()
        self.compared = 0
        self.roots = {}
        possible = [edge for edge in self.edges if is_possible(edge)]
        self.wanted = {edge[0] for edge in possible} | {edge[0] + edge[1] for edge in possible}

    def place(self, first, end):
        return f"{self.author}:{first}" if end - first == 1 else f"{self.author}:{first}-{end - 1}"

    def note(self, code, first, end):
        self.check.note(code, self.place(first, end))

    def note_runs(self, code, seqs):
        seqs = sorted(seqs)
        while seqs:
            end = 1
            while end < len(seqs) and seqs[end] == seqs[end - 1] + 1:
                end += 1
            self.note(code, seqs[0], seqs[end - 1] + 1)
            seqs = seqs[end:]

    def note_root(self):
        if self.broken:
            return
        if self.attached and self.range.end in self.wanted:
            self.roots[self.range.end] = self.range.root()
        for branch in self.branches.get(self.range.end, ()):
            self.prefixes.setdefault(branch, self.range.copy())

    def run(self):
        if self.raw_author not in self.check.keys:
            self.check.note("missingKey", f"{self.author}:{self.start}")
        if self.attached and (self.range.end != self.start
                              or self.range.root() != self.start_root):
            self.check.note("branchMismatch", f"{self.author}:{self.start}")
            self.range, self.broken = Range(self.start), True
        self.note_root()
        seeds = {row[0]: row[1:] for row in self.check.connection.execute(
            "SELECT block, seed, salts FROM _seeds WHERE chain = ?", (self.id,))}
        try:
            for row in self.check.connection.execute(
                    "SELECT block, first, count, root, marks, byteCount, data FROM _blocks "
                    "WHERE chain = ? ORDER BY block", (self.id,)):
                if not is_seq(row[0]) or not is_event_seq(row[1]) or row[1] // BLOCK != row[0]:
                    raise Invalid("corrupt")
                self.skip(row[1])
                self.take_block(row, seeds)
            self.take_tail(seeds)
        except Invalid:
            self.check.note("rowUnreadable", f"{self.author}:{self.range.end}")
            self.broken = True
        self.finish()

    def skip(self, seq):
        if seq == self.range.end:
            return
        if seq > self.range.end:
            self.note("missingEvent", self.range.end, seq)
        else:
            self.check.note("repeatedEvent", f"{self.author}:{seq}")
        self.finish_leaves()
        self.range, self.leaves_start, self.broken = Range(seq), seq, True

    def salt(self, seeds, seq):
        seed, salts = seeds.get(seq // BLOCK, (None, b""))
        index = seq % BLOCK
        if salts is None and seed is None or seed is not None and len(seed) != 32:
            raise Invalid("corrupt")
        if seed is not None:
            return merkle.salt(seed, index)
        salt = (salts or b"")[16 * index:16 * index + 16]
        return salt if any(salt) else None

    def leaf(self, header, payload, commitment, salt):
        if commitment is None:
            if salt is None:
                return bytes(32)
            commitment = merkle.commitment(salt, payload or b"")
        return merkle.leaf(header, commitment)

    def take_block(self, row, seeds):
        block, first, count, root, marks, byte_count, data = row
        try:
            events = log.sequence(log.unpack(data, byte_count), count, self.check.schema)
            streams = {self.check.schema.header(header)[3] for header, _, _ in events}
            self.salt(seeds, first)
        except Invalid:
            self.skip_unreadable(count, root)
            return
        self.finish_leaves()
        self.leaves_start = first
        self.check.blocks += 1
        self.check.index |= {(stream, self.id, block) for stream in streams}
        changed = []
        for index, (header, payload, commitment) in enumerate(events):
            leaf = self.leaf(header, payload, commitment, self.salt(seeds, first + index))
            if leaf[:4] != marks[4 * index:4 * index + 4]:
                changed.append(first + index)
            self.add(leaf)
        if len(marks) != 4 * count:
            self.note("marksMismatch", first, first + count)
        if block not in seeds:
            self.note("missingSeed", first, first + count)
        elif len(changed) == count > 1:
            self.note("seedMismatch", first, first + count)
        else:
            self.note_runs("eventChanged", changed)
            if not changed and merkle.root(self.leaves) != root:
                self.note("blockRootMismatch", first, first + count)

    def skip_unreadable(self, count, root):
        self.finish_leaves()
        boundary = (self.range.end // BLOCK + 1) * BLOCK
        end = min(self.range.end + min(max(count, 1), BLOCK), boundary)
        self.note("blockUnreadable", self.range.end, end)
        if count == BLOCK and self.range.end % BLOCK == 0:
            self.range.append(root, 9)
            self.note_root()
        else:
            self.range, self.broken = Range(end), True
        self.leaves_start = self.range.end

    def take_tail(self, seeds):
        changed = []
        for seq, stream, header, payload, commitment, stated in self.check.connection.execute(
                "SELECT seq, stream, header, payload, commitment, leaf FROM _tail "
                "WHERE chain = ? ORDER BY seq", (self.id,)):
            if not is_event_seq(seq):
                raise Invalid("corrupt")
            self.skip(seq)
            try:
                if self.check.schema.header(header)[3] != stream:
                    self.note("streamMismatch", seq, seq + 1)
            except Invalid:
                self.note("headerMalformed", seq, seq + 1)
            salt = self.salt(seeds, seq)
            leaf = self.leaf(header, payload, commitment, salt)
            if commitment is None and salt is None:
                self.note("missingSeed", seq, seq + 1)
            elif leaf != stated:
                changed.append(seq)
            self.add(leaf)
        self.note_runs("eventChanged", changed)

    def add(self, leaf):
        self.check.events += 1
        self.leaves.append(leaf)
        self.range.append(leaf)
        self.note_root()

    def finish_leaves(self):
        end = self.leaves_start + len(self.leaves)
        while self.compared < len(self.edges) and self.edges[self.compared][0] < end:
            self.take_edge(*self.edges[self.compared])
            self.compared += 1
        self.leaves = []
        self.leaves_start = end

    def finish(self):
        self.finish_leaves()
        if self.range.end < self.size:
            self.note("missingEvent", self.range.end, self.size)
        elif self.range.end > self.size:
            self.check.note(
                "chainSizeMismatch", f"{self.author}:{self.size}-{self.range.end - 1}")
        elif not self.broken:
            if self.attached and self.range.root() != self.stated_root:
                self.check.note("rootMismatch", f"{self.author}:{self.size}")
            elif self.range.frontier() != self.stated_frontier:
                self.check.note("frontierMismatch", f"{self.author}:{self.size}")
        self.note_unsigned()
        for edge in self.edges[self.compared:]:
            self.take_edge(*edge)

    def take_edge(self, first, count, before, after, leaves_root, signature):
        self.check.edges += 1
        if not is_possible((first, count)):
            self.check.note("edgeInvalid", f"{self.author}:{first}")
            return
        end = first + count
        key = self.check.keys.get(self.raw_author)
        if key is None:
            return
        message = encode(
            ["larder edge v1", self.raw_author, first, count, before, after, leaves_root])
        if not log.is_signed(key, message, signature):
            self.note("edgeInvalid", first, end)
            return
        if self.roots.get(first, before) != before or self.roots.get(end, after) != after \
                or self.leaves_root(first, end) not in (None, leaves_root):
            self.note("edgeMismatch", first, end)

    def note_unsigned(self):
        """What came from others came signed."""
        if self.raw_author in self.check.own:
            return
        covered = self.start
        for first, count in (edge[:2] for edge in self.edges if is_possible(edge)):
            if first > covered:
                self.note("edgeMissing", covered, first)
            covered = max(covered, first + count)
        if covered < self.size:
            self.note("edgeMissing", covered, self.size)

    def leaves_root(self, first, end):
        """The root of leaves that are at hand; None if they are not."""
        start = first - self.leaves_start
        if start < 0 or end > self.leaves_start + len(self.leaves):
            return None
        return merkle.root(self.leaves[start:end - self.leaves_start])


def read_views(path):
    """The SQL of the views, by name."""
    with open(path, encoding="utf-8") as file:
        texts = file.read().split(";\n")[:-1]
    return {text.split()[2].strip('"'): text for text in texts}


def run(folder, schema, views):
    """Checks the store in `folder`. Exits 0 if it is sound, 3 if not, 4 if there is none."""
    path = os.path.join(folder, "larder.sqlite")
    if not os.path.exists(path):
        print(f"error: there is no store in {folder}")
        return 4
    connection = sqlite3.connect(
        f"file:{urllib.parse.quote(path)}?mode=ro", uri=True, isolation_level=None)
    connection.execute("BEGIN")
    identity = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if identity != 0x4C617264 or version not in (1, 2):
        print(f"error: {path} is no store of this version")
        return 6
    try:
        check = Check(connection, schema, read_views(views))
        check.run()
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError,
            sqlite3.Error) as fault:
        # Rows of kinds no table of ours takes: somebody has changed the tables.
        print(f"databaseDamaged: {fault}")
        return 3
    for code, place in check.findings:
        print(f"{code}: {place}")
    print(f"{check.events} events in {check.blocks} blocks and the tail, {check.edges} edges: "
          + ("all sound" if not check.findings else f"{len(check.findings)} findings"))
    return 3 if check.findings else 0
