package vet

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/checker/coverage"
	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/cmd/internal/fault"
	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/space"
)

// Limits on the states that search visits: for the game with its default parameters, and for each
// smaller one that is searched instead.
const (
	maxStates      = 200_000
	maxStatesTried = 30_000
)

// neverFires reports the moves and outcomes that occur in no play of a game, nor in plays of games
// with smaller parameters. If there are too many states to search, it searches only those.
func neverFires(l *look) {
	found, open, err := l.idle()
	if err = fault.Explain(l.sys, err); err != nil {
		var fault diag.Diagnostic
		if !errors.As(err, &fault) {
			l.err = err
			return
		}
		found = diag.List{fault}
	}
	l.found.Diags = append(l.found.Diags, found...)
	if open {
		l.found.Open = append(l.found.Open, l.sys.Name)
	}
}

// idle returns what neverFires reports. open says that too little could be searched.
func (l *look) idle() (found diag.List, open bool, err error) {
	ctx, sys := l.ctx, l.sys
	var seen occurred
	known := known(l.Program.Files)
	starts, complete, why, err := seen.search(l, sys, nil, maxStates)
	switch {
	case ctx.Err() != nil:
		return nil, true, nil
	case err != nil:
		return nil, false, err
	case starts == 0 && complete:
		return diag.FromError(input.NoStart(sys)), false, nil
	case complete && len(l.missing(&seen, "", known)) == 0:
		return nil, false, nil
	}
	var tried []string
	if complete {
		tried = append(tried, report.Params(sys))
	}
	for _, given := range smaller(l.File, sys) {
		small, diags := l.System(sys.Name, given)
		if ctx.Err() != nil {
			break
		}
		if diags.HasErrors() || slices.Contains(tried, report.Params(small)) {
			continue
		}
		// A fault of the rules in a smaller game may be none in the game that is meant.
		if starts, complete, _, err := seen.search(l, small, given, maxStatesTried); err == nil && complete && starts > 0 {
			tried = append(tried, report.Params(small))
		}
		if len(tried) > 0 && len(l.missing(&seen, "", known)) == 0 {
			return nil, false, nil
		}
	}
	searched := ""
	if len(tried) > 1 || !complete {
		searched = "searched: " + strings.Join(tried, "; ")
	}
	if !complete {
		searched = fmt.Sprintf("%s %s is too large to search (%s); %s", sys.Name, report.Params(sys), why, searched)
	}
	if found = l.missing(&seen, searched, known); len(found) > 0 {
		switch err := seen.play(l); {
		case ctx.Err() != nil:
			return nil, true, nil
		case err != nil:
			return nil, false, err
		}
		found = l.missing(&seen, searched, known)
	}
	if len(found) > 0 && !complete && len(tried) < enough {
		return nil, true, nil
	}
	return found, false, nil
}

// maxTried bounds the smaller games that are searched, and stepsUp the values of a parameter among
// them. enough is how many must be searched completely before their results count.
const maxTried, stepsUp, enough = 12, 4, 3

// smaller lists settings for smaller games. All numbers are the same number of steps above their
// least values, except that the first may have another number of steps. Switches keep their values.
func smaller(f *input.File, sys *rules.System) []build.Settings {
	var list []build.Settings
	for first := range stepsUp {
		for rest := range stepsUp {
			given := above(f, sys, first, rest)
			again := slices.ContainsFunc(list, func(s build.Settings) bool { return maps.Equal(s, given) })
			if len(given) > 0 && !again && len(list) < maxTried {
				list = append(list, given)
			}
		}
	}
	return list
}

// above sets each number a number of steps above its least value, which may depend on the
// parameters before it. It returns nil if the settings do not resolve.
func above(f *input.File, sys *rules.System, first, rest int) build.Settings {
	given := build.Settings{}
	for i, p := range sys.Params {
		if p.Bool {
			continue
		}
		now, _ := f.System(sys.Name, given)
		if now == nil || i >= len(now.Params) {
			return nil
		}
		steps := rest
		if len(given) == 0 {
			steps = first
		}
		v := now.Params[i].Lo + steps
		if now.Params[i].HasHi {
			v = min(v, now.Params[i].Hi)
		}
		given[p.Name] = build.Value{N: v}
	}
	return given
}

// occurred has the moves and outcomes that occur in plays of a variant, of one game or of several
// with different parameters. Its zero value is ready to use.
type occurred struct {
	moves    map[rule]bool
	outcomes map[rules.Outcome]bool
	coverage coverage.Report // of all searches, and of games
}

// rule is a move with one of its labels.
type rule struct {
	move  int
	label string
}

// search adds what occurs in the plays of sys. complete reports whether all of them were searched;
// if not, why says what was in the way. starts is 0 for a game without a start, and -1 if starts
// were not counted.
func (seen *occurred) search(l *look, sys *rules.System, given build.Settings, maxStates int64) (starts int64, complete bool, why string, err error) {
	marked, diags := l.Marked(sys.Name, given)
	if err := diags.Err(); err != nil {
		return -1, false, "", err
	}
	res, _, err := seen.coverage.Search(l.ctx, sys, marked, forward.Options{Bounds: limit.Bounds{MaxStates: maxStates}})
	var infinite *space.InfiniteError
	switch {
	case errors.As(err, &infinite):
		return -1, false, err.Error(), nil
	case err != nil:
		return -1, false, "", err
	}
	seen.add(sys, res)
	return res.Stats.Starts, res.Stop == limit.Complete, res.Reason, nil
}

// add adds what a search has found. Outcomes are identified by their contents, because their
// numbers may differ between games.
func (seen *occurred) add(sys *rules.System, res *forward.Result) {
	if seen.moves == nil {
		seen.moves, seen.outcomes = map[rule]bool{}, map[rules.Outcome]bool{}
	}
	for i, fired := range res.Fired {
		if a := sys.Actions[i]; fired {
			seen.moves[rule{a.Move, a.Label}] = true
		}
	}
	for i, ended := range res.Ended {
		if ended {
			seen.outcomes[named(sys.Outcomes[i])] = true
		}
	}
}

// named returns an outcome without its place in the text.
func named(o rules.Outcome) rules.Outcome {
	o.At = diag.Range{}
	return o
}

// known returns the labels of outcomes that some claim says are unreachable. Their authors know
// that they do not occur, so they need no warning.
func known(all []*ast.File) map[string]bool {
	labels := map[string]bool{}
	for _, f := range all {
		for _, reach := range ast.All[*ast.Reach](f) {
			if reach.Kind != "unreachable" {
				continue
			}
			for _, n := range ast.All[*ast.Name](reach) {
				labels[n.Name] = true
			}
			for _, t := range ast.All[*ast.Text](reach) {
				labels[t.Value] = true
			}
		}
	}
	return labels
}

// missing returns warnings of the moves and outcomes of the variant that occurred in no play, and
// of what no play carries out. tried says which games were searched, if not just that. Outcomes
// whose labels are in known are left out.
func (l *look) missing(seen *occurred, tried string, known map[string]bool) diag.List {
	sys := l.sys
	var diags diag.List
	help := func(d *diag.Diagnostic) {
		if tried != "" {
			d.WithHelp("%s", tried)
		}
	}
	reported, idle := map[rule]bool{}, []diag.Range{}
	for _, a := range sys.Actions {
		if r := (rule{a.Move, a.Label}); !seen.moves[r] && !reported[r] {
			reported[r] = true
			idle = append(idle, sys.Moves[a.Move].At)
			help(diags.Warnf(diag.NeverFires, sys.Moves[a.Move].At, "no play carries out the move `%s`", a.Label))
		}
	}
	for i, o := range sys.Outcomes {
		if rule := sys.Repetition; rule != nil && slices.Contains(rule.Outcome, i) {
			continue // it is a matter of plays, and states were looked at
		}
		if i != sys.Endless() && !known[o.Label] && !seen.outcomes[named(o)] {
			help(diags.Warnf(diag.NeverFires, o.At, "no play ends with the outcome `%s`", o.Label))
		}
	}
	for _, one := range l.uncovered(&seen.coverage, idle) {
		help(&one)
		diags = append(diags, one)
	}
	return diags
}
