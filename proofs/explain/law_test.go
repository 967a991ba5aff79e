package explain_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/cert"
	. "github.com/mancheck/mancheck/proofs/explain"
	"github.com/mancheck/mancheck/rules/build"
)

const lawful = `
variant Kalah {
  param m = 3 in 1..
  param n = 2
  player South, North
  board {
    north_store | north[m..1] |
                | south[1..m] | south_store
  }
  setup { each house = n }
  move {
    choose from in my house where from > 0
    sow from along ccw_with_stores, skip their store
    if last in my house and last was empty { capture last, opposite(last) into my store }
  }
  end when total(south) = 0 or total(north) = 0
}
claim ends { using laws  terminates }
claim always_ends { for all m >= 1: terminates for all n }
claim kept { invariant total(pit) = 2 * m * n }
claim kept_always { for all m >= 1: invariant total(pit) = 2 * m * n }
claim grows { from not finished every step gives seeds(south_store) >= old seeds(south_store) }
claim grows_always { for all m >= 1: from not finished every step gives seeds(south_store) >= old seeds(south_store) }
`

// TestLaws: what is said of a verdict by laws is the argument: how the board grows, the weights of
// the rank, each statement, and what the certificate checker counts, which is as many as it says.
func TestLaws(t *testing.T) {
	doc := document(t, "kalah.sow", fromText(lawful))
	for i, want := range []struct {
		size, rank bool
		says       string
	}{
		{rank: true},
		{size: true, rank: true},
		{says: "make or lose none"},
		{size: true, says: "make or lose none"},
		{says: "never has fewer"},
		{size: true, says: "never has fewer"},
	} {
		c := doc.Claims[i]
		var text strings.Builder
		var titles []string
		statements := 0
		for _, b := range c.Instances[0].Evidence {
			switch b := b.(type) {
			case Para:
				text.WriteString(string(b) + "\n")
			case *States:
				titles = append(titles, b.Title)
				if b.Title == "What each statement does" {
					statements = len(b.States)
				}
				for _, s := range b.States {
					text.WriteString(s.Text + "\n")
				}
			}
		}
		said := text.String()
		if got := strings.Contains(said, "Larger boards have more pits between `north2` and `north1` and between `south1` and `south2`"); got != want.size {
			t.Errorf("%s: the growth of the board is said: %v\n%s", c.Name, got, said)
		}
		if got := slices.Contains(titles, "The weights of the pits") && strings.Contains(said, "lowers level 1"); got != want.rank {
			t.Errorf("%s: the rank is shown: %v\n%s", c.Name, got, said)
		}
		if !strings.Contains(said, want.says) || statements != 2 {
			t.Errorf("%s has %d statements, and is told as\n%s", c.Name, statements, said)
		}
		if strings.Contains(said, ".md") || strings.Contains(strings.Join(c.Instances[0].Trust, ""), ".md") {
			t.Errorf("%s tells of a file of the repository", c.Name)
		}
	}
}

// TestLawsCount: what is counted is what the certificate checker reports, and a store that only
// grows is none of the pits out of which a statement takes seeds.
func TestLawsCount(t *testing.T) {
	program, _ := dsl.Load("kalah.sow", fromText(lawful))
	unit, _ := build.Collect(program.Files)
	doc := document(t, "kalah.sow", fromText(lawful))
	for i, decl := range unit.Claims {
		c, diags := unit.Claim(decl)
		inst := c.Instances(nil, &diags)[0]
		r, err := proofs.Decide(context.Background(), inst, proofs.Options{})
		if err != nil {
			t.Fatal(err)
		}
		report, err := cert.Verify(context.Background(), inst, "proved", r.Evidence, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range report.Checked {
			if !slices.ContainsFunc(doc.Claims[i].Instances[0].Evidence, func(b Block) bool {
				p, is := b.(Para)
				return is && strings.Contains(string(p), fmt.Sprintf("%s: %d", n.What, n.N))
			}) {
				t.Errorf("%s: %d %s are not counted", decl.Name.Name, n.N, n.What)
			}
		}
	}
	for _, b := range doc.Claims[4].Instances[0].Evidence {
		if s, is := b.(*States); is {
			for _, x := range s.States {
				out, _, _ := strings.Cut(x.Text, "and gives them to")
				if strings.Contains(out[strings.LastIndex(out, "takes seeds out of"):], "store") {
					t.Errorf("%s", x.Text)
				}
			}
		}
	}
}
