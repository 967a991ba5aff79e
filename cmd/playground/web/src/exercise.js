// An exercise: a file with comments that say how many of its claims a teacher keeps back, and that
// have hints in code, as `scripts/exercise make` writes them. What is in such a file is shown as text.

import { button, el, say } from "./dom.js";
import { save } from "./share.js";

const SEAL = /^\/\/ There are (\d{1,4}) more claims, which stay secret: SHA-256 ([0-9a-f]{64})[ \t]*\r?$/m;
const HINT = /^\/\/ Hint \d{1,4}: ([A-Za-z0-9+/=]+)[ \t]*\r?$/gm;
const MOST = 20, LONG = 2000; // hints, and characters of one

// marks are what a text says of itself: how many claims are secret, by which sum they are known, and
// the hints that can be read. It is null for a file that is no exercise.
export function marks(text) {
  const seal = SEAL.exec(text);
  if (!seal) return null;
  const hints = [...text.matchAll(HINT)].slice(0, MOST).map(m => decoded(m[1])).filter(h => h !== null);
  return { line: seal[0].trimEnd(), secret: Number(seal[1]), sum: seal[2], hints };
}

// decoded is a hint, or null if it is damaged.
function decoded(code) {
  try {
    const bytes = Uint8Array.from(atob(code), c => c.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).slice(0, LONG);
  } catch {
    return null;
  }
}

export class Exercise {
  #box; #source; #marks = null; #lost = false; #state = { tries: 0, last: "" }; #open = new Set();

  constructor({ box, source }) {
    this.#box = box;
    this.#source = source;
  }

  // open begins with another file.
  open() {
    this.#marks = null;
    this.#open.clear();
  }

  // update reads the marks of a text. Those that somebody has deleted are remembered as long as the
  // file is open.
  update(text) {
    const found = marks(text), old = this.#marks;
    this.#lost = found === null;
    this.#marks = found ?? old;
    if (this.#marks && this.#marks.sum !== old?.sum) this.#state = kept(this.#marks.sum);
    this.#draw();
  }

  // decided counts a try: all claims that are shown have verdicts, and some is not as expected. The
  // same text is not tried twice.
  decided(text, right) {
    if (!this.#marks || right || this.#state.last === text) return;
    this.#state = { tries: this.#state.tries + 1, last: text };
    keep(this.#marks.sum, this.#state);
    if (this.#state.tries <= this.#marks.hints.length) say(`There is hint ${this.#state.tries}`);
    this.#draw();
  }

  #draw() {
    const m = this.#marks, { activeElement } = document, focused = this.#box.contains(activeElement) ? activeElement.dataset.key : null;
    this.#box.hidden = m === null;
    if (!m) return this.#box.replaceChildren();
    const { tries } = this.#state, shown = Math.min(tries, m.hints.length), more = m.hints.length - shown;
    this.#box.replaceChildren(
      el("div", { class: "line" },
        el("span", { class: "strong" }, m.secret === 1 ? "1 secret claim" : `${m.secret} secret claims`),
        el("span", { class: "note sum", title: `SHA-256 ${m.sum}` }, `(sha256 ${m.sum.slice(0, 12)}…)`),
        el("span", { class: "note" }, tries === 1 ? "1 try" : `${tries} tries`), el("span", { class: "spring" }),
        button("Hand in", () => this.#hand(), { "data-key": "hand in", title: "Save the file under a name for the teacher" })),
      ...m.hints.slice(0, shown).map((hint, i) => this.#hint(hint, i)),
      ...more > 0 ? [el("p", { class: "note" }, `Hint ${shown + 1} comes after ${shown + 1 === 1 ? "a try" : `${shown + 1} tries`}: decide all claims.`)] : [],
      ...this.#lost ? [el("p", { class: "problem" }, "The line that says which exercise this is was deleted. Hand in puts it back.")] : []);
    if (focused) this.#box.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  #hint(hint, i) {
    const open = this.#open.has(i);
    const toggle = () => {
      if (!this.#open.delete(i)) this.#open.add(i);
      this.#draw();
    };
    return el("div", { class: "hint" }, button(`Hint ${i + 1}`, toggle, { "data-key": `hint ${i + 1}`, "aria-expanded": String(open) }), open && el("p", {}, hint));
  }

  // hand saves the file with its marks, under a name that says which exercise it is of.
  #hand() {
    const { path, text } = this.#source(), { line, sum } = this.#marks;
    const name = path.split("/").at(-1).replace(/(-handed-in-[0-9a-f]{8})?\.sow$/, "");
    save(`${name}-handed-in-${sum.slice(0, 8)}.sow`, this.#lost ? `${text.trimEnd()}\n\n${line}\n` : text);
    say("The file is saved");
  }
}

// The tries outlive a reload of the page, as the text does.

function kept(sum) {
  try {
    const { tries, last } = JSON.parse(sessionStorage.getItem(`tries ${sum}`));
    if (Number.isSafeInteger(tries) && tries >= 0) return { tries, last: String(last) };
  } catch { /* there are none */ }
  return { tries: 0, last: "" };
}

function keep(sum, state) {
  try {
    sessionStorage.setItem(`tries ${sum}`, JSON.stringify(state));
  } catch { /* there is no room, or no permission */ }
}
