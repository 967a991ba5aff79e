package drawing

import (
	"regexp"
	"strings"
)

// imported is an import of names from another module, and exported the word before a declaration.
var (
	imported = regexp.MustCompile(`(?m)^import \{[^}]*\} from "[^"]*";\n`)
	exported = regexp.MustCompile(`(?m)^export `)
)

// Inline makes one script of modules that import from each other by the names that these have
// themselves. A module stands after those that it imports from, and what it declares is known to
// those after it: no two may declare the same name.
func Inline(modules ...string) string {
	text := strings.Join(modules, "\n")
	return "\"use strict\";\n{\n" + exported.ReplaceAllString(imported.ReplaceAllString(text, ""), "") + "}\n"
}
