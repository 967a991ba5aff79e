package residual_test

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// fataler is the common interface of *testing.T and *rapid.T.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// player plays one System by residual programs and by the reference interpreter.
type player struct {
	in      *interp.Interp
	codec   *pack.Codec
	stepper *residual.Stepper
	batch   pack.Batch
}

func newPlayer(t fataler, sys *rules.System, seeds int, kept rules.Parts) *player {
	t.Helper()
	c, err := pack.NewCodec(sys, seeds, kept)
	if err != nil {
		t.Fatalf("codec: %v", err)
	}
	return &player{in: interp.New(sys), codec: c, stepper: residual.New(context.Background(), sys, c)}
}

// steps lists the steps of s by residual programs.
func (p *player) steps(s rules.State) ([]interp.Step, error) {
	flat, key := pack.NewFlat(p.in.System()), make([]uint64, p.codec.Words())
	flat.Set(s)
	if err := p.codec.Pack(flat, key); err != nil {
		return nil, err
	}
	p.batch.Reset()
	if err := p.stepper.Expand(key, &p.batch); err != nil {
		return nil, err
	}
	var steps []interp.Step
	for i, a := range p.batch.Actions {
		p.codec.Unpack(p.batch.Keys[i*len(key):(i+1)*len(key)], flat)
		steps = append(steps, interp.Step{Action: int(a), To: flat.State(p.in.System())})
	}
	return steps, nil
}

func equalSteps(a, b []interp.Step) bool {
	return slices.EqualFunc(a, b, func(x, y interp.Step) bool { return x.Action == y.Action && x.To.Equal(y.To) })
}

// compare checks that both have the same steps from s, and agree on whether there is a move.
func (p *player) compare(t fataler, s rules.State) []interp.Step {
	t.Helper()
	want, wantErr := p.in.Steps(s)
	got, err := p.steps(s)
	if (err != nil) != (wantErr != nil) {
		t.Fatalf("from %v: error %v, want %v\n%s", s, err, wantErr, p.in.System().Canonical())
	}
	if err != nil {
		return nil
	}
	if !equalSteps(got, want) {
		t.Fatalf("from %v:\n got %v\nwant %v\n%s", s, got, want, p.in.System().Canonical())
	}
	p.compareCanMove(t, s)
	return want
}

func (p *player) compareCanMove(t fataler, s rules.State) {
	t.Helper()
	flat, key := pack.NewFlat(p.in.System()), make([]uint64, p.codec.Words())
	flat.Set(s)
	want, wantErr := p.in.Player().CanMove(s)
	_ = p.codec.Pack(flat, key)
	if can, err := p.stepper.CanMove(key); can != want || (err != nil) != (wantErr != nil) {
		t.Fatalf("from %v: can move: %v, %v, want %v, %v\n%s", s, can, err, want, wantErr, p.in.System().Canonical())
	}
}

// walk compares the steps of s, of one of its successors, and so on.
func (p *player) walk(t *rapid.T, s rules.State, length int) {
	for range length {
		steps := p.compare(t, s)
		if len(steps) == 0 {
			return
		}
		s = steps[rapid.IntRange(0, len(steps)-1).Draw(t, "step")].To
	}
}

// TestRandomSystems plays random rule sets in both ways. To play more of them:
//
//	go test ./checker/residual -run TestRandomSystems -v -rapid.checks=100000
func TestRandomSystems(t *testing.T) {
	states, fellBack := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		p := newPlayer(t, sys, 30, rules.Parts{})
		for range 6 {
			s := rulestest.State(sys, 30).Draw(t, "state")
			p.walk(t, s, 4)
			states++
		}
		fellBack += p.stepper.FellBack()
	})
	t.Logf("%d walks, %d states left to the interpreter", states, fellBack)
}

// TestParts plays random rule sets on states of which any parts are ignored: both find
// ignored pits empty, and ignored variables at their initial values.
func TestParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		some := func(n int) []bool { return rapid.SliceOfN(rapid.Bool(), n, n).Draw(t, "parts") }
		p := newPlayer(t, sys, 30, rules.Parts{Pits: some(len(sys.Pits)), Vars: some(len(sys.Vars))})
		for range 6 {
			p.compareParts(t, rulestest.State(sys, 30).Draw(t, "state"))
		}
	})
}

// compareParts compares the steps of what is kept of s.
func (p *player) compareParts(t *rapid.T, s rules.State) {
	s = p.reduce(s)
	want, wantErr := p.in.Steps(s)
	got, err := p.steps(s)
	if (err != nil) != (wantErr != nil) {
		t.Fatalf("from %v: error %v, want %v\n%s", s, err, wantErr, p.in.System().Canonical())
	}
	for i := range want {
		want[i].To = p.reduce(want[i].To)
	}
	if err == nil && !equalSteps(got, want) {
		t.Fatalf("from %v:\n got %v\nwant %v\n%s", s, got, want, p.in.System().Canonical())
	}
	if err == nil {
		p.compareCanMove(t, s)
	}
}

// reduce replaces what is ignored of s.
func (p *player) reduce(s rules.State) rules.State {
	flat, key := pack.NewFlat(p.in.System()), make([]uint64, p.codec.Words())
	flat.Set(s)
	if err := p.codec.Pack(flat, key); err != nil {
		panic(err)
	}
	p.codec.Unpack(key, flat)
	return flat.State(p.in.System())
}

// TestExamples plays the example files at random, from their start and from any state.
func TestExamples(t *testing.T) {
	for i, sys := range buildtest.Systems(t, "../../examples/*.sow", "../../examples/family/*.sow") {
		if i%tier.Every(15, 4) != 0 {
			continue
		}
		t.Run(sys.Name, func(t *testing.T) {
			start := buildtest.FirstStart(t, interp.New(sys))
			p := newPlayer(t, sys, start.Total(), rules.Parts{})
			rapid.Check(t, func(t *rapid.T) {
				p.walk(t, start, 5)
				p.walk(t, rulestest.State(sys, start.Total()).Draw(t, "state"), 3)
			})
			t.Logf("%d points, %d states left to the interpreter", p.stepper.Points(), p.stepper.FellBack())
		})
	}
}

func BenchmarkExpand(b *testing.B) {
	sys := rulestest.Kalah(6, 4, false)
	p := newPlayer(b, sys, 48, rules.Parts{})
	flat, key := pack.NewFlat(sys), make([]uint64, p.codec.Words())
	flat.Set(rulestest.KalahStart(sys, 4))
	if err := p.codec.Pack(flat, key); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		p.batch.Reset()
		_ = p.stepper.Expand(key, &p.batch)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/6, "ns/transition")
}

// TestMovesIf compares moves of seeds under conditions, which become one operation if that is
// possible, with whatever comes before and after them.
func TestMovesIf(t *testing.T) {
	lines, between := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.Kalah(2, 3, false)
		if rapid.Bool().Draw(t, "one player") {
			sys = rulestest.Solitaire(rapid.IntRange(2, 8).Draw(t, "half")) // a large one takes two words
		} else if rapid.Bool().Draw(t, "large") {
			sys = rulestest.Kalah(rapid.IntRange(5, 12).Draw(t, "pits"), 3, rapid.Bool().Draw(t, "empty capture"))
		}
		pit := rapid.IntRange(0, len(sys.Pits)-1)
		for i := range sys.Actions {
			sow := rules.Sow{Source: rules.Const{Value: pit.Draw(t, "source")}}
			body := []rules.Stmt{sow}
			for range rapid.IntRange(1, 3).Draw(t, "statements") {
				if s := moveIf(t, len(sys.Pits)-1, sow.Source, pit); rapid.Bool().Draw(t, "if") {
					body = append(body, s)
				} else {
					body = append(body, s.Then...)
				}
			}
			if rapid.Bool().Draw(t, "first") {
				sys.Actions[i].Body = append(body, sys.Actions[i].Body...)
			} else {
				sys.Actions[i].Body = append(slices.Clone(sys.Actions[i].Body), body...)
			}
		}
		p := newPlayer(t, sys, 30, rules.Parts{})
		for range 5 {
			p.walk(t, rulestest.State(sys, 30).Draw(t, "state"), 3)
		}
		lines += p.stepper.Moves()
		between += p.stepper.MovesBetween()
	})
	if lines == 0 || between == 0 {
		t.Errorf("%d lines with moves, %d moves between words", lines, between)
	}
}

// moveIf draws up to three moves under up to three conditions; pits may be far away from the first.
func moveIf(t *rapid.T, far int, source rules.Expr, pit *rapid.Generator[int]) rules.If {
	var cond rules.Expr
	for range rapid.IntRange(1, 3).Draw(t, "tests") {
		var x rules.Expr = rules.Binary{
			Op: rapid.SampledFrom([]rules.Op{rules.Eq, rules.Ne, rules.Gt, rules.Lt, rules.Le}).Draw(t, "op"),
			L:  rapid.SampledFrom([]rules.Expr{rules.PitAt(pit.Draw(t, "pit")), rules.Sum{Pits: []int{0, far}}, rules.Register(rules.LastWasReg)}).Draw(t, "left"),
			R:  rules.Const{Value: rapid.IntRange(0, 2).Draw(t, "right")},
		}
		if rapid.Bool().Draw(t, "not") {
			x = rules.Not{X: x}
		}
		if cond == nil {
			cond = x
		} else {
			cond = rules.Binary{Op: rapid.SampledFrom([]rules.Op{rules.And, rules.And, rules.Or}).Draw(t, "and"), L: cond, R: x}
		}
	}
	s := rules.If{Cond: cond}
	for range rapid.IntRange(1, 3).Draw(t, "moves") {
		from := rapid.SampledFrom([]rules.Expr{rules.Const{Value: pit.Draw(t, "from")}, source, rules.Last}).Draw(t, "from")
		s.Then = append(s.Then, rules.Transfer{From: from, Into: rules.Const{Value: pit.Draw(t, "into")}})
	}
	return s
}

// TestRanges compares conditions that bound the seeds of a pit from both sides, in either order,
// also where no number is between the bounds.
func TestRanges(t *testing.T) {
	for lo := range 5 {
		for hi := range 5 {
			above := rules.Binary{Op: rules.Gt, L: rules.PitAt(1), R: rules.Const{Value: lo}}
			below := rules.Binary{Op: rules.Lt, L: rules.PitAt(1), R: rules.Const{Value: hi}}
			for _, sides := range [][2]rules.Expr{{above, below}, {below, above}} {
				sys := rulestest.Solitaire(2)
				both := rules.Binary{Op: rules.And, L: sides[0], R: sides[1]}
				sys.Actions = []rules.Action{{Body: []rules.Stmt{rules.If{Cond: both, Then: []rules.Stmt{rules.Stop{Outcome: 0}}}}}}
				p := newPlayer(t, sys, 30, rules.Parts{})
				for n := range 6 {
					s := sys.EmptyStart()
					s.Seeds[1] = n
					p.compare(t, s)
				}
			}
		}
	}
}

// TestRangeOfBoth compares conditions that bound the seeds of two pits by the same number, as of
// all stores, in states of one word and of several.
func TestRangeOfBoth(t *testing.T) {
	for _, half := range []int{2, 12} {
		for most := range 4 {
			for _, op := range []rules.Op{rules.Or, rules.And} {
				for _, than := range []rules.Op{rules.Gt, rules.Lt} {
					sys := rulestest.Solitaire(half)
					of := func(p int) rules.Expr { return rules.Binary{Op: than, L: rules.PitAt(p), R: rules.Const{Value: most}} }
					cond := rules.Binary{Op: op, L: of(0), R: of(1)}
					sys.Actions = []rules.Action{{Body: []rules.Stmt{rules.If{Cond: cond, Then: []rules.Stmt{rules.Stop{Outcome: 0}}}}}}
					p := newPlayer(t, sys, 30, rules.Parts{})
					for n := range 25 {
						s := sys.EmptyStart()
						s.Seeds[0], s.Seeds[1] = n/5, n%5
						p.compare(t, s)
					}
				}
			}
		}
	}
}

// TestRefusals compares whether there is a move after which something may go wrong in a way of its
// own, which is the last statement of its body.
func TestRefusals(t *testing.T) {
	local := rules.Cell{Sort: rules.LocalCell}
	twice := rules.Set{To: local, X: rules.Binary{Op: rules.Add, L: local, R: local}}
	for name, last := range map[string]rules.Stmt{
		"an assignment below 0": rules.Set{To: rules.PitAt(0), X: rules.Binary{Op: rules.Sub, L: rules.PitAt(0), R: rules.Const{Value: 2}}},
		"a number that doubles": rules.While{Cond: rules.Binary{Op: rules.Gt, L: rules.PitAt(0), R: rules.Const{Value: 1}}, Body: []rules.Stmt{twice}},
		"a count that is large": rules.Transfer{From: rules.Const{Type: rules.PitType}, Into: rules.Const{Value: 1, Type: rules.PitType}, Count: rules.Const{Value: 2}},
		"a loop without an end": rules.While{Cond: rules.Binary{Op: rules.Gt, L: rules.PitAt(0), R: rules.Const{Value: 1}}},
		"a refusal":             rules.If{Cond: rules.Binary{Op: rules.Gt, L: rules.PitAt(0), R: rules.Const{Value: 1}}, Then: []rules.Stmt{rules.Stop{Outcome: rules.Illegal}}},
		"nothing":               rules.If{Cond: rules.Binary{Op: rules.Gt, L: rules.PitAt(0), R: rules.Const{Value: 1}}, Then: []rules.Stmt{rules.Stop{Outcome: 0}}},
	} {
		t.Run(name, func(t *testing.T) {
			sys := rulestest.Solitaire(2)
			sys.Actions = []rules.Action{{Body: []rules.Stmt{rules.Set{To: local, X: rules.Const{Value: 1}}, last}, Locals: []rules.Type{rules.NumberType}}}
			p := newPlayer(t, sys, 30, rules.Parts{})
			for n := range 4 {
				s := sys.EmptyStart()
				s.Seeds[0] = n
				p.compareCanMove(t, s)
			}
		})
	}
}
