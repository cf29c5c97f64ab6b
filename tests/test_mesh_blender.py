"""Blender, without a window, imports a mesh of ours, counts it and renders it. Skipped where Blender is not installed."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

BLENDER = shutil.which("blender")
if not BLENDER:
    print("skipped: blender is not installed")
    sys.exit(77)

BEADLET = os.environ.get("BEADLET", "build/beadlet")
SCENE = """
spacing: 0.5 mm
time: {end: 1 ms, frames_per_second: 1000}
scheme: {name: ballistic}
fluids:
  water:
    density: 998 kg/m^3
    volumes: [{sphere: {center: [0, 0, 0], radius: 3 mm}}]
"""
INSIDE = """
import bpy, sys
ply, obj, picture = sys.argv[sys.argv.index("--") + 1:]
for o in list(bpy.data.objects): bpy.data.objects.remove(o)
bpy.ops.import_mesh.ply(filepath=ply)
bpy.ops.wm.obj_import(filepath=obj)
for o in bpy.data.objects: print("COUNT", len(o.data.vertices), len(o.data.polygons))
bpy.context.scene.camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
bpy.context.scene.collection.objects.link(bpy.context.scene.camera)
bpy.context.scene.camera.location = (0, 0, 0.03)
bpy.context.scene.camera.data.clip_start = 0.001
bpy.context.scene.render.engine = "CYCLES"
bpy.context.scene.cycles.samples = 1
bpy.context.scene.cycles.use_denoising = False
bpy.context.scene.render.resolution_x = bpy.context.scene.render.resolution_y = 64
bpy.context.scene.render.filepath = picture
bpy.ops.render.render(write_still=True)
"""


def ply_counts(path):
    header = path.read_bytes().split(b"end_header")[0].decode()
    return [line.split()[2] for line in header.splitlines() if line.startswith("element")]


with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder)
    (root / "scene.yaml").write_text(SCENE)
    (root / "inside.py").write_text(INSIDE)
    subprocess.run([BEADLET, "run", root / "scene.yaml", "-o", root / "run", "--quiet"], check=True)
    for name in ("ply", "obj"):
        subprocess.run([BEADLET, "mesh", root / "run", "--frames", "last", "--format", name, "-o", root], check=True)
    ply, obj, picture = root / "water_000001.ply", root / "water_000001.obj", root / "picture.png"
    done = subprocess.run([BLENDER, "--background", "--factory-startup", "--python-exit-code", "1", "--python",
                           root / "inside.py", "--", ply, obj, picture], capture_output=True, text=True, timeout=300)
    found = [line.split()[1:] for line in done.stdout.splitlines() if line.startswith("COUNT")]
    if done.returncode or found != [ply_counts(ply)] * 2 or picture.stat().st_size < 200:
        sys.exit(f"found {found}, expected twice {ply_counts(ply)}\n{done.stdout}\n{done.stderr}")
