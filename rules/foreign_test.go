package rules_test

import (
	"testing"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// TestForeign: types that are not the kernel's are never ignored, in particular not by the hash.
func TestForeign(t *testing.T) {
	sys := rulestest.Solitaire(2)
	x, s := rulestest.ForeignExpr{Expr: rules.True}, rulestest.ForeignStmt{Stmt: rules.Stop{}}
	every := func(rules.Expr) bool { return true }
	for name, f := range map[string]func(){
		"Walk":       func() { rules.Walk(rules.Not{X: x}, every) },
		"Simplify":   func() { rules.Simplify(rules.Not{X: x}, nil) },
		"CanFail":    func() { rules.CanFail(rules.Not{X: x}) },
		"Valueless":  func() { rules.Valueless(rules.Not{X: x}) },
		"Weaken":     func() { rules.Weaken(rules.Not{X: x}, rules.Parts{}) },
		"ExprString": func() { rules.ExprString(sys, rules.Not{X: x}) },
		"Blocks":     func() { rules.Blocks(s) },
		"WithBlocks": func() { rules.WithBlocks(s, nil) },
		"Exprs":      func() { rules.Exprs(s) },
		"WalkStmts":  func() { rules.WalkStmts([]rules.Stmt{s}, func(rules.Stmt) {}) },
		"EffectsOf":  func() { rules.EffectsOf([]rules.Stmt{s}) },
	} {
		if rulestest.Silent(func() error { f(); return nil }) {
			t.Errorf("%s does not fail", name)
		}
	}
	for place, sys := range rulestest.Foreign() {
		if rulestest.Silent(func() error { sys.Hash(); return nil }) {
			t.Errorf("%s: Hash does not fail", place)
		}
	}
}
