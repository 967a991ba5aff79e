// Package explain makes documents of proofs: for each claim what it says, the verdict, what that
// rests on, and the evidence as boards, plays and trees of predecessors. It makes data only; how a
// page looks is for those who write it.
//
//	document.go   what a document is made of
//	build.go      results to a document
//	claim.go      a claim and its instances; words.go what is said of a verdict
//	evidence.go   the evidence for a verdict; opening.go a start where there is no other board
//	pair.go       two plays beside each other; lengths.go counts of plays
//	setting.go    strategies and positions that a claim refers to
//	tree.go       the closed set of a backward search, as a tree
//	mirror.go     its branches that mirror each other
//	world.go      a System with the conditions that its author has named
//	start.go      why a state is no start
//	positions.go  the named positions, and what became of each
//	rules.go      the text of the rules and their labels
//	sweep.go      the instances of a sweep, as a table or a map
package explain

import (
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules"
)

// Document explains claims of one file. Equal inputs make equal documents.
type Document struct {
	Title     string
	File      string
	Intro     string // the comment at the head of the file
	Variants  []*Variant
	Claims    []*Claim
	Positions *Positions // nil if no position is declared for what the claims are about
	Beside    []*Claim   // other claims about the same variants, with evidence only where they are refuted
}

// Variant is the text of rules.
type Variant struct {
	Name, Title, Doc string
	File             string
	Source           []Piece
	Labels           []Label
}

// Piece is a stretch of the rules' text. A label has a Label; Used ones occur in the document.
type Piece struct {
	Text  string
	Label string
	Used  bool
}

// Label is a label of the rules with the text that it names.
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
	Text      string    // as it stands in the file
	Setting   []Setting // in which it is claimed: a strategy, or where games begin
	Instances []*Instance
	Sweep     *Table // of a claim with several instances
	Map       *Map   // of a sweep over two parameters, or one and `for some`
}

// Setting is a declaration that a claim refers to, with what it means there.
type Setting struct {
	Name    string
	Text    string // as it stands in the file
	Doc     string
	Meaning string
}

// Instance is the verdict on one instance of a claim.
type Instance struct {
	Name       string
	Status     proofs.Status
	Failed     string // why there is no verdict at all
	AsExpected bool
	Verdict    string // in a sentence
	Scope      string
	How        string // the engine, and what it does
	Found      string // what it found, in one line
	Notes      []string
	Trust      []string // what the verdict rests on
	Evidence   []Block
}

// Block is a piece of evidence: Para, *Play, *Pair, *States, *Lengths or *Tree.
type Block interface{ isBlock() }

// Para is a paragraph of plain text.
type Para string

// Play is a play move by move. From move Loop on, if that is not negative, it repeats for ever.
type Play struct {
	Title string
	First string // what its first state is: start, or any state
	Trace *rules.Trace
	Loop  int
}

// Pair is two plays to be held beside each other: of two variants by the same moves, or of one
// variant by others.
type Pair struct {
	Title       string
	Left, Right *Play
	// Differ tells by pit which of the last boards differ, if the boards are compared.
	Differ [2][]bool
	Words  string // the same in a sentence
}

// Lengths tells how many plays there are of 1, 2, … moves.
type Lengths struct{ Counts []uint64 }

// States is a set of states. More says how many are not shown.
type States struct {
	Title  string
	States []Shown
	More   int
}

// Shown is a state with what is said of it. Board is nil if there is only text.
type Shown struct {
	Board *Board
	Name  string
	Text  string
}

// Tree is a set of states closed under predecessors: each state stands below the one that it leads
// to on a shortest way.
type Tree struct {
	Intro   string
	SameAs  string // claim whose tree, drawn before, is the same; then Roots is nil
	Roots   []*Node
	States  int // in the set, targets included
	Targets int
	More    int // states that are not shown
	Closing []string
}

// Node is a state of a Tree.
type Node struct {
	No       int // in the order in which the tree is read
	Board    *Board
	Names    []string // positions that it fits
	Moves    []string // labels of the moves that lead to the state above
	To       string   // name or number of that state
	Target   bool
	NotStart string // why it is no start; empty where that is not the question
	// Uncounted is an ancestor that the claim's count leaves out.
	Uncounted bool
	Same      int    // number of the place where its predecessors stand; 0: here
	Mirror    int    // number of the branch that this one mirrors; 0: none
	How       string // which sides the mirror exchanges
	Preds     []*Node
	Hidden    int // predecessors that are not shown
}

// Positions says of each named position what became of it.
type Positions struct {
	Claim string // whose target they are seen from; empty if there is none
	Scope string
	List  []*Position
	Left  []string // names of positions that are for another board
}

// Position is a named position. Status is target, valid, dead, invalid, start or position. One that
// is said by a Condition and not drawn has the Board of some state that fits, if one was found.
type Position struct {
	Name      string
	Doc       string
	Condition string
	Board     *Board
	Status    string
	Reason    string
}

// Table has a row for each instance of a sweep.
type Table struct {
	Params []string
	Rows   []Row
}

// Row is one instance: the values of the parameters, and the verdict.
type Row struct {
	Values   []string
	Instance *Instance
}

// Map is a sweep over two parameters.
type Map struct {
	Rows, Cols       string // parameters
	Shows            string // what the numbers are
	RowNames, Header []string
	Cells            [][]Cell
	Legend           []string
}

// Cell is one place of a Map. Text is short. Instance is nil where there is none.
type Cell struct {
	Text     string
	Kind     string // yes, no, open, or out: not asked
	Instance *Instance
}

func (Para) isBlock()     {}
func (*Play) isBlock()    {}
func (*States) isBlock()  {}
func (*Tree) isBlock()    {}
func (*Pair) isBlock()    {}
func (*Lengths) isBlock() {}
