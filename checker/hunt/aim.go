package hunt

import (
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/rules"
)

// aim is a compiled Aim.
type aim struct {
	Aim
	goal, from, bad *residual.Predicate
}

func compile(a Aim, s *residual.Stepper) aim {
	return aim{a, s.Compile(a.Goal), s.Compile(a.BadStep.From), s.Compile(a.BadStep.Bad)}
}

// expand looks at the last state of a play and lists its steps. It ends the hunt if the play shows
// what is looked for. over says that the play cannot go on.
func (h *hunter) expand(p *line) (over bool, err error) {
	if err := h.look(); err != nil {
		return true, err
	}
	key := p.last(h.words)
	h.codec.Unpack(key, h.flat)
	live := h.flat.Outcome == rules.Live
	h.steps.Reset()
	if live {
		if err := h.stepper.Expand(key, &h.steps); err != nil {
			return true, err
		}
	}
	if h.aim.goal != nil {
		switch is, err := h.stepper.Holds(h.aim.goal, residual.View{Key: key}); {
		case err != nil:
			return true, err
		case is:
			return true, h.finish(p, 0)
		}
	}
	if err := h.badStep(p, key); err != nil {
		return true, err
	}
	n := len(p.actions)
	if h.aim.Beyond >= 0 && n > h.aim.Beyond {
		return true, h.finish(p, 0)
	}
	return len(h.steps.Actions) == 0 || h.aim.Within >= 0 && n == h.aim.Within, nil
}

// badStep looks for a bad step among those that were listed.
func (h *hunter) badStep(p *line, key []uint64) error {
	if h.aim.bad == nil || len(h.steps.Actions) == 0 {
		return nil
	}
	if h.aim.from != nil {
		if is, err := h.stepper.Holds(h.aim.from, residual.View{Key: key}); err != nil || !is {
			return err
		}
	}
	for i, a := range h.steps.Actions {
		if only := h.aim.BadStep.Actions; only != nil && !only[a] {
			continue
		}
		to := h.step(i)
		switch bad, err := h.stepper.Holds(h.aim.bad, residual.View{Key: to, Old: key}); {
		case err != nil:
			return err
		case bad:
			q := p.clone()
			q.add(a, to)
			return h.finish(&q, 0)
		}
	}
	return nil
}

// step is the key of the state that a listed step leads to.
func (h *hunter) step(i int) []uint64 { return h.steps.Keys[i*h.words : (i+1)*h.words] }
