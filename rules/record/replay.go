package record

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// Difference is the place where a record and the rules disagree.
type Difference struct {
	Ply  int // 0 for the start
	Text string
}

func (d *Difference) Error() string { return fmt.Sprintf("ply %d: %s", d.Ply, d.Text) }

// replay is a record being replayed.
type replay struct {
	in    *interp.Interp
	entry *Entry
	sites []site
	hands []site
	// plays has all plays that the record may be about, each by its states: with a rule of
	// repetition the next steps depend on the earlier states. There may be several, because a
	// record does not have the state variables.
	plays [][]rules.State
}

// Replay plays a recorded game with the rules of a System. entry says which pits the sites are. It
// compares every board, mover and number of legal moves, and who has won. It returns how many plies
// agree. An error is a *Difference, or a limit or fault in play.
func Replay(ctx context.Context, in *interp.Interp, entry *Entry, g *Game) (plies int, err error) {
	r := &replay{in: in, entry: entry}
	if r.sites, err = bind(in.System(), entry.Sites); err != nil {
		return 0, err
	}
	if r.hands, err = bind(in.System(), entry.Hands); err != nil {
		return 0, err
	}
	if g, err = r.divided(g); err != nil {
		return 0, err
	}
	if err := r.start(ctx, g); err != nil {
		return 0, err
	}
	for i := 0; i < len(g.Plies); {
		if err := ctx.Err(); err != nil {
			return i, err
		}
		if g.closes(i) && r.over() {
			break
		}
		n := 1
		for entry.Turns && i+n < len(g.Plies) && g.Plies[i+n].Mover == g.Plies[i].Mover {
			n++
		}
		if err := r.play(g.Plies[i:i+n], g.closes(i+n)); err != nil {
			return i, err
		}
		i += n
	}
	return len(g.Plies), r.end(g)
}

// divided returns a game in which the counts of hands are apart from those of sites. In a trial
// they follow the others. There, counts that are 0 throughout may be missing at the end, or be more
// than the entry has.
func (r *replay) divided(g *Game) (*Game, error) {
	if !g.trial {
		if n := len(g.Start.Counts); n != len(r.sites) {
			return nil, fmt.Errorf("%s: %d sites, the record has %d", r.entry.Pos, len(r.sites), n)
		}
		return g, nil
	}
	all := len(r.sites) + len(r.hands)
	d := *g
	d.Plies = slices.Clone(g.Plies)
	divide := func(p *Ply) error {
		if n := len(p.Counts); n > all && slices.Max(p.Counts[all:]) > 0 {
			return fmt.Errorf("%s: %d sites, the record has %d", r.entry.Pos, len(r.sites), n)
		}
		counts := make([]int, all)
		copy(counts, p.Counts)
		p.Counts, p.Hands = counts[:len(r.sites)], counts[len(r.sites):]
		return nil
	}
	if err := divide(&d.Start); err != nil {
		return nil, err
	}
	for i := range d.Plies {
		if err := divide(&d.Plies[i]); err != nil {
			return nil, err
		}
	}
	return &d, nil
}

// closes reports whether the plies from i on are all passes after the end of the game. Some
// recorders write them because nobody can move, and others do not.
func (g *Game) closes(i int) bool {
	return g.Over && !slices.ContainsFunc(g.Plies[i:], func(p Ply) bool { return p.From >= 0 || p.To >= 0 })
}

func (r *replay) over() bool {
	return !slices.ContainsFunc(r.plays, func(play []rules.State) bool { return last(play).Live() })
}

func last(play []rules.State) rules.State { return play[len(play)-1] }

// steps returns the steps of a play that may follow.
func (r *replay) steps(play []rules.State) ([]interp.Step, error) {
	steps, err := r.in.Steps(last(play))
	return r.in.InPlay(play, steps), err
}

// with returns a play with one state more. It leaves the play as it was.
func with(play []rules.State, s rules.State) []rules.State { return append(slices.Clip(play), s) }

// key is the same for plays that are alike from their last states on: with a rule of repetition
// these are plays through the same states.
func (r *replay) key(play []rules.State) string {
	if r.in.System().Repetition == nil {
		return fmt.Sprint(last(play))
	}
	states := slices.Clone(play[:len(play)-1])
	slices.SortFunc(states, rules.State.Compare)
	return fmt.Sprint(last(play), slices.CompactFunc(states, rules.State.Equal))
}

// errEnough ends the listing of starts when there are maxPlays of them.
var errEnough = errors.New("enough starts")

// maxPlays bounds the plays that a record may be about.
const maxPlays = 1 << 12

// start finds the starts with the board of the record.
func (r *replay) start(ctx context.Context, g *Game) error {
	if r.entry.Start != "" {
		return r.startAt(g)
	}
	var seen rules.State
	err := space.Starts(ctx, r.in, func(s rules.State) error {
		seen = s.Clone()
		if r.shows(s, &g.Start) {
			r.plays = append(r.plays, []rules.State{seen})
		}
		if len(r.plays) == maxPlays {
			return errEnough
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return err
	}
	if len(r.plays) == 0 {
		text := "the rules have no start"
		if seen.Seeds != nil {
			text = "the rules begin with\n" + board.Draw(r.in.System(), seen, board.Options{Indent: "  "})
		}
		return &Difference{Text: fmt.Sprintf("the record begins with %s, player %d to move; %s", counts(&g.Start), g.Start.Next, text)}
	}
	return nil
}

// startAt begins with the board of the entry.
func (r *replay) startAt(g *Game) error {
	s, err := board.Parse(r.in.System(), r.entry.Start)
	if err != nil {
		return fmt.Errorf("%s: the start: %w", r.entry.Pos, err)
	}
	if n := g.Start.Next; n != unknown {
		if n < 1 || n > len(r.in.System().Players) {
			return &Difference{Text: fmt.Sprintf("player %d is to move, and the rules have no such player", n)}
		}
		s.Mover = n - 1
	}
	if s, err = r.in.Start(s); err != nil {
		return err
	}
	if !r.shows(s, &g.Start) {
		return &Difference{Text: fmt.Sprintf("the record begins with %s, player %d to move; the map says\n%s", counts(&g.Start), g.Start.Next,
			board.Draw(r.in.System(), s, board.Options{Indent: "  "}))}
	}
	r.plays = append(r.plays, []rules.State{s})
	return nil
}

// shows reports whether a state agrees with the record after a ply. If the game is over nobody is
// to move, whatever the record says.
func (r *replay) shows(s rules.State, p *Ply) bool {
	for i, n := range p.Counts {
		if !r.sites[i].agrees(s.Seeds, n) {
			return false
		}
	}
	for i, h := range r.hands {
		if i < len(p.Hands) && !h.agrees(s.Seeds, p.Hands[i]) {
			return false
		}
	}
	return !s.Live() || p.Next == unknown || s.Mover == p.Next-1
}

// ends reports whether a finished state agrees with the record after its last ply.
func (r *replay) ends(s rules.State, p *Ply) bool {
	if !r.entry.Swept {
		return r.shows(s, p)
	}
	return lists.Sum(slices.Concat(p.Counts, p.Hands), func(n int) int { return n }) == s.Total()
}

// play goes on with each play that the record may be about: by one move for a ply, or by as many as
// a player makes of his turn, which may be several plies.
func (r *replay) play(turn []Ply, mayEnd bool) error {
	var next [][]rules.State
	seen := map[string]bool{}
	var why []string
	first, end := &turn[0], &turn[len(turn)-1]
	for _, play := range r.plays {
		s := last(play)
		steps, err := r.steps(play)
		if err != nil {
			return err
		}
		fits := s.Live() && s.Mover == first.Mover-1 && (first.Legal == unknown || first.Legal == len(steps))
		found := false
		tried := map[string]bool{}
		may := lists.Filter(steps, func(st interp.Step) bool { return r.from(st.Action, first) }) // begin the turn
		moves := lists.Map(may, func(st interp.Step) []rules.State { return with(play, st.To) })
		for len(moves) > 0 {
			more := moves[0]
			moves = moves[1:]
			key, to := r.key(more), last(more)
			if tried[key] {
				continue
			}
			tried[key] = true
			if len(tried) > maxPlays {
				return fmt.Errorf("ply %d: the turn can go on in more than %d ways", first.Number, maxPlays)
			}
			if to.Live() && r.shows(to, end) || !to.Live() && mayEnd && r.ends(to, end) {
				found = true
				if fits && !seen[key] {
					seen[key] = true
					next = append(next, more)
				}
			}
			if !r.entry.Turns || !to.Live() || to.Mover != s.Mover {
				continue
			}
			laps, err := r.steps(more)
			if err != nil {
				return err
			}
			moves = append(moves, lists.Map(laps, func(st interp.Step) []rules.State { return with(more, st.To) })...)
		}
		why = append(why, r.difference(s, steps, turn, found))
	}
	if len(next) == 0 {
		return &Difference{Ply: first.Number, Text: why[0]}
	}
	if len(next) > maxPlays {
		return fmt.Errorf("ply %d: the record fits more than %d plays", first.Number, maxPlays)
	}
	r.plays = next
	return nil
}

// from reports whether an action may be the move of the record: if it chooses pits, one of them is
// at a site of the record's move.
func (r *replay) from(action int, p *Ply) bool {
	if action == interp.Offer {
		return true
	}
	chooses := false
	for _, c := range r.in.System().Actions[action].Choices {
		if c.Type != rules.PitType {
			continue
		}
		chooses = true
		for _, site := range []int{p.From, p.To} {
			if slices.Contains(r.pitsOf(site), c.Value) {
				return true
			}
		}
	}
	return !chooses
}

// pitsOf returns the pits of a site. The hands are numbered after the other sites.
func (r *replay) pitsOf(site int) []int {
	switch n := site - len(r.sites); {
	case site < 0:
		return nil
	case n < 0:
		return r.sites[site].pits
	case n < len(r.hands):
		return r.hands[n].pits
	}
	return nil
}

// difference says why a turn cannot be played from s. found means that some move leads to the
// recorded position.
func (r *replay) difference(s rules.State, steps []interp.Step, turn []Ply, found bool) string {
	sys := r.in.System()
	p, last := &turn[0], &turn[len(turn)-1]
	var b strings.Builder
	fmt.Fprintf(&b, "the record has player %d move from site %d to %d", p.Mover, p.From, p.To)
	if p.Legal != unknown {
		b.WriteString(", " + numeral.Count(int64(p.Legal), "legal move"))
	}
	if len(turn) > 1 {
		fmt.Fprintf(&b, ", on to ply %d", last.Number)
	}
	fmt.Fprintf(&b, ", then %s", counts(last))
	if last.Next != unknown {
		fmt.Fprintf(&b, ", player %d to move", last.Next)
	}
	fmt.Fprintf(&b, "\nby the rules this is\n%s", board.Draw(sys, s, board.Options{Indent: "  "}))
	switch {
	case !s.Live():
		b.WriteString("and the game is over")
		return b.String()
	case s.Mover != p.Mover-1:
		fmt.Fprintf(&b, "and it is the turn of %s", sys.Players[s.Mover])
		return b.String()
	case p.Legal != unknown && len(steps) != p.Legal:
		fmt.Fprintf(&b, "with %s:", numeral.Count(int64(len(steps)), "legal move"))
	case !found:
		b.WriteString("and no move leads there:")
	}
	for _, st := range steps {
		fmt.Fprintf(&b, "\n%s\n%s", r.in.Notation(st.Action, s), board.Draw(sys, st.To, board.Options{Indent: "  ", Before: &s}))
	}
	return strings.TrimRight(b.String(), "\n")
}

func counts(p *Ply) string {
	text := strings.Trim(strings.ReplaceAll(fmt.Sprint(p.Counts), " ", ","), "[]")
	for _, h := range p.Hands {
		text += fmt.Sprintf("|%d", h)
	}
	return text
}

// end compares how the game ends. It is enough if one of the plays agrees. Where the rules offer an
// end, the record may have taken the offer without a ply.
func (r *replay) end(g *Game) error {
	if !g.Over {
		return nil
	}
	var first error
	for _, play := range r.plays {
		s := last(play)
		if s.Live() {
			steps, err := r.steps(play)
			if err != nil {
				return err
			}
			if i := slices.IndexFunc(steps, func(st interp.Step) bool { return st.Action == interp.Offer }); i >= 0 {
				s = steps[i].To
			}
		}
		d, err := r.ending(s, g)
		if err != nil || d == nil {
			return err
		}
		if first == nil {
			first = d
		}
	}
	return first
}

// ending compares how the game ends in one state. It returns nil if the result agrees.
func (r *replay) ending(s rules.State, g *Game) (*Difference, error) {
	text := "the record ends here; by the rules, the game goes on"
	if !s.Live() {
		winner, err := r.winner(s)
		if err != nil || winner+1 == g.Winner() {
			return nil, err
		}
		text = fmt.Sprintf("the record ends %s; by the rules, %s", r.result(g.Winner()-1), r.result(winner))
	}
	return &Difference{Ply: len(g.Plies), Text: text + "\n" + board.Draw(r.in.System(), s, board.Options{Indent: "  "})}, nil
}

func (r *replay) result(winner int) string {
	if winner == rules.None {
		return "without a winner"
	}
	return "with a win of " + r.in.System().Players[winner]
}

// winner returns the player who has won in a finished state, by the outcome or by the scores, or
// rules.None.
func (r *replay) winner(s rules.State) (int, error) {
	sys := r.in.System()
	o := sys.Outcomes[s.Outcome]
	switch {
	case o.Kind == rules.WinOutcome:
		return o.Winner, nil
	case o.Kind != rules.EndOutcome || sys.Scores == nil:
		return rules.None, nil
	}
	scores, err := r.in.Scores(s)
	if err != nil {
		return rules.None, err
	}
	return rules.Leader(scores), nil
}
