// The picture: particles as lit balls, surfaces as lit meshes, on WebGL 2.

const BALL_VERTEX = `#version 300 es
precision highp float;
layout(location = 0) in vec3 point;
layout(location = 1) in float value;
uniform mat4 view, projection;
uniform vec3 center;        // subtracted first: floats are fine about zero
uniform float radius, pixels, cut;
out float shade;
out vec3 middle;
void main() {
  vec3 x = point - center;
  vec4 v = view * vec4(x, 1.0);
  middle = v.xyz;
  shade = value;
  gl_Position = projection * v;
  gl_PointSize = max(1.0, radius * pixels * projection[1][1] / gl_Position.w);
  if (x.y < cut) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

const LIGHT = `
vec3 sky(vec3 d) { return mix(vec3(0.30, 0.36, 0.44), vec3(0.93, 0.96, 1.0), smoothstep(-0.3, 0.9, d.y)); }
vec3 lit(vec3 base, vec3 n) {
  vec3 key = normalize(vec3(-0.4, 0.7, 0.6));
  float diffuse = 0.35 + 0.65 * max(dot(n, key), 0.0);
  float spot = pow(max(dot(n, normalize(key + vec3(0.0, 0.0, 1.0))), 0.0), 60.0);
  return base * diffuse + 0.25 * spot;
}`;

const BALL_FRAGMENT = `#version 300 es
precision highp float;
in float shade;
in vec3 middle;
uniform mat4 projection;
uniform sampler2D colors;
uniform vec4 plain;         // a: 1 uses it, 0 the colours of values
uniform vec2 range;
uniform float radius, flat_;
out vec4 color;
${LIGHT}
void main() {
  vec2 p = gl_PointCoord * 2.0 - 1.0;
  float r2 = dot(p, p);
  if (r2 > 1.0) discard;
  vec3 n = vec3(p.x, -p.y, sqrt(1.0 - r2));
  float t = clamp((shade - range.x) / max(range.y - range.x, 1e-30), 0.0, 1.0);
  vec3 base = plain.a > 0.5 ? plain.rgb : texture(colors, vec2((t * 255.0 + 0.5) / 256.0, 0.5)).rgb;
  color = vec4(flat_ > 0.5 ? base * (1.0 - 0.25 * r2) : lit(base, n), 1.0);
  vec4 c = projection * vec4(middle + radius * n, 1.0);
  gl_FragDepth = 0.5 + 0.5 * c.z / c.w;
}`;

const BACK_VERTEX = `#version 300 es
out float height;
void main() {  // one triangle over all
  vec2 p = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  height = 0.5 + 0.5 * p.y;
  gl_Position = vec4(p, 1.0, 1.0);
}`;
const BACK_FRAGMENT = `#version 300 es
precision highp float;
in float height;
out vec4 color;
void main() { color = vec4(mix(vec3(0.055, 0.07, 0.09), vec3(0.15, 0.20, 0.26), smoothstep(0.0, 1.0, height)), 1.0); }`;

const MESH_VERTEX = `#version 300 es
precision highp float;
layout(location = 0) in vec3 point;
layout(location = 1) in vec3 normal;
uniform mat4 view, projection;
uniform vec3 center;
out vec3 n, v;
out float y;
void main() {
  vec3 x = point - center;
  vec4 q = view * vec4(x, 1.0);
  v = q.xyz;
  y = x.y;
  n = mat3(view) * normal;
  gl_Position = projection * q;
}`;

const MESH_FRAGMENT = `#version 300 es
precision highp float;
in vec3 n, v;
in float y;
uniform vec4 plain;
uniform float cut;
out vec4 color;
${LIGHT}
void main() {
  if (y < cut) discard;
  vec3 m = normalize(n), eye = normalize(-v);
  if (dot(m, eye) < 0.0) { color = vec4(0.55 * plain.rgb, 1.0); return; }  // the inside of a cut
  float fresnel = 0.04 + 0.96 * pow(1.0 - max(dot(m, eye), 0.0), 5.0);
  color = vec4(mix(lit(plain.rgb, m), sky(reflect(-eye, m)), fresnel), plain.a);
}`;

function compile(gl, kind, source) {
  const shader = gl.createShader(kind);
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
  return shader;
}

class Program {
  constructor(gl, vertex, fragment) {
    this.gl = gl;
    this.program = gl.createProgram();
    gl.attachShader(this.program, compile(gl, gl.VERTEX_SHADER, vertex));
    gl.attachShader(this.program, compile(gl, gl.FRAGMENT_SHADER, fragment));
    gl.linkProgram(this.program);
    if (!gl.getProgramParameter(this.program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(this.program));
    this.places = {};
  }

  use() { this.gl.useProgram(this.program); }
  place(name) { return (this.places[name] ??= this.gl.getUniformLocation(this.program, name)); }
  number(name, x) { this.gl.uniform1f(this.place(name), x); }
  vector(name, x) { this.gl[`uniform${x.length}fv`](this.place(name), x); }
  matrix(name, x) { this.gl.uniformMatrix4fv(this.place(name), false, x); }
}

export class Stage {
  constructor(canvas) {
    this.canvas = canvas;
    const gl = (this.gl = canvas.getContext("webgl2", { antialias: true, alpha: false, preserveDrawingBuffer: true }));
    if (!gl) throw new Error("This browser has no WebGL 2, which the picture needs.");
    this.balls = new Program(gl, BALL_VERTEX, BALL_FRAGMENT);
    this.meshes = new Program(gl, MESH_VERTEX, MESH_FRAGMENT);
    this.back = new Program(gl, BACK_VERTEX, BACK_FRAGMENT);
    this.nothing = gl.createVertexArray();
    this.colors = gl.createTexture();
    gl.enable(gl.DEPTH_TEST);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  }

  setColors(rgb) {
    const gl = this.gl;
    gl.bindTexture(gl.TEXTURE_2D, this.colors);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGB, 256, 1, 0, gl.RGB, gl.UNSIGNED_BYTE, rgb);
    for (const side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, side, gl.NEAREST);
  }

  // Arrays on the card: attributes by place, and maybe an index.
  upload(attributes, index) {
    const gl = this.gl;
    const array = gl.createVertexArray();
    const buffers = [];
    gl.bindVertexArray(array);
    attributes.forEach(({ data, components }, place) => {
      const buffer = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, components, gl.FLOAT, false, 0, 0);
      buffers.push(buffer);
    });
    if (index) {
      const buffer = gl.createBuffer();
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, index, gl.STATIC_DRAW);
      buffers.push(buffer);
    }
    gl.bindVertexArray(null);
    return { array, buffers };
  }

  release(uploaded) {
    if (!uploaded) return;
    this.gl.deleteVertexArray(uploaded.array);
    uploaded.buffers.forEach((b) => this.gl.deleteBuffer(b));
  }

  fit() {
    const scale = window.devicePixelRatio || 1;
    const width = Math.round(this.canvas.clientWidth * scale), height = Math.round(this.canvas.clientHeight * scale);
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
  }

  // camera; things: {kind: "balls" | "mesh", ...}; in order, see-through ones last
  draw(camera, things, cut) {
    const gl = this.gl;
    this.fit();
    const { width, height } = this.canvas;
    gl.viewport(0, 0, width, height);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    this.back.use();
    gl.bindVertexArray(this.nothing);
    gl.depthMask(false);
    gl.disable(gl.DEPTH_TEST);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.enable(gl.DEPTH_TEST);
    gl.depthMask(true);
    const moved = Object.create(camera, { target: { value: [0, 0, 0] } }); // the target is taken off in the shaders
    const common = { view: moved.view, projection: camera.projection(width / height), center: camera.target,
      cut: cut === null ? -1e30 : cut - camera.target[1] };
    for (const thing of things) (thing.kind === "balls" ? this.drawBalls : this.drawMesh).call(this, thing, common, camera);
    gl.bindVertexArray(null);
  }

  begin(program, thing, common) {
    program.use();
    program.matrix("view", common.view);
    program.matrix("projection", common.projection);
    program.vector("center", common.center);
    program.number("cut", common.cut);
    program.vector("plain", thing.plain ?? [0, 0, 0, 0]);
    this.gl.bindVertexArray(thing.uploaded.array);
  }

  drawBalls(thing, common, camera) {
    this.begin(this.balls, thing, common);
    this.balls.number("radius", thing.radius);
    this.balls.number("pixels", this.canvas.height);
    this.balls.vector("range", thing.range ?? [0, 1]);
    this.balls.number("flat_", camera.flat ? 1 : 0);
    this.gl.bindTexture(this.gl.TEXTURE_2D, this.colors);
    this.gl.drawArrays(this.gl.POINTS, 0, thing.count);
  }

  // Twice where one sees through: depth first, so that only the nearest surface is blended.
  drawMesh(thing, common) {
    const gl = this.gl;
    this.begin(this.meshes, thing, common);
    const kind = thing.corners === 3 ? gl.TRIANGLES : gl.LINES;
    const once = () => gl.drawElements(kind, thing.count, gl.UNSIGNED_INT, 0);
    if (thing.plain[3] < 1) {
      gl.colorMask(false, false, false, false);
      once();
      gl.colorMask(true, true, true, true);
      gl.enable(gl.BLEND);
      gl.depthFunc(gl.LEQUAL);
    }
    once();
    gl.disable(gl.BLEND);
    gl.depthFunc(gl.LESS);
  }
}
