package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// benchmark is one case: a command line of mancheck, and the peers that do the same.
type benchmark struct {
	name, title string
	slow        bool     // takes minutes or gigabytes: only on demand
	args        []string // of mancheck; CERTIFICATES, CACHE and TABLES stand for folders
	prepare     []string // a command of mancheck that comes first and is not measured
	status      int      // exit status that is right
	threads     bool     // also measured with two threads, where args use one
	more        []string // also measured with each of these flags, which an older mancheck need not have
	unit        string   // what is counted, if it is not states
	outcome     func(out []byte) (outcome, error)
	peers       []peer
}

// outcome is what a run came to.
type outcome struct {
	states int64  // or whatever is counted; 0 if nothing was
	agreed string // what must be the same for all programs and in all rounds
}

var cases = []benchmark{
	count("kalah43", "Kalah(4,3)", "examples/kalah.sow", model{game: "kalah", file: "kalah", m: 4, n: 3, hash: 23, depth: 10_000}),
	slow(count("kalah44", "Kalah(4,4)", "examples/kalah.sow", model{game: "kalah", file: "kalah", m: 4, n: 4, hash: 26, depth: 10_000})),
	count("dose", "DOSE board, n = 6, 14 stones, all starts", "examples/dose2015.sow",
		model{game: "dose", file: "dose", m: 6, n: 14, hash: 22, depth: 10_000, before: dealing(6, 14)}, "--no-symmetry"),
	count("oware", "Oware, m = 4, n = 2", "examples/oware.sow", model{game: "oware", file: "oware", m: 4, n: 2, hash: 21, depth: 4_000_000}),
	count("congkak", "Congkak, m = 4, n = 4", "examples/congkak.sow",
		model{game: "congkak", file: "kalah", m: 4, n: 4, relay: 1, hash: 20, depth: 10_000}),
	{
		name: "value63", title: "Value of Kalah(6,3) with empty captures, without endgame tables", threads: true, unit: "nodes",
		args:    []string{"value", "examples/kalah.sow", "-p", "n=3", "-p", "empty_capture=true", "--format", "json", "--threads", "1"},
		outcome: valued,
		peers:   []peer{{"kalah-s, 1 seed", func(s *shop) (command, error) { return s.irving(3, 1, 22) }}},
	},
	{
		name: "tables63", title: "Value of Kalah(6,3) with empty captures, with a table of 12 seeds", threads: true, unit: "nodes",
		prepare: build("12"),
		args:    []string{"value", "examples/kalah.sow", "-p", "n=3", "-p", "empty_capture=true", "--tables", "TABLES", "--format", "json", "--threads", "1"},
		outcome: valued,
		peers:   []peer{{"kalah-s", func(s *shop) (command, error) { return s.irving(3, 12, 22) }}},
	},
	{
		name: "tables64", title: "Value of Kalah(6,4) with empty captures, with a table of 18 seeds", slow: true, threads: true, unit: "nodes",
		prepare: build("18"),
		args:    []string{"value", "examples/kalah.sow", "-p", "empty_capture=true", "--tables", "TABLES", "--format", "json", "--threads", "1"},
		outcome: valued,
		peers:   []peer{{"kalah-s", func(s *shop) (command, error) { return s.irving(4, 18, 25) }}},
	},
	best("best63", "Value of each move of Kalah(6,3) without empty captures, without endgame tables", 3),
	slow(best("best64", "Value of each move of Kalah(6,4) without empty captures, without endgame tables", 4)),
	{
		name: "table14", title: "An endgame table of Kalah, six pits a side, 14 seeds", threads: true, unit: "positions",
		prepare: build("1"),
		args:    build("14"),
		outcome: built,
		peers:   []peer{{"generator", func(s *shop) (command, error) { return s.generator(14) }}},
	},
	{
		name: "table16", title: "An endgame table of Kalah, six pits a side, 16 seeds", slow: true, threads: true, unit: "positions",
		prepare: build("1"),
		args:    build("16"),
		outcome: built,
		peers:   []peer{{"generator", func(s *shop) (command, error) { return s.generator(16) }}},
	},
	{
		name: "simulate", title: "200,000 random games of Kalah(6,4)", threads: true, unit: "games",
		args:    []string{"simulate", "examples/kalah.sow", "--games", "200_000", "--format", "json", "--threads", "1"},
		outcome: simulated,
	},
	{
		name: "backward", title: "Backward search: the winning starts of the DOSE board, n = 4, 12 stones",
		args:    []string{"check", "proofs/dose2015.sow", "--claim", "starts_4_10", "-p", "stones=12", "--engine", "backward", "--format", "json", "--threads", "1"},
		status:  1, // the claim is about 10 stones
		outcome: verdict,
	},
	{
		name: "beads", title: "Backward search: the winning start of Tchoukaillon, 256 cups, 20,000 beads",
		args:    []string{"check", "proofs/winnable.sow", "--claim", "exactly_one_of_5000", "-p", "cups=256", "-p", "beads=20000", "--engine", "backward", "--format", "json", "--threads", "1"},
		outcome: verdict,
	},
	{
		name: "bounded", title: "Bounded search by Z3: no win of the DOSE board, n = 4, within 6 moves, any number of stones",
		args:    []string{"check", "examples/dose2015.sow", "--claim", "thesis", "-p", "n=4", "--engine", "bmc", "--bound", "6", "--format", "json"},
		status:  3, // bounded is not proved
		outcome: verdict,
	},
	{
		name: "check", title: "check examples/dose2015.sow, all claims",
		args:    []string{"check", "examples/dose2015.sow", "--brief"},
		outcome: lastLine,
	},
	{
		name: "certify", title: "certify: the certificate of d1_as_meant, DOSE board, 13 stones",
		prepare: []string{"check", "examples/dose2015.sow", "--claim", "d1_as_meant", "--certify", "--certificates", "CERTIFICATES"},
		args:    []string{"certify", "CERTIFICATES/dose2015.d1_as_meant.cert"},
		outcome: lastLine,
	},
	{
		name: "prove", title: "make prove, nothing cached", slow: true,
		args:    suite("prove", "--cache", "off"),
		outcome: lastLine,
	},
	{
		name: "cached", title: "make prove, all verdicts cached", slow: true,
		prepare: suite("prove", "--cache-dir", "CACHE"),
		args:    suite("prove", "--cache-dir", "CACHE"),
		outcome: lastLine,
	},
}

func slow(b benchmark) benchmark {
	b.slow = true
	return b
}

// count is a case of the command count, for which there are models.
func count(name, title, rules string, mod model, more ...string) benchmark {
	params := []string{fmt.Sprintf("m=%d", mod.m), fmt.Sprintf("n=%d", mod.n)}
	if mod.game == "dose" {
		params = []string{fmt.Sprintf("n=%d", mod.m), fmt.Sprintf("stones=%d", mod.n)}
	}
	return benchmark{
		name: name, title: title, threads: true, more: more, outcome: counted,
		args: []string{"count", rules, "-p", params[0], "-p", params[1], "--format", "json", "--threads", "1"},
		peers: []peer{
			{handLoopName, func(s *shop) (command, error) { return s.handLoop(mod) }},
			{"SPIN", func(s *shop) (command, error) { return s.spin(mod) }},
			{"Rumur", func(s *shop) (command, error) { return s.rumur(mod) }},
		},
	}
}

// build builds the table of Kalah with empty captures that the other cases use.
func build(seeds string) []string {
	return []string{
		"table", "build", "examples/kalah.sow", "-p", "empty_capture=true", "--seeds", seeds, "-o", "TABLES/kalah.table", "--force", "--format", "json",
		"--threads", "1",
	}
}

// best is a case of the command best, for n seeds in each of six pits a side.
func best(name, title string, n int) benchmark {
	return benchmark{
		name: name, title: title, threads: true, unit: "nodes", outcome: movesValued,
		args:  []string{"best", "examples/kalah.sow", "-p", fmt.Sprintf("n=%d", n), "--format", "json", "--threads", "1"},
		peers: []peer{{"CMancala", func(s *shop) (command, error) { return s.cmancala(n) }}},
	}
}

// valued has the value and the nodes of a search.
func valued(out []byte) (outcome, error) {
	var doc struct {
		Value *int
		Nodes int64
	}
	if err := json.Unmarshal(out, &doc); err != nil {
		return outcome{}, err
	}
	if doc.Value == nil {
		return outcome{}, errors.New("the value is not known")
	}
	return outcome{states: doc.Nodes, agreed: fmt.Sprintf("value %d", *doc.Value)}, nil
}

// movesValued has the values of all moves.
func movesValued(out []byte) (outcome, error) {
	var doc struct {
		Nodes int64
		Moves []struct{ Value *int }
	}
	if err := json.Unmarshal(out, &doc); err != nil {
		return outcome{}, err
	}
	text := "values"
	for _, m := range doc.Moves {
		if m.Value == nil {
			return outcome{}, errors.New("the value of a move is not known")
		}
		text += fmt.Sprintf(" %d", *m.Value)
	}
	return outcome{states: doc.Nodes, agreed: text}, nil
}

// built has the positions of a table.
func built(out []byte) (outcome, error) {
	var doc struct {
		Seeds     int
		Positions int64
	}
	err := json.Unmarshal(out, &doc)
	return outcome{states: doc.Positions, agreed: fmt.Sprintf("up to %d seeds", doc.Seeds)}, err
}

// simulated has the games that were played.
func simulated(out []byte) (outcome, error) {
	var doc struct {
		Games   int64
		Drawn   int64
		Players []struct {
			Name string
			Wins int64
		}
	}
	err := json.Unmarshal(out, &doc)
	text := fmt.Sprintf("%s games, %s drawn", grouped(doc.Games), grouped(doc.Drawn))
	for _, p := range doc.Players {
		text += fmt.Sprintf(", %s won by %s", grouped(p.Wins), p.Name)
	}
	return outcome{states: doc.Games, agreed: text}, err
}

// dealing is the number of states in which Rumur's model of the DOSE board has dealt only some of
// the stones, so that the holes left get one at least: of k of the 2m holes, C(n-2m+k, k) states.
func dealing(m, n int) int64 {
	sum, choices := int64(0), int64(1)
	for k := range int64(2*m - 1) {
		sum += choices
		choices = choices * (int64(n-2*m) + k + 1) / (k + 1)
	}
	return sum
}

func counted(out []byte) (outcome, error) {
	var doc struct{ States int64 }
	if err := json.Unmarshal(out, &doc); err != nil {
		return outcome{}, err
	}
	return states(doc.States), nil
}

// states is the outcome of a program that counts them.
func states(n int64) outcome { return outcome{states: n, agreed: grouped(n) + " states"} }

// verdict is that of the only claim; the states that lead to it are those of the engine.
func verdict(out []byte) (outcome, error) {
	var doc struct {
		Results []struct {
			Verdict, Reason string
			Stats           struct{ States int64 }
		}
	}
	if err := json.Unmarshal(out, &doc); err != nil {
		return outcome{}, err
	}
	if len(doc.Results) != 1 {
		return outcome{}, fmt.Errorf("%d results", len(doc.Results))
	}
	r := doc.Results[0]
	return outcome{states: r.Stats.States, agreed: r.Verdict + ", " + r.Reason}, nil
}

// lastLine has the number of claims, and how many are as expected.
func lastLine(out []byte) (outcome, error) {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	text, _, _ := strings.Cut(lines[len(lines)-1], ";")
	return outcome{agreed: text}, nil
}

// number returns an outcome function that finds the number of states by a regular expression, and
// adds to it.
func number(re string, add int64) func([]byte) (outcome, error) {
	compiled := regexp.MustCompile(re)
	return func(out []byte) (outcome, error) {
		found := compiled.FindSubmatch(out)
		if found == nil {
			return outcome{}, errors.New("the output has no number of states")
		}
		n, err := strconv.ParseInt(string(found[1]), 10, 64)
		return states(n + add), err
	}
}

// suite is the command of make prove, with these first words.
func suite(words ...string) []string {
	files, _ := filepath.Glob("proofs/*.sow")
	return slices.Concat(words, []string{"examples"}, files)
}
