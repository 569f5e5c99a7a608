"""Reads every golden vector and holds it against this reader, area by area."""

import json
import os
import re

from . import device, log, merkle, values
from .encoding import Refused, decode, diagnostic, encode
from .fold import Event, Meal, plain
from .schema import Invalid, Schema

HEADER_FIELDS = ["format", "hlc", "recordedAt", "stream", "kind", "version", "flags"]
AREAS = [
    "amounts", "batch", "block", "cbor", "civil", "fold", "head", "header", "hlc", "identity",
    "key", "merkle", "payload", "sequence"]
UNITS = {"mg": 0, "ul": 1, "mserving": 2}
BASES = {"100g": 0, "100ml": 1, "serving": 2}


class Disagreement(Exception):
    """What a vector says and what this reader says."""


def expect(said, found, what):
    if said != found:
        raise Disagreement(f"{what}: the vector says {said!r}, this reader {found!r}")


def unhex(text):
    return bytes.fromhex(text)


class Reader:
    """Holds vectors against the schema."""

    def __init__(self, events, log_rules, spec):
        self.schema = Schema(events, log_rules)
        self.nutrients = nutrients(spec)

    def cbor(self, vector):
        data = unhex(vector["input"])
        try:
            value = decode(data)
        except Refused as refused:
            expect(vector.get("error"), refused.code, "error")
            expect(vector.get("offset"), refused.offset, "offset")
        else:
            expect(vector.get("diagnostic"), diagnostic(value), "diagnostic")

    def header(self, vector):
        try:
            value = self.schema.header(unhex(vector["input"]))
        except Invalid as invalid:
            expect(vector.get("error"), invalid.code, "error")
            return
        found = dict(zip(HEADER_FIELDS, value))
        found["hlc"], found["stream"] = str(found["hlc"]), found["stream"].hex()
        expect(vector.get("header"), found, "header")

    def payload(self, vector):
        expect(vector["version"], 1, "version")
        try:
            value = self.schema.payload(vector["kind"], unhex(vector["input"]))
        except Invalid as invalid:
            expect(vector.get("error"), invalid.code, "error")
        else:
            expect(vector.get("diagnostic"), diagnostic(value), "diagnostic")

    def identity(self, vector):
        for case in vector.get("shared", []):
            expect(case["stream"], values.shared_stream(case["class"], case["key"]).hex(), "stream")
        for case in vector.get("fresh", []):
            found = values.fresh_stream(int(case["milliseconds"]), unhex(case["random"]))
            expect(case["stream"], found.hex(), "stream")
        for case in vector.get("items", []):
            found = values.derived_item(unhex(case["source"]), case["index"])
            expect(case["item"], found.hex(), "item")
        for case in vector.get("authors", []):
            expect(case["author"], merkle.blake(unhex(case["publicKey"]), 16).hex(), "author")
        for case in vector.get("blobs", []):
            address = merkle.blake(unhex(case["bytes"]), 32)
            media = values.MEDIA_TYPES.index(case["mediaType"])
            expect(case["address"], address.hex(), "address")
            expect(case["path"], values.blob_path(address, media), "path")
        for case in vector.get("salts", []):
            found = merkle.salt(unhex(vector["seed"]), case["index"])
            expect(case["salt"], found.hex(), "salt")
        for case in vector.get("leaves", []):
            found = merkle.commitment(unhex(case["salt"]), unhex(case["payload"]))
            expect(case["commitment"], found.hex(), "commitment")
            expect(case["leaf"], merkle.leaf(unhex(case["header"]), found).hex(), "leaf")

    def head(self, vector):
        for case in vector.get("machines", []):
            expect(case["machine"], device.machine(case).hex(), "machine")
        for case in vector.get("paths", []):
            expect(case["kept"], device.kept(case["path"]), "kept")
            expect(case["hash"], merkle.blake(case["path"].encode(), 16).hex(), "hash")
        if "input" not in vector:
            return
        try:
            record = device.newest(unhex(vector["input"]), unhex(vector["author"]))
        except device.Unusable as unusable:
            expect(vector.get("error"), unusable.code, "error")
            return
        for field in ("counter", "size", "inode", "birthNanoseconds") if record else ():
            record[field] = str(record[field])
        for field in ("root", "machine", "pathHash") if record else ():
            record[field] = record[field].hex()
        expect(vector.get("newest", "none"), record, "newest")

    def key(self, vector):
        try:
            found = [author.hex() for author in device.authors(unhex(vector["input"]))]
        except device.Unusable as unusable:
            expect(vector.get("error"), unusable.code, "error")
        else:
            expect(vector.get("authors"), found, "authors")

    def sequence(self, vector):
        try:
            events = [
                {"header": header.hex(),
                 **({"payload": payload.hex()} if mark is None else {"commitment": mark.hex()})}
                for header, payload, mark in log.sequence(
                    unhex(vector["input"]), vector["count"], self.schema)]
        except Invalid as invalid:
            expect(vector.get("error"), invalid.code, "error")
        else:
            expect(vector.get("events"), events, "events")

    def block(self, vector):
        try:
            plain = log.unpack(unhex(vector["input"]), vector["byteCount"]).hex()
        except Invalid as invalid:
            expect(vector.get("error"), invalid.code, "error")
        else:
            expect(vector.get("sequence"), plain, "sequence")

    def batch(self, vector):
        try:
            found = log.batch(unhex(vector["input"]), self.schema)
        except Invalid as invalid:
            expect(vector.get("error"), invalid.code, "error")
        else:
            for field, value in found.items():
                expect(vector.get(field), value, field)

    def merkle(self, vector):
        for case in vector.get("roots", []):
            leaves = [merkle.blake(n.to_bytes(8, "big"), 32) for n in range(case["size"])]
            expect(case["root"], merkle.root(leaves).hex(), "root")
        for case in vector.get("inclusion", []):
            found = merkle.includes(
                unhex(case["leaf"]), int(case["index"]), int(case["size"]), unhex(case["root"]),
                self.path(case["path"]))
            expect(case["proves"], found, "proves")
        for case in vector.get("consistency", []):
            found = merkle.extends(
                int(case["earlier"]), unhex(case["earlierRoot"]), int(case["later"]),
                unhex(case["laterRoot"]), self.path(case["path"]))
            expect(case["proves"], found, "proves")
        if "error" in vector:
            try:
                self.path(vector["path"])
            except Refused as refused:
                expect(vector["error"], refused.code, "error")
            else:
                raise Disagreement("the path is accepted")

    @staticmethod
    def path(text):
        """The nodes of a proof: an array of at most 64 byte strings of 32."""
        nodes = decode(unhex(text))
        if not isinstance(nodes, list):
            raise Refused("unexpectedType", 0)
        if len(nodes) > 64:
            raise Refused("limitExceeded", 0)
        for node in nodes:
            if not isinstance(node, bytes):
                raise Refused("unexpectedType", 1)
            if len(node) != 32:
                raise Refused("outOfRange", 1)
        return nodes

    def amounts(self, vector):
        def pair(amount):
            return amount and (amount["value"], UNITS[amount["unit"]])

        for case in vector.get("amounts", []):
            found = values.eaten(
                BASES[case["basis"]], pair(case["serving"]), case["per"], pair(case["eaten"]))
            expect(case["amount"], found, "amount")
        if "nutrients" in vector:
            found = [
                {"number": number, "name": name, "unit": unit, "column": name + unit.capitalize()}
                for number, (name, unit) in self.nutrients.items()]
            expect(vector["nutrients"], found, "nutrients")

    def hlc(self, vector):
        for case in vector.get("steps", []):
            found = values.next_reading(int(case["last"]), int(case["now"]))
            expect(case["next"], str(found), "next")
        for case in vector.get("received", []):
            expect(case["result"], str(max(int(case["last"]), int(case["remote"]))), "result")
        events = vector.get("sorted", [])
        ordered = sorted(events, key=lambda event: (
            int(event["hlc"]), unhex(event["author"]), int(event["seq"]), unhex(event["leaf"])))
        expect(events, ordered, "order")

    def civil(self, vector):
        for case in vector.get("days", []):
            expect(case["date"], values.date_text(case["number"]), "date")
            expect(case["weekday"], values.weekday(case["number"]), "weekday")
            expect(case["number"], values.day_number(case["date"]), "number")
        for case in vector.get("texts", []):
            expect(case["number"], values.day_number(case["text"]), "number")
        for case in vector.get("moments", []):
            day, minute = values.civil(case["milliseconds"], case["utcOffset"])
            expect(case["day"], values.date_text(day), "day")
            expect(case["minuteOfDay"], minute, "minuteOfDay")
            expect(case["text"], values.rfc3339(case["milliseconds"], case["utcOffset"]), "text")

    def fold(self, vector):
        stream = unhex(vector["stream"])
        events = []
        for case in vector["events"]:
            header = unhex(case["header"])
            payload = None if case["payload"] is None else unhex(case["payload"])
            if payload is not None:
                commitment = merkle.commitment(unhex(case["salt"]), payload)
                expect(case["leaf"], merkle.leaf(header, commitment).hex(), "leaf")
            event = Event(
                unhex(case["author"]), int(case["seq"]), self.schema.header(header), payload,
                unhex(case["leaf"]))
            expect(stream.hex(), event.stream.hex(), "stream")
            events.append(event)
        meal = Meal(self.schema, self.nutrients).walk(events)
        rows, digest = meal.rows(stream)
        expect(vector["rows"], diagnostic(decode(encode(plain(rows)))), "rows")
        expect(vector["digest"], digest.hex(), "digest")
        aside = [(one["event"], one["code"]) for one in vector["setAside"]]
        expect(aside, meal.set_aside, "setAside")
        expect(vector["isClosedToWriting"], meal.is_closed, "isClosedToWriting")


def nutrients(spec):
    """The table of SPEC.md, "Nutrients": number to name and unit."""
    with open(spec, encoding="utf-8") as file:
        section = file.read().split("### 3.5 Nutrients")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (\d+) \| `(\w+)` \| (cal|µg|ng) \|$", section, re.M)
    return {int(number): (name, unit.replace("µ", "u")) for number, name, unit in rows}


def run(directory, events, log_rules, spec, verbose):
    """Reads every vector below `directory`; 0 if this reader agrees with all of them."""
    reader = Reader(events, log_rules, spec)
    paths = sorted(
        os.path.join(folder, name) for folder, _, names in os.walk(directory) for name in names
        if name.endswith(".json"))
    agreed = 0
    for path in paths:
        name = os.path.relpath(path, directory)
        area = name.split(os.sep)[0]
        try:
            with open(path, encoding="utf-8") as file:
                vector = json.load(file)
            if area not in AREAS:
                raise Disagreement(f"no reader for {area}")
            getattr(reader, area)(vector)
        except Exception as problem:  # whatever goes wrong with a vector, this reader differs
            print(f"{name}: {type(problem).__name__}: {problem}")
        else:
            agreed += 1
            if verbose:
                print(f"{name}: agrees, {vector['description']}")
    print(f"{len(paths)} vectors read, {agreed} agree")
    return 0 if agreed == len(paths) > 0 else 1
