// What is drawn of a frame: arrays on the card for every set, colours and their range.

import { loadFrame, loadSurface } from "./data.js";

const WATER = [0.16, 0.45, 0.72];
const WALL = [0.45, 0.47, 0.5];

// One number a particle: the field itself, a part of a vector or its length.
function values(frame, part) {
  if (!frame.field) return new Float32Array(frame.count);
  if (frame.components === 1) return frame.field;
  const out = new Float32Array(frame.count);
  for (let i = 0; i < frame.count; i++) {
    const [x, y, z] = frame.field.subarray(3 * i, 3 * i + 3);
    out[i] = part >= 0 ? frame.field[3 * i + part] : Math.hypot(x, y, z);
  }
  return out;
}

// The range that all but the outermost hundredths lie in.
function spread(lists) {
  const sample = [];
  for (const list of lists) {
    const step = Math.max(1, Math.floor(list.length / 20000));
    for (let i = 0; i < list.length; i += step) if (Number.isFinite(list[i])) sample.push(list[i]);
  }
  if (!sample.length) return null;
  sample.sort((a, b) => a - b);
  const at = (share) => sample[Math.round(share * (sample.length - 1))];
  return [at(0.01), at(0.99)];
}

export class Scene {
  constructor(stage, run, look) {
    this.stage = stage;
    this.run = run;
    this.look = look; // what the panel chose
    this.shown = []; // {set, frame, values, uploaded}
    this.meshes = [];
    this.range = null; // of the data, growing over the frames seen
  }

  color(set) {
    const chosen = set.color.some((c) => c > 0) ? set.color : null;
    return chosen ?? (set.kind === "fluid" ? WATER : WALL);
  }

  wanted(set) {
    if (this.look.hidden.has(set.set)) return false;
    return set.kind === "fluid" ? this.look.mode !== "surface" : this.look.walls !== "none";
  }

  // Everything of frame `number`, or an error; what is on the card stays until all of it is here.
  async load(number) {
    const sets = this.run.sets.filter((set) => this.wanted(set));
    const field = (set) => (set.kind === "fluid" ? this.look.field : "");
    const frames = Promise.all(sets.map((set) => loadFrame(set.set, set.fixed ? 0 : number, field(set))));
    const surface = this.look.mode === "particles" ? null : loadSurface(number);
    return { number, sets, frames: await frames, surface: await surface };
  }

  prefetch(number) { this.load(number).catch(() => {}); }

  show(loaded) {
    for (const item of [...this.shown, ...this.meshes]) this.stage.release(item.uploaded);
    this.shown = loaded.sets.map((set, k) => this.put(set, loaded.frames[k]));
    this.meshes = (loaded.surface?.fluids ?? []).flatMap((mesh, k) => this.putMesh(mesh, k));
    const fresh = spread(this.shown.filter((s) => s.set.kind === "fluid").map((s) => s.values));
    if (fresh) this.range = this.range ? [Math.min(this.range[0], fresh[0]), Math.max(this.range[1], fresh[1])] : fresh;
  }

  put(set, frame) {
    const shades = values(frame, this.look.part);
    const uploaded = this.stage.upload([{ data: frame.points, components: 3 }, { data: shades, components: 1 }]);
    return { set, frame, values: shades, uploaded };
  }

  putMesh(mesh, fluid) {
    const set = this.run.sets.filter((s) => s.kind === "fluid")[fluid];
    if (this.look.hidden.has(set.set)) return [];
    const uploaded = this.stage.upload(
      [{ data: mesh.points, components: 3 }, { data: mesh.normals, components: 3 }], mesh.index);
    return [{ set, uploaded, points: mesh.points, corners: mesh.corners, count: mesh.index.length }];
  }

  // in the order of drawing
  things() {
    const both = this.look.mode === "both";
    const balls = this.shown.map((item) => {
      const fluid = item.set.kind === "fluid";
      const share = fluid ? (both ? 0.35 : 0.5) : this.look.walls === "solid" ? 0.5 : 0.14;
      const plain = !fluid || !this.look.field ? [...this.color(item.set), 1] : undefined;
      return { kind: "balls", uploaded: item.uploaded, count: item.frame.count, radius: share * this.run.spacing, plain,
        range: this.look.auto ? this.range : this.look.range };
    });
    const meshes = this.meshes.map((item) => ({ kind: "mesh", uploaded: item.uploaded, corners: item.corners,
      count: item.count, plain: [...this.color(item.set), both ? 0.35 : 1] }));
    return [...balls, ...meshes];
  }

  // The fluid's box, or that of everything if there is no fluid.
  bounds() {
    const fluid = this.shown.filter((s) => s.set.kind === "fluid" && s.frame.count).map((s) => s.frame.points);
    const liquid = fluid.concat(this.meshes.map((m) => m.points));
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (const points of liquid.length ? liquid : this.shown.map((s) => s.frame.points))
      for (let i = 0; i < points.length; i++) {
        const x = points[i], k = i % 3;
        if (x < low[k]) low[k] = x;
        if (x > high[k]) high[k] = x;
      }
    return Number.isFinite(low[0]) ? { low, high } : null;
  }

  // The particle under a pixel: the nearest to the eye whose ball covers it.
  pick(camera, x, y, width, height, cut) {
    let best = null;
    for (const { set, frame, values: shades } of this.shown) {
      if (set.kind !== "fluid") continue;
      for (let i = 0; i < frame.count; i++) {
        const point = frame.points.subarray(3 * i, 3 * i + 3);
        if (cut !== null && point[1] < cut) continue;
        const at = camera.project(point, width, height);
        const reach = Math.max(3, 0.5 * this.run.spacing * at.scale);
        if (at.depth > 0 && Math.hypot(at.x - x, at.y - y) <= reach && (!best || at.depth < best.depth))
          best = { depth: at.depth, set, point, value: shades[i] };
      }
    }
    return best;
  }
}
