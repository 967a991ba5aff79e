// How the documents are read: links that leave docs go to the repository, and code has its language.

import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url)), docs = join(root, "docs");
const home = "https://github.com/mancheck/mancheck";

// documents are the pages, without their endings.
export const documents = readdirSync(docs).filter(name => name.endsWith(".md")).map(name => name.slice(0, -3));

// target is where a link leads. The tour is the README of the repository.
function target(href, page) {
  if (/^[a-z]+:|^#|^\//i.test(href)) return href;
  const [path, anchor] = href.split("#"), from = page === "tour.md" ? root : dirname(join(docs, page));
  const file = join(from, decodeURI(path)), behind = anchor ? `#${anchor}` : "";
  if (!existsSync(file)) throw new Error(`${page}: ${href} leads nowhere`);
  if (file === join(root, "README.md")) return `./tour.md${behind}`;
  if (dirname(file) === docs && file.endsWith(".md")) return `./${relative(docs, file)}${behind}`;
  return `${home}/${statSync(file).isDirectory() ? "tree" : "blob"}/main/${relative(root, file)}${behind}`;
}

// slug is the anchor of a heading as GitHub makes it.
export const slug = text => text.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-");

// language is that of code without a fence.
function language(code, page) {
  if (page === "language.md" || /^(?:claim|variant|position|strategy|define|import|board)\b/m.test(code)) return "sow";
  return /^(?:make|mancheck|git|go|npm|cd|scripts\/)\b/m.test(code) ? "sh" : "txt";
}

// repository changes what is read before the pages are made of it.
export function repository(md) {
  md.core.ruler.push("repository", state => {
    const page = state.env.relativePath;
    for (const [i, token] of state.tokens.entries()) {
      for (const t of token.children ?? []) {
        if (t.type === "link_open") t.attrSet("href", target(t.attrGet("href"), page));
        if (t.type === "image" && page === "tour.md") t.attrSet("src", `./${relative(docs, join(root, t.attrGet("src")))}`);
      }
      if (token.type === "code_block") Object.assign(token, { type: "fence", tag: "code", info: language(token.content, page), markup: "```" });
      if (/^file /.test(token.info)) token.info = "txt";
      if (token.type === "fence" && token.info === "") token.info = token.content.startsWith("$ ") ? "console" : "txt";
      // A code of a diagnostic is an anchor by itself.
      const code = token.type === "heading_open" && page === "diagnostics.md" && /^[A-Z]\d{3}/.exec(state.tokens[i + 1].content);
      if (code) {
        const anchor = new state.Token("html_inline", "", 0);
        anchor.content = `<a id="${code[0]}" class="code-anchor"></a>`;
        state.tokens[i + 1].children.unshift(anchor);
      }
    }
  });
}
