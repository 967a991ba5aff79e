package space

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/internal/samples"
	"github.com/mancheck/mancheck/rules/interp"
)

func dealer(t *testing.T, sys *rules.System) *Dealer {
	t.Helper()
	d, err := NewDealer(t.Context(), interp.New(sys))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestDealEvenly: each start is dealt about as often as any other, whether starts are listed or
// drawn, and no deal is anything else.
func TestDealEvenly(t *testing.T) {
	const each = 400
	total := func(bound int) *rules.System { // at most 2 seeds in the first hole: draws beyond that fail
		sys := samples.Dose(2, 8)
		sys.Start.Cond = rules.Conjunction(sys.Start.Cond, rules.Binary{Op: rules.Le, L: rules.PitAt(sys.PitNamed("hole01")), R: rules.Number(bound)})
		return sys
	}
	for _, sys := range []*rules.System{samples.Dose(2, 8), total(2)} {
		for _, many := range []bool{false, true} {
			d := dealer(t, sys)
			n, listed := len(d.list), d.many
			if listed || n < 20 || d.MostSeeds() != 8 {
				t.Fatalf("%d starts, %v, at most %d seeds", n, listed, d.MostSeeds())
			}
			d.many = many
			seen := map[string]int{}
			for i := range uint64(n * each) {
				st, err := d.Deal(t.Context(), Random(1, i))
				if err != nil {
					t.Fatal(err)
				}
				seen[fmt.Sprint(st)]++
			}
			for _, st := range d.list {
				// Six standard deviations of a binomial distribution, which is 20 or less.
				if k := seen[fmt.Sprint(st)]; k < each-120 || k > each+120 {
					t.Errorf("many=%v: %v was dealt %d times of %d", many, st.Seeds, k, n*each)
				}
			}
			if len(seen) != n {
				t.Errorf("many=%v: %d starts were dealt, there are %d", many, len(seen), n)
			}
		}
	}
}

// TestDealMany: of 17 billion starts of the contest each deal is one, within the bound on seeds.
func TestDealMany(t *testing.T) {
	sys := samples.Dose(6, 48)
	in, d := interp.New(sys), dealer(t, sys)
	if !d.many || d.MostSeeds() != 48 {
		t.Errorf("many: %v, seeds: %d", d.many, d.MostSeeds())
	}
	var last rules.State
	for i := range uint64(50) {
		st, err := d.Deal(t.Context(), Random(7, i))
		if err != nil {
			t.Fatal(err)
		}
		if is, err := in.IsStart(st); err != nil || !is {
			t.Fatalf("%v is no start: %v", st, err)
		}
		again, err := d.Deal(t.Context(), Random(7, i))
		if err != nil || !again.Equal(st) || st.Equal(last) {
			t.Errorf("deal %d: %v, again %v, before %v, %v", i, st, again, last, err)
		}
		last = st
	}
}

// TestDealUnbounded: where nothing bounds the pits they have few seeds more than they must.
func TestDealUnbounded(t *testing.T) {
	sys := samples.Dose(2, 4)
	holes := []int{}
	cond := []rules.Expr{}
	for p, free := range sys.Start.Free {
		if free {
			holes = append(holes, p)
			cond = append(cond, rules.Binary{Op: rules.Ge, L: rules.PitAt(p), R: rules.Number(1)})
		}
	}
	sys.Start.Cond = rules.Conjunction(cond...)
	d, most, least := dealer(t, sys), 0, 100
	for i := range uint64(200) {
		st, err := d.Deal(t.Context(), Random(1, i))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range holes {
			most, least = max(most, st.Seeds[p]), min(least, st.Seeds[p])
		}
	}
	if most != 1+Spread || least != 1 || d.MostSeeds() != len(holes)*(1+Spread) {
		t.Errorf("from %d to %d seeds in a hole, at most %d", least, most, d.MostSeeds())
	}
}

// TestDealSearched: where draws hardly ever satisfy the setup a search finds starts, more than one;
// and where there is no start none is dealt.
func TestDealSearched(t *testing.T) {
	sys := samples.Dose(6, 48)
	square := func(name string) rules.Expr {
		p := rules.PitAt(sys.PitNamed(name))
		return rules.Binary{Op: rules.Mul, L: p, R: p}
	}
	holes := []string{"hole02", "hole03", "hole04", "hole05", "hole06", "hole07"}
	for _, name := range holes { // squares tell no bounds
		sys.Start.Cond = rules.Conjunction(sys.Start.Cond, rules.Binary{Op: rules.Eq, L: square("hole01"), R: square(name)})
	}
	d := dealer(t, sys)
	d.many, d.list = true, nil
	seen := map[string]bool{}
	for i := range uint64(20) {
		st, err := d.Deal(t.Context(), Random(1, i))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range holes {
			if st.Seeds[sys.PitNamed(name)] != st.Seeds[sys.PitNamed("hole01")] {
				t.Errorf("%v is no start", st.Seeds)
			}
		}
		seen[fmt.Sprint(st.Seeds)] = true
	}
	if len(seen) < 5 {
		t.Errorf("%d starts of 20 deals", len(seen))
	}
	none := samples.Dose(2, 3) // fewer stones than holes
	if _, err := dealer(t, none).Deal(t.Context(), Random(1, 1)); !errors.Is(err, ErrNoDeal) {
		t.Errorf("%v, want ErrNoDeal", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := NewDealer(ctx, interp.New(sys)); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want a cancelled context", err)
	}
}
