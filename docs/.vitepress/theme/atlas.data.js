// What the atlas says of each game in a line.

import { readFileSync } from "node:fs";

const read = name => JSON.parse(readFileSync(new URL(`../../../bin/atlas/${name}`, import.meta.url), "utf8"));

export default {
  load() {
    const { facts } = read("atlas.json");
    return read("pages.json").map(({ params }) => {
      const of = facts.filter(f => f.game === params.game), played = of.filter(f => f.rules === "" && f.board === "");
      const is = claim => played.find(f => f.id === `${params.game}/${claim}`)?.answer ?? "";
      const winners = played.filter(f => /^reachable .* wins$/.test(f.question) && f.answer === "yes").map(f => f.question.split(" ")[1]);
      return { ...params, file: of[0].file, stuck: is("never_stuck"), ever: is("for_ever"), winners, facts: of.filter(f => f.answer !== "open").length, open: of.filter(f => f.answer === "open").length };
    });
  },
};
