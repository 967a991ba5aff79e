// Command family writes docs/family.md: a table of the variants under examples/family with what
// they use of the language, what is claimed of them, and how fast and by which engines they are
// played.
//
//	go run -tags z3 ./scripts/family > docs/family.md
package main

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"text/template"
	"time"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/say"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/record"
	"github.com/mancheck/mancheck/rules/resolve"
	"github.com/mancheck/mancheck/rules/space"
	"github.com/mancheck/mancheck/smt/encode"
	"github.com/mancheck/mancheck/smt/term"
)

// Limits of what is measured of one variant.
const (
	searched = 300_000         // states
	longest  = 3 * time.Second // of a search
	encoding = 4 * time.Second
)

// row is one variant.
type row struct {
	File, Name, Features, Claims string
	Lines                        int
	Speed                        string // states a second
	Formulas                     string
	Recorded                     bool
}

//go:embed page.md
var page string

func main() {
	log.SetFlags(0)
	rows, err := family("examples/family")
	if err != nil {
		log.Fatal(err)
	}
	t := template.Must(template.New("page").Parse(page))
	var out bytes.Buffer
	if err := t.Execute(&out, map[string]any{"Rows": rows, "Median": median(rows), "Count": len(rows)}); err != nil {
		log.Fatal(err)
	}
	os.Stdout.Write(out.Bytes())
}

// family describes the rules files of a folder.
func family(dir string) ([]row, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.sow"))
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(dir, "records.map"))
	if err != nil {
		return nil, err
	}
	m, err := record.ReadMap("records.map", text)
	if err != nil {
		return nil, err
	}
	var rows []row
	for _, path := range paths {
		log.Println(path)
		f, err := proofs.Open(path)
		if err != nil {
			return nil, err
		}
		if len(f.Unit.Variants) == 0 {
			continue // a board that several files share
		}
		r, err := describe(path, f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		r.Recorded = slices.ContainsFunc(m.Entries, func(e *record.Entry) bool { return e.File == r.File })
		rows = append(rows, r)
	}
	return rows, nil
}

// median returns the median of the lines of code.
func median(rows []row) int {
	var lines []int
	for _, r := range rows {
		lines = append(lines, r.Lines)
	}
	sort.Ints(lines)
	return lines[len(lines)/2]
}

func describe(path string, f *proofs.File) (row, error) {
	v := f.Unit.Variants[len(f.Unit.Variants)-1]
	text, err := os.ReadFile(path)
	if err != nil {
		return row{}, err
	}
	r := row{File: filepath.Base(path), Name: v.Name.Name, Features: features(v), Lines: lines(string(text))}
	small, claims, err := decided(f)
	if err != nil {
		return row{}, err
	}
	r.Claims, r.Formulas = claims, formulas(small)
	sys, diags := f.Unit.System(v, nil)
	if err := diags.Err(); err != nil {
		return row{}, err
	}
	r.Speed, err = speed(sys)
	return r, err
}

// lines counts the lines that are neither empty nor comments.
func lines(text string) int {
	n := 0
	for _, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			n++
		}
	}
	return n
}

// has reports whether a node of type N is in a tree and satisfies a condition.
func has[N ast.Node](root ast.Node, which func(N) bool) bool {
	return slices.ContainsFunc(ast.All[N](root), which)
}

func uses[N ast.Node](root ast.Node) bool { return len(ast.All[N](root)) > 0 }

// features lists what a variant uses beyond a sowing and a capture.
func features(v *ast.Variant) string {
	var list []string
	for _, f := range []struct {
		name string
		used bool
	}{
		{"laps of one's own", has(v, func(l *ast.Lap) bool { return l.Of != nil })},
		{"relay", has(v, func(s *ast.Sow) bool { return s.RelayWhile != nil })},
		{"go on", uses[*ast.GoOn](v)},
		{"chain", uses[*ast.Chain](v)},
		{"each drop", has(v, func(s *ast.Sow) bool { return s.HasDrop })},
		{"relations", uses[*ast.Facing](v)},
		{"definitions", uses[*ast.Define](v)},
		{"procedures", uses[*ast.CallStmt](v)},
		{"state", uses[*ast.StateVar](v)},
		{"lap as value", has(v, func(s *ast.StateVar) bool { n := s.Type.Name(); return n != nil && n.Name == "lap" })},
		{"again", uses[*ast.Again](v)},
		{"reaction", uses[*ast.Reaction](v)},
		{"passing", uses[*ast.Pass](v)},
		{"prefer", uses[*ast.Prefer](v)},
		{"require", uses[*ast.Require](v)},
		{"named winner", uses[*ast.Who](v)},
		{"no move", uses[*ast.NoMove](v)},
	} {
		if f.used {
			list = append(list, f.name)
		}
	}
	return strings.Join(list, ", ")
}

// decided decides the claims of a file. It returns the System of the first one.
func decided(f *proofs.File) (*rules.System, string, error) {
	instances, err := f.Instances(nil)
	if err != nil {
		return nil, "", err
	}
	var scopes []string
	words := map[string][]string{} // by scope
	for _, inst := range instances {
		r, err := proofs.Decide(context.Background(), inst, proofs.Options{})
		if err != nil {
			return nil, "", err
		}
		word := inst.Claim.Name
		if r.Status != proofs.Proved {
			word = fmt.Sprintf("**%s: %s**", word, r.Status)
		}
		scope := scopeOf(r)
		if words[scope] == nil {
			scopes = append(scopes, scope)
		}
		words[scope] = append(words[scope], word)
	}
	var list []string
	for _, scope := range scopes {
		list = append(list, scope+": "+strings.Join(words[scope], ", "))
	}
	return smallest(instances), strings.Join(list, "; "), nil
}

// scopeOf is what a verdict holds for: the parameters, and the position that games begin at.
func scopeOf(r *proofs.Result) string {
	scope := cmp.Or(say.Scope(r.Scope, "="), "as it is")
	if at := r.Instance.Claim.StartingAt; at != "" {
		scope += " from `" + at + "`"
	}
	return scope
}

func smallest(instances []*resolve.Instance) *rules.System {
	if len(instances) == 0 {
		return nil
	}
	return instances[0].System
}

// formulas reports whether the moves of a System can be written as formulas.
func formulas(sys *rules.System) string {
	if sys == nil {
		return "–"
	}
	late := errors.New("not in time")
	end := time.Now().Add(encoding)
	b := term.NewBuilder()
	e, err := encode.New(sys, b, encode.Options{Stop: func() error {
		if time.Now().After(end) {
			return late
		}
		return nil
	}})
	if err != nil {
		return "no: " + err.Error()
	}
	if e.Overrun(e.State("s")) != b.Bool(false) {
		return "for a bounded number of laps"
	}
	return "yes"
}

// speed is the number of states that a search finds in a second, on one core.
func speed(sys *rules.System) (string, error) {
	ctx, stop := context.WithTimeout(context.Background(), longest)
	defer stop()
	var starts []rules.State
	err := space.Starts(ctx, interp.New(sys), func(s rules.State) error {
		starts = append(starts, s.Clone())
		return nil
	})
	if err != nil {
		return "", err
	}
	began := time.Now()
	r, err := forward.Search(ctx, sys, forward.From(starts...), forward.Query{}, forward.Options{Bounds: limit.Bounds{MaxStates: searched, Threads: 1}})
	if err != nil {
		return "", err
	}
	perSecond := float64(r.Stats.States) / time.Since(began).Seconds()
	return numeral.Number(int64(perSecond) / 1000 * 1000), nil
}
