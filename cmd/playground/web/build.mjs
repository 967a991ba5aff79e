// Puts the playground together: node build.mjs FOLDER. The program is there already, as mancheck.wasm.

import { build } from "esbuild";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { licences } from "./licences.mjs";

const here = dirname(fileURLToPath(import.meta.url)), root = join(here, "../../.."), to = process.argv[2];
const goroot = execFileSync(process.env.GO ?? "go", ["env", "GOROOT"], { encoding: "utf8" }).trim();
const drawing = join(root, "rules/drawing");

mkdirSync(to, { recursive: true });

// The parser of the editor lies beside the packages that it imports.
const parser = join(here, "node_modules/.sow");
execFileSync(process.execPath, [join(root, "dsl/editors/lezer/build.mjs"), parser], { cwd: here, stdio: "inherit" });

const { metafile } = await build({
  entryPoints: { app: join(here, "src/main.js"), worker: join(here, "src/worker.js") }, outdir: to,
  metafile: true, bundle: true, minify: true, format: "esm", target: "es2022", legalComments: "eof", logLevel: "warning",
  loader: { ".sow": "text" },
  alias: {
    board: join(drawing, "board.js"), sow: join(parser, "sow.js"),
    wasm_exec: join(goroot, "lib/wasm/wasm_exec.js"),
  },
});
await build({
  stdin: { contents: `@import "${join(drawing, "board.css")}"; @import "${join(here, "src/style.css")}";`, loader: "css", resolveDir: here },
  bundle: true, minify: true, outfile: join(to, "style.css"), logLevel: "warning",
});
writeFileSync(join(to, "LICENSES-npm.txt"), licences(metafile, readFileSync(join(root, "scripts/allowed-licences"), "utf8").split("\n")));
copyFileSync(join(root, "LICENSE"), join(to, "LICENSE"));
for (const name of ["index.html", "icon.svg"]) copyFileSync(join(here, "src", name), join(to, name));

const files = {};
for (const dir of ["examples", "examples/family", "proofs"]) {
  for (const name of readdirSync(join(root, dir)).filter(n => /\.(sow|csv)$/.test(n))) files[`${dir}/${name}`] = readFileSync(join(root, dir, name), "utf8");
}
// Students get an exercise without what is secret in it. The first line has its number.
const maker = join(here, "node_modules/.exercise");
execFileSync(process.env.GO ?? "go", ["build", "-o", maker, "./scripts/exercise"], { cwd: root, stdio: "inherit" });
const exercises = readdirSync(join(root, "docs/exercises")).filter(n => n.endsWith(".sow")).map(name => {
  const path = `docs/exercises/${name}`;
  return [path, execFileSync(maker, ["make", path], { cwd: root, encoding: "utf8" })];
});
Object.assign(files, Object.fromEntries(exercises.sort(([, a], [, b]) => a < b ? -1 : 1)));
writeFileSync(join(to, "library.json"), JSON.stringify(files));
