package main

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/survey"
	"github.com/mancheck/mancheck/proofs/verdict"
)

// claim is a claim about a game. A `?` in its property stands for the number that is asked for.
type claim struct {
	name, words string // words are the values of parameters, as after `with`
	property    string
	rules       string // the rule set
	verdict     string // proved, refuted or unknown
}

// text is the claim in the language.
func (c *claim) text(variant string) string {
	with := c.words
	if with != "" {
		with = "with " + with + " "
	}
	expect := ""
	switch c.verdict {
	case "refuted":
		expect = " expect refuted"
	case "unknown":
		expect = " takes long"
	}
	return fmt.Sprintf("claim %s of %s { %s%s%s }\n", c.name, variant, with, strings.ReplaceAll(c.property, "?", "0"), expect)
}

var unnamed = regexp.MustCompile(`[^A-Za-z0-9]+`)

// named makes a name of words.
func named(words ...string) string {
	return strings.Trim(unnamed.ReplaceAllString(strings.Join(words, "_"), "_"), "_")
}

// ask lists the claims about a game: the questions of the survey at the board that people play on,
// what can be counted at small boards, and where the rule sets first differ.
func (g *game) ask(ctx context.Context) ([]*claim, error) {
	var list []*claim
	for i := range g.sets {
		r := &g.sets[i]
		asked, err := survey.Questions(ctx, r.sys)
		if err != nil {
			return nil, err
		}
		for _, q := range asked {
			list = append(list, &claim{named(q.String(), r.words), r.words, q.Claim, r.words, ""})
		}
		if err := g.small(ctx, r); err != nil {
			return nil, err
		}
		for _, s := range r.boards {
			words := strings.Trim(s.words+", "+r.words, ", ")
			add := func(name, property string) {
				list = append(list, &claim{named(name, words), words, property, r.words, ""})
			}
			add("states", "count(states) = ?")
			add("ends", "terminates")
			if len(r.sys.Players) == 1 {
				add("wins", "count(winning starts) = ?")
			} else {
				add("value", "value(start) = ?")
				add("value_drawn", "value(start) = ? where endless play is a draw")
			}
			if r.words != "" {
				other := strings.Trim(s.words, ", ")
				list = append(list, &claim{
					named("differs", words), other, fmt.Sprintf("equivalent to %s(%s) in result", g.name, strings.Trim(words, ", ")), r.words, "",
				})
			}
		}
	}
	return list, nil
}

// What is spent on a claim.
const (
	eachClaim  = 4 * time.Second
	eachStates = 300_000
)

// decide decides a claim of a file, by the first of some engines that can.
func decide(ctx context.Context, f *proofs.File, name string, engines ...verdict.Engine) (*proofs.Result, error) {
	list, err := f.Instances(nil, name)
	if err != nil {
		return nil, err
	}
	var r *proofs.Result
	for _, engine := range engines {
		ctx, stop := context.WithTimeout(ctx, eachClaim)
		opt := proofs.Options{Engine: engine, Certify: true, Bounds: limit.Bounds{MaxStates: eachStates, MaxMemory: 1 << 30}, SolverTimeout: time.Second}
		found, err := proofs.Decide(ctx, list[0], opt)
		stop()
		if err != nil && r == nil {
			return nil, err
		}
		if err != nil {
			return r, nil // a hunt is not for every claim
		}
		if r = found; r.Conclusive() {
			break
		}
	}
	return r, nil
}
