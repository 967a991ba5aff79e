package step_test

import (
	"context"
	"errors"
	"testing"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
)

// TestWithin: stepper and interpreter end in the middle of a long move when the context does.
func TestWithin(t *testing.T) {
	for _, body := range []string{"sow a along lap, each drop { odd = not odd }", "while a > 0 { take 1 from a into b }"} {
		sys := buildtest.System(t, buildtest.Text(t, `
			variant Long {
			  board { a | b  ring lap = a, b }
			  state odd : bool = false
			  setup { a = 1000000000000 }
			  move { `+body+` }
			}`), nil)
		start := buildtest.FirstStart(t, interp.New(sys))
		if _, _, err := interp.New(sys).Within(limit.WithLooks(context.Background(), 5)).Do(start, 0); !errors.Is(err, limit.ErrLooks) {
			t.Errorf("%s: the interpreter ends with %v", body, err)
		}
		m := compile(t, sys)
		flat := pack.NewFlat(sys)
		flat.Set(start)
		m.Within(limit.WithLooks(context.Background(), 5))
		if _, _, err := m.Clone().Do(flat, 0); !errors.Is(err, limit.ErrLooks) {
			t.Errorf("%s: the stepper ends with %v", body, err)
		}
		m.Within(context.Background())
		flat.Cells[0] = 10
		if _, legal, err := m.Do(flat, 0); !legal || err != nil {
			t.Errorf("%s: a short move is legal: %t, %v", body, legal, err)
		}
	}
}
