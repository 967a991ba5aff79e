// Package judge decides claims in the simplest way. Tests compare the engines with it, so it shares
// nothing with them but the parser: it plays the syntax tree as the parser left it, as described in
// docs/language.md. Nothing is resolved beforehand, simplified, packed or sliced, and
// numbers have no bounds. It is for tests only.
//
// A variant with values for all of its parameters is a game (board.go, vars.go). Expressions and
// sets are evaluated where they stand, in a scope that knows the names around them (expr.go,
// sets.go); statements change one state in place, seed by seed (exec.go,
// procedure.go). The steps of a state are all ways to make the choices of all moves, tried one by
// one on a copy of it; then the turn passes and the endings are looked at (play.go).
//
// The starts are all boards that satisfy the setup. They are found pit by pit: a number of seeds is
// left out only if interval arithmetic shows that the conditions are false whatever the other pits
// hold (boards.go, bounds.go). The same search finds the states of the right shape that a claim may
// be about.
//
// A claim is taken apart into its instances, and those that leave a parameter open into one case
// for each value (claim.go). A case is decided on the graph of all reachable states, or of all of
// the right shape: a kind of claim is a search for a state or step that settles it, or a fixpoint
// (graph.go; property.go, value.go, shapes.go, relation.go). If a limit leaves
// states out, the answer is Open unless the others decide it.
//
// Three things may go wrong on the way, and each is a panic that the nearest caller who knows what
// it means recovers: a fault (of the rules: a division by zero, a variable set beyond its range), a
// mistake (in the file: mancheck must report it), and a limit that is spent.
package judge

import "fmt"

// Truth is the answer for one instance of a claim.
type Truth int

const (
	Open      Truth = iota // a limit was hit, or there are infinitely many cases, of which none that was seen decides it
	True                   // the claim holds
	False                  // it does not
	Fault                  // there is a fault of the rules in the claim itself
	Invalid                // the file or the instance is a mistake, which mancheck must report
	Undecided              // it depends on something that the rules leave open: no verdict is right
)

// String returns the word for a truth.
func (t Truth) String() string {
	return [...]string{"open", "true", "false", "fault", "invalid", "undecided"}[t]
}

// Instance is what the judge found out about one instance of a claim.
type Instance struct {
	Name    string // as mancheck prints it: "c" or "c[n=3]"
	Truth   Truth
	Vacuous bool // there was nothing to be true of: no start for any value, no step of the kind
	Hollow  bool // nothing was seen that it is about, so that mancheck may call it vacuous, or not
	// Startless: no start was found. That does not matter to the claim, but may be reported as a
	// mistake.
	Startless bool
	Faults    bool   // there is a fault of the rules in some action, or in the claim itself, in a state that was looked at
	Why       string // in words
}

// Limits keep a decision finite. A limit of 0 stands for its default.
type Limits struct {
	States int // states of one case; 20,000
	Steps  int // expressions evaluated and seeds dropped for one instance; 5,000,000
	Seeds  int // seeds on the board where nothing bounds them; 6
	Values int // values tried of a parameter without upper end; 4
}

func (l Limits) orDefault() Limits {
	for _, d := range []struct {
		at *int
		n  int
	}{{&l.States, 20_000}, {&l.Steps, 5_000_000}, {&l.Seeds, 6}, {&l.Values, 4}} {
		if *d.at == 0 {
			*d.at = d.n
		}
	}
	return l
}

// fault is a fault of the rules in play.
type fault string

// mistake is a mistake in the file.
type mistake string

// spent is a limit that was hit.
type spent string

// unknown is the panic of reading what a search has not chosen yet.
type unknown struct{}

func failf(format string, args ...any)   { panic(fault(fmt.Sprintf(format, args...))) }
func wrongf(format string, args ...any)  { panic(mistake(fmt.Sprintf(format, args...))) }
func exceedf(format string, args ...any) { panic(spent(fmt.Sprintf(format, args...))) }

// faulty runs f and reports whether it ended with a fault.
func faulty(f func()) (is bool) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case fault:
			is = true
		default:
			panic(r)
		}
	}()
	f()
	return false
}

// budget counts down what an instance may spend. Steps are no time: the judge gives the same answer
// on every machine.
type budget struct{ steps int }

func (b *budget) spend(n int) {
	if b.steps -= n; b.steps < 0 {
		exceedf("the limit on steps")
	}
}
