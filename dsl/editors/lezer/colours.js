import { styleTags, tags } from "@lezer/highlight";

export const colours = styleTags({
  "Keyword Word ClauseWord": tags.keyword,
  Constant: tags.atom,
  "Definition": tags.definition(tags.variableName),
  Name: tags.variableName,
  Number: tags.number,
  String: tags.string,
  Comment: tags.lineComment,
  Sign: tags.operator,
  Separator: tags.separator,
  "{ }": tags.brace,
  "( )": tags.paren,
  "[ ]": tags.squareBracket,
});
