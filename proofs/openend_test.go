package proofs_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/endgame"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/say"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/rules/space"
)

// aboutEnds has claims about the starts of Drawn, a game of buildtest.TwoRowsText, and a small
// number; behind it stands what endless play is worth, if anything.
const aboutEnds = `
claim equal of Drawn { value(start) = %[1]d %[2]s }
claim least of Drawn { value(start) >= %[1]d %[2]s }
claim most  of Drawn { value(start) <= %[1]d %[2]s }
claim south of Drawn { winner(start) = South %[2]s }
claim not_n of Drawn { winner(start) /= North %[2]s }
claim nobody of Drawn { winner(start) = none %[2]s }
claim best  of Drawn { best(start) = { 1 } %[2]s }
`

// TestOneAnswer: a claim about best play has one answer in games with open ends and several starts:
// with endgame tables and without, with certificates and without, and it is what follows from the
// starts taken one by one.
func TestOneAnswer(t *testing.T) {
	var seen struct{ claims, undecided, refutedBesideOpen, tables int }
	check := func(r *rapid.T) {
		text := buildtest.TwoRowsText(r)
		endless := rapid.SampledFrom([]string{"", "", "where endless play is a draw", "where endless play counts as scored"}).Draw(r, "endless")
		text += fmt.Sprintf(aboutEnds, rapid.IntRange(-2, 4).Draw(r, "number"), endless)
		u := buildtest.Text(t, text)
		var library *endgame.Library
		for range 2 {
			c := u.Claims[rapid.IntRange(0, len(u.Claims)-1).Draw(r, "claim")]
			inst := buildtest.Instances(t, u, c.Name.Name, nil)[0]
			if library == nil {
				folder, made := tablesFor(t, r, inst.System)
				defer os.RemoveAll(folder)
				library = openLibrary(t, folder)
				defer library.Close()
				seen.tables += made
			}
			want, open, err := byStarts(r, inst)
			if err != nil {
				continue // a fault of the rules, or a limit
			}
			seen.claims++
			if want == proofs.Unknown {
				seen.undecided++
			}
			if open && want == proofs.Refuted {
				seen.refutedBesideOpen++
			}
			ways := []proofs.Options{{}, {Certify: true}, {Tables: library}, {Tables: library, Certify: true}}
			for _, opt := range rapid.Permutation(ways).Draw(r, "ways")[:2] {
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
				opt.MaxStates = 20_000
				res, err := proofs.Decide(ctx, inst, opt)
				late := ctx.Err() != nil
				if cancel(); late {
					continue
				}
				if err != nil || res.Status != want {
					r.Fatalf("%s, certify %v, tables %v: %+v %v, want %s\n%s", c.Name.Name, opt.Certify, opt.Tables != nil, res, err, want, text)
				}
				if want != proofs.Unknown && opt.Certify && res.Checked != proofs.ByCertificate && res.Vacuous == false {
					r.Fatalf("%s: %s is %s, %s\n%s", c.Name.Name, res.Status, res.Checked, say.Gap(res.Gap), text)
				}
			}
		}
	}
	rulestest.Check(t, check)
	if t.Logf("%+v", seen); tier.Full() && (seen.undecided == 0 || seen.refutedBesideOpen == 0 || seen.tables == 0 || seen.undecided == seen.claims) {
		t.Error("some kind of case is missing")
	}
}

// byStarts is the answer that follows from the starts taken one by one; open says that one of them
// is not decided.
func byStarts(r *rapid.T, inst *build.Instance) (answer proofs.Status, open bool, err error) {
	in := interp.New(inst.System)
	answer = proofs.Proved
	err = space.Starts(r.Context(), in, func(st rules.State) error {
		if !st.Live() {
			status := over(r, inst, st)
			if open = open || status == proofs.Unknown; answer != proofs.Refuted && status != proofs.Proved {
				answer = status
			}
			return nil
		}
		at := st.Clone()
		one := *inst
		switch p := inst.Property.(type) {
		case *build.ValueOf:
			q := *p
			q.Of, one.Property = build.Place{From: &at}, &q
		case *build.WinnerOf:
			q := *p
			q.Of, one.Property = build.Place{From: &at}, &q
		case *build.BestMoves:
			q := *p
			q.Of, one.Property = build.Place{From: &at}, &q
		}
		res, err := proofs.Decide(r.Context(), &one, proofs.Options{Bounds: limit.Bounds{MaxStates: 20_000}})
		switch {
		case err != nil:
			return err
		case res.Status == proofs.Refuted:
			answer = proofs.Refuted
		case res.Status == proofs.Unknown:
			if open = true; answer == proofs.Proved {
				answer = proofs.Unknown
			}
			if strings.Contains(res.Sentence(), "limit") {
				return errors.New(res.Sentence())
			}
		}
		return nil
	})
	return answer, open, err
}

// over is the answer for a start that is over.
func over(r *rapid.T, inst *build.Instance, st rules.State) proofs.Status {
	var endless build.EndlessPlay
	var bests bool
	pay := value.Payoff{Kind: value.KindOf(inst.System)}
	op, n := rules.Eq, 0
	switch p := inst.Property.(type) {
	case *build.ValueOf:
		op, n, endless = p.Op, p.Value, p.Endless
	case *build.WinnerOf:
		if pay.Kind, endless = value.Result, p.Endless; p.Not {
			op = rules.Ne
		}
		if p.Player != rules.None {
			n = 1 - 2*p.Player
		}
	case *build.BestMoves:
		bests, endless = true, p.Endless
	}
	pay.Endless = map[build.EndlessPlay]value.Endless{
		build.EndlessOpen: value.NoValue, build.EndlessDraw: value.Even, build.EndlessScored: value.AsScored,
	}[endless]
	f, err := value.Find(r.Context(), inst.System, st, pay, value.Options{})
	if err != nil {
		r.Fatal(err)
	}
	if bests {
		return map[bool]proofs.Status{true: proofs.Refuted, false: proofs.Unknown}[f.Known()] // there is no move
	}
	holds := func(worth int) bool {
		return rules.Simplify(rules.Binary{Op: op, L: rules.Const{Value: worth}, R: rules.Const{Value: n}}, nil) == rules.True
	}
	all, some := true, false
	for worth := max(f.Lo, -100); worth <= min(f.Hi, 100); worth++ {
		all, some = all && holds(worth), some || holds(worth)
	}
	switch {
	case all:
		return proofs.Proved
	case some:
		return proofs.Unknown
	}
	return proofs.Refuted
}

// tablesFor writes the endgame tables that a game has for what claims may ask.
func tablesFor(t *testing.T, r *rapid.T, sys *rules.System) (folder string, made int) {
	folder, err := os.MkdirTemp(t.TempDir(), "tables")
	if err != nil {
		r.Fatal(err)
	}
	seeds := rapid.IntRange(1, 4).Draw(r, "seeds of the table")
	for _, endless := range []value.Endless{value.NoValue, value.Even, value.AsScored} {
		path := filepath.Join(folder, fmt.Sprint(int(endless), ".table"))
		if endgame.Create(r.Context(), path, sys, seeds, value.Payoff{Kind: value.Margin, Endless: endless}, endgame.Options{}) == nil {
			made++
		}
	}
	return folder, made
}

func openLibrary(t *testing.T, folder string) *endgame.Library {
	l, err := endgame.OpenLibrary(folder)
	if err != nil {
		t.Fatal(err)
	}
	return l
}
