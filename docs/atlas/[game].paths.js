// The pages of the atlas, as scripts/atlas writes them.

import { readFileSync } from "node:fs";

const pages = new URL("../../bin/atlas/pages.json", import.meta.url);

export default { watch: [pages.pathname], paths: () => JSON.parse(readFileSync(pages, "utf8")) };
