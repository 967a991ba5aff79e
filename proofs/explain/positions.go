package explain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/say"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// Statuses of positions. statuses lists them from the most to the least informative.
const (
	StatusTarget   = "target"
	StatusStart    = "start"
	StatusValid    = "valid"   // leads to the target, and states lead to it
	StatusDead     = "dead"    // leads to the target, but nothing leads to it
	StatusInvalid  = "invalid" // no play from it reaches the target
	StatusPosition = "position"
)

var statuses = []string{StatusTarget, StatusStart, StatusValid, StatusDead, StatusInvalid, StatusPosition}

// positionsFor says what is known about the named positions in relation to the targets of c. If c
// is nil it says where their moves lead.
func (b *builder) positionsFor(ctx context.Context, w *world, c *closed, r *proofs.Result) (*Positions, error) {
	out := &Positions{Scope: say.Scope(r.Scope, " = "), Left: w.elsewhere}
	if c != nil {
		out.Claim = r.Instance.Claim.Name
	}
	for _, p := range w.positions {
		pos, err := (&placing{world: w, set: c, ctx: ctx}).position(p)
		if err != nil && ctx.Err() == nil {
			return nil, err
		}
		if err != nil {
			pos = &Position{Name: p.text, Doc: p.position.Doc, Status: StatusPosition, Reason: "not looked at: " + interrupted}
		}
		pos.Condition = p.condition
		out.List = append(out.List, pos)
	}
	return out, nil
}

// placing determines the status of one position.
type placing struct {
	*world
	set  *closed // nil if there are no targets
	ctx  context.Context
	keep rules.Kept
}

// fate is the status of a state that fits a position, with the reason.
type fate struct {
	state  rules.State
	status string
	reason string
}

func (p *placing) position(c condition) (*Position, error) {
	goals := []rules.Expr{c.x}
	if p.set != nil {
		goals = append(goals, p.set.Goal)
	}
	p.keep = slice.Keep(p.ctx, p.sys, goals...).Kept
	out := &Position{Name: c.text, Doc: c.position.Doc}
	states, limit, err := p.fitting(p.ctx, c.x, p.keep)
	if err != nil {
		return nil, err
	}
	var fates []fate
	for _, s := range p.inPlay(states) {
		if err := p.ctx.Err(); err != nil {
			return nil, err
		}
		f, err := p.fate(s)
		if err != nil {
			return nil, err
		}
		fates = append(fates, f)
	}
	p.sum(out, c, fates, limit)
	return out, nil
}

// sum combines what is known about the states that fit a position. limit says why they may not be
// all of them.
func (p *placing) sum(out *Position, c condition, fates []fate, limit string) {
	if len(fates) == 0 {
		out.Status, out.Reason = StatusPosition, cmp.Or(limit, "no state of the right shape fits")
		return
	}
	slices.SortStableFunc(fates, func(f, g fate) int {
		return slices.Index(statuses, f.status) - slices.Index(statuses, g.status)
	})
	first := fates[0]
	out.Board = &Board{System: p.sys, State: first.state, Kept: &rules.Kept{Parts: rules.Reads(p.sys, c.x)}}
	out.Status, out.Reason = first.status, first.reason
	switch {
	case limit != "":
		out.Status = StatusPosition
		out.Reason = limit + "; one of them: " + first.reason
	case len(fates) > 1 && c.condition != "":
		out.Reason = fmt.Sprintf("%s; the one drawn: %s", fitting(fates), first.reason)
		if slices.ContainsFunc(fates, func(f fate) bool { return f.status != first.status }) {
			out.Status = StatusPosition
		}
	case len(fates) > 1:
		out.Reason = fmt.Sprintf("%s (%s)", first.reason, fitting(fates))
	}
}

// inPlay leaves out finished states that are no targets, if anything else remains: a lost game may
// be on any board.
func (p *placing) inPlay(states []rules.State) []rules.State {
	list := lists.Filter(states, func(s rules.State) bool {
		return s.Live() || p.set != nil && p.set.IsTarget(p.sys, s)
	})
	if len(list) == 0 {
		return states
	}
	return list
}

// fitting says how many states fit, by status if there is more than the weakest one.
func fitting(fates []fate) string {
	var items []string
	for _, status := range statuses {
		switch n := lists.Count(fates, func(f fate) bool { return f.status == status }); {
		case n == len(fates) && status == StatusPosition:
			return fmt.Sprintf("%d states fit", n)
		case n > 0:
			items = append(items, fmt.Sprintf("%d %s", n, status))
		}
	}
	return fmt.Sprintf("%d states fit: %s", len(fates), strings.Join(items, ", "))
}

func (p *placing) fate(s rules.State) (fate, error) {
	f := fate{state: s, status: StatusPosition}
	steps, err := p.steps(s, p.keep, p.set)
	if err != nil {
		return f, err
	}
	if p.notStart(p.ctx, s, p.keep) == "" {
		if _, known := p.isStart(p.ctx, s); !known && !s.Live() {
			f.reason = steps + "; whether a game can begin so was not looked at"
			return f, nil
		}
		f.status, f.reason = StatusStart, "a start agrees with it; "+steps
		return f, nil
	}
	if p.set == nil {
		f.reason = steps
		return f, nil
	}
	switch i := p.set.Find(p.sys, s); {
	case i < 0:
		f.status, f.reason = StatusInvalid, "no play from it reaches the target: "+steps
	case i < p.set.Targets:
		f.status, f.reason = StatusTarget, "the target; "+p.before(i)
	case len(p.set.Nodes[i].Preds) == 0:
		f.status, f.reason = StatusDead, fmt.Sprintf("leads to the target in %s, but no state has a step to it, and it is no start", count(p.set.Nodes[i].Distance, "move"))
	default:
		f.status, f.reason = StatusValid, fmt.Sprintf("leads to the target in %s; %s", count(p.set.Nodes[i].Distance, "move"), p.before(i))
	}
	return f, nil
}

// before names the predecessors of state i of the set.
func (p *placing) before(i int) string {
	preds := p.set.edges(i)
	text := count(len(preds), "predecessor")
	if i >= p.set.shown {
		return text
	}
	var names []string
	for _, e := range preds {
		if fits := p.names(p.set.Nodes[e.state].State, p.set.Kept); len(fits) > 0 {
			names = append(names, fits[0])
		}
	}
	switch {
	case len(names) == 0:
		return text
	case len(names) == len(preds):
		return text + ": " + strings.Join(names, ", ")
	}
	return text + ", among them " + strings.Join(names, ", ")
}

// shownSteps is the number of moves of a state that are described.
const shownSteps = 6

// steps says where the moves of a state lead.
func (w *world) steps(s rules.State, keep rules.Kept, set *closed) (string, error) {
	if !s.Live() {
		return "it is over: " + Outcome(w.sys, s.Outcome), nil
	}
	steps, _, err := w.in.Legal(s)
	if errors.As(err, new(*interp.RuleError)) {
		return "the rules have a fault here: " + err.Error(), nil
	} else if err != nil {
		return "", err
	}
	if len(steps) == 0 {
		return "it has no legal move", nil
	}
	var items []string
	for i, st := range steps {
		if i == shownSteps {
			items = append(items, fmt.Sprintf("and %d moves more", len(steps)-i))
			break
		}
		items = append(items, w.moveName(steps, st, s)+": "+w.where(st.To, keep, set))
	}
	if !slices.ContainsFunc(items, func(item string) bool { return !strings.HasSuffix(item, ": "+anotherBoard) }) {
		return "it has " + count(len(steps), "legal move"), nil
	}
	return strings.Join(items, "; "), nil
}

// moveName returns the label of a move, with its notation if several moves have the label.
func (w *world) moveName(steps []interp.Step, st interp.Step, s rules.State) string {
	label := w.sys.Actions[st.Action].Label
	w.used[label] = true
	if lists.Count(steps, func(other interp.Step) bool { return w.sys.Actions[other.Action].Label == label }) == 1 {
		return label
	}
	return label + " " + w.in.Notation(st.Action, s)
}

// where describes the state that a move leads to.
func (w *world) where(to rules.State, keep rules.Kept, set *closed) string {
	if !to.Live() {
		w.used[w.sys.Outcomes[to.Outcome].Label] = true
		return Outcome(w.sys, to.Outcome)
	}
	to = keep.Project(w.sys, to)
	names := w.names(to, keep)
	if set != nil && set.Find(w.sys, to) >= 0 {
		names = append(names, "on towards the target")
	} else if can, err := w.in.CanMove(to); err == nil && !can {
		names = append(names, "stuck")
	}
	return cmp.Or(strings.Join(names, ", "), boardWords(w.sys, to, keep))
}

// notStart says which parts of the setup a state violates. It is empty if the kept parts violate
// none.
func (w *world) notStart(ctx context.Context, s rules.State, keep rules.Kept) string {
	why := lists.Map(w.setup, func(c condition) string { return w.breaks(c, s, keep) })
	why = slices.DeleteFunc(why, func(text string) bool { return text == "" })
	why = append(why, w.notEmpty(s, keep)...)
	if s.Live() {
		why = append(why, w.notInitial(s, keep)...)
	}
	if len(why) == 0 && (rules.Parts{Pits: keep.Pits}).All() {
		if is, known := w.isStart(ctx, s); known && !is {
			why = append(why, "no distribution that the setup allows agrees with it")
		}
	}
	return strings.Join(why, "; ")
}

// breaks says where one condition of the setup fails. A condition for each of several pits names
// the pits.
func (w *world) breaks(c condition, s rules.State, keep rules.Kept) string {
	failed, unnamed := []int(nil), false
	for _, part := range rules.Conjuncts(c.x) {
		if !w.within(part, keep, s) {
			continue
		}
		if holds, err := w.in.Holds(part, s, nil); err != nil || holds {
			continue
		}
		if pits := lists.Set(rules.Reads(w.sys, part).Pits); len(pits) == 1 {
			failed = append(failed, pits[0])
		} else {
			unnamed = true
		}
	}
	switch {
	case unnamed:
		return fmt.Sprintf("`%s` does not hold", c.text)
	case len(failed) > 0:
		return fmt.Sprintf("`%s` fails at %s", c.text, w.pits(failed))
	}
	return ""
}

// namedPits is the number of pits that are named in a list.
const namedPits = 3

func (w *world) pits(list []int) string {
	var names []string
	for i, p := range list {
		if i == namedPits && len(list) > namedPits+1 {
			return fmt.Sprintf("%s and %d more", strings.Join(names, ", "), len(list)-i)
		}
		names = append(names, w.sys.Pits[p].Name)
	}
	return strings.Join(names, ", ")
}

// notEmpty names pits that are empty in every start, but not in s.
func (w *world) notEmpty(s rules.State, keep rules.Kept) []string {
	full := slices.DeleteFunc(lists.Where(s.Seeds, func(n int) bool { return n > 0 }), func(p int) bool {
		return w.sys.Start.Free[p] || !keep.HasPit(p)
	})
	if len(full) == 0 {
		return nil
	}
	return []string{"a start has no seeds in " + w.pits(full)}
}

// notInitial names variables that differ from their values at a start.
func (w *world) notInitial(s rules.State, keep rules.Kept) []string {
	var why []string
	for v := range w.sys.Vars {
		if x := &w.sys.Vars[v]; !x.Ghost && keep.PartsOf(s).HasVar(v) && s.Vars[v] != x.Init {
			is, at := board.VarValue(w.sys, v, s.Vars[v]), board.VarValue(w.sys, v, x.Init)
			why = append(why, fmt.Sprintf("`%s` is %s, at a start %s", x.Name, is, at))
		}
	}
	if first := w.sys.Start.Mover; s.Mover != first {
		why = append(why, w.sys.Players[s.Mover]+" is to move, at a start "+w.sys.Players[first])
	}
	return why
}

// isStart reports whether a state is a start, and whether that is known. If reactions move seeds, a
// game may be over before its first move, and the board laid out cannot be inferred from the state.
// Then the starts are listed, as far as that takes only a moment.
func (w *world) isStart(ctx context.Context, s rules.State) (is, known bool) {
	if s.Live() || !w.endingsMoveSeeds() {
		is, err := w.in.IsStart(s)
		return is, err == nil
	}
	e, err := space.AnyStart(ctx, w.in, maxLooks, nil, s.Equal)
	return e == space.Some, err == nil && e != space.Unsure
}

func (w *world) endingsMoveSeeds() bool {
	return slices.ContainsFunc(w.sys.Reactions, func(e rules.Reaction) bool {
		return slices.ContainsFunc(e.By, func(by rules.ReactionFor) bool { _, plain := by.Plain(); return !plain })
	})
}

// maxLooks bounds a listing by the number of times it checks whether to go on, about once for a
// thousand states. It does not depend on time, so equal inputs give equal documents.
const maxLooks = 64
