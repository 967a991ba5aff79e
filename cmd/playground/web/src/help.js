// What a newcomer has to know, and where more is written.

import { button, el } from "./dom.js";

const DOCS = "https://github.com/mancheck/mancheck/blob/main/docs/";
const pages = [
  ["tutorial.md", "Tutorial", "a game from its first line to proved claims"],
  ["language.md", "Language", "all words of the rules and claims"],
  ["cookbook.md", "Cookbook", "rules that many games share"],
  ["diagnostics.md", "Mistakes", "what each message means"],
  ["playground.md", "Playground", "what is decided here, and how"],
];
const keys = [
  ["Tab", "to the board, and out of the editor after Escape"], ["← ↑ → ↓", "on the board: from pit to pit"], ["Enter", "plays the pit"],
  ["← → Home End", "elsewhere beside the board, as in the list of moves: step through a play"], ["↑ ↓", "there: to the branch above or below"], ["Shift+arrow", "the same, also on the board"],
  ["Delete", "removes a move of a branch, and those after it"], ["Ctrl+Space", "what may stand here in the rules"], ["F1", "what the word at the cursor means"], ["Ctrl+Z", "undoes changes of the rules, in this file only"],
];

// help shows the guide in a dialog.
export function help(dialog) {
  dialog.replaceChildren(
    el("div", { class: "line" }, el("h2", { id: "guide-title" }, "Help"), el("span", { class: "spring" }), button("Close", () => dialog.close())),
    el("ol", { class: "steps" },
      el("li", {}, "Open one of the examples, or begin with ", el("b", {}, "New"), ". Mistakes in the rules are counted above them: click the number to read about them."),
      el("li", {}, "Play on the board: click a ringed pit."),
      el("li", {}, "Decide a claim. It is proved, or refuted by a play that you can step through, or unknown with the reason."),
      el("li", {}, "Change a rule. ", el("b", {}, "Coverage"), " marks what no play comes to; ", el("b", {}, "Compare"), " shows the first play in which the change matters.")),
    el("h3", {}, "Keys"), el("dl", { class: "keys" }, keys.map(([key, what]) => [el("dt", {}, key), el("dd", {}, what)]).flat()),
    el("h3", {}, "Documents"),
    el("ul", { class: "documents" }, pages.map(([file, name, about]) => el("li", {}, el("a", { href: DOCS + file, target: "_blank", rel: "noopener" }, name), `: ${about}`))));
  dialog.showModal();
}
