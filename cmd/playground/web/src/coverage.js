// What a search of the game on the board did not come to in the rules: marks beside the text, and a
// summary. Nothing is called "never" unless all states were searched.

import { button, el, say } from "./dom.js";
import { Stopped } from "./engine.js";

const SEARCH = 8000, READING = 10_000; // milliseconds
const QUOTED = 50; // characters of a place

export class Coverage {
  #box; #engine; #source; #game; #mark; #onplace; #turn = 0; #text = null;

  // mark shows places in the editor; onplace gets one that is to be looked at.
  constructor({ box, button, engine, source, game, mark, onplace }) {
    this.#box = box;
    this.#engine = engine;
    this.#source = source;
    this.#game = game;
    this.#mark = mark;
    this.#onplace = onplace;
    button.onclick = () => this.search();
  }

  // clear forgets what was found: it was about another file.
  clear() {
    this.#turn++;
    this.#text = null;
    this.#box.hidden = true;
    this.#box.replaceChildren();
    this.#mark([]);
  }

  // changed notes that the text is another one.
  changed() {
    const stale = this.#text !== null && this.#source().text !== this.#text;
    this.#box.classList.toggle("stale", stale);
    const old = this.#box.querySelector(".old");
    if (old) old.hidden = !stale;
  }

  async search() {
    const turn = ++this.#turn, source = this.#source(), { variant, params } = this.#game();
    this.#mark([]);
    this.#text = source.text;
    this.#show(el("div", { class: "progress" }, el("span", {}, this.#engine.thinker.busy ? "It waits until what is under way is done." : `Searching, for up to ${SEARCH / 1000} seconds …`)));
    try {
      const found = await this.#engine.thinker.ask({ ask: "coverage", source, game: { variant, params }, time: SEARCH }, { topic: "coverage", most: SEARCH + READING });
      if (turn !== this.#turn) return;
      if (found.error) throw new Error(found.error);
      this.#found(found, source);
    } catch (e) {
      if (turn !== this.#turn) return;
      this.#show(el("p", { class: "problem" }, e instanceof Stopped ? `The search for coverage was stopped: ${e.message}` : e.message));
    }
  }

  #found({ runs: [run], places }, source) {
    const here = places.filter(p => p.file === source.path), idle = here.filter(p => p.idle);
    const texts = idle.map(p => ({ ...p.range, only: p.idle === "always true", text: said(p.idle, run) }));
    const unchanged = this.#source().text === source.text;
    if (unchanged) this.#mark(texts);
    const first = outer(idle), game = [run.variant, ...Object.entries(run.params).map(([name, value]) => `${name}=${value}`)].join(" ");
    const summary = run.states === 0 ? "No state could be searched in the time." : here.length === 0 ? "The rules of this game are in another file."
      : first.length === 0 ? `Everything is carried out, and each condition is true and false, in ${extent(run)}.` : `${tally(first, run)}. ${searched(run)}`;
    this.#show(el("p", {}, el("b", {}, game), `: ${summary}`), first.length > 0 && run.states > 0 && el("ul", {}, first.map(p => el("li", {}, this.#entry(p, run, source.text)))));
    this.changed();
    say(summary);
  }

  #entry(p, run, text) {
    const { start } = p.range;
    return el("button", { type: "button", title: "Show it in the rules", "data-line": start.line, onclick: () => this.#onplace(p.range) },
      `line ${start.line}: `, el("code", {}, quoted(text, p.range)), ` ${words(p.idle, run)}`);
  }

  #show(...content) {
    this.#box.hidden = false;
    this.#box.classList.remove("stale");
    this.#box.replaceChildren(el("div", { class: "line" }, el("h3", {}, "Coverage"), el("span", { class: "old note", hidden: true }, "of an earlier text"), el("span", { class: "spring" }),
      button("Hide", () => this.clear(), { "aria-label": "Hide the coverage" })), ...content.filter(Boolean));
  }
}

const counted = (n, what) => `${n.toLocaleString("en")} ${what}${n === 1 ? "" : "s"}`;

// extent says which states were searched.
const extent = run => run.complete ? run.states === 1 ? "the only state" : `all ${counted(run.states, "state")}` : `the first ${counted(run.states, "state")}`;

const searched = run => run.complete ? `${capital(extent(run))} ${run.states === 1 ? "was" : "were"} searched.` : `Only ${extent(run)} ${run.states === 1 ? "was" : "were"} searched: others may come there.`;

const capital = text => text[0].toUpperCase() + text.slice(1);

// words are what is said of a place. "Never" is about all states.
const words = (idle, run) => run.complete ? idle : idle.replace("never", "not yet").replace("always", "so far always");

const said = (idle, run) => run.complete ? `${idle}, in ${extent(run)}` : `${idle.replace("never", "not")} in ${extent(run)}`;

// outer are the places that play came to, and of those in one another the outer one.
function outer(places) {
  const list = [], before = (a, b) => a.line < b.line || a.line === b.line && a.column <= b.column;
  for (const p of places) {
    const last = list.at(-1)?.range;
    if (p.reached !== false && !(last && before(p.range.end, last.end))) list.push(p);
  }
  return list;
}

// tally counts places by what is said of them.
function tally(places, run) {
  return [...new Set(places.map(p => p.idle))].map(idle => {
    const list = places.filter(p => p.idle === idle), what = list.every(p => ["move", "statement"].includes(p.kind)) ? "statement" : "condition";
    return `${counted(list.length, what)} ${words(idle, run)}`;
  }).join(", ");
}

// quoted is the text of a place on one line.
function quoted(text, { start, end }) {
  const lines = text.split("\n").slice(start.line - 1, end.line).map(line => [...line.replace(/\r$/, "")]);
  lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1);
  lines[0] = lines[0].slice(start.column - 1);
  const quote = lines.map(line => line.join("")).join(" ").replace(/\s+/g, " ").trim();
  return quote.length > QUOTED ? `${quote.slice(0, QUOTED)} …` : quote;
}
