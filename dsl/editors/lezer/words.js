// Words that mean something at their places. Those that are names as often are not here.

import { Word, ClauseWord } from "./sow.terms.js";

const words = new Set(("along facing greatest group language least line loses map no of owner pass relay reverse ring skip strategy " +
  "takes then was wins with").split(" "));

const clauses = new Set(("after all ancestors anything bound can count counts equivalent ever every expect file finished following force " +
  "gives ignoring invariant is long never notation over plays predecessors proved reachable refines refuted result reverses scored starting starts " +
  "states stuck successors terminates unique unreachable using value wherever winnable winner winning within").split(" "));

// word is the term for an identifier in the state of the parser, or -1 for a name.
export function word(text, stack) {
  if (words.has(text)) return stack.canShift(Word) ? Word : -1;
  return clauses.has(text) && stack.canShift(ClauseWord) ? ClauseWord : -1;
}
