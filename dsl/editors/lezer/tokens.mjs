// Reads {path: text} as JSON from standard input, and writes {path: [{From, To, Node}, …]}: the
// leaves of the tree of each text, by bytes of UTF-8. The parser lies in the folder that build.mjs
// wrote it to: node tokens.mjs FOLDER.

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const { parser } = await import(pathToFileURL(join(resolve(process.argv[2]), "sow.js")));

const out = {};
for (const [path, text] of Object.entries(JSON.parse(readFileSync(0, "utf8")))) {
  const leaves = out[path] = [];
  let at = 0, bytes = 0;
  const offset = to => {
    bytes += Buffer.byteLength(text.slice(at, to));
    at = to;
    return bytes;
  };
  parser.parse(text).iterate({
    enter({ node, name, from, to, type }) {
      if (type.isError) leaves.push({ From: offset(from), To: offset(from), Node: "error" });
      else if (!node.firstChild && to > from) leaves.push({ From: offset(from), To: offset(from + text.slice(from, to).trimEnd().length), Node: name });
    },
  });
}
process.stdout.write(JSON.stringify(out));
