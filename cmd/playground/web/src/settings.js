// Which game of the file is on the board: the variant and its parameters.

import { el } from "./dom.js";

// Settings makes the controls. They are made anew only for other parameters, so that what somebody
// types is not lost when an answer comes.
export class Settings {
  #shape = ""; #inputs = []; #changed;
  element = el("div", { class: "line settings" });

  // changed gets the variant, and the parameters that have changed.
  constructor(changed) { this.#changed = changed; }

  show(variants, game) {
    const v = variants.find(v => v.name === game.variant) ?? variants[0], shape = JSON.stringify([variants, v?.name]);
    if (shape !== this.#shape) {
      this.#shape = shape;
      this.#inputs = v ? v.params.map(p => this.#input(v, p)) : [];
      const select = variants.length > 1 && el("label", {}, "Game ", el("select", { "data-key": "variant", onchange: e => this.#changed(e.target.value, {}) },
        variants.map(o => el("option", { value: o.name, selected: o.name === v.name }, o.name))));
      this.element.replaceChildren(...[select, ...this.#inputs.map(i => i.label)].filter(Boolean));
    }
    for (const i of this.#inputs) i.set(game.params[i.name]);
  }

  #input(v, p) {
    const set = value => this.#changed(v.name, { [p.name]: value });
    const now = value => value ?? p.value, key = { "data-key": `param ${p.name}` };
    if (p.bool) {
      const box = el("input", { type: "checkbox", ...key, onchange: e => set(e.target.checked) });
      return { name: p.name, label: el("label", {}, box, p.name), set: value => { box.checked = now(value) === true || now(value) === 1; } };
    }
    const box = el("input", { type: "number", min: p.lo, max: p.hi, step: 1, ...key,
      onchange: e => { if (e.target.value !== "" && Number.isSafeInteger(e.target.valueAsNumber)) set(e.target.valueAsNumber); } });
    let shown = null;
    return {
      name: p.name, label: el("label", { title: p.hi === null ? `from ${p.lo}` : `from ${p.lo} to ${p.hi}` }, `${p.name} `, box),
      set: value => { if (now(value) !== shown) box.value = shown = now(value); },
    };
  }
}
