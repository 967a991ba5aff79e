package claim

import (
	"cmp"
	"errors"

	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules/build"
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
