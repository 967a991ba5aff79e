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

const RADIUS = 20, CELL = 46, NAME_FITS = 8, WIDE = 480, DIGIT = 8;
const NARROW = 0.68; // a board that has to be smaller than this is turned upright
const DROP = 170, LIFT = 320; // milliseconds for a seed to fall, and for more to be taken

function shape(name, attrs, ...children) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [k, v] of Object.entries(attrs)) e.setAttribute(k, v);
  e.append(...children);
  return e;
}

function outline(cls, s, inset = 0, lower = inset) {
  const w = s.w ?? 2 * RADIUS, r = RADIUS - inset;
  return s.store
    ? shape("rect", { class: cls, x: s.x - w / 2 + inset, y: s.y - s.h / 2 + lower, width: w - 2 * inset, height: s.h - lower - Math.min(inset, 2), rx: r })
    : shape("circle", { class: cls, cx: s.x, cy: s.y + (lower - inset) / 2, r });
}

// places is where seeds are drawn in a pit, as Spot.Places of package drawing.
function places(dots, s, n) {
  const long = Math.max(s.h, s.w ?? 0);
  if (long === 2 * RADIUS) return dots[Math.min(n, dots.length - 1)] ?? [];
  const most = Math.min(n, 3 * (Math.trunc(long / 8) - 2));
  return Array.from({ length: most }, (_, i) => {
    const row = Math.trunc(i / 3), x = 10 * (i % 3) - 5 * Math.min(2, most - 3 * row - 1) + 3 * (row % 2), y = Math.trunc((row + 1) / 2) * (8 - 16 * (row % 2));
    return s.w ? [y, x] : [x, y];
  });
}

// arranged is a layout as it is looked at: from the other side, or turned upright, with the row below
// at the left. Then numbers stand beside the pits.
function arranged(layout, flipped, turned) {
  const { w, h } = layout, spin = s => flipped ? { ...s, x: w - s.x, y: h - s.y } : s;
  const spots = layout.spots.map(spin), players = layout.players.map(p => ({ ...spin(p), y: flipped ? h - p.y + 8 : p.y }));
  if (!turned) return { ...layout, spots, players, side: false };
  const room = players.length > 0 ? 20 : 0, span = [Math.min(...spots.filter(s => s.h === 2 * RADIUS).map(s => s.y)), Math.max(...spots.filter(s => s.h === 2 * RADIUS).map(s => s.y))];
  const width = span[1] - span[0] + 96, at = s => width - 48 - (s.y - span[0]) - 10;
  return {
    ...layout, w: width, h: w + room, side: true,
    spots: spots.map(s => ({ ...s, x: at(s), y: s.x + room, ...s.h > 2 * RADIUS && { x: at(s) - 4, w: s.h - 20, h: 2 * RADIUS } })),
    players: players.map(p => ({ ...p, x: width * (p.y > h / 2 ? 0.27 : 0.73), y: 20 })),
  };
}

// facts are the variables of a game whose values say something, by their names: a switch that is off
// and a name that stands for nothing are left out, and what each player has is one fact.
export function facts(layout, state) {
  const all = new Map();
  for (const [k, v] of Object.entries(state.control)) {
    if (v === false || v === "none" || k === "mover" || k === "outcome" || k === layout.pitVar) continue;
    const [, name, player] = /^(.*?)(?:\((.*)\))?$/.exec(k), said = v === true ? player : player ? `${player} ${v}` : String(v);
    all.set(name, [...all.get(name) ?? [], said].filter(Boolean));
  }
  return [...all].map(([name, list]) => ({ name, text: list.length > 0 ? `${name}: ${list.join(", ")}` : name }));
}

// turnOf says who is to move, or how the game has ended.
export function turnOf({ control: { mover, outcome } }) {
  return outcome ? `over: ${outcome}` : mover && mover !== "none" ? `${mover} to move` : "";
}

// status says what the pits do not show.
export function status(layout, state) {
  return [turnOf(state), ...facts(layout, state).map(f => f.text)].filter(Boolean).join(", ");
}

function spoken(layout, state) {
  const full = Object.entries(state.pits).filter(([, n]) => n > 0).map(([p, n]) => `${p} ${n}`);
  return [full.join(", ") || "no seeds", status(layout, state)].filter(Boolean).join(", ");
}

const seedsOf = n => n === 1 ? "1 seed" : `${n} seeds`;

export class Board {
  #given; #layout; #flipped = false; #shown = null; #dots; #onpit; #onaim; #state; #aimed; #keys; #hand; #spots; #playable = []; #sowing = null;

  // dots are the places of seeds by their number; without them pits look empty. onpit hears of the
  // playable pit that is chosen, and onaim of the one that is pointed at, or null.
  constructor(layout, { onpit = () => {}, onaim = () => {}, dots = [] } = {}) {
    this.#given = layout;
    this.#dots = dots;
    this.#onpit = onpit;
    this.#onaim = onaim;
    this.#state = shape("g", { class: "state" });
    this.#hand = shape("g", { class: "hand" });
    this.#aimed = shape("g", { class: "aimed" });
    this.#keys = shape("g", { class: "keys" });
    this.element = shape("svg", { role: "img" }, shape("g", {}), this.#state, this.#aimed, this.#keys, this.#hand);
    this.element.addEventListener("keydown", e => this.#key(e));
    this.#arrange(false);
    new ResizeObserver(() => this.#fit()).observe(this.element);
  }

  // flipped is whether the board is seen from the side of the upper player.
  get flipped() { return this.#flipped; }
  set flipped(flipped) {
    this.#flipped = flipped;
    this.#arrange(this.#layout.side);
  }

  // aim shows from where to where a move would go.
  aim(path = []) { this.#aimed.replaceChildren(...this.#arrow(path, "path aim")); }

  // fit turns the board upright where its pits would be too small.
  #fit() {
    const width = this.element.parentElement?.clientWidth ?? 0, { w, h } = this.#given;
    if (width > 0 && this.#layout.side !== (w > h && width < NARROW * w)) this.#arrange(!this.#layout.side);
  }

  #arrange(turned) {
    const l = this.#layout = arranged(this.#given, this.#flipped, turned);
    this.#spots = new Map(l.spots.map(s => [s.pit, s]));
    this.element.classList.value = ["board", turned ? "turned" : l.w > WIDE && "wide"].filter(Boolean).join(" ");
    this.element.setAttribute("viewBox", `0 0 ${l.w} ${l.h}`);
    this.element.firstChild.replaceWith(this.#empty());
    if (this.#shown) this.show(...this.#shown);
  }

  // show draws a state. before is the state before it, to which changes are marked; marked is a pit
  // that stands out, by default that of the layout's variable; playable pits can be chosen; differ
  // lists pits that are marked as different from a board beside. path has the pits where the last
  // move began and ended; threats are pits that can be lost; worth has a short text for pits, and
  // whether it is the best.
  show(state, options = {}) {
    const { before = null, marked = state.control[this.#layout.pitVar], playable = [], differ = [], path = [], threats = [], worth = {} } = options;
    this.#shown = [state, options];
    this.#sowing?.abort();
    this.#hand.replaceChildren();
    this.#aimed.replaceChildren();
    this.#draw(state, before, marked, differ);
    this.#state.prepend(...this.#arrow(path)); // below seeds and numbers
    this.#state.append(...threats.map(p => this.#threat(this.#spots.get(p))), ...Object.entries(worth).map(([p, w]) => this.#worth(this.#spots.get(p), w)));
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
    const g = shape("g", {}, shape("rect", { class: "wood", x: 1, y: 1, width: w - 2, height: h - 2, rx: 16 }),
      shape("rect", { class: "edge", x: 4, y: 4, width: w - 8, height: h - 8, rx: 13 }));
    for (const p of players) g.append(shape("text", { class: "who", x: p.x, y: p.y }, p.name));
    for (const s of spots) {
      const fit = [...s.pit].length > NAME_FITS ? { textLength: CELL - 2, lengthAdjust: "spacingAndGlyphs" } : {};
      g.append(shape("g", { class: s.store ? "pit store" : "pit" }, shape("title", {}, s.pit), outline("hole", s), outline("floor", s, 3, 5),
        shape("text", { class: "name", x: s.x, y: s.y - s.h / 2 - 3, ...fit }, s.pit)));
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
    const d = spots.map(s => places(this.#dots, s, state.pits[s.pit]).map(at => `M${s.x + at[0]} ${s.y + at[1]}h0`).join("")).join("");
    if (d) list.push(shape("path", { class: "seeds shade", d }), shape("path", { class: "seeds", d }), shape("path", { class: "seeds light", d }));
    for (const s of spots.filter(s => change(s) !== 0)) {
      const d = change(s), at = this.#number(s), half = DIGIT * String(state.pits[s.pit]).length / 2;
      const beside = this.#layout.side ? { x: at.x - half, y: at.y - 14 } : { x: at.x + Math.trunc(half) + 3, y: at.y };
      list.push(shape("text", { class: `change ${way(d)}`, ...beside }, d > 0 ? `+${d}` : `−${-d}`));
    }
    this.#state.replaceChildren(...list, ...this.#counts(state));
  }

  // turn underlines the name of the player to move.
  #turn(state) {
    const at = this.#layout.players.find(p => p.name === state.control.mover);
    if (!at) return [];
    const half = 4 * [...at.name].length + 4;
    return [shape("path", { class: "turn", d: `M${at.x - half} ${at.y + 4}h${2 * half}` })];
  }

  // number is where the number of a pit stands: below it, or beside it on an upright board.
  #number(s) { return this.#layout.side ? { x: s.x + (s.w ?? 2 * RADIUS) / 2 + 14, y: s.y + 6 } : { x: s.x, y: s.y + s.h / 2 + 15 }; }

  // arrow leads from the pit where a move began to the one where it ended.
  #arrow([from, to], cls = "path") {
    const a = this.#spots.get(from), b = this.#spots.get(to);
    if (!a || !b || a === b) return [];
    const dx = b.x - a.x, dy = b.y - a.y, long = Math.hypot(dx, dy), bend = Math.min(18, long / 5) / long;
    const c = { x: (a.x + b.x) / 2 + dy * bend, y: (a.y + b.y) / 2 - dx * bend }, far = Math.hypot(b.x - c.x, b.y - c.y);
    const u = [(b.x - c.x) / far, (b.y - c.y) / far], tip = [b.x - 13 * u[0], b.y - 13 * u[1]];
    const wing = k => `${tip[0] - 8 * u[0] + k * 5 * u[1]} ${tip[1] - 8 * u[1] - k * 5 * u[0]}`;
    return [shape("path", { class: cls, d: `M${a.x} ${a.y}Q${c.x} ${c.y} ${tip.join(" ")}M${wing(1)}L${tip.join(" ")}L${wing(-1)}` })];
  }

  // threat marks a pit at its edge.
  #threat(s) {
    const [x, y] = [s.x + RADIUS - 5, s.y - s.h / 2 + 6];
    return shape("path", { class: "threat", d: `M${x - 6} ${y - 6}h12l-6 11z` }, shape("title", {}, `${s.pit} can be lost`));
  }

  // worth writes what a move is worth at the pit that it begins with.
  #worth(s, { text, best }) {
    const at = this.#layout.side ? { x: s.x, y: s.y + 4 } : { x: s.x, y: s.y - s.h / 2 - 5 };
    return shape("text", { class: best ? "worth best" : "worth", ...at }, text);
  }

  // counts writes the numbers of the pits. Neighbours of one digit each share a text, which says
  // where each digit stands.
  #counts(state) {
    const runs = [];
    for (const s of this.#layout.spots) {
      const text = String(state.pits[s.pit]), cls = text === "0" ? "zero" : "count", { x, y } = this.#number(s);
      let run = runs.at(-1);
      if (!run || run.cls !== cls || run.y !== y || text.length > 1 || run.text.length !== run.xs.length) {
        run = { cls, y, text: "", xs: [] };
        runs.push(run);
      }
      run.xs.push(x);
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
      const key = outline("key", s, -2.5);
      for (const [k, v] of Object.entries({ role: "button", tabindex: i === 0 ? 0 : -1, "data-pit": s.pit,
        "aria-label": `${s.pit}: ${seedsOf(state.pits[s.pit])}` })) key.setAttribute(k, v);
      key.append(shape("title", {}, s.pit));
      key.addEventListener("click", e => this.#onpit(s.pit, e));
      for (const [type, pit] of [["pointerenter", s.pit], ["focus", s.pit], ["pointerleave", null], ["blur", null]]) key.addEventListener(type, () => this.#onaim(pit));
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
    const way = !e.shiftKey && { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
    if (e.key === "Enter" || e.key === " ") this.#onpit(here.pit, e);
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
