package diag

// Code is the stable name of a kind of diagnostic. Numbers never change meaning and are never used
// again; scripts and documentation may rely on them. S is syntax, R resolution (names, types,
// boards), P parameters, C claims, X execution, F files, U the command line, V what vet finds. Each
// has a section in codes.txt.
type Code string

const (
	// S001: the text is not what the grammar expects at this place.
	//
	//	variant V { param = 3 }
	Syntax       Code = "S001"
	BadCharacter Code = "S002" // a character that starts no token (a stray quote, a control character)
	Unclosed     Code = "S003" // a string or block that is not closed before the end of the line or file
	// S004: a reserved word where a name is wanted.
	//
	//	param move = 3
	Reserved      Code = "S004"
	Removed       Code = "S005" // a form that a release removes from the language. None has been so far
	OtherLanguage Code = "S006" // a file in a version of the language that is not read

	Unreadable    Code = "F001" // the file cannot be read
	TooLarge      Code = "F002" // the file is larger than the limit
	NotText       Code = "F003" // the file is not text (invalid UTF-8 or NUL bytes)
	ImportCycle   Code = "F004" // imports form a circle
	ImportMissing Code = "F005" // an imported file cannot be read

	Unknown      Code = "R001" // a name that is not declared
	Duplicate    Code = "R002" // a name declared twice
	Type         Code = "R003" // an expression of the wrong type (a pit where a truth value is wanted)
	MissingPit   Code = "R004" // a pit that is not on the board: index out of its group's range, or not drawn
	BadLap       Code = "R005" // a lap that visits a pit twice, or is empty
	NotOnePit    Code = "R006" // a set of pits where one pit is wanted, and the set has not exactly one
	DeadSow      Code = "R007" // a sowing that can never drop a seed: every pit of its lap is skipped
	Misplaced    Code = "R008" // something used where it has no meaning: `last` before any sowing, `my` without players
	NoStart      Code = "R009" // a setup that no distribution satisfies
	Missing      Code = "R010" // a declaration that a variant needs is missing
	NotFixed     Code = "R011" // a fixed setup whose conditions are not equations
	NotConstant  Code = "R012" // a value that must be known before play depends on the state
	Arity        Code = "R013" // wrong number of arguments
	Picture      Code = "R014" // a picture, or a list of boards in a file, that does not fit the board
	BadRelation  Code = "R015" // lines of the board relate one pit to two others
	TooBig       Code = "R016" // too many pits, actions or nested choices for one variant
	Circular     Code = "R017" // a position that is defined by itself
	NumberRange  Code = "R018" // a number beyond the supported range
	TwoPits      Code = "R019" // two pits joined as if they were numbers
	EmptyStretch Code = "R020" // a drawn stretch without a pit

	OutOfRange   Code = "P001" // a parameter value outside its range
	UnknownParam Code = "P002" // a parameter that the variant does not declare
	ParamType    Code = "P003" // a parameter value of the wrong type
	EmptyRange   Code = "P004" // a range whose lower end is above its upper end

	WhichVariant Code = "C001" // a claim that does not say which variant it is about
	BadClause    Code = "C002" // a claim with clauses that exclude each other
	// C003 was a vacuous claim, which is a mark of the verdict now.

	Overflow Code = "X001" // an assignment that leaves the range of its variable, in play
	DivZero  Code = "X002" // division by zero, in play
	Overdraw Code = "X003" // a take of more seeds than the pit holds, in play
	NonePit  Code = "X004" // `none` used as a pit, in play
	NoValue  Code = "X005" // an expression with no value, in play: `last` before any seed was sown
	Beyond   Code = "X006" // play exceeds a limit: a number beyond the range, or too many turns of a loop
	NoWorth  Code = "X007" // the value of a game that has none: more than two players, or an end that the rules give no worth

	Interrupted Code = "F006" // an interrupt or a limit came before the file was understood

	NotRules Code = "F007" // the file is something else than rules
	Refused  Code = "F008" // a file or folder that the system refuses, or that would be replaced

	NotReport Code = "F009" // a file that is not the report of a shard, or is damaged

	Usage    Code = "U001" // the command line is not one that the program knows
	Unfit    Code = "U002" // what the command is given does not fit: a board, a move, a trace, a table
	Ended    Code = "U003" // an interrupt or a limit ended the command
	NotWhole Code = "U004" // reports that are not those of all shards of one run

	Unused     Code = "V001" // a declaration that nothing uses
	NeverFires Code = "V002" // a move or outcome that occurs in no play
	// V003 was an outcome with the name of a player, which is an error now.

	PlaceAsNumber Code = "V004" // a local that names a pit and is used only as a number
	NeverSet      Code = "V005" // a variable that is read and never set
	NeverRead     Code = "V006" // a variable that is set and never read
	Shadowed      Code = "V007" // a name that hides another one
	Unreached     Code = "V008" // a statement or a branch that is never carried out
	NoEnding      Code = "V009" // a variant that nothing ends
	NoSuchTotal   Code = "V010" // a claim about plays that names a position with seeds that no start has
	NoPits        Code = "V011" // a player who owns no pit
	GoingInBody   Code = "V012" // a look at `going` in the body of a move, where it is always none
	OutOfStore    Code = "V013" // a relay that sows on out of a store
	AndOr         Code = "V014" // a condition with `and` and `or` about one thing
	Forever       Code = "V015" // a loop that changes nothing that its condition asks for
	NextMover     Code = "V016" // `mover` in the outcome of an ending that does not ask who is to move
	EmptyLap      Code = "V017" // a lap that goes on from an empty pit
	Unmeant       Code = "V018" // a comment `// meant: CODE` that silences nothing
	Alike         Code = "V019" // a word that looks like another one
	NotCovered    Code = "V020" // a part of the rules that no play carries out
	Seeming       Code = "V021" // words that mean something else than they seem to
)
