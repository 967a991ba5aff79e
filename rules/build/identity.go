package build

import (
	"encoding/hex"
	"maps"
	"reflect"
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/internal/describe"
	"github.com/mancheck/mancheck/rules/bind"
)

// Digest identifies a claim about every size: two have the same digest only if they are about the
// same text, and so about the same rules at each size, whatever the System of the least size is. It
// is empty for other claims.
//
// It is the SHA-256 of the text that decides the claim, without places, comments and layout: the
// variant with its board, the property, and the definitions, procedures, positions and strategies
// that these use, with what each name stands for; and of the size, where it begins, and the values
// of the other parameters. What the claim does not use does not matter, nor do hints and what the
// author expects. In a picture each line is a row, so its line breaks count.
func (i *Instance) Digest() string {
	if i.Size == "" {
		return ""
	}
	d := identify(i.Claim.unit.bound[i.Claim.variant])
	d.Text(i.Size)
	for _, p := range i.System.Params {
		d.Value(reflect.ValueOf(p))
	}
	d.Text(i.Some)
	if _, err := i.Uniform(); err != nil { // a default may follow the size, where a value that is set does not
		d.Texts(slices.Sorted(maps.Keys(i.Settings)))
	}
	d.roots(false, i.rules()...)
	d.roots(true, i.asked()...)
	return hex.EncodeToString(d.Sum(nil))
}

// rules lists the text of the rules. Definitions and procedures belong to what uses them.
func (i *Instance) rules() []ast.Node {
	bound := i.Claim.unit.bound[i.Claim.variant]
	list := []ast.Node{bound.Board}
	for _, item := range bound.Items {
		switch item.(type) {
		case *ast.Define, *ast.Procedure:
		default:
			list = append(list, item)
		}
	}
	return list
}

// asked lists the text of the claim, without hints, and without what gives parameters their values.
func (i *Instance) asked() []ast.Node {
	list := []ast.Node{i.Claim.ast.Property}
	for _, c := range i.Claim.ast.Clauses {
		switch c.(type) {
		case *ast.Expect, *ast.Using, *ast.Bound, *ast.Long, *ast.With, *ast.ForIn, *ast.ForAll, *ast.ForSome, ast.Property:
		default:
			list = append(list, c)
		}
	}
	return list
}

// identity writes texts about a variant into a hash, with what their names stand for. A text that a
// name stands for is written behind them, once, and the name has its number.
type identity struct {
	describe.Writer
	bound   *bind.Variant
	inClaim bool // as in walk
	texts   []walk
	numbers map[walk]int
	written int // of texts
	line    int // of the cell before, in a picture
}

func identify(bound *bind.Variant) *identity {
	d := &identity{bound: bound, numbers: map[walk]int{}}
	d.Writer = describe.New(d.node)
	return d
}

// roots writes texts, and those that names in them stand for.
func (d *identity) roots(inClaim bool, list ...ast.Node) {
	d.Number(len(list))
	for _, n := range list {
		d.Number(d.number(walk{n, inClaim}))
	}
	for ; d.written < len(d.texts); d.written++ {
		d.inClaim = d.texts[d.written].inClaim
		d.Value(reflect.ValueOf(&d.texts[d.written].node))
	}
}

// number is the number of a text that is written, or will be.
func (d *identity) number(w walk) int {
	n, is := d.numbers[w]
	if !is {
		n = len(d.texts)
		d.numbers[w] = n
		d.texts = append(d.texts, w)
	}
	return n
}

// node leaves out what does not matter, and writes what a name stands for, before the name.
func (d *identity) node(v reflect.Value) bool {
	switch x := v.Interface().(type) {
	case ast.At, ast.Documented:
		return true
	case ast.Board, ast.Picture:
		d.line = 0
	case ast.BoardCell:
		d.row(x.Range.Start.Line)
	case ast.Cell:
		d.row(x.Range.Start.Line)
	}
	if v.Kind() == reflect.Struct && v.CanAddr() {
		if n, is := v.Addr().Interface().(ast.Node); is {
			d.reference(d.bound.Ref(n, d.inClaim))
		}
	}
	return false
}

// row writes whether a cell of a picture begins a row.
func (d *identity) row(line int) {
	begins := 0
	if line != d.line {
		begins, d.line = 1, line
	}
	d.Number(begins)
}

func (d *identity) reference(ref bind.Ref) {
	d.Text(ref.Kind.String())
	switch ref.Kind {
	case bind.DefinitionName, bind.ProcedureName:
		if def := d.bound.Definition(ref.Symbol); def != nil {
			d.Number(d.number(walk{def.Node, d.inClaim}))
		}
	case bind.PositionName:
		d.Number(d.number(walk{ref.Symbol.Node, true}))
	case bind.StrategyName:
		d.Number(d.number(walk{ref.Symbol.Node, false}))
	}
}
