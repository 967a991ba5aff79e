package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const module = "github.com/mancheck/mancheck"

// folder is a package, without its tests.
type folder struct {
	dir     string
	product bool // the programs in cmd consist of it and others
	fset    *token.FileSet
	files   []*ast.File
	names   []string // of the files
	lines   int      // of the files of all systems
	pkg     *types.Package
	info    *types.Info
}

// listed is what go list prints of a package.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	Standard                bool
}

// list asks go list.
func list(env []string, args ...string) ([]listed, error) {
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Dir,Export,GoFiles,Standard"}, args...)...)
	cmd.Env, cmd.Stderr = append(os.Environ(), env...), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var all []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
}

// load reads and checks the types of all packages of the module but scripts.
func load() ([]*folder, error) {
	product := map[string]bool{}
	for _, system := range [][]string{{"GOFLAGS=-tags=z3"}, {"GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0"}} {
		used, err := list(system, "-deps", "./cmd/mancheck", "./cmd/playground")
		if err != nil {
			return nil, err
		}
		for _, p := range used {
			product[p.ImportPath] = true
		}
	}
	packages, err := list(nil, "-deps", "-export", "./...")
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	for _, p := range packages {
		exports[p.ImportPath] = p.Export
	}
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	var all []*folder
	for _, p := range packages {
		dir, inside := strings.CutPrefix(p.ImportPath, module+"/")
		if !inside || strings.HasPrefix(dir, "scripts/") {
			continue
		}
		f := &folder{dir: dir, product: product[p.ImportPath], fset: fset}
		if err := f.read(p, imports); err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// read reads the files of a package, and counts the lines of those of other systems, too.
func (p *folder) read(of listed, imports types.Importer) error {
	for _, name := range of.GoFiles {
		file, err := parser.ParseFile(p.fset, filepath.Join(of.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		p.files, p.names = append(p.files, file), append(p.names, name)
	}
	every, err := filepath.Glob(filepath.Join(of.Dir, "*.go"))
	if err != nil {
		return err
	}
	for _, path := range every {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		p.lines += bytes.Count(text, []byte("\n"))
	}
	p.info = &types.Info{Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}}
	conf := types.Config{Importer: imports, FakeImportC: true}
	p.pkg, err = conf.Check(of.ImportPath, p.fset, p.files, p.info)
	return err
}
