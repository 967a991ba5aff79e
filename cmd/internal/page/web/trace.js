// Traces that are opened on the page. They may come from anybody.

const MAX_TRACE = 1 << 20, MAX_PITS = 400; // bytes of its text, and pits on its board

// readTrace makes a trace of a file or a text, or fails with an error that says what is wrong.
export async function readTrace(from) {
  const blob = from instanceof Blob ? from : new Blob([from]);
  if (blob.size > MAX_TRACE) throw new Error("This is more than 1 MB.");
  const text = await blob.text().catch(() => { throw new Error("The file cannot be read."); });
  let trace;
  try {
    trace = JSON.parse(text);
  } catch (e) {
    throw new Error(`This is no JSON: ${e.message}`);
  }
  const fault = faultOf(trace);
  if (fault) throw new Error(fault);
  return trace;
}

function faultOf(trace) {
  const object = x => typeof x === "object" && x !== null;
  const state = s => object(s) && object(s.pits) && object(s.control)
    && Object.values(s.pits).every(n => Number.isSafeInteger(n) && n >= 0) && !Object.values(s.control).some(object);
  if (!object(trace) || !state(trace.start) || !Array.isArray(trace.steps)) return "This is no trace: it has no start and steps.";
  const pits = Object.keys(trace.start.pits).join();
  if (Object.keys(trace.start.pits).length > MAX_PITS) return `The board of this trace has more than ${MAX_PITS} pits.`;
  const bad = trace.steps.findIndex(s => !object(s) || typeof s.move !== "string" || typeof s.label !== "string" || !state(s.state)
    || Object.keys(s.state.pits).join() !== pits);
  return bad < 0 ? "" : `Move ${bad + 1} of this trace is not complete.`;
}

// layoutFor is the board of a trace: that of its rules, or one with the same pits, or else a row for
// each group of pits.
export function layoutFor(trace, boards) {
  const pits = Object.keys(trace.start.pits);
  const same = b => b.spots.length === pits.length && b.spots.every(s => pits.includes(s.pit));
  return boards.find(b => b.hash === trace.systemHash && same(b)) ?? boards.find(same) ?? rows(pits);
}

function rows(pits) {
  const cell = 46, row = 68, gap = 10, radius = 19, name = 13, groups = new Map();
  for (const pit of pits) {
    const group = pit.replace(/\d+$/, "");
    groups.set(group, [...groups.get(group) ?? [], pit]);
  }
  const lists = [...groups.values()];
  const spots = lists.flatMap((list, r) => list.map((pit, i) => ({
    pit, x: gap + i * cell + cell / 2, y: gap + r * row + name + radius, h: 2 * radius, store: list.length === 1,
  })));
  return { w: Math.max(...lists.map(list => list.length)) * cell + 2 * gap, h: lists.length * row + 2 * gap, spots, players: [], pitVar: "", label: "" };
}
