package canon

import (
	"strings"

	"github.com/alecthomas/participle/v2"
)

// claims reads what claims assert. They contain expressions of the canonical text.
var claims = participle.MustBuild[asserted](
	participle.Lexer(tokens), participle.Elide("space"), participle.Unquote("String"), participle.UseLookahead(3))

// ParseClaim returns an error unless a text is of the grammar of what claims assert.
func ParseClaim(text string) error {
	_, err := claims.ParseString("", text)
	return err
}

// ClaimGrammar returns the grammar of what claims assert, as docs/claim.ebnf has it: without the
// productions that docs/kernel.ebnf has.
func ClaimGrammar() string {
	known := map[string]bool{}
	for line := range strings.Lines(parser.String()) {
		known[line] = true
	}
	text := claimNotes
	for line := range strings.Lines(claims.String() + "\n") {
		if !known[line] {
			text += line
		}
	}
	return text
}

// claimNotes begin docs/claim.ebnf.
const claimNotes = `(* What a certificate says that its claim asserts. What it means is in certificates.md.

   Tokens, Name, Primary, Lap, Relation and Expr are those of kernel.ebnf; the names are those of
   the System of the certificate, with the laps and relations behind "given", and in a Pair those
   behind "=" are pits of the other System. In Sizes there are the parameter that decides the size
   and a digest of the text of the rules and the claim. Of words that kernel.ebnf does not have any
   may be a name as well: only their place makes them words. *)

`

// asserted is a whole text.
type asserted struct {
	Sizes *sizes `parser:"@@?"`
	Own   *own   `parser:"@@?"`
	Claim *claim `parser:"@@"`
}

// sizes says of which sizes the claim is, and of which rules.
type sizes struct {
	Param  *name  `parser:"'for' 'every' @@"`
	Least  int    `parser:"'>=' @Number"`
	Digest string `parser:"'of' @String ':'"`
}

// own are laps and relations that the System does not have.
type own struct {
	List []*ownTable `parser:"'given' @@+ ':'"`
}

type ownTable struct {
	Lap      *lap      `parser:"@@"`
	Relation *relation `parser:"| @@"`
}

type claim struct {
	Not       *claim     `parser:"( 'not' '(' @@ ')' )"`
	Reach     *reach     `parser:"| @@"`
	Never     bool       `parser:"| @( 'never' 'stuck' )"`
	Steps     *steps     `parser:"| @@"`
	Ends      *ends      `parser:"| @@"`
	Count     *count     `parser:"| @@"`
	Winning   *winning   `parser:"| @@"`
	Strategy  *strategy  `parser:"| @@"`
	Relates   *relates   `parser:"| @@"`
	Value     *value     `parser:"| @@"`
	Winner    *winner    `parser:"| @@"`
	BestMoves *bestMoves `parser:"| @@"`
	Force     *force     `parser:"| @@"`
}

type reach struct {
	Word   string  `parser:"@( 'unreachable' | 'invariant' | 'reachable' )"`
	Target *expr   `parser:"@@"`
	Within *within `parser:"@@?"`
}

// within is a number of moves.
type within struct {
	Moves int `parser:"'within' @Number"`
}

type steps struct {
	From  *expr `parser:"'from' @@"`
	By    []int `parser:"( 'by' @Number ( ',' @Number )* )?"`
	Gives *expr `parser:"'every' 'step' 'gives' @@"`
	All   bool  `parser:"( @'over' 'all' 'states' )?"`
}

type ends struct {
	Within       *within `parser:"'terminates' ( @@"`
	ByRepetition bool    `parser:"| @( 'by' 'repetition' ) )?"`
}

type count struct {
	Set   string   `parser:"'count' '(' @( 'states' | 'finished' | 'winning' 'starts' )"`
	Where *expr    `parser:"'where' @@ ')'"`
	Is    *compare `parser:"@@"`
}

type compare struct {
	Op string `parser:"@( '=' | '/=' | '<' | '<=' | '>' | '>=' )"`
	N  int    `parser:"@Number"`
}

type winning struct {
	List []*expr `parser:"'winning' 'starts' '=' '{' @@ ( ',' @@ )* '}'"`
}

type strategy struct {
	Name string `parser:"'strategy' @String"`
	Hash string `parser:"'wins' 'by' @String"`
}

type relates struct {
	Word  string  `parser:"@( 'refines' | 'equivalent' | 'reverses' )"`
	Hash  string  `parser:"@String"`
	In    string  `parser:"( 'in' @( 'score' | 'result' | 'play' 'and' 'notation' ) )?"`
	Pairs []*pair `parser:"( 'comparing' @@ ( ',' @@ )* )?"`
}

type pair struct {
	Pit   *name `parser:"@@ '='"`
	Other *name `parser:"@@"`
}

type value struct {
	Of      *position `parser:"'value' '(' @@ ')'"`
	Player  *string   `parser:"( 'for' @String )?"`
	Is      *compare  `parser:"@@"`
	Endless *endless  `parser:"@@?"`
}

type winner struct {
	Of      *position `parser:"'winner' '(' @@ ')'"`
	Op      string    `parser:"@( '=' | '/=' )"`
	Player  string    `parser:"( @String | 'none' )"`
	Endless *endless  `parser:"@@?"`
}

type bestMoves struct {
	Of      *position `parser:"'best' '(' @@ ')' '='"`
	Moves   []string  `parser:"'{' ( @String ( ',' @String )* )? '}'"`
	Endless *endless  `parser:"@@?"`
}

// endless says what a play is worth that goes on for ever.
type endless struct {
	Draw bool `parser:"'where' 'endless' 'play' ( @( 'is' 'a' 'draw' ) | 'counts' 'as' 'scored' )"`
}

type force struct {
	Player string    `parser:"@String 'can' 'force'"`
	Goal   *expr     `parser:"@@"`
	Within *within   `parser:"@@?"`
	From   *position `parser:"'from' @@"`
}

type position struct {
	Start bool     `parser:"( @'start'"`
	Parts []*part  `parser:"| '(' @@ ( ',' @@ )* ')' )"`
	After []string `parser:"( 'after' @String ( ',' @String )* )?"`
}

type part struct {
	Name  *name    `parser:"( @@"`
	Mover bool     `parser:"| @'mover' )"`
	Value *primary `parser:"'=' @@"`
}
