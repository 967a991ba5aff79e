package cost

import "strings"

// Bombs are texts that are small for what they may take: each is one short text again and again, in
// the place where it stands in a file. n is about how many bytes each has.
func Bombs(n int) map[string]string {
	fill := func(before, again, after string) string {
		return before + strings.Repeat(again, max(n/len(again), 1)) + after
	}
	return map[string]string{
		"quotes":      fill("", `"`, ""),
		"open quotes": fill("", "\"\n", ""),
		"backslashes": fill(`"`, `\`, ""),
		"operators":   fill("", "!", ""),
		"controls":    fill("", "\x01", ""),
		"one word":    fill("", "a", ""),
		"digits":      fill("variant v { param m = ", "9", " }"),
		"heads":       fill("", "variant ", ""),
		"braces":      fill("variant v {", "}{", ""),
		"deep":        fill("variant v { move ", "{", ""),
		"parentheses": fill("variant v { param m = ", "(", ""),
		"strays":      fill("variant v { x = 1\n", "x ", ""),
		"indented":    fill("variant v { board {"+strings.Repeat("x ", 100)+" = \n", " win\n", ""),
		"one row":     fill("variant v { board { ", "a ", " } }"),
		"rows":        fill("variant v { board {\n", "a\n", " } }"),
		"bars":        fill("variant v { board { ", "| ", " } }"),
		"sum":         fill("variant v { param m = ", "1+", "1 }"),
		"not":         fill("variant v { move when ", "not ", "true { } }"),
		"minus":       fill("variant v { param m = ", "- ", "1 }"),
		"quantifiers": fill("variant v { move when ", "each x in pit: ", "true { } }"),
		"else":        fill("variant v { move { ", "if true { } else ", "{ } } }"),
		"comments":    fill("", "//\n", ""),
		"docs":        fill("variant v {\n", "// x\nparam a = 1\n", "}"),
		"set":         fill("variant v { param m = 1 in {", "1,", "1} }"),
		"items":       fill("variant v { ", "param a = 1\n", "}"),
		"bad items":   fill("variant v { ", "param = 1\n", "}"),
		"claims":      fill("", "claim c { }\n", ""),
		"strategies":  fill("", "strategy s = \n", ""),
		"lets":        fill("variant v { move { ", "let x = 1\n", "} }"),
		"imports":     fill("", "import \"x.sow\"\n", ""),
		"no range":    "variant v { param m = 1 in 4 in 1.. }",
		"picture":     fill("position p { ", "1 ", "}"),
	}
}
