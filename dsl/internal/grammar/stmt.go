package grammar

// Block is statements in braces.
type Block struct {
	Node
	Body []*Stmt `parser:"'{' @@* '}'"`
}

// Stmt is a statement.
type Stmt struct {
	Node
	Empty   bool     `parser:"  @';'"`
	Sow     *Sow     `parser:"| @@"`
	Capture *Capture `parser:"| @@"`
	Take    *Take    `parser:"| @@"`
	Let     *Let     `parser:"| @@"`
	If      *If      `parser:"| @@"`
	While   *While   `parser:"| @@"`
	For     *For     `parser:"| @@"`
	Again   bool     `parser:"| @'again'"`
	Finish  *Finish  `parser:"| @@"`
	Require *Expr    `parser:"| 'require' @@"`
	Prefer  *Expr    `parser:"| 'prefer' @@"`
	Simple  *Simple  `parser:"| @@"`
}

// Sow is a sowing. What is sown is read as a number of seeds when `from` follows.
type Sow struct {
	What  *Arith    `parser:"'sow' @@"`
	From  *Arith    `parser:"('from' @@)?"`
	Along *Arith    `parser:"'along' @@"`
	Mods  []*SowMod `parser:"(',' @@)*"`
}

// SowMod is what follows a comma in a sowing.
type SowMod struct {
	OriginFirst bool   `parser:"  (?= 'origin' 'first') @'origin' 'first'"`
	Drop        *Block `parser:"| (?= 'each' 'drop') 'each' 'drop' @@"`
	StartAt     *Arith `parser:"| (?= 'starting' 'at') 'starting' 'at' @@"`
	Skip        *Arith `parser:"| 'skip' @@"`
	OnlyLast    *Arith `parser:"| @@ 'takes' 'only' 'the' 'last'"`
}

// Capture moves all seeds of some pits.
type Capture struct {
	From []*Arith `parser:"'capture' @@ (',' @@)*"`
	Into *Arith   `parser:"'into' @@"`
}

// Take moves some seeds.
type Take struct {
	Count *Arith `parser:"'take' @@"`
	From  *Arith `parser:"'from' @@"`
	Into  *Arith `parser:"'into' @@"`
}

// Let is a local.
type Let struct {
	Name  *Name `parser:"'let' @@"`
	Value *Expr `parser:"'=' @@"`
}

// If is a chain of conditions.
type If struct {
	Cond  *Expr     `parser:"'if' @@"`
	Then  *Block    `parser:"@@"`
	Elifs []*ElseIf `parser:"((?= 'else' 'if') @@)*"`
	Else  *Block    `parser:"('else' @@)?"`
}

// ElseIf is `else if E { … }`.
type ElseIf struct {
	Node
	Cond *Expr  `parser:"'else' 'if' @@"`
	Then *Block `parser:"@@"`
}

// While is a loop.
type While struct {
	Cond *Expr  `parser:"'while' @@"`
	Body *Block `parser:"@@"`
}

// For is a loop over pits.
type For struct {
	Name *Name  `parser:"'for' @@"`
	Set  *Expr  `parser:"'in' @@"`
	Body *Block `parser:"@@"`
}

// Finish ends the game.
type Finish struct {
	Kind  string `parser:"@('win' | 'lose' | 'draw' | 'end')"`
	Label *Label `parser:"@@?"`
}

// Simple is an assignment or a sweep, which begin alike.
type Simple struct {
	First *Arith   `parser:"@@"`
	Value *Expr    `parser:"( '=' @@"`
	More  []*Arith `parser:"| (',' @@)*"`
	Into  *Arith   `parser:"  'into' @@ )"`
}

// Head tells the beginning of a Simple.
type Head struct {
	First *Arith `parser:"@@ ('=' | ',' | 'into')"`
}
