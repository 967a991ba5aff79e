// The board, and all that is done at it: moves, going back and forth in a play, other moves than
// those of the play, what moves are worth, claims asked from here, and an opponent.

import { Board } from "board";
import { button, el, say } from "./dom.js";
import { Stopped } from "./engine.js";
import { Settings } from "./settings.js";
import { verdictView } from "./claims.js";

const READING = 10_000, ANALYSIS = 4000, REPLY = 1200; // milliseconds
const PAUSE = 900; // between the moves of a play that runs
const SOWN = 20; // a move that moves seeds more often is shown faster

export class Table {
  #box; #title; #engine; #source; #onrule; #onchange;
  #game = { variant: "", params: {}, start: null, setup: 0, moves: [] }; #at = 0;
  #line = null; #now = null; // what is known of the whole play, and of the part up to here
  #variants = []; #problem = ""; #picked = null; #aside = null; #name = "";
  #board = null; #layout = ""; #dots = []; #busy = 0; #running = false; #making = false;
  #settings = new Settings((variant, set) => this.open({ variant, params: variant === this.#game.variant ? { ...this.#game.params, ...set } : {} })); #analysing = false; #analysis = null; #opponent = ""; #thinking = ""; #held = null;

  constructor({ box, title, engine, source, onrule, onchange }) {
    this.#box = box;
    this.#title = title;
    this.#engine = engine;
    this.#source = source;
    this.#onrule = onrule;
    this.#onchange = onchange;
    box.addEventListener("keydown", e => this.#key(e));
  }

  set dots(dots) { this.#dots = dots; }

  // game is what a link needs to show the same play.
  get game() { return { ...this.#game, moves: [...this.#game.moves] }; }

  // open puts a play on the board. The name says where it comes from.
  async open(game, about) {
    this.place(game, about);
    await this.#load();
  }

  // place is open for a text that is not read yet: update shows the play.
  place(game, { name = "", at = 0 } = {}) {
    this.#rest();
    this.#game = { variant: "", params: {}, start: null, setup: 0, moves: [], ...game };
    this.#at = at;
    this.#aside = null;
    this.#name = name;
  }

  // evidence puts the play of a verdict on the board.
  evidence(play, claim) {
    const { trace } = play;
    return this.open({ variant: trace.variant, params: trace.params, start: trace.start, moves: trace.steps.map(s => s.move) }, { name: `Play for ${claim}` });
  }

  // update shows the game by the rules as they are now. Moves stay as far as they are legal.
  async update(checked) {
    if (!checked.read) return this.unknown("The board is that of the text before the mistake.");
    this.#variants = checked.variants.filter(v => v.sound);
    if (this.#variants.length === 0) return checked.variants.length > 0 ? this.unknown("The board is that of the text before the mistake.") : this.#none();
    if (!this.#variants.some(v => v.name === this.#game.variant)) Object.assign(this.#game, { variant: this.#variants[0].name, params: {}, start: null, setup: 0, moves: [] });
    await this.#load();
  }

  // none takes away the board: the file has no game.
  #none() {
    this.#rest();
    this.#line = this.#now = this.#parts = null;
    this.#title.textContent = "";
    this.unknown("The file has no game. Open an example, or begin with New.");
  }

  // unknown says why nothing is known of the game.
  unknown(problem) {
    this.#problem = problem;
    this.#draw();
  }

  #ask(moves) {
    return this.#engine.reader.ask({ ask: "position", source: this.#source(), game: { ...this.#game, moves } }, { most: READING });
  }

  // load plays the game as far as it goes.
  async #load() {
    const turn = ++this.#busy;
    try {
      let line = await this.#ask(this.#game.moves);
      if (line.error && this.#game.start) line = await this.#again(line);
      if (turn !== this.#busy) return;
      if (line.error) throw new Error(line.error);
      this.#line = line;
      this.#game.variant = line.variant;
      this.#game.moves = line.steps.map(s => s.move);
      this.#game.setup = line.setup;
      this.#at = Math.min(this.#at, this.#game.moves.length);
      this.#problem = line.cut ? `The moves after these are not legal by these rules: ${line.cut}` : "";
      await this.#arrive(turn);
    } catch (e) {
      if (turn !== this.#busy || e instanceof Stopped && e.message === "superseded") return;
      this.unknown(e.message);
    }
  }

  // again begins at the setup where the position fits no longer.
  async #again(failed) {
    this.#game = { ...this.#game, start: null, moves: [] };
    const line = await this.#ask([]);
    return line.error ? failed : line;
  }

  // arrive finds out what can be done here, and shows it.
  async #arrive(turn) {
    const all = this.#at === this.#game.moves.length;
    const now = all ? this.#line : await this.#ask(this.#game.moves.slice(0, this.#at));
    if (turn !== this.#busy) return;
    if (now.error) throw new Error(now.error);
    this.#now = now;
    this.#picked = null;
    this.#analysis = null;
    this.#held = null;
    this.#draw();
    this.#onchange();
    this.#think();
  }

  // go shows the position after some moves.
  async go(at) {
    const turn = ++this.#busy;
    this.#at = Math.max(0, Math.min(at, this.#game.moves.length));
    await this.#arrive(turn).catch(e => this.#fail(turn, e));
    say(`${this.#where()}. ${this.#now?.status ?? ""}`);
  }

  #fail(turn, e) {
    if (turn !== this.#busy) return;
    this.#problem = e.message;
    this.#draw();
  }

  // make makes a legal move. In the middle of a play it begins another one.
  async make(step) {
    if (this.#making) return;
    if (this.#game.moves[this.#at] === step.move) return this.#forward();
    const before = this.#state(), turn = ++this.#busy, back = this.#focused(), moves = [...this.#game.moves.slice(0, this.#at), step.move];
    this.#making = true;
    try {
      const line = await this.#ask(moves);
      if (turn !== this.#busy) return;
      if (line.error) throw new Error(line.error);
      if (this.#at < this.#game.moves.length) this.#aside ??= { game: this.game, at: this.#at, name: this.#name };
      Object.assign(this.#game, { moves });
      this.#line = line;
      this.#at++;
      this.#problem = "";
      say(`${step.player ? `${step.player}: ` : ""}${step.move}`);
      this.#drawTransport();
      await this.#sow(before, step);
      this.#making = false;
      if (turn === this.#busy) await this.#arrive(turn).then(back);
    } catch (e) {
      this.#fail(turn, e);
    } finally {
      this.#making = false;
    }
  }

  // focused remembers whether a pit or a move has the focus, and gives it back to another one.
  #focused() {
    const { activeElement } = document, on = [this.#stage, this.#parts.moves].find(part => part.contains(activeElement));
    return () => {
      if (on && (document.activeElement === document.body || !document.activeElement)) on.querySelector("[tabindex='0'], button")?.focus();
    };
  }

  // forward makes the next move of the play.
  async #forward() {
    if (this.#at === this.#game.moves.length) return;
    const step = this.#line.steps[this.#at], before = this.#state(), turn = ++this.#busy;
    this.#at++;
    await this.#sow(before, step);
    if (turn === this.#busy) await this.#arrive(turn).catch(e => this.#fail(turn, e));
    say(`${this.#where()}: ${step.move}. ${this.#now?.status ?? ""}`);
  }

  async #sow(before, step) {
    const speed = Math.max(1, step.moved.length / SOWN);
    await this.#board.sow(before, step.moved, step.state, { speed, onstep: i => this.#onrule(step.moved[i].at ?? null) });
    this.#onrule(null);
  }

  #state() { return this.#at === 0 ? this.#line.start : this.#line.steps[this.#at - 1].state; }

  #where() { return this.#at === 0 ? "the start" : `move ${this.#at} of ${this.#game.moves.length}`; }

  // run plays the play by itself.
  async #run() {
    this.#running = !this.#running;
    this.#draw();
    if (this.#running && this.#at === this.#game.moves.length) await this.go(0);
    while (this.#running && this.#at < this.#game.moves.length) {
      await this.#forward();
      await new Promise(resolve => setTimeout(resolve, PAUSE));
    }
    this.#running = false;
    this.#draw();
  }

  #rest() {
    this.#running = false;
    this.#busy++;
  }

  // pick makes the move that begins in a pit, or offers those that do.
  #pick(pit) {
    const steps = this.#now.legal.filter(s => s.pit === pit);
    if (steps.length === 1) return void this.make(steps[0]);
    this.#picked = pit;
    this.#draw();
    this.#box.querySelector(".moves button")?.focus();
    say(`${steps.length} moves begin in ${pit}`);
  }

  #key(e) {
    if (e.ctrlKey || e.altKey || e.metaKey || !this.#line || ["INPUT", "SELECT"].includes(e.target.tagName)) return;
    const to = { ArrowRight: this.#at + 1, ArrowLeft: this.#at - 1, Home: 0, End: this.#game.moves.length }[e.key];
    if (to === undefined || this.#game.moves.length === 0) return;
    e.preventDefault();
    this.#running = false;
    this.go(to);
  }

  // think analyses the position, and lets the opponent move.
  async #think() {
    const { legal, mover } = this.#now, end = this.#at === this.#game.moves.length;
    const plays = this.#opponent !== "" && end && !this.#running && (this.#opponent === "all" || this.#opponent === mover);
    this.#engine.thinker.interrupt("analysis");
    if (legal.length === 0 || !plays && !this.#analysing) return;
    const turn = this.#busy, game = { ...this.#game, moves: this.#game.moves.slice(0, this.#at) };
    this.#thinking = this.#engine.thinker.busy ? "It waits until what is under way is done." : "";
    this.#drawAnalysis();
    try {
      const told = part => { if (turn === this.#busy && !plays) this.#show(part); };
      const found = await this.#engine.thinker.ask({ ask: "analyse", source: this.#source(), game, time: plays ? REPLY : ANALYSIS }, { topic: "analysis", told, most: ANALYSIS + READING });
      if (turn !== this.#busy) return;
      if (found.error) throw new Error(found.error);
      this.#show(found);
      const step = plays && legal.find(s => s.move === found.line[0]);
      if (step) await this.make(step);
    } catch (e) {
      if (turn !== this.#busy || e instanceof Stopped) return;
      this.#thinking = e.message;
      this.#drawAnalysis();
    }
  }

  #show(analysis) {
    this.#analysis = analysis;
    this.#thinking = "";
    this.#drawAnalysis();
  }

  // hold asks which claims hold if play begins here.
  async #hold() {
    const turn = this.#busy, game = { ...this.#game, moves: this.#game.moves.slice(0, this.#at) };
    this.#held = [];
    this.#drawHeld();
    this.#parts.here.scrollIntoView({ block: "nearest" });
    const step = (claim, play) => this.#claimed(claim, play);
    for (const claim of this.#now.claims) {
      this.#held.push({ claim, waits: true });
      this.#drawHeld(step);
      let out;
      try {
        out = await this.#engine.thinker.ask({ ask: "holds", source: this.#source(), game, claim }, { most: 0 });
      } catch (e) {
        out = { error: e instanceof Stopped ? "unknown: interrupted" : e.message, stopped: e instanceof Stopped };
      }
      if (turn !== this.#busy || !this.#held) return;
      this.#held[this.#held.length - 1] = { claim, ...(out.error ? { error: out.error } : { verdict: out }) };
      this.#drawHeld(step);
      if (out.stopped) break;
    }
    say("All claims were asked from here");
  }

  #claimed(claim, play) { return button(`Step through the play (${play.trace.steps.length})`, () => this.evidence(play, `${claim} from there`)); }

  // Drawing.

  #draw() {
    const { activeElement } = document, focused = this.#box.contains(activeElement) ? activeElement.dataset.key ?? null : null;
    if (!this.#line || !this.#now) {
      this.#box.replaceChildren(el("p", { class: "empty" }, this.#problem || "There is no board yet."));
      return;
    }
    this.#title.textContent = this.#name || this.#line.title;
    const layout = JSON.stringify(this.#line.layout);
    if (!this.#board || layout !== this.#layout) {
      this.#board = new Board(this.#line.layout, { dots: this.#dots, onpit: pit => this.#pick(pit) });
      this.#layout = layout;
      this.#stage = el("div", { class: "stage panel" }, this.#board.element);
    }
    this.#frame();
    const before = this.#at === 0 ? null : this.#at === 1 ? this.#line.start : this.#line.steps[this.#at - 2].state;
    this.#board.show(this.#state(), { before, playable: [...new Set(this.#now.legal.map(s => s.pit).filter(Boolean))] });
    if (focused) this.#box.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  #stage = null; #parts = null;

  // frame makes the panel once, and fills its parts anew; the board stays, so that its focus does.
  #frame() {
    if (this.#parts?.stage !== this.#stage) {
      const part = cls => el("div", { class: cls });
      this.#parts = { settings: this.#settings.element, stage: this.#stage, status: part("line"), here: part("here"), analysis: part("analysis"),
        transport: part("line transport"), moves: part("moves"), history: part("history") };
      this.#box.replaceChildren(el("div", { class: "game" }, Object.values(this.#parts)));
    }
    const p = this.#parts;
    this.#settings.show(this.#variants, this.#game);
    p.status.replaceChildren(...this.#status());
    this.#drawTransport();
    this.#drawAnalysis();
    this.#drawHeld((claim, play) => this.#claimed(claim, play));
    const current = p.history.querySelector("[aria-current]"); // its box scrolls, and not the panel: the board would go
    if (current) p.history.scrollTop = current.offsetTop - p.history.offsetTop - p.history.clientHeight / 2;
  }

  // drawTransport draws what can be done while seeds are under way, too.
  #drawTransport() {
    const { transport, history } = this.#parts, { activeElement } = document;
    const focused = transport.contains(activeElement) ? activeElement.dataset.key : null;
    transport.replaceChildren(...this.#transport(), ...this.#options());
    history.replaceChildren(...this.#history());
    history.hidden = this.#game.moves.length === 0;
    if (focused) transport.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  #status() {
    const { status, ending, scores, several } = this.#now, list = [];
    list.push(el("span", { class: "strong" }, [status.replace(/^, /, ""), this.#now.legal.length === 0 && ending].filter(Boolean).join(": ") || "in play"));
    if (scores) list.push(el("span", { class: "note" }, scores.map(s => `${s.player || "score"} ${s.score}`).join(", ")));
    if (several && this.#game.start === null) {
      list.push(el("span", { class: "note" }, `start ${this.#game.setup + 1} of several`),
        button("Next start", () => this.open({ variant: this.#game.variant, params: this.#game.params, setup: this.#game.setup + 1 }), { "data-key": "next start" }));
    }
    if (this.#now.claims.length > 0 && !this.#now.over) {
      list.push(el("span", { class: "spring" }), button("Which claims hold from here?", () => this.#hold(), { id: "hold", "data-key": "hold" }));
    }
    if (this.#problem) list.push(el("p", { class: "problem" }, this.#problem));
    return list;
  }

  #transport() {
    const n = this.#game.moves.length, key = (text, name, to, off) => button(text, () => { this.#running = false; this.go(to); },
      { "aria-label": name, title: name, "data-key": name, disabled: off });
    return [
      key("|◀", "To the start", 0, this.#at === 0), key("◀", "One move back", this.#at - 1, this.#at === 0),
      button("▶", () => { this.#running = false; this.#forward(); }, { "aria-label": "One move forward", title: "One move forward", "data-key": "forward", disabled: this.#at === n }),
      key("▶|", "To the end", n, this.#at === n),
      n > 0 && button(this.#running ? "Pause" : "Run", () => this.#run(), { "data-key": "run" }),
      el("span", { class: "where" }, n > 0 ? this.#where() : ""),
      this.#aside && button("Back to the play", () => this.open(this.#aside.game, { name: this.#aside.name, at: this.#aside.at }), { "data-key": "aside" }),
      (n > 0 || this.#game.start !== null) && button("New game", () => this.open({ variant: this.#game.variant, params: this.#game.params, setup: this.#game.setup }), { "data-key": "new" }),
    ].filter(Boolean);
  }

  #history() {
    return this.#line.steps.map((s, i) => button(`${i + 1}. ${s.player ? `${s.player}: ` : ""}${s.move}${s.label ? ` ${s.label}` : ""}`, () => this.go(i + 1),
      { "aria-current": i + 1 === this.#at && "step", "data-key": `step ${i}` }));
  }

  #options() {
    const two = this.#now.players.length > 1;
    const box = el("input", { type: "checkbox", id: "analysis", "data-key": "analysis", onchange: e => this.#analyse(e.target.checked) });
    box.checked = this.#analysing;
    return [
      el("span", { class: "spring" }), el("label", {}, box, "Analysis"),
      two && el("label", {}, "Computer plays ", el("select", { id: "opponent", "data-key": "opponent", onchange: e => this.#oppose(e.target.value) },
        [["", "nobody"], ...this.#now.players.map(p => [p, p]), ["all", "all"]].map(([value, text]) => el("option", { value, selected: value === this.#opponent }, text)))),
    ].filter(Boolean);
  }

  #analyse(on) {
    this.#analysing = on;
    this.#analysis = null;
    this.#busy++;
    this.#drawAnalysis();
    this.#think();
  }

  #oppose(player) {
    this.#opponent = player;
    this.#busy++;
    this.#think();
  }

  // drawAnalysis draws what changes while a position is analysed: the moves, and what they are worth.
  #drawAnalysis() {
    if (!this.#parts) return;
    const { moves, analysis: box } = this.#parts, a = this.#analysis;
    const focused = moves.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const legal = this.#now.legal.filter(s => this.#picked === null || s.pit === this.#picked);
    moves.replaceChildren(...legal.map(s => this.#move(s, a?.moves.find(m => m.move === s.move))),
      this.#picked !== null ? button("All moves", () => { this.#picked = null; this.#draw(); }) : "");
    if (focused) moves.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
    box.hidden = !this.#analysing && !this.#thinking;
    box.replaceChildren(...a ? [
      el("p", { class: "line" }, el("span", { class: "strong" }, a.value), kind(a.kind), el("span", { class: "note" }, [a.depth > 0 && `${a.depth} moves ahead`, a.nodes > 0 && `${a.nodes.toLocaleString("en")} positions`, a.reason].filter(Boolean).join(", "))),
      a.line.length > 0 && el("p", { class: "note" }, `best line: ${a.line.join(", ")}`)].filter(Boolean)
      : [el("p", { class: "note" }, this.#thinking || (this.#now.legal.length > 0 ? "looking …" : "There is no move."))]);
  }

  #move(s, known) {
    return el("button", { type: "button", class: known?.best && this.#analysing ? "best" : null, "data-key": `move ${s.move}`, "data-move": s.move, onclick: () => this.make(s) },
      el("b", {}, s.move), s.label && el("span", {}, s.label), known && this.#analysing && el("span", { class: "worth" }, known.value), known && this.#analysing && kind(known.kind));
  }

  #drawHeld(player) {
    if (!this.#parts) return;
    const { here } = this.#parts;
    here.hidden = this.#held === null;
    here.replaceChildren(...this.#held === null ? [] : [el("h3", { class: "strong" }, "From this position"), ...this.#held.map(h =>
      h.waits ? el("div", { class: "progress" }, el("span", {}, h.claim), button("Stop", () => this.#engine.thinker.stop("by you")))
        : el("div", { "data-held": h.claim }, el("b", {}, h.claim), h.error ? el("p", { class: "note" }, h.error) : verdictView(h.verdict, play => player(h.claim, play))))]);
  }
}

const kind = k => el("span", { class: `kind ${k}` }, k);
