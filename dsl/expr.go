package dsl

import (
	"fmt"
	"slices"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/internal/scan"
	"github.com/mancheck/mancheck/dsl/num"
)

// exprGrammar is the grammar of expressions in EBNF. It is looser than the parser in three points:
// Quantified extends as far to the right as possible, a set with notations or labels is allowed
// only after `choose NAME in`, and only the range of a parameter may lack its upper end.
const exprGrammar = `Expr = Or ((?= "if" Or "else") "if" Or "else" Expr)? .
Or = And ("or" And)* .
And = Not ("and" Not)* .
Not = ("not" Not) | Comparison .
Comparison = (<name> "wins") | ("last" "was" Membership) | (Membership (("=" | "/=" | "!=" | "<" | "<=" | ">" | ">=") Membership)?) .
Membership = Range (("in" | ("not" "in")) ("player" | Range))* .
Domain = "player" | Expr .
Range = Sum (".." Sum)? .
Sum = Product (("+" | "-" | "without") Product)* .
Product = Operand (("*" | "div" | "mod") Operand)* .
Operand = (("-" | "old") Operand) | Quantified | Primary .
Quantified = (("each" | "some" | "number") <name> "in" ("player" | Range) ":" Expr) | ("first" <name> "in" Range "where" Expr) | (("each" | "some") Range ("=" | "/=" | "!=" | "<" | "<=" | ">" | ">=") Membership) .
Primary = <int> | <string> | ("no" "other"? "move") | Word | (("my" | "their") <name>) | ("(" Expr ")") | Set | Named .
Word = "last" | "origin" | "mover" | "opponent" | "none" | "true" | "false" | "empty" .
Set = "{" ((<name> "in" ("player" | Range) "where" Expr) | (Element ("," Element)*))? "}" .
Element = Expr ("as" Label)? <string>? .
Named = <name> (("[" Expr "]") | ("(" (Expr ("along" Expr)? ("," Expr)*)? ")") | ("of" Operand))? .
Default = ((?= Range "in") Range) | (Or ((?= "if" Or "else") "if" Or "else" Default)?) .`

// maxTerms bounds the number of operands and the nesting depth of an expression, so that recursion
// over the tree cannot overflow the stack.
const maxTerms = 2000

// The precedences of operators, from the loosest to the tightest.
const (
	precCond = iota + 1 // that of `E if C else F`
	precOr
	precAnd
	precNot
	precCompare
	precIn
	precRange
	precAdd
	precMul
	precPrefix
)

var precedences = map[string]int{
	"or": precOr, "and": precAnd,
	"=": precCompare, "/=": precCompare, "<": precCompare, "<=": precCompare,
	">": precCompare, ">=": precCompare, "was": precCompare, "wins": precCompare,
	"in": precIn, "not in": precIn,
	"..": precRange,
	"+":  precAdd, "-": precAdd, "without": precAdd,
	"*": precMul, "div": precMul, "mod": precMul,
}

// expressions makes participle call the climber for the types of expressions.
var expressions = []participle.Option{
	participle.ParseTypeWith(climb[ast.Expr](func(c *climber) ast.Expr { return c.climb(precCond) })),
	participle.ParseTypeWith(climb[ast.Domain]((*climber).domain)),
	participle.ParseTypeWith(climb[ast.Sum](func(c *climber) ast.Expr { return c.climb(precAdd) })),
	participle.ParseTypeWith(climb[ast.Operand](func(c *climber) ast.Expr { return c.climb(precPrefix) })),
	participle.ParseTypeWith(climb[ast.Default]((*climber).defaultValue)),
}

// climber parses an expression by precedence climbing. On a syntax error it panics with a fault.
type climber struct {
	lex      *lexer.PeekingLexer
	start    diag.Pos // of the whole expression
	end      diag.Pos // of the latest token
	depth    int      // nesting depth of the current expression
	terms    int      // number of operands, except those in inner brackets
	brackets int      // number of brackets that are open
}

// fault is the panic value for a syntax error.
type fault struct{ err error }

// climb returns a parse function for participle. It reports NextMatch if no expression begins at
// the next token.
func climb[T ast.Expr](read func(*climber) ast.Expr) func(*lexer.PeekingLexer) (T, error) {
	return func(lex *lexer.PeekingLexer) (x T, err error) {
		_, domain := any(&x).(*ast.Domain)
		if !startsOperand(lex.Peek()) && !(domain && lex.Peek().Value == "player") {
			return x, participle.NextMatch
		}
		defer func() {
			if f := recover(); f != nil {
				err = f.(fault).err
			}
		}()
		c := &climber{lex: lex, start: ast.TokenRange(*lex.Peek()).Start}
		return read(c).(T), nil
	}
}

// startsOperand reports whether an expression may begin with this token.
func startsOperand(t *lexer.Token) bool {
	switch t.Type {
	case scan.Name, scan.Int, scan.String:
		return true
	}
	switch t.Value {
	case "(", "{", "-", "not", "old", "each", "some", "number", "my", "their":
		return true
	}
	return scan.IsValueWord(t.Value)
}

// fail reports a syntax error other than an unexpected token.
func (c *climber) fail(r diag.Range, help, format string, args ...any) {
	panic(fault{diag.Diagnostic{Code: diag.Syntax, Range: r, Message: fmt.Sprintf(format, args...), Help: help}})
}

// unexpected reports the next token. expected is a literal in quotes or a production.
func (c *climber) unexpected(expected string) {
	panic(fault{&participle.UnexpectedTokenError{Unexpected: *c.lex.Peek(), Expect: expected}})
}

func (c *climber) next() lexer.Token {
	t := *c.lex.Next()
	c.end = ast.TokenRange(t).End
	return t
}

func (c *climber) is(value string) bool { return c.lex.Peek().Value == value }

func (c *climber) expect(value string) {
	if !c.is(value) {
		c.unexpected(`"` + value + `"`)
	}
	c.next()
}

func (c *climber) ident() ast.Ident {
	if c.lex.Peek().Type != scan.Name {
		c.unexpected("Ident")
	}
	t := c.next()
	return ast.Ident{At: c.tokenAt(t), Name: t.Value}
}

func (c *climber) tokenAt(t lexer.Token) ast.At { return ast.At{Range: ast.TokenRange(t)} }

// since returns the range from the start of r to the end of the latest token.
func (c *climber) since(r diag.Range) ast.At {
	return ast.At{Range: diag.Range{File: r.File, Start: r.Start, End: c.end}}
}

// apart parses an expression whose operands are counted separately.
func (c *climber) apart(min int) ast.Expr {
	terms := c.terms
	c.terms = 0
	x := c.climb(min)
	c.terms = terms
	return x
}

// bracketed parses an expression in brackets.
func (c *climber) bracketed() ast.Expr {
	c.brackets++
	x := c.apart(precCond)
	c.brackets--
	return x
}

// defaultValue parses the default of a parameter. An `in` after it begins the parameter's range.
func (c *climber) defaultValue() ast.Expr {
	c.deeper()
	defer func() { c.depth-- }()
	switch c.lex.Peek().Value {
	case "not", "each", "some", "number":
		return c.conditional(c.climb(precOr), c.defaultValue)
	}
	x := c.climb(precRange)
	if c.is("in") {
		return x
	}
	return c.conditional(c.extend(x, precOr), c.defaultValue)
}

// domain parses what follows `in`: an expression or the word `player`.
func (c *climber) domain() ast.Expr {
	if c.is("player") {
		return c.players()
	}
	return c.climb(precCond)
}

// players parses the word `player`, where a name goes through the players.
func (c *climber) players() ast.Expr {
	t := c.next()
	return &ast.Name{At: c.tokenAt(t), Name: t.Value}
}

// climb parses an expression whose operators have at least precedence min.
func (c *climber) climb(min int) ast.Expr {
	c.deeper()
	x := c.extend(c.prefixed(min), min)
	if min == precCond {
		x = c.conditional(x, func() ast.Expr { return c.climb(precCond) })
	}
	c.depth--
	return x
}

// deeper counts one more operand, which lies within those being parsed.
func (c *climber) deeper() {
	c.depth++
	c.terms++
	if c.depth > maxTerms || c.terms > maxTerms {
		r := ast.TokenRange(*c.lex.Peek())
		r.Start = c.start
		c.fail(r, "", "this expression is too long")
	}
}

// conditional parses the rest of `E if C else F` behind E; otherwise reads F. Outside of brackets
// an `if` without `else` behind its condition is a statement that follows the expression.
func (c *climber) conditional(x ast.Expr, otherwise func() ast.Expr) ast.Expr {
	if !c.is("if") {
		return x
	}
	before, here := *c, c.lex.MakeCheckpoint()
	word := ast.TokenRange(c.next())
	cond := c.apart(precOr)
	switch {
	case c.is("else"):
		c.next()
		y := otherwise()
		return &ast.Cond{At: c.since(x.Span()), Then: x, If: cond, Else: y}
	case c.brackets > 0 || !c.is("{") && word.Start.Line == before.end.Line:
		c.fail(c.since(word).Range, "write `E if C else F`; the statement `if` has its body in braces", "a conditional expression needs `else`")
	}
	*c = before
	c.lex.LoadCheckpoint(here)
	return x
}

// extend parses the operators and right operands that follow a left operand.
func (c *climber) extend(left ast.Expr, min int) ast.Expr {
	for {
		op := c.operator()
		prec := precedences[op]
		if prec == 0 || prec < min {
			return left
		}
		left = c.binary(left, op, prec)
	}
}

// operator returns the next operator without reading it, or some other token that has no
// precedence.
func (c *climber) operator() string {
	if !c.is("not") {
		return c.lex.Peek().Value
	}
	here := c.lex.MakeCheckpoint()
	defer c.lex.LoadCheckpoint(here)
	c.lex.Next()
	return "not " + c.lex.Peek().Value
}

// binary parses an operator and its right operand.
func (c *climber) binary(left ast.Expr, op string, prec int) ast.Expr {
	at := ast.TokenRange(c.next())
	if op == "wins" {
		return c.wins(left, at)
	}
	if op == "not in" {
		c.next()
	}
	if op == ".." && !startsOperand(c.lex.Peek()) {
		c.fail(at, "", "expected a number after `..`")
	}
	var right ast.Expr
	if prec == precIn && c.is("player") {
		right = c.players()
	} else {
		right = c.climb(prec + 1)
	}
	if prec == precCompare {
		c.unchained()
	}
	span := c.since(left.Span())
	if op != "was" {
		return &ast.Binary{At: span, Op: op, L: left, R: right}
	}
	if n, ok := left.(*ast.Name); !ok || n.Name != "last" {
		c.fail(at, "", "`was` can only follow `last`")
	}
	return &ast.Was{At: span, Value: right}
}

// wins completes `P wins` after its last word was read.
func (c *climber) wins(left ast.Expr, word diag.Range) ast.Expr {
	n, ok := left.(*ast.Name)
	if !ok {
		c.fail(word, "", "`wins` can only follow a player")
	}
	c.unchained()
	return &ast.Wins{At: c.since(left.Span()), Player: ast.Ident{At: n.At, Name: n.Name}}
}

// unchained rejects a comparison that follows another one.
func (c *climber) unchained() {
	if precedences[c.operator()] == precCompare {
		c.fail(ast.TokenRange(*c.lex.Peek()), "join two comparisons with `and`", "comparisons cannot be chained")
	}
}

// prefixed parses an operand with its prefixes.
func (c *climber) prefixed(min int) ast.Expr {
	t := c.lex.Peek()
	switch t.Value {
	case "-", "old":
		return c.unary(precPrefix)
	case "not":
		if min > precNot {
			c.fail(ast.TokenRange(c.next()), "put `not …` in parentheses", "`not` cannot stand here")
		}
		return c.unary(precNot)
	case "each", "some", "number":
		return c.quantified()
	}
	return c.primary()
}

func (c *climber) unary(prec int) ast.Expr {
	t := c.next()
	x := c.climb(prec)
	return &ast.Unary{At: c.since(ast.TokenRange(t)), Op: t.Value, X: x}
}

// quantified parses each, some or number: with a comparison of the seeds in a set, or with a name,
// a set, a colon and a condition.
func (c *climber) quantified() ast.Expr {
	word := c.next()
	head := c.climb(precIn)
	if c.is(":") {
		return c.quant(word.Value, ast.TokenRange(word), head)
	}
	behind := diag.Range{File: word.Pos.Filename, Start: c.end, End: c.end}
	if in, ok := head.(*ast.Binary); ok && in.Op == "in" || word.Value == "number" {
		c.fail(behind, fmt.Sprintf("write `%s x in SET : CONDITION`", word.Value), "expected `:` and a condition after `%s …`", word.Value)
	}
	op := c.operator()
	if precedences[op] != precCompare || op == "was" {
		c.fail(behind, fmt.Sprintf("write `%s SET > 0` or `%[1]s x in SET : CONDITION`", word.Value), "expected a comparison after `%s …`", word.Value)
	}
	c.next()
	right := c.climb(precCompare + 1)
	c.unchained()
	return &ast.EachCmp{At: c.since(ast.TokenRange(word)), Kind: word.Value, Set: head, Op: op, R: right}
}

// quant parses the condition behind `WORD x in SET`, and the mark before it.
func (c *climber) quant(word string, at diag.Range, head ast.Expr) ast.Expr {
	v, set := c.member(head, "between `"+word+"` and `"+c.next().Value+"`")
	body := c.climb(precCond)
	return &ast.Quant{At: c.since(at), Kind: word, Var: v, Set: set, Body: body}
}

// first parses `first x in SET where E` after its first word. ok is false if `NAME in` does not
// follow: then the word is a name.
func (c *climber) first(word diag.Range) (x ast.Expr, ok bool) {
	here := c.lex.MakeCheckpoint()
	ok = c.lex.Next().Type == scan.Name && c.is("in")
	if c.lex.LoadCheckpoint(here); !ok {
		return nil, false
	}
	head := c.climb(precIn)
	if !c.is("where") {
		c.fail(diag.Range{File: word.File, Start: c.end, End: c.end}, "write `first x in SET where CONDITION`", "expected `where` and a condition after `first …`")
	}
	return c.quant("first", word, head), true
}

// member splits `x in SET`. place says where that is, for the error message.
func (c *climber) member(e ast.Expr, place string) (ast.Ident, ast.Expr) {
	in, _ := e.(*ast.Binary)
	if in == nil || in.Op != "in" {
		in = &ast.Binary{}
	}
	n, _ := in.L.(*ast.Name)
	if n == nil || scan.IsKeyword(n.Name) {
		c.fail(e.Span(), "write `each p in SET : CONDITION`, or without a name `each SET = n`", "expected `NAME in SET` %s", place)
	}
	return ast.Ident{At: n.At, Name: n.Name}, in.R
}

// primary parses an operand without prefixes.
func (c *climber) primary() ast.Expr {
	if t := c.lex.Peek(); !startsOperand(t) {
		c.unexpected("Expr")
	}
	t := c.next()
	at := c.tokenAt(t)
	switch {
	case t.Type == scan.Int:
		return c.number(t)
	case t.Type == scan.String:
		return &ast.Text{At: at, Value: unquote(t.Value)}
	case t.Type == scan.Name:
		return c.named(ast.Ident{At: at, Name: t.Value})
	case t.Value == "(":
		x := c.bracketed()
		c.expect(")")
		return &ast.Paren{At: c.since(at.Range), X: x}
	case t.Value == "{":
		return c.set(at.Range)
	case t.Value == "my" || t.Value == "their":
		group := c.ident()
		return &ast.Of{At: c.since(at.Range), Their: t.Value == "their", Group: group}
	}
	return &ast.Name{At: at, Name: t.Value}
}

func (c *climber) number(t lexer.Token) ast.Expr {
	n, err := num.Parse(t.Value)
	if err != nil {
		panic(fault{tooLarge(ast.TokenRange(t))})
	}
	return &ast.Int{At: c.tokenAt(t), Text: t.Value, Value: n}
}

func tooLarge(r diag.Range) diag.Diagnostic {
	return diag.Diagnostic{
		Code: diag.Syntax, Range: r, Message: "this number is too large",
		Help: fmt.Sprintf("the largest number is %d", num.Most),
	}
}

// named parses what follows a name: an index, arguments, an owner, the rest of `no move`, or
// nothing.
func (c *climber) named(name ast.Ident) ast.Expr {
	if name.Name == "first" {
		if x, ok := c.first(name.Range); ok {
			return x
		}
	}
	switch {
	case name.Name == "no" && c.is("move"):
		c.next()
		return &ast.NoMove{At: c.since(name.Range)}
	case name.Name == "no" && c.is("other"):
		c.next()
		c.expect("move")
		return &ast.NoMove{At: c.since(name.Range), Other: true}
	case c.is("["):
		c.next()
		index := c.bracketed()
		c.expect("]")
		return &ast.IndexExpr{At: c.since(name.Range), Group: name, Index: index}
	case c.is("("):
		c.next()
		return c.call(name)
	case c.is("of"):
		c.next()
		player := c.climb(precPrefix)
		return &ast.Of{At: c.since(name.Range), Group: name, Player: player}
	}
	return &ast.Name{At: name.At, Name: name.Name}
}

func (c *climber) call(name ast.Ident) ast.Expr {
	call := &ast.Call{Func: name}
	for !c.is(")") || len(call.Args) > 0 {
		call.Args = append(call.Args, c.bracketed())
		if c.is("along") && len(call.Args) == 1 {
			c.next()
			call.Along = c.bracketed()
		}
		if !c.is(",") {
			break
		}
		c.next()
	}
	c.expect(")")
	call.At = c.since(name.Range)
	return call
}

// set parses a set after its opening brace: its elements, or a filter.
func (c *climber) set(start diag.Range) ast.Expr {
	s := &ast.SetLit{}
	for !c.is("}") || len(s.Elems) > 0 {
		s.Elems = append(s.Elems, c.element())
		if c.is("where") && len(s.Elems) == 1 {
			return c.filter(start, s.Elems[0])
		}
		if !c.is(",") {
			break
		}
		c.next()
	}
	c.expect("}")
	s.At = c.since(start)
	return s
}

func (c *climber) filter(start diag.Range, head ast.Expr) ast.Expr {
	c.next()
	v, set := c.member(head, "before `where`")
	cond := c.bracketed()
	c.expect("}")
	return &ast.Filter{At: c.since(start), Var: v, Set: set, Where: cond}
}

// element parses an element of a set. It may be an option of a choice, with a notation or label;
// settle rejects these in other sets.
func (c *climber) element() ast.Expr {
	x := c.bracketed()
	option := &ast.Option{Value: x}
	if c.is("as") {
		c.next()
		option.Notation = c.label(scan.Name, scan.Int, scan.String)
	}
	if c.lex.Peek().Type == scan.String {
		option.Label = c.label(scan.String)
	}
	if option.Notation == nil && option.Label == nil {
		return x
	}
	option.At = c.since(x.Span())
	return option
}

func (c *climber) label(types ...lexer.TokenType) *ast.Label {
	if !slices.Contains(types, c.lex.Peek().Type) {
		c.unexpected("Label")
	}
	t := c.next()
	return &ast.Label{At: c.tokenAt(t), Text: t.Value}
}
