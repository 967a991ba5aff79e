// The claims of the file, with their verdicts and the plays that show them.

import { button, el, say } from "./dom.js";
import { Stopped } from "./engine.js";

const BY_YOU = "by you";

export class Claims {
  #box; #tally; #buttons; #engine; #source; #onplay; #onplace; #ondecided;
  #claims = []; #verdicts = new Map(); #waiting = new Set(); #running = new Set(); #progress = ""; #text = ""; #ready = false;
  #again = false; #pressed = null; // whether to decide again after changes; the button that began a run

  constructor({ box, tally, buttons, engine, source, onplay, onplace, ondecided = () => {} }) {
    this.#ondecided = ondecided;
    this.#box = box;
    this.#tally = tally;
    this.#buttons = buttons;
    this.#engine = engine;
    this.#source = source;
    this.#onplay = onplay;
    this.#onplace = onplace;
  }

  // forget drops all verdicts: they were about another file.
  forget() { this.#verdicts.clear(); }

  // update shows the claims of a text. Verdicts on an earlier text stay, and are marked.
  update(checked, text) {
    this.#ready = checked.read;
    this.#text = text;
    if (checked.read) this.#claims = checked.claims;
    this.#draw();
    this.#follow();
  }

  // follow decides again what was decided for an earlier text, if that is wanted.
  #follow() {
    if (!this.#again || !this.#ready || this.#waiting.size > 0) return;
    const stale = this.#claims.filter(c => c.sound && this.#verdicts.has(c.name) && this.#verdicts.get(c.name).text !== this.#text);
    if (stale.length > 0) this.decide(stale.map(c => c.name));
  }

  async decide(names) {
    const source = this.#source();
    let whole = true;
    this.#pressed = document.activeElement.dataset.key ?? null;
    for (const name of names) this.#waiting.add(name);
    this.#progress = "";
    this.#running = new Set();
    this.#tally.textContent = "";
    this.#draw();
    try {
      const end = await this.#engine.thinker.ask({ ask: "decide", source, claims: names }, { told: part => this.#told(part, source), most: 0 });
      if (end.error) throw new Error(end.error);
      this.#tally.textContent = end.total;
      say(end.total);
    } catch (e) {
      whole = false;
      this.#stopped(source, e.message);
      this.#tally.textContent = e instanceof Stopped ? `stopped: ${e.message}` : e.message;
      say(this.#tally.textContent);
    }
    for (const name of names) this.#waiting.delete(name);
    this.#draw();
    if (whole) this.#whole(source.text);
    if (whole) this.#follow();
  }

  // whole tells whether all claims are as expected, once each has a verdict on a text.
  #whole(text) {
    const known = this.#claims.map(c => this.#verdicts.get(c.name)).map(v => v?.text === text ? v.list : null);
    if (text === this.#text && known.length > 0 && !known.includes(null)) this.#ondecided(text, known.flat().every(v => v.standing === "good"));
  }

  // stopped leaves what was reached as the verdict on the claim that was being decided. Those after
  // it keep what is known of them.
  #stopped(source, reason) {
    const [name] = this.#waiting, why = reason === BY_YOU ? "interrupted" : reason;
    if (name === undefined) return;
    const found = [why, this.#progress.replace(`${name}: `, "")].filter(Boolean).join(", ");
    const list = this.#running.has(name) ? this.#verdicts.get(name).list : [];
    this.#verdicts.set(name, { text: source.text, list: [...list, { claim: name, name, standing: "open", mark: "?", verdict: "unknown", found }] });
  }

  #told(part, source) {
    if (part.progress) {
      this.#progress = part.progress;
      const line = this.#box.querySelector(".progress span");
      if (line) line.textContent = part.progress;
      return;
    }
    const old = this.#verdicts.get(part.claim), known = this.#running.has(part.claim) ? old : { text: source.text, list: [] };
    this.#running.add(part.claim);
    known.list.push(part);
    this.#verdicts.set(part.claim, known);
    for (const name of this.#waiting) { // those before it are done
      if (name === part.claim) break;
      this.#waiting.delete(name);
    }
    this.#draw();
  }

  #draw() {
    const usable = this.#claims.filter(c => c.sound && !c.long).map(c => c.name), running = this.#waiting.size > 0;
    const panel = this.#box.closest("section"), focused = panel.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const again = el("input", { type: "checkbox", "data-key": "again", onchange: e => { this.#again = e.target.checked; this.#follow(); } });
    again.checked = this.#again;
    this.#buttons.replaceChildren(
      el("label", { title: "Decide again after changes what was decided before" }, again, "Again after changes"),
      running ? button("Stop", () => this.#engine.thinker.stop(BY_YOU), { class: "first", id: "stop", "data-key": "stop" })
        : button("Decide all", () => this.decide(usable), { id: "decide-all", "data-key": "all", disabled: !this.#ready || usable.length === 0 }));
    this.#box.replaceChildren(this.#claims.length > 0
      ? el("ul", { class: "claims" }, this.#claims.map(c => this.#claim(c)))
      : el("p", { class: "empty" }, this.#ready ? "The file claims nothing. A claim looks like this:" : "There is a mistake in the file.",
        this.#ready && el("pre", {}, "claim always_ends {\n  terminates\n}")));
    if (focused) this.#focus(panel, running ? [focused, "stop"] : [focused, this.#pressed]);
  }

  // focus gives the focus to the first of some buttons that is there.
  #focus(panel, keys) {
    for (const key of keys) {
      const found = key && panel.querySelector(`[data-key="${CSS.escape(key)}"]:not(:disabled)`);
      if (found) return found.focus();
    }
  }

  #claim(c) {
    const known = this.#verdicts.get(c.name), waits = this.#waiting.has(c.name), first = [...this.#waiting][0] === c.name;
    const stale = known && known.text !== this.#text;
    return el("li", { class: stale ? "claim stale" : "claim", "data-claim": c.name },
      el("div", { class: "top" },
        el("button", { type: "button", class: "name", title: "Show it in the rules", "data-key": `name ${c.name}`, onclick: () => this.#onplace(c.at) },
          c.name, c.label && el("span", {}, ` “${c.label}”`)),
        !waits && button(known ? "Decide again" : "Decide", () => this.decide([c.name]), {
          disabled: !this.#ready || !c.sound || this.#waiting.size > 0, "data-key": `decide ${c.name}`, "aria-label": `${known ? "Decide again" : "Decide"}: ${c.name}`,
        })),
      c.doc && el("p", { class: "doc" }, c.doc),
      !c.sound && el("p", { class: "problem" }, "There is a mistake in it."),
      c.long && !known && el("p", { class: "doc" }, "It says of itself that it takes long."),
      first && el("div", { class: "progress" }, el("span", {}, this.#progress || "deciding …")),
      known && (!waits || this.#running.has(c.name)) && el("div", { class: "verdicts" }, stale && el("p", { class: "doc" }, "About an earlier text:"), known.list.map((v, i) => this.#verdict(v, i))));
  }

  #verdict(v, n) { return verdictView(v, (play, i) => button(playName(play), () => this.#onplay(play, v.claim), { "data-key": `play ${v.name} ${n} ${i}` })); }
}

const playName = play => {
  const n = play.trace.steps.length;
  return `${play.title === "play" ? "Step through the play" : `Step through: ${play.title}`} (${n === 1 ? "1 move" : `${n} moves`})`;
};

// verdictView shows a verdict. player makes the button for a play.
export function verdictView(v, player) {
  const swept = v.name !== v.claim;
  return el("div", { class: `verdict ${v.standing}`, "data-verdict": v.verdict },
    el("p", {}, el("span", { class: "word" }, `${v.mark} ${v.verdict}`), swept ? ` ${v.name}` : "", v.expect ? ` (${v.expect})` : "", v.found ? `: ${v.found}` : ""),
    v.needsSolver && el("p", { class: "more" }, "It needs a solver, which a browser has not: the command line can decide it."),
    (v.scope || v.engine) && el("p", { class: "more" }, [v.scope, v.engine && `engine: ${v.engine}`].filter(Boolean).join(" · ")),
    (v.remarks ?? []).map(text => el("p", { class: "more" }, text)),
    (v.fault ?? []).map(d => el("div", { class: "more" }, el("p", {}, [d.code, d.message].filter(Boolean).join(": ")), (d.notes ?? []).map(n => el("p", {}, n.message)), d.help && el("p", {}, d.help))),
    v.sets && v.sets.extra.length > 0 && el("div", { class: "more" }, "found, but not listed:", v.sets.extra.map(text => el("pre", {}, text))),
    v.sets && v.sets.missing > 0 && el("p", { class: "more" }, `listed, but not found: ${v.sets.missing}`),
    (v.plays ?? []).length > 0 && el("p", { class: "line" }, v.plays.map(player)));
}
