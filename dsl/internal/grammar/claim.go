package grammar

import "github.com/alecthomas/participle/v2/lexer"

// Claim is parsed head first and then clause by clause.
type Claim struct {
	Head    *ClaimHead `parser:"@@"`
	Clauses []*Clause  `parser:"(@@ (',' | ';')?)* '}'"`
}

// ClaimHead is a claim up to its opening brace.
type ClaimHead struct {
	Node
	Name  *Name        `parser:"'claim' @@"`
	Of    *Name        `parser:"('of' @@)?"`
	Label *lexer.Token `parser:"@String? '{'"`
}

// Clause is a clause or the property.
type Clause struct {
	Node
	Expect    *lexer.Token   `parser:"  'expect' @('proved' | 'refuted')"`
	With      []*Setting     `parser:"| 'with' @@ ((?= ',' (Name | 'mover') ('=' | '(')) ',' @@)*"`
	For       *ForClause     `parser:"| @@"`
	Using     *Name          `parser:"| 'using' @@"`
	Bound     *Expr          `parser:"| 'bound' @@"`
	Following *Name          `parser:"| (?= 'following' Name) 'following' @@"`
	StartAt   *Name          `parser:"| (?= 'starting' 'at') 'starting' 'at' @@"`
	Reach     *Reach         `parser:"| @@"`
	Never     bool           `parser:"| @'never' 'stuck'"`
	Term      *Terminates    `parser:"| @@"`
	Neighbour *Neighbours    `parser:"| @@"`
	Every     *EveryStep     `parser:"| @@"`
	Unique    bool           `parser:"| @'unique' 'winnable' 'start'"`
	Winning   *WinningStarts `parser:"| @@"`
	Count     *Count         `parser:"| (?= 'count' '(' (('starts' | 'states' | 'finished' | 'winning') ('starts' | 'where' | ')') | ('plays' | 'ancestors') 'of')) @@"`
	Strategy  *Name          `parser:"| (?= Name 'wins' 'wherever') @@ 'wins' 'wherever' 'anything' 'wins'"`
	Relation  *Relation      `parser:"| (?= ('refines' | 'reverses') Name | 'equivalent' 'to') @@"`
	Step      *StepTo        `parser:"| @@"`
}

// ForClause quantifies the claim over a parameter, or over several ranges.
type ForClause struct {
	All    *Name    `parser:"'for' ( (?= 'all' Name) 'all' @@"`
	Some   *Name    `parser:"      | 'some' @@"`
	Ranges []*ForIn `parser:"      | @@ ((?= ',' 'for'? Name 'in') ',' 'for'? @@)*"`
	Colon  bool     `parser:"        @':'? )"`
}

// ForIn is `p in a..b`.
type ForIn struct {
	Node
	Name *Name  `parser:"@@ 'in'"`
	Lo   *Arith `parser:"@@ '..'"`
	Hi   *Arith `parser:"@@"`
}

// Reach is a claim about reachable states.
type Reach struct {
	Kind   string `parser:"@('unreachable' | 'invariant' | 'reachable')"`
	Target *Expr  `parser:"@@"`
	Within *Expr  `parser:"('within' @@)?"`
}

// Terminates says that plays end.
type Terminates struct {
	Word   string `parser:"@'terminates'"`
	Within *Expr  `parser:"('within' @@)?"`
}

// Neighbours lists the states before or behind.
type Neighbours struct {
	Kind string  `parser:"@('predecessors' | 'successors') '('"`
	Of   *Expr   `parser:"@@ ')' '=' '{'"`
	List []*Expr `parser:"(@@ (',' @@)*)? '}'"`
}

// EveryStep says what each step from a set of states does.
type EveryStep struct {
	From  *Expr  `parser:"'from' @@"`
	By    *Label `parser:"('by' @@)?"`
	Gives *Expr  `parser:"'every' 'step' 'gives' @@"`
	All   bool   `parser:"(@'over' 'all' 'states')?"`
}

// WinningStarts lists the starts that can be won.
type WinningStarts struct {
	List []*Expr `parser:"'winning' 'starts' '=' '{' (@@ (',' @@)*)? '}'"`
}

// Count compares the size of a set of states, or a number of plays.
type Count struct {
	Winning bool         `parser:"'count' '(' ( @'winning' 'starts'"`
	Set     string       `parser:"  | @('starts' | 'states' | 'finished')"`
	Plays   *Expr        `parser:"  | 'plays' 'of' @@ ('moves' | 'move')"`
	Of      *Expr        `parser:"  | 'ancestors' 'of' @@ )"`
	Where   *Expr        `parser:"('where' @@)? ')'"`
	Op      *lexer.Token `parser:"@('=' | '/=' | '!=' | '<' | '<=' | '>' | '>=')"`
	Value   *Expr        `parser:"@@"`
}

// Relation compares the claim's variant with another.
type Relation struct {
	Kind     string     `parser:"( @('refines' | 'reverses') | @'equivalent' 'to' )"`
	Other    *Name      `parser:"@@"`
	Settings []*Setting `parser:"('(' @@ (',' @@)* ')')?"`
	Ignoring []*Name    `parser:"('ignoring' @@ (',' @@)*)?"`
}

// StepTo says that a step exists, or none.
type StepTo struct {
	Not  *lexer.Token `parser:"@'not'?"`
	From *Expr        `parser:"@@ '->'"`
	To   *Expr        `parser:"@@"`
	By   *Label       `parser:"('by' @@)?"`
}
