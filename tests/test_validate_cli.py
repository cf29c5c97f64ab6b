"""beadlet validate on small cases: verdicts, exit codes, reuse of finished runs, records, mistakes in case files."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

BEADLET = os.environ["BEADLET"]
SCENE = """\
spacing: 2 mm
dimension: 2
scheme: {interface: particles}
time: {end: 50 ms, frames_per_second: 100}
fluids:
  liquid:
    density: 1000 kg/m^3
    viscosity: 50 mPa s
    surface_tension: 70 mN/m
    volumes: [{sphere: {radius: 10 mm}, filling: jittered}]
"""
CASE = """\
title: A drop & <its> surface
law: E = gamma A
source: the definition
scene: scene.yaml
measure: drop
sweep: R/h
figures:
  energy: {label: energy, aim: 20 %, margin: 1 %}
runs:
  one: {group: 2D, x: 5}
  two: {group: 2D, x: 5.5, set: ["fluids.liquid.volumes[0].sphere.radius=11 mm"], aims: {energy: 0.0001 %}}
  big: {size: full}
summary:
  spread: {label: spread, of: energy, kind: spread, aim: 50 %, margin: 1 %}
"""


class Validate(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="beadlet-validate-"))
        self.addCleanup(shutil.rmtree, self.dir, True)
        self.case = self.dir / "cases/drop"
        self.case.mkdir(parents=True)
        (self.case / "scene.yaml").write_text(SCENE)
        (self.case / "case.yaml").write_text(CASE)

    def call(self, *args):
        return subprocess.run([BEADLET, "validate", *args, "--threads", "1"], cwd=self.dir, capture_output=True,
                              text=True, timeout=120)

    def figures(self, *args):
        done = self.call("--json", "v.json", *args)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        data = json.loads((self.dir / "v.json").read_text())
        return done, {(f["run"], f["figure"]): f for c in data["cases"] for f in c["figures"]}

    def test_verdicts_reuse_and_page(self):
        done, first = self.figures("--html", "v.html")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(set(first), {("one", "energy"), ("two", "energy"), ("all", "spread")})
        self.assertEqual(first["one", "energy"]["verdict"], "met")
        self.assertEqual(first["two", "energy"]["verdict"], "missed")
        error = first["one", "energy"]["measured"] / first["one", "energy"]["law"] - 1
        self.assertAlmostEqual(first["one", "energy"]["error"], error)
        ratios = [first[run, "energy"]["measured"] / first[run, "energy"]["law"] for run in ("one", "two")]
        self.assertAlmostEqual(first["all", "spread"]["measured"], abs(ratios[0] - ratios[1]) / (sum(ratios) / 2))
        page = (self.dir / "v.html").read_text()
        self.assertIn("A drop &amp; &lt;its&gt; surface", page)
        self.assertGreaterEqual(page.count("<svg"), 2)
        again, second = self.figures()
        self.assertEqual(first, second)
        self.assertEqual(again.stderr.count("(done before)"), 2)
        self.assertNotIn("(done before)", done.stderr)
        text = SCENE.replace("70 mN/m", "71 mN/m")
        (self.case / "scene.yaml").write_text(text)
        self.assertNotIn("(done before)", self.figures()[0].stderr)

    def test_records(self):
        self.assertEqual(self.call("--record", "--seeds", "3").returncode, 0)
        recorded = (self.case / "recorded.yaml").read_text()
        self.assertIn("unified:\n  one:\n    energy: {error: ", recorded)
        done, figures = self.figures("drop")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIsNotNone(figures["one", "energy"]["recorded"])
        # a better record than what is reached now
        lines = ["    energy: {error: 1e-9, scatter: 0}" if "energy:" in line else line
                 for line in recorded.splitlines()]
        (self.case / "recorded.yaml").write_text("\n".join(lines).replace("spread: {error: ", "spread: {error: 9"))
        done, figures = self.figures()
        self.assertEqual(done.returncode, 1)
        self.assertEqual(figures["one", "energy"]["verdict"], "WORSE")
        self.assertIn("WORSE", done.stdout)
        # recording replaces the figure and keeps the scatter
        self.assertEqual(self.call("--record").returncode, 0)
        self.assertEqual(self.figures()[0].returncode, 0)

    def test_failed_run(self):
        (self.case / "scene.yaml").write_text(SCENE.replace("time: {", "time: {max_steps: 2, "))
        (self.case / "recorded.yaml").write_text("unified: {one: {energy: {error: 0.01, scatter: 0}}}\n")
        done, figures = self.figures()
        self.assertEqual(figures["one", "energy"]["verdict"], "WORSE")
        self.assertIn("2 steps are too few", figures["one", "energy"]["why"])
        self.assertEqual(figures["two", "energy"]["verdict"], "failed")
        self.assertEqual(done.returncode, 1)

    def test_mistakes(self):
        done = self.call("dorp")
        self.assertEqual(done.returncode, 2)
        self.assertIn('no case "dorp"', done.stderr)
        (self.case / "case.yaml").write_text(CASE.replace("aim: 20 %", "aimm: 20 %").replace("{group: 2D, x: 5}",
                                                                                          "{set: [x]}"))
        done = self.call()
        self.assertEqual(done.returncode, 65)
        self.assertIn("case.yaml:8:27: error: unknown key 'aimm'", done.stderr)
        self.assertIn("expected KEY=VALUE", done.stderr)
        (self.case / "case.yaml").write_text(CASE.replace("measure: drop", "measure: drap"))
        done = self.call()
        self.assertEqual(done.returncode, 65)
        self.assertIn("no measure 'drap'; known are drop", done.stderr)
        self.assertEqual(self.call("--cases", "nowhere").returncode, 66)
        self.assertEqual(self.call("--scheme", "pbd").returncode, 2)

    def test_list(self):
        done = self.call("--list")
        self.assertEqual((done.returncode, done.stdout.split()[0]), (0, "drop"))


if __name__ == "__main__":
    unittest.main()
