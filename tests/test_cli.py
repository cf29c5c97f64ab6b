"""The program from outside: exit codes, messages, dry runs, files, help, completion."""
import json
import os
import pty
import re
import shutil
import subprocess
import tempfile
import unittest

BEADLET = os.environ["BEADLET"]
SOURCE = os.environ["SOURCE_DIR"]

FALLING = """\
name: falling
spacing: 0.5 mm
gravity: [0, 0, -9.81 m/s^2]
time: {end: 0.05 s, max_step: 1 ms, frames_per_second: 200}
scheme: {name: ballistic}
fluids:
  water:
    density: 1000 kg/m^3
    surface_tension: 70 mN/m
    volumes: [{sphere: {center: [0, 0, 5 mm], radius: 3 mm}}]
boundaries:
  floor: {shapes: [{plane: {normal: [0, 0, 1]}}]}
"""


class Case(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="beadlet-cli-")
        self.addCleanup(shutil.rmtree, self.dir, True)
        self.write("falling.yaml", FALLING)

    def write(self, name, text):
        with open(os.path.join(self.dir, name), "w") as file:
            file.write(text)

    def path(self, *parts):
        return os.path.join(self.dir, *parts)

    def call(self, *args, env=None):
        return subprocess.run([BEADLET, *args], cwd=self.dir, capture_output=True, text=True, timeout=120,
                              env={**os.environ, **(env or {})})

    def expect(self, code, *args, stderr=None, stdout=None):
        done = self.call(*args)
        self.assertEqual(done.returncode, code, done.stderr + done.stdout)
        if stderr is not None:
            self.assertRegex(done.stderr, stderr)
        if stdout is not None:
            self.assertRegex(done.stdout, stdout)
        return done

    def run_json(self, name):
        with open(self.path(name, "run.json")) as file:
            return json.load(file)


class Usage(Case):
    def test_mistakes_on_the_command_line(self):
        for args, message in [
            (["rnu"], 'unknown command "rnu"; did you mean run\\?'),
            (["help", "rnu"], 'unknown command "rnu"; did you mean run\\?'),
            (["zzzzzz"], 'unknown command "zzzzzz"\n'),
            (["run"], "missing operand: beadlet run SCENE"),
            (["run", "falling.yaml", "more"], 'unexpected operand "more"'),
            (["run", "falling.yaml", "--treads", "2"], "unknown option --treads; did you mean --threads\\?"),
            (["run", "falling.yaml", "-z"], "unknown option -z"),
            (["run", "falling.yaml", "--until"], "--until needs a value"),
            (["run", "falling.yaml", "--until", "soon"], '--until: "soon" is not a time'),
            (["run", "falling.yaml", "--until", "-1"], '--until: "-1" is not a time'),
            (["run", "falling.yaml", "--threads", "0"], '--threads: "0" is not a whole number'),
            (["run", "falling.yaml", "--quiet=yes"], "--quiet takes no value"),
            (["run", "falling.yaml", "--device", "abacus"], 'device "abacus": expected cpu, auto, opencl'),
            (["run", "falling.yaml", "--device", "opencl"], "only the scheme unified runs there"),
            (["run", "falling.yaml", "--log-format", "xml"], '"xml" is none of: text json'),
            (["run", "falling.yaml", "--resume", "--overwrite"], "exclude each other"),
            (["new", "drob"], 'unknown template "drob"; did you mean drop'),
            (["completion", "csh"], 'unknown shell "csh"'),
        ]:
            with self.subTest(args=args):
                self.expect(2, *args, stderr=message)
        self.expect(2, stdout="Commands:")

    def test_devices(self):
        """Without a driver: an error that says so, or the CPU and a warning."""
        self.write("drop.yaml", FALLING.replace("ballistic", "unified"))
        nothing = {"OCL_ICD_VENDORS": "/nonexistent", "OCL_ICD_FILENAMES": ""}
        done = self.call("run", "drop.yaml", "--dry-run", "--device", "opencl", env=nothing)
        self.assertEqual(done.returncode, 69)
        self.assertRegex(done.stderr, "no OpenCL device found|this build has no OpenCL")
        done = self.call("run", "drop.yaml", "--dry-run", "--device", "auto", env=nothing)
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr, "warning: computing on the cpu: ")

    def test_help_names_every_option(self):
        overview = self.expect(0, "--help").stdout
        commands = re.findall(r"^  (\w+) ", overview, re.M)
        self.assertIn("run", commands)
        page = self.expect(0, "man").stdout.replace("\\-", "-")
        for command in commands:
            text = self.expect(0, command, "--help", stdout="Usage: beadlet " + command).stdout
            self.assertEqual(text, self.expect(0, "help", command).stdout)
            self.assertTrue(all(len(line) <= 110 for line in text.splitlines()))
            options = re.findall(r"--([a-z-]+)", text.split("Options:")[1].split("Examples:")[0])
            self.assertIn("help", options)
            for option in options:
                self.assertIn("--" + option, page)

    def test_exit_codes_are_explained(self):
        page = self.expect(0, "man").stdout.split("EXIT STATUS")[1].split(".SH")[0]
        overview = self.expect(0, "--help").stdout.split("Exit codes: ")[1]
        self.assertEqual(re.findall(r"^\d+$", page, re.M), re.findall(r"\d+", overview))
        self.assertIn("69", overview)

    def test_version_and_info(self):
        self.expect(0, "version", stdout=r"^beadlet \d+\.\d+\.\d+\n$")
        self.assertEqual(self.expect(0, "--version").stdout, self.expect(0, "version").stdout)
        self.expect(0, "info", stdout="precision +(float|double)")
        info = json.loads(self.expect(0, "info", "--log-format", "json", "--threads", "3").stdout)
        self.assertEqual(info["threads"], 3)
        self.assertIn("ballistic", info["schemes"])
        offered = re.search(r"run:--scheme\) .*-W '([^']*)'", self.expect(0, "completion", "bash").stdout)
        self.assertEqual(sorted(offered.group(1).split()), sorted(info["schemes"]))
        self.assertIn("opencl", info["parts"])

    def test_bench(self):
        self.expect(0, "bench", "falling.yaml", "--steps", "3", stdout=r"particles +\d+ fluid(.|\n)*steps +3 in(.|\n)*scheme ")
        bench = json.loads(self.expect(0, "bench", "falling.yaml", "--steps", "4", "--log-format", "json").stdout)
        self.assertEqual(bench["steps"], 4)
        self.assertAlmostEqual(bench["simulated_seconds"], 4e-3)
        self.assertGreater(bench["fluid_particles"], 500)
        calls = {row["pass"]: row["calls"] for row in bench["passes"]}
        self.assertEqual(calls["scheme"], 4)
        self.expect(2, "bench", "falling.yaml", "--steps", "0", stderr="--steps")
        self.expect(66, "bench", "nowhere.yaml", stderr="nowhere.yaml")

    def test_man_page_is_sound(self):
        if not shutil.which("groff"):
            self.skipTest("groff is not installed")
        page = self.expect(0, "man").stdout
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z"], input=page, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_completion_scripts_parse(self):
        for shell, check in [("bash", ["bash", "-n"]), ("zsh", ["zsh", "-n"]), ("fish", ["fish", "--no-execute"])]:
            script = self.expect(0, "completion", shell, stdout="overwrite").stdout
            self.write("script", script)
            if shutil.which(shell):
                done = subprocess.run([*check, self.path("script")], capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_bash_completes(self):
        self.write("script", self.expect(0, "completion", "bash").stdout)

        def complete(*words):
            line = " ".join("'%s'" % word for word in words)
            code = "source ./script; COMP_WORDS=(%s); COMP_CWORD=%d; _beadlet; echo ${COMPREPLY[*]}" % (
                line, len(words) - 1)
            return subprocess.run(["bash", "-c", code], cwd=self.dir, capture_output=True, text=True).stdout.split()

        self.assertEqual(complete("beadlet", "ru"), ["run"])
        self.assertEqual(complete("beadlet", "run", "--dr"), ["--dry-run"])
        self.assertEqual(complete("beadlet", "run", "--scheme", "ba"), ["ballistic"])
        self.assertEqual(complete("beadlet", "run", "fal"), ["falling.yaml"])
        self.assertEqual(complete("beadlet", "completion", ""), ["bash", "zsh", "fish"])


class Scenes(Case):
    def test_check(self):
        self.expect(0, "check", "falling.yaml", stdout="falling.yaml: ok")
        self.expect(66, "check", "absent.yaml", stderr="absent.yaml")
        self.write("bad.yaml", FALLING.replace("density", "densty").replace("0.5 mm", "0.5 kg"))
        done = self.expect(65, "check", "bad.yaml", stderr=r"bad.yaml:\d+:\d+: error: .*densty")
        self.assertRegex(done.stderr, r"bad.yaml:2:\d+: error:")  # both in one go
        self.expect(65, "run", "bad.yaml", "-o", "out")
        self.assertFalse(os.path.exists(self.path("out")))

    def test_check_looks_at_shapes(self):
        def behind_glass(top):
            glass = "  glass: {shapes: [{box: {min: [-9, -9, -9 mm], max: [9, 9, %d mm]}}]}\n  floor:" % top
            return FALLING.replace("  floor:", glass)

        self.write("buried.yaml", behind_glass(5))
        self.expect(0, "check", "buried.yaml", stderr=r"buried.yaml:\d+:\d+: warning: .*inside the boundary \"glass\"")
        tap = "emitters: {tap: {center: [0, 0, -5 mm], radius: 2 mm, speed: 1}}\n"
        self.write("tap.yaml", behind_glass(-4) + tap)
        for command in (["check", "tap.yaml"], ["run", "tap.yaml", "--dry-run"]):
            self.expect(65, *command, stderr=r"tap.yaml:\d+:\d+: error: emitter `tap` lies inside the boundary `glass`")
        self.write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n")
        self.write("open.yaml", FALLING.replace("volumes: [", "volumes: [{mesh: {file: open.obj}, scale: 0.005}, "))
        self.expect(0, "check", "open.yaml", stderr=r"open.yaml:\d+:\d+: warning: .*the mesh is open \(3 edges")
        self.write("lost.yaml", FALLING.replace("volumes: [", "volumes: [{mesh: {file: lost.obj}}, "))
        self.expect(66, "check", "lost.yaml", stderr="lost.obj")

    def test_far_too_many_particles(self):
        """A wrong unit is told at once, before walls are sampled."""
        for command in (["check", "falling.yaml"], ["run", "falling.yaml", "--dry-run"]):
            self.expect(65, *command, "--set", "spacing=0.5 um", stderr=(
                r"falling.yaml:\d+:\d+: error: fluid `water`: the volume needs too many particles at a spacing of 5e-07 m "
                r"\(about 1.7e\+12\), expected at most 4e\+09"))
        self.expect(65, "run", "falling.yaml", "-n", "--set", "spacing=20 mm",
                    stderr="fluid `water` has no particles: .*; make spacing smaller")

    def test_overrides_without_sense(self):
        for text, message in [
            ("spacing=", "spacing: found nothing, expected a length such as '0.5 mm'"),
            ("spacing", "expected KEY=VALUE"),
            ("=1", "expected a key"),
            ("quality=paper", "known are none: the scene has no `qualities`"),
            ("gravity=9.81", "gravity: found a single value, expected a vector of three numbers"),
        ]:
            with self.subTest(text=text):
                self.expect(65, "check", "falling.yaml", "--set", text, stderr=message)
        self.expect(0, "check", "falling.yaml", "--set", "boundaries=")  # none of them

    def test_templates_are_sound(self):
        names = [line.split()[0] for line in self.expect(0, "new", "--list").stdout.splitlines()]
        self.assertIn("drop", names)
        for name in names:
            self.expect(0, "new", name, stderr="beadlet run %s.yaml" % name)
            self.expect(0, "check", name + ".yaml")
            plan = self.expect(0, "run", name + ".yaml", "--dry-run", "--log-format", "json")
            self.assertEqual(json.loads(plan.stdout)["warnings"], [])
            text = self.expect(0, "new", name, "-o", "-").stdout
            with open(self.path(name + ".yaml")) as file:
                self.assertEqual(file.read(), text)
        self.expect(73, "new", "drop", stderr="exists already")
        self.expect(0, "new", "drop", "--overwrite")
        self.expect(73, "new", "-o", "no/such/folder.yaml", stderr="folder.yaml")

    def test_reference(self):
        text = self.expect(0, "new", "--reference").stdout
        for key in ["spacing", "contact_angle", "frames_per_second", "surface_tension"]:
            self.assertIn(key, text)


class DryRun(Case):
    def plan(self, *args):
        return json.loads(self.expect(0, "run", "falling.yaml", "-n", "--log-format", "json", *args).stdout)

    def test_figures(self):
        plan = self.plan()
        count = plan["fluids"]["water"]
        self.assertTrue(850 < count < 960, count)  # 4/3 pi 6^3 = 905
        self.assertEqual(plan["fluid_particles"], count)
        self.assertEqual(plan["boundary_particles"], plan["boundaries"]["floor"])
        self.assertEqual(plan["frames"], 10)
        limits = plan["step_limits"]
        self.assertIsNone(limits["capillary"])  # ballistic: none
        paper = self.plan("--scheme", "unified", "--set", "scheme.calibration=paper")["step_limits"]["capillary"]
        self.assertAlmostEqual(paper, 0.4 * (1000 * 0.5e-3 ** 3 / 0.07) ** 0.5, delta=1e-9)
        field = self.plan("--scheme", "unified")["step_limits"]["capillary"]
        self.assertAlmostEqual(field, paper, delta=1e-9)
        physical = self.plan("--scheme", "unified", "--set", "scheme.interface=particles")["step_limits"]["capillary"]
        self.assertTrue(0.2 * paper < physical < paper)
        self.assertAlmostEqual(limits["force"], 0.25 * (0.5e-3 / 9.81) ** 0.5, delta=1e-9)
        self.assertEqual((limits["governing"], limits["first"]), ("max_step", 1e-3))
        self.assertEqual(plan["steps"], 50)
        self.assertTrue(plan["memory_bytes"] > 100 * count)
        self.assertTrue(plan["disk_bytes"] > 10 * 50 * count)
        text = self.expect(0, "run", "falling.yaml", "--dry-run").stdout
        self.assertRegex(text, r"fluid +water +%d particles" % count)
        self.assertRegex(text, r"bounded by max_step")
        self.assertEqual(os.listdir(self.dir), ["falling.yaml"])  # nothing was written

    def test_disk_estimate_holds(self):
        plan = self.plan()
        self.expect(0, "run", "falling.yaml", "-o", "out")
        real = sum(os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(self.path("out"))
                   for name in names)
        self.assertTrue(0.6 < plan["disk_bytes"] / real < 1.5, (plan["disk_bytes"], real))

    def test_overrides(self):
        coarse = self.plan("--set", "spacing=1 mm")["fluid_particles"]
        self.assertTrue(90 < coarse < 140, coarse)  # 113
        self.assertEqual(self.plan("--until", "20 ms")["frames"], 4)
        self.assertEqual(self.plan("--until", "0.02")["steps"], 20)
        self.assertEqual(self.plan("--set", "time.max_step=2 ms", "--scheme", "ballistic")["steps"], 29)
        self.expect(65, "run", "falling.yaml", "-n", "--set", "spacng=1 mm", stderr="spacing")

    def test_warnings(self):
        few = self.expect(0, "run", "falling.yaml", "-n", "--set", "spacing=1 mm")
        self.assertRegex(few.stderr, r"falling.yaml:\d+:\d+: warning: .*only 3 particles per radius")
        self.assertRegex(few.stdout, "warnings +1")
        across = self.expect(0, "run", os.path.join(SOURCE, "cases", "capillary-wave", "film.yaml"), "-n")
        self.assertRegex(across.stdout, "warnings +0")  # 8 h wide, but periodic there
        big = ["--set", "fluids.water.volumes[0].sphere.radius=50 mm", "--set", "spacing=5 mm"]
        self.expect(0, "run", "falling.yaml", "-n", *big, stderr="Bond number .* = 350")
        long = self.expect(0, "run", "falling.yaml", "-n", "--set", "time.max_step=20 ms", "--scheme", "unified",
                           "--set", "scheme.calibration=paper")
        self.assertRegex(long.stderr, "max_step = 20 ms is above the capillary limit 0.535 ms")


class Runs(Case):
    def test_files_and_times(self):
        self.expect(0, "run", "falling.yaml", "-o", "out", stderr="done: 10 frames")
        record = self.run_json("out")
        self.assertEqual((record["status"], record["exit_code"], record["time"]), ("done", 0, 0.05))
        with open(self.path("out", "frames", "water.pvd")) as file:
            times = [float(t) for t in re.findall(r'timestep="([^"]*)"', file.read())]
        self.assertEqual(times, [k / 200 for k in range(11)])  # to the bit
        with open(self.path("out", "series.csv")) as file:
            header, *rows = file.read().splitlines()
        column = header.split(",").index("time")
        reached = {float(row.split(",")[column]) for row in rows}
        self.assertTrue(set(times[1:]) <= reached)
        self.assertEqual(len(rows), record["steps"])
        self.assertTrue(any(t["pass"] == "scheme" and t["calls"] == record["steps"] for t in record["timing"]))

    def test_default_directory(self):
        self.expect(0, "run", "falling.yaml")
        self.assertEqual(self.run_json("out/falling")["status"], "done")

    def test_nothing_is_overwritten_unasked(self):
        self.expect(0, "run", "falling.yaml", "-o", "out")
        self.expect(73, "run", "falling.yaml", "-o", "out", stderr="already holds a run.*--resume.*--overwrite")
        self.expect(0, "run", "falling.yaml", "-o", "out", "--overwrite", "--until", "10 ms")
        self.assertEqual(self.run_json("out")["frames"], 2)
        self.assertFalse(os.path.exists(self.path("out", "frames", "water_000003.vtu")))

    def test_directory_that_cannot_be_made(self):
        self.write("file", "")
        self.expect(73, "run", "falling.yaml", "-o", "file/out", stderr="file")
        self.expect(66, "run", "absent.yaml")
        self.expect(66, "run", "falling.yaml", "-o", "nowhere", "--resume", stderr="no run to resume")

    def test_end_between_frames(self):
        self.expect(0, "run", "falling.yaml", "-o", "out", "--until", "12 ms")
        record = self.run_json("out")
        self.assertEqual((record["frames"], record["time"]), (2, 0.012))

    def test_max_steps(self):
        self.expect(0, "run", "falling.yaml", "-o", "out", "--set", "time.max_steps=7", stderr="max_steps = 7")
        self.assertEqual(self.run_json("out")["steps"], 7)

    def test_divergence(self):
        scene = FALLING + "domain: {min: [-1 cm, -1 cm, 0], max: [1 cm, 1 cm, 1 cm]}\n"
        self.write("leaves.yaml", scene)
        done = self.expect(70, "run", "leaves.yaml", "-o", "out", stderr="diverged at t = .*particle .*left the domain")
        self.assertRegex(done.stderr, "--resume")
        record = self.run_json("out")
        self.assertEqual((record["status"], record["exit_code"]), ("failed", 70))
        self.assertIn("left the domain", record["reason"])
        self.assertTrue(any(str(record["steps"]) in name for name in os.listdir(self.path("out", "checkpoints"))))

    def test_convert(self):
        self.expect(0, "run", "falling.yaml", "-o", "out")
        self.expect(0, "convert", "out", "--to", "ply", stdout="12 files")  # 11 frames and the floor
        with open(self.path("out", "ply", "water_000010.ply"), "rb") as file:
            head = file.read(200)
        self.assertIn(b"element vertex %d" % self.run_json("out")["particles"]["fluid"], head)
        self.expect(0, "convert", "out", "--to", "vtu-base64", "--frame", "last", "-o", "b64", stdout="2 files")
        self.assertTrue(os.path.exists(self.path("b64", "water_000010.vtu")))
        self.expect(66, "convert", "out", "--frame", "99", stderr="no frame 99; the run has 0 to 10")
        os.mkdir(self.path("empty"))
        for folder in ("nowhere", "empty"):
            for command in (["convert"], ["mesh"], ["render"], ["report"], ["measure", "shape"]):
                self.expect(66, *command, folder, stderr="%s: no run.json there; is it the folder of a run" % folder)
            self.expect(66, "plot", folder, stderr="%s: no series.csv there; expected the folder of a run" % folder)


class Console(Case):
    def test_json_lines(self):
        done = self.expect(0, "run", "falling.yaml", "-o", "out", "--log-format", "json", "--set", "spacing=1 mm")
        lines = [json.loads(line) for line in done.stderr.splitlines()]
        self.assertTrue({"progress", "warning", "info"} <= {line["level"] for line in lines})
        bad = self.expect(66, "run", "absent \"x\".yaml", "--log-format", "json")
        self.assertEqual(json.loads(bad.stderr.splitlines()[-1])["level"], "error")

    def test_quiet(self):
        done = self.expect(0, "run", "falling.yaml", "-o", "out", "-q", "--set", "spacing=1 mm")
        self.assertEqual(done.stderr + done.stdout, "")
        self.assertNotEqual(self.expect(66, "run", "absent.yaml", "-q").stderr, "")

    def on_terminal(self, env):
        master, slave = pty.openpty()
        process = subprocess.Popen([BEADLET, "run", "falling.yaml", "-o", "out", "--overwrite"], cwd=self.dir,
                                   stderr=slave, env={**os.environ, "TERM": "xterm", **env})
        os.close(slave)
        text = b""
        while True:
            try:
                part = os.read(master, 65536)
            except OSError:
                break
            if not part:
                break
            text += part
        os.close(master)
        self.assertEqual(process.wait(), 0)
        return text.decode()

    def test_bar_on_a_terminal(self):
        text = self.on_terminal({"NO_COLOR": ""})
        self.assertRegex(text, r"\r\[.*#*\.*.*\] frame \d+/10 .*ETA")
        self.assertIn("\033[36m", text)
        self.assertNotIn("\033[36m", self.on_terminal({"NO_COLOR": "1"}))

    def test_lines_elsewhere(self):
        done = self.expect(0, "run", "falling.yaml", "-o", "out")
        self.assertRegex(done.stderr, r"frame 0/10  step 1 .*\(max_step\)")
        self.assertNotIn("\r", done.stderr)
        self.assertNotIn("\033", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)
