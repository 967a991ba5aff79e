package shards

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/endgame"
	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/checker/phase/phasetest"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/internal/depot"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/rulestest"
)

var (
	margin = value.Payoff{Kind: value.Margin}
	scored = value.Payoff{Kind: value.Margin, Endless: value.AsScored}
)

// awari resolves the rules with m houses on each side.
func awari(t testing.TB, m int) *rules.System {
	return buildtest.System(t, buildtest.File(t, "../../../examples/awari.sow"), build.Settings{"m": {N: m}})
}

// lopsided is awari with South's seeds counted double, so that there is no swap.
func lopsided(t testing.TB, m int) *rules.System {
	double := strings.Replace(awariText(t), "score South = south_store", "score South = 2 * south_store", 1)
	return buildtest.System(t, buildtest.Text(t, double), build.Settings{"m": {N: m}})
}

func awariText(t testing.TB) string {
	text, err := os.ReadFile("../../../examples/awari.sow")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestMain(m *testing.M) {
	file.Replace(phasetest.Files())
	m.Run()
}

// folder returns a depot in a new folder.
func folder(t testing.TB) depot.Folder {
	t.Helper()
	d, err := depot.NewFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// hurt removes a block of a depot or changes a byte of one, and returns the number of blocks.
func hurt(t testing.TB, d depot.Depot, random *rand.Rand) int {
	t.Helper()
	names, err := d.List(t.Context(), depot.Block(""))
	if err != nil {
		t.Fatal(err)
	}
	if len(names) == 0 {
		return 0
	}
	name := names[random.IntN(len(names))]
	path, _ := depot.Path(d, name)
	if random.IntN(2) == 0 {
		change(t, path, random.IntN)
	} else if err := d.Remove(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	return 1
}

// change changes a byte of a file; at chooses which one.
func change(t testing.TB, path string, at func(size int) int) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text[at(len(text))] ^= 1
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
}

// newJob begins work in a new folder.
func newJob(t testing.TB, w *Work) *phase.Job {
	t.Helper()
	j, err := phase.Begin(t.Context(), folder(t), phase.Plan{Tool: "tool", Kind: "table", Shards: w.opts.Shards, Memory: w.opts.Memory, Tries: tries})
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// table builds a table in parts, and returns the content of the file.
func table(t testing.TB, sys *rules.System, seeds int, p value.Payoff, opts Options) []byte {
	t.Helper()
	w, err := New(t.Context(), sys, seeds, p, opts)
	if err != nil {
		t.Fatal(err)
	}
	j := newJob(t, w)
	last, err := j.Alone(t.Context(), w, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	return assembled(t, w, j, last)
}

func assembled(t testing.TB, w *Work, j *phase.Job, last *phase.Phase) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "table")
	if err := w.Table(t.Context(), j.Depot, last, path); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// whole builds a table in memory, and returns the content of the file.
func whole(t testing.TB, sys *rules.System, seeds int, p value.Payoff) []byte {
	t.Helper()
	text, err := inMemory(t, sys, seeds, p)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// inMemory is whole for a game that may have no table.
func inMemory(t testing.TB, sys *rules.System, seeds int, p value.Payoff) ([]byte, error) {
	path := filepath.Join(t.TempDir(), "table")
	err := endgame.Create(t.Context(), path, sys, seeds, p, endgame.Options{})
	if cycle, is := errors.AsType[*endgame.CycleError](err); is {
		return nil, cycle
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// TestSame compares tables of games with those that are built in memory.
func TestSame(t *testing.T) {
	everyLayer(t)
	for _, c := range tier.First([]struct {
		name   string
		sys    *rules.System
		seeds  int
		payoff value.Payoff
		shards []int
	}{
		{"Kalah", rulestest.Kalah(3, 3, true), 6, margin, []int{7, 1, 2, 32}},
		{"Awari", awari(t, 6), 4, scored, []int{7, 1}},
		{"Awari of few houses", awari(t, 3), 8, scored, []int{2, 32}},
		{"Awari without a swap", lopsided(t, 3), 5, scored, []int{7, 1}},
	}, 2, 4) {
		want := whole(t, c.sys, c.seeds, c.payoff)
		for _, shards := range tier.First(c.shards, 1, 1) {
			have := table(t, c.sys, c.seeds, c.payoff, Options{Shards: shards, Memory: 64 << 20})
			if !bytes.Equal(have, want) {
				t.Errorf("%s in %d parts: the table differs", c.name, shards)
			}
		}
	}
}

// TestFamily compares small tables of the games of the family.
func TestFamily(t *testing.T) {
	everyLayer(t)
	kinds := map[string]int{}
	list := buildtest.Systems(t, "../../../examples/*.sow", "../../../examples/family/*.sow")
	for i := 0; i < len(list); i += tier.Every(30, 5) {
		sys := list[i]
		for seeds := 4; seeds > 1; seeds-- {
			w, err := New(t.Context(), sys, seeds, scored, Options{Shards: 3, Memory: 16 << 20})
			switch {
			case errors.Is(err, ErrNotDivisible):
				kinds["not by rows"]++
			case err != nil:
				kinds["no tables"]++
				if _, failed := inMemory(t, sys, seeds, scored); !reflect.DeepEqual(err, failed) {
					t.Errorf("%s: in parts %v, in memory %v", sys.Name, err, failed)
				}
			case w.Positions().Entries() > 20_000:
				continue
			default:
				kinds[same(t, w)]++
			}
			break
		}
	}
	t.Log(kinds)
	if kinds["built"] == 0 {
		t.Error("no table was built")
	}
}

// same compares a table built in parts with one built in memory, and returns its kind.
func same(t *testing.T, w *Work) string {
	t.Helper()
	want, failed := inMemory(t, w.sys, w.Positions().Seeds(), w.payoff)
	j := newJob(t, w)
	last, err := j.Alone(t.Context(), w, 1, nil)
	switch {
	case errors.Is(err, ErrNotDivisible):
		return "not by rows"
	case err != nil || failed != nil:
		if !reflect.DeepEqual(err, failed) {
			t.Errorf("%s: in parts %v, in memory %v", w.sys.Name, err, failed)
		}
		return "refused"
	}
	if !bytes.Equal(assembled(t, w, j, last), want) {
		t.Errorf("%s: the table differs", w.sys.Name)
	}
	return "built"
}

// TestLittleMemory builds tables with so little memory that plans are dropped and made again, and
// links are not kept.
func TestLittleMemory(t *testing.T) {
	sys := awari(t, 3)
	want := whole(t, sys, 9, scored)
	refused, built := 0, 0
	for memory := int64(1 << 14); built < 3; memory *= 2 {
		w, err := New(t.Context(), sys, 9, scored, Options{Shards: 1, Memory: memory})
		if err != nil {
			t.Fatal(err)
		}
		j := newJob(t, w)
		last, err := j.Alone(t.Context(), w, 1, nil)
		if errors.As(err, new(*endgame.MemoryError)) && built == 0 {
			refused++
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		built++
		if !bytes.Equal(assembled(t, w, j, last), want) {
			t.Errorf("with %d bytes the table differs", memory)
		}
	}
	if refused == 0 {
		t.Error("the memory always sufficed")
	}
}

// everyLayer makes tasks so small that small layers are divided, too.
func everyLayer(t testing.TB) {
	before := least
	t.Cleanup(func() { least = before })
	least = 1
}

// TestRandom compares tables of random games with those that are built in memory.
func TestRandom(t *testing.T) {
	everyLayer(t)
	kinds := map[string]int{}
	rulestest.Check(t, func(r *rapid.T) {
		text := rulestest.Rows(r, rapid.Bool().Draw(r, "forward"))
		r.Logf("%s", text)
		sys := buildtest.System(t, buildtest.Text(t, text), nil)
		payoff := value.Payoff{Kind: value.Margin, Endless: rapid.SampledFrom([]value.Endless{value.NoValue, value.AsScored, value.AsScored}).Draw(r, "endless")}
		seeds, shards := rapid.IntRange(1, 5).Draw(r, "seeds"), rapid.SampledFrom([]int{1, 2, 7}).Draw(r, "shards")
		opts := Options{Shards: shards, Memory: 16 << 20}
		w, err := New(t.Context(), sys, seeds, payoff, opts)
		want, failed := inMemory(t, sys, seeds, payoff)
		if err != nil {
			if !errors.Is(err, ErrNotDivisible) && !reflect.DeepEqual(err, failed) {
				r.Fatalf("in parts %v, in memory %v", err, failed)
			}
			r.Skip(err)
		}
		j := newJob(t, w)
		last, err := j.Alone(t.Context(), w, 2, nil)
		switch {
		case errors.Is(err, ErrNotDivisible):
			kinds["not by rows"]++
			return
		case err != nil:
			kinds["refused"]++
			if !errors.As(err, new(*endgame.CycleError)) || !reflect.DeepEqual(err, failed) {
				r.Fatalf("in parts %v, in memory %v", err, failed)
			}
			return
		case failed != nil:
			r.Fatalf("in memory: %v", failed)
		}
		kinds["built"]++
		path := filepath.Join(t.TempDir(), "table")
		if err := w.Table(t.Context(), j.Depot, last, path); err != nil {
			r.Fatal(err)
		}
		f, err := endgame.Open(path)
		if err != nil {
			r.Fatal(err)
		}
		defer func() { _ = f.Close() }()
		if _, err := f.Table(t.Context(), sys, payoff); err != nil { // it verifies the checksums
			r.Fatal(err)
		}
		if have, err := os.ReadFile(path); err != nil || !bytes.Equal(have, want) {
			r.Fatal("the table differs", err)
		}
		for _, l := range f.Layers {
			if l.Cyclic > 0 {
				kinds["cyclic layers"]++
			}
		}
		if counts, err := f.Counts(); err == nil && counts[value.NoFuture] > 0 {
			kinds["unknown"]++
		}
	})
	t.Log(kinds)
	for _, kind := range []string{"built", "refused", "cyclic layers", "unknown"} {
		if kinds["built"] >= 50 && kinds[kind] == 0 {
			t.Errorf("no table: %s", kind)
		}
	}
}

// TestResume interrupts work at random moments, and damages and removes blocks. The resumed work
// builds the same table.
func TestResume(t *testing.T) {
	everyLayer(t)
	sys, seeds := awari(t, 3), 6
	want := whole(t, sys, seeds, scored)
	random := rand.New(rand.NewPCG(1, 25))
	w, err := New(t.Context(), sys, seeds, scored, Options{Shards: 3, Memory: 16 << 20})
	if err != nil {
		t.Fatal(err)
	}
	j := newJob(t, w)
	stop := errors.New("stopped")
	ended, damaged := 0, 0
	for {
		again, err := New(t.Context(), sys, seeds, scored, w.opts) // as in a new process
		if err != nil {
			t.Fatal(err)
		}
		left := 1 + random.IntN(40)
		_, err = j.Alone(t.Context(), again, 1, func(p *phase.Phase, done int) error {
			if left--; left > 0 {
				return nil
			}
			return stop
		})
		if err == nil {
			break
		}
		if !errors.Is(err, stop) {
			t.Fatal(err)
		}
		ended++
		damaged += hurt(t, j.Depot, random)
	}
	if ended < 3 || damaged < 3 {
		t.Fatalf("%d interrupts, and %d damaged blocks", ended, damaged)
	}
	path := filepath.Join(t.TempDir(), "table")
	if err := w.write(t.Context(), j, path, 1, nil); err != nil {
		t.Fatal(err)
	}
	if have, err := os.ReadFile(path); err != nil || !bytes.Equal(have, want) {
		t.Error("the table differs", err)
	}
}

// TestLostAtTheEnd removes and damages blocks of a finished table.
func TestLostAtTheEnd(t *testing.T) {
	everyLayer(t)
	sys, seeds := awari(t, 3), 5
	want := whole(t, sys, seeds, scored)
	w, err := New(t.Context(), sys, seeds, scored, Options{Shards: 3, Memory: 16 << 20})
	if err != nil {
		t.Fatal(err)
	}
	j := newJob(t, w)
	if _, err := j.Alone(t.Context(), w, 1, nil); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 26))
	for range 6 / tier.Every(3, 2) {
		if hurt(t, j.Depot, random) == 0 {
			t.Fatal("no block was damaged")
		}
		path := filepath.Join(t.TempDir(), "table")
		if err := w.write(t.Context(), j, path, 1, nil); err != nil {
			t.Fatal(err)
		}
		if have, err := os.ReadFile(path); err != nil || !bytes.Equal(have, want) {
			t.Fatal("the table differs", err)
		}
	}
}

// TestCreate builds a table in a folder. Another table cannot be built in the same folder.
func TestCreate(t *testing.T) {
	sys := rulestest.Kalah(3, 3, true)
	path, folder := filepath.Join(t.TempDir(), "table"), t.TempDir()
	phases := 0
	build := func(seeds int) error {
		return Create(t.Context(), path, folder, "tool", sys, seeds, margin, Options{Shards: 1, Memory: 16 << 20}, 1, func(*phase.Phase, int) error { phases++; return nil })
	}
	if err := build(5); err != nil {
		t.Fatal(err)
	}
	if have, err := os.ReadFile(path); err != nil || !bytes.Equal(have, whole(t, sys, 5, margin)) {
		t.Fatal("the table differs", err)
	}
	before := phases
	if err := build(5); err != nil || phases > before {
		t.Fatalf("error %v, and %d phases ran again", err, phases-before)
	}
	if err := build(6); !errors.Is(err, phase.ErrOther) {
		t.Fatalf("error %v for another table", err)
	}
}

// TestMemory: layers are divided so that the parts of each task fit in its memory.
func TestMemory(t *testing.T) {
	for _, memory := range []int64{1 << 12, 1 << 16, 1 << 24} {
		w, err := New(t.Context(), awari(t, 6), 12, scored, Options{Shards: 1, Memory: memory})
		if err != nil {
			t.Fatal(err)
		}
		for n := range 13 {
			l := w.layout(n)
			all, part := int64(0), 0
			for task := range l.tasks {
				first, end := l.own(task)
				cells, columns := int64(0), 0
				for _, p := range l.Parts[first:end] {
					cells += p.Cells()
					columns = max(columns, p.Columns)
				}
				if first != part || end <= first {
					t.Fatalf("task %d of %d seeds has the parts from %d to %d", task, n, first, end)
				}
				// The last row may be one too many.
				if part, all = end, all+cells; 2*(cells-int64(columns)) > w.share(heldShare) {
					t.Errorf("task %d of %d seeds has %d positions, with %d bytes", task, n, cells, memory)
				}
			}
			r := w.Positions().Ranker
			if want := int64(r.BoardsBelow(n+1) - r.BoardsBelow(n)); all != want {
				t.Errorf("%d positions with %d seeds, want %d", all, n, want)
			}
		}
	}
}

// TestPages reads parts of a block with little memory. It fails when the block has changed.
func TestPages(t *testing.T) {
	h := folder(t)
	text := make([]byte, 20*pageSize+17)
	random := rand.New(rand.NewPCG(1, 27))
	for i := range text {
		text[i] = byte(random.IntN(256))
	}
	w, err := depot.NewWriter(t.Context(), h)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = w.Write(text)
	hash, size, err := w.Keep(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p := newPages(t.Context(), h, new(sums), 5*pageSize)
	f := p.file(phase.Block{Hash: hash, Size: size})
	for range 500 {
		n := 1 + random.IntN(2*pageSize)
		at := random.IntN(len(text) - n)
		have, err := f.Span(int64(at), make([]byte, n))
		if err != nil || !bytes.Equal(have, text[at:][:n]) {
			t.Fatalf("%d bytes from %d on are wrong: %v", n, at, err)
		}
		step := 1 + random.IntN(pageSize)
		n = 1 + (len(text)-at-1)/step
		have = make([]byte, n)
		if have, err = f.Steps(int64(at), int64(step), have); err != nil {
			t.Fatal(err)
		}
		for i, v := range have {
			if v != text[at+i*step] {
				t.Fatalf("step %d from %d on, by %d, is wrong", i, at, step)
			}
		}
		if len(p.kept) > 5 {
			t.Fatalf("%d pages are kept", len(p.kept))
		}
	}
	p.close()
	path, _ := h.Path(depot.Block(hash))
	change(t, path, func(int) int { return 3 * pageSize })
	p = newPages(t.Context(), h, p.sums, 5*pageSize) // the block was verified before
	_, err = p.file(phase.Block{Hash: hash, Size: size}).Span(3*pageSize, make([]byte, 1))
	if !errors.As(err, new(*depot.DamagedError)) {
		t.Errorf("error %v for a changed block", err)
	}
}

// TestNotDivisible: a game without halves has no table in parts.
func TestNotDivisible(t *testing.T) {
	both := strings.Replace(awariText(t), "choose from in my house", "choose from in house", 2)
	sys := buildtest.System(t, buildtest.Text(t, both), build.Settings{"m": {N: 2}})
	if _, err := New(t.Context(), sys, 3, scored, Options{Shards: 1, Memory: 1 << 20}); !errors.Is(err, ErrNotDivisible) {
		t.Error(err)
	}
}
