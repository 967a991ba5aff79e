package main

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mancheck/mancheck/proofs"
)

// rulings are what the comments of a file say about the sources of its rules.
type rulings struct {
	Source   string
	Recorded string // what the recorded games play; empty if that is the published rules
	Open     string // what the source leaves open
	Missing  string // what the source says, and the file does not play
	Ludii    string // what Ludii plays where the file plays the published rules
	Play     string // the moves of a shortest play on which the records and the published rules differ
	Moves    int    // their number
	From     string // the position that the play begins at, if not the start
}

var (
	sourceOf  = regexp.MustCompile(`Source: (.*?[^A-Z])\.(\s+[A-Z]|$)`)
	parameter = regexp.MustCompile(`^\s*param recorded\s*=\s*false\s*(//\s*(.*))?$`)
)

// readRulings reads the comments of a file: those before the variant, in which "Source: ",
// "Left open: ", "Not played: " and "Ludii: " begin what is listed, and the one on the parameter
// `recorded`.
func readRulings(text string) rulings {
	var r rulings
	var paragraphs []string
	above := ""                // the comment above the line
	head, ended := true, false // before the variant; after a line without a comment
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		head = head && !strings.HasPrefix(line, "variant ")
		comment, is := strings.CutPrefix(line, "//")
		comment = strings.TrimSpace(comment)
		if m := parameter.FindStringSubmatch(line); m != nil {
			r.Recorded = recordedGames(cmp.Or(m[2], above))
		}
		if !is {
			above, ended = "", true
			continue
		}
		above = strings.TrimSpace(above + " " + comment)
		if !head {
			continue
		}
		starts := len(paragraphs) == 0 || ended || strings.HasPrefix(comment, "Left open: ") || strings.HasPrefix(comment, "Not played: ") || strings.HasPrefix(comment, "Ludii: ")
		ended = false
		if starts {
			paragraphs = append(paragraphs, comment)
		} else {
			paragraphs[len(paragraphs)-1] += " " + comment
		}
	}
	for _, p := range paragraphs {
		kind, rest, _ := strings.Cut(p, ": ")
		switch kind {
		case "Left open":
			r.Open = sentence(rest)
		case "Not played":
			r.Missing = sentence(rest)
		case "Ludii":
			r.Ludii = sentence(rest)
		default:
			if m := sourceOf.FindStringSubmatch(p); m != nil {
				r.Source = m[1]
			}
		}
	}
	return r
}

// recordedGames makes a sentence of a comment, without the words that are in the heading of the
// table.
func recordedGames(comment string) string {
	return sentence(strings.TrimPrefix(sentence(comment), "In the recorded games "))
}

// sentence begins a text with a capital letter and ends it with a period.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + strings.TrimSuffix(text[size:], ".") + "."
}

// shortest decides the claim that the recorded games and the published rules differ.
func (r *rulings) shortest(ctx context.Context, of *row) error {
	if r.Recorded == "" {
		return nil
	}
	instances, err := of.file.Instances(nil, "rulings")
	if err != nil {
		return err
	}
	found, err := proofs.Decide(ctx, instances[0], proofs.Options{})
	if err != nil {
		return err
	}
	if found.Status != proofs.Proved || found.Trace == nil {
		return fmt.Errorf("the claim `rulings` is %s: %s", found.Status, found.Sentence())
	}
	play := found.Trace
	if o := found.Other; o != nil && len(o.Steps) > len(play.Steps) {
		play = o // it has a move that the other has not
	}
	var moves []string
	for _, st := range play.Steps {
		moves = append(moves, "`"+st.Move+"`")
	}
	r.Moves, r.From = len(moves), instances[0].Claim.StartingAt
	r.Play = strings.Join(moves, ", ")
	return nil
}
