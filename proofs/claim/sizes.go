package claim

import (
	"cmp"
	"errors"

	"github.com/mancheck/mancheck/checker/laws"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/family"
)

// Limits on the sizes of boards that are tried: how many until a closed set fits all greater ones,
// and how many in search of a play if no set can.
const (
	maxSizes = 32
	fewSizes = 4
)

// sizes is a running decision about every size.
type sizes struct {
	*engines.Run
	one    engines.Attempt // decides a claim about one size
	lawful bool            // there may be a law for such claims
	least  int
	below  []cert.Evidence // for the sizes so far
	states int64
	latest error // why no set or law fits all greater sizes, at the latest size; nil if there is none
	unfit  error // a reason that is one at every size
}

// size decides one size. The result is nil if the claim holds there, and is not decided by that.
func (s *sizes) size(n int) (*result.Result, error) {
	if err := s.Ctx.Err(); err != nil {
		return nil, err
	}
	on, err := s.Inst.AtSize(n)
	if err != nil {
		return nil, err
	}
	r, err := s.decide(on)
	switch {
	case err != nil:
		return nil, err
	case r.Status == verdict.Refuted:
		r.Instance, r.Evidence = s.Inst, nil
		return r, nil
	case r.Status != verdict.Proved && s.lawful:
		return s.Unknown(r.Engine, s.why()).Result, nil
	case r.Status != verdict.Proved:
		return s.Unknown(r.Engine, verdict.At{Param: s.Inst.Size, Value: n, Rest: verdict.Because(r.Open)}).Result, nil
	case r.Evidence == nil:
		return s.Unknown(r.Engine, verdict.NotEverySize{Size: s.Inst.Size, Value: n, Words: verdict.Words("there is no evidence that can be checked")}).Result, nil
	}
	s.states += r.Stats.States
	if closed, is := r.Evidence.(*cert.Backward); is && s.unfit == nil {
		all, err := cert.NewSizes(s.Ctx, s.Inst, n, closed, s.below)
		if err == nil {
			return s.proved(n, r, all), nil
		}
		if err := s.fails(err); err != nil {
			return nil, err
		}
	}
	s.below = append(s.below, r.Evidence)
	return nil, nil
}

// decide decides one size, by a closed set if there is one.
func (s *sizes) decide(on *build.Instance) (*result.Result, error) {
	run := engines.New(s.Ctx, on, About(on, on.System), s.Opt)
	run.Incidents = s.Incidents
	if s.Opt.Engine != verdict.Auto {
		return s.one(run)
	}
	run.Opt.Engine = verdict.Backward
	r, err := s.one(run)
	if err != nil || r.Status != verdict.Unknown {
		return r, err
	}
	run.Opt.Engine = verdict.Auto
	return s.one(run)
}

// fails notes why a set is not known to fit greater sizes. Other errors are failures.
func (s *sizes) fails(err error) error {
	var set *cert.Unfit
	var rules *build.SizeError
	switch {
	case errors.As(err, &set):
		if !set.Larger {
			s.unfit = set
		}
	case errors.As(err, &rules):
		if rules.At.File != "" {
			s.unfit = rules
		}
	default:
		return err
	}
	s.latest = err
	return nil
}

// why says what keeps the claim from being decided.
func (s *sizes) why() verdict.Reason {
	why := cmp.Or(s.unfit, s.latest, errNoSet).Error()
	return verdict.NotEverySize{Size: s.Inst.Size, Value: s.least + len(s.below) - 1, None: len(s.below) == 0, Words: verdict.Words(why)}
}

var errNoSet = errors.New("no set of states is closed under predecessors")

// proved is the verdict of a set that fits all sizes from n on.
func (s *sizes) proved(n int, at *result.Result, all *cert.Sizes) *result.Result {
	r := s.Result(verdict.Proved, at.Engine, verdict.EverySize{Size: s.Inst.Size, Least: s.least, At: n, States: len(all.States)})
	r.Evidence, r.Vacuous = all, at.Vacuous
	r.Notes = at.Notes
	r.Stats = verdict.Stats{States: s.states, Depth: at.Stats.Depth, Closed: at.Stats.Closed}
	return r
}

// everySize decides a claim about every size of the board. If no law does, the sizes are decided in
// increasing order, until the set that decides one is known to decide all greater ones. A play at
// one size refutes the claim. one decides a claim about one size.
func everySize(run *engines.Run, one engines.Attempt) (*result.Result, error) {
	s := &sizes{Run: run, one: one, least: run.Inst.Least(), lawful: hasLaw(run.Inst.Property)}
	if s.lawful && run.Wants(verdict.Laws) {
		if r, err := s.law(); r != nil || err != nil {
			return r, err
		}
		if _, reach := run.Inst.Property.(*build.Reach); !reach {
			s.unfit = s.latest // no closed set shows it
		}
	}
	for n := s.least; n < s.least+maxSizes && (s.unfit == nil || n < s.least+fewSizes); n++ {
		r, err := s.size(n)
		if r != nil || err != nil {
			return r, err
		}
	}
	return run.Unknown(verdict.Backward, s.why()).Result, nil
}

// law tries to decide a claim about every size by what follows from the rules of a size n for all
// greater ones as well: the first of a few for which it does. The sizes before that are decided one
// by one. The result is nil if no law decides the claim.
func (s *sizes) law() (*result.Result, error) {
	for n := s.least; n < s.least+fewSizes; n++ {
		if err := s.Ctx.Err(); err != nil {
			return nil, err
		}
		e, err := s.lawFrom(n)
		if err == nil {
			return s.byLaw(n, e)
		}
		if err := s.fails(err); err != nil || s.unfit != nil {
			return nil, err
		}
	}
	return nil, nil
}

// byLaw decides the sizes before n, after which a law decides the others.
func (s *sizes) byLaw(n int, e cert.SizesLaw) (*result.Result, error) {
	for size := s.least; size < n; size++ {
		if r, err := s.size(size); r != nil || err != nil {
			return r, err
		}
	}
	e.After(s.below)
	report, err := cert.Verify(s.Ctx, s.Inst, verdict.Proved.String(), e, lawTries, nil)
	switch {
	case errors.As(err, new(*cert.Rejected)), errors.As(err, new(*cert.NeedsSolver)):
		s.latest = err
		return s.Unknown(verdict.Laws, s.why()).Result, nil
	case err != nil:
		return nil, err
	}
	r := s.Result(verdict.Proved, verdict.Laws, verdict.EverySize{Size: s.Inst.Size, Least: s.least, At: n, Law: lawOf(e)})
	r.Evidence, r.Vacuous = e, report.Subject == cert.NoSubject
	r.Notes = faultNotes(s.Sys)
	if _, moves := e.(*cert.SizesMoves); moves && !r.Vacuous && !s.begun() {
		r.Notes = append(r.Notes, verdict.ReachedUnknown)
	}
	r.Stats = verdict.Stats{States: s.states}
	return r, nil
}

// begun reports whether some start of the smallest board has a step that the claim is about.
func (s *sizes) begun() bool {
	on, err := s.Inst.AtSize(s.least)
	if err != nil {
		return false
	}
	k, is := KindOf(on.System, on.Property).(everyStep)
	return is && k.begun(engines.New(s.Ctx, on, About(on, on.System), s.Opt))
}

// lawOf says which law it is.
func lawOf(e cert.SizesLaw) verdict.Fact {
	switch e.(type) {
	case *cert.SizesRank:
		return verdict.RankFalls
	case *cert.SizesMoves:
		return verdict.OneWay
	}
	return verdict.Conserved
}

// lawFrom returns the evidence that a law decides all sizes from n on, without those before. The
// error says why it does not, if it is one that fails expects.
func (s *sizes) lawFrom(n int) (cert.SizesLaw, error) {
	on, next, err := s.Inst.AtSizes(n)
	if err != nil {
		return nil, err
	}
	stretches, err := family.Stretches(on.System, next.System)
	if err != nil {
		return nil, &cert.Unfit{Reason: err.Error(), Larger: true}
	}
	var why error
	for xs, cannot := range laws.Seams(on.System, next.System, stretches, s.Inst.Size, n) {
		if cannot != nil {
			return nil, &cert.Unfit{Reason: cannot.Error(), Larger: true}
		}
		var sinks []bool
		var heights []int
		if _, is := on.Property.(*build.Terminates); is {
			if sinks, heights = laws.Heights(on.System, stretches); heights == nil {
				return nil, &cert.Unfit{Reason: "sowings come back to where they began before a seed has left play", Larger: true}
			}
		}
		e, err := cert.NewSizesLaw(s.Inst, n, xs, sinks, heights)
		if err == nil {
			return e, nil
		}
		if why = err; !errors.As(err, new(*cert.Unfit)) {
			break
		}
	}
	return nil, why
}

// hasLaw reports whether there may be a law for such a claim about every size.
func hasLaw(p build.Property) bool {
	switch p := any(p).(type) { // there is none for most
	case *build.Terminates, *build.EveryStep:
		return true
	case *build.Reach:
		return p.Invariant
	}
	return false
}
