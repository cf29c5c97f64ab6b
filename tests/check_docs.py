#!/usr/bin/env python3
"""Every relative link in the Markdown files leads somewhere, and docs/README.md names every page of docs/."""
import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def main(root):
    faults = []
    pages = [root / "README.md", root / "CHANGELOG.md", *sorted(root.glob("docs/**/*.md"))]
    for page in pages:
        for target in LINK.findall(page.read_text(encoding="utf-8")):
            if "://" not in target and not (page.parent / target).exists():
                faults.append(f"{page.relative_to(root)}: no {target}")
    index = (root / "docs/README.md").read_text(encoding="utf-8")
    for page in sorted(root.glob("docs/*.md")):
        if page.name != "README.md" and f"({page.name})" not in index:
            faults.append(f"docs/README.md: does not name {page.name}")
    print("\n".join(faults) if faults else f"{len(pages)} pages, every link leads somewhere")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
