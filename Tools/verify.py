#!/usr/bin/env python3
"""A second reader of Larder's formats, sharing no line with the first.

It is written from SPEC.md and the CDDL under Schemas, in another language, with another CBOR
library and another BLAKE2b. Where it and the Swift package agree byte by byte, the specification
says enough; where they differ, one of the three is wrong.
"""

import argparse
import os
import sys

SYSTEM_PYTHON = "/usr/bin/python3"


def use_an_interpreter_with_the_modules():
    """Debian's modules belong to the system's interpreter: start again in that one."""
    try:
        import cbor2  # noqa: F401
        import lz4.block  # noqa: F401
        import nacl.signing  # noqa: F401
    except ImportError as missing:
        here = os.path.realpath(sys.executable)
        if os.path.exists(SYSTEM_PYTHON) and here != os.path.realpath(SYSTEM_PYTHON):
            os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, *sys.argv])
        sys.exit(f"error: the module {missing.name} is missing\n"
                 "hint: apt-get install python3-cbor2 python3-nacl python3-lz4")


def arguments():
    root = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    vectors = commands.add_parser(
        "vectors", help="read every golden vector and agree with it",
        description="Reads every golden vector and compares what it says with what this reader "
        "makes of its input. Exits 1 if any differs or there is none.")
    vectors.add_argument(
        "directory", nargs="?", metavar="DIR", default=os.path.join(root, "Schemas", "Vectors"),
        help="the folder of vectors (default: the repository's Schemas/Vectors)")
    vectors.add_argument(
        "--spec", metavar="FILE", default=os.path.join(root, "SPEC.md"),
        help="the specification, for its table of nutrients (default: the repository's SPEC.md)")
    vectors.add_argument("--verbose", action="store_true", help="print a line for each vector")
    store = commands.add_parser(
        "store", help="check the log of a store",
        description="Recomputes every leaf, block, tree, edge and index entry of a log, and "
        "names what differs, one finding a line. Exits 3 if anything does.")
    store.add_argument("folder", metavar="FOLDER", help="the store's folder")
    store.add_argument(
        "--views", metavar="FILE", default=os.path.join(root, "Schemas", "Tables", "Views.sql"),
        help="the SQL of the views (default: the repository's Schemas/Tables/Views.sql)")
    for command in (vectors, store):
        command.add_argument(
            "--events", metavar="DIR", default=os.path.join(root, "Schemas", "Events"),
            help="the folder of CDDL files (default: the repository's Schemas/Events)")
        command.add_argument(
            "--log", metavar="DIR", default=os.path.join(root, "Schemas", "Log"),
            help="the folder of the log's CDDL files (default: the repository's Schemas/Log)")
    return parser.parse_args()


def main():
    options = arguments()
    use_an_interpreter_with_the_modules()
    sys.dont_write_bytecode = True
    from verifier import schema, store, vectors
    try:
        if options.command == "store":
            return store.run(
                options.folder, schema.Schema(options.events, options.log), options.views)
        return vectors.run(
            options.directory, options.events, options.log, options.spec, options.verbose)
    except OSError as problem:
        print(f"error: {problem.filename}: {problem.strerror}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
