// The files that come with the playground. They are loaded when they are first needed.

import { button, el } from "./dom.js";

let loading = null;

// examples loads the files, by path, once.
export function examples() {
  loading ??= fetch("library.json").then(reply => {
    if (!reply.ok) throw new Error(`the examples cannot be loaded: ${reply.status}`);
    return reply.json();
  });
  loading.catch(() => { loading = null; }); // another time it may work
  return loading;
}

const groups = [["examples/", "Examples"], ["docs/exercises/", "Exercises"], ["proofs/", "Proofs: documents, claim by claim"], ["examples/family/", "The family"]];

const folder = path => path.slice(0, path.lastIndexOf("/") + 1);
const name = path => path.slice(path.lastIndexOf("/") + 1).replace(/\.sow$/, "").replaceAll("_", " ");

// about is the first line of comment of a file.
const about = text => /^\/\/ ?(.*)/m.exec(text.split(/^(?:variant|claim)/m)[0])?.[1] ?? "";

// shown are files with a game or a claim; others are for these to import.
const shown = text => /^(?:variant|claim)\b/m.test(text);

// choose shows the files in a dialog, and hands over the one that is chosen.
export async function choose(dialog, chosen) {
  const files = await examples();
  const filter = el("input", { type: "text", placeholder: "Filter by name", "aria-label": "Filter by name" });
  const entry = path => el("li", { "data-name": name(path) },
    el("button", { type: "button", onclick: () => { dialog.close(); chosen(path, files[path]); } }, name(path), el("small", {}, about(files[path]))));
  const lists = groups.map(([prefix, heading]) => el("div", {}, el("h3", {}, heading),
    el("ul", { class: "files" }, Object.keys(files).filter(path => folder(path) === prefix && shown(files[path])).map(entry))));
  filter.addEventListener("input", () => {
    for (const list of lists) {
      let any = false;
      for (const li of list.querySelectorAll("li")) {
        li.hidden = !li.dataset.name.includes(filter.value.trim().toLowerCase());
        any ||= !li.hidden;
      }
      list.hidden = !any;
    }
  });
  dialog.replaceChildren(el("div", { class: "line" }, el("h2", { id: "library-title" }, "Examples"), el("span", { class: "spring" }),
    button("Close", () => dialog.close())), filter, ...lists);
  dialog.showModal();
}
