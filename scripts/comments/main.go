// Command comments reports comment lines of Go files that are wider than a page: the files are its
// arguments. A tab is four columns. Comments behind code are not looked at.
package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"unicode/utf8"
)

// widest is the greatest width of a comment line in columns.
const widest = 100

func main() {
	found := false
	for _, path := range os.Args[1:] {
		src, err := os.ReadFile(path)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, src, parser.ParseComments)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		lines := strings.Split(string(src), "\n")
		for _, group := range file.Comments {
			for _, c := range group.List {
				line := lines[fset.Position(c.Pos()).Line-1]
				if width(line) > widest && strings.HasPrefix(strings.TrimSpace(line), "//") {
					fmt.Printf("%s: a comment of %d columns, of at most %d\n", fset.Position(c.Pos()), width(line), widest)
					found = true
				}
			}
		}
	}
	if found {
		os.Exit(1)
	}
}

// width counts characters, and four columns for a tab.
func width(line string) int {
	return utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    "))
}
