package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/mancheck/mancheck/dsl/spell"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/plain"
	"github.com/mancheck/mancheck/rules/build"
)

// cli is the grammar of the command line but for the commands.
type cli struct {
	AllowImports importFlag  `group:"all" sep:"none" placeholder:"DIR" help:"Also allow imports from this folder. By default rules files import from their own folder and its git repository. May be repeated."`
	ShowVersion  versionFlag `group:"all" name:"version" short:"V" help:"Print the version."`
}

// subcommand is a command of the command line. grammar points to a struct with its arguments and
// flags.
type subcommand struct {
	group, name, help string
	grammar           any
}

// commands returns the commands in the order of --help.
func commands() []subcommand {
	return []subcommand{
		{"write", "init", "Make a folder to start from: rules, claims, and a file for continuous integration.", &initCmd{}},
		{"write", "import", "Write rules from the game properties of MancalaGames.", &importCmd{}},
		{"write", "fmt", "Lay rules files out.", &fmtCmd{}},
		{"write", "vet", "Look for mistakes in rules files without deciding their claims.", &vetCmd{}},
		{"write", "lsp", "Serve an editor: the Language Server Protocol on standard input and output.", &lspCmd{}},
		{"decide", "check", "Decide the claims of rules files.", &checkCmd{}},
		{"decide", "prove", "Decide all claims of files and folders, keep the verdicts, and list them briefly.", &proveCmd{}},
		{"decide", "merge", "Merge the reports and caches of a run that was divided among machines.", &mergeCmd{}},
		{"decide", "watch", "Decide claims, and again those that a change of the files touches.", &watchCmd{}},
		{"evidence", "explain", "Write the proof of claims as a document.", &explainCmd{}},
		{"evidence", "trace", "Write the play that is the evidence for a claim.", &traceCmd{}},
		{"evidence", "replay", "Play a trace file, a list of moves or recorded games, move by move.", &replayCmd{}},
		{"evidence", "certify", "Check certificates again.", &certifyCmd{}},
		{"explore", "show", "Show the board of a variant, with all that follows from its picture.", &showCmd{}},
		{"explore", "moves", "List the legal moves of a position.", &movesCmd{}},
		{"explore", "play", "Play a game in the terminal, against the computer or another person.", &playCmd{}},
		{"explore", "simulate", "Play many games at random or by strategies, and count what happens.", &simulateCmd{}},
		{"explore", "survey", "Answer what people ask of any game: whether a player can be stuck, or win.", &surveyCmd{}},
		{"explore", "sweep", "Tabulate values, lengths, counts and answers over sizes and rules.", &sweepCmd{}},
		{"explore", "count", "Count the states that can be reached.", &countCmd{}},
		{"explore", "perft", "Count the sequences of moves of each length.", &perftCmd{}},
		{"explore", "graph", "Write the states that can be reached, and the moves between them, as a graph.", &graphCmd{}},
		{"worth", "value", "Find the value of a game: what it comes to if both players play as well as they can.", &valueCmd{}},
		{"worth", "best", "Find the value of each move of a position, and the best ones.", &bestCmd{}},
		{"worth", "table", "Build, describe, verify and look up endgame tables.", &tableCmd{}},
		{"shared", "plan", "Plan and run a job on many processes or machines.", &planCmd{}},
		{"shared", "status", "Show the progress and the cost of a job.", &statusCmd{}},
		{"tool", "help", "Explain a command, a topic, or a code of a diagnostic.", &helpCmd{}},
		{"tool", "completion", "Print a script that completes command lines in a shell.", &completionCmd{}},
		{"tool", "version", "Print the version.", &versionCmd{}},
		{"tool", "task", "", &taskCmd{}},
		{"tool", "complete", "", &completeCmd{}}, // hidden, since it is for scripts only
	}
}

// groups has the titles of the groups of commands and of options.
var groups = []kong.Group{
	{Key: "write", Title: "Write rules"},
	{Key: "decide", Title: "Decide claims"},
	{Key: "evidence", Title: "See and check the evidence"},
	{Key: "explore", Title: "Explore a game"},
	{Key: "worth", Title: "Find values"},
	{Key: "shared", Title: "Run jobs on many machines"},
	{Key: "tool", Title: "About this tool"},
	{Key: "game", Title: "The game and its position"},
	{Key: "values", Title: "Values and tables"},
	{Key: "reports", Title: "Reports"},
	{Key: "cache", Title: "Cache"},
	{Key: "solver", Title: "Solvers"},
	{Key: "limits", Title: "Limits of work"},
	{Key: "all", Title: "Options of all commands"},
}

// importFlag is the list of folders to import from.
type importFlag []string

// AfterApply adds the folders to those that the session reads from.
func (f importFlag) AfterApply(s *session) error {
	s.reader.Allowed = append(s.reader.Allowed, f...)
	return nil
}

// versionFlag is the command version as an option.
type versionFlag bool

// BeforeReset prints the version. It runs before the parser notices that there is no command.
func (versionFlag) BeforeReset(s *session) error {
	if err := (versionCmd{}).Run(s); err != nil {
		return err
	}
	panic(helped{})
}

const description = `A model checker for sowing games.

Rules files say how a game is played and what is claimed about it; mancheck decides the claims.`

// parser returns the parser of command lines. It writes help to the session's streams. It has the
// arguments and flags only of the commands that are wanted: to read those of all takes longer than
// a short command.
func (s *session) parser(wanted func(name string) bool) *kong.Kong {
	options := []kong.Option{
		kong.Name("mancheck"),
		kong.Description(description),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}),
		kong.Writers(s.out, s.err),
		// The parser wants to exit after it has written help. The panic returns to parse instead.
		kong.Exit(func(int) { panic(helped{}) }),
		kong.Bind(s),
		kong.Vars{"engines": strings.Join(lists.Map(build.Engines, func(e build.Engine) string { return string(e) }), ",")},
		kong.ExplicitGroups(groups),
	}
	for _, c := range commands() {
		if !wanted(c.name) {
			c.grammar = &struct{}{}
		}
		var tags []string
		if c.help == "" {
			tags = append(tags, `hidden:""`)
		}
		options = append(options, kong.DynamicCommand(c.name, c.help, c.group, c.grammar, tags...))
	}
	k := kong.Must(&cli{}, options...)
	for _, n := range k.Model.Children {
		if n.Detail = texts.Brief(n.Name); n.Detail != "" {
			for _, sub := range n.Children {
				sub.Detail = n.Detail
			}
		}
	}
	return k
}

// helped is the panic value that ends parsing when help was asked for.
type helped struct{}

// command parses the command line and runs the command.
func (s *session) command(args []string) error {
	if len(args) == 0 {
		return s.begin()
	}
	if err := printable(args); err != nil {
		return err
	}
	ctx, err := s.parse(args)
	if err != nil || ctx == nil {
		return err
	}
	return ctx.Run()
}

// begin is what the program says to those who do not know it.
func (s *session) begin() error {
	if err := s.command([]string{"--help"}); err != nil {
		return err
	}
	_, err := s.out.WriteString(`
To begin, write a small game with a mistake in it, and let its claims find the mistake:

    mancheck init ring
    mancheck check ring
`)
	return err
}

// printable rejects arguments with control characters. They would come back in messages and file
// names, where they could change what a terminal shows. Moves and boards may have line breaks.
func printable(args []string) error {
	for i, arg := range args {
		name, value, joined := strings.Cut(arg, "=")
		if !joined {
			name, value = "", arg
			if i > 0 {
				name = args[i-1]
			}
		}
		if name == "--moves" || name == "--board" {
			arg = strings.Join(strings.Fields(value), " ")
		}
		if !plain.Is(arg) {
			return usageError{fmt.Errorf("%q holds characters that cannot be shown", arg)}
		}
	}
	return nil
}

// parse parses the command line. The context is nil if the arguments asked for help, which has been
// written.
func (s *session) parse(args []string) (ctx *kong.Context, err error) {
	defer func() {
		switch fault := recover().(type) {
		case nil:
		case helped:
			ctx, err = nil, nil
		default:
			panic(fault)
		}
	}()
	k := s.parser(func(name string) bool { return slices.Contains(args, name) })
	if ctx, err = k.Parse(args); err != nil {
		return nil, usageError{cmp.Or(unknownCommand(args[0]), unknownSubcommand(k, args), err)}
	}
	return ctx, nil
}

// unknownCommand is the error of a word that is no command; nil if it is one, or an option.
func unknownCommand(name string) error {
	names := lists.Map(commands(), func(c subcommand) string { return c.name })
	if slices.Contains(names, name) || strings.HasPrefix(name, "-") {
		return nil
	}
	if near := spell.Nearest(name, names); near != "" {
		return fmt.Errorf("there is no command %q; did you mean %q?", name, near)
	}
	return fmt.Errorf("there is no command %q", name)
}

// unknownSubcommand is the error of a word behind a command that has others and not this one; nil
// if it is one of them, or an option.
func unknownSubcommand(k *kong.Kong, args []string) error {
	if len(args) < 2 || strings.HasPrefix(args[1], "-") {
		return nil
	}
	for _, c := range k.Model.Children {
		if c.Name != args[0] || len(c.Children) == 0 {
			continue
		}
		names := lists.Map(c.Children, func(sub *kong.Node) string { return sub.Name })
		if !slices.Contains(names, args[1]) {
			return fmt.Errorf("%s has no command %q: its commands are %s", c.Name, args[1], strings.Join(names, ", "))
		}
	}
	return nil
}

// usageError is an error in the command line itself.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }

// gameFlags select the System that a command works on.
type gameFlags struct {
	Variant string   `placeholder:"NAME" help:"Variant to play; needed if the file has several."`
	Param   []string `short:"p" sep:"none" placeholder:"NAME=VALUE" help:"Value of a parameter. May be repeated."`
}

// boardFlags select a position.
type boardFlags struct {
	Board string `placeholder:"BOARD" help:"Seeds of all pits in the order of the first lap, then of the pits that are on no lap, in the order of declaration. Separators are spaces and commas. Or a drawn board with | between its parts, in one line or with / between its rows; or a state as JSON."`
}

// positionFlags select a game and a position in it, with other values of variables.
type positionFlags struct {
	State      []string `sep:"none" placeholder:"NAME=VALUE" help:"Value of a state variable, or of mover. May be repeated."`
	gameFlags  `group:"game"`
	boardFlags `group:"game"`
}

// formatFlag selects the format of the output.
type formatFlag struct {
	Format string `enum:"text,json" default:"text" help:"text for people, or json: one object on standard output."`
}

// AfterApply makes the session report failures in the same format.
func (f *formatFlag) AfterApply(s *session) error {
	s.json = f.Format == "json"
	return nil
}

// limitFlags limit a search.
type limitFlags struct {
	workFlags  `group:"limits"`
	NoSymmetry bool `help:"Store every state of a search. Otherwise, where the rules have symmetries, as in a board that looks the same from both sides, states that are mirror images of each other are stored once. Verdicts and counts do not depend on it."`
}

// workFlags limit any work on states.
type workFlags struct {
	MaxStates   count   `placeholder:"N" help:"Stop after this many states."`
	Threads     threads `placeholder:"N" help:"Threads of a search; the default is one for each processor. Results do not depend on it."`
	budgetFlags `group:"limits"`
}

// bounds returns the limits of a search.
func (f *workFlags) bounds() limit.Bounds {
	return limit.Bounds{MaxStates: int64(f.MaxStates), MaxMemory: int64(f.MaxMemory.size), Threads: int(f.Threads)}
}

// budgetFlags limit a command as a whole.
type budgetFlags struct {
	Timeout   deadline `placeholder:"DURATION" help:"Longest time for the whole command: 30s, 10m. What is not decided by then is unknown. There is no limit by default."`
	MaxMemory memory   `placeholder:"SIZE" help:"Most memory for the whole command: 512MiB, 4G. What takes more is unknown. The default is two thirds of the machine's."`
}

// memory is the memory that a command may take, in bytes; 0 means the default.
type memory struct{ size }

// AfterApply sets the limit for the session.
func (m memory) AfterApply(s *session) error {
	s.budget.Memory(int64(m.size))
	return nil
}

// deadline is the time that a command may take.
type deadline struct{ duration }

// AfterApply starts the clock.
func (d deadline) AfterApply(s *session) error {
	s.budget.Time(time.Duration(d.duration))
	return nil
}
