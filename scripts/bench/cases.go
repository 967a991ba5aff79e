package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// benchmark is one case: a command line of mancheck, and the peers that do the same.
type benchmark struct {
	name, title string
	slow        bool     // takes minutes or gigabytes: only on demand
	args        []string // of mancheck; CERTIFICATES and CACHE stand for folders
	prepare     []string // a command of mancheck that comes first and is not measured
	status      int      // exit status that is right
	threads     bool     // also measured with two threads, where args use one
	outcome     func(out []byte) (outcome, error)
	peers       []peer
}

// outcome is what a run came to.
type outcome struct {
	states int64  // 0 if nothing was counted
	agreed string // what must be the same for all programs and in all rounds
}

var cases = []benchmark{
	kalah("kalah43", 4, 3, 23),
	slow(kalah("kalah44", 4, 4, 26)),
	count("dose", "DOSE board, n = 6, 14 stones, all starts", "dose2015", "n=6", "stones=14"),
	count("oware", "Oware, m = 4, n = 2", "oware", "m=4", "n=2"),
	count("congkak", "Congkak, m = 4, n = 4", "congkak", "m=4", "n=4"),
	{
		name: "backward", title: "Backward search: the winning starts of the DOSE board, n = 4, 12 stones",
		args:    []string{"check", "proofs/dose2015.sow", "--claim", "starts_4_10", "-p", "stones=12", "--engine", "backward", "--format", "json", "--threads", "1"},
		status:  1, // the claim is about 10 stones
		outcome: verdict,
	},
	{
		name: "beads", title: "Backward search: the winning start of Tchoukaillon, 256 cups, 20,000 beads",
		args:    []string{"check", "proofs/winnable.sow", "--claim", "exactly_one_of_5000", "-p", "cups=256", "-p", "beads=20_000", "--engine", "backward", "--format", "json", "--threads", "1"},
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
		name: "prove", title: "prove examples proofs, nothing cached", slow: true,
		args:    []string{"prove", "--cache", "off", "examples", "proofs"},
		outcome: lastLine,
	},
	{
		name: "cached", title: "prove examples proofs, all verdicts cached", slow: true,
		prepare: []string{"prove", "--cache-dir", "CACHE", "examples", "proofs"},
		args:    []string{"prove", "--cache-dir", "CACHE", "examples", "proofs"},
		outcome: lastLine,
	},
}

func slow(b benchmark) benchmark {
	b.slow = true
	return b
}

// count is a case of the command count.
func count(name, title, file string, params ...string) benchmark {
	args := []string{"count", "examples/" + file + ".sow", "--format", "json", "--threads", "1"}
	for _, p := range params {
		args = append(args, "-p", p)
	}
	return benchmark{name: name, title: title, args: args, threads: true, outcome: counted}
}

// kalah is Kalah(m,n); hash is the binary logarithm of the slots that SPIN is to begin with.
func kalah(name string, m, n, hash int) benchmark {
	b := count(name, fmt.Sprintf("Kalah(%d,%d)", m, n), "kalah", fmt.Sprintf("m=%d", m), fmt.Sprintf("n=%d", n))
	b.peers = []peer{
		{"hand loop", func(s *shop) (command, error) { return s.handLoop(m, n) }},
		{"SPIN", func(s *shop) (command, error) { return s.spin(m, n, hash) }},
		{"Rumur", func(s *shop) (command, error) { return s.rumur(m, n) }},
	}
	return b
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
