"""`beadlet report` on short runs: one file that a parser and, where it is installed, Chromium find whole and quiet."""
import base64
import html.parser
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile
import unittest
import zlib

BEADLET = os.environ.get("BEADLET", "build/beadlet")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
NAME = """tiny </title><script>alert(1)</script> & "drop" 'x'"""
SCENE = """
spacing: 0.7 mm
gravity: [0, 0, -9.81 m/s^2]
time: {end: 4 ms, frames_per_second: 1000}
fluids:
  water:
    material: water
    volumes: [{sphere: {center: [0, 0, 1.9 mm], radius: 2 mm}}]
boundaries:
  glass:
    contact_angle: 60 deg
    friction: {keyframes: [[0 s, 0.4], [0.2 s, 0.05]]}
    shapes: [{plane: {normal: [0, 0, 1], size: 8 mm}}]
"""
FLAT = """
name: flat
dimension: 2
spacing: 0.5 mm
time: {end: 2 ms, frames_per_second: 1000}
scheme: {name: ballistic}
fluids:
  water: {density: 998 kg/m^3, volumes: [{sphere: {center: [0, 0], radius: 3 mm}, velocity: [1 m/s, 0]}]}
"""
VOID = {"meta", "img", "link", "br", "wbr", "hr", "input", "source"}


def beadlet(*arguments):
    return subprocess.run([BEADLET, *map(str, arguments)], capture_output=True, text=True, timeout=300)


class Page(html.parser.HTMLParser):
    """The tags, in balance, with their attributes, and the visible text."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.text, self.faults = [], [], "", []
        self.feed(text)
        self.close()
        self.faults += [f"<{tag}> is not closed" for tag in self.open]

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> does not match")

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("style", "title"):
            self.text += data

    def find(self, name):
        return [attributes for tag, attributes in self.tags if tag == name]


def png_size(data):
    """Width and height of a PNG whose every chunk and pixel row is there."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, pixels, header = 8, b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        assert zlib.crc32(kind + body) == struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0]
        header = struct.unpack(">IIBBBBB", body) if kind == b"IHDR" else header
        pixels += body if kind == b"IDAT" else b""
        at += 12 + length
    width, height, depth, color = header[:4]
    assert depth == 8 and color == 2
    assert len(zlib.decompress(pixels)) == height * (1 + 3 * width)
    return width, height


class ReportTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.root = pathlib.Path(cls.folder.name)
        (cls.root / "scene.yaml").write_text(f"name: {json.dumps(NAME)}\n" + SCENE)
        (cls.root / "flat.yaml").write_text(FLAT)
        for name, run in (("scene", "run"), ("flat", "flat_run")):
            done = beadlet("run", cls.root / f"{name}.yaml", "-o", cls.root / run, "--quiet")
            assert done.returncode == 0, done.stderr
        done = beadlet("report", cls.root / "run", "--pictures", 3, "--film", 5, "--size", "160x90", "--samples", 2)
        assert done.returncode == 0, done.stderr
        cls.path = cls.root / "run" / "report.html"
        cls.source = cls.path.read_text(encoding="utf-8")
        cls.page = Page(cls.source)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_markup(self):
        self.assertEqual(self.page.faults, [])
        self.assertEqual(self.page.find("script"), [])
        self.assertIn(NAME, self.page.text)
        self.assertEqual(self.page.find("b"), [{}] * self.source.count("<figcaption><b>"))

    def test_asks_for_nothing(self):
        for tag, attributes in self.page.tags:
            for name in ("src", "href", "srcset", "poster", "data", "action", "xlink:href"):
                if name in attributes:
                    self.assertTrue(attributes[name].startswith("data:"), (tag, attributes[name][:80]))
        self.assertIsNone(re.search(r"url\(|@import|<link|<iframe|<object|<embed", self.source))
        policy = [a["content"] for a in self.page.find("meta") if a.get("http-equiv") == "Content-Security-Policy"]
        self.assertTrue(policy and policy[0].startswith("default-src 'none'"))

    def test_pictures(self):
        pictures = [a["src"] for a in self.page.find("img")]
        self.assertEqual(len(pictures), 3)
        for source in pictures:
            self.assertTrue(source.startswith("data:image/png;base64,"))
            self.assertEqual(png_size(base64.b64decode(source.split(",", 1)[1], validate=True)), (160, 90))
        self.assertIn("frame 0", self.page.text)
        self.assertIn("frame 4", self.page.text)
        self.assertEqual([p.name for p in self.path.parent.iterdir() if "pictures" in p.name], [])

    def test_film(self):
        films = [a["src"] for a in self.page.find("video")]
        if not shutil.which("ffmpeg"):
            self.assertEqual(films, [])
            self.assertIn("No film", self.page.text)
            return
        self.assertEqual(len(films), 1)
        film = base64.b64decode(films[0].split(",", 1)[1], validate=True)
        self.assertTrue(film[4:8] == b"ftyp" or film[:4] == b"\x1aE\xdf\xa3")

    def test_sections(self):
        ids = [a["id"] for a in self.page.find("section")]
        self.assertEqual(ids, ["warnings", "pictures", "plots", "settings", "timings", "versions"])
        self.assertGreaterEqual(len(self.page.find("svg")), 6)
        record = json.loads((self.root / "run" / "run.json").read_text())
        for warning in record["warnings"]:
            self.assertIn(warning, self.page.text)
        for entry in record["timing"]:
            self.assertIn(entry["pass"], self.page.text)
        self.assertIn(record["state_hash"], self.page.text)

    def test_settings_have_units(self):
        text = self.page.text.replace("\xa0", " ")
        for expected in ("700 µm", "998.2 kg/m3", "72.75 mN/m", "[0, 0, 1.9] mm", "60 deg", "0 s: 0.4 → 200 ms: 0.05"):
            self.assertIn(expected, text)

    def test_two_dimensions_and_output(self):
        out = self.root / "flat.html"
        done = beadlet("report", self.root / "flat_run", "-o", out, "--pictures", 2, "--film", 0, "--size", "160x90")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.strip(), str(out))
        page = Page(out.read_text(encoding="utf-8"))
        self.assertEqual(page.faults, [])
        self.assertEqual(len(page.find("img")), 2)
        self.assertEqual(page.find("video"), [])

    def test_run_without_frames_or_rows(self):
        bare = self.root / "bare"
        bare.mkdir()
        shutil.copy(self.root / "run" / "run.json", bare)
        done = beadlet("report", bare)
        self.assertEqual(done.returncode, 0, done.stderr)
        page = Page((bare / "report.html").read_text(encoding="utf-8"))
        self.assertEqual(page.faults, [])
        self.assertIn("series.csv", page.text)

    def test_mistakes(self):
        self.assertEqual(beadlet("report", self.root / "nowhere").returncode, 66)
        broken = self.root / "broken"
        broken.mkdir()
        (broken / "run.json").write_text("{")
        self.assertEqual(beadlet("report", broken).returncode, 65)
        self.assertEqual(beadlet("report", self.root / "run", "--film", 0, "--pictures", 0, "-o",
                                 self.root / "no" / "such" / "x.html").returncode, 73)

    def chromium(self, width, *arguments):
        with tempfile.TemporaryDirectory() as profile:
            return subprocess.run(
                [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
                 "--disable-dev-shm-usage", f"--user-data-dir={profile}", f"--window-size={width},900",
                 "--hide-scrollbars", "--enable-logging=stderr", *arguments, self.path.as_uri()],
                capture_output=True, timeout=180)

    @unittest.skipUnless(CHROMIUM, "no Chromium here")
    def test_in_chromium(self):
        for width in (400, 1400):
            picture = self.root / f"screen{width}.png"
            done = self.chromium(width, f"--screenshot={picture}", "--virtual-time-budget=2000")
            log = done.stderr.decode(errors="replace")
            self.assertEqual(done.returncode, 0, log)
            self.assertEqual(re.findall(r".*CONSOLE.*", log), [])
            self.assertGreater(picture.stat().st_size, 20000, "an empty page?")
            dom = Page(self.chromium(width, "--dump-dom").stdout.decode("utf-8"))
            self.assertEqual(len(dom.find("img")), 3)
            self.assertIn(NAME, dom.text)


if __name__ == "__main__":
    unittest.main()
