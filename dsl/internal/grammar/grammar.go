// Package grammar is the grammar of .sow files, as structs that the parser generator fills.
//
// It is predictive: after its first token a production is decided, and the few places that need to look
// further say so with (?= …) or (?! …). It is loose: operators are flat lists, which the lowering in package
// dsl orders by their strength, and a set may hold what only a choice may hold. So an error
// is always met at the first token that cannot stand where it stands.
package grammar

import (
	"io"

	"github.com/alecthomas/participle/v2/lexer"
)

// Node carries the tokens of a production, of which the first and the last give its range.
type Node struct {
	Tokens []lexer.Token
}

// At gives the tokens of a node.
func (n Node) At() []lexer.Token { return n.Tokens }

// File is the whole grammar. Files are not parsed with it but piece by piece, so that one mistake does
// not hide the next: see Variant and Claim.
type File struct {
	Decls []*Decl `parser:"@@*"`
}

// Decl is a declaration of a file.
type Decl struct {
	Import   *Import   `parser:"  @@"`
	Variant  *Variant  `parser:"| @@"`
	Position *Position `parser:"| @@"`
	Strategy *Strategy `parser:"| @@"`
	Claim    *Claim    `parser:"| @@"`
}

// Import names another file.
type Import struct {
	Node
	Path *lexer.Token `parser:"'import' @String"`
}

// Variant is parsed head first and then item by item.
type Variant struct {
	Head  *VariantHead `parser:"@@"`
	Items []*Item      `parser:"(@@ ';'?)* '}'"`
}

// VariantHead is a variant up to its opening brace.
type VariantHead struct {
	Node
	Name  *Name        `parser:"'variant' @@"`
	Title *lexer.Token `parser:"@String? '{'"`
}

// Item is a declaration in a variant.
type Item struct {
	Node
	Param   *Param   `parser:"  @@"`
	Players *Players `parser:"| @@"`
	Board   *Board   `parser:"| @@"`
	State   *State   `parser:"| @@"`
	Setup   *Setup   `parser:"| @@"`
	Move    *Move    `parser:"| @@"`
	Ending  *Ending  `parser:"| @@"`
	Score   *Score   `parser:"| @@"`
}

// Param keeps default and range in one expression, whose outermost operator is `in`.
type Param struct {
	Name  *Name `parser:"'param' @@"`
	Value *Expr `parser:"'=' @@"`
}

// Players lists the players.
type Players struct {
	Names []*Name `parser:"'player' @@ (',' @@)*"`
}

// Board is a picture and lines; the line breaks of the picture are looked up in the tokens.
type Board struct {
	Picture []*BoardCell `parser:"'board' '{' ((?! ('ring' | 'line' | 'group' | 'owner') (Name | '=') | 'opposite' Name '[') @@)*"`
	Lines   []*BoardLine `parser:"(@@ ';'?)* '}'"`
}

// BoardCell is a pit of the picture, a bar, or a comma.
type BoardCell struct {
	Node
	Bar   bool `parser:"  @'|'"`
	Comma bool `parser:"| @','"`
	Pit   *Pit `parser:"| @@"`
}

// Pit is `store`, `hole[3]` or `hole[1..n]`.
type Pit struct {
	Node
	Group *Name `parser:"@@"`
	Index *Expr `parser:"('[' @@ ']')?"`
}

// BoardLine is a line below the picture.
type BoardLine struct {
	Node
	Lap      *Lap      `parser:"  @@"`
	Group    *Group    `parser:"| @@"`
	Owner    *Owner    `parser:"| @@"`
	Opposite *Opposite `parser:"| @@"`
}

// Lap is a ring or a line.
type Lap struct {
	Kind    string `parser:"@('ring' | 'line')"`
	Name    *Name  `parser:"@@"`
	Of      *Name  `parser:"('of' @@)? '='"`
	Reverse *Name  `parser:"( (?= 'reverse' Name) 'reverse' @@"`
	Pits    []*Pit `parser:"| @@ (',' @@)* )"`
}

// Group names a set of pits.
type Group struct {
	Name *Name   `parser:"'group' @@ '='"`
	Sets []*Expr `parser:"@@ (',' @@)*"`
}

// Owner gives pits to a player.
type Owner struct {
	Player *Name   `parser:"'owner' @@ '='"`
	Sets   []*Expr `parser:"@@ (',' @@)*"`
}

// Opposite pairs facing pits.
type Opposite struct {
	Group *Name `parser:"'opposite' @@"`
	Index *Name `parser:"'[' @@ ']'"`
	Other *Name `parser:"'=' @@"`
	Expr  *Expr `parser:"('[' @@ ']')?"`
}

// State is a state variable.
type State struct {
	Name *Name    `parser:"'state' @@"`
	Each *Owned   `parser:"('each' @@)?"`
	Type *VarType `parser:"':' @@"`
	Init *Expr    `parser:"('=' @@)?"`
}

// Owned is a group's name or the word `player`.
type Owned struct {
	Node
	Word string `parser:"@(Name | 'player')"`
}

// VarType is a name, a range or an enumeration.
type VarType struct {
	Node
	Enum   []*Name `parser:"  '{' @@ (',' @@)* '}'"`
	Player bool    `parser:"| @'player'"`
	Lo     *Arith  `parser:"| @@"`
	Hi     *Arith  `parser:"  ('..' @@)?"`
}

// Setup is a picture, or conditions.
type Setup struct {
	Label *Label  `parser:"'setup' @@? '{'"`
	Cells []*Cell `parser:"( @@+"`
	Any   bool    `parser:"| (?= 'any' ('where' | '}')) @'any'"`
	Where []*Expr `parser:"  ('where' (@@ ','?)+)?"`
	Conds []*Expr `parser:"| (@@ ','?)+ )? '}'"`
}

// Cell is a count or a bar of a drawn position.
type Cell struct {
	Node
	Bar    bool         `parser:"  @'|'"`
	Marked *lexer.Token `parser:"| '[' @(Int | '_') ']'"`
	Plain  *lexer.Token `parser:"| @(Int | '_')"`
}

// Move is a move block.
type Move struct {
	Label   *Label    `parser:"'move' @@?"`
	When    *Expr     `parser:"('when' @@)? '{'"`
	Choices []*Choice `parser:"(@@ ';'?)*"`
	Written *Written  `parser:"@@? ';'?"`
	Body    []*Stmt   `parser:"@@* '}'"`
}

// Choice is a `choose` line.
type Choice struct {
	Node
	Name  *Name `parser:"'choose' @@"`
	Set   *Expr `parser:"'in' @@"`
	Where *Expr `parser:"('where' @@)?"`
}

// Written lists what is written down. Nothing separates its parts from the first statement, so it ends
// before what an `=`, a comma or `into` follows.
type Written struct {
	First *Operand   `parser:"'written' @@"`
	Stop  *Head      `parser:"((?! @@)"`
	Rest  []*Operand `parser:"@@)*"`
}

// Ending is an outcome with its condition.
type Ending struct {
	Kind      string `parser:"@('win' | 'lose' | 'draw' | 'end')"`
	Label     *Label `parser:"@@? 'when'"`
	NoMove    bool   `parser:"( @'no' 'move'"`
	When      *Expr  `parser:"| @@ )"`
	AtTurnEnd bool   `parser:"(@'at' 'end' 'of' 'turn')?"`
	Body      *Block `parser:"@@?"`
}

// Score is what the players' results are compared by.
type Score struct {
	Parts []*ScorePart `parser:"'score' @@ (',' @@)*"`
}

// ScorePart is one player's score.
type ScorePart struct {
	Player *Name `parser:"@@"`
	Value  *Expr `parser:"'=' @@"`
}

// Position is a drawn position, or what a condition says.
type Position struct {
	Node
	Name  *Name      `parser:"'position' @@"`
	Of    *Name      `parser:"('of' @@)?"`
	Cells []*Cell    `parser:"( '{' @@+ '}'"`
	Where *Expr      `parser:"| 'where' @@ )"`
	With  []*Setting `parser:"('with' @@ (',' @@)*)?"`
}

// Strategy is a way to choose among the legal moves. Its word is no keyword.
type Strategy struct {
	Node
	Name *Name  `parser:"'strategy' @@"`
	Of   *Name  `parser:"('of' @@)?"`
	Best string `parser:"'=' @('least' | 'greatest')"`
	Rank *Expr  `parser:"@@"`
	By   *Label `parser:"('by' @@)?"`
}

// Setting gives a variable or parameter a value.
type Setting struct {
	Node
	Name  *Subject `parser:"@@"`
	Index *Expr    `parser:"('(' @@ ')')?"`
	Value *Expr    `parser:"'=' @@"`
}

// Subject is what a setting sets: a name or the word `mover`.
type Subject struct {
	Node
	Word string `parser:"@(Name | 'mover')"`
}

// Label names an outcome, a move or an option.
type Label struct {
	Node
	Name *lexer.Token `parser:"@(Name | Int | String)"`
}

// Name is a name.
type Name struct {
	Node
	Text string `parser:"@Name"`
}

// definition tells the parser generator the names of the types of tokens. Files are cut by package scan.
type definition map[string]lexer.TokenType

func (d definition) Symbols() map[string]lexer.TokenType { return d }

func (d definition) Lex(string, io.Reader) (lexer.Lexer, error) { return &tokens{}, nil }

// tokens hands out tokens that are cut already.
type tokens struct {
	list []lexer.Token
	next int
}

func (t *tokens) Next() (lexer.Token, error) {
	if t.next >= len(t.list) {
		return lexer.EOFToken(lexer.Position{}), nil
	}
	t.next++
	return t.list[t.next-1], nil
}
