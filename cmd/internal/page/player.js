"use strict";
(() => {
  const defs = document.querySelector(".defs defs");
  const data = JSON.parse(document.getElementById("data").textContent);
  const R = 19, CELL = 46, ROW = 68, NAME = 10, GAP = 10, NAME_FITS = 8;
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
    let y = GAP + NAME + R + 3, w = 0;
    for (const list of groups.values()) {
      list.forEach((pit, i) => spots.push({ pit, x: GAP + i * CELL + CELL / 2, y, h: 2 * R, store: list.length === 1 }));
      w = Math.max(w, list.length * CELL);
      y += ROW;
    }
    return emptyBoard({ base: `own${defs.children.length}`, pitVar: "", label: "", w: w + 2 * GAP, h: groups.size * ROW + 2 * GAP, spots });
  }

  // emptyBoard draws what all states on a board have in common.
  function emptyBoard(board) {
    const g = shape("g", { id: board.base }, shape("rect", { class: "wood", x: 1, y: 1, width: board.w - 2, height: board.h - 2, rx: 16 }));
    for (const s of board.spots)
      g.append(shape("g", { class: s.store ? "pit store" : "pit" }, shape("title", {}, s.pit), outline("hole", s), nameOf(s)));
    defs.append(g);
    return board;
  }
  function nameOf(s) {
    const fit = s.pit.length > NAME_FITS ? { textLength: CELL - 2, lengthAdjust: "spacingAndGlyphs" } : {};
    return shape("text", { class: "name", x: s.x, y: s.y - s.h / 2 - 4, ...fit }, s.pit);
  }
  function outline(cls, s) {
    return s.store ? shape("rect", { class: cls, x: s.x - R, y: s.y - s.h / 2, width: 2 * R, height: s.h, rx: R })
      : shape("circle", { class: cls, cx: s.x, cy: s.y, r: R });
  }

  // draw draws a state as the page itself does. differ lists the pits to be marked because the board beside has something else in them.
  function draw(board, state, before, differ) {
    const svg = el("svg", { class: "board", viewBox: `0 0 ${board.w} ${board.h}`, width: board.w, height: board.h, role: "img",
      "aria-label": spoken(board, state) }, shape("use", { href: `#${board.base}` }));
    const marked = state.control[board.pitVar];
    const change = s => before ? state.pits[s.pit] - before.pits[s.pit] : 0, way = d => d < 0 ? "loss" : "gain";
    for (const s of board.spots) {
      const ring = [change(s) !== 0 && way(change(s)), marked === s.pit && "marked", differ.includes(s.pit) && "differs"].filter(Boolean);
      if (ring.length > 0) svg.append(outline(["ring", ...ring].join(" "), s));
    }
    const dots = board.spots.map(s => seeds(s, state.pits[s.pit])).join("");
    if (dots) svg.append(shape("path", { class: "seeds", d: dots }));
    for (const s of board.spots) {
      const n = state.pits[s.pit], d = change(s);
      if (n >= data.dots.length) svg.append(shape("text", { class: "many", x: s.x, y: s.y + 5 }, String(n)));
      const at = { x: s.x + R - 1, y: s.y - s.h / 2 + 8 };
      if (d !== 0) svg.append(shape("text", { class: `change ${way(d)}`, ...at }, d > 0 ? `+${d}` : `−${-d}`));
    }
    counts(svg, board.spots, state);
    return svg;
  }
  function seeds(s, n) {
    return (data.dots[n] || []).map(d => `M${s.x + d[0]} ${s.y + d[1]}h0`).join("");
  }

  // counts writes the numbers under the pits. Neighbours of one digit each share a text, which says where each digit stands.
  function counts(svg, spots, state) {
    let run = null;
    for (const s of spots) {
      const text = String(state.pits[s.pit]), cls = text === "0" ? "zero" : "count", y = s.y + s.h / 2 + 14;
      if (!run || run.cls !== cls || run.y !== y || text.length > 1 || run.digits.length !== run.xs.length) {
        run = { cls, y, digits: "", xs: [], e: shape("text", { class: cls }) };
        svg.append(run.e);
      }
      run.xs.push(s.x);
      run.digits += text;
      run.e.setAttribute("x", run.xs.join(" "));
      run.e.setAttribute("y", y);
      run.e.textContent = run.digits;
    }
  }
  function spoken(board, state) {
    const full = Object.entries(state.pits).filter(([, n]) => n > 0).map(([p, n]) => `${p} ${n}`);
    return [full.join(", ") || "no seeds", status(board, state)].filter(Boolean).join(", ");
  }
  function status(board, state) {
    return Object.entries(state.control).filter(([k, v]) => !(k === board.pitVar && v !== "none") && !(k === "mover" && v === "none"))
      .map(([k, v]) => k === "mover" ? `${v} to move` : k === "outcome" ? `over: ${v}` : `${k} = ${v}`).join(", ");
  }

  // player makes a player of one play, or of two that go on together. A side is {trace, first, name, differ, ending}. It listens to keys while it,
  // or something in it, has the focus.
  function player(...sides) {
    for (const s of sides) s.board = boardFor(s.trace);
    const last = Math.max(...sides.map(s => s.trace.steps.length));
    let at = 0, timer = 0;
    const stages = sides.map(s => {
      s.head = el("p", { class: "caption" });
      s.stage = el("div", { class: "stage scroll" });
      return el("div", { class: "side" }, ...(s.name ? [el("b", { class: "sidename" }, s.name)] : []), s.head, s.stage);
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
    if (st && st.label !== s.board.label) s.head.append(el("span", { class: "move" }, st.label));
    if (!st) s.head.append(s.first);
    const rest = status(s.board, stateAt(i));
    if (rest) s.head.append(" ", el("span", { class: "status" }, rest));
    if (s.ending && i === s.trace.steps.length) s.head.append(" ", el("span", { class: "badge" }, s.ending));
    if (i < at) s.head.append(" ", el("span", { class: "badge" }, "ends here"));
    s.stage.replaceChildren(draw(s.board, stateAt(i), i > 0 ? stateAt(i - 1) : null, i === s.trace.steps.length ? s.differ : []));
  }

  // check says what keeps something from being a trace.
  function check(t) {
    const state = s => s && typeof s.pits === "object" && s.pits && typeof s.control === "object" && s.control
      && Object.values(s.pits).every(n => Number.isInteger(n) && n >= 0);
    if (!t || !state(t.start) || !Array.isArray(t.steps)) return "This is no trace: it has no start and steps.";
    const pits = Object.keys(t.start.pits).join();
    const bad = t.steps.findIndex(s => !s || typeof s.move !== "string" || typeof s.label !== "string" || !state(s.state)
      || Object.keys(s.state.pits).join() !== pits);
    return bad < 0 ? "" : `Move ${bad + 1} of this trace is not complete.`;
  }

  for (const section of document.querySelectorAll(".play")) {
    const list = section.querySelector(".moves");
    const firsts = section.querySelectorAll(".stephead"), names = section.querySelectorAll(".twoheads .sidename");
    const side = (no, i) => ({ trace: data.plays[no], first: firsts[i].textContent.trim(),
      name: names.length > 0 ? names[i].textContent : "", differ: data.differ[no] || [], ending: data.ending[no] });
    const { play, other } = section.dataset;
    section.insertBefore(other ? player(side(play, 0), side(other, 1)) : player(side(play, 0)), list);
    list.open = false;
  }
  for (const e of document.querySelectorAll(".js, .treebuttons")) e.hidden = false;
  for (const b of document.querySelectorAll("[data-tree]")) b.addEventListener("click", () => {
    for (const d of b.closest(".treebox").querySelectorAll("details")) d.open = b.dataset.tree === "open";
  });
  // A link into a branch that is closed opens it.
  const reveal = () => {
    const there = document.getElementById(location.hash.slice(1));
    for (let e = there; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
    if (there) there.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  if (location.hash) reveal();
  // On paper everything is open, and afterwards what was closed is closed again.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    for (const d of opened) d.open = true;
  });
  addEventListener("afterprint", () => { for (const d of opened) d.open = false; });

  const error = document.getElementById("trace-error"), box = document.getElementById("player");
  function open(text) {
    let trace;
    try { trace = JSON.parse(text); } catch (e) { error.textContent = `This is no JSON: ${e.message}`; return; }
    error.textContent = check(trace);
    if (error.textContent) return;
    const p = player({ trace, first: "start", name: "", differ: [], ending: "" });
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
