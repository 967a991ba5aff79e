package record

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/plain"
	"github.com/mancheck/mancheck/rules"
)

// Map says by which rules recorded games are played. A file of it has entries such as
//
//	game "two_rows/Oware.lud" by "oware.sow" Oware with n = 4 {
//	  sites north_store, south[1..6], north[6..1], south_store
//	  hands south_store, north_store
//	}
//
// Each site is a pit, several pits joined by `+` (then the site has the seeds of all of them), a
// pit followed by `?` (then only whether it is empty is compared), or `_` (then nothing is
// compared). The variant may be left out if the file has only one. What else may stand before the
// sites is described at the fields of Entry.
type Map struct {
	Entries []*Entry `parser:"@@*"`
}

// Entry is the entry for one game. Its struct tags are the grammar, for package participle.
type Entry struct {
	Pos     lexer.Position
	Game    string     `parser:"'game' @String"`
	File    string     `parser:"'by' @String"` // the rules file, relative to the file of the Map
	Variant string     `parser:"((?! 'with' | 'options' | 'start' | 'turns' | 'swept') @Ident)?"`
	With    []*Setting `parser:"('with' @@ (',' @@)*)?"`
	// Options are those that the game was recorded with, all of them. An entry without options is
	// for records with whatever options.
	Options []string `parser:"('options' @String (',' @String)*)?"`
	// Start is the board that recorded games begin with, as board.Parse reads it, if it is not the
	// one of the setup.
	Start string `parser:"('start' @String)?"`
	// Turns says that a turn is compared as a whole: the plies of a player up to the next one of
	// another are as many moves as the rules make of them.
	Turns bool `parser:"@'turns'?"`
	// Swept says that seeds are moved at the end of a game by the rules and not in the record, or
	// the other way round: of the last board only the total is compared.
	Swept bool    `parser:"@'swept'?"`
	Sites []*Site `parser:"'{' ('sites' @@ (',' @@)*)?"`
	Hands []*Site `parser:"('hands' @@ (',' @@)*)?"`
	// Names are what the sites are called in records of moves, in their order, and what other
	// words of moves mean.
	Names []*Name `parser:"('names' @@ (',' @@)*)?"`
	// Move is a regular expression for a move in records of moves. Its groups are what is chosen,
	// in the order of the rules; a group named score is the score of the player after the move.
	Move string `parser:"('move' @String)?"`
	// Players are what the players are called where a board says who is to move.
	Players []string `parser:"('players' @String (',' @String)*)?"`
	// Views say what the numbers are that a board has as text.
	Views []*View `parser:"@@* '}'"`
}

// Name is what a site is called, or the sites of a stretch, as in `a..f`; or it is a word, and what
// the rules have for it.
type Name struct {
	Pos   lexer.Position
	From  string  `parser:"@(Ident | Int | String)"`
	To    *string `parser:"( '.' '.' @(Ident | Int)"`
	Means *string `parser:"| '=' @(Ident | Int | String) )?"`
}

// View lists the pits of a board as text, in their order. A site `mover` is the player to move.
// With Runs, counts have a letter behind them, as in `4S`, and other numbers before the first blank
// are those of empty pits. A view for a player is for positions in which he is to move.
type View struct {
	Pos   lexer.Position
	For   string  `parser:"'position' ('for' @Ident)?"`
	Runs  bool    `parser:"@'runs'?"`
	Sites []*Site `parser:"@@ (',' @@)*"`
}

// Setting is the value of a parameter.
type Setting struct {
	Name  string `parser:"@Ident '='"`
	Value string `parser:"@(Int | Ident)"`
}

// Site is an item in a list of sites. A stretch of pits stands for several sites.
type Site struct {
	Skip bool   `parser:"  @'_'"`
	Pits []*Pit `parser:"| @@ ('+' @@)*"`
	Some bool   `parser:"  @'?'?"`
}

// Pit is a pit or a stretch of pits.
type Pit struct {
	Pos   lexer.Position
	Name  string `parser:"@Ident"`
	Index *Range `parser:"@@?"`
}

// Range is the brackets after the name of a pit.
type Range struct {
	From string  `parser:"'[' @Int"`
	To   *string `parser:"('.' '.' @Int)? ']'"`
}

// mapParser builds the parser, which few commands need.
var mapParser = sync.OnceValue(func() *participle.Parser[Map] {
	tokens := lexer.MustSimple([]lexer.SimpleRule{
		{Name: "Comment", Pattern: `//[^\n]*`},
		{Name: "Space", Pattern: `\s+`},
		{Name: "Skip", Pattern: `_\b`},
		{Name: "Ident", Pattern: `[A-Za-z][A-Za-z0-9_]*`},
		{Name: "Int", Pattern: `[0-9]+`},
		{Name: "String", Pattern: "\"[^\"\n]*\"|`[^`\n]*`"},
		{Name: "Mark", Pattern: `[{}\[\]=,.+?]`},
	})
	return participle.MustBuild[Map](
		participle.Lexer(tokens), participle.Elide("Comment", "Space"), participle.Unquote("String"),
	)
})

// ReadMap parses a Map. name is the file name for errors, which have line and column.
func ReadMap(name string, text []byte) (*Map, error) {
	src, err := plain.Read(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return mapParser().ParseString(name, src)
}

// Find returns the entry for a game, or nil: the first one for its options, or else the first
// without options. The name of an entry is that of the game, or ends it, after a slash. A game
// without a name is that of the only entry.
func (m *Map) Find(g *Game) *Entry {
	var any *Entry
	for _, e := range m.Entries {
		switch {
		case g.Name == "" && len(m.Entries) == 1:
			return e
		case e.Game != g.Name && !strings.HasSuffix(g.Name, "/"+e.Game):
		case len(e.Options) > 0 && sameSet(e.Options, g.Options):
			return e
		case len(e.Options) == 0 && any == nil:
			any = e
		}
	}
	return any
}

func sameSet(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// site is what a count in a record is compared with: the seeds of some pits.
type site struct {
	pits        []int // nil: nothing is compared
	onlyWhether bool  // compare only whether there are any
	mover       bool  // the player to move, of a View
	other       bool  // no count, of a View
}

// agrees reports whether a count in a record agrees with the seeds of a state.
func (s site) agrees(seeds []int, count int) bool {
	if s.pits == nil {
		return true
	}
	n := lists.Sum(s.pits, func(p int) int { return seeds[p] })
	if s.onlyWhether {
		return (n > 0) == (count > 0)
	}
	return n == count
}

// bind resolves a list of sites. An error says where it is in the file.
func bind(sys *rules.System, list []*Site) ([]site, error) {
	var out []site
	for _, s := range list {
		if s.Skip {
			out = append(out, site{})
			continue
		}
		first, err := s.Pits[0].find(sys)
		if err != nil {
			return nil, err
		}
		row := lists.Map(first, func(p int) site { return site{pits: []int{p}, onlyWhether: s.Some} })
		for _, more := range s.Pits[1:] {
			pits, err := more.find(sys)
			if err != nil {
				return nil, err
			}
			if len(pits) != len(row) {
				return nil, fmt.Errorf("%s: stretches of %d and %d pits cannot be joined", more.Pos, len(row), len(pits))
			}
			for i, p := range pits {
				row[i].pits = append(row[i].pits, p)
			}
		}
		out = append(out, row...)
	}
	return out, nil
}

// find resolves a pit or stretch of pits.
func (p *Pit) find(sys *rules.System) ([]int, error) {
	if p.Index == nil {
		if i := sys.PitNamed(p.Name); i != rules.None {
			return []int{i}, nil
		}
		return nil, fmt.Errorf("%s: there is no pit `%s`", p.Pos, p.Name)
	}
	from, err := strconv.Atoi(p.Index.From)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Pos, err)
	}
	to := from
	if p.Index.To != nil {
		if to, err = strconv.Atoi(*p.Index.To); err != nil {
			return nil, fmt.Errorf("%s: %w", p.Pos, err)
		}
	}
	step := 1
	if to < from {
		step = -1
	}
	var pits []int
	for i := from; ; i += step {
		pit := numbered(sys, p.Name, i)
		if pit == rules.None {
			return nil, fmt.Errorf("%s: there is no pit `%s[%d]`", p.Pos, p.Name, i)
		}
		pits = append(pits, pit)
		if i == to {
			return pits, nil
		}
	}
}

// numbered returns the pit of a group with this number, or rules.None. Pits without a number in
// their name do not count.
func numbered(sys *rules.System, group string, index int) int {
	return slices.IndexFunc(sys.Pits, func(p rules.Pit) bool {
		return p.Group == group && p.Index == index && strings.TrimPrefix(p.Name, group) != ""
	})
}
