// Marks in the editor of places that a search did not come to: in the margin, and below the text.

import { RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, gutter, hoverTooltip } from "@codemirror/view";
import { el } from "./dom.js";

// setIdle shows places as {start, end, only, text}: from where to where, in lines and characters,
// whether it is a condition that was only true, and what is said of it.
export const setIdle = StateEffect.define();

class Idle extends GutterMarker {
  constructor(places) {
    super();
    this.texts = [...new Set(places.map(p => p.text))];
    this.only = places.every(p => p.only);
  }

  eq(other) { return this.only === other.only && this.texts.join("\n") === other.texts.join("\n"); }

  toDOM() { return el("div", { class: this.only ? "cm-unvisited only" : "cm-unvisited", title: this.texts.join("\n") }); }
}

// place is where a line and a character are in the text.
export function place(doc, { line, column }) {
  if (line > doc.lines) return doc.length;
  const { from, text } = doc.line(line);
  return from + [...text].slice(0, column - 1).join("").length;
}

const none = { places: [], words: Decoration.none, lines: RangeSet.empty, stale: false };

function marked(doc, list) {
  const places = list.map(p => ({ ...p, from: place(doc, p.start), to: place(doc, p.end) })).filter(p => p.from < p.to);
  const lines = new Map();
  for (const p of places) {
    const { from } = doc.lineAt(p.from);
    lines.set(from, [...lines.get(from) ?? [], p]);
  }
  return {
    stale: false, places,
    words: Decoration.set(places.map(p => Decoration.mark({ class: p.only ? "cm-idle only" : "cm-idle" }).range(p.from, p.to)), true),
    lines: RangeSet.of([...lines].map(([from, list]) => new Idle(list).range(from)), true),
  };
}

// After a change of the text the marks move with what they are about, and are dimmed.
const field = StateField.define({
  create: () => none,
  update(now, tr) {
    if (tr.docChanged && now !== none) {
      const { changes } = tr, places = now.places.map(p => ({ ...p, from: changes.mapPos(p.from, 1), to: changes.mapPos(p.to, -1) }));
      now = { stale: true, places: places.filter(p => p.from < p.to), words: now.words.map(changes), lines: now.lines.map(changes) };
    }
    for (const e of tr.effects) if (e.is(setIdle)) now = e.value.length > 0 ? marked(tr.state.doc, e.value) : none;
    return now;
  },
  provide: f => [
    EditorView.decorations.from(f, now => now.words),
    EditorView.editorAttributes.from(f, now => ({ class: now.stale ? "cm-outdated" : "" })),
  ],
});

// about says what is known of the place at an offset, the innermost one.
function about({ state }, at) {
  const { places, stale } = state.field(field), inner = places.filter(p => p.from <= at && at <= p.to).at(-1);
  if (!inner) return null;
  return { pos: inner.from, end: inner.to, create: () => ({ dom: el("div", { class: "cm-meaning" }, el("p", {}, stale ? `before the change: ${inner.text}` : inner.text)) }) };
}

const look = EditorView.baseTheme({
  ".cm-coverage": { width: "0.5rem" },
  ".cm-coverage .cm-gutterElement": { padding: "0" },
  ".cm-unvisited": { width: "0.3rem", height: "100%", marginLeft: "0.1rem", background: "var(--bad)" },
  ".cm-unvisited.only": { background: "none", borderLeft: "0.15rem dashed var(--open-ink)" },
  ".cm-idle": { textDecoration: "underline dotted 1.5px var(--bad)", textUnderlineOffset: "0.2em" },
  ".cm-idle.only": { textDecorationColor: "var(--open-ink)" },
  "&.cm-outdated .cm-unvisited": { opacity: "0.35" },
  "&.cm-outdated .cm-idle": { textDecoration: "none" },
});

export const margin = [field, look, gutter({ class: "cm-coverage", markers: view => view.state.field(field).lines }), hoverTooltip(about)];
