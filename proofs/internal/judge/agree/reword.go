package agree

import (
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/dsltest/gen"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/internal/judge/reword"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules/build"
)

// said is what is said of an instance of a claim: all that has a name.
type said struct {
	name    string
	status  string // proved, refuted, or why neither
	decided bool
	vacuous bool
	valued  bool
	worth   verdict.Worth // if it is valued
	to      string        // the player to whom it is worth that
	several bool          // it is the worth of one of several starts, the first that refutes the claim
	numbers []int64       // of what was found
	counted bool          // which says how many
	moves   []string      // of a play
	play    bool
}

// sayings are by claim, in the order of the file; nothing for a claim with mistakes.
type sayings struct {
	claims map[string][]said
	asts   map[string]*ast.Claim
	broken string // the file's own mistakes
}

// Rewordings compares what is said of a file with what is said of it in other words, by every way
// to write them. tally.Claims counts what was compared, by way.
func (o Options) Rewordings(seed uint64, f *gen.File, tally *Tally) (list []Finding) {
	f = &gen.File{Text: inlined(f), Parts: f.Parts}
	before := o.say(f)
	if before.broken != "" {
		return nil
	}
	for _, way := range reword.Ways {
		after, ok := way.Apply(f.Text, f.Parts)
		if !ok {
			continue
		}
		g := &gen.File{Text: after.Text, Parts: after.Parts}
		now := o.say(g)
		find := func(claim, what string) {
			list = append(list, Finding{seed, f, claim, claim, "resolver", way.Name, what + "\n" + after.Text})
		}
		if now.broken != "" {
			find("", "in other words the file has mistakes: "+now.broken)
			continue
		}
		for name, was := range before.claims {
			if after.Leaves(before.asts[name]) {
				continue
			}
			tally.Claims["reworded: "+way.Name]++
			if what := differ(was, now.claims[after.Word(name)], way.Exact, after); what != "" {
				find(name, what)
			}
		}
	}
	return list
}

// InOtherWords makes both comparisons: of what is said, and move for move.
func (o Options) InOtherWords(seed uint64, f *gen.File, tally *Tally) []Finding {
	return append(o.Rewordings(seed, f, tally), o.Equivalents(seed, f, tally)...)
}

// Equivalents compares each variant of a file with itself in other words, move for move, by every
// way that changes only what moves do.
func (o Options) Equivalents(seed uint64, f *gen.File, tally *Tally) (list []Finding) {
	f = &gen.File{Text: inlined(f), Parts: f.Parts}
	for _, way := range reword.Ways {
		if !way.Moves {
			continue
		}
		after, ok := way.Apply(f.Text, f.Parts)
		if !ok {
			continue
		}
		before := games(f.Text)
		now := games(after.Text)
		for name, v := range now.variants {
			if v == before.variants[name] {
				continue
			}
			pair := &gen.File{Text: fmt.Sprintf("%s%s\nclaim zz of %s { equivalent to zz%[3]s }\n", before.text, v, name), Parts: f.Parts}
			all := o.say(pair)
			what := "compared"
			switch is := all.claims["zz"]; {
			case all.broken != "" || len(is) != 1 || is[0].status == "rejected":
				what = "rejected"
			case !is[0].decided:
				what = "open"
			case is[0].status != "proved":
				list = append(list, Finding{seed, pair, "zz", "zz", "resolver", way.Name, fmt.Sprintf("%+v", is[0])})
			}
			tally.Claims[what+" by moves: "+way.Name]++
		}
	}
	return list
}

// gamesOf has the text of a file without what is said of its games, and that of each variant once
// more, under a name with zz before it.
type gamesOf struct {
	text     string
	variants map[string]string
}

func games(text string) gamesOf {
	file, _ := dsl.Parse("root.sow", []byte(text))
	out := gamesOf{variants: map[string]string{}}
	for _, d := range file.Decls {
		r := d.Span()
		own := text[r.Start.Offset:r.End.Offset] + "\n"
		switch d := d.(type) {
		case *ast.Claim, *ast.Position, *ast.Strategy:
			continue
		case *ast.Variant:
			at := d.Name.Range.Start.Offset - r.Start.Offset
			out.variants[d.Name.Name] = own[:at] + "zz" + own[at:]
		}
		out.text += own
	}
	return out
}

// say decides the claims of a file by one engine.
func (o Options) say(f *gen.File) sayings {
	out := sayings{claims: map[string][]said{}, asts: map[string]*ast.Claim{}}
	program, diags := dsl.Load("root.sow", opener(f))
	unit, more := build.Collect(program.Files)
	if diags = append(diags, more...); diags.HasErrors() {
		out.broken = diags.Err().Error()
		return out
	}
	for _, cl := range unit.Claims {
		name := cl.Name.Name
		out.asts[name], out.claims[name] = cl, nil
		read, diags := unit.Claim(cl)
		insts := read.Instances(nil, &diags)
		if diags.HasErrors() {
			out.claims[name] = []said{{status: "rejected"}}
			continue
		}
		for _, inst := range insts {
			s := o.decided(inst)
			_, s.counted = cl.Property.(*ast.Count)
			out.claims[name] = append(out.claims[name], s)
		}
	}
	return out
}

func (o Options) decided(inst *build.Instance) said {
	ctx, cancel := o.limited(-1)
	defer cancel()
	opt := o.Decide
	opt.Engine, opt.Solver = proofs.Forward, noSolver
	r, err := proofs.Decide(ctx, inst, opt)
	out := said{name: inst.Name()}
	if err != nil {
		out.status = "an error"
		return out
	}
	out.status, out.vacuous, out.numbers = r.Status.String(), r.Vacuous, numbersOf(r)
	out.decided = r.Status == proofs.Proved || r.Status == proofs.Refuted
	if r.Value != nil && out.decided {
		out.valued, out.worth = true, *r.Value
		out.several = r.Status == proofs.Refuted && slices.Contains(inst.System.Start.Free, true)
		if p := r.Value.Player; p >= 0 && p < len(inst.System.Players) {
			out.to = inst.System.Players[p]
		}
	}
	if r.Trace != nil {
		out.play, out.moves = true, r.Trace.Moves()
	}
	return out
}

// differ tells how what is said in other words differs. Limits may be met sooner or later, and
// errors in another order: only what is decided on both sides is compared.
func differ(was, now []said, exact bool, r *reword.Reworded) string {
	rejected := func(list []said) bool { return len(list) > 0 && list[0].status == "rejected" }
	switch {
	case rejected(was) != rejected(now):
		return fmt.Sprintf("rejected: %v, in other words: %v", rejected(was), rejected(now))
	case len(was) != len(now):
		return fmt.Sprintf("%d instances, in other words %d", len(was), len(now))
	}
	for i, a := range was {
		b := now[i]
		tell := fmt.Sprintf("%+v, in other words %+v", a, b)
		switch {
		case a.decided && b.decided && (a.status != b.status || a.vacuous != b.vacuous):
			return tell
		case a.decided && b.decided && (exact || !a.several) && a.otherWorth(b, r):
			return tell
		case a.decided && b.decided && len(a.moves) != len(b.moves) && a.play && b.play && exact:
			return tell
		case a.decided && b.decided && a.counted && !a.play && !b.play && !slices.Equal(a.numbers, b.numbers):
			return tell
		case r.Words(a.name) != b.name:
			return tell
		case !exact || !a.decided || !b.decided:
		case !slices.EqualFunc(a.moves, b.moves, func(x, y string) bool { return r.Words(x) == y }):
			return tell
		case !a.valued && !slices.Equal(a.numbers, b.numbers):
			return tell
		}
	}
	return ""
}

// otherWorth reports whether the values of two verdicts are to the same player and differ.
func (s said) otherWorth(o said, r *reword.Reworded) bool {
	return s.valued && o.valued && r.Words(s.to) == o.to && (s.worth.Lo != o.worth.Lo || s.worth.Hi != o.worth.Hi)
}

// numbersOf are the numbers of what a verdict found, without those that stand for players.
func numbersOf(r *proofs.Result) (list []int64) {
	if r.Least != nil {
		list = append(list, int64(r.Least.Value))
	}
	return append(list, verdict.Figures(r.Found)...)
}
