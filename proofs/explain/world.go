package explain

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// world is a System with the conditions that its author has written down.
type world struct {
	sys       *rules.System
	in        *interp.Interp
	shape     *shape.Shape
	setup     []condition
	positions []condition
	elsewhere []string        // names of positions for another board
	used      map[string]bool // labels that occur in the whole document
}

// condition is a condition of the setup with its text, or a position with its name.
type condition struct {
	text      string
	x         rules.Expr
	position  *ast.Position
	condition string // the text of a position without a picture
}

// world returns the world of a System, which is made once.
func (b *builder) world(sys *rules.System) *world {
	key := sys.Name + " " + sys.Hash()
	if w := b.worlds[key]; w != nil {
		return w
	}
	in := interp.New(sys).Within(b.ctx)
	w := &world{sys: sys, in: in, shape: shape.Of(b.ctx, in), used: b.used}
	b.worlds[key] = w
	v := b.variant(sys.Name)
	if v == nil {
		return w
	}
	for _, c := range b.setupConds(sys, v) {
		if x, ok := b.resolve(sys, v, c); ok {
			w.setup = append(w.setup, condition{text: b.text(c.Span()), x: x})
		}
	}
	for _, p := range b.unit.Positions {
		b.addPosition(w, v, p)
	}
	return w
}

func (b *builder) addPosition(w *world, v *ast.Variant, p *ast.Position) {
	if p.Of != nil && p.Of.Name != v.Name.Name {
		return
	}
	if x, ok := b.resolve(w.sys, v, &ast.Name{At: p.Name.At, Name: p.Name.Name}); ok {
		c := condition{text: p.Name.Name, x: x, position: p}
		if p.Picture == nil && p.Where != nil {
			c.condition = strings.Join(strings.Fields(b.text(p.Where.Span())), " ")
		}
		w.positions = append(w.positions, c)
	} else {
		w.elsewhere = append(w.elsewhere, p.Name.Name)
	}
}

// begin returns the position that games of a System begin at, or nil.
func (b *builder) begin(sys *rules.System) *ast.Position {
	return lists.Find(b.unit.Positions, func(p *ast.Position) bool { return p.Range == sys.Start.At })
}

func (b *builder) setupConds(sys *rules.System, v *ast.Variant) []ast.Expr {
	if p := b.begin(sys); p != nil {
		return []ast.Expr{&ast.Name{At: p.Name.At, Name: p.Name.Name}}
	}
	if setups := ast.Items[*ast.Setup](v); len(setups) > 0 {
		return setups[0].Conds
	}
	return nil
}

// resolve resolves a condition for a System as if it were the target of a claim. ok is false if it
// has no meaning there, for instance because it reads an open parameter outside the setup.
func (b *builder) resolve(sys *rules.System, v *ast.Variant, x ast.Expr) (rules.Expr, bool) {
	claim := &ast.Claim{Property: &ast.Reach{Kind: "unreachable", Target: x}}
	claim.Range, claim.Of = x.Span(), &v.Name
	if p := b.begin(sys); p != nil { // it may change the order of the players
		claim.Clauses = append(claim.Clauses, &ast.StartingAt{Position: p.Name})
	}
	for _, p := range sys.OpenParams() {
		claim.Clauses = append(claim.Clauses, &ast.ForAll{Name: ast.Ident{Name: sys.Params[p].Name}})
	}
	c, diags := b.unit.Claim(claim)
	if diags.HasErrors() {
		return nil, false
	}
	list := c.Instances(build.SettingsOf(sys, diag.Range{}), &diags)
	if diags.HasErrors() || len(list) != 1 {
		return nil, false
	}
	reach, ok := list[0].Property.(*build.Reach)
	if !ok {
		return nil, false
	}
	return reach.Target, true
}

// names returns the positions that a state fits, if its kept parts decide that.
func (w *world) names(s rules.State, keep rules.Kept) []string {
	var names []string
	for _, p := range w.positions {
		if !w.within(p.x, keep, s) {
			continue
		}
		if fits, err := w.in.Holds(p.x, s, nil); err == nil && fits {
			names = append(names, p.text)
		}
	}
	return names
}

// within reports whether x reads only parts of s that are kept.
func (w *world) within(x rules.Expr, keep rules.Kept, s rules.State) bool {
	return rules.Reads(w.sys, x).Within(keep.PartsOf(s))
}

// maxFits bounds the number of states that are examined for one condition.
const maxFits = 2000

// fitting returns the states of the right shape that satisfy x. If they are not all of them, reason
// says why.
func (w *world) fitting(ctx context.Context, x rules.Expr, keep rules.Kept) (list []rules.State, reason string, err error) {
	err = space.Matching(limit.WithLooks(ctx, maxLooks), w.in, x, keep, func(s rules.State) error {
		if ok, err := w.shape.Allows(s, keep); err != nil || !ok {
			return err
		}
		if len(list) == maxFits {
			reason = fmt.Sprintf("more than %d states fit", maxFits)
			return space.ErrStop
		}
		list = append(list, s.Clone())
		return nil
	})
	var fault *interp.RuleError
	switch {
	case ctx.Err() != nil: // the analyses that ctx has ended may be incomplete
		return nil, "", ctx.Err()
	case errors.Is(err, limit.ErrLooks):
		return list, "too many states would have to be tried to find all that fit", nil
	case errors.As(err, new(*space.InfiniteError)):
		return list, "infinitely many states fit", nil
	case errors.As(err, &fault):
		return list, "the rules have a fault in some state that fits: " + fault.Diag.Message, nil
	}
	return list, reason, err
}

// shown are states, as many as are drawn.
func (w *world) shown(title string, states []rules.State, keep rules.Kept) *States {
	drawn := states[:min(len(states), maxStates)]
	return &States{Title: title, More: len(states) - len(drawn), States: lists.Map(drawn, func(s rules.State) Shown {
		return Shown{Board: &Board{System: w.sys, State: s, Kept: &keep}, Name: strings.Join(w.names(s, keep), ", ")}
	})}
}
