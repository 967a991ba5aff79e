// In a browser boards are drawn by script, and templates are large.

//go:build !js

package drawing

import (
	_ "embed"
	"fmt"
	"html/template"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/mancheck/mancheck/rules"
)

//go:embed board.svg.tmpl
var templateText string

var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("board").Funcs(template.FuncMap{
		"radius": func() int { return radius }, "nameWidth": func() int { return cellW - 2 },
		"add": func(a, b int) int { return a + b }, "join": strings.Join,
	}).Parse(templateText))
})

func render(name string, data any) template.HTML {
	var out strings.Builder
	if err := templates().ExecuteTemplate(&out, name, data); err != nil {
		panic(err) // the templates are the program's own, and their data has no methods that fail
	}
	return template.HTML(out.String())
}

// Marks is what is to be noticed about a state.
type Marks interface {
	Open(pit int) bool    // it is not known what lies in the pit
	Change(pit int) int   // how many seeds the last move added, negative if it removed some
	Marked() int          // the pit that a variable stands on, or rules.None
	Differs(pit int) bool // from the board beside this one
	Status() string       // what the pits do not show, in words; may be empty
}

// Empty draws what all states on a board have in common, as a group with this id. Pits of which it
// is not known what lies in them are open.
func (l *Layout) Empty(id string, open func(pit int) bool) template.HTML {
	return render("empty", struct {
		*Layout
		ID   string
		Open func(s Spot) bool
	}{l, id, func(s Spot) bool { return open(s.pit) }})
}

// Draw draws a state over the empty board with the id base.
func (l *Layout) Draw(base string, s rules.State, m Marks) template.HTML {
	out := drawn{Layout: l, Base: base, Spoken: l.spoken(s, m), Turn: l.turn(s)}
	for _, at := range l.Spots {
		if m.Open(at.pit) {
			continue
		}
		p := drawnPit{Spot: at, Ring: ringClass(m, at.pit)}
		for _, d := range at.Places(s.Seeds[at.pit]) {
			out.Seeds += fmt.Sprintf("M%d %dh0", at.X+d[0], at.Y+d[1])
		}
		text := fmt.Sprint(s.Seeds[at.pit])
		if c := m.Change(at.pit); c != 0 {
			p.Change, p.Way = strings.Replace(fmt.Sprintf("%+d", c), "-", "−", 1), direction(c)
			p.Beside = at.X + digitW*len(text)/2 + 3
		}
		out.Known = append(out.Known, p)
		out.count(at, text)
	}
	return render("state", out)
}

// drawn is a state as it is drawn.
type drawn struct {
	*Layout
	Base, Spoken string
	Turn         string // a path
	Seeds        string // a path
	Known        []drawnPit
	Counts       []digits
}

// drawnPit is a pit of which it is known what lies in it.
type drawnPit struct {
	Spot
	Ring   string // class of its edge, if there is something to be noticed
	Change string // of the number of seeds
	Way    string // of the change: gain or loss
	Beside int    // the number: where the change begins
}

// digits are counts under pits. Neighbours of one digit each share a text, which says where each
// digit stands.
type digits struct {
	Class, Text string
	Xs          []string
	Y           int
}

// turn underlines the name of the player to move.
func (l *Layout) turn(s rules.State) string {
	for _, at := range l.Players {
		if s.Mover != rules.None && at.Name == l.sys.Players[s.Mover] {
			half := 4*utf8.RuneCountInString(at.Name) + 4
			return fmt.Sprintf("M%d %dh%d", at.X-half, at.Y+4, 2*half)
		}
	}
	return ""
}

// count writes a number under a pit.
func (d *drawn) count(s Spot, text string) {
	class := "count"
	if text == "0" {
		class = "zero"
	}
	n := len(d.Counts)
	if n == 0 || d.Counts[n-1].Class != class || d.Counts[n-1].Y != s.Below() || len(text) > 1 || len(d.Counts[n-1].Text) != len(d.Counts[n-1].Xs) {
		d.Counts = append(d.Counts, digits{Class: class, Y: s.Below()})
		n++
	}
	d.Counts[n-1].Text += text
	d.Counts[n-1].Xs = append(d.Counts[n-1].Xs, fmt.Sprint(s.X))
}

// ringClass is how a pit's edge is drawn, or empty if there is nothing to be noticed.
func ringClass(m Marks, pit int) string {
	var class []string
	if d := m.Change(pit); d != 0 {
		class = append(class, direction(d))
	}
	if pit == m.Marked() {
		class = append(class, "marked")
	}
	if m.Differs(pit) {
		class = append(class, "differs")
	}
	if len(class) == 0 {
		return ""
	}
	return strings.Join(append([]string{"ring"}, class...), " ")
}

func direction(change int) string {
	if change < 0 {
		return "loss"
	}
	return "gain"
}

// spoken is a state in words: what is not empty, and where it stands.
func (l *Layout) spoken(s rules.State, m Marks) string {
	var items []string
	for p, n := range s.Seeds {
		if !m.Open(p) && n > 0 {
			items = append(items, fmt.Sprintf("%s %d", l.sys.Pits[p].Name, n))
		}
	}
	if len(items) == 0 {
		items = append(items, "no seeds")
	}
	if m := m.Marked(); m != rules.None {
		items = append(items, "at "+l.sys.Pits[m].Name)
	}
	if status := m.Status(); status != "" {
		items = append(items, status)
	}
	return strings.Join(items, ", ")
}
