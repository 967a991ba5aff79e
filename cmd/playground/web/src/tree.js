// The moves that were tried in a game, as a tree. The line on the board is a way through it; a move in
// the middle of a line begins a branch, and nothing is overwritten.

import { button, el } from "./dom.js";

const node = (step, parent) => ({ move: step.move, label: step.label ?? "", player: step.player ?? "", parent, children: [], chosen: null });

export class Tree {
  #root = node({ move: "" }, null);

  // add makes a line part of the tree, and the line on the board.
  add(steps) {
    let at = this.#root;
    for (const step of steps) {
      let next = at.children.find(c => c.move === step.move);
      if (!next) at.children.push(next = node(step, at));
      at.chosen = next;
      at = next;
    }
  }

  // branches is whether there is more than one line.
  get branches() { return this.#any(n => n.children.length > 1); }

  // lines are all lines from the first move to their last one.
  get lines() {
    const list = [];
    this.#any(n => { if (n.children.length === 0 && n !== this.#root) list.push(way(n).map(m => m.move)); });
    return list;
  }

  #any(holds, n = this.#root) { return holds(n) || n.children.some(c => this.#any(holds, c)); }

  // remove takes away the last of some moves with all that follows it, and returns the line that is
  // left.
  remove(moves) {
    const at = this.#find(moves);
    if (!at.parent) return [];
    const { parent } = at;
    parent.children = parent.children.filter(c => c !== at);
    parent.chosen = parent.children[0] ?? null;
    return [...way(parent), ...onward(parent)].map(n => n.move);
  }

  // beside is the line above or below (by is -1 or 1) that begins in place of the last of some moves
  // or, if there is none, in place of an earlier one: all its moves, and how many of them are made.
  // It is null if there is no such line.
  beside(moves, by) {
    for (let n = this.#find(moves); n.parent; n = n.parent) {
      const other = n.parent.children[n.parent.children.indexOf(n) + by];
      if (other) return { moves: [...way(other), ...onward(other)].map(m => m.move), at: way(other).length };
    }
    return null;
  }

  // find is the node after some moves, as far as they are in the tree.
  #find(moves) {
    let at = this.#root;
    for (const move of moves) at = at.children.find(c => c.move === move) ?? at;
    return at;
  }

  // draw shows the tree. go gets a line and how many of its moves are made.
  draw(moves, at, go) {
    const here = this.#find(moves.slice(0, at)), list = el("div", { class: "history" });
    this.#line(list, this.#root, 0, here, new Set(onward(this.#root)), go);
    // One of the moves can be reached by Tab, the others from there by keys.
    (list.querySelector("[aria-current]") ?? list.querySelector("button"))?.setAttribute("tabindex", "0");
    return list;
  }

  // line draws a line from a node on, and after each move the branches that begin in its place.
  #line(list, from, depth, here, current, go) {
    let at = from;
    while (at.children.length > 0) {
      const [next, ...others] = at.children;
      list.append(this.#move(next, depth + 1, here, current, go));
      for (const other of others) {
        const branch = el("div", { class: "branch", role: "group", "aria-label": `Instead of move ${depth + 1}` }, this.#move(other, depth + 1, here, current, go));
        this.#line(branch, other, depth + 1, here, current, go);
        list.append(branch);
      }
      at = next;
      depth++;
    }
  }

  #move(n, depth, here, current, go) {
    const text = `${depth}. ${n.player ? `${n.player}: ` : ""}${n.move}${n.label ? ` ${n.label}` : ""}`;
    return button(text, () => {
      const line = [...way(n), ...onward(n)].map(m => m.move);
      go(line, depth);
    }, { tabindex: "-1", "aria-current": n === here && "step", class: current.has(n) ? "current" : "other", "data-key": current.has(n) ? `step ${depth - 1}` : `other ${depth - 1} ${n.move}` });
  }
}

// way is from the first move to a node.
function way(n) {
  const list = [];
  for (let at = n; at.parent; at = at.parent) list.unshift(at);
  return list;
}

// onward is what follows a node on the line that was last looked at.
function onward(n) {
  const list = [];
  for (let at = n.chosen ?? n.children[0]; at; at = at.chosen ?? at.children[0]) list.push(at);
  return list;
}
