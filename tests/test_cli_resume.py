"""Interrupted, killed and resumed runs end in the same state, bit for bit; so do runs with other thread counts."""
import json
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

BEADLET = os.environ["BEADLET"]

# Some thousand quick steps, moving walls included.
LONG = """\
name: long fall
spacing: 0.5 mm
gravity: [0, 0, -9.81 m/s^2]
time: {end: 0.1 s, fixed_step: 25 us, frames_per_second: 200}
scheme: {name: ballistic}
output: {checkpoint_every: 3}
fluids:
  water:
    density: 1000 kg/m^3
    surface_tension: 70 mN/m
    volumes: [{sphere: {center: [0, 0, 5 mm], radius: 3 mm}, angular_velocity: [0, 3, 20]}]
boundaries:
  paddle:
    shapes: [{box: {min: [-2 mm, -2 mm, -2 mm], max: [2 mm, 2 mm, 0]}}]
    velocity: {keyframes: [[0 s, [0, 0, 0]], [0.05 s, [0.1, 0, 0.2]]]}
    angular_velocity: {keyframes: [[0 s, [0, 0, 5]], [0.1 s, [3, 0, 5]]]}
"""

DROP = """\
name: flat drop
dimension: 2
spacing: 0.3 mm
gravity: [0, -9.81 m/s^2, 0]
time: {end: 4 ms, frames_per_second: 5000}
fluids:
  water:
    density: 998 kg/m^3
    viscosity: 1.0 mPa s
    surface_tension: 72.8 mN/m
    volumes: [{sphere: {center: [0, 1.8 mm, 0], radius: 1.5 mm}}]
boundaries:
  table:
    contact_angle: 100 deg
    friction: 0.1
    shapes: [{plane: {normal: [0, 1, 0]}}]
"""

# The same with state of its own (the annex of the particle store).
POINTS = DROP.replace("dimension: 2", "dimension: 2\nscheme: {name: hyde2020}")


class Resume(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="beadlet-resume-")
        self.addCleanup(shutil.rmtree, self.dir, True)
        for name, text in [("long.yaml", LONG), ("drop.yaml", DROP), ("points.yaml", POINTS)]:
            with open(os.path.join(self.dir, name), "w") as file:
                file.write(text)

    def path(self, *parts):
        return os.path.join(self.dir, *parts)

    def run_scene(self, scene, out, *args, code=0):
        done = subprocess.run([BEADLET, "run", scene, "-o", out, *args], cwd=self.dir, capture_output=True, text=True,
                              timeout=300)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr

    def start(self, scene, out, *args):
        return subprocess.Popen([BEADLET, "run", scene, "-o", out, *args], cwd=self.dir, stderr=subprocess.PIPE,
                                text=True)

    def record(self, out):
        with open(self.path(out, "run.json")) as file:
            return json.load(file)

    def assert_same_end(self, one, other):
        a, b = self.record(one), self.record(other)
        self.assertEqual((a["status"], b["status"]), ("done", "done"))
        self.assertEqual((a["steps"], a["time"], a["frames"]), (b["steps"], b["time"], b["frames"]))
        self.assertEqual(a["state_hash"], b["state_hash"])
        frames = sorted(os.listdir(self.path(one, "frames")))
        self.assertEqual(frames, sorted(os.listdir(self.path(other, "frames"))))
        for name in frames:
            with open(self.path(one, "frames", name), "rb") as f, open(self.path(other, "frames", name), "rb") as g:
                self.assertEqual(f.read(), g.read(), name)
        self.assertEqual(self.series(one), self.series(other))

    def series(self, out):
        """All rows without the last column, the wall-clock time."""
        with open(self.path(out, "series.csv")) as file:
            return [line.rsplit(",", 1)[0] for line in file]

    def test_half_and_half(self):
        for scene, half in [("long.yaml", "50 ms"), ("drop.yaml", "2 ms"), ("points.yaml", "2 ms")]:
            with self.subTest(scene=scene):
                whole, parts = scene + ".whole", scene + ".parts"
                self.run_scene(scene, whole)
                self.run_scene(scene, parts, "--until", half)
                text = self.run_scene(scene, parts, "--resume")
                self.assertIn("resuming from", text)
                self.assertTrue(self.record(parts)["resumed_from"]["frame"] > 0)
                self.assert_same_end(whole, parts)

    def test_resume_at_a_frame(self):
        self.run_scene("long.yaml", "whole", "--set", "output.keep_checkpoints=99")
        shutil.copytree(self.path("whole"), self.path("again"))
        text = self.run_scene("long.yaml", "again", "--set", "output.keep_checkpoints=99", "--resume=7")
        self.assertIn("frame 6,", text)  # the last checkpoint up to 7
        self.assert_same_end("whole", "again")

    def test_interrupt(self):
        self.run_scene("long.yaml", "whole")
        process = self.start("long.yaml", "broken")
        self.wait_for(self.path("broken", "frames", "water_000002.vtu"), process)
        process.send_signal(signal.SIGINT)
        text = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 130, text)
        self.assertIn("finishing the step", text)
        self.assertIn("--resume", text)
        record = self.record("broken")
        self.assertEqual((record["status"], record["exit_code"]), ("interrupted", 130))
        self.assertTrue(record["time"] < 0.1)
        names = os.listdir(self.path("broken", "checkpoints"))
        self.assertTrue(any("step_%09d" % record["steps"] in name for name in names), names)
        self.run_scene("long.yaml", "broken", "--resume")
        self.assert_same_end("whole", "broken")

    def test_second_interrupt_stops_at_once(self):
        # A step that takes seconds: the second signal must not wait for its end.
        process = self.start("drop.yaml", "stopped", "--set", "spacing=10 um", "--set", "scheme.max_iterations=1000",
                             "--set", "scheme.min_iterations=1000")
        self.wait_for(self.path("stopped", "run.json"), process)
        process.send_signal(signal.SIGINT)
        line = ""
        while "finishing the step" not in line:
            line = process.stderr.readline()
            self.assertTrue(line, "no answer to the first signal")
        begin = time.time()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertTrue(time.time() - begin < 3)
        self.assertEqual(self.record("stopped")["status"], "running")  # nobody was left to say otherwise

    def test_directory_that_vanishes(self):
        process = self.start("long.yaml", "gone")
        self.wait_for(self.path("gone", "frames", "water_000002.vtu"), process)
        os.rename(self.path("gone"), self.path("elsewhere"))
        text = process.communicate(timeout=60)[1]
        self.assertIn(process.returncode, (73, 74), text)
        self.assertIn("gone/", text)

    def wait_for(self, path, process):
        for _ in range(3000):
            if os.path.exists(path):
                return
            if process.poll() is not None:
                self.fail("ended early: " + process.communicate()[1])
            time.sleep(0.005)
        self.fail("never appeared: " + path)

    def test_kill_at_random_times(self):
        begin = time.time()
        self.run_scene("long.yaml", "whole")
        whole = time.time() - begin
        seed = random.SystemRandom().randrange(1 << 32)
        rng = random.Random(seed)
        process = self.start("long.yaml", "killed")
        self.wait_for(self.path("killed", "run.json"), process)
        kills = 0
        for _ in range(6):
            try:
                process.wait(timeout=rng.uniform(0, 0.5 * whole))
            except subprocess.TimeoutExpired:
                process.kill()
                kills += 1
            process.communicate()
            process = self.start("long.yaml", "killed", "--resume")
        text = process.communicate(timeout=300)[1]
        self.assertEqual(process.returncode, 0, "seed %d: %s" % (seed, text))
        self.assertTrue(kills > 0)
        self.assert_same_end("whole", "killed")

    def test_damaged_checkpoint_is_passed_over(self):
        self.run_scene("long.yaml", "whole")
        self.run_scene("long.yaml", "parts", "--until", "50 ms")
        folder = self.path("parts", "checkpoints")
        newest = sorted(os.listdir(folder))[-1]
        with open(os.path.join(folder, newest), "r+b") as file:
            file.truncate(1000)
        text = self.run_scene("long.yaml", "parts", "--resume")
        self.assertIn(newest + ": not used", text)
        self.assert_same_end("whole", "parts")

    def test_no_sound_checkpoint(self):
        self.run_scene("long.yaml", "parts", "--until", "20 ms")
        folder = self.path("parts", "checkpoints")
        for name in os.listdir(folder):
            os.truncate(os.path.join(folder, name), 1000)
        text = self.run_scene("long.yaml", "parts", "--resume", code=65)
        self.assertRegex(text, r"checkpoints/frame_.*\.h5: cut off: .*no checkpoint there can be used: .*--overwrite")

    def test_other_scene_is_refused(self):
        self.run_scene("long.yaml", "parts", "--until", "20 ms")
        text = self.run_scene("long.yaml", "parts", "--resume", "--set", "gravity=[0, 0, -1]", code=65)
        self.assertRegex(text, "belongs to another scene.*go on with the scene")

    def test_threads_do_not_matter(self):
        for scene, until in [("long.yaml", "10 ms"), ("drop.yaml", "1 ms")]:
            hashes = set()
            for threads in ["1", "2", "3", "7"]:
                out = "%s.%s" % (scene, threads)
                self.run_scene(scene, out, "--threads", threads, "--until", until)
                record = self.record(out)
                self.assertEqual(record["threads"], int(threads))
                hashes.add(record["state_hash"])
            self.assertEqual(len(hashes), 1, scene)


if __name__ == "__main__":
    unittest.main(verbosity=1)
