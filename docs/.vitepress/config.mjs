// The site: the documents of docs as they are, with a home page and the gallery.

import { readFileSync } from "node:fs";
import { defineConfig } from "vitepress";
import { colours } from "./colours.mjs";
import { documents, repository, slug } from "./markdown.mjs";

const root = new URL("../../", import.meta.url);
const read = path => readFileSync(new URL(path, root), "utf8");
const path = name => new URL(name, root).pathname;

const groups = [
  { text: "Start", items: [
    { text: "Tour", link: "/tour" }, { text: "Install", link: "/install" }, { text: "Tutorial", link: "/tutorial" }, { text: "Cookbook", link: "/cookbook" }, { text: "Exercises", link: "/exercises" },
    { text: "Playground", link: "/playground" }, { text: "Editors", link: "/editors" },
    { text: "Language server", link: "/lsp" },
  ] },
  { text: "Reference", items: [
    { text: "The language", link: "/language" }, { text: "Command line", link: "/cli" }, { text: "Diagnostics", link: "/diagnostics" },
    { text: "Work in phases", link: "/phases" }, { text: "What it takes", link: "/scale" }, { text: "Buckets", link: "/buckets" }, { text: "Continuous integration", link: "/ci" },
    { text: "Compatibility", link: "/compatibility" }, { text: "Go API", link: "/api" },
  ] },
  { text: "Proof", items: [
    { text: "How claims are decided", link: "/engines" }, { text: "Certificates", link: "/certificates" }, { text: "The kernel", link: "/kernel" }, { text: "Theorems in Coq", link: "/coq" }, { text: "What must be believed", link: "/trust" }, { text: "Known limits", link: "/known-limits" },
    { text: "The proof suite", link: "/proofs" }, { text: "The cache", link: "/cache" },
  ] },
  { text: "Games", items: [
    { text: "Gallery", link: "/gallery" }, { text: "The family", link: "/family" }, { text: "The atlas", link: "/atlas" }, { text: "Recorded games", link: "/records" },
  ] },
  { text: "Internals", items: [{ text: "Architecture", link: "/architecture" }, { text: "How to add", link: "/adding" }, { text: "Performance", link: "/performance" }, { text: "The site", link: "/site" }, { text: "Releasing", link: "/releasing" }] },
];

// A page that is not there has no place, and one that is not in the list stands at its end.
const sidebar = groups.map(({ text, items }) => ({ text, items: items.filter(item => documents.includes(item.link.slice(1))) }));
const listed = new Set(sidebar.flatMap(group => group.items.map(item => item.link)));
const others = documents.filter(name => name !== "index" && !listed.has(`/${name}`));
if (others.length > 0) sidebar.push({ text: "More", items: others.map(name => ({ text: name, link: `/${name}` })) });

export default defineConfig({
  title: "mancheck",
  description: "A model checker for mancala games: it proves what is claimed about a game, or refutes it by a play.",
  lang: "en",
  base: process.env.SITE_BASE ?? "/",
  outDir: "../bin/site",
  cleanUrls: false,
  ignoreDeadLinks: [/^\/playground\//],
  head: [["link", { rel: "icon", href: `${process.env.SITE_BASE ?? "/"}playground/icon.svg` }]],
  markdown: {
    theme: colours,
    languages: [{ ...JSON.parse(read("dsl/editors/textmate/sow.tmLanguage.json")), name: "sow" }],
    anchor: { slugify: slug },
    config: repository,
  },
  themeConfig: {
    logo: { src: "/playground/icon.svg", alt: "" },
    nav: [
      { text: "Tutorial", link: "/tutorial" }, { text: "Language", link: "/language" }, { text: "Gallery", link: "/gallery" },
      { text: "Try it", link: "/playground/", target: "_self" },
    ],
    sidebar,
    outline: { level: [2, 3] },
    search: { provider: "local" },
    socialLinks: [{ icon: "github", link: "https://github.com/mancheck/mancheck", ariaLabel: "The repository" }],
    footer: { message: "Released under the MIT License." },
  },
  vite: {
    resolve: {
      alias: [
        { find: "board", replacement: path("rules/drawing/board.js") },
        { find: "engine", replacement: path("cmd/playground/web/src/engine.js") },
        // The packages lie in .vitepress, which is not above the pages.
        { find: /^vue(\/.*)?$/, replacement: path("docs/.vitepress/node_modules/vue") + "$1" },
      ],
    },
    plugins: [{
      // The style of the boards, with the site's switch between light and dark.
      name: "board-style",
      resolveId: id => id === "virtual:board.css" ? "\0board.css" : undefined,
      load: id => id === "\0board.css" ? read("rules/drawing/board.css").replace(/@media screen and \(prefers-color-scheme: dark\) \{\s*:root (\{[^}]*\})\s*\}/, ".dark $1") : undefined,
    }],
  },
});
