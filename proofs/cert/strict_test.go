package cert_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs/cert"
)

// written returns a certificate as the text of its file.
func written(t *testing.T, c *cert.Certificate) string {
	t.Helper()
	var file bytes.Buffer
	if err := cert.Write(&file, c); err != nil {
		t.Fatal(err)
	}
	return file.String()
}

// TestStrictJSON: any two readers of a file read the same: names must be spelled exactly and occur
// once, and nothing may follow.
func TestStrictJSON(t *testing.T) {
	t.Parallel()
	text := written(t, dose(t, 5))
	for name, changed := range map[string]string{
		"in other letters":  strings.Replace(text, `"verdict"`, `"VERDICT"`, 1),
		"twice":             strings.Replace(text, `"verdict":`, `"verdict": "refuted", "verdict":`, 1),
		"twice, other case": strings.Replace(text, `"verdict":`, `"Verdict": "refuted", "verdict":`, 1),
		"twice in a state":  strings.Replace(text, `"seeds":`, `"seeds": [], "seeds":`, 1),
		"unknown":           strings.Replace(text, `"verdict":`, `"verdicts": [], "verdict":`, 1),
		"something follows": text + "{}",
		"no UTF-8":          strings.Replace(text, `"tool": "`, `"tool": "`+"\xff", 1),
		"a fraction":        strings.Replace(text, `"version": 4`, `"version": 4.5`, 1),
		"cut off":           text[:len(text)-3],
	} {
		if changed == text {
			t.Fatalf("%s: nothing was changed", name)
		}
		var rejected *cert.Rejected
		if _, err := cert.Read(strings.NewReader(changed)); !errors.As(err, &rejected) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := cert.Read(strings.NewReader(text)); err != nil {
		t.Error(err)
	}
}

// TestVacuousFlag: whether anything matches the claim is part of what is certified.
func TestVacuousFlag(t *testing.T) {
	t.Parallel()
	mustReject(t, dose(t, 6), "vacuous", func(d *cert.Certificate) { d.Vacuous = true })
}

// TestBombs: reading a small file does not fill the memory, whatever it expands to.
func TestBombs(t *testing.T) {
	text := written(t, dose(t, 5))
	at := strings.Index(text, `"states": [`) + len(`"states": [`)
	if at < len(`"states": [`) {
		t.Fatal("no states")
	}
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, element := range map[string]string{
		"empty states": "{},", "states": `{"seeds":[]},`, "seeds": `{"seeds":[` + strings.Repeat("0,", 1000) + "0]},", "blanks": strings.Repeat(" ", 1000),
		"lists": "[", "text": "\"" + strings.Repeat("x", 1000),
	} {
		for _, size := range tier.First([]int{2 << 20, 20 << 20, 100 << 20}, 1, 2) {
			file := z.EncodeAll([]byte(text[:at]+strings.Repeat(element, size/len(element))), nil)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			begin := time.Now()
			c, err := cert.Read(bytes.NewReader(file))
			if err == nil {
				_, err = cert.Check(context.Background(), c)
			}
			runtime.ReadMemStats(&after)
			var rejected *cert.Rejected
			if !errors.As(err, &rejected) {
				t.Errorf("%s: %v", name, err)
			}
			what := fmt.Sprintf("%s: a file of %d bytes that expands to %d", name, len(file), size)
			if n := (after.TotalAlloc - before.TotalAlloc) >> 20; n > 1024 {
				t.Errorf("%s: %d MB allocated", what, n)
			}
			if d := time.Since(begin); d > 60*time.Second {
				t.Errorf("%s: %v", what, d)
			}
		}
	}
}
