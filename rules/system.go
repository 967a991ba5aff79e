// Package rules defines the System: one variant with its parameters chosen, as a small typed
// transition system. It is the centre of the program: rules/build makes it from a syntax tree,
// and every engine works on it alone:
//
//	text ─dsl→ tree ─rules/bind→ names ─rules/build→ System ─┬→ rules/interp
//	                                                         ├→ checker
//	                                                         └→ smt
//
// Package interp is the reference interpreter, the checker has engines over packed states, and smt
// has the System as formulas.
//
// All choices are made before play: a move of the rules file becomes one Action for each player and
// each way to make its choices, with `my` and `their` resolved and chosen pits as constants.
// Evaluated in a state are only counts of seeds, control variables, and the pit of the last seed.
//
// Every value is an int: a count, 0 or 1 for a truth value, an index for a pit, player, lap or
// enumeration name, and None for no pit.
package rules

import (
	"iter"
	"slices"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
)

// None is the value of `none`: no pit, and of Mover when nobody is to move.
const None = -1

// Live is the Outcome of a state in which the game goes on.
const Live = -1

// System is a variant with chosen parameters. It is immutable once built.
type System struct {
	Name      string // the variant's name
	File      string // the file that declares it
	Params    []Param
	Players   []string // as declared, which is the order of play; a solitaire has one, named ""
	Pits      []Pit    // in order of declaration
	Groups    []Group
	Laps      []Lap
	Relations []Relation
	Picture   [][][]int  // rows, parts, pits: the board as it lies on the table
	Enums     [][]string // the names of the values of each enumeration
	Vars      []Var
	Start     Start
	Moves     []Move     // as declared
	Actions   []Action   // all moves with their choices made, in the order in which moves are listed
	Reactions []Reaction // endings too, in the order in which they are looked at
	Outcomes  []Outcome
	Scores    []Expr // by player; nil without a score
	// Repetition says what follows where a play comes back to a state that it was in before. It is
	// nil if nothing does: the play goes on.
	Repetition *Repetition
}

// Repetition is the rule about a play that comes back to a state: the same seeds, variables and
// player to move as at the start or after an earlier move. It is about plays, so no state shows it:
// the states and steps of the System are those without the rule. What a verdict about these says of
// plays under the rule is decided by package build, and whoever makes one move after another has
// to ask Ends.
type Repetition struct {
	Outcome []int // by player to move in the state that comes back
	Offered bool  // the player to move may end the game so; if not, the game is over
	At      diag.Range
}

// Ends returns the state in which a play is over that comes back to a live state.
func (r *Repetition) Ends(s State) State {
	s = s.Clone()
	s.Outcome, s.Mover = r.Outcome[s.Mover], None
	return s
}

// Param is a parameter with its value. Open parameters have none: the System holds for every value
// from Lo up (to Hi, if HasHi), and then Value is meaningless and the parameter occurs in Start
// only, as OpenParam.
type Param struct {
	Name   string
	Bool   bool
	Value  int
	Lo, Hi int
	HasHi  bool
	Open   bool
	// Upward says of the value that it is the least of all that a claim is about: the System is
	// that of the smallest board.
	Upward bool
}

// Range is the values that an open parameter may have.
func (p *Param) Range() num.Interval {
	if p.HasHi {
		return num.Range(p.Lo, p.Hi)
	}
	return num.AtLeast(p.Lo)
}

// Pit is a hole, store or other place for seeds.
type Pit struct {
	Name  string // south3, hole01, store
	Group string // the name before the brackets
	Index int    // the number in the brackets; 0 without brackets
	Owner int    // player, or None
}

// Group is a named set of pits in the order of its declaration.
type Group struct {
	Name string
	Pits []int
}

// Relation leads from pits to pits, as from a pit to the one that faces it.
type Relation struct {
	Name string
	To   []int // by pit: a pit, or None
}

// Lap is a track along which seeds are sown. Next and Prev are by pit: the neighbour on the lap, or
// None off the lap and at the ends of a line.
type Lap struct {
	Name  string
	Ring  bool
	Owner int // player, or None
	Pits  []int
	Next  []int
	Prev  []int
}

// Link fills in Next and Prev, for a board with that many pits.
func (l *Lap) Link(pits int) {
	l.Next, l.Prev = slices.Repeat([]int{None}, pits), slices.Repeat([]int{None}, pits)
	for i, p := range l.Pits {
		if i+1 < len(l.Pits) || l.Ring {
			q := l.Pits[(i+1)%len(l.Pits)]
			l.Next[p], l.Prev[q] = q, p
		}
	}
}

// Var is one control variable; `state x each player` makes one for each player. Domain lists its
// values in increasing order (None first, if present); Init is the value at the start. Default is
// that of the declaration, from which the setup may differ.
type Var struct {
	Name    string // selected, tuz(South)
	Type    Type
	Domain  []int
	Init    int
	Default int
	Ghost   bool // records what a step did, for a claim; no rule reads it
	At      diag.Range
}

// WithoutGhosts returns the variables of a state with each Ghost at its initial value, converted by
// known. Whether a state is a start does not depend on its ghosts.
func WithoutGhosts[V any](s *System, vars []V, known func(int) V) []V {
	vars = slices.Clone(vars)
	for i := range s.Vars {
		if x := &s.Vars[i]; x.Ghost {
			vars[i] = known(x.Init)
		}
	}
	return vars
}

// Contains reports whether v is in the variable's domain, which mostly is a range without gaps.
func (x *Var) Contains(v int) bool {
	if n := len(x.Domain); n > 0 && x.Domain[n-1]-x.Domain[0] == n-1 {
		return x.Domain[0] <= v && v <= x.Domain[n-1]
	}
	return slices.Contains(x.Domain, v)
}

// Start is the set of starts: the distributions that satisfy Cond, with every variable at its
// initial value and Mover to move. Pits not in Free are empty.
type Start struct {
	Label string
	Cond  Expr
	Free  []bool // by pit: the setup mentions it
	Mover int    // player
	At    diag.Range
}

// Move is a move as the rules file declares it.
type Move struct {
	Label string // SR004, or "move" if it has none
	At    diag.Range
}

// Action is a move by one player with all choices made.
type Action struct {
	Move    int    // index in Moves
	Mover   int    // player
	Label   string // of the chosen option, or of the move
	Choices []Choice
	Written []Written
	Guard   Expr // nil: always
	Body    []Stmt
	Locals  []Type // of the locals that the body uses
	// Fallback says that NoMove does not count the action. Only guards of such actions ask NoMove.
	Fallback bool
}

// Choice is one chosen value.
type Choice struct {
	Value int
	Type  Type   // that of the value, but the values of enumerations are numbers, and so are laps
	Text  string // the value as written in the rules
}

// Written is one item of a move's notation: fixed Text, or else the value of X in the state before
// the move, as a pit's name if Pit.
type Written struct {
	Text string
	X    Expr
	Pit  bool
}

// OutcomeKind says how a game ends.
type OutcomeKind int

const (
	WinOutcome  OutcomeKind = iota
	LoseOutcome             // of a solitaire
	DrawOutcome
	EndOutcome
	EndlessOutcome // a sowing that never ends: a gap in the rules
)

// Outcome is one way in which a game can be over. Several may have one label, if different players
// win.
type Outcome struct {
	Label  string
	Kind   OutcomeKind
	Winner int // the player who has won, if Kind is WinOutcome; otherwise it means nothing
	At     diag.Range
}

// WinLabel is the label of an outcome with a winner that has no other.
const WinLabel = "win"

// EndlessLabel is the label of the outcome of a move that never ends. Every System has it, as its
// last outcome.
const EndlessLabel = "endless"

// StuckLabel names states that are not over and have no legal move. It is not an Outcome: such a
// state is live.
const StuckLabel = "stuck"

// Reaction is a condition that is evaluated after each move, and what is executed where it holds.
// By is indexed by the player to move next. The body of an ending ends with a Stop.
type Reaction struct {
	AtTurnEnd bool // evaluated only if the player to move has changed
	By        []ReactionFor
	At        diag.Range
}

// ReactionFor is a Reaction with `my` and `their` resolved for the player to move.
type ReactionFor struct {
	When   Expr
	Body   []Stmt
	Locals []Type
}

// Plain returns the outcome of an ending that does nothing but end the game.
func (r ReactionFor) Plain() (outcome int, ok bool) {
	if len(r.Body) != 1 {
		return Live, false
	}
	s, ok := r.Body[0].(Stop)
	return s.Outcome, ok && s.Outcome != Illegal
}

// GoesOn reports whether the game may go on after the body. Otherwise it ends with a Stop.
func (r ReactionFor) GoesOn() bool {
	if len(r.Body) == 0 {
		return true
	}
	_, stops := r.Body[len(r.Body)-1].(Stop)
	return !stops
}

// EachReaction ranges over what all reactions are for each player to move, and that player.
func (s *System) EachReaction() iter.Seq2[int, *ReactionFor] {
	return func(yield func(mover int, by *ReactionFor) bool) {
		for i := range s.Reactions {
			for mover := range s.Reactions[i].By {
				if !yield(mover, &s.Reactions[i].By[mover]) {
					return
				}
			}
		}
	}
}

// GoingOn lists the reactions after which the game may go on.
func (s *System) GoingOn() []ReactionFor {
	return lists.Flat(s.Reactions, func(r Reaction) []ReactionFor { return lists.Filter(r.By, ReactionFor.GoesOn) })
}

// PitVar returns the variant's variable for a pit, if there is exactly one: a board is drawn with
// the pit that it names in brackets. Ghosts do not count: they belong to a claim.
func (s *System) PitVar() (v int, ok bool) {
	list := lists.Where(s.Vars, func(x Var) bool { return x.Type == PitType && !x.Ghost })
	if len(list) != 1 {
		return 0, false
	}
	return list[0], true
}

// Endless returns the index of the outcome of moves that never end.
func (s *System) Endless() int { return len(s.Outcomes) - 1 }

// OutcomeName is a name that no other outcome has: the label, or in a game of several players with
// the winner, as in `South wins` and `South wins majority`.
func (s *System) OutcomeName(outcome int) string {
	o := s.Outcomes[outcome]
	switch {
	case o.Kind != WinOutcome || len(s.Players) == 1:
		return o.Label
	case o.Label == WinLabel:
		return s.Players[o.Winner] + " wins"
	}
	return s.Players[o.Winner] + " wins " + o.Label
}

// OutcomeNamed returns the index of the outcome with this name, or -1.
func (s *System) OutcomeNamed(name string) int {
	return slices.Index(lists.Map(num.Run(0, len(s.Outcomes)), s.OutcomeName), name)
}

// Counts reports whether an action is one of those that a claim is about; nil: all are.
func Counts(actions []bool, action int) bool { return actions == nil || actions[action] }

// ActionName is the label of an action with its choices.
func (s *System) ActionName(action int) string {
	a := &s.Actions[action]
	name := a.Label
	for _, c := range a.Choices {
		name += " " + c.Text
	}
	return name
}

// PitNamed returns the index of the pit with this name, or None.
func (s *System) PitNamed(name string) int {
	return slices.IndexFunc(s.Pits, func(p Pit) bool { return p.Name == name }) // None is -1
}

// OpenParams lists the indexes of the parameters without a value.
func (s *System) OpenParams() []int {
	return lists.Where(s.Params, func(p Param) bool { return p.Open })
}

// Definition returns the expression that the setup equates an open parameter with: that of the
// first condition that Defines it. ok is false without one.
func (s *System) Definition(param int) (def Expr, ok bool) {
	for _, c := range Conjuncts(s.Start.Cond) {
		if p, def, is := Defines(c); is && p == param {
			return def, true
		}
	}
	return nil, false
}

// Defines returns the open parameter that a condition `parameter = E` or `E = parameter` is about,
// and E; ok is false for other conditions, and if E is not free of open parameters.
func Defines(cond Expr) (param int, def Expr, ok bool) {
	b, is := cond.(Binary)
	if !is || b.Op != Eq {
		return 0, nil, false
	}
	for _, side := range [][2]Expr{{b.L, b.R}, {b.R, b.L}} {
		if p, is := side[0].(OpenParam); is && !HasA[OpenParam](side[1]) {
			return p.Param, side[1], true
		}
	}
	return 0, nil, false
}
