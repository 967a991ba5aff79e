// The editor. It stands in a shadow tree: there its styles need no exception from the page's policy.

import { EditorState, Prec, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, hoverTooltip, keymap, showTooltip } from "@codemirror/view";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, openLintPanel, setDiagnostics } from "@codemirror/lint";
import { tags } from "@lezer/highlight";
import { el } from "./dom.js";
import { margin, place, setIdle } from "./margin.js";
import { setup } from "./setup.js";
import { language } from "./sow.js";

const look = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--paper)", fontSize: "0.875rem" },
  "&.cm-focused": { outline: "2px solid var(--focus)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--ink)", padding: "0.5rem 0" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { color: "var(--faint)", backgroundColor: "var(--paper)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--line)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { background: "var(--select)" },
  ".cm-selectionMatch": { backgroundColor: "var(--select)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--select)", outline: "1px solid var(--faint)" },
  ".cm-tooltip": { color: "var(--ink)", backgroundColor: "var(--card)", border: "1px solid var(--edge-line)", borderRadius: "6px", maxWidth: "min(36rem, 90vw)" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { color: "var(--paper)", backgroundColor: "var(--accent)" },
  ".cm-panels": { color: "var(--ink)", backgroundColor: "var(--card)" },
  ".cm-panels .cm-textfield, .cm-panels .cm-button": { color: "var(--ink)", background: "var(--paper)", border: "1px solid var(--edge-line)" },
  ".cm-panel.cm-panel-lint ul [aria-selected], .cm-panel.cm-panel-lint ul:focus [aria-selected]": { color: "var(--ink)", backgroundColor: "var(--select)" },
  ".cm-panel.cm-panel-lint button[name=close]": { color: "var(--ink)", fontSize: "1.1rem", right: "0.5rem" },
  ".cm-diagnostic": { fontFamily: "system-ui, sans-serif", padding: "0.5rem 0.75rem" },
  ".cm-diagnosticAction": { color: "var(--on-accent)", backgroundColor: "var(--accent)", borderRadius: "4px", padding: "2px 8px" },
  ".cm-meaning": { padding: "0.4rem 0.7rem", maxHeight: "16rem", overflow: "auto" },
  ".cm-meaning p": { margin: "0.2rem 0", fontFamily: "system-ui, sans-serif" },
  ".cm-meaning pre": { margin: "0.3rem 0", whiteSpace: "pre-wrap" },
  ".cm-tooltip.cm-completionInfo": { width: "22rem" },
  ".cm-note": { color: "var(--soft)", whiteSpace: "pre-wrap" },
  ".cm-rule": { backgroundColor: "var(--glow)", borderRadius: "2px" },
});

const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--c-comment)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--c-string)" },
  { tag: tags.number, color: "var(--c-number)" },
  { tag: tags.keyword, color: "var(--c-keyword)", fontWeight: "600" },
  { tag: tags.atom, color: "var(--c-atom)" },
  { tag: tags.definition(tags.variableName), color: "var(--c-def)", fontWeight: "600" },
]);

// The rule that a move is carrying out.
const setRule = StateEffect.define();
const rule = StateField.define({
  create: () => Decoration.none,
  update(marks, tr) {
    marks = tr.docChanged ? Decoration.none : marks;
    for (const e of tr.effects) {
      if (e.is(setRule)) marks = e.value && e.value.from < e.value.to ? Decoration.set([Decoration.mark({ class: "cm-rule" }).range(e.value.from, e.value.to)]) : Decoration.none;
    }
    return marks;
  },
  provide: f => EditorView.decorations.from(f),
});

// What the word at the cursor means, as the pointer would show it: for those who use the keyboard.
const setMeaning = StateEffect.define();
const meaning = StateField.define({
  create: () => null,
  update(shown, tr) {
    const told = tr.effects.find(e => e.is(setMeaning));
    return told ? told.value : tr.docChanged || tr.selection ? null : shown;
  },
  provide: f => showTooltip.from(f),
});

const KINDS = { keyword: "keyword", function: "function", relation: "function", procedure: "function", definition: "function", variant: "class", player: "constant", value: "constant", outcome: "constant" };
const bytes = (state, at) => new TextEncoder().encode(state.sliceDoc(0, at)).length;

// words asks the tool what may stand at a place, and what a word means.
function words({ oncomplete, onhover }) {
  const told = async (state, at) => {
    const m = await onhover(bytes(state, at));
    return m?.text ? { pos: m.from, end: m.to, above: true, create: () => ({ dom: el("div", { class: "cm-meaning" }, prose(m.text)) }) } : null;
  };
  const complete = async context => {
    if (!context.explicit && !context.matchBefore(/[A-Za-z_]\w*$/)) return null;
    const found = await oncomplete(bytes(context.state, context.pos));
    if (!found || context.aborted || found.list.length === 0) return null;
    return { from: found.from, validFor: /^\w*$/, options: found.list.map(p => ({
      label: p.text, type: KINDS[p.kind] ?? "variable", detail: p.detail || (p.kind === "keyword" ? "" : p.kind), info: p.meaning ? () => el("div", { class: "cm-meaning" }, prose(p.meaning)) : null })) };
  };
  const explain = view => {
    const { state } = view, at = state.selection.main.head;
    told(state, at).then(shown => { if (view.state.doc.eq(state.doc)) view.dispatch({ effects: setMeaning.of(shown) }); });
    return true;
  };
  const hide = view => {
    if (!view.state.field(meaning)) return false;
    view.dispatch({ effects: setMeaning.of(null) });
    return true;
  };
  return [language.data.of({ autocomplete: complete }), hoverTooltip((view, at) => told(view.state, at)), meaning,
    Prec.high(keymap.of([{ key: "F1", run: explain }, { key: "Escape", run: hide }]))];
}

// prose shows Markdown of the tool: paragraphs, code, and code in lines.
function prose(text) {
  return text.split(/\n*```(?:\w*\n)?/).flatMap((part, i) => i % 2 === 1 ? [el("pre", {}, part.trimEnd())]
    : part.split(/\n{2,}/).filter(Boolean).map(p => el("p", {}, p.split("`").map((s, k) => k % 2 === 1 ? el("code", {}, s) : s.replaceAll("**", "")))));
}

export class Editor {
  #view; #extensions; #files = new Map(); #path = null; #setting = false;

  // oncomplete and onhover get an offset in bytes, and resolve to what the tool says of it.
  constructor(panel, { onchange, oncomplete, onhover }) {
    const root = panel.attachShadow({ mode: "open" });
    this.#extensions = [
      setup, language, look, syntaxHighlighting(colours), lintGutter(), margin, rule, EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": "Rules", tabindex: "0", spellcheck: "false", autocapitalize: "off" }),
      words({ oncomplete, onhover }),
      EditorView.updateListener.of(u => { if (u.docChanged && !this.#setting) onchange(); }),
    ];
    this.#view = new EditorView({ parent: root, root, state: EditorState.create({ extensions: this.#extensions }) });
  }

  get text() { return this.#view.state.doc.toString(); }

  // open shows a file. Each file has its own history: undo never leads to the text of another one,
  // and a file that is opened again can be undone to what was last written there.
  open(path, text) {
    if (this.#path !== null) this.#files.set(this.#path, this.#view.state);
    this.#path = path;
    this.#setting = true;
    const known = this.#files.get(path);
    this.#view.setState(known ?? EditorState.create({ doc: text, extensions: this.#extensions }));
    if (this.text !== text) this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text }, userEvent: "open" });
    this.#view.dispatch({ selection: { anchor: 0 }, scrollIntoView: true });
    this.#setting = false;
  }

  focus() { this.#view.focus(); }

  // select shows a stretch of the text.
  select({ from, to }) {
    const { length } = this.#view.state.doc;
    this.#view.dispatch({
      selection: { anchor: Math.min(from, length), head: Math.min(to, length) },
      effects: EditorView.scrollIntoView(Math.min(from, length), { y: "center" }),
    });
    this.#view.focus();
  }

  // explain shows a stretch, and opens the list of mistakes with what they mean and how to mend them.
  explain(at) {
    this.select(at);
    openLintPanel(this.#view);
  }

  // idle marks places that a search did not come to, and look shows a place that is given by lines.
  idle(places) { this.#view.dispatch({ effects: setIdle.of(places) }); }
  look({ start, end }) {
    const { doc } = this.#view.state;
    this.select({ from: place(doc, start), to: place(doc, end) });
  }

  // glow marks the rule at a stretch, or none.
  glow(at) {
    const { length } = this.#view.state.doc;
    this.#view.dispatch({ effects: setRule.of(at && at.to <= length ? at : null) });
  }

  // diagnose shows mistakes. Those in other files stand at the beginning.
  diagnose(list) {
    const { length } = this.#view.state.doc;
    const within = at => Math.min(at, length);
    this.#view.dispatch(setDiagnostics(this.#view.state, list.map(d => ({
      from: within(d.from), to: within(d.to), severity: d.severity, source: d.code,
      message: [d.where, d.message].filter(Boolean).join(": "),
      renderMessage: () => message(d),
      actions: d.fix?.length ? [{ name: "Fix", apply: view => view.dispatch({ changes: d.fix.map(e => ({ from: e.from, to: e.to, insert: e.text })) }) }] : [],
    }))));
  }
}

function message(d) {
  const box = document.createElement("div");
  box.append([d.where, d.message].filter(Boolean).join(": "));
  for (const text of [...(d.notes ?? []).map(n => n.message), d.help].filter(Boolean)) {
    const line = document.createElement("div");
    line.className = "cm-note";
    line.textContent = text;
    box.append(line);
  }
  return box;
}
