// Runs the extension with a stand-in for VS Code and one for the server, and writes as JSON what
// the server heard and what was shown: node test.mjs TRUSTED.

import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import "./build.mjs";

const trusted = process.argv[2] === "true";
const folder = mkdtempSync(join(tmpdir(), "mancheck-")), log = join(folder, "heard");
const program = join(folder, "mancheck");

// The server notes what it hears. Its commands answer what they are asked, or null to decideAll.
writeFileSync(program, `#!${process.execPath}
const { appendFileSync } = require("fs");
const note = heard => appendFileSync(${JSON.stringify(log)}, JSON.stringify(heard) + "\\n");
note({ args: process.argv.slice(2) });
const say = message => {
  const text = JSON.stringify({ jsonrpc: "2.0", ...message });
  process.stdout.write("Content-Length: " + Buffer.byteLength(text) + "\\r\\n\\r\\n" + text);
};
let buffer = Buffer.alloc(0);
process.stdin.on("data", data => {
  buffer = Buffer.concat([buffer, data]);
  for (;;) {
    const head = buffer.indexOf("\\r\\n\\r\\n");
    if (head < 0) return;
    const length = Number(/content-length: (\\d+)/i.exec(buffer.subarray(0, head))[1]);
    if (buffer.length < head + 4 + length) return;
    const { id, method, params } = JSON.parse(buffer.subarray(head + 4, head + 4 + length));
    buffer = buffer.subarray(head + 4 + length);
    note({ method, params });
    if (method === "initialize") {
      const commands = ["decide", "decideAll", "trace", "explain"].map(name => "mancheck." + name);
      say({ id, result: { capabilities: { executeCommandProvider: { commands } } } });
    } else if (method === "workspace/executeCommand") {
      say({ id, result: params.command === "mancheck.decideAll" ? null : params.command === "mancheck.explain" ? "**Proved.** " + params.arguments[1] : "played" });
    } else if (method === "exit") process.exit(0);
    else if (id !== undefined && method) say({ id, result: null });
  }
});
`);
chmodSync(program, 0o755);

// What the extension needs of VS Code. All else is a function whose answers can be disposed of.
const shown = [], commands = {}, granted = [], texts = {};
const settings = { solver: "cvc5", timeout: "", maxMemory: "", threads: 0, allowImports: [], decideOnSave: false };
const nothing = () => ({ dispose() {} });
const open = members => new Proxy(members, { get: (has, name) => name in has ? has[name] : typeof name === "string" && /^[A-Z]/.test(name) ? class {} : nothing });
class Uri {
  constructor(text) { this.text = text; }
  static parse(text) { return new Uri(text); }
  static file(path) { return new Uri("file://" + path); }
  static from({ scheme, path }) { return new Uri(scheme + ":" + path); }
  toString() { return this.text; }
}
class EventEmitter {
  #listeners = [];
  event = f => (this.#listeners.push(f), { dispose() {} });
  fire(e) { this.#listeners.forEach(f => f(e)); }
  dispose() {}
}
const text = "claim first {\n  never stuck\n}\n\nclaim second { terminates }\n";
const vscode = open({
  Uri, EventEmitter, version: "1.90.0", ViewColumn: { Beside: -2 }, env: open({ language: "en", appName: "test", appHost: "desktop" }),
  CancellationTokenSource: class { token = { isCancellationRequested: false, onCancellationRequested: nothing }; cancel() {} dispose() {} },
  workspace: open({
    isTrusted: trusted, workspaceFolders: undefined, textDocuments: [], notebookDocuments: [],
    getConfiguration: () => ({ get: (name, otherwise) => settings[name] ?? otherwise, inspect: () => ({ globalValue: program, workspaceValue: "/no/such/program" }) }),
    onDidGrantWorkspaceTrust: f => (granted.push(f), { dispose() {} }),
    registerTextDocumentContentProvider: (scheme, provider) => (texts[scheme] = provider, { dispose() {} }),
    openTextDocument: async uri => ({ uri }),
  }),
  window: open({
    createOutputChannel: () => open({ append() {}, appendLine() {} }),
    showErrorMessage: async message => { shown.push({ error: message }); },
    showTextDocument: async ({ uri }) => { shown.push({ uri: uri.toString(), text: texts.mancheck.provideTextDocumentContent(uri) }); },
    activeTextEditor: {
      document: { languageId: "sow", uri: new Uri("file:///game.sow"), getText: () => text, offsetAt: () => text.indexOf("terminates") },
      selection: { active: {} },
    },
    visibleTextEditors: [], tabGroups: open({ all: [] }),
  }),
  languages: open({ match: () => 0, createDiagnosticCollection: () => open({}) }),
  commands: open({
    registerCommand: (name, f) => (commands[name] = f, { dispose() { delete commands[name]; } }),
    executeCommand: async (name, uri) => { shown.push({ command: name, uri: uri.toString(), text: texts.mancheck.provideTextDocumentContent(uri) }); },
  }),
  extensions: open({ all: [] }),
});

const load = Module._load;
Module._load = (name, ...rest) => name === "vscode" ? vscode : load(name, ...rest);
const extension = createRequire(import.meta.url)("./dist/extension.js");
const context = { subscriptions: [] };
try {
  await extension.activate(context);
  await commands["mancheck.explain"]("file:///game.sow", "thesis");
  await commands["mancheck.trace"]("file:///game.sow", "thesis");
  await commands["mancheck.decide"]();
  await commands["mancheck.decideAll"]();
  if (!trusted) {
    vscode.workspace.isTrusted = true;
    for (const f of granted) await f();
  }
  await extension.deactivate();
  process.stdout.write(JSON.stringify({ Heard: readFileSync(log, "utf8").trim().split("\n").map(line => JSON.parse(line)), Shown: shown, Program: program }));
} finally {
  rmSync(folder, { recursive: true });
}
