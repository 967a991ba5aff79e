// Makes the parser: node build.mjs FOLDER writes it there, with what it imports. The generator is the
// one of the folder in which this is run.

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const { buildParserFile } = createRequire(join(process.cwd(), "here"))("@lezer/generator");
const here = fileURLToPath(new URL(".", import.meta.url)), to = process.argv[2];
const { parser, terms } = buildParserFile(readFileSync(join(here, "sow.grammar"), "utf8"), {
  fileName: "sow.grammar",
  warn: text => { throw new Error(text); },
});
mkdirSync(to, { recursive: true });
writeFileSync(join(to, "sow.js"), parser);
writeFileSync(join(to, "sow.terms.js"), terms);
for (const name of ["words.js", "colours.js"]) copyFileSync(join(here, name), join(to, name));
