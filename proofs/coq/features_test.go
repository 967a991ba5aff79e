package coq_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/rules"
)

// features counts what was met: Systems by the constructs that they have, and answers by kind.
type features struct{ of map[string]int }

func (f *features) count(name string) {
	if f.of == nil {
		f.of = map[string]int{}
	}
	f.of[name]++
}

func (f *features) String() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(f.of)) {
		fmt.Fprintf(&b, "\n%8d %s", f.of[name], name)
	}
	return b.String()
}

// common is what hardly any fifty Systems are without.
var common = []string{
	"states", "steps", "starts", "conditions", "actions at fault", "sowings", "transfers", "assignments",
	"loops", "conditionals", "ends", "guards", "reactions", "several players", "relations", "lookups", "choices of variables",
}

// enough fails if something was not met that should be.
func (f *features) enough(t *testing.T, systems int) {
	for _, name := range common {
		if systems >= 50 && f.of[name] == 0 {
			t.Errorf("no %s in %d Systems", name, systems)
		}
	}
}

func (f *features) outcome(sys *rules.System, s rules.State) {
	switch {
	case s.Live():
	case s.Outcome == sys.Endless():
		f.count("steps that never end")
	default:
		f.count("steps that end the game")
	}
}

// system counts the constructs of a System, each once.
func (f *features) system(sys *rules.System) {
	has := map[string]bool{"systems": true, "several players": len(sys.Players) > 1, "more than two players": len(sys.Players) > 2}
	for _, v := range sys.Vars {
		has["variables"] = true
		has["ghosts"] = has["ghosts"] || v.Ghost
		has["variables for pits"] = has["variables for pits"] || v.Type == rules.PitType
	}
	for i := range sys.Actions {
		a := &sys.Actions[i]
		has["fallbacks"] = has["fallbacks"] || a.Fallback
		has["guards"] = has["guards"] || a.Guard != nil
		expression(has, a.Guard)
		statements(has, a.Body)
	}
	for _, r := range sys.Reactions {
		has["reactions"] = true
		has["reactions at the end of a turn"] = has["reactions at the end of a turn"] || r.AtTurnEnd
		for _, by := range r.By {
			has["reactions after which play goes on"] = has["reactions after which play goes on"] || by.GoesOn()
			expression(has, by.When)
			statements(has, by.Body)
		}
	}
	for name, is := range has {
		if is {
			f.count(name)
		}
	}
}

func statements(has map[string]bool, body []rules.Stmt) {
	mark := func(name string, is bool) { has[name] = has[name] || is }
	rules.WalkStmts(body, func(s rules.Stmt) {
		for _, x := range rules.Exprs(s) {
			expression(has, x)
		}
		switch s := s.(type) {
		case rules.Sow:
			has["sowings"] = true
			mark("sowings of a number", s.Count != nil)
			mark("sowings that skip", s.SkipIf != nil)
			mark("sowings with pits for the last seed only", s.OnlyLast != nil)
			mark("sowings that begin at the source", s.OriginFirst)
			mark("sowings that begin at a pit", s.StartAt != nil)
			mark("statements after each seed", len(s.Drop) > 0)
		case rules.Transfer:
			has["transfers"] = true
			mark("transfers of a number", s.Count != nil)
		case rules.Set:
			has["assignments"] = true
			mark("ranks", s.To.IsRegister(rules.RankReg))
			mark("next movers", s.To.IsRegister(rules.NextReg))
			mark("assignments to locals", s.To.Sort == rules.LocalCell)
			mark("assignments to a chosen variable", s.To.Index != nil)
		case rules.If:
			has["conditionals"] = true
		case rules.While:
			has["loops"] = true
		case rules.Stop:
			mark("ends", s.Outcome != rules.Illegal)
			mark("statements that are illegal", s.Outcome == rules.Illegal)
		}
	})
}

func expression(has map[string]bool, x rules.Expr) {
	rules.Walk(x, func(x rules.Expr) bool {
		switch x := x.(type) {
		case rules.Cell:
			has["choices of variables"] = has["choices of variables"] || x.Sort == rules.VarCell && x.Index != nil
			has["choices of pits"] = has["choices of pits"] || x.Sort == rules.PitCell && x.Index != nil
		case rules.Lookup:
			has["lookups"] = true
			has["relations"] = has["relations"] || x.Table.Kind == rules.RelationOf
			has["indices"] = has["indices"] || x.Table.Kind == rules.IndexOf
		case rules.Cond:
			has["conditional values"] = true
		case rules.Question:
			has["questions whether there is a move"] = has["questions whether there is a move"] || x == rules.NoMove
		case rules.Const, rules.OpenParam, rules.Sum, rules.Not, rules.Binary, rules.Old:
		}
		return true
	})
}
