// Package ast is the syntax tree of a .sow file: what is written, where, and nothing of what it
// means. Names are not bound; expressions are untyped. The parser builds it, the formatter prints
// it, rules/bind and rules/build give it meaning.
//
// The struct tags are the grammar, from which participle fills these types. The grammar is
// predictive: the first token of a production decides, and the few places that need more lookahead
// have (?= …) or (?! …). Expressions have no tags. Package dsl parses the types Expr, Default, Sum
// and Operand by hand, because their operators have precedence.
package ast

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/mancheck/mancheck/dsl/diag"
)

// Node is anything with a range in a file.
type Node interface{ Span() diag.Range }

// At is embedded in every node. Range is the source from its first to its last token.
type At struct {
	Tokens []lexer.Token // only while the node is parsed
	Range  diag.Range
}

// Span returns the range of a node.
func (a At) Span() diag.Range { return a.Range }

// Settle sets the range of a node from its tokens and drops these.
func (a *At) Settle() {
	if n := len(a.Tokens); n > 0 {
		a.Range = TokenRange(a.Tokens[0]).To(TokenRange(a.Tokens[n-1]))
		a.Tokens = nil
	}
}

// TokenRange is the range of a token.
func TokenRange(t lexer.Token) diag.Range {
	start := diag.Pos{Offset: t.Pos.Offset, Line: t.Pos.Line, Column: t.Pos.Column}
	end := start
	end.Offset += len(t.Value)
	end.Column += utf8.RuneCountInString(t.Value)
	return diag.Range{File: t.Pos.Filename, Start: start, End: end}
}

// Documented is embedded in nodes that may have a comment above. Doc is that comment, without
// slashes.
type Documented struct{ Doc string }

// SetDoc sets the comment.
func (d *Documented) SetDoc(doc string) { d.Doc = doc }

// Documentation is the comment.
func (d *Documented) Documentation() string { return d.Doc }

// Ident is a name as written.
type Ident struct {
	At
	Name string `parser:"@Name"`
}

// Subject is what a setting sets: a name, or the word `mover`.
type Subject struct {
	At
	Name string `parser:"@(Name | 'mover')"`
}

// Each is the group for whose pits a state variable exists, or the word `player`.
type Each struct {
	At
	Name string `parser:"@(Name | 'player')"`
}

// Label is an outcome's, move's or choice's label: a name, or a quoted text. Quoted says which.
type Label struct {
	At
	Text   string `parser:"@(Name | Int | String)"`
	Quoted bool
}

// File is one source file.
type File struct {
	Path     string
	Source   []byte
	Language *Language `parser:"@@?"` // nil: the newest
	Imports  []*Import `parser:"( @@"`
	Decls    []Decl    `parser:"| @@ )*"` // variants, boards, positions, strategies and claims
	Comments []Comment
}

// Span is the whole file, without a position in it.
func (f *File) Span() diag.Range { return diag.Range{File: f.Path} }

// Comment is one // comment with its slashes, without the line break.
type Comment struct {
	At
	Text string
}

// Language is `language 2`: the version of the language that the file is written in.
type Language struct {
	At
	Version string `parser:"'language' @Int"`
}

// Import is `import "path"`.
type Import struct {
	At
	Path   string `parser:"'import' @String"`
	PathAt diag.Range
}

// Decl is a top-level declaration: *Variant, *Board, *Define, *Procedure, *Position, *Strategy or
// *Claim.
type Decl interface {
	Node
	isDecl()
}

// VariantHead is a variant up to its opening brace.
type VariantHead struct {
	At
	Name  Ident  `parser:"'variant' @@"`
	Title string `parser:"@String? '{'"`
}

// Variant is `variant Name "Title" { … }`.
type Variant struct {
	VariantHead
	Documented
	Items []Item `parser:"@@* '}'"`
}

// Item is a declaration in a variant: *Param, *Players, *Board, *StateVar, *Define, *Procedure,
// *Setup, *Move, *Pass, *Ending, *Offer, *Reaction or *Score.
type Item interface {
	Node
	isItem()
}

// Param is `param n = 6 in 1..12`. Lo and Hi are nil for a switch, Hi also for an open range.
type Param struct {
	ItemAt
	Documented
	Name     Ident   `parser:"'param' @@"`
	Default  Default `parser:"'=' @@"`
	HasRange bool    `parser:"(@'in'"`
	Lo       Sum     `parser:"@@ '..'"`
	Hi       Sum     `parser:"((?! 'pass' 'when' | (Name | 'mover' | 'opponent') ('wins' | 'loses')) @@)?)?"` // the next item may begin with a name
}

// Players is `player South, North`.
type Players struct {
	ItemAt
	Names []Ident `parser:"'player' @@ (',' @@)*"`
}

// Board is the picture and the lines below it. In a variant it is drawn and has no name, or it is
// `board NAME with p = E` and stands for the board of that name, which is declared outside of
// variants. Such a board may also have parameters, players and a setup for its variants.
type Board struct {
	At
	Documented
	Name    *Ident      `parser:"'board' @@?"`
	With    []Setting   `parser:"('with' @@ (',' @@)*)?"`
	Drawn   bool        `parser:"(@'{'"`
	Picture []BoardCell `parser:"((?! ('ring' | 'line' | 'group' | 'owner') (Name | '=') | ('facing' | 'map') Name Name) @@)*"`
	Lines   []BoardLine `parser:"@@*"`
	Params  []*Param    `parser:"@@*"`
	Players *Players    `parser:"@@?"`
	Setup   *Setup      `parser:"@@? '}')?"`
}

// BoardCell is a pit of the picture, or a bar.
type BoardCell struct {
	At
	Bar bool      `parser:"  @'|'"`
	Pit *PitRange `parser:"| @@"`
}

// PitRange is `store`, `hole[3]` or `hole[a..b]`.
type PitRange struct {
	At
	Group Ident `parser:"@@"`
	From  Sum   `parser:"('[' @@"`          // nil without brackets
	To    Sum   `parser:"('..' @@)? ']')?"` // nil for a single index
}

// BoardLine is a line below the picture: *Lap, *Group, *Owner or *Facing.
type BoardLine interface {
	Node
	isBoardLine()
}

// Lap is `ring L of P = …` or `line L = …`. Reverse is set for `reverse M` and then Pits is nil.
type Lap struct {
	LineAt
	Ring    bool       `parser:"(@'ring' | 'line')"`
	Name    Ident      `parser:"@@"`
	Of      *Ident     `parser:"('of' @@)? '='"`
	Reverse *Ident     `parser:"( (?= 'reverse' Name) 'reverse' @@"`
	Pits    []PitRange `parser:"| @@ (',' @@)* )"`
}

// Group is `group G = sets`.
type Group struct {
	LineAt
	Name Ident  `parser:"'group' @@ '='"`
	Sets []Expr `parser:"@@ (',' @@)*"`
}

// Owner is `owner P = sets`.
type Owner struct {
	LineAt
	Player Ident  `parser:"'owner' @@ '='"`
	Sets   []Expr `parser:"@@ (',' @@)*"`
}

// Facing is `facing NAME a[i] = b[expr]`, or `map NAME …`, which is one direction only. Each side
// may be a single pit.
type Facing struct {
	LineAt
	OneWay bool  `parser:"('facing' | @'map')"`
	Name   Ident `parser:"@@"`
	Group  Ident `parser:"@@"`
	Index  Expr  `parser:"('[' @@ ']')? '='"` // nil without brackets; a name is that of the index
	Other  Ident `parser:"@@"`
	Expr   Expr  `parser:"('[' @@ ']')?"` // nil without brackets
}

// StateVar is `state x each p in group : type = init`, where init may use p.
type StateVar struct {
	ItemAt
	Documented
	Name Ident   `parser:"'state' @@"`
	Var  *Ident  `parser:"('each' ((?= Name 'in') @@ 'in')?"` // nil: init is the same for all
	Each *Each   `parser:"@@)?"`
	Type VarType `parser:"':' @@"`
	Init Expr    `parser:"('=' @@)?"` // nil: the type's first value (none, false, the lower end, the first name)
}

// VarType is the type of a state variable: names, a range of integers, or a name.
type VarType struct {
	At
	Enum   []Ident `parser:"  '{' @@ (',' @@)* '}'"`
	Player bool    `parser:"| @'player'"`
	OrNone bool    `parser:"  @('or' 'none')?"` // of a player: or nobody
	Lo     Sum     `parser:"| @@"`
	Hi     Sum     `parser:"  ('..' @@)?"`
}

// Define is `define name(a : SORT, b : SORT) = E`, as an item of a variant or on its own.
type Define struct {
	At
	Documented
	Name   Ident    `parser:"'define' @@"`
	Params []Formal `parser:"('(' @@ (',' @@)* ')')?"`
	Value  Expr     `parser:"'=' @@"`
}

// Procedure is `procedure name(a : SORT, b : SORT) { … }`, as an item of a variant or on its own.
type Procedure struct {
	At
	Documented
	Name   Ident    `parser:"'procedure' @@"`
	Params []Formal `parser:"('(' @@ (',' @@)* ')')?"`
	Body   []Stmt   `parser:"'{' @@* '}'"`
}

// Formal is a parameter of a definition or a procedure, with its sort.
type Formal struct {
	At
	Name Ident `parser:"@@ ':'"`
	Sort Sort  `parser:"@@"`
}

// Sort is number, bool, pit, player, lap, set, or a state variable whose values are meant.
type Sort struct {
	At
	Name string `parser:"@(Name | 'number' | 'player')"`
}

// Setup is `setup LABEL { … }`. One of Picture and Conds is set.
type Setup struct {
	ItemAt
	Documented
	Label   *Label   `parser:"'setup' @@? '{'"`
	Picture *Picture `parser:"( @@"`
	Any     bool     `parser:"| (?= 'any' ('where' | '}')) @'any'"` // any where …
	Conds   []Expr   `parser:"  ('where' (@@ ','?)+)? | (@@ ','?)+ )? '}'"`
}

// Move is `move LABEL when E { choices; written; statements }`.
type Move struct {
	ItemAt
	Documented
	Label   *Label    `parser:"'move' @@?"`
	When    Expr      `parser:"('when' @@)? '{'"`
	Choices []*Choice `parser:"@@*"`
	// Written is nil if it is not given. Nothing separates its parts from the first statement, so a
	// part must not be followed by `=`, a comma, `into`, `wins`, `loses` or `moves`. A call behind
	// the first part is a statement, but for `index(p)` and `seeds(p)`.
	Written []Operand `parser:"('written' @@ ((?! (?! 'index' | 'seeds') Name '(') (?! @@ (('+' | '-' | '*' | 'div' | 'mod' | 'without') @@)* ('=' | ',' | 'into' | 'wins' | 'loses' | 'moves')) @@)*)?"`
	Body    []Stmt    `parser:"@@* '}'"`
}

// Choice is one `choose` line. EachLap is set for `each lap`, and Later for `for the first lap,
// then E`. Without either the choice stands for all laps of a move.
type Choice struct {
	At
	Name    Ident  `parser:"'choose' @@"`
	Set     Domain `parser:"'in' @@"`
	EachLap bool   `parser:"( @'each' 'lap'"`
	Later   Sum    `parser:"| (?= 'for' 'the' 'first' 'lap') 'for' 'the' 'first' 'lap' ',' 'then' @@ )?"`
	Where   Expr   `parser:"('where' @@)?"`
}

// Option is an element of a set in a choice that has a notation or a label: `value as NOTATION
// "LABEL"`.
type Option struct {
	At
	Value    Expr
	Notation *Label
	Label    *Label
}

// Pass is `pass when E`.
type Pass struct {
	ItemAt
	Documented
	When Expr `parser:"'pass' 'when' @@"`
}

// EndingKind is the word that an outcome begins with; after a player that is `wins` or `loses`.
type EndingKind int

const (
	Win EndingKind = iota
	Lose
	Draw
	End
)

var endings = []string{"win", "lose", "draw", "end"}

// String is the word in the source, without a player.
func (k EndingKind) String() string { return endings[k] }

// Capture sets the kind from the word.
func (k *EndingKind) Capture(words []string) error {
	*k = EndingKind(slices.Index(endings, strings.TrimSuffix(words[0], "s")))
	return nil
}

// Who is a player's name, `mover` or `opponent`.
type Who struct {
	At
	Name string `parser:"@(Name | 'mover' | 'opponent')"`
}

// Verdict is how a game ends: `win L`, `lose L`, `draw L`, `end L`, or with a player `P wins L` or
// `P loses L`.
type Verdict struct {
	Player *Who       `parser:"( (?= (Name | 'mover' | 'opponent') ('wins' | 'loses')) @@"`
	Kind   EndingKind `parser:"  @('wins' | 'loses') | @('win' | 'lose' | 'draw' | 'end') )"`
	Label  *Label     `parser:"@@?"`
}

// Ending is `VERDICT when E at end of turn { … }`.
type Ending struct {
	ItemAt
	Documented
	Verdict
	When      Expr   `parser:"'when' @@"`
	AtTurnEnd bool   `parser:"(@'at' 'end' 'of' 'turn')?"`
	Body      []Stmt `parser:"('{' @@* '}')?"`
}

// Offer is `offer VERDICT when repeated`: the player to move may end the game so.
type Offer struct {
	ItemAt
	Documented
	Verdict Verdict `parser:"'offer' @@"`
	When    Expr    `parser:"'when' @@"`
}

// Reaction is `when E at end of turn { … }`.
type Reaction struct {
	ItemAt
	Documented
	When      Expr   `parser:"'when' @@"`
	AtTurnEnd bool   `parser:"(@'at' 'end' 'of' 'turn')?"`
	Body      []Stmt `parser:"'{' @@* '}'"`
}

// Score is `score South = E, North = E`.
type Score struct {
	ItemAt
	Parts []ScorePart `parser:"'score' @@ (',' @@)*"`
}

// ScorePart is the score of one player.
type ScorePart struct {
	At
	Player Ident `parser:"@@"`
	Value  Expr  `parser:"'=' @@"`
}

// Stmt is a statement of the body of a move, ending or reaction.
type Stmt interface {
	Node
	isStmt()
}

// Sow is `sow [K from] P along LAP, modifiers`. RelayWhile is nil without `relay`, and RelayFrom is
// nil if the pit of a relay is `last`.
type Sow struct {
	StmtAt
	Count       Sum    `parser:"'sow' ((?= @@ 'from') @@ 'from')?"` // nil: all
	Pit         Sum    `parser:"@@"`
	Along       Sum    `parser:"'along' @@"`
	OriginFirst bool   `parser:"(',' ( (?= 'origin' 'first') @'origin' 'first'"`
	HasDrop     bool   `parser:"| (?= 'each' 'drop') @'each' 'drop'"`
	Drop        []Stmt `parser:"  '{' @@* '}'"`
	StartAt     Sum    `parser:"| (?= 'starting' 'at') 'starting' 'at' @@"`
	RelayFrom   Sum    `parser:"| (?= 'relay' ('from' | 'while')) 'relay' ('from' @@)?"`
	RelayWhile  Expr   `parser:"  'while' @@"`
	InEach      Sum    `parser:"| (?! 'skip') (?= @@ 'in' 'each') @@ 'in' 'each'"` // seeds for each pit; nil: one
	Skip        []Sum  `parser:"| 'skip' @@"`
	OnlyLast    []Sum  `parser:"| (?! 'skip') @@ 'takes' 'only' 'the' 'last' ))*"` // sets that take only the last seed
}

// Chain is `capture p back from Q along L while E into S`, or `forward`.
type Chain struct {
	StmtAt
	Name    Ident `parser:"(?= 'capture' Name ('back' | 'forward') 'from') 'capture' @@"`
	Forward bool  `parser:"('back' | @'forward')"`
	From    Sum   `parser:"'from' @@"`
	Along   Sum   `parser:"('along' @@)?"` // nil: the lap of the latest sowing
	While   Expr  `parser:"'while' @@"`
	Into    Sum   `parser:"'into' @@"`
}

// Capture is `capture SET, … into P`. Bare are the sets where the word is missing, which is a
// mistake: the parser reports it, and moves them to From.
type Capture struct {
	StmtAt
	From []Sum `parser:"('capture' @@ (',' @@)*"`
	Bare []Sum `parser:"| (?= @@ (',' @@)* 'into') @@ (',' @@)*)"`
	Into Sum   `parser:"'into' @@"`
}

// Take is `take K from P into Q`.
type Take struct {
	StmtAt
	Count Sum `parser:"'take' @@"`
	From  Sum `parser:"'from' @@"`
	Into  Sum `parser:"'into' @@"`
}

// Assign is `x = E` or `x(i) = E`.
type Assign struct {
	StmtAt
	Target Sum  `parser:"(?= @@ '=') @@ '='"`
	Value  Expr `parser:"@@"`
}

// Let is `let x = E`.
type Let struct {
	StmtAt
	Name  Ident `parser:"'let' @@"`
	Value Expr  `parser:"'=' @@"`
}

// If is `if E { … } else …`; Else holds a single *If for `else if`. HasElse distinguishes an empty
// else from none.
type If struct {
	StmtAt
	Cond    Expr   `parser:"'if' @@"`
	Then    []Stmt `parser:"'{' @@* '}'"`
	HasElse bool   `parser:"(@'else'"`
	Else    []Stmt `parser:"((?= 'if') @@ | (?! 'if') '{' @@* '}'))?"`
}

// While is `while E { … }`.
type While struct {
	StmtAt
	Cond Expr   `parser:"'while' @@"`
	Body []Stmt `parser:"'{' @@* '}'"`
}

// For is `for p in SET { … }`.
type For struct {
	StmtAt
	Name Ident  `parser:"'for' @@"`
	Set  Domain `parser:"'in' @@"`
	Body []Stmt `parser:"'{' @@* '}'"`
}

// Again is `again`.
type Again struct {
	StmtAt
	Word string `parser:"@'again'"`
}

// GoOn is `go on from P`.
type GoOn struct {
	StmtAt
	From Sum `parser:"'go' 'on' 'from' @@"`
}

// CallStmt is `name(x, y)`, which carries out a procedure. Call is a *Call.
type CallStmt struct {
	StmtAt
	Call Operand `parser:"(?= Name '(') (?! @@ (('+' | '-' | '*' | 'div' | 'mod' | 'without') @@)* (',' | 'into')) @@"`
}

// MovesNext is `P moves next`.
type MovesNext struct {
	StmtAt
	Player Sum `parser:"(?= @@ 'moves') @@ 'moves' 'next'"`
}

// Finish is a verdict as a statement.
type Finish struct {
	StmtAt
	Verdict
}

// Require is `require E`.
type Require struct {
	StmtAt
	Cond Expr `parser:"'require' @@"`
}

// Prefer is `prefer E`.
type Prefer struct {
	StmtAt
	Value Expr `parser:"'prefer' @@"`
}

// Expr is an expression or a set of pits; rules/build determines which.
type Expr interface {
	Node
	isExpr()
}

// Domain is what a name goes through: a set of pits, a range of integers, or the word `player`,
// which is a Name here.
type Domain interface{ Expr }

// Default is an expression in which an `in` outside brackets belongs to what follows.
type Default interface{ Expr }

// Sum is an expression without comparisons: an `=`, `in` or `..` belongs to what follows.
type Sum interface{ Expr }

// Operand is an expression without operators other than prefixes.
type Operand interface{ Expr }

// Int is a number; Text keeps it as written (`01`), Value is right when it fits.
type Int struct {
	At
	Text  string
	Value int
}

// Name is a name, or one of the words last, origin, mover, opponent, none, true, false, empty,
// stuck, finished, endless, start. Behind `in` it may be the word player.
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

// Call is `f(a, b)`: total, seeds, index, opposite, next, before, min, max, a definition, or a
// state variable with `each`. Along is the lap of next and before, if given.
type Call struct {
	At
	Func  Ident
	Args  []Expr
	Along Expr
}

// Of is `my G` (Their false), `their G`, or `G of P`. Prefixes bind to one name.
type Of struct {
	At
	Their  bool
	Group  Ident
	Player Expr // nil: my or their
}

// Was is `last was E`.
type Was struct {
	At
	Value Expr
}

// NoMove is `no move`, or with Other `no other move`.
type NoMove struct {
	At
	Other bool
}

// Wins is `P wins`.
type Wins struct {
	At
	Player Ident
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

// Cond is `E if C else F`.
type Cond struct {
	At
	Then, If, Else Expr
}

// Quant is `each x in SET : E`, `some …`, `number …`, or `first x in SET where E`.
type Quant struct {
	At
	Kind string // "each", "some", "number", "first"
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
	Cells []Cell `parser:"@@+"`
}

// Cell is a bar, a count, `_` (Any), or either of these in brackets (Marked).
type Cell struct {
	At
	Bar    bool   `parser:"  @'|'"`
	Marked bool   `parser:"| @'['"`
	Text   string `parser:"  @(Int | '_') ']' | @(Int | '_')"`
	Any    bool
	Count  int
}

// Setting is `x = E` after `with`.
type Setting struct {
	At
	Name  Subject `parser:"@@"`
	Index Expr    `parser:"('(' @@ ')')?"`
	Value Expr    `parser:"'=' @@"`
}

// Position is `position NAME of VARIANT { picture } with …`, or `where E` in place of the picture.
type Position struct {
	At
	Documented
	Name    Ident     `parser:"'position' @@"`
	Of      *Ident    `parser:"('of' @@)?"`
	Picture *Picture  `parser:"( '{' @@ '}'"` // nil: see Where
	Where   Expr      `parser:"| 'where' @@ )"`
	With    []Setting `parser:"('with' @@ (',' @@)*)?"`
}

// Strategy is `strategy NAME of VARIANT = least E by LABEL`, or greatest.
type Strategy struct {
	At
	Documented
	Name  Ident  `parser:"'strategy' @@"`
	Of    *Ident `parser:"('of' @@)?"`
	Least bool   `parser:"'=' (@'least' | 'greatest')"`
	Rank  Expr   `parser:"@@"`
	By    *Label `parser:"('by' @@)?"` // the moves it ranks; nil: all
}

// ClaimHead is a claim up to its opening brace.
type ClaimHead struct {
	At
	Name  Ident  `parser:"'claim' @@"`
	Of    *Ident `parser:"('of' @@)?"`
	Label string `parser:"@String? '{'"`
}

// Claim is `claim NAME of VARIANT "label" { clauses property }`. Clauses are in the order written,
// without the property.
type Claim struct {
	ClaimHead
	Documented
	Clauses  []Clause  `parser:"(@@ ','?)* '}'"`
	Property Property  // nil after a syntax error
	Negated  bool      // what the property says is denied
	Mistakes diag.List // of syntax: something of the claim is not in the tree then
}

// Clause is *Expect, *With, *ForBoards, *ForIn, *ForAll, *ForSome, *Following, *StartingAt,
// *Endless, *Long, *Using, *Bound or a property.
type Clause interface {
	Node
	isClause()
}

// Expect is `expect proved` or `expect refuted`.
type Expect struct {
	ClauseAt
	Refuted bool `parser:"'expect' ('proved' | @'refuted')"`
}

// With is `with p = E, …`.
type With struct {
	ClauseAt
	Settings []Setting `parser:"'with' @@ ((?= ',' (Name | 'mover') ('=' | '(')) ',' @@)*"`
}

// ForIn is `for p in a..b, q in c..d`. Colon keeps the optional colon after it.
type ForIn struct {
	ClauseAt
	Ranges []*ParamRange `parser:"'for' @@ ((?= ',' 'for'? Name 'in') ',' 'for'? @@)*"`
	Colon  bool          `parser:"@':'?"`
}

// ParamRange is `p in a..b`.
type ParamRange struct {
	At
	Name Ident `parser:"@@ 'in'"`
	Lo   Sum   `parser:"@@ '..'"`
	Hi   Sum   `parser:"@@"`
}

// ForBoards is `for board in file "boards.csv"`. Colon keeps the optional colon after it.
type ForBoards struct {
	ClauseAt
	Loaded
	Path  string `parser:"(?= 'for' 'board') 'for' 'board' 'in' 'file' @String"`
	Colon bool   `parser:"@':'?"`
}

// ForAll is `for all p`, or `for all n >= k`, which is about every size of the board from k on.
// Colon keeps the optional colon after that.
type ForAll struct {
	ClauseAt
	Name  Ident `parser:"(?= 'for' 'all' Name) 'for' 'all' @@"`
	From  Sum   `parser:"('>=' @@"` // nil: every value of the range
	Colon bool  `parser:"@':'?)?"`
}

// ForSome is `for some p`.
type ForSome struct {
	ClauseAt
	Name Ident `parser:"(?= 'for' 'some') 'for' 'some' @@"`
}

// Following is `following STRATEGY`.
type Following struct {
	ClauseAt
	Strategy Ident `parser:"(?= 'following' Name) 'following' @@"`
}

// StartingAt is `starting at POSITION`.
type StartingAt struct {
	ClauseAt
	Position Ident `parser:"(?= 'starting' 'at') 'starting' 'at' @@"`
}

// Endless is `where endless play is a draw` or `where endless play counts as scored`.
type Endless struct {
	ClauseAt
	Scored bool `parser:"(?= 'where' 'endless') 'where' 'endless' 'play' ('is' 'a' 'draw' | @'counts' 'as' 'scored')"`
}

// Long is `takes long`: the claim is decided only when that is asked for.
type Long struct {
	ClauseAt
	Word string `parser:"(?= 'takes' 'long') @'takes' 'long'"`
}

// Using is `using ENGINE`.
type Using struct {
	ClauseAt
	Engine Ident `parser:"'using' @@"`
}

// Bound is `bound K`.
type Bound struct {
	ClauseAt
	K Expr `parser:"'bound' @@"`
}

// Property is what a claim asserts.
//
//sumtype:decl
type Property interface {
	Clause
	isProperty()
}

// Reach is `unreachable E`, `reachable E within k` or `invariant E`.
type Reach struct {
	ClauseAt
	Kind   string `parser:"@('unreachable' | 'invariant' | 'reachable')"`
	Target Expr   `parser:"@@"`
	Within Expr   `parser:"('within' @@)?"`
}

// NeverStuck is `never stuck`.
type NeverStuck struct {
	ClauseAt
	Word string `parser:"@'never' 'stuck'"`
}

// Terminates is `terminates within k`.
type Terminates struct {
	ClauseAt
	Within Expr `parser:"'terminates' ('within' @@)?"`
}

// CanGoOn is `can go on for ever`. The parser makes the denial of Terminates of it.
type CanGoOn struct {
	ClauseAt
	Word string `parser:"(?= 'can' 'go') @'can' 'go' 'on' 'for' 'ever'"`
}

// Denial is `not P`, which denies a property. The parser makes Claim.Negated of it. `not E -> F` is
// a StepTo.
type Denial struct {
	ClauseAt
	Property Property `parser:"(?= 'not' ('can' 'go' | 'unreachable' | 'invariant' | 'reachable' | 'never' 'stuck' | 'terminates' | 'predecessors' '(' | 'successors' '(' | 'from' | 'unique' 'winnable' | 'winning' 'starts' | 'count' '(' | ('refines' | 'reverses') Name | 'equivalent' 'to' | ('value' | 'winner' | 'best') '(' Name (')' | 'after') | Name ('wins' 'wherever' | 'can' 'force'))) 'not' @@"`
}

// Neighbours is `predecessors(E) = { … }` or `successors(E) = { … }`.
type Neighbours struct {
	ClauseAt
	Pre  bool   `parser:"(@'predecessors' | 'successors') '('"`
	Of   Expr   `parser:"@@ ')' '=' '{'"`
	List []Expr `parser:"(@@ (',' @@)*)? '}'"`
}

// StepTo is `E -> F by LABEL`, with Not for `not E -> F`.
type StepTo struct {
	ClauseAt
	Not  bool   `parser:"@'not'?"`
	From Expr   `parser:"@@ '->'"`
	To   Expr   `parser:"@@"`
	By   *Label `parser:"('by' @@)?"`
}

// EveryStep is `from E by LABEL every step gives F over all states`.
type EveryStep struct {
	ClauseAt
	From  Expr   `parser:"'from' @@"`
	By    *Label `parser:"('by' @@)?"`
	Gives Expr   `parser:"'every' 'step' 'gives' @@"`
	All   bool   `parser:"(@'over' 'all' 'states')?"`
}

// Count is `count(SET where E) = k`. Set is starts, states, finished, winning (starts), plays or
// ancestors; Of is the number of moves of plays, and the states whose ancestors are meant.
type Count struct {
	ClauseAt
	Set   string `parser:"(?= 'count' '(' (('starts' | 'states' | 'finished' | 'winning') ('starts' | 'where' | ')') | ('plays' | 'ancestors') 'of')) 'count' '(' ( @'winning' 'starts' | @('starts' | 'states' | 'finished') | @'ancestors' 'of'"`
	Of    Expr   `parser:"@@ | 'plays' 'of' @@ ('moves' | 'move') )"`
	Where Expr   `parser:"('where' @@)? ')'"`
	Op    string `parser:"@('=' | '/=' | '!=' | '<' | '<=' | '>' | '>=')"`
	Value Expr   `parser:"@@"`
}

// UniqueWinnable is `unique winnable start`.
type UniqueWinnable struct {
	ClauseAt
	Word string `parser:"@'unique' 'winnable' 'start'"`
}

// WinningStarts is `winning starts = { … }`.
type WinningStarts struct {
	ClauseAt
	List []Expr `parser:"'winning' 'starts' '=' '{' (@@ (',' @@)*)? '}'"`
}

// StrategyWins is `STRATEGY wins wherever anything wins`.
type StrategyWins struct {
	ClauseAt
	Strategy Ident `parser:"(?= Name 'wins' 'wherever') @@ 'wins' 'wherever' 'anything' 'wins'"`
}

// Relation is `refines V`, `equivalent to V` or `reverses V`, where parameters of V may be set in
// brackets. `in E` says what is compared, and groups of pits may be left out: `ignoring hand`.
type Relation struct {
	ClauseAt
	Kind     string     `parser:"(?= ('refines' | 'reverses') Name | 'equivalent' 'to') (@('refines' | 'reverses') | @'equivalent' 'to')"`
	Other    Ident      `parser:"@@"`
	Settings []Setting  `parser:"('(' @@ (',' @@)* ')')?"`
	In       *Agreement `parser:"@@?"`
	Ignoring []Ident    `parser:"('ignoring' @@ (',' @@)*)?"`
}

// Agreement is `in play`, `in play and notation`, `in score` or `in result`.
type Agreement struct {
	At
	Words []string `parser:"'in' (@'play' (@'and' @'notation')? | @('score' | 'result'))"`
}

// Place is `start`, or a position by its name, and moves made from there.
type Place struct {
	At
	Name  Ident    `parser:"@@"`
	After []*Label `parser:"('after' @@ (',' @@)*)?"`
}

// Value is `value(P) for PLAYER = v`.
type Value struct {
	ClauseAt
	Of     Place  `parser:"(?= 'value' '(' Name (')' | 'after')) 'value' '(' @@ ')'"`
	Player *Ident `parser:"('for' @@)?"` // nil: the player to move
	Op     string `parser:"@('=' | '/=' | '!=' | '<' | '<=' | '>' | '>=')"`
	Value  Expr   `parser:"@@"`
}

// Winner is `winner(P) = PLAYER`, or `winner(P) = none`.
type Winner struct {
	ClauseAt
	Of     Place  `parser:"(?= 'winner' '(' Name (')' | 'after')) 'winner' '(' @@ ')'"`
	Op     string `parser:"@('=' | '/=' | '!=')"`
	None   bool   `parser:"( @'none'"`
	Player *Ident `parser:"| @@ )"`
}

// Best is `best(P) = { m, … }`, with moves in their notation.
type Best struct {
	ClauseAt
	Of    Place    `parser:"(?= 'best' '(' Name (')' | 'after')) 'best' '(' @@ ')' '=' '{'"`
	Moves []*Label `parser:"(@@ (',' @@)*)? '}'"`
}

// Force is `PLAYER can force E within k from P`.
type Force struct {
	ClauseAt
	Player Ident  `parser:"(?= Name 'can' 'force') @@ 'can' 'force'"`
	Goal   Expr   `parser:"@@"`
	Within Expr   `parser:"('within' @@)?"`
	From   *Place `parser:"('from' @@)?"` // nil: every start
}

// Unions are the union types of the grammar. The first member that matches is taken.
var Unions = []participle.Option{
	participle.Union[Decl](&Variant{}, &Board{}, &Define{}, &Procedure{}, &Position{}, &Strategy{}, &Claim{}),
	participle.Union[Item](&Param{}, &Players{}, &Board{}, &StateVar{}, &Define{}, &Procedure{}, &Setup{}, &Move{}, &Pass{}, &Reaction{}, &Offer{}, &Ending{}, &Score{}),
	participle.Union[BoardLine](&Lap{}, &Group{}, &Owner{}, &Facing{}),
	participle.Union[Stmt](
		&Sow{}, &Take{}, &Let{}, &If{}, &While{}, &For{}, &Again{}, &GoOn{}, &Finish{}, &Require{},
		&Prefer{}, &MovesNext{}, &Chain{}, &Assign{}, &CallStmt{}, &Capture{},
	),
	participle.Union[Clause](
		&Expect{}, &With{}, &ForBoards{}, &ForAll{}, &ForSome{}, &ForIn{}, &Using{}, &Bound{}, &Following{},
		&StartingAt{}, &Endless{}, &Long{}, &Value{}, &Winner{}, &Best{}, &Force{}, &Denial{}, &Reach{}, &NeverStuck{}, &Terminates{}, &CanGoOn{}, &Neighbours{}, &EveryStep{},
		&UniqueWinnable{}, &WinningStarts{}, &Count{}, &StrategyWins{}, &Relation{}, &StepTo{},
	),
	participle.Union[Property](
		&Value{}, &Winner{}, &Best{}, &Force{}, &Reach{}, &NeverStuck{}, &Terminates{}, &CanGoOn{}, &Neighbours{}, &EveryStep{},
		&UniqueWinnable{}, &WinningStarts{}, &Count{}, &StrategyWins{}, &Relation{},
	),
}

func (*Variant) isDecl()   {}
func (*Board) isDecl()     {}
func (*Define) isDecl()    {}
func (*Procedure) isDecl() {}
func (*Position) isDecl()  {}
func (*Strategy) isDecl()  {}
func (*Claim) isDecl()     {}

func (*Board) isItem()     {}
func (*Define) isItem()    {}
func (*Procedure) isItem() {}

func (*Int) isExpr()       {}
func (*Name) isExpr()      {}
func (*Text) isExpr()      {}
func (*IndexExpr) isExpr() {}
func (*Call) isExpr()      {}
func (*Of) isExpr()        {}
func (*Was) isExpr()       {}
func (*NoMove) isExpr()    {}
func (*Wins) isExpr()      {}
func (*Unary) isExpr()     {}
func (*Binary) isExpr()    {}
func (*Cond) isExpr()      {}
func (*Quant) isExpr()     {}
func (*EachCmp) isExpr()   {}
func (*SetLit) isExpr()    {}
func (*Filter) isExpr()    {}
func (*Paren) isExpr()     {}
func (*Option) isExpr()    {}

// Each of the following is the At of the nodes of one interface.
type (
	ItemAt   struct{ At }
	LineAt   struct{ At }
	StmtAt   struct{ At }
	ClauseAt struct{ At }
)

func (*ItemAt) isItem()      {}
func (*LineAt) isBoardLine() {}
func (*StmtAt) isStmt()      {}
func (*ClauseAt) isClause()  {}

func (*Reach) isProperty()          {}
func (*NeverStuck) isProperty()     {}
func (*Terminates) isProperty()     {}
func (*CanGoOn) isProperty()        {}
func (*Neighbours) isProperty()     {}
func (*StepTo) isProperty()         {}
func (*EveryStep) isProperty()      {}
func (*Count) isProperty()          {}
func (*UniqueWinnable) isProperty() {}
func (*WinningStarts) isProperty()  {}
func (*StrategyWins) isProperty()   {}
func (*Relation) isProperty()       {}
func (*Value) isProperty()          {}
func (*Winner) isProperty()         {}
func (*Best) isProperty()           {}
func (*Force) isProperty()          {}
