package space_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/rules/space"
)

// game is two rows of houses with a setup.
const game = `variant Game {
  player South, North
  board {
    north_store | north[%d..1] |
                | south[1..%[1]d] | south_store
  }
  setup { any where north_store = 0, south_store = 0, %[2]s }
  move { choose from in my house where from > 0  sow from along ccw }
  end when no move
}`

func systemWith(t *testing.T, houses int, setup string) *rules.System {
	return buildtest.System(t, buildtest.Text(t, fmt.Sprintf(game, houses, setup)), nil)
}

// TestNumberOfMany counts starts of which a formula of combinatorics says how many there are.
func TestNumberOfMany(t *testing.T) {
	const all, level = 279871768995, 14102750025 // C(59, 11), C(29, 5) squared
	for _, c := range []struct {
		setup string
		want  int64
	}{
		{"total(house) = 48", all},
		{"total(house) = 48, some house of South = 0", 203648015935}, // C(59, 11) - C(53, 11)
		{"total(house) = 48, each house > 0", 17417133617},           // C(47, 11)
		{"total(house) = 48, each house <= 8", 12434998005},          // by inclusion, exclusion
		{"total(house of South) = 24, total(house of North) = 24", level},
		{"total(house) = 48, total(house of South) > total(house of North)", (all - level) / 2},
		{"total(house) = 48, total(house of South) /= total(house of North)", all - level},
	} {
		n, ok, err := space.Number(t.Context(), systemWith(t, 6, c.setup), rules.True)
		if !ok || err != nil || n.Int64() != c.want {
			t.Errorf("%s: %v, want %d (%v)", c.setup, n, c.want, err)
		}
	}
}

// TestNumber compares with a list of the starts, for random conditions.
func TestNumber(t *testing.T) {
	counted := 0
	var games []*rules.System
	for _, setup := range []string{
		"total(house) = 5", "each house <= 2", "total(house) = 6, each house of South > 0",
		"total(house of South) + 2*seeds(north1) = 7, total(house) < 9",
		"total(house) = 5, seeds(north1) = 1 or seeds(south1) + seeds(north2) > 2 and seeds(south2) /= 1, seeds(north1) = 0 or seeds(south2) < 2",
	} {
		games = append(games, systemWith(t, 2, setup))
	}
	rapid.Check(t, func(t *rapid.T) {
		sys := rapid.SampledFrom(games).Draw(t, "game")
		where := rulestest.Claim(sys, false).Draw(t, "condition")
		n, ok, err := space.Number(t.Context(), sys, where)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			return
		}
		in, want := interp.New(sys), int64(0)
		err = space.Starts(t.Context(), in, func(s rules.State) error {
			is, err := in.Holds(where, s, nil)
			if is {
				want++
			}
			return err
		})
		if err != nil || n.Int64() != want {
			t.Fatalf("%s: %v, want %d (%v)", rules.ExprString(sys, where), n, want, err)
		}
		counted++
	})
	if counted == 0 {
		t.Error("nothing was counted")
	}
}
