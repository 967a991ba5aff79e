// Package ast is the syntax tree of a .sow file: what is written, where, and nothing of what it means.
// Names are unresolved; expressions are untyped. The parser builds it, the formatter prints it, the
// resolver in rules/resolve gives it meaning.
package ast

import "github.com/mancheck/mancheck/dsl/diag"

// Node is anything with a place in a file.
type Node interface{ Span() diag.Range }

// At is embedded in every node: the exact stretch of source from its first to its last token.
type At struct{ Range diag.Range }

func (a At) Span() diag.Range { return a.Range }

// Ident is a name as written.
type Ident struct {
	At
	Name string
}

// Label is an outcome's, move's or choice's label: a name, or a quoted text. Quoted tells which.
type Label struct {
	At
	Text   string
	Quoted bool
}

// File is one source file.
type File struct {
	Path     string
	Source   []byte
	Imports  []*Import
	Decls    []Decl // variants, positions, strategies and claims in the order of the file
	Comments []Comment
}

// Comment is one // comment with its slashes, without the line break.
type Comment struct {
	At
	Text string
}

// Import is `import "path"`.
type Import struct {
	At
	Path   string
	PathAt diag.Range
}

// Decl is a top-level declaration: *Variant, *Position, *Strategy or *Claim.
type Decl interface {
	Node
	isDecl()
}

// Variant is `variant Name "Title" { … }`. Doc is the comment above it, without slashes.
type Variant struct {
	At
	Doc   string
	Name  Ident
	Title string
	Items []Item
}

// Item is a declaration in a variant: *Param, *Players, *Board, *StateVar, *Setup, *Move, *Ending or *Score.
type Item interface {
	Node
	isItem()
}

// Param is `param n = 6 in 1..12`. Lo and Hi are nil for a switch, Hi also for an open range.
type Param struct {
	At
	Doc      string
	Name     Ident
	Default  Expr
	HasRange bool
	Lo, Hi   Expr
}

// Players is `player South, North`.
type Players struct {
	At
	Names []Ident
}

// Board is the picture and the lines below it.
type Board struct {
	At
	Rows  []BoardRow
	Lines []BoardLine
}

// BoardRow is one row of the picture: its parts, which `|` separates. A part may be empty.
type BoardRow struct {
	At
	Parts [][]PitRange
}

// PitRange is `store` (no brackets), `hole[3]` or `hole[a..b]`. Width is the number of digits of a
// zero-padded first index (2 for hole[01..n], else 0). Single tells hole[3] from hole[3..3].
type PitRange struct {
	At
	Group    Ident
	From, To Expr // nil without brackets; To is nil for a single index
	Width    int
}

// BoardLine is a line below the picture: *Lap, *Group, *Owner or *Opposite.
type BoardLine interface {
	Node
	isBoardLine()
}

// Lap is `ring L of P = …` or `line L = …`. Reverse is set for `reverse M` and then Pits is nil.
type Lap struct {
	At
	Ring    bool
	Name    Ident
	Of      *Ident
	Pits    []PitRange
	Reverse *Ident
}

// Group is `group G = sets`.
type Group struct {
	At
	Name Ident
	Sets []Expr
}

// Owner is `owner P = sets`.
type Owner struct {
	At
	Player Ident
	Sets   []Expr
}

// Opposite is `opposite a[i] = b[expr]`.
type Opposite struct {
	At
	Group Ident
	Index Ident
	Other Ident
	Expr  Expr // nil: the other pit has no brackets
}

// StateVar is `state x each group : type = init`.
type StateVar struct {
	At
	Doc  string
	Name Ident
	Each *Ident // a group, or `player`
	Type VarType
	Init Expr // nil: the type's first value (none, false, the lower end, the first name)
}

// VarType is the type of a state variable: exactly one of its forms is set.
type VarType struct {
	At
	Name   *Ident  // a group of pits, `bool` or `player`
	Lo, Hi Expr    // a range of integers
	Enum   []Ident // names
}

// Setup is `setup LABEL { … }`. One of Picture and Conds is set.
type Setup struct {
	At
	Doc     string
	Label   *Label
	Any     bool // any where …
	Conds   []Expr
	Picture *Picture
}

// Move is `move LABEL when E { choices; written; statements }`.
type Move struct {
	At
	Doc     string
	Label   *Label
	When    Expr
	Choices []*Choice
	Written []Expr // nil: not given
	Body    []Stmt
}

// Choice is one `choose` line. One of Set and Options is set; Set may be a range of integers.
type Choice struct {
	At
	Name    Ident
	Set     Expr
	Options []Option
	Where   Expr
}

// Option is `value as NOTATION "LABEL"` in a choice.
type Option struct {
	At
	Value    Expr
	Notation *Label
	Label    *Label
}

// EndingKind is the word that an outcome begins with.
type EndingKind int

const (
	Win EndingKind = iota
	Lose
	Draw
	End
)

// String is the word as it is written.
func (k EndingKind) String() string { return [...]string{"win", "lose", "draw", "end"}[k] }

// Ending is `end LABEL when E at end of turn { … }`. NoMove is set for `when no move`, and then When is nil.
type Ending struct {
	At
	Doc       string
	Kind      EndingKind
	Label     *Label
	When      Expr
	NoMove    bool
	AtTurnEnd bool
	Body      []Stmt
}

// Score is `score South = E, North = E`.
type Score struct {
	At
	Players []Ident
	Values  []Expr
}

// Stmt is a statement of a move's or ending's body.
type Stmt interface {
	Node
	isStmt()
}

// Sow is `sow [K from] P along LAP, modifiers`.
type Sow struct {
	At
	Count       Expr // nil: all
	Pit         Expr
	Along       Expr
	Skip        []Expr
	OnlyLast    []Expr // sets that take only the last seed
	OriginFirst bool
	StartAt     Expr
	Drop        []Stmt
	HasDrop     bool
}

// Capture is `capture SET, … into P`, or without the word for a sweep (Sweep).
type Capture struct {
	At
	Sweep bool
	From  []Expr
	Into  Expr
}

// Take is `take K from P into Q`.
type Take struct {
	At
	Count, From, Into Expr
}

// Assign is `x = E` or `x(i) = E`.
type Assign struct {
	At
	Name  Ident
	Index Expr
	Value Expr
}

// Let is `let x = E`.
type Let struct {
	At
	Name  Ident
	Value Expr
}

// If is `if E { … } else …`; Else holds a single *If for `else if`. HasElse tells an empty else from none.
type If struct {
	At
	Cond    Expr
	Then    []Stmt
	Else    []Stmt
	HasElse bool
}

// While is `while E { … }`.
type While struct {
	At
	Cond Expr
	Body []Stmt
}

// For is `for p in SET { … }`.
type For struct {
	At
	Name Ident
	Set  Expr
	Body []Stmt
}

// Again is `again`.
type Again struct{ At }

// Finish is `win L`, `lose L`, `draw L` or `end L`.
type Finish struct {
	At
	Kind  EndingKind
	Label *Label
}

// Require is `require E`.
type Require struct {
	At
	Cond Expr
}

// Prefer is `prefer E`.
type Prefer struct {
	At
	Value Expr
}

// Expr is an expression or a set of pits; which, the resolver finds out.
type Expr interface {
	Node
	isExpr()
}

// Int is a number; Text keeps it as written (`01`), Value is right when it fits.
type Int struct {
	At
	Text  string
	Value int
}

// Name is a name, or one of the words last, origin, mover, none, true, false, empty, stuck, finished, endless, start.
type Name struct {
	At
	Name string
}

// Text is a quoted label used as a predicate.
type Text struct {
	At
	Value string
}

// IndexExpr is `south[i]`.
type IndexExpr struct {
	At
	Group Ident
	Index Expr
}

// Call is `f(a, b)`: total, count, index, opposite, next, before, min, max, or a state variable with `each`.
// Along is the lap of next and before, if given.
type Call struct {
	At
	Func  Ident
	Args  []Expr
	Along Expr
}

// Of is `my G` (Their false) or `their G`. Prefixes bind to one name.
type Of struct {
	At
	Their bool
	Group Ident
}

// Was is `last was E`.
type Was struct {
	At
	Value Expr
}

// Unary is `not x`, `-x` or `old x`.
type Unary struct {
	At
	Op string // "not", "-", "old"
	X  Expr
}

// Binary joins two expressions. Op is one of
// or and = /= < <= > >= in "not in" + - * div mod .. without.
// `..` makes a range, which only `in`, `choose` and pit ranges take.
type Binary struct {
	At
	Op   string
	L, R Expr
}

// Quant is `each x in SET : E`, `some …`, `number …`.
type Quant struct {
	At
	Kind string // "each", "some", "number"
	Var  Ident
	Set  Expr
	Body Expr
}

// EachCmp is `each SET < E` or `some SET < E`.
type EachCmp struct {
	At
	Kind string // "each", "some"
	Set  Expr
	Op   string
	R    Expr
}

// SetLit is `{a, b}`.
type SetLit struct {
	At
	Elems []Expr
}

// Filter is `x in SET where E` inside braces: `{x in SET where E}`.
type Filter struct {
	At
	Var   Ident
	Set   Expr
	Where Expr
}

// Paren is `(E)`; the formatter keeps it.
type Paren struct {
	At
	X Expr
}

// Picture is a drawn position: its rows, their parts, their cells.
type Picture struct {
	At
	Rows [][][]Cell
}

// Cell is a count, `_` (Any), or either in brackets (Marked).
type Cell struct {
	At
	Any    bool
	Marked bool
	Count  int
}

// Setting is `x = E` after `with`.
type Setting struct {
	At
	Name  Ident
	Index Expr
	Value Expr
}

// Position is `position NAME of VARIANT { picture } with …`, or `where E` in place of the picture.
type Position struct {
	At
	Doc     string
	Name    Ident
	Of      *Ident
	Picture *Picture // nil: see Where
	Where   Expr
	With    []Setting
}

// Strategy is `strategy NAME of VARIANT = least E by LABEL`, or greatest.
type Strategy struct {
	At
	Doc   string
	Name  Ident
	Of    *Ident
	Least bool
	Rank  Expr
	By    *Label // the moves it ranks; nil: all
}

// Claim is `claim NAME of VARIANT "label" { clauses property }`.
type Claim struct {
	At
	Doc      string
	Name     Ident
	Of       *Ident
	Label    string
	Clauses  []Clause // in the order written; Property is where its clause stands
	Property Property // nil after a syntax error
}

// Clause is *Expect, *With, *ForIn, *ForAll, *ForSome, *Following, *StartingAt, *Using, *Bound or *PropertyHere.
type Clause interface {
	Node
	isClause()
}

// Expect is `expect proved` or `expect refuted`.
type Expect struct {
	At
	Refuted bool
}

// With is `with p = E, …`.
type With struct {
	At
	Settings []Setting
}

// ForIn is `for p in a..b`. Colon keeps the optional colon after it.
type ForIn struct {
	At
	Name   Ident
	Lo, Hi Expr
	Colon  bool
}

// ForAll is `for all p`.
type ForAll struct {
	At
	Name Ident
}

// ForSome is `for some p`.
type ForSome struct {
	At
	Name Ident
}

// Following is `following STRATEGY`.
type Following struct {
	At
	Strategy Ident
}

// StartingAt is `starting at POSITION`.
type StartingAt struct {
	At
	Position Ident
}

// Using is `using ENGINE`.
type Using struct {
	At
	Engine Ident
}

// Bound is `bound K`.
type Bound struct {
	At
	K Expr
}

// PropertyHere marks the property's place among the clauses.
type PropertyHere struct{ At }

// Property is what a claim asserts.
type Property interface {
	Node
	isProperty()
}

// Reach is `unreachable E`, `reachable E within k` or `invariant E`.
type Reach struct {
	At
	Kind   string // "unreachable", "reachable", "invariant"
	Target Expr
	Within Expr
}

// NeverStuck is `never stuck`.
type NeverStuck struct{ At }

// Terminates is `terminates within k`.
type Terminates struct {
	At
	Within Expr
}

// Neighbours is `predecessors(E) = { … }` or `successors(E) = { … }`.
type Neighbours struct {
	At
	Pre  bool
	Of   Expr
	List []Expr
}

// StepTo is `E -> F by LABEL`, with Not for `not E -> F`.
type StepTo struct {
	At
	Not      bool
	From, To Expr
	By       *Label
}

// EveryStep is `from E by LABEL every step gives F over all states`.
type EveryStep struct {
	At
	From  Expr
	By    *Label
	Gives Expr
	All   bool
}

// Count is `count(SET where E) = k`. Set is starts, states, finished, "winning starts", plays or ancestors; Of is the number of moves of plays,
// and the states whose ancestors are meant.
type Count struct {
	At
	Set   string
	Of    Expr
	Where Expr
	Op    string
	Value Expr
}

// UniqueWinnable is `unique winnable start`.
type UniqueWinnable struct{ At }

// WinningStarts is `winning starts = { … }`.
type WinningStarts struct {
	At
	List []Expr
}

// StrategyWins is `STRATEGY wins wherever anything wins`.
type StrategyWins struct {
	At
	Strategy Ident
}

// Relation is `refines V`, `equivalent to V` or `reverses V`, where parameters of V may be set in brackets, and groups of pits may be left
// out: `ignoring hand`.
type Relation struct {
	At
	Kind     string // "refines", "equivalent", "reverses"
	Other    Ident
	Settings []Setting
	Ignoring []Ident
}

func (*Variant) isDecl()  {}
func (*Position) isDecl() {}
func (*Strategy) isDecl() {}
func (*Claim) isDecl()    {}

func (*Param) isItem()    {}
func (*Players) isItem()  {}
func (*Board) isItem()    {}
func (*StateVar) isItem() {}
func (*Setup) isItem()    {}
func (*Move) isItem()     {}
func (*Ending) isItem()   {}
func (*Score) isItem()    {}

func (*Lap) isBoardLine()      {}
func (*Group) isBoardLine()    {}
func (*Owner) isBoardLine()    {}
func (*Opposite) isBoardLine() {}

func (*Sow) isStmt()     {}
func (*Capture) isStmt() {}
func (*Take) isStmt()    {}
func (*Assign) isStmt()  {}
func (*Let) isStmt()     {}
func (*If) isStmt()      {}
func (*While) isStmt()   {}
func (*For) isStmt()     {}
func (*Again) isStmt()   {}
func (*Finish) isStmt()  {}
func (*Require) isStmt() {}
func (*Prefer) isStmt()  {}

func (*Int) isExpr()       {}
func (*Name) isExpr()      {}
func (*Text) isExpr()      {}
func (*IndexExpr) isExpr() {}
func (*Call) isExpr()      {}
func (*Of) isExpr()        {}
func (*Was) isExpr()       {}
func (*Unary) isExpr()     {}
func (*Binary) isExpr()    {}
func (*Quant) isExpr()     {}
func (*EachCmp) isExpr()   {}
func (*SetLit) isExpr()    {}
func (*Filter) isExpr()    {}
func (*Paren) isExpr()     {}

func (*Expect) isClause()       {}
func (*With) isClause()         {}
func (*ForIn) isClause()        {}
func (*ForAll) isClause()       {}
func (*ForSome) isClause()      {}
func (*Following) isClause()    {}
func (*StartingAt) isClause()   {}
func (*Using) isClause()        {}
func (*Bound) isClause()        {}
func (*PropertyHere) isClause() {}

func (*Reach) isProperty()          {}
func (*NeverStuck) isProperty()     {}
func (*Terminates) isProperty()     {}
func (*Neighbours) isProperty()     {}
func (*StepTo) isProperty()         {}
func (*EveryStep) isProperty()      {}
func (*Count) isProperty()          {}
func (*UniqueWinnable) isProperty() {}
func (*WinningStarts) isProperty()  {}
func (*StrategyWins) isProperty()   {}
func (*Relation) isProperty()       {}
