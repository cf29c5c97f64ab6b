"""Frames as foreign readers see them: VTK's own for VTU and VTKHDF, the PVD by an XML parser, PLY by a reader of its own.

The fixture program writes two frames in every format and, as text, what must be in them.
"""
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

try:
    from vtkmodules.vtkIOHDF import vtkHDFReader
    from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

TESTS = os.path.join(os.environ.get("BUILD_DIR", "build"), "tests")
SETS = ["water", "rain_water_2", "glass", "lid"]
FIXED = {"glass"}


def read_expected(path):
    """{set: {array: one tuple of numbers a particle}}"""
    sets, rows, left = {}, None, 0
    for line in pathlib.Path(path).read_text().splitlines():
        words = line.split()
        if words[0] == "set":
            arrays, count = sets.setdefault(words[1], {}), int(words[2])
        elif words[0] == "array":
            rows, left = arrays.setdefault(words[1], []), count
        else:
            assert left > 0, line
            rows.append(tuple(float(w) for w in words))
            left -= 1
    return sets


def rows_of(array):
    return [array.GetTuple(k) for k in range(array.GetNumberOfTuples())]


PLY_TYPES = {"float": "f", "uint": "I"}


def read_ply(path):
    """Comments, and the values of each property."""
    data = pathlib.Path(path).read_bytes()
    header, _, body = data.partition(b"end_header\n")
    lines = header.decode("ascii").splitlines()
    assert lines[:2] == ["ply", "format binary_little_endian 1.0"], lines
    comments = [line[8:] for line in lines if line.startswith("comment ")]
    count = next(int(line.split()[2]) for line in lines if line.startswith("element vertex "))
    properties = [line.split()[1:] for line in lines if line.startswith("property ")]
    layout = struct.Struct("<" + "".join(PLY_TYPES[kind] for kind, _ in properties))
    assert len(body) == count * layout.size
    columns = zip(*layout.iter_unpack(body))
    return comments, {name: column for (_, name), column in zip(properties, columns)}


class Frames(unittest.TestCase):
    encoding, program = "raw", "test_output_frames"

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.run_dir = cls.folder.name
        subprocess.run([os.path.join(TESTS, cls.program), "--dump", cls.run_dir, cls.encoding], check=True)
        cls.expected = [read_expected(f"{cls.run_dir}/expected_{n}.txt") for n in (0, 1)]

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def path(self, name, number, ending):
        return f"{self.run_dir}/frames/{name}_{number:06d}.{ending}"

    def frames(self):
        for name in SETS:
            for number in (0, 1):
                if number == 0 or name not in FIXED:
                    yield name, number, self.expected[number][name]

    def check_grid(self, grid, number, expected, where):
        count = len(expected["points"])
        self.assertGreater(count, 10)
        self.assertEqual(grid.GetNumberOfPoints(), count, where)
        self.assertEqual(grid.GetNumberOfCells(), count, where)
        for cell in range(count):
            self.assertEqual(grid.GetCellType(cell), 1)  # a vertex
            self.assertEqual(grid.GetCell(cell).GetPointId(0), cell)
        found = {"points": rows_of(grid.GetPoints().GetData())}
        data = grid.GetPointData()
        for k in range(data.GetNumberOfArrays()):
            found[data.GetArrayName(k)] = rows_of(data.GetArray(k))
        self.assertEqual(set(found), set(expected), where)
        for name, rows in expected.items():
            self.assertEqual(found[name], rows, f"{where}: {name}")
        self.assertEqual(data.GetArray("id").GetDataTypeAsString(), "unsigned int")
        time = grid.GetFieldData().GetArray("TimeValue")
        self.assertEqual(time.GetValue(0), 0.1 * number)

    def test_vtu(self):
        for name, number, expected in self.frames():
            reader = vtkXMLUnstructuredGridReader()
            reader.SetFileName(self.path(name, number, "vtu"))
            reader.Update()
            self.assertEqual(reader.GetErrorCode(), 0)
            self.check_grid(reader.GetOutput(), number, expected, f"{name} {number} vtu")

    def test_vtkhdf(self):
        for name, number, expected in self.frames():
            reader = vtkHDFReader()
            self.assertTrue(reader.CanReadFile(self.path(name, number, "vtkhdf")))
            reader.SetFileName(self.path(name, number, "vtkhdf"))
            reader.Update()
            self.check_grid(reader.GetOutput(), number, expected, f"{name} {number} vtkhdf")

    def test_vtu_base64_is_valid_xml(self):
        if self.encoding == "base64":
            for name, number, _ in self.frames():
                xml.etree.ElementTree.parse(self.path(name, number, "vtu"))

    def test_pvd(self):
        for name in SETS:
            root = xml.etree.ElementTree.parse(f"{self.run_dir}/frames/{name}.pvd").getroot()
            self.assertEqual(root.get("type"), "Collection")
            entries = [(float(e.get("timestep")), e.get("file")) for e in root.find("Collection")]
            numbers = [0] if name in FIXED else [0, 1]
            self.assertEqual(entries, [(0.1 * n, f"{name}_{n:06d}.vtu") for n in numbers])
            for _, file in entries:
                self.assertTrue(os.path.exists(f"{self.run_dir}/frames/{file}"))

    def test_ply(self):
        short = {"normal": "n", "points": ""}
        for name, number, expected in self.frames():
            comments, found = read_ply(self.path(name, number, "ply"))
            self.assertEqual(float(comments[1].split()[1]), 0.1 * number)
            columns = {}
            for array, rows in expected.items():
                stem = short.get(array, array)
                joint = "" if len(stem) < 2 else "_"
                for c in range(len(rows[0])):
                    column = stem if len(rows[0]) == 1 else f"{stem}{joint}{'xyz'[c]}"
                    columns[column] = [row[c] for row in rows]
            self.assertTrue({"x", "y", "z", "vx", "vy", "vz", "id"} <= set(columns))
            self.assertEqual(set(columns), set(found))
            for column, values in columns.items():
                as_float = struct.unpack(f"{len(values)}f", struct.pack(f"{len(values)}f", *values))
                self.assertEqual(found[column], as_float, column)

    def test_nothing_unfinished_stays(self):
        files = os.listdir(f"{self.run_dir}/frames")
        self.assertEqual(len(files), 4 + 3 * 7)
        self.assertFalse([file for file in files if file.endswith(".part")])


class FramesBase64(Frames):
    encoding = "base64"


class FramesDouble(Frames):
    program = "test_output_frames_double"


class FramesDoubleBase64(FramesDouble):
    encoding = "base64"


if __name__ == "__main__":
    unittest.main()
