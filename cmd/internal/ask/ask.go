// Package ask puts the claims of a file to a position of a game: do they hold from here on?
package ask

import (
	"errors"
	"fmt"

	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
)

// Asker has the claims of a file that are about one of its games.
type Asker struct {
	File *input.File
	Game *interp.Interp
}

// Claims lists the names of the claims about the variant that is played.
func (a *Asker) Claims() []string {
	own := lists.Filter(a.File.Unit.Claims, func(c *ast.Claim) bool { return c.Of == nil || c.Of.Name == a.Game.System().Name })
	return lists.Map(own, func(c *ast.Claim) string { return c.Name.Name })
}

// ElsewhereError says that a claim is about boards that the game is not played on.
type ElsewhereError struct{ Boards, Here string }

func (e *ElsewhereError) Error() string {
	return fmt.Sprintf("the claim is about %s, and is not asked of this board, which has %s", e.Boards, e.Here)
}

// Item returns what is to be decided to know whether a claim holds if play begins at a state. If no
// play can begin there, or the claim is about other boards, there is an error.
func (a *Asker) Item(name string, st rules.State) (*suite.Item, error) {
	if err := a.Begins(st); err != nil {
		return nil, err
	}
	claim, diags := a.File.Unit.Claim(lists.Find(a.File.Unit.Claims, func(c *ast.Claim) bool { return c.Name.Name == name }))
	if diags.HasErrors() {
		return nil, diags
	}
	sys := a.Game.System()
	if boards := claim.Elsewhere(sys); boards != "" {
		return nil, &ElsewhereError{boards, report.Params(sys)}
	}
	inst, err := a.instance(claim, st)
	if err != nil {
		return nil, err
	}
	return &suite.Item{File: a.File.Path, Program: a.File.Program, Claim: name, Instance: inst}, nil
}

// Misread says what to think of a claim that is not as expected, if its numbers are probably meant
// for parameters that it does not name and that are others here. It is empty otherwise.
func (a *Asker) Misread(decided *suite.Item) string {
	sys := a.Game.System()
	usual := decided.Instance.Claim.Unnamed(sys)
	if usual == "" || decided.Outcome() != suite.NotAsExpected {
		return ""
	}
	does := map[bool]string{true: "holds", false: "does not hold"}[decided.Result.Status == proofs.Proved]
	return fmt.Sprintf("the claim has the numbers of %s, which it does not name; from this position, with %s, it %s", usual, report.Params(sys), does)
}

// Begins fails if no play can begin at st.
func (a *Asker) Begins(st rules.State) error {
	if !st.Live() {
		return errors.New("the game is over: no play begins here")
	}
	if settled, err := a.Game.Start(st); err != nil || !settled.Equal(st) {
		return errors.New("the rules would change this position if a game began here, so no claim can be asked of it")
	}
	return nil
}

// instance returns the claim about plays from st, with the parameters of the game.
func (a *Asker) instance(claim *build.Claim, st rules.State) (*build.Instance, error) {
	sys := a.Game.System()
	var diags diag.List
	list := claim.From(sys, st).Instances(build.SettingsOf(sys, diag.Range{File: "-p"}), &diags)
	if err := diags.Err(); err != nil {
		return nil, err
	}
	if len(list) != 1 || list[0].System.Name != sys.Name {
		return nil, fmt.Errorf("the claim is not about %s", sys.Name)
	}
	return list[0], nil
}
