package record_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/record"
)

// TestTrial writes recorded games as trials, in which the boards follow from the moves of seeds,
// and reads them again.
func TestTrial(t *testing.T) {
	games := familyGames(t)
	for i := range games {
		want := &games[i]
		got, err := record.Read(strings.NewReader(asTrial(want)))
		if err != nil || len(got) != 1 {
			t.Errorf("%s: %d games, %v", want.Name, len(got), err)
			continue
		}
		g := &got[0]
		if g.Name != "/lud/board/sow/"+want.Name || g.Over != want.Over || g.Winner() != want.Winner() || len(g.Plies) != len(want.Plies) {
			t.Errorf("%s becomes %s, over %t, won by %d, %d plies", want.Name, g.Name, g.Over, g.Winner(), len(g.Plies))
			continue
		}
		if !slices.Equal(g.Start.Counts, all(&want.Start)) || g.Start.Next != want.Start.Next {
			t.Errorf("%s begins with %+v, and not %+v", want.Name, g.Start, want.Start)
		}
		for k, p := range g.Plies {
			w := want.Plies[k]
			w.Counts, w.Hands = all(&w), nil
			if w.From < 0 {
				w.From, w.To = -1, -1
			}
			if k == len(want.Plies)-1 {
				w.Next = -1
			}
			if !reflect.DeepEqual(p, w) {
				t.Errorf("%s: ply %d is %+v, and not %+v", want.Name, k+1, p, w)
				break
			}
		}
	}
}

// TestTrialReplay replays trials, with laps that are plies merged into turns, too.
func TestTrialReplay(t *testing.T) {
	const dir = "../../examples/family"
	text, err := os.ReadFile(filepath.Join(dir, "records.map"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := record.ReadMap("records.map", text)
	if err != nil {
		t.Fatal(err)
	}
	games, turns := familyGames(t), 0
	slices.Reverse(games) // those with turns are last
	for i := 0; i < len(games); i += tier.Every(4) {
		read, err := record.Read(strings.NewReader(asTrial(&games[i])))
		if err != nil {
			t.Fatal(err)
		}
		g := &read[0]
		e := m.Find(g)
		if e == nil {
			t.Fatalf("%s is not in the map", g.Name)
		}
		if e.Turns {
			turns++
		}
		given := build.Settings{}
		for _, w := range e.With {
			if given[w.Name], err = build.ParseValue(w.Value); err != nil {
				t.Fatal(err)
			}
		}
		u := buildtest.File(t, filepath.Join(dir, e.File))
		sys, diags := u.System(u.Variants[len(u.Variants)-1], given)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		if res, err := record.Replay(t.Context(), interp.New(sys), e, g); err != nil {
			t.Errorf("%s after %d of %d plies: %v", g.Name, res.Plies, len(g.Plies), err)
		}
	}
	if turns == 0 {
		t.Error("no record has turns")
	}
}

// familyGames reads the recorded games of the family.
func familyGames(t *testing.T) []record.Game {
	t.Helper()
	var games []record.Game
	for _, name := range []string{"records.tsv", "relays.tsv"} {
		f, err := os.Open(filepath.Join("../../proofs/testdata/family", name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		more, err := record.Read(f)
		if err != nil {
			t.Fatal(err)
		}
		games = append(games, more...)
	}
	if len(games) != 32 {
		t.Fatalf("%d games", len(games))
	}
	return games
}

func all(p *record.Ply) []int { return slices.Concat(p.Counts, p.Hands) }

// asTrial writes a game as a trial. Of the seeds it tells only how many leave each site and come to
// each.
func asTrial(g *record.Game) string {
	var b strings.Builder
	fmt.Fprintf(&b, "game=/lud/board/sow/%s\nSTART GAME OPTIONS\nEND GAME OPTIONS\nRNG internal state=1,-2\n", g.Name)
	placed := 0
	for site, n := range all(&g.Start) {
		if n > 0 || site == len(all(&g.Start))-1 {
			placed++
			fmt.Fprintf(&b, "Move=[Move:mover=0,from=%d,to=%[1]d,actions=[SetCount:type=Vertex,to=%[1]d,what=1,count=%d]]\n", site, n)
		}
	}
	before := all(&g.Start)
	for i := range g.Plies {
		p := &g.Plies[i]
		actions := fmt.Sprintf("[Select:typeFrom=Vertex,from=%d,decision=true]", p.From)
		head := fmt.Sprintf("mover=%d,from=%d,to=%d", p.Mover, p.From, p.To)
		if p.From < 0 {
			actions, head = "[Pass:decision=true]", fmt.Sprintf("mover=%d", p.Mover)
		}
		now, after := slices.Clone(before), all(p)
		for from := range now {
			for to := 0; now[from] > after[from] && to < len(now); to++ {
				if n := min(now[from]-after[from], after[to]-now[to]); n > 0 {
					actions += fmt.Sprintf(",[Move:typeFrom=Vertex,from=%d,typeTo=Cell,to=%d,count=%d]", from, to, n)
					now[from] -= n
					now[to] += n
				}
			}
		}
		for site, n := range after { // what enters or leaves the board
			switch {
			case n == 0 && now[site] > 0:
				actions += fmt.Sprintf(",[Remove:type=Vertex,to=%d]", site)
			case n != now[site]:
				actions += fmt.Sprintf(",[SetCount:type=Vertex,to=%d,what=1,count=%d]", site, n)
			}
		}
		fmt.Fprintf(&b, "Move=[Move:%s,actions=%s]\n", head, actions)
		before = after
	}
	for _, p := range g.Plies {
		if p.Legal >= 0 {
			fmt.Fprintf(&b, "LEGAL MOVES LIST SIZE = %d\n", p.Legal)
		}
	}
	fmt.Fprintf(&b, "numInitialPlacementMoves=%d\n", placed)
	if g.Over {
		fmt.Fprintf(&b, "winner=%d\nendtype=NaturalEnd\n", g.Winner())
	}
	var ranks []string
	for _, r := range g.Ranks {
		ranks = append(ranks, fmt.Sprint(r))
	}
	if len(ranks) > 0 {
		fmt.Fprintf(&b, "rankings=%s\n", strings.Join(ranks, ","))
	}
	b.WriteString("SANDBOX=false\nLUDII_VERSION=1.3.14\n")
	return b.String()
}
