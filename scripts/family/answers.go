package main

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mancheck/mancheck/internal/numeral"
)

// answer is a fact as it is kept in a file.
type answer struct {
	variant, hash string
	about         string
	of            string
	is            string // "yes", "no" or "open"
	engine        string
	states, depth int    // of the search that has left it open
	why           string // what the answer is based on, or why it is open
}

var aspects = map[aspect]string{
	conserved: "conserved", grows: "grows", neverStuck: "never stuck", forEver: "for ever", starved: "starved", canWin: "can win",
}

// answerOf is what is kept of a fact.
func answerOf(r *row, f fact) answer {
	a := answer{variant: r.Name, hash: r.sys.Hash(), about: aspects[f.About], of: f.Of, is: "open"}
	if f.Result == nil {
		a.why = fmt.Sprint(f.Err)
		return a
	}
	a.engine, a.why = string(f.Result.Engine), f.Result.Sentence()
	switch {
	case !f.Known():
		a.states, a.depth = int(f.Result.Stats.States), f.Result.Stats.Depth
	case f.Holds():
		a.is = "yes"
	default:
		a.is = "no"
	}
	return a
}

// line is the line of an answer, without its end.
func (a answer) line() string {
	return strings.Join([]string{a.variant, a.hash, a.about, a.of, a.is, a.engine, strconv.Itoa(a.states), strconv.Itoa(a.depth), a.why}, "\t")
}

// readKnown reads the answers that are kept, by variant.
func readKnown(path string) (map[string][]answer, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	facts := map[string][]answer{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		if len(fields) != 9 {
			return nil, fmt.Errorf("%s: a line of %d fields, and not of 9", path, len(fields))
		}
		a := answer{variant: fields[0], hash: fields[1], about: fields[2], of: fields[3], is: fields[4], engine: fields[5], why: fields[8]}
		if a.states, err = strconv.Atoi(fields[6]); err != nil {
			return nil, err
		}
		if a.depth, err = strconv.Atoi(fields[7]); err != nil {
			return nil, err
		}
		facts[a.variant] = append(facts[a.variant], a)
	}
	return facts, lines.Err()
}

// findOut asks about the variants of whose rules nothing is known, or of which there was no time to
// find an answer, and writes what is known. What is known so far is written after each.
func findOut(ctx context.Context, rows []*row, most time.Duration) error {
	facts, err := readKnown(knownFile)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	if facts == nil {
		facts = map[string][]answer{}
	}
	for _, r := range rows {
		late := func(a answer) bool { return strings.HasPrefix(a.why, "out of time") }
		if list := current(facts, r); len(list) > 0 && !slices.ContainsFunc(list, late) {
			continue
		}
		began := time.Now()
		found, err := known(ctx, r.path, r.Name, most)
		if err != nil {
			return err
		}
		facts[r.Name] = nil
		for _, f := range found {
			facts[r.Name] = append(facts[r.Name], answerOf(r, f))
		}
		log.Printf("%s: %v", r.Name, time.Since(began).Round(time.Second))
		if err := writeKnown(rows, facts); err != nil {
			return err
		}
	}
	return nil
}

func writeKnown(rows []*row, facts map[string][]answer) error {
	var b strings.Builder
	for _, r := range rows {
		for _, a := range facts[r.Name] {
			b.WriteString(a.line() + "\n")
		}
	}
	return os.WriteFile(knownFile, []byte(b.String()), 0o666)
}

// answers are what is known of a variant, for the page.
type answers struct {
	Conserved, Stores, Stuck, Ever, Starved, Wins string
	Searched                                      string // how far, for what is open
}

// current returns what is known of the rules that a variant has now.
func current(facts map[string][]answer, r *row) []answer {
	if list := facts[r.Name]; len(list) > 0 && list[0].hash == r.sys.Hash() {
		return list
	}
	return nil
}

// answersOf looks up what is known of a variant. What was known of other rules than it has now is
// not known of it.
func answersOf(facts map[string][]answer, r *row) answers {
	var a answers
	list := current(facts, r)
	a.Conserved, a.Stuck, a.Ever = one(list, aspects[conserved]), one(list, aspects[neverStuck]), one(list, aspects[forEver])
	a.Stores = each(list, aspects[grows], "yes", "no", "all", "none")
	a.Starved = each(list, aspects[starved], "yes", "no", "all", "nobody")
	a.Wins = each(list, aspects[canWin], "yes", "no", "all", "nobody")
	states, depth := 0, 0
	for _, f := range list {
		if f.is == "open" && f.states >= states {
			states, depth = f.states, max(depth, f.depth)
		}
	}
	if states > 0 {
		a.Searched = fmt.Sprintf("%s, %s deep", numeral.Count(int64(states), "state"), numeral.Count(int64(depth), "move"))
	}
	return a
}

// one is the answer to a question that is asked once.
func one(list []answer, about string) string {
	for _, a := range list {
		if a.about == about {
			return strings.Replace(a.is, "open", "?", 1)
		}
	}
	return "–"
}

// each lists of what a question is answered with yes, those with a question mark of which it is
// open; or all, or none, if it is answered alike.
func each(list []answer, about, yes, no, all, none string) string {
	var names []string
	asked, noes, yeses := 0, 0, 0
	for _, a := range list {
		if a.about != about {
			continue
		}
		asked++
		switch a.is {
		case yes:
			yeses++
			names = append(names, a.of)
		case no:
			noes++
		default:
			names = append(names, a.of+"?")
		}
	}
	switch asked {
	case 0:
		return "–"
	case noes:
		return none
	case yeses:
		if asked > 2 || about == aspects[grows] {
			return all
		}
	case asked - noes - yeses:
		if noes == 0 && yeses == 0 {
			return "?"
		}
	}
	return strings.Join(names, ", ")
}
