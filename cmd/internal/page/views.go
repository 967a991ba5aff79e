package page

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/mancheck/mancheck/proofs/explain"
)

// claimView is a claim with the level of its heading.
type claimView struct {
	*explain.Claim
	Level int
}

var unfit = regexp.MustCompile(`[^a-zA-Z0-9]+`)

// anchor is the id of a claim or instance, the same whenever it is asked for.
func (h *page) anchor(name string) string {
	if id := h.anchors[name]; id != "" {
		return id
	}
	base := "claim-" + strings.Trim(unfit.ReplaceAllString(name, "-"), "-")
	id := base
	for n := 2; h.taken[id]; n++ {
		id = fmt.Sprintf("%s-%d", base, n)
	}
	h.taken[id], h.anchors[name] = true, id
	return id
}

// entry is a claim in the menu; To is where it leads to, if not to the claim's section.
type entry struct {
	*explain.Claim
	To string
}

// below begins a claim with a heading of this level.
func (h *page) below(level int) string {
	h.level = level + 1
	return ""
}

// enter begins an instance: what follows belongs to it.
func (h *page) enter(name string) string {
	h.in = h.anchor(name)
	return ""
}

// plant begins a tree: its nodes get ids of their own.
func (h *page) plant(t *explain.Tree) *explain.Tree {
	h.prefix = h.in + "-no-"
	return t
}

// nodeView is a node with the ids of the places it stands at and points to.
type nodeView struct {
	*explain.Node
	ID, SameID, MirrorID string
	Open                 bool
}

func (h *page) nodeView(n *explain.Node) nodeView {
	return nodeView{
		Node: n, ID: fmt.Sprintf("%s%d", h.prefix, n.No), Open: n.Mirror == 0,
		SameID: fmt.Sprintf("%s%d", h.prefix, n.Same), MirrorID: fmt.Sprintf("%s%d", h.prefix, n.Mirror),
	}
}
