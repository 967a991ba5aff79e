import { Board, status } from "./board.js";
import { el, icon } from "./dom.js";
import { Source } from "./source.js";

const PAUSE = 700; // milliseconds between the moves of a play that runs

// Side is one play of a player.
class Side {
  #source; #caption;

  // data is {trace, layout, first, name, differ, ending, source, rules, moves, last}: as playData of
  // package page, with the layout, what the first state is, and the name of the side.
  constructor(data, dots) {
    this.data = data;
    this.onpit = () => {}; // hears of pits that are chosen, where something makes them playable
    this.board = new Board(data.layout, { dots, onpit: pit => this.onpit(pit) });
    this.#caption = el("p", { class: "caption", "aria-live": "polite" });
    this.element = el("div", { class: "side" }, ...(data.name ? [el("b", { class: "sidename" }, data.name)] : []), this.#caption,
      el("div", { class: "bench" }, el("div", { class: "stage panel" }, this.board.element)));
    if (!data.source) return;
    this.#source = new Source(data.source, data.rules ?? []);
    this.element.querySelector(".bench").append(this.#source.element);
  }

  get moves() { return this.data.trace.steps.length; }

  state(i) { return i === 0 ? this.data.trace.start : this.data.trace.steps[i - 1].state; }

  // show shows the state after so many moves, of which a shorter play has fewer. With a speed the
  // last of them is sown. It resolves when nothing moves any more.
  async show(at, speed) {
    const i = Math.min(at, this.moves), d = this.data, told = d.moves?.[i - 1], before = i > 0 ? this.state(i - 1) : null;
    this.#say(i, at);
    const marks = { rule: told ? [told.rule] : [], fired: told ? rulesOf(told) : [], last: i === this.moves ? d.last ?? [] : [] };
    if (speed && told && i === at) {
      const rules = rulesOf(told), onstep = k => this.#source?.mark({ rule: [told.rule], now: [rules[k]] });
      if (!await this.board.sow(before, this.#moved(told), this.state(i), { speed, onstep })) return;
    }
    this.board.show(this.state(i), { before, differ: i === this.moves ? d.differ ?? [] : [] });
    this.#source?.mark(marks);
  }

  // say writes the move, and what the board does not show.
  #say(i, at) {
    const d = this.data, step = i > 0 ? d.trace.steps[i - 1] : null, mover = step && this.state(i - 1).control.mover;
    const say = this.#caption, badge = text => say.append(" ", el("span", { class: "badge" }, text));
    say.replaceChildren(...(step ? [el("span", { class: "no" }, `${i}. `), el("b", {}, (mover ? `${mover}: ` : "") + step.move), " "] : [d.first]));
    if (step && step.label !== d.layout.label) say.append(el("span", { class: "move" }, step.label));
    const rest = status(d.layout, this.state(i));
    if (rest) say.append(" ", el("span", { class: "status" }, rest));
    if (d.ending && i === this.moves) badge(d.ending);
    if (i < at) badge("ends here");
  }

  // moved are the seeds that a move moves, with the names of pits.
  #moved({ moved }) {
    const pits = Object.keys(this.data.trace.start.pits), list = [];
    for (let k = 0; k < moved.length; k += 4) list.push({ from: pits[moved[k]] ?? null, into: pits[moved[k + 1]] ?? null, seeds: moved[k + 2] });
    return list;
  }
}

const rulesOf = ({ moved }) => moved.filter((_, k) => k % 4 === 3);

// Player plays one play, or two that go on together. It listens to keys while it, or something in
// it, has the focus. id is that of the section it stands in, for links to a state, or empty.
export class Player {
  #last; #running = 0; #id; #parts;

  constructor(dots, id, ...sides) {
    this.at = 0;
    this.onshow = () => {};
    this.sides = sides.map(s => new Side(s, dots));
    this.#last = Math.max(...this.sides.map(s => s.moves));
    this.#id = id;
    const button = (path, label, go) => {
      const b = el("button", { type: "button", "aria-label": label, title: label }, icon(path));
      b.addEventListener("click", () => { this.stop(); go(); });
      return b;
    };
    const parts = this.#parts = {
      start: button("M6 5v14M19 5l-9 7 9 7z", "To the start (Home)", () => this.show(0)),
      back: button("M17 5l-10 7 10 7z", "One move back (←)", () => this.show(this.at - 1)),
      forth: button("M7 5l10 7-10 7z", "One move forward (→)", () => this.#step()),
      end: button("M18 5v14M5 5l9 7-9 7z", "To the end (End)", () => this.show(this.#last)),
      run: el("button", { type: "button", class: "run" }, "Play"),
      slider: el("input", { type: "range", min: 0, max: this.#last, "aria-label": "Move" }),
      where: el(id ? "a" : "span", { class: "no", ...(id && { title: "A link to this state" }) }),
      speed: el("select", { "aria-label": "Speed" }, ...[0.5, 1, 2, 4].map(n => el("option", { value: n, ...(n === 1 && { selected: "" }) }, `${n}×`))),
    };
    parts.run.addEventListener("click", () => this.#running ? this.stop() : this.#run());
    parts.slider.addEventListener("input", () => { this.stop(); this.show(Number(parts.slider.value)); });
    this.element = el("div", { class: "player", tabindex: 0, role: "group", "aria-label": "Player. Keys: left, right, Home, End, space" },
      el("div", { class: sides.length > 1 ? "sides" : "" }, ...this.sides.map(s => s.element)),
      el("div", { class: "controls" }, parts.start, parts.back, parts.forth, parts.end, parts.run, parts.slider, parts.where, parts.speed));
    this.element.addEventListener("keydown", e => this.#key(e));
    this.show(0);
  }

  // show shows the state after so many moves. With a speed the last move is sown.
  show(at, speed) {
    this.onshow();
    this.at = Math.max(0, Math.min(this.#last, at));
    const { start, back, forth, end, slider, where } = this.#parts;
    where.textContent = `${this.at} of ${this.#last}`;
    if (this.#id) where.setAttribute("href", `#${this.#id}.${this.at}`);
    slider.value = this.at;
    this.element.dataset.at = this.at;
    start.disabled = back.disabled = this.at === 0;
    forth.disabled = end.disabled = this.at === this.#last;
    return Promise.all(this.sides.map(s => s.show(this.at, speed)));
  }

  #step() { return this.at < this.#last ? this.show(this.at + 1, Number(this.#parts.speed.value)) : Promise.resolve(); }

  async #run() {
    const run = ++runs;
    this.#running = run;
    this.#parts.run.textContent = "Pause";
    if (this.at === this.#last) await this.show(0);
    while (this.at < this.#last) {
      await new Promise(done => setTimeout(done, PAUSE / Number(this.#parts.speed.value)));
      if (this.#running !== run) return;
      await this.#step();
    }
    if (this.#running === run) this.stop();
  }

  stop() {
    this.#running = 0;
    this.#parts.run.textContent = "Play";
  }

  #key(e) {
    if (e.ctrlKey || e.altKey || e.metaKey || e.target.tagName === "SELECT") return;
    const go = { ArrowRight: () => this.#step(), ArrowLeft: () => this.show(this.at - 1), Home: () => this.show(0), End: () => this.show(this.#last) }[e.key]
      ?? (e.key === " " && e.target === this.element && (() => e.shiftKey ? this.show(this.at - 1) : this.#step()));
    if (!go) return;
    this.stop();
    go();
    e.preventDefault();
    if (document.activeElement === document.body || document.activeElement.disabled) this.element.focus();
  }
}

let runs = 0;
