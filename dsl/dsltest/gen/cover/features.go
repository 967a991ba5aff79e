package cover

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
)

// Features are what variants and claims may have. Each is a name in Names.
type Features map[string]bool

// Names lists all features.
var Names = []string{
	"solitaire", "two players", "three players",
	"setup mover", "position mover", "other mover", "order of players",
	"ring", "line", "lap of a player", "lap of another", "reverse", "off-lap pit", "owner", "opposite", "one-way relation", "named group",
	"shared board", "lap that follows", "definition", "arguments",
	"param of rules", "switch", "open range",
	"int variable", "bool variable", "pit variable", "player variable", "lap variable", "enumeration", "like another", "each player", "each pit",
	"fixed setup", "any where", "drawn setup", "product in setup", "state in setup",
	"guard", "choose pit", "choose number", "choose lap", "choose value", "stored choice", "written",
	"sow", "sow count", "skip", "only last", "origin first", "starting at pit", "each drop", "relay", "relay clause", "chain", "go on",
	"capture", "sweep", "take", "assign", "let", "if", "while", "for", "for values", "again", "moves next", "finish", "winner", "require", "prefer",
	"pass", "fallback", "fallback's body", "reaction", "group of a player", "opponent",
	"ending over pits", "ending over variables", "no move", "at end of turn", "ending's body", "score",
	"huge number", "negative number", "division", "import", "import of an import",
	"unreachable", "invariant", "reachable", "within", "never stuck", "terminates", "predecessors", "successors",
	"step", "every step", "over all states", "by label", "count", "count plays", "count ancestors", "winning starts", "strategy wins",
	"refines", "equivalent", "reverses", "value", "winner of", "best moves", "force", "after moves", "endless play", "for board", "board of a list", "with", "for in", "for all", "for some", "following", "starting at", "position", "old", "last in a claim", "player wins", "no move in a claim",
}

// Of lists the features of each claim of a file, with those of the variant it is about.
func Of(f *ast.File) map[*ast.Claim]Features {
	vars := map[string]Features{}
	variants := map[string]*ast.Variant{}
	boards := map[string]*ast.Board{}
	for _, d := range f.Decls {
		if b, ok := d.(*ast.Board); ok {
			boards[b.Name.Name] = b
		}
	}
	for _, d := range f.Decls {
		if v, ok := d.(*ast.Variant); ok {
			vars[v.Name.Name] = ofVariant(v, boards)
			variants[v.Name.Name] = v
			if variants[""] == nil {
				variants[""] = v
			}
			if vars[""] == nil {
				vars[""] = vars[v.Name.Name]
			}
		}
	}
	out := map[*ast.Claim]Features{}
	for _, d := range f.Decls {
		c, ok := d.(*ast.Claim)
		if !ok {
			continue
		}
		of := ""
		if c.Of != nil {
			of = c.Of.Name
		}
		fs := ofClaim(c, f)
		maps.Copy(fs, vars[of])
		fs["import"], fs["import of an import"] = len(f.Imports) > 0, len(f.Imports) > 1
		fs.beginners(c, f, variants[of], variants)
		out[c] = fs
	}
	return out
}

// beginners notes where another player than the first begins: by the setup, by a position that the
// claim speaks of, or only in one of two variants that are compared.
func (fs Features) beginners(c *ast.Claim, f *ast.File, v *ast.Variant, variants map[string]*ast.Variant) {
	if v == nil {
		return
	}
	first, begins := beginner(v)
	fs["setup mover"] = begins != first
	if r, ok := c.Property.(*ast.Relation); ok && variants[r.Other.Name] != nil {
		there, other := beginner(variants[r.Other.Name])
		fs["other mover"] = first != "" && there != "" && (begins != other || first != there)
	}
	named := map[string]bool{}
	nodes(c, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.Name:
			named[n.Name] = true
		case *ast.Place:
			named[n.Name.Name] = true
		case *ast.StartingAt:
			named[n.Position.Name] = true
		}
	})
	for _, d := range f.Decls {
		p, ok := d.(*ast.Position)
		if !ok || !named[p.Name.Name] {
			continue
		}
		for _, set := range p.With {
			fs["position mover"] = fs["position mover"] || set.Name.Name == "mover" && !isName(set.Value, first)
		}
	}
}

// beginner is the player who is declared first, and the one who begins; nothing in a solitaire.
func beginner(v *ast.Variant) (first, begins string) {
	for _, item := range v.Items {
		switch item := item.(type) {
		case *ast.Players:
			first = item.Names[0].Name
			if begins == "" {
				begins = first
			}
		case *ast.Setup:
			for _, x := range item.Conds {
				b, ok := x.(*ast.Binary)
				if !ok || b.Op != "=" || !isName(b.L, "mover") {
					continue
				}
				if name, ok := b.R.(*ast.Name); ok {
					begins = name.Name
				}
			}
		}
	}
	return first, begins
}

// nodes calls f for a node and each below.
func nodes(n ast.Node, f func(ast.Node)) {
	ast.Inspect(n, func(m ast.Node) bool {
		f(m)
		return true
	})
}

func ofVariant(v *ast.Variant, boards map[string]*ast.Board) Features {
	fs := Features{}
	players := 1
	names := map[string]bool{} // of variables
	onLap, pits := map[string]bool{}, map[string]bool{}
	for _, item := range v.Items {
		switch item := item.(type) {
		case *ast.Players:
			players = len(item.Names)
		case *ast.Param:
			fs["switch"] = fs["switch"] || !item.HasRange && isName(item.Default, "true", "false")
			fs["open range"] = fs["open range"] || item.HasRange && item.Hi == nil
		case *ast.StateVar:
			fs.state(item, names)
			names[item.Name.Name] = true
		case *ast.Setup:
			fs.setup(item, names)
		case *ast.Move:
			fs.move(item, names)
		case *ast.Ending:
			fs.ending(item, names)
		case *ast.Score:
			fs["score"] = true
		case *ast.Pass:
			fs["pass"] = true
			fs.fallback(item.When)
		case *ast.Reaction:
			fs["reaction"] = true
			fs["at end of turn"] = fs["at end of turn"] || item.AtTurnEnd
		case *ast.Define:
			fs["definition"] = true
			fs["arguments"] = fs["arguments"] || len(item.Params) > 0
		case *ast.Board:
			if item.Name != nil {
				fs["shared board"] = true
				item = boards[item.Name.Name]
			}
			if item != nil {
				fs.board(item, onLap, pits)
			}
		}
	}
	fs[[]string{"solitaire", "two players", "three players"}[min(max(players, 1), 3)-1]] = true
	for p := range pits {
		fs["off-lap pit"] = fs["off-lap pit"] || !onLap[p]
	}
	fs.everywhere(v)
	fs.rulesParams(v)
	return fs
}

// rulesParams notes parameters that are read outside the setup.
func (fs Features) rulesParams(v *ast.Variant) {
	params := map[string]bool{}
	for _, item := range v.Items {
		if p, ok := item.(*ast.Param); ok {
			params[p.Name.Name] = true
		}
	}
	for _, item := range v.Items {
		switch item.(type) {
		case *ast.Move, *ast.Ending, *ast.StateVar, *ast.Board:
			nodes(item, func(n ast.Node) {
				if x, ok := n.(*ast.Name); ok && params[x.Name] {
					fs["param of rules"] = true
				}
			})
		}
	}
}

func isName(x ast.Expr, names ...string) bool {
	n, ok := x.(*ast.Name)
	return ok && slices.Contains(names, n.Name)
}

func (fs Features) board(b *ast.Board, onLap, pits map[string]bool) {
	for _, r := range b.Rows() {
		for _, part := range r.Parts {
			for _, p := range part {
				pits[p.Group.Name] = true
			}
		}
	}
	for _, l := range b.Lines {
		switch l := l.(type) {
		case *ast.Lap:
			fs["ring"], fs["line"] = fs["ring"] || l.Ring, fs["line"] || !l.Ring
			fs["lap of a player"] = fs["lap of a player"] || l.Of != nil
			fs["reverse"] = fs["reverse"] || l.Reverse != nil
			for _, p := range l.Pits {
				onLap[p.Group.Name] = true
			}
		case *ast.Group:
			fs["named group"] = true
		case *ast.Owner:
			fs["owner"] = true
		case *ast.Facing:
			fs[map[bool]string{true: "one-way relation", false: "opposite"}[l.OneWay]] = true
		}
	}
}

// fallback notes a guard that asks for other moves.
func (fs Features) fallback(when ast.Expr) {
	if when != nil && len(ast.All[*ast.NoMove](when)) > 0 {
		fs["fallback"] = true
	}
}

func (fs Features) state(s *ast.StateVar, vars map[string]bool) {
	switch t, name := s.Type, s.Type.Name(); {
	case name != nil && name.Name == "bool":
		fs["bool variable"] = true
	case name != nil && name.Name == "player":
		fs["player variable"] = true
	case name != nil && name.Name == "lap":
		fs["lap variable"] = true
	case name != nil && vars[name.Name]:
		fs["like another"] = true
	case name != nil:
		fs["pit variable"] = true
	case len(t.Enum) > 0:
		fs["enumeration"] = true
	default:
		fs["int variable"] = true
	}
	if s.Each != nil {
		fs[map[bool]string{true: "each player", false: "each pit"}[s.Each.Name == "player"]] = true
	}
}

func (fs Features) setup(s *ast.Setup, vars map[string]bool) {
	switch {
	case s.Picture != nil:
		fs["drawn setup"] = true
	case s.Any:
		fs["any where"] = true
	default:
		fs["fixed setup"] = true
	}
	nodes(s, func(n ast.Node) {
		b, ok := n.(*ast.Binary)
		if !ok {
			return
		}
		fs["product in setup"] = fs["product in setup"] || b.Op == "*"
		set, _ := (&ast.Assign{Target: b.L}).Variable()
		fs["state in setup"] = fs["state in setup"] || vars[set.Name] || set.Name == "mover"
	})
}

func (fs Features) move(m *ast.Move, vars map[string]bool) {
	fs["guard"] = fs["guard"] || m.When != nil
	fs.fallback(m.When)
	fs["fallback's body"] = fs["fallback's body"] || fs["fallback"] && m.When != nil && len(ast.All[*ast.NoMove](m.When)) > 0 && len(m.Body) > 0
	fs["written"] = fs["written"] || m.Written != nil
	for _, c := range m.Choices {
		switch x := c.Set.(type) {
		case *ast.SetLit:
			lap := !slices.ContainsFunc(c.Options(), func(o ast.Option) bool { _, num := o.Value.(*ast.Int); return num })
			fs[map[bool]string{true: "choose lap", false: "choose value"}[lap && c.Name.Name == "dir"]] = true
		case *ast.Binary:
			fs[map[bool]string{true: "choose number", false: "choose pit"}[x.Op == ".."]] = true
		default:
			fs["choose pit"] = true
		}
		fs["stored choice"] = fs["stored choice"] || vars[c.Name.Name]
	}
}

func (fs Features) ending(e *ast.Ending, vars map[string]bool) {
	fs["at end of turn"] = fs["at end of turn"] || e.AtTurnEnd
	fs["ending's body"] = fs["ending's body"] || e.Body != nil
	fs["winner"] = fs["winner"] || e.Player != nil
	if _, noMove := e.When.(*ast.NoMove); noMove {
		fs["no move"] = true
		return
	}
	over := "ending over pits"
	nodes(e.When, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.Name:
			if vars[n.Name] {
				over = "ending over variables"
			}
		case *ast.Call:
			if vars[n.Func.Name] {
				over = "ending over variables"
			}
		}
	})
	fs[over] = true
}

// ofValues tells whether a name goes through what are no pits.
func ofValues(x ast.Expr) bool {
	b, ok := x.(*ast.Binary)
	_, list := x.(*ast.SetLit)
	return ok && b.Op == ".." || list || isName(x, "player")
}

// everywhere notes statements and numbers, wherever they stand.
func (fs Features) everywhere(n ast.Node) {
	nodes(n, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.Sow:
			fs.sow(n)
		case *ast.Capture:
			fs[map[bool]string{true: "sweep", false: "capture"}[!n.Word]] = true
		case *ast.Take:
			fs["take"] = true
		case *ast.Assign:
			fs["assign"] = true
		case *ast.Let:
			fs["let"] = true
		case *ast.If:
			fs["if"] = true
		case *ast.Quant:
			fs["order of players"] = fs["order of players"] || isName(n.Set, "player")
		case *ast.Choice:
			fs["order of players"] = fs["order of players"] || isName(n.Set, "player")
		case *ast.While:
			fs["while"] = true
			fs["relay"] = fs["relay"] || len(ast.All[*ast.Sow](n)) > 0
		case *ast.For:
			fs["for"] = true
			fs["order of players"] = fs["order of players"] || isName(n.Set, "player")
			fs["for values"] = fs["for values"] || ofValues(n.Set)
		case *ast.Chain:
			fs["chain"] = true
		case *ast.GoOn:
			fs["go on"] = true
		case *ast.MovesNext:
			fs["moves next"] = true
		case *ast.Of:
			fs["group of a player"] = fs["group of a player"] || n.Player != nil
			lap := strings.Contains("lap back ccw cw", n.Group.Name)
			fs["lap of another"] = fs["lap of another"] || lap && (n.Their || n.Player != nil)
		case *ast.Name:
			fs["opponent"] = fs["opponent"] || n.Name == "opponent"
			fs["lap that follows"] = fs["lap that follows"] || strings.HasPrefix(n.Name, "ccw") || strings.HasPrefix(n.Name, "cw")
		case *ast.Wins:
			fs["player wins"] = true
		case *ast.Again:
			fs["again"] = true
		case *ast.Finish:
			fs["finish"] = true
			fs["winner"] = fs["winner"] || n.Player != nil
		case *ast.Require:
			fs["require"] = true
		case *ast.Prefer:
			fs["prefer"] = true
		case *ast.Int:
			fs["huge number"] = fs["huge number"] || n.Value > 60_000
		case *ast.Unary:
			fs["negative number"] = fs["negative number"] || n.Op == "-"
			fs["old"] = fs["old"] || n.Op == "old"
		case *ast.Binary:
			fs["division"] = fs["division"] || n.Op == "div" || n.Op == "mod"
		}
	})
}

func (fs Features) sow(s *ast.Sow) {
	fs["sow"] = true
	for name, is := range map[string]bool{
		"sow count": s.Count != nil, "skip": s.Skip != nil, "only last": s.OnlyLast != nil, "origin first": s.OriginFirst,
		"starting at pit": s.StartAt != nil, "each drop": s.HasDrop, "relay clause": s.RelayWhile != nil,
	} {
		fs[name] = fs[name] || is
	}
}

func ofClaim(c *ast.Claim, f *ast.File) Features {
	fs := Features{}
	for _, cl := range c.Clauses {
		switch cl := cl.(type) {
		case *ast.With:
			fs["with"] = true
		case *ast.ForIn:
			fs["for in"] = true
		case *ast.ForAll:
			fs["for all"] = true
		case *ast.ForSome:
			fs["for some"] = true
		case *ast.Following:
			fs["following"] = true
		case *ast.StartingAt:
			fs["starting at"] = true
		case *ast.ForBoards:
			fs["for board"] = true
			head, _, _ := strings.Cut(string(cl.Text), "\n")
			fs["board of a list"] = strings.Count(head, ",") > 1
		case *ast.Endless:
			fs["endless play"] = true
		}
	}
	if c.Property == nil {
		return fs
	}
	fs.property(c.Property)
	fs.everywhere(c.Property)
	positions := map[string]bool{}
	for _, d := range f.Decls {
		if p, ok := d.(*ast.Position); ok {
			positions[p.Name.Name] = true
		}
	}
	nodes(c.Property, func(n ast.Node) {
		if _, ok := n.(*ast.NoMove); ok {
			fs["no move in a claim"] = true
		}
		if x, ok := n.(*ast.Place); ok {
			fs["position"] = fs["position"] || positions[x.Name.Name]
			fs["after moves"] = fs["after moves"] || len(x.After) > 0
		}
		if x, ok := n.(*ast.Name); ok {
			fs["position"] = fs["position"] || positions[x.Name]
			fs["last in a claim"] = fs["last in a claim"] || x.Name == "last" || x.Name == "origin"
		}
	})
	return fs
}

func (fs Features) property(p ast.Property) {
	switch p := p.(type) {
	case *ast.Reach:
		fs[p.Kind] = true
		fs["within"] = p.Within != nil
	case *ast.NeverStuck:
		fs["never stuck"] = true
	case *ast.Terminates:
		fs["terminates"] = true
		fs["within"] = p.Within != nil
	case *ast.Neighbours:
		fs[map[bool]string{true: "predecessors", false: "successors"}[p.Pre]] = true
	case *ast.StepTo:
		fs["step"] = true
		fs["by label"] = p.By != nil
	case *ast.EveryStep:
		fs["every step"] = true
		fs["over all states"] = p.All
		fs["by label"] = p.By != nil
	case *ast.Count:
		name := "count"
		if p.Set == "plays" || p.Set == "ancestors" {
			name += " " + p.Set
		}
		fs[name] = true
		fs["winning starts"] = p.Set == "winning"
	case *ast.UniqueWinnable, *ast.WinningStarts:
		fs["winning starts"] = true
	case *ast.StrategyWins:
		fs["strategy wins"] = true
	case *ast.Relation:
		fs[p.Kind] = true
	case *ast.Value:
		fs["value"] = true
	case *ast.Winner:
		fs["winner of"] = true
	case *ast.Best:
		fs["best moves"] = true
	case *ast.Force:
		fs["force"] = true
		fs["within"] = p.Within != nil
	}
}

// Pairs counts claims by pairs of features; a feature with itself is how often it was met.
type Pairs map[[2]string]int

// Count adds the features of one claim.
func (p Pairs) Count(fs Features) {
	for i, a := range Names {
		if !fs[a] {
			continue
		}
		for _, b := range Names[i:] {
			if fs[b] {
				p[[2]string{a, b}]++
			}
		}
	}
}

// Missing lists the pairs that were never met, but for those that cannot be.
func (p Pairs) Missing() [][2]string {
	var out [][2]string
	for i, a := range Names {
		for _, b := range Names[i:] {
			if p[[2]string{a, b}] == 0 && !Excluded(a, b) {
				out = append(out, [2]string{a, b})
			}
		}
	}
	return out
}

// exclusive are lists of features of which a claim has one at most, or that contradict each other.
var exclusive = [][]string{
	{
		"unreachable", "invariant", "reachable", "never stuck", "terminates", "predecessors", "successors", "step", "every step",
		"count", "count plays", "count ancestors", "strategy wins", "refines", "equivalent", "reverses", "value", "winner of", "best moves", "force",
	},
	{
		"winning starts", "unreachable", "invariant", "reachable", "never stuck", "terminates", "predecessors", "successors", "step", "every step",
		"count plays", "count ancestors", "strategy wins", "refines", "equivalent", "reverses", "value", "winner of", "best moves", "force",
	},
	{
		"within", "invariant", "unreachable", "never stuck", "predecessors", "successors", "step", "every step", "count", "count plays", "count ancestors", "winning starts",
		"strategy wins", "refines", "equivalent", "reverses", "value", "winner of", "best moves", "endless play", "old", "last in a claim", "by label", "over all states",
	},
	{"solitaire", "two players", "three players"},
	{"fixed setup", "any where", "drawn setup"},
	{"drawn setup", "setup mover"},
	{"drawn setup", "state in setup"},
	{"drawn setup", "product in setup"},
	{"prefer", "strategy wins"},
	{"prefer", "following"},
	{"starting at", "for all"},
	{"starting at", "for some"},
}

// onlyWith are features that stand with some others alone.
var onlyWith = map[string][]string{
	"over all states": {"every step"}, "by label": {"step", "every step"}, "old": {"every step"}, "last in a claim": {"every step"},
	"position":           {"unreachable", "invariant", "reachable", "predecessors", "successors", "step", "every step", "count", "count ancestors", "winning starts", "value", "winner of", "best moves", "force"},
	"player wins":        {"unreachable", "invariant", "reachable", "predecessors", "successors", "step", "every step", "count", "count ancestors", "winning starts", "force"},
	"no move in a claim": {"unreachable", "invariant", "reachable", "predecessors", "successors", "step", "every step", "count", "count ancestors", "winning starts", "force"},
	"solitaire":          {},
	"after moves":        {"value", "winner of", "best moves", "force"}, "endless play": {"value", "winner of", "best moves"},
	"for board": {"value", "winner of", "best moves", "force"}, "board of a list": {"value", "winner of", "best moves", "force"},
	"other mover": {"refines", "equivalent", "reverses"}, "position mover": {},
}

var properties = exclusive[0]

// Excluded tells whether two features cannot stand together.
func Excluded(a, b string) bool {
	for _, list := range exclusive {
		if a != b && slices.Contains(list, a) && slices.Contains(list, b) {
			if slices.Contains([]string{"winning starts", "within"}, list[0]) && a != list[0] && b != list[0] {
				continue
			}
			return true
		}
	}
	for _, pair := range [][2]string{{a, b}, {b, a}} {
		with, ok := onlyWith[pair[0]]
		if ok && len(with) > 0 && (slices.Contains(properties, pair[1]) || pair[1] == "winning starts" || pair[1] == "within") && !slices.Contains(with, pair[1]) {
			return true
		}
	}
	if three := "three players"; (a == three || b == three) && slices.ContainsFunc([]string{"value", "winner of", "best moves", "endless play"}, func(f string) bool { return f == a || f == b }) {
		return true
	}
	players := []string{"setup mover", "position mover", "other mover", "order of players", "lap of another", "winner of", "force", "lap of a player", "owner", "player variable", "each player", "score", "moves next", "winner", "opponent", "group of a player", "player wins"}
	return a == "solitaire" && slices.Contains(players, b) || b == "solitaire" && slices.Contains(players, a)
}

// Print writes how often each feature was met, alone and with the one it was met with least, and
// the pairs that are missing.
func (p Pairs) Print(w io.Writer) {
	for _, a := range Names {
		least, with := -1, ""
		for _, b := range Names {
			n := p[[2]string{a, b}] + p[[2]string{b, a}]
			if a != b && !Excluded(a, b) && (least < 0 || n < least) {
				least, with = n, b
			}
		}
		fmt.Fprintf(w, "%-24s %8d   least, %d, with %s\n", a, p[[2]string{a, a}], least, with)
	}
	missing := p.Missing()
	all := 0
	for i, a := range Names {
		for _, b := range Names[i:] {
			if !Excluded(a, b) {
				all++
			}
		}
	}
	fmt.Fprintf(w, "%d of %d pairs of features met; missing:\n", all-len(missing), all)
	var list []string
	for _, m := range missing {
		list = append(list, m[0]+" + "+m[1])
	}
	fmt.Fprintf(w, "  %s\n", strings.Join(list, "\n  "))
}
