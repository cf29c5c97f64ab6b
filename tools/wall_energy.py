#!/usr/bin/env python3
"""What a wetted wall costs or gains, against Young's equation: slabs of liquid at rest on a wall, in periodic space.

    wall_energy.py BEADLET [2|3] [cubic|smooth] [seed=N] [DEGREES...]

A slab on a wall has one free surface, and a film two; what remains of the slab's energy is the wall's. Less the energy of
the dry wall it must be -gamma cos(theta). src/schemes/unified/walls.c has a table made with this program; with it in place
both columns agree. One line an angle: asked for, -cos, energy over gamma, the angle that means. Kernels are cubic unless
smooth ones (3D) are asked for."""
import csv
import math
import subprocess
import sys
import tempfile
from pathlib import Path

GAMMA = 0.07
WIDE = {2: 40, 3: 12}  # mm, the spacing being 1 mm
DEEP = {2: 10, 3: 8}
SECONDS = {(2, "cubic"): 0.6, (3, "cubic"): 0.25, (3, "smooth"): 1}  # smooth kernels leave slabs bouncing for longer


def scene(dimension, settings, bottom, angle):
    """A slab whose lower side is `bottom` mm over the wall; no wall without an angle."""
    half, up = WIDE[dimension] / 2, dimension - 1
    low, high = [-half] * up, [half] * up
    wall = f"""boundaries:
  wall: {{contact_angle: {angle} deg, viscosity: 0 Pa s, shapes: [{{plane: {{normal: {[0] * up + [1]}}}}}]}}
""" if angle is not None else ""
    return f"""name: slab
dimension: {dimension}
seed: {settings["seed"]}
scheme: {{kernel: {settings["kernel"]}}}
spacing: 1 mm
time: {{end: {SECONDS[dimension, settings["kernel"]]} s, frames_per_second: 4}}
domain:
  periodic: {['x', 'y'][:up]}
  min: {low + ['-10 mm']}
  max: {high + ['40 mm']}
fluids:
  liquid:
    density: 1000
    viscosity: 50 mPa s
    surface_tension: {GAMMA}
    volumes:
      - box: {{min: {low + [f'{bottom} mm']}, max: {high + [f'{bottom + DEEP[dimension]} mm']}}}
        filling: jittered
        jitter: 0.1
{wall}""".replace("'", "")


def energy(program, dimension, settings, bottom, angle, until=None):
    """Interface energy per area over gamma: the mean of the second half of a run."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        (path / "slab.yaml").write_text(scene(dimension, settings, bottom, angle), encoding="utf-8")
        command = [program, "run", path / "slab.yaml", "-o", path / "out", "-q", "-t", "1"]
        subprocess.run(command + (["--until", until] if until else []), check=True)
        with open(path / "out" / "series.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    rows = rows[len(rows) // 2:]
    area = (WIDE[dimension] * 1e-3) ** (dimension - 1)
    sums = {name: sum(float(row[name]) for row in rows) / len(rows) / area / GAMMA
            for name in ("energy_fv", "energy_bf", "energy_bv")}
    return sums["energy_fv"], sums["energy_bf"] + sums["energy_bv"]


def main():
    program = sys.argv[1]
    dimension = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    settings, angles = {"kernel": "cubic", "seed": 1}, []
    for word in sys.argv[3:]:
        if word in ("cubic", "smooth"):
            settings["kernel"] = word
        elif word.startswith("seed="):
            settings["seed"] = int(word[5:])
        else:
            angles.append(float(word))
    surface = energy(program, dimension, settings, 0, None)[0] / 2
    for angle in angles or [45, 60, 75, 105, 120, 135, 150]:
        own, wall = energy(program, dimension, settings, 0, angle)
        dry = energy(program, dimension, settings, 20, angle, "5 ms")[1]
        cost = own - surface + wall - dry
        means = math.degrees(math.acos(max(-1, min(1, -cost))))
        print(f"{angle:6.1f} {-math.cos(math.radians(angle)):7.3f} {cost:7.3f} {means:7.1f}", flush=True)


main()
