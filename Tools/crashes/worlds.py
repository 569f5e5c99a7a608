"""The worlds a store lives in, as far as they can be made on one machine.

Each yields rows for the table. A world that cannot be made here is a row that says why.
"""

import contextlib
import os
import shutil
import signal
import subprocess

from crashes.building import SECONDS_MAX, CannotTry, Holds, Said
from crashes.table import Row

NOBODY = 65534
DISK_STEP = 16 * 1024
TEARS = 20


def skipped(name, reason):
    return Row(name, "skipped", 0, "-", "-", 0, 0, reason)


def judged(name, mode, number, call, file, acknowledged, holds, outcome, wrong=None):
    """A row for what is left after a world's trouble; `wrong` says what else was not as it
    should be."""
    lost = holds.lost(acknowledged)
    problem = (
        "lost " + ", ".join(lost) if lost else holds.problems[0] if holds.problems
        else "the store takes no further append" if not holds.goes_on else wrong)
    appended = sum(step in holds.found or step in holds.missing for step in acknowledged)
    return Row(name, mode, number, call, file, appended, len(holds.found), problem or outcome,
               problem is not None)


def store_of(place):
    return os.path.join(place, "store")


# ---- A full disk ----

@contextlib.contextmanager
def small_disk(folder, size):
    """A file system of `size` bytes in `folder`; raises CannotTry where mounting is refused."""
    os.makedirs(folder)
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", folder], capture_output=True,
        text=True, check=False)
    if mounted.returncode != 0:
        raise CannotTry(mounted.stderr.strip() or "mount is refused")
    try:
        yield
    finally:
        subprocess.run(["umount", folder], check=True)


def size_of(folder):
    """The pages the files of a folder take, with some for the folders themselves."""
    files = [os.path.join(top, name) for top, _, names in os.walk(folder) for name in names]
    return sum(-(-os.path.getsize(path) // 4096) * 4096 for path in files) + 2 * DISK_STEP


def full_disk(tools, folder):
    """The checkpoint scenario on disks that grow until nothing is refused any more."""
    start = os.path.join(folder, "start")
    before = tools.prepare("checkpoint", start)
    for number in range(1, 100):
        size = size_of(start) + number * DISK_STEP
        disk = os.path.join(folder, f"disk-{number}")
        place = os.path.join(folder, f"place-{number}")
        try:
            with small_disk(disk, size):
                on_disk = os.path.join(disk, "place")
                shutil.copytree(start, on_disk)
                said = Said(tools.run(tools.command("act", "checkpoint", on_disk, "0")))
                # Reading needs no space; what is there is there already on the full disk.
                seen = Holds(tools.run(tools.command("look", "checkpoint", on_disk)))
                shutil.copytree(on_disk, place)
        except CannotTry as reason:
            yield skipped("full-disk", str(reason))
            return
        acknowledged = {**before, **said.done}
        holds = Holds(tools.run(tools.command("check", "checkpoint", place)))
        dishonest = [line for step, line in said.words.items() if said.refused[step] != "full"]
        unseen = seen.lost(acknowledged) + seen.problems
        wrong = (dishonest[0] if dishonest else f"not readable while full: {unseen[0]}" if unseen
                 else said.stderr if said.code != 0 else None)
        yield judged(
            "full-disk", "tmpfs", number, f"{size // 1024} KiB", "-", acknowledged, holds,
            f"refused {len(said.refused)}, whole", wrong)
        if not said.refused:
            return
    raise CannotTry("the disk is never large enough")


# ---- A folder that cannot be written ----

def unwritable(tools, folder):
    """Folders and files without the permission to write; root must step down to see it."""
    user = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
    start = os.path.join(folder, "start")
    before = tools.prepare("append", start)
    shutil.copy2(tools.driver, os.path.join(folder, "driver"))
    beneath = type(tools)(os.path.join(folder, "driver"), tools.shim)
    cases = [
        ("folder", ["store"], []),
        ("folder, no log", ["store"], ["larder.sqlite-wal", "larder.sqlite-shm"]),
        ("database", ["store/larder.sqlite"], []),
        ("log", ["store/larder.sqlite-wal"], []),
        ("index", ["store/larder.sqlite-shm"], []),
        ("lock", ["store/larder.lock"], []),
        ("temporary", ["store/tmp"], []),
        ("key", ["store/device.key"], []),
    ]
    with opened(folder):
        for number, (name, paths, removed) in enumerate(cases, 1):
            place = os.path.join(folder, f"case-{number}")
            shutil.copytree(start, place)
            if removed:
                empty_log(place)
                for file in removed:
                    with contextlib.suppress(FileNotFoundError):
                        os.remove(os.path.join(store_of(place), file))
            protect(place, paths, user)
            try:
                said = Said(beneath.run(beneath.command("act", "append", place, "0"), **user))
            except PermissionError as reason:
                yield skipped("unwritable", f"the driver cannot be run as another user: {reason}")
                return
            release(place)
            holds = Holds(beneath.run(beneath.command("check", "append", place), **user))
            dishonest = [line for step, line in said.words.items()
                         if said.refused[step] != "denied"]
            codes = ", ".join(sorted(set(said.refused.values())))
            outcome = f"refused {len(said.refused)} ({codes}), whole" if codes else "done, whole"
            yield judged(
                "unwritable", "mode", number, name.split(",")[0], paths[0],
                {**before, **said.done}, holds, outcome,
                dishonest[0] if dishonest else said.stderr if said.code != 0 else None)


@contextlib.contextmanager
def opened(folder):
    """Lets every user pass through the folders of ours above the tries."""
    modes = {path: os.stat(path).st_mode for path in (folder, os.path.dirname(folder))}
    for path in modes:
        os.chmod(path, 0o755)
    os.chmod(os.path.join(folder, "driver"), 0o755)
    try:
        yield
    finally:
        for path, mode in modes.items():
            os.chmod(path, mode)


def everything(place):
    return [place] + [os.path.join(top, name) for top, folders, files in os.walk(place)
                      for name in folders + files]


def protect(place, paths, user):
    """Gives the try to the other user and takes from it the permission to write `paths`."""
    if user:
        for path in everything(place):
            os.chown(path, NOBODY, NOBODY)
    for path in paths:
        whole = os.path.join(place, path)
        os.chmod(whole, 0o500 if os.path.isdir(whole) else 0o400)


def release(place):
    for path in everything(place):
        os.chmod(path, 0o700 if os.path.isdir(path) else 0o600)


def empty_log(place):
    """Moves the write-ahead log into the database, as a program that closes it cleanly does."""
    shell(os.path.join(store_of(place), "larder.sqlite"), "PRAGMA wal_checkpoint(TRUNCATE)")


def shell(database, sql):
    """Opens the database in a sqlite3 shell, runs something, and closes it."""
    return subprocess.run(
        ["sqlite3", database, sql], stdin=subprocess.DEVNULL, capture_output=True, text=True,
        check=False, timeout=SECONDS_MAX)


# ---- A write-ahead log cut short ----

def torn_log(tools, folder):
    """Captures after a checkpoint; then the write-ahead log is cut, or a byte in it changed, as a
    failing disk may do. What had moved into the database is there, and of the rest a first part."""
    whole = os.path.join(folder, "whole")
    promised = tools.prepare("append", whole)
    empty_log(whole)
    steps = [*promised, *Said(tools.run(tools.command("act", "append", whole, "0"))).done]
    log = os.path.join("store", "larder.sqlite-wal")
    size = os.path.getsize(os.path.join(whole, log))
    for mode in ("cut", "flipped"):
        for number in range(TEARS + (mode == "cut")):
            place = os.path.join(folder, f"{mode}-{number}")
            shutil.copytree(whole, place)
            offset = size * number // TEARS
            with open(os.path.join(place, log), "r+b") as file:
                if mode == "cut":
                    file.truncate(offset)
                else:
                    file.seek(offset)
                    byte = file.read(1)
                    file.seek(offset)
                    file.write(bytes([byte[0] ^ 0x40]))
            holds = Holds(tools.run(tools.command("check", "append", place)))
            appends = [step for step in steps if step in holds.found or step in holds.missing]
            is_prefix = appends[:len(holds.found)] == list(holds.found)
            yield judged(
                "torn-log", mode, number, f"at {offset}", log, promised, holds,
                f"opens, {len(holds.missing)} after the tear lost",
                None if is_prefix else "events are missing in the middle")
            shutil.rmtree(place)


# ---- A shell beside a running writer ----

def shell_beside(tools, folder):
    """A sqlite3 shell reads, closes, and is closed beside a writer that goes on; then the writer
    is killed. A shell that closed the last connection would have taken the live log with it."""
    if shutil.which("sqlite3") is None:
        yield skipped("shell", "there is no sqlite3")
        return
    start = os.path.join(folder, "start")
    before = tools.prepare("append", start)
    database = os.path.join(store_of(start), "larder.sqlite")
    command = tools.command("paced", "append", start)
    acknowledged = dict(before)
    wrong = None
    with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as writer:
        for number in range(1, 100):
            writer.stdin.write("\n")
            try:
                writer.stdin.flush()
            except BrokenPipeError:
                break
            line = writer.stdout.readline()
            if not line:
                break
            words = line.split()
            if words[0] == "done":
                acknowledged[words[1]] = words[2]
            else:
                wrong = line.strip()
            ran = shell(database, "SELECT count(*) FROM MealEntries")
            if ran.stdout.strip() != str(len(acknowledged) - 1):
                wrong = f"the shell sees {ran.stdout.strip()} meals {ran.stderr.strip()}"
            if number == 4:
                writer.send_signal(signal.SIGKILL)
                break
        writer.wait(timeout=SECONDS_MAX)
    shell(database, "SELECT count(*) FROM MealEntries")
    holds = Holds(tools.run(tools.command("check", "append", start)))
    yield judged("shell", "beside", len(acknowledged), "sqlite3", "store/larder.sqlite",
                 acknowledged, holds, "whole", wrong)


WORLDS = {
    "full-disk": full_disk,
    "unwritable": unwritable,
    "torn-log": torn_log,
    "shell": shell_beside,
}
