#!/usr/bin/env python3
"""Numbers of the scenes that show the paper's figures: figure_numbers.py SCENE DIR

DIR holds a run of scenes/SCENE.yaml with its frames as PLY: `beadlet convert DIR` first (it writes DIR/ply).
Needs nothing but Python. docs/figures.md says what each number should be."""
import csv
import glob
import json
import math
import struct
import sys

SIZES = {"float": 4, "float32": 4, "double": 8, "uint": 4, "uint32": 4, "int": 4}


def read_ply(path):
    """Positions (and velocities) of one frame, in mm and m/s."""
    data = open(path, "rb").read()
    head, body = data.split(b"end_header\n", 1)
    count, names, size = 0, {}, 0
    for line in head.decode().split("\n"):
        words = line.split()
        if words[:2] == ["element", "vertex"]:
            count = int(words[2])
        if words[:1] == ["property"]:
            names[words[2]] = size
            size += SIZES[words[1]]
    return [[1e3 * c for c in struct.unpack_from("<3f", body, i * size)] for i in range(count)]


def frames(directory, fluid="*"):
    files = sorted(glob.glob(f"{directory}/ply/{fluid}_0*.ply")) or sorted(
        glob.glob(f"{directory}/frames/{fluid}_0*.ply"))
    if not files:
        sys.exit(f"{directory}: no PLY frames; run: beadlet convert {directory}")
    return files


def scene(directory):
    return json.load(open(f"{directory}/run.json"))["scene"]


def series(directory):
    return list(csv.DictReader(open(f"{directory}/series.csv")))


def pieces(points, reach):
    """Sizes of the groups of points that hang together within `reach`, the largest first."""
    cells = {}
    for i, p in enumerate(points):
        cells.setdefault(tuple(math.floor(c / reach) for c in p), []).append(i)
    seen, sizes = [False] * len(points), []
    for start in range(len(points)):
        if seen[start]:
            continue
        seen[start], stack, size = True, [start], 0
        while stack:
            i = stack.pop()
            size += 1
            home = [math.floor(c / reach) for c in points[i]]
            for n in range(27):
                cell = (home[0] + n % 3 - 1, home[1] + n // 3 % 3 - 1, home[2] + n // 9 - 1)
                for j in cells.get(cell, ()):
                    if not seen[j] and math.dist(points[i], points[j]) < reach:
                        seen[j] = True
                        stack.append(j)
        sizes.append(size)
    return sorted(sizes, reverse=True)


def slabs(points, axis, edges, value):
    """`value` of the points between each two of `edges` along an axis; None where there are none."""
    out = []
    for low, high in zip(edges, edges[1:]):
        inside = [p for p in points if low <= p[axis] < high]
        out.append(value(inside) if inside else None)
    return out


def width(axis):
    return lambda points: round(max(p[axis] for p in points) - min(p[axis] for p in points), 1)


def outer_radius(points):
    """Radius that nine tenths of the points lie within."""
    radii = sorted(math.hypot(p[0], p[1]) for p in points)
    return round(radii[int(0.9 * (len(radii) - 1))], 1)


def crown(directory):
    h = 1e3 * scene(directory)["spacing"]
    for file in frames(directory, "water"):
        points = read_ply(file)
        print(file[-10:-4], "top", round(max(p[2] for p in points), 2), "mm, pieces", len(pieces(points, 2 * h)))


def chain(directory):
    points = read_ply(frames(directory, "water")[-1])
    edges = list(range(4, -24, -2))[::-1]
    print("z from", edges[0], "mm in steps of 2 mm")
    print("width along y:", slabs(points, 2, edges, width(1)))
    print("width along x:", slabs(points, 2, edges, width(0)))


def bell(directory):
    points = read_ply(frames(directory, "water")[-1])
    edges = list(range(2, -38, -2))[::-1]
    print("z from", edges[0], "mm in steps of 2 mm; radius of the sheet:", slabs(points, 2, edges, outer_radius))
    print("particles within 1.5 mm of the axis:",
          slabs(points, 2, edges, lambda slab: sum(math.hypot(p[0], p[1]) < 1.5 for p in slab)))


def sphere(directory):
    for file in frames(directory, "water"):
        points = read_ply(file)
        if points:
            below = [p for p in points if p[2] < -5.5]
            axis = [p for p in below if math.hypot(p[0], p[1]) < 2.5]
            print(file[-10:-4], "particles", len(points), "below", len(below), "within 2.5 mm of the axis", len(axis))


def capillaries(directory):
    points = read_ply(frames(directory, "water")[-1])
    bath = [p for p in points if abs(p[0]) > 21]
    for low, high in ((-9.5, -8), (-2.25, 0), (6, 9.5)):
        inside = [p for p in points if abs(p[0] - (low + high) / 2) < (high - low) / 6]
        tops = [max(p[1] for p in group) for group in (inside, bath)]
        ideal = 2 * 72.8e-3 * math.cos(math.radians(40)) / (998 * 9.81 * (high - low) * 1e-3) * 1e3
        print(f"{high - low:.2f} mm: {tops[0] - tops[1]:.2f} mm over the bath, theory {ideal:.2f} mm")


def sponge(directory):
    """Water within the outline of the sponge as it is bent in each frame, and beside it."""
    for file in frames(directory, "water"):
        points, solid = read_ply(file), read_ply(file.replace("water_", "sponge_"))
        low, high = ([pick(p[a] for p in solid) for a in range(3)] for pick in (min, max))
        inside = sum(all(low[a] <= p[a] <= high[a] for a in range(3)) for p in points)
        print(file[-10:-4], "sponge", round(high[2], 1), "mm high, particles", len(points), "inside", inside)


def connected(directory):
    for file in frames(directory, "water"):
        points = read_ply(file)
        print(file[-10:-4], "particles", len(points), "left of the middle", sum(p[0] < 0 for p in points))


def bubbles(directory):
    h = 1e3 * scene(directory)["spacing"]
    for file in frames(directory, "gas"):
        points = read_ply(file)
        print(file[-10:-4], "mean height of the gas", round(sum(p[2] for p in points) / len(points), 1), "mm, pieces",
              pieces(points, 2 * h)[:5])


def window(directory):
    rows, points = series(directory), read_ply(frames(directory, "water")[-1])
    on = [p for p in points if p[0] < 2.5]
    print("emitted", rows[-1]["emitted"], "removed", rows[-1]["removed"], "on the pane", len(on), "pieces there",
          len(pieces(on, 1.2)), "mean height", round(sum(p[2] for p in on) / max(1, len(on)), 1), "mm")


def inkjet(directory):
    for file in frames(directory, "ink"):
        points = [p for p in read_ply(file) if p[0] < 2]
        if points:
            print(file[-10:-4], "particles", len(points), "mean height", round(sum(p[2] for p in points) / len(points), 2),
                  "lowest", round(min(p[2] for p in points), 2), "mm")


def board(directory):
    groups = [[read_ply(f) for f in frames(directory, fluid)] for fluid in "abcde"]
    points = [p for group in groups for p in group[-1]]
    h = 1e3 * scene(directory)["spacing"]
    mixed = 0
    for k, group in enumerate(groups):
        others = [p for n, g in enumerate(groups) if n != k for p in g[-1]]
        mixed += sum(any(math.dist(p, q) < 1.5 * h for q in others) for p in group[-1])
    print("pieces", len(pieces(points, 2 * h)), "particles that touch another drop", mixed, "of", len(points))


SCENES = {"crown": crown, "chain": chain, "bell": bell, "sphere": sphere, "capillaries": capillaries, "window": window,
          "window_slippery": window, "statue": sphere, "inkjet": inkjet, "sponge": sponge, "connected": connected,
          "connected_valve": connected, "connected_pairwise": connected, "bubbles": bubbles, "board": board, "board_none": board,
          "board_air": board, "board_walls": board}

if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in SCENES:
        sys.exit(f"{__doc__}\n\nknown scenes: {', '.join(SCENES)}")
    SCENES[sys.argv[1]](sys.argv[2])
