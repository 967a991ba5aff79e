package proofs

import (
	"slices"

	"github.com/mancheck/mancheck/checker/endgame"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
)

// Claims about values may be decided with endgame tables, which are believed: nothing checks their
// entries again. A verdict that rests on some names them (Verdict.Trusted).

// Table is an endgame table, as a verdict names it.
type Table = verdict.Table

// payoff is what a play is worth to the claim.
func payoff(sys *rules.System, k valueKind) value.Payoff {
	p := value.Payoff{Kind: value.KindOf(sys), Endless: endlessOf[k.convention()]}
	if k.winner() {
		p.Kind = value.Result
	}
	return p
}

// tablePayoff is the payoff of tables that a claim may use: who wins is found by margins.
func tablePayoff(sys *rules.System, k valueKind) value.Payoff {
	p := payoff(sys, k)
	p.Kind = value.Margin
	return p
}

// MayTrust lists the tables that a verdict on inst may rest on. The verdict depends on them and on
// no others. There are several only if parameters are open: then they are those of all games of the
// variant.
func (o Options) MayTrust(inst *resolve.Instance) []Table {
	k, ok := KindOf(inst.System, inst.Property).(valueKind)
	if !ok || o.Tables == nil {
		return nil
	}
	if len(inst.System.OpenParams()) > 0 {
		return tablesOf(o.Tables.Sources(inst.System.Name))
	}
	if s, ok := o.Tables.Source(inst.System, tablePayoff(inst.System, k)); ok {
		return tablesOf([]endgame.Source{s})
	}
	return nil
}

func tablesOf(sources []endgame.Source) []Table {
	var list []Table
	for _, s := range sources {
		list = append(list, Table(s))
	}
	return list
}

// Refused says why no table is used for a claim that may use one. It is empty if one is, and where
// parameters are open.
func (o Options) Refused(inst *resolve.Instance) []error {
	k, ok := KindOf(inst.System, inst.Property).(valueKind)
	if !ok || o.Tables == nil || len(inst.System.OpenParams()) > 0 || len(o.MayTrust(inst)) > 0 {
		return nil
	}
	return o.Tables.Refusals(inst.System, tablePayoff(inst.System, k))
}

// table returns the table for a claim; nil if there is none.
func (d *decision) table(k valueKind) (*endgame.Table, error) {
	return d.opt.Tables.Find(d.ctx, d.sys, tablePayoff(d.sys, k))
}

// trust notes that the verdict rests on a table.
func (d *decision) trust(t *endgame.Table) {
	if s := Table(t.Source()); !slices.Contains(*d.trusted, s) {
		*d.trusted = append(*d.trusted, s)
	}
}

// Renamed gives the tables of a verdict that was kept the names that their files have now.
func Renamed(kept, now []Table) []Table {
	for i, s := range kept {
		if n := slices.IndexFunc(now, func(t Table) bool { return t.SHA256 == s.SHA256 }); n >= 0 {
			kept[i] = now[n]
		}
	}
	return kept
}
