#!/usr/bin/env python3
# label: slow
"""What each figure claims, as a number: the shipped scenes at a coarser resolution, some with an effect switched off.

test_figure_scenes.py [NAME...] runs all or the named ones. tools/figure_numbers.py makes the numbers; docs/figures.md has
them at full resolution. Whatever is compared with a bare number was measured with and without the effect, and the bound
lies between: the comments say what comes out."""
import os
import subprocess
import sys
import tempfile

SOURCE = os.environ["SOURCE_DIR"]
sys.path.insert(0, os.path.join(SOURCE, "tools"))
import figure_numbers  # noqa: E402

failures = []


def check(what, holds, *found):
    if not holds:
        failures.append(f"{what}; found {', '.join(str(f) for f in found)}")


def run(scene, until, *settings):
    """The scene's numbers, a row a frame or a slab, after `until` ms with keys set as KEY=VALUE."""
    with tempfile.TemporaryDirectory() as directory:
        command = [os.environ["BEADLET"], "run", os.path.join(SOURCE, "scenes", scene + ".yaml"), "-o", directory,
                   "--quiet", "--threads", "1", "--until", f"{until} ms", "--set", "output.formats=[ply]"]
        for setting in settings:
            command += ["--set", setting]
        subprocess.run(command, check=True)
        return figure_numbers.SCENES[scene](directory)


def at(rows, **key):
    """The row with that frame or z."""
    (name, value), = key.items()
    return next(row for row in rows if row[name] == value)


def crown():
    """Figure 6: the crown rises, and breaks into drops; without tension it falls to dust."""
    rows = run("crown", 12)
    loose = run("crown", 12, "fluids.water.surface_tension=0")
    check("the crown does not rise to five times the pool", rows[-1]["top"] > 12.5, rows[-1])  # 13.7 mm
    check("the crown does not break", rows[-1]["pieces"] >= 10, rows[-1])  # 30
    check("it is in pieces at once", at(rows, frame=0)["pieces"] <= 2, rows[0])  # the pool, and the drop above it
    check("tension makes no difference", loose[-1]["pieces"] > 2.5 * rows[-1]["pieces"], rows[-1], loose[-1])  # 142 and 28


def chain():
    """Figure 7: a whole sheet across the plane of the jets, whose rims are drawn together and meet; what comes out of their
    collision is a second sheet, in the plane of the jets. Without tension the first one goes on."""
    rows, loose = run("chain", 110, "spacing=0.55 mm"), run("chain", 80, "spacing=0.55 mm", "fluids.water.surface_tension=0")
    wide, second = at(rows, z=-9), at(rows, z=-37)
    waist = min(rows, key=lambda row: max(row["across"], row["along"]) if -35 < row["z"] < -9 else 99)
    check("no sheet", wide["across"] > 3 * wide["along"], wide)
    check("rims do not meet", max(waist["across"], waist["along"]) < 0.6 * wide["across"], wide, waist)
    check("the first link has a hole", all(row["middle"] > 0 for row in rows if row["z"] > waist["z"]), rows)
    check("no second link", second["along"] > 1.8 * second["across"], second)
    check("tension makes no difference", at(loose, z=-21)["across"] > 3 * waist["across"], at(loose, z=-21))


def bell():
    """Figure 8: the sheet goes out, bends in and meets again on the axis; without tension it goes on out."""
    rows, loose = run("bell", 120, "spacing=0.65 mm"), run("bell", 120, "spacing=0.65 mm", "fluids.water.surface_tension=0")
    middle, below = at(rows, z=-13), at(rows, z=-31)
    check("there is no hollow sheet", middle["on_axis"] == 0 and middle["radius"] > 7, middle)
    check("the bell does not close", below["on_axis"] > 30 and below["radius"] < 0.65 * middle["radius"], below)
    spray = at(loose, z=-31)
    check("it closes without tension", spray.get("on_axis", 0) < 10 and spray.get("radius", 99) > 2 * below["radius"], below, spray)


def sphere():
    """Figure 9: water flows around the sphere and merges below; when the stream has stopped, it stays on the sphere. It does
    neither on one that repels it and has no friction."""
    rows = run("sphere", 220)  # coarser, 73 to 84 % of the water below are on the axis, from one spacing to the next
    off = run("sphere", 220, "boundaries.sphere.contact_angle=150 deg", "boundaries.sphere.friction=0")
    # what hangs below swings to and fro
    hanging = [row for row in rows if row["frame"] >= 12 and row["below"] > 200]
    merged, rest = max(hanging or rows, key=lambda row: row["near_axis"] / max(row["below"], 1)), at(rows, frame=22)
    check("water does not merge below", merged["near_axis"] > 0.8 * merged["below"] > 200, merged)  # 458 of 493
    check("water does not stay", rest["particles"] - rest["below"] > 0.6 * merged["particles"], rest)
    shed = off[-1]
    check("it stays on any sphere", shed["particles"] - shed["below"] < 0.3 * merged["particles"], merged, shed)


def rayleigh_taylor():
    """Figure 10: fluids change places, and mix less with a higher tension between them."""
    low, high = (run(name, 340, "spacing=1 mm")[-1] for name in ("rayleigh_taylor", "rayleigh_taylor_high"))
    check("the heaviest does not sink", low["heights"][0] < 27 and high["heights"][0] < 29, low, high)
    check("tension does not smooth", high["touching"] < 0.6 * low["touching"], low, high)  # 210 and 550


def board():
    """Figure 12: what the energies to air, to walls and to each other do, one after the other."""
    none, air, walls, apart = (run(name, 240, "spacing=0.45 mm")[-1]
                               for name in ("board_none", "board_air", "board_walls", "board"))
    check("without energies the liquid stays together", none["pieces"] >= 4, none)  # 8
    check("drops with an energy to air do not merge", air["pieces"] == 1 and air["touching"] > 180, air)  # 246 of 260
    check("drops with an energy to walls do not merge", walls["pieces"] <= 2 and walls["touching"] > 180, walls)  # 221
    check("drops with an energy to walls stick", walls["height"] < air["height"], air, walls)
    check("drops with an energy to each other merge", apart["touching"] < 100, apart)  # 50 of 260


def wetting():
    """Figure 13: a ball, a half ball, a film of one or two particles, and back to a ball."""
    rows, dry = run("wetting", 210, "spacing=0.3 mm"), run("wetting", 120, "spacing=0.35 mm", "boundaries.plate.boundary_vapor=0")
    ball, half, film, risen, again = (at(rows, frame=frame) for frame in (3, 7, 12, 17, 20))
    check("no half ball", 0.6 * ball["height"] < half["height"] < 0.85 * ball["height"], ball, half)  # 1.64 of 2.2 mm
    check("a film without wetting", dry[-1]["height"] > 0.8 * half["height"], half, dry[-1])  # 1.64 mm
    check("no film", film["height"] < 0.6 and film["radius"] > 2 * half["radius"], half, film)  # 0.49 mm
    check("the film does not draw together", risen["height"] > 1.5 * film["height"], film, risen)  # 0.93 mm
    check("no ball again", again["height"] > 0.85 * ball["height"], ball, again)


def connected():
    """Figure 15: the small drop empties into the big one; with forces between all pairs (S = 1) it does not."""
    rows, pairwise = (run(name, 60, "spacing=0.2 mm") for name in ("connected", "connected_pairwise"))
    check("the small drop stays", rows[-1]["left"] < 0.35 * rows[0]["left"], rows[0], rows[-1])
    check("pairwise forces empty it", pairwise[-1]["left"] > 0.85 * rows[0]["left"], pairwise[0], pairwise[-1])


def slope():
    """Figure 16: the drop sticks to the slope until friction fades, and then slides."""
    rows = run("slope", 110, "spacing=0.35 mm")
    check("it creeps", at(rows, frame=12)["way"] - at(rows, frame=4)["way"] < 0.05, at(rows, frame=12))  # 0.02 mm
    check("it does not slide", rows[-1]["way"] > 2, rows[-1])  # 4.8 mm


def window():
    """Figure 17: with friction drops stay, grow, and run when they are large; without they slide off at once."""
    rows, slippery = run("window", 340, "spacing=0.55 mm"), run("window_slippery", 120, "spacing=0.55 mm")
    early, late, slid = at(rows, frame=5), rows[-1], at(slippery, frame=5)
    largest = max(row["largest"] for row in rows)
    check("small drops run", early["removed"] < 0.01 * early["particles"] and early["height"] > 12, early)  # but for spray
    check("drops do not grow", largest > 2 * early["largest"], early, largest)  # 574 and 192
    check("large drops do not run", late["removed"] > 300 > at(rows, frame=10)["removed"], late)  # 855, and 42
    check("all water runs", late["on"] > 400, late)  # 786
    check("friction makes no difference", slid["removed"] > 0.3 * slid["particles"], slid)


def separated():
    """Figure 18: only the unified solve holds the volume and rests with few iterations."""
    unified, tension, pressure = (run("separated", 60, "spacing=0.4 mm", f"scheme.order={order}")[0]
                                  for order in ("unified", "tension_first", "pressure_first"))
    check("tension first is as fast", tension["iterations"] > 2 * unified["iterations"], unified, tension)
    check("pressure first holds the volume", pressure["compression"] > 10 * unified["compression"], unified, pressure)
    check("pressure first rests", pressure["motion"] > 3 * unified["motion"], unified, pressure)


def lily():
    """Figure 21: drops stay on the petals at first, grow, and roll to the middle; on petals that hold them they do not.
    They take up the dirt, but not if the interface to it costs as much as that to air; without rain it lies where it is."""
    coarse = ("lily", 180, "spacing=0.7 mm")
    clean = coarse + ("rain.dust.rate=0.001 Hz", "rain.shower.start=0 s", "rain.shower.rate=180 Hz")
    rows, held = run(*clean), run(*clean, "boundaries.lily.friction=3", "boundaries.lily.contact_angle=60 deg")
    check("the flower does not hold water", rows[-1]["on"] > 400, rows[-1])
    check("water begins in the middle", at(rows, frame=2)["in_the_middle"] < 0.15 * at(rows, frame=2)["on"], at(rows, frame=2))
    check("it does not roll to the middle", rows[-1]["in_the_middle"] > 0.2 * rows[-1]["on"], rows[-1])  # 215 of 740
    check("it does so on petals that hold it", held[-1]["in_the_middle"] < 0.15 * held[-1]["on"], held[-1])
    dirty, apart = run(*coarse)[-1], run(*coarse, "fluids.water.fluid_fluid=72.8 mN/m", "fluids.dirt.fluid_fluid=72.8 mN/m")[-1]
    check("there is no dirt", min(dirty["dirt"], apart["dirt"]) > 400, dirty, apart)
    check("drops do not take up dirt", dirty["dirt_on_water"] > 0.3 * dirty["dirt"], dirty)
    rainless = run(*coarse, "rain.shower.rate=0.001 Hz")[-1]
    dry, left = dirty["dirt"] - dirty["dirt_on_water"], rainless["dirt"] - rainless["dirt_on_water"]
    check("rain does not wash", left > 400 and dry < 0.4 * left, dirty, rainless)
    check("the interface between them does not matter", apart["dirt_on_water"] < 0.6 * dirty["dirt_on_water"], dirty, apart)


def sponge():
    """Figure 22: an elastic sponge on a grate holds the drops; pressed, it lets them out below."""
    rows = run("sponge", 260, "spacing=0.7 mm")
    soaked, pressed = at(rows, frame=10), at(rows, frame=13)
    check("it does not soak the water up", soaked["inside"] > 0.75 * soaked["particles"] > 900, soaked)  # 1291 of 1583
    check("it leaks", soaked["below"] + soaked["removed"] < 0.05 * soaked["particles"], soaked)  # 30
    check("it is not pressed", pressed["height"] < 0.6 * soaked["height"], soaked, pressed)  # 2.8 of 5.6 mm
    check("struts stand above the plate", pressed["top"] < 3, pressed)  # its lower side is at 3 mm
    check("pressed water stays in it", pressed["below"] > 0.25 * pressed["particles"], pressed)  # 543 of 1052, and 541 have dripped off


def statue():
    """Figure 24: drops stick to the figure and run together; without friction they run down."""
    rows = run("statue", 200, "spacing=0.7 mm")
    loose = run("statue", 200, "spacing=0.7 mm", "boundaries.statue.friction=0", "boundaries.statue.viscosity=0")
    check("water leaves the figure", rows[-1]["on"] > 0.9 * rows[-1]["particles"] > 500, rows[-1])
    check("drops do not run together", rows[-1]["largest"] > 200, rows[-1])  # 634 of 681; a drop has 8
    check("friction makes no difference", loose[-1]["height"] < rows[-1]["height"] - 4, rows[-1], loose[-1])  # 25 and 17 mm


def inkjet():
    """Figure 25: the letters are where they were printed while friction holds them, and run when it fades."""
    rows = run("inkjet", 160, "spacing=0.5 mm")
    printed, kept, run_down = at(rows, frame=10), at(rows, frame=12), at(rows, frame=16)
    check("a mark without ink", kept["marks"] == kept["of"] == 50, kept)
    check("ink beside the marks", kept["gaps"] == 0, kept)
    check("the ink sinks while it is held", abs(kept["height"] - printed["height"]) < 0.05, printed, kept)
    check("the ink stays without friction", run_down["height"] < kept["height"] - 1 and run_down["marks"] < 25, run_down)


FIGURES = (crown, chain, bell, sphere, rayleigh_taylor, board, wetting, connected, slope, window, separated, lily, sponge, statue, inkjet)

if __name__ == "__main__":
    names = sys.argv[1:]
    for figure in FIGURES:
        if not names or figure.__name__ in names:
            before = os.times()
            figure()
            after = os.times()
            print(f"{figure.__name__}: {after.children_user - before.children_user:.1f} s of processor time", flush=True)
    for failure in failures:
        print("FAILED:", failure)
    sys.exit(1 if failures else 0)
