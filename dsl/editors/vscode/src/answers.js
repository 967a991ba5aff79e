// What commands are asked about, and what they answer.

import * as vscode from "vscode";

const scheme = "mancheck";

// Answers shows the texts that commands answer, as documents that cannot be changed.
export class Answers {
  #texts = new Map();
  #changed = new vscode.EventEmitter();
  #registration = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: this.#changed.event,
    provideTextDocumentContent: uri => this.#texts.get(uri.toString()) ?? "",
  });

  dispose() {
    this.#registration.dispose();
    this.#changed.dispose();
  }

  // complete are the arguments of a command. From the palette it has none: then it is about the file
  // in the editor, and the claim at the cursor.
  complete(command, args) {
    if (args?.length) return args;
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.languageId !== "sow") return [];
    const uri = editor.document.uri.toString();
    if (command === "mancheck.decideAll") return [uri];
    const name = claimAt(editor.document.getText(), editor.document.offsetAt(editor.selection.active));
    return name ? [uri, name] : [uri];
  }

  // show shows an answer beside the rules, and returns it. Markdown is shown as a page.
  async show(command, args, answer) {
    if (typeof answer !== "string" || answer === "") return answer;
    const markdown = command === "mancheck.explain" || /^(#|```)/m.test(answer);
    const subject = [...args.slice(1), command.replace(/^mancheck\./, "")].join(" ").replace(/[/?#]/g, "_");
    const uri = vscode.Uri.from({ scheme, path: `/${subject}.${markdown ? "md" : "txt"}` });
    this.#texts.set(uri.toString(), answer);
    this.#changed.fire(uri);
    if (markdown) {
      await vscode.commands.executeCommand("markdown.showPreviewToSide", uri);
    } else {
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true });
    }
    return answer;
  }
}

// claimAt is the name of the last claim that begins before a place.
export function claimAt(text, offset) {
  let end = text.indexOf("\n", offset);
  if (end < 0) end = text.length;
  let name;
  for (const m of text.slice(0, end).matchAll(/^[ \t]*claim[ \t]+([\p{L}\p{N}_]+)/gmu)) name = m[1];
  return name;
}
