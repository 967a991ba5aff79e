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

	"github.com/mancheck/mancheck/proofs/survey"
	"github.com/mancheck/mancheck/proofs/verdict"
)

// answer is a fact as it is kept in a file.
type answer struct {
	variant, hash string
	about         string
	of            string
	is            string // "yes", "no" or "open"
	engine        string
	depth         int    // how many moves of all plays were searched where it is open; -1: none
	why           string // what the answer is based on, or why it is open
}

// answerOf is what is kept of an answer.
func answerOf(r *row, f *survey.Answer) answer {
	a := answer{variant: r.Name, hash: r.sys.Hash(), about: f.About.String(), of: f.Of, is: f.Is(), depth: f.Depth(), why: f.Why()}
	if f.Item != nil {
		a.engine = string(f.Item.Result.Engine)
	}
	return a
}

// line is the line of an answer, without its end.
func (a answer) line() string {
	return strings.Join([]string{a.variant, a.hash, a.about, a.of, a.is, a.engine, strconv.Itoa(a.depth), a.why}, "\t")
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
		if len(fields) != 8 {
			return nil, fmt.Errorf("%s: a line of %d fields, and not of 8", path, len(fields))
		}
		a := answer{variant: fields[0], hash: fields[1], about: fields[2], of: fields[3], is: fields[4], engine: fields[5], why: fields[7]}
		if a.depth, err = strconv.Atoi(fields[6]); err != nil {
			return nil, err
		}
		facts[a.variant] = append(facts[a.variant], a)
	}
	return facts, lines.Err()
}

// findOut asks about the variants of whose rules nothing is known, and the engines of again about
// what is open. What is known so far is written after each variant.
func findOut(ctx context.Context, rows []*row, each time.Duration, again []verdict.Engine) error {
	facts, err := readKnown(knownFile)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	if facts == nil {
		facts = map[string][]answer{}
	}
	for _, r := range rows {
		list := current(facts, r)
		engines := survey.Engines
		if list != nil {
			engines = again
		}
		late := func(a answer) bool { return again != nil && a.is == "open" }
		if list != nil && !slices.ContainsFunc(list, late) {
			continue
		}
		began := time.Now()
		found, err := known(ctx, r, each, engines, func(q survey.Question) bool {
			i := slices.IndexFunc(list, func(a answer) bool { return a.about == q.About.String() && a.of == q.Of })
			return i >= 0 && !late(list[i])
		})
		if err != nil {
			return err
		}
		for _, f := range found {
			a := answerOf(r, f)
			i := slices.IndexFunc(list, func(b answer) bool { return a.about == b.about && a.of == b.of })
			switch {
			case i < 0:
				list = append(list, a)
			case a.is != "open" || a.depth >= list[i].depth:
				list[i] = a
			}
		}
		facts[r.Name] = list
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
	Asked                                         bool
	Conserved, Stores, Stuck, Ever, Starved, Wins string
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
	list := current(facts, r)
	return answers{
		Asked:     list != nil,
		Conserved: cell(list, survey.Conserved, "", ""),
		Stores:    cell(list, survey.Grows, "all", "none"),
		Stuck:     cell(list, survey.NeverStuck, "", ""),
		Ever:      cell(list, survey.ForEver, "", ""),
		Starved:   cell(list, survey.Starved, "", "nobody"),
		Wins:      cell(list, survey.CanWin, "", "nobody"),
	}
}

// cell says how a question is answered: for each thing or player that it is about, if it is about
// any. If all of them have the answer yes, or all have no, it may be all or none, if these are not
// empty. It is empty if the question does not arise.
func cell(list []answer, about survey.Aspect, all, none string) string {
	list = slices.DeleteFunc(slices.Clone(list), func(a answer) bool { return a.about != about.String() })
	alike := func(is string) bool { return !slices.ContainsFunc(list, func(a answer) bool { return a.is != is }) }
	var depths []int // of the open ones
	var items []string
	for _, a := range list {
		switch {
		case a.is == "open":
			depths = append(depths, a.depth)
			items = append(items, strings.TrimSpace(a.of+" "+open(a.depth)))
		case a.of == "":
			items = append(items, a.is)
		case a.is == "yes":
			items = append(items, a.of)
		case !alike("no"):
			items = append(items, "not "+a.of)
		}
	}
	switch {
	case len(list) == 0:
		return ""
	case alike("open"):
		return open(slices.Min(depths))
	case alike("yes") && all != "":
		return all
	case alike("no") && none != "":
		return none
	}
	return strings.Join(items, ", ")
}

// open is how a question is written that is open, with so many moves of all plays looked at.
func open(depth int) string {
	if depth <= 0 {
		return "?"
	}
	return fmt.Sprintf("? (%d)", depth)
}
