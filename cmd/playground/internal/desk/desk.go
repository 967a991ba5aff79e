// Package desk answers the questions of the playground. A question and its answer are JSON; what
// the page shows comes from here, and it decides nothing by itself.
//
//	desk.go      questions and answers
//	check.go     the text in the editor with what it imports: its mistakes, variants and claims
//	words.go     what may stand at a place in the text, and what a word means
//	game.go      a game and its moves: what can be done in a position
//	decide.go    verdicts on claims, of the file or from a position, and on two games; coverage
//	analyse.go   what moves are worth
package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/mancheck/mancheck/checker/choose"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules/drawing"
)

// Desk has what earlier questions have left: the text that was read, and what was learnt of a game.
// One goroutine may use it at a time.
type Desk struct {
	Version string
	Library map[string]string // by path, the files that come with the playground
	source  *source
	memory  choose.Memory
	limits  Limits

	endgames endgames
}

// Limits are what one question may take.
type Limits struct {
	Reading time.Duration // of a text, of a play, and of the listing of what can be done at its end
	States  int64         // of a search
	Memory  int64         // in bytes
}

// DefaultLimits leave the page alive on a small machine. It waits a little longer for an answer
// than Reading.
var DefaultLimits = Limits{Reading: 8 * time.Second, States: 5_000_000, Memory: 1 << 30}

// New makes a Desk.
func New(limits Limits) *Desk { return &Desk{limits: limits} }

// Tell takes what is known before an answer is complete.
type Tell func(part any)

// Question is what is asked. Which of the members matter depends on Ask.
type Question struct {
	Ask    string            `json:"ask"`
	Source Source            `json:"source"`
	Game   Game              `json:"game"`
	Claims []string          `json:"claims"` // names; empty: all
	Claim  string            `json:"claim"`
	Time   int               `json:"time"` // in milliseconds
	At     int               `json:"at"`   // an offset in bytes
	Files  map[string]string `json:"files"`
	Rival  Rival             `json:"rival"` // of `compare`
}

// Hello is what the page has to know from the beginning.
type Hello struct {
	Version string     `json:"version"`
	Dots    [][][2]int `json:"dots"` // for the drawing of boards
}

// Failure is an answer that is none.
type Failure struct {
	Error       string       `json:"error"`
	Diagnostics []Diagnostic `json:"diagnostics,omitempty"`
}

// Answer answers a question. The answer is a Failure if it has the member `error`.
func (d *Desk) Answer(ctx context.Context, question []byte, tell Tell) []byte {
	var q Question
	var out any
	err := json.Unmarshal(question, &q)
	if err == nil {
		out, err = d.guarded(ctx, &q, tell)
	}
	if err != nil {
		out = d.failure(err)
	}
	text, err := json.Marshal(out)
	if err != nil {
		panic(err) // answers consist of strings, numbers, lists and structs
	}
	return text
}

// guarded makes a fault of the tool the answer to one question, and not the end of all.
func (d *Desk) guarded(ctx context.Context, q *Question, tell Tell) (out any, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			d.source = nil
			d.memory.Close()
			out, err = nil, fmt.Errorf("internal error, please report it: %v", fault)
		}
	}()
	return d.answer(ctx, q, tell)
}

func (d *Desk) answer(ctx context.Context, q *Question, tell Tell) (any, error) {
	switch q.Ask {
	case "hello":
		return Hello{d.Version, drawing.Dots[:]}, nil
	case "library":
		d.Library, d.source = q.Files, nil
		return struct{}{}, nil
	case "check":
		return d.check(ctx, q.Source)
	case "complete", "hover":
		return d.word(ctx, q)
	case "position":
		return d.position(ctx, q.Source, q.Game)
	case "decide":
		return d.decide(ctx, q.Source, q.Claims, tell)
	case "holds":
		return d.holds(ctx, q.Source, q.Game, q.Claim, tell)
	case "compare":
		return d.compare(ctx, q, tell)
	case "coverage":
		return d.coverage(ctx, q)
	case "analyse":
		return d.analyse(ctx, q.Source, q.Game, time.Duration(q.Time)*time.Millisecond, tell)
	}
	return nil, fmt.Errorf("nobody can answer `%s`", q.Ask)
}

func (d *Desk) failure(err error) Failure {
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("this takes longer than %v", d.limits.Reading)
	}
	list := diag.FromError(err)
	list.Sort()
	out := Failure{Error: list[0].Message}
	if d.source != nil && list[0].Code != "" {
		out.Diagnostics = d.source.diagnostics(list)
	}
	return out
}
