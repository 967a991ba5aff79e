package claim

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/checker/laws"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/abstract"
	"github.com/mancheck/mancheck/rules/interp"
)

// lawTries bounds how many possibilities the certificate checker tries to list the starts. Laws
// come before every search, so they must be cheap.
const lawTries = 20_000

// first returns an attempt that tries several in turn until one decides the claim. If none does, it
// says what the last one says.
func first(attempts ...engines.Attempt) engines.Attempt {
	return func(run *engines.Run) (r *result.Result, err error) {
		for i, attempt := range attempts {
			if r, err = attempt(run); i == len(attempts)-1 {
				break
			}
			if r, err = engines.Settled(r, err); err != nil || r.Status != verdict.Unknown {
				break
			}
		}
		return r, err
	}
}

// laws decides that no reachable state satisfies the target because every state has as many seeds
// as some start, or because of which seeds come to some pits. The certificate checker does all of
// the work: accepting the certificate is the decision.
func (k reach) laws(run *engines.Run) (*result.Result, error) {
	no := verdict.Is(!k.Reachable)
	over := k.overAtOnce("")
	if run.Opt.Engine == verdict.Laws {
		over = first(over, k.overGoingOn)
	}
	if r, err := engines.Settled(over(run)); err != nil || r.Status != verdict.Unknown {
		return r, err
	}
	if len(run.Sys.OpenParams()) > 0 || run.Sys != run.Inst.System {
		return nil, noLaw(run, "the number of seeds is not the same for all values of a parameter")
	}
	tried := []cert.Evidence{&cert.Conserved{}}
	if groups := k.groups(run.Sys); len(groups) > 0 {
		tried = append(tried, &cert.Grouped{Groups: groups})
	}
	return lawful(run, no, verdict.Conserved, k.Target, "it does not follow from the number of seeds alone", tried...)
}

// overAtOnce decides that no reachable state satisfies the target because the rules end the game
// there. follows is the variable that says from which pit a player has to go on, or "".
func (k reach) overAtOnce(follows string) engines.Attempt {
	return func(run *engines.Run) (*result.Result, error) {
		if run.Sys != run.Inst.System {
			return nil, noLaw(run, "laws are about plays")
		}
		return lawful(run, verdict.Is(!k.Reachable), verdict.OverAtOnce, k.Target, "", &cert.OverAtOnce{Follows: follows})
	}
}

// overGoingOn is overAtOnce with the variable that is proposed. It may take seconds.
func (k reach) overGoingOn(run *engines.Run) (*result.Result, error) {
	v := laws.Going(run.Sys)
	if v == "" {
		return nil, noLaw(run, "no player has to go on from a pit")
	}
	return k.overAtOnce(v)(run)
}

// lawful returns the verdict that the first evidence to do so shows about the states that satisfy
// the target, or, if that is nil, about steps. If none shows it, the error says why not: none, or
// what was wrong with the last evidence.
func lawful(run *engines.Run, status verdict.Status, found verdict.Finding, target rules.Expr, none string, tried ...cert.Evidence) (*result.Result, error) {
	why := ""
	for _, e := range tried {
		r, report, err := accepted(run, verdict.Laws, status, found, e, lawTries)
		switch {
		case refused(err):
			why = err.Error()
			continue
		case err != nil:
			return nil, err
		}
		r.Vacuous = report.Subject == cert.NoSubject
		if report.Subject == cert.SubjectUnknown && target != nil {
			r.Vacuous = engines.Shapeless(run, target)
		}
		return r, nil
	}
	return nil, noLaw(run, cmp.Or(none, strings.TrimPrefix(why, "rejected: ")))
}

// accepted returns the verdict that evidence shows. The certificate checker does all of the work,
// with so many tries: accepting the certificate is the decision.
func accepted(run *engines.Run, engine verdict.Engine, status verdict.Status, found verdict.Finding, e cert.Evidence, tries int) (*result.Result, *cert.Report, error) {
	report, err := cert.Verify(run.Ctx, run.Inst, status.String(), e, tries, nil)
	if err != nil {
		return nil, nil, err
	}
	r := run.Result(status, engine, found)
	r.Evidence, r.Notes = e, faultNotes(run.Sys)
	return r, report, nil
}

// refused reports whether the checker does not accept evidence, rather than has failed.
func refused(err error) bool {
	return errors.As(err, new(*cert.Rejected)) || errors.As(err, new(*cert.NeedsSolver))
}

// groups proposes groups of pits of which the target may need to know more: those to which seeds
// only come and that are not empty at the start, or those of whose seeds it asks for a remainder.
func (k reach) groups(sys *rules.System) []cert.Group {
	var list []cert.Group
	if slices.Contains(sys.Start.Free, true) {
		for p, grows := range laws.Growing(sys) {
			if grows && sys.Start.Free[p] {
				list = append(list, cert.Group{Pits: []string{sys.Pits[p].Name}})
			}
		}
	}
	rules.Walk(k.Target, func(x rules.Expr) bool {
		mod, is := x.(rules.Binary)
		by, constant := mod.R.(rules.Const)
		if !is || mod.Op != rules.Mod || !constant || by.Value < 2 {
			return true
		}
		g := cert.Group{Every: by.Value}
		var sum rules.Linear
		sum.Add(mod.L, 1)
		for _, t := range sum.Terms {
			if pit, is := t.X.(rules.Cell); is && pit.Sort == rules.PitCell && pit.Index == nil && !slices.Contains(g.Pits, sys.Pits[pit.Slot].Name) {
				g.Pits = append(g.Pits, sys.Pits[pit.Slot].Name)
			}
		}
		if len(g.Pits) > 0 {
			list = append(list, g)
		}
		return true
	})
	return list
}

// laws decides that every step is as claimed, since the ways that seeds may go leave nothing else.
func (k everyStep) laws(run *engines.Run) (*result.Result, error) {
	if k.All || run.Sys != run.Inst.System {
		return nil, noLaw(run, "laws are about plays")
	}
	r, err := lawful(run, verdict.Proved, verdict.OneWay, nil, "it does not follow from where seeds may go alone", &cert.Moved{})
	if err == nil && !r.Vacuous && !k.begun(run) {
		r.Notes = append(r.Notes, verdict.ReachedUnknown)
	}
	return r, err
}

// begun reports whether some start has a step that the claim is about.
func (k everyStep) begun(run *engines.Run) bool {
	if len(run.Sys.OpenParams()) > 0 {
		return false
	}
	looked, found := 0, false
	_ = run.Starts()(run.Ctx, func(s rules.State) error {
		if is, err := run.In.Holds(k.From, s, nil); err == nil && is {
			steps, _, err := run.In.Legal(s)
			found = err == nil && slices.ContainsFunc(steps, func(st interp.Step) bool { return rules.Counts(k.Actions, st.Action) })
		}
		if looked++; found || looked == fewStarts {
			return errStop
		}
		return nil
	})
	return found
}

// fewStarts is how many starts are looked at for a step that a claim is about.
const fewStarts = 20

// laws decides that no play is infinite, since each move lowers a rank.
func (k terminates) laws(run *engines.Run) (*result.Result, error) {
	if k.Within >= 0 || run.Sys != run.Inst.System {
		return nil, noLaw(run, "a rank does not say how many moves a play has")
	}
	var tried []cert.Evidence
	if rank := laws.Rank(run.Sys); rank != nil {
		tried = append(tried, &cert.Ranked{Weights: rank})
	}
	return lawful(run, verdict.Proved, verdict.RankFalls, nil, "no rank is seen that each move lowers", tried...)
}

// laws decides the claim because a state without a move is over or allows a pass, and each loop
// ends.
func (k neverStuck) laws(run *engines.Run) (*result.Result, error) {
	if run.Sys != run.Inst.System {
		return nil, noLaw(run, "laws are about plays")
	}
	ranks := laws.Loops(run.Sys)
	tried := []cert.Evidence{&cert.NoDeadEnd{Ranks: ranks}}
	if v := laws.Going(run.Sys); v != "" {
		tried = append(tried, &cert.NoDeadEnd{Follows: v, Ranks: ranks})
	}
	return lawful(run, verdict.Proved, verdict.NoDeadEnd, nil, "", tried...)
}

// faultNotes says of a System whose rules may be at fault somewhere that no law tells whether they
// are. A law holds all the same: an action that meets a fault has no step.
func faultNotes(sys *rules.System) []verdict.Note {
	if mayFault(sys) {
		return []verdict.Note{verdict.MayFault}
	}
	return nil
}

// noLaw returns the error for a claim that laws do not decide.
func noLaw(run *engines.Run, why string) error {
	return run.Unknown(verdict.Laws, verdict.Unfit.Says(why))
}

// mayFault reports whether a move or a reaction may violate the rules in some state of the right
// shape, say by taking a seed from an empty pit. What is judged is a body where its condition
// holds.
func mayFault(sys *rules.System) bool {
	may := func(when rules.Expr, body []rules.Stmt, locals int) bool {
		if when != nil {
			body = []rules.Stmt{rules.If{Cond: when, Then: body}}
		}
		return abstract.Everywhere(sys, locals).MayFail(body)
	}
	return slices.ContainsFunc(sys.Actions, func(a rules.Action) bool { return may(a.Guard, a.Body, len(a.Locals)) }) ||
		slices.ContainsFunc(sys.Reactions, func(r rules.Reaction) bool {
			return slices.ContainsFunc(r.By, func(by rules.ReactionFor) bool { return may(by.When, by.Body, len(by.Locals)) })
		})
}

// Bounds of the decisions in all cases. What comes before a search must be cheap.
const (
	fewDecisions  = 10_000
	mostDecisions = 50_000
)

// byCases decides a claim by an induction over k states, case by case and without a solver.
func byCases(run *engines.Run, status verdict.Status, found verdict.Finding, k, most int) (*result.Result, *cert.Report, error) {
	if run.Sys != run.Inst.System {
		return nil, nil, run.Unknown(verdict.Cases, verdict.NotInductive.Of(k))
	}
	if run.Opt.Engine == verdict.Cases {
		most = 0 // only the checker has a limit
	}
	r, report, err := accepted(run, verdict.Cases, status, found, &cert.Inductive{K: k}, most)
	if refused(err) {
		why := err.Error()
		if open, is := errors.AsType[*cert.NeedsSolver](err); is {
			why = open.Reason // no solver is asked for
		}
		return nil, nil, run.Unknown(verdict.Cases, verdict.Unfit.Says(strings.TrimPrefix(why, "rejected: ")))
	}
	return r, report, err
}
