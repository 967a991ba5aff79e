package proofs_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/build/buildtest"
)

// TestBestPlayCertified: every verdict about best play has a certificate, unless it is about
// several values of a parameter. It is accepted after it was written and read.
func TestBestPlayCertified(t *testing.T) {
	for _, file := range []string{"loop", "round"} {
		path := "testdata/value/" + file + ".sow"
		program, diags := dsl.Load(path, os.ReadFile)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		for _, inst := range buildtest.Instances(t, buildtest.File(t, path), "", nil) {
			r := decide(t, inst, proofs.Options{Certify: true})
			if r.Status == proofs.Unknown || len(inst.Open) > 0 {
				continue
			}
			c, err := r.Certificate("test", program)
			if err != nil || r.Checked != proofs.ByCertificate {
				t.Errorf("%s is checked by %s: %v", inst.Name(), r.Checked, err)
				continue
			}
			var text bytes.Buffer
			if err := cert.Write(&text, c); err != nil {
				t.Fatal(err)
			}
			if c, err = cert.Read(&text); err != nil {
				t.Fatal(err)
			}
			if _, err := cert.Check(context.Background(), c); err != nil {
				t.Errorf("%s: %v", inst.Name(), err)
			}
			if err := c.Binds([]*build.Instance{inst}); err != nil {
				t.Errorf("%s: %v", inst.Name(), err)
			}
		}
	}
}

// TestWrongBestPlay: evidence that is wrong is noticed, and so is a verdict that says something
// other than its evidence shows.
func TestWrongBestPlay(t *testing.T) {
	u := buildtest.File(t, "testdata/value/loop.sow")
	by := func(r *proofs.Result, change func(*cert.Strategy)) {
		e := *r.Evidence.(*cert.Strategies)
		e.By = slices.Clone(e.By)
		change(&e.By[0])
		r.Evidence = &e
	}
	strategies := func(r *proofs.Result) *cert.Strategies { return r.Evidence.(*cert.Strategies) }
	for _, c := range []struct {
		claim string
		spoil func(r *proofs.Result)
	}{
		{"l3", func(r *proofs.Result) { r.Status = proofs.Refuted }},
		{"l3", func(r *proofs.Result) { by(r, func(s *cert.Strategy) { n := *s.Bound + 1; s.Bound = &n }) }},
		{"l3", func(r *proofs.Result) { by(r, func(s *cert.Strategy) { s.Count, s.Packed = 0, "" }) }},
		{"l3", func(r *proofs.Result) { strategies(r).By = strategies(r).By[:1] }},
		{"l1", func(r *proofs.Result) { r.Found = verdict.Valued{Worth: verdict.Worth{Lo: 2, Hi: 2, Positions: 1}} }},
		{"l1", func(r *proofs.Result) {
			r.Value = &verdict.Worth{Lo: 2, Hi: 2, Positions: 1}
			r.Found = verdict.Valued{Worth: *r.Value}
		}},
		{"l6", func(r *proofs.Result) { r.Status = proofs.Refuted }},
		{"l9", func(r *proofs.Result) { r.Status = proofs.Refuted }},
		{"l9", func(r *proofs.Result) { r.Found = verdict.Best{Positions: 1, Moves: []string{"out"}} }},
		{"l9", func(r *proofs.Result) { strategies(r).By = strategies(r).By[1:] }},
		{"l10", func(r *proofs.Result) { r.Status = proofs.Proved }},
		{"l11", func(r *proofs.Result) { r.Found = verdict.Forced{Positions: 1} }},
		{"l11", func(r *proofs.Result) { by(r, func(s *cert.Strategy) { s.Shows = cert.Prevents }) }},
		{"l12", func(r *proofs.Result) { r.Status = proofs.Proved }},
		{"n9", func(r *proofs.Result) { by(r, func(s *cert.Strategy) { s.Count, s.Packed = 0, "" }) }},
	} {
		inst := buildtest.Instances(t, u, c.claim, nil)[0]
		_, err := proofs.Decide(context.Background(), inst, proofs.Options{Claimed: c.spoil, Certify: true})
		if no := (*proofs.RejectedError)(nil); !errors.As(err, &no) {
			t.Errorf("%s: a wrong verdict is not rejected: %v", c.claim, err)
		}
	}
}

// TestBoardsCertified: each line of a file of boards has a certificate of its own, which is about
// no other line that claims something else.
func TestBoardsCertified(t *testing.T) {
	path := "fairkalah.sow"
	program, diags := dsl.Load(path, os.ReadFile)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	var list []*cert.Certificate
	instances := buildtest.Instances(t, buildtest.File(t, path), "margins", nil)[:12]
	for _, inst := range instances {
		c, err := decide(t, inst, proofs.Options{Certify: true}).Certificate("test", program)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := cert.Check(context.Background(), c); err != nil {
			t.Errorf("%s: %v", inst.Name(), err)
		}
		list = append(list, c)
	}
	for i, c := range list {
		other, next := *c, list[(i+1)%len(list)]
		for _, line := range []int{0, -1, 1000, next.Line} {
			if other.Line = line; line == next.Line && next.Claim.Asserts == c.Claim.Asserts {
				continue // the parameters of the certificate take the place of the columns
			}
			_, err := cert.Check(context.Background(), &other)
			if no := (*cert.Rejected)(nil); !errors.As(err, &no) {
				t.Errorf("line %d as %d: %v", c.Line, line, err)
			}
		}
		for k := range instances {
			if err := c.Binds(instances[k : k+1]); (err == nil) != (k == i) {
				t.Errorf("line %d as %d: %v", c.Line, instances[k].Line(), err)
			}
		}
	}
}

// TestPreventedForLong: what is prevented for ever is prevented for any number of moves that a
// claim can name.
func TestPreventedForLong(t *testing.T) {
	for _, moves := range []string{"1", "2147483646", "2147483647", "2147483648", "4611686018427387903"} {
		u := buildtest.Text(t, `
variant Passing {
  player South, North
  board { a | b }
  setup { a = 2 }
  pass when no other move
}
claim c { North can force b = 1 within `+moves+` }
`)
		inst := buildtest.Instances(t, u, "c", nil)[0]
		for _, certify := range []bool{false, true} {
			if r := decide(t, inst, proofs.Options{Certify: certify}); r.Status != proofs.Refuted || r.Checked == proofs.Unchecked {
				t.Errorf("within %s: %s, checked by %s: %s", moves, r.Status, r.Checked, r.Sentence())
			}
		}
	}
}
