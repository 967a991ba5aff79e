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
	Syntax Code = "S001"
	// S002: a character that starts no token (a stray quote, a control character).
	BadCharacter Code = "S002"
	// S003: a string or block that is not closed before the end of the line or file.
	Unclosed Code = "S003"
	// S004: a reserved word where a name is wanted.
	//
	//	param move = 3
	Reserved Code = "S004"
	// S005: a form that a release removes from the language. None has been so far.
	Removed Code = "S005"
	// S006: a file in a version of the language that is not read.
	OtherLanguage Code = "S006"

	// F001: the file cannot be read.
	Unreadable Code = "F001"
	// F002: the file is larger than the limit.
	TooLarge Code = "F002"
	// F003: the file is not text (invalid UTF-8 or NUL bytes).
	NotText Code = "F003"
	// F004: imports form a circle.
	ImportCycle Code = "F004"
	// F005: an imported file cannot be read.
	ImportMissing Code = "F005"

	// R001: a name that is not declared.
	Unknown Code = "R001"
	// R002: a name declared twice.
	Duplicate Code = "R002"
	// R003: an expression of the wrong type (a pit where a truth value is wanted).
	Type Code = "R003"
	// R004: a pit that is not on the board: index out of its group's range, or not drawn.
	MissingPit Code = "R004"
	// R005: a lap that visits a pit twice, or is empty.
	BadLap Code = "R005"
	// R006: a set of pits where one pit is wanted, and the set has not exactly one.
	NotOnePit Code = "R006"
	// R007: a sowing that can never drop a seed: every pit of its lap is skipped.
	DeadSow Code = "R007"
	// R008: something used where it has no meaning: `last` before any sowing, `my` without players.
	Misplaced Code = "R008"
	// R009: a setup that no distribution satisfies.
	NoStart Code = "R009"
	// R010: a declaration that a variant needs is missing.
	Missing Code = "R010"
	// R011: a fixed setup whose conditions are not equations.
	NotFixed Code = "R011"
	// R012: a value that must be known before play depends on the state.
	NotConstant Code = "R012"
	// R013: wrong number of arguments.
	Arity Code = "R013"
	// R014: a picture, or a list of boards in a file, that does not fit the board.
	Picture Code = "R014"
	// R015: lines of the board relate one pit to two others.
	BadRelation Code = "R015"
	// R016: too many pits, actions or nested choices for one variant.
	TooBig Code = "R016"
	// R017: a position that is defined by itself.
	Circular Code = "R017"
	// R018: a number beyond the supported range.
	NumberRange Code = "R018"
	// R019: two pits joined as if they were numbers.
	TwoPits Code = "R019"
	// R020: a drawn stretch without a pit.
	EmptyStretch Code = "R020"

	// P001: a parameter value outside its range.
	OutOfRange Code = "P001"
	// P002: a parameter that the variant does not declare.
	UnknownParam Code = "P002"
	// P003: a parameter value of the wrong type.
	ParamType Code = "P003"
	// P004: a range whose lower end is above its upper end.
	EmptyRange Code = "P004"

	// C001: a claim that does not say which variant it is about.
	WhichVariant Code = "C001"
	// C002: a claim with clauses that exclude each other.
	BadClause Code = "C002"
	// C003 was a vacuous claim, which is a mark of the verdict now.

	// X001: an assignment that leaves the range of its variable, in play.
	Overflow Code = "X001"
	// X002: division by zero, in play.
	DivZero Code = "X002"
	// X003: a take of more seeds than the pit holds, in play.
	Overdraw Code = "X003"
	// X004: `none` used as a pit, in play.
	NonePit Code = "X004"
	// X005: an expression with no value, in play: `last` before any seed was sown.
	NoValue Code = "X005"
	// X006: play exceeds a limit: a number beyond the range, or too many turns of a loop.
	Beyond Code = "X006"
	// X007: the value of a game that has none: more than two players, or an end that the rules give
	// no worth.
	NoWorth Code = "X007"

	// F006: an interrupt or a limit came before the file was understood.
	Interrupted Code = "F006"

	// F007: the file is something else than rules.
	NotRules Code = "F007"
	// F008: a file or folder that the system refuses, or that would be replaced.
	Refused Code = "F008"

	// F009: a file that is not the report of a shard, or is damaged.
	NotReport Code = "F009"

	// U001: the command line is not one that the program knows.
	Usage Code = "U001"
	// U002: what the command is given does not fit: a board, a move, a trace, a table.
	Unfit Code = "U002"
	// U003: an interrupt or a limit ended the command.
	Ended Code = "U003"
	// U004: reports that are not those of all shards of one run.
	NotWhole Code = "U004"

	// V001: a declaration that nothing uses.
	Unused Code = "V001"
	// V002: a move or outcome that occurs in no play.
	NeverFires Code = "V002"
	// V003 was an outcome with the name of a player, which is an error now.

	// V004: a local that names a pit and is used only as a number.
	PlaceAsNumber Code = "V004"
	// V005: a variable that is read and never set.
	NeverSet Code = "V005"
	// V006: a variable that is set and never read.
	NeverRead Code = "V006"
	// V007: a name that hides another one.
	Shadowed Code = "V007"
	// V008: a statement or a branch that is never carried out.
	Unreached Code = "V008"
	// V009: a variant that nothing ends.
	NoEnding Code = "V009"
	// V010: a claim about plays that names a position with seeds that no start has.
	NoSuchTotal Code = "V010"
	// V011: a player who owns no pit.
	NoPits Code = "V011"
	// V012: a look at `going` in the body of a move, where it is always none.
	GoingInBody Code = "V012"
	// V013: a relay that sows on out of a store.
	OutOfStore Code = "V013"
	// V014: a condition with `and` and `or` about one thing.
	AndOr Code = "V014"
	// V015: a loop that changes nothing that its condition asks for.
	Forever Code = "V015"
	// V016: `mover` in the outcome of an ending that does not ask who is to move.
	NextMover Code = "V016"
	// V017: a lap that goes on from an empty pit.
	EmptyLap Code = "V017"
	// V018: a comment `// meant: CODE` that silences nothing.
	Unmeant Code = "V018"
	// V019: a word that looks like another one.
	Alike Code = "V019"
	// V020: a part of the rules that no play carries out.
	NotCovered Code = "V020"
)
