// Elements. Text becomes text, and never HTML.

// el makes an element. Properties that begin with `on` are listeners; `class` and other attributes
// are set as they are, true as an empty one, and false, null and undefined not at all.
export function el(name, attrs = {}, ...children) {
  const e = document.createElement(name);
  for (const [k, v] of Object.entries(attrs)) {
    if (k.startsWith("on")) e.addEventListener(k.slice(2), v);
    else if (v !== false && v !== null && v !== undefined) e.setAttribute(k, v === true ? "" : v);
  }
  e.append(...children.flat().filter(c => c !== null && c !== undefined && c !== false));
  return e;
}

export const button = (text, onclick, attrs = {}) => el("button", { type: "button", onclick, ...attrs }, text);

export const byId = id => document.getElementById(id);

// say tells those who listen to the page what has happened.
export function say(text) { byId("said").textContent = text; }

let fading = 0;

// toast shows a message for a while. Its box is one that is listened to.
export function toast(text) {
  const box = byId("toast");
  box.textContent = text;
  box.hidden = false;
  clearTimeout(fading);
  fading = setTimeout(() => { box.hidden = true; }, 6000);
}
