package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/processor"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// Limits of what is found out about one question. The figures of the page should not depend on how
// fast the machine is, so states are limited first, and time only where these take too long.
const (
	knownStates    = 100_000
	knownPositions = 4_000_000 // of a hunt
	knownMemory    = 1 << 30
)

// fact is what is known of one question about a variant, at its default board.
type fact struct {
	About  aspect
	Of     string         // the pit or the player that the question is about; may be empty
	Claim  string         // the question as a property of the language
	Result *proofs.Result // nil if it could not be asked: Err says why
	Err    error
}

// aspect is what a question is about.
type aspect int

const (
	conserved  aspect = iota // the seeds in all pits are always as many
	grows                    // a pit never loses seeds
	neverStuck               // no play comes to a state without a move, and no move goes on for ever
	forEver                  // some play is infinite
	starved                  // Of is to move with no seeds in the pits drawn with brackets
	canWin                   // some play is won by Of
)

// Known reports whether the question has an answer.
func (f fact) Known() bool { return f.Result != nil && f.Result.Conclusive() }

// Holds reports whether the property is proved.
func (f fact) Holds() bool { return f.Result != nil && f.Result.Status == proofs.Proved }

// Depth is how many moves of all plays were searched for an answer that was not found. It is -1 if
// none were.
func (f fact) Depth() int {
	if f.Result != nil {
		if open, is := f.Result.Open.(verdict.Ended); is && open.Work == verdict.ForwardSearch {
			return open.Depth
		}
	}
	return -1
}

// String is a sentence about the answer, or about what has limited the search for one.
func (f fact) String() string {
	if f.Result == nil {
		return fmt.Sprintf("%s: %v", f.Claim, f.Err)
	}
	return fmt.Sprintf("%s: %s by %s, %s", f.Claim, f.Result.Status, f.Result.Engine, f.Result.Sentence())
}

// known asks what is true of a variant at its default board, each question for no longer than a
// time. A question that a limit leaves open has the status unknown, with the limit as its reason.
// What skip says is left out. The engines are asked in turn until there is an answer. The error is
// one of the file.
func known(ctx context.Context, path, variant string, each time.Duration, engines []verdict.Engine, skip func(fact) bool) ([]fact, error) {
	f, err := proofs.Open(path)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(f.Unit.Variants, func(v *ast.Variant) bool { return v.Name.Name == variant })
	if i < 0 {
		return nil, fmt.Errorf("%s has no variant %s", path, variant)
	}
	sys, diags := f.Unit.System(f.Unit.Variants[i], nil)
	if err := diags.Err(); err != nil {
		return nil, err
	}
	list, err := questions(ctx, sys)
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, skip)
	for i := range list {
		ask(ctx, path, variant, &list[i], each, engines)
	}
	return list, ctx.Err()
}

// questions lists what is to be asked of a System.
func questions(ctx context.Context, sys *rules.System) ([]fact, error) {
	all, err := sameTotal(ctx, sys)
	if err != nil {
		return nil, err
	}
	list := []fact{{About: conserved, Claim: all}}
	houses := map[int]bool{} // by owner
	for _, p := range sys.Pits {
		if bracketed(p) {
			houses[p.Owner] = true
		} else {
			list = append(list, fact{About: grows, Of: p.Name, Claim: fmt.Sprintf("from not finished every step gives seeds(%s) >= old seeds(%s)", p.Name, p.Name)})
		}
	}
	list = append(list, fact{About: neverStuck, Claim: "never stuck"}, fact{About: forEver, Claim: "can go on for ever"})
	if len(sys.Players) == 1 {
		return list, nil
	}
	for i, p := range sys.Players {
		if houses[i] {
			list = append(list, fact{About: starved, Of: p, Claim: fmt.Sprintf("reachable mover = %s and total(house of %s) = 0", p, p)})
		}
		list = append(list, fact{About: canWin, Of: p, Claim: fmt.Sprintf("reachable %s wins", p)})
	}
	return list, nil
}

// bracketed reports whether a pit is drawn with brackets.
func bracketed(p rules.Pit) bool { return p.Name != p.Group }

// sameTotal is the claim of conservation: with the number of seeds if all starts have as many.
func sameTotal(ctx context.Context, sys *rules.System) (string, error) {
	totals := map[int]bool{}
	many := errors.New("many")
	err := space.Starts(ctx, interp.New(sys), func(s rules.State) error {
		if totals[s.Total()] = true; len(totals) > 1 {
			return many
		}
		return nil
	})
	switch {
	case len(totals) == 1 && err == nil:
		for n := range totals {
			return fmt.Sprintf("invariant total(pit) = %d", n), nil
		}
	case err != nil && !errors.Is(err, many):
		return "", err
	}
	return "from not finished every step gives total(pit) = old total(pit)", nil
}

// everyEngine asks the tool's own choice and a hunt. Where that takes too long, a search forward
// says how many moves of all plays were looked at.
var everyEngine = []verdict.Engine{verdict.Auto, verdict.Hunt, verdict.Forward}

// ask decides one property of a variant. What is kept is an answer, or else how far a search came.
func ask(ctx context.Context, path, variant string, f *fact, most time.Duration, engines []verdict.Engine) {
	for i, engine := range engines {
		try := *f
		try.Result, try.Err = decide(ctx, path, variant, f.Claim, engine, most)
		if i == 0 || try.Known() || f.Depth() < 0 && try.Depth() >= 0 {
			*f = try
		}
		if f.Err != nil || f.Known() {
			return
		}
	}
}

// decide decides a property, in a file of its own that imports the variant's.
func decide(ctx context.Context, path, variant, property string, engine verdict.Engine, most time.Duration) (*proofs.Result, error) {
	ctx, stop := withProcessorTime(ctx, most)
	defer stop()
	const name = "known.sow"
	at := filepath.Join(filepath.Dir(path), name)
	f, err := proofs.Load(at, func(p string) ([]byte, error) {
		if strings.HasSuffix(p, name) {
			return fmt.Appendf(nil, "import %q\nclaim known of %s { %s }\n", filepath.Base(path), variant, property), nil
		}
		return os.ReadFile(p)
	})
	if err != nil {
		return nil, err
	}
	states := int64(knownStates)
	if engine == verdict.Hunt {
		states = knownPositions
	}
	instances, err := f.Instances(nil, "known")
	if err != nil {
		return nil, err
	}
	return proofs.Decide(ctx, instances[0], proofs.Options{
		Bounds: limit.Bounds{MaxStates: states, MaxMemory: knownMemory},
		Engine: engine,
		// A solver seldom helps with a board that is played, and takes long to find out.
		SolverTimeout: time.Second,
	})
}

// withProcessorTime ends a context when the program has used that much more time of processors, so
// that other programs do not change how far a search comes. After ten times as long it ends anyway.
func withProcessorTime(ctx context.Context, most time.Duration) (context.Context, context.CancelFunc) {
	ctx, last := context.WithTimeout(ctx, 10*most)
	ctx, stop := context.WithCancelCause(ctx)
	began := processor.Time()
	go func() {
		ticks := time.NewTicker(50 * time.Millisecond)
		defer ticks.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticks.C:
				if processor.Time()-began > most {
					stop(context.DeadlineExceeded)
				}
			}
		}
	}()
	return ctx, func() { stop(nil); last() }
}
