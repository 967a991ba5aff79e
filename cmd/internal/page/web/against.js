import { Board, status } from "./board.js";
import { button, el } from "./dom.js";

const THINKS = 500; // milliseconds before the strategy answers

const movesOf = n => n === 1 ? "1 move" : `${n} moves`;

// Against is a game against a strategy: the reader makes the moves that are not the strategy's.
export class Against {
  #game; #layout; #board; #parts;
  #root = 0; #line = []; // where it began, and the steps made from there: {move, by, own, to}
  #turn = 0; // what began in an earlier turn is given up
  #held = false; // the focus was here when the reader moved

  // game is {board, reader, roots, within, nodes}: it begins at one of the first nodes, as many as
  // roots, and is over after within moves, if that is not negative. A node is {state, says, own,
  // next}; where own is set the strategy moves. A move is {move, pit, to, moved}: it begins with a
  // pit, or "", and leads to a node, or to none that the page has, -1; moved is as in toldData of
  // package page, or null.
  constructor(game, layout, dots) {
    this.#game = game;
    this.#layout = layout;
    this.#board = new Board(layout, { dots, onpit: pit => this.#choose(pit) });
    const parts = this.#parts = {
      text: el("p", { class: "caption", "aria-live": "polite" }),
      choices: el("p", { class: "choices", role: "group", "aria-label": "Moves" }),
      made: el("p", { class: "made" }),
      back: button("Take back", () => this.#takeBack()),
      again: button("New game", () => this.#begin(this.#root)),
      from: el("select", { "aria-label": "Where games begin" }, ...Array.from({ length: game.roots }, (_, i) => el("option", { value: i }, `Position ${i + 1}`))),
    };
    parts.from.addEventListener("change", () => this.#begin(Number(parts.from.value)));
    this.element = el("div", { class: "player against", role: "group", "aria-label": "A game against the strategy" },
      el("p", { class: "sidename" }, game.reader ? `Play against it: you make the moves of ${game.reader}` : "See it play"),
      parts.text, el("div", { class: "stage panel" }, this.#board.element), parts.choices, parts.made,
      el("div", { class: "controls" }, parts.back, parts.again, ...game.roots > 1 ? [parts.from] : []));
    this.#begin(0);
  }

  get #here() { return this.#line.at(-1)?.to ?? this.#root; }

  get #at() { return this.#game.nodes[this.#here]; }

  #begin(root) {
    this.#root = root;
    this.#line = [];
    this.#show();
  }

  // takeBack goes back to where the reader moved last.
  #takeBack() {
    while (this.#line.pop()?.own);
    this.#show();
  }

  // show shows the position, and offers the reader's moves. A game that the strategy begins waits
  // for the reader.
  #show(before = null) {
    this.#turn++;
    const at = this.#at, last = this.#line.at(-1), over = this.#over(), next = over ? [] : at.next, { text, made, choices } = this.#parts;
    this.#board.show(at.state, { before, playable: at.own ? [] : next.map(s => s.pit).filter(Boolean) });
    const says = at.says.split("`").map((s, i) => i % 2 ? el("code", {}, s) : s);
    const came = this.#line.slice(0, -1).some(s => s.to === this.#here) || last && this.#here === this.#root;
    const badge = said => said ? [" ", el("span", { class: "badge" }, said)] : [];
    text.replaceChildren(...last ? [el("b", {}, last.by + last.move), ". "] : [], ...says, " ",
      el("span", { class: "status" }, status(this.#layout, at.state)), ...badge(came && "Play has come back to this position."), ...badge(over));
    made.replaceChildren(...last ? [el("b", {}, "Played: "), this.#line.map(s => s.by + s.move).join(", ")] : []);
    choices.replaceChildren(...next.length > 0 && at.own ? [button("Let the strategy move", () => this.#answer())]
      : next.map(s => button(s.move, () => this.#make(s))));
    this.#wait(last === undefined);
  }

  // over says why the game goes no further, if it does not.
  #over() {
    const { within } = this.#game, n = this.#line.length;
    if (this.#at.next.length === 0) return n === 0 ? "There is nothing to play." : `Over after ${movesOf(n)}.`;
    return within >= 0 && n >= within ? `The claim is about ${movesOf(n)}, and these were all.` : "";
  }

  #wait(fresh) { this.#parts.back.disabled = this.#parts.again.disabled = fresh; }

  // choose makes the move that begins with a pit. Where several do, the first of their buttons gets
  // the focus.
  #choose(pit) {
    const { next } = this.#at, first = next.findIndex(s => s.pit === pit);
    if (next.filter(s => s.pit === pit).length === 1) this.#make(next[first]);
    else this.#parts.choices.children[first]?.focus();
  }

  // make makes a move, and those of the strategy that follow it.
  async #make(step) {
    const turn = ++this.#turn, { own, state } = this.#at, { mover } = state.control, pits = Object.keys(state.pits), moved = [];
    const by = mover && mover !== "none" ? `${mover}: ` : "";
    if (step.to < 0) {
      const rest = own ? "is the move of the strategy. " : "has an answer, too. ";
      this.#parts.text.replaceChildren(el("b", {}, by + step.move), ` ${rest}This page does not have what follows: it has ${this.#game.nodes.length} positions, those with fewest moves before them.`);
      return;
    }
    for (let k = 0; k < (step.moved?.length ?? 0); k += 4) moved.push({ from: pits[step.moved[k]] ?? null, into: pits[step.moved[k + 1]] ?? null, seeds: step.moved[k + 2] });
    this.#held ||= this.element.contains(document.activeElement);
    this.#line.push({ move: step.move, by, own, to: step.to });
    this.#parts.choices.replaceChildren();
    this.#wait(false);
    if (!await this.#board.sow(state, moved, this.#at.state) || turn !== this.#turn) return;
    this.#show(state);
    if (this.#at.own && !this.#over()) this.#answer();
    else this.#focus();
  }

  // answer makes the move of the strategy, a moment after the one before.
  async #answer() {
    const turn = ++this.#turn, still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!still) await new Promise(done => setTimeout(done, THINKS));
    if (turn === this.#turn) this.#make(this.#at.next[0]);
  }

  // focus moves the focus, where a move has taken it away, to what can be done next.
  #focus() {
    if (this.#held && !this.element.contains(document.activeElement))
      (this.#board.element.querySelector(".key") ?? this.#parts.choices.firstChild ?? this.#parts.again).focus();
    this.#held = false;
  }
}
