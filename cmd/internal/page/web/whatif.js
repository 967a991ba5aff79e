import { button, el } from "./dom.js";
import { Live } from "./live.js";
import { data, players } from "./page.js";

// WhatIf lets other moves be made from a state of a play than the play has.
class WhatIf {
  #player; #side; #live; #open; #box = el("div", { class: "whatif", "aria-live": "polite" });
  #at = 0; #line = []; #legal = []; // the state of the play, the steps made from there, and those that can be made next
  #turn = 0;

  constructor(player, live) {
    this.#player = player;
    [this.#side] = player.sides;
    this.#live = live;
    this.#open = button("What if …", () => this.#begin());
    player.element.querySelector(".controls").append(this.#open);
    player.element.append(this.#box);
    player.onshow = () => this.#end();
    this.#side.onpit = pit => this.#choose(pit);
  }

  #state(n) { return n > 0 ? this.#line[n - 1].state : this.#side.state(this.#at); }

  #begin() {
    this.#player.stop();
    this.#at = this.#player.at;
    this.#line = [];
    this.#open.disabled = true;
    this.#ask();
  }

  #end() {
    this.#turn++;
    this.#open.disabled = false;
    this.#box.replaceChildren();
  }

  // ask shows the state after the moves made so far, with those that can be made next.
  async #ask() {
    const turn = ++this.#turn, { variant, params } = this.#side.data.trace, n = this.#line.length;
    this.#say("…", []);
    let text = "";
    this.#legal = [];
    try {
      const position = await this.#live.position({ variant, params, start: this.#state(0), moves: this.#line.map(s => s.move) });
      this.#legal = position.legal;
      text = position.cut || [position.status, position.ending].filter(Boolean).join(", ");
    } catch (e) {
      text = e.message;
    }
    if (turn !== this.#turn) return;
    const playable = this.#legal.map(s => s.pit).filter(Boolean);
    this.#side.board.show(this.#state(n), { before: n > 0 ? this.#state(n - 1) : null, playable });
    this.#say(text, this.#legal);
  }

  #say(text, legal) {
    const moves = legal.map(s => button([s.move, s.label].filter(Boolean).join("  "), () => this.#make(s)));
    const back = button("Take back", () => { this.#line.pop(); this.#ask(); });
    back.disabled = this.#line.length === 0;
    this.#box.replaceChildren(
      el("p", {}, el("b", {}, `What if, after move ${this.#at}: `), this.#line.map(s => s.move).join(", "), " ", el("span", { class: "status" }, text)),
      el("p", { class: "choices" }, ...moves, back, button("Back to the play", () => { this.#player.show(this.#at); this.#open.focus(); })));
  }

  // choose makes the move that begins with a pit. Where several do, the first of their buttons gets
  // the focus.
  #choose(pit) {
    const first = this.#legal.findIndex(s => s.pit === pit);
    if (this.#legal.filter(s => s.pit === pit).length === 1) this.#make(this.#legal[first]);
    else this.#box.querySelectorAll(".choices button")[first]?.focus();
  }

  async #make(step) {
    const turn = ++this.#turn;
    this.#say("", []);
    if (!await this.#side.board.sow(this.#state(this.#line.length), step.moved, step.state) || turn !== this.#turn) return;
    this.#line.push(step);
    this.#ask();
  }
}

const live = new Live(data.live);
for (const player of players.values()) if (player.sides.length === 1) new WhatIf(player, live);
