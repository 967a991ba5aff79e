package explain

import (
	"cmp"
	"slices"

	"github.com/mancheck/mancheck/internal/lists"
)

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
