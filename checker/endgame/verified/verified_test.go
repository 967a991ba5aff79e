package verified_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/endgame"
	"github.com/mancheck/mancheck/checker/endgame/shards"
	"github.com/mancheck/mancheck/checker/endgame/verified"
	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/internal/depot"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// tb is the common part of *testing.T and *rapid.T.
type tb interface {
	rapid.TB
	Cleanup(func())
	Context() context.Context
}

// temporary returns a depot in a new folder.
func temporary(t tb) depot.Folder {
	dir, err := os.MkdirTemp("", "verified")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	d, err := depot.NewFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

var scored = value.Payoff{Kind: value.Margin, Endless: value.AsScored}

// begin begins a table in a depot.
func begin(t tb, d depot.Depot, sys *rules.System, seeds, parts int) (*phase.Job, *verified.Work) {
	j, err := phase.Begin(t.Context(), d, phase.Plan{Kind: "table", Shards: parts, Memory: 64 << 20, Tries: 3})
	if err != nil {
		t.Fatal(err)
	}
	w, err := verified.New(t.Context(), sys, seeds, scored, shards.Options{Shards: parts, Memory: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return j, w
}

// awari is Awari with m pits a side.
func awari(t testing.TB, m string) *rules.System {
	t.Helper()
	f, err := proofs.Open("../../../examples/awari.sow")
	if err != nil {
		t.Fatal(err)
	}
	v, err := build.ParseValue(m)
	if err != nil {
		t.Fatal(err)
	}
	inst, err := f.Instances(build.Settings{"m": v}, "small")
	if err != nil {
		t.Fatal(err)
	}
	return inst[0].System
}

// TestTable builds and verifies tables of games with and without endless play, and compares them
// with tables built in memory.
func TestTable(t *testing.T) {
	for _, test := range []struct {
		name  string
		sys   *rules.System
		seeds int
		parts int
	}{
		{"Kalah", rulestest.Kalah(3, 2, true), 7, 3},
		{"Awari, m = 2", awari(t, "2"), 9, 4},
		{"Awari, m = 3", awari(t, "3"), 13, 4},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.seeds > 9 {
				tier.Long(t, "its layers have several units")
			}
			file := filepath.Join(t.TempDir(), "table")
			if err := endgame.Create(t.Context(), file, test.sys, test.seeds, scored, endgame.Options{}); err != nil {
				t.Fatal(err)
			}
			whole, err := endgame.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			defer whole.Close()
			want, err := whole.Table(t.Context(), test.sys, scored)
			if err != nil {
				t.Fatal(err)
			}
			d := temporary(t)
			out := built(t, d, test.sys, test.seeds, test.parts)
			v, err := endgame.Verify(t.Context(), want, endgame.VerifyOptions{})
			if err != nil || out.Positions != v.Positions || out.NoFuture != v.NoFuture || out.Followed != v.Followed {
				t.Errorf("%+v, want %+v, %v", out.Verification, v, err)
			}
			path, _ := depot.Path(d, depot.Block(out.Table.Hash))
			f, err := endgame.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			for i, l := range f.Layers {
				if l.Checksum != want.Layers()[i].Checksum || l.Cyclic != want.Layers()[i].Cyclic {
					t.Errorf("layer %d: %+v, want %+v", i, l, want.Layers()[i])
				}
			}
		})
	}
}

// built returns the outcome of a job that is done and certified.
func built(t *testing.T, d depot.Depot, sys *rules.System, seeds, parts int) *verified.Outcome {
	t.Helper()
	j, w := begin(t, d, sys, seeds, parts)
	last, err := j.Alone(t.Context(), w, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	out, err := w.Outcome(last)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Certify(t.Context(), w, last, 2, nil); err != nil || out.Table.Size == 0 {
		t.Error(err)
	}
	return out
}

// TestNoFiles: a table in a depot without files, as a bucket is, is the same and is verified, too.
// No copies of it are left.
func TestNoFiles(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	sys := awari(t, "2")
	want := built(t, temporary(t), sys, 9, 4).Table
	withoutPath := struct{ depot.Depot }{temporary(t)}
	if got := built(t, withoutPath, sys, 9, 4).Table; got.Hash != want.Hash || got.Size != want.Size {
		t.Errorf("%+v, want %+v", got, want)
	}
	if left, err := filepath.Glob(filepath.Join(os.TempDir(), "mancheck-task-*")); err != nil || len(left) > 0 {
		t.Errorf("left: %q, %v", left, err)
	}
}

// TestDamagedCopy: a table that is damaged in a depot without files is no table.
func TestDamagedCopy(t *testing.T) {
	folder := temporary(t)
	d := struct{ depot.Depot }{folder}
	path, _ := folder.Path(depot.Block(built(t, d, awari(t, "2"), 5, 2).Table.Hash))
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)-1] ^= 1
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	j, w := begin(t, d, awari(t, "2"), 5, 2)
	last, _, err := j.Current(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Certify(t.Context(), w, last, 1, nil); !errors.As(err, new(*depot.DamagedError)) {
		t.Errorf("error %v", err)
	}
}

// mistaken is a work that builds the table of another game.
type mistaken struct {
	*verified.Work
	builds *verified.Work
}

func (m mistaken) Do(ctx context.Context, e *phase.Env, p *phase.Phase, task int) (phase.Result, error) {
	if m.Checks(p) || p.Name == "assemble" {
		return m.Work.Do(ctx, e, p, task)
	}
	return m.builds.Do(ctx, e, p, task)
}

// TestMistaken: the check of a table with wrong futures fails, and says what is wrong.
func TestMistaken(t *testing.T) {
	for _, empty := range []bool{true, false} {
		d := temporary(t)
		j, w := begin(t, d, rulestest.Kalah(3, 2, empty), 6, 2)
		_, other := begin(t, d, rulestest.Kalah(3, 2, !empty), 6, 2)
		last, err := j.Alone(t.Context(), mistaken{w, other}, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Outcome(last); !errors.As(err, new(*verified.WrongError)) {
			t.Errorf("the table is not found to be wrong: %v", err)
		}
	}
}
