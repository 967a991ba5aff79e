// Rules files in the editor: colours, folds and indentation.

import { LRLanguage, delimitedIndent, foldInside, foldNodeProp, indentNodeProp } from "@codemirror/language";
import { parser } from "sow";

export const language = LRLanguage.define({
  name: "sow",
  parser: parser.configure({
    props: [
      indentNodeProp.add({
        "Block ClaimBlock Set": delimitedIndent({ closing: "}" }),
        Parens: delimitedIndent({ closing: ")" }),
        Brackets: delimitedIndent({ closing: "]" }),
      }),
      foldNodeProp.add({ "Block ClaimBlock": foldInside }),
    ],
  }),
  languageData: { commentTokens: { line: "//" }, closeBrackets: { brackets: ["(", "[", "{", "\""] }, indentOnInput: /^\s*[\])}]$/ },
});
