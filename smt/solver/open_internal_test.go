package solver

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSplit(t *testing.T) {
	for line, want := range map[string][]string{
		"z3 -in":                 {"z3", "-in"},
		"  a\tb \n":              {"a", "b"},
		`"my solver" --x='a b'c`: {"my solver", "--x=a bc"},
		`a\ b "c\"d" 'e\f' ""`:   {"a b", `c"d`, `e\f`, ""},
		"":                       nil,
		" ":                      nil,
		"'a":                     nil,
		`a\`:                     nil,
	} {
		got, err := split(line)
		if diff := cmp.Diff(want, got); diff != "" || (err == nil) != (want != nil) {
			t.Errorf("%q: %v %s", line, err, diff)
		}
	}
}

func TestReader(t *testing.T) {
	r := newReader(strings.NewReader("sat ; no\n((x (- 3))\t(|a b| \"c\"\"d\"))unsat\n(("))
	for _, want := range []string{"sat", `((x (- 3)) (a b "c"d"))`, "unsat"} {
		if got, err := r.read(); err != nil || got.String() != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
	if got, err := r.read(); err == nil {
		t.Errorf("got %s from half an expression", got)
	}
}

// FuzzReader: the reader reaches the end of any input.
func FuzzReader(f *testing.F) {
	f.Add("(a \"b\" |c| ; d\n)")
	f.Add("((((")
	f.Add(`"a""`)
	f.Fuzz(func(t *testing.T, text string) {
		r := newReader(strings.NewReader(text))
		for range len(text) + 1 {
			if _, err := r.read(); err != nil {
				return
			}
		}
		t.Error("more expressions than bytes")
	})
}

// TestOthers: solvers are told apart by name and version; a program without a version is none.
func TestOthers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the solvers are shell scripts")
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	write := func(name, infos string) string {
		path := filepath.Join(dir, name)
		text := "#!/bin/sh\nwhile read -r line; do case $line in " + infos + "'(get-info '*) echo unsupported ;; '(echo '*) line=${line#(echo }; echo \"${line%)}\" ;; esac; done\n"
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	named := func(name, version string) string {
		return fmt.Sprintf(`'(get-info :name)') echo '(:name "%s")' ;; '(get-info :version)') echo '(:version "%s")' ;; `, name, version)
	}
	write("z3", named("Zed", "3"))
	write("cvc5", named("Five", "5"))
	copied, nameless := write("copy", named("five", "5")), write("nameless", "")
	list := func(first, spec string) (names []string) {
		for s := range Others(t.Context(), first, spec) {
			if !strings.HasSuffix(s.Name(), inProcessMark) {
				names = append(names, s.Name())
			}
		}
		return names
	}
	for _, test := range []struct {
		first, spec string
		want        []string
	}{
		{"", "", []string{"zed 3", "five 5"}},
		{"five 5", copied, []string{"zed 3"}},
		{"five 4", nameless, []string{"zed 3", "five 5"}},
		{"zed 3 (in process)", write("own", named("own", "1")), []string{"five 5", "own 1"}},
	} {
		if diff := cmp.Diff(test.want, list(test.first, test.spec)); diff != "" {
			t.Errorf("not %q, and %q: %s", test.first, test.spec, diff)
		}
	}
	for spec, want := range map[string]bool{"": !builtIn, "auto": !builtIn, "z3": !builtIn, "z3-process": true, "cvc5": true, copied: true} {
		if External(spec) != want {
			t.Errorf("%q is a program: %v", spec, !want)
		}
	}
}
