package dsl

import (
	"bytes"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
)

// Program is a file with everything that it imports.
type Program struct {
	Files   []*ast.File       // imports before their importers, the root last
	Sources map[string][]byte // of all files, including files of boards
}

// Load parses a file and the files that it imports, each once. The path of an import is relative to
// the importing file, or to the current folder if that is standard input, which is `-`. open reads
// a file. Its error may have a method Help that returns advice.
//
// Behind a symbolic link `..` is the folder above the one that the link leads to. So open is asked
// for `link/../lib/a.sow` first, and for `lib/a.sow` only if there is no such file. The file is
// called `lib/a.sow` in both cases.
func Load(path string, open func(path string) ([]byte, error)) (*Program, diag.List) {
	l := &loader{open: open, program: &Program{Sources: map[string][]byte{}}, places: map[string]string{path: path}}
	src, err := open(path)
	if err != nil {
		l.diags.Errorf(diag.Unreadable, diag.Range{File: path}, "cannot read the file: %v", err)
		return l.program, l.diags
	}
	l.file(path, src)
	l.boards(l.program.Files[len(l.program.Files)-1])
	l.diags.Sort()
	return l.program, l.diags
}

// loader is a call of Load.
type loader struct {
	open    func(path string) ([]byte, error)
	program *Program
	places  map[string]string // paths that the files were opened by, by name
	chain   []string          // the files being read, each imported by the one before
	read    int               // bytes of imported files
	diags   diag.List
}

// file parses a file that was read, and everything that it imports.
func (l *loader) file(name string, src []byte) {
	l.chain = append(l.chain, name)
	l.program.Sources[name] = src
	file, diags := Parse(name, src)
	l.diags = append(l.diags, diags...)
	for _, i := range file.Imports {
		l.imported(name, i)
	}
	l.chain = l.chain[:len(l.chain)-1]
	l.program.Files = append(l.program.Files, file)
}

// boards reads the files of boards that claims of the root file name.
func (l *loader) boards(root *ast.File) {
	for _, b := range ast.All[*ast.ForBoards](root) {
		var place string
		b.Name, place = l.resolve(root.Path, b.Path)
		src, read := l.program.Sources[b.Name]
		if !read {
			var ok bool
			if src, ok = l.another(b.Name, place, "cannot read the file of boards", b.Range); !ok {
				continue
			}
			if diags := unreadable(b.Name, src); diags != nil {
				l.diags = append(l.diags, diags...)
				continue
			}
			l.program.Sources[b.Name] = src
		}
		b.Text = src
	}
}

func (l *loader) imported(from string, i *ast.Import) {
	name, place := l.resolve(from, i.Path)
	if circle := l.circle(name); circle != nil {
		l.diags.Errorf(diag.ImportCycle, i.PathAt, "imports form a circle: %s", strings.Join(circle, " → "))
		return
	}
	if first, done := l.places[name]; done || l.read > MaxImports {
		if done && first != place && l.differs(name, place) {
			l.diags.Errorf(diag.ImportMissing, i.PathAt, "`%s` is another file here than at an import before, because of a symbolic link", name).
				WithHelp("import it by a path without `..` through the link")
		}
		return
	}
	if src, ok := l.another(name, place, "cannot read the imported file", i.PathAt); ok {
		l.file(name, src)
	}
}

// differs reports whether there is another file at a place than the one of that name.
func (l *loader) differs(name, place string) bool {
	src, err := l.open(place)
	return err == nil && !bytes.Equal(src, l.program.Sources[name])
}

// maxPath is the length of the longest path of a file. Finding out about all folders of a path
// takes time by the square of its length.
const maxPath = 4096

// another reads a file that another one names, from a place. An error is reported where the name
// stands.
func (l *loader) another(name, place, fault string, at diag.Range) (src []byte, ok bool) {
	if len(place) > maxPath {
		l.diags.Errorf(diag.ImportMissing, at, "%s: its path has more than %d bytes", fault, maxPath)
		return nil, false
	}
	src, err := l.open(place)
	if err != nil && place != name {
		place = name
		src, err = l.open(place)
	}
	l.places[name] = place
	if err != nil {
		help := "the path is relative to the file that names it"
		if own, ok := errors.AsType[interface {
			error
			Help() string
		}](err); ok {
			help = own.Help()
		}
		l.diags.Errorf(diag.ImportMissing, at, "%s `%s`: %v", fault, name, err).WithHelp("%s", help)
		return nil, false
	}
	if l.read += len(src); l.read > MaxImports {
		l.diags.Errorf(diag.TooLarge, at, "the imported files have more than %d MiB in all", MaxImports>>20)
		return nil, false
	}
	return src, true
}

// circle returns the chain of imports that leads back to a file, or nil.
func (l *loader) circle(name string) []string {
	if i := slices.Index(l.chain, name); i >= 0 {
		return append(slices.Clone(l.chain[i:]), name)
	}
	return nil
}

// resolve returns the name of an imported file, relative to the current folder, and the path that
// leads there through symbolic links.
func (l *loader) resolve(from, imported string) (name, place string) {
	if path.IsAbs(imported) || from == "-" {
		return path.Clean(imported), imported
	}
	dir, _ := path.Split(l.places[from])
	place = dir + imported
	if name = path.Join(path.Dir(from), imported); !strings.Contains("/"+place, "/../") {
		place = name
	}
	return name, place
}
