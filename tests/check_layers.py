#!/usr/bin/env python3
"""The way of the data is one-directional: a module includes only headers of modules to its left and its own.
The program sees the public headers alone, and these see only each other."""
import pathlib
import re
import sys

ORDER = ("base scene geometry particles neighbours physics backends schemes rigid sim output surface analysis render "
         "plot report view run validate").split()
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def includes(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1) == '"', match.group(2)


def fault_in_module(module, quoted, header):
    """What is wrong with this include in src/MODULE, or None."""
    if not quoted or header.startswith("beadlet/"):
        return None
    if "/" not in header:
        return f'write "{module}/{header}": headers are named from src/'
    target = header.split("/")[0]
    if target not in ORDER:
        return f"no module {target}"
    if ORDER.index(target) > ORDER.index(module):
        return f"{target} stands to the right of {module}"
    return None


def fault_outside(quoted, header):
    """The same for tool/ and include/beadlet/."""
    if quoted and not header.startswith("beadlet/"):
        return "only beadlet/*.h and system headers are allowed here"
    return None


def main(root):
    faults = []
    for path in sorted(root.glob("src/**/*.[ch]")):
        module = path.relative_to(root / "src").parts[0]
        if module not in ORDER:
            faults.append(f"{path.relative_to(root)}: the module {module} has no place in the order of {__file__}")
            continue
        for number, quoted, header in includes(path):
            fault = fault_in_module(module, quoted, header)
            if fault:
                faults.append(f"{path.relative_to(root)}:{number}: {header}: {fault}")
    tool = sorted(root.glob("tool/**/*.[ch]"))
    local = {p.name for p in tool}
    for path in sorted(root.glob("include/**/*.h")) + tool:
        for number, quoted, header in includes(path):
            if path in tool and header in local:
                continue
            fault = fault_outside(quoted, header)
            if fault:
                faults.append(f"{path.relative_to(root)}:{number}: {header}: {fault}")
    print("\n".join(faults) if faults else "every include points to the left")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
