// Command family writes docs/family.md: the variants under examples/family, what they use of the
// language, what is known of them at the boards that people play, what their claims prove, and
// where the recorded games and the published rules differ.
//
//	go run -tags z3 ./scripts/family > docs/family.md
//	go run -tags z3 ./scripts/family -known
//
// The first takes a few seconds. What is known at the boards that people play is kept in
// scripts/family/known.tsv, with the hashes of the rules that it is known of. The second asks about
// those whose hash is another now, and writes that file. It takes about a minute for each.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"text/template"
	"time"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/say"
	"github.com/mancheck/mancheck/proofs/survey"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/record"
)

// dir has the rules files, knownFile what is known of them, and countedFile the numbers of plays of
// some, as MancalaGames counts them.
const (
	dir         = "examples/family"
	countedFile = "proofs/testdata/family/mancala_games.tsv"
	knownFile   = "scripts/family/known.tsv"
)

// row is one variant.
type row struct {
	File, Name, Features string
	Board                string // the values of the parameters that people play with
	Lines                int
	Header               int // how much of the variant comes before its first move, in percent
	Recorded, Counted    bool
	Known                answers
	Claims               []scoped
	Rulings              rulings
	path                 string
	file                 *proofs.File
	sys                  *rules.System
}

//go:embed page.md
var page string

func main() {
	log.SetFlags(0)
	ask := flag.Bool("known", false, "find out what is not known yet, and write "+knownFile)
	again := flag.String("again", "", "with -known, ask these engines about what is open, as laws,hunt")
	each := flag.Duration("each", 3*time.Second, "with -known, the processor time for a question; one that is left open gets it twice")
	flag.Parse()
	rows, err := family(".")
	if err != nil {
		log.Fatal(err)
	}
	if *ask {
		var engines []verdict.Engine
		for _, name := range strings.FieldsFunc(*again, func(c rune) bool { return c == ',' }) {
			e := verdict.Engine(name)
			if !slices.Contains(survey.Engines, e) && e != verdict.Laws {
				log.Fatalf("there is no engine %q for what is open", name)
			}
			engines = append(engines, e)
		}
		if err := findOut(context.Background(), rows, *each, engines); err != nil {
			log.Fatal(err)
		}
		return
	}
	text, err := write(context.Background(), ".", rows)
	if err != nil {
		log.Fatal(err)
	}
	os.Stdout.Write(text)
}

// write returns the page.
func write(ctx context.Context, root string, rows []*row) ([]byte, error) {
	facts, err := readKnown(filepath.Join(root, knownFile))
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		r.Known = answersOf(facts, r)
		if err := r.Rulings.shortest(ctx, r); err != nil {
			return nil, fmt.Errorf("%s: %w", r.path, err)
		}
	}
	var out bytes.Buffer
	t := template.Must(template.New("page").Parse(page))
	about := map[string]any{"Rows": rows, "Count": len(rows), "Median": median(rows, func(r *row) int { return r.Lines }), "Header": median(rows, func(r *row) int { return r.Header })}
	about["Breaks"] = count(rows, func(r *row) int {
		if r.Rulings.Recorded != "" {
			return 1
		}
		return 0
	})
	about["Claims"] = count(rows, func(r *row) int { return r.claims("") })
	about["AtBoard"] = count(rows, func(r *row) int { return r.claims(r.Board) })
	err = t.Execute(&out, about)
	return out.Bytes(), err
}

// count adds up a number of each row.
func count(rows []*row, of func(*row) int) int {
	n := 0
	for _, r := range rows {
		n += of(r)
	}
	return n
}

// claims is the number of claims about a board, or about any if none is given.
func (r *row) claims(board string) int {
	n := 0
	for _, c := range r.Claims {
		if board == "" || c.Board == board {
			n += c.n
		}
	}
	return n
}

// family describes the rules files below a folder.
func family(root string) ([]*row, error) {
	paths, err := filepath.Glob(filepath.Join(root, dir, "*.sow"))
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(root, dir, "records.map"))
	if err != nil {
		return nil, err
	}
	m, err := record.ReadMap("records.map", text)
	if err != nil {
		return nil, err
	}
	counted, err := os.ReadFile(filepath.Join(root, countedFile))
	if err != nil {
		return nil, err
	}
	var rows []*row
	for _, path := range paths {
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
		r.Counted = strings.Contains("\n"+string(counted), "\n"+r.File+"\t")
		rows = append(rows, r)
	}
	return rows, nil
}

func median(rows []*row, of func(*row) int) int {
	var list []int
	for _, r := range rows {
		list = append(list, of(r))
	}
	sort.Ints(list)
	return list[len(list)/2]
}

func describe(path string, f *proofs.File) (*row, error) {
	v := f.Unit.Variants[len(f.Unit.Variants)-1]
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	sys, diags := f.Unit.System(v, nil)
	if err := diags.Err(); err != nil {
		return nil, err
	}
	r := &row{
		File: filepath.Base(path), Name: v.Name.Name, Features: features(v), Lines: lines(string(text)), Header: header(string(text), v),
		Board: boardOf(sys), Rulings: readRulings(string(text)), path: path, file: f, sys: sys,
	}
	r.Claims, err = claims(f, string(text))
	return r, err
}

// boardOf is the scope of a verdict on a System. The parameter for the recorded games says nothing
// of the board.
func boardOf(sys *rules.System) string {
	s := verdict.ScopeOf(sys)
	s.Params = slices.DeleteFunc(s.Params, func(p verdict.Param) bool { return p.Name == "recorded" && p.N == 0 })
	return say.Scope(s, " = ")
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

// word is a word, a number, a text or a sign of a file.
var word = regexp.MustCompile(`"[^"]*"|\w+|\.\.|[<>/!]=|->|\S`)

// words counts the words and signs of a text without its comments.
func words(text string) int {
	return len(word.FindAllString(regexp.MustCompile(`//.*`).ReplaceAllString(text, ""), -1))
}

// header is how much of a variant comes before its first move, in percent of its words and signs.
func header(text string, v *ast.Variant) int {
	start, first, end := v.Range.Start.Offset, v.Range.End.Offset, v.Range.End.Offset
	for _, m := range ast.All[*ast.Move](v) {
		first = min(first, m.Range.Start.Offset)
	}
	return 100 * words(text[start:first]) / words(text[start:end])
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

// scoped are the n claims of a file that are about one board.
type scoped struct {
	Board      string
	Properties string
	n          int
}

// claims lists what the claims of a file say, as they are written. Each is as its author expects,
// which mancheck prove sees to.
func claims(f *proofs.File, text string) ([]scoped, error) {
	instances, err := f.Instances(nil)
	if err != nil {
		return nil, err
	}
	var list []scoped
	for _, inst := range instances {
		if inst.Claim.Name == "rulings" {
			continue // has a table of its own
		}
		i := slices.IndexFunc(f.Unit.Claims, func(c *ast.Claim) bool { return c.Name.Name == inst.Claim.Name })
		decl := f.Unit.Claims[i]
		said := "`" + property(decl, text) + "`"
		if inst.Claim.Refuted {
			said += " is refuted"
		}
		board := boardOf(inst.System)
		if at := inst.Claim.StartingAt; at != "" {
			board = strings.TrimPrefix(board+", from `"+at+"`", ", ")
		}
		if k := slices.IndexFunc(list, func(c scoped) bool { return c.Board == board }); k >= 0 {
			list[k].Properties += ", " + said
			list[k].n++
		} else {
			list = append(list, scoped{Board: board, Properties: said, n: 1})
		}
	}
	return list, nil
}

// property is what a claim says, as it is written in the text of its file.
func property(c *ast.Claim, text string) string {
	at := c.Property.Span()
	said := strings.Join(strings.Fields(text[at.Start.Offset:at.End.Offset]), " ")
	if before := strings.Fields(text[:at.Start.Offset]); before[len(before)-1] == "not" {
		return "not " + said // `can go on for ever` is a denial, too, without the word
	}
	return said
}
