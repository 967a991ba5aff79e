package main

import (
	"github.com/mancheck/mancheck/cmd/internal/export"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/rules"
)

// exported returns a play in a format other than JSON.
func exported(t *rules.Trace, format string) (text []byte, is bool) {
	switch format {
	case "text":
		return []byte(report.Play(t, "")), true
	case "itf":
		return objectText(export.ITF(t)), true
	case "sow":
		return []byte(export.Positions(t)), true
	}
	return nil, false
}
