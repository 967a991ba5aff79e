package record

import (
	"cmp"
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
	// plays has all plays that the record may be about. There may be several, because a record does
	// not have the state variables, and a move's name may not say everything.
	plays      []Play
	vocabulary *vocabulary // of a record of moves
}

// Play is a play that a record may be about: the states, and the actions that lead from each to the
// next. With a rule of repetition the next steps depend on all states.
type Play struct {
	States  []rules.State
	Actions []int
}

func (p Play) last() rules.State { return p.States[len(p.States)-1] }

// with returns a play with one step more. It leaves the play as it was.
func (p Play) with(st interp.Step) Play {
	return Play{append(slices.Clip(p.States), st.To), append(slices.Clip(p.Actions), st.Action)}
}

// Trace returns the play with the notations and labels of its moves.
func (p Play) Trace(in *interp.Interp) *rules.Trace {
	t := &rules.Trace{System: in.System(), Start: p.States[0]}
	for i, action := range p.Actions {
		t.Steps = append(t.Steps, in.TraceStep(p.States[i], interp.Step{Action: action, To: p.States[i+1]}))
	}
	return t
}

// Result says how far a recorded game and the rules agree.
type Result struct {
	Plies int    // of the record that agree
	Plays []Play // that agree with them, one for each state that they may have led to
}

// Replay plays a recorded game with the rules of a System. entry says which pits the sites are. It
// compares every board, mover and number of legal moves that the record has, and who has won. An
// error is a *Difference, or a limit or fault in play.
func Replay(ctx context.Context, in *interp.Interp, entry *Entry, g *Game) (Result, error) {
	r := &replay{in: in, entry: entry}
	plies, err := r.game(ctx, g)
	return Result{plies, r.plays}, err
}

// game replays a game, and returns how many plies agree.
func (r *replay) game(ctx context.Context, g *Game) (plies int, err error) {
	if r.sites, err = bind(r.in.System(), r.entry.Sites); err != nil {
		return 0, err
	}
	if r.hands, err = bind(r.in.System(), r.entry.Hands); err != nil {
		return 0, err
	}
	if g.Moves {
		g, err = r.named(g)
	} else {
		g, err = r.sited(g)
	}
	if err != nil {
		return 0, err
	}
	if err := r.start(ctx, g); err != nil {
		return 0, err
	}
	for i := 0; i < len(g.Plies); {
		agreed := g.Plies[i].Number - 1
		if err := ctx.Err(); err != nil {
			return agreed, err
		}
		if g.closes(i) && r.over() {
			break
		}
		n := 1
		for r.entry.Turns && !g.Moves && i+n < len(g.Plies) && g.Plies[i+n].Mover == g.Plies[i].Mover {
			n++
		}
		if err := r.play(g.Plies[i:i+n], g.closes(i+n)); err != nil {
			return agreed, err
		}
		i += n
	}
	if n := len(g.Plies); n > 0 {
		plies = g.Plies[n-1].Number
	}
	return plies, r.end(g)
}

// named returns a game of a record of moves in which each ply is one move, and has been understood.
func (r *replay) named(g *Game) (*Game, error) {
	var err error
	if r.vocabulary, err = r.entry.vocabulary(r.in.System(), r.sites); err != nil {
		return nil, err
	}
	see := func(p *Ply) error {
		if p.Position == "" {
			return nil
		}
		seen, err := r.vocabulary.position(p.Position)
		p.seen = &seen
		return err
	}
	d := *g
	d.Plies = nil
	if err := see(&d.Start); err != nil {
		return nil, err
	}
	for _, p := range g.Plies {
		moves, err := r.vocabulary.read(p.Move)
		if err == nil {
			err = see(&p)
		}
		if err != nil {
			return nil, fmt.Errorf("ply %d: %w", p.Number, err)
		}
		for i, m := range moves {
			one := p
			one.named = m
			if i > 0 {
				one.Legal = unknown
			}
			if i < len(moves)-1 {
				one.seen = nil
			}
			d.Plies = append(d.Plies, one)
		}
	}
	return &d, nil
}

// sited returns a game whose boards are understood by the sites of the entry. In a trial the hands
// follow the other sites, and counts that are 0 throughout may be missing at the end, or be more
// than the entry has.
func (r *replay) sited(g *Game) (*Game, error) {
	all := slices.Concat(r.sites, r.hands)
	see := func(p *Ply) error {
		n := len(p.Counts)
		counts := slices.Concat(p.Counts, p.Hands)
		if g.trial {
			n = max(len(r.sites), n-lists.Count(counts[min(n, len(all)):], func(c int) bool { return c == 0 }))
			counts = append(counts, make([]int, len(all))...)
		}
		if n > len(all) || !g.trial && n != len(r.sites) {
			return fmt.Errorf("%s: %d sites, the record has %d", r.entry.Pos, len(r.sites), len(p.Counts))
		}
		counts = counts[:min(len(counts), len(all))]
		p.seen = &position{sites: all[:len(counts)], counts: counts, mover: max(p.Next-1, unknown)}
		return nil
	}
	d := *g
	d.Plies = slices.Clone(g.Plies)
	err := see(&d.Start)
	for i := range d.Plies {
		err = cmp.Or(err, see(&d.Plies[i]))
	}
	return &d, err
}

// closes reports whether the plies from i on are all passes after the end of the game. Some
// recorders write them because nobody can move, and others do not. A record of moves may always end
// with the game.
func (g *Game) closes(i int) bool {
	if g.Moves {
		return i == len(g.Plies)
	}
	return g.Over && !slices.ContainsFunc(g.Plies[i:], func(p Ply) bool { return p.From >= 0 || p.To >= 0 })
}

func (r *replay) over() bool {
	return !slices.ContainsFunc(r.plays, func(play Play) bool { return play.last().Live() })
}

// steps returns the steps of a play that may follow.
func (r *replay) steps(play Play) ([]interp.Step, error) {
	steps, err := r.in.Steps(play.last())
	return r.in.InPlay(play.States, steps), err
}

// key is the same for plays that are alike from their last states on: with a rule of repetition
// these are plays through the same states.
func (r *replay) key(play Play) string {
	if r.in.System().Repetition == nil {
		return fmt.Sprint(play.last())
	}
	states := slices.Clone(play.States[:len(play.States)-1])
	slices.SortFunc(states, rules.State.Compare)
	return fmt.Sprint(play.last(), slices.CompactFunc(states, rules.State.Equal))
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
	if g.Placed {
		return r.placed(ctx, g)
	}
	var seen rules.State
	err := space.Starts(ctx, r.in, func(s rules.State) error {
		seen = s.Clone()
		if r.shows(s, &g.Start) {
			r.plays = append(r.plays, Play{States: []rules.State{seen}})
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
		return &Difference{Text: fmt.Sprintf("the record begins with %s; %s", described(&g.Start), text)}
	}
	return nil
}

// placed begins with the position of the record. It is to have as many seeds as the game: then it
// was hardly misread.
func (r *replay) placed(ctx context.Context, g *Game) error {
	s, err := r.vocabulary.state(*g.Start.seen)
	if err != nil {
		return err
	}
	err = space.Starts(ctx, r.in, func(first rules.State) error {
		if n := first.Total(); n != s.Total() {
			return &Difference{Text: fmt.Sprintf("the position `%s` has %s, and the game %d", g.Start.Position, numeral.Count(int64(s.Total()), "seed"), n)}
		}
		return errEnough
	})
	if err != nil && !errors.Is(err, errEnough) {
		return err
	}
	if s, err = r.in.Start(s); err == nil {
		r.plays = append(r.plays, Play{States: []rules.State{s}})
	}
	return err
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
		return &Difference{Text: fmt.Sprintf("the record begins with %s; the map says\n%s", described(&g.Start),
			board.Draw(r.in.System(), s, board.Options{Indent: "  "}))}
	}
	r.plays = append(r.plays, Play{States: []rules.State{s}})
	return nil
}

// shows reports whether a state agrees with the record after a ply.
func (r *replay) shows(s rules.State, p *Ply) bool { return p.seen == nil || p.seen.agrees(s) }

// ends reports whether a finished state agrees with the record after its last ply.
func (r *replay) ends(s rules.State, p *Ply) bool {
	return r.shows(s, p) || r.entry.Swept && p.seen.total() == s.Total()
}

// play goes on with each play that the record may be about: by one move for a ply, or by as many as
// a player makes of his turn, which may be several plies.
func (r *replay) play(turn []Ply, mayEnd bool) error {
	var next []Play
	seen := map[string]bool{}
	var why []string
	first, end := &turn[0], &turn[len(turn)-1]
	for _, play := range r.plays {
		s := play.last()
		steps, err := r.steps(play)
		if err != nil {
			return err
		}
		fits := s.Live() && (first.Mover == unknown || s.Mover == first.Mover-1) && (first.Legal == unknown || first.Legal == len(steps))
		found := false
		tried := map[string]bool{}
		may := lists.Filter(steps, func(st interp.Step) bool { return r.from(st.Action, s, first) }) // begin the turn
		moves := lists.Map(may, play.with)
		for len(moves) > 0 {
			more := moves[0]
			moves = moves[1:]
			key, to := r.key(more), more.last()
			if tried[key] {
				continue
			}
			tried[key] = true
			if len(tried) > maxPlays {
				return fmt.Errorf("ply %d: the turn can go on in more than %d ways", first.Number, maxPlays)
			}
			scored, err := r.scored(to, s.Mover, end)
			if err != nil {
				return err
			}
			if scored && (to.Live() && r.shows(to, end) || !to.Live() && mayEnd && r.ends(to, end)) {
				found = true
				if fits && !seen[key] {
					seen[key] = true
					next = append(next, more)
				}
			}
			if !r.entry.Turns || end.Move != "" || !to.Live() || to.Mover != s.Mover {
				continue
			}
			laps, err := r.steps(more)
			if err != nil {
				return err
			}
			moves = append(moves, lists.Map(laps, more.with)...)
		}
		if first.Move != "" && fits && len(may) > 0 {
			steps = may
		}
		why = append(why, r.difference(s, steps, turn, len(may) > 0, found))
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

// scored reports whether a player has the score in a state that the record says. What is left at
// the end of a game may be counted in one and not in the other.
func (r *replay) scored(s rules.State, player int, p *Ply) (bool, error) {
	if p.Move == "" || p.named.score == unknown || !s.Live() && r.entry.Swept {
		return true, nil
	}
	scores, err := r.in.Scores(s)
	return err != nil || scores[player] == p.named.score, err
}

// from reports whether an action in s may be the move of the record: if it chooses pits, one of
// them is at a site of the record's move. In a record of moves it is by the name.
func (r *replay) from(action int, s rules.State, p *Ply) bool {
	if p.Move != "" {
		var a *rules.Action
		if action != interp.Offer {
			a = &r.in.System().Actions[action]
		}
		return r.vocabulary.means(p.named, a, r.in.Notation(action, s))
	}
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

// difference says why a turn cannot be played from s. begun means that some move may be the one of
// the record, and found that one leads to the recorded position.
func (r *replay) difference(s rules.State, steps []interp.Step, turn []Ply, begun, found bool) string {
	sys := r.in.System()
	p, last := &turn[0], &turn[len(turn)-1]
	var b strings.Builder
	if p.Move != "" {
		fmt.Fprintf(&b, "the record has the move `%s`", p.Move)
	} else {
		fmt.Fprintf(&b, "the record has player %d move from site %d to %d", p.Mover, p.From, p.To)
	}
	if p.Legal != unknown {
		b.WriteString(", " + numeral.Count(int64(p.Legal), "legal move"))
	}
	if len(turn) > 1 {
		fmt.Fprintf(&b, ", on to ply %d", last.Number)
	}
	if p.Move == "" || last.seen != nil {
		b.WriteString(", then " + described(last))
	}
	fmt.Fprintf(&b, "\nby the rules this is\n%s", board.Draw(sys, s, board.Options{Indent: "  "}))
	switch {
	case !s.Live():
		b.WriteString("and the game is over")
		return b.String()
	case p.Mover != unknown && s.Mover != p.Mover-1:
		fmt.Fprintf(&b, "and it is the turn of %s", sys.Players[s.Mover])
		return b.String()
	case p.Legal != unknown && len(steps) != p.Legal:
		fmt.Fprintf(&b, "with %s:", numeral.Count(int64(len(steps)), "legal move"))
	case !begun && p.Move != "":
		b.WriteString("and no move is called so:")
	case !found && p.Move != "" && p.named.score != unknown:
		b.WriteString("and the score or the board is another:")
	case !found:
		b.WriteString("and no move leads there:")
	}
	for _, st := range steps {
		fmt.Fprintf(&b, "\n%s\n%s", r.in.Notation(st.Action, s), board.Draw(sys, st.To, board.Options{Indent: "  ", Before: &s}))
	}
	return strings.TrimRight(b.String(), "\n")
}

// described writes the board and the player to move after a ply, as far as the record has them.
func described(p *Ply) string {
	switch {
	case p.Position != "":
		return "`" + strings.Join(strings.Fields(p.Position), " ") + "`"
	case p.Counts == nil:
		return "what the rules say"
	}
	text := strings.Trim(strings.ReplaceAll(fmt.Sprint(p.Counts), " ", ","), "[]")
	for _, h := range p.Hands {
		text += fmt.Sprintf("|%d", h)
	}
	if p.Next != unknown {
		text += fmt.Sprintf(", player %d to move", p.Next)
	}
	return text
}

// end compares how the game ends. It is enough if one of the plays agrees. Where the rules offer an
// end, the record may have taken the offer without a ply. The result of a record of moves counts
// only if the rules have ended the game: players give up, or run out of time.
func (r *replay) end(g *Game) error {
	if !g.Over && (!g.Moves || g.Ranks == nil) {
		return nil
	}
	var first error
	for _, play := range r.plays {
		s := play.last()
		if s.Live() && !g.Over {
			return nil // the players gave up
		}
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
