// The colours of code: those of the playground's editor.

const theme = (type, background, foreground, c) => ({
  name: `mancheck-${type}`, type, colors: { "editor.background": background, "editor.foreground": foreground },
  tokenColors: [
    { settings: { background, foreground } },
    { scope: ["comment", "punctuation.definition.comment"], settings: { foreground: c.comment, fontStyle: "italic" } },
    { scope: ["string"], settings: { foreground: c.string } },
    { scope: ["constant.numeric", "constant.language"], settings: { foreground: c.number } },
    { scope: ["keyword", "storage"], settings: { foreground: c.keyword } },
    { scope: ["keyword.operator"], settings: { foreground } },
    { scope: ["keyword.operator.word"], settings: { foreground: c.keyword } },
    { scope: ["entity.name", "variable.parameter.sow"], settings: { foreground: c.name } },
    { scope: ["support.function"], settings: { foreground: c.name } },
    { scope: ["markup.inserted"], settings: { foreground: c.inserted } },
    { scope: ["markup.deleted"], settings: { foreground: c.deleted } },
  ],
});

export const colours = {
  light: theme("light", "#faf6ee", "#2a2118", {
    comment: "#6b6257", string: "#7a4a00", number: "#0b5f7d", keyword: "#7a2d8c", name: "#1a4f9c", inserted: "#1c6b3c", deleted: "#a52a1c",
  }),
  dark: theme("dark", "#1d1915", "#efe6d8", {
    comment: "#a09482", string: "#e3b778", number: "#7fcbe6", keyword: "#d9a3e8", name: "#92bdf7", inserted: "#7fd19d", deleted: "#f5a293",
  }),
};
