package choose

import (
	"context"
	"sync"
	"time"

	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/rules"
)

// Memory keeps what choices have found out, for the next ones of the same game. The zero value
// knows nothing. Several goroutines may use it, one after another. It is closed at the end.
type Memory struct {
	mu      sync.Mutex
	analyst *value.Analyst
	game    string
	seeds   int
	payoff  value.Payoff
}

// Close gives memory back.
func (m *Memory) Close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.close()
}

func (m *Memory) close() {
	if m.analyst != nil {
		m.analyst.Close()
		m.analyst = nil
	}
}

// Analyst returns the analyst of a game. It is the one that it returned before, if that is for the
// same game with as many seeds, and otherwise a new one, which has learnt nothing. One goroutine
// may use it at a time.
func (m *Memory) Analyst(ctx context.Context, sys *rules.System, st rules.State, p value.Payoff, seed uint64, opts value.Options) (*value.Analyst, error) {
	game := sys.PlayHash()
	if m.game != game || m.seeds < st.Total() || m.payoff != p {
		m.close()
	}
	if m.analyst == nil {
		a, err := value.NewAnalyst(ctx, sys, st, p, seed, opts)
		if err != nil {
			return nil, err
		}
		m.analyst, m.game, m.seeds, m.payoff = a, game, st.Total(), p
	}
	return m.analyst, nil
}

// analyse analyses a state. The analyst may learn in half of the time.
func (m *Memory) analyse(ctx context.Context, sys *rules.System, st rules.State, opts Options, s value.Study) (*value.Analysis, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	began := time.Now()
	learning, stop := context.WithTimeout(ctx, s.Time/2)
	defer stop()
	a, err := m.Analyst(ctx, sys, st, opts.Payoff, opts.Seed, value.Options{Bounds: opts.Bounds, Tables: opts.Tables})
	if err != nil {
		return nil, err
	}
	if err := a.Learn(learning); err != nil {
		return nil, err
	}
	s.Time = max(s.Time-time.Since(began), s.Time/4)
	return a.Analyse(ctx, st, s)
}
