// Two games side by side: whether they are the same, and if not, the first play that tells them
// apart, on two boards that step together.

import { Board, turnOf } from "board";
import { verdictView } from "./claims.js";
import { button, el } from "./dom.js";
import { Stopped } from "./engine.js";
import { choose } from "./examples.js";
import { pathOf } from "./table.js";

const READING = 10_000; // milliseconds
const LISTED = 4; // pits that are named, of those that differ
const BY_YOU = "by you";

// what may be compared, in the words of the language.
const AGREEMENTS = [["play", "boards and winners"], ["play and notation", "boards, winners and notation"], ["score", "scores and winners"], ["result", "winners only"]];

export class Compare {
  #dialog; #library; #engine; #source; #game; #known; #onplay; #dots = [];
  #files = new Map(); // by path: the text as it was opened
  #rivals = []; #chosen = 0; #wanted = ""; #in = "play"; #title = ""; #looking = false; #running = false; #progress = ""; #problem = "";
  #result = null; #at = 0; #boards = []; #turn = 0;
  #said = el("p", { class: "apart", role: "status" }); // it stays, so that changes are heard

  // known resolves when the tool has the files that a text may import; onplay puts a play on the
  // board of the page.
  constructor({ dialog, library, opener, engine, source, game, known, onplay }) {
    this.#dialog = dialog;
    this.#library = library;
    this.#engine = engine;
    this.#source = source;
    this.#game = game;
    this.#known = known;
    this.#onplay = onplay;
    dialog.addEventListener("keydown", e => this.#key(e));
    opener.onclick = () => this.open();
  }

  set dots(dots) { this.#dots = dots; }

  // opened keeps the text of a file as it was opened.
  opened(path, text) { this.#files.set(path, text); }

  // origin is the text of a file as it was opened.
  origin(path) { return this.#files.get(path); }

  async open() {
    if (!this.#dialog.open) this.#dialog.showModal();
    if (this.#running) return;
    this.#problem = "";
    this.#rivals = []; // what was found before may be another text now
    this.#looking = true;
    this.#draw();
    await this.#find();
    this.#looking = false;
    this.#draw();
  }

  #ask(question) { return this.#engine.reader.ask(question, { most: READING }); }

  // find lists what the game on the board can be compared with.
  async #find() {
    const now = this.#source(), { variant, params } = this.#game();
    const rivals = [];
    try {
      const start = await this.#ask({ ask: "position", source: now, game: { variant, params, moves: [] } });
      if (start.error) throw new Error(start.error);
      this.#title = start.title;
      const add = async (source, label, but) => {
        if (/^\s*import\b/m.test(source.text)) await this.#known();
        const { variants = [] } = await this.#ask({ ask: "check", source });
        for (const v of variants) if (v.sound && v.name !== but) rivals.push({ source, variant: v.name, label: label(v.name) });
      };
      await add(now, name => name, start.variant);
      const origin = this.#files.get(now.path);
      if (origin !== undefined && origin !== now.text) await add({ path: now.path, text: origin }, name => `${name} as opened`);
      for (const [path, text] of this.#files) if (path !== now.path) await add({ path, text }, name => `${name} of ${path.split("/").at(-1)}`);
      // What was changed is what somebody wants to see first.
      rivals.sort((a, b) => (b.label === `${start.variant} as opened`) - (a.label === `${start.variant} as opened`));
    } catch (e) {
      this.#problem = e.message;
    }
    this.#rivals = rivals;
    this.#chosen = Math.max(0, rivals.findIndex(r => r.label === this.#wanted));
  }

  async #compare() {
    const rival = this.#rivals[this.#chosen], agreement = this.#in, source = this.#source(), { variant, params } = this.#game(), turn = ++this.#turn;
    this.#running = true;
    this.#progress = this.#engine.thinker.busy ? "It waits until what is under way is done." : "";
    this.#problem = "";
    this.#result = null;
    this.#draw();
    this.#dialog.querySelector("[data-key=stop]").focus();
    const told = part => {
      this.#progress = part.progress.replace(/^comparison: /, "");
      const line = this.#dialog.querySelector(".progress span");
      if (line) line.textContent = this.#progress;
    };
    try {
      const question = { ask: "compare", source, game: { variant, params }, rival: { source: rival.source, variant: rival.variant, name: rival.label, in: agreement } };
      const verdict = await this.#engine.thinker.ask(question, { told, most: 0 });
      if (verdict.error) throw new Error(verdict.error);
      const own = verdict.plays?.find(p => p.title === "play"), other = verdict.plays?.find(p => p.title !== "play");
      const sides = await Promise.all([this.#side(source, variant, own), this.#side(rival.source, rival.variant, other)]);
      if (turn !== this.#turn) return;
      this.#result = { verdict, sides, names: [own?.trace.variant ?? variant, rival.label], by: AGREEMENTS.find(([value]) => value === agreement)[1], boards: agreement.startsWith("play"), text: source.text, length: Math.max(...sides.map(s => s?.steps.length ?? 0)) };
      this.#at = this.#result.length;
      this.#boards = sides.map(s => s && new Board(s.layout, { dots: this.#dots }));
    } catch (e) {
      if (turn !== this.#turn) return;
      this.#problem = e instanceof Stopped ? ["unknown: interrupted", this.#progress].filter(Boolean).join(", ") : e.message;
    }
    this.#running = false;
    this.#draw();
    this.#dialog.querySelector(this.#result?.length > 0 ? "[data-key=back]:not(:disabled)" : "[data-key=compare]")?.focus();
  }

  // side is the play of one of the games.
  async #side(source, variant, play) {
    if (!play) return null;
    const { trace } = play, game = { variant, params: trace.params, start: trace.start, moves: trace.steps.map(s => s.move) };
    const line = await this.#ask({ ask: "position", source, game });
    if (line.error || line.cut) throw new Error(line.error ?? line.cut);
    const legal = new Map(); // by the number of moves
    return {
      ...line, trace, states: [line.start, ...line.steps.map(s => s.state)],
      at: n => {
        if (!legal.has(n)) legal.set(n, this.#ask({ ask: "position", source, game: { ...game, moves: game.moves.slice(0, n) } }));
        return legal.get(n);
      },
    };
  }

  #go(at) {
    this.#at = Math.max(0, Math.min(at, this.#result.length));
    this.#draw();
  }

  #key(e) {
    if (!this.#result || e.ctrlKey || e.altKey || e.metaKey || ["INPUT", "SELECT"].includes(e.target.tagName)) return;
    const to = { ArrowRight: this.#at + 1, ArrowLeft: this.#at - 1, Home: 0, End: this.#result.length }[e.key];
    if (to === undefined) return;
    e.preventDefault();
    this.#go(to);
  }

  // Drawing.

  #draw() {
    const focused = this.#dialog.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    this.#dialog.replaceChildren(...[
      el("div", { class: "line" }, el("h2", { id: "comparison-title" }, "Compare two games"), el("span", { class: "spring" }), button("Close", () => this.#dialog.close(), { "data-key": "close" })),
      this.#choice(), this.#running && el("div", { class: "progress" }, el("span", {}, this.#progress || "comparing …")),
      this.#problem && el("p", { class: "problem", role: "alert" }, this.#problem), ...this.#result ? this.#shown() : []].filter(Boolean));
    if (focused) (this.#dialog.querySelector(`[data-key="${CSS.escape(focused)}"]:not(:disabled)`) ?? this.#dialog.querySelector(".transport button:not(:disabled)"))?.focus();
  }

  #choice() {
    const options = this.#rivals.map((r, i) => el("option", { value: i, selected: i === this.#chosen }, r.label));
    return el("div", { class: "line choice" },
      el("span", {}, el("b", {}, this.#title || "The game on the board")),
      el("label", {}, "with ", el("select", { "data-key": "with", disabled: this.#running || options.length === 0, onchange: e => { this.#chosen = Number(e.target.value); this.#wanted = this.#rivals[this.#chosen].label; } },
        options.length > 0 ? options : el("option", {}, this.#looking ? "…" : "nothing yet"))),
      button("Example …", () => this.#example(), { "data-key": "example", "aria-haspopup": "dialog", disabled: this.#running }),
      el("label", {}, "by ", el("select", { "data-key": "in", disabled: this.#running, onchange: e => { this.#in = e.target.value; } }, AGREEMENTS.map(([value, text]) => el("option", { value, selected: value === this.#in }, text)))),
      this.#running ? button("Stop", () => this.#engine.thinker.stop(BY_YOU), { class: "first", "data-key": "stop" })
        : button("Compare", () => this.#compare(), { class: "first", "data-key": "compare", disabled: options.length === 0 }),
      options.length > 0 && this.#title.includes("=") && el("span", { class: "note" }, "Both have the parameters of the board."),
      options.length === 0 && !this.#looking && !this.#problem && el("p", { class: "note" }, "Change the rules, open another file, or choose an example: then there is something to compare with."));
  }

  // example takes one of the files of the playground as what is compared with.
  #example() {
    choose(this.#library, async (path, text) => {
      const { path: own } = this.#source();
      this.opened(path === own ? `examples/${path}` : path, text);
      await this.#find();
      this.#chosen = Math.max(0, this.#rivals.findIndex(r => r.source.text === text));
      this.#draw();
    }).catch(e => { this.#problem = e.message; this.#draw(); });
  }

  #shown() {
    const { verdict, sides, text, by, length } = this.#result, stale = text !== this.#source().text;
    const heading = { proved: `They are the same, compared by ${by}.`, refuted: `They differ, compared by ${by}.` }[verdict.verdict.replace("*", "")] ?? "It is not decided.", unchecked = verdict.verdict.endsWith("*") ? " (unchecked)" : "";
    const list = [stale && el("p", { class: "note" }, "About an earlier text:"), el("p", { class: "strong" }, heading + unchecked), verdictView({ ...verdict, plays: [] }, () => null)];
    if (sides.some(Boolean)) {
      list.push(el("div", { class: "pair" }, sides.map((s, i) => this.#half(s, i))), length > 0 && el("div", { class: "line transport" }, this.#transport(length)));
    }
    this.#said.textContent = sides.some(Boolean) ? this.#words() : "";
    return [...list.filter(Boolean), this.#said];
  }

  #half(side, i) {
    const name = this.#names[i];
    if (!side) return el("div", { class: "half", role: "group", "aria-label": name }, el("h3", {}, name), el("p", { class: "note" }, "It has no start with this board."));
    const at = Math.min(this.#at, side.steps.length), state = side.states[at], beyond = this.#at > at, step = at > 0 && !beyond ? side.steps[at - 1] : null;
    this.#boards[i].show(state, { before: step ? side.states[at - 1] : null, path: step ? pathOf(step) : [], differ: this.#differ(state, 1 - i) });
    const legal = el("p", { class: "note legal" }, "…");
    side.at(at).then(p => { legal.textContent = p.error ? p.error : p.legal.length > 0 ? `legal: ${p.legal.map(s => s.move).join(", ")}` : "no legal move"; }, () => {});
    return el("div", { class: beyond ? "half beyond" : "half", role: "group", "aria-label": name }, el("h3", {}, name), el("div", { class: "stage panel" }, this.#boards[i].element),
      el("p", {}, step ? `${step.player ? `${step.player}: ` : ""}${step.move}${step.label ? ` ${step.label}` : ""} · ` : "", el("b", {}, turnOf(state) || "in play")), legal);
  }

  get #names() { return this.#result.names; }

  // now is the state of a side, if its play has come as far as this one.
  #now(i) {
    const side = this.#result.sides[i];
    return side && this.#at <= side.steps.length ? side.states[this.#at] : null;
  }

  // differ are the pits with other seeds than those of the same name on the other board.
  #differ(state, other) {
    const beside = this.#now(other);
    return beside && this.#now(1 - other) ? Object.keys(state.pits).filter(p => p in beside.pits && beside.pits[p] !== state.pits[p]) : [];
  }

  // words say what differs here.
  #words() {
    const { sides, length, verdict, boards } = this.#result;
    const said = `The first difference: ${verdict.found.replace(/, [\d,]+ states?$/, "")}.`;
    if (!sides[0] || !sides[1]) return said;
    const [a, b] = [this.#now(0), this.#now(1)];
    if (!a || !b) {
      const [has, lacks] = a ? [0, 1] : [1, 0];
      return `The first difference. ${this.#names[has]} has the move ${sides[has].steps.at(-1).move}, and ${this.#names[lacks]} has none like it: it stays where it was.`;
    }
    const pits = this.#differ(a, 1), over = [a, b].map(s => s.control.outcome), mover = sides.map((s, i) => s.players.indexOf([a, b][i].control.mover));
    const standing = over[0] !== over[1] || mover[0] !== mover[1];
    if (this.#at === length && (!boards || pits.length === 0 && !standing)) return said;
    if (pits.length === 0 && !standing) return this.#at === 0 ? "Both begin with the same board." : "Up to here both boards are the same.";
    const told = (state, i) => `${this.#names[i]}: ${[...pits.slice(0, LISTED).map(p => `${p} ${state.pits[p]}`), pits.length > LISTED && "…", standing && turnOf(state)].filter(Boolean).join(", ")}.`;
    return `${this.#at === length ? "The first difference. " : "Here they look different, which is not compared. "}${told(a, 0)} ${told(b, 1)}`;
  }

  #transport(length) {
    const key = (text, name, to, off, id) => button(text, () => this.#go(to), { "aria-label": name, title: name, "data-key": id, disabled: off });
    return [
      key("|◀", "Both to the start", 0, this.#at === 0, "first"), key("◀", "Both one move back", this.#at - 1, this.#at === 0, "back"),
      key("▶", "Both one move forward", this.#at + 1, this.#at === length, "forward"), key("▶|", "Both to the difference", length, this.#at === length, "last"),
      el("span", { class: "where" }, this.#at === 0 ? "the start" : `move ${this.#at} of ${length}`), el("span", { class: "spring" }),
      this.#result.sides[0] && this.#result.text === this.#source().text && button("Put it on the board", () => { this.#dialog.close(); this.#onplay({ trace: this.#result.sides[0].trace }, "a difference"); }, { "data-key": "take" }),
    ].filter(Boolean);
  }
}
