// A board that shows states, animates sowing, and takes clicks and keys.
//
//   const board = new Board(layout, { dots, onpit: pit => … });
//   panel.append(board.element);
//   board.show(state, { before, playable: ["south1", "south3"] });
//   await board.sow(state, [{ from: "south3", into: null, seeds: 4 }, …], next);
//
// The layout and the dots are Layout and Dots of package drawing, as JSON. A state is
// {pits: {NAME: seeds}, control: {NAME: value}}, as package board writes it. What is shown is
// never read as HTML.

const RADIUS = 19, CELL = 46, NAME_FITS = 8, WIDE = 480;
const DROP = 170, LIFT = 320; // milliseconds for a seed to fall, and for more to be taken

function shape(name, attrs, ...children) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [k, v] of Object.entries(attrs)) e.setAttribute(k, v);
  e.append(...children);
  return e;
}

function outline(cls, s) {
  return s.store
    ? shape("rect", { class: cls, x: s.x - RADIUS, y: s.y - s.h / 2, width: 2 * RADIUS, height: s.h, rx: RADIUS })
    : shape("circle", { class: cls, cx: s.x, cy: s.y, r: RADIUS });
}

// status says what the pits do not show: the player to move, the outcome, other variables.
export function status(layout, state) {
  return Object.entries(state.control)
    .filter(([k, v]) => !(k === layout.pitVar && v !== "none") && !(k === "mover" && v === "none"))
    .map(([k, v]) => k === "mover" ? `${v} to move` : k === "outcome" ? `over: ${v}` : `${k} = ${v}`).join(", ");
}

function spoken(layout, state) {
  const full = Object.entries(state.pits).filter(([, n]) => n > 0).map(([p, n]) => `${p} ${n}`);
  return [full.join(", ") || "no seeds", status(layout, state)].filter(Boolean).join(", ");
}

const seedsOf = n => n === 1 ? "1 seed" : `${n} seeds`;

export class Board {
  #layout; #dots; #onpit; #state; #keys; #hand; #spots; #playable = []; #sowing = null;

  // dots are the places of seeds by their number; without them all numbers are written. onpit hears
  // of the playable pit that is chosen.
  constructor(layout, { onpit = () => {}, dots = [] } = {}) {
    this.#layout = layout;
    this.#dots = dots;
    this.#onpit = onpit;
    this.#spots = new Map(layout.spots.map(s => [s.pit, s]));
    this.#state = shape("g", { class: "state" });
    this.#hand = shape("g", { class: "hand" });
    this.#keys = shape("g", { class: "keys" });
    this.element = shape("svg", { class: layout.w > WIDE ? "board wide" : "board", viewBox: `0 0 ${layout.w} ${layout.h}`, role: "img" },
      this.#empty(), this.#state, this.#keys, this.#hand);
    this.element.addEventListener("keydown", e => this.#key(e));
  }

  // show draws a state. before is the state before it, to which changes are marked; marked is a pit
  // that stands out, by default that of the layout's variable; playable pits can be chosen; differ
  // lists pits that are marked as different from a board beside.
  show(state, { before = null, marked = state.control[this.#layout.pitVar], playable = [], differ = [] } = {}) {
    this.#sowing?.abort();
    this.#hand.replaceChildren();
    this.#draw(state, before, marked, differ);
    this.#offer(playable, state);
    const svg = this.element;
    svg.setAttribute("role", playable.length > 0 ? "group" : "img");
    svg.setAttribute("aria-label", spoken(this.#layout, state));
  }

  // sow moves the seeds that a move moves, one after another, and then shows the state after it.
  // Each of moved is {from, into, seeds}: pits, or null for the hand that sows. onstep hears of the
  // number of each before it happens. It resolves to whether it came to the end: it does not if
  // signal aborts it, or if something else is shown meanwhile.
  async sow(before, moved, after, { speed = 1, signal, onstep = () => {} } = {}) {
    this.show(before);
    const sowing = this.#sowing = new AbortController();
    const stop = signal ? AbortSignal.any([signal, sowing.signal]) : sowing.signal;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const state = { pits: { ...before.pits }, control: before.control }, held = { seeds: 0, at: null };
    for (let i = 0; i < moved.length && !still && !stop.aborted; i++) {
      onstep(i);
      await this.#carry(state, moved[i], held, speed, stop);
    }
    if (sowing.signal.aborted) return false;
    this.#hand.replaceChildren();
    if (stop.aborted) return false;
    this.show(after, { before });
    return true;
  }

  // carry takes seeds from where they are to where they go.
  async #carry(state, { from, into, seeds }, held, speed, stop) {
    const start = this.#spots.get(from ?? held.at) ?? this.#spots.get(into), end = this.#spots.get(into) ?? start;
    if (from !== null) state.pits[from] -= seeds;
    if (from === null) held.seeds -= seeds;
    if (into === null) Object.assign(held, { seeds: held.seeds + seeds, at: from });
    this.#draw(state, null, null, []);
    const sown = from === null || into === null; // the hand goes along; else seeds go alone
    await this.#fly(start, end, sown ? held.seeds + (from === null ? seeds : 0) : seeds, (sown && into !== null ? DROP : LIFT) / speed, stop);
    if (stop.aborted) return;
    if (into !== null) state.pits[into] += seeds;
    if (from === null) held.at = into;
    this.#draw(state, null, null, []);
    if (held.seeds === 0) this.#hand.replaceChildren();
  }

  async #fly(start, end, seeds, duration, stop) {
    if (!start) return;
    const hand = shape("g", {}, shape("circle", { class: "palm", r: 12 }), shape("text", { class: "many", y: 5 }, String(seeds)));
    this.#hand.replaceChildren(hand);
    const at = (s, rise) => ({ transform: `translate(${s.x}px, ${s.y - rise}px)` });
    const flight = hand.animate([at(start, 8), at({ x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 }, 16), at(end, 8)],
      { duration, easing: "ease-in-out", fill: "forwards" });
    const cancel = () => flight.cancel();
    stop.addEventListener("abort", cancel, { once: true });
    await flight.finished.catch(() => {});
    stop.removeEventListener("abort", cancel);
  }

  // empty draws what all states have in common.
  #empty() {
    const { w, h, spots, players } = this.#layout;
    const g = shape("g", {}, shape("rect", { class: "wood", x: 1, y: 1, width: w - 2, height: h - 2, rx: 16 }));
    for (const p of players) g.append(shape("text", { class: "who", x: p.x, y: p.y }, p.name));
    for (const s of spots) {
      const fit = [...s.pit].length > NAME_FITS ? { textLength: CELL - 2, lengthAdjust: "spacingAndGlyphs" } : {};
      g.append(shape("g", { class: s.store ? "pit store" : "pit" }, shape("title", {}, s.pit), outline("hole", s),
        shape("text", { class: "name", x: s.x, y: s.y - s.h / 2 - 4, ...fit }, s.pit)));
    }
    return g;
  }

  #draw(state, before, marked, differ) {
    const { spots } = this.#layout, list = this.#turn(state);
    const change = s => before ? state.pits[s.pit] - before.pits[s.pit] : 0, way = d => d < 0 ? "loss" : "gain";
    for (const s of spots) {
      const ring = [change(s) !== 0 && way(change(s)), marked === s.pit && "marked", differ.includes(s.pit) && "differs"].filter(Boolean);
      if (ring.length > 0) list.push(outline(["ring", ...ring].join(" "), s));
    }
    const dots = spots.map(s => (this.#dots[state.pits[s.pit]] ?? []).map(d => `M${s.x + d[0]} ${s.y + d[1]}h0`).join("")).join("");
    if (dots) list.push(shape("path", { class: "seeds", d: dots }));
    for (const s of spots) {
      const n = state.pits[s.pit], d = change(s);
      if (n >= this.#dots.length) list.push(shape("text", { class: "many", x: s.x, y: s.y + 5 }, String(n)));
      const at = { x: s.x + RADIUS - 1, y: s.y - s.h / 2 + 8 };
      if (d !== 0) list.push(shape("text", { class: `change ${way(d)}`, ...at }, d > 0 ? `+${d}` : `−${-d}`));
    }
    this.#state.replaceChildren(...list, ...this.#counts(state));
  }

  // turn underlines the name of the player to move.
  #turn(state) {
    const at = this.#layout.players.find(p => p.name === state.control.mover);
    if (!at) return [];
    const half = 3 * [...at.name].length + 4;
    return [shape("path", { class: "turn", d: `M${at.x - half} ${at.y + 4}h${2 * half}` })];
  }

  // counts writes the numbers under the pits. Neighbours of one digit each share a text, which says
  // where each digit stands.
  #counts(state) {
    const runs = [];
    for (const s of this.#layout.spots) {
      const text = String(state.pits[s.pit]), cls = text === "0" ? "zero" : "count", y = s.y + s.h / 2 + 14;
      let run = runs.at(-1);
      if (!run || run.cls !== cls || run.y !== y || text.length > 1 || run.text.length !== run.xs.length) {
        run = { cls, y, text: "", xs: [] };
        runs.push(run);
      }
      run.xs.push(s.x);
      run.text += text;
    }
    return runs.map(r => shape("text", { class: r.cls, x: r.xs.join(" "), y: r.y }, r.text));
  }

  // offer makes pits that can be played buttons. One of them can be reached by Tab, the others from
  // there by arrows.
  #offer(pits, state) {
    const focused = this.#keys.contains(document.activeElement) ? document.activeElement.dataset.pit : null;
    this.#playable = this.#layout.spots.filter(s => pits.includes(s.pit));
    this.#keys.replaceChildren(...this.#playable.map((s, i) => {
      const key = outline("key", s);
      for (const [k, v] of Object.entries({ role: "button", tabindex: i === 0 ? 0 : -1, "data-pit": s.pit,
        "aria-label": `${s.pit}: ${seedsOf(state.pits[s.pit])}` })) key.setAttribute(k, v);
      key.append(shape("title", {}, s.pit));
      key.addEventListener("click", () => this.#onpit(s.pit));
      return key;
    }));
    if (focused !== null && this.#playable.length > 0) this.#focus(this.#playable.find(s => s.pit === focused) ?? this.#playable[0]);
  }

  #focus(spot) {
    for (const key of this.#keys.children) {
      key.setAttribute("tabindex", key.dataset.pit === spot.pit ? 0 : -1);
      if (key.dataset.pit === spot.pit) key.focus();
    }
  }

  #key(e) {
    const here = this.#spots.get(e.target.dataset?.pit);
    if (!here || e.ctrlKey || e.altKey || e.metaKey) return;
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
    if (e.key === "Enter" || e.key === " ") this.#onpit(here.pit);
    else if (way) this.#focus(this.#towards(here, way));
    else return;
    e.preventDefault();
    e.stopPropagation();
  }

  // towards is the nearest playable pit in a direction, or here if there is none.
  #towards(here, [dx, dy]) {
    let best = here, least = Infinity;
    for (const s of this.#playable) {
      const ahead = (s.x - here.x) * dx + (s.y - here.y) * dy, aside = Math.abs((s.x - here.x) * dy) + Math.abs((s.y - here.y) * dx);
      if (ahead > 0 && ahead + 3 * aside < least) [best, least] = [s, ahead + 3 * aside];
    }
    return best;
  }
}
