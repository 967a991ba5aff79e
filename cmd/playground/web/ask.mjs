// Asks the tool under node, for tests: node ask.mjs PROGRAM. Questions come as lines of JSON, and so do
// the answers, each with what was told before.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { join } from "node:path";

const goroot = execFileSync(process.env.GO ?? "go", ["env", "GOROOT"], { encoding: "utf8" }).trim();
createRequire(import.meta.url)(join(goroot, "lib/wasm/wasm_exec.js"));

const go = new Go(), ready = new Promise(resolve => { globalThis.ready = resolve; });
const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), go.importObject);
go.run(instance);
await ready;
for await (const question of createInterface({ input: process.stdin })) {
  const told = [];
  const answer = await new Promise(resolve => mancheck.ask(question, part => told.push(JSON.parse(part)), resolve));
  const line = `${JSON.stringify({ told, answer: JSON.parse(answer) })}\n`;
  await new Promise(resolve => process.stdout.write(line, resolve));
}
process.exit(0);
