package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
)

// side is one of two variants that are compared.
type side struct {
	*oneCase
	shown  []int  // the pits that are compared, in the same order on both sides
	hidden bool   // some pits are not among them
	in     string // what is compared: play, play and notation, score or result
}

// relation compares the plays of the claim's game with those of another.
func (c *oneCase) relation(p *ast.Relation) verdict {
	in := "play"
	if p.In != nil {
		in = strings.Join(p.In.Words, " ")
	}
	l, r := &side{oneCase: c, in: in}, &side{oneCase: c.other(p), in: in}
	if len(l.players) != len(r.players) {
		wrongf("the numbers of players differ")
	}
	defer func() { c.game.faults = c.game.faults || r.game.faults }()
	l.pair(r, p.Ignoring)
	if p.Kind == "reverses" {
		if p.In != nil {
			wrongf("a step is taken back on the board")
		}
		return l.reverses(r)
	}
	v := l.compare(r)
	if p.Kind != "refines" && v.truth != False {
		if back := r.compare(l); v.truth == True || back.truth == False {
			steps := v.vacuous && back.vacuous
			v = back
			v.vacuous = steps
		}
	}
	if v.truth == False { // an engine may come to a fault before it comes to the difference
		_ = stopped(func() { l.explore(); r.explore() })
	}
	return v
}

// pair determines which pits are compared: those of one name, and of the others those in one place
// of the picture. What the claim ignores is left out first.
func (s *side) pair(r *side, ignoring []ast.Ident) {
	out := map[*side]map[int]bool{s: {}, r: {}}
	for _, name := range ignoring {
		known := false
		for s, pits := range out {
			for p := range s.game.pits {
				if s.game.pits[p].name == name.Name {
					known, pits[p] = true, true
				}
			}
			if g, ok := s.game.groups[name.Name]; ok {
				known = true
				for _, p := range g {
					pits[p] = true
				}
			}
		}
		if !known {
			wrongf("there is no %s to leave out", name.Name)
		}
	}
	pair := func(p, q int) {
		s.shown, r.shown = append(s.shown, p), append(r.shown, q)
		out[s][p], out[r][q] = true, true
	}
	for p := range s.game.pits {
		q := slices.IndexFunc(r.game.pits, func(x pit) bool { return x.name == s.game.pits[p].name })
		if q >= 0 && !out[s][p] && !out[r][q] {
			pair(p, q)
		}
	}
	places := map[[3]int]int{}
	for i, row := range r.game.picture {
		for j, part := range row {
			for k, q := range part {
				places[[3]int{i, j, k}] = q
			}
		}
	}
	for i, row := range s.game.picture {
		for j, part := range row {
			for k, p := range part {
				if q, drawn := places[[3]int{i, j, k}]; drawn && !out[s][p] && !out[r][q] {
					pair(p, q)
				}
			}
		}
	}
	for _, side := range []*side{s, r} {
		for p := range side.game.pits {
			if !out[side][p] && s.boards() {
				wrongf("%s has no counterpart", side.game.pits[p].name)
			}
		}
	}
	if len(s.shown) == 0 && s.boards() {
		wrongf("no pit is compared")
	}
	s.hidden, r.hidden = len(s.shown) < len(s.game.pits), len(r.shown) < len(r.game.pits)
}

// other returns the game that the claim's is compared with. Its parameters have the values of those
// of the same name, unless the claim sets them.
func (c *oneCase) other(p *ast.Relation) *oneCase {
	d := c.decision
	v := d.file.variant(&p.Other)
	s := settings{values: map[string]value{}, open: map[string]bool{}, begin: c.settings.begin}
	for _, own := range ast.Items[*ast.Param](v) {
		if w, ok := c.settings.values[own.Name.Name]; ok {
			s.values[own.Name.Name] = w
		}
	}
	for name := range c.settings.open {
		s.open[name] = true
	}
	seen := map[string]bool{}
	for _, set := range p.Settings {
		if seen[set.Name.Name] || !slices.ContainsFunc(ast.Items[*ast.Param](v), func(p *ast.Param) bool { return p.Name.Name == set.Name.Name }) {
			wrongf("%s cannot be set", set.Name.Name)
		}
		seen[set.Name.Name] = true
		s.values[set.Name.Name] = d.value(d.params(c.game.variant, c.settings.values), set)
		delete(s.open, set.Name.Name)
	}
	return d.play(v, s)
}

// boards reports whether boards are compared.
func (s *side) boards() bool { return strings.HasPrefix(s.in, "play") }

// board returns the seeds of the pits that are compared.
func (s *side) board(st *state) string {
	var b strings.Builder
	for _, p := range s.shown {
		b.WriteString(st.seeds[p].String() + " ")
	}
	return b.String()
}

// look returns what has to be the same in a state: the pits that are compared, the player to move,
// and if the game is over how it ended for each player, or the scores.
func (s *side) look(st *state) string {
	out := ""
	if s.boards() {
		out = s.board(st)
	}
	if st.live() {
		return out + fmt.Sprint("mover ", st.mover)
	}
	out += fmt.Sprint("over ", s.standing(st))
	if s.in == "score" {
		points, _ := s.game.scores(st)
		out += fmt.Sprint(points)
	}
	return out
}

// standing says how the game ended for each player.
func (s *side) standing(st *state) []string {
	out := make([]string, len(s.players))
	o := s.outcomes[st.outcome-1]
	if o.kind == endless {
		return []string{"endless"}
	}
	if o.kind == ast.End && len(out) > 1 {
		if scored, ok := s.byScore(st); ok {
			return scored
		}
	}
	for p := range out {
		switch {
		case o.kind == ast.Draw:
			out[p] = "draws"
		case o.kind == ast.End:
			out[p] = "ends"
		case o.kind == ast.Win && (len(out) == 1 || p == o.winner):
			out[p] = "wins"
		default:
			out[p] = "loses"
		}
	}
	return out
}

// ahead returns the player whose score is above all others, or none.
func (g *game) ahead(st *state) int {
	points, scored := g.scores(st)
	best := none
	for p, n := range points {
		alone := scored
		for q, m := range points {
			alone = alone && (p == q || n.cmp(m) > 0)
		}
		if alone {
			best = p
		}
	}
	return best
}

// scores returns the score of each player; it returns false if the variant has no score.
func (g *game) scores(st *state) ([]num, bool) {
	list := ast.Items[*ast.Score](g.variant)
	points := make([]num, len(g.players))
	for _, x := range list {
		for _, part := range x.Parts {
			e := g.scope(inRules)
			e.s = st
			points[g.player(part.Player.Name)] = e.int(part.Value)
		}
	}
	return points, len(list) > 0
}

// byScore says how a game ends for each player if the score decides: whoever alone has the highest
// score wins, and several who have it draw. It returns false if the variant has no score.
func (s *side) byScore(st *state) ([]string, bool) {
	points, scored := s.game.scores(st)
	if !scored {
		return nil, false
	}
	best := slices.MaxFunc(points, num.cmp)
	holders := 0
	for _, n := range points {
		if n.cmp(best) == 0 {
			holders++
		}
	}
	out := make([]string, len(points))
	for p, n := range points {
		switch {
		case n.cmp(best) < 0:
			out[p] = "loses"
		case holders > 1:
			out[p] = "draws"
		default:
			out[p] = "wins"
		}
	}
	return out, true
}

// known is what a step is known by, with what has to be the same after it.
func (s *side) known(t *step) string {
	if s.in == "play" {
		return s.look(t.to)
	}
	return squeeze(t.written) + " " + s.look(t.to)
}

// squeeze replaces any white space by one blank.
func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

// moves returns the steps of a state. Two steps with one notation that lead to different states
// leave the claim open if moves are known by it, since engines may compare either.
func (s *side) moves(st *state) []*step {
	out := s.steps(st)
	by := map[string]*step{}
	for _, t := range out {
		name := squeeze(t.written)
		if u, twice := by[name]; twice && s.in != "play" && u.to.key() != t.to.key() {
			exceedf("several moves are written %s", name)
		}
		by[name] = t
	}
	return out
}

// startsByLook returns the starts by their boards and what else is visible of them, by which those
// of two games are paired.
func (s *side) startsByLook() map[string]*state {
	if !s.allStarts {
		exceedf("not all starts are known")
	}
	out := map[string]*state{}
	for _, st := range s.starts {
		k := s.board(st) + s.look(st)
		if t, twice := out[k]; twice && (t.live() || st.live()) {
			exceedf("starts look alike")
		}
		out[k] = st
	}
	return out
}

// tracks is a state of one game, and the states of the other to which the same moves lead.
type tracks struct {
	own    *state
	others []*state
}

func (x *tracks) key() string {
	var list []string
	for _, st := range x.others {
		list = append(list, st.key())
	}
	slices.Sort(list)
	return x.own.key() + "/" + strings.Join(list, "/")
}

// compare reports whether each play of this game is one of the other, too. It follows all plays of
// the other that are the same so far.
func (s *side) compare(r *side) verdict {
	left, right := s.startsByLook(), r.startsByLook()
	var todo []*tracks
	seen := map[string]bool{}
	add := func(x *tracks) {
		if k := x.key(); x.own.live() && !seen[k] {
			seen[k] = true
			todo = append(todo, x)
		}
	}
	for k, st := range left {
		t, ok := right[k]
		if !ok {
			return found(False, "only one has the start %s", s.show(st))
		}
		add(&tracks{st, []*state{t}})
	}
	steps := 0
	for len(todo) > 0 {
		x := todo[0]
		todo = todo[1:]
		if len(seen) > s.game.lim.States {
			return found(Open, "%d pairs of states are not all", len(seen))
		}
		to := map[string][]*state{}
		stuck := false
		for _, o := range x.others {
			moves := r.moves(o)
			stuck = stuck || len(moves) == 0
			for _, t := range moves {
				k := r.known(t)
				if !slices.ContainsFunc(to[k], func(u *state) bool { return u.key() == t.to.key() }) {
					to[k] = append(to[k], t.to)
				}
			}
		}
		moves := s.moves(x.own)
		if len(moves) == 0 && !stuck {
			return found(False, "only one is stuck in %s", s.show(x.own))
		}
		for _, t := range moves {
			steps++
			k := s.known(t)
			if len(to[k]) == 0 {
				return found(False, "only one has the move %s in %s", t.written, s.show(x.own))
			}
			add(&tracks{t.to, to[k]})
		}
	}
	v := found(True, "%d steps", steps)
	v.vacuous = steps == 0
	return v
}

// reverses checks for each reachable step that the other variant has a step back. The board does
// not determine the variables of the other variant, so the answer must be the same for all their
// values.
func (s *side) reverses(r *side) verdict {
	all := r.valuations()
	if len(r.players) > 1 || r.hidden || all == nil {
		return found(Open, "the board does not tell all of a state")
	}
	s.explore()
	steps := 0
	for _, n := range s.nodes {
		for _, t := range n.out {
			steps++
			backs := 0
			for _, vars := range all {
				if s.takenBack(r, vars, n.s, t.step.to) {
					backs++
				}
			}
			switch backs {
			case 0:
				return found(False, "nothing takes back %s in %s", t.written, s.show(n.s))
			case len(all):
			default:
				return found(Open, "the board does not tell whether something takes back %s in %s", t.written, s.show(n.s))
			}
		}
	}
	if !s.complete(-1) {
		return found(Open, "%d states are not all", len(s.nodes))
	}
	v := found(True, "%d steps", steps)
	v.vacuous = steps == 0
	return v
}

// takenBack reports whether the other variant has a step from the board of to back to that of from,
// with the given values of its variables.
func (s *side) takenBack(r *side, vars []num, from, to *state) bool {
	at := r.blank()
	copy(at.vars, vars)
	for k, p := range r.shown {
		at.seeds[p] = to.seeds[s.shown[k]]
	}
	return slices.ContainsFunc(r.steps(at), func(u *step) bool {
		for k, p := range r.shown {
			if u.to.seeds[p].cmp(from.seeds[s.shown[k]]) != 0 {
				return false
			}
		}
		return true
	})
}

// maxValuations bounds the number of combinations of values that are tried.
const maxValuations = 64

// valuations lists all combinations of values of the variables; nil if there are many.
func (s *side) valuations() [][]num {
	out := [][]num{nil}
	for _, x := range s.slots {
		values, all := s.values(x, maxValuations)
		if !all || len(values)*len(out) > maxValuations {
			return nil
		}
		var next [][]num
		for _, vars := range out {
			for _, n := range values {
				next = append(next, append(slices.Clone(vars), n))
			}
		}
		out = next
	}
	return out
}
