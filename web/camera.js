// Where one looks from. 3D: an orbit about a target, z up. 2D: straight on the x-y plane, y up.

const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => { const l = Math.hypot(...a) || 1; return [a[0] / l, a[1] / l, a[2] / l]; };

export class Camera {
  constructor(flat) {
    this.flat = flat;
    this.angle = (35 * Math.PI) / 180; // vertical field of view
    this.look([0, 0, 0], 1);
  }

  // the whole of a ball about `center` in view
  look(center, radius) {
    this.target = [...center];
    this.size = radius;
    this.distance = (1.15 * radius) / Math.sin(this.angle / 2);
    this.azimuth = (-60 * Math.PI) / 180;
    this.elevation = (18 * Math.PI) / 180;
  }

  side(azimuth, elevation) {
    this.azimuth = (azimuth * Math.PI) / 180;
    this.elevation = (elevation * Math.PI) / 180;
  }

  get direction() { // from the target to the eye
    if (this.flat) return [0, 0, 1];
    const c = Math.cos(this.elevation);
    return [c * Math.cos(this.azimuth), c * Math.sin(this.azimuth), Math.sin(this.elevation)];
  }

  get eye() {
    const d = this.direction;
    return this.target.map((t, k) => t + this.distance * d[k]);
  }

  get axes() { // right, up, towards the eye
    const back = this.direction;
    const right = unit(cross(this.flat || Math.abs(back[2]) > 0.9999 ? [0, 1, 0] : [0, 0, 1], back));
    return [right, cross(back, right), back];
  }

  turn(dx, dy) {
    if (this.flat) return;
    this.azimuth -= dx * 0.008;
    this.elevation = Math.max(-1.57, Math.min(1.57, this.elevation + dy * 0.008));
  }

  move(dx, dy, height) { // pixels
    const [right, up] = this.axes;
    const scale = (2 * this.distance * Math.tan(this.angle / 2)) / height;
    this.target = this.target.map((t, k) => t - scale * (dx * right[k] - dy * up[k]));
  }

  zoom(factor) {
    this.distance = Math.max(this.size * 0.01, Math.min(this.size * 100, this.distance * factor));
  }

  // world to view, column by column
  get view() {
    const [right, up, back] = this.axes;
    const eye = this.eye;
    return [right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0,
      -dot(right, eye), -dot(up, eye), -dot(back, eye), 1];
  }

  // view to clip; the planes keep clear of what is in view
  projection(aspect) {
    const reach = this.distance + 20 * this.size;
    const near = Math.max(this.distance - 20 * this.size, this.distance * 0.01);
    const f = 1 / Math.tan(this.angle / 2);
    if (this.flat) {
      const s = f / this.distance;
      return [s / aspect, 0, 0, 0, 0, s, 0, 0, 0, 0, -2 / (reach - near), 0, 0, 0, -(reach + near) / (reach - near), 1];
    }
    return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, -(reach + near) / (reach - near), -1, 0, 0,
      (-2 * reach * near) / (reach - near), 0];
  }

  // pixel coordinates and depth of a point
  project(point, width, height) {
    const [right, up, back] = this.axes;
    const d = sub(point, this.eye);
    const depth = -dot(d, back);
    const scale = height / (2 * Math.tan(this.angle / 2)) / (this.flat ? this.distance : depth);
    return { x: width / 2 + scale * dot(d, right), y: height / 2 - scale * dot(d, up), depth, scale };
  }
}
