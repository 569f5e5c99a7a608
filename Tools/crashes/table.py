"""The table of what was tried: a line for each try, and sums."""

import collections
import dataclasses
import os


@dataclasses.dataclass
class Row:
    """What became of one try."""
    scenario: str
    mode: str
    number: int
    call: str
    file: str
    acknowledged: int
    found: int
    outcome: str
    is_bad: bool = False


class Table:
    """Writes rows to a file, and to the terminal those that are to be seen."""

    HEADING = ("scenario", "mode", "n", "call", "file", "acked", "found", "outcome")

    def __init__(self, path, shows_good, bad_count_max=None):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        self.file = open(path, "w", encoding="utf-8")
        self.path = path
        self.shows_good = shows_good
        self.bad_count_max = bad_count_max
        self.counts = collections.Counter()
        self.bad = collections.Counter()
        self.write(self.HEADING, shows_good)

    @property
    def bad_count(self):
        return sum(self.bad.values())

    def add(self, row):
        key = (row.scenario, row.mode)
        self.counts[key] += 1
        self.bad[key] += row.is_bad
        outcome = ("BAD: " if row.is_bad else "") + row.outcome
        cells = (row.scenario, row.mode, row.number, row.call, row.file, row.acknowledged,
                 row.found, outcome)
        is_one_of_many = (
            self.bad_count_max is not None and self.bad_count > self.bad_count_max)
        self.write(cells, self.shows_good or row.is_bad and not is_one_of_many)

    def write(self, cells, is_shown):
        line = "{:<11} {:<9} {:>4} {:<10} {:<36} {:>5} {:>5}  {}".format(*cells)
        self.file.write(line + "\n")
        if is_shown:
            print(line, flush=True)

    def sums(self):
        """Prints how many tries there were of each kind."""
        self.file.close()
        for (scenario, mode), count in self.counts.items():
            bad = self.bad[scenario, mode]
            print(f"{scenario:<11} {mode:<9} {count:>5} tries, "
                  + (f"{bad} BAD" if bad else "all well"))
        total = sum(self.counts.values())
        print(f"{total} tries, {self.bad_count} bad; every one is in {os.path.relpath(self.path)}",
              flush=True)
