"""beadlet measure on a small run: keys, units, choices of frames and fluids, mistakes."""
import json
import math
import os
import shutil
import subprocess
import tempfile
import unittest

BEADLET = os.environ["BEADLET"]

DROP = """\
name: a drop in the plane
dimension: 2
spacing: 0.4 mm
gravity: [0, -1 m/s^2, 0]
time: {end: 6 ms, frames_per_second: 500}
fluids:
  water:
    density: 1000 kg/m^3
    viscosity: 5 mPa s
    surface_tension: 70 mN/m
    volumes: [{sphere: {center: [0, 2.1 mm, 0], radius: 2 mm}}]
  oil:
    density: 900 kg/m^3
    viscosity: 5 mPa s
    surface_tension: 30 mN/m
    volumes: [{sphere: {center: [20 mm, 5 mm, 0], radius: 1 mm}, velocity: [0.25, 0, 0]}]
boundaries:
  glass: {contact_angle: 90 deg, friction: 0.2, shapes: [{plane: {normal: [0, 1, 0], size: 9 mm}}]}
"""
KEYS = {
    "pressure": ["radius", "mean_pressure", "core_pressure"],
    "shape": ["volume", "area", "sphericity", "mode2", "mode3", "mode4", "center"],
    "contact": ["angle", "angle_fit", "base_radius", "height", "load", "friction"],
    "motion": ["speed_center", "speed_max", "kinetic_energy"],
    "column": ["height", "bottom", "cross_section"],
}


class Measure(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.dir = tempfile.mkdtemp(prefix="beadlet-measure-")
        cls.addClassCleanup(shutil.rmtree, cls.dir, True)
        with open(os.path.join(cls.dir, "drop.yaml"), "w") as file:
            file.write(DROP)
        done = cls.call("run", "drop.yaml", "-o", "out", "--threads", "1", "--quiet")
        assert done.returncode == 0, done.stderr

    @classmethod
    def call(cls, *args):
        return subprocess.run([BEADLET, *args], cwd=cls.dir, capture_output=True, text=True, timeout=120)

    def lines(self, *args):
        done = self.call("measure", *args)
        self.assertEqual((done.returncode, done.stderr), (0, ""), args)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_keys(self):
        (everything,) = self.lines("all", "out")
        self.assertEqual(list(everything), ["frame", "time", *KEYS])
        for what, keys in KEYS.items():
            (line,) = self.lines(what, "out")
            self.assertEqual(list(line), ["frame", "time", *keys])
            self.assertEqual(list(everything[what]), keys)
            self.assertEqual(everything[what], {key: line[key] for key in keys})

    def test_frames(self):
        frames = self.lines("motion", "out", "--frame", "all")
        self.assertEqual([line["frame"] for line in frames], [0, 1, 2, 3])
        self.assertAlmostEqual(frames[2]["time"], 0.004)
        self.assertEqual(self.lines("motion", "out", "--frame", "1..2"), frames[1:3])
        self.assertEqual(self.lines("motion", "out", "-f", "2"), frames[2:3])
        self.assertEqual(self.lines("motion", "out", "--frame", "last"), frames[3:])
        self.assertEqual(self.lines("motion", "out"), frames[3:])

    def test_fluids(self):
        (water,) = self.lines("all", "out", "--fluid", "water", "--frame", "0")
        (oil,) = self.lines("all", "out", "--fluid", "oil", "--frame", "0")
        (both,) = self.lines("all", "out", "--frame", "0")
        self.assertAlmostEqual(water["pressure"]["radius"], 2e-3, delta=1e-4)
        self.assertAlmostEqual(oil["shape"]["center"][0], 20e-3, delta=1e-6)
        self.assertAlmostEqual(oil["motion"]["speed_center"], 0.25, places=6)
        area = oil["shape"]["volume"]
        self.assertAlmostEqual(oil["motion"]["kinetic_energy"] / (0.5 * 900 * area * 0.25**2), 1, places=6)
        self.assertAlmostEqual(both["shape"]["volume"] / (water["shape"]["volume"] + area), 1, places=9)
        self.assertIsNone(oil["contact"]["angle"])  # in the air

    def test_numbers_of_the_drop(self):
        (line,) = self.lines("all", "out", "--fluid", "water")
        self.assertTrue(0 < line["contact"]["angle"] < 180)
        self.assertTrue(0 < line["contact"]["base_radius"] < 4e-3)
        self.assertTrue(2e-3 < line["contact"]["height"] < 4.5e-3)
        self.assertTrue(0.7 < line["shape"]["sphericity"] < 1.01)
        self.assertAlmostEqual(line["pressure"]["radius"], math.sqrt(line["shape"]["volume"] / math.pi), places=9)
        self.assertGreater(line["contact"]["load"], 0)

    def test_mistakes(self):
        os.makedirs(os.path.join(self.dir, "empty"), exist_ok=True)
        bare = os.path.join(self.dir, "bare")
        os.makedirs(bare, exist_ok=True)
        shutil.copy(os.path.join(self.dir, "out", "run.json"), bare)
        for code, args, message in [
            (2, ["shap", "out"], 'cannot measure "shap" (did you mean shape?)'),
            (2, ["zzzzzz", "out"], "none of: pressure shape contact motion column all"),
            (2, ["shape"], "missing operand"),
            (2, ["shape", "out", "--fluid", "milk"], 'no fluid is called "milk"; there is water, oil'),
            (2, ["shape", "out", "--fluid", "glass"], 'no fluid is called "glass"'),
            (2, ["shape", "out", "--frame", "3..1"], '--frame: "3..1" is neither'),
            (2, ["shape", "out", "--frame", "soon"], '--frame: "soon" is neither'),
            (66, ["shape", "out", "--frame", "99"], "there is no frame 99; the run has 0 to 3"),
            (66, ["shape", "nowhere"], "nowhere"),
            (66, ["shape", "empty"], "empty"),
            (66, ["shape", "bare"], "the run has no frames yet"),
        ]:
            with self.subTest(args=args):
                done = self.call("measure", *args)
                self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
                self.assertIn(message, done.stderr)


if __name__ == "__main__":
    unittest.main()
