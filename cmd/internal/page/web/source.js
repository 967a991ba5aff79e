import { el } from "./dom.js";

// Source is the text of the rules beside a board, in which stretches are marked.
export class Source {
  #text; #stretches; #pre;

  // id is that of the element that has the text. A stretch is [from, to].
  constructor(id, stretches) {
    this.#text = document.getElementById(id).textContent;
    this.#stretches = stretches;
    this.#pre = el("pre", { tabindex: 0, role: "group", "aria-label": "The rules" });
    this.element = el("div", { class: "source" }, this.#pre);
    this.mark({});
  }

  // mark marks stretches, by number: marks has a list of them for each class.
  mark(marks) {
    const all = Object.entries(marks).flatMap(([name, numbers]) =>
      numbers.filter(n => n >= 0).map(n => ({ name, from: this.#stretches[n][0], to: this.#stretches[n][1] })));
    const cuts = [...new Set([0, ...all.flatMap(m => [m.from, m.to]), this.#text.length])].sort((a, b) => a - b);
    this.#pre.replaceChildren(...cuts.slice(0, -1).map((from, i) => {
      const text = this.#text.slice(from, cuts[i + 1]);
      const names = [...new Set(all.filter(m => m.from <= from && cuts[i + 1] <= m.to).map(m => m.name))];
      return names.length > 0 ? el("mark", { class: names.join(" ") }, text) : text;
    }));
    this.#follow();
  }

  // follow brings what is marked into view, the most telling of it first, without scrolling the page.
  #follow() {
    const pre = this.#pre, to = [".now", ".last", ".fired", ".rule"].map(c => pre.querySelector(c)).find(Boolean);
    if (!to) return;
    const top = to.offsetTop, room = pre.clientHeight;
    if (top < pre.scrollTop || top + to.offsetHeight > pre.scrollTop + room) pre.scrollTop = Math.max(0, top - room / 3);
  }
}
