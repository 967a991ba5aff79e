package drawing_test

import (
	"strings"
	"testing"

	"github.com/mancheck/mancheck/rules/drawing"
)

func TestInline(t *testing.T) {
	got := drawing.Inline(
		"export const a = 1;\n\nexport class B {}\n",
		"import { a } from \"./a.js\";\nimport {\n  B,\n} from \"./a.js\";\n\nconst text = \"export it\"; // import { a } from \"./a.js\";\n  export_it(a, B);\n",
	)
	want := `"use strict";
{
const a = 1;

class B {}


const text = "export it"; // import { a } from "./a.js";
  export_it(a, B);
}
`
	if got != want {
		t.Errorf("the script is\n%s\nwant\n%s", got, want)
	}
}

// TestInlineBoard: the board's module can be part of a page's script.
func TestInlineBoard(t *testing.T) {
	text := drawing.Inline(drawing.Script)
	for _, bad := range []string{"\nimport", "\nexport", "</script", "innerHTML"} {
		if strings.Contains(text, bad) {
			t.Errorf("the script has %q", bad)
		}
	}
}
