package dsl

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/dsl/diag"
)

// folder opens files of a map and counts how often each is read.
type folder struct {
	files map[string]string
	reads map[string]int
}

func (f folder) open(path string) ([]byte, error) {
	src, ok := f.files[path]
	if !ok {
		return nil, fs.ErrNotExist
	}
	f.reads[path]++
	return []byte(src), nil
}

// TestLoadThroughLinks: `..` behind a symbolic link is what open says it is.
func TestLoadThroughLinks(t *testing.T) {
	f := folder{map[string]string{
		"link/a.sow": `import "../c.sow" import "../d.sow"`, "link/../c.sow": `import "e.sow"`, "link/../e.sow": "// right",
		"c.sow": "wrong", "d.sow": "// right", "e.sow": "wrong",
	}, map[string]int{}}
	program, diags := Load("link/a.sow", f.open)
	if len(diags) > 0 || len(program.Files) != 4 || string(program.Sources["e.sow"]) != "// right" || string(program.Sources["d.sow"]) != "// right" {
		t.Error(diags, program.Sources)
	}
	f = folder{map[string]string{"a.sow": `import "c.sow" import "link/../c.sow"`, "c.sow": "", "link/../c.sow": "// another"}, map[string]int{}}
	if _, diags := Load("a.sow", f.open); len(diags) != 1 || diags[0].Code != diag.ImportMissing || !strings.Contains(diags[0].Message, "because of a symbolic link") {
		t.Error(diags)
	}
}

func TestLoad(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		root  string
		files map[string]string
		order string
		code  diag.Code
		text  string
	}{
		"alone":   {"a.sow", map[string]string{"a.sow": ""}, "a.sow", "", ""},
		"diamond": {"x/a.sow", map[string]string{"x/a.sow": `import "b.sow" import "../c.sow"`, "x/b.sow": `import "../c.sow"`, "c.sow": ""}, "c.sow x/b.sow x/a.sow", "", ""},
		"stdin":   {"-", map[string]string{"-": `import "x/b.sow"`, "x/b.sow": `import "c.sow"`, "x/c.sow": ""}, "x/c.sow x/b.sow -", "", ""},
		"circle":  {"a.sow", map[string]string{"a.sow": `import "./b.sow"`, "b.sow": `import "a.sow"`}, "b.sow a.sow", diag.ImportCycle, "a.sow → b.sow → a.sow"},
		"long":    {"a.sow", map[string]string{"a.sow": `import "` + strings.Repeat("a/", 30_000) + `b.sow"`}, "a.sow", diag.ImportMissing, "its path has more than 4096 bytes"},
		"self":    {"x/a.sow", map[string]string{"x/a.sow": `import "a.sow"`}, "x/a.sow", diag.ImportCycle, "x/a.sow → x/a.sow"},
		"missing": {"a.sow", map[string]string{"a.sow": `import "b.sow"`}, "a.sow", diag.ImportMissing, "`b.sow`"},
		"no root": {"a.sow", nil, "", diag.Unreadable, "cannot read the file"},
		"mistake": {"a.sow", map[string]string{"a.sow": `import "b.sow"`, "b.sow": "x"}, "b.sow a.sow", diag.NotRules, "no rules file"},
	} {
		t.Run(name, func(t *testing.T) {
			f := folder{c.files, map[string]int{}}
			program, diags := Load(c.root, f.open)
			checkLoaded(t, program, c.order, f)
			if c.code == "" {
				if len(diags) > 0 {
					t.Error(diags)
				}
				return
			}
			if len(diags) != 1 || diags[0].Code != c.code || !strings.Contains(diags[0].Message, c.text) {
				t.Errorf("diagnostics are %v, want %s %q", diags, c.code, c.text)
			}
		})
	}
}

func checkLoaded(t *testing.T, p *Program, order string, f folder) {
	var paths []string
	for _, file := range p.Files {
		paths = append(paths, file.Path)
		if string(p.Sources[file.Path]) != f.files[file.Path] {
			t.Errorf("the source of %s is %q", file.Path, p.Sources[file.Path])
		}
	}
	if got := strings.Join(paths, " "); got != order {
		t.Errorf("the files are %q, want %q", got, order)
	}
	for path, n := range f.reads {
		if n > 1 {
			t.Errorf("%s was read %d times", path, n)
		}
	}
}

// TestManyImports has a chain of large files.
func TestManyImports(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("//"+strings.Repeat("x", 1<<20)+"\n", 3)
	read := 0
	open := func(name string) ([]byte, error) {
		var n int
		fmt.Sscanf(name, "%d.sow", &n)
		read++
		return []byte(fmt.Sprintf("import \"%d.sow\"\n", n+1) + filler), nil
	}
	_, diags := Load("0.sow", open)
	if len(diags) != 1 || diags[0].Code != diag.TooLarge || diags[0].Range.IsZero() {
		t.Errorf("%v", diags)
	}
	if most := MaxImports/(3<<20) + 2; read > most {
		t.Errorf("%d files are read, not %d", read, most)
	}
}
