package cert_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
)

// instance resolves a claim of a file with parameters set.
func instance(t testing.TB, path, claim string, given build.Settings) (*dsl.Program, *build.Instance) {
	t.Helper()
	program, diags := dsl.Load(path, os.ReadFile)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return program, instanceOf(t, program, claim, given)
}

func instanceOf(t testing.TB, program *dsl.Program, claim string, given build.Settings) *build.Instance {
	t.Helper()
	unit, diags := build.Collect(program.Files)
	for _, a := range unit.Claims {
		if a.Name.Name != claim || diags.HasErrors() {
			continue
		}
		c, diags := unit.Claim(a)
		list := c.Instances(given, &diags)
		if diags.HasErrors() || len(list) == 0 {
			t.Fatal(diags)
		}
		return list[0]
	}
	t.Fatalf("no claim %s: %v", claim, diags)
	return nil
}

// source makes a program of one text.
func source(t testing.TB, text string) *dsl.Program {
	t.Helper()
	program, diags := dsl.Load("test.sow", func(string) ([]byte, error) { return []byte(text), nil })
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return program
}

// backwardEvidence runs the backward search, which must close.
func backwardEvidence(t testing.TB, inst *build.Instance) *cert.Backward {
	t.Helper()
	in := interp.New(inst.System)
	res, err := backward.Search(context.Background(), in, inst.Property.(*build.Reach).Target, backward.Options{})
	if err != nil || res.Stop != limit.Complete {
		t.Fatalf("%v: %+v", err, res)
	}
	var states []rules.State
	for i := range res.Len() {
		states = append(states, res.State(i))
	}
	lemmas := shape.Of(context.Background(), in).Lemmas
	return cert.NewBackward(inst.System, res.Kept.Kept, lemmas, states)
}

func dose(t testing.TB, n int) *cert.Certificate {
	t.Helper()
	program, inst := instance(t, "../../examples/dose2015.sow", "thesis", build.Settings{"n": {N: n}})
	c, err := cert.New("test", program, inst, cert.Proved, false, backwardEvidence(t, inst))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func mustCheck(t testing.TB, c *cert.Certificate) *cert.Report {
	t.Helper()
	r, err := cert.Check(context.Background(), c)
	if err != nil {
		t.Fatalf("%s: %v", c.Claim.Name, err)
	}
	return r
}

func TestThesis(t *testing.T) {
	for n := 5; n <= 12; n++ {
		c := dose(t, n)
		begin := time.Now()
		r := mustCheck(t, c)
		took := time.Since(begin)
		t.Logf("n = %d: %d states, %v, %v", n, len(backwardOf(c).States), took, r.Checked)
		if want := map[bool]int{true: 23, false: 29}[n == 5]; len(backwardOf(c).States) != want {
			t.Errorf("n = %d: %d states, want %d", n, len(backwardOf(c).States), want)
		}
		if took > 20*time.Second { // other tests may be running
			t.Errorf("n = %d: took %v", n, took)
		}
		if want := fmt.Sprintf("[{n %d false} {stones %d.. true}]", n, 2*n); fmt.Sprint(c.Scope) != want {
			t.Errorf("scope %v, want %s", c.Scope, want)
		}
	}
}

// TestRoundTrip: a written certificate can be read back unchanged.
func TestRoundTrip(t *testing.T) {
	for _, c := range []*cert.Certificate{dose(t, 6), kalah(t, 2, 2), kalah(t, 3, 3/tier.Every(3, 3))} {
		var file, again bytes.Buffer
		if err := cert.Write(&file, c); err != nil {
			t.Fatal(err)
		}
		written := bytes.Clone(file.Bytes())
		read, err := cert.Read(&file)
		if err != nil {
			t.Fatal(err)
		}
		if err := cert.Write(&again, read); err != nil || !bytes.Equal(written, again.Bytes()) {
			t.Errorf("%s: %v, or another file", c.Claim.Name, err)
		}
		mustCheck(t, read)
		t.Logf("%s: %d bytes", c.Claim.Name, len(written))
	}
}

func TestReadRejects(t *testing.T) {
	for _, text := range []string{"", "{}x", "[]", `{"format": 1}`, `{"unknown": 1}`, "\x28\xb5\x2f\xfd garbage", "{} {}"} {
		_, err := cert.Read(bytes.NewReader([]byte(text)))
		var rejected *cert.Rejected
		if !errors.As(err, &rejected) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := cert.Check(context.Background(), &cert.Certificate{}); err == nil {
		t.Error("an empty certificate was accepted")
	}
}

// tryNew checks evidence for the thesis of other rules.
func tryNew(t testing.TB, program *dsl.Program, evidence cert.Evidence) (*cert.Report, error) {
	t.Helper()
	c, err := cert.New("test", program, instanceOf(t, program, "thesis", nil), cert.Proved, false, evidence)
	if err != nil {
		t.Fatal(err)
	}
	return cert.Check(context.Background(), c)
}

// backwardOf returns the evidence of a certificate.
func backwardOf(c *cert.Certificate) *cert.Backward { return c.Evidence.Is.(*cert.Backward) }
