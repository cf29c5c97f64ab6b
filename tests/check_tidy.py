#!/usr/bin/env python3
"""clang-tidy over the library and the program, each file once. usage: check_tidy.py SOURCE_DIR BUILD_DIR"""
import json
import pathlib
import re
import shutil
import subprocess
import sys


def main(source, build):
    runner = shutil.which("run-clang-tidy-14") or shutil.which("run-clang-tidy")
    if not runner:
        print("no clang-tidy")
        return 77
    # The build compiles a source several times (float, double, sanitized); one of them is enough.
    commands = json.loads((build / "compile_commands.json").read_text())
    once = [c for c in commands if "beadlet_objects.dir" in c["command"] or "beadlet_program.dir" in c["command"]]
    # options of gcc that clang understands differently, or not; which warnings count, .clang-tidy says
    for c in once:
        for option in (" -Werror", " -Wdouble-promotion", " -fno-loop-unroll-and-jam"):
            c["command"] = c["command"].replace(option, "")
    folder = build / "tidy"
    folder.mkdir(exist_ok=True)
    (folder / "compile_commands.json").write_text(json.dumps(once))
    run = subprocess.run([runner, "-p", str(folder), "-j2", "-quiet", "-header-filter", f"{source}/(src|include)/.*"],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    # The runner repeats each command line; only what was found is of interest.
    plain = re.sub("\\x1b\\[[0-9;]*m", "", run.stdout)
    found = [line for line in plain.splitlines() if line.strip() and " -p=" not in line]
    print("\n".join(found) if run.returncode else f"{len(once)} files, nothing found")
    return 1 if run.returncode else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()))
