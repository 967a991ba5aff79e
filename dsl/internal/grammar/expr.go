package grammar

import "github.com/alecthomas/participle/v2/lexer"

// Expr is a flat list of operands and operators. `:` is among them: `each x in S : E` is the prefix
// `each`, the comparison `x in S`, and all that follows the colon.
type Expr struct {
	Node
	First *Operand `parser:"@@"`
	Rest  []*Link  `parser:"@@*"`
}

// Link is an operator and its right operand. Only the `..` of an open range may lack one.
type Link struct {
	Node
	NotIn bool         `parser:"( ((?= 'not' 'in') @'not' 'in'"`
	Op    *lexer.Token `parser:"   | @('or' | 'and' | '=' | '/=' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'was' | ':' | '+' | '-' | '*' | 'div' | 'mod' | 'without'))"`
	Right *Operand     `parser:"  @@"`
	Range *lexer.Token `parser:"| @'..'"`
	Upper *Operand     `parser:"  @@? )"`
}

// Arith is an Expr without comparisons, where a `=` or `..` that follows belongs to something else.
type Arith struct {
	Node
	First *Operand     `parser:"@@"`
	Rest  []*ArithLink `parser:"@@*"`
}

// ArithLink is one of the operators that join numbers and sets.
type ArithLink struct {
	Node
	Op    *lexer.Token `parser:"@('+' | '-' | '*' | 'div' | 'mod' | 'without')"`
	Right *Operand     `parser:"@@"`
}

// Operand is a primary behind its prefixes.
type Operand struct {
	Node
	Prefixes []*Prefix `parser:"@@*"`
	Primary  *Primary  `parser:"@@"`
}

// Prefix is a prefix operator.
type Prefix struct {
	Op *lexer.Token `parser:"@('not' | '-' | 'old' | 'each' | 'some' | 'number')"`
}

// Primary is an expression without operators.
type Primary struct {
	Node
	Int   *lexer.Token `parser:"  @Int"`
	Text  *lexer.Token `parser:"| @String"`
	Word  *lexer.Token `parser:"| @('last' | 'origin' | 'mover' | 'none' | 'true' | 'false' | 'empty')"`
	Of    *Of          `parser:"| @@"`
	Paren *Expr        `parser:"| '(' @@ ')'"`
	Set   *Set         `parser:"| @@"`
	Name  *Named       `parser:"| @@"`
}

// Of is `my G` or `their G`.
type Of struct {
	Whose string `parser:"@('my' | 'their')"`
	Group *Name  `parser:"@@"`
}

// Set is a set in braces: elements, or a filter. As the options of a choice its elements carry notations
// and labels.
type Set struct {
	First *Elem   `parser:"'{' (@@"`
	Where *Expr   `parser:"  ('where' @@"`
	More  []*Elem `parser:"  | (',' @@)+)?)? '}'"`
}

// Elems are the elements of a set that is no filter.
func (s *Set) Elems() []*Elem {
	if s.First == nil {
		return nil
	}
	return append([]*Elem{s.First}, s.More...)
}

// Elem is an element of a set.
type Elem struct {
	Node
	Value    *Expr        `parser:"@@"`
	Notation *Label       `parser:"('as' @@)?"`
	Label    *lexer.Token `parser:"@String?"`
}

// Named is a name, with an index or arguments.
type Named struct {
	Name  *Name `parser:"@@"`
	Index *Expr `parser:"( '[' @@ ']'"`
	Args  *Args `parser:"| @@ )?"`
}

// Args are the arguments of a call, of which the first may say along which lap.
type Args struct {
	First *Expr   `parser:"'(' (@@"`
	Along *Expr   `parser:"  ('along' @@)?"`
	Rest  []*Expr `parser:"  (',' @@)*)? ')'"`
}
