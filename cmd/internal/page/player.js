import { Board, status } from "./board.js";

// el makes an element; its text is never read as HTML.
export function el(name, attrs, ...children) {
  const e = document.createElement(name);
  for (const [k, v] of Object.entries(attrs)) e.setAttribute(k, v);
  e.append(...children);
  return e;
}

// player makes a player of one play, or of two that go on together. A side is {trace, layout, first,
// name, differ, ending}. It listens to keys while it, or something in it, has the focus.
export function player(dots, ...sides) {
  const last = Math.max(...sides.map(s => s.trace.steps.length));
  let at = 0, timer = 0;
  const stages = sides.map(s => {
    s.board = new Board(s.layout, { dots });
    s.head = el("p", { class: "caption" });
    return el("div", { class: "side" }, ...(s.name ? [el("b", { class: "sidename" }, s.name)] : []), s.head,
      el("div", { class: "stage scroll" }, s.board.element));
  });
  const button = (text, label, go) => {
    const b = el("button", { type: "button", "aria-label": label, title: label }, text);
    b.addEventListener("click", go);
    return b;
  };
  const toStart = button("|◀", "To the start (Home)", () => show(0));
  const back = button("◀", "One move back (←)", () => show(at - 1));
  const forth = button("▶", "One move forward (→)", () => show(at + 1));
  const toEnd = button("▶|", "To the end (End)", () => show(last));
  const run = button("Play", "Play or pause", () => timer ? stop() : start());
  const where = el("span", { class: "no" });
  const box = el("div", { class: "player", tabindex: 0, role: "group", "aria-label": "Player. Keys: left, right, Home, End, space" },
    el("div", { class: sides.length > 1 ? "sides" : "", "aria-live": "polite" }, ...stages),
    el("p", { class: "controls" }, toStart, back, forth, toEnd, run, where,
      el("span", { class: "hint" }, "keys: ← → Home End space")));
  function stop() { clearInterval(timer); timer = 0; run.textContent = "Play"; }
  function start() {
    if (at === last) show(0);
    timer = setInterval(() => at < last ? show(at + 1) : stop(), 1100);
    run.textContent = "Pause";
  }
  function show(i) {
    at = Math.max(0, Math.min(last, i));
    for (const s of sides) showSide(s, Math.min(at, s.trace.steps.length), at);
    where.textContent = `${at} of ${last}`;
    box.dataset.at = at;
    toStart.disabled = back.disabled = at === 0;
    forth.disabled = toEnd.disabled = at === last;
  }
  box.addEventListener("keydown", e => {
    if (e.ctrlKey || e.altKey || e.metaKey) return;
    const onButton = e.target.tagName === "BUTTON";
    const go = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: last }[e.key];
    if (go !== undefined) { stop(); show(go); } else if (e.key === " " && !onButton) show(e.shiftKey ? at - 1 : at + 1);
    else return;
    e.preventDefault();
    if (document.activeElement === document.body || document.activeElement.disabled) box.focus();
  });
  show(0);
  return box;
}

// showSide shows a play after i moves; at is how many the players are to have made, of which a shorter play has fewer.
function showSide(s, i, at) {
  const stateAt = i => i === 0 ? s.trace.start : s.trace.steps[i - 1].state;
  const st = i > 0 ? s.trace.steps[i - 1] : null, mover = i > 0 && stateAt(i - 1).control.mover;
  s.head.replaceChildren();
  if (st) s.head.append(el("span", { class: "no" }, `${i}. `), el("b", {}, (mover ? `${mover}: ` : "") + st.move), " ");
  if (st && st.label !== s.layout.label) s.head.append(el("span", { class: "move" }, st.label));
  if (!st) s.head.append(s.first);
  const rest = status(s.layout, stateAt(i));
  if (rest) s.head.append(" ", el("span", { class: "status" }, rest));
  if (s.ending && i === s.trace.steps.length) s.head.append(" ", el("span", { class: "badge" }, s.ending));
  if (i < at) s.head.append(" ", el("span", { class: "badge" }, "ends here"));
  s.board.show(stateAt(i), { before: i > 0 ? stateAt(i - 1) : null, differ: i === s.trace.steps.length ? s.differ : [] });
}
