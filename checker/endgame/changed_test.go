package endgame

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// TestChangedTables rewrites, cuts and replaces tables while searches use them, which are read into
// memory or, being large, mapped: what a search finds is right, or it is known not to mean
// anything.
func TestChangedTables(t *testing.T) {
	sys := rulestest.Kalah(4, 3, true)
	good, err := os.ReadFile(create(t, sys, 12, margin)) // more than one block, so that they are read again
	if err != nil {
		t.Fatal(err)
	}
	start := rulestest.KalahStart(sys, 3)
	plain, err := value.Find(t.Context(), sys, start, margin, value.Options{})
	if err != nil || plain.Lo != plain.Hi {
		t.Fatal(plain, err)
	}
	before := private
	defer func() { private = before }()
	refused, right := 0, 0
	random := rand.New(rand.NewPCG(1, 18))
	for i := range 100 / tier.Every(10, 5) {
		private = before
		if i%2 == 0 {
			private = func() int64 { return page } // all tables are large
		}
		path := filepath.Join(t.TempDir(), "t.table")
		if err := os.WriteFile(path, good, 0o600); err != nil {
			t.Fatal(err)
		}
		stop := make(chan struct{})
		ended := make(chan error)
		wait := time.Duration(random.IntN(4000)) * time.Microsecond
		way, seed := i/2%4, random.Uint64()
		go func() { ended <- change(path, good, way, wait, seed, stop) }()
		v, err := findWith(t.Context(), path, sys, start)
		close(stop)
		if failed := <-ended; failed != nil {
			t.Fatal(failed)
		}
		switch {
		case errors.As(err, new(*DamagedError)), errors.Is(err, file.ErrChanged):
			refused++
		case err != nil:
			t.Errorf("table %d: %v", i, err)
		case v.Lo != plain.Lo || v.Hi != plain.Hi:
			t.Errorf("table %d: from %d to %d, and without a table %d", i, v.Lo, v.Hi, plain.Lo)
		default:
			right++
		}
	}
	t.Logf("%d tables were refused, %d results were right", refused, right)
	if right == 0 || refused == 0 && tier.Full() { // a few searches may all be faster than the changes
		t.Errorf("%d tables were refused, %d results were right", refused, right)
	}
}

// findWith finds the value of a start with a table.
func findWith(ctx context.Context, path string, sys *rules.System, start rules.State) (*value.Found, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	table, err := f.Table(ctx, sys, margin)
	if err != nil {
		return nil, err
	}
	v, err := value.Find(ctx, sys, start, margin, value.Options{Tables: table})
	if changed := table.Err(); changed != nil {
		return nil, changed
	}
	return v, err
}

// change waits for a moment, and then changes a table in one way or another until stop is
// closed.
func change(path string, good []byte, way int, wait time.Duration, seed uint64, stop chan struct{}) error {
	random := rand.New(rand.NewPCG(2, seed))
	time.Sleep(wait)
	other := append([]byte{}, good...)
	for i := page; i < len(other); i++ {
		other[i] = byte(random.IntN(5))
	}
	for {
		var err error
		switch way {
		case 0: // all futures are rewritten in place
			err = errors.Join(inPlace(path, other), inPlace(path, good))
		case 1: // one byte is another one for a moment
			i := page + random.IntN(len(good)-page)
			one := append([]byte{}, good...)
			one[i]++
			err = errors.Join(inPlace(path, one), inPlace(path, good))
		case 2:
			err = errors.Join(os.Truncate(path, int64(random.IntN(len(good)))), inPlace(path, good))
		case 3: // another table gets the name
			err = errors.Join(os.WriteFile(path+".new", other, 0o600), os.Rename(path+".new", path))
		}
		select {
		case <-stop:
			return err
		default:
			if err != nil {
				return err
			}
		}
	}
}

func inPlace(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(text, 0)
	return errors.Join(err, f.Close())
}
