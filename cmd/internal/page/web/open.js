import { el } from "./dom.js";
import { Player } from "./player.js";
import { layoutFor, readTrace } from "./trace.js";

// openTraces lets a trace be chosen, dropped or pasted, and plays it.
export function openTraces({ boards, dots }) {
  const get = id => document.getElementById(id), box = get("player"), fault = get("trace-error");
  async function open(from) {
    fault.textContent = "";
    try {
      const trace = await readTrace(from);
      const player = new Player(dots, "", { trace, layout: layoutFor(trace, boards), first: "start" });
      get("trace-stage").replaceChildren(el("h3", {}, [trace.variant, trace.claim].filter(s => typeof s === "string" && s).join(": ") || "A trace"), player.element);
      player.element.focus();
    } catch (e) {
      fault.textContent = e.message;
    }
  }
  get("trace-open").addEventListener("click", () => open(get("trace-text").value));
  get("trace-file").addEventListener("change", e => e.target.files.length > 0 && open(e.target.files[0]));
  box.addEventListener("dragover", e => { e.preventDefault(); box.classList.add("over"); });
  box.addEventListener("dragleave", () => box.classList.remove("over"));
  box.addEventListener("drop", e => {
    e.preventDefault();
    box.classList.remove("over");
    const [file] = e.dataTransfer.files;
    if (file) open(file);
  });
}
