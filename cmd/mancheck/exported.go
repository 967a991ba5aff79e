package main

import (
	"github.com/mancheck/mancheck/cmd/internal/export"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/rules"
)

// playText returns a play in a format, which is JSON if no other is meant.
func playText(t *rules.Trace, format string) []byte {
	switch format {
	case "text":
		return []byte(report.Play(t, ""))
	case "itf":
		return objectText(export.ITF(t))
	case "sow":
		return []byte(export.Positions(t))
	}
	return objectText(report.Trace(t))
}
