#!/usr/bin/env pvpython
"""Open a run in ParaView: fluids as balls coloured by speed, boundaries in grey, time in seconds.

In ParaView:   Tools, Python Shell, Run Script...   then   open_run("out/drop")
From a shell:  pvpython tools/paraview_open.py out/drop [--state drop.pvsm] [--picture drop.png] [--frame N]
               paraview --script=tools/paraview_open.py        with BEADLET_RUN=out/drop in the environment
"""
import argparse
import json
import os
import pathlib
import sys

from paraview import simple


def set_files(run):
    """(name, file, is a fluid) of each set of a run, as docs/files.md says they are named."""
    scene = json.loads((run / "run.json").read_text(encoding="utf-8"))["scene"]
    names = [(name, True) for name in scene["fluids"]] + [(name, False) for name in scene.get("boundaries", {})]
    for name, fluid in names:
        safe = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "_" for c in name)
        path = run / "frames" / f"{safe}.pvd"
        if path.exists():
            yield name, path, fluid


def show_balls(reader, view, radius):
    display = simple.Show(reader, view)
    display.SetRepresentationType("Point Gaussian")
    display.ShaderPreset = "Sphere"
    display.GaussianRadius = radius
    return display


def color_by_speed(reader, display, view):
    simple.ColorBy(display, ("POINTS", "v", "Magnitude"))
    table = simple.GetColorTransferFunction("v")
    table.ApplyPreset("Viridis (matplotlib)", True)
    display.RescaleTransferFunctionToDataRangeOverTime()
    display.SetScalarBarVisibility(view, True)
    bar = simple.GetScalarBar(table, view)
    bar.Title, bar.ComponentTitle = "speed (m/s)", ""
    bar.TitleFontSize = bar.LabelFontSize = 14


def open_run(directory, view=None):
    """All sets of the run; returns the readers by name."""
    run = pathlib.Path(directory)
    scene = json.loads((run / "run.json").read_text(encoding="utf-8"))["scene"]
    view = view or simple.GetActiveViewOrCreate("RenderView")
    readers = {}
    for name, path, fluid in set_files(run):
        reader = simple.PVDReader(registrationName=name, FileName=str(path.resolve()))
        reader.UpdatePipeline()
        display = show_balls(reader, view, scene["spacing"] / 2)
        if fluid:
            color_by_speed(reader, display, view)
        else:
            simple.ColorBy(display, ("POINTS", ""))
            display.AmbientColor = display.DiffuseColor = [0.6, 0.6, 0.6]
            display.Opacity = 0.4
        readers[name] = reader
    simple.GetAnimationScene().UpdateAnimationUsingDataTimeSteps()
    if scene["dimension"] == 3:
        view.ResetActiveCameraToPositiveY()
        camera = simple.GetActiveCamera()
        camera.Elevation(20)
    else:
        view.ResetActiveCameraToNegativeZ()
    simple.ResetCamera(view)
    return readers


def main(arguments):
    parser = argparse.ArgumentParser(description="Open a run of Beadlet in ParaView.")
    parser.add_argument("run", help="directory of the run")
    parser.add_argument("--state", help="save a state file (.pvsm)")
    parser.add_argument("--picture", help="save a picture (.png)")
    parser.add_argument("--frame", type=int, default=-1, help="number in the list of frames; default: the last")
    options = parser.parse_args(arguments)
    view = simple.CreateView("RenderView", ViewSize=[960, 540])
    readers = open_run(options.run, view)
    times = next(iter(readers.values())).TimestepValues
    times = list(times) if hasattr(times, "__len__") else [times]
    simple.GetAnimationScene().AnimationTime = times[options.frame]
    for name, reader in readers.items():
        reader.UpdatePipeline(times[options.frame])
        print(name, reader.GetDataInformation().GetNumberOfPoints(), "particles")
    print(len(times), "frames,", times[0], "to", times[-1], "s")
    if options.state:
        simple.SaveState(options.state)
    if options.picture:
        simple.SaveScreenshot(options.picture, view, ImageResolution=[960, 540])


if __name__ in ("__main__", "__vtkconsole__"):
    if os.environ.get("BEADLET_RUN"):
        open_run(os.environ["BEADLET_RUN"])
    elif len(sys.argv) > 1:
        main(sys.argv[1:])
