// A session with the language server by the protocol library of VS Code. It asks for every feature
// once, and fails where an answer is not what the protocol's types and the rules file demand.
//
//   node session.mjs MANCHECK

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  createProtocolConnection, StreamMessageReader, StreamMessageWriter,
  InitializeRequest, InitializedNotification, ShutdownRequest, ExitNotification,
  DidChangeConfigurationNotification, DidOpenTextDocumentNotification, DidSaveTextDocumentNotification, DidChangeTextDocumentNotification, PublishDiagnosticsNotification,
  HoverRequest, CompletionRequest, DefinitionRequest, ReferencesRequest, DocumentHighlightRequest, PrepareRenameRequest, RenameRequest,
  DocumentSymbolRequest, WorkspaceSymbolRequest, DocumentFormattingRequest, DocumentRangeFormattingRequest, FoldingRangeRequest,
  SemanticTokensRequest, InlayHintRequest, CodeActionRequest, CodeLensRequest, ExecuteCommandRequest,
  WorkDoneProgressCreateRequest, CodeLensRefreshRequest, RegistrationRequest, LSPErrorCodes, CancellationTokenSource,
} from "vscode-languageserver-protocol/node";

const folder = mkdtempSync(join(tmpdir(), "mancheck-session-"));
const text = `variant Ring {
  param m = 3 in 1..6
  board {
    hole[1..m]
    ring round = hole[1..m]
  }
  setup { each hole = 1 }
  move step {
    choose p in hole where p > 0
    sow p along round
    if last > 2 { win big }
  }
}

claim wins {
  reachable big
}

claim long {
  invariant total(hole) = m
}
`;
writeFileSync(join(folder, "ring.sow"), text);
const uri = pathToFileURL(join(folder, "ring.sow")).href;
const textDocument = { uri };

const server = spawn(process.argv[2], ["lsp"], { stdio: ["pipe", "pipe", "inherit"], env: { ...process.env, MANCHECK_CACHE: join(folder, "cache") } });
const connection = createProtocolConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
const published = [];
let waiting = [];
connection.onNotification(PublishDiagnosticsNotification.type, (p) => {
  published.push(p);
  waiting = waiting.filter((w) => !w(p));
});
const progress = [];
connection.onNotification("$/progress", (p) => progress.push(p.value.kind));
connection.onRequest(WorkDoneProgressCreateRequest.type, () => {});
connection.onRequest(CodeLensRefreshRequest.type, () => {});
connection.onRequest(RegistrationRequest.type, () => {});
connection.listen();

// diagnostics waits for those of a version.
const diagnostics = (version) => new Promise((resolve) => {
  const fits = (p) => {
    if (p.uri !== uri || p.version !== version) return false;
    resolve(p.diagnostics);
    return true;
  };
  if (!published.some(fits)) waiting.push(fits);
});

// at is the position of the mark ^ in a part of the text.
function at(marked) {
  const offset = text.indexOf(marked.replace("^", ""));
  assert.notEqual(offset, -1, marked);
  const before = text.slice(0, offset + marked.indexOf("^")).split("\n");
  return { line: before.length - 1, character: before.at(-1).length };
}

const all = { start: { line: 0, character: 0 }, end: { line: 100, character: 0 } };
const tests = [];
const test = (name, body) => tests.push([name, body]);

test("initialize", async () => {
  const result = await connection.sendRequest(InitializeRequest.type, {
    processId: process.pid, rootUri: null, workspaceFolders: [{ uri: pathToFileURL(folder).href, name: "session" }],
    initializationOptions: { trusted: false },
    capabilities: {
      window: { workDoneProgress: true }, workspace: { codeLens: { refreshSupport: true }, didChangeWatchedFiles: { dynamicRegistration: true } },
    },
  });
  assert.equal(result.capabilities.positionEncoding, "utf-16");
  assert.equal(result.capabilities.textDocumentSync.change, 2);
  await connection.sendNotification(InitializedNotification.type, {});
});

test("diagnostics", async () => {
  await connection.sendNotification(DidOpenTextDocumentNotification.type, { textDocument: { uri, languageId: "sow", version: 1, text: text.replace("along round", "along ruond") } });
  const [d] = await diagnostics(1);
  assert.equal(d.code, "R001");
  assert.match(d.message, /did you mean `round`/);
  const start = at("along ^round");
  await connection.sendNotification(DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version: 2 }, contentChanges: [{ range: { start, end: { line: start.line, character: start.character + 5 } }, text: "round" }],
  });
  assert.deepEqual(await diagnostics(2), []);
});

test("hover", async () => {
  const h = await connection.sendRequest(HoverRequest.type, { textDocument, position: at("variant ^Ring") });
  assert.match(h.contents.value, /ring round = hole\[1\.\.3\]/);
});

test("completion", async () => {
  const list = await connection.sendRequest(CompletionRequest.type, { textDocument, position: at("along ^round") });
  assert.ok(list.items.some((i) => i.label === "round"));
  assert.ok(!list.items.some((i) => i.label === "claim"));
});

test("definition", async () => {
  const [l] = await connection.sendRequest(DefinitionRequest.type, { textDocument, position: at("along ^round") });
  assert.deepEqual(l.range.start, at("ring ^round"));
});

test("references and highlights", async () => {
  const position = at("win ^big");
  const list = await connection.sendRequest(ReferencesRequest.type, { textDocument, position, context: { includeDeclaration: false } });
  assert.deepEqual(list.map((l) => l.range.start), [at("reachable ^big")]);
  assert.equal((await connection.sendRequest(DocumentHighlightRequest.type, { textDocument, position })).length, 2);
});

test("rename", async () => {
  const position = at("along ^round");
  assert.equal((await connection.sendRequest(PrepareRenameRequest.type, { textDocument, position })).placeholder, "round");
  const edit = await connection.sendRequest(RenameRequest.type, { textDocument, position, newName: "circle" });
  assert.equal(edit.changes[uri].length, 2);
  await assert.rejects(connection.sendRequest(RenameRequest.type, { textDocument, position, newName: "hole" }), /cannot be the name/);
});

test("symbols", async () => {
  const list = await connection.sendRequest(DocumentSymbolRequest.type, { textDocument });
  assert.deepEqual(list.map((s) => s.name), ["Ring", "wins", "long"]);
  const found = await connection.sendRequest(WorkspaceSymbolRequest.type, { query: "ring" });
  assert.deepEqual(found.map((s) => s.name), ["Ring"]);
});

test("formatting", async () => {
  const options = { tabSize: 2, insertSpaces: true };
  assert.deepEqual(await connection.sendRequest(DocumentFormattingRequest.type, { textDocument, options }), []);
  assert.deepEqual(await connection.sendRequest(DocumentRangeFormattingRequest.type, { textDocument, range: all, options }), []);
});

test("folding, tokens and hints", async () => {
  assert.ok((await connection.sendRequest(FoldingRangeRequest.type, { textDocument })).some((f) => f.startLine === 0 && f.endLine === 11));
  assert.ok((await connection.sendRequest(SemanticTokensRequest.type, { textDocument })).data.length > 100);
  const hints = await connection.sendRequest(InlayHintRequest.type, { textDocument, range: all });
  assert.deepEqual(hints.map((h) => h.label), ["house"]);
});

test("code actions", async () => {
  assert.deepEqual(await connection.sendRequest(CodeActionRequest.type, { textDocument, range: all, context: { diagnostics: [] } }), []);
});

test("code lenses and commands", async () => {
  const titles = async (claim) => (await connection.sendRequest(CodeLensRequest.type, { textDocument })).filter((l) => l.command.arguments[1] === claim).map((l) => l.command.title);
  assert.deepEqual(await titles("wins"), ["decide"]);
  const run = (command, ...args) => connection.sendRequest(ExecuteCommandRequest.type, { command, arguments: args });
  assert.match(await run("mancheck.decide", uri, "wins"), /✓ proved/);
  const after = await titles("wins");
  assert.match(after[0], /^✓ proved · /);
  assert.deepEqual(after.slice(1), ["show the play", "explain"]);
  assert.match(await run("mancheck.trace", uri, "wins"), /over: big \(win\)/);
  assert.match(await run("mancheck.explain", uri, "wins"), /\*\*Proved\.\*\*/);
  assert.match(await run("mancheck.decideAll", uri), /✓ proved +long/);
  assert.deepEqual(progress.filter((k) => k === "begin").length, progress.filter((k) => k === "end").length);
  assert.ok(progress.includes("begin"));
});

test("a request that is cancelled", async () => {
  const source = new CancellationTokenSource();
  const answer = connection.sendRequest(ExecuteCommandRequest.type, { command: "mancheck.decide", arguments: [uri, "long"] }, source.token);
  source.cancel();
  await answer.catch((e) => assert.equal(e.code, LSPErrorCodes.RequestCancelled));
});

test("hostile settings", async () => {
  const program = join(folder, "evil.sh"), ran = join(folder, "ran"), kept = pathToFileURL(join(folder, "kept.sow")).href;
  writeFileSync(program, `#!/bin/sh\n: > '${ran}'\nexit 1\n`, { mode: 0o755 });
  const claim = "claim kept {\n  invariant total(hole) = m\n  using induction\n}\n";
  await connection.sendNotification(DidOpenTextDocumentNotification.type, { textDocument: { uri: kept, languageId: "sow", version: 1, text: text + claim } });
  const decide = () => connection.sendRequest(ExecuteCommandRequest.type, { command: "mancheck.decide", arguments: [kept, "kept"] });
  const hostile = { trusted: true, decideOnSave: true, solver: program };
  for (const settings of [hostile, { mancheck: hostile }]) {
    await connection.sendNotification(DidChangeConfigurationNotification.type, { settings });
    await connection.sendNotification("mancheck/trust", {});
    await connection.sendNotification(DidSaveTextDocumentNotification.type, { textDocument: { uri: kept } });
    await decide();
    assert.ok(!existsSync(ran));
  }
  await connection.sendNotification("mancheck/trust", { trusted: true });
  await decide();
  assert.ok(existsSync(ran));
});

test("shutdown", async () => {
  await connection.sendRequest(ShutdownRequest.type);
  const status = new Promise((resolve) => server.on("exit", resolve));
  await connection.sendNotification(ExitNotification.type);
  assert.equal(await status, 0);
});

for (const [name, body] of tests) {
  try {
    await body();
    console.log(`ok    ${name}`);
  } catch (e) {
    console.error(`FAIL  ${name}\n`, e);
    server.kill();
    process.exit(1);
  }
}
process.exit(0);
