// el makes an element. Its text is never read as HTML.
export function el(name, attrs, ...children) {
  const e = document.createElement(name);
  for (const [k, v] of Object.entries(attrs)) e.setAttribute(k, v);
  e.append(...children);
  return e;
}

// button makes a button with a text.
export function button(text, go) {
  const b = el("button", { type: "button" }, text);
  b.addEventListener("click", go);
  return b;
}

// icon is a drawing for a button, from a path in a square of 24.
export function icon(path) {
  const [svg, p] = ["svg", "path"].map(name => document.createElementNS("http://www.w3.org/2000/svg", name));
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  p.setAttribute("d", path);
  svg.append(p);
  return svg;
}
