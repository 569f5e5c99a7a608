"""One call of a scenario goes wrong: running it, and judging what is left."""

import concurrent.futures
import os
import shutil
import signal
import subprocess

from crashes.building import SECONDS_MAX, CannotTry, Holds, Said
from crashes.table import Row

MODES = ["kill", "killafter", "torn", "fail", "full", "short", "power", "reorder"]
# After the last call of a scenario killafter is kill before the next one, so it adds nothing.
USUAL_MODES = [mode for mode in MODES if mode != "killafter"]
WRITES = {"write", "pwrite"}
NEED_SPACE = WRITES | {"open", "mkdir"}
DEADLY = {"kill", "killafter", "torn", "power", "reorder"}


def is_honest(mode, line):
    """Whether a refusal says what the matter was."""
    code = line.split()[2]
    if mode == "full":
        # Where a file cannot be made SQLite tries to open it for reading, and forgets the reason.
        return code == "full" or code == "ioFailure" and ": cannotOpen: " in line
    return mode == "fail" and code == "ioFailure"


def modes_of(scenario):
    """The modes that make sense: what a second process wrote is not in a power cut's books."""
    return [mode for mode in USUAL_MODES
            if scenario != "twoWriters" or mode not in ("power", "reorder")]


class Reference:
    """A scenario's start, and the calls of a run in which nothing goes wrong."""

    def __init__(self, tools, folder, scenario):
        self.scenario = scenario
        self.start = os.path.join(folder, scenario + "-start")
        self.acknowledged = tools.prepare(scenario, self.start)
        if scenario == "renew":
            # A copied store without the record of its head.
            shutil.rmtree(os.path.join(self.start, "state"))
        attempt = Attempt(tools, folder, self, "none", 0)
        said, other = attempt.act()
        if said.refused or said.code != 0 or other and other.refused:
            raise CannotTry(f"{scenario} fails by itself: {said.refused} {said.stderr}")
        self.calls = attempt.calls()
        attempt.remove()

    def numbers(self, mode):
        """The calls a mode does anything to."""
        kinds = WRITES if mode in ("torn", "short") else NEED_SPACE if mode == "full" else None
        return [number for number, call in enumerate(self.calls, 1)
                if kinds is None or call[0] in kinds]


def rows(tools, folder, reference, mode, step, jobs):
    """Tries a mode at each call of a scenario, or at one."""
    numbers = [step] if step else reference.numbers(mode)

    def attempt(number):
        return Attempt(tools, folder, reference, mode, number).row(keeps=step is not None)

    with concurrent.futures.ThreadPoolExecutor(max_workers=jobs) as pool:
        yield from pool.map(attempt, numbers)


class Attempt:
    """One try."""

    def __init__(self, tools, folder, reference, mode, number):
        self.tools = tools
        self.reference = reference
        self.mode = mode
        self.number = number
        # The store lies in a folder of its own, so that its own name is below the one watched.
        self.folder = os.path.join(folder, f"{reference.scenario}-{mode}-{number}")
        self.place = os.path.join(self.folder, "place")
        self.trace = os.path.join(self.folder, "trace")

    def calls(self):
        """The calls that were counted: name and file."""
        if not os.path.exists(self.trace):
            return []
        with open(self.trace, encoding="utf-8") as lines:
            return [line.split()[1:3] for line in lines]

    def remove(self):
        shutil.rmtree(self.folder)

    def act(self):
        """Runs the scenario with the fault; what its writers said."""
        shutil.copytree(self.reference.start, self.place)
        scenario = self.reference.scenario
        environment = self.tools.faulty(self.place, self.trace, self.mode, self.number)
        first = self.tools.command("act", scenario, self.place, "0")
        if scenario != "twoWriters":
            return Said(self.tools.run(first, env=environment)), None
        second = self.tools.command("act", scenario, self.place, "1")
        with subprocess.Popen(
                second, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                text=True) as process:
            try:
                said = Said(self.tools.run(first, env=environment))
                stdout, stderr = process.communicate(timeout=SECONDS_MAX)
            except BaseException:
                process.kill()
                raise
        ran = subprocess.CompletedProcess(second, process.returncode, stdout, stderr)
        return said, Said(ran)

    def row(self, keeps):
        """Runs the scenario with the fault, checks what is left, and removes it."""
        try:
            said, other = self.act()
            acknowledged = {**self.reference.acknowledged, **said.done}
            if other:
                acknowledged.update(other.done)
            checked = self.tools.run(
                self.tools.command("check", self.reference.scenario, self.place))
            holds = Holds(checked)
            outcome, is_bad = self.judge(said, other, acknowledged, holds)
            found = len(holds.found)
            appended = sum(step in holds.found or step in holds.missing for step in acknowledged)
        except subprocess.TimeoutExpired:
            appended, found, outcome, is_bad = 0, 0, "it hangs", True
        calls = self.calls()
        call, file = calls[self.number - 1] if self.number <= len(calls) else ("-", "-")
        if not keeps:
            self.remove()
        return Row(self.reference.scenario, self.mode, self.number, call, file, appended, found,
                   outcome, is_bad)

    def judge(self, said, other, acknowledged, holds):
        """What became of a try, and whether that is bad."""
        is_reached = self.number <= len(self.calls())
        is_killed = said.code == -signal.SIGKILL
        # With two writers call n is not the same call in every run, and a sync cannot be torn.
        is_deadly = self.mode in DEADLY and (
            self.mode != "torn" or is_reached and self.calls()[self.number - 1][0] in WRITES)
        refused = ", ".join(sorted(set(said.refused.values())))
        lost = holds.lost(acknowledged)
        if lost:
            return "lost " + ", ".join(lost), True
        if holds.problems:
            return holds.problems[0], True
        if not holds.goes_on:
            return "the store takes no further append", True
        if other and (other.refused or other.code != 0):
            return f"the other writer: {other.refused or other.stderr}", True
        if is_killed != (is_reached and is_deadly):
            return f"the writer ended with {said.code}: {said.stderr.strip()[-200:]}", True
        wrong = [line for line in said.words.values() if not is_honest(self.mode, line)]
        if wrong:
            return wrong[0], True
        if self.mode == "fail" and len(said.refused) > 1:
            return f"one failure, {len(said.refused)} refusals", True
        if not is_reached:
            return "not reached", False
        if is_killed:
            return "killed, whole", False
        kept = sum(step in holds.found for step in said.refused)
        return (f"refused {len(said.refused)} ({refused}), whole" if refused else "done, whole") + (
            f", {kept} there all the same" if kept else ""), False
