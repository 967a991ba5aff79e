package cert_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/internal/cost"
	"github.com/mancheck/mancheck/internal/strictjson"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/rules/build"
)

// Bounds for a small certificate: memory for reading it, as a multiple of its expanded size, and
// time for checking it.
const (
	fuzzed    = 1 << 16
	readCosts = 64 << 20
	readTimes = 64
	checkTime = time.Second
)

// FuzzRead reads certificates, and checks those that can be read. A check obeys its context.
func FuzzRead(f *testing.F) {
	for _, c := range []*cert.Certificate{dose(f, 5), kalah(f, 1, 2), best(f, nim, "right", cert.Proved, 2, 2), best(f, nim, "less", cert.Refuted, 2)} {
		var file bytes.Buffer
		if err := cert.Write(&file, c); err != nil {
			f.Fatal(err)
		}
		f.Add(file.Bytes())
	}
	f.Add([]byte("{}"))
	f.Add([]byte("\x28\xb5\x2f\xfd\x00"))
	f.Add(bytes.Repeat([]byte("["), 1<<12))
	f.Add(append([]byte(`{"states":[`), bytes.Repeat([]byte("[],"), 1<<12)...))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > fuzzed {
			return
		}
		var c *cert.Certificate
		var err error
		cost.Limited(t, readCosts+readTimes*uint64(cert.Expanded(len(data))), func() { c, err = cert.Read(bytes.NewReader(data)) })
		if err != nil {
			return
		}
		check(t, c)
	})
}

// FuzzCheck makes a certificate of any evidence for any claim, and checks it. Its digests are
// right, unlike those of most mutants of whole files.
func FuzzCheck(f *testing.F) {
	for _, c := range []*cert.Certificate{dose(f, 5), kalah(f, 1, 2), best(f, nim, "right", cert.Proved, 2, 2), best(f, nim, "less", cert.Refuted, 2)} {
		evidence, err := json.Marshal(c.Evidence)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(c.Sources[c.Root], c.Claim.Name, c.Verdict == cert.Proved, evidence)
	}
	for _, text := range cost.Bombs(1 << 9) {
		f.Add(text, "c", true, []byte("{}"))
	}
	f.Fuzz(func(t *testing.T, text, claim string, proved bool, evidence []byte) {
		if len(text)+len(evidence) > fuzzed {
			return
		}
		var e cert.Box
		if strictjson.Unmarshal(evidence, &e) != nil {
			return
		}
		verdict := map[bool]string{true: cert.Proved, false: cert.Refuted}[proved]
		if c := made(t, text, claim, verdict, e.Is); c != nil {
			check(t, c)
		}
	})
}

// made returns the certificate of the claim with this name, if the rules have it and are not too
// large to resolve.
func made(t *testing.T, text, claim, verdict string, e cert.Evidence) *cert.Certificate {
	program, diags := dsl.Load("t.sow", func(path string) ([]byte, error) {
		if path != "t.sow" {
			return nil, os.ErrNotExist
		}
		return []byte(text), nil
	})
	if diags.HasErrors() {
		return nil
	}
	unit, diags := build.Collect(program.Files)
	unit.Context = cost.Looks(t.Context(), 50)
	for _, a := range unit.Claims {
		if a.Name.Name != claim || diags.HasErrors() {
			continue
		}
		c, diags := unit.Claim(a)
		if diags.HasErrors() {
			return nil
		}
		list := c.Instances(nil, &diags)
		if diags.HasErrors() || len(list) != 1 {
			return nil
		}
		made, err := cert.New("test", program, list[0], verdict, false, e)
		if err != nil {
			return nil
		}
		return made
	}
	return nil
}

// check checks a certificate, and that the check ends soon after its context.
func check(t *testing.T, c *cert.Certificate) {
	t.Helper()
	cost.Limited(t, 4<<30, func() {
		ctx, cancel := context.WithTimeout(t.Context(), checkTime)
		defer cancel()
		_, _ = cert.Check(ctx, c)
	})
}
