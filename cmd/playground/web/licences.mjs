// The licences of the packages that went into a bundle.

import { readFileSync, readdirSync } from "node:fs";

// licences returns the texts for the packages that a metafile of esbuild names. It throws if one has no text, or if
// its licence is none of those that are allowed.
export function licences(metafile, allowed) {
  const folders = new Set();
  for (const input of Object.keys(metafile.inputs)) {
    const inside = /^(.*node_modules\/(?:@[^/]+\/)?[^/.][^/]*)\//.exec(input);
    if (inside) folders.add(inside[1]);
  }
  return [...folders].sort().map(folder => {
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
    if (!license || !allowed.includes(license)) throw new Error(`${name}: the licence ${license} is not among those that are allowed`);
    const texts = readdirSync(folder).filter(file => /^(licen[cs]e|copying|notice)/i.test(file)).sort();
    if (texts.length === 0) throw new Error(`${name}: there is no text of its licence`);
    const title = `${name} ${version}`;
    return [title, "=".repeat(title.length), ...texts.map(file => readFileSync(`${folder}/${file}`, "utf8").trim()), "", ""].join("\n");
  }).join("\n");
}
