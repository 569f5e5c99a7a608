"""CDDL (RFC 8610), as much of it as Schemas uses, and payloads and batches held against it.

The schema decides; this file only says which code a refusal has: a value of another type is
malformed, a number or byte string that does not fit is outOfRange, a text or array too long
limitExceeded, a text of the wrong form invalidText, a field missing or unknown so.
"""

import os
import re

from .encoding import Map, Refused, decode, head, sequence

PAYLOAD_BYTES = 16 * 1024
HEADER_BYTES = 256

TOKEN = re.compile(r'''
    \s+ | ;[^\n]* | (?P<string>"(?:[^"\\]|\\.)*") | (?P<control>\.[a-z]+)
    | (?P<range>\.\.) | (?P<number>-?\d+) | (?P<arrow>=>) | (?P<name>[A-Za-z_][A-Za-z0-9_-]*)
    | (?P<mark>[=/(){}\[\],:?*&])''', re.X)


class Invalid(Exception):
    """A payload the schema refuses, by its code."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


class Parser:
    """One file's rules, by name; values are ("type", …) or ("group", …) trees."""

    def __init__(self, text):
        self.tokens = []
        at = 0
        while at < len(text):
            match = TOKEN.match(text, at)
            if not match:
                raise SyntaxError(f"CDDL: {text[at:at + 30]!r}")
            if match.lastgroup:
                self.tokens.append((match.lastgroup, match.group()))
            at = match.end()
        self.tokens.append(("end", ""))
        self.at = 0

    def rules(self):
        found = {}
        while self.peek()[0] != "end":
            name = self.take("name")
            self.take("mark", "=")
            if name in found:
                raise SyntaxError(f"CDDL: {name} twice")
            found[name] = self.rule()
        return found

    def rule(self):
        """A type, or a group in parentheses: whichever the next rule begins after."""
        start = self.at
        try:
            found = self.type()
            kinds = [token[0] for token in self.tokens[self.at:self.at + 2]]
            if kinds[0] == "end" or (kinds[0] == "name" and self.tokens[self.at + 1][1] == "="):
                return found
        except SyntaxError:
            pass
        self.at = start
        self.take("mark", "(")
        return ("group", self.group(")"))

    def type(self):
        choices = [self.operand()]
        while self.match("/"):
            choices.append(self.operand())
        return choices[0] if len(choices) == 1 else ("choice", choices)

    def operand(self):
        left = self.primary()
        kind, text = self.peek()
        if kind == "range":
            self.at += 1
            return ("range", left[1], self.primary()[1])
        if kind == "control":
            self.at += 1
            return ("control", text, left, self.primary())
        return left

    def primary(self):
        kind, text = self.peek()
        self.at += 1
        if kind == "number":
            return ("value", int(text))
        if kind == "string":
            return ("value", re.sub(r"\\(.)", r"\1", text[1:-1]))
        if kind == "name":
            return ("name", text)
        if text == "(":
            inner = self.type()
            self.take("mark", ")")
            return inner
        if text == "{":
            return ("map", self.group("}"))
        if text == "[":
            return ("array", self.group("]"))
        if text == "&":
            self.take("mark", "(")
            return ("enumeration", self.group(")"))
        raise SyntaxError(f"CDDL: {text!r}")

    def group(self, end):
        entries = []
        while not self.match(end):
            entries.append(self.entry())
            self.match(",")
        return entries

    def entry(self):
        """(least, most, key, what): the key None, a number, a word, or a type before =>."""
        least, most = self.occurrence()
        if self.peek() == ("mark", "("):
            self.at += 1
            return (least, most, None, ("group", self.group(")")))
        kind, text = self.peek()
        if kind in ("number", "name") and self.tokens[self.at + 1] == ("mark", ":"):
            self.at += 2
            return (least, most, int(text) if kind == "number" else text, self.type())
        what = self.type()
        if self.peek()[0] == "arrow":
            self.at += 1
            return (least, most, what, self.type())
        return (least, most, None, what)

    def occurrence(self):
        if self.match("?"):
            return 0, 1
        if self.tokens[self.at + 1] == ("mark", "*"):
            least, most = int(self.take("number")), None
            self.take("mark", "*")
            if self.peek()[0] == "number":
                most = int(self.take("number"))
            return least, most
        return 1, 1

    def peek(self):
        return self.tokens[self.at]

    def match(self, mark):
        if self.peek() == ("mark", mark):
            self.at += 1
            return True
        return False

    def take(self, kind, text=None):
        found = self.peek()
        if found[0] != kind or (text is not None and found[1] != text):
            raise SyntaxError(f"CDDL: {found[1]!r}, expected {text or kind}")
        self.at += 1
        return found[1]


def rules_of(folder):
    """The rules of each file of a folder, by its name."""
    found = {}
    for name in sorted(os.listdir(folder)):
        stem, ending = os.path.splitext(name)
        if ending == ".cddl":
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                found[stem] = Parser(file.read()).rules()
    return found


def check_format(data):
    """The format is the array's first item: of another one nothing else is read."""
    try:
        major, count, at = head(data, 0)
        kind, number, _ = head(data, at)
    except Refused as refused:
        raise Invalid("malformed") from refused
    if major != 4 or kind != 0 or count > len(data) - at:
        raise Invalid("malformed")
    if number != 1:
        raise Invalid("unsupportedVersion")


class Schema:
    """The rules of every kind, and of what lies in the log."""

    def __init__(self, events, log):
        self.kinds = rules_of(events)
        self.shared = self.kinds.pop("shared")
        self.log = dict(self.shared)
        for rules in rules_of(log).values():
            self.log.update(rules)

    def header(self, data):
        """The seven values of a header."""
        if len(data) > HEADER_BYTES:
            raise Invalid("limitExceeded")
        check_format(data)
        try:
            value = decode(data)
        except Refused as refused:
            raise Invalid("malformed") from refused
        self.check("header", value)
        return value

    def payload(self, kind, data):
        """The payload of a kind that `data` is."""
        if len(data) > PAYLOAD_BYTES:
            raise Invalid("limitExceeded")
        try:
            value = decode(data)
        except Refused as refused:
            raise Invalid("malformed") from refused
        self.check(kind, value)
        for field in {"HeadsWitnessed": [0], "PayloadErased": [0], "ProposalAccepted": [1]}.get(
                kind, []):
            elements = value.get(field)
            if any(left >= right for left, right in zip(elements, elements[1:])):
                raise Invalid("malformed")
        return value

    def check(self, kind, value):
        """Holds a value against the first rule of a kind's file."""
        rules = self.kinds[kind]
        Check({**self.shared, **rules}).type(next(iter(rules.values())), value)

    def check_log(self, name, value):
        """Holds a value against a rule of what lies in the log."""
        Check(self.log).type(self.log[name], value)


class Check:
    """A value held against a tree of types."""

    def __init__(self, rules):
        self.rules = rules

    def resolve(self, node):
        while node[0] == "name" and node[1] in self.rules:
            node = self.rules[node[1]]
        return node

    def type(self, node, value):
        node = self.resolve(node)
        getattr(self, "on_" + node[0])(node, value)

    def on_name(self, node, value):
        types = {"tstr": str, "bstr": bytes, "null": type(None)}
        if node[1] != "any" and not isinstance(value, types[node[1]]):
            raise Invalid("malformed")

    def on_choice(self, node, value):
        """None fits: the choice that came nearest says why, one of another type last."""
        failure = None
        for choice in node[1]:
            try:
                return self.type(choice, value)
            except Invalid as invalid:
                if failure is None or failure.code == "malformed":
                    failure = invalid
        raise failure

    def on_range(self, node, value):
        self.number(value, lambda: node[1] <= value <= node[2])

    def on_value(self, node, value):
        if isinstance(node[1], str):
            if value != node[1]:
                raise Invalid("malformed")
            return
        self.number(value, lambda: value == node[1])

    def on_enumeration(self, node, value):
        numbers = [what[1] for _, _, _, what in node[1]]
        self.number(value, lambda: value in numbers)

    @staticmethod
    def number(value, fits):
        if not isinstance(value, int) or isinstance(value, bool):
            raise Invalid("malformed")
        if not fits():
            raise Invalid("outOfRange")

    def on_control(self, node, value):
        _, name, base, argument = node
        if name == ".and":
            self.kind_of_text(base, argument, value)
            return
        self.type(base, value)
        if name == ".regexp":
            pattern = argument[1].replace("\\P{Cc}", "[^\\x00-\\x1f\\x7f-\\x9f]")
            if not re.fullmatch(pattern, value):
                raise Invalid("invalidText")
        elif name == ".cborseq":
            try:
                items = sequence(value)
            except Refused as refused:
                raise Invalid("malformed") from refused
            self.type(argument, items)
        elif name == ".size" and isinstance(value, bytes):
            if argument[0] == "range":
                if len(value) > argument[2]:
                    raise Invalid("limitExceeded")
            elif len(value) != argument[1]:
                raise Invalid("outOfRange")
        elif name == ".size":
            size = len(value.encode())
            if size > argument[2]:
                raise Invalid("limitExceeded")
            if size < argument[1]:
                raise Invalid("invalidText")
        else:
            raise SyntaxError(f"CDDL: {name}")

    def kind_of_text(self, left, right, value):
        """Both must hold: a text with a form of its own."""
        if not isinstance(value, str):
            raise Invalid("malformed")
        for part in (left, right):
            try:
                self.type(part, value)
            except Invalid:
                raise Invalid("invalidText") from None

    def on_array(self, node, value):
        if not isinstance(value, list):
            raise Invalid("malformed")
        least, most, _, what = node[1][0]
        if (least, most) != (1, 1):
            turn = self.items([(1, 1, None, what)])
            rounds, rest = divmod(len(value), len(turn))
            if rest or rounds < least:
                raise Invalid("malformed")
            if rounds > most:
                raise Invalid("limitExceeded")
            turn *= rounds
        else:
            turn = self.items(node[1])
        if len(value) != len(turn):
            raise Invalid("malformed")
        for what, element in zip(turn, value):
            self.type(what, element)

    def items(self, entries):
        """The types of an array's items, those of groups in their places."""
        found = []
        for _, _, key, what in entries:
            inner = self.resolve(what)
            if key is None and inner[0] == "group":
                found += self.items(inner[1])
            else:
                found.append(what)
        return found

    def on_map(self, node, value):
        if not isinstance(value, Map):
            raise Invalid("malformed")
        if isinstance(node[1][0][2], tuple):
            return self.table(node[1][0], value)
        fields = {}
        self.flatten(node[1], (), fields)
        present = set()
        for key, content in value:
            if not isinstance(key, int) or isinstance(key, bool) or key < 0:
                raise Invalid("malformed")
            if key not in fields:
                raise Invalid("unknownField")
            self.type(fields[key][0], content)
            present.add(key)
        there = {group for key in present for group in fields[key][2]}
        for key, (_, required, groups) in fields.items():
            if required and key not in present and all(group in there for group in groups):
                raise Invalid("missingField")

    def table(self, entry, value):
        _, most, key_type, what = entry
        if len(value) > most:
            raise Invalid("limitExceeded")
        for key, content in value:
            self.type(key_type, key)
            self.type(what, content)

    def flatten(self, entries, groups, fields):
        """Every field with its type, whether it must be there, and the optional groups it is in."""
        for place, (least, _, key, what) in enumerate(entries):
            inner = self.resolve(what) if key is None else None
            if inner and inner[0] == "group":
                own = groups if least else groups + ((id(entries), place),)
                self.flatten(inner[1], own, fields)
            else:
                fields[key] = (what, least == 1, groups)
