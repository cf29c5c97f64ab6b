// The page: loads the run, plays it, and follows it while it grows.

import { Camera } from "./camera.js";
import { Chart } from "./chart.js";
import { forget, loadColormap, loadColumn, loadColumns, loadRun } from "./data.js";
import { Panel, number, tidy } from "./panel.js";
import { Scene } from "./scene.js";
import { Stage } from "./stage.js";

const $ = (id) => document.getElementById(id);
const state = { run: null, at: 0, playing: false, loading: false, wanted: null, framed: false };
let stage, camera, scene, panel, chart;

function say(text, plain) {
  $("message").textContent = text;
  $("message").hidden = !text;
  $("message").classList.toggle("plain", !!plain);
}

// --- drawing ---

const cutPlace = () => {
  if (!$("cut").checked || state.run.dimension === 2 || !state.box) return null;
  const { low, high } = state.box;
  return low[1] + ($("cut-at").value / 1000) * (high[1] - low[1]);
};

let asked = false;
function redraw() {
  if (asked || !scene) return;
  asked = true;
  requestAnimationFrame(() => {
    asked = false;
    stage.draw(camera, scene.things(), cutPlace());
  });
}

function reframe() {
  const box = (state.box = scene.bounds());
  if (!box) return;
  const middle = box.low.map((l, k) => (l + box.high[k]) / 2);
  const radius = Math.hypot(...box.low.map((l, k) => (box.high[k] - l) / 2)) + state.run.spacing;
  camera.look(middle, radius);
  redraw();
}

// --- frames ---

function showNow() {
  const frame = state.run.frames[state.at];
  $("time").value = state.at;
  $("now").textContent = frame ? `frame ${frame[0]}   ${tidy(frame[1] * 1000)} ms` : "no frame yet";
  if (frame) chart.mark(frame[1]);
}

// One frame is loaded at a time; of those asked for meanwhile only the last one comes next.
async function go(position) {
  state.wanted = Math.max(0, Math.min(state.run.frames.length - 1, position));
  if (state.loading || !state.run.frames.length) return;
  state.loading = true;
  while (state.wanted !== null) {
    const target = state.wanted;
    state.wanted = null;
    try {
      scene.show(await scene.load(state.run.frames[target][0]));
      state.at = target;
      say("");
      if (!state.framed) reframe(), (state.framed = true);
      panel.showRange(scene.range);
      showNow();
      redraw();
    } catch (error) {
      say(error.message);
      state.playing = false;
    }
  }
  state.loading = false;
}

const reload = () => go(state.at);

function play(on) {
  state.playing = on;
  $("play").textContent = on ? "❚❚" : "▶";
  $("play").setAttribute("aria-label", on ? "pause" : "play");
  if (on) tick();
}

async function tick() {
  if (!state.playing) return;
  const start = performance.now();
  const next = (state.at + 1) % state.run.frames.length;
  await go(next);
  if (state.run.frames.length) scene.prefetch(state.run.frames[(next + 1) % state.run.frames.length][0]);
  setTimeout(tick, Math.max(0, 1000 / Number($("speed").value) - (performance.now() - start)));
}

// --- a run that grows ---

function describe() {
  const { run } = state;
  document.title = `${run.name} – Beadlet`;
  $("name").textContent = run.name;
  $("status").textContent = run.status;
  $("status").className = `badge ${run.status}`;
  $("facts").textContent = `${run.dimension}D, spacing ${tidy(run.spacing * 1000)} mm, ${run.frames.length} frame${run.frames.length === 1 ? "" : "s"}`;
  $("time").max = Math.max(0, run.frames.length - 1);
}

async function loadCurve() {
  const chosen = $("column").value;
  const columns = await loadColumns().catch(() => []);
  $("curve").hidden = !columns.length;
  if (!columns.length) return;
  if (!chosen) {
    for (const { name, unit, doc } of columns.filter((c) => !["step", "time"].includes(c.name)))
      $("column").append(Object.assign(document.createElement("option"), {
        value: name, title: doc, textContent: unit === "1" ? name : `${name} (${unit})` }));
    $("column").value = "energy_kinetic";
  }
  chart.show(await loadColumn($("column").value), $("log").checked);
}

async function poll() {
  try {
    const run = await loadRun();
    const before = state.run.frames;
    const again = run.frames.length < before.length; // the run was started anew
    const grown = run.frames.length !== before.length;
    state.run = scene.run = run;
    if (again) forget();
    describe();
    if (grown) {
      await loadCurve();
      if ($("follow").checked || again || !state.framed) go(run.frames.length - 1);
    }
    if (state.lost) say(""), (state.lost = false);
  } catch (error) {
    state.lost = true;
    say(error instanceof TypeError ? "The server is gone: start beadlet view again." : error.message);
  }
  setTimeout(poll, state.run.status === "running" ? 1000 : 3000);
}

// --- mouse and keys ---

function listenToMouse(canvas) {
  let last = null, moved = 0;
  canvas.addEventListener("pointerdown", (e) => {
    canvas.setPointerCapture(e.pointerId);
    last = e, moved = 0;
  });
  canvas.addEventListener("pointermove", (e) => {
    if (!last) return;
    const dx = e.clientX - last.clientX, dy = e.clientY - last.clientY;
    moved += Math.abs(dx) + Math.abs(dy);
    if (camera.flat || e.shiftKey || e.buttons & 6) camera.move(dx, dy, canvas.clientHeight);
    else camera.turn(dx, dy);
    last = e;
    $("tip").hidden = true;
    redraw();
  });
  canvas.addEventListener("pointerup", (e) => {
    if (last && moved < 4 && e.button === 0) showTip(e);
    last = null;
  });
  canvas.addEventListener("wheel", (e) => {
    e.preventDefault();
    camera.zoom(Math.exp(e.deltaY * 0.0012));
    redraw();
  }, { passive: false });
  canvas.addEventListener("contextmenu", (e) => e.preventDefault());
}

function showTip(e) {
  const canvas = stage.canvas;
  const hit = scene.pick(camera, e.clientX, e.clientY, canvas.clientWidth, canvas.clientHeight, cutPlace());
  $("tip").hidden = !hit;
  if (!hit) return;
  const place = [...hit.point].slice(0, state.run.dimension).map((x) => tidy(x * 1000)).join(", ");
  const field = panel.look.field ? `\n${panel.look.field} = ${number(hit.value)} ${panel.unit}` : "";
  $("tip").textContent = `${hit.set.name}\n(${place}) mm${field}`;
  Object.assign($("tip").style, { left: `${e.clientX + 14}px`, top: `${e.clientY + 14}px` });
}

function savePicture() {
  stage.draw(camera, scene.things(), cutPlace());
  stage.canvas.toBlob((blob) => {
    const link = Object.assign(document.createElement("a"), {
      href: URL.createObjectURL(blob), download: `${state.run.name.replace(/\W+/g, "_")}_${state.at}.png` });
    link.click();
    URL.revokeObjectURL(link.href);
  });
}

const sides = { 1: [-90, 0], 2: [0, 0], 3: [-90, 90] }; // from the front, the right, above
const keys = {
  " ": () => play(!state.playing),
  ArrowLeft: () => go(state.at - 1),
  ArrowRight: () => go(state.at + 1),
  Home: () => go(0),
  End: () => go(state.run.frames.length - 1),
  r: reframe,
  p: savePicture,
  h: () => document.body.classList.toggle("bare"),
};

function listenToKeys() {
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.altKey || e.metaKey || e.target.closest("select, input:not([type=radio]):not([type=checkbox])")) return;
    if (e.target.closest("button, input") && e.key === " ") return;
    if (sides[e.key]) camera.side(...sides[e.key]), redraw();
    else if (keys[e.key]) keys[e.key]();
    else return;
    e.preventDefault();
  });
}

function listen() {
  listenToMouse(stage.canvas);
  listenToKeys();
  $("play").addEventListener("click", () => play(!state.playing));
  $("time").addEventListener("input", () => { play(false); go(Number($("time").value)); });
  $("follow").addEventListener("change", () => $("follow").checked && go(state.run.frames.length - 1));
  for (const id of ["cut", "cut-at"]) $(id).addEventListener("input", redraw);
  for (const id of ["column", "log"]) $(id).addEventListener("change", () => loadCurve().catch((e) => say(e.message)));
  window.addEventListener("resize", () => { redraw(); chart.draw(); });
}

// frame=12&cut=0.5 of the address; the panel takes the rest.
function takeFromAddress() {
  const asked = new URLSearchParams(location.hash.slice(1));
  if (asked.has("cut")) $("cut").checked = true, ($("cut-at").value = 1000 * Number(asked.get("cut")));
  const position = state.run.frames.findIndex((f) => f[0] === Number(asked.get("frame") ?? NaN));
  if (position >= 0) return position;
  return $("follow").checked ? state.run.frames.length - 1 : 0;
}

function nearest(time) {
  const gap = (k) => Math.abs(state.run.frames[k][1] - time);
  return state.run.frames.reduce((best, _, k) => (gap(k) < gap(best) ? k : best), 0);
}

async function start() {
  state.run = await loadRun();
  stage = new Stage($("stage"));
  stage.setColors(await loadColormap());
  camera = new Camera(state.run.dimension === 2);
  chart = new Chart($("chart"), (time) => { play(false); go(nearest(time)); });
  panel = new Panel(state.run, await loadColormap(), { reload, redraw, forgetRange: () => (scene.range = null) });
  scene = new Scene(stage, state.run, panel.look);
  $("section").hidden = state.run.dimension === 2;
  $("follow").checked = state.run.status === "running";
  describe();
  showNow();
  listen();
  if (!state.run.frames.length) say("Waiting for the first frame …", true);
  await loadCurve();
  await go(takeFromAddress());
  setTimeout(poll, 1000);
}

start().catch((error) => say(error.message));
