// One column of series.csv over time, with a mark at the present frame.

const tidy = (x) => (x === 0 ? "0" : Math.abs(x) >= 1e4 || Math.abs(x) < 1e-2 ? x.toExponential(2) : x.toPrecision(3));

// about `count` round numbers between two ends
function ticks(low, high, count) {
  const raw = (high - low) / count || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].find((s) => s * power >= raw) * power;
  const out = [];
  for (let x = Math.ceil(low / step) * step; x <= high + step * 1e-9; x += step) out.push(Math.abs(x) < step * 1e-9 ? 0 : x);
  return out;
}

export class Chart {
  constructor(canvas, onTime) {
    this.canvas = canvas;
    this.points = new Float64Array(0);
    this.log = false;
    this.time = 0;
    canvas.addEventListener("click", (e) => {
      if (this.box) onTime(this.timeAt(e.offsetX));
    });
  }

  timeAt(x) {
    const { left, width, from, to } = this.box;
    return from + ((x - left) / width) * (to - from);
  }

  show(points, log) {
    this.points = points;
    this.log = log;
    this.draw();
  }

  mark(time) {
    this.time = time;
    this.draw();
  }

  limits() {
    let from = Infinity, to = -Infinity, low = Infinity, high = -Infinity;
    for (let k = 0; k < this.points.length; k += 2) {
      const y = this.value(k);
      if (!Number.isFinite(y)) continue;
      from = Math.min(from, this.points[k]), to = Math.max(to, this.points[k]);
      low = Math.min(low, y), high = Math.max(high, y);
    }
    if (!(to > from)) to = from + 1e-9;
    if (!(high > low)) [low, high] = [low - Math.abs(low || 1) * 0.1, high + Math.abs(high || 1) * 0.1];
    return { from, to, low, high };
  }

  value(k) {
    const y = this.points[k + 1];
    return this.log ? (y > 0 ? Math.log10(y) : NaN) : y;
  }

  draw() {
    const scale = window.devicePixelRatio || 1;
    const w = this.canvas.clientWidth, h = this.canvas.clientHeight;
    Object.assign(this.canvas, { width: w * scale, height: h * scale });
    const g = this.canvas.getContext("2d");
    g.scale(scale, scale);
    g.font = "11px system-ui, sans-serif";
    const limits = this.limits();
    this.box = null;
    if (!Number.isFinite(limits.low)) {
      g.fillStyle = "#9fb0c0";
      g.fillText(this.points.length ? "nothing above zero" : "no values yet", 8, h / 2);
      return;
    }
    this.box = { left: 56, top: 6, width: w - 62, height: h - 24, ...limits };
    this.drawGrid(g);
    this.drawCurve(g);
    this.drawMark(g);
  }

  x(t) { return this.box.left + ((t - this.box.from) / (this.box.to - this.box.from)) * this.box.width; }
  y(v) { return this.box.top + (1 - (v - this.box.low) / (this.box.high - this.box.low)) * this.box.height; }

  drawGrid(g) {
    const { left, top, width, height, from, to, low, high } = this.box;
    g.strokeStyle = "rgba(255,255,255,.1)";
    g.fillStyle = "#9fb0c0";
    g.beginPath();
    g.textAlign = "right";
    for (const v of ticks(low, high, 6)) {
      g.moveTo(left, this.y(v)), g.lineTo(left + width, this.y(v));
      g.fillText(tidy(this.log ? 10 ** v : v), left - 4, this.y(v) + 4);
    }
    g.textAlign = "center";
    for (const t of ticks(from, to, 4)) {
      g.moveTo(this.x(t), top), g.lineTo(this.x(t), top + height);
      g.fillText(`${tidy(t * 1000)} ms`, Math.min(this.x(t), left + width - 18), top + height + 14);
    }
    g.stroke();
  }

  drawCurve(g) {
    g.strokeStyle = "#5ab4f0";
    g.lineWidth = 1.5;
    g.beginPath();
    let pen = false;
    for (let k = 0; k < this.points.length; k += 2) {
      const v = this.value(k);
      if (!Number.isFinite(v)) { pen = false; continue; }
      g[pen ? "lineTo" : "moveTo"](this.x(this.points[k]), this.y(v));
      pen = true;
    }
    g.stroke();
  }

  drawMark(g) {
    const { left, top, width, height } = this.box;
    const x = Math.max(left, Math.min(left + width, this.x(this.time)));
    g.strokeStyle = "#f0b45a";
    g.lineWidth = 1;
    g.beginPath();
    g.moveTo(x, top), g.lineTo(x, top + height);
    g.stroke();
  }
}
