package dsl

import (
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/internal/grammar"
	"github.com/mancheck/mancheck/dsl/internal/scan"
)

// maxElseIfs bounds a chain of conditions, which becomes as deep a tree.
const maxElseIfs = 500

var endings = map[string]ast.EndingKind{"win": ast.Win, "lose": ast.Lose, "draw": ast.Draw, "end": ast.End}

func (l *lowerer) move(span ast.At, doc string, m *grammar.Move) *ast.Move {
	out := &ast.Move{At: span, Doc: doc, Label: label(m.Label), When: l.expr(m.When)}
	for _, c := range m.Choices {
		out.Choices = append(out.Choices, l.choice(c))
	}
	if m.Written != nil {
		out.Written = append(out.Written, l.operand(m.Written.First))
		for _, o := range m.Written.Rest {
			out.Written = append(out.Written, l.operand(o))
		}
	}
	out.Body = l.stmts(m.Body)
	return out
}

// choice takes a set in braces, unless it is a filter, as a list of options.
func (l *lowerer) choice(c *grammar.Choice) *ast.Choice {
	out := &ast.Choice{At: at(c), Name: ident(c.Name), Where: l.expr(c.Where)}
	options := bareSet(c.Set)
	if options == nil || options.Where != nil {
		out.Set = l.expr(c.Set)
		return out
	}
	if len(options.Elems()) == 0 {
		l.errorf(spanOf(c.Set), "expected an option between the braces")
	}
	for _, e := range options.Elems() {
		out.Options = append(out.Options, ast.Option{
			At: at(e), Value: l.expr(e.Value),
			Notation: label(e.Notation), Label: tokenLabel(e.Label),
		})
	}
	return out
}

// bareSet is the set that an expression consists of, or nil.
func bareSet(e *grammar.Expr) *grammar.Set {
	if len(e.Rest) > 0 || len(e.First.Prefixes) > 0 {
		return nil
	}
	return e.First.Primary.Set
}

func (l *lowerer) ending(span ast.At, doc string, e *grammar.Ending) *ast.Ending {
	out := &ast.Ending{
		At: span, Doc: doc, Kind: endings[e.Kind], Label: label(e.Label), NoMove: e.NoMove,
		AtTurnEnd: e.AtTurnEnd, When: l.expr(e.When),
	}
	if e.Body != nil {
		out.Body = l.stmts(e.Body.Body)
	}
	return out
}

func (l *lowerer) stmts(list []*grammar.Stmt) []ast.Stmt {
	var out []ast.Stmt
	for _, s := range list {
		if !s.Empty {
			out = append(out, l.stmt(s))
		}
	}
	return out
}

func (l *lowerer) stmt(s *grammar.Stmt) ast.Stmt {
	span := at(s)
	switch {
	case s.Sow != nil:
		return l.sow(span, s.Sow)
	case s.Capture != nil:
		return &ast.Capture{At: span, From: l.ariths(s.Capture.From), Into: l.arith(s.Capture.Into)}
	case s.Take != nil:
		return &ast.Take{At: span, Count: l.arith(s.Take.Count), From: l.arith(s.Take.From), Into: l.arith(s.Take.Into)}
	case s.Let != nil:
		return &ast.Let{At: span, Name: ident(s.Let.Name), Value: l.expr(s.Let.Value)}
	case s.If != nil:
		return l.conditional(span, s.If)
	case s.While != nil:
		return &ast.While{At: span, Cond: l.expr(s.While.Cond), Body: l.stmts(s.While.Body.Body)}
	case s.For != nil:
		return &ast.For{At: span, Name: ident(s.For.Name), Set: l.expr(s.For.Set), Body: l.stmts(s.For.Body.Body)}
	}
	return l.shortStmt(span, s)
}

func (l *lowerer) shortStmt(span ast.At, s *grammar.Stmt) ast.Stmt {
	switch {
	case s.Again:
		return &ast.Again{At: span}
	case s.Finish != nil:
		return &ast.Finish{At: span, Kind: endings[s.Finish.Kind], Label: label(s.Finish.Label)}
	case s.Require != nil:
		return &ast.Require{At: span, Cond: l.expr(s.Require)}
	case s.Prefer != nil:
		return &ast.Prefer{At: span, Value: l.expr(s.Prefer)}
	case s.Simple.Into != nil:
		from := append([]*grammar.Arith{s.Simple.First}, s.Simple.More...)
		return &ast.Capture{At: span, Sweep: true, From: l.ariths(from), Into: l.arith(s.Simple.Into)}
	}
	return l.assign(span, s.Simple)
}

// assign checks that the left side is `x` or `x(i)`.
func (l *lowerer) assign(span ast.At, s *grammar.Simple) ast.Stmt {
	out := &ast.Assign{At: span, Value: l.expr(s.Value)}
	switch left := l.arith(s.First).(type) {
	case *ast.Name:
		out.Name = ast.Ident{At: left.At, Name: left.Name}
		if !scan.IsKeyword(left.Name) {
			return out
		}
	case *ast.Call:
		if len(left.Args) == 1 && left.Along == nil {
			out.Name, out.Index = left.Func, left.Args[0]
			return out
		}
	}
	l.errorf(spanOf(s.First), "only a variable can be set, as in `x = …` or `x(i) = …`").
		WithHelp("seeds move with `sow`, `capture` and `take`")
	return out
}

func (l *lowerer) sow(span ast.At, s *grammar.Sow) *ast.Sow {
	out := &ast.Sow{At: span, Pit: l.arith(s.What), Along: l.arith(s.Along)}
	if s.From != nil {
		out.Count, out.Pit = out.Pit, l.arith(s.From)
	}
	for _, m := range s.Mods {
		l.sowMod(out, m)
	}
	return out
}

func (l *lowerer) sowMod(out *ast.Sow, m *grammar.SowMod) {
	switch {
	case m.OriginFirst:
		out.OriginFirst = true
	case m.Drop != nil:
		out.Drop, out.HasDrop = append(out.Drop, l.stmts(m.Drop.Body)...), true
	case m.StartAt != nil:
		if out.StartAt != nil {
			l.errorf(spanOf(m.StartAt), "this sowing has two places to start at")
		}
		out.StartAt = l.arith(m.StartAt)
	case m.Skip != nil:
		out.Skip = append(out.Skip, l.arith(m.Skip))
	default:
		out.OnlyLast = append(out.OnlyLast, l.arith(m.OnlyLast))
	}
}

// conditional nests the chain of `else if` from its end.
func (l *lowerer) conditional(span ast.At, s *grammar.If) ast.Stmt {
	if len(s.Elifs) > maxElseIfs {
		l.errorf(spanOf(s.Elifs[maxElseIfs]), "too many `else if` in one statement")
		s.Elifs = s.Elifs[:maxElseIfs]
	}
	var rest []ast.Stmt
	if s.Else != nil {
		rest = l.stmts(s.Else.Body)
	}
	has := s.Else != nil
	for i := len(s.Elifs) - 1; i >= 0; i-- {
		e := s.Elifs[i]
		from := tokenSpan(e.Tokens[1:])
		from.End = span.Range.End
		rest = []ast.Stmt{&ast.If{At: ast.At{Range: from}, Cond: l.expr(e.Cond), Then: l.stmts(e.Then.Body), Else: rest, HasElse: has}}
		has = true
	}
	return &ast.If{At: span, Cond: l.expr(s.Cond), Then: l.stmts(s.Then.Body), Else: rest, HasElse: has}
}
