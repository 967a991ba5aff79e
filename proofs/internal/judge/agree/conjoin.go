package agree

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/dsltest/gen"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/internal/judge/reword"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules/build"
)

// Conjoined compares each claim of a file with itself and conditions that are true in every state.
// They name what the claim did not: pits, laps, relations, variables, outcomes. They must not
// change the game; forward search must decide as before, and no engine contradict what it said. An
// engine may give up, as where a law no longer fits; tally.Claims counts that.
func (o Options) Conjoined(seed uint64, f *gen.File, tally *Tally) []Finding {
	return o.conjoined(seed, &source{path: "root.sow", text: f.Text, parts: f.Parts, read: opener(f)}, f, tally)
}

func (o Options) conjoined(seed uint64, src *source, f *gen.File, tally *Tally) (found []Finding) {
	before := src.claims()
	if before.broken != "" {
		return nil
	}
	after, ok := reword.Conjoined(src.text, tautologies(seed, before.insts))
	if !ok {
		return nil
	}
	with := *src
	with.text = after.Text
	now := with.claims()
	add := func(claim, name, engine, class, what string) {
		found = append(found, Finding{seed, f, claim, name, engine, class + " by a tautology", what + "\n" + now.texts[claim]})
	}
	if now.broken != "" {
		add("", "", "resolver", "mistakes", now.broken+"\n"+after.Text)
		return found
	}
	c := &checker{opt: o, seed: seed, file: f, tally: tally}
	for name, was := range before.insts {
		is := now.insts[name]
		if len(was) != len(is) {
			add(name, name, "resolver", "other instances", fmt.Sprintf("%d, and not %d %s", len(is), len(was), now.mistakes[name]))
			continue
		}
		for i, inst := range was {
			tally.Claims["with a tautology"]++
			_, step := inst.Property.(*build.EveryStep) // whose System has what the claim asks for of a step
			if what := differing(place{}.game(is[i].System), place{}.game(inst.System)); what != "" && !step {
				add(name, inst.Name(), "resolver", "another game", what)
				continue
			}
			if src.first {
				continue
			}
			for _, e := range o.joinedEngines(seed + uint64(i)) {
				a, b := c.ask(inst, e), c.ask(is[i], e)
				tally.Claims["answers with a tautology"]++
				class := c.joined(inst, a, b)
				if class != "" {
					a, b = c.patient().ask(inst, e), c.patient().ask(is[i], e)
					class = c.joined(inst, a, b)
				}
				if class != "" {
					add(name, inst.Name(), string(e), class, describe(b)+"; without: "+describe(a))
				}
			}
		}
	}
	return found
}

// patient is a checker that gives engines more, for what may differ because one of two was ended.
func (c *checker) patient() *checker {
	p := *c
	p.opt.Time *= 100
	p.opt.Looks *= 100
	return &p
}

// joinedEngines are forward search, now and then the laws and the other engines without a solver,
// and seldom the sampled ones.
func (o Options) joinedEngines(n uint64) []proofs.Engine {
	list := []proofs.Engine{proofs.Forward}
	if n%4 == 1 {
		list = append(list, proofs.Laws)
	}
	if n%16 == 0 {
		list = append(list, proofs.Auto, proofs.Backward)
	}
	for i, e := range o.Sampled {
		if o.Rate > 0 && e != proofs.Laws && (n+7*uint64(i))%uint64(o.Rate) == 0 {
			list = append(list, e)
		}
	}
	return list
}

// claimed has the claims of a file: their texts and instances, or their mistakes.
type claimed struct {
	broken   string // the file's own mistakes
	texts    map[string]string
	insts    map[string][]*build.Instance
	mistakes map[string]string
}

func (s *source) claims() claimed {
	out := claimed{texts: map[string]string{}, insts: map[string][]*build.Instance{}, mistakes: map[string]string{}}
	program, diags := dsl.Load(s.path, s.open)
	unit, more := build.Collect(program.Files)
	if diags = append(diags, more...); diags.HasErrors() {
		out.broken = diags.Err().Error()
		return out
	}
	for _, cl := range unit.Claims {
		name, r := cl.Name.Name, cl.Span()
		out.texts[name] = s.text[r.Start.Offset:r.End.Offset]
		insts, diags := s.instances(unit, cl)
		if out.insts[name] = insts; diags.HasErrors() {
			out.insts[name], out.mistakes[name] = nil, diags.Err().Error()
		}
	}
	return out
}

// tautologies draws conditions that are true in the Systems of all instances of a claim.
func tautologies(seed uint64, insts map[string][]*build.Instance) func(c *ast.Claim, given bool) string {
	return func(c *ast.Claim, given bool) string {
		var list []string
		for i, inst := range insts[c.Name.Name] {
			own := newWords(inst.System).tautologies(given)
			if i == 0 {
				list = own
			}
			list = slices.DeleteFunc(list, func(t string) bool { return !slices.Contains(own, t) })
		}
		if len(list) == 0 {
			return ""
		}
		h := fnv.New64a()
		fmt.Fprint(h, seed, c.Name.Name, given)
		r := rand.New(rand.NewPCG(h.Sum64(), 3))
		t := list[r.IntN(len(list))]
		if r.IntN(2) == 0 {
			t += " and " + list[r.IntN(len(list))]
		}
		return t
	}
}

// joined says how an answer contradicts the one without the tautology.
func (c *checker) joined(inst *build.Instance, without, with answer) string {
	_, counts := inst.Property.(*build.Count)
	forward := without.engine == string(proofs.Forward)
	switch a, b := without.result, with.result; {
	case without.broken != "":
		return ""
	case with.broken != "":
		return "panic"
	case (a == nil) != (b == nil):
		if comesBack(b) || cutShort(without) || cutShort(with) || !forward {
			return ""
		}
		return "an error or none"
	case a == nil, !a.Conclusive():
		return ""
	case !b.Conclusive():
		c.tally.Claims["unknown by "+without.engine]++
		c.tally.Claims[fmt.Sprintf("unknown by %s: %T", without.engine, b.Open)]++
		if !forward || comesBack(b) || cutShort(with) || ofAnyState(inst.Property) {
			return ""
		}
		return "no verdict"
	case a.Status != b.Status:
		return "another verdict"
	case forward && a.Vacuous != b.Vacuous && !reach(inst) && !ofAnyState(inst.Property):
		return "vacuous or not"
	case forward && counts && !slices.Equal(verdict.Figures(a.Found), verdict.Figures(b.Found)):
		return "other numbers"
	case forward && (a.Trace != nil) != (b.Trace != nil):
		return "a play or none"
	case forward && a.Trace != nil && len(a.Trace.Moves()) != len(b.Trace.Moves()):
		return "a play of another length"
	}
	return ""
}

// comesBack reports whether a claim is open under a rule of repetition. That matters only where a
// condition may ask for the ends of such plays.
func comesBack(r *proofs.Result) bool {
	return r != nil && r.Open == verdict.ComesBack
}

// ofAnyState reports whether a claim is about all states of the right shape. Pits that it does not
// name are left out of these, and there are infinitely many states with pits that nothing bounds.
func ofAnyState(p build.Property) bool {
	switch p := any(p).(type) { // most are about plays
	case *build.Neighbours, *build.StepTo:
		return true
	case *build.EveryStep:
		return p.All
	case *build.Count:
		return p.Set == build.CountAncestors
	}
	return false
}

// cutShort reports whether a limit on time or on looks has ended the decision of a search.
func cutShort(a answer) bool {
	return a.ended && a.result != nil && a.result.Status == proofs.Unknown
}
