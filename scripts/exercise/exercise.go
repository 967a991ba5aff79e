package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/rules/build"
)

// exercise is a teacher's file.
type exercise struct {
	path   string
	shown  []byte
	secret []byte
	claims []string // names, those that are shown first
	hidden int      // how many are secret
	hints  []string
}

var (
	secretLine = regexp.MustCompile(`(?m)^// Secret:[ \t]*\r?\n`)
	hintLine   = regexp.MustCompile(`(?m)^// Hint: (.*?)\r?$`)
	givenHint  = regexp.MustCompile(`(?m)^// Hint \d+: ([A-Za-z0-9+/=]+)\r?$`)
)

// read reads a teacher's file. Its claims have to be right or wrong of some solution, so it need
// not be right itself.
func read(path string) (*exercise, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	at := secretLine.FindIndex(text)
	if at == nil {
		return nil, fmt.Errorf("%s has no line `// Secret:`", path)
	}
	root, diags := dsl.Parse(path, text)
	if err := diags.Err(); err != nil {
		return nil, err
	}
	e := &exercise{path: path, shown: text[:at[0]], secret: text[at[1]:]}
	for _, c := range ast.All[*ast.Claim](root) {
		e.claims = append(e.claims, c.Name.Name)
		if c.Range.Start.Offset >= at[1] {
			e.hidden++
		}
	}
	for _, m := range hintLine.FindAllSubmatch(e.secret, -1) {
		e.hints = append(e.hints, string(m[1]))
	}
	return e, nil
}

// seal is the line that says to which exercise a file belongs.
func (e *exercise) seal() string {
	return fmt.Sprintf("// There are %d more claims, which stay secret: SHA-256 %x", e.hidden, sha256.Sum256(e.secret))
}

// handout is what students get. Hints are coded, so that nobody reads them by accident.
func (e *exercise) handout() []byte {
	text := bytes.TrimRight(slices.Clone(e.shown), "\n")
	text = fmt.Appendf(text, "\n\n%s\n", e.seal())
	for i, h := range e.hints {
		text = fmt.Appendf(text, "// Hint %d: %s\n", i+1, base64.StdEncoding.EncodeToString([]byte(h)))
	}
	return text
}

// hints are the hints of a file for students.
func hints(text []byte) (list []string) {
	for _, m := range givenHint.FindAllSubmatch(text, -1) {
		if h, err := base64.StdEncoding.DecodeString(string(m[1])); err == nil {
			list = append(list, string(h))
		}
	}
	return list
}

// mark is what came of a claim.
type mark int

const (
	wrong mark = iota
	right
	open   // a limit was reached
	faulty // the claim cannot be read with what was handed in
)

func (m mark) String() string { return [...]string{"wrong", "right", "open", "faulty"}[m] }

// graded is what came of a file.
type graded struct {
	marks  []mark // of each claim
	remark string
}

func (g *graded) points() int { return lists.Count(g.marks, func(m mark) bool { return m == right }) }

// grade decides the teacher's claims about what is in a file. The student's claims of the same
// names are left out, so that nobody changes the question. The error is one of reading the file.
func (e *exercise) grade(ctx context.Context, path string, each time.Duration) (*graded, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	g := &graded{marks: make([]mark, len(e.claims))}
	if !bytes.Contains(text, []byte(e.seal())) {
		g.remark = "this file is not of this exercise"
	}
	root, diags := dsl.Parse(path, text)
	if err := diags.Err(); err != nil {
		g.fail(err)
		return g, nil
	}
	file, err := proofs.Load(path, func(at string) ([]byte, error) {
		if at == path {
			return e.with(root, text), nil
		}
		return os.ReadFile(at)
	})
	if err != nil {
		g.fail(err)
		return g, nil
	}
	opt := suite.Options{Each: each, Decide: proofs.Options{Bounds: limit.Bounds{MaxMemory: 1 << 30}}}
	for i, name := range e.claims {
		g.marks[i] = decide(ctx, file, path, name, opt)
	}
	return g, nil
}

// fail marks all claims as faulty.
func (g *graded) fail(err error) {
	g.remark = strings.Join(strings.Fields(err.Error()), " ")
	for i := range g.marks {
		g.marks[i] = faulty
	}
}

// with is a student's text with the teacher's claims in place of those of the same names, and with
// all that is secret.
func (e *exercise) with(root *ast.File, text []byte) []byte {
	var out []byte
	at := 0
	for _, c := range ast.All[*ast.Claim](root) {
		if slices.Contains(e.claims, c.Name.Name) {
			r := c.Range
			out, at = append(out, text[at:r.Start.Offset]...), r.End.Offset
		}
	}
	out = append(append(out, text[at:]...), '\n')
	if teacher, diags := dsl.Parse(e.path, e.shown); !diags.HasErrors() {
		for _, c := range ast.All[*ast.Claim](teacher) {
			r := c.Range
			out = append(append(out, e.shown[r.Start.Offset:r.End.Offset]...), '\n')
		}
	}
	return append(out, e.secret...)
}

// decide decides a claim, in all its instances.
func decide(ctx context.Context, file *proofs.File, path, name string, opt suite.Options) mark {
	instances, err := file.Instances(nil, name)
	if err != nil {
		return faulty
	}
	items := lists.Map(instances, func(i *build.Instance) *suite.Item {
		return &suite.Item{File: path, Program: file.Program, Claim: name, Instance: i}
	})
	m := right
	for _, i := range suite.Run(ctx, items, opt).Items {
		switch o := i.Outcome(); {
		case i.Err != nil:
			return faulty
		case o == suite.Inconclusive:
			m = open
		case o != suite.AsExpected:
			return wrong
		}
	}
	return m
}
