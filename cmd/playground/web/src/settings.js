// Which game of the file is on the board: the variant and its parameters.

import { el } from "./dom.js";

// settings makes the controls. changed gets the new variant and parameters.
export function settings(variants, game, changed) {
  const v = variants.find(v => v.name === game.variant) ?? variants[0];
  if (!v) return el("div", { class: "line" });
  const params = { ...game.params };
  const select = variants.length > 1 && el("label", {}, "Game ", el("select", { "data-key": "variant", onchange: e => changed(e.target.value, {}) },
    variants.map(o => el("option", { value: o.name, selected: o.name === v.name }, o.name))));
  const inputs = v.params.map(p => {
    const now = params[p.name] ?? p.value;
    const set = value => changed(v.name, { ...params, [p.name]: value });
    if (p.bool) {
      const box = el("input", { type: "checkbox", "data-key": `param ${p.name}`, onchange: e => set(e.target.checked) });
      box.checked = now === true || now === 1;
      return el("label", {}, box, p.name);
    }
    const range = p.hi === null ? `from ${p.lo}` : `from ${p.lo} to ${p.hi}`;
    return el("label", { title: range }, `${p.name} `, el("input", {
      type: "number", value: now, min: p.lo, max: p.hi, step: 1, "data-key": `param ${p.name}`,
      onchange: e => { if (e.target.value !== "" && Number.isSafeInteger(e.target.valueAsNumber)) set(e.target.valueAsNumber); },
    }));
  });
  return el("div", { class: "line settings" }, select, inputs);
}
