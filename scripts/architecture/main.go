// Command architecture writes the table of packages in docs/architecture.md: what each package
// does, which others of the program it imports, and where to begin reading.
//
//	go run ./scripts/architecture > /tmp/page && mv /tmp/page docs/architecture.md
//
// What a package is for is the first sentence of its documentation. Reading begins in the file that
// has it.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/internal/lists"
)

const (
	module = "github.com/mancheck/mancheck/"
	page   = "docs/architecture.md"
)

// everywhere are packages that so many import that it says nothing.
var everywhere = []string{"rules", "dsl/diag", "dsl/num"}

func main() {
	log.SetFlags(0)
	out, err := made(".")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(out)
}

// listed is what go list prints of a package.
type listed struct {
	ImportPath, Dir, Doc, Name string
	GoFiles, CgoFiles, Imports []string
}

func (p listed) dir() string { return strings.TrimPrefix(p.ImportPath, module) }

// made returns the page of a checkout with its table.
func made(root string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, page))
	if err != nil {
		return "", err
	}
	packages, err := list(root, "./...")
	if err != nil {
		return "", err
	}
	used, err := list(root, "-deps", "./cmd/mancheck", "./cmd/playground")
	if err != nil {
		return "", err
	}
	product := lists.Map(used, listed.dir)
	var rows strings.Builder
	for _, room := range rooms {
		for _, p := range packages {
			top, _, _ := strings.Cut(p.dir(), "/")
			forTests := !slices.Contains(product, p.dir())
			if len(p.GoFiles) == 0 || (room == tests) != forTests || room != tests && room != top {
				continue
			}
			fmt.Fprintf(&rows, "| `%s` | %s | %s | [%s](../%[1]s/%[4]s) |\n", p.dir(), purpose(p), imports(p, top), begin(root, p))
		}
	}
	before, rest, opened := strings.Cut(string(text), "<!-- packages -->\n")
	_, after, closed := strings.Cut(rest, "<!-- end -->\n")
	if !opened || !closed {
		return "", fmt.Errorf("%s has no place for the table", page)
	}
	return before + "<!-- packages -->\n\n| package | what it does | imports | begin in |\n|---|---|---|---|\n" + rows.String() + "\n<!-- end -->\n" + after, nil
}

// tests is the room of the packages that no program needs.
const tests = "tests"

// rooms are the folders in the order of their imports.
var rooms = []string{"dsl", "rules", "checker", "smt", "proofs", "cmd", "internal", tests}

// list asks go list for packages of the module but scripts, in the order of their names.
func list(root string, args ...string) ([]listed, error) {
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Dir,Doc,Name,GoFiles,CgoFiles,Imports"}, args...)...)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	cmd.Env = append(os.Environ(), "GOFLAGS=-tags=z3")
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var all []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		if strings.HasPrefix(p.ImportPath, module) && !strings.HasPrefix(p.dir(), "scripts") {
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b listed) int { return strings.Compare(a.ImportPath, b.ImportPath) })
	return all, nil
}

// purpose is the first sentence of the documentation, without the name of the package.
func purpose(p listed) string {
	said := strings.TrimSuffix(p.Doc, ".")
	for _, before := range []string{"Package " + p.Name + " ", "Command " + filepath.Base(p.Dir) + " "} {
		said = strings.TrimPrefix(said, before)
	}
	return strings.ReplaceAll(said, "|", "\\|")
}

// imports lists what a package imports of the module, in short: those of its own room by their
// names there. What is under internal is left out.
func imports(p listed, room string) string {
	var names []string
	for _, path := range p.Imports {
		name, ours := strings.CutPrefix(path, module)
		if !ours || strings.HasPrefix(name, "internal/") || slices.Contains(everywhere, name) {
			continue
		}
		names = append(names, strings.TrimPrefix(name, room+"/"))
	}
	return strings.Join(names, ", ")
}

// begin is the file with the documentation of the package.
func begin(root string, p listed) string {
	files := append(slices.Clone(p.GoFiles), p.CgoFiles...)
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, p.dir(), name), nil, parser.ParseComments|parser.PackageClauseOnly)
		if err == nil && f.Doc != nil {
			return name
		}
	}
	return files[0]
}
