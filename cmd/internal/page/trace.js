// Traces that are opened on the page. They may come from anybody.

const MAX_TRACE = 1 << 20, MAX_PITS = 400; // characters of its text, and pits on its board

// readTrace makes a trace of text, or throws an error that says what is wrong with it.
export function readTrace(text) {
  if (text.length > MAX_TRACE) throw new Error("This is longer than 1 MB.");
  let trace;
  try {
    trace = JSON.parse(text);
  } catch (e) {
    throw new Error(`This is no JSON: ${e.message}`);
  }
  const state = s => s && typeof s.pits === "object" && s.pits && typeof s.control === "object" && s.control
    && Object.values(s.pits).every(n => Number.isInteger(n) && n >= 0);
  if (!trace || !state(trace.start) || !Array.isArray(trace.steps)) throw new Error("This is no trace: it has no start and steps.");
  const pits = Object.keys(trace.start.pits).join();
  if (Object.keys(trace.start.pits).length > MAX_PITS) throw new Error(`The board of this trace has more than ${MAX_PITS} pits.`);
  const bad = trace.steps.findIndex(s => !s || typeof s.move !== "string" || typeof s.label !== "string" || !state(s.state)
    || Object.keys(s.state.pits).join() !== pits);
  if (bad >= 0) throw new Error(`Move ${bad + 1} of this trace is not complete.`);
  return trace;
}

// layoutFor is the board of a trace: that of its rules, or one with the same pits, or else a row for
// each group of pits.
export function layoutFor(trace, boards) {
  const pits = Object.keys(trace.start.pits);
  const same = b => b.spots.length === pits.length && b.spots.every(s => pits.includes(s.pit));
  return boards.find(b => b.hash === trace.systemHash) || boards.find(same) || rows(pits);
}

function rows(pits) {
  const cell = 46, row = 68, gap = 10, radius = 19, name = 13;
  const groups = Object.values(Object.groupBy(pits, p => p.replace(/\d+$/, "")));
  const spots = groups.flatMap((list, r) => list.map((pit, i) => ({
    pit, x: gap + i * cell + cell / 2, y: gap + r * row + name + radius, h: 2 * radius, store: list.length === 1,
  })));
  const width = Math.max(...groups.map(list => list.length));
  return { w: width * cell + 2 * gap, h: groups.length * row + 2 * gap, spots, players: [], pitVar: "", label: "" };
}
