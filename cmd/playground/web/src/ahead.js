// The best line of an analysis: a board shows the position after the move of it that somebody points
// at, and the line can be played up to there.

import { Board } from "board";
import { button, el, say } from "./dom.js";

const MOST = 20; // moves of a line that are shown

export class Ahead {
  #dots = []; #steps; #onplay; #line = ""; #shown = null; #board = null; #layout = "";
  #moves = el("p", { class: "note ahead" }); #stage = el("div", { class: "stage panel" }); #name = el("p", { class: "note" });
  #view = el("div", { class: "preview", hidden: true }, this.#name, this.#stage);
  element = el("div", {}, this.#moves, this.#view);

  // steps plays moves from the position that is analysed, and resolves to the layout and the steps;
  // onplay gets how many moves of the line are to be played.
  constructor({ steps, onplay }) {
    this.#steps = steps;
    this.#onplay = onplay;
    this.#moves.addEventListener("keydown", e => { if (e.key === "Escape") this.#hide(); });
  }

  set dots(dots) { this.#dots = dots; }

  // show shows a line. Nothing changes for who looks at a line that is still the best.
  show(line) {
    const text = JSON.stringify(line);
    if (text === this.#line) return;
    const at = this.#moves.contains(document.activeElement) ? [...this.#moves.children].indexOf(document.activeElement) : -1;
    this.#line = text;
    this.#hide();
    this.#moves.replaceChildren("best line: ", ...line.slice(0, MOST).map((move, i) => this.#move(line, move, i)), line.length > MOST ? `… (${line.length} moves)` : "");
    this.#moves.children[Math.min(at, this.#moves.children.length - 1)]?.focus();
  }

  // clear forgets the line: another position is analysed.
  clear() {
    this.#line = "";
    this.#hide();
    this.#moves.replaceChildren();
  }

  #move(line, move, i) {
    const look = e => this.#look(line, i, e.currentTarget);
    return button(move, e => {
      if (e.pointerType === "touch" && e.currentTarget !== this.#shown?.tapped) { // the first tap shows it
        look(e);
        this.#shown.tapped = e.currentTarget;
        return;
      }
      this.#hide();
      this.#onplay(line.slice(0, i + 1));
    }, { "data-key": `ahead ${i}`, "aria-label": `${move}: move ${i + 1} of the best line`, onfocus: look, onblur: () => this.#hide(), onpointerenter: look,
      onpointerleave: e => { if (e.pointerType !== "touch" && document.activeElement !== e.currentTarget) this.#hide(); } });
  }

  // look shows the board after a move of the line, near its button.
  async #look(line, i, near) {
    if (this.#shown?.near === near) return;
    this.#hide();
    const shown = this.#shown = { near };
    let found;
    try {
      found = await this.#steps(line);
    } catch {
      return; // the reader was restarted; the next look asks again
    }
    const step = found?.steps[i];
    if (this.#shown !== shown || !step) return;
    this.#draw(found.layout, step, i === 0 ? found.before : found.steps[i - 1].state);
    this.#name.textContent = `after ${line.slice(0, i + 1).join(", ")}`;
    this.#view.hidden = false;
    this.#place(near.getBoundingClientRect());
    say(`${this.#name.textContent}: ${this.#board.element.getAttribute("aria-label")}`);
  }

  #draw(layout, step, before) {
    const shape = JSON.stringify(layout);
    if (shape !== this.#layout) {
      this.#layout = shape;
      this.#board = new Board(layout, { dots: this.#dots });
      this.#stage.replaceChildren(this.#board.element);
    }
    this.#board.show(step.state, { before });
  }

  // place puts the board above a move, or below it where there is more room. On a phone it stands
  // below the line, as the style says.
  #place({ left, top, bottom }) {
    const { style } = this.#view, { offsetWidth, offsetHeight } = this.#view;
    style.left = `${Math.max(8, Math.min(left, innerWidth - offsetWidth - 8))}px`;
    style.top = `${top - offsetHeight - 6 >= 8 ? top - offsetHeight - 6 : Math.min(bottom + 6, innerHeight - offsetHeight - 8)}px`;
  }

  #hide() {
    this.#shown = null;
    this.#view.hidden = true;
  }
}
