package main

import (
	"context"
	"testing"
	"time"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// TestTextbook: with a depth beyond the end of play the textbook finds the values of Kalah, and
// chooses a move that keeps them.
func TestTextbook(t *testing.T) {
	for n := 1; n <= 2; n++ {
		sys := rulestest.Kalah(2, n, false)
		st := rulestest.KalahStart(sys, n)
		all, err := value.Solve(context.Background(), sys, forward.From(st), value.Payoff{Kind: value.Margin}, forward.Options{})
		if err != nil {
			t.Fatal(err)
		}
		book, err := newTextbook(sys, st.Total(), 40)
		if err != nil || len(book.terms) == 0 {
			t.Fatal(book, err)
		}
		in := interp.New(sys)
		for st.Live() {
			steps, err := in.Steps(st)
			if err != nil {
				t.Fatal(err)
			}
			s, err := book.choose(steps, st.Mover)
			if err != nil {
				t.Fatal(err)
			}
			want, _, _ := all.Value(st)
			if got, _, _ := all.Value(s.To); sign(got) != sign(want) {
				t.Errorf("n = %d: %v is worth %d, and the move leads to %d", n, st, want, got)
			}
			st = s.To
		}
	}
}

func sign(n int) int { return max(-1, min(n, 1)) }

// TestMatch: games are played to their ends, and the computer beats a textbook that looks one move
// ahead in most of them.
func TestMatch(t *testing.T) {
	m := &match{time: 20 * time.Millisecond, threads: 1, opening: 3}
	if err := m.load("../../examples/kalah.sow", "", false); err != nil {
		t.Fatal(err)
	}
	var err error
	if m.book, err = newTextbook(m.sys, m.start.Total(), 1); err != nil {
		t.Fatal(err)
	}
	points := 0.0
	for n := range 6 {
		p, err := m.game(uint64(n/2), n%2)
		if err != nil {
			t.Fatal(err)
		}
		points += p
	}
	if points < 4 {
		t.Errorf("%v of 6 points", points)
	}
}
