import { Against } from "./against.js";
import { followMenu } from "./menu.js";
import { openTraces } from "./open.js";
import { Player } from "./player.js";
import { layoutFor } from "./trace.js";

export const data = JSON.parse(document.getElementById("data").textContent), players = new Map(); // by the id of their section

for (const section of document.querySelectorAll(".play")) {
  const list = section.querySelector(".moves"), firsts = section.querySelectorAll(".stephead"), names = section.querySelectorAll(".rows .side");
  const sides = section.dataset.plays.split(" ").map((no, i) => ({
    ...data.plays[no], layout: layoutFor(data.plays[no].trace, data.boards), first: firsts[i].textContent.trim(), name: names[i]?.dataset.name ?? "",
  }));
  const player = new Player(data.dots, section.id, ...sides);
  players.set(section.id, player);
  section.querySelector("h3, h4").after(player.element);
  list.open = false;
}
for (const box of document.querySelectorAll("[data-game]")) {
  const game = data.games[box.dataset.game];
  box.append(new Against(game, data.boards[game.board], data.dots).element);
  box.parentElement.querySelector(".moves").open = false;
}
document.documentElement.classList.add("scripted");
for (const e of document.querySelectorAll(".js")) e.hidden = false;
for (const b of document.querySelectorAll("[data-tree]")) b.addEventListener("click", () => {
  for (const d of b.closest(".treebox").querySelectorAll("details")) d.open = b.dataset.tree === "open";
});
openTraces(data);
followMenu();

// A link into a branch that is closed opens it, and one to a state of a play shows that.
function reveal() {
  const [, id, at] = /^#(.*?)(?:\.(\d+))?$/.exec(location.hash) ?? [];
  const there = document.getElementById(id);
  if (!there) return;
  for (let e = there; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
  if (at) players.get(id)?.show(Number(at));
  there.scrollIntoView();
}
addEventListener("hashchange", reveal);
reveal();

// What scrolls sideways can be scrolled by keys.
let due = 0;
function reach() {
  cancelAnimationFrame(due);
  due = requestAnimationFrame(() => {
    // What is closed has no layout, and is not given one for this.
    const boxes = [...document.querySelectorAll(":is(.scroll, .panel, pre.code):not(details:not([open]) *)")].map(e => [e, e.scrollWidth > e.clientWidth]);
    for (const [e, scrolls] of boxes) {
      if (scrolls) e.tabIndex = 0;
      else e.removeAttribute("tabindex");
    }
  });
}
addEventListener("resize", reach);
document.addEventListener("toggle", reach, true);
reach();

// On paper everything is open, and afterwards what was closed is closed again.
let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details:not([open])")];
  for (const d of opened) d.open = true;
});
addEventListener("afterprint", () => { for (const d of opened) d.open = false; });
