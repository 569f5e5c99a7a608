"""Groups what perf says of a phase: `profile.py REPORT`, lines of "percent|object|symbol"."""

import subprocess
import sys

GROUPS = [
    ("SQLite", ("libsqlite3",)), ("Larder", ("LarderBench",)),
    ("Swift runtime", ("libswift", "libdispatch", "libBlocks", "libFoundation")),
    ("hashes, signatures (libsodium)", ("libsodium",)), ("LZ4", ("liblz4",)),
    ("kernel", ("[kernel", "[unknown]", "[vdso]")),
]
ALLOCATOR = ("malloc", "free", "calloc", "realloc", "memalign", "unlink_chunk", "cfree")


def group(name, symbol):
    """What a sample is counted as."""
    if "libc.so" in name or "libm.so" in name:
        is_allocator = any(word in symbol for word in ALLOCATOR)
        return "allocator (libc)" if is_allocator else "copying and comparing (libc)"
    return next((title for title, parts in GROUPS if any(part in name for part in parts)), name)


def readable(symbols):
    """The symbols without Swift's mangling."""
    ran = subprocess.run(["swift", "demangle", "--compact", "--simplified"],
                         input="\n".join(symbols), capture_output=True, text=True, check=False)
    lines = ran.stdout.splitlines()
    return lines if ran.returncode == 0 and len(lines) == len(symbols) else symbols


def main(path):
    """Prints the groups, then the functions."""
    groups, functions = {}, []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            parts = [part.strip() for part in line.split("|", 2)]
            if len(parts) != 3 or not parts[0].endswith("%"):
                continue
            share, symbol = float(parts[0][:-1]), parts[2].removeprefix("[.] ").removeprefix("[k] ")
            title = group(parts[1], symbol)
            groups[title] = groups.get(title, 0) + share
            functions.append((share, title, symbol))
    for title, share in sorted(groups.items(), key=lambda item: -item[1]):
        print(f"{share:5.1f} %  {title}")
    top = sorted(functions, reverse=True)[:30]
    print()
    for (share, title, _), name in zip(top, readable([symbol for _, _, symbol in top])):
        print(f"{share:5.1f} %  {title}: {name[:110]}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
