package endgame

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/rulestest"
)

func create(t *testing.T, sys *rules.System, seeds int, p value.Payoff) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "table")
	if err := Create(context.Background(), path, sys, seeds, p, Options{}); err != nil {
		t.Fatal(err)
	}
	return path
}

// load opens the table for a game.
func load(path string, sys *rules.System, p value.Payoff) (*Table, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	return f.Table(context.Background(), sys, p)
}

// TestFile writes and reads tables.
func TestFile(t *testing.T) {
	kalah, other := rulestest.Kalah(3, 2, true), rulestest.Kalah(3, 2, false)
	path := create(t, kalah, 6, margin)
	tab, err := load(path, kalah, margin)
	if err != nil || !bytes.Equal(tab.futures, built(t, kalah, 6, margin, Options{}).futures) {
		t.Fatalf("not the table that was written: %v", err)
	}
	for _, p := range []value.Payoff{scored, {Kind: value.Margin, Endless: value.Even}} {
		if _, err := load(path, kalah, p); err != nil {
			t.Errorf("endless play does not matter to Kalah: %v", err)
		}
	}
	cyclic := create(t, awari(t, 2), 4, scored)
	for _, c := range []struct {
		path   string
		sys    *rules.System
		payoff value.Payoff
	}{{path, other, margin}, {path, rulestest.Kalah(2, 3, true), margin}, {path, awari(t, 2), scored}, {cyclic, awari(t, 2), margin}, {cyclic, awari(t, 3), scored}} {
		if _, err := load(c.path, c.sys, c.payoff); !errors.As(err, new(*OtherError)) {
			t.Errorf("a table for another game: error %v", err)
		}
	}
	if tab, err = load(cyclic, awari(t, 2), scored); err != nil {
		t.Fatal(err)
	}
	checkAll(t, tab)
}

// TestDamage changes each byte of a table: whatever counts is noticed. What does not are the spaces
// after the header.
func TestDamage(t *testing.T) {
	sys := rulestest.Kalah(2, 2, true)
	path := create(t, sys, 3, margin)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	good, err := load(path, sys, margin)
	if err != nil {
		t.Fatal(err)
	}
	futures := bytes.Clone(good.futures)
	spaces := 0
	for i := range text {
		if i > 0 && text[i] == ' ' && text[i-1] == ' ' && i%64 != 0 {
			continue
		}
		damaged := bytes.Clone(text)
		damaged[i] ^= 1
		tab, err := load(write(t, damaged), sys, margin)
		switch {
		case err == nil && text[i] == ' ' && bytes.Equal(tab.futures, futures):
			spaces++
		case !errors.As(err, new(*DamagedError)):
			t.Fatalf("byte %d: error %v", i, err)
		}
	}
	if spaces == 0 || spaces > page {
		t.Errorf("%d bytes do not matter", spaces)
	}
	for _, n := range []int{0, 1, len(magic), 100, page, len(text) - 1} {
		if _, err := load(write(t, text[:n]), sys, margin); !errors.As(err, new(*DamagedError)) {
			t.Errorf("the first %d bytes: error %v", n, err)
		}
	}
	if _, err := load(write(t, append(bytes.Clone(text), 0)), sys, margin); !errors.As(err, new(*DamagedError)) {
		t.Errorf("a byte too many: error %v", err)
	}
}

// write writes a file. It gets a new name, as the old one may be mapped.
func write(t *testing.T, text []byte) string {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	path := f.Name()
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestPartial: a build does not go on with what is no beginning of its table.
func TestPartial(t *testing.T) {
	sys := rulestest.Kalah(2, 2, true)
	path := filepath.Join(t.TempDir(), "table")
	ctx, cancel := context.WithCancel(context.Background())
	opts := Options{Observer: func(p limit.Progress) {
		if p.Depth == 3 {
			cancel()
		}
	}}
	if err := Create(ctx, path, sys, 6, margin, opts); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	if _, err := Open(path + partialSuffix); !errors.As(err, new(*DamagedError)) {
		t.Fatalf("an unfinished table can be opened: %v", err)
	}
	for _, c := range []struct {
		sys   *rules.System
		seeds int
	}{{rulestest.Kalah(2, 2, false), 6}, {sys, 7}} {
		if err := Create(context.Background(), path, c.sys, c.seeds, margin, Options{}); !errors.As(err, new(*OtherError)) {
			t.Errorf("error %v", err)
		}
	}
	text, err := os.ReadFile(path + partialSuffix)
	if err != nil {
		t.Fatal(err)
	}
	want := built(t, sys, 6, margin, Options{}).futures
	for i := range text { // whatever is damaged is built again
		damaged := bytes.Clone(text)
		damaged[i] ^= 0x55
		if i%97 != 0 {
			continue
		}
		if err := os.WriteFile(path+partialSuffix, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Create(context.Background(), path, sys, 6, margin, Options{}); err != nil {
			t.Fatal(err)
		}
		tab, err := load(path, sys, margin)
		if err != nil || !bytes.Equal(tab.futures, want) {
			t.Fatalf("byte %d: %v", i, err)
		}
	}
}

// TestForgedHeader: a checksum is no proof that numbers are those of a table.
func TestForgedHeader(t *testing.T) {
	path := create(t, rulestest.Kalah(2, 2, true), 3, margin)
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	good := f.Header
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, forge := range map[string]func(h *Header){
		"as it is":        func(*Header) {},
		"seeds":           func(h *Header) { h.Seeds, h.Layers = -1, nil },
		"positions":       func(h *Header) { h.Positions = 1 << 63 },
		"all positions":   func(h *Header) { h.Positions, h.Layers[3].Positions = 1<<63+5, 1<<63+5 },
		"entries":         func(h *Header) { h.Entries = h.Positions + 1 },
		"cyclic":          func(h *Header) { h.Layers[2].Cyclic = 1 << 63 },
		"a layer's seeds": func(h *Header) { h.Layers[2].Seeds = -7 },
		"no layers":       func(h *Header) { h.Layers = nil },
	} {
		h := good
		h.Layers = slices.Clone(good.Layers)
		forge(&h)
		forged := bytes.Clone(text)
		line := append([]byte(magic), seal(h)...)
		for len(line) < page {
			line = append(line, ' ')
		}
		copy(forged, line)
		f, err := Open(write(t, forged))
		if err == nil {
			_ = f.Close()
		}
		if name == "as it is" && err != nil || name != "as it is" && !errors.As(err, new(*DamagedError)) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
