"""`beadlet view`: what the server gives is what the files of the run hold, it follows a run that grows, and it refuses
what it should. Where Chromium is installed, the page itself is opened."""
import csv
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request

BEADLET = os.environ.get("BEADLET", "build/beadlet")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DROP = """
name: <b>tiny</b> drop
spacing: 0.7 mm
gravity: [0, 0, -9.81 m/s^2]
time: {end: 3 ms, frames_per_second: 1000}
fluids:
  water: {material: water, volumes: [{sphere: {center: [0, 0, 2.2 mm], radius: 2 mm}}]}
boundaries:
  glass: {contact_angle: 60 deg, shapes: [{plane: {normal: [0, 0, 1], size: 8 mm}}]}
"""
DISC = """
dimension: 2
spacing: 0.5 mm
time: {end: 2 ms, frames_per_second: 1000}
scheme: {name: ballistic}
fluids:
  water: {density: 998 kg/m^3, volumes: [{sphere: {center: [0, 0], radius: 3 mm}, velocity: [1 m/s, 0]}]}
"""


def beadlet(*arguments):
    return subprocess.run([BEADLET, *map(str, arguments)], capture_output=True, text=True, timeout=300)


class Server:
    """`beadlet view` on a free port, ended by Ctrl-C as a user would."""

    def __init__(self, directory, *arguments):
        self.process = subprocess.Popen([BEADLET, "view", str(directory), *arguments], text=True, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        self.url = self.process.stdout.readline().strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGINT)
        self.out, self.err = self.process.communicate(timeout=60)

    def get(self, path, **headers):
        request = urllib.request.Request(self.url + path, headers=headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read()

    def refused(self, path, method="GET", **headers):
        """code and text of an answer that is no success"""
        try:
            urllib.request.urlopen(urllib.request.Request(self.url + path, method=method, headers=headers), timeout=60)
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
        raise AssertionError(f"{path} was answered")


def frame_of(data):
    count, components = struct.unpack_from("<2I", data)
    points = struct.unpack_from(f"<{3 * count}f", data, 8)
    field = struct.unpack_from(f"<{components * count}f", data, 8 + 12 * count)
    assert len(data) == 8 + 12 * count + 4 * components * count
    return count, components, points, field


def surfaces_of(data):
    fluids, at = [], 4
    for _ in range(struct.unpack_from("<I", data)[0]):
        vertices, indices, corners = struct.unpack_from("<3I", data, at)
        points = struct.unpack_from(f"<{3 * vertices}f", data, at + 12)
        normals = struct.unpack_from(f"<{3 * vertices}f", data, at + 12 + 12 * vertices)
        index = struct.unpack_from(f"<{indices}I", data, at + 12 + 24 * vertices)
        fluids.append((corners, points, normals, index))
        at += 12 + 24 * vertices + 4 * indices
    assert at == len(data)
    return fluids


def ply_of(path):
    """points of a PLY file that `beadlet convert` or `mesh` wrote"""
    data = path.read_bytes()
    head, body = data[:data.index(b"end_header\n")].decode(), data[data.index(b"end_header\n") + 11:]
    count = int(re.search(r"element vertex (\d+)", head).group(1))
    sizes = {"float": 4, "uint": 4, "int": 4, "uchar": 1, "double": 8}
    vertex = head[head.index("element vertex"):].split("element face")[0]
    stride = sum(sizes[kind] for kind in re.findall(r"property (\w+) \w+", vertex))
    return [struct.unpack_from("<3f", body, k * stride) for k in range(count)]


class View(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.root = pathlib.Path(cls.folder.name)
        for name, scene in ("drop", DROP), ("disc", DISC):
            (cls.root / f"{name}.yaml").write_text(scene)
            run = beadlet("run", cls.root / f"{name}.yaml", "-o", cls.root / name, "--quiet")
            assert run.returncode == 0, run.stderr

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_run_in_words(self):
        with Server(self.root / "drop") as server:
            run = json.loads(server.get("api/run"))
        self.assertEqual(run["name"], "<b>tiny</b> drop")
        self.assertEqual((run["status"], run["dimension"], run["spacing"]), ("done", 3, 0.7e-3))
        self.assertEqual([f[0] for f in run["frames"]], [0, 1, 2, 3])
        self.assertAlmostEqual(run["frames"][3][1], 3e-3, 12)
        self.assertEqual([(s["name"], s["kind"], s["fixed"]) for s in run["sets"]],
                         [("water", "fluid", False), ("glass", "boundary", True)])
        fields = [f["name"] for f in run["fluid_fields"]]
        self.assertIn("v", fields)
        self.assertNotIn("id", fields)
        self.assertEqual(server.process.returncode, 0)
        self.assertIn("Ctrl-C", server.err)

    def test_frames_are_those_of_the_files(self):
        made = beadlet("convert", self.root / "drop", "--to", "ply", "-o", self.root / "ply", "--frame", "3")
        self.assertEqual(made.returncode, 0, made.stderr)
        expected = ply_of(next((self.root / "ply").rglob("water_000003.ply")))
        with Server(self.root / "drop") as server:
            count, components, points, field = frame_of(server.get("api/frame?set=0&number=3&field=v"))
            bare = frame_of(server.get("api/frame?set=0&number=3"))
            scalar = frame_of(server.get("api/frame?set=0&number=3&field=density"))
            wall = frame_of(server.get("api/frame?set=1&number=0&field=normal"))
        self.assertEqual((count, components), (len(expected), 3))
        self.assertEqual([tuple(points[3 * k:3 * k + 3]) for k in range(count)], expected)
        falling = sum(field[2::3]) / count
        self.assertLess(falling, -0.01)  # 3 ms of free fall: -0.029 m/s, less what the plate takes
        self.assertEqual(bare, (count, 0, points, ()))
        self.assertEqual(scalar[1], 1)
        self.assertTrue(all(300 < d < 1500 for d in scalar[3]))  # less at the surface, where there is no more
        self.assertGreater(wall[0], 100)
        self.assertAlmostEqual(sum(wall[3][2::3]) / wall[0], 1, 5)

    def test_surfaces(self):
        made = beadlet("mesh", self.root / "drop", "--frame", "2", "-o", self.root / "mesh")
        self.assertEqual(made.returncode, 0, made.stderr)
        expected = ply_of(next((self.root / "mesh").rglob("water_000002.ply")))
        with Server(self.root / "drop") as server:
            (corners, points, normals, index), = surfaces_of(server.get("api/surface?number=2"))
        self.assertEqual(corners, 3)
        self.assertEqual([tuple(points[k:k + 3]) for k in range(0, len(points), 3)], expected)
        self.assertTrue(all(abs(sum(n * n for n in normals[k:k + 3]) - 1) < 1e-4 for k in range(0, len(normals), 3)))
        self.assertEqual(max(index), len(expected) - 1)

    def test_outlines_in_2d_are_closed(self):
        with Server(self.root / "disc") as server:
            (corners, points, _, index), = surfaces_of(server.get("api/surface?number=1"))
        self.assertEqual(corners, 2)
        begins, ends = index[0::2], index[1::2]
        self.assertEqual(sorted(begins), list(range(len(points) // 3)))
        self.assertEqual(sorted(ends), sorted(begins))
        area = sum(points[3 * a] * points[3 * b + 1] - points[3 * b] * points[3 * a + 1]
                   for a, b in zip(begins, ends)) / 2
        self.assertAlmostEqual(area / (3.14159265 * 3e-3 ** 2), 1, 1)

    def test_curves(self):
        with open(self.root / "drop" / "series.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        with Server(self.root / "drop") as server:
            names = [c["name"] for c in json.loads(server.get("api/series"))]
            data = server.get("api/series/energy_kinetic")
        self.assertEqual(names, list(rows[0]))
        values = struct.unpack(f"<{len(data) // 8}d", data)
        expected = [float(row[key]) for row in rows for key in ("time", "energy_kinetic")]
        self.assertEqual(list(values), expected)

    def test_long_curves_are_thinned_and_keep_their_spikes(self):
        run = self.root / "long"
        shutil.copytree(self.root / "disc", run)
        head = (run / "series.csv").read_text().splitlines()[0]
        columns = head.split(",")
        with open(run / "series.csv", "w") as file:
            file.write(head + "\n")
            for k in range(30000):
                row = {"step": k + 1, "time": k * 1e-3, "speed_max": 7 if k == 12345 else -3 if k == 22222 else k % 2}
                file.write(",".join(str(row.get(c, 0)) for c in columns) + "\n")
        with Server(run) as server:
            data = server.get("api/series/speed_max")
        values = struct.unpack(f"<{len(data) // 8}d", data)
        self.assertLess(len(values), 2 * 4100)
        self.assertEqual((max(values[1::2]), min(values[1::2])), (7, -3))
        self.assertEqual(sorted(values[0::2]), list(values[0::2]))
        self.assertAlmostEqual(values[2 * values[1::2].index(7)], 12.345)

    def test_page_and_its_parts(self):
        with Server(self.root / "drop") as server:
            page = server.get("").decode()
            parts = re.findall(r'(?:src|href)="([^"]+)"', page)
            self.assertEqual(sorted(parts), ["icon.svg", "main.js", "view.css"])
            seen, left = set(), ["main.js"]
            while left:
                name = left.pop()
                seen.add(name)
                left += [n for n in re.findall(r'from "\./([^"]+)"', server.get(name).decode()) if n not in seen]
            self.assertGreater(len(seen), 5)
            self.assertEqual(len(server.get("api/colormap")), 3 * 256)
            with urllib.request.urlopen(server.url) as answer:
                self.assertIn("default-src 'self'", answer.headers["Content-Security-Policy"])
                self.assertEqual(answer.headers["Content-Type"], "text/html; charset=utf-8")

    def test_refusals(self):
        with Server(self.root / "drop") as server:
            for path, code, words in (("nothing", 404, "/nothing"), ("../run.json", 404, "no /"), ("%2e%2e/run.json", 404, "no /"),
                                      ("api/frame", 400, "?set=S&number=N"), ("api/frame?set=-1&number=0", 400, "set"),
                                      ("api/frame?set=0&number=1x", 400, "number"),
                                      ("api/frame?set=9&number=0", 404, "the run has 2"),
                                      ("api/frame?set=0&number=77", 404, "000077"),
                                      ("api/frame?set=0&number=0&field=nope", 404, '"nope"'),
                                      ("api/surface", 400, "?number=N"), ("api/surface?number=77", 404, "000077"),
                                      ("api/series/nope", 404, '"nope"')):
                with self.subTest(path=path):
                    got, text = server.refused(path)
                    self.assertEqual(got, code, text)
                    self.assertIn(words, text)
            self.assertEqual(server.refused("api/run", method="POST")[0], 405)
            self.assertEqual(server.refused("api/run", Host="elsewhere.example")[0], 403)
            self.assertTrue(server.get("api/run", Host="localhost:1"))

    def test_follows_a_run_that_grows(self):
        grown = self.root / "grown"
        first = beadlet("run", self.root / "drop.yaml", "-o", grown, "--until", "1ms", "--quiet")
        self.assertEqual(first.returncode, 0, first.stderr)
        with Server(grown) as server:
            self.assertEqual(len(json.loads(server.get("api/run"))["frames"]), 2)
            rows = len(server.get("api/series/time"))
            more = beadlet("run", self.root / "drop.yaml", "-o", grown, "--resume", "--quiet")
            self.assertEqual(more.returncode, 0, more.stderr)
            self.assertEqual(len(json.loads(server.get("api/run"))["frames"]), 4)
            self.assertGreater(len(server.get("api/series/time")), rows)
            self.assertGreater(frame_of(server.get("api/frame?set=0&number=3"))[0], 50)

    def test_wrong_calls(self):
        for arguments, code, words in (((self.root / "none",), 66, "none"), (("--port", "0", self.root / "drop"), 2, "port"),
                                       (("--port", "70000", self.root / "drop"), 2, "port"),
                                       (("--listen", "192.0.2.1", self.root / "drop"), 73, "192.0.2.1")):
            with self.subTest(arguments=arguments):
                answer = beadlet("view", *arguments)
                self.assertEqual(answer.returncode, code, answer.stderr)
                self.assertIn(words, answer.stderr)

    def test_a_taken_port(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            answer = beadlet("view", self.root / "drop", "--port", port)
            self.assertEqual(answer.returncode, 73, answer.stderr)
            self.assertIn(f"127.0.0.1:{port}", answer.stderr)
        with Server(self.root / "drop") as one, Server(self.root / "disc") as other:
            self.assertNotEqual(one.url, other.url)
            self.assertEqual(json.loads(other.get("api/run"))["dimension"], 2)

    @unittest.skipUnless(CHROMIUM, "Chromium is not installed")
    def test_page_in_a_browser(self):
        with Server(self.root / "drop") as server, tempfile.TemporaryDirectory() as profile:
            shown = subprocess.run([CHROMIUM, "--headless=new", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader",
                                    "--enable-unsafe-swiftshader", f"--user-data-dir={profile}", "--virtual-time-budget=8000",
                                    "--enable-logging=stderr", "--dump-dom", server.url + "#mode=both&frame=2"],
                                   capture_output=True, text=True, timeout=120)
        self.assertIn("&lt;b&gt;tiny&lt;/b&gt; drop</h1>", shown.stdout)
        self.assertRegex(shown.stdout, r"frame 2\s+2 ms")
        self.assertRegex(shown.stdout, r'<div id="message"[^>]*hidden')
        self.assertNotIn("CONSOLE", shown.stderr)


if __name__ == "__main__":
    parts = json.loads(beadlet("info", "--log-format", "json").stdout)["parts"]
    if not parts["civetweb"]:
        print("built without CivetWeb")
        raise SystemExit(77)
    unittest.main()
