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


def removed(steps, time):
    """Particles that have left by then."""
    return max((int(float(step["removed"])) for step in steps if float(step["time"]) <= time * (1 + 1e-9)), default=0)


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


def around(cells, p, edge):
    """The points in the cells of that edge about p."""
    home = [math.floor(c / edge) for c in p]
    steps = (-1, 0, 1)
    return (q for i in steps for j in steps for k in steps
            for q in cells.get((home[0] + i, home[1] + j, home[2] + k), ()))


def outer_radius(points):
    """Radius that nine tenths of the points lie within."""
    radii = sorted(math.hypot(p[0], p[1]) for p in points)
    return round(radii[int(0.9 * (len(radii) - 1))], 1)


def mean(values):
    values = list(values)
    return round(sum(values) / max(1, len(values)), 2)


def over_frames(directory, fluid, numbers):
    """A row of `numbers(points)` for every frame that has liquid."""
    rows = []
    for file in frames(directory, fluid):
        points = read_ply(file)
        if points:
            rows.append({"frame": int(file[-10:-4]), "particles": len(points), **numbers(points)})
    return rows


def near_axis(points, radius):
    return sum(math.hypot(p[0], p[1]) < radius for p in points)


def crown(directory):
    """The highest particle and the number of pieces."""
    h = 1e3 * scene(directory)["spacing"]
    return over_frames(directory, "water", lambda points: {"top": round(max(p[2] for p in points), 2),
                                                           "pieces": len(pieces(points, 2 * h))})


def sheet(directory, lowest, highest, numbers):
    """`numbers(points)` of every slab of 2 mm of the last frame, from above."""
    points, rows = read_ply(frames(directory, "water")[-1]), []
    for z in range(highest, lowest, -2):
        slab = [p for p in points if z - 2 <= p[2] < z]
        rows.append({"z": z - 1, "particles": len(slab), **(numbers(slab) if slab else {})})
    return rows


def width(points, axis):
    """How wide nine tenths of the points lie along an axis: a few drops that fly about do not count."""
    places = sorted(p[axis] for p in points)
    cut = len(places) // 20
    return round(places[-1 - cut] - places[cut], 1)


def chain(directory):
    """Width across the plane of the jets (y) and in it (x); the fewest particles on the axis in a quarter of the slab."""

    def numbers(slab):
        top = max(p[2] for p in slab)
        quarters = [sum(abs(p[1]) < 0.5 and 0 <= 2 * (top - p[2]) - k < 1 for p in slab) for k in range(4)]
        return {"across": width(slab, 1), "along": width(slab, 0), "middle": min(quarters)}

    return sheet(directory, -40, 4, numbers)


def bell(directory):
    """Radius of the sheet, and the particles on its axis."""
    return sheet(directory, -36, 2, lambda slab: {"radius": outer_radius(slab), "on_axis": near_axis(slab, 1.5)})


def sphere(directory):
    """Water below the sphere of 5 mm, and how much of that is near the axis."""

    def numbers(points):
        below = [p for p in points if p[2] < -5.5]
        return {"below": len(below), "near_axis": near_axis(below, 2.5)}

    return over_frames(directory, "water", numbers)


def statue(directory):
    """Water below the clouds: where it is, and in how many pieces."""
    h = 1e3 * scene(directory)["spacing"]

    def numbers(points):
        on = [p for p in points if p[2] < 38]
        return {"on": len(on), "height": mean(p[2] for p in on), "largest": max(pieces(on, 2 * h), default=0)}

    return over_frames(directory, "water", numbers)


def lily(directory):
    """Water and dirt on the flower: how much has come to the middle; dirt that sticks to water, and that lies alone."""
    h, rows = 1e3 * scene(directory)["spacing"], []
    for files in zip(frames(directory, "water"), frames(directory, "dirt")):
        water, dirt = ([p for p in read_ply(file) if p[2] < 16] for file in files)
        cells = {}
        for p in water:
            cells.setdefault(tuple(math.floor(c / (1.5 * h)) for c in p), []).append(p)
        wet = sum(any(math.dist(p, q) < 1.5 * h for q in around(cells, p, 1.5 * h)) for p in dirt)
        rows.append({"frame": int(files[0][-10:-4]), "on": len(water), "in_the_middle": near_axis(water, 6),
                     "dirt": len(dirt), "dirt_in_the_middle": near_axis(dirt, 6), "dirt_on_water": wet})
    return rows


def capillaries(directory):
    """Rise between the plates over the bath, and what theory says."""
    points, rows = read_ply(frames(directory, "water")[-1]), []
    bath = [p for p in points if abs(p[0]) > 21]
    for low, high in ((-9.5, -8), (-2.25, 0), (6, 9.5)):
        inside = [p for p in points if abs(p[0] - (low + high) / 2) < (high - low) / 6]
        tops = [max(p[1] for p in group) for group in (inside, bath)]
        ideal = 2 * 72.8e-3 * math.cos(math.radians(40)) / (998 * 9.81 * (high - low) * 1e-3) * 1e3
        rows.append({"gap": high - low, "rise": round(tops[0] - tops[1], 2), "theory": round(ideal, 2)})
    return rows


def sponge(directory):
    """Height below which 95 % of the sponge are, and its highest particle; water within its outline as it is bent in each
    frame, below the grate of 1.5 mm, and gone."""
    rows, steps, rate = [], series(directory), scene(directory)["time"]["frames_per_second"]
    for file in frames(directory, "water"):
        points, solid = read_ply(file), read_ply(file.replace("water_", "sponge_"))
        low, high = ([pick(p[a] for p in solid) for a in range(3)] for pick in (min, max))
        inside = sum(all(low[a] <= p[a] <= high[a] for a in range(3)) for p in points)
        height = sorted(p[2] for p in solid)[int(0.95 * len(solid))]
        rows.append({"frame": int(file[-10:-4]), "particles": len(points), "inside": inside,
                     "height": round(height, 1), "top": round(high[2], 1),
                     "below": sum(p[2] < -1.5 for p in points), "removed": removed(steps, int(file[-10:-4]) / rate)})
    return rows


def connected(directory):
    return over_frames(directory, "water", lambda points: {"left": sum(p[0] < 0 for p in points)})


def bubbles(directory):
    h = 1e3 * scene(directory)["spacing"]
    return over_frames(directory, "gas", lambda points: {"height": mean(p[2] for p in points),
                                                         "pieces": pieces(points, 2 * h)[:5]})


def window(directory):
    """Water on the pane, in how many pieces, and what has left it."""
    h, rate = 1e3 * scene(directory)["spacing"], scene(directory)["time"]["frames_per_second"]
    steps = series(directory)

    def numbers(points):
        on = [p for p in points if p[0] < 2.5]
        sizes = pieces(on, 2 * h)
        return {"on": len(on), "pieces": len(sizes), "largest": max(sizes, default=0), "height": mean(p[2] for p in on)}

    rows = over_frames(directory, "water", numbers)
    for row in rows:
        row["removed"] = removed(steps, row["frame"] / rate)
    return rows


def marks(directory):
    """Places of the printer's bitmap on the sheet, (y, z) in mm: those with ink, and those without."""
    head = next(iter(scene(directory)["printers"].values()))
    y, z, pitch = 1e3 * head["position"][1], 1e3 * head["position"][2], 1e3 * head["pitch"]
    with_ink, without = [], []
    for line, text in enumerate(head["bitmap"].split()):
        for column, letter in enumerate(text):
            (with_ink if letter == "#" else without).append((y + column * pitch, z - line * pitch))
    return with_ink, without, pitch


def inkjet(directory):
    """Height of the ink; how many marks of the bitmap have ink on them, and how many gaps."""
    with_ink, without, pitch = marks(directory)

    def count(places, points):
        return sum(any(math.dist(place, p[1:]) < 0.3 * pitch for p in points) for place in places)

    def numbers(points):
        on = [p for p in points if p[0] < 2]
        return {"on": len(on), "height": mean(p[2] for p in on), "marks": count(with_ink, on), "of": len(with_ink),
                "gaps": count(without, on), "gaps_of": len(without)}

    return over_frames(directory, "ink", numbers)


def wetting(directory):
    """Height of the drop, and the radius that nine tenths of it lie within."""
    return over_frames(directory, "water", lambda points: {"height": round(max(p[2] for p in points), 2),
                                                           "radius": outer_radius(points)})


def slope(directory):
    """How far down the slope of 45 degrees the middle of the drop is."""
    return over_frames(directory, "water", lambda points: {"way": mean((p[0] - p[2]) / math.sqrt(2) for p in points)})


def separated(directory):
    """Over the last fifth of the run: kinetic over surface energy, compression, iterations a step."""
    rows = series(directory)
    late = rows[-len(rows) // 5:]

    def over(name):
        return sum(float(row[name]) for row in late) / len(late)

    return [{"motion": over("energy_kinetic") / over("energy_fv"), "compression": over("volume_error_mean"),
             "iterations": over("iterations")}]


def touching(groups, reach):
    """How many points of all groups are within reach of a point of another group."""
    cells = {}
    for k, group in enumerate(groups):
        for p in group:
            cells.setdefault(tuple(math.floor(c / reach) for c in p[:2]), []).append((k, p))
    found = 0
    for (i, j), inside in cells.items():
        around = [q for a in (-1, 0, 1) for b in (-1, 0, 1) for q in cells.get((i + a, j + b), ())]
        found += sum(any(k != other and math.dist(p, q) < reach for other, q in around) for k, p in inside)
    return found


def fluids_apart(directory, names):
    """Pieces of all liquid (2D), and particles near a particle of another fluid, for every frame."""
    h, rows = 1e3 * scene(directory)["spacing"], []
    for files in zip(*(frames(directory, name) for name in names)):
        groups = [read_ply(file) for file in files]
        points = [p for group in groups for p in group]
        rows.append({"frame": int(files[0][-10:-4]), "particles": len(points), "touching": touching(groups, 1.5 * h),
                     "pieces": len(pieces(points, 2 * h)), "height": mean(p[1] for p in points),
                     "heights": [mean(p[1] for p in group) for group in groups]})
    return rows


def board(directory):
    return fluids_apart(directory, "abcde")


def rayleigh_taylor(directory):
    return fluids_apart(directory, ("heavy", "middle", "light"))


SCENES = {"crown": crown, "chain": chain, "bell": bell, "sphere": sphere, "capillaries": capillaries, "window": window,
          "window_slippery": window, "statue": statue, "lily": lily, "inkjet": inkjet, "sponge": sponge,
          "connected": connected, "connected_valve": connected, "connected_pairwise": connected, "bubbles": bubbles,
          "wetting": wetting, "slope": slope, "separated": separated,
          "board": board, "board_none": board, "board_air": board, "board_walls": board,
          "rayleigh_taylor": rayleigh_taylor, "rayleigh_taylor_high": rayleigh_taylor}

if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in SCENES:
        sys.exit(f"{__doc__}\n\nknown scenes: {', '.join(SCENES)}")
    for numbers in SCENES[sys.argv[1]](sys.argv[2]):
        print("  ".join(f"{name} {value}" for name, value in numbers.items()))
