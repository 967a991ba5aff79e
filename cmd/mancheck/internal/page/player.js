"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const R = 19, CELL = 46, ROW = 58, GAP = 10;
  const NS = "http://www.w3.org/2000/svg";

  // el makes an element; its text is never read as HTML.
  function el(name, attrs, ...children) {
    const e = name === "svg" || attrs && attrs.svg ? document.createElementNS(NS, name) : document.createElement(name);
    for (const [k, v] of Object.entries(attrs || {})) if (k !== "svg") e.setAttribute(k, v);
    e.append(...children);
    return e;
  }
  const shape = (name, attrs, ...children) => el(name, { svg: true, ...attrs }, ...children);

  // boardFor is the drawn board of a trace: that of its rules, or one with the same pits, or else a row for each group of pits.
  function boardFor(trace) {
    const pits = Object.keys(trace.start.pits);
    const same = b => b.spots.length === pits.length && b.spots.every(s => pits.includes(s.pit));
    return data.boards.find(b => b.hash === trace.systemHash) || data.boards.find(same) || rows(pits);
  }
  function rows(pits) {
    const groups = new Map();
    for (const p of pits) {
      const g = p.replace(/\d+$/, "");
      if (!groups.has(g)) groups.set(g, []);
      groups.get(g).push(p);
    }
    const spots = [];
    let y = GAP + R + 3, w = 0;
    for (const list of groups.values()) {
      list.forEach((pit, i) => spots.push({ pit, x: GAP + i * CELL + CELL / 2, y, h: 2 * R, store: list.length === 1 }));
      w = Math.max(w, list.length * CELL);
      y += ROW;
    }
    return { pitVar: "", w: w + 2 * GAP, h: groups.size * ROW + 2 * GAP, spots };
  }

  function seeds(s, n) {
    const from = n < data.dots.length && n % 2 === 0 ? 1 : 0;
    const at = t => Math.trunc(t * (R - 4) / 1000);
    return data.dots.slice(from, from + n).map(d => `M${s.x + at(d[0])} ${s.y + at(d[1])}h0`).join("");
  }

  // draw draws a state as the page itself does.
  function draw(board, state, before) {
    const svg = el("svg", { class: "board", viewBox: `0 0 ${board.w} ${board.h}`, width: board.w, height: board.h, role: "img",
      "aria-label": spoken(board, state) });
    svg.append(shape("rect", { class: "wood", x: 1, y: 1, width: board.w - 2, height: board.h - 2, rx: 16 }));
    const marked = state.control[board.pitVar];
    for (const s of board.spots) {
      const n = state.pits[s.pit], d = before ? n - before.pits[s.pit] : 0;
      const g = shape("g", { class: ["pit", s.store && "store", d > 0 && "gain", d < 0 && "loss", marked === s.pit && "marked", n === 0 && "empty"].filter(Boolean).join(" ") });
      g.append(shape("title", {}, `${s.pit}: ${n}`));
      g.append(s.store ? shape("rect", { class: "hole", x: s.x - R, y: s.y - s.h / 2, width: 2 * R, height: s.h, rx: R })
        : shape("circle", { class: "hole", cx: s.x, cy: s.y, r: R }));
      if (n > 0 && n <= data.dots.length) g.append(shape("path", { class: "seeds", d: seeds(s, n) }));
      else if (n > data.dots.length) g.append(shape("text", { class: "many", x: s.x, y: s.y + 5 }, String(n)));
      g.append(shape("text", { class: "count", x: s.x, y: s.y + s.h / 2 + 14 }, String(n)));
      if (d !== 0) g.append(shape("text", { class: "change", x: s.x + R - 1, y: s.y - s.h / 2 + 8 }, d > 0 ? `+${d}` : `−${-d}`));
      svg.append(g);
    }
    return svg;
  }
  function spoken(board, state) {
    const full = Object.entries(state.pits).filter(([, n]) => n > 0).map(([p, n]) => `${p} ${n}`);
    return [full.join(", ") || "no seeds", status(board, state)].filter(Boolean).join(", ");
  }
  function status(board, state) {
    return Object.entries(state.control).filter(([k, v]) => !(k === board.pitVar && v !== null) && !(k === "mover" && v === null))
      .map(([k, v]) => k === "mover" ? `${v} to move` : k === "outcome" ? `over: ${v}` : `${k} = ${v === null ? "none" : v}`).join(", ");
  }

  // player makes a player of a trace. It listens to keys while it, or something in it, has the focus.
  function player(trace, first) {
    const board = boardFor(trace), last = trace.steps.length;
    const stateAt = i => i === 0 ? trace.start : trace.steps[i - 1].state;
    let at = 0, timer = 0;
    const stage = el("div", { class: "stage scroll" });
    const caption = el("p", { class: "caption", "aria-live": "polite" });
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
    const box = el("div", { class: "player", tabindex: 0, role: "group", "aria-label": "Player. Keys: left, right, Home, End, space" },
      caption, stage, el("p", { class: "controls" }, toStart, back, forth, toEnd, run,
        el("span", { class: "hint" }, "keys: ← → Home End space")));
    function stop() { clearInterval(timer); timer = 0; run.textContent = "Play"; }
    function start() {
      if (at === last) show(0);
      timer = setInterval(() => at < last ? show(at + 1) : stop(), 1100);
      run.textContent = "Pause";
    }
    function show(i) {
      at = Math.max(0, Math.min(last, i));
      const st = at > 0 ? trace.steps[at - 1] : null;
      const mover = at > 0 && stateAt(at - 1).control.mover;
      caption.replaceChildren(el("span", { class: "no" }, `${at} of ${last} `));
      if (st) caption.append(" ", el("b", {}, (mover ? `${mover}: ` : "") + st.move), " ", el("span", { class: "move" }, st.label));
      else caption.append(" " + first);
      const rest = status(board, stateAt(at));
      if (rest) caption.append(" ", el("span", { class: "status" }, rest));
      stage.replaceChildren(draw(board, stateAt(at), at > 0 ? stateAt(at - 1) : null));
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

  // check says what keeps something from being a trace.
  function check(t) {
    const state = s => s && typeof s.pits === "object" && s.pits && typeof s.control === "object" && s.control
      && Object.values(s.pits).every(n => Number.isInteger(n) && n >= 0);
    if (!t || !state(t.start) || !Array.isArray(t.steps)) return "This is no trace: it has no start and steps.";
    const pits = Object.keys(t.start.pits).join();
    const bad = t.steps.findIndex(s => !s || typeof s.move !== "string" || typeof s.label !== "string" || !state(s.state) || Object.keys(s.state.pits).join() !== pits);
    return bad < 0 ? "" : `Move ${bad + 1} of this trace is not complete.`;
  }

  for (const section of document.querySelectorAll(".play")) {
    const list = section.querySelector(".moves");
    const first = section.querySelector(".stephead").textContent.trim();
    section.insertBefore(player(data.plays[section.dataset.play], first), list);
    list.open = false;
  }
  for (const e of document.querySelectorAll(".js, .treebuttons")) e.hidden = false;
  for (const b of document.querySelectorAll("[data-tree]")) b.addEventListener("click", () => {
    for (const d of b.closest(".treebox").querySelectorAll("details")) d.open = b.dataset.tree === "open";
  });
  // A link into a branch that is closed opens it.
  addEventListener("hashchange", () => {
    for (let e = document.getElementById(location.hash.slice(1)); e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
  });
  addEventListener("beforeprint", () => { for (const d of document.querySelectorAll(".moves, .tree details")) d.open = true; });

  const error = document.getElementById("trace-error"), box = document.getElementById("player");
  function open(text) {
    let trace;
    try { trace = JSON.parse(text); } catch (e) { error.textContent = `This is no JSON: ${e.message}`; return; }
    error.textContent = check(trace);
    if (error.textContent) return;
    const p = player(trace, "start");
    document.getElementById("trace-stage").replaceChildren(el("h3", {}, `${trace.variant || ""} ${trace.claim || ""}`), p);
    p.focus();
  }
  const read = file => file && file.text().then(open, () => { error.textContent = "The file cannot be read."; });
  document.getElementById("trace-open").addEventListener("click", () => open(document.getElementById("trace-text").value));
  document.getElementById("trace-file").addEventListener("change", e => read(e.target.files[0]));
  box.addEventListener("dragover", e => { e.preventDefault(); box.classList.add("over"); });
  box.addEventListener("dragleave", () => box.classList.remove("over"));
  box.addEventListener("drop", e => {
    e.preventDefault();
    box.classList.remove("over");
    read(e.dataTransfer.files[0]);
  });
})();
