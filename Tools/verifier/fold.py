"""The meal fold (SPEC.md, "The meal fold"): a stream's events in, rows and their digest out."""

import json
import re

from .encoding import encode
from .merkle import blake
from .schema import Invalid
from .values import blob_path, civil, date_text, derived_item, eaten

ALIVE, KEEP, DELETE = range(3)
MEAL_KINDS = {
    "MealCaptured", "MealChanged", "MealDeleted", "MealRestored", "ItemAdded", "ItemChanged",
    "ItemRemoved", "ItemRevalued", "PhotoAttached", "PhotoDetached", "PhotoReduced",
    "PreviewReplaced", "Reanalysed", "ProposalAccepted",
}
CRITICAL = 1
# Names of what payloads give as numbers.
SOURCES = ("aiPhoto", "aiVoice", "aiText", "barcode", "manual", "template")
UNITS = ("mg", "ul", "mserving")
BASES = ("100g", "100ml", "serving")
ORIGINS = ("catalog", "label", "user", "ai")


class Event:
    """An event as it is stored: its place, the header's values, the payload's bytes or None."""

    def __init__(self, author, seq, header, payload, leaf):
        self.author, self.seq, self.leaf, self.payload = author, seq, leaf, payload
        _, self.hlc, _, self.stream, self.kind, self.version, self.flags = header

    @property
    def place(self):
        return (self.hlc, self.author, self.seq, self.leaf)


class Item:
    """What is known of an item: facts once it is added, until then the steps that wait for it."""

    def __init__(self):
        self.is_added = self.is_removed = False
        self.waiting = []
        self.pins = set()


class Meal:
    """What is known of a meal while its events are walked."""

    def __init__(self, schema, nutrients):
        self.schema, self.nutrients = schema, nutrients
        self.life = ALIVE
        self.capture = None
        self.changes = {}
        self.items = {}
        self.made = 0
        self.photos = []
        self.proposals = {}
        self.set_aside = []
        self.is_closed = False

    def walk(self, events):
        """Every event once, in the total order; of two copies the erased one counts."""
        chosen = {}
        for event in events:
            known = chosen.get(event.place)
            if known is None or event.payload is None:
                chosen[event.place] = event
        for _, event in sorted(chosen.items()):
            if event.payload is None:
                continue
            if event.kind not in self.schema.kinds or event.version != 1:
                self.is_closed |= bool(event.flags & CRITICAL)
            elif event.kind in MEAL_KINDS:
                try:
                    payload = self.schema.payload(event.kind, event.payload)
                except Invalid as invalid:
                    self.set_aside.append((f"{event.author.hex()}:{event.seq}", invalid.code))
                else:
                    getattr(self, event.kind)(dict(payload))
        return self

    def occasion(self):
        """Fields 0 to 4 of the entry, None before there is a capture."""
        if self.capture is None:
            return None
        return {n: self.changes.get(n, self.capture[n]) for n in range(5)}

    # The life of a meal.

    def MealCaptured(self, fields):
        if self.capture is None:
            self.capture = fields

    def MealChanged(self, fields):
        self.changes.update((n, value) for n, value in fields.items() if n != 23)

    def MealDeleted(self, fields):
        keeps = fields[0] == 0
        if keeps and self.life == ALIVE and self.capture:
            for item in self.items.values():
                if item.is_added:
                    item.occasion = self.occasion()
        self.life = max(self.life, KEEP if keeps else DELETE)

    def MealRestored(self, _):
        self.life = ALIVE

    # Items.

    def item(self, name):
        return self.items.setdefault(name, Item())

    def ItemAdded(self, fields):
        self.add(fields[5], {n: fields[n] for n in range(5)}, fields, fields.get(17),
                 fields.get(23))

    def add(self, name, occasion, line, note, by):
        item = self.item(name)
        if item.is_added:
            return
        item.is_added = True
        item.position, self.made = self.made, self.made + 1
        item.occasion, item.note, item.by = occasion, note, by
        item.line = {n: line[n] for n in range(6, 17) if n in line}
        waiting, item.waiting = item.waiting, []
        for step, fields in waiting:
            step(item, fields)

    def step(self, name, step, fields):
        """Takes a step now, or once its item is there."""
        item = self.item(name)
        if item.is_added:
            step(item, fields)
        else:
            item.waiting.append((step, fields))

    def ItemRemoved(self, fields):
        self.item(fields[5]).is_removed = True

    def ItemChanged(self, fields):
        self.step(fields[5], self.change, fields)

    def ItemRevalued(self, fields):
        self.step(fields[5], self.revalue, fields)

    @staticmethod
    def change(item, fields):
        item.occasion = {**item.occasion, **{n: v for n, v in fields.items() if n <= 4}}
        if 6 in fields:
            item.line[6] = fields[6]
            item.pins.add("name")
        if 7 in fields:
            Meal.put(item.line, (7, 8, 16), fields)
            item.pins.add("quantity")
        if 9 in fields:
            Meal.put(item.line, (9, 10, 11, 12), fields)
        for n in (13, 14):
            if n in fields:
                item.line[n] = fields[n]
        if item.line.get(13, 0) is None:
            del item.line[13]
        if {9, 13, 14} & fields.keys():
            item.line.pop(15, None)
            item.pins.add("numbers")
        if 17 in fields:
            item.note = fields[17]

    @staticmethod
    def revalue(item, fields):
        Meal.put(item.line, (9, 10, 11, 12, 14), fields)
        item.line.pop(15, None)
        if 13 in fields:
            item.line[13] = fields[13]
        item.pins.add("numbers")

    @staticmethod
    def put(line, numbers, fields):
        """Replaces fields as one: those that are not given are gone."""
        for n in numbers:
            if n in fields:
                line[n] = fields[n]
            else:
                line.pop(n, None)

    # Proposals.

    def Reanalysed(self, fields):
        self.proposals.setdefault(fields[0], [dict(line) for line in fields[5]])

    def ProposalAccepted(self, fields):
        lines = self.proposals.get(fields[0])
        if lines is None:
            return
        for index in fields[1]:
            if index >= len(lines):
                continue
            line = lines[index]
            if 5 in line:
                self.step(line[5], self.accept, line)
                continue
            made = [item for item in self.items.values() if item.is_added]
            occasion = self.occasion()
            if occasion is None and made:
                occasion = min(made, key=lambda item: item.position).occasion
            if occasion is not None:
                self.add(derived_item(fields[0], index), occasion, line, None, fields.get(23))

    @staticmethod
    def accept(item, line):
        for pin, numbers in (("name", (6,)), ("quantity", (7, 8, 16)),
                             ("numbers", (9, 10, 11, 12, 13, 14, 15))):
            if pin not in item.pins:
                Meal.put(item.line, numbers, line)

    # Photos: [address, [picture, preview or None, whether it was given up]].

    def photo(self, address):
        return next((photo for photo in self.photos if photo[0][0] == address), None)

    def PhotoAttached(self, fields):
        known = self.photo(fields[0][0])
        if known is None:
            self.photos.append([fields[0], fields.get(1), False])
        else:
            known[2] = False
            known[1] = known[1] or fields.get(1)

    def PhotoDetached(self, fields):
        self.photos = [photo for photo in self.photos if photo[0][0] != fields[0]]

    def PhotoReduced(self, fields):
        photo = self.photo(fields[0])
        if photo:
            photo[2] = photo[1] is not None

    def PreviewReplaced(self, fields):
        photo = self.photo(fields[0])
        if photo:
            photo[1] = fields[1]

    # Rows.

    def rows(self, stream):
        """[entry or null, [log, …]], and the digest of the tables' rows."""
        entry = self.entry(stream) if self.life == ALIVE and self.capture else None
        shown = [] if self.life == DELETE else sorted(
            ((item.position, name, item) for name, item in self.items.items()
             if item.is_added and not item.is_removed))
        logs = [self.log(stream, name, item, entry) for _, name, item in shown]
        rows = [entry, logs]
        table = [self.entry_row(entry)] if entry else []
        table += [self.log_row(log) for log in sorted(logs, key=lambda log: log[1])]
        digest = blake(b"".join(encode(row) for row in table), 16) if table else bytes(16)
        return rows, digest

    # Rows of the tables, as the digest hashes them: the table's place, then every column.

    @staticmethod
    def entry_row(entry):
        (stream, at, zone, offset, day, slot, title, source, path, thumb, voice, meta, note, tags,
         copied_from, capture_id, by) = entry
        return [0, stream.hex(), at, slot, title, SOURCES[source], path, thumb, voice, meta,
                date_text(day), civil(at, offset)[1], zone, offset, note,
                json_texts(tags) if tags else None, copied_from and copied_from.hex(), capture_id,
                by]

    def log_row(self, log):
        stream, item, has_entry, position, at, zone, offset, day, slot, line, note, by, sums = log
        product = line.get(13) or {}
        serving = line.get(11)
        return [1, stream.hex() + item.hex(), stream.hex() if has_entry else None, at, slot,
                line[6], line[7], UNITS[line[8]], product.get(1), date_text(day),
                civil(at, offset)[1], zone, offset, position, BASES[line[9]], line.get(10),
                None if serving is None else UNITS[serving], product.get(0), product.get(2),
                product.get(3), ORIGINS[line[14]], line.get(15), line.get(16), note, by,
                *(sums.get(number) for number in sorted(self.nutrients))]

    def entry(self, stream):
        def now(n):
            return self.changes.get(n, self.capture.get(n))

        cover = self.photo(self.changes.get(13)) or (self.photos[0] if self.photos else None)
        path = thumb = None
        if cover:
            picture, preview, is_reduced = cover
            path = self.path(preview if is_reduced and preview else picture)
            thumb = self.path(preview) if preview else None
        return [stream, *self.occasion().values(), now(6), self.capture[5], path, thumb, now(7),
                now(8), now(10), now(11) or [], self.capture.get(12), self.capture.get(9),
                self.capture.get(23)]

    @staticmethod
    def path(image):
        return blob_path(image[0], image[4])

    def log(self, stream, name, item, entry):
        line = item.line
        serving = (line[10], line[11]) if 10 in line else None
        sums = {}
        for number, per in line[12]:
            amount = eaten(line[9], serving, per, (line[7], line[8]))
            if number in self.nutrients and amount is not None:
                sums[number] = amount
        occasion = self.occasion() if entry else item.occasion
        return [stream, name, entry is not None, item.position,
                *(occasion[n] for n in range(5)), plain(line), item.note, item.by, sums]


def json_texts(texts):
    """A JSON array of texts, with every control character and line separator escaped."""
    def quoted(text):
        inner = json.dumps(text, ensure_ascii=False)
        return re.sub("[\x7f-\x9f\u2028\u2029]", lambda c: f"\\u{ord(c[0]):04x}", inner)
    return "[" + ",".join(quoted(text) for text in texts) + "]"


def plain(value):
    """Maps as dictionaries, as the encoder takes them, keys ascending."""
    if isinstance(value, dict):
        return {n: plain(value[n]) for n in sorted(value)}
    if isinstance(value, tuple):
        return {n: plain(part) for n, part in value}
    return value
