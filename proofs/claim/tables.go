package claim

import (
	"slices"

	"github.com/mancheck/mancheck/checker/endgame"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules/resolve"
)

// Claims about values may be decided with endgame tables, which are believed: nothing checks their
// entries again. A verdict that rests on some names them (Verdict.Trusted).

// MayTrust lists the tables that a verdict on inst may rest on. The verdict depends on them and on
// no others. There are several only if parameters are open: then they are those of all games of the
// variant.
func MayTrust(tables *endgame.Library, inst *resolve.Instance) []verdict.Table {
	k, ok := KindOf(inst.System, inst.Property).(*worth)
	if !ok || tables == nil {
		return nil
	}
	if len(inst.System.OpenParams()) > 0 {
		return tablesOf(tables.Sources(inst.System.Name))
	}
	if s, ok := tables.Source(inst.System, k.tablePayoff(inst.System)); ok {
		return tablesOf([]endgame.Source{s})
	}
	return nil
}

func tablesOf(sources []endgame.Source) []verdict.Table {
	var list []verdict.Table
	for _, s := range sources {
		list = append(list, verdict.Table(s))
	}
	return list
}

// Refused says why no table is used for a claim that may use one. It is empty if one is, and where
// parameters are open.
func Refused(tables *endgame.Library, inst *resolve.Instance) []error {
	k, ok := KindOf(inst.System, inst.Property).(*worth)
	if !ok || tables == nil || len(inst.System.OpenParams()) > 0 || len(MayTrust(tables, inst)) > 0 {
		return nil
	}
	return tables.Refusals(inst.System, k.tablePayoff(inst.System))
}

// trust notes that the verdict rests on a table.
func trust(run *engines.Run, t *endgame.Table) {
	if s := verdict.Table(t.Source()); !slices.Contains(run.Trusted, s) {
		run.Trusted = append(run.Trusted, s)
	}
}

// Renamed gives the tables of a verdict that was kept the names that their files have now.
func Renamed(kept, now []verdict.Table) []verdict.Table {
	for i, s := range kept {
		if n := slices.IndexFunc(now, func(t verdict.Table) bool { return t.SHA256 == s.SHA256 }); n >= 0 {
			kept[i] = now[n]
		}
	}
	return kept
}
