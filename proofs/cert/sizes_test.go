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
		below = append(below, dose(t, n).Evidence.Is)
	}
	e, err := cert.NewSizes(context.Background(), inst, 10, backwardOf(dose(t, 10)), below)
	if err != nil {
		t.Fatal(err)
	}
	c, err := cert.New("test", program, inst, cert.Proved, false, e)
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
	if n := len(sizesOf(c).States); n != 58 {
		t.Errorf("%d states", n)
	}
	if got, want := fmt.Sprint(sizesOf(c).Seams), "[[hole05 hole06] [hole15 hole16]]"; got != want {
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
	_, err := cert.NewSizes(context.Background(), inst, 9, backwardOf(dose(t, 9)), nil)
	unfit, is := err.(*cert.Unfit)
	if !is || !unfit.Larger {
		t.Errorf("error %v", err)
	}
}

func TestForgedSizes(t *testing.T) {
	t.Parallel()
	c := everySize(t)
	for i := 0; i < len(sizesOf(c).States); i += tier.Every(40, 6) {
		mustReject(t, c, fmt.Sprintf("without state %d", i), func(d *cert.Certificate) {
			sizesOf(d).States = slices.Delete(sizesOf(d).States, i, i+1)
		})
	}
	for i := range sizesOf(c).Below {
		mustReject(t, c, fmt.Sprintf("a smaller size without state %d", i), func(d *cert.Certificate) {
			belowOf(d, i).States = slices.Delete(belowOf(d, i).States, i, i+1)
		})
	}
	// The text of the family may be forged with the rest.
	grow := func(d *cert.Certificate, i int, x, y string) {
		was := fmt.Sprintf("between %s and %s\n", sizesOf(d).Seams[i][0], sizesOf(d).Seams[i][1])
		sizesOf(d).Family = strings.Replace(sizesOf(d).Family, was, fmt.Sprintf("between %s and %s\n", x, y), 1)
		sizesOf(d).Seams[i] = [2]string{x, y}
	}
	for what, change := range map[string]func(*cert.Certificate){
		"another seam":            func(d *cert.Certificate) { grow(d, 0, "hole04", "hole05") },
		"a seam at the end":       func(d *cert.Certificate) { grow(d, 1, "hole19", "hole20") },
		"a seam the wrong way":    func(d *cert.Certificate) { grow(d, 0, "hole06", "hole05") },
		"a seam of distant pits":  func(d *cert.Certificate) { grow(d, 0, "hole05", "hole07") },
		"a seam twice":            func(d *cert.Certificate) { grow(d, 1, "hole05", "hole06") },
		"a seam missing":          func(d *cert.Certificate) { sizesOf(d).Seams = sizesOf(d).Seams[:1] },
		"no seams":                func(d *cert.Certificate) { sizesOf(d).Seams = nil },
		"another size":            func(d *cert.Certificate) { sizesOf(d).At = 11 },
		"a smaller size":          func(d *cert.Certificate) { sizesOf(d).At = 9; sizesOf(d).Below = sizesOf(d).Below[:4] },
		"a size before the first": func(d *cert.Certificate) { sizesOf(d).At = 4; sizesOf(d).Below = nil },
		"a size left out":         func(d *cert.Certificate) { sizesOf(d).Below = sizesOf(d).Below[1:] },
		"sizes exchanged": func(d *cert.Certificate) {
			sizesOf(d).Below[0], sizesOf(d).Below[1] = sizesOf(d).Below[1], sizesOf(d).Below[0]
		},
		"the family": func(d *cert.Certificate) { sizesOf(d).Family += "\n" },
		"an ordinary set": func(d *cert.Certificate) {
			d.Evidence.Is = &cert.Backward{Set: cert.Set{Kept: sizesOf(d).Kept, States: sizesOf(d).States}}
		},
		"evidence in evidence":   func(d *cert.Certificate) { sizesOf(d).Below[4] = copyOf(t, c).Evidence },
		"size":                   func(d *cert.Certificate) { d.Size = "" },
		"another parameter":      func(d *cert.Certificate) { d.Size = "stones" },
		"a smaller least size":   func(d *cert.Certificate) { d.Scope[0].Is = "4.." },
		"one size":               func(d *cert.Certificate) { d.Scope[0].Is, d.Scope[0].All = "5", false },
		"a value for the size":   func(d *cert.Certificate) { d.Settings = map[string]any{"n": 5} },
		"another claim":          func(d *cert.Certificate) { d.Claim.Name = "thesis" },
		"a pit that is not kept": func(d *cert.Certificate) { sizesOf(d).Kept.Pits = sizesOf(d).Kept.Pits[1:] },
	} {
		mustReject(t, c, what, change)
	}
}

// sizesOf returns the evidence of a certificate.
func sizesOf(c *cert.Certificate) *cert.Sizes { return c.Evidence.Is.(*cert.Sizes) }

// belowOf returns the evidence for a smaller size.
func belowOf(c *cert.Certificate, i int) *cert.Backward {
	return sizesOf(c).Below[i].Is.(*cert.Backward)
}
