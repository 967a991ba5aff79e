import { el, player } from "./player.js";
import { layoutFor, readTrace } from "./trace.js";

const data = JSON.parse(document.getElementById("data").textContent);
const side = trace => ({ trace, layout: layoutFor(trace, data.boards), first: "start", name: "", differ: [], ending: "" });

for (const section of document.querySelectorAll(".play")) {
  const list = section.querySelector(".moves");
  const firsts = section.querySelectorAll(".stephead"), names = section.querySelectorAll(".twoheads .sidename");
  const { play, other } = section.dataset;
  const sides = [play, other].filter(no => no).map((no, i) => ({
    ...side(data.plays[no]), first: firsts[i].textContent.trim(), name: names[i]?.textContent ?? "",
    differ: data.differ[no] ?? [], ending: data.ending[no],
  }));
  section.insertBefore(player(data.dots, ...sides), list);
  list.open = false;
}
for (const e of document.querySelectorAll(".js, .treebuttons")) e.hidden = false;
for (const b of document.querySelectorAll("[data-tree]")) b.addEventListener("click", () => {
  for (const d of b.closest(".treebox").querySelectorAll("details")) d.open = b.dataset.tree === "open";
});

// A link into a branch that is closed opens it.
function reveal() {
  const there = document.getElementById(location.hash.slice(1));
  for (let e = there; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
  if (there) there.scrollIntoView();
}
addEventListener("hashchange", reveal);
if (location.hash) reveal();

// On paper everything is open, and afterwards what was closed is closed again.
let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details:not([open])")];
  for (const d of opened) d.open = true;
});
addEventListener("afterprint", () => { for (const d of opened) d.open = false; });

const error = document.getElementById("trace-error"), box = document.getElementById("player");
function open(text) {
  error.textContent = "";
  try {
    const trace = readTrace(text), p = player(data.dots, side(trace));
    document.getElementById("trace-stage").replaceChildren(el("h3", {}, `${trace.variant || ""} ${trace.claim || ""}`), p);
    p.focus();
  } catch (e) {
    error.textContent = e.message;
  }
}
const read = file => file && file.text().then(open, () => { error.textContent = "The file cannot be read."; });
document.getElementById("trace-open").addEventListener("click", () => open(document.getElementById("trace-text").value));
document.getElementById("trace-file").addEventListener("change", e => read(e.target.files[0]));
box.addEventListener("dragover", e => { e.preventDefault(); box.classList.add("over"); });
box.addEventListener("dragleave", () => box.classList.remove("over"));
box.addEventListener("drop", e => {
  e.preventDefault();
  box.classList.remove("over");
  read(e.dataTransfer.files[0]);
});
