// Prints how large the playground is, as it is and compressed: node size.mjs FOLDER. It fails if what
// is loaded at first is too large for telephones.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const MOST = 3_000_000; // bytes, compressed by brotli
const later = name => name === "library.json" || name.startsWith("LICENSE"); // when it is asked for
const total = [0, 0, 0], first = [0, 0, 0];
const show = (name, sizes) => console.log(name.padEnd(16), ...sizes.map(n => n.toLocaleString("en").padStart(12)));
show("", ["plain", "gzip", "brotli"]);
for (const name of readdirSync(process.argv[2])) {
  const text = readFileSync(join(process.argv[2], name));
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
  const sizes = [text, gzipSync(text, { level: 9 }), brotliCompressSync(text, { params })].map(b => b.length);
  show(name, sizes);
  sizes.forEach((n, i) => { total[i] += n; first[i] += later(name) ? 0 : n; });
}
show("together", total);
show("at first", first);
if (first[2] > MOST) {
  console.error(`the playground loads more than ${MOST.toLocaleString("en")} bytes at first`);
  process.exitCode = 1;
}
