package residual_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve/resolvetest"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// specialists compares actions that are specialized with those that are played as a whole.
type specialists struct {
	*player
	vary         [][]pack.Field
	list         []*residual.Specialist
	alone, plays int // actions
}

func newSpecialists(t fataler, sys *rules.System, seeds int) *specialists {
	p := &specialists{player: newPlayer(t, sys, seeds, rules.Parts{})}
	n := len(sys.Pits)
	for _, varies := range []func(int) bool{
		func(pit int) bool { return pit < n/2 },
		func(pit int) bool { return pit >= n/2 },
		func(pit int) bool { return pit%2 == 0 },
	} {
		var vary []pack.Field
		for pit := range n {
			if f, has := p.codec.Cell(pit); has && varies(pit) {
				vary = append(vary, f)
			}
		}
		p.vary = append(p.vary, vary)
		p.list = append(p.list, p.stepper.Specialist(vary, seeds))
	}
	return p
}

// compare plays all actions of a state both ways.
func (p *specialists) compare(t fataler, s rules.State) {
	t.Helper()
	flat, key := pack.NewFlat(p.in.System()), make([]uint64, p.codec.Words())
	flat.Set(s)
	if err := p.codec.Pack(flat, key); err != nil || len(key) > residual.MostWords {
		return
	}
	actions, ok := p.stepper.Menu(key)
	if !ok {
		return
	}
	want, got, out := make([]uint64, len(key)), make([]uint64, len(key)), make([]uint64, len(key))
	for i, special := range p.list {
		known, total := slices.Clone(key), uint64(0)
		for _, f := range p.vary[i] {
			total += key[f.Word] >> f.Shift & f.Mask
			known[f.Word] &^= f.Mask << f.Shift
		}
		for place, action := range actions {
			wanted := p.stepper.PlayOne(key, place, want)
			special.Specialize(known, int(total), place)
			for w := range key {
				got[w], out[w] = key[w]-known[w], 0
			}
			end, how, _ := special.Script.Run(got, out)
			if p.plays++; how == residual.Unplayed {
				p.alone++
				continue
			}
			if how == residual.Legal {
				for w := range got {
					got[w] += special.Ends[end][w] + out[w]
				}
			}
			if how != wanted || how == residual.Legal && !slices.Equal(got, want) {
				t.Fatalf("action %d from %v, division %d: legality %v, %x, want %v, %x\n%s", action, s, i, how, got, wanted, want, p.in.System().Canonical())
			}
		}
	}
}

// TestSpecialize plays random rule sets, and those of two rows, with some pits known.
func TestSpecialize(t *testing.T) {
	two := rapid.Custom(func(r *rapid.T) *rules.System { return resolvetest.TwoRows(t, r) })
	for name, gen := range map[string]*rapid.Generator[*rules.System]{"any": rulestest.System(), "two rows": two} {
		alone, plays := 0, 0
		for i := range 500 / tier.Every(5) {
			sys := gen.Example(i + 1)
			p := newSpecialists(t, sys, 30)
			for j := range 6 {
				s := rulestest.State(sys, 30).Example(6*i + j)
				for range 4 {
					p.compare(t, s)
					steps, err := p.steps(s)
					if err != nil || len(steps) == 0 {
						break
					}
					s = steps[j%len(steps)].To
				}
			}
			alone, plays = alone+p.alone, plays+p.plays
		}
		t.Logf("%s: %d of %d actions have to be played as a whole", name, alone, plays)
		if plays < 500 || alone > plays/10*9 {
			t.Errorf("%s: too few actions are specialized", name)
		}
	}
}
