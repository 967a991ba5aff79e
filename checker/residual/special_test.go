package residual_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/laws"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/rules/space"
)

// specialists compares actions that are specialized with those that are played as a whole.
type specialists struct {
	*player
	vary         [][]pack.Field
	list         []*residual.Specialist
	ranged       []pack.Field // of pits that lose no seeds
	alone, plays int          // actions
	spans        int          // plays with something else in ranged fields
}

func newSpecialists(t fataler, sys *rules.System, seeds int, kept rules.Parts) *specialists {
	p := &specialists{player: newPlayer(t, sys, seeds, kept)}
	n := len(sys.Pits)
	for _, varies := range []func(int) bool{
		func(pit int) bool { return pit < n/2 },
		func(pit int) bool { return pit >= n/2 },
		func(pit int) bool { return pit >= n/2 && pit < n-1 },
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
	for pit, grows := range laws.Growing(sys) {
		if f, has := p.codec.Cell(pit); has && grows && !slices.Contains(p.vary[2], f) && seeds < 256 && len(p.ranged) < residual.MostRanged {
			p.ranged = append(p.ranged, f)
		}
	}
	p.list[2].Range(p.ranged)
	return p
}

// compareSpan plays a script in a state of key with other seeds in a ranged field.
func (p *specialists) compareSpan(t fataler, special *residual.Specialist, key, known []uint64, place int) {
	t.Helper()
	for i, f := range p.ranged {
		before := key[f.Word] >> f.Shift & f.Mask
		for _, v := range []uint64{uint64(special.Within[i].Low), uint64(special.Within[i].High)} {
			other, want, got, out := slices.Clone(key), make([]uint64, len(key)), make([]uint64, len(key)), make([]uint64, len(key))
			other[f.Word] += (v - before) << f.Shift
			if p.seeds(other) > p.seeds(key) {
				continue // the fields may not have room
			}
			wanted := p.stepper.PlayOne(other, place, want)
			for w := range key {
				got[w] = key[w] - known[w]
			}
			end, how, _ := special.Script.Run(got, out)
			if how == residual.Unplayed || wanted == residual.Unplayed {
				continue
			}
			for w := range got {
				if how == residual.Legal {
					got[w] += special.Ends[end][w] + out[w]
				}
			}
			got[f.Word] += (v - before) << f.Shift
			if p.spans++; how != wanted || how == residual.Legal && !slices.Equal(got, want) {
				t.Fatalf("place %d from %x with %d of %v: %x %v, want %x %v within %v\n%s", place, key, v, f, got, how, want, wanted, special.Within, p.in.System().Canonical())
			}
		}
	}
}

// seeds returns the seeds in the pits of a state.
func (p *specialists) seeds(key []uint64) (n uint64) {
	for pit := range p.in.System().Pits {
		if f, has := p.codec.Cell(pit); has {
			n += key[f.Word] >> f.Shift & f.Mask
		}
	}
	return n
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
		known, varies, total := slices.Clone(key), make([]uint64, len(key)), uint64(0)
		for _, f := range p.vary[i] {
			varies[f.Word] |= f.Mask << f.Shift
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
			apart := true // what varies and the rest
			if how == residual.Legal {
				for w := range got {
					rest := special.Ends[end][w] + out[w]
					apart = apart && got[w]&^varies[w] == 0 && rest&varies[w] == 0
					got[w] += rest
				}
			}
			if wanted == residual.Unplayed {
				wanted = p.whole(t, key, action, want)
			}
			if i == 2 && how != residual.Unplayed && apart && (how == residual.Illegal || len(special.Ends) > 0) {
				p.compareSpan(t, special, key, known, place)
			}
			if how != wanted || !apart || how == residual.Legal && !slices.Equal(got, want) {
				t.Fatalf("action %d from %v, division %d: legality %v, %x, want %v, %x\n%s", action, s, i, how, got, wanted, want, p.in.System().Canonical())
			}
		}
	}
}

// whole plays all actions of a state, and says how one of them ended.
func (p *specialists) whole(t fataler, key []uint64, action int32, to []uint64) residual.Legality {
	t.Helper()
	var steps pack.Batch
	if err := p.stepper.Expand(key, &steps); err != nil {
		return residual.Unplayed
	}
	i := slices.Index(steps.Actions, action)
	if i < 0 {
		return residual.Illegal
	}
	copy(to, steps.Keys[i*len(key):][:len(key)])
	return residual.Legal
}

// TestSpecialize plays random rule sets, and those of two rows, with some pits known. Some pits are
// left out of the states of every third one.
func TestSpecialize(t *testing.T) {
	two := rapid.Custom(func(r *rapid.T) *rules.System { return buildtest.TwoRows(t, r) })
	for name, gen := range map[string]*rapid.Generator[*rules.System]{"any": rulestest.System(), "two rows": two} {
		alone, plays, spans, few := 0, 0, 0, tier.Every(25, 11)
		for i := 0; i < 3000; i += few {
			sys, kept, seeds := gen.Example(i+1), rules.Parts{}, 30
			if i%4 == 1 {
				seeds = 5000 // more than one word
			}
			if i%3 == 0 {
				kept.Pits = rapid.SliceOfN(rapid.Bool(), len(sys.Pits), len(sys.Pits)).Example(i)
			}
			p := newSpecialists(t, sys, seeds, kept)
			for j := range 3 {
				s := p.reduce(rulestest.State(sys, 30).Example(3*i + j))
				for range 2 {
					p.compare(t, s)
					steps, err := p.steps(s)
					if err != nil || len(steps) == 0 {
						break
					}
					s = steps[j%len(steps)].To
				}
			}
			alone, plays, spans = alone+p.alone, plays+p.plays, spans+p.spans
		}
		t.Logf("%s: %d of %d actions have to be played as a whole; %d with other stores", name, alone, plays, spans)
		if plays < 50_000/few || spans < 5000/few || alone > plays/10*9 {
			t.Errorf("%s: too few actions are specialized", name)
		}
	}
}

// TestSpecializeBack: seeds that came to a pit that varies are taken away again, after something
// was looked at.
func TestSpecializeBack(t *testing.T) {
	few := `variant Few {
  board {
    a[1..3] b[1..3] c
    line way = a1, b1, b2
    line on = a2, b2, b3
  }
  setup { any where total(a) = 2, total(b) = 5 }
  move "back" {
    capture b1 into b3
    sow a1 along way
    if b3 = 3 { capture a2 into a3 }
    capture b1 into c
  }
  move "on" when a2 > 0 {
    capture b2 into b1
    sow a2 along on
    if b1 = 2 { capture a1 into c }
    capture b2 into a3
    if total(b1, b2) = 0 { capture b3 into c }
  }
  move "some" {
    let k = min(seeds(a1), seeds(a2) + 1)
    if b1 = 1 { k = min(seeds(a1), seeds(a3))  capture b2 into b3 }
    take k from a1 into b1
  }
}
`
	// All seeds there are come to a pit, and are taken away again.
	all := `variant All {
  board {
    x c y a
    ring round = x
  }
  setup { any where total(a, x, y) = 15 }
  move "all" {
    capture x into y
    sow a along round, starting at x
    if y = 0 { capture y into c }
    capture x into c
  }
}
`
	for text, seeds := range map[string]int{few: 7, all: 15} {
		p := newSpecialists(t, buildtest.System(t, buildtest.Text(t, text), nil), seeds, rules.Parts{})
		err := space.Starts(t.Context(), p.in, func(s rules.State) error {
			p.compare(t, s)
			return nil
		})
		if err != nil || p.plays < 4 || p.alone > p.plays/4*3 {
			t.Errorf("%d seeds: %d of %d actions have to be played as a whole, %v", seeds, p.alone, p.plays, err)
		}
	}
}
