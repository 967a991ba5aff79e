package cert_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs/cert"
)

// everySize certifies that the thesis holds on every board of at least ten holes.
func everySize(t *testing.T) *cert.Certificate {
	t.Helper()
	program, inst := instance(t, "../../examples/dose2015.sow", "wider_boards", nil)
	var below []cert.Evidence
	for n := 5; n < 10; n++ {
		below = append(below, dose(t, n).Evidence)
	}
	e, err := cert.NewSizes(context.Background(), inst, 10, new(dose(t, 10).Evidence), below)
	if err != nil {
		t.Fatal(err)
	}
	c, err := cert.New("test", program, inst, cert.Proved, false, *e)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestEverySize(t *testing.T) {
	t.Parallel()
	c := everySize(t)
	r := mustCheck(t, c)
	if r.Subject != cert.SomeSubject || r.Size != "n" {
		t.Errorf("subject %v, size %q", r.Subject, r.Size)
	}
	// The 29 states of the thesis, and for each the same board before a hole is chosen.
	if n := len(c.Evidence.States); n != 58 {
		t.Errorf("%d states", n)
	}
	if got, want := fmt.Sprint(c.Evidence.Seams), "[[hole05 hole06] [hole15 hole16]]"; got != want {
		t.Errorf("the board grows between %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(c.Scope), "[{n 5.. true} {stones 10.. true}]"; got != want {
		t.Errorf("scope %s, want %s", got, want)
	}
	if _, set := c.Settings["n"]; set {
		t.Error("n has a value")
	}
}

// On a board of nine holes a row, states of the set have seeds in all pits but one of each row.
func TestTooSmall(t *testing.T) {
	_, inst := instance(t, "../../examples/dose2015.sow", "wider_boards", nil)
	_, err := cert.NewSizes(context.Background(), inst, 9, new(dose(t, 9).Evidence), nil)
	unfit, is := err.(*cert.Unfit)
	if !is || !unfit.Larger {
		t.Errorf("error %v", err)
	}
}

func TestForgedSizes(t *testing.T) {
	t.Parallel()
	c := everySize(t)
	for i := 0; i < len(c.Evidence.States); i += tier.Every(9) {
		mustReject(t, c, fmt.Sprintf("without state %d", i), func(d *cert.Certificate) {
			d.Evidence.States = slices.Delete(d.Evidence.States, i, i+1)
		})
	}
	for i := range c.Evidence.Below {
		mustReject(t, c, fmt.Sprintf("a smaller size without state %d", i), func(d *cert.Certificate) {
			d.Evidence.Below[i].States = slices.Delete(d.Evidence.Below[i].States, i, i+1)
		})
	}
	// The text of the family may be forged with the rest.
	grow := func(d *cert.Certificate, i int, x, y string) {
		was := fmt.Sprintf("between %s and %s\n", d.Evidence.Seams[i][0], d.Evidence.Seams[i][1])
		d.Evidence.Family = strings.Replace(d.Evidence.Family, was, fmt.Sprintf("between %s and %s\n", x, y), 1)
		d.Evidence.Seams[i] = [2]string{x, y}
	}
	for what, change := range map[string]func(*cert.Certificate){
		"another seam":            func(d *cert.Certificate) { grow(d, 0, "hole04", "hole05") },
		"a seam at the end":       func(d *cert.Certificate) { grow(d, 1, "hole19", "hole20") },
		"a seam the wrong way":    func(d *cert.Certificate) { grow(d, 0, "hole06", "hole05") },
		"a seam of distant pits":  func(d *cert.Certificate) { grow(d, 0, "hole05", "hole07") },
		"a seam twice":            func(d *cert.Certificate) { grow(d, 1, "hole05", "hole06") },
		"a seam missing":          func(d *cert.Certificate) { d.Evidence.Seams = d.Evidence.Seams[:1] },
		"no seams":                func(d *cert.Certificate) { d.Evidence.Seams = nil },
		"another size":            func(d *cert.Certificate) { d.Evidence.At = 11 },
		"a smaller size":          func(d *cert.Certificate) { d.Evidence.At = 9; d.Evidence.Below = d.Evidence.Below[:4] },
		"a size before the first": func(d *cert.Certificate) { d.Evidence.At = 4; d.Evidence.Below = nil },
		"a size left out":         func(d *cert.Certificate) { d.Evidence.Below = d.Evidence.Below[1:] },
		"sizes exchanged": func(d *cert.Certificate) {
			d.Evidence.Below[0], d.Evidence.Below[1] = d.Evidence.Below[1], d.Evidence.Below[0]
		},
		"the family":             func(d *cert.Certificate) { d.Evidence.Family += "\n" },
		"an ordinary set":        func(d *cert.Certificate) { d.Evidence.Kind = cert.Backward },
		"evidence in evidence":   func(d *cert.Certificate) { d.Evidence.Below[4] = d.Evidence },
		"lemmas":                 func(d *cert.Certificate) { d.Evidence.StartOnly = d.Evidence.Below[0].StartOnly },
		"size":                   func(d *cert.Certificate) { d.Size = "" },
		"another parameter":      func(d *cert.Certificate) { d.Size = "stones" },
		"a smaller least size":   func(d *cert.Certificate) { d.Scope[0].Is = "4.." },
		"one size":               func(d *cert.Certificate) { d.Scope[0].Is, d.Scope[0].All = "5", false },
		"a value for the size":   func(d *cert.Certificate) { d.Settings = map[string]any{"n": 5} },
		"another claim":          func(d *cert.Certificate) { d.Claim.Name = "thesis" },
		"a pit that is not kept": func(d *cert.Certificate) { d.Evidence.Kept.Pits = d.Evidence.Kept.Pits[1:] },
	} {
		mustReject(t, c, what, change)
	}
}
