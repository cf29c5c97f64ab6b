// What the server gives, decoded; frames and surfaces are kept while there is room.

const KEEP_BYTES = 512 * 1024 * 1024;

async function ask(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error((await answer.text()).trim() || `${path}: ${answer.status}`);
  return answer;
}

export const loadRun = async () => (await ask("api/run")).json();
export const loadColumns = async () => (await ask("api/series")).json();
export const loadColumn = async (name) => new Float64Array(await (await ask(`api/series/${name}`)).arrayBuffer());
export const loadColormap = async () => new Uint8Array(await (await ask("api/colormap")).arrayBuffer());

// count, components; points; field
function decodeFrame(buffer) {
  const [count, components] = new Uint32Array(buffer, 0, 2);
  const points = new Float32Array(buffer, 8, 3 * count);
  const field = components ? new Float32Array(buffer, 8 + 12 * count, components * count) : null;
  return { count, components, points, field, bytes: buffer.byteLength };
}

// number of fluids; for each: vertices, indices, corners; points; normals; indices
function decodeSurface(buffer) {
  const fluids = [];
  let at = 4;
  for (let left = new Uint32Array(buffer, 0, 1)[0]; left > 0; left--) {
    const [vertices, indices, corners] = new Uint32Array(buffer, at, 3);
    at += 12;
    const points = new Float32Array(buffer, at, 3 * vertices);
    at += 12 * vertices;
    const normals = new Float32Array(buffer, at, 3 * vertices);
    at += 12 * vertices;
    fluids.push({ points, normals, corners, index: new Uint32Array(buffer, at, indices) });
    at += 4 * indices;
  }
  return { fluids, bytes: buffer.byteLength };
}

// Answers by path, the least recently used thrown away first. A failed request may be made again.
class Store {
  constructor() {
    this.kept = new Map();
    this.bytes = 0;
  }

  get(path, decode) {
    let entry = this.kept.get(path);
    if (entry) {
      this.kept.delete(path);
    } else {
      entry = { value: null, promise: ask(path).then((a) => a.arrayBuffer()).then(decode) };
      entry.promise.then((value) => this.arrived(path, entry, value), () => this.kept.delete(path));
    }
    this.kept.set(path, entry);
    return entry.promise;
  }

  arrived(path, entry, value) {
    entry.value = value;
    this.bytes += value.bytes;
    for (const [old, other] of this.kept) {
      if (this.bytes <= KEEP_BYTES || old === path) break;
      if (!other.value) continue;
      this.bytes -= other.value.bytes;
      this.kept.delete(old);
    }
  }

  clear() {
    this.kept.clear();
    this.bytes = 0;
  }
}

const store = new Store();
export const loadFrame = (set, number, field) =>
  store.get(`api/frame?set=${set}&number=${number}${field ? `&field=${field}` : ""}`, decodeFrame);
export const loadSurface = (number) => store.get(`api/surface?number=${number}`, decodeSurface);
export const forget = () => store.clear();
