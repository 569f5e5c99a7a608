"""Builds the driver and the fault shim, with or without a planted bug, and runs the driver."""

import collections
import os
import subprocess

FOLDER = ".build-crash"

# Where a planted bug is, and the scenario and mode that must find it.
Planted = collections.namedtuple("Planted", "is_in_driver scenario mode")
DEFAULT = Planted(True, "append", "kill")
PLANTED = {
    # The driver acknowledges before it has called the store.
    "PLANTED_BUG": DEFAULT,
    # The disk is as if nothing had been synced.
    "PLANTED_UNSYNCED": Planted(False, "append", "power"),
}

# No call of the store takes that long, however busy the machine.
SECONDS_MAX = 120


class CannotTry(Exception):
    """What is missing to try anything."""


def clean_environment():
    """Nothing of the caller's diary reaches a try; a crash is reported at once."""
    for name in [name for name in os.environ if name.startswith("LARDER_")]:
        del os.environ[name]
    os.environ["SWIFT_BACKTRACE"] = "enable=no"


def build(root, flag, is_optimised=False):
    """Builds both, with the bug `flag` planted if one is given."""
    planted = PLANTED.get(flag, DEFAULT) if flag else None
    is_in_driver = planted is not None and planted.is_in_driver
    scratch = FOLDER + "-planted" if is_in_driver else ".build"
    command = ["swift", "build", "--product", "LarderCrash", "--scratch-path", scratch]
    if is_optimised:
        # Thousands of tries are worth a longer build. Assertions stay.
        command += ["-c", "release", "-Xswiftc", "-assert-config", "-Xswiftc", "Debug"]
        command[command.index("--scratch-path") + 1] += "-crash-driver"
    if is_in_driver:
        command += ["-Xswiftc", "-D" + flag]
    ran = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        raise CannotTry("the driver cannot be built\n" + ran.stdout + ran.stderr)
    bin_path = subprocess.run(
        [*command, "--show-bin-path"], cwd=root, capture_output=True, text=True, check=True)
    shim = os.path.join(root, FOLDER, "faults-planted.so" if planted else "faults.so")
    os.makedirs(os.path.dirname(shim), exist_ok=True)
    # Put in place whole: another run may be using the old one.
    made = f"{shim}.{os.getpid()}"
    sources = os.path.join(root, "Tools", "Faults")
    compiled = subprocess.run(
        ["cc", "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", made,
         *(["-D" + flag] if planted and not is_in_driver else []),
         os.path.join(sources, "faults.c"), os.path.join(sources, "power.c")],
        capture_output=True, text=True, check=False)
    if compiled.returncode != 0:
        raise CannotTry("the fault shim cannot be built\n" + compiled.stderr)
    os.replace(made, shim)
    return Tools(os.path.join(bin_path.stdout.strip(), "LarderCrash"), shim)


class Tools:
    """The driver and the shim."""

    def __init__(self, driver, shim):
        self.driver = driver
        self.shim = shim

    def scenarios(self):
        """The names of the scenarios."""
        return self.run(["list"]).stdout.split()

    def command(self, verb, scenario, place, *more):
        """The driver's command for the store and the state in the folder `place`."""
        return [self.driver, verb, scenario, os.path.join(place, "store"),
                os.path.join(place, "state"), *more]

    def faulty(self, place, trace, mode, number):
        """The environment in which call `number` below `place` goes wrong."""
        return {**os.environ, "LD_PRELOAD": self.shim, "LARDER_FAULT_FOLDER": place,
                "LARDER_FAULT_TRACE": trace, "LARDER_FAULT": f"{mode}:{number}"}

    def run(self, arguments, **more):
        """Runs the driver to its end."""
        if arguments[0] != self.driver:
            arguments = [self.driver, *arguments]
        return subprocess.run(
            arguments, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
            timeout=SECONDS_MAX, **more)

    def prepare(self, scenario, place):
        """Makes the store a scenario finds; what was acknowledged while making it."""
        os.makedirs(place)
        ran = self.run(self.command("prepare", scenario, place))
        said = Said(ran)
        if ran.returncode != 0 or said.refused:
            raise CannotTry(f"{scenario} cannot be prepared\n{ran.stdout}{ran.stderr}")
        return said.done


class Said:
    """What a run of the driver acknowledged and what it refused."""

    def __init__(self, ran):
        self.code = ran.returncode
        self.done = {}
        self.refused = {}
        self.words = {}
        for line in ran.stdout.splitlines():
            words = line.split()
            if words[:1] == ["done"]:
                self.done[words[1]] = words[2] if len(words) > 2 else "-"
            elif words[:1] == ["refused"]:
                self.refused[words[1]] = words[2]
                self.words[words[1]] = line
        self.stderr = ran.stderr


class Holds:
    """What a store holds of a scenario, as the driver says."""

    def __init__(self, ran):
        lines = [line.split(" ", 1) for line in ran.stdout.splitlines()]
        self.found = dict(
            rest.split(" ") for word, *rests in lines if word == "found" for rest in rests)
        self.missing = [line[1] for line in lines if line[0] == "missing"]
        self.is_absent = any(line[0] == "absent" for line in lines)
        self.problems = [line[1] for line in lines if line[0] in ("problem", "error:")]
        self.goes_on = any(line[0] == "further" for line in lines)
        if ran.returncode != 0 and not self.problems:
            self.problems = [f"the check ended with {ran.returncode}: {ran.stderr.strip()[-200:]}"]

    def lost(self, acknowledged):
        """The acknowledged appends that are not there, or not where they were."""
        return [step for step, event in acknowledged.items()
                if self.is_absent or ":" in event and self.found.get(step) != event
                or step in self.missing]
