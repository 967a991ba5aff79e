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
	opt := relate.Options{Options: run.ForwardOptions(), Names: names, Pairs: k.Pairs, List: run.Opt.MaxEvidence}
	how := relations[k.Relates]
	res, err := relate.Search(run.Ctx, run.Sys, k.Other, how.by, opt)
	if err != nil {
		return nil, err
	}
	var r *result.Result
	switch res.Stop {
	case limit.Complete:
		r = run.Result(verdict.Proved, verdict.Forward, verdict.Related{Kind: how.is, Other: names[1], Steps: res.Steps})
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
	f := verdict.Differs{Is: d.Kind, Names: names, Moves: d.Moves, Move: d.Move}
	if d.Side == 1 {
		f.Names = [2]string{names[1], names[0]}
	}
	for side, l := range d.Looks {
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
	var compared verdict.Compared
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

// differ fails unless the two plays look alike up to their last moves, and then only one side
// allows the move, or the states after it look different.
func (k relation) differ(ctx context.Context, r *result.Result) error {
	if !confirm.SameSystem(r.Trace.System, r.System) || !confirm.SameSystem(r.Other.System, k.Other) {
		return errElsewhere
	}
	left, right := confirm.ReplayOf(ctx, r.Trace), confirm.ReplayOf(ctx, r.Other)
	l, _, err := left.States(true)
	if err != nil {
		return err
	}
	m, _, err := right.States(true)
	if err != nil {
		return err
	}
	// common is the last index at which the plays must look alike.
	common := min(len(l), len(m)) - 1
	if len(l) == len(m) {
		common--
	}
	if common < 0 || max(len(l), len(m)) != common+2 {
		return errAlike
	}
	for i := range common + 1 {
		if !looksAlike(left, right, k.Pairs, l[i], m[i]) || i > 0 && written(r.Trace, i-1) != written(r.Other, i-1) {
			return errAlike
		}
	}
	switch {
	case len(l) > len(m):
		return onlyMove(right, m[common], written(r.Trace, common))
	case len(l) < len(m) && k.Relates == build.Equivalent:
		return onlyMove(left, l[common], written(r.Other, common))
	// The right side has one more move. To refine it, the left side must have a move where the
	// right one has any, though it need not be the same.
	case len(l) < len(m):
		return stuck(left, l[common])
	case len(l) != len(m), written(r.Trace, common) != written(r.Other, common), looksAlike(left, right, k.Pairs, l[common+1], m[common+1]):
		return errAlike
	}
	return nil
}

// written returns the notation of a move, with any white space replaced by one blank.
func written(t *rules.Trace, i int) string { return strings.Join(strings.Fields(t.Steps[i].Move), " ") }

// onlyMove fails if the side allows the move.
func onlyMove(side *confirm.Replay, at rules.State, move string) error {
	steps, _, err := side.In.Legal(at)
	if err != nil {
		return err
	}
	for _, s := range steps {
		if strings.Join(strings.Fields(side.In.Notation(s.Action, at)), " ") == move {
			return errAlike
		}
	}
	return nil
}

// stuck fails if the side allows any move there.
func stuck(side *confirm.Replay, at rules.State) error {
	if steps, _, err := side.In.Legal(at); err != nil || len(steps) > 0 {
		return cmp.Or(err, errAlike)
	}
	return nil
}

// looksAlike compares what players see: the paired pits, who is to move, and how the game ended.
func looksAlike(left, right *confirm.Replay, pairs [][2]int, l, r rules.State) bool {
	if l.Live() != r.Live() || l.Mover != r.Mover {
		return false
	}
	for _, p := range pairs {
		if l.Seeds[p[0]] != r.Seeds[p[1]] {
			return false
		}
	}
	return l.Live() || slices.Equal(ending(left, l), ending(right, r))
}

// ending returns what is compared of a finished state: the kind of its outcome, its winner, and the
// scores.
func ending(t *confirm.Replay, s rules.State) []int {
	o := t.In.System().Outcomes[s.Outcome]
	out := []int{int(o.Kind), rules.None}
	if o.Kind == rules.WinOutcome {
		out[1] = o.Winner
	}
	for _, x := range t.In.System().Scores {
		v, err := t.In.Eval(x, s, nil)
		if err != nil {
			v = 0 // a score without a value decides nothing
		}
		out = append(out, v)
	}
	return out
}
