// The board, and all that is done at it: moves, going back and forth in a play, other moves than
// those of the play, what moves are worth, claims asked from here, and an opponent.

import { Ahead } from "./ahead.js";
import { Board, facts, turnOf } from "board";
import { button, el, say } from "./dom.js";
import { Stopped } from "./engine.js";
import { Settings } from "./settings.js";
import { verdictView } from "./claims.js";
import { Tree } from "./tree.js";

const READING = 10_000, ANALYSIS = 4000, REPLY = 1200; // milliseconds
const PAUSE = 900; // between the moves of a play that runs
const QUOTED = 70; // characters of a rule
const SOWN = 20; // a move that moves seeds more often is shown faster

export class Table {
  #box; #title; #buttons; #engine; #source; #onrule; #onplace; #onchange;
  #game = { variant: "", params: {}, start: null, setup: 0, moves: [] }; #at = 0;
  #line = null; #now = null; // what is known of the whole play, and of the part up to here
  #variants = []; #problem = ""; #picked = null; #tree = new Tree(); #name = "";
  #editing = null; #flipped = false; #named = false;
  #board = null; #layout = ""; #dots = []; #busy = 0; #running = false; #making = false;
  #settings = new Settings((variant, set) => this.open({ variant, params: variant === this.#game.variant ? { ...this.#game.params, ...set } : {} })); #analysing = false; #analysis = null; #opponent = ""; #thinking = ""; #held = null;

  constructor({ box, title, buttons, engine, source, onrule, onplace, onchange }) {
    this.#onplace = onplace;
    this.#box = box;
    this.#title = title;
    this.#buttons = buttons;
    this.#engine = engine;
    this.#source = source;
    this.#onrule = onrule;
    this.#onchange = onchange;
    box.addEventListener("keydown", e => this.#key(e));
    // Who has pointed at nothing else means the board.
    document.addEventListener("keydown", e => { if (e.target === document.body && box.offsetParent && !document.querySelector("dialog[open]")) this.#key(e); });
  }

  #ahead = new Ahead({ steps: line => this.#played(line), onplay: line => this.#goOn(line) }); #foreseen = new Map();

  set dots(dots) { this.#dots = this.#ahead.dots = dots; }

  // game is what a link needs to show the same play.
  get game() { return { ...this.#game, moves: [...this.#game.moves], lines: this.#tree.branches ? this.#tree.lines : [] }; }

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
    this.#tree = new Tree();
    this.#editing = null;
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
    this.#buttons.replaceChildren();
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
      for (const moves of this.#game.lines ?? []) await this.#known(moves, turn);
      delete this.#game.lines;
      if (turn !== this.#busy) return;
      this.#tree.add(line.steps);
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

  // known makes another line part of the tree, as far as it is legal.
  async #known(moves, turn) {
    const line = await this.#ask(moves);
    if (turn === this.#busy && !line.error) this.#tree.add(line.steps);
  }

  // follow shows a line after some of its moves.
  async #follow(moves, at) {
    this.#running = false;
    if (moves.join("\n") === this.#game.moves.join("\n")) return this.go(at);
    this.#game.moves = moves;
    this.#at = at;
    await this.#load();
    say(`${this.#where()}. ${this.#now?.status ?? ""}`);
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
    this.#foreseen.clear();
    this.#ahead.clear();
    this.#held = null;
    this.#draw();
    this.#onchange();
    this.#think();
  }

  // played is what the moves of a line do from here. It is asked for once.
  #played(line) {
    const moves = this.#game.moves.slice(0, this.#at), key = JSON.stringify(line), before = this.#state();
    if (!this.#foreseen.has(key)) {
      const answer = this.#ask([...moves, ...line]).then(found => found.error ? null : { layout: found.layout, before, steps: found.steps.slice(moves.length) });
      this.#foreseen.set(key, answer);
      answer.catch(() => this.#foreseen.delete(key));
    }
    return this.#foreseen.get(key);
  }

  // goOn plays a line from here, as a branch if the play goes on otherwise.
  #goOn(line) {
    const moves = [...this.#game.moves.slice(0, this.#at), ...line], same = moves.every((m, i) => m === this.#game.moves[i]);
    const within = this.#ahead.element.contains(document.activeElement);
    return this.#follow(same ? this.#game.moves : moves, moves.length).then(() => { if (within) this.#focusTree(); });
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

  // make makes a legal move. In the middle of a play it begins a branch.
  async make(step) {
    if (this.#making) return;
    if (this.#game.moves[this.#at] === step.move) return this.#forward();
    const before = this.#state(), turn = ++this.#busy, back = this.#focused(), moves = [...this.#game.moves.slice(0, this.#at), step.move];
    this.#making = true;
    try {
      const line = await this.#ask(moves);
      if (turn !== this.#busy) return;
      if (line.error) throw new Error(line.error);
      Object.assign(this.#game, { moves });
      this.#tree.add(line.steps);
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
  #pick(pit, event) {
    if (this.#editing) return this.#put(pit, event.shiftKey ? -1 : this.#editing.tool);
    const steps = this.#now.legal.filter(s => s.pit === pit);
    if (steps.length === 1) return void this.make(steps[0]);
    this.#picked = pit;
    this.#draw();
    this.#box.querySelector(".moves button")?.focus();
    say(`${steps.length} moves begin in ${pit}`);
  }

  // aim shows where the move would end that begins in a pit.
  #aim(pit) {
    const steps = this.#editing ? [] : this.#now.legal.filter(s => s.pit === pit);
    this.#board.aim(steps.length === 1 ? pathOf(steps[0]) : []);
  }

  // Setting up a position: a click puts a seed, takes one, or empties the pit.

  #setUp() {
    this.#rest();
    this.#editing = { state: structuredClone(this.#state()), tool: 1 };
    this.#draw();
  }

  #put(pit, tool) {
    const { pits } = this.#editing.state;
    pits[pit] = tool === 0 ? 0 : Math.max(0, pits[pit] + tool);
    say(`${pit}: ${pits[pit]}`);
    this.#draw();
  }

  #seeds() {
    const { state, tool } = this.#editing, tools = [[1, "+1", "Add a seed"], [-1, "−1", "Take a seed"], [0, "0", "Empty the pit"]];
    const players = this.#now.players, total = Object.values(state.pits).reduce((a, b) => a + b, 0);
    return [
      el("span", { class: "strong" }, "Click a pit:"),
      ...tools.map(([value, text, name]) => button(text, () => { this.#editing.tool = value; this.#draw(); }, { "aria-label": name, title: name, "aria-pressed": String(tool === value), "data-key": `tool ${value}` })),
      players.length > 1 && el("label", {}, "To move ", el("select", { "data-key": "mover", onchange: e => { state.control.mover = e.target.value; this.#draw(); } },
        players.map(p => el("option", { value: p, selected: p === state.control.mover }, p)))),
      el("span", { class: "where" }, `${total} seeds`), el("span", { class: "spring" }),
      button("Done", () => { delete state.control.outcome; this.open({ variant: this.#game.variant, params: this.#game.params, start: state }); }, { class: "first", "data-key": "done" }),
      button("Cancel", () => { this.#editing = null; this.#draw(); }, { "data-key": "cancel" }),
    ].filter(Boolean);
  }

  #key(e) {
    if (this.#editing) return;
    if (e.ctrlKey || e.altKey || e.metaKey || !this.#line || ["INPUT", "SELECT"].includes(e.target.tagName) || this.#game.moves.length === 0) return;
    const to = { ArrowRight: this.#at + 1, ArrowLeft: this.#at - 1, Home: 0, End: this.#game.moves.length }[e.key], by = { ArrowUp: -1, ArrowDown: 1 }[e.key];
    if (to === undefined && e.key !== "Delete" && !(by && this.#tree.branches)) return;
    e.preventDefault();
    const within = this.#parts.history.contains(e.target), back = () => { if (within) this.#focusTree(); };
    this.#running = false;
    if (to !== undefined) return void this.go(to).then(back);
    if (e.key === "Delete") return void this.#remove();
    const other = this.#tree.beside(this.#game.moves.slice(0, this.#at), by);
    if (other) this.#follow(other.moves, other.at).then(back);
    else say(by > 0 ? "There is no line below" : "There is no line above");
  }

  // remove takes away the last move and those after it. There is nothing to go back to if that is
  // the only line, so it stays.
  async #remove() {
    if (!this.#tree.branches || this.#at === 0) return say("There is only one line");
    const { activeElement } = document, within = this.#parts.history.contains(activeElement) || activeElement.dataset?.key === "remove";
    await this.#follow(this.#tree.remove(this.#game.moves.slice(0, this.#at)), this.#at - 1);
    if (within) this.#focusTree();
  }

  // focusTree gives the focus to the move that has been made last, or to the first one.
  #focusTree() {
    (this.#parts.history.querySelector("[tabindex='0']") ?? this.#parts.transport.querySelector("button:not(:disabled)"))?.focus();
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
      const told = part => { if (turn === this.#busy && !plays) this.#found(part); };
      const found = await this.#engine.thinker.ask({ ask: "analyse", source: this.#source(), game, time: plays ? REPLY : ANALYSIS }, { topic: "analysis", told, most: ANALYSIS + READING });
      if (turn !== this.#busy) return;
      if (found.error) throw new Error(found.error);
      this.#found(found);
      const step = plays && legal.find(s => s.move === found.line[0]);
      if (step) await this.make(step);
    } catch (e) {
      if (turn !== this.#busy || e instanceof Stopped) return;
      this.#thinking = e.message;
      this.#drawAnalysis();
    }
  }

  #found(analysis) {
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
    const { activeElement } = document, panel = this.#box.parentElement, focused = panel.contains(activeElement) ? activeElement.dataset.key ?? null : null;
    if (!this.#line || !this.#now) {
      this.#box.replaceChildren(el("p", { class: "empty" }, this.#problem || "There is no board yet."));
      return;
    }
    this.#title.textContent = this.#name || this.#line.title;
    const layout = JSON.stringify(this.#line.layout);
    if (!this.#board || layout !== this.#layout) {
      this.#board = new Board(this.#line.layout, { dots: this.#dots, onpit: (pit, event) => this.#pick(pit, event), onaim: pit => this.#aim(pit) });
      this.#board.flipped = this.#flipped;
      this.#layout = layout;
      this.#stage = el("div", { class: "stage panel" }, this.#board.element);
    }
    this.#frame();
    this.#show();
    if (focused) panel.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  // show puts the position on the board, with what is known of it.
  #show() {
    this.#board.element.classList.toggle("named", this.#named);
    if (this.#editing) return this.#board.show(this.#editing.state, { playable: this.#line.layout.spots.map(s => s.pit) });
    const last = this.#at > 0 ? this.#line.steps[this.#at - 1] : null, { legal } = this.#now;
    const before = this.#at === 0 ? null : this.#at === 1 ? this.#line.start : this.#line.steps[this.#at - 2].state;
    this.#board.show(this.#state(), {
      before, playable: [...new Set(legal.map(s => s.pit).filter(Boolean))], path: last ? pathOf(last) : [], threats: threats(this.#line.layout, this.#state(), legal, this.#source().text), worth: this.#worth(),
    });
    this.#board.element.classList.toggle("named", this.#named);
  }

  // worth is what the best move of each pit is worth to the player who makes it, as far as is known.
  #worth() {
    const known = {}, { mover, players, legal } = this.#now;
    if (!this.#analysing || !this.#analysis) return known;
    for (const m of this.#analysis.moves) {
      const pit = legal.find(s => s.move === m.move)?.pit, score = m.score === null ? null : mover === players[1] ? -m.score : m.score;
      if (!pit || score === null || known[pit]?.score >= score) continue;
      known[pit] = { score, best: Boolean(m.best), text: short(score, m.kind, this.#now.worth) };
    }
    return known;
  }

  #stage = null; #parts = null;

  // frame makes the panel once, and fills its parts anew; the board stays, so that its focus does.
  #frame() {
    if (this.#parts?.stage !== this.#stage) {
      const part = cls => el("div", { class: cls });
      this.#parts = { settings: this.#settings.element, stage: this.#stage, status: part("line"), fired: part("fired"), here: part("here"), analysis: part("analysis"), ahead: this.#ahead.element,
        transport: part("line transport"), moves: part("moves"), history: part("history") };
      this.#box.replaceChildren(el("div", { class: "game" }, Object.values(this.#parts)));
    }
    const p = this.#parts;
    this.#buttons.replaceChildren(...this.#views());
    this.#settings.show(this.#variants, this.#game);
    p.status.replaceChildren(...this.#editing ? this.#seeds() : this.#status());
    for (const other of ["fired", "here", "analysis", "ahead", "transport", "moves", "history"]) p[other].classList.toggle("unseen", this.#editing !== null);
    p.fired.replaceChildren(...this.#fired());
    this.#drawTransport();
    this.#drawAnalysis();
    this.#drawHeld((claim, play) => this.#claimed(claim, play));
    const current = p.history.querySelector("[aria-current]"); // its box scrolls, and not the panel: the board would go
    if (current) p.history.scrollTop = current.offsetTop - p.history.offsetTop - p.history.clientHeight / 2;
  }

  // drawTransport draws what can be done while seeds are under way, too.
  #drawTransport() {
    const { transport, history } = this.#parts, { activeElement } = document;
    const within = [transport, history].find(part => part.contains(activeElement)), focused = within && activeElement.dataset.key;
    transport.replaceChildren(...this.#transport(), ...this.#options());
    history.replaceChildren(...this.#tree.draw(this.#game.moves, this.#at, (moves, at) => this.#follow(moves, at)).childNodes);
    history.hidden = history.childNodes.length === 0;
    if (focused) within.querySelector(`[data-key="${CSS.escape(focused)}"], [aria-current]`)?.focus();
  }

  #status() {
    const { ending, scores, several } = this.#now, list = [];
    list.push(el("span", { class: "strong" }, [turnOf(this.#state()), this.#now.legal.length === 0 && ending].filter(Boolean).join(": ") || "in play"));
    for (const { name, text } of facts(this.#line.layout, this.#state())) {
      const about = new RegExp(`^\\s*state ${name}\\b.*?//\\s*(.*)$`, "m").exec(this.#source().text)?.[1];
      list.push(el("span", { class: "fact" }, text, about && el("small", {}, about)));
    }
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

  // views are the buttons for how the board is looked at. They stand in the head of the panel.
  #views() {
    return [
      button("Names", () => { this.#named = !this.#named; this.#draw(); }, { "data-key": "names", title: "Show the names of the pits", "aria-pressed": String(this.#named) }),
      button("Flip", () => { this.#flipped = this.#board.flipped = !this.#flipped; this.#draw(); }, { "data-key": "flip", title: "Look from the other side", "aria-pressed": String(this.#flipped) }),
      button("Set up", () => this.#setUp(), { "data-key": "set up", title: "Set up a position by clicks", "aria-pressed": String(this.#editing !== null) }),
    ];
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
      this.#tree.branches && this.#at > 0 && button("Remove", () => this.#remove(),
        { "data-key": "remove", title: "Remove this move and those after it", "aria-label": "Remove this move and those after it" }),
      (n > 0 || this.#game.start !== null) && button("New game", () => this.open({ variant: this.#game.variant, params: this.#game.params, setup: this.#game.setup }), { "data-key": "new" }),
    ].filter(Boolean);
  }

  // fired are the rules by which the last move went, each of which leads to its place in the text.
  #fired() {
    const { text } = this.#source(), seen = new Map();
    for (const { at } of this.#at > 0 ? this.#line.steps[this.#at - 1].moved : []) if (at) seen.set(`${at.from} ${at.to}`, at);
    const quote = at => text.slice(at.from, at.to).replace(/\s+/g, " ");
    const rules = [...seen.values()].map(at => button(quote(at).length > QUOTED ? `${quote(at).slice(0, QUOTED)} …` : quote(at), () => this.#onplace(at), { title: "Show it in the rules" }));
    return rules.length > 0 ? ["by ", ...rules] : [];
  }

  #options() {
    const two = this.#now.players.length > 1;
    const box = el("input", { type: "checkbox", id: "analysis", "data-key": "analysis", onchange: e => this.#analyse(e.target.checked) });
    box.checked = this.#analysing;
    return [
      el("span", { class: "spring" }),
      el("label", {}, box, "Analysis"),
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
    const { moves, analysis: box, ahead } = this.#parts, a = this.#analysis;
    const focused = moves.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const legal = this.#now.legal.filter(s => this.#picked === null || s.pit === this.#picked);
    moves.replaceChildren(...legal.map(s => this.#move(s, a?.moves.find(m => m.move === s.move))),
      this.#picked !== null ? button("All moves", () => { this.#picked = null; this.#draw(); }) : "");
    if (focused) moves.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
    if (this.#board && !this.#making && !this.#running) this.#show();
    box.hidden = !this.#analysing && !this.#thinking;
    ahead.hidden = box.hidden || !a || a.line.length === 0;
    if (a) this.#ahead.show(a.line);
    box.replaceChildren(...a ? [
      a.score !== null && this.#now.players.length > 1 && this.#bar(a),
      el("p", { class: "line" }, el("span", { class: "strong" }, a.value), kind(a.kind), el("span", { class: "note" }, [a.depth > 0 && (a.depth === 1 ? "1 move ahead" : `${a.depth} moves ahead`), a.nodes > 0 && `${a.nodes.toLocaleString("en")} positions`, a.reason].filter(Boolean).join(", ")))].filter(Boolean)
      : [el("p", { class: "note" }, this.#thinking || (this.#now.legal.length > 0 ? "looking …" : "There is no move."))]);
  }

  // bar shows who is ahead: the part of the first player from the left.
  #bar(a) {
    const part = this.#now.worth === "margin" ? 1 / (1 + Math.exp(-a.score / 6)) : (Math.max(-1, Math.min(1, a.score)) + 1) / 2;
    const [left, right] = this.#now.players, fill = el("div", {});
    fill.style.width = `${Math.round(100 * part)}%`;
    return el("div", { class: "bar", role: "img", "aria-label": a.value }, el("span", {}, left), el("div", { class: "whole" }, fill), el("span", {}, right));
  }

  #move(s, known) {
    return el("button", { type: "button", class: known?.best && this.#analysing ? "best" : null, "data-key": `move ${s.move}`, "data-move": s.move, onclick: () => this.make(s),
      onpointerenter: () => this.#board.aim(pathOf(s)), onfocus: () => this.#board.aim(pathOf(s)), onpointerleave: () => this.#board.aim(), onblur: () => this.#board.aim() },
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

// pathOf is where a move begins, and where its last seed falls.
export function pathOf({ pit, moved }) {
  const last = moved.findLast(m => m.from === null && m.into !== null);
  return pit && last ? [pit, last.into] : [];
}

// threats are the pits that the player to move can capture: their seeds go to another pit as they
// are, or into a hand that does not go on with them where it is. What is cleared at the end of a game
// is no threat, nor are seeds that come into play from a store.
function threats(layout, state, legal, text) {
  const stores = new Set(layout.spots.filter(s => s.store).map(s => s.pit)), found = new Set();
  for (const step of legal) {
    if (step.state.control.outcome) continue;
    let before = null, last = step.pit, origin = step.pit;
    for (const { from, into, at } of step.moved) {
      const rule = at ? text.slice(at.from, at.to) : "";
      if (from === null) {
        [before, last] = [last, into];
        continue;
      }
      const lap = into === null && (from === last || from === origin || /\brelay\b/.test(rule) || !/\b(opposite|across)\b/.test(rule) && onward(layout, before, last).includes(from));
      if (!lap && from !== step.pit && state.pits[from] > 0 && !(stores.has(from) && /^take\b/.test(rule))) found.add(from);
      if (into === null) origin = from;
    }
  }
  return [...found];
}

// onward are the pits with which a lap can go on after the last pit, if it came there from another:
// those beside it and, at the end of its row, those across.
function onward(layout, before, last) {
  const spots = layout.spots.filter(s => !s.store), here = spots.find(s => s.pit === last), from = spots.find(s => s.pit === before);
  if (!here) return layout.spots.map(s => s.pit); // a lap with stores
  const row = spots.filter(s => s.y === here.y && s !== here), way = from?.y === here.y ? Math.sign(here.x - from.x) : 0;
  const beside = [-1, 1].map(d => row.filter(s => (s.x - here.x) * d > 0).sort((a, b) => (a.x - b.x) * d)[0]);
  const end = way !== 0 && !beside[way < 0 ? 0 : 1];
  return [...beside.filter(Boolean), ...end ? spots.filter(s => s.x === here.x && s !== here) : []].map(s => s.pit);
}

// short is a value as it fits a pit. An estimate is never written as an exact one is.
function short(score, kind, of) {
  const sign = kind === "exact" || kind === "table" ? "" : "≈";
  if (of !== "margin" && kind === "exact") return score > 0 ? "win" : score < 0 ? "loss" : "draw";
  return sign + score.toLocaleString("en", { maximumFractionDigits: Math.abs(score) < 10 && kind !== "exact" ? 1 : 0, signDisplay: "exceptZero" }).replace("-", "−");
}
