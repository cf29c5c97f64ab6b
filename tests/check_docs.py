#!/usr/bin/env python3
"""Every relative link in the Markdown files leads to a file and a heading in it, and docs/README.md names every page of
docs/."""
import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)")


def anchors(page):
    """The names of a page's headings, as they are made for links."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in re.findall(r"^#+ (.*)$", text, re.M)}


def fault_of(page, target, anchor):
    place = page.parent / target if target else page
    if "://" in target:
        return None
    if not place.exists():
        return f"no {target}"
    if anchor and place.suffix == ".md" and anchor not in anchors(place):
        return f"no heading #{anchor} in {target or 'it'}"
    return None


def main(root):
    faults = []
    pages = [root / "README.md", root / "CHANGELOG.md", *sorted(root.glob("docs/**/*.md"))]
    for page in pages:
        for target, anchor in LINK.findall(page.read_text(encoding="utf-8")):
            fault = fault_of(page, target, anchor)
            if fault:
                faults.append(f"{page.relative_to(root)}: {fault}")
    index = (root / "docs/README.md").read_text(encoding="utf-8")
    for page in sorted(root.glob("docs/*.md")):
        if page.name != "README.md" and f"({page.name})" not in index:
            faults.append(f"docs/README.md: does not name {page.name}")
    print("\n".join(faults) if faults else f"{len(pages)} pages, every link leads somewhere")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
