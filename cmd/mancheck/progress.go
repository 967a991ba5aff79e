package main

import (
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/suite"
)

// underWay describes the progress of a run on a line of some width. The claims that have no room on
// it are counted.
func underWay(now suite.Progress, width int) string {
	head := fmt.Sprintf("%d/%d ", now.Done, now.Total)
	for shown := len(now.Running); ; shown-- {
		var works []string
		room := width - len(head)
		for _, one := range now.Running[:shown] {
			w := work(one)
			works, room = append(works, w), room-len(w)-len("; ")
		}
		rest := ""
		if left := len(now.Running) - shown; left > 0 {
			rest = fmt.Sprintf("%d more", left)
			if shown <= 1 && room-len(rest) < shortName {
				rest = "" // the numbers at the head have to do
			}
			room -= len(rest)
		}
		if each := room / max(1, shown); shown <= 1 || each >= shortName {
			var list []string
			for i, one := range now.Running[:shown] {
				list = append(list, term.Cut(max(shortName, each), one.Claim)+works[i])
			}
			if rest != "" {
				list = append(list, rest)
			}
			return head + strings.Join(list, "; ")
		}
	}
}

// shortName is how much of the name of a claim has to be seen.
const shortName = 12

// work describes the progress of one claim.
func work(p proofs.Progress) string {
	if p.Engine == "" {
		return ""
	}
	text := fmt.Sprintf(": %s, depth %d", p.Engine, p.Depth)
	switch {
	case p.Depth < 0:
		return fmt.Sprintf(": %s, %s", p.Engine, pace(p.Progress, "states"))
	case p.States > 0:
		text += fmt.Sprintf(", %s open, %s", numeral.Short(p.Open), pace(p.Progress, "states"))
	}
	return text
}

// share says which part is done, before other figures.
func share(done, of int64) string {
	if of <= 0 {
		return ""
	}
	return fmt.Sprintf("%.0f %%, ", 100*float64(done)/float64(of))
}

// pace describes how much was done, how fast, and in what time.
func pace(p limit.Progress, what string) string {
	text := numeral.Short(p.States) + " " + what
	if seconds := p.Elapsed.Seconds(); seconds >= 0.05 { // in less a rate would mean nothing
		text += ", " + numeral.Short(int64(float64(p.States)/seconds)) + "/s"
	}
	return fmt.Sprintf("%s, %.1f s", text, p.Elapsed.Seconds())
}
