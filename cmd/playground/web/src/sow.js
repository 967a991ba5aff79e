// The colours of rules files. A test compares the words with those of the parser.

import { StreamLanguage } from "@codemirror/language";

export const reserved = new Set(("import variant position claim param player board state define procedure setup move score " +
  "win lose draw end offer when sow capture take into again go require prefer choose written let if else while for where " +
  "my their each some number not and or in div mod old without").split(" "));

export const values = new Set("last origin mover opponent none true false empty".split(" "));

// These mean something at their places in claims only.
export const clauses = new Set(("expect proved refuted with all following starting at using bound long reachable unreachable invariant " +
  "never stuck terminates count states starts finished winning plays ancestors predecessors successors every step from gives " +
  "equivalent refines reverses winnable strategy wins value best moves can force within unique endless scored any of is").split(" "));

const names = new Set(["variant", "claim", "position", "param", "define", "procedure", "strategy"]);

const sow = {
  name: "sow",
  startState: () => ({ depth: 0, claim: false, naming: false }),
  token(stream, state) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^\/\/.*/)) return "comment";
    if (stream.match(/^"[^"]*"?/)) return "string";
    if (stream.match(/^[0-9][0-9_]*/)) return "number";
    if (stream.match(/^[\p{L}_][\p{L}\p{N}_]*/u)) return word(stream.current(), state);
    const c = stream.next();
    if (c === "{") state.depth++;
    if (c === "}" && --state.depth <= 0) Object.assign(state, { depth: 0, claim: false });
    return "{}()[]".includes(c) ? "bracket" : "operator";
  },
  languageData: { commentTokens: { line: "//" }, closeBrackets: { brackets: ["(", "[", "{", "\""] } },
};

function word(text, state) {
  if (state.naming) {
    state.naming = false;
    return "def";
  }
  if (text === "claim" && state.depth === 0) state.claim = true;
  if (names.has(text)) state.naming = true;
  if (values.has(text)) return "atom";
  if (reserved.has(text)) return "keyword";
  if (state.claim && clauses.has(text)) return "keyword";
  return "variableName";
}

export const language = StreamLanguage.define(sow);
