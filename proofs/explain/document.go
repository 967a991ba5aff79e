// Package explain turns results into documents: for each claim its text, the verdict, what that
// relies on, and the evidence as boards, plays and trees of predecessors. The documents are data;
// package page decides how they look.
//
//	document.go   the parts of a document
//	build.go      from results to a document
//	claim.go      a claim, its instances, and the strategies and positions that it refers to
//	words.go      sentences about a verdict
//	evidence.go   the evidence for a verdict: a play, two side by side, or a start
//	law.go        the argument of a verdict by laws: ranks, and where seeds may go
//	why.go        what the moves of a play do, why it ends, and what the claim says of its end
//	tree.go       the closed set of a backward search, as a tree
//	game.go       a strategy by which something is forced or prevented, as a tree
//	world.go      a System with the conditions that its author has named
//	positions.go  the named positions, and what is known about each, as why one is no start
//	rules.go      the text of the rules and their labels
//	sweep.go      what is said of several verdicts at once, as in a table or a map of a sweep
package explain

import (
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/claim"
	"github.com/mancheck/mancheck/rules"
)

// Document explains the claims of one file. Equal inputs give equal documents.
type Document struct {
	Title     string
	File      string
	Intro     string // the comment at the head of the file
	Variants  []*Variant
	Claims    []*Claim
	Positions *Positions // nil if no position is declared for the variants of the claims
	Beside    []*Claim   // other claims about the same variants, with evidence only if they are refuted
	Trust     []Shared   // what the verdicts rely on, if there are several
	Notes     []Shared   // the notes that several verdicts have
}

// Variant is the text of rules.
type Variant struct {
	Name, Title, Doc string
	At               diag.Range
	Source           []Piece
	Labels           []Label
}

// Piece is a stretch of the text of rules. Label is set if it is a label, and Used if the label
// occurs in the document.
type Piece struct {
	Text  string
	Label string
	Used  bool
}

// Label is a label of the rules with the text that it stands for.
type Label struct {
	Name string
	Kind string // setup, move, option, ending, outcome
	Text string
	Doc  string
	Used bool
}

// Claim is a claim with the verdicts on its instances.
type Claim struct {
	Name      string
	Label     string
	Doc       string
	Text      string    // as in the file
	Setting   []Setting // a strategy, or where games begin
	Instances []*Instance
	Sweep     *Table // if the claim has several instances
	Map       *Map   // if it sweeps two parameters, or one and has `for some`
}

// Setting is a declaration that a claim refers to, with its meaning for the claim.
type Setting struct {
	Name    string
	Text    string // as in the file
	Doc     string
	Meaning string
}

// Instance is the verdict on one instance of a claim.
type Instance struct {
	Name       string
	Status     proofs.Status
	Failed     string // why there is no verdict; empty if there is one
	AsExpected bool
	Verdict    string // as a sentence
	Scope      string
	How        string // the engine and its method
	Found      string // what it found, in one line
	Notes      []string
	Trust      []string // what the verdict relies on, if it is the only one
	Evidence   []Block
}

// Block is a piece of evidence: Para, *Play, *Pair, *States, *Lengths or *Tree. Its Kind names it.
type Block interface{ Kind() string }

// Para is a paragraph of plain text.
type Para string

// Play is a play, move by move. If Loop is not negative, the moves from there on repeat for ever.
type Play struct {
	Title string
	First string // what its first state is: a start, or any state
	Trace *rules.Trace
	Loop  int
	Told  []Told   // what its moves do; of a long play the first ones
	Why   []Reason // why it ends, and what the claim says of its last state
}

// Pair is two plays to be shown side by side: of two variants by the same moves, or of one variant
// by different moves.
type Pair struct {
	Title       string
	Left, Right *Play
	// Differ says, by pit, where the last boards differ; nil if they are not compared.
	Differ [2][]bool
	Words  string // the differences as a sentence; may be empty
}

// Lengths has the number of plays of 1, 2, … moves.
type Lengths struct{ Counts []uint64 }

// States is a set of states. More is the number of those not shown.
type States struct {
	Title  string
	States []Shown
	More   int
}

// Shown is a state with a text. Board is nil if there is only the text.
type Shown struct {
	Board *Board
	Name  string
	Text  string
}

// Tree is a set of states closed under predecessors, each below the one that it leads to on a
// shortest way to a target; or those that play by a strategy comes to, each below one that it comes
// from.
type Tree struct {
	Title   string
	Intro   string
	SameAs  string // claim with the same tree, drawn earlier; then Roots is nil
	Roots   []*Node
	States  int // number in the set, targets included
	Targets int
	More    int    // number of states not shown
	Rest    string // where they are
	Closing []string
	Game    *Game // nil: it is no strategy
}

// Game is a strategy to be played against.
type Game struct {
	*claim.Strategy
	System *rules.System
	Says   []string // by node: what is so there
	Reader string   // who makes the moves that are not the strategy's, or empty if nobody does
}

// Node is a state of a Tree.
type Node struct {
	No       int // in reading order, from 1
	Board    *Board
	Names    []string // positions that the state fits
	Moves    []string // those that lead to the state above or, by a strategy, from there
	To       string   // name or number of the state above; empty by a strategy
	Target   string   // what it is called, if the claim speaks of it
	Says     string   // of a strategy: what is so here
	NotStart string   // why it is no start; empty if that is not asked
	// Uncounted means that the claim does not count this ancestor.
	Uncounted bool
	Same      int     // number of the node with its predecessors; 0: this one
	Mirror    int     // number of the branch that this one mirrors; 0: none
	How       string  // the sides that the mirror exchanges
	Preds     []*Node // that stand below it
	Hidden    int     // number of predecessors not shown
}

// Positions says what is known about each named position.
type Positions struct {
	Claim string // the claim whose target they are related to; empty without one
	Scope string
	List  []*Position
	Left  []string // names of positions for another board
}

// Position is a named position. Status is target, valid, dead, invalid, start or position. A
// position given by a Condition instead of a picture has the Board of some state that fits, if one
// was found.
type Position struct {
	Name      string
	Doc       string
	Condition string
	Board     *Board
	Status    string
	Reason    string
}

// Table has one row for each instance of a sweep.
type Table struct {
	Params []string
	Rows   []Row
}

// Row is one instance: the values of the parameters and the verdict.
type Row struct {
	Values   []string
	Instance *Instance
}

// Map shows a sweep over two parameters.
type Map struct {
	Rows, Cols       string // names of the parameters
	Shows            string // meaning of the numbers
	RowNames, Header []string
	Cells            [][]Cell
	Legend           []string
}

// Cell is one place of a Map. Text is short. Instance is nil if there is none for these values.
type Cell struct {
	Text     string
	Kind     string // yes, no, open, or out for what was not asked
	Instance *Instance
}

// Kind implements Block.
func (Para) Kind() string     { return "para" }
func (*Play) Kind() string    { return "play" }
func (*States) Kind() string  { return "states" }
func (*Tree) Kind() string    { return "tree" }
func (*Pair) Kind() string    { return "pair" }
func (*Lengths) Kind() string { return "lengths" }
