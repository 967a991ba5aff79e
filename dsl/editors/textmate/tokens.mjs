// Reads {path: text} as JSON from standard input, and writes {path: [{From, To, Scope}, …]}: the
// tokens that the grammar finds in each text, by bytes of UTF-8.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { default: textmate } = await import("vscode-textmate");
const { default: oniguruma } = await import("vscode-oniguruma");

await oniguruma.loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")));
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: patterns => new oniguruma.OnigScanner(patterns),
    createOnigString: text => new oniguruma.OnigString(text),
  }),
  loadGrammar: async () => textmate.parseRawGrammar(readFileSync(new URL("sow.tmLanguage.json", import.meta.url), "utf8"), "sow.tmLanguage.json"),
});
const grammar = await registry.loadGrammar("source.sow");

const out = {};
for (const [path, text] of Object.entries(JSON.parse(readFileSync(0, "utf8")))) {
  out[path] = [];
  let stack = textmate.INITIAL, offset = 0;
  for (const line of text.split("\n")) {
    const found = grammar.tokenizeLine(line, stack);
    stack = found.ruleStack;
    for (const { startIndex, endIndex, scopes } of found.tokens) {
      const stretch = line.slice(startIndex, endIndex).trimEnd();
      if (stretch.trim() === "") continue;
      const From = offset + Buffer.byteLength(line.slice(0, startIndex));
      out[path].push({ From, To: From + Buffer.byteLength(stretch), Scope: scopes.at(-1) });
    }
    offset += Buffer.byteLength(line) + 1;
  }
}
process.stdout.write(JSON.stringify(out));
