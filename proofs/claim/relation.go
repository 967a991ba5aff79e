package claim

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/checker/relate"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/confirm"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/internal/enumerate"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/say"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
)

// relation compares the plays of two variants: one refines or equals the other, or takes back its
// moves.
type relation struct {
	usual
	*build.Relation
}

// relations gives, for each kind of claim, the search that decides it and its name in verdicts.
var relations = map[build.RelationKind]struct {
	by relate.Kind
	is verdict.Kind
}{
	build.Refines:    {relate.Refines, verdict.Refines},
	build.Equivalent: {relate.Equivalent, verdict.Equivalent},
	build.Reverses:   {relate.Reverses, verdict.Reverses},
}

func (k relation) about() verdict.Claim { return verdict.Claim{Kind: relations[k.Relates].is} }

// decide searches the plays of both Systems side by side.
func (k relation) decide(run *engines.Run) (*result.Result, error) {
	if !run.Wants(verdict.Forward) {
		return nil, run.Refuses(verdict.Refines)
	}
	names := [2]string{say.Variant(k.Other, run.Sys), say.Variant(run.Sys, k.Other)}
	if s := run.Inst.Claim.Following; s != "" {
		names[0] += " by `" + s + "`"
	}
	opt := relate.Options{Options: run.ForwardOptions(), Names: names, Pairs: append([][2]int{}, k.Pairs...), In: k.In, List: run.Opt.MaxEvidence}
	how := relations[k.Relates]
	res, err := relate.Search(run.Ctx, run.Sys, k.Other, how.by, opt)
	if err != nil {
		return nil, err
	}
	var r *result.Result
	switch res.Stop {
	case limit.Complete:
		r = run.Result(verdict.Proved, verdict.Forward, verdict.Related{Kind: how.is, In: k.In, Other: names[1], Steps: res.Steps})
		r.Vacuous = res.Steps == 0
		r.Evidence = k.evidence(run.Sys, res)
	case limit.Found:
		r = run.Result(verdict.Refuted, verdict.Forward, differs(run.Sys, k.Other, names, res.Difference))
		err = k.showDifference(run, r, res.Difference)
	default:
		r = run.Unknown(verdict.Forward, comparisonEnded(res)).Result
		r.Limited = res.Hits(limit.Memory)
	}
	r.Stats = verdict.Stats{States: res.States, Transitions: res.Steps, Depth: res.Depth}
	r.Notes = append(r.Notes, k.comparedPits(run.Sys)...)
	return r, err
}

// evidence returns the compared states as a certificate, if the search listed all of them. A claim
// that moves are taken back is about the states of one System, other claims about pairs.
func (k relation) evidence(sys *rules.System, res *relate.Result) cert.Evidence {
	if int64(len(res.Listed)) != res.States {
		return nil
	}
	if k.Relates == build.Reverses {
		return cert.NewForward(sys, rules.Kept{}, lists.Map(res.Listed, func(parts []rules.State) rules.State { return parts[0] }))
	}
	return cert.NewProduct(sys, k.Other, lists.Map(res.Listed, func(parts []rules.State) [2]rules.State { return [2]rules.State(parts) }))
}

// differs describes a difference for the verdict. The name of the side that has more comes first.
func differs(left, right *rules.System, names [2]string, d *relate.Difference) verdict.Finding {
	f := verdict.Differs{Is: d.Kind, Names: names, Moves: d.Moves, Move: d.Move, Other: d.Other}
	if d.Side == 1 {
		f.Names = [2]string{names[1], names[0]}
	}
	for side, l := range d.Looks {
		f.Looks[side].Points = l.Points
		if f.Looks[side].Is = l.Is; l.Is == rules.ToMove || l.Is == rules.WonBy {
			f.Looks[side].Player = []*rules.System{left, right}[side].Players[l.Player]
		}
	}
	return f
}

// comparisonEnded says why a comparison has no answer. Depth is -1 if it ended while the starts
// were still being compared.
func comparisonEnded(res *relate.Result) verdict.Reason {
	switch {
	case res.Stop == limit.Undecided:
		return verdict.Unfit.Says(res.Reason)
	case res.Hits(limit.States) && res.States == 0:
		return verdict.Ended{Work: verdict.Comparison, Limit: res.Hit, Depth: -1}
	}
	return verdict.Ended{Work: verdict.Comparison, Limit: res.Hit, Depth: res.Depth}
}

// comparedPits describes which pits were compared: how many by their names, which others by their
// places, and which the claim ignores.
func (k relation) comparedPits(sys *rules.System) []verdict.Note {
	compared := verdict.Compared{In: k.In}
	for _, pair := range k.Pairs {
		if here, there := sys.Pits[pair[0]].Name, k.Other.Pits[pair[1]].Name; here == there {
			compared.ByName++
		} else {
			compared.ByPlace = append(compared.ByPlace, here+" with "+there)
		}
	}
	notes := []verdict.Note{compared}
	if len(k.Ignored) > 0 {
		notes = append(notes, verdict.Ignored.Of(k.Ignored...))
	}
	return notes
}

// showDifference replays the plays of both sides up to the difference, as the traces of r. A side
// without a play has no trace.
func (k relation) showDifference(run *engines.Run, r *result.Result, diff *relate.Difference) error {
	sides := []*engines.Run{run, run.On(k.Other)}
	for side, to := range []**rules.Trace{&r.Trace, &r.Other} {
		if diff.Starts[side] == nil {
			continue
		}
		t, err := sides[side].Replay(*diff.Starts[side], diff.Actions[side])
		if err != nil {
			return err
		}
		*to = t
	}
	return nil
}

// Again declines: a second opinion is based on the plays of one System.
func (k relation) Again(confirm.Question) (*enumerate.Opinion, error) {
	return nil, &enumerate.UnfitError{Reason: "a claim of this kind is not about plays from the starts alone"}
}

// Shows checks that two plays differ where the verdict says. A step that is not taken back cannot
// be shown by plays, since no single play shows that all others fail.
func (k relation) Shows(r *result.Result) func(context.Context) error {
	if r.Status != verdict.Refuted || r.Trace == nil || r.Other == nil || k.Relates == build.Reverses {
		return nil
	}
	return func(ctx context.Context) error { return k.differ(ctx, r) }
}

var errAlike = errors.New("the plays do not differ where they should")

// compared is one of the two plays, as a replay. pits are those that are compared.
type compared struct {
	*confirm.Replay
	states []rules.State
	pits   []int
	as     rules.Agreement
}

// differ fails unless the two plays are the same up to their last moves, and then one side has a
// move that the other lacks.
func (k relation) differ(ctx context.Context, r *result.Result) error {
	if !confirm.SameSystem(r.Trace.System, r.System) || !confirm.SameSystem(r.Other.System, k.Other) {
		return errElsewhere
	}
	var sides [2]compared
	for i, t := range []*rules.Trace{r.Trace, r.Other} {
		c := compared{Replay: confirm.ReplayOf(ctx, t), as: k.In, pits: lists.Map(k.Pairs, func(p [2]int) int { return p[i] })}
		var err error
		if c.states, _, err = c.States(true); err != nil {
			return err
		}
		sides[i] = c
	}
	l, m := sides[0], sides[1]
	// common is the last index at which the plays must be the same.
	common := min(len(l.states), len(m.states)) - 1
	if len(l.states) == len(m.states) {
		common--
	}
	if common < 0 || max(len(l.states), len(m.states)) != common+2 ||
		!slices.Equal(l.board(l.states[0]), m.board(m.states[0])) || !slices.Equal(l.look(l.states[0]), m.look(m.states[0])) {
		return errAlike
	}
	for i := 1; i <= common; i++ {
		err := l.only(i, m)
		if err == nil && k.Relates == build.Equivalent { // the move may be one that the right alone has
			err = m.only(i, l)
		}
		if err != nil {
			return err
		}
	}
	if len(l.states) == common+2 {
		return l.alone(common+1, m)
	}
	if k.Relates == build.Equivalent {
		return m.alone(common+1, l)
	}
	// The right side has one more move. To refine it, the left side must have a move where the
	// right one has any, though it need not be the same.
	if steps, _, err := l.In.Legal(l.states[common]); err != nil || len(steps) > 0 {
		return cmp.Or(err, errAlike)
	}
	return nil
}

// same returns where steps of the other side lead that are the same as move i of this one.
func (c compared) same(i int, other compared) ([]rules.State, error) {
	at := other.states[i-1]
	steps, _, err := other.In.Legal(at)
	steps = slices.DeleteFunc(steps, func(s interp.Step) bool {
		return c.as != rules.InPlay && squeeze(c.Trace.Steps[i-1].Move) != squeeze(other.In.Notation(s.Action, at)) ||
			!slices.Equal(c.look(c.states[i]), other.look(s.To))
	})
	return lists.Map(steps, func(s interp.Step) rules.State { return s.To }), err
}

// only fails unless the state of the other play is the only one to which the same move leads.
func (c compared) only(i int, other compared) error {
	to, err := c.same(i, other)
	if err == nil && (len(to) == 0 || slices.ContainsFunc(to, func(s rules.State) bool { return !s.Equal(other.states[i]) })) {
		err = errAlike
	}
	return err
}

// alone fails if the other side has the same move.
func (c compared) alone(i int, other compared) error {
	to, err := c.same(i, other)
	if err == nil && len(to) > 0 {
		err = errAlike
	}
	return err
}

// squeeze returns a notation with any white space replaced by one blank.
func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

// board returns the seeds of the compared pits.
func (c compared) board(s rules.State) []int {
	return lists.Map(c.pits, func(p int) int { return s.Seeds[p] })
}

// look returns what has to be the same in a state: the board, who is to move or how the game ended
// for each player, and the scores.
func (c compared) look(s rules.State) []int {
	out := []int{s.Mover}
	if c.as.Boards() {
		out = append(out, c.board(s)...)
	}
	if s.Live() {
		return out
	}
	sys := c.In.System()
	o := sys.Outcomes[s.Outcome]
	points := lists.Map(sys.Scores, func(x rules.Expr) int {
		v, err := c.In.Eval(x, s, nil)
		if err != nil {
			v = 0 // a score without a value decides nothing
		}
		return v
	})
	for p := range sys.Players {
		how := int(o.Kind)
		switch {
		case o.Kind == rules.WinOutcome && o.Winner != p:
			how = int(rules.LoseOutcome)
		case o.Kind != rules.EndOutcome || len(points) < 2:
		case points[p] < slices.Max(points):
			how = int(rules.LoseOutcome)
		case lists.Count(points, func(n int) bool { return n == points[p] }) > 1:
			how = int(rules.DrawOutcome)
		default:
			how = int(rules.WinOutcome)
		}
		out = append(out, how)
	}
	if c.as == rules.InScore {
		out = append(out, points...)
	}
	return out
}
