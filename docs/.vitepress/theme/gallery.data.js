// The games, as scripts/gallery lists them.

import { readFileSync } from "node:fs";

const list = new URL("../../../bin/gallery/games.json", import.meta.url);

export default {
  watch: [list.pathname],
  load: () => JSON.parse(readFileSync(list, "utf8")),
};
