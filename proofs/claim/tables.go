package claim

import (
	"slices"

	"github.com/mancheck/mancheck/checker/endgame"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules/build"
)

// Claims about values may be decided with endgame tables. Their entries are believed and not
// checked again, so a verdict that used any names the tables (Verdict.Trusted).

// MayTrust lists the tables that a verdict on inst may rely on, so that a kept verdict is known to
// be outdated when they change. There are several only if parameters are open: then it lists those
// of all games of the variant.
func MayTrust(tables *endgame.Library, inst *build.Instance) []verdict.Table {
	k, ok := KindOf(inst.System, inst.Property).(*worth)
	if !ok || tables == nil {
		return nil
	}
	if len(inst.System.OpenParams()) > 0 {
		return lists.Map(tables.Sources(inst.System.Name), func(s endgame.Source) verdict.Table { return verdict.Table(s) })
	}
	if s, ok := tables.Source(inst.System, k.tablePayoff(inst.System)); ok {
		return []verdict.Table{verdict.Table(s)}
	}
	return nil
}

// Refused returns the reasons why no table is used for a claim about values. It returns nil if one
// is used, if there are no tables, and if parameters are open.
func Refused(tables *endgame.Library, inst *build.Instance) []error {
	k, ok := KindOf(inst.System, inst.Property).(*worth)
	if !ok || tables == nil || len(inst.System.OpenParams()) > 0 || len(MayTrust(tables, inst)) > 0 {
		return nil
	}
	return tables.Refusals(inst.System, k.tablePayoff(inst.System))
}

// trust notes that the verdict relies on a table.
func trust(run *engines.Run, t *endgame.Table) {
	if s := verdict.Table(t.Source()); !slices.Contains(run.Trusted, s) {
		run.Trusted = append(run.Trusted, s)
	}
}

// Renamed replaces tables of a kept verdict by those with the same contents in now, since their
// files may have been renamed.
func Renamed(kept, now []verdict.Table) []verdict.Table {
	for i, s := range kept {
		if n := slices.IndexFunc(now, func(t verdict.Table) bool { return t.SHA256 == s.SHA256 }); n >= 0 {
			kept[i] = now[n]
		}
	}
	return kept
}
