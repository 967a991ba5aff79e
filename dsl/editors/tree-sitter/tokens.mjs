// Reads {path: text} as JSON from standard input, and writes {path: [{From, To, Node}, …]}: the
// tokens of each text by the grammar, by bytes of UTF-8, and an error where it does not go on.
//
// There is no generator of tree-sitter here: the rules are followed from above, and the first
// choice that fits is taken. That suffices for this grammar, in which the next token decides.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const rule = x => typeof x === "string" ? { type: "literal", text: x } : x instanceof RegExp ? { type: "pattern", pattern: x } : x;
const list = type => (...parts) => ({ type, parts: parts.map(rule) });
Object.assign(globalThis, {
  seq: list("seq"), choice: list("choice"), repeat: list("repeat"), token: list("token"),
  field: (_, part) => rule(part), alias: (part, as) => ({ type: "alias", part: rule(part), as: as.name }),
});

const named = new Set();
const $ = new Proxy({}, { get: (_, name) => (named.add(name), { type: "rule", name }) });
let rules;
globalThis.grammar = ({ name, extras, word, rules: made }) => {
  if (name !== "sow") throw new Error(`the grammar is of ${name}`);
  rules = Object.fromEntries(Object.entries(made).map(([name, make]) => [name, rule(make($))]));
  extras($);
  word($);
};
createRequire(import.meta.url)("./grammar.js");

// A set is a name for other rules only.
const missing = [...named].filter(name => !rules[name] && name !== "set");
const unused = Object.keys(rules).filter(name => !named.has(name) && name !== "source_file");
if (missing.length + unused.length) throw new Error(`missing rules: ${missing}; unused: ${unused}`);

// parse returns the tokens of a text up to where the grammar does not go on.
function parse(text) {
  const tokens = [];
  let at = 0, kind = "sign";

  const lexeme = pattern => {
    for (;;) {
      at += /\s*/y.exec(text.slice(at))[0].length;
      const comment = /^\/\/[^\n]*/.exec(text.slice(at));
      if (!comment) break;
      tokens.push({ from: at, to: at + comment[0].trimEnd().length, Node: "comment" });
      at += comment[0].length;
    }
    const found = pattern(text.slice(at));
    if (found) tokens.push({ from: at, to: at += found.length, Node: kind });
    return Boolean(found);
  };
  const identifier = rest => new RegExp(rules.identifier.pattern.source, "uy").exec(rest)?.[0];
  const within = (name, part) => {
    const outer = kind;
    kind = name.startsWith("_") ? outer : name;
    const ok = match(part);
    kind = outer;
    return ok;
  };
  const attempt = part => {
    const before = [at, tokens.length];
    const ok = match(part);
    if (!ok) {
      at = before[0];
      tokens.length = before[1];
    }
    return ok;
  };
  function match(r) {
    switch (r.type) {
      case "literal": return lexeme(rest => {
        const word = identifier(rest);
        return (word ? word === r.text : rest.startsWith(r.text)) && r.text;
      });
      case "pattern": return lexeme(rest => new RegExp(r.pattern.source, "uy").exec(rest)?.[0]);
      case "rule": return within(r.name, rules[r.name]);
      case "alias": return within(r.as, r.part.type === "rule" ? rules[r.part.name] : r.part);
      case "seq": case "token": return r.parts.every(match);
      case "choice": return r.parts.some(attempt);
      case "repeat": while (r.parts.every(attempt));
        return true;
      default: throw new Error(`what is ${r.type}?`);
    }
  }

  match(rules.source_file);
  lexeme(() => "");
  if (at < text.length) tokens.push({ from: at, to: text.length, Node: "error" });
  let seen = 0, bytes = 0;
  const offset = to => {
    bytes += Buffer.byteLength(text.slice(seen, to));
    seen = to;
    return bytes;
  };
  return tokens.map(({ from, to, Node }) => ({ From: offset(from), To: offset(to), Node }));
}

const out = {};
for (const [path, text] of Object.entries(JSON.parse(readFileSync(0, "utf8")))) out[path] = parse(text);
process.stdout.write(JSON.stringify(out));
