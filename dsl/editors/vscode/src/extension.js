// The extension starts `mancheck lsp`, tells it the settings and whether the folder is trusted, and
// shows what its commands answer.

import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";
import { Answers } from "./answers.js";

const section = "mancheck";
let client;

export async function activate(context) {
  const answers = new Answers();
  context.subscriptions.push(
    answers,
    vscode.commands.registerCommand("mancheck.restart", () => restart(answers)),
    vscode.workspace.onDidGrantWorkspaceTrust(() => tell("mancheck/trust", { trusted: true })),
    vscode.workspace.onDidChangeConfiguration(e => {
      if (e.affectsConfiguration("mancheck.path")) return restart(answers);
      if (e.affectsConfiguration(section)) return tell("workspace/didChangeConfiguration", { settings: { [section]: settings() } });
    }),
  );
  await start(answers);
}

export async function deactivate() {
  const old = client;
  client = undefined;
  if (old?.needsStop()) await old.stop();
}

async function start(answers) {
  const command = program();
  client = new LanguageClient(section, "mancheck", { command, args: ["lsp"] }, {
    documentSelector: [{ scheme: "file", language: "sow" }, { scheme: "untitled", language: "sow" }],
    initializationOptions: () => ({ ...settings(), trusted: vscode.workspace.isTrusted }),
    middleware: {
      workspace: {
        configuration: async (params, token, next) => (await next(params, token)).map((value, i) => params.items[i].section === section ? settings() : value),
      },
      executeCommand: async (name, args, next) => {
        const about = answers.complete(name, args);
        return answers.show(name, about, await next(name, about));
      },
    },
  });
  try {
    await client.start();
  } catch (err) {
    if (await vscode.window.showErrorMessage(`mancheck: ${command} lsp does not start: ${err.message}`, "Settings") === "Settings") {
      vscode.commands.executeCommand("workbench.action.openSettings", "mancheck.path");
    }
  }
}

async function restart(answers) {
  await deactivate();
  await start(answers);
}

function tell(method, params) {
  if (client?.isRunning()) return client.sendNotification(method, params);
}

// program is what a user has set, and never what a folder has.
function program() {
  const path = vscode.workspace.getConfiguration(section).inspect("path");
  return path?.globalValue || path?.defaultValue || "mancheck";
}

// settings are all that the server knows of: one that is empty leaves the choice to it, also after
// another value.
function settings() {
  const set = vscode.workspace.getConfiguration(section);
  return Object.fromEntries(["solver", "timeout", "maxMemory", "threads", "allowImports", "decideOnSave"].map(name => [name, set.get(name)]));
}
