"""Bring the meshes of a run into Blender: one object a frame, seen in that frame only, smooth, as clear liquid.

    beadlet mesh out/drop
    blender --python tools/blender_open.py -- out/drop/mesh [--scale 100] [--render picture.png] [--frame N]

Blender 3.4 to 4.x. Lengths are in metres: --scale makes a drop of millimetres handy. With --render a picture is made and
Blender may run without a window (blender --background).
"""
import argparse
import pathlib
import re
import sys

import bpy


def import_ply(path):
    if bpy.app.version >= (3, 6, 0):
        bpy.ops.wm.ply_import(filepath=str(path))
    else:
        bpy.ops.import_mesh.ply(filepath=str(path))
    return bpy.context.selected_objects[0]


def make_liquid():
    material = bpy.data.materials.new("liquid")
    material.use_nodes = True
    nodes = material.node_tree.nodes
    nodes.clear()
    glass = nodes.new("ShaderNodeBsdfGlass")
    glass.inputs["IOR"].default_value = 1.333
    glass.inputs["Roughness"].default_value = 0
    glass.inputs["Color"].default_value = (0.75, 0.9, 1, 1)
    out = nodes.new("ShaderNodeOutputMaterial")
    material.node_tree.links.new(glass.outputs["BSDF"], out.inputs["Surface"])
    return material


def show_in(item, number):
    """Hidden, but for one frame."""
    for hidden, frame in ((True, number - 1), (False, number), (True, number + 1)):
        item.hide_viewport = item.hide_render = hidden
        item.keyframe_insert("hide_viewport", frame=frame)
        item.keyframe_insert("hide_render", frame=frame)


def open_meshes(folder, scale):
    """All NAME_000042.ply of the folder; returns the objects of each frame."""
    liquid, frames = make_liquid(), {}
    for path in sorted(pathlib.Path(folder).glob("*_*.ply")):
        number = re.search(r"_(\d{6})$", path.stem)
        if not number:
            continue
        item = import_ply(path)
        item.scale = (scale, scale, scale)
        for face in item.data.polygons:
            face.use_smooth = True
        item.data.materials.clear()
        item.data.materials.append(liquid)
        show_in(item, int(number.group(1)))
        frames.setdefault(int(number.group(1)), []).append(item)
    return frames


def add_stage(target, size):
    """A camera that looks at the target, a floor, a lamp and a grey world."""
    distance = 3.4 * size
    scene = bpy.context.scene
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.location = (target[0], target[1] - distance, target[2] + 0.35 * distance)
    camera.data.clip_start = 0.01 * distance
    scene.collection.objects.link(camera)
    aim = bpy.data.objects.new("aim", None)
    aim.location = target
    scene.collection.objects.link(aim)
    follow = camera.constraints.new("TRACK_TO")
    follow.target, follow.track_axis, follow.up_axis = aim, "TRACK_NEGATIVE_Z", "UP_Y"
    scene.camera = camera
    x, y, z, half = *target[:2], target[2] - 0.52 * size, 20 * size
    floor = bpy.data.meshes.new("floor")
    floor.from_pydata([(x - half, y - half, z), (x + half, y - half, z), (x + half, y + half, z), (x - half, y + half, z)],
                      [], [(0, 1, 2, 3)])
    scene.collection.objects.link(bpy.data.objects.new("floor", floor))
    sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    sun.data.energy = 3
    sun.rotation_euler = (0.7, 0.3, 0)
    scene.collection.objects.link(sun)
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.35, 0.5, 0.7, 1)


def box_of(items):
    """Middle and size; hidden objects have no matrix yet, so their scale is applied here."""
    corners = [[c[k] * o.scale[k] for k in range(3)] for o in items for c in o.bound_box]
    low = [min(c[k] for c in corners) for k in range(3)]
    high = [max(c[k] for c in corners) for k in range(3)]
    return [(a + b) / 2 for a, b in zip(low, high)], max(b - a for a, b in zip(low, high))


def main(arguments):
    parser = argparse.ArgumentParser(prog="blender_open.py")
    parser.add_argument("folder")
    parser.add_argument("--scale", type=float, default=100)
    parser.add_argument("--render")
    parser.add_argument("--frame", type=int)
    options = parser.parse_args(arguments)
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    frames = open_meshes(options.folder, options.scale)
    if not frames:
        sys.exit(f"{options.folder}: no meshes; run beadlet mesh first")
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = min(frames), max(frames)
    frame = max(frames) if options.frame is None else options.frame
    scene.frame_set(frame)
    middle, size = box_of(frames[frame])
    add_stage(middle, size)
    scene.render.engine = "CYCLES"
    print(len(frames), "frames")
    if options.render:
        scene.cycles.samples = 32
        scene.cycles.use_denoising = False
        scene.render.resolution_x, scene.render.resolution_y = 320, 180
        scene.render.filepath = str(pathlib.Path(options.render).resolve())
        bpy.ops.render.render(write_still=True)


main(sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else [])
