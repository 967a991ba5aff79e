package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mancheck/mancheck/checker/coverage"
	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/cmd/internal/cover"
	"github.com/mancheck/mancheck/cmd/internal/fault"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/build"
)

// Verdict is what came of an instance of a claim.
type Verdict struct {
	Claim string `json:"claim"`
	report.Row
	NeedsSolver bool         `json:"needsSolver,omitempty"`
	Plays       []Play       `json:"plays,omitempty"`
	Sets        *Sets        `json:"sets,omitempty"`
	Fault       []Diagnostic `json:"fault,omitempty"` // instead of a verdict
}

// Play is evidence that can be stepped through.
type Play struct {
	Title  string          `json:"title"`
	Trace  json.RawMessage `json:"trace"`
	Ending string          `json:"ending,omitempty"`
}

// Sets has how the states found differ from those listed.
type Sets struct {
	Extra   []string `json:"extra"` // drawn
	Missing int      `json:"missing"`
}

// Underway says how far a decision is.
type Underway struct {
	Claim    string `json:"claim"`
	Progress string `json:"progress"`
}

// Decided is the end of a run.
type Decided struct {
	Total string `json:"total"`
}

// decide decides claims, and tells the verdict on each instance when it is there.
func (d *Desk) decide(ctx context.Context, s Source, names []string, tell Tell) (*Decided, error) {
	src, err := d.usable(d.reading(ctx), s)
	if err != nil {
		return nil, err
	}
	items, _ := src.File.Items(names, nil)
	src.Within(ctx) // a claim about every size has its rules resolved while it is decided
	rep := &suite.Report{Items: items}
	common := new(proofs.Common)
	for _, i := range items {
		if long := i.Instance != nil && i.Instance.Claim.Long && len(names) == 0; long {
			i.Long, i.Skipped = true, true
		} else if i.Err == nil {
			d.judge(ctx, i, common, tell)
		}
		tell(src.verdict(i))
		if i.Result != nil {
			i.Result.Shed() // evidence would fill the memory
		}
	}
	src.File.Unit.Forget()
	var total strings.Builder
	(&report.Table{W: &total}).Total(rep)
	return &Decided{strings.TrimSpace(total.String())}, nil
}

// holds decides a claim from the end of a play.
func (d *Desk) holds(ctx context.Context, s Source, g Game, claim string, tell Tell) (*Verdict, error) {
	p, err := d.whole(ctx, s, g)
	if err != nil {
		return nil, err
	}
	item, err := p.asker().Item(claim, p.last())
	if err != nil {
		return nil, err
	}
	p.src.Within(ctx)
	d.judge(ctx, item, nil, tell)
	if item.Err == nil {
		if text := p.asker().Misread(item); text != "" {
			return nil, errors.New(text)
		}
	}
	return p.src.verdict(item), nil
}

// Rival is the game that a game is compared with. It has a text of its own, with its own names.
type Rival struct {
	Source  Source `json:"source"`
	Variant string `json:"variant"`
	Name    string `json:"name"` // in the verdict
	In      string `json:"in"`   // what has to be the same, in the words of the language
}

// compare decides whether a game is equivalent to another one with the same parameters.
func (d *Desk) compare(ctx context.Context, q *Question, tell Tell) (*Verdict, error) {
	other, err := d.usable(d.reading(ctx), q.Rival.Source)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", q.Rival.Name, err)
	}
	src, sys, err := d.game(d.reading(ctx), q.Source, q.Game)
	if err != nil {
		return nil, err
	}
	defer src.File.Unit.Forget()
	decl := &ast.Claim{
		ClaimHead: ast.ClaimHead{Name: ast.Ident{Name: "comparison"}, Of: &ast.Ident{Name: sys.Name}},
		Property:  &ast.Relation{Kind: "equivalent", Other: ast.Ident{Name: q.Rival.Variant}, In: &ast.Agreement{Words: []string{q.Rival.In}}},
	}
	claim, diags := src.File.Unit.Claim(decl)
	list := claim.Against(other.File.Unit).Instances(build.SettingsOf(sys, diag.Range{}), &diags)
	if err := diags.Err(); err != nil {
		return nil, err
	}
	property := list[0].Property.(*build.Relation)
	called := *property.Other
	called.Name, property.Other = q.Rival.Name, &called
	item := &suite.Item{File: src.File.Path, Program: src.File.Program, Claim: claim.Name, Instance: list[0]}
	d.judge(ctx, item, nil, tell)
	return src.verdict(item), nil
}

// coverage searches a game from the starts of its setup, for some time, and counts what is carried
// out of the rules. The answer is that of the command line as JSON.
func (d *Desk) coverage(ctx context.Context, q *Question) (report.Object, error) {
	src, sys, err := d.game(d.reading(ctx), q.Source, q.Game)
	if err != nil {
		return nil, err
	}
	m, diags := src.File.Marked(sys.Name, build.SettingsOf(sys, diag.Range{}))
	if err := diags.Err(); err != nil {
		return nil, err
	}
	within, found := limit.WithClock(ctx, time.Duration(q.Time)*time.Millisecond), &coverage.Report{}
	bounds := limit.Bounds{MaxStates: d.limits.States, MaxMemory: d.limits.Memory}
	_, _, err = found.Search(within, sys, m, forward.Options{Bounds: bounds})
	return cover.JSON(found), fault.Explain(sys, err)
}

// judge decides an item.
func (d *Desk) judge(ctx context.Context, i *suite.Item, common *proofs.Common, tell Tell) {
	i.Decide(ctx, proofs.Options{
		Bounds: limit.Bounds{MaxStates: d.limits.States, MaxMemory: d.limits.Memory}, Common: common, Observer: pace(i.Name(), tell),
	})
	i.Err = fault.Explain(i.Instance.System, i.Err)
}

// every is the time between two reports of progress.
const every = 100 * time.Millisecond

// pace reports progress now and then.
func pace(name string, tell Tell) func(proofs.Progress) {
	var last time.Time
	return func(p proofs.Progress) {
		now := time.Now()
		if now.Sub(last) < every {
			return
		}
		last = now
		text := fmt.Sprintf("%s: %s, %s", name, p.Engine, numeral.Count(p.States, "state"))
		if p.Depth > 0 {
			text += fmt.Sprintf(", depth %d", p.Depth)
		}
		tell(Underway{name, text})
	}
}

// verdict describes what came of an item, with its evidence.
func (s *source) verdict(i *suite.Item) *Verdict {
	out := &Verdict{Claim: i.Claim, Row: report.RowOf(i)}
	if i.Err != nil {
		out.Fault = s.diagnostics(diag.FromError(i.Err))
	}
	r := i.Result
	if r == nil {
		return out
	}
	out.NeedsSolver = r.Status == proofs.Unknown && (r.Missing != nil || verdict.LacksSolver(r.Open))
	out.play("play", r.Trace)
	if r.Other != nil {
		out.play(r.Words().Pair.Other, r.Other)
	}
	out.play("counterexample to the induction step (its first board need not be reachable; it refutes nothing)", r.StepCounterexample)
	if r.Sets != nil {
		out.Sets = &Sets{Extra: []string{}, Missing: len(r.Sets.Missing)}
		for _, st := range r.Sets.Extra[:min(len(r.Sets.Extra), mostShown)] {
			out.Sets.Extra = append(out.Sets.Extra, board.Draw(r.System, st, board.Options{}))
		}
	}
	return out
}

// mostShown is how many states of a set are drawn.
const mostShown = 10

func (v *Verdict) play(title string, t *rules.Trace) {
	if t != nil {
		v.Plays = append(v.Plays, Play{title, board.TraceJSON(t.System, t), report.Ending(t)})
	}
}
