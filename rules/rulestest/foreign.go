package rulestest

import "github.com/mancheck/mancheck/rules"

// ForeignExpr and ForeignStmt stand for a new type of the kernel that some package does not handle
// yet.
type (
	ForeignExpr struct{ rules.Expr }
	ForeignStmt struct{ rules.Stmt }
)

// Foreign returns games with a foreign expression or statement in one place, by the name of the
// place. A package that reads such a System has to fail, rather than ignore what it does not know.
func Foreign() map[string]*rules.System {
	x, s := ForeignExpr{rules.True}, []rules.Stmt{ForeignStmt{rules.Stop{}}}
	body := func(body ...rules.Stmt) *rules.System {
		sys := Solitaire(2)
		sys.Actions = []rules.Action{{Body: body, Locals: []rules.Type{rules.NumberType}}}
		return sys
	}
	list := map[string]*rules.System{
		"body":   body(s...),
		"drop":   body(rules.Sow{Source: pit(0), Drop: s}),
		"then":   body(rules.If{Cond: binary(rules.Eq, seeds(0), k(0)), Then: s}),
		"else":   body(rules.If{Cond: binary(rules.Eq, seeds(0), k(0)), Else: s}),
		"loop":   body(rules.While{Cond: binary(rules.Eq, seeds(0), k(0)), Body: s}),
		"source": body(rules.Sow{Source: x}),
		"skip":   body(rules.Sow{Source: pit(0), SkipIf: []rules.Expr{nil, x, nil, nil, nil, nil}}),
		"count":  body(rules.Transfer{Count: x, From: pit(0), Into: pit(1)}),
		"value":  body(rules.SetVar(0, x)),
		"cell":   body(rules.Set{To: rules.Cell{Sort: rules.VarCell, Table: []int{0}, Index: x}, X: k(0)}),
		"rank":   body(rules.Prefer(x)),
		"cond":   body(rules.If{Cond: rules.Not{X: binary(rules.And, seeds(0), x)}}),
		"while":  body(rules.While{Cond: rules.Cond{If: seeds(0), Then: x, Else: k(1)}}),
		"guard":  body(),
		"ending": body(),
		"sweep":  body(),
	}
	list["guard"].Actions[0].Guard = rules.In(x, members(6, 1))
	list["ending"].Reactions[0].By[0].When = binary(rules.Eq, rules.Seeds(x), k(0))
	list["sweep"].Reactions[0].By[0].Body = s
	return list
}

// Silent reports whether f neither fails nor panics, which is wrong for a foreign System.
func Silent(f func() error) (silent bool) {
	defer func() { silent = recover() == nil && silent }()
	return f() == nil
}

// FewSeeds lists the live states of the first player with none or one seed in each pit.
func FewSeeds(sys *rules.System) []rules.State {
	var list []rules.State
	for bits := range 1 << len(sys.Pits) {
		s := sys.EmptyStart()
		for p := range s.Seeds {
			s.Seeds[p] = bits >> p & 1
		}
		list = append(list, s)
	}
	return list
}
