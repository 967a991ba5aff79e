package explain

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs"
)

// table returns a table with a row for each instance of a sweep, or nil without a sweep.
func table(items []*Item, made []*Instance) *Table {
	params := items[0].Instance.Swept()
	if len(params) == 0 {
		return nil
	}
	t := &Table{Params: params}
	for i, item := range items {
		t.Rows = append(t.Rows, Row{Values: values(item, params), Instance: made[i]})
	}
	return t
}

func values(item *Item, params []string) []string {
	return lists.Map(params, func(p string) string { return item.Instance.Settings[p].String() })
}

// sweepMap returns the map of a sweep over two parameters, or over one for some value of another;
// nil for other claims.
func sweepMap(items []*Item, made []*Instance) *Map {
	params, some := items[0].Instance.Swept(), items[0].Instance.Some
	switch {
	case len(items) < 2:
		return nil
	case len(params) == 2:
		return mapOfTwo(items, made, params)
	case len(params) == 1 && some != "":
		return mapOfLeast(items, made, params[0], some)
	}
	return nil
}

// Meanings of the numbers in a map.
const (
	shortest   = "moves of a shortest play"
	playLength = "moves of the play that shows it"
)

// lengthOf says what the length of a verdict's play means.
func lengthOf(r *proofs.Result) string {
	if r != nil && r.Words().Shortest {
		return shortest
	}
	return playLength
}

// mapOfTwo maps a sweep over two parameters. Values that no instance has are marked as out.
func mapOfTwo(items []*Item, made []*Instance, params []string) *Map {
	m := &Map{Rows: params[0], Cols: params[1], Legend: []string{"● proved, ○ refuted, ? undecided."}}
	cells := map[[2]string]Cell{}
	for i, item := range items {
		v := values(item, params)
		m.RowNames, m.Header = append(m.RowNames, v[0]), append(m.Header, v[1])
		c := verdictCell(item.Result)
		c.Instance = made[i]
		cells[[2]string{v[0], v[1]}] = c
		if item.Result != nil && item.Result.Trace != nil && m.Shows != playLength {
			m.Shows = lengthOf(item.Result)
		}
	}
	m.RowNames, m.Header = lists.Distinct(m.RowNames), lists.Distinct(m.Header)
	m.Cells = lists.Map(m.RowNames, func(row string) []Cell {
		return lists.Map(m.Header, func(col string) Cell {
			if c, asked := cells[[2]string{row, col}]; asked {
				return c
			}
			return Cell{Kind: "out"}
		})
	})
	return m
}

// verdictCell returns the cell for a verdict. Its signs differ from those of verdicts elsewhere,
// where ✓ and ✗ say whether a verdict is as expected.
func verdictCell(r *proofs.Result) Cell {
	switch {
	case r == nil:
		return Cell{Text: "!", Kind: "open"}
	case r.Inconclusive():
		return Cell{Text: "?", Kind: "open"}
	}
	c := Cell{Text: "○", Kind: "no"}
	if r.Status == proofs.Proved {
		c = Cell{Text: "●", Kind: "yes"}
	}
	if r.Trace != nil {
		c.Text += fmt.Sprintf(" %d", len(r.Trace.Steps))
	}
	return c
}

// maxCols bounds the columns of a map.
const maxCols = 64

// mapOfLeast maps, for each row, the least value for which the claim holds, and the values below it
// for which it does not.
func mapOfLeast(items []*Item, made []*Instance, row, some string) *Map {
	m := &Map{Rows: row, Cols: some, Shows: lengthOf(items[0].Result), Legend: []string{
		"The number stands at the least " + some + " for which there is a play; ○ says that there is none, ? that it is not known. " +
			"What is blank is greater, and was not asked, or out of range.",
	}}
	lo, hi := -1, -1
	for _, item := range items {
		if from, least, ok := leastOf(item, some); ok {
			if lo < 0 || from < lo {
				lo = from
			}
			hi = max(hi, least)
		}
	}
	if lo < 0 || hi-lo >= maxCols {
		return nil
	}
	for n := lo; n <= hi; n++ {
		m.Header = append(m.Header, fmt.Sprint(n))
	}
	for i, item := range items {
		m.RowNames = append(m.RowNames, item.Instance.Settings[row].String())
		m.Cells = append(m.Cells, leastCells(item, made[i], some, lo, hi))
	}
	return m
}

// leastCells returns one row. The values below are not known to fail if a search by formulas found
// the value, or if a limit ended the search for a smaller one.
func leastCells(item *Item, made *Instance, some string, lo, hi int) []Cell {
	from, least, ok := leastOf(item, some)
	below := Cell{Text: "○", Kind: "no"}
	if !ok || item.Result.Limited || item.Result.Engine == proofs.BMC || item.Result.Engine == proofs.SMT {
		below = Cell{Text: "?", Kind: "open"}
	}
	var line []Cell
	for n := lo; n <= hi; n++ {
		switch {
		case !ok || n < from || n > least:
			line = append(line, Cell{Kind: "out"})
		case n < least:
			line = append(line, below)
		default:
			c := verdictCell(item.Result)
			if t := item.Result.Trace; t != nil && !item.Result.Inconclusive() {
				c.Text = fmt.Sprint(len(t.Steps))
			}
			c.Instance = made
			line = append(line, c)
		}
	}
	return line
}

// leastOf returns the lower end of the parameter's range, and the value that was found.
func leastOf(item *Item, some string) (from, least int, ok bool) {
	if item.Result == nil || item.Result.Status != proofs.Proved {
		return 0, 0, false
	}
	for i, p := range item.Result.System.Params {
		if p.Name == some && !p.Open {
			return item.Instance.System.Params[i].Lo, p.Value, true
		}
	}
	return 0, 0, false
}

// Shared is what is said of several verdicts at once. Of names their claims, or the instances if it
// is not said of all that a claim has; it is empty if it is said of all verdicts.
type Shared struct {
	Text string
	Of   []string
}

// share moves what the verdicts rely on, and the notes that claims have in common, from the
// instances to the document. A document with one verdict says it there.
func share(doc *Document) {
	claims := slices.Concat(doc.Claims, doc.Beside)
	all := lists.Flat(claims, func(c *Claim) []*Instance { return c.Instances })
	if len(all) < 2 {
		return
	}
	doc.Trust = shared(claims, func(i *Instance) []string { return i.Trust })
	for _, i := range all {
		i.Trust = nil
	}
	said := map[string]int{}
	for _, i := range all {
		for _, n := range i.Notes {
			said[n]++
		}
	}
	common := func(n string) bool { return said[n] > 1 }
	doc.Notes = shared(claims, func(i *Instance) []string { return lists.Filter(i.Notes, common) })
	for _, i := range all {
		i.Notes = slices.DeleteFunc(i.Notes, common)
	}
}

// shared lists the texts of all instances, each once, in the order in which they come first.
func shared(claims []*Claim, texts func(*Instance) []string) []Shared {
	said := lists.Flat(claims, func(c *Claim) []string { return lists.Flat(c.Instances, texts) })
	list := lists.Map(lists.Distinct(said), func(text string) Shared { return Shared{Text: text} })
	for n := range list {
		everywhere := true
		for _, c := range claims {
			has := lists.Filter(c.Instances, func(i *Instance) bool { return slices.Contains(texts(i), list[n].Text) })
			of := lists.Map(has, func(i *Instance) string { return i.Name })
			everywhere = everywhere && len(of) == len(c.Instances)
			if len(of) > 0 && len(of) == len(c.Instances) {
				of = []string{c.Name}
			}
			list[n].Of = append(list[n].Of, of...)
		}
		if everywhere {
			list[n].Of = nil
		}
	}
	slices.SortStableFunc(list, func(a, b Shared) int { return cmp.Compare(min(len(a.Of), 1), min(len(b.Of), 1)) }) // what is said of all comes first
	return list
}
