// Package report writes the results of claims. model.go has what is said about a claim, once for
// all formats, and sweep.go what is said about the instances of a claim and about a whole run.
// table.go and evidence.go write for people, json.go for programs. junit.go, sarif.go and
// github.go are named after the formats of build servers and code hosts, and share finding.go.
// certified.go is about certificates.
package report

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/say"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
)

// entry has what is said about an item, in any format. The formats take nothing else from a verdict
// but plays and states, which they draw.
type entry struct {
	Row
	item      *suite.Item
	outcome   suite.Outcome
	kind      string // the kind of finding, or empty
	color     term.Color
	expected  string // the expected verdict; empty without a verdict
	contrary  bool   // the verdict is not the expected one
	reason    string // what the verdict is based on
	notes     []string
	bounded   string   // what a bounded verdict means; empty for others
	unchecked string   // why the verdict was not checked; empty if it was
	trusted   []string // what it relies on without a check
	vacuous   bool
	elapsed   time.Duration
	decided   bool // in this run, and not taken from the cache
	starred   bool // the verdict was not checked
}

// longClaim says why a claim was left out.
const longClaim = "it takes long, and --long was not given"

// entryOf returns the entry of an item. For an item that is not decided yet it has only the name
// and the scope.
func entryOf(i *suite.Item) entry {
	e := entry{Row: Row{Name: i.Name(), Mark: "✗", Verdict: "failed"}, item: i, outcome: i.Outcome(), kind: findingKind(i), color: term.Bad}
	if inst := i.Instance; inst != nil {
		e.Label, e.Scope = inst.Claim.Label, say.ScopeFrom(scopeOf(i), inst.Claim.StartingAt, "=")
		if inst.Claim.Refuted {
			e.Expect = "expected"
		}
	}
	switch r := i.Result; {
	case i.Long:
		e.Mark, e.color, e.Verdict, e.Found = "–", "", "left out", longClaim
	case i.Skipped:
		e.Mark, e.color, e.Verdict = "–", "", "unchanged"
	case i.Err != nil:
		e.Found = faultLine(i)
	case r != nil:
		e.decide(r)
	}
	return e
}

// decide adds what is said about a verdict.
func (e *entry) decide(r *proofs.Result) {
	e.Mark, e.color = mark(r)
	e.Verdict, e.starred = verdictWord(r), r.Checked == proofs.Unchecked
	e.expected, e.contrary = r.Expected().String(), r.Status != r.Expected()
	e.Engine, e.reason, e.Found, e.vacuous = string(r.Engine), r.Sentence(), found(r), r.OfNothing()
	e.elapsed, e.decided = r.Stats.Elapsed, !e.item.Cached
	e.notes, e.unchecked = say.Notes(&r.Verdict), say.Gap(r.Gap)
	e.trusted = lists.Map(r.Trusted, say.Table)
	if r.Status == proofs.Bounded {
		e.bounded = r.Words().Bounded
	}
}

// weight is how much a remark weighs.
type weight int

const (
	notable  weight = iota
	plainly         // of this verdict alone
	repeated        // that other verdicts on the file may have, too
	aside           // how the verdict was found, for those who want to know
)

// remark is a line below a verdict.
type remark struct {
	text   string
	weight weight
}

// remarks lists what else there is to say of a verdict.
func (e entry) remarks() (list []remark) {
	if e.vacuous {
		list = append(list, remark{"vacuous: nothing matches the claim", notable})
	}
	if e.starred {
		list = append(list, remark{"unchecked: " + e.unchecked, plainly})
	}
	list = append(list, lists.Map(e.trusted, func(text string) remark { return remark{"trusted: " + text, repeated} })...)
	if e.bounded != "" {
		list = append(list, remark{e.bounded, notable})
	}
	if r := e.item.Result; r != nil {
		for n, text := range e.notes {
			list = append(list, remark{text, weightOf(r.Notes[n])})
		}
	}
	return list
}

func weightOf(n verdict.Note) weight {
	part, _ := n.(verdict.Quote)
	asked, _ := n.(verdict.Asked)
	switch {
	case part.Is == verdict.LeftOut, n == verdict.CountedOnce:
		return aside
	case asked.Second != "":
		return plainly
	}
	return repeated
}

// Row is what a table says of an item, for those that lay it out themselves.
type Row struct {
	Name     string   `json:"name"` // unique within the file
	Label    string   `json:"label,omitempty"`
	Mark     string   `json:"mark"`
	Verdict  string   `json:"verdict"`          // with an asterisk if it was not checked
	Standing string   `json:"standing"`         // good, bad or open
	Expect   string   `json:"expect,omitempty"` // "expected" if the claim is to be refuted
	Scope    string   `json:"scope,omitempty"`
	Engine   string   `json:"engine,omitempty"`
	Found    string   `json:"found,omitempty"` // what the verdict is based on, with the number of states
	Remarks  []string `json:"remarks,omitempty"`
}

// RowOf returns the row of an item that was decided, or failed.
func RowOf(i *suite.Item) Row {
	e := entryOf(i)
	row := e.Row
	row.Verdict, row.Standing = e.word(), standing(e.color)
	for _, m := range e.remarks() {
		if m.weight != aside {
			row.Remarks = append(row.Remarks, m.text)
		}
	}
	return row
}

func standing(c term.Color) string {
	return cmp.Or(map[term.Color]string{term.Good: "good", term.Bad: "bad"}[c], "open")
}

// title returns the name with the label.
func (e entry) title() string {
	if e.Label == "" {
		return e.Name
	}
	return e.Name + " " + strconv.Quote(e.Label)
}

// word returns the verdict, with an asterisk if it was not checked.
func (e entry) word() string {
	if e.starred {
		return e.Verdict + "*"
	}
	return e.Verdict
}

// time returns how long the decision took, or says that the verdict is from the cache. Without a
// verdict it is empty.
func (e entry) time() string {
	switch {
	case e.item.Result == nil:
		return ""
	case !e.decided:
		return "cached"
	}
	return fmt.Sprintf("%.2f s", e.elapsed.Seconds())
}

// mark returns the sign for a verdict and its colour. A verdict that is as expected but vacuous
// gets a warning.
func mark(r *proofs.Result) (string, term.Color) {
	switch {
	case r.AsExpected() && r.OfNothing():
		return "!", term.Open
	case r.AsExpected():
		return "✓", term.Good
	case r.Inconclusive():
		return "?", term.Open
	}
	return "✗", term.Bad
}

// verdictWord returns the word for a verdict. A bounded one names its bound.
func verdictWord(r *proofs.Result) string {
	if r.Status == proofs.Bounded {
		return fmt.Sprintf("bounded %d", r.Bound)
	}
	return r.Status.String()
}

// found says what was found, and among how many states, if that is not said yet.
func found(r *proofs.Result) string {
	text := Grouped(r.Sentence())
	if n := r.Stats.States; n > 0 && !say.TellsStates(&r.Verdict) {
		text = join(text, numeral.Count(n, "state"))
	}
	if r.OfNothing() {
		text = "vacuous: " + text
	}
	return text
}

// Grouped puts commas between the thousands of the numbers in a sentence. It leaves alone numbers
// that are part of a name, of a setting, or in backquotes.
func Grouped(text string) string {
	words := strings.Split(text, " ")
	quoted := false
	for i, word := range words {
		digits := strings.TrimRight(word, ".,;:")
		if n, err := strconv.ParseUint(digits, 10, 63); err == nil && !quoted {
			words[i] = numeral.Number(int64(n)) + word[len(digits):]
		}
		quoted = quoted != (strings.Count(word, "`")%2 == 1)
	}
	return strings.Join(words, " ")
}

// join puts a comma between two texts, of which the first may be empty.
func join(x, y string) string {
	if x == "" {
		return y
	}
	return x + ", " + y
}

// scopeOf returns the scope of an item's verdict or, without one, what it would be.
func scopeOf(i *suite.Item) verdict.Scope {
	if r := i.Result; r != nil && len(r.Scope.Params)+len(r.Scope.Unbounded) > 0 {
		return r.Scope
	}
	return verdict.ScopeOf(i.Instance.System)
}

// Params returns the parameters of a System in the words of a scope.
func Params(sys *rules.System) string { return say.Scope(verdict.ScopeOf(sys), "=") }
