package engine_test

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/smt/encode"
	"github.com/mancheck/mancheck/smt/engine"
)

// stepClaim is a question about every step of down, with what is found if nothing is shared.
type stepClaim struct {
	text   string
	status engine.Status
}

var stepClaims = []stepClaim{
	{"from true every step gives b = old b + 1", engine.Holds},
	{"from a >= 1 every step gives WON", engine.Fails},
	{"from a = 1 every step gives WON", engine.Holds},
	{"from b = 7 every step gives a < old a - 1", engine.Fails},
}

func (c stepClaim) ask(t *testing.T, ctx context.Context, opt engine.Options) (*engine.Stepped, error) {
	sys, p := about(t, c.text)
	e := p.(*build.EveryStep)
	return engine.EveryStep(ctx, sys, e.From, e.Gives, e.Actions, nil, opt)
}

// TestShared: questions that share formulas are answered as they are alone, whatever was asked
// before and whoever asks at the same time; and the formulas are made once.
func TestShared(t *testing.T) {
	needSolver(t)
	var made atomic.Int32
	shared := engine.Options{Encodings: &engine.Encodings{}, Trial: func(*rules.System, *encode.Encoder) error {
		made.Add(1)
		return nil
	}}
	var wg sync.WaitGroup
	for n := range 3 * len(stepClaims) {
		wg.Go(func() {
			c := stepClaims[n%len(stepClaims)]
			alone, err := c.ask(t, t.Context(), engine.Options{})
			if err != nil || alone.Status != c.status {
				t.Errorf("%s: %+v, %v", c.text, alone, err)
			}
			if got, err := c.ask(t, t.Context(), shared); err != nil || !reflect.DeepEqual(got, alone) {
				t.Errorf("%s: %+v, %v; alone %+v", c.text, got, err, alone)
			}
		})
	}
	wg.Wait()
	if n := made.Load(); n != 1 {
		t.Errorf("the formulas were made %d times", n)
	}
}

// TestNotShared: what one question could not show, for whatever reason, does not decide another.
func TestNotShared(t *testing.T) {
	needSolver(t)
	opt := engine.Options{Encodings: &engine.Encodings{}}
	wrong := errors.New("wrong")
	opt.Trial = func(*rules.System, *encode.Encoder) error { return wrong }
	if _, err := stepClaims[0].ask(t, t.Context(), opt); !errors.Is(err, wrong) {
		t.Fatalf("formulas that fail their trial: %v", err)
	}
	opt.Trial = nil
	if r, err := stepClaims[0].ask(t, t.Context(), opt); err != nil || r.Status != engine.Holds {
		t.Fatalf("after that: %+v, %v", r, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r, err := stepClaims[1].ask(t, ctx, opt); err == nil && r.Status != engine.Unknown {
		t.Errorf("without time: %+v", r)
	}
	if r, err := stepClaims[1].ask(t, t.Context(), opt); err != nil || r.Status != engine.Fails {
		t.Errorf("after that: %+v, %v", r, err)
	}

	// Rules that may have a fault are not well behaved, however often that is asked.
	const faulty = `
variant Faulty {
  board { a | b  line lap = a, b }
  setup { any where a = 3 }
  move when a > 0 and b div (a - 1) < 5 { take 1 from a into b }
}
`
	sys, p := property(t, faulty, "from true every step gives b >= 0")
	e := p.(*build.EveryStep)
	for range 2 {
		_, err := engine.EveryStep(t.Context(), sys, e.From, e.Gives, e.Actions, nil, engine.Options{Encodings: opt.Encodings})
		if undecided := engine.Undecided(err); !undecided {
			t.Errorf("rules with a fault: %v", err)
		}
	}
}
