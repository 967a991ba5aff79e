package phasetest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/internal/depot"
	"github.com/mancheck/mancheck/internal/file"
)

// Runs returns how often a test changes an object: MANCHECK_RESEALED, or few.
func Runs(few uint64) uint64 {
	if n, err := strconv.ParseUint(os.Getenv("MANCHECK_RESEALED"), 10, 32); err == nil {
		return n
	}
	return few
}

// Tamper runs a job to its end, and changes one object before some round.
func Tamper(t testing.TB, j *phase.Job, w phase.Work, r *rand.Rand) (what string, last *phase.Phase, err error) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	defer func() {
		if fault := recover(); fault != nil {
			t.Fatalf("%s: %v\n%s", what, fault, debug.Stack())
		}
	}()
	d := &phase.Driver{Job: j, Work: w}
	at := 1 + r.IntN(22)
	for round := range 400 {
		p, ready, err := d.Look(ctx)
		if errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("%s: the work does not end", what)
		}
		if err != nil {
			return what, nil, err
		}
		if len(ready) == 0 && what != "" {
			return what, p, nil
		}
		for _, id := range ready {
			if mine, err := j.Hand(ctx, id, "test"); !mine || err != nil {
				return what, nil, errors.Join(err, errors.New("not handed out"))
			}
			if err := j.Perform(ctx, w, id); err != nil && !errors.As(err, new(*depot.DamagedError)) {
				return what, nil, err
			}
		}
		if what == "" && (round == at || p.Last()) {
			what = resealSome(t, r, j.Depot.String(), p.Number)
		}
	}
	t.Fatalf("%s: the work does not end", what)
	return what, nil, nil
}

// resealSome changes a random object: mostly a receipt of a phase, which no driver has read yet.
func resealSome(t testing.TB, r *rand.Rand, dir string, n int) string {
	t.Helper()
	now := fmt.Sprintf("receipt/%05d/*", n)
	list, err := filepath.Glob(filepath.Join(dir, []string{now, now, now, "receipt/*/*", "phase/*"}[r.IntN(5)]))
	if err == nil && len(list) == 0 {
		list, err = filepath.Glob(filepath.Join(dir, "phase/*"))
	}
	if err != nil {
		t.Fatal(err)
	}
	path := list[r.IntN(len(list))]
	what, err := Reseal(r, path)
	if err != nil {
		t.Fatal(err)
	}
	name, _ := filepath.Rel(dir, path)
	return name + ": " + what
}

// Reseal changes a value in the JSON of a sealed object, and seals it again: its checksum is right.
// It returns what was changed.
func Reseal(r *rand.Rand, path string) (string, error) {
	text, err := file.Read(path)
	if err != nil {
		return "", err
	}
	_, body, _ := bytes.Cut(text, []byte("\n"))
	what, body := Change(r, body)
	return what, file.Write(path, Seal(body), 0)
}

// Change changes a value in an object in JSON, and says which.
func Change(r *rand.Rand, text []byte) (what string, changed []byte) {
	var v any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		panic(err) // it was written by the program
	}
	var places []place
	walk(&places, "", v, func(any) {})
	what = places[r.IntN(len(places))].change(r)
	changed, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return what, changed
}

// Seal returns the text of an object with a body, which is JSON.
func Seal(body []byte) []byte {
	sum := sha256.Sum256(body)
	return fmt.Appendf(nil, "%s\n%s\n", hex.EncodeToString(sum[:]), body)
}

// place is a value within an object.
type place struct {
	path   string
	value  any
	set    func(any)
	remove func() // nil: it cannot be removed
}

// walk adds the values below v.
func walk(places *[]place, path string, v any, set func(any)) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			x := v[key]
			put := func(y any) { v[key] = y }
			*places = append(*places, place{path + "." + key, x, put, func() { delete(v, key) }})
			walk(places, path+"."+key, x, put)
		}
	case []any:
		for i, x := range v {
			put := func(y any) { v[i] = y }
			shorter := func() { set(append(v[:i:i], v[i+1:]...)) }
			*places = append(*places, place{fmt.Sprintf("%s[%d]", path, i), x, put, shorter})
			walk(places, fmt.Sprintf("%s[%d]", path, i), x, put)
		}
	}
}

// change changes a value, mostly to one of its type.
func (p place) change(r *rand.Rand) string {
	others := []any{nil, json.Number("0"), json.Number("-1"), json.Number("4611686018427387904"), "", "x", []any{}, map[string]any{}, true}
	switch v := p.value.(type) {
	case json.Number:
		n, _ := v.Int64()
		for _, d := range []int64{1, -1, 2, 7, -3, 1 << 20, 1 << 40} {
			others = append(others, json.Number(fmt.Sprint(n+d)), json.Number(fmt.Sprint(n+d)))
		}
	case string:
		others = append(others, strings.ToUpper(v), v+v, v[:len(v)/2], strings.Repeat("0", len(v)))
	case []any:
		if len(v) > 0 {
			twice := append([]any{v[0]}, v...)
			others = append(others, twice, v[:len(v)-1], v[1:], twice, v[:len(v)-1], v[1:])
		}
	}
	if k := r.IntN(len(others) + 2); k < len(others) {
		p.set(others[k])
		return fmt.Sprintf("%s = %v", p.path, others[k])
	}
	p.remove()
	return p.path + " removed"
}
