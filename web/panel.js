// The controls at the right: what is shown, in which colours.

const $ = (id) => document.getElementById(id);

export const tidy = (x) => Number(x.toPrecision(4)).toString();
export const number = (x) => (x !== 0 && (Math.abs(x) >= 1e5 || Math.abs(x) < 1e-3) ? x.toExponential(3) : tidy(x));

const element = (kind, members, ...children) => {
  const made = Object.assign(document.createElement(kind), members);
  made.append(...children);
  return made;
};

export class Panel {
  constructor(run, colors, actions) {
    this.run = run;
    this.actions = actions;
    this.look = { mode: "particles", walls: "points", field: "v", part: -1, auto: true, range: [0, 1], hidden: new Set() };
    this.fillFields();
    this.fillSets();
    this.drawBar(colors);
    this.takeFromAddress();
    this.listen();
    this.describeField();
  }

  get described() { return this.run.fluid_fields.find((f) => f.name === this.look.field); }
  get unit() { const u = this.described?.unit; return !u || u === "1" ? "" : u; }

  fillFields() {
    $("field").append(element("option", { value: "", textContent: "that of the fluid" }));
    for (const f of this.run.fluid_fields) $("field").append(element("option", { value: f.name, textContent: `${f.name}: ${f.doc}` }));
    $("field").value = this.look.field;
  }

  fillSets() {
    for (const set of this.run.sets) {
      const box = element("input", { type: "checkbox", checked: true });
      box.addEventListener("change", () => {
        this.look.hidden[box.checked ? "delete" : "add"](set.set);
        this.actions.reload();
      });
      $(set.kind === "fluid" ? "fluids" : "boundaries").append(element("label", { className: "sets" }, box, set.name));
    }
    $("boundaries").closest("fieldset").hidden = !this.run.sets.some((set) => set.kind === "boundary");
  }

  // What stands behind the # of the address: mode=surface&walls=none&field=p&part=2&low=0&high=40
  takeFromAddress() {
    const asked = new URLSearchParams(location.hash.slice(1));
    for (const name of ["mode", "walls"]) {
      const radio = [...document.querySelectorAll(`[name=${name}]`)].find((r) => r.value === asked.get(name));
      if (radio) radio.checked = true, (this.look[name] = radio.value);
    }
    for (const id of ["field", "part"])
      if ([...$(id).options].some((o) => o.value === asked.get(id))) $(id).value = asked.get(id);
    this.look.field = $("field").value;
    this.look.part = Number($("part").value);
    if (asked.has("low") && asked.has("high")) {
      $("auto").checked = this.look.auto = false;
      for (const id of ["low", "high"]) $(id).value = asked.get(id);
      this.look.range = [Number($("low").value), Number($("high").value)];
    }
  }

  drawBar(colors) {
    const g = $("bar").getContext("2d");
    const pixels = g.createImageData(256, 1);
    for (let k = 0; k < 256; k++) pixels.data.set([...colors.subarray(3 * k, 3 * k + 3), 255], 4 * k);
    g.putImageData(pixels, 0, 0);
  }

  describeField() {
    const field = this.described;
    $("doc").textContent = field ? field.doc : "";
    $("unit").textContent = this.unit;
    const balls = this.look.mode !== "surface"; // surfaces have the colour of their fluid
    for (const id of ["bar", "auto", "low", "high"]) $(id).closest(id === "bar" ? "canvas" : ".row").hidden = !field || !balls;
    $("field").closest(".row").hidden = $("doc").hidden = !balls;
    const vector = balls && !!field && /^(v|a|f_fr|f_st|f_n)$/.test(field.name);
    $("part-row").hidden = !vector;
    for (const id of ["low", "high"]) $(id).disabled = this.look.auto;
  }

  showRange(range) {
    if (!this.look.auto || !range) return;
    this.look.range = [...range];
    $("low").value = number(range[0]);
    $("high").value = number(range[1]);
  }

  chooseField() {
    this.look.field = $("field").value;
    this.look.part = Number($("part").value);
    this.actions.forgetRange();
    this.describeField();
    this.actions.reload();
  }

  chooseRange() {
    this.look.auto = $("auto").checked;
    const given = [Number($("low").value), Number($("high").value)];
    for (const [k, id] of ["low", "high"].entries()) $(id).setCustomValidity(Number.isFinite(given[k]) ? "" : "a number is expected");
    if (!this.look.auto && given.every(Number.isFinite)) this.look.range = given;
    this.describeField();
    if (this.look.auto) this.actions.forgetRange(), this.actions.reload();
    else this.actions.redraw();
  }

  listen() {
    for (const radio of document.querySelectorAll("[name=mode]"))
      radio.addEventListener("change", () => { this.look.mode = radio.value; this.describeField(); this.actions.reload(); });
    for (const radio of document.querySelectorAll("[name=walls]"))
      radio.addEventListener("change", () => { this.look.walls = radio.value; this.actions.reload(); });
    for (const id of ["field", "part"]) $(id).addEventListener("change", () => this.chooseField());
    for (const id of ["auto", "low", "high"]) $(id).addEventListener("change", () => this.chooseRange());
  }
}
