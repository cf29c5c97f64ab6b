"""`beadlet mesh` on a short run: VTK's own readers open every format, and find a closed mesh of the right volume."""
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    from vtkmodules.vtkFiltersCore import vtkFeatureEdges, vtkMassProperties
    from vtkmodules.vtkIOGeometry import vtkOBJReader
    from vtkmodules.vtkIOPLY import vtkPLYReader
    from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

BEADLET = os.environ.get("BEADLET", "build/beadlet")
RADIUS = 5e-3
SCENE = """
name: falling
spacing: 0.5 mm
gravity: [0, 0, -9.81 m/s^2]
time: {end: 20 ms, max_step: 5 ms, frames_per_second: 100}
scheme: {name: ballistic}
fluids:
  water:
    density: 998 kg/m^3
    volumes: [{sphere: {center: [0.1 mm, 0.2 mm, 30 mm], radius: 5 mm}, velocity: [1 m/s, 0, 0]}]
boundaries:
  floor:
    shapes: [{plane: {normal: [0, 0, 1], size: 20 mm}}]
"""
READERS = {"ply": vtkPLYReader, "obj": vtkOBJReader, "vtp": vtkXMLPolyDataReader}


def beadlet(*arguments):
    return subprocess.run([BEADLET, *map(str, arguments)], capture_output=True, text=True, timeout=120)


class MeshTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.root = pathlib.Path(cls.folder.name)
        (cls.root / "scene.yaml").write_text(SCENE)
        done = beadlet("run", cls.root / "scene.yaml", "-o", cls.root / "run", "--quiet")
        assert done.returncode == 0, done.stderr

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def mesh(self, *arguments, code=0):
        done = beadlet("mesh", self.root / "run", *arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def read(self, path):
        reader = READERS[path.suffix[1:]]()
        reader.SetFileName(str(path))
        reader.Update()
        return reader.GetOutput()

    def test_formats(self):
        counts = set()
        for name in READERS:
            out = self.root / name
            self.mesh("--frames", "last", "--format", name, "-o", out)
            self.assertEqual([p.name for p in out.iterdir()], [f"water_000002.{name}"])
            data = self.read(out / f"water_000002.{name}")
            counts.add((data.GetNumberOfPoints(), data.GetNumberOfPolys()))
            edges = vtkFeatureEdges()
            edges.SetInputData(data)
            edges.FeatureEdgesOff()
            edges.ManifoldEdgesOff()
            edges.Update()
            self.assertEqual(edges.GetOutput().GetNumberOfCells(), 0, "open or non-manifold edges")
            mass = vtkMassProperties()
            mass.SetInputData(data)
            self.assertAlmostEqual(mass.GetVolume() / (4 / 3 * math.pi * RADIUS**3), 1, delta=0.015)
            self.assertAlmostEqual(mass.GetSurfaceArea() / (4 * math.pi * RADIUS**2), 1, delta=0.02)
        self.assertEqual(len(counts), 1)

    def test_velocities(self):
        self.mesh("--frames", "last", "--format", "vtp", "-o", self.root / "velocities")
        v = self.read(self.root / "velocities" / "water_000002.vtp").GetPointData().GetArray("v")
        for component, expected in enumerate((1.0, 0.0, -9.81 * 0.02)):
            low, high = v.GetRange(component)
            self.assertAlmostEqual(low, expected, delta=1e-3)
            self.assertAlmostEqual(high, expected, delta=1e-3)

    def test_all_frames_by_default(self):
        self.mesh()
        self.assertEqual(sorted(p.name for p in (self.root / "run" / "mesh").iterdir()),
                         [f"water_{k:06d}.ply" for k in range(3)])

    def test_ranges(self):
        out = self.root / "ranges"
        self.mesh("--frames", "1..7", "-o", out)
        self.assertEqual(sorted(p.name for p in out.iterdir()), ["water_000001.ply", "water_000002.ply"])

    def test_same_bytes_for_any_thread_count(self):
        files = []
        for threads in (1, 3):
            out = self.root / f"threads{threads}"
            self.mesh("--frames", 1, "-o", out, "--threads", threads, "--anisotropic")
            files.append((out / "water_000001.ply").read_bytes())
        self.assertEqual(*files)

    def test_mistakes(self):
        self.assertIn("0 to 2", self.mesh("--frames", 9, code=66).stderr)
        self.assertIn("0 to 2", self.mesh("--frame", "3..9", code=66).stderr)
        self.assertIn("10..20", self.mesh("--frames", "x", code=2).stderr)
        self.assertIn("cell", self.mesh("--cell", "0.1", code=2).stderr)
        self.assertEqual(beadlet("mesh", self.root / "nowhere").returncode, 66)

    def test_two_dimensions(self):
        (self.root / "flat.yaml").write_text(
            SCENE.replace("spacing:", "dimension: 2\nspacing:").replace("[0, 0, -9.81 m/s^2]", "[0, -9.81 m/s^2, 0]")
            .replace("[0.1 mm, 0.2 mm, 30 mm]", "[0.1 mm, 30 mm, 0]").replace("normal: [0, 0, 1]", "normal: [0, 1, 0]"))
        done = beadlet("run", self.root / "flat.yaml", "-o", self.root / "flat", "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in ("vtp", "obj"):
            out = self.root / f"flat_{name}"
            done = beadlet("mesh", self.root / "flat", "--frames", "last", "--format", name, "-o", out)
            self.assertEqual(done.returncode, 0, done.stderr)
            data = self.read(out / f"water_000002.{name}")
            self.assertEqual((data.GetNumberOfLines(), data.GetNumberOfPolys()), (1, 0))
            line = data.GetCell(0)
            self.assertEqual(line.GetPointId(0), line.GetPointId(line.GetNumberOfPoints() - 1), "not closed")
            points = [data.GetPoint(line.GetPointId(k)) for k in range(line.GetNumberOfPoints())]
            area = sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(points, points[1:])) / 2
            self.assertAlmostEqual(area / (math.pi * RADIUS**2), 1, delta=0.02)


if __name__ == "__main__":
    unittest.main()
