// Package canon reads the canonical text of a System back. It is for tests: they show that the text
// says all that decides how a System is played, and that its grammar, docs/kernel.ebnf, is right.
//
// It shares no code with rules/canon.go, which writes the text. The struct tags below
// are the grammar: the parser and docs/kernel.ebnf are both made of them, so neither can differ
// from the other.
package canon

import (
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// tokens are the kinds of tokens; at each place the first that matches is taken. The words of the
// grammar come before names, so a part of the game that is called like one of them is quoted.
var tokens = lexer.MustSimple([]lexer.SimpleRule{
	{Name: "space", Pattern: `\s+`},
	{Name: "String", Pattern: `"(\\.|[^"\\])*"`},
	{Name: "Quoted", Pattern: "`[^`]*`"},
	{Name: "EnumValue", Pattern: "e\\d+\\.(`[^`]*`|\\w+)"},
	{Name: "Local", Pattern: `\$\d+`},
	{Name: "Number", Pattern: `-?\d+`},
	{Name: "Word", Pattern: `\b(` + `kernel|variant|param|enum|player|pit|ring|line|relation|state|ghost|setup|move|` +
		`fallback|reaction|repetition|offered|outcome|score|index|owner|of|locals|written|when|for|free|mover|label|win|lose|draw|` +
		`endless|end|at|turn|number|truth|sow|from|along|all|skip|if|only|last|starting|origin|first|into|illegal|` +
		`finish|while|else|rank|next|before|was|not|and|or|in|div|mod|min|max|then|total|seeds|pick|stuck|start|no|` +
		`old|none|true|false` + `)\b`},
	{Name: "Name", Pattern: `[A-Za-z_]\w*`},
	{Name: "Sign", Pattern: `\.\.|/=|<=|>=|[=<>+*(){},:-]`},
})

// parser needs three tokens of lookahead to choose between the members of primary.
var parser = participle.MustBuild[system](
	participle.Lexer(tokens), participle.Elide("space"), participle.Unquote("String"), participle.UseLookahead(3))

// Grammar returns the grammar of the canonical text, as docs/kernel.ebnf has it.
func Grammar() string { return notes + strings.TrimSpace(parser.String()) + "\n" }

// notes begin docs/kernel.ebnf: they say what the productions cannot.
const notes = `(* The canonical text of a System, version 2. What it means is in kernel.md.

   The text is a sequence of tokens. Spaces and ends of lines separate them and mean nothing else.

     string     in double quotes, with the escapes of Go: \" \\ \n \t \u00e9
     quoted     a name in backquotes: one that is a word of this grammar, or no identifier
     name       a letter or _, then letters, digits and _; no word of this grammar
     number     digits, with a - directly before them if it is negative
     local      $ and the number of a local of the body: $0 is the first one
     enumvalue  a value of an enumeration: e0.placing is the value placing of the enumeration e0,
                or with the value in backquotes, as for a name

   "seeds" is a word wherever it stands, also before "("; so is each text in double quotes below.

   Things are numbered from 0 in the order in which they are listed: players, pits, laps, relations,
   enumerations, the values of an enumeration, variables, actions, outcomes, reactions. The first
   enumeration is e0, and so on. A name is declared before it is used, and once: it is that of a
   pit, a variable or a parameter. A lap, a relation or an enumeration may have the same name as
   one of these; only its place tells. A string is the name of a player, or behind "outcome" and
   "finish" that of an outcome. Only outcomes are declared behind the bodies that name them. A local
   is 0 at first. "none" is -1.

   Operators bind as expr, conjunction, negation, comparison, sum, product, unary say: "or" binds
   most loosely. Operators of one strength are evaluated from left to right. *)

`

// system is a whole text. Parts come in an order in which every name is declared before it is used.
type system struct {
	Version   int         `parser:"'kernel' @Number"`
	Name      string      `parser:"'variant' @String"`
	Params    []*param    `parser:"@@*"`
	Players   []string    `parser:"('player' @String)+"`
	Pits      []*pit      `parser:"@@*"`
	Laps      []*lap      `parser:"@@*"`
	Relations []*relation `parser:"@@*"`
	Enums     []*enum     `parser:"@@*"`
	Vars      []*variable `parser:"@@*"`
	Setup     *setup      `parser:"@@"`
	Actions   []*action   `parser:"@@*"`
	Outcomes  []*outcome  `parser:"@@*"`
	Reactions []*reaction `parser:"@@*"`
	Repeats   *repetition `parser:"@@?"`
	Scores    []*score    `parser:"@@*"`
}

// name keeps the backquotes, if there are any; its String does not have them.
type name struct {
	Name string `parser:"@Name | @Quoted"`
}

// param is a parameter with a value, or an open one with its range.
type param struct {
	Name  *name  `parser:"'param' @@"`
	Value string `parser:"( '=' @( Number | 'true' | 'false' )"`
	Open  bool   `parser:"| @'in'"`
	Lo    int    `parser:"@Number '..'"`
	Hi    *int   `parser:"@Number? )"`
}

type pit struct {
	Name  *name   `parser:"'pit' @@"`
	Index int     `parser:"'index' @Number"`
	Owner *string `parser:"'owner' ( @String | 'none' )"`
}

// lapName identifies a lap: laps of different players may share a name.
type lapName struct {
	Name  *name   `parser:"@@"`
	Owner *string `parser:"( 'of' @String )?"`
}

type lap struct {
	Kind string   `parser:"@( 'ring' | 'line' )"`
	Name *lapName `parser:"@@ '='"`
	Pits []*place `parser:"@@ ( ',' @@ )*"`
}

// place is a pit, or none.
type place struct {
	None bool  `parser:"@'none'"`
	Pit  *name `parser:"| @@"`
}

type set struct {
	Pits []*place `parser:"'{' ( @@ ( ',' @@ )* )? '}'"`
}

type relation struct {
	Name *name    `parser:"'relation' @@ '='"`
	To   []*place `parser:"@@ ( ',' @@ )*"`
}

// enum is an enumeration; the first one is e0.
type enum struct {
	Name   *name   `parser:"'enum' @@"`
	Values []*name `parser:"'{' @@ ( ',' @@ )* '}'"`
}

// variable is a state variable. A ghost is one that does not belong to the state of the game
// itself.
type variable struct {
	Kind   string    `parser:"@( 'state' | 'ghost' )"`
	Name   *name     `parser:"@@"`
	Type   *typeName `parser:"':' @@"`
	Domain []*domain `parser:"'{' @@ ( ',' @@ )* '}'"`
	Init   *expr     `parser:"'=' @@"`
}

type typeName struct {
	Word string `parser:"@( 'number' | 'truth' | 'pit' | 'player' | 'outcome' | Name )"`
}

// domain is a value, or a range of consecutive ones.
type domain struct {
	Lo *expr `parser:"@@"`
	Hi *expr `parser:"( '..' @@ )?"`
}

type setup struct {
	Label string `parser:"'setup' @String"`
	Mover string `parser:"'mover' @String"`
	Free  *set   `parser:"'free' @@"`
	When  *expr  `parser:"( 'when' @@ )?"`
}

type action struct {
	Kind    string      `parser:"@( 'move' | 'fallback' )"`
	Label   string      `parser:"@String"`
	Mover   string      `parser:"'of' @String"`
	Written []*written  `parser:"( 'written' @@ ( ',' @@ )* )?"`
	Locals  []*typeName `parser:"'{' ( 'locals' @@ ( ',' @@ )* )?"`
	When    *expr       `parser:"( 'when' @@ )?"`
	Body    []*stmt     `parser:"@@* '}'"`
}

// written is a part of the notation of a move: a text, or the value of an expression.
type written struct {
	Text *string `parser:"@String"`
	Kind string  `parser:"| @( 'number' | 'pit' )"`
	X    *expr   `parser:"@@"`
}

type outcome struct {
	Name   string `parser:"'outcome' @String"`
	Label  string `parser:"'label' @String"`
	Kind   string `parser:"( @'win'"`
	Winner string `parser:"@String"`
	Other  string `parser:"| @( 'lose' | 'draw' | 'end' | 'endless' ) )"`
}

type reaction struct {
	AtTurnEnd bool           `parser:"'reaction' ( @'at' 'turn' 'end' )?"`
	By        []*reactionFor `parser:"'{' @@+ '}'"`
}

type repetition struct {
	Offered bool        `parser:"'repetition' @'offered'?"`
	By      []*finishBy `parser:"'{' @@+ '}'"`
}

type finishBy struct {
	Player  string `parser:"'for' @String"`
	Outcome string `parser:"'finish' @String"`
}

type reactionFor struct {
	Player string      `parser:"'for' @String"`
	Locals []*typeName `parser:"'{' ( 'locals' @@ ( ',' @@ )* )?"`
	When   *expr       `parser:"'when' @@"`
	Body   []*stmt     `parser:"@@* '}'"`
}

type score struct {
	Player string `parser:"'score' @String"`
	X      *expr  `parser:"'=' @@"`
}

type block struct {
	Body []*stmt `parser:"'{' @@* '}'"`
}

// stmt is a statement. An assignment comes last, since it has no word of its own to begin with.
type stmt struct {
	Sow     *sow     `parser:"@@"`
	Move    *move    `parser:"| @@"`
	If      *ifStmt  `parser:"| @@"`
	While   *while   `parser:"| @@"`
	Illegal bool     `parser:"| @'illegal'"`
	Finish  *string  `parser:"| 'finish' @String"`
	Set     *setStmt `parser:"| @@"`
}

type sow struct {
	Count       *expr    `parser:"'sow' ( 'all' | @@ )"`
	Source      *expr    `parser:"'from' @@"`
	Lap         *lapName `parser:"'along' @@"`
	OriginFirst bool     `parser:"( @'origin' 'first' )?"`
	StartAt     *expr    `parser:"( 'starting' 'at' @@ )?"`
	Skip        *set     `parser:"( 'skip' @@ )?"`
	OnlyLast    *set     `parser:"( 'only' 'last' @@ )?"`
	SkipIf      []*skip  `parser:"@@*"`
	Drop        *block   `parser:"@@?"`
}

type skip struct {
	Pit *name `parser:"'skip' @@"`
	If  *expr `parser:"'if' @@"`
}

type move struct {
	Count *expr `parser:"'move' ( 'all' | @@ )"`
	From  *expr `parser:"'from' @@"`
	Into  *expr `parser:"'into' @@"`
}

type ifStmt struct {
	Cond *expr  `parser:"'if' @@"`
	Then *block `parser:"@@"`
	Else *block `parser:"( 'else' @@ )?"`
}

type while struct {
	Cond *expr  `parser:"'while' @@"`
	Body *block `parser:"@@"`
}

type setStmt struct {
	To *primary `parser:"@@ '='"`
	X  *expr    `parser:"@@"`
}

// The types of expressions follow, from the operators that bind most loosely to the tightest. Lists
// stand for operators of one strength, evaluated from left to right, since the parser cannot handle
// left recursion.

type expr struct {
	Or []*conjunction `parser:"@@ ( 'or' @@ )*"`
}

type conjunction struct {
	And []*negation `parser:"@@ ( 'and' @@ )*"`
}

type negation struct {
	Not     *negation   `parser:"'not' @@"`
	Compare *comparison `parser:"| @@"`
}

type comparison struct {
	L   *sum   `parser:"@@"`
	Op  string `parser:"( @( '=' | '/=' | '<' | '<=' | '>' | '>=' )"`
	R   *sum   `parser:"@@"`
	Set *set   `parser:"| 'in' @@ )?"`
}

type sum struct {
	L    *product `parser:"@@"`
	Rest []*added `parser:"@@*"`
}

type added struct {
	Op string   `parser:"@( '+' | '-' )"`
	X  *product `parser:"@@"`
}

type product struct {
	L    *unary        `parser:"@@"`
	Rest []*multiplied `parser:"@@*"`
}

type multiplied struct {
	Op string `parser:"@( '*' | 'div' | 'mod' )"`
	X  *unary `parser:"@@"`
}

type unary struct {
	Old     *unary   `parser:"'old' @@"`
	Primary *primary `parser:"| @@"`
}

// primary is an expression without operators. The first member that matches is taken, so names come
// last: a relation before them, as it also begins with a name.
type primary struct {
	Number    *int       `parser:"@Number"`
	Truth     string     `parser:"| @( 'true' | 'false' )"`
	None      bool       `parser:"| @'none'"`
	EnumValue string     `parser:"| @EnumValue"`
	Player    *string    `parser:"| @String"`
	Outcome   *string    `parser:"| 'outcome' @String"`
	Result    bool       `parser:"| @'outcome'"`
	Local     string     `parser:"| @Local"`
	LastWas   bool       `parser:"| @( 'last' 'was' )"`
	Register  string     `parser:"| @( 'last' | 'origin' | 'mover' | 'rank' | 'stuck' | 'start' )"`
	NextMover bool       `parser:"| @( 'next' 'mover' )"`
	NoMove    bool       `parser:"| @( 'no' 'move' )"`
	Step      *step      `parser:"| @@"`
	Seeds     *expr      `parser:"| 'seeds' '(' @@ ')'"`
	Index     *expr      `parser:"| 'index' '(' @@ ')'"`
	Total     *set       `parser:"| 'total' '(' @@ ')'"`
	Pick      *pick      `parser:"| @@"`
	Least     *least     `parser:"| @@"`
	Cond      *condition `parser:"| @@"`
	Paren     *expr      `parser:"| '(' @@ ')'"`
	Related   *related   `parser:"| @@"`
	Name      *name      `parser:"| @@"`
}

type step struct {
	Word string   `parser:"@( 'next' | 'before' ) '('"`
	X    *expr    `parser:"@@"`
	Lap  *lapName `parser:"'along' @@ ')'"`
}

type pick struct {
	Index   *expr     `parser:"'pick' '(' @@"`
	Choices []*picked `parser:"( ',' @@ )* ')'"`
}

type picked struct {
	Key *primary `parser:"@@ ':'"`
	Var *name    `parser:"@@"`
}

type least struct {
	Word string `parser:"@( 'min' | 'max' ) '('"`
	L    *expr  `parser:"@@ ','"`
	R    *expr  `parser:"@@ ')'"`
}

type condition struct {
	If   *expr `parser:"'(' 'if' @@"`
	Then *expr `parser:"'then' @@"`
	Else *expr `parser:"'else' @@ ')'"`
}

type related struct {
	Relation *name `parser:"@@ '('"`
	X        *expr `parser:"@@ ')'"`
}
