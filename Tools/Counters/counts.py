"""Compares counts of a measurement with those that are kept, which must not grow.

usage: counts.py KEPT MEASURED

A line of either file is "phase unit counter number": what one unit of a phase costs.
"""

import sys

# Hash tables differ a little between runs and libraries; what is worth a look differs more.
SLACK = 0.02


def read(path):
    """The numbers in a file, by phase, unit and counter."""
    found = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                phase, unit, counter, number = line.split()
                found[phase, unit, counter] = float(number)
    return found


def verdict(before, now):
    """What became of a count, and the exit status for it."""
    if before is None:
        return "NOT KEPT", 1
    if now is None:
        return "NOT MEASURED", 1
    if now > before * (1 + SLACK) + 0.005:
        return "GREW", 1
    if now < before * (1 - SLACK) - 0.005:
        return "fewer; keep that", 0
    return "as kept", 0


def main(arguments):
    """Prints a table; 1 if a count has grown or is missing."""
    if len(arguments) != 2:
        sys.exit(__doc__)
    kept, measured = (read(path) for path in arguments)
    status = 0
    print(f"{'what':24} {'counter':12} {'kept':>10} {'now':>10}")
    for key in sorted(kept.keys() | measured.keys()):
        before, now = kept.get(key), measured.get(key)
        word, code = verdict(before, now)
        status = max(status, code)
        shown = ["–" if number is None else f"{number:.2f}" for number in (before, now)]
        print(f"{key[0] + ', ' + key[1]:24} {key[2]:12} {shown[0]:>10} {shown[1]:>10}  {word}")
    if status:
        print("If that is meant, keep it with: Tools/bench counts --update")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
