// Bundles the extension into dist, and copies what lies elsewhere in the repository.

import { build } from "esbuild";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { licences } from "../../../cmd/playground/web/licences.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
mkdirSync(join(here, "dist"), { recursive: true });
const { metafile } = await build({
  entryPoints: [join(here, "src/extension.js")], outfile: join(here, "dist/extension.js"),
  metafile: true, bundle: true, minify: true, platform: "node", format: "cjs", target: "node18", external: ["vscode"], legalComments: "eof", logLevel: "warning",
});
copyFileSync(join(here, "../textmate/sow.tmLanguage.json"), join(here, "dist/sow.tmLanguage.json"));
copyFileSync(join(here, "../../../LICENSE"), join(here, "LICENSE"));
const allowed = readFileSync(join(here, "../../../scripts/allowed-licences"), "utf8").split("\n");
writeFileSync(join(here, "dist/LICENSES-npm.txt"), licences(metafile, allowed));
