package main

import (
	"embed"
	"errors"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// shop builds the programs, in a folder of its own.
type shop struct {
	dir      string // temporary
	mancheck string
	against  string // or empty
	versions []string
	absent   []string
	noted    map[string]bool // tools whose version or absence is in the lists
}

// command is a program with its arguments, run from the root of the repository.
type command struct {
	args    []string
	input   string
	makes   string // a file that is removed before each run, since the program would not overwrite it; or empty
	status  int    // exit status that is right
	outcome func(out []byte) (outcome, error)
}

// peer is another program for the same question. What make builds may be missing its tools: the
// error is then errAbsent.
type peer struct {
	name string
	make func(*shop) (command, error)
}

// errAbsent is the error of a program whose tools are not installed. It is left out of the table.
var errAbsent = errors.New("absent")

// model is a game that others than mancheck search, too.
type model struct {
	game        string // of the hand loop
	file        string // in models, without .pml and .m
	m, n, relay int    // what the model leaves open
	hash        int    // binary logarithm of the slots that SPIN begins with
	depth       int    // of SPIN's stack
	before      int64  // states of Rumur's model before the game
}

//go:embed models
var models embed.FS

// open builds mancheck, with the tags for this machine, in a temporary folder.
func open(against string) (*shop, error) {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return nil, err
	}
	s := &shop{dir: dir, mancheck: filepath.Join(dir, "mancheck"), against: against, noted: map[string]bool{}}
	if err := s.build(); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// build builds mancheck and notes its version, and that of the binary to compare with.
func (s *shop) build() error {
	tags, err := exec.Command("scripts/tags").Output()
	if err != nil {
		return fmt.Errorf("scripts/tags: %w (run this in the root of the repository)", err)
	}
	revision := output("git", "describe", "--always", "--dirty", "--abbrev=12")
	args := append([]string{"build", "-o", s.mancheck, "-ldflags", "-X main.revision=" + revision}, strings.Fields(string(tags))...)
	if err := tool("", "go", append(args, "./cmd/mancheck")...); err != nil {
		return err
	}
	s.note("mancheck", output(s.mancheck, "version"))
	if s.against != "" {
		s.note("the other mancheck", output(s.against, "version"))
	}
	return nil
}

func (s *shop) close() { os.RemoveAll(s.dir) }

// note records the version of a tool once, for the table.
func (s *shop) note(tool, version string) {
	if s.noted[tool] {
		return
	}
	s.noted[tool] = true
	words := strings.Fields(version) // solvers stand in lines of their own
	s.versions = append(s.versions, tool+": "+strings.Join(words, " "))
}

// need reports whether the tools are installed, and keeps the names of the missing ones.
func (s *shop) need(tools ...string) error {
	for _, t := range tools {
		if _, err := exec.LookPath(t); err != nil {
			if !s.noted[t] {
				s.noted[t] = true
				s.absent = append(s.absent, t)
			}
			return errAbsent
		}
	}
	return nil
}

// tool runs a program in a folder; "" is the current one, the root of the repository.
func tool(dir, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, out)
	}
	return nil
}

// output returns what a program prints, without white space around it, or the error as text.
func output(name string, args ...string) string {
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(string(out))
}

// handLoop builds the loop that is written by hand for one game, as the upper bound of what a
// general search can reach.
func (s *shop) handLoop(mod model) (command, error) {
	program := filepath.Join(s.dir, "handloop")
	if err := tool("", "go", "build", "-o", program, "./scripts/bench/handloop"); err != nil {
		return command{}, err
	}
	return command{
		args:    []string{program, mod.game, strconv.Itoa(mod.m), strconv.Itoa(mod.n)},
		outcome: number(`(?m)^states (\d+)$`, 0),
	}, nil
}

// Flags of the C compiler; mancheck and the loop are built by go build as it is.
var optimized = []string{"-O3", "-march=native"}

// spin makes SPIN's verifier: a full search, exact, without what the model has no use for.
func (s *shop) spin(mod model) (command, error) {
	if err := s.need("spin", "gcc"); err != nil {
		return command{}, err
	}
	s.note("SPIN", output("spin", "-V"))
	if err := s.model(mod, "pml", strings.NewReplacer()); err != nil {
		return command{}, err
	}
	define := func(name string, value int) string { return fmt.Sprintf("-D%s=%d", name, value) }
	if err := tool(s.dir, "spin", "-a", define("M", mod.m), define("N", mod.n), define("RELAY", mod.relay), "model.pml"); err != nil {
		return command{}, err
	}
	program := fmt.Sprintf("spin-%s-%d-%d", mod.game, mod.m, mod.n)
	args := append([]string{"-o", program, "-DSAFETY", "-DNOREDUCE", "-DMEMLIM=12000", "pan.c"}, optimized...)
	if err := tool(s.dir, "gcc", args...); err != nil {
		return command{}, err
	}
	return command{
		args:    []string{filepath.Join(s.dir, program), "-n", fmt.Sprintf("-m%d", mod.depth), fmt.Sprintf("-w%d", mod.hash)},
		outcome: number(`(\d+) states, stored`, -1), // one is before init
	}, nil
}

// model writes a model for a program that writes C.
func (s *shop) model(mod model, suffix string, fill *strings.Replacer) error {
	s.note("gcc", output("gcc", "-dumpfullversion"))
	text, err := models.ReadFile("models/" + mod.file + "." + suffix)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(s.dir, "model."+suffix), []byte(fill.Replace(string(text))), 0o666)
}

// rumur makes Rumur's checker.
func (s *shop) rumur(mod model) (command, error) {
	if err := s.need("rumur", "gcc"); err != nil {
		return command{}, err
	}
	s.note("Rumur", strings.TrimPrefix(output("rumur", "--version"), "Rumur version "))
	fill := strings.NewReplacer("@M@", strconv.Itoa(mod.m), "@N@", strconv.Itoa(mod.n), "@RELAY@", strconv.Itoa(mod.relay))
	if err := s.model(mod, "m", fill); err != nil {
		return command{}, err
	}
	if err := tool(s.dir, "rumur", "--deadlock-detection", "off", "--symmetry-reduction", "off", "--counterexample-trace", "off",
		"--threads", "1", "--output", "rumur.c", "model.m"); err != nil {
		return command{}, err
	}
	program := fmt.Sprintf("rumur-%s-%d-%d", mod.game, mod.m, mod.n)
	args := append([]string{"-o", program, "rumur.c"}, optimized...)
	if err := tool(s.dir, "gcc", append(args, "-mcx16", "-lpthread", "-latomic")...); err != nil {
		return command{}, err
	}
	return command{
		args:    []string{filepath.Join(s.dir, program)},
		outcome: number(`(\d+) states, \d+ rules fired`, -mod.before),
	}, nil
}

// irving makes G. Irving's solver of Kalah with empty captures ("Solving Kalah", ICGA Journal 23,
// 2000), with a table of positions of so many seeds, and one of 2^bits entries for the search.
func (s *shop) irving(n, seeds, bits int) (command, error) {
	table, err := s.generator(seeds)
	if err != nil {
		return command{}, err
	}
	if err := table.once(); err != nil {
		return command{}, err
	}
	count := func(out []byte) (outcome, error) {
		nodes, err := number(`(?m)^Nodes searched: +(\d+)$`, 0)(out)
		value := regexp.MustCompile(`(?m)^Move: .*\br (-?\d+),`).FindSubmatch(out)
		if err != nil || value == nil {
			return outcome{}, errors.Join(err, errors.New("the output has no value"))
		}
		return outcome{states: nodes.states, agreed: fmt.Sprintf("value %s", value[1])}, nil
	}
	return command{
		args: []string{
			"kalah-s", "-vj", "-t", strconv.Itoa(bits), "-e", strconv.Itoa(seeds), "-E", table.args[1], "s", strconv.Itoa(n),
		},
		outcome: count,
	}, nil
}

// generator makes the table of that solver. It has positions with the first player to move only, as
// the others are the same with the players exchanged.
func (s *shop) generator(seeds int) (command, error) {
	if err := s.need("kalah-s"); err != nil {
		return command{}, err
	}
	solver, err := exec.LookPath("kalah-s")
	if err != nil {
		return command{}, err
	}
	table := filepath.Join(s.dir, fmt.Sprintf("irving-%d.dat", seeds))
	positions := new(big.Int).Binomial(int64(seeds+12), 12).Int64()
	return command{
		args:  []string{filepath.Join(filepath.Dir(solver), "generator"), table},
		makes: table,
		input: fmt.Sprintf("4\nc %d\ns\nq\n", seeds), // four bits for each
		outcome: func([]byte) (outcome, error) {
			return outcome{states: positions, agreed: fmt.Sprintf("up to %d seeds", seeds)}, nil
		},
	}, nil
}

// cmancala makes CMancala, a solver of Kalah without empty captures, which looks for the value of
// each move. It has no word for the nodes.
func (s *shop) cmancala(n int) (command, error) {
	if err := s.need("Mancala"); err != nil {
		return command{}, err
	}
	s.note("CMancala", regexp.MustCompile(`v[\d.]+`).FindString(output("Mancala"))) // what it greets with
	row := regexp.MustCompile(`(?m)^\(G\) >> └───┤(.*)├───┘`)
	return command{
		args:  []string{"Mancala"},
		input: fmt.Sprintf("stones %d\nbook false\ntime 0\ndepth 0\nplayer 1 ai\nplayer 2 ai\nautoplay false\nstart\nanalyze\nquit\n", n),
		outcome: func(out []byte) (outcome, error) {
			found := row.FindSubmatch(out)
			if found == nil {
				return outcome{}, errors.New("the output has no values")
			}
			values := strings.Fields(strings.ReplaceAll(string(found[1]), "│", " "))
			return outcome{agreed: "values " + strings.Join(values, " ")}, nil
		},
	}, nil
}

// once runs a command whose time does not matter.
func (c command) once() error {
	cmd := exec.Command(c.args[0], c.args[1:]...)
	cmd.Stdin = strings.NewReader(c.input)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", c.args[0], err, out)
	}
	return nil
}

// line is an argument list of mancheck with what it leaves open.
func line(args []string, folder, threads string) []string {
	out := make([]string, len(args))
	fill := strings.NewReplacer("CERTIFICATES", filepath.Join(folder, "certificates"), "CACHE", filepath.Join(folder, "cache"), "TABLES", filepath.Join(folder, "tables"))
	for i, a := range args {
		out[i] = fill.Replace(a)
		if i > 0 && args[i-1] == "--threads" {
			out[i] = threads
		}
	}
	return out
}
