package page

import (
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/explain"
)

// Markdown writes a document as Markdown: boards in code blocks, trees as nested lists.
func Markdown(doc *explain.Document) []byte {
	m := &markdown{}
	m.block(mdMark)
	m.line("# %s", escape(doc.Title))
	m.line("`%s`", strings.ReplaceAll(doc.File, "`", "'"))
	if doc.Intro != "" {
		m.line("%s", escape(doc.Intro))
	}
	if len(doc.Claims) > 1 {
		m.overview(doc.Claims)
	}
	for _, c := range doc.Claims {
		m.claim(c)
	}
	m.positions(doc.Positions)
	m.beside(doc.Beside)
	for _, v := range doc.Variants {
		m.variant(v)
	}
	return []byte(m.out.String())
}

type markdown struct{ out strings.Builder }

// line writes a paragraph.
func (m *markdown) line(format string, args ...any) { fmt.Fprintf(&m.out, format+"\n\n", args...) }

func (m *markdown) block(text string) { m.out.WriteString(text + "\n") }

// row writes a row of a table.
func (m *markdown) row(cells ...string) {
	for i := range cells {
		cells[i] = barred(cells[i])
	}
	m.out.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}

func (m *markdown) overview(claims []*explain.Claim) {
	m.row("", "claim", "", "scope", "found")
	m.row("---", "---", "---", "---", "---")
	for _, c := range claims {
		for _, inst := range c.Instances {
			m.row(mark(inst), "`"+inst.Name+"`", cell(c.Label), cell(inst.Scope), cell(inst.Status.String()+found(inst)))
		}
	}
	m.block("")
}

func found(inst *explain.Instance) string {
	if inst.Found == "" {
		return ""
	}
	return ": " + inst.Found
}

// mark tells whether a verdict is as expected.
func mark(inst *explain.Instance) string {
	switch {
	case inst.Failed != "":
		return "!"
	case inst.AsExpected:
		return "✓"
	case inst.Status == proofs.Unknown || inst.Status == proofs.Bounded:
		return "?"
	}
	return "✗"
}

func (m *markdown) claim(c *explain.Claim) {
	m.line("## %s", heading(c))
	if c.Doc != "" {
		m.line("%s", escape(c.Doc))
	}
	m.block(fenced(c.Text, "sow"))
	for _, s := range c.Setting {
		m.setting(s)
	}
	m.theMap(c.Map)
	m.table(c.Sweep)
	left := 0
	for i, inst := range c.Instances {
		if i > 0 && len(c.Instances) > maxInstances && inst.AsExpected {
			left++
			continue
		}
		m.instance(inst, len(c.Instances) > 1)
	}
	if left > 0 {
		m.line("%s not written out: -p chooses one, and a page (--format html) has all.", plural(left, "more instance"))
	}
}

// maxInstances is how many instances of a sweep are written out. Of more the first one stands for all that are as expected; what was
// found of each is in the table.
const maxInstances = 4

func (m *markdown) setting(s explain.Setting) {
	m.line("%s", prose(s.Meaning))
	if s.Doc != "" {
		m.line("%s", escape(s.Doc))
	}
	m.block(fenced(s.Text, "sow"))
}

func heading(c *explain.Claim) string {
	if c.Label == "" {
		return escape(c.Name)
	}
	return escape(c.Label) + " (" + escape(c.Name) + ")"
}

func (m *markdown) instance(inst *explain.Instance, several bool) {
	if several {
		m.line("### %s", escape(inst.Name))
	}
	m.line("%s **%s**", mark(inst), cell(inst.Verdict))
	m.fact("Scope", inst.Scope)
	m.fact("Found", inst.Found)
	m.fact("Decided by", inst.How)
	m.fact("Rests on", strings.Join(inst.Trust, "; "))
	for _, n := range inst.Notes {
		m.fact("Note", n)
	}
	m.block("")
	for _, b := range inst.Evidence {
		m.evidence(b)
	}
}

func (m *markdown) fact(what, text string) {
	if text != "" {
		fmt.Fprintf(&m.out, "- %s: %s\n", what, cell(text))
	}
}

func (m *markdown) evidence(b explain.Block) {
	switch b := b.(type) {
	case explain.Para:
		m.line("%s", prose(string(b)))
	case *explain.Play:
		m.play(b)
	case *explain.Pair:
		m.pair(b)
	case *explain.Lengths:
		m.lengths(b)
	case *explain.States:
		m.states(b)
	case *explain.Tree:
		m.tree(b)
	}
}

func (m *markdown) play(p *explain.Play) {
	m.line("**%s**, %s:", prose(p.Title), plural(len(p.Trace.Steps), "move"))
	list, left := steps(p, nil)
	for _, s := range list {
		m.block(fenced(stepText(p, &s), ""))
	}
	m.left(left)
}

func (m *markdown) left(moves int) {
	if moves > 0 {
		m.line("… and %s, which `mancheck trace` writes down.", plural(moves, "move more"))
	}
}

// stepText is a state of a play in characters, under the move that leads to it.
func stepText(p *explain.Play, s *step) string {
	if s == nil {
		return ""
	}
	title := p.First
	if s.Move != "" {
		title = strings.TrimRight(fmt.Sprintf("%d. %s  %s", s.No, s.Move, s.Label), " ")
	}
	if s.Loop {
		title += "  (and here the play comes back to, for ever)"
	}
	return title + "\n\n" + draw(s.Board)
}

// pair draws two plays beside each other.
func (m *markdown) pair(p *explain.Pair) {
	m.line("**%s**", prose(p.Title))
	if p.Words != "" {
		m.line("%s", prose(p.Words))
	}
	rows, left := sideBySide(p)
	for i, row := range rows {
		a, b := stepText(p.Left, row.Sides[0]), stepText(p.Right, row.Sides[1])
		if i == 0 {
			a, b = p.Left.Title+"\n\n"+a, p.Right.Title+"\n\n"+b
		}
		m.block(fenced(beside(a, b), ""))
	}
	m.left(left)
}

func (m *markdown) lengths(l *explain.Lengths) {
	m.row("moves", "plays")
	m.row("---:", "---:")
	for i, n := range l.Counts {
		m.row(fmt.Sprint(i+1), number(n))
	}
	m.block("")
}

func (m *markdown) states(s *explain.States) {
	m.line("**%s**", prose(s.Title))
	for _, shown := range s.States {
		text := ""
		if shown.Board != nil {
			text = draw(shown.Board)
		}
		title := prose(shown.Name)
		if shown.Text != "" {
			title = strings.TrimPrefix(title+": "+cell(shown.Text), ": ")
		}
		if title != "" {
			m.line("%s", title)
		}
		if text != "" {
			m.block(fenced(text, ""))
		}
	}
	if s.More > 0 {
		m.line("… and %d more.", s.More)
	}
}

func (m *markdown) tree(t *explain.Tree) {
	m.line("**The tree of predecessors**")
	if t.SameAs != "" {
		m.line("It is the tree of `%s`, above, of %s.", t.SameAs, plural(t.States, "state"))
	}
	if t.Intro != "" {
		m.line("%s", prose(t.Intro))
	}
	for _, n := range t.Roots {
		m.node(n, "")
	}
	if t.More > 0 {
		m.line("… and %s, further from the target, that are not drawn.", plural(t.More, "state more"))
	}
	for _, c := range t.Closing {
		m.line("%s", prose(c))
	}
}

func (m *markdown) node(n *explain.Node, indent string) {
	fmt.Fprintf(&m.out, "%s- %s\n", indent, nodeTitle(n))
	if n.Same > 0 {
		m.block("")
		return
	}
	inner := indent + "  "
	m.block("\n" + indented(fenced(draw(n.Board), ""), inner))
	for _, text := range reasons(n) {
		m.block(indented(prose(text), inner) + "\n")
	}
	for _, p := range n.Preds {
		m.node(p, inner)
	}
}

// nodeTitle is the number of a state, its names, and the move to the state above.
func nodeTitle(n *explain.Node) string {
	var items []string
	if n.No > 0 {
		items = append(items, fmt.Sprintf("**No. %d**", n.No))
	}
	if len(n.Names) > 0 {
		items = append(items, "**"+escape(strings.Join(n.Names, ", "))+"**")
	}
	if n.Target {
		items = append(items, "the target")
	}
	if len(n.Moves) > 0 {
		items = append(items, escape(strings.Join(n.Moves, " or ")+" → "+n.To))
	}
	if n.Same > 0 {
		items = append(items, fmt.Sprintf("the same state as No. %d", n.Same))
	}
	return strings.Join(items, " · ")
}

// reasons says of a state why no play comes to it through here.
func reasons(n *explain.Node) []string {
	var list []string
	if n.NotStart != "" {
		list = append(list, "It is no start: "+n.NotStart+".")
	}
	if n.Uncounted {
		list = append(list, "It is not counted.")
	}
	if n.Mirror > 0 {
		list = append(list, fmt.Sprintf("With all that stands below, it mirrors No. %d, %s exchanged.", n.Mirror, n.How))
	}
	if len(n.Preds)+n.Hidden == 0 {
		list = append(list, "Dead end: no state has a step to it.")
	}
	if n.Hidden > 0 {
		list = append(list, fmt.Sprintf("%s not drawn here.", plural(n.Hidden, "predecessor")))
	}
	return list
}

func (m *markdown) positions(p *explain.Positions) {
	if p == nil || len(p.List) == 0 {
		return
	}
	m.line("## Positions")
	m.line("%s", prose(positionsIntro(p)))
	for _, pos := range p.List {
		m.line("**%s** · %s", escape(pos.Name), pos.Status)
		if pos.Doc != "" {
			m.line("%s", escape(pos.Doc))
		}
		if pos.Condition != "" {
			m.line("`%s`", strings.ReplaceAll(pos.Condition, "`", "'"))
		}
		if pos.Board != nil {
			m.block(fenced(draw(pos.Board), ""))
		}
		m.line("%s", prose(sentence(pos.Reason)))
	}
	if len(p.Left) > 0 {
		m.line("For other boards: %s.", escape(strings.Join(p.Left, ", ")))
	}
}

// positionsIntro says what the statuses mean.
func positionsIntro(p *explain.Positions) string {
	if p.Claim == "" {
		return "The named positions, on the board with " + p.Scope + "."
	}
	return fmt.Sprintf("The named positions as seen from the target of `%s` (%s). A position is valid if it leads to the target "+
		"and some state leads to it, "+
		"dead if it leads to the target but nothing leads to it and it is no start, and invalid if no play from it reaches the target. "+
		"Games that are over, though not at the target, fit most positions too; they are not counted.", p.Claim, p.Scope)
}

// sentence is text with a capital and a full stop.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

func (m *markdown) beside(claims []*explain.Claim) {
	if len(claims) == 0 {
		return
	}
	m.line("## Beside it")
	m.overview(claims)
	for _, c := range claims {
		if shows(c) {
			m.claim(c)
		}
	}
}

// shows reports whether there is something to be seen of a claim that stands beside.
func shows(c *explain.Claim) bool {
	for _, inst := range c.Instances {
		if len(inst.Evidence) > 0 {
			return true
		}
	}
	return false
}

func (m *markdown) variant(v *explain.Variant) {
	title := v.Title
	if title == "" {
		title = v.Name
	}
	m.line("## The rules: %s", escape(title))
	if v.Doc != "" {
		m.line("%s", escape(v.Doc))
	}
	if len(v.Labels) > 0 {
		m.row("label", "", "used here", "text")
		m.row("---", "---", "---", "---")
		for _, l := range v.Labels {
			used := ""
			if l.Used {
				used = "yes"
			}
			m.row(escape(l.Name), l.Kind, used, cell(firstLine(l)))
		}
		m.block("")
	}
	text := ""
	for _, p := range v.Source {
		text += p.Text
	}
	m.block(fenced(text, "sow"))
}

// firstLine is the beginning of the text that a label names.
func firstLine(l explain.Label) string {
	text := strings.Join(strings.Fields(l.Text), " ")
	if runes := []rune(text); len(runes) > maxText {
		text = string(runes[:maxText]) + " …"
	}
	return text
}

// maxText is how many characters of a rule stand in a table.
const maxText = 120

func (m *markdown) theMap(t *explain.Map) {
	if t == nil {
		return
	}
	if t.Shows != "" {
		m.line("The numbers are %s.", prose(t.Shows))
	}
	m.row(append([]string{escape(t.Rows + " \\ " + t.Cols)}, t.Header...)...)
	m.row(strings.Split(strings.Repeat("--- ", len(t.Header))+"---", " ")...)
	for i, name := range t.RowNames {
		line := []string{name}
		for _, c := range t.Cells[i] {
			line = append(line, c.Text)
		}
		m.row(line...)
	}
	m.block("")
	for _, l := range t.Legend {
		m.line("%s", prose(l))
	}
}

func (m *markdown) table(t *explain.Table) {
	if t == nil {
		return
	}
	m.row(append(append([]string{}, t.Params...), "verdict", "found")...)
	m.row(strings.Split(strings.Repeat("--- ", len(t.Params)+1)+"---", " ")...)
	for _, r := range t.Rows {
		m.row(append(append([]string{}, r.Values...), mark(r.Instance)+" "+r.Instance.Status.String(), cell(r.Instance.Found))...)
	}
	m.block("")
}
